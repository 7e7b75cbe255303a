"""Two papers, two p: what published scores tell, the pictures, and what to take away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import core
from core.inversion import Verdict, invert_rbp, rbp_crossings
from dashboard import sentences
from dashboard.figures.theme import Look, Picture
from dashboard.figures.two_papers import (
    Strip,
    Strips,
    envelope_picture,
    strips_picture,
)
from dashboard.state import Field, choice, flag, number, relevance, whole
from dashboard.takeaway import TakeAway, citation, latex_row
from dashboard.views.published_parts import crossings, depths, nine_panels
from dashboard.views.published_scores import (
    Published,
    Reading,
    compare,
    mean_vectors,
    number_sharing,
    quick,
    range_at,
    read,
)
from dashboard.views.published_verdict import other_places, reach_of, verdict_part

PARTS: Final = {
    "verdict": "Ranges and verdict",
    "nine": "Nine scores",
    "crossings": "Crossing curves",
    "depths": "Depth and number",
}
KINDS: Final = {False: "One topic, binary", True: "Mean or graded"}
P_LIMITS: Final = (0.0, 0.99, 0.01)


def fully_judged(text: str) -> object:
    """Check that a ranking has a curve: it can be read, and all of it is judged."""
    return rbp_crossings(text, text)


FIELDS: Final[tuple[Field[Any], ...]] = (
    number("pa", 0.8, 0.0, 0.99),
    number("sa", 0.4, 0.0, 1.0),
    number("ea", 0.0, 0.0, 1.0),
    number("pb", 0.95, 0.0, 0.99),
    number("sb", 0.3, 0.0, 1.0),
    number("eb", 0.0, 0.0, 1.0),
    whole("digits", 4, 1, 8),
    flag("mean"),
    flag("one"),
    flag("exact"),
    choice("part", "verdict", tuple(PARTS)),
    relevance("r", "$---$$$", fully_judged),
    relevance("r2", "-$$$---", fully_judged),
    flag("projector"),
)


@dataclass(frozen=True)
class View:
    """What the page shows: the first screen, and the part that was chosen."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    part_sentence: str
    part: list[Picture]


def published(values: Mapping[str, Any]) -> list[Published]:
    """Return the one or two published scores of the page."""
    names = (("A", "a"),) if values["one"] else (("A", "a"), ("B", "b"))
    return [
        Published(
            name,
            values[f"p{end}"],
            values[f"s{end}"],
            values[f"e{end}"],
            values["digits"] or 4,
            mean=values["mean"],
        )
        for name, end in names
    ]


def score_step(values: Mapping[str, Any]) -> float:
    """Return the step of the score's slider: no finer than four decimals."""
    return 0.0001 if (values["digits"] or 4) >= 4 else 0.001


def view(values: Mapping[str, Any], look: Look) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    scores = published(values)
    exact = values["exact"]
    readings = [read(score, exact=exact) for score in scores]
    possible = all(reading.possible for reading in readings)
    verdict = compare(*scores, exact=exact) if len(scores) > 1 and possible else None
    told = [_told(score, scores, exact=exact) for score in scores]
    part_sentence, part = _part(values, readings, verdict, look)
    return View(
        sentence=sentences.two_papers(told, verdict),
        tiles=_tiles(readings, told, verdict, exact=exact),
        pictures=[
            envelope_picture(
                [reach_of(reading) for reading in readings],
                look=look,
                caption=_envelope_caption(readings),
            ),
            strips_picture(
                [
                    _strips(reading, second=reading.published.name == "B")
                    for reading in readings
                ],
                look=look,
                name="rankings_behind_the_score",
                title=_strips_title(readings),
                caption=_strips_caption(readings),
            ),
        ],
        part_sentence=part_sentence,
        part=part,
    )


def _told(score: Published, scores: Sequence[Published], *, exact: bool) -> sentences.Told:
    others = [one.p for one in scores if one is not score]
    at = others[0] if others else score.elsewhere
    low, high = range_at(score, at, exact=exact)
    found = read(score, exact=exact).found
    sharing = number_sharing(score, exact=exact)
    about = "" if sharing.origin == "counted" else "about "
    return sentences.Told(
        score.name,
        score.reported(),
        score.digits,
        found,
        f"{about}{sharing.words}",
        at,
        low,
        high,
    )


def _envelope_caption(readings: Sequence[Reading]) -> str:
    if not all(reading.possible for reading in readings):
        return (
            "The cross: no ranking of one topic has this score. Light band: what a mean of "
            "several topics could be."
        )
    if readings[0].published.mean:
        return (
            "Band: no mean with this score can leave it, whatever the topics and grades. "
            "R_G and R_L belong to single topics only."
        )
    light = "Light band: also true for averages."
    if any(reading.published.residual for reading in readings):
        exact = all(reading.exact is not None for reading in readings)
        dark = (
            "Dark band: no ranking can leave it."
            if exact
            else "Switch on Exact for the band of one topic."
        )
        return (
            f"Lines: rankings with this score and residual, dotted with the unjudged relevant "
            f"(ZPM Fig. 4, rules corrected). {dark} {light}"
        )
    cut = any(
        reading.exact is not None and not reading.exact.certified.all()
        for reading in readings
    )
    return (
        f"Lines: two rankings that would have produced this score (ZPM Fig. 2; above p with "
        f"the tails exchanged). Dark band: no ranking with this score can leave it"
        f"{', a little wide at such a high p unless Exact is on' if cut else ''}. {light}"
    )


def _strips_title(readings: Sequence[Reading]) -> str:
    if readings[0].published.mean:
        return "The two extreme means"
    if not any(reading.possible for reading in readings):
        return "The nearest rankings"
    return "Two rankings behind the score"


def _strips_caption(readings: Sequence[Reading]) -> str:
    if readings[0].published.mean:
        return (
            "Share of topics with a relevant document at each rank: relevance as early, and as "
            "late, as the mean allows. Drag sideways for more."
        )
    if not any(reading.possible for reading in readings):
        return "The rankings at both ends of the gap; there is none between them."
    return (
        "R_G: relevant as early as possible; R_L: as late as possible. Framed: fixed by the "
        "score alone; dotted: the first open rank. Drag sideways for more."
    )


def _strips(reading: Reading, *, second: bool) -> Strips:
    score, found = reading.published, reading.found
    if score.mean:
        early, late = mean_vectors(score)
        heading = f"{score.name}: {_printed(score)}, a mean"
        rows = (Strip("early", early, second), Strip("late", late, second))
        return Strips(heading, rows)
    if reading.greatest is not None and reading.least is not None:
        fixed, choice_at = _fixed(reading)
        words = f"{score.name}: {_fixed_words(fixed, choice_at)}"
        rows = (
            Strip("R<sub>G</sub>", reading.greatest, second),
            Strip("R<sub>L</sub>", reading.least, second),
        )
        return Strips(words, rows, fixed, choice_at)
    if found.nearest is not None and score.residual == 0.0:
        nearest = [value for value in found.nearest if value is not None]
        return Strips(
            f"{score.name}: no ranking; the nearest scores that exist",
            tuple(
                Strip(f"{value:.4f}", _written(value, score), second) for value in nearest
            ),
        )
    return Strips(f"{score.name}: no ranking has this score and residual", ())


def _written(score: float, like: Published) -> str:
    """Write the one ranking of a score at the end of a gap."""
    found = invert_rbp(score, like.p, tolerance=1e-9, precision=like.precision)
    return found.greatest or ""


def _fixed(reading: Reading) -> tuple[int, int | None]:
    """Return how many first ranks the score decides, and the first that it leaves open."""
    choice_at = reading.found.first_choicepoint
    fixed = (reading.found.depth or 0) if choice_at is None else choice_at - 1
    return fixed, choice_at


def _fixed_words(fixed: int, choice_at: int | None) -> str:
    if choice_at is None:
        return f"all {fixed} ranks are fixed"
    if fixed == 0:
        return "no rank is fixed, rank 1 is open"
    ranks = "rank 1 is" if fixed == 1 else f"ranks 1–{fixed} are"
    return f"{ranks} fixed, rank {choice_at} is open"


def _printed(score: Published) -> str:
    residual = f" + {score.residual:.{score.digits}f}" if score.residual else ""
    return f"{score.score:.{score.digits}f}{residual}"


def _tiles(
    readings: Sequence[Reading],
    told: Sequence[sentences.Told],
    verdict: Verdict | None,
    *,
    exact: bool,
) -> list[tuple[str, str, str, str]]:
    tiles = [_status_tile(readings, verdict)]
    for reading, one in zip(readings, told, strict=True):
        score = reading.published
        value = f"{one.low:.3f} … {one.high:.3f}" if reading.possible else "no ranking"
        kind = "mean" if score.mean else "one topic"
        if not score.mean and score.residual and reading.exact is None:
            kind = "averages"
        tiles.append(
            (
                f"{score.name} at p = {one.at:.4g}",
                value,
                f"{_printed(score)} at p = {score.p:.4g} ({kind})",
                "The least and the greatest score that fit what was published",
            )
        )
    if readings[0].published.mean:
        return tiles
    pairs = [_fixed(reading) for reading in readings if reading.possible]
    depths_words = " · ".join(str(reading.published.depth) for reading in readings)
    sharing = [number_sharing(one.published, exact=exact) for one in readings]
    tiles += [
        (
            "Ranks fixed by the score",
            " · ".join(str(fixed) for fixed, _ in pairs) or "none",
            f"of {depths_words} that count",
            "First ranks that every ranking with this score shares; what comes after the ranks "
            "that count cannot change the printed score",
        ),
        (
            "Rankings sharing it",
            " · ".join(one.words for one in sharing),
            " · ".join(dict.fromkeys(one.origin for one in sharing)),
            "Relevance vectors whose score rounds to the published one, nothing relevant after "
            "the ranks that count",
        ),
    ]
    return tiles


def _status_tile(
    readings: Sequence[Reading], verdict: Verdict | None
) -> tuple[str, str, str, str]:
    wrong = [one.published.name for one in readings if not one.possible]
    help_ = "Whether any ranking can have the score, and which system is better"
    if wrong:
        return "Status", "impossible", f"{' and '.join(wrong)}: no such ranking", help_
    rounded = [
        one.published.name
        for one in readings
        if one.found.status == "ok_within_tolerance" and not one.published.mean
    ]
    status = f"{' and '.join(rounded)}: after rounding" if rounded else ""
    if verdict is None:
        return "Status", "possible", status or _limit_words(readings[0]), help_
    value = f"{verdict.winner} is better" if verdict.winner else "undetermined"
    return "Verdict", value, status or f"both possible; {_where(verdict)}", help_


def _where(verdict: Verdict) -> str:
    if verdict.holds_between is not None and verdict.winner:
        low, high = verdict.holds_between
        return f"p {low:.4g} to {high:.4g}"
    return f"at p = {verdict.at:.4g}"


def _limit_words(reading: Reading) -> str:
    if reading.published.mean:
        return "a mean can be any number"
    return {
        "both_1": "rank 1 is relevant",
        "both_0": "rank 1 is not relevant",
        "diverge": "rank 1 may be either",
    }.get(reading.found.limit or "", "")


def _part(
    values: Mapping[str, Any],
    readings: Sequence[Reading],
    verdict: Verdict | None,
    look: Look,
) -> tuple[str, list[Picture]]:
    if values["part"] == "nine":
        return nine_panels(look)
    if values["part"] == "crossings":
        return crossings(values["r"], values["r2"], look)
    if values["part"] == "depths":
        return depths([reading.published for reading in readings], look)
    if verdict is None:
        return other_places(readings, exact=values["exact"], look=look)
    return verdict_part(readings, verdict, exact=values["exact"], look=look)


def take_away(values: Mapping[str, Any]) -> TakeAway:
    """Write down the present numbers: formula, Python, a row of a table, the source."""
    scores = published(values)
    try:
        told = [_told(score, scores, exact=values["exact"]) for score in scores]
        row = latex_row(
            ("system", "$p$", "RBP", "other $p$", "least", "greatest"),
            tuple(cell for one in told for cell in _cells(one)),
        )
    except core.CoreError as error:
        row = f"% {error}\n"
    return TakeAway(
        formula=_formula(scores[0]),
        python=_python(scores, exact=values["exact"]),
        latex=row,
        citation=citation("zhang_park_moffat_2008", "moffat_zobel_2008"),
    )


def _cells(one: sentences.Told) -> tuple[str, ...]:
    return (
        one.name,
        f"{one.reported.p:.4g}",
        f"{one.reported.score:.{one.digits}f}",
        f"{one.at:.4g}",
        "--" if np.isnan(one.low) else f"{one.low:.4f}",
        "--" if np.isnan(one.high) else f"{one.high:.4f}",
    )


def _formula(score: Published) -> str:
    p, n = score.p, score.depth
    printed = f"{score.score:.{score.digits}f}"
    half = rf"\tfrac12\,10^{{-{score.digits}}}"
    return (
        rf"\begin{{aligned}} &\mathrm{{con}}(i) = (1-p)\,p^{{i-1}},\quad \mathrm{{rem}}(i) = "
        rf"p^{{i}},\quad |R| = \min\{{n : p^n < {half}\}} = {n} \\ "
        rf"&r_i = 0 \text{{ if }} \mathrm{{acc}}(i) + (1-{p:g})\cdot {p:g}^{{i-1}} > {printed} + "
        rf"{half} \\ &r_i = 1 \text{{ if }} \mathrm{{acc}}(i) + {p:g}^{{i}} < {printed} - {half} "
        rf"\\ &\text{{otherwise a choice: }} R_G \text{{ takes 1, }} R_L \text{{ takes 0; for "
        rf"}} p \ge \tfrac12 \text{{ about }} (2p)^n = {2 * p:g}^n \text{{ beginnings fit}} "
        rf"\end{{aligned}}"
    )


def _python(scores: Sequence[Published], *, exact: bool) -> str:
    lines = ["import core", ""]
    for score in scores:
        others = [one.p for one in scores if one is not score]
        at = others[0] if others else score.elsewhere
        kind = "lp" if score.mean or (score.residual and not exact) else "exact"
        unit = f"precision=1e-{score.digits}"
        more = f", residual={score.residual:.10g}" if score.residual else ""
        more += ", mean=True" if score.mean else ""
        lines += [
            f"found = core.invert_rbp({score.score:.10g}, {score.p:g}, {unit})",
            f'print("{score.name}", found.status, found.first_choicepoint, found.nearest)',
            "found = core.rbp_envelope(",
            f'    {score.score:.10g}, {score.p:g}, {at:g}, kind="{kind}", {unit}{more}',
            ")",
            f'print("{score.name} at p = {at:g}:", '
            'f"{found.lower_min:.3f} … {found.upper_max:.3f}")',
        ]
    if len(scores) > 1:
        kind = "" if exact or quick(*scores) else ', kind="lp"'
        lines += [
            *(f"{score.name.lower()} = {_reported(score)}" for score in scores),
            f"verdict = core.compare_rbp(a, b{kind})",
            "print(verdict.winner, verdict.at, verdict.holds_between)",
        ]
    return "\n".join(lines) + "\n"


def _reported(score: Published) -> str:
    mean = ", mean=True" if score.mean else ""
    return (
        f"core.ReportedRBP({score.p:g}, {score.score:.10g}, {score.residual:.10g}, "
        f"tolerance={score.precision / 2.0:g}{mean})"
    )
