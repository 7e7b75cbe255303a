"""What stands behind published scores: the nine panels, crossing curves, depths, numbers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

import core
from core.inversion import (
    Crossings,
    count_prefixes,
    inversion_depth,
    rbp_crossings,
)
from dashboard.figures.theme import Look, Picture
from dashboard.figures.two_papers import Band
from dashboard.figures.two_papers_parts import (
    Panel,
    attainable_picture,
    crossings_picture,
    depths_picture,
    gap_picture,
    numbers_picture,
    panels_picture,
)
from dashboard.sentences import count
from dashboard.views.published_scores import Published, Reading, read

P_CURVE: Final = np.linspace(0.0, 0.99, 100)
PRECISIONS: Final = (1e-2, 1e-4, 1e-8)
TABLE_P: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)  # ZPM, Table 1
COUNTED_RANKS: Final = 16
SHOWN_LEVELS: Final = 5
LIMITS: Final = {
    "both_1": "both tend to 1",
    "both_0": "both tend to 0",
    "diverge": "diverge",
}


@lru_cache(maxsize=1)
def panels() -> tuple[Panel, ...]:
    """Work out the nine cells of ZPM's Figure 3, high p on top."""
    return tuple(
        _panel(read(Published("", p, score), exact=False))
        for p in (0.8, 0.5, 0.2)
        for score in (0.2, 0.5, 0.8)
    )


def _panel(reading: Reading) -> Panel:
    p, score = reading.published.p, reading.published.score
    if (
        reading.exact is None
        or reading.greatest_scores is None
        or reading.least_scores is None
    ):
        return Panel(p, score, _panel_words(reading), reading.at, None, None, None)
    return Panel(
        p,
        score,
        _panel_words(reading),
        reading.at,
        Band(reading.exact.lower_min, reading.exact.upper_max),
        reading.greatest_scores[0],
        reading.least_scores[0],
    )


def _panel_words(reading: Reading) -> str:
    found, (p, score) = reading.found, (reading.published.p, reading.published.score)
    if found.gap is not None:
        return f"no ranking, gap {found.gap[1]:g}–{found.gap[2]:g}"
    words = LIMITS[found.limit or "diverge"]
    tie = p >= 0.5 and min(abs(score - p), abs(score - (1.0 - p))) < 1e-9
    return f"{words}, boundary" if tie else words


def nine_panels(look: Look) -> tuple[str, list[Picture]]:
    """Show ZPM's Figure 3 and say what was corrected in it."""
    words = (
        "Near p = 0 only rank 1 counts. Both rankings tend to 1 if S > p (rank 1 is relevant), "
        "both to 0 if S < 1 - p, and they diverge in between. Below p = 0.5 some scores do not "
        "exist at all."
    )
    caption = (
        "Solid: R_G; dashed: R_L; band: no ranking leaves it. After ZPM 2008, Fig. 3. The "
        "caption there counts S = p and S = 1 - p as converging; at the cells marked boundary "
        "both kinds of ranking exist. The scores 0.2 and 0.8 at p = 0.2 exist too."
    )
    return words, [panels_picture(panels(), look=look, caption=caption)]


def crossings(first: str, second: str, look: Look) -> tuple[str, list[Picture]]:
    """Show the curves of two known rankings, and where they meet."""
    met = rbp_crossings(first, second)
    top = max(int(core.parse_relevance(text).top_grade) for text in (first, second))
    at = np.unique(np.concatenate([P_CURVE, [p for p, _ in met.roots]]))
    one, two = (
        np.asarray(core.rbp_curve(core.parse_relevance(text, top_grade=top), at).lower)
        for text in (first, second)
    )
    return crossing_words(met), [
        crossings_picture(at, (one, two), met.roots, look=look),
        gap_picture(at, one - two, met.roots, look=look),
    ]


def crossing_words(met: Crossings) -> str:
    """Say where the curves meet, or which ranking is better at every p."""
    touching = [f"{p:.4f}" for p, kind in met.roots if kind == "touch"]
    touches = f" The curves touch at p = {', '.join(touching)}." if touching else ""
    limits = (
        f" The signs of the differences allow at most {count(met.descartes, 'crossing')}, those "
        f"of their running sums {count(met.descartes_cum, 'crossing')}."
    )
    if met.dominates == "equal":
        return "The two rankings have the same score at every p."
    if met.dominates:
        other = "second" if met.dominates == "first" else "first"
        return (
            f"The {met.dominates} ranking is at least as good as the {other} at every p."
            f"{touches}{limits}"
        )
    places = [f"{p:.4f}" for p, kind in met.roots if kind == "cross"]
    return (
        f"Which ranking is better depends on p: the curves cross at p = {' and '.join(places)}."
        f"{touches}{limits}"
    )


def depths(scores: Sequence[Published], look: Look) -> tuple[str, list[Picture]]:
    """Show ZPM's Table 1, and how many beginnings fit the scores."""
    table = [[inversion_depth(p, unit) for unit in PRECISIONS] for p in TABLE_P]
    own = "; ".join(
        f"{one.name}: {count(one.depth, 'rank')} at p = {one.p:g} and {one.digits} decimals"
        for one in scores
    )
    words = (
        f"A printed score tells nothing about ranks below the least n with pⁿ < precision / 2. "
        f"{own}."
    )
    caption = (
        "After ZPM 2008, Table 1. The rule gives 17 of its 18 entries; the last is 1,902, and "
        "the printed 1,001 looks like the length at which lists were cut."
    )
    counted = [
        (
            one.name,
            one.p,
            [count_prefixes(one.score, one.p, n) for n in range(1, COUNTED_RANKS + 1)],
        )
        for one in scores
    ]
    return words, [
        depths_picture(
            TABLE_P, ("0.01", "0.0001", "0.00000001"), table, look=look, caption=caption
        ),
        numbers_picture(counted, look=look),
    ]


def attainable(score: Published, look: Look) -> Picture:
    """Show which scores exist at a p below 1/2."""
    levels: list[list[tuple[float, float]]] = []
    starts = [0.0]
    for rank in range(1, SHOWN_LEVELS + 1):
        weight = (1.0 - score.p) * score.p ** (rank - 1)
        starts = [start for begin in starts for start in (begin, begin + weight)]
        levels.append([(start, start + score.p**rank) for start in starts])
    return attainable_picture(score.score, score.p, levels, look=look)
