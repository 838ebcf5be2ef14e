"""How varied are the outputs of an experiment in Langfuse? A run evaluator.

    langfuse.run_experiment(name=…, data=…, task=…, run_evaluators=[diversity("distinct:n=2", "self_bleu")])

The scores are attached to the run. Items with the same input are a group: to see how varied the answers to
one input are, list it several times. The comment of a score is its signature, from which it is reproduced.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from langfuse import Evaluation

import distinctly as dy


def diversity(*metrics: str) -> Callable[..., list[Evaluation]]:
    """Return a run evaluator of these metrics."""

    def evaluate(*, item_results: list[Any], **_: Any) -> list[Evaluation]:
        outputs = [str(result.output) for result in item_results]
        inputs = [str(_input(result.item)) for result in item_results]
        scores = dy.measure(outputs, list(metrics), groups=inputs)
        return [
            Evaluation(name=name, value=score.value, comment=score.signature)
            for score in scores
            for name in dy.Scores([score]).flat()
            if not math.isnan(score.value)
        ]

    return evaluate


def _input(item: Any) -> Any:
    """Return the input of a local item, or of one of a dataset."""
    return item["input"] if isinstance(item, dict) else item.input
