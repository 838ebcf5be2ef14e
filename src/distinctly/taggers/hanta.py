"""`hanta`: parts of speech of English, German and Dutch, by the package HanTa."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from distinctly.batch import Batch, TokenColumn
from distinctly.options import check_options
from distinctly.taggers.base import Tagger, check_version, imported, installed_version

PACKAGE = "HanTa"
MODELS = {"en": "morphmodel_en.pgz", "de": "morphmodel_ger.pgz", "nl": "morphmodel_dutch.pgz"}
# The tag of a word without characters, of which HanTa has no tag.
UNKNOWN = "UNKNOWN"
# What the models know: plain quotes, and English words before and after the place where they are split.
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "…": "..."})
_CLITICS = re.compile(r"(?<=[a-z])(?=(?:n't|'s|'m|'re|'ve|'d|'ll)\Z)|(?<=\bcan)(?=not\Z)", re.IGNORECASE)
# The probability of a sentence underflows after some ten thousand words, so longer ones are cut.
LONGEST_SENTENCE = 500
# The time grows with the square of the length of a word. Its ending decides the tag.
LONGEST_WORD = 40
# Sentences and words whose tags are kept: replies and headings recur, and words do so anyway.
KEPT_SENTENCES, KEPT_WORDS = 1 << 16, 1 << 18


@dataclass(frozen=True, kw_only=True)
class Hanta(Tagger):
    """Parts of speech by the Hanover Tagger (Wartena, 2019); needs neither network nor GPU.

    The tags are those of its models: C5 of the British National Corpus (English), STTS (German), CGN (Dutch).
    As in C5, an English word such as *didn't* has two tags, those of *did* and *n't*. A word without
    characters has the tag ``UNKNOWN``; of a word with more than 40 characters, the last 40 are tagged; a
    sentence of more than 500 words is cut.

    Attributes
    ----------
    language
        ``en``, ``de`` or ``nl``.
    version
        The version of the package; any other version is an error.
    """

    name: ClassVar[str] = "hanta"
    extra: ClassVar[str] = "tags"
    reads_sentences: ClassVar[bool] = True

    language: Literal["en", "de", "nl"] = "en"
    version: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        installed = installed_version(PACKAGE, type(self))
        object.__setattr__(self, "version", check_version(self.name, PACKAGE, self.version, installed))

    def tag(self, batch: Batch) -> TokenColumn:
        """Return the tags of sentences, which are given as lists of words."""
        if batch.bounds is None:  # no sentences
            return TokenColumn.encode([])
        tagged = _tagged(self.language)
        lists = []
        for words in TokenColumn(batch.strings, batch.bounds).tolist():
            pieces = (words[at : at + LONGEST_SENTENCE] for at in range(0, len(words), LONGEST_SENTENCE))
            lists.append([tag for piece in pieces for tag in tagged(tuple(piece))])
        return TokenColumn.encode(lists)

    def options(self) -> Mapping[str, str]:
        """Return the language, and the version of the package, which includes the models."""
        return {"language": self.language, "version": self.version}


@functools.cache
def _tagged(language: str) -> Any:
    """Return a function from the words of a sentence to their tags, with a cache of its own."""
    tagger = _loaded(language)

    @functools.lru_cache(maxsize=KEPT_SENTENCES)
    def tagged(words: tuple[str, ...]) -> tuple[str, ...]:
        plain = (word.translate(_PLAIN) for word in words)
        split = [piece for word in plain for piece in (_CLITICS.split(word) if language == "en" else [word])]
        tags = iter(tagger.tag_sent([piece[-LONGEST_WORD:] for piece in split if piece], taglevel=0))
        return tuple(next(tags) if piece else UNKNOWN for piece in split)

    return tagged


def _loaded(language: str) -> Any:
    """Load a model of the installed package, which analyses each form of a word once.

    The models are pickles. HanTa looks for a name in the working folder first, where anybody may have put
    another file, so it is given the whole path.
    """
    library = imported("HanTa.HanoverTagger", Hanta)
    tagger = library.HanoverTagger(str(Path(str(library.__file__)).parent / MODELS[language]))
    tagger.analyze_forward = functools.lru_cache(maxsize=KEPT_WORDS)(tagger.analyze_forward)
    return tagger
