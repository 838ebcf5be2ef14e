"""The statements of docs/reproductions, computed again from the committed tables."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.shared import ROOT

from distinctly.judging.measures import judgements

PAGES = ROOT / "docs" / "reproductions"
# The columns of the tables of Table 3, and the measures in the CSV files.
MEASURES = {
    "A": "accuracy",
    "Aw": "weighted_accuracy",
    "ρ": "monotonicity",
    "W": "separability",
    "L": "linearity",
    "S": "size_robustness",
    "I": "imbalance_robustness",
}
OF_WORDS, OF_SIZES = ("chi", "zipf"), ("size_robustness", "imbalance_robustness")
# A metric, a measure and k; k is empty for S and I.
Place = tuple[str, str, str]


def rows_of(name: str) -> list[dict[str, str]]:
    with (PAGES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def page(name: str) -> str:
    """Return the text of a page on one line."""
    return " ".join((PAGES / name).read_text(encoding="utf-8").split())


def printed(a: str) -> dict[Place, tuple[float, int]]:
    """Return the values of the paper, with the number of their repetitions."""
    return {
        (row["metric"], row["measure"], row["k"]): (float(row["value"]), int(row["repetitions"]))
        for row in rows_of("table-3.csv")
        if row["a"] == a and row["measure"] != "time"
    }


def ours(name: str) -> dict[Place, tuple[float, float, int]]:
    """Return our values, with their standard deviations and the number of their repetitions."""
    return {
        (row["metric"].partition(":")[0], row["measure"], row["k"]): (
            float(row["mean"]),
            float(row["std"]),
            int(row["repetitions"]),
        )
        for row in rows_of(name)
        if row["measure"] != "time"
    }


def in_standard_errors(name: str, a: str) -> dict[Place, tuple[float, float, float]]:
    """Return our value, the printed one, and their difference in standard errors."""
    theirs = printed(a)
    compared = {}
    for place, (mean, deviation, repetitions) in ours(name).items():
        value, theirs_repeated = theirs[place]
        error = math.sqrt(1 / repetitions + 1 / theirs_repeated) * deviation
        compared[place] = mean, value, (mean - value) / error if error else math.inf
    return compared


def cells(title: str) -> Iterator[tuple[Place, str]]:
    """Yield the cells of the tables of a section of table-3.md."""
    text = (PAGES / "table-3.md").read_text(encoding="utf-8")
    section = re.split(r"^##+ ", text.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    columns: list[str] = []
    k = ""
    for line in section.splitlines():
        if not line.startswith("|"):
            continue
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if row[0].startswith("`"):
            for column, cell in zip(columns, row[1:]):
                yield (row[0].strip("`"), MEASURES[column], k), cell
        elif not row[0].startswith("-"):
            columns, k = row[1:], row[0].removeprefix("k = ")


def bare(number: float) -> str:
    return f"{number:.3f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.3f}"


@pytest.mark.parametrize(
    ("title", "file", "a"),
    [
        ("The top half, as in the paper", "table-3-top.csv", "clinc150"),
        ("The bottom half: atis × Yahoo", "table-3-bottom-train.csv", "atis"),
    ],
)
def test_every_cell_is_that_of_the_files(title: str, file: str, a: str) -> None:
    compared = in_standard_errors(file, a)
    shown = dict(cells(title))
    assert shown.keys() == compared.keys()
    for place, cell in shown.items():
        mean, value, errors = compared[place]
        both, _, difference = cell.partition(" (")
        assert both == f"{bare(mean)} / {bare(value)}", place
        # Where nothing varies over repetitions, there is no standard error.
        if difference and difference != "far)":
            assert float(difference.rstrip(")")) == pytest.approx(errors, abs=0.051), place


def test_the_cells_of_distances_on_vectors_are_within_three_standard_errors() -> None:
    compared = in_standard_errors("table-3-top.csv", "clinc150")
    errors = [
        abs(errors)
        for (metric, measure, _), (_, _, errors) in compared.items()
        if metric not in OF_WORDS and measure not in OF_SIZES
    ]
    assert "all 60 cells of A, Aw, ρ, W and L of the six distances on vectors are within 3" in page(
        "table-3.md"
    )
    assert len(errors) == 60
    assert max(errors) < 3


def test_how_many_cells_of_the_bottom_half_are_within_three_standard_errors() -> None:
    compared = in_standard_errors("table-3-bottom-train.csv", "atis")
    errors = [abs(errors) for (_, measure, _), (_, _, errors) in compared.items() if measure not in OF_SIZES]
    within = sum(error < 3 for error in errors)
    assert f"{within} of the {len(errors)} cells are within 3 standard errors" in page("table-3.md")


def test_all_rows_of_atis_lead_to_the_same_values() -> None:
    train, everything = ours("table-3-bottom-train.csv"), ours("table-3-bottom-all.csv")
    errors = {}
    for place, (mean, deviation, repetitions) in everything.items():
        other, other_deviation, other_repetitions = train[place]
        variance = deviation**2 / repetitions + other_deviation**2 / other_repetitions
        errors[place] = abs(mean - other) / math.sqrt(variance)
    assert f"All {len(errors)} cells of A, Aw, ρ, W and L differ by less than 3 standard errors" in page(
        "table-3.md"
    )
    assert max(errors.values()) < 3
    assert max(errors, key=lambda place: errors[place]) == ("zipf", "monotonicity", "7")
    for metric in sorted({metric for metric, _, _ in everything}):
        both = [
            f"{bare(train[metric, MEASURES[sign], k][0])} / {bare(everything[metric, MEASURES[sign], k][0])}"
            for sign in ("A", "ρ", "W")
            for k in ("7", "12")
        ]
        assert f"| `{metric}` | {' | '.join(both)} |" in page("table-3.md")


def test_how_far_s_and_i_are_from_the_paper() -> None:
    compared = in_standard_errors("table-3-top.csv", "clinc150")
    differences = {
        (metric, measure): abs(float(bare(mean)) - value)
        for (metric, measure, _), (mean, value, _) in compared.items()
        if measure in OF_SIZES
    }
    near = [difference for difference in differences.values() if round(difference, 3) <= 0.015]
    sentence = (
        f"Of the {len(differences)} cells, {len(near)} differ from the printed ones by at most .015; S of "
        f"ZIPF differs by {bare(differences['zipf', 'size_robustness'])}, and S of CHI by "
        f"{bare(differences['chi', 'size_robustness'])}."
    )
    assert len(near) == len(differences) - 2
    assert sentence in page("table-3.md")


def test_the_numbers_of_judgements() -> None:
    """The 339 judgements that the paper prints for k = 7 are those of k = 8."""
    text = page("table-3.md")
    for k, printed_number in ((7, "339"), (8, "–"), (12, "6,053")):
        formula = sum((k - i) * (i * (i - 1) // 2 - 1) for i in range(1, k + 1))
        once, listed = judgements(k).count, judgements(k, repeated=True).count
        assert f"| {k} | {once} | {listed:,} | {formula} | {printed_number} |" in text


def test_the_rows_of_atis(shared: Path) -> None:
    import json

    rows = [json.loads(line) for line in (shared / "atis.jsonl").read_text(encoding="utf-8").splitlines()]
    train = [row["text"] for row in rows if row["split"] == "train"]
    test = [row["text"] for row in rows if row["split"] == "test"]
    text = page("table-3.md")
    assert f"{len(rows):,} rows: {len(train):,} of the training part and {len(test):,} of the test" in text
    assert f"{len(set(train)):,} of the former are distinct" in text
    # The paper prints 4978 (its Table 2).
    assert len(train) == 4978


def test_every_page_says_how_long_its_commands_take() -> None:
    """Each page gives processor and clock seconds, and README lists them."""
    readme = page("README.md")
    names = sorted(file.name for file in PAGES.glob("*.md") if file.name != "README.md")
    assert len(names) == 6
    for name in names:
        assert re.search(r"[\d,.]+ s of processor time", page(name)), name
        assert re.search(r"[\d,.]+ s on the clock", page(name)), name
        assert re.search(rf"\({re.escape(name)}\)[^|]*\|[^|]*\|[^|]*\| [\d,.]+ s\b", readme), name


def test_the_counts_of_the_page_of_known_diversity() -> None:
    text = (PAGES / "known-diversity.md").read_text(encoding="utf-8")
    first: dict[str, float] = {}
    repeats: dict[str, float] = {}
    for line in text.splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(row) == 10:
            for column, values in ((1, first), (4, repeats)):
                if match := re.match(r"\d\.\d+", row[column]):
                    values[row[0].strip("`").partition(":pool")[0]] = float(match[0])
    assert len(first) == 34
    ranked = sorted(first.values())
    assert f"(A from {ranked[0]:.3f} to {ranked[-1]:.3f})" in " ".join(text.split())
    assert round(ranked[-1] - ranked[-2], 3) == 0.01  # "`compression` is best by 0.01"
    under = {name for name, value in repeats.items() if value < 0.86}
    assert under == {"simpson", "yule", "mattr", "msttr", "dispersion", "homogenization"}


def test_the_counts_of_the_page_of_human_diversity() -> None:
    text = (PAGES / "tevet-human-diversity.md").read_text(encoding="utf-8")
    table = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith(("| `", "| *metric"))
    ]
    ours_and_theirs = [row for row in table if len(row) == 11]
    near = {column: sum("≈" in row[column] for row in ours_and_theirs) for column in (5, 6)}
    # The best itself is not counted.
    assert (
        f"of {len(ours_and_theirs) - 1} metrics, {near[5]} (responses) and {near[6]} (stories)"
        in " ".join(text.split())
    )
