"""`log`: the numbers of scores, and a table with their signatures, in the experiment tracker that is in use.

No tracker is imported here: a run comes from a module that its user has imported.
"""

from __future__ import annotations

import operator
import re
import sys
from types import ModuleType
from typing import Any, SupportsIndex

from distinctly.errors import SpecError, installation
from distinctly.flat import flat_names
from distinctly.report.csv import records_as_csv
from distinctly.report.markdown import render
from distinctly.report.page import Cell, Column, Page, Table
from distinctly.report.spreadsheets import cells_of
from distinctly.score import Score, Scores

# The columns of the table, one row per score; the first is the name of the value in `Scores.flat`.
COLUMNS = (
    "name",
    "corpus",
    "reference",
    "scope",
    "metric",
    "spec",
    "value",
    "low",
    "high",
    "p",
    "p_holm",
    "undefined",
    "notes",
    "signature",
)
NUMBERS = ("value", "low", "high", "p", "p_holm")
# The name of the table.
TABLE = "distinctly_scores"
_EXPECTED = (
    f"Expected to= a run of MLflow ({installation('mlflow')}) or W&B ({installation('wandb')}), or a "
    f"SummaryWriter of TensorBoard ({installation('tensorboard')})"
)
# What all trackers accept before a name; a folder must not be empty, and no name begins with a dot.
_PREFIX = re.compile(r"(?:[A-Za-z0-9_][\w.-]*/?)*", re.ASCII)


def log(
    scores: Scores | Score, to: Any = None, *, step: SupportsIndex | None = None, prefix: str = ""
) -> None:
    """Write scores to a run of MLflow or Weights & Biases, or to a writer of TensorBoard.

    The numbers of `Scores.flat` become metrics. A table with one row per score has the reason for each
    undefined value, the notes and the signature:

    ==============  ====================================================================
    MLflow          the artifact ``distinctly/scores-000010.csv`` (of step 10)
    W&B             the ``Table`` `distinctly_scores`, in the same step as the numbers
    TensorBoard     the text `distinctly_scores`; its scalars have 32 bits
    ==============  ====================================================================

    Parameters
    ----------
    scores
        What `measure`, `compare` or an `Accumulator` returned, or one score.
    to
        A run (``mlflow.start_run()``, ``wandb.init()``); the module `mlflow` or `wandb`, for its active run;
        or a ``SummaryWriter`` of torch or tensorboardX. By default the active run, if there is only one.
    step
        The step of the training. Without one, MLflow and TensorBoard write step 0, and W&B its next step.
    prefix
        What to write before each name, such as ``eval/``. Two calls in one step need different prefixes,
        since the table of the second replaces that of the first.

    Notes
    -----
    Undefined values are logged as NaN. W&B ignores a step before its current one, with a warning. In training
    with several processes, call it in the process that has the run.

    Examples
    --------
    >>> import distinctly as dy
    >>> class Writer:  # as the SummaryWriter of torch or tensorboardX
    ...     def add_scalar(self, tag, value, global_step):
    ...         print(f"step {global_step}: {tag} = {value:.3f}")
    ...
    ...     def add_text(self, tag, text, global_step):
    ...         print(f"step {global_step}: {tag} = {text[:26]} …")
    >>> dy.log(dy.measure(["the cat sat", "the dog sat"], "distinct:n=1"), Writer(), step=10, prefix="eval/")
    step 10: eval/distinct_n1 = 0.667
    step 10: eval/distinctly_scores = | name | corpus | metric | …
    """
    if isinstance(scores, Score):
        scores = Scores([scores])
    if not isinstance(scores, Scores):
        raise SpecError(f"Expected the scores of measure, compare or an Accumulator, got {_named(scores)}.")
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
        raise SpecError(
            "Expected a prefix of letters, digits and _ . - / that trackers accept, such as 'eval/', got "
            f"{prefix!r}."
        )
    at = None if step is None else _whole(step)
    tracker = _active() if to is None else to
    packages = _packages(tracker)
    if "mlflow" in packages:
        _to_mlflow(scores, tracker, at, prefix)
    elif "wandb" in packages:
        _to_wandb(scores, tracker, at, prefix)
    elif callable(getattr(tracker, "add_scalar", None)) and callable(getattr(tracker, "add_text", None)):
        _to_tensorboard(scores, tracker, at, prefix)
    else:
        raise SpecError(f"{_EXPECTED}, got {_named(tracker)}. Other trackers can log scores.flat().")


def _to_mlflow(scores: Scores, to: Any, step: int | None, prefix: str) -> None:
    """Write to a run of MLflow, or to the active one of the module."""
    run = to.active_run() if isinstance(to, ModuleType) else to
    if run is None:
        raise SpecError(
            "MLflow has no active run here. Start one with mlflow.start_run(), or pass a run as to=."
        )
    run_id = getattr(getattr(run, "info", None), "run_id", None)
    if run_id is None:
        raise SpecError(f"Expected a run of MLflow, got {_named(to)}. Pass client.get_run(run_id).")
    mlflow = sys.modules["mlflow"]
    mlflow.log_metrics(_numbers(scores, prefix), step=step, run_id=run_id)
    at_step = "" if step is None else f"-{step:06d}"
    table = records_as_csv(_records(scores), COLUMNS)
    mlflow.log_text(table, f"distinctly/{prefix}scores{at_step}.csv", run_id=run_id)


def _to_wandb(scores: Scores, to: Any, step: int | None, prefix: str) -> None:
    """Write to a run of Weights & Biases, or to the active one of the module, in one step."""
    run = to.run if isinstance(to, ModuleType) else to
    if run is None:
        raise SpecError("W&B has no active run here. Start one with wandb.init(), or pass a run.")
    if not callable(getattr(run, "log", None)):
        raise SpecError(f"Expected a run of W&B, got {_named(to)}. Pass what wandb.init() returned.")
    columns, rows = cells_of(_records(scores), COLUMNS, raw_cells=True)
    table = sys.modules["wandb"].Table(columns=columns, data=rows)
    run.log({**_numbers(scores, prefix), prefix + TABLE: table}, step=step)


def _to_tensorboard(scores: Scores, writer: Any, step: int | None, prefix: str) -> None:
    """Write to a writer of TensorBoard; columns without an entry are left out of the table."""
    for name, number in _numbers(scores, prefix).items():
        writer.add_scalar(name, number, step)
    columns, rows = cells_of(_records(scores), COLUMNS, raw_cells=True)
    used = [place for place in range(len(columns)) if any(row[place] not in (None, "") for row in rows)]
    table = Table(
        [Column(columns[place], "number" if columns[place] in NUMBERS else "text") for place in used],
        [[Cell("" if row[place] is None else str(row[place])) for place in used] for row in rows],
    )
    writer.add_text(prefix + TABLE, render(Page([table])), step)


def _numbers(scores: Scores, prefix: str) -> dict[str, float]:
    return {prefix + name: number for name, number in scores.flat().items()}


def _records(scores: Scores) -> list[dict[str, Any]]:
    """Return one row per score with the columns of the table."""
    rows = [{**score.to_record(), "name": name} for name, score in zip(flat_names(scores), scores)]
    return [{column: row.get(column) for column in COLUMNS} for row in rows]


def _active() -> Any:
    """Return the module whose run is active, if there is a single one."""
    wandb, mlflow = sys.modules.get("wandb"), sys.modules.get("mlflow")
    # A folder `wandb` of logs can be imported, too.
    active = [wandb] if getattr(wandb, "run", None) is not None else []
    active += [mlflow] if mlflow is not None and mlflow.active_run() is not None else []
    if len(active) == 1:
        return active[0]
    problem = "there is no active run here" if not active else "both MLflow and W&B have an active run"
    raise SpecError(f"{_EXPECTED}: {problem}.")


def _packages(tracker: object) -> set[str]:
    """Return the packages that an object is of, from its class and the classes above; none is imported."""
    if isinstance(tracker, ModuleType):
        return {tracker.__name__}
    return {kind.__module__.partition(".")[0] for kind in type(tracker).__mro__}


def _named(something: object) -> str:
    return (
        f"the module {something.__name__}" if isinstance(something, ModuleType) else type(something).__name__
    )


def _whole(step: SupportsIndex) -> int:
    try:
        return operator.index(step)
    except TypeError:
        raise SpecError(f"Expected step to be a whole number, got {step!r}.") from None
