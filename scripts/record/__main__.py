"""Write a record, or compare two: see ``python -m scripts.record --help``."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from pathlib import Path

from .differences import Differences, bare, differences
from .interface import Entries
from .running import record

# More lines per category are not informative.
MOST_LINES = 40


def main() -> int:
    """Run the command; return 1 if numbers differ or entries are missing."""
    parser = argparse.ArgumentParser(prog="python -m scripts.record", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the cases and write the record")
    run.add_argument("out", type=Path)
    run.add_argument(
        "--only", default="", metavar="PREFIX", help="run only cases whose names begin with PREFIX"
    )
    run.add_argument("--processes", type=int, default=2)
    run.add_argument("--slowest", type=int, default=0, metavar="N", help="show the N slowest cases")
    run.add_argument("--numbers-only", action="store_true", help="leave out notes, outputs and facts")
    compare = commands.add_parser("compare", help="compare two records")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.add_argument(
        "--tolerance", type=float, default=0.0, help="largest relative difference; default: 0"
    )
    compare.add_argument(
        "--only", default="", metavar="PREFIX", help="compare only entries whose names begin with PREFIX"
    )
    compare.add_argument(
        "--strict",
        action="store_true",
        help="exit with status 1 for differences of every category except wording",
    )
    arguments = parser.parse_args()
    if arguments.command == "run":
        options = (arguments.only, arguments.processes, arguments.slowest)
        return _run(arguments.out, *options, numbers_only=arguments.numbers_only)
    before, after = (_read(path, arguments.only) for path in (arguments.before, arguments.after))
    result = differences(before, after, lambda _: float(arguments.tolerance))
    _show(result, len(before))
    return int(result.any if arguments.strict else result.failed)


def _run(out: Path, only: str, processes: int, slowest: int, *, numbers_only: bool) -> int:
    began = time.perf_counter()
    entries, seconds = record(only, processes)
    write(out, bare(entries) if numbers_only else entries)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(usage.ru_utime + usage.ru_stime for usage in used)
    errors = sum(entry["kind"] == "error" for entry in entries.values())
    print(
        f"{len(entries):,} entries of {len(seconds):,} cases ({errors} errors), "
        f"{time.perf_counter() - began:.0f} s, {processor:.0f} s of processor time"
    )
    for name in sorted(seconds, key=lambda name: -seconds[name])[:slowest]:
        print(f"{seconds[name]:8.2f} s  {name}")
    return 0


def write(path: Path, entries: Entries) -> None:
    """Write a record as JSON, one entry per line."""
    written = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(entry, ensure_ascii=False, allow_nan=False)}"
        for name, entry in sorted(entries.items())
    ]
    path.write_text("{\n" + ",\n".join(written) + "\n}\n", encoding="utf-8")


def _read(path: Path, only: str) -> Entries:
    entries: Entries = json.loads(path.read_text(encoding="utf-8"))
    return {name: entry for name, entry in entries.items() if name.startswith(only)}


def _show(result: Differences, entries: int) -> None:
    """Print the differences, by category."""
    categories = {
        "(a) numbers that differ": result.numbers,
        "(b) signatures that differ": result.signatures,
        "(c) missing": result.missing,
        "(c) new": result.new,
        "(d) notes that differ in their numbers or their count": result.notes,
        "(e) outputs that differ in their numbers": result.outputs,
        "(e) facts of corpora and settings that differ in their numbers": result.facts,
    }
    print(f"{entries:,} entries before")
    for title, lines in categories.items():
        print(f"{title}: {len(lines):,}")
        for line in lines[:MOST_LINES]:
            print(f"  {line}")
        if len(lines) > MOST_LINES:
            print(f"  and {len(lines) - MOST_LINES:,} more")
    print(f"Same numbers in another order: {len(result.reordered):,}; wording: {len(result.reworded):,}")
    if result.example:
        print(f"  for example {result.example}")


if __name__ == "__main__":
    sys.exit(main())
