"""Properties of all tokenizers: signatures that can be parsed, pickles, batches, threads, lazy imports."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tokenizers.samples import ENGLISH, MODULES, TEXTS, spec_of

import distinctly as dy
from distinctly.tokenizers import TOKENIZERS, find_tokenizer

# The FLORES models are not downloaded: test_flores.py trains one and tests it in the same way.
NAMES = [name for name in TOKENIZERS if name not in ("given", "flores101", "flores200")]
METRICS = ["distinct:n=1", "types:n=2", "entropy:n=1"]


@pytest.mark.parametrize("options", ["", "lc=yes", "lc=yes,norm=nfkc"])
@pytest.mark.parametrize("name", NAMES)
def test_signature_round_trip(
    name: str, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(name, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)  # the folder of ./mine in the signature
    joint = "," if ":" in spec else ":"
    score = dy.measure(TEXTS, "distinct:n=1", tokenizer=spec + (options and joint + options))[0]
    signature = dy.Signature.parse(score.signature)
    again = dy.measure(TEXTS, signature.spec, tokenizer=signature.tokenizer)[0]
    assert (again.signature, again.value) == (score.signature, score.value)


@pytest.mark.parametrize("name", NAMES)
def test_pickles_of_tokenizers_and_accumulators(name: str, tmp_path: Path) -> None:
    tokenizer = find_tokenizer(spec_of(name, tmp_path))
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy == tokenizer
    assert copy.options() == tokenizer.options()
    assert [copy.tokenize(text) for text in TEXTS] == [tokenizer.tokenize(text) for text in TEXTS]

    parts = []
    for texts in (TEXTS[:4], TEXTS[4:]):
        part = dy.Accumulator(METRICS, tokenizer=spec_of(name, tmp_path))
        part.update(texts)
        parts.append(pickle.loads(pickle.dumps(part)))
    together = parts[0].merge(parts[1]).compute()
    whole = dy.measure(TEXTS, METRICS, tokenizer=tokenizer)
    assert [score.signature for score in together] == [score.signature for score in whole]
    assert [score.value for score in together] == [score.value for score in whole]


@pytest.mark.parametrize("name", NAMES)
def test_batches_and_threads_change_nothing(name: str, tmp_path: Path) -> None:
    tokenizer = find_tokenizer(spec_of(name, tmp_path))
    whole = dy.measure(TEXTS * 20, METRICS, tokenizer=tokenizer)
    for batch_size, threads in ((1, 1), (3, 4)):
        parts = dy.measure(TEXTS * 20, METRICS, tokenizer=tokenizer, batch_size=batch_size, threads=threads)
        assert [score.signature for score in parts] == [score.signature for score in whole]
        assert [score.value for score in parts] == [score.value for score in whole]


@pytest.mark.parametrize("name", MODULES)
def test_missing_extra_names_the_pip_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in MODULES[name]:
        monkeypatch.setitem(sys.modules, module, None)  # makes every import of it fail
    line = f'pip install "distinctly[{TOKENIZERS[name].extra}]"'
    with pytest.raises(dy.MissingExtraError) as caught:
        find_tokenizer("hf:gpt2" if name == "hf" else name)
    assert str(caught.value).startswith(f"The tokenizer '{name}' needs the package {MODULES[name][0]}")
    assert str(caught.value).endswith(line)


def test_every_extra_that_is_named_exists(root: Path) -> None:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    for kind in TOKENIZERS.values():
        assert not kind.extra or f"\n{kind.extra} = [" in text


def test_optional_packages_are_imported_lazily() -> None:
    modules = sorted({module for needed in MODULES.values() for module in needed})
    program = f"""
import sys, distinctly.tokenizers, distinctly.cli.list
distinctly.tokenizers.find_tokenizer("words").tokenize("a b")
print([module for module in {modules} if module in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("13b", "13a"), ("ja_mecab", "ja-mecab"), ("jeiba", "jieba"), ("flores20", "flores200")],
)
def test_typos_get_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(dy.SpecError, match=f"Unknown tokenizer '{typed}'. Did you mean '{meant}'") as caught:
        find_tokenizer(typed)
    assert all(name in str(caught.value) for name in TOKENIZERS)


def test_the_list_shows_the_extras() -> None:
    def shown(*arguments: str) -> str:
        command = [sys.executable, "-m", "distinctly", "list", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    lines = {line.split()[0]: line for line in shown().splitlines() if line.startswith("  ")}
    for name, kind in TOKENIZERS.items():
        assert lines[name].endswith(f" [{kind.extra}]") == bool(kind.extra)
    assert 'pip install "distinctly[zh]"' in shown("jieba")


def test_only_tokenizers_with_a_vocabulary_have_its_size() -> None:
    assert find_tokenizer("words").vocabulary_size is None
    with pytest.raises(dy.SpecError, match="'words' has none"):
        dy.measure(ENGLISH, "ead:vocabulary=tokenizer", tokenizer="words")
