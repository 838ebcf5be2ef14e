"""`distinctly cache`, and `--no-cache`."""

from __future__ import annotations

import ctypes
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.systems import posix

pytestmark = pytest.mark.slow  # a process per test


@pytest.fixture
def own(tmp_path):
    return {"DISTINCTLY_CACHE": str(tmp_path / "cache"), "DISTINCTLY_CACHE_LIMIT": "1MB"}


def information(command, own):
    return json.loads(command("cache", "info", "--format", "json", environment=own).stdout)


def test_info_and_clear(command, save, own, tmp_path):
    assert information(command, own) == {
        "folder": str(tmp_path / "cache"),
        "read_only": False,
        "bytes": 0,
        "limit": 1_000_000,
        "embedders": [],
    }
    path = save("texts.txt", "a cat\na dog\na cat\n")
    for dimension in (64, 256):
        done = command(
            "measure", path, "-m", "vendi", "--embedder", f"wordllama:dim={dimension}", environment=own
        )
        assert done.returncode == 0
    found = information(command, own)
    assert [one["texts"] for one in found["embedders"]] == [2, 2]
    names = [one["embedder"] for one in found["embedders"]]
    assert names[1].startswith("wordllama:dim=64,norm=yes,version=")
    assert found["bytes"] == sum(one["bytes"] for one in found["embedders"]) > 2 * 64 * 4
    shown = command("cache", "info", environment=own).stdout.splitlines()
    assert shown[0] == str(tmp_path / "cache")
    assert shown[1].endswith("kB of 1.0 MB")
    assert f"{names[0]}  2 texts" in shown[2]

    cleared = command("cache", "clear", "wordllama:dim=64", environment=own)
    assert (cleared.returncode, "removed from" in cleared.stdout) == (0, True)
    assert [one["embedder"] for one in information(command, own)["embedders"]] == names[:1]
    nothing = command("cache", "clear", "sbert", environment=own)
    assert (nothing.returncode, nothing.stdout.startswith("0 B removed")) == (0, True)
    assert f"it has: {names[0]}" in nothing.stderr
    assert command("cache", "clear", environment=own).returncode == 0
    assert information(command, own)["embedders"] == []


def test_no_cache(command, save, own, tmp_path):
    path = save("texts.txt", "a cat\na dog\n")
    without = command("measure", path, "-m", "vendi", "--no-cache", "--score-only", environment=own)
    assert not (tmp_path / "cache").exists()
    assert without.stdout == command("measure", path, "-m", "vendi", "--score-only", environment=own).stdout
    assert (tmp_path / "cache").exists()


def test_usage(command, own):
    assert "Commands:" in command("cache", environment=own).stdout
    wrong = command("cache", "info", "--format", "yaml", environment=own)
    assert (wrong.returncode, "Known: table, json" in wrong.stderr) == (2, True)
    limit = command("cache", "info", environment=own | {"DISTINCTLY_CACHE_LIMIT": "much"})
    assert (limit.returncode, "500MB, got 'much'" in limit.stderr) == (2, True)


@pytest.fixture
def filled(command, save, own):
    """A cache with the vectors of two texts."""
    path = save("texts.txt", "a cat\na dog\n")
    assert command("measure", path, "-m", "vendi", environment=own).returncode == 0
    return Path(own["DISTINCTLY_CACHE"])


def test_clear_says_what_it_removed_and_keeps_other_files(command, filled, own):
    size = (filled / "vectors-2.sqlite").stat().st_size
    (filled / "vectors-1.sqlite").write_bytes(b"0" * 100)  # of an earlier version
    (filled / "vectors-2.sqlite-journal").write_bytes(b"")
    for name in ("notes.txt", "vectors-2.sqlite.bak", "my vectors-2.sqlite", "vectors.npy"):
        (filled / name).write_text("precious")
    (filled / "photos").mkdir()
    (filled / "photos" / "vectors-2.sqlite").write_text("precious")
    (filled / "vectors-7.sqlite").mkdir()
    done = command("cache", "clear", environment=own)
    kept = [
        "my vectors-2.sqlite",
        "notes.txt",
        "photos",
        "vectors-2.sqlite.bak",
        "vectors-7.sqlite",
        "vectors.npy",
    ]
    assert done.returncode == 0
    removed, others = done.stdout.splitlines()
    files = re.fullmatch(r"(\S+) kB in (\d) files removed from (.*)", removed)
    # The journal is SQLite's, which may remove it first.
    assert (abs(float(files[1]) * 1000 - size - 100) < 60, files[2] in "23", files[3]) == (
        True,
        True,
        str(filled),
    )
    assert others == "Kept, since they are not of distinctly: " + ", ".join(kept[:5]) + " … and 1 more"
    assert sorted(path.name for path in filled.iterdir()) == kept
    assert (filled / "photos" / "vectors-2.sqlite").read_text() == "precious"
    again = command("cache", "clear", environment=own)
    assert again.stdout.splitlines()[0] == f"0 B removed from {filled}"


@pytest.mark.parametrize("chosen", [[], ["wordllama"]])
@posix
def test_clear_follows_no_links(command, filled, own, tmp_path, chosen):
    target = tmp_path / "elsewhere.sqlite"
    (filled / "vectors-2.sqlite").rename(target)
    (filled / "vectors-2.sqlite").symlink_to(target)
    (tmp_path / "precious").write_text("precious")
    (filled / "vectors-1.sqlite").symlink_to(tmp_path / "precious")
    before = target.read_bytes()
    done = command("cache", "clear", *chosen, environment=own)
    if chosen:
        assert (done.returncode, "a link, which is not followed" in done.stderr) == (2, True)
    else:
        assert done.stdout.splitlines() == [
            f"0 B removed from {filled}",
            "Left alone, since they are links: vectors-1.sqlite, vectors-2.sqlite",
        ]
    assert target.read_bytes() == before
    assert (tmp_path / "precious").read_text() == "precious"
    assert (filled / "vectors-2.sqlite").is_symlink()


def test_a_database_of_another_program_is_neither_used_nor_removed(command, save, own, tmp_path):
    path = save("texts.txt", "a cat\na dog\n")
    folder = tmp_path / "cache"
    folder.mkdir()
    with sqlite3.connect(folder / "vectors-2.sqlite") as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
        connection.execute("INSERT INTO photos VALUES ('precious')")
    connection.close()
    before = (folder / "vectors-2.sqlite").read_bytes()
    done = command("measure", path, "-m", "vendi", environment=own)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "is a database of another program" in done.stderr
    assert (folder / "vectors-2.sqlite").read_bytes() == before


def obey_permissions():
    """Give up the right of the administrator to write everywhere (CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="rights of Linux")
def test_a_read_only_folder_is_said_to_be(filled, own, tmp_path):
    filled.chmod(0o555)
    (filled / "vectors-2.sqlite").chmod(0o444)

    before = obey_permissions if os.geteuid() == 0 else None
    if subprocess.run(["test", "-w", filled], check=False, preexec_fn=before).returncode == 0:
        pytest.skip("this user may write everywhere")

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "distinctly", *arguments],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=before,
        )

    assert run("cache", "info").stdout.splitlines()[0] == f"{filled} (read-only)"
    assert json.loads(run("cache", "info", "--format", "json").stdout)["read_only"] is True
    content = (filled / "vectors-2.sqlite").read_bytes()
    for chosen in ([], ["wordllama"]):
        done = run("cache", "clear", *chosen)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"distinctly: error: {filled}: the cache folder is read-only, so nothing was removed.\n"
        )
    texts = tmp_path / "new.txt"
    texts.write_text("something new\nanother thing\n")
    done = run("measure", str(texts), "-m", "vendi", "-m", "chamfer", "--score-only")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2), done.stderr
    assert done.stderr.count("\n") == 1
    assert (
        "distinctly: warning: The vectors of this run are not stored, since the cache folder" in done.stderr
    )
    assert "it is read-only" in done.stderr
    assert (filled / "vectors-2.sqlite").read_bytes() == content
