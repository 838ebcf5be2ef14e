"""Sets of texts that people have scored, read from a file or taken from lists."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError
from distinctly.judging.measures import Reals
from distinctly.judging.people.annotations import (
    LEAST_AGREEMENT,
    AgreementWith,
    Annotation,
    Consensus,
    consensus,
)
from distinctly.judging.people.contrasts import contrasts
from distinctly.sources.base import Reading, column, describe, is_null
from distinctly.sources.fields import Fields, read_fields

Text = str | list[str]
DEFAULT_FIELD = "texts"
# What human scores are called that have no name.
UNNAMED = "given"


@dataclass(frozen=True)
class Scale:
    """How the scores of annotators are combined into one score per set."""

    least_agreement: float | None = LEAST_AGREEMENT
    ends: tuple[float, float] | None = None
    agreement_with: AgreementWith = "others"


@dataclass(frozen=True)
class Rated:
    """Sets of texts, their human scores, and values of other metrics.

    Attributes
    ----------
    human
        One score per set.
    subsets
        The subset of each set; empty if there are no subsets.
    columns
        Values of metrics that were computed elsewhere, one per set; NaN if missing.
    sets
        The texts of each set; None if there are only scores.
    name, called
        Name of the file, and name of the human score.
    annotators
        The annotators, if their scores were given.
    notes
        Notes for the reader.
    prompts
        The prompt of each set; None if they are not known.
    """

    human: Reals
    subsets: Sequence[str]
    columns: Mapping[str, Reals]
    sets: Sequence[Sequence[Text]] | None
    name: str = ""
    called: str = UNNAMED
    annotators: Consensus | None = None
    notes: tuple[str, ...] = field(default=())
    prompts: Sequence[str] | None = None

    def texts(self) -> Corpus:
        """Return the texts of all sets, one set after another, with their prompts."""
        sets = self.sets or ()
        texts = [text for texts_of_set in sets for text in texts_of_set]
        if self.prompts is None:
            return Corpus(texts)
        prompts = [prompt for prompt, of_set in zip(self.prompts, sets) for _ in of_set]
        return Corpus(texts, prompts=prompts)

    @property
    def hash(self) -> str:
        """A hash of the sets, scores, subsets and prompts."""
        contents: list[Any] = [self.sets, self.human.tolist(), list(self.subsets)]
        contents += [] if self.prompts is None else [list(self.prompts)]
        return hashlib.blake2b(json.dumps(contents).encode(), digest_size=8).hexdigest()


def read_rated(
    path: str | Path,
    *,
    human: str | None,
    annotations: Sequence[str],
    subsets: Sequence[str],
    columns: Sequence[str],
    scale: Scale,
    reading: Reading,
    packages: Sequence[str] = (),
    field: str | None = None,
    prompt: str | None = None,
    texts: bool | None = None,
) -> Rated:
    """Read a file with one set, or one text, per row.

    Parameters
    ----------
    path
        A file of any format with fields, such as .jsonl, .csv or .parquet.
    human
        The field with the human score.
    annotations
        The fields with the scores of annotators, instead of `human`: one field with a mapping or a list, or
        one field per annotator; a pattern such as ``worker_*`` stands for all fields that match.
    subsets
        The fields with the subset of a set; several are joined.
    columns
        Fields with values of other metrics, or patterns.
    scale
        How the scores of annotators are combined.
    reading
        The file's format and encoding.
    packages
        The fields with the package of a set, within which the scores of annotators are contrasts.
    field, texts
        The field with the text or the list of texts, and whether it is required; if `texts` is None, texts
        are read if there are any.
    prompt
        The field with the prompt that the texts of a set answer.
    """
    read = read_fields(path, reading)
    known = read.rows[0][1]
    places: Sequence[int] = range(len(read.rows))
    if (human is None) == (not annotations):
        raise SpecError(
            "Expected either a field with human scores, --human NAME (Python: human=), or a field with the "
            f"scores of annotators, --annotations NAME (annotations=). Fields of {read.name}: "
            f"{', '.join(known)}."
        )
    sets = None
    notes: tuple[str, ...] = ()
    if texts or (texts is None and (field is not None or DEFAULT_FIELD in known)):
        given = [
            checked_set(_cell(read, place, field or DEFAULT_FIELD, "field"), read.name, where)
            for place, (where, _) in enumerate(read.rows)
        ]
        places, notes = with_texts(given, read.name)
        sets = [given[place] for place in places]
    prompts = None
    if prompt is not None:
        prompts = [
            checked_prompt(_cell(read, place, prompt, "prompt"), read.name, read.rows[place][0])
            for place in places
        ]
    labels = [" ".join(_label(read, place, name) for name in subsets) for place in places]
    names = _matching(columns, known, read, "column")
    others = {name: np.array([_number(read, place, name, "column") for place in places]) for name in names}
    if human is not None:
        _no_packages(packages)
        scores = [_number(read, place, human, "human", needed=True) for place in places]
        return Rated(np.array(scores), labels, others, sets, read.name, human, notes=notes, prompts=prompts)
    fields = _matching(annotations, known, read, "annotations")
    raw = [_annotation(read, place, fields) for place in places]
    called = ", ".join(annotations)
    zeros = np.zeros(len(raw))
    rated = Rated(zeros, labels, others, sets, read.name, called, notes=notes, prompts=prompts)
    shown_in = [" ".join(_label(read, place, name, "package") for name in packages) for place in places]
    return with_consensus(rated, raw, scale, shown_in if packages else None)


def take_rated(
    sets: Any,
    *,
    human: Any,
    annotations: Any,
    subsets: Sequence[Any] | None,
    columns: Mapping[str, Sequence[Any]],
    scale: Scale,
    packages: Sequence[Any] | None = None,
    prompts: Sequence[Any] | None = None,
) -> Rated:
    """Check sets, scores and columns given as lists, with one item per set."""
    if (human is None) == (annotations is None):
        raise SpecError(
            "Expected either `human`, one score per set, or `annotations`, several scores per set."
        )
    given = list(human if annotations is None else annotations)
    lists: dict[str, Sequence[Any]] = {} if sets is None else {"sets": list(sets)}
    lists |= {} if subsets is None else {"subsets": list(subsets)}
    lists |= {} if packages is None else {"packages": list(packages)}
    lists |= {} if prompts is None else {"prompts": list(prompts)}
    lists |= {f"columns['{name}']": list(values) for name, values in columns.items()}
    for name, values in lists.items():
        if len(values) != len(given):
            raise InputError(
                f"expected one entry of {name} per human score, got {len(values)} for {len(given)}."
            )
    if not given:
        raise InputError("expected sets with human scores, got none.")
    texts = None
    notes: tuple[str, ...] = ()
    places: Sequence[int] = range(len(given))
    if sets is not None:
        checked = [checked_set(item, "sets", f"item {place}") for place, item in enumerate(lists["sets"])]
        places, notes = with_texts(checked, "sets")
        texts = [checked[place] for place in places]
    prompts_of_sets = None
    if prompts is not None:
        prompts_of_sets = [
            checked_prompt(lists["prompts"][place], "prompts", f"item {place}") for place in places
        ]
    labels = ["" if subsets is None else str(lists["subsets"][place]) for place in places]
    others = {
        name: np.array([as_number(values[place], name, f"item {place}") for place in places])
        for name, values in columns.items()
    }
    if annotations is None:
        _no_packages(packages)
        scores = [as_number(given[place], "human", f"item {place}", needed=True) for place in places]
        return Rated(np.array(scores), labels, others, texts, notes=notes, prompts=prompts_of_sets)
    raw = [_scores_of(given[place], "annotations", f"item {place}") for place in places]
    zeros = np.zeros(len(raw))
    rated = Rated(zeros, labels, others, texts, "", "annotations", notes=notes, prompts=prompts_of_sets)
    shown_in = None if packages is None else [str(lists["packages"][place]) for place in places]
    return with_consensus(rated, raw, scale, shown_in)


def checked_prompt(prompt: object, source: str, where: str) -> str:
    """Return the prompt of a set; raise if it is missing, or no text."""
    if isinstance(prompt, str):
        return prompt
    raise InputError(
        f"expected the prompt of the set as text, got {describe(prompt)}. Fill it in, or leave out --prompt.",
        source=source,
        row=where,
    )


def with_texts(sets: Sequence[Sequence[Text]], source: str) -> tuple[list[int], tuple[str, ...]]:
    """Return the places of the sets that have a text, and a note on the others.

    A set without texts, or with only empty ones, has no diversity, so its human score cannot be compared.

    Examples
    --------
    >>> with_texts([["a b", ""], [], ["", " "]], "sets")
    ([0], ('2 of 3 sets have no texts and are skipped.',))
    """
    places = [
        place
        for place, texts in enumerate(sets)
        if any(text.strip() if isinstance(text, str) else text for text in texts)
    ]
    skipped = len(sets) - len(places)
    if not places:
        raise InputError(f"expected sets with texts, got {skipped:,} without any.", source=source)
    have = "has no texts and is" if skipped == 1 else "have no texts and are"
    return places, (f"{skipped:,} of {len(sets):,} sets {have} skipped.",) if skipped else ()


def _no_packages(packages: Sequence[Any] | None) -> None:
    if packages:
        raise SpecError(
            "Packages are for the scores of several annotators, --annotations (Python: annotations=), which "
            "are rescaled per package. Leave them out."
        )


def with_consensus(
    rated: Rated, raw: Sequence[Annotation], scale: Scale, packages: Sequence[str] | None = None
) -> Rated:
    """Combine the scores of annotators; sets without a score of a remaining annotator are left out.

    If the package of each set is given, the scores are rescaled per annotator and package first.
    """
    notes = rated.notes
    if packages is not None:
        if scale.ends is not None:
            raise SpecError("--scale cannot be combined with packages, whose rescaled scores have no ends.")
        rescaled = contrasts(raw, packages)
        raw, notes = rescaled.annotations, (*notes, *rescaled.notes)
    combined = consensus(
        raw,
        least_agreement=scale.least_agreement,
        agreement_with=scale.agreement_with,
        scale=scale.ends,
    )
    kept = np.flatnonzero(~np.isnan(combined.scores)).tolist()
    dropped = len(raw) - len(kept)
    note = f"{dropped:,} of {len(raw):,} sets have no score of a remaining annotator; they are left out."
    return replace(
        rated,
        human=combined.scores[kept],
        subsets=[rated.subsets[place] for place in kept],
        columns={column: values[kept] for column, values in rated.columns.items()},
        sets=None if rated.sets is None else [rated.sets[place] for place in kept],
        annotators=combined,
        notes=(*notes, *([note] if dropped else [])),
    )


def checked_set(given: Any, source: str, where: str) -> list[Text]:
    """Return the texts of a set, each a string or a list of tokens; a missing set has none.

    A text is a set of one text.
    """
    if is_null(given):
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, (list, tuple)):
        texts = list(given)
        if all(isinstance(text, str) for text in texts) or all(_is_tokens(text) for text in texts):
            return texts
    raise InputError(f"expected a text or a list of texts, got {describe(given)}.", source=source, row=where)


def _is_tokens(text: Any) -> bool:
    return isinstance(text, list) and all(isinstance(token, str) for token in text)


def as_number(given: Any, called: str, where: str, *, source: str = "", needed: bool = False) -> float:
    """Return a score as a number; a missing score is NaN, or an error if it is needed."""
    missing = is_null(given) or (isinstance(given, str) and not given.strip())
    if missing and not needed:
        return math.nan
    if missing:
        raise InputError(
            f"the value of '{called}' is missing. Fill it in, or remove the row.",
            source=source,
            row=where,
        )
    try:
        if isinstance(given, bool):
            raise ValueError
        number = float(given)
    except (TypeError, ValueError):
        number = math.inf
    if not math.isfinite(number):
        shown = repr(given) if isinstance(given, str) else describe(given)
        raise InputError(f"expected a number in '{called}', got {shown}.", source=source, row=where)
    return number


def _cell(read: Fields, place: int, name: str, flag: str) -> object:
    return read.value(place, name, flag)


def _number(read: Fields, place: int, name: str, flag: str, *, needed: bool = False) -> float:
    where = read.rows[place][0]
    return as_number(_cell(read, place, name, flag), name, where, source=read.name, needed=needed)


def _label(read: Fields, place: int, name: str, flag: str = "subset") -> str:
    label = _cell(read, place, name, flag)
    if isinstance(label, (dict, list)) or is_null(label):
        raise InputError(
            f"expected the name of a {flag} in '{name}', got {describe(label)}.",
            source=read.name,
            row=read.rows[place][0],
        )
    return str(label)


def _matching(patterns: Iterable[str], known: Iterable[str], read: Fields, flag: str) -> list[str]:
    """Return the fields of the first row that match names or patterns."""
    fields: dict[str, None] = {}
    for pattern in patterns:
        matches = [name for name in known if name == pattern] or fnmatch.filter(known, pattern)
        if not matches:
            raise column(pattern, known, source=read.name, row=read.rows[0][0], flag=flag)
        fields |= dict.fromkeys(matches)
    return list(fields)


def _annotation(read: Fields, place: int, fields: Sequence[str]) -> Annotation:
    where = read.rows[place][0]
    cells = {name: _cell(read, place, name, "annotations") for name in fields}
    if len(cells) == 1 and isinstance(only := next(iter(cells.values())), (Mapping, list)):
        return _scores_of(only, fields[0], where, read.name)
    return _scores_of(cells, "annotations", where, read.name)


def _scores_of(given: Any, called: str, where: str, source: str = "") -> Annotation:
    """Return the scores of a set by annotator; in a list, the position identifies the annotator."""
    if isinstance(given, Mapping):
        pairs = [(str(name), score) for name, score in given.items()]
    elif isinstance(given, (list, tuple)):
        pairs = [(str(place), score) for place, score in enumerate(given, 1)]
    else:
        raise InputError(
            f"expected scores by annotator in '{called}', a mapping or a list, got {describe(given)}.",
            source=source,
            row=where,
        )
    numbers = {name: as_number(score, called, where, source=source) for name, score in pairs}
    return {name: number for name, number in numbers.items() if not math.isnan(number)}
