"""From summaries to scores: apply the formulas, add notes and signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import FIRST, LEFT_OUT, Nested, Origin, SkippedRows
from distinctly.config import RunConfig
from distinctly.distance.base import Distance
from distinctly.embedders.base import Embedder
from distinctly.engine.warming import loader
from distinctly.hashing import keys_of
from distinctly.metrics import Metric, remarks_on_characters
from distinctly.ragged import Integers
from distinctly.run.plan import Plan, Reference, identifying_view
from distinctly.score import Level, Note, Score, Signature
from distinctly.spec import Request
from distinctly.statistics.contents import (
    ColumnContents,
    Content,
    Contents,
    Copies,
    SomeTexts,
    TextCounts,
    TextOrder,
)
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Pair, Pool, Summaries
from distinctly.version import __version__
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.texts import TextView
from distinctly.views.tokens import TokenView

if TYPE_CHECKING:
    from distinctly.statistics.frequent_ngrams import Ranked

Reals = NDArray[np.float64]
# The ratio of the mean lengths of texts from which on there is a warning.
LONGER = 1.05
# A note is a warning if one text makes up more than the first share of the texts, or if more than the second
# share repeat another text. The excerpt of the text has at most this number of characters.
COLLAPSED, REPETITIVE, EXCERPT = 0.05, 0.2, 60
# Bytes of row numbers that are drawn at a time, before they are measured.
DRAWN_AT_ONCE = 64_000_000
# From this share of letters that are not Latin on, the embedder is asked for the share of subwords that it
# does not know; from that share on, there is a warning. So there is from the first share on of letters of
# scripts that the embedder was not trained on. Our choices.
FOREIGN, UNKNOWN = 0.2, 0.1
# Of the rows that were skipped, a note lists this number.
SHOWN_PLACES = 3
# To hash the first texts again, some at a time.
_HASHED_FIRST = (0, 10, 50, FIRST)
_NARROW, _WIDE = RunConfig(), RunConfig(hash_bits=128)


@dataclass(frozen=True)
class Distances:
    """Distances, and the statistics that they read of a pair of corpora."""

    metrics: Sequence[Distance]

    @property
    def statistics(self) -> list[PairStatistic[Any]]:
        """The pair statistics that they read, each once."""
        return list(
            dict.fromkeys(statistic for metric in self.metrics for statistic in metric.pair_statistics())
        )

    def scores(self, pool: Pool, pair: Pair) -> list[Score]:
        """Score one pair."""
        summaries = pool.compare(pair, self.statistics) if all(map(len, pair)) else {}
        return [metric.score_pair(pair, summaries) for metric in self.metrics]

    def values(
        self,
        pool: Pool,
        drawn: Iterator[tuple[Integers, Integers]],
        texts: int,
        report: Callable[[int], None],
    ) -> Reals:
        """Return the value of each distance (columns) on each pair (rows), of about `texts` texts."""
        rows: list[list[float]] = []
        at_once = max(DRAWN_AT_ONCE // (8 * max(texts, 1)), 8)
        statistics = self.statistics
        while chunk := [pair for _, pair in zip(range(at_once), drawn)]:
            pairs = [(pool.select(reference), pool.select(candidate)) for reference, candidate in chunk]
            for pair, summaries in pool.compare_many(pairs, statistics):
                rows.append([metric.score_pair(pair, summaries).value for metric in self.metrics])
                report(len(rows))
        return np.array(rows, np.float64).reshape(-1, len(self.metrics))


@dataclass(frozen=True)
class Scorer:
    """Scores one corpus.

    Attributes
    ----------
    corpus
        Name of the corpus.
    summaries
        Its summaries.
    plan
        The metrics and views.
    reference
        The reference that it is compared with, or that metrics read.
    """

    corpus: str
    summaries: Summaries
    plan: Plan
    reference: Reference | None = None

    def score_all(self) -> list[Score]:
        """Apply the metrics."""
        return [
            self.finish(request, request.metric.score_from(self.summaries)) for request in self.plan.requests
        ]

    def finish(self, request: Request, score: Score, **facts: str) -> Score:
        """Add the spec, the names of the corpora, common notes and the signature to a score."""
        metric = request.metric
        reference = self.reference if metric.reads_reference else None
        compared = [self.summaries]
        compared += [reference.summaries] if reference is not None and metric.kind == "distance" else []
        notes = [note for summaries in compared for note in self._notes_on_script(metric, summaries)]
        return score.evolve(
            spec=request.spec,
            notes=(*score.notes, *self.common_notes, *dict.fromkeys(notes)),
            corpus=self.corpus,
            reference=None if reference is None else reference.name,
            signature=str(self._sign(metric, score, reference, facts)),
        )

    def facts(self) -> dict[str, Any]:
        """Return the description of the corpus itself, with its most frequent n-grams."""
        tokens = self.plan.views.tokens
        content = self._content
        lengths: LengthSums = self.summaries[Lengths(view=tokens)]
        _, name, options = tokens.describe(came_as_tokens=bool(self.summaries.origin.as_tokens))
        has_texts = lengths.texts > 0 and not self.summaries.origin.only_vectors
        facts: dict[str, Any] = {
            "name": self.corpus,
            "texts": content.texts,
            "tokens": lengths.tokens,
            "tokens_per_text": lengths.tokens / lengths.texts if has_texts else None,
            "empty_texts": lengths.empty,
            "tokenizer": ",".join([name, *(f"{key}:{value}" for key, value in options.items())]),
            "hash": content.hex,
        }
        if bad_rows := self.summaries.origin.bad_rows:
            facts["skipped_rows"] = {"count": bad_rows.count, "places": list(bad_rows.places)}
        if counts := self.plan.top_counts:
            facts["top"] = [{"n": count.n, "ngrams": _listed(self.summaries[count])} for count in counts]
        return facts

    @cached_property
    def _content(self) -> Content:
        content: Content = self.summaries[Contents(view=self.plan.views.tokens)]
        return content

    @cached_property
    def common_notes(self) -> tuple[Note, ...]:
        """Notes on the corpus, whatever the metric."""
        origin = self.summaries.origin
        lengths: LengthSums = self.summaries[Lengths(view=self.plan.views.tokens)]
        texts = {}
        if lengths.empty:
            empty = f"{lengths.empty:,} of {lengths.texts:,} texts are empty (no tokens)."
            texts[empty] = "Some texts are empty (no tokens)."
        if origin.nulls_skipped:
            skipped = "missing texts were skipped (nulls=skip)."
            texts[f"{origin.nulls_skipped:,} {skipped}"] = f"Some {skipped}"
        if origin.nulls_emptied:
            emptied = "missing texts count as empty (nulls=empty)."
            texts[f"{origin.nulls_emptied:,} {emptied}"] = f"Some {emptied}"
        notes = [Note(text, scope="corpus", general=general) for text, general in texts.items()]
        notes += self._skipped()
        if origin.nested is not None:
            notes.append(_nesting(origin.nested, lengths.texts))
        notes += self._repetitions()
        notes += self._errors_of_top()
        tokenizer = self.plan.views.tokenizer
        if tokenizer is not None and tokenizer.name != "given" and origin.as_tokens:
            unused = f"The texts came as tokens, so the tokenizer '{tokenizer.name}' was not used."
            notes.append(Note(unused, "warning", "corpus"))
        return tuple(notes)

    def _errors_of_top(self) -> list[Note]:
        """Return a note on the counts of the most frequent n-grams, if they are not exact."""
        errors = {
            count.n: self.summaries[count].error if self.plan.approximate else 0
            for count in self.plan.top_counts
        }
        if not any(errors.values()):
            return []
        listed = ", ".join(f"{error:,} (n = {n})" for n, error in errors.items())
        bounds = "Counts of the most frequent n-grams are upper bounds, too large by at most"
        general = "Counts of the most frequent n-grams are upper bounds."
        return [Note(f"{bounds} {listed}.", scope="corpus", general=general)]

    def _skipped(self) -> list[Note]:
        """Return notes on rows that could not be read, or were left out, of the corpus and its reference."""
        origins = {"": self.summaries.origin}
        if self.reference is not None:
            origins["In the reference, "] = self.reference.summaries.origin
        notes = []
        for where, origin in origins.items():
            skipping = _skipping(origin.bad_rows, where)
            notes += [skipping] if skipping is not None else []
            notes += [_remark(*counted, where) for counted in origin.remarks.counts.items()]
        return notes

    def _repetitions(self) -> list[Note]:
        """Return notes on texts that occur more than once, of the corpus and of its reference."""
        if self.plan.approximate:  # there is no table of the texts
            return []
        notes = [_repetition(self.summaries, self.plan.views.tokens)]
        if self.reference is not None:
            in_reference = _repetition(self.reference.summaries, self.plan.views.tokens, "In the reference, ")
            notes.append(in_reference)
        return [note for note in notes if note is not None]

    def _notes_on_script(self, metric: Metric, summaries: Summaries) -> tuple[Note, ...]:
        """Return notes on what the script of a corpus means for a metric and for its embedder.

        An embedder is asked for what it does not know only if many letters are not Latin.
        """
        origin = summaries.origin
        if metric.sees != "vectors":
            return metric.remarks_on_script(origin.letters, came_as_tokens=bool(origin.as_tokens))
        note = note_on_embedder(self.plan.views.embedder, summaries)
        return () if note is None else (note,)

    def _sign(
        self, metric: Metric, score: Score, reference: Reference | None, more: Mapping[str, str]
    ) -> Signature:
        content, origin = self._content, self.summaries.origin
        shown = identifying_view(metric)
        same_view = shown is self.plan.views.tokens
        seen = content if same_view else self.summaries[Contents(view=shown)]
        facts: dict[str, str] = {"texts": f"{content.texts}#{seen.hex}"}
        # A sample is in an order of its own.
        if metric.ordered and "sample" not in more:
            facts["order"] = f"{self.summaries[TextOrder(view=shown)]:016x}"
        if "groups" in more or metric.reads_groups:
            count = more.get("groups", score.parts.get("groups", 0))
            facts["groups"] = f"{count}#{seen.grouped_hex}"
        facts |= {column: self.summaries[ColumnContents(column)] for column in metric.reads_columns}
        if reference is not None:
            known: Content = reference.summaries[Contents(view=shown)]
            facts["reference"] = f"{known.texts}#{known.hex}"
        if origin.nulls_skipped:
            facts["nulls"] = "skip"
        if origin.nulls_emptied:
            facts["nulls"] = "empty"
        if origin.bad_rows or (reference is not None and reference.summaries.origin.bad_rows):
            facts["bad"] = "skip"
        facts |= {key: value for key, value in more.items() if key not in facts}
        facts["v"] = __version__
        options = dict(metric.signed_options)
        view = metric.view.describe(came_as_tokens=bool(self.summaries.origin.as_tokens))
        # If the tokenizer alone does not identify the view, the signature also has `of`.
        if metric.of and (view[0] != "tok" or metric.sees != "tokens"):
            options["of"] = metric.of
        return Signature(metric.metric_name(), options, view, facts)


def notes_on_corpora(
    scorers: Sequence[Scorer], embedder: Embedder | None = None, view: View[Any] | None = None
) -> list[Note]:
    """Return the notes on each corpus, with its name; once, if they are about all corpora.

    Parameters
    ----------
    scorers
        The scorers of the corpora.
    embedder, view
        What reads the texts: a model, or what cuts them into tokens; None if there is none.
    """
    noted: dict[str, list[tuple[str, Note]]] = {}
    for scorer in scorers:
        notes = list(scorer.common_notes)
        of_embedder = note_on_embedder(embedder, scorer.summaries)
        notes += [] if of_embedder is None else [of_embedder]
        origin = scorer.summaries.origin
        if view is not None:
            notes += remarks_on_characters(view, origin.letters, came_as_tokens=bool(origin.as_tokens))
        for note in notes:
            noted.setdefault(note.general, []).append((scorer.corpus, note))
    collected = []
    for general, owned in noted.items():
        first = owned[0][1]
        text = str(first) if len({str(note) for _, note in owned}) == 1 else general
        if len(owned) < len(scorers):
            text = f"{', '.join(name for name, _ in owned)}: {text}"
        collected.append(Note(text, first.level, "corpus"))
    return collected


def note_on_embedder(embedder: Embedder | None, summaries: Summaries) -> Note | None:
    """Return a warning if an embedder does not know the script of texts, or many subwords; None otherwise."""
    if embedder is None or summaries.origin.only_vectors:
        return None
    letters = summaries.origin.letters
    if letters.share("ideographs", "others") < FOREIGN:
        return None
    share = _unknown_share(embedder, tuple(summaries[SomeTexts()]))
    foreign = 1 - letters.share(*embedder.scripts) if embedder.scripts else 0.0
    if share is not None and share >= UNKNOWN:
        problem = f"does not know {share:.0%} of the subwords of the texts (a sample)"
    elif foreign >= FOREIGN:
        # A vocabulary may have the letters of a script, but no words.
        problem = f"was not trained on the scripts of {foreign:.0%} of the letters of the texts"
    else:
        return None
    name = f"The embedder '{embedder.name}'"
    remedy = "so their vectors mean little: choose an embedder for this language (--embedder)."
    general = f"{name} does not know the script of the texts, {remedy}"
    return Note(f"{name} {problem}, {remedy}", "warning", "corpus", general)


def _listed(counted: Grams | Ranked) -> list[dict[str, Any]]:
    """Return the most frequent n-grams as plain data; approximate counts have a lower and an upper bound."""
    if isinstance(counted, Grams):
        return [{"text": text, "count": count} for text, count in counted.top]
    return [
        {"text": text, "count": count, "low": max(count - counted.error, 1), "high": count}
        for text, count in counted.top
    ]


def length_warning(means: Sequence[float]) -> Note | None:
    """Return a warning if the mean numbers of tokens per text differ; None otherwise.

    Examples
    --------
    >>> print(length_warning([10.0, 20.0]))
    Texts have 10.0 to 20.0 tokens on average, so differences may be due to length.
    >>> length_warning([10.0, 10.4]) is None
    True
    """
    if len(means) < 2 or not min(means) or max(means) / min(means) < LONGER:
        return None
    text = (
        f"Texts have {min(means):.1f} to {max(means):.1f} tokens on average, so differences may be due to "
        "length."
    )
    return Note(text, "warning", "run")


def _skipping(bad_rows: SkippedRows, where: str = "") -> Note | None:
    """Return a note on rows that could not be read; None if there are none.

    Examples
    --------
    >>> print(_skipping(SkippedRows(2, ("a.jsonl, line 7: not valid JSON", "a.jsonl, line 9: not UTF-8"))))
    2 rows were skipped (--skip-bad): a.jsonl, line 7: not valid JSON; a.jsonl, line 9: not UTF-8.
    """
    if not bad_rows:
        return None
    rows = "row was" if bad_rows.count == 1 else "rows were"
    more = bad_rows.count - len(bad_rows.places[:SHOWN_PLACES])
    listing = "; ".join([*bad_rows.places[:SHOWN_PLACES], *([f"and {more:,} more"] if more else [])])
    text = f"{where}{bad_rows.count:,} {rows} skipped (--skip-bad): {listing}."
    return Note(text, "warning", "corpus", f"{where}some rows were skipped (--skip-bad).".capitalize())


def _remark(text: str, count: int, where: str = "") -> Note:
    """Return a note on what a reader of logs left out or changed.

    Examples
    --------
    >>> print(_remark("Left out samples that failed", 3, "In the reference, "))
    In the reference, left out samples that failed: 3.
    """
    level: Level = "warning" if text.startswith(LEFT_OUT) else "info"
    text = f"{where}{text[0].lower()}{text[1:]}" if where else text
    return Note(f"{text}: {count:,}.", level, "corpus", f"{text}.")


def _nesting(nested: Nested, texts: int) -> Note:
    """Return a note on how lists of lists were read.

    Examples
    --------
    >>> print(_nesting(Nested("groups of texts", 2), 3))
    Read as 2 groups of 3 texts (white space occurs in them); give tokens=True if they are tokens.
    """
    number = f"{nested.lists:,} " if nested.lists else ""
    plural = "" if nested.lists == 1 else "s"
    if nested.kind == "groups of texts":
        groups = f"{number}group{plural} of {texts:,} text{'' if texts == 1 else 's'}"
        reason = " (white space occurs in them); give tokens=True if they are tokens."
    else:
        groups = f"{number}list{plural} of {nested.kind}"
        reason = "."
        if nested.kind == "tokens":
            reason = " (no white space occurs in them); give tokens=False if they are groups of texts."
    return Note(f"Read as {groups}{reason}", scope="corpus", general=f"Read as {nested.kind}{reason}")


def _repetition(summaries: Summaries, tokens: TokenView, where: str = "") -> Note | None:
    """Return a note if a text occurs more than once; None otherwise."""
    copies: Copies = summaries[TextCounts(view=tokens)]
    if copies.most < 2:
        return None
    text = _first_with(copies.key, summaries.origin, tokens)
    quoted = "" if text is None else f": '{_excerpt(text)}'"
    others = copies.repeated - (copies.most - 1)
    more = f" {others:,} other{'s repeat' if others > 1 else ' repeats'} an earlier text." if others else ""
    end = "" if quoted[-2:-1] in (*".!?…。！？",) else "."
    sentence = f"{where}{copies.most:,} of {copies.texts:,} texts are identical{quoted}{end}{more}"
    much = copies.most > COLLAPSED * copies.texts or copies.repeated > REPETITIVE * copies.texts
    if not much or copies.most < 3:
        return Note(sentence, scope="corpus")
    return Note(f"{sentence} Shares of distinct n-grams can rise nevertheless.", "warning", "corpus")


def _first_with(key: bytes, origin: Origin, tokens: TokenView) -> str | None:
    """Return the text with a hash, given as bytes; None if it is not among the first texts."""
    config = _WIDE if len(key) == 16 else loader.choose([TextCounts(view=tokens)], _NARROW)
    # A text that is repeated is often one of the very first, so that few are hashed again.
    for start, end in pairwise(_HASHED_FIRST):
        rows = Rows(origin.first.select(np.arange(start, min(end, len(origin.first)))), config)
        keys = keys_of(rows[tokens].wide_text_hashes)
        places = np.flatnonzero(keys == np.frombuffer(key, keys.dtype))
        if len(places):
            return rows[TextView()].texts[int(places[0])]
    return None


def _excerpt(text: str) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[:EXCERPT].rsplit(' ', 1)[0]} …"


@lru_cache(maxsize=64)
def _unknown_share(embedder: Embedder, texts: tuple[str, ...]) -> float | None:
    """Return the share of the subwords of texts that an embedder does not know; asked once per sample."""
    return embedder.unknown_share(texts)
