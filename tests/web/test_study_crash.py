"""Many annotators, and a server that is killed while they answer: no acknowledged answer is lost."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest
from tests.studies.fixtures import small_plan

from distinctly.studies.store import StudyStore

ANNOTATORS, PACKAGES, METHODS = 50, 20, 10
# The longest that an annotator tries to save one answer, in seconds.
PATIENCE = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(study: Path, port: int) -> subprocess.Popen[str]:
    """Start a server as users do, and wait until it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "distinctly", "serve", "--port", str(port), "--study", str(study)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert f":{port}/" in process.stdout.readline()
    return process


def kill(process: subprocess.Popen[str]) -> None:
    """End a server at once, as ``kill -9`` does."""
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


class Annotator(threading.Thread):
    """One annotator: gives every set a score, and repeats a request until it is acknowledged."""

    def __init__(self, address: str, number: int, counter: Counter[str]) -> None:
        super().__init__(daemon=True)
        self.address, self.number, self.counter = address, number, counter
        self.acknowledged: dict[str, float] = {}
        self.problem = ""

    def run(self) -> None:
        with httpx.Client(timeout=20) as client:
            for package in range(1, PACKAGES + 1):
                for column in range(1, METHODS + 1):
                    score = 1 + (self.number + package * column) % 50
                    key = f"{self.number}-{package}-{column}"
                    self.save(client, {"package": package, "column": column, "score": score, "key": key})
                    if self.problem:
                        return

    def save(self, client: httpx.Client, answer: dict[str, object]) -> None:
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                response = client.post(self.address, json=answer)
            except httpx.HTTPError:
                self.counter["no connection"] += 1
                time.sleep(0.1)
                continue
            if response.status_code == 200:
                self.acknowledged[str(answer["key"])] = float(str(answer["score"]))
                return
            if response.status_code != 503:
                self.problem = f"{response.status_code}: {response.text}"
                return
            self.counter["unavailable"] += 1
            time.sleep(0.1)
        self.problem = "not saved in time"


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    names = [f"annotator-{number}" for number in range(ANNOTATORS)]
    plan = small_plan([f"method-{number}" for number in range(METHODS)], PACKAGES, names)
    store, tokens = StudyStore.create(tmp_path / "crash.study", plan)
    port = free_port()
    process = start(store.path, port)
    counter: Counter[str] = Counter()
    annotators = [
        Annotator(f"http://127.0.0.1:{port}/study/{tokens[name]}/answers", number, counter)
        for number, name in enumerate(names)
    ]
    began = time.perf_counter()
    try:
        for annotator in annotators:
            annotator.start()
        # In the middle: after a third of the answers, and again after two thirds.
        for share in (1, 2):
            while store.last_answer() < ANNOTATORS * PACKAGES * METHODS * share // 3:
                assert any(annotator.is_alive() for annotator in annotators)
                time.sleep(0.05)
            kill(process)
            time.sleep(0.5)
            process = start(store.path, port)
        for annotator in annotators:
            annotator.join()
    finally:
        kill(process)
    seconds = time.perf_counter() - began
    print(f"{ANNOTATORS * PACKAGES * METHODS} answers, {seconds:.1f} s, {dict(counter)}")

    assert [annotator.problem for annotator in annotators] == [""] * ANNOTATORS
    assert counter["no connection"] > 0  # the server was away while they answered
    stored = {(answer.annotator, answer.key): answer.score for answer in store.answers()}
    assert len(store.answers()) == len(stored) == ANNOTATORS * PACKAGES * METHODS  # each once
    acknowledged = {
        (name, key): score
        for name, annotator in zip(names, annotators)
        for key, score in annotator.acknowledged.items()
    }
    assert stored == acknowledged
    assert all(progress.complete == PACKAGES for progress in store.progress())
    store.close()
