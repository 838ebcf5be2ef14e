"""Small inputs, measured repeatedly: compiled loops are loaded in the background, and change no value."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import DIVERSITIES, default_spec, measure
from tests.strategies import TEXTS, TOKEN_LISTS
from tests.systems import posix

import distinctly as dy
from distinctly.engine import warming
from distinctly.engine.warming import Loader, loader
from distinctly.run.plan import Plan, Views
from distinctly.spec import parse_metrics
from distinctly.testing import embed, tag

SPECS = ["distinct", "ead", "entropy", "duplicates", "types:n=7", "distinct:n=2,pool=text", "mattr:window=3"]
SPECS += ["mtld", "hdd:sample=3", "self_repetition", "distinct:n=1,of=char", "chao1", "ttr:of=whitespace"]


# Texts long enough for every window.
VARIED = [[f"w{i}-{j % 100}" for j in range(120)] for i in range(5)]


def run(program: str) -> list[str]:
    """Run a program in a fresh Python, which has loaded nothing; return what it prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that is taken for one that measures again and again."""
    monkeypatch.setattr(loader, "calls", warming.REPEATED)
    yield
    loader.wait()


def rehearsed(specs: list[str]) -> None:
    """Load the loops for these metrics."""
    requests = parse_metrics(specs)
    plan = Plan.of(requests, Views.of(requests, embedder=embed, tagger=tag))
    for statistics in ([statistic] for statistic in plan.statistics):
        loader.choose(statistics, dy.RunConfig())
        loader.wait()


def test_the_second_call_loads_loops_that_later_calls_use() -> None:
    first, second, third, scans = run(
        """
import sys
import distinctly as dy
from distinctly.engine.warming import loader

texts = ["the cat sat", "naïve cats", "the cat sat"]
print(dy.measure(texts, "distinct:n=2")[0].to_dict(), "numba" in sys.modules)
again = dy.measure(texts, "distinct:n=2")[0].to_dict()
loader.wait()
print(again, "distinctly.kernels.scan" in sys.modules)
from distinctly.views import scanned
calls = []
scan = scanned.Scanned.scan
scanned.Scanned.scan = lambda self, **options: calls.append(1) or scan(self, **options)
print(dy.measure(texts, "distinct:n=2")[0].to_dict(), bool(calls))
print(len(calls))
"""
    )
    score = first.removesuffix(" False")
    assert score != first, "the first call waits for no compiler"
    assert [second, third] == [f"{score} True", f"{score} True"]
    assert int(scans) >= 1


@pytest.mark.usefixtures("eager")
@given(texts=st.one_of(st.lists(TEXTS, max_size=8), TOKEN_LISTS), groups=st.booleans())
def test_no_value_changes(texts: list[str], groups: bool) -> None:
    rehearsed(SPECS)
    options = {"groups": [str(i % 2) for i in range(len(texts))]} if groups and texts else {}
    specs = [*SPECS, "distinct:pool=group,n=1"] if options else SPECS
    plain = dy.measure(texts, specs, tokens=None, compiled=False, **options).to_dict()
    assert dy.measure(texts, specs, tokens=None, **options).to_dict() == plain


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("spec", [default_spec(name) for name in DIVERSITIES])
def test_no_value_of_any_metric_changes(spec: str) -> None:
    """A statistic of ours that fails in the background, where nobody would see it, is an error here."""
    rehearsed([spec])
    assert loader._refused == set()
    plain = measure(VARIED, spec, compiled=False).to_dict()
    assert measure(VARIED, spec).to_dict() == plain
    loader.wait()


def test_functions_of_users_are_called_with_their_texts_alone() -> None:
    calls = Loader()
    calls.calls = warming.REPEATED
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    for _ in range(3):
        dy.measure(["a b", "c"], "distinct:n=1", tokenizer=split)
    requests = parse_metrics(["distinct:n=1"])
    plan = Plan.of(requests, Views.of(requests, tokenizer=split))
    assert calls.choose(plan.statistics, dy.RunConfig()).compiled is None
    calls.wait()
    assert set(seen) == {"a b", "c"}


def test_choices_of_the_user_are_kept() -> None:
    statistics = Plan.of(parse_metrics(["distinct:n=1"]), Views.of([])).statistics
    eager = Loader()
    eager.calls = warming.REPEATED
    for config in (dy.RunConfig(compiled=False), dy.RunConfig(hash_bits=128)):
        assert eager.choose(statistics, config) is config
    assert eager._thread is None


def test_a_process_ends_while_loops_are_loaded() -> None:
    """The thread stops after its step, whether or not anybody waits for it."""
    program = (
        "import distinctly as dy\nfor _ in range(2): print(dy.measure(['a b a'], 'distinct:n=1')[0].value)"
    )
    assert run(program) == [str(2 / 3)] * 2


@posix
def test_a_fork_while_loops_are_loaded() -> None:
    lines = run(
        """
import os, warnings
import distinctly as dy

warnings.simplefilter("ignore")  # of threads in a process that forks
for _ in range(2):
    value = dy.measure(["a b a"], "distinct:n=1")[0].value
child = os.fork()
if not child:
    for _ in range(3):
        same = dy.measure(["a b a"], "distinct:n=1")[0].value == value
    from distinctly.engine.warming import loader
    loader.wait()
    import numba
    os._exit(0 if same and dy.measure(["a b a"], "distinct:n=1")[0].value == value else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert lines == ["0"]


@pytest.mark.slow  # compiles all loops
def test_what_is_printed_while_loops_are_compiled_is_not_lost(tmp_path: Path) -> None:
    """Numba replaces `sys.stdout` to colour messages; where it has compiled nothing yet, it has some."""
    program = """
import io, os, sys
import distinctly as dy
from distinctly.engine.warming import loader

sys.stdout = printed = io.StringIO()
replaced = False
for _ in range(2):
    dy.measure(["a b a"], "distinct:n=1")
while loader._thread is not None:
    replaced = replaced or sys.stdout is not printed
loader.wait()
sys.stdout = sys.__stdout__
print(replaced, "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING" in os.environ)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout == "False False\n"
