"""Checks shared by the library; every message names caller, rule and value."""

import math
from numbers import Integral, Real

from core.errors import ParameterError


def check_number(name: str, value: object, *, caller: str) -> float:
    """Return `value` as a float, or raise `ParameterError` unless it is a finite number."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:  # a whole number beyond all doubles
        number = math.inf
    if isinstance(value, bool) or not math.isfinite(number):
        msg = f"{caller}: {name} must be a finite number; got {_short(value)}."
        raise ParameterError(msg)
    return number


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def check_half_open_unit(name: str, value: object, *, caller: str) -> float:
    """Return `value` as a float, or raise `ParameterError` unless ``0 <= value < 1``."""
    number = check_number(name, value, caller=caller)
    if not 0.0 <= number < 1.0:
        msg = f"{caller}: {name} must be at least 0 and below 1; got {value!r}."
        raise ParameterError(msg)
    return number


def check_positive(name: str, value: object, *, caller: str) -> float:
    """Return `value` as a float, or raise `ParameterError` unless it is above 0."""
    number = check_number(name, value, caller=caller)
    if number <= 0.0:
        msg = f"{caller}: {name} must be above 0; got {value!r}."
        raise ParameterError(msg)
    return number


def check_whole(
    name: str, value: object, *, caller: str, least: int = 1, most: int | None = None
) -> int:
    """Return `value` as an int; raise `ParameterError` unless whole and in range."""
    allowed = f"a whole number of at least {least}"
    if most is not None:
        allowed += f" and at most {most:,}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        msg = f"{caller}: {name} must be {allowed}; got {value!r}."
        raise ParameterError(msg)
    number = int(value)
    if number < least or (most is not None and number > most):
        msg = f"{caller}: {name} must be {allowed}; got {value!r}."
        raise ParameterError(msg)
    return number
