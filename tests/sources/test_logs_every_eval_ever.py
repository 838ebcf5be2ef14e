"""Logs of Every Eval Ever: tests/logs/every_eval_ever holds what its version 0.3.0 wrote."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.logs.reading import answers, read

import distinctly as dy
from distinctly.errors import InputError, SpecError

FOLDER = Path(__file__).parents[1] / "logs/every_eval_ever"
(KINDS,) = FOLDER.glob("*_samples.jsonl")
(LM_EVAL,) = FOLDER.glob("lm_eval/**/*_samples.jsonl")
(INSPECT,) = FOLDER.glob("inspect/**/*_samples.jsonl")


def rows_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def save(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class TestKinds:
    def test_outputs_and_the_last_turns_are_texts(self):
        batch = read(KINDS, id="system")
        assert answers(batch) == {
            "fruits/single": ["apple", "pear", "apple"],
            "fruits/talk": ["date"],
            "fruits/search": ["A quince."],  # the message after it only calls a tool
        }
        assert set(batch.ids.tolist()) == {"org/beta"}
        assert batch.quality.tolist() == [0.5] * 3 + [1.0, 0.25]
        assert batch.prompts.tolist() == ["Name a fruit."] * 4 + ["Which fruit is in the garden?"]
        assert list(batch.remarks) == [
            "Texts that share the score of their sample with other texts: 3.",
            "Left out samples without a text: 1.",
            "Left out samples that failed: 1.",
        ]

    def test_before_version_0_2_1(self, tmp_path):
        # One text in place of a list, and `interactions` in place of `messages`.
        rows = {row["sample_id"]: row for row in rows_of(KINDS)}
        rows["single"]["output"]["raw"] = "apple"
        rows["talk"]["interactions"] = rows["talk"].pop("messages")
        batch = read(save(tmp_path / "a.jsonl", rows["single"], rows["talk"]))
        assert answers(batch) == {"fruits/single": ["apple"], "fruits/talk": ["date"]}


class TestResults:
    def test_the_rows_of_one_result_are_read(self):
        # Two metrics per document are two rows with the same text.
        assert [row["evaluation_result_id"] for row in rows_of(LM_EVAL)] == [
            "exact_match",
            "answer_length",
        ] * 3
        batch = read(LM_EVAL)
        assert answers(batch) == {
            "open_plain/0": ["The light had not been lit for a year."],
            "open_plain/1": ["apple"],
            "open_plain/2": ["Hello there!"],
        }
        assert batch.quality.tolist() == [0.0, 1.0, 0.0]
        further = "Rows of further results (metrics) of samples that are read with another one (--filter): 3."
        assert list(batch.remarks) == [further]

    @pytest.mark.parametrize("name", ["evaluation_name", "model_id", "sample_id"])
    def test_the_result_is_that_of_each_sample(self, tmp_path, name):
        rows = rows_of(LM_EVAL)[:2]
        others = [{**row, name: "other"} for row in reversed(rows)]
        assert read(save(tmp_path / "a.jsonl", *rows, *others)).quality.tolist() == [
            0.0,
            38.0,
        ]  # 38 characters

    def test_a_result_can_be_chosen(self):
        batch = read(LM_EVAL, filter="answer_length")
        assert batch.quality.tolist() == [float(len(text)) for text in batch.strings.tolist()]
        assert len(batch) == 3

    def test_an_unknown_result_names_those_of_the_log(self):
        with pytest.raises(
            SpecError, match="no result 'none'. Choose one of answer_length, exact_match with"
        ):
            read(LM_EVAL, filter="none")

    def test_epochs_are_repeats(self):
        batch = read(INSPECT, id="repeat", filter="mentions:accuracy")
        # The scorer extracts the first ten characters, and the converter writes that in place of the output.
        assert answers(batch) == {
            "open_questions/fruit": ["apple", "quince"],
            "open_questions/hello": ["Hello ther", "Good morni"],
        }
        assert batch.ids.tolist() == ["0", "0", "1", "1"]

    def test_texts_that_scorers_wrote_are_said(self):
        batch = read(INSPECT)
        assert set(batch.strings.tolist()) == {"Characters of the answer."}
        assert any(
            "what a scorer extracted or explained, so prefer the original log: 4." in r for r in batch.remarks
        )
        assert not any("a scorer extracted" in remark for remark in read(LM_EVAL).remarks)

    def test_texts_of_other_epochs_are_no_texts_of_scorers(self, tmp_path):
        first = rows_of(LM_EVAL)[0]
        rows = [
            {**first, "evaluation_result_id": result, "metadata": {"epoch": text}, "output": {"raw": [text]}}
            for result in ("first", "second")
            for text in ("a", "b")
        ]
        batch = read(save(tmp_path / "a.jsonl", *rows))
        assert batch.strings.tolist() == ["a", "b"]
        assert not any("a scorer extracted" in remark for remark in batch.remarks)

    def test_a_failed_epoch_does_not_choose_the_result(self, tmp_path):
        # A failed sample has no result.
        rows = rows_of(INSPECT)
        failed = {**rows[0], "evaluation_result_id": None, "error": "The time was up."}
        batch = read(save(tmp_path / "a.jsonl", failed, *rows))
        assert len(batch) == 4
        assert "Left out samples that failed: 1." in list(batch.remarks)


class TestFolders:
    def test_averages_beside_samples_are_passed_over(self, tmp_path):
        folder = tmp_path / "alpha"
        shutil.copytree(LM_EVAL.parent, folder)
        (averages,) = folder.glob("*.json")
        shutil.copy(
            averages, folder / "0b1f7f4e-9d55-4a37-8b7e-3f6a8f0b6f10.json"
        )  # of a run without samples
        assert read(folder).strings.tolist() == read(LM_EVAL).strings.tolist()

    def test_models_are_systems(self):
        scores = dy.measure(FOLDER, "types:n=1")
        systems = ["org/beta", "openai/openai/a", "org/alpha"]
        assert list(dict.fromkeys(score.corpus for score in scores)) == systems

    def test_a_second_log_of_an_evaluation_is_said(self, tmp_path):
        for name in ("1", "2"):
            shutil.copy(KINDS, tmp_path / f"{name}_samples.jsonl")
        repeated = "Logs of a system and task of which another log is read too, as further repeats: 1."
        assert repeated in list(read(tmp_path).remarks)


class TestBadLogs:
    def test_averages_have_no_texts(self):
        (averages,) = LM_EVAL.parent.glob("*.json")
        with pytest.raises(
            InputError, match="averages of Every Eval Ever, which have no texts. Give the samples"
        ):
            dy.measure(averages)

    def test_a_truncated_log_is_an_error_or_counted(self, tmp_path):
        file = tmp_path / "a.jsonl"
        file.write_bytes(LM_EVAL.read_bytes()[:-100])
        with pytest.raises(InputError, match="line 6: not valid JSON"):
            dy.measure(file)
        assert len(read(file, skip_bad=True)) == 3

    @pytest.mark.parametrize("name", ["sample_id", "model_id"])
    def test_a_missing_field_is_an_error(self, tmp_path, name):
        first = rows_of(LM_EVAL)[0]
        del first[name]
        with pytest.raises(InputError, match=f"not a sample of Every Eval Ever .* it has no '{name}'"):
            dy.measure(save(tmp_path / "a.jsonl", first), format="every-eval-ever")

    @pytest.mark.parametrize(
        ("output", "problem"),
        [({"raw": 5}, "expected 'output.raw' to be a list, got a number"), ({}, "got nothing")],
    )
    def test_an_output_of_another_shape_is_an_error(self, tmp_path, output, problem):
        row = {**rows_of(LM_EVAL)[0], "output": output}
        with pytest.raises(InputError, match=f"line 1: not a sample of Every Eval Ever .*{problem}"):
            dy.measure(save(tmp_path / "a.jsonl", row))

    def test_a_row_without_answers_is_an_error(self, tmp_path):
        row = rows_of(LM_EVAL)[0]
        del row["output"], row["messages"]
        with pytest.raises(InputError, match="it has neither 'output' nor 'messages'"):
            dy.measure(save(tmp_path / "a.jsonl", row))

    def test_other_files_with_such_ids_are_no_logs(self, tmp_path):
        file = save(tmp_path / "a.jsonl", {"sample_id": "1", "model_id": "a", "output": "b", "evaluation": 1})
        assert read(file, field="output").strings.tolist() == ["b"]
        with pytest.raises(InputError, match="Unknown field 'text'"):
            dy.measure(file)
