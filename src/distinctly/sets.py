"""Named sets of metrics of one corpus: the default table, the families, and all metrics."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import MISSING

from distinctly.distance.base import Distance
from distinctly.errors import DistinctlyError
from distinctly.metrics import Metric
from distinctly.options import option_fields
from distinctly.registry import find_metric, metric_names

DEFAULT = "default"
# The choice, and its evidence: docs/choosing.md.
DEFAULT_SPECS = (
    "distinct:n=1",
    "distinct:n=2",
    "ead",
    "compression",
    "self_bleu",
    "duplicates",
    "vendi",
    "dispersion",
    "answers",
)
# The sets by name, and what they are for.
SETS = {
    DEFAULT: "What `measure` shows without -m: words, repetition and content.",
    "lexical": "Numbers and shares of distinct n-grams, entropy, unseen n-grams.",
    "content": "Meaning, by the vectors of texts; without prompts (context=prompt) if they are given.",
    "repetition": "What texts repeat of each other, and copies.",
    "richness": "Lexical richness: the vocabulary of each text, as a mean over texts.",
    "all": "All metrics of one corpus that the given texts allow.",
}


@functools.cache
def specs_in(name: str) -> tuple[str, ...]:
    """Return the specs of a set; those that need a column that the texts may lack are among them.

    Examples
    --------
    >>> specs_in("repetition")
    ('compression', 'duplicates', 'homogenization', 'self_bleu', 'self_repetition')
    """
    return DEFAULT_SPECS if name == DEFAULT else tuple(_members(name))


def _members(name: str) -> Iterator[str]:
    for metric_name in metric_names():
        try:
            kind = find_metric(metric_name)
        except DistinctlyError:  # a plug-in that does not load is not part of a set
            continue
        is_member = name in ("all", kind.family)
        if is_member and not issubclass(kind, Distance) and not _has_required_option(kind):
            yield metric_name


def _has_required_option(kind: type[Metric]) -> bool:
    """Return whether a spec of the metric needs an option, so that the name alone is not a spec."""
    required = [field.name for field in option_fields(kind) if field.default is MISSING]
    return any(option not in kind.expands for option in required)
