"""A number that says what it is: `Score`, the `Scores` of one run, and the `Signature`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload
from urllib.parse import unquote

from distinctly.errors import SpecError, unknown
from distinctly.options import Value, split_spec, written

Part = int | float


@dataclass(frozen=True, eq=False, repr=False)
class Score(float):
    """One metric's value on one corpus: a float that carries how it was made.

    Attributes
    ----------
    value
        The number; NaN where it is undefined, and then `notes` says why.
    metric, options
        The metric's name and the options that can change the number.
    parts
        What the number was made of, by name (`N`, `C`, …).
    low, high
        The interval, where one was asked for.
    signature
        Everything needed to make the number again; see `Signature`.
    notes
        What a reader of the number should know.
    spec
        The metric as it was asked for.
    corpus, reference, scope
        Which corpus, against which other one, within which grouping.

    Examples
    --------
    >>> score = Score(0.5, metric="distinct", options={"n": 1})
    >>> score + 1, score > 0.4, f"{score:.2f}"
    (1.5, True, '0.50')
    """

    value: float
    metric: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    signature: str = ""
    notes: tuple[str, ...] = ()
    spec: str = ""
    corpus: str = ""
    reference: str | None = None
    scope: str | None = None

    def __new__(cls, value: float, *_: object, **__: object) -> Score:
        """Make the float; the rest is kept beside it."""
        return super().__new__(cls, value)

    def __repr__(self) -> str:
        return f"Score({self.value!r}, {self.spec or self.metric!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN and infinities become None, an infinite option the word for it."""
        return {
            "metric": self.metric,
            "options": {
                name: written(option) if option in (math.inf, -math.inf) else option
                for name, option in self.options.items()
            },
            "value": finite(self.value),
            "parts": {name: finite(part) for name, part in self.parts.items()},
            "low": finite(self.low),
            "high": finite(self.high),
            "signature": self.signature,
            "notes": list(self.notes),
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
        found = [score for score in self._scores if key == score.spec]
        found = found or [score for score in self._scores if _answers(score, key)]
        if not found:
            raise KeyError(str(unknown("score", key, self.keys())))
        return found[0] if len(found) == 1 else Scores(found, self.corpora, self.comparisons)

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
        return f"Scores({list(self._scores)!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "corpora": [dict(corpus) for corpus in self.corpora],
            "scores": [score.to_dict() for score in self._scores],
            **({"comparisons": [one.to_dict() for one in self.comparisons]} if self.comparisons else {}),
        }


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
        seen = ",".join([_escaped(name), *(f"{key}:{_escaped(value)}" for key, value in options.items())])
        return "|".join(
            [
                self.metric,
                *(f"{key}:{_escaped(value)}" for key, value in self.options.items()),
                f"{kind}:{seen}",
                *(f"{key}:{_escaped(value)}" for key, value in self.facts.items()),
            ]
        )

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


_VIEWS = ("tok", "txt", "emb")
# A pattern, or the name of a file or model: written alone after the tokenizer's, and may hold anything.
_BARE = ("pattern", "name")


def _escaped(value: str) -> str:
    return "".join(
        "".join(f"%{byte:02X}" for byte in c.encode("utf-8", "surrogatepass"))
        if c in "|:,%" or not c.isprintable()
        else c
        for c in value
    )


def _plain(value: str) -> str:
    return unquote(value, errors="surrogatepass")
