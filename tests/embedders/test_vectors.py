"""`vectors:<file>`: one row a text, and what is said of files that are not that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import find_embedder

ROWS = np.array([[1.0, 0], [0, 1], [0, 1]])
TEXTS = ["a", "b", "c"]


def measured(path: Path, texts: list[str] = TEXTS) -> dy.Score:
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


def test_hash_holds_the_file_to_its_content(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, ROWS)
    known = find_embedder(f"vectors:{path}")
    digest = known.options()["hash"]
    assert find_embedder(f"vectors:{path},hash={digest}") == known
    np.save(path, -ROWS)
    with pytest.raises(dy.SpecError, match=f"hash {digest}"):
        find_embedder(f"vectors:{path},hash={digest}")


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    with pytest.raises(dy.InputError, match=r"rows.npy: expected one row a text, got 3 rows for 2 texts"):
        measured(tmp_path / "rows.npy", ["a", "b"])
    np.save(tmp_path / "flat.npy", ROWS[0])
    with pytest.raises(dy.InputError, match="2-D"):
        measured(tmp_path / "flat.npy")
    np.save(tmp_path / "nan.npy", np.where(ROWS > 0, np.inf, 0))
    with pytest.raises(dy.InputError, match="NaN or infinity in 3 of 3 rows"):
        measured(tmp_path / "nan.npy")
    np.savez(tmp_path / "two.npz", one=ROWS, two=ROWS)
    with pytest.raises(dy.InputError, match="got 2 among one"):
        measured(tmp_path / "two.npz")
    (tmp_path / "text.npy").write_text("no numbers")
    with pytest.raises(dy.InputError, match="another file"):
        measured(tmp_path / "text.npy")
    for source in ("", "rows.csv", str(tmp_path / "nowhere.npy")):
        with pytest.raises(dy.SpecError, match="npy"):
            find_embedder(f"vectors:{source}")


def test_vectors_that_were_made_elsewhere(shared: Path) -> None:
    path = shared / "embeddings" / "atis-minilm.npz"
    rows = np.load(path)["vectors"]
    found = dy.measure([str(i) for i in range(len(rows))], "vendi", embedder=f"vectors:{path}")[0]
    assert found.value == dy.measure(rows, "vendi")[0].value
