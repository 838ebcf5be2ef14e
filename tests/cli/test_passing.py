"""Quality gates on the command line."""

from __future__ import annotations

TEXTS, QUALITY = ["a b", "a b", "c d", "e f e"], [3.0, 1.0, 2.0, 2.5]


def test_the_command(command, save):
    lines = [f'{{"text": "{text}", "q": {q}}}' for text, q in zip(TEXTS, QUALITY)]
    path = save("m.jsonl", "\n".join(lines) + "\n")
    run = command("measure", path, "-m", "distinct:n=1", "--quality", "q", "--at-least", "2")
    assert run.returncode == 0
    assert "Texts that pass  75% of m.jsonl (quality ≥ 2)" in run.stdout
    assert "passed 0.7500" in run.stdout
    # Each part stands apart from what is above it, by one empty line.
    lines = [line.partition("  ")[0] for line in run.stdout.splitlines()]
    for title in ("All texts", "Texts that pass"):
        place = lines.index(title)
        assert (lines[place - 1], bool(lines[place - 2]), lines[place + 1]) == ("", True, "")
    run = command("measure", path, "-m", "distinct:n=1", "--quality", "text", "--at-least", "2")
    assert run.returncode == 2
    assert "m.jsonl, line 1: expected the quality to be a number, got text ('a b')" in run.stderr
    run = command("measure", path, "-m", "distinct:n=1", "--at-least", "2")
    assert run.returncode == 2
    assert "the quality of the texts is not known" in run.stderr
