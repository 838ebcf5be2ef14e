"""`distinctly.spark`: the same scores and signatures as `measure`, however Spark partitions the texts."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy
from distinctly import spark
from distinctly.errors import MissingExtraError

pytestmark = [
    pytest.mark.slow,  # Spark takes seconds to start, and its workers compile the loops
    # PySpark warns of the present pandas, and leaves sockets to the garbage collector.
    pytest.mark.filterwarnings(
        "ignore::FutureWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning"
    ),
]
METRICS = ["distinct", "ead", "entropy", "distinct:n=2,at=300", "duplicates", "mattr:window=5"]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason='needs pyspark: pip install "distinctly[spark]"')
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17 or newer")
    before = {name: os.environ.get(name) for name in ("PYSPARK_PYTHON", "PYTHONPATH")}
    os.environ["PYSPARK_PYTHON"] = sys.executable
    paths = [str(Path(dy.__file__).parents[1]), before["PYTHONPATH"]]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "3",
        "spark.log.level": "ERROR",
    }
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture(scope="module")
def texts() -> list[str]:
    # One of the files twice, so that texts are repeated.
    names = ("english-varied", "chinese-varied", "english-repetitive", "english-repetitive")
    return [text for name in names for text in dy.read(f"demo:{name}").texts()]


def frame_of(session: Any, texts: list[str | None], partitions: int) -> Any:
    """Return a frame with the texts in this number of partitions, in order."""
    return session.createDataFrame(
        session.sparkContext.parallelize([(text,) for text in texts], partitions), "text string"
    )


def same(scores: dy.Scores, expected: dy.Scores) -> bool:
    def shown(score: dy.Score) -> object:
        return score.spec, repr(score.value), score.signature, repr(score.parts), score.notes, score.corpus

    return list(map(shown, scores)) == list(map(shown, expected)) and scores.corpora == expected.corpora


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_any_number_of_partitions_gives_the_scores_of_measure(
    session: Any, texts: list[str], partitions: int
) -> None:
    scores = spark.measure(frame_of(session, texts, partitions), METRICS)
    assert same(scores, dy.measure(texts, METRICS))
    assert scores["duplicates"].value > 0


def test_more_partitions_than_one_task_adds_up(
    session: Any, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of six partitions, two at a time are added up by one task; four of them are empty.
    monkeypatch.setattr(spark, "FAN_IN", 2)
    frame = frame_of(session, texts[:2], 6)
    assert frame.rdd.getNumPartitions() == 6
    assert same(spark.measure(frame, "distinct"), dy.measure(texts[:2], "distinct"))


@pytest.mark.parametrize("fan_in", [1, 64])
def test_partitions_are_added_up_in_their_order(
    session: Any, fan_in: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A note quotes a repeated text if it is among the first 200, all of which are in the first partition.
    monkeypatch.setattr(spark, "FAN_IN", fan_in)
    texts: list[str | None] = [f"text {number}" for number in range(1000)]
    texts[:10] = ["the same"] * 10
    scores = spark.measure(frame_of(session, texts, 4), "distinct:n=1")
    assert any("10 of 1,000 texts are identical: 'the same'" in note for note in scores[0].notes)
    texts[300] = texts[900] = None
    with pytest.raises(dy.InputError, match=r"^Spark partition 1, batch 0, row 50: "):
        spark.measure(frame_of(session, texts, 4), "distinct:n=1")


def test_more_keys_than_a_row_holds(session: Any) -> None:
    # 1,700,000 different words in three ranges: each of them has more than one row of 2^19 keys.
    assert spark.ROW_KEYS < 1_700_000 / 3
    texts = [" ".join(map(str, range(start, start + 100_000))) for start in range(0, 1_700_000, 100_000)]
    assert spark.measure(frame_of(session, texts, 1), "types:n=1")[0].value == 1_700_000


def test_a_tokenizer_and_hashes_of_128_bits(session: Any, texts: list[str]) -> None:
    config = dy.RunConfig(hash_bits=128)
    frame = frame_of(session, texts, 2)
    scores = spark.measure(frame, ["distinct", "duplicates"], tokenizer="char", config=config)
    assert same(scores, dy.measure(texts, ["distinct", "duplicates"], tokenizer="char", hash_bits=128))


def test_approximate_counts(session: Any, texts: list[str]) -> None:
    specs = ["distinct:n=1,approximate=yes", "duplicates:approximate=yes"]
    assert same(spark.measure(frame_of(session, texts, 3), specs), dy.measure(texts, specs))


def test_a_frame_without_texts(session: Any) -> None:
    for frame in (session.createDataFrame([], "text string"), frame_of(session, ["a"], 1).limit(0)):
        assert same(spark.measure(frame, "distinct:n=1"), dy.measure([], "distinct:n=1"))


@pytest.mark.parametrize("nulls", ["skip", "empty"])
def test_missing_texts_are_skipped_or_empty(session: Any, nulls: Any) -> None:
    texts = ["a b", None, "a", None, None]
    scores = spark.measure(frame_of(session, texts, 2), "distinct:n=1", nulls=nulls)
    assert same(scores, dy.measure(texts, "distinct:n=1", nulls=nulls))


def test_a_missing_text_is_an_error_of_the_input(session: Any) -> None:
    # Two partitions of two texts: the missing one is the second of the second.
    frame = frame_of(session, ["a", "b", "c", None], 2)
    with pytest.raises(
        dy.InputError, match=r"^Spark partition 1, batch 0, row 1: the text is missing \(null\)"
    ):
        spark.measure(frame, "distinct:n=1")


def test_a_field_of_a_struct(session: Any) -> None:
    frame = session.createDataFrame(
        [(("a b",), ["x"]), (("a",), ["y"])], "answer struct<text string>, words array<string>"
    )
    scores = spark.measure(frame, "distinct:n=1", field="answer.text")
    assert same(scores, dy.measure(["a b", "a"], "distinct:n=1"))
    assert spark.measure(frame, "types:n=1", field="words[0]")[0].value == 2  # x and y
    with pytest.raises(dy.InputError, match="frame, 'words': expected strings, got array<string>"):
        spark.measure(frame, "distinct:n=1", field="words")
    with pytest.raises(dy.InputError, match="Unknown field 'reply'"):
        spark.measure(frame, "distinct:n=1", field="reply")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("vendi", "needs all texts together"),
        ("compression", "needs all texts together"),
        ("self_bleu", "reads the texts twice"),
        ("hill:n=1,at=100", "draws texts at random"),
    ],
)
def test_metrics_that_need_the_texts_are_refused(session: Any, spec: str, why: str) -> None:
    with pytest.raises(dy.SpecError, match=rf"{why}.*dy\.measure.*frame\.sample"):
        spark.measure(frame_of(session, ["a"], 1), ["distinct:n=1", spec])


def test_distances_and_lists_are_refused(session: Any) -> None:
    with pytest.raises(dy.SpecError, match="dy.compare"):
        spark.measure(frame_of(session, ["a"], 1), "chi")
    with pytest.raises(dy.InputError, match="got list. Use dy.measure"):
        spark.measure(["a"], "distinct")


def test_without_spark_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingExtraError, match=r'pip install "distinctly\[spark\]"'):
        spark.measure(None)
