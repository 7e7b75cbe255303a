"""Metrics as users: how likely they read on, and what weight that gives each rank.

In the C/W/L view (Moffat et al. 2017) a metric is a user who reads from the top and, after rank
i, reads on with chance C(i). Then W(i), the weight of rank i, falls as W(i+1) = W(i) C(i); the
chance that rank i is the last one read is L(i) = (W(i) - W(i+1)) / W(1); and the user reads
1 / W(1) ranks on average.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.errors import ParameterError
from core.judged import Floats, Ints, Judged
from core.metrics.naming import MetricCall, parse_metric
from core.metrics.precision import over
from core.metrics.rbp import insq_weights, rbp_weights, reading_chances, shared_gains
from core.relevance import judge
from core.validation import check_half_open_unit, check_whole

_MAX_USERS: Final = 1_000_000


def weight(metric: str, ranking: str | Judged, *, num_rel: int | None = None) -> Floats:
    """Return W(i): the share of the user's attention that each rank gets.

    Parameters
    ----------
    metric : str
        One of RBP, RBP(p1, p2), INSQ, P@k, RR, AP.
    ranking : str or Judged
        One ranking; unjudged documents count as nonrelevant.
    num_rel : int, optional
        Relevant documents of the topic, for AP.

    Examples
    --------
    >>> weight("RBP(p=0.5)", "$--").tolist()
    [0.5, 0.25, 0.125]
    """
    return _weights(metric, ranking, num_rel)[:-1]


def continuation(
    metric: str, ranking: str | Judged, *, num_rel: int | None = None
) -> Floats:
    """Return C(i): the chance of reading on after each rank; nan where it is never read.

    Examples
    --------
    >>> continuation("RR", "-$-").tolist()
    [1.0, 0.0, nan]
    """
    weights = _weights(metric, ranking, num_rel)
    if not weights.any():  # nothing ever stops this user
        return np.ones(len(weights) - 1)
    return over(weights[1:], weights[:-1])


def last(metric: str, ranking: str | Judged, *, num_rel: int | None = None) -> Floats:
    """Return L(i): the chance that each rank is the last one read.

    Examples
    --------
    >>> last("P@2", "$--").tolist()
    [0.0, 1.0, 0.0]
    """
    weights = _weights(metric, ranking, num_rel)
    if not weights.any():
        return np.zeros(len(weights) - 1)
    return np.asarray((weights[:-1] - weights[1:]) / weights[0])


def expected_depth(
    metric: str, ranking: str | Judged, *, num_rel: int | None = None
) -> float:
    """Return the mean number of ranks read, 1 / W(1).

    Examples
    --------
    >>> round(expected_depth("RBP(p=0.8)", "$"), 6)
    5.0
    """
    first = float(_weights(metric, ranking, num_rel)[0])
    return 1.0 / first if first > 0.0 else math.inf


@dataclass(frozen=True)
class UserWalks:
    """Simulated users who walked down one ranking.

    Attributes
    ----------
    stopped : int array
        The rank at which each user stopped; it may lie below the end of the list.
    gain : float array
        What each user gained on the way.
    running_mean : float array
        (1 - p) times the mean gain of the first 1, 2, 3, ... users; it settles on RBP.
    """

    stopped: Ints
    gain: Floats
    running_mean: Floats


def simulate_users(ranking: str | Judged, *, p: float, users: int, seed: int) -> UserWalks:
    """Let users walk down a ranking, each reading on with chance `p` after every rank.

    Parameters
    ----------
    ranking : str or Judged
        One ranking; unjudged and unseen documents bring nothing, tied ones their mean.
    p : float
        Persistence, ``0 <= p < 1``.
    users : int
        How many users walk.
    seed : int
        The same seed gives the same walks.

    Examples
    --------
    >>> walks = simulate_users("$$---$", p=0.5, users=20_000, seed=1)
    >>> round(float(walks.running_mean[-1]), 2)
    0.76
    """
    check_half_open_unit("p", p, caller="simulate_users")
    check_whole("users", users, caller="simulate_users", most=_MAX_USERS)
    check_whole("seed", seed, caller="simulate_users", least=0)
    judged = _one(judge(ranking))
    stopped = np.random.default_rng(seed).geometric(1.0 - p, size=users)
    seen = np.concatenate(([0.0], np.cumsum(shared_gains(judged))))
    gain = seen[np.minimum(stopped, judged.depth)]
    running_mean = (1.0 - p) * np.cumsum(gain) / np.arange(1, users + 1)
    for array in (stopped, gain, running_mean):
        array.setflags(write=False)
    return UserWalks(stopped, gain, running_mean)


def _weights(metric: str, ranking: str | Judged, num_rel: int | None) -> Floats:
    """Return the weights of the ranks of the list and of the one after it."""
    call = parse_metric(metric)
    find = _WEIGHTS.get(call.spec.key)
    if find is None or call.condensed:
        known = ", ".join(_WEIGHTS)
        msg = f"{call.name} has no C/W/L user model here; those with one are {known}."
        raise ParameterError(msg)
    weights = find(call, _one(judge(ranking, num_rel=num_rel)))
    if call.cutoff is not None:
        weights = np.where(np.arange(len(weights)) < call.cutoff, weights, 0.0)
    weights.setflags(write=False)
    return weights


def _one(judged: Judged) -> Judged:
    if judged.grades.ndim != 1:
        msg = f"ranking: give one ranking, not a batch of shape {judged.grades.shape}."
        raise ParameterError(msg)
    return judged


def _rbp(call: MetricCall, judged: Judged) -> Floats:
    return rbp_weights(judged.depth + 1, float(call.params["p"]))


def _rbp_p1p2(call: MetricCall, judged: Judged) -> Floats:
    p1, p2 = float(call.params["p1"]), float(call.params["p2"])
    gains = judged.cut(call.cutoff).gains
    reach, beyond = reading_chances(gains, p1, p2)
    read = reach.sum() + beyond / (1.0 - p2)
    weights = np.zeros(judged.depth + 1)
    weights[: len(gains) + 1] = np.append(reach, beyond) / read
    return weights


def _insq(_: MetricCall, judged: Judged) -> Floats:
    return insq_weights(judged.depth + 1)


def _precision(call: MetricCall, judged: Judged) -> Floats:
    return np.full(judged.depth + 1, 1.0 / (call.cutoff or 1))


def _reciprocal_rank(call: MetricCall, judged: Judged) -> Floats:
    if call.params != {"nth": 1, "damp": 0}:
        msg = f"{call.name} has no C/W/L user model here; plain RR has."
        raise ParameterError(msg)
    found = judged.relevant_cells.upto(call.cutoff).ranks
    first = int(found[0]) if len(found) else 0
    ranks = np.arange(1, judged.depth + 2)
    return np.where(ranks <= first, 1.0 / max(first, 1), 0.0)


def _average_precision(call: MetricCall, judged: Judged) -> Floats:
    if judged.num_rel == 0:
        msg = f"{call.name} has no user model for a topic without relevant documents."
        raise ParameterError(msg)
    cells = judged.relevant_cells.upto(call.cutoff)
    terms = cells.spread(1.0 / cells.ranks)
    from_here = np.cumsum(terms[::-1])[::-1] / judged.num_rel
    return np.append(from_here, 0.0)


_WEIGHTS: Final[dict[str, Callable[[MetricCall, Judged], Floats]]] = {
    "RBP": _rbp,
    "RBP(p1,p2)": _rbp_p1p2,
    "INSQ": _insq,
    "P": _precision,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
}
