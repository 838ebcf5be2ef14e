"""The sets of a study: for each method, sets of responses to the same prompts, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError
from distinctly.sources.base import describe, is_null
from distinctly.sources.kept import keep_fields
from distinctly.studies.model import Package

# The responses of a method to each prompt; or all of them under one key, if prompts are not known.
ByPrompt = dict[str, list[str]]


@dataclass(frozen=True)
class Responses:
    """The responses of each method by prompt.

    Attributes
    ----------
    by_method
        For each method, its responses by prompt; without prompts, all under an empty one.
    prompted
        Whether the prompts are known.
    name
        The name of the file, for errors.
    empty
        The number of responses without a character to show, which are left out.
    """

    by_method: Mapping[str, ByPrompt]
    prompted: bool
    name: str
    empty: int = 0


def read_responses(
    path: str, by: str, *, field: str | None = None, group: str | None = None, **reading: str | None
) -> Responses:
    """Read responses from a file of any format with fields.

    Parameters
    ----------
    path
        The file.
    by
        The field that names the method.
    field, group
        The field with the text, and the field with the prompt.
    reading
        Other fields of `Reading`.

    Raises
    ------
    InputError
        If a row has no method, no prompt or no text.
    """
    options = {"field": field, "group": group, **reading}
    corpus = Corpus.read(path, id=by, **{name: value for name, value in options.items() if value is not None})
    kept = keep_fields(corpus.source)
    methods = kept.columns[by]
    prompts = [""] * len(methods) if group is None else kept.columns[group]
    by_method: dict[str, ByPrompt] = {}
    empty = 0
    for text, method, prompt, where in zip(kept.batch.strings.tolist(), methods, prompts, kept.wheres):
        name = _label(method, by, kept.name, where)
        key = "" if group is None else _label(prompt, group, kept.name, where)
        by_prompt = by_method.setdefault(name, {})
        if text.strip():
            by_prompt.setdefault(key, []).append(text)
        else:
            empty += 1
    return Responses(by_method, group is not None, kept.name, empty)


def _label(value: object, field: str, source: str, where: str) -> str:
    """Return the name of a method or of a prompt as text."""
    if isinstance(value, (dict, list)) or is_null(value) or not str(value).strip():
        raise InputError(f"expected a value in '{field}', got {describe(value)}.", source=source, row=where)
    return str(value).encode("utf-8", "backslashreplace").decode()


def draw_packages(
    responses: Responses, *, sets: int, per_set: int, seed: int = 0
) -> tuple[list[Package], list[str]]:
    """Draw sets of responses, one of each method per package, and return them with notes.

    With prompts, the sets of a package respond to the same prompts, in the same order. No prompt, or response
    if prompts are not known, is used twice if there are enough of them; else each package is drawn from all,
    with a note.

    Parameters
    ----------
    responses
        The responses.
    sets
        The number of sets per method, which is the number of packages.
    per_set
        The number of responses in a set.
    seed
        The seed of the draws.

    Raises
    ------
    InputError
        If there are fewer than two methods, or too few responses.
    """
    if len(responses.by_method) < 2:
        named = f" ('{next(iter(responses.by_method))}')" if responses.by_method else ""
        raise InputError(
            f"expected responses of at least 2 methods to compare, got {len(responses.by_method)}{named}. "
            "Name the field of the method with --by.",
            source=responses.name,
        )
    if sets < 1 or per_set < 1:
        raise SpecError("Expected at least 1 set of at least 1 response.")
    draw = _by_prompt if responses.prompted else _at_random
    packages, notes = draw(responses, sets, per_set, np.random.default_rng([seed, 0]))
    if responses.empty:
        several = "responses are" if responses.empty > 1 else "response is"
        notes.insert(0, f"{responses.empty:,} {several} empty and left out: annotators would see nothing.")
    return packages, notes


def _by_prompt(
    responses: Responses, sets: int, per_set: int, rng: np.random.Generator
) -> tuple[list[Package], list[str]]:
    by_method = responses.by_method
    prompts = list(dict.fromkeys(prompt for by_prompt in by_method.values() for prompt in by_prompt))
    shared = [prompt for prompt in prompts if all(prompt in by_prompt for by_prompt in by_method.values())]
    notes = []
    fewest = min(by_method, key=lambda method: len(by_method[method]))
    missing = ""
    if len(shared) < len(prompts):
        missing = (
            f" ({len(prompts) - len(shared):,} of {len(prompts):,} prompts have no response of some method; "
            f"'{fewest}' has the fewest, {len(by_method[fewest]):,})"
        )
        notes.append(
            f"{len(prompts) - len(shared):,} of {len(prompts):,} prompts have no response of some method and "
            "are left out."
        )
    _check_enough(len(shared), per_set, f"prompts that all methods respond to{missing}", responses.name)
    if any(len(texts) > 1 for by_prompt in by_method.values() for texts in by_prompt.values()):
        notes.append("Some prompts have several responses of a method: one of them is drawn.")
    packages = []
    for rows in _draw(len(shared), sets, per_set, rng):
        chosen = [shared[row] for row in rows]
        drawn = {
            method: [_one_of(by_prompt[prompt], rng) for prompt in chosen]
            for method, by_prompt in by_method.items()
        }
        packages.append(Package(drawn, chosen))
    if sets * per_set > len(shared):
        enough = len(shared) // per_set
        notes.append(
            f"Packages overlap, since there are {len(shared):,} prompts for {sets:,} sets of {per_set:,}: a "
            f"prompt can occur in several of them, so scores are less independent. --sets {enough} would not "
            "overlap."
        )
    return packages, notes


def _at_random(
    responses: Responses, sets: int, per_set: int, rng: np.random.Generator
) -> tuple[list[Package], list[str]]:
    notes = [
        "The prompts are not known (--group), so the sets of a package respond to different prompts, and a "
        "method may seem more diverse because of its prompts."
    ]
    drawn: list[dict[str, list[str]]] = [{} for _ in range(sets)]
    for method, by_prompt in responses.by_method.items():
        texts = [text for several in by_prompt.values() for text in several]
        _check_enough(len(texts), per_set, f"responses of '{method}'", responses.name)
        for package, rows in zip(drawn, _draw(len(texts), sets, per_set, rng)):
            package[method] = [texts[row] for row in rows]
        if sets * per_set > len(texts):
            notes.append(
                f"Sets of '{method}' overlap: a response can occur in several of them. --sets "
                f"{len(texts) // per_set} would not overlap."
            )
    return [Package(package) for package in drawn], notes


def _draw(available: int, sets: int, per_set: int, rng: np.random.Generator) -> list[list[int]]:
    """Return rows for each set: all different if there are enough, else different within each set."""
    if sets * per_set <= available:
        rows: list[list[int]] = rng.permutation(available)[: sets * per_set].reshape(sets, per_set).tolist()
        return rows
    return [rng.choice(available, per_set, replace=False).tolist() for _ in range(sets)]


def _check_enough(available: int, per_set: int, what: str, source: str) -> None:
    """Raise if there are too few prompts or responses for one set."""
    if available < per_set:
        remedy = f" What fits: --per-set {available} or less." if available else ""
        raise InputError(
            f"expected {per_set:,} or more {what} for sets of {per_set:,}, got {available:,}.{remedy}",
            source=source,
        )


def _one_of(texts: Sequence[str], rng: np.random.Generator) -> str:
    return texts[0] if len(texts) == 1 else texts[int(rng.integers(len(texts)))]
