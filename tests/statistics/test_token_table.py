"""`TokenTable`: counts of two corpora, the most frequent n-grams with alphabetical ties, and many pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import tables
from tests.oracles import token_tables
from tests.strategies import TOKEN_LISTS

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.ragged import Integers
from distinctly.statistics.pool import Pool
from distinctly.statistics.token_table import TokenTable, TwoCounts
from distinctly.strings import Strings
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens


def columns(table: TwoCounts) -> dict[str, tuple[int, int]]:
    return dict(zip(table.spell(), zip(table.reference.tolist(), table.candidate.tolist())))


@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, n=st.integers(1, 3), top=st.integers(1, 9))
def test_against_counters(reference: list[list[str]], candidate: list[list[str]], n: int, top: int) -> None:
    table = tables(reference, candidate, n)
    assert columns(table) == token_tables.columns(reference, candidate, n=n)
    assert columns(table.most_frequent(top)) == token_tables.columns(reference, candidate, top, n)
    assert table.totals == token_tables.totals(columns(table))
    for spectrum, side in zip(table.spectra, (reference, candidate)):
        ranked = sorted((c for c, _ in token_tables.columns(side, [], n=n).values()), reverse=True)
        assert spectrum.at_ranks(np.arange(1, len(ranked) + 1)).tolist() == ranked
        assert (spectrum.distinct, spectrum.total) == (len(ranked), sum(ranked))


@st.composite
def selections(draw: st.DrawFn) -> tuple[list[list[str]], list[tuple[Integers, Integers]]]:
    texts = draw(TOKEN_LISTS)
    rows = st.lists(st.integers(0, len(texts) - 1), unique=True) if texts else st.just([])
    drawn = draw(st.lists(st.tuples(rows, rows), max_size=4))
    return texts, [
        (np.array(reference, np.int64), np.array(candidate, np.int64)) for reference, candidate in drawn
    ]


@given(chosen=selections(), top=st.integers(1, 5))
def test_many_pairs_equal_single_pairs(
    chosen: tuple[list[list[str]], list[tuple[Integers, Integers]]], top: int
) -> None:
    texts, pairs = chosen
    index = TokenTable().index(Pool(Rows(Batch.of(texts))))
    together = list(index.each(pairs))
    assert len(together) == len(pairs)
    for (reference, candidate), table in zip(pairs, together):
        alone = index.summarize(reference, candidate)
        for left, right in ((table, alone), (table.most_frequent(top), alone.most_frequent(top))):
            assert left.codes.tolist() == right.codes.tolist()
            assert left.reference.tolist() == right.reference.tolist()
            assert left.candidate.tolist() == right.candidate.tolist()


def test_compiled_counts_are_equal() -> None:
    batch = Batch(Strings.encode(["the cat sat on the mat", "a cat ran", "", "知道 the cat"]))
    plain, fast = (
        TokenTable().index(Pool(Rows(batch, RunConfig(compiled=compiled)))) for compiled in (False, True)
    )
    rows = np.array([3, 0]), np.array([1, 2])
    assert columns(plain.summarize(*rows)) == columns(fast.summarize(*rows))


def test_only_ties_at_the_cut_are_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [[f"often{i}" for i in range(5)] * 9, ["b", "a", "d", "c"] * 2, [f"rare{i}" for i in range(99)]]
    spelled: list[str] = []
    spell = Tokens.spell

    def counted(tokens: Tokens, position: int, n: int) -> str:
        spelled.append(spell(tokens, position, n))
        return spelled[-1]

    monkeypatch.setattr(Tokens, "spell", counted)
    table = tables(texts, []).most_frequent(7)
    assert sorted(spelled) == ["a", "b", "c", "d"]
    assert sorted(columns(table)) == ["a", "b", *(f"often{i}" for i in range(5))]
