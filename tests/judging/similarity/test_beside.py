"""Published values beside ours: reading, matching, and showing them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.judging.similarity.mixtures import A, B, try_it

import distinctly as dy
from distinctly.errors import MissingFileError
from distinctly.judging.page import page_of
from distinctly.judging.similarity.beside import Published, PublishedValue, read_published
from distinctly.judging.trial import Finding


def save(folder: Path, text: str) -> Path:
    """Write a file of published values."""
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def found(metric: str = "frechet", measure: str = "accuracy", k: int = 7, **more: object) -> Finding:
    return Finding(metric=metric, measure=measure, mean=0.5, settings={"n": 100, "k": k, **more})


def test_table_3_of_the_paper(root: Path) -> None:
    table = read_published(root / "docs" / "reproductions" / "table-3.csv")
    assert (
        len(table.values) == 2 * 8 * 14
    )  # halves, metrics, columns: six measures at two k, and two of sizes
    top = table.about(["clinc150.jsonl.gz", "banking77.jsonl"])
    assert len(top.values) == 8 * 14

    def value(part: Published, finding: Finding) -> tuple[float, int | None] | None:
        published = part.find(finding)
        return None if published is None else (published.value, published.repetitions)

    # Accuracy of FID at k = 7, and the two robustnesses of MAUVE.
    assert value(top, found()) == (0.949, 5)
    sizes = [
        Finding(metric="mauve:seeds=1", measure=one, mean=0.5)
        for one in ("size_robustness", "imbalance_robustness")
    ]
    assert [value(top, one) for one in sizes] == [(0.977, 10), (0.943, 10)]
    bottom = table.about(["ATIS", "yahoo-nfl6"])
    assert value(bottom, found("irpr:preset=paper", "separability")) == (-0.02, 5)
    assert value(top, found(k=8)) is value(top, replace(found(), part="mean")) is None
    assert table.about(["banking77", "clinc150"]).values == []


def test_a_value_for_options_comes_before_one_for_all() -> None:
    table = Published(
        "t", [PublishedValue("mmd", "accuracy", 0.1), PublishedValue("mmd:width=1", "accuracy", 0.2)]
    )
    values = [table.find(found(metric)) for metric in ("mmd", "mmd:width=1", "mmd:width=2")]
    assert [one and one.value for one in values] == [0.1, 0.2, 0.1]


def test_ours_is_shown_beside_it(tmp_path: Path) -> None:
    rows = "zipf,accuracy,0.5,,4,\nzipf,monotonicity,0.25,,,5\nzipf,time,9,,,\nzipf,linearity,0.3,,12,\n"
    path = save(tmp_path, f"metric,measure,value,n,k,repetitions\n{rows}")
    trial = try_it("zipf", k=4, repetitions=5, beside=path)
    page = page_of(trial)
    plain = page_of(replace(trial, beside=None))
    (table,) = page.tables[len(plain.tables) :]
    n = trial.settings["plan"]["accuracy"][0][0]
    assert table.title == f"Beside table.csv, n = {n}, k = 4"
    assert [column.title for column in table.columns] == ["metric", "A", "ρ"]
    assert table.rows[0][1].text.split()[1:] == [".500"]  # no repetitions, no standard error
    ours = next(one for one in trial.findings if one.measure == "monotonicity")
    apart = (ours.mean - 0.25) / (ours.std * (1 / ours.repetitions + 1 / 5) ** 0.5)
    assert table.rows[0][2].text.split()[1:] == [".250", f"{apart:+.1f}"]
    assert page.tables[: len(plain.tables)] == plain.tables


def test_a_table_of_other_corpora_is_reported(tmp_path: Path) -> None:
    path = save(tmp_path, "a,metric,measure,value\nother,zipf,accuracy,0.5\n")
    page = page_of(try_it("zipf", beside=path))
    assert "table.csv has no value of these corpora, metrics and measures." in page.notes


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "metric,value\n",
            "table.csv: expected the columns metric, measure, value .* got none called measure",
        ),
        (
            "metric,measure,value\nzipf,accuracy,x\n",
            "table.csv, row 1: could not convert string to float: 'x'",
        ),
        (
            "metric,measure,value\nzipf,acuracy,1\n",
            "row 1: Unknown measure 'acuracy'. Did you mean 'accuracy'",
        ),
        ("metric,measure,value,repetitions\nzipf,accuracy,1,0\n", "expected at least 1 repetition, got 0"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(dy.InputError, match=problem):
        dy.judging.known_similarity(A, B, "zipf", beside=save(tmp_path, text))


def test_a_missing_file_is_an_error_of_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nothing.csv"
    with pytest.raises(MissingFileError) as raised:
        dy.judging.known_similarity(A, B, "zipf", beside=path)
    assert str(raised.value) == (
        f"{path}: no such file with published values. Give a CSV file with the columns metric, measure, "
        "value, or leave --beside (Python: beside=) out."
    )
