"""`DiversityCallback`: how varied are the answers of a model that a Trainer of transformers trains?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from distinctly.api import measure
from distinctly.embedders import AnyEmbedder
from distinctly.errors import SpecError, missing_extra
from distinctly.score import Scores
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.tokenizers import AnyTokenizer

try:
    import torch
    from transformers import TrainerCallback
except ImportError as error:
    raise missing_extra("distinctly.transformers", "transformers", "transformers") from error

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import Trainer, TrainerControl, TrainerState, TrainingArguments

# A prompt is a text, or the messages of a chat.
Prompt = str | Sequence[dict[str, Any]]
ANSWERS = ("distinct:n=2", "self_bleu")


class DiversityCallback(TrainerCallback):
    """Samples several answers to each prompt, and logs how varied they are, within prompts and across.

    The numbers are logged by the Trainer, so that all its reporters get them, under the names of
    `Scores.flat` after ``eval_``: ``eval_distinct_n2_within`` (of the answers to the same prompt),
    ``eval_distinct_n2_across`` (of answers to different prompts) and ``eval_distinct_n2`` (of all). Those of
    an evaluation are also in what ``trainer.evaluate()`` returns.

    The answers to one prompt are one batch with a seed of its own, and the random numbers of the training are
    left as they were. So training is the same with and without the callback, and every time the same random
    numbers are drawn. Several processes share the prompts. A model whose parameters are divided among
    processes (FSDP, DeepSpeed ZeRO-3) is an error, since no process can generate alone.

    Parameters
    ----------
    trainer
        The trainer, which needs a ``processing_class``. Add the callback with ``trainer.add_callback``.
    prompts
        Texts, or lists of messages, to which the chat template is applied.
    metrics
        As for `measure`. The cost is that of generating; measuring takes milliseconds.
    num_return_sequences
        The number of answers per prompt.
    every
        Sample after this number of steps; by default at each evaluation.
    tokenizer, embedder
        As for `measure`: the tokens that are measured, not those of the model.
    seed
        The seed of the answers.
    **generation
        Options of ``generate``, such as ``temperature`` or ``max_new_tokens`` (64).

    Attributes
    ----------
    answers
        The answers of the last time, one list per prompt.
    scores
        Their scores, with signatures and notes.
    """

    def __init__(
        self,
        trainer: Trainer,
        prompts: Sequence[Prompt],
        metrics: AnyMetrics = ANSWERS,
        *,
        num_return_sequences: int = 8,
        every: int | None = None,
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        seed: int = 0,
        **generation: Any,
    ) -> None:
        parse_metrics(metrics)  # raises now, not at the first evaluation
        if num_return_sequences < 1 or (every is not None and every < 1):
            raise SpecError(
                "Expected num_return_sequences and every to be positive, got "
                f"num_return_sequences={num_return_sequences}, every={every}."
            )
        if isinstance(prompts, str) or not prompts:
            raise SpecError("Expected several prompts: texts, or lists of messages.")
        if trainer.processing_class is None:
            raise SpecError("Expected a trainer with a tokenizer: Trainer(processing_class=…).")
        self._trainer, self._prompts, self._metrics = trainer, list(prompts), metrics
        self._every, self._seed = every, seed
        self._tokenizer, self._embedder = tokenizer, embedder
        self._generation = {
            "do_sample": True,
            "max_new_tokens": 64,
            "num_return_sequences": num_return_sequences,
            **generation,
        }
        self.answers: list[list[str]] = []
        self.scores = Scores([])

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Sample, measure and log if `every` steps have passed."""
        if self._every is not None and state.global_step % self._every == 0:
            should_log = control.should_log
            self._trainer.log(self._measured())
            control.should_log = should_log  # which logging has reset, before the loss was logged

    def on_evaluate(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        metrics: dict[str, float] | None = None,
        **_: Any,
    ) -> None:
        """Sample, measure and log after an evaluation."""
        if self._every is None:
            measured = self._measured()
            if metrics is not None:
                metrics.update(measured)
            self._trainer.log(measured)

    def _measured(self) -> dict[str, float]:
        """Sample answers and measure them; return the numbers by name."""
        accelerator = self._trainer.accelerator
        if self._trainer.is_fsdp_enabled or _is_sharded():
            raise SpecError(
                "Expected a model with all parameters in each process, got one divided among processes "
                "(FSDP, DeepSpeed ZeRO-3). Sample from checkpoints, and use dy.measure(answers, groups=…)."
            )
        places = range(accelerator.process_index, len(self._prompts), accelerator.num_processes)
        answers = [(place, self._sample(place)) for place in places]
        if accelerator.num_processes > 1:
            from accelerate.utils import gather_object

            answers = gather_object(answers)
        self.answers = [texts for _, texts in sorted(answers)]
        groups = [str(place) for place, texts in enumerate(self.answers) for _ in texts]
        texts = [text for texts in self.answers for text in texts]
        self.scores = measure(
            texts, self._metrics, groups=groups, tokenizer=self._tokenizer, embedder=self._embedder
        )
        return {f"eval_{name}": number for name, number in self.scores.flat().items()}

    def _sample(self, place: int) -> list[str]:
        """Return answers to one prompt."""
        model, processing = self._trainer.model, self._trainer.processing_class
        inputs = self._inputs(self._prompts[place]).to(model.device)
        tokenizer = getattr(processing, "tokenizer", processing)
        padding = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        devices = [] if model.device.type == "cpu" else [model.device]
        was_training = model.training
        model.eval()
        try:
            with torch.no_grad(), torch.random.fork_rng(devices, device_type=model.device.type):
                torch.manual_seed(self._seed + place)
                options = {"pad_token_id": padding, **self._generation}
                generated: Tensor = model.generate(**inputs, **options)
        finally:
            model.train(was_training)
        answers = generated[:, inputs["input_ids"].shape[1] :]
        return [str(text) for text in processing.batch_decode(answers, skip_special_tokens=True)]

    def _inputs(self, prompt: Prompt) -> Any:
        """Return a prompt as the model reads it."""
        processing = self._trainer.processing_class
        if isinstance(prompt, str):
            return processing(text=prompt, return_tensors="pt")
        return processing.apply_chat_template(
            prompt, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )


def _is_sharded() -> bool:
    """Return whether DeepSpeed divides the parameters of models among processes."""
    from transformers.integrations import is_deepspeed_zero3_enabled

    return bool(is_deepspeed_zero3_enabled())
