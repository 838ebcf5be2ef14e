"""What all figures have in common: colours that differ, visible error bars, and text that can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from tests.judging.people.rated_sets import HUMAN, SETS
from tests.judging.similarity.mixtures import try_it

from distinctly.judging import human_agreement, known_diversity, length_bias
from distinctly.judging.figures import figures, look
from distinctly.judging.trial import Trial
from distinctly.report.drawing import COLOURS

DISTANCES = ["chi", "zipf", "frechet", "pr", "dc", "irpr", "jensen_shannon", "mmd"]
# Inches and points: the width of a page, and the smallest text that can be read on it.
PAGE, READABLE = 7.0, 5.0
TEXTS = [
    [f"w{(7 * place + word * word) % 31}" for word in range(length)]
    for length in range(3, 9)
    for place in range(12)
]


def of_similarity() -> Trial:
    return try_it(DISTANCES)


def of_length() -> Trial:
    return length_bias({f"corpus {number}": TEXTS for number in range(7)}, texts=12, sets=3)


def of_people() -> Trial:
    subsets = [f"subset {number}" for number in range(9) for _ in SETS]
    return human_agreement(
        SETS * 9, ["distinct:n=1", "distinct:n=2", "ead"], human=HUMAN * 9, subsets=subsets
    )


def of_diversity() -> Trial:
    texts = [f"class{label} text{label}x{place}" for label in range(8) for place in range(60)]
    return known_diversity(texts, label=[text.split()[0] for text in texts], n=12, k=4, repetitions=2)


def effective_sizes(figure: Figure) -> list[float]:
    """Return the size of each text in points, if the figure is scaled down to the width of a page."""
    figure.canvas.draw()
    scale = min(1.0, PAGE / figure.get_figwidth())
    shown = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text().strip()]
    return [scale * text.get_fontsize() for text in shown]


@pytest.mark.parametrize("make", [of_similarity, of_length, of_people, of_diversity])
def test_text_can_be_read_on_a_page(make: Callable[[], Trial]) -> None:
    drawn = figures(make())
    assert drawn
    for name, figure in drawn.items():
        assert min(effective_sizes(figure)) >= READABLE, name
        assert figure.get_figwidth() >= 4.5, name


def test_eight_metrics_of_a_radar_chart_have_eight_colours() -> None:
    radar = figures(of_similarity())["radar"]
    lines = [line for line in radar.axes[0].lines if not line.get_label().startswith("_")]
    assert len(lines) == len(DISTANCES) == 8
    assert len({line.get_color() for line in lines}) == 8
    assert len({look(place)["linestyle"] for place in range(8)}) == 8


def test_no_two_of_many_lines_look_alike() -> None:
    looks = [look(place) for place in range(40)]
    assert len({(each["color"], each["marker"]) for each in looks}) == 40
    assert len({each["color"] for each in looks}) == len(COLOURS)


def test_a_length_trial_of_many_metrics_draws_each_differently() -> None:
    metrics = [f"distinct:n={n}" for n in (1, 2, 3)] + [f"entropy:n={n}" for n in (1, 2, 3)]
    metrics += ["ead", "hill", "chao1", "simpson:pool=corpus"]
    figure = figures(length_bias(TEXTS, metrics, texts=12, sets=3))["length"]
    marks = {
        (container.lines[0].get_color(), container.lines[0].get_marker())
        for container in figure.axes[0].containers
    }
    assert len(marks) == len(metrics) == 10


@pytest.mark.parametrize("lengths", [6, 38])
def test_an_error_bar_is_visible_beside_its_marker(lengths: int) -> None:
    texts = [[f"w{place}" for place in range(length)] for length in range(3, 3 + lengths)]
    # The sets of a length differ by a thousandth, far less than a marker.
    metric = Differing()
    figure = figures(length_bias([text for text in texts for _ in range(6)], metric, texts=3, sets=2))[
        "length"
    ]
    (container,) = figure.axes[0].containers
    marker, caps, _ = container.lines
    assert len(caps) == 2
    for cap in caps:
        # Both are in points; a cap is a horizontal line of the width of its marker.
        assert cap.get_marker() == "_"
        assert cap.get_markersize() >= 1.5 * marker.get_markersize()


class Differing:
    """A metric whose values differ slightly from call to call."""

    gets = "tokens"

    def __init__(self) -> None:
        self.draw = np.random.default_rng(0)

    def __call__(self, tokens: list[list[str]]) -> float:
        return float(len(tokens[0]) + 0.001 * self.draw.standard_normal())


def simulated(colour: str, matrix: Any) -> Any:
    """Return a colour in CIELAB, as it is seen with a colour blindness."""
    rgb = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(matrix) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ seen / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize(
    "matrix",
    [
        # Machado, Oliveira and Fernandes (2009), severity 1: none, protanopia, deuteranopia, tritanopia.
        np.eye(3).tolist(),
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    ],
)
def test_colours_differ_for_colour_blind_readers(matrix: list[list[float]]) -> None:
    seen = [simulated(colour, matrix) for colour in COLOURS]
    distances = [np.linalg.norm(a - b) for place, a in enumerate(seen) for b in seen[:place]]
    assert min(distances) >= 16
