"""`distinctly serve`: how it starts, what it refuses, and how it ends."""

from __future__ import annotations

import signal
import socket
import sys
import time
from pathlib import Path

import pytest
from tests.cli.fixtures import Run
from tests.systems import posix
from tests.web.serving import Served


@pytest.mark.parametrize(("number", "statuses"), [(signal.SIGINT, (0, 130)), (signal.SIGTERM, (0, 143))])
@posix
def test_one_line_with_the_address_and_a_clean_end(number: int, statuses: tuple[int, ...]) -> None:
    with Served() as server:
        assert server.line.startswith("distinctly: serving at http://127.0.0.1:")
        assert "<h1>How varied are these texts?</h1>" in server.get()
        status, errors = server.stop(number)
    assert status in statuses
    assert "Traceback" not in errors


def test_no_process_is_left_behind() -> None:
    with Served() as server:
        server.get()
        time.sleep(1)
        lists = list(Path(f"/proc/{server.process.pid}/task").glob("*/children"))
        if not lists:
            pytest.skip("needs /proc/PID/task/TID/children, which this system does not have")
        started = [int(word) for children in lists for word in children.read_text().split()]
        assert started
        server.process.kill()
        server.process.communicate(timeout=30)
        left = started
        for _ in range(200):
            left = [child for child in started if _is_running(child)]
            if not left:
                break
            time.sleep(0.1)
    assert not left


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_taken_port_is_an_error_that_suggests_another(command: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = command("serve", "--port", port)
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert "Try --port " in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "also give --token"),
        (["--host", "0.0.0.0", "--token", "short"], "at least 16 characters"),
        (["--host", "no such host", "--token", "a" * 16], "cannot be used"),
        (["--study", "missing.sqlite"], "missing.sqlite does not exist"),
        (["--port", "70000"], "70000"),
    ],
)
def test_errors_are_one_line_before_anything_starts(command: Run, options: list[str], words: str) -> None:
    done = command("serve", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_the_extra_the_pip_line_is_printed(command: Run, tmp_path: Path) -> None:
    # A finder that does not find FastAPI, as if it were not installed.
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] == 'fastapi':\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n",
        encoding="utf-8",
    )
    search = ":".join([str(tmp_path), *(entry for entry in sys.path if entry)])
    done = command("serve", environment={"PYTHONPATH": search})
    assert done.returncode == 2
    assert 'pip install "distinctly[web]"' in done.stderr
    assert done.stderr.count("\n") == 1
