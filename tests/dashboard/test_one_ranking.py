"""One ranking: what its pictures, sentence and take-away say is what core says."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import core
from dashboard import sentences
from dashboard.figures.theme import Look, Picture
from dashboard.presets import ONE_RANKING, X
from dashboard.views.one_ranking import FIELDS, View, metric_names, take_away, view

DEFAULTS = {item.name: item.default for item in FIELDS}


def shown(look: Look | None = None, **values: Any) -> View:  # noqa: ANN401
    return view({**DEFAULTS, **values}, look or Look())


def trace(picture: Picture, name: str) -> dict[str, Any]:
    return next(item for item in picture.figure.data if item["name"] == name)


RANKING = "$$---$----$-??--?---"  # Moffat & Zobel 2008, section 4.4


def test_the_bounds_are_those_of_core_with_unjudged_and_tail_told_apart() -> None:
    picture = shown(r=RANKING, p=0.95).pictures[0]
    picture.figure.checked()
    lower = trace(picture, "RBP, lower bound")
    closed = trace(picture, "with all unjudged relevant")
    upper = trace(picture, "upper bound")
    for at in (0, 50, 95):
        p = float(lower["x"][at])
        score = core.score(f"RBP(p={p})", RANKING)
        assert lower["y"][at] == pytest.approx(score.lower)
        assert upper["y"][at] == pytest.approx(score.upper)
        assert upper["y"][at] - closed["y"][at] == pytest.approx(p**20)
    assert closed["fillcolor"] != upper["fillcolor"]
    assert picture.figure.layout["shapes"][0]["x0"] == 0.95
    assert picture.figure.layout["xaxis"]["range"] == [0, 1]
    score = core.score("RBP(p=0.95)", RANKING)
    assert f"{score.lower:.4f} and {score.upper:.4f}" in picture.alt


def test_the_shares_are_table_one_of_moffat_and_zobel() -> None:
    picture = shown().pictures[1]
    picture.figure.checked()
    bars = trace(picture, "AP")
    assert np.round(bars["y"][np.array([0, 1, 5, 10, 16])]).tolist() == [58, 26, 10, 5, 2]
    assert sum(trace(picture, "RBP(p=0.8)")["y"]) == pytest.approx(100)
    assert "AP: rank 1 58 %" in picture.alt


def test_the_bounds_close_with_depth_for_three_p() -> None:
    picture = shown(r=RANKING).pictures[2]
    picture.figure.checked()
    for p in (0.8, 0.5, 0.95):
        lower = trace(picture, f"p = {p:g}")["y"]
        upper = trace(picture, f"p = {p:g} upper")["y"]
        assert (np.diff(lower) >= 0).all()
        assert (np.diff(upper) <= 1e-12).all()
        score = core.score(f"RBP(p={p})@7", RANKING)
        assert (lower[6], upper[6]) == pytest.approx((score.lower, score.upper))


def test_the_overview_has_every_metric_with_its_range() -> None:
    picture = shown(r=RANKING).overview
    picture.figure.checked()
    assert picture.figure.layout["yaxis"]["ticktext"] == metric_names(0.8)
    score = core.score("AP", RANKING)
    assert f"AP {score.value:.4f} [{score.lower:.4f}, {score.upper:.4f}]" in picture.alt
    symbols = trace(picture, "RBP: value")["marker"]["symbol"]
    assert symbols[metric_names(0.8).index("SP")] == "triangle-right"


def test_what_is_undefined_is_a_word() -> None:
    empty = shown(r="---")
    assert "AP is undefined" in empty.sentence
    assert "AP undefined" in empty.overview.alt
    assert empty.tiles[2][1] == "undefined"
    for picture in [*empty.pictures, empty.overview]:
        assert "NaN" not in str(picture.figure.to_json())


def test_a_second_ranking_is_drawn_on_the_same_axes() -> None:
    both = shown(r="$-$--", r2="$-$-$", m1="SNDCG@5")
    assert {item["name"] for item in both.pictures[1].figure.data} == {
        "SNDCG@5, first",
        "SNDCG@5, second",
    }
    assert trace(both.pictures[0], "second, lower bound")["line"]["dash"] == "dash"
    for picture in [*both.pictures, both.overview]:
        picture.figure.checked()
    assert both.tiles[1][0] == "RBP, second ranking"


@pytest.mark.parametrize("look", [Look(), Look(dark=True), Look(large=True)])
@pytest.mark.parametrize("preset", ONE_RANKING, ids=lambda preset: preset.name)
def test_every_example_can_be_shown_and_names_its_source(preset: Any, look: Look) -> None:  # noqa: ANN401
    assert any(source in preset.source for source in ("Moffat", "Zhang", "Sakai"))
    example = shown(look, **preset.values)
    for picture in [*example.pictures, example.overview]:
        picture.figure.checked()
        assert picture.alt


def test_the_sentence_says_what_judging_the_rest_can_do() -> None:
    """The example sentence of the design."""
    assert shown(r="$--$------??????????").sentence == (
        "Whatever the ten open documents turn out to be, RBP is between 0.302 and 0.410. "
        "Judging them can bring AP from 0.750 down to 0.409; it cannot raise it."
    )
    assert shown(r="?").sentence.startswith("Whatever the open document turns out to be")
    assert "cannot lower it" in shown(r="?$").sentence
    assert "down to 0.500 or up to" in shown(r="?$$-----?").sentence
    assert shown(r="$").sentence.startswith("The document is judged: RBP is 0.2000")


def test_counts_are_words_when_small() -> None:
    assert sentences.count(1, "document") == "one document"
    assert sentences.count(11, "document") == "11 documents"


def test_the_snippet_prints_every_score() -> None:
    taken = take_away({**DEFAULTS, "r": "$-?2", "R": 5, "top": 3})
    done = subprocess.run(
        [sys.executable, "-c", taken.python], capture_output=True, text=True, check=True
    ).stdout
    expected = [
        f"{name} " + core.format_score(core.score(name, "$-?2", num_rel=5, top_grade=3))
        for name in metric_names(0.8)
    ]
    assert done.splitlines() == expected


def test_the_latex_row_escapes_the_ranking() -> None:
    taken = take_away({**DEFAULTS, "r": "$_?"})
    assert r"\texttt{\$\_?}" in taken.latex
    assert taken.latex.rstrip().endswith(r"\\")
    assert "Moffat" in taken.citation
    assert "0.8" in taken.formula


def test_topic_fields_reach_the_scores() -> None:
    assert shown(r=X, R=7).tiles[2][1] == "0.4511"  # Moffat & Zobel 2008, section 3.1
    with pytest.raises(core.ParameterError, match="num_rel must be at least 5"):
        shown(r=X, R=3)
