"""`novelty`: by hand, against sets of n-grams on every path, and passages that were planted."""

from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, two_corpora
from tests.oracles import novelty as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy

DRAW = random.Random(0)
VOCABULARY = [f"w{place}" for place in range(40)]
REFERENCE = [DRAW.choices(VOCABULARY, k=DRAW.choice([0, 1, 5, 30])) for _ in range(300)]
CANDIDATE = [DRAW.choices([*VOCABULARY, "new"], k=DRAW.choice([0, 1, 5, 30])) for _ in range(120)]
# A passage of 25 tokens that no other text has, in the middle of a text of each corpus.
PASSAGE = [f"p{place}" for place in range(25)]
REFERENCE[211] = ["w1", "w2", *PASSAGE, "w3"]
CANDIDATE[57] = ["new", *PASSAGE, "new", "w4"]


def spaced(texts: list[list[str]]) -> list[str]:
    return [" ".join(text) for text in texts]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return files of the reference and of the candidate."""
    paths = tmp_path / "reference.txt", tmp_path / "candidate.txt"
    for path, texts in zip(paths, (REFERENCE, CANDIDATE)):
        path.write_text("".join(text + "\n" for text in spaced(texts)))
    return paths


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let corpora of any size be looked up by compiled loops, in small pieces."""
    monkeypatch.setattr("distinctly.statistics.matches.COMPILED_FROM", 0)
    monkeypatch.setattr("distinctly.statistics.matches.PIECE", 50)
    monkeypatch.setattr("distinctly.statistics.matches.ROUNDS", 3)
    monkeypatch.setattr("distinctly.statistics.all_tokens.TOGETHER", 50)


@pytest.fixture
def stored(compiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also let nothing fit in memory, so that tokens are on disk."""
    monkeypatch.setattr("distinctly.engine.local.COMPILED_FROM", 0)
    monkeypatch.setattr("distinctly.engine.local.SPILLED", 0)
    monkeypatch.setattr("distinctly.engine.local.PENDING", 0)
    monkeypatch.setattr("distinctly.run.sampling.ROWS_PER_BYTE", 1 << 40)


def expected(reference: list[list[str]], candidate: list[list[str]], n: int) -> tuple[int, int]:
    """Return the number of n-grams that are new, and of all of them."""
    counts = oracle.novel(reference, candidate, n)
    return sum(new for new, _ in counts), sum(total for _, total in counts)


def test_by_hand() -> None:
    # Of a b c x a, the pairs c x and x a are new, 2 of 4. From its tokens on, the reference has a b c, b c,
    # c, nothing, a: 3 + 2 + 1 + 0 + 1 tokens. The empty text is no copy of anything, b c is.
    score = dy.compare([["a", "b", "c"], ["a"]], [["a", "b", "c", "x", "a"], [], ["b", "c"]], "novelty:n=2")[
        0
    ]
    assert score.parts == {
        "reference_texts": 2,
        "candidate_texts": 3,
        "ngrams": 5,  # 4 and, of b c, 1
        "novel": 2,
        "mean_match": pytest.approx((3 + 2 + 1 + 0 + 1 + 2 + 1) / 7),
        "median_match": 1,  # 0 1 1 1 2 2 3
        "match_99": 3,
        "longest_match": 3,
        "copied_texts": 1,
    }
    assert score.value == 2 / 5


def test_means_of_texts_by_hand() -> None:
    # 1 of 2 pairs, and 0 of 1; the text of one token has no pairs, and does not count.
    score = dy.compare([["a", "b"]], [["a", "b", "x"], ["a", "b"], ["x"]], "novelty:n=2,pool=text")[0]
    assert (score.value, score.parts["texts"]) == ((1 / 2 + 0) / 2, 2)


def test_its_sizes_are_one_to_ten() -> None:
    scores = dy.compare(["a b"], ["a b"], "novelty")
    assert [score.spec for score in scores] == [f"novelty:n={n}" for n in range(1, 11)]
    with pytest.raises(dy.SpecError, match="at least 1"):
        dy.compare(["a"], ["a"], "novelty:n=0")


def test_no_match_crosses_texts() -> None:
    assert dy.compare([["a"], ["b"]], [["a", "b"]], "novelty:n=2")[0].value == 1
    assert dy.compare([["a", "b"]], [["a"], ["b"]], "novelty:n=1")[0].parts["longest_match"] == 1


@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, n=st.integers(1, 10))
def test_against_sets(reference: list[list[str]], candidate: list[list[str]], n: int) -> None:
    check_against_sets(reference, candidate, n)


@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, n=st.integers(1, 10))
@settings(max_examples=40)
def test_against_sets_by_compiled_loops(
    reference: list[list[str]], candidate: list[list[str]], n: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("distinctly.statistics.matches.COMPILED_FROM", 0)
        patch.setattr("distinctly.statistics.matches.PIECE", 3)
        patch.setattr("distinctly.statistics.matches.TOGETHER", 4)
        patch.setattr("distinctly.statistics.matches.ROUNDS", 2)
        check_against_sets(reference, candidate, n)


def check_against_sets(reference: list[list[str]], candidate: list[list[str]], n: int) -> None:
    scores = dy.compare(reference, candidate, [f"novelty:n={n}", f"novelty:n={n},pool=text"])
    of_texts = oracle.novel(reference, candidate, n)
    new, total = expected(reference, candidate, n)
    if not candidate or not any(reference) or not total:
        assert all(math.isnan(score.value) and score.undefined for score in scores)
        return
    assert (scores[0].parts["novel"], scores[0].parts["ngrams"]) == (new, total)
    assert scores[0].value == new / total
    shares = [of_text / of_all for of_text, of_all in of_texts if of_all]
    assert scores[1].value == pytest.approx(statistics.fmean(shares), rel=1e-12)
    matches = oracle.longest_matches(candidate, reference)
    parts = scores[0].parts
    assert parts["mean_match"] == pytest.approx(statistics.fmean(matches), rel=1e-12)
    assert parts["median_match"] == statistics.median_low(matches)
    assert parts["longest_match"] == max(matches)
    known = {tuple(text[start:end]) for text in reference for start in range(9) for end in range(start, 9)}
    assert parts["copied_texts"] == sum(bool(text) and tuple(text) in known for text in candidate)


def scores_of(pair: tuple[Any, Any], **options: Any) -> list[tuple[float, dict[str, Any], str]]:
    """Return value, parts and signature for n = 1 to 10."""
    scores = dy.compare(*pair, "novelty", **options)
    return [(score.value, dict(score.parts), score.signature) for score in scores]


class TestPaths:
    """The same numbers in memory, by compiled loops, from disk, from states and in parts."""

    @pytest.fixture
    def plain(self, files: tuple[Path, Path]) -> list[tuple[float, dict[str, Any], str]]:
        scores = scores_of(files)
        for n, (value, parts, _) in enumerate(scores, 1):
            new, total = expected(REFERENCE, CANDIDATE, n)
            assert (value, parts["novel"], parts["ngrams"]) == (new / total, new, total)
        return scores

    def test_by_compiled_loops(self, plain: object, files: tuple[Path, Path], compiled: None) -> None:
        assert scores_of(files) == plain

    def test_from_disk(self, plain: object, files: tuple[Path, Path], stored: None) -> None:
        written = []
        with pytest.MonkeyPatch.context() as patch:
            from distinctly.engine import spill

            append = spill._TextFile.append
            patch.setattr(spill._TextFile, "append", lambda *args: written.append(args[1]) or append(*args))
            assert scores_of(files) == plain
        assert sum(len(texts) for texts in written) == len(REFERENCE) + len(CANDIDATE)

    @pytest.mark.parametrize("path", ["in memory", "compiled", "stored"])
    def test_from_states(
        self, plain: object, files: tuple[Path, Path], path: str, request: pytest.FixtureRequest
    ) -> None:
        if path != "in memory":
            request.getfixturevalue(path)
        states = [file.with_suffix(".state") for file in files]
        for file, state in zip(files, states):
            dy.save_state(file, state, "novelty:n=1")  # the tokens are the same for all n
        assert scores_of((states[0], files[1])) == plain
        assert scores_of((states[0], states[1])) == plain

    @pytest.mark.parametrize("path", ["compiled", "stored"])
    def test_merged_states(
        self, plain: object, files: tuple[Path, Path], path: str, request: pytest.FixtureRequest
    ) -> None:
        request.getfixturevalue(path)
        folder = files[0].parent
        for place, part in enumerate((REFERENCE[:7], REFERENCE[7:100], REFERENCE[100:])):
            dy.save_state(spaced(part), folder / f"{place}.state", "novelty:n=3")
        dy.merge_states([folder / f"{place}.state" for place in range(3)], folder / "merged.state")
        dy.save_state(files[0], folder / "whole.state", "novelty:n=3")
        assert (folder / "merged.state").read_bytes() == (folder / "whole.state").read_bytes()
        assert scores_of((folder / "merged.state", files[1])) == plain

    def test_in_parts(
        self, plain: object, files: tuple[Path, Path], stored: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("distinctly.engine.parts.partition_bytes", lambda _: 500)
        folder = files[0].parent / "parts"
        assert scores_of(files, checkpoint=str(folder)) == plain
        assert scores_of(files, checkpoint=str(folder)) == plain  # from the files of the first run

    def test_accumulated(self, plain: Any, files: tuple[Path, Path]) -> None:
        total = dy.Accumulator(["novelty:n=2"])
        total.update(reference=spaced(REFERENCE))
        for start in range(0, len(CANDIDATE), 50):
            total.update(candidate=spaced(CANDIDATE[start : start + 50]))
        assert total.compute()[0].value == plain[1][0]


def test_real_texts() -> None:
    reference, candidate = two_corpora(LABELLED[0])
    for score in dy.compare(reference, candidate, "novelty"):
        new, total = expected(reference, candidate, score.options["n"])
        assert score.value == new / total


class TestPassages:
    """What was copied is listed, with where it comes from."""

    @pytest.mark.parametrize("path", ["in memory", "compiled", "stored"])
    @pytest.mark.parametrize("from_state", [False, True], ids=["texts", "state"])
    def test_a_planted_passage(
        self, files: tuple[Path, Path], path: str, from_state: bool, request: pytest.FixtureRequest
    ) -> None:
        if path != "in memory":
            request.getfixturevalue(path)
        reference, candidate = files
        if from_state:
            reference = reference.with_suffix(".state")
            dy.save_state(files[0], reference, "novelty:n=1")
        scores = dy.compare(reference, candidate, "novelty:n=4", explain=3)
        (copied,) = scores.corpora[1]["drivers"]["copied"]
        first = copied["passages"][0]
        assert first["text"] == " ".join(PASSAGE)
        assert (first["tokens"], first["candidate_times"], first["reference_times"]) == (25, 1, 1)
        # The places from 1: text 58, after one token; text 212, after two.
        inside = {"text": 58, "position": 2, "left": "new", "right": "new w4"}
        assert first["candidate"] == inside
        source = {"text": 212, "position": 3, "left": "w1 w2", "right": "w3"}
        assert first["reference"] == ({"text": 212, "position": 3} if from_state else source)

    @pytest.mark.parametrize("path", ["in memory", "compiled"])
    def test_all_passages_are_in_both_and_cannot_be_longer(
        self, path: str, request: pytest.FixtureRequest
    ) -> None:
        if path != "in memory":
            request.getfixturevalue(path)
        scores = dy.compare(REFERENCE, CANDIDATE, "novelty:n=1", explain=20)
        passages = scores.corpora[1]["drivers"]["copied"][0]["passages"]
        assert len(passages) == 20
        longest = sorted(oracle.longest_matches(CANDIDATE, REFERENCE), reverse=True)
        assert passages[0]["tokens"] == longest[0]
        assert [p["tokens"] for p in passages] == sorted((p["tokens"] for p in passages), reverse=True)
        texts = [f" {p['text']} " for p in passages]
        for place, passage in enumerate(passages):
            tokens = passage["text"].split()
            assert not any(texts[place] in other for other in texts[:place])
            in_reference = oracle.occurrences(REFERENCE, tokens)
            assert passage["reference_times"] == len(in_reference)
            assert (passage["reference"]["text"], passage["reference"]["position"]) == in_reference[0]
            row, position = passage["candidate"]["text"], passage["candidate"]["position"]
            assert (row, position) in oracle.occurrences(CANDIDATE, tokens)
            text, start = CANDIDATE[row - 1], position - 1
            for longer in (text[max(start - 1, 0) : start] + tokens, text[start : start + len(tokens) + 1]):
                assert len(longer) == len(tokens) or not oracle.occurrences(REFERENCE, longer)

    def test_the_distribution_of_matches(self) -> None:
        scores = dy.compare(REFERENCE, CANDIDATE, "novelty:n=1", explain=1)
        matches = scores.corpora[1]["drivers"]["copied"][0]["matches"]
        lengths = oracle.longest_matches(CANDIDATE, REFERENCE)
        assert matches == [
            {"length": length, "tokens": lengths.count(length)} for length in sorted(set(lengths))
        ]

    def test_texts_are_numbered_in_their_file(self, tmp_path: Path) -> None:
        rows = [("human", "one two three four"), ("model", "x y"), ("model", "zero one two three")]
        path = tmp_path / "x.jsonl"
        path.write_text("".join(json.dumps({"who": who, "text": text}) + "\n" for who, text in rows))
        scores = dy.compare(path, None, "novelty:n=1", by="who", explain=1)
        (passage,) = scores.corpora[1]["drivers"]["copied"][0]["passages"]
        assert (passage["candidate"]["text"], passage["reference"]["text"]) == (3, 1)

    def test_views_are_listed_apart(self) -> None:
        specs = ["novelty:n=2", "novelty:n=3", "novelty:n=2,of=char"]
        scores = dy.compare(["the cat"], ["a cat"], specs, explain=1)
        words, characters = scores.corpora[1]["drivers"]["copied"]
        assert (words["metric"], words["of"], words["passages"]) == ("novelty:n=2", "", [])
        assert (characters["of"], characters["passages"][0]["tokens"]) == ("char", 4)

    def test_no_listing_without_novelty(self) -> None:
        assert "copied" not in dy.compare(["a b"], ["a b"], "jensen_shannon", explain=1).corpora[1]["drivers"]


class TestErrors:
    """Undefined values have a reason, and invalid input a remedy."""

    @pytest.mark.parametrize(
        ("reference", "candidate", "reason"),
        [
            ([[]], [["a"]], "the reference has no tokens."),
            ([["a"]], [[]], "the candidate has no text of at least 2 tokens."),
            ([["a"]], [["a"], ["b"]], "the candidate has no text of at least 2 tokens."),
        ],
    )
    def test_undefined(self, reference: list[list[str]], candidate: list[list[str]], reason: str) -> None:
        score = dy.compare(reference, candidate, "novelty:n=2")[0]
        assert math.isnan(score.value)
        assert score.undefined == reason

    def test_a_reference_shorter_than_n_has_nothing(self) -> None:
        assert dy.compare([["a"]], [["a", "b"]], "novelty:n=2")[0].value == 1

    @pytest.fixture
    def state(self, tmp_path: Path) -> Path:
        path = tmp_path / "human.state"
        dy.save_state(["the cat sat"], path, "novelty:n=1")
        return path

    def test_passages_of_a_state_cannot_be_quoted(self, state: Path) -> None:
        with pytest.raises(dy.InputError, match="texts are needed here"):
            dy.compare(state, state, "novelty:n=1", explain=1)
        with pytest.raises(dy.InputError, match="texts are needed here"):
            dy.compare(["a cat"], state, "novelty:n=1", explain=1)

    def test_the_rest_of_an_explanation_needs_texts(self, tmp_path: Path) -> None:
        state = tmp_path / "human.state"
        dy.save_state(["the cat sat"], state, "jensen_shannon")
        with pytest.raises(dy.InputError, match="texts are needed here"):
            dy.compare(state, ["a cat"], "jensen_shannon", explain=1)

    def test_a_damaged_piece(self, state: Path) -> None:
        data = bytearray(state.read_bytes())
        place = data.find(dy.Corpus(["the cat sat"]) and _hashes("the cat sat"))
        assert place > 0
        data[place] ^= 1
        state.write_bytes(bytes(data))
        with pytest.raises(dy.InputError, match=r"human\.state.*damaged"):
            dy.compare(state, ["a cat"], "novelty:n=1")


def _hashes(text: str) -> bytes:
    """Return the hashes of the tokens of a text, as they are in a state."""
    from distinctly.views.tokens import Tokens

    return Tokens.of([text.split()]).hashes.tobytes()
