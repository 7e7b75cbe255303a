"""Background to published scores: the nine panels, crossing curves, depths, numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure
from dashboard.figures.two_papers import Band

Meeting = tuple[float, str]

_COLUMNS: Final = 3


@dataclass(frozen=True)
class Panel:
    """One cell of ZPM's Figure 3; without curves where no ranking has the score."""

    p: float
    score: float
    words: str
    at: Floats
    band: Band | None
    greatest: Floats | None
    least: Floats | None


def panels_picture(panels: Sequence[Panel], *, look: Look, caption: str) -> Picture:
    """Draw ZPM's Figure 3: three p (rows, high p on top) by three scores (columns)."""
    traces: list[dict[str, Any]] = []
    notes = []
    axes: dict[str, Any] = {}
    for index, panel in enumerate(panels):
        row, column = divmod(index, _COLUMNS)
        number = "" if index == 0 else str(index + 1)
        axes |= _panel_axes(row, column, number, look)
        traces += _panel_traces(panel, {"xaxis": f"x{number}", "yaxis": f"y{number}"}, look)
        first, _, rest = panel.words.partition(", ")
        notes.append(
            {
                "xref": f"x{number} domain",
                "yref": f"y{number} domain",
                "x": 0.5,
                "y": 1.0,
                "yanchor": "bottom",
                "text": f"p = {panel.p:g}, S = {panel.score:g}<br><b>{first}</b>"
                + (f", {rest}" if rest else ""),
                "showarrow": False,
                "font": {"color": look.text, "size": 15 if look.large else 11},
            }
        )
    words = "; ".join(
        f"p = {panel.p:g}, S = {panel.score:g}: {panel.words}" for panel in panels
    )
    first_x, first_y = axes.pop("xaxis"), axes.pop("yaxis")
    return Picture(
        name="nine_panels",
        title="Nine scores, and where their rankings go as p falls",
        figure=figure(
            traces,
            look,
            x=first_x,
            y=first_y,
            height=560,
            annotations=notes,
            showlegend=False,
            margin={"l": 36, "r": 12, "t": 40, "b": 30},
            **axes,
        ),
        alt=f"Nine panels. {words}.",
        caption=caption,
    )


def _panel_axes(row: int, column: int, number: str, look: Look) -> dict[str, Any]:
    wide, high = 0.29, 0.225
    left, bottom = column * (1 - wide) / 2, (2 - row) * (1 - high) / 2
    shared = {
        "range": [0, 1],
        "dtick": 0.5,
        "gridcolor": look.grid,
        "zerolinecolor": look.grid,
    }
    return {
        f"xaxis{number}": {**shared, "domain": [left, left + wide], "anchor": f"y{number}"},
        f"yaxis{number}": {
            **shared,
            "domain": [bottom, bottom + high],
            "anchor": f"x{number}",
        },
    }


def _panel_traces(panel: Panel, axes: dict[str, str], look: Look) -> list[dict[str, Any]]:
    title = f"p = {panel.p:g}, S = {panel.score:g}"
    possible = panel.band is not None
    point = {
        **axes,
        "type": "scatter",
        "mode": "markers",
        "x": [panel.p],
        "y": [panel.score],
        "name": f"{title} as published",
        "marker": {
            "size": 9,
            "color": look.text,
            "symbol": "circle" if possible else "x-thin",
            "line": {"width": 0 if possible else 3, "color": look.text},
        },
    }
    if panel.band is None:
        return [point]
    line = {**axes, "type": "scatter", "mode": "lines", "x": panel.at}
    edge = {**line, "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        {**edge, "y": panel.band.low, "name": f"{title} least"},
        {
            **edge,
            "y": panel.band.high,
            "name": f"{title} greatest",
            "fill": "tonexty",
            "fillcolor": look.tail,
        },
        {
            **line,
            "y": panel.greatest,
            "name": f"{title} R_G",
            "line": {"color": look.rbp, "width": look.width * 0.7},
        },
        {
            **line,
            "y": panel.least,
            "name": f"{title} R_L",
            "line": {"color": look.other, "width": look.width * 0.7, "dash": "dash"},
        },
        point,
    ]


def crossings_picture(
    at: Floats, curves: tuple[Floats, Floats], meetings: Sequence[Meeting], *, look: Look
) -> Picture:
    """Draw the RBP curves of two known rankings and mark where they meet."""
    styles = (("first", look.rbp, "solid"), ("second", look.other, "dash"))
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": at,
            "y": curve,
            "name": f"{name} ranking",
            "line": {"color": colour, "width": look.width, "dash": dash},
        }
        for curve, (name, colour, dash) in zip(curves, styles, strict=True)
    ]
    heights = [float(np.interp(p, at, curves[0])) for p, _ in meetings]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [p for p, _ in meetings],
            "y": heights,
            "name": "cross" if all(kind == "cross" for _, kind in meetings) else "meet",
            "customdata": [kind for _, kind in meetings],
            "hovertemplate": "%{customdata} at p = %{x:.6f}",
            "showlegend": bool(meetings),
            "marker": {
                "size": 12,
                "color": "rgba(0,0,0,0)",
                "symbol": [
                    "circle" if kind == "cross" else "diamond" for _, kind in meetings
                ],
                "line": {"color": look.text, "width": 2.5},
            },
        }
    )
    notes = [
        {
            "x": p,
            "y": y,
            "text": f"{'crosses' if kind == 'cross' else 'touches'} at {p:.4f}",
            "ax": 0,
            "ay": -30 - 22 * (index % 3),
            "arrowcolor": look.marker,
            "font": {"color": look.text},
            "bgcolor": look.ground,
        }
        for index, ((p, kind), y) in enumerate(zip(meetings[:9], heights, strict=False))
    ]
    words = ", ".join(f"{kind} at p = {p:.4f}" for p, kind in meetings) or "they never meet"
    return Picture(
        name="crossing_curves",
        title="RBP of two known rankings at every p",
        figure=figure(
            traces,
            look,
            x={"title": "persistence p", "range": [0, 1], "dtick": 0.2},
            y={**UNIT, "range": [0, 1], "hoverformat": ".4f"},
            height=300,
            annotations=notes,
        ),
        alt=f"RBP of two rankings against p: {words}.",
        caption="Both rankings are known in full; nothing relevant below their last rank.",
    )


def gap_picture(
    at: Floats, gap: Floats, meetings: Sequence[Meeting], *, look: Look
) -> Picture:
    """Draw the difference of the two curves, so that close meetings can be told apart."""
    places = [p for p, _ in meetings]
    inner = (at >= min(places)) & (at <= max(places)) if len(places) > 1 else at >= 0.0
    reach = max(float(np.abs(gap[inner]).max()) * (4.0 if len(places) > 1 else 1.1), 1e-5)
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": at,
        "y": gap,
        "name": "first minus second",
        "line": {"color": look.third, "width": look.width},
    }
    lines = [
        {
            "type": "line",
            "x0": p,
            "x1": p,
            "y0": -reach,
            "y1": reach,
            "line": {"color": look.marker, "dash": "dash", "width": 1.5},
        }
        for p in places
    ]
    best, worst = int(gap.argmax()), int(gap.argmin())
    return Picture(
        name="difference_of_the_curves",
        title="First minus second",
        figure=figure(
            [trace],
            look,
            x={"title": "persistence p", "range": [0, 1], "dtick": 0.2},
            y={
                "range": [-reach, reach],
                "hoverformat": ".2g",
                "zerolinecolor": look.marker,
            },
            height=300,
            shapes=lines,
            showlegend=False,
        ),
        alt=(
            f"Difference of the two curves: at most {gap[best]:.4f} at p = {at[best]:.2f}, at "
            f"least {gap[worst]:.4f} at p = {at[worst]:.2f}."
        ),
        caption=(
            "Above zero the first ranking is better, below zero the second"
            f"{'; enlarged around the meetings' if len(places) > 1 else ''}."
        ),
    )


def depths_picture(
    p_values: Sequence[float],
    precisions: Sequence[str],
    depths: Sequence[Sequence[int]],
    *,
    look: Look,
    caption: str,
) -> Picture:
    """Print ZPM's Table 1; the one entry that differs from the paper's is framed."""
    last = (len(p_values) - 1, len(precisions) - 1)
    text = [[f"{depth:,}" for depth in row] for row in depths]
    alt = "; ".join(
        f"p = {p:g}: {', '.join(row)}" for p, row in zip(p_values, text, strict=True)
    )
    text[last[0]][last[1]] += "<br>(printed 1,001)"
    table = {
        "type": "heatmap",
        "name": "ranks",
        "x": list(precisions),
        "y": [f"p = {p:g}" for p in p_values],
        "z": np.log10(np.array(depths, dtype=np.float64)),
        "customdata": [list(row) for row in depths],
        "text": text,
        "texttemplate": "%{text}",
        "textfont": {"size": 18 if look.large else 13},
        "hovertemplate": "%{y}, precision %{x}: %{customdata} ranks<extra></extra>",
        "colorscale": [
            [0.0, "#2B2926" if look.dark else "#F4F2EF"],
            [1.0, "#1F5F86" if look.dark else "#9CCBE6"],
        ],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    frame = {
        "type": "rect",
        "x0": last[1] - 0.48,
        "x1": last[1] + 0.48,
        "y0": last[0] - 0.47,
        "y1": last[0] + 0.47,
        "line": {"color": look.other, "width": 2.5},
    }
    return Picture(
        name="ranks_that_count",
        title="Ranks that count, by p and precision",
        figure=figure(
            [table],
            look,
            x={
                "side": "top",
                "title": "precision of the printed score",
                "type": "category",
            },
            y={"autorange": "reversed", "type": "category"},
            height=300,
            shapes=[frame],
            hovermode="closest",
            margin={"l": 48, "r": 8, "t": 48, "b": 8},
        ),
        alt=f"Table of the ranks that count: {alt}. The last was printed as 1,001.",
        caption=caption,
    )


def numbers_picture(
    counts: Sequence[tuple[str, float, Sequence[int]]], *, look: Look
) -> Picture:
    """Draw how many first ranks fit a score, beside the law (2p)^n, on a logarithmic axis."""
    traces: list[dict[str, Any]] = []
    styles = (("circle", look.rbp), ("diamond", look.other))
    for (name, p, found), (symbol, colour) in zip(counts, styles, strict=False):
        ranks = list(range(1, len(found) + 1))
        traces += [
            {
                "type": "scatter",
                "mode": "markers",
                "x": ranks,
                "y": [number or None for number in found],
                "name": f"{name} counted",
                "marker": {"color": colour, "symbol": symbol, "size": 9},
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": ranks,
                "y": [(2 * p) ** rank for rank in ranks],
                "name": f"{2 * p:.3g}<sup>n</sup>",
                "line": {"color": colour, "width": look.width / 2, "dash": "dash"},
            },
        ]
    words = "; ".join(
        f"{name}, p = {p:g}: {found[-1]:,} beginnings of {len(found)} ranks, the law says "
        f"{(2 * p) ** len(found):,.1f}"
        for name, p, found in counts
    )
    return Picture(
        name="how_many_rankings",
        title="How many beginnings fit the score",
        figure=figure(
            traces,
            look,
            x={"title": "ranks n", "range": [0.5, len(counts[0][2]) + 0.5]},
            y={"type": "log", "range": [-0.4, 5.1], "dtick": 1, "exponentformat": "power"},
            height=300,
        ),
        alt=f"Number of beginnings that fit the score by their length. {words}.",
        caption="Averaged over all scores the number is exactly (2p)ⁿ: it explodes for p > 1/2.",
    )


def attainable_picture(
    score: float, p: float, levels: Sequence[Sequence[tuple[float, float]]], *, look: Look
) -> Picture:
    """Draw which scores exist below p = 1/2: rank by rank, the gaps that no ranking fills."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for rank, parts in enumerate(levels, start=1):
        for low, high in parts:
            xs += [low, high, None]
            ys += [rank, rank, None]
    parts_left = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": xs,
        "y": ys,
        "name": "scores that are left",
        "line": {"color": look.rbp, "width": 10 if look.large else 7},
        "marker": {  # pieces too short for a line still show
            "symbol": "line-ns",
            "size": 10 if look.large else 7,
            "line": {"color": look.rbp, "width": 1.2},
        },
        "hovertemplate": "%{x:.4f}",
    }
    line = {
        "type": "line",
        "x0": score,
        "x1": score,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": look.text, "dash": "dash", "width": 2},
    }
    label = {
        "x": score,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "text": f"{score:.4g}",
        "showarrow": False,
        "font": {"color": look.text},
    }
    first, second = levels[0]
    return Picture(
        name="scores_that_exist",
        title=f"Scores that exist at p = {p:g}",
        figure=figure(
            [parts_left],
            look,
            x={"title": "RBP", **UNIT, "range": [-0.01, 1.01]},
            y={
                "title": "after rank",
                "range": [len(levels) + 0.6, 0.4],
                "dtick": 1,
                "zeroline": False,
                "showgrid": False,
            },
            shapes=[line],
            annotations=[label],
            hovermode="closest",
        ),
        alt=(
            f"Scores that exist at p = {p:g}. Rank 1 leaves {first[0]:.4f} to {first[1]:.4f} "
            f"and {second[0]:.4f} to {second[1]:.4f}; each further rank cuts every piece again."
        ),
        caption="Each rank decides between two pieces, and what lies between them is lost (ZPM 6).",
    )
