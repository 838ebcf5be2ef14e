"""Specs of metrics, such as `distinct:n=2,preset=li2016`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, replace
from functools import lru_cache
from typing import Any

from distinctly.errors import SpecError, UntrustedError, unknown
from distinctly.functions import find_function, from_function, function_named
from distinctly.loading import is_function, path_of
from distinctly.metrics import Given, Metric
from distinctly.options import option_fields, option_names, options_of, read_options, split_spec, written
from distinctly.registry import all_names, find_metric, is_metric_name
from distinctly.score import Signature, spec_of
from distinctly.sets import SETS, specs_in
from distinctly.taggers import find_tagger
from distinctly.views.parsing import parse_view

# The word of a spec that measures a number of random texts.
SAMPLED = "sampled"
NOTHING = Given()
AnyMetric = str | Metric | Callable[..., Any]
AnyMetrics = AnyMetric | Iterable[AnyMetric]


@dataclass(frozen=True)
class Request:
    """A metric, and the spec that requested it.

    Attributes
    ----------
    spec
        The spec.
    metric
        The metric.
    sampled
        The number of random texts that are measured, if there are more; None for all texts.
    of_set
        Whether a named set of metrics requested it, so that it may be measured on fewer texts.
    """

    spec: str
    metric: Metric
    sampled: int | None = None
    of_set: bool = False


def parse_metrics(
    wanted: AnyMetrics,
    *,
    trust: bool = True,
    function: Callable[..., Any] | None = None,
    given: Given = NOTHING,
    sampling: bool = False,
) -> list[Request]:
    """Return the requests of specs, sets, metrics and functions, one per score, without repetitions.

    Parameters
    ----------
    wanted
        One or several of them.
    trust
        Whether functions that specs name are imported; otherwise they raise an error.
    function
        The function that a spec names, which is then not imported.
    given
        What there is beside the texts, for named sets of metrics.
    sampling
        Whether the caller measures random texts for specs with `sampled`; otherwise they raise an error.

    Examples
    --------
    >>> [request.spec for request in parse_metrics(["distinct:preset=li2016", "ead"])][3:]
    ['distinct:n=4,preset=li2016', 'ead']
    >>> [request.spec for request in parse_metrics(["repetition"])][:2]
    ['compression', 'duplicates']
    """
    metrics = listed(wanted)
    named: dict[str, Callable[..., Any]] = {}
    functions = [metric for metric in metrics if callable(metric) and not isinstance(metric, Metric)]
    for each in functions:
        if named.setdefault(path := path_of(each), each) != each:
            raise SpecError(
                f"Expected functions with different names, got two named '{path}': rename one of them."
            )
    requests: dict[str, Request] = {}
    for metric in metrics:
        if isinstance(metric, str) and metric.partition(":")[0].strip() in SETS:
            parsed = _in_set(metric, given)
        else:
            parsed = _parse(metric, trust=trust, function=function)
        for request in parsed:
            if request.sampled is not None and not sampling:
                raise SpecError(f"'{request.spec}': `{SAMPLED}` is for `measure` only. Remove it.")
            # What is requested by name is measured on all texts.
            if not request.of_set or request.spec not in requests:
                requests[request.spec] = request
    if not requests:
        raise SpecError(f"Expected at least one metric, got {_none_of(metrics)}.")
    return list(requests.values())


def _in_set(name: str, given: Given) -> list[Request]:
    """Return the metrics of a named set that the texts allow."""
    set_name, colon, _ = name.strip().partition(":")
    if colon:
        raise SpecError(f"'{set_name}' is a set of metrics, which has no options. Give them to its metrics.")
    requests = []
    for spec in specs_in(set_name):
        for request in _parse(spec):
            metric = request.metric.in_set(given)
            if metric is None:
                continue
            same = metric is request.metric
            options = {**split_spec(request.spec)[1], **_changed(request.metric, metric)}
            spec_in_set = request.spec if same else spec_of(metric.metric_name(), options)
            requests.append(Request(spec_in_set, metric, of_set=True))
    return requests


def _changed(before: Metric, after: Metric) -> dict[str, str]:
    """Return the options of a metric that another one does not have."""
    known = before.signed_options
    return {name: word for name, word in after.signed_options.items() if known.get(name) != word}


def _none_of(metrics: list[Any]) -> str:
    return f"'{metrics[0]}', of which these texts allow none" if metrics else "none"


def has_set(wanted: AnyMetrics) -> bool:
    """Return whether some of the metrics are requested by the name of a set.

    Examples
    --------
    >>> has_set("default"), has_set(["ead", "content"]), has_set("ead")
    (True, True, False)
    """
    return any(isinstance(each, str) and each.strip() in SETS for each in listed(wanted))


def listed(wanted: AnyMetrics) -> list[Any]:
    """Return one or several metrics as a list."""
    return list(wanted) if isinstance(wanted, Iterable) and not isinstance(wanted, str) else [wanted]


def metric(spec: str, *, trust: bool = True) -> Metric:
    """Return the metric of a spec that names a single one.

    Parameters
    ----------
    spec
        The spec.
    trust
        Whether a function that the spec names is imported; otherwise it raises an error.

    Examples
    --------
    >>> metric("distinct:n=2").n
    2
    """
    requests = _parse(spec, trust=trust)
    if len(requests) != 1:
        expanded = ", ".join(request.spec for request in requests)
        raise SpecError(f"Expected a spec of one metric, got '{spec}', which expands to {expanded}.")
    return requests[0].metric


def metric_of(signature: str, *, trust: bool = False) -> Metric:
    """Return the metric of a signature, with `of` if its tokens are those of one of the metric's presets.

    Parameters
    ----------
    signature
        The signature.
    trust
        Whether a function that the signature names is imported; otherwise it raises an error.

    Examples
    --------
    >>> metric_of("ead|n:1|pool:corpus|vocabulary:50257|expected:uniform|tok:words,lc:no|v:0.2.0").vocabulary
    50257
    >>> metric_of("ttr|pool:text|short:skip|tok:kyle,lc:yes|v:0.2.0") == metric("ttr:preset=kyle")
    True
    """
    parsed = Signature.parse(signature)
    signed = metric(parsed.spec, trust=trust)
    views = {str(preset["of"]) for preset in signed.presets.values() if "of" in preset}
    for view in views - {signed.of}:
        if parse_view(view, find_tagger(None)).describe(came_as_tokens=False) == parsed.view:
            return replace(signed, of=view)
    return signed


def _parse(
    wanted: object, *, trust: bool = True, function: Callable[..., Any] | None = None
) -> list[Request]:
    if isinstance(wanted, Metric):
        options = {**options_of(wanted), **({"of": wanted.of} if wanted.of else {})}
        return [Request(spec_of(wanted.metric_name(), options), wanted)]
    if isinstance(wanted, type) and issubclass(wanted, Metric):
        raise SpecError(f"Expected a metric such as {wanted.__name__}(…), got the class {wanted.__name__}.")
    if callable(wanted):
        of_callable = from_function(wanted)
        return [Request(of_callable.path, of_callable)]
    if not isinstance(wanted, str):
        raise SpecError(f"Expected a metric's spec such as 'distinct:n=2', or a function, got {wanted!r}.")
    # The name of a metric is never read as a module: in `distinct:n`, the value of n is missing.
    if not _names_a_metric(wanted.partition(":")[0].strip()) and is_function(wanted):
        if function is None and not trust:
            raise UntrustedError(
                f"The signature names the function '{function_named(wanted)}', which runs only if you trust "
                "its author: pass trust=True, or the function itself as `metrics`."
            )
        return [Request(wanted.strip(), find_function(wanted, function, all_names()))]
    if not trust:
        name, words = split_spec(wanted)
        if needed := find_metric(name).needs_trust(words):
            raise UntrustedError(f"The signature names {needed}: pass trust=True if you trust its author.")
    requests = _parse_spec(wanted)
    metric = requests[0].metric
    if any(getattr(metric, option) is not None for option in metric.files):
        requests = _parse_spec.__wrapped__(wanted)  # the file may have changed since the spec was parsed
    return list(requests)


_names_a_metric = lru_cache(maxsize=1024)(is_metric_name)


@lru_cache(maxsize=1024)
def _parse_spec(wanted: str) -> tuple[Request, ...]:
    """Return the requests of a spec; metrics are immutable, so each spec is parsed once."""
    written_name, words = split_spec(wanted)
    kind = find_metric(written_name)
    another = next((kind.elsewhere[key] for key in words if key in kind.elsewhere), None)
    if another is not None:
        kind = find_metric(another)
    name = kind.metric_name()
    options: dict[str, Any] = {}
    preset = words.pop("preset", None)
    of = words.pop("of", None)
    sampled = _number_of_texts(name, words.pop(SAMPLED, None))
    if preset is not None:
        if preset not in kind.presets:
            raise unknown("preset", preset, kind.presets, of=f"'{name}'")
        options.update(kind.presets[preset])
    options.update(read_options(kind, name, words))  # explicit options override the preset
    if of is not None:
        options["of"] = of
    names = option_names(kind)
    canonical = {names[key]: word for key, word in words.items()}
    needed = [f.name for f in option_fields(kind) if f.default is MISSING and f.name not in options]
    open_options = [key for key in needed if key in kind.expands]
    if missing := [key for key in needed if key not in kind.expands]:
        raise SpecError(f"Expected option '{missing[0]}' of '{name}', as in {name}:{missing[0]}=….")
    requests = []
    for values in itertools.product(*(kind.expands[key] for key in open_options)):
        chosen = dict(zip(open_options, values))
        shown = {key: written(value) for key, value in chosen.items()} | canonical
        shown |= {} if of is None else {"of": of}
        shown |= {} if sampled is None else {SAMPLED: str(sampled)}
        named = written_name == name or another is not None
        as_written = not chosen and named and canonical == words
        spec = wanted.strip() if as_written else spec_of(name, shown | ({"preset": preset} if preset else {}))
        every_option: dict[str, Any] = {**options, **chosen}
        requests.append(Request(spec, kind(**every_option), sampled))
    return tuple(requests)


def sampled_spec(spec: str, size: int) -> str:
    """Return the spec of a metric that is measured on random texts, from its spec without.

    Examples
    --------
    >>> sampled_spec("vendi", 5000), sampled_spec("vendi:q=2", 5000)
    ('vendi:sampled=5000', 'vendi:q=2,sampled=5000')
    """
    return f"{spec}{',' if ':' in spec else ':'}{SAMPLED}={size}"


def _number_of_texts(name: str, word: str | None) -> int | None:
    if word is None:
        return None
    if not word.isdecimal() or not int(word):
        raise SpecError(
            f"Expected `{SAMPLED}` of '{name}' to be a number of texts, as in {name}:{SAMPLED}=5000, got "
            f"'{word}'."
        )
    return int(word)
