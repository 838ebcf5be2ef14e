"""Reports from uploads: the page, its policy, names of files, and errors above the form."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

VARIED = "\n".join(
    f"The {animal} {verb} home." for animal in ("cat", "dog", "owl") for verb in ("ran", "flew")
)
SAME = "\n".join(["I think it is a good idea."] * 6)
PAGE = {"Accept": "text/html"}


@pytest.mark.slow
def test_files_give_a_report_with_its_own_policy(client: TestClient) -> None:
    files = [
        ("files", ("../<b>varied.txt", VARIED.encode())),
        ("files", ("same.txt", SAME.encode())),
        ("reference", ("", b"")),  # left empty in the form
    ]
    answer = client.post("/report", files=files, data={"tokenizer": "words", "field": ""}, headers=PAGE)
    assert answer.status_code == 200, answer.text
    assert "The report is ready" in answer.text
    report = client.get(f"{answer.url.path}/report.html")
    assert report.headers["content-type"] == "text/html; charset=utf-8"
    policy = report.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert policy.endswith("frame-ancestors 'none'")
    assert "&lt;b&gt;varied" in report.text
    assert "<b>varied" not in report.text
    saved = client.get(f"{answer.url.path}/report.html?download=1")
    assert saved.headers["content-disposition"] == 'attachment; filename="report.html"'
    assert saved.content == report.content


@pytest.mark.parametrize(
    ("files", "options", "words"),
    [
        ([("files", ("a.jsonl", b'{"x": "a b"}\n{"y": 1}\n'))], {"field": "x"}, "a.jsonl, line 2"),
        ([("files", ("a.txt", b"a b\n"))], {"metrics": "os:getcwd"}, "calls no functions"),
        ([("files", ("a.txt", b"a b\n"))], {"tokenizer": "hf:gpt2"}, "does not use the tokenizer"),
        ([("files", ("a.txt", b"a b\n"))], {"output": "/etc/passwd"}, "Unknown field"),
        ([("reference", ("a.txt", b"a b\n"))], {}, "Expected at least one file"),
        ([("files", ("<i>.txt", b"\xff\xfe\xfa\n\x81"))], {"format": "jsonl"}, "&lt;i&gt;.txt"),
    ],
)
def test_errors_are_shown_above_the_form(
    client: TestClient, files: list, options: dict[str, str], words: str
) -> None:
    answer = client.post("/report", files=files, data=options, headers=PAGE)
    assert answer.status_code == 422
    shown = answer.text.partition('role="alert">')[2].partition("</p>")[0]
    assert words in shown
    assert "distinctly-upload" not in shown  # nothing of our folders


def test_an_unknown_report_is_an_error(client: TestClient) -> None:
    assert client.get("/report/unknown").status_code == 404
    assert client.get("/report/..%2F..%2Fetc/report.html").status_code == 404
