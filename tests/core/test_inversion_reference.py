"""The rational reference, written without the library, agrees with the golden file too."""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from typing import Any

import pytest

from tests.core.test_inversion_golden import CASES, SIDES, Answer, disagreements
from tests.reference import inversion_reference as reference


def _bands(given: Answer) -> tuple[reference.Band, reference.Band]:
    e = reference.exact
    s, u = (e(given["S"]), e(given["tauS"])), (e(given["eps"]), e(given["tauE"]))
    return reference.band(*s), reference.band(*u)


def _reference_triples(given: Answer) -> Answer:
    p, needs = reference.exact(given["p"]), _bands(given)
    answer: Answer = {name: [] for name in SIDES}
    for q in map(reference.exact, given["q"]):
        for name, valued in zip(SIDES, ("?0", "1", "0", "1?"), strict=True):
            found = reference.triple_maximum(p, needs, q, valued, 1e-5)
            if found is not None and name.endswith("min"):
                found = 1.0 - found
            answer[name].append(found)
    return answer


def _reference_envelope(given: Answer, kind: str) -> Answer:
    e = reference.exact
    p, limits = e(given["p"]), reference.band(e(given["S"]), e(given["tau"]))
    found = []
    for q in map(e, given["q"]):
        if kind == "paper":
            ranks = reference.depth(p, e(given["delta"]))
            found.append(reference.paper_envelope(p, limits, ranks, q))
        elif kind == "lp":
            found.append(reference.lp_envelope(p, limits, q, given.get("depth")))
        else:
            found.append(reference.exact_envelope(p, limits, q))
    return {"low": [low for low, _ in found], "high": [high for _, high in found]}


def _reference_residual_lp(given: Answer) -> Answer:
    s, u = _bands(given)
    p = reference.exact(given["p"])
    rows = [
        reference.residual_lp(p, s, u, reference.exact(q), given.get("depth"))
        for q in given["q"]
    ]
    return {name: [row[i] for row in rows] for i, name in enumerate(SIDES)}


def _reference_compare(given: Answer) -> Answer:
    e = reference.exact
    reports = {}
    for name in "AB":
        side = given[name]
        s, u = _bands(side)
        reports[name] = (e(side["p"]), s, (s[0] + u[0], min(s[1] + u[1], Fraction(1))))
    lower, upper = sorted("AB", key=lambda name: reports[name][0])
    (p, s, t), (p2, s2, t2) = reports[lower], reports[upper]
    verdict = "none"
    if sum(reference.top_length(s[0], p)) > sum(reference.top_length(t2[1], p2)):
        verdict = lower
    elif sum(reference.top_length(1 - s2[0], p2)) < sum(reference.top_length(1 - t[1], p)):
        verdict = upper
    answer = {"lp": verdict}
    if given["A"]["eps"] == given["B"]["eps"] == 0:
        for name in "AB":
            at = reports[name][0]
            ranges = {
                other: s if at == p else reference.exact_envelope(p, s, at)
                for other, (p, s, _) in reports.items()
            }
            answer[f"exact_at_p{name}"] = (
                "A" if ranges["A"][0] > ranges["B"][1]
                else "B" if ranges["B"][0] > ranges["A"][1]
                else "none"
            )  # fmt: skip
    return answer


def _reference_count(given: Answer) -> Answer:
    e, n = reference.exact, given["n"]
    p = e(given["p"])
    if "S" in given:
        count = reference.count_band(p, e(given["S"]) - p**n, e(given["S"]), n)
        return {"count": count, "mean_over_S": (2 * p) ** n}
    return {"count": reference.count_band(p, e(given["lo"]), e(given["hi"]), n)}


def _reference_crossings(given: Answer) -> tuple[int, int]:
    return reference.count_roots(reference.difference(given["R"], given["Q"]))


def reference_answer(case: dict[str, Any]) -> Answer:
    e, kind, given = reference.exact, case["kind"], case["input"]
    if kind == "depth":
        found = reference.depth(e(given["p"]), e(given["delta"]))
        return {"n": min(found, given.get("cap", 10**9))}
    if kind == "invert":
        values = (e(given[name]) for name in ("p", "S", "tau", "delta"))
        return reference.invert(*values)
    if kind.endswith("_envelope"):
        return _reference_envelope(given, kind.removesuffix("_envelope"))
    if kind == "residual_bounds":
        return _reference_residual_lp(given)
    if kind == "residual_exact":
        return _reference_triples(given)
    if kind == "triple_greedy":
        p, s, eps = (e(given[name]) for name in ("p", "S", "eps"))
        marks = reference.triple_greedy(p, s, eps, given["n"], given["order"])
        return {"string": marks, "ok": bool(marks)}
    if kind == "compare":
        return _reference_compare(given)
    assert kind in ("count_prefixes", "count_band")
    return _reference_count(given)


REFERENCED = [
    case
    for case in CASES
    if case["kind"] not in ("constraint_step", "rbp_residual", "crossings")
    and case["id"] != "pub-count_band-04"  # 6.9e9 vectors: the slow test below
]


@pytest.mark.parametrize("case", REFERENCED, ids=lambda case: case["id"])
def test_the_rational_reference_agrees_with_the_golden_case(case: dict[str, Any]) -> None:
    answer = reference_answer(case)
    expected = {name: value for name, value in case["expect"].items() if name in answer}
    assert expected
    assert disagreements({**case, "expect": expected}, answer) == []


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["kind"] in ("constraint_step", "rbp_residual")],
    ids=lambda case: case["id"],
)  # fmt: skip
def test_rational_scores_agree_with_the_golden_case(case: dict[str, Any]) -> None:
    given, expect, p = case["input"], case["expect"], reference.exact(case["input"]["p"])
    if case["kind"] == "constraint_step":
        acc, n = reference.score(given["prefix"], p), given["n"]
        con, s = (1 - p) * p ** (expect["i"] - 1), reference.exact(given["S"])
        finite, infinite = p ** expect["i"] - p**n, p ** expect["i"]
        answer = {
            "acc": acc, "con": con, "rem_fin": finite, "rem_inf": infinite, "c1": acc + con > s,
            "c2_finite": acc + finite < s, "c2_infinite": acc + infinite < s,
            "i": len(given["prefix"]) + 1,
        }  # fmt: skip
    else:
        ranking = given["ranking"]
        tail = p ** len(ranking) if given["tail_unjudged"] else 0
        s, eps = reference.score(ranking, p), reference.score(ranking, p, "?") + tail
        answer = {"S": s, "eps": eps, "upper": s + eps}
    assert disagreements(case, answer) == []


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if c["kind"] == "crossings" and len(c["input"]["R"]) < 100],
    ids=lambda case: case["id"],
)
def test_sturm_chains_agree_with_the_golden_crossings(case: dict[str, Any]) -> None:
    kinds = [kind for _, kind in case["expect"]["roots"]]
    assert _reference_crossings(case["input"]) == (len(kinds), kinds.count("cross"))


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["kind"] == "exact_envelope"], ids=lambda case: case["id"]
)
def test_golden_witnesses_have_the_score_and_reach_the_bound(case: dict[str, Any]) -> None:
    given, expect, e = case["input"], case["expect"], reference.exact
    p, limits = e(given["p"]), reference.band(e(given["S"]), e(given["tau"]))
    checked = 0
    for side in ("low", "high"):
        for q, text, value in zip(
            given["q"], expect[f"witness_{side}"], expect[side], strict=True
        ):
            if "..." in text:
                continue  # shortened in the file
            marks, tail = text.rstrip("*"), int(side == "high")
            reached = float(reference.score(marks, e(q)))
            if text.endswith("*"):  # some continuation fits, and it no longer matters at q
                acc = reference.score(marks, p)
                assert acc <= limits[1]
                assert acc + p ** len(marks) >= limits[0]
            else:  # the search ends a witness with ones (high) or zeros (low) for ever
                assert limits[0] <= reference.score(marks, p, tail=tail) <= limits[1]
                reached = float(reference.score(marks, e(q), tail=tail))
            assert abs(reached - value) <= case["tol"]
            checked += 1
    assert checked >= 2


@pytest.mark.slow
def test_the_count_of_seven_thousand_million_vectors_is_exact() -> None:
    case = next(c for c in CASES if c["id"] == "pub-count_band-04")
    n, head = 45, 24
    weights = [4**i * 5 ** (n - 1 - i) for i in range(n)]  # p = 4/5, in units of 5^-45
    guard = Fraction(1, 10**12)  # the file's convention; without it there are 145 fewer
    low = (Fraction(str(case["input"]["lo"])) - guard) * 5**n
    high = (Fraction(str(case["input"]["hi"])) + guard) * 5**n
    rest = [sum(weights[i:]) for i in range(n + 1)]
    count, live = 0, [0]
    for rank in range(head):
        grown = [total + add for total in live for add in (0, weights[rank])]
        live = []
        for total in grown:
            most = total + rest[rank + 1]
            if total >= low and most <= high:
                count += 2 ** (n - rank - 1)
            elif total <= high and most >= low:
                live.append(total)
    endings = [0]
    for weight in weights[head:]:
        endings += [total + weight for total in endings]
    endings.sort()

    def met(low: Fraction, high: Fraction) -> int:
        return sum(
            bisect_right(endings, high - total) - bisect_left(endings, low - total)
            for total in live
        )

    assert count + met(low, high) == case["expect"]["count"]
    strictly = count + met(low + guard * 5**n, high - guard * 5**n)
    assert case["expect"]["count"] - strictly == 145
