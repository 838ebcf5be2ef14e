"""The public functions `measure`, `compare`, `homogeneity`, `per_text`, `rarefaction`, `read` and more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from distinctly.batch import Column, are_vectors
from distinctly.config import RunConfig
from distinctly.corpus import Corpus, are_paths, is_state, read_together
from distinctly.embedders import AnyEmbedder, find_embedder
from distinctly.embedders.base import Positional
from distinctly.engine.protocol import find_engine
from distinctly.engine.warming import loader
from distinctly.errors import InputError, SpecError, unknown
from distinctly.metrics import Given
from distinctly.run.approximating import approximated, is_approximate, refuse_in_memory
from distinctly.run.corpora import (
    Aligned,
    given_vectors,
    one_pool,
    open_named,
    read_named,
    rereadable,
    vector_corpora,
)
from distinctly.run.measuring import Measuring
from distinctly.run.plan import (
    Plan,
    Reference,
    Views,
    default_embedder,
    needs_rows,
    only_distances,
    only_diversity,
    reference_statistics,
)
from distinctly.run.reproducing import Reproduction
from distinctly.run.resampling import Resampling
from distinctly.score import Scores, Signature
from distinctly.sets import DEFAULT
from distinctly.sources.base import COLUMNS, FLAGS, Reading, naming_option
from distinctly.sources.changed import ChangedSource, WithPrompts
from distinctly.sources.objects import has_fields
from distinctly.spec import AnyMetrics, Request, has_set, parse_metrics
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.taggers import AnyTagger
from distinctly.tokenizers import AnyTokenizer

if TYPE_CHECKING:
    from distinctly.run.homogeneity import Homogeneity
    from distinctly.run.per_text import TextTable
    from distinctly.run.rarefying import Rarefaction
    from distinctly.sources.kept import KeptTexts

DEFAULT_METRICS = DEFAULT
# What states, Spark and the server count, whose metrics have to be mergeable.
COUNTED_METRICS = ("distinct", "ead", "entropy", "duplicates")
# Entropy needs all counts.
DEFAULT_APPROXIMATE = ("distinct", "ead", "duplicates")
# Values of single texts that are defined for texts of any length, and few enough to be read.
DEFAULT_PER_TEXT = ("distinct:n=1", "distinct:n=2", "entropy:n=1", "mtld")
# The metric, and the number of sizes, of accumulation curves.
DEFAULT_CURVE, DEFAULT_POINTS = "types:n=1", 20
DEFAULT_DISTANCES = ("chi", "jensen_shannon", "frechet", "dc")
DEFAULT_RESAMPLING, DEFAULT_CONFIG = Resampling(), RunConfig()
# The class that each keyword of a call is a field of.
_OWNERS = {
    field.name: kind for kind in (Reading, Resampling, RunConfig) for field in fields_of(kind) if field.init
}


def measure(
    texts: object,
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    tagger: AnyTagger | None = None,
    reference: object = None,
    groups: object = None,
    prompts: object = None,
    by: str | None = None,
    at_least: float | None = None,
    relative_to: str = "",
    top: int = 0,
    explain: int = 0,
    approximate: bool = False,
    signature: str | Signature | None = None,
    trust: bool = False,
    reading: Reading | None = None,
    resampling: Resampling | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Scores:
    """Measure how varied a corpus is, or several corpora side by side.

    If the texts have groups (several samples per prompt), every metric has three scores, which differ in
    `scope`: ``within`` (each group separately, mean over groups), ``across`` (one text per group, mean over
    seeded draws) and ``pooled`` (all texts together).

    Parameters
    ----------
    texts
        One corpus: a list of strings; a list of lists, which are groups of texts if there is white space in
        the strings, and tokens otherwise (`tokens` decides instead), or token ids; a numpy array; an Arrow,
        pandas or polars column, or a whole table or dataset with `field`; a list of dicts with `field`; an
        iterator; a path, folder or pattern (``-`` is standard input), or several `Path` objects; or a
        `Corpus`. For metrics that need vectors only, also a 2-D float array of one row per text. Or several
        corpora: a mapping from names to corpora, or a list of `Corpus` objects.
    metrics
        Specs such as ``"distinct:n=2"``, metrics or functions, or a named set of metrics: ``"default"``,
        ``"lexical"``, ``"content"``, ``"repetition"``, ``"richness"`` or ``"all"``; ``distinctly list`` shows
        them. Of more than 5,000 texts or 2 MB, what a set embeds, compresses or compares is measured on a
        sample, and its spec says so, as in ``vendi:sampled=5000``.
    tokenizer
        ``words`` (default), ``whitespace``, ``char``, ``regex:<pattern>``, each with options as in
        ``words:lc=yes,norm=nfkc``; or a function from a text to its tokens or token ids, or the name of one,
        as in ``mine.py:sentences``.
    embedder
        The model that turns texts into vectors, for metrics that need them: ``wordllama`` (default),
        ``minilm``, ``sbert:<name or path>``, ``onnx:<path>``, ``vectors:<file>`` with one row per text, or a
        function from a list of texts to such rows, or the name of one.
    tagger
        For metrics with ``of=tags``: ``hanta``, ``hanta:language=de``, ``spacy:<pipeline>``, or a function
        from a text to its list of tags. By default, the tags that were read with the texts (`tags`).
    reference
        A second corpus, for metrics that need one.
    groups
        For texts in memory: one group per text, or per list of texts. Likewise `ids`, `tags`, `quality` and
        `partition`: one id, one list of tags, one number, one class per text.
    prompts
        For metrics with ``context=prompt``: one prompt per text, or per list of texts, for texts in memory;
        or a mapping from groups to prompts, for any texts with groups. For a file or a table, `prompt` names
        the field.
    by
        The field by which texts are split into systems to compare; for texts in memory, `ids`.
    at_least
        The smallest `quality` with which a text counts. Each corpus then has two entries: all its texts, and
        those that pass, with their share as the part ``passed``.
    relative_to
        The name of one of several corpora, such as texts of people: ``score.relative`` is the ratio of each
        value to that of this corpus, at one size, with its interval.
    top
        The number of most frequent n-grams to list, as text, in ``scores.corpora``.
    explain
        The number of n-grams and texts that reduce diversity most to list in ``scores.corpora``.
    approximate
        Estimate numbers of distinct n-grams and texts in constant memory, with a standard error of 0.81 %;
        the interval of a value is that of this error. Metrics that need all counts, such as `entropy`, raise
        an error.
    signature
        The signature of a score, instead of `metrics`: measure the same again, with the same options, draws,
        scope and interval. The same texts, with their groups and reference, give the same score.
    trust
        Whether the author of the signature is trusted. By default, a signature that names a function, a file
        outside the working folder, or a model that has to be downloaded or can run code, is an error. The
        function that it names can also be given as `metrics`, and is then called.
    reading, resampling, config
        How to read, what to draw, and how to run. Their fields can also be given as keywords:
        ``measure(path, field="response", interval=True, threads=2)``.
    fields
        Fields of `Reading`, `Resampling` and `RunConfig`.

    Returns
    -------
    Scores
        All scores, each with the name of its `corpus`. For several corpora, ``scores.comparisons`` has the
        differences from the best.

    Examples
    --------
    >>> import distinctly as dy
    >>> scores = dy.measure(["the cat sat", "the dog sat"], metrics=["distinct:n=1", "ead:vocabulary=100"])
    >>> for score in scores:
    ...     print(f"{score.spec:20} {score:.3f}")
    distinct:n=1         0.667
    ead:vocabulary=100   0.684
    >>> varied, same = ["a b c", "d e f", "g h i", "j k l"], ["a b c", "a b d", "a b c", "a b e"]
    >>> scores = dy.measure({"varied": varied, "same": same}, "distinct:n=1")
    >>> [(score.corpus, round(score.value, 2)) for score in scores]
    [('varied', 1.0), ('same', 0.42)]
    >>> scores.comparisons[0].best, scores.comparisons[0].noise
    ('varied', False)
    """
    loader.count_call()
    columns = _columns({"groups": groups, "prompts": prompts}, fields)
    how, sampling, config = sort_keywords(fields, reading, resampling, config)
    if by is not None and "id" in how:
        raise SpecError("`by` and `id` cannot both be given: texts are distinguished by one field.")
    if by is not None and "ids" not in columns:
        how["id"] = by
    _refuse({"noise_floor": sampling.noise_floor, "subsample": sampling.subsample}, "compare")
    named = _named(texts)
    if any(is_state(corpus) for _, corpus in named):
        from distinctly.run.stored import Saved

        saved = Saved.first(corpus for _, corpus in named)
        metrics = saved.metrics("diversity") if metrics is DEFAULT_METRICS else metrics
        tokenizer, embedder = tokenizer or saved.tokenizer, embedder or saved.embedder
        tagger = saved.tagger if tagger is None else tagger
    again = None
    if signature is not None:
        again = Reproduction.of(signature, None if metrics is DEFAULT_METRICS else metrics, trust=trust)
    if again is not None:
        sampling, how, config = again.resampling(sampling), again.reading(how), again.config(config)
        tokenizer = again.tokenizer if tokenizer is None else tokenizer
        tagger = again.tagger if tagger is None else tagger
    given_as = None if by is None else "by"
    refused = {"--interval": sampling.interval, "--paired": sampling.paired, "--explain": explain, "--by": by}
    if again is None and metrics is DEFAULT_METRICS and approximate:
        metrics = DEFAULT_APPROXIMATE
    # What a set has depends on the texts; other metrics are checked before anything is read.
    of_texts = again is None and has_set(metrics)
    requests = (
        []
        if of_texts
        else parse_metrics(metrics, sampling=True)
        if again is None
        else again.sampled_requests()
    )
    requests = _checked(requests, refused, approximate=approximate)
    with naming_option("id", given_as):
        corpora = _prompted(_all_opened(named, how, columns), prompts)
        if of_texts:
            beside = _given(corpora, embedder, tagger, config)
            requests = parse_metrics(metrics, given=beside, sampling=True)
            requests = _checked(requests, refused, approximate=approximate)
    approximate = approximate or any(is_approximate(request.metric) for request in requests)
    aligned = given_vectors(named, None, requests, embedder)
    if aligned is None and again is not None and embedder is None:
        embedder = again.embedder
    views = Views.of(requests, tokenizer, embedder if aligned is None else aligned.embedder, tagger)
    if aligned is not None:
        corpora = _prompted(vector_corpora([name for name, _ in named], aligned, columns), prompts)
    known = _summarized_reference(reference, requests, views, config, how, beside=corpora)
    plan = Plan.of(requests, views, known, top, approximate=approximate)
    scope = None if again is None else again.scope
    run = Measuring(plan, sampling, config, by is not None, explain, scope, relative_to)
    with naming_option("id", given_as):
        if again is not None:
            return again.select(_measured(run, corpora, again.at_least, only=True))
        return _informative(_measured(run, corpora, at_least), requests)


def compare(
    reference: object,
    candidate: object = None,
    metrics: AnyMetrics = DEFAULT_DISTANCES,
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    tagger: AnyTagger | None = None,
    vectors: Sequence[Any] | None = None,
    by: str | None = None,
    against: str | None = None,
    matrix: bool = False,
    explain: int = 0,
    signature: str | Signature | None = None,
    trust: bool = False,
    reading: Reading | None = None,
    resampling: Resampling | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Scores:
    """Measure how far corpora are from a reference.

    Parameters
    ----------
    reference, candidate
        Anything that `measure` accepts: texts, token lists, a path, a `Corpus`; for distances that need
        vectors only, also a 2-D float array. Several candidates are a mapping from names to corpora, or
        a list of `Corpus` objects or of arrays. Without a candidate, `reference` can be a mapping of all
        corpora, the reference first.
    metrics
        Specs such as ``"mauve:scale=3"``, distances or functions; ``distinctly list`` shows them.
    tokenizer, embedder, tagger
        As for `measure`.
    vectors
        One array or file of vectors per corpus, the reference's first, in addition to the texts.
    by, against
        The field by which texts are split into corpora, and the name of the reference (by default the first);
        `candidate` can then be omitted.
    matrix
        Compare every corpus with every other, each as the reference.
    explain
        The number of tokens, texts and clusters that drive the distances to list in ``scores.corpora``.
    signature
        The signature of a score, instead of `metrics`, as for `measure`.
    trust
        Whether the author of the signature is trusted, as for `measure`.
    reading, resampling, config
        As for `measure`: how to read (texts of one group are exchanged together), what to draw
        (`permutations`, `noise_floor`, `interval`, `subsample`, `sample`, `seed`), and how to run.
    fields
        Fields of `Reading`, `Resampling` and `RunConfig`.

    Returns
    -------
    Scores
        One score per distance and candidate; ``score.test`` has the p-value, ``score.floor`` the noise floor.

    Examples
    --------
    >>> import distinctly as dy
    >>> human, model = ["a cat sat", "the dog ran off"], ["a cat sat", "a cat sat"]
    >>> scores = dy.compare(human, model, "jensen_shannon")
    >>> round(scores[0].value, 3), scores[0].parts["reference_texts"]
    (0.609, 2)
    """
    how, sampling, config = sort_keywords(fields, reading, resampling, config)
    if by is not None:
        how["id"] = by
    _refuse({"paired": sampling.paired, "population": sampling.population}, "measure")
    named = reference_and_candidates(reference, candidate, split=by is not None)
    if any(is_state(corpus) for _, corpus in named):
        from distinctly.run.stored import Saved

        saved = Saved.first(corpus for _, corpus in named)
        metrics = saved.metrics("distance") if metrics is DEFAULT_DISTANCES else metrics
        tokenizer, embedder = tokenizer or saved.tokenizer, embedder or saved.embedder
        tagger = saved.tagger if tagger is None else tagger
    again = None
    if signature is not None:
        again = Reproduction.of(signature, None if metrics is DEFAULT_DISTANCES else metrics, trust=trust)
    if again is None:
        requests = parse_metrics(metrics)
    else:
        requests, sampling, how = again.requests(), again.resampling(sampling), again.reading(how)
        tokenizer = again.tokenizer if tokenizer is None else tokenizer
        tagger, config = again.tagger if tagger is None else tagger, again.config(config)
    only_distances(requests)
    if explain and matrix:
        raise SpecError("`explain` needs one reference, so it cannot be combined with `matrix`.")
    bare = any(are_vectors(texts) for _, texts in named)
    if explain and bare:
        raise SpecError("`explain` shows texts, but only vectors are given. Also give the texts.")
    aligned = given_vectors(named, vectors, requests, embedder)
    if again is not None and aligned is None and embedder is None:
        embedder = again.embedder
    views = Views.of(requests, tokenizer, embedder if aligned is None else aligned.embedder, tagger)
    plan = Plan.of(requests, views)
    with naming_option("id", None if by is None else "by"):
        opened = open_named(named, aligned, how)
        asked = Asked(by=by, against=against, matrix=matrix, explain=explain, only_vectors=bare)
        result = _compared(opened, aligned, plan, sampling, config, asked)
    return result if again is None else again.select(result)


@dataclass(frozen=True)
class Asked:
    """What is asked of a comparison, besides distances; see `compare`."""

    by: str | None
    against: str | None
    matrix: bool
    explain: int
    only_vectors: bool


def _compared(
    opened: Sequence[tuple[str, Corpus | None]],
    aligned: Aligned | None,
    plan: Plan,
    sampling: Resampling,
    config: RunConfig,
    asked: Asked,
) -> Scores:
    """Compare corpora: in memory, by samples and summaries if they are too large, or by their states."""
    # `measure` does not need them.
    from distinctly.run.contrasts import Contrasts
    from distinctly.run.passages import has_passages
    from distinctly.run.sampled_contrasts import SampledContrasts
    from distinctly.run.sampling import fitted, refuse_sample

    views = plan.views
    given = {"by": asked.by, "subsample": sampling.subsample, "vectors": aligned}
    names, corpora = [name for name, _ in opened], [corpus for _, corpus in opened if corpus is not None]
    first = 0 if asked.by is not None else _place_of_reference(names, asked.against)
    # Passages are quoted from candidates, which are read again; all else that is listed needs all texts.
    candidates = [corpus for place, corpus in enumerate(corpora) if place != first]
    given["explain"] = asked.explain and not (has_passages(plan) and not any(map(is_state, candidates)))
    of_texts = next((name for name, value in given.items() if value), "")
    if any(map(is_state, corpora)):
        from distinctly.run.stored import check_states

        plan = plan.drawing("text")
        drawn = sampling.permutations or sampling.noise_floor or sampling.interval
        check_states(plan, corpora, refused=bool(of_texts or drawn))
        corpora = rereadable(corpora) if asked.explain else corpora
        of_states = SampledContrasts(names, corpora, plan, sampling, config, fits=False)
        return of_states.compare(first, matrix=asked.matrix, explain=asked.explain)
    for corpus in corpora:
        corpus.source.limit_memory(config.memory)
    fit = fitted(corpora, views, config)
    needs_sample = sampling.sample is not None and any(needs_rows(r.metric) for r in plan.requests)
    if needs_sample or not fit.fits:
        refuse_sample(fit.corpora, sampling, views, config, of_texts)
        sampled = SampledContrasts(names, fit.corpora, plan.drawing("text"), sampling, config, fit.fits)
        return sampled.compare(first, matrix=asked.matrix, explain=asked.explain)
    if aligned is None:
        opened = list(zip(names, fit.corpora))
    read = read_named(opened, aligned, views.tokens, config, split=asked.by is not None)
    in_pool = one_pool(read, views.tokens)
    plan = plan.drawing("group" if all(corpus.grouped for corpus in in_pool) else "text")
    in_memory = Contrasts(in_pool, plan, sampling, config, None if asked.only_vectors else views.tokens)
    first = _place_of_reference([corpus.name for corpus in in_pool], asked.against)
    return in_memory.compare(first, matrix=asked.matrix, explain=asked.explain)


def homogeneity(
    corpora: object,
    *,
    by: str | None = None,
    groups: object = None,
    prompts: object = None,
    embedder: AnyEmbedder | None = None,
    tokenizer: AnyTokenizer | None = None,
    n: int = 2,
    context: str | None = None,
    interval: bool = False,
    reading: Reading | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Homogeneity:
    """Measure how alike different systems answer the same prompts.

    Of two systems, it is the mean over the prompts that both answer of the mean similarity over pairs of an
    answer of each. The floor is the same mean over pairs of different prompts. Of one system with itself, it
    is the mean over pairs of its different answers to a prompt.

    Parameters
    ----------
    corpora
        The answers of several systems: a mapping from names to corpora, a list of `Corpus` objects, or one
        corpus and `by`. A corpus is anything that `measure` accepts, but vectors.
    by
        The field that names the system of each text; for texts in memory, give `ids`.
    groups
        For texts in memory: the prompt of each text, by any name, or of each list of texts. For a file or a
        table, `group` names the field.
    prompts
        As for `measure`: the prompts themselves, which also form the groups if there are no others. For a
        file or a table, `prompt` names the field.
    embedder, tokenizer
        As for `measure`, for the two measures ``cosine`` and ``shared n-grams``.
    n
        The length of the n-grams.
    context
        ``prompt``: take the direction of the prompt out of the vector of each text, for ``cosine``.
    interval
        Compute 95 % intervals, by leaving out one prompt at a time.
    reading, config
        How to read, and how to run. Their fields can also be given as keywords.
    fields
        Fields of `Reading` and `RunConfig`.

    Returns
    -------
    Homogeneity
        One table of all pairs of systems per measure: `similarity`, `floor`, intervals and prompts.

    Examples
    --------
    >>> import distinctly as dy
    >>> rows = [
    ...     {"model": "a", "prompt_id": 1, "text": "the cat sat"},
    ...     {"model": "a", "prompt_id": 2, "text": "it rains a lot"},
    ...     {"model": "b", "prompt_id": 1, "text": "the cat ran"},
    ...     {"model": "b", "prompt_id": 2, "text": "it rains a bit"},
    ... ]
    >>> alike = dy.homogeneity(rows, by="model", group="prompt_id")
    >>> alike.systems, alike["shared n-grams"].similarity.round(3).tolist()  # 1 of 2, and 2 of 3 bigrams
    (['a', 'b'], [[nan, 0.583], [0.583, nan]])
    """
    # `measure` does not need them.
    from distinctly.run.homogeneity import Comparing
    from distinctly.run.sampling import fitted, refuse_sample

    columns = _columns({"groups": groups, "prompts": prompts}, fields)
    how, sampling, config = sort_keywords(fields, reading, None, config)
    if sampling != DEFAULT_RESAMPLING:
        raise SpecError("Nothing is drawn or tested: of the arguments for that, only `interval` applies.")
    if n < 1:
        raise SpecError(f"Expected `n` to be at least 1, got {n}.")
    if context not in (None, "prompt"):
        raise unknown("value", context, ["prompt"], of="context")
    if by is not None and "id" in how:
        raise SpecError("`by` and `id` cannot both be given: texts are distinguished by one field.")
    split = by is not None or "ids" in columns
    if by is not None and "ids" not in columns:
        how["id"] = by
    named = _named(corpora)
    if any(are_vectors(texts) for _, texts in named):
        raise InputError(
            "Expected texts, got vectors. Give the texts, and vectors as embedder='vectors:FILE'."
        )
    for _, texts in named:
        if is_state(texts):
            name = texts.name if isinstance(texts, Corpus) else texts
            raise SpecError(f"{name}: this is a state, which has counts and no texts. Give the texts.")
    model = default_embedder() if embedder is None else find_embedder(embedder)
    views = replace(Views.of([], tokenizer), embedder=model)
    with naming_option("id", None if by is None else "by"):
        opened = _prompted(_all_opened(named, how, columns), prompts)
        for corpus in opened:
            corpus.source.limit_memory(config.memory)
        fit = fitted(opened, views, config)
        if not fit.fits:
            refuse_sample(fit.corpora, sampling, views, config, "homogeneity")
        pairs = list(zip(_different([corpus.name for corpus in opened]), fit.corpora))
        read_corpora = read_named(pairs, None, views.tokens, config, split=split)
    return Comparing(views, n, context is not None, interval).compare(read_corpora)


def _different(names: Sequence[str]) -> list[str]:
    """Return names of which those that were given before are numbered."""
    times = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [name if count == 1 else f"{name} ({count})" for name, count in zip(names, times)]


def per_text(
    texts: object,
    metrics: AnyMetrics = DEFAULT_PER_TEXT,
    *,
    keep: str | Sequence[str] = (),
    correlate: str | None = None,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    tagger: AnyTagger | None = None,
    reference: object = None,
    groups: object = None,
    ids: Sequence[Any] | None = None,
    reading: Reading | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> TextTable:
    """Measure each text separately: one row per text, and one column per metric.

    The value of a text is that of a corpus which contains this text alone. Metrics that compare texts with
    each other have no such value, and raise an error.

    Parameters
    ----------
    texts, metrics
        As for `measure`.
    keep
        Fields of a file or columns of a table to keep beside the values: names, paths such as
        ``meta.author``, or patterns such as ``*``. The texts themselves are kept if their field is named.
    correlate
        A numeric field to correlate each metric with: see `TextTable.correlations`.
    tokenizer, embedder, tagger, reference
        As for `measure`.
    groups, ids
        For texts in memory: one group, one id per text.
    reading, config
        How to read, and how to run. Their fields can also be given as keywords.
    fields
        Fields of `Reading` and `RunConfig`.

    Returns
    -------
    TextTable
        A table that is iterated over as one mapping per text, and has `to_pandas`, `to_arrow` and `save`.

    Examples
    --------
    >>> import distinctly as dy
    >>> table = dy.per_text(["a b a b", "a b c d"], ["distinct:n=1", "types:n=1"])
    >>> table["distinct:n=1"], table["types:n=1"]
    ([0.5, 1.0], [2.0, 4.0])
    >>> rows = [{"text": "a b a b", "rating": 1}, {"text": "a b c d", "rating": 5}]
    >>> [row["rating"] for row in dy.per_text(rows, keep="rating")]
    [1, 5]
    """
    # `measure` does not need them.
    from distinctly.run.per_text import measure_texts, only_of_one_text
    from distinctly.sources.kept import has_columns

    columns = {"tags": fields.pop("tags")} if _is_column(fields.get("tags")) else {}
    how, sampling, config = sort_keywords(fields, reading, None, config)
    if sampling != DEFAULT_RESAMPLING:
        raise SpecError("Intervals and tests are of a corpus as a whole: use `measure`.")
    if groups is not None:
        columns["groups"] = groups
    requests = parse_metrics(metrics)
    only_diversity(requests)
    only_of_one_text(requests)
    views = Views.of(requests, tokenizer, embedder, tagger)
    known = _summarized_reference(reference, requests, views, config, how, beside=())
    plan = Plan.of(requests, views, known)
    kept = [*([keep] if isinstance(keep, str) else keep), *([] if correlate is None else [correlate])]
    named = [("", texts)] if has_columns(texts) else _named(texts)
    corpora = [_kept(name, corpus, how, columns, kept, config) for name, corpus in named]
    table = measure_texts(corpora, plan, config, ids)
    return table if correlate is None else table.correlate(correlate)


def _kept(
    name: str,
    texts: object,
    how: dict[str, Any],
    columns: dict[str, Any],
    keep: Sequence[str],
    config: RunConfig,
) -> tuple[str, KeptTexts]:
    """Return the name and the texts of a corpus, with kept fields."""
    from distinctly.sources.kept import has_columns, keep_columns, keep_fields

    if has_columns(texts):
        return name or "texts", keep_columns(texts, Reading(**how), keep)
    in_memory = not isinstance(texts, (str, Path, Corpus)) and not are_paths(texts)
    if in_memory and isinstance(texts, Iterable):
        # Missing texts may be left out, so that rows have to be numbered before.
        texts = texts if isinstance(texts, Sized) else list(texts)
        columns = {**columns, "ids": list(range(1, len(texts) + 1))}
    corpus = _opened(name, texts, how, columns)
    corpus.source.limit_memory(config.memory)
    return corpus.name, keep_fields(corpus.source, keep, numbered=in_memory)


def rarefaction(
    texts: object,
    metrics: AnyMetrics = DEFAULT_CURVE,
    *,
    sizes: Sequence[int] | None = None,
    points: int = DEFAULT_POINTS,
    tokenizer: AnyTokenizer | None = None,
    tagger: AnyTagger | None = None,
    groups: object = None,
    by: str | None = None,
    reading: Reading | None = None,
    resampling: Resampling | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Rarefaction:
    """Measure random texts of a corpus at several sizes: accumulation curves, also called rarefaction.

    The value at a size is the one that `measure` returns for the metric with `at=`: an expectation over all
    choices of texts (or groups), in closed form. Corpora of different sizes can be compared at any size that
    all of them have. Each corpus is read twice.

    Parameters
    ----------
    texts
        One corpus or several, as for `measure`.
    metrics
        Metrics of the numbers of n-grams and of distinct n-grams, such as ``"distinct:n=2"``, ``"types:n=1"``
        or ``"ead:n=1"``.
    sizes
        The sizes, as numbers of n-grams. By default `points` sizes of each corpus, evenly from the smallest
        size with a value to that of all texts, and the size of the smallest corpus.
    points
        The number of sizes of each curve, if `sizes` is not given.
    tokenizer, tagger, groups, by
        As for `measure`. With groups, whole groups are drawn.
    reading, resampling, config
        How to read, whether there are intervals (`interval`), and how to run. Their fields can also be given
        as keywords.
    fields
        Fields of `Reading`, `Resampling` and `RunConfig`.

    Returns
    -------
    Rarefaction
        The points of the curves, with `to_pandas`, `plot` and `save`.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = dy.read("demo:english-varied")
    >>> curve = dy.rarefaction(texts, "types:n=1", sizes=[130, 242])
    >>> [(point.size, round(point.score.value, 2)) for point in curve.points]
    [(130, 99.66), (242, 177.0)]
    >>> dy.measure(texts, "types:n=1,at=130")[0].value == curve.points[0].score.value
    True
    """
    from distinctly.run.rarefying import Rarefying, curve_metrics, curve_sizes

    columns = _columns({"groups": groups}, fields)
    how, sampling, config = sort_keywords(fields, reading, resampling, config)
    if by is not None and "id" in how:
        raise SpecError("`by` and `id` cannot both be given: texts are distinguished by one field.")
    if by is not None and "ids" not in columns:
        how["id"] = by
    for field in fields_of(Resampling):
        given = getattr(sampling, field.name)
        if field.name not in ("interval", "population") and given != getattr(DEFAULT_RESAMPLING, field.name):
            raise SpecError(f"`{field.name}` does not apply to curves: they are expectations, without draws.")
    if points < 2:
        raise SpecError(f"Expected `points` to be at least 2, got {points}.")
    chosen = None if sizes is None else curve_sizes(sizes)
    wanted = curve_metrics(parse_metrics(metrics))
    named = _named(texts)
    if any(are_vectors(corpus) for _, corpus in named):
        raise InputError("Expected texts, got vectors. Give the texts.")
    views = Views.of([Request(spec, metric) for spec, metric in wanted.items()], tokenizer, None, tagger)
    with naming_option("id", None if by is None else "by"):
        corpora = _all_opened(named, how, columns)
        run = Rarefying(wanted, views, chosen, points, sampling, config, by is not None)
        return run.of(corpora)


def read(path: str | Path | Sequence[str | Path], *, name: str = "", **reading: Any) -> Corpus:
    """Read a file, several files as one corpus, or standard input if the path is ``-``.

    Parameters
    ----------
    path
        As for `Corpus.read`.
    name
        Name of the corpus in reports; by default the name of the file without its folder.
    reading
        Fields of `Reading`.

    Examples
    --------
    >>> read("demo:english-varied").name
    'english-varied'
    """
    return Corpus.read(path, name=name, **reading)


def top_ngrams(
    texts: object, n: int = 1, k: int = 10, *, tokenizer: AnyTokenizer | None = None, **reading: Any
) -> list[tuple[str, int]]:
    """Return the k most frequent n-grams as text, with their counts; ties are sorted by text.

    Examples
    --------
    >>> top_ngrams(["the cat sat", "the cat ran"], n=2, k=2)
    [('the cat', 2), ('cat ran', 1)]
    """
    for name, number in (("n", n), ("k", k)):
        if number < 1:
            raise SpecError(f"Expected `{name}` to be at least 1, got {number}.")
    counts = NgramCounts(n, top=k, view=Views.of([], tokenizer).tokens)
    config = DEFAULT_CONFIG
    summaries = find_engine(config.engine).summarize(Corpus.wrap(texts, **reading), [counts], config)
    return list(summaries[counts].top)


def sort_keywords(
    keywords: Mapping[str, Any],
    reading: Reading | None,
    resampling: Resampling | None,
    config: RunConfig | None,
) -> tuple[dict[str, Any], Resampling, RunConfig]:
    """Sort keywords into the objects that have fields of their names.

    Returns
    -------
    tuple
        How to read, as keywords of `Corpus`; what to draw; and how to run.
    """
    chosen: dict[type, dict[str, Any]] = {Reading: {}, Resampling: {}, RunConfig: {}}
    for name, value in keywords.items():
        if name not in _OWNERS:
            raise unknown("argument", name, sorted(_OWNERS))
        if value is not None:
            # Convert scalars of numpy, such as a seed from `arange`.
            plain = value.item() if getattr(value, "ndim", None) == 0 else value
            chosen[_OWNERS[name]][name] = plain
    sampling = DEFAULT_RESAMPLING if resampling is None else resampling
    running = DEFAULT_CONFIG if config is None else config
    return (
        {**({} if reading is None else _changed(reading)), **chosen[Reading]},
        replace(sampling, **chosen[Resampling]) if chosen[Resampling] else sampling,
        replace(running, **chosen[RunConfig]) if chosen[RunConfig] else running,
    )


def _changed(reading: Reading) -> dict[str, Any]:
    """Return the fields that differ from the defaults; a `Corpus` already has its own reading."""
    default = Reading()
    return {
        field.name: getattr(reading, field.name)
        for field in fields_of(Reading)
        if getattr(reading, field.name) != getattr(default, field.name)
    }


def _refuse(given: Mapping[str, object], function: str) -> None:
    """Raise if a field of the other function is given."""
    for name, value in given.items():
        if value:
            raise SpecError(f"`{name}` is an argument of `{function}`.")


def _columns(given: Mapping[str, object], fields: dict[str, Any]) -> dict[str, Any]:
    """Return the columns for texts in memory, and remove them from the keywords of a call."""
    columns = {name: fields.pop(name) for name in COLUMNS.values() if _is_column(fields.get(name))}
    # Prompts by group are added when the groups are known.
    return columns | {
        name: column
        for name, column in given.items()
        if column is not None and not isinstance(column, Mapping)
    }


def _is_column(value: object) -> bool:
    """Return whether a keyword is a column of values, not the name of a field."""
    return value is not None and not isinstance(value, str)


def _named(texts: object) -> list[tuple[str, object]]:
    """Return the given corpora with their names; an empty name stands for that of the corpus itself."""
    if isinstance(texts, Mapping):
        named = [(str(name), corpus) for name, corpus in texts.items()]
        if not named:
            raise InputError("Expected at least one corpus, got none.")
        return named
    if isinstance(texts, (list, tuple)) and texts and all(map(_is_corpus, texts)):
        return [("", corpus) for corpus in texts]
    return [("", texts)]


def _is_corpus(texts: object) -> bool:
    return isinstance(texts, Corpus) or are_vectors(texts)


def _opened(name: str, texts: object, how: dict[str, Any], columns: dict[str, Any]) -> Corpus:
    if isinstance(texts, Corpus) and not columns:
        # The command line opens corpora with all reading options, including `by`.
        corpus = Corpus.wrap(texts, **{key: value for key, value in how.items() if key != "id"})
    else:
        corpus = Corpus.wrap(texts, **how, **columns)
    corpus.name = name or corpus.name
    return corpus


def _all_opened(
    named: Sequence[tuple[str, object]], how: dict[str, Any], columns: dict[str, Any]
) -> list[Corpus]:
    """Open all corpora; none if they are vectors."""
    if any(are_vectors(texts) for _, texts in named):
        return []
    corpora: list[Corpus] = []
    for name, texts in named:
        corpus = _opened(name, texts, how, columns)
        parts = [corpus] if name or "id" in how else corpus.by_system()
        # A corpus that was opened before keeps its name.
        corpora += [corpus] if len(parts) == 1 and isinstance(texts, Corpus) else parts
    read_together(corpora)
    return corpora


def _prompted(corpora: list[Corpus], prompts: object) -> list[Corpus]:
    """Return corpora with the prompts of their groups, if prompts are given by group."""
    if not isinstance(prompts, Mapping):
        return corpora
    by_group = {str(group): prompt for group, prompt in prompts.items()}
    return [
        Corpus.of_source(ChangedSource(corpus.source, WithPrompts(by_group, corpus.name)), corpus.name)
        for corpus in corpora
    ]


def _given(
    corpora: Sequence[Corpus], embedder: AnyEmbedder | None, tagger: AnyTagger | None, config: RunConfig
) -> Given:
    """Return what there is beside the texts, from the first batch of each corpus; no corpora are vectors."""
    of_texts = [corpus for corpus in corpora if not is_state(corpus)]
    for corpus in of_texts:
        corpus.source.limit_memory(config.memory)
    batches = [corpus.first_batch(config.batch_size) for corpus in of_texts]
    filled = [batch for batch in batches if batch is not None]
    names = ("groups", "tags", *get_args(Column))
    columns = {name for name in names if all(getattr(batch, name) is not None for batch in filled)}
    model = default_embedder() if embedder is None else find_embedder(embedder)
    return Given(
        frozenset(columns if tagger is None else columns | {"tags"}) if filled else frozenset(),
        None if not corpora or isinstance(model, Positional) else model,
        texts=bool(corpora),
        vectors=not any(batch.are_token_ids for batch in filled),
    )


def _checked(
    requests: Sequence[Request], options: Mapping[str, object], *, approximate: bool
) -> list[Request]:
    """Return the metrics of `measure`, estimated if `approximate`; raise if options exclude them."""
    only_diversity(requests)
    if approximate:
        requests = approximated(requests)
    if approximate or any(is_approximate(request.metric) for request in requests):
        refuse_in_memory(options)
    return list(requests)


def _measured(
    run: Measuring, corpora: Sequence[Corpus], at_least: float | None, *, only: bool = False
) -> Scores:
    """Measure corpora; with a smallest quality, also (or only) the texts that pass."""
    if at_least is None:
        return run.measure(corpora)
    from distinctly.run.passing import measure_passing

    return measure_passing(run, corpora, at_least, only=only)


def _informative(scores: Scores, requests: Sequence[Request]) -> Scores:
    """Return the scores without those of a named set that say the same as another metric of it."""
    repeated = {
        request.spec
        for request in requests
        if request.of_set
        and request.metric.repeats_another([score for score in scores if score.spec == request.spec])
    }
    if not repeated:
        return scores
    kept = [score for score in scores if (score.plain_spec or score.spec) not in repeated]
    return Scores(kept, scores.corpora, [each for each in scores.comparisons if each.metric not in repeated])


def reference_and_candidates(
    reference: object, candidate: object, *, split: bool
) -> list[tuple[str, object]]:
    """Return the corpora of a comparison with their names, the reference first."""
    if candidate is None and isinstance(reference, Mapping):
        return _named(reference)
    named = [("", reference), *([] if candidate is None else _named(candidate))]
    if len(named) < 2 and not split:
        raise InputError("Expected a candidate to compare with the reference, or `by` to split the texts.")
    return named


def _place_of_reference(names: Sequence[str], against: str | None) -> int:
    if len(names) < 2:
        only = f"'{names[0]}' alone" if names else "none"
        raise InputError(f"Expected at least two corpora to compare, got {only}. Give another file, or --by.")
    if against is None:
        return 0
    if against not in names:
        raise unknown("corpus", against, names)
    return names.index(against)


def _summarized_reference(
    reference: object,
    requests: Sequence[Request],
    views: Views,
    config: RunConfig,
    how: dict[str, Any],
    *,
    beside: Sequence[Corpus],
) -> Reference | None:
    """Summarize the reference corpus, if a metric needs one and there is one."""
    statistics = reference_statistics(requests, views)
    if not statistics or reference is None:
        return None
    is_path = isinstance(reference, (str, Path)) or are_paths(reference)
    same = {key: value for key, value in how.items() if key not in FLAGS[1:]}
    if not is_path and not has_fields(reference):
        same = {key: value for key, value in how.items() if key == "tokens"}
    corpus = Corpus.wrap(reference, **({} if isinstance(reference, Corpus) else same))
    read_together([*beside, corpus])
    return Reference(corpus.name, find_engine(config.engine).summarize(corpus, statistics, config))
