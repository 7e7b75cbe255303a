"""The state of a page: address, undo, and values that cannot be read."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from dashboard.state import PageState, expand, read_query, shorten
from dashboard.views.one_ranking import FIELDS


def fresh() -> PageState:
    return PageState("page", FIELDS, {item.name: item.default for item in FIELDS})


def test_only_what_differs_from_the_default_is_in_the_address() -> None:
    state = fresh()
    assert state.query() == {}
    state.edit("p", 0.95)
    state.edit("R", 9)
    assert state.query() == {"p": "0.95", "R": "9"}


def test_what_is_written_reads_back_the_same() -> None:
    state = fresh()
    values: dict[str, Any] = {
        "r": "$-?" * 200, "p": 0.37, "R": 99999, "topic": "SAB", "m2": "RR", "projector": True,
    }  # fmt: skip
    state.set(values)
    read, notes = read_query(FIELDS, state.query())
    assert not notes
    assert {name: read[name] for name in values} == values


def test_edits_of_one_field_in_a_row_are_undone_together() -> None:
    state = fresh()
    for p in (0.7, 0.6, 0.5):
        state.edit("p", p)
    state.edit("r", "$-")
    state.undo()
    assert (state["p"], state["r"]) == (0.5, FIELDS[0].default)
    state.undo()
    assert state["p"] == 0.8
    state.redo()
    state.redo()
    assert (state["p"], state["r"]) == (0.5, "$-")


def test_a_changed_clock_changes_no_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock set back or on, by hand or for summer, must not join edits or part them."""
    monkeypatch.setattr(time, "monotonic", iter([10.0, 10.5, 20.0]).__next__)
    monkeypatch.setattr(time, "time", iter([9e9, 0.0, 0.1]).__next__)
    state = fresh()
    for p in (0.7, 0.6, 0.5):
        state.edit("p", p)
    state.undo()
    assert state["p"] == 0.6  # 9.5 seconds later: a gesture of its own
    state.undo()
    assert state["p"] == 0.8  # half a second apart: one gesture


def test_a_new_edit_forgets_what_was_undone() -> None:
    state = fresh()
    state.edit("p", 0.5)
    state.undo()
    state.edit("r", "$")
    state.redo()
    assert state["p"] == 0.8


def test_undo_is_bounded_and_harmless_when_empty() -> None:
    state = fresh()
    state.undo()
    state.redo()
    for number in range(300):
        state.set({"p": number / 1000})
    assert len(state.past) <= 101


def test_a_refused_text_leaves_the_value_and_says_why() -> None:
    state = fresh()
    state.try_edit("r", "$!", core.parse_relevance)
    assert state["r"] == FIELDS[0].default
    assert "'!' is not a judgment" in state.errors["r"]
    state.try_edit("r", "$-", core.parse_relevance)
    assert state["r"] == "$-"
    assert "r" not in state.errors


def test_the_last_good_view_stays_when_values_do_not_fit() -> None:
    state = fresh()

    def compute(values: dict[str, Any]) -> str:
        core.score("AP", values["r"], num_rel=values["R"])
        return str(values["r"])

    assert state.good(compute).view == FIELDS[0].default
    state.edit("R", 1)
    shown = state.good(compute)
    assert shown.view == FIELDS[0].default
    assert "num_rel must be at least 5" in shown.problem


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p", "9"),
        ("p", "NaN"),
        ("p", "1e999"),
        ("p", "<script>"),
        ("r", "$x!"),
        ("r", ""),
        ("r", "~99999999*$"),
        ("r", "~3$"),
        ("R", "1" * 5000),
        ("R", "-1"),
        ("top", "10"),
        ("m1", "os.system"),
        ("projector", "yes"),
    ],
)
def test_what_cannot_be_read_is_left_at_its_default_with_a_note(
    name: str, text: str
) -> None:
    values, notes = read_query(FIELDS, {name: text})
    assert values == {item.name: item.default for item in FIELDS}
    assert len(notes) == 1
    assert f"The link's {name} was not used" in notes[0]


@given(
    st.dictionaries(st.sampled_from([item.name for item in FIELDS]), st.text(max_size=40))
)
def test_any_address_is_read(query: dict[str, str]) -> None:
    values, notes = read_query(FIELDS, query)
    assert set(values) == {item.name for item in FIELDS}
    assert len(notes) <= len(query)


@given(st.text("$-?12( )", min_size=301, max_size=900))
def test_long_rankings_are_shortened_and_expanded(text: str) -> None:
    assert expand(shorten(text)) == text


def test_a_thousand_ranks_fit_into_a_link() -> None:
    assert len(shorten("-" * 900 + "$" * 100)) < 20


def test_another_address_is_recalled_but_for_what_was_edited_since() -> None:
    """After a restart the browser may first send the address that the page was opened with."""
    state = fresh()
    state.at_first = state.values
    state.edit("r", "$-$")
    revision = state.revision
    state.recall({"r": "$---", "p": "0.5", "R": "x"})
    assert (state["r"], state["p"], state["R"]) == ("$-$", 0.5, None)
    assert "The link's R was not used" in state.notes[0]
    assert state.revision > revision  # the widgets must follow
