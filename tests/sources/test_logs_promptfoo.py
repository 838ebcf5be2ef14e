"""Logs of promptfoo: tests/logs/promptfoo holds what promptfoo 0.123.1 wrote (see the README there)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.logs.reading import read

import distinctly as dy
from distinctly.errors import InputError

FOLDER = Path(__file__).parents[1] / "logs/promptfoo"
RESULTS = json.loads((FOLDER / "out.json").read_text("utf-8"))["results"]["results"]


def save(path: Path, results: list[dict], lines: bool = False) -> Path:
    if lines:
        path.write_text("".join(json.dumps(row) + "\n" for row in results))
    else:
        path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": results}}))
    return path


def test_outputs_of_a_provider_for_one_prompt_and_variables_are_repeats():
    # Two prompts, three sets of variables and `--repeat 2`; the provider "canned-model" fails for one set.
    batch = read(FOLDER / "out.json", id="system")
    groups: dict[tuple[str, str], int] = {}
    for key in zip(batch.ids.tolist(), batch.groups.tolist()):
        groups[key] = groups.get(key, 0) + 1
    assert set(groups.values()) == {2}
    assert len([1 for system, _ in groups if system == "echo"]) == 2 * 3
    assert len([1 for system, _ in groups if system == "canned-model"]) == 2 * 2
    assert list(batch.remarks) == ["Left out samples that failed: 4."]  # 2 prompts, 2 repeats


def test_providers_have_groups_in_common():
    # `promptIdx` counts pairs of provider and prompt, so that the prompts of two providers differ in it.
    rows = [(row["provider"]["id"], row["promptIdx"]) for row in RESULTS]
    assert {index for system, index in rows if system == "echo"} == {0, 1}
    assert {index for system, index in rows if system == "canned-model"} == {2, 3}
    batch = read(FOLDER / "out.json", id="system")
    groups = {system: set() for system in ("echo", "canned-model")}
    for system, group in zip(batch.ids.tolist(), batch.groups.tolist()):
        groups[system].add(group)
    assert groups["canned-model"] < groups["echo"]


def test_texts_prompts_and_scores():
    batch = read(FOLDER / "out.json")
    written = [row for row in RESULTS if (row.get("response") or {}).get("output") is not None]
    assert batch.prompts.tolist() == [row["prompt"]["raw"] for row in written]
    assert batch.quality.tolist() == [row["score"] for row in written]
    outputs = [row["response"]["output"] for row in written]
    # An object stays JSON.
    assert batch.strings.tolist() == [
        text if isinstance(text, str) else json.dumps(text, ensure_ascii=False) for text in outputs
    ]
    scores = dy.measure(FOLDER / "out.json", "types:n=1")
    assert {score.corpus for score in scores} == {"echo", "canned-model"}


def test_lines_and_chat_prompts():
    batch = read(FOLDER / "chat.jsonl")
    # One prompt is a list of messages, of which the last one of the user is read; the other is text.
    topics = ("a lighthouse", "the sea")
    assert set(batch.prompts.tolist()) == {
        *(f"Write one line about {topic}." for topic in topics),
        *(f"Say something about {topic}." for topic in topics),
    }
    assert "Salt and wind." in batch.strings.tolist()  # "<think>short</think>\nSalt and wind."
    assert "Left out samples that failed: 1." in list(batch.remarks)  # a provider that raised an error


def test_an_object_and_lines_are_the_same(tmp_path):
    lines = read(save(tmp_path / "lines.jsonl", RESULTS, lines=True))
    whole = read(save(tmp_path / "object.json", RESULTS))
    assert lines.groups.tolist() == whole.groups.tolist()
    assert lines.strings.tolist() == whole.strings.tolist()


def test_providers_with_one_id_are_named_by_their_labels(tmp_path):
    results = [
        {"provider": {"id": "m", "label": label}, "vars": {}, "response": {"output": "a text"}}
        for label in ("cold", "warm")
    ]
    assert dy.read(save(tmp_path / "x.json", results)).source.systems == ("cold", "warm")
    assert dy.read(save(tmp_path / "y.json", results[:1])).source.systems == ("m",)


def test_a_cut_off_log_is_an_error(tmp_path):
    file = tmp_path / "out.json"
    file.write_bytes((FOLDER / "out.json").read_bytes()[:-50])
    with pytest.raises(InputError, match="not valid JSON .* damaged or incomplete"):
        dy.measure(file)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"vars": {}}, "it has no 'provider'"),
        ({"provider": {"name": "m"}, "vars": {}, "response": {"output": "a"}}, "'provider' to have an id"),
    ],
)
def test_another_version_says_what_is_missing(tmp_path, row, message):
    with pytest.raises(InputError, match=rf"results\[0\]: not a sample of promptfoo .*{message}"):
        dy.measure(save(tmp_path / "x.json", [row]))


def test_results_in_another_place_are_an_error(tmp_path):
    file = tmp_path / "x.json"
    file.write_text('{"evalId": "e", "results": {"version": 9, "table": {}}}')
    with pytest.raises(InputError, match=r"expected a list at results\.results"):
        dy.measure(file)
