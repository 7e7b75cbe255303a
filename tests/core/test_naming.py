"""Metric names: the form people know, and help where a name is wrong."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from core.metrics.naming import parse_metric


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("RBP(p=0.8)", "RBP(p=0.8)"),
        (" RBP( p = .8 )@10 ", "RBP(p=0.8)@10"),
        ("RBP(p1=0.9, p2=0.5)", "RBP(p1=0.9, p2=0.5)"),
        ("AP@100", "AP@100"),
        ("AP'@100", "AP'@100"),
        ("RBP'(p=0.5)", "RBP'(p=0.5)"),
        ("RBP(p=0.5)'", "RBP'(p=0.5)"),
        ("nDCG(gain='exp')@10", "nDCG(gain='exp')@10"),
        ('nDCG(gain="exp")@10', "nDCG(gain='exp')@10"),
        ("Qmeasure(gains='3:2:1')", "Qmeasure(gains='3:2:1')"),
        ("RR(nth=2)", "RR(nth=2)"),
        ("RR()", "RR"),
    ],
)
def test_a_name_is_read_into_its_usual_form(text: str, name: str) -> None:
    call = parse_metric(text)
    assert call.name == name
    assert parse_metric(call.name) == call


def test_the_two_kinds_of_rbp_are_told_apart_by_their_parameters() -> None:
    assert core.metric("RBP(p=0.3)").key == "RBP"
    assert core.metric("RBP(p2=0.3)").key == "RBP(p1,p2)"
    assert core.metric("P").cutoff == "required"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("RPB", "no metric is called 'RPB'; did you mean RBP"),
        ("MAP", "did you mean AP"),
        ("NDCG@10", "did you mean nDCG"),
        ("mrr", "did you mean RR"),
        ("zzzzzz", "there are RBP, INSQ, P"),
        ("", "is not a metric's name"),
        ("AP@", "is not a metric's name"),
        ("RBP(p=0.8", "is not a metric's name"),
        ("AP@1.5", "is not a metric's name"),
        (None, "is not a metric's name"),
    ],
)
def test_an_unknown_name_gets_the_closest_ones(name: str, message: str) -> None:
    with pytest.raises(core.UnknownMetricError, match=message):
        core.score(name, "$")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("RBP(p=1)", "RBP: p must be at least 0 and below 1; got 1"),
        ("RBP(p=-0.1)", "got -0.1"),
        ("RBP(p=nan)", "p must be a finite number"),
        ("RBP(p='0.8')", "p must be a finite number; got '0.8'"),
        ("RBP(p=0.8, p=0.9)", "p is given twice"),
        (
            "RBP(p=0.8, p1=0.9)",
            "does not take the parameters p, p1 together; it takes p or p1, p2",
        ),
        ("RBP(0.8)", "'0.8' is no parameter; write name=value"),
        ("AP(k=3)", "it takes none"),
        ("RR(nth=1.5)", "nth must be a whole number"),
        ("nDCG(gain='log')", "gain must be 'linear' or 'exp'; got 'log'"),
        ("Qmeasure(gains='3:x')", "gains must be numbers such as '3:2:1'"),
        ("Qmeasure(gains='')", "gains must be numbers such as '3:2:1'"),
        ("Qmeasure(gains='3:0')", "gains must be above 0"),
        ("NWRR(penalties='1:2')", "penalties must be above 1"),
        (
            "Qmeasure(gains='1:2:3')",
            "gains must not rise from the highest grade to the lowest",
        ),
        ("NWRR(penalties='4:3:2')", "penalties must not fall from the highest grade"),
        ("P", "P needs a cutoff; write for example P@10"),
        ("Bpref@10", "Bpref has no cutoff"),
        ("AP@0", "cutoff must be from 1 to 1,000,000; got @0"),
        ("AP@99999999999999999999999", "cutoff must be from 1"),
    ],
)
def test_a_wrong_parameter_is_refused_with_the_rule(name: str, message: str) -> None:
    with pytest.raises(core.ParameterError, match=message):
        core.score(name, "$")


def test_too_few_gains_or_penalties_for_the_grades_are_refused() -> None:
    for name in ("Qmeasure(gains='2:1')", "NWRR(penalties='2:3')"):
        with pytest.raises(core.ParameterError, match="there are 3 grades above 0"):
            core.score(name, "3-")
        assert core.score(name, "2-", top_grade=3).value == pytest.approx(1.0)
        with pytest.raises(core.ParameterError, match="there are 3 grades above 0"):
            core.score(name, "2?", top_grade=3)  # the unjudged one may be of grade 3


def outcome(work: Callable[[], object]) -> str:
    """Say what came of it; anything but a result or a `CoreError` fails the test."""
    try:
        return f"result: {work()}"
    except core.CoreError as error:
        return str(error)


@given(st.text(max_size=40))
def test_any_name_is_understood_or_refused_with_a_message(name: str) -> None:
    assert outcome(lambda: parse_metric(name))


@given(
    st.sampled_from([spec.name for spec in core.METRICS]),
    st.text("p12bkgainsthmd=.,:'0123456789 ", max_size=24),
    st.text("@0123456789'", max_size=6),
)
def test_any_parameters_are_understood_or_refused(name: str, params: str, end: str) -> None:
    assert outcome(lambda: core.score(f"{name}({params}){end}", "3?-1$"))
