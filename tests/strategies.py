"""Hypothesis strategies for texts and token lists."""

from __future__ import annotations

from hypothesis import strategies as st

# Few words, so that n-grams repeat; some of them unusual. None has white space or belongs to a script without
# it, so that lists of them are read as tokens.
WORDS = st.sampled_from(
    ["a", "b", "the", "cat", "'", "ß", "가", "👍", "", "\ud800", "a\x00", "longer-than-8-bytes"]
)
TOKEN_LISTS = st.lists(st.lists(WORDS, max_size=8), max_size=10)
FULL_TOKEN_LISTS = st.lists(st.lists(WORDS, min_size=1, max_size=8), min_size=1, max_size=10)
# Characters that are special for tokenizers, and any others.
TEXTS = st.text(
    st.one_of(
        st.sampled_from(
            "ab1٣½ '’.,-_\u0301\u200d\u200c\ufe0f\u00ad漢かカーｶ々〇가ñ\n\t\u00a0\u200b\ufeff"
            "👩💻🏽\U00020000\U0001d400\x00\ud800"
        ),
        st.characters(),
    ),
    max_size=40,
)
# Few small integers, so that vectors are repeated, zero or collinear.
VECTORS = st.integers(1, 5).flatmap(
    lambda size: st.lists(st.lists(st.integers(-2, 2), min_size=size, max_size=size), min_size=1, max_size=9)
)
