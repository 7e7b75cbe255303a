"""Which of two systems is better, when all that is known are RBP scores at different p."""

from typing import Final, Literal, TypeAlias

import numpy as np

from core.errors import ParameterError
from core.inversion.exact import exact_extreme, fits_some_ranking
from core.inversion.examples import find_examples
from core.inversion.linear import bottom_fill, lp_bounds, top_fill
from core.inversion.reports import Report, read_report
from core.inversion.results import ReportedRBP, Verdict
from core.inversion.scores import Band
from core.validation import check_half_open_unit

Winner: TypeAlias = Literal["A", "B"] | None
_CALLER: Final = "compare_rbp"
_MARGIN: Final = 1e-9
_NODE_LIMIT: Final = 50_000


def compare_rbp(
    a: ReportedRBP,
    b: ReportedRBP,
    *,
    at: float | None = None,
    kind: Literal["lp", "exact"] | None = None,
) -> Verdict:
    r"""Decide which of two systems is better, given scores at different persistences.

    A is better at a persistence where its least possible score exceeds the greatest possible
    score of B (design/inversion.md, section 5; ZPM 2008, section 4.2, whose rule is not safe).
    No ranking that fits the reports contradicts a verdict.

    With ``lp`` bounds one comparison decides all p between the two reported ones: with
    :math:`\lambda(s, p) = k + f` the length of the vector ``1...1 f`` that scores `s`, and
    ``p_A < p_B``, A is better iff
    :math:`\lambda(\min S_A, p_A) > \lambda(\max S_B, p_B)`; B is better iff the complements
    compare the other way.

    Parameters
    ----------
    a, b : ReportedRBP
        The two reports.
    at : float, optional
        Compare at this persistence. By default ``lp`` decides the whole interval between the
        two p; ``exact`` tries ``a.p``, ``b.p`` and the midpoint and takes the first that decides.
    kind : {"lp", "exact"}, optional
        By default ``lp`` if either is a mean, else ``exact``.

    Returns
    -------
    Verdict
        With the p or the interval of p for which it holds; where undetermined, with rankings
        that fit the reports and decide it either way.

    Examples
    --------
    >>> verdict = compare_rbp(ReportedRBP(0.5, 0.9), ReportedRBP(0.8, 0.3))
    >>> verdict.winner, verdict.at, verdict.holds_between
    ('A', 0.5, (0.5, 0.8))
    >>> open_case = compare_rbp(ReportedRBP(0.5, 0.6), ReportedRBP(0.8, 0.6), at=0.5)
    >>> open_case.winner is None, open_case.examples[1].score_b > 0.6
    (True, True)
    """
    reports = _read(a, "a"), _read(b, "b")
    means = bool(a.mean), bool(b.mean)
    chosen = _kind(kind, mean=any(means))
    target = None if at is None else check_half_open_unit("at", at, caller=_CALLER)
    between = min(a.p, b.p), max(a.p, b.p)
    overall = _lp_winner(*reports)
    if chosen == "lp":
        place = (between[0] + between[1]) / 2.0 if target is None else target
        intervals = _lp_interval(reports[0], place), _lp_interval(reports[1], place)
        # Between the two p the closed form is the same verdict, free of rounding.
        inside = between[0] <= place <= between[1]
        winner = overall if inside else _winner(*intervals)
    else:
        winner, place, intervals = _exact_verdict(reports, between, target)
    holds = winner is not None and winner == overall
    return Verdict(
        winner,
        place,
        (float(between[0]), float(between[1])) if holds else None,
        intervals,
        (None, None) if winner else find_examples(reports, means, place, _NODE_LIMIT),
    )


def _read(report: object, name: str) -> Report:
    if not isinstance(report, ReportedRBP):
        msg = f"{_CALLER}: {name} must be a ReportedRBP; got {type(report).__name__}."
        raise ParameterError(msg)
    return read_report(report, caller=f"{_CALLER}, {name}")


def _kind(kind: object, *, mean: bool) -> str:
    if kind is None:
        return "lp" if mean else "exact"
    if kind not in ("lp", "exact"):
        msg = (
            f"{_CALLER}: kind must be 'lp' or 'exact', whose bounds are proved, or None; "
            f"got {kind!r}."
        )
        raise ParameterError(msg)
    if mean and kind == "exact":
        msg = (
            f"{_CALLER}: kind 'exact' holds for one topic with binary relevance only, since the "
            f"mean of several rankings can leave its range; use kind='lp' for means."
        )
        raise ParameterError(msg)
    return str(kind)


def _lp_winner(first: Report, second: Report) -> Winner:
    """Decide all p between the two at once (theorem of section 5)."""
    names: tuple[Winner, Winner] = ("A", "B")
    if first.p > second.p:
        first, second, names = second, first, ("B", "A")
    if _length(first.relevant[0], first.p) > _length(second.upper[1], second.p) + _MARGIN:
        return names[0]
    if _start(second.relevant[0], second.p) < _start(first.upper[1], first.p) - _MARGIN:
        return names[1]
    return None


def _length(score: float, p: float) -> float:
    """Return the length of the vector of ones at the top that has this score."""
    return sum(top_fill(score, p))


def _start(score: float, p: float) -> float:
    """Return the length of the zeros above the vector of ones at the bottom."""
    zeros, part = bottom_fill(score, p)
    return zeros + 1.0 - part


def _lp_interval(report: Report, at: float) -> Band:
    target = np.array(at)
    least = lp_bounds(report.p, report.relevant, target)[0]
    return float(least), float(lp_bounds(report.p, report.upper, target)[1])


def _exact_interval(report: Report, at: float) -> Band:
    if not fits_some_ranking(report):
        return float("nan"), float("nan")
    low = exact_extreme(report, at, _NODE_LIMIT, upper=False, least=True)
    high = exact_extreme(report, at, _NODE_LIMIT, upper=True, least=False)
    return max(low.bound, 0.0), min(high.bound, 1.0)


def _winner(first: Band, second: Band) -> Winner:
    if first[0] > second[1] + _MARGIN:
        return "A"
    return "B" if second[0] > first[1] + _MARGIN else None


def _exact_verdict(
    reports: tuple[Report, Report], between: Band, target: float | None
) -> tuple[Winner, float, tuple[Band, Band]]:
    """Return the first verdict of the places to try, or the first place without one."""
    places = [reports[0].p, reports[1].p, (between[0] + between[1]) / 2.0]
    tried = []
    for place in places if target is None else [target]:
        intervals = _exact_interval(reports[0], place), _exact_interval(reports[1], place)
        winner = _winner(*intervals)
        if winner is not None:
            return winner, place, intervals
        tried.append((place, intervals))
    return None, *tried[0]
