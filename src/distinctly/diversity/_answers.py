"""Base class of the metrics on classes of equivalent texts: which texts are equivalent, and thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar

from distinctly.batch import Column
from distinctly.diversity._vectors import VectorDiversity
from distinctly.embedders.base import Embedder
from distinctly.embedders.pairs import PairNetwork, shown_path
from distinctly.embedders.wordllama import WordLlama
from distinctly.errors import SpecError
from distinctly.geometry.vector_classes import VectorClasses
from distinctly.loading import names_function
from distinctly.metrics import Given, Sizable, Sized
from distinctly.options import Value, hidden, option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.classes import Classes, GivenClasses, JudgedClasses, Linkage, PairClassifier
from distinctly.views.base import View, ViewKind
from distinctly.views.texts import TextView
from distinctly.views.vectors import VectorView

NOVELTY_BENCH = bibtex(
    "misc",
    "zhang2025noveltybench",
    author=(
        "Zhang, Y. and Diddee, H. and Holm, S. and Liu, H. and Liu, X. and Samuel, V. and Wang, B. and "
        "Ippolito, D."
    ),
    title="{NoveltyBench}: Evaluating language models for humanlike diversity",
    year=2025,
)
# The smallest cosine of equivalent texts, by embedder, without and with `context=prompt`. Each is the
# threshold with the smallest error on one half of the sets of ConTest (Tevet & Berant, 2021), by
# `python -m scripts.calibrate_answers`; the card has the errors on the other half.
CALIBRATED = {"wordllama": (0.22, 0.29), "minilm": (0.44, 0.30)}
# The number of dimensions of WordLlama that its thresholds are for.
DIMENSIONS = 256
# The smallest probability by which a classifier calls two texts equivalent.
PROBABLE = 0.5
A = TypeVar("A", bound="AnswerClasses")


def _has_network(metric: AnswerClasses) -> bool:
    return isinstance(metric.classifier, str) and not names_function(metric.classifier)


@dataclass(frozen=True, kw_only=True)
class AnswerClasses(Sizable, VectorDiversity):
    """A formula on classes of equivalent texts.

    Attributes
    ----------
    by
        What makes texts equivalent. ``vectors``: a large cosine. ``partition``: their class in the column
        `partition`. ``classifier``: the function `classifier`.
    threshold
        The smallest cosine of equivalent vectors, by default calibrated for `wordllama` and `minilm`,
        and required for any other; or the smallest probability of a classifier, by default 0.5.
    linkage
        ``complete``: all pairs of a class are equivalent; the order of the texts changes nothing. ``greedy``:
        each text joins the first class whose first text is equivalent to it, so that the order matters.
    classifier
        A function from two lists of texts to one truth value or probability per pair: ``module:function``,
        ``file.py:function`` or, in Python, the function itself. Or a network that classifies pairs of texts:
        an .onnx file with its ``tokenizer.json``, or their folder. A signature contains the last part of the
        path.
    hash
        The hash of the files of the network; different files are an error.
    context
        ``prompt``: the direction of the prompt is taken out of each vector, for ``by=vectors``.
    """

    references: ClassVar[tuple[str, ...]] = (NOVELTY_BENCH,)
    presets: ClassVar[dict[str, dict[str, Value]]] = {"noveltybench": {"linkage": "greedy"}}
    compares_texts: ClassVar[bool] = True
    of_answers: ClassVar[bool] = True
    needs_choice: ClassVar[bool] = True  # of a threshold, unless the embedder is the default one
    function_options: ClassVar[tuple[str, ...]] = ("classifier",)
    files: ClassVar[tuple[str, ...]] = ("classifier",)

    by: Literal["vectors", "partition", "classifier"] = "vectors"
    threshold: float | None = option(None, only={"by": ("vectors", "classifier")}, at_least=-1, at_most=1)
    linkage: Linkage = option("complete", only={"by": ("vectors", "classifier")})
    classifier: str | Callable[..., Any] | None = option(None, only={"by": ("classifier",)})
    hash: str = option("", only=_has_network)
    _judge: PairClassifier | None = hidden(None)

    def __post_init__(self) -> None:
        if callable(self.classifier):
            judge = PairClassifier.wrap(self.classifier)
            object.__setattr__(self, "_judge", judge)
            object.__setattr__(self, "classifier", judge.path)
        name = self.metric_name()
        if self.classifier is not None and self.by != "classifier":
            raise SpecError(f"`classifier` of '{name}' has an effect only with by=classifier. Add it.")
        if self.classifier is None and self.by == "classifier":
            raise SpecError(
                f"'{name}:by=classifier' needs a function from two lists of texts to truth values or "
                f"probabilities, as in {name}:by=classifier,classifier=mymodule:equivalent, or a network, as "
                "in classifier=models/model.onnx."
            )
        if self.context is not None and self.by != "vectors":
            raise SpecError(f"`context` is for vectors, and by={self.by} has none. Remove one of them.")
        if self.of and self.by != "vectors":
            raise SpecError(f"'{name}:by={self.by}' reads texts as they are. Remove `of={self.of}`.")
        if self.by == "classifier" and self.threshold is None:
            object.__setattr__(self, "threshold", PROBABLE)
        if _has_network(self):
            network = PairNetwork(str(self.classifier), self.hash)
            if self._judge is None or self._judge.function != network:  # a copy keeps what it knows
                object.__setattr__(self, "_judge", PairClassifier(network.shown, network))
            object.__setattr__(self, "hash", network.hash)
        super().__post_init__()

    @cached_property
    def signed_options(self) -> Mapping[str, str]:
        """The options as a signature writes them: without the folders of a network."""
        options = dict(super().signed_options)
        return options | ({"classifier": shown_path(str(self.classifier))} if _has_network(self) else {})

    @property
    def sees(self) -> ViewKind:
        """The vector of a text, or the text itself."""
        return "vectors" if self.by == "vectors" else "texts"

    @property
    def view(self) -> Any:
        """The view of the vectors, or of the texts."""
        return super().view if self.by == "vectors" else TextView()

    @property
    def reads_columns(self) -> tuple[Column, ...]:
        """The prompts or the classes, if the options read them."""
        return ("partition",) if self.by == "partition" else super().reads_columns

    @property
    def ordered(self) -> bool:
        """Whether the classes depend on the order of the texts."""
        return self.linkage == "greedy"

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def reading(self: A, view: View[Any]) -> A:
        """Return the metric with this view, its threshold and its classifier."""
        if self.by == "vectors" and self.threshold is None and isinstance(view, VectorView):
            threshold = calibrated(view.embedder, self.metric_name(), context=self.context is not None)
            return replace(self, threshold=threshold).reading(view)
        if isinstance(self.classifier, str) and self._judge is None:
            return replace(self, _judge=PairClassifier.load(self.classifier)).reading(view)
        return super().reading(view)

    def in_set(self: A, given: Given) -> A | None:
        """Return the metric if there are several answers per prompt, and a threshold for the embedder."""
        if given.embedder is None or thresholds_of(given.embedder) is None:
            return None
        if not {"groups", *self.reads_columns} <= given.columns:
            return None
        return super().in_set(given)

    def classes(self) -> AnyStatistic:
        """Return the statistic of the classes."""
        if self.by == "partition":
            return GivenClasses()
        if self.threshold is None or (self.by == "classifier" and self._judge is None):
            raise SpecError(f"'{self.metric_name()}' has no threshold yet: it is measured by dy.measure.")
        if self._judge is not None:
            return JudgedClasses(self._judge, self.threshold, self.linkage)
        return VectorClasses(self.view, self.threshold, self.linkage)

    def score_classes(self, value: float, classes: Classes, **more: int | float) -> Score:
        """Return the score, which is undefined if there are no classes."""
        sizes = classes.sizes
        largest = int(sizes.max(initial=0))
        placed = classes.texts - classes.zeros
        parts: dict[str, int | float] = {
            "classes": len(sizes),
            "largest_class": largest,
            "largest_share": largest / placed if placed and len(sizes) else math.nan,
            **more,
        }
        if classes.undefined is None and self.by == "vectors":
            return self.scored_on(value, classes, **parts)
        return self.scored(value, {"texts": classes.texts, **parts}, undefined=classes.undefined)


def calibrated(embedder: Embedder, metric: str, *, context: bool) -> float:
    """Return the calibrated threshold of an embedder; raise if there is none."""
    thresholds = thresholds_of(embedder)
    if thresholds is not None:
        return thresholds[context]
    raise SpecError(
        f"'{metric}' has thresholds for 'wordllama' ({DIMENSIONS} dimensions) and 'minilm', got "
        f"'{embedder.title()}': give the smallest cosine of equivalent texts, as in {metric}:threshold=0.8."
    )


def thresholds_of(embedder: Embedder) -> tuple[float, float] | None:
    """Return the calibrated thresholds of an embedder, without and with context; None if it has none."""
    is_cut = isinstance(embedder, WordLlama) and embedder.dim != DIMENSIONS
    return None if is_cut else CALIBRATED.get(embedder.name)
