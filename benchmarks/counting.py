"""Distinct n-grams of large files, n = 1 to 4: beside other tools, from other formats, in bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.text import big_text, converted
from benchmarks.turns import Command, Row, distinctly, in_turns, python, sized

METRICS = ("-m", "distinct", "-m", "ead", "-m", "entropy")
OPTIONS = ("--tokenizer", "whitespace", "--format", "json")
PEERS = {"Python sets": "sets", "polars": "polars", "DuckDB": "duckdb"}
SMALL, LARGE = 200, 1000
# Reading, tokenizing, and the lengths and hashes of the texts: the least that a run needs.
SCAN = """
import sys
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.local import summarize
from distinctly.run.plan import description
from distinctly.tokenizers import find_tokenizer
from distinctly.views.tokens import TokenView
view = TokenView(find_tokenizer("whitespace"))
summarize(Corpus.wrap(sys.argv[1]), description(view, approximate=True), RunConfig())
"""


def ours(path: Path, *options: str) -> Command:
    """Return our command that counts."""
    return distinctly("measure", path, *OPTIONS, *METRICS, *options)


def distinct(printed: str) -> list[int]:
    """Return the number of distinct n-grams for n = 1 to 4 from our JSON."""
    scores = json.loads(printed)["scores"]
    return [score["parts"]["N"] for score in scores if score["metric"] == "distinct"]


def row(megabytes: int, tool: str) -> Row | str:
    """Time our command beside another tool on one file."""
    path, module = big_text(megabytes), PEERS[tool]
    # `peers.sets` counts hashes of large files.
    hashes = " of hashes, since tuples do not fit" if module == "sets" and path.stat().st_size > 5e8 else ""
    return in_turns(
        f"`distinct`, `ead`, `entropy`, {megabytes:,} MB",
        ours(path),
        f"{tool}{hashes}, `distinct` alone",
        python("-m", "benchmarks.peers", module, path),
        needs="" if module == "sets" else module,
        same=lambda a, b: distinct(a) == [int(word) for word in b.split()],
    )


def counting() -> Iterator[Row | str]:
    """Yield the rows of 200 MB."""
    return (row(sized(SMALL), tool) for tool in PEERS)


def large() -> Iterator[Row | str]:
    """Yield the rows of 1 GB."""
    return (row(sized(LARGE), tool) for tool in PEERS)


def formats() -> Iterator[Row | str]:
    """Yield other formats beside .txt, and a mean over texts beside one value of the corpus."""
    path = big_text(sized(SMALL))
    for file in converted(path):
        yield in_turns(
            f"{file.suffix}, {sized(SMALL)} MB of text",
            ours(file),
            ".txt",
            ours(path),
            peer=False,
            same=lambda a, b: distinct(a) == distinct(b),
        )
    pools = [
        distinctly("measure", path, *OPTIONS, "-m", f"distinct:pool={pool}") for pool in ("text", "corpus")
    ]
    yield in_turns("`distinct:pool=text`", pools[0], "`pool=corpus`", pools[1], peer=False)


def memory() -> Iterator[Row | str]:
    """Yield runs in 0.5 GB beside runs without a limit."""
    for megabytes in (sized(SMALL), sized(LARGE)):
        path = big_text(megabytes)
        yield in_turns(
            f"`--memory 0.5GB`, {megabytes:,} MB",
            ours(path, "--memory", "0.5GB"),
            "no limit",
            ours(path),
            peer=False,
            same=lambda a, b: distinct(a) == distinct(b),
        )


def approximate() -> Iterator[Row | str]:
    """Yield approximate counts beside exact ones, and the least that both need."""
    path = big_text(sized(SMALL))
    for most in (3, 4):
        specs = [word for n in range(1, most + 1) for word in ("-m", f"distinct:n={n}")]
        exact = distinctly("measure", path, *OPTIONS, *specs)
        command = distinctly("measure", path, *OPTIONS, *specs, "--approximate")
        yield in_turns(f"`--approximate`, n = 1–{most}", command, "exact counts", exact, peer=False)
    yield in_turns("reading and tokenizing alone", python("-c", SCAN, path))
