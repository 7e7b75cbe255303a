"""Run and qrels files: what is read, and what is refused with which words."""

import gzip
import io
import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from core import columns
from core.errors import CoreError, InputError, LimitError
from core.limits import Limits
from core.trec import document_keys, quote, read_qrels, read_run, run_name

RUN = b"301 Q0 FT911-3 1 9.75 bm25\n301 Q0 FT911-9 2 8.5 bm25\n302 Q0 FT911-3 1 -3 bm25\n"
QRELS = b"301 0 FT911-3 1\n301 0 FT911-9 0\n302 0 FT911-3 2\n"


def rows_of(data: bytes) -> list[tuple[str, bytes, float]]:
    run = read_run(data)
    topics = [run.topics[code] for code in run.topic_codes]
    return list(zip(topics, run.documents.tolist(), run.scores.tolist(), strict=True))


ROWS = [("301", b"FT911-3", 9.75), ("301", b"FT911-9", 8.5), ("302", b"FT911-3", -3.0)]


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.rstrip(),
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b" \t  "),
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b"\n", b"\r"),
        RUN.replace(b"\n", b"  \n\n"),
        b"  " + RUN,
        b"# a comment\n\n" + RUN + b"   # another 1 2 3 4 5 6\n",
        b"\xef\xbb\xbf" + RUN,
        RUN.replace(b"bm25\n", b"bm25 and more\n"),
        RUN.replace(b" 9.75 ", b" +9.75e0 "),
        RUN.replace(b" 9.75 ", b" 975E-2 "),
        RUN.replace(b" 9.75 ", b" 9.7500000000000000000000 "),
    ],
)
def test_a_run_is_read_whatever_stands_between_its_columns(text: bytes) -> None:
    assert rows_of(text) == ROWS


def test_a_run_and_a_qrels_file_are_read_from_every_kind_of_source(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.run", tmp_path / "a.run.gz"
    plain.write_bytes(RUN)
    packed.write_bytes(gzip.compress(RUN))
    for source in (plain, str(plain), packed, RUN, bytearray(RUN), gzip.compress(RUN)):
        assert len(read_run(source)) == 3
    with packed.open("rb") as file:
        assert read_run(file).name == "a"
    assert len(read_run(io.BytesIO(RUN))) == 3
    assert len(read_qrels(io.BytesIO(gzip.compress(QRELS)))) == 3


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a.run", "a"),
        ("a.run.gz", "a"),
        ("a.txt.gz", "a"),
        ("a.res", "a"),
        ("a.trec", "a"),
        ("10x10.prf.unipd.it.run.gz", "10x10.prf.unipd.it"),
        ("bm25.v1.2", "bm25.v1.2"),
        ("a.run.txt", "a.run"),
        ("a.gz", "a"),
        (".run", ".run"),
    ],
)
def test_a_run_is_named_after_its_file(file: str, name: str) -> None:
    assert run_name(file) == name


def test_a_name_that_is_given_wins_and_bytes_are_named_by_their_tag() -> None:
    assert read_run(RUN).name == "bm25"
    assert read_run(RUN, "mine").name == "mine"
    file = io.BytesIO(RUN)
    file.name = "runs/theirs.run"
    assert read_run(file).name == "theirs"


def test_bytes_that_are_not_utf8_are_kept() -> None:
    run = read_run(b"caf\xe9 Q0 doc\xff 1 1 x\n\xc3\xa9t\xc3\xa9 Q0 d 1 1 x\n")
    assert run.topics == ("café", "été")
    assert run.documents[0] == b"doc\xff"


def test_topics_that_alternate_are_kept_apart() -> None:
    run = read_run(b"1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n1 Q0 b 2 2 x\n2 Q0 c 2 2 x\n")
    assert run.topics == ("1", "2")
    assert run.topic_codes.tolist() == [0, 1, 0, 1]


def test_numbers_are_exact_to_the_last_bit() -> None:
    rng = random.Random(11)
    texts = [
        "0",
        "-0",
        "5.",
        ".5",
        "-.5",
        "007",
        "1e-3",
        "1E+5",
        "+2",
        "-1.5e300",
        "4.9e-324",
    ]
    texts += [
        "123456789012345",
        "1234567890123456",
        "0.1234567890123456789",
        "9007199254740993",
    ]
    for _ in range(3_000):
        value = rng.choice([1, -1]) * rng.random() * 10 ** rng.randint(-6, 12)
        texts += [f"{value:.{rng.randint(0, 12)}f}", repr(value), f"{value:.6e}"]
    lines = "".join(f"1 Q0 d{place} 1 {text} x\n" for place, text in enumerate(texts))
    assert read_run(lines.encode()).scores.tolist() == [float(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        *[
            "nan",
            "inf",
            "-inf",
            "1e999",
            "1_000",
            "0x10",
            "1,5",
            "--1",
            "1.2.3",
            "-",
            ".",
            "e5",
            "+",
            "1e",
            "1-",
            "٣",
            "1d5",
            "True",
        ],
        "1" * 30 + "x",
    ],
)
def test_a_score_that_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="line 2: the score must be a finite number"):
        read_run(f"1 Q0 a 1 1 x\n1 Q0 b 2 {text} x\n".encode())
    with pytest.raises(InputError, match="line 2: the grade must be a finite number"):
        read_qrels(f"1 0 a 1\n1 0 b {text}\n".encode())


def test_a_short_line_is_named_with_file_number_rule_and_text(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(b"# top\n\n" + RUN + b"301 Q0 FBIS3-1 1 9.7\n")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert str(caught.value) == (
        "bm25.run, line 6: expected 6 columns (topic Q0 document rank score tag), found 5: "
        "'301 Q0 FBIS3-1 1 9.7'. Correct or remove what is named; nothing of this file was loaded."
    )


def test_the_first_ten_bad_lines_are_shown_and_all_are_counted() -> None:
    bad = b"".join(b"301 Q0 D%d 1 x%d t\n" % (place, place) for place in range(25))
    with pytest.raises(InputError) as caught:
        read_run(RUN + bad + b"too short\n")
    lines = str(caught.value).splitlines()
    assert lines[0] == "run: 26 lines cannot be used; the first 10:"
    assert [line.split(":")[0] for line in lines[1:-1]] == [
        f"  line {n}" for n in range(4, 14)
    ]
    assert "found 'x0': '301 Q0 D0 1 x0 t'" in lines[1]


def test_bad_lines_of_both_kinds_come_in_the_order_of_the_file() -> None:
    with pytest.raises(InputError) as caught:
        read_run(b"1 Q0 a 1 x t\n1 Q0 b\n1 Q0 c 1 y t\n1 Q0 d 1 1 t\n")
    numbers = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:-1]]
    assert numbers == ["line 1", "line 2", "line 3"]


def test_a_long_line_is_shortened_and_odd_characters_are_escaped() -> None:
    with pytest.raises(InputError) as caught:
        read_run(RUN + b"bad\x7f\xc2\x9b " + b"y" * 5_000 + b"\n")
    assert len(str(caught.value)) < 400
    assert "\\x7f\\x9b" in str(caught.value)
    assert quote(b"  <b>caf\xc3\xa9</b> ") == "'<b>café</b>'"


def test_a_document_twice_names_both_lines() -> None:
    with pytest.raises(InputError) as caught:
        read_run(RUN + b"302 Q0 FT911-9 2 1 bm25\n301 Q0 FT911-3 3 1 bm25\n")
    assert "line 5: document 'FT911-3' of topic 301 stands in line 1 already" in str(
        caught.value
    )


def test_two_judgments_of_one_document_must_agree() -> None:
    assert read_qrels(QRELS + b"301 0 FT911-3 1.0\n").num_repeated == 1
    with pytest.raises(InputError) as caught:
        read_qrels(QRELS + b"301 0 FT911-3 2\n301 0 FT911-9 -1\n")
    text = str(caught.value)
    assert (
        "line 4: document 'FT911-3' of topic 301 has grade 2 here and 1 in line 1" in text
    )
    assert (
        "line 5: document 'FT911-9' of topic 301 has grade -1 here and 0 in line 2" in text
    )


def test_a_negative_grade_means_unjudged() -> None:
    qrels = read_qrels(QRELS + b"303 0 a -2\n")
    assert (len(qrels), qrels.num_negative, qrels.topics[-1]) == (3, 1, "303")


def test_fractional_grades_are_gains_or_an_error() -> None:
    assert read_qrels(b"1 0 a 0.25\n1 0 b 1\n1 0 c 0\n1 0 d -1\n").is_fractional
    assert not read_qrels(b"1 0 a 2.0\n1 0 b 1\n").is_fractional
    with pytest.raises(
        InputError, match=r"line 1: the grade 0.5 is not whole.*largest here is 2"
    ):
        read_qrels(b"1 0 a 0.5\n1 0 b 2\n")


@pytest.mark.parametrize("columns_given", [3, 5])
def test_a_qrels_line_has_exactly_four_columns(columns_given: int) -> None:
    line = b" ".join([b"301", b"0", b"X", b"1", b"more"][:columns_given])
    with pytest.raises(
        InputError, match=f"line 4: expected 4 columns .* found {columns_given}"
    ):
        read_qrels(QRELS + line)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\t\n\r\n", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"# only\n# comments\n", "only comments"),
        (b"301 Q0 \x00 1 1 x\n", "binary"),
        (b"\x01\x02\x03", "binary"),
        ("301 Q0 a 1 1 x\n".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04abcdefgh", "zip"),
        (gzip.compress(gzip.compress(RUN, mtime=0), mtime=0), "packed twice"),
        (b"%PDF-1.7 and so on", "PDF"),
        (b'{"301": {"FT911-3": 9.7}}\n', "JSON"),
        (b"<html>\n<body>\n", "HTML"),
        (b"301,Q0,FT911-3,1,9.7,bm25\n", "comma-separated"),
        (b"just some words\n", "text with 3 columns"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_it_looks_like(
    data: bytes, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_run(data)
    with pytest.raises(InputError, match=words):
        read_qrels(data)


def test_a_run_given_as_qrels_and_the_reverse_are_recognised() -> None:
    with pytest.raises(InputError, match="looks like a qrels file, not like a run"):
        read_run(QRELS)
    with pytest.raises(InputError, match="looks like a run, not like a qrels file"):
        read_qrels(RUN)


def test_a_damaged_gzip_file_is_refused() -> None:
    packed = gzip.compress(RUN * 50)
    for broken in (
        packed[:-5],
        packed[:30],
        packed[:20] + b"\0" * 9 + packed[29:],
        packed + b"x",
    ):
        with pytest.raises(InputError, match="gzip"):
            read_run(broken)
    assert len(read_run(gzip.compress(RUN) + gzip.compress(b"303 Q0 a 1 1 x\n"))) == 4
    assert len(read_run(gzip.compress(RUN) + b"\0" * 512)) == 3


def test_a_path_that_cannot_be_read_and_a_text_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.run", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_run(path)
    with pytest.raises(InputError, match="mode 'rb'"):
        read_run(io.StringIO("301"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="path, bytes or an open file"):
        read_run(7)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cannot be read"):
        read_run("a\0b")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(file_bytes=40), "40 bytes"),
        (Limits(lines=2), "2 lines"),
        (Limits(line_bytes=10), "line 1: the line is longer than the limit of 10"),
        (Limits(id_bytes=5), "line 1: an id is longer than the limit of 5"),
        (Limits(topics=1), "limit of 1"),
        (Limits(unpacked_bytes=10), "limit of 10 bytes"),
    ],
)
def test_every_limit_is_enforced_and_named(limits: Limits, words: str) -> None:
    with pytest.raises(LimitError, match=words):
        read_run(RUN, limits=limits)
    with pytest.raises(LimitError, match=words):
        read_qrels(QRELS, limits=limits)
    assert len(read_run(RUN)) == 3


def test_the_last_line_counts_with_or_without_a_line_end() -> None:
    for text in (RUN, RUN.rstrip()):
        assert len(read_run(text, limits=Limits(lines=3))) == 3
        with pytest.raises(LimitError):
            read_run(text, limits=Limits(lines=2))


def test_the_limit_of_a_file_on_disk_is_checked_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.run"
    path.write_bytes(RUN)
    with pytest.raises(LimitError, match="larger than the limit"):
        read_run(path, limits=Limits(file_bytes=len(RUN) - 1))
    with path.open("rb") as file, pytest.raises(LimitError, match="larger than the limit"):
        read_run(file, limits=Limits(file_bytes=len(RUN) - 1))


def test_a_gzip_bomb_is_refused_before_memory_is_spent() -> None:
    bomb = gzip.compress(b"301 Q0 FT911-3 1 9.75 bm25\n" * 4_000_000, compresslevel=9)
    assert len(bomb) < 600_000
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="unpacks to more than the limit of 1,000,000"):
            read_run(bomb, limits=Limits(unpacked_bytes=1_000_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("block", [1, 7, 64, 1_000])
def test_blocks_of_any_size_give_the_same_lines(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"# c\n\n" + b"".join(
        b"%d Q0 d%d 1 %d.5 x\n" % (n // 9, n, n) for n in range(40)
    )
    whole = rows_of(text)
    monkeypatch.setattr(columns, "_BLOCK", block)
    assert rows_of(text) == whole
    with pytest.raises(InputError, match="line 43: expected 6 columns"):
        read_run(text + b"one two\n")


def test_keys_do_not_depend_on_the_width_of_the_array() -> None:
    ids = [b"a", b"abcdefgh", b"abcdefghi", b"a" * 30]
    codes = np.arange(4)
    narrow = [document_keys(np.array([i]), codes[[n]])[0] for n, i in enumerate(ids)]
    assert document_keys(np.array(ids), codes).tolist() == narrow
    assert len(set(narrow)) == 4
    assert document_keys(np.array(ids), codes, salt=1).tolist() != narrow


def test_every_refusal_is_a_core_error() -> None:
    assert issubclass(InputError, CoreError)
    assert issubclass(LimitError, CoreError)
