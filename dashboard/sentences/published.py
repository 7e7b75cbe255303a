"""What the page Two papers, two p says."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.inversion import Inversion, ReportedRBP, Verdict
from dashboard.sentences.common import count


@dataclass(frozen=True)
class Told:
    """A published score and what follows from it, to be said."""

    name: str
    reported: ReportedRBP
    digits: int
    found: Inversion
    rankings: str  # how many share the score, in words
    at: float  # another p, and the range there
    low: float
    high: float

    @property
    def printed(self) -> str:
        """The score as it was printed, with its p."""
        residual = self.reported.residual
        more = f" with residual {residual:.{self.digits}f}" if residual else ""
        return f"{self.reported.score:.{self.digits}f}{more} at p = {self.reported.p:.4g}"


def two_papers(told: Sequence[Told], verdict: Verdict | None) -> str:
    """Say what one published score tells, or which of two systems is better and where."""
    wrong = [_impossible(one) for one in told if _is_impossible(one)]
    if wrong:
        rest = " So there is nothing to compare." if len(told) > 1 else ""
        return " ".join(wrong) + rest
    if verdict is None or len(told) == 1:
        return _one_score(told[0])
    a, b = told
    opening = f"A scored {a.printed}, B {b.printed}."
    return f"{opening} {verdict_words(verdict)}"


def verdict_words(verdict: Verdict) -> str:
    """Say which system is better, and for which p that holds."""
    (low_a, high_a), (low_b, high_b) = verdict.intervals
    where = f"at p = {verdict.at:.4g}"
    if verdict.winner is None:
        return (
            f"Nobody can tell from this which is better: {where}, A {_between(low_a, high_a)} "
            f"and B {_between(low_b, high_b)}."
        )
    loser = "B" if verdict.winner == "A" else "A"
    least, most = (low_a, high_b) if verdict.winner == "A" else (low_b, high_a)
    reason = (
        f"{verdict.winner} has at least {least:.3f} there and {loser} at most {most:.3f}"
    )
    if (
        verdict.holds_between is not None
        and verdict.holds_between[0] < verdict.holds_between[1]
    ):
        low, high = verdict.holds_between
        return (
            f"{verdict.winner} is better at every p from {low:.4g} to {high:.4g}, whatever the "
            f"rankings were: {where}, {reason}."
        )
    return (
        f"{where.capitalize()} {verdict.winner} is better, whatever the rankings were: "
        f"{reason}. This says nothing about other p."
    )


def _between(low: float, high: float) -> str:
    if high - low < 0.0015:
        return f"has {(low + high) / 2.0:.3f}"
    return f"has anything from {low:.3f} to {high:.3f}"


def _one_score(one: Told) -> str:
    there = f"at p = {one.at:.4g}"
    if one.reported.mean:
        return (
            f"A mean of {one.printed} has no single ranking behind it, but {there} it is "
            f"between {one.low:.3f} and {one.high:.3f}, whatever the topics were."
        )
    return (
        f"{_opening(one)} {_fixed(one.found)}, {one.rankings} relevance vectors of "
        f"{count(one.found.depth or 0, 'rank')} share it, and {there} it could be anything from "
        f"{one.low:.3f} to {one.high:.3f}."
    )


def _opening(one: Told) -> str:
    if one.found.status != "ok_within_tolerance":
        return f"The score {one.printed}"
    below, above = one.found.nearest or (None, None)
    return (
        f"No ranking has exactly the score {one.printed}, since there is none between "
        f"{below:.6g} and {above:.6g}, but one rounds to it. It"
    )


def _fixed(found: Inversion) -> str:
    if found.first_choicepoint is None:
        return "fixes every rank"
    fixed = found.first_choicepoint - 1
    if fixed == 0:
        return "fixes not even rank 1"
    return "fixes rank 1" if fixed == 1 else f"fixes the first {count(fixed, 'rank')}"


def _is_impossible(one: Told) -> bool:
    if one.reported.mean:
        return False
    return one.found.status not in ("ok", "ok_within_tolerance") or math.isnan(one.low)


def _impossible(one: Told) -> str:
    """Say why no ranking has the score, and which are the nearest that some ranking has."""
    p, status = one.reported.p, one.found.status
    if status == "bad_p":
        return (
            f"{one.name}: p = {p:g} is no persistence; it must be at least 0 and below 1."
        )
    if status == "infeasible_gap" and one.found.gap is not None:
        rank, low, high = one.found.gap
        return (
            f"No ranking has the score {one.printed} ({one.name}): the nearest are {low:.4f} and "
            f"{high:.4f}. Below p = 0.5 a rank weighs more than all later ranks together, and "
            f"rank {rank} leaves this gap. A mean over topics can lie in it."
        )
    if status == "out_of_range":
        nearest = next(value for value in one.found.nearest or (0.0,) if value is not None)
        return (
            f"No ranking has the score {one.printed} ({one.name}): RBP lies between 0 and 1, so "
            f"the nearest is {nearest:g}."
        )
    return (
        f"No ranking has both the score {one.printed} ({one.name}) and the residual "
        f"{one.reported.residual:.{one.digits}f}: each rank is wholly relevant, wholly unjudged "
        f"or neither. A mean over topics can have them."
    )
