"""Hugging Face datasets, if the package is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

import distinctly as dy

datasets = pytest.importorskip("datasets", reason="needs the package datasets")

ROWS = {"prompt": ["x", "y", "x"], "response": ["a b", "c c 知道", "a c"], "key": [3, 2, 1]}
READING = {"field": "response", "group": "prompt", "id": "key"}


@pytest.fixture
def dataset():
    return datasets.Dataset.from_dict(ROWS)


def test_columns_by_name(dataset):
    corpus = dy.Corpus(dataset, **READING)
    assert corpus.texts() == corpus.texts() == ROWS["response"]
    batch = next(corpus.batches())
    assert batch.groups.tolist() == ROWS["prompt"]
    assert batch.ids.tolist() == ["3", "2", "1"]
    assert corpus.name == "dataset"


@pytest.mark.parametrize(
    ("view", "rows"),
    [
        pytest.param(lambda d: d.select([2, 0]), [2, 0], id="selected"),
        pytest.param(lambda d: d.filter(lambda row: row["prompt"] == "x"), [0, 2], id="filtered"),
        pytest.param(lambda d: d.with_format("numpy"), [0, 1, 2], id="in another format"),
        pytest.param(lambda d: datasets.concatenate_datasets([d, d]), [0, 1, 2, 0, 1, 2], id="concatenated"),
        pytest.param(lambda d: d.select([]), [], id="empty"),
    ],
)
def test_a_view_of_a_dataset_is_what_it_shows(dataset, view, rows):
    assert dy.Corpus(view(dataset), field="response").texts() == [ROWS["response"][row] for row in rows]


def test_a_dataset_on_the_disk(dataset, tmp_path):
    dataset.save_to_disk(tmp_path / "saved")
    assert dy.Corpus(datasets.load_from_disk(tmp_path / "saved"), **READING).texts() == ROWS["response"]
    # Also its files, without the package.
    assert dy.Corpus.read(tmp_path / "saved" / "*.arrow", **READING).texts() == ROWS["response"]


@pytest.mark.parametrize("size", [1, 2, 100])
def test_the_number_is_that_of_the_list(dataset, size):
    found = dy.measure(dataset, "distinct:n=1,pool=group", field="response", group="prompt", batch_size=size)
    expected = dy.measure(ROWS["response"], "distinct:n=1,pool=group", groups=ROWS["prompt"])
    assert (found[0].value, found[0].signature) == (expected[0].value, expected[0].signature)


def test_an_iterable_dataset(dataset):
    stream = dataset.to_iterable_dataset(num_shards=2)
    corpus = dy.Corpus(stream, **READING)
    assert sorted(corpus.texts()) == sorted(corpus.texts()) == sorted(ROWS["response"])
    assert sorted(key for batch in corpus.batches() for key in batch.ids) == ["1", "2", "3"]
    assert dy.Corpus(stream.batch(2), **READING).texts() == corpus.texts()


def test_lists_of_strings_are_groups_or_tokens():
    dataset = datasets.Dataset.from_dict({"text": [["a b", "a c"], ["d"]]})
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert dy.measure(dataset, "distinct:n=1,pool=group")[0].value == 0.875
    # "a b", "a c" and "d" are tokens.
    assert dy.measure(dataset, "types:n=1", tokens=True)[0].value == 3


def test_a_column_that_is_not_there_is_an_error_that_names_those_that_are(dataset):
    with pytest.raises(dy.InputError, match="Unknown field 'text'.*Fields: prompt, response, key"):
        dy.measure(dataset)


def test_a_null_is_an_error_with_its_row():
    dataset = datasets.Dataset.from_dict({"text": ["a", None]})
    with pytest.raises(dy.InputError, match=r"dataset, row 1: the text is missing \(null\)"):
        dy.measure(dataset)


def test_several_splits_are_several_corpora(dataset):
    splits = datasets.DatasetDict({"train": dataset, "test": dataset})
    scores = dy.measure(splits, "distinct:n=1", field="response")
    assert [score.corpus for score in scores] == ["train", "test"]
    with pytest.raises(dy.InputError, match="expected one dataset, got a mapping.*train, test"):
        dy.Corpus(splits, field="response")


def test_the_package_is_not_imported_for_anything_else():
    program = "import sys, distinctly as dy; dy.measure({'text': ['a']}); print('datasets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
