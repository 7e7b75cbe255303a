"""Pictures of one good answer: the blended ratio, where users stop, six scores side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core import Score
from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure

_FEW: Final = 14  # ranks up to which each document is named
_NAMES: Final = ("RR", "NWRR", "O", "P", "P+", "Q")
_FIFTHS: Final = (0, 0.2, 0.4, 0.6, 0.8, 1)
_GROUPS: Final = (  # Sakai 2007, Figure 1: what the user wants, and the last of its metrics
    ("any one", 0, 2),
    ("one best", 3, 4),
    ("all", 5, 5),
)


@dataclass(frozen=True)
class Line:
    """The blended ratio of one ranking, with the two ranks at which metrics read it."""

    name: str
    ratio: Floats
    parts: list[str]  # the ratio written out, a rank
    marks: list[str]  # the document at each rank
    first: int  # rank of the first relevant document, 0 for none
    best: int  # rank of the first document of the highest grade, 0 for none


@dataclass(frozen=True)
class Stops:
    """The ranks at which each metric's user may stop, in one ranking."""

    name: str
    ranks: list[tuple[int, ...]]
    marks: list[str]


@dataclass(frozen=True)
class Bars:
    """The scores of one ranking, a metric each."""

    name: str
    scores: list[Score]


def ratio_picture(lines: Sequence[Line], *, look: Look) -> Picture:
    """Draw BR(r) along the ranks; O-measure reads it at one rank, P-measure at another."""
    depth = max(len(line.ratio) for line in lines)
    traces: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        traces += _ratio_traces(line, look, second=number > 0)
        labels += _ratio_labels(line, depth, look, second=number > 0)
    words = "; ".join(_ratio_words(line) for line in lines)
    return Picture(
        name="blended_ratio_by_rank",
        title="Blended ratio BR(r) along the ranks",
        figure=figure(
            traces,
            look,
            x=_rank_axis([line.marks for line in lines], depth),
            y={
                **UNIT,
                "range": [-0.16 if len(lines) > 1 else -0.03, 1.18],
                "tickvals": _FIFTHS,
                "ticktext": [f"{tick:g}" for tick in _FIFTHS],
                "zeroline": False,
                "hoverformat": ".4f",
            },
            height=265,
            annotations=labels,
            shapes=[
                {
                    "type": "line",
                    "x0": rank,
                    "x1": rank,
                    "y0": 0,
                    "y1": 1,
                    "line": {"color": look.marker, "dash": "dash", "width": 1.5},
                }
                for rank in sorted({line.first for line in lines} | {line.best for line in lines})
                if rank
            ],
        ),
        alt=f"Blended ratio after each rank. {words}.",
        caption="(gain so far + relevant so far) / (ideal gain so far + rank). Sakai 2007, eq. 2.",
    )  # fmt: skip


def stops_picture(sides: Sequence[Stops], *, look: Look) -> Picture:
    """Draw how far each metric's user reads, and the ranks at which they may stop."""
    names = _NAMES
    depth = max(len(side.marks) for side in sides)
    traces = [
        trace
        for number, side in enumerate(sides)
        for trace in _stop_traces(side, look, second=number > 0, two=len(sides) > 1)
    ]
    bands = [
        {
            "type": "line", "xref": "paper", "x0": 0, "x1": 1,
            "y0": last + 0.5, "y1": last + 0.5,
            "line": {"color": look.grid, "width": 2},
        }
        for _, _, last in _GROUPS[:-1]
    ]  # fmt: skip
    wants = [
        {
            "xref": "paper",
            "x": 1.0,
            "xanchor": "left",
            "y": (start + last) / 2,
            "text": f" {what}",
            "showarrow": False,
            "font": {"color": look.text},
        }
        for what, start, last in _GROUPS
    ]
    words = "; ".join(
        f"{side.name}: "
        + ", ".join(
            f"{name} {_ranks_words(ranks)}"
            for name, ranks in zip(names, side.ranks, strict=True)
        )
        for side in sides
    )
    return Picture(
        name="where_users_stop",
        title="Where each user stops",
        figure=figure(
            traces,
            look,
            x=_rank_axis([side.marks for side in sides], depth),
            y={
                "tickvals": list(range(len(names))),
                "ticktext": list(names),
                "range": [len(names) - 0.4, -0.6],
                "showgrid": False,
                "zeroline": False,
            },
            height=265,
            shapes=bands,
            annotations=wants,
            hovermode="closest",
            margin={"l": 48, "r": 100 if look.large else 66, "t": 24, "b": 36},
            showlegend=len(sides) > 1,
        ),
        alt=f"Ranks at which users may stop. {words}.",
        caption="Right: what the user wants (Sakai 2007, Fig. 1). Several dots: one of them, "
        "each as likely.",
    )


def scores_picture(labels: Sequence[str], sides: Sequence[Bars], *, look: Look) -> Picture:
    """Draw the six scores as bars, with their ranges where documents are unjudged."""
    traces: list[dict[str, Any]] = []
    for number, side in enumerate(sides):
        colour = look.other if number else look.rbp
        values = np.array([float(score.value) for score in side.scores])
        up = np.array([float(score.upper - score.value) for score in side.scores])
        down = np.array([float(score.value - score.lower) for score in side.scores])
        traces.append(
            {
                "type": "bar",
                "x": list(labels),
                "y": values,
                "name": side.name,
                "marker": {
                    "color": colour,
                    "line": {"color": colour, "width": 1},
                    "pattern": {"shape": "/", "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)"}
                    if number
                    else {},
                },
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": _lengths(up),
                    "arrayminus": _lengths(down),
                    "color": look.text,
                    "thickness": 2,
                    "visible": bool(np.nansum(np.abs(up) + np.abs(down)) > 1e-9),
                },
                "hovertemplate": "%{x}: %{y:.4f}<extra></extra>",
            }
        )
    words = "; ".join(
        f"{side.name}: "
        + ", ".join(
            f"{label} {_long(score)}"
            for label, score in zip(labels, side.scores, strict=True)
        )
        for side in sides
    )
    return Picture(
        name="six_scores",
        title="Six scores of the same ranking" if len(sides) == 1 else "Six scores of both",
        figure=figure(
            traces,
            look,
            x={
                "tickvals": list(labels),
                "ticktext": [
                    _under(label, number, sides) for number, label in enumerate(labels)
                ],
                "showgrid": False,
            },
            y=UNIT,
            height=265,
            barmode="group",
            bargap=0.25,
            hovermode="closest",
            showlegend=len(sides) > 1,
        ),
        alt=f"Scores. {words}.",
        caption="Whiskers: every way of judging the open documents."
        if any(trace["error_y"]["visible"] for trace in traces)
        else "All of them at most 1; RR and NWRR do not ask what else there is to find.",
    )


def _rank_axis(marks: Sequence[list[str]], depth: int) -> dict[str, Any]:
    """Set up the ranks; few ranks of one ranking also get their documents."""
    air = max(0.6, 0.03 * depth)  # so that marks at either end are whole
    axis: dict[str, Any] = {"title": "rank", "range": [1 - air, max(depth, 2) + air]}
    if depth > _FEW:
        return axis
    ranks = list(range(1, depth + 1))
    names = [str(rank) for rank in ranks]
    if len(marks) == 1:
        names = [f"{rank}<br>{mark}" for rank, mark in zip(ranks, marks[0], strict=True)]
    return {**axis, "tickvals": ranks, "ticktext": names, "showgrid": False}


def _ratio_traces(line: Line, look: Look, *, second: bool) -> list[dict[str, Any]]:
    colour = look.other if second else look.rbp
    ranks = np.arange(1, len(line.ratio) + 1)
    relevant = np.array([mark not in "–?" for mark in line.marks])
    few = len(ranks) <= 60
    return [
        {
            "type": "scatter",
            "mode": "lines+markers" if few else "lines",
            "x": ranks,
            "y": line.ratio,
            "customdata": line.parts,
            "name": "BR(r)" if line.name == "ranking" else f"BR(r), {line.name}",
            "line": {
                "color": colour,
                "width": look.width,
                "dash": "dash" if second else "solid",
            },
            "marker": {
                "size": 11 if look.large else 8,
                "symbol": ["circle" if yes else "circle-open" for yes in relevant]
                if few
                else "circle",
            },
            "hovertemplate": "%{customdata} = %{y:.4f}",
            "showlegend": second or line.name != "ranking",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": [rank for rank in (line.first, line.best) if rank],
            "y": [line.ratio[rank - 1] for rank in (line.first, line.best) if rank],
            "name": f"read by O and P, {line.name}",
            "marker": {
                "color": colour,
                "size": 24 if look.large else 17,
                "symbol": "diamond-open" if second else "circle-open",
                "line": {"width": 2.5},
            },
            "hoverinfo": "skip",
            "showlegend": False,
        },
    ]


def _ratio_labels(
    line: Line, depth: int, look: Look, *, second: bool
) -> list[dict[str, Any]]:
    """Name the ranks at which metrics read the ratio, with the value there."""
    who = {line.first: "O", line.best: "P"}
    if line.first == line.best:
        who = {line.first: "O, P, P+"}
    labels = []
    for rank, name in who.items():
        if not rank:
            continue
        value = float(line.ratio[rank - 1])
        side = (
            "right"
            if rank > 0.8 * depth > 1
            else "left"
            if rank < 0.2 * depth
            else "center"
        )
        labels.append(
            {
                "x": rank,
                "y": value,
                "text": f"{name} {value:.3f}",
                "showarrow": False,
                "xanchor": side,
                "yanchor": "top" if second else "bottom",
                "yshift": -9 if second else 9,
                "bgcolor": look.ground,
                "font": {"color": look.text, "size": 18 if look.large else 13},
            }
        )
    return labels


def _stop_traces(
    side: Stops, look: Look, *, second: bool, two: bool
) -> list[dict[str, Any]]:
    colour = look.other if second else look.rbp
    shift = (0.18 if second else -0.18) if two else 0.0
    rows = [(row + shift, ranks) for row, ranks in enumerate(side.ranks) if ranks]
    size = 14 if look.large else 10
    few = len(side.marks) <= 60
    way_x: list[float | None] = []
    way_y: list[float | None] = []
    for row, ranks in rows:
        way_x += [0.5, float(ranks[-1]), None]
        way_y += [row, row, None]
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": way_x,
            "y": way_y,
            "name": f"{side.name}, read",
            "line": {
                "color": colour,
                "width": look.width / 2,
                "dash": "dash" if second else "solid",
            },
            "meta": "decoration",
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": [rank for _, ranks in rows for rank in ranks],
            "y": [row for row, ranks in rows for _ in ranks],
            "customdata": [_NAMES[round(row)] for row, ranks in rows for _ in ranks],
            "name": side.name,
            "marker": {
                "color": colour,
                "size": size if few else size / 2,
                "symbol": "diamond" if second else "circle",
            },
            "hovertemplate": "%{customdata} may stop at rank %{x}<extra></extra>",
        },
    ]


def _ratio_words(line: Line) -> str:
    if not line.first:
        return f"{line.name}: nothing relevant, so it is 0 throughout"
    at_first, at_best = line.ratio[line.first - 1], line.ratio[line.best - 1]
    return (
        f"{line.name}: {at_first:.4f} at rank {line.first}, the first relevant document; "
        f"{at_best:.4f} at rank {line.best}, the best one; {line.ratio[-1]:.4f} at the end"
    )


def _ranks_words(ranks: tuple[int, ...]) -> str:
    if not ranks:
        return "never"
    if len(ranks) <= 6:
        return f"at {', '.join(map(str, ranks))}"
    return f"at {len(ranks)} ranks from {ranks[0]} to {ranks[-1]}"


def _under(label: str, number: int, sides: Sequence[Bars]) -> str:
    """Print a metric's name and, below it, the score of each ranking."""
    values = [_short(float(side.scores[number].value)) for side in sides]
    return "<br>".join((label.removesuffix("-measure"), *values))


def _lengths(whiskers: Floats) -> Floats:
    """Leave out whiskers of no length, whose caps would be drawn all the same."""
    return np.where(whiskers > 1e-9, whiskers, np.nan)


def _short(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.3f}"


def _long(score: Score) -> str:
    if np.isnan(score.value):
        return "undefined"
    if score.lower == score.upper:
        return f"{score.value:.4f}"
    if np.isnan(score.lower):
        return f"{score.value:.4f}, range not known"
    return f"{score.value:.4f}, range {score.lower:.4f} to {score.upper:.4f}"
