"""Lexical richness from raw text: the words that are counted, and the presets against the packages."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.peers import read_texts
from tests.richness import RAW, kyle_value, lexicalrichness_value

import distinctly as dy
from distinctly.registry import find_metric, metric_names

NAN = math.nan
RICHNESS = [
    *("ttr", "root_ttr", "corrected_ttr", "herdan", "summer", "dugast", "maas", "yule", "simpson"),
    *("msttr", "mattr", "mtld", "mtld_ma", "hdd", "vocd"),
]

# The name in LexicalRichness, and what `LexicalRichness(text)` of LexicalRichness 0.5.1 gives for each text
# of RAW, under Python 3.11; NaN where it raises.
LEXICALRICHNESS: dict[str, tuple[str, list[float]]] = {
    "ttr": ("ttr", [0.6086956521739131, 0.5447154471544715, 1.0, 1.0, 0.5882352941176471]),
    "root_ttr": (
        "rttr",
        [6.527533657682197, 6.041186552271796, 3.162277660168379, 1.414213562373095, 2.42535625036333],
    ),
    "corrected_ttr": (
        "cttr",
        [4.615663313770509, 4.271763977524366, 2.23606797749979, 1.0, 1.7149858514250882],
    ),
    "herdan": ("Herdan", [0.8953753451295129, 0.87375967105183, 1.0, 1.0, 0.812711509291959]),
    "summer": ("Summer", [0.929025822425549, 0.9141076142948359, 1.0, 1.0, 0.8008673088463533]),
    "dugast": ("Dugast", [45.351950113832274, 38.11923175000706, NAN, NAN, 15.12753577833481]),
    "maas": ("Maas", [0.022049768477210456, 0.02623347727882304, 0.0, 0.0, 0.06610461972479148]),
    "yule": ("yulek", [379.5841209829868, 158.6357326987904, 0.0, 0.0, 622.8373702422145]),
    "simpson": ("simpsond", [0.03829138062547673, 0.01599360255897641, 0.0, 0.0, 0.0661764705882353]),
    "msttr": ("msttr", [0.61, 0.63, NAN, NAN, NAN]),
    "mattr": ("mattr", [0.638125, 0.5825, NAN, NAN, NAN]),
    "mtld": ("mtld", [25.173780487804876, 23.509679510929974, 10.0, 2.0, 9.208333333333334]),
    "hdd": ("hdd", [0.7226507473866298, 0.759510630758289, NAN, NAN, NAN]),
    "vocd": ("vocd", [40.0272684183625, 49.85098542547678, NAN, NAN, NAN]),
}
# The same of lexical-diversity 0.1.1 for `lex_div.tokenize(text)`; it gives 0 where there is no value.
KYLE: dict[str, tuple[str, list[float]]] = {
    "ttr": ("ttr", [0.6416666666666667, 0.6115702479338843, 1.0, 1.0, 0.6]),
    "root_ttr": (
        "root_ttr",
        [7.029106154649631, 6.7272727272727275, 3.162277660168379, 2.0, 2.32379000772445],
    ),
    "herdan": ("log_ttr", [0.9073238462296475, 0.8974672793322784, 1.0, 1.0, 0.8113677421644258]),
    "maas": ("maas_ttr", [0.04457338865792643, 0.0492286541517925, 0.0, 0.0, 0.16038913339686986]),
    "msttr": ("msttr", [0.69, 0.79, 1.0, 1.0, 0.6]),
    "mattr": ("mattr", [0.7459154929577466, 0.7327777777777782, 1.0, 1.0, 0.6]),
    "hdd": ("hdd", [0.7475054896983555, 0.8025689609961765, 0.0, 0.0, 0.0]),
    "mtld": ("mtld", [35.58303886925795, 39.998344195411434, 0.0, 0.0, 10.588235294117647]),
    "mtld_ma": ("mtld_ma_wrap", [37.891666666666666, 44.950413223140494, 14.0, 0.0, 10.666666666666666]),
}
PRESETS = [("lexicalrichness", *item) for item in LEXICALRICHNESS.items()]
PRESETS += [("kyle", *item) for item in KYLE.items()]


@pytest.mark.parametrize(("preset", "metric", "known"), PRESETS)
@pytest.mark.parametrize("compiled", [False, True])
def test_presets_from_raw_text(
    preset: str, metric: str, known: tuple[str, list[float]], compiled: bool
) -> None:
    spec = f"{metric}:preset={preset}"
    values = [dy.measure([text], spec, compiled=compiled)[0].value for text in RAW]
    # Their D is fitted to eight digits; everything else is the same to the last digits.
    close = 1e-7 if metric == "vocd" else 1e-12
    assert values == pytest.approx(known[1], rel=close, nan_ok=True)
    defined = [value for value in known[1] if not math.isnan(value)]
    assert dy.measure(RAW, spec, compiled=compiled)[0].value == pytest.approx(
        sum(defined) / len(defined), rel=close
    )


def test_every_metric_that_a_package_has_has_its_preset() -> None:
    for name in metric_names():
        presets = find_metric(name).presets
        assert ("lexicalrichness" in presets) == (name in LEXICALRICHNESS)
        assert ("kyle" in presets) == (name in KYLE)


@pytest.mark.parametrize(("preset", "metric", "known"), PRESETS)
@pytest.mark.parametrize("file", ["alpacaeval-8-systems.jsonl.gz", "dailydialog-valid-test.jsonl.gz"])
def test_presets_against_the_packages_on_real_text(
    shared: Path, file: str, preset: str, metric: str, known: tuple[str, list[float]]
) -> None:
    many = {"vocd": 400, "mtld_ma": 100}.get(metric, 60)
    texts = read_texts(shared / file, 4000)[:: 4000 // many]
    if metric == "vocd":  # slow in both
        texts = [text for text in texts if len(text) > 400][:5]
    if metric == "mtld_ma":  # quadratic in the package
        texts = [text for text in texts if len(text) < 1000]
    theirs: Callable[[str, str], float] = lexicalrichness_value if preset != "kyle" else kyle_value
    expected = [theirs(text, known[0]) for text in texts]
    values = [dy.measure([text], f"{metric}:preset={preset}")[0].value for text in texts]
    assert values == pytest.approx(expected, rel=1e-7 if metric == "vocd" else 1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("tokens", [99, 100, 101, 199, 200, 201, 250])
def test_a_full_last_segment_is_dropped_by_lexicalrichness(tokens: int) -> None:
    # One type in the first hundred, 26 in the second. The last segment is dropped even if it is full: at
    # 200 tokens only the first is left.
    text = " ".join("a" if place < 100 else chr(97 + place % 26) for place in range(tokens))
    expected = lexicalrichness_value(text, "msttr")
    assert math.isnan(expected) == (tokens <= 100)
    score = dy.measure([text], "msttr:preset=lexicalrichness,pool=corpus")[0]
    assert score.value == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert score.parts["segments"] == (tokens - 1) // 100
    if tokens == 200:
        assert (score.value, dy.measure([text], "msttr:window=100")[0].value) == (0.01, (0.01 + 0.26) / 2)


def test_words_are_counted_by_default_without_punctuation_and_case() -> None:
    text = "The cat saw 2 cats: the cat, the CATS - and 2.5 dogs! 🙂 知 知"
    # the cat saw 2 cats the cat the cats and 2.5 dogs 知 知: 14 tokens; 9 types.
    score = dy.measure([text], "ttr")[0]
    assert score.value == 9 / 14
    assert "|tok:words,lc:yes,punct:no|" in score.signature


@pytest.mark.parametrize("metric", RICHNESS)
def test_the_default_is_the_written_view(metric: str) -> None:
    small = {"msttr": "window=4", "mattr": "window=4", "hdd": "sample=4"}.get(metric, "pool=text")
    texts = [f"{RAW[0]} {RAW[4]}", RAW[1]]
    by_default, written, as_before = (
        dy.measure(texts, f"{metric}:{small}{of}")[0]
        for of in ("", ",of=words(punct=no;lc=yes)", ",of=words")
    )
    assert (by_default.value, by_default.signature) == (written.value, written.signature)
    assert by_default.value != as_before.value
    # A tokenizer takes precedence over the metric's own view, and `of` over the tokenizer.
    tokenized = dy.measure(texts, f"{metric}:{small}", tokenizer="words")[0]
    assert (tokenized.value, tokenized.signature) == (as_before.value, as_before.signature)
    both = dy.measure(texts, f"{metric}:{small},of=words(punct=no;lc=yes)", tokenizer="words")[0]
    assert both.value == by_default.value


def test_other_metrics_still_count_every_token() -> None:
    # "The", "cat", ".", "the": four types.
    assert dy.measure(["The cat. the"], "types:n=1")[0].value == 4
    assert "|tok:words,lc:no|" in dy.measure(["The cat."], "distinct:n=1")[0].signature


def test_token_lists_are_measured_as_they_are_unless_asked() -> None:
    tokens = [["The", "cat", ".", "the", "!", "the"]]
    assert dy.measure(tokens, "ttr")[0].value == 5 / 6
    assert "|tok:given,lc:no|" in dy.measure(tokens, "ttr")[0].signature
    # The packages take lists as they are, too.
    assert dy.measure(tokens, "ttr:preset=lexicalrichness")[0].value == 5 / 6
    assert dy.measure(tokens, "ttr:preset=kyle")[0].value == 5 / 6
    # the cat the the: asked for, punctuation is left out.
    reduced = dy.measure(tokens, "ttr:of=words(punct=no;lc=yes)")[0]
    assert reduced.value == 2 / 4
    assert "|tok:given,lc:yes,punct:no|" in reduced.signature
    again = dy.measure(tokens, signature=reduced.signature)[0]
    assert (again.value, again.signature, again.notes) == (reduced.value, reduced.signature, reduced.notes)


def test_of_replaces_the_tokens_of_a_preset() -> None:
    # Kyle's formula on our words: the preset is expanded first, and what is written wins.
    score = dy.measure([RAW[0]], "mtld:preset=kyle,of=words")[0]
    assert "|minimum:10|last:fraction|unrepeated:nan|tok:words,lc:no|" in score.signature


@pytest.mark.parametrize(
    "spec", ["mtld", "mtld:preset=kyle", "vocd:preset=lexicalrichness", "mattr:window=9"]
)
def test_signatures_measure_again(spec: str) -> None:
    score = dy.measure(RAW, spec)[0]
    again = dy.measure(RAW, signature=score.signature)[0]
    assert (again.value, again.signature) == (score.value, score.signature)
    assert dy.metric_of(score.signature) == dy.metric(spec)


def test_samples_are_drawn_from_texts_only() -> None:
    with pytest.raises(dy.SpecError, match="`pool=text` with `draws=100` of 'vocd'.*Omit `draws`"):
        dy.measure(RAW, "vocd:preset=lexicalrichness,pool=corpus")
    drawn, exact = dy.measure(RAW[:2], ["vocd:preset=lexicalrichness", "vocd:of=lexicalrichness"])
    # 300 samples per size scatter around the expectation.
    assert drawn.value != exact.value
    assert drawn.value == pytest.approx(exact.value, rel=0.02)
