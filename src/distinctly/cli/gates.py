"""Gates: bounds on scores, given by `--require`, that decide the exit status."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from distinctly.cli import one_line, say
from distinctly.cli.baseline import Baseline, Bound, Known, size_warning
from distinctly.errors import DistinctlyError, SpecError, unknown
from distinctly.metrics import Metric
from distinctly.options import split_spec
from distinctly.registry import is_metric_name
from distinctly.report.cells import printable
from distinctly.report.pages.scores import Verdict
from distinctly.run.scopes import SCOPES
from distinctly.score import Score, Scores
from distinctly.spec import Request, parse_metrics

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
NO_BASELINE = "it needs the scores of an earlier run. Use --baseline FILE."
_REVERSED = re.compile(r"=[<>](?=[^<>=]*$)")
_GATE = re.compile(r"\s*(?P<subject>.+?)\s*(?P<operator>>=|<=|>|<)\s*(?P<bound>[^<>=]+?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Gate:
    """A bound on the value of a metric: `ead>=0.2`, `within/ead>=0.2`, `gpt4/within/ead>=0.2`.

    Attributes
    ----------
    text
        The gate as it was given.
    corpus
        The name of the corpus, for distances that of the candidate; None for each corpus.
    scope
        The grouping of the texts; None for the texts as a whole, like ``pooled``.
    requests
        The metrics: one, or several if the spec expands to several.
    operator, bound
        The comparison, and the bound that values are compared with.

    Examples
    --------
    >>> gate = Gate.parse("runs/a/gpt4/within/ead>0.2")
    >>> gate.corpus, gate.scope, gate.specs, gate.operator, gate.bound.number(baseline=0.5)
    ('runs/a/gpt4', 'within', ['ead'], '>', 0.2)
    """

    text: str
    corpus: str | None
    scope: str | None
    requests: tuple[Request, ...]
    operator: str
    bound: Bound

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Parse a gate from the right, since the names of corpora may contain slashes."""
        if wrong := _REVERSED.search(text):
            right = wrong[0][::-1]
            fixed = text.replace(wrong[0], right)
            raise SpecError(f"Unknown operator '{wrong[0]}' in '{text}'. Use {right}, as in '{fixed}'.")
        match = _GATE.fullmatch(text)
        bound = Bound.parse(match["bound"]) if match else None
        if match is None or bound is None:
            raise SpecError(
                "Expected a requirement such as 'ead>=0.2', 'within/distinct:n=2>0.4', "
                f"'corpus/within/ead>=0.2' or 'vendi>=0.9*baseline', got '{text}'."
            )
        prefix, requests = _split(text, match["subject"])
        scope = prefix.pop().strip() if prefix and prefix[-1].strip() in SCOPES else None
        corpus = "/".join(prefix).strip() if prefix else None
        return cls(text, corpus, scope, requests, match["operator"], bound)

    @property
    def specs(self) -> list[str]:
        """The specs of the metrics."""
        return [request.spec for request in self.requests]

    def check_corpus(self, names: Sequence[str], kind: Literal["corpus", "candidate"]) -> None:
        """Raise if the gate is about a corpus that is not one of these."""
        if self.corpus is not None and self.corpus not in names:
            raise _refusal(self.text, str(unknown(kind, self.corpus, names)))

    def verdicts(self, scores: Scores, baseline: Baseline | None = None) -> list[Verdict]:
        """Return whether each score that the gate is about meets it; NaN meets no gate.

        Parameters
        ----------
        scores
            The scores of the run.
        baseline
            The scores of an earlier run, if the bound refers to them.

        Raises
        ------
        SpecError
            If there is no such score: a gate never passes because there is nothing to compare.
        """
        corpora = list(dict.fromkeys(score.corpus for score in scores))
        distances = any(score.kind == "distance" for score in scores)
        self.check_corpus(corpora, "candidate" if distances else "corpus")
        # By identity, since scores are equal if their values are.
        bounded = {
            id(score): request.metric
            for request in self.requests
            for corpus in (corpora if self.corpus is None else [self.corpus])
            for score in self._scores_of(request, corpus, scores)
        }
        if not bounded:
            raise _refusal(self.text, "there are no scores.")
        return [
            self._verdict(bounded[id(score)], score, baseline) for score in scores if id(score) in bounded
        ]

    def _verdict(self, metric: Metric, score: Score, baseline: Baseline | None) -> Verdict:
        """Return whether a score meets the gate."""
        meets, known = _OPERATORS[self.operator], None
        if self.bound.factor is not None:
            known = self._baseline(score, baseline)
        value = math.nan if known is None or known.value is None else known.value
        bound = self.bound.number(value)
        warning = None if known is None else size_warning(metric, score, known)
        return Verdict(
            self.text,
            score,
            meets(score.value, bound),
            bound,
            None if known is None else known.value,
            warning,
        )

    def _baseline(self, score: Score, baseline: Baseline | None) -> Known:
        """Return the score of an earlier run that a score is compared with."""
        if baseline is None:
            raise _refusal(self.text, NO_BASELINE)
        try:
            return baseline.find(score)
        except SpecError as problem:
            raise _refusal(self.text, str(problem)) from problem

    def _scores_of(self, request: Request, corpus: str, scores: Scores) -> list[Score]:
        """Return the scores of a metric and a corpus in the scope of the gate."""
        of_metric = [score for score in _matching(request, scores) if score.corpus == corpus]
        if not of_metric:
            raise _refusal(self.text, f"there is no score of '{request.spec}' for '{corpus}'.")
        measured = {score.scope for score in of_metric}
        scopes: set[str | None] = {None, "pooled"} if self.scope in (None, "pooled") else {self.scope}
        if self.scope == "across" and measured == {"pooled"} and not request.metric.reads_groups:
            # Every group has one text, so `across` is the same as `pooled` and not measured separately.
            scopes = {"pooled"}
        if not scopes & measured:
            raise _refusal(self.text, _why_not_in(self.scope or "pooled", request, of_metric))
        return [score for score in of_metric if score.scope in scopes]


def judge(gates: Sequence[Gate], scores: Scores, baseline: Baseline | None) -> list[Verdict]:
    """Return the verdicts of all gates; print warnings on baselines of other sizes."""
    verdicts = [verdict for gate in gates for verdict in gate.verdicts(scores, baseline)]
    for warning in dict.fromkeys(verdict.warning for verdict in verdicts if verdict.warning):
        say(f"distinctly: warning: {one_line(warning)}", err=True)
    return verdicts


def read_baseline(file: str | None, gates: Sequence[Gate]) -> Baseline | None:
    """Read the baseline of gates; raise if it is missing, or if no gate refers to it."""
    referring = [gate for gate in gates if gate.bound.factor is not None]
    if file is None:
        if referring:
            raise _refusal(referring[0].text, NO_BASELINE)
        return None
    if not referring:
        raise SpecError('--baseline has no effect without a requirement such as "vendi>=0.9*baseline".')
    return Baseline.read(file)


def report_failures(verdicts: Sequence[Verdict]) -> bool:
    """Print the gates that are not met, with the values; return whether there are any."""
    failures = [verdict for verdict in verdicts if not verdict.met]
    for verdict in failures:
        score = verdict.score
        compared = f" against {score.reference}" if score.kind == "distance" else ""
        subject = ", ".join(part for part in (f"{score.corpus}{compared}", score.scope, score.spec) if part)
        value = f"undefined: {score.undefined}" if score.undefined else f"{score.value:.6g}"
        bound = "" if verdict.baseline is None else f"; the bound is {verdict.bound:.6g}"
        line = printable(f"not met: {verdict.requirement} ({subject} is {value}{bound})")
        say(f"distinctly: {line}", err=True)
    return bool(failures)


def _split(text: str, subject: str) -> tuple[list[str], tuple[Request, ...]]:
    """Split the subject of a gate into the words before its spec, and the requests of the spec.

    A spec may contain slashes too: it is the shortest part at the right that can be parsed.
    """
    words = subject.split("/")
    problems: dict[str, DistinctlyError] = {}
    for start in reversed(range(len(words))):
        spec = "/".join(words[start:]).strip()
        try:
            requests = parse_metrics(spec, sampling=True)
        except DistinctlyError as problem:
            problems[spec] = problem
        else:
            return words[:start], tuple(requests)
    clearest = _clearest(problems)
    raise _refusal(text, str(clearest)) from clearest


def _refusal(text: str, problem: str) -> SpecError:
    return SpecError(f"Cannot check the requirement '{text}': {problem}")


def _clearest(problems: Mapping[str, DistinctlyError]) -> DistinctlyError:
    """Return the error that explains best why no part of a gate is a spec; the shortest part is the first."""
    in_files = []
    for spec, problem in problems.items():
        place = spec.partition(",")[0].rpartition(":")[0]
        if place.endswith(".py"):
            in_files.append(problem)
        missing_file = isinstance(problem.__cause__, OSError)
        if is_metric_name(spec.partition(":")[0].strip()) or (place.endswith(".py") and not missing_file):
            return problem
    return in_files[-1] if in_files else next(iter(problems.values()))


def _matching(request: Request, scores: Scores) -> list[Score]:
    """Return the scores of a metric: those of its spec or, if there are none, those with its options.

    A run may add options to the spec that it shows, such as a unit that it chose. Of several specs with the
    options of the gate, those with the fewest others are meant. Values at a size are meant only by a gate
    that names the size.
    """
    at_size = "at" in _options_in(request.spec)
    candidates = Scores([score for score in scores if at_size or score.options.get("at") is None])
    matched: Score | Scores | None = candidates.get(request.spec)
    of_metric = [matched] if isinstance(matched, Score) else list(matched or ())
    fewest = min((len(_options_in(score.spec)) for score in of_metric), default=0)
    return [score for score in of_metric if len(_options_in(score.spec)) == fewest]


def _options_in(spec: str) -> Mapping[str, str]:
    """Return the options that a spec states; none for a function, whose spec is matched as a whole."""
    try:
        return split_spec(spec)[1]
    except SpecError:
        return {}


def _why_not_in(scope: str, request: Request, scores: Sequence[Score]) -> str:
    """Return why the scores of a metric are not in a scope."""
    if any(score.kind == "distance" for score in scores):
        return "distances have no scopes."
    if request.metric.reads_groups:
        return f"'{request.spec}' reads the groups itself, so its only scope is pooled."
    if all(score.scope is None for score in scores):
        return f"the scope '{scope}' needs texts in groups. Use --group FIELD."
    if all(score.scope == "pooled" for score in scores):
        return f"every group has one text, so there is no scope '{scope}'. The scope 'pooled' has all texts."
    return f"'{request.spec}' has no score in the scope '{scope}'."
