"""Pool depth: what every run scores as the pool gets deeper, and how the order changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote, urlencode

import numpy as np

import core
from core.progress import Progress
from dashboard import cache, sentences
from dashboard.figures.pool_depth import (
    TALL,
    Bounds,
    Newcomer,
    Runs,
    Sweep,
    drift_picture,
    newcomers_picture,
    order_picture,
    pair_picture,
    places_picture,
    scatter_picture,
)
from dashboard.figures.theme import Look, Picture
from dashboard.session_data import Source
from dashboard.settings import MAX_LINK_CHARACTERS
from dashboard.state import Field, PageState, choice, flag, number, shorten, whole
from dashboard.takeaway import TakeAway, citation, latex_row, opening_lines
from dashboard.views.pool_tables import P_GRID, PoolTable, contributors, groups, places

DEEPEST: Final = 100_000
P_LIMITS: Final = (0.0, 0.99, 0.01)
METRICS: Final = (
    *("AP", "AP'", "nDCG", "nDCG@10", "P@10", "Rprec", "RR", "Qmeasure", "Bpref"),
)
PARTS: Final = {
    "order": "Order and cost",
    "pair": "Two runs, two depths",
    "newcomer": "Leave one out",
}
LEFT: Final = {"runs": "each run alone", "groups": "each group together"}
BY: Final = ("first metric", "RBP")
_NAME_LENGTH: Final = 200


def _name(name: str) -> Field[str]:
    """Make a field for the name of a run or topic; whether there is one shows with the data."""
    return Field(name, "", lambda text: text[:_NAME_LENGTH])


def _names(name: str) -> Field[tuple[str, ...]]:
    """Make a field for several names."""

    def read(text: str) -> tuple[str, ...]:
        if len(text) > MAX_LINK_CHARACTERS:
            msg = f"it is longer than the limit of {MAX_LINK_CHARACTERS:,} characters"
            raise ValueError(msg)
        return tuple(unquote(part) for part in text.split(",") if part)

    return Field(
        name, (), read, lambda value: ",".join(quote(part, safe="*") for part in value)
    )


FIELDS: Final[tuple[Field[Any], ...]] = (
    whole("d", 10, 1, DEEPEST),
    number("p", 0.8, 0.0, 0.99),
    choice("m", "AP", METRICS),
    _names("out"),
    _name("mark"),
    _name("topic"),
    choice("part", "order", tuple(PARTS)),
    choice("by", BY[0], BY),
    _name("a"),
    _name("b"),
    whole("d1", 10, 1, DEEPEST),
    whole("d2", None, 1, DEEPEST),
    choice("left", "runs", tuple(LEFT)),
    flag("projector"),
)


@dataclass(frozen=True)
class Chosen:
    """The page's fields, made to fit the collection."""

    steps: tuple[int, ...]  # the pool depths there are
    depth: int
    metrics: tuple[str, str]  # the first metric, and RBP with its p
    out: tuple[str, ...]  # runs that give nothing to the pool
    marked: str
    topic: str
    pair: tuple[str, str]
    pair_depths: tuple[int, int]
    notes: list[str] = field(default_factory=list)

    @property
    def full(self) -> int:
        """The pool depth that has all judgments."""
        return self.steps[-1]

    @property
    def at(self) -> int:
        """Where among the steps the depth is."""
        return self.steps.index(self.depth)


Select: TypeAlias = tuple[str, str, dict[str, str], str]  # field, label, choices, value


@dataclass(frozen=True)
class View:
    """What the page shows."""

    chosen: Chosen
    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    marking: list[Select]  # the marked run and the topic of its list
    pairing: list[Select]  # the two runs of a pair
    link: str  # to the marked run's list in One ranking; empty where there is none
    part_sentence: str
    part: list[Picture]


def out_choices(collection: core.Collection) -> dict[str, str]:
    """List what can be left out of the pool: groups of several runs, then single runs."""
    together = {
        f"{name}*": f"all {name} ({len(runs)} runs)"
        for name, runs in groups(collection.run_ids).items()
        if 1 < len(runs) < len(collection.run_ids)
    }
    return {**together, **{run: run for run in collection.run_ids}}


def choose(values: Mapping[str, Any], collection: core.Collection) -> Chosen:
    """Fit the fields to the collection; what it does not have is left out and noted."""
    notes: list[str] = []
    steps = cache.pool_steps(collection)

    def known(name: str, names: tuple[str, ...], otherwise: str) -> str:
        value: str = values[name]
        if value and value not in names:
            notes.append(f"There is no {value} in this collection.")
        return value if value in names else otherwise

    depth = _nearest(steps, values["d"])
    if values["d"] > max(steps[-1], 10):
        notes.append(f"No pool here is deeper than {steps[-1]}; it has all judgments.")
    metrics = (values["m"], f"RBP(p={values['p']:g})")
    runs, topics = collection.run_ids, collection.topic_ids
    best, other = _default_pair(collection, metrics[1], values)
    return Chosen(
        steps=steps,
        depth=depth,
        metrics=metrics,
        out=_left_out(values["out"], collection, notes),
        marked=known("mark", runs, ""),
        topic=known("topic", topics, topics[0]),
        pair=(known("a", runs, best), known("b", runs, other)),
        pair_depths=(
            _nearest(steps, values["d1"] or steps[-1]),
            _nearest(steps, values["d2"] or steps[-1]),
        ),
        notes=notes,
    )


def _nearest(steps: tuple[int, ...], depth: int) -> int:
    return steps[int(np.abs(np.array(steps) - depth).argmin())]


def _default_pair(
    collection: core.Collection, metric: str, values: Mapping[str, Any]
) -> tuple[str, str]:
    """Take the best run and one further down, where two runs are asked for."""
    if values["part"] != "pair":
        return collection.run_ids[0], collection.run_ids[-1]
    order = np.argsort(-cache.pool_table(collection, metric).full, kind="stable")
    return collection.run_ids[order[0]], collection.run_ids[order[len(order) // 4]]


def _left_out(
    wanted: tuple[str, ...], collection: core.Collection, notes: list[str]
) -> tuple[str, ...]:
    """Turn runs and groups into runs; somebody must be left to give documents."""
    teams = groups(collection.run_ids)
    out: set[str] = set()
    for name in wanted:
        if name in collection.run_ids:
            out.add(name)
        elif name.endswith("*") and name[:-1] in teams:
            out.update(teams[name[:-1]])
        else:
            notes.append(f"There is no {name[:_NAME_LENGTH]} to leave out of the pool.")
    if len(out) == len(collection.run_ids):
        notes.append("Nobody would give documents to the pool, so all runs do.")
        return ()
    return tuple(run for run in collection.run_ids if run in out)


def view(
    values: Mapping[str, Any],
    collection: core.Collection,
    look: Look,
    progress: Progress | None = None,
) -> View:
    """Compute everything the page shows; a change of the depth only picks other rows."""
    chosen = choose(values, collection)
    tables = [
        cache.pool_table(collection, metric, chosen.out, progress)
        for metric in chosen.metrics
    ]
    first, rbp = (_sweep(table, chosen.at) for table in tables)
    runs = Runs(collection.run_ids, chosen.marked, frozenset(chosen.out))
    share = int(first.judged[first.at]) / max(collection.num_judged, 1)
    part_sentence, part = _part(values, collection, look, chosen, (first, rbp), progress)
    return View(
        chosen=chosen,
        sentence=sentences.pool_depth(
            depth=chosen.depth,
            full=chosen.full,
            pooled=sentences.count(len(collection.run_ids), "run"),
            judged=share,
            told=[
                (one.metric, _too_high(one), float(one.tau[one.at])) for one in (first, rbp)
            ],
        ),
        tiles=_tiles(collection, chosen, tables),
        pictures=[
            drift_picture(first, runs, look=look),
            scatter_picture(first, runs, look=look),
            scatter_picture(rbp, runs, look=look),
        ],
        marking=_marking(collection, chosen),
        pairing=_pairing(collection, chosen),
        link=list_link(values, collection, chosen.marked) if chosen.marked else "",
        part_sentence=part_sentence,
        part=part,
    )


def list_link(values: Mapping[str, Any], collection: core.Collection, run: str) -> str:
    """Write the address of One ranking with the list of a run as this pool judges it.

    Empty where there is nothing to open: no such run, no list for the topic, or grades that have
    no character of their own.
    """
    chosen = choose(values, collection)
    pooled = collection.at_pool_depth(chosen.depth, contributors(collection, chosen.out))
    try:
        judged = pooled.ranking(run, chosen.topic)
        text = core.format_relevance(judged)
    except core.CoreError:
        return ""
    smallest = int(judged.values[judged.min_code])
    query = {
        "r": shorten(text),
        "R": int(judged.num_rel),
        "N": int(judged.num_nonrel),
        "top": int(judged.top_grade) if judged.top_grade > 1 else "",
        "min": smallest if smallest > 1 else "",
        "p": f"{values['p']:g}" if values["p"] != 0.8 else "",
    }
    return "./?" + urlencode({name: value for name, value in query.items() if value != ""})


def picked(state: PageState, collection: core.Collection, key: str) -> str:
    """Mark the run of a clicked point; return the address of its list.

    The name of the run comes as a picture may show it.
    """
    runs = Runs(collection.run_ids)
    run = dict(zip(runs.keys, runs.names, strict=True)).get(key, "")
    if not run:
        return ""
    state.edit("mark", run)
    return list_link(state.values, collection, run)


def _marking(collection: core.Collection, chosen: Chosen) -> list[Select]:
    runs = {"": "none", **{run: run for run in collection.run_ids}}
    topics = {topic: topic for topic in collection.topic_ids}
    return [
        ("mark", "Marked run", runs, chosen.marked),
        ("topic", "Topic of its list", topics, chosen.topic),
    ]


def _pairing(collection: core.Collection, chosen: Chosen) -> list[Select]:
    runs = {run: run for run in collection.run_ids}
    return [("a", "Run A", runs, chosen.pair[0]), ("b", "Run B", runs, chosen.pair[1])]


def _sweep(table: PoolTable, at: int) -> Sweep:
    return Sweep(
        metric=table.metric,
        depths=table.depths,
        value=table.value,
        upper=table.upper,
        full=table.full,
        full_upper=table.full_upper,
        tau=table.tau,
        judged=table.judged,
        at=at,
    )


def _too_high(sweep: Sweep) -> int:
    return int((sweep.value[sweep.at] > sweep.full + 1e-9).sum())


def _tiles(
    collection: core.Collection, chosen: Chosen, tables: list[PoolTable]
) -> list[tuple[str, str, str, str]]:
    at = chosen.at
    first, rbp = tables
    runs = len(collection.run_ids)
    tiles = [
        (
            f"tau of {table.metric}",
            _known(float(table.tau[at])),
            _swapped(table, at),
            "Kendall's tau between the order at this depth and the order by all judgments",
        )
        for table in tables
    ]
    change = first.value[at] - first.full
    residual = rbp.upper[at] - rbp.value[at]
    judged, everything = int(first.judged[at]), collection.num_judged
    topics = int(first.topics[at])
    return [
        *tiles,
        (
            f"{first.metric} is too high for",
            f"{int((change > 1e-9).sum())} of {runs}",
            f"by {np.nanmean(change):+.4f} on average, over {topics} topics"
            if np.isfinite(change).any()
            else "undefined at this depth",
            "Runs that score higher at this depth than with all judgments; a topic without a "
            "relevant document in the pool is left out",
        ),
        (
            "RBP's residual",
            f"{np.nanmean(residual):.4f}",
            f"from {np.nanmin(residual):.4f} to {np.nanmax(residual):.4f}",
            "What unjudged and unseen documents could still add, as a mean over the runs",
        ),
        (
            "Judgments",
            f"{judged:,}",
            f"{100 * judged / max(everything, 1):.0f} % of {everything:,}; "
            f"{judged / len(collection.topic_ids):.0f} a topic",
            "What a pool of this depth costs: documents to be judged, over all topics",
        ),
    ]


def _swapped(table: PoolTable, at: int) -> str:
    """Count the pairs of runs that stand in the other order."""
    now, full = (np.sign(row[:, None] - row) for row in (table.value[at], table.full))
    pairs = len(table.full) * (len(table.full) - 1) // 2
    return f"{int((now * full < 0).sum()) // 2} of {pairs} pairs swapped"


def _known(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.4f}"


def _part(
    values: Mapping[str, Any],
    collection: core.Collection,
    look: Look,
    chosen: Chosen,
    sweeps: tuple[Sweep, Sweep],
    progress: Progress | None,
) -> tuple[str, list[Picture]]:
    """Show the chosen one of the further pictures; the others are not computed."""
    if values["part"] == "pair":
        return _pair(values["p"], collection, look, chosen)
    runs = Runs(collection.run_ids, chosen.marked, frozenset(chosen.out))
    if values["part"] == "newcomer":
        return _newcomers(values["left"], collection, look, chosen, progress)
    ordered = sweeps[BY.index(values["by"])]
    placed = places(np.concatenate([ordered.value[:-1], ordered.full[None]]))
    return "", [
        drift_picture(sweeps[1], runs, look=look, height=TALL),
        order_picture(sweeps, look=look),
        places_picture(ordered.metric, ordered.depths, placed, runs, ordered.at, look=look),
    ]


def _pair(
    p: float, collection: core.Collection, look: Look, chosen: Chosen
) -> tuple[str, list[Picture]]:
    curves = []
    at = int(np.abs(P_GRID - p).argmin())
    told: list[list[float]] = []
    for depth in chosen.pair_depths:
        told.append([depth])
        for run in chosen.pair:
            lower, upper = cache.bounds_by_p(collection, run, depth, chosen.out)
            curves.append(Bounds(run, depth, lower, upper))
            told[-1] += [float(lower[at]), float(upper[at])]
    words = sentences.two_bounds(
        names=chosen.pair, p=float(P_GRID[at]), shallow=told[0], deep=told[1]
    )
    return words, [pair_picture(P_GRID, curves, p=p, look=look)]


def _newcomers(
    left: str,
    collection: core.Collection,
    look: Look,
    chosen: Chosen,
    progress: Progress | None,
) -> tuple[str, list[Picture]]:
    pictures, words = [], ""
    report = progress and (
        lambda share, _: progress(share, "Leaving out one after the other")
    )
    for metric in chosen.metrics:
        table = cache.newcomers(
            collection,
            metric,
            together=left == "groups",
            out=chosen.out,
            progress=report,
        )
        rows = [
            Newcomer(run, full, value, upper)
            for run, full, value, upper in zip(
                *(table[part].tolist() for part in ("run", "full", "value", "upper")),
                strict=True,
            )
        ]
        second = metric == chosen.metrics[1]
        pictures.append(
            newcomers_picture(metric, rows, chosen.marked, look=look, second=second)
        )
        if not second:
            words = sentences.newcomer(
                how="one by one" if left == "runs" else "group by group",
                metric=metric,
                rows=[(row.run, row.full, row.value) for row in rows],
            )
    return words, pictures


def take_away(values: Mapping[str, Any], source: Source) -> TakeAway:
    """Write down the present numbers: formula, Python, a row of a table, the source."""
    collection = source.collection
    chosen = choose(values, collection)
    tables = [cache.pool_table(collection, one, chosen.out) for one in chosen.metrics]
    first, rbp = tables
    at = chosen.at
    taus = [_known(float(table.tau[at])) for table in tables]
    means = [float(np.nanmean(row)) for row in (first.value[at], first.full)]
    names = [f"\\text{{{metric}}}" for metric in chosen.metrics]
    return TakeAway(
        formula=(
            rf"\tau({names[0]}_{{{chosen.depth}}}, {names[0]}_{{{chosen.full}}}) = {taus[0]}, "
            rf"\quad \tau({names[1]}_{{{chosen.depth}}}, {names[1]}_{{{chosen.full}}}) = "
            rf"{taus[1]}, \qquad \overline{{{names[0]}}}_{{{chosen.depth}}} - "
            rf"\overline{{{names[0]}}}_{{{chosen.full}}} = {means[0]:.4f} - {means[1]:.4f} = "
            rf"{means[0] - means[1]:+.4f}"
        ),
        python=_snippet(chosen, source),
        latex=latex_row(
            (
                *("pool depth", "judgments", f"tau {first.metric}", f"tau {rbp.metric}"),
                *(f"{first.metric} too high", "runs"),
            ),
            (
                str(chosen.depth),
                f"{int(first.judged[at]):,}".replace(",", r"\,"),
                *taus,
                str(_too_high(_sweep(first, at))),
                str(len(collection.run_ids)),
            ),
        ),
        citation=citation("moffat_zobel_2008"),
    )


def _snippet(chosen: Chosen, source: Source) -> str:
    """Write Python that prints tau, the runs scored too high, and the cost."""
    pool = f"[{chosen.depth}]"
    extra = []
    if chosen.out:
        extra = [f"left_out = {set(chosen.out)!r}".replace("'", '"')]
        extra += ["pooled = [run for run in collection.run_ids if run not in left_out]"]
        pool += ", pooled"
    lines = [
        *opening_lines(source),
        *extra,
        f"for metric in {list(chosen.metrics)!r}:".replace("'", '"')
        if "'" not in "".join(chosen.metrics)
        else f"for metric in {list(chosen.metrics)!r}:",
        f"    now = core.pool_sweep(collection, metric, {pool})",
        f"    full = core.pool_sweep(collection, metric, [{chosen.full}])",
        "    tau = core.kendall_tau(now.value, full.value)",
        "    too_high = (now.value > full.value + 1e-9).sum()",
        '    print(f"{metric}: tau {tau:.4f}, too high for {too_high} of {len(now)} runs")',
        'print(f"{now.judged[0]:,} of {collection.num_judged:,} judgments")',
    ]
    return "\n".join(lines) + "\n"
