"""Rankings as text, and what is known of their topics.

One character a document: ``$$--?`` is two relevant, two nonrelevant and one unjudged.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from core.errors import InputError, LimitError, ParameterError
from core.judged import PAST_END, UNJUDGED, Judged
from core.limits import DEFAULT_LIMITS
from core.validation import check_whole

MAX_DEPTH: Final = DEFAULT_LIMITS.depth
MAX_CHARACTERS: Final = DEFAULT_LIMITS.characters
MAX_GRADE: Final = 100
MAX_DOCUMENTS: Final = 1_000_000  # of one topic

Topic: TypeAlias = str | Mapping[int, int]
_Counts: TypeAlias = tuple[tuple[int, int], ...]  # grade (or _TOP) and number of documents
_Ints: TypeAlias = npt.NDArray[np.int64]

_TOP: Final = MAX_GRADE + 1  # stands for "the top grade" until that is known
_SYMBOLS: Final = {
    **dict.fromkeys("$+x", _TOP),
    **dict.fromkeys("-.0", 0),
    **dict.fromkeys("?_", UNJUDGED),
    **{str(grade): grade for grade in range(1, 10)},
    "S": 3,
    "A": 2,
    "B": 1,
}
_IGNORED: Final = frozenset(" \t\r\n,|")
_ALLOWED: Final = (
    "Use $ or 1-9 (relevant), - or 0 (nonrelevant), ? (unjudged), S A B (NTCIR grades), "
    "( ) around tied documents."
)
_PAIRS: Final = "Brackets go in pairs around tied documents."


def parse_relevance(text: str, top_grade: int | None = None) -> Judged:
    """Read a ranking from text, one character a document.

    Parameters
    ----------
    text : str
        ``$ + x`` relevant at the top grade, ``- . 0`` nonrelevant, ``? _`` unjudged,
        ``1``-``9`` that grade, ``S A B`` grades 3, 2, 1, ``( )`` around tied documents;
        spaces, commas, bars and newlines are ignored.
    top_grade : int, optional
        Grade with gain 1; by default the largest grade in the text, and at least 1.

    Returns
    -------
    Judged
        One ranking; its topic has just the judged documents that the ranking shows.

    Raises
    ------
    InputError
        The text is empty or has a character that is no judgment.
    LimitError
        More than 10,000 documents, or 20,000 characters.

    Examples
    --------
    >>> format_relevance(parse_relevance("$$- - ? (1 0)"))
    '$$--?($-)'
    """
    return judge(text, top_grade=top_grade)


def format_relevance(judged: Judged) -> str:
    """Write one ranking as text that `parse_relevance` reads back.

    Grades on a scale above 1 are written as digits; give `parse_relevance` the same
    `top_grade` when the ranking itself does not reach it.

    Examples
    --------
    >>> format_relevance(parse_relevance("SAB-_", top_grade=3))
    '321-?'
    """
    if judged.grades.ndim != 1:
        msg = f"format_relevance: give one ranking, not a batch {judged.grades.shape}."
        raise ParameterError(msg)
    if judged.top_grade > 9 or not np.array_equal(judged.values, np.round(judged.values)):
        msg = (
            "format_relevance: only whole grades from 0 to 9 have a character of their own."
        )
        raise InputError(msg)
    characters = ["-", *(f"{grade:.0f}" for grade in judged.values[1:])]
    if judged.top_grade == 1:
        characters[-1] = "$"
    codes = [int(code) for code in judged.grades if code != PAST_END]
    marks = ["?" if code == UNJUDGED else characters[code] for code in codes]
    if judged.tie_groups is None:
        return "".join(marks)
    return _with_brackets(marks, judged.tie_groups.tolist())


def judge(
    ranking: str | Judged,
    *,
    topic: Topic | None = None,
    num_rel: int | None = None,
    num_nonrel: int | None = None,
    top_grade: int | None = None,
    min_rel: int = 1,
) -> Judged:
    """Join a ranking with what is known of its topic.

    Parameters
    ----------
    ranking : str or Judged
        A relevance string, or rankings read before.
    topic : str or mapping, optional
        Grades of all judged documents of the topic, the retrieved ones included, as text
        (``"SSA---"``) or ``{grade: count}``.
    num_rel, num_nonrel : int, optional
        Judged relevant and nonrelevant documents of the whole topic (R, N); by default what
        `topic` or the ranking shows. Relevant documents beyond those shown are taken to
        have the lowest relevant grade.
    top_grade : int, optional
        Grade with gain 1; by default the largest over ranking and topic, and at least 1.
    min_rel : int, default 1
        Smallest grade that binary metrics count as relevant.

    Returns
    -------
    Judged
        The ranking with the counts of its topic.
    """
    if top_grade is not None:
        check_whole("top_grade", top_grade, caller="ranking", most=MAX_GRADE)
    check_whole("min_rel", min_rel, caller="ranking", most=MAX_GRADE)
    for name, number in (("num_rel", num_rel), ("num_nonrel", num_nonrel)):
        if number is not None:
            check_whole(name, number, caller="ranking", least=0, most=MAX_DOCUMENTS)
    counts = None if topic is None else _topic_counts(topic)
    nothing_new = (topic, num_rel, num_nonrel, top_grade, min_rel) == (
        None,
        None,
        None,
        None,
        1,
    )
    if isinstance(ranking, Judged) and nothing_new:
        return ranking
    if isinstance(ranking, str):
        return _judge_text(ranking, counts, num_rel, num_nonrel, top_grade, min_rel)
    if not isinstance(ranking, Judged):
        msg = f"ranking: give text or Judged; got {type(ranking).__name__}."
        raise InputError(msg)
    return _judge(ranking, counts, num_rel, num_nonrel, top_grade, min_rel)


@lru_cache(maxsize=64)
def _judge_text(
    text: str,
    topic: _Counts | None,
    num_rel: int | None,
    num_nonrel: int | None,
    top_grade: int | None,
    min_rel: int,
) -> Judged:
    """Read the ranking; cached, because a page scores one text with every metric."""
    codes, groups = _read_codes(text, what="relevance string")
    if not codes:
        msg = (
            "relevance string: it is empty. Type one character a document, for example "
            "$$--?- ($ relevant, - nonrelevant, ? unjudged)."
        )
        raise InputError(msg)
    top = top_grade or _largest([*codes, *(grade for grade, _ in topic or ())])
    for rank, code in enumerate(codes, start=1):
        if top < code != _TOP:
            msg = (
                f"relevance string, rank {rank}: grade {code} is above the top grade "
                f"{top}; raise top_grade or lower the grade."
            )
            raise InputError(msg)
    grades = np.array([top if code == _TOP else code for code in codes], dtype=np.int8)
    judged = Judged(
        grades=grades,
        grade_counts=np.bincount(grades[grades >= 0], minlength=top + 1).astype(np.int64),
        values=np.arange(top + 1, dtype=np.float64),
        tie_groups=np.array(groups) if len(set(groups)) < len(groups) else None,
    )
    return _judge(judged, topic, num_rel, num_nonrel, top, min_rel)


def _judge(
    judged: Judged,
    topic: _Counts | None,
    num_rel: int | None,
    num_nonrel: int | None,
    top_grade: int | None,
    min_rel: int,
) -> Judged:
    """Set the scale of grades and the counts of the whole topic, checking that they fit."""
    top = top_grade or max(
        int(judged.top_grade), _largest(grade for grade, _ in topic or ())
    )
    known = Counter[int]()
    for grade, count in topic or ():
        known[top if grade == _TOP else grade] += count
    judged = _on_scale(judged, list(known), top_grade)
    if min_rel != 1:
        judged = replace(judged, min_code=int(np.searchsorted(judged.values, min_rel)))
    counts = judged.grade_counts
    if topic is not None:
        counts = _counts_of_topic(judged, known)
        _check_same(judged, counts, num_rel, num_nonrel)
    counts = _raised(counts, judged.min_code, counts.shape[-1], num_rel, "num_rel")
    counts = _raised(counts, 0, judged.min_code, num_nonrel, "num_nonrel")
    return judged if counts is judged.grade_counts else replace(judged, grade_counts=counts)


def _largest(grades: Iterable[int]) -> int:
    return max([1, *(grade for grade in grades if grade != _TOP)])


def _read_codes(text: str, *, what: str) -> tuple[list[int], list[int]]:
    """Turn characters into codes and tie-group numbers."""
    if len(text) > MAX_CHARACTERS:
        msg = (
            f"{what}: {len(text):,} characters are above the limit of {MAX_CHARACTERS:,}; "
            "leave out spaces, or cut it."
        )
        raise LimitError(msg)
    codes: list[int] = []
    groups: list[int] = []
    opened = 0  # the rank at which the open bracket stands; 0 where none is open
    for character in text:
        code = _SYMBOLS.get(character)
        if code is not None:
            codes.append(code)
            groups.append(opened or len(codes))
        elif character in "()":
            opened = _bracket(character, opened, len(codes) + 1, what=what)
        elif character not in _IGNORED:
            rank = len(codes) + 1
            msg = f"{what}, rank {rank}: {character!r} is not a judgment. {_ALLOWED}"
            raise InputError(msg)
        if len(codes) > MAX_DEPTH:
            msg = (
                f"{what}: more than {MAX_DEPTH:,} documents; cut it at rank {MAX_DEPTH:,}."
            )
            raise LimitError(msg)
    if opened:
        msg = f"{what}, rank {opened}: '(' is never closed. {_PAIRS}"
        raise InputError(msg)
    return codes, groups


def _bracket(character: str, opened: int, rank: int, *, what: str) -> int:
    """Open or close a tie group; return where the open one begins, 0 for none."""
    if character == "(" and opened:
        msg = f"{what}, rank {rank}: '(' stands inside another bracket. {_PAIRS}"
        raise InputError(msg)
    if character == ")" and not opened:
        msg = f"{what}, rank {rank}: ')' closes nothing. {_PAIRS}"
        raise InputError(msg)
    return rank if character == "(" else 0


def _with_brackets(marks: list[str], groups: list[int]) -> str:
    text = ""
    for rank, mark in enumerate(marks):
        tied_before = rank > 0 and groups[rank - 1] == groups[rank]
        tied_after = rank + 1 < len(marks) and groups[rank + 1] == groups[rank]
        opening = "(" if tied_after and not tied_before else ""
        closing = ")" if tied_before and not tied_after else ""
        text += opening + mark + closing
    return text


def _topic_counts(topic: Topic) -> _Counts:
    """Check what is known of the topic and give it one hashable form."""
    if isinstance(topic, Mapping):
        for grade, count in topic.items():
            check_whole("grade", grade, caller="topic", least=0, most=MAX_GRADE)
            check_whole(
                f"count of grade {grade}",
                count,
                caller="topic",
                least=0,
                most=MAX_DOCUMENTS,
            )
        return tuple(sorted((int(grade), int(count)) for grade, count in topic.items()))
    if not isinstance(topic, str):
        msg = f"topic: give text or {{grade: count}}; got {type(topic).__name__}."
        raise InputError(msg)
    codes, groups = _read_codes(topic, what="topic")
    if UNJUDGED in codes:
        place = codes.index(UNJUDGED) + 1
        msg = f"topic, document {place}: '?' is unjudged; list only judged documents."
        raise InputError(msg)
    if len(set(groups)) < len(groups):
        msg = "topic: brackets (ties) have no meaning here; list the documents one by one."
        raise InputError(msg)
    return tuple(sorted(Counter(codes).items()))


def _on_scale(judged: Judged, grades: list[int], top_grade: int | None) -> Judged:
    """Widen the table of grades so that it holds `grades` and ends at the top grade."""
    present = judged.grade_counts.reshape(-1, len(judged.values)).any(axis=0)
    wanted = {*judged.values.tolist(), *map(float, grades)}
    if top_grade is not None:
        largest = max([*judged.values[present].tolist(), *map(float, grades)], default=0.0)
        if largest > top_grade:
            msg = f"ranking: grade {largest:g} is above top_grade = {top_grade}; raise it."
            raise InputError(msg)
        wanted = {value for value in wanted if value <= top_grade} | {float(top_grade)}
    values = np.array(sorted(wanted))
    if all(value.is_integer() for value in wanted):
        values = np.arange(values[-1] + 1.0)  # a code is then the grade itself
    if np.array_equal(values, judged.values):
        return judged
    places = np.searchsorted(values, judged.values)
    counts = np.zeros((*judged.grade_counts.shape[:-1], len(values)), dtype=np.int64)
    counts[..., places[present]] = judged.grade_counts[..., present]
    min_grade = np.append(judged.values, np.inf)[judged.min_code]
    return replace(
        judged,
        grades=np.append(places, [PAST_END, UNJUDGED]).astype(np.int8)[judged.grades],
        grade_counts=counts,
        values=values,
        min_code=int(np.searchsorted(values, min_grade)),
    )


def _counts_of_topic(judged: Judged, known: Mapping[int, int]) -> _Ints:
    """Documents of the topic by code; at least as many of each as a ranking shows."""
    counts = np.zeros(len(judged.values), dtype=np.int64)
    for grade, count in known.items():
        counts[np.searchsorted(judged.values, grade)] = count
    for code, grade in enumerate(judged.values):
        shown = int((judged.grades == code).sum(axis=-1).max())
        if shown > counts[code]:
            msg = (
                f"topic: {counts[code]} documents of grade {grade:g}, but the ranking has "
                f"{shown}. List all judged documents, the retrieved ones included."
            )
            raise ParameterError(msg)
    return np.broadcast_to(counts, (*judged.grades.shape[:-1], len(counts)))


def _check_same(
    judged: Judged, counts: _Ints, num_rel: int | None, num_nonrel: int | None
) -> None:
    """Refuse R or N beside a topic that says otherwise."""
    by_code = counts.reshape(-1, counts.shape[-1])[0]
    has = {
        "num_rel": (num_rel, int(by_code[judged.min_code :].sum())),
        "num_nonrel": (num_nonrel, int(by_code[: judged.min_code].sum())),
    }
    for name, (given, in_topic) in has.items():
        if given is not None and given != in_topic:
            msg = f"{name} = {given} contradicts the topic, which has {in_topic}; drop one."
            raise ParameterError(msg)


def _raised(counts: _Ints, first: int, end: int, wanted: int | None, name: str) -> _Ints:
    """Raise the number of documents with codes `first` to `end - 1` to `wanted`."""
    if wanted is None:
        return counts
    shown = counts[..., first:end].sum(axis=-1)
    if (shown > wanted).any():
        msg = (
            f"{name} must be at least {shown.max()}, which the ranking shows; got {wanted}."
        )
        raise ParameterError(msg)
    if first == end and wanted:
        msg = f"{name} = {wanted}, but no grade here counts as relevant; lower min_rel."
        raise ParameterError(msg)
    raised = np.array(counts)
    if first < end:
        raised[..., first] += wanted - shown
    return raised
