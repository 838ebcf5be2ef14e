"""The server on this machine: large requests, one that is refused, and many clients at once.

`python -m benchmarks.web` starts `distinctly serve` on a free port of the loopback address, and prints a
table. Processor seconds are those of the server and of its worker processes.
"""

from __future__ import annotations

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
from pathlib import Path

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


def large(server: Server) -> Iterator[str]:
    """Measure 10 MB, three times each."""
    lines = texts(10_000_000)
    pasted = request(lines, ["distinct", "ead", "entropy", "duplicates"])
    calculated = json.dumps({"texts": lines}).encode()
    uploaded, kind = form(lines)
    for what, path, body, headers in (
        ("10 MB pasted, `/api/measure`, default metrics", "/api/measure", pasted, JSON),
        ("10 MB pasted in the calculator", "/api/calculate", calculated, JSON),
        ("10 MB uploaded, `/api/files/measure`", "/api/files/measure", uploaded, kind),
    ):
        server.post(path, body, headers)  # the first of a kind may compile
        before = server.processor_seconds()
        answers = [server.post(path, body, headers) for _ in range(3)]
        used = (server.processor_seconds() - before) / 3
        check({status for _, status in answers}, {200})
        yield f"| {what} | {max(seconds for seconds, _ in answers):.2f} (longest of 3) | {used:.2f} |"


def refused(server: Server) -> Iterator[str]:
    """Send 1 GB, with its length and without, while pages are asked for."""
    for what, chunked in (("with its length", False), ("in pieces of unknown number", True)):
        before, waits, stop = server.processor_seconds(), list[float](), threading.Event()
        watching = threading.Thread(target=_ask_for_pages, args=(server, waits, stop))
        watching.start()
        began = time.perf_counter()
        connection = server.connect()
        connection.putrequest("POST", "/api/measure")
        connection.putheader("Content-Type", "application/json")
        connection.putheader(
            *(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", "1000000000"))
        )
        connection.endheaders()
        piece, sent = b"x" * 1_000_000, 0
        try:
            for _ in range(1000):
                connection.send(b"f4240\r\n" + piece + b"\r\n" if chunked else piece)
                sent += 1
        except OSError:  # the server has closed the connection
            pass
        answer = connection.getresponse()
        message = json.loads(answer.read())["error"]
        seconds = time.perf_counter() - began
        stop.set()
        watching.join()
        check({answer.status}, {413})
        used = server.processor_seconds() - before
        yield (
            f"| 1 GB {what}: refused ({message.partition('.')[0]}), {sent} MB taken; meanwhile pages in at "
            f"most {max(waits) * 1000:.0f} ms | {seconds:.2f} | {used:.2f} |"
        )


def _ask_for_pages(server: Server, waits: list[float], stop: threading.Event) -> None:
    while not stop.is_set():
        began = time.perf_counter()
        connection = server.connect()
        connection.request("GET", "/docs")
        check({connection.getresponse().status}, {200})
        connection.close()
        waits.append(time.perf_counter() - began)
        time.sleep(0.05)


def many(server: Server) -> Iterator[str]:
    """Let clients send one request of 100 kB per second each."""
    body = request(texts(100_000), ["distinct", "ead"])
    waits: list[float] = []
    generator = random.Random(1)
    before, began = server.processor_seconds(), time.perf_counter()

    def client(offset: float) -> None:
        for second in range(SECONDS):
            time.sleep(max(0.0, began + second + offset - time.perf_counter()))
            seconds, status = server.post("/api/measure", body, JSON)
            check({status}, {200})
            waits.append(seconds)

    threads = [threading.Thread(target=client, args=(generator.random(),)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check({len(waits)}, {CLIENTS * SECONDS})
    used = server.processor_seconds() - before
    median, *_ = statistics.quantiles(waits, n=2)
    p95 = statistics.quantiles(waits, n=20)[-1]
    yield (
        f"| 100 kB, `distinct` and `ead`, {CLIENTS} clients of one request per second, {SECONDS} s: median "
        f"{median * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, longest {max(waits) * 1000:.0f} ms "
        f"| {time.perf_counter() - began:.1f} | {used:.1f} |"
    )


def check(values: set[int], expected: set[int]) -> None:
    if values != expected:
        raise RuntimeError(f"expected {expected}, got {values}")


def main() -> None:
    """Print the table."""
    print("| | wall seconds | processor seconds |\n|---|---:|---:|")
    with serving() as server:
        for measurement in (large, refused, many):
            for line in measurement(server):
                print(line, flush=True)


if __name__ == "__main__":
    main()
