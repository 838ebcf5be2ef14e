"""Partitions of a corpus through files of states (``--checkpoint``): the same as the plain path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.cases import same

import distinctly as dy
from distinctly.config import Step
from distinctly.engine import local, parts

METRICS = ["distinct:n=1", "entropy:n=2", "mtld", "duplicates", "types:n=1,approximate=yes"]
# Characters of one to four bytes, an empty line, repeated lines, and line ends of two bytes.
LINES = "the é cat\n漢字 👍 the\r\n\nthe é cat\nx\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "parts"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.txt"
    path.write_bytes("".join(f"word{i % 7} the cat {i % 3} é漢\n" for i in range(40)).encode())
    return path


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the list of partitions that were collected."""
    taken: list[object] = []
    collect = local.collected

    def recorded(partition: Any, *given: Any, **more: Any) -> Any:
        taken.append(partition)
        return collect(partition, *given, **more)

    monkeypatch.setattr(local, "collected", recorded)
    return taken


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("distinctly.engine.parts.partition_bytes", lambda _: size)


def equal(one: dy.Scores, other: dy.Scores) -> bool:
    return same(list(one), list(other)) and one.corpora == other.corpora


@pytest.mark.slow
def test_partitions_of_every_size(
    tmp_path: Path, folder: Path, collected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(LINES.encode())
    metrics = ["distinct:n=1", "duplicates"]
    plain = dy.measure(path, metrics)
    for size in range(1, 41):
        cut(monkeypatch, size)
        collected.clear()
        assert equal(dy.measure(path, metrics, checkpoint=str(folder)), plain), size
        # The file has 45 bytes, so that there are about 45 / size partitions.
        assert len(collected) > 1
        assert list(folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("fan_in", [3, 64])
def test_many_partitions(
    file: Path, folder: Path, fan_in: int, collected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = [*METRICS, "self_bleu:max_n=2", "self_repetition:n=2"]
    plain = dy.measure(file, metrics, top=3)
    cut(monkeypatch, 90)
    monkeypatch.setattr(parts, "FAN_IN", fan_in)
    assert equal(dy.measure(file, metrics, top=3, checkpoint=str(folder)), plain)
    assert len(collected) > 9
    assert list(folder.iterdir()) == []


class TestResumed:
    """A run that was interrupted uses what it has collected."""

    @pytest.fixture(autouse=True)
    def interrupted(
        self, file: Path, folder: Path, collected: list[object], monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[int]:
        """Interrupt a run after five partitions, and return the number of partitions."""
        cut(monkeypatch, 90)
        number = len(parts._inputs(dy.Corpus.read(file)))
        write = parts.Job.write

        def failing(job: parts.Job, name: str, collection: Any) -> int:
            if len(list(folder.iterdir())) >= 5:
                raise RuntimeError("the power is off")
            return write(job, name, collection)

        with monkeypatch.context() as patch:
            patch.setattr(parts.Job, "write", failing)
            with pytest.raises(RuntimeError, match="the power is off"):
                self.measure(file, folder)
        assert len(list(folder.iterdir())) == 5
        collected.clear()
        yield number
        assert list(folder.glob("*.state")) == []

    def measure(self, file: Path, folder: Path) -> dy.Scores:
        return dy.measure(file, METRICS, checkpoint=str(folder), threads=1)

    def test_finished_partitions_are_not_collected_again(
        self, file: Path, folder: Path, collected: list[object], interrupted: int
    ) -> None:
        assert equal(self.measure(file, folder), dy.measure(file, METRICS))
        assert len(collected) == interrupted - 5

    @pytest.mark.parametrize("place", [3, 30, 20_000, -100, -5])
    def test_damaged_parts_are_collected_again(
        self, place: int, file: Path, folder: Path, collected: list[object], interrupted: int
    ) -> None:
        part = sorted(folder.iterdir())[2]
        content = bytearray(part.read_bytes())
        content[place] ^= 1
        part.write_bytes(content)
        sorted(folder.iterdir())[3].write_bytes(content[:-50])
        assert equal(self.measure(file, folder), dy.measure(file, METRICS))
        assert len(collected) == interrupted - 3

    def test_a_changed_file_is_collected_again(
        self, file: Path, folder: Path, collected: list[object], interrupted: int
    ) -> None:
        file.write_bytes(file.read_bytes().replace(b"word3", b"other"))
        assert equal(self.measure(file, folder), dy.measure(file, METRICS))
        assert len(collected) == interrupted
        for left in folder.iterdir():  # parts of the file as it was
            left.unlink()

    def test_other_metrics_are_collected(
        self, file: Path, folder: Path, collected: list[object], interrupted: int
    ) -> None:
        dy.measure(file, "distinct:n=3", checkpoint=str(folder))
        assert len(collected) == interrupted
        self.measure(file, folder)


class TestBadRows:
    """Rows that cannot be read, far from the beginning."""

    @pytest.fixture
    def rows(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        path = tmp_path / "x.jsonl"
        lines = [json.dumps({"text": f"the cat {i}"}) for i in range(40)]
        lines[29] = '{"text": nonsense}'
        lines[34] = '{"text":'
        path.write_text("\n".join(lines) + "\n")
        cut(monkeypatch, 100)
        return path

    def test_error(self, rows: Path, folder: Path) -> None:
        with pytest.raises(dy.InputError, match=r"x\.jsonl, line 30: "):
            dy.measure(rows, METRICS, checkpoint=str(folder), threads=1)

    def test_skipped(self, rows: Path, folder: Path) -> None:
        plain = dy.measure(rows, METRICS, skip_bad=True)
        by_parts = dy.measure(rows, METRICS, skip_bad=True, checkpoint=str(folder))
        assert equal(by_parts, plain)
        assert "line 30" in str(by_parts.to_dict())


def test_progress_shows_partitions_speed_and_skew(
    file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut(monkeypatch, 90)
    steps: list[Step] = []
    dy.measure(file, METRICS, checkpoint=str(folder), progress=steps.append)
    read = [step for step in steps if step.unit == "bytes"]
    number = len(parts._inputs(dy.Corpus.read(file)))
    assert [step.detail.split(",")[0] for step in read] == [
        f"{done} of {number} partitions" for done in range(1, number + 1)
    ]
    assert {step.what for step in read} == {file.name}
    # The skew is the time of the slowest partition, relative to the median.
    assert re.search(r", \d+\.\dM tokens/s, skew \d+\.\d$", read[-1].detail)
