"""Specs: their meaning, and errors."""

from __future__ import annotations

import pytest

import distinctly as dy
from distinctly.diversity.distinct import Distinct
from distinctly.diversity.ead import Ead
from distinctly.spec import parse_metrics


@pytest.mark.parametrize(
    ("spec", "metric"),
    [
        ("distinct:n=2", Distinct(n=2)),
        (" distinct: n=2 , pool=text ", Distinct(n=2, pool="text")),
        ("distinct:n=2,preset=li2016", Distinct(n=2, denominator="tokens")),
        ("distinct:preset=card,n=3", Distinct(n=3, pool="text", denominator="tokens", short="zero")),
        ("distinct:n=1,preset=card,pool=corpus", Distinct(n=1, denominator="tokens")),
        ("ead", Ead(n=1, vocabulary=30522)),
        ("ead:vocabulary=50257", Ead(vocabulary=50257)),
        ("ead:vocabulary=chao1", Ead(vocabulary="chao1")),
    ],
)
def test_meaning(spec: str, metric: object) -> None:
    assert dy.metric(spec) == metric


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "distnct",
            "Unknown metric 'distnct'. Did you mean 'distinct'? Known: answers, chamfer, ",
        ),
        ("", "Unknown metric ''."),
        ("distinct:m=2", "Unknown option 'm' of 'distinct'."),
        ("distinct:denominater=tokens", "Did you mean 'denominator'?"),
        (
            "distinct:n=2,pool=txt",
            "Expected `pool` of 'distinct' to be corpus | text | group, got 'txt'. Did you mean 'text'?",
        ),
        ("distinct:n=two", "Expected `n` of 'distinct' to be a whole number, got 'two'."),
        ("distinct:n=1.5", "to be a whole number, got '1.5'"),
        ("distinct:n=0", "Expected `n` of 'distinct' to be at least 1, got 0."),
        ("distinct:n", "Expected `option=value`"),
        ("distinct:n=", "Expected `option=value`"),
        ("distinct:n=2,n=3", "Option 'n' is given twice"),
        ("distinct:n=2,preset=li2017", "Unknown preset 'li2017' of 'distinct'. Did you mean 'li2016'?"),
        ("ead:preset=paper", "Unknown preset 'paper' of 'ead'. It has none."),
        (
            "ead:vocabulary=chao",
            "a whole number | bert | tokenizer | chao1 | reference, got 'chao'. Did you mean 'chao1'?",
        ),
        ("distinct:_known=3", "Unknown option '_known'"),
        ("ead:_known=3", "Unknown option '_known'"),
    ],
)
def test_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(dy.SpecError) as caught:
        parse_metrics(spec)
    assert message in str(caught.value)


def test_python_options_are_checked_too() -> None:
    with pytest.raises(dy.SpecError, match="Expected `n` of 'distinct' to be a whole number, got 2.0"):
        Distinct(n=2.0)  # type: ignore[arg-type]
    with pytest.raises(dy.SpecError, match="Expected `pool`"):
        Distinct(n=2, pool="all")  # type: ignore[arg-type]
    with pytest.raises(dy.SpecError, match="got none"):
        dy.measure(["a"], [])
    with pytest.raises(dy.SpecError, match="got 3"):
        dy.measure(["a"], [3])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("alias", "spec"),
    [
        ("expectation_adjusted_distinct", "ead"),
        ("expectation_adjusted_distinct: vocabulary=chao1", "ead:vocabulary=chao1"),
        ("density_coverage:k=3", "dc:k=3"),
        ("retrieval_precision_recall:preset=paper", "irpr:preset=paper"),
    ],
)
def test_an_alias_is_the_metric_and_shows_its_short_name(alias: str, spec: str) -> None:
    assert dy.metric(alias) == dy.metric(spec)
    assert [request.spec for request in parse_metrics([alias, spec])] == [spec]


def test_scores_of_an_alias_have_the_short_name() -> None:
    score = dy.compare(["a b"], ["a c"], "chi_squared:top=3")[0]
    assert (score.metric, score.spec) == ("chi", "chi:top=3")
    assert score.signature.startswith("chi|top:3|")


def test_an_unknown_option_of_an_alias_is_told_of_the_short_name() -> None:
    with pytest.raises(dy.SpecError, match="Unknown option 'j' of 'dc'"):
        dy.metric("density_coverage:j=3")


def test_the_class_of_a_metric_is_no_metric() -> None:
    with pytest.raises(
        dy.SpecError, match=r"Expected a metric such as Distinct\(…\), got the class Distinct"
    ):
        dy.measure(["a"], Distinct)


def test_metrics_as_objects() -> None:
    assert dy.measure(["a b a"], Distinct(n=1))[0].spec == "distinct:n=1,pool=corpus,denominator=ngrams"


def test_the_same_spec_twice_is_one_score() -> None:
    assert len(dy.measure(["a"], ["ead", "ead"])) == 1


def test_a_spec_of_several_metrics_is_not_one() -> None:
    with pytest.raises(dy.SpecError, match="which expands to distinct:n=1, distinct:n=2"):
        dy.metric("distinct")
