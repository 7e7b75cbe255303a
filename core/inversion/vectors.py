"""The lexicographically greatest and least relevance vectors of one score (R_G and R_L)."""

from core.inversion.results import Inversion, Limit
from core.inversion.scores import (
    GUARD,
    MAX_RANKS,
    Band,
    band_of,
    check_tolerance,
    depth_of,
    find_gap,
    reachable,
    score_vector,
)
from core.validation import check_number, check_positive


def invert_rbp(
    score: float, p: float, *, tolerance: float | None = None, precision: float = 1e-4
) -> Inversion:
    r"""Find the greatest and the least ranking that have this RBP score.

    With :math:`con(i) = (1-p)p^{i-1}` the weight of rank `i` and :math:`rem(i) = p^i` that of
    all later ranks, rank `i` is 0 where ``acc + con(i)`` exceeds the score and 1 where
    ``acc + rem(i)`` falls short of it; otherwise it is a choicepoint, where R_G takes 1 and R_L
    takes 0 (ZPM 2008, section 4.1, with the infinite tail; design/inversion.md, section 2).

    Parameters
    ----------
    score : float
        The published score; any finite number.
    p : float
        Its persistence; any finite number, the status is ``bad_p`` outside [0, 1).
    tolerance : float, optional
        Half-width of the band around the score; by default ``precision / 2``. Use 0 for a score
        computed from a known ranking.
    precision : float, default 1e-4
        Unit of the last printed place; sets the length of the vectors (`inversion_depth`, at
        most 100,000 ranks). Below 1e-8 the last ranks are within rounding error.

    Returns
    -------
    Inversion
        An impossible score is a result too: its status says why and `nearest` what is possible.

    References
    ----------
    .. [1] Y. Zhang, L. A. F. Park and A. Moffat, "Parameter sensitivity in rank-biased
       precision", ADCS 2008.

    Examples
    --------
    >>> found = invert_rbp(0.5, 0.5, precision=0.01)
    >>> found.greatest, found.least, found.first_choicepoint
    ('10000001', '01111110', 1)
    >>> invert_rbp(0.5, 0.2).gap
    (1, 0.2, 0.8)
    """
    score = check_number("score", score, caller="invert_rbp")
    p = check_number("p", p, caller="invert_rbp")
    precision = check_positive("precision", precision, caller="invert_rbp")
    if tolerance is None:
        tolerance = precision / 2.0
    tolerance = check_tolerance("tolerance", tolerance, caller="invert_rbp")
    if not 0.0 <= p < 1.0:
        return Inversion("bad_p")
    depth = min(depth_of(p, precision), MAX_RANKS)
    if score - tolerance > 1.0 + GUARD:
        return Inversion("out_of_range", depth, nearest=(1.0, None))
    if score + tolerance < -GUARD:
        return Inversion("out_of_range", depth, nearest=(None, 0.0))
    band = band_of(score, tolerance)
    gap = find_gap(p, min(max(score, 0.0), 1.0)) if p < 0.5 else None
    nearest = None if gap is None else (gap[1], gap[2])
    if not reachable(p, *band, 1.0):
        return Inversion("infeasible_gap", depth, gap=gap, nearest=nearest)
    greatest, choices_greatest = extreme_vector(p, band, depth, prefer=1)
    least, choices_least = extreme_vector(p, band, depth, prefer=0)
    return Inversion(
        status="ok" if gap is None else "ok_within_tolerance",
        depth=depth,
        greatest=greatest,
        least=least,
        score_greatest=score_vector(greatest, p),
        score_least=score_vector(least, p),
        first_choicepoint=choices_greatest[0] if choices_greatest else None,
        choicepoints_greatest=len(choices_greatest),
        choicepoints_least=len(choices_least),
        limit=_limit(greatest, least),
        gap=gap,
        nearest=nearest,
    )


def extreme_vector(
    p: float, band: Band, depth: int, *, prefer: int
) -> tuple[str, list[int]]:
    """Walk down the ranks, taking `prefer` where both are open; return the open ranks too."""
    low, high = band
    mass = 1.0
    marks: list[str] = []
    open_ranks: list[int] = []
    for rank in range(1, depth + 1):
        weight, rest = mass * (1.0 - p), mass * p
        one = reachable(p, low - weight, high - weight, rest)
        if one and reachable(p, low, high, rest):
            open_ranks.append(rank)
            one = prefer == 1
        if one:
            low -= weight
            high -= weight
        marks.append("1" if one else "0")
        mass = rest
    return "".join(marks), open_ranks


def _limit(greatest: str, least: str) -> Limit:
    """Say where the scores go as p tends to 0: only rank 1 counts there."""
    if least.startswith("1"):
        return "both_1"
    return "both_0" if greatest.startswith("0") else "diverge"
