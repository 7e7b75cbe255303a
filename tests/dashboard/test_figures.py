"""Figures say what core says: traces, axes and values, without a browser."""

import numpy as np

import core
from dashboard.figures.bounds import bounds_figure
from dashboard.figures.contributions import contributions_figure

RANKING = "$$---$----$-??--?---"


def test_the_bounds_figure_draws_both_bounds_and_marks_p() -> None:
    grid = np.linspace(0.0, 0.99, 12)
    figure = bounds_figure(grid, core.rbp_curve(RANKING, grid), p=0.8)
    _, lower, upper = figure.data
    expected = [core.score(f"RBP(p={p})", RANKING) for p in grid]
    assert np.allclose(lower.y, [score.lower for score in expected])
    assert np.allclose(upper.y, [score.upper for score in expected])
    assert figure.layout.shapes[0].x0 == 0.8
    assert list(figure.layout.xaxis.range) == [0, 1]


def test_the_contributions_figure_adds_up_to_both_scores() -> None:
    shares = [core.contributions(name, RANKING) for name in ("RBP(p=0.8)", "AP")]
    figure = contributions_figure(*shares)
    assert [bar.name for bar in figure.data] == ["RBP", "AP"]
    for bar, name in zip(figure.data, ("RBP(p=0.8)", "AP"), strict=True):
        assert np.isclose(sum(bar.y), core.score(name, RANKING).value)
    assert list(figure.data[0].x) == list(range(1, 21))
