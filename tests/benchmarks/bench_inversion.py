"""How long the inversion takes, against the figures it must keep.

Run from the project folder: ``python tests/benchmarks/bench_inversion.py``; the exit code is 1 if
a figure is missed. Times are the best of several repetitions, the worst over the scores tried.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.inversion import compare_rbp, count_vectors, rbp_crossings, rbp_envelope
from core.inversion.results import ReportedRBP

CURVE = np.arange(1, 100) / 100
FEW = np.arange(1, 26) / 26
SCORES = (0.0713, 0.2418, 0.4, 0.5, 0.6917, 0.9593)


def best(work: Callable[[], object], repetitions: int = 5) -> float:
    """Return the shortest time of one call in milliseconds."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def curve(p: float, kind: str) -> float:
    """Return the time of a curve of 99 targets, for the slowest of the scores."""
    return max(best(lambda s=s: rbp_envelope(s, p, CURVE, kind=kind)) for s in SCORES)


def with_residual(p: float) -> float:
    """Return the time of 25 targets with residual, for the slowest of ten rankings."""
    rng = np.random.default_rng(1)
    weights = (1 - p) * p ** np.arange(60)
    slowest = 0.0
    for _ in range(10):
        marks = rng.choice(3, size=60, p=rng.dirichlet([3, 5, 2]))
        score, residual = (round(float(weights[marks == m].sum()), 4) for m in (0, 2))
        slowest = max(
            slowest,
            best(lambda s=score, r=residual: rbp_envelope(s, p, FEW, residual=r), 2),
        )
    return slowest


def crossings() -> float:
    """Return the median time for random pairs of 1000 ranks."""
    rng = np.random.default_rng(2)
    times = []
    for _ in range(60):
        share = rng.uniform(0.02, 0.6)
        pair = [
            "".join("1" if x else "0" for x in rng.random(1000) < share) for _ in range(2)
        ]
        times.append(best(lambda pair=pair: rbp_crossings(*pair), 2))
    return median(times)


def import_time() -> float:
    """Return the time `core.inversion` takes beyond numpy and the rest of `core`."""
    code = (
        "import time, numpy, core.judged, core.relevance; start = time.perf_counter(); "
        "import core.inversion; print((time.perf_counter() - start) * 1e3)"
    )
    root = Path(__file__).parents[2]
    with (
        TemporaryDirectory() as folder
    ):  # bytecode is kept there, as an installed package has it
        settings = {
            **os.environ,
            "PYTHONPYCACHEPREFIX": folder,
            "PYTHONDONTWRITEBYTECODE": "",
        }
        command = [sys.executable, "-c", code]
        runs = [
            subprocess.run(
                command, capture_output=True, text=True, cwd=root, env=settings, check=True
            )
            for _ in range(5)
        ]
    return min(float(run.stdout) for run in runs)


FIGURES: list[tuple[str, Callable[[], float], float]] = [
    ("exact, 99 targets, p = .8", lambda: curve(0.8, "exact"), 25),
    ("exact, 99 targets, p = .95", lambda: curve(0.95, "exact"), 40),
    ("lp, 99 targets, p = .8", lambda: curve(0.8, "lp"), 1),
    ("lp, 99 targets, p = .95", lambda: curve(0.95, "lp"), 1),
    ("exact with residual, 25 targets, p = .5", lambda: with_residual(0.5), 150),
    ("exact with residual, 25 targets, p = .6", lambda: with_residual(0.6), 150),
    ("exact with residual, 25 targets, p = .7", lambda: with_residual(0.7), 400),
    ("exact with residual, 25 targets, p = .8", lambda: with_residual(0.8), 1500),
    ("crossings, 1000 ranks, median", crossings, 5),
    ("import core.inversion", import_time, 15),
]
OTHERS: list[tuple[str, Callable[[], float]]] = [
    ("paper, 99 targets, p = .95", lambda: curve(0.95, "paper")),
    ("exact, 99 targets, p = .99", lambda: curve(0.99, "exact")),
    ("exact with residual, 25 targets, p = .9", lambda: with_residual(0.9)),
    ("count_vectors(.4, .8)", lambda: best(lambda: count_vectors(0.4, 0.8), 2)),
    ("count_vectors(.4, .99)", lambda: best(lambda: count_vectors(0.4, 0.99), 2)),
    (
        "compare_rbp, exact, undetermined",
        lambda: best(lambda: compare_rbp(ReportedRBP(0.8, 0.4), ReportedRBP(0.95, 0.35))),
    ),
]


def main() -> int:
    """Print every figure and return the number of those missed."""
    missed = 0
    for name, measure, target in FIGURES:
        taken = measure()
        missed += taken > target
        verdict = "ok" if taken <= target else "MISSED"
        print(f"{name:44} {taken:9.2f} ms   target {target:6} ms   {verdict}")
    for name, measure in OTHERS:
        print(f"{name:44} {measure():9.2f} ms")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
