"""The page of an overview: its sections, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from distinctly.overview.bibliography import bibliography
from distinctly.overview.charts import length_plots
from distinctly.overview.distances import pair_blocks, reference_blocks
from distinctly.overview.names import listed
from distinctly.overview.regions import NO_NAME
from distinctly.overview.repeats import repeat_blocks
from distinctly.overview.verdict import MOST_SENTENCES, sentences_of_distances, sentences_of_scores
from distinctly.report.cells import printable
from distinctly.report.page import (
    Block,
    Code,
    Heading,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Section,
    Signatures,
    TextMap,
)
from distinctly.report.pages.charts import forest_of
from distinctly.report.pages.diversity import differences, diversity_legend, diversity_tables
from distinctly.report.pages.keyness import SIDES, keyness_blocks, keyness_legend
from distinctly.report.pages.scores import owned_notes
from distinctly.run.key_terms import Keyness
from distinctly.score import FORMAT_VERSION, Score, Scores


@dataclass(frozen=True)
class Overview:
    """What is known about some corpora.

    Attributes
    ----------
    scores
        Their diversity.
    distances
        Their distances from a reference; None without one.
    pairs
        The distances between all pairs of them; None with a reference.
    words
        The words that they use more often than the reference, or than the others; None for one corpus.
    curves
        Rarefaction curves.
    map
        The map of the texts; None without vectors.
    remarks
        Why parts of the report are missing.
    command
        The command that wrote the report; empty if it was not written by a command.
    """

    scores: Scores = field(default_factory=lambda: Scores([]))
    distances: Scores | None = None
    pairs: Scores | None = None
    words: Keyness | None = None
    curves: Sequence[Block] = ()
    map: TextMap | None = None
    remarks: Sequence[OwnedNote] = ()
    command: str = ""

    @property
    def every_score(self) -> list[Score]:
        """All scores, in the order of the page."""
        # Of two corpora, one is the reference of the other; the other way is in the document.
        seen: set[frozenset[str | None]] = set()
        pairs = []
        for score in self.pairs or ():
            key = frozenset((score.spec, score.corpus, score.reference))
            pairs += [] if key in seen else [score]
            seen.add(key)
        return [*self.scores, *(self.distances or ()), *pairs]

    def page(self) -> Page:
        """Lay out the overview."""
        summary = self.summary()
        scored = self.every_score
        blocks: list[Block] = [
            *self._headings(),
            Section("Summary", "What differs, by how much, and what may be due to length or chance."),
            *(Paragraph(sentence, "verdict") for sentence in summary),
            *self._values(),
            *self._length(),
            *self._repetitions(),
            *self._distances(),
            *self._words(),
            *self._map(),
            *self._sources(scored),
        ]
        return Page(
            blocks,
            document=lambda: self._document(summary),
            records=Scores(scored, self._descriptions()).to_records,
            columns=list(Score(0.0).to_record()),
            values=[score.value for score in scored],
        )

    def summary(self) -> list[str]:
        """Return at most five sentences; one is on the distances, and one on the map, if there are some."""
        on_distances = list(sentences_of_distances(self.distances)) if self.distances is not None else []
        on_map = self._sentences_of_map()
        room = MOST_SENTENCES - len(on_distances) - len(on_map)
        on_scores = sentences_of_scores(self.scores) if len(self.scores) else []
        sentences = [*on_scores[:room], *on_distances, *on_map]
        return sentences or ["There is no score to report."]

    def _sentences_of_map(self) -> list[str]:
        remarkable = [] if self.map is None else [region for region in self.map.regions if region.remark]
        if self.map is None or not remarkable:
            return []
        where = f"In {len(remarkable)} of {len(self.map.regions)} regions of the map"
        names = [f"“{region.name}”" for region in remarkable if region.name != NO_NAME]
        examples = f" ({listed(names, most=3)})" if names else ""
        return [
            f"{where}{examples} a corpus has fewer than half or more than twice the expected share of texts "
            "(corrected p < 0.05)."
        ]

    def _descriptions(self) -> list[Any]:
        """Return the description of each corpus once."""
        known: dict[str, Any] = {}
        for scores in (self.scores, self.distances, self.pairs):
            for description in scores.corpora if scores is not None else ():
                known.setdefault(str(description["name"]), description)
        return list(known.values())

    def _headings(self) -> list[Heading]:
        return [
            Heading(
                printable(str(corpus["name"])),
                f"{corpus['texts']:,} texts, {corpus['tokens']:,} tokens ({corpus['tokenizer']})",
            )
            for corpus in self._descriptions()
        ]

    def _values(self) -> list[Block]:
        if not len(self.scores):
            return []
        forest = forest_of(self.scores)
        several = len({score.corpus for score in self.scores}) > 1
        marks = " The best corpus is emphasized, and those within noise of it are marked." if several else ""
        intervals = any(score.low is not None for score in self.scores)
        reading = "Intervals that overlap do not mean that two corpora are equal: the table has the tests."
        return [
            Section(
                "Values",
                f"How varied each corpus is.{marks} {reading if several and intervals else ''}".strip(),
            ),
            *([] if forest is None else [forest]),
            Section("Table", "The same values as numbers, with the tests of their differences."),
            *diversity_tables(self.scores),
            *diversity_legend(self.scores),
            *(differences(self.scores) if self.scores.comparisons else []),
        ]

    def _length(self) -> list[Block]:
        plots = [*(length_plots(self.scores) if len(self.scores) else []), *self.curves]
        if not plots:
            return []
        meaning = (
            "Longer texts repeat more words, so variety and length have to be read together. A rarefaction "
            "curve shows how many different tokens a corpus has at every size."
        )
        return [Section("Length", meaning), *plots]

    def _repetitions(self) -> list[Block]:
        listings = repeat_blocks(self.scores)
        meaning = "The phrases and texts that reduce variety most, each with an example."
        return [Section("Repetitions", meaning), *listings] if listings else []

    def _words(self) -> list[Block]:
        if self.words is None:
            return []
        meaning = (
            "The words that are more frequent in one corpus than in another. Words that one text repeats are "
            "marked (°)."
        )
        # What a corpus lacks beside the rest of them is what the others have more of.
        blocks = [
            block
            for terms in self.words.comparisons
            for block in keyness_blocks(terms, self.words.shown, SIDES[:1] if terms.of_rest else SIDES)
        ]
        legend = [Paragraph(line, "legend") for line in keyness_legend(self.words)]
        return [Section("Words", meaning), *blocks, *legend]

    def _distances(self) -> list[Block]:
        if self.distances is not None and len(self.distances):
            meaning = (
                "How far each corpus is from the reference: 0 is the same. A distance means something only "
                "beside its noise floor, the distance that chance alone makes."
            )
            return [Section("Distances", meaning), *reference_blocks(self.distances)]
        if self.pairs is not None and len(self.pairs):
            meaning = "How far the corpora are from each other: 0 is the same."
            return [Section("Distances", meaning), *pair_blocks(self.pairs)]
        return []

    def _map(self) -> list[Block]:
        if self.map is None:
            return []
        meaning = "What the texts are about: choose a region to read its texts."
        return [Section("Map", meaning), self.map]

    def _sources(self, scored: Sequence[Score]) -> list[Block]:
        """Return warnings, signatures, references and the command."""
        parts = [scores for scores in (self.scores, self.distances, self.pairs) if scores is not None]
        notes: dict[str, OwnedNote] = {}
        for owned in (
            *self.remarks,
            *(note for scores in parts if len(scores) for note in owned_notes(scores)),
        ):
            notes.setdefault(owned.text, owned)
        blocks: list[Block] = []
        if notes:
            meaning = "What a reader of these numbers should know."
            blocks += [Section("Warnings", meaning), Notes(list(notes.values()))]
        words = [] if self.words is None else [terms.signature for terms in self.words.comparisons]
        if scored:
            blocks += [
                Section("Signatures", "Cite the signature with the number: it says how to compute it again."),
                Signatures([*dict.fromkeys(score.signature for score in scored), *words]),
            ]
        if entries := bibliography(scored):
            blocks += [
                Section("References", "The papers that define the metrics of this report."),
                Code("BibTeX", entries),
            ]
        if self.command:
            blocks += [Section("Command", "What wrote this report."), Code("Command", self.command)]
        return blocks

    def _document(self, summary: Sequence[str]) -> dict[str, Any]:
        """Return the overview as plain data."""
        document: dict[str, Any] = {
            "format_version": FORMAT_VERSION,
            "summary": list(summary),
            "diversity": self.scores.to_dict(),
        }
        if self.distances is not None:
            document["distances"] = self.distances.to_dict()
        if self.pairs is not None:
            document["pairs"] = self.pairs.to_dict()
        if self.words is not None:
            document["keyness"] = self.words.to_dict()
        if self.map is not None:
            document["map"] = {
                "meaning": self.map.meaning,
                "regions": [
                    {"name": region.name, "shares": dict(region.shares), "remark": region.remark}
                    for region in self.map.regions
                ],
                "points": [
                    {
                        "x": point.x,
                        "y": point.y,
                        "corpus": point.corpus,
                        "text": point.text,
                        "region": point.region,
                    }
                    for point in self.map.points
                ],
            }
        document["notes"] = [owned.text for owned in self.remarks]
        document["bibtex"] = bibliography(self.every_score)
        return document | ({"command": self.command} if self.command else {})
