"""Hostile addresses by the thousand: the default or a message, and numbers that are numbers."""

import itertools
import random
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import core
from dashboard.figures.theme import Look, Picture
from dashboard.markdown import plain
from dashboard.session_data import Source
from dashboard.state import MAX_RANKING_CHARACTERS, PageState, expand, read_query
from dashboard.views.agreement_takeaway import take_away as agreement_takeaway
from tests.hostile.links import PAGES, Link, fields_of, kept, mixed, one_at_a_time

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
NO_NUMBER = re.compile(r"(?<![\w'])(nan|inf|None|NaN|Infinity)(?![\w'])")
LONGEST = 20.0  # seconds for one address, on a machine that does other things too


@cache
def small_collection() -> core.Collection:
    """Make three short runs on four topics: the experiments are then over in no time."""
    rng = random.Random(5)
    runs = {
        name: "".join(
            f"{topic} Q0 d{document} 1 {rng.random():.6f} {name}\n"
            for topic in range(1, 5)
            for document in rng.sample(range(30), 12)
        ).encode()
        for name in ("ash1", "ash2", "beech1")
    }
    judged = "".join(
        f"{topic} 0 d{document} {rng.choice((0, 0, 1, 2))}\n"
        for topic in range(1, 5)
        for document in rng.sample(range(30), 15)
    )
    return core.Collection.from_files(runs, judged.encode())


def drawing(page: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what draws a page from its values, and what takes its numbers away."""
    views = import_module(f"dashboard.views.{page}")
    collection = small_collection()
    source = Source("small", collection, is_sample=False)
    view, take_away = views.view, getattr(views, "take_away", agreement_takeaway)
    if page in {"agreement", "fewer_judgments"}:
        return partial(view, look=Look(), source=source), partial(take_away, source=source)
    if page == "pool_depth":
        shown = partial(view, collection=collection, look=Look(), progress=None)
        return shown, partial(take_away, source=source)
    if page == "scores":
        scorer = collection.scores
        shown = partial(view, collection=collection, scorer=scorer, look=Look())
        return shown, partial(take_away, source=source, scorer=scorer)
    return partial(view, look=Look()), take_away


def texts(shown: object) -> Iterable[str]:
    """Find all words of a view, and make its pictures as the page would."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, Picture):
        yield from (shown.title, shown.caption, shown.alt)
        shown.figure.to_json()
    elif isinstance(shown, list | tuple):
        yield from itertools.chain.from_iterable(map(texts, shown))
    elif is_dataclass(shown) and not isinstance(shown, core.Collection):
        for item in dataclass_fields(shown):
            yield from texts(getattr(shown, item.name))


@cache
def drawn(page: str, query: tuple[tuple[str, str], ...]) -> None:
    """Draw a page and take its numbers away; what fails is a message, or a fault of ours."""
    fields = fields_of(page)
    values, notes = read_query(fields, dict(query))
    assert not notes, "what a page writes into its address can be read"
    view, take_away = drawing(page)
    start = time.perf_counter()
    state = PageState(page, fields, values)
    shown = state.good(view)
    given = " ".join(text for _, text in query)  # a note may quote it
    for text in texts(shown.view):
        assert all(found[1] in given for found in NO_NUMBER.finditer(text)), text
    if not shown.problem:
        formula = take_away(values).formula
        assert not re.search(r"(?<!\\)\b(nan|None)\b", formula), formula
    assert time.perf_counter() - start < LONGEST


def check(link: Link) -> None:
    """Read an address as a page does; every field is its default, with a note, or accepted."""
    fields = fields_of(link.page)
    values, notes = read_query(fields, link.query)
    assert set(values) == {item.name for item in fields}
    for item in fields:
        text = link.query.get(item.name)
        noted = any(note.startswith(f"The link's {item.name} was") for note in notes)
        if text is None or noted:
            assert values[item.name] == item.default
    assert all(len(note) < 300 for note in notes)
    drawn(link.page, tuple(sorted(kept(values, fields).items())))


def check_all(links: Iterable[Link]) -> int:
    number = 0
    for number, link in enumerate(links, start=1):  # noqa: B007 - counted
        try:
            check(link)
        except Exception as error:
            error.add_note(f"{link.page}: {str(link.query)[:2_000]}")
            raise
    return number


def some(links: Iterable[Link], step: int) -> Iterable[Link]:
    return itertools.islice(links, step // 2, None, step)


def test_some_hostile_addresses_give_the_default_or_a_message() -> None:
    assert check_all(some(one_at_a_time(), 110)) >= 100
    assert check_all(mixed(45, seed=1)) == 45


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_every_field_stands_every_hostile_value() -> None:
    assert check_all(one_at_a_time()) >= 5_000


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_five_thousand_mixed_addresses_give_the_default_or_a_message() -> None:
    assert check_all(mixed(5_000, seed=2008)) == 5_000


def opened(link: Link) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in link.query.items():
        app.query_params[name] = ["other", value] if len(value) % 3 == 0 else value
    app.run()
    return app.switch_page(f"app_pages/{link.page}.py").run()


def check_page(link: Link) -> None:
    """Open an address with Streamlit; pages with long work only by their first experiment."""
    app = opened(link)
    assert not app.exception, (link, [item.value for item in app.exception])
    assert app.get("bidi_component"), link
    _, notes = read_query(fields_of(link.page), link.query)
    warned = [item.value for item in app.warning]
    assert all(plain(note) in warned for note in notes), (link, warned)


def light(links: Iterable[Link]) -> Iterable[Link]:
    """Leave out what takes long on the sample: it is drawn on a small collection above."""
    for link in links:
        heavy = {"x", "B", "n", "shares", "ranges", "exact", "users", "D"}
        yield Link(link.page, {k: v for k, v in link.query.items() if k not in heavy})


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opened_by_a_hostile_address_shows_no_exception(page: str) -> None:
    for link in light(mixed(27, seed=3)):
        if link.page == page:
            check_page(link)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_many_pages_opened_by_hostile_addresses_show_no_exception() -> None:
    for link in light(mixed(450, seed=4)):
        check_page(link)


@pytest.mark.parametrize(
    "text",
    ["~0000000999999999*$", "~999999999*$", "~20001*-", "~10001*$10001*-", "~٣*$", "~-1*$"],
)
def test_a_run_length_code_cannot_fill_the_memory(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"longer than the limit of 20,000|run-length code"
    ):
        expand(text)


def test_a_text_above_the_limit_is_not_cut_but_refused() -> None:
    fields = fields_of("one_ranking")
    values, notes = read_query(fields, {"r": "$" * (MAX_RANKING_CHARACTERS + 1)})
    assert values["r"] == fields[0].default
    assert "longer than the limit of 20,000 characters" in notes[0]
