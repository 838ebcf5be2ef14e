"""`per_text`: the value of each text is that of a corpus which contains it alone."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.registry import find_metric, metric_names
from distinctly.spec import parse_metrics

WORDS = ["the", "The", "cat", "sat", ".", "a", "dog", "ran", "off", "é", "42", "word,word"]
# Options without which a metric has no value, or none of short texts.
GIVEN = {
    "rarefied": "rarefied:sample=5",
    "hdd": "hdd:sample=5",
    "mattr": "mattr:window=5",
    "msttr": "msttr:window=5",
}
COMPARING = {
    *(
        "answers",
        "chamfer",
        "dcscore",
        "dispersion",
        "duplicates",
        "homogenization",
        "magnitude",
        "self_bleu",
    ),
    *("self_repetition", "similarity_hill", "templates", "utility", "vendi"),
}


def specs_of_one_text():
    """Return every metric that has a value for one text: its spec, its presets, and its ways to pool."""
    specs = []
    for name in metric_names():
        kind = find_metric(name)
        if issubclass(kind, Distance) or name in COMPARING:
            continue
        spec = GIVEN.get(name, name)
        variants = [spec, *(f"{name}:preset={preset}" for preset in kind.presets)]
        if hasattr(kind, "pool"):
            joint = "," if ":" in spec else ":"
            variants += [f"{spec}{joint}pool=text,short={short}" for short in ("zero", "nan")]
            variants.append(f"{spec}{joint}pool=corpus")
        specs += [request.spec for variant in variants for request in parse_metrics(variant)]
    return sorted(set(specs))


texts_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=70).map(" ".join), min_size=1, max_size=4)


@pytest.mark.parametrize("spec", specs_of_one_text())
@settings(max_examples=8, deadline=None)
@given(texts=texts_of_words)
def test_the_value_of_a_text_is_that_of_a_corpus_of_it_alone(spec, texts):
    # vocd with 35 tokens and more is defined for the longest of the texts only, as it should be.
    alone = [dy.measure([text], spec)[0].value for text in texts]
    assert np.array_equal(dy.per_text(texts, spec)[spec], alone, equal_nan=True)


def test_every_other_metric_is_refused_by_name():
    for name in metric_names():
        if name in COMPARING:
            with pytest.raises(
                dy.SpecError, match=f"'{name}(:n=4)?' has no value for a single text. .*distinct"
            ):
                dy.per_text(["a b"], name)
    for spec in ("distinct:n=1,at=10", "distinct:n=1,pool=group"):
        with pytest.raises(dy.SpecError, match="has no value for a single text"):
            dy.per_text(["a b"], spec)
    with pytest.raises(dy.SpecError, match="is a distance between two corpora"):
        dy.per_text(["a b"], "chi")


def test_a_reference_a_function_and_token_lists_are_measured_text_by_text():
    texts = ["a b a", "a c d d"]
    spec = "ead:vocabulary=reference"
    alone = [dy.measure([text], spec, reference=["a b c d"])[0].value for text in texts]
    assert dy.per_text(texts, spec, reference=["a b c d"])[spec] == alone
    table = dy.per_text(texts, [lambda texts: float(len(texts[0]))])
    assert table[table.metrics[0]] == [5.0, 7.0]
    assert dy.per_text([["a", "b"], ["a", "a"]], "distinct:n=1")["distinct:n=1"] == [1.0, 0.5]


def test_undefined_values_are_counted_once_not_noted_per_text():
    table = dy.per_text(["a b c", "a", "", "b"], ["distinct:n=2", "compression"])
    assert [math.isnan(value) for value in table["distinct:n=2"]] == [False, True, True, True]
    notes = [str(note) for note in table.notes]
    assert "Undefined for 3 of 4 texts: they have no 2-gram." in notes
    assert "Undefined for 1 of 4 texts: no text has any characters." in notes
    assert len(notes) < 6


def test_a_table_has_rows_columns_and_data_frames(tmp_path):
    rows = [
        {"text": "a b a", "rating": 1, "meta": {"author": "ann"}},
        {"text": "", "rating": 2, "meta": {"author": "bob"}},
        {"text": "a b", "rating": 3, "meta": {"author": "cy"}},
    ]
    table = dy.per_text(rows, "distinct:n=1", keep=["rating", "meta.author"])
    assert list(table.columns) == ["row", "rating", "meta.author", "tokens", "distinct:n=1"]
    assert len(table) == 3
    assert list(table)[2] == {"row": 3, "rating": 3, "meta.author": "cy", "tokens": 2, "distinct:n=1": 1.0}
    frame = table.to_pandas()
    assert frame["meta.author"].tolist() == ["ann", "bob", "cy"]
    assert frame["distinct:n=1"].isna().tolist() == [False, True, False]
    arrow = table.to_arrow()
    assert str(arrow.schema.field("rating").type) == "int64"
    assert arrow["distinct:n=1"].to_pylist() == [2 / 3, None, 1.0]
    table.save(tmp_path / "texts.csv")
    assert pd.read_csv(tmp_path / "texts.csv")["distinct:n=1"].tolist()[0] == 2 / 3


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, list])
def test_columns_of_tables_are_kept(make):
    rows = [{"text": "a b a", "rating": 1.5, "who": "ann"}, {"text": "c d", "rating": 2.5, "who": "bob"}]
    table = dy.per_text(make(rows), "types:n=1", keep="*")
    assert list(table.columns) == ["row", "text", "rating", "who", "tokens", "types:n=1"]
    assert [row["who"] for row in table] == ["ann", "bob"]
    assert table["text"] == ["a b a", "c d"]


def test_rows_keep_their_numbers_if_texts_are_missing():
    table = dy.per_text(["a", None, "b c"], "types:n=1", nulls="skip")
    assert table["row"] == [1, 3]
    assert "1 missing texts were skipped (nulls=skip)." in [str(note) for note in table.notes]
    assert dy.per_text(["a", "b"], "types:n=1", ids=["x", "y"])["id"] == ["x", "y"]


def test_kept_columns_do_not_hide_values():
    rows = [{"text": "a b", "tokens": "kept", "distinct:n=1": "too"}]
    table = dy.per_text(rows, "distinct:n=1", keep="*")
    assert (table["tokens"], table["tokens (kept)"]) == ([2], ["kept"])
    assert (table["distinct:n=1"], table["distinct:n=1 (kept)"]) == ([1.0], ["too"])


def correlated(values, column, **options):
    rows = [{"text": " ".join(f"w{i}" for i in range(value)) or "x", "y": y, **more}
            for value, y, more in zip(values, column, options.pop("more", [{}] * len(values)))]  # fmt: skip
    return dy.per_text(rows, "types:n=1", correlate="y", **options).correlations[0]


def test_correlations_are_those_of_scipy():
    rng = np.random.default_rng(1)
    values = rng.integers(1, 60, 40)
    column = (values + rng.normal(0, 20, 40)).tolist()
    found = correlated(values.tolist(), column)
    expected = stats.pearsonr(values, column)
    assert found.pearson == pytest.approx(expected.statistic, rel=1e-12)
    interval = (
        expected.confidence_interval()
    )  # Fisher's z, with the exact quantile of the normal distribution
    assert found.pearson_interval == pytest.approx((interval.low, interval.high), rel=1e-3)
    rho = stats.spearmanr(values, column).statistic
    assert found.spearman == pytest.approx(rho, rel=1e-12)
    # Bonett & Wright (2000): the variance of arctanh(rho) is (1 + rho²/2) / (n − 3).
    half = 1.959964 * math.sqrt((1 + rho**2 / 2) / 37)
    ends = math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
    assert found.spearman_interval == pytest.approx(ends, rel=1e-3)
    assert (found.texts, found.undefined, found.missing) == (40, 0, 0)


def test_missing_and_undefined_pairs_are_left_out_and_counted():
    pairs = [("a b", 1), ("a a b", None), ("", 3), ("a a", 2), ("a b c d", 5), ("a", ""), ("b b c", 4)]
    rows = [{"text": text, "y": y} for text, y in pairs]
    (found,) = dy.per_text(rows, "distinct:n=1", correlate="y").correlations
    assert (found.texts, found.undefined, found.missing) == (4, 1, 2)
    # distinct-1 of the four other texts: 2/2, 1/2, 4/4, 2/3.
    assert found.pearson == pytest.approx(stats.pearsonr([1, 0.5, 1, 2 / 3], [1, 2, 5, 4]).statistic)
    assert "2 of 7 texts have no value of y and are left out." in found.notes


def test_a_constant_column_is_undefined_and_text_is_an_error():
    found = correlated([1, 2, 3, 4], [7, 7, 7, 7])
    assert math.isnan(found.pearson)
    assert found.notes == ("Undefined: all values of y are equal.",)
    with pytest.raises(dy.InputError, match="texts, row 1: expected a number in 'y', got 'many'"):
        correlated([1, 2, 3], [1, "many", 3])
    with pytest.raises(dy.InputError, match="Unknown field 'z'"):
        dy.per_text([{"text": "a"}], correlate="z")


def test_intervals_of_grouped_texts_are_wider():
    # 12 groups of 10 equal rows: 120 rows say as much as 12 do.
    rng = np.random.default_rng(5)
    values = rng.integers(1, 60, 12)
    column = values + rng.normal(0, 25, 12)
    more = [{"who": f"g{group}"} for group in range(12) for _ in range(10)]
    repeated = np.repeat(values, 10).tolist(), np.repeat(column, 10).tolist()
    alone, grouped = correlated(*repeated, more=more), correlated(*repeated, more=more, group="who")
    assert alone.pearson == grouped.pearson

    def width(ends):
        return math.atanh(ends[1]) - math.atanh(ends[0])

    assert "group" in grouped.how
    assert width(grouped.pearson_interval) > 2 * width(alone.pearson_interval)
    # The jackknife by hand: leave out one group at a time, Student's t with 11 degrees of freedom.
    z = [math.atanh(np.corrcoef(np.delete(values, g), np.delete(column, g))[0, 1]) for g in range(12)]
    half = 2.200985 * math.sqrt(11 / 12 * sum((each - sum(z) / 12) ** 2 for each in z))
    middle = math.atanh(np.corrcoef(values, column)[0, 1])
    assert grouped.pearson_interval == pytest.approx(
        (math.tanh(middle - half), math.tanh(middle + half)), rel=1e-5
    )
    single = [{"who": f"g{row}"} for row in range(120)]
    assert correlated(*repeated, more=single, group="who").how == alone.how


def test_a_signature_of_texts_is_not_measured_as_a_corpus():
    signature = dy.per_text(["a b", "a a"], "distinct:n=1").means[0].signature
    assert "|per:text|" in signature
    with pytest.raises(dy.SpecError, match="one value per text. Use dy.per_text"):
        dy.measure(["a b", "a a"], signature=signature)
    with pytest.raises(dy.SpecError, match="Intervals and tests are of a corpus as a whole"):
        dy.per_text(["a b"], interval=True)
