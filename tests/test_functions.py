"""Functions of users as metrics, through `measure` and `compare`."""

from __future__ import annotations

import math
import pickle
import statistics
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import distinctly as dy
from distinctly.functions import CorpusFunction, PairFunction, from_function
from distinctly.metrics import Direction, Metric
from distinctly.options import hidden
from distinctly.statistics.lengths import Lengths

TEXTS = ["a cat sat on the mat", "the ferry leaves at dawn", "rain fell all night", "we ate plums"]
OTHERS = ["a cat sat", "a cat sat on a mat", "the cat sat", "a mat"]
MODULE = '''
"""Metrics of somebody."""
import numpy as np

def letters(texts):
    return sum(map(len, texts))

def words(tokens):
    return sum(len(text) for text in tokens)

def spread(vectors):
    return float(np.asarray(vectors).std())

def apart(reference, candidate):
    return abs(letters(reference) - letters(candidate))

def alike(one, other):
    return len(set(one) & set(other))

def told(texts):
    return sum(len(text) for text in texts)
told.gets = "tokens"

def wrong(texts):
    return 0
wrong.gets = "letters"

class Family:
    @staticmethod
    def first(texts):
        return len(texts[0])

NUMBER = 5
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Write a module to the working folder, under a unique name."""
    name = f"metrics_of_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return name


def letters(texts: list[str]) -> int:
    return sum(map(len, texts))


def apart(reference: list[str], candidate: list[str]) -> float:
    return abs(letters(reference) - letters(candidate)) / 10


@dataclass(frozen=True, kw_only=True)
class Odd(Metric):
    """A class of a user that returns anything, as it is or in a score."""

    name: ClassVar[str] = "odd"
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    wrapped: bool = False
    _result: Any = hidden(None)

    def statistics(self) -> tuple[Lengths]:
        return (Lengths(view=self.view),)

    def score(self, *summaries: Any) -> Any:
        return self.scored(self._result, {}) if self.wrapped else self._result


def value_of(function: Any, **options: Any) -> dy.Score:
    return dy.measure(TEXTS, function, **options)[0]


def test_a_function_of_one_corpus_is_measured() -> None:
    # 20 + 24 + 19 + 12 letters.
    score = value_of(letters)
    assert score.value == 75
    assert (score.metric, score.spec, score.notes) == ("function", f"{__name__}:letters", ())
    assert score.options == {"path": f"{__name__}:letters", "gets": "texts", "reverse": False}


def test_a_function_of_two_is_compared() -> None:
    # 75 letters minus 9 + 18 + 11 + 5.
    score = dy.compare(TEXTS, OTHERS, apart)[0]
    assert score.value == 3.2
    assert (score.metric, score.parts) == ("distance_function", {"reference_texts": 4, "candidate_texts": 4})


def test_the_reference_comes_first() -> None:
    # 4 texts minus 1.
    assert dy.compare(TEXTS, OTHERS[:1], lambda one, other: len(one) - len(other))[0].value == 3


def test_functions_and_metrics_stand_side_by_side() -> None:
    scores = dy.measure(TEXTS, ["distinct:n=1", letters, "ead"])
    assert scores.keys()[:2] == ["distinct:n=1", f"{__name__}:letters"]
    assert scores[0].value == dy.measure(TEXTS, "distinct:n=1")[0].value
    # By any name that finds a score.
    assert scores["distinct"].value == scores["distinct:n=1"].value == scores[0].value
    assert scores[f"{__name__}:letters"].value == 75
    with pytest.raises(KeyError, match="Unknown score 'nobody:knows'"):
        scores["nobody:knows"]


def test_it_is_found_in_the_working_folder(module: str) -> None:
    assert value_of(f"{module}:letters").value == 75
    assert value_of(f"{module}:Family.first").value == 20
    # a cat sat on the mat: 6 words; then 5, 4 and 3.
    assert value_of(f"{module}:words").value == 18
    assert dy.compare(TEXTS, OTHERS, f"{module}:apart")[0].value == 32
    assert value_of("statistics:mean").undefined is not None  # exists, but does not accept texts


def test_it_is_found_in_a_file(module: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    path = (tmp_path / f"{module}.py").rename(tmp_path / "sub" / "a file.py")
    assert value_of("sub/a file.py:letters").value == 75
    assert value_of(f"{path}:letters,reverse=yes").value == -75
    assert value_of(f"{path}:letters").spec == f"{path}:letters"


def test_a_file_may_hold_dataclasses(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass\nclass Count:\n    of: int\n\ndef score(texts):\n    return Count(len(texts)).of\n"
    )
    assert value_of(f"{path}:score").value == 4
    path.write_text(path.read_text().replace("len(texts)", "2"))
    assert value_of(f"{path}:score").value == 2  # as it is now


def test_what_it_gets() -> None:
    def texts_seen(given: Any) -> float:
        assert given == TEXTS
        return 1

    def tokens_seen(tokens: Any) -> float:
        assert tokens == [text.split() for text in TEXTS]
        return 2

    def vectors_seen(vectors: Any) -> float:
        assert np.asarray(vectors).shape == (4, 2)
        return float(np.asarray(vectors)[0, 0])

    assert value_of(texts_seen).value == 1
    assert value_of(tokens_seen).value == 2
    found = value_of(vectors_seen, embedder=lambda texts: [[len(text), 1] for text in texts])
    assert found.value == 20
    assert dy.measure(np.array([[3.0, 4.0]] * 4), lambda vectors: vectors[0, 1])[0].value == 4
    both = dy.compare(np.eye(2), np.eye(2) * 3, lambda vectors, others: float(np.sum(vectors - others)))[0]
    assert both.value == -4  # (1 − 3) + (1 − 3)


def test_what_it_gets_can_be_said(module: str) -> None:
    assert value_of(f"{module}:told").value == 18  # by its attribute: 18 tokens
    assert value_of(f"{module}:told,gets=texts").value == 75  # the spec wins
    assert value_of(f"{module}:letters,gets=tokens").value == 18
    with pytest.raises(
        dy.SpecError, match="Unknown value 'letters' of the attribute `gets` of .*Known: tokens"
    ):
        value_of(f"{module}:wrong")
    with pytest.raises(dy.SpecError, match=r"gets.*tokens \| texts \| vectors"):
        value_of(f"{module}:letters,gets=sounds")
    with pytest.raises(dy.SpecError, match="Unknown option 'get'"):
        value_of(f"{module}:letters,get=texts")


def test_a_similarity_is_turned(module: str) -> None:
    turned = dy.compare(TEXTS, TEXTS[:3], f"{module}:alike,reverse=yes")[0]
    assert (turned.value, turned.options["reverse"]) == (-3, True)
    several = from_function(lambda one, other: {"a": 1, "b": 2}, "mine:several", reverse=True)
    assert dy.compare(TEXTS, OTHERS, several)[0].parts | {} == {
        "reference_texts": 4,
        "candidate_texts": 4,
        "a": -1,
        "b": -2,
    }


@pytest.mark.parametrize(
    ("given", "value", "parts"),
    [
        ({"first": 1, "second": 2.5}, 1, {"first": 1, "second": 2.5}),
        ((3, 4), 3, {"1": 3, "2": 4}),
        ([0.5], 0.5, {"1": 0.5}),
        (np.float32(0.5), 0.5, {}),
        (np.array(0.5), 0.5, {}),
        (np.array([0.5, 2]), 0.5, {"1": 0.5, "2": 2}),
        (np.int64(3), 3, {}),
    ],
)
def test_several_numbers_are_parts(given: Any, value: float, parts: dict[str, float]) -> None:
    score = value_of(lambda texts: given)
    assert (score.value, score.parts, score.notes) == (value, parts, ())


@pytest.mark.parametrize("given", [True, np.True_, np.array(False)])
def test_a_truth_value_counts_as_a_number_with_a_warning(given: Any) -> None:
    score = value_of(lambda texts: given)
    assert score.value == float(given)
    assert [(note.level, "True or False" in note) for note in score.notes] == [("warning", True)]


@pytest.mark.parametrize("given", [math.inf, -math.inf, np.float32("inf"), 10**400, {"a": math.inf, "b": 1}])
def test_a_number_that_is_not_finite_is_undefined(given: Any) -> None:
    score = value_of(lambda texts: given)
    assert math.isnan(score.value)
    assert "returned a" in (score.undefined or "")


def test_another_number_that_is_not_finite_has_a_note() -> None:
    score = value_of(lambda texts: {"a": 1, "b": math.inf})
    assert (score.value, math.isnan(score.parts["b"])) == (1, True)
    assert any(note.endswith("returned no finite number for b.") for note in score.notes)


@pytest.mark.parametrize("given", [None, "0.5", b"3", math.inf, np.array(["x"]), [1.0]])
def test_a_class_that_does_not_return_a_number_is_undefined_with_a_reason(given: Any) -> None:
    for metric in (Odd(_result=given), Odd(_result=given, wrapped=True)):
        score = dy.measure(TEXTS, metric)[0]
        assert math.isnan(score.value)
        assert (score.undefined or "").startswith("the metric returned")


@pytest.mark.parametrize(
    ("given", "value"), [(0.5, 0.5), (np.float32(0.5), 0.5), (np.array(2), 2), (True, 1)]
)
def test_a_class_may_return_a_number(given: Any, value: float) -> None:
    for metric in (Odd(_result=given), Odd(_result=given, wrapped=True)):
        score = dy.measure(TEXTS, metric)[0]
        assert (score.value, type(score.value)) == (value, float)
        assert bool(score.notes) == isinstance(given, bool)


@pytest.mark.parametrize(
    "given", [None, "much", "0.5", b"3", 1j, {}, (), {"a": "much"}, ["much"], np.array(["x"]), object()]
)
def test_what_is_no_number_is_undefined(given: Any) -> None:
    score = value_of(lambda texts: given)
    assert math.isnan(score.value)
    assert score.undefined.endswith(
        f"<lambda> returned {type(given).__name__}, not a number or several numbers."
    )


def test_what_it_raises_is_told_and_others_go_on() -> None:
    def broken(texts: list[str]) -> float:
        raise LookupError("no such word\nand more")

    score, other = dy.measure(TEXTS, [broken, "ttr"])
    assert math.isnan(score.value)
    assert score.undefined.endswith("broken raised LookupError: no such word.")
    assert other.value == dy.measure(TEXTS, "ttr")[0].value


def test_what_stops_the_program_stops_it() -> None:
    def stop(texts: list[str]) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        value_of(stop)


def test_nan_is_undefined() -> None:
    score = value_of(lambda texts: math.nan)
    assert math.isnan(score.value)
    assert score.undefined.endswith("<lambda> returned NaN.")
    assert score.to_dict()["value"] is None


def test_no_texts_are_undefined() -> None:
    assert dy.measure([], letters)[0].undefined == "there are no texts."
    assert dy.compare([], OTHERS, apart)[0].undefined == "the reference has no texts."


def test_how_many_things_it_takes() -> None:
    with pytest.raises(
        dy.SpecError, match="to take one corpus, or a reference and a candidate, .* 0 arguments"
    ):
        value_of(lambda: 0)
    with pytest.raises(dy.SpecError, match="needs 3 arguments"):
        value_of(lambda a, b, c: 0)
    assert value_of(lambda texts, n=2, *rest, key=None: len(texts) * n).value == 8  # others have defaults
    assert value_of(partial(lambda n, texts: len(texts) * n, 3)).value == 12
    assert value_of(len).value == 4
    with pytest.raises(dy.SpecError, match="measures one corpus"):
        dy.compare(TEXTS, OTHERS, letters)
    with pytest.raises(dy.SpecError, match="compare"):
        dy.measure(TEXTS, apart)


def test_what_cannot_be_found(module: str, tmp_path: Path) -> None:
    told = (
        r"Unknown metric 'nobody_has:this': no metric 'nobody_has', and the module cannot be imported "
        r"\(ModuleNotFoundError: No module named 'nobody_has'\). A function is given as module:function."
    )
    with pytest.raises(dy.SpecError, match=told):
        value_of("nobody_has:this")
    with pytest.raises(
        dy.SpecError, match=f"Unknown function 'leters' of '{module}'. Did you mean 'letters'?"
    ):
        value_of(f"{module}:leters")
    with pytest.raises(dy.SpecError, match=f"Expected '{module}:NUMBER' to be a function, got 5"):
        value_of(f"{module}:NUMBER")
    with pytest.raises(dy.SpecError, match="FileNotFoundError: no file 'none.py'"):
        value_of("none.py:letters")
    (tmp_path / "broken.py").write_text("import\n")
    for spec in ("broken:f", "broken.py:f"):
        with pytest.raises(dy.SpecError, match="SyntaxError: invalid syntax"):
            value_of(spec)
    with pytest.raises(
        dy.SpecError, match="Expected a metric's spec such as 'distinct:n=2', or a function, got 5"
    ):
        value_of([5])


def test_a_metric_goes_before_a_module_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "distinct.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(dy.SpecError, match="Expected `option=value` after 'distinct:', got 'letters'"):
        value_of("distinct:letters")
    assert value_of("distinct.py:letters").value == 75


def test_nothing_is_left_on_the_path_of_imports(module: str) -> None:
    import sys

    before = list(sys.path)
    value_of(f"{module}:letters")
    with pytest.raises(dy.SpecError):
        value_of("nobody_has:this")
    assert sys.path == before


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(dy.SpecError, match="Expected functions with different names, got two named"):
        dy.measure(TEXTS, [lambda texts: 1, lambda texts: 2])
    assert len(dy.measure(TEXTS, [letters, letters])) == 1


@pytest.mark.parametrize(
    "spec", ["{}:letters", "{}:words,reverse=yes", "{}:told,gets=texts", "{}.py:letters"]
)
def test_a_signature_finds_it_again(module: str, spec: str) -> None:
    score = value_of(spec.format(module))
    again = dy.metric_of(score.signature, trust=True)
    assert isinstance(again, CorpusFunction)
    assert value_of(again).value == score.value
    assert value_of(again).signature == score.signature
    distance = dy.compare(TEXTS, OTHERS, f"{module}:apart")[0]
    found = dy.metric_of(distance.signature, trust=True)
    assert isinstance(found, PairFunction)
    assert dy.compare(TEXTS, OTHERS, found)[0].value == distance.value == 32


def test_a_function_in_memory_cannot_be_found_again() -> None:
    with pytest.raises(dy.SpecError, match="Unknown function .*<lambda>"):
        dy.metric_of(value_of(lambda texts: 1).signature, trust=True)


def test_the_order_of_texts_does_not_matter_for_what_does_not_read_it() -> None:
    assert dy.measure(TEXTS[::-1], letters)[0].to_dict() == value_of(letters).to_dict()


def test_within_groups() -> None:
    scores = dy.measure(TEXTS, letters, groups=["x", "x", "y", "y"])
    by_scope = {score.scope: score.value for score in scores}
    # 44 letters in x, 31 in y.
    assert by_scope["within"] == (44 + 31) / 2
    assert 75 in by_scope.values()


def test_intervals() -> None:
    score = dy.measure(TEXTS * 5, lambda texts: statistics.mean(map(len, texts)), interval=True)[0]
    assert score.value == 75 / 4
    assert score.low is not None
    assert score.high is not None
    assert score.low < score.value < score.high
    pair = dy.compare(TEXTS * 5, OTHERS * 5, apart, interval=True)[0]
    assert pair.low is not None
    assert pair.high is not None
    assert pair.low <= pair.high


def test_permutations() -> None:
    def means_apart(reference: list[str], candidate: list[str]) -> float:
        return abs(statistics.mean(map(len, reference)) - statistics.mean(map(len, candidate)))

    far = dy.compare(
        ["a" * i for i in range(1, 21)], ["a" * i for i in range(41, 61)], means_apart, permutations=99
    )[0]
    assert (far.value, far.test.p) == (40, 0.01)  # none of 99 shuffles is as far: (0 + 1) / (99 + 1)
    near = dy.compare(
        ["a" * i for i in range(1, 41, 2)], ["a" * i for i in range(2, 41, 2)], means_apart, permutations=99
    )
    assert (near[0].value, near[0].test.p > 0.3) == (1, True)


def test_two_corpora_are_told_apart() -> None:
    both = dy.Corpus(TEXTS * 5 + OTHERS * 5, ids=["human"] * 20 + ["model"] * 20)
    scores = dy.measure(both, lambda texts: statistics.mean(map(len, texts)), by="label", permutations=99)
    assert {score.corpus: score.value for score in scores} == {"human": 75 / 4, "model": 43 / 4}


def test_pickling() -> None:
    metric = from_function(letters)
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert value_of(again).value == 75
    score = value_of(letters)
    assert pickle.loads(pickle.dumps(score)).signature == score.signature


def test_two_functions_of_one_name_are_two_metrics() -> None:
    values = [dy.measure(["a b", "c"], function)[0].value for function in (lambda texts: 1, lambda texts: 2)]
    assert values == [1, 2]


def test_a_callable_object_without_a_hash_is_a_tokenizer_and_a_tagger() -> None:
    @dataclass
    class Splitter:
        mark: str

        def __call__(self, text: str) -> list[str]:
            return text.split(self.mark)

    assert dy.measure(["a-b", "a"], "types:n=1", tokenizer=Splitter("-"))[0].value == 2
    assert dy.measure(["a-b", "a"], "types:n=1,of=tags", tagger=Splitter("-"))[0].value == 2
