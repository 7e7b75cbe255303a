"""Crossings of the RBP curves of two rankings, against Sturm chains and sign scans."""

from collections import Counter

import numpy as np
import pytest

from core.errors import InputError
from core.inversion import rbp_crossings
from core.inversion.polynomial import roots_in_unit_interval
from core.relevance import parse_relevance
from tests.reference.inversion_reference import (
    all_pairs,
    count_roots,
    difference,
    exact,
    score,
)


def sign_at(first: str, second: str, units: int) -> int:
    """Return the sign of the difference at p = units / 2^44, in whole numbers."""
    total, scale = 0, 1
    for value in reversed(difference(first, second)):
        total = total * units + value * scale
        scale <<= 44
    return (total > 0) - (total < 0)


@pytest.mark.parametrize(
    "length", [2, 3, 4, 5, 6, 7, pytest.param(9, marks=pytest.mark.slow)]
)
def test_every_pair_of_short_rankings_agrees_with_sturm(length: int) -> None:
    for first, second in all_pairs(length):
        found = rbp_crossings(first, second)
        kinds = Counter(kind for _, kind in found.roots)
        distinct, crossing = count_roots(difference(first, second))
        assert len(found.roots) == distinct
        assert kinds["cross"] == crossing <= found.descartes_cum <= found.descartes
        assert (found.dominates is None) == (crossing > 0)
        assert found.dominates in ("first", None)  # rank 1 favours the first
        mirrored = rbp_crossings(second, first)
        assert [kind for _, kind in mirrored.roots] == [kind for _, kind in found.roots]
        places = [p for p, _ in found.roots]
        assert [p for p, _ in mirrored.roots] == pytest.approx(places, abs=1e-13)
        assert mirrored.dominates == ("second" if found.dominates else None)
        for p, _ in found.roots:
            near = [score(first, exact(f"{x:.15f}")) - score(second, exact(f"{x:.15f}"))
                    for x in (p - 1e-9, p + 1e-9)]  # fmt: skip
            assert abs(near[0]) + abs(near[1]) < 1e-7


@pytest.mark.parametrize(("length", "count"), [(200, 20), (1000, 12)])
def test_long_rankings_agree_with_a_sign_scan(length: int, count: int) -> None:
    rng = np.random.default_rng(length)
    points = [i / 512 for i in range(256, 512)]
    crossed = 0
    for _ in range(count):
        share = rng.uniform(0.05, 0.6)
        first, second = (
            "".join("1" if x else "0" for x in rng.random(length) < share) for _ in range(2)
        )
        found = rbp_crossings(first, second)
        roots = [p for p, kind in found.roots if kind == "cross"]
        crossed += len(roots)
        values = np.array(difference(first, second), dtype=float)
        signs = np.sign([np.polyval(values[::-1], p) for p in points])
        for i in np.flatnonzero(signs[1:] != signs[:-1]):
            assert any(points[i] <= p <= points[i + 1] for p in roots)
        for p in roots:  # each root really changes the sign
            units = round(p * 2**44)
            before, after = (sign_at(first, second, units + step) for step in (-20, 20))
            assert before == -after != 0
        assert len(roots) <= found.descartes_cum
    assert crossed > 5


def test_the_smallest_touching_and_crossing_pairs() -> None:
    assert rbp_crossings("100", "011").roots[0][0] == pytest.approx(
        (5**0.5 - 1) / 2, abs=1e-12
    )
    touching = rbp_crossings("100010011", "011001000")
    assert [kind for _, kind in touching.roots] == ["touch"]
    assert touching.roots[0][0] == pytest.approx(0.7548776662466927, abs=1e-12)
    assert touching.dominates == "first"
    assert [kind for _, kind in rbp_crossings("1000111", "0111000").roots] == ["cross"] * 2


def product(*factors: list[int]) -> list[int]:
    result = [1]
    for factor in factors:
        longer = [0] * (len(result) + len(factor) - 1)
        for i, a in enumerate(result):
            for j, b in enumerate(factor):
                longer[i + j] += a * b
        result = longer
    return result


@pytest.mark.parametrize(
    ("power", "kind"), [(1, "cross"), (2, "touch"), (3, "cross"), (4, "touch")]
)
def test_multiple_roots_are_told_apart_by_their_order(power: int, kind: str) -> None:
    """(1 - 2x)^m times something positive, as graded gains; also twice at 1."""
    factors = [[1, -2]] * power + [[1, -1]] * 2 + [[3, 1, 1]]
    assert roots_in_unit_interval(product(*factors)) == [
        (pytest.approx(0.5, abs=1e-12), kind)
    ]
    factors = [[2, 0, -3]] * power + [[1, -1]]
    root = pytest.approx((2 / 3) ** 0.5, abs=1e-12)
    assert roots_in_unit_interval(product(*factors)) == [(root, kind)]


def test_two_roots_closer_than_floats_see_are_both_found() -> None:
    big = 10**15
    roots = roots_in_unit_interval(product([big, -2 * big + 1], [big, -2 * big - 1]))
    assert [kind for _, kind in roots] == ["cross", "cross"]
    assert roots[1][0] - roots[0][0] == pytest.approx(0.5 / big, rel=0.3)
    # lifted by a hair the two vanish, and the curve neither crosses nor touches
    lifted = product([10**6, -2 * 10**6], [10**6, -2 * 10**6])
    lifted[0] += 1
    assert roots_in_unit_interval(lifted) == []


def test_thue_morse_rankings_have_no_false_root_beside_one() -> None:
    found = rbp_crossings("10010110", "01101001")
    assert (found.roots, found.dominates) == ((), "first")
    order = 7
    word = [bin(i).count("1") % 2 for i in range(2**order)]
    text = "".join(str(1 - bit) for bit in word)
    other = "".join(map(str, word))
    assert rbp_crossings(text, other).roots == ()  # seven zeros at p = 1, none inside


def test_the_shorter_ranking_is_padded_and_equal_ones_are_equal() -> None:
    assert rbp_crossings("$-", "$---") == rbp_crossings("10", "1000")
    equal = rbp_crossings("$-", "$---")
    assert (equal.dominates, equal.roots, equal.descartes) == ("equal", (), 0)
    assert rbp_crossings("$", "-$$").roots == rbp_crossings("$--", "-$$").roots


def test_grades_count_as_gains_on_one_scale() -> None:
    found = rbp_crossings("10", "02")  # gains 1/2 and 0 against 0 and 1
    assert found.roots == ((pytest.approx(0.5, abs=1e-12), "cross"),)
    judged = parse_relevance("10", top_grade=2), parse_relevance("02")
    assert rbp_crossings(*judged) == found
    assert rbp_crossings("3", "$").dominates == "equal"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("$-?", "$", "rbp_crossings: first, rank 3 is unjudged.*mark it \\$ or -"),
        ("$", "-?", "second, rank 2 is unjudged"),
        ("$z", "$", "rank 2: 'z' is not a judgment"),
        (["$"], "$", "first must be text or Judged; got list"),
    ],
)
def test_rankings_that_cannot_be_compared_are_refused(
    first: str, second: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        rbp_crossings(first, second)
