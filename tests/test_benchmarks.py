"""How benchmarks are timed, shown and compared with committed ones, on rows that nothing measures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from benchmarks import __main__ as benchmarks
from benchmarks import quick
from benchmarks.quick import Ratio
from benchmarks.turns import TURNS, Row, Used, duration, in_turns, number_of, python, run, table, two_settings


def row(what: str, *ratios: float, peer: bool = True) -> Row:
    """Return a row of turns in which ours takes a second, and the peer this number of times as long."""
    theirs = [Used(2 * ratio, ratio) for ratio in ratios]
    return Row(what, [Used(1.0, 1.0)] * len(ratios), "a peer", theirs, peer)


def test_both_sides_run_in_turns() -> None:
    order: list[str] = []
    measured = in_turns("a", lambda: order.append("ours"), "b", lambda: order.append("theirs"), turns=0)
    assert isinstance(measured, Row)
    # Ours warms up twice; a first pass of both measures how often a call is repeated; then there is one turn.
    assert order[:4] == ["ours", "ours", "ours", "theirs"]
    assert order[4:] == sorted(order[4:])
    assert len(measured.ours) == len(measured.theirs) == 1
    assert 0 < measured.ours[0].wall < 0.01


def test_results_that_differ_are_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"sums: the results differ: \[1, 2\]"):
        in_turns("sums", lambda: 1, "b", lambda: 2, same=int.__eq__)


def test_an_absent_peer_is_named() -> None:
    line = in_turns("sums", lambda: 1, "a tool", lambda: 1, needs="json no_such_module")
    assert line == "Left out: sums, beside a tool, because `no_such_module` is not installed."


def test_a_peer_that_does_a_part_is_scaled() -> None:
    clock = iter(range(1000))
    measured = in_turns("a", run_none, "b", run_none, scale=3, turns=1, processor=lambda: float(next(clock)))
    assert isinstance(measured, Row)
    repeats = measured.ours[0].processor, measured.theirs[0].processor
    # The clock advances by 1 per turn, divided by the number of calls in it.
    assert repeats[0] < 1
    assert repeats[1] < 3


def run_none() -> None:
    """Do nothing."""


def test_a_command_is_measured_and_its_failure_reported() -> None:
    used, printed = run(python("-c", "print(2)"))
    assert printed == "2\n"
    assert min(used.wall, used.processor) > 0
    assert used.peak > 0.001
    with pytest.raises(RuntimeError, match="ended with 3: halted"):
        run(python("-c", "import sys; sys.stderr.write('halted'); sys.exit(3)"))


def test_a_table_has_medians_ratios_and_their_spread() -> None:
    rows = [row("fast", 2.0, 4.0, 3.0, 2.5, 8.0), Row("alone", [Used(0.0015, 0.00002, 0.25)] * 2)]
    lines = table(rows)
    assert lines[0].startswith("| what | beside | ours: wall | processor | peak GB | theirs: wall |")
    assert lines[2] == (
        "| fast | a peer | 1.00 s | 1.00 s |  | 6.00 s | 3.00 s |  | 3.00× (2.00–8.00) | 6.00× (4.00–16.0) |"
    )
    assert lines[3] == "| alone |  | 1.50 ms | 20.0 µs | 0.25 |  |  |  | 2 turns |  |"
    assert len(lines) == 4


def test_rows_below_a_peer_are_listed_and_those_below_another_run_of_ours_are_not() -> None:
    slow, self_compared = row("slow", *[0.5] * TURNS), row("parquet", *[0.8] * TURNS, peer=False)
    assert table([slow, self_compared, row("fast", 3.0)])[-1] == "Below a peer: slow (0.500× of a peer)."
    assert "1 turn)" in table([row("fast", 3.0)])[2]
    assert table([]) == []


def test_units_and_digits() -> None:
    assert [duration(seconds) for seconds in (123.4, 1.234, 0.01234, 1.2e-6)] == [
        "123 s",
        "1.23 s",
        "12.3 ms",
        "1.20 µs",
    ]
    assert [number_of(value) for value in (0.00123, 0.5, 9.999, 1234.5)] == [
        "0.00123",
        "0.500",
        "10.0",
        "1,234",
    ]


def test_processor_seconds_of_one_thread_and_wall_seconds_of_all_cores() -> None:
    one_thread, all_cores = Row("a", [Used(3.0, 2.0)]), Row("a", [Used(1.0, 9.0)])
    joined = two_settings([one_thread, "a line"], [all_cores, "a line"])
    assert joined == [Row("a", [Used(1.0, 2.0)], theirs=[]), "a line"]
    assert two_settings([one_thread] * 3, [all_cores, "ended early"])[1:] == ["ended early"]


# The ratios of five turns now; 0.9 times the lowest committed ratio, 2.0, is 1.8.
@pytest.mark.parametrize(
    ("now", "slower"),
    [
        ((1.5, 1.6, 1.7, 1.75, 1.79), True),  # even the highest, 1.79, is below 1.8
        ((1.0, 1.0, 1.0, 1.0, 1.81), False),  # one turn is within the margin
        ((2.0, 2.1, 2.2, 2.3, 2.4), False),
        ((4.0, 4.1, 4.2, 4.3, 4.4), False),
    ],
)
def test_a_row_is_slower_beyond_both_spreads_and_the_margin(now: tuple[float, ...], slower: bool) -> None:
    committed = [Ratio.of(row("a", 2.0, 2.1, 2.2, 2.3, 2.4))]
    lines, as_fast = quick.compared([Ratio.of(row("a", *now))], committed)
    assert as_fast is not slower
    assert ("**slower**" in lines[2]) is slower
    assert lines[-1].endswith("Slower: a." if slower else "No row is slower.")


def test_rows_of_one_side_are_shown_and_decide_nothing() -> None:
    lines, as_fast = quick.compared([Ratio.of(row("new", 1.0))], [Ratio.of(row("old", 5.0))])
    assert as_fast
    assert lines[2] == "| new | a peer |  | 1.00× (1.00–1.00) |  | new |"
    assert lines[3] == "| old | a peer | 5.00× (5.00–5.00) | | | not measured |"


def test_saved_ratios_are_read_again(tmp_path: Path) -> None:
    ratios = [Ratio.of(row("`distinct`, 1 text", 0.5, 0.25, 0.75)), Ratio.of(row("b", 1234.0))]
    quick.save(ratios, tmp_path / "quick.csv")
    assert quick.read(tmp_path / "quick.csv") == ratios
    assert (tmp_path / "quick.csv").read_text(encoding="utf-8").splitlines()[1] == (
        '"`distinct`, 1 text",a peer,0.5,0.25,0.75'
    )


def test_the_committed_ratios_have_a_ratio_within_their_spread() -> None:
    ratios = quick.read()
    assert 15 <= len(ratios) <= 25
    assert len({(ratio.row, ratio.beside) for ratio in ratios}) == len(ratios)
    assert all(0 < ratio.lowest <= ratio.ratio <= ratio.highest for ratio in ratios)


def test_rows_are_the_same_after_a_process(tmp_path: Path) -> None:
    measured = row("a", 1.0, 2.0)
    written = json.loads(json.dumps(asdict(measured)))
    assert benchmarks.row_of(written) == measured
    assert benchmarks.row_of("a line") == "a line"


def test_one_section_is_replaced_and_the_others_remain(tmp_path: Path) -> None:
    path = tmp_path / "RESULTS.md"
    benchmarks.record(path, "# Head\n\nOf a run.\n", {"B": "old", "GPU": "kept"}, ["A", "B", "GPU"])
    head, sections = benchmarks.recorded(path)
    benchmarks.record(path, head, sections | {"B": "new", "A": "first"}, ["A", "B", "GPU"])
    assert path.read_text(encoding="utf-8") == (
        "# Head\n\nOf a run.\n\n## A\n\nfirst\n\n## B\n\nnew\n\n## GPU\n\nkept\n"
    )


def test_a_run_of_all_sections_rewrites_the_file_and_keeps_those_of_other_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmarks, "measured", lambda *_, **__: [row("a", *[0.5] * TURNS), "A remark."])
    path = tmp_path / "RESULTS.md"
    old = {"Start-up": "old", "A former section": "old", "Distances on a GPU": "of another machine"}
    benchmarks.record(path, "# Old\n", old, list(old))
    assert benchmarks.speed([], path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks: speed and memory\n")
    assert "A former section" not in text
    assert "# Old" not in text
    assert "A remark." in text
    assert "Below a peer: a (0.500× of a peer)." in text
    _, sections = benchmarks.recorded(path)
    measured = [section.title for section in benchmarks.SPEED.values() if not section.by_name]
    assert list(sections) == [*measured, "The run", "Distances on a GPU"]
    assert sections["Distances on a GPU"] == "of another machine"
    assert "`python -m benchmarks startup`" in sections["Start-up"]
    assert "Load average" in sections["The run"]
    assert "commit" in sections["The run"]


def test_the_pages_have_the_sections_that_the_commands_write(root: Path) -> None:
    _, validity = benchmarks.recorded(root / "benchmarks" / "VALIDITY.md")
    assert set(validity) <= set(benchmarks.VALIDITY.values())
    _, results = benchmarks.recorded(root / "benchmarks" / "RESULTS.md")
    known = {section.title for section in benchmarks.SPEED.values()}
    assert set(results) <= known | {"The run", "Distances on a GPU"}
