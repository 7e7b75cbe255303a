"""Speed of the metrics on one ranking, against the targets the project sets itself.

Run with ``make bench``. Times are the best of several runs on whatever machine this is.
"""

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import core

CUTOFF = 10


def best_of(work: Callable[[], object], repeats: int = 7) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def all_names() -> list[str]:
    names = []
    for spec in core.METRICS:
        name = "RBP(p1=0.8, p2=0.6)" if spec.key == "RBP(p1,p2)" else spec.name
        names.append(f"{name}@{CUTOFF}" if spec.cutoff == "required" else name)
    return names


def ranking(depth: int, unjudged: int, seed: int = 1) -> str:
    rng = np.random.default_rng(seed)
    marks = np.where(rng.random(depth) < 0.3, "$", "-")
    marks[rng.choice(depth, unjudged, replace=False)] = "?"
    return "".join(marks)


def score_all(text: str) -> None:
    for name in all_names():
        core.score(name, text)


def import_seconds(statement: str) -> float:
    def run() -> None:
        subprocess.run([sys.executable, "-c", statement], check=True)

    return best_of(run)


def report(what: str, seconds: float, target: float) -> None:
    verdict = "ok" if seconds <= target else "MISSED"
    print(
        f"{what:<58} {1000 * seconds:9.2f} ms   target {1000 * target:7.1f} ms   {verdict}"
    )


def main() -> None:
    for depth, unjudged, target in ((20, 5, 0.010), (1000, 100, 0.150)):
        text = ranking(depth, unjudged)
        score_all(text)
        seconds = best_of(lambda text=text: score_all(text))  # type: ignore[misc]
        what = f"all {len(all_names())} metrics, {depth} documents, {unjudged} unjudged"
        report(what, seconds, target)
        slowest = sorted(
            (best_of(lambda n=n, t=text: core.score(n, t), 3), n)  # type: ignore[misc]
            for n in all_names()
        )[-3:]
        print("    slowest: " + ", ".join(f"{n} {1000 * s:.2f} ms" for s, n in slowest))
    judged = core.parse_relevance(ranking(1000, 100))
    at = np.linspace(0.01, 0.99, 99)
    curve = best_of(lambda: core.rbp_curve(judged, at))
    report("RBP with residual at 99 p, 1000 documents", curve, 0.001)
    extra = import_seconds("import core") - import_seconds("import numpy")
    report("import core, beyond numpy", extra, 0.1)


if __name__ == "__main__":
    main()
