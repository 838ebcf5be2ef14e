"""Signatures, files and folders of strangers run no code."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

TEXTS = ["the cat sat", "a dog ran"]
# Modules that the command needs, and that come with Python or with packages.
SHADOWED = ("numpy", "click", "rich", "json", "typing", "typing_extensions", "difflib", "signal", "tempfile")
LEAVES_A_MARK = "import pathlib\npathlib.Path({!r}).touch()\n"
FACTS = "texts:2#0000000000000000|v:0.1.0"
WORDS = f"tok:words,lc:no|{FACTS}"
DISTINCT = "distinct|n:1|pool:corpus|denominator:ngrams"
VENDI = "vendi|q:1|kernel:cosine"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with a module whose import and whose functions leave a mark."""
    mark = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(
        LEAVES_A_MARK.format(str(mark)) + "def run(texts):\n    return 1\ndef apart(a, b):\n    return 1\n"
    )
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    yield tmp_path
    sys.modules.pop("evil", None)


@pytest.fixture
def offline(monkeypatch):
    """Any connection is a failure of the test."""

    def connect(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)


# Signatures: functions

FUNCTIONS = {
    "a function": f"function|path:evil%3Arun|gets:texts|reverse:no|{WORDS}",
    "a function of a library": f"function|path:subprocess%3Agetoutput|gets:texts|reverse:no|{WORDS}",
    "a function of a file": f"function|path:evil.py%3Arun|gets:texts|reverse:no|{WORDS}",
    "a function as the name": f"evil:run|{WORDS}",
    "a function as the name, with options": f"evil:run,gets=texts|{WORDS}",
    "a function in capitals": f"Function|path:evil%3Arun|{WORDS}",
    "a path with a view": f"function|path:evil%3Arun|gets:tokens|reverse:no|tok:words,lc:no|{FACTS}",
}


@pytest.mark.parametrize("signature", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_signature_runs_no_function(folder, signature):
    for call in (
        lambda: dy.measure(TEXTS, signature=signature),
        lambda: dy.compare(TEXTS, TEXTS, signature=signature),
        lambda: dy.metric_of(signature),
        lambda: dy.measure(TEXTS, signature=dy.Signature.parse(signature)),
    ):
        with pytest.raises(dy.SpecError) as raised:
            call()
        assert "\n" not in str(raised.value)
        if not signature.startswith("F"):
            assert "trust=True" in str(raised.value)
            assert "evil" in str(raised.value) or "subprocess:getoutput" in str(raised.value)
    assert not (folder / "mark").exists()
    assert "evil" not in sys.modules


def test_a_trusted_signature_runs_the_function(folder):
    signature = FUNCTIONS["a function"]
    assert dy.measure(TEXTS, signature=signature, trust=True)[0].value == 1
    assert (folder / "mark").exists()
    distance = f"distance_function|path:evil%3Aapart|gets:texts|reverse:no|{WORDS}"
    assert dy.compare(TEXTS, TEXTS, signature=distance, trust=True)[0].value == 1


def test_the_function_itself_needs_no_trust(folder):
    def run(texts):
        return 7

    def other(texts):
        return 8

    run.__qualname__, other.__qualname__ = "run", "other"
    signature = f"function|path:evil%3Arun|gets:texts|reverse:yes|txt:raw|{FACTS}"
    score = dy.measure(TEXTS, run, signature=signature)[0]
    assert score.value == -7  # `reverse` is an option of the signature
    assert dy.measure(TEXTS, [run], signature=signature)[0].value == -7
    assert score.options["path"] == "evil:run"
    with pytest.raises(dy.SpecError, match="cannot both be given"):
        dy.measure(TEXTS, other, signature=signature)
    assert not (folder / "mark").exists()


# Signatures: files and models

ELSEWHERE = {
    "stop words": f"{DISTINCT}|tok:words,lc:no,stopwords:%2Fetc%2Fhostname,hash:00|{FACTS}",
    "stop words above": f"{DISTINCT}|tok:words,lc:no,stopwords:..%2Fsecret,hash:00|{FACTS}",
    "stop words at home": f"{DISTINCT}|tok:words,lc:no,stopwords:~%2Fsecret|{FACTS}",
    "stop words of a host": f"{DISTINCT}|tok:words,lc:no,stopwords:%5C%5Chost%5Cshare|{FACTS}",
    "stop words in a value": f"{DISTINCT}|tok:words,lc:no%2Cstopwords=%2Fetc%2Fhostname|{FACTS}",
    "a tokenizer": f"{DISTINCT}|tok:hf,name:%2Fetc%2Ftokenizer.json,hash:00|{FACTS}",
    "a tokenizer of the hub": f"{DISTINCT}|tok:hf,name:nobody/knows,hash:00|{FACTS}",
    "vectors": f"{VENDI}|emb:vectors,name:%2Fetc%2Fx.npy,dim:2,norm:no,hash:00|{FACTS}",
    "a network": f"{VENDI}|emb:onnx,name:..%2Fmodel.onnx,dim:2,norm:no,hash:00|{FACTS}",
    "a model of the hub": f"{VENDI}|emb:sbert,name:nobody/knows,dim:2,norm:yes,hash:00|{FACTS}",
    "a model of the folder": f"{VENDI}|emb:sbert,name:.%2Fmodel,dim:2,norm:yes,hash:00|{FACTS}",
}


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("signature", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_signature_opens_nothing_elsewhere(folder, signature, monkeypatch):
    opened = []
    monkeypatch.setattr(Path, "read_bytes", opened.append)
    with pytest.raises(dy.SpecError, match="The signature names .*trust=True") as raised:
        dy.measure(TEXTS, signature=signature)
    assert "\n" not in str(raised.value)
    assert opened == []


def test_a_signature_has_no_view_of_its_own(folder):
    view = f"distinct|n:1%2Cof=words(stopwords=%252Fetc%252Fhostname)|{WORDS}"
    with pytest.raises(dy.SpecError, match="without `of`"):
        dy.measure(TEXTS, signature=view)


def test_stop_words_of_the_working_folder_are_read(folder):
    (folder / "stop.txt").write_text("the\n")
    score = dy.measure(TEXTS, "distinct:n=1", tokenizer="words:stopwords=stop.txt")[0]
    again = dy.measure(TEXTS, signature=score.signature)[0]
    assert (again.value, again.notes) == (score.value, score.notes)


class Evil:
    """Leaves a mark when it is unpickled."""

    def __reduce__(self):
        return (os.mkdir, ("mark",))


def test_vectors_are_not_unpickled(folder):
    np.save(folder / "evil.npy", np.array([Evil(), Evil()]), allow_pickle=True)
    (folder / "plain.npy").write_bytes(pickle.dumps(Evil()))
    np.savez(folder / "evil.npz", rows=np.array([[Evil()]]), allow_pickle=True)
    for name in ("evil.npy", "plain.npy", "evil.npz"):
        with pytest.raises(dy.DistinctlyError):
            dy.measure(TEXTS, signature=f"{VENDI}|emb:vectors,name:.%2F{name},norm:no|{FACTS}")
        with pytest.raises(dy.DistinctlyError):
            dy.measure(TEXTS, "vendi", embedder=f"vectors:{name}")
    assert not (folder / "mark").exists()


@pytest.mark.parametrize("fact", ["seed:x", "seed:-1", "population:1e9", "subsample:²", "scope:all"])
def test_a_signature_with_wrong_facts_is_an_error(fact):
    with pytest.raises(dy.SpecError):
        dy.measure(TEXTS, signature=f"{DISTINCT}|{WORDS}|{fact}")


# Files that contain signatures and names of functions


def test_a_baseline_runs_nothing(command, folder):
    scores = [
        {"corpus": "texts.txt", "scope": None, "value": 0.5, "parts": {}, "signature": signature}
        for signature in FUNCTIONS.values()
    ]
    (folder / "baseline.json").write_text(json.dumps({"scores": scores}))
    done = command("measure", "texts.txt", "--require", "ead>=baseline", "--baseline", "baseline.json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "has no score of" in done.stderr
    assert not (folder / "mark").exists()


def test_results_of_a_trial_run_nothing(command, folder):
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text("".join(f"{name} text {number}\n" for number in range(12)))
    options = ("--n", "3", "--k", "3", "--save", "trial.json")
    saved = command("judge", "similarity", "a.txt", "b.txt", "-m", "jensen_shannon", *options)
    assert saved.returncode == 0, saved.stderr
    text = (folder / "trial.json").read_text().replace("jensen_shannon", "evil:run")
    (folder / "trial.json").write_text(text)
    done = command("judge", "table", "trial.json")
    assert done.returncode == 0, done.stderr
    assert "evil:run" in done.stdout
    assert not (folder / "mark").exists()
    for kind in (["people"], {"a": 1}, "evil", "../evil", None):
        document = json.loads(text)
        document["trial"] = kind
        (folder / "wrong.json").write_text(json.dumps(document))
        wrong = command("judge", "table", "wrong.json")
        assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1), wrong.stderr
    assert not (folder / "mark").exists()


# The working folder


@pytest.fixture
def decoys(folder):
    """Modules in the working folder with the names of others; each leaves a mark."""
    for name in SHADOWED:
        (folder / f"{name}.py").write_text(f"open({str(folder / f'mark-{name}')!r}, 'w').close()\n")
    (folder / "pyarrow").mkdir()
    (folder / "pyarrow" / "__init__.py").write_text(LEAVES_A_MARK.format(str(folder / "mark-pyarrow")))
    plug_in = folder / "evil-1.0.dist-info"
    plug_in.mkdir()
    (plug_in / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (plug_in / "entry_points.txt").write_text("[distinctly.metrics]\nevil = evil:run\n")
    return folder


SCRIPT = "import sys; sys.path[:] = [p for p in sys.path if p]; from distinctly.cli import main; main()"


@pytest.mark.parametrize("start", [["-m", "distinctly"], ["-c", SCRIPT]], ids=["module", "script"])
def test_the_working_folder_shadows_nothing(decoys, start):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, *start, *arguments], cwd=decoys, capture_output=True, text=True, check=False
        )

    done = run("measure", "texts.txt", "-m", "distinct:n=1")
    assert done.returncode == 0, done.stderr
    assert run("measure", "texts.txt", "--format", "json").returncode == 0
    assert run("measure", "texts.txt", "-m", "vendi", "--no-cache").returncode == 0
    # A function of the working folder still finds the real packages.
    (decoys / "mine.py").write_text(
        "import json, click, helper\ndef score(texts):\n    return helper.seven()\n"
    )
    (decoys / "helper.py").write_text("def seven():\n    return 7\n")
    done = run("measure", "texts.txt", "-m", "mine:score", "--score-only")
    assert (done.returncode, done.stdout) == (0, "7.0\n"), done.stderr
    unknown = run("measure", "texts.txt", "-m", "evil")
    assert (unknown.returncode, "Unknown metric 'evil'" in unknown.stderr) == (2, True)
    assert list(decoys.glob("mark*")) == []


def test_the_command_runs_in_the_folder_of_its_own_source():
    source = Path(dy.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "distinctly", "--version"], cwd=source, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


MISSPELLED = [
    "distnct:n",
    "entrpy:n",
    "eda:n",
    "mtdl:size",
    "dstinct:n=2",
    "density_coverge:k",
    "distinc:n.x",
]


@pytest.mark.parametrize("spec", MISSPELLED)
def test_a_misspelled_metric_is_never_a_module(command, folder, spec):
    name = spec.partition(":")[0]
    (folder / f"{name}.py").write_text(
        LEAVES_A_MARK.format(str(folder / "mark")) + "def n(texts):\n    return 1\n"
    )
    for arguments in (["-m", spec], ["--require", f"{spec}>=0.2"]):
        done = command("measure", "texts.txt", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "Did you mean '" in done.stderr
    assert not (folder / "mark").exists()
    # Its file is found by its name.
    (folder / f"{name}.py").write_text("def n(texts):\n    return 5\n")
    assert command("measure", "texts.txt", "-m", f"./{name}.py:n", "--score-only").stdout == "5.0\n"


@pytest.mark.parametrize("name", ["mymodule", "distance", "metrics", "diversity", "scores", "mine"])
def test_a_module_of_the_working_folder_is_found(command, folder, name):
    (folder / f"{name}.py").write_text("def score(texts):\n    return len(texts)\n")
    done = command("measure", "texts.txt", "-m", f"{name}:score", "--score-only")
    assert (done.returncode, done.stdout) == (0, "2.0\n"), done.stderr


FAILING = {
    "an exception": ("1 / 0", "ZeroDivisionError: division by zero"),
    "an exception of several lines": ("raise ValueError('first\\nsecond')", "ValueError: first"),
    "a syntax error": ("def", "SyntaxError"),
    "an exit": ("import sys; sys.exit(1)", "SystemExit: 1"),
    "a missing package": ("import nowhere_to_be_found", "No module named 'nowhere_to_be_found'"),
}


@pytest.mark.parametrize(("body", "words"), FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("form", ["{}:score", "{}.py:score"])
def test_an_error_of_the_module_is_one_line(command, folder, form, body, words):
    (folder / "mymodule.py").write_text(f"{body}\ndef score(texts):\n    return 1\n")
    done = command("measure", "texts.txt", "-m", form.format("mymodule"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


def test_a_function_that_exits_does_not_decide_the_status(command, folder):
    (folder / "mymodule.py").write_text(
        "import sys\ndef score(texts):\n    sys.exit(1)\ndef tag(text):\n    sys.exit(1)\n"
    )
    done = command("measure", "texts.txt", "-m", "mymodule:score")
    assert (done.returncode, "raised SystemExit: 1" in done.stdout) == (0, True)
    tagged = command("measure", "texts.txt", "-m", "distinct:n=1,of=tags", "--tagger", "mymodule:tag")
    assert (tagged.returncode, "raised SystemExit: 1" in tagged.stderr) == (2, True)
