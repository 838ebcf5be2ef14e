"""Whole jobs, as users run them: commands on the answers of eight systems to 805 prompts, and others.

A script of Python sets, per system and n = 1–4, runs beside some of them; it gives no intervals and no tests.
`python -m benchmarks.jobs script` is the script, `… vectors` compares two corpora of 50,000 vectors.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.counting import METRICS, SMALL
from benchmarks.small import script
from benchmarks.text import DATA, SOURCES, SYSTEMS, big_text, folder, texts_of
from benchmarks.turns import SMALLER, Command, Row, distinctly, in_turns, python, sized

BY_SYSTEM = ("--by", "label", "--group", "prompt_id")
TWO = ("gpt4", "claude-2")
SCRIPT = "script of Python sets"
# Of the trial of distances: the number of repetitions, and for `--small` few sizes.
REPETITIONS = "5" if SMALLER == 1 else "1"
SIZES = (
    () if SMALLER == 1 else ("--k", "5", "--sizes", "50,250", "--largest", "500", "--size-repetitions", "2")
)


def records() -> Iterator[dict[str, str]]:
    """Yield the answers of all systems."""
    with gzip.open(SYSTEMS, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sets_per_system() -> None:
    """Count distinct n-grams per system."""
    systems: dict[str, list[str]] = {}
    for record in records():
        systems.setdefault(record["label"], []).append(record["text"])
    for texts in systems.values():
        print(*(script(texts, n) for n in (1, 2, 3, 4)))


def two_systems() -> Path:
    """Return a file of the answers of two systems."""
    path = folder() / "two.jsonl"
    lines = [json.dumps(record) + "\n" for record in records() if record["label"] in TWO]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def compare_vectors() -> None:
    """Compare 50,000 with 50,000 vectors of 384 dimensions."""
    import numpy as np

    import distinctly as dy

    draw = np.random.default_rng(0)
    corpora = (draw.standard_normal((sized(50_000), 384), dtype=np.float32) for _ in range(2))
    dy.compare(*corpora, ["pr", "dc"])


def sentences() -> list[Path]:
    """Return two files of different sentences."""
    texts = [text for name in (*SOURCES, "clinc150.jsonl.gz") for text in texts_of(name)]
    different, number = list(dict.fromkeys(texts)), sized(20_000)
    paths = [folder() / f"sentences-{place}.txt" for place in range(2)]
    for place, path in enumerate(paths):
        path.write_text("\n".join(islice(different, place, 2 * number, 2)), encoding="utf-8")
    return paths


def first_lines(number: int) -> Path:
    """Return a file of the first lines of a text."""
    path = folder() / "first.txt"
    with big_text(sized(SMALL)).open(encoding="utf-8") as lines:
        path.write_text("".join(islice(lines, number)), encoding="utf-8")
    return path


def with_intervals() -> Row | str:
    """Time intervals and comparisons of eight systems beside the script."""
    command = distinctly("measure", SYSTEMS, *BY_SYSTEM, *METRICS, "--interval")
    theirs = python("-m", "benchmarks.jobs", "script")
    return in_turns(
        "8 systems, `distinct`, `ead`, `entropy`, `--interval`", command, SCRIPT, theirs, peer=False
    )


def beside_counts() -> Iterator[Row | str]:
    """Yield the default table beside `distinct`, `ead` and `entropy` alone."""
    for title, words in (
        (f"{sized(10_000):,} short texts", [first_lines(sized(10_000))]),
        (f"{sized(SMALL)} MB of text", [big_text(sized(SMALL))]),
        ("8 systems, with tests", [SYSTEMS, *BY_SYSTEM]),
    ):
        counts, table = (distinctly("measure", *words, *metrics) for metrics in (METRICS, ()))
        what = "`distinct`, `ead`, `entropy` alone"
        yield in_turns(f"default table, {title}", table, what, counts, peer=False)


def commands() -> Iterator[tuple[str, Command]]:
    """Yield names and commands of jobs that have no peer."""
    exchanges = ("--permutations", str(sized(10_000, 999)))
    yield (
        f"2 systems, `--paired`, {int(exchanges[1]):,} exchanges",
        distinctly("measure", two_systems(), *BY_SYSTEM, *METRICS, "--interval", "--paired", *exchanges),
    )
    mauve = ("--by", "label", "-m", "mauve", "--permutations", "199")
    yield "`compare`, 8 systems, `mauve`, 199 permutations", distinctly("compare", SYSTEMS, *mauve)
    corpora = [next(DATA.glob(f"{name}.jsonl*")) for name in ("clinc150", "banking77")]
    vectors = [DATA / "embeddings" / f"{name}-minilm.npz" for name in ("clinc150", "banking77")]
    given = [word for file in vectors for word in ("--vectors", file)]
    paper = distinctly(
        "judge", "similarity", *corpora, *given, "--preset", "paper", "--repetitions", REPETITIONS, *SIZES
    )
    yield f"`judge similarity --preset paper`, MiniLM vectors, {REPETITIONS} repetitions", paper
    texts, cache = sentences(), folder() / "cache"
    filled = {"DISTINCTLY_CACHE": str(cache)}
    named = f"`compare`, 2 × {sized(20_000):,} sentences, default metrics"
    empty = partial(shutil.rmtree, cache, ignore_errors=True)
    yield f"{named}, no vector in the cache", distinctly("compare", *texts, environment=filled, prepare=empty)
    yield f"{named}, vectors from the cache", distinctly("compare", *texts, environment=filled)
    page = ("-o", folder() / "report.html")
    yield "`report`, 8 systems by prompt, all pairs", distinctly("report", SYSTEMS, *BY_SYSTEM, *page)
    yield (
        f"`pr` + `dc`, 2 × {sized(50_000):,} vectors of 384 dimensions (prdc: three tables of 20 GB)",
        python("-m", "benchmarks.jobs", "vectors"),
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    yield with_intervals()
    yield from beside_counts()
    for what, command in commands():
        yield in_turns(what, command)


if __name__ == "__main__":
    {"script": sets_per_system, "vectors": compare_vectors}[sys.argv[1]]()
