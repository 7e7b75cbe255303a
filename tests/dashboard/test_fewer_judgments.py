"""Fewer judgments: the view's numbers, its pictures, and the page around them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import core
from dashboard.figures.fewer_judgments import (
    Course,
    spread_labels,
    styles,
    tau_picture,
    values_picture,
)
from dashboard.figures.theme import Look
from dashboard.presets import FEWER_JUDGMENTS
from dashboard.session_data import Source
from dashboard.state import read_query
from dashboard.views.fewer_judgments import (
    FEW_SHARES,
    FIELDS,
    METRICS,
    View,
    take_away,
    view,
)
from dashboard.views.metric_lists import checked_metrics
from tests.dashboard.test_pages import boards, started

ROOT = Path(__file__).parents[2]
LOOKS = [Look(dark, large) for dark in (False, True) for large in (False, True)]


@pytest.fixture(scope="module")
def source() -> Source:
    return Source("the sample", core.sample_collection(), is_sample=True)


@pytest.fixture(scope="module")
def table(source: Source) -> pd.DataFrame:
    return core.thinning_sweep(source.collection, METRICS, FEW_SHARES, 3, 1)


def values_with(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    return {**{item.name: item.default for item in FIELDS}, **values}


def shown(source: Source, look: Look | None = None, **values: Any) -> View:  # noqa: ANN401
    return view(values_with(**values), look or Look(), source)


def means(table: pd.DataFrame, name: str, share: float) -> "pd.Series[float]":
    rows = table[(table["metric"] == name) & (table["share"] == share)]
    return rows[["value", "lower", "upper", "tau"]].mean()


def test_tiles_and_lines_have_the_numbers_of_core(
    source: Source, table: pd.DataFrame
) -> None:
    made = shown(source)
    tiles = {label.split(":")[0]: (value, detail) for label, value, detail, _ in made.tiles}
    for name in METRICS:
        there, full = means(table, name, 0.1), means(table, name, 1.0)
        value, detail = tiles[name]
        assert value == f"{there['tau']:.3f}"
        assert detail.endswith(f"was {full['value']:.3f}")
    by_value, by_tau = (
        {line["name"]: line for line in picture.figure.data} for picture in made.pictures
    )
    for place, share in enumerate(FEW_SHARES):
        found = means(table, "AP", share)
        assert by_value["AP"]["y"][place] == pytest.approx(found["value"])
        assert by_tau["AP"]["y"][place] == pytest.approx(found["tau"])
    spread = table[(table["metric"] == "AP") & (table["share"] == 0.1)]["tau"]
    at = FEW_SHARES.index(0.1)
    assert by_tau["AP"]["customdata"][at] == pytest.approx(spread.max() - spread.min())
    assert list(by_tau["AP"]["x"]) == pytest.approx([100 * share for share in FEW_SHARES])


def test_the_bounds_of_rbp_hold_its_full_score_at_every_share(source: Source) -> None:
    made = shown(source, m=("RBP(p=0.8)",))
    lower, upper, line = (trace["y"] for trace in made.pictures[0].figure.data)
    assert (lower <= line[-1] + 1e-12).all()
    assert (upper >= line[-1]).all()
    assert "hold its score by all judgments" in made.sentence


def test_the_sentence_names_the_steadiest_and_the_least_steady(
    source: Source, table: pd.DataFrame
) -> None:
    taus = {name: means(table, name, 0.1)["tau"] for name in METRICS}
    best, worst = max(taus, key=lambda n: taus[n]), min(taus, key=lambda n: taus[n])
    sentence = shown(source).sentence
    assert sentence.startswith("With 10 % of the judgments (3 draws, seed 1),")
    assert f"{best} keeps the order of the 24 runs best (tau {taus[best]:.3f})" in sentence
    assert f"{worst} worst ({taus[worst]:.3f})" in sentence
    assert "The mean of RankEff moves least" in sentence  # as AG 2008, section 6.3.1


def test_the_shares_of_the_paper_give_the_same_numbers_where_both_have_them(
    source: Source,
) -> None:
    few, every = (
        shown(source, m=("AP",), n=1, shares=which).pictures[1].figure.data[0]
        for which in ("few", "all")
    )
    assert len(every["x"]) == len(core.AG_SHARES) == 28
    at = [core.AG_SHARES.index(share) for share in FEW_SHARES]
    assert every["y"][at] == pytest.approx(few["y"])


def test_one_run_has_no_order_and_the_page_says_so() -> None:
    run = b"".join(b"1 Q0 d%d 1 %d x\n" % (rank, 99 - rank) for rank in range(20))
    qrels = b"".join(b"1 0 d%d %d\n" % (rank, rank % 2) for rank in range(20))
    one = Source("one", core.Collection.from_files({"only": run}, qrels), is_sample=False)
    made = shown(one, m=("AP",))
    assert "there is no order of runs to compare" in made.sentence
    assert made.tiles[0][1] == "not known"
    assert "AP not known" in made.pictures[1].alt
    made.pictures[1].figure.checked()


# The pictures.


def course(name: str, *, band: bool = False) -> Course:
    shares = np.array([0.01, 0.1, 1.0])
    mean = np.array([0.2, 0.3, 0.4])
    bounds = (mean, mean + 0.3) if band else None
    return Course(name, shares, mean, mean - 0.01, mean + 0.02, bounds)


@pytest.mark.parametrize("look", LOOKS)
def test_plotly_takes_every_picture(look: Look) -> None:
    courses = [course("AP"), course("RBP(p=0.8)", band=True), course("nDCG")]
    for picture in (
        values_picture(courses, at=0.1, look=look),
        tau_picture(courses, at=0.1, look=look),
    ):
        checked = picture.figure.checked()
        assert checked.layout.xaxis.type == "log"
        assert (
            checked.layout.xaxis.range[0] > checked.layout.xaxis.range[1]
        )  # all on the left
        assert {note.text.strip() for note in checked.layout.annotations} == {
            one.name for one in courses
        }
        assert "AP 0.300" in picture.alt


def test_values_have_strokes_and_the_band_of_rbp() -> None:
    picture = values_picture([course("RBP(p=0.8)", band=True)], at=0.1, look=Look())
    lower, upper, line = picture.figure.data
    assert upper["fill"] == "tonexty"
    assert upper["y"] - lower["y"] == pytest.approx(0.3)
    assert line["error_y"]["array"] == pytest.approx(0.02)
    assert line["error_y"]["arrayminus"] == pytest.approx(0.01)
    assert picture.figure.layout["shapes"][0]["x0"] == 10.0


def test_a_tau_below_zero_is_on_the_picture() -> None:
    low = Course("AP", *(np.array([value, 1.0]) for value in (0.01, -0.25, -0.3, -0.2)))
    picture = tau_picture([low], at=0.01, look=Look())
    assert picture.figure.layout["yaxis"]["range"][0] <= -0.3


def test_labels_are_moved_apart_and_stay_below_the_top() -> None:
    moved = spread_labels([0.5, 0.5, 0.51, 1.0, 1.0], 0.1, 1.02)
    ordered = sorted(moved)
    assert min(np.diff(ordered)) >= 0.1 - 1e-9
    assert ordered[-1] <= 1.02


def test_no_two_of_many_metrics_look_the_same() -> None:
    names = ["RBP(p=0.8)", "AP", *(f"P@{rank}" for rank in range(1, 15))]
    for look in LOOKS:
        assert len({(one.colour, one.dash) for one in styles(names, look)}) == len(names)


# Link, presets, take-away, page.


def test_the_link_brings_back_all_settings() -> None:
    link = {"m": "AP, RBP(p1=0.9, p2=0.6), nDCG'@10", "n": "5", "seed": "9", "at": "5 %"}
    values, notes = read_query(FIELDS, {**link, "shares": "all"})
    assert notes == []
    assert values["m"] == ("AP", "RBP(p1=0.9, p2=0.6)", "nDCG'@10")
    assert (values["n"], values["seed"], values["at"]) == (5, 9, "5 %")
    _, notes = read_query(FIELDS, {"m": "Apple", "n": "0", "shares": "x"})
    assert len(notes) == 3
    assert "no metric is called 'Apple'" in notes[0]


@pytest.mark.parametrize("preset", FEWER_JUDGMENTS, ids=lambda preset: preset.name)
def test_every_example_can_be_shown(preset: Any, source: Source) -> None:  # noqa: ANN401
    values = values_with(**preset.values)
    assert set(preset.values) <= {item.name for item in FIELDS}
    assert checked_metrics(values["m"]) == values["m"]
    assert shown(source, **{**values, "n": 1}).sentence
    for item in FIELDS:  # and put in a link
        assert item.read(item.write(values[item.name])) == values[item.name]


def test_the_snippet_prints_the_numbers_on_screen(
    source: Source, table: pd.DataFrame
) -> None:
    told = take_away(values_with(), source)
    done = subprocess.run(
        [sys.executable, "-c", told.python],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    rows = [line.split() for line in done.stdout.splitlines()]
    printed = next(row for row in rows if row[:2] == ["0.10", "AP"])
    found = means(table, "AP", 0.1)
    assert float(printed[-1]) == pytest.approx(found["tau"], abs=5e-5)
    assert f"{found['tau']:.4f}" in told.latex
    assert told.latex.count("\\\\\n") == len(METRICS)
    assert "Ahlgren" in told.citation


def test_the_page_shows_what_core_computes_after_a_change(source: Source) -> None:
    app = started("fewer_judgments.py")
    app.number_input(key="fewer_judgments.n").set_value(1).run()
    app.multiselect(key="fewer_judgments.m").set_value(["AP", "nDCG@10"]).run()
    assert not app.exception
    found = core.thinning_sweep(source.collection, ["nDCG@10"], FEW_SHARES, 1, 1)
    expected = means(found, "nDCG@10", 0.1)["tau"]
    tiles = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert tiles["nDCG@10: tau at 10 %"] == f"{expected:.3f}"
    app.multiselect(key="fewer_judgments.m").set_value(["AP", "Apple"]).run()
    assert "no metric is called 'Apple'" in app.error[0].value
    assert len(boards(app)[0]["tiles"]) == 2  # the last good choice stands
    app.button(key="fewer_judgments.undo").click().run()
    assert len(boards(app)[0]["tiles"]) == len(METRICS)
    assert not app.error
