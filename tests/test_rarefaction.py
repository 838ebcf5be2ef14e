"""`rarefaction`: each point is the value of `measure` at its size, to the bit; sizes, corpora and errors."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.errors import InputError, SpecError

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), min_size=10, max_size=25)
ROWS = [
    {
        "model": model,
        "prompt": f"p{prompt}",
        "text": f"{model} says {prompt * place % 7} and {prompt} {place}",
    }
    for model, prompt, place in itertools.product("xy", range(12), range(3))
]


@given(TEXTS)
def test_each_point_is_what_measure_returns_at_its_size(tokens):
    for spec in ("types:n=1", "distinct:n=2", "ead:n=1,vocabulary=100"):
        curve = dy.rarefaction(tokens, spec, points=5)
        for point in curve.points:
            score = dy.measure(tokens, f"{spec},at={point.size},unit=text")[0]
            assert point.score.value.hex() == score.value.hex() or math.isnan(score.value)
            assert (point.score.signature, point.score.undefined) == (score.signature, score.undefined)


@given(TEXTS)
def test_a_curve_begins_with_ten_texts_and_ends_with_all(tokens):
    points = dy.rarefaction(tokens, "types:n=1", points=6).points
    total = sum(map(len, tokens))
    assert points[-1].size == total
    assert points[-1].score.value == len(set(itertools.chain(*tokens)))
    assert points[0].units >= 10
    # One token less would be fewer than 10 texts on average.
    assert (points[0].size - 1) * len(tokens) / total < 10
    assert len(points) <= 6
    assert [point.size for point in points] == sorted({point.size for point in points})


def test_by_hand():
    # 20 texts, each one of 2 words twice as often as the other: 10 random texts lack the rare word, of which
    # there are 5, with probability C(15, 10) / C(20, 10).
    texts = ["a"] * 15 + ["b"] * 5
    (point,) = dy.rarefaction(texts, "types:n=1", sizes=[10]).points
    assert point.score.value == pytest.approx(2 - math.comb(15, 10) / math.comb(20, 10), rel=1e-12)
    assert point.units == 10


@pytest.mark.parametrize("interval", [False, True])
def test_groups_and_parts_are_those_of_measure(tmp_path, interval):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    curves = dy.rarefaction(path, "types:n=1", by="model", group="prompt", points=4, interval=interval)
    assert [corpus["name"] for corpus in curves.corpora] == ["x", "y"]
    for model in "xy":
        texts = [row["text"] for row in ROWS if row["model"] == model]
        groups = [row["prompt"] for row in ROWS if row["model"] == model]
        for point in curves.curves()["types:n=1", model]:
            spec = f"types:n=1,at={point.size},unit=group"
            score = dy.measure(texts, spec, groups=groups, interval=interval).select(scope="pooled")[spec]
            assert (point.score.value, point.score.low, point.score.high) == (
                score.value,
                score.low,
                score.high,
            )
            assert point.score.signature == score.signature
            assert point.score.options["unit"] == "group"
    assert all((point.score.low is not None) == interval for point in curves.points)


def test_corpora_have_a_size_in_common():
    curves = dy.rarefaction(
        {"small": ["a b", "c"] * 8, "large": ["a b c d", "e"] * 20}, "types:n=1", points=4
    )
    sizes = {name: [point.size for point in points] for (_, name), points in curves.curves().items()}
    # 16 texts with 24 tokens; 40 texts with 100 tokens, of which 10 texts have 25 on average.
    assert sizes["small"] == [15, 18, 21, 24]
    assert sizes["large"] == [25, 50, 75, 100]
    curves = dy.rarefaction(
        {"small": ["a b", "c"] * 12, "large": ["a b c d", "e"] * 20}, "types:n=1", points=4
    )
    # 36 tokens are more than the 25 that the large corpus begins with.
    assert [point.size for point in curves.curves()["types:n=1", "large"]] == [25, 36, 50, 75, 100]


def test_an_iterator_is_read_once_from_the_source():
    texts = ["a b", "c d e"] * 9
    assert [p.to_record() for p in dy.rarefaction(iter(texts)).points] == [
        p.to_record() for p in dy.rarefaction(texts).points
    ]


def test_sizes_beyond_the_corpus_are_undefined_with_a_reason():
    result = dy.rarefaction(["a b"] * 20, "types:n=1", sizes=[100, 30, 1])
    assert [point.size for point in result.points] == [1, 30, 100]
    few, defined, beyond = result.points
    assert math.isnan(few.score.value)
    assert "fewer than 10" in few.score.undefined
    assert defined.score.value == 2
    assert "fewer than at=100" in beyond.score.undefined
    assert result.to_dict()["points"][2]["value"] is None


def test_tables_records_and_files(tmp_path):
    result = dy.rarefaction(
        {"a": ["x y", "z"] * 9, "b": ["x", "y z x"] * 9}, ["types:n=1", "distinct:n=1"], points=3
    )
    frame = result.to_pandas()
    assert list(frame.columns[:5]) == ["corpus", "metric", "size", "units", "value"]
    assert frame["value"].tolist() == [point.score.value for point in result.points]
    # Distinct-1 is the number of types divided by the size.
    wide = frame.pivot_table(index=["corpus", "size"], columns="metric", values="value").reset_index()
    assert np.allclose(wide["types:n=1"] / wide["size"], wide["distinct:n=1"], rtol=1e-12)
    assert result._repr_html_().count("<tr>") == len(result.points) + 1
    for ending in ("csv", "json", "md", "xlsx", "html", "txt"):
        result.save(tmp_path / f"curves.{ending}")
    assert json.loads((tmp_path / "curves.json").read_text()) == result.to_dict()
    assert len((tmp_path / "curves.csv").read_text().splitlines()) == len(result.points) + 1


def test_a_plot_has_one_line_per_corpus_and_one_panel_per_metric():
    pytest.importorskip("matplotlib")
    corpora = {"a": [f"x y {place}" for place in range(20)], "b": [f"x {place % 7} z" for place in range(20)]}
    corpora = {name: [*texts, "x y", "of all"] for name, texts in corpora.items()}
    result = dy.rarefaction(corpora, ["types:n=1", "distinct:n=2"], points=4, interval=True)
    figure = result.plot()
    assert [axis.get_title(loc="left") for axis in figure.axes] == [
        "types:n=1 by size",
        "distinct:n=2 by size",
    ]
    assert [axis.get_xlabel() for axis in figure.axes] == ["tokens", "2-grams"]
    for axis, spec in zip(figure.axes, ("types:n=1", "distinct:n=2")):
        for line, name in zip(axis.lines, corpora):
            points = result.curves()[spec, name]
            assert line.get_label() == name
            assert list(line.get_xdata()) == [point.size for point in points]
            assert list(line.get_ydata()) == [point.score.value for point in points]
        assert len(axis.collections) == 2  # the bands
        heights = axis.collections[0].get_paths()[0].vertices[:, 1]
        ends = [end for point in result.curves()[spec, "a"] for end in (point.score.low, point.score.high)]
        assert set(np.round(ends, 12)) <= set(np.round(heights, 12))


@pytest.mark.parametrize(
    ("arguments", "error", "problem"),
    [
        ({"metrics": "entropy:n=1"}, SpecError, "has no accumulation curve"),
        ({"metrics": "distinct:n=1,pool=text"}, SpecError, "has no accumulation curve"),
        ({"metrics": "vendi"}, SpecError, "has no accumulation curve"),
        ({"metrics": "types:n=1,at=20"}, SpecError, "remove `at=20`"),
        ({"metrics": "types:n=1,approximate=yes"}, SpecError, "exact counts"),
        ({"metrics": "ead:vocabulary=reference"}, SpecError, "needs a reference corpus"),
        ({"sizes": [0]}, SpecError, "at least 1"),
        ({"sizes": ["20"]}, SpecError, "at least 1"),
        ({"sizes": []}, SpecError, "at least 1"),
        ({"points": 1}, SpecError, "at least 2"),
        ({"permutations": 10}, SpecError, "`permutations` does not apply to curves"),
        ({"seed": 1}, SpecError, "`seed` does not apply to curves"),
        ({"texts": np.eye(3)}, InputError, "got vectors"),
    ],
)
def test_errors(arguments, error, problem):
    with pytest.raises(error, match=problem):
        dy.rarefaction(**{"texts": ["a b"] * 20, **arguments})


def test_a_state_has_no_texts_to_draw(tmp_path):
    dy.save_state(["a b"] * 20, tmp_path / "a.state", ["types:n=1"])
    with pytest.raises(InputError, match=r"a state holds counts, not texts"):
        dy.rarefaction(tmp_path / "a.state")


def test_few_texts_have_no_curve():
    result = dy.rarefaction(["a b", "c d"])
    assert [point.size for point in result.points] == [4]
    with pytest.raises(SpecError, match="at least 10 texts"):
        result.plot()
