"""`--require`: what a gate is about, the exit status, the line on standard error, and the JSON document."""

from __future__ import annotations

import json
import math

import pytest

import distinctly as dy
from distinctly.cli.baseline import Bound
from distinctly.cli.gates import Gate
from distinctly.score import Score, Scores
from distinctly.spec import Request

pytestmark = pytest.mark.slow  # a process per test

# the cat sat the dog sat: 4 distinct words of 6; "the cat" "cat sat" "the dog" "dog sat": 4 pairs of 4.
TEXTS = "the cat sat\nthe dog sat\n"
# Distinct-1 of x: within prompts, a b a b has 2 words of 4 and a c a d has 3 of 4, so 5/8 on average. Across
# prompts, a b and either a c or a d have 3 words of 4. Pooled, a b c d are 4 words of 8. Of y: always 1.
ROWS = [
    {"model": model, "prompt": prompt, "text": text}
    for model, prompt, text in [
        *(("x", 1, "a b"), ("x", 1, "a b"), ("x", 2, "a c"), ("x", 2, "a d")),
        *(("y", 1, "a b"), ("y", 1, "c d"), ("y", 2, "e f"), ("y", 2, "g h")),
    ]
]
# human.txt and model.txt have the same words in other proportions; other.txt has no word in common with them.
SIDES = {"human.txt": "a b\na b\n", "model.txt": "a a\na b\n", "other.txt": "c d\nc d\n"}


@pytest.fixture
def grouped(command, save):
    """Measure the rows above by model and prompt, with gates."""
    save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))

    def run(*gates, arguments=("--by", "model", "--group", "prompt")):
        requirements = [f"--require={gate}" for gate in gates]
        return command("measure", "rows.jsonl", *arguments, *requirements, "--format", "json")

    return run


@pytest.fixture
def compared(command, save):
    """Compare the files above, with gates."""
    for name, content in SIDES.items():
        save(name, content)

    def run(*gates, arguments=("-m", "jensen_shannon")):
        requirements = [f"--require={gate}" for gate in gates]
        return command("compare", *SIDES, *arguments, *requirements, "--format", "json")

    return run


def refused(done) -> str:
    """Check that the command stopped with one line about the request, and return the line."""
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("distinctly: error: ")
    return done.stderr


@pytest.mark.parametrize(
    ("gate", "status"),
    [
        ("distinct:n=1>=0.6", 0),
        ("distinct:n=1>=0.7", 1),
        ("distinct:n=1<0.7", 0),
        ("distinct:n=1 <= 0.5", 1),
        ("distinct:n=2>=1", 0),
        ("distinct:n=2>1", 1),
        ("types:n=1>3", 0),
        ("distinct:n=4>=0", 1),
        ("distinct:n=4<2", 1),
        ("distinct>=0", 1),
        ("entropy:n=1>=1e-3", 0),
    ],
    # Distinct-1 is 4/6, Distinct-2 is 1, there are 4 words, and no text has four tokens.
    ids=[
        "met",
        "not met",
        "less",
        "spaces",
        "equal",
        "not more",
        "not asked for",
        "NaN",
        "NaN<",
        "every n",
        "1e-3",
    ],
)
@pytest.mark.parametrize("form", ["table", "json"])
def test_gates_decide_the_exit_code_and_the_numbers_are_printed_still(command, save, gate, status, form):
    save("texts.txt", TEXTS)
    done = command("measure", "texts.txt", "-m", "distinct:n=1", "--require", gate, "--format", form)
    assert done.returncode == status
    assert "distinct|n:1|" in done.stdout
    if status:
        assert done.stderr.startswith(f"distinctly: not met: {gate} (texts.txt, distinct:n=")
        assert "Traceback" not in done.stderr
    else:
        assert done.stderr == ""


def test_a_metric_that_is_only_in_a_gate_is_measured_and_shown_too(command, save):
    save("texts.txt", TEXTS)
    asked = ("-m", "distinct:n=1", "--require", "texts.txt/types:n=1>3", "--format", "json")
    done = command("measure", "texts.txt", *asked)
    assert [score["metric"] for score in json.loads(done.stdout)["scores"]] == ["distinct", "types"]


def test_every_n_that_fails_is_listed(command, save):
    save("texts.txt", TEXTS)
    done = command("measure", "texts.txt", "--require", "distinct>0.7")
    # 4/6 is not over 0.7; 4 and 2 n-grams of 4 and 2 are; no text has four tokens, and NaN meets none.
    [undefined] = [score for score in dy.measure(TEXTS.splitlines(), "distinct") if math.isnan(score.value)]
    assert done.stderr.splitlines() == [
        "distinctly: not met: distinct>0.7 (texts.txt, distinct:n=1 is 0.666667)",
        f"distinctly: not met: distinct>0.7 (texts.txt, distinct:n=4 is undefined: {undefined.undefined})",
    ]


def test_one_gate_not_met_of_several_is_enough(command, save):
    save("texts.txt", TEXTS)
    done = command("measure", "texts.txt", "--require", "types:n=1>3", "--require", "ead>2")
    assert done.returncode == 1
    # There are 4 words; EAD is near 4/6, since the default vocabulary is much larger than 6 words.
    assert done.stderr.startswith("distinctly: not met: ead>2 (texts.txt, ead is 0.66")


def test_a_gate_is_about_every_corpus_or_the_named_one(command, save):
    save("good.txt", "a b c\n")
    save("bad.txt", "a a a\n")
    done = command("measure", "good.txt", "bad.txt", "--require", "distinct:n=1>0.5")
    assert done.returncode == 1
    # a a a: 1 word of 3.
    assert done.stderr == "distinctly: not met: distinct:n=1>0.5 (bad.txt, distinct:n=1 is 0.333333)\n"
    named = command("measure", "good.txt", "bad.txt", "--require", "good.txt/distinct:n=1>0.5")
    assert (named.returncode, named.stderr) == (0, "")


def test_the_name_of_a_corpus_may_contain_slashes(command, save):
    save("runs/a/out.txt", "a a\n")
    save("runs/b/out.txt", "a b\n")
    files = ("runs/a/out.txt", "runs/b/out.txt")
    met = command("measure", *files, "--require", "runs/b/out.txt/distinct:n=1>=1")
    assert (met.returncode, met.stderr) == (0, "")
    # a a: 1 word of 2.
    failed = command("measure", *files, "--require", "runs/a/out.txt/pooled/distinct:n=1>=1")
    assert failed.returncode == 1
    assert "(runs/a/out.txt, distinct:n=1 is 0.5)" in failed.stderr


# The values of x in each scope are derived above.
@pytest.mark.parametrize(
    ("gate", "failure"),
    [
        ("x/distinct:n=1<=0.5", None),
        ("x/distinct:n=1<0.5", "x, pooled, distinct:n=1 is 0.5"),
        ("x/pooled/distinct:n=1<0.5", "x, pooled, distinct:n=1 is 0.5"),
        ("x/within/distinct:n=1>=0.625", None),
        ("x/within/distinct:n=1>0.625", "x, within, distinct:n=1 is 0.625"),
        ("x / across / distinct:n=1 > 0.75", "x, across, distinct:n=1 is 0.75"),
        ("across/distinct:n=1>=0.75", None),
        ("within/distinct:n=1>=0.75", "x, within, distinct:n=1 is 0.625"),
        ("distinct:n=1>=0.75", "x, pooled, distinct:n=1 is 0.5"),
    ],
)
def test_a_gate_is_about_the_texts_as_a_whole_or_the_named_scope(grouped, gate, failure):
    done = grouped(gate)
    lines = [] if failure is None else [f"distinctly: not met: {gate} ({failure})"]
    assert (done.returncode, done.stderr.splitlines()) == (len(lines), lines)


def test_json_has_one_object_per_gate_and_score(grouped):
    gates = ("within/distinct:n=1>0.7", "y/distinct:n=1>=1", "x/distinct:n=3>0")
    done = grouped(*gates)
    assert done.returncode == 1
    # The values are derived above; no text has three tokens.
    verdicts = [
        (gates[0], "x", "within", "distinct:n=1", 0.625, 0.7, False),
        (gates[0], "y", "within", "distinct:n=1", 1.0, 0.7, True),
        (gates[1], "y", "pooled", "distinct:n=1", 1.0, 1.0, True),
        (gates[2], "x", "pooled", "distinct:n=3", None, 0.0, False),
    ]
    keys = ("requirement", "corpus", "scope", "metric", "value", "bound", "met")
    assert json.loads(done.stdout)["requirements"] == [dict(zip(keys, verdict)) for verdict in verdicts]
    assert "requirements" not in json.loads(grouped().stdout)


def test_a_gate_finds_a_metric_by_its_alias(command, save):
    save("texts.txt", TEXTS)
    done = command("measure", "texts.txt", "-m", "ttr", "--require", "texts.txt/type_token_ratio>1")
    assert done.returncode == 1
    # What Python measures, by the name of the metric.
    value = dy.measure(TEXTS.splitlines(), "ttr")[0].value
    assert done.stderr.endswith(f"(texts.txt, ttr is {value:.6g})\n")


@pytest.mark.parametrize(
    "prefix", ["", "texts.txt/", "pooled/", "texts.txt/pooled/"], ids=["plain", "corpus", "scope", "both"]
)
def test_a_spec_may_contain_slashes(command, save, prefix):
    save("texts.txt", TEXTS)
    save("tools/mine.py", "def count(texts):\n    return len(texts)\n")
    # There are two texts.
    done = command("measure", "texts.txt", "-m", "types:n=1", "--require", f"{prefix}tools/mine.py:count>2")
    assert (done.returncode, "(texts.txt, tools/mine.py:count is 2)" in done.stderr) == (1, True)
    # Tokens are words, with a slash if there is one: 4 distinct of 6.
    spec = r"distinct:n=1,of=regex(pattern=\w+/?)"
    done = command("measure", "texts.txt", "--require", f"{prefix}{spec}>0.7")
    assert (done.returncode, f"(texts.txt, {spec} is 0.666667)" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("nobody/distinct:n=1>0", ["Unknown corpus 'nobody'", "Known: x, y."]),
        ("z/within/distinct:n=1>0", ["Unknown corpus 'z'", "Known: x, y."]),
        ("/distinct:n=1>0", ["Unknown corpus ''"]),
        ("within/across/distinct:n=1>0", ["Unknown corpus 'within'"]),
        ("x/within/eead>0", ["Unknown metric 'eead'", "Did you mean 'ead'?"]),
        ("x/within/distinct:pol=text>0", ["Unknown option 'pol'", "Did you mean 'pool'?"]),
        ("x/distinct:m=1,of=regex(pattern=a/b)>0", ["Unknown option 'm' of 'distinct'"]),
        ("x/tools/mine.py:cuont>0", ["Unknown function 'cuont' of 'tools/mine.py'"]),
        ("x/tools/broken.py:count>0", ["tools/broken.py", "SyntaxError"]),
        ("tols/mine.py:count>0", ["no file 'tols/mine.py'"]),
        ("x/within/distinct:n=1,pool=group>0", ["reads the groups itself", "pooled"]),
        ("x/across/distinct:n=1,pool=group>0", ["reads the groups itself", "pooled"]),
    ],
)
def test_a_gate_about_nothing_is_an_error(grouped, save, gate, words):
    save("tools/mine.py", "def count(texts):\n    return len(texts)\n")
    save("tools/broken.py", "def count(texts)\n")
    line = refused(grouped(gate))
    assert f"'{gate}'" in line
    for word in words:
        assert word in line


@pytest.mark.parametrize("scope", ["within", "across"])
def test_a_scope_without_groups_is_an_error(grouped, scope):
    line = refused(grouped(f"{scope}/distinct:n=1>0", arguments=("--by", "model")))
    assert f"the scope '{scope}' needs texts in groups. Use --group FIELD." in line


def test_a_metric_of_groups_is_in_the_scope_pooled(grouped):
    gates = ("x/distinct:n=1,pool=group>0.625", "x/pooled/distinct:n=1,pool=group>=0.625")
    done = grouped(*gates)
    # The mean of 2/4 and 3/4.
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"not met: {gates[0]} (x, pooled, distinct:n=1,pool=group is 0.625)" in done.stderr


def test_a_gate_of_a_distance(compared):
    assert compared("jensen_shannon<=1", arguments=("-m", "chi")).returncode == 0
    failed = compared("jensen_shannon<1")
    # Without a word in common, the distance is the largest possible: 1.
    assert failed.stderr == (
        "distinctly: not met: jensen_shannon<1 (other.txt against human.txt, jensen_shannon is 1)\n"
    )
    assert failed.returncode == 1
    named = compared("model.txt/jensen_shannon<1")
    assert (named.returncode, named.stderr) == (0, "")
    [verdict] = json.loads(named.stdout)["requirements"]
    assert (verdict["corpus"], verdict["reference"]) == ("model.txt", "human.txt")
    assert (verdict["scope"], verdict["metric"], verdict["met"]) == (None, "jensen_shannon", True)


def test_a_corpus_of_a_gate_is_the_candidate(compared):
    matrix = ("-m", "jensen_shannon", "--matrix")
    # human.txt is at the largest distance, 1, from other.txt only.
    done = compared("human.txt/jensen_shannon<1", arguments=matrix)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "(human.txt against other.txt, jensen_shannon is 1)" in done.stderr
    verdicts = json.loads(done.stdout)["requirements"]
    assert [(verdict["corpus"], verdict["reference"]) for verdict in verdicts] == [
        ("human.txt", "model.txt"),
        ("human.txt", "other.txt"),
    ]
    line = refused(compared("human.txt/jensen_shannon<1"))
    assert "Unknown candidate 'human.txt'" in line
    assert "Known: model.txt, other.txt." in line


def test_a_gate_finds_a_distance_by_its_alias(compared):
    done = compared("other.txt/chi_squared<0", arguments=("-m", "chi"))
    assert (done.returncode, "(other.txt against human.txt, chi is " in done.stderr) == (1, True)


def test_distances_have_no_scopes(compared):
    assert "distances have no scopes" in refused(compared("model.txt/within/jensen_shannon<1"))


def test_names_are_printed_on_one_line(command, save):
    rows = [{"model": "a\nb", "text": "a a"}, {"model": "c", "text": "a b"}]
    save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = command("measure", "rows.jsonl", "--by", "model", "--require", "a\nb/distinct:n=1>0.5")
    # a a: 1 word of 2.
    assert done.returncode == 1
    assert done.stderr == (r"distinctly: not met: a\nb/distinct:n=1>0.5 (a\nb, distinct:n=1 is 0.5)" + "\n")


# Values at a size, and runs without scopes that would repeat others, as scores made by hand. The values only
# tell the scores apart.


def scored(value: float, spec: str, scope: str | None = None, **options) -> Score:
    return Score(value, metric="distinct", options={"n": 1, **options}, spec=spec, corpus="x", scope=scope)


def test_a_gate_without_a_size_is_about_the_plain_value():
    plain, sized = scored(0.2, "distinct:n=1"), scored(0.9, "distinct:n=1,at=2000,unit=text", at=2000)
    gate = Gate.parse("distinct:n=1>0.5")
    for scores in (Scores([plain, sized]), Scores([sized, plain])):
        [verdict] = gate.verdicts(scores)
        assert (verdict.score.value, verdict.met) == (0.2, False)
    # Also if the run shows the size in no spec, and if there is no plain value.
    for spec in ("distinct:n=1,at=2000,unit=text", "distinct:n=1"):
        with pytest.raises(dy.SpecError, match="there is no score of 'distinct:n=1' for 'x'"):
            gate.verdicts(Scores([scored(0.9, spec, at=2000)]))


def test_a_gate_with_a_size_finds_the_spec_that_the_run_shows():
    request = Request("distinct:n=1,at=2000", dy.Distinct(n=1))
    gate = Gate("distinct:n=1,at=2000>0.5", None, None, (request,), ">", Bound(0.5))
    scores = Scores(
        [
            scored(0.2, "distinct:n=1"),
            scored(0.3, "distinct:n=1,at=500,unit=text", at=500, unit="text"),
            scored(0.4, "distinct:n=1,at=2000,pool=text,unit=text", at=2000, unit="text", pool="text"),
            scored(0.9, "distinct:n=1,at=2000,unit=text", at=2000, unit="text"),
        ]
    )
    [verdict] = gate.verdicts(scores)
    assert (verdict.score.value, verdict.met) == (0.9, True)
    assert verdict.to_dict()["metric"] == "distinct:n=1,at=2000,unit=text"


def test_across_is_pooled_if_every_group_has_one_text():
    scores = Scores([scored(0.2, "distinct:n=1", "pooled")])
    [verdict] = Gate.parse("across/distinct:n=1>0.5").verdicts(scores)
    assert (verdict.score.scope, verdict.met) == ("pooled", False)
    with pytest.raises(dy.SpecError, match="every group has one text, so there is no scope 'within'"):
        Gate.parse("within/distinct:n=1>0.5").verdicts(scores)


def test_across_is_not_pooled_if_only_across_is_missing():
    scores = Scores([scored(0.2, "distinct:n=1", "within"), scored(0.3, "distinct:n=1", "pooled")])
    with pytest.raises(dy.SpecError, match="no score in the scope 'across'"):
        Gate.parse("across/distinct:n=1>0.5").verdicts(scores)


def test_no_scores_meet_no_gate():
    with pytest.raises(dy.SpecError, match="there are no scores"):
        Gate.parse("distinct:n=1>0.5").verdicts(Scores([]))


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        (["measure", "good.txt", "broken.jsonl", "--require", "bad.txt/ead>=0.2"], "good.txt, broken.jsonl"),
        (["compare", "good.txt", "broken.jsonl", "--require", "good.txt/chi<1"], "broken.jsonl"),
        (
            ["compare", "good.txt", "broken.jsonl", "--matrix", "--require", "x/chi<1"],
            "good.txt, broken.jsonl",
        ),
        (
            ["compare", "good.txt", "broken.jsonl", "--reference", "broken.jsonl", "--require", "x/chi<1"],
            "good.txt",
        ),
    ],
)
def test_an_unknown_corpus_is_refused_before_anything_is_measured(command, save, arguments, known):
    save("good.txt", TEXTS)
    save("broken.jsonl", "no JSON\n")  # an error as soon as it is read
    line = refused(command(*arguments))
    assert line.startswith("distinctly: error: Cannot check the requirement")
    assert line.endswith(f"Known: {known}.\n")


def test_an_unknown_corpus_of_a_split_file_is_refused_when_the_names_are_known(grouped):
    assert "Unknown corpus 'z'. Known: x, y." in refused(grouped("z/distinct:n=1>0.1"))
