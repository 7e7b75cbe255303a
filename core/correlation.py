"""How far metrics, pools and judgments agree on the order of the runs."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from core.columns import Floats
from core.errors import ParameterError
from core.progress import Progress

if TYPE_CHECKING:
    from core.collection import Collection


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Compare two orders of the same systems by Kendall's tau (tau-b, by scipy).

    Without ties it is Sakai 2007, eq. 8: pairs in the same order minus pairs in the other order,
    over all pairs.

    Parameters
    ----------
    a, b : array_like
        Scores of the same systems; a system with nan on either side is left out.

    Returns
    -------
    float
        From -1 to 1; nan where one side is the same for all systems, or fewer than two are left.

    Examples
    --------
    >>> round(kendall_tau([0.4, 0.3, 0.2, 0.1], [0.9, 0.7, 0.8, 0.1]), 4)
    0.6667
    """
    first, second = _paired("kendall_tau", a, b)
    if len(first) < 2 or (first == first[0]).all() or (second == second[0]).all():
        return math.nan
    return float(stats.kendalltau(first, second).statistic)


def tau_ap(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Compare the order `a` with the order `b`, with more weight on the top of `a`.

    For each system but the first of `a`, the share of the systems above it that `b` puts above it
    too; their mean, stretched to [-1, 1] (Yilmaz, Aslam & Robertson 2008, tau_AP). Systems tied
    in `a` are averaged over all their orders; a tie in `b` counts as half right.

    Parameters
    ----------
    a, b : array_like
        Scores of the same systems, `b` the reference; a system with nan is left out.

    Returns
    -------
    float
        From -1 to 1; nan where fewer than two systems are left.

    Examples
    --------
    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 4), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4)
    (0.7778, 0.3333)
    """
    estimate, truth = _paired("tau_ap", a, b)
    size = len(estimate)
    if size < 2:
        return math.nan
    above = estimate[:, None] < estimate[None, :]  # column above row
    right = (truth[None, :] > truth[:, None]) + 0.5 * (truth[None, :] == truth[:, None])
    right_above = (above * right).sum(axis=1)
    total = 0.0
    for value in np.unique(estimate):
        group = estimate == value
        higher = int((estimate > value).sum())
        ranks = higher + np.arange(
            int(group.sum())
        )  # systems above each place of the group
        expected = right_above[group].mean() + 0.5 * np.arange(len(ranks))
        total += float((expected[ranks > 0] / ranks[ranks > 0]).sum())
    return 2.0 * total / (size - 1) - 1.0


def agreement(
    collection: "Collection",
    metrics: str | Sequence[str],
    depths: Sequence[int] | None = None,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Compare the orders of the runs by any two metrics at any two pool depths.

    This is Moffat & Zobel 2008, Table III; Ahlgren & Grönqvist 2008, Table 8; Sakai 2007, Table 2.

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    metrics : str or sequence of str
        Names of metrics.
    depths : sequence of int, optional
        Pool depths; by default all judgments are used, and the depth is that of the collection.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    DataFrame
        Columns metric_a, depth_a, metric_b, depth_b, tau, tau_ap (order a against reference b),
        z (Sakai 2007, eq. 9; nan where runs are tied) and runs; one row for each ordered pair.
    """
    from core.collection import mean_score, metric_names
    from core.pooling import pool_sweep  # here: pooling compares orders with this module

    names = metric_names(metrics)
    if depths is None:
        orders = {
            (name, collection.depth): mean_score(collection.scores(name))[0]
            for name in names
        }
    else:
        table = pool_sweep(collection, names, depths, progress=progress)
        shape = (len(depths), len(collection.run_ids), len(names))
        values = table["value"].to_numpy().reshape(shape)
        orders = {
            (name, depth): values[row, :, column]
            for row, depth in enumerate(depths)
            for column, name in enumerate(names)
        }
    wanted = [(name, depth) for name in names for depth in depths or [collection.depth]]
    rows = []
    for first in wanted:
        for second in wanted:
            tau = kendall_tau(orders[first], orders[second])
            rows.append(
                (
                    *first,
                    *second,
                    tau,
                    tau_ap(orders[first], orders[second]),
                    tau_z(tau, orders[first], orders[second]),
                    len(collection.run_ids),
                )
            )
    columns = ["metric_a", "depth_a", "metric_b", "depth_b", "tau", "tau_ap", "z", "runs"]
    return pd.DataFrame(rows, columns=columns)


def tau_z(tau: float, a: Floats, b: Floats) -> float:
    """Return the statistic of the normal test of tau (Sakai 2007, eq. 9); nan with ties."""
    size = len(a)
    if size < 2 or len(np.unique(a)) < size or len(np.unique(b)) < size:
        return math.nan
    return abs(tau) / math.sqrt((4 * size + 10) / (9 * size * (size - 1)))


def _paired(caller: str, a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    try:
        first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    except (TypeError, ValueError) as error:
        msg = f"{caller}: numbers are expected ({error})."
        raise ParameterError(msg) from error
    if first.ndim != 1 or first.shape != second.shape:
        msg = (
            f"{caller}: scores of the same systems are expected; got arrays of shape "
            f"{first.shape} and {second.shape}."
        )
        raise ParameterError(msg)
    known = ~(np.isnan(first) | np.isnan(second))
    return first[known], second[known]
