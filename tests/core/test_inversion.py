"""Inverting one score: published tables, statuses, envelopes, counts and bad input."""

import math
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.errors import ParameterError
from core.inversion import (
    count_prefixes,
    count_vectors,
    inversion_depth,
    invert_rbp,
    log10_vectors,
    rbp_envelope,
    triple_ranking,
)
from core.inversion.triples import fits, needs_of
from tests.reference.inversion_reference import count_band, exact, score

CURVE = np.arange(1, 100) / 100


@pytest.mark.parametrize(
    ("p", "depths"),
    [
        (0.5, (8, 15, 28)),
        (0.7, (15, 28, 54)),
        (0.8, (24, 45, 86)),
        (0.9, (51, 94, 182)),
        (0.95, (104, 194, 373)),
        (0.99, (528, 986, 1902)),  # printed 1,001, which no variant of the rule gives
    ],
)
def test_depth_gives_table_1_of_zhang_park_and_moffat(
    p: float, depths: tuple[int, ...]
) -> None:
    assert tuple(inversion_depth(p, d) for d in (1e-2, 1e-4, 1e-8)) == depths


def test_the_last_entry_of_table_1_is_not_what_its_own_rule_says() -> None:
    assert 0.99**1001 > 4e-5  # far from below 5e-9: 1,001 must be a limit on the lists
    assert 0.99**1902 < 5e-9 <= 0.99**1901


@pytest.mark.parametrize(
    ("p", "precision", "depth"),
    [(0.5, 2.0**-7, 9), (0.7, 0.98, 3), (0.1, 0.02, 3), (0.0, 1e-4, 1), (0.5, 5.0, 1)],
)
def test_a_tie_goes_to_the_greater_depth(p: float, precision: float, depth: int) -> None:
    assert inversion_depth(p, precision) == depth


def test_depth_copes_with_extreme_parameters() -> None:
    assert inversion_depth(0.5, 5e-324) == 1075
    assert inversion_depth(1 - 1e-12, 1e-4) == pytest.approx(
        math.log(5e-5) / -1e-12, rel=1e-3
    )


FIGURE_3 = {
    (0.8, 0.2): "diverge",
    (0.8, 0.5): "diverge",
    (0.8, 0.8): "diverge",
    (0.5, 0.2): "both_0",
    (0.5, 0.5): "diverge",
    (0.5, 0.8): "both_1",
    (0.2, 0.2): "both_0",
    (0.2, 0.5): None,
    (0.2, 0.8): "both_1",
}


@pytest.mark.parametrize(("cell", "limit"), FIGURE_3.items())
def test_the_nine_cells_of_figure_3(cell: tuple[float, float], limit: str | None) -> None:
    p, s = cell
    found = invert_rbp(s, p, tolerance=0.0)
    assert found.limit == limit
    assert found.status == ("infeasible_gap" if limit is None else "ok")
    if limit is not None:
        near = rbp_envelope(s, p, 1e-9, tolerance=0.0)
        ends = {"both_0": (0, 0), "both_1": (1, 1), "diverge": (0, 1)}[limit]
        assert (near.lower_min, near.lower_max) == pytest.approx(ends, abs=1e-6)
    else:
        assert found.gap == pytest.approx((1, 0.2, 0.8))


@pytest.mark.parametrize(
    ("p", "s", "limit"),
    [
        (0.8, 0.1999, "both_0"),
        (0.8, 0.8001, "both_1"),
        (0.5, 0.4999, "both_0"),
        (0.5, 0.5001, "both_1"),
    ],
)
def test_the_ties_of_figure_3_are_knife_edges(p: float, s: float, limit: str) -> None:
    assert invert_rbp(s, p, tolerance=0.0).limit == limit


def test_an_impossible_score_is_a_result() -> None:
    found = invert_rbp(0.1, 0.2)
    assert found.status == "infeasible_gap"
    assert found.gap == pytest.approx((2, 0.04, 0.16))
    assert found.nearest == pytest.approx((0.04, 0.16))
    assert (found.greatest, found.score_least, found.limit) == (None, None, None)
    near = invert_rbp(0.20003, 0.2)
    assert near.status == "ok_within_tolerance"
    assert near.greatest == "0111111"
    assert near.nearest == pytest.approx((0.2, 0.8))


@pytest.mark.parametrize(
    ("s", "p", "status", "nearest"),
    [
        (1.001, 0.8, "out_of_range", (1.0, None)),
        (-7.0, 0.2, "out_of_range", (None, 0.0)),
        (0.5, 1.0, "bad_p", None),
        (0.5, -0.1, "bad_p", None),
        (1e308, 1e308, "bad_p", None),
        (1.00003, 0.2, "ok", None),
    ],
)
def test_any_finite_score_and_p_get_a_status(
    s: float, p: float, status: str, nearest: tuple[float | None, float | None] | None
) -> None:
    found = invert_rbp(s, p)
    assert (found.status, found.nearest) == (status, nearest)
    assert (found.depth is None) == (status == "bad_p")


@pytest.mark.parametrize("p", [1e-300, 1e-9, 0.999, 0.9999, 1 - 1e-9, 1 - 2**-53])
def test_extreme_persistences_get_an_answer(p: float) -> None:
    found = invert_rbp(1.0, p)
    assert found.status == "ok"
    assert found.greatest is not None
    assert len(found.greatest) == found.depth == min(inversion_depth(p, 1e-4), 100_000)
    assert set(found.greatest) == {"1"}
    lp = rbp_envelope(0.3, p, [0.0, 0.5, 0.99], kind="lp")
    assert (
        (lp.lower_min <= lp.lower_max) & (lp.lower_min >= 0) & (lp.lower_max <= 1)
    ).all()
    exactly = rbp_envelope(1.0, p, [0.0, 0.5], node_limit=500)
    assert exactly.status == "ok"


def test_complement_and_leading_ranks() -> None:
    rng = np.random.default_rng(0)
    flip = str.maketrans("01", "10")
    for _ in range(300):
        p, s = float(rng.uniform(0.5, 0.97)), float(rng.uniform(0.001, 0.999))
        found = invert_rbp(s, p, tolerance=0.0)
        other = invert_rbp(1 - s, p, tolerance=0.0)
        assert found.least is not None
        assert other.greatest is not None
        assert found.least == other.greatest.translate(flip)
        ones = len(other.greatest) - len(other.greatest.lstrip("1"))
        assert ones == min(math.floor(math.log(s) / math.log(p)), found.depth or 0)


def test_the_papers_upper_curve_is_exceeded_by_a_ranking_that_fits() -> None:
    """With p = .9, S = .171: 011 scores exactly that, and at .828 more than R_G = 10001...

    The paper takes R_G for the extreme at every other p. But R_G pays for its relevant first
    rank with three nonrelevant ones after it, and at .828 ranks 2 and 3 still weigh enough to
    make up for rank 1. Only the exact band (and the LP band) hold 011.
    """
    paper = rbp_envelope(0.171, 0.9, 0.828, kind="paper", tolerance=0.0)
    truth = float(score("011", exact(0.828)))
    assert score("011", exact(0.9)) == exact(0.171)
    assert float(paper.lower_max) == pytest.approx(0.2537, abs=5e-5)
    assert truth == pytest.approx(0.2603, abs=5e-5)
    assert not paper.certified.any()
    for kind in ("exact", "lp"):
        band = rbp_envelope(0.171, 0.9, 0.828, kind=kind)
        assert band.lower_min <= truth <= band.lower_max
        assert band.certified.all()
    exactly = rbp_envelope(0.171, 0.9, 0.828, tolerance=0.0)
    assert float(exactly.lower_max) == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize(
    ("q", "paper", "exactly", "lp"),
    [
        (0.85, (0.3325, 0.5037), (0.3322, 0.5040), (0.3113, 0.5129)),
        (0.90, (0.2608, 0.6242), (0.2597, 0.6260), (0.2153, 0.6485)),
        (0.97, (0.1248, 0.8423), (0.1168, 0.8517), (0.0679, 0.8822)),
        (0.99, (0.0523, 0.9373), (0.0456, 0.9441), (0.0230, 0.9595)),
    ],
)
def test_above_p_the_three_kinds_lie_inside_each_other(
    q: float, paper: tuple[float, ...], exactly: tuple[float, ...], lp: tuple[float, ...]
) -> None:
    kinds = (("paper", paper, 0.0), ("exact", exactly, 5e-5), ("lp", lp, 5e-5))
    for kind, expected, tolerance in kinds:
        found = rbp_envelope(0.4, 0.8, q, kind=kind, tolerance=tolerance)
        assert (found.lower_min, found.lower_max) == pytest.approx(expected, abs=5.1e-5)


@pytest.mark.parametrize("residual", [0.0, 0.08])
def test_each_kind_lies_inside_the_next(residual: float) -> None:
    rng = np.random.default_rng(6)
    for _ in range(25):
        p, s = float(rng.uniform(0.67, 0.9)), float(rng.uniform(0, 0.9))
        kinds = [
            rbp_envelope(
                s,
                p,
                CURVE[3::8],
                kind=kind,
                residual=residual,
                tolerance=tolerance,
                residual_tolerance=tolerance if residual else 0.0,
            )
            for kind, tolerance in (("paper", 0.0), ("exact", 5e-5), ("lp", 5e-5))
        ]
        for inner, outer in pairwise(kinds):
            for side in ("lower", "upper"):
                low, high = f"{side}_min", f"{side}_max"
                assert (getattr(outer, low) <= getattr(inner, low) + 1e-8).all()
                assert (getattr(outer, high) >= getattr(inner, high) - 1e-8).all()


def test_up_to_649_the_two_vectors_are_the_extremes() -> None:
    """Theorem of design/inversion.md, 3.4; tolerance 0 stands for the exact score."""
    for p in (0.52, 0.6, 0.649):
        for s in (0.07, 0.333, 0.5, 0.77):
            at = CURVE[(p - 0.02) > CURVE]
            paper = rbp_envelope(s, p, at, kind="paper", tolerance=0.0, precision=1e-8)
            exactly = rbp_envelope(s, p, at, tolerance=1e-11)
            assert exactly.lower_max == pytest.approx(paper.lower_max, abs=2e-6)
            assert exactly.lower_min == pytest.approx(paper.lower_min, abs=2e-6)


def test_at_its_own_p_the_range_is_the_band() -> None:
    for kind in ("exact", "lp"):
        found = rbp_envelope(0.4, 0.8, 0.8, kind=kind, residual=0.1)
        ends = found.lower_min, found.lower_max, found.upper_min, found.upper_max
        assert ends == pytest.approx((0.39995, 0.40005, 0.4999, 0.5001))
    gapped = rbp_envelope(0.2, 0.2, 0.2, tolerance=0.01)
    assert (gapped.lower_min, gapped.lower_max) == pytest.approx(
        (0.192, 0.2), abs=1e-9
    )  # 0110 and 0111...


def test_at_zero_only_the_first_rank_counts_and_from_zero_nothing_else_is_known() -> None:
    assert float(rbp_envelope(0.5, 0.8, 0.0).lower_max) == pytest.approx(1.0)
    for kind in ("exact", "lp"):
        found = rbp_envelope(1.0, 0.0, [0.0, 0.6], kind=kind, tolerance=0.0)
        assert found.lower_min == pytest.approx([1.0, 0.4])  # 1000... has the score too
        assert found.lower_max == pytest.approx([1.0, 1.0])
        found = rbp_envelope(0.0, 0.0, [0.0, 0.6], kind=kind, residual=1.0)
        assert found.lower_max == pytest.approx([0.0, 0.6], abs=1e-4)
        assert found.upper_min == pytest.approx([1.0, 0.4], abs=1e-4)
    assert rbp_envelope(0.5, 0.0, 0.6).status == "infeasible"
    assert float(rbp_envelope(0.5, 0.0, 0.6, kind="lp").lower_max) == pytest.approx(
        0.8, abs=1e-4
    )


def test_a_score_in_a_gap_has_no_envelope_unless_it_is_a_mean() -> None:
    for kind in ("exact", "paper"):
        found = rbp_envelope(0.5, 0.2, [0.1, 0.5], kind=kind)
        assert found.status == "infeasible"
        assert np.isnan(
            [found.lower_min, found.lower_max, found.upper_min, found.upper_max]
        ).all()
    assert rbp_envelope(0.5, 0.2, 0.1, kind="lp", mean=True).status == "ok"


def test_where_the_node_limit_strikes_the_outer_bound_stands_in() -> None:
    whole = rbp_envelope(0.4713, 0.95, CURVE)
    cut = rbp_envelope(0.4713, 0.95, CURVE, node_limit=5)
    lp = rbp_envelope(0.4713, 0.95, CURVE, kind="lp")
    assert whole.certified.all()
    assert not cut.certified.all()
    assert (cut.lower_max >= whole.lower_max - 2e-9).all()
    assert (cut.lower_min <= whole.lower_min + 2e-9).all()
    assert (cut.lower_max <= lp.lower_max + 2e-9).all()
    missed = ~cut.certified[:, 1]
    assert (cut.lower_max[missed] > whole.lower_max[missed]).any()
    assert cut.lower_max[~missed] == pytest.approx(whole.lower_max[~missed], abs=2e-9)


def test_the_node_limit_holds_for_residuals_too() -> None:
    whole = rbp_envelope(0.31, 0.8, [0.5, 0.9], residual=0.17)
    cut = rbp_envelope(0.31, 0.8, [0.5, 0.9], residual=0.17, node_limit=4)
    assert whole.certified.all()
    assert not cut.certified.any()
    assert (cut.upper_max >= whole.upper_max).all()
    assert (cut.lower_min <= whole.lower_min).all()


def test_the_printed_residual_rule_is_wrong_by_nearly_one() -> None:
    """????1111 at p = .8: the paper's R_L would put the lower score at .1 at .90; it is .0001."""
    truth = float(score("????1111", exact(0.1)))
    assert truth == pytest.approx(0.0001, abs=1e-6)
    band = rbp_envelope(0.2418, 0.8, 0.1, residual=0.5904)
    assert band.lower_min <= truth


def test_a_known_depth_narrows_the_lp_band_only() -> None:
    free = rbp_envelope(0.4, 0.8, 0.95, kind="lp")
    known = rbp_envelope(0.4, 0.8, 0.95, kind="lp", depth=20)
    assert known.lower_max < free.lower_max
    assert rbp_envelope(0.99, 0.8, 0.9, kind="lp", depth=3).status == "infeasible"
    with pytest.raises(ParameterError, match="depth is known to kind 'lp' only"):
        rbp_envelope(0.4, 0.8, 0.95, depth=20)


def test_results_are_frozen_and_shaped_like_the_targets() -> None:
    for at, shape in (
        (0.5, ()),
        ([0.1, 0.2], (2,)),
        (CURVE[:6].reshape(2, 3), (2, 3)),
        ([], (0,)),
    ):
        if shape == (0,):
            at = np.array([], dtype=float)  # noqa: PLW2901
        for kind in ("paper", "exact", "lp"):
            found = rbp_envelope(0.3, 0.7, at, kind=kind)
            assert found.upper_max.shape == shape
            assert found.certified.shape == (*shape, 4)
            assert not found.lower_min.flags.writeable
            assert not found.certified.flags.writeable


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"p": 1.0}, "rbp_envelope: p must be at least 0 and below 1; got 1.0"),
        ({"p": math.nan}, "p must be a finite number; got nan"),
        ({"score": 1.2}, r"score must lie in \[0, 1\].*got 1.2"),
        ({"score": -0.2}, r"score must lie in \[0, 1\]"),
        ({"score": "0.4"}, "score must be a finite number; got '0.4'"),
        ({"at": 1.0}, "at must be a persistence of at least 0 and below 1.*got 1.0"),
        ({"at": [0.5, math.nan]}, "at must be a persistence.*got nan"),
        ({"at": "half"}, "at must be a persistence.*got 'half'"),
        ({"at": [[0.1], [0.1, 0.2]]}, "at must be a persistence"),
        ({"kind": "best"}, "kind must be 'paper', 'exact' or 'lp'; got 'best'"),
        ({"precision": 0.0}, "precision must be above 0; got 0.0"),
        ({"tolerance": -1e-4}, "tolerance must be at least 0; got -0.0001"),
        ({"residual": 0.7}, "must not add up to more than 1.*at most 0.6"),
        ({"residual": -0.1}, "residual must be at least 0"),
        ({"residual": 0.001, "kind": "lp", "depth": 20}, r"at least p \*\* depth = 0.01153"),
        ({"node_limit": 0}, "node_limit must be a whole number of at least 1"),
        ({"kind": "lp", "depth": 0}, "depth must be a whole number of at least 1"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_what_is_allowed(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        rbp_envelope(**{"score": 0.4, "p": 0.8, "at": 0.5, **arguments})


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"score": math.nan}, "invert_rbp: score must be a finite number; got nan"),
        ({"score": math.inf}, "score must be a finite number"),
        ({"p": "0.5"}, "p must be a finite number; got '0.5'"),
        ({"precision": 0}, "precision must be above 0; got 0"),
        ({"tolerance": -1}, "tolerance must be at least 0; got -1"),
    ],
)
def test_inversion_refuses_what_is_no_number(
    keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        invert_rbp(**{"score": 0.4, "p": 0.8, **keywords})


@pytest.mark.parametrize(
    ("p", "ranks"), [(0.3, 12), (0.5, 15), (0.62, 18), (0.75, 14), (0.9, 12)]
)
@pytest.mark.parametrize("s", [0.0, 0.125, 0.4, 0.7, 1.0])
def test_counts_agree_with_whole_number_arithmetic(p: float, ranks: int, s: float) -> None:
    low, high = exact(s) - exact("0.0005"), exact(s) + exact("0.0005")
    assert count_vectors(s, p, precision=1e-3, depth=ranks) == count_band(
        exact(p), low, high, ranks
    )
    assert count_prefixes(s, p, ranks) == count_band(
        exact(p), exact(s) - exact(p) ** ranks, exact(s), ranks
    )


@pytest.mark.parametrize(("p", "ranks"), [(0.6, 16), (0.7, 16), (0.8, 14)])
def test_the_mean_number_of_prefixes_is_two_p_to_the_n(p: float, ranks: int) -> None:
    points = (np.arange(400) + 0.5) / 400
    mean = np.mean([count_prefixes(float(s), p, ranks) for s in points])
    assert mean == pytest.approx((2 * p) ** ranks, rel=0.01)


def test_estimated_counts_agree_with_exact_ones_and_with_the_design() -> None:
    for p, s, ranks in ((0.8, 0.4, 46), (0.85, 0.7, 46), (0.8, 0.1, 46)):
        estimate = count_vectors(s, p, depth=ranks + 1)
        assert isinstance(estimate, float)
        assert estimate == pytest.approx(2 * count_vectors(s, p, depth=ranks), rel=0.02)
    assert count_vectors(0.4, 0.9) == pytest.approx(4.75e24, rel=0.01)
    assert count_vectors(0.4, 0.95) == pytest.approx(5.8e54, rel=0.02)
    assert log10_vectors(0.4, 0.99) == pytest.approx(math.log10(1.4e292), abs=0.03)
    assert count_vectors(0.4, 0.995) == math.inf
    assert log10_vectors(0.4, 0.995) == pytest.approx(588.6, abs=0.1)  # 2^1975 has 594.5
    assert count_vectors(2.0, 0.9) == count_vectors(2.0, 0.5) == 0
    assert log10_vectors(2.0, 0.9) == log10_vectors(2.0, 0.5) == -math.inf
    assert count_vectors(0.4, 0.9, precision=1e-6, depth=94) == pytest.approx(
        4.75e22, rel=0.02
    )


def test_triples_have_score_and_residual() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        p = float(rng.uniform(0.667, 0.95))
        s, u, _ = (float(x) for x in rng.dirichlet([1, 1, 1]))
        for order in ("1?0", "0?1", "?10"):
            found = triple_ranking(s, u, p, order=order, depth=200)
            assert found is not None
            assert float(score(found, exact(p))) == pytest.approx(s, abs=p**200 + 1e-9)
            assert float(score(found, exact(p), "?")) == pytest.approx(u, abs=p**200 + 1e-9)
    with pytest.raises(
        ParameterError, match=r"order must hold each of 1, \? and 0 once; got '10'"
    ):
        triple_ranking(0.4, 0.1, 0.8, order="10")


def test_classes_that_may_follow_must_be_able_to_take_all_the_weight() -> None:
    relevant, unjudged = (0.0, 0.3), (0.0, 0.2)
    assert fits(needs_of(relevant, unjudged, 1.0, "1?0"), 1.0)
    assert not fits(needs_of(relevant, unjudged, 1.0, "1?"), 1.0)
    assert fits(needs_of(relevant, unjudged, 0.5, "1?"), 0.5)


def test_importing_the_package_loads_no_front_end_and_no_scipy() -> None:
    code = (
        "import sys, core.inversion; "
        "print([m for m in ('streamlit', 'plotly', 'scipy', 'pandas') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("p", [0.0001, 0.5, 0.95, 0.99])
def test_the_smallest_score_there_is_has_an_envelope(p: float) -> None:
    band = rbp_envelope(5e-324, p, CURVE, kind="lp")
    assert (band.lower_min >= 0).all()
    assert (band.upper_max <= 1).all()
