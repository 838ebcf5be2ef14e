"""Classes of equivalent texts: by complete linkage or in the order of the texts; given, or judged by pairs.

The classes by vectors are in `geometry/vector_classes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import DistinctlyError, SpecError, reason
from distinctly.loading import Function, load_function, path_of
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.texts import Texts, TextView

Linkage = Literal["complete", "greedy"]
Reals = NDArray[np.float64]
# The similarities of one item with some others.
SimilarTo = Callable[[int, Integers], Reals]
# A table of all pairs is held in memory; and a classifier is called for every pair, in both directions.
MOST_TEXTS, MOST_JUDGED = 5_000, 200
# Below every similarity.
NEVER = -2.0


@dataclass(frozen=True)
class Classes:
    """The class of each text.

    Attributes
    ----------
    labels
        The number of the class of each text, in the order in which the classes first occur; -1 for a text
        without a class.
    texts, zeros, dimensions
        The number of texts, of texts whose vector is zero, and of coordinates of the vectors.
    undefined
        Why there are no classes; None if there are.

    Examples
    --------
    >>> classes = Classes.of(["b", "a", "b"])
    >>> classes.labels.tolist(), classes.sizes.tolist(), classes.first.tolist()
    ([0, 1, 0], [2, 1], [True, True, False])
    """

    labels: Integers
    texts: int
    zeros: int = 0
    dimensions: int = 0
    undefined: str | None = None

    @classmethod
    def of(cls, names: Sequence[Any] | Integers, zeros: int = 0, dimensions: int = 0) -> Classes:
        """Number the classes, which have any names; -1 is the name of no class."""
        numbers: dict[Any, int] = {-1: -1}
        listed = names.tolist() if isinstance(names, np.ndarray) else names
        labels = [numbers.setdefault(name, len(numbers) - 1) for name in listed]
        return cls(np.array(labels, np.int64), len(labels), zeros, dimensions)

    @classmethod
    def without(cls, texts: int, why: str, zeros: int = 0, dimensions: int = 0) -> Classes:
        """Return texts without classes."""
        return cls(np.full(texts, -1), texts, zeros, dimensions, why)

    @property
    def sizes(self) -> Integers:
        """The number of texts per class."""
        return np.bincount(self.labels[self.labels >= 0])

    @property
    def first(self) -> NDArray[np.bool_]:
        """Whether each text is the first of its class."""
        is_first = np.zeros(len(self.labels), np.bool_)
        is_first[np.unique(self.labels, return_index=True)[1]] = True
        return is_first & (self.labels >= 0)


def complete_linkage(similarities: Reals, threshold: float) -> Integers:
    """Return the class of each item, such that all pairs of a class are similar.

    Again and again, the two classes are merged whose least similar pair is the most similar, as long as that
    pair reaches the threshold. Of several such pairs of classes, it is the one with the smallest numbers; the
    number of a class is the smallest of its items. So the result does not depend on the order of texts if
    their order in the table does not.

    Parameters
    ----------
    similarities
        The symmetric table of the similarities of all pairs, from -1 to 1. It is overwritten.
    threshold
        The smallest similarity within a class.

    Examples
    --------
    >>> chain = np.array([[1, 0.9, 0.2], [0.9, 1, 0.8], [0.2, 0.8, 1]])
    >>> complete_linkage(chain.copy(), 0.7).tolist(), complete_linkage(chain.copy(), 0.1).tolist()
    ([0, 0, 2], [0, 0, 0])
    """
    table = similarities
    labels = np.arange(len(table))
    if len(table) < 2:
        return labels
    np.fill_diagonal(table, NEVER)
    # The most similar class of each class; of several, the first.
    nearest = table.argmax(axis=1)
    largest = table[labels, nearest]
    while True:
        kept = int(largest.argmax())
        if largest[kept] < threshold:
            return labels
        merged = int(nearest[kept])
        labels[labels == merged] = kept
        row = np.minimum(table[kept], table[merged])
        table[kept], table[:, kept] = row, row
        table[merged], table[:, merged] = NEVER, NEVER
        # Other similarities are as they were, so only these classes can have another nearest one. The two
        # that were merged are among them, since each was nearest to the other.
        changed = ((nearest == kept) | (nearest == merged)).nonzero()[0]
        nearest[changed] = table[changed].argmax(axis=1)
        largest[changed] = table[changed, nearest[changed]]


def in_order(items: Integers, similar_to: SimilarTo, threshold: float) -> Integers:
    """Return the class of each text: the first whose first text is similar to it, or a new one.

    Parameters
    ----------
    items
        The item of each text, in the order of the texts; texts with equal items are equivalent.
    similar_to
        Returns the similarities of the first text of a class with later texts, given their items.
    threshold
        The smallest similarity with the first text of the class.

    Examples
    --------
    >>> chain = np.array([[1, 0.9, 0.2], [0.9, 1, 0.8], [0.2, 0.8, 1]])
    >>> in_order(np.array([0, 1, 2]), lambda first, later: chain[first, later], 0.7).tolist()
    [0, 0, 1]
    >>> in_order(np.array([1, 0, 2]), lambda first, later: chain[first, later], 0.7).tolist()
    [0, 0, 0]
    """
    different, first_places, places = np.unique(items, return_index=True, return_inverse=True)
    labels = np.full(len(different), -1)
    open_items = np.argsort(first_places)  # in the order in which they first occur
    classes = 0
    while len(open_items):
        first, others = open_items[0], open_items[1:]
        labels[first] = classes
        joined = similar_to(int(different[first]), different[others]) >= threshold
        labels[others[joined]] = classes
        open_items = others[~joined]
        classes += 1
    return labels[places]


@dataclass(frozen=True)
class GivenClasses(NeedsRows[Classes]):
    """The classes that came with the texts, in the column `partition`.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> texts = Texts(Batch.of(["yes", "no", "sure"], partition=["1", "2", "1"]))
    >>> GivenClasses().summarize(texts).labels.tolist()
    [0, 1, 0]
    """

    view: View[Texts] = field(default=TextView(), kw_only=True)

    def summarize(self, texts: Texts) -> Classes:
        """Number the classes."""
        if not _has_characters(texts):
            return _without_characters(texts)
        if texts.batch.partition is None:
            raise SpecError(
                "`by=partition` needs the class of each text: name its field with --partition (Python: "
                "partition=, the name of the field, or one class per text)."
            )
        return Classes.of(texts.batch.partition.tolist())


@dataclass(frozen=True)
class PairClassifier:
    """Says which texts are equivalent to which others: a function of the user, or a network.

    It is asked once per pair.

    Attributes
    ----------
    path
        Where it is: ``module:function``, or the name of a network.
    function
        Takes two lists of texts, and returns one truth value or probability per pair.
    """

    path: str
    function: Function
    _known: dict[tuple[str, str], float] = field(default_factory=dict, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.path)  # a callable object may have no hash

    @classmethod
    def load(cls, path: str) -> PairClassifier:
        """Import the function."""
        return cls(path, load_function(path, "classifier"))

    @classmethod
    def wrap(cls, function: Function) -> PairClassifier:
        """Return a function, named by its location."""
        return cls(path_of(function), function)

    def __call__(self, pairs: Iterable[tuple[str, str]]) -> list[float]:
        """Return the probability that the second text of each pair is equivalent to the first."""
        asked = list(pairs)
        unknown = [pair for pair in dict.fromkeys(asked) if pair not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._judge(unknown)))
        return [self._known[pair] for pair in asked]

    def _judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        try:
            result = self.function([first for first, _ in pairs], [second for _, second in pairs])
            judged = np.asarray(result, np.float64)
        except DistinctlyError:
            raise
        except (Exception, SystemExit) as error:
            raise SpecError(
                f"The classifier '{self.path}' raised {type(error).__name__}: {reason(error)}. It takes two "
                "lists of texts, and returns one truth value or probability per pair."
            ) from error
        if judged.shape != (len(pairs),) or not ((judged >= 0) & (judged <= 1)).all():
            raise SpecError(
                f"Expected the classifier '{self.path}' to return one truth value or probability (0 to 1) "
                f"for each of {len(pairs):,} pairs, got {result!r:.60}."
            )
        return [float(number) for number in judged]


@dataclass(frozen=True)
class JudgedClasses(NeedsRows[Classes]):
    """The classes of texts by a classifier of pairs.

    With complete linkage, the similarity of two texts is the smaller one of the probabilities of both orders.
    """

    classifier: PairClassifier
    threshold: float
    linkage: Linkage
    view: View[Texts] = field(default=TextView(), kw_only=True)

    def summarize(self, texts: Texts) -> Classes:
        """Judge the pairs of different texts."""
        if not _has_characters(texts):
            return _without_characters(texts)
        # In the order of the hashes, so that the order of the texts breaks no tie.
        _, first_places, items = np.unique(texts.text_hashes, return_index=True, return_inverse=True)
        if len(first_places) > MOST_JUDGED:
            return Classes.without(len(texts), too_many(len(first_places), MOST_JUDGED))
        names = texts.texts.take(first_places).tolist()
        if self.linkage == "greedy":

            def similar_to(first: int, later: Integers) -> Reals:
                return np.array(self.classifier((names[first], names[other]) for other in later.tolist()))

            return Classes.of(in_order(items, similar_to, self.threshold))
        pairs = [(first, second) for first in names for second in names if first != second]
        table = np.ones((len(names), len(names)))
        table[~np.eye(len(names), dtype=np.bool_)] = self.classifier(pairs)
        return Classes.of(complete_linkage(np.minimum(table, table.T), self.threshold)[items])


def too_many(different: int, most: int) -> str:
    """Return why texts have no classes, as a reason."""
    return (
        f"there are {different:,} different texts, more than {most:,}, and all pairs are compared: use the "
        "value within groups, which --prompt or --group gives (Python: prompts=, groups=), or a sample "
        f"(sampled={most})."
    )


def _has_characters(texts: Texts) -> bool:
    strings = texts.texts
    return bool((strings.ends > strings.starts).any())


def _without_characters(texts: Texts) -> Classes:
    why = "no text has any characters." if len(texts) else "there are no texts."
    return Classes.without(len(texts), why)
