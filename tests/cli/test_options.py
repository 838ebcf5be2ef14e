"""Options of commands: made from fields of settings, shown in groups, and passed on if given."""

from __future__ import annotations

import importlib
import json

import click
import numpy as np
import pytest

import distinctly as dy
from distinctly.cli.grouped import GROUPS, GroupedOption
from distinctly.config import RunConfig
from distinctly.options import settings_of
from distinctly.run.resampling import Resampling
from distinctly.sources.base import Reading

OWNERS = {"Reading": Reading, "Comparing": Resampling, "Running": RunConfig}
# The fields that a command does not accept: those of the other function, and those that do not apply.
BESIDE = {"prompt", "quality", "partition"}
NOT_TAKEN = {
    "measure": {"noise_floor", "subsample"},
    "compare": {"id", "paired", "population"} | BESIDE,
}
DRAWN = set(settings_of(Resampling)) - {"seed"}
TRIALS = ("similarity", "diversity", "progress", "length")
CLUSTER = {"engine", "address", "checkpoint"}
NOT_TAKEN["homogeneity"] = {"id", "tags", "quality", "partition", "seed", *CLUSTER} | DRAWN - {"interval"}
NOT_TAKEN |= {f"judge.{trial}": {"id", "tags", "skip_bad", *BESIDE, *CLUSTER} | DRAWN for trial in TRIALS}
NOT_TAKEN["judge.people"] = {"group", "tokens", "nulls", "seed", "reasoning", "filter"}
NOT_TAKEN["judge.people"] |= NOT_TAKEN["judge.similarity"] - {"prompt"}
TAGGED = [
    {"text": "the cat sat", "pos": ["D", "N", "V"]},
    {"text": "a dog ran", "pos": ["D", "N", "V"]},
    {"text": "rain fell", "pos": ["N", "V"]},
]


def options_of(name: str) -> dict[str, GroupedOption]:
    command = importlib.import_module(f"distinctly.cli.{name}").command
    return {option.name: option for option in command.params if isinstance(option, click.Option)}


@pytest.fixture
def tagged(save):
    return save("tagged.jsonl", "".join(json.dumps(row) + "\n" for row in TAGGED)).name


@pytest.mark.parametrize("name", NOT_TAKEN)
@pytest.mark.parametrize("group", OWNERS)
def test_every_field_that_a_command_takes_has_an_option(name, group):
    options = options_of(name)
    for field in settings_of(OWNERS[group]).values():
        if field.name in NOT_TAKEN[name]:
            assert field.name not in options
            continue
        option = options[field.name]
        assert (option.group, option.opts) == (group, [field.flag])
        assert option.is_flag == (field.kind is bool)


def test_every_field_is_an_option_or_has_a_reason_not_to_be():
    for owner, internal in (
        (Reading, set()),
        (Resampling, set()),
        (RunConfig, {"compiled", "progress", "on_device"}),
    ):
        assert set(owner.__dataclass_fields__) - set(settings_of(owner)) == internal


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_nothing_is_passed_on_but_what_was_given(name):
    command = importlib.import_module(f"distinctly.cli.{name}").command
    options = {owned for owner in OWNERS.values() for owned in settings_of(owner)}
    files = ["a.txt"] if name in ("judge.diversity", "judge.people") else ["a.txt", "b.txt"]
    context = command.make_context(name, files)
    assert {key: value for key, value in context.params.items() if key in options and value is not None} == {}


@pytest.mark.parametrize("width", ["80", "100"])
@pytest.mark.parametrize("arguments", [["measure"], ["compare"], ["homogeneity"], ["judge", "similarity"]])
def test_help_shows_the_groups_in_order_and_within_the_width(command, arguments, width):
    done = command(*arguments, "--help", environment={"COLUMNS": width})
    assert (done.returncode, done.stderr) == (0, "")
    headings = [line[:-1] for line in done.stdout.splitlines() if line[:1].isalpha() and line.endswith(":")]
    assert headings == list(GROUPS)
    options = done.stdout.partition("\nWhat:")[2].partition("Example")[0]
    assert max(map(len, options.splitlines())) <= int(width)
    assert "--text-per-file, --file-a-text" in options


def test_each_file_is_one_text_by_both_names(command, save):
    for place in range(2):
        save(f"essays/{place}.txt", "a cat\nsat\n")
    asked = ("measure", "essays", "-m", "distinct:n=1", "--format", "json")
    shown = [command(*asked, name).stdout for name in ("--text-per-file", "--file-a-text", "--input=file")]
    assert len(set(shown)) == 1
    # Two texts, of three words each.
    assert json.loads(shown[0])["corpora"][0]["texts"] == 2


def test_tags_are_measured_from_a_field(command, tagged):
    metrics = ["distinct:n=2,of=tags", "compression:of=tags", "entropy:n=3,of=tags"]
    done = command(
        "measure", tagged, "--tags", "pos", "--score-only", *(f"--metric={spec}" for spec in metrics)
    )
    assert (done.returncode, done.stderr) == (0, "")
    texts, tags = [row["text"] for row in TAGGED], [row["pos"] for row in TAGGED]
    expected = [score.value for score in dy.measure(texts, metrics, tags=tags)]
    assert [float(line) for line in done.stdout.splitlines()] == expected
    # D-N, N-V; D-N, N-V; N-V: two pairs of five. D-N-V twice: one kind of triple, 0 bits.
    assert (expected[0], expected[2]) == (2 / 5, 0.0)


def test_tags_are_made_by_a_function(command, save, tagged):
    save("mine.py", "def tag(text):\n    return [word[0] for word in text.split()]\n")
    asked = ("measure", tagged, "-m", "distinct:n=1,of=tags", "--score-only")
    done = command(*asked, "--tagger", "mine:tag")
    # t c s, a d r, r f: seven letters of eight.
    assert (done.returncode, done.stdout) == (0, f"{7 / 8!r}\n")
    refused = command(*asked, "--tagger", "mine:tga")
    assert (refused.returncode, "Did you mean 'tag'?" in refused.stderr) == (2, True)


MINE = '''
def tags(text):
    return [word[-1] for word in text.split()]

def sentences(text):
    return text.split(". ")

def lengths(texts):
    return [[len(text), text.count(" ")] for text in texts]

def wrong(texts):
    raise ValueError("no reason")

class Hapax:
    """A metric that is a class."""
'''
VIEWS = {
    "tokenizer": ("sentences", "types:n=1"),
    "tagger": ("tags", "types:n=1,of=tags"),
    "embedder": ("lengths", "dispersion"),
}


@pytest.mark.parametrize("view", VIEWS)
def test_functions_are_named_without_their_folder_in_signatures(command, save, tmp_path_factory, view):
    """The path of a file in the working folder; of a file elsewhere, its name; of a module, its name."""
    folder = save("folder/mine.py", MINE).parent
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "other.py"
    elsewhere.write_text(MINE, encoding="utf-8")
    save("mine.py", MINE)
    save("texts.txt", "It rains. it rains\nThe sun\n")
    name, metric = VIEWS[view]
    signed = {
        "mine.py": "mine.py%3A",
        "folder/mine.py": "folder/mine.py%3A",
        folder / "mine.py": "folder/mine.py%3A",
        elsewhere: "other.py%3A",
        "mine": "mine.",
    }
    for place, written in signed.items():
        done = command(
            "measure", "texts.txt", "-m", metric, f"--{view}", f"{place}:{name}", "--format", "json"
        )
        assert done.returncode == 0, done.stderr
        assert f":function,call:{written}{name}" in done.stdout


def test_tokens_and_vectors_are_made_by_functions_with_options(command, save):
    save("mine.py", MINE)
    save("texts.txt", "It rains. it rains\nThe sun\n")
    asked = ("measure", "texts.txt", "--score-only")
    # It rains, it rains, The sun; in lower case, two of them are the same.
    assert command(*asked, "-m", "types:n=1", "--tokenizer", "mine.py:sentences").stdout == "3.0\n"
    assert command(*asked, "-m", "types:n=1", "--tokenizer", "mine:sentences,lc=yes").stdout == "2.0\n"
    # Vectors (18, 3) and (7, 1), of length 1.
    expected = dy.measure(np.array([[18, 3], [7, 1.0]]) / np.sqrt([[333], [50]]), "dispersion")[0].value
    done = command(*asked, "-m", "dispersion", "--embedder", "mine:lengths,norm=yes")
    assert float(done.stdout) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--tokenizer", "mine.py:wrong"), "the tokenizer 'mine.py:wrong' raised ValueError: no reason for"),
        (("--embedder", "mine.py:wrong"), "the embedder 'mine.py:wrong' raised ValueError: no reason."),
        (("--tokenizer", "mine.py:sentence"), "Unknown function 'sentence' of 'mine.py'. Did you mean"),
        (("--tokenizer", "wrods:lc"), "Unknown tokenizer 'wrods'. Did you mean 'words'?"),
        (("--tokenizer", "wrods:lc=yes"), "Unknown tokenizer 'wrods'. Did you mean 'words'?"),
        (("--embedder", "wordlama:dim=64"), "Unknown embedder 'wordlama'. Did you mean 'wordllama'?"),
        (("--embedder", "nowhere:embed"), "Unknown embedder 'nowhere:embed'"),
        (("--tokenizer", "mine.py:sentences,punct=no"), "Unknown option 'punct' of 'function'"),
        (("-m", "mine.py:Hapax"), "Expected 'mine.py:Hapax' to be a function, got a class."),
    ],
)
def test_errors_of_functions(command, save, arguments, problem):
    save("mine.py", MINE)
    save("texts.txt", "It rains. it rains\nThe sun\n")
    done = command("measure", "texts.txt", "-m", "types:n=1", "-m", "dispersion", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_two_tokenizers_in_one_run(command, save):
    save("texts.txt", "aa ab\n")
    done = command(
        "measure", "texts.txt", "-m", "distinct:n=1,of=words", "-m", "distinct:n=1,of=char", "--score-only"
    )
    # aa, ab: two words of two. a a, a, b and perhaps the space: what Python counts.
    characters = dy.measure(["aa ab"], "distinct:n=1", tokenizer="char")[0].value
    assert done.stdout.split() == ["1.0", repr(characters)]


def test_an_engine_is_chosen_by_name(command, save):
    save("texts.txt", "a b\n")
    asked = ("measure", "texts.txt", "-m", "distinct:n=1", "--score-only", "--engine")
    assert command(*asked, "local").stdout == "1.0\n"
    refused = command(*asked, "lokal")
    assert (refused.returncode, "got 'lokal'" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("keywords", "problem"),
    [
        ({"seed": -1}, "Expected `seed` to be at least 0, got -1."),
        ({"permutations": -1}, "Expected `permutations` to be at least 0, got -1."),
        ({"population": 0}, "Expected `population` to be at least 1, got 0."),
        ({"threads": 0}, "Expected `threads` to be at least 1, got 0."),
        ({"sample": 0}, "Expected `sample` to be at least 1, got 0."),
        ({"subsamples": 20}, "Unknown argument 'subsamples'."),
        ({"nulls": "skp"}, "Did you mean 'skip'?"),
    ],
)
def test_python_checks_the_same_ranges(keywords, problem):
    with pytest.raises(dy.SpecError) as raised:
        dy.measure(["a b"], "distinct:n=1", **keywords)
    assert problem in str(raised.value)


def test_numbers_of_numpy_are_numbers():
    import numpy as np

    drawn = [dy.measure(["a b", "a c"], "distinct:n=1", seed=seed)[0].value for seed in (3, np.int64(3))]
    assert drawn == [3 / 4, 3 / 4]
