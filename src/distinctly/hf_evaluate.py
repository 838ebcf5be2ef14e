"""A module of Hugging Face's evaluate: `evaluate.load(distinctly.hf_evaluate.__file__)`.

`evaluate.load` copies this file to its cache and imports the copy, so it imports the package by its name.
"""

from __future__ import annotations

from typing import Any

from distinctly.api import compare, measure
from distinctly.distance.base import Distance
from distinctly.errors import SpecError, missing_extra
from distinctly.spec import parse_metrics

try:
    import datasets
    import evaluate
except ImportError as error:
    raise missing_extra("distinctly.hf_evaluate", "evaluate", "evaluate") from error

DESCRIPTION = "How varied texts are, and how far they are from others: the metrics of distinctly."
INPUTS = """
Args:
    predictions: The texts, as strings.
    references: The texts of the reference corpus, in any number, for distances and for metrics that need one.
    metric: One or several specs, such as "distinct:n=2", "ead" or "jensen_shannon"; "distinct" is n = 1 to 4.
    groups: One name per text, such as its prompt: scores within groups, across groups and of all texts.
    **options: Options of distinctly.measure or, for distances, of distinctly.compare.
Returns:
    The numbers by the names of Scores.flat, such as distinct_n2 or distinct_n2_within.
Examples:
    >>> import evaluate, distinctly.hf_evaluate
    >>> diversity = evaluate.load(distinctly.hf_evaluate.__file__)
    >>> diversity.compute(predictions=["the cat sat", "the dog sat"], metric="distinct:n=1")
    {'distinct_n1': 0.6666666666666666}
"""
CITATION = ""


@evaluate.utils.file_utils.add_start_docstrings(DESCRIPTION, INPUTS)
class Distinctly(evaluate.Metric):
    """The metrics of distinctly."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": datasets.Value("string")}),
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Return the scores by name; see the description of the inputs."""
        # evaluate drops references that are not paired with the predictions.
        return super().compute(predictions=predictions, reference=references, **options)

    def _compute(
        self, predictions: list[str], metric: Any = "distinct", reference: Any = None, **options: Any
    ) -> dict[str, float]:
        kinds = {isinstance(request.metric, Distance) for request in parse_metrics(metric)}
        if kinds == {True, False}:
            raise SpecError("Expected metrics of one corpus, or distances, not both: call compute twice.")
        if kinds == {False}:
            return measure(predictions, metric, reference=reference, **options).flat()
        if reference is None:
            raise SpecError("Expected references= for a distance: the texts of the reference corpus.")
        return compare(reference, predictions, metric, **options).flat()
