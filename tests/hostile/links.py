"""Hostile addresses: fields of every page with values that are wrong, huge, odd or at odds."""

import random
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from dashboard.state import Field

PAGES = (
    *("one_ranking", "choosing_p", "two_papers", "scores", "pool_depth"),
    *("fewer_judgments", "agreement", "seven_properties", "one_good_answer"),
)
# what no field asks for
NASTY = (
    *(
        "",
        " ",
        "\0",
        "\n",
        "NaN",
        "-nan",
        "inf",
        "-inf",
        "Infinity",
        "1e309",
        "-1e309",
        "1e999",
    ),
    *(
        "-0",
        "-1",
        "+1",
        "1e3",
        "0x10",
        "1_000",
        "1,5",
        "½",
        "٣",
        "１２",
        "²",
        "10**9",
        "1/0",
    ),
    *(
        "9" * 400,
        "-" + "9" * 18,
        "0" * 5_000 + "1",
        "1" * 4_301,
        "5" * 19_999,
        "7" * 30_000,
    ),
    *("null", "None", "undefined", "True", "[]", "{}", "[object Object]", "()", "''", '"'),
    *("<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</div>", "&lt;b&gt;"),
    *(
        "$x^2$",
        "$$\\frac{1}{0}$$",
        "\\(x\\)",
        "`x`",
        "**x**",
        ":red[x]",
        "[x](javascript:y)",
    ),
    *(
        "../../etc/passwd",
        "C:\\x",
        "%00",
        "%2e%2e%2f",
        "%",
        "%zz",
        "\u202ex",
        "\ufeff",
    ),
    *(
        "a\u0301" * 50,
        "👩‍👩‍👧‍👦",
        "日本語",
        "\x1b[31m",
        "';--",
        "${x}",
        "{0}",
        "%s%n",
        "__import__('os')",
    ),
    *(
        "~",
        "~~",
        "~1",
        "~1*",
        "~*$",
        "~-1*$",
        "~1.5*$",
        "~٣*$",
        "~999999999*$",
        "~1*$" * 4_000,
    ),
    *("~0000000999999999*$", "~20001*$", "~9999999999*-", "~10001*$", "~20000* "),
)
RANKINGS = (
    *(
        "$",
        "-",
        "?",
        "$-?",
        "?" * 12,
        "?" * 13,
        "$$---$----$-----$---",
        "----------",
        "$" * 40,
    ),
    *(
        "($-)",
        "($?)(--)",
        "(((",
        "())",
        "()",
        "9-1",
        "SAB-_",
        "123456789",
        "0",
        "x+.",
        "($)",
    ),
    *(
        "~10000*$",
        "~10000*?",
        "~10000*-",
        "~3000*?1*$",
        "~1*$5000*-",
        "~2001*?",
        "$ - , | ?",
    ),
    *(
        "~20000*(",
        "B" * 300,
        "$" * 1_001,
        "-" * 999 + "$",
        "9" * 20,
        "1" * 20,
        "S",
        "A",
        "?S",
    ),
)
NUMBERS = (
    *(
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "8",
        "9",
        "10",
        "11",
        "20",
        "50",
        "100",
        "199",
        "200",
        "999",
    ),
    *(
        "1000",
        "1001",
        "10000",
        "99999",
        "100000",
        "1000000",
        "1000001",
        "0.5",
        "0.8",
        "0.95",
    ),
    *(
        "0.99",
        "0.990001",
        "0.001",
        "1e-9",
        "1e-300",
        "5e-324",
        "0.0000001",
        "0.123456789",
        "-0.0",
    ),
)
METRICS = (
    *(
        "AP",
        "AP'",
        "nDCG@10",
        "P@10",
        "P@1",
        "RR",
        "Bpref",
        "RankEff",
        "RBP",
        "RBP(p=0)",
        "INSQ",
    ),
    *(
        "RBP(p=0.999999)",
        "RBP(p=1)",
        "RBP(p=nan)",
        "RBP(p=0.8",
        "P@0",
        "P@99999",
        "P@-1",
        "P",
    ),
    *(
        "nDCG@1000000",
        "Qmeasure(gains='1:1')",
        "Qmeasure(gains='1:2:3')",
        "Qmeasure(beta=0)",
    ),
    *(
        "AP,AP,AP",
        "AP;RR;P@5",
        "AP, RBP(p=0.5), AP'",
        "R@5,R@10",
        "NWRR",
        "ERR",
        "nonsense",
        "ap",
    ),
    *(
        ", ".join(f"P@{n}" for n in range(1, 18)),
        "AP" + "'" * 500,
        "RBP(p=0.5)(p=0.5)",
        ",;,",
    ),
)
WORDS = (
    *(
        "ash1",
        "ash2",
        "ash*",
        "beech1",
        "nobody",
        "a",
        "b",
        "1",
        "2",
        "first metric",
        "RBP",
    ),
    *("ash1,ash2", "ash*,beech*,cedar*,dogwood*,elm*,fir*,newcomer*,short*", "*", ",,,"),
    *(
        "order",
        "pair",
        "newcomer",
        "runs",
        "groups",
        "verdict",
        "nine",
        "crossings",
        "depths",
    ),
    *(
        "orders",
        "tests",
        "errors",
        "swaps",
        "bootstrap",
        "few",
        "all",
        "present",
        "10 %",
        "1 %",
    ),
    *(
        "RR.convergent",
        "AP.monotonic",
        "SNAP.bounded",
        "RBP.realisable",
        "RBP.",
        ".",
        "0",
        "1",
    ),
    *(
        "3:2:1",
        "10:5:1",
        "1:1:1",
        "1:2:3",
        "0:0:0",
        "1",
        "1:",
        ":",
        "9" * 80,
        "2:3:4",
        "1.5:1.2",
    ),
    *("0.0001:0.00001", "999999999:1", "1:1:1:1:1:1:1:1:1", "3:2:1:0", "...", "1..2"),
)
GOOD_FIRST = 0.75  # how often a value is one that the field may accept


class Link(NamedTuple):
    """A page and what its address says."""

    page: str
    query: dict[str, str]


def fields_of(page: str) -> tuple[Field[Any], ...]:
    fields: tuple[Field[Any], ...] = import_module(f"dashboard.views.{page}").FIELDS
    return fields


def likely(item: Field[Any]) -> Sequence[str]:
    """Values that a field may accept, told from its default."""
    if item.default is False:
        return ("0", "1")
    if isinstance(item.default, tuple):
        return (*METRICS, *NUMBERS, "10 100", "10, 100, 1000", "1 2 3 4 5", "0")
    if isinstance(item.default, int | float | None):
        return NUMBERS
    if item.name in {"r", "r2", "topic", "topic2", "own"}:
        return RANKINGS
    return (*WORDS, *METRICS)


def one_at_a_time() -> Iterator[Link]:
    """Every field of every page with every value that is nasty, and every likely one."""
    for page in PAGES:
        for item in fields_of(page):
            for text in (*NASTY, *likely(item)):
                yield Link(page, {item.name: text})


def mixed(number: int, seed: int) -> Iterator[Link]:
    """Several fields at once, so that they contradict each other; some names no page has."""
    rng = random.Random(seed)
    for place in range(number):
        page = PAGES[place % len(PAGES)]
        fields = fields_of(page)
        chosen = rng.sample(fields, rng.randint(2, len(fields)))
        query = {
            item.name: rng.choice(likely(item) if rng.random() < GOOD_FIRST else NASTY)
            for item in chosen
        }
        if rng.random() < 0.2:
            query[rng.choice(("", "x" * 500, "<b>", "_", "embed", "p[]", "r."))] = "1"
        yield Link(page, query)


def kept(values: Mapping[str, Any], fields: tuple[Field[Any], ...]) -> dict[str, str]:
    """Write values into an address as a page does."""
    return {
        item.name: item.write(values[item.name])
        for item in fields
        if values[item.name] != item.default
    }
