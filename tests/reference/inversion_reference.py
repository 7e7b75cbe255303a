"""Inverting an RBP score in exact rational arithmetic, slow and literal, and by enumeration.

Nothing here imports the library. Decimal inputs are taken at their decimal value, so that ties
such as 1 - 0.8 = 0.2 are ties. Section numbers are those of design/inversion.md.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Band = tuple[Fraction, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def exact(number: float | str) -> Fraction:
    """Return the decimal value of a number as printed."""
    return Fraction(str(number))


def score(marks: str, p: Fraction, relevant: str = "1", tail: int = 0) -> Fraction:
    """RBP of a vector; `tail` is the relevance of all later ranks."""
    total, weight = ZERO, 1 - p
    for mark in marks:
        total += weight * (mark in relevant)
        weight *= p
    return total + tail * p ** len(marks)


def depth(p: Fraction, delta: Fraction) -> int:
    ranks = 1
    while p**ranks >= delta / 2:
        ranks += 1
    return ranks


def band(s: Fraction, tau: Fraction) -> Band:
    return max(s - tau, ZERO), min(s + tau, ONE)


def gap(p: Fraction, s: Fraction) -> tuple[int, Fraction, Fraction] | None:
    """Gap of attainable scores that holds `s` (2.3); gaps narrower than 1e-12 do not count."""
    reached, mass, rank = ZERO, ONE, 1
    while reached < s < reached + mass and mass > Fraction(1, 10**12):
        if s > reached + mass * p:
            if s < reached + mass * (1 - p):
                return rank, reached + mass * p, reached + mass * (1 - p)
            reached += mass * (1 - p)
        mass *= p
        rank += 1
    return None


def attainable(p: Fraction, low: Fraction, high: Fraction, mass: Fraction) -> bool:
    """Whether a list of weight `mass` can score between low and high."""
    if high < 0 or low > mass:
        return False
    if 2 * p >= 1 or mass == 0:
        return True
    found = gap(p, max(low, ZERO) / mass)
    return found is None or found[2] * mass <= high


def walk(p: Fraction, limits: Band, ranks: int, prefer: int) -> tuple[str, list[int]]:
    """R_G (prefer 1) or R_L (prefer 0) and the choicepoints on the way (2.1)."""
    acc, mass, marks, choices = ZERO, ONE, "", []
    for rank in range(1, ranks + 1):
        weight, rest = mass * (1 - p), mass * p
        low, high = limits[0] - acc, limits[1] - acc
        one = attainable(p, low - weight, high - weight, rest)
        zero = attainable(p, low, high, rest)
        if one and zero:
            choices.append(rank)
        digit = prefer if one and zero else int(one)
        acc += digit * weight
        marks += str(digit)
        mass = rest
    return marks, choices


def invert(p: Fraction, s: Fraction, tau: Fraction, delta: Fraction) -> dict[str, object]:
    """Return the fields of a golden `invert` case (2.2)."""
    if s - tau > 1:
        return {"status": "out_of_range", "nearest_below": ONE}
    if s + tau < 0:
        return {"status": "out_of_range", "nearest_above": ZERO}
    ranks, limits = depth(p, delta), band(s, tau)
    hole = gap(p, min(max(s, ZERO), ONE)) if 2 * p < 1 else None
    if not attainable(p, *limits, ONE):
        assert hole is not None
        closer = hole[1] if s - hole[1] <= hole[2] - s else hole[2]
        return {
            "status": "infeasible_gap", "n": ranks, "gap_rank": hole[0],
            "gap_low": hole[1], "gap_high": hole[2], "nearest": closer,
        }  # fmt: skip
    greatest, choices_g = walk(p, limits, ranks, 1)
    least, choices_l = walk(p, limits, ranks, 0)
    both_0 = "both_0" if greatest[0] == "0" else "diverge"
    return {
        "status": "ok_within_tolerance" if hole else "ok",
        "n": ranks,
        "R_G": greatest,
        "R_L": least,
        "first_choicepoint": choices_g[0] if choices_g else None,
        "choicepoints_G": len(choices_g),
        "choicepoints_L": len(choices_l),
        "limit_p0": "both_1" if least[0] == "1" else both_0,
        "rbp_G": score(greatest, p),
        "rbp_L": score(least, p),
    }


def paper_envelope(p: Fraction, limits: Band, ranks: int, q: Fraction) -> Band:
    greatest, least = walk(p, limits, ranks, 1)[0], walk(p, limits, ranks, 0)[0]
    if q > p:
        return score(greatest, q), score(least, q, tail=1)
    return score(least, q), score(greatest, q)


def top_length(s: Fraction, p: Fraction) -> tuple[int, Fraction]:
    """(k, f) of the vector 1^k f 0 0 ... with this score (3.2), s < 1 and p > 0."""
    ones, missing = 0, ONE
    while missing * p >= 1 - s:
        missing *= p
        ones += 1
    return ones, (s - 1 + missing) / ((1 - p) * missing)


def prefix_fill(s: Fraction, p: Fraction, q: Fraction) -> Fraction:
    if s <= 0 or s >= 1:
        return min(max(s, ZERO), ONE)
    ones, part = top_length(s, p)
    return 1 - q**ones + part * (1 - q) * q**ones


def suffix_fill(s: Fraction, p: Fraction, q: Fraction) -> Fraction:
    return 1 - prefix_fill(1 - s, p, q)


def lp_envelope(p: Fraction, limits: Band, q: Fraction, ranks: int | None = None) -> Band:
    low, high = limits
    if q == p:
        return low, high
    mass, tail = (ZERO, ZERO) if ranks is None else (p**ranks, q**ranks)
    if q < p:
        return suffix_fill(low + mass, p, q) - tail, prefix_fill(high, p, q)
    return prefix_fill(low, p, q), suffix_fill(high + mass, p, q) - tail


def residual_lp(
    p: Fraction, s: Band, u: Band, q: Fraction, ranks: int | None
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Ranges of lower and upper score (4.3)."""
    low, high = s[0] + u[0], min(s[1] + u[1], ONE)
    if ranks is None:
        return (*lp_envelope(p, s, q), *lp_envelope(p, (low, high), q))
    beyond = p**ranks
    upper = lp_envelope(p, (low - beyond, high - beyond), q, ranks)
    return (*lp_envelope(p, s, q, ranks), upper[0] + q**ranks, upper[1] + q**ranks)


def triple_greedy(p: Fraction, s: Fraction, eps: Fraction, ranks: int, order: str) -> str:
    """Return the marks of 4.2; empty where the greedy rule gets stuck."""
    need, weight, marks = {"1": s, "?": eps, "0": 1 - s - eps}, 1 - p, ""
    for _ in range(ranks):
        mark = next((m for m in order if need[m] >= weight), None)
        if mark is None:
            return ""
        need[mark] -= weight
        weight *= p
        marks += mark
    return marks


Needs = tuple[Band, Band]  # what the ranks to come must weigh: relevant, unjudged


def _fractional(needs: Needs) -> bool:
    (low_1, high_1), (low_u, high_u) = needs
    return high_1 >= 0 and high_u >= 0 and max(low_1, ZERO) + max(low_u, ZERO) <= 1


def _child(needs: Needs, mark: str, p: Fraction) -> Needs:
    (low_1, high_1), (low_u, high_u) = needs
    one, unj = (1 - p) * (mark == "1"), (1 - p) * (mark == "?")
    return ((low_1 - one) / p, (high_1 - one) / p), ((low_u - unj) / p, (high_u - unj) / p)


def feasible(needs: Needs, p: Fraction, mass: Fraction = ONE) -> bool:
    """Whether some ranking meets the needs (rescaled), by going through all of them."""
    if not _fractional(needs):
        return False
    if 3 * p >= 2 or mass < Fraction(1, 10**9):
        return True
    (low_1, high_1), (low_u, _) = needs
    if low_u <= 0 and (low_1 <= 0 or (low_1 <= 1 <= high_1)):
        return True
    return any(feasible(_child(needs, mark, p), p, mass * p) for mark in "1?0")


def triple_maximum(
    p: Fraction, needs: Needs, q: Fraction, valued: str, eta: float
) -> float | None:
    """Greatest score at q of the valued classes, to within eta: three children a node (4.3)."""
    best = -1.0

    def mass_of(box: Needs) -> Fraction:
        (low_1, high_1), (low_u, high_u) = box
        low_1, low_u = max(low_1, ZERO), max(low_u, ZERO)
        return {
            "1": high_1,
            "1?": high_1 + high_u,
            "0": 1 - low_1 - low_u,
            "?0": 1 - low_1,
        }[valued]

    def bound(box: Needs) -> float:
        s = min(max(mass_of(box), ZERO), ONE)
        return float(prefix_fill(s, p, q) if q < p else suffix_fill(s, p, q))

    def visit(box: Needs, value: float, share: float) -> None:
        nonlocal best
        if value + share * bound(box) <= best + eta or not _fractional(box):
            return
        if share < eta / 2:
            if value > best and feasible(box, p):
                best = value
            return
        rest = [mark for mark in "1?0" if mark not in valued]
        for mark in [*valued, *rest] if q < p else [*rest, *valued]:
            gain = share * (1.0 - float(q)) * (mark in valued)
            visit(_child(box, mark, p), value + gain, share * float(q))

    visit(needs, 0.0, 1.0)
    return best if best >= 0.0 else None


def maximum(p: Fraction, limits: Band, q: Fraction, eta: float = 1e-6) -> float:
    """Greatest score at q of one binary ranking, to within eta (3.3), p >= 1/2 or a point set."""
    best = -1.0
    fill: Callable[[Fraction, Fraction, Fraction], Fraction]
    fill = prefix_fill if q < p else suffix_fill
    stack = [(*limits, 0.0, 1.0)]
    while stack:
        low, high, value, share = stack.pop()
        if not attainable(p, low, high, ONE):
            continue
        if value + share * float(fill(min(high, ONE), p, q)) <= best + eta:
            continue
        if high >= 1:
            best = max(best, value + share)
            continue
        if share < eta / 2:
            best = max(best, value)
            continue
        one = (
            (low - 1 + p) / p, (high - 1 + p) / p,
            value + share * (1 - float(q)), share * float(q),
        )  # fmt: skip
        zero = (low / p, high / p, value, share * float(q))
        stack += [zero, one] if q < p else [one, zero]
    return best


def exact_envelope(
    p: Fraction, limits: Band, q: Fraction, eta: float = 1e-6
) -> tuple[float, float]:
    complement = (1 - limits[1], 1 - limits[0])
    return 1.0 - maximum(p, complement, q, eta), maximum(p, limits, q, eta)


def count_band(p: Fraction, low: Fraction, high: Fraction, ranks: int) -> int:
    """Vectors of `ranks` ranks that score in [low, high], in whole numbers."""
    a, b = p.numerator, p.denominator
    weights = [(b - a) * a**i * b ** (ranks - 1 - i) for i in range(ranks)]
    rest = [sum(weights[i:]) for i in range(ranks + 1)]
    least, most = low * b**ranks, high * b**ranks
    count = 0
    stack = [(0, 0)]
    while stack:
        total, rank = stack.pop()
        if total > most or total + rest[rank] < least:
            continue
        if total >= least and total + rest[rank] <= most:
            count += 2 ** (ranks - rank)
            continue
        stack += [(total, rank + 1), (total + weights[rank], rank + 1)]
    return count


def binary_vectors(ranks: int) -> npt.NDArray[np.int8]:
    """All vectors, one row each, in lexicographic order."""
    codes = np.arange(2**ranks)
    return (codes[:, None] >> np.arange(ranks - 1, -1, -1) & 1).astype(np.int8)


def triple_vectors(ranks: int) -> npt.NDArray[np.int8]:
    """All vectors over 0 (nonrelevant), 1 (relevant) and 2 (unjudged)."""
    codes = np.arange(3**ranks)
    return (codes[:, None] // 3 ** np.arange(ranks - 1, -1, -1) % 3).astype(np.int8)


def scores(vectors: npt.NDArray[np.generic], p: float) -> Floats:
    """RBP of each row, nothing relevant after its end."""
    weights = (1.0 - p) * p ** np.arange(vectors.shape[-1])
    result: Floats = vectors.astype(np.float64) @ weights
    return result


def lp_value(s: Floats, p: float, q: float, *, top: bool) -> Floats:
    """Score at q of the vectors with all mass at the top or at the bottom, for many scores."""
    s = np.clip(s if top else 1.0 - s, 0.0, 1.0)
    ones = np.floor(np.log(np.maximum(1.0 - s, 1e-300)) / np.log(p))
    after = p**ones
    part = np.clip((s - 1.0 + after) / ((1.0 - p) * after), 0.0, 1.0)
    value = np.where(s >= 1.0, 1.0, 1.0 - q**ones + part * (1.0 - q) * q**ones)
    return value if top else 1.0 - value


def difference(first: str, second: str) -> list[int]:
    length = max(len(first), len(second))
    pairs = zip(first.ljust(length, "0"), second.ljust(length, "0"), strict=True)
    return [int(r) - int(s) for r, s in pairs]


Polynomial = list[Fraction]


def _trim(values: Polynomial) -> Polynomial:
    while values and values[-1] == 0:
        values = values[:-1]
    return values


def _remainder(a: Polynomial, b: Polynomial) -> Polynomial:
    a = list(a)
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        for i, value in enumerate(b):
            a[len(a) - len(b) + i] -= factor * value
        a = _trim(a[:-1])
    return a


def _at(values: Polynomial, x: Fraction) -> Fraction:
    total = ZERO
    for value in reversed(values):
        total = total * x + value
    return total


def _sturm(values: Polynomial) -> list[Polynomial]:
    chain = [values, [i * value for i, value in enumerate(values)][1:]]
    while chain[-1]:
        chain.append([-value for value in _remainder(chain[-2], chain[-1])])
    return chain[:-1]


def _changes(chain: list[Polynomial], x: Fraction) -> int:
    signs = [value > 0 for value in (_at(poly, x) for poly in chain) if value]
    return sum(a != b for a, b in pairwise(signs))


def count_roots(differences: list[int]) -> tuple[int, int]:
    """Distinct roots in (0, 1) of sum d_i x^(i-1), and how many of them change the sign.

    Sturm's theorem, after the zeros at 0 and 1 are divided out; a root changes the sign where
    its multiplicity is odd, that is, where it is a root of an odd number of the polynomials in
    the chain D, gcd(D, D'), gcd of that and its derivative, ...
    """
    values = _trim([Fraction(value) for value in differences])
    while values and values[0] == 0:
        values = values[1:]
    while values and sum(values) == 0:
        total, sums = ZERO, []
        for value in values[:-1]:
            total += value
            sums.append(total)
        values = _trim(sums)
    counts = []
    while len(values) > 1:
        chain = _sturm(values)
        counts.append(_changes(chain, ZERO) - _changes(chain, ONE))
        values = chain[-1]
    # counts[k] roots have multiplicity above k
    counts.append(0)
    odd = sum(counts[k] - counts[k + 1] for k in range(0, len(counts) - 1, 2))
    return counts[0], odd


def all_pairs(length: int) -> Iterator[tuple[str, str]]:
    """Pairs of binary rankings that differ in every way the first difference allows once."""
    for signs in product((-1, 0, 1), repeat=length - 1):
        first = "1" + "".join("1" if sign > 0 else "0" for sign in signs)
        second = "0" + "".join("1" if sign < 0 else "0" for sign in signs)
        yield first, second
