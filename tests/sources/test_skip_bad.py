"""Rows that cannot be read are skipped on request: counted exactly, and listed in order."""

from __future__ import annotations

import gzip
import json
import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.batch import PLACES, Origin
from distinctly.sources import compressed, files, jsonl, line_files

# Lines, each with what its problem begins with; None if it can be read.
GOOD = [b'{"text": "a cat"}', '{"text": "知 é"}'.encode(), b'{"text": ""}', b'{"text": "x", "n": 1}']
BAD = {
    b'{"text": "a"': "not valid JSON",
    b'{"text": "\xff"}': "bytes that cannot be decoded",
    b'{"txt": "a"}': "Unknown field 'text'",
    b'{"text": 3}': "expected text, got a number",
    b'{"text": null}': "the text is missing",
    b'["a"]': "expected an object",
    b'{"text": ["a", "b"]}': "expected a text as in the rows before",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("skipped")


@pytest.fixture
def small_reads(monkeypatch):
    for module in (files, compressed, line_files):
        monkeypatch.setattr(module, "CHUNK", 7)


def origin_of(partitions) -> Origin:
    sent = [pickle.loads(pickle.dumps(partition)) for partition in partitions]
    return sum((batch.origin for partition in sent for batch in partition.batches()), Origin())


def texts_of(partitions) -> list[str]:
    return [text for partition in partitions for batch in partition.batches() for text in batch.strings]


LINE = st.one_of(st.sampled_from(GOOD), st.sampled_from(list(BAD)), st.just(b""))


@given(st.lists(LINE, max_size=8), st.integers(1, 80), st.booleans(), st.booleans())
@example([b'{"text": "\xff"}', b"", b'{"text": 3}', GOOD[0]], 1, True, False)
@pytest.mark.usefixtures("small_reads")
def test_every_bad_line_is_counted_and_placed(folder, lines, size, is_fast, is_compressed):
    # The shape of the rows is that of the first: the list in `BAD` is bad only after a text.
    lines = [GOOD[0], *lines, GOOD[1]]
    content = b"\n".join(lines)
    path = folder / ("rows.jsonl.gz" if is_compressed else "rows.jsonl")
    path.write_bytes(gzip.compress(content, mtime=0) if is_compressed else content)
    expected = [f"{path}, line {number}: {BAD[line]}" for number, line in enumerate(lines, 1) if line in BAD]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "FAST_FROM", 0 if is_fast else 10**9)
        corpus = dy.read(path, skip_bad=True)
        for parts in ([corpus.source], corpus.partitions(size)):
            skipped = origin_of(parts).bad_rows
            assert skipped.count == len(expected)
            assert all(place.startswith(start) for place, start in zip(skipped.places, expected, strict=True))
            assert texts_of(parts) == [json.loads(line)["text"] for line in lines if line in GOOD]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "shift_jis", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.json"])
def test_undecodable_bytes_in_any_encoding(save, name, encoding):
    bad = {"utf-16": b"\x00\xd8x\x00"}.get(encoding, b"\xff")
    rows = ["one", "BAD", "三", "four"]
    written = {"a.txt": "\n".join(rows), "a.csv": "\n".join(["text", *rows]), "a.json": json.dumps(rows)}
    if name == "a.json":
        written[name] = json.dumps(rows, ensure_ascii=False)
    codec = {"utf-16": "utf-16-le", "utf-8-sig": "utf-8"}.get(encoding, encoding)
    before, after = written[name].split("BAD")
    content = before.encode(encoding) + bad + after.encode(codec)
    corpus = dy.read(save(name, content), skip_bad=True, encoding=encoding)
    assert corpus.texts() == ["one", "三", "four"]
    skipped = origin_of([corpus.source]).bad_rows
    where = {"a.txt": "line 2", "a.csv": "line 3", "a.json": "row 1"}[name]
    assert skipped.places == (f"{corpus.source.name}, {where}: bytes that cannot be decoded",)


def test_lines_that_are_too_long(save, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 16)
    monkeypatch.setattr(files.FileSource, "longest", 20)
    content = b"short\n" + b"x" * 50 + b"\nagain\n" + b"y" * 100
    for encoding in ("utf-8", "latin-1"):
        corpus = dy.read(save("a.txt", content), skip_bad=True, encoding=encoding)
        assert corpus.texts() == ["short", "again"]
        places = origin_of(corpus.partitions(10)).bad_rows.places
        assert [place.partition(": ")[0].rpartition(", ")[2] for place in places] == ["line 2", "line 4"]
        with pytest.raises(dy.InputError, match="line 2: the text is longer than"):
            dy.read(save("a.txt", content), encoding=encoding).texts()


def test_records_with_a_wrong_number_of_cells_or_quoted_wrongly(save):
    path = save("a.csv", 'text,id\none,1\ntwo\n"three"x,3\n"four\nfive",4\nsix,6,7\nseven,7\n')
    corpus = dy.read(path, id="id", skip_bad=True)
    assert corpus.texts() == ["one", "four\nfive", "seven"]
    places = origin_of([corpus.source]).bad_rows.places
    assert [place.partition(": ")[2] for place in places] == [
        "expected 2 cells as in the header, got 1, with a comma as the delimiter",
        "cannot be read as csv: ',' expected after '\"'",
        "expected 2 cells as in the header, got 3, with a comma as the delimiter",
    ]
    assert [place.partition(": ")[0] for place in places] == [f"{path}, line {line}" for line in (3, 4, 7)]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b'text\none\n"two\nthree\n', "line 3: cannot be read as csv: unexpected end of data"),
        ("a.csv", b"t\xffext\none\n", "line 1: bytes that cannot be decoded"),
        ("a.csv", b"txt\none\n", "Unknown field 'text'"),
        ("a.json", b'[{"text": "a"}, {"text": ]', "not valid JSON"),
        ("a.jsonl.gz", gzip.compress(b'{"text": "a"}\n' * 100, mtime=0)[:-10], "damaged"),
        ("a.parquet", b"PAR1", "cannot be read as parquet"),
        ("a.txt", b"", "the file is empty"),
    ],
)
def test_what_is_lost_in_a_damaged_file_cannot_be_counted(save, name, content, problem):
    with pytest.raises(dy.InputError, match=problem):
        dy.measure(str(save(name, content)), "types:n=1", skip_bad=True)


def test_a_bad_row_leaves_nothing_behind(save):
    rows = [
        {"text": ["a", "b"], "group": "x", "tags": [["N"], ["N"]]},
        {"text": ["c", None], "group": "y", "tags": [["N"], ["N"]]},  # its second text is missing
        {"text": ["d"], "group": {}, "tags": [["N"]]},  # no group
        {"text": ["e", "f"], "group": "z", "tags": [["N"], 3]},  # its second list of tags is none
        {"text": ["g"], "group": "z", "tags": [["V"]]},
    ]
    path = save("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    for source in (path, rows):
        corpus = dy.Corpus.wrap(source, group="group", tags="tags", skip_bad=True)
        (batch,) = corpus.batches()
        assert batch.strings.tolist() == ["a", "b", "g"]
        assert (batch.groups.tolist(), batch.tags.tolist()) == (["x", "x", "z"], [["N"], ["N"], ["V"]])
        assert batch.bad_rows.count == 3


@pytest.mark.parametrize("size", [1, 30, 10_000])
def test_the_first_row_that_can_be_read_decides_the_shape(save, size):
    rows = [{"text": ["a"], "group": {}}, {"text": "b", "group": 1}, {"text": ["c"], "group": 2}]
    corpus = dy.read(
        save("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows)), group="group", skip_bad=True
    )
    assert texts_of(corpus.partitions(size)) == ["b"]
    assert origin_of(corpus.partitions(size)).bad_rows.count == 2


def test_an_empty_text_waits_for_a_shape_without_its_bad_group(save):
    rows = [{"text": None, "g": {}}, {"text": None, "g": "1"}, {"text": "a", "g": "2"}]
    corpus = dy.Corpus(rows, group="g", nulls="empty", skip_bad=True)
    (batch,) = corpus.batches()
    assert (batch.strings.tolist(), batch.groups.tolist()) == (["", "a"], ["1", "2"])
    assert (batch.bad_rows.count, batch.nulls_emptied) == (1, 1)


def test_tables_and_objects_in_memory(tmp_path):
    records = [{"text": "a"}, {"t": 1}, {"text": 5}, {"text": "b"}]
    for given_texts in (records, iter(records), ["a", 5, 6, "b"]):
        corpus = dy.Corpus(given_texts, skip_bad=True)
        batch = next(corpus.batches())
        assert (batch.strings.tolist(), batch.bad_rows.count) == (["a", "b"], 2)
    table = pa.table({"a": [[{"b": "one"}], [], [{"b": "two"}]]})
    pq.write_table(table, tmp_path / "a.parquet")
    for given_texts in (table, tmp_path / "a.parquet"):
        corpus = dy.Corpus.wrap(given_texts, field="a[0].b", skip_bad=True)
        batch = next(corpus.batches())
        assert (batch.strings.tolist(), batch.bad_rows.count) == (["one", "two"], 1)
        assert "row 1: 'a' has 0 items, so no item [0]" in batch.bad_rows.places[0]


def test_a_file_that_is_one_text(save):
    save("texts/a.txt", b"fine\n")
    folder = save("texts/b.txt", b"\xff\n").parent
    corpus = dy.read(folder, format="file", skip_bad=True)
    assert (corpus.texts(), origin_of([corpus.source]).bad_rows.count) == (["fine\n"], 1)


def test_the_count_is_exact_and_the_first_places_are_kept(save):
    path = save("a.jsonl", '{"text": "a"}\n' + "{\n" * 50)
    skipped = origin_of(dy.read(path, skip_bad=True).partitions(10)).bad_rows
    assert (skipped.count, len(skipped.places)) == (50, PLACES)
    assert skipped.places[-1].startswith(f"{path}, line {PLACES + 1}:")


def test_notes_signatures_and_facts(save):
    path = str(save("a.jsonl", '{"text": "a cat"}\n{\n{"text": 1}\n{\n{\n{"text": "a dog"}\n'))
    scores = dy.measure(path, "types:n=1", skip_bad=True)
    (note,) = [note for note in scores[0].notes if "skipped" in note]
    assert note.startswith(f"4 rows were skipped (--skip-bad): {path}, line 2: not valid JSON (")
    assert note.endswith("; and 1 more.")
    assert (note.level, note.general) == ("warning", "Some rows were skipped (--skip-bad).")
    assert "|bad:skip|" in scores[0].signature
    assert scores.corpora[0]["skipped_rows"]["count"] == 4
    assert len(scores.corpora[0]["skipped_rows"]["places"]) == 4
    # The types are "a", "cat" and "dog"; a signature says how to read the file again.
    assert dy.measure(path, signature=scores[0].signature)[0].value == scores[0].value == 3
    fine = dy.measure(["a cat"], "types:n=1", skip_bad=True)
    assert "bad:" not in fine[0].signature
    assert "skipped_rows" not in fine.corpora[0]


def test_notes_on_a_reference_and_on_parts(save):
    reference = str(save("r.jsonl", '{"text": "a cat sat"}\n{"text": "a dog"}\n{\n'))
    candidate = str(save("c.jsonl", '{"text": "a cow sat", "by": "x"}\n{"text": "a fox", "by": "y"}\n'))
    (score,) = dy.compare(reference, candidate, "jensen_shannon", skip_bad=True)
    assert [note for note in score.notes if note.startswith("In the reference, 1 row was skipped")]
    assert "|bad:skip|" in score.signature
    rows = '{"text": "a cow sat", "by": "x"}\n{\n{"text": "a fox", "by": "y"}\n'
    scores = dy.measure(str(save("p.jsonl", rows)), "types:n=1", by="by", skip_bad=True)
    assert [any("1 row was skipped" in note for note in score.notes) for score in scores] == [True, True]


def test_a_table_of_texts_has_the_rest(save):
    path = str(save("a.jsonl", '{"text": "a cat", "k": 1}\n{\n{"text": "a", "k": 3}\n'))
    table = dy.per_text(path, "types:n=1", keep=["k"], skip_bad=True)
    assert (table.columns["k"], table.columns["types:n=1"]) == ([1, 3], [2.0, 1.0])
    assert any("1 row was skipped" in note for note in table.means[0].notes)


def test_nothing_that_can_be_read_is_an_error(save):
    path = str(save("a.jsonl", '{\n{"text": 1}\n'))
    for measure in (
        lambda: dy.measure(path, "types:n=1", skip_bad=True),
        lambda: dy.measure(path, "types:n=1", skip_bad=True, interval=True),
        lambda: dy.per_text(path, "types:n=1", skip_bad=True),
    ):
        with pytest.raises(dy.InputError, match=r"no row can be read: 2 were skipped .*, line 1: not valid"):
            measure()


def test_the_command(save, command):
    path = save("a.jsonl", '{"text": "a cat"}\n{\n{"text": "a dog"}\n')
    refused = command("measure", path.name)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "a.jsonl, line 2: not valid JSON" in refused.stderr
    done = command("measure", path.name, "-m", "types:n=1", "--skip-bad")
    assert done.returncode == 0
    assert "1 row was skipped (--skip-bad): a.jsonl, line 2: not valid JSON" in " ".join(done.stdout.split())
    document = json.loads(command("measure", path.name, "--skip-bad", "--format", "json").stdout)
    (place,) = document["corpora"][0]["skipped_rows"]["places"]
    assert place.startswith("a.jsonl, line 2: not valid JSON")
    save("a.jsonl", "{\n")
    done = command("measure", path.name, "--skip-bad")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no row can be read" in done.stderr
