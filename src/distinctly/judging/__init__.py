"""Metrics on trial: can a number be trusted?

One package per trial: `trial` runs it, `findings` summarizes its records, `page` and `figures` show the
summary. Modules that the trials share are next to the packages.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distinctly.judging.diversity.trial import known_diversity
    from distinctly.judging.length.trial import length_bias
    from distinctly.judging.people.trial import human_agreement
    from distinctly.judging.progress.trial import training_progress
    from distinctly.judging.similarity.trial import known_similarity
    from distinctly.judging.trial import Finding, Trial

__all__ = [
    "Finding",
    "Trial",
    "human_agreement",
    "known_diversity",
    "known_similarity",
    "length_bias",
    "read_trial",
    "training_progress",
]

_HOMES = {
    "Finding": "trial",
    "Trial": "trial",
    "human_agreement": "people.trial",
    "known_diversity": "diversity.trial",
    "known_similarity": "similarity.trial",
    "length_bias": "length.trial",
    "training_progress": "progress.trial",
}
# The package of each trial, which is also its name in files and on the command line, and its `Trial` class.
KINDS = {
    "similarity": "SimilarityTrial",
    "diversity": "DiversityTrial",
    "progress": "ProgressTrial",
    "length": "LengthTrial",
    "people": "PeopleTrial",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'distinctly.judging' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"distinctly.judging.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def read_trial(path: str | Path) -> Trial:
    """Read a trial from the .json or .csv file that it was saved to."""
    from distinctly.errors import InputError
    from distinctly.judging.trial import read_document

    document = read_document(path)
    if not isinstance(document["trial"], str) or document["trial"] not in KINDS:
        raise InputError(
            f"expected a trial of {', '.join(KINDS)}, got '{document['trial']}'.", source=str(path)
        )
    module = importlib.import_module(f"distinctly.judging.{document['trial']}.findings")
    kind = getattr(module, KINDS[document["trial"]])
    trial: Trial = kind(
        settings=document["settings"], records=document["records"], done=document.get("done", ())
    )
    return trial
