"""`rollout_diversity` as a function of TRL: what it logs in a real GRPOTrainer, and what it rewards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import distinctly as dy
from distinctly.trl import rollout_diversity

PROMPTS = ["the cat", "the cat", "the cat", "a dog", "a dog", "a dog"]
TEXTS = ["ran here", "ran here", "sat there", "flew away", "is red", "was old"]


class TestCalledAsTrlCallsIt:
    def test_it_logs_the_numbers_of_measure(self) -> None:
        numbers: dict[str, float] = {}
        specs = ["distinct:n=1", "self_bleu", "vendi"]
        log = rollout_diversity(specs, tokenizer="whitespace", embedder="wordllama:dim=64")
        rewards = log(
            prompts=PROMPTS,
            completions=TEXTS,
            completion_ids=[[1]] * 6,
            trainer_state=None,
            log_extra=None,
            log_metric=numbers.__setitem__,
        )
        assert rewards == [None] * 6
        measured = dy.measure(
            TEXTS, specs, groups=PROMPTS, tokenizer="whitespace", embedder="wordllama:dim=64"
        )
        assert numbers == {f"diversity/{name}": number for name, number in measured.flat().items()}
        # By hand: 4 of 6 words differ, and 6 of 6.
        assert numbers["diversity/distinct_n1_within"] == (4 / 6 + 6 / 6) / 2

    def test_undefined_values_and_those_across_one_prompt_are_not_logged(self) -> None:
        numbers: dict[str, float] = {}
        rollout_diversity(["distinct:n=1", "distinct:n=3"])(
            prompts=["p", "p"], completions=["a b", "b"], log_metric=numbers.__setitem__
        )
        # a b | b: 2 of 3 words differ, and there are no trigrams.
        assert numbers == {"diversity/distinct_n1_within": 2 / 3, "diversity/distinct_n1": 2 / 3}

    def test_the_reward_is_the_contribution_to_the_prompt(self) -> None:
        reward = rollout_diversity("distinct:n=1", reward=True)
        # "ran here" again: 4/6 of all against 4/4 without one of the two; without "sat there", 2/4.
        # Words of the other prompt all differ, with or without any of its texts.
        assert reward(PROMPTS, TEXTS) == [4 / 6 - 1, 4 / 6 - 1, 4 / 6 - 2 / 4, 0, 0, 0]

    def test_less_repetition_is_more_diverse(self) -> None:
        texts = ["a b c d e", "a b c d e", "v w x y z"]
        with_both = dy.measure(texts, "self_bleu")[0].value
        rewards = rollout_diversity("self_bleu", reward=True)(["p"] * 3, texts)
        # Without the third text, the others are one text twice: 1. Without a copy, nothing is shared: 0.
        assert rewards == [-with_both, -with_both, 1 - with_both]

    def test_a_single_completion_has_no_contribution(self) -> None:
        assert rollout_diversity("distinct:n=1", reward=True)(["p"], ["a b"]) == [None]

    def test_completions_may_be_messages(self) -> None:
        reward = rollout_diversity("types:n=1", reward=True)
        prompt = [{"role": "user", "content": "the cat"}]
        completions = [
            [{"role": "assistant", "content": "ran here"}],
            [{"role": "assistant", "content": [{"type": "text", "text": "ran away"}]}],
            [
                {"role": "assistant", "content": None, "tool_calls": []},
                {"role": "tool", "content": "of a tool"},
                {"role": "assistant", "content": "ran"},
            ],
        ]
        # Each of the first two has one word of its own; what a tool wrote does not count.
        assert reward([prompt] * 3, completions) == [1, 1, 0]

    def test_mistakes_are_found_at_once(self) -> None:
        with pytest.raises(dy.SpecError, match="one metric for a reward"):
            rollout_diversity("distinct", reward=True)
        with pytest.raises(dy.SpecError, match="neither more nor less diverse"):
            rollout_diversity("sentence_length", reward=True)
        with pytest.raises(dy.SpecError, match="jensen_shannon"):
            rollout_diversity("jensen_shannon")
        with pytest.raises(dy.SpecError, match="log_metric="):
            rollout_diversity()(PROMPTS, TEXTS)


@pytest.mark.filterwarnings("ignore")  # of torch, transformers and TRL about themselves
class TestTrainer:
    @pytest.fixture
    def train(self, model: Any, tokenizer: Any, tmp_path: Path) -> Any:
        pytest.importorskip("trl", reason='needs TRL: pip install "distinctly[trl]"')
        from datasets import Dataset
        from transformers import set_seed
        from trl import GRPOConfig, GRPOTrainer

        start = {name: weights.clone() for name, weights in model.state_dict().items()}

        def train(*reward_funcs: Any) -> tuple[Any, dict[str, Any]]:
            model.load_state_dict(start)
            set_seed(0)
            trainer = GRPOTrainer(
                model=model,
                reward_funcs=list(reward_funcs),
                args=GRPOConfig(
                    str(tmp_path / "run"),
                    max_steps=2,
                    logging_steps=1,
                    per_device_train_batch_size=8,
                    num_generations=4,
                    max_completion_length=6,
                    learning_rate=0.01,
                    report_to=[],
                    save_strategy="no",
                    disable_tqdm=True,
                    use_cpu=True,
                    bf16=False,
                ),
                train_dataset=Dataset.from_dict({"prompt": ["the cat", "a dog", "the owl", "a fox"]}),
                processing_class=tokenizer,
            )
            trainer.train()
            return trainer, {name: weights.clone() for name, weights in model.state_dict().items()}

        return train

    def test_it_logs_each_step_and_leaves_the_training_as_it_is(self, train: Any) -> None:
        seen: list[tuple[list[str], list[str]]] = []

        def of_the(prompts: list[str], completions: list[str], **_: Any) -> list[float]:
            seen.append((prompts, completions))
            return [float(text.split().count("the")) for text in completions]

        import torch

        _, without = train(of_the)
        seen.clear()
        trainer, weights = train(of_the, rollout_diversity("distinct:n=1"))
        assert all(torch.equal(weights[name], without[name]) for name in weights)
        logged = [entry for entry in trainer.state.log_history if "diversity/distinct_n1_within" in entry]
        assert [entry["step"] for entry in logged] == [1, 2]
        for entry, (prompts, completions) in zip(logged, seen, strict=True):
            measured = dy.measure(completions, "distinct:n=1", groups=prompts).flat()
            for name, number in measured.items():
                # TRL gathers what is logged as numbers of 32 bits.
                assert entry[f"diversity/{name}"] == pytest.approx(number, rel=1e-6)

    def test_the_reward_trains(self, train: Any) -> None:
        trainer, _ = train(rollout_diversity("distinct:n=1", reward=True))
        (first, *_) = [entry for entry in trainer.state.log_history if "reward" in entry]
        assert first["reward"] == pytest.approx(first["rewards/rollout_diversity/mean"])
        assert first["reward_std"] > 0
        assert first["grad_norm"] > 0
