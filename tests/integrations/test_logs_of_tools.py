"""Logs that the tools write here: lm-evaluation-harness with canned answers, inspect with its mock model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.logs import make_inspect, make_lm_eval
from tests.logs.reading import answers, read
from tests.systems import posix

import distinctly as dy
from distinctly.errors import InputError

LOGS = Path(__file__).parents[1] / "logs"


def made(script: str, folder: Path) -> Path:
    """Run a script in a process of its own, since it changes the environment of the tool."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", LOGS / script, folder], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def lm_eval_logs(tmp_path_factory):
    pytest.importorskip("lm_eval", reason='needs lm_eval: pip install "distinctly[integrations]"')
    return made("make_lm_eval.py", tmp_path_factory.mktemp("lm_eval"))


@pytest.fixture(scope="module")
def inspect_logs(tmp_path_factory):
    pytest.importorskip("inspect_ai", reason='needs inspect: pip install "distinctly[inspect]"')
    return made("make_inspect.py", tmp_path_factory.mktemp("inspect"))


class TestLmEval:
    @pytest.mark.parametrize("model", make_lm_eval.ANSWERS)
    def test_groups_repeats_and_texts(self, lm_eval_logs, model):
        (file,) = lm_eval_logs.glob(f"logs/{model.replace('/', '__')}/samples_open_first*")
        expected = {
            f"open_first/{number}": [text.rpartition("</think>")[2] for text in texts]
            for number, texts in enumerate(make_lm_eval.ANSWERS[model])
        }
        assert answers(read(file)) == expected

    def test_systems_tasks_and_scores(self, lm_eval_logs):
        table = dy.per_text(
            lm_eval_logs / "logs", "types:n=1", keep=["system", "task", "repeat", "exact_match"]
        )
        rows = list(table)
        assert {row["system"] for row in rows} == set(make_lm_eval.ANSWERS)
        # Two tasks of 6 documents each, the first with 3 repeats; those of log-likelihoods have no text.
        assert [(row["task"], row["repeat"]) for row in rows if row["system"] == "org/beta"] == [
            *(("open_first", repeat) for _ in range(6) for repeat in range(3)),
            *(("open_plain", 0) for _ in range(6)),
        ]
        # The target of the second question is "apple", which both models answer first.
        scores = [row["exact_match"] for row in rows if row["task"] == "open_plain"]
        assert scores[1] == 1.0

    @pytest.mark.parametrize("folder", ["chat", "chat_fewshot", "chat_json", "predict", "subset", "dummy"])
    def test_other_ways_to_run_it(self, lm_eval_logs, folder):
        batch = read(lm_eval_logs / folder)
        assert len(batch)
        assert batch.prompts is not None
        assert all(batch.prompts.tolist())


class TestInspect:
    @pytest.mark.parametrize("ending", ["eval", "json"])
    def test_epochs_are_repeats(self, inspect_logs, ending):
        batch = read(inspect_logs / f"a.{ending}")
        expected = {f"open_questions/{name}": texts for name, texts in make_inspect.TEXTS["a"].items()}
        assert answers(batch) == expected
        assert set(batch.prompts.tolist()) == set(make_inspect.PROMPTS.values())
        # The first scorer counts characters.
        assert batch.quality.tolist() == [float(len(text)) for text in batch.strings.tolist()]

    def test_choices_are_repeats(self, inspect_logs):
        # Choice c of epoch e is text e + c of the table, in a circle.
        batch = read(inspect_logs / "b.eval")
        expected = {
            f"open_questions/{name}": [
                texts[(epoch + choice) % 3] for epoch in range(3) for choice in range(2)
            ]
            for name, texts in make_inspect.TEXTS["b"].items()
        }
        assert answers(batch) == expected

    def test_scores_by_name(self, inspect_logs):
        batch = read(inspect_logs / "a.eval", quality="mentions")
        texts = batch.strings.tolist()
        names = [group.partition("/")[2] for group in batch.groups.tolist()]
        assert batch.quality.tolist() == [float(name in text) for name, text in zip(names, texts)]
        words = read(inspect_logs / "a.eval", quality="counts.words").quality.tolist()
        assert words == [float(len(text.split())) for text in texts]

    def test_reasoning_is_left_out(self, inspect_logs):
        texts = read(inspect_logs / "reasoning.eval").strings.tolist()
        assert texts[:2] == ["A line.", "Another line."]

    @pytest.mark.parametrize(
        ("name", "remarks"),
        {
            "errors": ["Left out samples that failed: 2."],
            "failed": ["Left out unfinished samples of runs with the status 'error'; logs: 1."],
            "cancelled": ["Left out unfinished samples of runs with the status 'cancelled'; logs: 1."],
            "started": ["Left out unfinished samples of runs with the status 'started'; logs: 1."],
        }.items(),
    )
    @pytest.mark.parametrize("ending", ["eval", "json"])
    def test_runs_that_failed_are_counted(self, inspect_logs, name, remarks, ending):
        file = inspect_logs / f"{name}.{ending}"
        score = dy.measure(file, "types:n=1")[0]
        assert [remark for remark in remarks if remark in score.notes] == remarks, score.notes
        assert all(note.level == "warning" for note in score.notes if note.startswith("Left out"))

    @pytest.mark.parametrize("ending", ["eval", "json"])
    def test_a_truncated_log_is_an_error(self, inspect_logs, tmp_path, ending):
        whole = (inspect_logs / f"a.{ending}").read_bytes()
        cut = tmp_path / f"a.{ending}"
        cut.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match="cannot be read as a log of inspect"):
            dy.measure(cut)


@posix
def test_logs_of_both_tools_are_one_table(inspect_logs, lm_eval_logs, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("a.eval", "b.eval"):
        (folder / name).write_bytes((inspect_logs / name).read_bytes())
    (folder / "harness").symlink_to(lm_eval_logs / "logs")
    scores = dy.measure(folder, "distinct:n=1", by="system")
    assert [(score.scope, score.corpus) for score in scores if score.spec == "distinct:n=1"] == [
        (scope, system)
        for scope in ("within", "across", "pooled")
        for system in ("mockllm/a", "mockllm/b", "org/alpha", "org/beta")
    ]
    alone = {score.scope: score.value for score in dy.measure(inspect_logs / "b.eval", "distinct:n=1")}
    assert scores.select(corpus="mockllm/b", scope="within")[0].value == alone["within"]
