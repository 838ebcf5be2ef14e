"""`homogeneity`: how alike systems answer the same prompts, by hand and by loops over all pairs."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import homogeneity as oracle
from tests.oracles.vectors import cosine

import distinctly as dy

Z = 1.959963984540054
VECTORS = {
    "x": [1.0, 0.0, 0.0],
    "y": [0.0, 1.0, 0.0],
    "xy": [3.0, 4.0, 0.0],
    "xz": [1.0, 0.0, 1.0],
    "-y": [0.0, -2.0, 0.0],
    "0": [0.0, 0.0, 0.0],
}
SYSTEMS, PROMPTS = ("a", "b", "c"), ("p", "q", "r", "s", "t")
WORDS = st.lists(st.sampled_from("abcd"), max_size=5).map(" ".join)
ROWS = st.lists(
    st.tuples(st.sampled_from(SYSTEMS), st.sampled_from(PROMPTS), WORDS), min_size=4, max_size=25
).filter(lambda rows: len({system for system, *_ in rows}) > 1)


def embed(texts):
    return [VECTORS[text] for text in texts]


def by_letters(texts):
    """Return the number of times that each of four letters occurs."""
    return [[float(text.count(letter)) for letter in "abcd"] for text in texts]


def test_by_hand():
    texts = {"a": ["x", "y", "y"], "b": ["x", "xy", "x"]}
    result = dy.homogeneity(texts, groups=["p", "p", "q"], embedder=embed)
    alike = result["cosine"]
    # p: x·x = 1, x·xy = 3/5, y·x = 0, y·xy = 4/5, mean 12/20; q: y·x = 0. Mean over prompts 3/10.
    assert alike.similarity[0, 1] == pytest.approx(3 / 10)
    # a on p with b on q: (1 + 0) / 2; a on q with b on p: (0 + 4/5) / 2. Mean 9/20.
    assert alike.floor[0, 1] == pytest.approx(9 / 20)
    assert alike.above[0, 1] == pytest.approx(-3 / 20)
    # Of a alone: x·y = 0; of b alone: x·xy = 3/5. Prompt q has no pair.
    assert alike.similarity.diagonal() == pytest.approx([0, 3 / 5])
    assert (alike.similarity == alike.similarity.T).all()
    assert alike.prompts.tolist() == [[2, 2], [2, 2]]


def test_shared_ngrams_by_hand():
    texts = {"a": ["a b a b c"], "b": ["a b d c"]}
    alike = dy.homogeneity(texts, groups=["p"], embedder=by_letters)["shared n-grams"]
    # ab, ba, bc and ab, bd, dc: one of 3 and 3, however often ab occurs.
    assert alike.similarity[0, 1] == pytest.approx(1 / 3)
    # a, b, c and a, b, d, c: 3 / √(3·4).
    one = dy.homogeneity(texts, groups=["p"], embedder=by_letters, n=1)["shared n-grams"]
    assert one.similarity[0, 1] == pytest.approx(3 / math.sqrt(12))
    assert math.isnan(alike.floor[0, 1])
    assert "only one prompt" in alike.undefined[0][1]


def answers(rows, system, kept):
    return {
        prompt: [text for s, p, text in rows if s == system and p == prompt and kept(text)]
        for prompt in PROMPTS
    }


@given(ROWS, st.integers(1, 2))
def test_agrees_with_loops_over_all_pairs(rows, n):
    names = list(dict.fromkeys(system for system, *_ in rows))
    shared = [
        len({p for s, p, _ in rows if s == one} & {p for s, p, _ in rows if s == other})
        for one in names
        for other in names
        if one < other
    ]
    texts, ids, groups = [row[2] for row in rows], [row[0] for row in rows], [row[1] for row in rows]
    options = {"ids": ids, "groups": groups, "embedder": by_letters, "n": n, "interval": True}
    if not max(shared):
        with pytest.raises(dy.InputError, match="No two systems answer the same prompt"):
            dy.homogeneity(texts, **options)
        return
    result = dy.homogeneity(texts, **options)
    assert result.systems == names
    measures = {
        "cosine": (lambda text: text != "", lambda one, other: cosine(*by_letters([one, other]))),
        "shared n-grams": (
            lambda text: len(text.split()) >= n,
            lambda one, other: oracle.ochiai(one.split(), other.split(), n),
        ),
    }
    for measure, (kept, alike) in measures.items():
        by_system = {name: answers(rows, name, kept) for name in names}
        likeness = result[measure]
        for i, name in enumerate(names):
            assert likeness.left_out[i] == sum(not kept(text) for s, _, text in rows if s == name)
            for j, other in enumerate(names):
                check(likeness, (i, j), by_system[name], by_system[other], alike)


def check(likeness, place, first, second, alike):
    close = {"abs": 1e-9, "nan_ok": True}
    prompts = oracle.shared(first, second)
    similarity = oracle.similarity(first, second, alike, prompts)
    floor = oracle.floor(first, second, alike, prompts)
    assert likeness.prompts[place] == len(prompts)
    assert likeness.similarity[place] == pytest.approx(similarity, **close)
    assert likeness.floor[place] == pytest.approx(floor, **close)
    errors = oracle.errors(first, second, alike)
    lowest = -1 if likeness.measure == "cosine" else 0
    checked = (
        (similarity, errors[0], likeness.low, likeness.high, (lowest, 1)),
        (similarity - floor, errors[1], likeness.above_low, likeness.above_high, (lowest - 1, 1 - lowest)),
    )
    for value, error, low, high, bounds in checked:
        if len(prompts) < 4 or math.isnan(error):
            assert math.isnan(low[place])
        elif error > 1e-9:  # otherwise all prompts are alike, up to rounding
            assert low[place] == pytest.approx(max(value - Z * error, bounds[0]), abs=1e-7)
            assert high[place] == pytest.approx(min(value + Z * error, bounds[1]), abs=1e-7)


def example(seed=0):
    drawn = random.Random(seed)
    return [
        {"model": model, "prompt_id": prompt, "text": " ".join(drawn.choices("abcdefgh", k=8))}
        for model in ("one", "two", "three")
        for prompt in range(6)
        for _ in range(3)
    ]


def test_the_order_of_texts_and_the_batches_change_nothing():
    rows = example()
    # Systems are in the order of their first texts.
    shuffled = sorted(random.Random(1).sample(rows, len(rows)), key=lambda row: row["model"], reverse=True)
    rows = sorted(rows, key=lambda row: row["model"], reverse=True)
    options = {"by": "model", "group": "prompt_id", "embedder": by_letters, "interval": True}
    plain = dy.homogeneity(rows, **options).to_dict()
    assert dy.homogeneity(shuffled, **options).to_dict() == plain
    assert dy.homogeneity(rows, batch_size=5, **options).to_dict() == plain


def test_intervals_are_those_of_leaving_out_each_prompt():
    rows = example()
    whole = dy.homogeneity(rows, by="model", group="prompt_id", embedder=by_letters, interval=True)
    without = [
        dy.homogeneity(
            [row for row in rows if row["prompt_id"] != prompt],
            by="model",
            group="prompt_id",
            embedder=by_letters,
        )
        for prompt in range(6)
    ]
    for measure in ("cosine", "shared n-grams"):
        likeness = whole[measure]
        for low, high, values in (
            (likeness.low, likeness.high, np.array([each[measure].similarity for each in without])),
            (likeness.above_low, likeness.above_high, np.array([each[measure].above for each in without])),
        ):
            error = np.sqrt(5 / 6 * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
            assert high - low == pytest.approx(2 * Z * error)
    assert np.isnan(
        dy.homogeneity(rows, by="model", group="prompt_id", embedder=by_letters)["cosine"].low
    ).all()


def test_systems_that_share_some_prompts_are_compared_on_those():
    a = dy.Corpus(["x", "y", "xy"], groups=["p", "q", "r"], name="a")
    b = dy.Corpus(["y", "x"], groups=["q", "s"], name="b")
    result = dy.homogeneity([a, b], embedder=embed)
    alike = result["cosine"]
    # Only q is shared: y·y = 1.
    assert (alike.similarity[0, 1], alike.prompts[0, 1]) == (1.0, 1)
    assert "Two systems share 1 of 4 prompts" in result.notes[0]
    assert alike.undefined[0][0] == "no prompt has two answers of the system."
    assert math.isnan(alike.similarity[0, 0])
    # x·y, x·xy and y·xy, in both orders: (0 + 3/5 + 4/5) / 3.
    assert alike.floor[0, 0] == pytest.approx(7 / 15)


def test_texts_without_a_vector_or_ngrams_are_left_out():
    result = dy.homogeneity({"a": ["x", "0"], "b": ["x", "y"]}, groups=["p", "q"], embedder=embed, n=2)
    assert (result["cosine"].left_out, result["cosine"].prompts[0, 1]) == ([1, 0], 1)
    assert result["cosine"].similarity[0, 1] == 1
    # All texts have one token.
    assert result["shared n-grams"].left_out == [2, 2]
    assert result["shared n-grams"].undefined[0][1] == "there is no prompt that both systems have."
    notes = " ".join(result.notes)
    assert (
        "cosine: 1 of 4 texts have a zero vector, which has no direction; they are left out (a: 1)." in notes
    )
    assert "shared n-grams: 4 of 4 texts have no 2-gram" in notes


def test_the_prompt_is_taken_out():
    texts = {"a": ["xy", "x"], "b": ["xz", "y"]}
    prompts = {"p": "x", "q": "0"}
    result = dy.homogeneity(texts, groups=["p", "q"], prompts=prompts, embedder=embed, context="prompt")
    # Without x, xy is y and xz is z: 0. The zero vector of q takes nothing out: x·y = 0.
    assert result["cosine"].similarity[0, 1] == 0
    assert result["cosine"].options["context"] == "prompt"
    plain = dy.homogeneity(texts, groups=["p", "q"], embedder=embed)
    # xy·xz = 3 / (5·√2), and x·y = 0.
    assert plain["cosine"].similarity[0, 1] == pytest.approx(3 / (10 * math.sqrt(2)))
    assert dy.homogeneity(texts, prompts=["x", "y"], embedder=embed)["cosine"].prompts[0, 1] == 2


def test_the_summary_names_the_extremes():
    texts = {"a": ["x", "y"], "b": ["x", "xy"], "c": ["-y", "x"]}
    result = dy.homogeneity(texts, groups=["p", "q"], embedder=embed, n=1)
    # a-b: (1 + 4/5) / 2; a-c: 0 and 0; b-c: 0 and 3/5. Of other prompts, a-b: x·xy = 3/5 and y·x = 0;
    # a-c: x·x = 1 and y·-y = -1.
    assert result.summary[0] == (
        "Most alike by cosine: a and b (0.900; answers to other prompts: 0.300). "
        "Least alike: a and c (0.000; answers to other prompts: 0.000)."
    )
    two = dy.homogeneity({name: texts[name] for name in "ab"}, groups=["p", "q"], embedder=embed, n=1)
    assert two.summary[0] == "By cosine: a and b (0.900; answers to other prompts: 0.300)."


def test_plain_data_and_tables(tmp_path):
    result = dy.homogeneity(example(), by="model", group="prompt_id", embedder=by_letters)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document["measures"][0]["similarity"] == result["cosine"].similarity.tolist()
    assert document["corpora"][0] | {"texts": 18, "prompts": 6} == document["corpora"][0]
    assert (
        document["corpora"][0]["hash"] == dy.measure([r["text"] for r in example()[:18]]).corpora[0]["hash"]
    )
    assert len(result.to_records()) == 2 * 6
    assert result._repr_html_().count("<tr>") == 1 + 2 * 6
    with pytest.raises(KeyError, match="'jaccard' is none of cosine, shared n-grams"):
        result["jaccard"]
    result.save(tmp_path / "alike.csv")
    assert (tmp_path / "alike.csv").read_text(encoding="utf-8").startswith("measure,system,other,similarity,")


@pytest.mark.parametrize(
    ("corpora", "options", "problem"),
    [
        ({"a": ["x"], "b": ["y"]}, {}, "a: it is not known which prompt each text answers"),
        (
            {"a": ["x"]},
            {"groups": ["p"]},
            "Expected the answers of at least two systems, got those of 'a' alone",
        ),
        (["x"], {"groups": ["p"], "ids": ["a"]}, "got those of 'a' alone"),
        ({"a": ["x"], "b": []}, {"groups": ["p"]}, "got 1 for 0 texts"),
        ([dy.Corpus(["x"], groups=["p"], name="a"), dy.Corpus([], name="b")], {}, "b: there are no texts"),
        (
            ["x", "y"],
            {"ids": ["a", "b"], "groups": ["p", "q"]},
            "No two systems answer the same prompt: a has 'p'",
        ),
        ({"a": ["x"], "b": ["y"]}, {"groups": ["p"], "n": 0}, "Expected `n` to be at least 1, got 0."),
        ({"a": ["x"], "b": ["y"]}, {"groups": ["p"], "context": "promt"}, "Did you mean 'prompt'?"),
        ({"a": ["x"], "b": ["y"]}, {"groups": ["p"], "context": "prompt"}, "needs the prompt of each text"),
        ({"a": ["x"], "b": ["y"]}, {"groups": ["p"], "seed": 1}, "only `interval` applies"),
        ({"a": np.eye(2), "b": np.eye(2)}, {"groups": ["p", "q"]}, "Expected texts, got vectors."),
    ],
)
def test_errors(corpora, options, problem):
    with pytest.raises(dy.DistinctlyError) as raised:
        dy.homogeneity(corpora, embedder=embed, **options)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)
