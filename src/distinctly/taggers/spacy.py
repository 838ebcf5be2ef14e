"""`spacy:MODEL`: the tags of an installed pipeline of spaCy."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from distinctly.batch import Batch, TokenColumn
from distinctly.errors import InputError, SpecError, reason
from distinctly.options import check_options
from distinctly.taggers.base import Tagger, check_version, imported

# Components that no tag depends on, and that take most of the time.
UNUSED = ("parser", "ner", "lemmatizer", "entity_linker", "entity_ruler", "textcat", "senter")
# A pipeline is not made for several threads at once.
_LOCK = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Spacy(Tagger):
    """Tags of a pipeline of spaCy, with its own words: `spacy:` and a package or folder.

    Texts that came as token lists keep their tokens. White space has no tag.

    Attributes
    ----------
    model
        The name of an installed pipeline, such as ``en_core_web_sm``, or its folder. A signature contains the
        name, or the last part of the path.
    tags
        ``fine``: the tags of the language (`Token.tag_`); ``universal``: those of Universal Dependencies
        (`Token.pos_`).
    version, spacy
        The versions of the pipeline and of spaCy; any other version is an error.
    """

    name: ClassVar[str] = "spacy"
    extra: ClassVar[str] = "spacy"
    bare: ClassVar[str] = "model"

    model: str = field(compare=False)
    tags: Literal["fine", "universal"] = "fine"
    version: str = ""
    spacy: str = ""

    @classmethod
    def needs_trust(cls, options: Mapping[str, object]) -> str:
        """Return the pipeline: its files can name any code to import."""
        return f"the spaCy pipeline '{options['model']}', which can run any code"

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if not self.model:
            raise SpecError("Expected the name of a pipeline after 'spacy:', as in spacy:en_core_web_sm.")
        library = imported("spacy", type(self))
        path = Path(self.model).expanduser()
        if path.exists():
            # Absolute, so that it is found from any folder and in other processes.
            object.__setattr__(self, "model", str(path.resolve()))
        title = f"{self.name}:{self.model}"
        meta = _loaded(self.model).meta
        known = f"{meta['lang']}_{meta['name']}-{meta['version']}"
        object.__setattr__(self, "version", check_version(title, "pipeline", self.version, known))
        object.__setattr__(self, "spacy", check_version(title, "spaCy", self.spacy, library.__version__))

    def tag(self, batch: Batch) -> TokenColumn:
        """Run the pipeline on each text, or on its tokens if it came as a token list."""
        pipeline = _loaded(self.model)
        texts: Iterable[Any] = batch.strings.tolist()
        if batch.bounds is not None:
            document = imported("spacy.tokens", type(self)).Doc
            lists = TokenColumn(batch.strings, batch.bounds).tolist()
            texts = [document(pipeline.vocab, words=words) for words in lists]
        try:
            with _LOCK:
                tagged = [self._tags_of(tokens) for tokens in pipeline.pipe(texts)]
        except SpecError:
            raise
        except Exception as error:  # pipelines raise errors of many classes
            title = f"{self.name}:{self.model}"
            raise InputError(f"the tagger '{title}' cannot tag a text ({reason(error)}).") from error
        return TokenColumn.encode(tagged)

    def _tags_of(self, tokens: Iterable[Any]) -> list[str]:
        words = [token for token in tokens if not token.is_space]
        tags = [str(token.pos_ if self.tags == "universal" else token.tag_) for token in words]
        if tags and not any(tags):
            other = "fine" if self.tags == "universal" else "universal"
            raise SpecError(
                f"The spaCy pipeline '{self.model}' assigns no {self.tags} tags: choose another one, or "
                f"tags={other}."
            )
        return tags

    def options(self) -> dict[str, str]:
        """Return the name of the pipeline, the kind of tags and the versions."""
        path = Path(self.model)
        name = f"./{path.name}" if path.is_absolute() else self.model
        return {"name": name, "tags": self.tags, "version": self.version, "spacy": self.spacy}


@functools.lru_cache(maxsize=4)
def _loaded(model: str) -> Any:
    library = imported("spacy", Spacy)
    try:
        return library.load(model, exclude=UNUSED)
    except OSError as error:  # what spaCy raises if there is no such pipeline
        raise SpecError(
            f"There is no spaCy pipeline '{model}' ({reason(error)}). Install it: python -m spacy download "
            f"{model}"
        ) from error
