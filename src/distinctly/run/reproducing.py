"""Measure again what a signature describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from distinctly.batch import Column
from distinctly.config import RunConfig
from distinctly.embedders import find_embedder
from distinctly.embedders.base import Embedder
from distinctly.errors import InputError, SpecError, unknown
from distinctly.functions import function_named
from distinctly.loading import Function, is_function, path_of
from distinctly.metrics import Metric
from distinctly.run.resampling import Resampling
from distinctly.run.scopes import SCOPES, Scope
from distinctly.score import Note, Score, Scores, Signature
from distinctly.spec import AnyMetrics, Request, listed, parse_metrics, sampled_spec
from distinctly.taggers import find_tagger
from distinctly.taggers.base import Tagger
from distinctly.tokenizers import find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.parsing import TAGS


@dataclass(frozen=True)
class Reproduction:
    """The metric and settings of a signature.

    Attributes
    ----------
    signature
        The signature.
    trust
        Whether its author is trusted: whether it may name functions to run, files outside the working folder,
        and models to download.
    function
        The function that it names, if that is given.
    """

    signature: Signature
    trust: bool = False
    function: Function | None = None

    @classmethod
    def of(
        cls, signature: str | Signature, metrics: AnyMetrics | None = None, *, trust: bool = False
    ) -> Reproduction:
        """Parse a signature; raise if metrics are also given, other than the function that it names."""
        parsed = Signature.parse(signature) if isinstance(signature, str) else signature
        if "per" in parsed.facts:
            raise SpecError(
                f"This is the signature of one value per text. Use dy.per_text(texts, '{parsed.spec}')."
            )
        if metrics is None:
            return cls(parsed, trust)
        match listed(metrics):
            case [function] if callable(function) and not isinstance(function, Metric):
                named, given = function_named(parsed.spec), path_of(function)
                if is_function(parsed.spec) and named.rpartition(":")[2] == given.rpartition(":")[2]:
                    return cls(parsed, trust, function)
        raise SpecError("`metrics` and `signature` cannot both be given: a signature names its metric.")

    def requests(self) -> list[Request]:
        """Return the metric."""
        requests = parse_metrics(self.signature.spec, trust=self.trust, function=self.function)
        tagged = self.signature.view[0] == "tag"
        if any(request.metric.of and not (tagged and request.metric.of == TAGS) for request in requests):
            raise SpecError("Expected a signature without `of`, since it names the tokens itself.")
        return requests

    def sampled_requests(self) -> list[Request]:
        """Return the metric of `measure`, which says itself that it is measured on a sample."""
        size = self.signature.facts.get("sample")
        if size is None:
            return self.requests()
        texts = _whole("sample", size)
        return [
            replace(request, spec=sampled_spec(request.spec, texts), sampled=texts)
            for request in self.requests()
        ]

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer; None if the metric reads something else."""
        if self.signature.view[0] != "tok":
            return None
        return find_tokenizer(self.signature.tokenizer, trust=self.trust)

    @property
    def tagger(self) -> Tagger | None:
        """The tagger; None if the metric reads no tags, or tags that were given or made by a function."""
        spec = self.signature.tagger
        return None if spec is None else find_tagger(spec, trust=self.trust)

    @property
    def embedder(self) -> Embedder | None:
        """The embedder; None if the metric reads no vectors."""
        spec = self.signature.embedder
        return None if spec is None else find_embedder(spec, trust=self.trust)

    def resampling(self, given: Resampling) -> Resampling:
        """Return what to draw, as the signature says."""
        facts = self.signature.facts
        numbers: dict[str, Any] = {
            name: _whole(name, facts[name])
            for name in ("seed", "population", "subsample", "sample")
            if name in facts
        }
        return replace(given, interval=facts.get("interval") == "yes", **numbers)

    def config(self, given: RunConfig) -> RunConfig:
        """Return how to run, with hashes as wide as the one in the signature."""
        digits = self.signature.facts.get("texts", "").partition("#")[2]
        return replace(given, hash_bits=128) if len(digits) == 128 // 4 else given

    def reading(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return how to read, with missing texts and bad rows treated as the signature says."""
        facts = self.signature.facts
        nulls = {"nulls": facts["nulls"]} if "nulls" in facts else {}
        bad = {"skip_bad": True} if facts.get("bad") == "skip" else {}
        return {**given, **nulls, **bad}

    @property
    def at_least(self) -> float | None:
        """The smallest quality of the texts; None for all texts."""
        word = self.signature.facts.get("at_least")
        try:
            return None if word is None else float(word)
        except ValueError as error:
            raise SpecError(f"Expected `at_least` of the signature to be a number, got '{word}'.") from error

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
            for name in ("texts", "order", "groups", *get_args(Column), "reference", "sample", "v")
            if facts.get(name) != self.signature.facts.get(name)
        ]
        if not differing:
            return score
        names = {"v": "the version of distinctly"}
        what = ", ".join(names.get(name, f"the {name}") for name in differing)
        note = Note(f"Not the same as in the signature: {what}.", "warning")
        return replace(score, notes=(*score.notes, note))


def _whole(name: str, word: str) -> int:
    if not word.isdecimal():
        raise SpecError(f"Expected `{name}` of the signature to be a whole number, got '{word}'.")
    return int(word)
