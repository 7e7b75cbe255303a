"""A class at work: many visitors edit at a steady pace; what they saw, and what it cost."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tests.load.processes import cpu_seconds, megabytes
from tests.load.session import Answer, Session
from tests.load.visitors import Visitor, class_of

PACE = 3.0  # seconds between two edits of one person


@dataclass
class Lesson:
    """What was measured while a class was at work."""

    people: int
    opened: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    size: int = 0
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    seconds: float = 0.0
    server_cpu: float = 0.0
    client_cpu: float = 0.0
    memory: tuple[float, float] = (0.0, 0.0)

    @property
    def growth(self) -> float:
        """Megabytes that the server took for each person."""
        return (self.memory[1] - self.memory[0]) / self.people

    def row(self, name: str) -> str:
        middle, high, most = np.quantile(self.answered, [0.5, 0.95, 1.0])
        return (
            f"{name:18} {self.people:6} {len(self.answered):6} {len(self.errors):6} "
            f"{len(self.lost):5} {middle:7.3f} {high:7.3f} {most:7.3f} "
            f"{np.quantile(self.opened, 0.95):7.2f} {self.server_cpu / self.seconds:7.0%} "
            f"{self.client_cpu / self.seconds:7.0%} {self.size / self.seconds / 1e6:6.2f} "
            f"{self.memory[0]:7.0f} {self.memory[1]:6.0f} {self.growth:7.2f}"
        )


HEAD = (
    f"{'set-up':18} people  edits errors  lost  median    95 %    most  opened  server  client "
    f"  MB/s  MB from     to a person"
)


async def attend(
    address: str,
    visitor: Visitor,
    delay: float,
    seconds: float,
    gate: asyncio.Barrier,
    lesson: Lesson,
) -> None:
    """Open the page, wait for the others, then edit at the pace of a person."""
    async with Session(address) as tab:
        lesson.opened.append((await tab.open(visitor.page, visitor.query)).seconds)
        await gate.wait()
        start = time.monotonic() + delay
        for turn in range(int(seconds / PACE)):
            await asyncio.sleep(start + turn * PACE - time.monotonic())
            note(lesson, visitor, tab, await visitor.edit(tab))
        await gate.wait()  # nobody leaves before the memory is read
        await gate.wait()


def note(lesson: Lesson, visitor: Visitor, tab: Session, answer: Answer) -> None:
    """Note how long an answer took, and whether it is the answer to the edit."""
    lesson.answered.append(answer.seconds)
    lesson.size += answer.size
    lesson.errors += tab.errors()
    if visitor.found(tab) != visitor.expected():
        lesson.lost.append(f"{visitor.expected()!r} was wanted, not {visitor.found(tab)!r}")


async def teach(
    address: str, pid: int, people: int, seconds: float, processes: int = 1
) -> Lesson:
    """Let `people` in, let them edit for so many seconds, and measure the server `pid`."""
    lesson = Lesson(people)
    await warm_up(address, processes)
    gate = asyncio.Barrier(people + 1)
    before = megabytes(pid)
    async with asyncio.TaskGroup() as group:
        for place, visitor in enumerate(class_of(people)):
            delay = PACE * place / people
            group.create_task(attend(address, visitor, delay, seconds, gate, lesson))
        await gate.wait()
        start, server, client = time.monotonic(), cpu_seconds(pid), time.process_time()
        await gate.wait()
        lesson.seconds = time.monotonic() - start
        lesson.server_cpu = cpu_seconds(pid) - server
        lesson.client_cpu = time.process_time() - client
        lesson.memory = (before, megabytes(pid))
        await gate.wait()
    return lesson


async def warm_up(address: str, processes: int) -> None:
    """Visit every page in every process, so that what is loaded and kept for all is there."""
    kinds = {type(visitor): visitor for visitor in class_of(11)}
    for visitor in kinds.values():
        for _ in range(processes):  # newcomers take turns among the processes
            async with Session(address) as tab:
                await tab.open(visitor.page, visitor.query)
                await visitor.edit(tab)


def table(lessons: Sequence[tuple[str, Lesson]]) -> str:
    """Set the figures of some lessons below each other."""
    return "\n".join([HEAD, *(lesson.row(name) for name, lesson in lessons)])
