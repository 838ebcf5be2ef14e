"""Several files as one corpus: folders, patterns, lists of paths; and files with one text each."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.systems import posix

import distinctly as dy


@pytest.fixture
def shards(save, tmp_path):
    """Four files in a folder and one below it; names whose order is not that of writing."""
    save("out/c.txt", "five\n")
    save("out/a.jsonl", '{"text": "one"}\n{"text": "two"}\n')
    save("out/b.csv.gz", gzip.compress(b"text\nthree\n"))
    save("out/b/x.json", '["four"]')
    save("out/.hidden.txt", "never\n")
    save("out/.git/config.txt", "never\n")
    return tmp_path / "out"


def test_a_folder_is_one_corpus_in_the_order_of_the_paths(shards):
    corpus = dy.Corpus.read(shards)
    # a.jsonl, b/x.json, b.csv.gz, c.txt: by folder and name, not by when they were written.
    assert corpus.texts() == ["one", "two", "four", "three", "five"]
    assert corpus.name == "out"
    assert corpus.source.position == corpus.source.size


def test_a_folder_of_tables(tmp_path):
    for number in range(3):
        pq.write_table(pa.table({"text": [f"text {number}"]}), tmp_path / f"part-{number}.parquet")
    assert dy.Corpus.read(tmp_path).texts() == ["text 0", "text 1", "text 2"]


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("*.txt", ["five"]),
        ("[ac].*", ["one", "two", "five"]),
        ("?.jsonl", ["one", "two"]),
        ("**/*.json", ["four"]),
        (".hidden*", ["never"]),
    ],
)
@pytest.mark.parametrize("kind", [str, Path])
def test_a_pattern_is_one_corpus(shards, pattern, texts, kind):
    corpus = dy.Corpus.read(kind(shards / pattern))
    assert corpus.texts() == texts
    assert corpus.name == str(shards / pattern)


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(save):
    save("a1.txt", "other\n")
    assert dy.Corpus.read(save("a[1].txt", "one\n")).texts() == ["one"]


def test_a_list_of_paths_is_one_corpus_in_its_order(shards):
    paths = [shards / "c.txt", shards / "b", shards / "*.jsonl"]
    corpus = dy.Corpus.read(paths)
    assert corpus.texts() == ["five", "four", "one", "two"]
    assert corpus.name == "c.txt and 2 more"
    assert dy.Corpus.read([str(path) for path in paths]).texts() == corpus.texts()
    # five, four, one, two.
    assert dy.measure(paths, "types:n=1")[0].value == 4


def test_no_paths_are_an_error():
    with pytest.raises(dy.InputError, match="expected the paths of files, got none"):
        dy.Corpus.read([])


def test_a_corpus_cut_into_files_has_the_number_of_the_whole(save, tmp_path):
    rows = [json.dumps({"text": f"the cat {n % 7}", "p": n % 3}) + "\n" for n in range(20)]
    whole = save("whole.jsonl", "".join(rows))
    for number in range(4):
        save(f"parts/{number}.jsonl", "".join(rows[5 * number : 5 * number + 5]))
    asked = ["distinct:n=2", "ead", "entropy:n=1", "distinct:n=1,pool=group"]
    one, many = (dy.measure(path, asked, group="p") for path in (whole, tmp_path / "parts"))
    assert [(s.value, s.signature) for s in one] == [(s.value, s.signature) for s in many]


def test_a_list_of_texts_in_each_of_two_files_is_two_groups(save, tmp_path):
    save("parts/a.jsonl", '{"text": ["a", "a"]}\n')
    save("parts/b.jsonl", '{"text": ["a", "b"]}\n')
    score = dy.measure(tmp_path / "parts", "distinct:n=1,pool=group")[0]
    # a a = 1/2; a b = 1; the mean is 3/4. (As one group: 2/4.)
    assert (score.value, score.parts["groups"]) == (0.75, 2)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.jsonl", '{"text": "a"}\n{"text": 5}\n', "b.jsonl, line 2: expected text, got a number"),
        ("b.txt", b"one\n\xff\n", "b.txt, line 2: not valid UTF-8"),
        ("b.txt", "", "b.txt: the file is empty"),
        ("b.parquet", "PAR1", "b.parquet: cannot be read as parquet"),
        ("b.md", "one\n", "b.md: endings of files in a folder have to be known"),
        ("b", "one\n", "b: endings of files in a folder have to be known.*--input"),
        ("b.zip", "PK", "b.zip: endings of files in a folder have to be known"),
    ],
)
def test_errors_name_the_file_inside(save, tmp_path, name, content, message):
    save("out/a.txt", "one\n")
    save(f"out/{name}", content)
    with pytest.raises(dy.InputError, match=message):
        dy.measure(tmp_path / "out")


def test_a_pattern_names_files_whose_ending_says_nothing(save, tmp_path):
    save("out/part-0", "one\n")
    save("out/part-1", "two\n")
    assert dy.Corpus.read(tmp_path / "out" / "part-*").texts() == ["one", "two"]


def test_the_format_of_all_files_can_be_given(save, tmp_path):
    save("out/part-0", '{"text": "one"}\n')
    save("out/part-1.log", '{"text": "two"}\n')
    assert dy.Corpus.read(tmp_path / "out", format="jsonl").texts() == ["one", "two"]


def test_a_folder_without_files_is_an_error(save, tmp_path):
    save("out/.hidden", "")
    with pytest.raises(dy.InputError, match=r"out: there is no file in this folder"):
        dy.measure(tmp_path / "out")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("*.txt", "no file matches this pattern"), ("*", "only folders match this pattern")],
)
def test_a_pattern_without_files_is_an_error(save, tmp_path, pattern, message):
    save("out/deep/a.jsonl", "")
    with pytest.raises(dy.InputError, match=message):
        dy.measure(tmp_path / "out" / pattern)


@pytest.mark.parametrize("text", ["how are you?", "a * b", "what?\x00" * 100])
def test_a_text_that_looks_like_a_pattern_is_told_to_go_in_a_list(text):
    with pytest.raises(dy.InputError, match="A text goes in a list"):
        dy.measure(text)


@posix
def test_a_link_to_nowhere_in_a_folder_is_an_error(save, tmp_path):
    save("out/a.txt", "one\n")
    (tmp_path / "out" / "b.txt").symlink_to(tmp_path / "nowhere.txt")
    with pytest.raises(dy.InputError, match=r"b.txt: the target of this link does not exist"):
        dy.measure(tmp_path / "out")


@posix
def test_a_link_to_a_folder_is_followed_but_not_in_a_circle(save, tmp_path):
    save("elsewhere/b.txt", "two\n")
    save("out/a.txt", "one\n")
    (tmp_path / "out" / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert dy.Corpus.read(tmp_path / "out").texts() == ["one", "two"]
    (tmp_path / "out" / "circle").symlink_to(tmp_path / "out", target_is_directory=True)
    with pytest.raises(dy.InputError, match="circle: this link leads back to a folder above it"):
        dy.measure(tmp_path / "out")


@posix
def test_a_folder_without_permission_is_an_error(save, tmp_path):
    save("out/secret/a.txt", "one\n")
    secret = tmp_path / "out" / "secret"
    secret.chmod(0)
    try:
        if os.access(secret, os.R_OK):
            pytest.skip("this user may read everything")
        for path in (tmp_path / "out", secret):
            with pytest.raises(dy.InputError, match="secret: cannot be opened: Permission denied"):
                dy.measure(path)
        with pytest.raises(dy.InputError, match="a.txt: no permission"):
            dy.measure(secret / "a.txt")
    finally:
        secret.chmod(0o700)


def test_each_file_a_text(save, tmp_path):
    save("essays/b.md", "two\nlines\n")
    save("essays/a.txt", "\ufeffone")
    save("essays/c.txt.gz", gzip.compress("drei müde".encode()))
    save("essays/d.txt", "")
    corpus = dy.Corpus.read(tmp_path / "essays", format="file")
    # Unchanged, with their line ends; an empty file is an empty text.
    assert corpus.texts() == ["one", "two\nlines\n", "drei müde", ""]


def test_each_file_a_text_has_no_fields(save, tmp_path):
    save("essays/a.txt", "one")
    with pytest.raises(
        dy.InputError, match="a.txt: files that are one text each have no fields, so no group"
    ):
        dy.measure(tmp_path / "essays", format="file", group="prompt")


def test_the_command_with_folders_and_patterns_side_by_side(command, save):
    save("run-a/1.txt", "a a\n")
    save("run-a/2.txt", "b\n")
    save("run-b/1.txt", "a a a a\n")
    done = command("measure", "run-a", "run-b/*.txt", "-m", "distinct:n=1", "--format", "json")
    assert done.returncode == 0, done.stderr
    # a a b: 2 of 3; a a a a: 1 of 4.
    found = [(score["corpus"], score["value"]) for score in json.loads(done.stdout)["scores"]]
    assert found == [("run-a", 2 / 3), ("run-b/*.txt", 0.25)]


@pytest.mark.parametrize(
    "asked", [["--file-a-text"], ["--input", "file"], ["--file-a-text", "--input", "file"]]
)
def test_the_command_with_each_file_a_text(command, save, asked):
    save("essays/1.txt", "a a\nb\n")
    save("essays/2.md", "c\n")
    done = command("measure", "essays", *asked, "-m", "types:n=1", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["corpora"][0]["texts"] == 2
