"""Draw the figures of docs/notebooks.md from the examples of the package."""

from __future__ import annotations

from pathlib import Path

import distinctly as dy

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def draw() -> None:
    """Write the figures."""
    names = ("english-varied", "english-repetitive", "chinese-varied", "chinese-repetitive")
    corpora = [dy.read(f"demo:{name}") for name in names]
    english = corpora[:2]
    scores = dy.measure(english, ["distinct:n=1", "self_bleu", "vendi"], interval=True)
    scores.plot(path=IMAGES / "forest.png")
    dy.rarefaction(english, interval=True).plot(path=IMAGES / "curves.png")
    dy.compare(corpora[0], corpora[1:], "energy", matrix=True).plot(path=IMAGES / "matrix.png")


if __name__ == "__main__":
    draw()
