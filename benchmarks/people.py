"""Correlate metrics with human scores: `python -m benchmarks.people` (needs ../shared/data).

The table has Spearman's correlation of every diversity metric with the human diversity scores of the sets of
Tevet & Berant, by subset. A set is a group of 5 to 10 texts, measured together. A page of
`docs/reproductions` shows the same with intervals and tests.
"""

from __future__ import annotations

import math
from pathlib import Path

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.judging import human_agreement
from distinctly.judging.people.page import by_key, is_partial
from distinctly.registry import metric_names
from distinctly.spec import parse_metrics

DATA = Path(__file__).parents[2] / "shared" / "data" / "tevet-diversity-eval-with-hds.jsonl"
SUBSETS = ("conTest", "decTest", "McDiv_nuggets")
TASKS = ("prompt_gen", "resp_gen", "story_gen")
# The default windows are longer than a set: measure the set as one stream, with a shorter window.
INSTEAD = {
    "msttr": "msttr:pool=corpus,window=10",
    "mattr": "mattr:pool=corpus,window=10",
    "hdd": "hdd:pool=corpus,sample=10",
}
# The columns that came with the data, for comparison.
THEIRS = (
    "metric_AveragedDistinctNgrams",
    "metric_AveragedCosineSimilarity",
    "metric_BertScore",
    "metric_SentBert",
)


def specs() -> list[str]:
    """Return a spec of every diversity metric, with `pool=corpus` if it has that option."""
    chosen = []
    distances = metric_names(Distance)
    for name in metric_names():
        if name in distances:
            continue
        spec = INSTEAD.get(name, name)
        try:
            parse_metrics(f"{name}:pool=corpus")
            spec = spec if ":" in spec else f"{name}:pool=corpus"
        except dy.SpecError:
            pass
        chosen.append(spec)
    return chosen


def lines() -> list[str]:
    """Return the lines of the table."""
    trial = human_agreement(
        DATA,
        specs(),
        human="hds_mean",
        subsets=["dataset", "task"],
        columns=THEIRS,
        tokenizer="words:lc=yes",
    )
    findings = by_key(trial)
    table = []
    for key in findings["spearman", trial.subsets[0]]:
        correlations = [findings["spearman", f"{subset} {task}"][key] for subset in SUBSETS for task in TASKS]
        cells = [math.nan if is_partial(finding) else finding.mean for finding in correlations]
        table.append((key[0], [*cells, sum(cells) / len(cells)]))
    table.sort(key=lambda row: math.inf if math.isnan(row[1][-1]) else -row[1][-1])
    header = [
        f"{subset.replace('_', ' ')} {task.removesuffix('_gen')}" for subset in SUBSETS for task in TASKS
    ]
    return [
        f"| metric | {' | '.join(header)} | mean |",
        "|---|" + "---:|" * (len(header) + 1),
        *(
            f"| {'*' + name + '*' if name in THEIRS else '`' + name + '`'} | "
            + " | ".join("–" if math.isnan(cell) else f"{cell:.2f}".replace("0.", ".") for cell in cells)
            + " |"
            for name, cells in table
        ),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
