"""What the pages Seven properties and One good answer say."""

import math
from collections.abc import Mapping, Sequence

from dashboard.sentences.common import count, listed


def seven_properties(
    *,
    metric: str,
    word: str,
    worlds: int,
    documents: int,
    explanation: str,
    scores: Sequence[str],
) -> str:
    """Say whether a metric has a property: in how many worlds, or what breaks it."""
    if not scores:
        return (
            f"{metric} is {word} in all {worlds} worlds of {count(documents, 'document')}, at "
            f"every cutoff k from 1 to {documents}, and in all smaller worlds."
        )
    if len(scores) == 1:
        known = scores[0] in explanation or scores[0] == "undefined"
        told = "" if known else f" The score is {scores[0]}."
    elif scores[0] == scores[1]:
        told = f" It is {scores[0]} both times."
    else:
        told = f" It is {scores[0]} first, then {scores[1]}."
    return f"{metric} is not {word}: {explanation}.{told}"


def own_ranking(  # noqa: PLR0913 - so many words are on screen
    *,
    metric: str,
    ranking: str,
    num_rel: int,
    broken: Sequence[tuple[str, Sequence[int]]],
    word: str,
    tested: bool,
    example: str,
) -> str:
    """Say which properties of a metric one ranking breaks, and how the chosen one."""
    opening = (
        f"Taken as a whole collection with {count(num_rel, 'relevant document')}, {ranking}"
    )
    if broken:
        parts = [f"{name} (k = {_cutoffs(cutoffs)})" for name, cutoffs in broken]
        verdict = f"shows that {metric} is {_neither(parts)}."
    else:
        verdict = f"breaks none of the seven properties of {metric}."
    if example:
        return f"{opening} {verdict} {word.capitalize()}: {example}."
    if not tested:
        return f"{opening} {verdict} It cannot test whether {metric} is {word}."
    return f"{opening} {verdict} It is no counterexample to “{word}”."


def _neither(parts: Sequence[str]) -> str:
    """Deny words: "not a", "neither a nor b", "neither a, b nor c"."""
    *others, last = parts
    return f"neither {', '.join(others)} nor {last}" if others else f"not {last}"


def _cutoffs(cutoffs: Sequence[int]) -> str:
    """Write cutoffs, a run of three and more from first to last: "1, 2", "2 to 5"."""
    if len(cutoffs) > 2 and list(cutoffs) == list(range(cutoffs[0], cutoffs[-1] + 1)):
        return f"{cutoffs[0]} to {cutoffs[-1]}"
    return ", ".join(map(str, cutoffs))


def one_good_answer(
    *, scores: Mapping[str, float], first: tuple[int, str], best: tuple[int, str]
) -> str:
    """Say where the users of Sakai's metrics stop in one ranking, and what they score it."""
    if math.isnan(scores["O-measure"]):
        return "The topic has no relevant document: RR is 0, and the other scores are undefined."
    if first[0] == 0:
        return (
            "Nothing relevant is retrieved, so no user is ever satisfied: every score is 0."
        )
    early = ", ".join(f"{name} {scores[name]:.3f}" for name in ("RR", "NWRR", "O-measure"))
    where = f"{_a(first[1])} at rank {first[0]}"
    if first == best:
        return (
            f"The first relevant document, {where}, is also the best in the list, so nobody but "
            f"the user of Q-measure reads on: {early}; P-measure and P+ agree with O-measure."
        )
    return (
        f"Whoever takes any relevant document stops at {where}: {early}. Whoever wants the best "
        f"one reads on to {_a(best[1])} at rank {best[0]}: P-measure {scores['P-measure']:.3f}, "
        f"and P+, which also counts the way there, {scores['P+']:.3f}."
    )


def better_by(scores: Mapping[str, tuple[float, float]]) -> str:
    """Say by which metrics the first of two rankings is better, by which the second."""
    groups: dict[str, list[str]] = {"first": [], "second": [], "equal": []}
    for name, (one, other) in scores.items():
        if math.isnan(one) or math.isnan(other):
            continue
        winner = (
            "equal" if abs(one - other) < 1e-9 else "first" if one > other else "second"
        )
        groups[winner].append(name)
    parts = []
    for winner in ("first", "second"):
        if groups[winner]:
            told = [
                f"{name} ({scores[name][0]:.3f} against {scores[name][1]:.3f})"
                for name in groups[winner]
            ]
            parts.append(f"the {winner} is better by {listed(told)}")
    if groups["equal"]:
        parts.append(f"they are equal by {listed(groups['equal'])}")
    if not parts:
        return "The two cannot be compared: the scores are undefined."
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def topic_raised(added: Mapping[str, int], which: str) -> str:
    """Say that a ranking shows more documents than its topic was said to have."""
    more = listed([f"{number} {grade}" for grade, number in added.items()])
    where = "The ranking" if which == "ranking" else f"The {which} ranking"
    return f"{where} has {more} more than the topic lists; the topic is taken to have them too."


def _a(grade: str) -> str:
    """Put the article before a grade: "an S", "a B", "a document of grade 4"."""
    if grade.isdigit():
        return f"a document of grade {grade}"
    return f"{'an' if grade in 'SA' else 'a'} {grade}"
