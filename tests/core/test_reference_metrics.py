"""Every metric against its slow, literal second version: values and ranges.

- all 3,279 strings over ``$ - ?`` up to length 7, as one batch
- all 3,905 strings over ``0 1 2 3 ?`` up to length 5, likewise
- short strings one by one as text, and random graded ones up to length 12

The slow version tries every way of judging the unjudged documents; the library must give the
same smallest and largest score. Each group is scored with several topics, since R, N and the
ideal ranking depend on documents that are not retrieved.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import core
from tests.reference import metric_reference as slow
from tests.reference.metric_reference import Seen

CLOSE = 1e-9
METRICS = (
    "RBP(p=0)",
    "RBP(p=0.8)",
    "RBP(p=0.95)@3",
    "RBP(p=0.5)@10",
    "RBP(p1=0.9, p2=0.4)",
    "RBP(p1=0.3, p2=0.8)",
    "RBP(p1=0.6, p2=0)@3",
    "INSQ",
    "INSQ@3",
    "P@1",
    "P@3",
    "P@10",
    "R@3",
    "R@10",
    "Rprec",
    "Rprec@2",
    "HIT@1",
    "HIT@3",
    "RR",
    "RR@3",
    "RR(nth=2)",
    "RR(nth=2, damp=1)@4",
    "RR(damp=3)",
    "AP",
    "AP@3",
    "SP",
    "SP@3",
    "APstar",
    "Bpref",
    "Bpref(k=2)",
    "Bpref(k=10)",
    "Bpref10",
    "RankEff",
    "DCG",
    "DCG@3",
    "DCG(b=2)@4",
    "DCG(b=3)",
    "DCG(gain='exp')",
    "SDCG@3",
    "SDCG@9",
    "SDCG(b=2)@4",
    "SDCG(gain='exp')@4",
    "nDCG",
    "nDCG@3",
    "nDCG(b=2)@4",
    "nDCG(gain='exp')@3",
    "nDCG(gain='exp')",
    "SNDCG",
    "SNDCG@3",
    "SNDCG(gain='exp')@3",
    "SNAP",
    "SNAP@3",
    "Qmeasure",
    "Qmeasure@3",
    "Qmeasure(gains='9:5:4:1')",
    "Omeasure",
    "Omeasure@2",
    "Omeasure(gains='9:5:4:1')",
    "Pmeasure",
    "Pmeasure@3",
    "Pmeasure(gains='9:5:4:1')",
    "Pplus",
    "Pplus@3",
    "Pplus(gains='9:5:4:1')",
    "WRR",
    "WRR@2",
    "WRR(penalties='1.5:2:3:9')",
    "NWRR",
    "NWRR@2",
    "NWRR(penalties='1.5:2:3:9')",
)
SHORT = 4  # strings up to this length are scored as text too


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Keep the memory of the slow version small."""
    yield
    slow.value_of.cache_clear()
    slow.range_of.cache_clear()


# ------------------------------------------------------------------ the lists

Topic = dict[str, Any]  # keywords of core.score


def strings(marks: str, longest: int) -> list[str]:
    return [
        "".join(text)
        for depth in range(1, longest + 1)
        for text in product(marks, repeat=depth)
    ]


def shown(text: str, marks: str) -> int:
    return sum(text.count(mark) for mark in marks)


def binary_topics(text: str) -> list[Topic]:
    relevant, nonrelevant = shown(text, "$"), shown(text, "-")
    return [
        {},
        {"num_rel": relevant + 2},
        {"num_rel": relevant + 1, "num_nonrel": nonrelevant + 3},
    ]


def graded_topics(text: str) -> list[Topic]:
    judged = text.replace("?", "")
    return [
        {},
        {"topic": judged + "013"},
        {"num_rel": shown(text, "123") + 2, "top_grade": 4},
        {"topic": {g: judged.count(str(g)) + (g > 0) for g in range(4)}, "min_rel": 2},
        {
            "num_rel": shown(text, "23") + 1,
            "num_nonrel": shown(text, "01") + 2,
            "min_rel": 2,
            "top_grade": 3,
        },
    ]


TOPICS = {"binary": binary_topics, "graded": graded_topics}


@dataclass(frozen=True)
class Group:
    """Rankings on one scale, in the form of both sides.

    `wholes` lists every ranking that judging the rest can lead to; the ones of row i start at
    ``places[starts[i]]``. `condensed` holds each row without its unjudged documents.
    """

    rows: list[Seen]
    judged: core.Judged
    wholes: list[Seen]
    places: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    condensed: list[Seen]


def group_of(rows: list[Seen]) -> Group:
    numbers: dict[Seen, int] = {}
    places: list[int] = []
    starts: list[int] = []
    for seen in rows:
        starts.append(len(places))
        places += [numbers.setdefault(w, len(numbers)) for w in slow.completions(seen)]
    return Group(
        rows,
        judged_batch(rows),
        list(numbers),
        np.array(places),
        np.array(starts),
        [slow.condense(seen) for seen in rows],
    )


@cache
def groups(kind: str, number: int) -> list[Group]:
    """All strings of a kind with one of its topics, grouped so that one scale fits each."""
    texts = strings("$-?", 7) if kind == "binary" else strings("0123?", 5)
    grouped: dict[int, list[Seen]] = {}
    for text in texts:
        seen = slow.look(text, **TOPICS[kind](text)[number])
        grouped.setdefault(seen.top, []).append(seen)
    return [group_of(rows) for rows in grouped.values()]


def judged_batch(rows: list[Seen]) -> core.Judged:
    """Write rankings as the library's arrays; short ones are filled up with PAST_END."""
    depth = max(len(seen.grades) for seen in rows)
    grades = np.full((len(rows), depth), core.PAST_END, dtype=np.int8)
    counts = np.zeros((len(rows), rows[0].top + 1), dtype=np.int64)
    for row, seen in enumerate(rows):
        codes = [core.UNJUDGED if grade is None else grade for grade in seen.grades]
        grades[row, : len(codes)] = codes
        for grade in slow.judged_grades(seen):
            counts[row, grade] += 1
    values = np.arange(rows[0].top + 1, dtype=np.float64)
    return core.Judged(grades, counts, values, rows[0].min_rel)


# ------------------------------------------------------------------ comparing


def same(first: float, second: float) -> bool:
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return abs(first - second) < CLOSE


def mismatch(
    score: core.Score, expected: tuple[float, float, float]
) -> tuple[float, ...] | None:
    """Return the library's three numbers where one of them is not as expected."""
    found = (float(score.value), float(score.lower), float(score.upper))
    if all(map(same, found, expected)):
        return None
    return found


def compare_groups(metric: str, groups_of_strings: list[Group]) -> list[object]:
    """Compare values and ranges, and for every ninth string those of the condensed list."""
    name, params, cutoff, _ = slow.read_metric(metric)
    differences: list[object] = []
    for group in groups_of_strings:
        ends = [slow.range_of(name, params, cutoff, whole) for whole in group.wholes]
        low, high = np.array(ends).T[:, group.places]
        values = [slow.value_of(name, params, cutoff, seen) for seen in group.rows]
        lower = np.fmin.reduceat(low, group.starts)  # undefined ones are left out
        upper = np.fmax.reduceat(high, group.starts)
        differences += differing(metric, group, np.stack([values, lower, upper]))
        some = slice(None, None, 9)
        short = [slow.value_of(name, params, cutoff, seen) for seen in group.condensed]
        part = replace(group, rows=group.rows[some], judged=group.judged[some])
        expected = np.stack([short, lower, upper])[:, some]
        differences += differing(condensed(metric), part, expected)
    return differences


def differing(metric: str, group: Group, expected: npt.NDArray[np.float64]) -> list[object]:
    score = core.score(metric, group.judged)
    found = np.stack([score.value, score.lower, score.upper])
    bad = ~np.isclose(found, expected, rtol=0, atol=CLOSE, equal_nan=True).all(axis=0)
    return [
        (metric, group.rows[row], found[:, row].tolist(), expected[:, row].tolist())
        for row in np.flatnonzero(bad)
    ]


def compare_texts(metric: str, cases: list[tuple[str, Topic]]) -> list[object]:
    differences: list[object] = []
    for text, topic in cases:
        expected = slow.score(metric, text, **topic)
        found = mismatch(core.score(metric, text, **topic), expected)
        if found:
            differences.append((text, topic, found, expected))
    return differences


def condensed(metric: str) -> str:
    return metric.replace("@", "'@") if "@" in metric else metric + "'"


def assert_none(differences: list[object]) -> None:
    assert not differences, f"{len(differences)} differ (library, reference): " + "; ".join(
        map(str, differences[:4])
    )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", TOPICS)
def test_all_short_strings_score_as_in_the_reference(kind: str, metric: str) -> None:
    number = METRICS.index(metric) % len(TOPICS[kind](""))
    assert_none(compare_groups(metric, groups(kind, number)))


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("kind", "number"), [*product(["binary"], range(3)), *product(["graded"], range(5))]
)
def test_all_short_strings_with_every_topic_score_as_in_the_reference(
    kind: str, number: int, metric: str
) -> None:
    assert_none(compare_groups(metric, groups(kind, number)))


@pytest.mark.parametrize("metric", METRICS)
def test_texts_score_as_in_the_reference(metric: str) -> None:
    binary = [(t, topic) for t in strings("$-?", SHORT) for topic in binary_topics(t)]
    graded = [(t, topic) for t in strings("013?", 3) for topic in graded_topics(t)]
    start = METRICS.index(metric) % 7
    assert_none(compare_texts(metric, binary[start::7] + graded[start::7]))
    assert_none(compare_texts(condensed(metric), binary[start::17] + graded[start::17]))


def random_cases(metric: str, count: int) -> list[tuple[str, Topic]]:
    """Random graded strings, up to length 12, with random unretrieved documents."""
    rng = random.Random(f"ranklens {metric}")
    cases: list[tuple[str, Topic]] = []
    for _ in range(count):
        marks = rng.choice(["0123?", "00012?", "01????", "0$?", "SAB-?", "001?24"])
        text = "".join(rng.choices(marks, k=rng.randint(6, 12)))
        while text.count("?") > 7:
            text = text.replace("?", "0", 1)
        others = "".join(rng.choices("00123", k=rng.randint(0, 6)))
        topic: Topic = {"topic": text.replace("?", "") + others}
        topic["min_rel"] = rng.choice([1, 1, 1, 2])
        topic["top_grade"] = rng.choice([None, None, 4])
        if rng.random() < 0.2:
            topic = {"top_grade": 4}
        cases.append((text, topic))
    return cases


@pytest.mark.parametrize("metric", METRICS)
def test_random_graded_strings_score_as_in_the_reference(metric: str) -> None:
    assert_none(compare_texts(metric, random_cases(metric, 30)))


TIED = ("$(?-$)(-$)?", "(-?)(?-$)", "-($-)(-$?)", "(??--$$)", "-(-$)(?$)-", "?(-?)$", "$-?")
TIE_METRICS = (
    "RBP(p=0.8)",
    "RBP(p=0.5)@2",
    "RBP(p=0.95)@4",
    "RBP'(p=0.8)@4",
    "RBP(p=0.5)@20",
)


@pytest.mark.parametrize("metric", TIE_METRICS)
def test_ties_score_as_in_the_reference(metric: str) -> None:
    cases: list[tuple[str, Topic]] = [
        (text, {}) for text in (*TIED, "2(1?0)(31)", "(12)?0")
    ]
    assert_none(compare_texts(metric, cases))


@pytest.mark.parametrize("metric", TIE_METRICS)
def test_ties_in_a_batch_score_as_in_the_reference(metric: str) -> None:
    rows = [slow.look(text) for text in TIED]
    plain = judged_batch(rows)
    ties = np.tile(np.arange(plain.depth), (len(rows), 1)) + 100
    for row, seen in enumerate(rows):
        ties[row, : len(seen.grades)] = seen.ties or range(len(seen.grades))
    score = core.score(metric, replace(plain, tie_groups=ties))
    for row, seen in enumerate(rows):
        one = core.Score(score.value[row], score.lower[row], score.upper[row])
        expected = slow.score_seen(metric, seen)
        assert mismatch(one, expected) is None, (TIED[row], one, expected)


def test_tied_documents_add_equal_parts() -> None:
    for text in TIED:
        for metric in ("RBP(p=0.8)", "RBP(p=0.5)@3"):
            parts = core.contributions(metric, text)
            expected = slow.parts_of(metric, slow.look(text))
            assert parts.tolist() == pytest.approx(expected, abs=CLOSE), (text, metric)


def test_ties_matter_to_rbp_alone() -> None:
    for metric in METRICS:
        if metric.startswith("RBP(p=0"):
            continue
        for tied in TIED:
            plain = core.score(metric, tied.replace("(", "").replace(")", ""))
            expected = (float(plain.value), float(plain.lower), float(plain.upper))
            assert mismatch(core.score(metric, tied), expected) is None, (metric, tied)


# ------------------------------------------------------------------ what each rank adds

DECOMPOSED = [m for m in METRICS if not m.startswith(("HIT", "Pplus"))]


def parts_cases(metric: str) -> list[tuple[str, Topic]]:
    binary = [(t, topic) for t in strings("$-?", SHORT) for topic in binary_topics(t)]
    return binary[::5] + random_cases(metric, 10)


@pytest.mark.parametrize("metric", DECOMPOSED)
def test_each_rank_adds_what_the_reference_says(metric: str) -> None:
    differences: list[object] = []
    for text, topic in parts_cases(metric):
        seen = slow.look(text, **topic)
        parts = core.contributions(metric, text, **topic)
        assert len(parts) == len(text)
        value = slow.score_seen(metric, seen)[0]
        if math.isnan(value):
            assert np.isnan(parts).all(), (text, topic)
            continue
        expected = slow.parts_of(metric, seen)
        if not all(map(same, map(float, parts), expected)):
            differences.append((text, topic, parts.tolist(), expected))
        assert float(parts.sum()) == pytest.approx(value, abs=CLOSE)
    assert_none(differences)


@pytest.mark.parametrize("spec", core.METRICS, ids=lambda spec: spec.key)
def test_the_parts_add_up_or_the_metric_says_it_has_none(spec: core.MetricSpec) -> None:
    name = "RBP(p1=0.8, p2=0.6)" if "p1" in spec.key else spec.key
    metric = f"{name}@4" if spec.cutoff == "required" else name
    for text in ("$-?$-", "21?03", "--1", "B0S"):
        try:
            parts = core.contributions(metric, text)
        except core.ParameterError as error:
            assert "has no decomposition" in str(error)  # noqa: PT017
            continue
        value = core.score(metric, text).value
        assert float(parts.sum()) == pytest.approx(value, abs=CLOSE)


# ------------------------------------------------------------------ RBP at many values of p


@pytest.mark.parametrize(
    "text", ["$$---$----$-??--?---", "20?13?", "?", "-", "$(?-$)-(2?)"]
)
def test_the_rbp_curve_is_rbp_at_each_persistence(text: str) -> None:
    persistences = [0.0, 0.01, 0.3, 0.5, 0.8, 0.95, 0.999]
    curve = core.rbp_curve(text, np.array(persistences))
    for place, p in enumerate(persistences):
        one = core.Score(curve.value[place], curve.lower[place], curve.upper[place])
        expected = slow.score(f"RBP(p={p})", text)
        assert mismatch(one, expected) is None, (p, one, expected)


# ------------------------------------------------------------------ the user of two speeds


@pytest.mark.parametrize(("p1", "p2"), [(0.9, 0.4), (0.3, 0.8), (0.7, 0.0), (0.0, 0.7)])
def test_no_tail_and_no_judgment_leaves_the_range_of_the_two_speed_user(
    p1: float, p2: float
) -> None:
    """Try every way of judging, every tail of four documents, and both ends after it.

    The range of RBP(p1, p2) is claimed in closed form; here its two ends are the extremes of
    all that can follow, and both are reached.
    """
    metric = f"RBP(p1={p1}, p2={p2})"
    for text in [*strings("$-?", 4), "2?01", "1?3?", "?12?"]:
        score = core.score(metric, text)
        seen = slow.look(text)
        found = [
            slow.rbp(Seen((*whole.grades, *tail), (), seen.top), p1=p1, p2=p2, tail=end)
            for whole in slow.completions(seen)
            for tail in product((0, seen.top), repeat=4)
            for end in (0.0, 0.5, 1.0)
        ]
        assert min(found) == pytest.approx(score.lower, abs=CLOSE), text
        assert max(found) == pytest.approx(score.upper, abs=CLOSE), text


def test_equal_speeds_are_plain_rbp() -> None:
    for text in [*strings("$-?", 5), "2?01", "13?"]:
        two = core.score("RBP(p1=0.7, p2=0.7)", text)
        one = core.score("RBP(p=0.7)", text)
        assert mismatch(two, (one.value, one.lower, one.upper)) is None, text


# ------------------------------------------------------------------ undefined, zero, unknown

UNDEFINED_WITHOUT_RELEVANT = [
    "AP",
    "AP@3",
    "R@3",
    "Rprec",
    "nDCG",
    "Bpref",
    "Bpref(k=10)",
    "Bpref10",
    "RankEff",
    "Qmeasure",
    "Omeasure",
    "Pmeasure",
    "Pplus",
    "NWRR",
    "APstar",
    "SNAP@3",
    "SNDCG@3",
]
ZERO_WITHOUT_RELEVANT = [
    "RBP(p=0.8)",
    "INSQ",
    "P@3",
    "HIT@3",
    "RR",
    "SP",
    "DCG",
    "SDCG@3",
    "WRR",
    "RR(nth=2)",
    "RBP(p1=0.8,p2=0.6)",
]
ZERO_WHEN_NONE_IS_RETRIEVED = [
    "AP",
    "R@3",
    "Rprec",
    "nDCG",
    "Qmeasure",
    "Omeasure",
    "Pmeasure",
    "Pplus",
    "NWRR",
]
UNDEFINED_WHEN_NONE_IS_RETRIEVED = ("APstar", "SNAP@3", "SNDCG@3")


@pytest.mark.parametrize("metric", UNDEFINED_WITHOUT_RELEVANT)
def test_a_topic_without_relevant_documents_has_no_score(metric: str) -> None:
    score = core.score(metric, "---")
    assert all(map(math.isnan, (score.value, score.lower, score.upper)))


@pytest.mark.parametrize("metric", ZERO_WITHOUT_RELEVANT)
def test_nothing_relevant_is_zero_where_the_score_needs_no_topic(metric: str) -> None:
    assert core.score(metric, "---").value == 0.0


@pytest.mark.parametrize("metric", ZERO_WHEN_NONE_IS_RETRIEVED)
def test_relevant_documents_that_are_all_missed_give_zero(metric: str) -> None:
    score = core.score(metric, "---", num_rel=2)
    assert (score.value, score.lower, score.upper) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("metric", UNDEFINED_WHEN_NONE_IS_RETRIEVED)
def test_self_normalised_scores_need_a_relevant_document_in_sight(metric: str) -> None:
    assert math.isnan(core.score(metric, "---$", num_rel=2).value) or metric == "APstar"
    assert math.isnan(core.score(metric, "---", num_rel=2).value)


def test_rank_eff_has_no_score_without_nonrelevant_documents() -> None:
    assert math.isnan(core.score("RankEff", "$$").value)
    assert core.score("Bpref", "$$").value == 1.0


def test_a_range_may_be_known_where_the_value_is_not() -> None:
    score = core.score("AP", "?-")
    assert math.isnan(score.value)
    assert (score.lower, score.upper) == (1.0, 1.0)
    assert "left out" in score.note
    assert core.score("AP", "$?").note == ""


@pytest.mark.parametrize("metric", ["Pmeasure", "Pplus"])
def test_graded_p_has_no_known_range_above_twelve_unjudged_documents(metric: str) -> None:
    assert_none(compare_texts(metric, [("1" + "?" * 6 + "2" + "?" * 6 + "3", {})]))
    unknown = core.score(metric, "12" + "?" * 13 + "3")
    assert math.isnan(unknown.lower)
    assert math.isnan(unknown.upper)
    assert not math.isnan(unknown.value)


def test_no_range_is_known_above_two_thousand_unjudged_documents_except_for_rbp() -> None:
    known = core.score("RR", "-" + "?" * 2000 + "$")
    assert (known.lower, known.upper) == pytest.approx((1 / 2002, 1 / 2))
    unknown = core.score("RR", "-" + "?" * 2001 + "$")
    assert math.isnan(unknown.lower)
    assert math.isnan(unknown.upper)
    assert unknown.value == pytest.approx(1 / 2003)
    rbp = core.score("RBP(p=0.999)", "-" + "?" * 2001 + "$")
    assert rbp.upper == pytest.approx(0.999)


@pytest.mark.parametrize("metric", ["Pmeasure", "Pplus", "Omeasure", "Qmeasure", "AP"])
def test_binary_lists_have_a_range_above_twelve_unjudged_documents(metric: str) -> None:
    text = "-" + "?" * 7 + "$" + "?" * 6
    assert_none(compare_texts(metric, [(text, {"num_rel": 2})]))


# ------------------------------------------------------------------ parameters that cannot be


@pytest.mark.parametrize("name", ["Qmeasure", "Omeasure", "Pmeasure", "Pplus"])
def test_gains_must_reach_the_top_grade(name: str) -> None:
    with pytest.raises(core.ParameterError):
        core.score(f"{name}(gains='2:1')", "012", topic="0123")
    assert core.score(f"{name}(gains='3:2:1')", "012", topic="0123").value > 0


@pytest.mark.parametrize("name", ["WRR", "NWRR"])
def test_penalties_must_lie_above_one_and_reach_the_top_grade(name: str) -> None:
    for penalties in ("1:2:3", "0.5:2:3", "2:3"):
        with pytest.raises(core.ParameterError):
            core.score(f"{name}(penalties='{penalties}')", "013")
    assert core.score(f"{name}(penalties='2:3:4')", "013").value > 0


@pytest.mark.parametrize("name", ["P", "R", "HIT", "SDCG"])
def test_a_required_cutoff_is_asked_for(name: str) -> None:
    with pytest.raises(core.ParameterError):
        core.score(name, "$-")
    assert core.metric(name).key == name


def test_every_metric_of_the_registry_is_compared() -> None:
    compared = {slow.read_metric(metric)[0] for metric in METRICS}
    listed = {spec.key.split("(")[0] for spec in core.METRICS}
    assert compared == listed == set(slow.FORMULAS)
