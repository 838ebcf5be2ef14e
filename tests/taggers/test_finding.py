"""Taggers by name: specs, functions, missing packages, and names from strangers."""

from __future__ import annotations

import importlib.metadata
import sys

import pytest

import distinctly as dy
from distinctly.taggers import find_tagger


def test_names_and_functions() -> None:
    assert find_tagger("os.path:split").title == "posixpath.split"
    with pytest.raises(dy.SpecError, match="Unknown tagger 'hnata'. Did you mean 'hanta'?"):
        find_tagger("hnata")
    with pytest.raises(dy.SpecError, match="Unknown option 'lang' of 'hanta'. Did you mean 'language'?"):
        find_tagger("hanta:lang=de")
    with pytest.raises(dy.SpecError, match="Expected a tagger to be a function"):
        find_tagger(3)  # type: ignore[arg-type]


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[tags\]"'):
        find_tagger("hanta")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[spacy\]"'):
        find_tagger("spacy:en_core_web_sm")


@pytest.mark.parametrize("view", ["spacy,name:en_core_web_sm,tags:fine", "os%3Asystem", "evil"])
def test_a_signature_of_a_stranger_runs_no_tagger(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)  # importing it would be an error, too, but another one
    with pytest.raises(dy.SpecError, match="The signature names the (spaCy pipeline|tagger) .*`tagger`"):
        dy.measure(["a b"], signature=f"distinct|n:1|of:tags|tag:{view}|texts:1#0|v:0.1.0")


def test_tags_of_a_function_are_given_again_with_the_signature() -> None:
    texts = ["a b", "c"]
    score = dy.measure(texts, "distinct:n=1,of=tags", tagger=lambda text: ["N"] * len(text.split()))[0]
    again = dy.measure(texts, signature=score.signature, tagger=lambda text: ["N"] * len(text.split()))[0]
    assert again.value == score.value == 1 / 3
    given = dy.measure(texts, "distinct:n=1,of=tags", tags=[["N", "N"], ["N"]])[0]
    assert dy.measure(texts, signature=given.signature, tags=[["N", "N"], ["N"]])[0].value == 1 / 3
