"""Published values of the measures, read from a CSV file and shown beside ours."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from distinctly.errors import InputError, MissingFileError, reason, unknown
from distinctly.judging.measures import LETTERS
from distinctly.judging.trial import Finding

REQUIRED = ("metric", "measure", "value")
OPTIONAL = ("a", "b", "n", "k", "repetitions")


@dataclass(frozen=True)
class PublishedValue:
    """One value of a published table.

    Attributes
    ----------
    metric
        A metric with its options (``irpr:preset=paper``), or its name, which stands for all options.
    measure
        As in `distinctly judge similarity --measures`.
    value
        The number.
    corpora
        How the names of A and B begin; an empty name stands for any.
    n, k
        Texts per corpus, and corpora; None stands for any.
    repetitions
        Number of repetitions that the value is the mean of; None where unknown.
    """

    metric: str
    measure: str
    value: float
    corpora: tuple[str, str] = ("", "")
    n: int | None = None
    k: int | None = None
    repetitions: int | None = None

    def is_of(self, finding: Finding) -> bool:
        """Return whether it is a value of the same metric and measure, at the same n and k."""
        return (
            self.metric in (finding.metric, finding.metric.partition(":")[0])
            and self.measure == finding.measure
            and not finding.part
            and self.n in (None, finding.settings.get("n"))
            and self.k in (None, finding.settings.get("k"))
        )


@dataclass(frozen=True)
class Published:
    """The values of a published table, and the name of the file that they come from."""

    source: str
    values: Sequence[PublishedValue]

    def about(self, corpora: Sequence[str]) -> Published:
        """Return the values for two corpora, A and B, given their names.

        Examples
        --------
        >>> table = Published("table.csv", [PublishedValue("dc", "accuracy", 0.863, ("clinc", "bank"))])
        >>> [len(table.about(names).values) for names in (["CLINC150", "banking77"], ["bank", "clinc"])]
        [1, 0]
        """
        names = [name.lower() for name in corpora]
        values = [
            value
            for value in self.values
            if all(name.startswith(start.lower()) for name, start in zip(names, value.corpora))
        ]
        return replace(self, values=values)

    def find(self, finding: Finding) -> PublishedValue | None:
        """Return the published value of a finding; one for the metric with its options comes first."""
        values = [value for value in self.values if value.is_of(finding)]
        return next(
            (value for value in values if value.metric == finding.metric), values[0] if values else None
        )


def read_published(path: str | Path) -> Published:
    """Read published values from a CSV file with one value per row.

    The columns ``metric``, ``measure`` and ``value`` are required. A value that holds only for some corpora
    or sizes has ``a`` and ``b`` (how the names of the corpora begin), ``n`` and ``k``. With ``repetitions``,
    the difference from ours is shown in standard errors. Other columns are ignored.
    """
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = [name for name in REQUIRED if name not in (rows.fieldnames or ())]
            if missing:
                raise InputError(
                    f"expected the columns {', '.join(REQUIRED)} (and any of {', '.join(OPTIONAL)}), "
                    f"got none called {', '.join(missing)}.",
                    source=str(path),
                )
            values = [_read_row(row, str(path), number) for number, row in enumerate(rows, 1)]
    except FileNotFoundError:
        raise MissingFileError(
            "no such file with published values. Give a CSV file with the columns "
            f"{', '.join(REQUIRED)}, or leave --beside (Python: beside=) out.",
            source=str(path),
        ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problem = error.strerror if isinstance(error, OSError) else None
        raise InputError(
            f"the published values cannot be read: {problem or reason(error)}.", source=str(path)
        ) from error
    return Published(Path(path).name, values)


def _read_row(row: dict[str, str | None], source: str, number: int) -> PublishedValue:
    cells = {name: (row.get(name) or "").strip() for name in (*REQUIRED, *OPTIONAL)}
    try:
        if cells["measure"] not in LETTERS:
            raise unknown("measure", cells["measure"], LETTERS)
        n, k, repetitions = (int(cells[name]) if cells[name] else None for name in ("n", "k", "repetitions"))
        if repetitions is not None and repetitions < 1:
            raise ValueError(f"expected at least 1 repetition, got {repetitions}")
        value = float(cells["value"])
    except ValueError as error:
        raise InputError(f"{reason(error).rstrip('.')}.", source=source, row=f"row {number}") from error
    corpora = (cells["a"], cells["b"])
    return PublishedValue(cells["metric"], cells["measure"], value, corpora, n, k, repetitions)
