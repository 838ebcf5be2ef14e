"""Count the modules of the package in which functions are called by three commands: how long is the walk?

`python -m scripts.trace_modules` runs each command once to warm up, then once more while it is traced, and
prints the number of modules, and their names with `--names`.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

from distinctly.cli import main

TEXTS = [f"the {animal} {verb} {place}" for animal in ("cat", "dog", "fox", "owl") for verb in ("sat", "ran")
         for place in ("here", "there", "down", "away", "home")]  # fmt: skip
COMMANDS = {
    "measure": ["measure", "{a}", "-m", "distinct:n=2"],
    "compare": ["compare", "{a}", "{b}", "-m", "dc", "--permutations", "100"],
    "judge similarity": [
        *("judge", "similarity", "{a}", "{b}", "--n", "5", "--k", "3", "--repetitions", "2"),
        *("-m", "dc", "--measures", "accuracy"),
    ],
}


def modules_called(arguments: list[str]) -> set[str]:
    """Run a command, and return the modules of the package in which functions were called."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        # The body of a module, which runs when it is imported, is not a call.
        if event == "call" and module.startswith("distinctly") and frame.f_code.co_name != "<module>":
            called.add(module)

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status: int | str | None = 0
        given, sys.argv = sys.argv, ["distinctly", *arguments]
        sys.setprofile(note)
        try:
            main()
        except SystemExit as exited:
            status = exited.code
        finally:
            sys.setprofile(None)
            sys.argv = given
    if status:
        raise RuntimeError(f"failed: {' '.join(arguments)}")
    return called


def trace() -> dict[str, set[str]]:
    """Return the modules that each command walks through, after a warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {"a": Path(folder) / "a.txt", "b": Path(folder) / "b.txt"}
        paths["a"].write_text("\n".join(TEXTS), encoding="utf-8")
        paths["b"].write_text("\n".join(f"{text} again" for text in TEXTS), encoding="utf-8")
        walks = {}
        for name, words in COMMANDS.items():
            arguments = [word.format(**paths) for word in words]
            modules_called(arguments)
            walks[name] = modules_called(arguments)
        return walks


if __name__ == "__main__":
    for command, modules in trace().items():
        print(f"{command}: {len(modules)} modules")
        if "--names" in sys.argv:
            print(*(f"  {name}" for name in sorted(modules)), sep="\n")
