"""Import of user-defined functions by name: `module:function`, or `folder/file.py:function`.

A module is one that is installed or, if none has its name, one in the working folder; so a file there never
stands in for an installed package.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from distinctly.errors import SpecError, UntrustedError, reason, unknown

Function = Callable[..., Any]

# Names with a larger share of common letters are taken for one name, misspelled.
_ALIKE = 0.8


def full_name(function: Function) -> str:
    """Return the name of a function with its module; that of its class for a callable object.

    The name of a function that was loaded from a file is ``file.py:function``. The path of the file is that
    in the working folder; elsewhere, it is the name of the file alone.

    Examples
    --------
    >>> full_name(len)
    'builtins.len'
    """
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return f"{_without_folder(module)}:{name}" if _is_file(module) else f"{module}.{name}"


def _is_file(module: str) -> bool:
    """Return whether the name of a module is the path of its file, as `load_function` names it."""
    return module.endswith(".py") and Path(module).is_absolute()


def _without_folder(path: str) -> str:
    """Return the path of a file in the working folder; of a file elsewhere, its name."""
    with suppress(ValueError, OSError):  # the working folder may have been removed
        return Path(path).relative_to(Path.cwd().resolve()).as_posix()
    return Path(path).name


def path_of(function: Function) -> str:
    """Return the location of a callable, as `module:name`.

    Examples
    --------
    >>> import statistics
    >>> path_of(statistics.mean)
    'statistics:mean'
    """
    return f"{function.__module__}:{getattr(function, '__qualname__', type(function).__name__)}"


def hash_of(function: Function) -> int:
    """Return the hash of a function; a callable object without a hash has that of its identity."""
    try:
        return hash(function)
    except TypeError:
        return id(function)


def load_function(path: str, what: str, known: Iterable[str] = ()) -> Function:
    """Import a function; errors name its purpose `what`.

    Parameters
    ----------
    path
        The location: ``module:function``, or ``folder/file.py:function``.
    what
        The purpose: ``metric``, ``tagger``, ``tokenizer``.
    known
        Names that a module in the working folder is not imported for if its name is one of them, misspelled:
        ``distnct:n`` is a mistake, even beside a file ``distnct.py``.
    """
    place, _, name = path.rpartition(":")
    names = list(known)
    if not all(part.isidentifier() for part in name.split(".")):
        raise SpecError(
            f"Unknown function '{name}' of '{place}': expected a name of Python, as in module:function."
        )
    try:
        if place.endswith(".py"):
            with _search_path(working_folder=True):
                module = _from_file(Path(place).expanduser())
        else:
            meant = _meant(place.partition(".")[0], names)
            if meant and not _is_installed(place):
                raise SpecError(
                    f"Unknown {what} '{place}'. Did you mean '{meant}'? Write a function of a file as "
                    f"file.py:function, as in ./{place}.py:{name}."
                )
            with _search_path(working_folder=True):
                module = importlib.import_module(place)
    except SpecError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"Unknown {what} '{path}': no {what} '{place}', and the module cannot be imported "
            f"({type(error).__name__}: {reason(error)}). A function is given as module:function or "
            "file.py:function."
        ) from error
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            functions = [key for key, item in vars(module).items() if callable(item) and key[0] != "_"]
            raise unknown("function", name, functions, of=f"'{place}'")
        value = getattr(value, part)
    if not callable(value):
        raise SpecError(f"Expected '{path}' to be a function, got {value!r}.")
    function: Function = value
    return function


def is_function(spec: str) -> bool:
    """Return whether a spec names a function: `module:function`, optionally with options after a comma.

    Examples
    --------
    >>> is_function("mymodule:score,gets=tokens"), is_function("distinct:n=2"), is_function("ead")
    (True, False, False)
    """
    _, colon, name = spec.partition(",")[0].rpartition(":")
    return bool(colon) and bool(name.strip()) and "=" not in name


def load_named(spec: str, what: str, known: Iterable[str], *, trust: bool) -> tuple[Function, str]:
    """Return the function of a spec, `module:function,option=value`, and the text of its options.

    Raise if the spec is neither that nor one of the `known` names, or if it is a stranger's.
    """
    if not is_function(spec):
        raise unknown(what, spec.partition(":")[0], [*known, "module:function"])
    if not trust:
        raise UntrustedError(
            f"The signature names the {what} '{spec}', which runs only if you trust its author: pass the "
            f"{what} yourself as `{what}`."
        )
    path, _, options = spec.partition(",")
    return load_function(path, what, known), options


def names_function(path: str) -> bool:
    """Return whether a path is that of a function, ``module:function``, and not that of a file.

    Examples
    --------
    >>> names_function("mymodule:same"), names_function("models/same.onnx"), names_function("C:/same.onnx")
    (True, False, False)
    """
    return ":" in re.sub(r"^([A-Za-z]:(?=[\\/])|[A-Za-z][A-Za-z0-9+.-]+://)", "", path)


def is_elsewhere(path: str) -> bool:
    """Return whether a path may lead out of the working folder; the URI of a remote file does.

    Examples
    --------
    >>> is_elsewhere("models/mine.onnx"), is_elsewhere("../mine.onnx"), is_elsewhere("//host/mine.onnx")
    (False, True, True)
    >>> is_elsewhere("s3://bucket/mine.onnx")
    True
    """
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path):
        return True
    parts = {*PurePath(path).parts, *PureWindowsPath(path).parts}
    return path.startswith(("~", "/", "\\")) or ".." in parts or bool(PureWindowsPath(path).anchor)


def _meant(name: str, known: Iterable[str]) -> str:
    """Return the known name that a name is a misspelling of; empty if there is none.

    Examples
    --------
    >>> _meant("distnct", ["distinct"]), _meant("eda", ["ead"]), _meant("distance", ["distinct"])
    ('distinct', 'ead', '')
    """
    ratio, closest = max(
        ((difflib.SequenceMatcher(None, name, other).ratio(), other) for other in known), default=(0.0, "")
    )
    if ratio > _ALIKE:
        return closest
    return next((other for other in known if len(other) > 2 and _one_letter_apart(name, other)), "")


def _one_letter_apart(name: str, other: str) -> bool:
    """Return whether one letter is missing, added or wrong, or two neighbours are exchanged."""
    shorter, longer = sorted((name, other), key=len)
    if len(longer) - len(shorter) == 1:
        return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
    if len(longer) != len(shorter):
        return False
    wrong = [place for place, (first, second) in enumerate(zip(shorter, longer)) if first != second]
    if len(wrong) != 2:
        return len(wrong) == 1
    first, second = wrong
    return second == first + 1 and shorter[first] == longer[second] and shorter[second] == longer[first]


def _is_installed(module: str) -> bool:
    """Return whether a module, or the package that it is in, is found without the working folder."""
    with _search_path(working_folder=False):
        try:
            return importlib.util.find_spec(module.partition(".")[0]) is not None
        except ValueError:  # imported, without a record of where it came from
            return True


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(f"no file '{path}'")
    # A unique name in `sys.modules`, since dataclasses look up the module that defines them.
    name = str(path.resolve())
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"'{path}' is not a module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def _search_path(*, working_folder: bool) -> Iterator[None]:
    """Search modules everywhere but in the working folder or, if it is included, there last."""
    before = sys.path
    try:
        here = Path.cwd().resolve()
    except OSError:  # it has been removed
        here = None
    elsewhere = [entry for entry in before if entry and Path(entry).resolve() != here]
    sys.path = [*elsewhere, str(here)] if working_folder and here is not None else elsewhere
    try:
        yield
    finally:
        added = [entry for entry in sys.path if entry not in (*elsewhere, str(here))]
        sys.path = before
        before.extend(entry for entry in added if entry not in before)
