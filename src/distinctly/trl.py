"""`rollout_diversity`: how varied are the completions that TRL samples for each prompt, at each step?

The function that it returns has the signature of TRL's reward functions, and needs no package.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from distinctly.api import measure
from distinctly.embedders import AnyEmbedder
from distinctly.errors import SpecError
from distinctly.metrics import Metric
from distinctly.run.plan import only_diversity
from distinctly.score import Scores
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.tokenizers import AnyTokenizer

# A text, or the messages of a chat.
Completion = str | Sequence[dict[str, Any]]
RewardFunction = Callable[..., list[float | None]]


def rollout_diversity(
    metrics: AnyMetrics = "distinct:n=2",
    *,
    reward: bool = False,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
) -> RewardFunction:
    """Return a function for ``reward_funcs`` of TRL that logs diversity, and by default rewards nothing.

    It logs the numbers of `Scores.flat` after ``diversity/``: ``diversity/distinct_n2_within`` (of the
    completions of one prompt), ``diversity/distinct_n2_across`` (of different prompts) and
    ``diversity/distinct_n2`` (of all). Undefined values are not logged. TRL averages over processes, and over
    the steps between two logs. Completions of one prompt are compared only if they are on one process.

    By default every reward is None, which TRL leaves out of the sum: the training is the same without the
    function. Another function has to give the rewards.

    Parameters
    ----------
    metrics
        As for `measure`; a single metric if `reward`.
    reward
        Reward each completion by its contribution: the value of all completions of its prompt, minus the
        value of the others; with the sign changed if less is more diverse, as for `self_bleu`. The value of a
        prompt itself would be the same for all its completions, and GRPO subtracts their mean. A contribution
        that is undefined is None. The metric is measured once more per completion. Random text is diverse:
        combine this reward with one for quality, and give it only to completions that are good.
    tokenizer, embedder
        As for `measure`.

    Examples
    --------
    >>> log = rollout_diversity("distinct:n=1")
    >>> prompts, completions = ["Say a or b."] * 3, ["a b", "a b", "b c"]
    >>> log(prompts, completions, log_metric=lambda name, value: print(name, value))
    diversity/distinct_n1_within 0.5
    diversity/distinct_n1 0.5
    [None, None, None]
    >>> contributions = rollout_diversity("types:n=1", reward=True)
    >>> contributions(prompts, completions)
    [0.0, 0.0, 1.0]
    """
    requests = parse_metrics(metrics)
    only_diversity(requests)
    direction = _direction(requests) if reward else 0

    def value(texts: list[str]) -> float:
        return measure(texts, metrics, tokenizer=tokenizer, embedder=embedder)[0].value

    def rollout_diversity(
        prompts: Sequence[Any],
        completions: Sequence[Completion],
        log_metric: Callable[[str, float], None] | None = None,
        **_: Any,
    ) -> list[float | None]:
        texts = [_text_of(completion) for completion in completions]
        groups = [prompt if isinstance(prompt, str) else repr(prompt) for prompt in prompts]
        rows: dict[str, list[int]] = defaultdict(list)
        for row, group in enumerate(groups):
            rows[group].append(row)
        if log_metric is None and not reward:
            raise SpecError("Expected log_metric=, with which TRL 1.0 and newer call the function.")
        if log_metric is not None and texts:
            scores = measure(texts, metrics, groups=groups, tokenizer=tokenizer, embedder=embedder)
            # Nothing is across prompts if there is one.
            logged = Scores([score for score in scores if score.scope != "across" or len(rows) > 1])
            for name, number in logged.flat().items():
                if not math.isnan(number):
                    log_metric(f"diversity/{name}", number)
        rewards: list[float | None] = [None] * len(texts)
        for rows_of_prompt in rows.values() if reward else ():
            together = value([texts[row] for row in rows_of_prompt])
            for row in rows_of_prompt:
                others = [texts[other] for other in rows_of_prompt if other != row]
                change = direction * (together - value(others))
                rewards[row] = None if math.isnan(change) else change
        return rewards

    return rollout_diversity


def _direction(requests: Sequence[Request]) -> int:
    """Return 1 if more is more diverse, and -1 if less is; raise if it cannot be a reward."""
    specs = ", ".join(request.spec for request in requests)
    if len(requests) != 1:
        raise SpecError(f"Expected one metric for a reward, got {specs}. Give one function per metric.")
    metric: Metric = requests[0].metric
    directions = {"more diverse": 1, "less diverse": -1}
    if metric.more_is not in directions:
        raise SpecError(f"'{specs}' is {metric.more_is}, so it is no reward. Use reward=False to log it.")
    return directions[metric.more_is]


def _text_of(completion: Completion) -> str:
    """Return the text of a completion; of messages, what the model wrote.

    Examples
    --------
    >>> _text_of([{"role": "assistant", "content": "Hello."}])
    'Hello.'
    >>> _text_of([{"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}])
    'Hello.'
    """
    if isinstance(completion, str):
        return completion
    contents = [message.get("content") or "" for message in completion if message.get("role") == "assistant"]
    parts = [[content] if isinstance(content, str) else _blocks(content) for content in contents]
    return "\n".join(text for texts in parts for text in texts)


def _blocks(content: Sequence[dict[str, Any]]) -> list[str]:
    return [block["text"] for block in content if block.get("type") == "text"]
