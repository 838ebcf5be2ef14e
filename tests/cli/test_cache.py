"""`distinctly cache`, and `--no-cache`."""

from __future__ import annotations

import json

import pytest


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
