"""Make details with lighteval itself, without a network or a model hub (needs torch, as lighteval does).

Usage: ``python make_lighteval.py FOLDER``. FOLDER then holds
``details/MODEL/DATE/details_TASK|FEWSHOT_DATE.parquet`` and ``results/MODEL/results_DATE.json``
for the models org/alpha and org/beta (three samples per document) and the tool's own "dummy".
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

DOCS = [
    {"id": "p1", "question": "Write the first line of a story about a lighthouse.", "answer": "light"},
    {"id": "p2", "question": "Name a fruit.", "answer": "apple"},
    {"id": "p3", "question": "Say hello in a friendly way.", "answer": "Hello"},
    {"id": "p4", "question": "What is 6 times 7?", "answer": "42"},
]
ANSWERS = {
    "org/alpha": [
        [
            "The light had not been lit for a year.",
            "Nobody saw the keeper leave.",
            "Salt ate the stairs, one by one.",
        ],
        ["apple", "quince", "A ripe mango."],
        ["Hello there!", "Good morning, neighbour!", "Grüß dich 😊"],
        ["6 times 7 is 42.", "<think>6*7 = 42</think>The answer is 42.", ""],
    ],
    "org/beta": [
        ["Once upon a time there was a lighthouse."] * 2 + ["Once upon a time a lighthouse stood."],
        ["apple", "apple", "apple"],
        ["Hello!", "Hello!", "Hello! How can I help you today?"],
        ["42", "42", "The answer is 42."],
    ],
}
TASKS = """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc


def ask(line, task_name=None):
    return Doc(task_name=task_name, query=line["question"], choices=[line["answer"]], gold_index=0, id=line["id"],
               instruction="", specific={"topic": line["id"]})


def choose(line, task_name=None):
    choices = [" light", " apple", " Hello", " 42"]
    gold = choices.index(" " + line["answer"])
    return Doc(task_name=task_name, query=line["question"], choices=choices, gold_index=gold, id=line["id"])


shared = dict(hf_repo=r"FOLDER/data", hf_subset="default", hf_avail_splits=["train"], evaluation_splits=["train"],
              few_shots_split=None, few_shots_select=None, version=1)
TASKS_TABLE = [
    LightevalTaskConfig(name="open", prompt_function=ask, generation_size=64, stop_sequence=["\\n\\n"],
                        metrics=[Metrics.avg_at_n(sample_params={"n": 3}), Metrics.exact_match], **shared),
    LightevalTaskConfig(name="choice", prompt_function=choose, metrics=[Metrics.loglikelihood_acc], **shared),
]
"""


def main(folder: Path) -> None:
    os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HOME=str(folder / ".cache"))
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "docs.jsonl").write_text("".join(json.dumps(d) + "\n" for d in DOCS))
    (folder / "tasks.py").write_text(TASKS.replace("FOLDER", str(folder)))
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.abstract_model import LightevalModel, ModelConfig
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry
    from lighteval.utils.cache_management import SampleCache

    # Not the hundreds of tasks that come with the tool: one of them downloads a file when imported.
    Registry._load_from_files = staticmethod(lambda *_: {})
    Registry._load_from_subdirs = staticmethod(lambda *_: {})

    questions = [d["question"] for d in DOCS]

    class Canned(LightevalModel):
        tokenizer = None
        add_special_tokens = False
        max_length = 2048

        def __init__(self, config):
            self.config = config
            self._cache = SampleCache(config)

        def greedy_until(self, docs):
            rows = [ANSWERS[self.config.model_name][questions.index(doc.query)] for doc in docs]
            return [
                ModelResponse(
                    input=doc.query, text=row[: doc.num_samples], output_tokens=[[1, 2]] * doc.num_samples
                )
                for doc, row in zip(docs, rows, strict=True)
            ]

        def loglikelihood(self, docs):
            return [
                ModelResponse(
                    input=doc.query,
                    logprobs=[-float(len(c)) for c in doc.choices],
                    argmax_logits_eq_gold=[False] * len(doc.choices),
                )
                for doc in docs
            ]

        loglikelihood_rolling = loglikelihood

    models = [Canned(ModelConfig(model_name=name)) for name in ANSWERS] + [
        DummyModel(DummyModelConfig(seed=1))
    ]
    for model in models:
        dummy = isinstance(model, DummyModel)
        pipeline = Pipeline(
            tasks="choice|0" if dummy else "open|0,choice|0",
            pipeline_parameters=PipelineParameters(
                launcher_type=ParallelismManager.NONE,
                custom_tasks_directory=str(folder / "tasks.py"),
                bootstrap_iters=0,
            ),
            evaluation_tracker=EvaluationTracker(output_dir=str(folder), save_details=True),
            model=model,
        )
        pipeline.evaluate()
        pipeline.save_and_push_results()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
