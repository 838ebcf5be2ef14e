"""The instructions for annotators: those of Figure 3 of Liu et al. (2022), for any scale."""

from __future__ import annotations

# The first ten numbers are written as words, as in the paper.
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

TITLE = "Evaluating the diversity of sets of sentences"
QUESTION = "On a scale of {low}–{high}, how much lexical diversity does this set have?"
_DEFAULT = """\
## Task description

There are **{sets}** sentence sets from {sets} different generative models. You should analyze all the sets \
and evaluate the diversity of each sentence set by comparing it to others.

You should know:

1. Lexical diversity can be measured by the extent of using various different words in a sentence set. For \
example, set A ("a d e v s", "g e d h e") is more diverse than set B ("a b c d e", "e d c a b") because set \
A contains more unique (distinct) words.
2. Nevertheless, please do **not** give your score by counting the number of distinct words of each set, \
because in a longer sentence it is harder to add a distinct word than in a shorter one. You **should** \
evaluate the diversity based on your common sense: whether this sentence, at its length, is really diverse.
3. You can give each set a score from {low} to {high}, where {high} means the highest lexical diversity and \
{low} means the lowest lexical diversity. For example, you evaluate the lexical diversity of 3 sets, A, B \
and C, and the result is A > B > C. You can give A the highest score (e.g. {best}), give B a medium score \
(e.g. {middle}), and give C the lowest score (e.g. {worst}).
4. The absolute score that you give each set is not important; however, the difference between scores \
should reflect the extent of the diversity difference between the sentence sets. For example, if you give A \
→ 5, B → 9, C → 10, that means the difference between A and B (5–9) is much more than the difference \
between B and C (9–10). Hence, we can see that A is much less diverse than the others. You can see that the \
same conclusion could be made if you had scored these three sets as A → 10, B → 18, C → 20.

## Notes

- Every case is reviewed by several people. If the rank of the sets that you gave is much different from \
the results of other workers, we will carefully review your performance again to decide if your task should \
be accepted. Please ensure that you take it seriously.
"""


def default_instructions(sets: int, low: float, high: float) -> str:
    """Return the instructions of the paper in Markdown, with its spelling corrected.

    Parameters
    ----------
    sets
        The number of sets that are shown together.
    low, high
        The ends of the scale.

    Examples
    --------
    >>> "(e.g. 40)" in default_instructions(10, 1, 50)
    True
    """
    # The scores of the example are at these shares of the scale: 40, 35 and 20 on that of the paper.
    best, middle, worst = (_score(low + share * (high - low), low, high) for share in (0.8, 0.7, 0.388))
    return _DEFAULT.format(
        sets=_WORDS[sets] if sets < len(_WORDS) else f"{sets}",
        low=f"{low:g}",
        high=f"{high:g}",
        best=best,
        middle=middle,
        worst=worst,
    )


def _score(value: float, low: float, high: float) -> str:
    return f"{round(value)}" if high - low >= 10 else f"{value:.2g}"
