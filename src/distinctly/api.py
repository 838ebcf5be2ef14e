"""The front door: `measure` and `top_ngrams`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from distinctly.corpus import Corpus, are_paths
from distinctly.embedders import DEFAULT_EMBEDDER, AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.embedders.given import Given, are_vectors
from distinctly.engine.local import Progress, Work, summarize
from distinctly.engine.memory import parse_memory
from distinctly.errors import SpecError
from distinctly.score import Scores
from distinctly.scoring import (
    Reference,
    Scorer,
    bind,
    most_frequent,
    needed,
    needed_of_reference,
    score_all,
)
from distinctly.sources.base import Format, Nulls
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.derived import Lookup
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.tokenizers import AnyTokenizer, find_tokenizer

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
    top: int = 0,
    batch_size: int | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Measure how varied a corpus is.

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
    top
        How many of the most frequent n-grams to list, as text, in ``scores.corpora``.
    batch_size, threads, memory, compiled
        How the work is done; see `Work`. They change no number. Memory is bytes, or such as "0.5GB".
    progress
        Called after each batch.

    Examples
    --------
    >>> import distinctly as dy
    >>> scores = dy.measure(["the cat sat", "the dog sat"], metrics=["distinct:n=1", "ead:vocabulary=100"])
    >>> for score in scores:
    ...     print(f"{score.spec:20} {score:.3f}")
    distinct:n=1         0.667
    ead:vocabulary=100   0.684
    """
    requests = parse_metrics(metrics)
    if are_vectors(texts):
        embedder = _given_vectors(texts, requests, embedder)
        texts = embedder.texts()
    chosen = find_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
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
    in_memory = _given(groups=groups, ids=ids)
    corpus = Corpus.wrap(texts, **reading, **in_memory)
    work = Work(
        batch_size=batch_size,
        threads=threads,
        memory=None if memory is None else parse_memory(memory),
        compiled=compiled,
        progress=progress,
    )
    against = None
    wanted = needed_of_reference(requests)
    if wanted and reference is not None:
        other = Corpus.wrap(
            reference,
            **(
                {key: value for key, value in reading.items() if key not in ("group", "id")}
                if _is_path(reference)
                else {}
            ),
        )
        against = Reference.of(other.name, summarize(other, wanted, chosen, work))
    bound = bind(requests, chosen, against, embedder_for(requests, embedder))
    ngrams = most_frequent(bound, top)
    summaries = summarize(corpus, needed(bound, ngrams), chosen, work)
    scorer = Scorer(
        corpus.name,
        Lookup(summaries.by_statistic.__getitem__),
        summaries.tokenizer or chosen,
        None if tokenizer is None else chosen,
        against,
    )
    return score_all(bound, scorer, ngrams)


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
