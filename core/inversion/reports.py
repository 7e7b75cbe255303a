"""A published score with its residual, checked and turned into bands."""

from dataclasses import dataclass

import numpy as np

from core.errors import ParameterError
from core.inversion.results import Floats, ReportedRBP
from core.inversion.scores import GUARD, Band, band_of, check_tolerance
from core.validation import check_half_open_unit, check_number


@dataclass(frozen=True)
class Report:
    """What a published score says: bands for relevant and for unjudged weight at `p`."""

    p: float
    relevant: Band
    unjudged: Band
    has_residual: bool

    @property
    def upper(self) -> Band:
        """Band of relevant and unjudged weight together."""
        low = self.relevant[0] + self.unjudged[0]
        return min(low, 1.0), min(self.relevant[1] + self.unjudged[1], 1.0)


def read_report(reported: ReportedRBP, *, caller: str) -> Report:
    """Check a report and return its bands; raise `ParameterError` where it makes no sense."""
    p = check_half_open_unit("p", reported.p, caller=caller)
    score = check_number("score", reported.score, caller=caller)
    tolerance = check_tolerance("tolerance", reported.tolerance, caller=caller)
    residual = check_tolerance("residual", reported.residual, caller=caller)
    slack = reported.residual_tolerance
    if slack is None:
        slack = tolerance if residual > 0.0 else 0.0
    slack = check_tolerance("residual_tolerance", slack, caller=caller)
    if score - tolerance > 1.0 + GUARD or score + tolerance < -GUARD:
        msg = (
            f"{caller}: score must lie in [0, 1], give or take the tolerance {tolerance:g}; "
            f"got {score!r}."
        )
        raise ParameterError(msg)
    if score + residual - tolerance - slack > 1.0 + GUARD:
        msg = (
            f"{caller}: score and residual must not add up to more than 1; got {score!r} + "
            f"{residual!r}. The residual may be at most {max(1.0 - score, 0.0):.4g}."
        )
        raise ParameterError(msg)
    has_residual = residual > 0.0 or slack > 0.0
    return Report(p, band_of(score, tolerance), band_of(residual, slack), has_residual)


def read_targets(at: object, *, caller: str) -> Floats:
    """Return the target persistences as an array of floats, each in [0, 1)."""
    rule = "at must be a persistence of at least 0 and below 1, or an array of them"
    try:
        given = np.asarray(at)
    except ValueError as error:  # lists of unequal length
        msg = f"{caller}: {rule}; got {at!r}."
        raise ParameterError(msg) from error
    if given.dtype.kind not in "fiu":
        msg = f"{caller}: {rule}; got {at!r}."
        raise ParameterError(msg)
    targets = given.astype(np.float64)
    wrong = ~((targets >= 0.0) & (targets < 1.0))
    if wrong.any():
        msg = f"{caller}: {rule}; got {float(targets[wrong].flat[0])!r}."
        raise ParameterError(msg)
    return targets
