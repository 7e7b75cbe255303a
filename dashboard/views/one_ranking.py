"""One ranking: the scores, the pictures, and what to take away."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import core
from core.judged import Judged
from core.relevance import judge
from dashboard import sentences
from dashboard.figures.one_ranking import (
    Curve,
    Row,
    bounds_picture,
    depth_picture,
    ranges_picture,
    shares_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.presets import X
from dashboard.state import Field, choice, flag, number, relevance, whole
from dashboard.takeaway import TakeAway, citation, latex_row

CUTOFF: Final = 10
P_GRID: Final = np.linspace(0.0, 0.99, 100)


def metric_names(p: float, k: int = CUTOFF) -> list[str]:
    """Name every metric once, with the page's p, and a cutoff where one is needed."""
    special = {
        "RBP": f"RBP(p={p:g})",
        "RBP(p1,p2)": f"RBP(p1={p:g}, p2={0.75 * p:.3g})",
    }
    return [
        special.get(spec.key)
        or (f"{spec.name}@{k}" if spec.cutoff == "required" else spec.name)
        for spec in core.METRICS
    ]


SHARE_CHOICES: Final = (
    *("RBP", *metric_names(0.8)[1:]),
    *("RBP(p=0.5)", "RBP(p=0.95)", "SNDCG@5", "nDCG@10", "AP@10"),
)
FIELDS: Final[tuple[Field[Any], ...]] = (
    relevance("r", X, core.parse_relevance),
    relevance("r2", "", core.parse_relevance),
    number("p", 0.8, 0.0, 0.99),
    relevance("topic", "", core.parse_relevance),
    whole("R", None, 0, 1_000_000),
    whole("N", None, 0, 1_000_000),
    whole("top", None, 1, 9),
    whole("min", 1, 1, 9),
    whole("k", CUTOFF, 1, 1000),
    choice("m1", "RBP", SHARE_CHOICES),
    choice("m2", "AP", SHARE_CHOICES),
    flag("projector"),
)


@dataclass(frozen=True)
class View:
    """What the page shows."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    overview: Picture


def topic_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn the topic's fields into keywords of `core.score`; what is not set is left out."""
    options = {
        "topic": values["topic"] or None,
        "num_rel": values["R"],
        "num_nonrel": values["N"],
        "top_grade": values["top"],
        "min_rel": values["min"],
    }
    default = {"min_rel": 1}
    return {
        name: value
        for name, value in options.items()
        if value not in (None, default.get(name))
    }


def read(values: Mapping[str, Any]) -> list[Judged]:
    """Read the one or two rankings of the page with what is known of their topic."""
    options = topic_options(values)
    return [judge(values[name], **options) for name in ("r", "r2") if values[name]]


def view(values: Mapping[str, Any], look: Look) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    rankings = read(values)
    p = values["p"]
    first = rankings[0]
    rbp, ap = core.score(f"RBP(p={p})", first), core.score("AP", first)
    names = ["RBP"] if len(rankings) == 1 else ["first", "second"]
    return View(
        sentence=sentences.one_ranking(
            rbp=rbp,
            ap=ap,
            depth=first.depth,
            unjudged=int(first.unjudged.sum()),
            num_rel=int(first.num_rel),
        ),
        tiles=_tiles(values, rankings, rbp, ap),
        pictures=[
            bounds_picture(
                P_GRID,
                [
                    _curve(name, ranking)
                    for name, ranking in zip(names, rankings, strict=True)
                ],
                p=p,
                look=look,
            ),
            _shares(values, rankings, look),
            _depths(p, rankings, look),
        ],
        overview=ranges_picture(
            [
                (name, _rows(ranking, values))
                for name, ranking in zip(names, rankings, strict=True)
            ],
            look=look,
        ),
    )


def _curve(name: str, judged: Judged) -> Curve:
    curve = core.rbp_curve(judged, P_GRID)
    lower, upper = np.asarray(curve.lower), np.asarray(curve.upper)
    return Curve(name, lower, upper - P_GRID**judged.depth, upper)


def _depths(p: float, rankings: list[Judged], look: Look) -> Picture:
    if len(rankings) > 1:
        pairs = [("first", p, rankings[0]), ("second", p, rankings[1])]
        shorter = min(ranking.depth for ranking in rankings)
        caption = f"At p = {p:g}, to the depth of the shorter ranking."
    else:
        pairs = [
            (f"p = {value:g}", value, rankings[0])
            for value in dict.fromkeys((p, 0.5, 0.95))
        ]
        shorter = rankings[0].depth
        caption = "Solid: your p. The more patient the user, the deeper one must look (MZ Fig. 5)."
    curves = []
    for name, value, ranking in pairs:
        score = core.rbp_by_depth(ranking, value)
        lower, upper = np.asarray(score.lower)[:shorter], np.asarray(score.upper)[:shorter]
        curves.append(Curve(name, lower, upper, upper))
    return depth_picture(curves, look=look, caption=caption)


def _shares(values: Mapping[str, Any], rankings: list[Judged], look: Look) -> Picture:
    names = [_named(values[name], values) for name in ("m1", "m2")]
    if len(rankings) > 1:
        parts = tuple(core.contributions(names[0], ranking) for ranking in rankings)
        return shares_picture(
            (f"{names[0]}, first", f"{names[0]}, second"), (parts[0], parts[1]), look=look
        )
    first, second = (core.contributions(name, rankings[0]) for name in names)
    return shares_picture((names[0], names[1]), (first, second), look=look)


def _named(name: str, values: Mapping[str, Any]) -> str:
    """Put the page's p and k into the name of a metric that needs one."""
    if name == "RBP":
        return f"RBP(p={values['p']:g})"
    bare = name.removesuffix(f"@{CUTOFF}")
    needs_cutoff = bare != name and core.metric(bare).cutoff == "required"
    return f"{bare}@{values['k'] or CUTOFF}" if needs_cutoff else name


def _rows(judged: Judged, values: Mapping[str, Any]) -> list[Row]:
    return [
        Row(name, core.score(name, judged), core.metric(name).title)
        for name in metric_names(values["p"], values["k"] or CUTOFF)
    ]


def _tiles(
    values: Mapping[str, Any], rankings: list[Judged], rbp: core.Score, ap: core.Score
) -> list[tuple[str, str, str, str]]:
    p = values["p"]
    first = rankings[0]
    decimals = core.supported_decimals(rbp)
    certain = f"{decimals} decimal{'' if decimals == 1 else 's'} certain"
    tail = p**first.depth
    residual = float(rbp.residual)
    tiles = [
        (
            f"RBP at p = {p:g}",
            f"{rbp.lower:.4f} … {rbp.upper:.4f}",
            f"residual {residual:.4f}; {certain}",
            "Rank-biased precision: the lower bound, and the upper one if all that is open "
            "were relevant",
        ),
        (
            "What is open",
            f"{max(residual - tail, 0.0):.4f} + {tail:.4f}",
            "unjudged + below the list",
            "The residual: weight of the unjudged documents, and of everything unseen",
        ),
        (
            "AP",
            "undefined" if np.isnan(ap.value) else f"{ap.value:.4f}",
            "" if np.isnan(ap.lower) else f"range {ap.lower:.4f} … {ap.upper:.4f}",
            "Average precision by convention, and its range over all ways of judging the rest",
        ),
        (
            "Ranks read on average",
            f"{1.0 / (1.0 - p):.1f}",
            f"R = {int(first.num_rel)}, N = {int(first.num_nonrel)} in the topic",
            "Expected depth 1/(1-p); R and N are the judged documents of the topic",
        ),
    ]
    if len(rankings) > 1:
        other = core.score(f"RBP(p={p})", rankings[1])
        tiles[1] = (
            "RBP, second ranking",
            f"{other.lower:.4f} … {other.upper:.4f}",
            f"residual {float(other.residual):.4f}",
            "The second ranking at the same p",
        )
    return tiles


def _formula(judged: Judged, p: float, value: float) -> str:
    terms = [
        f"{gain:g}\\cdot {p:g}^{{{rank}}}" if gain != 1 else f"{p:g}^{{{rank}}}"
        for rank, gain in enumerate(judged.gains)
        if gain > 0
    ]
    shown = " + ".join(terms[:8]) + (r" + \dots" if len(terms) > 8 else "") or "0"
    return (
        rf"\mathrm{{RBP}} = (1-p)\sum_{{i=1}}^{{d}} r_i\,p^{{i-1}} = (1-{p:g})\,({shown}) = "
        rf"{value:.4f}, \qquad \mathrm{{residual}} \ge p^d = {p:g}^{{{judged.depth}}} = "
        rf"{p**judged.depth:.4f}"
    )


def take_away(values: Mapping[str, Any]) -> TakeAway:
    """Write down the present numbers: formula, Python, a row of a table, the source."""
    first = read(values)[0]
    rbp, ap = core.score(f"RBP(p={values['p']})", first), core.score("AP", first)
    options = topic_options(values)
    keywords = "".join(f", {name}={value!r}" for name, value in options.items())
    lines = ["import core", "", f"ranking = {values['r']!r}"]
    lines += [
        f'print("{name}", core.format_score(core.score("{name}", ranking{keywords})))'
        for name in metric_names(values["p"], values["k"] or CUTOFF)
    ]
    return TakeAway(
        formula=_formula(first, values["p"], float(rbp.value)),
        python="\n".join(lines) + "\n",
        latex=latex_row(
            ("ranking", "$p$", "RBP", "residual", "AP"),
            (
                rf"\texttt{{{_escaped(values['r'])}}}",
                f"{values['p']:g}",
                f"{rbp.lower:.4f}",
                f"{float(rbp.residual):.4f}",
                "--" if np.isnan(ap.value) else f"{ap.value:.4f}",
            ),
        ),
        citation=citation("moffat_zobel_2008"),
    )


def _escaped(text: str) -> str:
    replaced = {"$": r"\$", "_": r"\_", "\n": " "}
    return "".join(replaced.get(mark, mark) for mark in text)
