"""Files of states: what is damaged, of another version, or from a stranger, is an error, never a number."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import distinctly as dy
from distinctly.engine.state_file import StateFile
from distinctly.engine.storage import stored_at

TAIL = struct.Struct("<IQ16s")
TEXTS = ["the cat sat", "the dog", "", "the cat sat", "a " * 300]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    path = tmp_path / "x.state"
    dy.save_state(TEXTS, path, ["distinct:n=1", "mtld", "types:n=1,approximate=yes"])
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "x.state"
    dy.save_state(TEXTS, path, "distinct:n=1")
    return path


def parts_of(path: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the data of a state, and its description."""
    content = path.read_bytes()
    _, length, _ = TAIL.unpack(content[-TAIL.size :])
    place = len(content) - TAIL.size - length
    return content[:place], json.loads(content[place : -TAIL.size])


def write(path: Path, data: bytes, description: object) -> None:
    """Write a state with a valid checksum, as a forger would."""
    text = description if isinstance(description, bytes) else json.dumps(description).encode()
    path.write_bytes(data + text + TAIL.pack(zlib.crc32(text), len(text), b"distinctly state"))


def refused(path: Path, match: str) -> None:
    """Check that a state is an error of one line, with its name, whatever is done with it."""
    calls: list[Callable[[], object]] = [
        lambda: dy.measure(path),
        lambda: dy.merge_states([path, path], path.parent / "merged.state"),
    ]
    for call in calls:
        with pytest.raises(dy.InputError, match=match) as caught:
            call()
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)
    assert not (path.parent / "merged.state").exists()


class TestDamaged:
    """A byte that is lost or changed is noticed."""

    @settings(max_examples=300)
    @given(data=st.data())
    def test_any_changed_bit(self, small: Path, data: st.DataObject) -> None:
        content = bytearray(small.read_bytes())
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        changed = small.with_name("changed.state")
        changed.write_bytes(content)
        with pytest.raises(dy.InputError, match=r"changed\.state: (the state|this is not a state)"):
            dy.measure(changed)

    def test_every_byte_of_both_ends(self, small: Path) -> None:
        content = small.read_bytes()
        changed = small.with_name("ends.state")
        for place in (*range(20), *range(len(content) - 28, len(content))):
            changed.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
            with pytest.raises(dy.InputError):
                dy.measure(changed)

    def test_every_section(self, state: Path) -> None:
        data, description = parts_of(state)
        names = ("starts", "entries", "checksums")
        arrays = [table[name]["at"] for table in description["tables"] for name in names]
        (sketch,) = (entry for entry in description["states"] if "Approximate" in entry["of"])
        registers = sketch["state"]["fields"]["sketch"]["fields"]["registers"]["array"]["at"]
        texts = description["origin"]["fields"]["first"]["fields"]["strings"]["fields"]["data"]["array"]["at"]
        content = state.read_bytes()
        # The first key of a table, its arrays, the array of another state, the first texts, the description.
        for place in (20, *arrays, registers, texts, len(data) + 5):
            state.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            with pytest.raises(dy.InputError, match="checksum .*differs.*Copy it again, or save it again"):
                dy.merge_states([state], state.parent / "merged.state")

    @pytest.mark.parametrize("kept", [0, 1, 15, 16, 19, 20, 21, 47, 48, 1000, -1000, -29, -28, -17, -16, -1])
    def test_cut_short(self, state: Path, kept: int) -> None:
        state.write_bytes(state.read_bytes()[:kept])
        refused(state, "damaged or incomplete" if kept else "not a state")

    @pytest.mark.parametrize("added", [b"\0", b"distinctly state", b"x" * 100])
    def test_more_at_the_end(self, state: Path, added: bytes) -> None:
        state.write_bytes(state.read_bytes() + added)
        refused(state, "damaged or incomplete")

    @pytest.mark.parametrize(
        "content", [b"", b"the cat sat\n", b"{}", b"\x1f\x8b\x08" + b"\0" * 200, b"d" * 200]
    )
    def test_not_a_state(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "x.state"
        path.write_bytes(content)
        refused(path, "this is not a state. Give a file of distinctly state save")

    def test_no_file(self, tmp_path: Path) -> None:
        refused(tmp_path / "x.state", "no such file")

    def test_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "x.state").mkdir()
        refused(tmp_path / "x.state", "cannot be read|not a state")

    def test_verify_reads_all_data(self, state: Path) -> None:
        StateFile(stored_at(state)).verify()
        content = bytearray(state.read_bytes())
        content[25] ^= 1
        state.write_bytes(content)
        with pytest.raises(dy.InputError, match="a checksum differs"):
            StateFile(stored_at(state)).verify()


class TestVersions:
    """A state of another version is not read."""

    @pytest.mark.parametrize("version", [0, 2, 2**32 - 1])
    def test_format(self, state: Path, version: int) -> None:
        content = state.read_bytes()
        state.write_bytes(content[:16] + struct.pack("<I", version) + content[20:])
        refused(
            state, f"version {version} of the format, and .* reads version 1. Save it again from the texts"
        )

    def test_hash(self, state: Path) -> None:
        data, description = parts_of(state)
        write(state, data, {**description, "hash": 1})
        refused(state, "counted by version 1 of the hash, and .* has version 2. Save it again")


Path_ = tuple[Any, ...]


def replaced(value: Any, path: Path_, new: object) -> Any:
    """Return JSON with the value at a path replaced."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


SUMS = "distinctly.statistics.lengths:LengthSums"
STRINGS = ("origin", "fields", "first", "fields", "strings", "fields")


class TestForged:
    """A state of a stranger runs nothing, opens nothing, and reserves no memory."""

    @pytest.mark.parametrize(
        "name",
        [
            "os:system",
            "builtins:eval",
            "subprocess:Popen",
            "distinctly.cli:main",
            "distinctly.corpus:Corpus",
            "distinctly.batch:np",
            "distinctly.batch:InputError",
            "distinctly.statistics.tables:np.load",
            "distinctly.statistics.no_such_module:X",
            "distinctly.statistics..os:system",
            "distinctly.statisticsx:X",
            "distinctly.statistics.tables:add_counts",
            "distinctly.statistics.tables",
            "",
            "forged:Forged",
        ],
    )
    def test_classes(self, state: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        data, description = parts_of(state)
        (state.parent / "forged.py").write_text(
            "from pathlib import Path\nPath('ran').touch()\nclass Forged: pass\n"
        )
        monkeypatch.chdir(state.parent)
        monkeypatch.syspath_prepend(str(state.parent))
        write(state, data, replaced(description, ("origin",), {"class": name, "fields": {}}))
        refused(state, "damaged")
        assert "forged" not in sys.modules
        assert not (state.parent / "ran").exists()

    @pytest.mark.parametrize(
        ("where", "value"),
        [
            ("metrics", ["forged:run"]),
            ("metrics", ["./forged.py:run"]),
            ("metrics", ["distinct:n=1,of=hf(/etc/passwd)"]),
            ("tokenizer", "hf:/etc/passwd"),
            ("tokenizer", "words:stopwords=/etc/passwd"),
        ],
    )
    def test_code_and_files_that_it_names(
        self, state: Path, where: str, value: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data, description = parts_of(state)
        (state.parent / "forged.py").write_text("from pathlib import Path\nPath('ran').touch()\nrun = len\n")
        monkeypatch.chdir(state.parent)
        write(state, data, replaced(description, ("about", where), value))
        with pytest.raises(dy.InputError, match=r"x\.state: the state names .* if you trust the author"):
            dy.measure(state)
        assert "forged" not in sys.modules
        assert not (state.parent / "ran").exists()

    def test_an_embedder_that_it_names(self, tmp_path: Path) -> None:
        path = tmp_path / "x.state"
        dy.save_state(TEXTS, path, "jensen_shannon")
        data, description = parts_of(path)
        write(path, data, replaced(description, ("about", "embedder"), "sbert:/evil"))
        with pytest.raises(dy.InputError, match=r"x\.state: the state names .* --embedder"):
            dy.compare(path, path)

    def test_what_the_user_names_is_trusted(self, tmp_path: Path) -> None:
        words = tmp_path / "stop.txt"
        words.write_text("the\n")
        path = tmp_path / "x.state"
        dy.save_state(TEXTS, path, "distinct:n=1", tokenizer=f"words:stopwords={words}")
        with pytest.raises(dy.InputError, match="Give it yourself if you trust the author: --tokenizer"):
            dy.measure(path)
        score = dy.measure(path, tokenizer=f"words:stopwords={words}")[0]
        assert score.value == dy.measure(TEXTS, "distinct:n=1", tokenizer=f"words:stopwords={words}")[0].value
        dy.merge_states([path, path], tmp_path / "merged.state")  # needs no tokenizer

    @pytest.mark.parametrize(
        "description",
        [
            b"",
            b"[]",
            b"null",
            b"{}",
            b'"x"',
            b"\xff",
            b'{"hash": 2}',
            b"[" * 100_000,
            b'{"states": [' + b'{"list": [' * 20_000 + b"]}" * 20_000 + b"]}",
            b'{"hash": ' + b"9" * 5000 + b"}",
        ],
    )
    def test_descriptions(self, state: Path, description: bytes) -> None:
        write(state, parts_of(state)[0], description)
        refused(state, "its description cannot be read")

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("tables", 0, "starts", "shape"), [2**62]),
            (("tables", 0, "starts", "shape"), [-1]),
            (("tables", 0, "starts", "shape"), [1025.0]),
            (("tables", 0, "starts", "shape"), ["1025"]),
            (("tables", 0, "starts", "shape"), None),
            (("tables", 0, "starts", "at"), -8),
            (("tables", 0, "starts", "at"), 2**62),
            (("tables", 0, "starts", "type"), "|O"),
            (("tables", 0, "starts", "type"), "O"),
            (("tables", 0, "starts", "type"), "<i8,<i8"),
            (("tables", 0, "starts", "type"), 8),
            (("tables", 0, "starts", "type"), "<f8"),
            (("tables", 0, "starts"), {}),
            (("tables", 0, "totals"), [1, 2, 3]),
            (("tables", 0, "totals"), ["1", "2", "3", "4"]),
            (("tables", 0, "totals"), [-1, 0, 0, 0]),
            (("tables", 0, "width"), 2),
            (("tables", 0, "width"), 10**9),
            (("tables", 0), 3),
            (("tables", 0, "of"), 3),
            (("states", 0, "state"), {"unknown": 1}),
            (("states", 0, "state"), {"a": 1, "b": 2}),
            (("states", 0, "state"), {}),
            (("states", 0, "state"), [1]),
            (("states", 0, "state"), {"array": {}}),
            (("states", 0, "state"), {"bytes": "xyz"}),
            (("states", 0, "state"), {"dict": [[{"list": []}, 1]]}),
            (
                ("states", 0, "state"),
                {"class": SUMS, "fields": {"x": 1}},
            ),
            (("states", 0, "state"), {"class": SUMS, "fields": 1}),
            (("origin",), None),
            (("origin",), {"class": "distinctly.statistics.tables:Totals", "fields": {}}),
            ((*STRINGS, "starts"), 5),
            ((*STRINGS, "data"), {"bytes": "00"}),
            ((*STRINGS, "ends", "array", "shape"), [3]),
        ],
    )
    def test_data(self, state: Path, path: Path_, value: object) -> None:
        data, description = parts_of(state)
        write(state, data, replaced(description, path, value))
        refused(state, "damaged or incomplete")

    def test_texts_outside_their_data(self, state: Path) -> None:
        data, description = parts_of(state)
        ends = [10**9] * 5
        array = struct.pack("<5q", *ends)
        entry = {"at": len(data), "type": "<i8", "shape": [5], "crc": zlib.crc32(array)}
        write(state, data + array, replaced(description, (*STRINGS, "ends", "array"), entry))
        refused(state, "texts outside their data")

    @pytest.mark.parametrize("value", [None, 5, "x", {"list": [1, 2]}, {"dict": []}])
    def test_states_of_another_kind(self, state: Path, value: object) -> None:
        data, description = parts_of(state)
        for place in range(len(description["states"])):
            write(state, data, replaced(description, ("states", place, "state"), value))
            with pytest.raises(dy.InputError, match=r"x\.state: the state is damaged"):
                dy.measure(state)

    @pytest.mark.parametrize(
        "about", [{}, {"metrics": "distinct"}, {"metrics": [1]}, {"metrics": ["x"], "tokenizer": 1}]
    )
    def test_what_it_was_saved_with(self, state: Path, about: object) -> None:
        data, description = parts_of(state)
        write(state, data, {**description, "about": about})
        with pytest.raises(dy.InputError, match="it does not say which"):
            dy.measure(state)

    def test_a_partition_with_another_number_of_keys(self, state: Path) -> None:
        data, description = parts_of(state)
        entry = description["tables"][0]["entries"]
        lengths = bytearray(data[entry["at"] : entry["at"] + 8 * 1024])
        place = next(place for place in range(1024) if lengths[8 * place])
        for number in (0, 2, 2**62):
            lengths[8 * place : 8 * place + 8] = struct.pack("<q", number)
            forged = {**entry, "at": len(data), "crc": zlib.crc32(lengths)}
            write(state, data + bytes(lengths), replaced(description, ("tables", 0, "entries"), forged))
            refused(state, "a partition of a table has another size")
