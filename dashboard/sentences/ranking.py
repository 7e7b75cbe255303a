"""What the page One ranking says."""

import math

from core import Score
from dashboard.sentences.common import count


def one_ranking(*, rbp: Score, ap: Score, depth: int, unjudged: int, num_rel: int) -> str:
    """Say what the unjudged documents and the unseen ones can do to RBP and AP."""
    low, high = float(rbp.lower), float(rbp.upper)
    if unjudged:
        subject = (
            "Whatever the open document turns out to be"
            if unjudged == 1
            else f"Whatever the {count(unjudged, 'open document')} turn out to be"
        )
        first = f"{subject}, RBP is between {low:.3f} and {high:.3f}."
    else:
        documents = (
            "The document is" if depth == 1 else f"All {count(depth, 'document')} are"
        )
        first = (
            f"{documents} judged: RBP is {low:.4f}, and everything below rank {depth} can add "
            f"{high - low:.4f} at the most."
        )
    return f"{first} {_about_ap(ap, unjudged=unjudged, num_rel=num_rel)}"


def _about_ap(ap: Score, *, unjudged: int, num_rel: int) -> str:
    value, low, high = float(ap.value), float(ap.lower), float(ap.upper)
    if math.isnan(value):
        return "AP is undefined: the topic has no relevant document."
    if not unjudged or math.isnan(low):
        return f"AP is {value:.4f} for a topic with {count(num_rel, 'relevant document')} in all."
    can_fall, can_rise = low < value - 1e-9, high > value + 1e-9
    it = "it" if unjudged == 1 else "them"
    if can_fall and can_rise:
        return f"Judging {it} can bring AP from {value:.3f} down to {low:.3f} or up to {high:.3f}."
    if can_fall:
        return f"Judging {it} can bring AP from {value:.3f} down to {low:.3f}; it cannot raise it."
    if can_rise:
        return (
            f"Judging {it} can raise AP from {value:.3f} to {high:.3f}; it cannot lower it."
        )
    return f"AP is {value:.3f} either way."
