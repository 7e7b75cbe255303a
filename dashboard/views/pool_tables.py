"""Pools of every depth, as the tables that the page picks its rows from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

import core
from core.collection import Collection
from core.columns import Floats, Ints
from core.pooling import pool_depths
from core.progress import Progress

P_GRID: Final = np.linspace(0.0, 0.99, 100)
_EVERY_DEPTH: Final = 100  # beyond it, some forty depths stand for all
_LETTERS: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class PoolTable:
    """Means of every run at every pool depth, and how their order agrees with the full one."""

    metric: str
    depths: Ints
    value: Floats  # (depths, runs); lower and upper alike
    lower: Floats
    upper: Floats
    topics: Ints  # over how many the means are, by depth
    judged: Ints  # judgments of the pool, by depth
    full: Floats  # (runs), with all judgments; upper alike
    full_upper: Floats
    tau: Floats  # against the full order, by depth


def depth_steps(collection: Collection) -> tuple[int, ...]:
    """List the pool depths to look at, up to the one that has all judgments."""
    full = int(pool_depths(collection).max(initial=1))
    steps = np.arange(1, min(full, _EVERY_DEPTH) + 1)
    if full > _EVERY_DEPTH:
        further = np.geomspace(_EVERY_DEPTH, full, 40).round().astype(np.int64)
        steps = np.union1d(steps, further)
    return tuple(steps.tolist())


def contributors(collection: Collection, out: Sequence[str]) -> list[str] | None:
    """List the runs that give documents to the pool; none stands for all of them."""
    left = set(out)
    return [run for run in collection.run_ids if run not in left] if left else None


def pool_table(
    collection: Collection,
    metric: str,
    steps: Sequence[int],
    out: Sequence[str] = (),
    progress: Progress | None = None,
) -> PoolTable:
    """Score every run at every depth of a pool to which the runs in `out` give nothing."""
    table = core.pool_sweep(
        collection, metric, steps, contributors(collection, out), progress=progress
    )
    value, lower, upper = _columns(table, len(steps))
    if out:
        full, _, full_upper = _columns(core.pool_sweep(collection, metric, steps[-1:]), 1)
    else:
        full, full_upper = value[-1:], upper[-1:]
    first = table.iloc[:: len(collection.run_ids)]
    return PoolTable(
        metric=metric,
        depths=np.array(steps),
        value=value,
        lower=lower,
        upper=upper,
        topics=first["topics"].to_numpy(),
        judged=first["judged"].to_numpy(),
        full=full[0],
        full_upper=full_upper[0],
        tau=np.array([core.kendall_tau(row, full[0]) for row in value]),
    )


def _columns(table: pd.DataFrame, depths: int) -> tuple[Floats, Floats, Floats]:
    value, lower, upper = (
        table[part].to_numpy(dtype=np.float64).reshape(depths, -1)
        for part in ("value", "lower", "upper")
    )
    return value, lower, upper


def places(scores: Floats) -> Ints:
    """Give each run its place along the last axis, from the best, 1; ties as listed."""
    known = np.where(np.isnan(scores), -1.0, scores)
    order = np.argsort(-known, axis=-1, kind="stable")
    return np.asarray(np.argsort(order, axis=-1, kind="stable") + 1)


def groups(runs: Sequence[str]) -> dict[str, list[str]]:
    """Put runs together whose names begin with the same letters, as those of one team do."""
    found: dict[str, list[str]] = {}
    for run in runs:
        letters = _LETTERS.match(run)
        found.setdefault(letters[0] if letters else run, []).append(run)
    return found


def newcomers(
    collection: Collection,
    metric: str,
    *,
    together: bool,
    pool_depth: int,
    out: Sequence[str] = (),
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Score each run without the judgments that it alone, or its group alone, contributed."""
    teams = groups(collection.run_ids) if together else None
    return core.leave_one_out(
        collection,
        metric,
        groups=teams,
        pool_depth=pool_depth,
        outside=out,
        progress=progress,
    )


def bounds_by_p(
    collection: Collection, run: str, depth: int, out: Sequence[str] = ()
) -> tuple[Floats, Floats]:
    """Average RBP's bounds over the topics, at every p of a grid (MZ 2008, Figure 6)."""
    pooled = collection.at_pool_depth(depth, contributors(collection, out))
    judged = pooled.only(pooled.run_places(run)).judged
    curves = [
        core.rbp_curve(judged[0, topic], P_GRID)
        for topic in range(len(collection.topic_ids))
    ]
    lower, upper = (
        np.mean([getattr(curve, part) for curve in curves], axis=0)
        for part in ("lower", "upper")
    )
    return np.asarray(lower), np.asarray(upper)
