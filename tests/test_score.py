"""`Score` is a float, `Scores` are looked up by spec, and signatures are parsed from text."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.errors import MissingExtraError
from distinctly.score import Note, Score, Scores

TEXTS = ["the cat sat on the mat", "a dog sat"]


def test_a_score_is_a_float() -> None:
    score = dy.measure(TEXTS, "distinct:n=1")[0]
    assert isinstance(score, float)
    assert score == score.value == 7 / 9  # the cat sat on mat a dog, of 9
    assert json.loads(json.dumps(score)) == score.value
    assert round(score, 2) == 0.78
    assert repr(score) == f"Score({7 / 9!r}, 'distinct:n=1', corpus='{score.corpus}')"


def test_keys_are_the_specs_as_given() -> None:
    specs = ["ead:vocabulary=100", "distinct:n=2", "entropy:n=1 "]
    scores = dy.measure(TEXTS, specs)
    assert scores.keys() == ["ead:vocabulary=100", "distinct:n=2", "entropy:n=1"]
    assert [key for key, _ in scores.items()] == scores.keys()
    assert scores["ead:vocabulary=100"] is scores[0]
    assert scores["ead"] is scores[0]
    assert scores["distinct:n=2"].options["denominator"] == "ngrams"


def test_a_spec_without_its_n_is_four_scores() -> None:
    scores = dy.measure(TEXTS, ["distinct", "distinct:preset=li2016", "ead"])
    assert [score.options["n"] for score in scores["distinct"]] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert [score.options["n"] for score in scores["distinct:preset=li2016"]] == [1, 2, 3, 4]
    assert scores["distinct:n=3,preset=li2016"].options["denominator"] == "tokens"
    assert scores["ead"].options["n"] == 1
    with pytest.raises(KeyError, match="Did you mean 'ead'"):
        scores["eat"]


def test_signature_by_hand() -> None:
    # The documented shape; the hash is of the tokens of the texts, in any order.
    score = dy.measure(TEXTS, "distinct:n=2")[0]
    head, tail = score.signature.split("#")
    assert head == "distinct|n:2|pool:corpus|denominator:ngrams|tok:words,lc:no|texts:2"
    assert tail.split("|")[1] == f"v:{dy.__version__}"
    assert len(tail.split("|")[0]) == 16
    assert dy.measure(TEXTS[::-1], "distinct:n=2")[0].signature == score.signature
    assert dy.measure([*TEXTS, ""], "distinct:n=2")[0].signature != score.signature


def test_what_cannot_change_the_number_is_not_in_the_signature() -> None:
    plain = dy.measure(TEXTS, "distinct:n=2")[0].signature
    assert dy.measure(TEXTS, "distinct:n=2,short=zero", batch_size=1, threads=2)[0].signature == plain
    assert dy.measure(TEXTS, "distinct:n=2,preset=blog")[0].signature == plain
    assert "short:zero" in dy.measure(TEXTS, "distinct:n=2,pool=text,short=zero")[0].signature


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@given(st.text(st.sampled_from("ab|:,%=\\#é\n +*.[]^$\x00'"), min_size=1, max_size=12))
def test_any_pattern_survives_the_signature(pattern: str) -> None:
    try:
        score = dy.measure(["a|b,c"], "types:n=1", tokenizer=f"regex:{pattern}")[0]
    except dy.SpecError:
        return
    signature = dy.Signature.parse(score.signature)
    assert str(signature) == score.signature
    assert signature.view[2]["pattern"] == pattern
    again = dy.measure(["a|b,c"], signature.spec, tokenizer=signature.tokenizer)[0]
    assert again.signature == score.signature
    assert again.value == score.value or math.isnan(score.value)


def test_groups_are_in_the_signature_where_they_count() -> None:
    def sign(groups: list[str], pool: str, texts: list[str] = TEXTS) -> str:
        scores = dy.measure(texts, f"distinct:n=1,pool={pool}", groups=groups)
        return scores[-1].signature  # of all texts together

    # Also of all texts together, whose intervals are computed by leaving out groups.
    for pool in ("group", "corpus"):
        assert sign(["x", "y"], pool) != sign(["x", "x"], pool)
        assert sign(["x", "y"], pool) != sign(["y", "x"], pool)
        assert sign(["x", "y"], pool) == sign(["y", "x"], pool, TEXTS[::-1])
    assert "groups" not in dy.Signature.parse(dy.measure(TEXTS, "distinct:n=1")[0].signature).facts


@pytest.mark.parametrize("text", ["", "distinct", "distinct|n:2", "distinct|n2|tok:words", "hello world"])
def test_what_is_no_signature_is_an_error(text: str) -> None:
    with pytest.raises(dy.SpecError, match="Expected a signature"):
        dy.Signature.parse(text)


def test_a_function_cannot_be_rebuilt_from_its_name() -> None:
    score = dy.measure(TEXTS, "types:n=1", tokenizer=str.split)[0]
    assert "tok:function,call:" in score.signature
    with pytest.raises(dy.SpecError, match="Python function"):
        dy.measure(TEXTS, "types:n=1", tokenizer=dy.Signature.parse(score.signature).tokenizer)


def test_a_spec_is_in_the_scores() -> None:
    scores = dy.measure(TEXTS, ["distinct:n=1", "ead"])
    assert "distinct:n=1" in scores
    assert "distinct" in scores  # like scores["distinct"]
    assert "ead:n=1" in scores
    assert "entropy" not in scores
    assert scores[0] in scores
    assert 2.5 not in scores
    assert scores.get("ead") is scores[1]
    assert scores.get("entropy") is None
    assert scores.get("entropy", 0.0) == 0.0


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_scores_become_data_frames_with_one_row_per_score(package: str) -> None:
    pytest.importorskip(package)
    scores = dy.compare(TEXTS, {"a": ["a dog"], "b": []}, ["jensen_shannon", "medoid"], permutations=9)
    frame = getattr(scores, f"to_{package}")()
    assert len(frame) == 4
    assert list(frame["corpus"]) == ["a", "a", "b", "b"]
    assert list(frame["undefined"])[2:] == ["the candidate has no texts."] * 2
    assert frame["value"][0] == scores[0].value
    assert frame["p"][1] == scores[1].test.p
    assert list(frame["reference_texts"]) == [2] * 4
    assert len(getattr(dy.Scores([]), f"to_{package}")()) == 0


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_is_named_with_its_pip_line(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf'pip install "distinctly\[{package}\]"'):
        getattr(dy.measure(TEXTS, "ead"), f"to_{package}")()


def test_scores_are_readable_one_line_each() -> None:
    scores = Scores(
        [
            Score(0.5, spec="ead", corpus="a.txt", scope="within", low=0.25, high=0.75),
            Score(
                math.nan,
                spec="chi",
                corpus="b.txt",
                reference="a.txt",
                undefined="the candidate has no texts.",
            ),
        ]
    )
    assert repr(scores) == (
        "Scores([\n"
        "  Score(0.5, 'ead', corpus='a.txt', scope='within', low=0.25, high=0.75),\n"
        "  Score(nan, 'chi', corpus='b.txt', reference='a.txt', undefined='the candidate has no texts.'),\n"
        "])"
    )
    assert repr(Scores([])) == "Scores([])"


def test_the_html_of_scores_is_a_table_whose_texts_are_escaped() -> None:
    scores = Scores(
        [Score(1 / 3, spec="ead", corpus="<b>&"), Score(math.nan, spec="chi", undefined="a < b.")]
    )
    assert scores._repr_html_() == (
        "<table>\n<thead><tr><th>metric</th><th>corpus</th><th>value</th><th>undefined</th></tr></thead>\n"
        "<tbody>\n<tr><td>ead</td><td>&lt;b&gt;&amp;</td><td>0.333333</td><td></td></tr>\n"
        "<tr><td>chi</td><td></td><td>nan</td><td>a &lt; b.</td></tr>\n</tbody>\n</table>"
    )
    assert Scores([])._repr_html_().startswith("<table>")


def test_a_nan_always_has_a_reason_and_a_number_never() -> None:
    score = Score(math.nan)
    assert score.undefined == "the metric returned NaN."
    assert Score(0.5, undefined="why").undefined is None
    assert score.with_value(math.nan, "too few texts.").undefined == "the metric returned NaN."
    assert Score(0.5).with_value(math.nan, "too few texts.").undefined == "too few texts."
    assert score.with_value(1.0, "too few texts.").undefined is None


def test_notes_are_strings_with_a_level_and_a_scope() -> None:
    note = Note("Few texts.", "warning", "corpus")
    for other in (pickle.loads(pickle.dumps(note)), copy.deepcopy(note), note.with_text("Few texts.")):
        assert (other, other.level, other.scope) == ("Few texts.", "warning", "corpus")
    score = dataclasses.replace(Score(0.5, notes=("plain", note)), corpus="a")
    assert [(text.level, text.scope) for text in score.notes] == [("info", "metric"), ("warning", "corpus")]
    assert " ".join(score.notes) == "plain Few texts."
    again = pickle.loads(pickle.dumps(score))
    assert (again.value, again.notes[1].level) == (0.5, "warning")


def test_levels_say_which_numbers_are_unsafe() -> None:
    few = dy.measure(["a b", ""], "distinct:n=1")[0]
    assert {(note.partition(" ")[0], note.level, note.scope) for note in few.notes} == {
        ("1", "info", "metric"),
        ("The", "warning", "metric"),
        ("1", "info", "corpus"),
    }
    distance = dy.compare(TEXTS, TEXTS, "jensen_shannon")[0]
    assert [(note.level, note.scope) for note in distance.notes] == [("warning", "corpus")]


def test_the_document_says_its_version_and_what_is_undefined() -> None:
    document = json.loads(json.dumps(dy.measure([], ["ead"]).to_dict()))
    assert document["format_version"] == 1
    [score] = document["scores"]
    assert (score["value"], score["undefined"], score["kind"]) == (None, "there are no texts.", "diversity")
    assert (score["test"], score["floor"], score["notes"]) == (None, None, [])
