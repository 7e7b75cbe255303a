"""The memory that all sessions share: counted, refused before it is spent, and given back."""

import gc
import os
import re
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

import core
from dashboard import settings, uploads
from dashboard.memory import Memory, array_bytes, collection_bytes, file_bytes, tensor_bytes
from dashboard.uploads import File, Holdings, add, remove
from tests.hostile.corpus import bomb, packed

ROOT = Path(__file__).parents[2]
MEGABYTE = 1_000_000


def run(lines: int, tag: str = "x") -> File:
    text = "".join(f"{n % 50} Q0 d{n:06d} 1 {n} {tag}\n" for n in range(lines))
    return File(f"{tag}.run", text.encode())


JUDGED = File("q.txt", b"".join(b"%d 0 d%06d 1\n" % (n % 50, n) for n in range(5_000)))


def test_what_is_held_is_counted_until_it_is_gone() -> None:
    memory = Memory(100 * MEGABYTE)
    held = add(Holdings(), [run(20_000), JUDGED], memory=memory)
    assert held.collection is not None
    assert held.qrels is not None
    parts = [file_bytes(held.runs[0].run), file_bytes(held.qrels.qrels)]
    assert memory.used == sum(parts) + collection_bytes(held.collection)
    fewer = remove(held, ["x"], memory=memory)
    assert fewer.collection is None
    del held
    assert memory.used == parts[1]
    del fewer
    assert memory.used == 0


def test_what_is_refused_is_not_counted() -> None:
    memory = Memory(100 * MEGABYTE)
    add(Holdings(), [File("bad.run", b"1 Q0 a\n"), File("e", b"")], memory=memory)
    gc.collect()
    assert memory.used == 0


def test_the_estimate_of_a_collection_is_not_below_what_it_takes() -> None:
    held = add(Holdings(), [run(20_000), run(20_000, "y"), JUDGED])
    assert held.collection is not None
    assert held.qrels is not None
    runs = [item.run for item in held.runs]
    for name in ("AP", "nDCG", "AP'", "RBP(p=0.8)", "Bpref", "RR", "Qmeasure"):
        held.collection.scores(name)
    taken = array_bytes([held.collection])
    assert taken <= collection_bytes(held.collection) <= 2 * taken
    assert tensor_bytes(runs, held.qrels.qrels) <= collection_bytes(held.collection)


def test_a_plain_file_is_refused_before_it_is_read() -> None:
    memory = Memory(4 * MEGABYTE)
    file = run(100_000)
    tracemalloc.start()
    held = add(Holdings(), [file], memory=memory)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held.is_empty
    assert peak < MEGABYTE
    assert held.refused[0].reason == (
        "x.run: this takes 10 MB of memory or more. The files of all who use this server have "
        "0 MB of the limit of 4 MB in use. Forget files you no longer need, cut the rankings at "
        "a smaller depth, or try again later."
    )


@pytest.mark.parametrize(
    "data",
    [bomb(b"1 Q0 a 1 9 x\n", 10**9), packed(run(100_000).data), bomb(b"\n", 10**8)],
    ids=["bomb of lines", "a run", "bomb of newlines"],
)
def test_a_packed_file_is_refused_while_it_is_unpacked(data: bytes) -> None:
    memory = Memory(4 * MEGABYTE)
    tracemalloc.start()
    held = add(Holdings(), [File("x.run.gz", data)], memory=memory)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "of the limit of 4 MB in use" in held.refused[0].reason
    assert peak < 4 * MEGABYTE


def test_a_collection_that_does_not_fit_is_refused_and_nothing_is_lost() -> None:
    memory = Memory(3 * MEGABYTE)
    judged = File("q.txt", b"".join(b"%d 0 d%06d 1\n" % (n % 500, n) for n in range(5_000)))
    before = add(Holdings(), [judged], memory=memory)
    deep = File("deep.run", b"".join(b"1 Q0 d%06d 1 %d x\n" % (n, n) for n in range(9_000)))
    after = add(before, [deep], memory=memory)
    assert after.refused[0].reason.startswith(
        "one new file together with the rest: the collection: this takes 73 MB of memory"
    )
    assert after.qrels is before.qrels
    assert not after.runs


def test_removing_runs_keeps_them_where_the_rest_cannot_be_joined() -> None:
    memory = Memory(100 * MEGABYTE)
    held = add(Holdings(), [run(20_000), run(20_000, "y"), JUDGED], memory=memory)
    memory.limit = 1
    after = remove(held, ["x"], memory=memory)
    assert after.runs == held.runs
    assert "of memory or more" in after.refused[0].reason
    assert remove(held, ["x", "y"], memory=memory).runs == ()


def test_many_threads_count_rightly() -> None:
    memory = Memory(10**12)

    def work() -> None:
        for _ in range(20):
            add(Holdings(), [run(50)], memory=memory)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert memory.used < MEGABYTE
    for thread in threads:
        thread.join()
    gc.collect()
    assert memory.used == 0


def test_the_limits_are_those_of_the_settings() -> None:
    assert uploads.MEMORY.limit == settings.MAX_MEMORY_BYTES
    assert settings.UPLOAD_LIMITS.depth <= core.Limits().depth


def started(**environment: str) -> subprocess.CompletedProcess[str]:
    code = "from dashboard.settings import *; print(UPLOAD_LIMITS.runs, MAX_MEMORY_BYTES)"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_the_environment_sets_limits() -> None:
    done = started(RANKLENS_RUNS=" 7 ", RANKLENS_MEMORY_MB="50")
    assert done.stdout.split() == ["7", "50000000"]


@pytest.mark.parametrize(
    "text", ["", "many", "0", "-5", "1.5", "1e3", "٣", "9" * 30, "10001"]
)
def test_a_limit_that_is_none_stops_the_start_with_a_message(text: str) -> None:
    done = started(RANKLENS_RUNS=text)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        f"RANKLENS_RUNS must be a whole number from 1 to 10,000; got {text!r}."
    )


def test_the_readme_lists_every_limit_with_its_default() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    source = (ROOT / "dashboard/settings.py").read_text(encoding="utf-8")
    found = re.findall(r'limit\("(RANKLENS_\w+)", ([\d_]+),', source)
    assert len(found) >= 10
    for name, default in found:
        assert re.search(rf"`{name}` \| {int(default):,} \|", readme), name
