"""Classifiers of pairs of texts in ONNX files: probabilities by hand, batches, signatures and errors."""

from __future__ import annotations

import importlib.util
import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.pair_networks import difference, needs_packages, probability, save_classifier, save_tokenizer

import distinctly as dy
from distinctly.embedders.pairs import PairNetwork

WORDS = ("cat", "kitten", "dog")
SPEC = "answers:by=classifier,classifier={}"


@needs_packages
@pytest.mark.parametrize("outputs", [0, 1, 2])
def test_by_hand(tmp_path: Path, outputs: int) -> None:
    judge = PairNetwork(str(save_classifier(tmp_path / "model.onnx", outputs)))
    # The logits add up to 1 + 0.5 - 0.5, 1 + 1 - 0.5, and 1 - 2 - 0.5; the order of a pair matters.
    expected = [1 / (1 + np.exp(-x)) for x in (1, 1.5, -1.5)]
    assert judge(["cat", "kitten", "cat"], ["kitten", "cat", "dog"]).tolist() == pytest.approx(expected)
    assert judge(["dog"], ["kitten"]).tolist() == [0.5]
    assert judge([], []).tolist() == []


@needs_packages
def test_batches_change_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = PairNetwork(str(save_classifier(tmp_path / "model.onnx")))
    texts = [" ".join(words) for size in (1, 2, 3) for words in itertools.product(WORDS, repeat=size)]
    texts += ["cat dog " * 100]
    pairs = list(itertools.product(texts, texts[::3]))
    first, second = zip(*pairs)
    together = judge(first, second)
    np.testing.assert_allclose(together, [probability(*pair) for pair in pairs], rtol=1e-5, atol=1e-12)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert judge(first[::-1], second[::-1])[::-1].tolist() == together.tolist()
    assert [judge([a], [b])[0] for a, b in pairs[::50]] == together[::50].tolist()


@needs_packages
def test_pairs_are_truncated(tmp_path: Path) -> None:
    path = save_classifier(tmp_path / "model.onnx", 1)
    judge = PairNetwork(str(path))
    # 512 subwords, three of which are special: 255 of the first text and 254 of the second, at least.
    long = judge(["cat " * 255 + "dog " * 900], ["dog " * 254 + "cat " * 900])
    assert long.tolist() == pytest.approx([0.0])  # 255 · 1 - 254 · 2
    assert judge(["dog " * 600], ["kitten"]).tolist() == [0.5]  # 508 of the first text, all of the second
    # tokenizer.json has a limit of its own: [CLS] cat [SEP] cat [SEP].
    cut = {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    save_tokenizer(tmp_path, cut)
    shorter = PairNetwork(str(path))
    assert shorter.hash != judge.hash
    assert shorter(["cat dog dog"], ["cat dog dog"]).tolist() == pytest.approx([probability("cat", "cat")])


@needs_packages
def test_answers(tmp_path: Path) -> None:
    path = save_classifier(tmp_path / "model.onnx")
    # Complete linkage takes the smaller one of both orders: cat and kitten 0.731, with dog 0.182.
    assert difference("cat", "kitten") == 1
    for source in (path, tmp_path):
        score = dy.measure(WORDS, SPEC.format(source))[0]
        assert (score.value, score.parts["largest_class"]) == (2, 2)
    assert dy.measure(WORDS, SPEC.format(path) + ",threshold=0.8")[0].value == 3
    # Greedy: (dog, cat) 0.622 and (dog, kitten) 0.5 are equivalent, but (cat, dog) is not.
    greedy = SPEC.format(path) + ",preset=noveltybench"
    assert dy.measure(["dog", "cat", "kitten"], greedy)[0].value == 1
    assert dy.measure(["cat", "dog", "kitten"], greedy)[0].value == 2
    assert dy.Answers(by="classifier", classifier=str(path))(WORDS).value == 2


@needs_packages
def test_utility(tmp_path: Path) -> None:
    path = save_classifier(tmp_path / "model.onnx")
    spec = SPEC.format(path).replace("answers", "utility:patience=1").replace("1:by", "1,by")
    # The kitten repeats the cat: (3 + 0 + 6) / 3.
    assert dy.measure(["cat", "kitten", "dog"], spec, quality=[3, 5, 6])[0].value == 3


@needs_packages
def test_groups_and_copies(tmp_path: Path) -> None:
    path = save_classifier(tmp_path / "model.onnx")
    texts, groups = [*WORDS, "cat", "cat", "dog"], ["p", "p", "p", "p", "q", "q"]
    scores = dy.measure(texts, SPEC.format(path), groups=groups)
    assert (scores[0].scope, scores[0].value) == ("within", 2)
    metric = dy.metric(SPEC.format(path))
    assert pickle.loads(pickle.dumps(metric)) == metric


@needs_packages
def test_signature_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_classifier(tmp_path / "one" / "model.onnx")
    score = dy.measure(WORDS, SPEC.format(path))[0]
    digest = PairNetwork(str(path)).hash
    assert f"|classifier:./model.onnx|hash:{digest}|" in score.signature
    # A file of the working folder needs no trust; one elsewhere is not looked for.
    monkeypatch.chdir(path.parent)
    assert dy.measure(WORDS, signature=score.signature)[0].signature == score.signature
    elsewhere = score.signature.replace("./model.onnx", str(path).replace("/", "%2F"))
    with pytest.raises(dy.SpecError, match=r"outside the working folder: pass trust=True"):
        dy.measure(WORDS, signature=elsewhere)
    assert dy.measure(WORDS, signature=elsewhere, trust=True)[0].value == 2
    # Another file under the same name.
    save_classifier(path, 1)
    with pytest.raises(dy.SpecError, match=rf"hash {digest} at './model.onnx', got \w+: another model"):
        dy.measure(WORDS, signature=score.signature)
    assert dy.measure(WORDS, SPEC.format(path))[0].value == 2
    monkeypatch.chdir(tmp_path)
    with pytest.raises(dy.SpecError, match="No network at './model.onnx'"):
        dy.measure(WORDS, signature=score.signature)


@needs_packages
def test_a_network_that_changed_since_the_metric_was_made(tmp_path: Path) -> None:
    path = save_classifier(tmp_path / "model.onnx")
    metric = dy.metric(SPEC.format(path))
    save_classifier(path, 1)
    with pytest.raises(dy.DistinctlyError, match="changed"):
        metric(WORDS)


@needs_packages
def test_subwords_without_a_weight_are_an_error(tmp_path: Path) -> None:
    """A tokenizer of another model: its subword 99 is not in the table."""
    path = save_classifier(tmp_path / "model.onnx")
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"dog": 4', '"dog": 99'))
    with pytest.raises(dy.InputError, match="cannot process a pair of 5 subwords"):
        dy.measure(WORDS, SPEC.format(path))
    with pytest.raises(dy.InputError, match="UTF-8 for the classifier './model.onnx'"):
        PairNetwork(str(path))(["\ud800"], ["cat"])


def test_the_server_opens_no_networks() -> None:
    from distinctly.web.allowed import check_metric

    with pytest.raises(dy.SpecError, match="opens no files"):
        check_metric(SPEC.format("model.onnx"))


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dy.MissingExtraError, match=r'ONNX file needs .* pip install "distinctly\[onnx\]"'):
        dy.metric(SPEC.format("model.onnx"))
