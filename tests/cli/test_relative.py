"""`--relative-to` on the command line."""

from __future__ import annotations


def test_a_file_that_is_not_among_the_others_is_added(command, save):
    save("human.txt", "a b c\na a b\na b\nc c c c\na b c d\n")
    save("model.txt", "a a\na b a b\na a a\nb c\na a b b\n")
    for files in (["model.txt"], ["human.txt", "model.txt"]):
        run = command("measure", *files, "-m", "ttr", "--relative-to", "human.txt")
        assert run.returncode == 0, run.stderr
        # 0.5667 / 0.7833: see tests/test_relative.py
        assert "relative to human.txt" in run.stdout
        assert "ttr      0.723 ±" in run.stdout


def test_errors(command, save):
    save("model.txt", "a a\nb\n")
    save("empty.txt", "")
    run = command("measure", "model.txt", "--relative-to", "none.txt")
    assert (run.returncode, run.stdout) == (2, "")
    assert "none.txt: no such file" in run.stderr
    run = command("measure", "model.txt", "--relative-to", "empty.txt")
    assert (run.returncode, run.stdout) == (2, "")
    assert "empty.txt: the file is empty: no text to measure" in run.stderr
