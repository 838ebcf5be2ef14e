"""The engine on Ray: partitions are collected, merged and read again by tasks of a cluster.

The tasks exchange files of states (see `parts`), in the folder of `checkpoint`. Ray carries only descriptions
of partitions and small results: one object per partition of the input and per range of the keys. A task that
is lost with its machine is started again, up to `RETRIES` times.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from distinctly.config import RunConfig, cores
from distinctly.corpus import Corpus
from distinctly.engine import local, parts
from distinctly.engine.parts import Item, Result
from distinctly.engine.states import CollectedStates
from distinctly.errors import DistinctlyError, ResourceError, SpecError, missing_extra, reason
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows

# How often a task is started again if its machine or its process is lost.
RETRIES = 5
# Tasks that wait for a free processor, per processor: enough that none is idle, few enough to cost nothing.
WAITING = 2
# Seconds within which a cluster has to answer.
ANSWERS_WITHIN = 10


def summarize(corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
    """Compute all statistics from the partitions of a corpus, on a cluster."""
    with cluster(config) as workers:
        return parts.summarize(corpus, statistics, config, workers)


@contextlib.contextmanager
def collecting(
    corpus: Corpus, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig
) -> Iterator[CollectedStates]:
    """Collect the states of a corpus on a cluster; they can be read until the context ends."""
    with cluster(config) as workers, parts.collecting(corpus, statistics, config, workers) as collection:
        yield collection


def read(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:
    """Read all texts of a corpus into the memory of this machine."""
    return local.read(corpus, views, config)


@contextlib.contextmanager
def cluster(config: RunConfig) -> Iterator[RayWorkers]:
    """Connect to a cluster, or start one on this machine, which ends with this process.

    A process that is connected already stays so: a measurement takes several steps.
    """
    address = config.address or os.environ.get("RAY_ADDRESS") or "local"
    with _token_shown(address):
        ray = _ray()
        if not ray.is_initialized():
            _connect(ray, address, config)
    _check_folder(ray, config)
    yield RayWorkers(ray, gpus=int(config.device.startswith("cuda")))


def _ray() -> Any:
    # Ray prints hints and counts its users unless it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise missing_extra("The engine 'ray'", "ray", "ray") from error
    return ray


@contextlib.contextmanager
def _token_shown(address: str) -> Iterator[None]:
    """Let Ray show the token of this user to a cluster while it connects, if there is one.

    Newer clusters ask for a token, and those that ask for none accept one. Without a setting, Ray shows it
    only for the address ``auto``. The setting does not stay: a cluster that this process starts later would
    ask for a token, which a client that has read its settings before does not show.
    """
    given = os.environ.get("RAY_AUTH_TOKEN_PATH")
    path = Path(given) if given else Path.home() / ".ray" / "auth_token"
    has_token = bool(os.environ.get("RAY_AUTH_TOKEN")) or path.is_file()
    if address == "local" or "RAY_AUTH_MODE" in os.environ or not has_token:
        yield
        return
    os.environ["RAY_AUTH_MODE"] = "token"
    try:
        yield
    finally:
        del os.environ["RAY_AUTH_MODE"]


def _connect(ray: Any, address: str, config: RunConfig) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == "local":
        options |= {"num_cpus": config.threads or cores(), "include_dashboard": False}
    _check_address(address)
    try:
        ray.init(address=address, **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(address, error) from error


def _check_address(address: str) -> None:
    """Raise if no server answers at an address: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWERS_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception) -> SpecError:
    return SpecError(
        f"No Ray cluster answers at '{address}' ({reason(error)}). Start one with `ray start --head`, give "
        "its address with --address (Python: address=), or leave it out to use this machine alone. If it "
        "asks for a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN."
    )


def _check_folder(ray: Any, config: RunConfig) -> None:
    """Raise if machines have no folder in common."""
    machines = {node["NodeManagerHostname"] for node in ray.nodes() if node["Alive"]}
    if config.checkpoint is None and len(machines) > 1:
        raise SpecError(
            f"The cluster has {len(machines)} machines, which need a folder that all of them can reach for "
            "their states. Give one with --checkpoint (Python: checkpoint=), such as s3://bucket/folder."
        )


@dataclass
class RayWorkers:
    """Workers that are tasks of a cluster.

    Attributes
    ----------
    ray
        The module.
    gpus
        The number of GPUs of a task with a model.
    retries
        The number of tasks that were started again.
    """

    ray: Any
    gpus: int = 0
    retries: int = 0
    _attempts: dict[int, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The number of processors of the cluster now; machines may join and leave."""
        return max(int(self.ray.cluster_resources().get("CPU", 1)), 1)

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        done: Callable[[Result], None] = lambda _: None,
        *,
        models: bool = False,
    ) -> list[Result]:
        """Return the result for each item, in order, with few tasks waiting at a time."""
        ray = self.ray
        shared = ray.put(function)
        if models:
            task = ray.remote(num_cpus=1, num_gpus=self.gpus, max_retries=0)(_with_model)
            submit = partial(task.remote, [shared])
        else:
            submit = partial(ray.remote(num_cpus=1, max_retries=0)(_safely).remote, shared)
        waiting = iter(range(len(items)))
        running: dict[Any, int] = {}
        results: dict[int, Result] = {}
        self._attempts = {}
        try:
            while True:
                for place in waiting:
                    running[submit(items[place])] = place
                    if len(running) >= WAITING * self.number:
                        break
                if not running:
                    return [results[place] for place in range(len(items))]
                finished, _ = ray.wait(list(running), num_returns=1)
                for reference in finished:
                    place = running.pop(reference)
                    result, problem = self._result(reference)
                    if problem is not None:
                        self._again(place, problem)
                        running[submit(items[place])] = place
                        continue
                    if isinstance(result, DistinctlyError):
                        raise result
                    results[place] = result
                    done(result)
        finally:
            for reference in running:
                ray.cancel(reference)

    def _result(self, reference: Any) -> tuple[Any, Exception | None]:
        """Return the result of a task, or how it was lost."""
        try:
            return self.ray.get(reference), None
        except self.ray.exceptions.RayTaskError:
            raise
        except self.ray.exceptions.RayError as error:
            return None, error

    def _again(self, place: int, problem: Exception) -> None:
        """Count another attempt; raise if there were too many."""
        self.retries += 1
        self._attempts[place] = self._attempts.get(place, 0) + 1
        if self._attempts[place] > RETRIES:
            raise ResourceError(
                f"A task was lost {RETRIES + 1} times, the last time since: {reason(problem)}. The machines "
                "of the cluster may lack memory: give less with --memory, or use larger machines."
            ) from problem


def _with_model(functions: Sequence[Any], item: object) -> object:
    """Call a function with a model, which is loaded once per process: a process does many tasks."""
    (reference,) = functions  # in a list, so that Ray does not load it for each task
    key = reference.hex()
    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = _ray().get(reference)
    return _safely(_loaded[key], item)


_loaded: dict[str, Callable[[Any], Any]] = {}


def _safely(function: Callable[[Any], Any], item: Any) -> Any:
    """Call a function, and return an error of the data instead of raising it, which Ray would wrap."""
    try:
        return function(item)
    except DistinctlyError as error:
        return error
