"""Addresses of other pages that show a part of a collection."""

from urllib.parse import quote, urlencode

import core
from core.judged import Judged
from dashboard.settings import MAX_LINK_CHARACTERS
from dashboard.state import shorten

_MOST_JUDGED = 20_000  # documents of a topic that a link spells out grade by grade


def one_ranking_link(
    collection: core.Collection,
    runs: tuple[str, ...],
    topic: str,
    *,
    p: float | None = None,
) -> str | None:
    """Address that opens one or two runs' lists for a topic in One ranking.

    Returns None where that page cannot show the lists: grades without a character of their own, a
    topic that a run does not have, or lists too long for a link.
    """
    try:
        rankings = [collection.ranking(run, topic) for run in runs]
        lists = [shorten(core.format_relevance(ranking)) for ranking in rankings]
    except core.CoreError:
        return None
    query = dict(zip(("r", "r2"), lists, strict=False)) | _topic(rankings[0])
    if p is not None:
        query["p"] = f"{p:.6g}"
    # these marks may stand in a query as they are, which keeps long rankings short
    address = urlencode(query, safe="$*~?()", quote_via=quote)
    return None if len(address) > MAX_LINK_CHARACTERS else f"./?{address}"


def _topic(judged: Judged) -> dict[str, str]:
    """Tell what the judgments know of the topic beyond the list."""
    counts = [int(number) for number in judged.grade_counts]
    top, least = int(judged.top_grade), int(judged.values[judged.min_code])
    known = {"top": str(top)} if top > 1 else {}
    if least > 1:
        known["min"] = str(least)
    if top == 1 or sum(counts) > _MOST_JUDGED:
        return {**known, "R": str(int(judged.num_rel)), "N": str(int(judged.num_nonrel))}
    marks = [f"{grade:.0f}" if grade else "-" for grade in judged.values]
    every = "".join(mark * number for mark, number in zip(marks, counts, strict=True))
    return {**known, "topic": shorten(every[::-1])}
