"""`DiversityCallback` in a real Trainer: what it logs, and that it leaves the training as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy

pytest.importorskip("torch", reason='needs torch: pip install "distinctly[transformers]"')
pytest.importorskip("transformers", reason='needs transformers: pip install "distinctly[transformers]"')
pytest.importorskip("accelerate", reason='needs accelerate: pip install "distinctly[transformers]"')

import torch
from transformers import (
    DataCollatorForLanguageModeling,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

from distinctly.transformers import DiversityCallback

PROMPTS = ["the cat", "a dog", "the old owl"]
SPECS = ["distinct:n=2", "self_bleu"]
pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers about themselves


class Reporter(TrainerCallback):
    """Takes what is logged, as the reporters of trackers do."""

    def __init__(self) -> None:
        self.logs: list[dict[str, float]] = []

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        self.logs.append(dict(logs))


@pytest.fixture
def trainer(model: Any, tokenizer: Any, tmp_path: Path) -> Trainer:
    data = [tokenizer(text) for text in ["the cat sat here", "a dog ran away", "the owl flew there"] * 4]
    return Trainer(
        model=model,
        args=TrainingArguments(
            str(tmp_path / "run"),
            max_steps=4,
            per_device_train_batch_size=2,
            logging_steps=2,
            eval_strategy="steps",
            eval_steps=2,
            save_strategy="no",
            learning_rate=0.01,
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=data,
        eval_dataset=data[:3],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
        processing_class=tokenizer,
        callbacks=[Reporter()],
    )


def logged(trainer: Trainer, name: str) -> list[tuple[int, float]]:
    return [(entry["step"], entry[name]) for entry in trainer.state.log_history if name in entry]


def test_evaluations_log_the_numbers_of_measure(trainer: Trainer) -> None:
    callback = DiversityCallback(trainer, PROMPTS, SPECS, num_return_sequences=4, max_new_tokens=6)
    trainer.add_callback(callback)
    trainer.train()
    # 3 prompts with 4 answers each.
    assert [len(answers) for answers in callback.answers] == [4, 4, 4]
    assert all(len(text.split()) <= 6 for answers in callback.answers for text in answers)
    texts = [text for answers in callback.answers for text in answers]
    measured = dy.measure(texts, SPECS, groups=[str(place // 4) for place in range(12)]).flat()
    assert {"distinct_n2_within", "self_bleu_within", "distinct_n2_across", "distinct_n2"} < set(measured)
    for name, number in measured.items():
        steps = logged(trainer, f"eval_{name}")
        assert [step for step, _ in steps] == [2, 4]
        assert steps[-1][1] == number
    # The loss and the Trainer's own evaluation are logged as often as without the callback.
    assert [step for step, _ in logged(trainer, "loss")] == [2, 4]
    assert [step for step, _ in logged(trainer, "eval_loss")] == [2, 4]
    (reporter,) = (each for each in trainer.callback_handler.callbacks if isinstance(each, Reporter))
    assert sum("eval_distinct_n2_within" in logs for logs in reporter.logs) == 2
    assert callback.scores[0].signature.startswith("distinct|n:2")
    # Of the same weights, the same answers: they are those of the last evaluation.
    assert trainer.evaluate()["eval_distinct_n2_within"] == measured["distinct_n2_within"]


def test_reporters_of_the_trainer_get_the_numbers(trainer: Trainer, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason='needs TensorBoard: pip install "distinctly[tensorboard]"')
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from torch.utils.tensorboard import SummaryWriter
    from transformers.integrations import TensorBoardCallback

    trainer.add_callback(TensorBoardCallback(SummaryWriter(tmp_path / "events")))
    callback = DiversityCallback(trainer, PROMPTS, SPECS, num_return_sequences=2, max_new_tokens=4)
    trainer.add_callback(callback)
    trainer.train()
    events = EventAccumulator(str(tmp_path / "events"))
    events.Reload()
    for name, number in callback.scores.flat().items():
        scalars = events.Scalars(f"eval/{name}")
        assert [scalar.step for scalar in scalars] == [2, 4]
        assert scalars[-1].value == pytest.approx(number, rel=1e-6)  # events have numbers of 32 bits


def test_every_number_of_steps(trainer: Trainer) -> None:
    options = {"num_return_sequences": 2, "max_new_tokens": 4}
    callback = DiversityCallback(trainer, PROMPTS, every=1, **options)
    trainer.add_callback(callback)
    trainer.train()
    assert [step for step, _ in logged(trainer, "eval_distinct_n2_within")] == [1, 2, 3, 4]
    # The weights are those of the last step: there is no dropout in the answers of a step either.
    at_evaluation = DiversityCallback(trainer, PROMPTS, **options)
    trainer.add_callback(at_evaluation)
    trainer.evaluate()
    assert callback.answers == at_evaluation.answers
    assert [step for step, _ in logged(trainer, "loss")] == [2, 4]


def test_the_training_is_the_same_without_it(trainer: Trainer) -> None:
    start = {name: weights.clone() for name, weights in trainer.model.state_dict().items()}
    ends = []
    for with_callback in (False, True):
        trainer.model.load_state_dict(start)
        trainer.optimizer = trainer.lr_scheduler = None
        if with_callback:
            trainer.add_callback(DiversityCallback(trainer, PROMPTS, every=1, max_new_tokens=4))
        set_seed(0)
        trainer.train()
        ends.append({name: weights.clone() for name, weights in trainer.model.state_dict().items()})
    # Dropout draws the same numbers, so all weights are the same to the bit.
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in start)
    assert any(not torch.equal(ends[0][name], start[name]) for name in start)


def test_prompts_may_be_messages(trainer: Trainer) -> None:
    messages = [[{"role": "user", "content": prompt}] for prompt in PROMPTS]
    callback = DiversityCallback(
        trainer, messages, "distinct:n=1", num_return_sequences=2, max_new_tokens=4, tokenizer="whitespace"
    )
    trainer.add_callback(callback)
    trainer.evaluate()
    assert [len(answers) for answers in callback.answers] == [2, 2, 2]
    # Neither the template nor the prompt is in the answers.
    model, tokenizer = trainer.model, trainer.processing_class
    prompt = tokenizer("user the cat assistant", return_tensors="pt")
    torch.manual_seed(0)
    generated = model.eval().generate(
        **prompt, do_sample=True, max_new_tokens=4, num_return_sequences=2, pad_token_id=0
    )
    assert callback.answers[0] == tokenizer.batch_decode(generated[:, 4:], skip_special_tokens=True)
    assert "tok:whitespace" in callback.scores[0].signature


def test_mistakes_are_found_at_once(trainer: Trainer) -> None:
    with pytest.raises(dy.SpecError, match="Did you mean 'distinct'"):
        DiversityCallback(trainer, PROMPTS, "distnct")
    with pytest.raises(dy.SpecError, match="every=0"):
        DiversityCallback(trainer, PROMPTS, every=0)
    with pytest.raises(dy.SpecError, match="several prompts"):
        DiversityCallback(trainer, "the cat")
    trainer.processing_class = None
    with pytest.raises(dy.SpecError, match="processing_class"):
        DiversityCallback(trainer, PROMPTS)


PROCESSES = """
    import json, sys
    from pathlib import Path
    import torch
    from transformers import AutoTokenizer, GPT2LMHeadModel, Trainer, TrainingArguments
    from distinctly.transformers import DiversityCallback

    folder = sys.argv[1]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    trainer = Trainer(
        model=GPT2LMHeadModel.from_pretrained(folder),
        args=TrainingArguments("run", report_to=[], disable_tqdm=True, use_cpu=True),
        eval_dataset=[{"input_ids": [5, 6], "labels": [5, 6]}] * 2,
        processing_class=tokenizer,
    )
    callback = DiversityCallback(trainer, json.loads(sys.argv[2]), num_return_sequences=2, max_new_tokens=4)
    trainer.add_callback(callback)
    numbers = trainer.evaluate()
    assert "eval_loss" in numbers
    result = [callback.answers, {name: number for name, number in numbers.items() if "distinct" in name}]
    place, size = trainer.accelerator.process_index, trainer.accelerator.num_processes
    Path(f"{place}-of-{size}.json").write_text(json.dumps(result))
    if size > 1:
        torch.distributed.destroy_process_group()
"""


@pytest.mark.slow  # starts processes
def test_processes_share_the_prompts(model: Any, tokenizer: Any, tmp_path: Path) -> None:
    for each in (model, tokenizer):
        each.save_pretrained(tmp_path / "model")
    (tmp_path / "script.py").write_text(textwrap.dedent(PROCESSES), encoding="utf-8")
    for processes in (1, 2):
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "torch.distributed.run", "--standalone"),
                *(f"--nproc-per-node={processes}", "script.py", str(tmp_path / "model"), json.dumps(PROMPTS)),
            ],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(dy.__file__).parents[1]),
                "GLOO_SOCKET_IFNAME": "lo",
                "OMP_NUM_THREADS": "1",
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    results = [json.loads((tmp_path / f"{name}.json").read_text()) for name in ("0-of-1", "0-of-2", "1-of-2")]
    assert results[0] == results[1] == results[2]
    assert [len(answers) for answers in results[0][0]] == [2, 2, 2]
