"""Details of lighteval: tests/logs/lighteval holds what lighteval 0.13.0 wrote (see the README there)."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet
import pytest
from tests.logs.make_lighteval import ANSWERS, DOCS
from tests.logs.reading import answers, read

import distinctly as dy
from distinctly.errors import InputError

LOGS = Path(__file__).parents[1] / "logs"
(FOLDER,) = (LOGS / "lighteval/details/org/alpha").iterdir()
OPEN, CHOICE = sorted(FOLDER.iterdir(), reverse=True)


def test_samples_of_a_document_are_a_group():
    # The rows are not in the order of the documents; the id of one is its number.
    batch = read(OPEN, group="doc.id")
    assert answers(batch) == {
        str(number): [text.rpartition("</think>")[2] for text in texts]
        for number, texts in enumerate(ANSWERS["org/alpha"])
    }
    questions = {question["question"] for question in DOCS}
    assert set(batch.prompts.tolist()) == questions


def test_scores_are_those_of_the_first_metric():
    rows = pyarrow.parquet.read_table(OPEN).to_pylist()
    name = next(iter(rows[0]["metric"]))
    batch = read(OPEN)
    assert batch.quality.tolist() == [row["metric"][name] for row in rows for _ in range(3)]
    assert "Texts that share the score of their sample with other texts: 12." in list(batch.remarks)


def test_the_system_is_in_the_path_and_the_task_in_the_name():
    source = dy.read(OPEN).source
    assert (source.systems, source.task) == (("org/alpha",), "open-0")
    assert {score.corpus for score in dy.measure(LOGS / "lighteval", "types:n=1")} == {"org/alpha"}


def test_reasoning_is_removed_or_kept():
    assert "The answer is 42." in read(OPEN).strings.tolist()
    assert "<think>6*7 = 42</think>The answer is 42." in read(OPEN, reasoning="keep").strings.tolist()


def test_log_likelihoods_have_no_text():
    with pytest.raises(InputError, match=r"no text is left .* Left out samples without a text: 4\."):
        dy.measure(CHOICE)


def test_an_older_version_is_named():
    (file,) = (LOGS / "lighteval-0.10.0").iterdir()
    with pytest.raises(InputError, match="row 0: not a sample of lighteval .* it has no 'doc'"):
        dy.measure(file)
    # Its texts can be read as the field of a table.
    texts = read(file, field="predictions").strings.tolist()
    assert texts == [text for texts in ANSWERS["org/alpha"] for text in texts]


def test_a_cut_off_file_is_an_error(tmp_path):
    file = tmp_path / OPEN.name
    file.write_bytes(OPEN.read_bytes()[:-200])
    with pytest.raises(InputError, match="cannot be read as parquet"):
        dy.measure(file)
