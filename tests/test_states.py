"""States: a file that was saved, or merged of others, is measured and compared as the texts are."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.cases import DISTANCES, DIVERSITIES, group_names, same, variants
from tests.strategies import TEXTS, TOKEN_LISTS

import distinctly as dy
from distinctly import config
from distinctly.engine import spill
from distinctly.statistics import tables

COUNTED = ["distinct", "entropy:n=2", "ead", "mtld", "mattr:window=3", "duplicates", "distinct:n=2,pool=text"]
SKETCHED = ["types:n=2,approximate=yes"]
COMPARED = ["jensen_shannon", "chi", "zipf", "ttr_difference"]
# Why metrics cannot be saved, by their definitions.
TOGETHER = {
    *("answers", "chamfer", "compression", "dcscore", "dispersion", "homogenization", "magnitude"),
    *("similarity_hill", "utility", "vendi"),
}
STREAMS = {"mattr", "msttr", "mtld", "mtld_ma"}
AGAINST_EACH_OTHER = {
    *("classifier", "dc", "energy", "hausdorff", "irpr", "mauve", "median", "mmd", "pr"),
    "sliced_wasserstein",
}
OF_MOMENTS = {"frechet", "medoid", "ttest"}
# Texts of different lengths, some of them empty, repeated, or of a rare script.
DRAW = random.Random(0)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "知道", "don’t", "3.14", "\ud800"]
EXAMPLES = [" ".join(DRAW.choices(WORDS, k=DRAW.choice([0, 1, 2, 5, 20, 60]))) for _ in range(40)]
EXAMPLES += EXAMPLES[:9]
OTHERS = [" ".join(DRAW.choices(WORDS[3:], k=DRAW.choice([0, 3, 7]))) for _ in range(30)]
# Models that embed texts refuse half a surrogate pair.
READABLE = [text.replace("\ud800", "half") for text in EXAMPLES]
OTHERS = [text.replace("\ud800", "half") for text in OTHERS]


def why_refused(spec: str) -> str:
    """Return why a metric cannot be saved, and nothing if it can."""
    name = spec.partition(":")[0]
    if "draws=" in spec:
        return "draws texts at random"
    if name == "ead" and "reference" in spec:
        return "reads a reference beside the texts"
    if name in AGAINST_EACH_OTHER:
        return "compares texts with texts"
    if (
        name in TOGETHER
        or (name in STREAMS and re.search("pool=(corpus|group)", spec))
        or "mode=pairwise" in spec
    ):
        return "needs all texts together"
    return "reads the texts twice" if name in ("self_bleu", "self_repetition", "templates") else ""


SAVED = [spec for spec in variants(DIVERSITIES) if not why_refused(spec) and "pool=group" not in spec]
BY_GROUP = [spec for spec in variants(DIVERSITIES) if not why_refused(spec) and "pool=group" in spec]
SAVED_DISTANCES = [spec for spec in variants(DISTANCES) if not why_refused(spec)]
REFUSED = [spec for spec in variants([*DIVERSITIES, *DISTANCES]) if why_refused(spec)]


def unnamed(scores: Sequence[dy.Score]) -> list[dict[str, Any]]:
    """Return scores without the names of corpora, which are those of files."""
    return [{**score.to_dict(), "corpus": "", "reference": ""} for score in scores]


def saved(folder: Path, name: str, texts: object, metrics: object, **options: Any) -> Path:
    path = folder / f"{name}.state"
    dy.save_state(texts, path, metrics, **options)  # type: ignore[arg-type]
    return path


def merged(folder: Path, name: str, paths: Sequence[Path]) -> Path:
    path = folder / f"{name}.state"
    dy.merge_states(paths, path)
    return path


class TestMeasure:
    """`measure` of a state is `measure` of the texts."""

    @pytest.mark.parametrize("spec", SAVED)
    def test_scores_and_signatures(self, spec: str, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, spec)
        scores, of_texts = dy.measure(state), dy.measure(EXAMPLES, spec)
        assert unnamed(scores) == unnamed(of_texts)
        assert same([score.value for score in scores], [score.value for score in of_texts])

    @pytest.mark.parametrize("spec", BY_GROUP)
    def test_means_over_groups(self, spec: str, tmp_path: Path) -> None:
        path = tmp_path / "x.jsonl"
        rows = zip(EXAMPLES, group_names(EXAMPLES))
        path.write_text("".join(json.dumps({"text": text, "g": group}) + "\n" for text, group in rows))
        state = saved(tmp_path, "x", path, spec, group="g")
        assert unnamed(dy.measure(state)) == unnamed(dy.measure(path, spec, group="g"))

    @pytest.mark.parametrize("spec", REFUSED)
    def test_metrics_that_need_texts(self, spec: str, tmp_path: Path) -> None:
        with pytest.raises(dy.SpecError, match=f" {why_refused(spec)}, so a state is not enough") as caught:
            saved(tmp_path, "x", EXAMPLES, spec)
        assert spec in str(caught.value)
        assert "Give the texts" in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.slow
    @given(texts=st.one_of(st.lists(TEXTS, max_size=10), TOKEN_LISTS), bits=st.sampled_from([64, 128]))
    def test_any_texts(self, texts: list[Any], bits: int, tmp_path_factory: pytest.TempPathFactory) -> None:
        folder = tmp_path_factory.mktemp("any")
        metrics = [*COUNTED, *SKETCHED]
        scores = dy.measure(saved(folder, "x", texts, metrics, hash_bits=bits))
        assert unnamed(scores) == unnamed(dy.measure(texts, metrics, hash_bits=bits))

    def test_some_of_the_metrics(self, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, ["distinct", "entropy:n=1"])
        assert unnamed(dy.measure(state, "distinct:n=2")) == unnamed(dy.measure(EXAMPLES, "distinct:n=2"))
        # n-grams are counted once for all metrics, so others of the same n-grams are there too.
        assert unnamed(dy.measure(state, "chao1:n=1")) == unnamed(dy.measure(EXAMPLES, "chao1:n=1"))
        with pytest.raises(
            dy.InputError, match=r"x\.state: the state does not have what 'entropy:n=9' needs"
        ):
            dy.measure(state, "entropy:n=9")
        with pytest.raises(dy.InputError, match="saved with -m distinct:n=1 .* save it again"):
            dy.measure(state, "distinct:n=2", tokenizer="whitespace")

    def test_its_tokenizer_is_used(self, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, "distinct", tokenizer="words:lc=yes")
        expected = dy.measure(EXAMPLES, "distinct", tokenizer="words:lc=yes")
        assert unnamed(dy.measure(state)) == unnamed(expected)

    def test_tags(self, tmp_path: Path) -> None:
        path = tmp_path / "x.jsonl"
        rows = [{"text": text, "pos": [word[0] for word in text.split()]} for text in EXAMPLES]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        specs = ["distinct:n=2,of=tags", "distinct:n=2"]
        state = saved(tmp_path, "x", path, specs, tags="pos")
        assert unnamed(dy.measure(state)) == unnamed(dy.measure(path, specs, tags="pos"))

    def test_missing_texts_and_bad_rows_add_up(self, tmp_path: Path) -> None:
        days = [
            '{"text": "a b"}\n{"text": null}\nnonsense\n{"text": "a b"}\n',
            '{"text": null}\n{"text": "c"}\n{"text":\n',
        ]
        for day, content in enumerate(days):
            (tmp_path / f"{day}.jsonl").write_text(content)
        reading = {"skip_bad": True, "nulls": "skip"}
        states = [
            saved(tmp_path, str(day), tmp_path / f"{day}.jsonl", "distinct", **reading) for day in (0, 1)
        ]
        both = merged(tmp_path, "both", states)
        of_texts = dy.measure(tmp_path / "?.jsonl", "distinct", **reading)
        assert unnamed(dy.measure(both)) == unnamed(of_texts)
        facts, expected = dy.measure(both).corpora[0], of_texts.corpora[0]
        assert {**facts, "name": ""} == {**expected, "name": ""}
        assert "2 rows" in str(of_texts[0].notes)

    def test_no_texts(self, tmp_path: Path) -> None:
        assert unnamed(dy.measure(saved(tmp_path, "x", [], COUNTED))) == unnamed(dy.measure([], COUNTED))


class TestCompare:
    """`compare` of states, or of a state and texts, is `compare` of the texts."""

    @pytest.mark.parametrize("spec", SAVED_DISTANCES)
    def test_distances(self, spec: str, tmp_path: Path) -> None:
        of_texts = dy.compare(READABLE, OTHERS, spec)
        reference, candidate = saved(tmp_path, "r", READABLE, spec), saved(tmp_path, "c", OTHERS, spec)
        # The moments of vectors are equal up to rounding, which is 1e-9 here.
        exact = spec.partition(":")[0] not in OF_MOMENTS
        for pair in ((reference, candidate), (READABLE, candidate), (reference, OTHERS)):
            for score, expected in zip(dy.compare(*pair), of_texts, strict=True):
                assert score.value == (expected.value if exact else pytest.approx(expected.value, rel=1e-9))
                assert score.signature == expected.signature
                assert score.parts.keys() == expected.parts.keys()
                for name, part in expected.parts.items():
                    assert score.parts[name] == (part if exact else pytest.approx(part, rel=1e-9))

    def test_several_states(self, tmp_path: Path) -> None:
        corpora = {"r": EXAMPLES, "a": OTHERS, "b": EXAMPLES[:20]}
        states = {name: saved(tmp_path, name, texts, COMPARED) for name, texts in corpora.items()}
        values = [score.value for score in dy.compare(states)]
        assert values == [score.value for score in dy.compare(corpora, metrics=COMPARED)]

    def test_hashes_of_different_sizes(self, tmp_path: Path) -> None:
        narrow = saved(tmp_path, "narrow", EXAMPLES, COMPARED)
        wide = saved(tmp_path, "wide", OTHERS, COMPARED, hash_bits=128)
        with pytest.raises(dy.SpecError, match="hash_bits=128"):
            dy.compare(narrow, wide)
        scores = dy.compare(wide, EXAMPLES, hash_bits=128)
        expected = dy.compare(OTHERS, EXAMPLES, COMPARED, hash_bits=128)
        assert [score.value for score in scores] == [score.value for score in expected]

    def test_states_of_diversity_cannot_be_compared(self, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, "distinct")
        with pytest.raises(dy.SpecError, match="none of which is a distance. Use distinctly measure"):
            dy.compare(state, state)
        with pytest.raises(dy.SpecError, match="none of which is a diversity. Use distinctly compare"):
            dy.measure(saved(tmp_path, "y", EXAMPLES, "chi"))


TREES = st.recursive(st.just(()), lambda tree: st.lists(tree, min_size=2, max_size=3), max_leaves=6)


class TestMerge:
    """A merge of states is the state of all texts, byte by byte."""

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(tree=TREES, data=st.data(), tokens=st.booleans(), bits=st.sampled_from([64, 128]))
    def test_any_split_and_any_tree(
        self,
        tree: Any,
        data: st.DataObject,
        tokens: bool,
        bits: int,
        tmp_path_factory: pytest.TempPathFactory,
    ) -> None:
        folder = tmp_path_factory.mktemp("merge")
        texts: list[Any] = [text.split() for text in EXAMPLES] if tokens else EXAMPLES
        metrics = ["distinct:n=2", "entropy:n=1", "mtld", "duplicates", "chi", *SKETCHED]
        number = iter(range(100))
        place = 0

        def built(node: Any) -> Path:
            nonlocal place
            if node == ():
                end = data.draw(st.integers(place, len(texts)))
                part, place = texts[place:end], end
                return saved(folder, f"leaf{next(number)}", part, metrics, tokens=tokens, hash_bits=bits)
            return merged(folder, f"node{next(number)}", [built(child) for child in node])

        state = built(tree)
        everything = saved(folder, "all", texts[:place], metrics, tokens=tokens, hash_bits=bits)
        assert state.read_bytes() == everything.read_bytes()

    def test_order_of_merging(self, tmp_path: Path) -> None:
        metrics = [*COUNTED, *SKETCHED, *COMPARED]
        a, b, c = (saved(tmp_path, str(i), EXAMPLES[i * 16 : i * 16 + 16], metrics) for i in range(3))
        left = merged(tmp_path, "left", [merged(tmp_path, "ab", [a, b]), c])
        right = merged(tmp_path, "right", [a, merged(tmp_path, "bc", [b, c])])
        everything = saved(tmp_path, "all", EXAMPLES[:48], metrics)
        assert left.read_bytes() == right.read_bytes() == everything.read_bytes()

    def test_groups(self, tmp_path: Path) -> None:
        rows = [json.dumps({"text": text, "g": f"g{i % 3}"}) + "\n" for i, text in enumerate(EXAMPLES)]
        (tmp_path / "all.jsonl").write_text("".join(rows))
        (tmp_path / "1.jsonl").write_text("".join(rows[:13]))
        (tmp_path / "2.jsonl").write_text("".join(rows[13:]))
        options: dict[str, Any] = {"metrics": ["distinct:n=2,pool=group", "entropy:pool=group"], "group": "g"}
        for bits in (64, 128):
            one, two, both = (
                saved(tmp_path, name, tmp_path / f"{name}.jsonl", hash_bits=bits, **options)
                for name in ("1", "2", "all")
            )
            assert merged(tmp_path, "merged", [one, two]).read_bytes() == both.read_bytes()

    def test_moments(self, tmp_path: Path) -> None:
        parts = [
            saved(tmp_path, str(start), READABLE[start : start + 10], "frechet") for start in (0, 10, 20)
        ]
        one = merged(tmp_path, "one", [merged(tmp_path, "two", parts[:2]), parts[2]])
        other = merged(tmp_path, "other", [parts[0], merged(tmp_path, "three", parts[1:])])
        expected = dy.compare(OTHERS, READABLE[:30], "frechet")[0]
        for state in (one, other):
            score = dy.compare(OTHERS, state)[0]
            assert score.value == pytest.approx(expected.value, rel=1e-9)
            assert score.signature == expected.signature

    def test_it_can_replace_one_of_its_parts(self, tmp_path: Path) -> None:
        total, day = (
            saved(tmp_path, "total", EXAMPLES[:5], COUNTED),
            saved(tmp_path, "day", EXAMPLES[5:], COUNTED),
        )
        dy.merge_states([total, day], total)
        assert total.read_bytes() == saved(tmp_path, "all", EXAMPLES, COUNTED).read_bytes()

    @pytest.mark.parametrize(
        "other",
        [
            {"metrics": "entropy"},
            {"metrics": "distinct", "tokenizer": "whitespace"},
            {"metrics": "distinct", "hash_bits": 128},
        ],
    )
    def test_different_states(self, other: dict[str, Any], tmp_path: Path) -> None:
        states = [saved(tmp_path, "one", EXAMPLES, "distinct"), saved(tmp_path, "other", OTHERS, **other)]
        with pytest.raises(
            dy.InputError, match=r"other\.state: the states are of different metrics"
        ) as caught:
            dy.merge_states(states, tmp_path / "both.state")
        assert "one.state" in str(caught.value)
        assert not (tmp_path / "both.state").exists()

    def test_texts_and_token_lists(self, tmp_path: Path) -> None:
        states = [
            saved(tmp_path, "texts", ["a b"], "distinct"),
            saved(tmp_path, "lists", [["a"]], "distinct"),
        ]
        with pytest.raises(dy.InputError, match="list"):
            dy.merge_states(states, tmp_path / "both.state")
        assert not (tmp_path / "both.state").exists()

    def test_none(self, tmp_path: Path) -> None:
        with pytest.raises(dy.SpecError, match="got none"):
            dy.merge_states([], tmp_path / "x.state")


class TestPaths:
    """The same file on every path."""

    @pytest.fixture
    def expected(self, tmp_path: Path) -> bytes:
        return saved(tmp_path, "expected", EXAMPLES * 20, [*COUNTED, *SKETCHED], compiled=False).read_bytes()

    @pytest.mark.parametrize(
        "options",
        [
            {"compiled": True},
            {"compiled": True, "threads": 3, "batch_size": 7},
            {"compiled": False, "batch_size": 1},
        ],
    )
    def test_plain_and_compiled(self, options: dict[str, Any], expected: bytes, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES * 20, [*COUNTED, *SKETCHED], **options)
        assert state.read_bytes() == expected

    @pytest.mark.slow
    @pytest.mark.parametrize("turn", [tables.LARGEST_TURN, 3])
    def test_spilled(
        self, turn: int, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
        monkeypatch.setattr("distinctly.engine.local.SMALLEST_MEMORY", 1)
        monkeypatch.setattr(tables, "LARGEST_TURN", turn)
        written = []
        write = spill.SpillFolder._write
        monkeypatch.setattr(
            spill.SpillFolder, "_write", lambda folder, run: written.append(1) or write(folder, run)
        )
        state = saved(
            tmp_path,
            "x",
            EXAMPLES * 20,
            [*COUNTED, *SKETCHED],
            compiled=True,
            memory=10_000,
            batch_size=50,
            threads=2,
        )
        assert len(written) > 10
        assert state.read_bytes() == expected

    def test_checkpoint(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.txt"
        path.write_text("".join(text.replace("\ud800", "") + "\n" for text in EXAMPLES), encoding="utf-8")
        plain = saved(tmp_path, "plain", path, [*COUNTED, *SKETCHED])
        monkeypatch.setattr("distinctly.engine.parts.partition_bytes", lambda _: 400)
        for fan_in in (64, 3):
            monkeypatch.setattr("distinctly.engine.parts.FAN_IN", fan_in)
            folder = tmp_path / "parts"
            state = saved(tmp_path, "x", path, [*COUNTED, *SKETCHED], checkpoint=str(folder))
            assert state.read_bytes() == plain.read_bytes()
            assert list(folder.iterdir()) == []


class TestWithoutTexts:
    """What needs texts is an error."""

    @pytest.mark.parametrize(
        "call",
        [
            lambda state: dy.measure(state, interval=True),
            lambda state: dy.measure({"a": state, "b": state}, paired=True),
            lambda state: dy.measure(state, top=3),
            lambda state: dy.measure(state, explain=3),
            lambda state: dy.measure(state, by="model"),
            lambda state: dy.compare(state, state, permutations=9),
            lambda state: dy.compare(state, state, noise_floor=True),
            lambda state: dy.compare(state, state, interval=True),
            lambda state: dy.compare(state, state, subsample=3),
            lambda state: dy.compare(state, state, explain=3),
            dy.per_text,
            lambda state: dy.measure(EXAMPLES, "ead:vocabulary=reference", reference=state),
        ],
    )
    def test_it_is_refused(self, call: Callable[[Path], object], tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, ["distinct", "jensen_shannon"])
        with pytest.raises((dy.InputError, dy.SpecError)):
            call(state)


class TestWriting:
    """A file is written as a whole, or not at all."""

    @pytest.mark.parametrize("name", ["x.txt", "x", "x.state.gz", ""])
    def test_another_ending(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(dy.SpecError, match=r"end with \.state"):
            dy.save_state(EXAMPLES, tmp_path / name)

    def test_a_folder_that_does_not_exist(self, tmp_path: Path) -> None:
        def texts() -> Iterator[str]:
            raise AssertionError("the texts must not be read before")
            yield ""

        target = tmp_path / "nowhere" / "x.state"
        with pytest.raises(dy.InputError, match=r"nowhere.x\.state: the folder of this file does not exist"):
            dy.save_state(texts(), target)
        state = saved(tmp_path, "y", EXAMPLES, "distinct")
        with pytest.raises(dy.InputError, match="does not exist"):
            dy.merge_states([state], target)
        assert list(tmp_path.iterdir()) == [state]

    def test_a_read_only_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("os.access", lambda *_: False)  # as for anybody but root
        with pytest.raises(dy.InputError, match=r"x\.state: its folder cannot be written: permission denied"):
            dy.save_state(EXAMPLES, tmp_path / "x.state")
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_of_that_name(self, tmp_path: Path) -> None:
        (tmp_path / "x.state").mkdir()
        with pytest.raises(dy.InputError, match="this is a folder"):
            dy.save_state(EXAMPLES, tmp_path / "x.state")

    def test_an_error_leaves_the_file_as_it_was(self, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, "distinct")
        before = state.read_bytes()
        (tmp_path / "bad.jsonl").write_text('{"text": "a"}\nnonsense\n')
        with pytest.raises(dy.InputError, match="line 2"):
            dy.save_state(tmp_path / "bad.jsonl", state)
        damaged = saved(tmp_path, "damaged", EXAMPLES, "distinct")
        content = bytearray(damaged.read_bytes())
        content[30] ^= 1
        damaged.write_bytes(content)
        with pytest.raises(dy.InputError, match=r"damaged\.state: .* checksum"):
            dy.merge_states([state, damaged], state)
        assert state.read_bytes() == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "damaged.state", "x.state"]

    def test_objects_in_place_of_specs(self, tmp_path: Path) -> None:
        with pytest.raises(dy.SpecError, match="`tokenizer` to be a spec"):
            dy.save_state(EXAMPLES, tmp_path / "x.state", tokenizer=str.split)  # type: ignore[arg-type]

    def test_numbers_are_not_shared_with_the_file(self, tmp_path: Path) -> None:
        state = saved(tmp_path, "x", EXAMPLES, "entropy")
        scores = dy.measure(state)
        state.unlink()
        assert np.isfinite([score.value for score in scores]).all()
