"""What the page Choosing p says."""

from core import Score, UserWalks
from dashboard.sentences.common import certain_words, decimals


def odds(chance: float) -> str:
    """Say a chance as so many users in a hundred, or one in so many."""
    if chance >= 0.095:
        return f"{100 * chance:.0f} users in 100"
    if chance > 1e-6:
        return f"one user in {1 / chance:,.0f}"
    return "next to nobody" if chance > 0 else "nobody"


def choosing_p(  # noqa: PLR0913 - so many numbers are on screen
    *,
    expected: float,
    page2: float,
    depth: int,
    residual: float,
    certain: int,
    digits: int,
    needed: int,
) -> str:
    """Say how far the user reads, what the depth leaves open, and what the decimals cost."""
    left = "less than 0.0001" if residual < 0.0001 else f"{residual:.4f}"
    return (
        f"This user reads {expected:.1f} documents on average, and {odds(page2)} turn"
        f"{'' if page2 >= 0.095 else 's'} to a second page of ten results. Judging to "
        f"depth {depth} leaves {left if residual else 'nothing'} of the score open "
        f"({certain_words(certain)}); for {decimals(digits)}, judge to depth {needed:,}."
    )


def walk(walks: UserWalks, *, seed: int, rbp: float) -> str:
    """Say where the first users stopped, and how near the average of all is to RBP."""
    users = len(walks.stopped)
    *others, last = [str(rank) for rank in walks.stopped[:5]]
    ranks = f"ranks {', '.join(others)} and {last}" if others else f"rank {last}"
    who = "one user" if users == 1 else f"the first of {users:,} users"
    return (
        f"With seed {seed}, {who} stopped at {ranks}. They read {walks.stopped.mean():.2f} "
        f"documents on average; what they found comes to {walks.running_mean[-1]:.4f}, and RBP "
        f"is {rbp:.4f}."
    )


def two_chances(both: Score, plain: Score, *, p: float, expected: float) -> str:
    """Say how a user scores who reads on differently after a relevant document."""
    return (
        f"This user reads {expected:.1f} documents of this ranking on average and scores it "
        f"{_range(both)}; with p = {p:g} throughout it is {_range(plain)}."
    )


def _range(score: Score) -> str:
    low, high = f"{score.lower:.4f}", f"{score.upper:.4f}"
    return low if low == high else f"between {low} and {high}"
