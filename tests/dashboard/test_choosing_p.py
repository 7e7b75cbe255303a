"""Choosing p: the view's numbers, its pictures, and the page around them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from dashboard import sentences
from dashboard.figures.choosing_p import (
    Budget,
    Line,
    Patience,
    patience_picture,
    percent,
    precision_picture,
    reading_picture,
    residual_picture,
    small,
    stops_picture,
    walk_picture,
    weights_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.presets import CHOOSING_P, X
from dashboard.state import read_query
from dashboard.views.choosing_p import (
    FIELDS,
    View,
    certain_decimals,
    chance_of_page,
    largest_p,
    p_limit,
    take_away,
    view,
)
from tests.dashboard.test_pages import boards, started

ROOT = Path(__file__).parents[2]
LOOKS = [Look(dark, large) for dark in (False, True) for large in (False, True)]


def shown(look: Look | None = None, **values: Any) -> View:  # noqa: ANN401 - any field
    defaults = {item.name: item.default for item in FIELDS}
    return view({**defaults, **values}, look or Look())


def tiles(made: View) -> dict[str, str]:
    return {label: value for label, value, _, _ in made.first.tiles}


def pictures(made: View) -> dict[str, Picture]:
    sections = (made.first, made.walk, made.two_chances)
    return {picture.name: picture for part in sections for picture in part.pictures}


# The numbers.


@pytest.mark.parametrize(("p", "depth"), [(0.5, "14"), (0.8, "42"), (0.95, "180")])
def test_the_depth_for_four_decimals_is_the_printed_one(p: float, depth: str) -> None:
    assert tiles(shown(p=p))["Depth for four decimals"] == depth  # MZ 2008, section 4.4


def test_a_patient_user_reaches_page_2_and_3_as_printed() -> None:
    made = tiles(shown(p=0.95))
    # MZ 2008, section 4.2: "roughly 60 %" and "35 %"; the second is 0.3585
    assert (made["Reaches page 2"], made["Reaches page 3"]) == ("59.9 %", "35.8 %")
    assert chance_of_page(0.95, 3) == pytest.approx(0.3585, abs=5e-5)
    assert chance_of_page(0.95, 3) == pytest.approx(0.95**20)
    assert made["Ranks read on average"] == "20.0"


def test_an_impatient_user_reaches_page_2_once_in_a_thousand() -> None:
    made = shown(p=0.5)
    assert "one user in 1,024 turns to a second page" in made.first.sentence  # MZ 4.2
    assert tiles(made)["Reaches page 3"] == "< 0.1 %"


def test_twenty_judgments_leave_the_printed_residual() -> None:
    made = shown(p=0.8, d=20)
    assert tiles(made)["Residual at depth 20"] == "0.0115"  # MZ 4.4 prints 0.012
    assert "leaves 0.0115 of the score open (one decimal certain)" in made.first.sentence


def test_a_pool_of_100_gives_four_decimals_up_to_the_printed_p() -> None:
    assert p_limit(100, 4) == pytest.approx(0.912, abs=5e-4)
    assert largest_p(100, 4) == 0.91  # MZ 4.4: "only when p <= 0.91"
    assert tiles(shown(d=100))["Four decimals at depth 100"] == "p < 0.9120"


def test_eleven_ranks_give_three_decimals_at_one_half() -> None:
    # ZPM 2008, section 2: from rank 12 on the weights sum to 4.88e-4
    assert certain_decimals(0.5**11) == 3
    assert core.depth_for(0.5, 1e-3) == 10


@pytest.mark.parametrize("digits", [1, 2, 3, 4])
@pytest.mark.parametrize("depth", [1, 5, 20, 180, 1000])
def test_the_offered_p_is_the_largest_that_keeps_the_decimals(
    depth: int, digits: int
) -> None:
    made = shown(d=depth, digits=digits)
    (_, _, p, _), (_, _, d, _) = made.fits
    assert core.depth_for(p, 10.0**-digits) <= depth
    assert p == 0.99 or core.depth_for(round(p + 0.01, 2), 10.0**-digits) > depth
    assert d == core.depth_for(0.8, 10.0**-digits)


def test_the_walk_settles_on_rbp_and_says_so() -> None:
    made = shown(users=100_000, seed=3)
    walks = core.simulate_users(X, p=0.8, users=100_000, seed=3)
    assert f"{walks.running_mean[-1]:.4f}" in made.walk.sentence
    assert made.walk.sentence.endswith("RBP is 0.4526.")  # MZ Table II
    assert walks.running_mean[-1] == pytest.approx(0.4526, abs=0.01)


def test_another_seed_lets_other_users_walk() -> None:
    assert shown(seed=1).walk.sentence != shown(seed=2).walk.sentence


def test_the_user_with_two_chances_gets_the_score_that_core_computes() -> None:
    made = shown(r="$-?$", p1=0.7, p2=0.4)
    score = core.score("RBP(p1=0.7, p2=0.4)", "$-?$")
    words = f"between {score.lower:.4f} and {score.upper:.4f}; with p = 0.8"
    assert words in made.two_chances.sentence


def test_equal_chances_are_plain_rbp() -> None:
    both = pictures(shown(p=0.8, p1=0.8, p2=0.8))["chance_of_reading_each_rank"]
    first, second = (np.asarray(trace["y"]) for trace in both.figure.data)
    assert first == pytest.approx(second)
    assert second == pytest.approx(0.8 ** np.arange(20))


@pytest.mark.parametrize("p", [0.0, 0.01, 0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("ranking", ["$", "-", "?", "($-)$", "2-1?", "-$" * 500])
def test_every_picture_passes_plotlys_checks(p: float, ranking: str) -> None:
    for look in LOOKS:
        made = shown(look, p=p, r=ranking, users=1, p1=0.0, p2=0.99)
        for picture in pictures(made).values():
            picture.figure.checked()
            assert picture.alt.endswith(".")
            assert "nan" not in picture.alt
            assert "null" not in str(picture.figure.to_json())


@pytest.mark.parametrize("preset", CHOOSING_P, ids=lambda preset: preset.name)
def test_every_example_can_be_shown_and_names_its_source(preset: Any) -> None:  # noqa: ANN401
    assert {*preset.values} <= {item.name for item in FIELDS}
    assert "2008, " in preset.source
    assert shown(**preset.values).first.sentence


def test_the_snippet_prints_the_numbers_on_screen() -> None:
    values = {item.name: item.default for item in FIELDS} | {"p": 0.95, "d": 30, "r": "$-?"}
    code = take_away(values).python
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    made = shown(p=0.95, d=30, r="$-?")
    printed = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    on_screen = tiles(made)
    assert printed["ranks read on average"] == on_screen["Ranks read on average"] == "20.0"
    assert printed["depth for the decimals"] == on_screen["Depth for four decimals"]
    assert printed["residual at the depth"] == on_screen["Residual at depth 30"]
    limit = on_screen["Four decimals at depth 30"]
    assert f"p < {printed['p for decimals and depth, below']}" == limit
    assert printed["average of the users"] in made.walk.sentence
    score = core.score("RBP(p1=0.9, p2=0.6)", "$-?")
    assert f"RBP(p1=0.9, p2=0.6) {core.format_score(score)}\n" in done.stdout
    assert f"between {score.lower:.4f} and {score.upper:.4f};" in made.two_chances.sentence


def test_formula_row_and_source_hold_the_present_numbers() -> None:
    taken = take_away({item.name: item.default for item in FIELDS})
    assert r"\frac{1}{1-0.8} = 5.00" in taken.formula
    assert r"0.8^{20} = 0.01153" in taken.formula
    assert taken.latex.splitlines()[1] == r"0.8 & 5.0 & 0.1074 & 0.0115 & 42 & 0.0115 \\"
    assert "Moffat" in taken.citation
    assert "Zhang" in taken.citation


def test_the_formula_stands_without_a_logarithm_of_nothing() -> None:
    values = {item.name: item.default for item in FIELDS} | {"p": 0.0}
    assert "d = 1" in take_away(values).formula


# The words.


def test_nothing_open_is_said_in_a_word() -> None:
    made = shown(p=0.0, d=1)
    assert "leaves nothing of the score open" in made.first.sentence


def test_decimals_beyond_those_on_screen_are_not_counted() -> None:
    assert "(more than four decimals certain)" in shown(p=0.5, d=100).first.sentence
    assert "(no decimal certain)" in shown(p=0.99, d=1).first.sentence


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.5987, "60 users in 100"),
        (0.012, "one user in 83"),
        (0.5**10, "one user in 1,024"),
        (1e-9, "next to nobody"),
        (0.0, "nobody"),
    ],
)
def test_a_chance_is_said_in_people(chance: float, words: str) -> None:
    assert sentences.odds(chance) == words


def test_small_numbers_are_never_shown_as_nothing() -> None:
    assert [small(value) for value in (0.0, 1e-9, 0.0115)] == [
        "0.0000",
        "< 0.0001",
        "0.0115",
    ]
    assert [percent(value) for value in (0.0, 1e-9, 0.5)] == ["0.0 %", "< 0.1 %", "50.0 %"]


# The pictures.


def test_the_patience_picture_marks_p_on_all_three_curves() -> None:
    grid = np.array([0.0, 0.5, 0.9])
    curve = Patience(grid, 1 / (1 - grid), grid**10, grid**20)
    now = Patience(
        *(part[1:2] for part in (curve.p, curve.depth, curve.page2, curve.page3))
    )
    picture = patience_picture(curve, now, look=Look())
    lines = [trace for trace in picture.figure.data if trace["mode"] == "lines"]
    assert [trace["name"] for trace in lines] == [
        "ranks read: 2.0",
        "reaches page 2: 0.1 %",
        "reaches page 3: < 0.1 %",
    ]
    assert [trace["yaxis"] for trace in lines] == ["y", "y2", "y2"]
    assert picture.figure.layout["yaxis"]["type"] == "log"
    assert picture.figure.layout["yaxis2"]["range"] == [0, 1.02]
    assert picture.figure.layout["shapes"][0]["x0"] == 0.5
    assert "At p = 0.5: 2.0 ranks" in picture.alt


def test_the_precision_picture_stresses_the_decimals_asked_for() -> None:
    grid = np.array([0.5, 0.8])
    depths = [np.array([core.depth_for(p, 10.0**-k) for p in grid]) for k in (1, 2, 3, 4)]
    picture = precision_picture(
        grid, depths, [11, 21, 31, 42], Budget(20, 2, p_limit(20, 2)), p=0.8, look=Look()
    )
    widths = {
        trace["name"]: trace.get("line", {}).get("width") for trace in picture.figure.data
    }
    assert widths["2 decimals: depth 21"] == 3.0
    assert widths["4 decimals: depth 42"] == 1.5
    budget = picture.figure.data[-1]
    assert (budget["x"][0], budget["y"][0]) == (pytest.approx(0.7943, abs=5e-5), 20)
    assert "Depth 20 gives 2 decimals for p below 0.7943" in picture.alt


def test_the_heat_map_holds_p_to_the_power_of_the_depth() -> None:
    p_values, depths = np.array([0.5, 0.95]), np.array([1.0, 10.0, 100.0])
    before = p_values.copy(), depths.copy()
    picture = residual_picture(p_values, depths, p=0.95, depth=100, look=Look())
    heat = picture.figure.data[0]
    assert heat["type"] == "heatmap"
    assert heat["z"].shape == (3, 2)
    assert heat["z"][1, 1] == pytest.approx(0.5987, abs=5e-5)
    marked = picture.figure.layout["shapes"][-1]
    assert (marked["xanchor"], marked["yanchor"]) == (0.95, 100)
    other = residual_picture(p_values, depths, p=0.5, depth=3, look=Look()).figure
    assert other.to_json()["data"] == picture.figure.to_json()["data"]  # the map stays
    assert "At p = 0.95 and depth 100: 0.0059" in picture.alt
    shades = [at for at, _ in heat["colorscale"]]
    assert shades == sorted(shades)
    assert (shades[0], shades[-1]) == (0.0, 1.0)
    assert np.array_equal(p_values, before[0])
    assert np.array_equal(depths, before[1])


def test_the_weights_of_three_p_are_those_of_the_figure() -> None:
    picture = pictures(shown(p=0.8))["weight_of_each_rank"]
    by_name = {trace["name"]: np.asarray(trace["y"]) for trace in picture.figure.data}
    assert list(by_name) == ["p = 0.8", "p = 0.5", "p = 0.95"]  # ZPM 2008, Figure 1
    assert by_name["p = 0.95"][:3] == pytest.approx([0.05, 0.0475, 0.045125])
    assert len({trace["line"]["dash"] for trace in picture.figure.data}) == 3


def test_the_weights_axis_makes_room_for_a_user_of_little_patience() -> None:
    lines = [Line("p = 0.2", np.array([0.8 * 0.2**i for i in range(20)]))]
    axis = weights_picture(lines, look=Look()).figure.layout["yaxis"]
    assert axis["range"] == [-0.03, 1.05]


def test_the_walk_picture_carries_the_average_and_rbp() -> None:
    picture = walk_picture(
        np.array([1.0, 10.0, 100.0]),
        np.array([0.4, 0.5, 0.46]),
        0.4526,
        look=Look(),
        caption="",
    )
    average, reference = picture.figure.data
    assert list(average["y"]) == [0.4, 0.5, 0.46]
    assert set(reference["y"]) == {0.4526}
    assert picture.figure.layout["xaxis"]["range"] == [0, 2]
    assert picture.alt == "After 100 users the average is 0.4600; RBP is 0.4526."


def test_users_below_the_list_have_a_bar_of_their_own() -> None:
    picture = stops_picture(
        np.array([0.5, 0.3, 0.2]), np.array([0.5, 0.25, 0.25]), below=True, look=Look()
    )
    printed = picture.figure.layout["annotations"][0]["text"]
    assert printed == "below rank 2: 20.0 %"
    assert "below rank 2: 20.0 %" in picture.alt


def test_a_bar_that_dwarfs_the_others_is_cut_and_printed() -> None:
    picture = pictures(shown(p=0.99, r="-" * 40))["where_users_stopped"]
    below = float(picture.figure.data[0]["y"][-1])
    assert picture.figure.layout["yaxis"]["range"][1] < below
    assert picture.figure.layout["annotations"][0]["text"].endswith(f"{percent(below)} ↑")
    others = pictures(shown())["where_users_stopped"].figure.layout["annotations"]
    assert "↑" not in others[0]["text"]


@pytest.mark.parametrize("ranking", ["$", X, "-" * 100])
def test_everyone_stops_somewhere(ranking: str) -> None:
    picture = pictures(shown(r=ranking))["where_users_stopped"]
    bars, line = picture.figure.data
    assert sum(bars["y"]) == pytest.approx(1.0)
    assert sum(line["y"]) == pytest.approx(1.0)


def test_the_reading_picture_fills_the_relevant_ranks() -> None:
    lines = (Line("two", np.array([1.0, 0.9])), Line("one", np.array([1.0, 0.8])))
    picture = reading_picture(lines, [True, False], look=Look())
    assert picture.figure.data[0]["marker"]["symbol"] == ["circle", "circle-open"]
    assert "Rank 2: two 90.0 %, one 80.0 %" in picture.alt


def test_ties_are_owned_up_to() -> None:
    caption = pictures(shown(r="($-)$"))["average_of_simulated_users"].caption
    assert "ties in the order written" in caption
    assert "ties" not in pictures(shown())["average_of_simulated_users"].caption


# The page.


def opened(**query: str) -> AppTest:
    return started("choosing_p.py", **query)


def test_the_buttons_fit_depth_and_p_to_each_other() -> None:
    app = opened()
    app.button(key="choosing_p.fit_d").click().run()
    assert not app.exception
    values = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert values["Residual at depth 42"] == "< 0.0001"
    app.button(key="choosing_p.undo").click().run()
    app.button(key="choosing_p.fit_p").click().run()
    values = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert values["Depth for four decimals"] == str(core.depth_for(0.63, 1e-4)) == "20"


def test_more_users_walk_when_asked() -> None:
    app = opened()
    app.number_input(key="choosing_p.users").set_value(5000).run()
    walks = core.simulate_users(X, p=0.8, users=5000, seed=1)
    assert f"{walks.running_mean[-1]:.4f}" in boards(app)[1]["sentence"]
    assert "the first of 5,000 users" in boards(app)[1]["sentence"]


def test_an_example_is_shown() -> None:
    app = opened()
    app.radio(key="choosing_p.preset").set_value("A patient user").run()
    assert "60 users in 100 turn to a second page" in boards(app)[0]["sentence"]


def test_the_address_brings_every_field_back() -> None:
    query = {
        "p": "0.9", "d": "50", "digits": "2", "r": "$-?$", "users": "10", "seed": "7",
        "p1": "0.3", "p2": "0.7", "projector": "1",
    }  # fmt: skip
    values, notes = read_query(FIELDS, query)
    assert notes == []
    assert {item.name: item.write(values[item.name]) for item in FIELDS} == query


@pytest.mark.parametrize(
    "query",
    [
        {"p": "9"},
        {"p": "nan"},
        {"d": "0"},
        {"d": "1e3"},
        {"digits": "5"},
        {"r": ""},
        {"r": "<b>$"},
        {"users": "10000000"},
        {"seed": "-1"},
        {"p1": "1"},
        {"p2": "x"},
        {"projector": "yes"},
    ],
    ids=str,
)
def test_a_bad_value_in_the_link_falls_back_with_a_note(query: dict[str, str]) -> None:
    values, notes = read_query(FIELDS, query)
    assert values == {item.name: item.default for item in FIELDS}
    assert len(notes) == 1
    assert f"The link's {next(iter(query))} was not used" in notes[0]
