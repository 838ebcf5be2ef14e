"""Metrics are found by their modules; plug-ins by entry points."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import MISSING
from pathlib import Path

import pytest

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.options import option_fields
from distinctly.registry import find_metric, is_metric_name, metric_class_names, metric_names
from distinctly.testing import tag


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


def test_aliases_are_unique_found_and_on_the_card(root: Path) -> None:
    aliases = [(alias, name) for name in metric_names() for alias in find_metric(name).aliases]
    assert len(aliases) == len({alias for alias, _ in aliases} - set(metric_names())) > 0
    for alias, name in aliases:
        assert find_metric(alias) is find_metric(name)
        assert is_metric_name(alias)
        assert f"`{alias}`" in (root / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")


def test_options_that_name_another_metric_are_options_of_that_metric() -> None:
    redirected = [(name, *pair) for name in metric_names() for pair in find_metric(name).elsewhere.items()]
    assert ("hill", "similarity", "similarity_hill") in redirected
    for name, option, other in redirected:
        assert option in [field.name for field in option_fields(find_metric(other))]
        assert option not in [field.name for field in option_fields(find_metric(name))]


def test_every_metric_is_a_class_of_the_package() -> None:
    kinds = [find_metric(name) for name in metric_names()]
    assert [kind.__name__ for kind in kinds] == metric_class_names()
    for kind in kinds:
        assert getattr(dy, kind.__name__) is kind
        assert kind.__name__ in dir(dy)
    for name in ("Driver", "NgramDiversity", "Nothing"):  # classes in these files that are not metrics
        with pytest.raises(AttributeError, match=f"'distinctly' has no attribute '{name}'"):
            getattr(dy, name)


TEXTS = ["amber brook cedar", "brook delta ember", "amber amber fjord"]
OTHERS = ["heath inlet jetty", "inlet jetty amber", "grove grove heath"]


@pytest.mark.parametrize("name", metric_names())
def test_a_metric_is_called(name: str) -> None:
    kind = find_metric(name)
    function, corpora = (
        (dy.compare, (TEXTS, OTHERS)) if issubclass(kind, Distance) else (dy.measure, (TEXTS,))
    )
    required = {field.name: 1 for field in option_fields(kind) if field.default is MISSING}
    metric = kind(**required)
    options: dict[str, object] = {"tagger": tag} if kind.default_view == "tags" else {}
    options |= {"quality": [1, 2, 3]} if "quality" in metric.reads_columns else {}
    expected = function(*corpora, metric, **options)[0]
    assert metric(*corpora, **options).to_dict() == expected.to_dict()


def test_a_metric_is_called_with_options_and_returns_one_score() -> None:
    assert dy.Distinct(n=1)(["a", "A"], tokenizer="words:lc=yes").value == 1 / 2
    with pytest.raises(dy.SpecError, match="returns one score, got 3 .* use `distinctly.measure`"):
        dy.Distinct(n=1)(["a", "b"], groups=["x", "x"])
    # With one text per group, all scopes are the same: one of them is measured.
    assert dy.Distinct(n=1)(["a", "b b"], groups=["x", "y"]).value == 2 / 3
    with pytest.raises(dy.SpecError, match="returns one score, got 2 .* use `distinctly.compare`"):
        dy.JensenShannon()(["a"], {"one": ["b"], "other": ["c"]})
    assert dy.Distinct(n=1, pool="group")(["a", "b b"], groups=["x", "y"]).value == (1 + 1 / 2) / 2


def test_a_spec_gives_its_metric() -> None:
    assert dy.metric("distinct:n=2") == dy.Distinct(n=2)


def plug_in(folder: Path, *, name: str, body: str) -> list[str]:
    """Create a distribution with one plug-in, and return the start of a command that finds it."""
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
        aliases = ("once_only",)
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
    described = subprocess.run(
        [*command, "list", "once_only"], capture_output=True, text=True, check=True
    ).stdout
    assert described.startswith("hapax, also once_only\n")
    assert "n            a whole number, at least 1  (default 1)" in described


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
