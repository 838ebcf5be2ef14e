"""Which metric agrees with people? `python -m benchmarks.people` (needs ../shared/data).

Spearman's correlation of every diversity metric with the human diversity scores of Tevet & Berant's
sets, by subset. A set is a group of 5 to 10 texts; a metric's value of it is that of the scope `within`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.embedders import find_embedder
from distinctly.registry import metric_names
from distinctly.scoring import bind
from distinctly.spec import Request, parse_metrics
from distinctly.statistics.derived import TextPool
from distinctly.tokenizers import find_tokenizer
from distinctly.views.tokens import Tokens

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


def requests() -> list[Request]:
    """Return every diversity metric, over the texts of a set together where that is a choice."""
    specs = []
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
        specs.append(spec)
    tokenizer = find_tokenizer("words:lc=yes")
    return bind(parse_metrics(specs), tokenizer, None, find_embedder("wordllama"))


def lines() -> list[str]:
    """Return the table."""
    from scipy.stats import spearmanr

    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    labels = np.repeat(np.arange(len(rows)), [len(row["texts"]) for row in rows])
    batch = next(dy.Corpus([text for row in rows for text in row["texts"]]).batches(len(labels)))
    pool = TextPool(Tokens.cut(batch, find_tokenizer("words:lc=yes")))
    people = np.array([row["hds_mean"] for row in rows])
    where = [
        np.array([row["dataset"] == subset and row["task"] == task for row in rows])
        for subset in SUBSETS
        for task in TASKS
    ]
    found: dict[str, np.ndarray] = {name: np.array([row[name] for row in rows], float) for name in THEIRS}
    for request in requests():
        sign = -1 if request.metric.more_is == "less diverse" else 1
        found[request.spec] = sign * request.metric.each(pool, labels, len(rows))
    table = []
    for name, values in found.items():
        cells = []
        for rows_here in where:
            known = rows_here & np.isfinite(values)
            few = known.sum() < max(0.9 * rows_here.sum(), 3)
            told = not few and np.ptp(values[known]) > 0
            rho = spearmanr(values[known], people[known])[0] if told else math.nan
            cells.append(float(rho))
        table.append((name, cells))
    table.sort(key=lambda one: -np.nan_to_num(np.mean(one[1]), nan=-2))
    header = [
        f"{subset.replace('_', ' ')} {task.removesuffix('_gen')}" for subset in SUBSETS for task in TASKS
    ]
    return [
        f"| metric | {' | '.join(header)} | mean |",
        "|---|" + "---:|" * (len(header) + 1),
        *(
            f"| {'*' + name + '*' if name in THEIRS else '`' + name + '`'} | "
            + " | ".join(
                "–" if np.isnan(one) else f"{one:.2f}".replace("0.", ".") for one in [*cells, np.mean(cells)]
            )
            + " |"
            for name, cells in table
        ),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
