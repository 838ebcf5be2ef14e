"""`hf:`: equal to the library for a tokenizer.json from a path, a folder, a cache and a hub."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.tokenizers.samples import ENGLISH, TEXTS, need, save_tokenizer

import distinctly as dy
from distinctly.tokenizers import find_tokenizer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    need("hf")
    return save_tokenizer(tmp_path / "models" / "mine")


def test_equals_the_library(path: Path) -> None:
    from tokenizers import Tokenizer

    theirs, ours = Tokenizer.from_file(str(path)), find_tokenizer(f"hf:{path}")
    for text in TEXTS:
        assert ours.tokenize(text) == theirs.encode(text, add_special_tokens=False).tokens
    assert ours.vocabulary_size == theirs.get_vocab_size() > 256


def test_no_special_tokens_no_truncation_no_padding_no_dropout(path: Path) -> None:
    plain = [find_tokenizer(f"hf:{path}").tokenize(text) for text in TEXTS]
    whole = json.loads(path.read_text(encoding="utf-8"))
    changes = {
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 50},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "<s>",
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<s>", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
        },
        "model": {**whole["model"], "dropout": 0.5},
    }
    other = find_tokenizer(f"hf:{save_tokenizer(path.parent, **changes)}")
    assert [other.tokenize(text) for text in TEXTS] == plain


def test_a_folder_and_its_file_are_the_same(path: Path) -> None:
    folder, file = find_tokenizer(f"hf:{path.parent}"), find_tokenizer(f"hf:{path}")
    assert folder == file
    assert folder.options() == file.options()


def test_options_come_after_the_path(tmp_path: Path) -> None:
    need("hf")
    odd = save_tokenizer(tmp_path / "a,b=c:d")
    tokenizer = find_tokenizer(f"hf:{odd},lc=yes,norm=nfkc")
    assert (tokenizer.lc, tokenizer.norm) == (True, "nfkc")
    score = dy.measure(["Ａ"], "types:n=1", tokenizer=tokenizer)[0]
    assert dy.Signature.parse(score.signature).view[2]["name"] == "./a,b=c:d"


def test_signature_of_a_path_has_the_hash_and_nothing_of_the_machine(path: Path) -> None:
    score = dy.measure(ENGLISH, "types:n=1", tokenizer=f"hf:{path}")[0]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    assert f"|tok:hf,name:./mine,hash:{digest},lc:no|" in score.signature
    assert str(path.parent.parent) not in score.signature


def test_signature_of_a_path_round_trip(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = dy.measure(ENGLISH, "types:n=1", tokenizer=f"hf:{path}")[0]
    spec = dy.Signature.parse(score.signature).tokenizer
    with pytest.raises(
        dy.SpecError, match=r"No tokenizer at './mine'.*only the last part of a path; give the path"
    ):
        find_tokenizer(spec)
    monkeypatch.chdir(path.parent.parent)
    assert dy.measure(ENGLISH, "types:n=1", tokenizer=spec)[0].signature == score.signature


def test_another_content_under_the_same_name_is_an_error(path: Path) -> None:
    old = find_tokenizer(f"hf:{path}")
    save_tokenizer(path.parent, truncation=None, added_tokens=[])
    new = find_tokenizer(f"hf:{path}")
    assert old != new
    with pytest.raises(dy.SpecError, match=f"Expected hash {old.hash} .* got {new.hash}"):
        find_tokenizer(f"hf:{path},hash={old.hash}")


def test_ead_reads_the_vocabulary(path: Path) -> None:
    tokenizer = find_tokenizer(f"hf:{path}")
    size = tokenizer.vocabulary_size
    scores = dy.measure(ENGLISH, ["ead:vocabulary=tokenizer", f"ead:vocabulary={size}"], tokenizer=tokenizer)
    assert scores[0].value == scores[1].value
    assert "vocabulary:tokenizer" in scores[0].signature


def test_a_pickle_holds_no_vocabulary_and_works_from_another_folder(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent.parent)
    tokenizer = find_tokenizer("hf:mine")
    packed = pickle.dumps(tokenizer)
    assert len(packed) < 1000
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(packed).tokenize("The cat") == tokenizer.tokenize("The cat")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "Expected a path or a hub name after 'hf:'"),
        ("nowhere/tokenizer.json", "No tokenizer at 'nowhere/tokenizer.json'"),
        ("/no/such/folder", "No tokenizer at '/no/such/folder'"),
        ("bad.json", "Expected a tokenizer.json of the package tokenizers"),
        ("empty", "No tokenizer at 'empty'"),
    ],
)
def test_invalid_tokenizers_are_errors(
    source: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("hf")
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text('{"hello": 1}')
    Path("empty").mkdir()
    with pytest.raises(dy.SpecError, match=words):
        find_tokenizer(f"hf:{source}")


def test_unencodable_text_is_an_error(path: Path) -> None:
    with pytest.raises(dy.InputError, match="half a surrogate pair"):
        find_tokenizer(f"hf:{path}").tokenize("a\ud800b")


def test_vocabulary_without_an_unknown_token_is_an_error(tmp_path: Path) -> None:
    need("hf")
    from tokenizers import Tokenizer, models

    Tokenizer(models.WordLevel({"a": 0}, unk_token="[UNK]")).save(str(tmp_path / "words.json"))
    tokenizer = find_tokenizer(f"hf:{tmp_path / 'words.json'}")
    assert tokenizer.tokenize("a") == ["a"]
    with pytest.raises(dy.InputError, match=r"cannot tokenize 'b': .*\[UNK\]"):
        tokenizer.tokenize("b")


@pytest.fixture
def hub(path: Path) -> Iterator[str]:
    """Serve `owner/tiny` as the hub does, on this machine."""
    content = path.read_bytes()

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            known = self.path == "/owner/tiny/resolve/main/tokenizer.json"
            self.send_response(200 if known else 404)
            for key, value in {"ETag": '"e1"', "X-Repo-Commit": "c" * 40}.items() if known else ():
                self.send_header(key, value)
            if not known:
                self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", str(len(content) if known else 0))
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            if self.path == "/owner/tiny/resolve/main/tokenizer.json":
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def measured(tokenizer: str, folder: Path, endpoint: str) -> subprocess.CompletedProcess[str]:
    """Run the command against a hub; it must end before the hub's own timeout (23 s)."""
    (folder / "texts.txt").write_text("The cat sat.\n", encoding="utf-8")
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(folder / "home"), "NO_PROXY": "127.0.0.1"}
    plain = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    arguments = ["measure", "texts.txt", "-m", "types:n=1", "--format", "json", "--tokenizer", tokenizer]
    return subprocess.run(
        [sys.executable, "-m", "distinctly", *arguments],
        cwd=folder,
        env={**plain, **settings},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


NOBODY = "http://127.0.0.1:9"


def test_hub_name_is_downloaded_once_and_signature_round_trip(hub: str, path: Path, tmp_path: Path) -> None:
    done = measured("hf:owner/tiny", tmp_path, hub)
    assert (done.returncode, done.stderr) == (0, "")
    signature = dy.Signature.parse(json.loads(done.stdout)["scores"][0]["signature"])
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    assert signature.tokenizer == f"hf:owner/tiny,hash={digest},lc=no"
    # The hub is unreachable now, and is not needed.
    again = measured(signature.tokenizer, tmp_path, NOBODY)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_unknown_name_is_an_error(hub: str, tmp_path: Path) -> None:
    done = measured("hf:owner/tinny", tmp_path, hub)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Cannot download the tokenizer 'owner/tinny' from the Hugging Face hub" in done.stderr
    assert "give the path of its file, as in hf:models/mine/tokenizer.json" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["gpt2", "owner/tiny", "no name!"])
def test_without_a_network_the_error_comes_soon(name: str, tmp_path: Path) -> None:
    need("hf")
    done = measured(f"hf:{name}", tmp_path, NOBODY)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Cannot download the tokenizer '{name}' from the Hugging Face hub" in done.stderr
    assert done.stderr.count("\n") == 1
