"""Behind a reverse proxy: its name and its origin are accepted, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.studies.fixtures import small_study

from distinctly.errors import SpecError
from distinctly.web.app import create_app
from distinctly.web.settings import Settings

TOKEN = "a-secret-of-many-characters"
PUBLIC = "https://study.example.org"
BODY = {"package": 1, "column": 1, "score": 5, "key": "k"}


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[TestClient, str]]:
    """A client of a server with a public address, and the path that saves an answer."""
    store, tokens = small_study(tmp_path)
    settings = Settings(token=TOKEN, public_address=PUBLIC, workers=1, studies=(store.path,))
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8765", follow_redirects=False) as client:
        yield client, f"/study/{tokens['ann']}/answers"
    store.close()


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("study.example.org", PUBLIC),
        ("STUDY.example.org:443", PUBLIC),
        ("127.0.0.1:8765", PUBLIC),  # a proxy that names this server by its local address
        ("127.0.0.1:8765", "http://127.0.0.1:8765"),  # without the proxy
        ("study.example.org", None),  # a program that is no browser
    ],
)
def test_requests_by_the_proxy_are_accepted(
    proxied: tuple[TestClient, str], host: str, origin: str | None
) -> None:
    client, path = proxied
    headers = {"Host": host, **({} if origin is None else {"Origin": origin})}
    assert client.post(path, json=BODY, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("other.example.org", PUBLIC, 400),
        ("study.example.org:8765", PUBLIC, 400),
        ("study.example.org.evil.example", PUBLIC, 400),
        ("study.example.org", "http://study.example.org", 403),
        ("study.example.org", "https://evil.example", 403),
        ("study.example.org", "https://study.example.org:444", 403),
        ("study.example.org", "null", 403),
        ("127.0.0.1:8765", "https://evil.example", 403),
    ],
)
def test_others_are_refused(proxied: tuple[TestClient, str], host: str, origin: str, status: int) -> None:
    client, path = proxied
    assert client.post(path, json=BODY, headers={"Host": host, "Origin": origin}).status_code == status


def test_other_pages_need_the_token_and_its_cookie_is_secure(proxied: tuple[TestClient, str]) -> None:
    client, _ = proxied
    headers = {"Host": "study.example.org", "Origin": PUBLIC}
    assert client.get("/studies", headers=headers).status_code == 401
    assert client.post("/api/measure", json={"texts": ["a"]}, headers=headers).status_code == 401
    signed_in = client.post("/login", data={"token": TOKEN}, headers=headers)
    assert signed_in.status_code == 303
    cookie = signed_in.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("secure", "httponly", "samesite=strict"))


def test_without_a_public_address_its_name_is_unknown(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(workers=1)), base_url="http://127.0.0.1:8765") as client:
        assert client.get("/", headers={"Host": "study.example.org"}).status_code == 400


def test_a_public_address_needs_a_token() -> None:
    with pytest.raises(SpecError, match="also give --token"):
        Settings(public_address=PUBLIC)


@pytest.mark.parametrize(
    "address",
    [
        "study.example.org",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://u@x",
        "https://x?y",
        "https://x:y",
        "",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SpecError, match="https://study.example.org"):
        Settings(token=TOKEN, public_address=address)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("HTTPS://Study.Example.org/", "https://study.example.org"),
        ("https://study.example.org:443", "https://study.example.org"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_is_kept_as_browsers_write_origins(address: str, origin: str) -> None:
    assert Settings(token=TOKEN, public_address=address).public_address == origin
