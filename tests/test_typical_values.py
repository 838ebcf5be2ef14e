"""The script that measures typical values: what it writes, and that the cards show what it has measured."""

from __future__ import annotations

import doctest
import gzip
import json
import math
from collections import defaultdict
from pathlib import Path

import pytest
from scripts import typical_values
from scripts.typical_values import (
    BEGIN,
    CSV,
    DEMO,
    END,
    GPT4,
    HRED,
    PAIRS,
    PEOPLE,
    PEOPLE_AGAIN,
    SOURCES,
    TEXTS,
    Row,
    main,
    measure_all,
    places_of,
    read_corpora,
    read_rows,
    rounded,
    specs_of,
    table,
)

from distinctly.registry import metric_names

DEMO_PLACES = {("", DEMO[0]), ("", DEMO[1]), DEMO}
CARD = f"# ttr\n\nMeaning.\n\n{BEGIN}\nold\n{END}\n\nA remark.\n"


def by_metric(rows: list[Row]) -> dict[str, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[row.metric].append(row)
    return found


def test_examples_of_the_script() -> None:
    result = doctest.testmod(typical_values)
    assert result.attempted > 0
    assert result.failed == 0


def test_cards_show_the_values_of_the_file(root: Path) -> None:
    rows = by_metric(read_rows(root / "docs" / "metrics" / CSV))
    assert set(rows) <= set(metric_names())
    for name, measured in rows.items():
        card = (root / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
        assert f"{BEGIN}\n\n{table(measured)}\n\n{END}\n" in card, (
            f"run python -m scripts.typical_values {name}"
        )


def test_metrics_of_a_kind_have_the_same_corpora(root: Path) -> None:
    """Without the public data sets, a new metric is measured on the texts of the demonstration alone."""
    complete = 0
    for name, rows in by_metric(read_rows(root / "docs" / "metrics" / CSV)).items():
        for spec in specs_of(name):
            places = [row.place for row in rows if row.spec == spec]
            assert places in (places_of(name), [place for place in places_of(name) if place in DEMO_PLACES])
        complete += {row.place for row in rows} == set(places_of(name))
    assert complete >= 57  # the metrics of version 0.1, all of which have all corpora


def test_only_what_is_between_the_markers_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = tmp_path / "ttr.md"
    card.write_text(CARD, encoding="utf-8")
    main(["ttr", "--demo", "--cards", str(tmp_path)])
    before, _, rest = card.read_text(encoding="utf-8").partition(BEGIN)
    lines, _, after = rest.partition(END)
    assert before + BEGIN + "\nold\n" + END + after == CARD
    # The numbers are tested in tests/contract/test_cards.py.
    cells = [line.split(" | ")[0] for line in lines.splitlines() if line.startswith("| `demo")]
    assert cells == [f"| `{name}`" for name in DEMO]
    written = card.read_bytes(), (tmp_path / CSV).read_bytes()
    main(["ttr", "--demo", "--cards", str(tmp_path)])
    assert (card.read_bytes(), (tmp_path / CSV).read_bytes()) == written
    assert "demo:english-varied" in capsys.readouterr().err


def test_values_of_other_metrics_and_corpora_are_kept(tmp_path: Path) -> None:
    (tmp_path / "ttr.md").write_text(CARD, encoding="utf-8")
    others = [
        Row("ttr", "ttr", "", HRED, TEXTS, 8.7, TEXTS, 0.5, "0"),
        Row("types", "types:n=1", "", DEMO[0], 20, 12.1, 20, 177.0, "0"),
    ]
    stale = Row("ttr", "ttr", "", "a corpus of earlier versions", TEXTS, 1.0, TEXTS, 0.5, "0")
    typical_values.write_rows(tmp_path / CSV, others)
    with (tmp_path / CSV).open("a", encoding="utf-8") as lines:
        lines.write("ttr,ttr,,a corpus of earlier versions,500,1.0,500,0.5,0\n")
    assert stale in read_rows(tmp_path / CSV)
    main(["ttr", "--demo", "--cards", str(tmp_path)])
    rows = read_rows(tmp_path / CSV)
    assert [row for row in rows if row.corpus not in DEMO or row.metric == "types"] == others
    assert [row.corpus for row in rows if row.metric == "ttr"] == [*DEMO, HRED]
    assert f"| {HRED} | 8.7 | 0.500 |" in (tmp_path / "ttr.md").read_text(encoding="utf-8")


def test_without_data_or_markers_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(["ttr", "--data", str(tmp_path), "--cards", str(tmp_path)])
    assert error.value.code == 2
    assert "is not there: give the folder of the public data sets with --data" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["type_token_ratio", "--demo", "--cards", str(tmp_path)])
    assert "there is no metric 'type_token_ratio'" in capsys.readouterr().err
    (tmp_path / "ttr.md").write_text("# ttr\n", encoding="utf-8")
    (tmp_path / "types.md").write_text(CARD, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"ttr.md: write the lines '<!-- typical values -->'"):
        main(["types", "ttr", "--demo", "--cards", str(tmp_path)])
    assert (tmp_path / "types.md").read_text(encoding="utf-8") == CARD
    assert not (tmp_path / CSV).exists()


def test_samples_have_the_same_prompts_and_halves_no_common_text(tmp_path: Path) -> None:
    for file in {source.file for source in SOURCES.values()}:
        labels = [source.label for source in SOURCES.values() if source.file == file]
        rows = [{"text": f"{label} {i}", "label": label} for label in set(labels) for i in range(1100)]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        path = tmp_path / file
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress(lines.encode()))
        else:
            path.write_text(lines, encoding="utf-8")
    corpora = read_corpora(tmp_path)
    assert all(len(texts) == (20 if name in DEMO else TEXTS) for name, texts in corpora.items())
    people, hred = corpora[PEOPLE], corpora[HRED]
    assert [text.split()[1] for text in people] == [text.split()[1] for text in hred]
    assert people[0].split()[0] == "reference"
    assert not set(people) & set(corpora[PEOPLE_AGAIN])
    assert len({*people, *corpora[PEOPLE_AGAIN]}) == 2 * TEXTS


def test_a_cell_says_how_many_texts_have_a_value() -> None:
    def shown(measured: int, value: float = 0.5) -> str:
        lines = table([Row("ttr", "ttr", "", GPT4, TEXTS, 9.0, measured, value, "0")]).splitlines()
        return lines[-1].rpartition(" | ")[2]

    assert shown(TEXTS) == shown(450) == "0.500 |"
    assert shown(449) == "0.500 (of 449) |"
    assert shown(0, math.nan) == "– |"


def test_values_of_the_public_corpora(root: Path, shared: Path) -> None:
    """Measure a few of them again."""
    stored = {(row.spec, row.place): row for row in read_rows(root / "docs" / "metrics" / CSV)}
    measured = measure_all(["distinct", "mattr", "jensen_shannon"], read_corpora(shared))
    assert {row.place for row in measured} >= set(PAIRS)
    for row in measured:
        kept = stored[row.spec, row.place]
        assert (row.texts, row.measured, row.tokens_per_text) == (
            kept.texts,
            kept.measured,
            kept.tokens_per_text,
        )
        assert rounded(row.value) == rounded(kept.value)
