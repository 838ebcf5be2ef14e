"""Baselines: the scores of an earlier run, that gates such as `vendi>=0.9*baseline` refer to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distinctly.errors import InputError, SpecError, reason
from distinctly.metrics import Metric
from distinctly.score import Score, Signature

# A warning is printed if the sizes of the two corpora have a larger ratio than this.
UNEQUAL = 1.1
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_BOUND = re.compile(
    rf"(?:(?P<before>{_NUMBER})\s*\*\s*)?baseline(?:\s*\*\s*(?P<after>{_NUMBER}))?"
    rf"(?:\s*(?P<sign>[+-])\s*(?P<added>{_NUMBER}))?"
)


@dataclass(frozen=True)
class Bound:
    """A bound on a value: a number, or a multiple of the value of a baseline plus a number.

    Examples
    --------
    >>> Bound.parse("0.9*baseline"), Bound.parse("baseline - 0.05"), Bound.parse("0.2"), Bound.parse("two")
    (Bound(added=0.0, factor=0.9), Bound(added=-0.05, factor=1.0), Bound(added=0.2, factor=None), None)
    """

    added: float
    factor: float | None = None

    @classmethod
    def parse(cls, text: str) -> Bound | None:
        """Parse a bound; None if the text is not one."""
        if match := _BOUND.fullmatch(text):
            factor = float(match["before"] or 1) * float(match["after"] or 1)
            return cls(float((match["sign"] or "") + (match["added"] or "0")), factor)
        return cls(float(text)) if re.fullmatch(_NUMBER, text) else None

    def number(self, baseline: float) -> float:
        """Return the bound, given the value of the baseline if it refers to one."""
        return self.added if self.factor is None else self.factor * baseline + self.added


@dataclass(frozen=True)
class Known:
    """A score of an earlier run."""

    corpus: str
    scope: str | None
    value: float | None
    parts: Mapping[str, float]
    signature: Signature

    def is_of(self, score: Score) -> bool:
        """Return whether it has the metric, options, tokens (or vectors) and scope of a score."""
        signature = Signature.parse(score.signature)
        same = (signature.metric, signature.options, signature.view)
        scopes = {scope or "pooled" for scope in (self.scope, score.scope)}
        return len(scopes) == 1 and same == (
            self.signature.metric,
            self.signature.options,
            self.signature.view,
        )


@dataclass(frozen=True)
class Baseline:
    """The scores of an earlier run, read from its JSON document."""

    file: str
    scores: Sequence[Known]

    @classmethod
    def read(cls, file: str) -> Baseline:
        """Read the output of `distinctly measure --format json` or `distinctly compare --format json`."""
        try:
            document = json.loads(Path(file).read_text(encoding="utf-8"))
            scores = [_known(entry) for entry in document["scores"]]
        except OSError as problem:
            raise InputError(f"the baseline cannot be read: {problem.strerror}.", source=file) from problem
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError(
                "expected a baseline as `distinctly measure FILE --format json` writes it, got something "
                f"else ({reason(problem)}).",
                source=file,
            ) from problem
        return cls(file, scores)

    def find(self, score: Score) -> Known:
        """Return the score of the baseline to compare a score with: of the same corpus, or of the only one.

        Raises
        ------
        SpecError
            If there is none, or if it has no value.
        """
        similar = [known for known in self.scores if known.is_of(score)]
        of_corpus = [known for known in similar if known.corpus == score.corpus]
        corpora = sorted({known.corpus for known in self.scores})
        if not of_corpus and len(corpora) == 1:
            of_corpus = similar
        if not of_corpus:
            raise SpecError(f"the baseline {self.file} {_why_missing(score, similar, corpora)}")
        known = of_corpus[0]
        if known.value is None:
            raise SpecError(f"the value of the baseline {self.file} is undefined.")
        return known


def _known(entry: Mapping[str, Any]) -> Known:
    return Known(
        str(entry["corpus"]),
        entry["scope"],
        None if entry["value"] is None else float(entry["value"]),
        dict(entry["parts"]),
        Signature.parse(entry["signature"]),
    )


def _why_missing(score: Score, similar: Sequence[Known], corpora: Sequence[str]) -> str:
    """Return why a baseline has no score to compare with, to follow its name."""
    if similar:
        return f"has no corpus '{score.corpus}', only {', '.join(corpora)}."
    head = score.signature.split("|texts:")[0]
    scope = f" in the scope '{score.scope}'" if score.scope not in (None, "pooled") else ""
    return f"has no score of {head}{scope}: measure it with the same metric, tokenizer and options."


def size_warning(metric: Metric, score: Score, known: Known) -> str | None:
    """Return a warning if a value depends on a size, and the corpus and the baseline differ in it."""
    if score.options.get("at") is not None:
        return None
    part, what = {"ngrams": ("C", "n-grams"), "texts": ("texts", "texts")}.get(metric.sized, ("", ""))
    sizes = [parts.get(part, 0) for parts in (known.parts, score.parts)]
    if not min(sizes) or max(sizes) <= UNEQUAL * min(sizes):
        return None
    at = f"at={min(sizes):.0f}" + "texts" * (part == "texts")
    return (
        f"{score.spec} depends on the number of {what}: {sizes[0]:,.0f} in the baseline, {sizes[1]:,.0f} in "
        f"{score.corpus}. Require it at one size, as with {at}, in both runs."
    )
