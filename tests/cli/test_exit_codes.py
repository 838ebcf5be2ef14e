"""Exit statuses: 0 done, 1 a requirement is not met, 2 an error, 3 a crash, a full disk or no memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.systems import posix

from distinctly.engine import spill

pytestmark = pytest.mark.slow  # a process per test

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full on this system")
# Runs the command after `prepare`, which breaks something.
BROKEN = """
import sys
sys.argv[1:] = {arguments}
{prepare}
from distinctly.cli import main
main()
"""


@pytest.fixture
def texts(save):
    return save("texts.txt", "the cat sat\na dog ran\n")


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "distinctly", *map(str, arguments)], text=True, check=False, **options
    )


def broken(prepare, *arguments, environment=None):
    """Run the command after a preparation that breaks something."""
    program = BROKEN.format(arguments=list(map(str, arguments)), prepare=prepare)
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


@needs_full
@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", "{}"],
        ["measure", "{}", "--format", "json"],
        ["measure", "{}", "--score-only"],
        ["measure", "{}", "--require", "ead>=2"],
        ["compare", "{0}", "{0}", "-m", "chi"],
        ["list"],
        ["list", "ead"],
        ["demo"],
        ["cache", "info"],
        ["--help"],
        ["measure", "--help"],
        ["--version"],
    ],
)
def test_a_full_output_is_status_3(texts, arguments):
    with FULL.open("w") as full:
        done = run(
            *(word.format(texts) for word in arguments), stdout=full, stderr=subprocess.PIPE, cwd=texts.parent
        )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr
    assert "Exception ignored" not in done.stderr


@needs_full
def test_a_full_place_for_errors_changes_no_status(texts):
    with FULL.open("w") as full:
        assert run("measure", "nowhere.txt", stderr=full, stdout=subprocess.PIPE).returncode == 2
        gate = run("measure", texts, "--require", "ead>=2", stderr=full, stdout=subprocess.PIPE)
        assert gate.returncode == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="descriptors of POSIX")
def test_a_closed_output_is_status_3(texts):
    done = run("measure", texts, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (3, "distinctly: error: Standard output is closed.\n")


@posix
def test_a_closed_pipe_is_no_error(texts):
    command = f"{sys.executable} -m distinctly measure {texts} --format json; echo $? >&2"
    done = subprocess.run(["bash", "-c", f"({command}) | true"], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "0"


CRASH = "import distinctly.run.measuring as m\ndef fail(*a, **k): raise {}\nm.Measuring.measure = fail"


def test_a_crash_is_one_line_and_status_3(texts):
    prepare = CRASH.format("TypeError('a\\x1b[31m bug\\nof two lines')")
    done = broken(prepare, "measure", texts)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith(r"distinctly: internal error: TypeError: a\x1b[31m bug (<string>, line ")
    assert "please report it" in done.stderr
    assert "DISTINCTLY_TRACEBACK=1" in done.stderr


def test_the_traceback_of_a_crash_can_be_shown(texts):
    prepare = CRASH.format("TypeError('a\\x1b[31m bug')")
    done = broken(prepare, "measure", texts, environment={"DISTINCTLY_TRACEBACK": "1"})
    assert done.returncode == 3
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert "\x1b" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("distinctly: internal error: TypeError")


@pytest.mark.parametrize(
    "error",
    [
        "MemoryError()",
        "__import__('numpy').empty((1 << 50,)) and None",
        "__import__('pyarrow').ArrowMemoryError('malloc of size 1 failed')",
        "type('OutOfMemoryError', (RuntimeError,), {})('CUDA out of memory')",
    ],
)
def test_lack_of_memory_is_status_3(texts, error):
    done = broken(CRASH.format(error), "measure", texts)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith("distinctly: error: There is not enough memory (")


def test_a_full_disk_is_status_3(texts):
    error = "OSError(28, 'No space left on device', 'results.json')"
    done = broken(CRASH.format(error), "measure", texts)
    assert (done.returncode, done.stderr) == (
        3,
        "distinctly: error: There is no space left to write results.json (No space left on device).\n",
    )


def test_errors_and_requirements_keep_their_status(texts, command):
    assert command("measure", texts).returncode == 0
    assert command("measure", texts, "--require", "ead>=2").returncode == 1
    assert command("measure", "nowhere.txt").returncode == 2


def test_the_help_lists_the_statuses(command):
    shown = command("--help").stdout
    for line in ("0  done", "1  a requirement (--require) is not met", "2  an error", "3  a crash"):
        assert line in shown


def test_a_temporary_folder_that_cannot_be_written_is_said_to_be(monkeypatch):
    def refuse(**_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/ro")
    folder = spill.SpillFolder(0)
    with pytest.raises(spill.ResourceError, match="The temporary folder /ro cannot be written .Read-only"):
        folder.put([(np.ones(1, np.uint64), np.ones(1, np.uint64))])
