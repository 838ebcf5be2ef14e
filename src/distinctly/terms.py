"""The public functions `keyness` and `collocations`: which words are typical of a corpus, or of a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from distinctly.api import reference_and_candidates, sort_keywords
from distinctly.batch import are_vectors
from distinctly.config import RunConfig
from distinctly.corpus import Corpus, is_state
from distinctly.errors import InputError, SpecError, unknown
from distinctly.run.collocates import Collocations
from distinctly.run.collocations import FindingCollocates
from distinctly.run.collocations import Sort as CollocateSort
from distinctly.run.corpora import open_named
from distinctly.run.key_terms import Keyness
from distinctly.run.keyness import SHOWN, ComparingTerms, KeynessSettings, Sort
from distinctly.run.plan import Views
from distinctly.run.resampling import Resampling
from distinctly.run.sampling import fitted, refuse_sample
from distinctly.run.saved_terms import check_saved_terms
from distinctly.run.stored import Saved
from distinctly.run.term_corpora import compiled_if_large, held_parts, kept_in_memory
from distinctly.run.term_views import TermView, sizes_of, term_view
from distinctly.sources.base import Reading, naming_option
from distinctly.sources.states import StateSource
from distinctly.taggers import AnyTagger
from distinctly.tokenizers import AnyTokenizer
from distinctly.tokenizers.dropping import read_words
from distinctly.views.base import View
from distinctly.views.tokens import Tokens, TokenView

# The lengths of phrases, and the number of texts that have to have one.
PHRASES, IN_TEXTS = (2, 3, 4, 5), 2
# The number of lines per phrase.
EXAMPLES = 2
# What can be resampled.
_EXCHANGES = ("permutations", "seed")


def keyness(
    reference: object,
    candidate: object = None,
    *,
    n: int | str | Iterable[int] | None = None,
    of: str = "",
    tokenizer: AnyTokenizer | None = None,
    tagger: AnyTagger | None = None,
    by: str | None = None,
    against: str | None = None,
    phrases: bool = False,
    min_count: int = 1,
    min_range: int | None = None,
    stopwords: str | Path | Iterable[str] | None = None,
    sort: Sort = "g2",
    prior: float | None = None,
    most: int | None = None,
    shown: int = SHOWN,
    lines: int | None = None,
    reading: Reading | None = None,
    resampling: Resampling | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Keyness:
    """Compare how often corpora use each word, or each sequence of words.

    Per term, there are its counts, rates per million, tests (G² and χ², corrected for all terms), sizes of
    the effect, and how it is spread over texts: see docs/keyness.md.

    Parameters
    ----------
    reference, candidate
        Anything that `compare` accepts as texts, also states that were saved with `keyness`. Several
        candidates are a mapping from names to corpora, or a list of `Corpus` objects. Without a candidate,
        `reference` can be a mapping of all corpora, the reference first.
    n
        The number of tokens per term, or several: ``2``, ``[1, 2]``, ``"1-3"``. By default 1, and 2 to 5 for
        phrases.
    of
        What terms are made of: ``tags``, or a tokenizer such as ``char`` or ``words(punct=no)``, as for
        metrics. Lemmas are given as lists of tokens, or as `tags`.
    tokenizer, tagger
        As for `measure`; by default words in lower case.
    by, against
        The field by which texts are split into corpora, and the name of the reference (by default the first
        corpus); ``"rest"`` compares each corpus with all others together.
    phrases
        List overused phrases: those that are not parts of longer ones, by log-odds and by range.
    min_count, min_range
        The smallest count, and number of texts (or groups), of a term in both corpora together. By default 1,
        and 2 texts for phrases.
    stopwords
        A file with one word per line, or words; terms of these words alone are left out. They stay in the
        totals, so that no number of another term changes.
    sort
        What orders the terms: ``g2``, ``chi2``, ``log_ratio`` or ``log_odds`` (by its z).
    prior
        The number of occurrences that the prior of the log-odds is worth; by default as many as both corpora
        have.
    most
        The largest number of terms of each direction and length; by default all, or 10,000 if there are more
        than 200,000 terms of a length.
    shown
        The number of terms of each direction that tables show.
    lines
        The number of concordance lines for each term that is shown; by default 0, and 2 for phrases.
    reading, resampling, config
        How to read (texts of one group count as one text), how to exchange texts (`permutations` and `seed`),
        and how to run. Their fields can also be given as keywords.
    fields
        Fields of `Reading`, `Resampling` and `RunConfig`.

    Examples
    --------
    >>> import distinctly as dy
    >>> human, model = ["we look at it", "we see it"], ["we delve into it", "let us delve deeper"]
    >>> row = dy.keyness(human, model)["delve"]
    >>> row["candidate_count"], row["reference_count"], row["more_in"], round(row["g2"], 3)
    (2, 0, 'candidate', 2.783)
    """
    how, sampling, config = sort_keywords(fields, reading, resampling, config)
    refuse_other_resampling(sampling)
    if by is not None:
        how["id"] = by
    settings = KeynessSettings(
        min_count=at_least("min_count", min_count, 1),
        min_range=at_least("min_range", (IN_TEXTS if phrases else 1) if min_range is None else min_range, 1),
        sort=sort,
        prior=prior,
        most=None if most is None else at_least("most", most, 1),
        lines=at_least("lines", (EXAMPLES if phrases else 0) if lines is None else lines, 0),
        shown=at_least("shown", shown, 1),
        phrases=phrases,
    )
    if sort not in get_args(Sort):
        raise unknown("value", sort, get_args(Sort), of="sort")
    if prior is not None and not prior > 0:
        raise SpecError(f"Expected `prior` to be a number above 0, got {prior}.")
    sizes = sizes_of(n) if n is not None else PHRASES if phrases else (1,)
    if phrases and min(sizes) < 2:
        raise SpecError(f"Expected phrases to have at least 2 tokens, got n={n}.")
    named = reference_and_candidates(reference, candidate, split=by is not None)
    check_texts([texts for _, texts in named], config)
    with naming_option("id", None if by is None else "by"):
        opened = [(name, corpus) for name, corpus in open_named(named, None, how) if corpus is not None]
        states = [corpus for _, corpus in opened if is_state(corpus)]
        if states:
            saved = Saved.first(states)
            tokenizer = saved.tokenizer if tokenizer is None else tokenizer
            tagger, of = saved.tagger if tagger is None else tagger, of or saved.of
        terms = term_view(sizes, of, tokenizer, tagger)
        if stopwords is not None:
            settings = replace(settings, stopwords=words_of(stopwords, terms.view))
        prepared, config = prepared_corpora(
            opened, terms, config, split=by is not None, whole=bool(sampling.permutations), lines=bool(lines)
        )
        comparing = ComparingTerms(terms, settings, sampling, config, phrases and n is None)
        return comparing.compare(prepared, against)


def collocations(
    word: str | Sequence[str],
    texts: object,
    *,
    window: int | tuple[int, int] = 5,
    of: str = "",
    tokenizer: AnyTokenizer | None = None,
    tagger: AnyTagger | None = None,
    min_count: int = 1,
    min_range: int = 1,
    sort: CollocateSort = "g2",
    lines: int = 0,
    reading: Reading | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Collocations:
    """List the words that occur near a word more often than elsewhere in a corpus.

    Parameters
    ----------
    word
        The word, or several words in sequence; as a list of tokens, it is not tokenized.
    texts
        One corpus, as for `measure`.
    window
        The number of tokens before and after the word that are near it: one number for both, or two.
    of, tokenizer, tagger
        As for `keyness`; by default words in lower case.
    min_count, min_range
        The smallest number of times that a collocate is near the word, and of texts where it is.
    sort
        What orders the collocates: ``g2``, ``log_dice`` or ``pmi``.
    lines
        The number of concordance lines of the word.
    reading, config
        How to read, and how to run. Their fields can also be given as keywords.
    fields
        Fields of `Reading` and `RunConfig`.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["a cup of strong tea", "strong tea and cake", "a strong wind", "a cup of milk"]
    >>> [row["collocate"] for row in dy.collocations("tea", texts, window=(2, 0))]
    ['strong', 'of']
    """
    how, sampling, config = sort_keywords(fields, reading, None, config)
    if sampling != Resampling():
        raise SpecError("Collocations are counted in all texts: nothing is drawn or exchanged.")
    before, after = (window, window) if isinstance(window, int) else window
    for name, size in (("window", before), ("window", after), ("lines", lines)):
        at_least(name, size, 0)
    if not before + after:
        raise SpecError("Expected `window` to have at least 1 token, got 0 on both sides.")
    if sort not in get_args(CollocateSort):
        raise unknown("value", sort, get_args(CollocateSort), of="sort")
    check_texts([texts], config)
    corpus = Corpus.wrap(texts, **({} if isinstance(texts, Corpus) else how))
    if is_state(corpus):
        raise needs_texts(corpus)
    terms = term_view((1,), of, tokenizer, tagger)
    ((name, prepared),), config = prepared_corpora(
        [(corpus.name, corpus)], terms, config, split=False, whole=False, lines=False
    )
    looking = FindingCollocates(
        terms,
        node_of(word, terms.view),
        (before, after),
        at_least("min_count", min_count, 1),
        at_least("min_range", min_range, 1),
        sort,
        lines,
        config,
    )
    return looking.in_corpus(name, prepared)


def node_of(word: str | Sequence[str], view: View[Tokens]) -> tuple[str, ...]:
    """Return the tokens of a word as the texts have them."""
    if not isinstance(word, str):
        node = tuple(map(str, word))
    elif isinstance(view, TokenView):
        node = tuple(view.tokenizer.tokenize(word))
    else:
        node = tuple(word.split())
    if not node:
        raise SpecError(f"Expected a word to look for, got '{word}', which has no tokens.")
    return node


def at_least(name: str, value: int, least: int) -> int:
    """Return a whole number; raise if it is too small."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SpecError(f"Expected `{name}` to be a whole number of at least {least}, got {value!r}.")
    return value


def check_texts(corpora: Iterable[object], config: RunConfig) -> None:
    """Raise if there are vectors in place of texts, or if n-grams are to be counted by wide hashes."""
    if any(map(are_vectors, corpora)):
        raise InputError("Expected texts, got vectors. Give the texts.")
    if config.hash_bits != 64:
        raise SpecError("Terms are counted by hashes of 64 bits. Leave out --hash-bits (Python: hash_bits=).")


def refuse_other_resampling(sampling: Resampling) -> None:
    """Raise if something else than exchanges of texts is requested."""
    default = Resampling()
    for field in dataclass_fields(Resampling):
        if field.name not in _EXCHANGES and getattr(sampling, field.name) != getattr(default, field.name):
            raise SpecError(
                f"`{field.name}` does not apply to terms: texts can be exchanged (`permutations`)."
            )


def words_of(stopwords: str | Path | Iterable[str], view: View[Tokens]) -> frozenset[str]:
    """Return words to leave out, of a file or as given, prepared as the texts are."""
    if isinstance(stopwords, (str, Path)):
        words: Iterable[str] = read_words(str(stopwords), "stop words", "--stopwords (Python: stopwords=)")[0]
    else:
        words = stopwords
    prepare = view.tokenizer.prepare if isinstance(view, TokenView) else str
    return frozenset(map(prepare, words))


def prepared_corpora(
    corpora: Sequence[tuple[str, Corpus]],
    terms: TermView,
    config: RunConfig,
    *,
    split: bool,
    whole: bool,
    lines: bool,
) -> tuple[list[tuple[str, Corpus]], RunConfig]:
    """Return corpora that can be read twice, and how to run.

    They are in memory if they are split or have groups, or if `whole`.

    Raises
    ------
    InputError
        If a corpus is a state, and its texts are needed.
    ResourceError
        If texts do not fit in memory, and must.
    """
    states = [corpus for _, corpus in corpora if is_state(corpus)]
    if states:
        check_saved_terms(states, terms)
        if split or whole or lines:
            raise needs_texts(states[0])
        return list(corpora), config
    for _, corpus in corpora:
        corpus.source.limit_memory(config.memory)
    grouped = any(corpus.has_groups(config.batch_size) for _, corpus in corpora)
    views = Views(None, None, described=terms.described)
    held = [corpus for _, corpus in corpora if split or whole or grouped or not corpus.source.rereadable]
    if held:
        fit = fitted(held, views, config)
        if not fit.fits:
            option = "by" if split else "permutations" if whole else "group"
            refuse_sample(fit.corpora, Resampling(), views, config, option)
        in_memory = dict(zip(map(id, held), fit.corpora))
        corpora = [(name, in_memory.get(id(corpus), corpus)) for name, corpus in corpora]
    if split or whole or grouped:
        corpora = held_parts(corpora, config, split=split)
    config = compiled_if_large(corpora, config)
    return kept_in_memory(corpora, terms, config), config


def needs_texts(corpus: Corpus) -> InputError:
    """Return the error for a state of which texts are needed."""
    source = corpus.source
    return (source if isinstance(source, StateSource) else StateSource(source.name)).without_texts()
