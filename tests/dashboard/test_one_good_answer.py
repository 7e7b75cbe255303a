"""One good answer: Sakai's printed numbers, the pictures, and the page."""

import math
from typing import Any

import pytest

import core
from dashboard.figures.one_good_answer import (
    Bars,
    Stops,
    ratio_picture,
    scores_picture,
    stops_picture,
)
from dashboard.figures.theme import Look
from dashboard.presets import ONE_GOOD_ANSWER, Preset
from dashboard.state import read_query
from dashboard.views.one_good_answer import FIELDS, LABELS, read, take_away, view
from dashboard.views.one_good_answer import _line as line_of
from tests.dashboard.test_pages import boards, started

DEFAULTS: dict[str, Any] = {item.name: item.default for item in FIELDS}
LOOKS = [Look(), Look(dark=True, large=True)]


def scores(number: int = 0, **values: str) -> dict[str, float]:
    side = read({**DEFAULTS, **values})[number]
    return {one.label: float(one.score.value) for one in side.readings}


def preset(name: str) -> dict[str, Any]:
    return next(one.values for one in ONE_GOOD_ANSWER if one.name == name)


@pytest.mark.parametrize(
    ("name", "number", "label", "printed", "digits"),
    [
        ("One S in the topic, or three", 0, "NWRR", 1 / 5, 3),  # Sakai 2007, Figure 2
        ("One S in the topic, or three", 1, "NWRR", 1 / 5, 3),
        ("One S in the topic, or three", 0, "O-measure", 2 / 3, 3),
        ("One S in the topic, or three", 1, "O-measure", 1 / 3, 3),
        ("A B at rank 1, or an S at rank 2", 0, "O-measure", 0.50, 2),  # Figure 3
        ("A B at rank 1, or an S at rank 2", 1, "O-measure", 0.57, 2),
        ("A better document just below", 1, "P-measure", 0.86, 2),
        ("The perfect inverse", 0, "P-measure", 1.0, 3),
        ("The perfect inverse", 0, "P+", 0.74, 2),
        ("Down to rank 424", 0, "P-measure", 0.440, 3),  # Appendix, NTCIR-5 Topic 034
        ("Down to rank 424", 0, "P+", 0.454, 3),
        ("Down to rank 424", 0, "O-measure", 0.250, 3),
        ("Down to rank 913", 0, "P+", 0.004, 3),  # Appendix, NTCIR-3 Topic 020
    ],
)
def test_presets_show_the_printed_numbers(
    name: str, number: int, label: str, printed: float, digits: int
) -> None:
    found = scores(number, **preset(name))[label]
    assert found == pytest.approx(printed, abs=0.5 * 10**-digits)


def test_the_appendix_example_has_the_printed_parts() -> None:
    side = read({**DEFAULTS, **preset("Down to rank 424")})[0]
    blend = side.blend
    assert (blend.cum_gain[423], blend.count[423]) == (306, 167)
    assert (blend.ideal_cum_gain[423], side.best, side.first) == (652, 424, 2)
    assert side.added == {}


def test_flatter_gains_prefer_the_b_at_rank_1() -> None:
    shown = view({**DEFAULTS, **preset("The same, with flatter gains")}, Look())
    assert shown.sentence.startswith(
        "The first is better by RR (1.000 against 0.500), NWRR"
    )
    assert "second is better" not in shown.sentence


@pytest.mark.parametrize("example", ONE_GOOD_ANSWER, ids=lambda example: example.name)
@pytest.mark.parametrize("look", LOOKS)
def test_every_preset_gives_valid_pictures(example: Preset, look: Look) -> None:
    shown = view({**DEFAULTS, **example.values}, look)
    for picture in shown.pictures:
        picture.figure.checked()
        assert len(picture.alt) < 1500
    assert [tile[0] for tile in shown.tiles] == list(LABELS)


def test_users_stop_where_the_paper_says() -> None:
    side = read({**DEFAULTS, "r": "-B-A--S-B-", "topic": "SSAABBB"})[0]
    stops = {one.label: one.stops for one in side.readings}
    assert stops["RR"] == stops["NWRR"] == stops["O-measure"] == (2,)
    assert stops["P-measure"] == (7,)
    assert stops["P+"] == (2, 4, 7)
    assert stops["Q-measure"] == (2, 4, 7, 9)


def test_a_document_more_than_the_topic_lists_raises_the_topic() -> None:
    shown = view({**DEFAULTS, "r": "SS"}, Look())
    assert "1 S more than the topic lists" in shown.sentence
    topic = {3: 2, 2: 1, 1: 1}
    expected = core.score("Omeasure", "SS", topic=topic).value
    assert shown.tiles[2][1] == f"{expected:.4f}"


def test_a_dollar_is_the_highest_grade() -> None:
    assert scores(r="-$", topic="") == scores(r="-S", topic="")


def test_nothing_relevant_is_said_in_words() -> None:
    none_found = view({**DEFAULTS, "r": "---"}, Look())
    assert "every score is 0" in none_found.sentence
    no_topic = view({**DEFAULTS, "r": "---", "topic": ""}, Look())
    assert "undefined" in no_topic.sentence
    assert [tile[1] for tile in no_topic.tiles] == ["0.0000", *["undefined"] * 5]
    for shown in (none_found, no_topic):
        for picture in shown.pictures:
            picture.figure.checked()


def test_an_unjudged_document_opens_a_range() -> None:
    shown = view({**DEFAULTS, "r": "?B", "topic": "B"}, Look())
    score = core.score("Omeasure", "?B", topic="B", top_grade=3)
    assert f"{score.lower:.4f} … {score.upper:.4f}" in shown.tiles[2][2]
    bars = shown.pictures[2].figure.checked().data[0]
    assert bars.error_y.visible
    assert "range" in shown.pictures[2].alt


def test_the_ratio_is_drawn_with_its_parts_and_read_at_two_ranks() -> None:
    side = read(DEFAULTS)[0]
    picture = ratio_picture([line_of(side)], look=Look())
    figure = picture.figure.checked()
    assert figure.data[0].y.tolist() == pytest.approx([0.5, 5 / 7, 1.0])
    assert list(figure.data[0].customdata)[1] == "(3 + 2) / (5 + 2)"
    assert [note.text for note in figure.layout.annotations] == ["O 0.500", "P 1.000"]
    assert [shape.x0 for shape in figure.layout.shapes] == [1, 3]
    assert "0.5000 at rank 1, the first relevant document; 1.0000 at rank 3" in picture.alt


def test_stops_are_drawn_a_row_a_metric() -> None:
    side = Stops("ranking", [(1,), (1,), (1,), (3,), (1, 3), ()], ["B", "–", "S"])
    picture = stops_picture([side], look=Look())
    figure = picture.figure.checked()
    assert list(figure.data[1].x) == [1, 1, 1, 3, 1, 3]
    assert list(figure.data[1].y) == [0, 1, 2, 3, 4, 4]
    assert list(figure.layout.xaxis.ticktext) == ["1<br>B", "2<br>–", "3<br>S"]
    assert "P+ at 1, 3, Q never" in picture.alt


def test_six_scores_are_printed_below_their_bars() -> None:
    values = [core.Score(number / 10, number / 10, number / 10) for number in range(5)]
    values.append(core.Score(math.nan, math.nan, math.nan))
    picture = scores_picture(LABELS, [Bars("ranking", values)], look=Look())
    figure = picture.figure.checked()
    assert list(figure.layout.xaxis.ticktext)[4:] == ["P+<br>0.400", "Q<br>undefined"]
    assert not figure.data[0].error_y.visible
    assert list(figure.layout.yaxis.range) == [0, 1.02]


def test_the_snippet_prints_the_numbers_of_the_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = {**DEFAULTS, "r": "B?S", "topic": "SSAB", "gains": "10:5:1"}
    taken = take_away(values)
    exec(compile(taken.python, "snippet", "exec"), {})  # noqa: S102
    lines = capsys.readouterr().out.splitlines()
    side = read(values)[0]
    assert lines == [f"{one.label} {core.format_score(one.score)}" for one in side.readings]
    assert r"\frac{1 + 1}{10 + 1}" in taken.formula
    assert taken.latex.splitlines()[1].count("&") == 6


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("gains", "1:2:3", "must not rise"),
        ("gains", "x", "numbers such as 3:2:1"),
        ("gains", "3::1", "numbers such as '3:2:1'"),
        ("gains", "![](//x.example/y)", "use digits, points and colons"),
        ("gains", "1:" * 60, "80 at most"),
        ("penalties", "1:2:3", "above 1"),
        ("topic", "S?", "'?' is unjudged"),
        ("r", "<b>", "'<' is not a judgment"),
    ],
)
def test_a_bad_link_falls_back_with_a_note(name: str, text: str, words: str) -> None:
    values, notes = read_query(FIELDS, {name: text})
    assert values == DEFAULTS
    assert len(notes) == 1
    assert words in notes[0]
    assert "example" not in notes[0]


def test_typed_gains_show_the_score_that_core_computes() -> None:
    app = started("one_good_answer.py")
    app.text_input(key="one_good_answer.gains").set_value("2:1.5:1").run()
    expected = core.score("Pplus(gains='2:1.5:1')", "BAS", topic="SAB").value
    tiles = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert tiles["P+"] == f"{expected:.4f}"
    app.text_input(key="one_good_answer.gains").set_value("1:2").run()
    assert "must not rise" in app.error[0].value
    tiles = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert tiles["P+"] == f"{expected:.4f}"  # the last good state stays
