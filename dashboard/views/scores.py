"""Scores: runs by metrics, two runs topic by topic, and the documents that decide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

import core
from core.collection import metric_names as check_metrics
from core.columns import Floats
from core.discrimination import t_levels, wilcoxon_levels
from core.judged import UNJUDGED
from dashboard import sentences
from dashboard.figures.scores import (
    DocumentShare,
    Pair,
    differences_picture,
    documents_picture,
    means_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.links import one_ranking_link
from dashboard.session_data import Source
from dashboard.state import Field, choice, flag, number
from dashboard.takeaway import TakeAway, citation, opening_lines
from dashboard.views.one_ranking import metric_names
from dashboard.views.score_table import Means, as_latex, score_table

MOST_METRICS: Final = 16
_MOST_DOCUMENTS: Final = 8
_TABLED_DOCUMENTS: Final = 50
_EQUAL: Final = 1e-12
_CLOSED: Final = 5e-5  # a range that four decimals do not show

# Scores every run on every topic by a metric; the page passes one that keeps what it found.
Scorer = Callable[[str], core.Score]

METRIC_CHOICES: Final = ("RBP", *metric_names(0.8)[1:])
OVER: Final = {
    "all": "all topics (a missing one counts 0)",
    "present": "the topics a run has",
}


def split_names(text: str) -> tuple[str, ...]:
    """Split a list of metrics at commas and semicolons, but not within brackets."""
    names, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark in ";\n" or (mark == "," and depth <= 0):
            names.append("")
        else:
            names[-1] += mark
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def check_names(text: str) -> str:
    """Let core check names that somebody typed; an empty text is fine."""
    names = split_names(text)
    if len(names) > MOST_METRICS:
        msg = f"metrics: at most {MOST_METRICS} are shown at once; got {len(names)}."
        raise core.LimitError(msg)
    if names:
        check_metrics(names)
    return text.strip()


def _read_choices(text: str) -> tuple[str, ...]:
    names = tuple(name for name in text.split(";") if name)
    unknown = [name for name in names if name not in METRIC_CHOICES]
    if unknown:
        msg = f"{unknown[0][:40]!r} is not in the list of metrics"
        raise ValueError(msg)
    return tuple(dict.fromkeys(names))


def _name(name: str) -> Field[str]:
    return Field(name, "", lambda text: text[:500])


FIELDS: Final[tuple[Field[Any], ...]] = (
    Field("m", ("RBP", "AP", "nDCG", "P@10", "RR"), _read_choices, ";".join),
    Field("more", "", check_names),
    number("p", 0.8, 0.0, 0.99),
    _name("by"),
    _name("a"),
    _name("b"),
    _name("t"),
    flag("ranges"),
    choice("over", "all", tuple(OVER)),
    flag("projector"),
)


@dataclass(frozen=True)
class View:
    """What the page shows."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    table: pd.DataFrame
    alt: str
    documents: pd.DataFrame
    links: list[tuple[str, str, str]]
    chosen: dict[str, str]
    choices: dict[str, list[str]]
    notes: list[str]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs, topic by topic, on the topics where both have a score."""

    topics: list[str]
    differences: Floats
    wilcoxon: float
    t: float

    @property
    def mean(self) -> float:
        """Mean difference; nan without topics."""
        return float(self.differences.mean()) if self.topics else float("nan")

    @property
    def counts(self) -> tuple[int, int, int]:
        """On how many topics the first is better, worse, equal."""
        better = int((self.differences > _EQUAL).sum())
        worse = int((self.differences < -_EQUAL).sum())
        return better, worse, len(self.topics) - better - worse


def names_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Name what was chosen, as it is shown and as core calls it, with the page's p in it."""
    shown = dict.fromkeys((*values["m"], *split_names(values["more"]))) or {"AP": None}
    with_p = {"RBP": f"RBP(p={values['p']:g})"}
    return {name: with_p.get(name, name) for name in list(shown)[:MOST_METRICS]}


def view(
    values: Mapping[str, Any], collection: core.Collection, scorer: Scorer, look: Look
) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    names = names_of(values)
    scores = {metric: scorer(metric) for metric in names.values()}
    means = {
        metric: Means.of(collection, score, over=values["over"])
        for metric, score in scores.items()
    }
    shown_by = values["by"] if values["by"] in names else next(iter(names))
    metric = names[shown_by]
    order = means[metric].order
    runs = [collection.run_ids[place] for place in order]
    a, b, notes = _two_runs(values, runs)
    found = compare(collection, scores[metric], a, b, over=values["over"])
    topic, notes = _topic(values, collection, found, notes)
    pair = Pair(a, b, metric)
    ordered = tuple(
        part[order] for part in (means[metric].value, *_bounds(means[metric], values))
    )
    shares, missing = deciding(collection, metric, a, b, topic)
    table = score_table(collection.run_ids, means, metric, ranges=values["ranges"])
    return View(
        sentence=_sentence(pair, collection, means[metric], found),
        tiles=_tiles(pair, collection, means[metric], found),
        pictures=[
            differences_picture(
                found.topics, found.differences, pair, chosen=topic, look=look
            ),
            documents_picture(shares[:_MOST_DOCUMENTS], pair, topic=topic, look=look),
            means_picture(runs, (ordered[0], ordered[1], ordered[2]), pair, look=look),
        ],
        table=table,
        alt=_alt(table, metric),
        documents=_document_table(shares[:_TABLED_DOCUMENTS], pair),
        links=_links(collection, pair, topic, values["p"]),
        chosen={"a": a, "b": b, "by": shown_by, "t": topic},
        choices={
            "by": list(names),
            "a": runs,
            "b": runs,
            "t": list(collection.topic_ids),
        },
        notes=[*notes, *missing, *_table_notes(collection, means, values)],
    )


def _alt(table: pd.DataFrame, metric: str) -> str:
    """Say what the table holds, with its first rows."""
    first = ", ".join(
        f"{run} {'undefined' if np.isnan(mean) else f'{mean:.4f}'}"
        for run, mean in table[["run", metric]].head(5).itertuples(index=False)
    )
    return f"Means of {len(table)} runs, best by {metric} first: {first}."


def _bounds(means: Means, values: Mapping[str, Any]) -> tuple[Floats, Floats]:
    if values["ranges"]:
        return means.lower, means.upper
    return np.full_like(means.lower, np.nan), np.full_like(means.upper, np.nan)


def _two_runs(values: Mapping[str, Any], runs: list[str]) -> tuple[str, str, list[str]]:
    """Take the runs that were chosen; by default the two best."""
    notes = [
        f"Run {values[name]} is not in this collection; the best one stands in for it."
        for name in ("a", "b")
        if values[name] and values[name] not in runs
    ]
    a = values["a"] if values["a"] in runs else ""
    b = values["b"] if values["b"] in runs else ""
    a = a or next((run for run in runs if run != b), runs[0])
    b = b or next((run for run in runs if run != a), runs[0])
    return a, b, notes


def _topic(
    values: Mapping[str, Any],
    collection: core.Collection,
    found: Comparison,
    notes: list[str],
) -> tuple[str, list[str]]:
    """Take the topic that was chosen; by default the one with the largest difference."""
    if values["t"] in collection.topic_ids:
        return values["t"], notes
    if values["t"]:
        told = f"Topic {values['t']} is not in this collection; another stands in for it."
        notes = [*notes, told]
    if not found.topics:
        return collection.topic_ids[0], notes
    return found.topics[int(np.argmax(np.abs(found.differences)))], notes


def compare(
    collection: core.Collection, score: core.Score, a: str, b: str, *, over: str
) -> Comparison:
    """Take the differences of two runs, and test them by Wilcoxon's and the t test."""
    rows = np.asarray(score.value)
    first, second = collection.run_places([a, b])
    difference = rows[first] - rows[second]
    used = ~np.isnan(difference)
    if over == "present":
        used &= ~(collection.missing[first] | collection.missing[second])
    kept = np.where(np.abs(difference) < _EQUAL, 0.0, difference)[used]
    topics = [collection.topic_ids[place] for place in np.flatnonzero(used)]
    if len(kept) < 2:
        return Comparison(topics, kept, float("nan"), float("nan"))
    wilcoxon, t = (float(test(kept[np.newaxis])[0]) for test in (wilcoxon_levels, t_levels))
    return Comparison(topics, kept, wilcoxon, t)


def deciding(
    collection: core.Collection, metric: str, a: str, b: str, topic: str
) -> tuple[list[DocumentShare], list[str]]:
    """Find what each document adds to the two scores; the largest differences come first."""
    try:
        first, second = (_parts(collection, metric, run, topic) for run in (a, b))
    except core.ParameterError as error:
        return [], [str(error)]
    nothing = (None, 0.0, "")
    shares = []
    for document in {**first, **second}:
        one, other = first.get(document, nothing), second.get(document, nothing)
        shares.append(
            DocumentShare(document, one[2] or other[2], one[0], other[0], one[1], other[1])
        )
    shares = [share for share in shares if abs(share.difference) > _EQUAL]
    return sorted(shares, key=lambda share: -abs(share.difference)), []


def _parts(
    collection: core.Collection, metric: str, run: str, topic: str
) -> dict[str, tuple[int | None, float, str]]:
    """Rank, part of the score and judgment of each document of one ranking."""
    place = int(collection.run_places(run)[0])
    if collection.missing[place, collection.topic_ids.index(topic)]:
        return {}
    ranking = collection.ranking(run, topic)
    parts = np.nan_to_num(core.contributions(metric, ranking))
    grades = ranking.values  # noqa: PD011 - not a table's
    words = ["unjudged", *(f"{grade:g}" for grade in grades)]
    return {
        document: (rank, float(part), words[int(code) - UNJUDGED])
        for rank, (document, part, code) in enumerate(
            zip(collection.documents(run, topic), parts, ranking.grades, strict=True), 1
        )
    }


def _document_table(shares: list[DocumentShare], pair: Pair) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "document": [share.document for share in shares],
            "grade": [share.judgment for share in shares],
            "rank in A": pd.array([share.rank_a for share in shares], dtype="Int64"),
            "rank in B": pd.array([share.rank_b for share in shares], dtype="Int64"),
            f"{pair.metric} from it, A": [share.share_a for share in shares],
            f"{pair.metric} from it, B": [share.share_b for share in shares],
            "A minus B": [share.difference for share in shares],
        }
    )


def _links(
    collection: core.Collection, pair: Pair, topic: str, p: float
) -> list[tuple[str, str, str]]:
    about = "Opens the list in another tab, with what the judgments know of the topic"
    wanted = (("A", (pair.a,)), ("B", (pair.b,)), ("A beside B", (pair.a, pair.b)))
    found = [
        (f"Open {words} in One ranking", one_ranking_link(collection, runs, topic, p=p))
        for words, runs in wanted
    ]
    return [(label, address, about) for label, address in found if address is not None]


def _table_notes(
    collection: core.Collection, means: Mapping[str, Means], values: Mapping[str, Any]
) -> list[str]:
    notes = []
    fewer = [name for name, mean in means.items() if np.isnan(mean.value).any()]
    if fewer:
        notes.append(
            f"Empty cells are undefined: no topic has a score ({', '.join(fewer)})."
        )
    short = {
        name: int(mean.topics.min())
        for name, mean in means.items()
        if mean.topics.min() < len(collection.topic_ids)
    }
    if short and values["over"] == "all":
        told = ", ".join(f"{name} over {topics}" for name, topics in short.items())
        notes.append(
            f"Topics that leave a metric undefined are left out of its mean: {told} of "
            f"{len(collection.topic_ids)}."
        )
    gone = int(collection.missing.sum())
    if gone and values["over"] == "all":
        notes.append(
            f"{sentences.count(gone, 'ranking').capitalize()} missing from runs: 0 each in the "
            "means."
        )
    if values["ranges"]:
        unknown = [name for name, mean in means.items() if np.isnan(mean.lower).any()]
        if unknown:
            notes.append(f"Not known for some run: the range of {', '.join(unknown)}.")
    return notes


def _sentence(
    pair: Pair, collection: core.Collection, means: Means, found: Comparison
) -> str:
    first, second = collection.run_places([pair.a, pair.b])
    if pair.a == pair.b:
        return sentences.scores_of_one(
            run=pair.a,
            metric=pair.metric,
            mean=float(means.value[first]),
            topics=int(means.topics[first]),
        )
    largest = int(np.argmax(np.abs(found.differences))) if found.topics else None
    return sentences.scores_of_two(
        names=(pair.a, pair.b),
        metric=pair.metric,
        bounds=(means.of_run(first), means.of_run(second)),
        counts=found.counts,
        levels=(found.wilcoxon, found.t),
        decisive=None
        if largest is None
        else (found.topics[largest], float(found.differences[largest])),
    )


def _tiles(
    pair: Pair, collection: core.Collection, means: Means, found: Comparison
) -> list[tuple[str, str, str, str]]:
    tiles = []
    for letter, run in (("A", pair.a), ("B", pair.b)):
        place = int(collection.run_places(run)[0])
        value, low, high = means.of_run(place)
        known = "" if np.isnan(low) else f"range {low:.4f} … {high:.4f}; "
        if high - low < _CLOSED:
            known = "certain to 4 decimals; "
        tiles.append(
            (
                f"{letter}: {run}",
                "undefined" if np.isnan(value) else f"{value:.4f}",
                f"{known}{means.topics[place]} topics",
                f"Mean {pair.metric} of the run",
            )
        )
    better, worse, equal = found.counts
    tiles.append(
        (
            "A minus B",
            "undefined" if np.isnan(found.mean) else f"{found.mean:+.4f}",
            f"better on {better}, worse on {worse}, equal on {equal}",
            "Mean difference over the topics on which both runs have a score",
        )
    )
    tiles.append(
        (
            "Wilcoxon, t test",
            f"{level_words(found.wilcoxon)}, {level_words(found.t)}",
            "p-values, two-tailed",
            "How often runs that do not differ would show such differences over the topics",
        )
    )
    return tiles


def level_words(level: float) -> str:
    """Write a p-value: "0.031", "< 0.001", or that there is none."""
    if np.isnan(level):
        return "none"
    return "< 0.001" if level < 0.001 else f"{level:.3f}"


def take_away(values: Mapping[str, Any], source: Source, scorer: Scorer) -> TakeAway:
    """Write down the present numbers: formula, Python, the table, the source."""
    collection = source.collection
    shown = view(values, collection, scorer, Look())
    metrics = names_of(values)
    metric = metrics[shown.chosen["by"]]
    a, b = shown.chosen["a"], shown.chosen["b"]
    found = compare(collection, scorer(metric), a, b, over=values["over"])
    lines = [
        *opening_lines(source),
        f"metrics = {list(metrics.values())!r}",
        f"means = collection.mean(metrics, topics={values['over']!r}, ranges={values['ranges']})",
        "print(means.to_string())",
        f"two = collection.only(collection.run_places([{a!r}, {b!r}]))",
        f"print(core.significant_pairs(two, {metric!r}).pairs.to_string())",
    ]
    return TakeAway(
        formula=(
            r"\bar d = \frac{1}{n}\sum_{t=1}^{n}\bigl(s_A(t) - s_B(t)\bigr) = "
            rf"\frac{{{found.differences.sum():.4f}}}{{{len(found.topics)}}} = {found.mean:.4f}"
        ),
        python="\n".join(lines) + "\n",
        latex=as_latex(shown.table),
        citation=citation("moffat_zobel_2008"),
    )
