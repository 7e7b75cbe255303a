"""The ranges of published scores at single p, the verdict, and rankings that show it open."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.inversion import Example, Verdict, compare_rbp, rbp_envelope
from dashboard.figures.theme import Look, Picture
from dashboard.figures.two_papers import (
    Band,
    Interval,
    Line,
    Place,
    Reach,
    Strip,
    Strips,
    ranges_picture,
    strips_picture,
)
from dashboard.views.published_parts import attainable
from dashboard.views.published_scores import (
    Published,
    Reading,
    compare,
    quick,
    range_at,
    searched,
)

OTHER_P: Final = (0.5, 0.8, 0.95)
WORTH_TELLING: Final = 0.0005
SHOWN_RANKS: Final = 60  # ranks of an example that are drawn

LOSSY: Final = (
    "A score at one p is a lossy summary. The lines are examples we can write down; the band "
    "is a guarantee. For smaller p the lines practically are its edges. For larger p it opens, "
    "because documents too deep to count at the printed precision count there."
)


def reach_of(reading: Reading) -> Reach:
    """Return what the envelope picture needs of a score."""
    score, average = reading.published, reading.average
    searched = reading.exact if reading.exact and reading.exact.status == "ok" else None
    lines: list[Line] = []
    for name, dash, scores in (
        ("R<sub>G</sub>", "solid", reading.greatest_scores),
        ("R<sub>L</sub>", "dash", reading.least_scores),
    ):
        if scores is not None:
            lines.append(Line(name, scores[0], dash))
            if score.residual:
                lines.append(Line(f"{name}, unjudged relevant", scores[1], "dot"))
    exact = None
    if searched is not None:
        exact = Band(
            np.interp(reading.at, reading.exact_at, searched.lower_min),
            np.interp(reading.at, reading.exact_at, searched.upper_max),
        )
    return Reach(
        score.name,
        score.p,
        score.score,
        score.residual,
        reading.at,
        Band(average.lower_min, average.upper_max),
        exact,
        tuple(lines),
        mean=score.mean,
        possible=reading.possible,
    )


def other_places(
    readings: Sequence[Reading], *, exact: bool, look: Look
) -> tuple[str, list[Picture]]:
    """Show scores at some other p, where there is nothing to compare them with."""
    scores = [reading.published for reading in readings if reading.possible]
    if not scores:
        words = "No ranking has the score, so there is nothing to show at another p."
        gaps = [one.published for one in readings if one.published.p < 0.5]
        return words, [attainable(one, look) for one in gaps]
    missed = _missed(readings[0]) if readings[0].possible else None
    extra = scores[0].elsewhere if missed is None else missed[0]
    places = []
    for p in sorted({*OTHER_P, extra, *(score.p for score in scores)}):
        ranges = [Interval(one.name, *range_at(one, p, exact=exact)) for one in scores]
        own = any(one.p == p for one in scores)
        places.append(Place(p, "as published" if own else "could be", tuple(ranges)))
    caption = "Where it is narrow, p is the published one, and the width is the rounding."
    pictures = [ranges_picture(places, look=look, caption=caption)]
    if scores[0].p < 0.5 and not scores[0].mean:
        pictures.append(attainable(scores[0], look))
    elif exact or quick(scores[0]):
        pictures.append(_edges_picture(scores[0], extra, look))
    return LOSSY if missed is None else _missed_words(*missed), pictures


def _missed(reading: Reading) -> tuple[float, float, float] | None:
    """Find where, below the published p, a ranking beats R_G the most: p, its score, R_G's."""
    if (
        reading.exact is None
        or reading.greatest_scores is None
        or reading.published.residual
    ):
        return None
    below = reading.at < reading.published.p
    ahead = np.where(below, reading.exact.upper_max - reading.greatest_scores[0], 0.0)
    at = int(ahead.argmax())
    if ahead[at] < WORTH_TELLING:
        return None
    best, early = reading.exact.upper_max[at], reading.greatest_scores[0][at]
    return float(reading.at[at]), float(best), float(early)


def _missed_words(at: float, best: float, early: float) -> str:
    return (
        f"R_G is not the extreme here: at p = {at:.4g} some ranking with this score has "
        f"{best:.4f}, and R_G only {early:.4f}. ZPM 2008, section 4.1, says that R_G and R_L "
        f"bound every other ranking; that is proved only for p up to 0.649 and smaller targets."
    )


def _edges_picture(score: Published, at: float, look: Look) -> Picture:
    """Show the rankings that reach the two edges of the band at one p."""
    reported = score.reported()
    found = compare_rbp(reported, reported, at=at).examples[0]
    groups = []
    if found is not None:
        for mixture, value, words in (
            (found.a, found.score_a, "the most"),
            (found.b, found.score_b, "the least"),
        ):
            row = _row("", mixture, relevant="1?" if words == "the most" else "1")
            groups.append(Strips(f"{words}: {value:.4f}", (row,)))
    caption = (
        "Mean relevance at each rank, over topics that fit."
        if score.mean
        else "Found by search among all rankings with this score."
    )
    return strips_picture(
        groups,
        look=look,
        name="rankings_at_the_edges",
        title=f"What scores the most and the least at p = {at:.4g}",
        caption=f"{caption} Drag sideways for more.",
    )


def verdict_part(
    readings: Sequence[Reading], verdict: Verdict, *, exact: bool, look: Look
) -> tuple[str, list[Picture]]:
    """Show the ranges at both p and between, and what decides it either way."""
    a, b = (reading.published for reading in readings)
    verdicts = [
        compare(a, b, exact=exact, at=p) for p in sorted({a.p, (a.p + b.p) / 2.0, b.p})
    ]
    places = [
        Place(
            one.at,
            f"{one.winner} is better" if one.winner else "undetermined",
            (Interval("A", *one.intervals[0]), Interval("B", *one.intervals[1])),
        )
        for one in verdicts
    ]
    if a.mean:
        caption = "For means. A verdict by these ranges holds for every p between the two."
    elif searched(a, b, exact=exact):
        caption = "For one topic. ZPM 2008, 4.2, tries the lower p only; the higher often decides."
    else:
        caption = "By the band that also holds for averages; Exact may decide more."
    pictures = [ranges_picture(places, look=look, caption=caption)]
    words = _where_better(readings)
    if searched(a, b, exact=exact):
        words += _by_the_paper(a, b, verdicts)
    open_ones = [one for one in (verdict, *verdicts) if any(one.examples)]
    if open_ones:
        pictures.append(_examples_picture(open_ones[0], look, mean=a.mean))
        words.append("The rankings shown fit what was published, and decide it either way.")
    return " ".join(words), pictures


def _where_better(readings: Sequence[Reading]) -> list[str]:
    """Say at how many of the values of p in the picture one range lies above the other."""
    a, b = (reach_of(reading) for reading in readings)
    at = np.intersect1d(a.at, b.at)
    (low_a, high_a), (low_b, high_b) = (
        (np.interp(at, one.at, band.low), np.interp(at, one.at, band.high))
        for one, band in ((one, one.exact or one.average) for one in (a, b))
    )
    words = []
    for name, better in (("A", low_a > high_b), ("B", low_b > high_a)):
        if better.any():
            where = at[better]
            words.append(
                f"On a grid of {len(at)} values of p, {name} is certainly better at "
                f"{len(where)}, from {where[0]:.2f} to {where[-1]:.2f}."
            )
    return words or ["At no p in the picture does one range lie wholly above the other."]


def _by_the_paper(a: Published, b: Published, verdicts: Sequence[Verdict]) -> list[str]:
    """Tell where the paper's rule, R_G and R_L of the higher p alone, says too much."""
    low, high = sorted((a, b), key=lambda one: one.p)
    if low.residual or high.residual or low.p == high.p:
        return []
    known = rbp_envelope(
        high.score, high.p, low.p, kind="paper", tolerance=0.0, precision=high.precision
    )
    winner = None
    if low.score > float(known.lower_max):
        winner = low.name
    elif low.score < float(known.lower_min):
        winner = high.name
    if winner is None or winner == verdicts[0].winner:
        return []
    return [
        f"ZPM's rule, by R_G and R_L alone, calls {winner} better at p = {low.p:.4g}; that does "
        f"not follow, since other rankings with these scores reach further."
    ]


def _examples_picture(verdict: Verdict, look: Look, *, mean: bool) -> Picture:
    groups = [
        _example(winner, example)
        for winner, example in zip("AB", verdict.examples, strict=True)
        if example is not None
    ]
    kind = "Share of topics with a relevant document. " if mean else ""
    return strips_picture(
        groups,
        look=look,
        name="two_ways_it_could_be",
        title=f"Two ways it could be at p = {verdict.at:.4g}",
        caption=f"{kind}Drag sideways for more.",
    )


def _example(winner: str, example: Example) -> Strips:
    told = f"{winner} wins: A {example.score_a:.4f}, B {example.score_b:.4f}"
    rows = tuple(
        _row(name, mixture, relevant="1?" if name == winner else "1")
        for name, mixture in (("A", example.a), ("B", example.b))
    )
    return Strips(told, rows)


def _row(name: str, mixture: Sequence[tuple[float, str]], *, relevant: str) -> Strip:
    """Return one ranking as it is, several as their mean relevance at each rank."""
    second = name == "B"
    if len(mixture) == 1:  # nothing is relevant after the last rank
        return Strip(name, mixture[0][1].ljust(SHOWN_RANKS, "0"), second)
    marks = tuple(relevant)
    shares = [
        sum(share for share, text in mixture if text[rank : rank + 1] in marks)
        for rank in range(SHOWN_RANKS)
    ]
    return Strip(name, shares, second)
