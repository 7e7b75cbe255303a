"""The blended ratio along the ranks, and the metrics that read it (Sakai 2007)."""

from itertools import product

import numpy as np
import pytest

import core
from core.errors import ParameterError
from core.metrics.graded import blended_ratio
from core.relevance import judge


def test_the_ratio_follows_the_perfect_inverse_as_printed() -> None:
    found = blended_ratio(judge("BAS", topic="SAB"))
    # Sakai 2007, section 3.3: BR(1) = (1+1)/(3+1), BR(2) = (3+2)/(5+2), BR(3) = 1
    assert found.ratio.tolist() == pytest.approx([2 / 4, 5 / 7, 1.0])
    assert found.cum_gain.tolist() == [1, 3, 6]
    assert found.ideal_cum_gain.tolist() == [3, 5, 6]
    assert found.count.tolist() == [1, 2, 3]


def test_the_metrics_read_this_ratio_at_their_ranks() -> None:
    for marks in product("0B?S", repeat=4):
        ranking = judge("".join(marks), topic="SSSSABBBB0000")
        ratio = blended_ratio(ranking, gains="5:3:1").ratio
        at = np.flatnonzero(ranking.relevant)
        first = ratio[at[0]] if at.size else 0.0
        assert core.score("Omeasure(gains='5:3:1')", ranking).value == pytest.approx(first)
        mean = ratio[at].sum() / 9
        assert core.score("Qmeasure(gains='5:3:1')", ranking).value == pytest.approx(mean)


def test_a_batch_gives_what_each_ranking_gives() -> None:
    one, other = judge("BAS-", topic="SSAB---"), judge("--S?", topic="SSAB---")
    batch = core.Judged(
        np.stack([one.grades, other.grades]),
        np.stack([one.grade_counts, other.grade_counts]),
        one.values,
    )
    together = blended_ratio(batch).ratio
    assert together[0].tolist() == blended_ratio(one).ratio.tolist()
    assert together[1].tolist() == blended_ratio(other).ratio.tolist()


def test_gains_must_cover_the_grades() -> None:
    with pytest.raises(ParameterError, match="give a number for each"):
        blended_ratio(judge("S"), gains="2:1")
