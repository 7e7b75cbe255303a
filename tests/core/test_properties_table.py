"""The seven numeric properties of Moffat (AIRS 2013), Table 2: all 91 cells, all witnesses.

The table is checked twice: the library's search gives it, and so does a search of our own
with the slow formulas. Each "no" of the library shows rankings and scores; the slow
formulas compute the same scores, and the rankings break the property as section 4 says.
"""

import math
from collections.abc import Callable
from itertools import combinations, product

import pytest

import core
from tests.reference import metric_reference as slow

PROPERTIES = (
    "bounded",
    "monotonic",
    "convergent",
    "top_weighted",
    "localized",
    "complete",
    "realizable",
)
# Table 2, one letter a column in the paper's order
TABLE = {
    "DCG": "NYYYYYN",
    "SP": "NYYYYYN",
    "Rprec": "YNNNNNY",
    "SNDCG": "YNNYYNY",
    "SNAP": "YNNYYNY",
    "P": "YNYNYYN",
    "nDCG": "YNYYNNY",
    "SDCG": "YNYYYYN",
    "HIT": "YYNNYYY",
    "RR": "YYNNYYY",
    "R": "YYYNNNN",
    "AP": "YYYYNNN",
    "RBP": "YYYYYYN",
}
CELLS = [
    (name, column, letter == "Y")
    for name, row in TABLE.items()
    for column, letter in zip(PROPERTIES, row, strict=True)
]
DOCUMENTS = 5
WORLDS = ["".join(marks) for marks in product("01", repeat=DOCUMENTS)]
CLOSE = 1e-9


def score(name: str, world: str, cutoff: int) -> float:
    """Score the first `cutoff` documents of a world; its R is known."""
    seen = slow.Seen(tuple(int(mark) for mark in world))
    return slow.value_of(name, (), cutoff, seen)


def is_defined(name: str, world: str, cutoff: int) -> bool:
    return not math.isnan(score(name, world, cutoff))


def rises(name: str, before: str, after: str, cutoff: int) -> bool:
    return score(name, after, cutoff) > score(name, before, cutoff) + CLOSE


def swaps(world: str, cutoff: int, *, across: bool) -> list[str]:
    """Move one relevant document up past a nonrelevant one inside the top `cutoff`.

    It comes from below the cutoff (`across`) or from inside it.
    """
    result = []
    for upper, lower in combinations(range(len(world)), 2):
        if world[upper] != "0" or world[lower] != "1" or upper >= cutoff:
            continue
        if (lower >= cutoff) == across:
            marks = list(world)
            marks[upper], marks[lower] = "1", "0"
            result.append("".join(marks))
    return result


def same(first: float, second: float) -> bool:
    both_undefined = math.isnan(first) and math.isnan(second)
    return both_undefined or abs(first - second) < CLOSE


def best(name: str, relevant: int, documents: int, cutoff: int) -> float:
    """Largest score of any order of the collection."""
    worlds = ("".join(marks) for marks in product("01", repeat=documents))
    scores = [score(name, w, cutoff) for w in worlds if w.count("1") == relevant]
    return max(number for number in scores if not math.isnan(number))


def maximum(name: str, documents: int, cutoff: int) -> float:
    """Largest score at this depth, whatever the number of relevant documents; 1 at least."""
    return max(1.0, *(best(name, R, documents, cutoff) for R in range(1, documents + 1)))


# ------------------------------------------------------------------ a search of our own


def holds_bounded(name: str) -> bool:
    return not any(score(name, w, k) > 1 + CLOSE for w in WORLDS for k in range(1, 6))


def holds_monotonic(name: str) -> bool:
    return not any(
        score(name, w, k + 1) < score(name, w, k) - CLOSE
        for w in WORLDS
        for k in range(1, 5)
    )


def holds_after_swaps(name: str, *, across: bool) -> bool:
    return all(
        rises(name, w, other, k)
        for w in WORLDS
        for k in range(1, 6)
        if is_defined(name, w, k)
        for other in swaps(w, k, across=across)
    )


def holds_localized(name: str) -> bool:
    return all(
        same(score(name, v, k), score(name, w, k))
        for k in range(1, 6)
        for v, w in combinations(WORLDS, 2)
        if v[:k] == w[:k]
    )


def holds_complete(name: str) -> bool:
    return all(is_defined(name, "0" * DOCUMENTS, k) for k in range(1, 6))


def holds_realizable(name: str) -> bool:
    return all(
        same(best(name, relevant, DOCUMENTS, k), maximum(name, DOCUMENTS, k))
        for relevant in range(1, 6)
        for k in range(1, 6)
    )


SEARCH: dict[str, Callable[[str], bool]] = {
    "bounded": holds_bounded,
    "monotonic": holds_monotonic,
    "convergent": lambda name: holds_after_swaps(name, across=True),
    "top_weighted": lambda name: holds_after_swaps(name, across=False),
    "localized": holds_localized,
    "complete": holds_complete,
    "realizable": holds_realizable,
}


@pytest.mark.parametrize(("name", "column", "holds"), CELLS)
def test_the_slow_formulas_give_table_2(name: str, column: str, holds: bool) -> None:  # noqa: FBT001
    assert SEARCH[column](name) is holds


# ------------------------------------------------------------------ the library's search


@pytest.mark.parametrize(("name", "column", "holds"), CELLS)
def test_the_library_finds_table_2(name: str, column: str, holds: bool) -> None:  # noqa: FBT001
    findings = core.metric_properties(name)
    assert tuple(findings) == PROPERTIES
    finding = findings[column]
    assert finding.holds is holds
    assert finding.worlds > 0
    assert (finding.witness is None) is holds


Witness = tuple[tuple[str, ...], tuple[int, ...], tuple[float, ...]]


def breaks_bounded(_name: str, witness: Witness) -> bool:
    return max(witness[2]) > 1 + CLOSE


def breaks_monotonic(_name: str, witness: Witness) -> bool:
    rankings, cutoffs, scores = witness
    return (
        rankings[0] == rankings[1]
        and cutoffs[1] == cutoffs[0] + 1
        and scores[1] < scores[0] - CLOSE
    )


def breaks_after_swap(witness: Witness, *, across: bool) -> bool:
    rankings, cutoffs, scores = witness
    return (
        cutoffs[0] == cutoffs[1]
        and rankings[1] in swaps(rankings[0], cutoffs[0], across=across)
        and not scores[1] > scores[0] + CLOSE
    )


def breaks_localized(_name: str, witness: Witness) -> bool:
    rankings, cutoffs, scores = witness
    cutoff = cutoffs[0]
    return (
        cutoffs[1] == cutoff
        and rankings[0][:cutoff] == rankings[1][:cutoff]
        and not same(scores[0], scores[1])
    )


def breaks_complete(_name: str, witness: Witness) -> bool:
    rankings, _, scores = witness
    return "1" not in rankings[0] and math.isnan(scores[0])


def breaks_realizable(name: str, witness: Witness) -> bool:
    rankings, cutoffs, scores = witness
    relevant, documents = rankings[0].count("1"), len(rankings[0])
    most = best(name, relevant, documents, cutoffs[0])
    return (
        relevant > 0
        and same(scores[0], most)
        and most < maximum(name, documents, cutoffs[0]) - CLOSE
    )


BREAKS: dict[str, Callable[[str, Witness], bool]] = {
    "bounded": breaks_bounded,
    "monotonic": breaks_monotonic,
    "convergent": lambda _, witness: breaks_after_swap(witness, across=True),
    "top_weighted": lambda _, witness: breaks_after_swap(witness, across=False),
    "localized": breaks_localized,
    "complete": breaks_complete,
    "realizable": breaks_realizable,
}
ALSO_CUT = ("INSQ", "Qmeasure", "Omeasure", "Pmeasure", "Pplus", "WRR", "NWRR")


@pytest.mark.parametrize("name", [*TABLE, *ALSO_CUT])
def test_every_no_has_a_witness_that_the_slow_formulas_confirm(name: str) -> None:
    for column, finding in core.metric_properties(name).items():
        assert (finding.witness is None) is finding.holds
        if finding.witness is None:
            continue
        shown = finding.witness
        assert len(shown.rankings) == len(shown.cutoffs) == len(shown.scores) > 0
        assert shown.explanation
        for ranking, cutoff, printed in zip(
            shown.rankings, shown.cutoffs, shown.scores, strict=True
        ):
            assert set(ranking) <= {"0", "1"}
            assert 1 <= cutoff <= len(ranking) <= DOCUMENTS
            assert same(score(name, ranking, cutoff), printed), (column, ranking, cutoff)
        witness = (shown.rankings, shown.cutoffs, shown.scores)
        assert BREAKS[column](name, witness), (column, witness)


@pytest.mark.parametrize("name", ALSO_CUT)
def test_metrics_outside_the_table_have_what_our_own_search_finds(name: str) -> None:
    found = {
        column: finding.holds for column, finding in core.metric_properties(name).items()
    }
    assert found == {column: search(name) for column, search in SEARCH.items()}


def test_every_metric_has_seven_findings() -> None:
    for spec in core.METRICS:
        findings = core.metric_properties(spec.key)
        assert tuple(findings) == PROPERTIES, spec.key
        for finding in findings.values():
            assert finding.worlds > 0
            assert (finding.witness is None) is finding.holds


def test_a_smaller_collection_needs_fewer_worlds() -> None:
    small = core.metric_properties("AP", documents=3)["bounded"]
    large = core.metric_properties("AP", documents=5)["bounded"]
    assert small.worlds < large.worlds
