"""Values computed by other tools, each with the tool, its version and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import distinctly as dy

GOLDEN = json.loads((Path(__file__).parent / "golden" / "demo.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("spec", GOLDEN["values"])
def test_is_what_the_other_tool_gave(spec: str) -> None:
    made = GOLDEN["values"][spec]
    score = dy.measure(GOLDEN["corpus"], spec, tokenizer=GOLDEN["tokenizer"])[0]
    assert score.value == pytest.approx(made["value"], rel=1e-9), f"{made['tool']}: {made['command']}"
