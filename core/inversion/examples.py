"""Rankings that show a comparison to be open: one pair with which A wins, one with which B does.

They come from the searches themselves, so that a pair is found whenever one exists (for means,
the LP extremes are reached by mixing two rankings over the topics).
"""

import math
from typing import Final

from core.inversion.exact import exact_extreme, fits_some_ranking
from core.inversion.linear import bottom_fill, top_fill
from core.inversion.reports import Report
from core.inversion.results import Example, Mixture
from core.inversion.scores import depth_of, score_vector
from core.inversion.search import Extreme
from core.inversion.triples import complete, needs_of

_MOST_RANKS: Final = 10_000


def find_examples(
    reports: tuple[Report, Report], means: tuple[bool, bool], at: float, node_limit: int
) -> tuple[Example | None, Example | None]:
    """Return rankings with which A wins and rankings with which B wins, None where none do."""
    high = [
        _extreme(report, at, node_limit, mean=mean, least=False)
        for report, mean in zip(reports, means, strict=True)
    ]
    low = [
        _extreme(report, at, node_limit, mean=mean, least=True)
        for report, mean in zip(reports, means, strict=True)
    ]
    return _pair(high[0], low[1], "A"), _pair(low[0], high[1], "B")


def _pair(
    first: tuple[Mixture, float] | None, second: tuple[Mixture, float] | None, winner: str
) -> Example | None:
    if first is None or second is None:
        return None
    example = Example(first[0], second[0], first[1], second[1])
    ahead = example.score_a - example.score_b
    return example if (ahead > 0.0 if winner == "A" else ahead < 0.0) else None


def _extreme(
    report: Report, at: float, node_limit: int, *, mean: bool, least: bool
) -> tuple[Mixture, float] | None:
    """Return the ranking or rankings with the least lower or the greatest upper score."""
    ranks = min(max(depth_of(report.p, 2e-12), depth_of(at, 2e-9)), _MOST_RANKS)
    if mean:
        mixture = _mixture(report, at, ranks, least=least)
    elif fits_some_ranking(report):
        found = exact_extreme(report, at, node_limit, upper=not least, least=least)
        ranking = _written(report, found, ranks)
        mixture = () if ranking is None else ((1.0, ranking),)
    else:
        mixture = ()
    if not mixture:
        return None
    relevant = "1" if least else "1?"
    score = sum(
        share * score_vector(text, at, relevant=relevant) for share, text in mixture
    )
    return mixture, score


def _written(report: Report, found: Extreme, ranks: int) -> str | None:
    """Write the ranking of a search out, down to where nothing counts any more."""
    path, p = found.path, report.p
    if not 0.0 <= found.best <= 1.0:
        return None  # the node limit struck before any ranking was complete
    relevant, unjudged = score_vector(path, p), score_vector(path, p, relevant="?")
    mass = p ** len(path)
    needs = needs_of(
        (report.relevant[0] - relevant, report.relevant[1] - relevant),
        (report.unjudged[0] - unjudged, report.unjudged[1] - unjudged),
        mass,
        found.tail,
    )
    rest = complete(p, needs, mass, found.tail, max(ranks - len(path), 0), settle=True)
    return None if rest is None else _trimmed(path + rest)


def _trimmed(ranking: str) -> str:
    return ranking.rstrip("0") or "0"


def _mixture(report: Report, at: float, ranks: int, *, least: bool) -> Mixture:
    """Return topics whose mean has the extreme score: two vectors, each with two markings.

    For the least lower score the vector holds the relevant weight and the unjudged weight is
    spread over its zeros; for the greatest upper score it holds both.
    """
    if least:
        inside, outside = report.relevant[0], report.unjudged[0]
        share = outside / (1.0 - inside) if inside < 1.0 else 0.0
        marks = (("1", "?", min(share, 1.0)), ("1", "0", 1.0 - min(share, 1.0)))
    else:
        inside = report.upper[1]
        relevant = min(report.relevant[1], inside - report.unjudged[0])
        share = relevant / inside if inside > 0.0 else 1.0
        marks = (("1", "0", share), ("?", "0", 1.0 - share))
    return tuple(
        (part * portion, _trimmed("".join(one if rank else zero for rank in vector)))
        for vector, part in _vectors(
            inside, report.p, ranks, top=(at <= report.p) is not least
        )
        for one, zero, portion in marks
        if part * portion > 0.0
    )


def _vectors(
    score: float, p: float, ranks: int, *, top: bool
) -> list[tuple[list[bool], float]]:
    """Return two binary vectors and their shares, whose mean is the fractional extreme."""
    whole, part = top_fill(score, p) if top else bottom_fill(score, p)
    length = ranks if math.isinf(whole) else min(int(whole), ranks)
    vectors = []
    # A share `part` of the topics has the fractional rank relevant, the rest has it nonrelevant.
    for relevant_there, portion in ((False, 1.0 - part), (True, part)):
        marks = [top] * length + [relevant_there] + [not top] * ranks
        vectors.append((marks[:ranks], portion))
    return vectors
