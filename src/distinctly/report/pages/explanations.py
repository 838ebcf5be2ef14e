"""Listings: the most frequent n-grams, what reduces diversity, and what drives a distance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from distinctly.report.cells import Rounding, printable, rounded
from distinctly.report.page import Item, Listing
from distinctly.score import Scores

# Longest matches are shown together from each of these lengths to the next.
MATCHES = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 1 << 62)


def frequent(scores: Scores) -> list[Listing]:
    """Return the most frequent n-grams of each corpus, if requested."""
    return [
        Listing(
            f"Most frequent {counts['n']}-grams of {printable(corpus['name'])}",
            [Item(f"{gram['count']:,} ×", [printable(gram["text"])]) for gram in counts["ngrams"]],
        )
        for corpus in scores.corpora
        for counts in corpus.get("top", ())
    ]


def explained(scores: Scores) -> list[Listing]:
    """Return what reduces the diversity of each corpus, or drives its distance, if requested."""
    listings: list[Listing] = []
    reference = printable(scores[0].reference or "") if len(scores) else ""
    for corpus in scores.corpora:
        name = printable(corpus["name"])
        listings += _repetitions(corpus.get("explain", {}), name)
        listings += _templates(corpus.get("explain", {}), name)
        listings += _drivers(corpus.get("drivers", {}), reference, name)
    return listings


def _repetitions(explanation: Mapping[str, Any], name: str) -> Iterator[Listing]:
    for counts in explanation.get("ngrams", ()):
        yield Listing(
            f"Most repeated {counts['n']}-grams of {name} (times beyond the first, and an example)",
            [
                Item(
                    f"{gram['beyond_first']:,} ×",
                    [printable(gram["text"])],
                    example=printable(gram["example"]),
                )
                for gram in counts["repeated"]
            ],
            nothing="none is repeated",
        )
    if texts := explanation.get("texts", ()):
        yield Listing(
            f"Texts of {name} most similar to the others (Self-BLEU of each)",
            [
                Item(
                    f"{text['self_bleu']:.3f}" + (f"  ({text['times']}×)" if text["times"] > 1 else ""),
                    [printable(text["text"])],
                )
                for text in texts
            ],
        )


def _templates(explanation: Mapping[str, Any], name: str) -> Iterator[Listing]:
    for listed in explanation.get("templates", ()):
        yield Listing(
            f"Templates of {listed['n']} tags that most texts of {name} have (at least {listed['least']}), "
            "and examples",
            [
                Item(
                    f"{template['texts']:,} texts",
                    [printable(template["tags"])],
                    example=" | ".join(map(printable, template["examples"])),
                )
                for template in listed["templates"]
            ],
            nothing="there are none",
        )


def _drivers(drivers: Mapping[str, Any], reference: str, name: str) -> Iterator[Listing]:
    if "tokens" in drivers:
        items = [_token(token, reference, name) for token in drivers["tokens"]]
        whole = drivers["tokens_of"]
        ngrams = "Tokens" if whole["n"] == 1 else f"{whole['n']}-grams"
        share = f"share of {whole['symbol']} of {whole['metric']}, {rounded(whole['value'])}"
        yield Listing(f"{ngrams} that make {name} differ ({share})", items, nothing="none differs")
    for listed in drivers.get("copied", ()):
        yield _matches(listed, reference, name)
        yield _passages(listed, reference, name)
    yield from (_moving(listed, reference, name) for listed in drivers.get("moving", ()))
    for key, title in (
        ("uncovered", f"Texts of {reference} that no text of {name} is near"),
        ("outside", f"Texts of {name} that no text of {reference} is near"),
    ):
        if key in drivers:
            share = f" ({drivers[key]['share']:.0%} of its texts)"
            yield Listing(title + share, [Item("", [printable(text)]) for text in drivers[key]["texts"]])
    if "nearest" in drivers:
        shared = f"{drivers['shared']:.0%} of {reference} are verbatim in {name}"
        yield Listing(
            f"Nearest pairs that differ ({reference} | {name}), angle / 180°; {shared}",
            [
                Item(f"{pair['distance']:.3f}", [printable(pair["reference"]), printable(pair["candidate"])])
                for pair in drivers["nearest"]
            ],
        )
    if "clusters" in drivers:
        yield Listing(
            f"Clusters whose shares differ most (share of {name}, of {reference}, and texts)",
            [
                Item(
                    f"{cluster['candidate_share']:.1%} {cluster['reference_share']:6.1%}",
                    [printable(text) for text in cluster["texts"]],
                )
                for cluster in drivers["clusters"]
            ],
        )


def _moving(listed: Mapping[str, Any], reference: str, name: str) -> Listing:
    """Return the texts without which a distance changes most."""
    names = {"reference": reference, "candidate": name}
    changes = [text["change"] for text in listed["texts"]]
    rounding = Rounding.of(changes, halves=map(abs, changes))
    tried, different = (sum(listed[key].values()) for key in ("left_out", "different"))
    metric = f"{listed['metric']} ({rounded(listed['value'])})"
    some = f" ({tried:,} of {different:,} texts tried)" if tried < different else ""
    return Listing(
        f"Texts that move {metric} most: its change without the text{some}",
        [
            Item(
                ("+" if text["change"] > 0 else "") + rounding.write(text["change"]),
                [printable(text["text"])],
                f"of {names[text['corpus']]}" + (f" ({text['times']:,}×)" if text["times"] > 1 else ""),
            )
            for text in listed["texts"]
        ],
        nothing="no single text moves it",
    )


def _matches(listed: Mapping[str, Any], reference: str, name: str) -> Listing:
    """Return the shares of tokens by the length of their longest match, long ones together."""
    total = sum(match["tokens"] for match in listed["matches"])
    items = []
    for first, end in pairwise(MATCHES):
        tokens = sum(match["tokens"] for match in listed["matches"] if first <= match["length"] < end)
        last = f"–{end - 1}" if end < MATCHES[-1] else " or more"
        if tokens:
            items.append(Item(f"{tokens / total:.1%}", [f"{first}{last if end > first + 1 else ''}"]))
    title = f"Share of tokens of {name}, by the length of the sequence from there on that {reference} has too"
    return Listing(title + _of(listed), items, nothing="there are no tokens")


def _passages(listed: Mapping[str, Any], reference: str, name: str) -> Listing:
    """Return the longest passages that are in both corpora, and the first text of each that has them."""
    return Listing(
        f"Longest passages of {name} that {reference} has too{_of(listed)} (tokens; first text of each)",
        [
            Item(
                f"{passage['tokens']:,}",
                [printable(passage["text"])],
                f"text {_first_text(passage, 'candidate')} ← {_first_text(passage, 'reference')}",
            )
            for passage in listed["passages"]
        ],
        nothing="no two tokens in sequence are in both",
    )


def _of(listed: Mapping[str, Any]) -> str:
    return f" ({listed['of']})" if listed["of"] else ""


def _first_text(passage: Mapping[str, Any], side: str) -> str:
    times = passage[f"{side}_times"]
    return f"{passage[side]['text']:,}" + (f" ({times:,}×)" if times > 1 else "")


def _token(token: Mapping[str, Any], reference: str, candidate: str) -> Item:
    """Return the share of a token in the distance, and its frequency in both corpora."""
    sides = [("candidate", candidate), ("reference", reference)]
    (more, more_name), (less, less_name) = sides if token["more_in"] == "candidate" else sides[::-1]
    return Item(
        f"{token['share']:.1%}",
        [printable(token["token"])],
        f"more in {more_name}: {token[f'{more}_per_million']:,.0f} per million, "
        f"{token[f'{less}_per_million']:,.0f} in {less_name}",
    )
