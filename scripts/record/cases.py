"""All cases of the record: names, and functions that return the entries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from . import data, interface, specs
from .inputs import input_cases
from .interface import Cases, Entries
from .trials import trial_cases

PAIRS = (
    ("banking77", "clinc150"),
    ("dailydialog-valid-test", "personachat-valid-test"),
    ("quora-questions-20k-SUBSTITUTE", "yahoo-nfl6-antique-queries"),
    ("brown-sentences", "topical-chat-valid-test"),
    ("zh-kdconv-dev-test", "ja-small-parallel-enja"),
    ("sts-dev", "nli-dev"),
)
TOKENIZERS = ("whitespace", "char", "words:lc=yes,norm=nfkc", r"regex:\w+", "13a", "zh")


def all_cases() -> Cases:
    """Return all cases; only those of the demonstration if the public data sets are absent."""
    cases = demo_cases() | edge_cases()
    if data.names():
        cases |= metric_cases() | distance_cases() | option_cases() | trial_cases() | input_cases()
    return cases


def metric_cases() -> Cases:
    """Return the cases of every metric, with its presets and options, on every data set."""
    cases: Cases = {}

    def measured(file: str, number: int, metric: str, **options: Any) -> Entries:
        return interface.measure(data.texts(file, number), specs.of_metric(metric), **options)

    def tokenized(file: str, tokenizer: str) -> Entries:
        wanted = ["distinct", "ead", "entropy:n=2", "ttr", "mtld", "self_bleu", "yule", "chao1"]
        return interface.measure(data.texts(file, 300), wanted, tokenizer=tokenizer)

    def sized(file: str) -> Entries:
        return interface.measure(data.texts(file, 300), specs.SIZED)

    for file in data.names():
        for metric in interface.metric_names():
            number = 300 if metric in specs.SLOW else 800
            cases[f"metrics/{file}/{metric}"] = partial(measured, file, number, metric)
        cases[f"sized/{file}"] = partial(sized, file)
        for tokenizer in TOKENIZERS:
            cases[f"tokenizers/{file}/{tokenizer}"] = partial(tokenized, file, tokenizer)
    return cases


def distance_cases() -> Cases:
    """Return the cases of every distance, with its presets, options and tests, on pairs of data sets."""
    cases: Cases = {}

    def compared(files: tuple[str, ...], number: int, wanted: list[str], **options: Any) -> Entries:
        reference, candidate = (data.texts(file, number) for file in files)
        return interface.compare(reference, candidate, wanted, **options)

    def several(metric: str, **options: Any) -> Entries:
        corpora = {name: data.texts(name, 60 + 15 * place) for place, name in enumerate(data.names()[1:4])}
        return interface.compare(data.texts("banking77", 110), corpora, [metric], **options)

    def with_vectors(wanted: list[str], **options: Any) -> Entries:
        (texts, rows), (other_texts, other_rows) = (
            data.embedded(name, number) for name, number in (("banking77", 150), ("clinc150", 120))
        )
        return interface.compare(texts, other_texts, wanted, vectors=[rows, other_rows], **options)

    def vectors_only(wanted: list[str], **options: Any) -> Entries:
        first, second = (data.embedded(name, 130)[1] for name in ("atis", "clinc150"))
        return interface.compare(first, second, wanted, **options)

    def token_lists(wanted: list[str], **options: Any) -> Entries:
        first, second = (
            [text.split() for text in data.texts(name, 90)]
            for name in ("ja-small-parallel-enja", "zh-kdconv-dev-test")
        )
        return interface.compare(first, second, wanted, **options)

    def by_field(wanted: list[str], **options: Any) -> Entries:
        return interface.compare("answers.jsonl", None, wanted, by="label", **options)

    tested: dict[str, Any] = {"permutations": 99, "noise_floor": True, "interval": True}
    metrics = interface.distance_names()
    of_words = ("chi", "function_words", "jensen_shannon", "zipf", "ttr_difference")
    vectors = [name for name in metrics if name not in of_words]
    for files in PAIRS:
        for metric in metrics:
            wanted = specs.of_metric(metric)
            cases[f"distances/{files[0]} {files[1]}/{metric}"] = partial(compared, files, 250, wanted)
        for seed in (0, 1):
            fast = list(specs.FAST_DISTANCES)
            name = f"distances/{files[0]} {files[1]}/together seed={seed}"
            cases[name] = partial(compared, files, 80, fast, seed=seed, **tested)
    for metric in metrics:
        first = PAIRS[0]
        for name, value in tested.items():
            cases[f"compare/{metric}/{name}"] = partial(compared, first, 60, [metric], **{name: value})
        cases[f"compare/{metric}/subsample"] = partial(
            compared, first, 120, [metric], subsample=40, seed=3, permutations=19
        )
        cases[f"compare/{metric}/several"] = partial(several, metric, permutations=19)
        cases[f"compare/{metric}/matrix"] = partial(several, metric, matrix=True, noise_floor=True)
        cases[f"compare/{metric}/group"] = partial(
            by_field, [metric], group="prompt_id", permutations=19, noise_floor=True
        )
        cases[f"compare/{metric}/against"] = partial(by_field, [metric], against="claude-2")
    all_options = {"permutations": 29, "noise_floor": True, "interval": True}
    for metric in metrics:
        cases[f"vectors/with texts/{metric}"] = partial(with_vectors, specs.of_metric(metric))
    for metric in vectors:
        cases[f"vectors/alone/{metric}"] = partial(vectors_only, [metric], **all_options)
    words = [name for name in metrics if name not in vectors]
    cases["compare/token lists"] = partial(token_lists, words, **all_options)
    cases["compare/token lists explain"] = partial(token_lists, words, explain=4)
    cases["compare/explain"] = partial(compared, PAIRS[1], 100, metrics, explain=5)
    cases["compare/explain by"] = partial(by_field, ["chi", "mauve", "dc", "frechet"], explain=2)
    cases["compare/explain vectors"] = partial(with_vectors, vectors, explain=2)
    cases["compare/matrix by"] = partial(by_field, ["chi", "energy"], matrix=True)
    for tokenizer in TOKENIZERS:
        options = {"tokenizer": tokenizer, "permutations": 19}
        cases[f"compare/tokenizer {tokenizer}"] = partial(compared, PAIRS[4], 100, words, **options)
    return cases


def option_cases() -> Cases:
    """Return the cases of `measure` with each of its options."""
    cases: Cases = {}
    texts, grouped_specs = data.texts, list(specs.GROUPED)

    def answers(field: str) -> list[str]:
        return [str(row[field]) for row in data.answers(12, 4)]

    def grouped(wanted: list[str], **options: Any) -> Entries:
        return interface.measure(answers("text"), wanted, groups=answers("prompt_id"), **options)

    def split(wanted: list[str], **options: Any) -> Entries:
        return interface.measure("answers.jsonl", wanted, by="label", **options)

    def single(file: str, wanted: list[str], **options: Any) -> Entries:
        return interface.measure(texts(file, 150), wanted, **options)

    def several(wanted: Sequence[str], **options: Any) -> Entries:
        sizes = {"banking77": 60, "clinc150": 120, "atis": 90}
        return interface.measure_several(
            {name: texts(name, n) for name, n in sizes.items()}, wanted, **options
        )

    def against(wanted: list[str], **options: Any) -> Entries:
        return interface.measure(texts("atis", 100), wanted, reference=texts("banking77", 300), **options)

    def nested(wanted: list[str], **options: Any) -> Entries:
        return interface.measure("sets.jsonl", wanted, field="texts", **options)

    def vectors(wanted: list[str], **options: Any) -> Entries:
        return interface.measure(data.embedded("atis", 150)[1], wanted, **options)

    def frequent(n: int) -> Entries:
        return interface.top_ngrams(texts("atis", 200), n, 10)

    variants: dict[str, dict[str, Any]] = {
        "plain": {},
        "interval": {"interval": True},
        "interval seed": {"interval": True, "seed": 5},
        "population": {"interval": True, "population": 2000},
    }
    # Enough exchanges for all pairs of four corpora.
    side_by_side: dict[str, dict[str, Any]] = {
        "paired": {"paired": True, "permutations": 199},
        "interval paired": {"paired": True, "permutations": 199, "interval": True},
    }
    for metric in grouped_specs:
        wanted = [metric]
        for name, options in variants.items():
            cases[f"measure/grouped {name}/{metric}"] = partial(grouped, wanted, **options)
            if metric not in specs.POOLED:
                continue
            cases[f"measure/one {name}/{metric}"] = partial(single, "banking77", wanted, **options)
        for name, options in (variants | side_by_side).items():
            if metric in specs.POOLED:
                cases[f"measure/several {name}/{metric}"] = partial(several, wanted, **options)
                cases[f"measure/by {name}/{metric}"] = partial(split, wanted, **options)
        options = {**side_by_side["paired"], "group": "prompt_id"}
        cases[f"measure/by grouped paired/{metric}"] = partial(split, wanted, **options)
        cases[f"measure/sets/{metric}"] = partial(nested, wanted)
    cases["measure/together"] = partial(several, specs.POOLED)
    cases["measure/together paired"] = partial(
        several, ["distinct:n=2", "ead", "ttr"], paired=True, permutations=199
    )
    cases["measure/too few permutations"] = partial(several, ["ead"], paired=True, permutations=19)
    plain = [specs.default(name) for name in interface.metric_names() if name not in interface.WITH_QUALITY]
    cases["measure/several metrics"] = partial(several, plain)
    cases["measure/reference"] = partial(against, list(specs.REFERENCE))
    cases["measure/reference interval"] = partial(against, list(specs.REFERENCE), interval=True)
    cases["measure/reference absent"] = partial(single, "atis", ["ead:vocabulary=reference"])
    cases["measure/vectors"] = partial(
        vectors, ["vendi", "vendi:q=2", "dispersion", "chamfer"], interval=True
    )
    cases["measure/vectors refused"] = partial(vectors, ["distinct:n=1"])
    cases["measure/distance refused"] = partial(single, "atis", ["chi"])
    listings: dict[str, dict[str, Any]] = {
        "top": {"top": 5},
        "explain": {"explain": 4},
        "both": {"top": 3, "explain": 2},
    }
    for name, options in listings.items():
        cases[f"measure/{name}"] = partial(single, "atis", ["distinct", "self_bleu", "duplicates"], **options)
        cases[f"measure/{name} several"] = partial(several, ["distinct"], **options)
        cases[f"measure/{name} grouped"] = partial(grouped, ["distinct"], **options)
    for k in (1, 2, 3):
        cases[f"measure/top_ngrams {k}"] = partial(frequent, k)
    work: dict[str, dict[str, Any]] = {
        "compiled": {"compiled": True},
        "not compiled": {"compiled": False},
        "batches": {"batch_size": 17, "threads": 1},
        "memory": {"compiled": True, "memory": "10MB"},
    }
    for name, options in work.items():
        wanted = ["distinct", "ead", "entropy", "types:n=5", "ttr", "chao1", "hill", "coverage", "yule"]
        for file in ("banking77", "zh-kdconv-dev-test"):
            cases[f"work/{name}/{file}"] = partial(single, file, wanted, **options)
    return cases


def edge_cases() -> Cases:
    """Return the cases of no, one, empty and missing texts, for all metrics and distances."""
    inputs: dict[str, list[str | None]] = {
        "none": [],
        "one": ["the cat sat on the mat"],
        "word": ["word"],
        "empty": ["", ""],
        "same": ["a b c", "a b c", "a b c"],
        "some empty": ["a b", "", "c d e", "a"],
        "missing": ["a b c d", None, "a b d e f"],
    }
    cases: Cases = {}
    for name, texts in inputs.items():
        for metric in interface.metric_names():
            wanted = specs.of_metric(metric)[:6]
            cases[f"edges/{name}/{metric}"] = partial(interface.measure, texts, wanted, nulls="skip")
        cases[f"edges/{name}/interval"] = partial(
            interface.measure, texts, ["distinct:n=1", "self_bleu"], nulls="empty", interval=True
        )
        for metric in interface.distance_names():
            for candidate in ("one", "some empty"):
                pair = (texts, inputs[candidate], [metric])
                options: dict[str, Any] = {"nulls": "skip", "permutations": 9, "noise_floor": True}
                cases[f"edges/{name} {candidate}/{metric}"] = partial(interface.compare, *pair, **options)
    cases["edges/missing/error"] = partial(interface.measure, inputs["missing"], ["distinct:n=1"])
    cases["edges/unknown metric"] = partial(interface.measure, inputs["one"], ["nothing"])
    cases["edges/unknown option"] = partial(interface.measure, inputs["one"], ["ead:nothing=1"])
    cases["edges/wrong value"] = partial(interface.measure, inputs["one"], ["distinct:n=0"])
    return cases


def demo_cases() -> Cases:
    """Return the cases that are run as a test: fast, and only on the texts of the demonstration."""
    cases: Cases = {}
    demo = data.demo

    def measured(corpus: str, wanted: Sequence[str], **options: Any) -> Entries:
        return interface.measure(demo(corpus), wanted, **options)

    def compared(metric: str) -> Entries:
        wanted = specs.of_metric(metric)[: 2 if metric == "classifier" else None]
        return interface.compare(demo("english-varied"), demo("english-repetitive"), wanted)

    def tested(metric: str, **options: Any) -> Entries:
        return interface.compare(demo("english-varied"), demo("english-repetitive"), [metric], **options)

    def grouped(**options: Any) -> Entries:
        texts = [*demo("english-varied"), *demo("english-repetitive")]
        groups = [f"g{place % 8}" for place in range(len(texts))]
        return interface.measure(texts, specs.GROUPED, groups=groups, **options)

    def several(number: int, wanted: Sequence[str], **options: Any) -> Entries:
        corpora = {name: demo(name)[: 20 - 3 * place] for place, name in enumerate(data.DEMOS[:number])}
        return interface.measure_several(corpora, wanted, **options)

    for metric in interface.metric_names():
        for corpus, most in (("english-varied", 6), ("chinese-repetitive", 1)):
            cases[f"demo/{corpus}/{metric}"] = partial(measured, corpus, specs.of_metric(metric)[:most])
    for metric in interface.distance_names():
        draws = 2 if metric == "classifier" else 29  # each draw fits a support vector machine
        options: dict[str, Any] = {"permutations": draws, "interval": metric != "classifier"}
        cases[f"demo/distances/{metric}"] = partial(compared, metric)
        cases[f"demo/tested/{metric}"] = partial(tested, metric, noise_floor=True, **options)
    for corpus in ("english-varied", "chinese-varied"):
        cases[f"demo/sized/{corpus}"] = partial(measured, corpus, specs.SIZED)
    cases["demo/interval"] = partial(measured, "english-varied", specs.POOLED, interval=True)
    cases["demo/grouped"] = partial(grouped, interval=True)
    cases["demo/several"] = partial(several, 3, specs.POOLED)
    cases["demo/paired"] = partial(several, 2, specs.POOLED, paired=True, permutations=19)
    # As many exchanges as three pairs of corpora need.
    cases["demo/paired three"] = partial(several, 3, ["ead"], paired=True, permutations=60)
    return cases
