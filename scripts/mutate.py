"""Change the code of intervals and tests in one place at a time, and run the tests: do they fail?

`python -m scripts.mutate --mutants 100 --seed 0` draws that many of all possible changes of the modules
below, applies each to a copy of the package, and prints the share that some test notices and the changes that
none does. A change that cannot alter any result (an equivalent mutant) also survives: read the list.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = (
    "run/resampling.py",
    "run/estimating.py",
    "run/scopes.py",
    "run/comparing.py",
    "run/contrasts.py",
    "statistics/accumulation.py",
    "statistics/unit_table.py",
)
TESTS = (
    "tests/test_uncertainty.py",
    "tests/statistics/test_accumulation.py",
    "tests/statistics/test_unit_table.py",
    "tests/test_compare.py",
)
SECONDS = 300
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
}
NAMES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "floor": "ceil",
    "sqrt": "abs",
}


@dataclass(frozen=True)
class Mutant:
    """One change: the module, the number of the node in the tree, and the change in words."""

    module: str
    node: int
    line: int
    change: str


def mutants(module: str) -> Iterator[Mutant]:
    """Yield the possible changes of a module."""
    tree = ast.parse(_path(ROOT / "src", module).read_text(encoding="utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        changed = _changed(copy.deepcopy(node))
        if changed is not None:
            line = getattr(node, "lineno", 0)
            yield Mutant(module, number, line, f"{_shown(node)} → {_shown(changed)}")


def _changed(node: ast.AST) -> ast.AST | None:
    """Return a node with one change; None if there is none."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
        return node
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        node.op = ARITHMETIC[type(node.op)]()
        return node
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
        return node
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        node.value = 2 * node.value + (not node.value)  # twice 0.0 would be no change
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name in NAMES and isinstance(node.func, ast.Name):
            node.func.id = NAMES[name]
            return node
        if (
            name in NAMES
            and isinstance(node.func, ast.Attribute)
            and _shown(node.func.value) in ("np", "math")
        ):
            node.func.attr = NAMES[name] if name != "sqrt" else "fabs"
            return node
    return None


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:70]


def _path(source: Path, module: str) -> Path:
    return source / "distinctly" / module


def apply(mutant: Mutant, source: Path) -> None:
    """Write the changed module into a copy of the package."""
    tree = ast.parse(_path(ROOT / "src", mutant.module).read_text(encoding="utf-8"))
    target = list(ast.walk(tree))[mutant.node]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if node is target:
                changed = _changed(node)
                return node if changed is None else changed
            return self.generic_visit(node)

    changed = ast.fix_missing_locations(Change().visit(tree))
    _path(source, mutant.module).write_text(ast.unparse(changed), encoding="utf-8")


def is_noticed(source: Path) -> bool:
    """Return whether a test fails, or takes too long, with the package in a folder."""
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *TESTS]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(  # noqa: S603 - our own command
            words, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def main() -> None:
    """Draw mutants, run the tests on each, and print what survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    every = [mutant for module in MODULES for mutant in mutants(module)]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.mutants, len(every)))  # noqa: S311
    survivors, began = [], time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source)
        if is_noticed(source):
            raise SystemExit("The tests fail without any change.")
        for done, mutant in enumerate(drawn, 1):
            apply(mutant, source)
            if not is_noticed(source):
                survivors.append(mutant)
                print(f"survives: {mutant.module}:{mutant.line}: {mutant.change}", flush=True)
            shutil.copy(_path(ROOT / "src", mutant.module), _path(source, mutant.module))
            print(f"{done} of {len(drawn)}, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    noticed = len(drawn) - len(survivors)
    share = f"{noticed / len(drawn):.0%}"
    print(f"{noticed} of {len(drawn)} changes are noticed ({share}); {len(every)} are possible.")


if __name__ == "__main__":
    main()
