"""`keyness` through the front door: loops over dictionaries, known numbers, states, memory, groups, tests."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2 as chi2_distribution
from tests.oracles import keyness as oracle

import distinctly as dy

WORDS = st.sampled_from(["a", "b", "c", "the", "cat", "ß", "éa"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=7).map(" ".join), min_size=1, max_size=7)
HUMAN = ["we look at it closely", "let us look at the data", "we see it", "look at it"]
MODEL = ["we delve into it", "let us delve into the data", "delve into the details", "we see it"]
# quanteda's documents d1 and d2; its target is our candidate.
D1, D2 = "a a a b b c c c c c c d e f g h h", "a a b c c d d d d e f h"


def rows_by_term(result: dy.Keyness) -> dict[str, dict]:
    return {row["term"]: row for row in result.rows}


def by_loops(reference, candidate, n):
    """Return what a row says of each term, from loops over dictionaries."""
    texts = [[text.split() for text in corpus] for corpus in (reference, candidate)]
    counts = [oracle.counts(each, n) for each in texts]
    totals = [sum(each.values()) for each in counts]
    rows = {}
    for term in {*counts[0], *counts[1]}:
        a, b = (each[term] for each in counts)
        table = b, a, totals[1] - b, totals[0] - a
        rows[" ".join(term)] = {
            "reference_count": a,
            "candidate_count": b,
            "reference_per_million": 1e6 * a / totals[0],
            "candidate_per_million": 1e6 * b / totals[1],
            "g2": oracle.g2(*table),
            "chi2": oracle.chi2(*table),
            "reference_range": oracle.text_range([[text] for text in texts[0]], term),
            "candidate_range": oracle.text_range([[text] for text in texts[1]], term),
            "reference_dp": oracle.dispersion([[text] for text in texts[0]], term),
            "candidate_dp": oracle.dispersion([[text] for text in texts[1]], term),
        }
    p_values = [float(chi2_distribution.sf(max(row["g2"], 0), 1)) for row in rows.values()]
    for row, p, corrected in zip(rows.values(), p_values, oracle.corrected(p_values)):
        row |= {"g2_p": p, "g2_p_corrected": corrected}
    return rows


@given(TEXTS, TEXTS, st.integers(1, 2), st.booleans())
def test_all_numbers_are_those_of_loops(reference, candidate, n, compiled):
    if not all(any(len(text.split()) >= n for text in corpus) for corpus in (reference, candidate)):
        with pytest.raises(dy.InputError, match=f"no text has {n} tokens, so there are no {n}-grams"):
            dy.keyness(reference, candidate, n=n)
        return
    result = dy.keyness(reference, candidate, n=n, compiled=compiled or None)
    expected = by_loops(reference, candidate, n)
    rows = rows_by_term(result)
    assert rows.keys() == expected.keys()
    for term, row in expected.items():
        for name, value in row.items():
            shown = math.nan if rows[term][name] is None else rows[term][name]
            assert shown == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), (term, name)


def test_the_numbers_of_quanteda():
    result = dy.keyness([D2], [D1])
    rows = rows_by_term(result)
    # Its order with measure "lr" and correction "none".
    signed = {term: row["g2"] * (1 if row["log_ratio"] > 0 else -1) for term, row in rows.items()}
    assert sorted(signed, key=lambda term: -signed[term]) == ["c", "g", "b", "h", "a", "e", "f", "d"]
    # "returns raw frequency counts", and "returns correct pmi" of a: 3·29 / (5·17).
    assert (rows["a"]["candidate_count"], rows["a"]["reference_count"]) == (3, 2)
    assert rows["a"]["pmi"] == pytest.approx(math.log(3 * 29 / (5 * 17)))
    # "keyness_textstat chi2 computation is correct" for b, without and with Yates' correction.
    b = dy.keyness(["a a a a a a a b b"], ["b b b b b b b a a a"])["b"]
    assert b["chi2"] == pytest.approx(19 * 43**2 / 8100)
    assert b["chi2_yates"] == pytest.approx(19 * (43 - 9.5) ** 2 / 8100)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_rates_sum_to_a_million(n):
    rows = dy.keyness(HUMAN, MODEL, n=n).to_dict()["rows"]
    for side in ("reference", "candidate"):
        assert math.fsum(row[f"{side}_per_million"] for row in rows) == pytest.approx(1e6)


def test_directions_are_apart_and_ordered_by_evidence():
    (terms,) = dy.keyness(HUMAN, MODEL).comparisons
    sides = list(terms.columns["more_in"])
    assert [side for side, _ in itertools.groupby(sides)] == ["candidate", "reference", "neither"]
    for side in ("candidate", "reference"):
        rows = terms.more_in(side)
        assert [row["g2"] for row in rows] == sorted((row["g2"] for row in rows), reverse=True)
    assert [row["term"] for row in terms.more_in("candidate", 2)] == ["delve", "into"]
    assert all(row["log_ratio"] > 0 for row in terms.more_in("candidate"))
    # look: 3 of 16 tokens and 0 of 16, at: 3 and 0; ties are in alphabetical order.
    assert [row["term"] for row in terms.more_in("reference", 2)] == ["at", "look"]


def test_minimum_counts_and_ranges_and_stop_words():
    whole = rows_by_term(dy.keyness(HUMAN, MODEL))
    frequent = rows_by_term(dy.keyness(HUMAN, MODEL, min_count=3))
    assert frequent.keys() == {
        term for term, row in whole.items() if row["reference_count"] + row["candidate_count"] >= 3
    }
    # Only what is tested is corrected for.
    p_values = [row["g2_p"] for row in frequent.values()]
    assert [row["g2_p_corrected"] for row in frequent.values()] == pytest.approx(oracle.corrected(p_values))
    spread = rows_by_term(dy.keyness(HUMAN, MODEL, min_range=4))
    assert spread.keys() == {
        term for term, row in whole.items() if row["reference_range"] + row["candidate_range"] >= 4
    }
    left_out = rows_by_term(dy.keyness(HUMAN, MODEL, stopwords=["It", "the"]))
    assert whole.keys() - left_out.keys() == {"it", "the"}
    # No other number changes.
    assert all(left_out[term] == whole[term] for term in left_out)
    pairs = rows_by_term(dy.keyness(HUMAN, MODEL, n=2, stopwords=["look", "at", "it"]))
    assert "look at" not in pairs
    assert "at the" in pairs


def test_lengths_and_their_correction_are_one_family():
    result = dy.keyness(HUMAN, MODEL, n="1-2")
    assert {row["n"] for row in result.rows} == {1, 2}
    alone = {n: rows_by_term(dy.keyness(HUMAN, MODEL, n=n)) for n in (1, 2)}
    p_values = [row["g2_p"] for row in result.rows]
    assert [row["g2_p_corrected"] for row in result.rows] == pytest.approx(oracle.corrected(p_values))
    for row in result.rows:
        assert row["g2"] == alone[row["n"]][row["term"]]["g2"]


def test_several_candidates_and_the_rest():
    corpora = {"a": ["x x y"], "b": ["x y y"], "c": ["y z z"]}
    first = dy.keyness(corpora)
    assert [(terms.reference, terms.candidate) for terms in first.comparisons] == [("a", "b"), ("a", "c")]
    named = dy.keyness(corpora, against="b")
    assert [(terms.reference, terms.candidate) for terms in named.comparisons] == [("b", "a"), ("b", "c")]
    rest = dy.keyness(corpora, against="rest")
    assert [(terms.reference, terms.candidate) for terms in rest.comparisons] == [
        ("the rest", "a"),
        ("the rest", "b"),
        ("the rest", "c"),
    ]
    by_hand = rows_by_term(dy.keyness(["x y y", "y z z"], ["x x y"]))
    for row in rest.comparisons[0]:
        expected = by_hand[row["term"]]
        for name in ("reference_count", "reference_range", "reference_dp", "g2", "log_odds_z"):
            assert row[name] == pytest.approx(
                math.nan if expected[name] is None else expected[name], nan_ok=True
            )


def test_by_splits_a_corpus_and_lines_have_the_numbers_of_its_texts():
    rows = [{"who": "one", "text": "a b"}, {"who": "two", "text": "c b"}, {"who": "one", "text": "a a"}]
    result = dy.keyness(rows, by="who", lines=5)
    apart = dy.keyness(["a b", "a a"], ["c b"])
    assert [{**row, "reference": "", "candidate": ""} for row in result.rows] == [
        {**row, "reference": "", "candidate": ""} for row in apart.rows
    ]
    (terms,) = result.comparisons
    assert [(quoted.line.text, quoted.line.left) for quoted in terms.lines["a"]] == [
        (1, ""),
        (3, ""),
        (3, "a"),
    ]


@given(TEXTS, TEXTS, st.data())
def test_groups_count_as_one_text(reference, candidate, data):
    labels = [
        data.draw(st.lists(st.sampled_from("xyz"), min_size=len(texts), max_size=len(texts)))
        for texts in (reference, candidate)
    ]
    corpora = [dy.Corpus(texts, groups=groups) for texts, groups in zip((reference, candidate), labels)]
    result = dy.keyness(*corpora)
    assert result.comparisons[0].unit == "groups"
    assert result.comparisons[0].units == tuple(len(set(groups)) for groups in labels)
    assert f"|groups:{len(set(labels[0]))}+{len(set(labels[1]))}|" in result.comparisons[0].signature
    units = [
        [
            [text.split() for text, label in zip(texts, groups) if label == group]
            for group in sorted(set(groups))
        ]
        for texts, groups in zip((reference, candidate), labels)
    ]
    for row in result.rows:
        for side, of_side in zip(("reference", "candidate"), units):
            term = (row["term"],)
            assert row[f"{side}_range"] == oracle.text_range(of_side, term)
            value = math.nan if row[f"{side}_dp"] is None else row[f"{side}_dp"]
            assert value == pytest.approx(oracle.dispersion(of_side, term), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("with_tokens", [True, False])
def test_a_group_that_several_corpora_of_the_rest_have_counts_once(with_tokens, monkeypatch):
    if not with_tokens:  # as if the texts fitted in memory, but not their tokens
        monkeypatch.setattr("distinctly.run.term_corpora.KEPT", 10**12)
    # The answers of three systems to the prompts p and q, and of b and c to r.
    answers = {"a": ["x x", "y"], "b": ["x", "y z", "z"], "c": ["z x", "x", "y y"]}
    rows = [
        {"who": who, "prompt": prompt, "text": text}
        for who, texts in answers.items()
        for prompt, text in zip("pqr", texts)
    ]
    result = dy.keyness(rows, by="who", against="rest", group="prompt")
    terms = result.comparisons[0]
    assert (terms.candidate, terms.units, terms.unit) == ("a", (3, 2), "groups")
    # In b and c, x answers p and q, y answers q and r, and z answers all three.
    by_term = {row["term"]: row for row in terms}
    assert {term: by_term[term]["reference_range"] for term in "xyz"} == {"x": 2, "y": 2, "z": 3}
    by_prompt = [[["x"], ["z", "x"]], [["y", "z"], ["x"]], [["z"], ["y", "y"]]]
    for term in "xyz":
        assert by_term[term]["reference_dp"] == pytest.approx(oracle.dispersion(by_prompt, (term,)))


def test_groups_of_one_corpus_alone_are_texts():
    grouped = dy.keyness(dy.Corpus(HUMAN, groups=["a", "a", "b", "b"]), MODEL)
    assert grouped.comparisons[0].unit == "texts"
    assert plain(grouped) == plain(dy.keyness(HUMAN, MODEL))


@pytest.fixture
def files(tmp_path):
    draw = np.random.default_rng(3)
    words = np.array([f"w{place}" for place in range(400)])
    paths = []
    for name, power in (("a", 1.2), ("b", 1.4)):
        chances = 1 / np.arange(1, 401) ** power
        lines = [
            " ".join(draw.choice(words, draw.integers(1, 20), p=chances / chances.sum())) for _ in range(600)
        ]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
        paths.append(tmp_path / f"{name}.txt")
    return paths


def plain(result: dy.Keyness) -> str:
    """Return the result as text, without the names of the corpora and what is not known of states."""
    document = json.loads(json.dumps(result.to_dict()))
    for part in (
        *document["rows"],
        *document["comparisons"],
        *document["corpora"],
        *document.get("lines", ()),
    ):
        for name in ("reference", "candidate", "corpus", "name", "reference_dp", "candidate_dp"):
            part.pop(name, None)
    del document["notes"]
    return json.dumps(document, sort_keys=True)


def test_the_same_bytes_in_any_batches_threads_and_memory(files):
    expected = plain(dy.keyness(*files, n="1-3", lines=2))
    for options in (
        {"compiled": True},
        {"compiled": True, "threads": 1, "batch_size": 7},
        {"memory": "10MB", "compiled": True},
        {"batch_size": 50},
    ):
        assert plain(dy.keyness(*files, n="1-3", lines=2, **options)) == expected


def test_the_same_bytes_from_partitions(files, tmp_path):
    expected = plain(dy.keyness(*files, n="1-2", lines=2))
    assert plain(dy.keyness(*files, n="1-2", lines=2, checkpoint=str(tmp_path / "parts"))) == expected


@pytest.mark.slow
def test_the_same_bytes_on_ray(files):
    expected = plain(dy.keyness(*files, n="1-2", lines=2))
    assert plain(dy.keyness(*files, n="1-2", lines=2, engine="ray")) == expected


def test_states_have_all_but_the_dispersion(files, tmp_path):
    expected = plain(dy.keyness(*files, n="1-2"))
    lines = files[0].read_text().splitlines(keepends=True)
    for name, part in (("first", lines[:200]), ("second", lines[200:])):
        (tmp_path / f"{name}.txt").write_text("".join(part))
        dy.save_state(tmp_path / f"{name}.txt", tmp_path / f"{name}.state", (), keyness="1-2")
    dy.merge_states([tmp_path / "first.state", tmp_path / "second.state"], tmp_path / "a.state")
    dy.save_state(files[0], tmp_path / "whole.state", (), keyness=[1, 2])
    assert (tmp_path / "a.state").read_bytes() == (tmp_path / "whole.state").read_bytes()
    dy.save_state(files[1], tmp_path / "b.state", "distinct:n=1", keyness=[1, 2])
    for reference, candidate in ((0, 1), (1, 0)):
        corpora = [tmp_path / "a.state", files[1]]
        mixed = dy.keyness(corpora[reference], corpora[candidate], n="1-2")
        assert plain(mixed) == plain(dy.keyness(files[reference], files[candidate], n="1-2"))
    both = dy.keyness(tmp_path / "a.state", tmp_path / "b.state", n="1-2")
    assert plain(both) == expected
    assert both.rows[0]["candidate_dp"] is None
    assert any("dispersion (DP) in a corpus that is a state is not known" in note for note in both.notes)


def test_a_state_decides_what_terms_are_made_of(tmp_path):
    dy.save_state(HUMAN, tmp_path / "human.state", (), keyness=1, tokenizer="words")
    given_words = [text.title() for text in MODEL]
    assert "Delve" in rows_by_term(dy.keyness(tmp_path / "human.state", given_words))
    with pytest.raises(
        dy.InputError, match=r"human.state: the state does not have the terms of n=1 in char,lc:no"
    ):
        dy.keyness(tmp_path / "human.state", MODEL, tokenizer="char")
    with pytest.raises(dy.InputError, match="does not have the terms of n=2 .*--keyness 1 --tokenizer words"):
        dy.keyness(tmp_path / "human.state", MODEL, n=2)
    dy.save_state(HUMAN, tmp_path / "plain.state", "distinct:n=1")
    with pytest.raises(
        dy.InputError, match=r"It was saved with -m distinct:n=1 --tokenizer words: save it again"
    ):
        dy.keyness(tmp_path / "plain.state", MODEL)
    dy.save_state(HUMAN, tmp_path / "characters.state", (), keyness=1, of="char")
    assert dy.keyness(tmp_path / "characters.state", MODEL)["v"]["candidate_count"] == 3


def test_tags_lemmas_and_lists_of_tokens():
    tagged = [
        dy.Corpus(["The cat sat", "A dog"], tags=[["DET", "N", "V"], ["DET", "N"]]),
        dy.Corpus(["Cats sat"], tags=[["N", "V"]]),
    ]
    rows = rows_by_term(dy.keyness(*tagged, of="tags", n=2))
    assert {(term, row["reference_count"], row["candidate_count"]) for term, row in rows.items()} == {
        ("DET N", 2, 0),
        ("N V", 1, 1),
    }
    lists = dy.keyness([["The", "cat"]], [["the", "Cat"]])
    assert {row["term"] for row in lists.rows} == {"The", "cat", "the", "Cat"}
    assert {row["term"] for row in dy.keyness(["The cat"], ["the Cat"]).rows} == {"the", "cat"}
    assert {row["term"] for row in dy.keyness(["The cat"], ["the Cat"], tokenizer="words").rows} == {
        *("The", "the", "cat", "Cat")
    }


def test_a_word_that_one_text_repeats_is_marked_by_its_range():
    common = [f"w{place} is here" for place in range(30)]
    clumped = dy.keyness(common, [*common, "snake " * 30])
    spread = dy.keyness(common, [*(f"{text} snake" for text in common)])
    assert clumped["snake"]["few_texts"] is True
    assert (clumped["snake"]["candidate_range"], spread["snake"]["candidate_range"]) == (1, 30)
    assert spread["snake"]["few_texts"] is False
    # 30 of 30 occurrences in one of 31 texts, which has 30 of 120 tokens.
    assert clumped["snake"]["candidate_dp"] == pytest.approx(1 - 30 / 120)
    assert clumped["snake"]["g2_p_corrected"] < 1e-6
    assert clumped["snake"]["range_p_corrected"] > 0.3
    assert spread["snake"]["range_p_corrected"] < 1e-6
    assert any("repeated in few texts (°)" in note for note in clumped.notes)
    assert not any("repeated in few texts" in note for note in spread.notes)


def test_permutation_p_values_are_those_of_all_exchanges():
    reference, candidate = ["a b", "b c", "c c"], ["a a a", "a b c"]
    result = dy.keyness(reference, candidate, permutations=20_000)
    texts = [text.split() for text in (*reference, *candidate)]
    for row in result.rows:
        term = row["term"]

        def statistic(chosen, term=term):
            b = sum(texts[place].count(term) for place in chosen)
            a = sum(text.count(term) for text in texts) - b
            size = sum(len(texts[place]) for place in chosen)
            rest = sum(map(len, texts)) - size
            return oracle.chi2(b, a, size - b, rest - a)

        observed = statistic((3, 4))
        every = [statistic(chosen) for chosen in itertools.combinations(range(5), 2)]
        exact = np.mean([value >= observed - 1e-9 for value in every])
        # Five standard errors of 20,000 draws from the ten ways to choose two of five texts.
        assert row["permutation_p"] == pytest.approx(exact, abs=5 * math.sqrt(0.25 / 20_000))
    p_values = [row["permutation_p"] for row in result.rows]
    assert [row["permutation_p_corrected"] for row in result.rows] == pytest.approx(
        oracle.corrected(p_values)
    )


def test_permutations_exchange_groups_that_both_have():
    # Answers to the same prompts: in each, the candidate says "so" once more. Exchanged within 12 prompts, a
    # difference as large has a chance of 2 / 2^12; shuffled freely, it would be larger.
    prompts = [f"p{place}" for place in range(12)]
    reference = dy.Corpus([f"w{place} is" for place in range(12)], groups=prompts)
    candidate = dy.Corpus([f"w{place} so" for place in range(12)], groups=prompts)
    row = dy.keyness(reference, candidate, permutations=4000)["so"]
    assert row["permutation_p"] == pytest.approx(2 / 2**12, abs=1e-3)
    again = dy.keyness(reference, candidate, permutations=4000)["so"]
    assert again["permutation_p"] == row["permutation_p"]


def test_too_few_permutations_are_noted():
    few = dy.keyness(HUMAN * 5, MODEL * 5, permutations=5)
    assert any("5 permutations are too few" in note for note in few.notes)


def test_phrases_are_maximal_and_in_several_texts():
    model = [f"in the end it is a {word} tapestry of {word}" for word in ("rich", "vast", "deep")]
    human = [f"it was a {word} day for us" for word in ("long", "good", "bad")]
    result = dy.keyness(human, model, phrases=True)
    (terms,) = result.comparisons
    listed = [row["term"] for row in terms.more_in("candidate")]
    # "in the end it is a" has six words, of which only sequences of five are counted.
    assert set(listed) == {"in the end it is", "the end it is a", "tapestry of"}
    assert all(len(lines) == 2 for lines in terms.lines.values())
    line = terms.lines["tapestry of"][0].line
    assert (line.left.split()[-1], line.match) in {(word, "tapestry of") for word in ("rich", "vast", "deep")}
    # Twice in one text is not in several.
    repeated = dy.keyness(human, [*model, "odd pair odd pair"], phrases=True)
    assert "odd pair" not in rows_by_term(repeated)


def test_phrases_neither_begin_nor_end_with_punctuation():
    model = ["well , indeed . yes", "well , indeed . no", "well , indeed . maybe"]
    result = dy.keyness(["something else , here", "something else , there"], model, phrases=True)
    assert [row["term"] for row in result.comparisons[0].more_in("candidate")] == ["well , indeed"]


def test_only_lengths_that_both_have_are_phrases():
    result = dy.keyness(["a b", "a c"], ["a b c d", "a b d"], phrases=True, min_range=1)
    assert {row["n"] for row in result.rows} == {2}
    with pytest.raises(dy.InputError, match="no text has 2 tokens"):
        dy.keyness(["a"], ["b"], phrases=True)
    with pytest.raises(dy.SpecError, match="phrases to have at least 2 tokens"):
        dy.keyness(HUMAN, MODEL, phrases=True, n=1)


def test_texts_that_can_be_read_once():
    once = dy.keyness(iter(HUMAN), iter(MODEL), n=2, lines=1)
    assert plain(once) == plain(dy.keyness(HUMAN, MODEL, n=2, lines=1))


@pytest.mark.parametrize(
    ("corpora", "options", "problem"),
    [
        (([], MODEL), {}, "reference: there are no texts"),
        ((HUMAN, [""]), {}, "candidate: there are no tokens in the texts"),
        ((HUMAN, MODEL), {"n": 9}, "reference: no text has 9 tokens"),
        ((HUMAN, MODEL), {"n": 0}, "Expected `n` to be numbers from 1 to 100"),
        ((HUMAN, MODEL), {"n": "1-x"}, "Expected `n` to be numbers from 1 to 100"),
        ((HUMAN, MODEL), {"sort": "p"}, "Unknown value 'p' of sort"),
        ((HUMAN, MODEL), {"prior": 0}, "`prior` to be a number above 0"),
        ((HUMAN, MODEL), {"min_count": 0}, "`min_count` to be a whole number of at least 1"),
        ((HUMAN, MODEL), {"against": "nobody"}, "Unknown corpus 'nobody'"),
        ((HUMAN, MODEL), {"interval": True}, "`interval` does not apply to terms"),
        (({"only": HUMAN},), {}, "Expected at least two corpora"),
        ((np.zeros((2, 3)), MODEL), {}, "Expected texts, got vectors"),
        ((HUMAN, MODEL), {"hash_bits": 128}, "Terms are counted by hashes of 64 bits"),
        ((HUMAN,), {}, "Expected a candidate"),
        ((HUMAN, MODEL), {"stopwords": "no such file"}, "Cannot read the stop words 'no such file'"),
    ],
)
def test_errors(corpora, options, problem):
    with pytest.raises((dy.InputError, dy.SpecError), match=problem):
        dy.keyness(*corpora, **options)


@pytest.mark.parametrize("options", [{"permutations": 10}, {"lines": 1}, {"by": "who"}])
def test_states_have_no_texts(tmp_path, options):
    dy.save_state(HUMAN, tmp_path / "human.state", (), keyness=1)
    dy.save_state(MODEL, tmp_path / "model.state", (), keyness=1)
    with pytest.raises(dy.InputError, match="human.state: a state holds counts, not texts"):
        dy.keyness(tmp_path / "human.state", tmp_path / "model.state", **options)


def test_what_a_result_can_do(tmp_path):
    result = dy.keyness(HUMAN, MODEL)
    assert result.to_pandas().set_index("term").loc["delve", "candidate_count"] == 3
    assert "more in candidate" in result._repr_html_()
    with pytest.raises(KeyError, match="nowhere"):
        result["nowhere"]
    result.save(tmp_path / "terms.csv")
    assert len((tmp_path / "terms.csv").read_text().splitlines()) == len(result.rows) + 1
    result.plot(tmp_path / "terms.svg")
    assert "delve" in (tmp_path / "terms.svg").read_text()
