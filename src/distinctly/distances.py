"""The front door to distances: `compare`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from distinctly import arrays
from distinctly.api import DEFAULT_TOKENIZER, embedder_for
from distinctly.contrasting import Asked, Read, Side, Sides, contrast, make_sides
from distinctly.corpus import Corpus
from distinctly.distance.base import Distance
from distinctly.drivers import explain as drive
from distinctly.embedders import AnyEmbedder, find_embedder
from distinctly.embedders.aligned import Aligned
from distinctly.embedders.cache import caching, watching
from distinctly.embedders.given import are_vectors
from distinctly.embedders.vectors import FileVectors
from distinctly.engine.local import Progress, Work, summarize
from distinctly.errors import InputError, SpecError, unknown
from distinctly.measuring import rows_by_id
from distinctly.ragged import Integers
from distinctly.score import Score, Scores
from distinctly.scoring import Reference, Scorer, bind
from distinctly.sources.base import Format, Nulls
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.rows import Rows
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import Chance, Watch
from distinctly.views.tokens import Tokens, tokenizer_for_tokens

DEFAULT_DISTANCES = ("chi", "jensen_shannon", "frechet", "dc")


def compare(
    reference: object,
    candidate: object = None,
    metrics: AnyMetrics = DEFAULT_DISTANCES,
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedder | None = None,
    vectors: Sequence[Any] | None = None,
    field: str | None = None,
    group: str | None = None,
    tokens: bool | None = None,
    nulls: Nulls | None = None,
    encoding: str | None = None,
    errors: str | None = None,
    format: Format | None = None,  # noqa: A002 - the option's name everywhere
    by: str | None = None,
    against: str | None = None,
    matrix: bool = False,
    permutations: int = 0,
    noise_floor: bool = False,
    interval: bool = False,
    subsample: int | None = None,
    explain: int = 0,
    seed: int = 0,
    subsamples: int = 100,
    device: str = "cpu",
    tf32: bool = False,
    batch_size: int | None = None,
    threads: int | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Scores:
    """Measure how far corpora are from a reference.

    Parameters
    ----------
    reference, candidate
        Each is whatever `measure` takes: texts, token lists, a path, a `Corpus`; for distances that need
        vectors only, also a 2-D float array. Several candidates come as a mapping by name, or as a list
        of `Corpus` objects or of arrays.
    metrics
        Specs such as ``"mauve:scale=3"``, or distances; ``distinctly list`` shows them.
    tokenizer, embedder
        As for `measure`.
    vectors
        One array or file of vectors a corpus, the reference's first, where both texts and vectors are
        at hand.
    field, group, tokens, nulls, encoding, errors, format
        How to read: see `Reading`. Texts of one group are exchanged together.
    by, against
        A field that splits the texts into corpora, and which of these is the reference (the first one,
        where not given); `candidate` may then be left out.
    matrix
        Compare all with all, each as the reference of every other.
    permutations
        Give every distance a p-value (`Score.test`; ``p_holm`` is corrected for the number of distances)
        from this many shuffles of the texts; 0 gives none.
    noise_floor
        Give every distance that of two random parts of the reference (`Score.floor`).
    interval, subsamples
        Give every distance its 95 % interval, from so many halves of both corpora.
    subsample
        Compare so many random texts of each corpus.
    explain
        How many of the tokens, texts and clusters that drive the distances to list in ``scores.corpora``.
    seed
        Whatever is drawn is drawn from this seed.
    device, tf32
        ``cpu``, or ``cuda`` to use a GPU through torch; it changes no number beyond rounding. TF32 is
        faster there, with three digits.
    batch_size, threads
        How the reading is done; they change no number.
    cache
        Read vectors of texts from the user's cache folder where they are known, and keep new ones there.
    progress, watch
        Called after each batch; and while texts are embedded or drawn, with what is done, how much, and of
        how much.

    Examples
    --------
    >>> import distinctly as dy
    >>> human, model = ["a cat sat", "the dog ran off"], ["a cat sat", "a cat sat"]
    >>> scores = dy.compare(human, model, "jensen_shannon")
    >>> round(scores[0].value, 3), scores[0].parts["reference_texts"]
    (0.609, 2)
    """
    for name, number, least in (("permutations", permutations, 0), ("subsample", subsample, 1)):
        if number is not None and number < least:
            raise SpecError(f"Expected `{name}` to be at least {least}, got {number}.")
    requests = parse_metrics(metrics)
    _refuse_diversity(requests)
    if explain and matrix:
        raise SpecError("`explain` is of one reference, so it does not go with `matrix`.")
    reading = {"field": field, "group": group, "tokens": tokens, "nulls": nulls, "encoding": encoding}
    reading |= {"errors": errors, "format": format, "id": by}
    how = {key: value for key, value in reading.items() if value is not None}
    given = _several(reference, candidate, by is not None)
    if explain and any(are_vectors(one) for _, one in given):
        raise SpecError("`explain` shows texts, and there are vectors only: give the texts, too.")
    if any(are_vectors(one) for _, one in given):
        vectors = only_vectors(given, vectors, requests, embedder)
    aligned = None if vectors is None else align(vectors, given, embedder)
    asked_tokenizer = None if tokenizer is None else find_tokenizer(tokenizer)
    chosen = asked_tokenizer or find_tokenizer(DEFAULT_TOKENIZER)
    work = Work(batch_size=batch_size, threads=threads, progress=progress)
    sides = make_sides(read_corpora(given, aligned, how, chosen, work))
    first = _reference(sides, against)
    asked = Asked(
        permutations=permutations,
        noise_floor=noise_floor,
        interval=interval,
        subsample=subsample,
        have_texts=not any(are_vectors(one) for _, one in given),
        chance=Chance(seed=seed, subsamples=subsamples, watch=watch),
    )
    bound = bind(requests, chosen, None, aligned or embedder_for(requests, embedder))
    with arrays.on(arrays.Device(device, tf32)), caching(cache), watching(watch):
        return _compared(sides, first, bound, asked, asked_tokenizer, matrix=matrix, explain=explain)


def _compared(
    sides: Sides,
    first: int,
    requests: Sequence[Request],
    asked: Asked,
    asked_tokenizer: Tokenizer | None,
    *,
    matrix: bool,
    explain: int,
) -> Scores:
    """Compare each pair and sign the scores."""
    drawn: dict[str, str] = {}
    if asked.subsample is not None:
        sides = sides.subsampled(asked.subsample, asked.chance)
        drawn = {"subsample": str(asked.subsample), "seed": str(asked.chance.seed)}
    scores: list[Score] = []
    for one, other in sides.pairs(first, matrix=matrix):
        scorer = _scorer(other, asked_tokenizer, Reference(one.name, one.whole))
        found = contrast(sides, one, other, requests, asked)
        scores += [scorer.finish(request, score, **drawn) for request, score in zip(requests, found)]
    reference = sides.sides[first]
    facts = [_scorer(reference, asked_tokenizer).facts()]
    for other in (one for place, one in enumerate(sides.sides) if place != first):
        told = {"drivers": drive(sides, reference, other, requests, explain)} if explain else {}
        facts.append(_scorer(other, asked_tokenizer).facts() | told)
    return Scores(scores, facts)


def _scorer(side: Side, asked: Tokenizer | None, reference: Reference | None = None) -> Scorer:
    return Scorer(side.name, side.whole, side.tokenizer, asked, reference)


def _refuse_diversity(requests: Sequence[Request]) -> None:
    for request in requests:
        if not isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' measures one corpus: distinctly measure FILE, or "
                f"dy.measure(texts, '{request.spec}'). Distances are listed by distinctly list."
            )


def _several(reference: object, candidate: object, split: bool) -> list[tuple[str, object]]:
    """Return the corpora that are given, the reference first, by name where they have one."""
    if isinstance(candidate, Mapping):
        candidates = [(str(name), one) for name, one in candidate.items()]
    elif isinstance(candidate, (list, tuple)) and candidate and all(map(_is_corpus, candidate)):
        candidates = [("", one) for one in candidate]
    else:
        candidates = [] if candidate is None else [("", candidate)]
    if not candidates and not split:
        raise InputError("Expected a candidate to compare with the reference, or `by` to split the texts.")
    return [("", reference), *candidates]


def _is_corpus(one: object) -> bool:
    return isinstance(one, Corpus) or are_vectors(one)


def only_vectors(
    given: Sequence[tuple[str, object]], vectors: object, requests: Sequence[Request], embedder: object
) -> list[Any]:
    """Return the arrays that are given instead of texts, where nothing else is needed."""
    if vectors is not None or embedder is not None:
        raise SpecError("Expected texts for the vectors or the embedder, got vectors: give one of them.")
    if not all(are_vectors(one) for _, one in given):
        raise InputError("Expected all corpora as texts or all as vectors, got some of each.")
    for request in requests:
        if request.metric.sees != "vectors":
            raise SpecError(
                f"'{request.spec}' needs texts, got vectors (2-D arrays of floats). Give the texts, and the "
                "vectors as `vectors`; or choose distances that need vectors only, such as frechet or mauve."
            )
    return [one for _, one in given]


def _table(vectors: Any) -> tuple[Any, Integers | None]:
    """Return vectors, from a file where they are in one, and which texts they are of, where not of all."""
    if not isinstance(vectors, (str, Path)):
        return vectors, None
    found = find_embedder(f"vectors:{vectors}")
    if not isinstance(found, FileVectors):
        raise TypeError(f"'{vectors}' is no file of vectors")
    return found.rows(), found.places()


def align(vectors: Sequence[Any], given: Sequence[object], embedder: object) -> Aligned:
    """Take vectors made elsewhere, an array or a file a corpus."""
    if embedder is not None:
        raise SpecError("Expected `vectors` or `embedder`, got both.")
    if len(vectors) != len(given):
        raise SpecError(
            f"Expected `vectors` to have one array a corpus, the reference's first: {len(given)}, "
            f"got {len(vectors)}."
        )
    tables = [_table(one) for one in vectors]
    return Aligned.of([rows for rows, _ in tables], [places for _, places in tables])


def read_corpora(
    given: Sequence[tuple[str, object]],
    aligned: Aligned | None,
    how: dict[str, Any],
    tokenizer: Tokenizer,
    work: Work,
) -> list[Read]:
    """Read the corpora, each under a name of its own, and split them where they are to be."""
    found: list[Read] = []
    as_given = tokenizer_for_tokens(tokenizer)
    taken = 0
    for place, (name, one) in enumerate(given):
        stand_in = name or ("candidate" if place else "reference")
        if aligned is not None and are_vectors(one):
            view, used = Tokens.nameless(aligned.hashes[taken : taken + len(np.asarray(one))]), tokenizer
        elif not how and as_given.is_plain and (plain := _plain_tokens(one)) is not None:
            view, used = plain, as_given
        else:
            corpus = Corpus.wrap(one, **({} if isinstance(one, Corpus) else how))
            corpus.name = name or (corpus.name if isinstance(one, (Corpus, str, Path)) else stand_in)
            summaries = summarize(corpus, [Rows()], tokenizer, work)
            view, used, stand_in = (
                summaries.by_statistic[Rows()],
                summaries.tokenizer or tokenizer,
                corpus.name,
            )
        if aligned is not None and (chosen := aligned.places[place]) is not None:
            view = _chosen(view, chosen, stand_in)
        if aligned is not None and aligned.sizes[place] != len(view):
            raise InputError(
                f"expected one vector a text, got {aligned.sizes[place]:,} for {len(view):,} texts "
                "(a missing text that is skipped has none).",
                source=stand_in,
            )
        # Two of one name are told apart.
        times = sum(one.name.partition(" (")[0] == stand_in for one in found) + 1
        stand_in = stand_in if times == 1 else f"{stand_in} ({times})"
        split = rows_by_id(view, stand_in) if "id" in how else None
        if split is not None and len(given) > 1:
            split = {f"{stand_in}: {label}": rows for label, rows in split.items()}
        found.append(Read(stand_in, view, used, split))
        taken += len(view)
    return found


def _chosen(view: Tokens, rows: Integers, source: str) -> Tokens:
    """Return the texts that there are vectors for, in the order of these."""
    if len(rows) and (rows.min() < 0 or rows.max() >= len(view)):
        raise InputError(
            f"expected vectors of texts 0 to {len(view) - 1:,}, got one of text {rows.max():,}.",
            source=source,
        )
    return view.select(rows)


def _plain_tokens(texts: object) -> Tokens | None:
    """Return lists of tokens as a view; None where there is anything to check or to report."""
    if not isinstance(texts, list) or set(map(type, texts)) != {list}:
        return None
    try:
        return Tokens.of(texts)
    except (AttributeError, TypeError):  # something that is no string: read with care, and told where it is
        return None


def _reference(sides: Sides, against: str | None) -> int:
    names = [side.name for side in sides]
    if len(names) < 2:
        told = f"'{names[0]}'" if names else "none"
        raise InputError(
            f"Expected two corpora or more to compare, got {told} alone: give another file, or --by."
        )
    if against is None:
        return 0
    if against not in names:
        raise unknown("corpus", against, names)
    return names.index(against)
