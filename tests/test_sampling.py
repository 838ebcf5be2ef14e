"""Metrics that need rows are measured on a stated, seeded sample if the texts do not fit in memory."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import same
from tests.oracles import sampling as oracle

import distinctly as dy
from distinctly import config
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine import local, spill
from distinctly.errors import ResourceError
from distinctly.run import sampling
from distinctly.statistics import tables
from distinctly.statistics.sampling import Sample, SampledKeys, SampledTexts
from distinctly.views.texts import Texts

pytestmark = pytest.mark.slow  # large inputs

# Few different texts, so that most are repeated; some empty.
COPIES = st.lists(st.sampled_from(["", "a", "b b", "ß", "\ud800", "c", "d"]), max_size=60)
EXACT = ["distinct:n=2", "entropy:n=1", "self_repetition:n=2", "self_bleu"]
NEEDING_ROWS = ["mtld:pool=corpus", "compression:shuffles=0", "homogenization"]
SMALLEST = "10MB"
# With 10 MB, a quarter of it may be taken by a sample, at 25 bytes per byte of text: 100,000 bytes of text.
FITTING = 100_000


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Return 600 kB of text, which take 15 MB of memory at 25 bytes per byte; a tenth are copies."""
    draw = random.Random(1)
    words = [f"word{i}" for i in range(400)]
    made = [" ".join(draw.choices(words, k=draw.randint(1, 30))) for _ in range(5400)]
    return [*made, *draw.choices(made[:50], k=595), *[""] * 5]


@pytest.fixture(scope="module")
def file(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("sampling") / "texts.txt", texts)


def saved(path: Path, texts: Sequence[str]) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def drawn(batches: Sequence[Batch], size: int, seed: int = 0, most_bytes: float = float("inf")) -> Sample:
    """Draw a sample of batches by adding up states."""
    keys = SampledKeys(size, seed)
    chosen = keys.summarize(reduce(add, (keys.collect(Texts(batch)) for batch in batches)))
    texts = SampledTexts(chosen, size, most_bytes)
    return texts.summarize(reduce(add, (texts.collect(Texts(batch)) for batch in batches)))


def in_batches(texts: Sequence[str], size: int) -> list[Batch]:
    return [Batch.of(list(texts[start : start + size])) for start in range(0, max(len(texts), 1), size)]


def halved(texts: Sequence[str]) -> int:
    """Return the size of the default sample with the smallest memory: 20,000, halved until the texts fit."""
    size = 20_000
    while sum(len(text.encode()) for text in oracle.sample(texts, size)) > FITTING:
        size //= 2
    return size


@given(COPIES, st.integers(1, 70), st.integers(0, 3), st.integers(1, 20), st.randoms())
def test_the_sample_is_that_of_all_keys_sorted(
    texts: list[str], size: int, seed: int, rows: int, shuffle: random.Random
) -> None:
    expected = oracle.sample(texts, size, seed)
    shuffled = shuffle.sample(texts, len(texts))
    for order in (texts, shuffled):
        assert drawn(in_batches(order, rows), size, seed).in_order().strings.tolist() == expected


@given(COPIES, st.integers(1, 70), st.integers(1, 20), st.integers(0, 40), st.randoms())
def test_texts_that_do_not_fit_are_half_as_many(
    texts: list[str], size: int, rows: int, most: int, shuffle: random.Random
) -> None:
    expected = size
    while (
        expected > 1
        and sum(len(text.encode("utf-8", "surrogatepass")) for text in oracle.sample(texts, expected)) > most
    ):
        expected //= 2
    batches = in_batches(texts, rows)
    shuffle.shuffle(batches)
    found = drawn(batches, size, most_bytes=most)
    assert found.size == expected
    assert found.in_order().strings.tolist() == oracle.sample(texts, expected)


@pytest.mark.parametrize("options", [{}, {"batch_size": 11}, {"threads": 2, "batch_size": 40}])
def test_the_compiled_path_draws_the_same(texts: list[str], options: dict[str, int]) -> None:
    keys = SampledKeys(100, 5)
    run = RunConfig(compiled=True, **options)
    chosen = local.summarize(Corpus(texts), [keys], run)[keys]
    texts_of = SampledTexts(chosen, 100)
    found = local.summarize(Corpus(texts), [texts_of], run)[texts_of]
    assert found.in_order().strings.tolist() == oracle.sample(texts, 100, 5)


@pytest.mark.parametrize("turn", [tables.LARGEST_TURN, 10])
def test_spilled_counts_choose_the_same(texts: list[str], turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(tables, "LARGEST_TURN", turn)
    written = []
    write = spill.SpillFolder._write
    monkeypatch.setattr(
        spill.SpillFolder, "_write", lambda folder, run: written.append(1) or write(folder, run)
    )
    keys = SampledKeys(50, 2)
    run = RunConfig(compiled=True, memory=20_000, batch_size=500)
    chosen = local.summarize(Corpus(texts), [keys], run)[keys]
    plain = keys.summarize(keys.collect(Texts(Batch.of(texts))))
    assert len(written) > 3
    assert (chosen.keys.tolist(), chosen.contents.tolist()) == (plain.keys.tolist(), plain.contents.tolist())


def test_copies_with_other_tags_are_chosen_by_content() -> None:
    tags = [["N"], ["V"], ["D"], ["N"]] * 5
    batch = Batch.of(["same"] * 20, tags=tags, ids=[str(place) for place in range(20)])
    turned = batch.select(list(range(20))[::-1])
    first, second = (drawn([some], 7).in_order().tags for some in (batch, turned))
    assert first is not None
    assert second is not None
    assert first.tolist() == second.tolist()


def test_a_sample_is_measured_as_a_corpus_of_its_texts(file: Path, texts: list[str]) -> None:
    size = halved(texts)
    assert 100 < size < 5000
    chosen = oracle.sample(texts, size)
    alone = dy.measure(chosen, NEEDING_ROWS, interval=True)
    scores = dy.measure(file, [EXACT[0], *NEEDING_ROWS], memory=SMALLEST)
    note = f"Measured on a sample of {size:,} of 6,000 texts (seed 0), since it needs all texts in memory."
    for score, expected in zip(scores[1:], alone):
        assert (score.value, score.low, score.high) == (expected.value, expected.low, expected.high)
        assert score.parts == {**expected.parts, "sample": size}
        assert note in score.notes
        assert f"|interval:yes|sample:{size}|seed:0|" in score.signature
        assert "|texts:6000#" in score.signature
        assert "|order:" not in score.signature


def test_other_metrics_are_of_all_texts_and_in_the_requested_order(file: Path) -> None:
    mixed = [EXACT[0], NEEDING_ROWS[0], EXACT[2], NEEDING_ROWS[2], EXACT[1], EXACT[3]]
    whole = dy.measure(file, mixed)
    scores = dy.measure(file, mixed, memory=SMALLEST)
    assert [score.spec for score in scores] == mixed
    for spec in EXACT:
        assert same(scores[spec], whole[spec])
    assert scores.corpora == whole.corpora


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"batch_size": 7}, {"compiled": True, "threads": 2}, {"threads": 1}])
def test_neither_batches_nor_order_change_a_sampled_score(
    file: Path, texts: list[str], options: dict[str, int], tmp_path: Path
) -> None:
    expected = dy.measure(file, NEEDING_ROWS, memory=SMALLEST)
    shuffled = saved(tmp_path / "texts.txt", random.Random(3).sample(texts, len(texts)))
    for path in (file, shuffled):
        scores = dy.measure(path, NEEDING_ROWS, memory=SMALLEST, **options)
        assert [score.value for score in scores] == [score.value for score in expected]
        assert [score.signature for score in scores] == [score.signature for score in expected]


def test_vectors_of_a_sample(file: Path, texts: list[str]) -> None:
    def lengths(some: Sequence[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0 + text.count("7")] for text in some]

    score = dy.measure(file, "vendi", sample=200, seed=4, embedder=lengths)[0]
    alone = dy.measure(oracle.sample(texts, 200, 4), "vendi", interval=True, embedder=lengths)[0]
    assert (score.value, score.low, score.high) == (alone.value, alone.low, alone.high)


@pytest.mark.parametrize("memory", [SMALLEST, "1GB"])
def test_a_signature_takes_the_same_sample_whatever_the_memory(file: Path, memory: str) -> None:
    for options in ({"memory": SMALLEST}, {"sample": 300, "seed": 6}):
        for score in dy.measure(file, NEEDING_ROWS, **options):
            again = dy.measure(file, signature=score.signature, memory=memory)[0]
            # Its spec says that it is of a sample, whatever the memory, and so do its notes.
            assert same(replace(again, notes=score.notes), score)
            assert again.spec.endswith(f",sampled={score.parts['sample']:.0f}")


def test_a_signature_of_all_texts_warns_of_a_sample(file: Path) -> None:
    score = dy.measure(file, "homogenization")[0]
    again = dy.measure(file, signature=score.signature, memory=SMALLEST)[0]
    assert "Not the same as in the signature: the sample." in again.notes


def test_a_requested_sample_of_all_texts_is_no_sample(file: Path) -> None:
    whole = dy.measure(file, NEEDING_ROWS)
    assert same(dy.measure(file, NEEDING_ROWS, sample=6000), whole)
    assert "sample" in dy.measure(file, "mtld:pool=corpus", sample=5999)[0].parts


def test_a_requested_sample_keeps_intervals_of_other_metrics(file: Path) -> None:
    whole = dy.measure(file, EXACT[:2], interval=True)
    scores = dy.measure(file, [*EXACT[:2], "mtld:pool=corpus"], interval=True, sample=100)
    assert all(same(score, expected) for score, expected in zip(scores, whole))


def test_intervals_of_all_texts_need_them_in_memory(file: Path) -> None:
    scores = dy.measure(file, ["entropy:n=1", "mtld:pool=corpus"], interval=True, memory=SMALLEST)
    assert (scores[0].low, scores[0].value) == (None, dy.measure(file, "entropy:n=1")[0].value)
    assert any(note.startswith("No interval and no test: they need all texts") for note in scores[0].notes)
    assert scores[1].low is not None


def test_several_corpora(file: Path, texts: list[str], tmp_path: Path) -> None:
    small = saved(tmp_path / "small.txt", texts[:30])
    specs = ["distinct:n=1", "mtld:pool=corpus", "homogenization"]
    scores = dy.measure([Corpus.read(file), Corpus.read(small)], specs, sample=100)
    assert [
        (score.corpus, score.plain_spec or score.spec) for score in scores if score.plain_spec is None
    ] == [(name, spec) for name in ("texts.txt", "small.txt") for spec in specs]
    of_small = {score.spec: score for score in scores if score.corpus == "small.txt"}
    assert of_small["homogenization"].value == dy.measure(small, "homogenization")[0].value
    assert "sample" not in of_small["homogenization"].parts
    assert "homogenization" in {comparison.metric for comparison in scores.comparisons}
    alone = dy.measure(file, specs, sample=100)
    of_file = {score.spec: score for score in scores if score.corpus == "texts.txt"}
    assert [of_file[spec].value for spec in specs] == [score.value for score in alone]


def test_what_is_read_decides_for_a_compressed_file(texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "texts.txt.gz"
    path.write_bytes(gzip.compress("\n".join(texts * 3).encode()))
    assert path.stat().st_size < 10_000_000 / sampling.ROWS_PER_BYTE * 2
    assert "sample" in dy.measure(path, "mtld:pool=corpus", memory=SMALLEST)[0].parts
    assert "sample" not in dy.measure(path, "mtld:pool=corpus")[0].parts


def test_many_short_texts_do_not_fit_either() -> None:
    # 25 bytes per byte and 100 per text: 70,000 texts of 2 bytes take 10.5 MB, and 60,000 take 9 MB.
    for count, parts in ((70_000, {"sample"}), (60_000, set())):
        texts = [f"{place % 90 + 10}" for place in range(count)]
        assert {"sample"} & set(dy.measure(texts, "mtld:pool=corpus", memory=SMALLEST)[0].parts) == parts


def test_what_is_read_once_is_an_error_if_it_does_not_fit(texts: list[str]) -> None:
    with pytest.raises(ResourceError, match="can be read only once. Save them as a file, or give more"):
        dy.measure(iter(texts), "mtld:pool=corpus", memory=SMALLEST)
    with pytest.raises(ResourceError, match="can be read only once"):
        dy.compare(iter(texts), texts, "jensen_shannon", memory=SMALLEST)
    counted = dy.measure(iter(texts), "distinct:n=1", memory=SMALLEST)[0]
    assert counted.value == dy.measure(texts, "distinct:n=1")[0].value


def test_what_is_read_once_is_sampled_if_it_fits(texts: list[str]) -> None:
    specs = ["mtld:pool=corpus", "distinct:n=1"]
    assert same(dy.measure(iter(texts), specs, sample=50), dy.measure(texts, specs, sample=50))


def test_nothing_is_lost_of_what_is_read_once_and_does_not_fit(texts: list[str]) -> None:
    """What was read to see that the texts do not fit is counted, too."""
    scores = dy.measure(iter(texts), memory=SMALLEST)
    assert scores.corpora[0]["texts"] == len(texts)
    assert scores["distinct:n=1"].value == dy.measure(texts, "distinct:n=1")[0].value
    assert any("Left out: compression, self_bleu, vendi" in str(note) for note in scores[0].notes)


def test_whole_groups_are_sampled(texts: list[str]) -> None:
    groups = [str(place % 10) for place in range(len(texts))]
    measured: list[list[str]] = []

    def spy(some: list[str]) -> float:
        measured.append(sorted(some))
        return 0.0

    score = dy.measure(texts, spy, groups=groups, sample=1200)[-1]
    # 1,200 of 6,000 texts are two of ten groups of 600.
    in_group = {
        name: [text for text, group in zip(texts, groups) if group == name] for name in sorted(set(groups))
    }
    pairs = [sorted(in_group[one] + in_group[other]) for one in in_group for other in in_group if one < other]
    assert (score.scope, score.parts["sample"]) == ("pooled", 1200)
    assert max(measured, key=len) in pairs
    again = list(reversed(list(zip(texts, groups))))
    spy_again = dy.measure(
        [text for text, _ in again], spy, groups=[group for _, group in again], sample=1200
    )
    assert max(measured[::-1], key=len) == max(measured, key=len)
    assert spy_again[-1].parts == score.parts


def test_groups_that_do_not_fit_are_not_sampled(texts: list[str]) -> None:
    groups = [str(place % 10) for place in range(len(texts))]
    for spec in ("mtld:pool=corpus", "distinct:n=1"):
        with pytest.raises(ResourceError, match="Texts with groups .* Give more --memory"):
            dy.measure(texts, spec, groups=groups, memory=SMALLEST)
    in_groups = dy.measure(texts, "distinct:n=1,pool=group", groups=groups, memory=SMALLEST)
    assert same(in_groups, dy.measure(texts, "distinct:n=1,pool=group", groups=groups))


@pytest.mark.parametrize(
    "options", [{"explain": 2}, {"by": "x", "ids": ["a", "b"] * 3000}], ids=["explain", "by"]
)
def test_what_needs_all_texts_is_an_error_if_they_do_not_fit(
    texts: list[str], options: dict[str, object]
) -> None:
    with pytest.raises(ResourceError, match="needs all texts, and they do not fit into 10 MB of memory"):
        dy.measure(texts, "mtld:pool=corpus", memory=SMALLEST, **options)


def test_explanations_are_of_all_texts_and_values_of_the_sample(texts: list[str]) -> None:
    sampled = dy.measure(texts, "mtld:pool=corpus", sample=50)
    explained = dy.measure(texts, "mtld:pool=corpus", sample=50, explain=2)
    assert explained[0].value == sampled[0].value
    whole = dy.measure(texts, "mtld:pool=corpus", explain=2)
    assert explained.corpora[0]["explain"] == whole.corpora[0]["explain"]


def test_each_part_is_sampled(texts: list[str]) -> None:
    ids = ["a", "b"] * 3000
    by_part = dy.measure(texts, "mtld:pool=corpus", sample=50, by="x", ids=ids)
    alone = {
        name: dy.measure(texts[place::2], "mtld:pool=corpus", sample=50)[0] for place, name in enumerate("ab")
    }
    shown = [score for score in by_part if score.plain_spec is None]
    assert {score.corpus: score.value for score in shown} == {name: alone[name].value for name in "ab"}


def lengths(some: Sequence[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0 + text.count("7")] for text in some]


@pytest.fixture(scope="module")
def others(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = [f"{text} {text[:9]}" for text in texts[::-1]]
    return saved(tmp_path_factory.mktemp("others") / "others.txt", made)


SIDES = ["chi", "jensen_shannon", "zipf", "ttr_difference"]


def test_distances_of_summaries_are_of_all_texts(file: Path, others: Path) -> None:
    whole = dy.compare(file, others, SIDES)
    scores = dy.compare(file, others, SIDES, memory=SMALLEST, permutations=10)
    assert [score.value for score in scores] == [score.value for score in whole]
    assert [score.signature for score in scores] == [score.signature for score in whole]
    assert scores.corpora == whole.corpora
    assert scores[0].test is None
    assert any(note.startswith("No p-value, noise floor or interval") for note in scores[0].notes)


def test_distances_that_need_rows_are_of_samples(file: Path, others: Path, texts: list[str]) -> None:
    other_texts = others.read_text(encoding="utf-8").splitlines()
    score = dy.compare(file, others, ["chi", "energy"], sample=90, seed=2, embedder=lengths)[1]
    samples = [oracle.sample(some, 90, 2) for some in (texts, other_texts)]
    alone = dy.compare(*samples, "energy", interval=True, embedder=lengths)[0]
    assert (score.value, score.low, score.high) == pytest.approx((alone.value, alone.low, alone.high))
    assert score.parts["sample"] == 90
    note = "90 of 6,000 texts of the reference, 90 of 6,000 texts of the candidate (seed 2), since it needs"
    assert any(note in text for text in score.notes)
    assert "|interval:yes|sample:90|seed:2|" in score.signature
    again = dy.compare(file, others, signature=score.signature, embedder=lengths, memory=SMALLEST)[0]
    assert same(again, score)


def test_samples_of_both_sides_have_tests_and_default_sizes(
    file: Path, others: Path, texts: list[str]
) -> None:
    size = min(halved(texts), halved(others.read_text(encoding="utf-8").splitlines()))
    options = {"permutations": 20, "noise_floor": True, "embedder": lengths}
    scores = dy.compare(file, others, ["energy", "chi"], memory=SMALLEST, **options)
    assert (scores[0].parts["reference_texts"], scores[0].parts["candidate_texts"]) == (size, size)
    assert scores[0].test is not None
    assert scores[0].floor is not None
    assert scores[0].low is not None
    assert (scores[1].test, scores[1].floor) == (None, None)


def test_a_requested_sample_keeps_the_tests_of_summaries(file: Path, others: Path) -> None:
    options = {"permutations": 20, "embedder": lengths}
    whole = dy.compare(file, others, "chi", permutations=20)[0]
    scores = dy.compare(file, others, ["energy", "chi"], sample=50, **options)
    assert scores[1].test is not None
    assert whole.test is not None
    assert (scores[1].value, scores[1].test.p) == (whole.value, whole.test.p)


@pytest.mark.parametrize("option", [{"explain": 2}, {"subsample": 10}], ids=["explain", "subsample"])
def test_comparisons_that_need_all_texts_are_an_error(
    file: Path, others: Path, option: dict[str, int]
) -> None:
    name = next(iter(option))
    with pytest.raises(dy.SpecError, match=f"`{name}` needs all texts, so no sample"):
        dy.compare(file, others, "energy", sample=50, embedder=lengths, **option)
    with pytest.raises(ResourceError, match=f"`{name}` needs all texts, and they do not fit"):
        dy.compare(file, others, "energy", memory=SMALLEST, embedder=lengths, **option)


def test_a_matrix_of_samples(file: Path, others: Path) -> None:
    scores = dy.compare({"a": file, "b": others}, None, "energy", matrix=True, sample=50, embedder=lengths)
    assert [(score.reference, score.corpus) for score in scores] == [("a", "b"), ("b", "a")]
    assert scores[0].value == pytest.approx(scores[1].value)
