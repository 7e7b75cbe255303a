"""Pictures of published scores: their range at every p, the rankings behind them, the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure

SHOWN_RANKS: Final = (
    20  # as many cells as a phone can hold; the rest is a sideways drag away
)
KEPT_RANKS: Final = 200


@dataclass(frozen=True)
class Band:
    """The least and the greatest score at each p."""

    low: Floats
    high: Floats


@dataclass(frozen=True)
class Line:
    """The score of one ranking at each p."""

    name: str
    values: Floats
    dash: str = "solid"


@dataclass(frozen=True)
class Reach:
    """What one published score could be at every p."""

    name: str
    p: float
    score: float
    residual: float
    at: Floats
    average: Band  # holds for means too
    exact: Band | None  # holds for one topic with binary relevance
    lines: tuple[Line, ...]
    mean: bool = False
    possible: bool = True


@dataclass(frozen=True)
class Strip:
    """One ranking, a mark a rank; for a mean the share of topics with a relevant document."""

    name: str
    marks: Sequence[str | float]
    second: bool = False  # in the colour of system B


@dataclass(frozen=True)
class Strips:
    """Some rankings under a heading, with what the score says about them."""

    heading: str
    rows: tuple[Strip, ...]
    fixed: int = 0  # ranks that the score alone decides
    choice: int | None = None  # the first rank that it leaves open


@dataclass(frozen=True)
class Interval:
    """The range of one system's score."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Place:
    """What is known at one p: the ranges, and what follows from them."""

    p: float
    words: str
    intervals: tuple[Interval, ...]


def envelope_picture(reaches: Sequence[Reach], *, look: Look, caption: str) -> Picture:
    """Draw what each published score could be at every other p (ZPM Fig. 2 and 4, corrected)."""
    traces: list[dict[str, Any]] = []
    for reach, second in zip(reaches, (False, True), strict=False):
        traces += _bands(reach, look, second=second)
    for reach, second in zip(reaches, (False, True), strict=False):
        traces += _lines(reach, look, second=second)
    words = "; ".join(_spoken(reach) for reach in reaches)
    return Picture(
        name="score_at_every_other_p",
        title="What the score could be at every other p",
        figure=figure(
            traces,
            look,
            x={"title": "persistence p", "range": [0, 1], "dtick": 0.2},
            y={**UNIT, "range": [0, 1], "hoverformat": ".4f"},
        ),
        alt=f"Range of the score against p. {words}.",
        caption=caption,
    )


def _bands(reach: Reach, look: Look, *, second: bool) -> list[dict[str, Any]]:
    light = look.other_faint if second else look.tail
    dark = look.other_band if second else look.unjudged
    hatch = {"shape": "/", "fgcolor": look.other, "size": 9, "solidity": 0.12}
    parts = [("averages", reach.average, dark if reach.mean else light)]
    if reach.exact is not None:
        parts.append(("one topic", reach.exact, dark))
    traces: list[dict[str, Any]] = []
    for kind, band, colour in parts:
        edge = {
            "type": "scatter",
            "mode": "lines",
            "x": reach.at,
            "line": {"width": 0},
            "showlegend": False,
            "hoverinfo": "skip" if kind == "averages" and reach.exact else "all",
        }
        traces += [
            {**edge, "y": band.low, "name": f"{reach.name} least, {kind}"},
            {
                **edge,
                "y": band.high,
                "name": f"{reach.name} greatest, {kind}",
                "fill": "tonexty",
                "fillcolor": colour,
                **({"fillpattern": hatch} if second and colour == dark else {}),
            },
        ]
    return traces


def _lines(reach: Reach, look: Look, *, second: bool) -> list[dict[str, Any]]:
    colour = look.other if second else look.rbp
    width = look.width * 0.75
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": reach.at,
            "y": line.values,
            "name": f"{reach.name} {line.name}",
            "line": {"color": colour, "width": width, "dash": line.dash},
            "hoverinfo": "skip",
            "showlegend": line.dash != "dot",
        }
        for line in reach.lines
    ]
    top = reach.score + reach.residual
    ends = [reach.score, top] if reach.residual else [reach.score]
    traces.append(
        {
            "type": "scatter",
            "mode": "lines+markers+text",
            "x": [reach.p] * len(ends),
            "y": ends,
            "name": f"{reach.name} as published",
            "text": [f"<b>{reach.name}</b>"] + [""] * (len(ends) - 1),
            "textposition": "bottom center" if reach.score > 0.12 else "top center",
            "textfont": {"color": look.text, "size": 20 if look.large else 14},
            "line": {"color": look.text, "width": look.width},
            "marker": {
                "size": 13 if look.large else 10,
                "color": colour,
                "symbol": _symbol(reach, second=second),
                "line": {"color": look.text, "width": 1.5},
            },
            "showlegend": False,
        }
    )
    return traces


def _symbol(reach: Reach, *, second: bool) -> str:
    if not reach.possible:
        return "x"
    return "diamond" if second else "circle"


def _spoken(reach: Reach) -> str:
    band = reach.exact or reach.average
    said = f"{reach.name}: {reach.score:.4f} at p = {reach.p:g}"
    if reach.residual:
        said += f" with residual {reach.residual:.4f}"
    for target in (0.5, 0.8, 0.95):
        at = int(np.abs(reach.at - target).argmin())
        said += f", {band.low[at]:.3f} to {band.high[at]:.3f} at p = {reach.at[at]:.2f}"
    return said


def strips_picture(
    groups: Sequence[Strips], *, look: Look, title: str, caption: str, name: str
) -> Picture:
    """Draw rankings as strips: glyphs and ranks printed, fixed ranks boxed, the open one marked."""
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    ticks: list[tuple[float, str]] = []
    place = 0.0
    for group in groups:
        rows = [place + 1.0 + index for index in range(len(group.rows))]
        ticks += [(at, row.name) for at, row in zip(rows, group.rows, strict=True)]
        notes.append(_heading(group.heading, place + 0.22, look))
        traces += [_heat(row, at, look) for row, at in zip(group.rows, rows, strict=True)]
        shapes += _marks(group, rows, look) if rows else []
        place += len(rows) + 1.15
    spoken = "; ".join(
        f"{group.heading}: "
        + ", ".join(f"{_plain(row.name)} {_text(row.marks)}" for row in group.rows)
        for group in groups
    )
    longest = max((len(row.marks) for group in groups for row in group.rows), default=1)
    return Picture(
        name=name,
        title=title,
        figure=figure(
            traces,
            look,
            x={
                "title": "rank",
                "range": [0.5, SHOWN_RANKS + 0.5],
                "minallowed": 0.5,
                "maxallowed": max(longest, SHOWN_RANKS) + 0.5,
                "tickmode": "linear",
                "tick0": 1,
                "dtick": 1,
                "tickangle": 0,
                "tickfont": {"size": 14 if look.large else 10},
                "showgrid": False,
            },
            y={
                "range": [max(place, 3.2) - 0.35, -0.25],
                "tickvals": [at for at, _ in ticks],
                "ticktext": [f"{label} " for _, label in ticks],
                "ticks": "",
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            annotations=notes,
            shapes=shapes,
            dragmode="pan",
            hovermode="closest",
            margin={"l": 40, "r": 8, "t": 4, "b": 36},
            height=max(235, round(34 * place + 40)),
        ),
        alt=f"{title}. {spoken}.",
        caption=caption,
    )


def _heading(text: str, at: float, look: Look) -> dict[str, Any]:
    return {
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "y": at,
        "text": text,
        "showarrow": False,
        "font": {"color": look.text, "size": 17 if look.large else 12},
    }


def _heat(row: Strip, at: float, look: Look) -> dict[str, Any]:
    # White stands out against both of the dark theme's colours only if they are darker.
    colours = ("#0F6CA6", "#A85400") if look.dark else (look.rbp, look.other)
    ground = "#3A3834" if look.dark else "#E9E7E3"
    marks = row.marks[:KEPT_RANKS]
    font: dict[str, Any] = {"size": 18 if look.large else 12}
    if look.dark:
        font["color"] = "#FFFFFF"
    return {
        "type": "heatmap",
        "name": _plain(row.name),
        "x": list(range(1, len(marks) + 1)),
        "y": [at],
        "dy": 1,
        "z": [[_level(mark) for mark in marks]],
        "text": [[_glyph(mark) for mark in marks]],
        "texttemplate": "%{text}",
        "textfont": font,
        "hovertemplate": "rank %{x}: %{text}<extra></extra>",
        "colorscale": [[0.0, ground], [1.0, colours[row.second]]],
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "xgap": 2,
        "ygap": 3,
    }


def _level(mark: str | float) -> float:
    return {"1": 1.0, "?": 0.4, "0": 0.0}[mark] if isinstance(mark, str) else float(mark)


def _glyph(mark: str | float) -> str:
    if isinstance(mark, str):
        return mark
    return f"{mark:.2f}".lstrip("0") if 0.005 <= mark < 0.995 else f"{mark:.0f}"


def _text(marks: Sequence[str | float]) -> str:
    return "".join(f" {_glyph(mark)}" for mark in marks[:SHOWN_RANKS]).strip()


def _plain(text: str) -> str:
    return text.replace("<sub>", "").replace("</sub>", "")


def _marks(group: Strips, rows: Sequence[float], look: Look) -> list[dict[str, Any]]:
    box = {"type": "rect", "y0": rows[0] - 0.5, "y1": rows[-1] + 0.5}
    shapes = []
    if group.fixed:
        end = min(group.fixed, KEPT_RANKS) + 0.5
        line = {"color": look.text, "width": 2.5}
        shapes.append({**box, "x0": 0.52, "x1": end, "line": line})
    if group.choice is not None and group.choice <= KEPT_RANKS:
        line = {"color": look.text, "width": 2, "dash": "dot"}
        shapes.append(
            {**box, "x0": group.choice - 0.5, "x1": group.choice + 0.5, "line": line}
        )
    return shapes


def ranges_picture(places: Sequence[Place], *, look: Look, caption: str) -> Picture:
    """Draw the ranges of the systems at some p, with the verdict over each pair."""
    notes = []
    bars: dict[str, tuple[list[float | None], list[float | None]]] = {}
    at = 0.0
    for place in places:
        notes.append(_heading(f"<b>p = {place.p:.4g}</b>: {place.words}", at, look))
        for interval in place.intervals:
            at += 1.0
            xs, ys = bars.setdefault(interval.name, ([], []))
            xs += [interval.low, interval.high, None]
            ys += [at, at, None]
            if np.isfinite(interval.low):
                notes.append(_printed(interval, at, look))
        at += 1.0
    styles = (("circle", look.rbp), ("diamond", look.other))
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": xs,
            "y": ys,
            "name": name,
            "line": {"color": colour, "width": look.width + 2},
            "marker": {"color": colour, "symbol": symbol, "size": 9},
            "hovertemplate": "%{x:.4f}",
        }
        for (name, (xs, ys)), (symbol, colour) in zip(bars.items(), styles, strict=False)
    ]
    spoken = "; ".join(
        f"at p = {place.p:.4g} {place.words}, "
        + ", ".join(
            f"{one.name} {one.low:.4f} to {one.high:.4f}" for one in place.intervals
        )
        for place in places
    )
    return Picture(
        name="ranges_at_some_p",
        title="The ranges side by side",
        figure=figure(
            traces,
            look,
            x={"title": "RBP", **UNIT, "range": [-0.01, 1.01]},
            y={
                "range": [at - 0.4, -0.5],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            annotations=notes,
            showlegend=False,
            hovermode="closest",
            margin={"l": 12, "r": 12, "t": 4, "b": 36},
            height=round(40 + 27 * at),
        ),
        alt=f"Ranges of the scores: {spoken}.",
        caption=caption,
    )


def _printed(interval: Interval, at: float, look: Look) -> dict[str, Any]:
    right = interval.low > 0.55
    digits = 5 if interval.high - interval.low < 0.0015 else 4
    return {
        "x": interval.high if right else interval.low,
        "xanchor": "right" if right else "left",
        "xshift": 5 if right else -5,
        "y": at,
        "yanchor": "bottom",
        "yshift": 2,
        "text": f"{interval.name}: {interval.low:.{digits}f} … {interval.high:.{digits}f}",
        "showarrow": False,
        "font": {"color": look.text, "size": 16 if look.large else 11},
    }
