"""Choosing p: how far a user reads, what precision a depth gives, and walks down a ranking."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

import core
from core.judged import Floats, Judged
from dashboard import sentences
from dashboard.figures.choosing_p import (
    MOST_DEPTH,
    Budget,
    Line,
    Patience,
    patience_picture,
    percent,
    precision_picture,
    reading_picture,
    residual_picture,
    small,
    stops_picture,
    walk_picture,
    weights_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.presets import X
from dashboard.state import Field, expand, flag, number, shorten, whole
from dashboard.takeaway import TakeAway, citation, latex_row

PAGE: Final = 10  # results on a page
P_LIMITS: Final = (0.0, 0.99, 0.01)
WHOLE: Final = {
    "d": (1, MOST_DEPTH),
    "digits": (1, 4),
    "users": (1, 100_000),
    "seed": (0, 1_000_000),
}
_P_GRID: Final = np.linspace(0.0, 0.99, 100)
_P_CELLS: Final = np.linspace(0.01, 0.99, 50)
_DEPTH_CELLS: Final = np.unique(np.geomspace(1.0, MOST_DEPTH, 49).round())
_FEW_P: Final = (0.5, 0.95, 0.8)  # shown beside the page's own p
_WEIGHT_RANKS: Final = 20
_SHOWN_RANKS: Final = 40
_WALK_POINTS: Final = 300


def _ranking(text: str) -> str:
    """Read the link's ranking, which must have a document."""
    ranking = expand(text)
    core.parse_relevance(ranking)
    return ranking


FIELDS: Final[tuple[Field[Any], ...]] = (
    number("p", 0.8, *P_LIMITS[:2]),
    whole("d", 20, *WHOLE["d"]),
    whole("digits", 4, *WHOLE["digits"]),
    Field("r", X, _ranking, shorten),
    whole("users", 1000, *WHOLE["users"]),
    whole("seed", 1, *WHOLE["seed"]),
    number("p1", 0.9, *P_LIMITS[:2]),
    number("p2", 0.6, *P_LIMITS[:2]),
    flag("projector"),
)


@dataclass(frozen=True)
class Section:
    """One board of the page."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]


@dataclass(frozen=True)
class View:
    """What the page shows; each fit is a field, a button's words, its value, and help."""

    first: Section
    walk: Section
    two_chances: Section
    fits: list[tuple[str, str, float, str]]


def chance_of_page(p: float, page: int) -> float:
    """Return the chance that a user turns to this page of ten results, p^10 for the second.

    Examples
    --------
    >>> [round(chance_of_page(0.95, page), 4) for page in (1, 2, 3)]
    [1.0, 0.5987, 0.3585]
    """
    return float(p ** (PAGE * (page - 1)))


def p_limit(depth: int, digits: int) -> float:
    """Return the p below which `depth` gives so many decimals, the root of 10^-digits.

    Examples
    --------
    >>> round(p_limit(100, 4), 4)
    0.912
    """
    return float(10.0 ** (-digits / depth))


def largest_p(depth: int, digits: int) -> float:
    """Return the greatest p of two decimals for which `depth` gives so many decimals.

    Examples
    --------
    >>> largest_p(100, 4)
    0.91
    """
    return max(
        hundredths / 100
        for hundredths in range(100)
        if core.depth_for(hundredths / 100, 10.0**-digits) <= depth
    )


def certain_decimals(residual: float) -> int:
    """Return how many decimals of a score such a residual leaves meaningful."""
    return core.supported_decimals(core.Score(0.0, 0.0, residual))


def view(values: Mapping[str, Any], look: Look) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    p, depth, digits = values["p"], values["d"], values["digits"]
    judged = core.parse_relevance(values["r"])
    budget = Budget(depth, digits, p_limit(depth, digits))
    needed = [core.depth_for(p, 10.0**-count) for count in (1, 2, 3, 4)]
    best_p, best_d = largest_p(depth, digits), min(needed[digits - 1], MOST_DEPTH)
    return View(
        first=_first(values, needed, budget, look),
        walk=_walked(values, judged, look),
        two_chances=_two_users(values, judged, look),
        fits=[
            (
                "p",
                f"Use p = {best_p:.2f}",
                best_p,
                "The largest p that depth d is enough for",
            ),
            ("d", f"Use d = {best_d}", best_d, "The least depth that is enough for p"),
        ],
    )


def _first(
    values: Mapping[str, Any], needed: list[int], budget: Budget, look: Look
) -> Section:
    p, depth, digits = values["p"], budget.depth, budget.digits
    now = _patience(np.array([p]))
    return Section(
        sentences.choosing_p(
            expected=float(now.depth[0]),
            page2=float(now.page2[0]),
            depth=depth,
            residual=p**depth,
            certain=certain_decimals(p**depth),
            digits=digits,
            needed=needed[digits - 1],
        ),
        _tiles(values, now, needed[digits - 1]),
        [
            patience_picture(_patience_curve(), now, look=look),
            precision_picture(_P_GRID, _depth_curves(), needed, budget, p=p, look=look),
            residual_picture(_P_CELLS, _DEPTH_CELLS, p=p, depth=depth, look=look),
        ],
    )


def _walked(values: Mapping[str, Any], judged: Judged, look: Look) -> Section:
    p, users, seed = values["p"], values["users"], values["seed"]
    walks = core.simulate_users(judged, p=p, users=users, seed=seed)
    rbp = float(core.score(f"RBP(p={p})", judged).value)
    tied = judged.tie_groups is not None
    return Section(
        sentences.walk(walks, seed=seed, rbp=rbp),
        [],
        [_walk(walks, rbp, tied=tied, look=look), _stops(walks, judged, p, look)],
    )


def _two_users(values: Mapping[str, Any], judged: Judged, look: Look) -> Section:
    p, metric = values["p"], _two_chances(values)
    return Section(
        sentences.two_chances(
            core.score(metric, judged),
            core.score(f"RBP(p={p})", judged),
            p=p,
            expected=core.expected_depth(metric, judged),
        ),
        [],
        [_reading(values, judged, look), _weights(p, look)],
    )


def _two_chances(values: Mapping[str, Any]) -> str:
    return f"RBP(p1={values['p1']}, p2={values['p2']})"


def _patience(p: Floats) -> Patience:
    expected = [core.expected_depth(f"RBP(p={value})", "$") for value in p]
    return Patience(
        p,
        np.array(expected),
        np.array([chance_of_page(value, 2) for value in p]),
        np.array([chance_of_page(value, 3) for value in p]),
    )


@cache
def _patience_curve() -> Patience:
    return _patience(_P_GRID)


@cache
def _depth_curves() -> tuple[Floats, ...]:
    return tuple(
        np.array([core.depth_for(p, 10.0**-count) for p in _P_GRID.round(2)])
        for count in (1, 2, 3, 4)
    )


def _walk(walks: core.UserWalks, rbp: float, *, tied: bool, look: Look) -> Picture:
    count = len(walks.stopped)
    places = np.unique(np.geomspace(1, count, _WALK_POINTS).round())
    caption = "(1 − p) × what a user finds on average (MZ 2008, 4.1 and Figure 3)."
    if tied:
        caption += " Users read ties in the order written; RBP shares their weight."
    return walk_picture(
        places,
        walks.running_mean[places.astype(np.int64) - 1],
        rbp,
        look=look,
        caption=caption,
    )


def _stops(walks: core.UserWalks, judged: Judged, p: float, look: Look) -> Picture:
    """Count the users by their last rank; those who read on below are one more bar."""
    shown = min(judged.depth, _SHOWN_RANKS)
    last = np.minimum(walks.stopped, shown + 1)
    stopped = np.bincount(last, minlength=shown + 2)[1:] / len(last)
    expected = np.append(core.last(f"RBP(p={p})", judged)[:shown], p**shown)
    return stops_picture(stopped, expected, below=True, look=look)


def _reading(values: Mapping[str, Any], judged: Judged, look: Look) -> Picture:
    shown = min(judged.depth, _SHOWN_RANKS)
    p, p1, p2 = values["p"], values["p1"], values["p2"]
    lines = []
    for name, metric in (
        (f"p1 = {p1:g}, p2 = {p2:g}", _two_chances(values)),
        (f"p = {p:g} always", f"RBP(p={p})"),
    ):
        weights = core.weight(metric, judged)
        lines.append(Line(name, weights[:shown] / weights[0]))
    relevant = [bool(gain > 0) for gain in judged.gains[:shown]]
    return reading_picture((lines[0], lines[1]), relevant, look=look)


def _weights(p: float, look: Look) -> Picture:
    few = list(dict.fromkeys((p, *_FEW_P)))[:3]
    ranking = "$" * _WEIGHT_RANKS
    lines = [
        Line(f"p = {value:g}", core.weight(f"RBP(p={value})", ranking)) for value in few
    ]
    return weights_picture(lines, look=look)


def _tiles(
    values: Mapping[str, Any], now: Patience, needed: int
) -> list[tuple[str, str, str, str]]:
    p, depth, digits = values["p"], values["d"], values["digits"]
    page2, page3 = float(now.page2[0]), float(now.page3[0])
    certain = certain_decimals(p**depth)
    decimals = sentences.decimals
    return [
        (
            "Ranks read on average",
            f"{now.depth[0]:.1f}",
            f"1 / (1 − {p:g})",
            "Expected depth: how many documents this user looks at, on average",
        ),
        (
            "Reaches page 2",
            percent(page2),
            sentences.odds(page2),
            "Ten results a page: the chance of reading rank 11, p to the power of 10",
        ),
        (
            "Reaches page 3",
            percent(page3),
            sentences.odds(page3),
            "The chance of reading rank 21. Moffat & Zobel print 35 % at p = 0.95; it is 35.85 %",
        ),
        (
            f"Depth for {decimals(digits)}",
            f"{needed:,}",
            f"first with pᵈ < {10.0**-digits:.{digits}f}",
            "Judge so deep, and what lies below cannot change these decimals (MZ 4.4)",
        ),
        (
            f"Residual at depth {depth}",
            small(p**depth),
            sentences.certain_words(certain),
            "What the documents below this depth could still add to RBP: p to the power of d",
        ),
        (
            f"{decimals(digits).capitalize()} at depth {depth}",
            f"p < {p_limit(depth, digits):.4f}",
            f"10 to the power −{digits}/{depth}",
            "The most patient user for whom this depth gives these decimals",
        ),
    ]


def _formula(values: Mapping[str, Any], needed: int, two_chances: float) -> str:
    p, depth, digits = values["p"], values["d"], values["digits"]
    p1, p2 = values["p1"], values["p2"]
    asked = rf"p^{{d}} < 10^{{-{digits}}}"
    bound = (
        rf"d > \frac{{\ln 10^{{-{digits}}}}}{{\ln {p:g}}} = "
        rf"{np.log(10.0**-digits) / np.log(p):.2f},\ d = {needed}"
        if p > 0
        else f"d = {needed}"
    )
    return (
        r"\begin{aligned}"
        rf"\text{{ranks read}} &= \frac{{1}}{{1-p}} = \frac{{1}}{{1-{p:g}}} = "
        rf"{core.expected_depth(f'RBP(p={p})', '$'):.2f}\\"
        rf"\text{{page 2, page 3}} &= p^{{10}},\ p^{{20}} = {chance_of_page(p, 2):.4f},\ "
        rf"{chance_of_page(p, 3):.4f}\\"
        rf"\text{{residual}} &= p^{{d}} = {p:g}^{{{depth}}} = {p**depth:.4g}\\"
        rf"{asked} &\Rightarrow {bound}\\"
        rf"\text{{budget }} d = {depth} &\Rightarrow p < 10^{{-{digits}/{depth}}} = "
        rf"{p_limit(depth, digits):.4f}\\"
        rf"L_1 = 1,\quad L_{{i+1}} &= L_i\,(r_i\,p_1 + (1-r_i)\,p_2),\quad p_1 = {p1:g},\ "
        rf"p_2 = {p2:g}\\"
        r"\mathrm{RBP}(p_1, p_2) &= \textstyle\sum_i r_i L_i \,/\, \sum_i L_i = "
        rf"{two_chances:.4f}"
        r"\end{aligned}"
    )


def take_away(values: Mapping[str, Any]) -> TakeAway:
    """Write down the present numbers: formula, Python, a row of a table, the sources."""
    p, depth, digits = values["p"], values["d"], values["digits"]
    plain, both = f"RBP(p={p})", _two_chances(values)
    now = _patience(np.array([p]))
    needed = core.depth_for(p, 10.0**-digits)
    python = f"""import core

p, depth, digits = {p!r}, {depth}, {digits}
ranking = {values["r"]!r}
print("ranks read on average", f"{{core.expected_depth({plain!r}, ranking):.1f}}")
print("reaches page 2, page 3", f"{{p**10:.4f}} {{p**20:.4f}}")
print("depth for the decimals", core.depth_for(p, 10.0**-digits))
print("residual at the depth", f"{{p**depth:.4f}}")
print("p for decimals and depth, below", f"{{10.0 ** (-digits / depth):.4f}}")
walks = core.simulate_users(ranking, p=p, users={values["users"]}, seed={values["seed"]})
print("average of the users", f"{{walks.running_mean[-1]:.4f}}")
print({plain!r}, core.format_score(core.score({plain!r}, ranking)))
print({both!r}, core.format_score(core.score({both!r}, ranking)))
"""
    return TakeAway(
        formula=_formula(values, needed, float(core.score(both, values["r"]).value)),
        python=python,
        latex=latex_row(
            (
                "$p$",
                "ranks read",
                "page 2",
                "page 3",
                f"depth, {digits} decimals",
                "residual",
            ),
            (
                f"{p:g}",
                f"{now.depth[0]:.1f}",
                f"{now.page2[0]:.4f}",
                f"{now.page3[0]:.4f}",
                f"{needed}",
                f"{p**depth:.4f}",
            ),
        ),
        citation=citation("moffat_zobel_2008", "zhang_park_moffat_2008"),
    )
