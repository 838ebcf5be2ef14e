"""Length bias: drawing sets, findings, and reports."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.errors import InputError, SpecError
from distinctly.judging import length_bias, read_trial
from distinctly.judging.figures import figures
from distinctly.judging.length.findings import LengthTrial
from distinctly.judging.length.sets import VOCABULARY, read_lengths
from distinctly.judging.page import page_of
from distinctly.report.page import Page
from distinctly.report.terminal import draw


def corpus(counts: dict[int, int], words: int = 50) -> list[list[str]]:
    """Return a number of random texts of each length."""
    chance = random.Random(7)
    made = [
        [f"w{chance.randrange(words)}" for _ in range(length)]
        for length in counts
        for _ in range(counts[length])
    ]
    chance.shuffle(made)
    return made


class Seen:
    """A metric that keeps its inputs."""

    gets = "tokens"

    def __init__(self) -> None:
        self.sets: list[list[list[str]]] = []

    def __call__(self, tokens: list[list[str]]) -> float:
        self.sets.append(tokens)
        return float(len(tokens[0]))

    def of(self, length: int) -> list[list[list[str]]]:
        return [one for one in self.sets if len(one[0]) == length]


def straight(tokens: list[list[str]]) -> float:
    """2 + 0.1 per token, whatever the tokens."""
    return 2 + 0.1 * len(tokens[0])


def found(trial: LengthTrial, metric: str, **settings: str) -> dict[str, Any]:
    return {
        one.measure: one
        for one in trial.findings
        if one.metric == metric and all(one.settings[key] == value for key, value in settings.items())
    }


class TestNaturalSets:
    """Sets drawn from a corpus."""

    def test_texts_of_one_length_none_twice(self) -> None:
        seen = Seen()
        length_bias(corpus({3: 40, 5: 25, 8: 22}, words=10**6), seen, texts=20, sets=4)
        for length in (3, 5, 8):
            assert len(seen.of(length)) == 4
            for one in seen.of(length):
                assert [len(text) for text in one] == [length] * 20
                assert len(set(map(tuple, one))) == 20

    def test_sets_share_no_text_while_there_are_enough(self) -> None:
        seen = Seen()
        trial = length_bias(corpus({3: 60, 5: 45, 8: 20}, words=10**6), seen, texts=20, sets=3)
        uses = {
            length: Counter(tuple(text) for one in seen.of(length) for text in one) for length in (3, 5, 8)
        }
        assert set(uses[3].values()) == {1}  # 60 texts are 3 sets of 20
        assert len(uses[5]) >= 40  # 45 texts are 2 sets, and a third one of the same
        assert set(uses[8].values()) == {3}  # 20 texts are the same set thrice
        assert any("2 of 3 lengths of texts" in note for note in trial.notes)

    def test_the_order_of_texts_changes_nothing(self) -> None:
        texts = corpus({3: 30, 5: 30, 8: 30})
        one, other = (length_bias(given, "distinct:n=1", texts=10) for given in (texts, texts[::-1]))
        assert one.records == other.records

    def test_the_seed_changes_the_draws(self) -> None:
        texts = corpus({3: 30, 5: 30, 8: 30})
        one, other = (length_bias(texts, "distinct:n=1", texts=10, seed=seed) for seed in (0, 1))
        assert one.records != other.records

    def test_lengths_with_too_few_are_left_out_and_told(self) -> None:
        trial = length_bias(corpus({3: 20, 5: 20, 8: 20, 9: 15, 12: 5}), "ead", texts=20)
        assert trial.settings["measured"][0]["lengths"] == [3, 5, 8]
        # 15 + 5 of 80 texts.
        assert any(
            "2 of 5 lengths are left out" in note and "25% of the texts" in note for note in trial.notes
        )

    def test_empty_texts_are_of_no_length(self) -> None:
        trial = length_bias(["", *[" ".join(text) for text in corpus({3: 9, 5: 9, 8: 9})]], "ead", texts=9)
        assert trial.settings["measured"][0]["lengths"] == [3, 5, 8]

    def test_only_the_lengths_that_are_asked_for(self) -> None:
        texts = corpus(dict.fromkeys(range(2, 12), 10))
        trial = length_bias(texts, "ead", texts=10, lengths="3:9:2")
        assert trial.settings["measured"][0]["lengths"] == [3, 5, 7, 9]


class TestSizeOfSets:
    """The default size of sets."""

    @pytest.mark.parametrize(
        ("counts", "texts", "lengths"),
        [
            # Five lengths have 2,000.
            ({**dict.fromkeys(range(1, 6), 2000), 6: 1999}, 2000, 5),
            # Four have: 1,000 would be enough for five, and these have 9,000 of 9,600 texts.
            ({**dict.fromkeys(range(1, 5), 2000), 5: 1000, 6: 600}, 1000, 5),
            # Five have 500, but only half of the texts; 100 is enough for all lengths.
            ({**dict.fromkeys(range(1, 6), 500), **dict.fromkeys(range(6, 26), 125)}, 100, 25),
            # No size covers 80 %: the largest size that five lengths have, with 1,000 of 1,900 texts.
            ({**dict.fromkeys(range(1, 6), 200), **dict.fromkeys(range(6, 106), 9)}, 200, 5),
        ],
    )
    def test_as_many_as_the_lengths_allow(self, counts: dict[int, int], texts: int, lengths: int) -> None:
        trial = length_bias(corpus(counts), straight, sets=1)
        measured = trial.settings["measured"][0]
        assert (measured["texts"], len(measured["lengths"])) == (texts, lengths)
        assert any("since fewer than 5 lengths have 2,000" in note for note in trial.notes) == (texts < 2000)

    def test_what_is_asked_for_is_what_is_taken(self) -> None:
        trial = length_bias(corpus({3: 30, 5: 30, 8: 30}), straight, texts=7, sets=1)
        assert trial.settings["measured"][0]["texts"] == 7


class TestBins:
    """Texts of different lengths, such as essays, are cut to the length of their bin."""

    @staticmethod
    def essays(count: int, first: int = 100) -> list[list[str]]:
        """Return texts of which no two are equally long; all tokens differ."""
        return [[f"t{length}-{place}" for place in range(length)] for length in range(first, first + count)]

    def test_no_two_texts_are_equally_long(self) -> None:
        seen = Seen()
        trial = length_bias(self.essays(200), seen, sets=2)
        measured = trial.settings["measured"][0]
        # The shortest 5 % are left out: 190 texts in 10 bins, of 110 to 128 tokens, 129 to 147, and so on.
        assert measured["lengths"] == list(range(110, 300, 19))
        assert measured["bins"] == [[start, start + 18] for start in range(110, 300, 19)]
        assert (measured["texts"], measured["there_are"]) == (10, [19] * 10)
        for start in range(110, 300, 19):
            assert len(seen.of(start)) == 2
            for texts in seen.of(start):
                assert [len(text) for text in texts] == [start] * 10
                lengths = {int(text[0].partition("-")[0][1:]) for text in texts}
                assert len(lengths) == 10
                assert lengths <= set(range(start, start + 19))
                # The first tokens of each text, in their order.
                assert all(token.endswith(f"-{place}") for text in texts for place, token in enumerate(text))
        # 190 texts of 204.5 tokens on average are cut to 195.5 on average: 9 / 204.5 = 4 %.
        assert any(
            "10 bins by length" in note
            and "cuts off 4% of their tokens" in note
            and "5% of the texts" in note
            for note in trial.notes
        )

    def test_bins_that_are_asked_for(self) -> None:
        texts = corpus(dict.fromkeys(range(3, 33), 12))
        assert length_bias(texts, straight, texts=12, sets=1).settings["measured"][0]["bins"] is None
        trial = length_bias(texts, straight, bins=5, sets=1)
        # The shortest 5 % are 18 of 360 texts: 348 texts of 4 tokens or more are left, 69.6 per bin.
        assert trial.settings["measured"][0]["lengths"] == [4, 10, 16, 22, 28]

    def test_bins_of_the_lengths_that_are_asked_for(self) -> None:
        trial = length_bias(self.essays(200), straight, lengths="120:240:40", sets=1)
        measured = trial.settings["measured"][0]
        assert measured["lengths"] == [120, 160, 200, 240]
        assert measured["bins"] == [[120, 159], [160, 199], [200, 239], [240, 299]]

    def test_other_views_read_the_cut_text(self) -> None:
        texts = [f"A{'b' * length}, " + "cd " * length for length in range(30, 90)]
        read: list[str] = []

        def characters(texts: list[str]) -> float:
            read.extend(texts)
            return 1.0

        length_bias(texts, [characters, "distinct:n=1,of=char"], bins=3, sets=1)
        by_first = {text.partition(",")[0]: text for text in read}
        assert len(by_first) >= 30
        for text in by_first.values():
            # The first word, the comma, and the other words of the bin: as the text was written.
            assert text == f"{text.partition(',')[0]}, " + " ".join(["cd"] * (len(text.split()) - 1))
        # 57 texts of 35 to 91 tokens in three bins.
        assert {len(text.split()) + 1 for text in by_first.values()} == {35, 54, 73}

    def test_vectors_of_whole_texts_are_refused(self, tmp_path: Path) -> None:
        texts = [" ".join(text) for text in self.essays(60)]
        np.save(tmp_path / "v.npy", np.eye(60))
        with pytest.raises(SpecError, match="uses vectors of whole texts"):
            length_bias(texts, "dispersion", embedder=f"vectors:{tmp_path / 'v.npy'}")

    def test_bins_need_a_corpus_and_exclude_lengths(self) -> None:
        with pytest.raises(SpecError, match="Remove --bins or --lengths"):
            length_bias(self.essays(60), bins=4, lengths="100:140:10")
        with pytest.raises(SpecError, match="Expected a corpus for bins"):
            length_bias(designated=True, bins=4)
        with pytest.raises(SpecError, match="Expected at least 3 bins for a line, got 2"):
            length_bias(self.essays(60), bins=2)


class TestDesignated:
    """The distribution P(X=k) = ∫₀^v λ^k e^−λ / (v·k!) dλ."""

    def test_mean_and_share_above_the_vocabulary(self) -> None:
        seen = Seen()
        length_bias(None, seen, designated=True, lengths=[10, 20, 30], texts=200, sets=5)
        numbers = np.array([int(token) for one in seen.sets for text in one for token in text])
        assert len(numbers) == 5 * 200 * 60
        # λ is uniform: mean v/2, standard deviation v/√12; 5 standard errors.
        assert abs(numbers.mean() - VOCABULARY / 2) < 5 * VOCABULARY / math.sqrt(12 * len(numbers))
        # P(X ≥ v) = (1/v)·∫₀^v P(Poisson(λ) ≥ v) dλ ≈ √(v/2π)/v = 0.00228, by the normal approximation.
        expected = len(numbers) * math.sqrt(VOCABULARY / (2 * math.pi)) / VOCABULARY
        assert abs((numbers >= VOCABULARY).sum() - expected) < 5 * math.sqrt(expected)

    def test_figure_1(self) -> None:
        """Distinct falls, EAD is level, and so is Distinct at an equal number of tokens."""
        trial = length_bias(designated=True, texts=500, sets=3)
        # 500 texts of the shortest length, 10 tokens.
        rarefied = "rarefied:n=1,sample=5000"
        for metric, verdict in (("distinct:n=1", "Falls"), ("ead", "Level"), (rarefied, "Level")):
            assert found(trial, metric)["relative_slope"].notes[0].startswith(verdict)
        # N of C nearly uniform draws from V, over C, as in eq. 5 of the paper; EAD is nearly 1.
        parts = found(trial, "distinct:n=1")["relative_slope"].parts
        for length, value in ((10, parts["at_shortest"]), (100, parts["at_longest"])):
            draws = 500 * length
            assert value == pytest.approx(-VOCABULARY * math.expm1(-draws / VOCABULARY) / draws, rel=0.01)
        assert found(trial, "ead")["relative_slope"].parts["mean_score"] == pytest.approx(1, abs=0.01)

    def test_beside_a_corpus(self) -> None:
        trial = length_bias(
            corpus({3: 30, 5: 30, 8: 30}), straight, designated=True, lengths=[3, 5, 8], texts=10, sets=2
        )
        named = str(trial.records[0]["metric"])
        assert Counter((one["corpus"], one["metric"]) for one in trial.records) == {
            ("texts", named): 6,
            ("designated", named): 6,
        }
        assert trial.to_dict()[named]["slope"].keys() == {"corpus=texts", "corpus=designated"}

    def test_what_sees_vectors_is_left_out(self) -> None:
        texts = [" ".join(text) for text in corpus({3: 5, 5: 5, 8: 5})]
        trial = length_bias(texts, ["ead", "dispersion"], designated=True, lengths=[3, 5, 8], texts=5, sets=1)
        assert {one["corpus"] for one in trial.records if one["metric"] == "dispersion"} == {"texts"}
        assert any("dispersion needs vectors" in note for note in trial.notes)


class TestFindings:
    """Findings from the scores."""

    def test_a_straight_line(self) -> None:
        trial = length_bias(corpus({2: 9, 4: 9, 9: 9}), straight, texts=9, sets=2)
        own = found(trial, str(trial.records[0]["metric"]))
        # 2.2, 2.4 and 2.9: a mean of 2.5, a slope of 0.1.
        assert own["slope"].mean == pytest.approx(0.1)
        assert own["intercept"].mean == pytest.approx(2.0)
        assert own["relative_slope"].mean == pytest.approx(0.04)
        assert own["change"].mean == pytest.approx(0.28)  # over 7 tokens
        assert own["change"].low == pytest.approx(0.28)
        assert own["relative_slope"].notes[0].startswith("Rises with length: 2.2 at 2 tokens, 2.9 at 9;")

    def test_more_sets_of_the_same_texts_are_not_more_evidence(self) -> None:
        texts = corpus({3: 10, 5: 10, 8: 10, 9: 10})
        few, many = (found(length_bias(texts, "ead", texts=10, sets=sets), "ead") for sets in (2, 50))
        assert many["slope"].low == pytest.approx(few["slope"].low)

    def test_rarefied_is_measured_at_one_sample(self) -> None:
        texts = corpus({3: 12, 5: 12, 8: 12})
        trial = length_bias(texts, texts=12, sets=1)
        # By default the number of tokens of the 12 shortest texts, of 3 tokens.
        assert {one["metric"] for one in trial.records} == {"distinct:n=1", "ead", "rarefied:n=1,sample=36"}
        given = length_bias(texts, ["rarefied:n=2,sample=24", "rarefied:n=1,sample=20"], texts=12, sets=1)
        assert {one["metric"] for one in given.records} == {
            "rarefied:n=2,sample=24",
            "rarefied:n=1,sample=20",
        }
        for one in (*trial.records, *given.records):
            own = [text for text in texts if len(text) == one["length"]]
            assert one["value"] == pytest.approx(dy.measure(own, str(one["metric"]))[0].value, rel=1e-9)

    def test_rarefied_is_measured_at_the_smallest_sample_of_all_corpora(self) -> None:
        short, long = corpus({3: 12, 5: 12, 8: 12}), corpus({4: 12, 6: 12, 7: 12})
        trial = length_bias({"short": short, "long": long}, texts=10, sets=1)
        # 10 texts of 3 tokens, in both.
        samples = {
            (one["corpus"], one["metric"]) for one in trial.records if "rarefied" in str(one["metric"])
        }
        assert samples == {(name, "rarefied:n=1,sample=30") for name in ("short", "long")}

    def test_texts_without_an_ngram_have_no_score(self) -> None:
        # 9 pairs in 9 texts of 2 tokens.
        metrics = ["distinct:n=2", "rarefied:n=2,sample=9"]
        trial = length_bias(corpus({1: 9, 2: 9, 3: 9, 4: 9}), metrics, texts=9)
        for metric in metrics:
            relative = found(trial, metric)["relative_slope"]
            assert relative.parts["lengths"] == 3
            assert relative.notes[1].startswith(
                "No score at 1 of 4 lengths (the shortest: 1 tokens): Undefined"
            )

    def test_a_function_that_raises_does_not_stop_the_others(self) -> None:
        def fails(texts: list[str]) -> float:
            raise RuntimeError("no idea")

        trial = length_bias(corpus({3: 9, 5: 9, 8: 9}), [fails, "ead"], texts=9)
        failed, other = found(trial, str(trial.records[0]["metric"])), found(trial, "ead")
        assert math.isnan(failed["slope"].mean)
        assert (
            failed["relative_slope"].notes[0].startswith("Undefined: a line needs scores of 3 lengths, got 0")
        )
        assert "no idea" in failed["relative_slope"].notes[1]
        assert not math.isnan(other["slope"].mean)

    @pytest.mark.parametrize(
        ("constant", "verdict"), [(3.5, "Level"), (0.0, "Undefined: the mean score is 0")]
    )
    def test_a_constant(self, constant: float, verdict: str) -> None:
        trial = length_bias(corpus({3: 9, 5: 9, 8: 9}), lambda texts: constant, texts=9)
        own = found(trial, str(trial.records[0]["metric"]))
        assert own["slope"].mean == 0
        assert own["relative_slope"].notes[0].startswith(verdict)
        assert math.isnan(own["relative_slope"].mean) == (constant == 0)

    def test_a_mean_that_may_be_zero_has_no_interval(self) -> None:
        around = {3: 9.0, 4: -9.0, 5: 9.0, 6: -8.0}
        trial = length_bias(corpus(dict.fromkeys(around, 5)), lambda tokens: around[len(tokens[0])], texts=5)
        own = found(trial, str(trial.records[0]["metric"]))["relative_slope"]
        assert own.low is None
        assert "Undecided" in own.notes[0]
        assert "the mean may be 0" in own.notes[0]

    def test_too_much_noise_is_undecided(self) -> None:
        noise = {3: 1.0, 4: 2.0, 5: 1.2, 6: 1.9, 7: 1.1}
        texts = corpus(dict.fromkeys(noise, 5))
        trial = length_bias(texts, lambda tokens: noise[len(tokens[0])], texts=5, sets=1)
        told = found(trial, str(trial.records[0]["metric"]))["relative_slope"].notes[0]
        assert told.startswith("Undecided: ")
        assert "It bends" in told

    def test_several_values_are_judged_one_by_one(self) -> None:
        def both(tokens: list[list[str]]) -> dict[str, float]:
            return {"up": len(tokens[0]), "down": -len(tokens[0])}

        trial = length_bias(corpus({3: 9, 5: 9, 8: 9}), both, texts=9, sets=1)
        assert {one.part: one.mean for one in trial.findings if one.measure == "slope"} == pytest.approx(
            {"up": 1, "down": -1}
        )


class TestFiles:
    """Saved results can be read and resumed."""

    @pytest.mark.parametrize("ending", ["json", "csv"])
    def test_read_again(self, tmp_path: Path, ending: str) -> None:
        file = tmp_path / f"length.{ending}"
        trial = length_bias(corpus({1: 9, 5: 9, 8: 9, 9: 9}), ["distinct:n=2", "ead"], texts=9, save=file)
        again = read_trial(file)
        assert isinstance(again, LengthTrial)
        assert again.document()["findings"] == trial.document()["findings"]
        assert page_of(again).blocks == page_of(trial).blocks

    def test_another_metric_is_added(self, tmp_path: Path) -> None:
        seen, file, texts = Seen(), tmp_path / "length.json", corpus({3: 9, 5: 9, 8: 9})
        length_bias(texts, seen, texts=9, sets=2, save=file)
        length_bias(texts, [seen, "ead"], texts=9, sets=2, save=file)
        assert len(seen.sets) == 6
        assert len(json.loads(file.read_text(encoding="utf-8"))["records"]) == 12

    def test_other_settings_are_refused(self, tmp_path: Path) -> None:
        file, texts = tmp_path / "length.json", corpus({3: 9, 5: 9, 8: 9})
        length_bias(texts, "ead", texts=9, save=file)
        with pytest.raises(InputError, match="other measured"):
            length_bias(texts, "ead", texts=8, save=file)


class TestErrors:
    """Errors, with remedies."""

    @pytest.mark.parametrize("texts", [[], ["", ""]])
    def test_nothing_to_measure(self, texts: list[str]) -> None:
        with pytest.raises(InputError, match="expected texts with tokens, got none"):
            length_bias(texts)

    def test_no_length_has_enough(self) -> None:
        with pytest.raises(InputError) as raised:
            length_bias(corpus({3: 30, 5: 20, 8: 9, 9: 4}), texts=20)
        assert str(raised.value) == (
            "texts: expected 20 texts of each of at least 3 lengths, or bins of lengths, got 63 texts (30 of "
            "3 tokens, 20 of 5 tokens, 9 of 8 tokens). Give more texts, or smaller sets (--texts 13)."
        )

    @pytest.mark.parametrize(
        "counts",
        [{3: 30, 5: 20, 8: 9, 9: 4}, {7: 21, 8: 9, 6: 8, 9: 2}, {7: 300, 8: 9, 6: 8}, {1: 1, 2: 1, 3: 1}],
    )
    @pytest.mark.parametrize("options", [{}, {"bins": 4}, {"lengths": "5:9"}, {"lengths": "1:9:2"}])
    def test_the_remedy_works(self, counts: dict[int, int], options: dict[str, Any]) -> None:
        texts = corpus(counts)
        with pytest.raises(InputError) as raised:
            length_bias(texts, "distinct:n=1", texts=100, **options)
        size = re.search(r"--texts (\d+)", str(raised.value))
        if size is None:
            assert "other lengths" in str(raised.value)
            with pytest.raises(InputError):
                length_bias(texts, "distinct:n=1", texts=1, **options)
        else:
            length_bias(texts, "distinct:n=1", texts=int(size[1]), sets=2, **options)

    def test_nothing_is_given(self) -> None:
        with pytest.raises(InputError, match="Expected a corpus, or the designated distribution"):
            length_bias()

    def test_vectors(self) -> None:
        with pytest.raises(InputError, match="which have no length"):
            length_bias(np.zeros((4, 3)), "dispersion")
        with pytest.raises(SpecError, match="which generated tokens do not have"):
            length_bias(None, "dispersion", designated=True)

    def test_a_distance(self) -> None:
        with pytest.raises(SpecError, match="is a distance between two corpora"):
            length_bias(corpus({3: 9}), "frechet")

    @pytest.mark.parametrize("lengths", ["5", "9:3", "0:5", "1:9:0", "a:b", [0, 3], []])
    def test_no_lengths(self, lengths: Any) -> None:
        with pytest.raises(SpecError, match="Expected lengths"):
            read_lengths(lengths)

    def test_two_lengths_are_no_line(self) -> None:
        with pytest.raises(SpecError, match="Expected at least 3 lengths for a line, got 2"):
            length_bias(designated=True, lengths="3:4")

    @pytest.mark.parametrize("option", ["texts", "sets"])
    def test_no_texts(self, option: str) -> None:
        with pytest.raises(SpecError, match=f"Expected `{option}` to be at least 1"):
            length_bias(corpus({3: 9}), **{option: 0})

    def test_a_corpus_of_the_same_name(self) -> None:
        with pytest.raises(SpecError, match="with another name"):
            length_bias({"designated": corpus({3: 9, 4: 9, 5: 9})}, designated=True, texts=9)


class TestReports:
    """Pages and figures."""

    @pytest.fixture(scope="class")
    @staticmethod
    def trial() -> LengthTrial:
        counts = dict.fromkeys((3, 4, 5, 6, 8), 12)
        texts = {name: corpus(counts, words) for name, words in (("wide", 9000), ("narrow", 20))}
        return length_bias(texts, ["distinct:n=1", "ead"], texts=12, sets=3)

    def test_tables_fit(self, trial: LengthTrial) -> None:
        tables = Page(page_of(trial).tables)
        assert max(map(len, draw(tables, 100).splitlines())) <= 100

    def test_a_table_a_corpus_and_one_of_all(self, trial: LengthTrial) -> None:
        page = page_of(trial)
        assert [table.title for table in page.tables] == [
            "wide: 3 to 8 tokens (5 lengths), 12 texts per set, 3 sets per length",
            "narrow: 3 to 8 tokens (5 lengths), 12 texts per set, 3 sets per length",
            "% per token, side by side",
        ]
        assert [row[0].text for row in page.tables[2].rows] == ["wide", "narrow"]
        assert page.sentences("verdict")[2].startswith("distinct:n=1 on narrow. Falls with length: ")

    def test_figures_say_what_they_show(self, trial: LengthTrial) -> None:
        drawn = figures(trial)
        assert list(drawn) == ["length", "length-relative"]
        for figure in drawn.values():
            assert [axis.get_title() for axis in figure.axes] == [
                f"{name}\nn = 12 texts × 3 sets" for name in ("wide", "narrow")
            ]
            assert figure.axes[0].get_xlabel() == "length (tokens per text)"
            assert [text.get_text() for text in figure.legends[0].get_texts()] == ["distinct:n=1", "ead"]
        assert drawn["length-relative"].axes[0].get_ylabel() == "score, % of its mean"

    def test_nothing_to_draw(self) -> None:
        trial = length_bias(corpus({1: 9, 2: 9, 3: 9}), "distinct:n=9", texts=9)
        assert figures(trial) == {}


def test_the_document_shows_what_is_measured(shared: Path, root: Path) -> None:
    """Two rows of the table of docs/reproductions/figures-1-2-length.md, measured again."""
    text = (root / "docs" / "reproductions" / "figures-1-2-length.md").read_text(encoding="utf-8")
    for file in ("clinc150.jsonl.gz", "banking77.jsonl"):
        # One by one: `rarefied` is measured at a sample of the shortest texts of each corpus.
        trial = length_bias(shared / file, texts=500)
        rows = [[cell.text for cell in row] for row in page_of(trial).tables[0].rows]
        assert [row[0].partition(",")[0] for row in rows] == ["distinct:n=1", "ead", "rarefied:n=1"]
        written = re.search(rf"^\| {re.escape(file)} \|(.*)\|$", text, re.MULTILINE)
        assert written is not None
        # The columns "% per token", with an interval, and "verdict".
        slopes = [f"{row[4].partition(' ')[0]} % {row[6]}" for row in rows]
        assert [cell.strip() for cell in written[1].split("|")][-3:] == slopes
