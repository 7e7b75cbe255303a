"""The same rankings in other people's software.

- trec_eval, through pytrec_eval-terrier: AP, P, Rprec, RR, recall, bpref, nDCG, cut and not
- NTCIREVAL, through pyNTCIREVAL: Q, O, P, P+, graded RBP, nDCG@k
- rbp_eval, by the RBP authors' group: RBP sums and residuals, with and without ties
"""

import io
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import groupby, product
from pathlib import Path

import pytest
import pytrec_eval
import rbp_eval
from pyNTCIREVAL import metrics as ntcir

import core
from tests.reference import metric_reference as slow

CLOSE = 1e-9
SPECS = Path(__file__).parents[3] / "shared" / "data" / "rbp_eval-spec"


@dataclass(frozen=True)
class Case:
    """A ranking, and the judged documents of its topic that it does not retrieve."""

    ranking: str
    unretrieved: str = ""

    @property
    def topic(self) -> str:
        return self.ranking.replace("?", "") + self.unretrieved

    @property
    def num_rel(self) -> int:
        return sum(mark not in "-0" for mark in self.topic)


def short_cases() -> Iterator[Case]:
    for depth in range(1, 5):
        for marks in product("$-?", repeat=depth):
            for unretrieved in ("", "$$---"):
                yield Case("".join(marks), unretrieved)


def graded_cases() -> Iterator[Case]:
    rng = random.Random(20081201)
    for _ in range(120):
        ranking = "".join(rng.choices("0123?", k=rng.randint(1, 30)))
        yield Case(ranking, "".join(rng.choices("0123", k=rng.randint(0, 8))))


CASES = [case for case in [*short_cases(), *graded_cases()] if case.topic]

# ------------------------------------------------------------------ trec_eval

CUTOFFS = (1, 3, 5, 10)
IN_TREC_EVAL = {
    "AP": "map",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "Bpref": "bpref",
    "nDCG": "ndcg",
    **{f"AP@{k}": f"map_cut_{k}" for k in CUTOFFS},
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"R@{k}": f"recall_{k}" for k in CUTOFFS},
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS},
}
DEFINED_WITHOUT_RELEVANT = ("P", "RR")


@cache
def trec_eval_scores() -> dict[str, dict[str, float]]:
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, case in enumerate(CASES):
        grades = [
            slow.look(case.ranking).grades,
            slow.look("-" + case.unretrieved).grades[1:],
        ]
        retrieved = {f"d{rank}": grade for rank, grade in enumerate(grades[0])}
        others = {f"u{place}": grade for place, grade in enumerate(grades[1])}
        judged = {**retrieved, **others}
        qrels[str(number)] = {doc: g for doc, g in judged.items() if g is not None}
        run[str(number)] = {doc: float(-rank) for rank, doc in enumerate(retrieved)}
    cuts = ",".join(map(str, CUTOFFS))
    measures = {"map", "Rprec", "recip_rank", "bpref", "ndcg"}
    measures |= {f"{name}.{cuts}" for name in ("map_cut", "P", "recall", "ndcg_cut")}
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(
        qrels, measures
    ).evaluate(run)
    return found


@pytest.mark.parametrize("metric", IN_TREC_EVAL)
def test_trec_eval_gives_the_same(metric: str) -> None:
    theirs = trec_eval_scores()
    differences = []
    compared = 0
    for number, case in enumerate(CASES):
        ours = core.score(metric, case.ranking, topic=case.topic).value
        if case.num_rel == 0 and metric.split("@")[0] not in DEFINED_WITHOUT_RELEVANT:
            assert math.isnan(ours), case
            continue
        other = theirs[str(number)][IN_TREC_EVAL[metric]]
        compared += 1
        if not abs(ours - other) < CLOSE:
            differences.append((case, ours, other))
    assert compared > 200
    assert differences == []


# ------------------------------------------------------------------ NTCIREVAL

GRADES = [1.0, 2.0, 3.0]  # gains of grades 1, 2, 3
STEEP = [1.0, 4.0, 9.0]
IN_NTCIREVAL = {
    "Qmeasure": lambda counts: ntcir.QMeasure(counts, GRADES, 1.0),
    "Omeasure": lambda counts: ntcir.OMeasure(counts, GRADES, 1.0),
    "Pmeasure": lambda counts: ntcir.PMeasure(counts, GRADES, 1.0),
    "Pplus": lambda counts: ntcir.PPlusMeasure(counts, GRADES, 1.0),
    "Qmeasure(gains='9:4:1')": lambda counts: ntcir.QMeasure(counts, STEEP, 1.0),
    "Omeasure(gains='9:4:1')": lambda counts: ntcir.OMeasure(counts, STEEP, 1.0),
    "Pmeasure(gains='9:4:1')": lambda counts: ntcir.PMeasure(counts, STEEP, 1.0),
    "Pplus(gains='9:4:1')": lambda counts: ntcir.PPlusMeasure(counts, STEEP, 1.0),
    "RBP(p=0.5)": lambda counts: ntcir.RBP(counts, GRADES, 0.5),
    "RBP(p=0.95)": lambda counts: ntcir.RBP(counts, GRADES, 0.95),
    "AP": lambda counts: ntcir.AP(counts, GRADES),
    "nDCG@5": lambda counts: ntcir.MSnDCG(counts, GRADES, 5),
    "nDCG@10": lambda counts: ntcir.MSnDCG(counts, GRADES, 10),
}


@pytest.mark.parametrize("metric", IN_NTCIREVAL)
def test_ntcireval_gives_the_same(metric: str) -> None:
    differences = []
    compared = 0
    for case in graded_cases():
        if case.num_rel == 0:
            continue
        compared += 1
        counts = [case.topic.count(grade) for grade in "0123"]
        grades = slow.look(case.ranking).grades
        listed = [(f"d{rank}", grade) for rank, grade in enumerate(grades)]
        theirs = IN_NTCIREVAL[metric](counts).compute(listed)
        ours = core.score(metric, case.ranking, topic=case.topic, top_grade=3).value
        if not abs(ours - theirs) < CLOSE:
            differences.append((case, ours, theirs))
    assert compared > 100
    assert differences == []


def test_ntcireval_gives_the_same_for_condensed_lists() -> None:
    for case in graded_cases():
        if case.num_rel == 0:
            continue
        counts = [case.topic.count(grade) for grade in "0123"]
        grades = slow.look(case.ranking).grades
        listed = [(f"d{rank}", g) for rank, g in enumerate(grades) if g is not None]
        if not listed:
            continue
        theirs = ntcir.QMeasure(counts, GRADES, 1.0).compute(listed)
        ours = core.score("Qmeasure'", case.ranking, topic=case.topic, top_grade=3).value
        assert ours == pytest.approx(theirs, abs=CLOSE), case


# ------------------------------------------------------------------ rbp_eval's own cases


@dataclass
class Spec:
    """One case of the folder: flags, and the numbers to find in the order of its README."""

    flags: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    numbers: list[list[float]] = field(default_factory=list)

    @property
    def depths(self) -> list[int]:
        return [int(depth) for depth in self.flags["-d"].split(",")]

    @property
    def persistences(self) -> list[float]:
        return [float(p) for p in self.flags["-p"].split(",")]


def read_spec(path: Path) -> Spec:
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    spec = Spec(numbers=[[float(part) for part in line.split()] for line in lines[1:]])
    words = iter(lines[0].split())
    for word in words:
        if word in ("-d", "-p", "-b", "-f"):
            spec.flags[word] = next(words)
        elif word.startswith("-"):
            spec.flags[word] = ""
        else:
            spec.files.append(word)
    return spec


def read_judgments(spec: Spec) -> tuple[dict[tuple[str, str], int], int]:
    """Grades by topic and document, and the top grade; quarters become grades 1 to 4."""
    path = SPECS / spec.files[0]
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    relevance = {(row[0], row[2]): float(row[3]) for row in rows}
    whole = all("." not in row[3] for row in rows)
    if "-f" in spec.flags:
        relevance = {key: rel * float(spec.flags["-f"]) for key, rel in relevance.items()}
    elif whole or "-B" in spec.flags or "-b" in spec.flags:
        least = float(spec.flags.get("-b", 1.0))
        return {key: int(rel >= least) for key, rel in relevance.items()}, 1
    return {key: round(4 * rel) for key, rel in relevance.items()}, 4


def tied_text(spec: Spec, topic: str, grades: dict[tuple[str, str], int]) -> str:
    """One topic of the run as text, tied documents in brackets."""
    path = SPECS / spec.files[1]
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    by_rank = "-r" in spec.flags

    def key(row: list[str]) -> float:
        return float(row[3]) if by_rank else -float(row[4])

    text = ""
    for _, group in groupby(sorted((r for r in rows if r[0] == topic), key=key), key=key):
        marks = "".join(str(grades.get((topic, row[2]), "?")) for row in group)
        text += f"({marks})" if len(marks) > 1 else marks
    return text


def spec_files() -> list[Path]:
    return sorted(SPECS.glob("*.spec"), key=lambda path: int(path.stem))


@pytest.mark.skipif(not spec_files(), reason=f"no rbp_eval cases in {SPECS}")
@pytest.mark.parametrize("number", range(1, 12))
def test_rbp_sums_and_residuals_are_those_of_the_rbp_authors(number: int) -> None:
    spec = read_spec(SPECS / f"{number}.spec")
    grades, top_grade = read_judgments(spec)
    numbers = iter(spec.numbers)
    found: dict[tuple[int, float], list[tuple[float, float]]] = {}
    for topic in ("1", "2"):
        text = tied_text(spec, topic, grades)
        next(numbers)  # relevant documents of the topic
        (retrieved,) = next(numbers)
        assert len(text.replace("(", "").replace(")", "")) == retrieved
        for depth in spec.depths:
            next(numbers)  # relevant documents retrieved
            for p in spec.persistences:
                score = core.score(f"RBP(p={p})@{depth}", text, top_grade=top_grade)
                printed = next(numbers)
                assert (score.value, score.residual) == pytest.approx(printed, abs=6e-5), (
                    text
                )
                found.setdefault((depth, p), []).append((score.value, score.residual))
    next(numbers)
    next(numbers)
    for depth in spec.depths:
        next(numbers)
        for p in spec.persistences:
            pairs = found[depth, p]
            means = [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]
            assert means == pytest.approx(next(numbers), abs=6e-5)
    assert next(numbers, None) is None


# ------------------------------------------------------------------ ties on our own example


def by_rbp_eval(text: str, p: float, depth: int) -> tuple[float, float]:
    """Sum and residual of one ranking in the package rbp_eval; equal scores are ties."""
    seen = slow.look(text)
    groups = seen.ties or tuple(range(len(seen.grades)))
    run = "".join(
        f"1 Q0 d{rank} {rank} {-group} test\n" for rank, group in enumerate(groups)
    )
    qrels = "1 0 unretrieved 0\n" + "".join(
        f"1 0 d{rank} {grade}\n"
        for rank, grade in enumerate(seen.grades)
        if grade is not None
    )
    results = rbp_eval.evaluate(
        rbp_eval.load_qrels(io.StringIO(qrels)),
        rbp_eval.load_run(io.StringIO(run)),
        rbp_eval.Ordering.SCORE,
        [p],
        [depth],
    )
    found = results.qid_res[0].depth_res[0].persist_res[0]
    return found.sum, found.err


TIED = ("$(?-$)(-$)?", "(-$?)", "$(-$)", "($-)(-$)", "-(?$$-)$(??)", "(?----$)$-")


@pytest.mark.parametrize("text", TIED)
@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_tied_documents_score_as_in_rbp_eval_at_every_cutoff(text: str, p: float) -> None:
    for depth in range(1, len(text) + 1):
        score = core.score(f"RBP(p={p})@{depth}", text)
        theirs = by_rbp_eval(text, p, depth)
        assert (score.value, score.residual) == pytest.approx(theirs, abs=CLOSE), depth


def test_tied_documents_share_the_weight_of_their_ranks() -> None:
    # MZ 4.7 by hand: ranks 2 to 4 are tied; p = 1/2 gives them (1/4 + 1/8 + 1/16) / 3 each
    share = Fraction(7, 48)
    score = core.score("RBP(p=0.5)", "$(?-$)-")
    assert score.value == pytest.approx(float(Fraction(1, 2) + share), abs=CLOSE)
    assert score.residual == pytest.approx(float(share + Fraction(1, 32)), abs=CLOSE)


def test_a_cutoff_inside_a_tie_counts_the_part_of_the_group_that_lies_inside() -> None:
    # two of the three tied ranks lie within the cutoff, so each document counts two thirds
    share = Fraction(7, 48) * Fraction(2, 3)
    score = core.score("RBP(p=0.5)@3", "$(?-$)-")
    assert score.value == pytest.approx(float(Fraction(1, 2) + share), abs=CLOSE)
    assert score.residual == pytest.approx(float(share + Fraction(1, 8)), abs=CLOSE)


def test_the_order_inside_a_tie_does_not_matter_to_rbp_but_to_other_metrics() -> None:
    for p in (0.3, 0.8):
        scores = [
            core.score(f"RBP(p={p})", text) for text in ("-($-?)$", "-(?-$)$", "-(-?$)$")
        ]
        assert len({round(score.value, 12) for score in scores}) == 1
        assert len({round(score.upper, 12) for score in scores}) == 1
    assert core.score("RR", "-($-?)$").value != core.score("RR", "-(?-$)$").value
