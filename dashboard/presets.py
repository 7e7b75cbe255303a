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
