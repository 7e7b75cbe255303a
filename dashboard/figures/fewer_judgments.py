"""Pictures of thinned judgments: mean value and tau against the share of judgments kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import UNIT, Figure, Look, Picture, figure

_LIGHT: Final = ("#009E73", "#984EA3", "#6B6B6B", "#8C564B", "#332288", "#7A6A00")
_DARK: Final = ("#2BCB9A", "#D7A6E5", "#B0B0B0", "#E3A08F", "#9FA8FF", "#D6C94A")
_DASHES: Final = ("dashdot", "dot", "longdash", "solid", "longdashdot", "dash")
_SYMBOLS: Final = ("square", "triangle-up", "cross", "x", "star", "triangle-down")
_TICKS: Final = (100, 50, 20, 10, 5, 2, 1)
_HEIGHT: Final = 310


@dataclass(frozen=True)
class Style:
    """How one metric is drawn in every picture: colour, dash and symbol."""

    colour: str
    dash: str
    symbol: str


@dataclass(frozen=True)
class Course:
    """One metric over the shares: means over the repetitions, and how far these spread."""

    name: str
    shares: Floats
    mean: Floats
    low: Floats  # least and greatest over the repetitions
    high: Floats
    band: tuple[Floats, Floats] | None = None  # mean lower and upper bound, where known


def styles(names: Sequence[str], look: Look) -> list[Style]:
    """Give RBP and AP their own colours, and the other metrics those that are left."""
    own = {"RBP": Style(look.rbp, "solid", "circle")}
    own["AP"] = Style(look.other, "dash", "diamond")
    found = []
    taken = 0
    for name in names:
        style = own.pop("RBP" if name.startswith("RBP") else name, None)
        if style is None:
            at = taken % len(_LIGHT)
            colour = (_DARK if look.dark else _LIGHT)[at]
            turned = (at + taken // len(_LIGHT)) % len(
                _DASHES
            )  # a second round differs too
            style = Style(colour, _DASHES[turned], _SYMBOLS[turned])
            taken += 1
        found.append(style)
    return found


def values_picture(courses: Sequence[Course], *, at: float, look: Look) -> Picture:
    """Draw the mean value of each metric over the shares kept (AG Fig. 5)."""
    traces: list[dict[str, Any]] = []
    drawn = styles([course.name for course in courses], look)
    banded = False
    for course, style in zip(courses, drawn, strict=True):
        if course.band is not None:
            traces += _band(course, style, look, filled=not banded)
            banded = True
        traces.append(_line(course, style, look))
    words = "; ".join(
        f"{course.name} {_at(course, at):.3f}, all {course.mean[-1]:.3f}"
        for course in courses
    )
    bounds = " Shaded: from the lower to the upper bound of RBP." if banded else ""
    return Picture(
        name="mean_value_by_share_kept",
        title="Mean value over runs and topics",
        figure=_over_shares(traces, courses, drawn, look, at=at, bottom=0.0),
        alt=f"Mean value with {100 * at:.0f} % of the judgments kept, and with all: {words}.",
        caption=f"AG Fig. 5. Strokes: least to greatest of the repetitions.{bounds}",
    )


def tau_picture(courses: Sequence[Course], *, at: float, look: Look) -> Picture:
    """Draw how far the order of the runs stays that of all judgments (AG Figs 6-8)."""
    drawn = styles([course.name for course in courses], look)
    traces = [
        _line(course, style, look) for course, style in zip(courses, drawn, strict=True)
    ]
    words = "; ".join(
        f"{course.name} {'not known' if np.isnan(value) else f'{value:.3f}'}"
        for course, value in ((course, _at(course, at)) for course in courses)
    )
    lows = np.concatenate([course.low for course in courses])
    least = float(np.nanmin(lows, initial=0.0))
    return Picture(
        name="tau_by_share_kept",
        title="Kendall's tau with the order by all judgments",
        figure=_over_shares(
            traces, courses, drawn, look, at=at, bottom=np.floor(least * 5) / 5
        ),
        alt=f"Kendall's tau with {100 * at:.0f} % of the judgments kept: {words}.",
        caption="AG Figs 6-8: a metric that needs few judgments stays near 1.",
    )


def spread_labels(places: Sequence[float], gap: float, most: float) -> list[float]:
    """Move labels apart, so that none is nearer than `gap` to the next, and none too high."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for before, index in pairwise(order):
        moved[index] = max(moved[index], moved[before] + gap)
    ceiling = most
    for index in reversed(order):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - gap
    return moved


def _over_shares(
    traces: list[dict[str, Any]],
    courses: Sequence[Course],
    drawn: Sequence[Style],
    look: Look,
    *,
    at: float,
    bottom: float,
) -> Figure:
    top = max([1.02, *(float(np.nanmax(course.high, initial=0.0)) for course in courses)])
    return figure(
        traces,
        look,
        x={
            "title": "judgments kept",
            "type": "log",
            "range": [2.06, float(np.log10(100 * courses[0].shares[0])) - 0.03],
            "tickvals": list(_TICKS),
            "ticktext": [f"{tick} %" for tick in _TICKS],
            "hoverformat": ".0f",
        },
        y={**UNIT, "range": [bottom, top], "hoverformat": ".3f"},
        height=_HEIGHT,
        showlegend=False,
        margin={"l": 40, "r": 140 if look.large else 88, "t": 10, "b": 36},
        annotations=_names(courses, drawn, (bottom, top)),
        shapes=[
            {
                "type": "line",
                "x0": 100 * at,
                "x1": 100 * at,
                "y0": bottom,
                "y1": top,
                "line": {"color": look.marker, "width": 1.5, "dash": "dash"},
            }
        ],
    )


def _line(course: Course, style: Style, look: Look) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": 100.0 * course.shares,
        "y": course.mean,
        "name": course.name,
        "line": {"color": style.colour, "width": look.width - 0.5, "dash": style.dash},
        "marker": {"symbol": style.symbol, "size": 9 if look.large else 6},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": course.high - course.mean,
            "arrayminus": course.mean - course.low,
            "thickness": 1.2,
            "width": 3,
        },
        "customdata": course.high - course.low,
        "hovertemplate": "%{y:.3f} (spread %{customdata:.3f})",
    }


def _band(
    course: Course, style: Style, look: Look, *, filled: bool
) -> list[dict[str, Any]]:
    lower, upper = course.band or (course.mean, course.mean)
    base = {"type": "scatter", "mode": "lines", "x": 100.0 * course.shares}
    return [
        {
            **base,
            "y": lower,
            "name": f"{course.name}, lower bound",
            "line": {"color": style.colour, "width": 0},
            "hoverinfo": "skip",
        },
        {
            **base,
            "y": upper,
            "name": f"{course.name}, upper bound",
            "line": {"color": style.colour, "width": 1.5, "dash": "dot"},
            **({"fill": "tonexty", "fillcolor": look.tail} if filled else {}),
        },
    ]


def _names(
    courses: Sequence[Course],
    drawn: Sequence[Style],
    limits: tuple[float, float],
) -> list[dict[str, Any]]:
    """Print each name at the end of its line, where the fewest judgments are left."""
    bottom, top = limits
    ends = [float(np.nan_to_num(course.mean[0], nan=bottom)) for course in courses]
    places = spread_labels(ends, 0.068 * (top - bottom), top)
    return [
        {
            "xref": "paper",
            "x": 1.0,
            "xanchor": "left",
            "y": place,
            "text": f" {course.name}",
            "showarrow": False,
            "font": {"color": style.colour},
        }
        for course, style, place in zip(courses, drawn, places, strict=True)
    ]


def _at(course: Course, share: float) -> float:
    return float(course.mean[np.argmin(np.abs(course.shares - share))])
