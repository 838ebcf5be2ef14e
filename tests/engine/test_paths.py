"""The same values on every path: plain or compiled, in memory or on disk, with few threads or many."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.contract.cases import same
from tests.systems import posix

import distinctly as dy
from distinctly import config
from distinctly.engine import local, spill
from distinctly.statistics import ngram_collector, tables

pytestmark = pytest.mark.slow  # large inputs

METRICS = [
    "distinct",
    "entropy",
    "ead:n=2",
    "ead:vocabulary=chao1",
    "types:n=7",
    "distinct:n=2,pool=text",
    "entropy:pool=text,n=1",
    "hdd:sample=5",
    "mattr:window=5",
    "mtld:pool=corpus",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    draw = random.Random(0)
    words = [f"w{i}" for i in range(300)] + ["don’t", "3.14", "知道", "👩‍💻", "…", "\ud800", "a\x00b"]
    made = [" ".join(draw.choices(words, k=draw.randint(0, 30))) for _ in range(3000)]
    return [*made, "", "the the the the the the the the"]


@pytest.mark.parametrize("tokenizer", ["words", "whitespace", "char", "words:lc=yes,norm=nfkc", r"regex:\w+"])
def test_plain_and_compiled_paths_agree(texts: list[str], tokenizer: str) -> None:
    plain = dy.measure(texts, METRICS, tokenizer=tokenizer, compiled=False)
    for options in ({"threads": 1}, {"threads": 2}, {"batch_size": 100}, {"batch_size": 7, "threads": 3}):
        assert same(dy.measure(texts, METRICS, tokenizer=tokenizer, compiled=True, **options), plain)


def test_compiled_path_with_token_lists_and_groups(texts: list[str]) -> None:
    cut, groups = [text.split() for text in texts], [str(i % 7) for i in range(len(texts))]
    specs = [*METRICS, "distinct:n=2,pool=group"]
    plain = dy.measure(cut, specs, groups=groups, tokens=True, compiled=False)
    assert same(dy.measure(cut, specs, groups=groups, tokens=True, compiled=True, batch_size=500), plain)


@pytest.mark.parametrize("turn", [tables.LARGEST_TURN, 100])
def test_spilled_counts_are_equal(
    texts: list[str], turn: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(tables, "LARGEST_TURN", turn)
    written = []
    write = spill.SpillFolder._write
    monkeypatch.setattr(
        spill.SpillFolder, "_write", lambda folder, run: written.append(1) or write(folder, run)
    )
    # Without the metrics that need all texts in memory, where these do not fit: see test_sampling.py.
    counted = [spec for spec in METRICS if spec != "mtld:pool=corpus"]
    plain = dy.measure(texts, counted, compiled=False)
    assert same(dy.measure(texts, counted, compiled=True, memory=200_000, batch_size=300), plain)
    assert len(written) > 10
    assert list(tmp_path.iterdir()) == []


def test_two_passes_with_little_memory_are_equal(
    texts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(local, "COMPILED_FROM", 1000)
    path = tmp_path / "texts.txt"
    path.write_text("".join(text.replace("\ud800", "") + "\n" for text in texts), encoding="utf-8")
    specs = ["self_bleu", "self_bleu:of=char,max_n=2", "self_repetition:n=2", "distinct:n=2,at=9000"]
    specs += ["self_bleu:smoothing=epsilon", "entropy:n=2"]
    plain = dy.measure(path, specs, compiled=False)
    passes = []
    second = local._second_pass
    monkeypatch.setattr(local, "_second_pass", lambda *given: passes.append(1) or second(*given))
    for options in ({"batch_size": 600}, {"batch_size": 5000, "threads": 1}):
        assert same(dy.measure(path, specs, memory=200_000, **options), plain)
    assert len(passes) == 2 * 2  # once per view of words and of characters
    assert list(tmp_path.iterdir()) == [path]


def test_compressed_texts_are_read_twice_since_they_may_not_fit(
    texts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(local, "COMPILED_FROM", 1000)
    path = tmp_path / "texts.txt.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(text.replace("\ud800", "") + "\n" for text in texts)
    plain = dy.measure(path, "self_bleu", compiled=False)
    passes = []
    second = local._second_pass
    monkeypatch.setattr(local, "_second_pass", lambda *given: passes.append(1) or second(*given))
    compressed = local.ROWS_PER_BYTE * path.stat().st_size  # less than the texts need
    assert same(dy.measure(path, "self_bleu", memory=compressed), plain)
    assert passes == [1]


@pytest.mark.slow
def test_most_frequent_ngrams_are_equal(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    for top in (1, 10, 400, 5000):
        plain = dy.measure(texts, "distinct", top=top, compiled=False)
        for options in ({}, {"memory": 200_000}, {"batch_size": 100}):
            assert dy.measure(texts, "distinct", top=top, compiled=True, **options).corpora == plain.corpora


def test_only_large_inputs_use_the_compiled_path(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    compiled = local.make_collectors
    monkeypatch.setattr(local, "COMPILED_FROM", 1000)
    monkeypatch.setattr(
        local, "make_collectors", lambda *given, **more: taken.append(1) or compiled(*given, **more)
    )
    for texts, compiled_runs in ((["a b c"] * 100, 0), (["a b c"] * 1000, 1)):
        taken.clear()
        dy.measure(texts, "types:n=1")
        assert len(taken) == compiled_runs


@pytest.mark.parametrize("amount", ["", "lots", "5", "1MB", "-1GB", "1.2.3GB", "5XB"])
def test_invalid_memory_is_an_error(amount: str) -> None:
    with pytest.raises(dy.SpecError, match="at least 10MB"):
        dy.measure(["a"], "types:n=1", memory=amount)


class TestInterrupted:
    """An interrupted run leaves no files and prints no values."""

    @pytest.fixture
    def big(self, tmp_path: Path) -> Path:
        draw = random.Random(1)
        words = [f"word{i}" for i in range(50_000)]
        path = tmp_path / "big.txt"
        path.write_text("".join(" ".join(draw.choices(words, k=12)) + "\n" for _ in range(250_000)))
        return path

    def start(self, big: Path, **options: object) -> subprocess.Popen[str]:
        folder = big.parent / "temporary"
        folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "distinctly", "measure", str(big), "--memory", "10MB"]
        return subprocess.Popen(
            command,
            env={**os.environ, "TMPDIR": str(folder)},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,  # type: ignore[call-overload]
        )

    @pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    @posix
    def test_by_a_signal(self, big: Path, sent: int, status: int) -> None:
        process = self.start(big)
        folder = big.parent / "temporary"
        until = time.monotonic() + 60
        while not list(folder.glob("distinctly-*/runs")) and time.monotonic() < until:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (status, "")
        assert "Traceback" not in err
        assert list(folder.iterdir()) == []

    @posix
    def test_by_a_full_disk(self, big: Path) -> None:
        import resource

        def limit() -> None:  # no file may exceed one megabyte, as if the disk were full
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

        process = self.start(big, preexec_fn=limit)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out) == (3, "")
        assert err.startswith("distinctly: error: The temporary folder")
        assert len(err.splitlines()) == 1
        assert list((big.parent / "temporary").iterdir()) == []

    @pytest.mark.slow
    def test_uninterrupted(self, big: Path) -> None:
        out, err = self.start(big).communicate(timeout=120)
        assert not err
        for score in dy.measure(str(big), compiled=False):
            assert score.signature in out
        assert list((big.parent / "temporary").iterdir()) == []

    def small_run(self, temporary: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "distinctly", "measure", "demo:english-varied", "-m", "distinct:n=1"],
            env={**os.environ, "TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            check=False,
        )

    def kill(self, big: Path) -> Path:
        """Start a run, kill it while it holds a temporary folder, and return the folder."""
        process = self.start(big)
        parent = big.parent / "temporary"
        until = time.monotonic() + 60
        while not list(parent.glob("distinctly-*/runs")) and time.monotonic() < until:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        left: Path
        (left,) = parent.iterdir()
        return left

    @pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked on Windows")
    def test_the_next_run_removes_its_folder(self, big: Path) -> None:
        left = self.kill(big)
        parent = left.parent
        prefix = spill._prefix()
        elsewhere = big.parent / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "runs").write_text("precious")
        # None of these is a folder that a run left.
        (parent / f"{prefix}1-linked").symlink_to(elsewhere)
        (parent / f"{prefix}2-a_file").write_text("precious")
        (parent / "distinctly-otherhost-3-abcdefgh").mkdir()
        (parent / "distinctly-notes").mkdir()
        used = parent / f"{prefix}4-with_more"
        used.mkdir()
        (used / "notes.txt").write_text("precious")
        (used / "subfolder").mkdir()
        held = parent / f"{prefix}5-in_use"
        held.mkdir()
        (held / "runs").write_text("counts")
        locked = spill._LockedFolder.lock(held)
        others = set(parent.iterdir()) - {left}
        done = self.small_run(parent)
        assert done.returncode == 0, done.stderr
        assert set(parent.iterdir()) == others
        assert (elsewhere / "runs").read_text() == "precious"
        assert (used / "notes.txt").read_text() == "precious"
        assert (held / "runs").read_text() == "counts"
        locked.remove()
        assert not held.exists()

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs to act as another user")
    def test_folders_of_other_users_are_left(self, tmp_path: Path) -> None:
        folder = tmp_path / f"{spill._prefix()}1-abcdefgh"
        folder.mkdir()
        os.chown(folder, 65534, 65534)
        done = self.small_run(tmp_path)
        assert (done.returncode, folder.exists()) == (0, True)


@pytest.mark.parametrize("piece", [ngram_collector.LARGEST_PIECE, 30_000, 1])
def test_texts_that_do_not_fit_in_memory_are_read_twice(
    texts: list[str], piece: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(ngram_collector, "LARGEST_PIECE", piece)
    path = tmp_path / "texts.txt"
    lines = [text.replace("\n", " ") for text in texts if text.isprintable()]
    path.write_text("\n".join(lines), encoding="utf-8")
    metrics = ["self_bleu", "self_bleu:max_n=2,smoothing=exp", "self_repetition:n=2"]
    joined = []
    join = local.Rows.join
    monkeypatch.setattr(local.Rows, "join", lambda pieces: joined.append(1) or join(pieces))
    plain = dy.measure(path, metrics, compiled=True)
    assert joined
    joined.clear()
    assert same(dy.measure(path, metrics, compiled=True, memory=10_000, batch_size=300), plain)
    assert not joined
