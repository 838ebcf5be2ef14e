"""`Rows`: some texts in memory with their views, each of which is computed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.ragged import Integers
from distinctly.views.base import D, DerivedView, View
from distinctly.views.tokens import Tokens
from distinctly.views.vectors import VectorView


class Rows:
    """Some texts, each view of which is computed when it is first needed.

    Examples
    --------
    >>> from distinctly.views.tokens import WORDS
    >>> rows = Rows(Batch.of(["a b", "c"]))
    >>> rows[WORDS].lengths.tolist(), rows[WORDS] is rows[WORDS]
    ([2, 1], True)
    """

    def __init__(self, batch: Batch, config: RunConfig | None = None) -> None:
        self._batch = batch
        self._selected: Integers | None = None
        self.config = RunConfig() if config is None else config
        self._views: dict[View[Any], Any] = {}

    def __len__(self) -> int:
        return len(self._batch if self._selected is None else self._selected)

    @property
    def batch(self) -> Batch:
        """The texts as they came; those of a selection are selected when they are first needed."""
        if self._selected is not None:
            self._batch, self._selected = self._batch.select(self._selected), None
        return self._batch

    def __getitem__(self, view: View[D]) -> D:
        data: D
        if view not in self._views:
            self._views[view] = self._make(view)
        data = self._views[view]
        return data

    def _make(self, view: View[Any]) -> Any:
        if isinstance(view, DerivedView):
            return view.derive(self[view.base])
        if isinstance(view, VectorView) and view.context:  # texts are embedded once for both views
            return view.without_prompts(self[replace(view, context=False)], self.batch, self.config)
        return view.make(self.batch, self.config)

    def keeping(self, views: Iterable[View[Any]]) -> Rows:
        """Return the same texts with only the given views; all of them except vectors are computed now."""
        kept = Rows(self.batch, self.config)
        kept._views = {view: self[view] for view in views if not isinstance(view, VectorView)}
        return kept

    def set(self, view: View[D], data: D) -> None:
        """Set the data of a view, which is then not computed."""
        self._views[view] = data

    def compiled(self) -> Rows:
        """Return the same texts, with tokens that are counted by compiled loops."""
        compiled = Rows(self.batch, replace(self.config, compiled=True))
        compiled._views = {
            view: replace(data, compiled=True) if isinstance(data, Tokens) else data
            for view, data in self._views.items()
        }
        return compiled

    def select(self, rows: Integers) -> Rows:
        """Return the texts in these rows; existing views are selected, not computed again."""
        selected = Rows(self.batch, self.config)
        selected._selected = rows
        selected._views = {view: data.select(rows) for view, data in self._views.items()}
        return selected

    @classmethod
    def join(cls, pieces: Sequence[Rows]) -> Rows:
        """Concatenate several pieces; a view that all of them have is joined, not computed again.

        Vectors are computed for all texts together, so that each distinct text is embedded once.
        """
        if len(pieces) == 1:
            return pieces[0]
        compiled = [piece.config for piece in pieces if piece.config.compiled]
        config = (compiled or [piece.config for piece in pieces] or [RunConfig()])[0]
        joined = cls(Batch.join([piece.batch for piece in pieces]), config)
        filled = [piece for piece in pieces if len(piece)]
        known = [set(piece._views) for piece in filled]
        for view in set.intersection(*known) if known else ():
            if not isinstance(view, VectorView) or len(filled) == 1:
                joined._views[view] = view.join([piece._views[view] for piece in filled])
        return joined
