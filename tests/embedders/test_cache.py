"""Vectors on disk: correct after concurrent writes, interruptions and damage."""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.systems import posix

import distinctly as dy
from distinctly.config import RunConfig, Step
from distinctly.embedders import cache, store
from distinctly.embedders.base import Embedder, Vectors
from distinctly.embedders.cache import kept_dimension
from distinctly.embedders.store import (
    Store,
    all_kept,
    cache_folder,
    cache_limit,
    clear,
    is_read_only,
    keys_of,
)
from distinctly.embedders.wordllama import WordLlama

TEXTS = [f"text number {i}" for i in range(3000)]


@dataclass(frozen=True, kw_only=True)
class Counting(Embedder):
    """Vectors that depend only on the text, and a list of the requested texts."""

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
    """A separate cache for every test."""
    monkeypatch.setenv("DISTINCTLY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def embed_texts(embedder: Counting, texts: Sequence[str], **config: Any) -> Any:
    return cache.embed_texts(embedder, texts, RunConfig(**config))


def database(folder: Path) -> Path:
    return folder / "vectors-2.sqlite"


def expected(embedder: Counting, texts: Sequence[str]) -> Any:
    return np.stack([embedder.vector(text) for text in texts])


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_rows_are_identical_and_computed_once(kind: str) -> None:
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


def test_only_new_texts_are_embedded() -> None:
    embed_texts(Counting(), TEXTS[:2000])
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS), expected(later, TEXTS))
    assert sorted(later.seen) == sorted(TEXTS[2000:])


def test_embedders_do_not_share_vectors() -> None:
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
    cache.embed_texts(Counting(), TEXTS[:9], RunConfig(cache=False))
    assert not folder.exists()
    dy.measure(TEXTS[:9], "dispersion", cache=False)
    assert not folder.exists()
    dy.measure(TEXTS[:9], "dispersion")
    assert [kept.texts for kept in all_kept()] == [9]


def test_functions_arrays_and_files_are_not_cached(folder: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.eye(3))
    dy.measure(["a", "b"], "dispersion", embedder=lambda texts: [[len(text)] for text in texts])
    dy.measure(np.eye(3), "dispersion")
    dy.measure(["a", "b", "c"], "dispersion", embedder=f"vectors:{tmp_path / 'rows.npy'}")
    assert not folder.exists()


def test_cached_wordllama_is_identical_and_loads_no_model() -> None:
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


def flipped(content: bytes, part: bytes) -> bytes:
    """Flip a bit of the content where some part of it is stored."""
    place = content.index(part)
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


DAMAGE = {
    "cut off": lambda content: content[:-20_000],
    "cut in the first page": lambda content: content[:300],
    "empty": lambda content: b"",
    "another file": lambda content: b"not a database at all",
    "a bit of a vector": lambda content: flipped(content, Counting().vector(TEXTS[70]).tobytes()),
    "a bit of a key": lambda content: flipped(content, keys_of([TEXTS[70]]).tobytes()),
    "a bit of the header": lambda content: flipped(content, b"SQLite format 3"),
    "a page of zeros": lambda content: content[:-16_384] + bytes(16_384),
    "a table that is not ours": lambda content: content.replace(b"dimension INTEGER", b"diversion INTEGER"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damaged_vectors_are_removed_and_computed_again(folder: Path, damage: Any) -> None:
    embed_texts(Counting(), TEXTS[:100])
    content = database(folder).read_bytes()
    spoilt = damage(content)
    assert spoilt != content
    database(folder).write_bytes(spoilt)
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:100]), expected(later, TEXTS[:100]))
    assert len(later.seen) == 100
    last = Counting()
    embed_texts(last, TEXTS[:100])
    assert last.seen == []


def test_no_damage_of_a_few_bytes_changes_a_vector(folder: Path) -> None:
    embed_texts(Counting(), TEXTS[:100])
    content = np.frombuffer(database(folder).read_bytes(), np.uint8)
    correct = expected(Counting(), TEXTS[:120])
    occupied = np.flatnonzero(content)  # most of the bytes are empty space
    draw = np.random.default_rng(0)
    for _ in range(200):
        spoilt = content.copy()
        spoilt[draw.choice(occupied, 3)] = draw.integers(0, 256, 3)
        database(folder).write_bytes(spoilt.tobytes())
        assert np.array_equal(embed_texts(Counting(), TEXTS[:120]), correct)
        all_kept()
        clear("counting")


def test_damaged_dimension_is_ignored(folder: Path) -> None:
    embed_texts(Counting(), TEXTS[:100])
    assert kept_dimension(Counting()) == 8
    with sqlite3.connect(database(folder)) as connection:
        connection.execute("UPDATE blocks SET dimension = 9")
    connection.close()
    assert kept_dimension(Counting()) is None


def test_damage_of_one_block_leaves_the_others(folder: Path) -> None:
    embed_texts(Counting(), TEXTS[:100])
    embed_texts(Counting(), TEXTS[100:200])
    content = database(folder).read_bytes()
    database(folder).write_bytes(flipped(content, Counting().vector(TEXTS[150]).tobytes()))
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:200]), expected(later, TEXTS[:200]))
    assert sorted(later.seen) == sorted(TEXTS[100:200])


def test_vectors_that_another_program_left_under_the_same_name() -> None:
    embed_texts(Counting(dim=3), TEXTS[:10])  # `dim` is not in its identity, as if it had changed
    later = Counting(dim=8)
    assert np.array_equal(embed_texts(later, TEXTS[:20]), expected(later, TEXTS[:20]))


def test_many_small_runs_share_one_file(folder: Path) -> None:
    for start in range(0, 600, 3):
        embed_texts(Counting(), TEXTS[start : start + 3])
    assert list(folder.iterdir()) == [database(folder)]
    assert all_kept()[0].texts == 600
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:600]), expected(later, TEXTS[:600]))
    assert later.seen == []


def test_vectors_of_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BLOCK_BYTES", 70 * 8 * 4)  # 70 vectors
    embed_texts(Counting(), TEXTS[:1000])
    later = Counting()
    texts = TEXTS[1005:400:-3]
    assert np.array_equal(embed_texts(later, texts), expected(later, texts))
    assert sorted(later.seen) == sorted(TEXTS[1005:999:-3])


def test_least_recently_used_vectors_are_removed_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [[f"{i} {text}" for text in TEXTS[: 100 + 10 * i]] for i in range(4)]
    for texts in sets:
        embed_texts(Counting(), texts)
    with sqlite3.connect(database(folder)) as connection:
        connection.execute("UPDATE blocks SET used = id")
    connection.close()
    embed_texts(Counting(), sets[0][:1])  # the oldest is used again
    size = all_kept()[0].bytes
    assert size == (100 + 110 + 120 + 130) * (16 + 8 * 4)  # a key of 16 bytes and 8 numbers of 4
    before = database(folder).stat().st_size
    limit = size - 100 * (16 + 8 * 4)  # less than the 110 vectors of the second set have to go
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", str(limit))
    embed_texts(Counting(), ["something new"])
    assert all_kept()[0].bytes <= limit
    assert database(folder).stat().st_size <= before
    monkeypatch.setenv("DISTINCTLY_CACHE_LIMIT", "0")  # from here on nothing is added
    computed_again = []
    for texts in sets:
        later = Counting()
        embed_texts(later, texts)
        computed_again.append(len(later.seen))
    assert computed_again == [0, 110, 0, 0]


def test_the_file_shrinks_when_vectors_are_removed(folder: Path) -> None:
    embed_texts(Counting(dim=256), TEXTS)
    assert database(folder).stat().st_size > 3000 * 256 * 4
    assert clear("counting").bytes == 3000 * (16 + 256 * 4)
    assert database(folder).stat().st_size < 200_000
    assert all_kept() == []
    cleared = clear()
    assert (cleared.files, list(folder.iterdir())) == (1, [])


def test_limit_of_zero_stores_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1
    assert "not stored, since the cache folder" in warnings[0]
    assert all_kept() == []


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="permissions of POSIX")
def test_a_folder_that_can_only_be_read_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        monkeypatch.setenv("DISTINCTLY_CACHE", name)
        embed_texts(Counting(), TEXTS[:5])
        database(folder).chmod(0o444)
        folder.chmod(0o555)
        later = Counting()
        if user == 0:  # who may write anywhere
            os.seteuid(65534)
        try:
            assert np.array_equal(embed_texts(later, TEXTS[:7]), expected(later, TEXTS[:7]))
            assert all_kept()[0].texts == 5
            assert is_read_only()
            for chosen in (None, "counting"):
                with pytest.raises(
                    dy.InputError, match="the cache folder is read-only, so nothing was removed"
                ):
                    clear(chosen)
        finally:
            os.seteuid(user)
            folder.chmod(0o755)
    assert sorted(later.seen) == TEXTS[5:7]


def test_a_full_disk_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    embed_texts(Counting(), TEXTS[:5])
    # SQLite itself then raises "database or disk is full".
    monkeypatch.setattr(store, "_SETTINGS", store._SETTINGS + "PRAGMA max_page_count = 1;")
    embedder = Counting()
    with caplog.at_level(logging.DEBUG, "distinctly"):
        assert np.array_equal(embed_texts(embedder, TEXTS), expected(embedder, TEXTS))
    assert "not kept: database or disk is full" in caplog.text
    monkeypatch.undo()
    assert len(embedder.seen) == 2995


def test_waits_for_a_process_that_is_writing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embed_texts(Counting(), TEXTS[:5])
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.01)
    connection = sqlite3.connect(database(folder), isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")  # one that never ends
    embedder = Counting()
    assert np.array_equal(embed_texts(embedder, TEXTS[:9]), expected(embedder, TEXTS[:9]))
    connection.close()
    assert len(embedder.seen) == 9
    later = Counting()
    embed_texts(later, TEXTS[:5])
    assert later.seen == []


def test_bad_rows_are_errors_and_not_stored(folder: Path) -> None:
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


def test_batches_of_different_dimensions_are_an_error() -> None:
    def growing(texts: list[str]) -> Any:
        return np.ones((len(texts), 3 if TEXTS[0] in texts else 2))

    with pytest.raises(dy.InputError, match="one dimension, got 3 for the first texts and 2 for later ones"):
        dy.measure(TEXTS, "dispersion", embedder=growing)


def test_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[Step] = []
    embed_texts(Counting(), TEXTS[:100])
    embed_texts(Counting(), TEXTS[:350], progress=steps.append)
    assert steps == [Step("embedding texts", done, 350) for done in (200, 300, 350)]
    embed_texts(Counting(), TEXTS[:350], progress=steps.append)
    assert len(steps) == 3
    dy.measure(TEXTS, "dispersion", embedder="wordllama:dim=64", progress=steps.append)
    assert steps[-1] == Step("embedding texts", 3000, 3000)


def test_vectors_are_written_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
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
from distinctly.config import RunConfig
from distinctly.embedders import cache

cache.SECONDS = 0.0

class Slow(Counting):
    batch = 10
    def embed(self, texts):
        time.sleep(0.02)
        print(*texts, sep="\\n", flush=True)
        return super().embed(texts)

start, end = map(int, sys.argv[1:])
rows = cache.embed_texts(Slow(), TEXTS[start:end], RunConfig())
print("done", rows.shape[0])
"""


def slow(start: int, end: int, root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, str(start), str(end)], cwd=root, stdout=subprocess.PIPE, text=True
    )


@posix
def test_a_process_that_is_killed_loses_its_last_batch_only(root: Path) -> None:
    first = slow(0, 1000, root)
    deadline = time.monotonic() + 60
    while sum(kept.texts for kept in all_kept()) < 50 and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    begun = first.communicate()[0].splitlines()
    assert first.returncode == -signal.SIGKILL
    assert 50 <= len(begun) < 1000
    second = slow(0, 1000, root)
    made = second.communicate(timeout=60)[0].splitlines()
    assert made.pop() == "done 1000"
    twice = {*begun} & {*made}
    assert len(twice) <= 10  # the unfinished batch
    assert {*begun} | {*made} == {*TEXTS[:1000]}
    last = Counting()
    assert np.array_equal(embed_texts(last, TEXTS[:1000]), expected(last, TEXTS[:1000]))
    assert last.seen == []


KILLED = """
import os, signal
from tests.embedders.test_cache import TEXTS, Counting
from distinctly.config import RunConfig
from distinctly.embedders import cache, store

cache.embed_texts(Counting(dim=256), TEXTS[:1000], RunConfig())
store._SETTINGS += "PRAGMA cache_size = 4;"  # pages, so that the others are written before the end
store._remove = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # just before the end
cache.embed_texts(Counting(dim=256), TEXTS, RunConfig())
"""


@posix
def test_a_process_that_is_killed_while_it_writes_damages_nothing(folder: Path, root: Path) -> None:
    process = subprocess.run([sys.executable, "-c", KILLED], cwd=root, check=False)
    assert process.returncode == -signal.SIGKILL
    assert database(folder).stat().st_size > 2000 * 256 * 4  # half of what was to be written
    assert len(list(folder.iterdir())) == 2  # and a journal of what was there before
    later = Counting(dim=256)
    assert np.array_equal(embed_texts(later, TEXTS), expected(later, TEXTS))
    assert len(later.seen) == 2000
    assert list(folder.iterdir()) == [database(folder)]


def test_concurrent_processes_store_all_vectors(root: Path) -> None:
    both = [slow(0, 400, root), slow(200, 600, root)]
    for process in both:
        assert process.communicate(timeout=60)[0].splitlines()[-1] == "done 400"
        assert process.returncode == 0
    later = Counting()
    assert np.array_equal(embed_texts(later, TEXTS[:600]), expected(later, TEXTS[:600]))
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


def forge(folder: Path, number: float) -> None:
    """Replace a number of the first vector, with a correct checksum."""
    with sqlite3.connect(database(folder)) as connection:
        query = "SELECT id, embedder, dimension, dtype, keys, vectors FROM blocks JOIN contents USING (id)"
        for block, embedder, dimension, dtype, keys, content in connection.execute(query).fetchall():
            vectors = np.frombuffer(content, dtype).copy()
            vectors[3] = number
            forged = vectors.tobytes()
            connection.execute("UPDATE contents SET vectors = ? WHERE id = ?", (forged, block))
            checksum = store._checksum(embedder, dimension, dtype, keys, forged)
            connection.execute("UPDATE blocks SET checksum = ? WHERE id = ?", (checksum, block))
    connection.close()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_forged_vectors_are_computed_again_with_a_warning(
    folder: Path, number: float, caplog: pytest.LogCaptureFixture
) -> None:
    value = dy.measure(TEXTS[:20], "dispersion", embedder=Counting())[0].value
    forge(folder, number)
    later = Counting()
    with caplog.at_level(logging.WARNING):
        assert dy.measure(TEXTS[:20], "dispersion", embedder=later)[0].value == value
    assert len(later.seen) == 20
    assert [str(database(folder)) in record.getMessage() for record in caplog.records] == [True]
    assert "distinctly cache clear" in caplog.text
    last = Counting()
    assert dy.measure(TEXTS[:20], "dispersion", embedder=last)[0].value == value
    assert last.seen == []


def test_vectors_of_another_length_than_the_embedder_has_are_computed_again() -> None:
    embedder = WordLlama(dim=64)
    keys = keys_of(["a cat", "a dog"])
    Store(embedder.identity()).add(keys, np.ones((2, 3), np.float32), embedder.title())
    assert np.array_equal(embed_texts(embedder, ["a cat", "a dog"]), embedder.embed(["a cat", "a dog"]))
