"""Pictures of a pool that gets deeper: drift, depth against full, order, cost, newcomers.

Every point carries the name of its run, so that a run pointed at in one picture can be marked
in all of them: the trace whose meta is "mark" then takes over the points of the trace "linked".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np

from core.columns import Floats, Ints
from dashboard.figures.theme import UNIT, Look, Picture, figure

TALL: Final = 290
_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
_MOST_POINTS: Final = 40  # depths drawn; on a logarithmic axis more cannot be told apart
_MOST_ROWS: Final = 30  # runs in a picture with a row for each
_ROW_HEIGHT: Final = 17


@dataclass(frozen=True)
class Runs:
    """The runs of a picture: their names, which one is marked, which gave nothing to the pool."""

    names: tuple[str, ...]
    marked: str = ""
    out: frozenset[str] = frozenset()

    @property
    def keys(self) -> list[str]:
        """Names as a figure may show them: Plotly reads some HTML."""
        return [escape(name) for name in self.names]


@dataclass(frozen=True)
class Sweep:
    """Scores of the runs at every pool depth, and which of the depths is looked at."""

    metric: str
    depths: Ints
    value: Floats  # (depths, runs); upper alike
    upper: Floats
    full: Floats  # (runs), with all judgments; full_upper alike
    full_upper: Floats
    tau: Floats  # (depths)
    judged: Ints  # (depths)
    at: int

    @property
    def depth(self) -> int:
        """The pool depth that is looked at."""
        return int(self.depths[self.at])

    @property
    def has_range(self) -> bool:
        """Whether the metric says what is still open."""
        return bool(np.isfinite(self.upper).any())


@dataclass(frozen=True)
class Bounds:
    """RBP's bounds of one run at one pool depth, against p."""

    run: str
    depth: int
    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class Newcomer:
    """A run as it is, and scored without the judgments that it alone brought."""

    run: str
    full: float
    value: float
    upper: float


def drift_picture(sweep: Sweep, runs: Runs, *, look: Look, height: int = 235) -> Picture:
    """Draw the score of every run against the pool depth."""
    some = _some(sweep.depths, sweep.at)
    lines = _lines(sweep.depths[some], sweep.value[some], runs)
    colour, symbol = _style(sweep, look)
    now = {
        **_points(runs, sweep.value[sweep.at]),
        "x": np.full(len(runs.names), sweep.depth),
        "y": sweep.value[sweep.at],
        "name": f"depth {sweep.depth}",
        "marker": {"color": colour, "size": 10 if look.large else 6, "symbol": symbol},
    }
    traces = [
        {
            **lines,
            "name": sweep.metric,
            "line": {"color": colour, "width": look.width * 0.45},
        },
        *_open_band(sweep, runs, some, look),
        now,
        _mark(lines, runs, look, mode="lines"),
    ]
    fall, rise = _moves(sweep)
    return Picture(
        name=f"drift_{_plain_name(sweep.metric)}",
        title=f"{sweep.metric} of every run by pool depth",
        figure=figure(
            traces,
            look,
            x=_depth_axis(sweep.depths),
            y=_score_axis(sweep),
            height=height,
            shapes=[_here(sweep.depth, look)],
            **_CLOSEST,
        ),
        alt=(
            f"Mean {sweep.metric} of {len(runs.names)} runs by pool depth. "
            f"{_extremes(sweep, runs)} From here to the full pool {fall} fall and {rise} rise."
        ),
        caption=_drift_caption(sweep, fall, rise),
    )


def scatter_picture(sweep: Sweep, runs: Runs, *, look: Look) -> Picture:
    """Draw each run at this depth against the full pool (MZ 2008, Figures 2 and 4)."""
    now, full = sweep.value[sweep.at], sweep.full
    colour, symbol = _style(sweep, look)
    top = _score_axis(sweep)["range"][1]
    linked = {
        **_points(runs, now),
        "meta": "linked",
        "x": now,
        "y": full,
        "name": sweep.metric,
        "marker": {
            "color": colour,
            "size": 13 if look.large else 8,
            "symbol": [symbol + "-open" * (name in runs.out) for name in runs.names],
        },
        "hovertemplate": "%{customdata}: %{x:.4f}, in full %{y:.4f}<extra></extra>",
    }
    if sweep.has_range:
        faint = {"color": look.unjudged, "width": 0, "thickness": 1.5}
        linked["error_x"] = _bar(sweep.upper[sweep.at] - now, faint)
        linked["error_y"] = _bar(sweep.full_upper - full, faint)
    identity = {
        **_decoration([0, top], [0, top], "no change"),
        "line": {"color": look.marker, "width": 1.5, "dash": "dash"},
    }
    fall, rise = _moves(sweep)
    if sweep.has_range:
        caption = (
            "Bars: what is still open. Judging more can only raise it (MZ 2008, Fig. 4)."
        )
    else:
        caption = f"Below the line: too high at depth {sweep.depth} (MZ 2008, Fig. 2)."
    return Picture(
        name=f"depth_{sweep.depth}_against_full_{_plain_name(sweep.metric)}",
        title=f"{sweep.metric}: depth {sweep.depth} against the full pool",
        figure=figure(
            [identity, linked, _mark(linked, runs, look, mode="markers")],
            look,
            x={"title": f"pool of depth {sweep.depth}", **_score_axis(sweep)},
            y={"title": "all judgments", **_score_axis(sweep)},
            annotations=[_corner("tau " + _number(sweep.tau[sweep.at]), look)],
            **_CLOSEST,
        ),
        alt=(
            f"{sweep.metric} of {len(runs.names)} runs at pool depth {sweep.depth} against all "
            f"judgments: {fall} below the line, {rise} above it, "
            f"tau {_number(sweep.tau[sweep.at])}. {_residual(sweep)}"
        ),
        caption=caption,
    )


def order_picture(sweeps: Sequence[Sweep], *, look: Look) -> Picture:
    """Draw, by depth, tau against the full order and the share of the judgments."""
    first = sweeps[0]
    share = first.judged / max(int(first.judged[-1]), 1)
    styles = ((look.other, "dash"), (look.rbp, "solid"))
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": sweep.depths,
            "y": sweep.tau,
            "name": f"tau, {sweep.metric}",
            "line": {"color": colour, "width": look.width, "dash": dash},
        }
        for sweep, (colour, dash) in zip(sweeps, styles, strict=False)
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": first.depths,
            "y": share,
            "customdata": first.judged,
            "name": "judgments",
            "line": {"color": look.third, "width": look.width * 0.7, "dash": "dashdot"},
            "hovertemplate": "%{y:.0%}: %{customdata:,}",
        }
    )
    least = min([0.0, *(float(np.nanmin([0.0, *sweep.tau])) for sweep in sweeps)])
    words = ", ".join(
        f"tau of {sweep.metric} is {_number(sweep.tau[sweep.at])}" for sweep in sweeps
    )
    cost = f"{first.judged[first.at]:,} of {first.judged[-1]:,} judgments"
    return Picture(
        name="tau_and_cost_by_depth",
        title="Order of the runs and cost, by depth",
        figure=figure(
            traces,
            look,
            x=_depth_axis(first.depths),
            y={**UNIT, "range": [least * 1.05, 1.03], "hoverformat": ".4f"},
            height=TALL,
            shapes=[_here(first.depth, look)],
        ),
        alt=f"At pool depth {first.depth} {words}, for {cost}.",
        caption=f"Depth {first.depth}: {cost}. Tau compares with the order by all judgments.",
    )


def places_picture(
    metric: str, depths: Ints, placed: Ints, runs: Runs, at: int, *, look: Look
) -> Picture:
    """Draw the place of every run by depth, and name those that will move the most."""
    some = _some(depths, at)
    lines = _lines(depths[some], placed[some].astype(np.float64), runs)
    moves = placed[-1] - placed[at]
    largest = [place for place in np.argsort(-np.abs(moves), kind="stable") if moves[place]]
    movers = largest[:5]
    traces: list[dict[str, Any]] = [
        {
            **lines,
            "name": "runs",
            "line": {"color": look.marker, "width": 1},
            "opacity": 0.6,
        }
    ]
    dashes = ("solid", "dash", "dashdot", "dot", "longdash")
    for mover, dash in zip(movers, dashes, strict=False):
        traces.append(
            {
                **_decoration(depths[some], placed[some, mover], runs.keys[mover]),
                "line": {"color": look.other, "width": look.width * 0.8, "dash": dash},
            }
        )
    traces.append(_mark(lines, runs, look, mode="lines"))
    told = [f"{runs.names[m]} {placed[at, m]} → {placed[-1, m]}" for m in movers]
    moved = len(largest)
    depth = int(depths[at])
    words = f"{moved} of {len(runs.names)} runs change places after depth {depth}"
    return Picture(
        name="places_by_depth",
        title=f"Places by {metric}",
        figure=figure(
            traces,
            look,
            x=_depth_axis(depths),
            y={"range": [len(runs.names) + 0.7, 0.3], "title": "place"},
            height=TALL,
            shapes=[_here(depth, look)],
            annotations=[
                {
                    "xref": "paper",
                    "x": 1.0,
                    "xanchor": "left",
                    "y": int(placed[-1, mover]),
                    "text": f" {runs.keys[mover][:14]}",
                    "showarrow": False,
                    "font": {"color": look.text, "size": 15 if look.large else 10},
                }
                for mover in movers
            ],
            margin={"l": 48, "r": 110 if look.large else 74, "t": 24, "b": 36},
            **_CLOSEST,
        ),
        alt=f"{words}: {', '.join(told) or 'none'}.",
        caption=f"{words}: {', '.join(told)}." if told else f"{words}.",
    )


def pair_picture(
    p_values: Floats, curves: Sequence[Bounds], *, p: float, look: Look
) -> Picture:
    """Draw RBP's bounds of two runs at two pool depths against p (MZ 2008, Figure 6)."""
    traces: list[dict[str, Any]] = []
    runs = list(dict.fromkeys(curve.run for curve in curves))
    depths = list(dict.fromkeys(curve.depth for curve in curves))
    for curve in curves:
        second, deeper = curve.run != runs[0], curve.depth != depths[0]
        colour = look.other if second else look.rbp
        faint = look.other_band if second else look.tail
        base = {
            "type": "scatter",
            "mode": "lines",
            "x": p_values,
            "legendgroup": f"{curve.run} {curve.depth}",
        }
        width = look.width if deeper or len(depths) == 1 else look.width / 2
        dash = "dash" if second else "solid"
        name = f"{escape(curve.run)}, depth {curve.depth}"
        traces += [
            {
                **base,
                "y": curve.upper,
                "name": f"{name}, upper bound",
                "showlegend": False,
                "line": {"color": colour, "width": width * 0.6, "dash": "dot"},
            },
            {
                **base,
                "y": curve.lower,
                "name": name,
                "line": {"color": colour, "width": width, "dash": dash},
                "fill": "none" if deeper else "tonexty",
                "fillcolor": faint,
            },
        ]
    at = int(np.abs(p_values - p).argmin())
    words = "; ".join(
        f"{curve.run} at depth {curve.depth} {curve.lower[at]:.4f} to {curve.upper[at]:.4f}"
        for curve in curves
    )
    return Picture(
        name="two_runs_two_depths",
        title="RBP and its bounds against p: two runs, two pool depths",
        figure=figure(
            traces,
            look,
            x={"title": "persistence p", "range": [0, 1], "dtick": 0.1},
            y={**UNIT, "hoverformat": ".4f"},
            height=330,
            shapes=[_here(p, look)],
            margin={"l": 48, "r": 12, "t": 44, "b": 36},
        ),
        alt=f"RBP's bounds against p. At p = {p:g}: {words}.",
        caption=(
            f"Thin, with a band: depth {depths[0]}. Thick: depth {depths[-1]}. Dotted: upper "
            "bounds. The more patient the user, the deeper the pool must be (MZ 2008, Fig. 6)."
        ),
    )


def newcomers_picture(
    metric: str, rows: Sequence[Newcomer], marked: str, *, look: Look, second: bool
) -> Picture:
    """Draw each run as it is and as a newcomer would be scored, the largest losses on top."""
    losses = sorted(rows, key=lambda row: row.value - row.full)
    shown = losses[:_MOST_ROWS]
    keys = [escape(row.run) for row in shown]
    height = np.arange(len(shown), dtype=np.float64)
    full = np.array([row.full for row in shown])
    value = np.array([row.value for row in shown])
    upper = np.array([row.upper for row in shown])
    colour, symbol = (look.rbp, "circle") if second else (look.other, "diamond")
    linked: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "meta": "linked",
        "x": value,
        "y": height,
        "customdata": keys,
        "name": "as a newcomer",
        "marker": {"color": colour, "size": 8, "symbol": symbol},
        "hovertemplate": "%{customdata}, as a newcomer: %{x:.4f}<extra></extra>",
    }
    if np.isfinite(upper).any():
        linked["error_x"] = _bar(
            upper - value, {"color": look.unjudged, "width": 0, "thickness": 1.5}
        )
    before = {
        **linked,
        "meta": None,
        "x": full,
        "name": "as judged",
        "error_x": {"visible": False},
        "marker": {"color": look.text, "size": 9, "symbol": "line-ns-open"},
        "hovertemplate": "%{customdata}, as judged: %{x:.4f}<extra></extra>",
    }
    largest = float(np.nanmax([0.1, *full, *value]))
    top = 1.02 if second else min(1.02, float(np.ceil(largest * 10.0 + 0.2)) / 10.0)
    words = "; ".join(f"{row.run} {row.full:.4f} to {row.value:.4f}" for row in shown[:5])
    more = (
        f" The {len(shown)} largest losses of {len(rows)}."
        if len(rows) > len(shown)
        else ""
    )
    mark = _mark(linked, Runs((), marked), look, mode="markers")
    return Picture(
        name=f"newcomers_{_plain_name(metric)}",
        title=f"{metric}: as judged, and as a newcomer would be scored",
        figure=figure(
            [before, linked, mark],
            look,
            x={"range": [0, top], "hoverformat": ".4f"},
            y={
                "tickvals": height,
                "ticktext": [key[:22] for key in keys],
                "range": [len(shown) - 0.4, -0.6],
            },
            height=70 + _ROW_HEIGHT * len(shown),
            hovermode="closest",
        ),
        alt=f"{metric} as judged and as a newcomer, largest losses first: {words}.",
        caption=f"Bar: as judged. Dot: without what it alone brought to the pool.{more}",
    )


_CLOSEST: Final[dict[str, Any]] = {"hovermode": "closest", "showlegend": True}


def _lines(depths: Ints, values: Floats, runs: Runs) -> dict[str, Any]:
    """Put the lines of all runs into one trace, with gaps: far faster than a trace a run."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    keys: list[str] = []
    along = depths.tolist()
    for key, column in zip(runs.keys, values.T.tolist(), strict=True):
        xs += [*along, None]
        ys += [*column, None]
        keys += [key] * (len(along) + 1)
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": "linked",
        "x": xs,
        "y": ys,
        "customdata": keys,
        "opacity": 0.55,
        "showlegend": False,
        "hovertemplate": "%{customdata}: %{y:.4~f} at depth %{x}<extra></extra>",
    }


def _points(runs: Runs, values: Floats) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "customdata": runs.keys[: len(values)],
        "showlegend": False,
        "hovertemplate": "%{customdata}: %{y:.4f}<extra></extra>",
    }


def _mark(linked: dict[str, Any], runs: Runs, look: Look, *, mode: str) -> dict[str, Any]:
    """Draw the marked run over the others; the board moves this trace while one points."""
    key = escape(runs.marked)
    chosen = [place for place, name in enumerate(linked["customdata"]) if name == key]
    marker = {
        "color": look.text,
        "size": 20 if look.large else 13,
        "symbol": "circle-open",
        "line": {"width": 3},
    }
    return {
        "type": "scatter",
        "mode": mode,
        "meta": "mark",
        "x": [linked["x"][place] for place in chosen],
        "y": [linked["y"][place] for place in chosen],
        "name": key or " ",
        "showlegend": True,
        "hoverinfo": "skip",
        "line": {"color": look.text, "width": look.width},
        "marker": marker,
    }


def _open_band(sweep: Sweep, runs: Runs, some: Ints, look: Look) -> list[dict[str, Any]]:
    """Shade what is open for the marked run."""
    if not sweep.has_range or runs.marked not in runs.names:
        return []
    place = runs.names.index(runs.marked)
    edge = {**_decoration(sweep.depths[some], sweep.value[some, place], "lower")}
    upper = {**_decoration(sweep.depths[some], sweep.upper[some, place], "upper bound")}
    return [
        {**edge, "line": {"width": 0}},
        {
            **upper,
            "line": {"color": look.rbp, "width": 1.2, "dash": "dot"},
            "fill": "tonexty",
            "fillcolor": look.tail,
        },
    ]


def _decoration(x: Any, y: Any, name: str) -> dict[str, Any]:  # noqa: ANN401 - what Plotly takes
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": "decoration",
        "x": x,
        "y": y,
        "name": name,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _some(depths: Ints, at: int) -> Ints:
    """Choose which depths to draw: this one, and some that are evenly spread on the axis."""
    wanted = np.geomspace(depths[0], depths[-1], _MOST_POINTS)
    nearest = np.searchsorted(depths, wanted.round()).clip(0, len(depths) - 1)
    return np.asarray(np.union1d(nearest, [at]))


def _depth_axis(depths: Ints) -> dict[str, Any]:
    last = max(int(depths[-1]), 2)
    return {
        "title": "pool depth",
        "type": "log",
        "range": [-0.03, float(np.log10(last)) + 0.03],
        "tickvals": [tick for tick in _TICKS if tick <= last],
        "ticktext": [str(tick) for tick in _TICKS if tick <= last],
    }


def _score_axis(sweep: Sweep) -> dict[str, Any]:
    """Scale scores the same at every depth: to 1 where ranges reach it, else to the largest."""
    if sweep.has_range:
        return {**UNIT, "hoverformat": ".4f"}
    largest = float(np.nanmax([0.1, *sweep.value.ravel(), *sweep.full]))
    top = min(1.02, float(np.ceil(largest * 10.0 + 0.05)) / 10.0)
    return {
        "range": [0, top],
        "tick0": 0,
        "dtick": 0.2 if top > 0.6 else 0.1,
        "hoverformat": ".4f",
    }


def _style(sweep: Sweep, look: Look) -> tuple[str, str]:
    return (look.rbp, "circle") if sweep.has_range else (look.other, "diamond")


def _bar(lengths: Floats, style: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": lengths,
        "arrayminus": np.zeros(len(lengths)),
        **style,
    }


def _here(place: float, look: Look) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": place,
        "x1": place,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": look.marker, "dash": "dash", "width": 1.5},
    }


def _corner(text: str, look: Look) -> dict[str, Any]:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 0.02,
        "y": 0.98,
        "xanchor": "left",
        "yanchor": "top",
        "text": text,
        "showarrow": False,
        "font": {"color": look.text},
        "bgcolor": look.ground,
    }


def _moves(sweep: Sweep) -> tuple[int, int]:
    """Count the runs that will fall, and those that will rise."""
    change = sweep.full - sweep.value[sweep.at]
    return int((change < -1e-9).sum()), int((change > 1e-9).sum())


def _drift_caption(sweep: Sweep, fall: int, rise: int) -> str:
    if fall == rise == 0:
        return f"From depth {sweep.depth} on no run moves any more."
    return f"From depth {sweep.depth} on {fall} fall and {rise} rise."


def _extremes(sweep: Sweep, runs: Runs) -> str:
    now = sweep.value[sweep.at]
    if not np.isfinite(now).any():
        return f"At depth {sweep.depth} it is undefined."
    low, high = int(np.nanargmin(now)), int(np.nanargmax(now))
    return (
        f"At depth {sweep.depth} from {now[low]:.4f} ({runs.names[low]}) to {now[high]:.4f} "
        f"({runs.names[high]})."
    )


def _residual(sweep: Sweep) -> str:
    if not sweep.has_range:
        return ""
    left = sweep.upper[sweep.at] - sweep.value[sweep.at]
    return f"Residuals from {np.nanmin(left):.4f} to {np.nanmax(left):.4f}."


def _number(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.4f}"


def _plain_name(metric: str) -> str:
    return "".join(mark if mark.isalnum() else "_" for mark in metric).strip("_")
