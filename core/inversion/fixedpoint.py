"""Zeros of a polynomial with whole coefficients on a narrow box, in whole-number arithmetic.

A number in [0, 1] is a whole number of units of ``2^-320``, so that neither cancellation nor a
multiple root is out of reach.
"""

import math
from typing import Final

BITS: Final = 320
ONE: Final = 1 << BITS
_ZERO: Final = ONE >> 140  # a smaller value at a turning point (7e-43) is taken for a root
_DEEPEST: Final = 6  # derivatives looked at before a box is halved instead


def fixed(number: float) -> int:
    """Return a float of [0, 1] in fixed point."""
    return int(math.ldexp(number, 64)) << (BITS - 64)


def as_float(number: int) -> float:
    """Return a fixed-point number as a float."""
    return number / ONE


def evaluate(polynomial: list[int], x: int) -> int:
    """Return the value at `x` in fixed point (Horner's rule)."""
    total = 0
    for coefficient in reversed(polynomial):
        total = (total * x >> BITS) + (coefficient << BITS)
    return total


def derivative(polynomial: list[int]) -> list[int]:
    """Return the coefficients of the derivative."""
    return [power * value for power, value in enumerate(polynomial)][1:]


def sign(value: int) -> int:
    """Return -1, 0 or 1; rounding errors of `evaluate` count as 0."""
    if abs(value) < 1 << 32:
        return 0
    return 1 if value > 0 else -1


def bracketed(polynomial: list[int], low: int, high: int, *, bits: int = 160) -> int:
    """Return the zero between two points where the signs differ (Illinois false position)."""
    at_low, at_high = evaluate(polynomial, low), evaluate(polynomial, high)
    side = 0
    while high - low > ONE >> bits:
        x = low + (high - low) * at_low // (at_low - at_high)
        margin = max(
            (high - low) >> 12, 1
        )  # stay off the ends, so that the box does shrink
        x = min(max(x, low + margin), high - margin)
        value = evaluate(polynomial, x)
        if value == 0:
            return x
        if (value > 0) == (at_low > 0):
            low, at_low = x, value
            at_high = at_high // 2 if side < 0 else at_high
            side = -1
        else:
            high, at_high = x, value
            at_low = at_low // 2 if side > 0 else at_low
            side = 1
    return (low + high) // 2


def turning_points(polynomial: list[int], low: int, high: int, order: int = 0) -> list[int]:
    """Return points between which the polynomial is monotone on the box."""
    slope = derivative(polynomial)
    if not slope or _has_no_zero(slope, low, high):
        return []
    if order >= _DEEPEST and high - low > ONE >> 200:
        middle = (low + high) // 2
        return [
            *turning_points(polynomial, low, middle),
            middle,
            *turning_points(polynomial, middle, high),
        ]
    return zeros(slope, low, high, order + 1)


def zeros(polynomial: list[int], low: int, high: int, order: int = 0) -> list[int]:
    """Return the zeros on a box, each once."""
    points = [low, *turning_points(polynomial, low, high, order), high]
    signs = [near_sign(polynomial, x) for x in points]
    found = [x for x, here in zip(points, signs, strict=True) if here == 0]
    found += [
        bracketed(polynomial, points[i], points[i + 1])
        for i in range(len(points) - 1)
        if signs[i] * signs[i + 1] < 0
    ]
    return sorted(set(found))


def near_sign(polynomial: list[int], x: int) -> int:
    """Return the sign at `x`, 0 where the value is too small to be anything but a root."""
    value = evaluate(polynomial, x)
    return 0 if abs(value) < _ZERO else sign(value)


def _has_no_zero(polynomial: list[int], low: int, high: int) -> bool:
    """Mean value theorem: the value in the middle is more than the slope can undo."""
    slope = [abs(value) for value in derivative(polynomial)]
    steepest = evaluate(slope, high)
    return abs(evaluate(polynomial, (low + high) // 2)) > (high - low) * steepest >> BITS
