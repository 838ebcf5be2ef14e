"""Which metric agrees with people? `python -m benchmarks.people` (needs ../shared/data).

Spearman's correlation of every diversity metric with the human diversity scores of Tevet & Berant's
sets, by subset. A set is a group of 5 to 10 texts, measured together. `docs/reproductions` has a page of it,
with intervals and tests.
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
# Windows longer than such sets: the set as one stream, with a window that fits.
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
    """Return every diversity metric, over the texts of a set together where that is a choice."""
    found = []
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
        found.append(spec)
    return found


def lines() -> list[str]:
    """Return the table."""
    trial = human_agreement(
        DATA,
        specs(),
        human="hds_mean",
        subsets=["dataset", "task"],
        columns=THEIRS,
        tokenizer="words:lc=yes",
    )
    found = by_key(trial)
    table = []
    for key in found["spearman", trial.subsets[0]]:
        own = [found["spearman", f"{subset} {task}"][key] for subset in SUBSETS for task in TASKS]
        cells = [math.nan if is_partial(one) else one.mean for one in own]
        table.append((key[0], [*cells, sum(cells) / len(cells)]))
    table.sort(key=lambda one: math.inf if math.isnan(one[1][-1]) else -one[1][-1])
    header = [
        f"{subset.replace('_', ' ')} {task.removesuffix('_gen')}" for subset in SUBSETS for task in TASKS
    ]
    return [
        f"| metric | {' | '.join(header)} | mean |",
        "|---|" + "---:|" * (len(header) + 1),
        *(
            f"| {'*' + name + '*' if name in THEIRS else '`' + name + '`'} | "
            + " | ".join("–" if math.isnan(one) else f"{one:.2f}".replace("0.", ".") for one in cells)
            + " |"
            for name, cells in table
        ),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
