"""The exact extremes for one binary topic, whichever search they need."""

from dataclasses import replace

from core.inversion.joint import JointProblem, joint_extreme
from core.inversion.reports import Report
from core.inversion.scores import Band, find_gap, reachable
from core.inversion.search import Extreme, greatest_score, least_score
from core.inversion.triples import CLASSES, complete, fits, needs_of

_SAME_P_NODES = 2_000


def fits_some_ranking(report: Report) -> bool:
    """Tell whether one binary ranking has the reported score and residual."""
    if not report.has_residual:
        return reachable(report.p, *report.relevant, 1.0)
    needs = needs_of(report.relevant, report.unjudged, 1.0)
    if report.p >= 2.0 / 3.0:
        return fits(needs, 1.0)
    return complete(report.p, needs, 1.0, CLASSES, 2_000, settle=True) is not None


def exact_extreme(
    report: Report, at: float, node_limit: int, *, upper: bool, least: bool
) -> Extreme:
    """Find the least or greatest lower or upper score at `at` of the rankings that fit."""
    if report.p == 0.0:
        return _first_rank_only(report, at, upper=upper, least=least)
    closed = _same_p_band(report, upper=upper) if at == report.p else None
    if closed is not None:  # the search is only asked for an example
        node_limit = min(node_limit, _SAME_P_NODES)
    if report.has_residual:
        problem = JointProblem(report.p, report.relevant, report.unjudged, upper, least)
        found = joint_extreme(problem, at, node_limit)
    else:
        search = least_score if least else greatest_score
        found = search(report.p, report.relevant, at, node_limit)
    if closed is None:
        return found
    return replace(found, bound=closed[0] if least else closed[1], complete=True)


def _same_p_band(report: Report, *, upper: bool) -> Band | None:
    """Return the range at the reported p itself, where it is known without a search."""
    if report.has_residual:
        if report.p < 2.0 / 3.0:
            return None
        low, high = report.relevant
        return report.upper if upper else (low, min(high, 1.0 - report.unjudged[0]))
    low, high = report.relevant
    if report.p < 0.5:  # draw the band in to scores that some ranking has
        above, below = find_gap(report.p, low), find_gap(report.p, high)
        low = low if above is None else above[2]
        high = high if below is None else below[1]
    return low, high


def _first_rank_only(report: Report, at: float, *, upper: bool, least: bool) -> Extreme:
    """At p = 0 the score tells the first rank and nothing about the others."""
    needs = needs_of(report.relevant, report.unjudged, 1.0)
    marks = [mark for mark in CLASSES if complete(0.0, needs, 1.0, mark, 1) is not None]
    relevant = "1?" if upper else "1"
    marks.sort(key=lambda mark: mark in relevant, reverse=not least)
    value = (1.0 - at) * (marks[0] in relevant) + (0.0 if least else at)
    return Extreme(value, value, marks[0], "0" if least else "1")
