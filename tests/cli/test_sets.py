"""`-m content` and other sets of metrics, through the command."""

import json

from distinctly.sets import SETS


def test_the_overview_has_sets_and_a_name_lists_their_metrics(command):
    overview = command("list").stdout
    assert all(f"  {name} " in overview for name in SETS)
    assert "  self_repetition" in command("list", "repetition").stdout


def test_a_set_is_measured(command, save):
    rows = [
        ("Paris.", "The capital?"),
        ("It is Paris.", "The capital?"),
        ("Cats purr.", "Cats?"),
        ("Meow.", "Cats?"),
    ]
    path = save(
        "answers.jsonl", "".join(json.dumps({"text": text, "prompt": prompt}) + "\n" for text, prompt in rows)
    )
    shown = json.loads(
        command("measure", path, "--prompt", "prompt", "-m", "content", "--format", "json").stdout
    )
    names = {score["metric"] for score in shown["scores"]}
    assert {"vendi", "answers", "chamfer"} <= names
    assert "distinct" not in names


def test_a_set_that_the_texts_do_not_allow_is_an_error(command, save):
    path = save("ids.jsonl", '{"text": [1, 2, 3]}\n')
    result = command("measure", path, "--tokens", "-m", "content")
    assert result.returncode == 2
    assert "'content', of which these texts allow none" in result.stderr
