"""Every figure the papers print, against the library and against the slow reference.

The figures stand in `tests/golden/metrics.toml` with their sources; the tolerance is half a
unit of the last digit printed.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import core
from tests.reference import metric_reference as slow

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "metrics.toml").read_text(encoding="utf-8")
)
TOPIC_KEYS = ("topic", "num_rel", "num_nonrel", "top_grade", "min_rel")
ROUNDING = 1e-9  # a printed figure may lie exactly half a unit away


def spell_out(text: str) -> str:
    """Replace ``A*137`` by 137 times A."""
    return re.sub(r"(\S)\*(\d+)", lambda found: found[1] * int(found[2]), text)


def named(entries: list[dict[str, Any]]) -> list[Any]:
    return [
        pytest.param(entry, id=f"{entry.get('metric', 'p')} {entry['source']}")
        for entry in entries
    ]


def topic_of(entry: dict[str, Any]) -> dict[str, Any]:
    known = {key: entry[key] for key in TOPIC_KEYS if key in entry}
    if "topic" in known:
        known["topic"] = spell_out(known["topic"])
    return known


def pick(entry: dict[str, Any], value: float, lower: float, upper: float) -> float:
    found = {"value": value, "lower": lower, "upper": upper, "residual": upper - lower}
    return found[entry.get("what", "value")]


def is_as_printed(entry: dict[str, Any], found: float) -> bool:
    near = abs(found - entry["expected"]) <= entry["tolerance"] + ROUNDING
    return near and found < entry.get("below", float("inf"))


@pytest.mark.parametrize("entry", named(GOLDEN["score"]))
def test_the_library_gives_the_printed_score(entry: dict[str, Any]) -> None:
    score = core.score(entry["metric"], spell_out(entry["ranking"]), **topic_of(entry))
    found = pick(entry, score.value, score.lower, score.upper)
    assert is_as_printed(entry, found), (found, entry["expected"])
    width = score.upper - score.lower
    assert score.residual == pytest.approx(width, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("entry", named(GOLDEN["score"]))
def test_the_reference_gives_the_printed_score(entry: dict[str, Any]) -> None:
    ranking = spell_out(entry["ranking"])
    found = pick(entry, *slow.score(entry["metric"], ranking, **topic_of(entry)))
    assert is_as_printed(entry, found), (found, entry["expected"])


@pytest.mark.parametrize("entry", named(GOLDEN["contribution"]))
@pytest.mark.parametrize("side", ["library", "reference"])
def test_each_rank_adds_what_the_table_says(entry: dict[str, Any], side: str) -> None:
    ranking = spell_out(entry["ranking"])
    if side == "library":
        parts = [float(part) for part in core.contributions(entry["metric"], ranking)]
    else:
        parts = slow.parts_of(entry["metric"], slow.look(ranking))
    assert len(parts) == len(ranking)
    scale = 100.0 / sum(parts) if entry.get("percent") else entry.get("times", 1.0)
    scaled = [part * scale for part in parts]
    found = [scaled[rank - 1] for rank in entry["ranks"]]
    assert found == pytest.approx(entry["expected"], abs=entry["tolerance"] + ROUNDING)
    others = set(range(1, len(ranking) + 1)) - set(entry["ranks"])
    assert not any(parts[rank - 1] for rank in others)
    if "total" in entry:
        assert sum(scaled) == pytest.approx(entry["total"], abs=entry["tolerance"])


def test_the_rounded_shares_of_average_precision_add_up_to_101() -> None:
    # MZ Table I, last row: 58 + 26 + 10 + 5 + 2
    parts = core.contributions("AP", "$$---$----$-----$---")
    shares = [round(100 * float(part / parts.sum())) for part in parts if part > 0]
    assert shares == [58, 26, 10, 5, 2]
    assert sum(shares) == 101


@pytest.mark.parametrize("entry", named(GOLDEN["depth"]))
def test_four_digits_need_the_printed_depth(entry: dict[str, Any]) -> None:
    depth = core.depth_for(entry["p"], entry["precision"])
    assert depth == entry["expected"]
    assert entry["p"] ** depth < entry["precision"] <= entry["p"] ** (depth - 1)


@pytest.mark.parametrize("entry", named(GOLDEN["reach"]))
def test_users_reach_the_next_page_as_often_as_printed(entry: dict[str, Any]) -> None:
    weights = core.weight(f"RBP(p={entry['p']})", "-" * entry["rank"])
    found = float(weights[entry["rank"] - 1] / weights[0])
    assert is_as_printed(entry, found), (found, entry["expected"])
