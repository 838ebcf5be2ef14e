"""What a study consists of: packages of sets, what annotators see of them, and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from distinctly.errors import DistinctlyError

# The name of the owner, which no annotator can have.
OWNER = "owner"
# The end of the common scale of human scores and of true diversity, which begins at 0.
TEN = 10.0


class AnswerError(DistinctlyError, ValueError):
    """An answer that is not stored: a score outside the scale, or a set that does not exist."""


@dataclass(frozen=True)
class Package:
    """Sets of all methods that are shown together.

    Attributes
    ----------
    sets
        The texts of each method.
    prompts
        The prompts that the texts respond to, in the order of the texts; empty if they are not known.
    """

    sets: Mapping[str, Sequence[str]]
    prompts: Sequence[str] = ()


@dataclass(frozen=True)
class StudyPlan:
    """Everything that a new study needs.

    Attributes
    ----------
    title, instructions, question
        What annotators read: the instructions are Markdown, the question is below each set.
    low, high
        The ends of the scale.
    packages
        The packages; all have the same methods.
    annotators
        The names of the annotators.
    example
        Markdown that is shown below the instructions; empty if there is none.
    language
        The language of the page, as a tag such as ``en`` or ``zh``.
    seed
        The seed of the draws and orders.
    source
        The name of the file with the responses.
    notes
        Notes on the design.
    """

    title: str
    instructions: str
    question: str
    low: float
    high: float
    packages: Sequence[Package]
    annotators: Sequence[str]
    example: str = ""
    language: str = "en"
    seed: int = 0
    source: str = ""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class ShownSet:
    """A set as an annotator sees it: its column from 1, its label, its texts, and the latest score if any."""

    column: int
    label: str
    texts: Sequence[str]
    score: float | None


@dataclass(frozen=True)
class ShownPackage:
    """A package as an annotator sees it: its place from 1 to `places`, its sets, and the latest comment."""

    place: int
    places: int
    sets: Sequence[ShownSet]
    comment: str = ""

    @property
    def complete(self) -> bool:
        """Whether all sets have a score."""
        return all(shown.score is not None for shown in self.sets)


@dataclass(frozen=True)
class PlaceState:
    """How many of the sets of the package at one place an annotator has scored."""

    place: int
    scored: int
    sets: int

    @property
    def complete(self) -> bool:
        """Whether all sets have a score."""
        return self.scored == self.sets


@dataclass(frozen=True)
class Progress:
    """How far one annotator has come; `last` is the time of the latest answer, empty if there is none."""

    annotator: str
    scored: int
    sets: int
    complete: int
    packages: int
    last: str
    simulated: bool = False


@dataclass(frozen=True)
class Answer:
    """One answer, with what only the owner may know: the method of the set.

    Attributes
    ----------
    number
        The number of the answer in the order of saving.
    annotator, method
        Names.
    package, set
        Numbers, from 1.
    score, time, key
        The score, the time in UTC, and the key of the request.
    latest
        Whether it is the latest answer of the annotator for the set, which counts.
    """

    number: int
    annotator: str
    package: int
    set: int
    method: str
    score: float
    time: str
    key: str
    latest: bool


@dataclass(frozen=True)
class Comment:
    """A comment of an annotator on a package."""

    annotator: str
    package: int
    text: str
    time: str


@dataclass(frozen=True)
class StudySet:
    """A set with its method, for the owner."""

    set: int
    package: int
    method: str
    texts: Sequence[str]
    prompts: Sequence[str] = field(default=())


@dataclass(frozen=True)
class NewAnswer:
    """An answer to be saved: who scores which set of which package, and the key of the request."""

    annotator: str
    place: int
    column: int
    score: float
    key: str
