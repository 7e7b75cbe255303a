"""Scores of one ranking: the front door to the metrics, and how to write scores down."""

import math

import numpy as np

from core.errors import ParameterError
from core.judged import Floats, Judged
from core.metrics.naming import parse_metric
from core.metrics.rbp import rbp_at, rbp_range, rbp_weights
from core.metrics.spec import Score
from core.relevance import Topic, judge
from core.validation import check_half_open_unit, check_positive

_MOST_DECIMALS = 15  # a double has no more


def score(  # noqa: PLR0913 - the topic can be described in several ways
    metric: str,
    ranking: str | Judged,
    *,
    topic: Topic | None = None,
    num_rel: int | None = None,
    num_nonrel: int | None = None,
    top_grade: int | None = None,
    min_rel: int = 1,
) -> Score:
    """Score a ranking, with the range over every way of judging its unjudged documents.

    Parameters
    ----------
    metric : str
        Such as ``"RBP(p=0.8)"``, ``"AP@100"``, ``"nDCG(gain='exp')@10"``, ``"AP'"``.
    ranking : str or Judged
        A relevance string such as ``"$$--?"``, or rankings read before.
    topic, num_rel, num_nonrel, top_grade, min_rel
        What is known of the topic; see `core.relevance.judge`.

    Returns
    -------
    Score
        Value, lower and upper; nan where undefined or not known, with the reason in `note`.

    Examples
    --------
    >>> print(format_score(score("RBP(p=0.95)", "$$---$----$-----$---")))
    0.1881 + 0.3585
    >>> print(format_score(score("AP", "$--$------??????????")))
    0.7500 [0.4095, 0.7500]
    """
    call = parse_metric(metric)
    judged = judge(
        ranking,
        topic=topic,
        num_rel=num_rel,
        num_nonrel=num_nonrel,
        top_grade=top_grade,
        min_rel=min_rel,
    )
    return call.score(judged)


def contributions(  # noqa: PLR0913 - the topic can be described in several ways
    metric: str,
    ranking: str | Judged,
    *,
    topic: Topic | None = None,
    num_rel: int | None = None,
    num_nonrel: int | None = None,
    top_grade: int | None = None,
    min_rel: int = 1,
) -> Floats:
    """Say how much of a score each rank is responsible for; the parts add up to the value.

    Parameters
    ----------
    metric, ranking, topic, num_rel, num_nonrel, top_grade, min_rel
        As for `score`.

    Returns
    -------
    array
        One number a rank; nan throughout where the score is undefined.

    Examples
    --------
    Moffat & Zobel 2008, Table I:

    >>> parts = contributions("AP", "$$---$----$-----$---")
    >>> parts[parts > 0].round(4).tolist()
    [0.3633, 0.1633, 0.0633, 0.0299, 0.0118]
    """
    call = parse_metric(metric)
    judged = judge(
        ranking,
        topic=topic,
        num_rel=num_rel,
        num_nonrel=num_nonrel,
        top_grade=top_grade,
        min_rel=min_rel,
    )
    shares = call.contributions(judged)
    shares.setflags(write=False)
    return shares


def rbp_curve(ranking: str | Judged, p: Floats, *, top_grade: int | None = None) -> Score:
    """Score one ranking by RBP at many values of the persistence p at once.

    Parameters
    ----------
    ranking : str or Judged
        One ranking.
    p : array of float
        Persistences, each at least 0 and below 1.
    top_grade : int, optional
        Grade with gain 1.

    Returns
    -------
    Score
        Arrays over `p`; `value` is `lower`, and `upper` includes the unseen tail.

    Examples
    --------
    Moffat & Zobel 2008, Table II:

    >>> rbp_curve("$$---$----$-----$---", np.array([0.5, 0.8, 0.95])).value.round(4).tolist()
    [0.7661, 0.4526, 0.1881]
    """
    judged = judge(ranking, top_grade=top_grade)
    if judged.grades.ndim != 1:
        msg = f"rbp_curve: give one ranking, not a batch of shape {judged.grades.shape}."
        raise ParameterError(msg)
    persistences = np.asarray(p, dtype=np.float64)
    outside = persistences[~((persistences >= 0.0) & (persistences < 1.0))]
    if outside.size or persistences.ndim != 1:
        got = repr(float(outside[0])) if outside.size else f"shape {persistences.shape}"
        msg = f"rbp_curve: p must be a row of numbers, each at least 0 and below 1; got {got}."
        raise ParameterError(msg)
    lower, upper = rbp_at(judged, persistences)
    return Score(lower, lower, upper)


def rbp_by_depth(ranking: str | Judged, p: float, *, top_grade: int | None = None) -> Score:
    """Score the first 1, 2, 3, ... ranks of a ranking by RBP (Moffat & Zobel 2008, Fig. 5).

    Parameters
    ----------
    ranking : str or Judged
        One ranking.
    p : float
        Persistence, at least 0 and below 1.
    top_grade : int, optional
        Grade with gain 1.

    Returns
    -------
    Score
        Arrays, one number a depth; the bounds close in as the depth grows.

    Examples
    --------
    >>> rbp_by_depth("$-$", 0.5).upper.tolist()
    [1.0, 0.75, 0.75]
    """
    check_half_open_unit("p", p, caller="rbp_by_depth")
    judged = judge(ranking, top_grade=top_grade)
    if judged.grades.ndim != 1:
        msg = f"rbp_by_depth: give one ranking, not a batch of shape {judged.grades.shape}."
        raise ParameterError(msg)
    if judged.tie_groups is not None:
        ranges = [rbp_range(judged, p=p, cutoff=depth + 1) for depth in range(judged.depth)]
        lower, upper = (
            np.array(bound, dtype=np.float64) for bound in zip(*ranges, strict=True)
        )
        return Score(lower, lower, upper)
    weights = rbp_weights(judged.depth, p)
    lower = np.cumsum(weights * judged.gains)
    unjudged = np.cumsum(weights * (judged.grades < 0))
    tail = np.power(p, np.arange(1, judged.depth + 1, dtype=np.float64))
    return Score(lower, lower, lower + unjudged + tail)


def depth_for(p: float, precision: float) -> int:
    """Return the least depth d with p^d below `precision` (Moffat & Zobel 2008, 4.4).

    Examples
    --------
    >>> [depth_for(p, 1e-4) for p in (0.5, 0.8, 0.95)]
    [14, 42, 180]
    """
    check_half_open_unit("p", p, caller="depth_for")
    check_positive("precision", precision, caller="depth_for")
    if p == 0.0:
        return 1 if precision <= 1.0 else 0
    depth = max(0, math.floor(math.log(precision) / math.log(p)))
    while p**depth >= precision:
        depth += 1
    while depth > 0 and p ** (depth - 1) < precision:
        depth -= 1
    return depth


def supported_decimals(score: Score) -> int:
    """Return how many decimals of a score its residual leaves meaningful.

    With d decimals the residual is below 10^-d (Moffat & Zobel 2008, section 4.4); 0 where no
    range is known.

    Examples
    --------
    >>> supported_decimals(Score(0.4526, 0.4526, 0.4641))
    1
    """
    residual = float(np.max(score.residual))
    if math.isnan(residual):
        return 0
    decimals = 0
    while decimals < _MOST_DECIMALS and residual < 10.0 ** -(decimals + 1):
        decimals += 1
    return decimals


def format_score(score: Score) -> str:
    """Write a score with its residual, or with its range where the value is not the bottom.

    Examples
    --------
    >>> format_score(Score(0.1881, 0.1881, 0.5466))
    '0.1881 + 0.3585'
    """
    value, lower, upper = float(score.value), float(score.lower), float(score.upper)
    text = "undefined" if math.isnan(value) else f"{value:.4f}"
    if math.isnan(lower):
        return text if math.isnan(value) else f"{text} (range not known)"
    if value == lower:
        return f"{text} + {upper - lower:.4f}"
    return f"{text} [{lower:.4f}, {upper:.4f}]"
