"""The module of Hugging Face's evaluate: loaded from its file, offline, with the numbers of `measure`."""

from __future__ import annotations

import math
from typing import Any

import pytest

import distinctly as dy

pytest.importorskip("evaluate", reason='needs evaluate: pip install "distinctly[evaluate]"')

import evaluate

from distinctly import hf_evaluate

pytestmark = pytest.mark.filterwarnings("ignore")  # of evaluate and datasets about themselves
TEXTS = ["the cat sat", "the dog sat", "a dog ran away"]
REFERENCES = ["a cat", "the dog ran", "the owl", "an owl flew", "it flew away"]


@pytest.fixture(scope="module")
def module() -> Any:
    return evaluate.load(hf_evaluate.__file__)


def test_one_and_several_specs(module: Any) -> None:
    # the, cat, sat, dog, a, ran, away: 7 of 10 words.
    assert module.compute(predictions=TEXTS, metric="distinct:n=1") == {"distinct_n1": 7 / 10}
    specs = ["distinct:n=2", "ead", "self_bleu"]
    assert module.compute(predictions=TEXTS, metric=specs) == dy.measure(TEXTS, specs).flat()


def test_texts_may_be_added_in_batches(module: Any) -> None:
    module.add_batch(predictions=TEXTS[:2])
    module.add(prediction=TEXTS[2])
    assert module.compute(metric="distinct:n=1") == {"distinct_n1": 7 / 10}


def test_groups_and_options(module: Any) -> None:
    options = {"groups": ["a", "a", "b"], "tokenizer": "char", "interval": True}
    scores = module.compute(predictions=TEXTS, metric="distinct:n=1", **options)
    measured = dy.measure(TEXTS, "distinct:n=1", **options).flat()
    assert {"distinct_n1_within", "distinct_n1_across", "distinct_n1"} <= scores.keys()
    assert scores == pytest.approx(measured, abs=0, rel=0, nan_ok=True)


def test_references_need_not_be_as_many(module: Any) -> None:
    specs = ["jensen_shannon", "chi"]
    scores = module.compute(predictions=TEXTS, references=REFERENCES, metric=specs)
    assert scores == dy.compare(REFERENCES, TEXTS, specs).flat()


def test_undefined_is_nan(module: Any) -> None:
    assert math.isnan(module.compute(predictions=["a"], metric="distinct:n=2")["distinct_n2"])


def test_mistakes(module: Any) -> None:
    with pytest.raises(dy.SpecError, match="references="):
        module.compute(predictions=TEXTS, metric="chi")
    with pytest.raises(dy.SpecError, match="not both"):
        module.compute(predictions=TEXTS, references=REFERENCES, metric=["chi", "ead"])
    with pytest.raises(dy.SpecError, match="Did you mean 'distinct'"):
        module.compute(predictions=TEXTS, metric="distnct")
