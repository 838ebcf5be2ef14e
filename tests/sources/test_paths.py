"""Field paths: values within nested objects and lists, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from tests.cli.fixtures import Save

import distinctly as dy
from distinctly.errors import FieldError, InputError
from distinctly.sources.base import Reading
from distinctly.sources.fields import read_fields
from distinctly.sources.paths import FieldPath

ROWS = [
    {
        "meta": {"prompt": 1, "id": "x"},
        "response": {"output": "a b"},
        "choices": [{"message": {"content": "a b"}}, {"message": {"content": "c"}}],
        "resps": [["a b", "c"], ["d"]],
    },
    {
        "meta": {"prompt": 2, "id": "y"},
        "response": {"output": "c d"},
        "choices": [{"message": {"content": "e"}}],
        "resps": [["e f"], ["g", "h"]],
    },
]
FORMATS = ["jsonl", "json", "parquet", "arrow", "feather"]


def write(folder: Path, ending: str, rows: list[dict[str, object]]) -> Path:
    """Write rows as a file of this format."""
    path = folder / f"rows.{ending}"
    if ending == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    elif ending == "json":
        path.write_text(json.dumps(rows))
    elif ending == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        pyarrow.feather.write_feather(pa.Table.from_pylist(rows), path)
    return path


def read_texts(corpus: dy.Corpus) -> tuple[list[str], list[str] | None, list[str] | None]:
    """Return the texts, groups and ids of a corpus of one batch."""
    (batch,) = corpus.batches()
    groups, ids = (None if column is None else column.tolist() for column in (batch.groups, batch.ids))
    return batch.strings.tolist(), groups, ids


@pytest.mark.parametrize("ending", FORMATS)
class TestFormats:
    def test_names_within_objects(self, tmp_path: Path, ending: str) -> None:
        path = write(tmp_path, ending, ROWS)
        corpus = dy.Corpus.read(path, field="response.output", group="meta.prompt", id="meta.id")
        assert read_texts(corpus) == (["a b", "c d"], ["1", "2"], ["x", "y"])

    def test_each_item_of_a_list_is_a_text_of_the_row(self, tmp_path: Path, ending: str) -> None:
        path = write(tmp_path, ending, ROWS)
        first = "line 1" if ending == "jsonl" else "row 0"
        second = "line 2" if ending == "jsonl" else "row 1"
        corpus = dy.Corpus.read(path, field="choices[*].message.content")
        assert read_texts(corpus) == (["a b", "c", "e"], [first, first, second], None)

    def test_nested_lists_are_flattened(self, tmp_path: Path, ending: str) -> None:
        path = write(tmp_path, ending, ROWS)
        corpus = dy.Corpus.read(path, field="resps[*][*]", group="meta.prompt")
        texts = ["a b", "c", "d", "e f", "g", "h"]
        assert read_texts(corpus) == (texts, ["1", "1", "1", "2", "2", "2"], None)

    @pytest.mark.parametrize(
        ("field", "texts"),
        [
            ("resps[0][0]", ["a b", "e f"]),
            ("resps[-1][-1]", ["d", "h"]),
            ("choices[0].message.content", ["a b", "e"]),
            ("['response'].output", ["a b", "c d"]),
        ],
    )
    def test_indices(self, tmp_path: Path, ending: str, field: str, texts: list[str]) -> None:
        assert dy.Corpus.read(write(tmp_path, ending, ROWS), field=field).texts() == texts

    def test_a_field_with_the_whole_name_is_preferred(self, tmp_path: Path, ending: str) -> None:
        rows: list[dict[str, object]] = [{"response.output": "the name", "response": {"output": "the path"}}]
        corpus = dy.Corpus.read(write(tmp_path, ending, rows), field="response.output")
        assert corpus.texts() == ["the name"]

    @pytest.mark.parametrize(
        ("field", "message"),
        [
            (
                "choices[0].mesage.content",
                r"'mesage' in choices\[0\]. Did you mean 'message'\?",
            ),
            (
                "response.outptu",
                r"Unknown field 'outptu' in response. Did you mean 'output'\?",
            ),
            (
                "respnose.output",
                r"Unknown field 'respnose'. Did you mean 'response'\? Fields: meta",
            ),
            ("resps[5]", r"'resps' has 2 items, so no item \[5\]"),
            ("response[0]", "expected 'response' to be a list, got an object"),
            (
                "choices.message",
                r"'choices' has no field 'message', since it is a list .* choices\[0\]",
            ),
            ("response.output.x", "'response.output' has no field 'x', since it is text"),
            ("choices[*.x", r"Unknown field 'choices\[\*.x'"),
        ],
    )
    def test_errors_say_how_far_the_path_leads(
        self, tmp_path: Path, ending: str, field: str, message: str
    ) -> None:
        with pytest.raises(FieldError, match=message) as raised:
            dy.Corpus.read(write(tmp_path, ending, ROWS), field=field).texts()
        assert str(raised.value).startswith(f"{tmp_path / 'rows'}.{ending}")

    def test_all_fields(self, tmp_path: Path, ending: str) -> None:
        fields = read_fields(write(tmp_path, ending, ROWS), Reading())
        assert [row for _, row in fields.rows] == ROWS
        assert fields.column("choices[*].message.content", "keep") == [["a b", "c"], ["e"]]
        with pytest.raises(FieldError, match=r"Unknown field 'x' in meta.*Choose one with --keep"):
            fields.column("meta.x", "keep")


def test_an_error_names_the_row(save: Save) -> None:
    path = save("a.jsonl", '{"a": {"b": "x"}}\n{"a": {"c": "y"}}\n')
    message = "line 2: Unknown field 'b' in a. Fields: c. Choose one with --field \\(Python: field=\\)."
    with pytest.raises(FieldError, match=message):
        dy.Corpus.read(path, field="a.b").texts()


def test_a_missing_value_on_the_way_is_a_missing_text(save: Save) -> None:
    path = save("a.jsonl", '{"a": {"b": "x"}}\n{"a": null}\n')
    with pytest.raises(InputError, match="line 2: the text is missing"):
        dy.Corpus.read(path, field="a.b").texts()
    assert dy.Corpus.read(path, field="a.b", nulls="skip").texts() == ["x"]


@pytest.mark.parametrize("name", ["response.output", "resps[0]", "[0]", "a..b", "a.", "[", "What? (e.g. x)"])
def test_a_column_of_a_table_may_have_any_name(save: Save, name: str) -> None:
    assert dy.Corpus.read(save("a.csv", f"{name},x\na b,c\n"), field=name).texts() == ["a b"]


def test_parts_of_structs_that_are_not_requested_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns_read: list[list[str]] = []
    iter_batches = pq.ParquetFile.iter_batches

    def record(file: pq.ParquetFile, *arguments: object, **options: list[str]) -> object:
        columns_read.append(options["columns"])
        return iter_batches(file, *arguments, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", record)
    path = write(tmp_path, "parquet", ROWS)
    dy.Corpus.read(path, field="choices[0].message.content", group="meta.prompt").texts()
    assert columns_read == [["choices", "meta.prompt"]]


def test_large_files_are_read_by_arrow_with_the_same_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[dict[str, object]] = [{"a": {"b": {"c": f"text {number}"}}} for number in range(20)]
    rows.append({"a.b.c": "by its whole name", "a": {"b": {"c": "by its path"}}})
    path = write(tmp_path, "jsonl", rows)
    expected = [*(f"text {number}" for number in range(20)), "by its whole name"]
    for threshold in (0, 1 << 60):
        monkeypatch.setattr("distinctly.sources.jsonl.FAST_FROM", threshold)
        assert dy.Corpus.read(path, field="a.b.c").texts() == expected


def test_parsing() -> None:
    assert FieldPath.parse("a.b[0][*]['c.d'][-2].e").steps == ("a", "b", 0, None, "c.d", -2, "e")
    for text in ("a..b", "a[", "a[x]", ".a", "a.", "[0]", "", "a[0]b"):
        assert FieldPath.parse(text).steps == (text,)
