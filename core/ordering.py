"""The order of a run, and which judged document stands at each rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.columns import Ids, Ints
from core.errors import InputError
from core.trec import Run, document_keys

_SALTS: Final = range(16)


@dataclass(frozen=True, eq=False)
class RankedRun:
    """The documents of a run on the judged topics, topic after topic, from the top down.

    Attributes
    ----------
    topics : int array
        Place of the topic among the judged topics.
    ranks : int array
        Rank, counted from 0.
    documents : bytes array
        Ids.
    tied_with : int array
        Rank of the first document with the same score.
    num_tied : int
        Documents that share their score with another of the same ranking.
    ignored_topics : int
        Topics of the run that have no judgments.
    """

    topics: Ints
    ranks: Ints
    documents: Ids
    tied_with: Ints
    num_tied: int
    ignored_topics: int


def order_run(
    run: Run, judged_topics: Sequence[str], score_type: np.dtype[np.floating]
) -> RankedRun:
    """Order a run by score, then by document id, both descending, as trec_eval does.

    Parameters
    ----------
    run : Run
        A run as read.
    judged_topics : sequence of str
        Topics of the judgments; others are left out.
    score_type : dtype
        Type in which scores are compared.

    Raises
    ------
    InputError
        The run has none of the judged topics.
    """
    places = {topic: place for place, topic in enumerate(judged_topics)}
    place_of_code = np.array(
        [places.get(topic, -1) for topic in run.topics], dtype=np.int64
    )
    ignored = int((place_of_code < 0).sum())
    if ignored == len(run.topics):
        mine, theirs = (
            ", ".join(repr(topic) for topic in side[:2])
            for side in (run.topics, judged_topics)
        )
        msg = (
            f"{run.name}: no topic is common to the run and the judgments. The run has {mine}, "
            f"the judgments have {theirs}; check that the two belong together."
        )
        raise InputError(msg)
    topics = place_of_code[run.topic_codes]
    with np.errstate(
        over="ignore"
    ):  # beyond float32: infinite, and so tied, as in trec_eval
        scores = run.scores.astype(score_type)
    documents = run.documents
    if ignored:
        kept = np.flatnonzero(topics >= 0)
        topics, scores, documents = topics[kept], scores[kept], documents[kept]
    same = topics[1:] == topics[:-1]
    if (topics[1:] < topics[:-1]).any() or (same & (scores[1:] > scores[:-1])).any():
        order = np.lexsort((-scores, topics))
        topics, scores, documents = topics[order], scores[order], documents[order]
        same = topics[1:] == topics[:-1]
    tied = np.concatenate(([False], same & (scores[1:] == scores[:-1])))
    if tied.any():
        documents = documents[_ties_by_id(documents, tied)]
    rows = np.arange(len(topics))
    begins = np.concatenate(([True], ~same))
    ranks = rows - np.maximum.accumulate(np.where(begins, rows, 0))
    leader = np.maximum.accumulate(np.where(tied, 0, rows))
    in_group = tied | np.append(tied[1:], False)
    return RankedRun(
        topics, ranks, documents, ranks[leader], int(np.count_nonzero(in_group)), ignored
    )


def _ties_by_id(documents: Ids, tied: npt.NDArray[np.bool_]) -> Ints:
    """Order the documents of each group of ties by id, descending; others keep their place."""
    order = np.arange(len(documents))
    rows = np.flatnonzero(tied | np.append(tied[1:], False))
    groups = np.cumsum(~tied)[rows]
    by_id = np.empty(len(rows), dtype=np.int64)
    by_id[np.argsort(documents[rows], kind="stable")] = np.arange(len(rows))
    order[rows] = rows[np.lexsort((-by_id, groups))]
    return order


class JudgedDocuments:
    """Finds documents among the judged ones of their topic.

    Keys are hashes, sorted and reached through a table on their highest bits; a document that is
    found is compared byte by byte, so the answer is exact.
    """

    def __init__(self, ids: Ids, topics: Ints) -> None:
        self.ids = ids
        self._salt, keys = _unique_keys(ids, topics)
        self._rows = np.argsort(keys, kind="stable").astype(np.int32)
        self._keys = keys[self._rows]
        bits = max(len(ids), 1).bit_length() + 2
        self._shift = np.uint64(64 - bits)
        edges = np.arange(2**bits, dtype=np.uint64) << self._shift
        self._first = np.append(np.searchsorted(self._keys, edges), len(ids)).astype(
            np.int32
        )

    def find(self, documents: Ids, topics: Ints) -> npt.NDArray[np.int32]:
        """Return the place of each document among the judged ones, -1 where it is not."""
        keys = document_keys(documents, topics, salt=self._salt)
        slots = (keys >> self._shift).astype(np.int64)
        place, end = self._first[slots], self._first[slots + 1]
        found = np.full(len(documents), -1, dtype=np.int32)
        open_rows = np.flatnonzero(place < end)
        place, end = place[open_rows], end[open_rows]
        while len(open_rows):
            hit = self._keys[place] == keys[open_rows]
            found[open_rows[hit]] = self._rows[place[hit]]
            onward = ~hit & (place + 1 < end)
            open_rows, place, end = open_rows[onward], place[onward] + 1, end[onward]
        rows = np.flatnonzero(found >= 0)
        other = self.ids[found[rows]] != documents[rows]
        found[rows[other]] = -1
        return found


def _unique_keys(ids: Ids, topics: Ints) -> tuple[int, npt.NDArray[np.uint64]]:
    """Hash the judged documents so that no two share a key."""
    for salt in _SALTS:
        keys = document_keys(ids, topics, salt=salt)
        ordered = np.sort(keys)
        if not (ordered[1:] == ordered[:-1]).any():
            return salt, keys
    msg = "the judged document ids cannot be told apart; rename some of them."
    raise InputError(msg)
