"""Inverting an RBP score: which rankings it allows, and what they score at another p.

Zhang, Park and Moffat (ADCS 2008) build two rankings from a published score and read the range
at another persistence off them. Their rules are kept where they are right; where they are not,
bounds that are proved take their place, and each docstring says which is which.
"""

from core.inversion.comparison import compare_rbp
from core.inversion.counting import count_prefixes, count_vectors, log10_vectors
from core.inversion.crossings import rbp_crossings
from core.inversion.envelope import rbp_envelope
from core.inversion.results import (
    Crossings,
    Envelope,
    Example,
    Inversion,
    ReportedRBP,
    Verdict,
)
from core.inversion.scores import inversion_depth
from core.inversion.triples import triple_ranking
from core.inversion.vectors import invert_rbp

__all__ = [
    "Crossings",
    "Envelope",
    "Example",
    "Inversion",
    "ReportedRBP",
    "Verdict",
    "compare_rbp",
    "count_prefixes",
    "count_vectors",
    "inversion_depth",
    "invert_rbp",
    "log10_vectors",
    "rbp_crossings",
    "rbp_envelope",
    "triple_ranking",
]
