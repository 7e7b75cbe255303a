"""Words that several pages share: counts, lists, decimals."""

from collections.abc import Sequence

_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)


def count(number: int, noun: str) -> str:
    """Say how many there are: small numbers as words."""
    word = _WORDS[number] if number < len(_WORDS) else f"{number:,}"
    return f"{word} {noun}{'' if number == 1 else 's'}"


def decimals(number: int) -> str:
    """Say how many decimals: "one decimal", "no decimals"."""
    return count(number, "decimal")


def certain_words(number: int) -> str:
    """Say how many decimals are certain, up to the four that are shown."""
    if number == 0:
        return "no decimal certain"
    return f"{decimals(number) if number <= 4 else 'more than four decimals'} certain"


def listed(parts: Sequence[str]) -> str:
    """Join words: "a", "a and b", "a, b and c"."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
