"""The only place with `st.cache_data`: work that is worth keeping, shared by all sessions.

The key is the digest of a collection with the settings. The digest covers what can change a score,
the names of runs and topics among it, but not the ids of documents: nothing that is kept here may
hold those.
"""

import contextvars

import pandas as pd
import streamlit as st

import core
from core.columns import Floats
from core.progress import Progress
from dashboard.views import pool_tables


def outside(progress: Progress) -> Progress:
    """Let a cached function report progress on screen without having it recorded.

    Streamlit would play back what a cached function draws; drawn in the context of the caller,
    it is not part of what is kept.
    """
    context = contextvars.copy_context()
    return lambda share, text: context.run(progress, share, text)


def scores(
    collection: core.Collection,
    metric: str,
    *,
    ranges: bool = False,
    progress: Progress | None = None,
) -> core.Score:
    """Score every run on every topic, as `Collection.scores`; kept for later."""
    reported = None if progress is None else outside(progress)
    return _scores(collection.digest, metric, ranges, collection, reported)


@st.cache_data(max_entries=512, max_size="400MB", show_spinner=False)
def _scores(
    digest: str,  # noqa: ARG001 - the key
    metric: str,
    ranges: bool,  # noqa: FBT001 - the key takes no keywords
    _collection: core.Collection,
    _progress: Progress | None,
) -> core.Score:
    return _collection.scores(metric, ranges=ranges, progress=_progress)


def thinning(
    collection: core.Collection,
    metrics: tuple[str, ...],
    shares: tuple[float, ...],
    repetitions: int,
    seed: int,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Thin the judgments step by step, as `core.thinning_sweep`; kept for later."""
    settings = (metrics, shares, repetitions, seed)
    return _thinning(
        collection.digest, settings, collection, progress and outside(progress)
    )


@st.cache_data(max_entries=64, max_size="50MB", show_spinner=False)
def _thinning(
    digest: str,  # noqa: ARG001 - the key
    settings: tuple[tuple[str, ...], tuple[float, ...], int, int],
    _collection: core.Collection,
    _progress: Progress | None,
) -> pd.DataFrame:
    return core.thinning_sweep(_collection, *settings, progress=_progress)


def orders(
    collection: core.Collection,
    metrics: tuple[str, ...],
    depths: tuple[int, ...],
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Compare the orders of the runs, as `core.agreement`; kept for later."""
    reported = progress and outside(progress)
    return _orders(collection.digest, metrics, depths, collection, reported)


@st.cache_data(max_entries=64, max_size="50MB", show_spinner=False)
def _orders(
    digest: str,  # noqa: ARG001 - the key
    metrics: tuple[str, ...],
    depths: tuple[int, ...],
    _collection: core.Collection,
    _progress: Progress | None,
) -> pd.DataFrame:
    return core.agreement(_collection, metrics, depths or None, progress=_progress)


@st.cache_data(max_entries=128, max_size="100MB", show_spinner=False)
def _significance(
    digest: str,  # noqa: ARG001 - the key
    metric: str,
    _collection: core.Collection,
) -> core.SignificantPairs:
    return core.significant_pairs(_collection, metric)


def significance(collection: core.Collection, metric: str) -> core.SignificantPairs:
    """Test every pair of runs, as `core.significant_pairs`; kept for later."""
    return _significance(collection.digest, metric, collection)


def rates(
    method: str,
    collection: core.Collection,
    metric: str,
    samples: int,
    seed: int,
    progress: Progress | None = None,
) -> core.SwapRates:
    """Measure how often topics disagree, as `core.error_rates` or `core.swap_rates`."""
    reported = progress and outside(progress)
    return _rates(method, collection.digest, (metric, samples, seed), collection, reported)


@st.cache_data(max_entries=256, max_size="50MB", show_spinner=False)
def _rates(
    method: str,
    digest: str,  # noqa: ARG001 - the key
    settings: tuple[str, int, int],
    _collection: core.Collection,
    _progress: Progress | None,
) -> core.SwapRates:
    metric, samples, seed = settings
    if method == "errors":
        return core.error_rates(
            _collection, metric, draws=samples, seed=seed, progress=_progress
        )
    return core.swap_rates(
        _collection, metric, samples=samples, seed=seed, progress=_progress
    )


def bootstrap(
    collection: core.Collection,
    metric: str,
    samples: int,
    alpha: float,
    seed: int,
    progress: Progress | None = None,
) -> core.BootstrapSensitivity:
    """Test every pair of runs by the bootstrap, as `core.bootstrap_sensitivity`; kept."""
    settings = (metric, samples, alpha, seed)
    return _bootstrap(
        collection.digest, settings, collection, progress and outside(progress)
    )


@st.cache_data(max_entries=128, max_size="100MB", show_spinner=False)
def _bootstrap(
    digest: str,  # noqa: ARG001 - the key
    settings: tuple[str, int, float, int],
    _collection: core.Collection,
    _progress: Progress | None,
) -> core.BootstrapSensitivity:
    metric, samples, alpha, seed = settings
    return core.bootstrap_sensitivity(
        _collection, metric, samples=samples, alpha=alpha, seed=seed, progress=_progress
    )


def pool_steps(collection: core.Collection) -> tuple[int, ...]:
    """List the pool depths of a collection, as `pool_tables.depth_steps`; kept for later."""
    return _pool_steps(collection.digest, collection)


@st.cache_data(max_entries=64, show_spinner=False)
def _pool_steps(
    digest: str,  # noqa: ARG001 - the key
    _collection: core.Collection,
) -> tuple[int, ...]:
    return pool_tables.depth_steps(_collection)


def pool_table(
    collection: core.Collection,
    metric: str,
    out: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> pool_tables.PoolTable:
    """Score every run at every pool depth, as `pool_tables.pool_table`; kept for later."""
    reported = None if progress is None else outside(progress)
    return _pool_table(collection.digest, metric, out, collection, reported)


@st.cache_data(max_entries=256, max_size="100MB", show_spinner=False)
def _pool_table(
    digest: str,  # noqa: ARG001 - the key
    metric: str,
    out: tuple[str, ...],
    _collection: core.Collection,
    _progress: Progress | None,
) -> pool_tables.PoolTable:
    steps = pool_steps(_collection)
    return pool_tables.pool_table(_collection, metric, steps, out, _progress)


def newcomers(
    collection: core.Collection,
    metric: str,
    *,
    together: bool,
    out: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Score runs or groups as newcomers, as `pool_tables.newcomers`; kept for later."""
    reported = None if progress is None else outside(progress)
    return _newcomers(collection.digest, metric, together, out, collection, reported)


@st.cache_data(max_entries=256, max_size="50MB", show_spinner=False)
def _newcomers(
    digest: str,  # noqa: ARG001 - the key
    metric: str,
    together: bool,  # noqa: FBT001 - the key takes no keywords
    out: tuple[str, ...],
    _collection: core.Collection,
    _progress: Progress | None,
) -> pd.DataFrame:
    return pool_tables.newcomers(
        _collection,
        metric,
        together=together,
        pool_depth=pool_steps(_collection)[-1],
        out=out,
        progress=_progress,
    )


def bounds_by_p(
    collection: core.Collection, run: str, depth: int, out: tuple[str, ...] = ()
) -> tuple[Floats, Floats]:
    """Average RBP's bounds at every p, as `pool_tables.bounds_by_p`; kept for later."""
    return _bounds_by_p(collection.digest, run, depth, out, collection)


@st.cache_data(max_entries=256, max_size="20MB", show_spinner=False)
def _bounds_by_p(
    digest: str,  # noqa: ARG001 - the key
    run: str,
    depth: int,
    out: tuple[str, ...],
    _collection: core.Collection,
) -> tuple[Floats, Floats]:
    return pool_tables.bounds_by_p(_collection, run, depth, out)
