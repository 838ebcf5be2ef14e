"""Call the package, and write its results in one form; no other module depends on its interface.

Where the interface has changed, both forms are read, so that the records before and after the change can be
compared.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import distinctly as dy
from distinctly import registry
from distinctly.cli import main
from distinctly.distance.base import Distance

Entry = dict[str, Any]
Entries = dict[str, Entry]
Case = Callable[[], Entries]
Cases = dict[str, Case]

# Wide enough that no table is split.
COLUMNS = "400"
UNDEFINED = "Undefined"
# The measures and the kinds of records of trials that are times, which differ between runs.
TIMES = ("time", "speed", "growth")
# The quantities of a noise floor: the name in this record, and those in parts of scores and `Score.floor`.
FLOOR = {
    "value": ("noise_floor", "value", "mean"),
    "texts": ("noise_floor_texts", "texts", "size"),
    "at_size": ("at_floor_size", "at_size", "at_floor_size", "distance_at_size"),
}
# Metrics that need the quality of each text.
WITH_QUALITY = ("utility",)
TRIALS = {
    "similarity": "known_similarity",
    "diversity": "known_diversity",
    "length": "length_bias",
    "people": "human_agreement",
    "progress": "training_progress",
}


def metric_names() -> list[str]:
    """Return the names of all metrics of one corpus."""
    return [name for name in _names() if name not in distance_names()]


def distance_names() -> list[str]:
    """Return the names of all distances."""
    return [name for name in _names() if issubclass(_metric_class(name), Distance)]


def presets(name: str) -> list[str]:
    """Return the names of the presets of a metric."""
    return list(_metric_class(name).presets)


def _names() -> list[str]:
    return list(registry.metric_names())


def _metric_class(name: str) -> Any:
    return registry.find_metric(name)


def measure(texts: object, metrics: Sequence[str], **options: Any) -> Entries:
    """Measure one corpus, by default without the cache of vectors."""
    if isinstance(texts, list) and any(metric.partition(":")[0] in WITH_QUALITY for metric in metrics):
        options["quality"] = [len(str(text)) % 10 for text in texts]
    return entries_of(dy.measure(texts, list(metrics), **{"cache": False, **_tagger(metrics), **options}))


def by_length(text: str | list[str]) -> list[str]:
    """Tag each word of a text by its length, so that tags need no package."""
    return [str(len(word)) for word in (text.split() if isinstance(text, str) else text)]


def _tagger(metrics: Sequence[str]) -> dict[str, Any]:
    """Return the tagger, if one of the metrics reads tags by default."""
    return {"tagger": by_length} if any(spec.startswith("templates") for spec in metrics) else {}


def measure_several(corpora: Mapping[str, object], metrics: Sequence[str], **options: Any) -> Entries:
    """Measure several corpora side by side."""
    function: Any = getattr(dy, "measure_all", dy.measure)
    return entries_of(
        function(dict(corpora), list(metrics), **{"cache": False, **_tagger(metrics), **options})
    )


def compare(reference: object, candidate: object, metrics: Sequence[str], **options: Any) -> Entries:
    """Measure the distance of a corpus, or of several in a mapping, from a reference."""
    return entries_of(dy.compare(reference, candidate, list(metrics), **{"cache": False, **options}))


def accumulate(batches: Sequence[object], metrics: Sequence[str], **options: Any) -> Entries:
    """Measure texts in batches, with one accumulator and with two that are merged."""
    whole, first, second = (dy.Accumulator(list(metrics), **options) for _ in range(3))
    for place, batch in enumerate(batches):
        whole.update(batch)
        (second if place % 2 else first).update(batch)
    entries = entries_of(whole.compute())
    merged = entries_of(first.merge(second).compute())
    return entries | {f"{name} merged": entry for name, entry in merged.items()}


def top_ngrams(texts: object, n: int, k: int) -> Entries:
    """List the most frequent n-grams."""
    return {"top": {"kind": "facts", "facts": [list(pair) for pair in dy.top_ngrams(texts, n, k)]}}


def corpus(texts: object, **reading: Any) -> Any:
    """Return texts as a corpus; a path is read."""
    return dy.Corpus.read(texts, **reading) if isinstance(texts, str) else dy.Corpus(texts, **reading)


def judge(kind: str, *arguments: object, **options: Any) -> Entries:
    """Run a trial of metrics."""
    trial: Any = getattr(dy.judging, TRIALS[kind])(*arguments, **options)
    entries: Entries = {}
    for finding in trial.findings:
        if finding.measure in TIMES:
            continue
        words = [finding.metric, finding.part, finding.measure, finding.embedder, *_written(finding.settings)]
        _add(
            entries,
            " | ".join(map(str, words)),
            {
                "kind": "finding",
                "value": _plain(finding.mean),
                "std": _plain(finding.std),
                "low": _plain(finding.low),
                "high": _plain(finding.high),
                "repetitions": finding.repetitions,
                "parts": _plain(finding.parts),
                **_notes(finding),
            },
        )
    for record in trial.records:
        if record.get("kind") in TIMES:
            continue
        fields = {name: value for name, value in record.items() if name not in ("value", "note", "work")}
        value, note = _plain(record["value"]), record["note"]
        _add(
            entries,
            "record " + " | ".join(_written(fields)),
            {"kind": "record", "value": value, "notes": [str(note)] if note else []},
        )
    entries["settings"] = {"kind": "facts", "facts": _plain(trial.settings)}
    return entries


def command(*arguments: object, given: str = "") -> Entries:
    """Run a command in this process, with `given` as standard input."""
    outputs = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    source = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    status: object = 0
    with _replaced(source), contextlib.redirect_stdout(outputs[0]), contextlib.redirect_stderr(outputs[1]):
        sys.argv = ["distinctly", *map(str, arguments)]
        try:
            main()
        except SystemExit as ended:
            status = ended.code
    for output in outputs:
        output.flush()
    texts = [output.buffer.getvalue().decode() for output in outputs]
    return {"output": {"kind": "output", "exit": status, "text": texts[0], "errors": texts[1]}}


@contextlib.contextmanager
def _replaced(source: io.TextIOWrapper) -> Iterator[None]:
    """Replace standard input, the arguments and the width of the terminal."""
    before = sys.stdin, sys.argv, os.environ.get("COLUMNS")
    sys.stdin, os.environ["COLUMNS"] = source, COLUMNS
    try:
        yield
    finally:
        sys.stdin, sys.argv = before[:2]
        os.environ.pop("COLUMNS")
        if before[2] is not None:
            os.environ["COLUMNS"] = before[2]


def entries_of(scores: Any) -> Entries:
    """Return the entries of all scores, comparisons and facts of a run."""
    entries: Entries = {}
    for score in scores:
        reference = f" from {score.reference}" if score.reference else ""
        _add(entries, f"{score.spec} | {score.corpus}{reference} | {score.scope or ''}", score_entry(score))
    for comparison in scores.comparisons:
        where = f"{comparison.metric} | {comparison.corpus} - {comparison.best} | {comparison.scope or ''}"
        _add(entries, f"difference {where}", _comparison_entry(comparison))
    if scores.corpora:
        entries["corpora"] = {"kind": "facts", "facts": _plain([dict(facts) for facts in scores.corpora])}
    return entries


def score_entry(score: Any) -> Entry:
    """Return the entry of a score of the current or of the earlier interface."""
    parts = dict(score.parts)
    test: Any = getattr(score, "test", None) or {name: parts.pop(name, None) for name in _TEST}
    floor: Any = getattr(score, "floor", None)
    if floor is None:
        names = [known[0] for known in FLOOR.values()]
        floor = {name: parts.pop(name) for name in names if name in parts}
    return {
        "kind": "score",
        "metric": score.metric,
        "value": _plain(score.value),
        "low": _plain(score.low),
        "high": _plain(score.high),
        "parts": _plain(parts),
        "p": _plain(_first(test, ("p",))),
        "p_holm": _plain(_first(test, ("p_holm", "p_corrected"))),
        "permutations": _first(test, ("permutations",)),
        "floor": {name: _plain(_first(floor, known)) for name, known in FLOOR.items()} if floor else {},
        **_notes(score),
        "signature": score.signature,
    }


_TEST = ("p", "p_holm", "permutations")


def _comparison_entry(comparison: Any) -> Entry:
    test = comparison if hasattr(comparison, "p") else comparison.test
    how = comparison.test if isinstance(comparison.test, str) else _first(test, ("how",))
    return {
        "kind": "comparison",
        "metric": comparison.metric,
        "value": _plain(comparison.difference),
        "p": _plain(test.p),
        "p_holm": _plain(_first(test, ("p_holm", "p_corrected"))),
        "noise": comparison.noise,
        "notes": [str(how)],
    }


def _notes(result: Any) -> Entry:
    """Separate the reason for an undefined value from the other notes."""
    notes = [str(note) for note in result.notes]
    if hasattr(result, "undefined"):
        reason = result.undefined
    else:
        reason = next((note for note in notes if note.startswith(UNDEFINED)), None)
        if reason is not None:
            notes.remove(reason)
            reason = reason.removeprefix(UNDEFINED).lstrip(": ")
    return {"undefined": reason is not None, "reason": reason or "", "notes": notes}


def _first(holder: Any, names: Iterable[str]) -> Any:
    """Return the first of several items or attributes that is not None; None if there is none."""
    for name in names:
        value = holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
        if value is not None:
            return value
    return None


def _add(entries: Entries, name: str, entry: Entry) -> None:
    """Add an entry; a number is appended to a name that already exists."""
    unique, times = name, 1
    while unique in entries:
        times += 1
        unique = f"{name} #{times}"
    entries[unique] = entry


def _written(settings: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]


def _plain(value: Any) -> Any:
    """Return plain data for JSON; floats keep all digits, and -0.0 its sign."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if hasattr(value, "to_dict") and not isinstance(value, float):
        return _plain(value.to_dict())
    if hasattr(value, "__dict__") and not isinstance(value, float):
        return _plain(vars(value))
    number = float(value)
    return number if math.isfinite(number) else str(number)
