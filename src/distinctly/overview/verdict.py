"""The summary of an overview: at most five sentences, computed from scores and their tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from distinctly.overview.names import capitalized, listed, size_of, title_of
from distinctly.report.cells import Rounding, printable, roundings, written_p
from distinctly.run.comparing import SIGNIFICANT
from distinctly.run.scoring import length_warning
from distinctly.score import Comparison, Score, Scores

MOST_SENTENCES = 5
# The metric that the first sentence is about, if it was measured.
_HEADLINE = ("distinct", 2)
# The scopes of texts with groups, in the order of preference for the first sentence.
_SCOPES = (None, "pooled", "within", "across")
_PLACES = {"within": " within groups", "across": " across groups"}
# Of more corpora that were not compared, the first values are named, so that there is room for the rest.
MOST_ALONE = 2
# A smaller share of repeated texts is not worth a sentence.
FEW_REPEATED = 0.01


@dataclass(frozen=True)
class Contest:
    """The values of one metric in one scope for several corpora, and their differences from the best.

    Attributes
    ----------
    best
        The score of the most diverse corpus.
    differences
        The tested or untested differences of the others from it.
    """

    best: Score
    differences: Sequence[Comparison]

    @property
    def differing(self) -> list[Comparison]:
        """The differences that are more than noise."""
        return [each for each in self.differences if each.noise is False]

    @property
    def within_noise(self) -> list[Comparison]:
        """The differences that may be noise."""
        return [each for each in self.differences if each.noise is True]

    @property
    def decided(self) -> bool:
        """Whether the best differs from all others by more than noise."""
        return len(self.differing) == len(self.differences)

    def exceeds(self, corpus: str) -> bool:
        """Return whether the best differs from a corpus by more than noise."""
        return any(each.corpus == corpus for each in self.differing)

    @property
    def title(self) -> str:
        """The metric and the scope in words."""
        return title_of(self.best) + _PLACES.get(self.best.scope or "", "")


def contests(scores: Scores) -> list[Contest]:
    """Return the compared metrics, in the order of the scores."""
    by_key: dict[tuple[str, str | None], list[Comparison]] = {}
    for comparison in scores.comparisons:
        by_key.setdefault((comparison.metric, comparison.scope), []).append(comparison)
    known = {(score.spec, score.scope, score.corpus): score for score in scores}
    return [
        Contest(known[metric, scope, differences[0].best], differences)
        for (metric, scope), differences in by_key.items()
    ]


def sentences_of_scores(scores: Scores) -> list[str]:
    """Return what the scores of one or several corpora say, the most important first."""
    known = sorted(contests(scores), key=_headline)
    lines: list[str] = []
    if known:
        lines += [_winner(known[0], scores), *_others(known)]
    else:
        lines += list(_alone(scores))
    return [*lines, *_length(scores), *_repeated(scores)][:MOST_SENTENCES]


def _headline(contest: Contest) -> tuple[int, bool]:
    score = contest.best
    is_first = (score.metric, score.options.get("n")) == _HEADLINE and "pool" not in score.spec
    return _SCOPES.index(score.scope) if score.scope in _SCOPES else len(_SCOPES), not is_first


def _winner(contest: Contest, scores: Scores) -> str:
    """Return the sentence on the most diverse corpus."""
    best, differences = contest.best, contest.differences
    name, count = printable(best.corpus), len(differences) + 1
    rounding = roundings(scores)[best.spec]
    title = f"{contest.title}{size_of(best)}"
    value = rounding.write(best.value)
    if not any(each.difference for each in differences):
        return capitalized(
            f"{title} is {value} for all {count} corpora, so none is more varied than another."
        )
    if all(each.noise is None for each in differences):
        return (
            f"{name} has the best value of {title}, {value}, but there are too few texts to test whether it "
            "differs from the others by more than noise."
        )
    if not contest.differing:
        others = "the other corpus" if count == 2 else "none of the others"
        verb = "does not differ from it" if count == 2 else "differs from it"
        tested = "" if len(contest.within_noise) == len(differences) else ", of those that could be tested,"
        return (
            f"No corpus is more varied than all others beyond noise: by {title}, {name} has the best value, "
            f"{value}, and {others}{tested} {verb} significantly (corrected p ≥ {SIGNIFICANT})."
        )
    direction = "higher" if differences[0].difference < 0 or differences[-1].difference < 0 else "lower"
    if count == 2:
        size = rounding.write(abs(differences[0].difference))
        return (
            f"{name} is more varied than {printable(differences[0].corpus)}: {title} is {value}, which is "
            f"{size} {direction} (corrected p {_p(differences[0])})."
        )
    sizes = sorted(abs(each.difference) for each in contest.differing)
    span = rounding.write(sizes[0]) + (f" to {rounding.write(sizes[-1])}" if len(sizes) > 1 else "")
    if contest.decided:
        return (
            f"{name} is the most varied of {count} corpora: {title} is {value}, and {span} {direction} than "
            f"for the {len(differences)} others (corrected p < {SIGNIFICANT} for all)."
        )
    opposite = "lower" if direction == "higher" else "higher"
    sentence = (
        f"{name} has the {direction.removesuffix('er')}est value of {title} of {count} corpora, {value}: "
        f"{_named(contest.differing)} {opposite} by {span} (corrected p < {SIGNIFICANT})"
    )
    if contest.within_noise:
        sentence += f", while {_named(contest.within_noise)} within noise of it"
    untested = [each for each in differences if each.noise is None]
    return sentence + (f"; {_named(untested)} not tested." if untested else ".")


def _named(differences: Sequence[Comparison]) -> str:
    """Return the corpora of differences with a verb."""
    names = listed([printable(each.corpus) for each in differences])
    return f"{names} {'is' if len(differences) == 1 else 'are'}"


def _p(comparison: Comparison) -> str:
    text = written_p(comparison.p_holm)
    return text if text.startswith("<") else f"= {text}"


def _others(known: Sequence[Contest]) -> Iterator[str]:
    """Yield one sentence on the metrics by which another corpus is the most diverse, if there are some."""
    first = known[0].best
    others = [
        contest
        for contest in known[1:]
        if contest.differing
        and (contest.best.metric, contest.best.spec) != (first.metric, first.spec)
        and (contest.best.corpus == first.corpus or contest.exceeds(first.corpus))
    ]
    if not others:
        return
    by_corpus: dict[str, list[str]] = {}
    for contest in others:
        by_corpus.setdefault(contest.best.corpus, []).append(contest.title)
    agreeing = list(dict.fromkeys(by_corpus.pop(first.corpus, [])))
    parts = [
        f"{printable(corpus)} by {listed(list(dict.fromkeys(titles)), most=6)}"
        for corpus, titles in by_corpus.items()
    ]
    same = f"{printable(first.corpus)} is also the most varied by {listed(agreeing, most=6)}"
    if parts:
        lead = f"Metrics disagree: {same}, but less" if agreeing else f"{printable(first.corpus)} is less"
        end = "" if agreeing else ": metrics disagree"
        yield f"{lead} varied than {listed(parts, most=len(parts))}{end}."
    elif agreeing:
        yield f"{same}."


def _length(scores: Scores) -> Iterator[str]:
    """Yield one sentence on lengths, if they differ and a metric depends on them."""
    means = {
        str(corpus["name"]): float(corpus["tokens_per_text"])
        for corpus in scores.corpora
        if corpus.get("tokens_per_text")
    }
    warning = length_warning(list(means.values()))
    affected = [score for score in scores if warning is not None and warning in score.notes]
    if not affected:
        return
    shortest, longest = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    # A value at one size is named like that of all texts.
    titles = list(dict.fromkeys(map(title_of, affected)))
    yield (
        f"Texts of {printable(shortest)} have {means[shortest]:,.1f} tokens on average, and those of "
        f"{printable(longest)} {means[longest]:,.1f}: part of the differences in {listed(titles)} may be due "
        "to length."
    )


def _alone(scores: Scores) -> Iterator[str]:
    """Yield sentences on values that are not compared with others."""
    chosen = sorted(
        (score for score in scores if score.plain_spec is None),
        key=lambda score: (
            _SCOPES.index(score.scope) if score.scope in _SCOPES else len(_SCOPES),
            (score.metric, score.options.get("n")) != _HEADLINE,
        ),
    )
    if not chosen:
        return
    several = len({score.corpus for score in scores}) > 1
    headline = chosen[0]
    alike = [score for score in chosen if (score.spec, score.scope) == (headline.spec, headline.scope)]
    for score in alike[:MOST_ALONE]:
        place = _PLACES.get(score.scope or "", "")
        title = f"{title_of(score)}{place} of {printable(score.corpus)}"
        if math.isnan(score.value):
            yield capitalized(f"{title} is undefined: {score.undefined}")
            continue
        interval = ""
        rounding = Rounding.of([score.value])
        if score.low is not None and score.high is not None:
            interval = f" (95 % interval {rounding.write(score.low)} to {rounding.write(score.high)})"
        yield capitalized(f"{title} is {rounding.write(score.value)}{interval}.")
    if several:
        yield "The differences between the corpora were not tested, so they may be noise."
    else:
        yield (
            "There is nothing to compare it with: values depend on the number and the length of texts, so "
            "compare them only with those of a corpus of similar size, measured in the same report."
        )


def _repeated(scores: Scores) -> Iterator[str]:
    """Yield one sentence on repeated texts."""
    shares = {
        score.corpus: score
        for score in scores
        if score.metric == "duplicates"
        and score.plain_spec is None
        and score.scope in (None, "pooled")
        and not math.isnan(score.value)
    }
    many = sorted(
        (score for score in shares.values() if score.value >= FEW_REPEATED), key=lambda score: -score.value
    )
    near = " or nearly repeat" if any(score.options.get("near") for score in many) else ""
    if many:
        parts = [f"{score.value:.0%} of the texts of {printable(score.corpus)}" for score in many]
        yield f"{listed(parts)} repeat{near} an earlier text word for word."
    elif shares and len(shares) == 1 and not any(shares.values()):
        yield f"No text of {printable(next(iter(shares)))} is repeated word for word."


def sentences_of_distances(distances: Scores) -> Iterator[str]:
    """Yield one or two sentences on the distances of candidates from a reference."""
    first = next((score.spec for score in distances if not math.isnan(score.value)), None)
    if first is None:
        return
    known = sorted(score for score in distances if score.spec == first and not math.isnan(score.value))
    nearest, farthest = known[0], known[-1]
    reference, title = printable(nearest.reference or ""), title_of(nearest)
    rounding = roundings(distances)[first]
    if len(known) == 1:
        yield capitalized(
            f"{title} of {printable(nearest.corpus)} from {reference} is {rounding.write(nearest.value)}"
            f"{_evidence(nearest)}."
        )
        return
    if nearest.value == farthest.value:
        yield f"All {len(known)} candidates are equally far from {reference} by {title}."
    else:
        yield (
            f"{printable(nearest.corpus)} is nearest to {reference} by {title} "
            f"({rounding.write(nearest.value)}), and {printable(farthest.corpus)} is farthest "
            f"({rounding.write(farthest.value)}){_tests(known)}."
        )


def _evidence(score: Score) -> str:
    ratio, test = "", score.test
    if score.floor is not None and not math.isnan(score.floor.ratio):
        ratio = (
            f", {score.floor.ratio:,.1f} times as far as chance alone makes two random parts of the reference"
        )
    if test is None or math.isnan(test.p_holm):
        return ratio
    p = written_p(test.p_holm)
    written = f"p {p if p.startswith('<') else f'= {p}'}, corrected"
    return f"{ratio} ({written})" if test.p_holm < SIGNIFICANT else f"{ratio}, which may be noise ({written})"


def _tests(scores: Sequence[Score]) -> str:
    tested = [score for score in scores if score.test is not None and not math.isnan(score.test.p_holm)]
    noise = [score for score in tested if score.test is not None and score.test.p_holm >= SIGNIFICANT]
    if not tested:
        return ""
    if not noise:
        return f"; all {len(tested)} distances are more than noise (corrected p < {SIGNIFICANT})"
    if len(noise) == len(tested):
        return f"; none of the {len(tested)} distances is more than noise (corrected p ≥ {SIGNIFICANT})"
    names = listed([printable(score.corpus) for score in noise])
    return (
        f"; {len(tested) - len(noise)} of {len(tested)} distances are more than noise, that of {names} is not"
    )
