"""Increasingly fine-tuned corpora: does the distance from a reference fall as training goes on?

Kour et al. (2022), section 5. It is also the way to watch a training run: one line a checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.api import DEFAULT_DISTANCES
from distinctly.distance.base import Distance
from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import compare_pairs, measure_selections, records_of
from distinctly.judging.gathering import AnyEmbedders, Gathered, TrialMetric, gathering
from distinctly.judging.progress.checkpoints import Step, named, steps_of
from distinctly.judging.progress.findings import ProgressTrial
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, check_counts, read_document, run
from distinctly.ragged import Integers
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.tokenizers import AnyTokenizer

DEFAULT_PROGRESS = (*DEFAULT_DISTANCES, "mauve")
# What tells the draws of this trial from others of the same seed.
_OF_REFERENCE, _OF_CHECKPOINT = 40, 41


@dataclass(frozen=True)
class _Checkpoint:
    """A checkpoint: its name, its step, its texts in the pool, and the hash of what they are."""

    name: str
    step: Step
    rows: Integers
    content: str


def training_progress(
    reference: object,
    checkpoints: object,
    metrics: AnyMetrics = DEFAULT_PROGRESS,
    *,
    steps: Sequence[Step] | None = None,
    n: int | None = None,
    repetitions: int = 5,
    seed: int = 0,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    vectors: Sequence[Any] | None = None,
    save: str | Path | None = None,
    **fields: Any,
) -> ProgressTrial:
    """Measure how far what a model writes is from a reference, checkpoint by checkpoint.

    Both sides are drawn to one size, since most distances depend on it. The floor is the distance of two
    samples of the reference of that size, which share no text.

    Parameters
    ----------
    reference
        What the model is to come near to; whatever `compare` takes.
    checkpoints
        What it wrote at each step: a mapping from names to corpora, or a list of paths, of `Corpus` objects
        or of lists of texts.
    metrics
        Distances; metrics of one corpus, too, whose value for the reference takes the place of the floor.
    steps
        The step of each checkpoint. Where not given, the one number in which the names differ
        (``step-100.txt``), or 1, 2, 3 … in the order that they come.
    n
        How many texts a side has: where not given, as many as the smallest checkpoint, or half of the
        reference where that is less; what was used before where `save` has it.
    repetitions
        How often samples are drawn. Where a checkpoint has no more than n texts, these are drawn every time,
        so that its spread is that of the reference's samples alone.
    seed
        Whatever is drawn is drawn from this seed.
    save
        A .json or .csv file for the results. Checkpoints and metrics can be added to it by another call, with
        the new ones alone, or with all; what is in it is not measured again.
    tokenizer, embedder, vectors, watch, reading
        As for `compare`; several embedders are tried side by side.

    Examples
    --------
    >>> reference = ["a cat sat on the mat", "the dog ran off", "rain fell all night", "we ate plums"]
    >>> checkpoints = {"step-1": ["a a a a", "the the the"], "step-2": ["the dog ran", "rain fell at night"]}
    >>> found = training_progress(reference, checkpoints, "jensen_shannon").to_dict()["jensen_shannon"]
    >>> found["slope"]["mean"] < 0
    True
    """
    check_counts(n=n, repetitions=repetitions)
    given = named(checkpoints)
    known = _known(save)
    known_steps = {str(one["corpus"]): one["step"] for one in known["records"] if one["step"] is not None}
    asked = steps_of([name for name, _ in given], steps, known_steps)
    requests = parse_metrics(metrics)
    for request in requests:
        if request.metric.reads_reference and not isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' needs a reference corpus of its own: measure it by `distinctly measure`."
            )
    with gathering(
        [("", reference), *given],
        requests,
        tokenizer=tokenizer,
        embedder=embedder,
        vectors=vectors,
        **fields,
    ) as gathered:
        own, measured = _taken_apart(gathered, [name for name, _ in given], asked)
        size = _size(n or known["settings"].get("n"), own, measured, chosen=n is not None)
        _refuse_changed(measured, known["records"], save)
        settings = {
            **gathered.settings,
            "corpora": gathered.settings["corpora"][:1],  # checkpoints may be added
            "n": size,
            "seed": seed,
        }
        sampled = _Sampled(gathered, own, size, seed)
        pieces = [
            Task(
                f"{f'checkpoint {one.name}' if one else 'reference'}, {subject.name}, draw {repetition}",
                partial(sampled.records, subject, one, repetition),
            )
            for subject in gathered.subjects
            for one in [None, *sorted(measured, key=lambda one: one.step)]
            for repetition in range(1, repetitions + 1)
        ]
        # What was measured before stays, whether it is asked for again or not.
        wanted = {piece.name for piece in pieces}
        before = [Task(name, tuple) for name in known["done"] if name not in wanted]
        return run(ProgressTrial, settings, [*before, *pieces], save=save, config=gathered.config)


def _known(save: str | Path | None) -> dict[str, Any]:
    """Return what is in the file already; `run` says what is wrong where it holds something else."""
    found = read_document(save) if save is not None and Path(save).is_file() else {"trial": ""}
    if found["trial"] != ProgressTrial.kind:
        return {"settings": {}, "records": [], "done": []}
    return {"done": [], **found}


def _taken_apart(
    gathered: Gathered, names: Sequence[str], steps: Sequence[Step]
) -> tuple[Integers, list[_Checkpoint]]:
    """Return the rows of the reference, and the checkpoints."""
    own, *others = gathered.corpora.values()
    _, *facts = gathered.settings["corpora"]
    found = [
        _Checkpoint(name, step, rows, fact["hash"])
        for name, step, rows, fact in zip(names, steps, others, facts, strict=True)
    ]
    for one in found:
        if not len(one.rows):
            raise InputError("expected texts of this checkpoint, got none.", source=one.name)
    if len(own) < 2:
        raise InputError(
            f"expected at least 2 texts of the reference, for two samples to compare, got {len(own)}.",
            source=gathered.settings["corpora"][0]["name"],
        )
    return own, found


def _size(wanted: int | None, own: Integers, checkpoints: Sequence[_Checkpoint], *, chosen: bool) -> int:
    smallest = min(checkpoints, key=lambda one: len(one.rows))
    largest = min(len(own) // 2, len(smallest.rows))
    if wanted is None or wanted <= largest:
        return largest if wanted is None else wanted
    if len(own) // 2 < wanted:
        raise InputError(
            f"Expected twice n = {wanted:,} texts of the reference, for two samples that share none, got "
            f"{len(own):,}: give more, or n = {largest:,} (--n {largest}) at most."
        )
    remedy = (
        f"give more, or n = {largest:,} (--n {largest})"
        if chosen
        else f"the checkpoints before were measured at that size, so give more, or begin anew in another "
        f"file with n = {largest:,} (--n {largest})"
    )
    raise InputError(
        f"expected at least n = {wanted:,} texts of this checkpoint, got {len(smallest.rows):,}: {remedy}.",
        source=smallest.name,
    )


def _refuse_changed(
    checkpoints: Sequence[_Checkpoint], records: Sequence[Record], save: str | Path | None
) -> None:
    """Raise where the file has other texts, or another step, under the name of a checkpoint."""
    known = {one["corpus"]: one for one in records if one["step"] is not None}
    for one in checkpoints:
        before: Mapping[str, Any] = known.get(one.name, {})
        if before and before["content"] != one.content:
            raise InputError(
                f"its texts are not those that '{save}' has under this name. Choose another name, or another "
                "file for the results.",
                source=one.name,
            )
        if before and before["step"] != one.step:
            raise InputError(
                f"it is step {before['step']} in '{save}', got step {one.step}. Choose another file for the "
                "results.",
                source=one.name,
            )


@dataclass(frozen=True)
class _Sampled:
    """Texts in one pool, of which samples of one size are drawn."""

    gathered: Gathered
    reference: Integers
    size: int
    seed: int

    def records(
        self, subject: TrialMetric, checkpoint: _Checkpoint | None, repetition: int
    ) -> Iterator[Record]:
        """Measure one draw of a checkpoint; of the reference itself where there is none."""
        first, second = self._of_reference(repetition)
        other = second if checkpoint is None else self._of_checkpoint(checkpoint, repetition)
        where: dict[str, Any] = {
            "corpus": checkpoint.name if checkpoint else "",
            "content": checkpoint.content if checkpoint else "",
            "step": checkpoint.step if checkpoint else None,
            "repetition": repetition,
        }
        if isinstance(subject.metric, Distance):
            pool = self.gathered.pool.part(np.concatenate([first, other]))
            rows = np.arange(2 * self.size)
            scores = compare_pairs(subject, pool, [rows[: self.size], rows[self.size :]], [(0, 1)]).scores
        else:
            pool = self.gathered.pool.part(first if checkpoint is None else other)
            scores = measure_selections(subject, pool, [np.arange(self.size)]).scores
        kind = "distance" if isinstance(subject.metric, Distance) else "diversity"
        yield from records_of(subject, scores[0], kind=kind, **where)

    def _of_reference(self, repetition: int) -> tuple[Integers, Integers]:
        """Draw two samples of the reference; the first is what all checkpoints are compared with."""
        # The same for all of them, so that its luck moves all distances of a repetition alike.
        draw = np.random.default_rng([self.seed, _OF_REFERENCE, repetition])
        order = draw.permutation(len(self.reference))[: 2 * self.size]
        return self.reference[np.sort(order[: self.size])], self.reference[np.sort(order[self.size :])]

    def _of_checkpoint(self, checkpoint: _Checkpoint, repetition: int) -> Integers:
        # By its contents and not by its place, so that another checkpoint changes nothing.
        seeds = [self.seed, _OF_CHECKPOINT, int(checkpoint.content, 16), repetition]
        order = np.random.default_rng(seeds).permutation(len(checkpoint.rows))
        return checkpoint.rows[np.sort(order[: self.size])]
