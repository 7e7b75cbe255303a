"""Pictures of runs: means with ranges, differences by topic, documents that decide."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.judged import Floats
from dashboard.figures.theme import UNIT, Look, Picture, figure

_LABELS: Final = 40  # so many names fit below an axis
_NAME: Final = 22
_NAMED: Final = 3  # topics named at each end
MOST_BARS: Final = 80
_TALL: Final = 330


@dataclass(frozen=True)
class Pair:
    """Two runs by name, compared by a metric."""

    a: str
    b: str
    metric: str


@dataclass(frozen=True)
class DocumentShare:
    """A document in two lists: where it stands and what it adds to each score."""

    document: str
    judgment: str
    rank_a: int | None
    rank_b: int | None
    share_a: float
    share_b: float

    @property
    def difference(self) -> float:
        """What it adds to the first score beyond what it adds to the second."""
        return self.share_a - self.share_b


def plain(name: str, most: int = _NAME) -> str:
    """Write a name for a picture: Plotly reads some HTML, and long names take all the room."""
    short = name if len(name) <= most else name[: most - 1] + "…"
    return html.escape(short, quote=False)


def means_picture(
    names: Sequence[str],
    means: tuple[Floats, Floats, Floats],
    pair: Pair,
    *,
    look: Look,
) -> Picture:
    """Draw every run's mean, best first, with its range where it is known."""
    value, lower, upper = means
    places = np.arange(1, len(names) + 1)
    known = ~(np.isnan(lower) | np.isnan(upper))
    hover = [
        f"{plain(name, 60)}<br>%{{y:.4f}}"
        + (f" ({low:.4f} … {high:.4f})" if seen else "")
        + "<extra></extra>"
        for name, low, high, seen in zip(names, lower, upper, known, strict=True)
    ]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "mean",
            "x": places,
            "y": value,
            "customdata": list(names),
            "hovertemplate": hover,
            "marker": {"color": look.marker, "size": 7 if look.large else 5},
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": np.where(known, upper - value, 0.0),
                "arrayminus": np.where(known, value - lower, 0.0),
                "color": look.marker,
                "thickness": 1,
                "width": 2,
            },
            "showlegend": False,
        }
    ]
    marks = ((pair.a, "A", look.rbp, "circle"), (pair.b, "B", look.other, "diamond"))
    notes = []
    for name, letter, colour, symbol in marks:
        place = names.index(name)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{letter}: {plain(name)}",
                "x": [place + 1],
                "y": [value[place]],
                "hoverinfo": "skip",
                "marker": {
                    "color": colour,
                    "symbol": symbol,
                    "size": 15 if look.large else 11,
                },
            }
        )
        if not np.isnan(value[place]):
            notes.append(
                {
                    "x": place + 1,
                    "y": float(value[place]),
                    "text": f"<b>{letter}</b>",
                    "showarrow": False,
                    "yshift": 15,
                    "xshift": -6 if letter == "A" else 6,
                    "font": {"color": colour},
                }
            )
    highest = np.nanmax(np.concatenate((value, upper, [0.0])))
    unit = highest <= 1.0
    told = ", ".join(
        f"{name} {number:.4f}"
        for name, number in list(zip(names, value, strict=True))[:5]
        if not np.isnan(number)
    )
    ranged = f" with ranges for {int(known.sum())} of them" if known.any() else ""
    return Picture(
        name="means",
        title=f"Mean {pair.metric} of every run",
        figure=figure(
            traces,
            look,
            x={
                "title": "runs, best first",
                "range": [0.3, len(names) + 0.7],
                **_ticks(places, names),
            },
            y={**(UNIT if unit else {"rangemode": "tozero"}), "hoverformat": ".4f"},
            height=_TALL,
            hovermode="closest",
            annotations=notes,
        ),
        alt=f"Mean {pair.metric} of {len(names)} runs{ranged}. The best: {told}.",
        caption="Whiskers: what unjudged and unseen documents could make of the mean."
        if known.any()
        else "Switch ranges on to see how far unjudged documents could move each mean.",
    )


def differences_picture(
    topics: Sequence[str], differences: Floats, pair: Pair, *, chosen: str, look: Look
) -> Picture:
    """Draw the difference on each topic, largest first; the topics that decide are named."""
    order = np.argsort(-differences, kind="stable")
    shown = order
    if len(order) > MOST_BARS:
        shown = np.concatenate((order[: MOST_BARS // 2], order[-MOST_BARS // 2 :]))
    names = [topics[place] for place in shown]
    heights = differences[shown]
    places = np.arange(1, len(shown) + 1)
    traces = [
        _bars(
            places, heights, heights > 0, f"A: {plain(pair.a)} better", look.rbp, "", names
        ),
        _bars(
            places,
            heights,
            heights < 0,
            f"B: {plain(pair.b)} better",
            look.other,
            "/",
            names,
        ),
    ]
    notes = _named_topics(places, heights, names, look)
    shapes = []
    if chosen in names:
        at = names.index(chosen) + 1
        shapes.append(
            {
                "type": "rect",
                "x0": at - 0.5,
                "x1": at + 0.5,
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"width": 1, "color": look.marker, "dash": "dot"},
                "fillcolor": look.grid,
                "layer": "below",
            }
        )
    first = [f"topic {topics[place]} {differences[place]:+.4f}" for place in order[:3]]
    last = [f"topic {topics[place]} {differences[place]:+.4f}" for place in order[-3:]]
    reach = max(float(np.abs(heights).max(initial=0.0)) * 1.3, 0.02)
    cut = (
        f" The {MOST_BARS // 2} largest at each end of {len(order):,} topics."
        if len(order) > len(shown)
        else ""
    )
    return Picture(
        name="differences_by_topic",
        title=f"{pair.metric}: difference on each topic",
        figure=figure(
            traces,
            look,
            x={
                "title": "topics, by difference",
                "range": [0.3, len(shown) + 0.7],
                **_ticks(places, names),
            },
            y={
                "title": "A minus B",
                "range": [-reach, reach],
                "zeroline": True,
                "zerolinecolor": look.marker,
            },
            height=_TALL,
            hovermode="closest",
            barmode="overlay",
            bargap=0.15,
            annotations=notes,
            shapes=shapes,
        ),
        alt=(
            f"Difference in {pair.metric}, {pair.a} minus {pair.b}, on {len(order)} topics. "
            f"Largest: {', '.join(first)}. Smallest: {', '.join(last)}."
        ),
        caption=f"Dotted: the topic whose documents are shown.{cut}",
    )


def documents_picture(
    documents: Sequence[DocumentShare], pair: Pair, *, topic: str, look: Look
) -> Picture:
    """Draw what the documents that decide a topic add to the two scores."""
    places = np.arange(1, len(documents) + 1)
    labels = [
        f"{plain(item.document, 18)} ({plain(item.judgment, 12)})" for item in documents
    ]
    traces: list[dict[str, Any]] = []
    for letter, run, colour, pattern, part in (
        ("A", pair.a, look.rbp, "", "a"),
        ("B", pair.b, look.other, "/", "b"),
    ):
        ranks = [getattr(item, f"rank_{part}") for item in documents]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": f"{letter}: {plain(run)}",
                "y": places,
                "x": [getattr(item, f"share_{part}") for item in documents],
                "text": ["" if rank is None else f"rank {rank}" for rank in ranks],
                "textposition": "outside",
                "textfont": {"size": 15 if look.large else 11},
                "constraintext": "none",
                "cliponaxis": False,
                "customdata": [item.document for item in documents],
                "hovertemplate": [
                    f"{plain(item.document, 60)}<br>%{{x:.4f}}<extra>{letter}</extra>"
                    for item in documents
                ],
                "marker": _paint(colour, pattern),
            }
        )
    told = "; ".join(
        f"{item.document} ({item.judgment}) {item.share_a:.4f} in A, {item.share_b:.4f} in B"
        for item in documents[:4]
    )
    sizes = [part for item in documents for part in (item.share_a, item.share_b)]
    most, least = max(sizes, default=0.1), min(sizes, default=0.0)
    return Picture(
        name="documents_that_decide",
        title=f"Documents that decide topic {topic if len(topic) <= _NAME else '…'}",
        figure=figure(
            traces,
            look,
            x={
                "title": f"part of {pair.metric}",
                "range": [min(least, 0.0) * 1.25, most * 1.25 or 0.1],
                "hoverformat": ".4f",
            },
            y={
                "tickvals": places,
                "ticktext": labels,
                "range": [max(len(documents), 1) + 0.6, 0.4],
            },
            height=_TALL,
            hovermode="closest",
            bargap=0.25,
        ),
        alt=f"What documents of topic {topic} add to {pair.metric}: {told or 'none'}.",
        caption="In brackets the grade. The largest differences come first.",
    )


def _ticks(places: Floats | Any, names: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401
    if len(names) > _LABELS:
        return {"showticklabels": False}
    return {
        "tickvals": places,
        "ticktext": [plain(name, 12) for name in names],
        "tickangle": -60 if max(map(len, names), default=0) > 3 else 0,
    }


def _paint(colour: str, pattern: str) -> dict[str, Any]:
    hatch = {"shape": pattern, "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)"}
    return {
        "color": colour,
        "line": {"color": colour, "width": 1},
        "pattern": hatch if pattern else {},
    }


def _bars(  # noqa: PLR0913 - a series has these many sides
    places: Any,  # noqa: ANN401 - whole numbers
    heights: Floats,
    used: Any,  # noqa: ANN401 - flags
    label: str,
    colour: str,
    pattern: str,
    topics: Sequence[str],
) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": label,
        "x": places,
        "y": np.where(used, heights, np.nan),
        "customdata": list(topics),
        "hovertemplate": [
            f"topic {plain(topic, 60)}<br>%{{y:+.4f}}<extra></extra>" for topic in topics
        ],
        "marker": _paint(colour, pattern),
    }


def _named_topics(
    places: Any,  # noqa: ANN401 - whole numbers
    heights: Floats,
    names: Sequence[str],
    look: Look,
) -> list[dict[str, Any]]:
    """Print the names of the topics that decide, at their bars."""
    largest = np.argsort(-np.abs(heights), kind="stable")[:_NAMED]
    return [
        {
            "x": int(places[place]),
            "y": float(heights[place]),
            "text": plain(names[place], 10),
            "showarrow": False,
            "yshift": 9 if heights[place] > 0 else -9,
            "font": {"color": look.text},
        }
        for place in largest
        if heights[place] != 0
    ]
