"""`Trial`: what was measured in a trial of metrics, kept so that it can be read again and gone on with.

A trial is a list of **records**, one a number that a metric gave, and of settings that say how they came
about. What a trial finds (accuracy, slopes, correlations) is computed from these, so that a file of records
is all that a table or a plot needs.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from distinctly.errors import InputError, SpecError, reason, unknown
from distinctly.judging.records import Key, Plain, Record, by_subject, mean_of, name_metrics, name_of
from distinctly.report.cells import printable
from distinctly.report.csv import rows_as_csv
from distinctly.score import finite
from distinctly.uncertainty import Watch, Z

T = TypeVar("T", bound="Trial")
M = TypeVar("M", bound=str)
# Seconds between two writings of a file.
SAVE_EVERY = 5.0
# Raised when a key of a file of results changes its meaning or goes away.
FORMAT_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One measure of one metric: the mean over repetitions, and its spread.

    Attributes
    ----------
    metric, embedder, part
        Of what: a metric as it was asked for, what made its vectors, and which of its values.
    measure
        What was found: ``accuracy``, ``slope``, ``spearman`` …
    mean, std
        Over repetitions; the standard deviation is NaN where there was one.
    low, high
        A 95 % interval of the mean, where there is one.
    repetitions
        How many there were.
    settings
        What tells this finding from others of the same measure: ``n``, ``k``, a subset.
    parts
        What else there is to know: how many judgements, a p-value.
    notes
        Why it is undefined, or what to mind.
    """

    metric: str
    measure: str
    mean: float
    std: float = math.nan
    low: float | None = None
    high: float | None = None
    repetitions: int = 1
    embedder: str = ""
    part: str = ""
    settings: Mapping[str, Plain] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the metric, with its part and without its embedder."""
        return name_of(self.metric, part=self.part)

    @property
    def key(self) -> Key:
        """The metric, its embedder and its part."""
        return self.metric, self.embedder, self.part

    @classmethod
    def over(cls, values: Sequence[float], **rest: Any) -> Finding:
        """Make the finding of several repetitions; those that are undefined are left out, and that is told.

        Examples
        --------
        >>> found = Finding.over([0.5, 0.7, math.nan], metric="ead", measure="accuracy")
        >>> round(found.mean, 3), round(found.std, 3), found.notes
        (0.6, 0.141, ('1 of 3 repetitions have no value; they are left out.',))
        """
        known = [value for value in values if not math.isnan(value)]
        mean = mean_of(known)
        std = math.nan
        if len(known) > 1:
            std = math.sqrt(math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1))
        half = Z * std / math.sqrt(len(known)) if len(known) > 1 else math.nan
        notes = tuple(rest.pop("notes", ()))
        if known and len(known) < len(values):
            missing = f"{len(values) - len(known)} of {len(values)} repetitions have no value"
            notes = (*notes, f"{missing}; they are left out.")
        interval = {} if math.isnan(half) else {"low": mean - half, "high": mean + half}
        return cls(mean=mean, std=std, repetitions=len(known), notes=notes, **{**interval, **rest})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; what is undefined is None."""
        return {
            "metric": self.metric,
            "embedder": self.embedder,
            "part": self.part,
            "measure": self.measure,
            **self.reading(),
            "settings": dict(self.settings),
        }

    def reading(self) -> dict[str, Any]:
        """Return the numbers alone."""
        return {
            "mean": finite(self.mean),
            "std": finite(self.std),
            "low": finite(self.low),
            "high": finite(self.high),
            "repetitions": self.repetitions,
            **{name: finite(part) for name, part in self.parts.items()},
            "notes": list(self.notes),
        }


@dataclass(frozen=True, kw_only=True)
class Trial(ABC):
    """What was measured, and how.

    Attributes
    ----------
    settings
        All that can change a number: the corpora (name, texts, hash), sizes, seed, the version. What is in
        it is plain data.
    records
        One a number.
    done
        Which pieces of work are in the records, so that the others can be gone on with.
    """

    kind: ClassVar[str]

    settings: Mapping[str, Any]
    records: Sequence[Record] = ()
    done: Sequence[str] = ()

    @abstractmethod
    def find(self) -> list[Finding]:
        """Compute what the records come to."""

    @cached_property
    def findings(self) -> list[Finding]:
        """What the records come to."""
        return self.find()

    @cached_property
    def by_subject(self) -> dict[Key, list[Record]]:
        """The records of each value of each metric."""
        return by_subject(self.records)

    @cached_property
    def names(self) -> dict[Key, str]:
        """The name of each metric on pages and figures, with its embedder where there are several."""
        return {key: printable(name) for key, name in name_metrics(self.by_subject).items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of the trial as a whole."""
        return tuple(self.settings.get("notes", ()))

    def to_dict(self) -> dict[str, Any]:
        """Return the findings by metric and measure: ``{"frechet": {"accuracy": {"mean": …, "std": …}}}``.

        Where a measure of a metric was found under several settings (two k, two embedders, several subsets),
        there is one more level, by these: ``{"accuracy": {"k=7": {…}, "k=12": {…}}}``.
        """
        found: dict[str, Any] = {}
        by_measure: dict[tuple[str, str], list[Finding]] = {}
        for one in self.findings:
            by_measure.setdefault((one.name, one.measure), []).append(one)
        for (name, measure), several in by_measure.items():
            own = found.setdefault(name, {})
            if len(several) == 1:
                own[measure] = several[0].reading()
            else:
                own[measure] = {label: one.reading() for label, one in zip(labels(several), several)}
        return found

    def document(self) -> dict[str, Any]:
        """Return everything, for JSON."""
        return {
            "format_version": FORMAT_VERSION,
            "trial": self.kind,
            "settings": dict(self.settings),
            "findings": [one.to_dict() for one in self.findings],
            "records": [{key: _plain(value) for key, value in one.items()} for one in self.records],
            "done": list(self.done),
        }

    def save(self, path: str | Path) -> None:
        """Write a file, .json or .csv, that `distinctly judge table` and `plot` read again."""
        text = self.csv() if _ending(path) == ".csv" else json.dumps(self.document(), allow_nan=False) + "\n"
        write_whole(path, text)

    def header(self) -> dict[str, Any]:
        """Return what a file of records needs at its head to be read again."""
        return {
            "format_version": FORMAT_VERSION,
            "trial": self.kind,
            "settings": dict(self.settings),
            "done": list(self.done),
        }

    def csv(self) -> str:
        """Return the records as CSV, below a line with the settings."""
        return f"# {json.dumps(self.header(), allow_nan=False)}\n{rows_as_csv(self.records)}"


def check_counts(**counts: int | None) -> None:
    """Raise if a number of texts, corpora or repetitions is less than 1; None stands for the default.

    Examples
    --------
    >>> check_counts(n=None, repetitions=0)
    Traceback (most recent call last):
    distinctly.errors.SpecError: Expected `repetitions` to be at least 1, got 0.
    """
    for name, count in counts.items():
        if count is not None and count < 1:
            raise SpecError(f"Expected `{name}` to be at least 1, got {count}.")


def choose_measures(names: str | Sequence[str], known: Sequence[M]) -> tuple[M, ...]:
    """Return the measures of these names, each once, in the order of the names."""
    by_name = {str(measure): measure for measure in known}
    chosen = dict.fromkeys([names] if isinstance(names, str) else names)
    for name in chosen:
        if name not in by_name:
            raise unknown("measure", name, list(by_name))
    return tuple(by_name[name] for name in chosen)


def labels(findings: Sequence[Finding]) -> list[str]:
    """Say what tells findings of one measure apart."""
    told = [{**one.settings, **({"embedder": one.embedder} if one.embedder else {})} for one in findings]
    keys = dict.fromkeys(key for one in told for key in one)
    differ = [key for key in keys if len({str(one.get(key)) for one in told}) > 1]
    return [", ".join(f"{key}={one[key]}" for key in differ if key in one) for one in told]


def write_whole(path: str | Path, text: str) -> None:
    """Write a file in one go, so that none is ever half-written."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        raise InputError(f"the results cannot be written: {reason(error)}.", source=str(path)) from error
    finally:
        draft.unlink(missing_ok=True)


def _plain(value: Plain) -> Plain:
    return finite(value) if isinstance(value, float) else value


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in (".json", ".csv"):
        raise SpecError(f"Expected results in a .json or .csv file, got '{path}'.")
    return ending


def read_document(path: str | Path) -> dict[str, Any]:
    """Read a file that `Trial.save` wrote, as plain data."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        found: dict[str, Any] = _from_csv(text) if _ending(path) == ".csv" else json.loads(text)
        if not {"trial", "settings", "records"} <= found.keys():
            raise ValueError("there is no trial in it")
        for record in found["records"]:
            record["value"] = math.nan if record["value"] is None else float(record["value"])
    except SpecError:
        raise
    except (OSError, ValueError, AttributeError, KeyError, TypeError, StopIteration) as error:
        problem = f"expected the results of `distinctly judge … --save`, got another file: {reason(error)}."
        raise InputError(problem, source=str(path)) from error
    return found


def _from_csv(text: str) -> dict[str, Any]:
    head, _, rest = text.partition("\n")
    if not head.startswith("# "):
        raise ValueError("there is no line of settings at its head")
    found: dict[str, Any] = json.loads(head[2:])
    rows = csv.DictReader(io.StringIO(rest))
    found["records"] = [{key: _cell(key, cell) for key, cell in row.items()} for row in rows]
    return found


# Columns that hold words, whatever they look like.
_WORDS = ("metric", "embedder", "part", "note", "kind", "work", "corpus", "content", "subset", "construction")


def _cell(key: str, cell: str) -> Plain:
    if key in _WORDS:
        return cell
    if not cell:
        return None
    try:
        return int(cell)
    except ValueError:
        return float(cell)


@dataclass(frozen=True)
class Task:
    """A piece of a trial that is done in one go: its name, and how to come by its records."""

    name: str
    records: Callable[[], Iterable[Record]]


def run(
    trial: type[T],
    settings: Mapping[str, Any],
    pieces: Sequence[Task],
    *,
    save: str | Path | None = None,
    watch: Watch | None = None,
) -> T:
    """Do all pieces of a trial, but those that are in the file already, and keep the file up to date.

    A run that was stopped is gone on with by the same call. A file of another trial, or of other settings, is
    an error, and stays as it is.
    """
    known = _known(trial, settings, save)
    order = {piece.name: place for place, piece in enumerate(pieces)}
    plain: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    done = list(known.done) if known else []
    records = list(known.records) if known else []
    finished = set(done)

    def made(names: Iterable[str]) -> T:
        chosen = sorted(names, key=lambda name: order.get(name, len(order)))
        places = {name: place for place, name in enumerate(chosen)}
        own = [one for one in records if one["work"] in places]
        return trial(
            settings=plain, records=sorted(own, key=lambda one: places[str(one["work"])]), done=chosen
        )

    written = time.monotonic()
    try:
        for place, piece in enumerate(pieces):
            if watch is not None:
                watch(piece.name, place, len(pieces))
            if piece.name in finished:
                continue
            records += [{**one, "work": piece.name} for one in piece.records()]
            done.append(piece.name)
            if save is not None and time.monotonic() - written > SAVE_EVERY:
                made(done).save(save)
                written = time.monotonic()
    finally:
        # Also where it was interrupted: what is done is done. So is what is not asked for this time.
        if save is not None and len(done) > len(finished):
            made(done).save(save)
    return made(order)


def _known(trial: type[T], settings: Mapping[str, Any], save: str | Path | None) -> T | None:
    if save is None:
        return None
    _ending(save)
    if not Path(save).exists():
        if not Path(save).parent.is_dir():
            raise InputError("there is no such folder to write results to.", source=str(Path(save).parent))
        return None
    found = read_document(save)
    now = json.loads(json.dumps(dict(settings), allow_nan=False))
    differ = [key for key in {**now, **found["settings"]} if now.get(key) != found["settings"].get(key)]
    if found["trial"] != trial.kind or differ:
        what = (
            f"a trial of {found['trial']}" if found["trial"] != trial.kind else f"other {', '.join(differ)}"
        )
        raise InputError(
            f"it holds the results of {what}. Choose another file, or delete it to begin anew.",
            source=str(save),
        )
    return trial(settings=found["settings"], records=found["records"], done=found.get("done", ()))
