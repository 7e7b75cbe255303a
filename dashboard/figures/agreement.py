"""Pictures of agreement: heat maps with printed numbers, curves with a limit, bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.fewer_judgments import styles
from dashboard.figures.theme import Look, Picture, figure

_HEIGHT: Final = 330
_LIGHT_SCALE: Final = (
    (0.0, "#ffffff"),
    (0.5, "#c9dff0"),
    (0.8, "#8fbfe0"),
    (1.0, "#0072B2"),
)
_DARK_SCALE: Final = (
    (0.0, "#171614"),
    (0.5, "#1d3a52"),
    (0.8, "#2a6a9c"),
    (1.0, "#56B4E9"),
)


@dataclass(frozen=True)
class Grid:
    """A table of numbers with what is printed in its cells."""

    rows: Sequence[str]
    columns: Sequence[str]
    numbers: Floats
    texts: Sequence[Sequence[str]]
    limits: tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """One metric's curve."""

    name: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Bar:
    """One metric's bar, from 0 to 1, with what is printed beside it."""

    name: str
    share: float
    text: str


def heat_map(
    grid: Grid, look: Look, *, name: str, title: str, alt: str, caption: str
) -> Picture:
    """Draw a table as a heat map with its numbers printed; nan is left blank."""
    low, high = grid.limits
    rows, columns = np.arange(len(grid.rows)), np.arange(len(grid.columns))
    trace = {
        "type": "heatmap",
        "x": list(grid.columns),
        "y": list(grid.rows),
        "z": grid.numbers,
        "text": [list(texts) for texts in grid.texts],
        "texttemplate": "%{text}",  # Plotly chooses size and ink so that it can be read
        "name": title,
        "zmin": low,
        "zmax": high,
        "colorscale": [list(stop) for stop in (_DARK_SCALE if look.dark else _LIGHT_SCALE)],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "hovertemplate": "%{y} and %{x}: %{z:.4f}<extra></extra>",
    }
    return Picture(
        name=name,
        title=title,
        figure=figure(
            [trace],
            look,
            x={
                "type": "category",
                "tickvals": columns,
                "ticktext": list(grid.columns),
                "tickangle": -45 if len(columns) > 5 else 0,
                "side": "top",
                "showgrid": False,
            },
            y={
                "type": "category",
                "tickvals": rows,
                "ticktext": list(grid.rows),
                "range": [len(rows) - 0.5, -0.5],
                "showgrid": False,
            },
            height=max(_HEIGHT, 90 + 22 * len(rows)),
            margin={"l": 40, "r": 8, "t": 30, "b": 8},
            hovermode="closest",
        ),
        alt=alt,
        caption=caption,
    )


def curves_picture(
    curves: Sequence[Curve],
    look: Look,
    *,
    limit: float,
    axes: tuple[str, str],
    most: tuple[float, float],
    words: tuple[str, str, str, str],
) -> Picture:
    """Draw one curve a metric and the limit that matters, such as 5 %.

    `axes` names x and y, `most` has their ends, `words` the name, title, alt text and caption.
    """
    drawn = styles([curve.name for curve in curves], look)
    pairs = sorted(
        zip(curves, drawn, strict=True), key=lambda pair: -float(pair[0].y.sum())
    )
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": curve.x,
            "y": curve.y,
            "name": curve.name,
            "line": {"color": style.colour, "width": look.width - 1, "dash": style.dash},
            "hovertemplate": "%{y:.3f}",
        }
        for curve, style in pairs
    ]
    end, top = most
    name, title, alt, caption = words
    label = {
        "x": end,
        "y": limit,
        "xanchor": "right",
        "yanchor": "bottom",
        "text": f"{limit:g}",
        "showarrow": False,
        "font": {"color": look.text},
    }
    return Picture(
        name=name,
        title=title,
        figure=figure(
            traces,
            look,
            x={"title": axes[0], "range": [0, end]},
            y={"title": axes[1], "range": [0, top]},
            height=_HEIGHT,
            shapes=[
                {
                    "type": "line",
                    "x0": 0,
                    "x1": end,
                    "y0": limit,
                    "y1": limit,
                    "line": {"color": look.marker, "width": 1.5, "dash": "dash"},
                }
            ],
            annotations=[label],
            hovermode="closest",
            margin={"l": 48, "r": 12, "t": 10, "b": 36},
            legend={"x": 1, "xanchor": "right", "y": 1, "bgcolor": look.ground},
        ),
        alt=alt,
        caption=caption,
    )


def bars_picture(
    bars: Sequence[Bar], look: Look, *, words: tuple[str, str, str, str]
) -> Picture:
    """Draw one bar a metric, the longest first, each with its numbers printed."""
    name, title, alt, caption = words
    drawn = styles([bar.name for bar in bars], look)
    shares = [bar.share for bar in bars]
    order = sorted(range(len(bars)), key=lambda index: -np.nan_to_num(shares[index]))
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": [100.0 * shares[index] for index in order],
        "y": [bars[index].name for index in order],
        "customdata": [bars[index].text for index in order],
        "name": title,
        "marker": {"color": [drawn[index].colour for index in order]},
        "text": [f" {bars[index].text}" for index in order],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{customdata}<extra></extra>",
    }
    return Picture(
        name=name,
        title=title,
        figure=figure(
            [trace],
            look,
            x={
                "range": [0, 150],
                "tickvals": [0, 25, 50, 75, 100],
                "ticktext": ["0", "25 %", "50 %", "75 %", "100 %"],
            },
            y={"type": "category", "range": [len(bars) - 0.4, -0.6]},
            height=max(_HEIGHT, 60 + 20 * len(bars)),
            bargap=0.35,
            margin={"l": 40, "r": 8, "t": 10, "b": 28},
            hovermode="closest",
        ),
        alt=alt,
        caption=caption,
    )
