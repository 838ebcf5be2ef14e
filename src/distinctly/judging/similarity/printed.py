"""Table 3 of Kour et al. (2022), as printed, to be shown beside the same trial run here."""

from __future__ import annotations

from collections.abc import Sequence

# By metric, then in the order of COLUMNS: k = 7 and 12 of each, then S and I, which have no k.
COLUMNS = (
    *((measure, k) for measure in ("accuracy", "weighted_accuracy", "time") for k in (7, 12)),
    *((measure, k) for measure in ("monotonicity", "separability", "linearity") for k in (7, 12)),
    ("size_robustness", None),
    ("imbalance_robustness", None),
)
_TOP = """
chi        .945 .852 .913 .774 4.68 3.29  .875 .866 .684 .702 .810 .767 .989 .994
classifier .789 .701 .731 .618 1.26 1.10  .704 .735 .544 .562 .767 .767 .972 .918
dc         .958 .863 .936 .805 .031 .031  .913 .892 .908 .879 .946 .919 .832 .808
frechet    .949 .810 .923 .753 .067 .066  .764 .695 .563 .537 .810 .759 .821 .877
irpr       .832 .710 .784 .638 4.39 2.35  .571 .543 .258 .275 .645 .598 .949 .856
mauve      .976 .888 .963 .828 .079 .071  .938 .906 .883 .885 .947 .926 .977 .943
pr         .820 .688 .767 .608 .031 .031  .649 .592 .577 .566 .716 .667 .909 .934
zipf       .886 .726 .851 .657 4.65 2.668 .751 .633 .514 .413 .785 .667 .852 .913
"""
_BOTTOM = """
chi        .953 .935 .936 .891 5.58 3.33  .960 .962 .835 .900 .830 .858 1.00 1.00
classifier .931 .827 .902 .751 1.29 1.21  .843 .836 .671 .702 .847 .847 .993 .989
dc         .773 .601 .702 .552 .031 .031  .707 .615 .763 .717 .825 .759 .988 .986
frechet    .967 .904 .947 .848 .071 .067  .793 .754 .634 .636 .845 .816 .922 .898
irpr       .697 .587 .642 .570 3.91 2.69  .382 .264 -.02 -.001 .433 .341 .951 .834
mauve      .999 .977 .998 .961 .084 .067  .936 .943 .856 .904 .932 .950 .999 .994
pr         .722 .467 .666 .446 .031 .030  .459 .240 .488 .394 .658 .523 .890 .899
zipf       .854 .783 .817 .736 4.77 3.02  .660 .635 .309 .352 .687 .661 .735 .904
"""
# How often the paper drew mixtures, and corpora of a size.
REPETITIONS, SIZE_REPETITIONS = 5, 10
Cell = tuple[str, str, int | None]


def printed(corpora: Sequence[str]) -> dict[Cell, float]:
    """Return the printed values by metric, measure and k, where the corpora are the paper's, by their names.

    Examples
    --------
    >>> printed(["clinc150", "banking77"])["dc", "accuracy", 12]
    0.863
    >>> printed(["mine", "yours"])
    {}
    """
    named = [name.lower() for name in corpora]
    for table, (a, b) in ((_TOP, ("clinc150", "banking77")), (_BOTTOM, ("atis", "yahoo"))):
        if len(named) == 2 and named[0].startswith(a) and named[1].startswith(b):
            rows = (line.split() for line in table.strip().splitlines())
            return {
                (metric, measure, k): float(cell)
                for metric, *cells in rows
                for (measure, k), cell in zip(COLUMNS, cells)
            }
    return {}
