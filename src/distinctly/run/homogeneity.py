"""How alike systems answer the same prompts, beside answers to other prompts."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.errors import InputError, SpecError
from distinctly.geometry.ngram_similarities import ngram_sets
from distinctly.geometry.prompt_means import Pairing, PromptMeans, unit_rows
from distinctly.geometry.scaling import have_directions
from distinctly.hashing import Hashes
from distinctly.html_tables import html_table
from distinctly.ragged import Integers
from distinctly.run.corpora import NamedRows, Subcorpus, one_pool
from distinctly.run.estimating import LEAST_UNITS
from distinctly.run.plan import Plan, Views
from distinctly.run.resampling import ROUNDING, Z, deviations
from distinctly.run.scoring import Scorer, length_warning, notes_on_corpora
from distinctly.score import FORMAT_VERSION, Note, finite
from distinctly.statistics.contents import ColumnContents, Content, Contents
from distinctly.statistics.pool import Pool
from distinctly.version import __version__
from distinctly.views.vectors import VectorView

if TYPE_CHECKING:
    from distinctly.geometry.prompt_means import Vectors

Measure = Literal["cosine", "shared n-grams"]
Options = Mapping[str, str | int | None]
Bounds = tuple[float, float]
COSINE: Measure = "cosine"
NGRAMS: Measure = "shared n-grams"
# The largest and the smallest value of each measure.
_BOUNDS: Mapping[Measure, Bounds] = {COSINE: (-1.0, 1.0), NGRAMS: (0.0, 1.0)}
# The number of systems whose left-out texts are listed by name.
LISTED = 3


@dataclass(frozen=True)
class Likeness:
    """How alike systems answer the same prompts, by one measure: one row and one column per system.

    Attributes
    ----------
    measure
        ``cosine``: cosine of the vectors of two texts. ``shared n-grams``: the number of distinct n-grams
        that two texts share, divided by the geometric mean of the numbers that each has.
    options
        The options of the measure: `embedder` and `context`, or `tokenizer` and `n`.
    systems
        The names of the systems.
    similarity
        The mean over prompts that both systems have of the mean over pairs of an answer of each. On the
        diagonal, pairs of different answers of one system. NaN if there is no pair.
    floor
        The mean over pairs of different prompts: how alike answers to other prompts are. NaN if there are
        fewer than two prompts.
    low, high
        The 95 % interval of the similarity; NaN if it was not requested, or if there is none.
    above_low, above_high
        The 95 % interval of the similarity less the floor.
    prompts
        The number of prompts that two systems share.
    texts, left_out
        The number of texts of each system, and of those that are left out: they have a zero vector, or no
        n-gram.
    undefined
        Why a number of a pair is NaN; None if all are defined.
    """

    measure: Measure
    options: Options
    systems: Sequence[str]
    similarity: Reals
    floor: Reals
    low: Reals
    high: Reals
    above_low: Reals
    above_high: Reals
    prompts: Integers
    texts: Sequence[int]
    left_out: Sequence[int]
    undefined: Sequence[Sequence[str | None]]

    @property
    def above(self) -> Reals:
        """The similarity less the floor."""
        above: Reals = self.similarity - self.floor
        return above

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of all pairs of different systems whose similarity is defined, the most alike first."""
        places = [
            (a, b)
            for a, b in combinations(range(len(self.systems)), 2)
            if not math.isnan(self.similarity[a, b])
        ]
        return sorted(places, key=lambda pair: -self.similarity[pair])

    def mean_floor(self, system: int) -> float:
        """Return the mean floor of one system with each other; NaN if none is defined."""
        others = [self.floor[system, other] for other in range(len(self.systems)) if other != system]
        defined = [floor for floor in others if not math.isnan(floor)]
        return float(np.mean(defined)) if defined else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "measure": self.measure,
            **self.options,
            "texts": list(self.texts),
            "left_out": list(self.left_out),
            "prompts": self.prompts.tolist(),
            "similarity": _plain(self.similarity),
            "low": _plain(self.low),
            "high": _plain(self.high),
            "floor": _plain(self.floor),
            "above": _plain(self.above),
            "above_low": _plain(self.above_low),
            "above_high": _plain(self.above_high),
            "undefined": [list(row) for row in self.undefined],
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat row per pair of systems, and per system with itself."""
        return [
            {
                "measure": self.measure,
                "system": self.systems[a],
                "other": self.systems[b],
                "similarity": float(self.similarity[a, b]),
                "low": float(self.low[a, b]),
                "high": float(self.high[a, b]),
                "floor": float(self.floor[a, b]),
                "above": float(self.above[a, b]),
                "above_low": float(self.above_low[a, b]),
                "above_high": float(self.above_high[a, b]),
                "prompts": int(self.prompts[a, b]),
                "undefined": self.undefined[a][b],
                **self.options,
            }
            for a, b in combinations_with_replacement(range(len(self.systems)), 2)
        ]


@dataclass(frozen=True)
class Homogeneity:
    """How alike systems answer the same prompts, by several measures.

    Attributes
    ----------
    corpora
        The facts of each system: its name, texts, tokens, prompts and hash.
    measures
        One `Likeness` per measure; ``homogeneity["cosine"]`` is one of them.
    notes
        What a reader should know, each once.

    Examples
    --------
    >>> import distinctly as dy
    >>> a, b = ["the cat sat", "it rains a lot"], ["the cat ran", "it rains a bit"]
    >>> alike = dy.homogeneity({"a": a, "b": b}, groups=["cats", "weather"], n=1)["shared n-grams"]
    >>> float(alike.similarity[0, 1].round(4)), float(alike.floor[0, 1])  # 2 of 3, and 3 of 4 words
    (0.7083, 0.0)
    """

    corpora: Sequence[Mapping[str, Any]]
    measures: Sequence[Likeness]
    notes: Sequence[Note]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the order of the rows and columns."""
        return [str(corpus["name"]) for corpus in self.corpora]

    def __getitem__(self, measure: str) -> Likeness:
        """Return the numbers of a measure."""
        for likeness in self.measures:
            if likeness.measure == measure:
                return likeness
        raise KeyError(f"'{measure}' is none of {', '.join(each.measure for each in self.measures)}")

    @property
    def summary(self) -> list[str]:
        """One sentence or more per measure: the mean, and the pairs that are most and least alike."""
        return [sentence for likeness in self.measures if (sentence := _summary(likeness))]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "corpora": [dict(corpus) for corpus in self.corpora],
            "measures": [likeness.to_dict() for likeness in self.measures],
            "summary": self.summary,
            "notes": [str(note) for note in self.notes],
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat row per measure and pair of systems, and per system with itself."""
        return [record for likeness in self.measures for record in likeness.to_records()]

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks, one row per measure and pair."""
        columns = ["measure", "system", "other", "similarity", "low", "high", "floor", "prompts"]
        rows = [
            {
                name: None if isinstance(value, float) and math.isnan(value) else value
                for name, value in record.items()
            }
            for record in self.to_records()
        ]
        return html_table(columns, rows)

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write the result to a file, whose ending decides the format.

        Parameters
        ----------
        path, bom, raw_cells
            As for `Scores.save`.
        """
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.homogeneity").page_of_homogeneity(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)


def _plain(numbers: Reals) -> list[list[float | None]]:
    return [[finite(number) for number in row] for row in numbers.tolist()]


def _summary(likeness: Likeness) -> str:
    """Return the mean of all pairs, and the pairs that are most and least alike, in words."""
    pairs = likeness.pairs
    if not pairs:
        return ""

    def written(pair: tuple[int, int]) -> str:
        floor = likeness.floor[pair]
        beside = "" if math.isnan(floor) else f"; answers to other prompts: {floor:.3f}"
        first, second = (likeness.systems[place] for place in pair)
        return f"{first} and {second} ({likeness.similarity[pair]:.3f}{beside})"

    if len(pairs) == 1:
        return f"By {likeness.measure}: {written(pairs[0])}."
    return f"Most alike by {likeness.measure}: {written(pairs[0])}. Least alike: {written(pairs[-1])}."


@dataclass(frozen=True)
class Comparing:
    """How systems are compared.

    Attributes
    ----------
    views
        The tokenizer and the embedder.
    n
        The length of the n-grams.
    context
        Whether the direction of the prompt is taken out of the vector of each text.
    interval
        Whether intervals are computed.
    """

    views: Views
    n: int = 2
    context: bool = False
    interval: bool = False

    def compare(self, corpora: Sequence[NamedRows]) -> Homogeneity:
        """Compare all systems, which were read; each text is embedded once."""
        for corpus in corpora:
            _check(corpus)
        systems = one_pool(corpora, self.views.tokens)
        if len(systems) < 2:
            raise InputError(
                f"Expected the answers of at least two systems, got those of '{systems[0].name}' alone. Give "
                "another file, or the field that names the system with --by (Python: by=)."
            )
        prompts = Prompts.of(systems)
        measures = [self._by_cosine(systems, prompts), self._by_ngrams(systems, prompts)]
        plan = Plan((), self.views)
        scorers = [Scorer(system.name, system.summaries, plan) for system in systems]
        facts = [
            self._facts(scorer, int((of_system > 0).sum()))
            for scorer, of_system in zip(scorers, prompts.counts)
        ]
        notes = [*self._notes(measures, prompts, facts), *notes_on_corpora(scorers, self.views.embedder)]
        # Sorting keeps the order of what is equally important.
        return Homogeneity(facts, measures, sorted(notes, key=lambda note: note.level != "warning"))

    def _by_cosine(self, systems: Sequence[Subcorpus], prompts: Prompts) -> Likeness:
        embedder = self.views.embedder
        if embedder is None:
            raise TypeError("expected an embedder")
        view = VectorView(embedder, self.context)
        table = systems[0].pool.view(view)
        options: Options = {
            "embedder": _described(view, came_as_tokens=False),
            "context": "prompt" if self.context else None,
        }
        return self._likeness(
            COSINE,
            options,
            prompts,
            have_directions(table.rows),
            table.text_hashes,
            lambda rows: unit_rows(table.rows[rows]),
        )

    def _by_ngrams(self, systems: Sequence[Subcorpus], prompts: Prompts) -> Likeness:
        pool = systems[0].pool
        tokens = pool.view(self.views.tokens)
        sets = ngram_sets(tokens, self.n)
        as_tokens = any(system.summaries.origin.as_tokens for system in systems)
        options: Options = {"tokenizer": _described(self.views.tokens, came_as_tokens=as_tokens), "n": self.n}
        has_ngrams = tokens.lengths >= self.n
        return self._likeness(
            NGRAMS, options, prompts, has_ngrams, tokens.text_hashes, lambda rows: sets[rows]
        )

    def _likeness(
        self,
        measure: Measure,
        options: Options,
        prompts: Prompts,
        placed: NDArray[np.bool_],
        hashes: Hashes,
        units: Callable[[Integers], Vectors],
    ) -> Likeness:
        """Compare all pairs of systems by unit vectors of the texts that have one."""
        means = []
        for rows in prompts.rows:
            used = rows[placed[rows]]
            # The order of reading changes no bit of a sum.
            used = used[np.lexsort((hashes[used], prompts.numbers[used]))]
            means.append(PromptMeans.of(units(used), prompts.numbers[used], len(prompts.names)))
        count = len(means)
        shape = count, count
        numbers = {name: np.full(shape, np.nan) for name in ("similarity", "floor", *_INTERVALS)}
        shared = np.zeros(shape, np.int64)
        undefined: list[list[str | None]] = [[None] * count for _ in range(count)]
        for a, b in combinations_with_replacement(range(count), 2):
            pairing = Pairing(means[a], means[b])
            cell = {"similarity": pairing.similarity, "floor": pairing.floor}
            if self.interval:
                cell |= _intervals(pairing, _BOUNDS[measure])
            for place in ((a, b), (b, a)):
                shared[place] = pairing.prompts
                undefined[place[0]][place[1]] = _why_undefined(pairing)
                for name, number in cell.items():
                    numbers[name][place] = number
        return Likeness(
            measure,
            options,
            prompts.systems,
            prompts=shared,
            texts=[len(rows) for rows in prompts.rows],
            left_out=[int((~placed[rows]).sum()) for rows in prompts.rows],
            undefined=undefined,
            **numbers,
        )

    def _facts(self, scorer: Scorer, prompts: int) -> dict[str, Any]:
        """Return the description of a system, with the number of its prompts and hashes."""
        content: Content = scorer.summaries[Contents(view=self.views.tokens)]
        facts = {**scorer.facts(), "prompts": prompts, "grouped_hash": content.grouped_hex}
        if self.context:
            facts["context_hash"] = scorer.summaries[ColumnContents("prompts")]
        return facts

    def _notes(
        self, measures: Sequence[Likeness], prompts: Prompts, facts: Sequence[Mapping[str, Any]]
    ) -> Iterator[Note]:
        """Yield notes on prompts that are not shared, on missing values, texts left out, and on length."""
        shared = prompts.shared
        fewest, most = min(shared), max(shared)
        if fewest < len(prompts.names):
            range_of = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
            yield Note(
                f"Two systems share {range_of} of {len(prompts.names):,} prompts; each number is over the "
                "prompts that both have.",
                "warning",
                "run",
            )
        for likeness in measures:
            lacking = _left_out(likeness, self.n)
            if lacking:
                yield Note(lacking, scope="run")
        alone = [name for name, counts in zip(prompts.systems, prompts.counts) if counts.max() < 2]
        if alone:
            whose = "Every system has" if len(alone) == len(prompts.systems) else f"{', '.join(alone)}:"
            yield Note(
                f"{whose} one answer per prompt, so how alike the answers of one system are (the diagonal) "
                "is not known.",
                scope="run",
            )
        if self.interval and any(_lacks_interval(likeness) for likeness in measures):
            yield Note(
                f"Some pairs have no interval: it needs at least {LEAST_UNITS} shared prompts, and values "
                "that differ between them.",
                scope="run",
            )
        longer = length_warning([fact["tokens_per_text"] or 0 for fact in facts])
        if longer is not None:
            yield longer


@dataclass(frozen=True)
class Prompts:
    """The prompts of the texts of a pool, by number.

    Attributes
    ----------
    systems
        The names of the systems.
    names
        The prompts, sorted.
    numbers
        The number of the prompt of each text of the pool.
    rows
        The rows of each system in the pool.
    """

    systems: Sequence[str]
    names: Sequence[str]
    numbers: Integers
    rows: Sequence[Integers]

    @classmethod
    def of(cls, systems: Sequence[Subcorpus]) -> Prompts:
        """Number the prompts; raise if no two systems share one."""
        pool: Pool = systems[0].pool
        groups = pool.rows.batch.groups
        texts = [] if groups is None else groups.tolist()
        names = sorted(set(texts))
        places = {name: place for place, name in enumerate(names)}
        numbers = np.array([places[name] for name in texts], np.int64)
        prompts = cls([system.name for system in systems], names, numbers, [each.rows for each in systems])
        if not max(prompts.shared):
            first, second = (names[numbers[system.rows[0]]] for system in systems[:2])
            raise InputError(
                f"No two systems answer the same prompt: {systems[0].name} has '{_short(first)}', "
                f"{systems[1].name} '{_short(second)}', for example. Name the field that says which prompt a "
                "text answers with --group or --prompt (Python: groups=, prompts=)."
            )
        return prompts

    @cached_property
    def counts(self) -> list[Integers]:
        """The number of texts of each system that answer each prompt."""
        return [np.bincount(self.numbers[rows], minlength=len(self.names)) for rows in self.rows]

    @cached_property
    def shared(self) -> list[int]:
        """The number of prompts that each pair of different systems shares."""
        answered = [counts > 0 for counts in self.counts]
        return [int((first & second).sum()) for first, second in combinations(answered, 2)]


_INTERVALS = ("low", "high", "above_low", "above_high")


def _intervals(pairing: Pairing, bounds: Bounds) -> dict[str, float]:
    """Return the 95 % intervals of the similarity and of its difference from the floor; NaN if none."""
    left_out = pairing.similarities_left_out
    low, high = _interval(pairing.similarity, left_out, bounds)
    widest = bounds[1] - bounds[0]
    above = pairing.similarity - pairing.floor
    above_low, above_high = _interval(above, left_out - pairing.floors_left_out, (-widest, widest))
    return {"low": low, "high": high, "above_low": above_low, "above_high": above_high}


def _interval(value: float, left_out: Reals, bounds: Bounds) -> Bounds:
    """Return the interval of a value by the values without each prompt (the jackknife)."""
    if len(left_out) < LEAST_UNITS or np.isnan(left_out).any() or math.isnan(value):
        return math.nan, math.nan
    error = math.sqrt(float((deviations(left_out) ** 2).sum()))
    if error <= ROUNDING:
        return math.nan, math.nan
    return max(value - Z * error, bounds[0]), min(value + Z * error, bounds[1])


def _lacks_interval(likeness: Likeness) -> bool:
    return bool((np.isnan(likeness.above_low) & ~np.isnan(likeness.similarity)).any())


def _why_undefined(pairing: Pairing) -> str | None:
    """Return why the similarity or the floor of a pair is NaN; None if both are defined."""
    alone = pairing.first is pairing.second
    if not pairing.prompts:
        return "no text can be compared." if alone else "there is no prompt that both systems have."
    reasons = [] if pairing.paired else ["no prompt has two answers of the system."]
    if pairing.prompts < 2:
        reasons.append("There is only one prompt, so there are no answers to other prompts.")
    return " ".join(reasons) or None


def _left_out(likeness: Likeness, n: int) -> str:
    """Return a sentence on texts that are left out; empty if there are none."""
    total, count = sum(likeness.texts), sum(likeness.left_out)
    if not count:
        return ""
    owners = [(count, name) for count, name in zip(likeness.left_out, likeness.systems) if count]
    listed = ", ".join(f"{name}: {count:,}" for count, name in owners[:LISTED])
    listed += ", …" * (len(owners) > LISTED)
    reason = "have a zero vector, which has no direction"
    if likeness.measure == NGRAMS:
        reason = f"have no {n}-gram" if n > 1 else "have no tokens"
    return f"{likeness.measure}: {count:,} of {total:,} texts {reason}; they are left out ({listed})."


def _described(view: Any, *, came_as_tokens: bool) -> str:
    """Return the tokenizer or embedder of a view, with its options."""
    _, name, options = view.describe(came_as_tokens=came_as_tokens)
    return ",".join([name, *(f"{key}:{value}" for key, value in options.items())])


def _check(corpus: NamedRows) -> None:
    """Raise if a corpus has no texts, or if it is not known which prompts they answer."""
    if not len(corpus.rows):
        raise InputError("there are no texts. Leave the system out.", source=corpus.name)
    if corpus.rows.batch.groups is None:
        raise SpecError(
            f"{corpus.name}: it is not known which prompt each text answers. Name the field with --group or "
            "--prompt (Python: group=, prompt=; groups=, prompts= for texts in memory)."
        )


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
