"""`spacy:MODEL`: with a pipeline of spaCy if it is installed, and with a stand-in that has its interface."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import distinctly as dy
from distinctly.taggers import find_tagger, spacy


@dataclass
class Token:
    text: str
    tag_: str
    pos_: str

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


@dataclass
class Doc:
    """A document: given words have no tags before the pipeline has seen them."""

    vocab: str
    words: list[str]
    tokens: list[Token] = field(default_factory=list)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)


@dataclass
class Pipeline:
    """Tags a word by its first letter; splits at hyphens, as a tokenizer of its own does."""

    meta: dict[str, str]
    vocab: str = "vocabulary"
    excluded: tuple[str, ...] = ()

    def pipe(self, texts: Iterable[str | Doc]) -> Iterator[Doc]:
        for text in texts:
            document = Doc(self.vocab, text.replace("-", " - ").split(" ")) if isinstance(text, str) else text
            assert document.vocab == self.vocab
            for word in document.words:
                fine = "" if self.meta["name"] == "blank" else f"t{word[:1]}"
                document.tokens.append(Token(word, fine, "X" if fine else ""))
            yield document


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Put a module with the functions of spaCy in its place."""

    def load(name: str, exclude: Iterable[str] = ()) -> Pipeline:
        if Path(name).name not in ("en_core_web_sm", "en_blank"):
            raise OSError(f"[E050] Can't find model '{name}'.\nMore lines")
        kind = Path(name).name.removeprefix("en_")
        return Pipeline({"lang": "en", "name": kind, "version": "3.8.0"}, excluded=tuple(exclude))

    module, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
    module.__version__, module.load, tokens.Doc = "3.8.2", load, Doc  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", module)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    spacy._loaded.cache_clear()
    yield module
    spacy._loaded.cache_clear()


def tags_of(texts: list[Any], spec: str) -> list[list[str]]:
    from distinctly.batch import Batch

    return find_tagger(spec).tag(Batch.of(texts)).tolist()


def test_words_of_the_pipeline_and_given_tokens(library: ModuleType) -> None:
    # Its own words: a well - known cat; white space has no tag. Given tokens are not split.
    assert tags_of(["a well-known \n cat"], "spacy:en_core_web_sm") == [["ta", "tw", "t-", "tk", "tc"]]
    assert tags_of([["well-known", "cat"]], "spacy:en_core_web_sm") == [["tw", "tc"]]
    assert tags_of(["a b"], "spacy:en_core_web_sm,tags=universal") == [["X", "X"]]


def test_only_what_tags_depend_on_is_loaded(library: ModuleType) -> None:
    find_tagger("spacy:en_core_web_sm")
    assert {"parser", "ner"} <= set(spacy._loaded("en_core_web_sm").excluded)


def test_the_signature_has_both_versions_and_needs_trust(library: ModuleType, tmp_path: Path) -> None:
    texts = ["a b", "a c"]
    score = dy.measure(texts, "distinct:n=1,of=tags", tagger="spacy:en_core_web_sm")[0]
    named = "tag:spacy,name:en_core_web_sm,tags:fine,version:en_core_web_sm-3.8.0,spacy:3.8.2"
    assert f"|{named}|" in score.signature
    with pytest.raises(
        dy.SpecError, match="spaCy pipeline 'en_core_web_sm', which can run any code.*trust=True"
    ):
        dy.measure(texts, signature=score.signature)
    assert dy.measure(texts, signature=score.signature, trust=True)[0].value == score.value
    own = dy.measure(texts, signature=score.signature, tagger="spacy:en_core_web_sm")[0]
    assert own.signature == score.signature
    with pytest.raises(
        dy.SpecError, match="Expected spaCy 3.0 for the tagger 'spacy:en_core_web_sm', got 3.8.2"
    ):
        find_tagger("spacy:en_core_web_sm,spacy=3.0")
    folder = tmp_path / "en_core_web_sm"
    folder.mkdir()
    assert find_tagger(f"spacy:{folder}").options()["name"] == "./en_core_web_sm"


def test_a_state_of_a_stranger_runs_no_pipeline(library: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "x.state"
    dy.save_state(["a b"], path, "distinct:n=1,of=tags", tagger="spacy:en_core_web_sm")
    with pytest.raises(
        dy.InputError, match="the state names the spaCy pipeline .*--tagger 'spacy:en_core_web_sm'"
    ):
        dy.measure(path)
    assert dy.measure(path, tagger="spacy:en_core_web_sm")[0].value == 1


def test_what_is_missing_is_named(library: ModuleType) -> None:
    with pytest.raises(dy.SpecError, match="no spaCy pipeline 'de_x' .*python -m spacy download de_x"):
        find_tagger("spacy:de_x")
    with pytest.raises(dy.SpecError, match="Expected the name of a pipeline after 'spacy:'"):
        find_tagger("spacy:")
    with pytest.raises(
        dy.SpecError, match="'en_blank' assigns no fine tags: choose another one, or tags=universal"
    ):
        dy.measure(["a b"], "distinct:n=1,of=tags", tagger="spacy:en_blank")


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="needs spaCy")
def test_a_real_pipeline(tmp_path: Path) -> None:
    import spacy as real

    pipeline = real.blank("en")
    pipeline.add_pipe("attribute_ruler").add(patterns=[[{"TEXT": {"REGEX": "."}}]], attrs={"TAG": "NN"})
    pipeline.meta["name"], pipeline.meta["version"] = "ruled", "1.0"
    pipeline.to_disk(tmp_path / "ruled")
    assert tags_of(["a well-known cat."], f"spacy:{tmp_path / 'ruled'}") == [["NN"] * 6]
    assert tags_of([["a", "cat"]], f"spacy:{tmp_path / 'ruled'}") == [["NN", "NN"]]
