"""Pictures of a user's patience: depth, precision, residual, weights and walks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure

MOST_DEPTH: Final = 1000  # the depth axes end here
_DASHES: Final = ("solid", "dash", "dashdot", "dot")
_P_AXIS: Final = {
    "title": "persistence p",
    "range": [0, 1],
    "dtick": 0.2,
    "automargin": False,
}


@dataclass(frozen=True)
class Patience:
    """How far users read: the mean depth, and the chances of reaching page 2 and page 3."""

    p: Floats
    depth: Floats
    page2: Floats
    page3: Floats


@dataclass(frozen=True)
class Budget:
    """What a person wants: judgments to some depth, and so many decimals of RBP."""

    depth: int
    digits: int
    p_limit: float  # p must be below this for the digits at the depth


@dataclass(frozen=True)
class Line:
    """A named line over the ranks 1, 2, 3, ..."""

    name: str
    y: Floats


def patience_picture(curve: Patience, now: Patience, *, look: Look) -> Picture:
    """Draw the ranks a user reads on average, and the chances of reaching later pages.

    `now` holds the same at the one p that is marked.
    """
    p, depth, page2, page3 = (
        float(part[0]) for part in (now.p, now.depth, now.page2, now.page3)
    )
    lines = (
        (f"ranks read: {depth:.1f}", curve.depth, now.depth, look.rbp, "y"),
        (f"reaches page 2: {percent(page2)}", curve.page2, now.page2, look.other, "y2"),
        (f"reaches page 3: {percent(page3)}", curve.page3, now.page3, look.third, "y2"),
    )
    traces: list[dict[str, Any]] = []
    for (name, y, at, colour, axis), dash in zip(lines, _DASHES, strict=False):
        traces += [
            {
                **_line(curve.p, y, name, colour, dash, look.width),
                "yaxis": axis,
                "hovertemplate": "%{y:.1f}" if axis == "y" else "%{y:.1%}",
            },
            {**_dot(now.p, at, colour, look), "yaxis": axis},
        ]
    right = {
        "overlaying": "y",
        "side": "right",
        "range": [0, 1.02],
        "dtick": 0.25,
        "tickformat": ".0%",
        "showgrid": False,
        "title": {"text": "chance", "standoff": 6},
    }
    return Picture(
        name="patience_against_p",
        title="How far this user reads",
        figure=figure(
            traces,
            look,
            x=_P_AXIS,
            y=_log_axis("ranks read on average", 100, "D2"),
            yaxis2=right,
            shapes=[_upright(p, look)],
            legend=_legend_inside(look),
            margin=_margin(look, right=56),
        ),
        alt=(
            f"Ranks read on average and chances of reaching later pages, against p. At p = "
            f"{p:g}: {depth:.1f} ranks, page 2 {percent(page2)}, page 3 {percent(page3)}."
        ),
        caption="Solid, left axis: 1/(1 − p). Right axis: p¹⁰ and p²⁰, ten results a page "
        "(MZ 4.1, 4.2).",
    )


def precision_picture(
    p_values: Floats,
    depths: Sequence[Floats],
    now: Sequence[int],
    budget: Budget,
    *,
    p: float,
    look: Look,
) -> Picture:
    """Draw the depth needed for 1, 2, 3, ... decimals against p, and what a budget allows.

    `depths` holds a line for each number of decimals, `now` their values at `p`.
    """
    traces: list[dict[str, Any]] = []
    for digits in range(len(depths), 0, -1):
        chosen = digits == budget.digits
        name = f"{_decimals(digits)}: depth {now[digits - 1]}"
        colour = look.rbp if chosen else look.marker
        dash = "solid" if chosen else _DASHES[1 + digits % 3]
        width = look.width if chosen else look.width / 2
        traces.append(_line(p_values, depths[digits - 1], name, colour, dash, width))
    needed = now[budget.digits - 1]
    traces += [
        _dot(np.array([p]), np.array([needed]), look.rbp, look),
        {
            **_dot(np.array([budget.p_limit]), np.array([budget.depth]), look.other, look),
            "name": "the budget",
        },
    ]
    shapes = [
        _upright(p, look, top=needed),
        {
            **_upright(budget.p_limit, look, top=budget.depth),
            "line": {"color": look.other, "dash": "dot", "width": 1.5},
        },
        {
            "type": "line",
            "x0": 0,
            "x1": 1,
            "y0": budget.depth,
            "y1": budget.depth,
            "line": {"color": look.other, "dash": "dot", "width": 1.5},
        },
    ]
    label = {
        "x": budget.p_limit,
        "y": 0,
        "text": f"p < {budget.p_limit:.4f}",
        "showarrow": False,
        "yanchor": "bottom",
        "xanchor": "left" if budget.p_limit < 0.75 else "right",
        "font": {"color": look.text},
        "bgcolor": look.ground,
    }
    return Picture(
        name="depth_for_decimals_against_p",
        title="Depth needed for 1 to 4 decimals",
        figure=figure(
            traces,
            look,
            x=_P_AXIS,
            y=_log_axis("depth", MOST_DEPTH),
            shapes=shapes,
            annotations=[label],
            legend=_legend_inside(look),
            margin=_margin(look),
        ),
        alt=(
            f"Depth needed against p. At p = {p:g}: "
            + "; ".join(f"{_decimals(k + 1)} depth {depth}" for k, depth in enumerate(now))
            + f". Depth {budget.depth} gives {_decimals(budget.digits)} for p below "
            f"{budget.p_limit:.4f}."
        ),
        caption=f"Dotted: your depth {budget.depth}, and the p it allows. The residual pᵈ must "
        "stay below 10⁻ᵏ (MZ 4.4).",
    )


def residual_picture(
    p_values: Floats, depths: Floats, *, p: float, depth: int, look: Look
) -> Picture:
    """Draw what is left open, p^d, over p and depth; the lines are full decimals."""
    residuals = p_values[np.newaxis, :] ** depths[:, np.newaxis]
    traces: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "x": p_values,
            "y": depths,
            "z": residuals,
            "zmin": 0.0,
            "zmax": 1.0,
            "colorscale": _shades(look),
            "showscale": False,
            "name": "residual",
            "hovertemplate": "p %{x:.2f}, depth %{y}: %{z:.4f}<extra></extra>",
        }
    ]
    labels: list[dict[str, Any]] = []
    along = np.geomspace(1.0, MOST_DEPTH, 60)
    for digits, at in ((1, 0.75), (2, 0.55), (3, 0.37), (4, 0.2)):
        edge = _line(
            10.0 ** (-digits / along), along, f"1e-{digits}", look.text, "solid", 1
        )
        traces.append({**edge, "hoverinfo": "skip", "meta": "decoration"})
        labels.append(
            {
                "x": at,
                "y": np.log10(-digits / np.log10(at)),
                "text": f"{10.0**-digits:.{digits}f}",
                "showarrow": False,
                "font": {"color": look.text, "size": 16 if look.large else 11},
                "bgcolor": look.ground,
                "borderpad": 1,
            }
        )
    across = {
        **_upright(p, look, top=MOST_DEPTH),
        "x0": 0,
        "x1": 1,
        "y0": depth,
        "y1": depth,
    }
    labels.append(
        {
            "x": p,
            "y": np.log10(depth),
            "text": f"<b>{small(p**depth)}</b>",
            "showarrow": False,
            "xanchor": "right" if p > 0.4 else "left",
            "yshift": 18 if depth < 300 else -18,
            "font": {"color": look.text, "size": 20 if look.large else 13},
            "bgcolor": look.ground,
        }
    )
    return Picture(
        name="residual_over_p_and_depth",
        title="What is left open: the residual",
        figure=figure(
            traces,
            look,
            x=_P_AXIS,
            y=_log_axis("depth", MOST_DEPTH),
            shapes=[_upright(p, look, top=MOST_DEPTH), across, _spot(p, depth, look)],
            annotations=labels,
            margin=_margin(look),
            hovermode="closest",
            showlegend=False,
        ),
        alt=(
            f"Residual p to the power of depth, over p and depth. At p = {p:g} and depth "
            f"{depth}: {small(p**depth)}."
        ),
        caption="The darker, the more is open; each line is one more decimal (MZ 4.4)."
        if not look.dark
        else "The brighter, the more is open; each line is one more decimal (MZ 4.4).",
    )


def weights_picture(lines: Sequence[Line], *, look: Look) -> Picture:
    """Draw the weight of each rank for a few p (ZPM Figure 1); the first is the page's."""
    looks = ((look.rbp, "circle"), (look.other, "square"), (look.third, "diamond"))
    ranks = np.arange(1.0, len(lines[0].y) + 1)
    traces = [
        {
            **_line(ranks, line.y, line.name, colour, dash, look.width),
            "mode": "lines+markers",
            "marker": {"symbol": symbol, "size": 7, "color": colour},
            "hovertemplate": "%{y:.4f}",
        }
        for line, (colour, symbol), dash in zip(lines, looks, _DASHES, strict=False)
    ]
    most = max(float(line.y[0]) for line in lines)
    words = "; ".join(
        f"{line.name}: rank 1 {line.y[0]:.3f}, rank 10 {line.y[9]:.4f}" for line in lines
    )
    return Picture(
        name="weight_of_each_rank",
        title="Weight of each rank, for three p",
        figure=figure(
            traces,
            look,
            x={"title": "rank", "range": [0.5, len(ranks) + 0.5], "dtick": 5, "tick0": 0},
            y={
                "range": [-0.02, 0.53] if most <= 0.5 + 1e-9 else [-0.03, 1.05],
                "title": "weight",
            },
        ),
        alt=f"Weight of each rank for three values of p. {words}.",
        caption="A patient user spreads the weight down the list (ZPM 2008, Figure 1).",
    )


def walk_picture(
    users: Floats, averages: Floats, rbp: float, *, look: Look, caption: str
) -> Picture:
    """Draw the average of the first 1, 2, 3, ... users; it settles on RBP."""
    last = int(users[-1])
    ends, width = np.array([1.0, max(2.0, last)]), look.width * 0.7
    so_far = _line(users, averages, "average of the users so far", look.rbp, "solid", width)
    level = _line(ends, np.full(2, rbp), f"RBP {rbp:.4f}", look.other, "dash", width)
    traces = [
        {
            **so_far,
            "mode": "lines" if last > 1 else "markers",
            "hovertemplate": "%{y:.4f}",
        },
        {**level, "hovertemplate": "%{y:.4f}"},
    ]
    label = {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "y": min(float(averages[-1]), 1.0),
        "yshift": 14 if averages[-1] < 0.85 else -14,
        "text": f"{averages[-1]:.4f}",
        "showarrow": False,
        "font": {"color": look.text},
        "bgcolor": look.ground,
    }
    return Picture(
        name="average_of_simulated_users",
        title="The users' average settles on RBP",
        figure=figure(
            traces,
            look,
            x={
                "title": "users so far",
                "type": "log",
                "range": [0, float(np.log10(max(2, last)))],
                "dtick": 1,
            },
            y=UNIT,
            annotations=[label],
        ),
        alt=f"After {last:,} users the average is {averages[-1]:.4f}; RBP is {rbp:.4f}.",
        caption=caption,
    )


def stops_picture(stopped: Floats, expected: Floats, *, below: bool, look: Look) -> Picture:
    """Draw the share of users who stopped at each rank beside the chance (1-p) p^(i-1).

    With `below`, the last bar holds everyone who read on below the rank before it.
    """
    ranks = np.arange(1.0, len(stopped) + 1)
    traces = [
        {
            "type": "bar",
            "x": ranks,
            "y": stopped,
            "name": "simulated users",
            "marker": {"color": look.unjudged, "line": {"color": look.rbp, "width": 1}},
            "hovertemplate": "%{y:.1%}",
        },
        {
            **_line(ranks, expected, "expected", look.other, "dash", look.width * 0.7),
            "mode": "markers",
            "marker": {"symbol": "diamond", "size": 8, "color": look.other},
            "hovertemplate": "%{y:.1%}",
        },
    ]
    shown = len(ranks) - 1 if below else len(ranks)
    inside = max(float(stopped[:shown].max()), float(expected[:shown].max()))
    cut = below and float(stopped[-1]) > 2.0 * inside
    rest = {
        "x": len(ranks) + 0.5,
        "y": 1,
        "yref": "paper",
        "xanchor": "right",
        "yanchor": "top",
        "text": f"below rank {shown}: {percent(float(stopped[-1]))}{' ↑' if cut else ''}",
        "showarrow": False,
        "font": {"color": look.text},
        "bgcolor": look.ground,
    }
    return Picture(
        name="where_users_stopped",
        title="Where the users stopped",
        figure=figure(
            traces,
            look,
            x={
                "title": "last rank read",
                "range": [0.4, max(2, len(ranks)) + 0.6],
                "tick0": 0,
                "dtick": 1 if shown <= 10 else 5,
            },
            y={
                "range": [0, 1.15 * (inside if cut else max(inside, float(stopped[-1])))],
                "tickformat": ".0%" if inside > 0.05 else ".1%",
            },
            bargap=0.2,
            annotations=[rest] if below else [],
        ),
        alt=(
            f"Share of users who stopped at each rank. Rank 1: {percent(float(stopped[0]))}, "
            f"{percent(float(expected[0]))} expected"
            + (f"; below rank {shown}: {percent(float(stopped[-1]))}." if below else ".")
        ),
        caption="Each user stops after a document with chance 1 − p (MZ 2008, Figure 3).",
    )


def reading_picture(
    lines: tuple[Line, Line], relevant: Sequence[bool], *, look: Look
) -> Picture:
    """Draw the chance that each rank is read: the p1/p2 user beside the plain one."""
    ranks = np.arange(1.0, len(relevant) + 1)
    first, second = lines
    symbols = ["circle" if is_relevant else "circle-open" for is_relevant in relevant]
    traces = [
        {
            **_line(ranks, first.y, first.name, look.third, "solid", look.width),
            "mode": "lines+markers",
            "marker": {"symbol": symbols, "size": 10, "color": look.third},
            "hovertemplate": "%{y:.1%}",
        },
        {
            **_line(ranks, second.y, second.name, look.rbp, "dot", look.width),
            "hovertemplate": "%{y:.1%}",
        },
    ]
    at = min(10, len(ranks))
    return Picture(
        name="chance_of_reading_each_rank",
        title="Chance that each rank is read",
        figure=figure(
            traces,
            look,
            x={
                "title": "rank",
                "range": [0.5, max(2, len(ranks)) + 0.5],
                "tick0": 0,
                "dtick": 1 if len(ranks) <= 10 else 5,
            },
            y={"range": [-0.03, 1.05], "tick0": 0, "tickformat": ".0%", "dtick": 0.25},
        ),
        alt=(
            f"Chance that each rank is read. Rank {at}: {first.name} "
            f"{percent(float(first.y[at - 1]))}, {second.name} "
            f"{percent(float(second.y[at - 1]))}."
        ),
        caption="Filled: relevant, after which p1 decides; open: not, p2 decides (MZ 4.3).",
    )


def _line(
    x: Floats, y: Floats, name: str, colour: str, dash: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "name": name,
        "line": {"color": colour, "dash": dash, "width": width},
    }


def _dot(x: Floats, y: Floats, colour: str, look: Look) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": y,
        "name": "now",
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
        "marker": {
            "color": colour,
            "size": 13 if look.large else 9,
            "line": {"color": look.text, "width": 1},
        },
    }


def _spot(x: float, y: float, look: Look) -> dict[str, Any]:
    """Draw a dot as a shape: a trace that moved would have the whole map painted anew."""
    radius = 6.5 if look.large else 4.5
    return {
        "type": "circle",
        "xsizemode": "pixel",
        "ysizemode": "pixel",
        "xanchor": x,
        "yanchor": y,
        "x0": -radius,
        "x1": radius,
        "y0": -radius,
        "y1": radius,
        "fillcolor": look.other,
        "line": {"color": look.text, "width": 1},
    }


def _upright(p: float, look: Look, top: float | None = None) -> dict[str, Any]:
    """Draw a dashed line at p, over the whole height or from 1 up to `top`."""
    ends = {"yref": "paper", "y0": 0, "y1": 1} if top is None else {"y0": 1, "y1": top}
    return {
        "type": "line",
        "x0": p,
        "x1": p,
        **ends,
        "line": {"color": look.marker, "dash": "dash", "width": 1.5},
    }


def _log_axis(title: str, most: int, step: str | int = 1) -> dict[str, Any]:
    """Make an axis from 1 to `most`.

    A list of ticks would make Plotly draw everything anew at each change; a step does not.
    """
    return {
        "title": title,
        "type": "log",
        "range": [0, float(np.log10(most)) + 0.02],
        "dtick": step,
        "tickformat": "d",
        "automargin": False,
    }


def _margin(look: Look, right: int = 12) -> dict[str, int]:
    """Leave room for ticks and titles, so that Plotly need not measure it at each change."""
    size = 1.5 if look.large else 1.0
    return {"l": round(52 * size), "r": round(right * size), "t": 10, "b": round(40 * size)}


def _legend_inside(look: Look) -> dict[str, Any]:
    """Put the legend, with its numbers, where these curves leave room: top left."""
    return {
        "orientation": "v",
        "x": 0.02,
        "y": 0.99,
        "yanchor": "top",
        "bgcolor": look.ground,
        "traceorder": "normal",
        "font": {"size": 17 if look.large else 12},
    }


def _shades(look: Look) -> list[tuple[float, str]]:
    """Shade residuals by their order of magnitude, from 1 down to 0.00001."""
    colour = "86, 180, 233" if look.dark else "0, 114, 178"
    powers = np.linspace(-5.0, 0.0, 21)
    stops = [(10.0**power, 0.04 + 0.76 * (power + 5.0) / 5.0) for power in powers]
    return [(at, f"rgba({colour}, {alpha:.3f})") for at, alpha in [(0.0, 0.04), *stops]]


def percent(chance: float) -> str:
    """Write a chance with one decimal; what it cannot show is said to be below."""
    return "< 0.1 %" if 0.0 < chance < 0.0005 else f"{100 * chance:.1f} %"


def _decimals(digits: int) -> str:
    return f"{digits} decimal{'' if digits == 1 else 's'}"


def small(value: float) -> str:
    """Write a residual with four decimals; what they cannot show is said to be below."""
    return "< 0.0001" if 0.0 < value < 0.0001 else f"{value:.4f}"
