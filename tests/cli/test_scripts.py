"""Notes on scripts: what a token is, what an embedder knows, and whose vocabulary EAD uses."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow  # a process per test

CHINESE = "我 喜欢看电影\n你今天过得怎么样\n我们去吃饭吧\n" * 10
JAPANESE = "私は学生です\nきのうは雨がふりました\n" * 10
THAI = "ฉันชอบดูหนัง\nวันนี้อากาศดีมาก\nเราไปกินข้าวกันเถอะ\n" * 10
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


@pytest.mark.parametrize(
    ("texts", "tokenizer", "uncut"),
    [
        (THAI, "words", 1),
        (THAI, "13a", 1),
        (THAI, "char", 0),
        (" ".join(THAI), "words", 0),
        (JAPANESE, "whitespace", 1),
        (JAPANESE, "words", 0),
        (" ".join(JAPANESE), "whitespace", 0),
        (RUSSIAN, "whitespace", 0),
        (AMHARIC, "whitespace", 0),
        (ENGLISH, "words", 0),
    ],
)
def test_a_tokenizer_that_needs_spaces(command, save, texts, tokenizer, uncut):
    """A script without them has a warning, unless somebody has put spaces between words."""
    save("texts.txt", texts)
    measured = ("measure", "texts.txt", "-m", "distinct:n=1", "-m", "entropy:n=1", "--tokenizer", tokenizer)
    table = command(*measured)
    assert table.returncode == 0, table.stderr
    assert " ".join(table.stdout.split()).count("a script without spaces between words") == uncut


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


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        (AMHARIC, "does not know"),
        (CHINESE, "does not know"),
        (RUSSIAN, "was not trained on the scripts of 100% of the letters"),  # its letters are subwords
        (ENGLISH, None),
    ],
)
def test_an_embedder_that_does_not_know_the_script(command, save, texts, problem):
    save("texts.txt", texts)
    by_metric = notes(command, "measure", "texts.txt", "-m", "dispersion", "-m", "distinct:n=1")
    by_metric |= notes(command, "compare", "texts.txt", "texts.txt", "-m", "medoid")
    for metric in ("dispersion", "medoid"):
        noted = about(by_metric[metric], "The embedder 'wordllama' ")
        assert len(noted) == (problem is not None)
        assert all(problem in note for note in noted)
    assert not about(by_metric["distinct"], "embedder")


@pytest.fixture
def chinese_answers(save):
    """Four answers to each of four prompts; of the second, all are the same in other words."""
    pytest.importorskip("jieba", reason="needs the extra zh: pip install 'distinctly[zh]'")
    answers = {
        "推荐一种周末活动。": (
            "周末可以去公园散步。 周末去公园走一走吧。 在家里看一部老电影。 和朋友一起打羽毛球。"
        ),
        "法国的首都是哪里？": ("法国的首都是巴黎。 巴黎是法国的首都。 首都是巴黎。 法国首都为巴黎市。"),
        "怎样才能睡得更好？": (
            "睡前不要看手机。 每天在同一时间上床睡觉。 下午以后少喝咖啡和浓茶。 睡觉之前别玩手机。"
        ),
        "写一句关于秋天的话。": (
            "秋风吹落了满地的黄叶。 稻谷熟了，田野一片金黄。 秋天来了，天气渐渐变凉。 大雁排成人字飞向南方。"
        ),
    }
    rows = [{"prompt": prompt, "answer": text} for prompt in answers for text in answers[prompt].split()]
    save("answers.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return ("measure", "answers.jsonl", "--field", "answer", "--prompt", "prompt", "--tokenizer", "jieba")


def test_chinese_answers_by_words(command, chinese_answers):
    done = command(*chinese_answers, "-m", "distinct:n=1", "-m", "self_bleu:max_n=1", "--format", "json")
    scores = json.loads(done.stdout)["scores"]
    within = {score["metric"]: score for score in scores if score["scope"] == "within"}
    assert (within["distinct"]["parts"]["groups"], within["distinct"]["options"]["n"]) == (4, 1)
    assert all("jieba" in score["signature"] for score in scores)
    assert not any(about(score["notes"], "character") for score in scores)
    # The answers to one prompt share words, so that they are less varied than answers to different ones.
    across = {score["metric"]: score["value"] for score in scores if score["scope"] == "across"}
    assert within["distinct"]["value"] < across["distinct"]
    assert within["self_bleu"]["value"] > across["self_bleu"]


@pytest.mark.parametrize("metrics", ["default", "content", "answers", "answers:context=prompt"])
def test_chinese_answers_by_vectors_have_a_note(command, chinese_answers, metrics):
    done = command(*chinese_answers, "-m", metrics, "--format", "json")
    scores = json.loads(done.stdout)["scores"]
    assert "answers" in {score["metric"] for score in scores}
    for score in scores:
        by_vectors = "emb:wordllama" in score["signature"]
        noted = about(score["notes"], "'wordllama' does not know")
        assert len(noted) == by_vectors
        assert all("choose an embedder for this language (--embedder)" in note for note in noted)
    # The page says it once.
    assert command(*chinese_answers, "-m", metrics).stdout.count("'wordllama' does not know") == 1


def test_the_demo_counts_characters_of_chinese(command):
    shown = command("demo").stdout
    assert "252 of 367 characters differ" in shown
    assert "177 of 242 words differ" in shown
