"""The visitor without a browser sees what a browser would show."""

import asyncio
from urllib.parse import urlencode

import pytest

import core
from tests.load.session import Session, SessionError


def bounds(ranking: str, p: float) -> str:
    score = core.score(f"RBP(p={p})", ranking)
    return f"{score.lower:.4f} … {score.upper:.4f}"


def test_a_visitor_opens_a_link_and_edits_ranking_and_p(address: str) -> None:
    async def visit() -> None:
        async with Session(address) as tab:
            await tab.open("", urlencode({"r": "$--$", "p": "0.5"}))
            board = tab.data("one_ranking.board")
            assert board["tiles"][0]["value"] == bounds("$--$", 0.5)
            answer = await tab.write("one_ranking.r", "$$---$-?-")
            assert 0.0 < answer.seconds < 60.0
            assert answer.size > 10_000
            await tab.edit("one_ranking.p", 0.95)
            board = tab.data("one_ranking.board")
            assert board["tiles"][0]["value"] == bounds("$$---$-?-", 0.95)
            assert tab.query == urlencode({"r": "$$---$-?-", "p": "0.95"})
            await tab.click("one_ranking.undo")
            board = tab.data("one_ranking.board")
            assert board["tiles"][0]["value"] == bounds("$$---$-?-", 0.5)
            assert tab.errors() == []

    asyncio.run(visit())


def test_a_visitor_changes_pages_and_chooses_a_cell(address: str) -> None:
    async def visit() -> None:
        async with Session(address) as tab:
            await tab.open("choosing_p", "p=2")
            assert tab.data("choosing_p.p")["value"] == 0.8  # not a chance: the default
            await tab.open("seven_properties")
            await tab.trigger("seven_properties.table", "cell", "RR.convergent")
            assert tab.data("seven_properties.table")["chosen"] == "RR.convergent"
            with pytest.raises(SessionError, match=r"shows no choosing_p\.p; there are"):
                tab.find("choosing_p.p")
            assert tab.errors() == []

    asyncio.run(visit())


def test_a_visitor_uploads_files_and_reads_what_became_of_them(address: str) -> None:
    async def visit() -> None:
        async with Session(address) as tab:
            await tab.open("scores")
            files = [("a.run", b"1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n"), ("q.txt", b"1 0 d1 1\n")]
            await tab.upload(files)
            assert "your upload, 1 run × 1 topic" in tab.texts()[0]
            await tab.upload([("b.run", b"1 Q0 d1 1 2 b\n1 Q0 d2 2 high b\n")])
            assert any("b.run, line 2" in text for text in tab.texts()), tab.texts()
            assert tab.errors() == []

    asyncio.run(visit())


def test_a_visitor_sees_errors(address: str) -> None:
    async def visit() -> None:
        async with Session(address) as tab:
            await tab.open("two_papers")
            await tab.set_widget("two_papers.ea", double_value=1.0)
            assert len(tab.errors()) == 1

    asyncio.run(visit())
