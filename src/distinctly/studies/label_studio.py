"""Studies in Label Studio: tasks and their labeling configuration out, answers in.

One task is one package of one annotator, with the sets in the annotator's columns. Its data name the study,
the annotator and the place of the package, by which answers are matched when they come back; they contain
nothing about methods. Texts are shown by the tag ``Text``, which does not interpret HTML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from distinctly.errors import InputError, escaped, reason
from distinctly.studies.model import AnswerError, NewAnswer
from distinctly.studies.store import LONGEST_COMMENT, StudyStore

_SCORE = re.compile(r"score_(\d+)")
# Characters that XML cannot hold, and marks that reverse the direction of writing.
_PLAIN = {"\n", "\t"}


def tasks_of(study: StudyStore, annotators: Sequence[str]) -> list[dict[str, Any]]:
    """Return one task per annotator and package, in the order of each annotator."""
    tasks = []
    for name in annotators:
        for state in study.packages_of(name):
            shown = study.shown(name, state.place)
            sets = {
                f"set_{each.column}": "\n".join(
                    f"{number}. {text}" for number, text in enumerate(each.texts, 1)
                )
                for each in shown.sets
            }
            data = {"study": study.identity, "annotator": name, "package": state.place, **sets}
            tasks.append({"data": data})
    return tasks


def labeling_config(study: StudyStore) -> str:
    """Return the labeling configuration: sets in columns, with a number below each."""
    whole = study.low.is_integer() and study.high.is_integer() and study.high - study.low >= 10
    number = f'min="{study.low:g}" max="{study.high:g}" step="{1 if whole else 0.1}" required="true"'
    columns = "\n".join(
        f"""    <View style="flex: 1; min-width: 16em; padding: 0.5em">
      <Header value={_attribute(f"Set {column}")} size="4"/>
      <Text name="set_{column}" value="$set_{column}"/>
      <Header value={_attribute(study.question)} size="6"/>
      <Number name="score_{column}" toName="set_{column}" {number}/>
    </View>"""
        for column in range(1, len(study.methods) + 1)
    )
    return f"""<View>
  <Header value={_attribute(study.title)}/>
  <View style="display: flex; flex-wrap: wrap">
{columns}
  </View>
  <TextArea name="comment" toName="set_1" placeholder="Comment" maxSubmissions="1"/>
</View>
"""


def _attribute(text: str) -> str:
    """Return text as an attribute of XML; a dollar sign at its beginning would name a field of the task."""
    shown = "".join(character if character in _PLAIN else escaped(character) for character in text)
    return quoteattr(f" {shown}" if shown.startswith("$") else shown)


@dataclass(frozen=True)
class _Submission:
    """The answers of one task, wherever the export has them.

    Attributes
    ----------
    where
        The item of the file, for errors.
    data
        The data of the task.
    scores
        The scores by the name of their tag.
    comment
        The comment; empty if there is none.
    version
        What identifies the annotation and its last change.
    """

    where: str
    data: Mapping[str, Any]
    scores: Mapping[str, Any]
    comment: str
    version: str


def import_answers(study: StudyStore, path: str | Path) -> tuple[int, int]:
    """Store the answers of a file that Label Studio has exported, as JSON or JSON-MIN, all or none.

    Returns
    -------
    tuple
        The number of answers in the file, and of those that were not in the study before.

    Raises
    ------
    InputError
        If an item belongs to another study, or names an annotator, package or set that does not exist, or a
        score outside the scale.
    """
    answers, comments = [], []
    annotators = study.annotators
    for submission in _submissions(path):
        name, place = _target(study, submission, annotators, path)
        for tag, score in submission.scores.items():
            match = _SCORE.fullmatch(tag)
            if match is None or not 0 < int(match[1]) <= len(study.methods):
                raise _wrong(f"there is no set for '{tag}'", submission, path)
            try:
                number = study.check_score(score)
            except AnswerError as error:
                raise _wrong(f"'{tag}': {error}".rstrip("."), submission, path) from error
            key = f"label-studio {submission.version} {tag}"
            answers.append(NewAnswer(name, place, int(match[1]), number, key))
        if submission.comment:
            comments.append((name, place, submission.comment, f"label-studio {submission.version}"))
    before = len(study.answers())
    try:
        study.save_all(answers)
        for name, place, text, key in comments:
            study.comment(name, place, text[:LONGEST_COMMENT], key)
    except AnswerError as error:
        raise InputError(f"{error} Nothing was imported.", source=str(path)) from error
    return len(answers), len(study.answers()) - before


def _wrong(problem: str, submission: _Submission, path: str | Path) -> InputError:
    return InputError(f"{problem}. Nothing was imported.", source=str(path), row=submission.where)


def _target(
    study: StudyStore, submission: _Submission, annotators: Sequence[str], path: str | Path
) -> tuple[str, int]:
    """Return the annotator and the place of a submission."""
    data = submission.data
    if data.get("study") != study.identity:
        raise _wrong("the task is of another study", submission, path)
    name, place = data.get("annotator"), data.get("package")
    if name not in annotators:
        raise _wrong(f"the study has no annotator {name!r:.100}", submission, path)
    if not isinstance(place, int) or not 0 < place <= len(study.packages_of(str(name))):
        raise _wrong(f"{name} has no package {place!r:.40}", submission, path)
    return str(name), place


def _submissions(path: str | Path) -> Iterator[_Submission]:
    """Yield the annotations of an exported file that were not cancelled."""
    try:
        items = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise InputError("the file does not exist.", source=str(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        problem = f"expected the JSON that Label Studio exports, got another file ({reason(error)})."
        raise InputError(problem, source=str(path)) from error
    if not isinstance(items, list):
        raise InputError("expected an array of tasks, as Label Studio exports it.", source=str(path))
    for number, item in enumerate(items, 1):
        where = f"item {number}"
        if not isinstance(item, dict):
            raise InputError("expected a task, which is an object.", source=str(path), row=where)
        if "annotations" in item or "data" in item:
            yield from _of_task(item, where, path)
        else:
            yield _of_row(item, where)


def _of_task(item: Mapping[str, Any], where: str, path: str | Path) -> Iterator[_Submission]:
    """Yield the annotation of a task in the format JSON."""
    data, annotations = item.get("data"), item.get("annotations")
    if not isinstance(data, dict) or not isinstance(annotations, list):
        raise InputError("expected a task with data and annotations.", source=str(path), row=where)
    finished = [each for each in annotations if isinstance(each, dict) and not each.get("was_cancelled")]
    people = {json.dumps(each.get("completed_by"), sort_keys=True, default=str) for each in finished}
    if len(people) > 1:
        raise InputError(
            f"expected annotations of one person, got {len(people)}. Give each annotator a project with the "
            "tasks of --annotator NAME. Nothing was imported.",
            source=str(path),
            row=where,
        )
    # The latest annotation counts, so it is stored last.
    for annotation in sorted(finished, key=lambda each: str(each.get("updated_at", ""))):
        scores: dict[str, Any] = {}
        comment = ""
        for result in annotation.get("result") or ():
            value = result.get("value") if isinstance(result, dict) else None
            if not isinstance(value, dict):
                raise InputError("expected results with values.", source=str(path), row=where)
            if result.get("type") == "textarea":
                comment = " ".join(map(str, value.get("text") or ()))
            elif result.get("type") in ("number", "rating"):
                scores[str(result.get("from_name"))] = value.get(str(result["type"]))
        version = f"{annotation.get('id', '')} {annotation.get('updated_at', '')}"
        yield _Submission(where, data, scores, comment, version)


def _of_row(item: Mapping[str, Any], where: str) -> _Submission:
    """Return the annotation of a row in the format JSON-MIN."""
    scores = {name: _number(value) for name, value in item.items() if name.startswith("score_")}
    comment = item.get("comment", "")
    text = " ".join(map(str, comment)) if isinstance(comment, list) else str(comment)
    version = f"{item.get('annotation_id', item.get('id', ''))} {item.get('updated_at', '')}"
    return _Submission(where, item, scores, text, version)


def _number(value: object) -> object:
    """Return the number of a result, which may be in a list and in an object."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value.get("number", value.get("rating")) if isinstance(value, dict) else value
