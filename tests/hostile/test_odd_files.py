"""Files that are odd and yet right: accepted, and every page shows them without a fault."""

import itertools
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session_data import Source
from dashboard.uploads import File, Holdings, add

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
PAGES = ("scores", "pool_depth", "fewer_judgments", "agreement")
RUN = "".join(f"{t} Q0 d{n} {n} {50 - n} x\n" for t in (1, 2, 3) for n in range(20))
OTHER = "".join(
    f"{t} Q0 d{n * 7 % 23} {n} {50 - n} y\n" for t in (1, 2, 3) for n in range(20)
)
QRELS = "".join(f"{t} 0 d{n} {n * t % 3 % 2}\n" for t in (1, 2, 3) for n in range(15))
TAGS = "<img/src=x/onerror=alert(1)>$x^2$[a](b):red[c]`d`"

# title -> runs by file name, and judgments
ODD: dict[str, tuple[dict[str, str], str]] = {
    "one run": ({"a": RUN}, QRELS),
    "one run, one topic, one document": ({"a": "1 Q0 d 1 1 x\n"}, "1 0 d 1\n"),
    "nothing relevant": ({"a": RUN, "b": OTHER}, re.sub(r"1\n", "0\n", QRELS)),
    "everything unjudged": ({"a": RUN, "b": OTHER}, "1 0 z 1\n2 0 z 1\n3 0 z 1\n"),
    "every grade negative but one": ({"a": RUN, "b": OTHER}, "1 0 d1 1\n2 0 d2 -2\n"),
    "grade 1e308": ({"a": RUN, "b": OTHER}, QRELS + "1 0 z 1e308\n"),
    "grade 100": ({"a": RUN, "b": OTHER}, QRELS + "1 0 d19 100\n"),
    "tiny gains": ({"a": RUN, "b": OTHER}, "1 0 d1 1e-300\n2 0 d2 5e-324\n3 0 d3 0\n"),
    "all scores equal": ({"a": re.sub(r" \d+ x", " 7 x", RUN), "b": OTHER}, QRELS),
    "scores beyond float32": ({"a": RUN.replace(" x", "e300 x"), "b": OTHER}, QRELS),
    "the same run twice": ({"a": RUN, "b": RUN}, QRELS),
    "runs with nothing in common": ({"a": RUN, "b": OTHER.replace(" d", " e")}, QRELS),
    "a run on one topic of three": ({"a": RUN, "b": OTHER[: OTHER.index("2 Q0")]}, QRELS),
    "tags in every id": (
        {f"{TAGS}.run": RUN.replace(" d", f" {TAGS}"), "b": OTHER},
        QRELS.replace(" d", f" {TAGS}"),
    ),
    "tags in topics": (
        {"a": RUN.replace(" Q0", f"{TAGS} Q0"), "b": OTHER.replace(" Q0", f"{TAGS} Q0")},
        QRELS.replace(" 0 d", f"{TAGS} 0 d"),
    ),
    "right-to-left and zero-width ids": (
        {"a\u202eb.run": RUN.replace(" d", " \u202e\u200b\ufeff"), "b": OTHER},
        QRELS.replace(" d", " \u202e\u200b\ufeff"),
    ),
    "names like nan and None": ({"nan.run": RUN, "None.run": OTHER}, QRELS),
    "names like groups": ({"*.run": RUN, "a*": OTHER, ",": OTHER}, QRELS),
    "twenty runs": ({f"r{n}": OTHER.replace("50", str(n)) for n in range(20)}, QRELS),
}


def held(title: str) -> Holdings:
    runs, judgments = ODD[title]
    files = [File(name, text.encode()) for name, text in runs.items()]
    found = add(Holdings(), [*files, File("q.txt", judgments.encode())])
    assert not found.refused, found.refused
    assert found.collection is not None
    return found


def show(title: str, page: str) -> None:
    holdings = held(title)
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.run()
    app.session_state["collection.holdings"] = holdings
    app.session_state["collection.upload"] = Source(
        "your upload", holdings.collection, is_sample=False
    )
    app.session_state["collection.use_upload"] = True
    app.query_params["B"] = "50"
    app.switch_page(f"app_pages/{page}.py").run()
    assert not app.exception, [item.value for item in app.exception]
    assert "your upload" in app.text[0].value
    assert app.get("bidi_component") or app.error
    for item in (*app.markdown, *app.error, *app.warning, *app.info, *app.caption):
        assert "<img" not in re.sub(r"\\.", "", item.value), item.value


@pytest.mark.parametrize(
    ("title", "page"), list(zip(ODD, itertools.cycle(PAGES), strict=False))
)
def test_an_odd_collection_is_shown_on_a_page(title: str, page: str) -> None:
    show(title, page)


@pytest.mark.slow
@pytest.mark.parametrize("title", ODD)
def test_an_odd_collection_is_shown_on_every_page(title: str) -> None:
    for page in PAGES:
        show(title, page)


def test_where_nothing_relevant_is_retrieved_pages_still_have_numbers() -> None:
    for page in ("scores", "agreement"):
        show("everything unjudged", page)
