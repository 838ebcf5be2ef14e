"""The server, on a free port of the loopback address: large and refused requests, and many clients at once.

Processor seconds are those of the server and of its worker processes.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.turns import Row, in_turns, sized

CLIENTS, SECONDS = 20, 20
WORDS = [f"{stem}{ending}" for stem in ("wa", "bo", "ki", "tu", "le") for ending in range(400)]
JSON = {"Content-Type": "application/json"}


class Server:
    """`distinctly serve` in a process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "distinctly", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().split("//")[1].split("/")[0].rpartition(":")[2])

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[float, int]:
        """Return the seconds until the whole answer has arrived, and its status."""
        connection = self.connect()
        began = time.perf_counter()
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        seconds = time.perf_counter() - began
        connection.close()
        return seconds, answer.status

    def accepted(self, path: str, body: bytes, headers: dict[str, str]) -> float:
        """Return the seconds of a request that is answered."""
        seconds, status = self.post(path, body, headers)
        check({status}, {200})
        return seconds

    def refuse(self, chunked: bool) -> None:
        """Send 1 GB until the server closes the connection."""
        connection = self.connect()
        connection.putrequest("POST", "/api/measure")
        connection.putheader("Content-Type", "application/json")
        connection.putheader(
            *(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", "1000000000"))
        )
        connection.endheaders()
        piece = b"x" * 1_000_000
        with contextlib.suppress(OSError):  # the server has closed the connection
            for _ in range(1000):
                connection.send(b"f4240\r\n" + piece + b"\r\n" if chunked else piece)
        check({connection.getresponse().status}, {413})
        connection.close()

    def processor_seconds(self) -> float:
        return sum(map(_processor_seconds, [self.process.pid, *_children(self.process.pid)]))


def _children(process: int) -> list[int]:
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(word) for children in lists for word in children.read_text().split()]


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    try:
        for _ in range(8):  # all workers are warm
            server.post("/api/measure", request(texts(1000), ["distinct"]), JSON)
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


def texts(size: int) -> list[str]:
    """Return texts of twelve words, of a size in bytes together."""
    generator = random.Random(size)
    lines: list[str] = []
    while size > 0:
        lines.append(" ".join(generator.choices(WORDS, k=12)))
        size -= len(lines[-1]) + 1
    return lines


def request(lines: list[str], metrics: list[str]) -> bytes:
    return json.dumps({"texts": lines, "metrics": metrics}).encode()


def form(lines: list[str]) -> tuple[bytes, dict[str, str]]:
    head = '--x\r\nContent-Disposition: form-data; name="files"; filename="texts.txt"\r\n\r\n'
    content = "\n".join(lines)
    return f"{head}{content}\r\n--x--\r\n".encode(), {"Content-Type": "multipart/form-data; boundary=x"}


def large(server: Server) -> Iterator[Row | str]:
    """Measure 10 MB."""
    lines = texts(sized(10_000_000))
    pasted = request(lines, ["distinct", "ead", "entropy", "duplicates"])
    calculated = json.dumps({"texts": lines}).encode()
    uploaded, kind = form(lines)
    for what, path, body, headers in (
        ("pasted, `/api/measure`, default metrics", "/api/measure", pasted, JSON),
        ("pasted in the calculator", "/api/calculate", calculated, JSON),
        ("uploaded, `/api/files/measure`", "/api/files/measure", uploaded, kind),
    ):
        yield in_turns(
            f"{len(body) / 1e6:.1f} MB {what}",
            partial(server.accepted, path, body, headers),
            processor=server.processor_seconds,
        )


def refused(server: Server) -> Iterator[Row | str]:
    """Send 1 GB, with its length and without, while pages are asked for."""
    for what, chunked in (("with its length", False), ("in pieces, without a length", True)):
        waits, stop = list[float](), threading.Event()
        watching = threading.Thread(target=_ask_for_pages, args=(server, waits, stop))
        watching.start()
        yield in_turns(
            f"1 GB {what}: refused", partial(server.refuse, chunked), processor=server.processor_seconds
        )
        stop.set()
        watching.join()
        yield f"While 1 GB {what} is sent, pages take at most {max(waits) * 1000:.0f} ms."


def _ask_for_pages(server: Server, waits: list[float], stop: threading.Event) -> None:
    while not stop.is_set():
        began = time.perf_counter()
        connection = server.connect()
        connection.request("GET", "/docs")
        check({connection.getresponse().status}, {200})
        connection.close()
        waits.append(time.perf_counter() - began)
        time.sleep(0.05)


def many(server: Server) -> Iterator[Row | str]:
    """Let clients send one request of 100 kB per second each."""
    body = request(texts(100_000), ["distinct", "ead"])
    waits: list[float] = []
    generator = random.Random(1)
    seconds_of_clients = sized(SECONDS, 2)

    def client(began: float) -> None:
        for second in range(seconds_of_clients):
            time.sleep(max(0.0, began + second - time.perf_counter()))
            waits.append(server.accepted("/api/measure", body, JSON))

    def clients() -> None:
        waits.clear()
        began = time.perf_counter()
        threads = [
            threading.Thread(target=client, args=(began + generator.random(),)) for _ in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    what = f"100 kB, {CLIENTS} clients, one request per second each, {seconds_of_clients} s"
    yield in_turns(what, clients, turns=1, processor=server.processor_seconds)
    check({len(waits)}, {CLIENTS * seconds_of_clients})
    median, p95 = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
    yield (
        f"{what}: a request takes {median * 1000:.0f} ms (median), {p95 * 1000:.0f} ms (95th percentile), at "
        f"most {max(waits) * 1000:.0f} ms."
    )


def check(values: set[int], expected: set[int]) -> None:
    if values != expected:
        raise RuntimeError(f"expected {expected}, got {values}")


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    with serving() as server:
        for measurement in (large, refused, many):
            yield from measurement(server)
