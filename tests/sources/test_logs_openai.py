"""Logs in the format of OpenAI: tests/logs/openai holds what its classes wrote (make_openai.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.logs.reading import answers, read

import distinctly as dy
from distinctly.errors import InputError

FOLDER = Path(__file__).parents[1] / "logs/openai"
SEA = ["The sea is blue.", "Salt and wind.", "It breathes."]
FRUIT = ["apple", "quince", "apple"]


def save(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class TestCompletions:
    @pytest.mark.parametrize("name", ["chat.jsonl", "short.jsonl"])  # with fields that are null, and without
    def test_each_choice_is_a_text_and_the_choices_of_a_completion_are_a_group(self, name):
        batch = read(FOLDER / name)
        assert answers(batch) == {
            "chatcmpl-1": SEA,
            "chatcmpl-2": ["pear", "I cannot name a fruit.", ""],
            "chatcmpl-3": ["kelp"],  # the other choice calls a tool
            "chatcmpl-4": ["fig", "", "date"],
        }
        assert list(batch.remarks) == [
            "Texts that are refusals: 1.",
            "Left out samples without a text: 2.",  # a call of a tool, and what a filter removed
            "Texts of reasoning alone, whose answer is taken as empty: 1.",
            "Removed the reasoning of texts, <think>…</think> (--reasoning keep to keep it): 1.",
        ]

    def test_a_choice_keeps_its_number_if_another_one_has_no_text(self):
        batch = read(FOLDER / "chat.jsonl", id="repeat")
        assert [int(repeat) for repeat in batch.ids.tolist()] == [0, 1, 2, 0, 1, 2, 1, 0, 1, 2]

    def test_models_are_systems(self):
        scores = dy.measure(FOLDER / "chat.jsonl", "types:n=1")
        assert list(dict.fromkeys(score.corpus for score in scores)) == ["gpt-a", "local-b"]

    def test_an_array_of_completions(self):
        assert answers(read(FOLDER / "texts.json")) == {"cmpl-1": SEA, "cmpl-2": FRUIT}

    def test_one_completion_on_several_lines(self):
        assert answers(read(FOLDER / "one.json")) == {"chatcmpl-1": SEA}

    def test_lines_of_a_batch_are_named_by_their_id(self):
        batch = read(FOLDER / "batch.jsonl", id="system")
        assert answers(batch) == {"fruit": FRUIT, "plum": ["plum"]}
        assert batch.ids.tolist() == ["gpt-a"] * 3 + ["gpt-r"]
        assert list(batch.remarks) == ["Left out samples that failed: 2."]  # status 400, and an error

    def test_a_text_of_several_parts(self, tmp_path):
        content = [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}]
        choice = {"index": 0, "message": {"role": "assistant", "content": content}}
        file = save(tmp_path / "a.jsonl", {"object": "chat.completion", "choices": [choice]})
        assert read(file).strings.tolist() == ["one two"]

    def test_an_empty_text_beside_a_call_of_a_tool_is_none(self, tmp_path):
        row = json.loads((FOLDER / "chat.jsonl").read_text("utf-8").splitlines()[2])
        row["choices"][0]["message"]["content"] = ""  # as some servers write in place of null
        assert read(save(tmp_path / "a.jsonl", row)).strings.tolist() == ["kelp"]


class TestResponses:
    def test_the_text_is_the_final_answer(self):
        # Reasoning, comments and calls of tools are items of their own.
        batch = read(FOLDER / "responses.jsonl")
        assert answers(batch) == {
            "resp_1": ["plum"],
            "resp_2": ["plum"],
            "resp_3": ["I cannot."],
            "resp_5": [""],
        }
        assert list(batch.remarks) == [
            "Texts that are refusals: 1.",
            "Left out samples without a text: 1.",  # resp_4 calls a tool
            "Texts of reasoning alone, whose answer is taken as empty: 1.",
            "Left out samples that failed: 1.",
        ]

    def test_several_messages_are_several_lines(self, tmp_path):
        row = json.loads((FOLDER / "responses.jsonl").read_text("utf-8").splitlines()[1])
        for item in row["output"]:
            item["phase"] = None
        assert read(save(tmp_path / "a.jsonl", row)).strings.tolist() == ["Let me see.\nplum"]

    def test_comments_are_the_answer_if_there_is_no_other(self, tmp_path):
        row = json.loads((FOLDER / "responses.jsonl").read_text("utf-8").splitlines()[1])
        del row["output"][1]
        assert read(save(tmp_path / "a.jsonl", row)).strings.tolist() == ["Let me see."]


class TestDetection:
    def test_an_object_longer_than_what_is_read_at_once(self, tmp_path):
        # Of 5 MB, only fields are looked for; fields within have the name of the field of texts.
        row = json.loads((FOLDER / "responses.jsonl").read_text("utf-8").splitlines()[0])
        row["instructions"] = "Be brief. " * 500_000
        for first in (["object", "model", "output"], ["text", "object", "model", "output"]):
            file = save(tmp_path / "a.jsonl", {name: row[name] for name in (*first, *row)})
            assert read(file).strings.tolist() == ["plum"]

    @pytest.mark.parametrize(
        "row",
        [
            {"custom_id": "1", "response": "an answer"},
            {"question": "What?", "choices": ["a", "b"], "model": "a"},
            {"model": "a", "object": "b", "output": "an answer"},
        ],
    )
    def test_other_files_with_such_fields_are_no_logs(self, tmp_path, row):
        file = save(tmp_path / "a.jsonl", row)
        with pytest.raises(InputError, match="Unknown field 'text'"):
            dy.measure(file)
        assert (
            len(read(file, field=next(name for name in ("response", "question", "output") if name in row)))
            == 1
        )

    def test_a_file_with_texts_is_no_log(self, tmp_path):
        row = json.loads((FOLDER / "one.json").read_text("utf-8"))
        assert read(save(tmp_path / "a.jsonl", {**row, "text": "a b"})).strings.tolist() == ["a b"]


class TestBadLogs:
    def test_a_truncated_log_is_an_error_or_counted(self, tmp_path):
        file = tmp_path / "a.jsonl"
        file.write_bytes((FOLDER / "batch.jsonl").read_bytes()[:-20])
        with pytest.raises(InputError, match="line 4: not valid JSON"):
            dy.measure(file)
        assert answers(read(file, skip_bad=True)) == {"fruit": FRUIT, "plum": ["plum"]}

    def test_a_truncated_object_is_an_error(self, tmp_path):
        file = tmp_path / "one.json"
        file.write_bytes((FOLDER / "one.json").read_bytes()[:-20])
        with pytest.raises(InputError, match="not valid JSON"):
            dy.measure(file, format="openai")

    @pytest.mark.parametrize(
        ("row", "problem"),
        [
            ({"object": "list", "data": []}, "it has no 'choices'"),
            ({"object": "chat.completion", "choices": ["a"]}, "expected 'choices' to be a list of objects"),
            ({"object": "chat.completion.chunk", "choices": [{"delta": {}}]}, "save whole completions"),
            (
                {"custom_id": "1", "response": "a", "error": None},
                "expected 'response' to be an object, got text",
            ),
        ],
    )
    def test_other_rows_say_what_is_missing(self, tmp_path, row, problem):
        with pytest.raises(InputError, match=f"line 1: not a sample of chat completions .*{problem}"):
            dy.measure(save(tmp_path / "a.jsonl", row), format="openai")

    def test_errors_in_place_of_completions_are_counted(self, tmp_path):
        # As servers answer: {"error": …}, and `object` "error" of some versions of vLLM.
        rows = [
            json.loads((FOLDER / "one.json").read_text("utf-8")),
            {"error": {"message": "Too many requests.", "code": 429}},
            {"object": "error", "message": "Too long.", "code": 400},
        ]
        batch = read(save(tmp_path / "a.jsonl", *rows))
        assert batch.strings.tolist() == SEA
        assert list(batch.remarks) == ["Left out samples that failed: 2."]

    def test_a_log_without_any_text_is_an_error(self, tmp_path):
        line = (FOLDER / "batch.jsonl").read_text("utf-8").splitlines()[3]
        file = tmp_path / "a.jsonl"
        file.write_text(line + "\n")
        with pytest.raises(InputError, match=r"no text is left to measure. Left out samples that failed: 1"):
            dy.measure(file)
