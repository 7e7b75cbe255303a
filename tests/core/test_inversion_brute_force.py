"""Every binary ranking of up to 14 ranks, every three-valued one of up to 9: no violation."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from core.inversion import invert_rbp, rbp_envelope
from core.inversion.exact import exact_extreme
from core.inversion.examples import _written
from core.inversion.reports import Report
from core.inversion.scores import score_vector
from tests.reference.inversion_reference import (
    binary_vectors,
    lp_value,
    scores,
    triple_vectors,
)

Floats = npt.NDArray[np.float64]
SLACK = 1e-9
TARGETS = (0.0, 0.2, 0.45, 0.7, 0.88, 0.95)


def text(code: int, ranks: int) -> str:
    return f"{code:0{ranks}b}"


def precision_for(p: float, ranks: int) -> float:
    """Return a precision at which vectors have just this length."""
    return 2.0 * p**ranks * 1.001


@pytest.mark.parametrize("p", [0.5, 0.62, 0.8, 0.95])
@pytest.mark.parametrize("ranks", range(1, 15))
@pytest.mark.parametrize("most", [100, pytest.param(2**14, marks=pytest.mark.slow)])
def test_greatest_and_least_are_first_and_last_of_all_prefixes(
    p: float, ranks: int, most: int
) -> None:
    """All prefixes of the length for each score; the scores are those of `most` vectors."""
    reached = scores(binary_vectors(ranks), p)
    rest = p**ranks
    step = max(1, 2**ranks // most)
    for score in reached[::step]:
        for tolerance in (0.0, 0.004):
            found = invert_rbp(
                score, p, tolerance=tolerance, precision=precision_for(p, ranks)
            )
            fits = (reached <= min(score + tolerance, 1.0) + 1e-12) & (
                reached + rest >= max(score - tolerance, 0.0) - 1e-12
            )
            live = np.flatnonzero(fits)
            assert found.greatest == text(live[-1], ranks)
            assert found.least == text(live[0], ranks)
            shared = np.flatnonzero(
                np.array(list(found.greatest)) != np.array(list(found.least))
            )
            assert found.first_choicepoint == (int(shared[0]) + 1 if len(shared) else None)
            assert found.choicepoints_greatest == open_ranks(found.greatest, live, ranks)
            assert found.choicepoints_least == open_ranks(found.least, live, ranks)


def open_ranks(vector: str, live: npt.NDArray[np.intp], ranks: int) -> int:
    """Count the ranks at which a live prefix leaves the vector."""
    total = 0
    for rank in range(1, ranks + 1):
        other = int(vector[:rank], 2) ^ 1
        first = np.searchsorted(live, other << (ranks - rank))
        end = np.searchsorted(live, (other + 1) << (ranks - rank))
        total += bool(end > first)
    return total


@pytest.mark.parametrize(
    ("p", "step"),
    [(0.3, 7), (0.45, 7), (0.49, 7), pytest.param(0.45, 1, marks=pytest.mark.slow)],
)
def test_below_one_half_a_score_has_one_ranking(p: float, step: int) -> None:
    ranks = 14
    reached = scores(binary_vectors(ranks), p)
    for code in range(0, 2**ranks, step):
        found = invert_rbp(
            reached[code], p, tolerance=0.0, precision=precision_for(p, ranks)
        )
        assert found.status == "ok"
        assert found.greatest == found.least == text(code, ranks)


@pytest.mark.parametrize("p", [0.1, 0.3, 0.45])
def test_gaps_are_just_where_no_ranking_scores(p: float) -> None:
    ranks = 14
    reached = scores(binary_vectors(ranks), p)  # ascending for p < 1/2
    rest = p**ranks
    for score in np.linspace(0.0005, 0.9995, 701):
        found = invert_rbp(score, p, tolerance=0.0)
        below = int(np.searchsorted(reached, score, side="right")) - 1
        if score <= reached[below] + rest:
            continue  # inside the tail of a prefix: 14 ranks do not tell
        assert found.status == "infeasible_gap"
        assert found.gap is not None
        assert found.gap[1] == pytest.approx(reached[below] + rest, abs=1e-12)
        assert found.gap[2] == pytest.approx(reached[below + 1], abs=1e-12)
        assert found.nearest == found.gap[1:]


@pytest.mark.parametrize("p", [0.3, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9])
def test_exact_envelope_holds_every_ranking_and_nothing_more(p: float) -> None:
    """Scores of all 2^14 prefixes: those with a fixed tail must be inside, all others bound it."""
    ranks, tolerance = 14, 5e-4
    vectors = binary_vectors(ranks)
    reached, rest = scores(vectors, p), p**ranks
    values = {q: scores(vectors, q) for q in TARGETS}
    rng = np.random.default_rng(14)
    picked = rng.choice(reached, 200, replace=False)
    seen = 0
    for score in np.concatenate([picked, rng.random(50) * (p >= 0.5), [0.0, 1.0]]):
        low, high = max(score - tolerance, 0.0), min(score + tolerance, 1.0)
        found = rbp_envelope(score, p, TARGETS, tolerance=tolerance)
        assert found.status == "ok"
        assert found.certified.all()
        live = (reached <= high + 1e-12) & (reached + rest >= low - 1e-12)
        need_low = np.maximum(low - reached[live], 0.0) / rest
        need_high = np.minimum((high - reached[live]) / rest, 1.0)
        zeros = (reached >= low - 1e-13) & (reached <= high + 1e-13)
        ones = (reached + rest >= low - 1e-13) & (reached + rest <= high + 1e-13)
        for i, q in enumerate(TARGETS):
            inside = np.concatenate([values[q][zeros], values[q][ones] + q**ranks])
            seen += len(inside)
            assert found.lower_min[i] <= inside.min(initial=2.0) + SLACK
            assert found.lower_max[i] >= inside.max(initial=-1.0) - SLACK
            outer = values[q][live] + q**ranks * lp_value(need_high, p, q, top=q < p)
            inner = values[q][live] + q**ranks * lp_value(need_low, p, q, top=q > p)
            assert found.lower_max[i] <= outer.max() + SLACK
            assert found.lower_min[i] >= inner.min() - SLACK
    assert seen > 1000


@pytest.mark.parametrize("p", [0.3, 0.5, 0.66, 0.8, 0.95])
def test_exact_envelope_is_reached_by_a_ranking_that_has_the_score(p: float) -> None:
    rng = np.random.default_rng(3)
    reached = scores(binary_vectors(12), p)
    for score in rng.choice(reached, 60):
        report = Report(p, (max(score - 5e-5, 0.0), score + 5e-5), (0.0, 0.0), False)  # noqa: FBT003
        check_witnesses(report, (0.1, 0.4, p, 0.85, 0.97))


def check_witnesses(report: Report, targets: tuple[float, ...]) -> None:
    """Write each extreme out as a ranking: it has the score and reaches the bound."""
    for q in targets:
        for upper in (False, True):
            for least in (False, True):
                found = exact_extreme(report, q, 50_000, upper=upper, least=least)
                if not found.complete:
                    continue
                ranking = _written(report, found, 3000)
                assert ranking is not None
                relevant = score_vector(ranking, report.p)
                unjudged = score_vector(ranking, report.p, relevant="?")
                assert report.relevant[0] - SLACK <= relevant <= report.relevant[1] + SLACK
                assert report.unjudged[0] - SLACK <= unjudged <= report.unjudged[1] + SLACK
                value = score_vector(ranking, q, relevant="1?" if upper else "1")
                assert value == pytest.approx(found.bound, abs=3e-9)


TRIPLE_TARGETS = (0.1, 0.35, 0.62, 0.8, 0.93)


def triple_needs(
    p: float, tolerance: float, score: float, residual: float, ranks: int
) -> tuple[Floats, Floats, Floats, Floats, npt.NDArray[np.bool_]]:
    """Return, for all 3^n prefixes, what must follow, and which of them may be completed."""
    vectors = triple_vectors(ranks)
    relevant, unjudged = scores(vectors == 1, p), scores(vectors == 2, p)
    rest = p**ranks
    low_1, high_1 = score - tolerance - relevant, score + tolerance - relevant
    low_u, high_u = residual - tolerance - unjudged, residual + tolerance - unjudged
    live = (high_1 >= -1e-12) & (high_u >= -1e-12)
    live &= np.maximum(low_1, 0.0) + np.maximum(low_u, 0.0) <= rest + 1e-12
    return low_1, high_1, low_u, high_u, live


@pytest.mark.parametrize("p", [0.2, 0.4, 0.5, 0.6, 0.7, 0.8])
def test_residual_extremes_hold_for_every_three_valued_ranking(p: float) -> None:
    ranks, tolerance = 9, 1e-3
    vectors = triple_vectors(ranks)
    relevant, unjudged = scores(vectors == 1, p), scores(vectors == 2, p)
    lower = {q: scores(vectors == 1, q) for q in TRIPLE_TARGETS}
    upper = {q: scores(vectors > 0, q) for q in TRIPLE_TARGETS}
    rest, rng, seen = p**ranks, np.random.default_rng(9), 0
    for code in rng.choice(len(vectors), 60, replace=False):
        score, residual = float(relevant[code]), float(unjudged[code])
        found = rbp_envelope(
            score,
            p,
            TRIPLE_TARGETS,
            residual=residual,
            tolerance=tolerance,
            residual_tolerance=tolerance,
        )
        assert found.status == "ok"
        low_1, high_1, low_u, high_u, live = triple_needs(
            p, tolerance, score, residual, ranks
        )
        tails = {
            "0": (low_1 <= 0) & (high_1 >= 0) & (low_u <= 0) & (high_u >= 0),
            "1": (low_1 <= rest) & (high_1 >= rest) & (low_u <= 0) & (high_u >= 0),
            "?": (low_1 <= 0) & (high_1 >= 0) & (low_u <= rest) & (high_u >= rest),
        }
        for i, q in enumerate(TRIPLE_TARGETS):
            for mark, fits in tails.items():
                below = lower[q][fits] + (mark == "1") * q**ranks
                above = upper[q][fits] + (mark != "0") * q**ranks
                seen += len(below)
                assert found.lower_min[i] <= below.min(initial=2.0) + SLACK
                assert found.lower_max[i] >= below.max(initial=-1.0) - SLACK
                assert found.upper_min[i] <= above.min(initial=2.0) + SLACK
                assert found.upper_max[i] >= above.max(initial=-1.0) - SLACK
            most = np.minimum(np.minimum(high_1, rest - np.maximum(low_u, 0.0)), rest)[live]
            outer = lower[q][live] + q**ranks * lp_value(most / rest, p, q, top=q < p)
            assert found.lower_max[i] <= outer.max() + SLACK
            most = np.minimum(high_1 + high_u, rest)[live]
            outer = upper[q][live] + q**ranks * lp_value(most / rest, p, q, top=q < p)
            assert found.upper_max[i] <= outer.max() + SLACK
            least = np.maximum(low_1, 0.0)[live]
            inner = lower[q][live] + q**ranks * lp_value(least / rest, p, q, top=q > p)
            assert found.lower_min[i] >= inner.min() - SLACK
            least = (np.maximum(low_1, 0.0) + np.maximum(low_u, 0.0))[live]
            inner = upper[q][live] + q**ranks * lp_value(least / rest, p, q, top=q > p)
            assert found.upper_min[i] >= inner.min() - SLACK
    assert seen > 200


@pytest.mark.parametrize("p", [0.35, 0.5, 0.6, 0.7, 0.85])
def test_residual_extremes_are_reached_by_a_ranking_that_fits(p: float) -> None:
    rng = np.random.default_rng(5)
    vectors = triple_vectors(9)
    relevant, unjudged = scores(vectors == 1, p), scores(vectors == 2, p)
    for code in rng.choice(len(vectors), 25):
        s, u = float(relevant[code]), float(unjudged[code])
        bands = (max(s - 5e-5, 0.0), s + 5e-5), (max(u - 5e-5, 0.0), u + 5e-5)
        check_witnesses(Report(p, *bands, True), (0.15, 0.5, 0.9))  # noqa: FBT003


@pytest.mark.parametrize("p", [0.3, 0.45, 0.5, 0.55, 0.6, 0.65])
def test_impossible_pairs_are_reported_and_possible_ones_are_not(p: float) -> None:
    ranks, tolerance = 9, 1e-4
    rest, impossible, possible = p**ranks, 0, 0
    for score in np.linspace(0.03, 0.93, 19):
        for residual in np.linspace(0.02, 0.95 - score, 7) if score < 0.9 else []:
            low_1, high_1, low_u, high_u, live = triple_needs(
                p, tolerance, score, residual, ranks
            )
            found = rbp_envelope(
                score,
                p,
                0.3,
                residual=residual,
                tolerance=tolerance,
                residual_tolerance=tolerance,
            )
            if not live.any():
                impossible += 1
                assert found.status == "infeasible"
                assert all(
                    math.isnan(value)
                    for value in (found.lower_min, found.lower_max, found.upper_min)
                )
            some = (low_1 <= 0) & (high_1 >= 0) & (low_u <= 0) & (high_u >= 0)
            some |= (low_1 <= rest) & (high_1 >= rest) & (low_u <= 0) & (high_u >= 0)
            if some.any():
                possible += 1
                assert found.status == "ok"
    assert impossible >= 1
    assert possible + impossible > 10 or p > 0.6  # hardly any hole is left near 2/3
