"""Simulated collections: seeded runs and judgments that behave as real ones do.

Each topic has relevant documents of grades 1 to 3 among many others. A run scores a document by
how relevant it is (more reliably the better the run), by what all runs share, by what its family
shares, and by chance. The judgments come from a pool, as at TREC: what no contributing run has
near the top stays unjudged, relevant or not.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from core.progress import Progress
from core.validation import check_whole

if TYPE_CHECKING:
    from core.collection import Collection

SAMPLE_SEED: Final = 2008
SAMPLE_SHAPE: Final = {"runs": 24, "topics": 25, "depth": 200}
TREC5_SHAPE: Final = {"runs": 61, "topics": 50, "depth": 1000}
SAMPLE_FOLDER: Final = Path(__file__).resolve().parent.parent / "sample_data"

_Floats: TypeAlias = npt.NDArray[np.float64]
_Ints: TypeAlias = npt.NDArray[np.int64]

_TREES: Final = (
    "ash", "beech", "cedar", "dogwood", "elm", "fir", "gum", "hazel", "ivy", "juniper",
    "kauri", "larch", "maple", "nutmeg", "oak", "pine", "quince", "rowan", "spruce", "teak",
)  # fmt: skip
_FAMILY_SIZES: Final = (4, 3, 5, 2)
_POOL_DEPTH: Final = 100
_OTHERS_PER_RANK: Final = 24  # documents of grade 0 that compete for each rank
_CORPUS_PER_RANK: Final = 60
_MEDIAN_RELEVANT: Final = 60
_FEWEST_RELEVANT: Final = 5
_MOST_RELEVANT: Final = 450
_GRADE_SHARES: Final = (0.58, 0.28, 0.14)
_GRADE_PULL: Final = np.array([0.0, 1.05, 1.4, 1.8])
_SHARED_BY_ALL: Final = 0.45
_SHARED_BY_FAMILY: Final = 0.6
_OWN: Final = 0.8
_MOST_FOCUS: Final = 0.9
_SHORT_LISTS: Final = (3, 40)
# How the families print their scores: factor, shift, decimals. Few decimals make ties.
_SCALES: Final = (
    (4.0, 9.0, 4), (0.12, 0.2, 6), (3.0, -14.0, 3), (5.0, 11.0, 2), (1.0, 0.0, 5),
)  # fmt: skip


class SimulatedFiles(NamedTuple):
    """The files of a simulated collection: run name to bytes, and the judgments."""

    runs: dict[str, bytes]
    qrels: bytes


class _System(NamedTuple):
    """What sets one run apart."""

    name: str
    family: int
    quality: float
    focus: float  # how much better it is at the easy relevant documents
    pooled: bool
    short: bool


def simulate_collection(
    *,
    seed: int = SAMPLE_SEED,
    runs: int = SAMPLE_SHAPE["runs"],
    topics: int = SAMPLE_SHAPE["topics"],
    depth: int = SAMPLE_SHAPE["depth"],
    progress: Progress | None = None,
) -> SimulatedFiles:
    """Simulate the run files and the qrels file of an evaluation.

    Parameters
    ----------
    seed : int
        The same seed and shape give the same bytes.
    runs, topics, depth : int
        Number of runs (at least 4) and topics, and documents a run lists for each topic.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    SimulatedFiles
        ``runs``, a run's name to its file, and ``qrels``. The last runs are newcomers that
        did not contribute to the pool; the one before them has short lists.

    Examples
    --------
    >>> files = simulate_collection(seed=1, runs=4, topics=2, depth=5)
    >>> list(files.runs)
    ['ash1', 'ash2', 'short1', 'newcomer1']
    >>> files.runs["ash1"].splitlines()[0].split()[:2]
    [b'1', b'Q0']
    """
    check_whole("seed", seed, caller="simulate_collection", least=0)
    check_whole("runs", runs, caller="simulate_collection", least=4, most=1_000)
    check_whole("topics", topics, caller="simulate_collection", most=10_000)
    check_whole("depth", depth, caller="simulate_collection", most=10_000)
    rng = np.random.default_rng(seed)
    systems = _draw_systems(runs, rng)
    written: list[list[str]] = [[] for _ in systems]
    qrels: list[str] = []
    for topic in range(1, topics + 1):
        documents, grades = _draw_topic(depth, rng)
        scores = _draw_scores(systems, grades, rng)
        lists = [
            _retrieve(row, system, depth, rng)
            for row, system in zip(scores, systems, strict=True)
        ]
        for lines, system, found, row in zip(written, systems, lists, scores, strict=True):
            lines.append(_run_lines(topic, system, documents[found], row[found]))
        qrels.append(_qrels_lines(topic, systems, lists, documents, grades, depth))
        if progress is not None:
            progress(topic / topics, f"topic {topic} of {topics} simulated")
    files = {
        system.name: "".join(lines).encode()
        for system, lines in zip(systems, written, strict=True)
    }
    return SimulatedFiles(files, "".join(qrels).encode())


def sample_collection() -> "Collection":
    """Load the sample that comes with the project.

    Returns
    -------
    Collection
        24 simulated runs on 25 topics, 200 documents deep, grades 0 to 3. Where the files are
        not installed, the same collection is simulated anew.
    """
    from core.collection import Collection  # here: simulating alone needs no reader

    folder = SAMPLE_FOLDER / "runs"
    if folder.is_dir():
        return Collection.from_files(
            sorted(folder.glob("*.run.gz")), SAMPLE_FOLDER / "qrels.txt.gz"
        )
    files = simulate_collection()
    return Collection.from_files(dict(sorted(files.runs.items())), files.qrels)


def _draw_systems(runs: int, rng: np.random.Generator) -> list[_System]:
    """Share the runs out over families, with one short run and a few newcomers at the end."""
    newcomers = max(1, runs // 12)
    regular = runs - newcomers - 1
    systems: list[_System] = []
    family = 0
    while len(systems) < regular:
        size = min(_FAMILY_SIZES[family % len(_FAMILY_SIZES)], regular - len(systems))
        name = _TREES[family % len(_TREES)] + "x" * (family // len(_TREES))
        base = rng.uniform(0.75, 1.75)
        for number in range(1, size + 1):
            quality = base + rng.normal(0.0, 0.16)
            focus = rng.uniform(0.0, _MOST_FOCUS)
            systems.append(
                _System(f"{name}{number}", family, quality, focus, pooled=True, short=False)
            )
        family += 1
    systems.append(_System("short1", 0, 1.35, 0.4, pooled=True, short=True))
    for number in range(1, newcomers + 1):
        quality = 1.0 + 0.35 * number / newcomers
        systems.append(
            _System(f"newcomer{number}", family, quality, 0.4, pooled=False, short=False)
        )
    return systems


def _draw_topic(depth: int, rng: np.random.Generator) -> tuple[_Ints, _Ints]:
    """Draw a topic's documents and their true grades."""
    drawn = _MEDIAN_RELEVANT * np.exp(rng.normal(0.0, 1.25))
    most = min(_MOST_RELEVANT, 2 * depth)
    num_rel = int(np.clip(drawn, min(_FEWEST_RELEVANT, most), most))
    candidates = num_rel + _OTHERS_PER_RANK * depth
    documents = rng.choice(_CORPUS_PER_RANK * depth + 1_000, candidates, replace=False)
    grades = np.zeros(candidates, dtype=np.int64)
    grades[:num_rel] = rng.choice([1, 2, 3], num_rel, p=_GRADE_SHARES)
    return documents, grades


def _draw_scores(
    systems: list[_System], grades: _Ints, rng: np.random.Generator
) -> _Floats:
    """Score every document by every run: relevance, what is shared, chance."""
    size = len(grades)
    families = max(system.family for system in systems) + 1
    ease = rng.normal(1.0, 0.25)  # some topics are hard for everyone
    shared = rng.normal(0.0, _SHARED_BY_ALL, size)
    by_family = rng.normal(0.0, _SHARED_BY_FAMILY, (families, size))
    own = rng.normal(0.0, _OWN, (len(systems), size))
    luck = rng.normal(1.0, 0.15, len(systems))
    pull = np.array([system.quality for system in systems]) * luck * ease
    focus = np.array([system.focus for system in systems])
    easier = 1.0 + focus[:, None] * rng.normal(0.0, 1.0, size)
    family = np.array([system.family for system in systems])
    return np.asarray(
        pull[:, None] * easier * _GRADE_PULL[grades] + shared + by_family[family] + own
    )


def _retrieve(
    scores: _Floats, system: _System, depth: int, rng: np.random.Generator
) -> _Ints:
    """Positions of the documents the run lists, best first."""
    length = depth
    if system.short:
        length = int(rng.integers(*_SHORT_LISTS, endpoint=True)) if depth > 3 else 1
        length = min(length, depth)
    top = np.argpartition(-scores, length - 1)[:length]
    return top[np.argsort(-scores[top], kind="stable")]


def _run_lines(topic: int, system: _System, documents: _Ints, scores: _Floats) -> str:
    factor, shift, decimals = _SCALES[system.family % len(_SCALES)]
    first = 0 if system.family == 1 else 1  # some software counts ranks from 0
    printed = np.round(scores * factor + shift, decimals).tolist()
    return "".join(
        [
            f"{topic} Q0 D{document:06d} {rank} {score:.{decimals}f} {system.name}\n"
            for rank, (document, score) in enumerate(
                zip(documents.tolist(), printed, strict=True), start=first
            )
        ]
    )


def _qrels_lines(
    topic: int,
    systems: list[_System],
    lists: list[_Ints],
    documents: _Ints,
    grades: _Ints,
    depth: int,
) -> str:
    """Judge what the contributing runs have in their top ranks."""
    pool_depth = min(_POOL_DEPTH, max(1, depth // 4))
    pooled = [
        found[:pool_depth]
        for found, system in zip(lists, systems, strict=True)
        if system.pooled
    ]
    judged = np.unique(np.concatenate(pooled))
    judged = judged[np.argsort(documents[judged])]
    return "".join(
        [
            f"{topic} 0 D{document:06d} {grade}\n"
            for document, grade in zip(
                documents[judged].tolist(), grades[judged].tolist(), strict=True
            )
        ]
    )
