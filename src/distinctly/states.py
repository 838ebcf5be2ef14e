"""`save_state` and `merge_states`: what is known of texts, in files, so that they are not read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from distinctly.api import COUNTED_METRICS, sort_keywords
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.errors import SpecError
from distinctly.run.plan import Views
from distinctly.run.stored import merge, save
from distinctly.run.term_views import sizes_of, term_view
from distinctly.sources.base import Reading
from distinctly.sources.states import ENDING
from distinctly.spec import AnyMetrics, parse_metrics


def save_state(
    texts: object,
    path: str | Path,
    metrics: AnyMetrics = COUNTED_METRICS,
    *,
    tokenizer: str | None = None,
    embedder: str | None = None,
    tagger: str | None = None,
    keyness: int | str | Iterable[int] | None = None,
    of: str = "",
    reading: Reading | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> None:
    """Save what metrics need of texts to a file, which `measure` and `compare` take instead of the texts.

    States of parts of a corpus can be merged. The scores are those of all texts together.

    Parameters
    ----------
    texts
        One corpus, as for `measure`.
    path
        The file, with the ending ``.state``; also the address of an object store, ``s3://bucket/x.state``.
    metrics
        Metrics of one corpus, distances, or both. Those that need the texts themselves are an error. None if
        only terms are to be saved.
    tokenizer, embedder, tagger
        Their specs, as for `measure`; not a function, which a state cannot name.
    keyness, of
        Also save the terms of these lengths for `keyness`, as its arguments `n` and `of`: their counts, the
        number of texts with each, and their text, which takes about 30 bytes of memory per different term.
    reading, config
        How to read, and how to run. Their fields can also be given as keywords.
    fields
        Fields of `Reading` and `RunConfig`.

    Examples
    --------
    >>> import tempfile, distinctly as dy
    >>> folder = tempfile.mkdtemp()
    >>> for day, texts in {"monday": ["the cat sat"], "tuesday": ["the dog sat"]}.items():
    ...     dy.save_state(texts, f"{folder}/{day}.state", "distinct:n=1")
    >>> dy.merge_states([f"{folder}/monday.state", f"{folder}/tuesday.state"], f"{folder}/both.state")
    >>> dy.measure(f"{folder}/both.state")[0].value
    0.6666666666666666
    """
    how, _, running = sort_keywords(fields, reading, None, config)
    requests = parse_metrics(metrics) if metrics or keyness is None else []
    for name, spec in (("tokenizer", tokenizer), ("embedder", embedder), ("tagger", tagger)):
        if spec is not None and not isinstance(spec, str):
            raise SpecError(
                f"Expected `{name}` to be a spec such as 'words:lc=yes', since a state has to name it; got a "
                f"{type(spec).__name__}."
            )
    views = Views.of(requests, tokenizer, embedder, tagger)
    specs = {"tokenizer": tokenizer, "embedder": embedder, **({} if tagger is None else {"tagger": tagger})}
    terms = None
    if keyness is not None:
        terms = term_view(sizes_of(keyness), of, tokenizer, tagger)
        views = views if requests else replace(views, described=terms.described)
        specs |= {"of": of} if of else {}
    save(Corpus.wrap(texts, **how), requests, views, _checked(path), running, specs, terms)


def merge_states(paths: Sequence[str | Path], path: str | Path) -> None:
    """Merge states, in this order, into one file; the tables are not held in memory."""
    merge(paths, _checked(path))


def _checked(path: str | Path) -> str:
    if not str(path).endswith(ENDING):
        raise SpecError(f"Expected the name of a state to end with {ENDING}, got '{path}'.")
    return str(path)
