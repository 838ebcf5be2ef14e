"""A small server of files on this machine, which breaks connections and refuses on request."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Files:
    """The files of a server by path, and how it answers.

    Attributes
    ----------
    cuts
        The number of bodies of more than one byte that are cut off after half of them.
    has_ranges, has_length, status
        Whether it knows ranges and lengths, and the status of all answers, if it is an error.
    encoding
        The compression that it claims, if any.
    missing
        The number of bytes at the end of files that it announces, but does not have.
    requests, passwords
        The number of bytes that each request asked for, and the passwords that came with them.
    """

    by_path: dict[str, bytes] = field(default_factory=dict)
    cuts: int = 0
    has_ranges: bool = True
    has_length: bool = True
    status: int = 200
    encoding: str = ""
    missing: int = 0
    requests: list[int] = field(default_factory=list)
    passwords: set[str] = field(default_factory=set)
    address: str = ""


@contextmanager
def served(by_path: dict[str, bytes]) -> Iterator[Files]:
    """Serve files over http, as a web server or an object store does."""
    files = Files(by_path)

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self, *, with_body: bool) -> None:
            if "Authorization" in self.headers and self.headers["Authorization"].startswith("Basic"):
                files.passwords.add(self.headers["Authorization"])
            body = files.by_path.get(self.path.partition("?")[0])
            if body is None or files.status != 200:
                self.send_response(404 if files.status == 200 else files.status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            size = len(body) + files.missing
            asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if asked and files.has_ranges:
                start, end = int(asked[1]), min(int(asked[2]) + 1, size)
                self.send_response(206 if start < size else 416)
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}" if size else "bytes */0")
            else:
                start, end = 0, size
                self.send_response(200)
            if files.has_length:
                self.send_header("Content-Length", str(max(end - start, 0)))
            self.send_header("ETag", f'"{hash(body)}"')
            self.send_header("Last-Modified", "Wed, 18 Nov 2026 05:00:00 GMT")
            if files.encoding:
                self.send_header("Content-Encoding", files.encoding)
            self.send_header("Connection", "close")
            self.end_headers()
            if not with_body:
                return
            part = body[start:end]
            if len(part) > 1:
                files.requests.append(len(part))
                if files.cuts:
                    files.cuts -= 1
                    part = part[: len(part) // 2]
            self.wfile.write(part)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    files.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield files
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
