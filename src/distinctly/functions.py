"""Functions of the user as metrics: `mymodule:score`, or any callable."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from distinctly.distance.base import Distance
from distinctly.embedders.base import Embedder
from distinctly.errors import SpecError, reason, unknown
from distinctly.geometry.embeddings import Embeddings
from distinctly.metric import Context, Direction, Metric, Sees
from distinctly.options import hidden, read_options, split_spec
from distinctly.score import Score
from distinctly.statistics.derived import AnyStatistic
from distinctly.statistics.rows import Rows

Function = Callable[..., Any]
F = TypeVar("F", bound="UserFunction")
_VIEWS: dict[str, Sees] = {"tokens": "tokens", "vectors": "vectors", "texts": "texts"}
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
    gets: Sees = "texts"
    reverse: bool = False
    _function: Function = hidden(lambda *_: math.nan)
    _embedder: Embedder | None = hidden(None)

    @property
    def sees(self) -> Sees:
        """What of a text it is given."""
        return self.gets

    @property
    def embedder(self) -> Embedder | None:
        """What makes the vectors, where it is given some."""
        return self._embedder

    def bind(self: F, context: Context) -> F:
        """Fill in the embedder."""
        return replace(self, _embedder=context.embedder if self.gets == "vectors" else None)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the texts, or their vectors."""
        return (Embeddings(self._embedder) if self._embedder is not None else Rows(),)

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
            return summary
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
    function = _load(path)
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


def _gets(function: Function, path: str) -> Sees:
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


def _load(path: str) -> Function:
    """Import a function, from the working folder, too."""
    place, _, name = path.rpartition(":")
    with _working_folder():
        try:
            if place.endswith(".py"):
                module = _from_file(Path(place).expanduser())
            else:
                module = importlib.import_module(place)
        except Exception as error:
            raise SpecError(
                f"Unknown metric '{path}': no metric '{place}', and the module cannot be imported "
                f"({type(error).__name__}: {reason(error)}). A function is given as module:function."
            ) from error
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            known = [
                one for one, value in vars(module).items() if callable(value) and not one.startswith("_")
            ]
            raise unknown("function", name, known, of=f"'{place}'")
        found = getattr(found, part)
    if not callable(found):
        raise SpecError(f"Expected '{path}' to be a function, got {found!r}.")
    function: Function = found
    return function


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(f"no file '{path}'")
    # Known by a name that no other module has: dataclasses look for the module that they are written in.
    name = str(path.resolve())
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError(f"'{path}' is no module")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


@contextmanager
def _working_folder() -> Iterator[None]:
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path.pop(0)
