"""The errors that distinctly raises.

::

    DistinctlyError
    ├── InputError            the data: a file, a row, a value that is not text   (also ValueError)
    │   ├── MissingFileError  a file that does not exist, or a pattern that matches none
    │   └── FieldError        a field that an option names, and that rows do not have
    ├── SpecError             the request: a metric, option, value or tokenizer   (also ValueError)
    │   └── UntrustedError    a signature or state that names code, or files elsewhere
    ├── ResourceError         the machine: no space to write to, no memory        (also OSError)
    └── MissingExtraError     an optional package is not installed                (also ImportError)

A message is one line that states what was expected, what was found, and what to do. The command prints it to
standard error and exits with status 2, or 3 for a `ResourceError`. Any other exception that escapes is a bug,
and also exits with status 3.
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable

# Characters of several emoji, and of words in Persian and in the languages of India.
_JOINERS = "\u200c\u200d"


class DistinctlyError(Exception):
    """Base class of all errors of distinctly."""


class InputError(DistinctlyError, ValueError):
    """The data cannot be read as texts.

    Parameters
    ----------
    problem
        What was expected, what was found, and what to do.
    source
        The file or other source of the texts.
    row
        The position in the source: ``line 17``, ``item 3``.
    """

    def __init__(self, problem: str, *, source: str = "", row: str = "") -> None:
        self.problem, self.source, self.row = problem, source, row
        where = ", ".join(part for part in (source, row) if part)
        super().__init__(f"{where}: {problem}" if where else problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_input_error, (type(self), self.problem, self.source, self.row))


def _rebuild_input_error(kind: type[InputError], problem: str, source: str, row: str) -> InputError:
    return kind(problem, source=source, row=row)


class MissingFileError(InputError):
    """A file does not exist, or no file matches a pattern."""


class FieldError(InputError):
    """Rows do not have a field that an option names.

    Parameters
    ----------
    template
        The problem, with ``{option}`` for the name of the option and ``{noun}`` for what the field holds.
    option
        The option, without hyphens.
    source, row
        As for `InputError`.

    Examples
    --------
    >>> error = FieldError("Unknown field 'x'. Choose one with --{option}.", "id", source="a.jsonl")
    >>> str(error.naming("by"))
    "a.jsonl: Unknown field 'x'. Choose one with --by."
    """

    def __init__(self, template: str, option: str, *, source: str = "", row: str = "") -> None:
        self.template, self.option = template, option
        noun = "field to split by" if option == "by" else option
        super().__init__(template.replace("{noun}", noun).replace("{option}", option), source=source, row=row)

    def naming(self, option: str) -> FieldError:
        """Return the same error about another option, which reads the same field."""
        return FieldError(self.template, option, source=self.source, row=self.row)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_field_error, (self.template, self.option, self.source, self.row))


def _rebuild_field_error(template: str, option: str, source: str, row: str) -> FieldError:
    return FieldError(template, option, source=source, row=row)


class SpecError(DistinctlyError, ValueError):
    """The request names something that does not exist, or a value that an option cannot take."""


class UntrustedError(SpecError):
    """A signature or a state, which may come from a stranger, names code to run or a file to open."""


class ResourceError(DistinctlyError, OSError):
    """The machine lacks a resource, usually disk space or memory."""


class MissingExtraError(DistinctlyError, ImportError):
    """An optional package is missing; the message contains the pip command."""


def missing_extra(needed_by: str, package: str, extra: str, then: str = "") -> MissingExtraError:
    """Return the error for a missing optional package; `then` installs what the extra cannot contain.

    Examples
    --------
    >>> print(missing_extra("The tokenizer 'jieba'", "jieba", "zh"))
    The tokenizer 'jieba' needs the package jieba, which cannot be imported: pip install "distinctly[zh]"
    """
    return MissingExtraError(
        f"{needed_by} needs the package {package}, which cannot be imported: {installation(extra, then)}"
    )


def installation(extra: str, then: str = "") -> str:
    """Return the command that installs an extra, followed by another one if there is one.

    Examples
    --------
    >>> print(installation("mine", "pip install --no-deps other"))
    pip install "distinctly[mine]" && pip install --no-deps other
    """
    return f'pip install "distinctly[{extra}]"' + (f" && {then}" if then else "")


def unknown(kind: str, name: str, known: Iterable[str], *, of: str = "") -> SpecError:
    """Return the error for an unknown name, with the closest known one.

    Examples
    --------
    >>> print(unknown("metric", "distnct", ["distinct", "ead"]))
    Unknown metric 'distnct'. Did you mean 'distinct'? Known: distinct, ead.
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    owner = f" of {of}" if of else ""
    listing = f" Known: {', '.join(names)}." if names else " It has none."
    return SpecError(f"Unknown {kind} '{name}'{owner}.{hint}{listing}")


def reason(error: BaseException) -> str:
    r"""Return the first line of the message of an error, or the name of its class.

    Examples
    --------
    >>> reason(ValueError("no such model\nTraceback …")), reason(TimeoutError())
    ('no such model', 'TimeoutError')
    """
    return str(error).strip().partition("\n")[0] or type(error).__name__


def is_full(error: OSError) -> bool:
    """Return whether an error means that there is no space left to write to."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def escaped(text: str) -> str:
    r"""Return text without characters that a terminal obeys or hides: each is shown as its escape sequence.

    These are control characters, line separators, spaces other than the usual one, marks that reverse the
    direction of writing, lone surrogates, and characters that Unicode does not define.

    Examples
    --------
    >>> print(escaped("\x1b[31mred\u202e"))
    \x1b[31mred\u202e
    """
    return "".join(
        character
        if character.isprintable() or character in _JOINERS
        else character.encode("unicode_escape").decode()
        for character in text
    )
