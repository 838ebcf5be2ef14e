"""Agreement with people from files: fields and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.judging.people.rated_sets import HUMAN, SETS, rows_file

from distinctly.errors import InputError
from distinctly.judging import human_agreement


class TestFiles:
    """Sets in files, and errors in them."""

    @pytest.mark.parametrize("name", ["sets.jsonl", "sets.jsonl.gz"])
    def test_a_file_is_read_as_lists_are(self, tmp_path: Path, name: str) -> None:
        path = rows_file(tmp_path, name, task=list("ppprrr"), metric_x=[1, 2, 3, 4, 5, 6])
        trial = human_agreement(path, "ead", human="score", subsets=["task"], columns="metric_*")
        lists = human_agreement(
            SETS, "ead", human=HUMAN, subsets=list("ppprrr"), columns={"metric_x": [1, 2, 3, 4, 5, 6]}
        )
        assert [one.to_dict() for one in trial.findings] == [one.to_dict() for one in lists.findings]

    def test_several_fields_make_a_subset(self, tmp_path: Path) -> None:
        path = rows_file(tmp_path, task=list("pppppp"), size=[1, 1, 1, 2, 2, 2])
        assert human_agreement(path, "ead", human="score", subsets=["task", "size"]).subsets == ["p 1", "p 2"]

    def test_texts_are_optional(self, tmp_path: Path) -> None:
        path = rows_file(tmp_path, x=[1, 2, 3, 4, 5, 6])
        only = human_agreement(path, [], human="score", columns=["x"])
        assert {one["metric"] for one in only.records} == {"x"}
        assert only.settings["texts"] is None

    def test_annotations_in_a_mapping_a_list_or_columns(self, tmp_path: Path) -> None:
        raw = [{"w1": score, "w2": score * 2} for score in HUMAN]
        path = rows_file(
            tmp_path,
            scores=raw,
            several=[list(one.values()) for one in raw],
            w1=[one["w1"] for one in raw],
            w2=[one["w2"] for one in raw],
        )
        found = [
            human_agreement(path, "ead", annotations=named).findings[0].mean
            for named in ("scores", "several", ["w?"], ["w1", "w2"])
        ]
        assert found == pytest.approx([found[0]] * 4)

    @pytest.mark.parametrize(
        ("row", "options", "message"),
        [
            ('{"texts": ["a"]}', {}, "line 2: Unknown field 'score'. Fields: texts. Choose one with --human"),
            ('{"texts": ["a"], "score": null}', {}, "line 2: the value of 'score' is missing"),
            (
                '{"texts": ["a"], "score": "high"}',
                {},
                "line 2: expected a number in 'score', got 'high'",
            ),
            (
                '{"texts": ["a"], "score": true}',
                {},
                "line 2: expected a number in 'score', got a truth value",
            ),
            ('{"texts": 3, "score": 1}', {}, "line 2: expected a text or a list of texts, got"),
            (
                '{"texts": ["a", 1], "score": 1}',
                {},
                "line 2: expected a text or a list of texts, got a list of number and",
            ),
            ('{"score": 1}', {}, "line 2: Unknown field 'texts'. Fields: score. Choose one with --field"),
            ('{"texts": ["a"], "score": 1}', {"columns": ["x*"]}, "line 1: Unknown field 'x*'"),
            ('{"texts": ["a"], "score": 1}', {"subsets": "task"}, "line 1: Unknown field 'task'"),
            ("[1]", {}, "line 2: expected an object, got a list of number"),
            ("{", {}, "line 2: not valid JSON"),
        ],
    )
    def test_errors_name_file_and_row(
        self, tmp_path: Path, row: str, options: dict[str, Any], message: str
    ) -> None:
        path = tmp_path / "sets.jsonl"
        path.write_text(f'{{"texts": ["a", "b"], "score": 1}}\n{row}\n')
        with pytest.raises(InputError) as caught:
            human_agreement(path, "ead", human="score", **options)
        assert f"{path}, {message}" in str(caught.value)

    def test_a_file_without_fields(self, tmp_path: Path) -> None:
        path = tmp_path / "sets.txt"
        path.write_text("a\n")
        with pytest.raises(InputError, match="rows with fields: jsonl, json, csv, tsv"):
            human_agreement(path, "ead", human="score")
