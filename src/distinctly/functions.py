"""User functions as metrics: `mymodule:score`, or any callable."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.distance.base import Distance
from distinctly.errors import SpecError, reason, unknown
from distinctly.loading import Function, load_function, path_of
from distinctly.metrics import Direction, Metric
from distinctly.options import hidden, read_options, split_spec
from distinctly.score import TRUTH_VALUE, Note, Score, checked_number, is_truth_value
from distinctly.statistics.whole import Whole
from distinctly.views.base import ViewKind

_VIEWS: dict[str, ViewKind] = {"tokens": "tokens", "vectors": "vectors", "texts": "texts"}
_IN_SIGNATURE = re.compile(r"^(distance_)?function:path=")


@dataclass(frozen=True, kw_only=True)
class UserFunction(Metric):
    """A user function that returns one number, or several by name, for one corpus or for two.

    If it raises, or returns anything else, the score is undefined, with a reason.

    Attributes
    ----------
    path
        The location: ``module:function``, or ``folder/file.py:function``.
    gets
        The type of the argument. ``texts``: lists of strings. ``tokens``: lists of lists of strings.
        ``vectors``: arrays.
    reverse
        Negate the result, for a function that returns a similarity or a degree of repetition.
    """

    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    path: str
    gets: ViewKind = "texts"
    reverse: bool = False
    _function: Function = hidden(lambda *_: math.nan)

    @property
    def sees(self) -> ViewKind:
        """What the function is given of a text."""
        return self.gets

    @property
    def gives_several(self) -> bool:
        """Whether the parts are values in their own right: always."""
        return True

    def statistics(self) -> tuple[Whole]:
        """Return the texts, their tokens or their vectors."""
        return (Whole(view=self.view),)

    def score(self, *summaries: Any) -> Score:
        """Call the function."""
        if not all(map(len, summaries)):
            return self.scored(math.nan, {}, undefined="there are no texts.")
        try:
            result = self._function(*map(self._argument, summaries))
        except (Exception, SystemExit) as error:  # a failing function must not stop the other metrics
            why = f"{self.path} raised {type(error).__name__}: {reason(error)}."
            return self.scored(math.nan, {}, undefined=why)
        numbers, problem = _numbers(result)
        if problem:
            return self.scored(math.nan, {}, undefined=f"{self.path} returned {problem}.")
        signed = {name: -number if self.reverse else number for name, number in numbers.items()}
        value = next(iter(signed.values()))
        parts = signed if list(signed) != [""] else {}
        missing = [name for name, number in list(parts.items())[1:] if math.isnan(number)]
        notes = [Note(f"{self.path} returned no finite number for {', '.join(missing)}.")] if missing else []
        notes += [TRUTH_VALUE] if is_truth_value(result) else []
        undefined = f"{self.path} returned NaN." if math.isnan(value) else None
        return self.scored(value, parts, notes, undefined=undefined)

    def _argument(self, summary: Any) -> Any:
        if self.gets == "vectors":
            return summary.rows
        return summary.texts.tolist() if self.gets == "texts" else summary.token_lists()


@dataclass(frozen=True, kw_only=True)
class CorpusFunction(UserFunction):
    """A function of one corpus, assumed to grow with diversity."""

    name: ClassVar[str] = "function"
    more_is: ClassVar[Direction] = "more diverse"


@dataclass(frozen=True, kw_only=True)
class PairFunction(UserFunction, Distance):
    """A function of a reference and a candidate, assumed to be a distance."""

    name: ClassVar[str] = "distance_function"
    symmetric: ClassVar[bool] = False

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether a change without one text is due to it: unknown, and perhaps slow to compute."""
        return False


def find_function(spec: str, function: Function | None = None, known: Iterable[str] = ()) -> UserFunction:
    """Return the metric of a spec such as `mymodule:score,gets=vectors,reverse=yes`.

    Parameters
    ----------
    spec
        The spec.
    function
        The function; by default, it is imported.
    known
        Names of metrics, for which a module is not imported if its name is one of them, misspelled.
    """
    path, words = _split(spec)
    if function is None:
        function = load_function(path, "metric", known)
    return from_function(function, path, **read_options(_kind(function, path), path, words))


def function_named(spec: str) -> str:
    """Return the location of the function that a spec names.

    Examples
    --------
    >>> function_named("mymodule:score,gets=tokens"), function_named("function:path=mine.py:score,gets=texts")
    ('mymodule:score', 'mine.py:score')
    """
    return _split(spec)[0]


def _split(spec: str) -> tuple[str, dict[str, str]]:
    # A signature writes the path as an option.
    path, _, rest = _IN_SIGNATURE.sub("", spec.strip()).partition(",")
    return path, split_spec(f":{rest}")[1] if rest else {}


def from_function(function: Function, path: str = "", **options: Any) -> UserFunction:
    """Return a callable as a metric: of one corpus if it takes one argument, a distance if it takes two.

    The attribute `gets` of the callable, or the names of its parameters, determine what it is given.

    Examples
    --------
    >>> from_function(lambda tokens: len(tokens)).gets
    'tokens'
    """
    path = path or path_of(function)
    kind = _kind(function, path)
    return kind(path=path, _function=function, **({"gets": _gets(function, path)} | options))


def _kind(function: Function, path: str) -> type[CorpusFunction] | type[PairFunction]:
    if inspect.isclass(function):
        raise SpecError(
            f"Expected '{path}' to be a function, got a class. Its name works with -m if a package lists it "
            "under the entry point distinctly.metrics. In Python, give an object "
            f"of it: {function.__name__}(…)."
        )
    parameters = _parameters(function, path)
    required = [parameter for parameter in parameters if parameter.default is inspect.Parameter.empty]
    if len(required) not in (1, 2):
        raise SpecError(
            f"Expected '{path}' to take one corpus, or a reference and a candidate, got a function that "
            f"needs {len(required)} arguments."
        )
    return CorpusFunction if len(required) == 1 else PairFunction


def _gets(function: Function, path: str) -> ViewKind:
    declared = getattr(function, "gets", None)
    if declared is not None:
        if declared not in _VIEWS:
            raise unknown("value", str(declared), _VIEWS, of=f"the attribute `gets` of '{path}'")
        return _VIEWS[declared]
    names = " ".join(parameter.name for parameter in _parameters(function, path))
    return next((view for name, view in _VIEWS.items() if name in names), "texts")


def _parameters(function: Function, path: str) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise SpecError(f"Expected '{path}' to be a function, got {function!r}.") from error
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter for parameter in parameters if parameter.kind in kinds]


def _numbers(result: Any) -> tuple[dict[str, float], str]:
    """Return the result of a function as numbers by name, and what it is if it is not that.

    A single number has an empty name. Of several numbers, the first must be finite or NaN, since it is the
    value; others that are infinite become NaN.
    """
    several = "not a number or several numbers"
    if isinstance(result, Mapping):
        named = {str(name): number for name, number in result.items()}
    elif getattr(result, "ndim", 0) == 1 or (
        isinstance(result, Sequence) and not isinstance(result, (str, bytes, bytearray))
    ):
        named = {str(position): number for position, number in enumerate(result, 1)}
    else:
        named = {"": result}
    if not named:
        return {}, f"{type(result).__name__}, {several}"
    checked = {name: checked_number(number) for name, number in named.items()}
    (_, problem), *others = checked.values()
    wrong = [problem, *(other for _, other in others)]
    if any(other.endswith("not a number") for other in wrong):
        return {}, f"{type(result).__name__}, {several}"
    return {name: number for name, (number, _) in checked.items()}, problem
