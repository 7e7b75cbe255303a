"""Every page starts, and one interaction on it shows a number that core computes."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import core

DASHBOARD = Path(__file__).parents[2] / "dashboard"
PAGES = sorted(path.name for path in (DASHBOARD / "app_pages").glob("[!_]*.py"))


def started() -> AppTest:
    return AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60).run()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_starts_without_an_exception(page: str) -> None:
    app = started().switch_page(f"app_pages/{page}").run()
    assert not app.exception
    assert app.title or app.header


def test_moving_p_shows_the_rbp_that_core_computes() -> None:
    app = started()
    app.slider(key="one_ranking.p").set_value(0.95).run()
    shown = [metric.value for metric in app.metric]
    assert core.format_score(core.score("RBP(p=0.95)", "$$---$----$-----$---")) in shown


def test_a_wrong_character_is_named_and_the_last_good_ranking_stays() -> None:
    app = started()
    app.text_input(key="one_ranking.text").set_value("$-?").run()
    good = [metric.value for metric in app.metric]
    app.text_input(key="one_ranking.text").set_value("$-?!").run()
    assert not app.exception
    assert "rank 4: '!' is not a judgment" in app.error[0].value
    assert [metric.value for metric in app.metric] == good
