"""The papers' own examples, named by source; each sets the fields of one page."""

from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True)
class Preset:
    """An example: what it is called, where it comes from, what it sets."""

    name: str
    source: str
    values: dict[str, Any] = field(default_factory=dict)


X: Final = "$$---$----$-----$---"

ONE_RANKING: Final = (
    Preset(
        "Five relevant in twenty",
        "Moffat & Zobel 2008, Tables I and II",
        {"r": X, "p": 0.8},
    ),
    Preset(
        "A patient user",
        "Moffat & Zobel 2008, Table II, p = 0.95",
        {"r": X, "p": 0.95},
    ),
    Preset(
        "Three missing judgments",
        "Moffat & Zobel 2008, section 4.4",
        {"r": "$$---$----$-??--?---", "p": 0.95},
    ),
    Preset(
        "AP falls as more is judged",
        "Moffat & Zobel 2008, section 3.1",
        {"r": "$--$------??????????", "p": 0.8},
    ),
    Preset(
        "Bounds close with depth",
        "after Moffat & Zobel 2008, Figure 5",
        {"r": "$$-$--$---$-?-$--?----$-??-----$????--??-??$??????????????????", "p": 0.8},
    ),
    Preset(
        "Three p, three emphases",
        "Zhang, Park & Moffat 2008, Figure 1",
        {"r": "$" * 20, "p": 0.95, "m1": "RBP(p=0.5)", "m2": "RBP(p=0.95)"},
    ),
    Preset(
        "One more relevant, a lower score",
        "Moffat 2013, section 3 (SN-DCG)",
        {"r": "$-$--", "r2": "$-$-$", "p": 0.8, "m1": "SNDCG@5", "m2": "SNDCG@5"},
    ),
    Preset(
        "Graded, with what the topic knows",
        "Sakai 2007, Figure 3",
        {"r": "BAS", "topic": "SAB", "m1": "Pplus", "m2": "Omeasure"},
    ),
)

CHOOSING_P: Final = (
    Preset(
        "An impatient user",
        "Moffat & Zobel 2008, sections 4.2 and 4.4, p = 0.5",
        {"p": 0.5, "d": 14},
    ),
    Preset(
        "A user in between",
        "Moffat & Zobel 2008, section 4.4, p = 0.8",
        {"p": 0.8, "d": 42},
    ),
    Preset(
        "A patient user",
        "Moffat & Zobel 2008, sections 4.2 and 4.4, p = 0.95",
        {"p": 0.95, "d": 180},
    ),
    Preset(
        "What twenty judgments tell",
        "Moffat & Zobel 2008, section 4.4: residual 0.012",
        {"p": 0.8, "d": 20, "digits": 2},
    ),
    Preset(
        "A pool of depth 100 and four decimals",
        "Moffat & Zobel 2008, section 4.4: p up to 0.91",
        {"p": 0.91, "d": 100},
    ),
    Preset(
        "Ten thousand users walk down the list",
        "Moffat & Zobel 2008, Figure 3 and Table II",
        {"p": 0.8, "users": 10_000},
    ),
    Preset(
        "Three p, three emphases",
        "Zhang, Park & Moffat 2008, Figure 1",
        {"r": "$$-$---$", "p": 0.5, "d": 11, "digits": 3},
    ),
    Preset(
        "Encouraged by a relevant document",
        "after Moffat & Zobel 2008, section 4.3 (p1, p2)",
        {"p": 0.8, "p1": 0.9, "p2": 0.6},
    ),
    Preset(
        "Content with a relevant document",
        "after Moffat & Zobel 2008, section 4.3 (p1, p2)",
        {"p": 0.8, "p1": 0.4, "p2": 0.95},
    ),
    Preset(
        "Leaves at the first relevant document",
        "Moffat & Zobel 2008, section 4.3 (reciprocal rank)",
        {"r": "---$--$-$-", "p": 0.8, "p1": 0.0, "p2": 0.99},
    ),
)

TWO_PAPERS: Final = (
    Preset(
        "One score, many rankings",
        "Zhang, Park & Moffat 2008, section 3 (worked example) and Figure 2",
        {"pa": 0.8, "sa": 0.4, "one": True},
    ),
    Preset(
        "Nine scores",
        "Zhang, Park & Moffat 2008, Figure 3 (boundary cells corrected)",
        {"pa": 0.5, "sa": 0.5, "one": True, "part": "nine"},
    ),
    Preset(
        "A score that cannot be",
        "Zhang, Park & Moffat 2008, Figure 3, the missing panel",
        {"pa": 0.2, "sa": 0.5, "one": True},
    ),
    Preset(
        "With a residual",
        "after Zhang, Park & Moffat 2008, Figure 4 (section 5, rules corrected)",
        {"pa": 0.8, "sa": 0.3, "ea": 0.2, "one": True},
    ),
    Preset(
        "How deep a score can see",
        "Zhang, Park & Moffat 2008, Table 1 (last entry corrected)",
        {"pa": 0.8, "sa": 0.4, "one": True, "part": "depths"},
    ),
    Preset(
        "R_G is not the extreme",
        "counterexample to Zhang, Park & Moffat 2008, section 4.1",
        {"pa": 0.9, "sa": 0.171, "one": True},
    ),
    Preset(
        "A verdict that does not hold",
        "counterexample to Zhang, Park & Moffat 2008, section 4.2, rule 5",
        {"pa": 0.81, "sa": 0.275, "pb": 0.9, "sb": 0.171},
    ),
    Preset(
        "A verdict for a whole range of p",
        "after Zhang, Park & Moffat 2008, section 4.2",
        {"pa": 0.5, "sa": 0.9, "pb": 0.8, "sb": 0.3},
    ),
    Preset(
        "Two means over topics",
        "Zhang, Park & Moffat 2008, section 6 (there called incompatible)",
        {"pa": 0.8, "sa": 0.5, "pb": 0.95, "sb": 0.1, "mean": True, "digits": 3},
    ),
    Preset(
        "Curves that cross twice",
        "the shortest pair that does: seven ranks",
        {"one": True, "part": "crossings", "r": "$---$$$", "r2": "-$$$---"},
    ),
    Preset(
        "Curves that touch",
        "two rankings that meet at p = 0.7549 and do not change places",
        {"one": True, "part": "crossings", "r": "$---$--$$", "r2": "-$$--$---"},
    ),
)

SEVEN_PROPERTIES: Final = (
    Preset(
        "One more relevant document, a lower score",
        "Moffat 2013, section 4, property 3: SN-AP 1.0 and 0.7",
        {"cell": "SNAP.convergent", "own": "100001"},
    ),
    Preset(
        "Another one found, and SN-DCG falls",
        "Moffat 2013, section 3: SN-DCG 0.92 and 0.88",
        {"cell": "SNDCG.convergent", "own": "101001"},
    ),
    Preset(
        "One rank more, a lower score",
        "Moffat 2013, section 4, property 2: nDCG 1.0 and 0.89",
        {"cell": "nDCG.monotonic", "own": "1111101"},
    ),
    Preset(
        "RR does not see the second document",
        "Moffat 2013, section 4, property 3: 01000 and 01100",
        {"cell": "RR.convergent", "own": "010001"},
    ),
    Preset(
        "RR does not see the order of the others",
        "Moffat 2013, section 4, property 4: 10001 and 11000",
        {"cell": "RR.top_weighted", "own": "10001"},
    ),
    Preset(
        "A score above 1",
        "Moffat 2013, section 2: DCG@5 of 11000 is 1.63",
        {"cell": "DCG.bounded", "own": "11000"},
    ),
    Preset(
        "Nothing is relevant",
        "Moffat 2013, section 4, property 6",
        {"cell": "AP.complete", "own": "00000"},
    ),
    Preset(
        "Out of reach: more relevant documents than ranks",
        "Moffat 2013, Table 2, note f",
        {"cell": "AP.realizable", "own": "11100"},
    ),
    Preset(
        "Six of seven, and no metric has more",
        "Moffat 2013, section 4, conflict between the properties",
        {"cell": "RBP.realizable", "own": "11111"},
    ),
)

# The order of the 166 documents above rank 424 is not printed; this one gives all three scores.
_TOPIC_034: Final = "0B" + "A0" * 70 + "A00" * 67 + "B00" * 24 + "B0" * 4 + "S"

ONE_GOOD_ANSWER: Final = (
    Preset(
        "Three kinds of user",
        "after Sakai 2007, Figure 1",
        {"r": "-B-A--S-B-", "topic": "SSAABBB"},
    ),
    Preset(
        "One S in the topic, or three",
        "Sakai 2007, Figure 2, Topics 1 and 2",
        {"r": "00S", "topic": "S", "r2": "00S", "topic2": "SSS"},
    ),
    Preset(
        "A B at rank 1, or an S at rank 2",
        "Sakai 2007, Figure 3, Systems X and Y",
        {"r": "B", "r2": "0S", "topic": "SAB"},
    ),
    Preset(
        "The same, with flatter gains",
        "Sakai 2007, section 3.2: gains 2:1.5:1",
        {"r": "B", "r2": "0S", "topic": "SAB", "gains": "2:1.5:1"},
    ),
    Preset(
        "A better document just below",
        "Sakai 2007, Figure 3, Systems X and Z",
        {"r": "B", "r2": "BS", "topic": "SAB"},
    ),
    Preset(
        "The perfect inverse",
        "Sakai 2007, section 3.3, for Topic 3 of Figure 3",
        {"r": "BAS", "r2": "SAB", "topic": "SAB"},
    ),
    Preset(
        "Down to rank 424",
        "Sakai 2007, Appendix, Topic 034: P .440, P+ .454, O .250 (the order between is ours)",
        {"r": _TOPIC_034, "topic": "S" * 5 + "A" * 288 + "B" * 61},
    ),
    Preset(
        "Down to rank 913",
        "Sakai 2007, Appendix, Topic 020: .004 (cg_I is 78, not 48)",
        {"r": "0" * 912 + "S", "topic": "S" * 10 + "A" * 6 + "B" * 36},
    ),
)

_MZ_METRICS: Final = (
    "RR",
    "P@10",
    "Rprec",
    "AP",
    "RBP(p=0.5)",
    "RBP(p=0.8)",
    "RBP(p=0.95)",
)

_SAKAI_METRICS: Final = ("Omeasure", "Pmeasure", "Pplus", "AP", "Qmeasure")
_GAIN_METRICS: Final = tuple(
    f"{metric}{gains}"
    for metric in ("Pplus", "Pmeasure", "Omeasure")
    for gains in (
        "",
        *(f"(gains='{g}')" for g in ("30:20:10", "0.3:0.2:0.1", "1:1:1", "10:5:1")),
    )
)

FEWER_JUDGMENTS: Final = (
    Preset(
        "As in the paper: 28 shares",
        "Ahlgren & Grönqvist 2008, Figures 5 to 8",
        {"m": ("AP", "Bpref10", "RankEff"), "shares": "all", "n": 10},
    ),
    Preset(
        "What one draw shows",
        "Ahlgren & Grönqvist 2008, section 6.3: one draw a share",
        {"m": ("AP", "Bpref10", "RankEff"), "shares": "all", "n": 1},
    ),
    Preset(
        "Only one judgment in a hundred",
        "Ahlgren & Grönqvist 2008, section 6.3: at least 1 relevant, 10 nonrelevant",
        {"at": "1 %", "n": 10},
    ),
    Preset(
        "Skip the unjudged, or count them as nonrelevant",
        "after Sakai 2007 (condensed lists)",
        {"m": ("AP", "AP'", "nDCG", "nDCG'", "Qmeasure", "Qmeasure'")},
    ),
    Preset(
        "RBP and the width of its bounds",
        "after Moffat & Zobel 2008, section 4.4",
        {"m": ("RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)"), "at": "50 %"},
    ),
)

AGREEMENT: Final = (
    Preset(
        "Pool depths 10 and 100",
        "Moffat & Zobel 2008, Table III",
        {"x": "orders", "m": (*_MZ_METRICS, "nDCG"), "d": (10, 100)},
    ),
    Preset(
        "Which pairs differ significantly",
        "Moffat & Zobel 2008, Table IV",
        {"x": "tests", "m": (*_MZ_METRICS, "nDCG")},
    ),
    Preset(
        "Three metrics, one order?",
        "Ahlgren & Grönqvist 2008, Table 8",
        {"x": "orders", "m": ("AP", "Bpref10", "RankEff")},
    ),
    Preset(
        "How often two halves of the topics disagree",
        "Ahlgren & Grönqvist 2008, Tables 5 to 7",
        {"x": "errors", "m": ("AP", "Bpref10", "RankEff")},
    ),
    Preset(
        "Metrics for one good answer, and for many",
        "Sakai 2007, Table 2",
        {"x": "orders", "m": ("RR", "NWRR", *_SAKAI_METRICS)},
    ),
    Preset(
        "The swap method",
        "Sakai 2007, Table 3",
        {"x": "swaps", "m": ("RR", "NWRR", *_SAKAI_METRICS)},
    ),
    Preset(
        "Discriminative power by the bootstrap",
        "Sakai 2007, Table 4",
        {"x": "bootstrap", "m": ("RR", "NWRR", *_SAKAI_METRICS)},
    ),
    Preset(
        "Other gains, another order?",
        "Sakai 2007, Table 5",
        {"x": "orders", "m": _GAIN_METRICS},
    ),
    Preset(
        "Other gains, other power?",
        "Sakai 2007, Table 6",
        {"x": "bootstrap", "m": _GAIN_METRICS},
    ),
)

SCORES: Final = (
    Preset("The two best runs by AP", "the page's first question", {"by": "AP"}),
    Preset(
        "A run that was not in the pool",
        "after Moffat & Zobel 2008, section 3.2; runs of the sample",
        {"a": "newcomer1", "b": "ash1", "ranges": True, "m": ("RBP", "AP", "nDCG")},
    ),
    Preset(
        "Three users, three orders",
        "Moffat & Zobel 2008, Table III",
        {"m": ("RBP", "AP"), "more": "RBP(p=0.5), RBP(p=0.95)", "p": 0.8},
    ),
    Preset(
        "Metrics that skip the unjudged",
        "Ahlgren & Grönqvist 2008",
        {"m": ("AP", "Bpref", "Bpref10", "RankEff"), "more": "AP'", "by": "RankEff"},
    ),
    Preset(
        "One good answer, over topics",
        "Sakai 2007",
        {"m": ("RR", "NWRR", "Omeasure", "Pmeasure", "Pplus", "Qmeasure"), "by": "Pplus"},
    ),
)

POOL_DEPTH: Final = (
    Preset(
        "AP drifts",
        "after Moffat & Zobel 2008, Figure 2: pool depth 10",
        {"d": 10, "m": "AP"},
    ),
    Preset(
        "RBP of an impatient user stands still",
        "after Moffat & Zobel 2008, Figure 4, p = 0.5",
        {"d": 10, "p": 0.5},
    ),
    Preset(
        "RBP of a user in between",
        "after Moffat & Zobel 2008, Figure 4, p = 0.8",
        {"d": 10, "p": 0.8},
    ),
    Preset(
        "RBP of a patient user can only rise",
        "after Moffat & Zobel 2008, Figure 4, p = 0.95",
        {"d": 10, "p": 0.95},
    ),
    Preset(
        "Two runs, two depths",
        "after Moffat & Zobel 2008, Figure 6: depth 10 and full",
        {"part": "pair", "p": 0.95, "d": 10, "d1": 10},
    ),
    Preset(
        "The top document of every run",
        "after Moffat & Zobel 2008, section 3.1: the shallowest pool",
        {"d": 1},
    ),
    Preset(
        "A run that nobody pooled",
        "after Moffat & Zobel 2008, section 3.1: a newcomer's documents are unjudged",
        {"part": "newcomer", "d": 10, "p": 0.95},
    ),
)
