"""Files that somebody brings: told apart by content, read, joined; or refused, with the reason.

Nothing here is written to disk, and a file name is only ever words on the screen. `add` and
`remove` give new holdings and leave the old ones as they were, so a refused file loses nothing.
"""

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

import core
from core.joining import grade_values
from core.ordering import order_run
from core.progress import Progress
from core.report import RunReport
from core.trec import Qrels, Run, run_name
from dashboard.memory import (
    MEMORY,
    READING,
    Memory,
    collection_bytes,
    file_bytes,
    tensor_bytes,
)
from dashboard.sentences import count
from dashboard.settings import MAX_ALL_LINES, MAX_MEMORY_BYTES, UPLOAD_LIMITS

_PEEK_BYTES: Final = 1 << 16
_PEEK_LINES: Final = 200
_NAME_CHARACTERS: Final = 120
_QRELS_FORM: Final = "A qrels file has 4 columns (topic iteration document grade)."

Kind: TypeAlias = Literal["run", "qrels"]


class File(NamedTuple):
    """A file as it comes: its name, which nobody vouches for, and its bytes."""

    name: str
    data: bytes


class Refused(NamedTuple):
    """A file that was not taken, and why; the reason names line and rule."""

    file: str
    reason: str


@dataclass(frozen=True, eq=False)
class RunFile:
    """A run that was taken."""

    file: str
    run: Run
    tied: int

    @property
    def depth(self) -> int:
        """Length of the longest ranking."""
        return int(np.bincount(self.run.topic_codes).max(initial=0))


@dataclass(frozen=True, eq=False)
class QrelsFile:
    """The judgments that were taken."""

    file: str
    qrels: Qrels


@dataclass(frozen=True)
class Reading:
    """How files are taken, as `core.Collection.from_files` has it."""

    min_rel: int = 1
    ties: str = "docid"
    score_type: str = "float32"

    @property
    def keywords(self) -> str:
        """Write what differs from the default, for a call in Python."""
        default = vars(Reading())
        return "".join(
            f", {name}={value!r}".replace("'", '"')
            for name, value in vars(self).items()
            if value != default[name]
        )


@dataclass(frozen=True, eq=False)
class Holdings:
    """What one session has brought, and the collection it makes once there are both sides."""

    runs: tuple[RunFile, ...] = ()
    qrels: QrelsFile | None = None
    reading: Reading = Reading()
    collection: core.Collection | None = None
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taken so far."""
        return not self.runs and self.qrels is None

    @property
    def lines(self) -> tuple[str, ...]:
        """Say for each file what was found in it."""
        judgments = () if self.qrels is None else (_qrels_line(self.qrels),)
        if self.collection is None:
            return (*judgments, *(_unjoined_line(item) for item in self.runs))
        reports = {report.run: report for report in self.collection.report.runs}
        return (
            *judgments,
            *(_joined_line(item, reports[item.run.name]) for item in self.runs),
        )

    @property
    def missing(self) -> str:
        """Say what works with one side alone and what is missing; empty if nothing is."""
        if self.collection is not None or self.is_empty:
            return ""
        if self.qrels is None:
            return (
                f"There {_are(len(self.runs), 'run')} here and no qrels file. Topics, depth and "
                "ties of a run can be told without judgments, as below; scores cannot. Add a "
                "qrels file to score them; until then the pages show the sample."
            )
        return (
            f"There are judgments of {count(len(self.qrels.qrels.topics), 'topic')} here and no "
            "run. Topics and grades can be told without a run, as below; there is nothing to "
            "score yet. Add one or more runs; until then the pages show the sample."
        )


def shown_name(name: str) -> str:
    """Make words of a file name: no folders, nothing that does not print, not too long."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].strip()
    text = "".join(mark if mark.isprintable() else "�" for mark in last)
    if len(text) > _NAME_CHARACTERS:
        text = text[: _NAME_CHARACTERS - 1] + "…"
    return text or "a file without a name"


def limits_words(limits: core.Limits = UPLOAD_LIMITS) -> str:
    """State the limits."""
    return (
        f"Limits: {limits.file_bytes // 1_000_000} MB a file "
        f"({limits.unpacked_bytes // 1_000_000} MB unpacked), {limits.runs} runs, "
        f"{limits.topics:,} topics, rankings of {limits.depth:,}, "
        f"{limits.cells // 1_000_000} million places (runs × topics × depth), "
        f"{MAX_MEMORY_BYTES // 1_000_000:,} MB of memory for the files of everybody."
    )


def kind_of(data: bytes) -> Kind | None:
    """Tell a run from a qrels file by the columns of its first lines; None if it is neither."""
    if data.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(data[:_PEEK_BYTES], _PEEK_BYTES)
        except zlib.error:
            return None
    else:
        head = data[:_PEEK_BYTES]
    lines = head.replace(b"\r", b"\n").split(b"\n")
    widths = [
        len(line.split())
        for line in lines[: _PEEK_LINES if len(lines) > 1 else None]
        if line.strip() and not line.lstrip().startswith(b"#")
    ]
    runs = sum(width >= 6 for width in widths)
    qrels = widths.count(4)
    if not runs and not qrels:
        return None
    return "qrels" if qrels > runs else "run"


def add(
    held: Holdings,
    files: Sequence[File],
    *,
    limits: core.Limits = UPLOAD_LIMITS,
    memory: Memory = MEMORY,
    progress: Progress | None = None,
) -> Holdings:
    """Take files that were dropped together; what is wrong with one does not stop the others."""
    memory.make_room(READING * limits.unpacked_bytes)
    drop = _Drop(held, limits, memory)
    for place, file in enumerate(files):
        drop.read(file)
        if progress is not None:
            progress((place + 1) / len(files), "read")
    return drop.join()


def remove(held: Holdings, runs: Sequence[str], *, memory: Memory = MEMORY) -> Holdings:
    """Take runs out; the judgments stay."""
    kept = tuple(item for item in held.runs if item.run.name not in runs)
    return _changed(held, replace(held, runs=kept), "what stays", memory)


def read_as(held: Holdings, reading: Reading, *, memory: Memory = MEMORY) -> Holdings:
    """Take the same files otherwise: another grade counts as relevant, or ties are shared."""
    return _changed(held, replace(held, reading=reading), "the other reading", memory)


def _changed(held: Holdings, wanted: Holdings, name: str, memory: Memory) -> Holdings:
    """Join what is wanted; where that is refused, what was held stays."""
    try:
        return _joined(replace(wanted, refused=(), notes=()), UPLOAD_LIMITS, memory)
    except core.CoreError as error:  # for a moment both are there, and others are too
        return replace(held, refused=(Refused(name, str(error)),), notes=())


class _Named(io.BytesIO):
    """Bytes with the name that messages shall give them."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


class _Drop:
    """Files that came together, sorted into what is taken and what is refused."""

    def __init__(self, held: Holdings, limits: core.Limits, memory: Memory) -> None:
        self.held = held
        self.limits = limits
        self.memory = memory
        self.runs: list[RunFile] = []
        self.qrels: QrelsFile | None = None
        self.refused: list[Refused] = []
        self.notes: list[str] = []

    def read(self, file: File) -> None:
        """Read one file, or note why it is refused."""
        name = shown_name(file.name)
        kind = kind_of(file.data)
        try:
            with self.memory.reading:
                self._read(name, kind, file.data)
        except core.CoreError as error:
            reason = str(error)
            if kind is None and "not like a run" in reason:
                reason = f"{reason} {_QRELS_FORM}"
            self.refused.append(Refused(name, reason))

    def _read(self, name: str, kind: Kind | None, data: bytes) -> None:
        source = _Named(data, name)
        most = self.memory.room // READING
        if len(data) > most:
            self.memory.refuse(name, READING * len(data))
        limits = replace(self.limits, unpacked_bytes=min(self.limits.unpacked_bytes, most))
        try:
            if kind == "qrels":
                self._take_qrels(name, core.read_qrels(source, limits=limits))
            else:
                self._refuse_many(name)
                self._take_run(name, core.read_run(source, limits=limits))
        except core.LimitError as error:
            if limits == self.limits or f"{most:,} bytes" not in str(error):
                raise
            used = self.memory.used  # it was memory that set the limit
            raise core.LimitError(self.memory.words(name, READING * most, used)) from error

    def join(self) -> Holdings:
        """Put together what was there and what came."""
        taken = replace(
            self.held,
            runs=_by_name((*self.held.runs, *self.runs)),
            qrels=self.qrels or self.held.qrels,
        )
        taken = self._fitting(taken)
        if taken.runs == self.held.runs and taken.qrels is self.held.qrels:
            return replace(self.held, refused=tuple(self.refused), notes=())
        try:
            joined = _joined(taken, self.limits, self.memory)
        except (
            core.CoreError
        ) as error:  # too much altogether: nothing of this drop is taken
            new = len(self.runs) + (self.qrels is not None)
            name = count(new, "new file")
            self.refused.append(Refused(name, f"{name} together with the rest: {error}"))
            joined, self.notes = self.held, []
        return replace(joined, refused=tuple(self.refused), notes=tuple(self.notes))

    def _refuse_many(self, file: str) -> None:
        if len(self.held.runs) + len(self.runs) >= self.limits.runs:
            msg = f"{file}: the limit of {self.limits.runs} runs is reached. Remove some first."
            raise core.LimitError(msg)

    def _take_run(self, file: str, run: Run) -> None:
        loaded = (*self.held.runs, *self.runs)
        lines = len(run) + sum(len(item.run) for item in loaded)
        if lines > MAX_ALL_LINES:
            msg = (
                f"{file}: with it the runs have {lines:,} lines, above the limit of "
                f"{MAX_ALL_LINES:,}. Remove runs, or cut them at a smaller depth."
            )
            raise core.LimitError(msg)
        names = {item.run.name for item in loaded}
        for name in (run_name(file), f"{run_name(file)} ({shown_name(run.tag)})"):
            if name not in names:
                item = RunFile(file, replace(run, name=name), 0)
                if item.depth > self.limits.depth:
                    msg = (
                        f"{file}: a ranking of {item.depth:,} documents is above the limit of "
                        f"{self.limits.depth:,}. Cut the run at that depth."
                    )
                    raise core.LimitError(msg)
                self.memory.hold(item.run, file_bytes(item.run))
                self.runs.append(item)
                return
        msg = f"{file}: a run of this name is here already. Remove it first, or rename the file."
        raise core.InputError(msg)

    def _take_qrels(self, file: str, qrels: Qrels) -> None:
        if self.qrels is not None:
            msg = (
                f"{file}: a second qrels file; {self.qrels.file} came first and is used. To "
                "change the judgments, drop the other file alone."
            )
            raise core.InputError(msg)
        grade_values(qrels, None, self.limits)
        if self.held.qrels is not None:
            self.notes.append(f"{file} takes the place of {self.held.qrels.file}.")
        self.memory.hold(qrels, file_bytes(qrels))
        self.qrels = QrelsFile(file, qrels)

    def _fitting(self, taken: Holdings) -> Holdings:
        """Leave out what has no topic in common with the other side."""
        if taken.qrels is None or not taken.runs:
            return taken
        topics = set(taken.qrels.qrels.topics)
        fitting = [item for item in taken.runs if not topics.isdisjoint(item.run.topics)]
        others = [item for item in taken.runs if topics.isdisjoint(item.run.topics)]
        if not others:
            return taken
        reason = _disjoint(others[0], taken.qrels)
        if self.qrels is not None and not fitting:  # the judgments are what does not belong
            self.refused.append(Refused(self.qrels.file, reason))
            self.notes = []
            return self._fitting(replace(taken, qrels=self.held.qrels))
        self.refused += [
            Refused(item.file, _disjoint(item, taken.qrels))
            for item in others
            if item in self.runs
        ]
        gone = sum(item not in self.runs for item in others)
        if gone:
            self.notes.append(
                f"{count(gone, 'run').capitalize()} from before had no topic in common with the "
                "new judgments and went."
            )
        return replace(taken, runs=tuple(fitting))


def _joined(held: Holdings, limits: core.Limits, memory: Memory) -> Holdings:
    """Make the collection, if there are runs and judgments."""
    if held.qrels is None or not held.runs:
        runs = tuple(replace(item, tied=_count_ties(item.run)) for item in held.runs)
        return replace(held, runs=runs, collection=None)
    read, qrels = [item.run for item in held.runs], held.qrels.qrels
    with memory.reading:
        memory.refuse("the collection", tensor_bytes(read, qrels))
        collection = core.Collection.from_files(
            read, qrels, limits=limits, **vars(held.reading)
        )
        size = collection_bytes(collection)
        memory.refuse("the collection", size)
        memory.hold(collection, size)
    return replace(held, collection=collection)


def _by_name(runs: Sequence[RunFile]) -> tuple[RunFile, ...]:
    """Put runs in an order that does not depend on how they came."""
    return tuple(sorted(runs, key=lambda item: item.run.name))


def _disjoint(item: RunFile, qrels: QrelsFile) -> str:
    """Let core say that a run and the judgments have no topic in common."""
    try:
        order_run(item.run, qrels.qrels.topics, np.dtype("float32"))
    except core.InputError as error:
        return str(error)
    return ""


def _count_ties(run: Run) -> int:
    return order_run(run, run.topics, np.dtype("float32")).num_tied


def _qrels_line(item: QrelsFile) -> str:
    qrels = item.qrels
    grades = np.unique(qrels.grades)
    told = f"grades {grades.min():g} to {grades.max():g}" if len(grades) else "no grade"
    left_out = f", {qrels.num_negative:,} below 0 taken as unjudged" * bool(
        qrels.num_negative
    )
    repeated = f", {qrels.num_repeated:,} given twice" * bool(qrels.num_repeated)
    return (
        f"{item.file}: judgments; {_number(len(qrels.topics), 'topic')}, {len(qrels):,} documents, "
        f"{told}{left_out}{repeated}"
    )


def _unjoined_line(item: RunFile) -> str:
    return (
        f"{item.file}: run {item.run.name}; {_number(len(item.run.topics), 'topic')}, depth "
        f"{item.depth:,}, {_ties(item.tied)}; judged in the top 10: not known without a qrels file"
    )


def _joined_line(item: RunFile, report: RunReport) -> str:
    parts = [
        _number(report.topics, "judged topic"),
        f"depth {report.depth:,}",
        f"{1.0 - report.unjudged_top10:.0%} judged in the top 10",
        _ties(report.tied),
    ]
    if report.missing_topics:
        parts.append(
            f"{_number(len(report.missing_topics), 'judged topic')} missing, counted 0"
        )
    if report.ignored_topics:
        parts.append(
            f"{_number(report.ignored_topics, 'topic')} without judgments, not evaluated"
        )
    if report.trailing_text:
        parts.append(
            f"text after the sixth column in {_number(report.trailing_text, 'line')}"
        )
    return f"{item.file}: run {report.run}; {', '.join(parts)}"


def _ties(tied: int) -> str:
    return f"{tied:,} tied" if tied else "no ties"


def _are(number: int, noun: str) -> str:
    return f"{'is' if number == 1 else 'are'} {count(number, noun)}"


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
