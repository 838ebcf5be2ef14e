"""`distinctly judge progress`: output and exit status."""

from __future__ import annotations

import json

import pytest

HUMAN = "".join(f"the cat number {n} sat on mat {n * n}\n" for n in range(12))
STEPS = {100: "a dog ran\n" * 6, 200: "the cat ran\n" * 6, 300: "the cat sat on mat 1\n" * 6}


@pytest.fixture
def run(command, save):
    """Judge the progress of three checkpoints, given unordered."""
    save("human.txt", HUMAN)
    for step, content in STEPS.items():
        save(f"step-{step}.txt", content)

    def judge(*arguments, files=("step-300.txt", "step-100.txt", "step-200.txt")):
        return command("judge", "progress", "human.txt", *files, "-m", "jensen_shannon", *arguments)

    return judge


def test_a_table_a_file_to_go_on_with_and_figures(run, tmp_path):
    pytest.importorskip("matplotlib")
    done = run("--save", "run.json", files=("step-200.txt", "step-100.txt"))
    assert (done.returncode, done.stderr) == (0, "")
    done = run("--save", "run.json", "--plots", "figures", files=("step-300.txt",))
    assert done.returncode == 0
    assert "human.txt (12 texts) and 3 checkpoints: 6 random texts per side, 5 draws" in done.stdout
    first = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    assert first[3:7] == ["100", "200", "300", "floor"]
    assert (tmp_path / "figures" / "progress.png").stat().st_size > 0
    found = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert {record["step"] for record in found["records"]} == {None, 100, 200, 300}


def test_steps_can_be_said(run):
    done = run("--steps", "3,1,2.5", "--n", "4", "--repetitions", "2", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["settings"]["n"] == 4
    assert {(one["corpus"], one["step"]) for one in found["records"]} == {
        ("", None),
        ("step-300.txt", 3),
        ("step-100.txt", 1),
        ("step-200.txt", 2.5),
    }


WRONG = {
    "steps": (["--steps", "1,two,3"], "Expected --steps as numbers, such as 100,200,300, got 'two'"),
    "n": (["--n", "7"], "twice n = 7 texts of the reference"),
    "a folder": (["--save", "nowhere/run.json"], "this folder does not exist"),
}


@pytest.mark.parametrize("what", WRONG)
def test_bad_usage_is_one_line_and_exit_code_2(run, what):
    arguments, told = WRONG[what]
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr
