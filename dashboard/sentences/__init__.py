"""Plain sentences that say what a page shows now, with its numbers."""

from dashboard.sentences.collections import (
    Thinned,
    differences_needed,
    fewer_judgments,
    newcomer,
    orders_agree,
    pairs_differ,
    pool_depth,
    power,
    scores_of_one,
    scores_of_two,
    two_bounds,
)
from dashboard.sentences.common import certain_words, count, decimals, listed
from dashboard.sentences.explained import (
    better_by,
    one_good_answer,
    own_ranking,
    seven_properties,
    topic_raised,
)
from dashboard.sentences.patience import choosing_p, odds, two_chances, walk
from dashboard.sentences.published import Told, two_papers, verdict_words
from dashboard.sentences.ranking import one_ranking

__all__ = [
    "Thinned",
    "Told",
    "better_by",
    "certain_words",
    "choosing_p",
    "count",
    "decimals",
    "differences_needed",
    "fewer_judgments",
    "listed",
    "newcomer",
    "odds",
    "one_good_answer",
    "one_ranking",
    "orders_agree",
    "own_ranking",
    "pairs_differ",
    "pool_depth",
    "power",
    "scores_of_one",
    "scores_of_two",
    "seven_properties",
    "topic_raised",
    "two_bounds",
    "two_chances",
    "two_papers",
    "verdict_words",
    "walk",
]
