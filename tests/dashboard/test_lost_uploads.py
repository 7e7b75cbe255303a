"""An address made with an upload, opened where the upload is not: what is said, what is kept."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.test_pages import DASHBOARD, boards

SAID = "This address was made with uploaded files"
# settings that named things of the upload; none of them is in the sample
LOST: dict[str, dict[str, str]] = {
    "scores": {"a": "mine", "b": "yours*", "t": "q-77", "by": "AP@3", "p": "0.6"},
    "pool_depth": {
        "mark": "mine",
        "topic": "q-77",
        "a": "mine",
        "b": "<b>",
        "part": "pair",
        "out": "team*,mine",
        "d": "90000",
        "d1": "70000",
        "d2": "80000",
    },
    "fewer_judgments": {"m": "AP;nDCG", "n": "3"},
    "agreement": {"m": "AP;RR", "d": "3,4000"},
}


def opened(page: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60)
    app.switch_page(f"app_pages/{page}.py")
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def said(app: AppTest) -> list[str]:
    return [item.value for item in app.info if SAID in item.value]


def address(app: AppTest) -> str:
    found: list[dict[str, Any]] = [
        json.loads(item.proto.json) for item in app.get("bidi_component")
    ]
    return next(data["query"] for data in found if "query" in data)


@pytest.mark.parametrize("page", LOST)
def test_a_page_says_what_is_missing_and_keeps_its_settings(page: str) -> None:
    app = opened(page, upload="1", **LOST[page])
    assert not app.exception
    assert not app.error
    assert len(said(app)) == 1
    assert boards(app)
    kept = address(opened(page, **LOST[page]))
    assert kept
    assert address(app) == f"{kept}&upload=1"  # a second reload must say it again
    app.button(key=f"{page}.forget_lost").click().run()
    assert not said(app)
    assert address(app) == kept


def test_names_that_are_gone_are_told_once_and_as_text() -> None:
    app = opened("pool_depth", upload="1", **LOST["pool_depth"])
    assert len(app.warning) == 1
    assert app.warning[0].value.count("There is no mine in this collection.") == 1
    assert r"There is no \<b\>" in app.warning[0].value
    app = opened("scores", upload="1", **LOST["scores"])
    texts = " ".join(text.value for text in app.text)
    assert "Run yours* is not in this collection" in texts


def test_a_new_upload_ends_the_message_and_gives_the_same_figures() -> None:
    app = opened("scores")
    assert not said(app)
    upload(app)
    app.selectbox(key="scores.a").set_value("yours").run()
    made, tiles = address(app), boards(app)[0]["tiles"]
    assert made == "a=yours&upload=1"
    again = opened("scores", a="yours", upload="1")
    assert boards(again)[0]["tiles"] != tiles
    upload(again)
    assert not said(again)
    assert boards(again)[0]["tiles"] == tiles
    assert address(again) == made


def test_the_message_follows_to_the_other_pages_that_use_collections() -> None:
    app = opened("agreement", upload="1")
    app.switch_page("app_pages/scores.py").run()
    assert len(said(app)) == 1
    app.button(key="scores.forget_lost").click().run()
    app.switch_page("app_pages/agreement.py").run()
    assert not said(app)


def test_back_at_the_sample_the_address_speaks_of_no_upload() -> None:
    app = opened("scores")
    upload(app)
    assert address(app) == "upload=1"
    app.button(key="scores.to_sample").click().run()
    assert address(app) == ""


@pytest.mark.parametrize("value", ["0", "", "yes", "<b>1</b>"])
def test_any_other_value_says_nothing(value: str) -> None:
    app = opened("scores", upload=value)
    assert not app.exception
    assert not said(app)
    assert address(app) == ""


def upload(app: AppTest) -> None:
    ranked = [
        b"".join(
            b"1 Q0 d%d %d %d x\n" % (rank * step % 7, rank, 9 - rank) for rank in range(6)
        )
        for step in (1, 3)
    ]
    app.file_uploader[0].set_value(
        [
            ("mine.run", ranked[0], "text/plain"),
            ("yours.run", ranked[1], "text/plain"),
            ("q.txt", b"1 0 d1 1\n1 0 d3 0\n1 0 d5 1\n", "text/plain"),
        ]
    ).run()
    assert not app.exception
