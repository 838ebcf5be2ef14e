"""The recipes in `examples` for Inspect and Langfuse, run by their own libraries and without a network."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries about themselves
TEXTS = ["the cat sat", "the dog sat", "an owl flew away", "the cat sat", "a fox ran", "the fox sat"]


@pytest.fixture(autouse=True)
def examples(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "examples"))


class TestInspect:
    @pytest.fixture
    def evaluate(self, tmp_path: Path) -> Any:
        pytest.importorskip("inspect_ai", reason='needs Inspect: pip install "distinctly[inspect]"')
        from inspect_ai import eval as evaluate
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        def run(task: Any, epochs: int) -> Any:
            outputs = [ModelOutput.from_content("mockllm/model", text) for text in TEXTS]
            for output in outputs:  # otherwise tokens are counted by an encoding that is downloaded
                output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            model = get_model("mockllm/model", custom_outputs=outputs)
            (log,) = evaluate(task, model=model, epochs=epochs, log_dir=str(tmp_path), display="none")
            assert log.status == "success", log.error
            return log

        return run

    def measured(self, log: Any, metrics: Any) -> dict[str, float]:
        samples = sorted(log.samples, key=lambda sample: (sample.epoch, sample.id))
        assert sorted(sample.output.completion for sample in samples) == sorted(TEXTS)
        groups = [str(sample.id) for sample in samples]
        return dy.measure([sample.output.completion for sample in samples], metrics, groups=groups).flat()

    def test_a_scorer_for_tasks_without_a_right_answer(self, evaluate: Any) -> None:
        from inspect_diversity import stories

        log = evaluate(stories(), 3)
        (score,) = log.results.scores
        numbers = {name: metric.value for name, metric in score.metrics.items()}
        expected = self.measured(log, ["distinct:n=2", "self_bleu"])
        assert numbers == pytest.approx(expected, nan_ok=True, abs=0)
        assert not math.isnan(numbers["distinct_n2_within"])

    def test_a_metric_beside_those_of_another_scorer(self, evaluate: Any) -> None:
        from inspect_ai import Task
        from inspect_ai.dataset import Sample
        from inspect_ai.scorer import accuracy, includes
        from inspect_diversity import diversity

        samples = [Sample(input="Who sat?", target="cat"), Sample(input="Who flew?", target="owl")]
        log = evaluate(Task(samples, scorer=includes(), metrics=[accuracy(), diversity("distinct:n=1")]), 3)
        numbers = {name: each.value for score in log.results.scores for name, each in score.metrics.items()}
        assert {"accuracy", "distinct_n1_within", "distinct_n1_across", "distinct_n1"} == set(numbers)
        expected = self.measured(log, "distinct:n=1")
        assert {name: numbers[name] for name in expected} == pytest.approx(expected, abs=0)


class TestLangfuse:
    def test_a_run_evaluator(self) -> None:
        pytest.importorskip("langfuse", reason='needs Langfuse: pip install "distinctly[langfuse]"')
        from langfuse import Langfuse
        from langfuse_diversity import diversity

        # Nothing is sent: there is no tracing, and the data are here.
        client = Langfuse(
            public_key="none", secret_key="none", base_url="http://127.0.0.1:9", tracing_enabled=False
        )
        prompts = ["Who sat?"] * 3 + ["Who ran?"] * 3
        texts = dict(enumerate(TEXTS))
        result = client.run_experiment(
            name="answers",
            data=[{"input": prompt, "metadata": {"place": place}} for place, prompt in enumerate(prompts)],
            task=lambda *, item, **_: texts[item["metadata"]["place"]],
            run_evaluators=[diversity("distinct:n=1", "distinct:n=9")],
        )
        scores = dy.measure(TEXTS, "distinct:n=1", groups=prompts)
        # There are no n-grams of nine words: a value that is undefined is not sent.
        assert {each.name: each.value for each in result.run_evaluations} == scores.flat()
        again = dy.measure(TEXTS, groups=prompts, signature=result.run_evaluations[0].comment)
        assert again[0].value == result.run_evaluations[0].value

    def test_items_may_be_those_of_a_dataset(self) -> None:
        pytest.importorskip("langfuse", reason='needs Langfuse: pip install "distinctly[langfuse]"')
        from types import SimpleNamespace

        from langfuse.experiment import ExperimentItemResult
        from langfuse_diversity import diversity

        results = [
            ExperimentItemResult(
                item=SimpleNamespace(input=prompt),
                output=text,
                evaluations=[],
                trace_id=None,
                dataset_run_id=None,
            )
            for prompt, text in [("p", "a b"), ("p", "a c"), ("q", "d e")]
        ]
        numbers = {each.name: each.value for each in diversity("distinct:n=1")(item_results=results)}
        # a b a c: 3 of 4 words differ; d e: 2 of 2.
        assert numbers["distinct_n1_within"] == (3 / 4 + 2 / 2) / 2
