"""Notes on scripts: what a token is, what an embedder knows, and whose vocabulary EAD uses."""

from __future__ import annotations

import json

import pytest

CHINESE = "我 喜欢看电影\n你今天过得怎么样\n我们去吃饭吧\n" * 10
JAPANESE = "私は学生です\nきのうは雨がふりました\n" * 10
RUSSIAN = "Привет, как дела?\nСегодня хорошая погода\n" * 10
AMHARIC = "ሰላም እንዴት ነህ\nዛሬ ጥሩ ቀን ነው\n" * 10
ENGLISH = "the café is naïve and the fiancée is déjà vu\nthe dog sat — “here” … 😀\n" * 10


def notes(command, *arguments):
    done = command(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return {score["metric"]: score["notes"] for score in json.loads(done.stdout)["scores"]}


def about(notes, words):
    return [note for note in notes if words in note]


@pytest.mark.parametrize(("texts", "characters"), [(CHINESE, 1), (JAPANESE, 1), (RUSSIAN, 0), (ENGLISH, 0)])
def test_a_token_is_a_character(command, save, texts, characters):
    save("texts.txt", texts)
    by_metric = notes(
        command, "measure", "texts.txt", "-m", "distinct:n=1", "-m", "entropy:n=1", "-m", "compression"
    )
    assert [
        len(about(by_metric[name], "each character is one token")) for name in ("distinct", "entropy")
    ] == [
        characters,
        characters,
    ]
    assert not about(by_metric["compression"], "character")  # reads no tokens
    table = command("measure", "texts.txt", "-m", "distinct", "-m", "entropy:n=1").stdout
    assert table.count("each character is one token") == characters
    assert table.count("--tokenizer jieba (Chinese) or ja-mecab (Japanese)") == characters


def test_tokens_of_another_tokenizer_are_not_characters(command, save):
    save("texts.txt", CHINESE)
    by_metric = notes(command, "measure", "texts.txt", "-m", "distinct:n=1", "--tokenizer", "whitespace")
    assert not about(by_metric["distinct"], "character")


def test_only_the_corpus_of_characters_has_the_note(command, save):
    save("chinese.txt", CHINESE)
    save("english.txt", ENGLISH)
    table = command("measure", "chinese.txt", "english.txt", "-m", "distinct:n=1").stdout
    assert "chinese.txt: Most tokens are Chinese or Japanese characters" in table
    for pair in (("chinese.txt", "english.txt"), ("english.txt", "chinese.txt")):
        by_metric = notes(command, "compare", *pair, "-m", "chi")
        assert len(about(by_metric["chi"], "each character is one token")) == 1


@pytest.mark.parametrize(("texts", "foreign"), [(CHINESE, 1), (RUSSIAN, 1), (ENGLISH, 0)])
def test_the_vocabulary_of_ead_is_english(command, save, texts, foreign):
    save("texts.txt", texts)
    assert (
        len(about(notes(command, "measure", "texts.txt", "-m", "ead")["ead"], "English vocabulary"))
        == foreign
    )
    for other in ("ead:vocabulary=5000", "ead:vocabulary=chao1"):
        assert not about(notes(command, "measure", "texts.txt", "-m", other)["ead"], "English vocabulary")


@pytest.mark.parametrize(("texts", "unknown"), [(AMHARIC, 1), (CHINESE, 1), (RUSSIAN, 0), (ENGLISH, 0)])
def test_an_embedder_that_does_not_know_the_script(command, save, texts, unknown):
    save("texts.txt", texts)
    by_metric = notes(command, "measure", "texts.txt", "-m", "dispersion", "-m", "distinct:n=1")
    assert len(about(by_metric["dispersion"], "'wordllama' does not know")) == unknown
    assert not about(by_metric["distinct"], "does not know")
    by_metric = notes(command, "compare", "texts.txt", "texts.txt", "-m", "medoid")
    assert len(about(by_metric["medoid"], "'wordllama' does not know")) == unknown


def test_the_demo_counts_characters_of_chinese(command):
    shown = command("demo").stdout
    assert "252 of 367 characters differ" in shown
    assert "177 of 242 words differ" in shown
