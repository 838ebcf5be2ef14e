"""`Quality`: the quality of each text, from a column beside the texts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import SpecError
from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.texts import Texts, TextView

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Quality(NeedsRows[Reals]):
    """The quality of each text, in the order of the texts.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> Quality().summarize(Texts(Batch.of(["a", "b"], quality=[1, 2]))).tolist()
    [1.0, 2.0]
    """

    view: View[Texts] = field(default=TextView(), kw_only=True)

    def summarize(self, texts: Texts) -> Reals:
        """Return the column."""
        if texts.batch.quality is None and len(texts):
            raise SpecError(
                "'utility' needs the quality of each text: name its field with --quality (Python: quality=, "
                "the name of the field, or one number per text)."
            )
        return np.zeros(0) if texts.batch.quality is None else texts.batch.quality
