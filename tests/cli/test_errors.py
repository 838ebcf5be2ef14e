"""Bad usage and bad input: exit code 2, one line on standard error, nothing on standard output."""

from __future__ import annotations

import json
import os

import pytest

ROWS = "".join(json.dumps({"response": f"text {i}", "prompt": i % 2}) + "\n" for i in range(1, 31))
FILES = {
    "good.txt": "the cat sat\nthe dog sat\n",
    "good.jsonl": ROWS,
    "broken.jsonl": "".join('{"text": "fine"}\n' if i != 17 else '{"text": "cut off\n' for i in range(1, 31)),
    "latin.txt": b"one\ncaf\xe9!\n",
    "number.jsonl": '{"text": "a"}\n{"text": 5}\n',
    "numbers.jsonl": '{"text": [1, 2]}\n',
    "null.jsonl": '{"text": "a"}\n{"text": "b"}\n{"text": null}\n',
    "array.jsonl": '["a", "b"]\n',
    "empty.txt": "",
    "empty.jsonl": "",
    "blank.jsonl": "\n\n",
    "header.csv": "id,text\n",
    "cells.csv": "id,text\n1,a,b\n",
    "twice.csv": "text,text\na,b\n",
    "data.parquet": b"PAR1",
    "data.arrow": b"ARROW1",
    "texts.txt.gz": b"\x1f\x8b",
    "texts.txt.zst": b"\x28\xb5\x2f\xfd",
    "data.json": "[]",
    "data.zip": b"PK",
    "folder/notes.md": "one\n",
    "nothing/.hidden": "",
}
GOOD = ("measure", "good.txt")

DATA = {
    "missing file": (["measure", "nowhere.txt"], ["nowhere.txt", "no such file"]),
    "second file missing": ([*GOOD, "nowhere.txt"], ["nowhere.txt", "no such file"]),
    "missing file with a close name": (
        ["measure", "goood.txt"],
        ["goood.txt", "no such file", "Did you mean 'good.txt'?"],
    ),
    "missing file with another ending": (
        ["compare", "good.txt", "folder/notes.txt"],
        ["no such file", "Did you mean 'folder/notes.md'?"],
    ),
    "missing folder": (
        ["measure", "nowhere/good.txt"],
        ["nowhere/good.txt: no such file", "no folder 'nowhere'"],
    ),
    "a name too long": (["measure", "x" * 300], ["xxx"]),
    "a name with a line end": (["measure", "no\nwhere.txt"], ["no where.txt", "no such file"]),
    "folder without a file": (["measure", "nothing"], ["nothing", "no file in this folder"]),
    "folder with a file of no known ending": (
        ["measure", "folder"],
        ["notes.md", "endings of files in a folder have to be known"],
    ),
    "pattern without a file": (["measure", "*.tex"], ["*.tex", "no file matches this pattern"]),
    "unknown field": (
        ["measure", "good.jsonl", "--field", "responce"],
        ["line 1", "'responce'", "Did you mean 'response'?", "Fields: response, prompt", "--field"],
    ),
    "the default field is not there": (["measure", "good.jsonl"], ["'text'", "Fields: response, prompt"]),
    "unknown group": (
        ["measure", "good.jsonl", "--field", "response", "--group", "promt"],
        ["Did you mean 'prompt'?", "--group"],
    ),
    "unknown id": (["measure", "good.jsonl", "--field", "response", "--id", "key"], ["'key'", "--id"]),
    "unknown field of --by": (
        ["measure", "good.jsonl", "--field", "response", "--by", "promt"],
        ["line 1", "Unknown field 'promt'", "Did you mean 'prompt'?", "Choose one with --by (Python: by=)"],
    ),
    "unknown field of --by, compared": (
        ["compare", "good.jsonl", "--field", "response", "--by", "promt"],
        ["line 1", "Did you mean 'prompt'?", "Choose one with --by (Python: by=)"],
    ),
    "--by of lines": ([*GOOD, "--by", "prompt"], ["good.txt", "no fields, so no field to split by"]),
    "broken JSON": (["measure", "broken.jsonl"], ["broken.jsonl, line 17", "not valid JSON"]),
    "no object": (
        ["measure", "array.jsonl"],
        ["line 1", "expected one object per line, got an array", "--input json"],
    ),
    "invalid UTF-8": (["measure", "latin.txt"], ["line 2", "byte 7 of the file: e9", "--encoding"]),  # 4 + 3
    "a number": (["measure", "number.jsonl"], ["line 2", "expected text, got a number (5)"]),
    "a list of numbers": (["measure", "numbers.jsonl"], ["line 1", "a list of number ([1, 2])"]),
    "a null": (["measure", "null.jsonl"], ["line 3", "missing (null)", "--nulls"]),
    "empty txt": (["measure", "empty.txt"], ["empty.txt", "no text to measure"]),
    "empty jsonl": (["measure", "empty.jsonl"], ["empty.jsonl", "no text to measure"]),
    "blank jsonl": (["measure", "blank.jsonl"], ["blank.jsonl", "no text to measure"]),
    "csv of a header": (["measure", "header.csv"], ["header.csv", "no text to measure"]),
    "empty standard input": (["measure", "-"], ["standard input", "no text to measure"]),
    "wrong number of cells": (["measure", "cells.csv"], ["line 2", "expected 2 cells"]),
    "a name twice in the header": (["measure", "twice.csv"], ["line 1", "'text' twice"]),
    "broken parquet": (["measure", "data.parquet"], ["data.parquet", "cannot be read as parquet"]),
    "broken arrow": (["measure", "data.arrow"], ["data.arrow", "cannot be read as arrow"]),
    "broken gz": (["measure", "texts.txt.gz"], ["texts.txt.gz", "cannot be read as .gz"]),
    "broken zst": (["measure", "texts.txt.zst"], ["texts.txt.zst", "cannot be read as .zst"]),
    "empty array": (["measure", "data.json"], ["data.json", "no text to measure"]),
    "archive": (["measure", "data.zip"], ["data.zip", "cannot read .zip files"]),
    "group of lines": ([*GOOD, "--group", "prompt"], ["good.txt", "no fields, so no group"]),
    "pool=group without groups": (
        [*GOOD, "-m", "distinct:pool=group"],
        ["pool=group needs groups", "--group"],
    ),
    "UTF-16 without its mark": ([*GOOD, "--encoding", "utf-16"], ["good.txt", "utf-16"]),
    "reference missing": (
        [*GOOD, "-m", "ead:vocabulary=reference", "--reference", "nowhere.txt"],
        ["nowhere.txt", "no such file"],
    ),
    "reference empty": (
        [*GOOD, "-m", "ead:vocabulary=reference", "--reference", "empty.txt"],
        ["empty.txt", "no text to measure"],
    ),
}

USAGE = {
    "n=0": ([*GOOD, "-m", "distinct:n=0"], ["`n` of 'distinct'", "at least 1", "got 0"]),
    "n=-1": ([*GOOD, "-m", "distinct:n=-1"], ["at least 1", "got -1"]),
    "n=x": ([*GOOD, "-m", "distinct:n=x"], ["`n` of 'distinct'", "a whole number", "got 'x'"]),
    "n=1.5": ([*GOOD, "-m", "distinct:n=1.5"], ["a whole number", "got '1.5'"]),
    "vocabulary=0": ([*GOOD, "-m", "ead:vocabulary=0"], ["`vocabulary` of 'ead'", "at least 1"]),
    "unknown metric": (
        [*GOOD, "-m", "distnct"],
        ["Unknown metric 'distnct'", "Did you mean 'distinct'?", "Known:"],
    ),
    "empty metric": ([*GOOD, "-m", ""], ["Unknown metric ''"]),
    "unknown option": ([*GOOD, "-m", "distinct:pol=text"], ["Unknown option 'pol'", "Did you mean 'pool'?"]),
    "unknown value": ([*GOOD, "-m", "distinct:pool=txt"], ["got 'txt'", "Did you mean 'text'?"]),
    "unknown preset": ([*GOOD, "-m", "distinct:preset=li2015"], ["Did you mean 'li2016'?"]),
    "option without a value": ([*GOOD, "-m", "distinct:n"], ["Expected `option=value`", "got 'n'"]),
    "option twice": ([*GOOD, "-m", "distinct:n=1,n=2"], ["'n' is given twice"]),
    "unknown tokenizer": (
        [*GOOD, "--tokenizer", "word"],
        ["Unknown tokenizer 'word'", "Did you mean 'words'?"],
    ),
    "unknown option of a tokenizer": (
        [*GOOD, "--tokenizer", "words:lower=yes"],
        ["Unknown option 'lower'", "lc"],
    ),
    "bad regex": ([*GOOD, "--tokenizer", "regex:("], ["regex:", "'('"]),
    "empty regex": ([*GOOD, "--tokenizer", "regex:"], ["Expected a pattern after 'regex:'"]),
    "unknown command": (["mesure", "good.txt"], ["Unknown command 'mesure'", "Did you mean 'measure'?"]),
    "unknown flag": ([*GOOD, "--metrc", "ead"], ["--metrc", "--metric"]),
    "unknown format": ([*GOOD, "--format", "jason"], ["Unknown format 'jason'", "Did you mean 'json'?"]),
    "unknown input format": ([*GOOD, "--input", "jsnl"], ["'jsnl' of --input", "Did you mean 'jsonl'?"]),
    "unknown nulls": ([*GOOD, "--nulls", "skp"], ["'skp' of --nulls", "Did you mean 'skip'?"]),
    "unknown encoding": ([*GOOD, "--encoding", "utf-9"], ["`encoding`", "got 'utf-9'"]),
    "an encoding of no text": ([*GOOD, "--encoding", "base64"], ["base64"]),
    "unknown errors": ([*GOOD, "--errors", "mend"], ["`errors`", "got 'mend'"]),
    "no vocabulary": (
        [*GOOD, "-m", "ead:vocabulary=tokenizer"],
        ["vocabulary=tokenizer", "'words' has none"],
    ),
    "no reference": ([*GOOD, "-m", "ead:vocabulary=reference"], ["needs a reference corpus", "--reference"]),
    "require without a bound": ([*GOOD, "--require", "ead"], ["Expected a requirement such as", "got 'ead'"]),
    "require with =": ([*GOOD, "--require", "ead=0.2"], ["Expected a requirement such as"]),
    "require with =>": ([*GOOD, "--require", "ead=>0.2"], ["'=>'", "Use >=, as in 'ead>=0.2'"]),
    "require with =<": (
        [*GOOD, "--require", "good.txt/distinct:n=2 =< 0.2"],
        ["'=<'", "Use <=, as in 'good.txt/distinct:n=2 <= 0.2'"],
    ),
    "two patterns": ([*GOOD, "-m", "distinct:n=1,of=regex(a;b)"], ["Expected one pattern", "%3B"]),
    "require a word": ([*GOOD, "--require", "ead>=high"], ["Expected a requirement such as"]),
    "require nan": ([*GOOD, "--require", "ead>=nan"], ["Expected a requirement such as"]),
    "require of nothing": ([*GOOD, "--require", ">=0.2"], ["Expected a requirement such as"]),
    "require an unknown metric": (
        [*GOOD, "--require", "eead>=0.2"],
        ["Unknown metric 'eead'", "Did you mean 'ead'?"],
    ),
    "no file": (["measure"], ["FILE"]),
    "a file a text, and lines": (
        [*GOOD, "--file-a-text", "--input", "jsonl"],
        ["--text-per-file means --input file"],
    ),
    "top=0": ([*GOOD, "--top", "0"], ["--top"]),
    "top in csv": ([*GOOD, "--top", "3", "--format", "csv"], ["--top needs --format"]),
    "seed=-1": ([*GOOD, "--seed", "-1"], ["--seed"]),
    "permutations=0": ([*GOOD, "--paired", "--permutations", "0"], ["--permutations"]),
    "unknown engine": ([*GOOD, "--engine", "lokal"], ["engine", "'lokal'"]),
    "unknown tagger": ([*GOOD, "--tagger", "nowhere:tag"], ["Unknown tagger 'nowhere:tag'"]),
    "an id beside --by": ([*GOOD, "--by", "a", "--id", "b"], ["--by and --id cannot both be given"]),
    "threads=0": ([*GOOD, "--threads", "0"], ["--threads"]),
    "batch-size=x": ([*GOOD, "--batch-size", "x"], ["--batch-size"]),
    "unknown name to list": (["list", "entrpy"], ["'entrpy'", "Did you mean 'entropy'?"]),
    "unknown demonstration": (["measure", "demo:english-varid"], ["Did you mean 'english-varied'?"]),
}


def check(done, words):
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("distinctly: error: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    for word in words:
        assert word.lower() in done.stderr.lower()


@pytest.mark.slow  # a process per case
@pytest.mark.parametrize(("arguments", "words"), DATA.values(), ids=DATA)
def test_bad_input_is_one_line_that_says_what_is_wrong(command, save, arguments, words):
    for name, content in FILES.items():
        save(name, content)
    check(command(*arguments), words)


@pytest.mark.slow  # a process per case
@pytest.mark.parametrize(("arguments", "words"), USAGE.values(), ids=USAGE)
def test_bad_usage_is_one_line_that_says_what_is_wrong(command, save, arguments, words):
    save("good.txt", FILES["good.txt"])
    check(command(*arguments), words)


@pytest.mark.parametrize("name", ["nowhere.txt", "*.tex", "nowhere/good.txt", "goood.txt"])
def test_a_missing_file_is_not_answered_with_the_syntax_of_python(command, save, name):
    save("good.txt", FILES["good.txt"])
    done = command("measure", name)
    assert "in a list" not in done.stderr
    assert "--id" not in done.stderr


@pytest.mark.parametrize("option", ["--by", "--id"])
def test_an_error_names_the_option_that_was_given(command, save, option):
    save("good.jsonl", ROWS)
    done = command("measure", "good.jsonl", "--field", "response", option, "model")
    others = {"--by", "--id"} - {option}
    assert option in done.stderr
    assert not any(other in done.stderr for other in others)


def test_a_file_without_permission(command, save):
    path = save("secret.txt", "one\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    check(command("measure", path), ["secret.txt", "no permission"])


def test_standard_input_that_is_no_text(command):
    check(command("measure", "-", given=b"one\n\xff\n"), ["standard input, line 2", "byte 4 of the file: ff"])


def test_nothing_is_printed_of_the_good_file_before_a_bad_one(command, save):
    save("good.txt", "one\n")
    save("bad.txt", b"\xff")
    check(command("measure", "good.txt", "bad.txt"), ["bad.txt, line 1"])


def test_without_a_command_the_help_is_shown_as_help(command):
    done = command()
    shown = done.stdout + done.stderr
    assert "error:" not in shown
    assert "\nCommands:\n" in shown
