"""Cases of the five trials of metrics, with small settings."""

from __future__ import annotations

from functools import partial
from typing import Any

from . import data, interface
from .interface import Cases, Entries

METRICS = (
    *("distinct:n=1", "ead", "entropy:n=1", "self_bleu", "dispersion", "ttr:pool=corpus"),
    *("rarefied:n=1,sample=20", "distinct:n=1,at=100", "entropy:n=1,at=100,draws=3"),
)
DISTANCES = ("chi", "jensen_shannon", "frechet", "energy", "medoid", "ttr_difference")


def trial_cases() -> Cases:
    """Return the cases of all trials, each with several of its options."""
    cases: Cases = {}

    def similarity(metrics: list[str], **options: Any) -> Entries:
        first, second = data.texts("banking77", 300), data.texts("clinc150", 300)
        return interface.judge("similarity", first, second, metrics, cache=False, **options)

    def vectors(metrics: list[str], **options: Any) -> Entries:
        first, second = data.embedded("atis", 200)[1], data.embedded("clinc150", 200)[1]
        return interface.judge("similarity", first, second, metrics, **options)

    def diversity(file: str, metrics: list[str], labelled: bool, **options: Any) -> Entries:
        rows = data.rows(file, 800)
        label = [row["label"] for row in rows] if labelled else None
        texts = [row["text"] for row in rows]
        return interface.judge("diversity", texts, metrics, label=label, cache=False, **options)

    def length(metrics: list[str], **options: Any) -> Entries:
        corpora = {name: data.texts(name, 1500) for name in ("personachat-valid-test", "atis")}
        return interface.judge("length", corpora, metrics, cache=False, **options)

    def people(metrics: list[str] | None, **options: Any) -> Entries:
        return interface.judge("people", "sets.jsonl", metrics, human="hds_mean", cache=False, **options)

    def progress(metrics: list[str], **options: Any) -> Entries:
        texts, noise = data.texts("topical-chat-valid-test", 240), data.texts("opensubtitles-sample", 90)
        steps = {f"step-{share}": noise[share:] + texts[:share] for share in (0, 30, 60, 90)}
        return interface.judge("progress", texts[100:], steps, metrics, cache=False, **options)

    small: dict[str, Any] = {"n": 20, "k": 4, "repetitions": 2}
    sized: dict[str, Any] = {"sizes": [20, 40, 60], "largest": 100, "size_repetitions": 2}
    for metric in (*DISTANCES, "distinct:n=1", "mauve:clusters=8"):
        cases[f"trials/similarity/{metric}"] = partial(similarity, [metric], **small, **sized)
    cases["trials/similarity paper"] = partial(
        similarity, list(DISTANCES), preset="paper", n=12, repetitions=2, parts=True, **sized
    )
    cases["trials/similarity reference"] = partial(
        similarity, ["pr", "irpr"], reference="A", measures=["accuracy", "linearity"], seed=2, **small
    )
    cases["trials/similarity vectors"] = partial(
        vectors, ["frechet", "dc"], measures=["accuracy", "monotonicity"], **small
    )
    drawn: dict[str, Any] = {"n": 20, "k": 4, "corpora": 2, "repetitions": 2}
    for metric in METRICS:
        for file in ("clinc150", "banking77"):
            cases[f"trials/diversity {file}/{metric}"] = partial(diversity, file, [metric], True, **drawn)
        cases[f"trials/diversity repeats/{metric}"] = partial(diversity, "atis", [metric], False, **drawn)
        cases[f"trials/length/{metric}"] = partial(length, [metric], texts=20, sets=2, lengths="6:14")
        cases[f"trials/people/{metric}"] = partial(people, [metric])
    cases["trials/diversity unmatched"] = partial(
        diversity, "clinc150", ["types:n=1", "duplicates"], True, match_length=False, seed=4, **drawn
    )
    cases["trials/length designated"] = partial(
        interface.judge, "length", None, designated=True, lengths="10:50:10", texts=50, sets=2
    )
    cases["trials/people all"] = partial(
        people, None, subsets="task", columns=["metric_*"], against="metric_BertScore"
    )
    cases["trials/people columns"] = partial(people, [], columns=["metric_*", "label_value"])
    for metric in (*DISTANCES, "distinct:n=1"):
        cases[f"trials/progress/{metric}"] = partial(progress, [metric], repetitions=2)
    cases["trials/progress steps"] = partial(progress, ["chi", "frechet"], steps=[1, 2.5, 3, 9], n=20, seed=1)
    return cases
