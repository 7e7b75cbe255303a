"""Uploads: files told apart by content, each with a line or a reason; nothing lost."""

import gzip
from dataclasses import replace

import pytest

import core
from core.limits import Limits
from dashboard import uploads
from dashboard.components.collection_source import _HINT
from dashboard.uploads import (
    File,
    Holdings,
    Reading,
    add,
    kind_of,
    limits_words,
    read_as,
    remove,
    shown_name,
)

RUN = b"1 Q0 a 1 9 bm25\n1 Q0 b 2 8 bm25\n1 Q0 c 3 8 bm25\n2 Q0 a 1 5 bm25\n"
OTHER = b"1 Q0 b 1 3.5 dfr\n1 Q0 a 2 2.5 dfr\n3 Q0 z 1 1 dfr\n"
QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a -1\n2 0 d 1\n"


def taken(*files: tuple[str, bytes], held: Holdings | None = None) -> Holdings:
    return add(held or Holdings(), [File(*file) for file in files])


def both() -> Holdings:
    return taken(
        ("bm25.run", RUN), ("dfr.txt.gz", gzip.compress(OTHER, mtime=0)), ("q.txt", QRELS)
    )


def reason(name: str, data: bytes, held: Holdings | None = None) -> str:
    """Add one file that must be refused and leave the rest as it was; say why."""
    before = held or both()
    after = taken((name, data), held=before)
    assert after.runs == before.runs
    assert after.qrels == before.qrels
    assert len(after.refused) == 1
    assert after.refused[0].file == shown_name(name)
    return after.refused[0].reason


def test_runs_and_judgments_dropped_together_make_a_collection() -> None:
    held = both()
    assert held.collection is not None
    assert not held.refused
    assert not held.missing
    expected = core.Collection.from_files({"bm25": RUN, "dfr": OTHER}, QRELS)
    assert held.collection.digest == expected.digest
    assert held.lines == (
        "q.txt: judgments; 2 topics, 4 documents, grades 0 to 2, 1 below 0 taken as unjudged",
        "bm25.run: run bm25; 2 judged topics, depth 3, 75% judged in the top 10, 2 tied",
        "dfr.txt.gz: run dfr; 1 judged topic, depth 2, 100% judged in the top 10, no ties, "
        "1 judged topic missing, counted 0, 1 topic without judgments, not evaluated",
    )


def test_the_order_of_the_files_does_not_matter() -> None:
    one = both().collection
    other = taken(("q.txt", QRELS), ("dfr.txt", OTHER), ("bm25.run", RUN)).collection
    assert one is not None
    assert other is not None
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (RUN, "run"),
        (QRELS, "qrels"),
        (gzip.compress(QRELS, mtime=0), "qrels"),
        (b"# a comment\r\n\r\n1\t0\ta\t1\r\n", "qrels"),
        (b"1 Q0 a 1 2 tag and more text\n", "run"),
        (b"1 0 a\n1 0 b 1\n1 0 c 1\n", "qrels"),  # a bad line first
        (b"", None),
        (b"a,b,c\n", None),
        (b"\x1f\x8bnot gzip", None),
    ],
)
def test_a_file_is_told_by_its_content(data: bytes, kind: str | None) -> None:
    assert kind_of(data) == kind


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (RUN + b"1 Q0 d 4 7\n", "line 5: expected 6 columns"),
        (RUN + b"1 Q0 d 4 high x\n", "line 5: the score must be a finite number"),
        (RUN + b"1 Q0 d 4 nan x\n", "line 5: the score must be a finite number"),
        (RUN + b"1 Q0 d 4 inf x\n", "line 5: the score must be a finite number"),
        (QRELS + b"1 0 e\n", "line 6: expected 4 columns"),
        (QRELS + b"1 0 e good\n", "line 6: the grade must be a finite number"),
        (RUN + b"1 Q0 a 4 1 x\n", "document 'a' of topic 1 stands in line 1 already"),
        (QRELS + b"1 0 a 0\n", "has grade 0 here and 1 in line 1"),
        (QRELS + b"1 0 e 0.5\n", "the grade 0.5 is not whole"),
        (b"", "the file is empty"),
        (b"# nothing\n", "the file has only comments"),
        (b"PK\x03\x04zip", "looks like a zip archive"),
        (b"\x00\x01\x02\x03", "the file is binary"),
        (b"\x1f\x8bbroken", "the gzip file is damaged"),
        (gzip.compress(RUN, mtime=0)[:-9], "the gzip file ends too early"),
        (b'{"run": 1}\n', "looks like JSON, not like a run"),
        (b"<html>\n", "looks like HTML or XML"),
        (b"a,b,c,d\n", "looks like comma-separated values"),
        (b"one two three\n", "A qrels file has 4 columns"),
        (b"77 Q0 a 1 2 x\n", "no topic is common to the run and the judgments"),
        (b"77 0 a 1\n", "no topic is common to the run and the judgments"),
    ],
)
def test_a_bad_file_is_refused_by_line_and_rule_and_nothing_is_lost(
    data: bytes, words: str
) -> None:
    told = reason("new.run", data)
    assert words in told


def test_many_bad_lines_are_counted_and_ten_are_shown() -> None:
    told = reason("bad.run", RUN + b"1 Q0 x\n" * 25)
    assert "25 lines cannot be used; the first 10" in told
    assert told.count("expected 6 columns") == 10


def test_no_topic_in_common_shows_two_topics_of_each_side() -> None:
    told = reason("new.run", b"77 Q0 a 1 2 x\n78 Q0 a 1 2 x\n79 Q0 a 1 2 x\n")
    assert "'77', '78'" in told
    assert "'1', '2'" in told


def test_a_good_file_beside_a_bad_one_is_taken() -> None:
    held = taken(("bad.run", b"1 Q0\n1 Q0 a 1 1 x\n"), ("good.run", RUN), ("q", QRELS))
    assert [item.run.name for item in held.runs] == ["good"]
    assert [item.file for item in held.refused] == ["bad.run"]
    assert held.collection is not None


def test_fractional_grades_are_gains_and_twice_the_same_judgment_counts_once() -> None:
    held = taken(("r.run", RUN), ("q", b"1 0 a 0.5\n1 0 b 1\n1 0 b 1\n2 0 a 0\n"))
    assert held.collection is not None
    assert held.lines[0].endswith("grades 0 to 1, 1 given twice")


def test_a_topic_without_relevant_documents_is_left_out_of_the_mean() -> None:
    held = taken(("r.run", RUN), ("q", b"1 0 a 1\n2 0 a 0\n"))
    assert held.collection is not None
    assert held.collection.mean("AP").loc[0, "topics"] == 1


def test_one_side_alone_says_what_works_and_what_is_missing() -> None:
    runs = taken(("bm25.run", RUN))
    assert runs.collection is None
    assert "no qrels file" in runs.missing
    assert runs.lines == (
        "bm25.run: run bm25; 2 topics, depth 3, 2 tied; judged in the top 10: not known "
        "without a qrels file",
    )
    judged = taken(("q", QRELS))
    assert "judgments of two topics" in judged.missing
    assert "no run" in judged.missing
    joined = taken(("q", QRELS), held=runs)
    assert joined.collection is not None
    assert not joined.missing


def test_runs_are_added_and_removed() -> None:
    held = taken(("third.res", OTHER), held=both())
    assert [item.run.name for item in held.runs] == ["bm25", "dfr", "third"]
    fewer = remove(held, ["bm25", "third"])
    assert fewer.collection is not None
    assert fewer.collection.run_ids == ("dfr",)
    assert len(held.runs) == 3  # the old holdings are as they were
    none = remove(fewer, ["dfr"])
    assert none.collection is None
    assert none.qrels is not None


def test_the_same_files_can_be_taken_otherwise() -> None:
    held = both()
    reading = Reading(min_rel=2, ties="shared", score_type="float64")
    other = read_as(held, reading)
    expected = core.Collection.from_files(
        {"bm25": RUN, "dfr": OTHER},
        QRELS,
        min_rel=2,
        ties="shared",
        score_type="float64",
    )
    assert other.collection is not None
    assert other.collection.digest == expected.digest
    assert held.collection is not None
    assert held.collection.digest != expected.digest
    assert reading.keywords == ', min_rel=2, ties="shared", score_type="float64"'
    assert Reading().keywords == ""
    more = taken(("new.run", OTHER.replace(b"dfr", b"new")), held=other)
    assert more.reading == reading  # what comes later is taken alike
    assert more.collection is not None
    assert more.collection.min_code == 2


def test_a_reading_that_does_not_fit_leaves_the_last_one() -> None:
    held = both()
    other = read_as(held, Reading(ties="neither"))
    assert other.collection is held.collection
    assert other.reading == held.reading
    assert "ties" in other.refused[0].reason


def test_files_that_share_a_name_are_told_apart_by_their_tags_or_refused() -> None:
    held = taken(("a/bm25.run", OTHER), held=both())
    assert "bm25 (dfr)" in [item.run.name for item in held.runs]
    told = reason("bm25.run", RUN.replace(b"bm25", b"dfr"), held=held)
    assert "a run of this name is here already" in told


def test_new_judgments_alone_take_the_place_of_the_old() -> None:
    held = taken(("new.txt", b"1 0 a 0\n1 0 b 1\n"), held=both())
    assert held.qrels is not None
    assert held.qrels.file == "new.txt"
    assert held.notes == ("new.txt takes the place of q.txt.",)
    assert held.collection is not None
    assert held.collection.num_judged == 2


def test_a_second_qrels_file_in_one_drop_is_refused() -> None:
    held = taken(("q1", QRELS), ("q2", QRELS), ("r.run", RUN))
    assert held.qrels is not None
    assert held.qrels.file == "q1"
    assert "a second qrels file" in held.refused[0].reason


def test_another_collection_dropped_as_a_whole_takes_over() -> None:
    files = [("x.run", b"77 Q0 a 1 2 x\n"), ("x.qrels", b"77 0 a 1\n")]
    held = taken(*files, held=both())
    assert [item.run.name for item in held.runs] == ["x"]
    assert "Two runs from before had no topic in common" in " ".join(held.notes)
    assert not held.refused


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(file_bytes=50), "larger than the limit of 50 bytes"),
        (Limits(lines=3), "more than the limit of 3 lines"),
        (Limits(depth=2), "a ranking of 3 documents is above the limit of 2"),
        (Limits(topics=1), "more topics than the limit of 1"),
        (Limits(runs=2), "the limit of 2 runs is reached"),
        (Limits(cells=17), "are above the limit of 17"),
    ],
)
def test_limits_are_kept(limits: Limits, words: str) -> None:
    before = both()
    after = add(before, [File("more.run", RUN)], limits=limits)
    assert after.runs == before.runs
    assert after.collection is before.collection
    assert words in after.refused[0].reason


def test_a_small_gzip_file_cannot_fill_the_memory() -> None:
    bomb = gzip.compress(b"1 Q0 a 1 9 x\n" * 400_000)
    after = add(both(), [File("bomb.gz", bomb)], limits=Limits(unpacked_bytes=100_000))
    assert "unpacks to more than the limit of 100,000 bytes" in after.refused[0].reason


def test_all_runs_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_ALL_LINES", 9)
    assert "above the limit of 9" in reason("more.run", RUN)


def test_too_many_grades_are_refused_with_the_judgments() -> None:
    many = b"".join(b"1 0 d%d 0.%03d\n" % (place, place) for place in range(1, 150))
    assert "different grades are above the limit" in reason("q", many)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\bm25.run", "bm25.run"),
        ("a\nb\x00\u202ec.run", "a�b��c.run"),
        ("", "a file without a name"),
        ("x" * 500, "x" * 119 + "…"),
        ("<b>$x$ [l](u).run", "<b>$x$ [l](u).run"),
    ],
)
def test_a_file_name_is_words_and_nothing_else(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_progress_is_told_and_may_cancel() -> None:
    told: list[float] = []
    add(
        Holdings(), [File("a", RUN), File("b", QRELS)], progress=lambda s, _: told.append(s)
    )
    assert told == [0.5, 1.0]


def test_the_limits_are_stated() -> None:
    words = limits_words()
    assert "200 MB a file" in words
    assert "300 runs" in words
    assert "qrels" in _HINT
    changed = limits_words(replace(uploads.UPLOAD_LIMITS, runs=7))
    assert "7 runs" in changed
