"""Plain sentences that say what a page shows now, with its numbers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core import Score, UserWalks
from core.inversion import Inversion, ReportedRBP, Verdict

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


def decimals(number: int) -> str:
    """Say how many decimals: "one decimal", "no decimals"."""
    return count(number, "decimal")


def certain_words(number: int) -> str:
    """Say how many decimals are certain, up to the four that are shown."""
    if number == 0:
        return "no decimal certain"
    return f"{decimals(number) if number <= 4 else 'more than four decimals'} certain"


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


def listed(parts: Sequence[str]) -> str:
    """Join words: "a", "a and b", "a, b and c"."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


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


@dataclass(frozen=True)
class Thinned:
    """A metric with fewer judgments, to be told: means over the repetitions."""

    name: str
    tau: float
    value: float
    full: float  # the value with all judgments
    lower: float
    upper: float  # nan where the metric has no bounds
    spread: float  # of tau, over the repetitions

    @property
    def change(self) -> float:
        """How far the value moved, as a share of what it was."""
        return abs(self.value - self.full) / self.full if self.full > 0 else math.nan


def fewer_judgments(
    told: Sequence[Thinned], *, share: float, repetitions: int, seed: int, runs: int
) -> str:
    """Say which metric keeps order and value best with fewer judgments, and which worst."""
    drawn = "draw" if repetitions == 1 else "draws"
    opening = (
        f"With {100 * share:.0f} % of the judgments ({repetitions} {drawn}, seed {seed}),"
    )
    parts = [_orders_kept([one for one in told if not math.isnan(one.tau)], runs)]
    parts.append(_values_kept([one for one in told if not math.isnan(one.change)]))
    banded = next((one for one in told if not math.isnan(one.upper)), None)
    if banded is not None:
        holds = banded.lower - 5e-7 <= banded.full <= banded.upper + 5e-7
        parts.append(
            f"The bounds of {banded.name}, {banded.lower:.3f} to {banded.upper:.3f}, "
            f"{'hold' if holds else 'do not hold'} its score by all judgments, "
            f"{banded.full:.3f}."
        )
    return f"{opening} {' '.join(part for part in parts if part)}"


def _orders_kept(told: Sequence[Thinned], runs: int) -> str:
    if not told:
        return "there is no order of runs to compare."
    best, worst = max(told, key=lambda one: one.tau), min(told, key=lambda one: one.tau)
    if len(told) == 1:
        return (
            f"{best.name} orders the {runs} runs with tau {best.tau:.3f} to all judgments."
        )
    return (
        f"{best.name} keeps the order of the {runs} runs best (tau {best.tau:.3f}) and "
        f"{worst.name} worst ({worst.tau:.3f})."
    )


def _values_kept(told: Sequence[Thinned]) -> str:
    if not told:
        return ""
    best = min(told, key=lambda one: one.change)
    worst = max(told, key=lambda one: one.change)
    moved = f"from {best.full:.3f} to {best.value:.3f}"
    if len(told) == 1:
        return f"Its mean value goes {moved}."
    return (
        f"The mean of {best.name} moves least, {moved}; that of {worst.name} most, from "
        f"{worst.full:.3f} to {worst.value:.3f}."
    )


def scores_of_one(*, run: str, metric: str, mean: float, topics: int) -> str:
    """Say what a run scores that is compared with nothing else."""
    if math.isnan(mean):
        return f"By {metric}, {run} has no score: no topic of the judgments defines it."
    return f"By {metric}, {run} scores {mean:.4f} over {count(topics, 'topic')}."


def scores_of_two(
    *,
    names: tuple[str, str],
    metric: str,
    bounds: tuple[Sequence[float], Sequence[float]],
    counts: tuple[int, int, int],
    levels: tuple[float, float],
    decisive: tuple[str, float] | None,
) -> str:
    """Say which of two runs is better, on how many topics, and whether by chance.

    `bounds` has mean, lower and upper of each run; the last two may be nan.
    """
    (a, b), (better, worse, equal) = names, counts
    mean_a, mean_b = bounds[0][0], bounds[1][0]
    if math.isnan(mean_a) or math.isnan(mean_b) or decisive is None:
        return f"By {metric}, {a} and {b} cannot be compared: no topic defines both scores."
    alike = f" and equal on {equal}" if equal else ""
    told = (
        f"By {metric}, {a} scores {mean_a:.4f} and {b} {mean_b:.4f}; {a} is better on {better} "
        f"of {better + worse + equal} topics, worse on {worse}{alike}."
    )
    topic, size = decisive
    most = f"; topic {topic} counts most ({size:+.3f})" if size else ""
    return f"{told} {_tested(levels)}{most}.{_could_turn(bounds)}"


def _tested(levels: tuple[float, float]) -> str:
    """Say what the two tests make of a difference."""
    if math.isnan(levels[0]):
        return "One topic is too few for a test"
    tests = [
        name for name, p in zip(("Wilcoxon's", "the t"), levels, strict=True) if p < 0.05
    ]
    if len(tests) == 2:
        return "The difference is significant at the 5 % level by Wilcoxon's and the t test"
    if tests:
        return f"The difference is significant at the 5 % level by {tests[0]} test only"
    return "The difference is not significant at the 5 % level by either test"


def _could_turn(bounds: tuple[Sequence[float], Sequence[float]]) -> str:
    """Say so if the ranges of two runs overlap; the order of the means is then not certain."""
    winner, loser = sorted(bounds, key=lambda run: -run[0])
    if winner[0] > loser[0] and loser[2] > winner[1]:
        return " Judging what is unjudged could turn the order: the ranges overlap."
    return ""


def pool_depth(
    *,
    depth: int,
    full: int,
    pooled: str,
    judged: float,
    told: Sequence[tuple[str, int, float]],
) -> str:
    """Say for how many runs a shallow pool is too kind, and whether it orders them alike.

    `told` has each metric with the number of runs that it scores too high, and its tau; `pooled`
    says how many runs there are, `judged` is the share of the judgments.
    """
    if depth >= full and judged >= 1.0:
        return (
            f"At depth {depth} the pool has every judgment of the collection: this is the order "
            f"of the {pooled} that shallower pools are compared with."
        )
    parts = []
    for place, (metric, too_high, tau) in enumerate(told):
        runs = f"{too_high or 'none'} of {pooled}" if place == 0 else too_high or "none"
        order = "no tau" if math.isnan(tau) else f"tau {tau:.3f}"
        with_what = " against the full order" if place == 0 else ""
        parts.append(f"{metric} is too high for {runs} ({order}{with_what})")
    return (
        f"A pool of depth {depth} has {100 * judged:.0f} % of the judgments; "
        f"{', '.join(parts)}."
    )


def two_bounds(
    *, names: tuple[str, str], p: float, shallow: Sequence[float], deep: Sequence[float]
) -> str:
    """Say whether the bounds of two runs tell which is better, at each of two pool depths.

    `shallow` and `deep` have the depth and then lower and upper bound of both runs.
    """
    parts = []
    for depth, low_a, high_a, low_b, high_b in (shallow, deep):
        if low_a > high_b or low_b > high_a:
            better = names[0] if low_a > high_b else names[1]
            parts.append(f"at depth {depth:.0f} {better} is better, whatever is still open")
        else:
            parts.append(f"at depth {depth:.0f} the bounds overlap: nobody can tell")
    return f"{names[0]} and {names[1]} at p = {p:g}: {'; '.join(parts)}."


def newcomer(*, how: str, metric: str, rows: Sequence[tuple[str, float, float]]) -> str:
    """Say how much runs lose that are scored without what they alone brought to the pool."""
    losses = [(full - value, run, full, value) for run, full, value in rows]
    losers = [one for one in losses if one[0] > 1e-9]
    if not losers:
        return f"Left out of the pool {how}, no run would lose anything by {metric}."
    _, run, full, value = max(losers)
    return (
        f"Left out of the pool {how}, {len(losers)} of {count(len(rows), 'run')} would lose by "
        f"{metric}; {run} the most, from {full:.4f} to {value:.4f}."
    )


def orders_agree(pairs: Sequence[tuple[str, str, float]], *, runs: int) -> str:
    """Say which two metrics order the runs most alike, and which least; sorted pairs."""
    if not pairs:
        return "There is nothing to compare: choose two metrics, for a collection of several runs."
    first, last = pairs[0], pairs[-1]
    opening = (
        f"{first[0]} and {first[1]} put the {runs} runs in the most similar order "
        f"(tau {first[2]:.3f}{_swapped(first[2], runs)})"
    )
    if len(pairs) == 1:
        return f"{opening.replace('the most similar order', 'orders that agree')}."
    return f"{opening}; {last[0]} and {last[1]} agree least (tau {last[2]:.3f})."


def _swapped(tau: float, runs: int) -> str:
    """Turn tau into pairs of runs that change places, as if there were no ties."""
    pairs = runs * (runs - 1) // 2
    swapped = round(pairs * (1.0 - tau) / 2.0)
    return f", about {swapped:,} of {pairs:,} pairs swapped" if swapped else ""


def pairs_differ(found: Mapping[str, int], *, pairs: int) -> str:
    """Say which metric finds most pairs of runs different by Wilcoxon's test."""
    best, worst = max(found, key=found.__getitem__), min(found, key=found.__getitem__)
    told = f"{best} finds {found[best]:,} of {pairs:,} pairs of runs different"
    if best == worst:
        return f"By Wilcoxon's test at 95 %, {told}."
    return f"By Wilcoxon's test at 95 %, {told}, {worst} only {found[worst]:,}."


def differences_needed(
    found: Sequence[tuple[str, float, float]],
    *,
    halves: bool,
    topics: int,
    draws: int,
    seed: int,
) -> str:
    """Say from which difference on two sets of topics hardly ever disagree."""
    sets = "disjoint halves" if halves else "bootstrap samples"
    opening = f"Over {draws:,} pairs of {sets} of {topics} topics (seed {seed}),"
    known = [one for one in found if not math.isnan(one[2])]
    if not known:
        return f"{opening} no difference keeps the swaps at 5 % or below."
    best, worst = min(known, key=lambda one: one[2]), max(known, key=lambda one: one[2])
    told = (
        f"{best[0]} needs the smallest difference for its size to keep the swaps at 5 % or "
        f"below: {best[1]:.3f}, {100 * best[2]:.1f} % of its best score"
    )
    if best == worst:
        return f"{opening} {told}."
    return (
        f"{opening} {told}. {worst[0]} needs most: {worst[1]:.3f}, {100 * worst[2]:.1f} %."
    )


def power(
    found: Sequence[tuple[str, int, float]],
    *,
    pairs: int,
    alpha: float,
    samples: int,
    seed: int,
) -> str:
    """Say which metric tells most pairs of runs apart by the bootstrap, and which fewest."""
    best, worst = max(found, key=lambda one: one[1]), min(found, key=lambda one: one[1])
    told = (
        f"With {samples:,} bootstrap samples (seed {seed}), {best[0]} tells {best[1]:,} of "
        f"{pairs:,} pairs apart at {alpha:g} ({100 * best[1] / pairs:.0f} %)"
    )
    if best == worst:
        return f"{told}; a difference of {best[2]:.2f} is always enough."
    return f"{told}, {worst[0]} {worst[1]:,} ({100 * worst[1] / pairs:.0f} %)."
