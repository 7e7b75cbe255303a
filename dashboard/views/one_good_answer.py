"""One good answer: six metrics of one graded ranking, and where their users stop."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import core
from core.judged import Judged
from core.metrics.graded import BlendedRatio, blended_ratio
from core.metrics.spec import numbers
from core.relevance import judge
from dashboard import sentences
from dashboard.figures.one_good_answer import (
    Bars,
    Line,
    Stops,
    ratio_picture,
    scores_picture,
    stops_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.state import Field, flag, relevance
from dashboard.takeaway import TakeAway, citation, latex_row

LABELS: Final = ("RR", "NWRR", "O-measure", "P-measure", "P+", "Q-measure")
_LETTERS: Final = {3: "S", 2: "A", 1: "B"}
_MOST_CHARACTERS: Final = 80
_NUMBERS: Final = re.compile(rf"[0-9.:]{{1,{_MOST_CHARACTERS}}}", re.ASCII)
_MOST_TERMS: Final = 5  # of a sum, in the formula


def check_gains(text: str) -> str:
    """Return gains such as ``3:2:1``, or raise `ParameterError` with the rule."""
    return _checked("Qmeasure", text)


def check_penalties(text: str) -> str:
    """Return penalties such as ``2:3:4``, or raise `ParameterError` with the rule."""
    return _checked("NWRR", text)


def _checked(metric: str, text: str) -> str:
    param = core.metric(metric).params[0]
    if not _NUMBERS.fullmatch(text):
        msg = (
            f"{param.name} must be numbers such as {'3:2:1' if param.falling else '2:3:4'}, the "
            f"highest grade first; use digits, points and colons, {_MOST_CHARACTERS} at most."
        )
        raise core.ParameterError(msg)
    param.check(text, caller=core.metric(metric).title)
    return text


def check_topic(text: str) -> object:
    """Read the topic's documents; there may be none, but no unjudged ones."""
    if not text.strip():
        return None
    judged = core.parse_relevance(text)
    if judged.unjudged.any():
        place = int(np.flatnonzero(judged.unjudged)[0]) + 1
        msg = f"topic, document {place}: '?' is unjudged; list only judged documents."
        raise core.InputError(msg)
    return judged


FIELDS: Final[tuple[Field[Any], ...]] = (
    relevance("r", "BAS", core.parse_relevance),
    relevance("topic", "SAB", check_topic),
    relevance("r2", "", core.parse_relevance),
    relevance("topic2", "", check_topic),
    Field("gains", "3:2:1", check_gains),
    Field("penalties", "2:3:4", check_penalties),
    flag("projector"),
)


@dataclass(frozen=True)
class Reading:
    """One metric: its name for core, its score, and the ranks at which its user may stop."""

    label: str
    metric: str
    score: core.Score
    stops: tuple[int, ...]


@dataclass(frozen=True)
class Side:
    """One ranking with its topic, and what the six metrics read in it."""

    name: str
    text: str
    judged: Judged
    topic: dict[int, int]
    added: dict[int, int]  # documents that the ranking has beyond the topic as it was typed
    blend: BlendedRatio
    readings: tuple[Reading, ...]

    @property
    def first(self) -> int:
        """Rank of the first relevant document; 0 where there is none."""
        return next(iter(self.readings[2].stops), 0)

    @property
    def best(self) -> int:
        """Rank of the first document of the highest grade retrieved; 0 where there is none."""
        return next(iter(self.readings[3].stops), 0)

    def grade(self, rank: int) -> str:
        """Write the grade of the document at a rank, S, A, B where it is one of these."""
        return letter(int(self.judged.grades[rank - 1]))


@dataclass(frozen=True)
class View:
    """What the page shows."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]


def letter(grade: int) -> str:
    """Write a grade as NTCIR does, and as a number above S."""
    return _LETTERS.get(grade, str(grade))


def metric_names(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the six metrics for core, with the page's gains and penalties."""
    gains = f"(gains='{values['gains']}')"
    graded = (f"{name}{gains}" for name in ("Omeasure", "Pmeasure", "Pplus", "Qmeasure"))
    return ("RR", f"NWRR(penalties='{values['penalties']}')", *graded)


def read(values: Mapping[str, Any]) -> list[Side]:
    """Read the one or two rankings with their topics; a second topic is the first if empty."""
    names = ("first", "second") if values["r2"] else ("ranking",)
    topics = (values["topic"], values["topic2"] or values["topic"])
    top = _top_grade(values)
    return [
        _side(name, values[field], topic, top, metric_names(values))
        for name, field, topic in zip(names, ("r", "r2"), topics, strict=False)
    ]


def _top_grade(values: Mapping[str, Any]) -> int:
    """Take the largest grade that is typed or has a gain or penalty; $ stands for it."""
    typed = [
        values[name] for name in ("r", "r2", "topic", "topic2") if values[name].strip()
    ]
    given = [
        len(numbers(values[name], name=name, caller="ranking"))
        for name in ("gains", "penalties")
    ]
    return max([*given, *(int(core.parse_relevance(text).top_grade) for text in typed)])


def _side(name: str, text: str, topic: str, top: int, metrics: tuple[str, ...]) -> Side:
    alone = core.parse_relevance(text, top_grade=top)
    shown = _counts(alone)
    counts, added = shown, dict[int, int]()
    if topic.strip():
        check_topic(topic)
        typed = _counts(core.parse_relevance(topic, top_grade=top))
        counts = {grade: max(typed[grade], shown[grade]) for grade in shown}
        added = {
            grade: shown[grade] - typed[grade]
            for grade in shown
            if grade > 0 and shown[grade] > typed[grade]
        }
    judged = judge(text, topic=counts, top_grade=top)
    gains = metrics[2].split("'")[1]
    return Side(
        name=name,
        text=text,
        judged=judged,
        topic={grade: number for grade, number in counts.items() if number},
        added=added,
        blend=blended_ratio(judged, gains=gains),
        readings=tuple(
            _reading(label, metric, judged)
            for label, metric in zip(LABELS, metrics, strict=True)
        ),
    )


def _counts(judged: Judged) -> dict[int, int]:
    return {grade: int(number) for grade, number in enumerate(judged.grade_counts)}


def _reading(label: str, metric: str, judged: Judged) -> Reading:
    """Score the ranking; a user stops where core says that the score comes from."""
    parts = core.contributions(metric, judged)
    stops = tuple(int(at) + 1 for at in np.flatnonzero(np.nan_to_num(parts) > 0))
    return Reading(label, metric, core.score(metric, judged), stops)


def view(values: Mapping[str, Any], look: Look) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    sides = read(values)
    return View(
        sentence=_sentence(sides),
        tiles=[_tile(sides, number) for number in range(len(LABELS))],
        pictures=[
            ratio_picture([_line(side) for side in sides], look=look),
            stops_picture([_stops(side) for side in sides], look=look),
            scores_picture(
                LABELS,
                [Bars(side.name, [one.score for one in side.readings]) for side in sides],
                look=look,
            ),
        ],
    )


def _line(side: Side) -> Line:
    blend = side.blend
    return Line(
        name=side.name,
        ratio=blend.ratio,
        parts=[
            f"({gain:g} + {count}) / ({ideal:g} + {rank})"
            for rank, (gain, count, ideal) in enumerate(
                zip(blend.cum_gain, blend.count, blend.ideal_cum_gain, strict=True), start=1
            )
        ],
        marks=_marks(side),
        first=side.first,
        best=side.best,
    )


def _marks(side: Side) -> list[str]:
    """Write the document at each rank: its grade, - for nonrelevant, ? for unjudged."""
    return [
        "?" if code == core.UNJUDGED else "–" if code <= 0 else letter(int(code))
        for code in side.judged.grades
    ]


def _stops(side: Side) -> Stops:
    return Stops(side.name, [one.stops for one in side.readings], _marks(side))


def _sentence(sides: list[Side]) -> str:
    first = sides[0]
    words = sentences.one_good_answer(
        scores={one.label: float(one.score.value) for one in first.readings},
        first=(first.first, first.grade(first.first) if first.first else ""),
        best=(first.best, first.grade(first.best) if first.best else ""),
    )
    if len(sides) > 1:
        pairs = zip(sides[0].readings, sides[1].readings, strict=True)
        words = sentences.better_by(
            {a.label: (float(a.score.value), float(b.score.value)) for a, b in pairs}
        )
    added = " ".join(
        sentences.topic_raised({letter(g): n for g, n in side.added.items()}, side.name)
        for side in sides
        if side.added
    )
    return f"{words} {added}".strip()


def _tile(sides: list[Side], number: int) -> tuple[str, str, str, str]:
    readings = [side.readings[number] for side in sides]
    spec = core.metric(readings[0].metric)
    details = [_stop_words(side, side.readings[number]) for side in sides]
    score = readings[0].score
    if len(sides) > 1:
        detail = details[0] if details[0] == details[1] else " / ".join(details)
    else:
        detail = "; ".join(part for part in (details[0], _range_words(score)) if part)
    return (
        readings[0].label,
        " / ".join(_value_words(reading.score) for reading in readings),
        detail,
        f"{spec.title}. {spec.user_model} {spec.source}",
    )


def _value_words(score: core.Score) -> str:
    return "undefined" if np.isnan(score.value) else f"{score.value:.4f}"


def _range_words(score: core.Score) -> str:
    if score.lower == score.upper or np.isnan(score.value):
        return ""
    if np.isnan(score.lower):
        return "range not known"
    return f"{score.lower:.4f} … {score.upper:.4f}"


def _stop_words(side: Side, reading: Reading) -> str:
    stops = reading.stops
    if not stops:
        return "never stops"
    if len(stops) == 1:
        return f"rank {stops[0]} ({side.grade(stops[0])})"
    if len(stops) <= 4:
        return f"ranks {sentences.listed([str(rank) for rank in stops])}"
    return f"{len(stops)} ranks, {stops[0]} to {stops[-1]}"


def take_away(values: Mapping[str, Any]) -> TakeAway:
    """Write down the present numbers: formula, Python, a row of a table, the source."""
    sides = read(values)
    side = sides[0]
    top = len(side.judged.values) - 1
    lines = ["import core", ""]
    for one in sides:
        lines += [f"ranking, topic = {one.text!r}, {one.topic!r}"]
        lines += [
            f'print("{label}", core.format_score(core.score("{reading.metric}", ranking, '
            f"topic=topic, top_grade={top})))"
            for label, reading in zip(LABELS, one.readings, strict=True)
        ]
    return TakeAway(
        formula=_formula(side, values["penalties"]),
        python="\n".join(lines) + "\n",
        latex="".join(
            latex_row(
                ("ranking", *LABELS),
                (
                    rf"\texttt{{{_escaped(one.text)}}}",
                    *(
                        "--"
                        if np.isnan(reading.score.value)
                        else f"{reading.score.value:.4f}"
                        for reading in one.readings
                    ),
                ),
            )
            for one in sides
        ),
        citation=citation("sakai_2007"),
    )


def _formula(side: Side, penalties: str) -> str:
    """Write O, P, P+ and NWRR with the present numbers in them."""
    value = {one.label: float(one.score.value) for one in side.readings}
    if not side.first:
        return r"BR(r) = \frac{cg(r) + count(r)}{cg_I(r) + r}"
    terms = [_ratio(side, rank) for rank in side.readings[4].stops]
    total = " + ".join(terms[:_MOST_TERMS]) + (
        r" + \dots" if len(terms) > _MOST_TERMS else ""
    )
    table = [np.inf, *reversed(numbers(penalties, name="penalties", caller="NWRR"))]
    highest = table[max(grade for grade in side.topic if grade > 0)]
    found = table[int(side.judged.grades[side.first - 1])]
    lines = [
        r"BR(r) &= \frac{cg(r) + count(r)}{cg_I(r) + r}",
        rf"O &= BR({side.first}) = {_ratio(side, side.first)} = {value['O-measure']:.4f}",
        rf"P &= BR({side.best}) = {_ratio(side, side.best)} = {value['P-measure']:.4f}",
        rf"P^+ &= \frac{{1}}{{{len(terms)}}}\left({total}\right) = {value['P+']:.4f}",
        rf"\mathrm{{NWRR}} &= \frac{{1 - 1/{highest:g}}}{{{side.first} - 1/{found:g}}} = "
        rf"{value['NWRR']:.4f}",
    ]
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def _ratio(side: Side, rank: int) -> str:
    blend, at = side.blend, rank - 1
    return (
        rf"\frac{{{blend.cum_gain[at]:g} + {blend.count[at]}}}"
        rf"{{{blend.ideal_cum_gain[at]:g} + {rank}}}"
    )


def _escaped(text: str) -> str:
    replaced = {"$": r"\$", "_": r"\_", "\n": " "}
    return "".join(replaced.get(mark, mark) for mark in text)
