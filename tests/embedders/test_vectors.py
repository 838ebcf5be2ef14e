"""`vectors:<file>`: one row per text, and errors for invalid files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import distinctly as dy
from distinctly.embedders import find_embedder

ROWS = np.array([[1.0, 0], [0, 1], [0, 1]])
TEXTS = ["a", "b", "c"]


def measured(path: Path | str, texts: list[str] = TEXTS) -> dy.Score:
    return dy.measure(texts, "dispersion", embedder=f"vectors:{path}")[0]


def test_rows_of_files(tmp_path: Path) -> None:
    np.save(tmp_path / "rows, with a comma.npy", ROWS)
    np.savez(tmp_path / "rows.npz", row=np.arange(3), vectors=ROWS.astype(np.float16))
    one, other = measured(tmp_path / "rows, with a comma.npy"), measured(tmp_path / "rows.npz")
    assert one.value == other.value == pytest.approx(2 / 3)
    assert "|emb:vectors,name:./rows.npz,dim:2,norm:no,hash:" in other.signature
    assert str(tmp_path) not in other.signature
    assert one.signature != other.signature


def test_the_same_texts_may_have_different_vectors(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    assert measured(tmp_path / "rows.npy", ["a", "a", "a"]).value == pytest.approx(2 / 3)


def test_hash_detects_another_content(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, ROWS)
    known = find_embedder(f"vectors:{path}")
    digest = known.options()["hash"]
    assert find_embedder(f"vectors:{path},hash={digest}") == known
    np.save(path, -ROWS)
    with pytest.raises(dy.SpecError, match=f"hash {digest}"):
        find_embedder(f"vectors:{path},hash={digest}")


def test_errors_name_the_problem(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    with pytest.raises(dy.InputError, match=r"rows.npy: expected one vector per text, got 3 for 2 texts"):
        measured(tmp_path / "rows.npy", ["a", "b"])
    np.save(tmp_path / "flat.npy", ROWS[0])
    with pytest.raises(dy.InputError, match="2-D"):
        measured(tmp_path / "flat.npy")
    np.save(tmp_path / "nan.npy", np.where(ROWS > 0, np.inf, 0))
    with pytest.raises(dy.InputError, match="NaN or infinity in 3 of 3 rows"):
        measured(tmp_path / "nan.npy")
    np.savez(tmp_path / "two.npz", one=ROWS, two=ROWS)
    with pytest.raises(dy.InputError, match=r"got 2 among one .*column=NAME"):
        measured(tmp_path / "two.npz")
    (tmp_path / "text.npy").write_text("no numbers")
    with pytest.raises(dy.InputError, match="another file"):
        measured(tmp_path / "text.npy")
    for source in ("", "rows.csv", str(tmp_path / "nowhere.npy")):
        with pytest.raises(dy.SpecError, match="npy"):
            find_embedder(f"vectors:{source}")


LISTS = {
    "list of float64": pa.list_(pa.float64()),
    "list of float32": pa.list_(pa.float32()),
    "list of float16": pa.list_(pa.float16()),
    "large list": pa.large_list(pa.float32()),
    "fixed-size list": pa.list_(pa.float32(), 2),
}


@pytest.mark.parametrize("kind", LISTS.values(), ids=LISTS.keys())
@pytest.mark.parametrize("row_groups", [1, 3])
def test_columns_of_parquet_files(tmp_path: Path, kind: pa.DataType, row_groups: int) -> None:
    values = ROWS.astype(np.float16 if kind.value_type == pa.float16() else np.float64)
    table = pa.table({"text": TEXTS, "n": [[1], [2], [3]], "vector": pa.array(list(values), kind)})
    parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=3 // row_groups)
    found = find_embedder(f"vectors:{tmp_path / 'rows.parquet'}").embed(TEXTS)
    assert found.tolist() == ROWS.tolist()
    assert found.dtype == (np.float64 if kind.value_type == pa.float64() else np.float32)
    named = find_embedder(f"vectors:{tmp_path / 'rows.parquet'},column=vector,norm=no")
    assert named.embed(TEXTS).tolist() == ROWS.tolist()


def test_one_of_several_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.table({"one": ROWS.tolist(), "the, other": (3 * ROWS).tolist()}), path)
    with pytest.raises(dy.InputError, match=r"got 2 among one .*the, other .*column=NAME"):
        measured(path)
    with pytest.raises(dy.SpecError, match="Unknown column 'won' of 'rows.parquet'. Did you mean 'one'"):
        measured(f"{path},column=won")
    score = measured(f"{path},column=the, other,norm=yes")
    assert "name:./rows.parquet,column:the%2C other,dim:2,norm:yes,hash:" in score.signature
    spec = dy.Signature.parse(score.signature).embedder
    assert spec is not None
    monkeypatch.chdir(tmp_path)
    assert find_embedder(spec).embed(TEXTS).tolist() == ROWS.tolist()
    np.savez(tmp_path / "two.npz", one=ROWS, two=2 * ROWS)
    assert find_embedder("vectors:two.npz,column=two").embed(TEXTS).tolist() == (2 * ROWS).tolist()


def test_bad_parquet_files(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(dy.InputError, match="expected a Parquet file"):
        measured(path)
    for column, message in (
        ([1.0, 2.0, 3.0], "expected one column of lists of floats, got 0 among vector"),
        ([[1.0], None, [1.0]], "expected numbers in every row of 'vector'"),
        ([[1.0], [1.0], [None]], r"expected numbers in every row.*first in row 2, counted from 0"),
        ([[1.0], [1.0, 2.0], [1.0]], "one dimension in 'vector', got 1 to 2"),
        ([[1.0], [float("nan")], [1.0]], r"'rows.parquet'.*NaN or infinity in 1 of 3 rows.*is row 1"),
        ([[1.0], [2.0]], "got 2 for 3 texts"),
    ):
        parquet.write_table(pa.table({"vector": column}), path)
        with pytest.raises(dy.InputError, match=message):
            measured(path)
    parquet.write_table(pa.table({"vector": pa.array([], pa.list_(pa.float32()))}), path)
    with pytest.raises(dy.InputError, match="got 0 for 3 texts"):
        measured(path)


def test_a_missing_row_of_lists_of_one_length(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    fixed = pa.array([[1.0], None, [2.0]], pa.list_(pa.float32(), 1))
    try:
        parquet.write_table(pa.table({"vector": fixed}), path)
    except pa.ArrowNotImplementedError:
        pytest.skip(f"pyarrow {pa.__version__} cannot write such a file, so there is none to read")
    with pytest.raises(dy.InputError, match="expected numbers in every row"):
        measured(path)


def test_norm(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.array([[3.0, 4.0], [0.0, 0.0], [1e300, 0.0]]))
    plain, scaled = (find_embedder(f"vectors:{tmp_path / 'rows.npy'}{norm}") for norm in ("", ",norm=yes"))
    assert plain.embed(TEXTS).tolist() == [[3, 4], [0, 0], [1e300, 0]]
    assert scaled.embed(TEXTS).tolist() == [[0.6, 0.8], [0, 0], [1, 0]]
    assert plain != scaled
    with pytest.raises(dy.SpecError, match="has no columns"):
        find_embedder(f"vectors:{tmp_path / 'rows.npy'},column=x")


def test_vectors_of_the_shared_data(shared: Path) -> None:
    path = shared / "embeddings" / "atis-minilm.npz"
    rows = np.load(path)["vectors"]
    found = dy.measure([str(i) for i in range(len(rows))], "vendi", embedder=f"vectors:{path}")[0]
    assert found.value == dy.measure(rows, "vendi")[0].value
