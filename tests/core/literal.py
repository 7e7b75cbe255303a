"""Collections read and scored the slow way: dictionaries, loops, nothing shared with core."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Grades = dict[str, dict[str, int]]
Lists = dict[str, dict[str, list[tuple[str, float]]]]


@dataclass(frozen=True)
class Files:
    """A small random collection as files and as dictionaries."""

    runs: dict[str, bytes]
    qrels: bytes
    lists: Lists
    grades: Grades


def random_files(
    seed: int,
    *,
    runs: int = 4,
    topics: int = 5,
    depth: int = 12,
    top_grade: int = 2,
    missing: bool = True,
) -> Files:
    """Draw runs with ties, short lists and missing topics, and partial judgments."""
    rng = random.Random(seed)
    names = [f"doc{number}" for number in range(3 * depth)]
    grades: Grades = {}
    for topic in range(1, topics + 1):
        judged = rng.sample(names, rng.randint(depth, 2 * depth))
        grades[str(topic)] = {
            name: rng.choice([0, 0, *range(top_grade + 1)]) for name in judged
        }
    lists: Lists = {}
    for run in range(1, runs + 1):
        lists[f"run{run}"] = {}
        for topic in grades:
            if missing and rng.random() < 0.1 and len(lists[f"run{run}"]):
                continue
            length = rng.choice([depth, depth, rng.randint(1, depth)])
            documents = rng.sample(names, length)
            scores = sorted(
                (rng.randint(0, 2 * depth) / 4 for _ in documents), reverse=True
            )
            lists[f"run{run}"][topic] = list(zip(documents, scores, strict=True))
    return Files(run_bytes(lists), qrels_bytes(grades), lists, grades)


def run_bytes(lists: Lists) -> dict[str, bytes]:
    return {
        run: "".join(
            f"{topic} Q0 {document} {rank} {score} {run}\n"
            for topic, ranking in by_topic.items()
            for rank, (document, score) in enumerate(ranking, start=1)
        ).encode()
        for run, by_topic in lists.items()
    }


def qrels_bytes(grades: Mapping[str, Mapping[str, int]]) -> bytes:
    return "".join(
        f"{topic} 0 {document} {grade}\n"
        for topic, by_document in grades.items()
        for document, grade in by_document.items()
    ).encode()


def ordered(ranking: Sequence[tuple[str, float]], *, single: bool = True) -> list[str]:
    """Order by score, then by id, both descending."""
    kind = np.float32 if single else np.float64
    by_id = sorted(ranking, key=lambda entry: entry[0].encode(), reverse=True)
    return [name for name, _ in sorted(by_id, key=lambda entry: -kind(entry[1]))]


def marks(documents: Sequence[str], grades: Mapping[str, int]) -> str:
    """Write a ranking as a relevance string."""
    return "".join(str(grades[name]) if name in grades else "?" for name in documents)


def pooled(lists: Lists, grades: Grades, depth: int, contributors: Sequence[str]) -> Grades:
    """Cut judgments back to the documents that a contributor has in its top `depth`."""
    kept: Grades = {}
    for topic, by_document in grades.items():
        pool = {
            name
            for run in contributors
            for name in ordered(lists[run].get(topic, []))[:depth]
        }
        kept[topic] = {name: grade for name, grade in by_document.items() if name in pool}
    return kept
