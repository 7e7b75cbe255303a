"""Metrics as users: continuation, weight and last rank fit together and give the score.

C/W/L (Moffat et al. 2017): W(i+1) = W(i) C(i), L(i) = (W(i) - W(i+1)) / W(1), the weights
times the gains add up to the score, and the user reads 1/W(1) documents on average.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import core
from tests.reference import metric_reference as slow

CLOSE = 1e-12
MODELS = (
    "RBP(p=0)",
    "RBP(p=0.5)",
    "RBP(p=0.95)",
    "RBP(p1=0.9, p2=0.4)",
    "RBP(p1=0.3, p2=0.8)",
    "INSQ",
    "P@1",
    "P@3",
    "P@10",
    "RR",
    "AP",
)
GAINS_COUNT = ("RBP", "INSQ")  # the others see relevant or not
RANKINGS = [
    *("".join(marks) for depth in range(1, 6) for marks in product("$-", repeat=depth)),
    *("$?-$", "2013?1", "0102", "?3-1", "-" * 12 + "$", "$$---$----$-----$---"),
]


def gains(metric: str, ranking: str) -> list[float]:
    seen = slow.look(ranking)
    if metric.startswith(GAINS_COUNT):
        return [slow.unit_gain(seen, grade) for grade in seen.grades]
    return [float(slow.is_relevant(seen, grade)) for grade in seen.grades]


def has_user(metric: str, ranking: str) -> bool:
    """AP's user needs a relevant document; RR's stops only at one."""
    found = any(slow.is_relevant(slow.look(ranking), g) for g in slow.look(ranking).grades)
    return found or metric not in ("AP", "RR")


CASES = [(m, text) for m in MODELS for text in RANKINGS if has_user(m, text)]


def of(metric: str) -> list[str]:
    return [text for name, text in CASES if name == metric]


@pytest.mark.parametrize("metric", MODELS)
def test_each_weight_is_the_one_above_times_the_chance_to_read_on(metric: str) -> None:
    for ranking in of(metric):
        weight = core.weight(metric, ranking)
        read_on = core.continuation(metric, ranking)
        assert len(weight) == len(read_on) == len(ranking)
        for i in range(len(ranking) - 1):
            if weight[i] > 0:
                assert 0.0 <= read_on[i] <= 1.0, (ranking, i)
                following = weight[i] * read_on[i]
                assert weight[i + 1] == pytest.approx(following, abs=CLOSE), (ranking, i)
            else:
                assert weight[i + 1] == 0.0, (ranking, i)


@pytest.mark.parametrize("metric", MODELS)
def test_the_last_rank_read_follows_from_the_weights(metric: str) -> None:
    for ranking in of(metric):
        weight, last = core.weight(metric, ranking), core.last(metric, ranking)
        for i in range(len(ranking) - 1):
            expected = (weight[i] - weight[i + 1]) / weight[0]
            assert last[i] == pytest.approx(expected, abs=CLOSE), (ranking, i)
        assert last.min() >= 0.0
        assert last.sum() <= 1.0 + CLOSE


@pytest.mark.parametrize("metric", MODELS)
def test_weights_times_gains_add_up_to_the_score(metric: str) -> None:
    for ranking in of(metric):
        weight = core.weight(metric, ranking)
        total = sum(map(math.prod, zip(weight, gains(metric, ranking), strict=True)))
        assert total == pytest.approx(core.score(metric, ranking).value, abs=CLOSE), ranking
        assert total == pytest.approx(slow.score(metric, ranking)[0], abs=1e-9), ranking
        assert weight.sum() <= 1.0 + CLOSE


@pytest.mark.parametrize("metric", MODELS)
def test_the_expected_depth_is_one_over_the_first_weight(metric: str) -> None:
    for ranking in of(metric):
        depth = core.expected_depth(metric, ranking)
        first = core.weight(metric, ranking)[0]
        assert depth == pytest.approx(1.0 / first, rel=1e-12), ranking


def test_average_precision_with_relevant_documents_that_are_missed() -> None:
    ranking, num_rel = "$-$--", 4
    weight = core.weight("AP", ranking, num_rel=num_rel)
    total = sum(map(math.prod, zip(weight, gains("AP", ranking), strict=True)))
    assert total == pytest.approx(core.score("AP", ranking, num_rel=num_rel).value)
    assert total == pytest.approx((1 + 2 / 3) / 4)


# ------------------------------------------------------------------ each user by hand


def test_the_rbp_user_reads_on_with_persistence_p() -> None:
    # MZ 4.1: the i-th document is looked at with chance p^(i-1), 1 / (1 - p) in all
    assert core.continuation("RBP(p=0.8)", "$-?-").tolist() == pytest.approx([0.8] * 4)
    expected = [0.2, 0.16, 0.128, 0.1024]
    assert core.weight("RBP(p=0.8)", "$-?-").tolist() == pytest.approx(expected)
    assert core.last("RBP(p=0.8)", "$-?-").tolist() == pytest.approx(expected)
    assert core.expected_depth("RBP(p=0.8)", "$-?-") == pytest.approx(5.0)
    assert core.expected_depth("RBP(p=0.95)", "-") == pytest.approx(20.0)


def test_the_two_speed_user_reads_on_by_what_was_found() -> None:
    # MZ 4.3: p1 after a relevant document, p2 after another, also below the end of the list
    read_on = core.continuation("RBP(p1=0.9, p2=0.5)", "$-$-")
    assert read_on.tolist() == pytest.approx([0.9, 0.5, 0.9, 0.5])
    looked_at = Fraction(1) + Fraction(9, 10) + Fraction(9, 20) + Fraction(81, 200)
    looked_at += Fraction(81, 400) * 2  # below the end nothing is relevant: 1 / (1 - 0.5)
    depth = core.expected_depth("RBP(p1=0.9, p2=0.5)", "$-$-")
    assert depth == pytest.approx(float(looked_at))


def test_the_inverse_squares_user_reads_on_more_and_more_surely() -> None:
    # M7 section 2: W(i) = 1 / (i (i + 1)), so C(i) = i / (i + 2)
    weight, read_on = core.weight("INSQ", "-" * 5), core.continuation("INSQ", "-" * 5)
    for i in range(1, 6):
        assert weight[i - 1] == pytest.approx(1 / (i * (i + 1)))
        assert read_on[i - 1] == pytest.approx(i / (i + 2))
    assert core.expected_depth("INSQ", "-") == pytest.approx(2.0)


def test_the_precision_user_reads_k_documents_and_stops() -> None:
    assert core.weight("P@3", "$--$-").tolist() == pytest.approx([1 / 3] * 3 + [0.0, 0.0])
    assert core.continuation("P@3", "$--$-")[:3].tolist() == [1.0, 1.0, 0.0]
    assert core.last("P@3", "$--$-").tolist() == pytest.approx([0.0, 0.0, 1.0, 0.0, 0.0])
    assert core.expected_depth("P@3", "$--$-") == pytest.approx(3.0)


def test_the_reciprocal_rank_user_stops_at_the_first_relevant_document() -> None:
    # MZ 4.3: utility 1 for as many documents as were looked at
    assert core.last("RR", "--$-$").tolist() == pytest.approx([0.0, 0.0, 1.0, 0.0, 0.0])
    assert core.weight("RR", "--$-$").tolist() == pytest.approx([1 / 3] * 3 + [0.0, 0.0])
    assert core.expected_depth("RR", "--$-$") == pytest.approx(3.0)


def test_the_average_precision_user_stops_at_relevant_documents_only() -> None:
    # Table I of MZ as a user: W(i) = sum over relevant ranks j >= i of 1/j, over R
    last = core.last("AP", "$-$-")
    assert last.tolist() == pytest.approx([3 / 4, 0.0, 1 / 4, 0.0])
    assert core.expected_depth("AP", "$-$-") == pytest.approx(2 / (1 + 1 / 3))


@pytest.mark.parametrize("metric", ["nDCG@5", "Bpref", "RankEff", "Qmeasure", "RR(nth=2)"])
def test_a_metric_without_a_user_says_so(metric: str) -> None:
    for function in (core.weight, core.continuation, core.last, core.expected_depth):
        with pytest.raises(core.ParameterError, match="user model"):
            function(metric, "$-$")


# ------------------------------------------------------------------ simulated users


@pytest.mark.parametrize("p", [0.0, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("ranking", ["$$---$----$-----$---", "-$?$", "2013?1"])
def test_simulated_users_converge_on_rbp(ranking: str, p: float) -> None:
    users = 40_000
    walks = core.simulate_users(ranking, p=p, users=users, seed=7)
    assert len(walks.stopped) == len(walks.gain) == len(walks.running_mean) == users
    score = core.score(f"RBP(p={p})", ranking).value
    error = (1 - p) * float(np.std(walks.gain)) / math.sqrt(users)
    assert abs(walks.running_mean[-1] - score) <= 4 * error + CLOSE


@pytest.mark.parametrize("p", [0.5, 0.9])
def test_simulated_users_stop_where_the_model_says(p: float) -> None:
    ranking = "$-$-$--$"
    users = 40_000
    walks = core.simulate_users(ranking, p=p, users=users, seed=11)
    assert walks.stopped.min() >= 1
    assert float(walks.stopped.mean()) == pytest.approx(1 / (1 - p), rel=0.03)
    for rank, chance in enumerate(core.last(f"RBP(p={p})", ranking), start=1):
        share = float((walks.stopped == rank).mean())
        assert share == pytest.approx(chance, abs=4 * math.sqrt(chance / users))


def test_simulated_users_gain_what_they_walked_past() -> None:
    ranking = "2013?1"
    walks = core.simulate_users(ranking, p=0.7, users=500, seed=3)
    seen = slow.look(ranking)
    for stopped, gain in zip(walks.stopped, walks.gain, strict=True):
        passed = sum(slow.unit_gain(seen, grade) for grade in seen.grades[: int(stopped)])
        assert gain == pytest.approx(passed)
    means = [0.3 * float(np.mean(walks.gain[: n + 1])) for n in range(500)]
    assert walks.running_mean.tolist() == pytest.approx(means)


def test_the_same_seed_gives_the_same_walks() -> None:
    first = core.simulate_users("$-$-", p=0.8, users=300, seed=5)
    again = core.simulate_users("$-$-", p=0.8, users=300, seed=5)
    other = core.simulate_users("$-$-", p=0.8, users=300, seed=6)
    assert first.stopped.tolist() == again.stopped.tolist()
    assert first.running_mean.tolist() == again.running_mean.tolist()
    assert first.stopped.tolist() != other.stopped.tolist()


@pytest.mark.parametrize("wrong", [{"p": 1.0}, {"p": -0.1}, {"users": 0}])
def test_simulated_users_need_a_persistence_and_a_number(wrong: dict[str, float]) -> None:
    given = {"p": 0.8, "users": 10, "seed": 1, **wrong}
    with pytest.raises(core.ParameterError):
        core.simulate_users("$-", **given)


# ------------------------------------------------------------------ depth and decimals


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.8, 0.91, 0.95, 0.99])
@pytest.mark.parametrize("precision", [0.5, 0.1, 0.01, 1e-4, 1e-6])
def test_the_depth_for_a_precision_is_the_least_that_leaves_less(
    p: float, precision: float
) -> None:
    # MZ 4.4: p^d < precision
    depth = core.depth_for(p, precision)
    assert p**depth < precision
    assert depth == 0 or p ** (depth - 1) >= precision


def test_a_pool_of_depth_100_gives_four_digits_up_to_a_persistence_of_091() -> None:
    # MZ 4.4
    assert core.depth_for(0.91, 1e-4) <= 100 < core.depth_for(0.92, 1e-4)


@pytest.mark.parametrize(
    ("p", "decimals"),
    [(0.5, 6), (0.8, 1), (0.95, 0)],  # residuals 9.5e-7, 0.0115, 0.3585
)
def test_a_score_supports_the_decimals_its_residual_leaves(p: float, decimals: int) -> None:
    score = core.score(f"RBP(p={p})", "$$---$----$-----$---")
    assert core.supported_decimals(score) == decimals


def test_a_score_is_written_with_its_residual() -> None:
    # MZ Table II and section 4.4
    ranking = "$$---$----$-----$---"
    assert core.format_score(core.score("RBP(p=0.95)", ranking)) == "0.1881 + 0.3585"
    assert core.format_score(core.score("RBP(p=0.8)", ranking)) == "0.4526 + 0.0115"
    assert "undefined" in core.format_score(core.score("AP", "---"))
