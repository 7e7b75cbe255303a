"""Memory stays flat while people come, edit, upload and go."""

import ast
import asyncio
from pathlib import Path
from random import Random

import pytest

from dashboard.settings import COLLECT_SECONDS
from tests.load.classroom import Lesson, note
from tests.load.conftest import Served, serving
from tests.load.processes import megabytes
from tests.load.session import Session
from tests.load.visitors import Ranker, class_of
from tests.server import ROOT

# Streamlit keeps what somebody had who lost the connection for two minutes, and looks for what
# is older when the next person leaves. Nobody wants to wait that long here.
SHORT_MEMORY = "--server.disconnectedSessionTTL=1"
EDITS_A_VISIT = 20


def collection_files(
    seed: int, runs: int, topics: int, depth: int
) -> list[tuple[str, bytes]]:
    """Write runs and judgments that no other seed gives."""
    chance = Random(seed)
    files = []
    for run in range(runs):
        lines = (
            f"{topic} Q0 d{document} {rank} {depth - rank} r{run}"
            for topic in range(1, topics + 1)
            for rank, document in enumerate(chance.sample(range(2 * depth), depth))
        )
        files.append((f"r{run}.run", "\n".join(lines).encode()))
    judgments = (
        f"{topic} 0 d{document} {chance.randint(0, 2)}"
        for topic in range(1, topics + 1)
        for document in range(depth)
    )
    return [*files, ("judged.qrels", "\n".join(judgments).encode())]


async def bring(tab: Session, files: list[tuple[str, bytes]], runs: int) -> None:
    """Upload files on Scores, see that they are in use, and look at another page with them."""
    await tab.open("scores")
    await tab.upload(files)
    assert tab.texts()[0].startswith(f"Collection: your upload, {runs} runs ×"), tab.texts()
    await tab.open("pool_depth")
    assert tab.texts()[0].startswith(f"Collection: your upload, {runs} runs ×"), tab.texts()


async def soak(served: Served, uploads: int) -> list[float]:
    """Let people come one after another, each with edits and an upload; give the memory."""
    lesson, memory = Lesson(1), []
    for seed, visitor in enumerate(class_of(uploads)):
        async with Session(served.address) as tab:
            await tab.open(visitor.page, visitor.query)
            for _ in range(EDITS_A_VISIT):
                note(lesson, visitor, tab, await visitor.edit(tab))
            await bring(tab, collection_files(seed, 3, 4, 20), runs=3)
            assert tab.errors() == []
        memory.append(megabytes(served.pid))
    assert lesson.errors == []
    assert lesson.lost == []
    assert len(lesson.answered) == uploads * EDITS_A_VISIT
    return memory


def test_a_few_visits_leave_little_behind(served: Served) -> None:
    memory = asyncio.run(soak(served, uploads=4))
    assert memory[-1] <= 1.1 * memory[1], memory


@pytest.mark.slow
@pytest.mark.usefixtures("linux")
def test_memory_is_flat_over_a_thousand_edits_and_fifty_uploads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path, SHORT_MEMORY) as served:
        memory = asyncio.run(soak(served, uploads=50))
        complaints = served.complaints()
    shown = " ".join(f"{value:.0f}" for value in memory[4::5])
    with capsys.disabled():
        print(f"\nMB after every 100 edits and 5 uploads: {shown}")  # noqa: T201
    assert memory[-1] <= 1.1 * memory[9]
    assert complaints == []


@pytest.mark.slow
@pytest.mark.usefixtures("linux")
def test_a_thousand_edits_do_not_grow_a_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work(served: Served) -> list[float]:
        visitor, memory = Ranker(1), []
        async with Session(served.address) as tab:
            await tab.open(visitor.page, visitor.query)
            for edit in range(1, 1101):
                await visitor.edit(tab)
                if edit % 100 == 0:
                    memory.append(megabytes(served.pid))
            assert visitor.found(tab) == visitor.expected()
        return memory

    with serving(tmp_path) as served:
        memory = asyncio.run(work(served))
    with capsys.disabled():
        print(f"\nMB after every 100 edits: {' '.join(f'{one:.0f}' for one in memory)}")  # noqa: T201
    assert memory[-1] <= 1.05 * memory[0]


@pytest.mark.slow
@pytest.mark.usefixtures("linux")
def test_what_a_closed_session_uploaded_is_let_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def visits(served: Served) -> list[float]:
        memory = [megabytes(served.pid)]
        for seed in range(12):
            async with Session(served.address) as tab:
                await bring(tab, collection_files(seed, 10, 50, 400), runs=10)
            await asyncio.sleep(2)  # past the time that it is kept for
            memory.append(megabytes(served.pid))
        async with Session(served.address) as tab:
            await tab.open()
        await asyncio.sleep(COLLECT_SECONDS + 1)
        return [*memory, megabytes(served.pid)]

    with serving(tmp_path, SHORT_MEMORY) as served:
        memory = asyncio.run(visits(served))
    with capsys.disabled():
        print(f"\nMB by upload: {' '.join(f'{one:.0f}' for one in memory)}")  # noqa: T201
    # what is kept of everybody would grow by as much again with every further visit
    assert memory[-1] - memory[5] < 0.25 * (memory[5] - memory[0])


def _is_unbounded(decorator: ast.expr, arguments: ast.arguments) -> bool:
    """Tell whether a function remembers as many answers as there are questions."""
    call = decorator if isinstance(decorator, ast.Call) else None
    name = ast.unparse(call.func if call else decorator).rpartition(".")[2]
    given = {one.arg: ast.unparse(one.value) for one in call.keywords} if call else {}
    if name == "cache":
        return bool(arguments.args or arguments.kwonlyargs)
    if name == "lru_cache":
        return given.get("maxsize", "None") == "None"
    return name in {"cache_data", "cache_resource"} and "max_entries" not in given


@pytest.mark.parametrize("package", ["core", "dashboard"])
def test_every_cache_has_a_bound(package: str) -> None:
    unbounded = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if _is_unbounded(decorator, node.args)
    ]
    assert unbounded == []
