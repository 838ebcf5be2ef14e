"""`Trial`: the results of a trial of metrics, saved so that they can be read again and resumed.

A trial is a list of **records**, one per value of a metric, and the settings that produced them. Its findings
(accuracy, slopes, correlations) are computed from the records, so a file of records is sufficient for a table
or a figure.
"""

from __future__ import annotations

import csv
import io
import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from distinctly.config import RunConfig
from distinctly.errors import InputError, SpecError, reason, unknown
from distinctly.judging.records import Key, Plain, Record, by_subject, mean_of, name_metrics, name_of
from distinctly.report.cells import printable
from distinctly.report.csv import records_as_csv
from distinctly.report.saving import save_page, write_whole
from distinctly.report.spreadsheets import unguarded
from distinctly.run.resampling import Z
from distinctly.score import finite

T = TypeVar("T", bound="Trial")
M = TypeVar("M", bound=str)
# Seconds between two updates of a file.
SAVE_EVERY = 5.0
# The endings of files of results that can be read again.
RESULTS = (".json", ".csv")
# Raised when a key of a file of results changes its meaning or goes away.
FORMAT_VERSION = 2


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One measure of one metric: its mean and standard deviation over repetitions.

    Attributes
    ----------
    metric, embedder, part
        The metric as it was requested, the embedder of its vectors, and the part of its score.
    measure
        Name of the measure: ``accuracy``, ``slope``, ``spearman`` …
    mean, std
        Mean and standard deviation over repetitions; the latter is NaN for one repetition.
    low, high
        95 % interval of the mean, if there is one.
    repetitions
        Number of repetitions.
    settings
        Settings that distinguish findings of the same measure: ``n``, ``k``, a subset.
    parts
        Further values: the number of judgements, a p-value.
    notes
        Reasons why it is undefined, and warnings.
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
        """Summarize the values of several repetitions; undefined ones are left out, with a note.

        Examples
        --------
        >>> finding = Finding.over([0.5, 0.7, math.nan], metric="ead", measure="accuracy")
        >>> round(finding.mean, 3), round(finding.std, 3), finding.notes
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
        """Return plain data for JSON; undefined numbers are None."""
        return {
            "metric": self.metric,
            "embedder": self.embedder,
            "part": self.part,
            "measure": self.measure,
            **self.reading(),
            "settings": dict(self.settings),
        }

    def reading(self) -> dict[str, Any]:
        """Return the numbers and notes only."""
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
    """The records of a trial and their settings.

    Attributes
    ----------
    settings
        Everything that can change a number: the corpora (name, texts, hash), sizes, seed, the version. It
        is plain data.
    records
        One record per value.
    done
        Names of the tasks whose records are complete, so that a run can be resumed.
    """

    kind: ClassVar[str]

    settings: Mapping[str, Any]
    records: Sequence[Record] = ()
    done: Sequence[str] = ()

    @abstractmethod
    def find(self) -> list[Finding]:
        """Compute the findings from the records."""

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings, computed once."""
        return self.find()

    @cached_property
    def by_subject(self) -> dict[Key, list[Record]]:
        """The records per metric, embedder and part."""
        return by_subject(self.records)

    @cached_property
    def names(self) -> dict[Key, str]:
        """The name of each metric on pages and figures, with its embedder where there are several."""
        return {key: printable(name) for key, name in name_metrics(self.by_subject).items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the trial as a whole."""
        return tuple(self.settings.get("notes", ()))

    def to_dict(self) -> dict[str, Any]:
        """Return the findings by metric and measure: ``{"frechet": {"accuracy": {"mean": …, "std": …}}}``.

        If a measure of a metric has findings for several settings (two k, two embedders, several subsets),
        there is one more level: ``{"accuracy": {"k=7": {…}, "k=12": {…}}}``.
        """
        by_measure: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.findings:
            by_measure.setdefault((finding.name, finding.measure), []).append(finding)
        by_metric: dict[str, Any] = {}
        for (name, measure), findings in by_measure.items():
            readings = [finding.reading() for finding in findings]
            by_metric.setdefault(name, {})[measure] = (
                readings[0] if len(readings) == 1 else dict(zip(labels(findings), readings))
            )
        return by_metric

    def document(self) -> dict[str, Any]:
        """Return everything, for JSON."""
        return {
            "format_version": FORMAT_VERSION,
            "trial": self.kind,
            "settings": dict(self.settings),
            "findings": [finding.to_dict() for finding in self.findings],
            "records": [{key: _plain(value) for key, value in record.items()} for record in self.records],
            "done": list(self.done),
        }

    def save(self, path: str | Path) -> None:
        """Write a .json or .csv file, which `distinctly judge table` and `plot` can read.

        A file with another ending, such as .xlsx or .md, is a report, which cannot be read again.
        """
        ending = Path(path).suffix.lower()
        if ending not in RESULTS:
            from distinctly.judging.page import page_of

            save_page(page_of(self), path)
            return
        text = self.csv() if ending == ".csv" else json.dumps(self.document(), allow_nan=False) + "\n"
        write_whole(path, text.encode("utf-8", "backslashreplace"))

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
        return records_as_csv(self.records, settings=self.header())


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
    """Return the settings that distinguish findings of one measure, as text."""
    settings = [
        {**finding.settings, **({"embedder": finding.embedder} if finding.embedder else {})}
        for finding in findings
    ]
    keys = dict.fromkeys(key for each in settings for key in each)
    different = [key for key in keys if len({str(each.get(key)) for each in settings}) > 1]
    return [", ".join(f"{key}={each[key]}" for key in different if key in each) for each in settings]


def _plain(value: Plain) -> Plain:
    return finite(value) if isinstance(value, float) else value


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in RESULTS:
        raise SpecError(f"Expected results in a .json or .csv file, got '{path}'.")
    return ending


def read_document(path: str | Path) -> dict[str, Any]:
    """Read a file written by `Trial.save`, as plain data."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        document: dict[str, Any] = _from_csv(text) if _ending(path) == ".csv" else json.loads(text)
        if not {"trial", "settings", "records"} <= document.keys():
            raise ValueError("it contains no trial")
        for record in document["records"]:
            record["value"] = math.nan if record["value"] is None else float(record["value"])
    except SpecError:
        raise
    except (OSError, ValueError, AttributeError, KeyError, TypeError, StopIteration) as error:
        problem = f"expected the results of `distinctly judge … --save`, got another file: {reason(error)}."
        raise InputError(problem, source=str(path)) from error
    return document


def _from_csv(text: str) -> dict[str, Any]:
    head, _, rest = text.partition("\n")
    if not head.startswith("# "):
        raise ValueError("its first line contains no settings")
    document: dict[str, Any] = json.loads(head[2:])
    guarded = document.pop("cells", "raw") == "guarded"
    rows = csv.DictReader(io.StringIO(rest, newline=""))
    document["records"] = [
        {key: _cell(key, unguarded(cell) if guarded else cell) for key, cell in row.items()} for row in rows
    ]
    return document


# Columns of text, even if a cell looks like a number.
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
    """A part of a trial that is run as a whole: its name, and a function that returns its records."""

    name: str
    records: Callable[[], Iterable[Record]]


def run(
    trial: type[T],
    settings: Mapping[str, Any],
    tasks: Sequence[Task],
    *,
    save: str | Path | None = None,
    config: RunConfig,
) -> T:
    """Run all tasks of a trial that are not in the file yet, and keep the file up to date.

    The same call resumes an interrupted run. A file of another trial, or of other settings, raises an error
    and is not changed.
    """
    known = _known(trial, settings, save)
    order = {task.name: place for place, task in enumerate(tasks)}
    plain: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    done = list(known.done) if known else []
    records = list(known.records) if known else []
    finished = set(done)

    def trial_of(names: Iterable[str]) -> T:
        chosen = sorted(names, key=lambda name: order.get(name, len(order)))
        places = {name: place for place, name in enumerate(chosen)}
        selected = [record for record in records if record["work"] in places]
        selected.sort(key=lambda record: places[str(record["work"])])
        return trial(settings=plain, records=selected, done=chosen)

    written = time.monotonic()
    try:
        for place, task in enumerate(tasks):
            if config.progress is not None:
                config.report(task.name, place, len(tasks))
            if task.name in finished:
                continue
            records += [{**record, "work": task.name} for record in task.records()]
            done.append(task.name)
            if save is not None and time.monotonic() - written > SAVE_EVERY:
                trial_of(done).save(save)
                written = time.monotonic()
    finally:
        # Also if the run was interrupted; and tasks of earlier runs that are not requested now are kept.
        if save is not None and len(done) > len(finished):
            trial_of(done).save(save)
    return trial_of(order)


def _known(trial: type[T], settings: Mapping[str, Any], save: str | Path | None) -> T | None:
    if save is None:
        return None
    _ending(save)
    if not Path(save).exists():
        if not Path(save).parent.is_dir():
            raise InputError(
                "this folder does not exist. Create it, or choose another file for the results.",
                source=str(Path(save).parent),
            )
        return None
    document = read_document(save)
    before = document["settings"]
    now = json.loads(json.dumps(dict(settings), allow_nan=False))
    # Notes follow from the other settings.
    different = [key for key in {**now, **before} if key != "notes" and now.get(key) != before.get(key)]
    if document["trial"] != trial.kind or different:
        what = f"other {', '.join(different)}"
        if document["trial"] != trial.kind:
            what = f"a trial of {document['trial']}"
        raise InputError(
            f"it contains the results of {what}. Choose another file, or delete it to start again.",
            source=str(save),
        )
    return trial(settings=before, records=document["records"], done=document.get("done", ()))
