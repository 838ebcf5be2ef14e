"""`distinctly demo`: measure a small example, and explain each number."""

from __future__ import annotations

import click

from distinctly.api import DEFAULT_METRICS, measure
from distinctly.cli import say
from distinctly.cli.options import show
from distinctly.corpus import DEMO
from distinctly.report import render
from distinctly.score import Score

# What is measured in each language: of Chinese, nothing on vectors, since the default embedder is English.
METRICS = {
    "english": (DEFAULT_METRICS,),
    "chinese": ("distinct:n=1", "distinct:n=2", "compression", "self_bleu", "duplicates"),
}
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
        scores = measure(corpora, METRICS[language])
        show(render(scores, "table"), "table")
        say("")
        for spec in dict.fromkeys(score.plain_spec or score.spec for score in scores):
            varied, repetitive = scores[spec]
            say(f"  {spec:13} {_explain(varied, repetitive, token)}")
        metrics = "" if DEFAULT_METRICS in METRICS[language] else " -m " + " -m ".join(METRICS[language])
        say(f"\n  Command:  distinctly measure {' '.join(corpora.values())}{metrics}\n")
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
    return _EXPLANATIONS[varied.metric].format(varied=varied, repetitive=repetitive)


_EXPLANATIONS = {
    "compression": "compressed, the texts of the varied set are {varied:.1f} times smaller, those of the "
    "repetitive one {repetitive:.1f} times.",
    "self_bleu": "how much a text is made of what the other texts say, from 0 to 1: {varied:.2f} in the "
    "varied set, {repetitive:.2f} in the repetitive one.",
    "duplicates": "{varied:.0%} of the texts repeat an earlier one word for word in the varied set, "
    "{repetitive:.0%} in the repetitive one.",
    "vendi": "20 texts have as many different contents as {varied:.1f} unrelated ones in the varied set, as "
    "{repetitive:.1f} in the repetitive one.",
    "dispersion": "two texts are {varied:.2f} apart in content on average in the varied set (0: the same, "
    "1: unrelated), {repetitive:.2f} in the repetitive one.",
}
