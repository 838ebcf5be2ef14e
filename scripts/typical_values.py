"""Measure every metric on the same named corpora, and write the tables of typical values into the cards.

    python -m scripts.typical_values                   # all metrics; needs the public data sets
    python -m scripts.typical_values vendi mattr
    python -m scripts.typical_values hapax --demo      # on the texts of the demonstration alone

Each corpus is 500 texts, drawn with a fixed seed; corpora of one file with one row per prompt have the same
prompts. A metric is measured with its defaults, and a metric that expands, such as `distinct`, with its first
two specs. The values are kept in `docs/metrics/typical-values.csv`; the table of a card is written from them,
between the two markers under the heading "Typical values", and the rest of the card stays as it is.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.metrics import Metric
from distinctly.registry import find_metric, metric_names
from distinctly.score import Scores, spec_of
from distinctly.spec import parse_metrics
from distinctly.views.parsing import TAGS

WIDTH = 120  # characters per line of a card
ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
CARDS = ROOT / "docs" / "metrics"
CSV = "typical-values.csv"
BEGIN, END = "<!-- typical values -->", "<!-- end of typical values -->"

TEXTS, SEED = 500, 0
SHOWN = 2  # specs per table
MISSING = 0.1  # the largest share of texts without a value that a table does not mention
TAGGER = "hanta"
# Options that a spec must have: as many n-grams as the smallest corpus has.
REQUIRED: Mapping[str, Mapping[str, int]] = {"rarefied": {"sample": 100}}

VARIED, REPETITIVE = "demo:english-varied", "demo:english-repetitive"
CLINC, CLINC_AGAIN = "clinc150, requests", "clinc150, other requests"
BANKING = "banking77, requests"
PEOPLE, PEOPLE_AGAIN = "DailyDialog, people", "DailyDialog, people, other replies"
HRED = "DailyDialog, HRED"
GPT4, CLAUDE, ALPACA = "AlpacaEval, gpt4", "AlpacaEval, claude-2", "AlpacaEval, alpaca-7b"
KDCONV = "KdConv, Chinese"
DEMO = (VARIED, REPETITIVE)
ENGLISH = (*DEMO, CLINC, PEOPLE, HRED, GPT4, ALPACA)
PAIRS = (
    DEMO,
    (PEOPLE, PEOPLE_AGAIN),
    (PEOPLE, HRED),
    (CLINC, CLINC_AGAIN),
    (CLINC, BANKING),
    (GPT4, CLAUDE),
    (GPT4, ALPACA),
)


@dataclass(frozen=True)
class Source:
    """Where the texts of a corpus are: a file, its rows with a label, and which texts of a random order."""

    file: str
    label: str | None = None
    first: int = 0


SOURCES = {
    CLINC: Source("clinc150.jsonl.gz"),
    CLINC_AGAIN: Source("clinc150.jsonl.gz", first=TEXTS),
    BANKING: Source("banking77.jsonl"),
    PEOPLE: Source("dailydialog-hredf-vs-reference.jsonl", "reference"),
    PEOPLE_AGAIN: Source("dailydialog-hredf-vs-reference.jsonl", "reference", first=TEXTS),
    HRED: Source("dailydialog-hredf-vs-reference.jsonl", "hredf"),
    GPT4: Source("alpacaeval-8-systems.jsonl.gz", "gpt4"),
    CLAUDE: Source("alpacaeval-8-systems.jsonl.gz", "claude-2"),
    ALPACA: Source("alpacaeval-8-systems.jsonl.gz", "alpaca-7b"),
    KDCONV: Source("zh-kdconv-dev-test.jsonl.gz"),
}


@dataclass(frozen=True)
class Row:
    """One value: of a corpus or, with a reference, of the distance between the two.

    Attributes
    ----------
    texts
        Texts per corpus.
    tokens_per_text
        Words and punctuation marks per text of the corpus.
    measured
        The number of texts with a value, of a mean over texts; otherwise all of them.
    version
        The version of distinctly that measured it.
    """

    metric: str
    spec: str
    reference: str
    corpus: str
    texts: int
    tokens_per_text: float
    measured: int
    value: float
    version: str

    @property
    def place(self) -> tuple[str, str]:
        """The line of the table that the value is in."""
        return self.reference, self.corpus


def read_corpora(data: Path | None) -> dict[str, list[str]]:
    """Return the texts of each corpus by name; without a folder, those of the demonstration alone."""
    corpora = {name: dy.read(name).texts() for name in DEMO}
    if data is None:
        return corpora
    for name, source in SOURCES.items():
        path = data / source.file
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        texts = [row["text"] for row in rows if source.label in (None, row["label"])]
        order = np.random.default_rng(SEED).permutation(len(texts))
        corpora[name] = [texts[place] for place in order[source.first : source.first + TEXTS]]
    return corpora


def specs_of(name: str) -> list[str]:
    """Return the specs of a metric that its table shows."""
    return [request.spec for request in parse_metrics([spec_of(name, REQUIRED.get(name, {}))])][:SHOWN]


def corpora_of(name: str) -> tuple[str, ...]:
    """Return the corpora in the table of a metric of diversity; vectors and tags are of English."""
    kind = find_metric(name)
    english = kind.default_view == TAGS or _metric(name).sees == "vectors"
    return ENGLISH if english else (*ENGLISH, KDCONV)


def places_of(name: str) -> list[tuple[str, str]]:
    """Return the lines of the table of a metric: a reference, empty for diversity, and a corpus."""
    if issubclass(find_metric(name), Distance):
        return list(PAIRS)
    return [("", corpus) for corpus in corpora_of(name)]


def measure_all(names: Iterable[str], corpora: Mapping[str, Sequence[str]]) -> list[Row]:
    """Return the values of metrics on the corpora that are there; every pair or corpus is measured once."""
    wanted: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for reference, corpus in places_of(name):
            if corpus in corpora:
                wanted.setdefault((reference, corpus), []).extend(specs_of(name))
    rows = []
    for (reference, corpus), specs in wanted.items():
        print(" and ".join(filter(None, (reference, corpus))), file=sys.stderr)
        texts = list(corpora[corpus])
        if reference:
            scores = dy.compare(list(corpora[reference]), texts, specs)
        else:
            scores = measure_one(texts, specs)
        length = dy.measure(texts, "types:n=1")[0].parts["C"] / len(texts)
        rows += [
            Row(
                score.metric,
                score.spec,
                reference,
                corpus,
                len(texts),
                round(length, 2),
                len(texts) - int(score.parts.get("skipped_texts", 0)),
                float(f"{score.value:.10g}"),
                dy.__version__,
            )
            for score in scores
        ]
    return rows


def measure_one(texts: list[str], specs: list[str]) -> Scores:
    """Measure one corpus; every text has the quality 1, and tags come from the tagger where a metric asks."""
    names = {spec.partition(":")[0] for spec in specs}
    quality = [1.0] * len(texts) if any("quality" in _metric(name).reads_columns for name in names) else None
    tagger = TAGGER if any(find_metric(name).default_view == TAGS for name in names) else None
    return dy.measure(texts, specs, quality=quality, tagger=tagger)


def table(rows: Sequence[Row]) -> str:
    """Return the values of one metric as lines of Markdown, with a line that says how they were measured."""
    name = rows[0].metric
    specs = [spec for spec in specs_of(name) if spec in {row.spec for row in rows}]
    cells = {(row.place, row.spec): _cell(row) for row in rows}
    lengths = {row.place: row.tokens_per_text for row in rows}
    places = [place for place in places_of(name) if place in lengths]
    distance = bool(places[0][0])
    heads = ["reference", "candidate"] if distance else ["corpus", "tokens per text"]
    lines = [
        how(name, rows),
        "",
        "| " + " | ".join([*heads, *(f"`{spec}`" for spec in specs)]) + " |",
        "|---|" + ("---|" if distance else "---:|") + "---:|" * len(specs),
    ]
    for place in places:
        shown = [_label(corpus) for corpus in place if corpus]
        if not distance:
            shown.append(f"{lengths[place]:.1f}")
        shown += [cells[place, spec] for spec in specs]
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join(lines)


def how(name: str, rows: Sequence[Row]) -> str:
    """Return one line on the texts of the table, and on what else its values depend."""
    sizes = sorted({row.texts for row in rows}, reverse=True)
    if sizes[0] == TEXTS:
        of = f"Of {TEXTS} random texts per [corpus](../metrics.md#typical-values), "
        of += f"and of the {sizes[-1]} of each demonstration"
    else:
        of = f"Of the {sizes[-1]} texts of each demonstration"
    metric = _metric(name)
    with_what = [
        "by WordLlama" if metric.sees == "vectors" else "",
        f"with the tagger `{TAGGER}`" if metric.default_view == TAGS else "",
        "with the quality 1 for every text" if "quality" in metric.reads_columns else "",
    ]
    line = ", ".join([of, *filter(None, with_what)])
    line += "; [other sizes](../size.md#values-at-one-size) have other values."
    if issubclass(find_metric(name), Distance) and sizes[0] == TEXTS:
        line += (
            " Both systems of a data set reply to the same dialogues or prompts, which can bring them nearer."
        )
    if any(math.isnan(row.value) for row in rows):
        line += " –: undefined."
    if any(" " in _cell(row) for row in rows):
        line += " (of N): the mean over N texts; the others have no value."
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def rounded(value: float) -> str:
    """Return a number with three significant digits, at most six of them after the point.

    Examples
    --------
    >>> [rounded(value) for value in (0.0, 177.0, 2850.2, 0.034567, 1.5, 0.0000123, float("nan"))]
    ['0', '177', '2,850', '0.0346', '1.50', '0.000012', '–']
    """
    if math.isnan(value):
        return "–"
    if value == int(value):
        return f"{int(value):,}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:,.{min(max(digits, 0), 6)}f}"


def insert(card: str, lines: str) -> str:
    r"""Return a card with other lines between its markers.

    Examples
    --------
    >>> insert(f"# x\n{BEGIN}\nold\n{END}\nrest\n", "new").splitlines()
    ['# x', '<!-- typical values -->', '', 'new', '', '<!-- end of typical values -->', 'rest']
    """
    before, begin, rest = card.partition(BEGIN + "\n")
    _, end, after = rest.partition(END + "\n")
    if not begin or not end:
        raise ValueError(f"write the lines '{BEGIN}' and '{END}' under the heading '## Typical values'")
    return f"{before}{BEGIN}\n\n{lines}\n\n{END}\n{after}"


def read_rows(path: Path) -> list[Row]:
    """Return the values of a file; none if it is not there."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Row(
                **{key: row[key] for key in ("metric", "spec", "reference", "corpus", "version")},
                texts=int(row["texts"]),
                tokens_per_text=float(row["tokens_per_text"]),
                measured=int(row["measured"]),
                value=float(row["value"]),
            )
            for row in csv.DictReader(lines)
        ]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write values, in the order of metrics and of their tables."""
    names = metric_names()

    def position(row: Row) -> tuple[int, int, int]:
        places, specs = places_of(row.metric), specs_of(row.metric)
        return names.index(row.metric), specs.index(row.spec), places.index(row.place)

    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(rows, key=position))


def update(cards: Path, measured: Sequence[Row]) -> None:
    """Write values into the file of all values and into the cards; other values stay as they are."""
    places = {name: places_of(name) for name in metric_names()}
    kept = [
        row
        for row in read_rows(cards / CSV)
        if row.place in places.get(row.metric, []) and row.spec in specs_of(row.metric)
    ]
    rows = {(row.spec, row.place): row for row in (*kept, *measured)}
    contents = {}
    for name in {row.metric for row in measured}:
        card = cards / f"{name}.md"
        try:
            text = card.read_text(encoding="utf-8")
            contents[card] = insert(text, table([row for row in rows.values() if row.metric == name]))
        except (OSError, ValueError) as error:
            raise SystemExit(f"{card}: {error}.") from error
    for card, text in contents.items():
        card.write_text(text, encoding="utf-8", newline="\n")
    write_rows(cards / CSV, rows.values())


def _metric(name: str) -> Metric:
    return parse_metrics([specs_of(name)[0]])[0].metric


def _cell(row: Row) -> str:
    """Return the value; with the number of texts that have one, if every tenth has none."""
    few = not math.isnan(row.value) and row.measured < (1 - MISSING) * row.texts
    return rounded(row.value) + (f" (of {row.measured})" if few else "")


def _label(corpus: str) -> str:
    return f"`{corpus}`" if corpus in DEMO else corpus


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the file of values and the cards."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="names of metrics; by default all")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public data sets")
    parser.add_argument("--demo", action="store_true", help="measure the texts of the demonstration alone")
    parser.add_argument("--cards", type=Path, default=CARDS, help="the folder of the cards")
    options = parser.parse_args(arguments)
    needed = {options.data / source.file for source in SOURCES.values()}
    missing = sorted(path for path in needed if not path.is_file())
    if missing and not options.demo:
        parser.error(
            f"{missing[0]} is not there: give the folder of the public data sets with --data, or measure the "
            "texts of the demonstration alone with --demo"
        )
    unknown = sorted(set(options.metrics) - set(metric_names()))
    if unknown:
        parser.error(f"there is no metric '{unknown[0]}'; aliases have no card of their own")
    names = options.metrics or metric_names()
    update(options.cards, measure_all(names, read_corpora(None if options.demo else options.data)))


if __name__ == "__main__":
    main()
