"""The front door: `measure`, `measure_all` and `top_ngrams`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from distinctly import arrays
from distinctly.corpus import Corpus, are_paths
from distinctly.embedders import DEFAULT_EMBEDDER, AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.embedders.given import Given, are_vectors
from distinctly.engine.local import Progress, Work, summarize
from distinctly.engine.memory import parse_memory
from distinctly.errors import InputError, SpecError
from distinctly.measuring import Job, measure_corpora
from distinctly.scopes import Plan
from distinctly.score import Scores
from distinctly.scoring import Reference, bind, needed_of_reference, refuse_distances
from distinctly.sources.base import Format, Nulls
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import Chance, Watch

DEFAULT_METRICS = ("distinct", "ead", "entropy")
DEFAULT_TOKENIZER = "words"


def measure(
    texts: object,
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    reference: object = None,
    groups: object = None,
    ids: object = None,
    field: str | None = None,
    group: str | None = None,
    id: str | None = None,  # noqa: A002 - the option's name everywhere
    tokens: bool | None = None,
    nulls: Nulls | None = None,
    encoding: str | None = None,
    errors: str | None = None,
    format: Format | None = None,  # noqa: A002 - the option's name everywhere
    by: str | None = None,
    interval: bool = False,
    paired: bool = False,
    sample: Literal["common", "all"] = "common",
    seed: int = 0,
    subsamples: int = 100,
    permutations: int = 1000,
    population: int | None = None,
    top: int = 0,
    explain: int = 0,
    batch_size: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    memory: str | int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Scores:
    """Measure how varied a corpus is.

    Where the texts come in groups (several samples a prompt), every metric has three scores, by their
    `scope`: ``within`` (each group by itself, the mean over groups), ``across`` (one text a group, the
    mean over seeded draws) and ``pooled`` (all texts together).

    Parameters
    ----------
    texts
        A list of strings or of token lists; a numpy array; an Arrow, pandas or polars column, or a
        whole table or dataset with `field`; an iterator; a path, folder or pattern (``-`` is standard
        input), or several `Path` objects; or a `Corpus`. For metrics that need vectors only, also a 2-D
        float array of one row a text.
    metrics
        Specs such as ``"distinct:n=2"``, or metrics; ``distinctly list`` shows them.
    tokenizer
        ``words`` (default), ``whitespace``, ``char``, ``regex:<pattern>``, each with options as in
        ``words:lc=yes,norm=nfkc``; or a function from a text to its tokens.
    embedder
        What makes vectors of texts, for the metrics that see them: ``wordllama`` (default),
        ``vectors:<file.npy>`` with one row a text, or a function from a list of texts to such rows.
    reference
        A second corpus, for the metrics that need one.
    groups, ids
        For texts in memory: one group, one id a text.
    field, group, id, tokens, nulls, encoding, errors, format
        How to read: see `Reading`.
    by
        A field by which the texts are split into systems, to be compared; for texts in memory, `ids`.
    interval
        Give every score its 95 % interval, from subsamples of texts (of groups, where there are some).
    paired, sample
        For several corpora: see `measure_all`.
    seed, subsamples, permutations
        Whatever is drawn is drawn from this seed, so many times.
    population
        Of how many texts (groups, where there are some) these are a random part: the interval is then
        of the value of that population, and narrower. Without end where not given.
    top
        How many of the most frequent n-grams to list, as text, in ``scores.corpora``.
    explain
        How many of the n-grams and texts that cost the most variety to list in ``scores.corpora``.
    batch_size, threads, memory, compiled
        How the work is done; see `Work`. They change no number. Memory is bytes, or such as "0.5GB".
    device
        ``cpu``, or ``cuda`` to work on vectors on a GPU, through torch; changes no number beyond rounding.
    progress, watch
        Called after each batch; and while texts are drawn, with what is done, how much, and of how much.

    Examples
    --------
    >>> import distinctly as dy
    >>> scores = dy.measure(["the cat sat", "the dog sat"], metrics=["distinct:n=1", "ead:vocabulary=100"])
    >>> for score in scores:
    ...     print(f"{score.spec:20} {score:.3f}")
    distinct:n=1         0.667
    ead:vocabulary=100   0.684
    """
    if by is not None and id is not None:
        raise SpecError("`by` and `id` cannot both be given: texts are told apart by one field.")
    requests = parse_metrics(metrics)
    refuse_distances(requests)
    if are_vectors(texts):
        embedder = _given_vectors(texts, requests, embedder)
        texts = embedder.texts()
    reading = _given(
        field=field,
        group=group,
        id=id,
        tokens=tokens,
        nulls=nulls,
        encoding=encoding,
        errors=errors,
        format=format,
    )
    plan = Plan(
        interval=interval,
        paired=paired,
        sample=sample,
        by=by is not None,
        explain=explain,
        chance=Chance(
            seed=seed,
            subsamples=subsamples,
            permutations=permutations,
            population=population,
            watch=watch,
        ),
    )
    work = Work(
        batch_size=batch_size,
        threads=threads,
        memory=None if memory is None else parse_memory(memory),
        compiled=compiled,
        progress=progress,
    )
    corpora = texts.corpora if isinstance(texts, _Several) else [texts]
    in_memory = _given(groups=groups, ids=ids)
    splitting = _given(id=by) if ids is None else {}
    opened = [
        Corpus.wrap(one, **reading, **({} if isinstance(one, Corpus) else splitting), **in_memory)
        for one in corpora
    ]
    if isinstance(texts, _Several):
        for corpus, name in zip(opened, texts.names):
            corpus.name = name or corpus.name
    chosen = find_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
    against = _summarized_reference(reference, requests, chosen, work, reading)
    job = Job(
        bind(requests, chosen, against, embedder_for(requests, embedder)),
        chosen,
        work,
        plan,
        asked_tokenizer=tokenizer is not None,
        reference=against,
        top=top,
    )
    with arrays.on(arrays.Device(device)):
        return measure_corpora(opened, job)


class _Several:
    """Corpora to be measured together."""

    def __init__(self, corpora: Sequence[object], names: Sequence[str]) -> None:
        self.corpora, self.names = corpora, names


def measure_all(
    corpora: Mapping[str, object] | Sequence[object],
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    paired: bool = False,
    sample: Literal["common", "all"] = "common",
    **options: Any,
) -> Scores:
    """Measure several corpora side by side, and say which differences are more than noise.

    Parameters
    ----------
    corpora
        Corpora by name, or paths and `Corpus` objects; each is whatever `measure` takes.
    metrics
        As for `measure`.
    paired
        Test the difference of each corpus from the best by exchanging texts: within groups that both
        have (the answers to one prompt), otherwise by shuffling them between the two.
    sample
        ``common``: metrics that depend on the size are measured at the size of the smallest corpus.
        ``all``: every corpus as it is.
    options
        As for `measure`, the same for all corpora.

    Returns
    -------
    Scores
        All scores, each with the name of its `corpus`; ``scores.comparisons`` has the differences.

    Examples
    --------
    >>> import distinctly as dy
    >>> varied, same = ["a b c", "d e f", "g h i", "j k l"], ["a b c", "a b d", "a b c", "a b e"]
    >>> scores = dy.measure_all({"varied": varied, "same": same}, "distinct:n=1")
    >>> [(score.corpus, round(score.value, 2)) for score in scores]
    [('varied', 1.0), ('same', 0.42)]
    >>> scores.comparisons[0].best, scores.comparisons[0].noise
    ('varied', False)
    """
    if isinstance(corpora, Mapping):
        several = _Several(list(corpora.values()), [str(name) for name in corpora])
    elif isinstance(corpora, (str, Path)) or not isinstance(corpora, Sequence):
        raise InputError("Expected several corpora, by name or as a list; for one corpus use `measure`.")
    else:
        several = _Several(corpora, [""] * len(corpora))
    if not several.corpora:
        raise InputError("Expected at least one corpus, got none.")
    return measure(several, metrics, paired=paired, sample=sample, **options)


def _summarized_reference(
    reference: object, requests: list[Request], tokenizer: Tokenizer, work: Work, reading: dict[str, Any]
) -> Reference | None:
    """Read the reference corpus, where a metric asks for one and there is one."""
    wanted = needed_of_reference(requests)
    if not wanted or reference is None:
        return None
    own = {key: value for key, value in reading.items() if key not in ("group", "id")}
    other = Corpus.wrap(reference, **(own if _is_path(reference) else {}))
    return Reference.of(other.name, summarize(other, wanted, tokenizer, work))


def embedder_for(requests: list[Request], wanted: AnyEmbedder | None) -> Embedder | None:
    """Load what makes vectors, where a metric sees them."""
    if all(request.metric.sees != "vectors" for request in requests):
        return None
    return find_embedder(DEFAULT_EMBEDDER if wanted is None else wanted)


def _given_vectors(vectors: object, requests: list[Request], embedder: AnyEmbedder | None) -> Given:
    """Take vectors instead of texts, where nothing else of the texts is needed."""
    if embedder is not None:
        raise SpecError("Expected texts for the embedder, got vectors: give the one or the other.")
    for request in requests:
        if request.metric.sees != "vectors":
            raise SpecError(
                f"'{request.spec}' needs texts, got vectors (a 2-D array of floats). Give the texts, or "
                "choose metrics that need vectors only, such as vendi, dispersion or chamfer."
            )
    return Given.of(vectors)


def top_ngrams(
    texts: object, n: int = 1, k: int = 10, *, tokenizer: AnyTokenizer | None = None, **reading: Any
) -> list[tuple[str, int]]:
    """Return the k most frequent n-grams as readable text, with their counts; ties in order of text.

    Examples
    --------
    >>> top_ngrams(["the cat sat", "the cat ran"], n=2, k=2)
    [('the cat', 2), ('cat ran', 1)]
    """
    for name, number in (("n", n), ("k", k)):
        if number < 1:
            raise SpecError(f"Expected `{name}` to be at least 1, got {number}.")
    counts = NgramCounts(n, top=k)
    chosen = find_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
    summaries = summarize(Corpus.wrap(texts, **reading), [counts], chosen, Work())
    return list(summaries.by_statistic[counts].top)


def _given(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


def _is_path(texts: object) -> bool:
    return isinstance(texts, (str, Path)) or are_paths(texts)
