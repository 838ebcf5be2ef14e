"""States of corpora: saved, merged, and measured again without the texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distinctly.config import RunConfig
from distinctly.corpus import Corpus, is_state
from distinctly.distance.base import Distance
from distinctly.embedders import find_embedder
from distinctly.embedders.base import Embedder
from distinctly.engine.protocol import engine_of
from distinctly.engine.state_file import StateFile, read_ahead, write_state
from distinctly.engine.states import CollectedStates, merge_states, underived
from distinctly.engine.storage import Stored, stored_at
from distinctly.engine.stored import open_state, saved_with
from distinctly.errors import InputError, SpecError, UntrustedError
from distinctly.metrics import Metric, Sizable
from distinctly.run.plan import Plan, Views, description, signed_by
from distinctly.run.term_views import TermView
from distinctly.score import Kind
from distinctly.sources.states import StateSource
from distinctly.spec import Request, parse_metrics
from distinctly.statistics.base import AnyStatistic, Mergeable, TwoPass
from distinctly.statistics.pairing import MergeablePair
from distinctly.taggers import find_tagger
from distinctly.taggers.base import Tagger
from distinctly.tokenizers import find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.parsing import parse_view

BESIDE = "reads a reference beside the texts"

# The number of bytes of each table that are read at a time while states are merged.
AHEAD = 1_000_000


@dataclass(frozen=True)
class Saved:
    """What a state was saved with.

    Attributes
    ----------
    name
        The name of its file.
    specs
        Its metrics.
    tokenizer_spec, embedder_spec, tagger_spec
        The specs of its tokenizer, embedder and tagger; None for the default.
    of
        What its terms are made of; empty for tokens.
    """

    name: str
    specs: tuple[str, ...]
    tokenizer_spec: str | None
    embedder_spec: str | None
    tagger_spec: str | None
    of: str = ""

    @classmethod
    def first(cls, corpora: Iterable[object]) -> Saved:
        """Return what the first state among corpora was saved with."""
        state = next(corpus for corpus in corpora if is_state(corpus))
        file = open_state(Corpus.wrap(state))
        specs = file.about.get("metrics")
        views = [file.about.get(name) for name in ("tokenizer", "embedder", "tagger")]
        if not isinstance(specs, list) or not all(isinstance(spec, str) for spec in specs):
            raise file.damaged("it does not say which metrics it was saved for")
        if not all(view is None or isinstance(view, str) for view in views):
            raise file.damaged("it does not say which tokenizer it was saved with")
        of = file.about.get("of", "")
        if not isinstance(of, str):
            raise file.damaged("it does not say what its terms are made of")
        tokenizer, embedder, tagger = views
        return cls(file.stored.name, tuple(specs), tokenizer, embedder, tagger, of)

    @property
    def tokenizer(self) -> Tokenizer | None:
        """Its tokenizer; raise if it names files outside the working folder, or to download."""
        spec = self.tokenizer_spec
        with self._untrusted(f"Give it yourself if you trust the author: --tokenizer '{spec}'."):
            return None if spec is None else find_tokenizer(spec, trust=False)

    @property
    def embedder(self) -> Embedder | None:
        """Its embedder; raise if it names files outside the working folder, or code."""
        spec = self.embedder_spec
        with self._untrusted(f"Give it yourself if you trust the author: --embedder '{spec}'."):
            return None if spec is None else find_embedder(spec, trust=False)

    @property
    def tagger(self) -> Tagger | None:
        """Its tagger; raise if it names code."""
        spec = self.tagger_spec
        with self._untrusted(f"Give it yourself if you trust the author: --tagger '{spec}'."):
            return None if spec is None else find_tagger(spec, trust=False)

    @contextmanager
    def _untrusted(self, remedy: str) -> Iterator[None]:
        """Raise an error of the file if it names what is only run or opened for those who are trusted."""
        try:
            yield
        except UntrustedError as error:
            names = str(error).removeprefix("The signature names ").partition(": pass")[0]
            problem = f"the state names {names.partition(', which runs')[0]}. {remedy}"
            raise InputError(problem, source=self.name) from error

    def metrics(self, kind: Kind) -> list[str]:
        """Return the specs of its metrics of a kind; raise if they name functions."""
        with self._untrusted("Give the metrics yourself if you trust the author: -m SPEC."):
            requests = parse_metrics(list(self.specs), trust=False) if self.specs else []
            for request in requests:
                if request.metric.of:
                    parse_view(request.metric.of, find_tagger(None), trust=False)
        specs = [request.spec for request in requests if request.metric.kind == kind]
        if not specs:
            if not self.specs:
                raise SpecError("The state was saved without metrics: it has terms. Use distinctly keyness.")
            raise SpecError(
                f"The state was saved with {' '.join(self.specs)}, none of which is a {kind}. Use distinctly "
                f"{'measure' if kind == 'distance' else 'compare'}."
            )
        return specs


def state_statistics(plan: Plan) -> list[Mergeable[Any, Any]]:
    """Return the statistics to save for metrics; raise if one of them needs the texts."""
    needed: list[AnyStatistic] = [*description(plan.views.tokens)]
    for request in plan.requests:
        needed += [*signed_by(request.metric), *_statistics_of(request)]
    return list(dict.fromkeys(s for s in underived(needed) if isinstance(s, Mergeable)))


def _statistics_of(request: Request) -> list[AnyStatistic]:
    """Return the statistics of a metric; raise if they cannot be saved."""
    metric = request.metric
    statistics = list(metric.statistics())
    pairs = metric.pair_statistics() if isinstance(metric, Distance) else ()
    statistics += [pair.side() for pair in pairs if isinstance(pair, MergeablePair)]
    why = why_texts_needed(metric)
    if why is not None:
        raise _texts_needed(request, why)
    return statistics


def _texts_needed(request: Request, why: str) -> SpecError:
    command = "compare REFERENCE FILE" if isinstance(request.metric, Distance) else "measure FILE"
    return SpecError(
        f"'{request.spec}' {why}, so a state is not enough. Give the texts: distinctly {command} "
        f"-m {request.spec}."
    )


def why_texts_needed(metric: Metric) -> str | None:
    """Return why a metric cannot be measured from states; None if it can."""
    if isinstance(metric, Sizable) and metric.drawn:
        return "draws texts at random"
    if _reads_reference(metric):
        return BESIDE
    statistics = underived(metric.statistics())
    pairs = metric.pair_statistics() if isinstance(metric, Distance) else ()
    if not all(isinstance(pair, MergeablePair) for pair in pairs):
        return "compares texts with texts"
    if any(isinstance(statistic, TwoPass) for statistic in statistics):
        return "reads the texts twice"
    if not all(isinstance(statistic, Mergeable) for statistic in statistics):
        return "needs all texts together"
    return None


def _reads_reference(metric: Metric) -> bool:
    return metric.reads_reference and not isinstance(metric, Distance)


def check_states(plan: Plan, corpora: Sequence[Corpus], *, refused: bool = False) -> None:
    """Raise if a state does not have what the metrics need, or if something else needs texts (`refused`)."""
    if refused:
        raise next(c.source.without_texts() for c in corpora if isinstance(c.source, StateSource))
    for corpus in (corpus for corpus in corpora if is_state(corpus)):
        file = open_state(corpus)
        known = set(file.names)
        for request in plan.requests:
            wanted = underived([*signed_by(request.metric), *_statistics_of(request)])
            if not {repr(statistic) for statistic in wanted} <= known:
                raise InputError(
                    f"the state does not have what '{request.spec}' needs. {saved_with(file)}",
                    source=corpus.source.name,
                )


def save(
    corpus: Corpus,
    requests: Sequence[Request],
    views: Views,
    path: str | Path,
    config: RunConfig,
    specs: Mapping[str, str | None],
    terms: TermView | None = None,
) -> None:
    """Save the state of a corpus, with the specs of its tokenizer, embedder and tagger; also its terms."""
    for request in requests:
        if _reads_reference(request.metric):
            raise _texts_needed(request, BESIDE)
    plan = Plan.of(requests, views).drawing("text")
    statistics = [*state_statistics(plan), *([] if terms is None else terms.saved)]
    about: dict[str, Any] = {"metrics": [request.spec for request in plan.requests], **specs}
    if terms is not None:
        about["keyness"] = list(terms.sizes)
    stored = stored_at(path)
    stored.check_target()
    unique = list(dict.fromkeys(statistics))
    with engine_of(corpus, config).collecting(corpus, unique, config) as collected:
        _write(stored, collected, about, config.hash_bits)


def merge(paths: Sequence[str | Path], path: str | Path) -> None:
    """Merge states, in this order, into one."""
    files = [StateFile(stored_at(each)) for each in paths]
    if not files:
        raise SpecError("Expected the states to merge, got none.")
    first = files[0]
    for file in files[1:]:
        if file.about != first.about or file.bits != first.bits or set(file.names) != set(first.names):
            raise InputError(
                f"the states are of different metrics, tokenizers or hashes, so they cannot be merged. "
                f"{saved_with(file)} {first.stored.name}: {saved_with(first)}",
                source=file.stored.name,
            )
    stored = stored_at(path)
    stored.check_target()
    states = [read_ahead(file.everything(), AHEAD) for file in files]
    with first.errors():
        _write(stored, merge_states(states), first.about, first.bits)


def _write(stored: Stored, collected: CollectedStates, about: Mapping[str, Any], bits: int) -> None:
    with stored.writing() as stream:
        write_state(stream, collected, about, bits)
