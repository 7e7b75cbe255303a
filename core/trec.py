"""Runs and judgments in the TREC formats: text to arrays, every bad line by its number.

A run has ``topic Q0 document rank score tag`` on each line, a qrels file ``topic iteration
document grade``. The rank column is not used: the order of a run is that of its scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from core.columns import Floats, Ids, Ints, Lines, read_lines
from core.errors import InputError, LimitError
from core.limits import DEFAULT_LIMITS, Limits
from core.sources import Source, count_lines, load, source_name

_SUFFIXES: Final = (".run", ".txt", ".res", ".trec")
_SHOWN: Final = 10
_SHORTENED: Final = 80
_RUN_FIELDS: Final = 6
_QRELS_FIELDS: Final = 4
_TAG: Final = 5
_RUN_FORM: Final = "6 columns (topic Q0 document rank score tag)"
_QRELS_FORM: Final = "4 columns (topic iteration document grade)"
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Run:
    """One run as its file has it, before any order is put on it.

    Attributes
    ----------
    name : str
        From the file name.
    topics : tuple of str
        Topic ids in the order of the file.
    topic_codes : int array
        For each line its place in `topics`.
    documents : bytes array
        Document ids.
    scores : float array
        Scores.
    tag : str
        Last column of the first line.
    trailing_text : int
        Lines with text after the sixth column, which is ignored.
    """

    name: str
    topics: tuple[str, ...]
    topic_codes: Ints
    documents: Ids
    scores: Floats
    tag: str
    trailing_text: int

    def __post_init__(self) -> None:
        for array in (self.topic_codes, self.documents, self.scores):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, eq=False)
class Qrels:
    """The judgments of a collection.

    Attributes
    ----------
    topics : tuple of str
        Topic ids in the order of the file.
    topic_codes : int array
        For each judgment the place of its topic in `topics`.
    documents : bytes array
        Document ids.
    grades : float array
        Grades, 0 or above.
    num_negative : int
        Lines with a negative grade; they mean unjudged and are left out.
    num_repeated : int
        Lines that say again what another line says; they are left out.
    """

    topics: tuple[str, ...]
    topic_codes: Ints
    documents: Ids
    grades: Floats
    num_negative: int
    num_repeated: int

    def __post_init__(self) -> None:
        for array in (self.topic_codes, self.documents, self.grades):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.grades)

    @property
    def is_fractional(self) -> bool:
        """Whether some grade is not a whole number; grades then are gains from 0 to 1."""
        return bool((self.grades != np.floor(self.grades)).any())


def read_run(
    source: Source, name: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> Run:
    r"""Read a run.

    Parameters
    ----------
    source : path, bytes or open binary file
        Plain or packed with gzip.
    name : str, optional
        By default the file name without ``.gz`` and then without ``.run``, ``.txt``, ``.res`` or
        ``.trec``; for bytes the run's tag.
    limits : Limits, optional
        Sizes above which the file is refused.

    Returns
    -------
    Run
        All lines; they are put in order when a collection is made.

    Raises
    ------
    InputError
        The file is not a run; the message names the lines and what they should be.
    LimitError
        The file is too large.

    Examples
    --------
    >>> run = read_run(b"301 Q0 FT911-3 1 9.7 bm25\n301 Q0 FT911-9 2 8.1 bm25\n")
    >>> run.name, run.topics, len(run)
    ('bm25', ('301',), 2)
    """
    given = name or source_name(source)
    label = given or "run"
    data = load(source, label=label, limits=limits)
    columns = _read_columns(data, _RUN, label=label, limits=limits)
    topics, codes = _encode_topics(columns.topics, label=label, limits=limits)
    _refuse_duplicates(columns, topics, codes, label=label)
    tag = decode(columns.tag)
    return Run(
        name=name or (run_name(given) if given else tag),
        topics=topics,
        topic_codes=codes,
        documents=columns.documents,
        scores=columns.numbers,
        tag=tag,
        trailing_text=columns.trailing_text,
    )


def read_qrels(source: Source, *, limits: Limits = DEFAULT_LIMITS) -> Qrels:
    r"""Read judgments.

    Parameters
    ----------
    source : path, bytes or open binary file
        Plain or packed with gzip.
    limits : Limits, optional
        Sizes above which the file is refused.

    Returns
    -------
    Qrels
        Judgments with a grade of 0 or above; a negative grade means unjudged. Grades are whole
        numbers, or, where all of them lie between 0 and 1, gains.

    Raises
    ------
    InputError
        The file is not a qrels file, or contradicts itself.
    LimitError
        The file is too large.

    Examples
    --------
    >>> qrels = read_qrels(b"301 0 FT911-3 1\n301 0 FT911-9 0\n301 0 FT911-7 -1\n")
    >>> len(qrels), qrels.num_negative
    (2, 1)
    """
    label = source_name(source) or "qrels"
    data = load(source, label=label, limits=limits)
    columns = _read_columns(data, _QRELS, label=label, limits=limits)
    _refuse_fractions(columns, label=label)
    topics, codes = _encode_topics(columns.topics, label=label, limits=limits)
    repeated = _refuse_contradictions(columns, topics, codes, label=label)
    keep = columns.numbers >= 0
    num_negative = int((~keep).sum())
    keep[repeated] = False
    return Qrels(
        topics=topics,
        topic_codes=codes[keep],
        documents=columns.documents[keep],
        grades=columns.numbers[keep],
        num_negative=num_negative,
        num_repeated=len(repeated),
    )


def run_name(file_name: str) -> str:
    """Name a run after its file; names contain dots, so only known endings are cut.

    Examples
    --------
    >>> run_name("10x10.prf.unipd.it.run.gz")
    '10x10.prf.unipd.it'
    """
    name = file_name.removesuffix(".gz")
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            return name.removesuffix(suffix)
    return name


def decode(text: bytes) -> str:
    r"""Return text that is UTF-8, or keep each byte as latin-1.

    Examples
    --------
    >>> decode(b"caf\xc3\xa9"), decode(b"caf\xe9")
    ('café', 'café')
    """
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def document_keys(documents: Ids, codes: Ints, *, salt: int = 0) -> npt.NDArray[np.uint64]:
    """Hash (topic, document) pairs; equal pairs have equal keys, whatever the array's width."""
    width = documents.dtype.itemsize
    words = -(-width // 8)
    padded = documents.astype(f"S{8 * words}") if width % 8 else documents
    parts = np.ascontiguousarray(padded).view(np.uint64).reshape(-1, words)
    keys = (codes.astype(np.uint64) + np.uint64(1 + (salt << 32))) * _MIX
    for word in range(words):
        part = parts[:, word]
        mixed = (keys ^ part) * _MIX
        mixed ^= mixed >> np.uint64(29)
        # ids of different width must agree: a word of zeros leaves the key as it is
        keys = np.where(part == 0, keys, mixed) if word else mixed
    return np.asarray(keys)


@dataclass(frozen=True)
class _Kind:
    """What the lines of a file must look like."""

    fields: int
    form: str
    number: int
    number_name: str
    what: str
    other: str

    def fits(self, counts: Ints) -> npt.NDArray[np.bool_]:
        """Whether lines with that many fields are of this kind."""
        return counts == _QRELS_FIELDS if self is _QRELS else counts >= _RUN_FIELDS


_RUN: Final = _Kind(_RUN_FIELDS, _RUN_FORM, 4, "score", "a run", "a qrels file")
_QRELS: Final = _Kind(_QRELS_FIELDS, _QRELS_FORM, 3, "grade", "a qrels file", "a run")


@dataclass
class _Problems:
    """The first bad lines, and how many there are."""

    label: str
    shown: list[str] = field(default_factory=list)
    total: int = 0

    def add(self, number: int, problem: str, line: bytes | None = None) -> None:
        """Note a bad line."""
        self.total += 1
        if len(self.shown) < _SHOWN:
            quoted = "" if line is None else f": {quote(line)}"
            self.shown.append(f"line {number}: {problem}{quoted}")

    def refuse(self, advice: str) -> None:
        """Raise if there was any."""
        if not self.total:
            return
        if self.total == 1:
            msg = f"{self.label}, {self.shown[0]}. {advice}"
            raise InputError(msg)
        first = "" if self.total <= _SHOWN else f"; the first {_SHOWN}"
        listed = "\n".join(f"  {text}" for text in self.shown)
        msg = (
            f"{self.label}: {self.total:,} lines cannot be used{first}:\n{listed}\n{advice}"
        )
        raise InputError(msg)


def quote(line: bytes) -> str:
    """Show a line, or the beginning of a long one, with odd characters escaped."""
    text = decode(line.strip())
    if len(text) > _SHORTENED:
        text = text[:_SHORTENED] + "..."
    return ascii(text) if not text.isprintable() else repr(text)


@dataclass(frozen=True, eq=False)
class _Columns:
    """The columns of a whole file."""

    lines: Ints
    topics: Ids
    documents: Ids
    numbers: Floats
    tag: bytes
    trailing_text: int

    @property
    def id_width(self) -> int:
        """Bytes that the ids of a line take."""
        return self.topics.dtype.itemsize + self.documents.dtype.itemsize


def _read_columns(data: bytes, kind: _Kind, *, label: str, limits: Limits) -> _Columns:
    """Read all lines of a file, or raise with the first that do not fit."""
    _refuse_long(data, label=label, limits=limits)
    problems = _Problems(label)
    blocks: list[_Columns] = []
    num_lines = num_other = width = 0
    first_line: bytes | None = None
    for lines in read_lines(data, fields=kind.fields):
        num_lines += len(lines)
        if not len(lines):
            continue
        if first_line is None:
            first_line = lines.text(0)
        fits = kind.fits(lines.counts)
        if not fits.all():
            num_other += _count_other_kind(lines.keep(~fits), kind)
        block = _read_block(lines, fits, kind, problems, limits)
        blocks.append(block)
        width = max(width, block.id_width)
        _refuse_wide(num_lines, width, label=label, limits=limits)
    if first_line is None:
        msg = f"{label}: the file has only comments. {kind.what.capitalize()} has {kind.form}."
        raise InputError(msg)
    if problems.total:
        if problems.total == num_lines:
            is_other = num_other == num_lines
            _refuse_wrong_kind(first_line, kind, is_other=is_other, label=label)
        problems.refuse("Correct or remove what is named; nothing of this file was loaded.")
    return _join(blocks)


def _refuse_wide(rows: int, width: int, *, label: str, limits: Limits) -> None:
    """Refuse ids that would fill the memory: all take as much room as the longest."""
    if rows * width > limits.unpacked_bytes:
        msg = (
            f"{label}: {rows:,} lines with ids of up to {width} bytes are above the limit of "
            f"{limits.unpacked_bytes:,} bytes. Use shorter ids or fewer lines."
        )
        raise LimitError(msg)


def _refuse_long(data: bytes, *, label: str, limits: Limits) -> None:
    if count_lines(data) + (not data.endswith(b"\n")) > limits.lines:
        msg = (
            f"{label}: the file has more than the limit of {limits.lines:,} lines. "
            "Cut the rankings at a smaller depth."
        )
        raise LimitError(msg)
    if len(data) <= limits.line_bytes:
        return
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    lengths = np.diff(ends, prepend=-1, append=len(data)) - 1
    if lengths.max() > limits.line_bytes:
        number = int(np.argmax(lengths > limits.line_bytes)) + 1
        msg = (
            f"{label}, line {number}: the line is longer than the limit of "
            f"{limits.line_bytes:,} bytes. Check that this is a run or a qrels file."
        )
        raise LimitError(msg)


def _read_block(
    lines: Lines,
    fits: npt.NDArray[np.bool_],
    kind: _Kind,
    problems: _Problems,
    limits: Limits,
) -> _Columns:
    """Read the lines that fit and note the ones that do not."""
    good = lines.keep(fits)
    _refuse_long_ids(good, problems.label, limits)
    numbers = good.floats(kind.number)
    unread = np.isnan(numbers)
    if len(good) < len(lines) or unread.any():
        _note_problems(lines, fits, good.numbers[unread], kind, problems)
    trailing = int((good.counts > kind.fields).sum()) if kind is _RUN else 0
    tag = (
        good.keep(np.arange(len(good)) == 0).ids(5)[0]
        if kind is _RUN and len(good)
        else b""
    )
    return _Columns(good.numbers, good.ids(0), good.ids(2), numbers, tag, trailing)


def _note_problems(
    lines: Lines,
    fits: npt.NDArray[np.bool_],
    unread: Ints,
    kind: _Kind,
    problems: _Problems,
) -> None:
    bad = ~fits | np.isin(lines.numbers, unread)
    for place in np.flatnonzero(bad).tolist():
        if len(problems.shown) >= _SHOWN:
            break
        text = lines.text(place)
        if fits[place]:
            value = quote(text.split()[kind.number])
            rule = f"the {kind.number_name} must be a finite number, found {value}"
        else:
            rule = f"expected {kind.form}, found {lines.counts[place]}"
        problems.add(int(lines.numbers[place]), rule, text)
        problems.total -= 1
    problems.total += int(bad.sum())


def _refuse_long_ids(lines: Lines, label: str, limits: Limits) -> None:
    for column in (0, 2):
        widths = lines.widths(column)
        if widths.max(initial=0) > limits.id_bytes:
            number = lines.numbers[np.argmax(widths > limits.id_bytes)]
            msg = (
                f"{label}, line {number}: an id is longer than the limit of "
                f"{limits.id_bytes} bytes. Check that this is a run or a qrels file."
            )
            raise LimitError(msg)


def _count_other_kind(lines: Lines, kind: _Kind) -> int:
    """Count lines that would do in the other kind of file."""
    other = _QRELS if kind is _RUN else _RUN
    fitting = lines.keep(other.fits(lines.counts))
    return int((~np.isnan(fitting.floats(other.number))).sum())


def _refuse_wrong_kind(line: bytes, kind: _Kind, *, is_other: bool, label: str) -> None:
    """Say what a file looks like in which no line fits."""
    looks = f"text with {len(line.split())} columns"
    advice = f"{kind.what.capitalize()} has {kind.form}"
    if is_other:
        looks = kind.other
        advice = f"Give it as {kind.other}, or choose {kind.what}: {kind.form}"
    elif line[:1] in b"{[":
        looks = "JSON"
    elif line[:1] == b"<":
        looks = "HTML or XML"
    elif line.count(b",") >= _QRELS_FIELDS - 1:
        looks = "comma-separated values"
    msg = (
        f"{label}: the file looks like {looks}, not like {kind.what}. {advice}. "
        f"Its first line is {quote(line)}."
    )
    raise InputError(msg)


def _join(blocks: Sequence[_Columns]) -> _Columns:
    return _Columns(
        np.concatenate([block.lines for block in blocks]),
        np.concatenate([block.topics for block in blocks]),
        np.concatenate([block.documents for block in blocks]),
        np.concatenate([block.numbers for block in blocks]),
        next((block.tag for block in blocks if block.tag), b""),
        sum(block.trailing_text for block in blocks),
    )


def _encode_topics(ids: Ids, *, label: str, limits: Limits) -> tuple[tuple[str, ...], Ints]:
    """Give the topics numbers in the order in which they appear."""
    begins = np.concatenate(([0], np.flatnonzero(ids[1:] != ids[:-1]) + 1))
    places: dict[str, int] = {}
    codes = np.empty(len(begins), dtype=np.int64)
    for place, row in enumerate(begins):
        codes[place] = places.setdefault(decode(bytes(ids[row])), len(places))
        if len(places) > limits.topics:
            msg = (
                f"{label}: there are more topics than the limit of {limits.topics:,}. "
                "Split the file by topic."
            )
            raise LimitError(msg)
    return tuple(places), np.repeat(codes, np.diff(begins, append=len(ids)))


def _repeated(columns: _Columns, codes: Ints) -> tuple[Ints, Ints]:
    """Find rows with the document and topic of an earlier row: the first such, and the row."""
    keys = document_keys(columns.documents, codes)
    ordered = np.sort(keys)
    same = ordered[1:][ordered[1:] == ordered[:-1]]
    rows = np.flatnonzero(np.isin(keys, same))  # few; equal keys prove nothing
    rows = rows[np.lexsort((columns.documents[rows], codes[rows]))]
    documents, topics = columns.documents[rows], codes[rows]
    again = (documents[1:] == documents[:-1]) & (topics[1:] == topics[:-1])
    again = np.concatenate(([False], again))[: len(rows)]
    places = np.arange(len(rows))
    first = np.maximum.accumulate(np.where(again, 0, places))
    earlier, later = rows[first[again]], rows[again]
    order = np.argsort(later)
    return earlier[order], later[order]


def _refuse_duplicates(
    columns: _Columns, topics: Sequence[str], codes: Ints, *, label: str
) -> None:
    problems = _Problems(label)
    earlier, later = _repeated(columns, codes)
    for before, row in zip(earlier[:_SHOWN], later[:_SHOWN], strict=True):
        document, topic = quote(columns.documents[row]), topics[codes[row]]
        problems.add(
            int(columns.lines[row]),
            f"document {document} of topic {topic} stands in line {columns.lines[before]} already",
        )
    problems.total = len(later)
    problems.refuse("A run lists a document once for a topic; remove one of the two lines.")


def _refuse_contradictions(
    columns: _Columns, topics: Sequence[str], codes: Ints, *, label: str
) -> Ints:
    """Return rows that repeat a judgment; raise where two judgments differ."""
    problems = _Problems(label)
    earlier, later = _repeated(columns, codes)
    grades = columns.numbers
    differ = np.flatnonzero(grades[earlier] != grades[later])
    for place in differ[:_SHOWN]:
        before, row = earlier[place], later[place]
        document, topic = quote(columns.documents[row]), topics[codes[row]]
        problems.add(
            int(columns.lines[row]),
            f"document {document} of topic {topic} has grade {grades[row]:g} here and "
            f"{grades[before]:g} in line {columns.lines[before]}",
        )
    problems.total = len(differ)
    problems.refuse("A document has one judgment for a topic; keep the right line.")
    return later


def _refuse_fractions(columns: _Columns, *, label: str) -> None:
    grades = columns.numbers
    fractional = (grades != np.floor(grades)) & (grades >= 0)
    if not fractional.any() or grades.max() <= 1.0:
        return
    problems = _Problems(label)
    for row in np.flatnonzero(fractional)[:_SHOWN]:
        problems.add(int(columns.lines[row]), f"the grade {grades[row]:g} is not whole")
    problems.total = int(fractional.sum())
    problems.refuse(
        f"Grades are whole numbers, or gains from 0 to 1; the largest here is {grades.max():g}. "
        "Divide all by it to use them as gains."
    )
