"""Significance, swaps and the bootstrap, each against a literal loop over pairs."""

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.collection import Collection
from core.discrimination import (
    bootstrap_sensitivity,
    error_rates,
    significant_pairs,
    swap_rates,
    t_levels,
    wilcoxon_levels,
)
from core.discrimination.bootstrap import studentised
from core.discrimination.drawing import defined_scores, draw_halves, draw_samples
from core.errors import ParameterError
from core.simulate import sample_collection, simulate_collection
from tests.core import literal


@cache
def sample() -> Collection:
    return sample_collection()


@cache
def small() -> Collection:
    made = simulate_collection(seed=3, runs=7, topics=11, depth=40)
    return Collection.from_files(made.runs, made.qrels)


def pairs_of(scores: np.ndarray) -> list[tuple[int, int]]:
    return [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]


@pytest.mark.parametrize("metric", ["AP", "RBP(p=0.8)", "P@10", "RR"])
def test_significance_equals_scipy_pair_by_pair(metric: str) -> None:
    scores = defined_scores(sample(), metric)
    result = significant_pairs(sample(), metric)
    expected = []
    for i, j in pairs_of(scores):
        wilcoxon = stats.wilcoxon(scores[i], scores[j]).pvalue
        expected.append((wilcoxon, stats.ttest_rel(scores[i], scores[j]).pvalue))
    found = result.pairs[["wilcoxon_p", "t_p"]].to_numpy()
    assert found == pytest.approx(np.array(expected), rel=1e-9)
    row = result.table.loc[0]
    for column, (place, alpha) in {
        "wilcoxon_95": (0, 0.05), "wilcoxon_99": (0, 0.01), "t_95": (1, 0.05), "t_99": (1, 0.01),
    }.items():  # fmt: skip
        assert row[column] == sum(levels[place] < alpha for levels in expected)
    assert (row["pairs"], row["topics"]) == (276, 25)


@pytest.mark.parametrize("topics", [2, 3, 8, 13, 14, 30, 50, 51, 80])
@pytest.mark.parametrize("decimals", [1, 12])
def test_wilcoxon_is_scipys_for_any_number_of_topics_with_and_without_ties(
    topics: int, decimals: int
) -> None:
    rng = np.random.default_rng(topics)
    rows = 4 if topics == 13 else 12  # scipy takes a second a row there
    differences = np.round(rng.normal(0.1, 0.3, (rows, topics)), decimals)
    differences[0] = np.round(rng.normal(0.1, 0.3, topics), 12)
    differences[1] = 0.0
    expected = [
        1.0 if (row == 0).all() else stats.wilcoxon(row).pvalue for row in differences
    ]
    assert wilcoxon_levels(differences) == pytest.approx(expected, rel=1e-9)


def test_differences_that_do_not_vary_are_a_case_and_not_a_warning() -> None:
    rows = np.array([[0.0, 0.0, 0.0], [0.2, 0.2, 0.2], [-0.1, -0.1, -0.1], [0.1, 0.2, 0.4]])
    assert t_levels(rows).tolist()[:3] == [1.0, 0.0, 0.0]
    assert t_levels(rows)[3] == pytest.approx(stats.ttest_1samp(rows[3], 0).pvalue)
    twins = Collection.from_files(
        {"a": b"1 Q0 x 1 1 t\n2 Q0 y 1 1 t\n", "b": b"1 Q0 x 1 1 t\n2 Q0 y 1 1 t\n"},
        b"1 0 x 1\n2 0 y 1\n",
    )
    table = significant_pairs(twins, "AP").table
    assert table[["wilcoxon_95", "t_95"]].to_numpy().tolist() == [[0, 0]]


def literal_swaps(
    first: np.ndarray, second: np.ndarray, width: float, below: int, *, strict: bool
) -> tuple[list[int], list[int]]:
    """Sakai 2007, Figure 4; with `strict` the swaps of Ahlgren & Grönqvist 2008, 6.1."""
    count = [0] * (below + 1)
    swapped = [0] * (below + 1)
    for one, other in zip(first, second, strict=True):
        for i, j in pairs_of(first.T):
            here = round(one[i] - one[j], 13)
            there = round(other[i] - other[j], 13)
            place = min(below, int(round(abs(here), 12) / width + 1e-9))
            count[place] += 1
            swapped[place] += here * there < 0 if strict else not here * there > 0
    return count, swapped


@pytest.mark.parametrize("metric", ["AP", "P@5"])
def test_error_rates_equal_a_literal_loop(metric: str) -> None:
    result = error_rates(small(), metric, draws=60, seed=4)
    scores = defined_scores(small(), metric)
    halves = draw_halves(scores.shape[1], 60, np.random.default_rng(4))
    means = [
        np.array([[np.mean(run[topics]) for run in scores] for topics in half])
        for half in halves
    ]
    count, swapped = literal_swaps(*means, 0.002, 100, strict=True)
    assert result.table.comparisons.tolist() == count
    assert result.table.swaps.tolist() == swapped
    assert (result.topics, result.sample_topics, sum(count)) == (11, 5, 60 * 21)
    assert result.best_score == pytest.approx(scores.mean(axis=1).max())


@pytest.mark.parametrize("metric", ["AP", "P@5"])
def test_swap_rates_equal_a_literal_loop(metric: str) -> None:
    result = swap_rates(small(), metric, samples=60, seed=4)
    scores = defined_scores(small(), metric)
    rng = np.random.default_rng(4)
    means = [
        np.array([[np.mean(run[topics]) for run in scores] for topics in sample_topics])
        for sample_topics in (draw_samples(scores.shape[1], 60, rng) for _ in range(2))
    ]
    count, swapped = literal_swaps(*means, 0.01, 20, strict=False)
    assert result.table.comparisons.tolist() == count
    assert result.table.swaps.tolist() == swapped
    assert result.best_score == pytest.approx(max(mean.max() for mean in means))


def test_halves_are_disjoint_and_of_equal_size() -> None:
    for topics in (2, 5, 24, 25):
        first, second = draw_halves(topics, 50, np.random.default_rng(1))
        assert first.shape == second.shape == (50, topics // 2)
        for one, other in zip(first, second, strict=True):
            assert len({*one.tolist(), *other.tolist()}) == 2 * (topics // 2)


def test_the_bins_of_the_two_papers_and_the_summary_figures() -> None:
    errors = error_rates(sample(), "AP", draws=100, seed=1)
    swaps = swap_rates(sample(), "AP", samples=100, seed=1)
    assert (len(errors.table), len(swaps.table)) == (101, 21)
    assert errors.table.low.tolist()[:3] == [0.0, 0.002, 0.004]
    assert (errors.table.low.iloc[-1], errors.table.high.iloc[-1]) == (0.2, 1.0)
    assert swaps.table.low.tolist()[-2:] == [0.19, 0.2]
    for result in (errors, swaps):
        table = result.table
        chosen = table.low >= result.smallest_difference - 1e-9
        assert not (table.rate[chosen] > 0.05).any()
        before = table[~chosen]
        assert before.empty or before.rate.iloc[-1] > 0.05
        share = table.comparisons[chosen].sum() / table.comparisons.sum()
        assert result.share_of_comparisons == pytest.approx(share)
        expected = result.smallest_difference / result.best_score
        assert result.relative_difference == pytest.approx(expected)
        assert table.rate_from[0] == table.swaps.sum() / table.comparisons.sum()
        assert len(result.curve) == (table.comparisons > 0).sum()
        assert result.deviation == pytest.approx(sample().mean("AP").value.std())


def test_no_reliable_difference_is_nan() -> None:
    opposite = {"a": b"1 Q0 x 1 1 t\n2 Q0 n 1 1 t\n", "b": b"1 Q0 n 1 1 t\n2 Q0 x 1 1 t\n"}
    collection = Collection.from_files(opposite, b"1 0 x 1\n2 0 x 1\n")
    result = error_rates(collection, "AP", draws=20, seed=1)
    assert math.isnan(result.smallest_difference)
    assert math.isnan(result.share_of_comparisons)


def literal_bootstrap(
    scores: np.ndarray, samples: np.ndarray, alpha: float
) -> tuple[list[float], float]:
    """Sakai 2007, Figures 5, 6 and 7."""

    def t(values: np.ndarray) -> float:
        mean, deviation = values.mean(), values.std(ddof=1)
        if deviation < 1e-9:
            return 0.0 if abs(mean) < 1e-9 else math.copysign(math.inf, mean)
        return float(mean / (deviation / math.sqrt(len(values))))

    levels, differences = [], []
    for i, j in pairs_of(scores):
        z = scores[i] - scores[j]
        w = z - z.mean()
        statistics = [abs(t(w[topics])) for topics in samples]
        levels.append(
            sum(each >= abs(t(z)) * (1 - 1e-10) for each in statistics) / len(samples)
        )
        order = sorted(range(len(samples)), key=lambda b: -statistics[b])
        chosen = order[int(len(samples) * alpha) - 1]
        differences.append(abs(w[samples[chosen]].mean()))
    return levels, max(differences)


@pytest.mark.parametrize("metric", ["AP", "RBP(p=0.8)"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_bootstrap_equals_a_literal_loop_with_the_same_samples(
    metric: str, alpha: float
) -> None:
    result = bootstrap_sensitivity(small(), metric, samples=300, alpha=alpha, seed=7)
    scores = defined_scores(small(), metric)
    samples = draw_samples(scores.shape[1], 300, np.random.default_rng(7))
    levels, difference = literal_bootstrap(scores, samples, alpha)
    assert result.table.asl.to_numpy() == pytest.approx(levels, abs=1e-12)
    assert result.estimated_difference == pytest.approx(difference, rel=1e-9)
    assert result.significant == sum(level < alpha for level in levels)
    assert result.share == result.significant / 21


def test_resamples_without_variance_are_handled() -> None:
    """With three topics one resample in nine is a single topic three times."""
    runs = {
        name: "".join(
            f"{topic} Q0 {'x' if rank == first else f'n{rank}'} {rank} {-rank} t\n"
            for topic, first in enumerate(places, start=1)
            for rank in range(1, 5)
        ).encode()
        for name, places in {"a": (1, 2, 4), "b": (2, 2, 3), "c": (1, 2, 4)}.items()
    }
    collection = Collection.from_files(runs, b"1 0 x 1\n2 0 x 1\n3 0 x 1\n")
    result = bootstrap_sensitivity(collection, "RR", samples=200, seed=1)
    scores = defined_scores(collection, "RR")
    samples = draw_samples(3, 200, np.random.default_rng(1))
    levels, _ = literal_bootstrap(scores, samples, 0.05)
    assert result.table.asl.tolist() == pytest.approx(levels)
    twins = result.table[(result.table.run_a == "a") & (result.table.run_b == "c")]
    assert (twins.t.item(), twins.asl.item()) == (0.0, 1.0)


def test_a_difference_that_never_varies_is_significant() -> None:
    mean, none = np.array([0.2, -0.2, 0.0]), np.zeros(3)
    assert studentised(mean, none, 5).tolist() == [math.inf, -math.inf, 0.0]


def test_the_curve_is_the_sorted_achieved_significance_levels() -> None:
    result = bootstrap_sensitivity(sample(), "AP", samples=100, seed=1)
    assert result.curve.asl.is_monotonic_decreasing
    assert len(result.curve) == result.pairs == 276
    assert 0.3 < result.share < 1.0


@pytest.mark.parametrize("experiment", [error_rates, swap_rates, bootstrap_sensitivity])
def test_the_same_seed_gives_the_same_result_and_another_does_not(experiment: type) -> None:
    first, again, other = (experiment(sample(), "AP", seed=seed) for seed in (5, 5, 6))
    pd.testing.assert_frame_equal(first.table, again.table)
    assert not first.table.equals(other.table)
    assert (first.seed, first.metric) == (5, "AP")


@pytest.mark.parametrize("experiment", [error_rates, swap_rates, bootstrap_sensitivity])
def test_progress_is_reported_and_may_cancel(experiment: type) -> None:
    shares: list[float] = []
    experiment(sample(), "AP", seed=1, progress=lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def cancel(*_: object) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        experiment(sample(), "AP", seed=1, progress=cancel)


def test_topics_on_which_the_metric_is_undefined_are_left_out_for_all() -> None:
    files = literal.random_files(1)
    collection = Collection.from_files(files.runs, files.qrels + b"9 0 doc1 0\n")
    assert defined_scores(collection, "AP").shape == (4, 5)
    assert defined_scores(collection, "P@5").shape == (4, 6)


@pytest.mark.parametrize("experiment", [error_rates, swap_rates, bootstrap_sensitivity])
def test_too_little_data_and_wrong_numbers_are_refused(experiment: type) -> None:
    one_topic = Collection.from_files(
        {"a": b"1 Q0 x 1 1 t\n", "b": b"1 Q0 y 1 1 t\n"}, b"1 0 x 1\n"
    )
    with pytest.raises(ParameterError, match="two runs and two topics"):
        experiment(one_topic, "AP", seed=1)
    with pytest.raises(ParameterError, match="seed must be"):
        experiment(sample(), "AP", seed=-1)
    count = "draws" if experiment is error_rates else "samples"
    with pytest.raises(ParameterError, match=f"{count} must be"):
        experiment(sample(), "AP", seed=1, **{count: 0})
    for alpha in (0, 1, float("nan"), "x"):
        with pytest.raises(ParameterError, match="alpha must be"):
            bootstrap_sensitivity(sample(), "AP", seed=1, alpha=alpha)  # type: ignore[arg-type]
