"""Measure again what a signature describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from distinctly.errors import InputError, SpecError, unknown
from distinctly.run.resampling import Resampling
from distinctly.run.scopes import SCOPES, Scope
from distinctly.score import Note, Score, Scores, Signature


@dataclass(frozen=True)
class Reproduction:
    """The metric and settings of a signature.

    Attributes
    ----------
    signature
        The signature.
    """

    signature: Signature

    @classmethod
    def of(cls, signature: str | Signature, *, with_metrics: bool) -> Reproduction:
        """Parse a signature; raise if metrics are also given."""
        if with_metrics:
            raise SpecError("`metrics` and `signature` cannot both be given: a signature names its metric.")
        parsed = Signature.parse(signature) if isinstance(signature, str) else signature
        if "per" in parsed.facts:
            raise SpecError(
                f"This is the signature of one value per text. Use dy.per_text(texts, '{parsed.spec}')."
            )
        return cls(parsed)

    @property
    def spec(self) -> str:
        """The spec of the metric."""
        return self.signature.spec

    @property
    def tokenizer(self) -> str | None:
        """The tokenizer; None if the metric reads something else."""
        return self.signature.tokenizer if self.signature.view[0] == "tok" else None

    @property
    def embedder(self) -> str | None:
        """The embedder; None if the metric reads no vectors."""
        return self.signature.embedder

    def resampling(self, given: Resampling) -> Resampling:
        """Return what to draw, as the signature says."""
        facts = self.signature.facts
        numbers: dict[str, Any] = {
            name: int(facts[name]) for name in ("seed", "population", "subsample") if name in facts
        }
        return replace(given, interval=facts.get("interval") == "yes", **numbers)

    def reading(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return how to read, with missing texts treated as the signature says."""
        nulls = self.signature.facts.get("nulls")
        return {**given, **({"nulls": nulls} if nulls else {})}

    @property
    def scope(self) -> Scope:
        """How the texts were grouped."""
        scope = self.signature.facts.get("scope", "pooled")
        if scope not in SCOPES:
            raise unknown("scope", scope, SCOPES, of="the signature")
        return next(known for known in SCOPES if known == scope)

    def select(self, scores: Scores) -> Scores:
        """Return the score that the signature describes, with a warning if the texts are others."""
        selected = [self._checked(score) for score in scores if (score.scope or "pooled") == self.scope]
        if not selected:
            raise InputError(
                f"the signature is of the scope '{self.scope}', which these texts do not have: give the "
                "groups of the texts (groups=, or group= for a file)."
            )
        return Scores(selected, scores.corpora)

    def _checked(self, score: Score) -> Score:
        facts = Signature.parse(score.signature).facts
        differing = [
            name
            for name in ("texts", "order", "groups", "reference", "v")
            if facts.get(name) != self.signature.facts.get(name)
        ]
        if not differing:
            return score
        names = {"v": "the version of distinctly"}
        what = ", ".join(names.get(name, f"the {name}") for name in differing)
        note = Note(f"Not the same as in the signature: {what}.", "warning")
        return replace(score, notes=(*score.notes, note))
