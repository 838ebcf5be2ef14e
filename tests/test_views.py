"""`of=`: what a metric reads of texts, and which choice wins."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import distinctly as dy
from distinctly.config import RunConfig
from distinctly.diversity.types import Types
from distinctly.views.tokens import Tokens

TEXTS = ["The cat sat", "the dog ran off"]
TAGS = [["D", "N", "V"], ["D", "N", "V", "P"]]


@dataclass(frozen=True, kw_only=True)
class Characters(Types):
    """Counts characters unless another view is asked for."""

    name: ClassVar[str] = "characters"
    default_view: ClassVar[str] = "char"


def values(*specs: Any, **options: Any) -> list[float]:
    return [score.value for score in dy.measure(TEXTS, list(specs), **options)]


def test_hashes_of_texts_are_selected_and_joined() -> None:
    lists = [[["a", "b"], []], [["c"] * 20], []]
    for shared in (False, True):
        pieces = [Tokens.of(texts) for texts in lists]
        joined = Tokens.join(pieces)
        if shared:
            joined.share_hashes(pieces)
        else:
            assert all(len(piece.text_hashes) == len(piece) for piece in pieces)
            joined = Tokens.join(pieces)
        expected = Tokens.of([text for texts in lists for text in texts])
        assert joined.text_hashes.tolist() == expected.text_hashes.tolist()
        for piece, texts in zip(pieces, lists):
            assert piece.text_hashes.tolist() == Tokens.of(texts).text_hashes.tolist()
        rows = np.array([2, 0, 2])
        anew = Tokens.of([[["a", "b"], [], ["c"] * 20][row] for row in rows])
        assert joined.select(rows).text_hashes.tolist() == anew.text_hashes.tolist()


def test_wide_hashes_of_texts_are_not_mixed_with_short_ones() -> None:
    pieces = [Tokens.of([["a", "b"]], bits=128), Tokens.of([["c"]], bits=128)]
    joined = Tokens.join(pieces)
    joined.share_hashes(pieces)
    assert joined.wide_text_hashes[1].tolist() == pieces[1].wide_text_hashes[0].tolist()
    assert joined.text_hashes[1] == pieces[1].text_hashes[0]


def test_two_tokenizers_in_one_run() -> None:
    # Words: The cat sat the dog ran off = 7; lower-cased 6. Characters:
    # T h e c a s t d o g r n f = 13, and the space.
    assert values("types:n=1", "types:n=1,of=words(lc=yes)", "types:n=1,of=char") == [7, 6, 14]


def test_of_wins_over_the_tokenizer_and_that_over_the_default_of_the_metric() -> None:
    metric = Characters(n=1)
    assert values(metric) == [14]
    assert values(metric, tokenizer="words") == [7]
    assert values(Characters(n=1, of="words(lc=yes)"), tokenizer="char") == [6]


def test_tags_that_are_given_and_tags_of_a_function() -> None:
    # Pairs of tags: D N, N V; D N, N V, V P: 3 of 5 differ.
    assert values("distinct:n=2,of=tags", tags=TAGS) == [3 / 5]
    tagged = dict(zip(TEXTS, TAGS))
    assert values("distinct:n=2,of=tags", tagger=tagged.__getitem__) == [3 / 5]
    # Pairs of a token and its tag, as taggers of other packages return them.
    pairs = {text: list(zip(text.split(), tags)) for text, tags in tagged.items()}
    assert values("distinct:n=2,of=tags", tagger=pairs.__getitem__) == [3 / 5]


def test_the_signature_of_tags_measures_again() -> None:
    for score in dy.measure(TEXTS, ["distinct:n=2,of=tags", "compression:of=tags"], tags=TAGS):
        signature = dy.Signature.parse(score.signature)
        assert signature.view == ("tag", "given", {})
        again = dy.measure(TEXTS, signature.spec, tokenizer=signature.tokenizer, tags=TAGS)[0]
        assert (again.value, again.signature) == (score.value, score.signature)


def test_without_tags_the_error_says_where_they_come_from() -> None:
    with pytest.raises(dy.InputError, match="--tagger hanta.*tagger=.*--tags.*tags="):
        dy.measure(TEXTS, "distinct:n=1,of=tags")
    with pytest.raises(dy.InputError, match="a list of strings, got 'NN'"):
        dy.measure(TEXTS, "distinct:n=1,of=tags", tagger=lambda text: "NN")


@pytest.mark.parametrize("of", ["tags(lc=yes)", "words(", "wrods", "words(lc=maybe)"])
def test_a_view_that_does_not_exist_is_an_error(of: str) -> None:
    with pytest.raises(dy.SpecError):
        dy.measure(TEXTS, f"distinct:n=1,of={of}", tags=TAGS)


def test_a_metric_of_vectors_refuses_of() -> None:
    with pytest.raises(dy.SpecError, match="reads vectors.*--embedder"):
        dy.measure(TEXTS, "vendi:of=tags", tags=TAGS)


def test_a_configuration_is_pickled_without_its_callback() -> None:
    config = RunConfig(threads=2, memory="0.5GB", progress=print)
    copy = pickle.loads(pickle.dumps(config))
    assert copy == config
    assert (copy.memory_limit, copy.progress) == (500_000_000, None)
