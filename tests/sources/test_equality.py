"""One corpus in many forms, cut in many ways: the same numbers to the bit, and the same signatures."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import pickle
import random
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # many sources, cut in many ways

_WORDS = [
    "the",
    "cat",
    "sat",
    "dog",
    "ran",
    "don’t",
    "3.14",
    "Ünïcode",
    "我",
    "知道",
    "因为",
    "，",
    "🐕",
    "👩‍💻",
]
_DRAW = random.Random(20160612)
# Some 300 texts of 0 to 12 words, some of them empty, with characters that are special in csv and tsv.
TEXTS = [" ".join(_DRAW.choices(_WORDS, k=_DRAW.randint(0, 12))) for _ in range(290)]
TEXTS += ["", " ", 'she said "no", twice', '"', ",", "a\tb", "#", "null", "NaN", "ẞ ß"]
GROUPS = [f"prompt {_DRAW.randint(1, 40)}" for _ in TEXTS]

POOLED = ("distinct", "types", "ead", "entropy")
METRICS = [
    *POOLED,
    "ead:vocabulary=chao1",
    "ead:n=2,vocabulary=50257",
    "entropy:correction=miller-madow",
    "entropy:correction=chao-shen",
    *(f"{name}:pool=text" for name in POOLED),
    "entropy:pool=text,correction=miller-madow",
    "entropy:pool=text,correction=chao-shen",
]
BY_GROUP = [*(f"{name}:pool=group" for name in POOLED), "entropy:pool=group,correction=chao-shen"]

Fingerprint = list[tuple[str, str, dict, str]]


def fingerprint(scores: Iterable[dict]) -> Fingerprint:
    """Everything of the scores that must not change; a float's `hex` shows all of its bits."""
    return [
        (
            score["metric"],
            float(score["value"]).hex(),
            {name: float(part).hex() for name, part in score["parts"].items()},
            score["signature"],
        )
        for score in scores
    ]


def of(scores: dy.Scores) -> Fingerprint:
    return fingerprint(score.to_dict() for score in scores)


def delimited(delimiter: str) -> str:
    written = io.StringIO()
    rows = csv.writer(written, delimiter=delimiter)
    rows.writerows([["prompt", "text"], *zip(GROUPS, TEXTS)])
    return written.getvalue()


def jsonl(texts: Iterable[object] = TEXTS) -> str:
    return "".join(
        json.dumps({"text": t, "prompt": g}, ensure_ascii=False) + "\n" for t, g in zip(texts, GROUPS)
    )


FILES = {
    "texts.txt": "".join(text + "\n" for text in TEXTS),
    "rows.jsonl": jsonl(),
    "rows.csv": delimited(","),
    "rows.tsv": delimited("\t"),
}

TABLE = pa.table({"prompt": GROUPS, "text": TEXTS})


def packed(write: Callable[[io.BytesIO], object]) -> bytes:
    written = io.BytesIO()
    write(written)
    return written.getvalue()


def arrow(new: Callable[..., Any]) -> bytes:
    def write(written: io.BytesIO) -> None:
        with new(written, TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=50)

    return packed(write)


ROWS = [{"text": text, "prompt": group} for text, group in zip(TEXTS, GROUPS)]
# Forms other than lines have groups.
BINARY_FILES = {
    "rows.json": json.dumps(ROWS).encode(),
    "rows.parquet": packed(lambda written: pq.write_table(TABLE, written, row_group_size=70)),
    "rows.arrow": arrow(pa.ipc.new_file),
    "rows.feather": arrow(pa.ipc.new_stream),
    "rows.jsonl.gz": gzip.compress(FILES["rows.jsonl"].encode()),
    "rows.csv.xz": lzma.compress(FILES["rows.csv"].encode()),
    "rows.jsonl.zst": pa.compress(FILES["rows.jsonl"].encode(), codec="zstd", asbytes=True),
}
# Read by the names of columns.
TABLES = {
    "Arrow table": lambda: TABLE,
    "pandas frame": lambda: pd.DataFrame(ROWS),
    "polars frame": lambda: pl.DataFrame(ROWS),
    "iterator of rows": lambda: iter(ROWS),
    "iterator of record batches": lambda: iter(TABLE.to_batches(max_chunksize=40)),
}


@pytest.fixture(scope="module")
def expected() -> Fingerprint:
    return of(dy.measure(TEXTS, METRICS))


@pytest.fixture(scope="module")
def expected_by_group() -> Fingerprint:
    return of(dy.measure(TEXTS, BY_GROUP, groups=GROUPS))


def test_the_corpus_is_not_trivial(expected):
    # 14 specs: the 10 without an n stand for n = 1, 2, 3, 4 each; the 4 of ead stand for one.
    assert len(expected) == 4 * 10 + 4
    assert TEXTS.count("") > 10
    assert len({value for _, value, _, _ in expected}) > 30


@pytest.mark.parametrize("batch_size", [1, 7, 1000])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["list", *FILES])
def test_any_source_in_any_cut(save, expected, name, batch_size, threads):
    texts = TEXTS if name == "list" else save(name, FILES[name])
    assert of(dy.measure(texts, METRICS, batch_size=batch_size, threads=threads)) == expected


@pytest.mark.parametrize("batch_size", [7, None])
@pytest.mark.parametrize("name", BINARY_FILES)
def test_any_other_file(save, expected, expected_by_group, name, batch_size):
    path = save(name, BINARY_FILES[name])
    assert of(dy.measure(path, METRICS, batch_size=batch_size)) == expected
    assert of(dy.measure(path, BY_GROUP, group="prompt", batch_size=batch_size)) == expected_by_group


@pytest.mark.parametrize("batch_size", [7, None])
@pytest.mark.parametrize("name", TABLES)
def test_any_table(expected, expected_by_group, name, batch_size):
    assert of(dy.measure(TABLES[name](), METRICS, batch_size=batch_size)) == expected
    found = dy.measure(TABLES[name](), BY_GROUP, group="prompt", batch_size=batch_size)
    assert of(found) == expected_by_group


@pytest.mark.parametrize("memory", [None, 20_000], ids=["in memory", "on disk"])
@pytest.mark.parametrize("name", ["list", "iterator", *FILES, *BINARY_FILES, *TABLES])
def test_any_source_with_compiled_loops(save, expected, monkeypatch, name, memory):
    monkeypatch.setattr("distinctly.config.SMALLEST_MEMORY", 1)
    if name in ("list", "iterator"):
        texts = TEXTS if name == "list" else iter(TEXTS)
    elif name in TABLES:
        texts = TABLES[name]()
    else:
        texts = save(name, {**FILES, **BINARY_FILES}[name])
    assert of(dy.measure(texts, METRICS, compiled=True, memory=memory, batch_size=70)) == expected


@pytest.mark.parametrize("batch_size", [7, None])
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_an_iterator_of_texts_or_batches(expected, expected_by_group, piece, batch_size):
    assert of(dy.measure(iter(TEXTS), METRICS, batch_size=batch_size)) == expected
    batches = (TEXTS[start : start + piece] for start in range(0, len(TEXTS), piece))
    found = dy.measure(batches, BY_GROUP, groups=iter(GROUPS), batch_size=batch_size)
    assert of(found) == expected_by_group


@pytest.mark.parametrize("form", ["folder", "pattern", "list of paths"])
def test_several_files(save, tmp_path, expected, expected_by_group, form):
    cuts = [0, 10, 100, 101, 300]
    paths = [
        save(f"parts/{number}.jsonl", "".join(FILES["rows.jsonl"].splitlines(keepends=True)[start:end]))
        for number, (start, end) in enumerate(pairwise(cuts))
    ]
    folder = tmp_path / "parts"
    source = {"folder": folder, "pattern": folder / "*.jsonl", "list of paths": paths[::-1]}[form]
    assert of(dy.measure(source, METRICS)) == expected
    assert of(dy.measure(source, BY_GROUP, group="prompt")) == expected_by_group


@pytest.mark.parametrize("batch_size", [1, 7, 1000])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["list", "rows.jsonl", "rows.csv", "rows.tsv"])
def test_any_source_with_groups_in_any_cut(save, expected_by_group, name, batch_size, threads):
    cut = {"batch_size": batch_size, "threads": threads}
    if name == "list":
        scores = dy.measure(TEXTS, BY_GROUP, groups=GROUPS, **cut)
    else:
        scores = dy.measure(save(name, FILES[name]), BY_GROUP, group="prompt", **cut)
    assert of(scores) == expected_by_group


def test_a_corpus_in_memory(expected, expected_by_group):
    corpus = dy.Corpus(TEXTS, groups=GROUPS, name="any name")
    assert of(dy.measure(dy.Corpus(TEXTS, name="any name"), METRICS)) == expected
    assert of(dy.measure(corpus, BY_GROUP)) == expected_by_group


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch_size", [1, 7, None])
def test_scopes_of_groups_in_any_cut(save, batch_size, threads):
    """Within, across and pooled, with intervals: draws do not depend on batches, threads or sources."""
    few = ["distinct:n=2", "entropy:n=1,correction=chao-shen", "ead:pool=text"]
    expected = of(dy.measure(TEXTS, few, groups=GROUPS, interval=True))
    path = save("rows.jsonl", FILES["rows.jsonl"])
    cut = {"batch_size": batch_size, "threads": threads}
    assert of(dy.measure(path, few, group="prompt", interval=True, **cut)) == expected
    assert of(dy.measure(path, few, group="prompt", compiled=True, interval=True, **cut)) == expected


def test_a_corpus_of_a_file(save, expected_by_group):
    corpus = dy.Corpus.read(save("rows.jsonl", FILES["rows.jsonl"]), group="prompt")
    assert of(dy.measure(corpus, BY_GROUP)) == expected_by_group


@pytest.mark.parametrize("order", ["reversed", "shuffled"])
def test_the_order_of_the_texts(expected, expected_by_group, order):
    rows = list(zip(TEXTS, GROUPS))[::-1]
    if order == "shuffled":
        random.Random(1).shuffle(rows)
    texts, groups = zip(*rows)
    assert of(dy.measure(texts, METRICS)) == expected
    assert of(dy.measure(texts, BY_GROUP, groups=groups)) == expected_by_group


@pytest.mark.parametrize("name", FILES)
def test_standard_input(command, expected, name):
    asked = [word for spec in METRICS for word in ("-m", spec)]
    done = command(
        "measure", "-", "--input", name.partition(".")[2], "--format", "json", *asked, given=FILES[name]
    )
    assert done.returncode == 0, done.stderr
    assert fingerprint(json.loads(done.stdout)["scores"]) == expected


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.tsv"])
def test_the_command_with_groups(command, save, expected_by_group, name):
    asked = [word for spec in BY_GROUP for word in ("-m", spec)]
    done = command("measure", save(name, FILES[name]), "--group", "prompt", "--format", "json", *asked)
    assert done.returncode == 0, done.stderr
    assert fingerprint(json.loads(done.stdout)["scores"]) == expected_by_group


@pytest.mark.parametrize("batch_size", [1, 7, 1000])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("form", ["list", "jsonl"])
def test_token_lists_differ_in_the_tokenizer_alone(save, form, batch_size, threads):
    cut = {"batch_size": batch_size, "threads": threads, "tokens": True}
    tokens = [text.split() for text in TEXTS]
    if form == "list":
        scores = dy.measure(tokens, METRICS, **cut) + dy.measure(tokens, BY_GROUP, groups=GROUPS, **cut)
    else:
        path = save("tokens.jsonl", jsonl(tokens))
        scores = dy.measure(path, METRICS, **cut)
        scores += dy.measure(path, BY_GROUP, group="prompt", **cut)
    texts = dy.measure(TEXTS, METRICS, tokenizer="whitespace")
    texts += dy.measure(TEXTS, BY_GROUP, groups=GROUPS, tokenizer="whitespace")
    assert all("|tok:given,lc:no|" in score.signature for score in scores)
    renamed = [(*rest, signature.replace("tok:given", "tok:whitespace")) for *rest, signature in of(scores)]
    assert renamed == of(texts)


def filled(rows: slice, tokenizer: str = "words") -> dy.Accumulator:
    state = dy.Accumulator([*METRICS, *BY_GROUP], tokenizer=tokenizer)
    state.update(TEXTS[rows], groups=GROUPS[rows])
    return state


@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_an_accumulator_fed_in_pieces(expected, expected_by_group, piece):
    state = dy.Accumulator([*METRICS, *BY_GROUP])
    for start in range(0, len(TEXTS), piece):
        state.update(TEXTS[start : start + piece], groups=GROUPS[start : start + piece])
    assert of(state.compute()) == expected + expected_by_group


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_accumulators_merged_in_any_order(expected, expected_by_group, order):
    parts = [filled(slice(0, 10)), filled(slice(10, 200)), filled(slice(200, None))]
    first, second, third = (parts[place] for place in order)
    assert of(first.merge(second).merge(third).compute()) == expected + expected_by_group
    assert of(first.merge(second.merge(third)).compute()) == expected + expected_by_group


def test_accumulators_pickled_and_merged(expected, expected_by_group):
    parts = [pickle.loads(pickle.dumps(filled(rows))) for rows in (slice(0, 150), slice(150, None))]
    assert of(parts[0].merge(parts[1]).compute()) == expected + expected_by_group


def test_an_accumulator_fed_from_a_file_and_a_list(save, expected):
    state = dy.Accumulator(METRICS)
    state.update(save("first.txt", "".join(text + "\n" for text in TEXTS[:100])))
    state.update(TEXTS[100:])
    assert of(state.compute()) == expected


def test_an_accumulator_given_no_texts_at_first_takes_tokens_later():
    state = dy.Accumulator("distinct:n=1")
    state.update([])
    state.update([["a", "b", "a"]])
    # 2 distinct of 3.
    assert state.compute()[0].value == 2 / 3
