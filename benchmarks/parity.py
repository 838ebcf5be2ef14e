"""Compare values with those of peers on real text: `python -m benchmarks.parity`.

It needs ../shared/data and the extra `test`. Both get the same tokens, English words and Chinese characters.
If a peer uses another definition, the preset of that definition is compared.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.tokenizers import find_tokenizer

DATA = Path(__file__).parents[2] / "shared" / "data"
CORPORA = {
    "English": ("dailydialog-valid-test.jsonl.gz", "words:lc=yes"),
    "Chinese": ("zh-kdconv-dev-test.jsonl.gz", "char"),
}
TEXTS, STREAM = 60, 3000

Tokens = list[list[str]]


def nltk_self_bleu(texts: Tokens) -> float:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    method = SmoothingFunction().method1
    others = ([other for j, other in enumerate(texts) if j != i] for i in range(len(texts)))
    return float(np.mean([sentence_bleu(o, t, smoothing_function=method) for o, t in zip(others, texts)]))


def sacrebleu_self_bleu(texts: Tokens) -> float:
    from sacrebleu.metrics import BLEU

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # its warnings recommend what NLTK does not do
    bleu = BLEU(tokenize="none", smooth_method="exp", effective_order=False, force=True)
    joined = [" ".join(text) for text in texts]
    scores = [
        bleu.sentence_score(text, [other for j, other in enumerate(joined) if j != i]).score
        for i, text in enumerate(joined)
    ]
    return float(np.mean(scores)) / 100


def rouge(texts: Tokens) -> float:
    from rouge_score.rouge_scorer import RougeScorer

    class Split:
        def tokenize(self, text: str) -> list[str]:
            return text.split("\x1f")

    scorer = RougeScorer(["rougeL"], tokenizer=Split())
    joined = ["\x1f".join(text) for text in texts]
    return float(np.mean([scorer.score(a, b)["rougeL"].fmeasure for a, b in combinations(joined, 2)]))


def richness(name: str, *arguments: object) -> Callable[[list[str]], float]:
    def call(tokens: list[str]) -> float:
        from lexicalrichness import LexicalRichness

        value = getattr(LexicalRichness(tokens, preprocessor=None, tokenizer=None), name)
        return float(value(*arguments) if callable(value) else value)

    return call


def kyle(name: str) -> Callable[[list[str]], float]:
    def call(tokens: list[str]) -> float:
        from lexical_diversity import lex_div

        return float(getattr(lex_div, name)(tokens))

    return call


# Texts against each other; long texts only, since peers read short ones differently (the tests have those).
BETWEEN: dict[str, tuple[str, Callable[[Tokens], float]]] = {
    "self_bleu:smoothing=epsilon": ("NLTK, method1", nltk_self_bleu),
    "self_bleu:smoothing=exp": ("sacreBLEU, exp", sacrebleu_self_bleu),
    "homogenization": ("rouge-score", rouge),
}
ONE: dict[str, tuple[str, Callable[[list[str]], float]]] = {
    "ttr": ("lexicalrichness", richness("ttr")),
    "root_ttr": ("lexicalrichness", richness("rttr")),
    "corrected_ttr": ("lexicalrichness", richness("cttr")),
    "herdan": ("lexicalrichness", richness("Herdan")),
    "summer": ("lexicalrichness", richness("Summer")),
    "dugast": ("lexicalrichness", richness("Dugast")),
    "maas": ("lexicalrichness", richness("Maas")),
    "yule": ("lexicalrichness", richness("yulek")),
    "simpson": ("lexicalrichness", richness("simpsond")),
    "mattr": ("lexicalrichness", richness("mattr", 50)),
    "mtld:preset=lexicalrichness": ("lexicalrichness", richness("mtld")),
    "hdd": ("lexicalrichness", richness("hdd", 42)),
    "mattr:window=50": ("lexical-diversity", kyle("mattr")),
    "maas:preset=kyle": ("lexical-diversity", kyle("maas_ttr")),
    "mtld:preset=kyle": ("lexical-diversity", kyle("mtld")),
    "mtld_ma:preset=kyle": ("lexical-diversity", kyle("mtld_ma_wrap")),
    "hdd:sample=42": ("lexical-diversity", kyle("hdd")),
}


def vendi(texts: list[str]) -> tuple[float, float]:
    from vendi_score import vendi as theirs

    from distinctly.embedders import find_embedder
    from distinctly.strings import Strings

    vectors = find_embedder("wordllama").embed(Strings.encode(texts)).astype(np.float64)
    return dy.measure(vectors, "vendi")[0].value, float(theirs.score_X(vectors, normalize=True))


def lines() -> list[str]:
    """Return the lines of the table."""
    table = [
        f"| metric | peer | {' | '.join(f'{name}: ours | theirs | difference' for name in CORPORA)} |",
        "|---|---|" + "---:|---:|---:|" * len(CORPORA),
    ]
    cells: dict[tuple[str, str], list[str]] = {}
    for file, spec in CORPORA.values():
        tokenizer = find_tokenizer(spec)
        # A character may be a space, which is not a token for sacreBLEU.
        tokenized = [
            [t for t in tokenizer.tokenize(text) if t.strip()] for text in dy.Corpus.read(DATA / file).texts()
        ]
        texts = [tokens for tokens in tokenized if len(tokens) >= 8]
        raw = [" ".join(tokens) for tokens in texts]
        stream = [token for text in texts for token in text][:STREAM]
        selected = texts[:TEXTS]
        pairs = {
            key: (dy.measure(selected, key[0], tokens=True)[0].value, call(selected))
            for key, call in _keys(BETWEEN)
        }
        pairs |= {
            key: (dy.measure([stream], key[0], tokens=True)[0].value, call(stream))
            for key, call in _keys(ONE)
        }
        pairs["vendi", "vendi-score, `score_X`"] = vendi(raw[:300])
        for key, (ours, theirs) in pairs.items():
            cells.setdefault(key, []).append(f"{ours:.6g} | {theirs:.6g} | {ours - theirs:.1e}")
    table += [f"| `{spec}` | {peer} | {' | '.join(values)} |" for (spec, peer), values in cells.items()]
    remark = (
        "Tests in `tests/diversity` cover the presets on raw text, and the cases in which a package is wrong."
    )
    return [*table, "", remark]


def _keys(calls: dict) -> list[tuple[tuple[str, str], Callable]]:
    return [((spec, peer), call) for spec, (peer, call) in calls.items()]


if __name__ == "__main__":
    print(*lines(), sep="\n")
