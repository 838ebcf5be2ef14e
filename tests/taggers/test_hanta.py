"""`hanta`: equal to the package, from its own files only, with its version in signatures."""

from __future__ import annotations

import gzip
import importlib.metadata
import importlib.util
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.taggers import find_tagger
from distinctly.taggers.hanta import LONGEST_SENTENCE, UNKNOWN, _tagged
from distinctly.views.tags import TagView

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("HanTa") is None, reason='needs HanTa: pip install "distinctly[tags]"'
)


def tags_of(texts: list[Any], spec: str = "hanta") -> list[list[str]]:
    return TagView(find_tagger(spec)).make(Batch.of(texts), RunConfig()).token_lists()


@pytest.mark.parametrize(
    ("spec", "file", "sentence"),
    [
        ("hanta", "morphmodel_en.pgz", "The old man and the sea slept well ."),
        ("hanta:language=de", "morphmodel_ger.pgz", "Die Europawahl findet immer donnerstags statt ."),
        ("hanta:language=nl", "morphmodel_dutch.pgz", "De oude man zit op de mat ."),
    ],
)
def test_equals_the_package(spec: str, file: str, sentence: str) -> None:
    from HanTa.HanoverTagger import HanoverTagger

    expected = HanoverTagger(file).tag_sent(sentence.split(), taglevel=0)
    assert tags_of([sentence], spec) == [expected]


def test_by_example() -> None:
    # Tags of C5: AT0 article, AJ0 adjective, NN1 singular noun, VVD past tense, AV0 adverb, PUN punctuation.
    assert tags_of(["The old man slept well."]) == [["AT0", "AJ0", "NN1", "VVD", "AV0", "PUN"]]
    # As in C5, n't is a word of its own; so are 'm and not of cannot. Quotes may be typographic.
    assert tags_of(["I didn’t go.", "I'm here.", "She cannot go."]) == [
        ["PNP", "VDD", "XX0", "VVI", "PUN"],
        ["PNP", "VBB", "AV0", "PUN"],
        ["PNP", "VM0", "XX0", "VVI", "PUN"],
    ]


def test_sentences_are_tagged_one_by_one() -> None:
    first, second, both = tags_of(["It rains.", "Go home!", "It rains. Go home!"])
    assert both == first + second


@settings(max_examples=20)
@given(texts=TOKEN_LISTS)
def test_any_token_list_has_tags_per_token(texts: list[list[str]]) -> None:
    tags = tags_of([list(text) for text in texts]) if texts else []
    assert [len(row) for row in tags] == [len(text) for text in texts]
    assert all(
        (tag == UNKNOWN) >= (token == "") for row, text in zip(tags, texts) for tag, token in zip(row, text)
    )


def test_long_words_and_sentences() -> None:
    words = ["x" * 5000, *["walk"] * (3 * LONGEST_SENTENCE)]
    assert [len(row) for row in tags_of([" ".join(words)])] == [len(words)]


def test_a_model_in_the_working_folder_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return (pytest.fail, ("a pickle of the working folder was loaded",))

    with gzip.open(tmp_path / "morphmodel_en.pgz", "wb") as file:
        pickle.dump(Evil(), file)
    monkeypatch.chdir(tmp_path)
    _tagged.cache_clear()
    assert tags_of(["It rains."]) == [["PNP", "VVZ", "PUN"]]


def test_the_signature_has_the_version_and_measures_again() -> None:
    version = importlib.metadata.version("HanTa")
    texts = ["The old man slept.", "A young dog barked."]
    specs = ["distinct:n=2,of=tags", "templates:n=3,texts=2"]
    for score in dy.measure(texts, specs, tagger="hanta:language=en"):
        assert f"|tag:hanta,language:en,version:{version}|" in score.signature
        # HanTa is an installed package: its name needs no trust.
        again = dy.measure(texts, signature=score.signature)[0]
        assert (again.value, again.signature) == (score.value, score.signature)
    with pytest.raises(dy.SpecError, match=f"Expected HanTa 0.1 for the tagger 'hanta', got {version}"):
        find_tagger("hanta:version=0.1")


def test_batches_and_processes_change_nothing() -> None:
    texts = [f"The {word} dog sleeps. It barks!" for word in ("old", "young", "big", "red")] * 3
    expected = dy.measure(texts, "distinct:n=3,of=tags", tagger="hanta")[0]
    batched = dy.measure(texts, "distinct:n=3,of=tags", tagger="hanta", batch_size=1, threads=2)[0]
    assert (batched.value, batched.signature) == (expected.value, expected.signature)
    assert pickle.loads(pickle.dumps(find_tagger("hanta"))) == find_tagger("hanta")


def test_a_state_names_its_tagger(tmp_path: Path) -> None:
    texts = ["The old man slept.", "A young dog barked."]
    path = tmp_path / "x.state"
    dy.save_state(texts, path, "distinct:n=2,of=tags", tagger="hanta")
    expected = dy.measure(texts, "distinct:n=2,of=tags", tagger="hanta")[0]
    assert dy.measure(path)[0].signature == expected.signature
