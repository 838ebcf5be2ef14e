"""`distinctly serve`: which studies it serves."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.fixtures import Run
from tests.studies.fixtures import small_study
from tests.web.serving import Served


def test_studies_of_the_folder_are_served_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, tokens = small_study(tmp_path)
    store.close()
    (tmp_path / "other.study").write_text("no study")
    monkeypatch.chdir(tmp_path)
    with Served() as server:
        assert "A title" in server.get("/studies")
        assert "Score the sets." in server.get(f"/study/{tokens['ann']}")
        status, errors = server.stop()
    assert "other.study" in errors  # named, and left out
    assert status in (0, 143, -15)


def test_studies_that_are_named_have_to_exist(command: Run, tmp_path: Path) -> None:
    (tmp_path / "other.study").write_text("no study")
    for name, problem in (("none.study", "does not exist"), ("other.study", "expected a file of")):
        done = command("serve", "--port", 0, "--study", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert problem in done.stderr
        assert name in done.stderr


def test_a_public_address_needs_a_token(command: Run) -> None:
    done = command("serve", "--port", 0, "--public-address", "https://study.example.org")
    assert done.returncode == 2
    assert "also give --token" in done.stderr
