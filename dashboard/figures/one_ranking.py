"""Pictures of one ranking: bounds against p and depth, shares by rank, all metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core import Score
from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure

_EDGE = 1.03  # where a score above 1 is drawn


@dataclass(frozen=True)
class Curve:
    """RBP's bounds along an axis, with the point up to which only unjudged documents count."""

    name: str
    lower: Floats
    closed: Floats  # lower bound plus what unjudged documents inside the list leave open
    upper: Floats


@dataclass(frozen=True)
class Row:
    """One metric in the overview: its name, score and what there is to say about it."""

    name: str
    score: Score
    title: str


def bounds_picture(
    p_values: Floats, curves: Sequence[Curve], *, p: float, look: Look
) -> Picture:
    """Draw RBP's bounds at every p; the residual is split into unjudged and unseen."""
    traces: list[dict[str, Any]] = []
    for curve, second in zip(curves, (False, True), strict=False):
        traces += _band(p_values, curve, look, second=second)
    at = int(np.abs(p_values - p).argmin())
    first = curves[0]
    shapes = [
        {
            "type": "line",
            "x0": p,
            "x1": p,
            "y0": 0,
            "y1": 1,
            "line": {"color": look.marker, "dash": "dash", "width": 1.5},
        }
    ]
    words = "; ".join(
        f"{curve.name}: between {curve.lower[at]:.4f} and {curve.upper[at]:.4f}"
        for curve in curves
    )
    label = {
        "x": p,
        "y": 0.97,
        "text": f" {first.lower[at]:.3f} … {first.upper[at]:.3f} ",
        "showarrow": False,
        "xanchor": "right" if p > 0.5 else "left",
        "font": {"color": look.text},
        "bgcolor": look.ground,
    }
    return Picture(
        name="rbp_bounds_against_p",
        title="RBP and its bounds at every p",
        figure=figure(
            traces,
            look,
            x={"title": "persistence p", "range": [0, 1], "dtick": 0.2},
            y={**UNIT, "hoverformat": ".4f"},
            shapes=shapes,
            annotations=[label],
        ),
        alt=f"RBP against p. At p = {p:.2f}, {words}.",
        caption="Dark band: unjudged documents. Light band: everything below the list.",
    )


def depth_picture(curves: Sequence[Curve], *, look: Look, caption: str) -> Picture:
    """Draw the bounds closing in as more ranks are looked at (MZ Fig. 5), a line pair a p."""
    ranks = np.arange(1, len(curves[0].lower) + 1)
    traces: list[dict[str, Any]] = []
    looks = ((look.rbp, "solid"), (look.other, "dash"), (look.third, "dashdot"))
    for curve, (colour, dash) in zip(curves, looks, strict=False):
        steps = {"shape": "hv", "color": colour}
        traces += [
            {
                "type": "scatter",
                "mode": "lines",
                "x": ranks,
                "y": curve.upper,
                "name": f"{curve.name} upper",
                "showlegend": False,
                "line": {**steps, "width": look.width / 2, "dash": "dot"},
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": ranks,
                "y": curve.lower,
                "name": curve.name,
                "line": {**steps, "width": look.width, "dash": dash},
                "fill": "tonexty",
                "fillcolor": look.tail if colour == look.rbp else "rgba(0,0,0,0)",
            },
        ]
    words = "; ".join(
        f"{curve.name}: {curve.lower[-1]:.4f} to {curve.upper[-1]:.4f}" for curve in curves
    )
    return Picture(
        name="rbp_bounds_by_depth",
        title="Bounds close as the depth grows",
        figure=figure(
            traces,
            look,
            x={"title": "depth", "range": [1, max(2, len(ranks))]},
            y={**UNIT, "hoverformat": ".4f"},
        ),
        alt=f"RBP's bounds after each depth. At depth {len(ranks)}: {words}.",
        caption=caption,
    )


def shares_picture(
    names: tuple[str, str], shares: tuple[Floats, Floats], *, look: Look
) -> Picture:
    """Draw the share of each rank in two scores, side by side (MZ Table I)."""
    colours = (look.rbp, look.other)
    ranks = np.arange(1, max(len(part) for part in shares) + 1)
    bars: list[dict[str, Any]] = []
    for name, part, colour, pattern in zip(names, shares, colours, ("", "/"), strict=True):
        total = float(np.nansum(part))
        percent = 100.0 * part / total if total > 0 else np.zeros(len(part))
        bars.append(
            {
                "type": "bar",
                "x": ranks[: len(part)],
                "y": percent,
                "customdata": part,
                "name": name,
                "marker": {
                    "color": colour,
                    "line": {"color": colour, "width": 1},
                    "pattern": {
                        "shape": pattern,
                        "fgcolor": colour,
                        "bgcolor": "rgba(0,0,0,0)",
                    }
                    if pattern
                    else {},
                },
                "hovertemplate": "%{y:.1f} % (%{customdata:.4f})",
            }
        )
    top = [
        f"{name}: rank 1 {bar['y'][0]:.0f} %" for name, bar in zip(names, bars, strict=True)
    ]
    return Picture(
        name="share_of_each_rank",
        title="Share of the score from each rank",
        figure=figure(
            bars,
            look,
            x={"title": "rank", "range": [0.4, max(2, len(ranks)) + 0.6]},
            y={"range": [0, 102], "ticksuffix": " %", "dtick": 20},
            barmode="group",
            bargap=0.15,
        ),
        alt=f"Share of the score from each rank. {'; '.join(top)}.",
        caption="How much of the score each document is responsible for (MZ 2008, Table I).",
    )


def ranges_picture(groups: Sequence[tuple[str, Sequence[Row]]], *, look: Look) -> Picture:
    """Draw every metric's value and its range over all ways of judging the rest."""
    traces: list[dict[str, Any]] = []
    rows = groups[0][1]
    places = np.arange(len(rows), dtype=np.float64)
    colours, symbols = (look.rbp, look.other), ("circle", "diamond")
    for (group, members), colour, symbol, shift in zip(
        groups, colours, symbols, (0.0, 0.28), strict=False
    ):
        traces += _range_traces(group, members, places + shift, look, (colour, symbol))
    printed = [
        {
            "xref": "paper",
            "x": 1.0,
            "xanchor": "left",
            "y": float(place),
            "text": f"  {_printed(row.score)}",
            "showarrow": False,
            "font": {"color": look.text},
        }
        for row, place in zip(rows, places, strict=True)
    ]
    words = "; ".join(f"{row.name} {_printed(row.score)}" for row in rows)
    return Picture(
        name="every_metric_with_its_range",
        title="Every metric, with its range over all ways of judging the rest",
        figure=figure(
            traces,
            look,
            x={**UNIT, "range": [-0.02, 1.06], "hoverformat": ".4f", "side": "top"},
            y={
                "tickvals": places,
                "ticktext": [row.name for row in rows],
                "range": [len(rows) - 0.4, -0.6],
            },
            height=60 + 25 * len(rows),
            annotations=printed,
            margin={"l": 48, "r": 300 if look.large else 200, "t": 36, "b": 12},
            hovermode="closest",
            showlegend=len(groups) > 1,
        ),
        alt=f"Scores and ranges: {words}.",
        caption=(
            "Dot: by the metric's own rule for unjudged documents. Bar: every completion. "
            "Arrow: above 1."
        ),
    )


def _range_traces(
    group: str, members: Sequence[Row], places: Floats, look: Look, style: tuple[str, str]
) -> list[dict[str, Any]]:
    """Draw one ranking's bars and dots; a score above 1 becomes an arrow at the edge."""
    colour, symbol = style
    xs: list[float | None] = []
    ys: list[float | None] = []
    for row, place in zip(members, places, strict=True):
        xs += [min(float(row.score.lower), _EDGE), min(float(row.score.upper), _EDGE), None]
        ys += [float(place), float(place), None]
    values = np.array([float(row.score.value) for row in members])
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": xs,
            "y": ys,
            "name": f"{group}: range",
            "line": {"color": colour, "width": look.width + 3},
            "opacity": 0.45,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": np.minimum(values, _EDGE),
            "y": places,
            "name": f"{group}: value",
            "marker": {
                "color": colour,
                "size": 9,
                "symbol": ["triangle-right" if value > 1.0 else symbol for value in values],
            },
            "customdata": [f"{row.name} {_printed(row.score)}" for row in members],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]


def _printed(score: Score) -> str:
    if np.isnan(score.value) and np.isnan(score.lower):
        return "undefined"
    value = "undefined" if np.isnan(score.value) else f"{score.value:.4f}"
    if np.isnan(score.lower):
        return f"{value} (range not known)"
    if score.lower == score.upper:
        return value
    return f"{value} [{score.lower:.4f}, {score.upper:.4f}]"


def _band(x: Floats, curve: Curve, look: Look, *, second: bool) -> list[dict[str, Any]]:
    colour = look.other if second else look.rbp
    dash = "dash" if second else "solid"
    dark, light = (
        (look.other_band, look.other_faint) if second else (look.unjudged, look.tail)
    )
    base = {"type": "scatter", "mode": "lines", "x": x, "legendgroup": curve.name}
    edge = {"color": colour, "width": 0}
    return [
        {
            **base,
            "y": curve.lower,
            "name": f"{curve.name}, lower bound",
            "line": {"color": colour, "width": look.width, "dash": dash},
        },
        {
            **base,
            "y": curve.closed,
            "name": "with all unjudged relevant",
            "line": edge,
            "fill": "tonexty",
            "fillcolor": dark,
            "showlegend": False,
        },
        {
            **base,
            "y": curve.upper,
            "name": "upper bound",
            "line": {"color": colour, "width": 1.2, "dash": "dot"},
            "fill": "tonexty",
            "fillcolor": light,
            "showlegend": not second,
        },
    ]
