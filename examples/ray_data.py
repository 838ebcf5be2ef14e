"""Measure a dataset of Ray Data.

Each block becomes one state, where it is: counts, not texts. The states are merged and measured here. The
scores are those of `dy.measure` on all texts.

    pip install "distinctly[ray]" "ray[data]" aiohttp
    python ray_data.py FILE.parquet

Files are measured more directly by `distinctly measure FILE --engine ray`. This is for datasets that exist
only as the result of other steps of Ray Data.
"""

from __future__ import annotations

import argparse
import tempfile
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray

import distinctly as dy

METRICS = ["distinct", "ead", "entropy", "duplicates"]


def save_block(block: pa.Table, folder: str, metrics: list[str], field: str) -> pa.Table:
    """Save the state of the texts of one block, and return its path as a table of one row."""
    path = f"{folder}/{uuid.uuid4()}.state"
    dy.save_state(block[field], path, metrics)
    return pa.table({"path": [path]})


def measure(dataset: Any, metrics: list[str], folder: str, field: str = "text") -> dy.Scores:
    """Measure the texts of a column of a dataset; states are kept in a folder that all machines reach."""
    if "://" not in folder:  # a folder of files, which tasks with another working folder have to find
        folder = str(Path(folder).resolve())
        Path(folder).mkdir(parents=True, exist_ok=True)
    save = partial(save_block, folder=folder, metrics=metrics, field=field)
    # A batch of size None is a whole block.
    saved = dataset.select_columns([field]).map_batches(save, batch_format="pyarrow", batch_size=None)
    # A task that was started again may have left another file, which is not among these.
    dy.merge_states([row["path"] for row in saved.iter_rows()], f"{folder}/all.state")
    return dy.measure(f"{folder}/all.state")


def main() -> None:
    """Measure files of Parquet."""
    parser = argparse.ArgumentParser(description="Measure the texts of Parquet files with Ray Data.")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--field", default="text", help="column that holds the text")
    parser.add_argument("--states", help="folder for states that all machines reach")
    parser.add_argument("--address", default="local", help="address of a Ray cluster, such as auto")
    options = parser.parse_args()
    here = {"num_cpus": 2, "include_dashboard": False} if options.address == "local" else {}
    ray.init(address=options.address, log_to_driver=False, **here)
    with tempfile.TemporaryDirectory() as scratch:
        dataset = ray.data.read_parquet(options.files)
        for score in measure(dataset, METRICS, options.states or scratch, options.field):
            print(score.spec, score.value, score.signature)
    ray.shutdown()


if __name__ == "__main__":
    main()
