"""`wordllama`: equal to the package, without network access, with clear errors."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import find_embedder
from distinctly.embedders.wordllama import WordLlama
from distinctly.run import plan

TEXTS = [
    "a cat sat on the mat",
    "Ein Hund läuft.",
    "漢字 👍",
    "a",
    "the " * 3000,
    " ",
    "a cat sat on the mat",
]


def test_equals_the_package() -> None:
    wordllama = pytest.importorskip("wordllama")
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    found = find_embedder("wordllama").embed(TEXTS)
    assert found.dtype == np.float32
    assert np.array_equal(found, model.embed(TEXTS, norm=True))
    plain = find_embedder("wordllama:norm=no,dim=64").embed(TEXTS)
    assert np.array_equal(plain, model.embed(TEXTS)[:, :64])


def test_empty_texts_have_vectors_of_zeros() -> None:
    rows = find_embedder("wordllama").embed(["", "a"])
    assert not rows[0].any()
    assert np.linalg.norm(rows[1]) == pytest.approx(1, rel=1e-5)


def test_works_without_a_network_or_a_cache(tmp_path: Path) -> None:
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import distinctly as dy\n"
        "assert 'wordllama' not in sys.modules\n"
        "print(dy.measure(['a cat', 'a dog'], 'dispersion')[0].value)\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert 0 < float(run.stdout) < 2
    assert run.stderr == ""
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and "wordllama" in str(path)]


def test_does_not_change_logging() -> None:
    before = logging.getLogger().handlers[:], logging.getLogger().level
    dy.measure(["a cat", "a dog"], "dispersion")
    assert (logging.getLogger().handlers, logging.getLogger().level) == before


def test_signature_has_dimension_and_version() -> None:
    version = importlib.metadata.version("wordllama")
    signature = dy.measure(["a cat", "a dog"], "dispersion")[0].signature
    assert f"|emb:wordllama,dim:256,norm:yes,version:{version}|texts:2#" in signature
    assert find_embedder(f"wordllama:version={version}") == WordLlama()


def test_errors_name_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(dy.SpecError, match="64, 128 or 256, got 100"):
        find_embedder("wordllama:dim=100")
    with pytest.raises(dy.SpecError, match="version 0.0.1"):
        find_embedder("wordllama:version=0.0.1")
    with pytest.raises(dy.SpecError, match="Did you mean 'wordllama'"):
        find_embedder("wordlama")
    with pytest.raises(dy.InputError, match="surrogate"):
        dy.measure(["a", "\ud800"], "dispersion")

    def absent(name: str) -> Any:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    plan.default_embedder.cache_clear()
    with pytest.raises(dy.MissingExtraError, match="pip install wordllama"):
        dy.measure(["a", "b"], "dispersion")
