"""Results: a `Score` with its `Signature`, and the `Scores` of one run."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsFloat, TypeVar, overload
from urllib.parse import unquote

from distinctly.errors import SpecError, missing_extra, unknown
from distinctly.html_tables import html_table
from distinctly.options import Value, split_spec, written

if TYPE_CHECKING:
    import pandas
    import polars
    from matplotlib.figure import Figure

    from distinctly.matrix import Matrix

Part = int | float
Kind = Literal["diversity", "distance"]
Level = Literal["info", "warning"]
NoteScope = Literal["metric", "corpus", "run"]
PlotKind = Literal["forest", "length", "matrix"]
D = TypeVar("D")
# Incremented when a key of the JSON document changes its meaning or is removed.
FORMAT_VERSION = 1
# The reason for a NaN if the metric states none.
NO_REASON = "the metric returned NaN."


class Note(str):
    """A sentence about a score, with a level and a scope.

    Attributes
    ----------
    level
        ``warning`` if the value is not safe to use as it is; ``info`` otherwise.
    scope
        The subject of the sentence: the value of one ``metric``; the ``corpus`` (or the pair of corpora),
        whatever the metric; or the whole ``run``.
    general
        The sentence without what differs between metrics and corpora. A report writes it once in place of
        several notes that differ in their numbers only. By default the sentence itself.

    Examples
    --------
    >>> note = Note("The corpus has only 7 1-grams, too few for a reliable value.", "warning")
    >>> note.level, note.scope, "too few" in note
    ('warning', 'metric', True)
    """

    level: Level
    scope: NoteScope
    general: str

    def __new__(
        cls, text: str, level: Level = "info", scope: NoteScope = "metric", general: str = ""
    ) -> Note:
        """Return the string with its level, scope and general form as attributes."""
        note = super().__new__(cls, text)
        note.level, note.scope, note.general = level, scope, general or str(text)
        return note

    def __getnewargs__(self) -> tuple[str, Level, NoteScope, str]:  # type: ignore[override]
        return str(self), self.level, self.scope, self.general

    def with_text(self, text: str) -> Note:
        """Return another sentence with the same level and scope."""
        return Note(text, self.level, self.scope)


# The note on a metric that does not return a number.
TRUTH_VALUE = Note("The metric returned True or False, which count as 1 and 0.", "warning")


@dataclass(frozen=True, kw_only=True)
class Test:
    """A test of whether a distance, or the difference from the best corpus, is larger than by chance.

    Attributes
    ----------
    p, p_holm
        The p-value, and the p-value corrected for all comparisons (Holm, 1979): of a distance, for all
        candidates and metrics; of a difference, for all pairs of corpora and all metrics of the scope. NaN if
        there is no value.
    permutations
        The number of permutations; 0 for a test by standard errors.
    how
        The test in words.
    """

    __test__: ClassVar[bool] = False  # pytest must not collect it

    p: float
    p_holm: float
    permutations: int
    how: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "p": finite(self.p),
            "p_holm": finite(self.p_holm),
            "permutations": self.permutations,
            "how": self.how,
        }


@dataclass(frozen=True, kw_only=True)
class Floor:
    """The noise floor of a distance: the distance between two random parts of the reference.

    It shows how large chance alone makes the distance at this size. It is not a test: see `Test`.

    Attributes
    ----------
    mean
        The mean over 20 pairs of disjoint parts of the reference.
    texts
        The number of texts per part.
    distance_at_size
        The distance between the same number of texts of the reference and of the candidate: the mean over 20
        draws.

    Examples
    --------
    >>> Floor(mean=0.25, texts=100, distance_at_size=1.0).ratio
    4.0
    """

    mean: float
    texts: int
    distance_at_size: float

    @property
    def ratio(self) -> float:
        """The distance at the same number of texts, divided by the floor; NaN if that is not above 0."""
        return self.distance_at_size / self.mean if self.mean > 0 else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "mean": finite(self.mean),
            "texts": self.texts,
            "distance_at_size": finite(self.distance_at_size),
            "ratio": finite(self.ratio),
        }


@dataclass(frozen=True, kw_only=True)
class Relative:
    """The ratio of a value to that of another corpus, such as texts of people.

    Attributes
    ----------
    to
        The other corpus.
    ratio
        The value divided by that of the other corpus, both at one size; NaN if that is not above 0.
    low, high
        The 95 % interval of the ratio; None if there is none.
    """

    to: str
    ratio: float
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "to": self.to,
            "ratio": finite(self.ratio),
            "low": finite(self.low),
            "high": finite(self.high),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Score(float):
    """The value of one metric on one corpus: a float with a record of how it was computed.

    Attributes
    ----------
    value
        The number; NaN if it is undefined.
    undefined
        Why there is no value; None if there is one.
    kind
        What is measured: the ``diversity`` of one corpus, or the ``distance`` between two corpora.
    metric, options
        The name of the metric, and the options that can change the value.
    parts
        The numbers that the value was computed from, by name (`N`, `C`, …).
    low, high
        The interval, if requested.
    signature
        Everything needed to reproduce the value; see `Signature`.
    test, floor
        The permutation test and the noise floor of a distance, if requested.
    notes
        What a reader of the value should know, as `Note` objects.
    spec
        The spec as it was requested.
    corpus, reference, scope
        The corpus, the corpus that it is compared with, and the grouping.
    plain_spec
        For a value at the size of the smallest of several corpora: the spec of the value of all texts, beside
        which it is shown.
    relative
        The ratio to the value of another corpus, if requested.

    Examples
    --------
    >>> score = Score(0.5, metric="distinct", options={"n": 1})
    >>> score + 1, score > 0.4, f"{score:.2f}"
    (1.5, True, '0.50')
    >>> Score(math.nan, metric="distinct", undefined="there are no texts.")
    Score(nan, 'distinct', undefined='there are no texts.')
    """

    value: float
    metric: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    signature: str = ""
    notes: tuple[Note, ...] = ()
    spec: str = ""
    corpus: str = ""
    reference: str | None = None
    scope: str | None = None
    kind: Kind = "diversity"
    undefined: str | None = None
    test: Test | None = None
    floor: Floor | None = None
    plain_spec: str | None = None
    relative: Relative | None = None

    def __new__(cls, value: float, *_: object, **__: object) -> Score:
        """Return the float; the other fields are attributes."""
        return super().__new__(cls, checked_number(value)[0])

    def __post_init__(self) -> None:
        # Plug-ins may pass plain strings.
        notes = tuple(note if isinstance(note, Note) else Note(note) for note in self.notes)
        object.__setattr__(self, "notes", notes)
        if type(self.value) is not float and is_truth_value(self.value):
            object.__setattr__(self, "notes", (*notes, TRUTH_VALUE))
        value, problem = checked_number(self.value)
        object.__setattr__(self, "value", value)
        reason = f"the metric returned {problem}." if problem else self.undefined or NO_REASON
        object.__setattr__(self, "undefined", reason if math.isnan(value) else None)

    def __repr__(self) -> str:
        shown: dict[str, object] = {"corpus": self.corpus, "reference": self.reference, "scope": self.scope}
        if self.low is not None and self.high is not None:
            shown |= {"low": self.low, "high": self.high}
        shown |= {"undefined": self.undefined}
        words = [f"{name}={value!r}" for name, value in shown.items() if value not in ("", None)]
        return f"Score({', '.join([repr(self.value), repr(self.spec or self.metric), *words])})"

    def with_value(self, value: float, undefined: str) -> Score:
        """Return the score with another value; `undefined` is the reason if only the new value is NaN."""
        return replace(self, value=value, undefined=self.undefined or undefined)

    def to_record(self) -> dict[str, Any]:
        """Return the score as one flat row: the content of `to_dict`, with one column per part.

        Examples
        --------
        >>> record = Score(0.5, spec="distinct:n=1", parts={"N": 1}).to_record()
        >>> record["spec"], record["value"], record["N"]
        ('distinct:n=1', 0.5, 1)
        """
        record: dict[str, Any] = {
            "corpus": self.corpus,
            "reference": self.reference,
            "scope": self.scope,
            "spec": self.spec,
            "metric": self.metric,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "signature": self.signature,
            "notes": " ".join(self.notes),
            "undefined": self.undefined,
        }
        record |= self.parts
        if self.test is not None:
            record |= {
                "p": self.test.p,
                "p_holm": self.test.p_holm,
                "permutations": self.test.permutations,
            }
        if self.floor is not None:
            record |= {
                "noise_floor": self.floor.mean,
                "noise_floor_texts": self.floor.texts,
                "at_floor_size": self.floor.distance_at_size,
                "noise_floor_ratio": self.floor.ratio,
            }
        if self.relative is not None:
            record |= {
                "relative_to": self.relative.to,
                "ratio": self.relative.ratio,
                "ratio_low": self.relative.low,
                "ratio_high": self.relative.high,
            }
        return record

    def evolve(self, **changes: Any) -> Score:
        """Return the score with other fields but the same value; faster than `dataclasses.replace`."""
        score = float.__new__(Score, self.value)
        score.__dict__.update(self.__dict__, **changes)
        return score

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN and infinities become None, infinite options a string."""
        return {
            "metric": self.metric,
            "kind": self.kind,
            "options": {
                name: written(option) if option in (math.inf, -math.inf) else option
                for name, option in self.options.items()
            },
            "value": finite(self.value),
            "undefined": self.undefined,
            "parts": {name: finite(part) for name, part in self.parts.items()},
            "low": finite(self.low),
            "high": finite(self.high),
            "test": None if self.test is None else self.test.to_dict(),
            "floor": None if self.floor is None else self.floor.to_dict(),
            "signature": self.signature,
            "notes": [str(note) for note in self.notes],
            "corpus": self.corpus,
            "reference": self.reference,
            "scope": self.scope,
            **({} if self.relative is None else {"relative": self.relative.to_dict()}),
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A test of whether a corpus differs from the best one by more than noise.

    Attributes
    ----------
    metric, scope
        The metric and the scope of the scores.
    best, corpus, difference
        The two corpora, and the value of `corpus` minus that of `best`.
    p, p_holm
        The p-value, and the p-value corrected for all pairs of corpora and all metrics of the scope (Holm,
        1979).
    noise
        Whether the difference may be chance: the corrected p-value is not below 0.05. None if there was too
        little data to test.
    test, exchanged
        The test in words, and whether it exchanges texts between the corpora.
    family
        The number of comparisons that p-values are corrected for.
    """

    metric: str
    scope: str | None
    best: str
    corpus: str
    difference: float
    p: float
    test: str
    exchanged: bool = False
    p_holm: float = math.nan
    noise: bool | None = None
    family: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "metric": self.metric,
            "scope": self.scope,
            "best": self.best,
            "corpus": self.corpus,
            "difference": finite(self.difference),
            "p": finite(self.p),
            "p_holm": finite(self.p_holm),
            "noise": self.noise,
            "test": self.test,
            "family": self.family,
        }


def checked_number(value: object) -> tuple[float, str]:
    """Return a value as a float, and what it is if it is not a finite number or NaN, to follow "returned".

    Numbers of other libraries are converted; True and False count as 1 and 0. Text, an infinite number and
    anything else give NaN.

    Examples
    --------
    >>> checked_number(3), checked_number(-math.inf), checked_number("0.5")
    ((3.0, ''), (nan, 'an infinite number'), (nan, 'str, not a number'))
    """
    if type(value) is float:
        return (math.nan, "an infinite number") if math.isinf(value) else (value, "")
    if isinstance(value, SupportsFloat) and getattr(value, "ndim", 0) == 0:
        try:
            number = float(_plain(value))
        except OverflowError:
            return math.nan, "a number too large for a float"
        except (TypeError, ValueError):
            return math.nan, f"{type(value).__name__}, not a number"
        return (math.nan, "an infinite number") if math.isinf(number) else (number, "")
    return math.nan, f"{type(value).__name__}, not a number"


def is_truth_value(value: object) -> bool:
    """Return whether a value is True or False, of Python or of another library."""
    return isinstance(_plain(value), bool) if getattr(value, "ndim", 0) == 0 else False


def _plain(value: Any) -> Any:
    """Return a number of numpy or torch as one of Python; text in a numpy array is not a number."""
    if isinstance(value, float) or not hasattr(value, "item"):
        return value
    plain = value.item()
    return None if isinstance(plain, (str, bytes)) else plain


def finite(number: Part | None) -> Part | None:
    """Return the number, or None if JSON cannot represent it."""
    return number if number is not None and math.isfinite(number) else None


def spec_of(name: str, options: Mapping[str, Value]) -> str:
    """Return a name and options as a spec.

    Examples
    --------
    >>> spec_of("distinct", {"n": 2, "pool": "text"})
    'distinct:n=2,pool=text'
    """
    words = ",".join(f"{key}={written(value)}" for key, value in options.items())
    return f"{name}:{words}" if words else name


class Scores(Sequence[Score]):
    """The scores of one run, in the requested order; indexed by position or by spec.

    Examples
    --------
    >>> scores = Scores([Score(0.5, metric="distinct", options={"n": 1}, spec="distinct:n=1")])
    >>> scores["distinct:n=1"].value, scores[0].value, scores.keys()
    (0.5, 0.5, ['distinct:n=1'])
    >>> "distinct:n=1" in scores, scores.get("ead") is None
    (True, True)
    """

    def __init__(
        self,
        scores: Sequence[Score],
        corpora: Sequence[Mapping[str, Any]] = (),
        comparisons: Sequence[Comparison] = (),
    ) -> None:
        self._scores = tuple(scores)
        self.corpora = tuple(corpora)
        self.comparisons = tuple(comparisons)

    def __len__(self) -> int:
        return len(self._scores)

    def __iter__(self) -> Iterator[Score]:
        return iter(self._scores)

    @overload
    def __getitem__(self, key: int) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> Scores: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...

    def __getitem__(self, key: int | slice | str) -> Any:
        """Return one score by position or spec; `Scores` if several scores match the spec."""
        if isinstance(key, slice):
            return Scores(self._scores[key], self.corpora, self.comparisons)
        if isinstance(key, int):
            return self._scores[key]
        scores = self._matching(key)
        if not scores:
            raise KeyError(str(unknown("score", key, self.keys())))
        return scores[0] if len(scores) == 1 else Scores(scores, self.corpora, self.comparisons)

    def _matching(self, spec: str) -> list[Score]:
        exact = [score for score in self._scores if spec == score.spec]
        return exact or [score for score in self._scores if _matches(score, spec)]

    def __contains__(self, key: object) -> bool:
        """Return whether a score has this spec, or whether a score is one of these."""
        return bool(self._matching(key)) if isinstance(key, str) else key in self._scores

    def get(self, spec: str, default: D | None = None) -> Any | D | None:
        """Return `scores[spec]`, or a default if no score matches the spec."""
        try:
            return self[spec]
        except KeyError:
            return default

    def keys(self) -> list[str]:
        """Return the specs of the scores; a spec without `n` is listed once per n."""
        return list(dict.fromkeys(score.spec for score in self._scores))

    def values(self) -> list[Score]:
        """Return the scores."""
        return list(self._scores)

    def items(self) -> list[tuple[str, Any]]:
        """Return (spec, score) pairs."""
        return [(key, self[key]) for key in self.keys()]

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            (*self._scores, *other._scores),
            (*self.corpora, *other.corpora),
            (*self.comparisons, *other.comparisons),
        )

    def select(self, *, corpus: str | None = None, scope: str | None = None) -> Scores:
        """Return the scores of one corpus, one scope, or both."""
        selected = [s for s in self if corpus in (None, s.corpus) and scope in (None, s.scope)]
        return Scores(selected, self.corpora, self.comparisons)

    def __repr__(self) -> str:
        lines = "".join(f"  {score!r},\n" for score in self._scores)
        return f"Scores([\n{lines}])" if lines else "Scores([])"

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks, one row per score."""
        columns = ["metric", "corpus", "reference", "scope", "value", "low", "high", "undefined"]
        rows = [{**score.to_record(), "metric": score.spec or score.metric} for score in self._scores]
        used = [name for name in columns if any(row[name] not in ("", None) for row in rows)]
        return html_table(used, rows)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat row per score; all rows have the same columns, with None for missing values.

        The columns also have the mean length of the texts of the corpus, and of the reference.
        """
        lengths = {corpus["name"]: corpus.get("tokens_per_text") for corpus in self.corpora}
        rows = [score.to_record() for score in self._scores]
        for row in rows if any(lengths.values()) else ():
            row["tokens_per_text"] = lengths.get(row["corpus"])
            if row["reference"] in lengths:
                row["reference_tokens_per_text"] = lengths[row["reference"]]
        columns = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in columns} for row in rows]

    def flat(self) -> dict[str, float]:
        """Return plain floats under names that experiment trackers accept, in the order of the scores.

        A name is made from what was requested, never from values or sizes, so that it is the same at each
        step of a training run. `distinctly.log` writes these numbers to a tracker.

        =====================================  ====================================================
        ``distinct:n=1``                       ``distinct_n1``
        ``ead:vocabulary=50257``               ``ead_vocabulary50257``
        ``self_bleu``, within groups           ``self_bleu_within``; across groups ``…_across``
        at the size of the smallest corpus     ``distinct_n1_same_size``
        of one of several corpora              ``distinct_n1_gpt_4`` for ``gpt-4``
        the interval                           ``distinct_n1_low``, ``distinct_n1_high``
        the permutation test of a distance     ``…_p``, ``…_p_holm`` (corrected)
        the noise floor of a distance          ``…_floor_ratio``
        the ratio to another corpus            ``…_relative``, ``…_relative_low``, ``…_relative_high``
        =====================================  ====================================================

        Undefined values are NaN. Numbers that a score does not have, such as an interval, have no entry.

        Examples
        --------
        >>> scores = Scores([Score(0.5, spec="distinct:n=1", low=0.4, high=0.6)])
        >>> scores.flat()
        {'distinct_n1': 0.5, 'distinct_n1_low': 0.4, 'distinct_n1_high': 0.6}
        """
        numbers: dict[str, float] = importlib.import_module("distinctly.flat").flat(self)
        return numbers

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row per score."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("Scores.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame(self.to_records())

    def to_polars(self) -> polars.DataFrame:
        """Return a polars DataFrame, one row per score."""
        try:
            import polars
        except ImportError as error:
            raise missing_extra("Scores.to_polars", "polars", "polars") from error
        return polars.DataFrame(self.to_records(), infer_schema_length=None)

    def matrix(self, spec: str = "") -> Matrix:
        """Return the distances between all pairs of corpora, of `compare` with ``matrix=True``.

        Parameters
        ----------
        spec
            The metric; it can be omitted if there is only one.

        Examples
        --------
        >>> import distinctly as dy
        >>> corpora = {"a": ["x y", "x z"], "b": ["x y", "y z"], "c": ["u v", "v w"]}
        >>> matrix = dy.compare(corpora, metrics="jensen_shannon", matrix=True).matrix()
        >>> matrix.names, matrix.values.round(2).tolist()
        (['a', 'b', 'c'], [[nan, 0.25, 1.0], [0.25, nan, 1.0], [1.0, 1.0, nan]])
        """
        from distinctly.matrix import Matrix

        pairs = [score for score in self._scores if score.kind == "distance"]
        if len({score.reference for score in pairs}) < 2:
            raise SpecError(
                "Expected distances between all pairs of corpora: compare with `matrix` (--matrix)."
            )
        specs = list(dict.fromkeys(score.spec for score in pairs))
        chosen = list(dict.fromkeys(score.spec for score in self._matching(spec))) if spec else specs
        if not chosen:
            raise unknown("score", spec, specs)
        if len(chosen) > 1:
            raise SpecError(f"Expected one metric, got {', '.join(chosen)}: name one of them.")
        names = list(dict.fromkeys(score.reference or "" for score in pairs))
        known = {(score.reference, score.corpus): score.value for score in pairs if score.spec == chosen[0]}
        rows = [[known.get((row, column), math.nan) for column in names] for row in names]
        return Matrix.of(chosen[0], names, rows)

    def plot(self, kind: PlotKind | None = None, *, path: str | Path | None = None) -> Figure:
        """Draw the scores (``pip install "distinctly[plots]"``), and return the figure of matplotlib.

        Parameters
        ----------
        kind
            ``forest``: the values with their intervals, one panel per metric, one row per corpus; the
            default. ``length``: the values against the mean length of texts, one point per corpus.
            ``matrix``: heat maps of the distances between all pairs of corpora, ordered by a dendrogram; the
            default for `compare` with ``matrix=True``.
        path
            A .png, .svg or .pdf file to write the figure to as well; an existing one is replaced.
        """
        # Reports are in a higher layer.
        charts = importlib.import_module("distinctly.report.pages.charts").charts_of(self, kind)
        figure: Figure = importlib.import_module("distinctly.report.figures").figure_of(
            charts, across=2, path=path
        )
        return figure

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write a report to a file, whose ending decides the format.

        Parameters
        ----------
        path
            A .csv, .tsv, .xlsx (``pip install "distinctly[excel]"``), .parquet, .json, .jsonl, .md, .tex,
            .html or .txt file; an existing one is replaced.
        bom
            Whether a .csv or .tsv file begins with a byte order mark, so that Excel shows accents.
        raw_cells
            Whether text cells of .csv, .tsv and .xlsx files are written as they are. By default those that
            a spreadsheet would read as a formula get an apostrophe in front.
        """
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.scores").page_of_scores(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)

    def report(self, path: str | Path) -> None:
        """Write a report for readers: a summary, charts, tables, warnings, signatures and references.

        `distinctly.write_report` writes one from texts, which also has their repetitions, curves and a map.

        Parameters
        ----------
        path
            An .html (``pip install "distinctly[report]"``), .md or .json file; an existing one is replaced.
        """
        # Reports are in a higher layer.
        importlib.import_module("distinctly.overview.reporting").save_scores(self, path)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; ``format_version`` identifies the set of keys."""
        comparisons = [comparison.to_dict() for comparison in self.comparisons]
        return {
            "format_version": FORMAT_VERSION,
            "corpora": [dict(corpus) for corpus in self.corpora],
            "scores": [score.to_dict() for score in self._scores],
        } | ({"comparisons": comparisons} if comparisons else {})


def _matches(score: Score, spec: str) -> bool:
    """Return whether the metric and all options of the spec are those of the score."""
    try:
        (name, words), (_, requested) = split_spec(spec), split_spec(score.spec)
    except SpecError:  # a function matches only by its whole spec
        return False
    options = {key: written(value) for key, value in score.options.items()} | requested
    return name == score.metric and words.items() <= options.items()


# Before the name of a metric whose value is approximate.
APPROXIMATE = "~"


@dataclass(frozen=True)
class Signature:
    """Everything needed to reproduce a score, as one line of text.

    `metric|option:value|…|tok:name,option:value|texts:count#hash|…|v:version`. The
    separators (``| : , %``) and control characters are percent-encoded in values. An approximate value has
    ``~`` before the name of its metric.

    Examples
    --------
    >>> line = "distinct|n:2|pool:corpus|denominator:ngrams|tok:words,lc:no|texts:3#00ff|v:0.2.0"
    >>> signature = Signature.parse(line)
    >>> signature.spec, signature.tokenizer, signature.facts["texts"]
    ('distinct:n=2,pool=corpus,denominator=ngrams', 'words:lc=no', '3#00ff')
    >>> str(signature) == line
    True
    """

    metric: str
    options: Mapping[str, str]
    view: tuple[str, str, Mapping[str, str]]
    facts: Mapping[str, str]

    def __str__(self) -> str:
        kind, name, options = self.view
        exact = {key: value for key, value in self.options.items() if key != "approximate"}
        mark = "" if len(exact) == len(self.options) else APPROXIMATE
        head = _head(mark + self.metric, tuple(exact.items()), kind, name, tuple(options.items()))
        return "|".join([head, *(f"{key}:{_escaped(value)}" for key, value in self.facts.items())])

    @property
    def spec(self) -> str:
        """The spec of the metric, for `measure`."""
        return spec_of(self.metric, dict(self.options))

    @property
    def tokenizer(self) -> str:
        """The spec of the tokenizer, for `measure`; the default if no tokenizer was used."""
        kind, name, options = self.view
        if kind != "tok":
            return "words"
        return _named(name, options)

    @property
    def embedder(self) -> str | None:
        """The spec of the embedder, for `measure`; None if no embedder was used."""
        kind, name, options = self.view
        if kind != "emb":
            return None
        # The hash of a file also covers the dimension.
        is_file = "name" in options
        return _named(name, {key: value for key, value in options.items() if key != "dim" or not is_file})

    @property
    def tagger(self) -> str | None:
        """The spec of the tagger, for `measure`; None if the tags were given, or came from a function."""
        kind, name, options = self.view
        if kind != "tag" or name in ("given", "function"):
            return None
        return _named(name, options)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the signature of a line of text."""
        metric, *words = text.strip().split("|")
        pairs = [word.partition(":") for word in words]
        split = next((i for i, (key, _, _) in enumerate(pairs) if key in _VIEWS), None)
        if split is None or not all(colon for _, colon, _ in pairs):
            raise SpecError(
                f"Expected a signature such as 'distinct|n:2|…|tok:words,lc:no|texts:9#1f…', got '{text}'."
            )
        kind, _, view = pairs[split]
        name, *view_words = view.split(",")
        view_pairs = (word.partition(":") for word in view_words)
        options = {key: _unescaped(value) for key, _, value in pairs[:split]}
        if metric.startswith(APPROXIMATE):
            options["approximate"] = "yes"
        return cls(
            metric=metric.removeprefix(APPROXIMATE),
            options=options,
            view=(kind, _unescaped(name), {key: _unescaped(value) for key, _, value in view_pairs}),
            facts={key: _unescaped(value) for key, _, value in pairs[split + 1 :]},
        )


_VIEWS = ("tok", "tag", "txt", "emb")
# Most values need no encoding.
_PLAIN = re.compile(r"[\w.#/+-]*", re.ASCII)
# Options that a spec writes without their name, and whose value may contain any character.
_BARE = ("pattern", "name")


def _named(name: str, options: Mapping[str, str]) -> str:
    """Return the spec of a tokenizer, embedder or tagger."""
    bare = next((key for key in _BARE if key in options), None)
    if bare is None:
        return spec_of(name, dict(options))
    rest = "".join(f",{key}={value}" for key, value in options.items() if key != bare)
    return f"{name}:{options[bare]}{rest}"


@lru_cache(maxsize=4096)
def _head(
    metric: str,
    options: tuple[tuple[str, str], ...],
    kind: str,
    name: str,
    view_options: tuple[tuple[str, str], ...],
) -> str:
    """Return the part of a signature that all scores of one metric and view share."""
    view = ",".join([_escaped(name), *(f"{key}:{_escaped(value)}" for key, value in view_options)])
    return "|".join([metric, *(f"{key}:{_escaped(value)}" for key, value in options), f"{kind}:{view}"])


def _escaped(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    return "".join(
        "".join(f"%{byte:02X}" for byte in c.encode("utf-8", "surrogatepass"))
        if c in "|:,%" or not c.isprintable()
        else c
        for c in value
    )


def _unescaped(value: str) -> str:
    return unquote(value, errors="surrogatepass")
