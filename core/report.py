"""What reading a collection left out, and why."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

import pandas as pd

_SHOWN: Final = 3


@dataclass(frozen=True)
class RunReport:
    """What was found in one run.

    Attributes
    ----------
    run : str
        Name.
    topics : int
        Judged topics that the run has.
    missing_topics : tuple of str
        Judged topics that it has not; they count 0.
    ignored_topics : int
        Topics of the run without judgments; they are not evaluated.
    documents, depth : int
        Documents on judged topics; length of the longest ranking.
    tied : int
        Documents whose score another document of the ranking has too.
    trailing_text : int
        Lines with text after the sixth column.
    unjudged_top10 : float
        Share of unjudged documents in the top 10.
    """

    run: str
    topics: int
    missing_topics: tuple[str, ...]
    ignored_topics: int
    documents: int
    depth: int
    tied: int
    trailing_text: int
    unjudged_top10: float


@dataclass(frozen=True)
class Report:
    """What was found in a collection; `notes` says in words what a reader should know.

    Attributes
    ----------
    runs : tuple of RunReport
        One entry a run.
    judgments, topics : int
        Judged documents, and topics of the judgments.
    topics_without_relevant : tuple of str
        Topics that leave normalised metrics undefined.
    negative_grades, repeated_judgments : int
        Lines of the judgments that were left out.
    """

    runs: tuple[RunReport, ...]
    judgments: int
    topics: int
    topics_without_relevant: tuple[str, ...]
    negative_grades: int
    repeated_judgments: int

    @property
    def table(self) -> pd.DataFrame:
        """The reports of the runs as a table."""
        names = [field.name for field in fields(RunReport)]
        rows = [[getattr(run, name) for name in names] for run in self.runs]
        frame = pd.DataFrame(rows, columns=names)
        frame["missing_topics"] = [len(run.missing_topics) for run in self.runs]
        return frame

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was left out or needs care; empty if there is nothing to say."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        if self.topics_without_relevant:
            yield (
                f"{_count(len(self.topics_without_relevant), 'topic')} without a relevant "
                f"document ({_some(self.topics_without_relevant)}): undefined for normalised "
                "metrics and left out of their means."
            )
        if self.negative_grades:
            yield f"{_count(self.negative_grades, 'judgment')} below 0: taken as unjudged."
        if self.repeated_judgments:
            yield f"{_count(self.repeated_judgments, 'judgment')} given twice: used once."
        for run in self.runs:
            yield from _run_notes(run)


def _run_notes(run: RunReport) -> Iterator[str]:
    if run.missing_topics:
        yield (
            f"{run.run}: no ranking for {_count(len(run.missing_topics), 'judged topic')} "
            f"({_some(run.missing_topics)}); each counts 0."
        )
    if run.ignored_topics:
        yield f"{run.run}: {_count(run.ignored_topics, 'topic')} without judgments, not evaluated."
    if run.tied:
        yield f"{run.run}: {_count(run.tied, 'document')} with a score that another has too."
    if run.trailing_text:
        yield f"{run.run}: text after the sixth column in {_count(run.trailing_text, 'line')}."
    if run.unjudged_top10:
        yield f"{run.run}: {run.unjudged_top10:.0%} of the documents in the top 10 are unjudged."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
