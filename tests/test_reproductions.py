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
from distinctly.sets import SETS, specs_in

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


def rows_in(path: Path, heading: str) -> list[list[str]]:
    """Return the rows of the tables of a section, without the outer bars."""
    text = path.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    section = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line[1:].rstrip().removesuffix("|").split("|")] for line in lines]


def orderings() -> dict[tuple[str, str, str, str], dict[str, str]]:
    """Return the findings on the new metrics, by corpus, construction, metric and measure."""
    return {
        (row["corpus"], row["construction"], row["metric"], row["measure"]): row
        for row in rows_of("new-metrics-diversity.csv")
    }


def lengths() -> dict[tuple[str, str], dict[str, str]]:
    """Return the changes of the new metrics with length, by corpus and metric."""
    return {(row["corpus"], row["metric"]): row for row in rows_of("new-metrics-length.csv")}


def in_classes(corpus: str, metric: str) -> float:
    """Return the change with length, divided by the change from one class to many."""
    row = lengths()[f"{corpus}, 100 texts", metric]
    low, high = (
        float(orderings()[corpus, "classes", metric, measure]["mean"])
        for measure in ("value_at_lowest", "value_at_highest")
    )
    return (float(row["at_longest"]) - float(row["at_shortest"])) / (high - low)


def accuracy(row: dict[str, str]) -> tuple[float, str]:
    """Return A, and A with ties as wrong if over 2 % of the pairs are ties."""
    return float(row["mean"]), f" ({float(row['strict']):.3f})" if float(row["ties"]) > 0.02 else ""


def test_new_metrics_on_known_diversity() -> None:
    found = orderings()
    shown = rows_in(PAGES / "known-diversity.md", "New metrics")[1:]
    assert len(shown) == 20
    for name, *row in shown:
        expected = []
        for corpus in ("clinc150", "banking77"):
            for construction in ("classes", "repeats"):
                place = corpus, construction, name.strip("`")
                if not found[(*place, "accuracy")]["mean"]:
                    expected += ["–", "–"]
                    continue
                mean, strict = accuracy(found[(*place, "accuracy")])
                expected += [f"{mean:.3f}{strict}", f"{float(found[(*place, 'monotonicity')]['mean']):.3f}"]
        assert row == expected, name


def test_new_metrics_against_length() -> None:
    found = lengths()
    shown = rows_in(PAGES / "figures-1-2-length.md", "New metrics")[1:]
    assert len(shown) == 21
    for name, *row in shown:
        metric = name.strip("`")
        corpora = ("clinc150", "dailydialog", "alpacaeval", "clinc150 drawn", "alpacaeval drawn")
        for corpus, cell in zip(corpora, row):
            if cell == "–":
                continue
            expected = found[corpus, metric]
            assert cell.removesuffix(" ~") == f"{100 * float(expected['change']):+.0f} {expected['verdict']}"
        for corpus, cell in zip(("clinc150", "banking77"), row[len(corpora) :]):
            if cell != "–":
                assert cell == f"{in_classes(corpus, metric):+.2f}", (metric, corpus)


def test_the_agreement_with_people_in_the_guide() -> None:
    """The means and the values on McDiv nuggets are those of the page."""
    known: dict[str, tuple[str, str]] = {}
    lines = (PAGES / "tevet-human-diversity.md").read_text(encoding="utf-8").splitlines()
    for line in lines:
        name, *row = [cell.strip() for cell in line.strip("|").split("|")]
        spec = name.removeprefix("WordLlama, ").strip("`")
        if name.startswith("`") and len(row) == 10:
            known[spec] = row[-1], " / ".join(cell.split(" ")[0] for cell in row[6:9])
        elif name.startswith(("`", "WordLlama, ")) and not name.startswith("`minilm`") and len(row) == 4:
            known[spec] = row[-1], row[2]
    shown = rows_in(ROOT / "docs" / "choosing.md", "Agreement with people")[1:]
    assert len(shown) == 11
    for row in shown:
        for name, mean, nuggets in (row[:3], row[4:]):
            assert known[name.strip("`")] == (mean, nuggets), name


def test_the_correlations_in_the_guide() -> None:
    """Above the diagonal those of human sets, below those of samples of systems."""
    above, below = (
        {frozenset((row["first"], row["second"])): row for row in rows_of(f"correlations-{name}.csv")}
        for name in ("tevet", "systems")
    )
    shown = rows_in(ROOT / "docs" / "choosing.md", "Which say the same?")[1:]
    names = [row[0].split("`")[1] for row in shown]
    assert len(names) == 16
    for place, (name, row) in enumerate(zip(names, shown)):
        for other_place, (other, cell) in enumerate(zip(names, row[1:])):
            if name == other:
                assert cell == ""
                continue
            pair = (above if other_place > place else below)[frozenset((name, other))]
            value = float(pair["spearman"])
            expected = "–" if math.isnan(value) else f"{value:.2f}".replace("0.", ".")
            assert cell == expected + ("°" if pair["subsets"] == "4" else ""), (name, other)


def test_the_trials_in_the_guide() -> None:
    found = orderings()
    shown = rows_in(ROOT / "docs" / "choosing.md", "Classes, repeats, length")[1:]
    assert len(shown) == 19

    def written(number: float, digits: int, sign: str = "") -> str:
        return (
            f"{number:{sign}.{digits}f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:{sign}.3g}"
        )

    for name, classes, repeats, length in shown:
        metric = name.split("`")[1]
        if metric == "duplicates":
            assert (classes, repeats, length) == ("–", "1.000, 1.000", "–")
            continue
        for construction, cell in (("classes", classes), ("repeats", repeats)):
            both = []
            for corpus in ("clinc150", "banking77"):
                mean, strict = accuracy(found[corpus, construction, metric, "accuracy"])
                both.append(f"{mean:.3f}{strict}".replace("0.", "."))
            assert cell == ", ".join(both), (metric, construction)
        changes = [in_classes(corpus, metric) for corpus in ("clinc150", "banking77")]
        both = [re.sub(r"(?<=[+-])0", "", f"{change:+.2f}") for change in changes]
        assert length == ", ".join(both), metric


def test_the_sets_in_the_guide() -> None:
    rows = rows_in(ROOT / "docs" / "choosing.md", "Named sets")
    shown = {row[0].strip("`"): row[1].replace("`", "").split(", ") for row in rows if len(row) == 3}
    for name in ("lexical", "content", "repetition", "richness"):
        assert shown[name] == list(specs_in(name))
    assert shown.keys() - {"set"} == SETS.keys()
