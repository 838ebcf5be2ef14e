"""Nothing in the data is obeyed by the terminal: escape sequences, markup, marks of direction."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal, which Windows does not have")

SOURCE = Path(__file__).parents[2] / "src" / "distinctly"
# Red letters, the title of a window, red by a control character of one byte, writing from right to left, and
# markup of Rich.
HOSTILE = "\x1b[31mX\x1b]0;t\x07\x9b31m\u202e[red]y[/red]"
FILE = HOSTILE.replace("/", "")  # a name of a file has no slash
OBEYED = ("\x1b[31m", "\x1b]", "\x07", "\x9b", "\u202e", "\x1b[38")
TEXTS = [f"{HOSTILE} cat {number} sat" for number in range(12)]


def on_a_terminal(folder, *arguments, environment=None):
    """Run the command with standard output and standard error in a terminal; return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "distinctly", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color", **(environment or {})},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the process has ended
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait(timeout=60)
    return process.returncode, shown.decode()


@pytest.fixture
def folder(tmp_path):
    rows = [
        {
            HOSTILE: text,
            "text": text,
            "group": f"{HOSTILE}{place % 3}",
            "by": f"{HOSTILE}{place % 2}",
            "tags": [HOSTILE, "N", "V"],
            "human": float(place),
            "texts": [text, text + "!"],
            f"column{HOSTILE}": place * 1.5,
            "annotators": {f"ann{HOSTILE}": place, "bob": place + 1, "cat": place + 2},
        }
        for place, text in enumerate(TEXTS)
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / f"{FILE}.jsonl").write_text(content)
    (tmp_path / "plain.jsonl").write_text(content)
    (tmp_path / "other.txt").write_text("".join(f"one two {number}\n" for number in range(12)))
    (tmp_path / f"{FILE}.json").write_text("[]")
    (tmp_path / "mine.py").write_text(
        "HOSTILE = " + ascii(HOSTILE) + "\n"
        "def parts(texts):\n    return {HOSTILE: 1.0, 'b': float('inf')}\n"
        "def raises(texts):\n    raise ValueError(HOSTILE)\n"
        "def tag(text):\n    raise ValueError(HOSTILE)\n"
        "def warns(texts):\n    import warnings, logging\n    warnings.warn(HOSTILE)\n"
        "    logging.getLogger('x').warning(HOSTILE)\n    return 1\n"
        "def apart(reference, candidate):\n    return {HOSTILE: 1.0}\n"
    )
    (tmp_path / "broken.py").write_text(f"raise ValueError({HOSTILE!a})\n")
    (tmp_path / f"cache{FILE}").mkdir()
    return tmp_path


NAMED, PLAIN = f"{FILE}.jsonl", "plain.jsonl"
# What is run, the exit status, and whether the data is shown.
SHOWN = {
    "the name of a corpus": (["measure", NAMED, "-m", "distinct:n=1"], 0),
    "two corpora": (["measure", NAMED, "other.txt", "-m", "distinct:n=1", "--interval"], 0),
    "the name of a field": (["measure", PLAIN, "--field", HOSTILE, "--top", "3"], 0),
    "an unknown field": (["measure", PLAIN, "--field", f"x{HOSTILE}"], 2),
    "a group": (["measure", PLAIN, "--group", "group", "-m", "distinct:n=1"], 0),
    "systems": (["measure", PLAIN, "--by", "by", "-m", "distinct:n=1"], 0),
    "an explanation": (["measure", PLAIN, "--explain", "--examples", "3"], 0),
    "tags": (["measure", PLAIN, "--tags", "tags", "-m", "distinct:n=1,of=tags", "--top", "3"], 0),
    "a comparison": (["compare", NAMED, "other.txt", "-m", "jensen_shannon", "--explain"], 0),
    "a matrix": (["compare", PLAIN, "--by", "by", "--matrix", "-m", "chi"], 0),
    "an unknown reference": (["compare", PLAIN, "--by", "by", "--reference", f"z{HOSTILE}"], 2),
    "parts of a function": (["measure", PLAIN, "-m", "mine:parts"], 0),
    "parts of a distance": (["compare", PLAIN, "other.txt", "-m", "mine.py:apart"], 0),
    "an exception of a function": (["measure", PLAIN, "-m", "mine:raises"], 0),
    "warnings of libraries": (["measure", PLAIN, "-m", "mine:warns"], 0),
    "an exception of a tagger": (["measure", PLAIN, "--tagger", "mine:tag", "-m", "distinct:n=1,of=tags"], 2),
    "an exception of a module": (["measure", PLAIN, "-m", "broken:f"], 2),
    "a metric": (["measure", PLAIN, "-m", f"x{HOSTILE}"], 2),
    "a function": (["measure", PLAIN, "-m", f"mine:{HOSTILE}"], 2),
    "a value of an option": (["measure", PLAIN, "-m", f"distinct:n={HOSTILE}"], 2),
    "a tokenizer": (["measure", PLAIN, "--tokenizer", f"x{HOSTILE}"], 2),
    "a pattern": (["measure", PLAIN, "--tokenizer", f"regex:[a-z]+|{HOSTILE}", "-m", "distinct:n=1"], 0),
    "a wrong pattern": (["measure", PLAIN, "--tokenizer", f"regex:({HOSTILE}"], 2),
    "an embedder": (["measure", PLAIN, "-m", "vendi", "--embedder", f"x{HOSTILE}"], 2),
    "a missing file": (["measure", f"x{FILE}.txt"], 2),
    "an empty file": (["measure", f"{FILE}.json"], 2),
    "an unknown command": ([HOSTILE], 2),
    "an unknown option": (["measure", PLAIN, f"--{HOSTILE}"], 2),
    "an unknown format": (["measure", PLAIN, "--format", HOSTILE], 2),
    "a wrong number": (["measure", PLAIN, "--seed", HOSTILE], 2),
    "a gate": (["measure", NAMED, "-m", "distinct:n=1", "--require", f"{NAMED}/distinct:n=1>=0.99"], 1),
    "a gate of another corpus": (["measure", PLAIN, "--require", f"{HOSTILE}/ead>=0.99"], 2),
    "a baseline": (["measure", PLAIN, "--require", "ead>=baseline", "--baseline", f"{FILE}.json"], 2),
    "csv": (["measure", NAMED, "-m", "distinct:n=1", "--format", "csv"], 0),
    "json": (["measure", NAMED, "-m", "distinct:n=1", "--format", "json"], 0),
    "markdown": (["measure", NAMED, "-m", "distinct:n=1", "--format", "markdown"], 0),
    "latex": (["measure", NAMED, "-m", "distinct:n=1", "--format", "latex"], 0),
    "people": (["judge", "people", PLAIN, "--human", "human", "--column", "column*", "--columns-only"], 0),
    "subsets of people": (
        *(["judge", "people", PLAIN, "--human", "human", "--subset", "by", "-m", "distinct:n=1"],),
        0,
    ),
    "annotators": (
        *(
            [
                "judge",
                "people",
                PLAIN,
                "--annotations",
                "annotators",
                "--column",
                "column*",
                "--columns-only",
            ],
        ),
        0,
    ),
    "an unknown annotator": (["judge", "people", PLAIN, "--annotations", f"x{HOSTILE}"], 2),
    "results of a trial": (["judge", "table", f"{FILE}.json"], 2),
    "similarity": (
        *(["judge", "similarity", NAMED, "other.txt", "-m", "jensen_shannon", "--n", "3", "--k", "3"],),
        0,
    ),
    "a name to list": (["list", HOSTILE], 2),
    "the cache": (["cache", "info"], 0),
    "clearing the cache": (["cache", "clear"], 0),
    "clearing an embedder": (["cache", "clear", HOSTILE], 0),
}


@pytest.mark.slow  # a process per case
@pytest.mark.parametrize(("arguments", "status"), SHOWN.values(), ids=SHOWN)
def test_a_terminal_shows_data_and_does_not_obey_it(folder, arguments, status):
    # Without colours of our own, such as those of a progress bar that a slow machine shows.
    environment = {"DISTINCTLY_CACHE": str(folder / f"cache{FILE}"), "NO_COLOR": "1"}
    code, shown = on_a_terminal(folder, *arguments, environment=environment)
    assert code == status, shown
    assert not [sequence for sequence in OBEYED if sequence in shown], repr(shown)
    if status == 2:
        assert "[red]" in shown  # the markup is text
        assert "\\x1b[31m" in shown


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "status"), SHOWN.values(), ids=SHOWN)
def test_messages_in_a_pipe_are_escaped_too(folder, command, arguments, status):
    environment = {"DISTINCTLY_CACHE": str(folder / f"cache{FILE}")}
    done = command(*arguments, environment=environment)
    assert done.returncode == status, done.stderr
    shown = done.stderr if "--format" in arguments else done.stdout + done.stderr
    assert not [sequence for sequence in OBEYED if sequence in shown], repr(shown)
    if status == 2:
        assert done.stderr.count("\n") == 1


def test_the_progress_bar_takes_no_name_for_a_command(monkeypatch):
    from distinctly.cli import progress
    from distinctly.config import Step

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(progress, "PATIENCE", 0.0)
        monkeypatch.setenv("TERM", "xterm-256color")
        with progress.ProgressBar() as bar:
            bar(Step(HOSTILE, 1, 2, "bytes"))
            bar(Step(HOSTILE, 1, 2, "items"))
        terminal.flush()
        shown = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert "[red]y[/red]" in shown
    # Rich itself uses red.
    assert not [sequence for sequence in ("\x1b[31mX", *OBEYED[1:5]) if sequence in shown], repr(shown)


# The modules that may write to a terminal, and how.
WRITERS = {"cli/__init__.py": {"write"}, "cli/progress.py": {"Console"}, "report/terminal.py": {"Console"}}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_one_function_writes_everything(path):
    """`say` in `distinctly.cli` writes, and Rich draws where its markup is disabled."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    used = set()
    for call in calls:
        name = ast.unparse(call.func)
        if name in ("print", "Console", "rich.print"):
            used.add(name)
        elif name in ("click.echo", "click.secho", "click.print") or "stdout" in name or "stderr" in name:
            used |= {"write"} if name.endswith((".write", "echo", "secho", "writelines")) else set()
        elif name == "stream.write":
            used.add("write")
        if name == "Console":
            options = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
            assert (options["markup"], options["emoji"], options["highlight"]) == ("False", "False", "False")
    assert used <= WRITERS.get(str(path.relative_to(SOURCE)), set())
