"""Broken files by the thousand: a result or a `CoreError`, nothing else, ever."""

import gzip
import io
import random
from contextlib import suppress

import pytest

from core.collection import Collection
from core.errors import CoreError
from core.limits import Limits
from core.trec import read_qrels, read_run

LIMITS = Limits(
    file_bytes=40_000,
    unpacked_bytes=60_000,
    lines=400,
    line_bytes=3_000,
    id_bytes=60,
    depth=90,
)
RUN_LINE = "{topic} Q0 {document} {rank} {score} {tag}"
QRELS_LINE = "{topic} 0 {document} {grade}"
ODD_NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e-400",
    "--2",
    "",
    "0x1f",
    "1_0",
    "½",
    "9" * 40,
]
ODD_NUMBERS += [
    "-0",
    "+5",
    ".",
    "1.5e3",
    "0.5",
    "-1",
    "127",
    "128",
    "1e18",
    "0.1",
    "3.0",
    "1e308",
]
ODD_IDS = [
    "#x",
    "é",
    "日本",
    "a" * 70,
    "\x7f",
    "\x1b[31m",
    "\\",
    "'",
    '"',
    "{}",
    "%s",
    "-",
    "\ufeff",
]
SEPARATORS = [" ", "\t", "  ", " \t ", "\xa0", ",", "\x0b", "\x0c"]
ENDS = ["\n", "\r\n", "\r", "\n\n", "", " \n", "\x85"]


def line(rng: random.Random, form: str) -> str:
    def number(usual: str) -> str:
        return rng.choice(ODD_NUMBERS) if rng.random() < 0.01 else usual

    def name(usual: str) -> str:
        return rng.choice(ODD_IDS) if rng.random() < 0.01 else usual

    text = form.format(
        topic=name(str(rng.randint(1, 4))),
        document=name(f"d{rng.randint(1, 10 ** rng.randint(1, 5))}"),
        rank=rng.randint(0, 99),
        score=number(f"{rng.uniform(-5, 50):.{rng.randint(0, 8)}f}"),
        grade=number(str(rng.choice([-1, 0, 0, 1, 2, 3]))),
        tag=name("tag"),
    )
    if rng.random() < 0.01:
        fields = text.split()
        rng.shuffle(fields)
        text = " ".join(
            fields[: rng.randint(0, len(fields) + 1)] + ["more"] * rng.randint(0, 3)
        )
    return text


def mostly_right(rng: random.Random, form: str) -> bytes:
    separator = rng.choice(SEPARATORS) if rng.random() < 0.3 else " "
    end = rng.choice(ENDS) if rng.random() < 0.2 else "\n"
    lines = [line(rng, form).replace(" ", separator) for _ in range(rng.randint(0, 60))]
    if rng.random() < 0.2:
        lines.insert(rng.randint(0, len(lines)), rng.choice(["# comment", "", "   ", "#"]))
    return end.join([*lines, ""]).encode(rng.choice(["utf-8", "utf-8", "utf-8", "utf-16"]))


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Damage some bytes: replace, cut out, repeat or insert."""
    changed = bytearray(data)
    for _ in range(rng.choice([0, 0, 1, 2, 5])):
        place = rng.randint(0, max(len(changed) - 1, 0))
        kind = rng.randrange(5)
        if kind == 0 and changed:
            changed[place] = rng.randrange(256)
        elif kind == 1:
            del changed[place : place + rng.randint(1, 30)]
        elif kind == 2:
            changed[place:place] = changed[place : place + rng.randint(1, 200)]
        elif kind == 3:
            changed[place:place] = rng.randbytes(rng.randint(1, 8))
        else:
            changed[place:place] = rng.choice(
                [b"\0", b"\n", b"\r", b"#", b" ", b"\xff\xfe", b"\t"]
            )
    return bytes(changed)


def generated(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.04:
        return rng.randbytes(rng.randint(0, 300))
    if kind < 0.06:
        return rng.choice([b"1 ", b"\n", b"x", b"1 Q0 a 1 1 t\n"]) * rng.randint(0, 12_000)
    form = RUN_LINE if rng.random() < 0.5 else QRELS_LINE
    data = mutated(rng, mostly_right(rng, form))
    if rng.random() < 0.2:
        data = gzip.compress(data, compresslevel=1, mtime=0)
        if rng.random() < 0.6:
            data = mutated(rng, data)
    return data


def try_everything(data: bytes, rng: random.Random) -> bool:
    """Read as run and as qrels, join, and score; say whether any of it worked."""
    worked = False
    source = io.BytesIO(data) if rng.random() < 0.1 else data
    with suppress(CoreError):
        run = read_run(source, limits=LIMITS)
        worked = True
        qrels_data = "".join(
            f"{rng.choice(run.topics)} 0 d{number} {number % 3}\n" for number in range(20)
        )
        collection = Collection.from_files([run], qrels_data.encode(), limits=LIMITS)
        collection.mean(["AP", "RBP(p=0.8)"])
    with suppress(CoreError):
        qrels = read_qrels(data, limits=LIMITS)
        worked = True
        lines = "".join(f"{rng.choice(qrels.topics)} Q0 d{n} 1 {n} t\n" for n in range(20))
        collection = Collection.from_files({"r": lines.encode()}, qrels, limits=LIMITS)
        collection.mean(["nDCG", "Bpref", "RankEff"])
    return worked


def run_fuzz(files: int, seed: int) -> None:
    rng = random.Random(seed)
    worked = sum(try_everything(generated(rng), rng) for _ in range(files))
    assert 0.1 * files < worked < 0.9 * files  # both ways are taken often


def test_two_thousand_files_give_a_result_or_a_core_error() -> None:
    run_fuzz(2_000, seed=20081201)


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_twenty_thousand_files_give_a_result_or_a_core_error() -> None:
    run_fuzz(20_000, seed=42)
