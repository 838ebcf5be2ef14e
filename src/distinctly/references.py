"""References of metrics, as entries in BibTeX."""

from __future__ import annotations


def bibtex(kind: str, key: str, /, **fields: str | int) -> str:
    """Return an entry in BibTeX.

    Examples
    --------
    >>> print(bibtex("book", "herdan1960type", author="Herdan, G.", year=1960))
    @book{herdan1960type,
      author = {Herdan, G.},
      year = {1960}
    }
    """
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}"


# Papers that several metrics are defined in.
KOUR_2022 = bibtex(
    "inproceedings",
    "kour2022measuring",
    author="Kour, G. and Ackerman, S. and Farchi, E. D. and Raz, O. and Carmeli, B. and Anaby-Tavor, A.",
    title="Measuring the measuring tools: An automatic evaluation of semantic metrics for text corpora",
    booktitle="GEM",
    year=2022,
)

GOTELLI_2001 = bibtex(
    "article",
    "gotelli2001quantifying",
    author="Gotelli, N. J. and Colwell, R. K.",
    title=(
        "Quantifying biodiversity: procedures and pitfalls in the measurement and comparison "
        "of species richness"
    ),
    journal="Ecology Letters",
    year=2001,
    volume=4,
    pages="379--391",
)

MCCARTHY_2010 = bibtex(
    "article",
    "mccarthy2010mtld",
    author="McCarthy, P. M. and Jarvis, S.",
    title=(
        "{MTLD}, vocd-{D}, and {HD-D}: A validation study of sophisticated approaches to "
        "lexical diversity assessment"
    ),
    journal="Behavior Research Methods",
    year=2010,
    volume=42,
    pages="381--392",
)

# The root of the Jensen–Shannon divergence is a metric.
ENDRES_2003 = bibtex(
    "article",
    "endres2003new",
    author="Endres, D. M. and Schindelin, J. E.",
    title="A new metric for probability distributions",
    journal="IEEE Transactions on Information Theory",
    year=2003,
    volume=49,
    pages="1858--1860",
)
