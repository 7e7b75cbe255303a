"""The range of an RBP score at other persistences: three kinds of envelope."""

from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.errors import ParameterError
from core.inversion.exact import exact_extreme, fits_some_ranking
from core.inversion.linear import lp_bounds
from core.inversion.reports import Report, read_report, read_targets
from core.inversion.results import Envelope, Floats, ReportedRBP
from core.inversion.scores import (
    GUARD,
    MAX_RANKS,
    check_tolerance,
    depth_of,
    reachable,
    score_vectors,
)
from core.inversion.triples import CLASSES, complete, needs_of
from core.inversion.vectors import extreme_vector
from core.validation import check_positive, check_whole

Kind: TypeAlias = Literal["paper", "exact", "lp"]
Bounds: TypeAlias = tuple[Floats, Floats, Floats, Floats]
KINDS: Final = ("paper", "exact", "lp")
_CALLER: Final = "rbp_envelope"


def rbp_envelope(  # noqa: PLR0913 - the public signature
    score: float,
    p: float,
    at: float | npt.ArrayLike,
    *,
    kind: Kind = "exact",
    residual: float = 0.0,
    tolerance: float | None = None,
    residual_tolerance: float | None = None,
    depth: int | None = None,
    precision: float = 1e-4,
    mean: bool = False,
    node_limit: int = 50_000,
) -> Envelope:
    r"""Say what an RBP score could be at other persistences.

    Three kinds (design/inversion.md, sections 3 and 4), each inside the next (the first with a
    tolerance of 0):

    - ``paper``: the scores of R_G and R_L (ZPM 2008, section 4), with directions and tails put
      right: below `p` R_G is high and R_L low; above, R_L followed by ones is high and R_G
      followed by zeros low. Two rankings one can write down, but not always the extremes.
    - ``exact``: the extremes over all rankings of one topic with binary relevance, by branch
      and bound, to within 1e-9.
    - ``lp``: the extremes over vectors with relevance in [0, 1], in closed form; the only kind
      that holds for means over topics and for graded relevance.

    With a residual, the range of the lower score (unjudged documents nonrelevant) and of the
    upper score (unjudged relevant) are bounded together.

    Parameters
    ----------
    score, p : float
        The published score and its persistence, ``0 <= p < 1``.
    at : float or array
        Target persistences, each in [0, 1).
    kind : {"exact", "paper", "lp"}
        See above.
    residual : float, default 0
        The published residual.
    tolerance, residual_tolerance : float, optional
        Half-widths of the bands around score and residual; by default ``precision / 2`` (0 for
        a residual of 0). A tolerance of 0 suits a computed score and targets up to `p`; above,
        ranks that weigh less than rounding at `p` decide.
    depth : int, optional
        Known length of the list (``lp`` only): nothing is relevant after it, or, with a
        residual, everything after it is unjudged.
    precision : float, default 1e-4
        Unit of the last printed place; also sets the length of R_G and R_L.
    mean : bool, default False
        Whether the score is a mean over topics, or graded; ``lp`` only.
    node_limit : int, default 50,000
        Most steps of one search; where it strikes, the outer bound stands in.

    Returns
    -------
    Envelope
        Four arrays of the shape of `at`; nan and status ``infeasible`` where no ranking fits.

    Examples
    --------
    >>> found = rbp_envelope(0.4, 0.8, [0.5, 0.9])
    >>> found.lower_min.round(4), found.lower_max.round(4)
    (array([0.0625, 0.2597]), array([0.752, 0.626]))
    >>> found = rbp_envelope(0.4, 0.8, 0.5, kind="lp", mean=True)
    >>> round(float(found.lower_max), 4)
    0.7891
    """
    precision = check_positive("precision", precision, caller=_CALLER)
    node_limit = check_whole("node_limit", node_limit, caller=_CALLER)
    _check_kind(kind, mean=mean, depth=depth)
    if tolerance is None:
        tolerance = precision / 2.0
    if residual_tolerance is None and check_tolerance("residual", residual, caller=_CALLER):
        residual_tolerance = precision / 2.0
    reported = ReportedRBP(p, score, residual, tolerance, residual_tolerance)
    report = read_report(reported, caller=_CALLER)
    targets = read_targets(at, caller=_CALLER)
    sure = np.full((*targets.shape, 4), kind != "paper")
    bounds: Bounds | None
    if kind == "lp":
        bounds = _lp_envelope(report, targets, depth)
    elif kind == "paper":
        bounds = _paper_envelope(report, targets, depth_of(report.p, precision))
    else:
        bounds = _exact_envelope(report, targets, node_limit, sure)
    if bounds is None:
        nothing = np.full(targets.shape, np.nan)
        return Envelope(nothing, nothing, nothing, nothing, "infeasible", sure)
    # Arithmetic on arrays without axes gives bare numbers: make them arrays again.
    lower_min, lower_max, upper_min, upper_max = (np.array(bound) for bound in bounds)
    return Envelope(lower_min, lower_max, upper_min, upper_max, "ok", sure)


def _check_kind(kind: object, *, mean: bool, depth: int | None) -> None:
    if kind not in KINDS:
        msg = f"{_CALLER}: kind must be 'paper', 'exact' or 'lp'; got {kind!r}."
        raise ParameterError(msg)
    if mean and kind != "lp":
        msg = (
            f"{_CALLER}: kind {kind!r} holds for one topic with binary relevance only, since the "
            f"mean of several rankings can leave its range; use kind='lp' with mean=True."
        )
        raise ParameterError(msg)
    if depth is not None:
        if kind != "lp":
            msg = f"{_CALLER}: depth is known to kind 'lp' only; leave it out for {kind!r}."
            raise ParameterError(msg)
        check_whole("depth", depth, caller=_CALLER)


def _lp_envelope(report: Report, at: Floats, depth: int | None = None) -> Bounds | None:
    """Bound lower and upper score by linear programming (closed form)."""
    if depth is None:
        lower = lp_bounds(report.p, report.relevant, at)
        return (
            *lower,
            *(lp_bounds(report.p, report.upper, at) if report.has_residual else lower),
        )
    beyond = report.p**depth
    low, high = report.relevant[0], min(report.relevant[1], 1.0 - beyond)
    if report.has_residual and report.unjudged[1] < beyond - GUARD:
        msg = (
            f"{_CALLER}: with depth = {depth} all later ranks are unjudged, so the residual must "
            f"be at least p ** depth = {beyond:.4g}; got at most {report.unjudged[1]:.4g}."
        )
        raise ParameterError(msg)
    if low > 1.0 - beyond + GUARD:
        return None
    lower = lp_bounds(report.p, (min(low, high), high), at, depth)
    if not report.has_residual:
        return (*lower, *lower)
    inside = max(report.upper[0] - beyond, 0.0), max(report.upper[1] - beyond, 0.0)
    upper = lp_bounds(report.p, inside, at, depth)
    return (*lower, upper[0] + at**depth, upper[1] + at**depth)


def _paper_envelope(report: Report, at: Floats, depth: int) -> Bounds | None:
    """Score R_G and R_L, or with a residual the two greedy rankings with unjudged ranks."""
    greatest = _paper_vector(report, min(depth, MAX_RANKS), CLASSES)
    least = _paper_vector(report, min(depth, MAX_RANKS), CLASSES[::-1])
    if greatest is None or least is None:
        return None
    upward = at > report.p

    def curves(relevant: str) -> tuple[Floats, Floats]:
        early = score_vectors(greatest, at, relevant=relevant)
        late = score_vectors(least, at, relevant=relevant)
        late_ones = score_vectors(least, at, relevant=relevant, tail=1.0)
        return np.where(upward, early, late), np.where(upward, late_ones, early)

    return (*curves("1"), *curves("1?"))


def _paper_vector(report: Report, depth: int, order: str) -> str | None:
    if report.has_residual:
        needs = needs_of(report.relevant, report.unjudged, 1.0)
        return complete(report.p, needs, 1.0, order, depth)
    if not reachable(report.p, *report.relevant, 1.0):
        return None
    return extreme_vector(report.p, report.relevant, depth, prefer=int(order[0]))[0]


def _exact_envelope(
    report: Report, at: Floats, node_limit: int, sure: npt.NDArray[np.bool_]
) -> Bounds | None:
    """Bound lower and upper score by search, noting in `sure` where the node limit struck."""
    if not fits_some_ranking(report):
        return None
    sides = 4 if report.has_residual else 2
    bounds = np.empty((4, *at.shape))
    for index in np.ndindex(at.shape):
        for side in range(sides):
            upper, least = side >= 2, side % 2 == 0
            found = exact_extreme(
                report, float(at[index]), node_limit, upper=upper, least=least
            )
            bounds[(side, *index)] = found.bound
            sure[(*index, side)] = found.complete
    if sides == 2:
        bounds[2:], sure[..., 2:] = bounds[:2], sure[..., :2]
    lower_min, lower_max, upper_min, upper_max = np.clip(bounds, 0.0, 1.0)
    return lower_min, lower_max, upper_min, upper_max
