"""Pages of blocks made by hand: systems with intervals, curves, a heat map, and a map of texts."""

from __future__ import annotations

import math

import numpy as np

from distinctly.report.page import (
    Cell,
    Code,
    Column,
    Concordance,
    ContextLine,
    Estimate,
    Forest,
    Heading,
    HeatMap,
    Item,
    Listing,
    MapPoint,
    Mark,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Plot,
    Region,
    Section,
    Series,
    Signatures,
    Table,
    TextMap,
)
from distinctly.score import Note

SYSTEMS = (
    *("gpt4_1106_preview", "claude-2.1", "Mixtral-8x7B-Instruct-v0.1", "vicuna-33b-v1.3"),
    *("alpaca-7b", "系统（中文）", "text_davinci_003", "reference"),
)
METRICS = ("distinct:n=1", "distinct:n=2", "ead:n=2", "vendi", "self_bleu:n=4", "mattr")
# What must be shown as text, and do nothing.
HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    '"><img src=x onerror="window.hacked = 3">',
    "</textarea></style><svg onload='window.hacked = 4'>",
    "# heading **bold** [link](javascript:window.hacked=5) `code`",
    "right to left \u202e gnp.exe \u2066 isolated",
    "control \x00\x07\x1b[31m\x7f line\u2028separator",
    "{{constructor.constructor('window.hacked = 6')()}} $$x$$ \\(y\\)",
    "<!-- comment --> <![CDATA[ &lt; &amp;",
    "a" * 1_000_000,
)


def report_page(systems: tuple[str, ...] = SYSTEMS, points: int = 3000) -> Page:
    """Return a page with every kind of block."""
    draw = np.random.default_rng(0)
    marks: tuple[Mark, ...] = ("", "noise", "partial")
    panels = {
        metric: [
            Estimate(system, value, value - 0.03, value + 0.04, best=place == 2, mark=marks[place % 3])
            for place, (system, value) in enumerate(zip(systems, draw.uniform(0.2, 0.9, len(systems))))
        ]
        for metric in METRICS
    }
    panels["undefined"] = [Estimate(systems[0], math.nan), Estimate(systems[-1], 0.5)]
    rows = [
        [
            Cell(system, corpus=True),
            *(
                Cell(
                    f"{value:.4f} ±0.0300", value=value, low=value - 0.03, high=value + 0.03, best=place == 0
                )
                for value in draw.uniform(0, 1, len(METRICS))
            ),
            Cell("undefined", value=math.nan, missing=True),
        ]
        for place, system in enumerate(systems)
    ]
    sizes = np.arange(1, 21) * 50
    curves = [
        Series(system, sizes.tolist(), (place + np.sqrt(sizes)).tolist(), *_band(place + np.sqrt(sizes)))
        for place, system in enumerate(systems)
    ]
    scatter = [
        Series(system, draw.uniform(5, 200, 40).tolist(), draw.uniform(0, 1, 40).tolist())
        for system in systems
    ]
    captioned = [
        Series(
            system,
            [side * place / 4 for place in range(1, 30)],
            [place / 10 for place in range(1, 30)],
            labels=[f"word {place}" for place in range(1, 30)],
            captions=[f"word {place}" if place > 20 else "" for place in range(1, 30)],
        )
        for system, side in zip(systems, (-1, 1))
    ]
    distances = [[abs(a - b) / len(systems) for b in range(len(systems))] for a in range(len(systems))]
    heat = [
        [Cell(f"{value:.3f}", value=value, mark="noise" if value < 0.2 else "") for value in row]
        for row in distances
    ]
    return Page(
        [
            *(
                Heading(system, f"805 texts, {place + 1},234 tokens (words)")
                for place, system in enumerate(systems)
            ),
            Paragraph(
                "claude-2.1 is more varied than alpaca-7b (distinct-2 0.61 and 0.48, p < 0.001).", "verdict"
            ),
            Paragraph("Half of the difference is due to the length of the texts.", "verdict"),
            Section("Systems", "Values with intervals of 95 %."),
            Forest("Values and intervals", panels, "one panel per metric"),
            Section("Table"),
            Table(
                [Column("corpus", "name"), *map(Column, METRICS), Column("none")],
                rows,
                "Scores",
                "of all texts",
            ),
            Paragraph("the best value of a metric.", "legend", of_best=True),
            Paragraph("a less b: 0.1 (p = 0.01)", "difference"),
            Paragraph("a less c: 0.2 (p = 0.02)", "difference"),
            Section("Length", "Longer texts repeat more."),
            Plot("Rarefaction", "tokens", "types", curves, "mean of random orders"),
            Plot("Variety against length", "tokens per text", "distinct-2", scatter, curves=False),
            Section("Repetition"),
            Listing(
                "Most frequent 2-grams",
                [Item("12 ×", ["of the"], example="the end of the day"), Item("3 ×", ["，我"])],
            ),
            Listing("Clusters", [], nothing="none at all"),
            Section("Words"),
            Plot("Keyness", "log ratio", "log₁₀ G²", captioned, "a point per word", curves=False),
            Concordance("tapestry (text)", [ContextLine("17", "a rich", "tapestry", "of life")]),
            Section("Distances"),
            HeatMap("Fréchet distance", list(systems), list(systems), heat, "darker is farther"),
            Section("Map"),
            text_map(systems, points),
            Section("Caveats"),
            Notes(
                [OwnedNote(Note("few texts.", "warning"), ["alpaca-7b"], ["ead"]), OwnedNote(Note("a hint."))]
            ),
            Section("How to cite"),
            Signatures(["distinct|n:2|v:1.0", "ead|n:2|v:1.0"]),
            Code("Command", "distinctly report a.txt b.txt \\\n  -o report.html"),
        ],
        title="Report",
    )


def _band(values: np.ndarray) -> tuple[list[float], list[float]]:
    return (values - 1).tolist(), (values + 1).tolist()


def text_map(systems: tuple[str, ...], count: int, texts: tuple[str, ...] = ()) -> TextMap:
    """Return a map of points around ten centres; the last system has no text in the last region."""
    draw = np.random.default_rng(1)
    centres = draw.uniform(-10, 10, (10, 2))
    points = []
    for place in range(count):
        region, system = place % 10, systems[(place // 10) % len(systems)]
        if region == 9 and system == systems[-1]:
            continue
        x, y = centres[region] + draw.normal(0, 0.8, 2)
        text = (
            texts[place % len(texts)]
            if texts
            else f"text {place} of region {region + 1}，一个关于天气的句子。"
        )
        points.append(MapPoint(float(x), float(y), system, text, region))
    shares = {
        region: {system: 0.0 if region == 9 and system == systems[-1] else 0.1 for system in systems}
        for region in range(10)
    }
    regions = [
        Region(
            f"weather, rain, sun {region}", shares[region], f"no text of {systems[-1]}" if region == 9 else ""
        )
        for region in range(10)
    ]
    return TextMap("Map of texts", points, regions, "similar texts are near each other")


def hostile_page() -> Page:
    """Return a page in which every text, name and title is hostile."""
    names = HOSTILE[:8]
    estimates = [Estimate(name, 0.1 * place, 0.05 * place, 0.2 * place) for place, name in enumerate(names)]
    cells = [[Cell(text), Cell("0.5", value=0.5), Cell(text)] for text in HOSTILE]
    return Page(
        [
            *(Heading(name, name) for name in names),
            *(Paragraph(text, "verdict") for text in HOSTILE),
            *(Section(text, text) for text in HOSTILE[:4]),
            Forest(HOSTILE[0], dict.fromkeys(HOSTILE[:3], estimates), HOSTILE[1]),
            Table([Column(text, "name") for text in HOSTILE[:3]], cells, HOSTILE[1], HOSTILE[2]),
            Plot(
                HOSTILE[1],
                HOSTILE[7],
                HOSTILE[2],
                [Series(name, [1.0], [2.0], labels=[name], captions=[name]) for name in names],
            ),
            *(Concordance(text, [ContextLine(text, text, text, text)]) for text in HOSTILE),
            Listing(HOSTILE[1], [Item(text, [text, text], text, text) for text in HOSTILE], HOSTILE[0]),
            HeatMap(
                HOSTILE[1],
                names,
                names,
                [[Cell(name, value=0.1) for name in names] for _ in names],
                HOSTILE[2],
            ),
            text_map(names, 400, HOSTILE),
            Notes([OwnedNote(Note(text, "warning"), [text], [text]) for text in HOSTILE]),
            Signatures(HOSTILE),
            Code(HOSTILE[1], "\n".join(HOSTILE)),
        ],
        title=HOSTILE[1],
    )
