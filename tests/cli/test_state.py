"""`distinctly state`, and states in place of texts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.cli.fixtures import Run, Save

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

MONDAY, TUESDAY = "the cat sat\nthe dog\n", "a cat sat\n\nthe cat sat\n"


METRICS = ("distinct", "entropy:n=1", "jensen_shannon")


@pytest.fixture
def days(save: Save, tmp_path: Path) -> None:
    """Save the states of two days, and of both."""
    for name, content in (("monday", MONDAY), ("tuesday", TUESDAY), ("both", MONDAY + TUESDAY)):
        dy.save_state(save(f"{name}.txt", content), tmp_path / f"{name}.state", METRICS)


@pytest.mark.usefixtures("days")
def test_save(command: Run, tmp_path: Path) -> None:
    options = [word for metric in METRICS for word in ("-m", metric)]
    done = command("state", "save", "both.txt", *options, "-o", "x.state")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == "distinctly: wrote x.state"
    assert (tmp_path / "x.state").read_bytes() == (tmp_path / "both.state").read_bytes()


@pytest.mark.usefixtures("days")
def test_merge_measure_and_compare(command: Run, tmp_path: Path) -> None:
    done = command("state", "merge", "monday.state", "tuesday.state", "-o", "week.state")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "distinctly: wrote week.state\n")
    assert (tmp_path / "week.state").read_bytes() == (tmp_path / "both.state").read_bytes()
    metrics = ("-m", "distinct", "-m", "entropy:n=1")
    of_state, of_texts = (
        json.loads(command("measure", *arguments, "--format", "json").stdout)
        for arguments in (("week.state",), ("both.txt", *metrics))
    )
    for score, expected in zip(of_state["scores"], of_texts["scores"], strict=True):
        assert (score["value"], score["signature"]) == (expected["value"], expected["signature"])
    for pair in (("monday.state", "tuesday.state"), ("monday.txt", "tuesday.state")):
        done = command("compare", *pair, "--score-only")
        expected = command("compare", "monday.txt", "tuesday.txt", "-m", "jensen_shannon", "--score-only")
        assert (done.returncode, done.stdout) == (0, expected.stdout)


@pytest.mark.parametrize(("metric", "options"), [("self_bleu", ()), ("self_repetition", ("-m", "distinct"))])
def test_metrics_that_read_twice(
    command: Run, save: Save, tmp_path: Path, metric: str, options: tuple[str, ...]
) -> None:
    save("x.txt", MONDAY)
    done = command("state", "save", "x.txt", "-m", metric, *options, "-o", "x.state")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"distinctly: error: '{metric}")
    assert "reads the texts twice" in done.stderr
    assert not (tmp_path / "x.state").exists()


@pytest.mark.usefixtures("days")
@pytest.mark.parametrize(
    "arguments",
    [
        ("measure", "monday.state", "--interval"),
        ("measure", "monday.state", "--by", "model"),
        ("measure", "monday.state", "--explain", "3"),
        ("measure", "monday.state", "--top", "3"),
        ("measure", "monday.state", "-m", "self_bleu"),
        ("measure", "monday.state", "-m", "entropy:n=7"),
        ("compare", "monday.state", "tuesday.state", "--permutations", "9"),
        ("compare", "monday.state", "tuesday.state", "--noise-floor"),
        ("compare", "monday.state", "tuesday.state", "--interval"),
        ("compare", "monday.state", "tuesday.state", "--explain", "3"),
        ("state", "merge", "-o", "x.state"),
        ("state", "merge", "monday.state", "nothing.state", "-o", "x.state"),
        ("state", "merge", "monday.txt", "-o", "x.state"),
        ("state", "merge", "monday.state", "-o", "x.txt"),
        ("state", "save", "monday.txt", "-o", "x.txt"),
        ("state", "save", "monday.txt", "-o", "nowhere/x.state"),
        ("state", "save", "monday.txt"),
        ("state", "save", "nothing.txt", "-o", "x.state"),
    ],
)
def test_errors(command: Run, arguments: tuple[str, ...], tmp_path: Path) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith(("distinctly: error: ", "Error: "))
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.skipif(os.name != "posix", reason="needs limits of file sizes")
@pytest.mark.usefixtures("days")
def test_full_disk(command: Run, tmp_path: Path) -> None:
    before = (tmp_path / "both.state").read_bytes()
    limited = tmp_path / "sitecustomize.py"  # no file may exceed 10 kB, as if the disk were full
    limited.write_text(
        "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    for arguments in (("save", "monday.txt"), ("merge", "monday.state", "tuesday.state")):
        done = command("state", *arguments, "-o", "both.state", environment={"PYTHONPATH": path})
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        assert "both.state: cannot be written" in done.stderr
        assert (tmp_path / "both.state").read_bytes() == before
    assert not list(tmp_path.glob(".draft-*"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root can write anywhere")
def test_read_only_folder(command: Run, save: Save, tmp_path: Path) -> None:
    save("x.txt", MONDAY)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    done = command("state", "save", "x.txt", "-o", "closed/x.state")
    assert (done.returncode, done.stdout) == (2, "")
    assert "permission denied" in done.stderr
    assert list(closed.iterdir()) == []
