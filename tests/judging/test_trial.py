"""Trials saved in a file: read, resumed, extended, and never half-written."""

from __future__ import annotations

import errno
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy
from distinctly.config import RunConfig, Step
from distinctly.errors import ResourceError
from distinctly.judging import known_similarity, read_trial
from distinctly.judging.similarity.trial import SimilarityTrial
from distinctly.judging.trial import Finding, Task, run, write_whole

WORDS = ["sat", "lay", "slept", "purred", "ate", "stood", "ran", "hid", "came", "went"]
A = [f"the {what} {word} on the mat" for word in WORDS for what in ("cat", "dog", "cow")]
B = [f"rain {word} in the {where}" for word in WORDS for where in ("north", "south", "west")]
FORMS = pytest.mark.parametrize("ending", [".json", ".csv"])


class Caller:
    """A distance that counts its calls, and is interrupted at one of them."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.calls, self.stop_at = 0, stop_at

    def __call__(self, reference: list[str], candidate: list[str]) -> float:
        self.calls += 1
        if self.calls == self.stop_at:
            raise KeyboardInterrupt
        return abs(sum("rain" in text for text in reference) - sum("rain" in text for text in candidate))


def try_it(*metrics: Any, **options: Any) -> SimilarityTrial:
    return known_similarity(
        A,
        B,
        list(metrics),
        **{"n": 6, "k": 4, "repetitions": 3, "measures": ["accuracy", "linearity"], **options},
    )


def plain(trial: Any) -> list[dict[str, Any]]:
    return [one.to_dict() for one in trial.findings]


def untimed(trial: Any) -> list[dict[str, Any]]:
    return [dict(one) for one in trial.records if one["kind"] != "speed"]


def undefined_at_one(reference: list[str], candidate: list[str]) -> float:
    return math.nan if len(set(reference[0].split()) & {"rain"}) else len(" ".join(candidate))


@FORMS
def test_a_file_gives_the_same_findings_again(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"trial{ending}"
    trial = try_it("jensen_shannon", "chi:top=20", undefined_at_one, measures=None, sizes=[5, 8], save=path)
    again = read_trial(path)
    assert type(again) is SimilarityTrial
    assert plain(again) == plain(trial)
    assert (again.settings, list(again.done), again.notes) == (trial.settings, list(trial.done), trial.notes)
    assert len(again.records) == len(trial.records)
    path_again = tmp_path / f"again{ending}"
    again.save(path_again)
    assert path_again.read_text() == path.read_text()


def test_both_forms_hold_the_same(tmp_path: Path) -> None:
    trial = try_it("jensen_shannon", undefined_at_one)
    for ending in (".json", ".csv"):
        trial.save(tmp_path / f"trial{ending}")
    one, other = (read_trial(tmp_path / f"trial{ending}") for ending in (".json", ".csv"))
    assert plain(one) == plain(other) == plain(trial)
    # What is undefined has no number in a file, and a note.
    cells = [row for row in (tmp_path / "trial.csv").read_text().splitlines() if "returned NaN" in row]
    assert cells
    assert all(",," in row for row in cells)
    document = json.loads((tmp_path / "trial.json").read_text())
    assert document["findings"] == plain(trial)
    assert any(one["value"] is None for one in document["records"])


@FORMS
@pytest.mark.parametrize("stop_at", [1, 8, 14, 20])
def test_a_run_that_was_stopped_is_gone_on_with(tmp_path: Path, ending: str, stop_at: int) -> None:
    path = tmp_path / f"trial{ending}"
    whole = Caller()
    expected = try_it(whole, "jensen_shannon")
    # One repetition: one call to warm up, and one for each of the 6 pairs of 4 corpora.
    assert whole.calls == 3 * 7
    stopped = Caller(stop_at)
    with pytest.raises(KeyboardInterrupt):
        try_it(stopped, "jensen_shannon", save=path)
    done = (stop_at - 1) // 7
    if done:
        assert len(read_trial(path).done) == done
        assert len(read_trial(path).records) == done * 7
    else:
        assert not path.exists()
    assert not list(tmp_path.glob(".*"))
    rest = Caller()
    trial = try_it(rest, "jensen_shannon", save=path)
    assert rest.calls == (3 - done) * 7
    assert untimed(trial) == untimed(expected)
    assert plain(trial) == plain(expected) == plain(read_trial(path))
    once_more = Caller()
    assert plain(try_it(once_more, "jensen_shannon", save=path)) == plain(expected)
    assert once_more.calls == 0


def test_a_file_is_kept_up_to_date_while_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, seen = tmp_path / "trial.json", []
    monkeypatch.setattr("distinctly.judging.trial.SAVE_EVERY", -1.0)

    def look(step: Step) -> None:
        if step.what.startswith("jensen_shannon"):
            seen.append((step.done, step.total, len(read_trial(path).done) if path.exists() else 0))

    try_it("jensen_shannon", save=path, progress=look)
    assert seen == [(0, 3, 0), (1, 3, 1), (2, 3, 2)]


def test_a_file_is_extended(tmp_path: Path) -> None:
    path = tmp_path / "trial.json"
    first = Caller()
    try_it(first, repetitions=2, save=path)
    again = Caller()
    longer = try_it(again, "jensen_shannon", repetitions=3, save=path)
    assert again.calls == 7
    assert (
        plain(longer) == plain(try_it(Caller(), "jensen_shannon", repetitions=3)) == plain(read_trial(path))
    )


def test_what_is_not_asked_for_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "trial.json"
    try_it("jensen_shannon", save=path)
    other = try_it("chi", repetitions=2, save=path)
    assert list(other.to_dict()) == ["chi"]
    assert plain(other) == plain(try_it("chi", repetitions=2))
    kept = read_trial(path).to_dict()
    assert kept["jensen_shannon"] == try_it("jensen_shannon").to_dict()["jensen_shannon"]
    assert kept["chi"] == other.to_dict()["chi"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seed": 1}, "other seed"),
        ({"k": 5}, "other plan"),
        ({"n": 5}, "other plan"),
        ({"preset": "paper"}, "other preset"),
        ({"reference": "A"}, "other reference"),
        ({"measures": ["accuracy"]}, "other measures, plan"),
        ({"parts": True}, "other parts"),
        ({"tokenizer": "char"}, "other corpora, tokenizer"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    path = tmp_path / "trial.json"
    try_it("jensen_shannon", save=path)
    before = path.read_bytes()
    with pytest.raises(
        dy.InputError, match=f"{path}: it contains the results of {told}. Choose another file"
    ):
        try_it("jensen_shannon", save=path, **changed)
    assert path.read_bytes() == before


def test_notes_in_other_words_are_no_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "trial.json"
    try_it("jensen_shannon", save=path)
    document = json.loads(path.read_text())
    path.write_text(
        json.dumps({**document, "settings": {**document["settings"], "notes": ["As once said."]}})
    )
    assert try_it("jensen_shannon", save=path).records


def test_other_texts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trial.json"
    try_it("jensen_shannon", save=path)
    with pytest.raises(dy.InputError, match="it contains the results of other corpora"):
        known_similarity(A, [*B, "one more"], "jensen_shannon", n=6, k=4, measures="accuracy", save=path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "not JSON"),
        ("a.json", ""),
        ("a.json", "[1, 2]"),
        ("a.json", "{}"),
        ("a.json", '{"trial": "similarity", "settings": {}, "records": 5}'),
        ("a.json", '{"trial": "similarity", "settings": {}, "records": [5]}'),
        ("a.json", '{"trial": "similarity", "settings": {}, "records": [{"value": "much"}]}'),
        ("a.json", '{"trial": "similarity", "settings": {}, "records": [{}]}'),
        ("a.csv", "text,label\na,b\n"),
        ("a.csv", ""),
        ("a.csv", "# [1]\nmetric,value\n"),
        ("a.csv", '# {"trial": "similarity", "settings": {}}\nmetric,value\nead,much\n'),
    ],
)
def test_a_file_that_is_no_trial_is_refused_and_stays(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    problem = "expected the results of `distinctly judge … --save`, got another file"
    with pytest.raises(dy.InputError, match=f"{path}: {problem}"):
        read_trial(path)
    with pytest.raises(dy.InputError, match=problem):
        try_it("jensen_shannon", save=path)
    assert path.read_text() == content


def test_a_trial_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"trial": "people", "settings": {}, "records": [], "done": []}')
    with pytest.raises(
        dy.InputError, match="it contains the results of a trial of people. Choose another file"
    ):
        try_it("jensen_shannon", save=path)
    path.write_text('{"trial": "luck", "settings": {}, "records": [], "done": []}')
    with pytest.raises(dy.InputError, match="expected a trial of similarity, .*, got 'luck'"):
        read_trial(path)


def test_where_a_file_can_be(tmp_path: Path) -> None:
    calls = Caller()
    with pytest.raises(dy.InputError, match="none: this folder does not exist"):
        try_it(calls, save=tmp_path / "none" / "trial.json")
    with pytest.raises(dy.SpecError, match="Expected results in a .json or .csv file, got 'trial.txt'"):
        try_it(calls, save="trial.txt")
    with pytest.raises(dy.InputError, match="got another file: .*No such file"):
        read_trial(tmp_path / "none.json")
    assert calls.calls == 0  # nothing is measured that cannot be kept


def test_a_file_that_cannot_be_written_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trial.json"
    try_it("jensen_shannon", repetitions=1, save=path)
    before = path.read_bytes()
    written = Path.write_bytes

    def full(self: Path, contents: bytes) -> int:
        written(self, contents[: len(contents) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ResourceError, match="trial.json: the results cannot be written: No space left"):
        try_it("jensen_shannon", repetitions=2, save=path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_write_whole_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for contents in (b"one", b"two"):
        write_whole(path, contents)
        assert path.read_bytes() == contents
    assert list(tmp_path.iterdir()) == [path]


def test_a_piece_that_fails_leaves_those_before_it(tmp_path: Path) -> None:
    def fine() -> Iterator[dict[str, Any]]:
        yield {"metric": "m", "embedder": "", "part": "", "kind": "speed", "value": 1.0, "note": ""}

    def broken() -> Iterator[dict[str, Any]]:
        yield from fine()
        raise RuntimeError("a bug of ours")

    path = tmp_path / "trial.csv"
    settings = {"measures": [], "plan": {}, "preset": None}
    tasks = [Task("one", fine), Task("two", broken)]
    with pytest.raises(RuntimeError, match="a bug of ours"):
        run(SimilarityTrial, settings, tasks, save=path, config=RunConfig())
    assert read_trial(path).done == ["one"]
    assert [one["work"] for one in read_trial(path).records] == ["one"]


def test_a_finding_of_several_repetitions() -> None:
    found = Finding.over([1.0, 2.0, 3.0], metric="m", measure="accuracy", notes=["mind"])
    # The deviation of 1, 2, 3 is 1, so that of the mean is 1/√3; 95 % are 1.96 of them to each side.
    assert (found.mean, found.std, found.repetitions, found.notes) == (2, 1, 3, ("mind",))
    assert (found.low, found.high) == pytest.approx((2 - 1.96 / 3**0.5, 2 + 1.96 / 3**0.5), abs=1e-4)
    alone = Finding.over([1.0], metric="m", measure="accuracy")
    assert (alone.mean, alone.low, alone.high, alone.repetitions) == (1, None, None, 1)
    assert math.isnan(alone.std)
    none = Finding.over([math.nan], metric="m", measure="accuracy")
    assert math.isnan(none.mean)
    assert none.reading()["mean"] is None
