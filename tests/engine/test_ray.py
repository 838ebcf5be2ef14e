"""Ray: the same scores on any number of machines, also if some of them are lost, and clear errors."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.cases import same
from tests.systems import posix

import distinctly as dy
from distinctly.engine import parts
from distinctly.engine import ray as ray_engine

if importlib.util.find_spec("ray") is None:
    pytest.skip('ray is not installed: pip install "distinctly[ray]"', allow_module_level=True)

pytestmark = [
    pytest.mark.slow,
    # Ray leaves files and sockets to the interpreter.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
SPECS = [
    "distinct",
    "ead",
    "entropy:n=2",
    "distinct:n=2,at=9000",
    "duplicates",
    "mattr:window=5",
    "distinct:n=1,pool=text",
    "self_bleu:smoothing=epsilon",
    "self_repetition:n=2",
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of lines of all lengths, with characters of one to four bytes."""
    draw = random.Random(0)
    words = [f"w{i}" for i in range(300)] + ["don’t", "3.14", "知道", "👩‍💻", "…", "é"]
    made = [" ".join(draw.choices(words, k=draw.randint(0, 30))) for _ in range(1500)]
    path = tmp_path_factory.mktemp("texts") / "texts.txt"
    path.write_text("\n".join([*made, *made[:70]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def expected(texts: Path) -> dy.Scores:
    return dy.measure(texts, SPECS, top=3, compiled=False)


@pytest.fixture(autouse=True)
def separate(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the files of Ray in a folder of its own, so that no other cluster is found or disturbed."""
    import ray

    ray.shutdown()
    # A short path, since the paths of sockets may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("RAY_TMPDIR", folder)
        monkeypatch.delenv("RAY_ADDRESS", raising=False)
        yield
        ray.shutdown()


@pytest.fixture
def machines() -> Iterator[Any]:
    """Return a function that starts a cluster of several nodes on this machine, and connects to it."""
    import ray
    from ray.cluster_utils import Cluster

    started: list[Any] = []

    def start(nodes: int) -> Any:
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        started.append(cluster)
        cluster.workers = [cluster.add_node(num_cpus=1) for _ in range(nodes)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        return cluster

    yield start
    ray.shutdown()
    for cluster in started:
        cluster.shutdown()


def measure(path: Path, monkeypatch: pytest.MonkeyPatch, size: int = 12_000, **options: Any) -> dy.Scores:
    monkeypatch.setattr(parts, "partition_bytes", lambda _: size)
    return dy.measure(path, SPECS, top=3, engine="ray", **options)


def test_one_machine(texts: Path, expected: dy.Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = measure(texts, monkeypatch, size=40_000)
    assert same(scores, expected)
    assert scores.corpora == expected.corpora


@pytest.mark.parametrize("phase", ["_collect_part", "_tally", "_answer", "_collect_again"])
def test_a_lost_machine_changes_nothing(
    phase: str, texts: Path, expected: dy.Scores, machines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = machines(3)
    lost: list[object] = []
    counted: list[ray_engine.RayWorkers] = []
    mapped = ray_engine.RayWorkers.map

    def losing(workers: ray_engine.RayWorkers, function: Any, items: Any, done: Any = lambda _: None) -> Any:
        counted.append(workers)

        def lose(result: object) -> None:
            done(result)
            if function.func.__name__ == phase and not lost:
                lost.append(cluster.workers[-1])
                cluster.remove_node(cluster.workers[-1], allow_graceful=False)

        return mapped(workers, function, items, lose)

    monkeypatch.setattr(ray_engine.RayWorkers, "map", losing)
    scores = measure(texts, monkeypatch)
    assert lost
    assert same(scores, expected)
    assert scores.corpora == expected.corpora


def test_vectors_are_computed_once(
    texts: Path, machines: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also if a machine is lost while texts are embedded."""
    cluster = machines(2)
    half = texts.read_text(encoding="utf-8").splitlines()
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("\n".join(half[:700]), encoding="utf-8")
    second.write_text("\n".join(half[700:1400]), encoding="utf-8")
    expected = dy.compare(first, second, ["frechet", "jensen_shannon"])
    monkeypatch.setattr(parts, "partition_bytes", lambda _: 8000)
    lost: list[object] = []
    written: list[str] = []
    mapped = ray_engine.RayWorkers.map

    def losing(workers: ray_engine.RayWorkers, function: Any, items: Any, *given: Any, **more: Any) -> Any:
        if function.func.__name__ != "_embed_part":
            written.extend(file.name for file in (tmp_path / "states").glob("vectors-*.parquet"))
            return mapped(workers, function, items, *given, **more)

        def lose(_: object) -> None:
            if not lost:
                lost.append(cluster.workers[-1])
                cluster.remove_node(cluster.workers[-1], allow_graceful=False)

        return mapped(workers, function, items, lose, **more)

    monkeypatch.setattr(ray_engine.RayWorkers, "map", losing)
    states = [tmp_path / "first.state", tmp_path / "second.state"]
    for path, state in zip((first, second), states):
        options = {"engine": "ray", "checkpoint": str(tmp_path / "states")}
        dy.save_state(path, state, ["frechet", "jensen_shannon"], **options)
    assert lost
    assert len(set(written)) > 4
    for score, plain in zip(dy.compare(*states), expected):
        assert score.signature == plain.signature
        assert score.value == pytest.approx(plain.value, rel=1e-9)
    assert list((tmp_path / "states").iterdir()) == []


@posix
def test_a_worker_that_is_killed_is_replaced(
    texts: Path, expected: dy.Scores, machines: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machines(2)
    first = tmp_path / "killed"
    collect = parts._collect_part

    def killed_once(job: parts.Job, numbered: Any) -> parts.Part:
        if numbered[0] == 3 and not first.exists():
            first.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return collect(job, numbered)

    monkeypatch.setattr(parts, "_collect_part", killed_once)
    retries = []
    again = ray_engine.RayWorkers._again
    monkeypatch.setattr(ray_engine.RayWorkers, "_again", lambda *given: retries.append(1) or again(*given))
    assert same(measure(texts, monkeypatch), expected)
    assert retries == [1]


@posix
def test_a_task_that_is_always_lost_is_an_error(
    texts: Path, machines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines(1)
    monkeypatch.setattr(ray_engine, "RETRIES", 1)
    monkeypatch.setattr(parts, "_collect_part", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(dy.DistinctlyError, match=r"A task was lost 2 times"):
        measure(texts, monkeypatch)


def test_bad_data_is_one_clear_error(machines: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machines(2)
    path = tmp_path / "texts.jsonl"
    lines = [f'{{"text": "a text with the number {i}"}}' for i in range(400)]
    lines[217] = '{"text": "cut off'
    path.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(parts, "partition_bytes", lambda _: 1500)
    with pytest.raises(dy.InputError, match=rf"^{path}, line 218: not valid JSON"):
        dy.measure(path, "distinct", engine="ray")


def test_what_can_be_read_only_once_is_an_error(machines: Any) -> None:
    machines(1)
    with pytest.raises(dy.InputError, match="only once"):
        dy.measure((text for text in ["a b", "c"]), "distinct", engine="ray")


def test_the_driver_resumes_after_it_was_killed(tmp_path: Path) -> None:
    """The command is killed when some partitions are done, and started again."""
    draw = random.Random(1)
    words = [f"word{i}" for i in range(5000)]
    path, folder = tmp_path / "texts.txt", tmp_path / "states"
    path.write_text("".join(" ".join(draw.choices(words, k=12)) + "\n" for _ in range(20_000)))
    script = (
        "import sys; from distinctly.engine import parts; parts.partition_bytes = lambda _: 60_000\n"
        "from distinctly.cli import main; sys.argv[0] = 'distinctly'; main()"
    )
    command = [sys.executable, "-c", script, "measure", str(path), "--engine", "ray", "--threads", "1"]
    command += ["--checkpoint", str(folder), "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + 120
    while len(list(folder.glob("part-*.state"))) < 4:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.communicate()
    time.sleep(1)
    done = {file.name: file.stat().st_mtime_ns for file in folder.glob("part-*.state")}
    assert len(done) < 20, "the run was nearly finished, so the test says nothing"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seen: dict[str, int] = {}
    while process.poll() is None:
        for file in folder.glob("part-*.state"):
            try:
                seen[file.name] = file.stat().st_mtime_ns
            except FileNotFoundError:
                continue
        time.sleep(0.02)
    out, err = process.communicate()
    assert process.returncode == 0, err
    local = [sys.executable, "-m", "distinctly", "measure", str(path), "--format", "json"]
    plain = subprocess.run(local, capture_output=True, check=True)
    assert out == plain.stdout
    assert {name: seen[name] for name in done} == done  # none was written again
    assert list(folder.iterdir()) == []


def test_a_cluster_that_asks_for_a_token(texts: Path, tmp_path: Path) -> None:
    """The command connects by the address alone, with the token of the user's folder."""
    token = tmp_path / ".ray" / "auth_token"
    token.parent.mkdir()
    token.write_text("0123456789abcdef" * 4)
    script = (
        "from ray.cluster_utils import Cluster; cluster = Cluster(initialize_head=True, "
        "head_node_args={'num_cpus': 1, 'include_dashboard': False}); "
        "print(cluster.address, flush=True); input(); cluster.shutdown()"
    )
    user = {**os.environ, "HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env={**user, "RAY_AUTH_MODE": "token"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as cluster:
        assert cluster.stdin is not None
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        command = [sys.executable, "-m", "distinctly", "measure", str(texts), "-m", "distinct:n=1"]
        command += ["--engine", "ray", "--address", address, "--score-only"]
        run = subprocess.run(command, env=user, capture_output=True, text=True, timeout=120, check=False)
        cluster.stdin.write("\n")
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) == dy.measure(texts, "distinct:n=1")[0].value


def test_an_address_without_a_cluster_is_an_error(texts: Path) -> None:
    with pytest.raises(dy.SpecError, match="No Ray cluster answers at '127.0.0.1:1'"):
        dy.measure(texts, "distinct", engine="ray", address="127.0.0.1:1")


def test_the_token_is_shown_to_one_cluster_alone(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting that stayed would be that of a cluster which this process starts later."""
    (tmp_path / "token").write_text("0123456789abcdef" * 4)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    with pytest.raises(dy.SpecError, match="No Ray cluster answers"):
        dy.measure(texts, "distinct:n=1", engine="ray", address="127.0.0.1:1")
    assert "RAY_AUTH_MODE" not in os.environ
