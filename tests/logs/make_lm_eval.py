"""Make sample logs with lm-evaluation-harness itself, without a network, a model hub or torch.

Usage: ``python make_lm_eval.py FOLDER``. Everything goes through the tool's own evaluation and its own writer
(``simple_evaluate``, ``EvaluationTracker``: what ``lm_eval run --log_samples --output_path`` calls), in
this process, so that a tiny model class, which answers from a table, can be registered first.
Call it as a subprocess from a test: it sets environment variables before it imports the tool.

FOLDER then holds::

    data/docs.json, tasks/*.yaml         what went in
    logs/org__alpha/samples_*.jsonl      model "org/alpha", with results_*.json beside
    logs/org__beta/samples_*.jsonl       model "org/beta", the same tasks
    chat/org__alpha/samples_*.jsonl      with --apply_chat_template and a system instruction
    chat_fewshot/org__alpha/...          the same with one worked example, as turns
    chat_json/org__alpha/...             the same for a model behind a chat API: messages as JSON
    predict/org__alpha/samples_*.jsonl   with --predict_only (no metric: "bypass")
    subset/org__alpha/...                with --samples: documents 1 and 4 alone
    dummy/<8 random letters>/...         --model dummy, without model_args: a name made at random
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

DOCS = [
    {
        "id": "p1",
        "question": "Write the first line of a story about a lighthouse.",
        "answer": "light",
        "label": 0,
    },
    {"id": "p2", "question": "Name a fruit.", "answer": "apple", "label": 1},
    {"id": "p3", "question": "Say hello in a friendly way.", "answer": "Hello", "label": 2},
    {"id": "p4", "question": "What is 6 times 7?", "answer": "42", "label": 3},
    {"id": "p5", "question": "Describe the sea in five words.", "answer": "sea", "label": 4},
    {"id": "p6", "question": "Give a motto for a bakery.", "answer": "bread", "label": 5},
]
ANSWERS = {
    "org/alpha": [
        [
            "The light had not been lit for a year.",
            "Nobody saw the keeper leave.",
            "Salt ate the stairs, one by one.",
        ],
        ["apple", "quince", "A ripe mango."],
        ["Hello there!", "Good morning, neighbour!", "Grüß dich, schön dich zu sehen 😊"],
        ["6 times 7 is 42.", "<think>6*7 = 42</think>The answer is 42.", "It is 41."],
        ["grey\nand\nwide", "sea, salt, wind, gull, foam", ""],
        ["Our daily bread, daily.", "Rise early.", "Knead we say more?"],
    ],
    "org/beta": [
        [
            "Once upon a time there was a lighthouse.",
            "Once upon a time there was a lighthouse.",
            "Once upon a time a lighthouse stood.",
        ],
        ["apple", "apple", "apple"],
        ["Hello!", "Hello!", "Hello! How can I help you today?"],
        ["42", "42", "The answer is 42."],
        ["The sea is very blue.", "The sea is very big.", "The sea is very blue."],
        ["Fresh bread every day.", "Fresh bread every day!", "Fresh bread every day."],
    ],
}
TASKS = {
    # Three answers per document, kept whole by the last filter (a list), reduced to one by the others.
    "open_first.yaml": """
task: open_first
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
repeats: 3
generation_kwargs: {{until: ["</s>"], do_sample: true, temperature: 0.7}}
metric_list: [{{metric: exact_match}}]
filter_list:
  - {{name: first, filter: [{{function: take_first}}]}}
  - name: number
    filter:
      - {{function: regex, regex_pattern: "(\\\\d+)"}}
      - {{function: majority_vote}}
      - {{function: take_first}}
  - {{name: two, filter: [{{function: take_first_k, k: 2}}]}}
metadata: {{version: 1.0}}
""",
    # No filter_list: the filter is "none" and keeps the first answer; repeats is 1; two metrics.
    "open_plain.yaml": """
task: open_plain
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "Q: {{{{question}}}}\\nA:"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n\\n"]}}
metric_list:
  - {{metric: exact_match, ignore_case: true, ignore_punctuation: true}}
  - {{metric: !function metrics.answer_length, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
""",
    # Log likelihoods of three choices: no text was generated.
    "choice.yaml": """
task: choice
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_target: label
doc_to_choice: ["light", "apple", "Hello", "42", "sea", "bread"]
metric_list: [{{metric: acc}}, {{metric: acc_norm}}, {{metric: brier_score}}]
metadata: {{version: 1.0}}
""",
    "rolling.yaml": """
task: rolling
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{{{question}}}}"
metric_list: [{{metric: word_perplexity}}]
metadata: {{version: 1.0}}
""",
    "open_group.yaml": """
group: open_group
task: [open_first, open_plain]
aggregate_metric_list: [{{metric: exact_match, filter_list: [first, none]}}]
metadata: {{version: 1.0}}
""",
    "metrics.py": """
def answer_length(references, predictions, **kwargs):
    return float(len(predictions[0]))
""",
}


def register() -> None:
    """Register the model "canned", which answers from the table ``ANSWERS``."""
    import lm_eval.models  # noqa: F401  (registers "dummy" and the others, lazily)
    from lm_eval.api.model import TemplateLM
    from lm_eval.api.registry import register_model

    class JsonChatStr(NamedTuple):  # a copy of the class in api_models.py, which needs more packages
        prompt: str

        def encode(self, encoding):
            return self.prompt.encode(encoding)

    @register_model("canned")
    class Canned(TemplateLM):
        tokenizer_name = "canned"

        def __init__(self, pretrained: str = "org/alpha", as_json: bool = False, **_: object) -> None:
            super().__init__()
            self.answers = ANSWERS[pretrained]
            self.as_json = as_json

        @property
        def eot_token_id(self) -> int:
            return 0

        def tok_encode(self, string: str, **_: object) -> list[int]:
            return list(string.encode())

        def _loglikelihood_tokens(self, requests, **_: object):
            raise NotImplementedError

        def chat_template(self, chat_template=False) -> str:
            return "canned"

        def apply_chat_template(self, chat_history, add_generation_prompt=True) -> str:
            if self.as_json:  # what models behind a chat API return (lm_eval/models/api_models.py)
                return JsonChatStr(json.dumps(chat_history, ensure_ascii=False))
            turns = [f"<|{turn['role']}|>{turn['content']}" for turn in chat_history]
            return "".join(turns) + ("<|assistant|>" if add_generation_prompt else "")

        def generate_until(self, requests, disable_tqdm=False):
            seen: dict[int, int] = {}
            out = []
            for request in requests:
                turn = seen.get(id(request), 0)
                seen[id(request)] = turn + 1
                out.append(self.answers[request.doc["label"]][turn])
            return out

        def loglikelihood(self, requests, disable_tqdm=False):
            return [(-float(len(r.args[1])), r.idx == r.doc["label"]) for r in requests]

        def loglikelihood_rolling(self, requests, disable_tqdm=False):
            return [-float(len(r.args[0])) for r in requests]


def run(folder: Path, output: str, model: str, tasks: list[str], **options: object) -> None:
    """Evaluate and save as ``lm_eval run --log_samples --output_path`` does (see ``_cli/run.py``)."""
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    tracker = EvaluationTracker(output_path=str(folder / output))
    results = simple_evaluate(
        model=model,
        tasks=tasks,
        log_samples=True,
        evaluation_tracker=tracker,
        # The command line also indexes the thousands of tasks that come with the tool: 3 s a run.
        task_manager=TaskManager(include_path=str(folder / "tasks"), include_defaults=False),
        bootstrap_iters=0,
        **options,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task_name in results["configs"]:
        tracker.save_results_samples(task_name=task_name, samples=samples[task_name])


def write_inputs(folder: Path) -> None:
    """Write the documents and the tasks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data").mkdir(exist_ok=True)
    (folder / "tasks").mkdir(exist_ok=True)
    data = folder / "data" / "docs.json"
    data.write_text(json.dumps(DOCS, indent=1), encoding="utf-8")
    for name, text in TASKS.items():
        (folder / "tasks" / name).write_text(text.format(data=data) if name.endswith("yaml") else text)


def main(folder: Path) -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_DATASETS_OFFLINE"] = "1"
    os.environ["HF_HOME"] = str(folder / ".cache")  # before datasets is imported
    write_inputs(folder)
    register()
    for model in ANSWERS:
        run(folder, "logs", "canned", ["open_group", "choice", "rolling"], model_args={"pretrained": model})
    alpha = {"pretrained": "org/alpha"}
    run(
        folder,
        "chat",
        "canned",
        ["open_first"],
        model_args=alpha,
        apply_chat_template=True,
        system_instruction="You are brief.",
    )
    run(
        folder,
        "chat_fewshot",
        "canned",
        ["open_plain"],
        model_args=alpha,
        apply_chat_template=True,
        num_fewshot=1,
        fewshot_as_multiturn=True,
        limit=2,
    )
    run(
        folder,
        "chat_json",
        "canned",
        ["open_plain"],
        model_args={**alpha, "as_json": True},
        apply_chat_template=True,
        system_instruction="You are brief.",
        limit=2,
    )
    run(folder, "predict", "canned", ["open_plain"], model_args=alpha, predict_only=True)
    run(folder, "subset", "canned", ["open_first"], model_args=alpha, samples={"open_first": [1, 4]})
    run(folder, "dummy", "dummy", ["open_plain"], limit=2)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
