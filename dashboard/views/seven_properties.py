"""Seven properties: the table, the counterexamples, and one's own ranking."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import numpy as np

import core
from core.properties import worlds_of
from dashboard import sentences
from dashboard.figures.seven_properties import (
    Point,
    Strip,
    cutoffs_picture,
    strips_picture,
    trial_picture,
    worlds_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.state import Field, choice, flag, relevance, whole
from dashboard.takeaway import TakeAway, citation, latex_row
from dashboard.views.one_ranking import metric_names
from dashboard.views.own_ranking import (
    Trial,
    World,
    metric_at,
    read_world,
    score_worlds,
    scores_by_cutoff,
    try_ranking,
    words,
)


class Property(NamedTuple):
    """One of the seven: its name, what it asks for, and where the paper defines it."""

    name: str
    meaning: str
    source: str


PROPERTIES: Final = {
    "bounded": Property(
        "Bounded",
        "No score is above 1, so scores of different topics are on one scale.",
        "Moffat 2013, section 4, property 1",
    ),
    "monotonic": Property(
        "Monotonic",
        "One rank more, from k to k + 1, and the score never falls.",
        "Moffat 2013, section 4, property 2",
    ),
    "convergent": Property(
        "Convergent",
        "A relevant document from below rank k changes places with a nonrelevant one in the "
        "top k, and the score rises.",
        "Moffat 2013, section 4, property 3",
    ),
    "top_weighted": Property(
        "Top-weighted",
        "Within the top k a relevant document changes places with a nonrelevant one above it, "
        "and the score rises.",
        "Moffat 2013, section 4, property 4",
    ),
    "localized": Property(
        "Localized",
        "The score at k follows from the first k documents alone, whatever lies below.",
        "Moffat 2013, section 4, property 5",
    ),
    "complete": Property(
        "Complete",
        "There is a score even if the topic has no relevant document.",
        "Moffat 2013, section 4, property 6",
    ),
    "realizable": Property(
        "Realizable",
        "With at least one relevant document, some ranking reaches the maximum at every k.",
        "Moffat 2013, section 4, property 7",
    ),
}
COLUMNS: Final = tuple(
    (key, prop.name, f"{prop.meaning} {prop.source}.") for key, prop in PROPERTIES.items()
)
DEFINITIONS: Final = "\n\n".join(
    f"**{prop.name}.** {prop.meaning} *{prop.source}.*" for prop in PROPERTIES.values()
)
TABLE_2: Final = (
    *("DCG", "SP", "Rprec", "SNDCG", "SNAP", "P", "nDCG"),
    *("SDCG", "HIT", "RR", "R", "AP", "RBP"),
)
KEYS: Final = (*TABLE_2, *(spec.key for spec in core.METRICS if spec.key not in TABLE_2))
_NAMES: Final = {"Bpref": "bpref, min(R, N)", "Bpref10": "bpref-10", "R": "Recall"}
_NOTES: Final = {  # notes a to f of Table 2
    **dict.fromkeys(
        ("RBP.monotonic", "RBP.convergent", "RBP.localized"),
        "RBP gives a range that holds the score; its lower end is taken (note a).",
    ),
    **dict.fromkeys(
        ("HIT.convergent", "HIT.top_weighted", "RR.convergent", "RR.top_weighted"),
        "A relevant document moved up is not sure to raise the score (note b).",
    ),
    **dict.fromkeys(
        ("RR.localized", "RR.complete"),
        "RR is defined as 0 when nothing relevant is in the top k (note c).",
    ),
    **dict.fromkeys(
        ("SNDCG.complete", "SNAP.complete"),
        "No score when nothing relevant is in the top k, even if R is above 0 (note d).",
    ),
    **dict.fromkeys(
        ("P.realizable", "SDCG.realizable"), "1 can be reached only if k <= R (note e)."
    ),
    **dict.fromkeys(
        ("R.realizable", "AP.realizable"), "1 can be reached only if k >= R (note f)."
    ),
}
DOCUMENTS: Final = {3: "Worlds of 3", 4: "4", 5: "5", 6: "6 documents"}
FIELDS: Final[tuple[Field[Any], ...]] = (
    choice(
        "cell",
        "SNAP.monotonic",
        tuple(f"{key}.{name}" for key in KEYS for name in PROPERTIES),
    ),
    whole("D", 5, min(DOCUMENTS), max(DOCUMENTS)),
    relevance("own", "100001", read_world),
    flag("projector"),
)
_SHARE_NAMES: Final = dict(
    zip(
        (spec.key for spec in core.METRICS),
        ("RBP", *metric_names(0.8)[1:]),
        strict=True,
    )
)


class Line(NamedTuple):
    """A row of the table, in the order that the table component takes."""

    key: str
    name: str
    help: str
    section: str
    holds: tuple[bool, ...]


class Link(NamedTuple):
    """A button that opens rankings elsewhere: its words, its address, what to know."""

    label: str
    address: str
    help: str


@dataclass(frozen=True)
class View:
    """What the page shows."""

    rows: tuple[Line, ...]
    definition: str
    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    links: list[Link]
    world: str  # the counterexample's first ranking; empty where there is none
    own_sentence: str
    own_pictures: list[Picture]


def name_of(key: str) -> str:
    """Return a metric's short name on screen."""
    return _NAMES.get(key) or core.metric(key).label


def view(values: Mapping[str, Any], look: Look) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    key, name = values["cell"].split(".")
    documents = values["D"]
    finding = core.metric_properties(key, documents)[name]
    world = read_world(values["own"])
    trials = try_ranking(key, world)
    rows = table(documents)
    return View(
        rows=rows,
        definition=_definition(values["cell"]),
        sentence=_sentence(key, name, finding, documents),
        tiles=_tiles(key, name, finding, documents),
        pictures=_pictures(key, name, finding, documents, look),
        links=[] if finding.witness is None else links(key, finding.witness),
        world="" if finding.witness is None else finding.witness.rankings[0],
        own_sentence=_own_sentence(key, name, world, trials),
        own_pictures=[
            trial_picture(
                [
                    (prop.name, _states(trials[which], len(world)))
                    for which, prop in PROPERTIES.items()
                ],
                metric=name_of(key),
                chosen=list(PROPERTIES).index(name),
                look=look,
            ),
            cutoffs_picture(scores_by_cutoff(key, world), metric=name_of(key), look=look),
        ],
    )


def table(documents: int) -> tuple[Line, ...]:
    """Give all metrics with their properties: first those of Table 2, in its order."""
    return tuple(
        Line(
            key,
            name_of(key),
            f"{core.metric(key).title} ({core.metric(key).source})",
            "Moffat 2013, Table 2" if key in TABLE_2 else "Other metrics: found here",
            tuple(
                finding.holds for finding in core.metric_properties(key, documents).values()
            ),
        )
        for key in KEYS
    )


def _definition(cell: str) -> str:
    prop = PROPERTIES[cell.split(".")[1]]
    note = f" {_NOTES[cell]}" if cell in _NOTES else ""
    return f"{prop.name}: {prop.meaning} {prop.source}.{note}"


def _sentence(key: str, name: str, finding: core.Finding, documents: int) -> str:
    witness = finding.witness
    return sentences.seven_properties(
        metric=name_of(key),
        word=PROPERTIES[name].name.lower(),
        worlds=finding.worlds,
        documents=documents,
        explanation="" if witness is None else _explained(name, witness),
        scores=[] if witness is None else [words(score) for score in witness.scores],
    )


def _explained(name: str, witness: core.Witness) -> str:
    """Say what to look at in a counterexample."""
    if name != "localized":
        return witness.explanation.replace(" of 1 documents", " of 1 document")
    same = sentences.count(witness.cutoffs[0], "document").removeprefix("one ")
    return f"two lists begin with the same {same}, but what lies below changes the score"


def _tiles(
    key: str, name: str, finding: core.Finding, documents: int
) -> list[tuple[str, str, str, str]]:
    source = "as in Moffat 2013, Table 2" if key in TABLE_2 else "found here, by search"
    prop = PROPERTIES[name]
    tiles = [
        (
            f"{name_of(key)}: {prop.name.lower()}?",
            "yes" if finding.holds else "no",
            source,
            f"{prop.meaning} {prop.source}.",
        ),
        (
            "Worlds tried",
            f"{finding.worlds}",
            f"all rankings of {documents}, all k",
            "A world is the relevance of all documents of a collection in ranked order; "
            "smaller worlds are tried first",
        ),
    ]
    if finding.witness is not None:
        labels = _row_names(name, finding.witness)
        tiles += [
            (
                f"Score, {label}" if len(labels) > 1 else "Score",
                words(score),
                f"{ranking} at k = {cutoff}",
                core.metric(key).title,
            )
            for label, score, ranking, cutoff in zip(
                labels,
                finding.witness.scores,
                finding.witness.rankings,
                finding.witness.cutoffs,
                strict=True,
            )
        ]
    return tiles


def _row_names(name: str, witness: core.Witness) -> tuple[str, ...]:
    if len(witness.rankings) == 1:
        return ("ranking",)
    if name == "monotonic":
        return tuple(f"k = {cutoff}" for cutoff in witness.cutoffs)
    return ("one", "other") if name == "localized" else ("before", "after")


def _pictures(
    key: str, name: str, finding: core.Finding, documents: int, look: Look
) -> list[Picture]:
    witness = finding.witness
    pictures = []
    marked: list[tuple[int, float]] = []
    if witness is not None:
        marked = list(zip(witness.cutoffs, witness.scores, strict=True))
        strips = [
            Strip(label, ranking, cutoff, f"{name_of(key)} = {words(score)}")
            for label, ranking, cutoff, score in zip(
                _row_names(name, witness),
                witness.rankings,
                witness.cutoffs,
                witness.scores,
                strict=True,
            )
        ]
        pictures.append(
            strips_picture(
                strips,
                title=f"The smallest counterexample: {name_of(key)} is not "
                f"{PROPERTIES[name].name.lower()}",
                caption="1 relevant, 0 not. The metric sees what stands left of the dashed line."
                + (" Ringed: what changes." if len(set(witness.rankings)) > 1 else ""),
                look=look,
            )
        )
    points, undefined = _points(key, documents)
    pictures.append(
        worlds_picture(points, marked, metric=name_of(key), undefined=undefined, look=look)
    )
    return pictures


def _points(key: str, documents: int) -> tuple[list[Point], dict[int, int]]:
    """Count the worlds of the largest size by cutoff and score."""
    worlds = worlds_of(documents)
    points, undefined = [], {}
    for cutoff in range(1, documents + 1):
        scores = score_worlds(key, worlds, cutoff)
        undefined[cutoff] = int(np.isnan(scores).sum())
        counted = Counter(scores[np.isfinite(scores)].round(9).tolist())
        points += [Point(cutoff, score, number) for score, number in counted.items()]
    return points, undefined


class _Case(NamedTuple):
    """A ranking for One ranking: what the metric sees, and R and N of its topic."""

    ranking: str
    num_rel: int
    num_nonrel: int


def links(key: str, witness: core.Witness) -> list[Link]:
    """Open the counterexample's rankings in One ranking, with what their topic knows.

    Rankings of one topic open side by side; where the topics differ each has its own link.
    """
    cases = [
        _case(key, ranking, cutoff)
        for ranking, cutoff in zip(witness.rankings, witness.cutoffs, strict=True)
    ]
    about = (
        "Opens a new tab: the documents that the metric sees, with R and N of the topic."
    )
    if key in ("P", "SDCG"):
        about += f" There the cutoff is 10, so look at {_SHARE_NAMES[key]}."
    if len({case[1:] for case in cases}) == 1:
        second = cases[1].ranking if len(cases) > 1 else ""
        return [Link("Open in One ranking", _address(key, cases[0], second), about)]
    return [
        Link(f"Open {which} in One ranking", _address(key, case), about)
        for which, case in zip(("the first", "the second"), cases, strict=True)
    ]


def _case(key: str, world: str, cutoff: int) -> _Case:
    """Cut a world at the cutoff, since One ranking has none.

    nDCG@k and Rprec@k look for no more than k relevant documents, so the topic has no more.
    """
    num_rel = world.count("1")
    most = min(num_rel, cutoff) if key in ("nDCG", "Rprec") else num_rel
    seen = world[:cutoff].replace("1", "$").replace("0", "-")
    return _Case(seen, most, world.count("0"))


def _address(key: str, case: _Case, second: str = "") -> str:
    name = _SHARE_NAMES[key]
    query = {"r": case.ranking, "r2": second, "R": case.num_rel, "N": case.num_nonrel}
    beside = "RBP" if name == "AP" else "AP"
    chosen = {"m1": name, "m2": name if second else beside}
    return "./?" + urlencode({k: v for k, v in {**query, **chosen}.items() if v != ""})


def _states(trial: Trial, size: int) -> list[bool | None]:
    """Say for each cutoff whether the property is broken there; None where not tested."""
    return [k in trial.broken if k in trial.tested else None for k in range(1, size + 1)]


def _own_sentence(key: str, name: str, world: World, trials: Mapping[str, Trial]) -> str:
    return sentences.own_ranking(
        metric=name_of(key),
        ranking="".join(map(str, world)),
        num_rel=sum(world),
        broken=[
            (PROPERTIES[which].name.lower(), trial.broken)
            for which, trial in trials.items()
            if trial.broken
        ],
        word=PROPERTIES[name].name.lower(),
        tested=bool(trials[name].tested),
        example=trials[name].example,
    )


def take_away(values: Mapping[str, Any]) -> TakeAway:
    """Write down the present cell: formula, Python, the metric's row of Table 2, the source."""
    key, name = values["cell"].split(".")
    documents = values["D"]
    spec = core.metric(key)
    found = core.metric_properties(key, documents)
    witness = found[name].witness
    lines = [
        "import core",
        "",
        f'found = core.metric_properties("{key}", documents={documents})["{name}"]',
        "print(found.holds, found.worlds)",
    ]
    if witness is not None:
        lines += [
            "print(*found.witness.rankings, found.witness.explanation)",
            *_scored(key, witness),
        ]
    label = rf"\mathrm{{{_latex(name_of(key))}}}"
    scores = "".join(
        rf",\qquad {label}@{cutoff}(\mathtt{{{ranking}}}) = "
        + (r"\mathrm{undefined}" if np.isnan(score) else f"{score:.4f}")
        for ranking, cutoff, score in (
            ()
            if witness is None
            else zip(witness.rankings, witness.cutoffs, witness.scores, strict=True)
        )
    )
    return TakeAway(
        formula=f"{label} = {spec.formula}{scores}",
        python="\n".join(lines) + "\n",
        latex=latex_row(
            ("metric", *(prop.name for prop in PROPERTIES.values())),
            (_latex(name_of(key)), *("Yes" if f.holds else "No" for f in found.values())),
        ),
        citation=citation(*dict.fromkeys(("moffat_2013", spec.reference))),
    )


def _scored(key: str, witness: core.Witness) -> list[str]:
    """Write Python that scores the rankings of a counterexample anew."""
    return [
        f'print(core.score("{metric_at(key, cutoff)}", "{ranking[:cutoff]}", '
        f"num_rel={ranking.count('1')}, num_nonrel={ranking.count('0')}).value)"
        for ranking, cutoff in zip(witness.rankings, witness.cutoffs, strict=True)
    ]


def _latex(text: str) -> str:
    return text.replace("_", r"\_").replace("%", r"\%")
