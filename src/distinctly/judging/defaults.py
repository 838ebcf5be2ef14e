"""Which metrics of one corpus are tried where none are named: all of them."""

from __future__ import annotations

from collections.abc import Mapping

from distinctly.distance.base import Distance
from distinctly.errors import SpecError
from distinctly.registry import find_metric, metric_names
from distinctly.score import spec_of
from distinctly.spec import parse_metrics

# Of metrics that stand for several n where none is given, these: more would only lengthen the table.
SIZES = (1, 2)


def default_metrics(options: Mapping[str, Mapping[str, str]] | None = None) -> list[str]:
    """Return all metrics of one corpus that need nothing more, those of n-grams for n = 1 and 2.

    Those that are a mean over texts where nothing is said measure the corpus as a whole here: what one text
    is like does not tell how the texts differ.

    Parameters
    ----------
    options
        Options by metric, where others than the defaults fit better.

    Examples
    --------
    >>> [spec for spec in default_metrics({"hdd": {"sample": "10"}}) if spec[:3] in ("dis", "hdd", "ttr")]
    ['dispersion', 'distinct:n=1', 'distinct:n=2', 'hdd:sample=10,pool=corpus', 'ttr:pool=corpus']
    """
    found: list[str] = []
    for name in metric_names():
        if issubclass(find_metric(name), Distance):
            continue
        own = dict((options or {}).get(name, {}))
        try:
            if vars(parse_metrics(name)[0].metric).get("pool") == "text":
                own["pool"] = "corpus"
            requests = parse_metrics(spec_of(name, own) if own else name)
        except SpecError:  # an option that has to be given
            continue
        found += [
            request.spec
            for request in requests
            if not request.metric.reads_reference
            and (len(requests) == 1 or vars(request.metric).get("n") in SIZES)
        ]
    return found
