"""Metrics of torchmetrics, for PyTorch and Lightning: `from distinctly.torchmetrics import Distinct`.

Every metric whose state can be added up is a class here, under the name that it has in `distinctly`;
`TextMetric` takes specs. The numbers are those of `distinctly.measure` on the texts of all processes.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from distinctly.accumulator import Accumulator
from distinctly.config import RunConfig
from distinctly.embedders import AnyEmbedder
from distinctly.errors import missing_extra
from distinctly.flat import flat_names
from distinctly.registry import find_metric_class, metric_class_names
from distinctly.score import Scores
from distinctly.spec import AnyMetrics
from distinctly.taggers import AnyTagger
from distinctly.tokenizers import AnyTokenizer

try:
    import torch
    from torchmetrics import Metric
except ImportError as error:
    raise missing_extra("distinctly.torchmetrics", "torchmetrics", "torchmetrics") from error

if TYPE_CHECKING:
    from torch import Tensor


class TextMetric(Metric):
    """One or several metrics of texts as a metric of torchmetrics.

    The value is a tensor of one float64; of several metrics, a dictionary of such tensors by the names of
    `Scores.flat`, as ``log_dict`` of Lightning takes it. Undefined values are NaN; `scores` says why.

    The state is the counts and sums of `Accumulator`, and the first 200 texts, which notes refer to. It is
    a list of few tensors of bytes: a batch appends one, and those of similar size are added up, so that each
    is less than half as long as the one before.

    Parameters
    ----------
    metrics
        As for `Accumulator`: metrics of one corpus, or distances. Those that need all texts together, such as
        `self_bleu`, raise an error.
    tokenizer, embedder, tagger, approximate, config
        As for `Accumulator`.
    **options
        Those of `torchmetrics.Metric`, such as ``dist_sync_on_step``.

    Examples
    --------
    >>> metric = TextMetric(["distinct:n=1", "entropy:n=1"], tokenizer="words:lc=yes")
    >>> metric.update(["the cat sat", "The dog sat"])
    >>> {name: round(value.item(), 3) for name, value in metric.compute().items()}
    {'distinct_n1': 0.667, 'entropy_n1': 1.918}
    >>> from distinctly.torchmetrics import JensenShannon
    >>> distance = JensenShannon()
    >>> distance.update(reference=["a cat sat", "the dog ran off"], candidate=["a cat sat"])
    >>> round(distance.compute().item(), 3)
    0.609
    """

    full_state_update = False
    is_differentiable = False
    states: list[Tensor]

    def __init__(
        self,
        metrics: AnyMetrics,
        *,
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        tagger: AnyTagger | None = None,
        approximate: bool = False,
        config: RunConfig | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._empty = Accumulator(
            metrics,
            tokenizer=tokenizer,
            embedder=embedder,
            tagger=tagger,
            approximate=approximate,
            config=config,
        )
        self._empty.to_bytes()  # raises for metrics that need the texts
        self.add_state("states", [], dist_reduce_fx=None)

    def update(
        self,
        texts: object = None,
        *,
        reference: object = None,
        candidate: object = None,
        groups: object = None,
    ) -> None:
        """Add texts, or lists of token ids; for distances, to the reference or to the candidate.

        Parameters
        ----------
        texts
            As for `measure`: strings, or a list of tokens or token ids per text (without padding).
        reference, candidate
            The texts of distances, which need not come in equal numbers.
        groups
            One name per text, for metrics with ``pool=group``.
        """
        batch = copy.copy(self._empty)
        batch.update(texts, reference=reference, candidate=candidate, groups=groups)
        self.states = self._added_up([*self.states, self._as_tensor(batch)])

    def compute(self) -> Tensor | dict[str, Tensor]:
        """Return the value, or the values by name."""
        scores = self._accumulated().compute()
        values = [torch.tensor(score.value, dtype=torch.float64, device=self.device) for score in scores]
        return values[0] if len(values) == 1 else dict(zip(flat_names(scores), values))

    def scores(self) -> Scores:
        """Return the scores, with signatures and notes; all processes have to call it, as `compute`."""
        with self.sync_context(dist_sync_fn=self.dist_sync_fn, should_sync=self._to_sync):
            return self._accumulated().compute()

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Add texts, and return the value of these texts alone."""
        value = super().forward(*args, **kwargs)
        self.states = self._added_up(self.states)
        return value

    def sync(self, *args: Any, **kwargs: Any) -> None:
        """Gather the states of all processes; each gives one tensor, also if it has no texts."""
        if len(self.states) != 1:
            self.states = [self._as_tensor(self._accumulated())]
        super().sync(*args, **kwargs)

    def _accumulated(self) -> Accumulator:
        """Return the accumulator of all texts."""
        total = copy.copy(self._empty)
        for state in self.states:
            total = total.merge_bytes(_as_bytes(state))
        return total

    def _added_up(self, states: Sequence[Tensor]) -> list[Tensor]:
        """Add up neighbouring states of similar size."""
        states = list(states)
        while len(states) > 1 and len(states[-2]) <= 2 * len(states[-1]):
            last, before = states.pop(), states.pop()
            total = self._empty.merge_bytes(_as_bytes(before)).merge_bytes(_as_bytes(last))
            states.append(self._as_tensor(total))
        return states

    def _as_tensor(self, state: Accumulator) -> Tensor:
        return torch.frombuffer(bytearray(state.to_bytes()), dtype=torch.uint8).to(self.device)


def _as_bytes(state: Tensor) -> bytes:
    # `set_dtype` makes other numbers of them, which are the same up to 255.
    data: bytes = state.to("cpu", torch.uint8).numpy().tobytes()
    return data


def _metric_class(name: str) -> type[TextMetric]:
    """Return the class of a metric, which takes its options and those of `TextMetric`."""
    kind = find_metric_class(name)
    if kind is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    names = {field.name for field in fields(kind) if field.init}

    def initialize(self: TextMetric, **options: Any) -> None:
        of_metric = {name: options.pop(name) for name in names & options.keys()}
        TextMetric.__init__(self, kind(**of_metric), **options)

    return type(
        name,
        (TextMetric,),
        {
            "__init__": initialize,
            "__module__": __name__,
            "__doc__": kind.__doc__,
            "higher_is_better": {"more diverse": True, "less diverse": False}.get(kind.more_is),
        },
    )


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = globals()[name] = _metric_class(name)
    return value


def __dir__() -> list[str]:
    return sorted(["TextMetric", *metric_class_names()])
