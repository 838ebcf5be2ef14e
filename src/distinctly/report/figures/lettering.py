"""Fonts for the texts of a figure, such as names of corpora in Chinese, and what replaces other letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache

import matplotlib
from matplotlib import font_manager

from distinctly.report.cells import printable
from distinctly.report.page import Chart
from distinctly.report.terminal import shortened

# Fonts for what the usual font does not have: of Linux, of macOS, of Windows, and some that users install.
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans SC", "Source Han Sans SC"),
    *("PingFang SC", "Hiragino Sans GB", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS"),
    *("Microsoft YaHei", "SimHei", "Yu Gothic", "Meiryo", "Malgun Gothic"),
    *("WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "IPAGothic", "NanumGothic"),
    *("Noto Sans", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Emoji"),
)
# Whatever style a notebook has.
BLACK_ON_WHITE = {
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), "white"),
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor", "axes.edgecolor"), "black"),
    **dict.fromkeys(("xtick.color", "ytick.color", "xtick.labelcolor", "ytick.labelcolor"), "black"),
}
# What is shown only where a pointer is.
NOT_DRAWN = ("labels",)
# What stands for a letter that no font has.
ABSENT = "□"
NOTE = f"{ABSENT} is a letter that no installed font has: install one that has it, such as Noto Sans CJK."


@dataclass(frozen=True)
class Lettering:
    """The fonts of a figure, and the letters that none of them has.

    Attributes
    ----------
    families
        The names of the fonts, in the order in which a letter is looked for.
    absent
        The letters.
    """

    families: Sequence[str]
    absent: frozenset[str]

    @classmethod
    def of(cls, charts: Sequence[Chart]) -> Lettering:
        """Return the fonts that the texts of charts need."""
        letters = frozenset(letter for text in _texts(charts) for letter in printable(text))
        families = list(matplotlib.rcParams["font.family"])
        absent = letters - _known(tuple(families), letters)
        for family in FALLBACKS if absent else ():
            if family in _installed() and (known := _known((family,), absent)):
                families.append(family)
                absent -= known
        return cls(families, absent)

    @property
    def notes(self) -> list[str]:
        """What to say of letters that are not drawn."""
        return [NOTE] if self.absent else []

    def write(self, text: str) -> str:
        """Return text on one line of which all letters can be drawn."""
        return "".join(ABSENT if letter in self.absent else letter for letter in printable(text))

    def names(self, names: Sequence[str], room: int) -> dict[str, str]:
        """Return names that are at most `room` wide, and as different from each other as they were."""
        written = [self.write(name) for name in names]
        if len(set(written)) < len(written):
            written = [f"{place} {name}" for place, name in enumerate(written, 1)]
        return dict(zip(names, shortened(written, room))) if names else {}


@contextmanager
def lettered(letters: Lettering) -> Iterator[None]:
    """Draw with these fonts until the context ends, in black on white; no text is a formula."""
    style = {"font.family": letters.families, "text.parse_math": False, "text.usetex": False}
    with matplotlib.rc_context({**BLACK_ON_WHITE, **style}):
        yield


def _texts(block: object) -> Iterator[str]:
    """Yield all texts in a block that are drawn."""
    if isinstance(block, str):
        yield block
    elif isinstance(block, dict):
        yield from _texts([*block, *block.values()])
    elif isinstance(block, (list, tuple)):
        for part in block:
            yield from _texts(part)
    elif is_dataclass(block):
        for field in fields(block):
            if field.name not in NOT_DRAWN:
                yield from _texts(getattr(block, field.name))


@lru_cache(maxsize=1)
def _installed() -> frozenset[str]:
    return frozenset(font.name for font in font_manager.fontManager.ttflist)


def _known(families: Sequence[str], letters: frozenset[str]) -> frozenset[str]:
    """Return the letters that some fonts have."""
    files = {font_manager.findfont(font_manager.FontProperties(family=[family])) for family in families}
    fonts = [font_manager.get_font(file) for file in sorted(files)]
    return frozenset(letter for letter in letters if any(font.get_char_index(ord(letter)) for font in fonts))
