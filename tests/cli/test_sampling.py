"""`--sample`, and texts that do not fit into `--memory`."""

from __future__ import annotations

import json


def test_a_sample_is_stated(command, save):
    save("texts.txt", "".join(f"the {i} cats sat on mat {i % 7}\n" for i in range(500)))
    done = command("measure", "texts.txt", "-m", "mtld:pool=corpus", "-m", "distinct:n=1", "--sample", 40)
    assert done.returncode == 0, done.stderr
    assert "Measured on a sample of 40 of 500 texts (seed 0)" in " ".join(done.stdout.split())
    done = command("measure", "texts.txt", "-m", "mtld:pool=corpus", "--sample", 40, "--format", "json")
    score = json.loads(done.stdout)["scores"][0]
    assert score["parts"]["sample"] == 40
    assert "|sample:40|seed:0|" in score["signature"]


def test_standard_input_that_does_not_fit_is_an_error(command):
    lines = "".join(f"the {i} cats sat on the mat and looked at the moon\n" for i in range(12_000))
    done = command("measure", "-", "-m", "mtld:pool=corpus", "--memory", "10MB", given=lines)
    assert done.returncode == 3  # a lack of memory
    assert "standard input: the texts do not fit into 10 MB of memory" in done.stderr
    assert "Save them as a file, or give more --memory" in done.stderr
    assert done.stdout == ""
    counted = command("measure", "-", "-m", "distinct:n=1", "--memory", "10MB", given=lines)
    assert counted.returncode == 0, counted.stderr


def test_compare_takes_a_sample(command, save):
    save("a.txt", "".join(f"the {i} cats sat\n" for i in range(300)))
    save("b.txt", "".join(f"the {i} dogs ran\n" for i in range(300)))
    done = command("compare", "a.txt", "b.txt", "-m", "chi", "-m", "energy", "--sample", 30)
    assert done.returncode == 0, done.stderr
    assert "Measured on samples: 30 of 300 texts" in " ".join(done.stdout.split())
