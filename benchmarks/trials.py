"""Known-similarity trials beside the formulas of the released code.

The trial is the top half of Table 3 of the paper: clinc150 × banking77, MiniLM vectors
(../shared/data/embeddings), n = 100, k = 7 and 12, 8 metrics, with fewer repetitions. Ours is the whole
`dy.judging.known_similarity` (reading, hashing, drawing, judging), a peer's its function on the same corpora,
with given tokens and vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks import ibm
from benchmarks.distances import CORPORA, mauve, prdc, texts_and_vectors
from benchmarks.turns import SMALLER, Row, in_turns, sized
from distinctly.judging.measures import pairs_of
from distinctly.judging.similarity.findings import SimilarityTrial
from distinctly.judging.similarity.mixing import mix
from distinctly.tokenizers import find_tokenizer

TEXTS, N = 8000, 100
METRICS = ("chi", "classifier:preset=paper", "dc", "frechet", "irpr", "mauve", "pr", "zipf")
MIXTURES = ("accuracy", "weighted_accuracy", "time", "monotonicity", "separability", "linearity")
NEEDS = {"dc": "prdc", "pr": "prdc", "mauve": "mauve"}


@dataclass(frozen=True)
class Trial:
    """The numbers of corpora, and of repetitions."""

    k: tuple[int, ...] = (7, 12)
    repetitions: int = 2

    def row(self, *metrics: str) -> Row | str:
        """Time a trial of metrics beside the released formulas of the same pairs."""
        texts, vectors = zip(*(texts_and_vectors(name, TEXTS) for name in CORPORA))
        released = [self.released(metric.partition(":")[0], texts, vectors) for metric in metrics]
        return in_turns(
            f"`{metrics[0]}`" if len(metrics) == 1 else f"{len(metrics)} metrics in one trial",
            partial(self.ours, texts, vectors, metrics),
            "released formula" + "s" * (len(metrics) > 1),
            lambda: [call() for call in released] and None,
            needs=" ".join(["sklearn", *(NEEDS[metric] for metric in metrics if metric in NEEDS)]),
        )

    def ours(self, texts: Any, vectors: Any, metrics: tuple[str, ...]) -> Any:
        """Judge metrics."""
        options: dict[str, Any] = {"n": N, "k": self.k, "repetitions": self.repetitions, "measures": MIXTURES}
        return dy.judging.known_similarity(*texts, metrics, vectors=vectors, **options)

    def released(self, name: str, texts: Any, vectors: Any) -> Callable[[], None]:
        """Return a loop over all pairs of corpora by the released formula."""
        rows: Any = np.concatenate(vectors)
        if name in ("chi", "zipf"):
            tokenize = find_tokenizer("words").tokenize
            rows = np.array([*(tokenize(text) for side in texts for text in side), None], object)
        call = {"pr": prdc, "dc": prdc, "mauve": mauve}.get(name) or getattr(ibm, name)
        sides = np.arange(TEXTS), np.arange(TEXTS, 2 * TEXTS)

        def loop() -> None:
            for k in self.k:
                for repetition in range(self.repetitions):
                    mixtures = mix(*sides, N, k, np.random.default_rng([0, 30, N, k, repetition]))
                    for i, j in pairs_of(k):
                        call(rows[mixtures[i]], rows[mixtures[j]])

        return loop


def judgements(k: int = 50) -> Row | str:
    """Time all measures of one metric on k corpora, given the distances."""
    draw = np.random.default_rng(0)
    shared = {"metric": "one", "embedder": "", "part": "", "kind": "distance", "n": N, "k": k, "note": ""}
    records = [
        {**shared, "repetition": 0, "i": i + 1, "j": j + 1, "value": float(j - i + draw.normal())}
        for i, j in pairs_of(k)
    ]
    measures = [measure for measure in MIXTURES if measure != "time"]
    settings = {"measures": measures, "plan": {measure: [(N, k)] for measure in measures}, "preset": None}
    return in_turns(
        f"all judgements of one metric, k = {k}, given the distances",
        lambda: SimilarityTrial(settings=settings, records=records).find(),
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    trial = Trial() if SMALLER == 1 else Trial((3,), 1)
    for metric in METRICS:
        yield trial.row(metric)
    yield trial.row(*METRICS)
    yield judgements(sized(50, 5))
