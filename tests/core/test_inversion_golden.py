"""The 102 golden cases of design/inversion.md, for the library and for the rational reference."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from core.inversion import (
    ReportedRBP,
    compare_rbp,
    count_prefixes,
    count_vectors,
    inversion_depth,
    invert_rbp,
    rbp_crossings,
    rbp_envelope,
    triple_ranking,
)
from core.inversion.envelope import Kind
from core.inversion.scores import score_vector
from tests.reference import inversion_reference as reference

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "inversion.json").read_text(encoding="utf-8")
)["cases"]
SIDES = ("Lmin", "Lmax", "Umin", "Umax")
Answer = dict[str, Any]


def depth(given: Answer) -> Answer:
    # The library has no cap; the printed 1,001 of ZPM Table 1 is the rule's 1902 cut off.
    return {"n": min(inversion_depth(given["p"], given["delta"]), given.get("cap", 10**9))}


def constraint_step(given: Answer) -> Answer:
    p, s, prefix, n = given["p"], given["S"], given["prefix"], given["n"]
    rank = len(prefix) + 1
    acc, con = score_vector(prefix, p), (1 - p) * p ** (rank - 1)
    finite, infinite = p**rank - p**n, p**rank
    return {
        "i": rank,
        "acc": acc,
        "con": con,
        "rem_fin": finite,
        "rem_inf": infinite,
        "c1": acc + con > s + 1e-12,
        "c2_finite": acc + finite < s - 1e-12,
        "c2_infinite": acc + infinite < s - 1e-12,
    }


def invert(given: Answer) -> Answer:
    found = invert_rbp(
        given["S"], given["p"], tolerance=given["tau"], precision=given["delta"]
    )
    answer = {
        "status": found.status,
        "n": found.depth,
        "R_G": found.greatest,
        "R_L": found.least,
        "first_choicepoint": found.first_choicepoint,
        "choicepoints_G": found.choicepoints_greatest,
        "choicepoints_L": found.choicepoints_least,
        "limit_p0": found.limit,
        "rbp_G": found.score_greatest,
        "rbp_L": found.score_least,
    }
    if found.gap is not None:
        answer.update(zip(("gap_rank", "gap_low", "gap_high"), found.gap, strict=True))
    if found.nearest is not None:
        below, above = found.nearest
        answer.update(nearest_below=below, nearest_above=above)
        if below is not None and above is not None:
            answer["nearest"] = below if given["S"] - below <= above - given["S"] else above
    return answer


def rbp_residual(given: Answer) -> Answer:
    ranking, p = given["ranking"], given["p"]
    s, unjudged = score_vector(ranking, p), score_vector(ranking, p, relevant="?")
    eps = unjudged + (p ** len(ranking) if given["tail_unjudged"] else 0.0)
    return {"S": s, "eps": eps, "upper": s + eps}


def envelope(given: Answer, kind: Kind) -> Answer:
    found = rbp_envelope(
        given["S"],
        given["p"],
        given["q"],
        kind=kind,
        tolerance=given["tau"],
        depth=given.get("depth"),
        precision=given.get("delta", 1e-4),
    )
    assert found.status == "ok"
    assert found.certified.all() == (kind != "paper")
    return {"low": list(found.lower_min), "high": list(found.lower_max)}


def residual(given: Answer, kind: Kind) -> Answer:
    found = rbp_envelope(
        given["S"],
        given["p"],
        given["q"],
        kind=kind,
        residual=given["eps"],
        tolerance=given["tauS"],
        residual_tolerance=given["tauE"],
        depth=given.get("depth"),
    )
    arrays = (found.lower_min, found.lower_max, found.upper_min, found.upper_max)
    assert (found.status == "infeasible") == all(math.isnan(a[0]) for a in arrays)
    return {
        name: [None if math.isnan(value) else float(value) for value in array]
        for name, array in zip(SIDES, arrays, strict=True)
    }


def triple_greedy(given: Answer) -> Answer:
    found = triple_ranking(
        given["S"], given["eps"], given["p"], order=given["order"], depth=given["n"]
    )
    return {"string": found or "", "ok": found is not None}


def compare(given: Answer) -> Answer:
    a, b = (
        ReportedRBP(side["p"], side["S"], side["eps"], side["tauS"], side["tauE"])
        for side in (given["A"], given["B"])
    )
    return {
        "lp": compare_rbp(a, b, kind="lp").winner or "none",
        "exact_at_pA": compare_rbp(a, b, at=a.p, kind="exact").winner or "none",
        "exact_at_pB": compare_rbp(a, b, at=b.p, kind="exact").winner or "none",
    }


def count_prefixes_(given: Answer) -> Answer:
    count = count_prefixes(given["S"], given["p"], given["n"])
    return {"count": count, "mean_over_S": (2 * given["p"]) ** given["n"]}


def count_band(given: Answer) -> Answer:
    low, high = given["lo"], given["hi"]
    middle, precision = round((low + high) / 2, 9), round(high - low, 9)
    count = count_vectors(middle, given["p"], precision=precision, depth=given["n"])
    assert isinstance(count, int)
    return {"count": count}


def crossings(given: Answer) -> Answer:
    found = rbp_crossings(given["R"], given["Q"])
    names = {"first": "R", "second": "Q", "equal": "equal", None: "none"}
    sums = list(_running_sums(given))
    zeros = 0
    coefficients = reference.difference(given["R"], given["Q"])
    while any(coefficients) and sum(coefficients) == 0:
        coefficients = [sum(coefficients[: i + 1]) for i in range(len(coefficients) - 1)]
        zeros += 1
    cumulative = "R" if min(sums) >= 0 else "Q" if max(sums) <= 0 else "none"
    return {
        "descartes": found.descartes,
        "descartes_cum": found.descartes_cum,
        "zeros_at_1": zeros,
        "dominates": names[found.dominates],
        "cum_dominance": cumulative,
        "roots": [list(root) for root in found.roots],
    }


def _running_sums(given: Answer) -> list[int]:
    values = reference.difference(given["R"], given["Q"])
    return [sum(values[: i + 1]) for i in range(len(values))]


ANSWERS = {
    "depth": depth,
    "constraint_step": constraint_step,
    "invert": invert,
    "rbp_residual": rbp_residual,
    "paper_envelope": lambda given: envelope(given, "paper"),
    "lp_envelope": lambda given: envelope(given, "lp"),
    "exact_envelope": lambda given: envelope(given, "exact"),
    "residual_bounds": lambda given: residual(given, "lp"),
    "residual_exact": lambda given: residual(given, "exact"),
    "triple_greedy": triple_greedy,
    "compare": compare,
    "count_prefixes": count_prefixes_,
    "count_band": count_band,
    "crossings": crossings,
}


def same(found: object, expected: object, tolerance: float) -> bool:
    """Numbers within the tolerance; everything else exactly."""
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(same(f, e, tolerance) for f, e in zip(found, expected, strict=True))
        )
    if isinstance(expected, float):
        return isinstance(found, int | float | Fraction) and (
            abs(float(found) - expected) <= tolerance
        )
    return bool(found == expected)


def disagreements(case: dict[str, Any], answer: Answer) -> list[tuple[str, Any, Any]]:
    return [
        (name, answer.get(name), expected)
        for name, expected in case["expect"].items()
        if not name.startswith("witness")
        and not same(answer.get(name), expected, case["tol"])
    ]


def test_the_golden_file_is_whole() -> None:
    assert len(CASES) == 102
    assert {case["kind"] for case in CASES} == set(ANSWERS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_library_agrees_with_the_golden_case(case: dict[str, Any]) -> None:
    assert disagreements(case, ANSWERS[case["kind"]](case["input"])) == []
