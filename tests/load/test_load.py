"""A class at work against the real server: no error, no lost edit, and answers in time."""

import asyncio
import math
import os

import numpy as np
import pytest

from deploy.nginx import MISSING, nginx_path
from tests.deploy.conftest import started_class
from tests.load.classroom import Lesson, table, teach
from tests.load.conftest import Served

pytestmark = pytest.mark.usefixtures("linux")


def slow_answers(lesson: Lesson) -> float:
    return float(np.quantile(lesson.answered, 0.95))


def check_no_edit_lost(lesson: Lesson, edits: int) -> None:
    assert lesson.errors == []
    assert lesson.lost == []
    assert len(lesson.answered) == lesson.people * edits


def test_a_small_class_is_answered(served: Served) -> None:
    lesson = asyncio.run(teach(served.address, served.pid, people=6, seconds=6))
    check_no_edit_lost(lesson, edits=2)
    assert slow_answers(lesson) <= 1.0, table([("one process", lesson)])
    assert lesson.growth <= 4.0, table([("one process", lesson)])
    assert served.complaints() == []


@pytest.mark.slow
def test_a_class_of_thirty_on_one_process(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = asyncio.run(teach(served.address, served.pid, people=30, seconds=60))
    with capsys.disabled():
        print("\n" + table([("one process", lesson)]))  # noqa: T201
    check_no_edit_lost(lesson, edits=20)
    assert slow_answers(lesson) <= 0.5
    assert lesson.growth <= 2.0
    assert served.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize(("people", "bound"), [(60, 0.8), (90, math.inf)])
def test_a_larger_class_behind_the_proxy(
    people: int, bound: float, capsys: pytest.CaptureFixture[str]
) -> None:
    if nginx_path() is None and os.environ.get("CI") != "true":
        pytest.skip(MISSING)
    processes = max(2, len(os.sched_getaffinity(0)))
    with started_class(processes) as room:
        address = f"http://127.0.0.1:{room.port}"
        lesson = asyncio.run(teach(address, room.command.pid, people, 60, processes))
    with capsys.disabled():
        print("\n" + table([(f"{processes} processes", lesson)]))  # noqa: T201
    check_no_edit_lost(lesson, edits=20)
    assert slow_answers(lesson) <= bound
    assert lesson.growth <= 2.0
