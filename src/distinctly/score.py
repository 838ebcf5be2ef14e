"""A number that says what it is: `Score`, the `Scores` of one run, and the `Signature`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, overload
from urllib.parse import unquote

from distinctly.errors import SpecError, missing_extra, unknown
from distinctly.options import Value, split_spec, written

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    import polars

Part = int | float
Kind = Literal["diversity", "distance"]
Level = Literal["info", "warning"]
NoteScope = Literal["metric", "corpus", "run"]
D = TypeVar("D")
# Raised when a key of the JSON document changes its meaning or goes away.
FORMAT_VERSION = 1
# The reason for a NaN whose metric gives none.
NO_REASON = "it gave NaN."


class Note(str):
    """A sentence about a number, with how much it matters and what it is about.

    Attributes
    ----------
    level
        ``warning`` where the number is not safe to use as it is; ``info`` otherwise.
    scope
        What the sentence is about: the value of one ``metric``, the ``corpus`` (or the two that are
        compared), whatever the metric, or the whole ``run``.

    Examples
    --------
    >>> note = Note("Only 7 1-grams: too few for a number that means much.", "warning")
    >>> note.level, note.scope, "too few" in note
    ('warning', 'metric', True)
    """

    level: Level
    scope: NoteScope

    def __new__(cls, text: str, level: Level = "info", scope: NoteScope = "metric") -> Note:
        """Make the string; level and scope are kept beside it."""
        note = super().__new__(cls, text)
        note.level, note.scope = level, scope
        return note

    def __getnewargs__(self) -> tuple[str, Level, NoteScope]:  # type: ignore[override]
        return str(self), self.level, self.scope

    def with_text(self, text: str) -> Note:
        """Return another sentence of the same level and scope."""
        return Note(text, self.level, self.scope)


@dataclass(frozen=True, kw_only=True)
class Test:
    """Whether a distance is larger than chance alone makes it.

    Attributes
    ----------
    p, p_holm
        The p-value, and the same corrected for the number of distances (Holm, 1979). NaN where the distance
        is undefined.
    permutations
        The number of shuffles.
    how
        What was shuffled, in words.
    """

    __test__: ClassVar[bool] = False  # no test of the suite, whatever its name begins with

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
    """The noise floor of a distance: how far apart two random parts of the reference are.

    Attributes
    ----------
    mean, high
        The mean over draws, and the value that 95 % of them do not exceed.
    texts
        The number of texts of each part.
    distance_at_size
        The distance between that many texts of the reference and of the candidate.

    Examples
    --------
    >>> Floor(mean=0.25, high=0.5, texts=100, distance_at_size=1.0).ratio
    4.0
    """

    mean: float
    high: float
    texts: int
    distance_at_size: float

    @property
    def ratio(self) -> float:
        """How many times the floor the distance is at the same number of texts; NaN where the floor is 0."""
        return self.distance_at_size / self.mean if self.mean > 0 else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "mean": finite(self.mean),
            "high": finite(self.high),
            "texts": self.texts,
            "distance_at_size": finite(self.distance_at_size),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Score(float):
    """One metric's value on one corpus: a float that carries how it was made.

    Attributes
    ----------
    value
        The number; NaN where it is undefined.
    undefined
        Why there is no value; None where there is one.
    kind
        What is measured: the ``diversity`` of one corpus, or the ``distance`` between two.
    metric, options
        The metric's name and the options that can change the number.
    parts
        What the number was made of, by name (`N`, `C`, …).
    low, high
        The interval, where one was asked for.
    signature
        Everything needed to make the number again; see `Signature`.
    test, floor
        Of a distance: whether it is larger than chance makes it, and its noise floor, where asked for.
    notes
        What a reader of the number should know, as `Note` objects.
    spec
        The metric as it was asked for.
    corpus, reference, scope
        Which corpus, against which other one, within which grouping.

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

    def __new__(cls, value: float, *_: object, **__: object) -> Score:
        """Make the float; the rest is kept beside it."""
        return super().__new__(cls, value)

    def __post_init__(self) -> None:
        # Plug-ins may give strings.
        notes = tuple(note if isinstance(note, Note) else Note(note) for note in self.notes)
        object.__setattr__(self, "notes", notes)
        undefined = (self.undefined or NO_REASON) if math.isnan(self.value) else None
        object.__setattr__(self, "undefined", undefined)

    def __repr__(self) -> str:
        shown: dict[str, object] = {"corpus": self.corpus, "reference": self.reference, "scope": self.scope}
        if self.low is not None and self.high is not None:
            shown |= {"low": self.low, "high": self.high}
        shown |= {"undefined": self.undefined}
        words = [f"{name}={value!r}" for name, value in shown.items() if value not in ("", None)]
        return f"Score({', '.join([repr(self.value), repr(self.spec or self.metric), *words])})"

    def with_value(self, value: float, undefined: str) -> Score:
        """Return the score with another value; `undefined` is the reason where that alone is NaN."""
        return replace(self, value=value, undefined=self.undefined or undefined)

    def to_record(self) -> dict[str, Any]:
        """Return the score as one flat row: all that `to_dict` has, with a column per part.

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
                "noise_floor_high": self.floor.high,
                "noise_floor_texts": self.floor.texts,
                "at_floor_size": self.floor.distance_at_size,
            }
        return record

    def evolve(self, **changes: Any) -> Score:
        """Return the score with other facts about the same value; faster than `dataclasses.replace`."""
        score = float.__new__(Score, self.value)
        score.__dict__.update(self.__dict__, **changes)
        return score

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN and infinities become None, an infinite option the word for it."""
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
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Whether a corpus differs from the best one by more than noise.

    Attributes
    ----------
    metric, scope
        Of which score.
    best, corpus, difference
        The value of `corpus` less that of `best`.
    p, p_holm
        The p-value of the difference, and the same corrected for all comparisons of the run (Holm, 1979).
    noise
        Whether the difference may be chance: the corrected p-value is not under 0.05. None where there
        was too little to test.
    test, exchanged
        How it was tested, and whether a test by exchanging texts was asked for.
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
        }


def finite(number: Part | None) -> Part | None:
    """Return the number, or None where JSON has no word for it."""
    return number if number is not None and math.isfinite(number) else None


def spec_of(name: str, options: Mapping[str, Value]) -> str:
    """Write a name and options as a spec.

    Examples
    --------
    >>> spec_of("distinct", {"n": 2, "pool": "text"})
    'distinct:n=2,pool=text'
    """
    words = ",".join(f"{key}={written(value)}" for key, value in options.items())
    return f"{name}:{words}" if words else name


class Scores(Sequence[Score]):
    """The scores of one run, in the order asked for; found by position or by spec.

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
        """Return one score by position or spec; `Scores` where a spec made several."""
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
        return exact or [score for score in self._scores if _answers(score, spec)]

    def __contains__(self, key: object) -> bool:
        """Tell whether a spec has a score here, or whether a score is one of these."""
        return bool(self._matching(key)) if isinstance(key, str) else key in self._scores

    def get(self, spec: str, default: D | None = None) -> Any | D | None:
        """Return what `scores[spec]` returns, or a default where no score has the spec."""
        try:
            return self[spec]
        except KeyError:
            return default

    def keys(self) -> list[str]:
        """Return the specs as given; one without its `n` made several, each with its own."""
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
        """Return the scores of one corpus, or of one scope."""
        chosen = [s for s in self if corpus in (None, s.corpus) and scope in (None, s.scope)]
        return Scores(chosen, self.corpora, self.comparisons)

    def __repr__(self) -> str:
        lines = "".join(f"  {score!r},\n" for score in self._scores)
        return f"Scores([\n{lines}])" if lines else "Scores([])"

    def _repr_html_(self) -> str:
        """Return a table, one row per score, for notebooks."""
        columns = ["metric", "corpus", "reference", "scope", "value", "low", "high", "undefined"]
        rows = [{**score.to_record(), "metric": score.spec or score.metric} for score in self._scores]
        used = [name for name in columns if any(row[name] not in ("", None) for row in rows)]
        head = "".join(f"<th>{name}</th>" for name in used)
        body = "".join(
            f"<tr>{''.join(f'<td>{_html_cell(row[name])}</td>' for name in used)}</tr>\n" for row in rows
        )
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat row per score; all rows have the same columns, None where a score has none."""
        rows = [score.to_record() for score in self._scores]
        columns = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in columns} for row in rows]

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

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; ``format_version`` says which keys to expect."""
        return {
            "format_version": FORMAT_VERSION,
            "corpora": [dict(corpus) for corpus in self.corpora],
            "scores": [score.to_dict() for score in self._scores],
            **({"comparisons": [one.to_dict() for one in self.comparisons]} if self.comparisons else {}),
        }


def _html_cell(value: object) -> str:
    return escape("" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value))


def _answers(score: Score, spec: str) -> bool:
    """Tell whether the score is one that this spec, or a part of it, asks for."""
    try:
        (name, words), (_, asked) = split_spec(spec), split_spec(score.spec)
    except SpecError:  # a function is found by its whole spec only
        return False
    own = {key: written(value) for key, value in score.options.items()} | asked
    return name == score.metric and words.items() <= own.items()


@dataclass(frozen=True)
class Signature:
    """What a number needs to be made again, as one line of text.

    `metric|option:value|…|tok:name,option:value|texts:count#hash|…|v:version`. Characters that
    the line itself uses (``| : , %``) are percent-encoded inside values, as are control ones.

    Examples
    --------
    >>> line = "distinct|n:2|pool:corpus|denominator:ngrams|tok:words,lc:no|texts:3#00ff|v:0.1.0"
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
        head = _head(self.metric, tuple(self.options.items()), kind, name, tuple(options.items()))
        return "|".join([head, *(f"{key}:{_escaped(value)}" for key, value in self.facts.items())])

    @property
    def spec(self) -> str:
        """The metric as a spec that `measure` takes."""
        return spec_of(self.metric, dict(self.options))

    @property
    def tokenizer(self) -> str:
        """The tokenizer as a spec that `measure` takes; the default where none had a bearing."""
        kind, name, options = self.view
        if kind != "tok":
            return "words"
        bare = next((key for key in _BARE if key in options), None)
        if bare is None:
            return spec_of(name, dict(options))
        rest = "".join(f",{key}={value}" for key, value in options.items() if key != bare)
        return f"{name}:{options[bare]}{rest}"

    @property
    def embedder(self) -> str | None:
        """The embedder as a spec that `measure` takes; None where no vector had a bearing."""
        kind, name, options = self.view
        if kind != "emb":
            return None
        if "name" not in options:
            return spec_of(name, dict(options))
        # A file, whose hash says the dimension, too.
        rest = "".join(f",{key}={value}" for key, value in options.items() if key not in ("name", "dim"))
        return f"{name}:{options['name']}{rest}"

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature back."""
        metric, *words = text.strip().split("|")
        pairs = [word.partition(":") for word in words]
        split = next((i for i, (key, _, _) in enumerate(pairs) if key in _VIEWS), None)
        if split is None or not all(colon for _, colon, _ in pairs):
            raise SpecError(
                f"Expected a signature such as 'distinct|n:2|…|tok:words,lc:no|texts:9#1f…', got '{text}'."
            )
        kind, _, seen = pairs[split]
        name, *view_words = seen.split(",")
        view_pairs = (word.partition(":") for word in view_words)
        return cls(
            metric=metric,
            options={key: _plain(value) for key, _, value in pairs[:split]},
            view=(kind, _plain(name), {key: _plain(value) for key, _, value in view_pairs}),
            facts={key: _plain(value) for key, _, value in pairs[split + 1 :]},
        )


_VIEWS = ("tok", "tag", "txt", "emb")
# What never has to be encoded: most values.
_PLAIN = re.compile(r"[\w.#/+-]*", re.ASCII)
# A pattern, or the name of a file or model: written alone after the tokenizer's, and may hold anything.
_BARE = ("pattern", "name")


@lru_cache(maxsize=4096)
def _head(
    metric: str,
    options: tuple[tuple[str, str], ...],
    kind: str,
    name: str,
    view_options: tuple[tuple[str, str], ...],
) -> str:
    """Write the part of a signature that scores of the same metric and view share."""
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


def _plain(value: str) -> str:
    return unquote(value, errors="surrogatepass")
