"""`distinctly study`, as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.cli.fixtures import Run, Save
from tests.shared import ROOT

from distinctly.cli import cli
from distinctly.errors import DistinctlyError, MissingExtraError
from distinctly.studies.store import StudyStore

pytestmark = pytest.mark.slow  # a process per test

METHODS = ("dull", "fair", "good", "rich")


def responses(methods: Sequence[str] = METHODS, prompts: int = 24) -> str:
    """Write responses of 8 words, from more different words for each later method."""
    rng = np.random.default_rng(0)
    rows = [
        {
            "method": method,
            "prompt": f"p{prompt}",
            "text": " ".join(f"w{word}" for word in rng.integers(0, 10 + 25 * place, 8)),
        }
        for prompt in range(prompts)
        for place, method in enumerate(methods)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def make(save: Save, *options: str, methods: Sequence[str] = METHODS, prompts: int = 24) -> Path:
    """Make a study in this process, and return its file."""
    path = save("responses.jsonl", responses(methods, prompts))
    study = path.with_suffix(".study")
    invoke("study", "new", path, "--by", "method", "--group", "prompt", "-o", study, *options)
    return study


def invoke(*arguments: object) -> None:
    """Run a command in this process."""
    cli.main([str(argument) for argument in arguments], standalone_mode=False)


SMALL = ("--sets", "8", "--per-set", "3")


def test_a_new_study_has_the_same_prompts_in_each_package_and_a_link_per_annotator(
    command: Run, save: Save, tmp_path: Path
) -> None:
    save("responses.jsonl", responses())
    run = ("study", "new", "responses.jsonl", "--by", "method", "--group", "prompt", *SMALL)
    done = command(*run, "--annotators", "3", "--scale", "1", "50", "--links", "links.csv")
    assert done.returncode == 0, done.stderr
    assert "8 packages of 4 sets (dull, fair, good, rich) of 3 responses; 3 annotators" in done.stdout
    # 8 packages and 4 methods: each in each column 8 / 4 times.
    assert "Each annotator sees each method in each column 2 times." in done.stdout
    assert "distinctly serve --study responses.study" in done.stdout
    links = re.findall(r"^  (\S+) +/(study|owner)/(\S+)$", done.stdout, re.MULTILINE)
    assert [name for name, _, _ in links] == ["annotator-1", "annotator-2", "annotator-3", "owner"]
    written = list(csv.DictReader(io.StringIO((tmp_path / "links.csv").read_text())))
    assert [row["link"] for row in written] == [f"/{kind}/{token}" for _, kind, token in links]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "links.csv",
        "responses.jsonl",
        "responses.study",
    ]
    texts = {}
    for line in responses().splitlines():
        row = json.loads(line)
        texts[row["method"], row["prompt"]] = row["text"]
    with StudyStore(tmp_path / "responses.study") as study:
        assert study.annotator_of(links[0][2]) == "annotator-1"
        assert study.owner_of(links[3][2])
        sets = study.sets()
        assert "**four** sentence sets" in study.instructions
        assert "from 1 to 50" in study.instructions
    assert len(sets) == 32
    for each in sets:
        assert each.texts == [texts[each.method, prompt] for prompt in each.prompts]
        assert each.prompts == next(other.prompts for other in sets if other.package == each.package)
    used = [prompt for each in sets if each.method == "dull" for prompt in each.prompts]
    assert len(set(used)) == 24  # no prompt is used twice
    again = command(*run)
    assert again.returncode == 2
    assert again.stderr.startswith("distinctly: error: responses.study: the file exists")


def test_the_seed_decides_the_draws(save: Save, tmp_path: Path) -> None:
    path = save("responses.jsonl", responses())
    contents = []
    for number, seed in enumerate(("1", "1", "2")):
        study = tmp_path / f"{number}.study"
        invoke(
            "study", "new", path, "--by", "method", "--group", "prompt", *SMALL, "--seed", seed, "-o", study
        )
        with StudyStore(study) as opened:
            shown = [opened.shown("annotator-2", place) for place in range(1, 9)]
            contents.append((opened.sets(), shown))
    assert contents[0] == contents[1] != contents[2]


def test_texts_for_annotators_come_from_files(save: Save) -> None:
    task = save("task.md", "# 任务\n\n请打分。")
    example = save("example.md", "An *example*.")
    study = make(
        save,
        *SMALL,
        *("--instructions", str(task), "--example", str(example), "--title", "多样性", "--language", "zh"),
        *("--question", "多少分?", "--annotators", "ann, bob", "--scale", "1", "7"),
    )
    with StudyStore(study) as opened:
        assert opened.instructions == "# 任务\n\n请打分。"
        assert (opened.title, opened.language, opened.question) == ("多样性", "zh", "多少分?")
        assert opened.example == "An *example*."
        assert opened.annotators == ["ann", "bob"]
        assert (opened.low, opened.high) == (1, 7)


def test_without_prompts_sets_are_drawn_at_random_with_a_note(command: Run, save: Save) -> None:
    save("responses.jsonl", responses())
    done = command("study", "new", "responses.jsonl", "--by", "method", *SMALL)
    assert done.returncode == 0, done.stderr
    assert "Note: The prompts are not known (--group)" in done.stderr


def test_prompts_without_a_response_of_some_method_are_left_out(command: Run, save: Save) -> None:
    lines = responses().splitlines(keepends=True)
    save("responses.jsonl", "".join(line for line in lines if '"dull", "prompt": "p3"' not in line))
    run = ("study", "new", "responses.jsonl", "--by", "method", "--group", "prompt", "--per-set", "3")
    done = command(*run, "--sets", "7")
    assert done.returncode == 0, done.stderr
    assert "Note: 1 of 24 prompts have no response of some method and are left out." in done.stderr


def test_empty_responses_are_left_out_with_a_note(command: Run, save: Save) -> None:
    lines = [json.loads(line) for line in responses().splitlines()]
    lines[0]["text"] = "  "
    save("responses.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    run = ("study", "new", "responses.jsonl", "--by", "method", "--group", "prompt", *SMALL)
    done = command(*run)
    assert done.returncode == 0, done.stderr
    assert "Note: 1 response is empty and left out: annotators would see nothing." in done.stderr
    # The prompt of the empty response has none of that method.
    assert "Note: 1 of 24 prompts have no response of some method and are left out." in done.stderr


def test_packages_overlap_with_a_note_if_there_are_too_few_prompts(command: Run, save: Save) -> None:
    save("responses.jsonl", responses())
    run = ("study", "new", "responses.jsonl", "--by", "method", "--group", "prompt", "--per-set", "3")
    done = command(*run, "--sets", "9")  # 24 prompts are 8 sets of 3
    assert done.returncode == 0, done.stderr
    assert "Note: Packages overlap, since there are 24 prompts for 9 sets of 3" in done.stderr
    assert "--sets 8 would not overlap." in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--group", "prompt", "--sets", "9", "--per-set", "25"],
            "expected 25 or more prompts that all methods respond to for sets of 25, got 24. What fits: "
            "--per-set 24 or less.",
        ),
        (
            ["--sets", "9", "--per-set", "25"],
            "expected 25 or more responses of 'dull' for sets of 25, got 24.",
        ),
        (["--group", "nothing"], "Unknown field 'nothing'"),
        (
            ["--group", "prompt", "--scale", "5", "5", *SMALL],
            "from a lower score to a higher one, got 5 to 5",
        ),
        (["--group", "prompt", "--annotators", "0", *SMALL], "Expected 1 to 1,000 annotators, got 0"),
        (["--group", "prompt", "--annotators", "a,a", *SMALL], "different names, got 'a' twice"),
        (["--group", "prompt", "--annotators", "owner", *SMALL], "not 'owner'"),
        (["--group", "prompt", "--instructions", "none.md", *SMALL], "none.md: the file does not exist"),
        (["--group", "prompt", "--links", "links.txt", *SMALL], "Expected a .csv file for the links"),
    ],
)
def test_errors_of_a_new_study_say_what_to_do_and_leave_no_file(
    save: Save, tmp_path: Path, options: list[str], message: str
) -> None:
    path = save("responses.jsonl", responses())
    with pytest.raises(DistinctlyError) as caught:
        invoke("study", "new", path, "--by", "method", "-o", tmp_path / "new.study", *options)
    assert message in str(caught.value)
    assert [each.name for each in tmp_path.iterdir()] == ["responses.jsonl"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"method": "a", "prompt": 1, "text": "x"}] * 3, "at least 2 methods to compare, got 1 ('a')"),
        (
            [{"method": "a", "prompt": 1, "text": "x"}, {"method": "b", "prompt": None, "text": "x"}],
            "line 2: expected the group to be a word or a number, got nothing (null)",
        ),
        (
            [{"method": "a", "prompt": 1, "text": "x"}, {"method": " ", "prompt": 1, "text": "x"}],
            "line 2: expected a value in 'method'",
        ),
        (
            [{"method": "a", "prompt": 1, "text": "x"}, {"method": "b", "prompt": 1, "text": " "}],
            "expected 1 or more prompts that all methods respond to (1 of 1 prompts have no response",
        ),
    ],
)
def test_rows_that_cannot_be_used_are_named(
    save: Save, tmp_path: Path, rows: list[dict[str, object]], message: str
) -> None:
    path = save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DistinctlyError) as caught:
        invoke("study", "new", path, "--by", "method", "--group", "prompt", "--sets", "1", "--per-set", "1")
    assert message in str(caught.value)


def test_a_link_can_be_replaced(command: Run, save: Save) -> None:
    study = make(save, *SMALL)
    done = command("study", "links", study.name, "--renew", "annotator-2")
    assert done.returncode == 0, done.stderr
    token = re.findall(r"annotator-2  /study/(\S+)", done.stdout)[0]
    with StudyStore(study) as opened:
        assert opened.annotator_of(token) == "annotator-2"
    wrong = command("study", "links", study.name, "--renew", "nobody")
    assert wrong.returncode == 2
    assert "Unknown annotator 'nobody'" in wrong.stderr


@pytest.mark.slow
def test_careless_annotators_are_dropped_and_the_correlations_come_back(
    command: Run, save: Save, tmp_path: Path
) -> None:
    study = make(save, "--sets", "20", "--per-set", "3", "--annotators", "3", prompts=60)
    simulated = command(
        "study", "simulate", study.name, "--truth-metric", "distinct:n=1", "--careless", "2", "--seed", "1"
    )
    assert simulated.returncode == 0, simulated.stderr
    # 20 packages × 4 methods × 5 annotators.
    assert "400 answers of 5 simulated annotators" in simulated.stdout
    run = ("study", "analyse", study.name, "-m", "distinct:n=1", "-m", "yule")
    for options in ([], ["--agreement-with", "others"], ["--rescale", "package"]):
        done = command(*run, *options, "--format", "json")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert document["dropped"] == ["simulated-4", "simulated-5"]
        findings = {
            (finding["settings"]["subset"], finding["metric"], finding["measure"]): finding
            for finding in document["findings"]
        }
        # The truth is distinct:n=1 itself; a noise of 0.5 on 0–10, and three annotators, leave little doubt.
        assert findings["Sets", "distinct:n=1", "pearson"]["mean"] > 0.9
        # All texts of a method have other values than its sets, but the same order.
        assert findings["Methods", "distinct:n=1", "spearman"]["mean"] == pytest.approx(1)
        assert [score["method"] for score in document["methods"]] == list(METHODS)
        human = [score["human"] for score in document["methods"]]
        assert human == sorted(human)
        by_kind = {(each["annotators"], each["rescale"]): each for each in document["reliability"]}
        assert by_kind["kept", "none"]["alpha"] > 0.8
        assert by_kind["all", "none"]["alpha"] < 0.6
        assert by_kind["kept", "none"]["icc2"] > 0.8
        assert by_kind["all", "none"]["complete"] == 80
    shown = command(*run, "--save", "trial.json")
    assert "Dropped, since the correlation with the average of all is below 0.65" in shown.stdout
    assert "simulated-4 (r = " in shown.stdout
    assert "scores as they were given (--rescale none)" in shown.stdout
    assert "Some answers are simulated, those of annotator-1, " in shown.stdout
    again = command("judge", "table", "trial.json")
    assert again.returncode == 0, again.stderr
    assert "Sets: agreement with people on 80 sets" in again.stdout
    kept = command(*run, "--least-agreement", "none", "--format", "json")
    assert json.loads(kept.stdout)["dropped"] == []


def test_table_2_end_to_end_with_annotators_whose_truth_is_its_human_column(
    command: Run, save: Save, tmp_path: Path
) -> None:
    table = (ROOT / "docs" / "reproductions" / "table-2.csv").read_text(encoding="utf-8")
    rows = [row for row in csv.DictReader(io.StringIO(table)) if row["corpus"] == "DailyDialog"]
    truth = {row["method"]: float(row["human"]) for row in rows}
    study = make(save, "--sets", "40", "--per-set", "2", "--annotators", "3", methods=list(truth), prompts=80)
    save("truth.csv", "method,human\n" + "".join(f"{name},{value}\n" for name, value in truth.items()))
    save(
        "table.csv",
        "method,distinct,ead\n" + "".join(f"{r['method']},{r['distinct']},{r['ead']}\n" for r in rows),
    )
    done = command(
        *("study", "simulate", study.name, "--truth", "truth.csv", "--truth-column", "human"),
        *("--noise", "0.3", "--seed", "1"),
    )
    assert done.returncode == 0, done.stderr
    analysed = command(
        *("study", "analyse", study.name, "--no-metrics", "--values", "table.csv", "--format", "json"),
        *("--column", "distinct", "--column", "ead"),
    )
    assert analysed.returncode == 0, analysed.stderr
    document = json.loads(analysed.stdout)
    assert document["dropped"] == []
    human = {score["method"]: score["human"] for score in document["methods"]}
    # The offsets of annotators shift all methods alike; their gains and the noise move single ones by less.
    shift = np.mean([human[name] - truth[name] for name in truth])
    assert abs(shift) < 1
    assert max(abs(human[name] - truth[name] - shift) for name in truth) < 0.25
    by_metric = {
        (finding["metric"], finding["measure"]): finding["mean"]
        for finding in document["findings"]
        if finding["settings"]["subset"] == "Methods"
    }
    # Table 2, DailyDialog: Pearson, Spearman and Kendall of Distinct and EAD with people.
    printed = {"distinct": (0.67, 0.42, 0.27), "ead": (0.70, 0.62, 0.47)}
    for metric, values in printed.items():
        for measure, value, allowed in zip(("pearson", "spearman", "kendall"), values, (0.05, 0.1, 0.1)):
            assert by_metric[metric, measure] == pytest.approx(value, abs=allowed)
    joined = "".join(f"{r['method']},{r['distinct']},{r['ead']},{human[r['method']]}\n" for r in rows)
    save("joined.csv", f"method,distinct,ead,human\n{joined}")
    judged = command(
        *("judge", "people", "joined.csv", "--human", "human", "--column", "distinct", "--column", "ead"),
        *("--format", "json"),
    )
    assert judged.returncode == 0, judged.stderr
    for finding in json.loads(judged.stdout)["findings"]:
        if finding["measure"] in ("pearson", "spearman", "kendall"):
            key = finding["metric"], finding["measure"]
            assert finding["mean"] == pytest.approx(by_metric[key], abs=1e-9)


def scored(study: Path, scores: dict[str, Sequence[float]]) -> None:
    """Give the sets of each package the scores of an annotator, in the order of the methods."""
    with StudyStore(study) as opened:
        places = {each.set: opened.methods.index(each.method) for each in opened.sets()}
        for name, several in scores.items():
            for (place, column), number in opened.columns_of(name).items():
                opened.save(name, place, column, several[places[number]], f"{place} {column}")


@pytest.mark.slow
def test_the_same_contrasts_in_other_scores_are_the_same_when_rescaled(command: Run, save: Save) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob", methods=("a", "b", "c"))
    # As in the paper: {1, 2, 2} and {2, 5, 5} show the same contrast.
    scored(study, {"ann": (1, 2, 2), "bob": (2, 5, 5)})
    run = ("study", "analyse", study.name, "--no-metrics", "--format", "json")
    raw, rescaled = (json.loads(command(*run, *more).stdout) for more in ([], ["--rescale", "package"]))
    alphas = {each["rescale"]: each["alpha"] for each in raw["reliability"]}
    assert alphas["package"] == pytest.approx(1)
    assert alphas["none"] < 0.6
    # Means of 1.5, 3.5 and 3.5 on a scale from 1 to 50; and the lowest and highest of the contrasts.
    assert [score["human"] for score in raw["methods"]] == pytest.approx(
        [10 * 0.5 / 49, 10 * 2.5 / 49, 10 * 2.5 / 49]
    )
    assert [score["human"] for score in rescaled["methods"]] == pytest.approx([0, 10, 10])


def test_packages_without_contrast_and_scored_in_part_are_counted(command: Run, save: Save) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob", methods=("a", "b", "c"))
    scored(study, {"ann": (1, 20, 40)})
    with StudyStore(study) as opened:
        for place in range(1, 8):  # the last package stays without a score
            for column in (1, 2, 3):
                if (place, column) == (2, 3):
                    continue  # the second in part
                number = opened.columns_of("bob")[place, column]
                method = next(each.method for each in opened.sets() if each.set == number)
                score = 7 if place == 1 else {"a": 2, "b": 30, "c": 50}[method]
                opened.save("bob", place, column, score, f"{place} {column}")
    done = command("study", "analyse", study.name, "--no-metrics", "--rescale", "package")
    assert done.returncode == 0, done.stderr
    assert "1 package (counted per annotator) has equal scores for all sets" in done.stdout
    assert "1 package (counted per annotator) is scored in part" in done.stdout
    assert "Some annotators have not scored all sets: bob (20 of 24)." in done.stdout
    # As given, bob scored 20 sets; rescaled, 7 packages of 3 sets less the one in part.
    assert re.findall(r"(as given|per package) .* (\d+)$", done.stdout, re.MULTILINE) == [
        ("as given", "20"),
        ("per package", "18"),
    ]


def test_an_analysis_of_few_answers_says_what_is_missing(save: Save) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob")
    with StudyStore(study) as opened:
        opened.save("ann", 1, 1, 10, "key")
    with pytest.raises(DistinctlyError, match="at least 2 annotators to compute agreement, got 1"):
        invoke("study", "analyse", study, "--no-metrics")
    with StudyStore(study) as opened:
        opened.save("bob", 2, 1, 10, "key")
    with pytest.raises(DistinctlyError, match="needs 3 sets that two of them scored"):
        invoke("study", "analyse", study, "--no-metrics")
    with pytest.raises(DistinctlyError, match="no annotator has scored all sets of a package yet"):
        invoke("study", "analyse", study, "--no-metrics", "--rescale", "package")


def test_an_analysis_needs_answers_and_its_packages(
    save: Save, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    study = make(save, *SMALL)
    with pytest.raises(DistinctlyError, match="the study has no answers yet"):
        invoke("study", "analyse", study)
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    with pytest.raises(MissingExtraError, match=r'pip install "distinctly\[study\]"'):
        invoke("study", "analyse", study)


def test_answers_are_exported_in_several_formats(command: Run, save: Save, tmp_path: Path) -> None:
    study = make(save, *SMALL, "--annotators", "ann")
    with StudyStore(study) as opened:
        opened.save("ann", 1, 1, 10, "first")
        opened.save("ann", 1, 1, 12.5, "second")
        opened.comment("ann", 1, "=1+1 looks like a formula", "comment")
        number = opened.columns_of("ann")[1, 1]
        known = next(each for each in opened.sets() if each.set == number)
    done = command("study", "export", study.name, "-o", "answers.csv")
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader(io.StringIO((tmp_path / "answers.csv").read_text()))
    assert (row["annotator"], row["score"], row["method"]) == ("ann", "12.5", known.method)
    assert (row["package"], row["set"]) == (str(known.package), str(known.set))
    command("study", "export", study.name, "--all", "-o", "answers.json")
    every = json.loads((tmp_path / "answers.json").read_text())
    assert [(each["score"], each["latest"]) for each in every] == [(10, False), (12.5, True)]
    lines = command("study", "export", study.name, "--what", "sets", "--format", "jsonl").stdout.splitlines()
    assert len(lines) == 32
    assert [json.loads(line)["scores"] for line in lines if '"ann"' in line] == [{"ann": 12.5}]
    assert "'=1+1 looks like a formula" in command("study", "export", study.name, "--what", "comments").stdout
    wrong = command("study", "export", study.name, "-o", "answers.pdf")
    assert (wrong.returncode, (tmp_path / "answers.pdf").exists()) == (2, False)


@pytest.mark.slow
def test_sets_go_into_judge_people(command: Run, save: Save, tmp_path: Path) -> None:
    study = make(save, *SMALL)
    invoke("study", "simulate", study, "--truth-metric", "distinct:n=1")
    command("study", "export", study.name, "--what", "sets", "-o", "sets.jsonl")
    run = (
        "judge",
        "people",
        "sets.jsonl",
        "--annotations",
        "scores",
        "-m",
        "distinct:n=1",
        "--format",
        "json",
    )
    plain, rescaled = (json.loads(command(*run, *more).stdout) for more in ([], ["--package", "package"]))
    assert plain["findings"][0]["mean"] > 0.9
    assert plain["findings"][0]["mean"] != rescaled["findings"][0]["mean"]
    assert any("rescaled per annotator and package" in note for note in rescaled["settings"]["notes"])
    analysed = json.loads(
        command(
            "study", "analyse", study.name, "-m", "distinct:n=1", "--rescale", "package", "--format", "json"
        ).stdout
    )
    assert analysed["findings"][0]["mean"] == pytest.approx(rescaled["findings"][0]["mean"], abs=1e-12)
    for options, message in (
        (["--scale", "1", "50", "--package", "package"], "--scale cannot be combined with packages"),
        (["--package", "set"], "expected packages of several sets to compare"),
    ):
        wrong = command(*run, *options)
        assert wrong.returncode == 2
        assert message in wrong.stderr


def exported(tasks: list[dict[str, object]], score: float) -> list[dict[str, object]]:
    """Return tasks as Label Studio exports them (JSON), all sets with the same score."""
    return [
        {
            "id": number,
            "data": task["data"],
            "annotations": [
                {
                    "id": 1000 + number,
                    "completed_by": 1,
                    "was_cancelled": False,
                    "updated_at": "2026-01-01T10:00:00Z",
                    "result": [
                        {
                            "id": "x",
                            "from_name": f"score_{column}",
                            "to_name": f"set_{column}",
                            "type": "number",
                            "value": {"number": score + column},
                        }
                        for column in (1, 2, 3, 4)
                    ],
                }
            ],
        }
        for number, task in enumerate(tasks, 1)
    ]


def test_label_studio_out_and_in(command: Run, save: Save, tmp_path: Path) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob", "--title", '<b>&"title"')
    run = (
        "study",
        "export",
        study.name,
        "--format",
        "label-studio",
        "--annotator",
        "ann",
        "-o",
        "tasks.json",
    )
    done = command(*run)
    assert done.returncode == 0, done.stderr
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert len(tasks) == 8
    assert not any(method in json.dumps(tasks) for method in METHODS)
    config = ElementTree.fromstring((tmp_path / "tasks.xml").read_text())
    assert next(config.iter("Header")).get("value") == '<b>&"title"'
    names = {each.get("name") for each in config.iter("Text")}
    assert names == {"set_1", "set_2", "set_3", "set_4"} <= tasks[0]["data"].keys()
    assert all((each.get("min"), each.get("max")) == ("1", "50") for each in config.iter("Number"))
    answers = exported(tasks, 10)
    save("export.json", json.dumps(answers))
    for expected in ("32 answers read, 32 of them new.", "32 answers read, 0 of them new; 32 were known."):
        assert command("study", "import", study.name, "export.json").stdout.strip() == expected
    with StudyStore(study) as opened:
        shown = opened.shown("ann", 3)
        assert [each.score for each in shown.sets] == [11, 12, 13, 14]
        # The texts of the task are those of the sets in the same columns.
        for each in shown.sets:
            assert tasks[2]["data"][f"set_{each.column}"].startswith(f"1. {each.texts[0]}\n2. ")
    minimal = [{"id": 1, "annotation_id": 5, **tasks[0]["data"], "score_1": 40, "score_2": {"number": 41}}]
    save("min.json", json.dumps(minimal))
    assert "2 answers read, 2 of them new" in command("study", "import", study.name, "min.json").stdout
    with StudyStore(study) as opened:
        assert [each.score for each in opened.shown("ann", 1).sets] == [40, 41, 13, 14]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"study": "another"}, "item 2: the task is of another study"),
        ({"annotator": "cy"}, "item 2: the study has no annotator 'cy'"),
        ({"package": 99}, "item 2: ann has no package 99"),
        ({"score_9": 5}, "item 2: there is no set for 'score_9'"),
        ({"score_1": 51}, "item 2: 'score_1': Expected a score from 1 to 50, got 51"),
        ({"score_1": "many"}, "item 2: 'score_1': Expected a score from 1 to 50"),
    ],
)
def test_answers_that_do_not_fit_are_refused_as_a_whole(
    save: Save, change: dict[str, object], message: str
) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob")
    with StudyStore(study) as opened:
        data = {"study": opened.identity, "annotator": "ann", "package": 1}
    rows = [{**data, "score_1": 5}, {**data, **change}]
    answers = save("answers.json", json.dumps(rows))
    with pytest.raises(DistinctlyError) as caught:
        invoke("study", "import", study, answers)
    assert message in str(caught.value)
    assert str(caught.value).endswith("Nothing was imported.")
    with StudyStore(study) as opened:
        assert opened.answers() == []


def test_simulated_answers_are_not_mixed_with_others(save: Save) -> None:
    study = make(save, *SMALL)
    with StudyStore(study) as opened:
        opened.save("annotator-1", 1, 1, 10, "key")
    with pytest.raises(DistinctlyError, match="the study has answers already"):
        invoke("study", "simulate", study, "--truth-metric", "ead")
    truth = save("truth.csv", "method,truth\ndull,1\nfair,2\ngood,30\nrich,4\n")
    with pytest.raises(DistinctlyError, match=r"truth.csv, line 4: expected a true diversity from 0 to 10"):
        invoke("study", "simulate", study, "--truth", truth)
    truth = save("truth.csv", "method,truth\ndull,1\nfair,2\ngood,3\n")
    with pytest.raises(DistinctlyError, match="no row for the method 'rich'"):
        invoke("study", "simulate", study, "--truth", truth)
    with pytest.raises(DistinctlyError, match="either --truth FILE or --truth-metric SPEC"):
        invoke("study", "simulate", study)


def test_power_grows_with_sets_and_annotators(command: Run) -> None:
    run = ("study", "power", "--metrics-correlation", "0.8", "--repetitions", "300")
    done = command(
        *run, "--with-people", "0.7", "0.5", "--sets", "30,300", "--annotators", "1,9", "--format", "json"
    )
    assert done.returncode == 0, done.stderr
    power = {(each["sets"], each["annotators"]): each["power"] for each in json.loads(done.stdout)["powers"]}
    assert power[30, 1] < power[300, 1] < power[300, 9]
    assert power[30, 1] < power[30, 9]
    alike = command(
        *run, "--with-people", "0.6", "0.6", "--sets", "100", "--annotators", "3", "--format", "json"
    )
    # Equal correlations: the share is that of false alarms, 0.05 within 4 standard errors of 300 studies.
    share = json.loads(alike.stdout)["powers"][0]["power"]
    assert abs(share - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 300)
    shown = command(*run, "--with-people", "0.7", "0.5", "--sets", "30,300", "--annotators", "1,9")
    assert "A probability of 0.8 or more needs 300 sets with" in shown.stdout
    # √(1 − 0.9²) √(1 − 0.1²) = 0.4337, and 0.9 · 0.1 = 0.09.
    wrong = command(*run, "--with-people", "0.9", "0.1")
    assert wrong.returncode == 2
    assert "correlate between -0.344 and 0.524 with each other, got 0.8" in wrong.stderr
    assert command(*run, "--with-people", "0.7", "0.5", "--sets", "many").returncode == 2


def test_progress_is_shown(command: Run, save: Save) -> None:
    study = make(save, *SMALL, "--annotators", "ann,bob")
    with StudyStore(study) as opened:
        for column in (1, 2, 3, 4):
            opened.save("ann", 2, column, 10, f"{column}")
    done = command("study", "progress", study.name)
    assert done.returncode == 0, done.stderr
    assert "4 methods, 4 of 64 scores given (6 %)" in done.stdout
    assert re.search(r"ann +4 of 32 +1 of 8 +\d{4}-", done.stdout)
    assert re.search(r"bob +0 of 32 +0 of 8 +–", done.stdout)
    missing = command("study", "progress", "none.study")
    assert missing.returncode == 2
    assert "none.study: the study does not exist" in missing.stderr
