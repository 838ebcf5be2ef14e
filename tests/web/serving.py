"""A server as users start it: the command in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from types import TracebackType


class Served:
    """`distinctly serve` on a free port.

    Attributes
    ----------
    address
        The address that it prints, without the slash at the end.
    process
        The process.
    """

    def __init__(self, *options: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "distinctly", "serve", "--port", "0", *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        words = [word for word in self.line.split() if word.startswith("http://")]
        if not words:
            raise RuntimeError(f"no address: {self.line!r} {self.process.communicate()[1]}")
        self.address = words[0].rstrip("/")

    def get(self, path: str = "/") -> str:
        """Return a page."""
        with urllib.request.urlopen(self.address + path, timeout=30) as answer:
            return answer.read().decode()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal, and return the exit status and what was written to standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()
