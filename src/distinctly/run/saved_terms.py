"""States of terms: whether they have what a comparison of terms needs."""

from __future__ import annotations

from collections.abc import Iterable

from distinctly.corpus import Corpus
from distinctly.engine.stored import open_state, saved_with
from distinctly.errors import InputError
from distinctly.run.term_views import TermView


def check_saved_terms(states: Iterable[Corpus], terms: TermView) -> None:
    """Raise if a state does not have the terms of some lengths, counted in this view."""
    needed = {repr(statistic) for statistic in terms.saved}
    for corpus in states:
        file = open_state(corpus)
        if not needed <= set(file.names):
            lengths = ",".join(map(str, terms.sizes))
            _, name, options = terms.view.describe(came_as_tokens=False)
            view = ",".join([name, *(f"{key}:{value}" for key, value in options.items())])
            raise InputError(
                f"the state does not have the terms of n={lengths} in {view} (--keyness {lengths}). "
                f"{saved_with(file)}",
                source=corpus.source.name,
            )
