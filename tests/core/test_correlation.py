"""Kendall's tau and tau_AP against scipy, the papers' formulas and brute force."""

import math
from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy import stats

from core.collection import Collection
from core.correlation import agreement, kendall_tau, tau_ap, tau_z
from core.errors import ParameterError
from core.simulate import sample_collection


@cache
def sample() -> Collection:
    return sample_collection()


def literal_tau(a: list[float], b: list[float]) -> float:
    """Sakai 2007, eq. 8."""
    size = len(a)
    pairs = [(i, j) for i in range(size) for j in range(i)]
    same = sum((a[i] - a[j]) * (b[i] - b[j]) > 0 for i, j in pairs)
    other = sum((a[i] - a[j]) * (b[i] - b[j]) < 0 for i, j in pairs)
    return 2 * (same - other) / (size * (size - 1))


def literal_tau_ap(order: list[int], truth: list[float]) -> float:
    """Yilmaz, Aslam & Robertson 2008: systems in the estimated order, best first."""
    size = len(order)
    total = 0.0
    for place in range(1, size):
        above = order[:place]
        right = sum(
            1.0
            if truth[other] > truth[order[place]]
            else 0.5 * (truth[other] == truth[order[place]])
            for other in above
        )
        total += right / place
    return 2 * total / (size - 1) - 1


def test_tau_is_that_of_scipy_and_without_ties_that_of_the_paper() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        size = int(rng.integers(2, 30))
        a, b = rng.random(size), rng.random(size)
        assert kendall_tau(a, b) == pytest.approx(literal_tau(list(a), list(b)))
        tied = np.round(a, 1), np.round(b, 1)
        if len(set(tied[0])) > 1 and len(set(tied[1])) > 1:
            assert kendall_tau(*tied) == stats.kendalltau(*tied).statistic


def test_tau_leaves_undefined_systems_out_and_is_nan_where_it_has_no_meaning() -> None:
    assert kendall_tau([1, 2, math.nan, 3], [1, 2, 9, 3]) == 1.0
    assert kendall_tau([1, 2, 3], [3, 2, 1]) == -1.0
    assert math.isnan(kendall_tau([1, 1, 1], [1, 2, 3]))
    assert math.isnan(kendall_tau([1], [1]))
    assert math.isnan(kendall_tau([], []))


def test_tau_ap_equals_its_definition() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        size = int(rng.integers(2, 12))
        a, b = rng.random(size), rng.random(size)
        order = np.argsort(-a).tolist()
        assert tau_ap(a, b) == pytest.approx(literal_tau_ap(order, b.tolist()))


def test_ties_in_tau_ap_are_averaged_over_all_their_orders() -> None:
    a, b = [3, 2, 2, 2, 1, 1], [0.5, 0.9, 0.4, 0.4, 0.6, 0.1]
    orders = [
        list(order)
        for order in permutations(range(6))
        if all(a[x] >= a[y] for x, y in pairwise(order))
    ]
    assert len(orders) == 12
    mean = np.mean([literal_tau_ap(order, b) for order in orders])
    assert tau_ap(a, b) == pytest.approx(mean)


def test_tau_ap_weighs_the_top_and_knows_its_reference() -> None:
    truth = [5, 4, 3, 2, 1]
    top_wrong, bottom_wrong = [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
    assert tau_ap(top_wrong, truth) < tau_ap(bottom_wrong, truth)
    assert kendall_tau(top_wrong, truth) == kendall_tau(bottom_wrong, truth)
    assert tau_ap(truth, truth) == 1.0
    assert tau_ap(truth[::-1], truth) == -1.0
    assert math.isnan(tau_ap([1], [1]))


@pytest.mark.parametrize("function", [kendall_tau, tau_ap])
def test_scores_of_other_systems_are_refused(function: type) -> None:
    for a, b in (([1, 2], [1, 2, 3]), ([[1, 2]], [[1, 2]]), (["x", "y"], [1, 2])):
        with pytest.raises(ParameterError, match="expected"):
            function(a, b)


def test_thirty_runs_need_a_tau_of_034_for_the_99_percent_level() -> None:
    """Sakai 2007, section 4.1."""
    runs = np.arange(30.0)
    assert tau_z(0.34, runs, runs) == pytest.approx(stats.norm.ppf(0.995), abs=0.07)
    assert math.isnan(tau_z(0.5, np.array([1.0, 1.0]), np.array([1.0, 2.0])))


def test_agreement_has_a_row_for_every_two_orders() -> None:
    table = agreement(sample(), ["AP", "RBP(p=0.5)"], depths=[10, 200])
    assert len(table) == 16
    rows = table.set_index(["metric_a", "depth_a", "metric_b", "depth_b"])
    shallow = sample().at_pool_depth(10).mean("AP").value
    full = sample().mean("RBP(p=0.5)").value
    row = rows.loc[("AP", 10, "RBP(p=0.5)", 200)]
    assert row["tau"] == kendall_tau(shallow, full)
    assert row["tau_ap"] == tau_ap(shallow, full)
    assert row["runs"] == 24
    same = table[(table.metric_a == table.metric_b) & (table.depth_a == table.depth_b)]
    assert (same.tau == 1.0).all()


def test_agreement_uses_all_judgments_unless_depths_are_given() -> None:
    table = agreement(sample(), ["AP", "nDCG", "RR"]).set_index(["metric_a", "metric_b"])
    assert len(table) == 9
    assert set(table.depth_a) == {200}
    means = (
        sample()
        .mean(["AP", "RR"])
        .pivot_table(index="run", columns="metric", values="value")
    )
    assert table.tau["AP", "RR"] == pytest.approx(kendall_tau(means["AP"], means["RR"]))
    assert table.tau["AP", "RR"] == table.tau["RR", "AP"]
    assert table.z["AP", "nDCG"] == pytest.approx(
        table.tau["AP", "nDCG"] / math.sqrt((4 * 24 + 10) / (9 * 24 * 23))
    )
