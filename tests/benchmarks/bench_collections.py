"""Speed and memory of collections, beside pytrec_eval on the same files in the same run.

Run with ``make bench``. The collection is simulated: 61 runs x 50 topics x 1000 documents. Times
are the best of three, ours and the peer's in turns, so that a busy machine slows both.
"""

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytrec_eval

from core.collection import Collection
from core.discrimination import bootstrap_sensitivity
from core.pooling import pool_sweep
from core.simulate import TREC5_SHAPE, simulate_collection
from core.thinning import AG_SHARES, thinning_sweep

Runs: TypeAlias = dict[str, dict[str, dict[str, float]]]
Judgments: TypeAlias = dict[str, dict[str, int]]

SIX = ["AP", "RBP(p=0.8)", "nDCG", "P@10", "RR", "Bpref"]
FIVE = {"map", "ndcg", "P_10", "recip_rank", "bpref"}
THINNED = ["AP", "nDCG", "Bpref10", "RankEff", "RBP(p=0.8)", "AP'"]
SCALING = (15, 30, 61, 122)
SAMPLED_DEPTHS = (1, 5, 20, 50, 100)
# VmHWM, not ru_maxrss: a process inherits the latter from the one that started it
MEMORY = """
import sys
sys.path.insert(0, {root!r})
from tests.benchmarks import bench_collections as bench
held = bench.{function}({folder!r})
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(*works: Callable[[], object], repeats: int = 3) -> list[float]:
    """Time several pieces of work, one after the other, and take the best of each."""
    rounds = [[seconds(work) for work in works] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def run_files(folder: str) -> list[Path]:
    return sorted(Path(folder).glob("*.run"))


def read_ours(folder: str) -> Collection:
    return Collection.from_files(run_files(folder), Path(folder) / "qrels.txt")


def read_theirs(folder: str) -> tuple[Runs, Judgments]:
    runs = {}
    for path in run_files(folder):
        with path.open() as file:
            runs[path.stem] = pytrec_eval.parse_run(file)
    with (Path(folder) / "qrels.txt").open() as file:
        return runs, pytrec_eval.parse_qrel(file)


def evaluate_theirs(runs: Runs, qrels: Judgments, measures: set[str]) -> dict[str, object]:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
    return {name: evaluator.evaluate(run) for name, run in runs.items()}


def write(folder: Path, **shape: int) -> None:
    files = simulate_collection(seed=61, **shape)
    for name, data in files.runs.items():
        (folder / f"{name}.run").write_bytes(data)
    (folder / "qrels.txt").write_bytes(files.qrels)


def peak_memory(function: str, folder: str) -> float:
    """Peak memory, in MB, of a process that only reads the files."""
    root = str(Path(__file__).resolve().parents[2])
    code = MEMORY.format(root=root, function=function, folder=folder)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024


def report(what: str, found: str, target: str, *, met: bool) -> bool:
    print(f"{what:<60} {found:<40} target {target:<14} {'ok' if met else 'MISSED'}")
    return met


def bench_reading(folder: str) -> list[bool]:
    ours, theirs = in_turns(lambda: read_ours(folder), lambda: read_theirs(folder))
    memory = [peak_memory(function, folder) for function in ("read_ours", "read_theirs")]
    return [
        report(
            "files to a ready collection",
            f"{ours:.2f} s, pytrec_eval {theirs:.2f} s",
            "ratio <= 1.0",
            met=ours <= theirs,
        ),
        report(
            "peak memory",
            f"{memory[0]:.0f} MB, pytrec_eval {memory[1]:.0f} MB",
            "ratio <= 1.5",
            met=memory[0] <= 1.5 * memory[1],
        ),
    ]


def fresh(collection: Collection) -> Collection:
    """Return the collection as it is just after reading, with nothing else worked out yet."""
    copy = replace(collection)
    vars(copy)["known_cells"] = collection.known_cells  # reading leaves these
    return copy


def bench_evaluation(collection: Collection, runs: Runs, qrels: Judgments) -> list[bool]:
    ours, again, theirs = in_turns(
        lambda: fresh(collection).evaluate(SIX),
        lambda: collection.evaluate(SIX),
        lambda: evaluate_theirs(runs, qrels, FIVE),
    )
    return [
        report(
            f"six metrics with RBP's residual (peer: five), {what}",
            f"{1000 * time_taken:.0f} ms, pytrec_eval {theirs:.2f} s: {theirs / time_taken:.0f} x",
            ">= 15 x",
            met=theirs >= 15 * time_taken,
        )
        for what, time_taken in (("first", ours), ("again", again))
    ]


def pooled_qrels(collection: Collection, depth: int) -> Judgments:
    """Cut the judgments back to a pool, in the form that the peer takes."""
    kept = collection.at_pool_depth(depth)
    return {
        topic: {
            name.decode(): int(code)
            for name, code in zip(
                kept.judged_ids[begin:end], kept.labels[begin:end], strict=True
            )
            if code >= 0
        }
        for topic, (begin, end) in zip(
            kept.topic_ids, pairwise(kept.topic_starts), strict=True
        )
    }


def bench_pools(collection: Collection, runs: Runs) -> list[bool]:
    pools = [pooled_qrels(collection, depth) for depth in SAMPLED_DEPTHS]
    ours, bounds, sampled = in_turns(
        lambda: pool_sweep(fresh(collection), "AP", range(1, 101)),
        lambda: pool_sweep(fresh(collection), "RBP(p=0.8)", range(1, 101)),
        lambda: [evaluate_theirs(runs, pool, {"map"}) for pool in pools],
    )
    estimate = 100 * sampled / len(SAMPLED_DEPTHS)
    print(f"{'RBP bounds at all 100 pool depths':<60} {bounds:.3f} s")
    return [
        report(
            "AP at all 100 pool depths",
            f"{ours:.3f} s, pytrec_eval {estimate:.0f} s: {estimate / ours:.0f} x",
            ">= 300 x",
            met=estimate >= 300 * ours,
        ),
    ]


def bench_experiments(collection: Collection) -> list[bool]:
    def sweep() -> None:
        thinning_sweep(collection, THINNED, AG_SHARES, 10, 1, lambda *_: None)

    (bootstrap,) = in_turns(lambda: bootstrap_sensitivity(collection, "AP", seed=1))
    ranges = seconds(
        lambda: collection.evaluate(["AP", "nDCG"], ranges=True, progress=lambda *_: None)
    )
    thinning = seconds(sweep)
    return [
        report(
            "bootstrap, B = 1000, 1830 pairs",
            f"{bootstrap:.3f} s",
            "0.2 s",
            met=bootstrap <= 0.2,
        ),
        report("ranges of AP and nDCG", f"{ranges:.2f} s", "60 s", met=ranges <= 60),
        report(
            "thinning, 28 shares x 10 x 6", f"{thinning:.1f} s", "20 s", met=thinning <= 20
        ),
    ]


def bench_scaling() -> list[bool]:
    """Cost a run must not grow with the number of runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, runs=max(SCALING), topics=50, depth=1000)
        costs: dict[str, list[float]] = {
            "reading": [],
            "six metrics": [],
            "AP at 100 depths": [],
        }
        for size in SCALING:
            paths = run_files(name)[:size]
            qrels = folder / "qrels.txt"
            made = Collection.from_files(paths, qrels)
            (reading,) = in_turns(lambda p=paths, q=qrels: Collection.from_files(p, q))
            six, pools = in_turns(
                lambda made=made: fresh(made).evaluate(SIX),
                lambda made=made: pool_sweep(fresh(made), "AP", range(1, 101)),
                repeats=7,
            )
            for cost, total in zip(costs.values(), (reading, six, pools), strict=True):
                cost.append(1000 * total / size)
    results = []
    for what, cost in costs.items():
        shown = " ".join(f"{each:.2f}" for each in cost)
        met = cost[-1] <= 1.3 * cost[0]
        results.append(
            report(f"{what}, ms a run at 15, 30, 61, 122 runs", shown, "flat", met=met)
        )
    return results


def main() -> None:
    """Print every figure beside its target; fail if one is missed."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), **TREC5_SHAPE)
        results = bench_reading(folder)
        collection = read_ours(folder)
        runs, qrels = read_theirs(folder)
        results += bench_evaluation(collection, runs, qrels)
        results += bench_pools(collection, runs)
        results += bench_experiments(collection)
    results += bench_scaling()
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
