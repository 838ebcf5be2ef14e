"""Measure, and write the results beside this file.

`python -m benchmarks [SECTION…]`             speed and memory beside peers: RESULTS.md, an hour for all
`python -m benchmarks --quick [--save]`       some ratios, compared with quick.csv, or saved: three minutes
`python -m benchmarks --validity [SECTION…]`  what is no speed: VALIDITY.md, hours for all

Each section runs in a process of its own, with the package of this checkout. A run of all sections rewrites
RESULTS.md, except for the sections that are only measured by name.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks import quick
from benchmarks.text import FOLDER
from benchmarks.turns import SINGLE, TURNS, Row, Used, processor_seconds, table, two_settings

ROOT = Path(__file__).parents[1]
VERSIONS = ("distinctly", "numpy", "scipy", "numba", "pyarrow")
SMALLER = "50"
RESULTS_HEAD = f"""# Benchmarks: speed and memory

Made by `python -m benchmarks`. Both sides of a row run in turns (ours, theirs, ours …), {TURNS} turns
unless the row says otherwise. Seconds are medians. A ratio is theirs divided by ours, the median of the
ratios per turn (lowest to highest): above 1, ours is faster. Compare processor seconds, since other programs
may run on the machine. What is no speed, such as agreement with peers, is in [VALIDITY.md](VALIDITY.md).
"""
VALIDITY_HEAD = """# Benchmarks: are the numbers right?

Made by `python -m benchmarks --validity`, section by section: agreement with peers and with people, coverage
of intervals, false claims, errors of approximations. Speed is in [RESULTS.md](RESULTS.md).
"""


@dataclass(frozen=True)
class Section:
    """A table of RESULTS.md.

    Attributes
    ----------
    title
        Its heading.
    rows
        The module and the function that yield its rows.
    packages
        Peers, whose versions are stated.
    threads
        The threads of libraries within a process: "all"; "one"; or "both", which measures processor seconds
        with one thread, and wall seconds with all.
    by_name
        Whether the section is measured only if it is named, since it takes long or much disk.
    """

    title: str
    rows: str
    packages: tuple[str, ...] = ()
    threads: str = "all"
    by_name: bool = False


COUNTERS = ("polars", "duckdb")
DISTANCES = ("prdc", "mauve-text", "scikit-learn")
SPEED = {
    "startup": Section("Start-up", "startup:rows"),
    "small": Section("Small inputs in a living process", "small:rows"),
    "counting": Section("Distinct n-grams, n = 1–4, 200 MB of text", "counting:counting", COUNTERS),
    "large": Section("Distinct n-grams, n = 1–4, 1,000 MB of text", "counting:large", COUNTERS),
    "memory": Section("In bounded memory", "counting:memory"),
    "formats": Section("Other formats, and a mean over texts", "counting:formats"),
    "approximate": Section("Approximate counts", "counting:approximate"),
    "richness": Section("Lexical richness of a million tokens", "richness:rows", ("lexicalrichness",)),
    "per_text": Section("One row per text", "per_text:rows", ("lexicalrichness",)),
    "repetition": Section("Repetition between texts", "repetition:rows", ("nltk", "rouge-score")),
    "self_bleu": Section("Self-BLEU by the number of texts", "repetition:by_size"),
    "vectors": Section("In embedding space", "vectors:rows", ("vendi-score", "wordllama"), "both"),
    "encoders": Section("Sentence encoders", "encoders:rows", ("onnxruntime", "tokenizers"), "both"),
    "distances": Section("Distances between corpora", "distances:rows", DISTANCES, "both"),
    "trials": Section("Known-similarity trials", "trials:rows", DISTANCES, "one"),
    "keyness": Section("Keyness: words and phrases of two texts", "keyness:rows"),
    "novelty": Section("Novelty: what a reference does not have", "novelty:rows"),
    "jobs": Section("Whole jobs", "jobs:rows"),
    "server": Section(
        "The server: large requests, and many clients", "server:rows", ("starlette", "uvicorn")
    ),
    "scale": Section("Large corpora: engines, nodes and memory", "scale:rows", ("ray",), by_name=True),
    "vector_store": Section("Vectors on disk", "vector_store:rows", ("lmdb",), by_name=True),
}
# Sections that stay when all others are rewritten; the last is that of `python -m benchmarks.gpu`.
KEPT = [*(section.title for section in SPEED.values() if section.by_name), "Distances on a GPU"]
THE_RUN = "The run"
# Modules that print their section, and its titles.
VALIDITY = {
    "benchmarks.parity": "The same numbers as the peers",
    "benchmarks.distance_parity": "The same distances as the peers",
    "benchmarks.people": "Agreement with people: Spearman with human diversity scores",
    "benchmarks.uncertainty": "How good are the intervals",
    "benchmarks.null": "Permutation p-values where there is no difference, and where there is one",
    "benchmarks.keyness_null": "Keyness of two halves of one corpus: false claims",
    "benchmarks.sketches": "Errors of approximate counts",
    "benchmarks.growth": "Growth of tables with the size of a corpus",
    "benchmarks.reproduction": "Scores from their signatures",
    "scripts.simulate_scale": "Large corpora: formulas and measurements",
    "scripts.mutate": "Changes of the code that the tests notice",
}


def commit_of_checkout() -> str:
    """Return the commit of this checkout, and whether its code has been changed since."""
    git = ["git", "-C", str(ROOT)]
    texts = [
        subprocess.run([*git, *words], capture_output=True, text=True, check=True).stdout.strip()
        for words in (("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--", "*.py"))
    ]
    return texts[0] + " with uncommitted changes" * bool(texts[1])


@dataclass(frozen=True)
class Run:
    """The state of the code and of the machine when a run begins."""

    commit: str = field(default_factory=commit_of_checkout)
    load: float = field(default_factory=lambda: os.getloadavg()[0])
    processor: float = field(default_factory=processor_seconds)

    def footer(self, command: str, packages: Sequence[str] = ()) -> str:
        """Return a line on the machine, the versions, the code and the run, which ends now."""
        versions = ", ".join(f"{name} {version(name)}" for name in (*VERSIONS, *packages))
        used, load = processor_seconds() - self.processor, os.getloadavg()[0]
        code = (
            self.commit
            if self.commit == commit_of_checkout()
            else f"{self.commit}, which changed during the run"
        )
        return (
            f"`{command}`, {machine()}; {versions}. {time.strftime('%Y-%m-%d')}, commit {code}. Load average "
            f"{self.load:.1f} at the start, {load:.1f} at the end; {used:,.0f} s of processor time."
        )


def version(package: str) -> str:
    """Return the version of a package; a section need not use all of them."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def machine() -> str:
    """Return a description of the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = (line.partition(":")[2].strip() for line in lines if "model name" in line)
    return (
        f"{len(os.sched_getaffinity(0))} cores ({next(models, platform.machine())}), {memory:.0f} GiB, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def measured(rows: str, **environment: str) -> list[Row | str]:
    """Return the rows of a function of a module, in a process of its own; what failed is a line."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", suffix=".jsonl") as file:
        command = [sys.executable, "-m", "benchmarks", "--rows", rows, file.name]
        status = subprocess.run(
            command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=False
        ).returncode
        yielded = [row_of(json.loads(line)) for line in file]
    return yielded if status == 0 else [*yielded, f"**Not complete**: `{rows}` ended with status {status}."]


def row_of(written: dict[str, object] | str) -> Row | str:
    if isinstance(written, str):
        return written
    sides = {side: [Used(**used) for used in written[side]] for side in ("ours", "theirs")}  # type: ignore
    return Row(**{**written, **sides})  # type: ignore[arg-type]


def write_rows(rows: str, path: Path) -> None:
    """Write the rows of a function of a module to a file, as they are measured."""
    module, _, function = rows.partition(":")
    with path.open("w", encoding="utf-8") as file:
        for row in getattr(importlib.import_module(f"benchmarks.{module}"), function)():
            file.write(json.dumps(row if isinstance(row, str) else asdict(row), ensure_ascii=False) + "\n")
            file.flush()


def section_lines(section: Section) -> list[str]:
    """Measure a section, and return its lines."""
    one_thread = section.threads != "all" and measured(section.rows, **SINGLE)
    all_cores = section.threads != "one" and measured(section.rows)
    yielded = (
        two_settings(one_thread, all_cores) if one_thread and all_cores else one_thread or all_cores or []
    )
    remarks = dict.fromkeys(row for row in yielded if isinstance(row, str))
    lines = table([row for row in yielded if isinstance(row, Row)])
    return [*lines, *(line for remark in remarks for line in ("", remark))]


def record(path: Path, head: str, sections: dict[str, str], order: Sequence[str]) -> None:
    """Write sections to a file, in this order; those of other titles come last."""
    titles = [*(title for title in order if title in sections), *(set(sections) - set(order))]
    parts = [head, *(f"## {title}\n\n{sections[title]}\n" for title in titles)]
    path.write_text("\n".join(parts), encoding="utf-8")


def recorded(path: Path) -> tuple[str, dict[str, str]]:
    """Return what precedes the sections of a file, and its sections by title."""
    head, *sections = path.read_text(encoding="utf-8").split("\n## ")
    parts = (section.partition("\n") for section in sections)
    return head, {title: text.strip() for title, _, text in parts}


def speed(names: list[str], path: Path, *, keep: bool = True) -> bool:
    """Measure sections and write them to a file; return whether all are complete."""
    run, complete = Run(), True
    head, sections = recorded(path)
    if not names:
        head, sections = RESULTS_HEAD, {title: sections[title] for title in KEPT if title in sections}
    for name in names or [name for name, section in SPEED.items() if not section.by_name]:
        section, section_run = SPEED[name], Run()
        lines = section_lines(section)
        complete &= not any(line.startswith("**Not complete**") for line in lines)
        lines += ["", section_run.footer(f"python -m benchmarks {name}", section.packages)]
        print("\n".join([f"## {section.title}", "", *lines, ""]), flush=True)
        sections[section.title] = "\n".join(lines)
        if keep:
            order = [section.title for section in SPEED.values() if not section.by_name]
            if not names:
                sections[THE_RUN] = run.footer("python -m benchmarks")
            record(path, head, sections, [*order, THE_RUN, *KEPT])
    return complete


def validity(names: list[str], path: Path, *, keep: bool = True) -> None:
    """Run modules and write what they print to a file."""
    short = {module.partition(".")[2]: module for module in VALIDITY}
    for name in names or short:
        run, title = Run(), VALIDITY[short[name]]
        printed = subprocess.run(
            [sys.executable, "-m", short[name]], stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        text = f"{printed.rstrip()}\n\n{run.footer(f'python -m benchmarks --validity {name}', DISTANCES)}"
        print(f"## {title}\n\n{text}\n", flush=True)
        if keep:
            _, sections = recorded(path)
            record(path, VALIDITY_HEAD, sections | {title: text}, list(VALIDITY.values()))


def quickly(*, save: bool) -> bool:
    """Measure the quick rows, and save them or compare them; return whether no row is slower."""
    run = Run()
    yielded = measured("quick:rows", **SINGLE)
    ratios = [quick.Ratio.of(row) for row in yielded if isinstance(row, Row)]
    print(*(row for row in yielded if isinstance(row, str)), sep="\n")
    lines, as_fast = quick.compared(ratios, quick.read() if quick.COMMITTED.exists() else [])
    print(*lines, "", run.footer("python -m benchmarks --quick", COUNTERS + DISTANCES), sep="\n")
    if save:
        quick.save(ratios)
    return (save or as_fast) and not any(str(row).startswith("**Not complete**") for row in yielded)


@contextmanager
def checkout(*, small: bool) -> Iterator[None]:
    """Let child processes use the package of this checkout, and a folder of texts."""
    paths = [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        os.environ |= {"PYTHONPATH": os.pathsep.join(paths), FOLDER: folder}
        if small:
            os.environ["BENCHMARKS_SMALLER"] = SMALLER
        yield


def main() -> int:
    """Run what was asked for; return the exit code."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = f"{', '.join(SPEED)}; of --validity: {', '.join(name.partition('.')[2] for name in VALIDITY)}"
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{names}  [default: all]")
    parser.add_argument("--validity", action="store_true", help="what is no speed")
    parser.add_argument("--quick", action="store_true", help="exit with 1 if a row is slower than committed")
    parser.add_argument("--save", action="store_true", help="of --quick: write quick.csv")
    parser.add_argument(
        "--small", action="store_true", help="a fiftieth of the sizes; only print the results"
    )
    parser.add_argument("--rows", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rows:
        write_rows(arguments.rows[0], Path(arguments.rows[1]))
        return 0
    known = [name.partition(".")[2] for name in VALIDITY] if arguments.validity else list(SPEED)
    if unknown := set(arguments.sections).difference(known):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    folder = Path(__file__).parent
    with checkout(small=arguments.small):
        if arguments.quick:
            return 0 if quickly(save=arguments.save) else 1
        if arguments.validity:
            validity(arguments.sections, folder / "VALIDITY.md", keep=not arguments.small)
            return 0
        return 0 if speed(arguments.sections, folder / "RESULTS.md", keep=not arguments.small) else 1


if __name__ == "__main__":
    sys.exit(main())
