"""States and checkpoints in an object store: S3, served by moto on this machine."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy
from distinctly.engine import parts
from distinctly.engine.storage import Folder

boto3 = pytest.importorskip("boto3")
moto_server = pytest.importorskip("moto.server")

TEXTS = [f"the cat {i % 7} sat on mat {i % 11} é 知道" for i in range(200)]
SPECS = ["distinct", "entropy:n=2", "self_bleu:smoothing=epsilon", "duplicates"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Start a server with the bucket `bucket`, and return a client."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto_server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    settings = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": address,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        client = boto3.client("s3", endpoint_url=address)
        client.create_bucket(Bucket="bucket")
        client.put_object(Bucket="bucket", Key="texts.txt", Body="\n".join(TEXTS).encode())
        yield client
    server.stop()


def keys(client: Any, prefix: str) -> list[str]:
    return [
        entry["Key"] for entry in client.list_objects_v2(Bucket="bucket", Prefix=prefix).get("Contents", [])
    ]


def shown(scores: dy.Scores) -> list[tuple[float, str, Any]]:
    return [(score.value, score.signature, score.notes) for score in scores]


def test_checkpoints(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "partition_bytes", lambda _: 700)
    written: list[str] = []
    write = parts.Job.write
    monkeypatch.setattr(
        parts.Job, "write", lambda job, name, of: written.append(name) or write(job, name, of)
    )
    scores = dy.measure("s3://bucket/texts.txt", SPECS, checkpoint="s3://bucket/states", threads=2)
    assert shown(scores) == shown(dy.measure(TEXTS, SPECS))
    assert len(written) > 5
    assert [key for key in keys(client, "states") if not key.endswith("/")] == []


def test_states(client: Any, tmp_path: Path) -> None:
    for name, part in (("a", TEXTS[:90]), ("b", TEXTS[90:])):
        dy.save_state(part, f"s3://bucket/{name}.state", ["distinct:n=2", "entropy:n=1"])
    dy.merge_states(["s3://bucket/a.state", "s3://bucket/b.state"], "s3://bucket/both.state")
    dy.save_state(TEXTS, tmp_path / "all.state", ["distinct:n=2", "entropy:n=1"])
    body = client.get_object(Bucket="bucket", Key="both.state")["Body"].read()
    assert body == (tmp_path / "all.state").read_bytes()
    scores = dy.measure("s3://bucket/both.state")
    assert shown(scores) == shown(dy.measure(TEXTS, ["distinct:n=2", "entropy:n=1"]))


def test_files_are_removed_with_what_killed_writers_left(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    for name in ("a.state", "b.state"):
        drafts = set(tmp_path.iterdir())
        with folder.file(name).writing() as stream:
            (draft,) = set(tmp_path.iterdir()) - drafts
            shutil.copy(draft, draft.with_name(f"{draft.name}0"))  # as if another writer had been killed
            stream.write(b"whole")
    assert len(list(tmp_path.iterdir())) == 4
    folder.remove(["a.state", "none.state"])
    left = sorted(path.name for path in tmp_path.iterdir())
    assert len(left) == 2
    assert left[0].startswith(".draft-")
    folder.remove(["b.state"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("client")
def test_what_is_not_in_a_store_is_removed_already() -> None:
    Folder("s3://bucket/states").remove(["none.state"])


def test_errors(client: Any) -> None:
    with pytest.raises(dy.InputError, match=r"s3://bucket/none\.state"):
        dy.measure("s3://bucket/none.state")
    with pytest.raises(dy.InputError, match=r"s3://elsewhere/x\.state"):
        dy.save_state(TEXTS, "s3://elsewhere/x.state")
    client.put_object(Bucket="bucket", Key="cut.state", Body=b"distinctly state\1\0\0\0")
    with pytest.raises(dy.InputError, match=r"s3://bucket/cut\.state: the state is damaged or incomplete"):
        dy.measure("s3://bucket/cut.state")


def test_without_ray_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[ray\]"'):
        dy.measure(TEXTS, "distinct", engine="ray")
