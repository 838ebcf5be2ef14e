"""Logs of tools: texts, groups, repeats, systems and scores, from files that the tools wrote (tests/logs)."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path

import pytest
from tests.logs.make_lm_eval import ANSWERS, DOCS
from tests.logs.reading import answers, read

import distinctly as dy
from distinctly.errors import InputError, SpecError

LOGS = Path(__file__).parents[1] / "logs"
ALPHA, BETA = LOGS / "lm_eval/org__alpha", LOGS / "lm_eval/org__beta"


def only(folder: Path, pattern: str) -> Path:
    (file,) = folder.glob(pattern)
    return file


def without_thinking(text: str) -> str:
    return text.rpartition("</think>")[2]


class TestLmEval:
    def test_all_repeats_of_a_document_are_a_group(self):
        batch = read(only(ALPHA, "samples_open_first*"))
        expected = {
            f"open_first/{number}": list(map(without_thinking, texts))
            for number, texts in enumerate(ANSWERS["org/alpha"])
        }
        assert answers(batch) == expected
        assert batch.prompts.tolist() == [doc["question"] for doc in DOCS for _ in range(3)]

    def test_scores_are_those_of_the_first_filter(self):
        # The filter "first" keeps the first answer, and only "apple" is the target of its document.
        batch = read(only(ALPHA, "samples_open_first*"))
        assert batch.quality.tolist() == [float(number == 1) for number in range(6) for _ in range(3)]
        assert "Rows of other filters than 'first' (--filter): 12." in list(
            batch.remarks
        )  # 2 filters, 6 rows

    def test_a_filter_can_be_chosen(self):
        file = only(BETA, "samples_open_first*")
        rows = map(json.loads, file.read_text("utf-8").splitlines())
        scores = [row["exact_match"] for row in rows if row["filter"] == "number"]
        batch = read(file, filter="number")
        assert batch.quality.tolist() == [score for score in scores for _ in range(3)]
        assert batch.quality.tolist() != read(file).quality.tolist()
        assert batch.strings.tolist() == read(file).strings.tolist()

    def test_an_unknown_filter_names_those_of_the_log(self):
        with pytest.raises(SpecError, match="there is no filter 'none'. Choose one of first, number, two"):
            read(only(ALPHA, "samples_open_first*"), filter="none")

    def test_log_likelihoods_have_no_text(self):
        for task in ("choice", "rolling"):
            file = only(ALPHA, f"samples_{task}*")
            assert list(read(file).remarks) == ["Left out samples of log-likelihoods, which have no text: 6."]
            with pytest.raises(InputError, match=r"no text is left to measure. Left out .*: 6"):
                dy.measure(file)

    def test_the_model_is_named_by_the_results_or_by_the_folder(self, tmp_path):
        folder = tmp_path / "org__alpha"
        shutil.copytree(ALPHA, folder)
        assert dy.measure(folder, "types:n=1", by="system")[0].corpus == "org/alpha"
        only(folder, "results*").unlink()
        assert dy.measure(folder, "types:n=1", by="system")[0].corpus == "org__alpha"

    def test_two_tasks_have_no_group_in_common(self):
        batch = read(ALPHA)
        assert len(set(batch.groups.tolist())) == 12  # 6 documents of each of two tasks
        assert len(batch) == 6 * 3 + 6 * 1

    def test_the_fields_of_the_tool_can_be_named(self):
        file = only(ALPHA, "samples_open_plain*")
        assert read(file, group="doc.id").groups.tolist() == [doc["id"] for doc in DOCS]
        # `answer_length` is a metric of the task: the number of characters.
        lengths = read(file, quality="answer_length").quality.tolist()
        assert lengths == [float(len(texts[0])) for texts in ANSWERS["org/alpha"]]

    def test_version_0_4_2(self):
        # An array in spite of the ending, arguments as lists, and the rows of all filters one after another.
        batch = read(only(LOGS / "lm_eval-0.4.2", "*.jsonl"))
        assert list(answers(batch).values()) == [
            list(map(without_thinking, texts)) for texts in ANSWERS["org/alpha"]
        ]
        assert any("other filters in older versions: 6" in remark for remark in batch.remarks)

    def test_compressed(self, tmp_path):
        file = only(ALPHA, "samples_open_first*")
        packed = tmp_path / "org__x" / f"{file.name}.gz"
        packed.parent.mkdir()
        packed.write_bytes(gzip.compress(file.read_bytes()))
        assert read(packed).groups.tolist() == read(file).groups.tolist()

    def test_a_second_log_of_the_same_system_and_task_is_said(self, tmp_path):
        folder = tmp_path / "org__alpha"
        folder.mkdir()
        file = only(ALPHA, "samples_open_first*")
        for date in ("2026-01-01T00-00-00.0", "2026-01-02T00-00-00.0"):
            shutil.copy(file, folder / f"samples_open_first_{date}.jsonl")
        batch = read(folder)
        assert len(batch) == 2 * 18
        assert "Logs of a system and task of which another log is read too, as further repeats: 1." in list(
            batch.remarks
        )


class TestSystems:
    def test_logs_of_several_systems_are_several_corpora(self):
        scores = dy.measure(LOGS / "lm_eval", "types:n=1")
        assert scores.get("types:n=1") is not None
        assert list(dict.fromkeys(score.corpus for score in scores)) == ["org/alpha", "org/beta"]
        assert list(dict.fromkeys(score.scope for score in scores)) == ["within", "across", "pooled"]

    def test_each_has_the_value_that_it_has_alone(self):
        together = dy.measure(LOGS / "lm_eval", ["distinct:n=2", "self_bleu"])
        for name, folder in {"org/alpha": ALPHA, "org/beta": BETA}.items():
            alone = dy.measure(folder, ["distinct:n=2", "self_bleu"])
            beside = {(score.spec, score.scope): score.value for score in together.select(corpus=name)}
            for score in alone:
                assert beside[score.spec, score.scope] == score.value

    def test_by_system_is_the_same(self):
        named = dy.measure(LOGS / "lm_eval", "distinct:n=1")
        split = dy.measure(LOGS / "lm_eval", "distinct:n=1", by="system")
        assert [(score.corpus, score.signature) for score in named] == [
            (score.corpus, score.signature) for score in split
        ]

    def test_a_named_corpus_is_one(self):
        scores = dy.measure({"all": LOGS / "lm_eval"}, "types:n=1")
        assert {score.corpus for score in scores} == {"all"}


THINKING = ["<think>one two</think>three", "four</think> five", "<think>six"]


class TestReasoning:
    def log(self, folder):
        file = folder / "samples_t_2026-01-01T00-00-00.0.jsonl"
        file.write_text(json.dumps({"doc_id": 0, "resps": [THINKING]}) + "\n")
        return file

    def test_it_is_removed_with_a_note(self, tmp_path):
        batch = read(self.log(tmp_path))
        assert batch.strings.tolist() == ["three", "five", ""]
        assert [remark for remark in batch.remarks if "reasoning" in remark] == [
            "Removed the reasoning of texts, <think>…</think> (--reasoning keep to keep it): 2.",
            "Texts of reasoning alone, whose answer is taken as empty (--reasoning keep to keep it): 1.",
        ]
        assert any(
            "Removed the reasoning" in note for note in dy.measure(self.log(tmp_path), "types")[0].notes
        )

    def test_it_can_be_kept(self, tmp_path):
        batch = read(self.log(tmp_path), reasoning="keep")
        assert batch.strings.tolist() == THINKING
        assert not batch.remarks

    @pytest.mark.parametrize("lines", [2, 30_000])  # beyond 1 MB, lines are read in blocks
    def test_texts_of_other_files_keep_it_unless_it_is_to_be_removed(self, tmp_path, lines):
        file = tmp_path / "texts.jsonl"
        row = json.dumps({"text": "<think>aside</think>a plain answer to the question"}) + "\n"
        file.write_text(row * lines)
        assert set(read(file).strings.tolist()) == {"<think>aside</think>a plain answer to the question"}
        removed = read(file, reasoning="remove")
        assert set(removed.strings.tolist()) == {"a plain answer to the question"}
        assert list(removed.remarks) == [
            f"Removed the reasoning of texts, <think>…</think> (--reasoning keep to keep it): {lines:,}."
        ]


class TestBadLogs:
    def test_a_truncated_log_is_an_error_or_counted(self, tmp_path):
        file = only(ALPHA, "samples_open_plain*")
        cut = tmp_path / file.name
        cut.write_bytes(file.read_bytes()[:-100])
        with pytest.raises(InputError, match=r"line 6: not valid JSON"):
            dy.measure(cut, "types:n=1")
        score = dy.measure(cut, "types:n=1", skip_bad=True)[0]
        assert any("1 row was skipped" in note for note in score.notes), score.notes
        whole = [without_thinking(texts[0]) for texts in ANSWERS["org/alpha"][:5]]
        assert read(cut, skip_bad=True).strings.tolist() == whole

    def test_a_log_of_another_version_says_what_is_missing(self, tmp_path):
        file = tmp_path / "samples_t_2026-01-01T00-00-00.0.jsonl"
        file.write_text('{"doc_id": 0, "responses": ["a"]}\n')
        with pytest.raises(InputError, match=r"line 1: not a sample of lm-evaluation-harness .* no 'resps'"):
            dy.measure(file, format="lm-eval")

    def test_responses_of_another_shape_are_an_error(self, tmp_path):
        file = tmp_path / "samples_t_2026-01-01T00-00-00.0.jsonl"
        file.write_text('{"doc_id": 0, "resps": "a text"}\n')
        with pytest.raises(InputError, match="expected 'resps' to be lists of texts, got text"):
            dy.measure(file)

    @pytest.mark.parametrize("metrics", [3, [[]]])
    def test_other_shapes_of_other_fields_are_an_error(self, tmp_path, metrics):
        file = tmp_path / "samples_t_2026-01-01T00-00-00.0.jsonl"
        file.write_text(json.dumps({"doc_id": 0, "resps": [["a"]], "metrics": metrics}) + "\n")
        with pytest.raises(InputError, match="line 1: not a sample of lm-evaluation-harness"):
            read(file)

    def test_a_pipe_cannot_be_looked_at(self):
        with pytest.raises(InputError, match=r"a log of lm-evaluation-harness cannot be read from standard"):
            dy.measure("-", format="lm-eval")

    def test_a_file_with_texts_is_no_log(self, tmp_path):
        file = tmp_path / "texts.jsonl"
        file.write_text('{"text": "a b", "doc_id": 0, "resps": [["c"]]}\n')
        assert read(file).strings.tolist() == ["a b"]

    def test_a_file_whose_field_is_named_is_no_log(self, tmp_path):
        file = tmp_path / "texts.jsonl"
        file.write_text('{"doc_id": 0, "resps": [["c"]], "filtered_resps": ["d"]}\n')
        assert read(file, field="filtered_resps[0]").strings.tolist() == ["d"]


def test_a_log_of_inspect_without_its_package_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    file = tmp_path / "x.eval"
    file.write_bytes(b"")
    with pytest.raises(
        dy.MissingExtraError, match=r'A log of Inspect .* inspect-ai, .*: pip install "distinctly\[inspect\]"'
    ):
        dy.measure(file)
