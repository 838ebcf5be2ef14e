"""Strangers: other sites, other names of this machine, requests without the token, and hostile specs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from distinctly.errors import SpecError
from distinctly.web.allowed import check_metric
from distinctly.web.app import create_app
from distinctly.web.settings import Settings

ADDRESS = "http://127.0.0.1:8765"
BODY = {"texts": ["a b", "a b c"], "metrics": ["distinct:n=1"]}
TOKEN = "a-secret-of-many-characters"
PAGES = ("/", "/compare", "/report", "/docs")


@pytest.fixture(scope="module")
def owned() -> Iterator[TestClient]:
    """A client of a server that needs a token."""
    settings = Settings(host="0.0.0.0", token=TOKEN, workers=1)
    with TestClient(create_app(settings), base_url=ADDRESS, follow_redirects=False) as started:
        yield started


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
def test_names_of_this_machine_are_accepted(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1.evil.example:8765", "127.0.0.1:80", "127.0.0.1", ""],
)
def test_other_names_are_refused(client: TestClient, host: str) -> None:
    for answer in (
        client.get("/", headers={"Host": host}),
        client.post("/api/measure", json=BODY, headers={"Host": host}),
    ):
        assert answer.status_code == 400
        assert "Unknown host" in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
        {"Sec-Fetch-Site": "none", "Origin": "null"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/api/measure", "/api/compare", "/api/files/measure", "/login"])
def test_posts_of_other_sites_are_refused(client: TestClient, path: str, headers: dict[str, str]) -> None:
    answer = client.post(path, json=BODY, headers=headers)
    assert answer.status_code == 403
    assert "other sites" in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": ADDRESS},
        {"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_our_pages_and_programs_may_post(client: TestClient, headers: dict[str, str]) -> None:
    # Distinct-1 of "a b" and "a b c": 3 distinct of 5 tokens.
    answer = client.post("/api/measure", json=BODY, headers=headers)
    assert answer.json()["scores"][0]["value"] == 0.6


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_form_cannot_stand_in_for_json(client: TestClient, kind: str) -> None:
    answer = client.post("/api/measure", content=b'{"texts": ["a"]}', headers={"Content-Type": kind})
    assert answer.status_code == 415


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_strict_policy(client: TestClient, path: str) -> None:
    answer, again = client.get(path), client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"
    nonce = re.fullmatch(r"'nonce-([\w-]{20,})'", directives["script-src"])
    assert nonce
    assert "unsafe" not in policy
    assert policy != again.headers["content-security-policy"]  # a nonce per request
    scripts = re.findall(r"<script[^>]*>", answer.text)
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)
    assert not re.findall(r"\son\w+=|\sstyle=|javascript:", answer.text)


@pytest.mark.parametrize("path", [*PAGES, "/static/style.css", "/nothing", "/openapi.json"])
def test_every_answer_has_the_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2Fapp.py",
        "%2Fetc%2Fpasswd",
        "style.css/..",
        "%2e%2e/%2e%2e/settings.py",
        "nothing.js",
    ],
)
def test_only_known_files_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_a_metric_opens_no_file() -> None:
    check_metric("function_words")
    with pytest.raises(SpecError, match="This server opens no files, got the option 'words'"):
        check_metric("function_words:words=secret.txt")


@pytest.mark.parametrize(
    "change",
    [
        {"metrics": ["os:getcwd"]},
        {"metrics": ["./evil.py:score"]},
        {"metrics": ["function:path=os:getcwd"]},
        {"metrics": ["distinct:n=1,of=hf(gpt2)"]},
        {"metrics": ["distinct:n=1,of=words(stopwords=secret.txt)"]},
        {"metrics": ["distinct:n=1,of=words(lc=yes%2Cstopwords=secret.txt)"]},
        {"metrics": ["distinct:n=1,of=regex((a+)+b)"]},
        {"metrics": ["distinct:n=1,of=flores200"]},
        {"tokenizer": "hf:gpt2"},
        {"tokenizer": "words:stopwords=secret.txt"},
        {"tokenizer": "words:lc=yes, stopwords=secret.txt"},
        {"tokenizer": "regex:(a+)+b"},
        {"tokenizer": "flores200"},
        {"embedder": "sbert:evil/model"},
        {"embedder": "onnx:secret.onnx"},
        {"embedder": "vectors:secret.npy"},
        {"tagger": "os:getcwd"},
        {"tagger": "hanta"},
        {"signature": "distinct|n:1|tok:words,lc:no|v:0.1.0", "trust": True},
        {"texts": "secret.txt"},
        {"texts": {"a": "secret.txt"}},
        {"reference": "secret.txt"},
        {"cache": True},
        {"field": "text"},
        {"device": "cuda"},
    ],
)
def test_a_client_names_no_code_and_no_files(
    client: TestClient, change: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("secret words\n", encoding="utf-8")
    answer = client.post("/api/measure", json={**BODY, **change})
    assert answer.status_code == 422
    assert "secret words" not in answer.text


def test_hostile_texts_come_back_as_json_only(client: TestClient) -> None:
    hostile = "</script><script>alert(1)</script> <img src=x onerror=alert(1)> \u202e \x07 {{ 7 * 7 }}"
    answer = client.post("/api/calculate", json={"texts": [hostile, hostile], "n": 2})
    assert answer.headers["content-type"] == "application/json"
    assert "".join(part for part, _ in answer.json()["repeated"]["texts"][0]) == hostile


def test_errors_are_escaped_in_pages(client: TestClient) -> None:
    answer = client.get("/<script>alert(1)</script>", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


def test_without_the_token_nothing_is_shown(owned: TestClient) -> None:
    for path in PAGES:
        assert owned.get(path).status_code == 401
        redirected = owned.get(path, headers={"Accept": "text/html"})
        assert (redirected.status_code, redirected.headers["location"]) == (303, "/login")
    assert owned.post("/api/measure", json=BODY).status_code == 401
    wrong = {"Authorization": f"Bearer {TOKEN}x"}
    assert owned.post("/api/measure", json=BODY, headers=wrong).status_code == 401
    assert owned.get("/static/style.css").status_code == 200


def test_the_token_as_a_header(owned: TestClient) -> None:
    answer = owned.post("/api/measure", json=BODY, headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.json()["scores"][0]["value"] == 0.6  # 3 of 5, as above


def test_the_token_at_the_sign_in_page(owned: TestClient) -> None:
    assert owned.post("/login", data={"token": "wrong"}).status_code == 401
    answer = owned.post("/login", data={"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 303
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert owned.get("/").status_code == 200
    owned.cookies.clear()
    assert owned.get("/").status_code == 401


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"host": "0.0.0.0"}, "also give --token"),
        ({"host": "192.168.1.5"}, "also give --token"),
        ({"host": "example.org"}, "also give --token"),
        ({"host": "::"}, "also give --token"),
        ({"token": "short"}, "at least 16 characters"),
    ],
)
def test_an_open_address_needs_a_long_token(settings: dict, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Settings(**settings)


def test_a_server_at_all_addresses_accepts_numbers_but_no_names() -> None:
    settings = Settings(host="0.0.0.0", token=TOKEN)
    assert settings.is_known_host("192.168.1.5:8765")
    assert not settings.is_known_host("evil.example:8765")
    assert TOKEN not in repr(settings)
