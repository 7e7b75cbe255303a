"""Roots in (0, 1) of a polynomial with whole coefficients, crossing and touching told apart.

Boxes are ruled out by bounds that hold in floating point: with `P` and `N` the sums of the
positive and of the negative terms, both grow on [0, 1], so ``P(a) - N(b) <= D <= P(b) - N(a)`` on
a box [a, b], and likewise for the derivative. What is left over is settled in whole-number
arithmetic. No companion matrix: its eigenvalues put false roots beside a multiple one at 1.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.inversion.fixedpoint import (
    ONE,
    as_float,
    bracketed,
    evaluate,
    fixed,
    near_sign,
    sign,
    turning_points,
)
from core.inversion.results import Floats

Kind: TypeAlias = Literal["cross", "touch"]
Root: TypeAlias = tuple[float, Kind]
Box: TypeAlias = tuple[float, float]

_NARROW: Final = 1e-6  # boxes below this width are settled in fixed point
_EPSILON: Final = 4e-16
_CLOSE: Final = ONE >> 44  # 6e-14: how near the floating-point root must be


def roots_in_unit_interval(coefficients: Sequence[int]) -> list[Root]:
    """Return the roots in (0, 1) in ascending order; `coefficients` start with the constant."""
    whole = _without_ends(coefficients)
    if len(whole) <= 1:
        return []
    floats = _FloatBounds(whole)
    monotone, unclear = _isolate(whole, floats)
    roots: list[Root] = []
    for box in monotone:
        roots += _simple_root(whole, floats, box)
    for low, high in _merged(unclear):
        roots += _roots_between(whole, fixed(low), fixed(high))
    return sorted(set(roots))


def _without_ends(coefficients: Sequence[int]) -> list[int]:
    """Remove the zeros at 0 and at 1; the latter by dividing by ``1 - x``."""
    kept = list(coefficients)
    start = next((i for i, value in enumerate(kept) if value), len(kept))
    kept = _trimmed(kept[start:])
    while kept and sum(kept) == 0:
        kept = _trimmed(list(accumulate(kept))[:-1])
    return kept


def _trimmed(coefficients: list[int]) -> list[int]:
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return coefficients


class _FloatBounds:
    """Bounds of a polynomial and of its derivative on boxes, rounding errors included."""

    def __init__(self, polynomial: list[int]) -> None:
        largest = max(abs(value) for value in polynomial)
        values = np.array([value / largest for value in polynomial])
        self._degree = np.arange(len(values), dtype=np.float64)
        slopes = np.append(values[1:] * self._degree[1:], 0.0)
        parts = [values, -values, slopes, -slopes]
        self._terms = np.maximum(np.stack(parts, axis=1), 0.0)
        self._pad = _EPSILON * (len(values) + 4)

    def at(self, points: Floats) -> Floats:
        """Return P, N, P' and N' at the points, one row each."""
        powers = np.exp(np.log(points)[:, None] * self._degree)
        rows: Floats = powers @ self._terms
        return rows

    def excludes_zero(
        self, left: Floats, right: Floats, part: int
    ) -> npt.NDArray[np.bool_]:
        """Tell where D (part 0) or D' (part 2) has no zero between two rows of `at`."""
        slack = self._pad * (right[:, part] + right[:, part + 1])
        least = left[:, part] - right[:, part + 1] - slack
        most = right[:, part] - left[:, part + 1] + slack
        result: npt.NDArray[np.bool_] = (least > 0.0) | (most < 0.0)
        return result

    def too_far(
        self, width: Floats, left: Floats, middle: Floats, right: Floats
    ) -> npt.NDArray[np.bool_]:
        """Tell where D cannot come down to 0 from its value in the middle (mean value)."""
        steepest = np.maximum(right[:, 2] - left[:, 3], right[:, 3] - left[:, 2])
        reach = width / 2.0 * (1.0 + 1e-9) * steepest
        slack = (
            2.0
            * self._pad
            * (right[:, 0] + right[:, 1] + width * (right[:, 2] + right[:, 3]))
        )
        result: npt.NDArray[np.bool_] = np.abs(middle[:, 0] - middle[:, 1]) > reach + slack
        return result

    def newton(self, box: Box) -> float:
        """Return the zero of D on a box where it is monotone, to rounding error."""
        low, high = box
        x = (low + high) / 2.0
        for _ in range(60):
            positive, negative, up, down = self.at(np.array([x]))[0]
            value, slope = positive - negative, up - down
            if (value > 0.0) == (slope > 0.0):
                high = x
            else:
                low = x
            step = x - value / slope if slope else low
            step = step if low < step < high else (low + high) / 2.0
            moved, x = abs(step - x), step
            if moved < 1e-15:
                break
        return x


def _isolate(polynomial: list[int], floats: _FloatBounds) -> tuple[list[Box], list[Box]]:
    """Find boxes on which D is monotone, and narrow ones that floats leave unclear."""
    first, largest = abs(polynomial[0]), max(abs(value) for value in polynomial)
    grid = np.linspace(
        first / (first + largest) * (1.0 - 1e-9), 1.0, 17
    )  # Cauchy: none below
    rows = floats.at(grid)
    low, high, left, right = grid[:-1], grid[1:], rows[:-1], rows[1:]
    monotone: list[Box] = []
    unclear: list[Box] = []
    while len(low):
        middle = (low + high) / 2.0
        centre = floats.at(middle)
        empty = floats.excludes_zero(left, right, 0)
        empty |= floats.too_far(high - low, left, centre, right)
        straight = ~empty & floats.excludes_zero(left, right, 2)
        narrow = ~empty & ~straight & (high - low < _NARROW)
        monotone += zip(low[straight].tolist(), high[straight].tolist(), strict=True)
        unclear += zip(low[narrow].tolist(), high[narrow].tolist(), strict=True)
        halve = ~(empty | straight | narrow)
        low, middle, high = low[halve], middle[halve], high[halve]
        left, centre, right = left[halve], centre[halve], right[halve]
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        left, right = np.concatenate([left, centre]), np.concatenate([centre, right])
    return monotone, unclear


def _simple_root(polynomial: list[int], floats: _FloatBounds, box: Box) -> list[Root]:
    """Return the root on a box where D is monotone, if there is one."""
    low, high = fixed(box[0]), fixed(box[1])
    guess = fixed(floats.newton(box))
    near = max(guess - _CLOSE, low), min(guess + _CLOSE, high)
    signs = sign(evaluate(polynomial, near[0])), sign(evaluate(polynomial, near[1]))
    if signs[0] * signs[1] < 0:
        return _inside(as_float(guess), "cross")
    low_sign, high_sign = sign(evaluate(polynomial, low)), sign(evaluate(polynomial, high))
    if low_sign * high_sign > 0:
        return []
    for x, here in ((low, low_sign), (high, high_sign)):
        if here == 0:
            return _inside(as_float(x), "cross")
    return _inside(as_float(bracketed(polynomial, low, high)), "cross")


def _inside(x: float, kind: Kind) -> list[Root]:
    return [(x, kind)] if 0.0 < x < 1.0 else []


def _merged(boxes: list[Box]) -> list[Box]:
    """Join boxes that share an end."""
    joined: list[Box] = []
    for low, high in sorted(boxes):
        if joined and joined[-1][1] >= low:
            joined[-1] = joined[-1][0], high
        else:
            joined.append((low, high))
    return joined


def _roots_between(polynomial: list[int], low: int, high: int) -> list[Root]:
    """Return the roots on a narrow box from the signs at its turning points."""
    points = sorted({low, *turning_points(polynomial, low, high), high})
    signs = [near_sign(polynomial, x) for x in points]
    roots: list[Root] = []
    for (left, right), (before, after) in zip(
        pairwise(points), pairwise(signs), strict=True
    ):
        if before * after < 0:
            roots += _inside(as_float(bracketed(polynomial, left, right)), "cross")
    for i, x in enumerate(points):
        if signs[i] == 0:
            before = next((s for s in reversed(signs[:i]) if s), 0)
            after = next((s for s in signs[i + 1 :] if s), 0)
            roots += _inside(as_float(x), "touch" if before == after else "cross")
    return roots
