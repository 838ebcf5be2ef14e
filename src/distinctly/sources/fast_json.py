"""JSON lines parsed by Arrow, if they have nothing unusual.

Arrow is several times as fast as Python, and is used if both read the same. Otherwise the caller parses
the lines with Python, and gets the same texts, or the error and its line.
"""

from __future__ import annotations

import re
from io import BytesIO

import numpy as np

from distinctly.sources.arrow_columns import arrow_strings
from distinctly.sources.lines import CARRIAGE_RETURN, LINE_FEED
from distinctly.sources.paths import FieldPath
from distinctly.strings import Strings

# Inf is a number for Arrow, but not for Python.
_INFINITE = re.compile(rb"Inf(?=[\s,\]}])(?<=[:,\[\-\s]Inf)")
_LARGEST = 1 << 30


def texts_of(block: bytes, field: str) -> Strings | None:
    r"""Return the texts of whole lines, or None if Python has to parse them.

    Examples
    --------
    >>> texts_of(b'{"text": "a"}\n{"text": "b"}\n', "text").tolist()
    ['a', 'b']
    >>> texts_of(b'{"text": "a"}\n{"text": null}\n', "text") is None
    True
    """
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.json

    lines = _objects(block)
    steps = FieldPath.parse(field).steps
    names = [step for step in steps if isinstance(step, str)]
    if lines is None or len(block) > _LARGEST or _has_odd_number(block) or len(names) < len(steps):
        return None
    kind: pa.DataType = pa.large_string()
    for name in reversed(names[1:]):
        kind = pa.struct([(name, kind)])
    # A field whose name is the whole path is preferred.
    schema = pa.schema({names[0]: kind, field: pa.large_string()})
    try:
        table = pyarrow.json.read_json(
            BytesIO(block),
            pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
        texts = table.column(field).combine_chunks()
        if len(names) > 1 and texts.null_count == len(texts):
            texts = table.column(names[0]).combine_chunks()
            for _ in names[1:]:
                texts = pyarrow.compute.struct_field(texts, [0])
        texts.validate(full=True)
    except (pa.ArrowException, UnicodeError):
        return None
    if len(texts) != lines or texts.null_count:
        return None
    return arrow_strings(texts)


def _has_odd_number(block: bytes) -> bool:
    # A plain search is faster than the pattern, and usually enough.
    return b"-NaN" in block or (b"Inf" in block and _INFINITE.search(block) is not None)


def _objects(block: bytes) -> int | None:
    """Return the number of lines, or None unless each begins with { and ends with }.

    Within a value, no line that ends with } is followed by a line that begins with {. Lines thus end between
    objects, and if there are as many objects as lines, each line has one.
    """
    data = np.frombuffer(block if block.endswith(b"\n") else block + b"\n", np.uint8)
    feeds = np.flatnonzero(data == LINE_FEED)
    begins = np.append(0, feeds[:-1] + 1)
    lasts = feeds - 1 - (data[feeds - 1] == CARRIAGE_RETURN)
    if (data[begins] == ord("{")).all() and (data[lasts] == ord("}")).all():
        return len(feeds)
    return None
