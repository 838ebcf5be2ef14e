"""The JSON API gives the documents of the command, and one-line errors."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient
from tests.cli.fixtures import Run, Save

TEXTS = ["the cat sat on the mat", "the cat ran", "", "知道吗？知道", "Don’t pay $1,000.50 — 😀"]
OTHERS = ["a dog ran off", "the cat sat on the mat", "no one knows", "to be or not to be"]


def lines(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


@pytest.mark.parametrize(
    ("options", "request_"),
    [
        ([], {}),
        (["-m", "distinct:n=2", "-m", "ead"], {"metrics": ["distinct:n=2", "ead"]}),
        (["--tokenizer", "words:lc=yes"], {"tokenizer": "words:lc=yes"}),
        (["-m", "distinct:n=1,of=char", "--top", "3"], {"metrics": "distinct:n=1,of=char", "top": 3}),
        (
            ["-m", "distinct", "--interval", "--seed", "4"],
            {"metrics": ["distinct"], "interval": True, "seed": 4},
        ),
        (["-m", "distinct", "--explain", "--examples", "2"], {"metrics": ["distinct"], "explain": 2}),
        (["--per-text"], {"per_text": True}),
        (["-m", "vendi", "-m", "mtld"], {"metrics": ["vendi", "mtld"]}),
    ],
)
def test_measure_equals_the_command(
    client: TestClient, command: Run, save: Save, options: list[str], request_: dict
) -> None:
    save("texts", lines(TEXTS))  # the name that texts without a name have
    done = command("measure", "texts", *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    answer = client.post("/api/measure", json={"texts": TEXTS, **request_})
    assert answer.status_code == 200, answer.text
    expected, document = json.loads(done.stdout), answer.json()
    if "rows" in expected:  # a list has items where a file has lines, and no file
        for row in expected["rows"]:
            row.pop("file", None)
    assert document == expected


def test_measure_of_several_corpora_equals_the_command(client: TestClient, command: Run, save: Save) -> None:
    save("a.txt", lines(TEXTS))
    save("b.txt", lines(OTHERS))
    done = command("measure", "a.txt", "b.txt", "-m", "distinct:n=1", "--paired", "--format", "json")
    request = {"texts": {"a.txt": TEXTS, "b.txt": OTHERS}, "metrics": ["distinct:n=1"], "paired": True}
    assert client.post("/api/measure", json=request).json() == json.loads(done.stdout)


def test_groups_equal_the_command(client: TestClient, command: Run, save: Save) -> None:
    rows = [{"text": text, "prompt": prompt} for text, prompt in zip(OTHERS, ("x", "x", "y", "y"))]
    save("texts.jsonl", lines([json.dumps(row) for row in rows]))
    done = command(
        "measure",
        "texts.jsonl",
        "--field",
        "text",
        "--group",
        "prompt",
        "-m",
        "distinct:n=1",
        "--format",
        "json",
    )
    request = {"texts": {"texts.jsonl": OTHERS}, "groups": ["x", "x", "y", "y"], "metrics": ["distinct:n=1"]}
    assert client.post("/api/measure", json=request).json() == json.loads(done.stdout)


@pytest.mark.parametrize(
    ("options", "request_"),
    [
        (["-m", "chi", "-m", "jensen_shannon"], {"metrics": ["chi", "jensen_shannon"]}),
        (["-m", "dc", "--permutations", "20"], {"metrics": ["dc"], "permutations": 20}),
        (
            ["-m", "chi", "--noise-floor", "--explain"],
            {"metrics": ["chi"], "noise_floor": True, "explain": 3},
        ),
    ],
)
def test_compare_equals_the_command(
    client: TestClient, command: Run, save: Save, options: list[str], request_: dict
) -> None:
    save("reference", lines(TEXTS))
    save("candidate", lines(OTHERS))
    done = command("compare", "reference", "candidate", *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    answer = client.post("/api/compare", json={"reference": TEXTS, "candidate": OTHERS, **request_})
    assert answer.json() == json.loads(done.stdout)


def test_several_candidates(client: TestClient) -> None:
    request = {
        "reference": TEXTS,
        "candidates": {"same": TEXTS, "others": OTHERS},
        "metrics": ["jensen_shannon"],
    }
    scores = client.post("/api/compare", json=request).json()["scores"]
    assert [(score["corpus"], score["value"] > 0) for score in scores] == [("same", False), ("others", True)]


def test_files_equal_the_command(client: TestClient, command: Run, save: Save) -> None:
    human, model = (
        b"id,Text\n1,the cat sat\n2,a dog ran\n",
        b'{"Text": "the cat sat"}\n{"Text": "the cat ran"}\n',
    )
    save("human.csv", human)
    save("model.jsonl", model)
    measured = command("measure", "human.csv", "--field", "Text", "-m", "distinct", "--format", "json")
    options = json.dumps({"field": "Text", "metrics": ["distinct"]})
    answer = client.post(
        "/api/files/measure", files={"files": ("human.csv", human)}, data={"options": options}
    )
    assert answer.json() == json.loads(measured.stdout)
    compared = command(
        "compare", "human.csv", "model.jsonl", "--field", "Text", "-m", "jensen_shannon", "--format", "json"
    )
    files = {"reference": ("human.csv", human), "candidates": ("model.jsonl", model)}
    options = json.dumps({"field": "Text", "metrics": ["jensen_shannon"]})
    answer = client.post("/api/files/compare", files=files, data={"options": options})
    assert answer.json() == json.loads(compared.stdout)


def test_an_error_in_a_file_names_it_as_the_client_does(client: TestClient) -> None:
    files = {"files": ("../../my answers.jsonl", b'{"text": "a b"}\n{"text": 3}\n')}
    answer = client.post("/api/files/measure", files=files, data={"options": '{"field": "text"}'})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("my answers.jsonl, line 2: ")
    assert "/" not in answer.json()["error"].partition(":")[0]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 400, "Expected JSON"),
        (b"[" * 100_000, 400, "Expected JSON"),
        (b"[1]", 422, "Expected a JSON object"),
        (b"{}", 422, "Expected the field `texts`"),
        (b'{"texts": "abc"}', 422, "Expected `texts` to be a list of strings, got the text"),
        (b'{"texts": ["a", 3]}', 422, "got the number 3 in item 2"),
        (b'{"texts": [["a b"], ["c", null]]}', 422, "got null in list 2, item 2"),
        (b'{"texts": ["a"], "metrics": ["distnct"]}', 422, "Did you mean 'distinct'?"),
        (b'{"texts": ["a"], "metrics": []}', 422, "1 to 100 specs"),
        (b'{"texts": ["a"], "metric": ["ead"]}', 422, "Did you mean 'metrics'?"),
        (b'{"texts": ["a"], "top": 0}', 422, "from 1 to 1,000"),
        (b'{"texts": ["a"], "interval": 1}', 422, "true or false"),
        (b'{"texts": ["a b", "c d"], "groups": ["x"]}', 422, "groups"),
        (b'{"texts": ["a"], "metrics": ["mauve"]}', 422, "mauve"),
    ],
)
def test_errors_are_one_line_of_json(client: TestClient, body: bytes, status: int, words: str) -> None:
    answer = client.post("/api/measure", content=body, headers={"Content-Type": "application/json"})
    message = answer.json()["error"]
    assert (answer.status_code, words in message) == (status, True), message
    assert "\n" not in message
    assert list(answer.json()) == ["error"]


def test_half_a_surrogate_pair_is_measured(client: TestClient) -> None:
    body = rb'{"texts": ["a \ud800 b", "a b"], "metrics": ["distinct:n=1"], "top": 3}'
    answer = client.post("/api/measure", content=body, headers={"Content-Type": "application/json"})
    assert answer.json()["scores"][0]["parts"]["C"] == 5  # a, \ud800, b, a, b


def test_undefined_is_null_with_a_reason(client: TestClient) -> None:
    (score,) = client.post("/api/measure", json={"texts": [], "metrics": ["distinct:n=1"]}).json()["scores"]
    assert score["value"] is None
    assert score["undefined"]


def test_the_calculator_gives_the_scores_of_the_command(client: TestClient, command: Run, save: Save) -> None:
    save("texts", lines(TEXTS))
    answer = client.post("/api/calculate", json={"texts": TEXTS, "n": 2}).json()
    specs = [word for spec in answer["metrics"] for word in ("-m", spec)]
    assert answer["scores"] == json.loads(command("measure", "texts", *specs, "--format", "json").stdout)
    # "the cat" occurs twice, and so does 知道.
    assert answer["repeated"]["most_frequent"] == [["the cat", 2], ["知 道", 2]]
    assert answer["repeated"]["texts"][0] == [["the cat", 2], [" sat on the mat", 1]]
    assert answer["repeated"]["texts"][3] == [["知道", 2], ["吗？", 1], ["知道", 2]]


def test_openapi_describes_the_fields(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    request = paths["/api/measure"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert request["required"] == ["texts"]
    assert {"texts", "metrics", "tokenizer", "groups", "interval"} <= request["properties"].keys()
    shown = client.get("/docs", headers={"Accept": "text/html"}).text
    assert all(path in shown for path in paths)
    assert "http" not in shown.replace("http://127.0.0.1:8765/", "")  # nothing from elsewhere
