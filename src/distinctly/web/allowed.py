"""What a client may name: registered metrics, tokenizers without files, and the embedder that is included.

Specs of the command may import functions, open files and download models. A client of the server is a
stranger, so that none of these is possible here.
"""

from __future__ import annotations

import re

from distinctly.errors import SpecError, unknown
from distinctly.loading import is_function, names_function
from distinctly.options import split_spec
from distinctly.registry import find_metric, is_metric_name, metric_names
from distinctly.tokenizers import find_tokenizer

TOKENIZERS = ("words", "whitespace", "char", "lexicalrichness", "kyle", "13a", "intl", "zh")
EMBEDDER = "wordllama"
LONGEST_SPEC = 500
# A view, without percent-encoded characters, which could hide another option.
_VIEW = re.compile(r"(?P<name>[\w-]+)(?:\((?P<options>[\w=;.-]*)\))?")
_COMMAND = "The command can use it: distinctly measure --help"


def check_metric(spec: str) -> None:
    """Raise if a spec is not that of a registered metric, or names a view that reads files.

    Examples
    --------
    >>> check_metric("distinct:n=2,of=char")
    """
    _check_length(spec)
    if is_function(spec):
        raise SpecError(f"This server calls no functions, got the metric '{spec}'. {_COMMAND}.")
    name, words = split_spec(spec)
    if not is_metric_name(name):
        raise unknown("metric", name, metric_names())
    kind = find_metric(name)
    if any(names_function(words.get(option, "")) for option in kind.function_options):
        raise SpecError(f"This server calls no functions, got the metric '{spec}'. {_COMMAND}.")
    for option in kind.files:
        if option in words:
            raise _opens_no_files(option)
    view = words.get("of")
    if view is not None and view != "tags":
        _check_view(view)


def check_tokenizer(spec: str) -> None:
    """Raise if a tokenizer is unknown, or reads files or patterns.

    Examples
    --------
    >>> check_tokenizer("words:lc=yes")
    """
    _check_length(spec)
    name = spec.partition(":")[0].strip()
    _check_tokenizer_name(name)
    _, words = split_spec(spec)
    _check_options(list(words))
    find_tokenizer(spec, trust=False)


def check_embedder(spec: str) -> None:
    """Raise if an embedder is not the one that is included."""
    _check_length(spec)
    if spec.partition(":")[0].strip() != EMBEDDER:
        raise SpecError(f"This server uses the embedder {EMBEDDER} only, got '{spec}'. {_COMMAND}.")


def _check_view(view: str) -> None:
    form = _VIEW.fullmatch(view.strip())
    if form is None:
        raise SpecError(
            f"Expected `of` to be a tokenizer such as char or words(punct=no;lc=yes), got '{view}'."
        )
    _check_tokenizer_name(form["name"])
    _check_options([word.partition("=")[0] for word in (form["options"] or "").split(";")])


def _check_tokenizer_name(name: str) -> None:
    if name not in TOKENIZERS:
        raise SpecError(
            f"This server does not use the tokenizer '{name}'. Choose {', '.join(TOKENIZERS[:-1])} or "
            f"{TOKENIZERS[-1]}. {_COMMAND}."
        )


def _check_options(names: list[str]) -> None:
    for name in names:
        if name.strip() in ("stopwords", "hash"):
            raise _opens_no_files(name.strip())


def _opens_no_files(option: str) -> SpecError:
    return SpecError(f"This server opens no files, got the option '{option}'. {_COMMAND}.")


def _check_length(spec: str) -> None:
    if len(spec) > LONGEST_SPEC:
        raise SpecError(f"Expected a spec of at most {LONGEST_SPEC} characters, got {len(spec):,}.")
