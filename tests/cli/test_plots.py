"""`--plot` of `measure`, `compare` and `rarefaction`: files, exit codes, what is refused before any work."""

from __future__ import annotations

import csv
import json
import sys

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

VARIED, SAME = "demo:english-varied", "demo:english-repetitive"


def test_a_forest_is_written_beside_the_table(command, tmp_path):
    done = command("measure", VARIED, SAME, "-m", "self_bleu", "-m", "duplicates", "--plot", "plot.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert "self_bleu" in done.stdout
    drawn = (tmp_path / "plot.svg").read_text()
    assert all(word in drawn for word in ("english-varied", "english-repetitive", "self_bleu", "duplicates"))
    assert "tokens per text" not in drawn


def test_values_against_length(command, tmp_path):
    done = command(
        *("measure", VARIED, SAME, "-m", "self_bleu", "--plot", "plot.svg", "--plot-kind", "length"),
        *("-o", "scores.json"),
    )
    assert done.returncode == 0, done.stderr
    assert "tokens per text (mean)" in (tmp_path / "plot.svg").read_text()
    assert len(json.loads((tmp_path / "scores.json").read_text())["scores"]) == 2


def test_distances_as_a_forest_and_as_a_heat_map(command, save, tmp_path):
    save(
        "other.txt",
        "".join(f"we go to {word} by boat\n" for word in ["rome", "oslo", "bonn", "kiev", "lima"]),
    )
    asked = ("compare", VARIED, SAME, "other.txt", "-m", "jensen_shannon", "--plot")
    assert command(*asked, "forest.svg", "--noise-floor").returncode == 0
    assert "noise floor" in (tmp_path / "forest.svg").read_text()
    assert command(*asked, "matrix.svg", "--matrix").returncode == 0
    assert "average linkage" in (tmp_path / "matrix.svg").read_text()


def test_a_plot_is_drawn_though_a_requirement_is_not_met(command, tmp_path):
    done = command("measure", SAME, "-m", "duplicates", "--require", "duplicates>=2", "--plot", "plot.png")
    assert done.returncode == 1
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_curves_in_files(command, tmp_path):
    done = command(
        *("rarefaction", VARIED, SAME, "-m", "distinct:n=1", "--sizes", "180,200,240", "--interval"),
        *("--plot", "curves.pdf", "-o", "curves.csv"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "curves.pdf").read_bytes().startswith(b"%PDF")
    with (tmp_path / "curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    expected = dy.measure(dy.read(SAME), "distinct:n=1,at=200,unit=text", interval=True)[0]
    (row,) = [row for row in rows if (row["corpus"], row["size"]) == ("english-repetitive", "200")]
    assert [float(row[name]) for name in ("value", "low", "high")] == [
        expected.value,
        expected.low,
        expected.high,
    ]
    assert row["signature"] == expected.signature


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "values"])
def test_curves_in_each_format(command, form):
    done = command("rarefaction", VARIED, "--points", "3", "--format", form)
    assert (done.returncode, done.stderr) == (0, "")
    # 177 different words in all texts.
    assert "177" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("measure", "missing.txt", "--plot", "plot.gif"), "ends with .png, .svg or .pdf, got 'plot.gif'"),
        (("compare", "missing.txt", "b.txt", "--plot", "plot"), "ends with .png, .svg or .pdf, got 'plot'"),
        (("rarefaction", "missing.txt", "--plot", "plot.jpg"), "ends with .png, .svg or .pdf"),
        (("measure", "missing.txt", "--plot", "no/plot.png"), "this folder does not exist"),
        (("measure", "missing.txt", "--plot-kind", "length"), "Add --plot FILE"),
        (
            ("measure", VARIED, "-m", "self_bleu", "--plot", "p.png", "--plot-kind", "length"),
            "several corpora",
        ),
        (("measure", VARIED, "--per-text", "--plot", "p.png"), "--plot is about a corpus as a whole"),
        (("rarefaction", "missing.txt", "-m", "entropy"), "no accumulation curve"),
        (("rarefaction", "missing.txt", "--sizes", "10,x"), "Expected --sizes to be numbers"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(command, tmp_path, arguments, problem):
    before = sorted(path.name for path in tmp_path.iterdir())
    done = command(*arguments, "-o", "out.csv")
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["measure", "compare", "rarefaction", "keyness"])
def test_without_matplotlib_it_stops_before_any_work(command, save, name):
    save("stubs/matplotlib.py", "raise ImportError('not here')\n")
    done = command(
        *(name, "missing.txt", "neither.txt", "--plot", "plot.png"),
        environment={"PYTHONPATH": f"stubs:{':'.join(sys.path)}"},
    )
    assert done.returncode == 2
    assert 'pip install "distinctly[plots]"' in done.stderr
    assert len(done.stderr.splitlines()) == 1
