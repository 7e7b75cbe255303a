"""Pool depth: what its pictures, sentences and take-away say is what core says."""

import html
import subprocess
import sys
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import core
from core.relevance import judge
from dashboard.figures.pool_depth import (
    Newcomer,
    Runs,
    Sweep,
    drift_picture,
    newcomers_picture,
    places_picture,
    scatter_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.presets import POOL_DEPTH
from dashboard.session_data import Source
from dashboard.state import PageState, expand, read_query
from dashboard.views.pool_depth import (
    FIELDS,
    View,
    choose,
    list_link,
    out_choices,
    picked,
    take_away,
    view,
)
from dashboard.views.pool_tables import bounds_by_p, depth_steps, groups, places, pool_table
from tests.dashboard.test_pages import boards, started

DEFAULTS = {item.name: item.default for item in FIELDS}
FULL = 50  # the pool depth of the sample's judgments


@cache
def sample() -> core.Collection:
    return core.sample_collection()


def shown(look: Look | None = None, **values: Any) -> View:  # noqa: ANN401
    return view({**DEFAULTS, **values}, sample(), look or Look())


def trace(picture: Picture, meta: str) -> dict[str, Any]:
    return next(item for item in picture.figure.data if item.get("meta") == meta)


def means(metric: str, depth: int, contributors: list[str] | None = None) -> Any:  # noqa: ANN401
    return core.pool_sweep(sample(), metric, [depth], contributors).value.to_numpy()


def tiles(found: View) -> dict[str, str]:
    return {label: value for label, value, *_ in found.tiles}


def test_the_scatter_has_the_means_of_core_and_the_identity_line() -> None:
    """Moffat & Zobel 2008, Figure 2: AP at depth 10 is too high for almost all runs."""
    picture = shown(d=10).pictures[1]
    picture.figure.checked()
    points = trace(picture, "linked")
    assert points["x"] == pytest.approx(means("AP", 10))
    assert points["y"] == pytest.approx(sample().mean("AP").value.to_numpy())
    assert (points["x"] > points["y"]).sum() == 23
    line = trace(picture, "decoration")
    assert line["x"] == line["y"]
    axes = picture.figure.layout["xaxis"], picture.figure.layout["yaxis"]
    assert axes[0]["range"] == axes[1]["range"] == [0, 0.5]
    assert "23 below the line, 1 above it, tau 0.9348" in picture.alt


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_has_residual_bars_and_never_falls(p: float) -> None:
    """Moffat & Zobel 2008, Figure 4."""
    picture = shown(d=10, p=p).pictures[2]
    picture.figure.checked()
    points = trace(picture, "linked")
    table = core.pool_sweep(sample(), f"RBP(p={p})", [10])
    assert points["x"] == pytest.approx(table.lower.to_numpy())
    assert points["error_x"]["array"] == pytest.approx(
        (table.upper - table.lower).to_numpy()
    )
    assert (points["y"] - points["x"] >= -1e-12).all()
    if p == 0.5:
        assert np.abs(points["y"] - points["x"]).max() < 0.0002
    assert picture.figure.layout["xaxis"]["range"][1] > 1


def test_the_drift_lines_are_the_sweep_with_a_gap_between_runs() -> None:
    picture = shown(d=7).pictures[0]
    picture.figure.checked()
    lines = trace(picture, "linked")
    assert picture.figure.layout["xaxis"]["type"] == "log"
    assert picture.figure.layout["shapes"][0]["x0"] == 7
    mine = [i for i, name in enumerate(lines["customdata"]) if name == "elm2"]
    place = sample().run_ids.index("elm2")
    for i in mine[:-1]:
        depth, value = lines["x"][i], lines["y"][i]
        if depth in (1, 7, 20, FULL):
            assert value == pytest.approx(means("AP", depth)[place])
    assert {1, 7, FULL} <= {lines["x"][i] for i in mine}
    assert lines["x"][mine[-1]] is lines["y"][mine[-1]] is None


def test_tau_and_cost_are_those_of_core_at_every_depth() -> None:
    found = shown(d=20)
    picture = found.part[1]
    picture.figure.checked()
    ap, rbp, cost = picture.figure.data
    for depth in (1, 20, FULL):
        expected = core.kendall_tau(means("AP", depth), means("AP", FULL))
        assert ap["y"][depth - 1] == pytest.approx(expected)
        expected = core.kendall_tau(means("RBP(p=0.8)", depth), means("RBP(p=0.8)", FULL))
        assert rbp["y"][depth - 1] == pytest.approx(expected)
        assert cost["customdata"][depth - 1] == sample().at_pool_depth(depth).num_judged
    assert tiles(found)["tau of AP"] == f"{ap['y'][19]:.4f}"
    assert tiles(found)["Judgments"] == f"{cost['customdata'][19]:,}"
    assert f"tau of AP is {ap['y'][19]:.4f}" in picture.alt


def test_places_name_the_largest_moves() -> None:
    picture = shown(d=1, by="RBP").part[2]
    picture.figure.checked()
    now, last = places(means("RBP(p=0.8)", 1)), places(means("RBP(p=0.8)", FULL))
    most = int(np.abs(last - now).argmax())
    assert f"{sample().run_ids[most]} {now[most]} → {last[most]}" in picture.caption
    assert picture.figure.layout["yaxis"]["range"] == [24.7, 0.3]
    assert picture.title == "Places by RBP(p=0.8)"
    assert "0 of 24 runs change places" in shown(d=FULL).part[2].alt


def test_places_count_from_the_best_and_ties_keep_their_order() -> None:
    assert places(np.array([0.2, 0.5, np.nan, 0.5])).tolist() == [3, 1, 4, 2]


def test_two_runs_at_two_depths_have_the_bounds_of_core() -> None:
    """Moffat & Zobel 2008, Figure 6."""
    found = shown(part="pair", a="ash1", b="elm2", d1=10, d2=None, p=0.9)
    picture = found.part[0]
    picture.figure.checked()
    by_name = {item["name"]: item for item in picture.figure.data}
    for depth in (10, FULL):
        row = core.pool_sweep(sample(), "RBP(p=0.9)", [depth]).set_index("run").loc["elm2"]
        lower = by_name[f"elm2, depth {depth}"]["y"][90]
        upper = by_name[f"elm2, depth {depth}, upper bound"]["y"][90]
        assert (lower, upper) == pytest.approx((row["lower"], row["upper"]))
    assert "ash1 is better" in found.part_sentence
    assert (
        "the bounds overlap" in shown(part="pair", a="ash1", b="ash2", p=0.98).part_sentence
    )
    lower, _ = bounds_by_p(sample(), "ash1", 10, ("ash2",))
    assert (lower <= bounds_by_p(sample(), "ash1", 10)[0] + 1e-12).all()


@pytest.mark.parametrize("left", ["runs", "groups"])
def test_newcomers_are_scored_without_what_they_alone_brought(left: str) -> None:
    found = shown(part="newcomer", left=left)
    picture = found.part[0]
    picture.figure.checked()
    points = trace(picture, "linked")
    run = points["customdata"][0]
    out = [run] if left == "runs" else groups(sample().run_ids)["fir"]
    alone = sample().leave_out(out, pool_depth=FULL).mean("AP").set_index("run")
    assert points["x"][0] == pytest.approx(alone.value[run])
    assert f"{run} the most, from" in found.part_sentence
    assert f"to {alone.value[run]:.4f}" in found.part_sentence


def test_runs_that_gave_nothing_are_open_points_and_change_the_pool() -> None:
    found = shown(d=10, out=("newcomer*", "ash1"))
    assert found.chosen.out == ("ash1", "newcomer1", "newcomer2")
    points = trace(found.pictures[1], "linked")
    inside = [run for run in sample().run_ids if run not in found.chosen.out]
    assert points["x"] == pytest.approx(means("AP", 10, inside))
    assert points["marker"]["symbol"][0] == "diamond-open"
    assert points["marker"]["symbol"][1] == "diamond"
    pooled = sample().at_pool_depth(10, inside).num_judged
    assert tiles(found)["Judgments"] == f"{pooled:,}"
    assert out_choices(sample())["ash*"] == "all ash (4 runs)"


def test_another_metric_takes_the_place_of_ap() -> None:
    found = shown(m="nDCG", d=5)
    tau = core.kendall_tau(means("nDCG", 5), means("nDCG", FULL))
    assert tiles(found)["tau of nDCG"] == f"{tau:.4f}"


def test_the_marked_run_is_drawn_over_the_others_and_its_range_is_shaded() -> None:
    found = shown(mark="fir2", d=10)
    place = sample().run_ids.index("fir2")
    mark = trace(found.pictures[1], "mark")
    assert mark["x"] == pytest.approx([means("AP", 10)[place]])
    assert mark["name"] == "fir2"
    upper = [item for item in found.part[0].figure.data if item["name"] == "upper bound"]
    assert len(upper) == 1
    for picture in [*found.pictures, *found.part]:
        picture.figure.checked()


def test_names_of_runs_are_shown_as_text() -> None:
    name = "<b>x</b>"
    runs = Runs((name, "y"), marked=name)
    sweep = Sweep(
        "AP", np.array([1, 2]), np.array([[0.2, 0.1], [0.1, 0.2]]), np.full((2, 2), np.nan),
        np.array([0.1, 0.2]), np.full(2, np.nan), np.array([-1.0, 1.0]), np.array([3, 4]), 0,
    )  # fmt: skip
    placed = places(sweep.value)
    rows = [Newcomer(name, 0.2, 0.1, np.nan)]
    look = Look()
    for picture in (
        drift_picture(sweep, runs, look=look),
        scatter_picture(sweep, runs, look=look),
        places_picture("AP", sweep.depths, placed, runs, 0, look=look),
        newcomers_picture("AP", rows, name, look=look, second=False),
    ):
        picture.figure.checked()
        assert name not in str(picture.figure.to_json())
        assert html.escape(name) in str(picture.figure.to_json())


def test_an_undefined_score_is_a_word() -> None:
    collection = core.Collection.from_files({"x": b"1 Q0 a 1 2 x\n"}, b"1 0 a 0\n1 0 b 0\n")
    found = view({**DEFAULTS, "mark": "x"}, collection, Look())
    assert tiles(found)["tau of AP"] == "undefined"
    for part in ("order", "pair", "newcomer"):
        again = view({**DEFAULTS, "part": part}, collection, Look())
        for picture in [*again.pictures, *again.part]:
            picture.figure.checked()
            assert "NaN" not in str(picture.figure.to_json())


def test_long_pools_are_looked_at_in_steps() -> None:
    lines = "".join(f"1 Q0 d{rank} {rank} {1000 - rank} x\n" for rank in range(1, 801))
    qrels = "".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 801))
    collection = core.Collection.from_files({"x": lines.encode()}, qrels.encode())
    steps = depth_steps(collection)
    assert steps[:100] == tuple(range(1, 101))
    assert steps[-1] == 800
    assert len(steps) < 150
    assert depth_steps(sample()) == tuple(range(1, FULL + 1))
    table = pool_table(collection, "AP", steps)
    assert table.full == pytest.approx(collection.mean("AP").value.to_numpy())


def test_groups_are_names_that_begin_with_the_same_letters() -> None:
    runs = ["ash1", "ash-2", "UIowaS_Run1", "UIowaS_Run2", "20x"]
    assert groups(runs) == {"ash": runs[:2], "UIowaS": runs[2:4], "20x": ["20x"]}


def test_the_link_opens_the_list_as_the_pool_judges_it() -> None:
    values = {**DEFAULTS, "d": 10, "topic": "3"}
    query = parse_qs(urlsplit(list_link(values, sample(), "ash2")).query)
    pooled = sample().at_pool_depth(10)
    expected = pooled.ranking("ash2", "3")
    assert expand(query["r"][0]) == core.format_relevance(expected)
    again = judge(
        query["r"][0],
        num_rel=int(query["R"][0]),
        num_nonrel=int(query["N"][0]),
        top_grade=int(query["top"][0]),
    )
    for metric in ("AP", "RBP(p=0.8)"):
        assert core.score(metric, again).value == pytest.approx(
            core.score(metric, expected).value
        )
    assert list_link(values, sample(), "nobody") == ""


def test_a_click_marks_the_run_and_gives_its_list() -> None:
    state = PageState("pool_depth", FIELDS, dict(DEFAULTS))
    assert picked(state, sample(), "elm3") == list_link(state.values, sample(), "elm3")
    assert state["mark"] == "elm3"
    assert picked(state, sample(), "nobody") == ""
    assert state["mark"] == "elm3"


def test_everything_is_in_the_link() -> None:
    values = {
        "d": 3, "p": 0.95, "m": "nDCG", "out": ("ash*", "a,b c"), "mark": "elm1", "topic": "7",
        "part": "pair", "by": "RBP", "a": "fir1", "b": "fir2", "d1": 4, "d2": 30,
        "left": "groups", "projector": True,
    }  # fmt: skip
    state = PageState("pool_depth", FIELDS, {**DEFAULTS, **values})
    assert set(state.query()) == set(DEFAULTS)
    again, notes = read_query(FIELDS, state.query())
    assert again == values
    assert not notes


def test_what_the_collection_does_not_have_is_noted() -> None:
    values = {**DEFAULTS, "mark": "zzz", "out": ("yyy",), "d": 9999}
    notes = " ".join(choose(values, sample()).notes)
    assert all(word in notes for word in ("no zzz", "no yyy", "deeper than 50"))
    everyone = {**DEFAULTS, "out": tuple(sample().run_ids)}
    assert choose(everyone, sample()).out == ()
    assert choose(everyone, sample()).notes


@pytest.mark.parametrize("look", [Look(), Look(dark=True), Look(large=True)])
@pytest.mark.parametrize("preset", POOL_DEPTH, ids=lambda preset: preset.name)
def test_every_example_can_be_shown_and_names_its_source(preset: Any, look: Look) -> None:  # noqa: ANN401
    assert "Moffat & Zobel 2008" in preset.source
    found = shown(look, **preset.values)
    for picture in [*found.pictures, *found.part]:
        picture.figure.checked()
        assert picture.alt


def test_the_sentence_has_the_numbers() -> None:
    assert shown(d=10).sentence == (
        "A pool of depth 10 has 22 % of the judgments; AP is too high for 23 of 24 runs (tau "
        "0.935 against the full order), RBP(p=0.8) is too high for none (tau 0.978)."
    )
    assert shown(d=FULL).sentence.startswith("At depth 50 the pool has every judgment")


@pytest.mark.parametrize("values", [{"d": 10}, {"d": 4, "out": ("ash*",), "m": "AP'"}])
def test_the_snippet_prints_the_same_numbers(values: dict[str, Any]) -> None:
    source = Source("the sample", sample(), is_sample=True)
    taken = take_away({**DEFAULTS, **values}, source)
    done = subprocess.run(
        [sys.executable, "-c", taken.python], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = shown(**values)
    for line, metric in zip(done[:2], found.chosen.metrics, strict=True):
        assert line.startswith(f"{metric}: tau {tiles(found)[f'tau of {metric}']}, ")
    assert done[2] == f"{tiles(found)['Judgments']} of 14,998 judgments"
    assert taken.latex.rstrip().endswith(r"\\")
    assert tiles(found)[f"tau of {values.get('m', 'AP')}"] in taken.latex
    assert "Moffat" in taken.citation
    uploaded = take_away(DEFAULTS, Source("mine", sample(), is_sample=False))
    assert "Collection.from_files" in uploaded.python


def test_the_page_shows_the_tau_that_core_computes() -> None:
    app = started("pool_depth.py", d="5")
    assert not app.exception
    app.selectbox(key="pool_depth.m").set_value("nDCG").run()
    tau = core.kendall_tau(means("nDCG", 5), means("nDCG", FULL))
    found = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert found["tau of nDCG"] == f"{tau:.4f}"
    app.selectbox(key="pool_depth.mark").set_value("ash2").run()
    assert not app.exception
    figure = boards(app)[0]["figures"][1]["data"]
    assert '"name": "ash2"' in figure
