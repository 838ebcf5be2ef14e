"""Increasingly fine-tuned corpora: does the distance from a reference fall during training?

Kour et al. (2022), section 5. It can also be used to monitor a training run.
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
from distinctly.judging.gathering import AnyEmbedders, Gathered, TrialMetric, gather
from distinctly.judging.progress.checkpoints import Step, named, steps_of
from distinctly.judging.progress.findings import ProgressTrial
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, check_counts, read_document, run
from distinctly.ragged import Integers
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.tokenizers import AnyTokenizer

DEFAULT_PROGRESS = (*DEFAULT_DISTANCES, "mauve")
# Parts of the random seeds that are used by this trial only.
_OF_REFERENCE, _OF_CHECKPOINT = 40, 41


@dataclass(frozen=True)
class _Checkpoint:
    """A checkpoint: its name, its step, its rows in the pool, and the hash of its texts."""

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
    """Measure the distance of the texts of a model from a reference, checkpoint by checkpoint.

    All samples have the same size, since most distances depend on it. The floor is the distance between two
    disjoint samples of the reference.

    Parameters
    ----------
    reference
        The target texts; anything that `compare` accepts.
    checkpoints
        The texts of each checkpoint: a mapping from names to corpora, or a list of paths, of `Corpus` objects
        or of lists of texts.
    metrics
        Distances, or metrics of one corpus; the value of the latter for the reference replaces the floor.
    steps
        The step of each checkpoint. By default the number in which the names differ (``step-100.txt``), or 1,
        2, 3 … in the given order.
    n
        Texts per sample. By default the size of the smallest checkpoint, at most half of the reference; or
        the size in the file `save`.
    repetitions
        Number of times that samples are drawn. If a checkpoint has only n texts, all of them are drawn every
        time, and its spread is that of the samples of the reference alone.
    seed
        Seed of the random draws.
    save
        A .json or .csv file for the results. A later call can add checkpoints and metrics to it; earlier ones
        may be omitted and are not measured again.
    tokenizer, embedder, vectors
        As for `compare`; several embedders can be given as a list.
    fields
        Fields of `Reading` and `RunConfig`, such as `field`, `threads`, `device` and `progress`.

    Examples
    --------
    >>> reference = ["a cat sat on the mat", "the dog ran off", "rain fell all night", "we ate plums"]
    >>> checkpoints = {"step-1": ["a a a a", "the the the"], "step-2": ["the dog ran", "rain fell at night"]}
    >>> trial = training_progress(reference, checkpoints, "jensen_shannon")
    >>> trial.to_dict()["jensen_shannon"]["slope"]["mean"] < 0
    True
    """
    check_counts(n=n, repetitions=repetitions)
    given = named(checkpoints)
    known = _known(save)
    known_steps = {
        str(record["corpus"]): record["step"] for record in known["records"] if record["step"] is not None
    }
    checkpoint_steps = steps_of([name for name, _ in given], steps, known_steps)
    requests = parse_metrics(metrics)
    for request in requests:
        if request.metric.reads_reference and not isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' needs its own reference corpus. Use `distinctly measure` for it."
            )
    corpora = [("", reference), *given]
    gathered = gather(corpora, requests, tokenizer=tokenizer, embedder=embedder, vectors=vectors, **fields)
    reference_rows, measured = _split(gathered, [name for name, _ in given], checkpoint_steps)
    size = _size(n or known["settings"].get("n"), len(reference_rows), measured, chosen=n is not None)
    _refuse_changed(measured, known["records"], save)
    settings = {
        **gathered.settings,
        "corpora": gathered.settings["corpora"][:1],  # checkpoints may be added
        "n": size,
        "seed": seed,
    }
    samples = _Samples(gathered, reference_rows, size, seed)
    tasks = [
        Task(
            f"{_title(checkpoint)}, {subject.name}, draw {repetition}",
            partial(samples.records, subject, checkpoint, repetition),
        )
        for subject in gathered.subjects
        for checkpoint in [None, *sorted(measured, key=lambda checkpoint: checkpoint.step)]
        for repetition in range(1, repetitions + 1)
    ]
    # Results of earlier calls are kept, even if they are not requested again.
    wanted = {task.name for task in tasks}
    before = [Task(name, tuple) for name in known["done"] if name not in wanted]
    return run(ProgressTrial, settings, [*before, *tasks], save=save, config=gathered.config)


def _title(checkpoint: _Checkpoint | None) -> str:
    return "reference" if checkpoint is None else f"checkpoint {checkpoint.name}"


def _known(save: str | Path | None) -> dict[str, Any]:
    """Return the contents of the file; `run` raises an error if it is a file of another trial."""
    document = read_document(save) if save is not None and Path(save).is_file() else {"trial": ""}
    if document["trial"] != ProgressTrial.kind:
        return {"settings": {}, "records": [], "done": []}
    return {"done": [], **document}


def _split(
    gathered: Gathered, names: Sequence[str], steps: Sequence[Step]
) -> tuple[Integers, list[_Checkpoint]]:
    """Return the rows of the reference, and the checkpoints."""
    reference, *others = gathered.corpora.values()
    _, *facts = gathered.settings["corpora"]
    checkpoints = [
        _Checkpoint(name, step, rows, fact["hash"])
        for name, step, rows, fact in zip(names, steps, others, facts, strict=True)
    ]
    for checkpoint in checkpoints:
        if not len(checkpoint.rows):
            raise InputError("expected texts of this checkpoint, got none.", source=checkpoint.name)
    if len(reference) < 2:
        raise InputError(
            f"expected at least 2 texts of the reference, for two disjoint samples, got {len(reference)}.",
            source=gathered.settings["corpora"][0]["name"],
        )
    return reference, checkpoints


def _size(wanted: int | None, reference: int, checkpoints: Sequence[_Checkpoint], *, chosen: bool) -> int:
    """Return the number of texts per sample, given the number of texts of the reference."""
    smallest = min(checkpoints, key=lambda checkpoint: len(checkpoint.rows))
    largest = min(reference // 2, len(smallest.rows))
    if wanted is None or wanted <= largest:
        return largest if wanted is None else wanted
    if reference // 2 < wanted:
        raise InputError(
            f"Expected twice n = {wanted:,} texts of the reference, for two disjoint samples, got "
            f"{reference:,}. Give more texts, or choose n = {largest:,} (--n {largest}) or less."
        )
    remedy = (
        f"Give more texts, or choose n = {largest:,} (--n {largest})"
        if chosen
        else f"Earlier checkpoints were measured at that size: give more texts, or start another file with "
        f"n = {largest:,} (--n {largest})"
    )
    raise InputError(
        f"expected at least n = {wanted:,} texts of this checkpoint, got {len(smallest.rows):,}. {remedy}.",
        source=smallest.name,
    )


def _refuse_changed(
    checkpoints: Sequence[_Checkpoint], records: Sequence[Record], save: str | Path | None
) -> None:
    """Raise an error if the file has other texts, or another step, for a checkpoint of this name."""
    known = {record["corpus"]: record for record in records if record["step"] is not None}
    for checkpoint in checkpoints:
        before: Mapping[str, Any] = known.get(checkpoint.name, {})
        if before and before["content"] != checkpoint.content:
            raise InputError(
                f"its texts differ from those in '{save}'. Choose another name, or another file for the "
                "results.",
                source=checkpoint.name,
            )
        if before and before["step"] != checkpoint.step:
            raise InputError(
                f"it is step {before['step']} in '{save}', got step {checkpoint.step}. Choose another file "
                "for the results.",
                source=checkpoint.name,
            )


@dataclass(frozen=True)
class _Samples:
    """Samples of equal size, drawn from the texts of one pool."""

    gathered: Gathered
    reference: Integers
    size: int
    seed: int

    def records(
        self, subject: TrialMetric, checkpoint: _Checkpoint | None, repetition: int
    ) -> Iterator[Record]:
        """Measure one sample of a checkpoint, or of the reference if the checkpoint is None."""
        first, second = self._draw_reference(repetition)
        other = second if checkpoint is None else self._draw_checkpoint(checkpoint, repetition)
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

    def _draw_reference(self, repetition: int) -> tuple[Integers, Integers]:
        """Draw two disjoint samples of the reference; all checkpoints are compared with the first."""
        # All checkpoints of a repetition share it, so that its variation affects all distances equally.
        draw = np.random.default_rng([self.seed, _OF_REFERENCE, repetition])
        order = draw.permutation(len(self.reference))[: 2 * self.size]
        return self.reference[np.sort(order[: self.size])], self.reference[np.sort(order[self.size :])]

    def _draw_checkpoint(self, checkpoint: _Checkpoint, repetition: int) -> Integers:
        # Seeded by contents, not by position, so that other checkpoints do not change the sample.
        seeds = [self.seed, _OF_CHECKPOINT, int(checkpoint.content, 16), repetition]
        order = np.random.default_rng(seeds).permutation(len(checkpoint.rows))
        return checkpoint.rows[np.sort(order[: self.size])]
