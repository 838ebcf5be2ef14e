"""Cases of all inputs and outputs: lists, files of each format, accumulators, and the command line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from . import data, interface
from .interface import Cases, Entries

FORMATS = ("table", "json", "csv", "markdown", "latex")
METRICS = (
    "distinct",
    "ead",
    "entropy:n=1",
    "ttr",
    "self_bleu",
    "duplicates",
    "compression",
    "mtld:pool=corpus",
)
# All measures of `judge similarity` except time.
MEASURES = (
    "accuracy,weighted_accuracy,monotonicity,separability,linearity,size_robustness,imbalance_robustness"
)
TEXTS = ("sample.txt", "sample.txt.gz", "sample.jsonl", "sample.jsonl.gz", "sample.json")
TABLES = ("sample.csv", "sample.csv.gz", "sample.tsv", "sample.parquet", "sample.arrow")


def write_inputs(folder: Path) -> None:
    """Write the files that cases read from the current folder of each process."""
    rows = [
        {"text": " ".join(row["text"].split()), "label": row["label"]} for row in data.rows("banking77", 120)
    ]
    other = [{"text": text} for text in data.texts("clinc150", 90)]
    contents = {
        "sample.txt": "".join(f"{row['text']}\n" for row in rows),
        "sample.jsonl": _json_lines(rows),
        "sample.json": json.dumps(rows),
        "other.txt": "".join(f"{row['text']}\n" for row in other),
        "other.jsonl": _json_lines(other),
        "answers.jsonl": _json_lines(data.answers(12, 4)),
        "sets.jsonl": _json_lines(data.rows(data.SETS, 120)),
        "missing.jsonl": _json_lines([*rows[:5], {"text": None, "label": "x"}, *rows[5:9]]),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    table = pa.table({"text": [row["text"] for row in rows], "label": [row["label"] for row in rows]})
    pyarrow.csv.write_csv(table, folder / "sample.csv")
    pyarrow.csv.write_csv(
        table, folder / "sample.tsv", pyarrow.csv.WriteOptions(delimiter="\t", quoting_style="needed")
    )
    pyarrow.parquet.write_table(table, folder / "sample.parquet")
    with pa.OSFile(str(folder / "sample.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    for name in ("sample.txt", "sample.jsonl", "sample.csv"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes(), mtime=0))
    for name in ("banking77", "clinc150"):
        np.save(folder / f"{name}.npy", data.embedded(name, 80)[1])
        lines = "".join(f"{text}\n" for text in data.embedded(name, 80)[0])
        (folder / f"{name}.txt").write_text(lines, encoding="utf-8")


def _json_lines(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def input_cases() -> Cases:
    """Return the cases of all inputs, in Python and on the command line."""
    return _python_cases() | _command_cases()


def _python_cases() -> Cases:
    cases: Cases = {}
    texts, metrics = data.texts, list(METRICS)

    def frame(**options: Any) -> Entries:
        rows = data.rows("banking77", 120)
        table = pa.table({"text": [row["text"] for row in rows], "label": [row["label"] for row in rows]})
        return interface.measure(table, metrics, field="text", **options)

    def tokens(file: str) -> Entries:
        return interface.measure([text.split() for text in texts(file, 120)], metrics, tokens=True)

    def batches(file: str, size: int) -> Entries:
        sample = texts(file, 120)
        return interface.accumulate([sample[i : i + size] for i in range(0, len(sample), size)], metrics)

    for name in (*TEXTS, *TABLES):
        cases[f"inputs/file/{name}"] = partial(interface.measure, name, metrics)
        cases[f"inputs/compare/{name}"] = partial(
            interface.compare, name, "other.txt", ["chi", "frechet"], permutations=19
        )
    cases["inputs/list"] = lambda: interface.measure(texts("banking77", 120), metrics)
    cases["inputs/iterator"] = lambda: interface.measure(iter(texts("banking77", 120)), metrics)
    cases["inputs/array"] = lambda: interface.measure(np.array(texts("banking77", 120)), metrics)
    cases["inputs/corpus"] = lambda: interface.measure(interface.corpus("sample.jsonl", id="label"), metrics)
    cases["inputs/named"] = lambda: interface.measure(
        interface.corpus(texts("atis", 60), name="flights", groups=["a", "b"] * 30), metrics
    )
    cases["inputs/paths"] = lambda: interface.measure([Path("sample.txt"), Path("other.txt")], metrics)
    cases["inputs/pattern"] = partial(interface.measure, "*.txt", metrics)
    cases["inputs/table"] = frame
    cases["inputs/cache"] = partial(interface.measure, "sample.txt", ["dispersion", "vendi"], cache=True)
    for how in ("skip", "empty", "error"):
        cases[f"inputs/nulls {how}"] = partial(interface.measure, "missing.jsonl", metrics, nulls=how)
    for file in ("atis", "zh-kdconv-dev-test", "ja-small-parallel-enja"):
        cases[f"inputs/token lists/{file}"] = partial(tokens, file)
        for size in (7, 120):
            cases[f"inputs/accumulator {size}/{file}"] = partial(batches, file, size)
    return cases


def _command_cases() -> Cases:
    cases: Cases = {}
    demos = ("demo:english-varied", "demo:english-repetitive")
    measure = {
        "demo": demos,
        "files": ("sample.txt", "other.jsonl"),
        "metrics": ("sample.csv", *(word for metric in METRICS for word in ("-m", metric))),
        "interval": ("sample.parquet", "--interval"),
        "paired": ("sample.txt", "other.txt", "--paired", "--permutations", 49),
        "by": ("answers.jsonl", "--by", "label", "--group", "prompt_id", "-m", "distinct:n=1", "-m", "ead"),
        "by interval": (
            *("answers.jsonl", "--by", "label", "--group", "prompt_id", "--interval", "--paired"),
            *("-m", "ead", "-m", "self_bleu", "--permutations", 399),
        ),
        "sets": ("sets.jsonl", "--field", "texts"),
        "sized": (
            *("sample.txt", "other.txt", "-m", "types:n=1,at=500", "-m", "rarefied:n=2,sample=100"),
            *("-m", "entropy:n=1,at=500,draws=5", "-m", "self_bleu:at=50texts,draws=3"),
        ),
        "vectors": (
            "sample.txt",
            "other.txt",
            "-m",
            "vendi",
            "-m",
            "dispersion",
            "-m",
            "chamfer",
            "--no-cache",
        ),
        "reference": ("sample.txt", "-m", "ead:vocabulary=reference", "--reference", "other.txt"),
        "tokenizer": ("sample.txt", "--tokenizer", "char"),
    }
    pair = ("sample.txt", "other.txt", "--no-cache")
    compare = {
        "demo": (*demos, "--no-cache"),
        "tested": (*pair, "--noise-floor", "--permutations", 49, "--interval"),
        "floor": (*pair, "-m", "dc", "-m", "mauve", "--noise-floor"),
        "several": (*pair, "banking77.txt", "--permutations", 19, "-m", "chi", "-m", "energy"),
        "matrix": (*pair, "clinc150.txt", "--matrix", "-m", "chi", "-m", "frechet"),
        "matrix tested": (
            *pair,
            "clinc150.txt",
            "--matrix",
            "-m",
            "chi",
            "--noise-floor",
            "--permutations",
            19,
        ),
        "by": (
            "answers.jsonl",
            "--by",
            "label",
            "--reference",
            "claude-2",
            "-m",
            "chi",
            "--permutations",
            19,
        ),
        "vectors": (
            *("banking77.txt", "clinc150.txt", "-m", "frechet", "-m", "dc"),
            *("--vectors", "banking77.npy", "--vectors", "clinc150.npy"),
        ),
        "subsample": (*pair, "--subsample", 40, "--seed", 2),
    }
    trials = {
        "similarity": (
            *("sample.txt", "other.txt", "-m", "chi", "-m", "energy", "--n", 8, "--k", 4),
            *("--repetitions", 2, "--sizes", "10,20,30", "--largest", 60, "--size-repetitions", 2),
            *("--measures", MEASURES),
        ),
        "diversity": (
            *("sample.jsonl", "-m", "distinct:n=1", "-m", "self_bleu", "--n", 12, "--k", 3),
            *("--corpora", 2, "--repetitions", 2),
        ),
        "length": ("sample.txt", "--designated", "--lengths", "5:12", "--texts", 4, "--sets", 2),
        "people": (
            "sets.jsonl",
            "--human",
            "hds_mean",
            "--column",
            "metric_*",
            "-m",
            "distinct:n=1",
            "-m",
            "ead",
        ),
        "progress": (
            "sample.txt",
            "other.txt",
            "clinc150.txt",
            "-m",
            "chi",
            "-m",
            "energy",
            "--repetitions",
            2,
        ),
    }
    for form in FORMATS:
        for name, words in measure.items():
            arguments = ("measure", *words, "--format", form)
            cases[f"command/measure {name}/{form}"] = partial(interface.command, *arguments)
        for name, words in compare.items():
            arguments = ("compare", *words, "--format", form)
            cases[f"command/compare {name}/{form}"] = partial(interface.command, *arguments)
        if form in ("table", "json", "markdown"):
            explained = ("--explain", "--top", 4, "--format", form)
            cases[f"command/measure explain/{form}"] = partial(
                interface.command, "measure", "sample.txt", *explained
            )
            cases[f"command/compare explain/{form}"] = partial(
                interface.command, "compare", *pair, "--explain", "--format", form
            )
    for form in (*FORMATS, "findings"):
        for name, words in trials.items():
            # Records of mixtures contain times; those of sizes do not.
            timed = name == "similarity" and form in ("json", "csv")
            chosen = ("--measures", "size_robustness") if timed else ()
            arguments = ("judge", name, *words, *chosen, "--no-cache", "--format", form)
            cases[f"command/judge {name}/{form}"] = partial(interface.command, *arguments)
    lines = "one text per line\nanother text\n"
    cases["command/standard input"] = partial(interface.command, "measure", "-", given=lines)
    cases["command/score only"] = partial(interface.command, "measure", *demos, "--score-only")
    cases["command/compare score only"] = partial(interface.command, "compare", *pair, "--score-only")
    for gate in ("ead>=0.1", "ead>=0.99", "nothing>=1", "ead=1"):
        cases[f"command/require {gate}"] = partial(
            interface.command, "measure", "sample.txt", "--require", gate
        )
    cases["command/compare require"] = partial(interface.command, "compare", *pair, "--require", "chi<=0.001")
    cases["command/absent file"] = partial(interface.command, "measure", "absent.txt")
    cases["command/demo"] = partial(interface.command, "demo")
    cases["command/list"] = partial(interface.command, "list")
    for name in ("ead", "chi", "words", "wordllama"):
        cases[f"command/list/{name}"] = partial(interface.command, "list", name)
    return cases
