"""`Scores.flat`: plain numbers under names that trackers accept, that differ, and that stay the same."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.score import Relative

# W&B: `define_metric`. MLflow allows these characters and more, and at most 250 of them.
ACCEPTED = re.compile(r"[a-zA-Z][_a-zA-Z0-9]{,248}")
TEXTS = ["the cat sat", "the dog sat", "a bird sang", "the cat ran"]
GROUPS = ["a", "a", "b", "b"]


def test_values_and_names_of_one_corpus() -> None:
    # 12 tokens, of which 8 are different: the cat sat dog a bird sang ran. Only the bigram `the cat` repeats.
    flat = dy.measure(TEXTS, ["distinct:n=1", "distinct:n=2,pool=corpus", "ead"]).flat()
    assert list(flat) == ["distinct_n1", "distinct_n2_pool_corpus", "ead"]
    assert flat["distinct_n1"] == 8 / 12
    assert flat["distinct_n2_pool_corpus"] == 7 / 8
    assert {type(number) for number in flat.values()} == {float}


def test_intervals_have_entries_of_their_own() -> None:
    scores = dy.measure(TEXTS * 5, ["distinct:n=1", "entropy:n=1"], interval=True)
    flat = scores.flat()
    assert list(flat)[:3] == ["distinct_n1", "distinct_n1_low", "distinct_n1_high"]
    assert (flat["entropy_n1_low"], flat["entropy_n1_high"]) == (scores[1].low, scores[1].high)


def test_scopes_follow_the_metric() -> None:
    scores = dy.measure(TEXTS, ["self_bleu", "distinct:n=1"], groups=GROUPS)
    assert list(scores.flat()) == [
        "self_bleu_within",
        "distinct_n1_within",
        "self_bleu_across",
        "distinct_n1_across",
        "self_bleu",
        "distinct_n1",
    ]
    assert scores.flat()["distinct_n1_within"] == scores.select(scope="within")["distinct:n=1"]


def test_a_corpus_is_named_where_there_are_several() -> None:
    scores = dy.measure({"gpt-4": TEXTS, "Claude 3": TEXTS[::-1]}, "distinct:n=1")
    assert list(scores.flat()) == ["distinct_n1_gpt_4", "distinct_n1_Claude_3"]
    assert list(scores.select(corpus="gpt-4").flat()) == ["distinct_n1"]
    others = dy.measure({"模型": TEXTS, "…": TEXTS[::-1]}, "distinct:n=1")
    assert list(others.flat()) == ["distinct_n1_u6a21u578b", "distinct_n1_corpus"]


def test_letters_of_other_scripts_and_case() -> None:
    def named(*corpora: str) -> list[str]:
        return list(dy.Scores([dy.Score(0.5, spec="ead", corpus=corpus) for corpus in corpora]).flat())

    assert named("Élysée", "한") == ["ead_Elysee", "ead_ud55c"]
    # Some trackers keep files or rows whose names do not distinguish case.
    upper, lower = named("GPT", "gpt")
    assert upper.lower() != lower.lower()
    assert upper.startswith("ead_GPT_")


def test_long_names_end_in_a_hash_of_what_was_cut() -> None:
    """So that they differ between runs, too."""
    (first,), (second,) = _of("x" * 200 + ":f"), _of("x" * 200 + ":g")
    assert first != second
    assert first[:130] == second[:130] == "x" * 130


def test_names_do_not_depend_on_the_size_of_the_smallest_corpus() -> None:
    texts = TEXTS * 5

    def measured(last: int) -> dy.Scores:
        return dy.measure({"a": texts, "b": texts[:last]}, "distinct:n=1")

    names = ["distinct_n1_a", "distinct_n1_same_size_a", "distinct_n1_b", "distinct_n1_same_size_b"]
    assert list(measured(15).flat()) == list(measured(16).flat()) == names
    assert [score.spec for score in measured(16)][1] == "distinct:n=1,at=48,unit=text"  # 3 tokens per text
    assert list(dy.measure(texts, "distinct:n=1,at=30,unit=text").flat()) == ["distinct_n1_at30_unit_text"]


def test_quality_gates_have_names_of_their_own() -> None:
    scores = dy.measure({"m": TEXTS}, "distinct:n=1", quality=[3, 1, 2, 2], at_least=2)
    assert list(scores.flat()) == ["distinct_n1_m", "distinct_n1_m_quality_2"]


def test_distances() -> None:
    scores = dy.compare(TEXTS * 3, TEXTS[:2] * 6, ["chi", "zipf"], permutations=10, noise_floor=True)
    flat = scores.flat()
    assert list(flat)[:4] == ["chi", "chi_p", "chi_p_holm", "chi_floor_ratio"]
    assert (flat["chi_p"], flat["zipf_p_holm"]) == (scores[0].test.p, scores[1].test.p_holm)
    assert flat["zipf_floor_ratio"] == scores[1].floor.ratio
    several = dy.compare(TEXTS, {"x": TEXTS[:2], "y": TEXTS[2:]}, "chi")
    assert list(several.flat()) == ["chi_x", "chi_y"]
    references = several[:1] + dy.compare(dy.Corpus(TEXTS[:3], name="people"), {"x": TEXTS[:2]}, "chi")
    assert [name.partition("_vs_")[2] for name in references.flat()] == ["reference", "people"]


def test_scores_and_distances_of_one_corpus_are_joined_without_its_name() -> None:
    scores = dy.measure({"outputs": TEXTS}, "distinct:n=1") + dy.compare(TEXTS, {"model": TEXTS[:2]}, "chi")
    assert list(scores.flat()) == ["distinct_n1", "chi"]


def test_ratios_to_another_corpus() -> None:
    flat = dy.measure({"a": TEXTS * 5, "b": TEXTS[:2] * 10}, "distinct:n=1", relative_to="b").flat()
    # 8 different words in the one corpus, and 4 in the other, of 60 tokens each. The ratio has no interval,
    # since no value changes without one of the texts.
    assert list(flat) == ["distinct_n1_a", "distinct_n1_a_relative", "distinct_n1_b"]
    assert flat["distinct_n1_a_relative"] == pytest.approx((8 / 60) / (4 / 60), rel=1e-9)
    score = dy.Score(0.5, spec="ead", relative=Relative(to="b", ratio=0.8, low=0.7, high=0.9))
    assert dy.Scores([score]).flat() == {
        "ead": 0.5,
        "ead_relative": 0.8,
        "ead_relative_low": 0.7,
        "ead_relative_high": 0.9,
    }


def test_p_values_of_differences_are_left_out() -> None:
    """They are of the difference from the best corpus, which is another one at another step."""
    scores = dy.measure({"a": TEXTS * 5, "b": TEXTS[:2] * 10}, "distinct:n=1")
    assert any(score.test is not None for score in scores)
    assert list(scores.flat()) == ["distinct_n1_a", "distinct_n1_b"]


def test_undefined_values_keep_their_names() -> None:
    flat = dy.measure([], ["distinct:n=1", "self_bleu"]).flat()
    assert list(flat) == ["distinct_n1", "self_bleu"]
    assert all(math.isnan(number) for number in flat.values())


def test_tokenizers_are_named_where_nothing_else_differs() -> None:
    scores = dy.measure(TEXTS, "distinct:n=1") + dy.measure(TEXTS, "distinct:n=1", tokenizer="char")
    assert list(scores.flat()) == ["distinct_n1_tok_words_lc_no", "distinct_n1_tok_char_lc_no"]
    assert list((scores + scores[1:]).flat())[2] == "distinct_n1_tok_char_lc_no_2"


def test_the_same_scores_twice_are_numbered() -> None:
    scores = dy.measure(TEXTS, ["distinct:n=1", "ead"])
    assert list((scores + scores).flat()) == ["distinct_n1", "ead", "distinct_n1_2", "ead_2"]


def test_functions_and_unwritten_specs() -> None:
    assert _of("a.py:f") == ["a_py_f"]
    assert _of("./2nd.py:f") == ["metric_2nd_py_f"]
    assert _of("hill:q=0.5") == ["hill_q0_5"]
    assert _of("distinct:n=2,of=words(punct=no;lc=yes)") == ["distinct_n2_of_words_punct_no_lc_yes"]
    assert _of("vendi:sampled=4983") == _of("vendi:sampled=5000") == ["vendi_sampled"]
    assert _of("vendi:sampled=100", "vendi:sampled=200") == ["vendi_sampled100", "vendi_sampled200"]
    assert list(dy.Scores([dy.Score(0.5, metric="distinct", options={"n": 1})]).flat()) == ["distinct_n1"]
    assert list(dy.Scores([dy.Score(0.5)]).flat()) == ["score"]


def _of(*specs: str) -> list[str]:
    return list(dy.Scores([dy.Score(0.5, spec=spec) for spec in specs]).flat())


def test_a_corpus_may_be_called_like_an_ending() -> None:
    """The name of the corpus `a_low` is kept apart from the lower end of `a`, whether or not there is one."""

    def named(low: float | None) -> list[str]:
        scores = [dy.Score(0.5, spec="ead", corpus=corpus, low=low) for corpus in ("a", "a_low")]
        return [name for name in dy.Scores(scores).flat() if not name.endswith("_low")]

    assert named(None) == named(0.4)
    assert len(set(named(None))) == 2


@st.composite
def many_scores(draw: st.DrawFn) -> dy.Scores:
    # Names that become equal without some of their characters, or that look like a part of a name.
    names = st.one_of(
        st.sampled_from(
            (
                *("", "a", "A", "a_low", "a-low", "a_2", "gpt-4", "gpt_4", "gpt 4", "é", "e", "模型"),
                *("u6a21u578b", "within", "vs", "4", "_", "≥", "\ud800", "x" * 300, "x" * 301),
            )
        ),
        st.text(max_size=5),
    )
    specs = st.sampled_from(
        ["ead", "ead:n=2", "ead:n=2.", "ead:sampled=9", "ead:sampled=8", "a:b", "a.b:c", "É.py:f", ""]
    )
    score = st.builds(
        lambda spec, corpus, scope, low, reference, view: dy.Score(
            0.5,
            spec=spec,
            metric="ead",
            corpus=corpus,
            scope=scope,
            low=low,
            high=low,
            reference=reference,
            kind="diversity" if reference is None else "distance",
            signature="" if view is None else f"ead|{view}|texts:3#00|v:1",
        ),
        specs,
        names,
        st.sampled_from([None, "pooled", "within"]),
        st.sampled_from([None, 0.25]),
        st.none() | names,
        st.sampled_from([None, "tok:words,lc:no", "tok:words,lc:yes"]),
    )
    return dy.Scores(draw(st.lists(score, max_size=6)))


@given(many_scores())
@example(dy.Scores([dy.Score(0.5, spec="ead", corpus=c) for c in ("gpt-4", "gpt_4", "gpt_4_6daccc")]))
def test_names_are_accepted_and_differ(scores: dy.Scores) -> None:
    flat = scores.flat()
    entries = sum(1 + 2 * (score.low is not None) for score in scores)
    assert len({name.lower() for name in flat}) == entries
    assert all(ACCEPTED.fullmatch(name) for name in flat)
    assert scores.flat() == flat


@given(many_scores())
def test_names_depend_on_what_was_requested_only(scores: dy.Scores) -> None:
    """Other values, sizes, hashes and intervals change no name."""
    others = dy.Scores(
        [
            score.evolve(
                value=math.nan, low=None, high=None, signature=score.signature.replace("3#00", "9#ff")
            )
            for score in scores
        ]
    )
    values = [name for name in scores.flat() if not re.search("_(low|high)$", name)]
    assert [name for name in others.flat() if not re.search("_(low|high)$", name)] == values
