"""While some run the heaviest experiments, the edits of another stay live; then they end."""

import asyncio
import time

import numpy as np
import pytest

from core.simulate import TREC5_SHAPE, simulate_collection
from tests.load.conftest import Served
from tests.load.processes import cpu_seconds
from tests.load.session import Session
from tests.load.visitors import Ranker

pytestmark = pytest.mark.usefixtures("linux")

EDITS_EVERY = 0.2  # seconds
FAST_ENOUGH = 0.5  # seconds, at the 95th percentile


async def experiment(address: str, seed: int, files: list[tuple[str, bytes]]) -> None:
    """Thin judgments a hundred times over, which takes far longer than the test."""
    async with Session(address) as tab:
        if files:
            await tab.open("scores")
            await tab.upload(files)
        await tab.open("fewer_judgments", f"n=100&shares=all&seed={seed}")


async def edit_beside(
    address: str, pid: int, experiments: int, edits: int, files: list[tuple[str, bytes]]
) -> tuple[list[float], float, float]:
    """Time edits beside experiments; with the server's load during them and afterwards."""
    work = [
        asyncio.create_task(experiment(address, seed, files)) for seed in range(experiments)
    ]
    visitor, times = Ranker(3), []
    async with Session(address) as tab:
        await tab.open(visitor.page, visitor.query)
        await asyncio.sleep(20 if files else 3)
        before, start = cpu_seconds(pid), time.monotonic()
        for _ in range(edits):
            times.append((await visitor.edit(tab)).seconds)
            assert visitor.found(tab) == visitor.expected()
            await asyncio.sleep(EDITS_EVERY)
        busy = (cpu_seconds(pid) - before) / (time.monotonic() - start)
        assert not any(one.done() for one in work)
        for one in work:
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await asyncio.sleep(3)
        before = cpu_seconds(pid)
        await asyncio.sleep(2)
        return times, busy, (cpu_seconds(pid) - before) / 2


def check(beside: tuple[list[float], float, float], bound: float) -> None:
    times, busy, afterwards = beside
    assert busy > 0.5, "no experiment was under way"
    assert np.quantile(times, 0.95) <= bound
    assert afterwards < 0.2, "an experiment went on although nobody waits for it"


def test_edits_stay_live_beside_experiments(served: Served) -> None:
    check(asyncio.run(edit_beside(served.address, served.pid, 3, 10, [])), bound=1.0)


@pytest.mark.slow
def test_edits_stay_live_beside_six_experiments_on_large_collections(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    made = simulate_collection(seed=61, **TREC5_SHAPE)
    files = [(f"{name}.run", data) for name, data in made.runs.items()]
    files.append(("qrels.txt", made.qrels))
    beside = asyncio.run(edit_beside(served.address, served.pid, 6, 50, files))
    middle, high, most = np.quantile(beside[0], [0.5, 0.95, 1.0])
    with capsys.disabled():
        print(  # noqa: T201
            f"\nedits beside six experiments on 61 x 50 x 1000: median {middle:.3f} s, "
            f"95 % {high:.3f} s, most {most:.3f} s; server at {beside[1]:.0%}, "
            f"{beside[2]:.0%} once they left"
        )
    check(beside, FAST_ENOUGH)
