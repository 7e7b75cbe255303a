"""Relevance strings: what is read, what is refused and in which words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from core.judged import UNJUDGED
from core.relevance import judge

CHARACTERS = "$+x-.0?_123456789SAB"


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("$+x", [1, 1, 1]),
        ("-.0", [0, 0, 0]),
        ("?_", [UNJUDGED, UNJUDGED]),
        ("19", [1, 9]),
        ("SAB", [3, 2, 1]),
        ("$2", [2, 2]),  # $ is the top grade, here 2
        (" $ -,|\n?\t\r", [1, 0, UNJUDGED]),
    ],
)
def test_each_character_has_its_meaning(text: str, grades: list[int]) -> None:
    assert core.parse_relevance(text).grades.tolist() == grades


def test_the_top_grade_is_the_largest_present_and_at_least_one() -> None:
    assert core.parse_relevance("--?").top_grade == 1
    assert core.parse_relevance("-2-").top_grade == 2
    assert core.parse_relevance("-2-", top_grade=3).top_grade == 3


def test_brackets_tie_documents() -> None:
    ties = core.parse_relevance("$(-$)-").tie_groups
    assert ties is not None
    assert len({*ties.tolist()}) == 3
    assert ties[1] == ties[2]
    assert core.parse_relevance("$(-)-").tie_groups is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$-!", r"rank 3: '!' is not a judgment. Use \$ or 1-9"),
        ("$-\x00", r"rank 3: '\\x00' is not a judgment"),
        ("", "it is empty. Type one character a document"),
        (" \n", "it is empty"),
        ("$(-", r"rank 2: '\(' is never closed"),
        ("$-)", r"rank 3: '\)' closes nothing"),
        ("((-))", r"rank 1: '\(' stands inside another bracket"),
    ],
)
def test_a_mistake_is_named_by_rank_and_character(text: str, message: str) -> None:
    with pytest.raises(core.InputError, match=message):
        core.parse_relevance(text)


def test_ten_thousand_documents_are_read_and_one_more_is_refused() -> None:
    assert core.parse_relevance("-" * 10_000).depth == 10_000
    with pytest.raises(core.LimitError, match="more than 10,000 documents"):
        core.parse_relevance("-" * 10_001)


def test_a_grade_above_the_given_top_grade_is_refused_by_rank() -> None:
    with pytest.raises(core.InputError, match="rank 2: grade 3 is above the top grade 2"):
        core.parse_relevance("-3", top_grade=2)


@pytest.mark.parametrize("top_grade", [0, -1, 101, 1.5, True, "3"])
def test_a_top_grade_that_is_none_is_refused(top_grade: int) -> None:
    with pytest.raises(core.ParameterError, match="top_grade must be a whole number"):
        core.parse_relevance("$", top_grade=top_grade)


def test_something_that_is_no_text_is_refused() -> None:
    with pytest.raises(core.InputError, match="give text or Judged"):
        core.score("AP", 17)  # type: ignore[arg-type]


@given(st.text(CHARACTERS, min_size=1, max_size=40), st.data())
def test_what_is_formatted_reads_back_the_same(text: str, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    start, end = sorted((data.draw(places), data.draw(places)))
    tied = f"{text[:start]}({text[start:end]}){text[end:]}"
    judged = core.parse_relevance(tied)
    again = core.parse_relevance(
        core.format_relevance(judged), top_grade=int(judged.top_grade)
    )
    assert np.array_equal(again.grades, judged.grades)
    assert np.array_equal(again.grade_counts, judged.grade_counts)
    assert np.array_equal(again.values, judged.values)
    assert (again.tie_groups is None) == (judged.tie_groups is None)
    if judged.tie_groups is not None:
        assert np.array_equal(again.tie_groups, judged.tie_groups)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_message(text: str) -> None:
    try:
        outcome = repr(core.parse_relevance(text))
    except core.CoreError as error:
        outcome = str(error)
    assert outcome


def test_format_refuses_what_has_no_character() -> None:
    judged = judge("$-", topic={12: 1, 1: 0, 0: 1}, top_grade=12)
    with pytest.raises(core.InputError, match="whole grades from 0 to 9"):
        core.format_relevance(judged)
    with pytest.raises(core.ParameterError, match="one ranking, not a batch"):
        core.format_relevance(core.parse_relevance("$-")[np.newaxis])


def test_the_topic_sets_counts_and_top_grade() -> None:
    judged = judge("--B", topic="SSA----B")
    assert judged.top_grade == 3
    assert judged.grade_counts.tolist() == [4, 1, 1, 2]
    assert (int(judged.num_rel), int(judged.num_nonrel)) == (4, 4)
    assert judge("--$", topic="S--").grades.tolist() == [0, 0, 3]


def test_a_topic_may_be_counts() -> None:
    as_text, as_counts = judge("B-", topic="SB-"), judge("B-", topic={3: 1, 1: 1, 0: 1})
    assert np.array_equal(as_text.grade_counts, as_counts.grade_counts)


def test_r_and_n_can_be_set_larger_but_not_smaller() -> None:
    judged = judge("2-1", num_rel=5, num_nonrel=4)
    assert judged.grade_counts.tolist() == [4, 4, 1]  # the missing ones have grade 1
    with pytest.raises(core.ParameterError, match="num_rel must be at least 2"):
        judge("$$-", num_rel=1)
    with pytest.raises(core.ParameterError, match="num_nonrel must be at least 1"):
        judge("$$-", num_nonrel=0)


def test_min_rel_moves_what_counts_as_relevant() -> None:
    judged = judge("21-", min_rel=2)
    assert (int(judged.num_rel), int(judged.num_nonrel)) == (1, 2)
    assert judge("21-", min_rel=2, num_rel=4).grade_counts.tolist() == [1, 1, 4]
    above = judge("21-", min_rel=3)
    assert int(above.num_rel) == 0
    with pytest.raises(core.ParameterError, match="no grade here counts as relevant"):
        judge("21-", min_rel=3, num_rel=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topic": "-$", "num_rel": 2}, "num_rel = 2 contradicts the topic, which has 1"),
        ({"topic": "-$", "num_nonrel": 2}, "num_nonrel = 2 contradicts the topic"),
        ({"topic": "--"}, "topic: 0 documents of grade 1, but the ranking has 1"),
        ({"topic": {-1: 2}}, "grade must be a whole number"),
        ({"topic": {1: -2}}, "count of grade 1 must be"),
        ({"num_rel": 1.5}, "num_rel must be a whole number"),
        ({"num_rel": -1}, "num_rel must be a whole number"),
        ({"num_rel": 2_000_000}, "at most 1,000,000"),
        ({"min_rel": 0}, "min_rel must be"),
    ],
)
def test_a_topic_that_does_not_fit_is_refused(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(core.ParameterError, match=message):
        judge("$", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("$?", "document 2: '\\?' is unjudged"),
        ("($-)", "brackets"),
        ("$!", "'!' is not a judgment"),
        (7, "give text or"),
    ],
)
def test_a_topic_that_cannot_be_read_is_refused(topic: object, message: str) -> None:
    with pytest.raises(core.InputError, match=message):
        judge("$", topic=topic)  # type: ignore[arg-type]


def test_a_judged_ranking_takes_a_topic_as_text_does() -> None:
    ranking = core.parse_relevance("-1-")
    for options in ({"topic": "3-1-"}, {"num_rel": 4}, {"top_grade": 3}, {"min_rel": 2}):
        from_text = judge("-1-", **options)  # type: ignore[arg-type]
        from_judged = judge(ranking, **options)  # type: ignore[arg-type]
        assert np.array_equal(from_text.grade_counts, from_judged.grade_counts)
        assert np.array_equal(from_text.values, from_judged.values)
        assert from_text.min_code == from_judged.min_code
    with pytest.raises(core.InputError, match="above top_grade = 1"):
        judge(core.parse_relevance("2-"), top_grade=1)


def test_judgments_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        core.parse_relevance("$-").grades[0] = 0
