"""Scores and their ranges where something special happens, and how they are written."""

import math
import re

import numpy as np
import pytest

import core
from core.bounds import searched_range
from core.metrics.naming import parse_metric
from core.relevance import judge

X = "$$---$----$-----$---"  # the example of Moffat & Zobel 2008


def test_ap_can_only_fall_when_the_rest_is_judged() -> None:
    """metrics.md section 3: the convention's .75 is the top of the range."""
    score = core.score("AP", "$--$------??????????")
    assert (score.value, score.lower, score.upper) == pytest.approx(
        (0.75, 0.4095, 0.75), abs=5e-5
    )
    one_more = [
        core.score("AP", f"$--$------{'-' * rank}${'-' * (9 - rank)}").value
        for rank in range(10)
    ]
    assert max(one_more) == pytest.approx(0.5909, abs=5e-5)
    assert min(one_more) == pytest.approx(0.55, abs=5e-5)


def test_a_score_that_skips_the_unjudged_can_lie_outside_its_range() -> None:
    """No way of judging the rest gives this bpref: it must not be clipped."""
    score = core.score("Bpref10", "$-?$")
    assert (score.value, score.lower, score.upper) == pytest.approx(
        (0.9583, 0.9167, 0.9487), abs=5e-5
    )


def test_an_undefined_value_may_have_a_range() -> None:
    score = core.score("AP", "?-")
    assert math.isnan(score.value)
    assert (score.lower, score.upper) == (1.0, 1.0)
    assert "undefined: the topic has no relevant document" in score.note
    assert "left out" in score.note


def test_no_range_is_claimed_where_none_is_known() -> None:
    many = core.score("RankEff", "$-" + "?" * 2001)
    assert math.isnan(many.lower)
    assert "more than 2,000 unjudged" in many.note
    graded = core.score("Pplus", "12" + "?" * 13)
    assert math.isnan(graded.upper)
    assert "13 unjudged documents are too many" in graded.note
    assert not math.isnan(core.score("Pplus", "12" + "?" * 12).upper)
    assert not math.isnan(core.score("Pplus", "$-" + "?" * 13).upper)


def test_the_graded_p_plus_needs_every_completion() -> None:
    """metrics.md section 3: the u + 1 candidates would give .46699 here."""
    judged = judge("00221?10??", topic={0: 3, 1: 3, 2: 2, 3: 1})
    call = parse_metric("Pplus")
    assert call.score(judged).upper == pytest.approx(0.46753, abs=5e-6)
    candidates = searched_range(judged, call.values, rises=True)
    assert candidates.upper == pytest.approx(0.46699, abs=5e-6)


def test_a_document_of_a_grade_below_min_rel_breaks_the_candidate_argument() -> None:
    """O-measure with a gain that is not relevant: lower down can be better."""
    score = core.score("Omeasure", "??2?", topic="32-", min_rel=3, top_grade=3)
    worlds = [f"{a}{b}2{c}" for a in "03" for b in "03" for c in "03"]
    values = [
        core.score(
            "Omeasure", w, topic={3: 1 + w.count("3"), 2: 1, 0: 1 + w.count("0")}, min_rel=3
        )
        for w in worlds
    ]
    assert score.lower == pytest.approx(min(value.value for value in values))
    assert score.upper == pytest.approx(max(value.value for value in values))


def test_tied_documents_share_the_weight_of_their_ranks() -> None:
    """Moffat & Zobel 2008, section 4.7."""
    p = 0.8
    weights = [(1 - p) * p**i for i in range(4)]
    shared = (weights[1] + weights[2]) / 2
    assert core.score(f"RBP(p={p})", "$($-)-").value == pytest.approx(weights[0] + shared)
    assert core.score(f"RBP(p={p})", "$(-$)-").value == pytest.approx(weights[0] + shared)
    unjudged = core.score(f"RBP(p={p})", "$(?-)-")
    assert unjudged.residual == pytest.approx(shared + p**4)
    cut = core.score(f"RBP(p={p})@2", "$(-$)-")
    assert cut.value == pytest.approx(
        weights[0] + shared / 2
    )  # half of the tie is above the cut
    assert cut.residual == pytest.approx(p**2)


def test_ties_change_nothing_but_rbp() -> None:
    for spec in core.METRICS:
        name = f"{spec.name}@3" if spec.cutoff == "required" else spec.name
        name = "RBP(p1=0.9, p2=0.5)" if spec.key == "RBP(p1,p2)" else name
        same = core.score(name, "-($-)$") == core.score(name, "-$-$")
        assert same == (spec.key != "RBP"), spec.key


def test_rbp_at_p_zero_is_precision_at_one() -> None:
    for text in ("$--", "-$$", "?$"):
        score = core.score("RBP(p=0)", text)
        assert score.value == core.score("P@1", text).value
        assert score.residual == (1.0 if text[0] == "?" else 0.0)


def test_rbp_of_two_equal_persistences_is_plain_rbp() -> None:
    for text in ("$$-?$", "3?1-", "-"):
        two, one = core.score("RBP(p1=0.7, p2=0.7)", text), core.score("RBP(p=0.7)", text)
        assert (two.value, two.lower, two.upper) == pytest.approx(
            (one.value, one.lower, one.upper)
        )


def test_a_deep_ranking_keeps_its_residual() -> None:
    """Weights too small to matter are left out; the residual must not notice."""
    text = "$" + "?" * 5000
    score = core.score("RBP(p=0.5)", text)
    assert score.residual == pytest.approx(0.5, abs=1e-15)


def test_the_curve_over_p_is_the_score_at_each_p() -> None:
    at = np.array([0.0, 0.1, 0.5, 0.95, 0.99])
    for text in (X, "$(?$)-?", "3?1", "-"):
        curve = core.rbp_curve(text, at)
        single = [core.score(f"RBP(p={p})", text) for p in at]
        assert np.allclose(curve.lower, [score.lower for score in single], atol=1e-14)
        assert np.allclose(curve.upper, [score.upper for score in single], atol=1e-14)


@pytest.mark.parametrize("p", [[1.0], [-0.1], [math.nan], [[0.5]], 0.5])
def test_the_curve_refuses_what_is_no_row_of_persistences(p: object) -> None:
    with pytest.raises(core.ParameterError, match="p must be a row of numbers"):
        core.rbp_curve("$", np.array(p))


def test_a_condensed_list_forgets_the_unjudged_but_its_range_does_not() -> None:
    condensed, plain = core.score("AP'", "?$-$"), core.score("AP", "?$-$")
    assert condensed.value == core.score("AP", "$-$").value
    assert (condensed.lower, condensed.upper) == (plain.lower, plain.upper)
    shares = core.contributions("AP'", "?$-$")
    assert shares[0] == 0
    assert shares.sum() == pytest.approx(condensed.value)


def test_a_metric_without_a_decomposition_says_so() -> None:
    from dataclasses import replace

    call = parse_metric("AP")
    without = replace(call, spec=replace(call.spec, shares=None))
    with pytest.raises(core.ParameterError, match="AP has no decomposition"):
        without.contributions(judge("$-"))


def test_contributions_of_an_undefined_score_are_undefined() -> None:
    assert np.isnan(core.contributions("AP", "--")).all()


@pytest.mark.parametrize(
    ("p", "precision", "depth"),
    [(0.5, 1e-4, 14), (0.8, 1e-4, 42), (0.95, 1e-4, 180), (0.5, 0.25, 3), (0.0, 0.1, 1)],
)
def test_depth_for_is_the_least_depth_below_the_precision(
    p: float, precision: float, depth: int
) -> None:
    """Moffat & Zobel 2008, section 4.4; p^d must be strictly below."""
    assert core.depth_for(p, precision) == depth
    assert p**depth < precision <= p ** (depth - 1)


@pytest.mark.parametrize(
    ("p", "precision"), [(1.0, 0.1), (-0.1, 0.1), (0.5, 0.0), (0.5, math.nan)]
)
def test_depth_for_refuses_what_makes_no_sense(p: float, precision: float) -> None:
    with pytest.raises(core.ParameterError, match="depth_for: p"):
        core.depth_for(p, precision)


@pytest.mark.parametrize(
    ("residual", "decimals"),
    [
        (0.3585, 0),
        (0.1001, 0),
        (0.0999, 1),
        (0.0115, 1),
        (9e-5, 4),
        (0.0, 15),
        (math.nan, 0),
    ],
)
def test_supported_decimals_follow_the_residual(residual: float, decimals: int) -> None:
    assert core.supported_decimals(core.Score(0.5, 0.5, 0.5 + residual)) == decimals


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (core.Score(0.1881, 0.1881, 0.5466), "0.1881 + 0.3585"),
        (core.Score(0.75, 0.4095, 0.75), "0.7500 [0.4095, 0.7500]"),
        (core.Score(math.nan, 0.25, 1.0), "undefined [0.2500, 1.0000]"),
        (core.Score(math.nan, math.nan, math.nan), "undefined"),
        (core.Score(0.5, math.nan, math.nan), "0.5000 (range not known)"),
    ],
)
def test_scores_are_written_in_one_form(score: core.Score, text: str) -> None:
    assert core.format_score(score) == text


def test_properties_take_a_metric_with_parameters_and_refuse_large_worlds() -> None:
    assert core.metric_properties("RBP(p=0.5)")["realizable"].witness is not None
    assert core.metric_properties("P", documents=3)["bounded"].worlds == 8
    with pytest.raises(core.ParameterError, match=re.escape("at most 8")):
        core.metric_properties("P", documents=9)


def test_simulated_users_settle_on_rbp_with_ties_too() -> None:
    for text in ("$(-$)-", "(--$)$"):
        walks = core.simulate_users(text, p=0.7, users=200_000, seed=3)
        expected = core.score("RBP(p=0.7)", text).value
        assert walks.running_mean[-1] == pytest.approx(expected, abs=0.004)
