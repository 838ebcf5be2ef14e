"""Functions of the user as metrics: `mymodule:score`, or any callable."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.distance.base import Distance
from distinctly.errors import SpecError, reason, unknown
from distinctly.loading import Function, load_function
from distinctly.metrics import Direction, Metric
from distinctly.options import hidden, read_options, split_spec
from distinctly.score import Score
from distinctly.statistics.whole import Whole
from distinctly.views.base import ViewKind

_VIEWS: dict[str, ViewKind] = {"tokens": "tokens", "vectors": "vectors", "texts": "texts"}
_IN_SIGNATURE = re.compile(r"^(distance_)?function:path=")


@dataclass(frozen=True, kw_only=True)
class UserFunction(Metric):
    """A function that gives a number, or several by name, for what it sees of one corpus or of two.

    Whatever it raises makes the score undefined, with a note; so does anything that is no number.

    Attributes
    ----------
    path
        Where it is: ``module:function``, or ``folder/file.py:function``.
    gets
        ``texts``: lists of strings. ``tokens``: lists of lists of strings. ``vectors``: arrays.
    reverse
        The function gives a similarity, or how repetitive texts are: its negative is the value.
    """

    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    path: str
    gets: ViewKind = "texts"
    reverse: bool = False
    _function: Function = hidden(lambda *_: math.nan)

    @property
    def sees(self) -> ViewKind:
        """What of a text it is given."""
        return self.gets

    @property
    def gives_several(self) -> bool:
        """Whether its parts are values of their own: they are."""
        return True

    def statistics(self) -> tuple[Whole]:
        """Return the texts, their tokens or their vectors."""
        return (Whole(view=self.view),)

    def score(self, *summaries: Any) -> Score:
        """Call the function."""
        if not all(map(len, summaries)):
            return self.scored(math.nan, {}, undefined="there are no texts.")
        try:
            given = self._function(*map(self._seen, summaries))
        except Exception as error:  # whatever it is, others go on
            told = f"{self.path} raised {type(error).__name__}: {reason(error)}."
            return self.scored(math.nan, {}, undefined=told)
        try:
            found = _numbers(given)
        except (TypeError, ValueError):
            told = f"{self.path} gave {type(given).__name__}, and not a number or several."
            return self.scored(math.nan, {}, undefined=told)
        signed = {name: -number if self.reverse else number for name, number in found.items()}
        value = next(iter(signed.values()))
        parts = signed if list(signed) != [""] else {}
        return self.scored(value, parts, undefined=f"{self.path} gave NaN." if math.isnan(value) else None)

    def _seen(self, summary: Any) -> Any:
        if self.gets == "vectors":
            return summary.rows
        return summary.texts.tolist() if self.gets == "texts" else summary.token_lists()


@dataclass(frozen=True, kw_only=True)
class CorpusFunction(UserFunction):
    """A function of one corpus, taken as one that grows with diversity."""

    name: ClassVar[str] = "function"
    more_is: ClassVar[Direction] = "more diverse"


@dataclass(frozen=True, kw_only=True)
class PairFunction(UserFunction, Distance):
    """A function of a reference and a candidate, taken as a distance."""

    name: ClassVar[str] = "distance_function"
    symmetric: ClassVar[bool] = False


def is_function(spec: str) -> bool:
    """Tell whether a spec names a function: `module:function`, maybe with options after a comma.

    Examples
    --------
    >>> is_function("mymodule:score,gets=tokens"), is_function("distinct:n=2"), is_function("ead")
    (True, False, False)
    """
    _, colon, name = spec.partition(",")[0].rpartition(":")
    return bool(colon) and bool(name.strip()) and "=" not in name


def find_function(spec: str) -> UserFunction:
    """Return the metric that a spec such as `mymodule:score,gets=vectors,reverse=yes` means."""
    # The first is how a signature has it.
    path, _, rest = _IN_SIGNATURE.sub("", spec.strip()).partition(",")
    words = split_spec(f":{rest}")[1] if rest else {}
    function = load_function(path, "metric")
    return from_function(function, path, **read_options(_kind(function, path), path, words))


def from_function(function: Function, path: str = "", **options: Any) -> UserFunction:
    """Make a metric of a callable: of one corpus where it takes one thing, a distance where it takes two.

    What it gets is said by its attribute `gets`, or by the names of its parameters.

    Examples
    --------
    >>> from_function(lambda tokens: len(tokens)).gets
    'tokens'
    """
    path = path or path_of(function)
    kind = _kind(function, path)
    return kind(path=path, _function=function, **({"gets": _gets(function, path)} | options))


def path_of(function: Function) -> str:
    """Return where a callable is, as far as it can say.

    Examples
    --------
    >>> import statistics
    >>> path_of(statistics.mean)
    'statistics:mean'
    """
    return f"{function.__module__}:{getattr(function, '__qualname__', type(function).__name__)}"


def _kind(function: Function, path: str) -> type[CorpusFunction] | type[PairFunction]:
    needed = [one for one in _parameters(function, path) if one.default is inspect.Parameter.empty]
    if len(needed) not in (1, 2):
        raise SpecError(
            f"Expected '{path}' to take one corpus, or a reference and a candidate, got a function that "
            f"needs {len(needed)} arguments."
        )
    return CorpusFunction if len(needed) == 1 else PairFunction


def _gets(function: Function, path: str) -> ViewKind:
    told = getattr(function, "gets", None)
    if told is not None:
        if told not in _VIEWS:
            raise unknown("value", str(told), _VIEWS, of=f"the attribute `gets` of '{path}'")
        return _VIEWS[told]
    names = " ".join(one.name for one in _parameters(function, path))
    return next((view for name, view in _VIEWS.items() if name in names), "texts")


def _parameters(function: Function, path: str) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise SpecError(f"Expected '{path}' to be a function, got {function!r}.") from error
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in found if one.kind in kinds]


def _numbers(given: Any) -> dict[str, float]:
    """Return what a function gave as numbers by name; one alone has no name."""
    if isinstance(given, Mapping):
        if not given:
            raise ValueError("no number")
        return {str(name): float(number) for name, number in given.items()}
    if isinstance(given, Sequence) and not isinstance(given, str):
        if not given:
            raise ValueError("no number")
        return {str(place): float(number) for place, number in enumerate(given, 1)}
    return {"": float(given)}
