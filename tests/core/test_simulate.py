"""Simulated collections: repeatable, described, and like real ones."""

import gzip
import runpy
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core import simulate
from core.collection import Collection
from core.errors import ParameterError
from core.simulate import (
    SAMPLE_FOLDER,
    SAMPLE_SHAPE,
    TREC5_SHAPE,
    sample_collection,
    simulate_collection,
)


@cache
def sample() -> Collection:
    return sample_collection()


def packed(folder: Path) -> dict[str, bytes]:
    files = [*sorted((folder / "runs").glob("*.run.gz")), folder / "qrels.txt.gz"]
    return {path.name: path.read_bytes() for path in files}


def test_the_committed_sample_is_what_its_script_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["make_sample.py", str(tmp_path)])
    runpy.run_path(str(SAMPLE_FOLDER / "make_sample.py"), run_name="__main__")
    committed, made = packed(SAMPLE_FOLDER), packed(tmp_path)
    assert list(made) == list(committed)
    for name, data in made.items():
        assert gzip.decompress(data) == gzip.decompress(committed[name]), name


def test_files_are_packed_without_a_time_stamp() -> None:
    for data in packed(SAMPLE_FOLDER).values():
        assert data[4:8] == b"\0\0\0\0"


def test_the_sample_is_small_to_commit_and_large_to_use() -> None:
    assert sum(map(len, packed(SAMPLE_FOLDER).values())) < 2_000_000
    runs, topics, depth = sample().docs.shape
    assert (runs, topics, depth) == (24, 25, 200)
    assert (SAMPLE_FOLDER / "README.md").is_file()


def test_where_the_files_are_missing_the_sample_is_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "SAMPLE_FOLDER", tmp_path)
    assert sample_collection().digest == sample().digest


def test_the_sample_shows_what_real_collections_show() -> None:
    collection = sample()
    num_rel = collection.grade_counts[:, 1:].sum(axis=1)
    assert num_rel.min() < 10
    assert num_rel.max() > 200
    assert (collection.grade_counts.sum(axis=0) > 100).all()
    report = collection.report.table.set_index("run")
    assert (report.unjudged_top10[["newcomer1", "newcomer2"]] > 0.1).all()
    assert (report.unjudged_top10.drop(["newcomer1", "newcomer2"]) == 0).all()
    assert report.tied.max() > 1_000
    assert report.depth["short1"] <= 40
    means = collection.mean("AP").value
    assert means.max() > 3 * means.min()


def test_runs_of_one_family_share_more_documents_than_others() -> None:
    collection = sample()

    def overlap(first: str, second: str) -> float:
        shared = [
            len(
                set(collection.documents(first, topic))
                & set(collection.documents(second, topic))
            )
            for topic in collection.topic_ids
        ]
        return float(np.mean(shared))

    assert overlap("ash1", "ash2") > 1.3 * overlap("ash1", "elm1")
    assert overlap("cedar1", "cedar2") > 1.3 * overlap("cedar1", "fir1")


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    first, again, other = (
        simulate_collection(seed=seed, runs=5, topics=3, depth=10) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.qrels != other.qrels


@pytest.mark.parametrize(
    ("runs", "topics", "depth"),
    [(4, 1, 1), (4, 2, 3), (30, 2, 4), (61, 1, 20), (100, 1, 5)],
)
def test_any_shape_can_be_read_back(runs: int, topics: int, depth: int) -> None:
    files = simulate_collection(seed=1, runs=runs, topics=topics, depth=depth)
    collection = Collection.from_files(files.runs, files.qrels)
    assert collection.docs.shape == (runs, topics, depth)


def test_the_sizes_are_those_that_are_promised() -> None:
    assert SAMPLE_SHAPE == {"runs": 24, "topics": 25, "depth": 200}
    assert TREC5_SHAPE == {"runs": 61, "topics": 50, "depth": 1000}


@pytest.mark.parametrize(
    "options", [{"runs": 3}, {"topics": 0}, {"depth": 0}, {"seed": -1}, {"runs": 2.5}]
)
def test_a_shape_that_makes_no_collection_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match=f"{next(iter(options))} must be"):
        simulate_collection(**options)


def test_progress_is_reported() -> None:
    shares: list[float] = []
    simulate_collection(
        runs=4, topics=4, depth=5, progress=lambda share, _: shares.append(share)
    )
    assert shares == [0.25, 0.5, 0.75, 1.0]
