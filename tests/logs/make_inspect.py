"""Make sample logs with inspect_ai itself, with its mock model and without a network.

Usage: ``python make_inspect.py FOLDER``. Works with inspect_ai 0.3.100 and later. FOLDER then holds
``NAME.eval`` and ``NAME.json`` for each NAME:

=============  ======================================================================================
``a``          model mockllm/a, 4 samples, 3 epochs; a numeric, a letter and a dict-valued scorer
``b``          model mockllm/b, the same task with other texts and num_choices=2 (two choices each)
``reasoning``  answers with a ContentReasoning block, a ``<think>`` text, a list of contents, a tool
               call, an empty answer, a refusal; messages as input; ids that are integers
``errors``     a solver fails for one sample of one epoch, fail_on_error=False: status "success"
``failed``     a solver fails: status "error"; the samples before it are kept
``cancelled``  interrupted while running (Ctrl-C): status "cancelled", some samples
``started``    the process died while running: status "started", the samples flushed before
``long``       long texts, which the log stores as attachments; attachments are not resolved
``reduced``    epochs with a reducer ("mean")
=============  ======================================================================================
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from pathlib import Path

PROMPTS = {
    "lighthouse": "Write the first line of a story about a lighthouse.",
    "fruit": "Name a fruit.",
    "hello": "Say hello in a friendly way.",
    "sea": "Describe the sea in five words.",
}
TEXTS = {
    "a": {
        "lighthouse": [
            "The light had not been lit for a year.",
            "Nobody saw the keeper leave.",
            "Salt ate the stairs.",
        ],
        "fruit": ["apple", "quince", "A ripe mango."],
        "hello": ["Hello there!", "Good morning, neighbour!", "Grüß dich 😊"],
        "sea": ["grey\nand\nwide", "sea, salt, wind, gull, foam", "It breathes."],
    },
    "b": {
        "lighthouse": ["Once upon a time there was a lighthouse."] * 2
        + ["Once upon a time a lighthouse stood."],
        "fruit": ["apple", "apple", "apple"],
        "hello": ["Hello!", "Hello! How can I help you today?", "Hello!"],
        "sea": ["The sea is very blue.", "The sea is very big.", "The sea is very blue."],
    },
}


def count_tokens_offline() -> None:
    """Newer versions count tokens with an encoding that tiktoken downloads; give it one of bytes."""
    try:
        import tiktoken
    except ImportError:  # older versions do not use it
        return
    ranks = {bytes([i]): i for i in range(256)}
    encoding = tiktoken.Encoding("bytes", pat_str=r".", mergeable_ranks=ranks, special_tokens={})
    tiktoken.get_encoding = lambda name: encoding
    tiktoken.encoding_for_model = lambda name: encoding


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["XDG_DATA_HOME"] = str(folder / ".cache")  # the tool's buffer of running evaluations
    os.environ["INSPECT_DISPLAY"] = "none"
    count_tokens_offline()
    from inspect_ai import Epochs, Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ContentReasoning,
        ContentText,
        GenerateConfig,
        ModelOutput,
        get_model,
    )
    from inspect_ai.scorer import Score, accuracy, mean, scorer
    from inspect_ai.solver import generate, solver

    @scorer(metrics=[mean()])
    def length():
        async def score(state, target):
            return Score(value=len(state.output.completion), explanation="Characters of the answer.")

        return score

    @scorer(metrics=[accuracy()])
    def mentions():
        async def score(state, target):
            found = target.text in state.output.completion
            return Score(value="C" if found else "I", answer=state.output.completion[:10])

        return score

    @scorer(metrics={"words": [mean()], "letters": [mean()]})
    def counts():
        async def score(state, target):
            text = state.output.completion
            return Score(value={"words": len(text.split()), "letters": sum(map(str.isalpha, text))})

        return score

    @scorer(metrics=[mean()])
    def odd():
        async def score(state, target):
            return Score(value=float("nan") if not state.output.completion else True)

        return score

    def choice(text, stop="stop"):
        return ChatCompletionChoice(
            message=ChatMessageAssistant(content=text, model="mockllm", source="generate"), stop_reason=stop
        )

    samples = [
        Sample(id=name, input=prompt, target=name, metadata={"topic": name, "level": 1})
        for name, prompt in PROMPTS.items()
    ]

    def model(name, choices=1, **config):
        """A mock model with its answers in the order of the calls (max_samples=1): epochs, then samples."""
        outputs = []
        for epoch in range(3):
            for key in PROMPTS:
                texts = TEXTS[name][key]
                chosen = [choice(texts[(epoch + i) % 3]) for i in range(choices)]
                outputs.append(ModelOutput(model=f"mockllm/{name}", choices=chosen))
        return get_model(f"mockllm/{name}", config=GenerateConfig(**config), custom_outputs=outputs)

    def save(name, task, **options):
        logs = folder / f".{name}"
        with contextlib.suppress(KeyboardInterrupt):
            run(task, log_dir=str(logs), log_format="eval", max_samples=1, **options)
        location = next(logs.glob("*.eval"))
        shutil.move(location, folder / f"{name}.eval")
        write_eval_log(read_eval_log(str(folder / f"{name}.eval")), str(folder / f"{name}.json"))
        shutil.rmtree(logs)

    def task(solvers=None, scorers=None, data=samples, epochs=3, **options):
        return Task(
            name="open_questions",
            dataset=data,
            solver=solvers or generate(),
            scorer=[length(), mentions(), counts()] if scorers is None else scorers,
            epochs=epochs,
            **options,
        )

    save("a", task(), model=model("a", temperature=0.9))
    save("b", task(), model=model("b", choices=2, num_choices=2))

    outputs = [
        ModelOutput(
            model="mockllm/r",
            choices=[
                choice([ContentReasoning(reasoning="The user wants one line."), ContentText(text="A line.")])
            ],
        ),
        ModelOutput.from_content("mockllm/r", "<think>\nShort, then.\n</think>\n\nAnother line."),
        ModelOutput(
            model="mockllm/r", choices=[choice([ContentText(text="Two "), ContentText(text="parts.")])]
        ),
        ModelOutput.for_tool_call("mockllm/r", "search", {"query": "lighthouse"}),
        ModelOutput.from_content("mockllm/r", ""),
        ModelOutput.from_content("mockllm/r", "I cannot do that.", stop_reason="content_filter"),
        ModelOutput.from_content("mockllm/r", "Cut in the mid", stop_reason="max_tokens"),
    ]
    talk = [
        Sample(
            id=i,
            input=[ChatMessageSystem(content="You are brief."), ChatMessageUser(content=f"Write line {i}.")],
        )
        for i in range(1, len(outputs) + 1)
    ]
    save(
        "reasoning",
        task(data=talk, epochs=1, solvers=generate(tool_calls="none"), scorers=[odd()]),
        model=get_model("mockllm/r", custom_outputs=outputs),
    )

    @solver
    def fragile(limit):
        """Fails at the sample "hello" of the second epoch (limit=2), or whenever the sample is "hello"."""

        async def solve(state, generate):
            state = await generate(state)
            if state.sample_id == "hello" and state.epoch >= limit:
                raise ValueError("the solver failed after the answer")
            return state

        return solve

    @solver
    def interrupted(crash):
        """Stops everything at the sixth call: as a crash would, or as Ctrl-C does."""
        count = [0]

        async def solve(state, generate):
            count[0] += 1
            if count[0] == 6 and crash:
                raise KeyboardInterrupt
            if count[0] == 6:
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(10)
            return await generate(state)

        return solve

    save("errors", task(solvers=fragile(2)), model=model("a"), fail_on_error=False)
    save("failed", task(solvers=fragile(1)), model=model("a"), fail_on_error=True)
    save("cancelled", task(solvers=interrupted(False)), model=model("a"))
    save("started", task(solvers=interrupted(True)), model=model("a"))
    save("reduced", task(epochs=Epochs(3, ["mean", "max"]), scorers=[length()]), model=model("a"))

    long = "A long sentence about the sea, which goes on and on. " * 20
    data = [Sample(id="long", input="Read this: " + long + " Go on.")]
    answers = [ModelOutput.from_content("mockllm/l", long + "The end.")] * 2
    save(
        "long",
        task(data=data, epochs=2, scorers=[length()]),
        model=get_model("mockllm/l", custom_outputs=answers),
    )
    shutil.rmtree(folder / ".cache", ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
