"""Every page starts, and one interaction on it shows a number that core computes."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import core

DASHBOARD = Path(__file__).parents[2] / "dashboard"
PAGES = sorted(path.name for path in (DASHBOARD / "app_pages").glob("[!_]*.py"))


def started(page: str | None = None, **query: str) -> AppTest:
    app = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    return app if page is None else app.switch_page(f"app_pages/{page}").run()


def boards(app: AppTest) -> list[dict[str, Any]]:
    """Return what the page's boards were given to draw."""
    found = [json.loads(item.proto.json) for item in app.get("bidi_component")]
    return [data for data in found if "figures" in data]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_starts_without_an_exception(page: str) -> None:
    app = started(page)
    assert not app.exception
    assert boards(app)


def test_setting_r_shows_the_ap_that_core_computes() -> None:
    app = started()
    app.number_input(key="one_ranking.R").set_value(7).run()
    expected = core.score("AP", "$$---$----$-----$---", num_rel=7).value
    tiles = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert tiles["AP"] == f"{expected:.4f}" == "0.4511"  # Moffat & Zobel 2008, section 3.1


def test_the_link_brings_back_ranking_and_p() -> None:
    app = started(r="$-?$", p="0.95")
    score = core.score("RBP(p=0.95)", "$-?$")
    assert boards(app)[0]["tiles"][0]["value"] == f"{score.lower:.4f} … {score.upper:.4f}"


def test_a_bad_value_in_the_link_falls_back_with_a_note() -> None:
    app = started(p="9", r="$-!", R="x", m1="nonsense")
    assert not app.exception
    notes = " ".join(warning.value for warning in app.warning)
    assert all(f"The link's {name} was not used" in notes for name in ("p", "r", "R", "m1"))
    assert boards(app)[0]["tiles"][0]["label"] == "RBP at p = 0.8"
