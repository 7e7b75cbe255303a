"""Slow, literal formulas of every metric, and score ranges by trying every way of judging.

Each formula follows its paper's own text, one list and one loop at a time, so that it can
be checked by eye. Nothing here imports the library: what agrees was computed twice.

Short names of the sources:
MZ   Moffat and Zobel, Rank-biased precision, ACM TOIS 27(1):2, 2008
M7   Moffat, Seven numeric properties of effectiveness metrics, AIRS 2013
AG   Ahlgren and Grönqvist, Retrieval effectiveness with incomplete relevance data, 2008
S    Sakai, Metrics for finding one highly relevant document, IPSJ TOD 48(SIG 9), 2007
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

Params = tuple[tuple[str, float | str], ...]
Range = tuple[float, float]
NOWHERE: Range = (math.nan, math.nan)
_TOP = -7  # stands for `$` until the top grade is known
_MARKS = {
    **dict.fromkeys("$+x", _TOP),
    **dict.fromkeys("-.0", 0),
    **{digit: int(digit) for digit in "123456789"},
    "S": 3,
    "A": 2,
    "B": 1,
}


@dataclass(frozen=True)
class Seen:
    """One ranking and its topic: what a metric may look at.

    `grades` holds a grade or None (unjudged) for each rank, `unretrieved` the grades of the
    judged documents that the ranking lacks, `ties` a group number for each rank.
    """

    grades: tuple[int | None, ...]
    unretrieved: tuple[int, ...] = ()
    top: int = 1
    min_rel: int = 1
    ties: tuple[int, ...] | None = None


# ------------------------------------------------------------------ reading


def read(text: str) -> tuple[list[int | None], list[int]]:
    """Turn text into marks (None: unjudged) and tie-group numbers."""
    marks: list[int | None] = []
    groups: list[int] = []
    group, tied = 0, False
    for character in text:
        if character in " ,|\n":
            continue
        if character in "()":
            tied = character == "("
            group += 1
            continue
        if not tied:
            group += 1
        marks.append(None if character in "?_" else _MARKS[character])
        groups.append(group)
    return marks, groups


def look(
    ranking: str,
    *,
    topic: str | Mapping[int, int] | None = None,
    num_rel: int | None = None,
    num_nonrel: int | None = None,
    top_grade: int | None = None,
    min_rel: int = 1,
) -> Seen:
    """Join a ranking as text with what is known of its topic."""
    marks, groups = read(ranking)
    known: list[int] = []
    if isinstance(topic, str):
        known = [mark for mark in read(topic)[0] if mark is not None]
    elif topic is not None:
        known = [grade for grade, count in topic.items() for _ in range(count)]
    top = top_grade
    if top is None:
        top = max(1, *(mark for mark in [*marks, *known, 1] if mark is not None))
    grades = tuple(top if mark == _TOP else mark for mark in marks)
    left = [top if mark == _TOP else mark for mark in known]
    shown = [grade for grade in grades if grade is not None]
    if topic is not None:
        for grade in shown:
            left.remove(grade)
    else:
        relevant = sum(1 for grade in shown if grade >= min_rel)
        left += [min_rel] * max(0, (num_rel or 0) - relevant)
        left += [0] * max(0, (num_nonrel or 0) - (len(shown) - relevant))
    ties = tuple(groups) if len(set(groups)) < len(groups) else None
    return Seen(grades, tuple(sorted(left)), top, min_rel, ties)


def read_metric(metric: str) -> tuple[str, Params, int | None, bool]:
    """Split ``"AP'@100"`` or ``"RBP(p=0.8)@5"`` into its four pieces."""
    found = re.fullmatch(r"(\w+)('?)(?:\((.*)\))?('?)(?:@(\d+))?", metric)
    if found is None:
        raise ValueError(metric)
    name, prime, inside, late_prime, cutoff = found.groups()
    params: list[tuple[str, float | str]] = []
    for part in (inside or "").split(",") if inside else []:
        key, value = (piece.strip() for piece in part.split("="))
        params.append((key, value.strip("'\"") if value[0] in "'\"" else float(value)))
    return (
        name,
        tuple(sorted(params)),
        int(cutoff) if cutoff else None,
        bool(prime or late_prime),
    )


# ------------------------------------------------------------------ words of the papers


def is_relevant(seen: Seen, grade: int | None) -> bool:
    return grade is not None and grade >= seen.min_rel


def is_nonrelevant(seen: Seen, grade: int | None) -> bool:
    return grade is not None and grade < seen.min_rel


def judged_grades(seen: Seen) -> list[int]:
    """Grades of all judged documents of the topic, retrieved or not."""
    return [grade for grade in seen.grades if grade is not None] + list(seen.unretrieved)


def total_relevant(seen: Seen) -> int:
    return sum(1 for grade in judged_grades(seen) if grade >= seen.min_rel)


def total_nonrelevant(seen: Seen) -> int:
    return sum(1 for grade in judged_grades(seen) if grade < seen.min_rel)


def first_ranks(seen: Seen, cutoff: int | None) -> list[tuple[int, int | None]]:
    """Pairs (rank counted from 1, grade) of the first `cutoff` ranks."""
    ranked = list(enumerate(seen.grades, start=1))
    return ranked if cutoff is None else ranked[:cutoff]


def relevant_ranks(seen: Seen, cutoff: int | None) -> list[int]:
    return [rank for rank, grade in first_ranks(seen, cutoff) if is_relevant(seen, grade)]


def nonrelevant_above(seen: Seen, rank: int) -> int:
    return sum(1 for grade in seen.grades[: rank - 1] if is_nonrelevant(seen, grade))


def unit_gain(seen: Seen, grade: int | None, kind: str = "linear") -> float:
    """Give a utility from 0 to 1: grade / top, or (2^grade - 1) / (2^top - 1)."""
    if grade is None:
        return 0.0
    if kind == "exp":
        return (2**grade - 1) / (2**seen.top - 1)
    return grade / seen.top


def condense(seen: Seen) -> Seen:
    """Remove the unjudged documents; the rest move up."""
    kept = [place for place, grade in enumerate(seen.grades) if grade is not None]
    ties = None if seen.ties is None else tuple(seen.ties[place] for place in kept)
    return replace(seen, grades=tuple(seen.grades[place] for place in kept), ties=ties)


# ------------------------------------------------------------------ weighted precision


def rbp_weights(seen: Seen, cutoff: int | None, p: float) -> list[float]:
    """MZ 4.2: (1 - p) p^(i-1); MZ 4.7: tied documents share the weight of their ranks.

    Where the cutoff splits a tie, each of the tied documents counts for the part of the
    group that lies inside, as in the RBP authors' own program.
    """
    ranks = range(1, len(seen.grades) + 1)
    inside = [cutoff is None or rank <= cutoff for rank in ranks]
    weights = [(1 - p) * p ** (rank - 1) for rank in ranks]
    groups = seen.ties or tuple(ranks)
    shared = []
    for group in groups:
        members = [place for place, other in enumerate(groups) if other == group]
        mean_weight = sum(weights[place] for place in members) / len(members)
        part_inside = sum(inside[place] for place in members) / len(members)
        shared.append(mean_weight * part_inside)
    return shared


def rbp(
    seen: Seen,
    cutoff: int | None = None,
    *,
    p: float = 0.8,
    p1: float | None = None,
    p2: float | None = None,
    tail: float = 0.0,
) -> float:
    """MZ 4.2 with persistence p; MZ 4.3 with p1 after relevant documents, p2 after others.

    Every document that is not seen has gain `tail`.
    """
    if p1 is not None and p2 is not None:
        return two_speed_rbp(seen, cutoff, p1, p2, tail)
    weights = rbp_weights(seen, cutoff, p)
    gained = sum(
        weight * unit_gain(seen, grade)
        for weight, grade in zip(weights, seen.grades, strict=True)
    )
    depth = len(first_ranks(seen, cutoff))
    return gained + tail * p**depth


def two_speed_rbp(
    seen: Seen, cutoff: int | None, p1: float, p2: float, tail: float
) -> float:
    """MZ 4.3: expected gain over expected number of documents looked at."""
    gained, looked_at, here = 0.0, 0.0, 1.0
    for _, grade in first_ranks(seen, cutoff):
        gain = unit_gain(seen, grade)
        gained += here * gain
        looked_at += here
        here *= gain * p1 + (1 - gain) * p2
    stays = tail * p1 + (1 - tail) * p2
    return (gained + tail * here / (1 - stays)) / (looked_at + here / (1 - stays))


def insq(seen: Seen, cutoff: int | None = None, *, tail: float = 0.0) -> float:
    """M7 section 2: weights 1/(i(i+1))."""
    weights = [1 / (rank * (rank + 1)) for rank, _ in first_ranks(seen, cutoff)]
    grades = seen.grades[: len(weights)]
    gained = sum(
        w * unit_gain(seen, grade) for w, grade in zip(weights, grades, strict=True)
    )
    return gained + tail * (1.0 - sum(weights))


# ------------------------------------------------------------------ precision and its kin


def precision(seen: Seen, cutoff: int | None) -> float:
    """M7 section 2; missing ranks are nonrelevant."""
    if cutoff is None:
        raise ValueError(cutoff)
    return len(relevant_ranks(seen, cutoff)) / cutoff


def recall(seen: Seen, cutoff: int | None) -> float:
    """M7 section 2."""
    R = total_relevant(seen)
    return len(relevant_ranks(seen, cutoff)) / R if R else math.nan


def r_precision(seen: Seen, cutoff: int | None = None) -> float:
    """M7 section 3: Prec@k if k <= R, else Prec@R."""
    R = total_relevant(seen)
    if R == 0:
        return math.nan
    return precision(seen, R if cutoff is None else min(cutoff, R))


def hit(seen: Seen, cutoff: int | None) -> float:
    """M7 section 2: the best gain in the top k."""
    return max(
        (unit_gain(seen, grade) for _, grade in first_ranks(seen, cutoff)), default=0.0
    )


def reciprocal_rank(
    seen: Seen, cutoff: int | None = None, *, nth: float = 1, damp: float = 0
) -> float:
    """MZ 3.2; MZ 4.3 for the sceptical (nth) and the cautious (damp) user."""
    ranks = relevant_ranks(seen, cutoff)
    return 1 / (damp + ranks[int(nth) - 1]) if len(ranks) >= nth else 0.0


def sum_of_precisions(seen: Seen, cutoff: int | None = None) -> float:
    """MZ 3.1."""
    return sum(precision(seen, rank) for rank in relevant_ranks(seen, cutoff))


def average_precision(seen: Seen, cutoff: int | None = None) -> float:
    """MZ 3.1, M7 eq. 1."""
    R = total_relevant(seen)
    return sum_of_precisions(seen, cutoff) / R if R else math.nan


def average_precision_star(seen: Seen, cutoff: int | None = None) -> float:
    """MZ 3.1: over the relevant documents retrieved; cut at k it is M7's SN-AP@k."""
    found = len(relevant_ranks(seen, cutoff))
    return sum_of_precisions(seen, cutoff) / found if found else math.nan


# ------------------------------------------------------------------ preferences


def bpref_terms(seen: Seen, most: int, divisor: int) -> list[float]:
    """One term for each relevant document retrieved: 1 - min(most, above) / divisor."""
    return [
        1 - min(most, nonrelevant_above(seen, rank)) / divisor if divisor else 1.0
        for rank in relevant_ranks(seen, None)
    ]


def bpref(seen: Seen, cutoff: None = None, *, k: float = 0) -> float:
    """MZ 3.3 with min(R + k, N); k = 0 is trec_eval's. N = 0: each term is 1."""
    del cutoff
    R, N = total_relevant(seen), total_nonrelevant(seen)
    most = R + int(k)
    return sum(bpref_terms(seen, most, min(most, N))) / R if R else math.nan


def bpref_10(seen: Seen, cutoff: None = None) -> float:
    """AG eq. 4."""
    del cutoff
    R = total_relevant(seen)
    return sum(bpref_terms(seen, 10 + R, 10 + R)) / R if R else math.nan


def rank_eff(seen: Seen, cutoff: None = None) -> float:
    """AG eq. 5: nonrelevant documents below, counting those not retrieved."""
    del cutoff
    R, N = total_relevant(seen), total_nonrelevant(seen)
    if R == 0 or N == 0:
        return math.nan
    below = [N - nonrelevant_above(seen, rank) for rank in relevant_ranks(seen, None)]
    return sum(below) / (R * N)


# ------------------------------------------------------------------ discounted gain


def discount(rank: int, b: float | None = None) -> float:
    """M7: 1 / log2(i + 1); MZ 4.6 with b: 1 up to rank b, then 1 / log_b(i)."""
    if b is None:
        return 1 / math.log2(rank + 1)
    return 1.0 if rank <= b else 1 / math.log(rank, b)


def dcg(
    seen: Seen, cutoff: int | None = None, *, b: float | None = None, gain: str = "linear"
) -> float:
    """M7 section 2, MZ 4.6."""
    return sum(
        discount(rank, b) * unit_gain(seen, grade, gain)
        for rank, grade in first_ranks(seen, cutoff)
    )


def ideal_dcg(
    seen: Seen, grades: Iterable[int], cutoff: int | None, b: float | None, gain: str
) -> float:
    best = replace(seen, grades=tuple(sorted(grades, reverse=True)))
    return dcg(best, cutoff, b=b, gain=gain)


def sdcg(
    seen: Seen, cutoff: int | None, *, b: float | None = None, gain: str = "linear"
) -> float:
    """M7 section 2: over the all-relevant ranking of depth k."""
    if cutoff is None:
        raise ValueError(cutoff)
    everything = ideal_dcg(seen, [seen.top] * cutoff, cutoff, b, gain)
    return dcg(seen, cutoff, b=b, gain=gain) / everything


def ndcg(
    seen: Seen, cutoff: int | None = None, *, b: float | None = None, gain: str = "linear"
) -> float:
    """M7 section 3: over the best order of all judged documents, cut at k."""
    best = ideal_dcg(seen, judged_grades(seen), cutoff, b, gain)
    return dcg(seen, cutoff, b=b, gain=gain) / best if best else math.nan


def self_normalised_dcg(
    seen: Seen, cutoff: int | None = None, *, b: float | None = None, gain: str = "linear"
) -> float:
    """M7 section 3: over the best order of the top k itself."""
    inside = [grade for _, grade in first_ranks(seen, cutoff) if grade is not None]
    best = ideal_dcg(seen, inside, cutoff, b, gain)
    return dcg(seen, cutoff, b=b, gain=gain) / best if best else math.nan


# ------------------------------------------------------------------ Sakai's measures


def sakai_gain(grade: int | None, gains: str | None) -> float:
    """Gain of a grade: the grade itself, or from a list with the highest grade first."""
    if not grade:
        return 0.0
    if gains is None:
        return float(grade)
    return float(gains.split(":")[-grade])


def blended_ratio(seen: Seen, rank: int, gains: str | None) -> float:
    """S eq. 2: (cg(r) + count(r)) / (cg_I(r) + r)."""
    cg = sum(sakai_gain(grade, gains) for grade in seen.grades[:rank])
    ideal = [sakai_gain(grade, gains) for grade in judged_grades(seen)]
    ideal_cg = sum(sorted(ideal, reverse=True)[:rank])
    return (cg + len(relevant_ranks(seen, rank))) / (ideal_cg + rank)


def preferred_rank(seen: Seen, cutoff: int | None) -> int | None:
    """S 3.3: where the first document of the highest retrieved relevance level stands."""
    levels = [grade for _, grade in first_ranks(seen, cutoff) if is_relevant(seen, grade)]
    if not levels:
        return None
    highest = max(grade for grade in levels if grade is not None)
    return seen.grades.index(highest) + 1


def q_measure(seen: Seen, cutoff: int | None = None, *, gains: str | None = None) -> float:
    """S 3.1."""
    R = total_relevant(seen)
    if R == 0:
        return math.nan
    return sum(blended_ratio(seen, r, gains) for r in relevant_ranks(seen, cutoff)) / R


def o_measure(seen: Seen, cutoff: int | None = None, *, gains: str | None = None) -> float:
    """S eq. 3."""
    if total_relevant(seen) == 0:
        return math.nan
    ranks = relevant_ranks(seen, cutoff)
    return blended_ratio(seen, ranks[0], gains) if ranks else 0.0


def p_measure(seen: Seen, cutoff: int | None = None, *, gains: str | None = None) -> float:
    """S eq. 6."""
    if total_relevant(seen) == 0:
        return math.nan
    rank = preferred_rank(seen, cutoff)
    return 0.0 if rank is None else blended_ratio(seen, rank, gains)


def p_plus(seen: Seen, cutoff: int | None = None, *, gains: str | None = None) -> float:
    """S eq. 7."""
    if total_relevant(seen) == 0:
        return math.nan
    rank = preferred_rank(seen, cutoff)
    if rank is None:
        return 0.0
    ratios = [blended_ratio(seen, r, gains) for r in relevant_ranks(seen, rank)]
    return sum(ratios) / len(ratios)


def penalty(seen: Seen, grade: int, penalties: str | None) -> float:
    """S 3.2: 2, 3, 4 for grades 3, 2, 1; on longer scales 2 for the top, then one more."""
    if penalties is not None:
        return float(penalties.split(":")[-grade])
    return float(max(seen.top, 3) - grade + 2)


def weighted_reciprocal_rank(
    seen: Seen, cutoff: int | None = None, *, penalties: str | None = None
) -> float:
    """S eq. 4."""
    for rank, grade in first_ranks(seen, cutoff):
        if grade is not None and grade >= seen.min_rel:
            return 1 / (rank - 1 / penalty(seen, grade, penalties))
    return 0.0


def normalised_weighted_reciprocal_rank(
    seen: Seen, cutoff: int | None = None, *, penalties: str | None = None
) -> float:
    """S eq. 5: the topic's highest judged grade normalises."""
    if total_relevant(seen) == 0:
        return math.nan
    best = 1 - 1 / penalty(seen, max(judged_grades(seen)), penalties)
    return best * weighted_reciprocal_rank(seen, cutoff, penalties=penalties)


FORMULAS: dict[str, Callable[..., float]] = {
    "RBP": rbp,
    "INSQ": insq,
    "P": precision,
    "R": recall,
    "Rprec": r_precision,
    "HIT": hit,
    "RR": reciprocal_rank,
    "AP": average_precision,
    "SP": sum_of_precisions,
    "APstar": average_precision_star,
    "SNAP": average_precision_star,
    "Bpref": bpref,
    "Bpref10": bpref_10,
    "RankEff": rank_eff,
    "DCG": dcg,
    "SDCG": sdcg,
    "nDCG": ndcg,
    "SNDCG": self_normalised_dcg,
    "Qmeasure": q_measure,
    "Omeasure": o_measure,
    "Pmeasure": p_measure,
    "Pplus": p_plus,
    "WRR": weighted_reciprocal_rank,
    "NWRR": normalised_weighted_reciprocal_rank,
}
WITH_TAIL = ("RBP", "INSQ")


# ------------------------------------------------------------------ value and range


def completions(seen: Seen) -> Iterator[Seen]:
    """Every way of judging the unjudged documents, each nonrelevant or of the top grade."""
    if None not in seen.grades:
        yield seen
        return
    for half in judge_first(seen):
        yield from completions(half)


def judge_first(seen: Seen) -> tuple[Seen, Seen]:
    """Judge the first unjudged document: nonrelevant, and of the top grade."""
    place = seen.grades.index(None)
    before, after = seen.grades[:place], seen.grades[place + 1 :]
    return (
        Seen((*before, 0, *after), seen.unretrieved, seen.top, seen.min_rel, seen.ties),
        Seen(
            (*before, seen.top, *after), seen.unretrieved, seen.top, seen.min_rel, seen.ties
        ),
    )


def widest(ranges: Iterable[Range]) -> Range:
    """Smallest and largest defined score; undefined ones are left out."""
    defined = [pair for pair in ranges if not math.isnan(pair[0])]
    if not defined:
        return NOWHERE
    return min(pair[0] for pair in defined), max(pair[1] for pair in defined)


@cache
def value_of(name: str, params: Params, cutoff: int | None, seen: Seen) -> float:
    return float(FORMULAS[name](seen, cutoff, **dict(params)))


@cache
def range_of(name: str, params: Params, cutoff: int | None, seen: Seen) -> Range:
    """Smallest and largest score over every completion, and over the tail if it counts."""
    if None in seen.grades:
        return widest(range_of(name, params, cutoff, half) for half in judge_first(seen))
    score = value_of(name, params, cutoff, seen)
    if name not in WITH_TAIL:
        return score, score
    full = FORMULAS[name](seen, cutoff, tail=1.0, **dict(params))
    return min(score, full), max(score, full)


def score_seen(metric: str, seen: Seen) -> tuple[float, float, float]:
    """Value, lower, upper of a metric; the range is that of the list before condensing."""
    name, params, cutoff, condensed = read_metric(metric)
    shown = condense(seen) if condensed else seen
    value = value_of(name, params, cutoff, shown)
    return (value, *range_of(name, params, cutoff, seen))


def score(
    metric: str,
    ranking: str,
    *,
    topic: str | Mapping[int, int] | None = None,
    num_rel: int | None = None,
    num_nonrel: int | None = None,
    top_grade: int | None = None,
    min_rel: int = 1,
) -> tuple[float, float, float]:
    """Value, lower, upper of a metric for a ranking as text."""
    seen = look(
        ranking,
        topic=topic,
        num_rel=num_rel,
        num_nonrel=num_nonrel,
        top_grade=top_grade,
        min_rel=min_rel,
    )
    return score_seen(metric, seen)


# ------------------------------------------------------------------ what each rank adds


def parts_of(metric: str, seen: Seen) -> list[float]:
    """How much of the score each document is responsible for, where the design says so."""
    name, params, cutoff, _ = read_metric(metric)
    options = dict(params)
    if name in ("AP", "SP", "SNAP", "APstar"):
        return table_one_parts(name, seen, cutoff)
    if name in ("Bpref", "Bpref10", "RankEff", "Qmeasure"):
        return own_term_parts(name, seen, cutoff, options)
    if name in ("RR", "Omeasure", "Pmeasure", "WRR", "NWRR"):
        return deciding_parts(name, seen, cutoff, options)
    return weighted_parts(name, seen, cutoff, options)


def table_one_parts(name: str, seen: Seen, cutoff: int | None) -> list[float]:
    """MZ Table I: over the divisor, the sum over relevant ranks j >= i of 1/j."""
    ranks = relevant_ranks(seen, cutoff)
    divisor = {"AP": total_relevant(seen), "SP": 1}.get(name, len(ranks))
    parts = [0.0] * len(seen.grades)
    for i in ranks:
        parts[i - 1] = sum(1 / j for j in ranks if j >= i) / divisor
    return parts


def own_term_parts(
    name: str, seen: Seen, cutoff: int | None, options: Mapping[str, float | str]
) -> list[float]:
    R, N = total_relevant(seen), total_nonrelevant(seen)
    ranks = relevant_ranks(seen, cutoff)
    if name == "Qmeasure":
        gains = str(options["gains"]) if "gains" in options else None
        terms = [blended_ratio(seen, rank, gains) for rank in ranks]
    elif name == "RankEff":
        terms = [(N - nonrelevant_above(seen, rank)) / N for rank in ranks]
    elif name == "Bpref10":
        terms = bpref_terms(seen, 10 + R, 10 + R)
    else:
        most = R + int(options.get("k", 0))
        terms = bpref_terms(seen, most, min(most, N))
    parts = [0.0] * len(seen.grades)
    for rank, term in zip(ranks, terms, strict=True):
        parts[rank - 1] = term / R
    return parts


def deciding_parts(
    name: str, seen: Seen, cutoff: int | None, options: Mapping[str, float | str]
) -> list[float]:
    parts = [0.0] * len(seen.grades)
    ranks = relevant_ranks(seen, cutoff)
    nth = int(options.get("nth", 1))
    if len(ranks) >= nth:
        rank = preferred_rank(seen, cutoff) if name == "Pmeasure" else ranks[nth - 1]
        parts[(rank or 0) - 1] = FORMULAS[name](seen, cutoff, **options)
    return parts


def weighted_parts(
    name: str, seen: Seen, cutoff: int | None, options: Mapping[str, float | str]
) -> list[float]:
    """Weight times gain."""
    if name in ("P", "R", "Rprec"):
        return counted_parts(name, seen, cutoff)
    if name in ("DCG", "SDCG", "nDCG", "SNDCG"):
        return discounted_parts(name, seen, cutoff, options)
    depth = len(first_ranks(seen, cutoff))
    gains = [unit_gain(seen, grade) for grade in seen.grades]
    if name == "INSQ":
        weights = [1 / (i * (i + 1)) for i in range(1, depth + 1)]
    elif "p1" in options:
        p1, p2 = float(options["p1"]), float(options["p2"])
        reach = [1.0]
        for gain in gains[:depth]:
            reach.append(reach[-1] * (gain * p1 + (1 - gain) * p2))
        looked_at = sum(reach[:depth]) + reach[depth] / (1 - p2)
        weights = [here / looked_at for here in reach[:depth]]
    else:
        weights = rbp_weights(seen, cutoff, float(options.get("p", 0.8)))
    weights += [0.0] * (len(gains) - len(weights))
    return [weight * gain for weight, gain in zip(weights, gains, strict=True)]


def counted_parts(name: str, seen: Seen, cutoff: int | None) -> list[float]:
    """Share the score equally over the relevant documents that count."""
    R = total_relevant(seen)
    depth = min(cutoff or R, R) if name == "Rprec" else cutoff
    divisor = R if name == "R" else depth
    inside = relevant_ranks(seen, depth)
    return [
        1 / (divisor or 0) if rank in inside else 0.0
        for rank in range(1, len(seen.grades) + 1)
    ]


def discounted_parts(
    name: str, seen: Seen, cutoff: int | None, options: Mapping[str, float | str]
) -> list[float]:
    b, kind = options.get("b"), str(options.get("gain", "linear"))
    inside = len(first_ranks(seen, cutoff))
    parts = [
        discount(rank, None if b is None else float(b)) * unit_gain(seen, grade, kind)
        if rank <= inside
        else 0.0
        for rank, grade in enumerate(seen.grades, start=1)
    ]
    whole = FORMULAS[name](seen, cutoff, **options)
    return [part * whole / sum(parts) if part else 0.0 for part in parts]
