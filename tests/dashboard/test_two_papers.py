"""Two papers, two p: the view's numbers and words, its pictures, and the page around them."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.inversion import (
    Inversion,
    ReportedRBP,
    compare_rbp,
    count_vectors,
    invert_rbp,
    rbp_crossings,
    rbp_envelope,
)
from dashboard import sentences
from dashboard.figures.theme import Look, Picture
from dashboard.figures.two_papers import (
    Band,
    Line,
    Reach,
    Strip,
    Strips,
    envelope_picture,
    strips_picture,
)
from dashboard.figures.two_papers_parts import depths_picture
from dashboard.presets import TWO_PAPERS
from dashboard.state import read_query
from dashboard.views.published_parts import crossing_words, panels
from dashboard.views.published_scores import (
    GRID,
    Published,
    compare,
    mean_vectors,
    number_sharing,
    range_at,
    read,
    written,
)
from dashboard.views.two_papers import FIELDS, PARTS, View, take_away, view
from tests.dashboard.test_pages import boards, started

ROOT = Path(__file__).parents[2]
DEFAULTS = {item.name: item.default for item in FIELDS}
LOOKS = (Look(), Look(dark=True), Look(large=True))


def shown(**values: object) -> View:
    return view({**DEFAULTS, **values}, Look())


def tiles_of(found: View) -> dict[str, str]:
    return {label: value for label, value, _, _ in found.tiles}


def series(picture: Picture, name: str) -> dict[str, Any]:
    return next(trace for trace in picture.figure.data if trace["name"] == name)


# --- numbers ----------------------------------------------------------------------------------


def test_the_worked_example_shows_what_core_computes() -> None:
    found = shown(one=True)
    band = rbp_envelope(0.4, 0.8, 0.5)
    expected = f"{band.lower_min:.3f} … {band.upper_max:.3f}"
    assert tiles_of(found)["A at p = 0.5"] == expected == "0.062 … 0.752"
    assert tiles_of(found)["Status"] == "possible"
    assert "0.062 to 0.752" in found.sentence
    assert "45 ranks" in found.sentence  # ZPM 2008, Table 1


def test_the_number_of_rankings_is_counted_estimated_or_an_average() -> None:
    small = Published("A", 0.7, 0.4)
    assert number_sharing(small, exact=False).words == f"{count_vectors(0.4, 0.7):,}"
    assert number_sharing(small, exact=False).origin == "counted"
    live = number_sharing(Published("A", 0.8, 0.4), exact=False)
    assert (live.words, live.origin) == ("6.9×10⁹", "estimated")  # 6,863,188,758
    assert number_sharing(Published("A", 0.95, 0.4), exact=False).words == "5.8×10⁵⁴"
    high = Published("A", 0.99, 0.4)
    assert number_sharing(high, exact=False).origin == "average of all scores"
    assert number_sharing(high, exact=True).words == "1.4×10²⁹²"


@pytest.mark.parametrize(
    ("logarithm", "words"),
    [(0.0, "1"), (math.log10(43_980), "43,980"), (9.8365, "6.9×10⁹"), (292.1, "1.3×10²⁹²")],
)
def test_a_count_is_written_so_that_it_can_be_read(logarithm: float, words: str) -> None:
    assert written(logarithm) == words


def test_the_live_band_contains_the_full_one() -> None:
    published = Published("A", 0.98, 0.9)
    live, full = read(published, exact=False).exact, read(published, exact=True).exact
    assert live is not None
    assert full is not None
    assert (live.lower_min <= full.lower_min + 1e-9).all()
    assert (live.upper_max >= full.upper_max - 1e-9).all()
    assert full.certified.sum() > live.certified.sum()


def test_the_extreme_means_have_the_published_mean() -> None:
    for vector in mean_vectors(Published("A", 0.5, 0.25, mean=True)):
        weights = 0.5 * 0.5 ** np.arange(len(vector))
        assert float(np.dot(vector, weights)) == pytest.approx(0.25, abs=1e-4)


def test_a_residual_gets_the_band_for_averages_at_once_and_the_exact_one_on_demand() -> (
    None
):
    published = Published("A", 0.7, 0.3, 0.2)
    live, full = read(published, exact=False), read(published, exact=True)
    assert live.exact is None
    assert full.exact is not None
    assert live.greatest is not None
    assert "?" in live.greatest
    low, high = range_at(published, 0.5, exact=False)
    inner = range_at(published, 0.5, exact=True)
    assert low <= inner[0] <= inner[1] <= high
    assert low == float(rbp_envelope(0.3, 0.7, 0.5, kind="lp", residual=0.2).lower_min)


def test_a_mean_gets_the_band_for_averages_only() -> None:
    found = shown(mean=True, one=True)
    band = rbp_envelope(0.4, 0.8, 0.5, kind="lp", mean=True)
    assert tiles_of(found)["A at p = 0.5"] == f"{band.lower_min:.3f} … {band.upper_max:.3f}"
    names = {trace["name"] for trace in found.pictures[0].figure.data}
    assert not any("one topic" in name or "R<sub>" in name for name in names)
    assert "Rankings sharing it" not in tiles_of(found)


def test_the_verdict_is_that_of_core_and_carries_its_p() -> None:
    found = shown(pa=0.81, sa=0.275, pb=0.9, sb=0.171)
    verdict = compare_rbp(ReportedRBP(0.81, 0.275), ReportedRBP(0.9, 0.171))
    assert (verdict.winner, verdict.at) == ("A", 0.9)
    assert tiles_of(found)["Verdict"] == "A is better"
    assert "At p = 0.9 A is better" in found.sentence
    # The paper's rule decides at 0.81, where B may be 011 with 0.2786 (inversion.md 3.4).
    assert "calls A better at p = 0.81; that does not follow" in found.part_sentence
    examples = found.part[1]
    assert "B wins: A 0.2750, B 0.2786" in examples.alt
    assert "B 0 1 1 0 0" in examples.alt


def test_a_verdict_for_a_whole_range_says_so() -> None:
    found = shown(pa=0.5, sa=0.9, pb=0.8, sb=0.3)
    assert "A is better at every p from 0.5 to 0.8" in found.sentence
    assert found.tiles[0][2] == "both possible; p 0.5 to 0.8"


def test_an_open_comparison_comes_with_rankings_that_decide_it_either_way() -> None:
    found = shown()
    assert tiles_of(found)["Verdict"] == "undetermined"
    assert "Nobody can tell" in found.sentence
    assert "A wins" in found.part[1].alt
    assert "B wins" in found.part[1].alt


def test_a_quick_verdict_for_a_residual_shows_no_examples_of_means() -> None:
    a, b = Published("A", 0.8, 0.4, 0.1), Published("B", 0.9, 0.3, 0.1)
    assert compare(a, b, exact=False).examples == (None, None)
    assert any(compare(a, b, exact=True).examples)
    assert len(shown(ea=0.1, pb=0.9, eb=0.1).part) == 1


def test_the_counterexample_says_that_r_g_is_not_the_extreme() -> None:
    found = shown(pa=0.9, sa=0.171, one=True)
    assert "R_G is not the extreme here" in found.part_sentence
    assert "the most: 0.26" in found.part[1].alt
    assert " 0 1 1 0 0" in found.part[1].alt
    assert "lossy summary" in shown(pa=0.6, one=True).part_sentence


# --- words for every status -------------------------------------------------------------------


def told(found: Inversion, **values: Any) -> sentences.Told:  # noqa: ANN401
    given: dict[str, Any] = {"p": 0.8, "score": 0.4, "low": 0.1, "high": 0.7, **values}
    reported = ReportedRBP(
        given["p"],
        given["score"],
        given.get("residual", 0.0),
        mean=given.get("mean", False),
    )
    return sentences.Told("A", reported, 4, found, "12", 0.5, given["low"], given["high"])


@pytest.mark.parametrize(
    ("score", "p", "status", "words"),
    [
        (0.4, 0.8, "ok", "fixes not even rank 1"),
        (0.9, 0.5, "ok", "fixes the first 12 ranks"),
        (0.82, 0.8, "ok", "fixes rank 1, "),
        (0.8, 0.2, "ok", "fixes every rank"),
        (0.20003, 0.2, "ok_within_tolerance", "No ranking has exactly the score 0.2000"),
        (0.5, 0.2, "infeasible_gap", "the nearest are 0.2000 and 0.8000"),
        (1.2, 0.8, "out_of_range", "so the nearest is 1."),
        (-0.2, 0.8, "out_of_range", "so the nearest is 0."),
        (0.4, 1.2, "bad_p", "p = 1.2 is no persistence"),
    ],
)
def test_there_is_a_sentence_for_every_status(
    score: float, p: float, status: str, words: str
) -> None:
    found = invert_rbp(score, p)
    assert found.status == status
    assert words in sentences.two_papers([told(found, score=score, p=p)], None)


def test_an_impossible_score_and_residual_are_told_as_such() -> None:
    found = shown(pa=0.5, sa=0.33, ea=0.33, one=True, exact=True)
    assert "No ranking has both the score 0.3300" in found.sentence
    assert tiles_of(found)["Status"] == "impossible"
    assert "no ranking has this score and residual" in found.pictures[1].alt


def test_an_impossible_score_is_a_result_with_its_neighbours() -> None:
    found = shown(pa=0.2, sa=0.5)
    assert "No ranking has the score 0.5000 at p = 0.2" in found.sentence
    assert "nothing to compare" in found.sentence
    assert tiles_of(found)["Status"] == "impossible"
    assert "0.2000 0 1 1 1" in found.pictures[1].alt
    assert "0.8000 1 0 0 0" in found.pictures[1].alt
    alone = shown(pa=0.2, sa=0.5, one=True)
    assert alone.part[0].name == "scores_that_exist"
    assert "0.0000 to 0.2000 and 0.8000 to 1.0000" in alone.part[0].alt


def test_a_mean_may_lie_in_a_gap() -> None:
    assert (
        "has no single ranking behind it"
        in shown(pa=0.2, sa=0.5, one=True, mean=True).sentence
    )


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("$--", "-$$", "cross at p = 0.6180"),
        ("$---$$$", "-$$$---", "cross at p = 0.6823 and 0.7549"),
        ("$---$--$$", "-$$--$---", "touch at p = 0.7549"),
        ("$--$", "-$$-", "The first ranking is at least as good as the second at every p"),
        ("-$$-", "$--$", "The second ranking is at least as good"),
        ("$-", "$--", "the same score at every p"),
    ],
)
def test_crossings_and_dominance_are_told(first: str, second: str, words: str) -> None:
    assert words in crossing_words(rbp_crossings(first, second))


# --- pictures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"one": True, "pa": 0.2, "sa": 0.5},
        {"mean": True},
        {"ea": 0.2, "eb": 0.1},
        {"one": True, "part": "nine"},
        {"part": "crossings"},
        {"part": "depths", "pa": 0.0, "sa": 1.0},
    ],
)
def test_plotly_accepts_every_picture(values: dict[str, Any], look: Look) -> None:
    found = view({**DEFAULTS, **values}, look)
    for picture in (*found.pictures, *found.part):
        picture.figure.checked()
        assert picture.alt
        assert picture.caption
        assert "NaN" not in str(picture.figure.to_json())


@pytest.mark.parametrize("preset", TWO_PAPERS, ids=lambda preset: preset.name)
def test_every_example_can_be_shown(preset: Any) -> None:  # noqa: ANN401
    assert preset.values.keys() <= DEFAULTS.keys()
    found = shown(**preset.values)
    assert found.sentence
    assert found.part


def test_the_envelope_holds_lines_bands_and_the_published_point() -> None:
    at = np.array([0.0, 0.5, 0.8])
    flat = Band(at * 0.1, at * 0.1 + 0.5)
    narrow = Band(at * 0.1 + 0.1, at * 0.1 + 0.4)
    reach = Reach(
        "A",
        0.5,
        0.3,
        0.0,
        at,
        flat,
        narrow,
        (Line("R_G", at * 0.2), Line("R_L", at, "dash")),
    )
    picture = envelope_picture([reach], look=Look(), caption="")
    layout = picture.figure.layout
    assert layout["xaxis"]["range"] == layout["yaxis"]["range"] == [0, 1]
    assert layout["height"] == 235
    assert series(picture, "A greatest, averages")["y"] is flat.high
    assert series(picture, "A least, one topic")["y"] is narrow.low
    assert series(picture, "A R_L")["line"]["dash"] == "dash"
    point = series(picture, "A as published")
    assert (point["x"], point["y"]) == ([0.5], [0.3])
    assert "0.150 to 0.450 at p = 0.50" in picture.alt


def test_lines_lie_within_the_bands_of_the_page() -> None:
    picture = shown().pictures[0]
    for system in "AB":
        low = np.asarray(series(picture, f"{system} least, one topic")["y"])
        high = np.asarray(series(picture, f"{system} greatest, one topic")["y"])
        wide = np.asarray(series(picture, f"{system} greatest, averages")["y"])
        assert (high <= wide + 1e-6).all()
        for name in ("R<sub>G</sub>", "R<sub>L</sub>"):
            line = np.asarray(series(picture, f"{system} {name}")["y"])
            assert (line >= low - 5e-5).all()  # the rankings end where half a unit is left
            assert (line <= high + 5e-5).all()


def test_strips_print_marks_and_frame_what_is_fixed() -> None:
    rows = (Strip("R_G", "1101"), Strip("R_L", "11?0"))
    group = Strips("A", rows, fixed=2, choice=3)
    picture = strips_picture([group], look=Look(), title="T", caption="", name="n")
    first, second = picture.figure.data
    assert first["text"] == [["1", "1", "0", "1"]]
    assert second["z"] == [[1.0, 1.0, 0.4, 0.0]]
    frame, dotted = picture.figure.layout["shapes"]
    assert (frame["x0"], frame["x1"]) == (0.52, 2.5)
    assert (dotted["x0"], dotted["x1"]) == (2.5, 3.5)
    assert dotted["line"]["dash"] == "dot"
    assert "R_L 1 1 ? 0" in picture.alt


def test_fixed_ranks_of_the_page_are_those_of_core() -> None:
    found = invert_rbp(0.9, 0.5)
    assert found.first_choicepoint == 13
    picture = shown(pa=0.5, sa=0.9, one=True).pictures[1]
    assert "ranks 1–12 are fixed, rank 13 is open" in picture.alt
    assert picture.figure.layout["shapes"][0]["x1"] == 12.5


def test_the_nine_panels_are_those_of_figure_3_corrected() -> None:
    words = {(panel.p, panel.score): panel.words for panel in panels()}
    assert words == {
        (0.8, 0.2): "diverge, boundary",
        (0.8, 0.5): "diverge",
        (0.8, 0.8): "diverge, boundary",
        (0.5, 0.2): "both tend to 0",
        (0.5, 0.5): "diverge, boundary",
        (0.5, 0.8): "both tend to 1",
        (0.2, 0.2): "both tend to 0",
        (0.2, 0.5): "no ranking, gap 0.2–0.8",
        (0.2, 0.8): "both tend to 1",
    }
    picture = shown(part="nine", one=True).part[0]
    axes = [name for name in picture.figure.layout if name.startswith("xaxis")]
    assert len(axes) == 9
    assert "p = 0.2, S = 0.5: no ranking" in picture.alt
    limits = {(one.p, one.score): one.greatest for one in panels()}
    both_0 = limits[0.5, 0.2]
    assert both_0 is not None
    assert both_0[0] == 0.0


def test_table_1_has_17_entries_of_the_paper_and_explains_the_last() -> None:
    part = shown(part="depths").part[0]
    table = part.figure.data[0]
    assert table["customdata"] == [
        [8, 15, 28],
        [15, 28, 54],
        [24, 45, 86],
        [51, 94, 182],
        [104, 194, 373],
        [528, 986, 1902],
    ]
    assert table["text"][5][2] == "1,902<br>(printed 1,001)"
    assert "1,902" in part.caption
    small = depths_picture((0.5,), ("0.1",), [[5]], look=Look(), caption="")
    assert small.figure.layout["shapes"][0]["x1"] == 0.48


def test_the_numbers_follow_the_law() -> None:
    counted = shown(part="depths", one=True, pa=0.5, sa=0.3).part[1]
    assert series(counted, "1<sup>n</sup>")["y"] == [1.0] * 16
    assert max(series(counted, "A counted")["y"]) <= 2


def test_crossings_are_marked_where_core_finds_them() -> None:
    picture = shown(part="crossings", r="$--", r2="-$$").part[0]
    roots = rbp_crossings("$--", "-$$").roots
    marks = series(picture, "cross")
    assert marks["x"] == [roots[0][0]]
    expected = float(core.score(f"RBP(p={roots[0][0]})", "$--").lower)
    assert marks["y"][0] == pytest.approx(expected, abs=1e-9)
    assert shown(part="crossings", r="$-", r2="$-").part[0].alt.endswith("they never meet.")


def test_graded_rankings_share_one_scale() -> None:
    picture = shown(part="crossings", r="2-", r2="1-").part[0]
    first, second = (
        series(picture, f"{name} ranking")["y"] for name in ("first", "second")
    )
    assert (first[0], second[0]) == (1.0, 0.5)


# --- link, take-away, page --------------------------------------------------------------------


def test_every_field_goes_into_the_link_and_back() -> None:
    values = {
        "pa": 0.7, "sa": 0.25, "ea": 0.1, "pb": 0.6, "sb": 0.2, "eb": 0.05, "digits": 3,
        "mean": True, "one": True, "exact": True, "part": "nine", "r": "$$", "r2": "-",
        "projector": True,
    }  # fmt: skip
    assert values.keys() == DEFAULTS.keys()
    query = {item.name: item.write(values[item.name]) for item in FIELDS}
    assert read_query(FIELDS, query) == (values, [])


def test_the_snippet_prints_the_numbers_of_the_tiles() -> None:
    for given in ({}, {"mean": True}, {"ea": 0.1, "eb": 0.1}, {"one": True, "digits": 3}):
        values = {**DEFAULTS, **given}
        code = take_away(values).python
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        for label, value in tiles_of(view(values, Look())).items():
            if " at p = " in label:
                assert f"{label}: {value}" in done.stdout


def test_what_to_take_away_names_the_source_and_survives_bad_values() -> None:
    good = take_away(DEFAULTS)
    assert "Zhang" in good.citation
    assert "0.4000" in good.latex
    assert r"0.8^{i-1}" in good.formula
    bad = take_away({**DEFAULTS, "ea": 0.9})
    assert "must not add up to more than 1" in bad.latex


def test_residuals_that_do_not_fit_are_refused_by_core() -> None:
    with pytest.raises(core.CoreError, match="add up to more than 1"):
        shown(ea=0.9)


def page(**query: str) -> AppTest:
    return started("two_papers.py", **query)


def tiles(app: AppTest) -> dict[str, str]:
    return {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}


def test_a_residual_typed_in_shows_the_range_that_core_computes() -> None:
    app = page()
    app.number_input(key="two_papers.ea").set_value(0.2).run()
    band = rbp_envelope(0.4, 0.8, 0.95, kind="lp", residual=0.2)
    assert tiles(app)["A at p = 0.95"] == f"{band.lower_min:.3f} … {band.upper_max:.3f}"
    app.toggle(key="two_papers.exact").set_value(True).run()
    band = rbp_envelope(0.4, 0.8, 0.95, residual=0.2)
    assert tiles(app)["A at p = 0.95"] == f"{band.lower_min:.3f} … {band.upper_max:.3f}"


def test_a_residual_that_does_not_fit_keeps_the_last_view_with_the_message() -> None:
    app = page()
    before = boards(app)[0]["sentence"]
    app.number_input(key="two_papers.ea").set_value(0.9).run()
    assert not app.exception
    assert "must not add up to more than 1" in app.error[0].value
    assert boards(app)[0]["sentence"] == before


def test_saying_that_it_is_a_mean_changes_the_ranges() -> None:
    app = page()
    app.segmented_control(key="two_papers.mean").set_value(True).run()
    band = rbp_envelope(0.4, 0.8, 0.95, kind="lp", mean=True)
    assert tiles(app)["A at p = 0.95"] == f"{band.lower_min:.3f} … {band.upper_max:.3f}"


@pytest.mark.parametrize("part", PARTS)
def test_each_part_can_be_opened(part: str) -> None:
    app = page()
    app.segmented_control(key="two_papers.part").set_value(part).run()
    assert not app.exception
    assert boards(app)[1]["figures"]


def test_one_score_hides_the_other_and_an_example_brings_its_numbers() -> None:
    app = page()
    app.toggle(key="two_papers.one").set_value(True).run()
    assert "Status" in tiles(app)
    app.radio(key="two_papers.preset").set_value("A verdict that does not hold").run()
    assert tiles(app)["Verdict"] == "A is better"
    assert tiles(app)["B at p = 0.81"] == "0.031 … 0.279"


def test_the_link_brings_the_scores_back() -> None:
    app = page(pa="0.2", sa="0.5", one="1")
    assert tiles(app)["Status"] == "impossible"
    assert "the nearest are 0.2000 and 0.8000" in boards(app)[0]["sentence"]


def test_bad_values_in_the_link_fall_back_with_a_note() -> None:
    app = page(pa="9", sa="nan", eb="-1", digits="99", part="x", r2="$?", mean="yes")
    assert not app.exception
    notes = " ".join(warning.value for warning in app.warning)
    for name in ("pa", "sa", "eb", "digits", "part", "r2", "mean"):
        assert f"The link's {name} was not used" in notes
    assert "A at p = 0.95" in tiles(app)


def test_the_grid_holds_the_papers_values_of_p() -> None:
    assert {0.5, 0.8, 0.9} <= {round(float(p), 9) for p in GRID}
