"""Files of object stores and web servers: the same texts and numbers as those of files of this machine.

S3 is that of moto, and web servers are our own, both on this machine. Google Cloud Storage, HDFS and the
Hugging Face hub cannot be reached from here.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import logging
import os
import pickle
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.servers import served

import distinctly as dy
from distinctly.batch import Batch
from distinctly.errors import MissingFileError
from distinctly.sources import remote, stores
from distinctly.sources.opening import split_field
from distinctly.sources.remote import remote_uri

boto3 = pytest.importorskip("boto3", reason="needs boto3, to write to the store of the tests")
moto_server = pytest.importorskip("moto.server", reason="needs moto[server], the store of the tests")

TEXTS = [f"the cat é 知 🐕 number {number} sat" for number in range(300)]
LINES = "\n".join(TEXTS).encode()
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=50)
    return sink.getvalue()


def arrow(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=50)
    return sink.getvalue()


def zstd(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


TABLE = pa.table({"text": TEXTS, "other": [str(number) for number in range(300)]})
FILES = {
    "a.txt": LINES,
    "a.jsonl": "".join(json.dumps({"text": text}) + "\n" for text in TEXTS).encode(),
    "a.json": json.dumps(TEXTS).encode(),
    "a.csv": b"text\n" + LINES,
    "a.txt.gz": gzip.compress(LINES),
    "a.txt.zst": zstd(LINES),
    "a.parquet": parquet(TABLE),
    "a.arrow": arrow(TABLE),
}


class Bucket:
    """A bucket of the store of the tests."""

    def __init__(self, client, name):
        self.client, self.name = client, name

    def put(self, key: str, content: bytes) -> str:
        self.client.put_object(Bucket=self.name, Key=key, Body=content)
        return f"s3://{self.name}/{key}"


@pytest.fixture(scope="module")
def bucket():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto_server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**CREDENTIALS, "AWS_ENDPOINT_URL": address}.items():
            patch.setenv(name, value)
        client = boto3.client("s3", endpoint_url=address)
        client.create_bucket(Bucket="texts")
        bucket = Bucket(client, "texts")
        for name, content in FILES.items():
            bucket.put(f"run/{name}", content)
        yield bucket
    server.stop()


@pytest.fixture
def broken(monkeypatch):
    """A server of the files, which also answers as S3 does, under /texts."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    by_path = {f"{folder}/{name}": content for name, content in FILES.items() for folder in ("/texts", "")}
    with served(by_path) as files:
        monkeypatch.setenv("AWS_ENDPOINT_URL", files.address)
        yield files


def address(files, scheme: str, name: str) -> str:
    return f"s3://texts/{name}" if scheme == "s3" else f"{files.address}/{name}"


def texts_of(partitions) -> list[str]:
    sent = [pickle.loads(pickle.dumps(partition)) for partition in partitions]
    return Batch.join(batch for partition in sent for batch in partition.batches()).strings.tolist()


# The same texts as on this machine


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_s3_is_read_as_one_of_this_machine(bucket, save, name):
    uri, local = f"s3://texts/run/{name}", save(name, FILES[name])
    there, here = dy.measure(uri, "distinct:n=2"), dy.measure(str(local), "distinct:n=2")
    assert there[0].signature == here[0].signature
    assert there[0].value == here[0].value
    assert there.corpora == here.corpora


@pytest.mark.parametrize("name", FILES)
def test_partitions_of_s3_are_those_of_this_machine(bucket, save, name):
    there = dy.read(f"s3://texts/run/{name}").partitions(2000)
    here = dy.read(save(name, FILES[name])).partitions(2000)
    assert len(there) == len(here)
    assert texts_of(there) == TEXTS


@pytest.mark.parametrize("size", [*range(1, 9), 13, 40])
def test_lines_and_characters_are_cut_anywhere(bucket, save, size):
    content = "\ufeffé\n知🐕\r\n\nd\n🐕é".encode()
    uri, local = bucket.put("cut/texts.txt", content), save("texts.txt", content)
    assert texts_of(dy.read(uri).partitions(size)) == texts_of(dy.read(local).partitions(size))
    assert texts_of(dy.read(uri).partitions(size)) == ["é", "知🐕", "", "d", "🐕é"]


def test_another_process_reads_a_partition(bucket, tmp_path):
    parts = dy.read("s3://texts/run/a.jsonl").partitions(3000)
    (tmp_path / "part").write_bytes(pickle.dumps(parts[-1]))
    program = "import pickle; from pathlib import Path; part = pickle.loads(Path('part').read_bytes()); "
    program += "print(sum(len(batch) for batch in part.batches()))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert (int(done.stdout), done.stderr) == (len(texts_of([parts[-1]])), "")


def test_the_command_reads_s3_and_ends(bucket, command):
    done = command("measure", "s3://texts/run/a.csv::text", "-m", "types:n=1", "--score-only")
    # The types: "the", "cat", "é", "知", "🐕", "number", "sat", and 300 numbers.
    assert (done.returncode, done.stdout, done.stderr) == (0, "307.0\n", "")


@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_row_is_numbered_in_the_whole_file(broken, scheme):
    rows = FILES["a.jsonl"].splitlines(keepends=True)
    rows[200] = b"{\n"
    broken.by_path["/texts/bad.jsonl"] = broken.by_path["/bad.jsonl"] = b"".join(rows)
    corpus = dy.read(address(broken, scheme, "bad.jsonl"))
    with pytest.raises(dy.InputError, match=r"bad.jsonl, line 201: not valid JSON"):
        texts_of(corpus.partitions(3000))


# Folders, patterns and lists


@pytest.fixture(scope="module")
def folder(bucket):
    for key in ("1.txt", "2.txt", "deep/3.txt", "deep/4.csv", ".hidden/5.txt", ".6.txt", "7.jsonl"):
        number = key.rpartition("/")[2].strip(".")[0]
        content = {"csv": f"text\n{number}\n", "jsonl": f'{{"text": "{number}"}}\n'}
        bucket.put(f"folder/{key}", content.get(key.rpartition(".")[2], f"{number}\n").encode())
    return "s3://texts/folder"


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("", "12734"),
        ("/", "12734"),
        ("/deep", "34"),
        ("/*.txt", "12"),
        ("/[2-7]*", "27"),
        ("/?.txt", "12"),
        ("/**/*.txt", "123"),
        ("/*/*", "34"),
        ("/.*.txt", "6"),
        ("/*.csv", None),
    ],
)
def test_folders_and_patterns(folder, path, texts):
    if texts is None:
        with pytest.raises(MissingFileError, match="no file matches this pattern"):
            dy.read(folder + path)
    else:
        assert "".join(dy.read(folder + path).texts()) == texts


def test_patterns_match_as_on_this_machine(folder, tmp_path):
    for key in ("1.txt", "2.txt", "deep/3.txt", ".hidden/5.txt", ".6.txt"):
        (tmp_path / key).parent.mkdir(exist_ok=True)
        (tmp_path / key).write_text(key.rpartition("/")[2].strip(".")[0])
    for pattern in ("*.txt", "**/*.txt", "?.txt", "[12].txt", ".*.txt", "*/*.txt", ".hidden/*"):
        assert dy.read(f"{folder}/{pattern}").texts() == dy.read(str(tmp_path / pattern)).texts()


def test_a_list_of_paths(folder, save):
    paths = [f"{folder}/1.txt", save("own.txt", "own\n"), f"{folder}/deep/*.csv::text"]
    assert dy.read(paths).texts() == ["1", "own", "4"]
    assert dy.Corpus.wrap([Path("s3://texts/folder/1.txt"), Path(f"{folder}/2.txt")]).texts() == ["1", "2"]


def test_a_folder_takes_one_listing_and_no_request_per_file(bucket, monkeypatch):
    for number in range(30):
        bucket.put(f"many/{number:03}.txt", f"{number}\n".encode())
    calls = []
    for name in ("info", "entries", "open"):
        original = getattr(stores.ArrowStore, name)
        monkeypatch.setattr(
            stores.ArrowStore,
            name,
            lambda *a, _name=name, _original=original, **k: calls.append(_name) or _original(*a, **k),
        )
    corpus = dy.read("s3://texts/many")
    assert (sorted(calls), corpus.source.size) == (["entries", "info"], 10 * 2 + 20 * 3)
    assert dy.read("s3://texts/many/*.txt").source.size == corpus.source.size
    assert sorted(calls) == ["entries", "entries", "info"]
    assert corpus.texts() == [str(number) for number in range(30)]


def test_an_unknown_ending_in_a_folder_is_an_error(bucket):
    bucket.put("odd/a.txt", b"a\n")
    bucket.put("odd/_SUCCESS", b"")
    with pytest.raises(dy.InputError, match=r"s3://texts/odd/_SUCCESS: endings .* 's3://texts/odd/\*.txt'"):
        dy.read("s3://texts/odd")


# Names


def test_uris():
    assert remote_uri("S3://bucket/a") == "S3://bucket/a"
    assert remote_uri("data/s3://bucket") is None
    assert remote_uri("http:// is how addresses begin") is None
    assert remote_uri(Path("https://host/a.txt")) == "https://host/a.txt"
    assert remote_uri("C:/data/a.txt") is None


def test_fields_are_split_from_uris(bucket):
    bucket.put("split/a.csv", b"x::y,text\n1,2\n")
    bucket.put("split/a::b.txt", b"a\n")
    uri = "s3://texts/split/"
    assert split_field(f"{uri}a.csv::text") == (f"{uri}a.csv", "text")
    assert split_field(f"{uri}a.csv::x::y") == (f"{uri}a.csv", "x::y")
    assert split_field(f"{uri}a::b.txt") == (f"{uri}a::b.txt", None)
    assert split_field(f"{uri}*.csv::x::y") == (f"{uri}*.csv", "x::y")
    assert split_field("http://[::1]:8000/a.csv") == ("http://[::1]:8000/a.csv", None)
    assert dy.read(f"{uri}a.csv::x::y").texts() == ["1"]
    with pytest.raises(dy.SpecError, match="Expected the name of a field after '::'"):
        dy.read(f"{uri}a.csv::")


def test_a_literal_key_is_preferred_to_a_pattern(bucket):
    bucket.put("odd names/[a].txt", b"literal\n")
    bucket.put("odd names/a.txt", b"matched\n")
    assert dy.read("s3://texts/odd names/[a].txt").texts() == ["literal"]


# Errors


def problem_of(path: str, **reading) -> str:
    with pytest.raises(dy.InputError) as caught:
        dy.measure(path, "types:n=1", **reading)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_missing_files_buckets_and_folders(bucket):
    assert (
        problem_of("s3://texts/no.txt") == "s3://texts/no.txt: no such file or folder. Correct the address."
    )
    assert "s3://nowhere/no.txt: there is no bucket 'nowhere'." in problem_of("s3://nowhere/no.txt")
    assert "s3://nowhere/*.txt: no such bucket." in problem_of("s3://nowhere/*.txt")
    assert "the name of a bucket cannot be a pattern" in problem_of("s3://*/a.txt")
    assert "no file matches" in problem_of("s3://texts/no/*.txt")


@pytest.mark.parametrize("scheme", ["s3", "http"])
@pytest.mark.parametrize("status", [401, 403])
def test_denied_access(broken, scheme, status, command):
    broken.status = status
    done = command("measure", address(broken, scheme, "a.txt"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "access is denied" in done.stderr
    assert done.stderr.count("\n") == 1
    if scheme == "s3":
        assert "AWS_ACCESS_KEY_ID" in done.stderr


@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_server_that_cannot_be_reached(broken, monkeypatch, scheme):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    broken.address = "http://127.0.0.1:9"
    start = time.monotonic()
    assert "the server cannot be reached" in problem_of(address(broken, scheme, "a.txt"))
    assert time.monotonic() - start < 20


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_server_that_never_answers(broken, monkeypatch, scheme):
    monkeypatch.setattr(stores, "CONNECT_SECONDS", 1)
    monkeypatch.setattr(stores, "ANSWER_SECONDS", 1)
    monkeypatch.setattr(stores, "RETRY_SECONDS", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        broken.address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("AWS_ENDPOINT_URL", broken.address)
        start = time.monotonic()
        assert "the server cannot be reached" in problem_of(address(broken, scheme, "a.txt"))
        assert time.monotonic() - start < 20


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.txt.gz", "a.txt.zst", "a.parquet", "a.arrow"])
@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_connection_that_breaks_once_is_taken_up_again(broken, scheme, name):
    broken.cuts = 1
    assert dy.read(address(broken, scheme, name)).texts() == TEXTS
    assert broken.cuts == 0


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst", "a.parquet", "a.arrow"])
@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_connection_that_always_breaks_is_an_error(broken, monkeypatch, scheme, name):
    monkeypatch.setattr(stores, "PAUSES", (0.0,))
    monkeypatch.setattr(stores, "ARROW_ATTEMPTS", 1)
    broken.cuts = 1_000_000
    problem = problem_of(address(broken, scheme, name), skip_bad=True)
    assert problem.startswith(address(broken, scheme, name))
    assert "broke off" in problem


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.parquet"])
@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_a_file_that_is_shorter_than_its_size_is_an_error(broken, monkeypatch, scheme, name):
    monkeypatch.setattr(stores, "PAUSES", (0.0,))
    monkeypatch.setattr(stores, "ARROW_ATTEMPTS", 1)
    broken.missing = 100
    assert "broke off" in problem_of(address(broken, scheme, name))


def test_an_extra_that_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    stores._new_store.cache_clear()
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[remote\]"'):
        dy.read("hf://datasets/user/name/a.parquet")


def test_arrow_asks_for_parts_of_a_file_only(broken):
    rows = random.Random(1)
    table = pa.table({name: [rows.randbytes(50).hex() for _ in range(10_000)] for name in ("text", "other")})
    content = broken.by_path["/texts/big.parquet"] = parquet(table)
    assert len(content) > 1_000_000
    partitions = dy.read("s3://texts/big.parquet").partitions(1)
    broken.requests.clear()
    # One of two columns, of one of 200 row groups; its metadata is that of all of them.
    assert texts_of(partitions[3:4]) == table["text"][150:200].to_pylist()
    assert 0 < sum(broken.requests) < len(content) * 0.7


# Changes


def test_a_file_that_changes_while_it_is_read_is_an_error(bucket):
    uri = bucket.put("changing.txt", b"a text of a line\n" * 400_000)
    batches = dy.read(uri).batches(1000)
    next(batches)
    bucket.put("changing.txt", b"A text of a line\n" * 400_000)
    with pytest.raises(dy.InputError, match="changed while it was read"):
        for _ in batches:
            pass


@pytest.mark.parametrize("content", [b"another\n" * 100, b"B line\n" * 200])
def test_a_file_that_changes_after_it_was_cut_is_an_error(bucket, content):
    uri = bucket.put("planned.txt", b"a line\n" * 200)
    partitions = dy.read(uri).partitions(100)
    bucket.put("planned.txt", content)
    with pytest.raises(dy.InputError, match="changed after it was cut into partitions"):
        texts_of(partitions)


def test_a_file_that_is_removed_is_an_error(bucket):
    uri = bucket.put("removed.txt", b"a text of a line\n" * 400_000)
    batches = dy.read(uri).batches(1000)
    next(batches)
    bucket.client.delete_object(Bucket="texts", Key="removed.txt")
    with pytest.raises(dy.InputError, match=r"removed.txt: (changed while it was read|no such file)"):
        for _ in batches:
            pass


# Web servers


@pytest.mark.parametrize("has_ranges", [True, False])
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_web_server(broken, name, has_ranges):
    broken.has_ranges = has_ranges
    corpus = dy.read(f"{broken.address}/{name}?version=2")
    assert (corpus.name, corpus.texts()) == (name, TEXTS)
    partitions = corpus.partitions(2000)
    assert texts_of(partitions) == TEXTS
    assert (len(partitions) > 1) == (has_ranges and name in ("a.txt", "a.jsonl", "a.parquet", "a.arrow"))


def test_an_empty_file_of_a_web_server(broken):
    broken.by_path["/empty.txt"] = b""
    assert "the file is empty" in problem_of(f"{broken.address}/empty.txt")


def test_problems_of_web_servers(broken):
    secret = f"{broken.address}/no.txt?X-Amz-Signature=1f2e".replace("://", "://me:password@")
    assert problem_of(secret) == f"{broken.address}/no.txt: no such file."
    assert broken.passwords == {"Basic " + base64.b64encode(b"me:password").decode()}
    assert "does not list its files" in problem_of(f"{broken.address}/*.txt")
    assert "does not list its files" in problem_of(f"{broken.address}/")
    broken.has_length = broken.has_ranges = False
    assert "does not tell the length of the file" in problem_of(f"{broken.address}/a.txt")


def test_a_file_that_a_server_compresses(broken):
    broken.encoding = "gzip"
    assert "the server sends this file compressed (gzip)" in problem_of(f"{broken.address}/a.txt")
    # Some servers say so of a file that is compressed itself.
    assert dy.read(f"{broken.address}/a.txt.gz").texts() == TEXTS


def test_names_of_corpora_have_no_passwords(broken, command):
    urls = [f"{broken.address}/a.txt?key=secret{number}" for number in (1, 2)]
    done = command("measure", *urls, "-m", "types:n=1", "--format", "json")
    names = [corpus["name"] for corpus in json.loads(done.stdout)["corpora"]]
    assert names == [f"{broken.address}/a.txt (1)", f"{broken.address}/a.txt (2)"]
    assert "secret" not in dy.read(urls).source.name


def test_a_signature_opens_no_remote_file(broken):
    signature = (
        f"types|n:1|tok:words,stopwords:{broken.address.replace(':', '%3A')}/a.txt,lc:no|texts:1#0|v:0"
    )
    with pytest.raises(dy.SpecError, match="trust"):
        dy.measure(["a"], signature=signature)
    assert broken.requests == []


# Nothing is imported for files of this machine


def test_files_of_this_machine_need_none_of_this(save):
    path = save("a.txt", "a\n")
    program = (
        "import sys, distinctly as dy; dy.read(sys.argv[1]).texts(); dy.read(sys.argv[1] + '*').texts(); "
    )
    program += (
        "print([m for m in ('distinctly.sources.remote', 'pyarrow', 'urllib.request') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert done.stdout == "[]\n"


def test_the_name_of_a_server_ends_at_the_first_slash():
    assert remote.end_of_host("s3://bucket/a/b") == len("s3://bucket")
    assert remote.end_of_host("s3://bucket") == len("s3://bucket")
