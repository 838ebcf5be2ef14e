"""`distinctly report`: one page, in three formats, with errors before any work."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from tests.cli.fixtures import Run, Save

import distinctly as dy
from distinctly.registry import find_metric, metric_names

pytestmark = pytest.mark.slow  # a process per test

SECTIONS = ["Summary", "Values", "Table", "Length", "Repetitions", "Distances", "Words", "Map"]
VARIED, SAME = "demo:english-varied", "demo:english-repetitive"


def sections_of(document: str) -> list[str]:
    return [line.removeprefix("## ") for line in document.splitlines() if line.startswith("## ")]


@pytest.mark.slow
def test_markdown_has_all_sections_in_order(command: Run, tmp_path: Path) -> None:
    done = command("report", SAME, "--reference", VARIED, "-o", "r.md", timeout=120)
    assert done.returncode == 0, done.stderr
    document = (tmp_path / "r.md").read_text()
    ending = ["Warnings", "Signatures", "References", "Command"]
    assert sections_of(document) == [*SECTIONS, *ending]
    assert "distinctly report demo:english-repetitive --reference demo:english-varied -o r.md" in document
    assert "@inproceedings{li2016diversity," in document
    assert "english-varied is more varied than english-repetitive" in done.stderr


def test_json_has_the_numbers_of_measure_and_compare(command: Run, tmp_path: Path) -> None:
    done = command("report", SAME, "--reference", VARIED, "-m", "distinct:n=2", "-o", "r.json", timeout=120)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    (expected,) = dy.measure(SAME, "distinct:n=2")
    values = {
        (score["corpus"], score["metric"]): score["value"] for score in document["diversity"]["scores"][:1]
    }
    assert values["english-repetitive", "distinct"] == expected.value
    distances = dy.compare(VARIED, SAME, ["jensen_shannon", "energy"])
    assert [score["value"] for score in document["distances"]["scores"]] == [
        score.value for score in distances
    ]
    assert all(score["test"]["p_holm"] < 0.05 for score in document["distances"]["scores"])
    words = dy.keyness(VARIED, SAME, of="words(punct=no;lc=yes)", min_range=2, most=100)
    assert document["keyness"]["rows"] == words.rows
    assert 1 <= len(document["summary"]) <= 5


def test_html_is_one_page_with_hostile_text_escaped(command: Run, save: Save, tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> </textarea> **bold** \u202e"
    save("a.txt", "\n".join(f"{hostile} {place}" for place in range(20)))
    done = command("report", "a.txt", "-o", "r.html", timeout=120)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert "<script>alert(1)" not in page
    assert "Content-Security-Policy" in page


@pytest.mark.slow
def test_texts_are_split_by_a_field_whose_value_is_the_reference(
    command: Run, save: Save, tmp_path: Path
) -> None:
    rows = [{"text": f"human text {place} of many", "who": "human"} for place in range(20)]
    rows += [{"text": "I do not know .", "who": "model"} for _ in range(20)]
    save("a.jsonl", "\n".join(map(json.dumps, rows)))
    done = command("report", "a.jsonl", "--by", "who", "--reference", "human", "-o", "r.json", timeout=120)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    assert {score["corpus"] for score in document["distances"]["scores"]} == {"model"}
    assert {score["corpus"] for score in document["diversity"]["scores"]} == {"human", "model"}
    assert any("95% of the texts of model" in sentence for sentence in document["summary"])  # 19 of 20


@pytest.mark.slow
def test_a_file_that_is_also_the_reference_is_no_candidate(command: Run, tmp_path: Path) -> None:
    done = command("report", VARIED, SAME, "--reference", VARIED, "-o", "r.json", timeout=120)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    assert {score["corpus"] for score in document["distances"]["scores"]} == {"english-repetitive"}
    assert len(document["diversity"]["corpora"]) == 2


def test_standard_input(command: Run, tmp_path: Path) -> None:
    done = command("report", "-", "-o", "r.md", given="one text\nanother text\na third one\n", timeout=120)
    assert done.returncode == 0, done.stderr
    assert "nothing to compare it with" in (tmp_path / "r.md").read_text()


@pytest.mark.slow
def test_groups_have_scopes(command: Run, save: Save, tmp_path: Path) -> None:
    rows = [
        {"text": f"{word} answer {place % 4} of {place}", "model": word, "prompt": place // 4}
        for word in ("short", "long")
        for place in range(40)
    ]
    save("a.jsonl", "\n".join(map(json.dumps, rows)))
    done = command("report", "a.jsonl", "--by", "model", "--group", "prompt", "-o", "r.json", timeout=120)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    assert {score["scope"] for score in document["diversity"]["scores"]} == {"within", "across", "pooled"}
    assert "pairs" in document


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "r.csv"], "A report is a file with the ending .html, .md or .json, got '.csv'"),
        (["-o", "missing/r.html"], "this folder does not exist"),
        ([], "Missing option '-o'"),
        (["-o", "r.md", "-m", "distnct"], "Did you mean 'distinct'?"),
        (["-o", "r.md", "--reference", "missing.txt"], "missing.txt"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(
    command: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = command("report", VARIED, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.glob("r.*"))


def test_an_empty_file_is_an_error(command: Run, save: Save, tmp_path: Path) -> None:
    save("a.txt", "")
    done = command("report", "a.txt", "-o", "r.md")
    assert done.returncode == 2
    assert "a.txt" in done.stderr
    assert not (tmp_path / "r.md").exists()


@pytest.mark.parametrize("package", ["umap", "bokeh"])
def test_a_missing_extra_is_named_before_anything_is_read(command: Run, tmp_path: Path, package: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = command("report", "no-such-file.txt", "-o", "r.html", environment={"PYTHONPATH": path})
    assert done.returncode == 2
    assert 'pip install "distinctly[report]"' in done.stderr


@pytest.mark.slow
def test_the_function_of_python_writes_the_same(tmp_path: Path) -> None:
    texts = {"a": [f"text {place} of mine" for place in range(20)], "b": ["the same text"] * 20}
    dy.write_report(texts, tmp_path / "r.json", "distinct:n=1", reference="a")
    document = json.loads((tmp_path / "r.json").read_text())
    assert {score["corpus"] for score in document["distances"]["scores"]} == {"b"}
    # "the same text" has 3 different tokens of 60; the first two values are of `a`.
    assert document["diversity"]["scores"][-1]["value"] == 3 / 60


def test_scores_write_a_report_of_what_they_know(tmp_path: Path) -> None:
    scores = dy.measure(
        {"a": [f"text {n} of mine" for n in range(20)], "b": ["the same text"] * 20}, "distinct"
    )
    scores.report(tmp_path / "r.md")
    document = (tmp_path / "r.md").read_text()
    assert sections_of(document)[:3] == ["Summary", "Values", "Table"]
    assert "Map" not in sections_of(document)
    dy.compare(VARIED, SAME, "jensen_shannon", noise_floor=True).report(tmp_path / "d.md")
    assert "Distances" in sections_of((tmp_path / "d.md").read_text())


def test_all_metrics_of_the_package_but_two_name_a_paper() -> None:
    # `types` is a count, and `median` and `hausdorff` have no paper of their own.
    without = {name for name in metric_names() if not find_metric(name).references}
    assert without == {"types", "median", "hausdorff"}


@pytest.mark.slow
def test_report_on_dialogues(command: Run, shared: Path, tmp_path: Path) -> None:
    file = shared / "dailydialog-hredf-vs-reference.jsonl"
    done = command("report", file, "--by", "label", "--reference", "reference", "-o", "r.html", timeout=300)
    assert done.returncode == 0, done.stderr
    assert "reference is more varied than hredf" in done.stderr
    assert (tmp_path / "r.html").stat().st_size < 6_000_000


@pytest.mark.slow
def test_a_reference_without_groups_is_compared_but_not_measured(
    command: Run, save: Save, tmp_path: Path
) -> None:
    rows = [{"text": f"answer {place % 4} of {place}", "prompt": place // 4} for place in range(40)]
    save("a.jsonl", "\n".join(map(json.dumps, rows)))
    save("human.jsonl", "\n".join(json.dumps({"text": f"human text {place}"}) for place in range(30)))
    arguments = ["--group", "prompt", "--reference", "human.jsonl", "-o", "r.json"]
    done = command("report", "a.jsonl", *arguments, timeout=120)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    assert {score["corpus"] for score in document["diversity"]["scores"]} == {"a.jsonl"}
    assert {score["scope"] for score in document["diversity"]["scores"]} == {"within", "across", "pooled"}
    assert {score["reference"] for score in document["distances"]["scores"]} == {"human.jsonl"}
