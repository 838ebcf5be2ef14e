"""`write_report`: read texts once, measure, compare and map them, and write one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from distinctly.api import compare, measure, sort_keywords
from distinctly.batch import are_vectors
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.embedders import AnyEmbedder, find_embedder
from distinctly.errors import InputError, SpecError
from distinctly.overview.charts import rarefaction_plots
from distinctly.overview.distances import MOST_PAIRED, enough_permutations
from distinctly.overview.held import Held, read_corpora, read_reference, take_reference
from distinctly.overview.layout import check_installed
from distinctly.overview.mapping import text_map
from distinctly.overview.page import Overview
from distinctly.overview.repeats import with_phrases
from distinctly.report.html import need_bokeh
from distinctly.report.page import OwnedNote, Page
from distinctly.report.saving import check_target, format_of, save_page
from distinctly.run.key_terms import Keyness
from distinctly.run.keyness import REST
from distinctly.run.plan import Views, default_embedder
from distinctly.run.resampling import Resampling
from distinctly.score import Note, Scores
from distinctly.sources.base import Reading
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.taggers import AnyTagger
from distinctly.terms import keyness
from distinctly.tokenizers import AnyTokenizer

# Metrics that are known, that differ in what they see, and that are fast.
DEFAULT_DIVERSITY = (
    *("distinct:n=1", "distinct:n=2", "ead", "entropy:n=1"),
    *("self_bleu", "duplicates", "vendi"),
)
# One distance of words and one of meaning; both can be tested by many permutations.
DEFAULT_DISTANCES = ("jensen_shannon", "energy")
# The endings of files that a report can be written to.
ENDINGS = (".html", ".md", ".json")
# Examples of each kind.
EXAMPLES = 5
# What words are; and the number of them of each direction that is shown, and that is in the JSON document.
WORDS = "words(punct=no;lc=yes)"
SHOWN_WORDS, MOST_WORDS = 10, 100
# From this number of bytes on, compiled loops are worth their start-up time, whatever the number of corpora.
COMPILED_FROM = 1_000_000
# More texts of a corpus are compared by a random part of them, so that tests do not take minutes.
MOST_COMPARED = 2000


def check_report(path: str | Path, *, with_map: bool = True) -> None:
    """Raise if a report cannot be written to a file, or a package is missing, before anything is read."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        shown = f"'{ending}'" if ending else "none"
        raise SpecError(
            f"A report is a file with the ending {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, got {shown} in "
            f"'{path}'. Choose one of these, or use `measure -o` for tables."
        )
    if with_map:
        check_installed()
    if format_of(path) == "html":
        need_bokeh()
    check_target(path, form=format_of(path))


def write_report(
    texts: object,
    path: str | Path,
    metrics: AnyMetrics | None = None,
    **options: Any,
) -> None:
    """Write a report on one or several corpora: values, length, repetitions, distances, and a map.

    Parameters
    ----------
    texts
        As for `measure`: one corpus, or several as a mapping from names to corpora.
    path
        The file: .html, .md or .json; an existing one is replaced.
    metrics
        Diversity metrics, distances, or both; by default a short list of each.
    options
        As for `overview_page`.
    """
    check_report(path)
    save_page(overview_page(texts, metrics, **options), path)


def overview_page(
    texts: object,
    metrics: AnyMetrics | None = None,
    *,
    reference: object = None,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    tagger: AnyTagger | None = None,
    groups: object = None,
    by: str | None = None,
    command: str = "",
    reading: Reading | None = None,
    resampling: Resampling | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Page:
    """Return the page of a report.

    Parameters
    ----------
    texts, metrics
        As for `write_report`.
    reference
        The corpus that the others are compared with: anything that `measure` accepts, or the name of one of
        the given corpora.
    tokenizer, embedder, tagger, groups, by
        As for `measure`.
    command
        The command to show at the end of the page.
    reading, resampling, config
        As for `measure`. Their fields can also be given as keywords: ``field="response"``, ``seed=1``.
    fields
        Fields of `Reading`, `Resampling` and `RunConfig`.
    """
    columns = {name: fields.pop(name) for name in ("ids", "tags") if _is_column(fields.get(name))}
    how, sampling, config = sort_keywords(fields, reading, resampling, config)
    if groups is not None:
        columns["groups"] = groups
    if by is not None and "ids" not in columns:
        if "id" in how:
            raise SpecError("`by` and `id` cannot both be given: texts are distinguished by one field.")
        how["id"] = by
    diversity, distances = _sorted(metrics)
    views = Views.of([*diversity, *distances], tokenizer, embedder, tagger)
    corpora = read_corpora(_named(texts), how, columns, config, by=by)
    given = _reference(reference, corpora, how, config)
    if config.compiled is None and sum(corpus.batch.strings.size for corpus in corpora) >= COMPILED_FROM:
        config = replace(config, compiled=True)
    run = _Run(config, sampling, tokenizer, embedder, tagger)
    measured = list(corpora)
    if given is not None and given not in corpora and _grouped([given]) == _grouped(corpora):
        measured.append(given)
    scores = run.measured(measured, diversity, given)
    candidates = [corpus for corpus in corpora if corpus is not given]
    remarks: list[OwnedNote] = []
    known = {"scores": with_phrases(scores, measured, views.tokens, EXAMPLES)}
    if given is not None:
        known["distances"] = run.compared(given, candidates, distances, remarks)
    elif 1 < len(corpora) <= MOST_PAIRED:
        known["pairs"] = run.paired(corpora, distances, remarks)
    words = run.words(given, candidates, remarks)
    curves = list(rarefaction_plots(measured, views.tokens, grouped=_grouped(measured)))
    chosen = default_embedder() if embedder is None else find_embedder(embedder)
    drawn = text_map(
        [*measured, *([] if given is None or given in measured else [given])],
        chosen,
        config,
        seed=sampling.seed,
        reference=None if given is None else given.name,
        tokens=None if tokenizer is None else views.tokens,
    )
    parts = Overview(words=words, curves=curves, map=drawn, remarks=remarks, command=command, **known)
    return parts.page()


def _grouped(corpora: Sequence[Held]) -> bool:
    return all(corpus.batch.groups is not None for corpus in corpora)


class _Run:
    """The settings that `measure` and `compare` share."""

    def __init__(
        self,
        config: RunConfig,
        sampling: Resampling,
        tokenizer: AnyTokenizer | None,
        embedder: AnyEmbedder | None,
        tagger: AnyTagger | None,
    ) -> None:
        self.config, self.sampling = config, sampling
        self.views: dict[str, Any] = {"tokenizer": tokenizer, "embedder": embedder, "tagger": tagger}

    def measured(self, corpora: Sequence[Held], requests: Sequence[Request], given: Held | None) -> Scores:
        """Measure the diversity of each corpus, with intervals and examples."""
        return measure(
            [corpus.corpus for corpus in corpora],
            [request.spec for request in requests],
            reference=None if given is None else given.corpus,
            explain=EXAMPLES,
            resampling=replace(self.sampling, interval=True, noise_floor=False, subsample=None),
            config=self.config,
            **self.views,
        )

    def compared(
        self, given: Held, candidates: Sequence[Held], requests: Sequence[Request], remarks: list[OwnedNote]
    ) -> Scores:
        """Compare each candidate with the reference, with tests, noise floors and what drives them."""
        tests = len(candidates) * len(requests)
        permutations = self.sampling.permutations
        return compare(
            given.corpus,
            [corpus.corpus for corpus in candidates],
            [request.spec for request in requests],
            explain=EXAMPLES,
            resampling=replace(
                self._part([given, *candidates], remarks),
                permutations=enough_permutations(tests) if permutations is None else permutations,
                noise_floor=True,
            ),
            config=self.config,
            **self.views,
        )

    def paired(
        self, corpora: Sequence[Held], requests: Sequence[Request], remarks: list[OwnedNote]
    ) -> Scores:
        """Compare every corpus with every other."""
        return compare(
            {corpus.name: corpus.corpus for corpus in corpora},
            None,
            [request.spec for request in requests],
            matrix=True,
            resampling=replace(self._part(corpora, remarks), permutations=0, noise_floor=False),
            config=self.config,
            **self.views,
        )

    def words(
        self, given: Held | None, candidates: Sequence[Held], remarks: list[OwnedNote]
    ) -> Keyness | None:
        """Return the words that each candidate uses more often than the reference, or than the others."""
        corpora = [*([] if given is None else [given]), *candidates]
        if not 1 < len(corpora) <= MOST_PAIRED:
            return None
        pair = given is not None or len(corpora) == 2
        as_tokens = any(corpus.batch.bounds is not None for corpus in corpora)
        try:
            return keyness(
                {corpus.name: corpus.corpus for corpus in corpora},
                against=corpora[0].name if pair else REST,
                # Lists of tokens are compared as they are.
                of=WORDS if self.views["tokenizer"] is None and not as_tokens else "",
                min_range=2,
                most=MOST_WORDS,
                shown=SHOWN_WORDS,
                tokenizer=self.views["tokenizer"],
                config=self.config,
            )
        except InputError as error:
            remarks.append(OwnedNote(Note(f"No words are compared. {error}", scope="run")))
            return None

    def _part(self, corpora: Sequence[Held], remarks: list[OwnedNote]) -> Resampling:
        """Return the settings of distances; of large corpora, a random part is compared."""
        sampling = replace(self.sampling, interval=False, paired=False, population=None)
        if sampling.subsample is None and max(map(len, corpora)) > MOST_COMPARED:
            sampling = replace(sampling, subsample=MOST_COMPARED)
            text = (
                f"Distances are between random parts of {MOST_COMPARED:,} texts of each larger corpus: "
                "choose another number with --subsample (Python: subsample=)."
            )
            remarks.append(OwnedNote(Note(text, scope="run")))
        return sampling


def _sorted(metrics: AnyMetrics | None) -> tuple[list[Request], list[Request]]:
    """Return the diversity metrics and the distances; the defaults of a kind of which there are none."""
    requests = [] if metrics is None else parse_metrics(metrics)
    diversity = [request for request in requests if request.metric.kind == "diversity"]
    distances = [request for request in requests if request.metric.kind == "distance"]
    return diversity or parse_metrics(DEFAULT_DIVERSITY), distances or parse_metrics(DEFAULT_DISTANCES)


def _reference(
    reference: object, corpora: Sequence[Held], how: Mapping[str, Any], config: RunConfig
) -> Held | None:
    """Return the reference: one of the corpora by its name, or another corpus."""
    if reference is None:
        return None
    if isinstance(reference, str) and (chosen := take_reference(corpora, reference)) is not None:
        return chosen
    given = read_reference(reference, how, config)
    names = {corpus.name for corpus in corpora}
    return replace(given, name=f"reference: {given.name}") if given.name in names else given


def _named(texts: object) -> list[tuple[str, object]]:
    """Return the given corpora with their names; an empty name stands for that of the corpus itself."""
    if isinstance(texts, Mapping):
        if not texts:
            raise InputError("Expected at least one corpus, got none.")
        named = [(str(name), corpus) for name, corpus in texts.items()]
    elif isinstance(texts, (list, tuple)) and texts and all(isinstance(each, Corpus) for each in texts):
        named = [("", corpus) for corpus in texts]
    else:
        named = [("", texts)]
    if any(are_vectors(corpus) for _, corpus in named):
        raise InputError("a report shows texts, but only vectors are given. Give the texts.")
    return named


def _is_column(value: object) -> bool:
    return value is not None and not isinstance(value, str)


def save_scores(scores: Scores, path: str | Path) -> None:
    """Write a report on scores alone: the sections that need no texts."""
    check_report(path, with_map=False)
    save_page(page_of_measured(scores), path)


def page_of_measured(scores: Scores) -> Page:
    """Return the page of a report on scores alone."""
    diversity = [score for score in scores if score.kind == "diversity"]
    distances = [score for score in scores if score.kind == "distance"]
    matrix = len({score.reference for score in distances}) > 1
    kept = Scores(distances, scores.corpora) if distances else None
    return Overview(
        scores=Scores(diversity, scores.corpora if diversity else (), scores.comparisons),
        distances=None if matrix else kept,
        pairs=kept if matrix else None,
    ).page()
