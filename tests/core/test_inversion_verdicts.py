"""Comparisons of two reports: sound for known rankings, with examples where open, and for means."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.errors import ParameterError
from core.inversion import (
    Example,
    ReportedRBP,
    Verdict,
    compare_rbp,
    invert_rbp,
    rbp_envelope,
)
from tests.reference.inversion_reference import binary_vectors, exact, score, scores

RNG_SEED = 2008
TAU = 5e-5


def rbp(ranking: str, p: float, relevant: str = "1") -> float:
    return float(score(ranking, exact(p), relevant))


def report(ranking: str, p: float) -> ReportedRBP:
    unjudged = rbp(ranking, p, "?")
    return ReportedRBP(p, round(rbp(ranking, p), 4), round(unjudged, 4))


def random_ranking(rng: np.random.Generator, marks: str = "01", most: int = 40) -> str:
    share = rng.dirichlet(np.ones(len(marks)))
    return "".join(rng.choice(list(marks), size=rng.integers(1, most), p=share))


def check_verdict(verdict: Verdict, a: str, b: str) -> bool:
    """Fail where the truth contradicts a verdict; tell whether it was decided."""
    if verdict.winner is None:
        return False
    places = [verdict.at]
    if verdict.holds_between:
        places += list(np.linspace(*verdict.holds_between, 5))
    for p in places:
        ahead = rbp(a, round(p, 6)) - rbp(b, round(p, 6))
        assert ahead > 0 if verdict.winner == "A" else ahead < 0
    return True


def check_example(
    example: Example, a: ReportedRBP, b: ReportedRBP, at: float, winner: str
) -> None:
    """Check in rational arithmetic that the rankings fit both reports and that `winner` wins."""
    totals = {}
    for name, mixture, reported in (("A", example.a, a), ("B", example.b, b)):
        assert sum(share for share, _ in mixture) == pytest.approx(1.0)
        assert reported.mean or len(mixture) == 1
        fit = [(share * rbp(text, reported.p), share * rbp(text, reported.p, "?"))
               for share, text in mixture]  # fmt: skip
        assert sum(s for s, _ in fit) == pytest.approx(reported.score, abs=TAU + 1e-9)
        assert sum(u for _, u in fit) == pytest.approx(reported.residual, abs=TAU + 1e-9)
        relevant = "1?" if name == winner else "1"
        totals[name] = sum(share * rbp(text, at, relevant) for share, text in mixture)
    assert totals["A"] == pytest.approx(example.score_a, abs=1e-9)
    assert totals["B"] == pytest.approx(example.score_b, abs=1e-9)
    loser = "B" if winner == "A" else "A"
    assert totals[winner] > totals[loser]


def pairs(count: int, marks: str) -> Iterator[tuple[str, str, float, float]]:
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(count):
        p_a, p_b = rng.choice([0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95], size=2)
        yield random_ranking(rng, marks), random_ranking(rng, marks), float(p_a), float(p_b)


@pytest.mark.parametrize("count", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_no_verdict_is_contradicted_by_the_rankings_behind_the_scores(count: int) -> None:
    decided = {"exact": 0, "lp": 0}
    for a, b, p_a, p_b in pairs(count, "01"):
        reports = report(a, p_a), report(b, p_b)
        for kind in ("exact", "lp"):
            decided[kind] += check_verdict(compare_rbp(*reports, kind=kind), a, b)
    assert count * 0.3 < decided["lp"] < decided["exact"] < count


@pytest.mark.parametrize("count", [200, pytest.param(4_000, marks=pytest.mark.slow)])
def test_no_verdict_is_contradicted_however_the_unjudged_are_judged(count: int) -> None:
    rng = np.random.default_rng(7)
    decided = 0
    for a, b, p_a, p_b in pairs(count, "01?"):
        reports = report(a, p_a), report(b, p_b)
        for kind in ("exact", "lp"):
            verdict = compare_rbp(*reports, kind=kind)
            for _ in range(3):
                full = [
                    "".join(m if m != "?" else str(rng.integers(2)) for m in ranking)
                    for ranking in (a, b)
                ]
                decided += check_verdict(verdict, *full)
            decided += check_verdict(verdict, a.replace("?", "0"), b.replace("?", "1"))
            decided += check_verdict(verdict, a.replace("?", "1"), b.replace("?", "0"))
    assert decided > count


def test_verdicts_agree_with_every_pair_of_rankings_of_14_ranks() -> None:
    """Where fitting rankings of 14 ranks disagree, nothing is decided; else no one objects."""
    vectors = binary_vectors(14)
    rng = np.random.default_rng(11)
    decided = overlapping = 0
    for _ in range(150):
        p_a, p_b = rng.choice([0.5, 0.6, 0.7, 0.8], size=2)
        s_a, s_b = (round(float(rng.choice(scores(vectors, p))), 3) for p in (p_a, p_b))
        reports = (
            ReportedRBP(p_a, s_a, tolerance=5e-4),
            ReportedRBP(p_b, s_b, tolerance=5e-4),
        )
        for at in (float(p_a), float(p_b), 0.55):
            of_a, of_b = (
                scores(vectors[abs(scores(vectors, r.p) - r.score) <= 5e-4], at)
                for r in reports
            )
            verdict = compare_rbp(*reports, at=at, kind="exact")
            decided += verdict.winner is not None
            if verdict.winner == "A":
                assert of_a.min(initial=2.0) > of_b.max(initial=-1.0)
            if verdict.winner == "B":
                assert of_b.min(initial=2.0) > of_a.max(initial=-1.0)
            if of_a.max(initial=-1.0) > of_b.min(initial=2.0) and (
                of_b.max(initial=-1.0) > of_a.min(initial=2.0)
            ):
                overlapping += 1
                assert verdict.winner is None
                assert None not in verdict.examples
    assert decided > 150
    assert overlapping > 50


@pytest.mark.parametrize("marks", ["01", "01?"])
@pytest.mark.parametrize("mean", [False, True])
def test_an_open_comparison_comes_with_a_ranking_for_either_side(
    marks: str, *, mean: bool
) -> None:
    found = {"A": 0, "B": 0}
    for a, b, p_a, p_b in pairs(150, marks):
        first, second = report(a, p_a), report(b, p_b)
        if mean:
            first, second = (
                ReportedRBP(r.p, r.score, r.residual, mean=True) for r in (first, second)
            )
        verdict = compare_rbp(first, second, at=0.75)
        if verdict.winner is not None:
            assert verdict.examples == (None, None)
            continue
        low, high = verdict.intervals
        for winner, example in zip("AB", verdict.examples, strict=True):
            if example is not None:
                check_example(example, first, second, verdict.at, winner)
                found[winner] += 1
        if verdict.examples[0] is None:
            assert low[1] <= high[0] + 1e-6
        if verdict.examples[1] is None:
            assert high[1] <= low[0] + 1e-6
    assert min(found.values()) > 15


def test_mixtures_of_topics_stay_inside_the_lp_band_and_leave_the_exact_one() -> None:
    rng = np.random.default_rng(1)
    left = 0
    for _ in range(400):
        p, q = (float(x) for x in rng.choice([0.3, 0.5, 0.65, 0.8, 0.9], 2, replace=False))
        topics = [random_ranking(rng) for _ in range(rng.integers(2, 6))]
        mean_p = float(np.mean([rbp(t, p) for t in topics]))
        mean_q = float(np.mean([rbp(t, q) for t in topics]))
        band = rbp_envelope(mean_p, p, q, kind="lp", mean=True)
        assert band.lower_min - 1e-9 <= mean_q <= band.lower_max + 1e-9
        single = rbp_envelope(mean_p, p, q, kind="exact")
        left += not single.lower_min - 1e-9 <= mean_q <= single.lower_max + 1e-9
    assert left > 60  # why mean=True is refused for the exact kind


def test_graded_relevance_stays_inside_the_lp_band() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        p, q = (float(x) for x in rng.choice([0.4, 0.5, 0.7, 0.8, 0.95], 2, replace=False))
        gains = rng.integers(0, 4, size=rng.integers(1, 60)) / 3.0
        value = float(scores(gains, p))
        band = rbp_envelope(value, p, q, kind="lp", mean=True)
        assert band.lower_min - 1e-9 <= scores(gains, q) <= band.lower_max + 1e-9


def test_the_lp_band_is_reached_by_two_topics() -> None:
    band = rbp_envelope(0.25, 0.5, 0.1, kind="lp", tolerance=0.0, mean=True)
    assert float(band.lower_max) == pytest.approx((0.9 + 0.0) / 2)  # 1000.. and 0000..
    single = rbp_envelope(0.25, 0.5, 0.1, kind="exact", tolerance=0.0)
    assert float(single.lower_max) == pytest.approx(0.09, abs=1e-6)


@pytest.mark.parametrize("kind", ["exact", "paper"])
def test_bounds_of_one_topic_are_refused_for_means(kind: Any) -> None:  # noqa: ANN401
    with pytest.raises(
        ParameterError, match=r"one topic.*mean of several rankings.*kind='lp'"
    ):
        rbp_envelope(0.4, 0.8, 0.5, kind=kind, mean=True)


def test_comparing_means_exactly_is_refused() -> None:
    a, b = ReportedRBP(0.5, 0.4, mean=True), ReportedRBP(0.8, 0.4)
    with pytest.raises(ParameterError, match=r"compare_rbp: kind 'exact'.*one topic"):
        compare_rbp(a, b, kind="exact")
    assert compare_rbp(a, b).winner is None


def test_an_lp_verdict_holds_between_the_two_p_and_is_the_same_anywhere_there() -> None:
    rng = np.random.default_rng(4)
    decided = 0
    for _ in range(400):
        p_a, p_b = rng.uniform(0.05, 0.97, 2)
        s = rng.random(2)
        a, b = (ReportedRBP(p, v, mean=True) for p, v in zip((p_a, p_b), s, strict=True))
        whole = compare_rbp(a, b)
        assert whole.at == pytest.approx((p_a + p_b) / 2)
        for at in np.linspace(p_a, p_b, 7):
            (low_a, high_a), (low_b, high_b) = compare_rbp(a, b, at=float(at)).intervals
            by_interval = (
                "A" if low_a > high_b + 1e-9 else "B" if low_b > high_a + 1e-9 else None
            )
            if by_interval != whole.winner:  # closer than floats can tell
                assert min(abs(low_a - high_b), abs(low_b - high_a)) < 1e-8
        outside = compare_rbp(a, b, at=0.99)
        assert outside.winner in (None, whole.winner)
        if whole.winner:
            decided += 1
            assert whole.holds_between == (min(p_a, p_b), max(p_a, p_b))
    assert decided > 100


def test_exact_verdicts_try_both_p_and_the_midpoint() -> None:
    a, b = ReportedRBP(0.5, 0.6), ReportedRBP(0.8, 0.6)
    assert compare_rbp(a, b, at=0.5).winner is None
    verdict = compare_rbp(a, b)
    assert (verdict.winner, verdict.at, verdict.holds_between) == ("B", 0.8, None)


def test_the_papers_rule_is_wrong_where_the_verdict_is_not() -> None:
    """p_A = .81, S_A = .275 against p_B = .9, S_B = .171: B may be 011, with .2786 at .81."""
    b = invert_rbp(0.171, 0.9, tolerance=0.0)
    assert b.greatest is not None
    assert rbp(b.greatest, 0.81) < 0.275 < rbp("011", 0.81)
    verdict = compare_rbp(ReportedRBP(0.81, 0.275), ReportedRBP(0.9, 0.171), at=0.81)
    assert verdict.winner is None
    assert verdict.intervals[1][1] >= rbp("011", 0.81)
    assert verdict.examples[1] is not None
    check_example(
        verdict.examples[1], ReportedRBP(0.81, 0.275), ReportedRBP(0.9, 0.171), 0.81, "B"
    )


def test_an_impossible_score_decides_nothing() -> None:
    verdict = compare_rbp(ReportedRBP(0.2, 0.5), ReportedRBP(0.8, 0.1))
    assert verdict.winner is None
    assert math.isnan(verdict.intervals[0][0])
    assert verdict.examples == (None, None)


@pytest.mark.parametrize(
    ("a", "keywords", "message"),
    [
        (ReportedRBP(1.0, 0.5), {}, "compare_rbp, a: p must be at least 0 and below 1"),
        (ReportedRBP(0.5, 1.5), {}, r"a: score must lie in \[0, 1\].*got 1.5"),
        (ReportedRBP(0.5, 0.5, 0.6), {}, "must not add up to more than 1.*at most 0.5"),
        (ReportedRBP(0.5, 0.5, -0.1), {}, "residual must be at least 0; got -0.1"),
        (ReportedRBP(0.5, math.nan), {}, "score must be a finite number"),
        (ReportedRBP(0.5, 0.5), {"at": 1.0}, "at must be at least 0 and below 1"),
        (ReportedRBP(0.5, 0.5), {"kind": "paper"}, "kind must be 'lp' or 'exact'"),
        ((0.5, 0.5), {}, "a must be a ReportedRBP; got tuple"),
    ],
)
def test_bad_reports_are_refused(a: Any, keywords: dict[str, Any], message: str) -> None:  # noqa: ANN401
    with pytest.raises(ParameterError, match=message):
        compare_rbp(a, ReportedRBP(0.8, 0.3), **keywords)
