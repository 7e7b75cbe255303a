"""What the experiments share: scores on all topics, draws of topics, work in blocks."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from core.collection import Collection
from core.columns import Floats, Ints
from core.errors import ParameterError
from core.progress import Progress

EQUAL: Final = 1e-12  # means that differ by less differ by rounding only
_BLOCK: Final = 2_000_000


def defined_scores(collection: Collection, metric: str) -> Floats:
    """Scores of shape (runs, topics) on the topics where the metric is defined for every run."""
    scores = np.asarray(collection.scores(metric).value)
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    if min(scores.shape) < 2:
        msg = (
            f"{metric}: at least two runs and two topics on which it is defined are needed; "
            f"there are {scores.shape[0]} and {scores.shape[1]}."
        )
        raise ParameterError(msg)
    return scores


def draw_halves(topics: int, draws: int, rng: np.random.Generator) -> Ints:
    """Draw two disjoint halves of the topics; shape (2, draws, topics // 2)."""
    size = topics // 2
    order = rng.permuted(np.tile(np.arange(topics), (draws, 1)), axis=1)
    return np.stack([order[:, :size], order[:, size : 2 * size]])


def draw_samples(topics: int, samples: int, rng: np.random.Generator) -> Ints:
    """Draw topics with replacement, as many as there are; shape (samples, topics)."""
    return rng.integers(0, topics, size=(samples, topics))


def half_scores(scores: Floats, drawn: Ints) -> Floats:
    """Average the scores of each run over the drawn topics; shape (draws, runs)."""
    topics = scores.shape[1]
    return np.asarray(multiplicities(drawn, topics) @ scores.T / drawn.shape[1])


def multiplicities(drawn: Ints, topics: int) -> Floats:
    """Count how often each topic was drawn; shape (draws, topics)."""
    draws = len(drawn)
    places = drawn + topics * np.arange(draws)[:, None]
    counts = np.bincount(places.ravel(), minlength=draws * topics)
    return counts.reshape(draws, topics).astype(np.float64)


def blocks(
    rows: int, width: int, text: str, progress: Progress | None, most: int = _BLOCK
) -> Iterator[slice]:
    """Cut rows of some width into blocks of at most so many numbers."""
    size = max(1, min(most // width, 128))
    often = max(1, rows // size // 50)  # a screen needs no more than that
    for block, start in enumerate(range(0, rows, size), start=1):
        yield slice(start, start + size)
        if progress is not None and (block % often == 0 or start + size >= rows):
            progress(min(start + size, rows) / rows, text)


def run_pairs(collection: Collection, first: Ints, second: Ints) -> dict[str, object]:
    """Name the two runs of each pair, as columns of a table."""
    names = np.array(collection.run_ids, dtype=object)
    return {"run_a": names[first], "run_b": names[second]}
