"""The tree is the catalogue; plug-ins join it by an entry point."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from distinctly.registry import metric_names


def test_every_metric_has_its_three_files(root: Path) -> None:
    for folder in ("diversity", "distance"):
        for file in (root / "src" / "distinctly" / folder).glob("*.py"):
            name = file.stem
            if name == "base" or name.startswith("_"):
                continue
            assert name in metric_names()
            assert (root / "tests" / folder / f"test_{name}.py").is_file(), f"{name} has no test of its own"
            assert (root / "docs" / "metrics" / f"{name}.md").is_file(), f"{name} has no card"


def test_every_card_belongs_to_a_metric(root: Path) -> None:
    for card in (root / "docs" / "metrics").glob("*.md"):
        assert card.stem in metric_names()


def plug_in(folder: Path, *, name: str, body: str) -> list[str]:
    """Make a distribution with one plug-in, and return the start of a command that sees it."""
    (folder / "my_metrics.py").write_text(textwrap.dedent(body))
    info = folder / "my_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[distinctly.metrics]\n{name} = my_metrics:Hapax\n")
    return [
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, {str(folder)!r}); from distinctly.cli import main; main()",
    ]


HAPAX = """
    from dataclasses import dataclass
    from distinctly.diversity.base import NgramDiversity, ratio

    @dataclass(frozen=True, kw_only=True)
    class Hapax(NgramDiversity):
        '''Share of n-grams seen once.'''
        name, more_is, bounds = "hapax", "more diverse", (0.0, 1.0)
        n: int = 1
        def formula(self, grams):
            return ratio(grams.seen(1), grams.total)
"""


def test_a_plug_in_is_measured_and_listed(tmp_path: Path) -> None:
    command = plug_in(tmp_path, name="hapax", body=HAPAX)
    (tmp_path / "texts.txt").write_text("a b a\nc\n")
    run = [*command, "measure", str(tmp_path / "texts.txt"), "-m", "hapax", "--score-only"]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "0.5\n"  # b and c, of 4
    listed = subprocess.run([*command, "list"], capture_output=True, text=True, check=True).stdout
    assert "Share of n-grams seen once." in listed


def test_a_broken_plug_in_hides_nothing_else(tmp_path: Path) -> None:
    command = plug_in(tmp_path, name="hapax", body="raise RuntimeError('not today')\n")
    listed = subprocess.run([*command, "list"], capture_output=True, text=True, check=True).stdout
    assert "distinct" in listed
    assert "not today" in listed
    used = subprocess.run(
        [*command, "measure", "x", "-m", "hapax"], capture_output=True, text=True, check=False
    )
    assert used.returncode == 2
    assert "cannot be loaded: not today" in used.stderr
    assert "Traceback" not in used.stderr
