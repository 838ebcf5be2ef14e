"""Run all benchmarks and write RESULTS.md: `python -m benchmarks` (an hour), `--small` (a few minutes).

Every line is one process: wall time includes start-up and reading, memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
METRICS = ["-m", "distinct", "-m", "ead", "-m", "entropy"]
OURS = [sys.executable, "-m", "distinctly", "measure", "--tokenizer", "whitespace", "--format", "json"]
# Sections on texts of several sizes, and sections that are separate modules.
SIZED = ("counting", "formats", "pools", "bounded", "large", "defaults")
MODULES = {
    "small": "Small inputs in a living process",
    "richness": "Lexical richness of a million tokens",
    "per_text": "One row per text",
    "sketches": "Approximate counts",
    "repetition": "Repetition between texts",
    "vectors": "In embedding space",
    "encoders": "Sentence encoders on short texts",
    "parity": "The same numbers as the peers",
    "people": "Agreement with people: Spearman with human diversity scores",
    "uncertainty": "How good are the intervals",
    "distances": "Distances between corpora",
    "distance_parity": "The same distances as the peers",
    "trials": "Metrics on trial: known-similarity corpora",
    "keyness": "Keyness: words and phrases of two texts",
    "novelty": "Novelty: what a reference does not have",
    "keyness_null": "Keyness of two halves of one corpus: false claims",
    "null": "Permutation p-values where there is no difference, and where there is one",
    "vector_store": "Vectors on disk: the store beside others",
    "web": "The server: large requests, and many clients",
    "scale": "Large corpora: engines, nodes, memory and the growth of tables",
}
VERSIONS = ("distinctly", "numpy", "scipy", "numba", "pyarrow", "polars", "duckdb")
OTHER_VERSIONS = dict.fromkeys(
    ("distances", "distance_parity", "null", "trials"), ("prdc", "mauve-text", "scikit-learn")
) | {
    "vector_store": ("lmdb",),
    "sketches": ("datasketches",),
    "scale": ("ray",),
    "encoders": ("onnxruntime", "tokenizers"),
}
# Data that are not part of the repository.
SYSTEMS = Path(__file__).parents[2] / "shared" / "data" / "alpacaeval-8-systems.jsonl.gz"
BY_SYSTEM = ("--by", "label", "--group", "prompt_id")
PEERS = {"Python sets": "sets", "polars": "polars", "DuckDB": "duckdb"}


@dataclass(frozen=True)
class Timed:
    """The wall seconds, peak memory in GB, output and processor seconds of a command."""

    seconds: float
    peak: float
    output: str
    processor: float


def timed(command: list[str]) -> Timed:
    """Run a command and measure its wall time and peak memory in GB."""
    with tempfile.TemporaryFile("w+") as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        if status:
            raise RuntimeError(f"{command} ended with status {status}")
        out.seek(0)
        peak = usage.ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
        return Timed(seconds, peak, out.read(), usage.ru_utime + usage.ru_stime)


def ours(*options: str) -> Timed:
    return timed([*OURS, *METRICS, *options])


def distinct(printed: str) -> list[int]:
    """Return N for n = 1 to 4 from our JSON."""
    scores = json.loads(printed)["scores"]
    return [score["parts"]["N"] for score in scores if score["metric"] == "distinct"]


def counting(text: Path, megabytes: int) -> list[str]:
    """Compare with the peers on one file."""
    own = ours(str(text))
    lines = [
        f"| | seconds | MB/s | peak GB | ours is faster by |\n|---|---:|---:|---:|---:|\n"
        f"| distinctly: distinct, ead, entropy | {own.seconds:.1f} | {megabytes / own.seconds:.0f} "
        f"| {own.peak:.2f} | |"
    ]
    expected = distinct(own.output)
    for name, peer in PEERS.items():
        theirs = timed([sys.executable, "-m", "benchmarks.peers", peer, str(text)])
        if [int(word) for word in theirs.output.split()] != expected:
            raise RuntimeError(f"{name} counts {theirs.output}: expected {expected}")
        # `peers.sets` counts hashes of large files.
        what = f"{name} (of hashes: tuples do not fit)" if peer == "sets" and megabytes > 500 else name
        lines.append(
            f"| {what}: distinct alone | {theirs.seconds:.1f} | {megabytes / theirs.seconds:.1f} "
            f"| {theirs.peak:.2f} | {theirs.seconds / own.seconds:.1f}× |"
        )
        print(lines[-1], flush=True)
    return lines


def formats(text: Path, megabytes: int) -> list[str]:
    """Measure the same texts from other formats."""
    timed([sys.executable, "-m", "benchmarks.text", str(text)])
    lines = [
        "| from | seconds (median of 5, in turns) | MB of text per second | relative to txt |\n"
        "|---|---:|---:|---:|"
    ]
    paths = [text, text.with_suffix(".jsonl"), text.with_suffix(".parquet")]
    turns = [[ours(str(path)).seconds for path in paths] for _ in range(5)]
    medians = [statistics.median(times) for times in zip(*turns)]
    for path, seconds in zip(paths, medians):
        share = f"{medians[0] / seconds:.2f}×" if path != text else ""
        lines.append(f"| {path.suffix} | {seconds:.1f} | {megabytes / seconds:.0f} | {share} |")
    return lines


def pools(text: Path) -> list[str]:
    """Compare the time of a mean over texts with that of one value of the corpus."""
    seconds = {
        pool: timed([*OURS, "-m", f"distinct:pool={pool}", str(text)]).seconds for pool in ("corpus", "text")
    }
    return [
        "| | seconds | |\n|---|---:|---:|",
        f"| `pool=corpus` | {seconds['corpus']:.1f} | |",
        f"| `pool=text` | {seconds['text']:.1f} | {seconds['text'] / seconds['corpus']:.2f}× |",
    ]


def bounded(texts: dict[int, Path]) -> list[str]:
    """Measure peak memory and time under --memory 0.5GB, and time without it, by size."""
    lines = ["| text | seconds | seconds with `--memory 0.5GB` | peak GB with it |\n|---|---:|---:|---:|"]
    for megabytes, text in texts.items():
        free, tight = ours(str(text)), ours(str(text), "--memory", "0.5GB")
        if distinct(free.output) != distinct(tight.output):
            raise RuntimeError("`memory` changed a number")
        lines.append(f"| {megabytes:,} MB | {free.seconds:.1f} | {tight.seconds:.1f} | {tight.peak:.2f} |")
        print(lines[-1], flush=True)
    return lines


def defaults(texts: dict[str, Path]) -> list[str]:
    """Compare the default table with counts alone, each in new processes, in turns."""
    plain = [sys.executable, "-m", "distinctly", "measure", "--format", "json"]
    lines = [
        "| | `distinct`, `ead`, `entropy`: wall s | processor s | default table: wall s | processor s "
        "| difference, wall s | ratio of wall | of processor |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    ]
    commands = {title: [*plain, str(path)] for title, path in texts.items()}
    if SYSTEMS.exists():
        commands["8 systems, 805 texts each, with tests"] = [*plain, str(SYSTEMS), *BY_SYSTEM]
    for title, command in commands.items():
        turns = [(timed([*command, *METRICS]), timed(command)) for _ in range(5)]
        counts, table = zip(*turns)
        wall = [statistics.median(each.seconds for each in side) for side in (counts, table)]
        processor = [statistics.median(each.processor for each in side) for side in (counts, table)]
        lines.append(
            f"| {title} | {wall[0]:.2f} | {processor[0]:.2f} | {wall[1]:.2f} | {processor[1]:.2f} "
            f"| {wall[1] - wall[0]:+.2f} | {wall[1] / wall[0]:.2f}× | {processor[1] / processor[0]:.2f}× |"
        )
        print(lines[-1], flush=True)
    return lines


def module(name: str) -> list[str]:
    """Run a benchmark that is a separate module, and return the lines that it prints."""
    return timed([sys.executable, "-m", f"benchmarks.{name}"]).output.rstrip().splitlines()


def version(package: str) -> str:
    """Return the version of a package; a section need not use all of them."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def machine(packages: tuple[str, ...]) -> str:
    """Return a description of the machine and of the versions of packages."""
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.machine(),
    )
    return (
        f"{len(os.sched_getaffinity(0))} cores ({model}), {memory:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}; {versions}. {time.strftime('%Y-%m-%d')}."
    )


def main() -> None:
    """Run the requested sections and write them to RESULTS.md; the others remain."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("sections", nargs="*", help=f"{', '.join((*SIZED, *MODULES))}  [default: all]")
    parser.add_argument(
        "--small", action="store_true", help="use a fiftieth of the size, and only print the results"
    )
    arguments = parser.parse_args()
    tiny, small, large, largest = (size // (50 if arguments.small else 1) for size in (100, 200, 1000, 4000))
    with tempfile.TemporaryDirectory() as name:

        def text(size: int) -> Path:
            path = Path(name) / f"{size}.txt"
            if not path.exists():
                timed([sys.executable, "-m", "benchmarks.text", str(path), str(size)])
            return path

        def first_lines(path: Path) -> Path:
            short = path.with_name("first.txt")
            with path.open(encoding="utf-8") as lines:
                short.write_text("".join(islice(lines, 10_000)), encoding="utf-8")
            return short

        sections: dict[str, tuple[str, Callable[[], list[str]]]] = {
            "counting": (
                f"Distinct n-grams, n = 1–4, {small} MB of text",
                lambda: counting(text(small), small),
            ),
            "formats": (f"Other formats, {small} MB of text", lambda: formats(text(small), small)),
            "pools": ("A mean over texts", lambda: pools(text(small))),
            "bounded": (
                "By size, and in bounded memory",
                lambda: bounded({size: text(size) for size in (tiny, large, largest)}),
            ),
            "large": (
                f"Distinct n-grams, n = 1–4, {large:,} MB of text",
                lambda: counting(text(large), large),
            ),
            "defaults": (
                "The default table",
                lambda: defaults(
                    {"10,000 short texts": first_lines(text(small)), f"{small} MB of text": text(small)}
                ),
            ),
            **{name: (title, partial(module, name)) for name, title in MODULES.items()},
        }
        wanted = arguments.sections or list(sections)
        if not set(wanted).isdisjoint(SIZED):
            ours(str(text(small)))  # the first run compiles for all others
        for key in wanted:
            title, run = sections[key]
            command = f"python -m benchmarks {key}" + arguments.small * " --small"
            lines = [
                f"## {title}",
                "",
                *run(),
                "",
                f"`{command}`, {machine(VERSIONS + OTHER_VERSIONS.get(key, ()))}",
                "",
            ]
            print("\n".join(lines), flush=True)
            if not arguments.small:
                record(title, lines)


def record(title: str, lines: list[str]) -> None:
    """Replace the section of RESULTS.md that has this title, or append it."""
    head, *sections = (
        RESULTS.read_text(encoding="utf-8").split("\n## ") if RESULTS.exists() else ["# Benchmarks\n"]
    )
    by_title = {section.partition("\n")[0]: section for section in sections}
    by_title[title] = "\n".join(lines).removeprefix("## ")
    RESULTS.write_text("\n## ".join([head, *by_title.values()]), encoding="utf-8")


if __name__ == "__main__":
    main()
