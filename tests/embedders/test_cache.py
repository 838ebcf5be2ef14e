"""Vectors kept on disk: read as they were written, whoever writes, stops or spoils the files."""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import cache, store
from distinctly.embedders.base import Embedder, Vectors
from distinctly.embedders.cache import caching, embed_texts, watching
from distinctly.embedders.segments import Damaged, Segment, keys_of, write_segment
from distinctly.embedders.store import Store, all_kept, cache_folder, cache_limit

TEXTS = [f"text number {i}" for i in range(3000)]


@dataclass(frozen=True, kw_only=True)
class Counting(Embedder):
    """Vectors that follow from the text alone, and a list of the texts that it was asked for."""

    name: ClassVar[str] = "counting"
    batch: ClassVar[int] = 100

    kind: str = "float32"
    dim: int = 8
    seen: list[str] = field(default_factory=list, compare=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen.extend(texts)
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text: str) -> Any:
        seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dim).astype(self.kind)

    def options(self) -> dict[str, str]:
        return {"dim": str(self.dim), "kind": self.kind}

    def identity(self) -> str:
        return f"counting:kind={self.kind}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for every test."""
    monkeypatch.setenv("DISTINCTLY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def segments(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.vectors"))


def expected(embedder: Counting, texts: Sequence[str]) -> Any:
    return np.stack([embedder.vector(text) for text in texts])


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_rows_come_back_to_the_bit_and_are_made_once(kind: str) -> None:
    texts = [*TEXTS, "", "漢字", "\ud800", *TEXTS[:10]]
    first, second = Counting(kind=kind), Counting(kind=kind)
    made = embed_texts(first, texts)
    assert sorted(first.seen) == sorted(set(texts))
    assert made.dtype == kind
    assert np.array_equal(made, expected(first, texts))
    again = embed_texts(second, texts[::-1])
    assert second.seen == []
    assert again.dtype == kind
    assert np.array_equal(again, made[::-1])


def test_only_what_is_new_is_made() -> None:
    embed_texts(Counting(), TEXTS[:2000])
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS), expected(later, TEXTS))
    assert sorted(later.seen) == sorted(TEXTS[2000:])


def test_another_embedder_finds_nothing_of_it() -> None:
    embed_texts(Counting(), TEXTS[:9])
    other = Counting(kind="float64")
    embed_texts(other, TEXTS[:9])
    assert len(other.seen) == 9
    assert [kept.title for kept in all_kept()] == [
        "counting:dim=8,kind=float32",
        "counting:dim=8,kind=float64",
    ]
    assert [kept.texts for kept in all_kept()] == [9, 9]


def test_can_be_turned_off(folder: Path) -> None:
    with caching(False):
        embed_texts(Counting(), TEXTS[:9])
    assert not folder.exists()
    dy.measure(TEXTS[:9], "dispersion", cache=False)
    assert not folder.exists()
    dy.measure(TEXTS[:9], "dispersion")
    assert [kept.texts for kept in all_kept()] == [9]


def test_functions_and_arrays_and_files_are_never_kept(folder: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.eye(3))
    dy.measure(["a", "b"], "dispersion", embedder=lambda texts: [[len(text)] for text in texts])
    dy.measure(np.eye(3), "dispersion")
    dy.measure(["a", "b", "c"], "dispersion", embedder=f"vectors:{tmp_path / 'rows.npy'}")
    assert not folder.exists()


def test_wordllama_from_disk_is_the_same_to_the_bit_and_loads_no_model() -> None:
    program = (
        "import sys, distinctly as dy\n"
        f"print(repr(dy.measure({TEXTS[:50]}, 'vendi')[0].value), 'wordllama' in sys.modules)\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert [loaded for _, loaded in runs] == ["True", "False"]
    assert runs[0][0] == runs[1][0] == repr(dy.measure(TEXTS[:50], "vendi", cache=False)[0].value)


DAMAGE = {
    "cut off": lambda content: content[:-5],
    "cut in the keys": lambda content: content[:300],
    "empty": lambda content: b"",
    "longer": lambda content: content + b"more",
    "another file": lambda content: b"not ours at all",
    "a bit of a row": lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
    "a bit of a key": lambda content: content[:400] + bytes([content[400] ^ 4]) + content[401:],
    "a bit of the header": lambda content: content[:60] + bytes([content[60] ^ 4]) + content[61:],
    "no JSON": lambda content: content[:41] + b"?" * 40 + content[81:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_dropped_and_made_anew(folder: Path, damage: Any) -> None:
    embed_texts(Counting(), TEXTS[:100])
    (path,) = segments(folder)
    path.write_bytes(damage(path.read_bytes()))
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:100]), expected(later, TEXTS[:100]))
    assert len(later.seen) == 100
    last = Counting()
    embed_texts(last, TEXTS[:100])
    assert last.seen == []


def test_a_segment_says_what_is_damaged(tmp_path: Path) -> None:
    path = write_segment(tmp_path, "mine", keys_of(TEXTS[:5]), np.ones((5, 3)))
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    segment = Segment.open(path)
    assert (segment.title, len(segment), segment.dimension) == ("mine", 5, 3)
    assert segment.find(keys_of(["nothing of it"])).tolist() == [-1]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(Damaged, match="bytes"):
        Segment.open(path)
    with pytest.raises(Damaged):
        segment.take(np.arange(5))


def test_vectors_that_another_program_left_under_the_same_name() -> None:
    embed_texts(Counting(dim=3), TEXTS[:10])  # `dim` is not in its identity, as if it had changed
    later = Counting(dim=8)
    assert np.array_equal(embed_texts(later, TEXTS[:20]), expected(later, TEXTS[:20]))


def test_many_small_runs_leave_few_files(folder: Path) -> None:
    for start in range(0, 600, 3):
        embed_texts(Counting(), TEXTS[start : start + 3])
    # 200 files become fewer than 8 of each of a few sizes.
    assert len(segments(folder)) <= 24
    assert all_kept()[0].texts == 600
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:600]), expected(later, TEXTS[:600]))
    assert later.seen == []


def test_putting_together_leaves_out_what_is_damaged(folder: Path) -> None:
    for start in range(0, 14, 2):
        embed_texts(Counting(), TEXTS[start : start + 2])
    spoilt = segments(folder)[3]
    spoilt.write_bytes(spoilt.read_bytes()[:-1] + b"?")
    embed_texts(Counting(), TEXTS[14:16])
    assert len(segments(folder)) == 1
    assert all_kept()[0].texts == 14


def test_what_was_used_least_recently_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    for place in range(4):
        texts = [f"{place} {text}" for text in TEXTS[: 100 + 10 * place]]
        embed_texts(Counting(), texts)
        (new,) = {*segments(folder)} - {path for path, _ in sizes}
        sizes.append((new, new.stat().st_size))
        os.utime(new, (1000 * place, 1000 * place))
    embed_texts(Counting(), [f"0 {TEXTS[0]}"])  # the oldest is used again
    limit = sum(size for _, size in sizes[:1] + sizes[2:]) + 5000
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", str(limit))
    embed_texts(Counting(), ["something new"])
    left = segments(folder)
    assert [path in left for path, _ in sizes] == [True, False, True, True]
    assert sum(path.stat().st_size for path in left) <= limit


def test_a_limit_of_nothing_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", "0")
    embed_texts(Counting(), TEXTS[:5])
    assert not folder.exists()
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", "64 MiB")
    assert cache_limit() == 64 * 2**20
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", "much")
    with pytest.raises(dy.SpecError, match="500MB, got 'much'"):
        cache_limit()


def test_a_folder_that_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DISTINCTLY_CACHE", str(tmp_path / "file" / "cache"))
    embedder = Counting()
    with caplog.at_level(logging.DEBUG, "distinctly"):
        assert np.array_equal(embed_texts(embedder, TEXTS[:5]), expected(embedder, TEXTS[:5]))
    assert "not kept" in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.DEBUG]
    assert all_kept() == []


def test_a_folder_that_can_only_be_read_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    embed_texts(Counting(), TEXTS[:5])

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "utime", refuse)
    later = Counting()
    embed_texts(later, TEXTS[:5])
    assert later.seen == []


def test_a_full_disk_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_segment", full)
    embedder = Counting()
    assert np.array_equal(embed_texts(embedder, TEXTS[:5]), expected(embedder, TEXTS[:5]))
    assert segments(folder) == []


def test_unfinished_files_of_the_dead_go(folder: Path) -> None:
    embed_texts(Counting(), TEXTS[:5])
    place = segments(folder)[0].parent
    old, new = place / "old.unfinished", place / "new.unfinished"
    for path in (old, new):
        path.write_bytes(b"half of it")
    os.utime(old, (0, 0))
    embed_texts(Counting(), TEXTS[5:9])
    assert (old.exists(), new.exists()) == (False, True)


def test_bad_rows_are_refused_and_never_kept(folder: Path) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Bad(Counting):
        def embed(self, texts: Sequence[str]) -> Vectors:
            rows = super().embed(texts)
            if TEXTS[250] in texts:
                rows[0, 0] = np.nan
            return rows

    with pytest.raises(dy.InputError, match=r"'counting:.*NaN or infinity in 1 of 100 rows"):
        embed_texts(Bad(), TEXTS[:300])
    assert all_kept()[0].texts % 100 == 0  # whole batches, and not the bad one
    assert all_kept()[0].texts < 300
    rows, _ = Store(Bad().identity()).find(keys_of(TEXTS[:300]))
    assert np.isfinite(rows).all()


def test_dimensions_that_differ_between_batches_are_refused() -> None:
    def growing(texts: list[str]) -> Any:
        return np.ones((len(texts), 3 if TEXTS[0] in texts else 2))

    with pytest.raises(dy.InputError, match="one dimension, got 3 of the first texts and 2 of later ones"):
        dy.measure(TEXTS, "dispersion", embedder=growing)


def test_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int, int]] = []
    embed_texts(Counting(), TEXTS[:100])
    with watching(lambda *step: told.append(step)):
        embed_texts(Counting(), TEXTS[:350])
        assert told == [("embedding texts", done, 350) for done in (200, 300, 350)]
        embed_texts(Counting(), TEXTS[:350])
    assert len(told) == 3
    dy.measure(TEXTS, "dispersion", embedder="wordllama:dim=64", watch=lambda *step: told.append(step))
    assert told[-1] == ("embedding texts", 3000, 3000)


def test_work_is_on_disk_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    monkeypatch.setattr(Store, "add", lambda self, keys, rows, title: written.append(len(rows)))
    embed_texts(Counting(), TEXTS)
    assert written == [3000]  # quick enough to be written once
    monkeypatch.setattr(cache, "SECONDS", 0.0)
    embed_texts(Counting(), TEXTS[:250])
    assert written == [3000, 100, 100, 50]
    monkeypatch.setattr(cache, "SECONDS", 60.0)
    monkeypatch.setattr(cache, "BYTES", 200 * 8 * 4)  # of 200 rows
    embed_texts(Counting(), TEXTS[:250])
    assert written[4:] == [200, 50]


SLOW = """
import sys, time
from tests.embedders.test_cache import TEXTS, Counting
from distinctly.embedders import cache

cache.SECONDS = 0.0

class Slow(Counting):
    batch = 10
    def embed(self, texts):
        time.sleep(0.02)
        print(*texts, sep="\\n", flush=True)
        return super().embed(texts)

start, end = map(int, sys.argv[1:])
rows = cache.embed_texts(Slow(), TEXTS[start:end])
print("done", rows.shape[0])
"""


def slow(start: int, end: int, root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, str(start), str(end)], cwd=root, stdout=subprocess.PIPE, text=True
    )


def test_a_process_that_is_killed_loses_its_last_batch_only(folder: Path, root: Path) -> None:
    first = slow(0, 1000, root)
    deadline = time.monotonic() + 60
    while len(segments(folder)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    begun = first.communicate()[0].splitlines()
    assert first.returncode == -signal.SIGKILL
    assert 50 <= len(begun) < 1000
    second = slow(0, 1000, root)
    made = second.communicate(timeout=60)[0].splitlines()
    assert made.pop() == "done 1000"
    twice = {*begun} & {*made}
    assert len(twice) <= 10  # the batch that was on the way
    assert {*begun} | {*made} == {*TEXTS[:1000]}
    last = Counting()
    assert np.array_equal(embed_texts(last, TEXTS[:1000]), expected(last, TEXTS[:1000]))
    assert last.seen == []


def test_two_processes_at_once_keep_what_both_made(root: Path) -> None:
    both = [slow(0, 400, root), slow(200, 600, root)]
    for process in both:
        assert process.communicate(timeout=60)[0].splitlines()[-1] == "done 400"
        assert process.returncode == 0
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:600]), expected(later, TEXTS[:600]))
    # A file that the other has just put together with others may have been missed, but nothing is lost.
    assert later.seen == []


def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("DISTINCTLY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "distinctly"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / ".cache" / "distinctly"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "distinctly"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "distinctly" / "Cache"


def test_a_user_without_a_home_caches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("DISTINCTLY_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    embedder = Counting()
    assert len(embed_texts(embedder, TEXTS[:5])) == 5
