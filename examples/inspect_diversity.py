"""How varied are the answers of a model in Inspect? A metric over the epochs of each sample.

Run it on a task with several epochs: each sample is a group, and its epochs are the texts of the group. The
results then have `distinct_n2_within` (the epochs of a sample), `distinct_n2_across` (different samples) and
`distinct_n2` (all answers).

    inspect eval inspect_diversity.py --model MODEL --epochs 10
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

import distinctly as dy


@metric(scores="unreduced")  # the answers of all epochs; otherwise those of a sample are reduced to one score
def diversity(metrics: str | Sequence[str] = ("distinct:n=2", "self_bleu")) -> Metric:
    """Measure the answers of all samples; usable with any scorer that sets `answer`, such as `includes()`."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        texts = [sample.score.answer or "" for sample in scores]
        return dy.measure(texts, metrics, groups=[str(sample.sample_id) for sample in scores]).flat()

    return compute


@scorer(metrics=[diversity()])
def completion() -> Scorer:
    """Keep the answer, for tasks without a right one; the value is its number of characters."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - an interface
        text = state.output.completion
        return Score(value=len(text), answer=text)

    return score


@task
def stories(prompts: Sequence[str] = ("Write a story of one sentence.", "Name an animal.")) -> Task:
    """Answer each prompt several times."""
    return Task(dataset=[Sample(input=prompt) for prompt in prompts], scorer=completion(), epochs=5)
