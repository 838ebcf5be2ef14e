"""Measure the documents of a datatrove pipeline, while they pass through it.

The step `SaveStates` writes one state per rank: counts, not texts. When all ranks have finished, these
are merged and measured. The scores are those of `dy.measure` on all documents.

    pip install distinctly "datatrove[io]"
    python datatrove_step.py DOCUMENTS --to STATES

DOCUMENTS is a folder of .jsonl files with a field `text`; STATES is a folder for the states. In a pipeline of
your own, use the step with any executor. Then merge the states on any machine:

    distinctly state merge STATES/*.state -o all.state
    distinctly measure all.state
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers import JsonlReader

import distinctly as dy

METRICS = ["distinct", "ead", "entropy", "duplicates"]
# The number of characters that are held in memory and counted together.
PIECE = 64_000_000


class SaveStates(PipelineStep):
    """Counts the documents of each rank, passes them on, and writes one state per rank.

    Parameters
    ----------
    folder
        The folder of the states, which all machines reach; also in an object store: s3://bucket/folder.
    metrics
        As for `dy.save_state`.
    """

    type = "STATS"
    name = "distinctly"

    def __init__(self, folder: str, metrics: list[str]) -> None:
        super().__init__()
        self.folder = folder
        self.metrics = metrics

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Count the documents of a rank in pieces, and merge their states at the end."""
        if "://" not in self.folder:
            Path(self.folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            pieces: list[str] = []

            def save(texts: list[str]) -> None:
                pieces.append(f"{scratch}/{len(pieces)}.state")
                dy.save_state(texts, pieces[-1], self.metrics)

            texts: list[str] = []
            characters = 0
            for document in data:
                texts.append(document.text)
                characters += len(document.text)
                if characters >= PIECE:
                    save(texts)
                    texts, characters = [], 0
                yield document
            save(texts)
            dy.merge_states(pieces, f"{self.folder}/{rank:05}.state")


def main() -> None:
    """Run a pipeline that reads and measures documents."""
    parser = argparse.ArgumentParser(description="Measure the documents of a datatrove pipeline.")
    parser.add_argument("documents", help="folder of .jsonl files")
    parser.add_argument("--to", required=True, help="folder for the states")
    parser.add_argument("--tasks", type=int, default=2, help="number of ranks")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    options = parser.parse_args()
    pipeline = [JsonlReader(options.documents), SaveStates(options.to, METRICS)]
    # With its logs beside the states, a pipeline that is started again skips the ranks that have finished.
    logs = f"{options.to}/logs"
    executor = LocalPipelineExecutor(pipeline, options.tasks, options.workers, logging_dir=logs)
    executor.run()
    with tempfile.TemporaryDirectory() as scratch:
        dy.merge_states(sorted(Path(options.to).glob("*.state")), f"{scratch}/all.state")
        for score in dy.measure(f"{scratch}/all.state"):
            print(score.spec, score.value, score.signature)


if __name__ == "__main__":
    main()
