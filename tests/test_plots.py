"""Plots of scores and of matrices: what is drawn where, read from the artists of the figure."""

from __future__ import annotations

import math
import pickle
import sys

import numpy as np
import pytest

import distinctly as dy
from distinctly.errors import InputError, MissingExtraError, SpecError
from distinctly.matrix import Matrix
from distinctly.report.figures import lettering

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("matplotlib.style")

# 12 texts with 40 tokens; and 12 texts with 48 tokens, of which 40 are 10 texts on average.
VARIED = ["the cat sat down", "a dog ran off", "we look at it", "let us see her", "it rains now", "they sing"]
VARIED += [
    "no one came home",
    "she left early",
    "my house is red",
    "he reads books",
    "soup on monday",
    "go up",
]
SAME = [f"{word} cat sat on" for word in "a the one my our his her any this that no some".split()]  # noqa: SIM905
OTHER = [f"we go to {word}" for word in "rome oslo bonn kiev lima pisa nice york".split()]  # noqa: SIM905
CORPORA = {"same": SAME, "varied": VARIED, "other": [*OTHER, *OTHER[:4]]}
METRICS = ["distinct:n=1", "self_bleu"]
# Energy of vectors on the circle, so that distances are known without an embedder.
ANGLES = {"east": 0.0, "north": math.pi / 2, "near east": 0.2, "west": math.pi}


def panels(figure):
    """Return the axes by their titles."""
    return {axis.get_title(loc="left").replace("\n", ""): axis for axis in figure.axes if axis.axison}


def drawn(axis, label):
    """Return the x and the middle of y of the lines with a label."""
    lines = [line for line in axis.lines if line.get_label() == label]
    return [(line.get_xdata().tolist(), float(np.mean(line.get_ydata()))) for line in map(_arrays, lines)]


def _arrays(line):
    line.set_data(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()))
    return line


def names(axis):
    """Return the labels of the rows from the top."""
    rows = sorted(zip(axis.get_yticks(), axis.get_yticklabels()), key=lambda row: row[0])
    assert axis.get_ylim()[0] > axis.get_ylim()[1]
    return [label.get_text() for _, label in rows]


def numbers(axis):
    """Return the texts at the right of the rows from the top."""
    return [text.get_text() for text in sorted(axis.texts, key=lambda text: text.xy[1])]


def notes(figure):
    """Return the notes below the charts, on one line."""
    texts = [text.get_text() for part in figure.subfigs for text in part.texts]
    return " ".join(texts).replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")


def vectors(angle, count=5):
    """Return unit vectors around an angle."""
    around = angle + np.linspace(-0.1, 0.1, count)
    return np.column_stack([np.cos(around), np.sin(around)])


def matrix_scores(spec="energy", **options):
    return dy.compare(
        {name: vectors(at) for name, at in ANGLES.items()}, metrics=spec, matrix=True, **options
    )


def test_a_forest_has_values_intervals_and_marks():
    scores = dy.measure(CORPORA, METRICS, interval=True)
    figure = scores.plot()
    by_title = panels(figure)
    # Distinct is shown at the size of the smallest corpus, in place of all texts.
    (sized,) = {score.spec for score in scores if score.plain_spec == "distinct:n=1"}
    assert list(by_title) == [sized, "self_bleu"]
    ranked = sorted(CORPORA, key=lambda name: -scores.select(corpus=name)[sized].value)
    assert names(by_title[sized]) == ranked
    for spec, axis in by_title.items():
        of_corpus = {name: scores.select(corpus=name)[spec] for name in ranked}
        assert drawn(axis, "value") == [([of_corpus[name].value], row) for row, name in enumerate(ranked)]
        assert drawn(axis, "interval") == [
            ([of_corpus[name].low, of_corpus[name].high], row) for row, name in enumerate(ranked)
        ]
        compared = [each for each in scores.comparisons if each.metric == spec]
        marks = {each.corpus: "≈" if each.noise else "" for each in compared} | {compared[0].best: "*"}
        written = numbers(axis)
        assert [text[6:] for text in written] == [marks[name] for name in ranked]
        assert [float(text[:6]) for text in written] == pytest.approx(list(of_corpus.values()), abs=5e-5)
        (diamond,) = [line for line in axis.lines if line.get_marker() == "D"]
        assert diamond.get_xdata()[0] == of_corpus[compared[0].best].value
    assert "Lines are 95 % intervals" in notes(figure)
    assert "Diamond, *: most diverse" in notes(figure)


def test_without_intervals_there_are_points_alone():
    scores = dy.measure(CORPORA, "self_bleu")
    figure = scores.plot()
    (axis,) = panels(figure).values()
    assert len(drawn(axis, "value")) == 3
    assert drawn(axis, "interval") == []
    assert "interval" not in notes(figure)


def test_undefined_values_have_a_row_but_no_point():
    scores = dy.measure({"some": VARIED, "short": ["a", "b"]}, ["distinct:n=3", "distinct:n=1"])
    axis = panels(scores.plot())["distinct:n=3"]
    assert names(axis) == ["some", "short"]
    assert numbers(axis)[1] == "undefined"
    assert [row for _, row in drawn(axis, "value")] == [0.0]
    (empty,) = panels(dy.measure(["a", "b"], "distinct:n=3").plot()).values()
    assert numbers(empty) == ["undefined"]
    assert drawn(empty, "value") == []
    assert len(empty.get_xticks()) == 0


def test_a_forest_of_one_corpus_shows_a_number_from_zero_on():
    scores = dy.measure(VARIED, ["types:n=1", "duplicates"])
    by_title = panels(scores.plot())
    assert by_title["types:n=1"].get_xlim()[0] == 0
    assert drawn(by_title["types:n=1"], "value") == [([scores["types:n=1"].value], 0.0)]
    assert by_title["duplicates"].get_xlim() == (0, 1)


def test_scopes_are_panels():
    texts = [["a b c", "a b d", "e f"], ["u v w", "u v x", "y z"]] * 6
    scores = dy.measure(texts, "duplicates")
    assert list(panels(scores.plot())) == [
        "duplicates (within)",
        "duplicates (across)",
        "duplicates",
    ]


def test_distances_are_nearest_first_beside_their_floors():
    scores = dy.compare(
        {"same": SAME, "other": OTHER, "alike": SAME[1:]},
        metrics=["jensen_shannon", "energy"],
        noise_floor=True,
    )
    figure = scores.plot()
    assert names(figure.axes[0]) == ["alike", "other"]
    for spec, axis in panels(figure).items():
        by_name = {score.corpus: score for score in scores[spec]}
        assert drawn(axis, "value") == [([by_name["alike"].value], 0), ([by_name["other"].value], 1)]
        floors = [by_name[name].floor for name in ("alike", "other")]
        assert drawn(axis, "floor") == [([floor.mean] * 2, row) for row, floor in enumerate(floors)]
        assert drawn(axis, "at size") == [([floor.distance_at_size], row) for row, floor in enumerate(floors)]
        assert [text[-1] == "*" for text in numbers(axis)] == [True, False]
    assert "Distances from same" in notes(figure)
    # Half of the 12 texts of the reference.
    assert "two random parts of the reference of 6 texts" in notes(figure)


def test_values_against_length():
    scores = dy.measure(CORPORA, METRICS, interval=True)
    figure = scores.plot("length")
    by_title = panels(figure)
    assert list(by_title) == list(dict.fromkeys(score.spec for score in scores))
    lengths = {name: sum(len(text.split()) for text in texts) / len(texts) for name, texts in CORPORA.items()}
    for spec, axis in by_title.items():
        points = {group.get_label(): group for group in axis.collections if group.get_label() in CORPORA}
        assert {name: points[name].get_offsets().tolist() for name in CORPORA} == {
            name: [[lengths[name], scores.select(corpus=name)[spec].value]] for name in CORPORA
        }
        assert axis.get_xlabel() == "tokens per text (mean)"
    captions = {text.get_text() for axis in by_title.values() for text in axis.texts}
    assert captions == set(CORPORA)
    (legend,) = [legend for part in figure.subfigs for legend in part.legends]
    assert [text.get_text() for text in legend.get_texts()] == list(CORPORA)


def test_distances_against_length_name_the_length_of_the_reference():
    (axis,) = panels(dy.compare(CORPORA, metrics="chi").plot("length")).values()
    # 48 tokens in the 12 texts of the reference, and 40 and 48 in those of the candidates.
    assert axis.get_xlabel() == "tokens per text (mean; reference: 4.0)"
    points = {group.get_label(): group.get_offsets()[0, 0] for group in axis.collections}
    assert points == {"varied": 40 / 12, "other": 4.0}


def test_names_beside_points_are_shortened():
    corpora = {f"{name}: a name that is far too long beside a point": CORPORA[name] for name in CORPORA}
    axis = dy.measure(corpora, "self_bleu").plot("length").axes[0]
    written = [text.get_text() for text in axis.texts]
    assert len(set(written)) == 3
    assert max(map(len, written)) <= 24


@pytest.mark.parametrize(
    ("scores", "kind", "problem"),
    [
        (lambda: dy.measure(VARIED, "duplicates"), "length", "several corpora, got 'texts' alone"),
        (matrix_scores, "forest", "one reference"),
        (matrix_scores, "length", "tokens per text"),
        (lambda: dy.compare(CORPORA, metrics="chi", matrix=True), "length", "one reference"),
        (lambda: dy.measure(CORPORA, "duplicates"), "matrix", "all pairs of corpora"),
        (lambda: dy.measure(VARIED, "duplicates"), "pie", "Unknown kind 'pie'"),
        (lambda: dy.Scores(()), None, "no scores to draw"),
        (
            lambda: dy.measure({"a": ["x"], "b": ["y z"]}, "distinct:n=4"),
            "length",
            "all scores are undefined",
        ),
    ],
)
def test_what_cannot_be_drawn_is_an_error(scores, kind, problem):
    with pytest.raises(SpecError, match=problem):
        scores().plot(kind)


def test_a_matrix_has_the_distances_of_the_scores():
    scores = dy.compare(CORPORA, metrics=["chi", "novelty:n=1"], matrix=True)
    matrix = scores.matrix("novelty:n=1")
    assert (matrix.names, matrix.spec, matrix.symmetric) == (list(CORPORA), "novelty:n=1", False)
    assert scores.matrix("chi").symmetric
    frame = matrix.to_pandas()
    assert list(frame.index) == list(frame.columns) == list(CORPORA)
    for row, reference in enumerate(matrix.names):
        for column, corpus in enumerate(matrix.names):
            values = [
                s.value for s in scores["novelty:n=1"] if (s.reference, s.corpus) == (reference, corpus)
            ]
            assert values == ([] if row == column else [matrix.values[row, column]])
            assert values == ([] if row == column else [frame.loc[reference, corpus]])
    assert np.isnan(matrix.values.diagonal()).all()
    assert "<th>varied</th>" in matrix._repr_html_()
    with pytest.raises(SpecError, match="Unknown score 'mauve'"):
        scores.matrix("mauve")
    with pytest.raises(SpecError, match="Expected one metric, got chi, novelty:n=1"):
        scores.matrix()
    assert matrix_scores().matrix().spec == "energy"


def test_names_of_corpora_are_escaped_in_notebooks():
    matrix = Matrix.of("energy", ["<b>", "&"], [[math.nan, 1.0], [1.0, math.nan]])
    assert "<b>" not in matrix._repr_html_()
    assert "&lt;b&gt;" in matrix._repr_html_()


def test_a_heat_map_is_in_the_order_of_its_dendrogram():
    figure = matrix_scores().plot()
    heat, tree = panels(figure)["energy"], figure.axes[1]
    order = [label.get_text() for label in heat.get_yticklabels()]
    assert [label.get_text() for label in heat.get_xticklabels()] == order
    # On the circle, the two in the east are nearest, and the north is between them and the west.
    assert set(order[:2]) == {"east", "near east"} or set(order[-2:]) == {"east", "near east"}
    values = matrix_scores().matrix().to_pandas().loc[order, order].to_numpy()
    image = heat.images[0].get_array()
    assert np.array_equal(image.filled(np.nan), values, equal_nan=True)
    brackets = [(line.get_xdata(), line.get_ydata()) for line in tree.lines]
    # The first join is at the smallest distance; the heights rise.
    assert brackets[0][0][1] == pytest.approx(np.nanmin(values))
    assert [x[1] for x, _ in brackets] == sorted(x[1] for x, _ in brackets)
    # Each row is a leaf of one bracket.
    assert sorted(y for x, ys in brackets for y, end in zip((ys[0], ys[3]), (x[0], x[3])) if end == 0) == [
        0,
        1,
        2,
        3,
    ]
    assert "average linkage" in notes(figure)
    # 4 × 4 numbers, of which those on the diagonal are empty.
    assert sum(bool(text.get_text()) for text in heat.texts) == 12


def test_the_dendrogram_by_hand():
    # c–d at 1; a–b at 2; then the mean of 4, 6, 5, 9 is 6. The rows a and b are apart in the input.
    distances = {"ac": 4, "ad": 6, "ab": 2, "bc": 5, "bd": 9, "cd": 1}
    names = ["a", "c", "b", "d"]
    rows = [[distances.get("".join(sorted((x, y))), math.nan) for y in names] for x in names]
    matrix, joins = Matrix.of("m", names, rows).clustered()
    place = matrix.names.index
    assert [(set(pair), height) for *pair, height in joins] == [
        ({place("c"), place("d")}, 1),
        ({place("a"), place("b")}, 2),
        ({4, 5}, 6),
    ]
    assert matrix.to_pandas().loc["b", "d"] == 9
    # Less 3 everywhere: the same tree, 3 lower.
    lower, lower_joins = Matrix.of("m", names, (np.array(rows) - 3).tolist()).clustered()
    assert lower.names == matrix.names
    assert lower_joins == [(first, second, height - 3) for first, second, height in joins]


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ([[math.nan, 1, 2], [3, math.nan, 4], [2, 4, math.nan]], "differ between the two directions"),
        (
            [[math.nan, 1, 2], [1, math.nan, math.nan], [2, math.nan, math.nan]],
            "some distances are undefined",
        ),
    ],
)
def test_without_symmetry_or_values_there_is_no_dendrogram(rows, note):
    figure = Matrix.of("m", ["a", "b", "c"], rows).plot()
    assert note in notes(figure)
    heat = panels(figure)["m"]
    assert [label.get_text() for label in heat.get_yticklabels()] == ["a", "b", "c"]
    shown = heat.images[0].get_array().filled(math.nan)
    assert np.array_equal(shown, np.array(rows), equal_nan=True)
    written = {
        (int(text.get_position()[1]), int(text.get_position()[0])): text.get_text() for text in heat.texts
    }
    assert written[1, 0] == str(rows[1][0])
    assert written[1, 2] == ("–" if math.isnan(rows[1][2]) else str(rows[1][2]))
    assert not any(axis.lines for axis in figure.axes)


def test_a_large_matrix_has_no_numbers_but_all_names():
    values = np.abs(np.subtract.outer(np.arange(30.0), np.arange(30.0)))
    np.fill_diagonal(values, np.nan)
    figure = Matrix("m", [f"system {place}" for place in range(30)], values).plot()
    heat = panels(figure)["m"]
    assert len(heat.texts) == 0
    assert len({label.get_text() for label in heat.get_yticklabels()}) == 30


def test_names_are_not_formulas_and_stay_different():
    long = {
        f"runs/of/an/experiment/with/a/long/name/{place}-$x$_y^2.jsonl": [*SAME, str(place)]
        for place in range(3)
    }
    figure = dy.measure(long, "duplicates").plot()
    (axis,) = panels(figure).values()
    assert len(set(names(axis))) == 3
    assert all("$x$_y^2" in name and len(name) <= 26 for name in names(axis))
    assert not any(label.get_parse_math() for label in axis.get_yticklabels())
    figure.canvas.draw()


def test_letters_that_no_font_has_are_replaced_and_noted(monkeypatch):
    monkeypatch.setattr(lettering, "FALLBACKS", ())
    # The fonts of matplotlib have no Chinese letters.
    scores = dy.measure({"a\u4e2d\u6587": SAME, "a\u6c49\u8bed": VARIED, "b": OTHER}, "duplicates")
    figure = scores.plot()
    (axis,) = panels(figure).values()
    assert sorted(names(axis)) == ["1 a□□", "2 a□□", "3 b"]
    assert "□ is a letter that no installed font has" in notes(figure)
    figure.canvas.draw()  # a missing glyph would be a warning, which is an error


def test_terms_of_absent_letters_are_not_numbered(monkeypatch):
    monkeypatch.setattr(lettering, "FALLBACKS", ())
    figure = dy.keyness({"a": ["\u4e2d x"] * 5, "b": ["\u6587 x"] * 5}).plot()
    assert {text.get_text() for text in figure.axes[0].texts} <= {"□", "x"}


def test_letters_are_taken_from_another_font(monkeypatch):
    monkeypatch.setattr(lettering, "FALLBACKS", ("No Such Font", "DejaVu Sans"))
    # A font of matplotlib that has only a few symbols.
    with matplotlib.rc_context({"font.family": ["DejaVu Sans Display"]}):
        figure = dy.measure({"жук": SAME, "кот": VARIED}, "duplicates").plot()
    (axis,) = panels(figure).values()
    assert sorted(names(axis)) == ["жук", "кот"]
    assert axis.get_yticklabels()[0].get_fontfamily() == ["DejaVu Sans Display", "DejaVu Sans"]
    assert "□" not in notes(figure)
    figure.canvas.draw()


def test_a_dark_style_of_the_notebook_changes_nothing(tmp_path):
    scores = dy.measure(CORPORA, "duplicates")
    scores.plot(path=tmp_path / "light.png")
    with matplotlib.rc_context():
        matplotlib.style.use("dark_background")
        scores.plot(path=tmp_path / "dark.png")
    assert (tmp_path / "light.png").read_bytes() == (tmp_path / "dark.png").read_bytes()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_are_the_same_each_time(tmp_path, ending):
    scores = dy.measure(CORPORA, "duplicates")
    figure = scores.plot(path=tmp_path / f"one.{ending}")
    scores.plot(path=tmp_path / f"two.{ending}")
    content = (tmp_path / f"one.{ending}").read_bytes()
    assert content == (tmp_path / f"two.{ending}").read_bytes()
    assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])
    assert figure.get_size_inches()[0] == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one.{ending}", f"two.{ending}"]


def test_other_files_are_refused_and_nothing_is_written(tmp_path):
    scores = dy.measure(CORPORA, "duplicates")
    with pytest.raises(SpecError, match=r"ends with \.png, \.svg or \.pdf, got"):
        scores.plot(path=tmp_path / "plot.gif")
    with pytest.raises(InputError, match="this folder does not exist"):
        scores.plot(path=tmp_path / "no" / "plot.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        scores.plot(path=tmp_path / "folder.png")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_a_missing_matplotlib_is_an_error_with_the_line_that_installs_it(monkeypatch):
    scores = dy.measure(CORPORA, "duplicates")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "distinctly\[plots\]"'):
        scores.plot()


def test_a_notebook_shows_the_figure_once():
    formatting = pytest.importorskip("IPython.core.formatters", reason="needs IPython")
    data, about = formatting.DisplayFormatter().format(dy.measure(CORPORA, "duplicates").plot())
    pictures = [kind for kind in data if kind.startswith("image/")]
    assert pictures == ["image/png"]
    # 7 inches at 100 pixels each, and twice as many pixels in the picture.
    assert about["image/png"]["width"] == 700
    assert int.from_bytes(data["image/png"][16:20], "big") == 1400
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_a_figure_has_a_picture_and_can_be_pickled():
    figure = dy.measure(CORPORA, "duplicates").plot()
    content, about = figure._repr_png_()
    assert content.startswith(b"\x89PNG")
    assert about["width"] == 700
    again = pickle.loads(pickle.dumps(figure))
    assert list(panels(again)) == ["duplicates"]
