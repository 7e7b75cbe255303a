"""Where the RBP curves of two known rankings cross, touch or keep their order."""

from itertools import accumulate, pairwise, zip_longest
from math import ceil, lcm
from typing import Final, Literal, TypeAlias

from core.errors import InputError
from core.inversion.polynomial import Root, roots_in_unit_interval
from core.inversion.results import Crossings
from core.judged import UNJUDGED, Judged
from core.relevance import parse_relevance

Dominance: TypeAlias = Literal["first", "second", "equal"] | None
_CALLER: Final = "rbp_crossings"


def rbp_crossings(first: str | Judged, second: str | Judged) -> Crossings:
    r"""Find the persistences at which two rankings have the same RBP score.

    The difference of the scores is :math:`(1-p) D(p)` with
    :math:`D(p) = \sum_i (r_i - s_i) p^{i-1}`; its roots in (0, 1) are isolated by interval
    bounds and settled exactly (design/inversion.md, section 8). The number of crossings is at
    most the number of sign changes of :math:`r_i - s_i` (Descartes), and also of its running
    sums, which is never more.

    Parameters
    ----------
    first, second : str or Judged
        Two rankings, fully judged, in the order in which they are written; the shorter is padded
        with nonrelevant documents. Grades count as gains (grade over top grade; two texts
        share the larger top grade).

    Returns
    -------
    Crossings

    Raises
    ------
    InputError
        A ranking has unjudged documents, is a batch of rankings or cannot be read.

    Examples
    --------
    >>> [(round(p, 6), kind) for p, kind in rbp_crossings("$--", "-$$").roots]
    [(0.618034, 'cross')]
    >>> rbp_crossings("$--$", "-$$-").dominates
    'first'
    """
    gains = _gains(first, second)
    whole = [r - s for r, s in zip_longest(*gains, fillvalue=0)]
    roots = roots_in_unit_interval(whole)
    return Crossings(
        roots=tuple(roots),
        dominates=_dominance(whole, roots),
        descartes=_sign_changes(whole),
        descartes_cum=_sign_changes(list(accumulate(whole))),
    )


def _gains(first: object, second: object) -> list[list[int]]:
    """Return the gains by rank of the two rankings as whole numbers of one small unit."""
    read = [_judged(first, "first", None), _judged(second, "second", None)]
    top = max(ceil(ranking.top_grade) for ranking in read)
    rankings = [
        ranking if ranking.top_grade == top else _judged(given, name, top)
        for ranking, given, name in zip(
            read, (first, second), ("first", "second"), strict=True
        )
    ]
    scales = [_whole_grades(ranking) for ranking in rankings]
    gains = []
    for ranking, grades, other in zip(rankings, scales, reversed(scales), strict=True):
        table = [grade * other[-1] for grade in grades] + [0, 0]  # past the end: code -2
        gains.append([table[code] for code in ranking.grades.tolist()])
    return gains


def _whole_grades(ranking: Judged) -> list[int]:
    """Return the grades of a scale times their common denominator."""
    ratios = [value.as_integer_ratio() for value in ranking.values.tolist()]
    common = lcm(*(denominator for _, denominator in ratios))
    return [numerator * common // denominator for numerator, denominator in ratios]


def _judged(ranking: object, name: str, top_grade: int | None) -> Judged:
    """Read one ranking, text with the top grade given, and refuse what cannot be compared."""
    if isinstance(ranking, str):
        judged = parse_relevance(ranking, top_grade=top_grade)
    elif isinstance(ranking, Judged):
        judged = ranking
    else:
        msg = f"{_CALLER}: {name} must be text or Judged; got {type(ranking).__name__}."
        raise InputError(msg)
    if judged.grades.ndim != 1:
        msg = f"{_CALLER}: {name} must be one ranking; got a batch of shape {judged.grades.shape}."
        raise InputError(msg)
    codes = judged.grades.tolist()
    if UNJUDGED in codes:
        msg = (
            f"{_CALLER}: {name}, rank {codes.index(UNJUDGED) + 1} is unjudged, so its score is a "
            f"range and not a curve. Judge it, or mark it $ or -."
        )
        raise InputError(msg)
    return judged


def _dominance(differences: list[int], roots: list[Root]) -> Dominance:
    """Near p = 0 the first difference decides; without a crossing it decides everywhere."""
    leading = next((value for value in differences if value), 0)
    if leading == 0:
        return "equal"
    if any(kind == "cross" for _, kind in roots):
        return None
    return "first" if leading > 0 else "second"


def _sign_changes(values: list[int]) -> int:
    signs = [value > 0 for value in values if value]
    return sum(before != after for before, after in pairwise(signs))
