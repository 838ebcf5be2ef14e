"""Agreement with people: does a metric order sets of texts as people do?

Table 2 of Liu et al. (2022), "Rethinking and Refining the Distinct Metric", for any data: Pearson's,
Spearman's and Kendall's correlation with human scores, and tests of the differences between metrics.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.api import sort_keywords
from distinctly.config import RunConfig
from distinctly.errors import SpecError, unknown
from distinctly.judging.defaults import default_metrics
from distinctly.judging.evaluating import measure_selections, records_of
from distinctly.judging.gathering import AnyEmbedders, Gathered, TrialMetric, diversities_only, gather
from distinctly.judging.measures import Reals
from distinctly.judging.people.annotations import LEAST_AGREEMENT, AgreementWith, Consensus
from distinctly.judging.people.findings import PeopleTrial
from distinctly.judging.people.rated import Rated, Scale, read_rated, take_rated
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, run
from distinctly.ragged import Integers
from distinctly.score import finite
from distinctly.sources.base import Format, Reading
from distinctly.spec import AnyMetrics, listed
from distinctly.statistics.pool import Pool
from distinctly.tokenizers import AnyTokenizer
from distinctly.version import __version__

# Most sets are shorter than the default windows of 50 or 100 tokens.
SHORT = {"msttr": {"window": "10"}, "mattr": {"window": "10"}, "hdd": {"sample": "10"}}


def human_agreement(
    sets: object,
    metrics: AnyMetrics | None = None,
    *,
    human: str | Sequence[float] | None = None,
    annotations: str | Sequence[Any] | None = None,
    least_agreement: float | None = LEAST_AGREEMENT,
    agreement_with: AgreementWith = "others",
    scale: tuple[float, float] | None = None,
    packages: str | Sequence[Any] | None = None,
    subsets: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | Mapping[str, Sequence[Any]] = (),
    against: str | None = None,
    prompts: Sequence[str] | None = None,
    field: str | None = None,
    prompt: str | None = None,
    format: Format | None = None,  # noqa: A002 - the option's name everywhere
    encoding: str | None = None,
    errors: str = "strict",
    delimiter: str | None = None,
    sheet: str | None = None,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    save: str | Path | None = None,
    **fields: Any,
) -> PeopleTrial:
    """Correlate metrics with human scores of the diversity of sets of texts, or with any number per text.

    Parameters
    ----------
    sets
        A list of lists of texts; or a file (.jsonl, .json, .csv, .tsv, .parquet …) with one set, or one
        text, per row; or None if there are only scores. A set without texts, or with only empty ones, is
        skipped, with a note.
    metrics
        Metrics of one corpus, including functions of one argument; by default all of them, if there are
        texts, and those with a value for a single text if each set is one text. With an empty list only the
        columns are judged.
    human
        One score per set, or the field of the file with the score: higher is more diverse. Reports call it
        by the name of the field.
    annotations
        The scores of all annotators, instead of `human`: for each set a mapping by annotator, or a list
        (None for a missing score). For a file, the field with these, or a list of fields, one per
        annotator, including patterns such as ``worker_*``.
    least_agreement, agreement_with
        Annotators whose Pearson correlation with the mean of the ``others``, or with the ``average`` of all
        (as in Liu et al., 2022), is lower are dropped; None keeps all. Both correlations are reported.
    scale
        The ends of the annotators' scale, which are mapped to 0 and 10; by default the lowest and the
        highest mean score.
    packages
        The package of each set, for sets that annotators compared with each other: the scores of each
        annotator are rescaled per package, since they are contrasts. For a file, one or more fields.
    subsets
        The subset of each set; correlations are computed per subset. For a file, one or more fields.
    columns
        Values of metrics that were computed elsewhere, by name. For a file, fields or patterns.
    against
        The metric or column that the others are tested against; by default the best one of each subset.
    prompts
        The prompt that the texts of each set answer, for metrics with ``context=prompt``; for a file,
        `prompt` is the field with it.
    field, prompt, format, encoding, errors, delimiter, sheet
        How to read a file: the field with the list of texts (``texts``), and as for `measure`.
    tokenizer, embedder
        As for `measure`; several embedders can be given as a list.
    save
        A .json or .csv file for the results; an interrupted run is resumed from it.
    fields
        Fields of `RunConfig`, such as `threads`, `device` and `progress`.

    Examples
    --------
    >>> sets = [["a b", "a b"], ["a b", "a c"], ["a b", "c a"], ["a b", "c d"]]
    >>> trial = human_agreement(sets, "distinct:n=1", human=[1, 4, 3, 9])
    >>> round(trial.to_dict()["distinct:n=1"]["spearman"]["mean"], 3)
    0.949
    """
    config = _config(fields)
    wanted_metrics = None if metrics is None else listed(metrics)
    how = Scale(least_agreement, scale, agreement_with)
    named = [columns] if isinstance(columns, str) else columns
    if isinstance(sets, (str, Path)):
        if isinstance(named, Mapping) or not (human is None or isinstance(human, str)):
            raise SpecError(
                "Expected names of fields for `human` and `columns`, since the sets are in a file."
            )
        rated = read_rated(
            sets,
            human=human,
            annotations=_names(annotations),
            packages=_names(packages),
            subsets=_names(subsets),
            columns=list(named),
            scale=how,
            reading=Reading(
                format=format, encoding=encoding, errors=errors, delimiter=delimiter, sheet=sheet
            ),
            field=field,
            prompt=prompt,
            texts=None if wanted_metrics is None else bool(wanted_metrics),
        )
    else:
        if not isinstance(named, Mapping):
            if named:
                raise SpecError("Expected `columns` to be values by name, since the sets are not in a file.")
            named = {}
        rated = take_rated(
            sets,
            human=human,
            annotations=annotations,
            packages=packages,
            subsets=subsets,
            columns=named,
            scale=how,
            prompts=prompts,
        )
    requests = []
    if rated.sets is not None and (wanted_metrics is None or wanted_metrics):
        rated, specs = _with_defaults(rated) if wanted_metrics is None else (rated, wanted_metrics)
        requests = diversities_only(specs)
    elif wanted_metrics:
        raise SpecError("Expected sets of texts for the metrics, got only scores.")
    known = [*(request.spec for request in requests), *rated.columns]
    if not known:
        raise SpecError(
            "Expected texts, or columns of scores with --column NAME (Python: columns=), got neither."
        )
    for spec in known:
        if known.count(spec) > 1:
            raise SpecError(f"'{spec}' is both a metric and a column. Rename the column.")
    if against is not None and against not in known:
        raise unknown("metric", against, known, of="this trial, to test the others against")
    gathered = None
    if requests:
        texts = rated.texts()
        gathered = gather([("sets", texts)], requests, tokenizer=tokenizer, embedder=embedder, config=config)
    return run(
        PeopleTrial,
        _settings(rated, gathered, against),
        list(_tasks(rated, gathered)),
        save=save,
        config=config,
    )


def _with_defaults(rated: Rated) -> tuple[Rated, list[str]]:
    """Return the default metrics; if each set is one text, those of one text, and a note on the others."""
    if any(len(texts) != 1 for texts in rated.sets or ()):
        return rated, default_metrics(SHORT)
    metrics = default_metrics(SHORT, one_text=True)
    names = {spec.partition(":")[0] for spec in metrics}
    others = dict.fromkeys(spec.partition(":")[0] for spec in default_metrics())
    left_out = [name for name in others if name not in names]
    note = (
        "Each row has one text, so metrics that compare texts with each other are left out: "
        f"{', '.join(left_out)}."
    )
    return replace(rated, notes=(*rated.notes, note)), metrics


def _config(fields: Mapping[str, Any]) -> RunConfig:
    """Return the configuration; fields of `Reading` raise an error, since they would change the sets."""
    reading, _, config = sort_keywords(fields, None, None, None)
    if reading:
        raise unknown("argument", next(iter(reading)), [field.name for field in dataclass_fields(RunConfig)])
    return config


def _names(given: str | Sequence[Any] | None) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _settings(rated: Rated, gathered: Gathered | None, against: str | None) -> dict[str, Any]:
    counts = {name: list(rated.subsets).count(name) for name in dict.fromkeys(rated.subsets)}
    sizes = [len(texts) for texts in rated.sets or ()]
    return {
        "sets": len(rated.human),
        "texts": [min(sizes), max(sizes)] if sizes else None,
        "source": Path(rated.name).name,
        "subsets": counts,
        "human": rated.called,
        "annotators": None if rated.annotators is None else _describe_annotators(rated.annotators),
        "against": against,
        "hash": rated.hash,
        "tokenizer": "" if gathered is None else gathered.settings["tokenizer"],
        "version": __version__,
        "notes": list(rated.notes),
    }


def _describe_annotators(consensus: Consensus) -> dict[str, Any]:
    return {
        "agreement_with": consensus.agreement_with,
        "least_agreement": consensus.least_agreement,
        "dropped": list(consensus.dropped),
        "agreement": {
            name: {
                "sets": agreement.sets,
                "with_others": finite(agreement.others),
                "with_average": finite(agreement.average),
                "kept": name not in consensus.dropped,
            }
            for name, agreement in consensus.agreement.items()
        },
    }


def _tasks(rated: Rated, gathered: Gathered | None) -> Iterator[Task]:
    """Yield one task per column or metric."""
    for name, values in rated.columns.items():
        # The hash distinguishes columns of the same name with other values.
        content = hashlib.blake2b(values.tobytes(), digest_size=4).hexdigest()
        yield Task(f"column {name} #{content}", partial(_records_of_column, rated, name, values))
    if gathered is not None and rated.sets is not None:
        bounds = np.cumsum([len(texts) for texts in rated.sets])
        rows = np.split(np.arange(bounds[-1]), bounds[:-1])
        for subject in gathered.subjects:
            yield Task(subject.name, partial(_records_of_metric, rated, subject, gathered.pool, rows))


def _records_of_column(rated: Rated, name: str, values: Reals) -> Iterator[Record]:
    for place, value in enumerate(values):
        metric = {"metric": name, "embedder": "", "part": "", "kind": "column"}
        note = "Undefined: the column has no value." if math.isnan(value) else ""
        yield {**metric, **_where(rated, place, 1), "value": float(value), "note": note}


def _records_of_metric(
    rated: Rated, subject: TrialMetric, pool: Pool, rows: Sequence[Integers]
) -> Iterator[Record]:
    for place, score in enumerate(measure_selections(subject, pool, rows).scores):
        yield from records_of(subject, score, kind="metric", **_where(rated, place, subject.sign))


def _where(rated: Rated, place: int, sign: int) -> dict[str, Any]:
    human = float(rated.human[place])
    return {"set": place, "subset": rated.subsets[place], "human": human, "sign": sign}
