"""Fewer judgments: counts by Ahlgren & Grönqvist 2008, section 6.3, nesting, and the shapes."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from core.collection import Collection
from core.correlation import kendall_tau
from core.errors import ParameterError
from core.pooling import pool_sweep
from core.simulate import sample_collection
from core.thinning import AG_SHARES, thin_judgments, thinned_size, thinning_sweep
from tests.core import literal


@cache
def sample() -> Collection:
    return sample_collection()


@cache
def swept() -> pd.DataFrame:
    metrics = ["AP", "RankEff", "Bpref10", "RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)"]
    return thinning_sweep(sample(), metrics, [0.05, 0.1, 0.2, 0.5, 0.8, 1.0], 5, seed=1)


def by_share(column: str) -> pd.DataFrame:
    return swept().pivot_table(index="share", columns="metric", values=column)


def test_the_shares_are_those_of_the_paper() -> None:
    percents = [round(100 * share) for share in AG_SHARES]
    assert percents == [*range(1, 11), 15, *range(20, 101, 5)]
    assert len(AG_SHARES) == 28


def test_sizes_are_rounded_to_the_nearest_number_for_every_share() -> None:
    for share in AG_SHARES:
        exact = Fraction(round(100 * share), 100)
        for size in range(400):
            assert thinned_size(share, size) == math.floor(exact * size + Fraction(1, 2))


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.95, 1.0])
def test_each_topic_keeps_as_many_documents_as_the_paper_says(share: float) -> None:
    thinned = thin_judgments(sample(), share, np.random.default_rng(3))
    before, after = sample().grade_counts, thinned.grade_counts
    for full, kept in zip(before, after, strict=True):
        num_rel, num_nonrel = int(full[1:].sum()), int(full[0])
        assert kept[1:].sum() == min(num_rel, max(1, math.floor(share * num_rel + 0.5)))
        assert kept[0] == min(num_nonrel, max(10, math.floor(share * num_nonrel + 0.5)))
    unchanged = thinned.labels == sample().labels
    assert (thinned.labels[~unchanged] == -1).all()


def test_topics_with_few_documents_keep_all_there_are() -> None:
    qrels = b"1 0 a 1\n1 0 b 0\n1 0 c 0\n2 0 a 0\n"
    run = b"1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n"
    collection = Collection.from_files({"r": run}, qrels)
    assert thin_judgments(collection, 0.01, np.random.default_rng(1)).num_judged == 4


def test_relevance_is_that_of_the_collection() -> None:
    strict = Collection.from_files(
        {"r": b"1 Q0 a 1 1 x\n"},
        b"".join(b"1 0 d%d %d\n" % (n, n % 3) for n in range(90)),
        min_rel=2,
    )
    kept = thin_judgments(strict, 0.5, np.random.default_rng(1)).grade_counts[0]
    assert (kept[2], kept[0] + kept[1]) == (15, 30)


def test_within_a_repetition_smaller_shares_keep_subsets() -> None:
    seeds = [np.random.default_rng(8) for _ in range(2)]
    few = thin_judgments(sample(), 0.1, seeds[0]).labels
    many = thin_judgments(sample(), 0.3, seeds[1]).labels
    assert ((few < 0) | (many >= 0)).all()


def test_the_draw_is_random_and_repeatable() -> None:
    first, again = (
        thin_judgments(sample(), 0.2, np.random.default_rng(5)).labels for _ in range(2)
    )
    other = thin_judgments(sample(), 0.2, np.random.default_rng(6)).labels
    assert (first == again).all()
    assert (first != other).any()
    one, two = (thinning_sweep(sample(), "AP", [0.2], 2, seed=4) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert one.value[0] != one.value[1]


def test_every_document_is_as_likely_to_stay() -> None:
    rng = np.random.default_rng(1)
    files = literal.random_files(1, top_grade=1)
    collection = Collection.from_files(files.runs, files.qrels)
    relevant = collection.labels == 1
    draws = [
        thin_judgments(collection, 0.5, rng).labels[relevant] == 1 for _ in range(2_000)
    ]
    starts = collection.topic_starts
    for begin, end in pairwise(starts):
        size = int((collection.labels[begin:end] == 1).sum())
        if size:
            part = slice(int(relevant[:begin].sum()), int(relevant[:end].sum()))
            expected = max(1, math.floor(size / 2 + 0.5)) / size
            assert np.mean(draws, axis=0)[part] == pytest.approx(expected, abs=0.06)


def test_the_sweep_equals_thinning_and_scoring_by_hand() -> None:
    table = thinning_sweep(sample(), ["AP", "AP'"], [0.3], 1, seed=9).set_index("metric")
    thinned = thin_judgments(sample(), 0.3, np.random.default_rng(9))
    for metric in ("AP", "AP'"):
        value = thinned.mean(metric).value
        assert table.value[metric] == pytest.approx(value.mean())
        assert table.tau[metric] == kendall_tau(value, sample().mean(metric).value)
        assert table.judged[metric] == thinned.num_judged


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan"), "0.5", True])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(ParameterError, match="share must be"):
        thin_judgments(sample(), share, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="share must be"):
        thinning_sweep(sample(), "AP", [share], 1, 1)


def test_progress_is_reported_and_may_cancel() -> None:
    shares: list[float] = []
    thinning_sweep(sample(), "RR", [0.1, 0.2], 2, 1, lambda share, _: shares.append(share))
    assert shares == [0.25, 0.5, 0.75, 1.0]

    def cancel(*_: object) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        thinning_sweep(sample(), "RR", [0.1], 1, 1, cancel)


def test_rank_eff_holds_its_value_and_its_order_better_than_ap() -> None:
    """The shapes of Ahlgren & Grönqvist 2008, Figures 5 to 8."""
    value, tau = by_share("value"), by_share("tau")
    drift = (value / value.loc[1.0] - 1.0).abs()
    assert drift["RankEff"].max() < 0.05
    assert (drift["AP"].drop(1.0) > 0.15).all()
    assert (drift["RankEff"].drop(1.0) < drift["Bpref10"].drop(1.0)).mean() >= 0.8
    assert (tau["RankEff"] >= tau["AP"] - 1e-9).all()
    assert (tau["RankEff"] - tau["AP"]).drop(1.0).mean() > 0.05


def test_rbp_falls_in_proportion_to_the_judgments_inside_bounds_that_hold() -> None:
    """RBP adds up documents, so a share of them keeps that share of the score on average."""
    table = swept()
    for metric in ("RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)"):
        rows = table[table.metric == metric]
        full = rows[rows.share == 1.0].value.iloc[0]
        means = rows.groupby("share").value.mean()
        assert (means / full).to_numpy() == pytest.approx(means.index.to_numpy(), abs=0.03)
        assert (rows.lower <= full + 1e-12).all()
        assert (rows.upper >= full - 1e-12).all()


def test_only_a_patient_rbp_keeps_the_order_of_the_runs_better_than_ap() -> None:
    tau = by_share("tau")
    assert (tau["RBP(p=0.95)"] >= tau["AP"] - 1e-9).all()
    assert (tau["RBP(p=0.5)"].drop(1.0) < tau["AP"].drop(1.0)).all()


def test_with_shallower_pools_rbp_is_steadier_than_ap() -> None:
    table = pool_sweep(sample(), ["AP", "RBP(p=0.5)", "RBP(p=0.8)"], [5, 10, 20, 200])
    values = table.pivot_table(index="run", columns=["metric", "depth"], values="value")
    for metric in ("RBP(p=0.5)", "RBP(p=0.8)"):
        for depth in (5, 10, 20):
            steadier = kendall_tau(values[metric][depth], values[metric][200])
            assert steadier > kendall_tau(values["AP"][depth], values["AP"][200])
