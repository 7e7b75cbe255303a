"""Pictures of the seven properties: counterexamples as strips, all worlds, one's own ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import Look, Picture, figure

_NOWHERE: Final = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Strip:
    """A world in ranked order, how many ranks the metric sees, and what it says."""

    name: str
    world: str  # 1 relevant, 0 not
    cutoff: int
    score: str


@dataclass(frozen=True)
class Point:
    """A score at a cutoff, with the number of worlds that have it."""

    cutoff: int
    score: float
    worlds: int


def strips_picture(
    strips: Sequence[Strip], *, title: str, caption: str, look: Look
) -> Picture:
    """Draw one or two worlds as strips; what differs is ringed, what is not seen is faint."""
    rows = [float(place) for place in range(len(strips))]
    changed = _changed(strips)
    traces = [
        trace
        for strip, row in zip(strips, rows, strict=True)
        for trace in _cells(strip, row, changed, look)
    ]
    lines = [
        {
            "type": "line",
            "x0": strip.cutoff + 0.5,
            "x1": strip.cutoff + 0.5,
            "y0": row - 0.46,
            "y1": row + 0.46,
            "line": {"color": look.text, "width": 2, "dash": "dash"},
        }
        for strip, row in zip(strips, rows, strict=True)
    ]
    size = 20 if look.large else 14
    scores = [
        {
            "x": len(strip.world) + 0.75,
            "y": row,
            "xanchor": "left",
            "text": strip.score,
            "showarrow": False,
            "font": {"size": size, "color": look.text},
        }
        for strip, row in zip(strips, rows, strict=True)
    ]
    words = "; ".join(
        f"{strip.name}: {strip.world}, seen to rank {strip.cutoff}, {strip.score}"
        for strip in strips
    )
    longest = max(len(strip.world) for strip in strips)
    return Picture(
        name="counterexample",
        title=title,
        figure=figure(
            traces,
            look,
            x={
                "range": [0.4, max(7.4, longest + 4.4)],
                "tickvals": list(range(1, longest + 1)),
                "ticktext": ["rank 1", *(str(rank) for rank in range(2, longest + 1))],
                "showgrid": False,
                "zeroline": False,
            },
            y={
                "range": [len(strips) - 0.4, -0.6],
                "tickvals": rows,
                "ticktext": [strip.name for strip in strips],
                "showgrid": False,
                "zeroline": False,
            },
            height=50 + 52 * len(strips),
            shapes=lines,
            annotations=scores,
            hovermode="closest",
            showlegend=False,
            margin={"l": 48, "r": 8, "t": 6, "b": 26},
        ),
        alt=f"{title}. {words}. 1 is relevant, 0 is not.",
        caption=caption,
    )


def worlds_picture(
    points: Sequence[Point],
    witness: Sequence[tuple[int, float]],
    *,
    metric: str,
    undefined: Mapping[int, int],
    look: Look,
) -> Picture:
    """Draw what the metric gives every world at every cutoff; a dot grows with its worlds."""
    cutoffs = sorted({point.cutoff for point in points} | set(undefined))
    most = max([1.0, *(point.score for point in points)])
    counts = np.array([point.worlds for point in points], dtype=np.float64)
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [point.cutoff for point in points],
            "y": [point.score for point in points],
            "customdata": [point.worlds for point in points],
            "name": "worlds",
            "marker": {
                "color": look.unjudged,
                "size": 6.0 + 3.2 * np.sqrt(counts),
                "line": {"color": look.rbp, "width": 1.5},
            },
            "hovertemplate": "k = %{x}: score %{y:.4f} in %{customdata} worlds<extra></extra>",
        }
    ]
    shown = [(k, score) for k, score in witness if np.isfinite(score)]
    if shown:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [k for k, _ in shown],
                "y": [score for _, score in shown],
                "name": "the counterexample",
                "marker": {
                    "color": look.other,
                    "size": 17 if not look.large else 24,
                    "symbol": "diamond-open",
                    "line": {"width": 3},
                },
                "hovertemplate": "counterexample, k = %{x}: %{y:.4f}<extra></extra>",
            }
        )
    line = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1,
        "line": {"color": look.marker, "dash": "dash", "width": 1.5},
    }  # fmt: skip
    ranges = "; ".join(_range_words(points, k, undefined.get(k, 0)) for k in cutoffs)
    return Picture(
        name="all_worlds",
        title=f"{metric}: every world at every cutoff",
        figure=figure(
            traces,
            look,
            x={
                "title": "cutoff k",
                "range": [0.4, max(cutoffs) + 0.6],
                "tickvals": cutoffs,
                "ticktext": [_cutoff_words(k, undefined.get(k, 0)) for k in cutoffs],
                "showgrid": False,
                "zeroline": False,
            },
            y={
                "range": [-0.06 * most, most * 1.1],
                "tick0": 0,
                "dtick": 0.25 if most <= 1.5 else 0.5,
                "zeroline": False,
                "title": "score",
            },
            shapes=[line],
            hovermode="closest",
            showlegend=bool(shown),
        ),
        alt=f"Scores of {metric} in all worlds. {ranges}.",
        caption="A larger dot: more worlds with this score. Dashed: 1."
        + (" In brackets: worlds without a score." if any(undefined.values()) else ""),
    )


def trial_picture(
    rows: Sequence[tuple[str, Sequence[bool | None]]],
    *,
    metric: str,
    chosen: int,
    look: Look,
) -> Picture:
    """Draw at which cutoffs one's own ranking breaks which property."""
    cutoffs = list(range(1, len(rows[0][1]) + 1))
    z = [[_LEVEL[state] for state in states] for _, states in rows]
    text = [[_MARK[state] for state in states] for _, states in rows]
    broken = [
        f"{name} at k = {', '.join(str(k) for k, s in enumerate(states, 1) if s)}"
        for name, states in rows
        if any(states)
    ]
    words = "; ".join(broken) or "none"
    frame = {
        "type": "rect", "xref": "paper", "x0": 0, "x1": 1,
        "y0": chosen - 0.5, "y1": chosen + 0.5,
        "line": {"color": look.text, "width": 1.5},
    }  # fmt: skip
    return Picture(
        name="own_ranking_against_the_properties",
        title=f"{metric}: what this ranking breaks",
        figure=figure(
            [
                {
                    "type": "heatmap",
                    "x": cutoffs,
                    "y": [name for name, _ in rows],
                    "z": z,
                    "text": text,
                    "texttemplate": "%{text}",
                    "name": "broken",
                    "zmin": 0,
                    "zmax": 1,
                    "colorscale": [[0, look.tail], [1, _broken(look)]],
                    "textfont": {"color": look.text, "size": 20 if look.large else 14},
                    "showscale": False,
                    "xgap": 3,
                    "ygap": 3,
                    "hoverongaps": False,
                    "hovertemplate": "%{y}, k = %{x}: %{text}<extra></extra>",
                }
            ],
            look,
            x={
                "title": "cutoff k", "range": [0.5, max(6, len(cutoffs)) + 0.5], "dtick": 1,
                "showgrid": False, "zeroline": False,
            },
            y={"autorange": "reversed", "showgrid": False},
            height=250,
            hovermode="closest",
            shapes=[frame],
            margin={"l": 48, "r": 8, "t": 6, "b": 36},
        ),
        alt=f"Properties of {metric} that this ranking breaks: {words}.",
        caption="✗ broken, ✓ kept, empty: this ranking cannot test it there.",
    )  # fmt: skip


def cutoffs_picture(scores: Floats, *, metric: str, look: Look) -> Picture:
    """Draw the score of one's own ranking at every cutoff."""
    cutoffs = np.arange(1, len(scores) + 1)
    defined = np.isfinite(scores)
    most = max([1.0, *scores[defined].tolist()])
    words = "; ".join(
        f"k = {k} {'undefined' if np.isnan(score) else f'{score:.4f}'}"
        for k, score in zip(cutoffs, scores, strict=True)
    )
    sparse = len(scores) <= 10
    return Picture(
        name="own_ranking_by_cutoff",
        title=f"{metric} of this ranking at every cutoff",
        figure=figure(
            [
                {
                    "type": "scatter",
                    "mode": "lines+markers+text" if sparse else "lines+markers",
                    "x": cutoffs,
                    "y": scores,
                    "text": [f"{score:.3f}" if np.isfinite(score) else "" for score in scores],
                    "textposition": "top center",
                    "cliponaxis": False,
                    "name": metric,
                    "line": {"color": look.rbp, "width": look.width},
                    "marker": {"size": 9},
                    "hovertemplate": "k = %{x}: %{y:.4f}<extra></extra>",
                }
            ],
            look,
            x={"title": "cutoff k", "range": [0.5, len(scores) + 0.5], "dtick": 1 if sparse else 2},
            y={"range": [0, most * 1.18], "tick0": 0, "dtick": 0.2 if most <= 1 else 0.5},
            height=250,
            showlegend=False,
            annotations=_nothing_to_draw(scores, look),
        ),
        alt=f"{metric} at every cutoff: {words}.",
        caption="Where the line falls, the metric is not monotonic.",
    )  # fmt: skip


_LEVEL: Final = {True: 1, False: 0, None: None}
_MARK: Final = {True: "✗", False: "✓", None: ""}


def _broken(look: Look) -> str:
    """Fill a cell in the second colour, weak enough for words to stand on it."""
    return "rgba(230, 159, 0, 0.42)" if look.dark else "rgba(213, 94, 0, 0.42)"


def _nothing_to_draw(scores: Floats, look: Look) -> list[dict[str, Any]]:
    if np.isfinite(scores).any():
        return []
    return [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 0.5,
            "y": 0.5,
            "text": "undefined at every k",
            "showarrow": False,
            "font": {"color": look.text},
        }
    ]


def _changed(strips: Sequence[Strip]) -> set[int]:
    """Find the ranks at which two worlds differ."""
    if len(strips) < 2:
        return set()
    pairs = zip(strips[0].world, strips[1].world, strict=True)
    return {rank for rank, (first, second) in enumerate(pairs, start=1) if first != second}


def _cells(strip: Strip, row: float, changed: set[int], look: Look) -> list[dict[str, Any]]:
    """Draw one strip: the seen documents, then the others, faint."""
    traces = []
    for seen in (True, False):
        ranks = [
            rank
            for rank in range(1, len(strip.world) + 1)
            if (rank <= strip.cutoff) == seen
        ]
        relevant = [strip.world[rank - 1] == "1" for rank in ranks]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": ranks,
                "y": [row] * len(ranks),
                "text": [strip.world[rank - 1] for rank in ranks],
                "customdata": [strip.world[rank - 1] for rank in ranks],
                "name": f"{strip.name}, {'seen' if seen else 'below k'}",
                "opacity": 1.0 if seen else 0.6,
                "textfont": {
                    "size": 22 if look.large else 15,
                    "color": [
                        ("#ffffff" if not look.dark else "#171614") if yes else look.text
                        for yes in relevant
                    ],
                },
                "marker": {
                    "symbol": "square",
                    "size": 46 if look.large else 32,
                    "color": [look.rbp if yes else _NOWHERE for yes in relevant],
                    "line": {
                        "color": [
                            look.other if rank in changed else look.marker for rank in ranks
                        ],
                        "width": [4 if rank in changed else 1.5 for rank in ranks],
                    },
                },
                "hoverinfo": "skip",
            }
        )
    return [trace for trace in traces if trace["x"]]


def _cutoff_words(cutoff: int, undefined: int) -> str:
    return f"{cutoff}<br>({undefined})" if undefined else str(cutoff)


def _range_words(points: Sequence[Point], cutoff: int, undefined: int) -> str:
    scores = [point.score for point in points if point.cutoff == cutoff]
    words = f"k = {cutoff}: "
    words += f"from {min(scores):.4f} to {max(scores):.4f}" if scores else "no score"
    return words + (f", {undefined} undefined" if undefined else "")
