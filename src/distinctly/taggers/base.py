"""The base class of taggers: from texts to one list of tags per text."""

from __future__ import annotations

import importlib
import importlib.metadata
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import ModuleType
from typing import ClassVar

from distinctly.batch import Batch, TokenColumn
from distinctly.errors import MissingExtraError, SpecError, missing_extra


class Tagger(ABC):
    """Assigns a list of tags to each text. Subclasses are frozen dataclasses.

    Attributes
    ----------
    name
        The name in a spec and in a signature.
    extra
        The optional extra of the package that the tagger needs.
    bare
        The option that a spec writes without its name, such as the name of a model.
    reads_sentences
        Whether `tag` takes sentences as lists of words in place of texts. The sentences are those of
        `sentence_length`, and the words those of the tokenizer `words`.
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    bare: ClassVar[str] = ""
    reads_sentences: ClassVar[bool] = False

    @classmethod
    def needs_trust(cls, options: Mapping[str, object]) -> str:  # noqa: ARG003 - for subclasses
        """Return what these options name that a stranger must not choose, as part of a sentence.

        Empty if there is nothing.
        """
        return ""

    @abstractmethod
    def tag(self, batch: Batch) -> TokenColumn:
        """Return one list of tags per text."""

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return everything else that can change a tag, for the signature."""


def imported(module: str, tagger: type[Tagger]) -> ModuleType:
    """Import an optional package of a tagger; if it is missing, the error says how to install it."""
    try:
        with warnings.catch_warnings():
            # Users cannot fix the deprecation warnings of a package.
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        raise _missing(module, tagger) from error


def installed_version(package: str, tagger: type[Tagger]) -> str:
    """Return the version of an optional package without importing it."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise _missing(package, tagger) from error


def check_version(tagger: str, what: str, wanted: str, installed: str) -> str:
    """Return the installed version; raise an error if a spec names another one, whose tags may differ."""
    if wanted not in ("", installed):
        raise SpecError(
            f"Expected {what} {wanted} for the tagger '{tagger}', got {installed}, whose tags may differ. "
            f"Install {what} {wanted}, or leave the version out of the spec to use {installed}."
        )
    return installed


def _missing(package: str, tagger: type[Tagger]) -> MissingExtraError:
    return missing_extra(f"The tagger '{tagger.name}'", package, tagger.extra)
