"""What people in a class do: each edits one page, and knows what the answer must say."""

import itertools
from abc import ABC, abstractmethod
from random import Random
from urllib.parse import urlencode

import core
from tests.load.session import Answer, Session


class Visitor(ABC):
    """Somebody who edits one page again and again; `seed` makes everybody different."""

    page = ""
    query = ""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    @abstractmethod
    async def edit(self, tab: Session) -> Answer:
        """Change something on the page."""

    @abstractmethod
    def expected(self) -> str:
        """Say what the page must show after the last edit."""

    @abstractmethod
    def found(self, tab: Session) -> str:
        """Read what the page shows instead."""


class Ranker(Visitor):
    """Changes a ranking and p by turns; the bounds must be those of both."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.p, self.ranking = 0.8, self._ranking()
        self.query = urlencode({"r": self.ranking, "p": self.p})
        self.turn = itertools.cycle((self._click, self._click, self._drag))

    def _ranking(self) -> str:
        return "".join(self.chance.choices("$-?", k=20))

    async def _click(self, tab: Session) -> Answer:
        at = self.chance.randrange(20)
        other = {"$": "-", "-": "?", "?": "$"}[self.ranking[at]]
        self.ranking = self.ranking[:at] + other + self.ranking[at + 1 :]
        return await tab.write("one_ranking.r", self.ranking)

    async def _drag(self, tab: Session) -> Answer:
        self.p = round((self.p + 0.01 * self.chance.randint(1, 98)) % 0.99, 2)
        return await tab.edit("one_ranking.p", self.p)

    async def edit(self, tab: Session) -> Answer:
        return await next(self.turn)(tab)

    def expected(self) -> str:
        score = core.score(f"RBP(p={self.p})", self.ranking)
        return f"RBP at p = {self.p:g} {score.lower:.4f} … {score.upper:.4f}"

    def found(self, tab: Session) -> str:
        tile = tab.data("one_ranking.board")["tiles"][0]
        return f"{tile['label']} {tile['value']}"


class Patient(Visitor):
    """Drags p on Choosing p."""

    page = "choosing_p"
    p = 0.8

    async def edit(self, tab: Session) -> Answer:
        self.p = round((self.p + 0.01 * self.chance.randint(1, 98)) % 0.99, 2)
        return await tab.edit("choosing_p.p", self.p)

    def expected(self) -> str:
        return f"{1 / (1 - self.p):.1f} 1 / (1 − {self.p:g})"

    def found(self, tab: Session) -> str:
        tile = tab.data("choosing_p.board")["tiles"][0]
        return f"{tile['value']} {tile['detail']}"


class Reader(Visitor):
    """Drags a published score on Two papers."""

    page = "two_papers"
    score = 0.4

    async def edit(self, tab: Session) -> Answer:
        self.score = round((self.score + 0.01 * self.chance.randint(1, 59)) % 0.6 + 0.2, 4)
        return await tab.edit("two_papers.sa", self.score)

    def expected(self) -> str:
        return f"A scored {self.score:.4f} at p = 0.8"

    def found(self, tab: Session) -> str:
        return str(tab.data("two_papers.board")["sentence"]).partition(",")[0]


class Pooler(Visitor):
    """Steps through the pool depths of the sample."""

    page = "pool_depth"
    depth = 10

    async def edit(self, tab: Session) -> Answer:
        self.depth = (self.depth + self.chance.randint(1, 39)) % 40 + 1
        return await tab.edit("pool_depth.d", self.depth)

    def expected(self) -> str:
        return f"A pool of depth {self.depth} has"

    def found(self, tab: Session) -> str:
        return str(tab.data("pool_depth.board")["sentence"])[: len(self.expected())]


class Prover(Visitor):
    """Clicks cells of the table of properties."""

    page = "seven_properties"
    cell = ("RR", "complete")

    async def edit(self, tab: Session) -> Answer:
        table = tab.data("seven_properties.table")
        keys = [
            (row["key"], one["key"]) for row in table["rows"] for one in table["columns"]
        ]
        self.cell = self.chance.choice([key for key in keys if key != self.cell])
        return await tab.trigger("seven_properties.table", "cell", ".".join(self.cell))

    def expected(self) -> str:
        metric, numeric_property = self.cell
        holds = core.metric_properties(metric)[numeric_property].holds
        return f"{metric}.{numeric_property} {'yes' if holds else 'no'}"

    def found(self, tab: Session) -> str:
        tile = tab.data("seven_properties.board")["tiles"][0]
        return f"{tab.data('seven_properties.table')['chosen']} {tile['value']}"


class Seeker(Visitor):
    """Types graded rankings on One good answer."""

    page = "one_good_answer"
    ranking = "BAS"

    async def edit(self, tab: Session) -> Answer:
        before = self.ranking
        while self.ranking == before:
            self.ranking = "".join(self.chance.choices("SAB-", k=6)) + "S"
        return await tab.write("one_good_answer.r", self.ranking)

    def expected(self) -> str:
        score = core.score("RR", self.ranking)
        return f"{self.ranking} RR {score.value:.4f}"

    def found(self, tab: Session) -> str:
        tile = tab.data("one_good_answer.board")["tiles"][0]
        text = tab.data("one_good_answer.r")["text"]
        return f"{text} {tile['label']} {tile['value']}"


_TABLES = (
    Ranker,
    Ranker,
    Patient,
    Ranker,
    Reader,
    Ranker,
    Pooler,
    Ranker,
    Prover,
    Ranker,
    Seeker,
)


def class_of(size: int) -> list[Visitor]:
    """Let `size` people in: most of them on One ranking, one in eleven on each other page."""
    return [_TABLES[seed % len(_TABLES)](seed) for seed in range(size)]
