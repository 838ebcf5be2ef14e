"""Import of user-defined functions by name: `module:function`, or `folder/file.py:function`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distinctly.errors import SpecError, reason, unknown

Function = Callable[..., Any]


def full_name(function: Function) -> str:
    """Return the name of a function with its module; that of its class for a callable object.

    Examples
    --------
    >>> full_name(len)
    'builtins.len'
    """
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return f"{module}.{name}"


def hash_of(function: Function) -> int:
    """Return the hash of a function; a callable object without a hash has that of its identity."""
    try:
        return hash(function)
    except TypeError:
        return id(function)


def load_function(path: str, what: str) -> Function:
    """Import a function, also from the working folder; errors name its purpose `what`."""
    place, _, name = path.rpartition(":")
    with _working_folder():
        try:
            if place.endswith(".py"):
                module = _from_file(Path(place).expanduser())
            else:
                module = importlib.import_module(place)
        except Exception as error:
            raise SpecError(
                f"Unknown {what} '{path}': no {what} '{place}', and the module cannot be imported "
                f"({type(error).__name__}: {reason(error)}). A function is given as module:function."
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
def _working_folder() -> Iterator[None]:
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path.pop(0)
