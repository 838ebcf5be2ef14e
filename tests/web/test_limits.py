"""Requests that are too large, too slow or too many, and measurements that take too long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from distinctly.web.app import create_app
from distinctly.web.refusals import RefusalError
from distinctly.web.settings import Settings
from distinctly.web.workers import Workers

ADDRESS = "http://127.0.0.1:8765"
SMALL = {"texts": ["a b", "a b c"], "metrics": ["distinct:n=1"]}
# Ten thousand classifiers of 400 texts: takes minutes.
LONG = {
    "reference": [f"text {number} of very many texts" for number in range(200)],
    "candidate": [f"text {number} of very many others" for number in range(200)],
    "metrics": ["classifier"],
    "permutations": 10_000,
}


@pytest.fixture(scope="module")
def small() -> Iterator[TestClient]:
    """A client of a server that accepts 4 MB and 3 seconds, and lets one request wait."""
    settings = Settings(workers=1, body_limit=4_000_000, seconds=3, queue_limit=1)
    with TestClient(create_app(settings), base_url=ADDRESS) as started:
        yield started


@pytest.mark.parametrize("path", ["/api/measure", "/api/files/measure", "/login"])
def test_a_large_request_is_refused_by_its_length(small: TestClient, path: str) -> None:
    answer = small.post(path, content=b"x" * 4_000_001, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["error"].startswith("The request is larger than 4 MB")


@pytest.mark.slow
def test_a_large_request_without_a_length_is_refused(small: TestClient) -> None:
    pieces = iter([b"x" * 100_000] * 50)
    answer = small.post("/api/measure", content=pieces, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.slow
def test_a_long_measurement_is_ended_and_the_next_is_answered(small: TestClient) -> None:
    answer = small.post("/api/compare", json=LONG)
    assert answer.status_code == 503
    assert "took longer than 3 seconds" in answer.json()["error"]
    assert answer.headers["retry-after"]
    assert small.post("/api/measure", json=SMALL).status_code == 200


@pytest.mark.slow
def test_beyond_the_queue_requests_are_refused(small: TestClient) -> None:
    with ThreadPoolExecutor(8) as threads:
        long = threads.submit(small.post, "/api/compare", json=LONG)
        time.sleep(1)
        answers = list(threads.map(lambda _: small.post("/api/measure", json=SMALL), range(5)))
        assert small.get("/").status_code == 200  # pages need no worker
        assert long.result().status_code == 503
    # One may wait, and is then measured or, on a busy machine, too late.
    (waited,) = [answer for answer in answers if "already waiting" not in answer.json().get("error", "")]
    assert waited.status_code in (200, 503)
    refused = [answer for answer in answers if answer is not waited]
    assert {answer.status_code for answer in refused} == {503}
    assert all(answer.headers["retry-after"] for answer in refused)


def _exit(status: int) -> None:
    import os

    os._exit(status)


def test_a_process_that_ends_is_replaced() -> None:
    async def run() -> int:
        workers = Workers(1, 4)
        workers.start()
        try:
            with pytest.raises(RefusalError, match="has ended"):
                await workers.run(_exit, 9, seconds=30)
            return await workers.run(len, "abc", seconds=30)
        finally:
            workers.stop()

    assert asyncio.run(run()) == 3
