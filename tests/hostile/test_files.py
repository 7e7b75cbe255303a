"""Bad files by the hundred: refused by line and rule, nothing lost, memory bounded."""

import time
import tracemalloc

import pytest

from dashboard.uploads import File, Holdings, add, shown_name
from tests.hostile.corpus import HELD, SMALL, Bad, corpus

FILES = corpus(SMALL)


def loaded() -> Holdings:
    held = add(Holdings(), [File(*file) for file in HELD])
    assert held.collection is not None
    return held


def test_there_are_at_least_two_hundred_bad_files_and_no_two_are_alike() -> None:
    contents = {(bad.name, bad.data) for bad in FILES}
    assert len(contents) == len(FILES) >= 200
    assert len({bad.title for bad in FILES}) == len(FILES)


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.title)
def test_a_bad_file_is_refused_by_its_rule_and_nothing_is_lost(bad: Bad) -> None:
    before = loaded()
    data = bad.data
    start = time.perf_counter()
    tracemalloc.start()
    after = add(before, [File(bad.name, data)], limits=SMALL)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [item.file for item in after.refused] == [shown_name(bad.name)]
    assert bad.words in after.refused[0].reason
    assert after.runs == before.runs
    assert after.qrels is before.qrels
    assert after.collection is before.collection
    assert peak < 5 * SMALL.unpacked_bytes
    assert time.perf_counter() - start < 5.0
