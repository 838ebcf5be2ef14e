"""The default metrics of a trial: all metrics of one corpus."""

from __future__ import annotations

from collections.abc import Mapping

from distinctly.distance.base import Distance
from distinctly.errors import SpecError
from distinctly.metrics import NEITHER
from distinctly.registry import find_metric, metric_names
from distinctly.score import spec_of
from distinctly.spec import parse_metrics

# The values of n for metrics that are otherwise measured at several n.
SIZES = (1, 2)


def default_metrics(
    options: Mapping[str, Mapping[str, str]] | None = None, *, one_text: bool = False
) -> list[str]:
    """Return all metrics of diversity that need no choice of options, those of n-grams for n = 1 and 2.

    Metrics that are a mean over texts by default measure the corpus as a whole here, since the mean over
    texts does not depend on how much the texts differ.

    Parameters
    ----------
    options
        Options per metric that replace the defaults.
    one_text
        Whether corpora have one text each, so that only metrics with a value for a single text are of use;
        a mean over texts is then the value of the text.

    Examples
    --------
    >>> [spec for spec in default_metrics({"hdd": {"sample": "10"}}) if spec[:3] in ("dis", "hdd", "ttr")]
    ['dispersion', 'distinct:n=1', 'distinct:n=2', 'hdd:sample=10,pool=corpus', 'ttr:pool=corpus']
    """
    specs: list[str] = []
    for name in metric_names():
        kind = find_metric(name)
        if issubclass(kind, Distance) or kind.needs_choice:
            continue
        chosen = dict((options or {}).get(name, {}))
        try:
            if vars(parse_metrics(name)[0].metric).get("pool") == "text" and not one_text:
                chosen["pool"] = "corpus"
            requests = parse_metrics(spec_of(name, chosen) if chosen else name)
        except SpecError:  # it has a required option
            continue
        specs += [
            request.spec
            for request in requests
            if not request.metric.reads_reference
            and request.metric.more_is != NEITHER
            and (request.metric.of_one_text or not one_text)
            and (len(requests) == 1 or vars(request.metric).get("n") in SIZES)
        ]
    return specs
