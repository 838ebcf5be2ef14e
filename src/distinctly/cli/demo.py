"""`distinctly demo`: measure a small example, and explain each number."""

from __future__ import annotations

import click

from distinctly.api import measure
from distinctly.cli import say
from distinctly.cli.options import show
from distinctly.corpus import DEMO
from distinctly.report import render
from distinctly.score import Score

METRICS = ("distinct:n=1", "distinct:n=2", "ead", "entropy:n=1")
# What a token is in each language of the example.
TOKEN_IN = {"english": "word", "chinese": "character"}


EPILOG = """\b
Example:
  distinctly demo
"""


@click.command("demo", epilog=EPILOG)
def command() -> None:
    """Measure a varied and a repetitive set of English and Chinese sentences, offline."""
    say("Two sets of 20 sentences in each language: one varied, one repetitive.\n")
    for language, token in TOKEN_IN.items():
        corpora = {f"{language}-{kind}": f"{DEMO}{language}-{kind}" for kind in ("varied", "repetitive")}
        scores = measure(corpora, METRICS)
        show(render(scores, "table"), "table")
        say("")
        for spec in METRICS:
            varied, repetitive = scores[spec]
            say(f"  {spec:13} {_explain(varied, repetitive, token)}")
        metrics = " ".join(f"-m {spec}" for spec in METRICS)
        say(f"\n  Command:  distinctly measure {' '.join(corpora.values())} {metrics}\n")
    say("Your files: distinctly measure outputs.txt        (one text per line; or .jsonl, .csv, .tsv, -)")
    say("            distinctly compare a.txt b.txt        distinctly list")


def _explain(varied: Score, repetitive: Score, token: str) -> str:
    """Explain the two numbers in one line."""
    if varied.metric == "distinct":
        what = f"{token}s" if varied.options["n"] == 1 else f"{token} pairs"
        return (
            f"{varied.parts['N']} of {varied.parts['C']} {what} differ in the varied set ({varied:.0%}), "
            f"{repetitive.parts['N']} of {repetitive.parts['C']} in the repetitive one ({repetitive:.0%})."
        )
    if varied.metric == "ead":
        return (
            f"the number of different {token}s divided by the number expected at that length, so that long "
            f"texts are not penalized (on a small set, nearly Distinct-1): {varied:.2f}, {repetitive:.2f}."
        )
    return (
        f"guessing a {token} of the set takes {varied:.1f} yes-no questions in the varied set, "
        f"{repetitive:.1f} in the repetitive one."
    )
