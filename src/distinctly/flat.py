"""Names of scores that experiment trackers accept, and the numbers under these names.

A name consists of ASCII letters, digits and underscores, begins with a letter, and has fewer than 250
characters. It is made from what was requested: metric, options, scope and corpus. Neither values nor sizes
of corpora are part of it, so that it is the same at each step of a training run. Names of one `Scores` differ
in more than the case of letters, also after any of the `SUFFIXES` has been added.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from distinctly.errors import SpecError
from distinctly.options import split_spec
from distinctly.score import Score, Signature, spec_of

# What follows the name of a score in the names of its other numbers.
SUFFIXES = (
    "_low",
    "_high",
    "_p",
    "_p_holm",
    "_floor_ratio",
    "_relative",
    "_relative_low",
    "_relative_high",
)
# A longer name ends with a hash instead. MLflow allows 250 characters, of which a prefix may need some.
LONGEST, CUT = 140, 130
# Options whose values may follow from the sizes of the corpora: they are named without the value.
SIZES = ("sampled",)


def flat(scores: Sequence[Score]) -> dict[str, float]:
    """Return the numbers of scores by name, in their order; see `Scores.flat`."""
    numbers: dict[str, float] = {}
    for name, score in zip(flat_names(scores), scores):
        numbers |= {name + suffix: number for suffix, number in _numbers(score).items()}
    return numbers


def _numbers(score: Score) -> dict[str, float]:
    """Return the numbers of a score by suffix; that of the value is empty."""
    numbers: dict[str, float | None] = {"": score.value, "_low": score.low, "_high": score.high}
    # The test of a diversity is of its difference from the best corpus, which may be another at each step.
    if score.test is not None and score.kind == "distance":
        numbers |= {"_p": score.test.p, "_p_holm": score.test.p_holm}
    if score.floor is not None:
        numbers |= {"_floor_ratio": score.floor.ratio}
    if (relative := score.relative) is not None:
        numbers |= {
            "_relative": relative.ratio,
            "_relative_low": relative.low,
            "_relative_high": relative.high,
        }
    return {suffix: float(number) for suffix, number in numbers.items() if number is not None}


def flat_names(scores: Sequence[Score]) -> list[str]:
    """Return one name per score.

    Examples
    --------
    >>> def names(*specs):
    ...     return flat_names([Score(0.5, spec=spec, scope="within") for spec in specs])
    >>> names("distinct:n=1,at=242,unit=text", "ead")
    ['distinct_n1_at242_unit_text_within', 'ead_within']
    >>> flat_names([Score(0.5, spec="ead", corpus=corpus) for corpus in ("GPT-4", "llama 3")])
    ['ead_GPT_4', 'ead_llama_3']
    >>> flat_names([Score(0.5, spec="ead", corpus=corpus) for corpus in ("gpt-4", "gpt_4")])
    ['ead_gpt_4_c08bed', 'ead_gpt_4_6daccc']
    """
    corpora = {(score.kind, score.corpus) for score in scores}
    references = {(score.kind, score.reference) for score in scores if score.reference is not None}
    number_of_corpora = Counter(kind for kind, _ in corpora)
    number_of_references = Counter(kind for kind, _ in references)
    sources = [
        _Source(
            score,
            several_corpora=number_of_corpora[score.kind] > 1,
            several_references=number_of_references[score.kind] > 1,
        )
        for score in scores
    ]
    ladders = {source.identity: _ladder(source) for source in sources}
    return _different([source.identity for source in sources], ladders)


@dataclass(frozen=True)
class _Source:
    """What the name of a score is made from."""

    score: Score
    several_corpora: bool
    several_references: bool

    @property
    def spec(self) -> str:
        return self.score.spec or spec_of(self.score.metric, self.score.options)

    @property
    def view(self) -> str:
        """What the metric reads, such as `tok char lc no`; empty for scores without a signature."""
        try:
            kind, name, options = Signature.parse(self.score.signature).view
        except SpecError:
            return ""
        return " ".join([kind, name, *(f"{key} {value}" for key, value in options.items())])

    @property
    def identity(self) -> str:
        """All that tells two scores of one run apart, and does not depend on the texts."""
        score = self.score
        spec, size = (score.plain_spec, "same size") if score.plain_spec else (self.spec, "")
        return "\0".join([spec, size, score.scope or "", score.corpus, score.reference or "", self.view])

    def name(self, *, short: bool) -> str:
        """Return the name; `short` leaves out sizes that may follow from those of the corpora."""
        score = self.score
        words = _words_of(score.plain_spec or self.spec, short=short)
        if score.plain_spec:
            words.append("same_size")
        if score.scope not in (None, "pooled"):
            words.append(legal(score.scope))
        if self.several_corpora:
            words.append(legal(score.corpus) or "corpus")
        if self.several_references and score.reference is not None:
            words += ["vs", legal(score.reference) or "reference"]
        return "_".join(word for word in words if word)


def _words_of(spec: str, *, short: bool) -> list[str]:
    """Return the words of the name of a spec: a number follows its option directly, and other values `_`."""
    try:
        metric, options = split_spec(spec)
    except SpecError:  # a function, as module:function
        metric, options = spec, {}
    words = [legal(metric) or "score"]
    if not words[0][0].isalpha():
        words.insert(0, "metric")
    for key, value in options.items():
        shown = "" if short and key in SIZES else legal(value)
        words.append(legal(key) + ("" if value[0].isdecimal() or not shown else "_") + shown)
    return words


def legal(text: str) -> str:
    """Return a text in ASCII letters, digits and single underscores, none of them at an end.

    Accents are removed, letters of other scripts are written as their code points, and other characters
    become underscores.

    Examples
    --------
    >>> legal("GPT-4 (quality ≥ 0.5)"), legal("Élysée"), legal("模型")
    ('GPT_4_quality_0_5', 'Elysee', 'u6a21u578b')
    """
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text))
    letters = (
        character if character.isascii() else f"u{ord(character):x}" if character.isalnum() else "_"
        for character in unicodedata.normalize("NFC", plain)
    )
    return re.sub("[^A-Za-z0-9]+", "_", "".join(letters)).strip("_")


def _ladder(source: _Source) -> list[str]:
    """Return the names that a score may have, from the shortest to one that no other score has."""
    digest = hashlib.sha256(source.identity.encode("utf-8", "surrogatepass")).hexdigest()
    short, full = source.name(short=True), source.name(short=False)
    names = [
        name if len(name) <= LONGEST else f"{name[:CUT]}_{digest[:8]}"
        for name in (short, f"{short}_{legal(source.view)}", full)
    ]
    return [*names, f"{names[0]}_{digest[:6]}", f"{names[0]}_{digest}"]


def _different(identities: Sequence[str], ladders: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the first name of each ladder, or a later one where two scores would have the same name.

    The second of two scores that nothing tells apart has a 2 after the name.
    """
    occurrences: Counter[str] = Counter()
    endings = []
    for identity in identities:
        occurrences[identity] += 1
        endings.append(f"_{occurrences[identity]}" if occurrences[identity] > 1 else "")
    steps = dict.fromkeys(identities, 0)
    while True:
        names = [ladders[key][steps[key]] + ending for key, ending in zip(identities, endings)]
        owners: dict[str, set[str]] = defaultdict(set)
        for key, name in zip(identities, names):
            for suffix in ("", *SUFFIXES):
                owners[(name + suffix).lower()].add(key)
        clashing = {key for keys in owners.values() if len(keys) > 1 for key in keys}
        rising = [key for key in clashing if steps[key] + 1 < len(ladders[key])]
        if not rising:
            return names
        for key in rising:
            steps[key] += 1
