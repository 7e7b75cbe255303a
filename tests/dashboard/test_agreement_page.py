"""Do metrics agree: the view's numbers, its pictures, and the page around them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from dashboard.figures.agreement import (
    Bar,
    Curve,
    Grid,
    bars_picture,
    curves_picture,
    heat_map,
)
from dashboard.figures.theme import Look
from dashboard.presets import AGREEMENT
from dashboard.session_data import Source
from dashboard.state import read_query
from dashboard.views.agreement import EXPERIMENTS, FIELDS, METRICS, View, view
from dashboard.views.agreement_takeaway import take_away
from dashboard.views.metric_lists import checked_metrics, depths_of
from tests.dashboard.test_pages import boards, started

ROOT = Path(__file__).parents[2]
LOOKS = [Look(dark, large) for dark in (False, True) for large in (False, True)]
FEW = ("AP", "RR")


@pytest.fixture(scope="module")
def source() -> Source:
    return Source("the sample", core.sample_collection(), is_sample=True)


def values_with(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    return {**{item.name: item.default for item in FIELDS}, **values}


def shown(source: Source, look: Look | None = None, **values: Any) -> View:  # noqa: ANN401
    return view(values_with(**values), look or Look(), source)


def test_the_heat_map_has_the_tau_of_core(source: Source) -> None:
    made = shown(source, d=(10, 100), m=FEW)
    expected = core.agreement(source.collection, FEW, [10, 100])["tau"].to_numpy()
    trace = made.pictures[0].figure.data[0]
    assert trace["z"] == pytest.approx(expected.reshape(4, 4))
    assert trace["x"] == trace["y"] == ["AP, d=10", "AP, d=100", "RR, d=10", "RR, d=100"]
    assert trace["text"][0][1] == f"{expected[1]:.3f}"
    assert f"AP, d=100 and AP, d=10 {expected[1]:.3f}" in made.pictures[0].alt


def test_the_sentence_names_the_pairs_that_agree_most_and_least(source: Source) -> None:
    table = core.agreement(source.collection, METRICS)
    other = table[table["metric_a"] != table["metric_b"]]
    most, least = other.loc[other["tau"].idxmax()], other.loc[other["tau"].idxmin()]
    sentence = shown(source).sentence
    assert f"{most['metric_a']} and {most['metric_b']} put the 24 runs" in sentence
    assert f"tau {most['tau']:.3f}" in sentence
    assert sentence.endswith(f"agree least (tau {least['tau']:.3f}).")


def test_one_metric_alone_has_nothing_to_agree_with(source: Source) -> None:
    assert shown(source, m=("AP",)).sentence.startswith("There is nothing to compare")


def test_significant_pairs_are_those_of_core(source: Source) -> None:
    made = shown(source, x="tests", m=FEW)
    expected = core.significant_pairs(source.collection, FEW).table
    counts = expected[["wilcoxon_95", "wilcoxon_99", "t_95", "t_99"]].to_numpy()
    trace = made.pictures[0].figure.data[0]
    assert [[int(text) for text in row] for row in trace["text"]] == counts.tolist()
    assert f"AP finds {counts[0, 0]} of 276 pairs" in made.sentence
    pooled = core.significant_pairs(source.collection.at_pool_depth(10), "AP").table
    first = shown(source, x="tests", m=("AP",), d=(10,)).table.iloc[0]
    assert first["Wilcoxon 95 %"] == pooled["wilcoxon_95"][0]


@pytest.mark.parametrize("which", ["errors", "swaps"])
def test_rates_are_those_of_core(which: str, source: Source) -> None:
    made = shown(source, x=which, m=FEW, B=50, seed=3)
    expected = (
        core.error_rates(source.collection, "AP", draws=50, seed=3)
        if which == "errors"
        else core.swap_rates(source.collection, "AP", samples=50, seed=3)
    )
    first = made.table.iloc[0]
    assert first["smallest difference"] == expected.smallest_difference
    assert first["best"] == expected.best_score
    curve = next(line for line in made.pictures[0].figure.data if line["name"] == "AP")
    assert curve["y"] == pytest.approx(expected.curve["rate"].to_numpy())
    bars = made.pictures[1].figure.data[0]
    share = dict(zip(bars["y"], bars["x"], strict=True))["AP"]
    assert share == pytest.approx(100 * expected.share_of_comparisons)
    assert "seed 3" in made.sentence


def test_power_and_sorted_levels_are_those_of_core(source: Source) -> None:
    made = shown(
        source, x="bootstrap", m=("AP", "Pplus(gains='10:5:1')"), B=100, alpha=0.01
    )
    expected = core.bootstrap_sensitivity(
        source.collection, "Pplus(gains='10:5:1')", samples=100, alpha=0.01, seed=1
    )
    row = made.table.iloc[1]
    assert row["metric"] == "Pplus 10:5:1"
    assert (row["significant"], row["pairs"]) == (expected.significant, 276)
    line = next(one for one in made.pictures[0].figure.data if "10:5:1" in one["name"])
    assert line["y"] == pytest.approx(expected.curve["asl"].to_numpy())
    assert (np.diff(line["y"]) <= 0).all()
    assert f"{expected.significant}/276" in made.pictures[1].figure.data[0]["text"][1]


@pytest.mark.parametrize("which", EXPERIMENTS)
@pytest.mark.parametrize("look", LOOKS)
def test_plotly_takes_the_pictures_of_every_experiment(
    which: str, look: Look, source: Source
) -> None:
    for picture in shown(source, look, x=which, m=FEW, B=20).pictures:
        picture.figure.checked()
        assert "AP" in picture.alt
        assert picture.caption


def test_a_collection_with_one_topic_is_refused_in_words() -> None:
    run = b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"
    collection = core.Collection.from_files({"x": run, "y": run}, b"1 0 a 1\n1 0 b 0\n")
    one = Source("one", collection, is_sample=False)
    with pytest.raises(core.CoreError, match="at least two runs and two topics"):
        shown(one, x="tests", m=("AP",))
    assert shown(one, m=FEW).sentence.startswith("There is nothing to compare")


# The pictures.


def test_a_heat_map_prints_its_numbers_and_leaves_nan_blank() -> None:
    grid = Grid(
        *(["a", "b"], ["x", "y"], np.array([[1.0, np.nan], [0.5, 0.2]])),
        *([["1.00", ""], ["0.50", "0.20"]], (0.0, 1.0)),
    )
    picture = heat_map(grid, Look(), name="n", title="t", alt="a", caption="c")
    trace = picture.figure.checked().data[0]
    assert trace.type == "heatmap"
    assert list(trace.text[0]) == ["1.00", ""]
    assert (trace.zmin, trace.zmax) == (0.0, 1.0)
    assert "[1.0, null]" in str(picture.figure.to_json())


def test_curves_have_their_limit_and_the_highest_comes_first() -> None:
    x = np.array([0.0, 1.0])
    low, high = (
        Curve("low", x, np.array([0.5, 0.0])),
        Curve("high", x, np.array([0.9, 0.4])),
    )
    picture = curves_picture(
        *([low, high], Look()),
        limit=0.05, axes=("x", "y"), most=(1.0, 1.0), words=("n", "t", "a", "c"),
    )  # fmt: skip
    checked = picture.figure.checked()
    assert [trace.name for trace in checked.data] == ["high", "low"]
    assert checked.layout.shapes[0].y0 == 0.05
    assert checked.layout.annotations[0].text == "0.05"


def test_bars_are_sorted_and_a_missing_one_comes_last() -> None:
    bars = [Bar("a", 0.2, "20 %"), Bar("b", np.nan, "none"), Bar("c", 0.7, "70 %")]
    trace = bars_picture(bars, Look(), words=("n", "t", "a", "c")).figure.checked().data[0]
    assert list(trace.y) == ["c", "a", "b"]
    assert trace.x[0] == pytest.approx(70.0)


# Link, presets, take-away, page.


def test_the_link_brings_back_all_settings() -> None:
    link = {"x": "bootstrap", "m": "AP, Qmeasure(gains='10:5:1')", "d": "10 100", "B": "50"}
    values, notes = read_query(FIELDS, {**link, "seed": "4", "alpha": "0.01"})
    assert notes == []
    assert values["m"] == ("AP", "Qmeasure(gains='10:5:1')")
    assert (values["d"], values["B"], values["seed"]) == ((10, 100), 50, 4)
    _, notes = read_query(FIELDS, {"x": "no", "m": "", "d": "ten", "B": "1"})
    assert len(notes) == 4


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "ten", "1 2 3 4 5"])
def test_a_wrong_pool_depth_is_refused(text: str) -> None:
    with pytest.raises(core.CoreError, match="pool depths"):
        depths_of(text)


@pytest.mark.parametrize("preset", AGREEMENT, ids=lambda preset: preset.name)
def test_every_example_can_be_shown(preset: Any, source: Source) -> None:  # noqa: ANN401
    values = values_with(**preset.values)
    assert set(preset.values) <= {item.name for item in FIELDS}
    assert checked_metrics(values["m"]) == values["m"]
    assert shown(source, **{**preset.values, "B": 20}).sentence
    for item in FIELDS:  # and put in a link
        assert item.read(item.write(values[item.name])) == values[item.name]


@pytest.mark.parametrize(
    ("which", "column"),
    [
        ("orders", "tau"),
        ("tests", "Wilcoxon 95 %"),
        ("errors", "best"),
        ("swaps", "best"),
        ("bootstrap", "estimated difference"),
    ],
)
def test_the_snippet_prints_the_numbers_on_screen(
    which: str, column: str, source: Source
) -> None:
    values = values_with(x=which, m=FEW, d=(20, 100), B=30)
    told = take_away(values, source)
    done = subprocess.run(
        [sys.executable, "-c", told.python],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    numbers = []
    for word in done.stdout.split():
        try:
            numbers.append(float(word))
        except ValueError:
            continue
    shown_numbers = view(values, Look(), source).table[column].to_numpy()
    for number in shown_numbers:
        assert np.isclose(numbers, number, atol=6e-5).any()
    assert told.latex.count("\\\\\n") == 4
    assert told.citation


def test_the_page_shows_what_core_computes_after_a_change(source: Source) -> None:
    app = started("agreement.py")
    assert not app.exception
    app.multiselect(key="agreement.m").set_value(["AP", "RR"]).run()
    app.text_input(key="agreement.d").set_value("10").run()
    expected = core.agreement(source.collection, FEW, [10])["tau"][1]
    assert boards(app)[0]["tiles"][0]["value"] == f"{expected:.3f}"
    app.text_input(key="agreement.d").set_value("ten").run()
    assert "pool depths" in app.error[0].value
    assert boards(app)[0]["tiles"][0]["value"] == f"{expected:.3f}"
