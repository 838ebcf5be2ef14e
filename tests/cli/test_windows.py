"""What differs on Windows, as far as it can be imitated elsewhere: streams, closed pipes, ports, paths."""

from __future__ import annotations

import csv
import errno
import io
import os
import socket
import sys
from pathlib import Path, PureWindowsPath

import pytest
from tests.cli.fixtures import Save

from distinctly import cli
from distinctly.cli import serve, streams
from distinctly.errors import SpecError
from distinctly.sources import states
from distinctly.tokenizers.hub import local_file


class Redirected(io.TextIOWrapper):
    """Standard output as Windows redirects it: in a code page, with a carriage return per line feed."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="cp1252", newline="\r\n")


def redirect(monkeypatch: pytest.MonkeyPatch, *, windows: bool = True) -> Redirected:
    """Redirect standard output; in the test and not before it, since pytest also replaces the stream."""
    stream = Redirected()
    monkeypatch.setattr(streams, "WINDOWS", windows)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    return stream


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["distinctly", *arguments])
    monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown"])
def test_redirected_output_is_that_of_other_systems(
    form: str, save: Save, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    redirected = redirect(monkeypatch)
    texts = save("texte.txt", "知道 χ²\r\nein Text\r\n")
    measured = ("measure", str(texts), "-m", "distinct:n=1")
    assert run(monkeypatch, *measured, "--format", form) == 0
    written = redirected.bytes.getvalue()
    if form == "table":
        assert "─" in written.decode("utf-8")
        assert b"\r" not in written
        return
    # Files are written in bytes, so they show what is to be written.
    saved = tmp_path / f"scores.{'md' if form == 'markdown' else form}"
    assert run(monkeypatch, *measured, "-o", str(saved)) == 0
    if form == "csv":
        (row,) = csv.DictReader(io.StringIO(written.decode("utf-8"), newline=""))
        assert float(row["value"]) == 1.0  # 知, 道, χ², ein, Text: 5 of 5
        assert b"\r\r\n" not in written
    assert written == saved.read_bytes()


def test_an_encoding_that_the_user_chose_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    redirected = redirect(monkeypatch)
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    streams.prepare()
    cli.say("é 知")
    assert redirected.bytes.getvalue() == b"\xe9 \\u77e5\n"


def test_elsewhere_a_stream_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    redirected = redirect(monkeypatch, windows=False)
    streams.prepare()
    cli.say("é")
    assert redirected.bytes.getvalue() == b"\xe9\r\n"


@pytest.mark.parametrize(("windows", "status"), [(True, 0), (False, 3)])
def test_a_closed_pipe_of_windows_is_no_error(
    windows: bool, status: int, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.EINVAL, "Invalid argument")  # what Windows says instead of EPIPE

    texts = save("texts.txt", "a b\n")
    monkeypatch.setattr(streams, "WINDOWS", windows)
    monkeypatch.setattr(sys, "stdout", Closed())
    assert run(monkeypatch, "measure", str(texts), "-m", "distinct:n=1") == status


def test_a_port_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    # SO_EXCLUSIVEADDRUSE exists on Windows only; another option stands for it.
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with serve._listen("127.0.0.1", 0) as listening:
        assert listening.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if os.name != "nt":
            assert not listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_the_title_of_a_state_has_no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "PurePath", PureWindowsPath)
    assert states.StateSource(r"C:\texts\monday.state").title == "monday.state"
    assert states.StateSource("s3://bucket/monday.state").title == "monday.state"


def test_a_path_with_backslashes_is_not_looked_for_on_the_hub() -> None:
    with pytest.raises(SpecError, match="No tokenizer at"):
        local_file(r"models\mine")
    assert local_file("owner/mine") is None


def test_one_core_where_the_system_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    from distinctly.config import cores, default_memory

    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1
    monkeypatch.delattr(os, "sysconf", raising=False)
    default_memory.cache_clear()
    try:
        assert default_memory() == 10**9
    finally:
        default_memory.cache_clear()
