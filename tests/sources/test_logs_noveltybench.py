"""Logs of NoveltyBench: tests/logs/noveltybench has files as its versions 1.0 and 1.1 write them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.logs.make_noveltybench import ALPHA, PROMPTS
from tests.logs.reading import answers, read

import distinctly as dy
from distinctly.errors import InputError

FOLDER = Path(__file__).parents[1] / "logs/noveltybench"
OLD, NEW = FOLDER / "v1.0/alpha", FOLDER / "v1.1/alpha/nb-curated"


def save(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


TEXTS = {id_: texts for id_, (texts, _, _) in ALPHA.items()}


class TestFiles:
    @pytest.mark.parametrize("name", ["generations", "partitions", "scores"])
    @pytest.mark.parametrize("folder", [OLD, NEW])
    def test_the_generations_for_a_prompt_are_a_group(self, folder, name):
        inside = folder if folder == OLD or name == "generations" else folder / "v1.1"
        batch = read(inside / f"{name}.jsonl")
        expected = dict(TEXTS)
        if folder == NEW:  # "[Blocked]" and "[empty]" stand for answers that the model did not give
            expected["curated-69"] = ["raccoon", "boar"]
            assert "Left out samples without a text: 2." in list(batch.remarks)
        assert answers(batch) == expected
        assert answers(batch, batch.prompts.tolist()) == {
            id_: [PROMPTS[id_]] * len(texts) for id_, texts in expected.items()
        }
        assert (batch.partition is None) == (name == "generations")
        assert (batch.quality is None) == (name != "scores")

    def test_generations_keep_their_number(self):
        batch = read(NEW / "generations.jsonl", id="repeat")
        assert answers(batch, batch.ids.tolist())["curated-69"] == ["0", "2"]

    def test_classes(self):
        batch = read(OLD / "partitions.jsonl")
        assert answers(batch, batch.partition.tolist()) == {
            id_: [f"{id_}/{number}" for number in classes] for id_, (_, classes, _) in ALPHA.items()
        }
        # Of the classes of four answers there are 3, 2 and 4, so that the mean over prompts is 3.
        scores = dy.measure(OLD / "partitions.jsonl", "answers:by=partition")
        values = {score.scope: score.value for score in scores}
        assert values["within"] == 3
        assert values["pooled"] == 3 + 2 + 4  # class 0 of one prompt is not class 0 of another one

    def test_models_are_systems(self):
        scores = dy.measure(FOLDER / "v1.0", "types:n=1")
        assert list(dict.fromkeys(score.corpus for score in scores)) == ["org/alpha", "beta-2025"]


class TestScores:
    @pytest.mark.parametrize("file", [OLD / "scores.jsonl", NEW / "v1.1/scores.jsonl"])
    def test_further_texts_of_a_class_have_its_score(self, file):
        # Version 1.0 writes 0 for them, version 1.1 null: "Fido", "fido", "Fido!" are one class with 8.
        batch = read(file)
        assert answers(batch, batch.quality.tolist())["curated-21"] == [8, 8, 8, 10]
        assert any("scores the first text alone: " in remark for remark in batch.remarks)

    def test_a_threshold_keeps_all_texts_of_a_class(self):
        # curated-5: classes 0, 1, 0, 2 with 4, 9, 7; curated-21: 8, 8, 8, 10; curated-69: 10, 9, 8, 2.
        batch = read(OLD / "scores.jsonl")
        assert (batch.quality >= 7).sum() == 2 + 4 + 3

    def test_prompts_that_the_judge_declined_have_no_score(self):
        batch = read(NEW / "v1.1/scores.jsonl")
        assert np.isnan(answers(batch, batch.quality.tolist())["curated-5"]).all()

    def test_scores_of_all_texts_are_taken_as_they_are(self, tmp_path):
        # As version 1.1 writes them with the reward model: `--scorer rm`.
        row = {
            "id": "curated-1",
            "prompt": "Hi!",
            "model": "a",
            "generations": ["b", "c"],
            "partition": [0, 0],
        }
        scored = {**row, "distinct": 1, "generation_scores": [3, 5], "partition_scores": [3], "utility": 1.5}
        assert read(save(tmp_path / "scores.jsonl", scored)).quality.tolist() == [3, 5]


class TestFolders:
    def test_generations_are_read_once(self):
        # The folder has them three times: as generations, with classes, and with scores.
        batch = read(OLD)
        assert len(batch) == 12
        assert batch.quality is not None
        assert len(read(FOLDER / "v1.1")) == 10
        assert len(read(f"{OLD}/*.jsonl")) == 12

    def test_versions_of_scores_are_one_run(self, tmp_path):
        shutil.copytree(NEW, tmp_path / "run")
        shutil.copytree(tmp_path / "run/v1.1", tmp_path / "run/v1.0")
        assert len(read(tmp_path / "run")) == 10

    def test_scores_without_texts_are_passed_over_beside_generations(self, tmp_path):
        shutil.copy(FOLDER / "slim/scores.jsonl", tmp_path / "scores.jsonl")
        shutil.copy(OLD / "generations.jsonl", tmp_path / "generations.jsonl")
        batch = read(tmp_path)
        assert answers(batch) == TEXTS
        assert batch.quality is None

    def test_files_of_others_with_such_names_are_read(self, tmp_path):
        for name in ("generations", "scores"):
            save(tmp_path / f"{name}.jsonl", {"text": name})
        assert read(tmp_path).strings.tolist() == ["generations", "scores"]

    def test_a_second_run_of_a_model_is_said(self, tmp_path):
        for name in ("a", "a_in-context"):
            shutil.copytree(OLD, tmp_path / name)
        scores = tmp_path / "a/scores.jsonl"
        lines = scores.read_text("utf-8").splitlines(keepends=True)
        scores.write_text("".join(reversed(lines)), encoding="utf-8")  # version 1.0 has them in any order
        batch = read(tmp_path)
        assert len(batch) == 24
        repeated = "Logs of a system and task of which another log is read too, as further repeats: 1."
        assert repeated in list(batch.remarks)


class TestBadLogs:
    def test_scores_without_texts_say_where_the_texts_are(self):
        with pytest.raises(
            InputError, match=r"line 1: these results of NoveltyBench have no texts .*Give the generations"
        ):
            dy.measure(FOLDER / "slim/scores.jsonl")

    def test_a_truncated_log_is_an_error_or_counted(self, tmp_path):
        file = tmp_path / "generations.jsonl"
        file.write_bytes((OLD / "generations.jsonl").read_bytes()[:-20])
        with pytest.raises(InputError, match="line 3: not valid JSON"):
            dy.measure(file)
        assert len(read(file, skip_bad=True)) == 8

    def test_a_prompt_that_failed_is_counted(self, tmp_path):
        rows = [json.loads(line) for line in (OLD / "generations.jsonl").read_text("utf-8").splitlines()]
        rows[0]["generations"] = []  # what version 1.0 writes after ten attempts
        rows[1]["generations"][2] = None
        batch = read(save(tmp_path / "generations.jsonl", *rows))
        assert [len(texts) for texts in answers(batch).values()] == [3, 4]
        assert list(batch.remarks) == ["Left out samples without a text: 2."]

    @pytest.mark.parametrize(
        ("changed", "problem"),
        [
            ({"generations": "a"}, "expected 'generations' to be a list, got text"),
            ({"partition": [0]}, "expected 'partition' to be a list of 4 values, got 1"),
            ({"generation_scores": 5}, "expected 'generation_scores' to be a list of 4 values, got a number"),
        ],
    )
    def test_other_values_are_an_error(self, tmp_path, changed, problem):
        row = json.loads((OLD / "scores.jsonl").read_text("utf-8").splitlines()[0])
        with pytest.raises(InputError, match=f"line 1: not a sample of NoveltyBench .*{problem}"):
            dy.measure(save(tmp_path / "scores.jsonl", {**row, **changed}))

    def test_a_missing_field_is_an_error(self, tmp_path):
        row = {"id": "curated-1", "prompt": "Hi!", "responses": ["a"]}
        with pytest.raises(InputError, match="it has no 'generations'"):
            dy.measure(save(tmp_path / "a.jsonl", row), format="noveltybench")
