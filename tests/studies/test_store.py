"""`StudyStore`: nothing acknowledged is lost, nothing is stored twice, and annotators learn no method."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studies.fixtures import small_plan, small_study
from tests.systems import posix

from distinctly.errors import InputError, ResourceError, SpecError
from distinctly.studies.model import AnswerError, NewAnswer
from distinctly.studies.store import StudyStore


def test_tokens_open_only_their_own_door_and_only_their_hashes_are_stored(tmp_path: Path) -> None:
    study, tokens = small_study(tmp_path)
    assert study.annotator_of(tokens["ann"]) == "ann"
    assert study.annotator_of(tokens["owner"]) is None
    assert study.owner_of(tokens["owner"])
    assert not study.owner_of(tokens["ann"])
    for wrong in ("", "x", tokens["ann"][:-1], tokens["ann"] + "x", "\ud800", "' OR 1=1 --"):
        assert study.annotator_of(wrong) is None
        assert not study.owner_of(wrong)
    study.close()
    stored = (tmp_path / "small.study").read_bytes()
    for token in tokens.values():
        assert len(token) == 32  # 24 bytes in base64
        assert token.encode() not in stored
        assert hashlib.sha256(token.encode()).hexdigest().encode() in stored


def test_a_new_token_replaces_the_old_one(tmp_path: Path) -> None:
    study, tokens = small_study(tmp_path)
    token = study.renew("ann")
    assert study.annotator_of(tokens["ann"]) is None
    assert study.annotator_of(token) == "ann"
    with pytest.raises(SpecError, match="Unknown annotator 'cy'"):
        study.renew("cy")


def test_what_is_shown_has_the_texts_in_columns_and_nothing_of_methods(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    shown = study.shown("ann", 1)
    assert (shown.place, shown.places) == (1, 6)
    assert [each.label for each in shown.sets] == ["Set 1", "Set 2", "Set 3"]
    assert {each.score for each in shown.sets} == {None}
    everything = repr([study.shown(name, place) for name in ("ann", "bob") for place in range(1, 7)])
    for hidden in ("alpha", "beta", "gamma", "prompt"):
        assert hidden not in everything
    with pytest.raises(AnswerError, match="from 1 to 6, got 7"):
        study.shown("ann", 7)
    for place in (0, -1, 2**70, True, "1"):
        with pytest.raises(AnswerError):
            study.shown("ann", place)  # type: ignore[arg-type]


def test_columns_are_balanced_and_orders_differ_between_annotators(tmp_path: Path) -> None:
    methods = [f"m{number}" for number in range(5)]
    study, _ = small_study(tmp_path, methods=methods, packages=20, annotators=["a", "b", "c"])
    by_set = {each.set: each for each in study.sets()}
    orders = {}
    for name in ("a", "b", "c"):
        columns = study.columns_of(name)
        counts = Counter((by_set[number].method, column) for (_, column), number in columns.items())
        # 20 packages and 5 methods: each method is in each column 20 / 5 = 4 times.
        assert set(counts.values()) == {4}
        assert len(counts) == 25
        orders[name] = {
            by_set[columns[place, 1]].package: [columns[place, column] for column in range(1, 6)]
            for place in range(1, 21)
        }
        assert sorted(orders[name]) == list(range(1, 21))
    assert list(orders["a"]) != list(orders["b"])
    for package in range(1, 21):
        assert orders["a"][package] != orders["b"][package] != orders["c"][package]


def test_answers_are_kept_and_the_latest_counts(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    first = study.save("ann", 2, 1, 10, "one")
    second = study.save("ann", 2, 1, 20, "two")
    assert second > first
    assert study.shown("ann", 2).sets[0].score == 20
    assert study.shown("bob", 2).sets[0].score is None
    assert [(answer.score, answer.latest) for answer in study.answers()] == [(10, False), (20, True)]
    assert [answer.score for answer in study.answers(every=False)] == [20]
    answer = study.answers()[1]
    column = study.columns_of("ann")[2, 1]
    known = next(each for each in study.sets() if each.set == column)
    assert (answer.method, answer.package, answer.set) == (known.method, known.package, known.set)
    ann, bob = study.progress()
    assert (ann.scored, ann.sets, ann.complete, ann.packages) == (1, 18, 0, 6)
    assert (bob.scored, bob.last) == (0, "")
    study.save("ann", 2, 2, 1, "three")
    study.save("ann", 2, 3, 50, "four")
    assert study.progress()[0].complete == 1
    assert [place.complete for place in study.packages_of("ann")] == [False, True, False, False, False, False]


def test_a_repeated_request_is_stored_once_and_a_reused_key_is_refused(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    number = study.save("ann", 1, 1, 10, "key")
    assert study.save("ann", 1, 1, 10, "key") == number
    assert study.save("bob", 1, 1, 11, "key") != number  # keys of annotators are independent
    for column, score in ((1, 11), (2, 10)):
        with pytest.raises(AnswerError, match="used before"):
            study.save("ann", 1, column, score, "key")
    assert len(study.answers()) == 2


@pytest.mark.parametrize("score", [0.99, 50.01, -1, float("nan"), float("inf"), True, "10", None, 10**400])
def test_scores_outside_the_scale_or_that_are_no_numbers_are_refused(tmp_path: Path, score: object) -> None:
    study, _ = small_study(tmp_path)
    with pytest.raises(AnswerError, match="from 1 to 50"):
        study.save("ann", 1, 1, score, "key")  # type: ignore[arg-type]
    assert study.answers() == []


def test_sets_that_do_not_exist_and_bad_keys_are_refused(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    for name, place, column, key in (
        ("ann", 1, 4, "key"),
        ("ann", 7, 1, "key"),
        ("nobody", 1, 1, "key"),
        ("owner", 1, 1, "key"),
        ("ann", 1, 1, ""),
        ("ann", 1, 1, "x" * 201),
        ("ann", 1, 1, "a\0b"),
    ):
        with pytest.raises(AnswerError):
            study.save(name, place, column, 10, key)
    assert study.answers() == []


def test_several_answers_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    with pytest.raises(AnswerError):
        study.save_all([NewAnswer("ann", 1, 1, 10, "a"), NewAnswer("ann", 1, 2, 51, "b")])
    assert study.answers() == []


def test_comments_are_kept_and_the_latest_is_shown(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    study.comment("ann", 3, "first", "a")
    study.comment("ann", 3, "<script>alert(1)</script> \u202e", "b")
    study.comment("ann", 3, "first", "a")
    assert study.shown("ann", 3).comment == "<script>alert(1)</script> \u202e"
    assert study.shown("bob", 3).comment == ""
    assert [comment.text for comment in study.comments()] == ["first", "<script>alert(1)</script> \u202e"]
    with pytest.raises(AnswerError, match="at most 10,000 characters"):
        study.comment("ann", 3, "x" * 10_001, "c")


def test_nothing_in_the_file_can_change_or_remove_an_answer(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    study.save("ann", 1, 1, 10, "key")
    study.close()
    connection = sqlite3.connect(tmp_path / "small.study")
    for statement in ("UPDATE answers SET score = 1", "DELETE FROM answers"):
        with pytest.raises(sqlite3.DatabaseError, match="never"):
            connection.execute(statement)
    connection.close()


def test_a_study_is_not_overwritten_and_is_private(tmp_path: Path) -> None:
    study, _ = small_study(tmp_path)
    study.close()
    assert (tmp_path / "small.study").stat().st_mode & 0o077 == 0
    with pytest.raises(InputError, match="the file exists"):
        StudyStore.create(tmp_path / "small.study", small_plan())
    with pytest.raises(InputError, match="folder does not exist"):
        StudyStore.create(tmp_path / "no" / "small.study", small_plan())
    assert [path.name for path in tmp_path.iterdir()] == ["small.study"]


def test_a_plan_that_cannot_work_leaves_no_file(tmp_path: Path) -> None:
    plan = small_plan()
    for bad in (
        replace(plan, low=5, high=5),
        replace(plan, annotators=[]),
        replace(plan, annotators=["ann", "ann"]),
        replace(plan, annotators=["owner"]),
        replace(plan, packages=[]),
    ):
        with pytest.raises((InputError, SpecError)):
            StudyStore.create(tmp_path / "bad.study", bad)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, None])
def test_other_files_are_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other.study"
    if content is None:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE t (x)")
        connection.close()
    else:
        path.write_bytes(content)
    with pytest.raises(InputError, match="expected a file of `distinctly study new`"):
        StudyStore(path)
    with pytest.raises(InputError, match="does not exist"):
        StudyStore(tmp_path / "none.study")


def test_hostile_texts_come_back_as_they_were(tmp_path: Path) -> None:
    texts = ["</script><script>alert(1)</script>", "\x00\x1b[31m", "\u202eabc", "\ud800", "x" * 1_000_000]
    plan = small_plan(packages=1, annotators=["ann"])
    package = replace(plan.packages[0], sets=dict.fromkeys(plan.packages[0].sets, texts))
    study, _ = StudyStore.create(tmp_path / "hostile.study", replace(plan, packages=[package]))
    assert all(shown.texts == texts for shown in study.shown("ann", 1).sets)


def test_many_threads_save_at_once(tmp_path: Path) -> None:
    names = [f"annotator-{number}" for number in range(10)]
    study, _ = small_study(tmp_path, annotators=names)

    def score_all(name: str) -> list[int]:
        return [
            study.save(name, place, column, place + column, f"{place} {column}")
            for place in range(1, 7)
            for column in range(1, 4)
        ]

    with ThreadPoolExecutor(10) as pool:
        numbers = [number for several in pool.map(score_all, names) for number in several]
    # 10 annotators × 6 packages × 3 sets.
    assert len(set(numbers)) == 180
    assert sorted(answer.number for answer in study.answers()) == sorted(numbers)
    assert all(progress.complete == 6 for progress in study.progress())


WORKER = """
import sys
from distinctly.studies.store import StudyStore
study = StudyStore(sys.argv[1])
number = 0
while True:
    number += 1
    key = f"{sys.argv[3]} {number}"
    print(study.save(sys.argv[2], number % 6 + 1, number % 3 + 1, number % 50 + 1, key), key, flush=True)
"""


@posix
def test_every_acknowledged_answer_survives_killed_processes(tmp_path: Path) -> None:
    names = ["ann", "bob", "cy", "dee"]
    study, _ = small_study(tmp_path, annotators=names)
    path = tmp_path / "small.study"
    acknowledged: list[str] = []

    def read(process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        acknowledged.extend(line.strip() for line in process.stdout if line.endswith("\n"))

    for round_ in range(2):
        before = len(acknowledged)
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, str(path), name, f"{round_} {name}"],
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in names
        ]
        readers = [threading.Thread(target=read, args=(process,)) for process in processes]
        for reader in readers:
            reader.start()
        deadline = time.monotonic() + 60
        while len(acknowledged) < before + 100 and time.monotonic() < deadline:
            time.sleep(0.01)
        for process in processes:
            process.send_signal(signal.SIGKILL)
        for reader in readers:
            reader.join()
        for process in processes:
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
    assert len(acknowledged) >= 200
    study.close()
    with StudyStore(path) as again:
        stored = Counter(f"{answer.number} {answer.key}" for answer in again.answers())
        again.save("ann", 1, 1, 5, "after")  # the file can still be written
    assert all(stored[line] == 1 for line in acknowledged)
    # Each process was killed at most between a commit and its acknowledgement.
    assert len(stored) <= len(acknowledged) + 2 * len(names)


FULL = """
import resource, sys
from distinctly.errors import ResourceError
from distinctly.studies.store import StudyStore
study = StudyStore(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
acknowledged = []
try:
    for number in range(100_000):
        key = f"{number} " + "x" * 150
        acknowledged.append(study.save("ann", 1, 1, number % 50 + 1, key))
except ResourceError as error:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("refused", error, file=sys.stderr)
    assert len(study.answers()) == len(acknowledged)
    study.save("ann", 1, 2, 5, "there is space again")
print(*acknowledged)
"""


def test_a_full_disk_refuses_answers_and_loses_none(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="needs a limit of file sizes")
    study, _ = small_study(tmp_path)
    study.close()
    path = tmp_path / "small.study"
    # Files cannot grow beyond 200 kB, as if the disk were full there.
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), "200000"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stderr
    assert "nothing was saved" in done.stderr
    acknowledged = [int(number) for number in done.stdout.split()]
    assert len(acknowledged) > 10
    with StudyStore(path) as again:
        stored = [answer.number for answer in again.answers()]
    assert stored[:-1] == acknowledged
    assert len(stored) == len(acknowledged) + 1


def test_a_full_database_refuses_answers_and_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = small_study(tmp_path)
    study.close()
    from distinctly.studies import database

    connect = database.connect

    def limited(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        return connection

    monkeypatch.setattr(database, "connect", limited)
    acknowledged = []
    full = StudyStore(tmp_path / "small.study")

    def save_until_full() -> None:
        acknowledged.extend(
            full.save("ann", 1, 1, number % 50 + 1, f"{number} " + "x" * 150) for number in range(10_000)
        )

    with pytest.raises(ResourceError, match="nothing was saved, since the disk is full"):
        save_until_full()
    assert len(acknowledged) > 10
    assert [answer.number for answer in full.answers()] == acknowledged
    full.close()
    monkeypatch.undo()
    with StudyStore(tmp_path / "small.study") as again:
        assert [answer.number for answer in again.answers()] == acknowledged
        again.save("ann", 1, 1, 5, "after")


def test_a_study_can_be_used_after_a_fork(tmp_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    study, _ = small_study(tmp_path)
    study.save("ann", 1, 1, 5, "parent")
    child = os.fork()
    if child == 0:
        study.save("ann", 1, 2, 6, "child")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert [answer.key for answer in study.answers()] == ["parent", "child"]
