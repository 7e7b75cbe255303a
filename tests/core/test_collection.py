"""The collection: order, judgments, topics, means, and what it reports."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import core
from core import ordering
from core.collection import Collection
from core.columns import Ids, Ints
from core.errors import InputError, LimitError, ParameterError
from core.limits import Limits
from core.trec import read_qrels, read_run
from tests.core import literal

QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n2 0 z 0\n"
RUN = b"1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 q 3 7 x\n2 Q0 a 1 9 x\n"


def all_metrics() -> list[str]:
    names = []
    for spec in core.METRICS:
        name = "RBP(p1=0.8, p2=0.6)" if spec.key == "RBP(p1,p2)" else spec.name
        names += [f"{name}@5"] if spec.cutoff == "required" else [name]
        names += [f"{name}@5"] if spec.cutoff == "optional" else []
    return [*dict.fromkeys(names), "AP'", "nDCG'@5"]


def text_of(collection: Collection, run: str, topic: str) -> str:
    codes = collection.ranking(run, topic).grades.tolist()
    return "".join("?" if code == core.UNJUDGED else str(code) for code in codes)


@pytest.mark.parametrize("seed", range(8))
def test_rankings_and_documents_equal_those_of_a_literal_join(seed: int) -> None:
    files = literal.random_files(seed)
    collection = Collection.from_files(files.runs, files.qrels)
    assert collection.run_ids == tuple(files.runs)
    assert collection.topic_ids == tuple(files.grades)
    for run, by_topic in files.lists.items():
        for topic, grades in files.grades.items():
            if topic not in by_topic:
                with pytest.raises(ParameterError, match=f"no ranking for topic {topic}"):
                    collection.ranking(run, topic)
                continue
            documents = literal.ordered(by_topic[topic])
            assert collection.documents(run, topic) == documents
            assert text_of(collection, run, topic) == literal.marks(documents, grades)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_metric_gives_each_ranking_the_score_it_has_on_its_own(seed: int) -> None:
    files = literal.random_files(seed, top_grade=3)
    collection = Collection.from_files(files.runs, files.qrels, min_rel=2)
    names = all_metrics()
    table = collection.evaluate(names, ranges=True).set_index(["run", "topic", "metric"])
    fast = collection.evaluate(names).set_index(["run", "topic", "metric"]).value
    for run, by_topic in files.lists.items():
        for topic, ranking in by_topic.items():
            grades = files.grades[topic]
            counts = {grade: list(grades.values()).count(grade) for grade in range(4)}
            text = literal.marks(literal.ordered(ranking), grades)
            for name in names:
                alone = core.score(name, text, topic=counts, top_grade=3, min_rel=2)
                row = table.loc[(run, topic, name)]
                found = (row["value"], row["lower"], row["upper"])
                expected = (alone.value, alone.lower, alone.upper)
                assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), name
                assert row["num_unjudged"] == text.count("?")
                value = fast[run, topic, name]
                assert value == pytest.approx(alone.value, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("seed", range(3))
def test_the_places_noted_while_reading_are_those_of_the_tensor(seed: int) -> None:
    files = literal.random_files(seed)
    collection = Collection.from_files(files.runs, files.qrels)
    noted, documents = collection.known_cells
    found, same = dataclasses.replace(collection).known_cells
    assert (noted.shape, documents.tolist()) == (found.shape, same.tolist())
    for name in ("rows", "ranks", "codes"):
        assert getattr(noted, name).tolist() == getattr(found, name).tolist()


def test_ties_are_ordered_by_document_id_descending_by_bytes() -> None:
    ids = ["B", "a", "Z", "é", "z", "10", "9"]
    run = "".join(f"1 Q0 {name} 1 5 x\n" for name in ids).encode()
    collection = Collection.from_files({"r": run}, b"1 0 a 1\n")
    assert collection.documents("r", "1") == ["é", "z", "a", "Z", "B", "9", "10"]
    assert collection.report.runs[0].tied == 7


def test_the_rank_column_is_not_used() -> None:
    run = b"1 Q0 low 1 1 x\n1 Q0 high 2 2 x\n2 Q0 a 0 -1 x\n2 Q0 b 7 -2 x\n"
    collection = Collection.from_files({"r": run}, b"1 0 high 1\n2 0 a 1\n")
    assert collection.documents("r", "1") == ["high", "low"]
    assert collection.documents("r", "2") == ["a", "b"]


def test_scores_are_compared_as_float32_unless_asked_otherwise() -> None:
    run = b"1 Q0 a 1 1.00000001 x\n1 Q0 b 2 1.00000000 x\n"
    single = Collection.from_files({"r": run}, b"1 0 a 1\n")
    double = Collection.from_files({"r": run}, b"1 0 a 1\n", score_type="float64")
    assert single.documents("r", "1") == ["b", "a"]
    assert double.documents("r", "1") == ["a", "b"]
    assert (single.report.runs[0].tied, double.report.runs[0].tied) == (2, 0)


def test_scores_beyond_float32_are_tied_as_in_trec_eval() -> None:
    run = b"1 Q0 a 1 1e200 x\n1 Q0 b 2 1e100 x\n1 Q0 c 3 1 x\n"
    collection = Collection.from_files({"r": run}, b"1 0 a 1\n")
    assert collection.documents("r", "1") == ["b", "a", "c"]


def test_shared_ties_share_the_weight_of_rbp() -> None:
    run = b"1 Q0 a 1 3 x\n1 Q0 b 2 3 x\n1 Q0 c 3 2 x\n1 Q0 d 4 2 x\n1 Q0 e 5 1 x\n"
    qrels = b"1 0 a 1\n1 0 b 0\n1 0 d 1\n1 0 e 0\n"
    apart = Collection.from_files({"r": run}, qrels)
    shared = Collection.from_files({"r": run}, qrels, ties="shared")
    assert apart.mean("RBP(p=0.5)").value[0] == pytest.approx(0.5 * (0.5 + 0.25))
    both = shared.mean("RBP(p=0.5)").loc[0]
    alone = core.score("RBP(p=0.5)", "(1-)(?1)-")
    assert (both["value"], both["upper"]) == pytest.approx((alone.value, alone.upper))
    assert both["value"] == pytest.approx((0.5 + 0.25) / 2 + (0.125 + 0.0625) / 2)
    assert core.format_relevance(shared.ranking("r", "1")) == "(-$)($?)-"


def test_min_rel_changes_binary_metrics_and_not_gains() -> None:
    easy = Collection.from_files({"r": RUN}, QRELS).mean(["P@2", "RBP(p=0.5)"])
    hard = Collection.from_files({"r": RUN}, QRELS, min_rel=2).mean(["P@2", "RBP(p=0.5)"])
    assert easy.value.tolist() == [0.5, 0.25]
    assert hard.value.tolist() == [0.0, 0.25]


def test_the_top_grade_is_the_largest_of_all_topics_or_the_one_given() -> None:
    def rbp(**options: float) -> float:
        collection = Collection.from_files({"r": RUN}, QRELS, **options)  # type: ignore[arg-type]
        return float(collection.mean("RBP(p=0.5)").value[0])

    assert rbp() == 0.25
    assert rbp(top_grade=4) == 0.125
    with pytest.raises(InputError, match="top_grade must be at least 2"):
        rbp(top_grade=1)


def test_fractional_grades_are_gains() -> None:
    qrels = b"1 0 a 0.5\n1 0 b 0\n1 0 q 0.25\n"
    run = RUN[: RUN.index(b"2 Q0")]
    collection = Collection.from_files({"r": run}, qrels)
    assert collection.values.tolist() == [0.0, 0.25, 0.5, 1.0]
    assert collection.mean("RBP(p=0.5)").value[0] == pytest.approx(0.5 * 0.5 + 0.25 * 0.125)
    assert collection.mean("P@2").value[0] == 0.5
    assert collection.mean("P@3").value[0] == pytest.approx(2 / 3)
    strict = Collection.from_files({"r": run}, qrels, min_rel=0.5)
    assert strict.mean("P@3").value[0] == pytest.approx(1 / 3)


def test_unusual_grades_keep_their_value_and_too_many_are_refused() -> None:
    collection = Collection.from_files(
        {"r": RUN}, b"1 0 a 1000000\n1 0 b 250000\n2 0 a 0\n"
    )
    assert collection.mean("RBP(p=0.5)").value[0] == pytest.approx((0.5 + 0.25 / 4) / 2)
    many = b"".join(b"1 0 d%d %d\n" % (n, 1000 * n) for n in range(150))
    with pytest.raises(LimitError, match="150 different grades"):
        Collection.from_files({"r": RUN}, many)


def test_a_missing_topic_counts_zero_or_is_left_out_on_request() -> None:
    files = {"all": RUN, "one": RUN[: RUN.index(b"2 Q0")]}
    collection = Collection.from_files(files, QRELS)
    names = ["AP", "RBP(p=0.5)", "RankEff", "APstar", "P@2"]
    rows = collection.evaluate(names, ranges=True).set_index(["run", "topic", "metric"])
    for name in names:
        upper = 1.0 if name.startswith("RBP") else 0.0
        row = rows.loc[("one", "2", name)]
        assert (row["value"], row["lower"], row["upper"]) == (0.0, 0.0, upper), name
        assert row["num_unjudged"] == 0
    means = collection.mean("AP").set_index("run")
    present = collection.mean("AP", topics="present").set_index("run")
    assert (means.value["one"], means.topics["one"]) == (0.25, 2)
    assert (present.value["one"], present.topics["one"]) == (0.5, 1)
    assert len(collection.evaluate("AP", topics="present")) == 3
    assert collection.report.runs[1].missing_topics == ("2",)


def test_a_topic_without_relevant_documents_is_undefined_also_where_it_is_missing() -> None:
    qrels = QRELS + b"3 0 a 0\n"
    files = {"has": RUN + b"3 Q0 a 1 1 x\n", "lacks": RUN}
    collection = Collection.from_files(files, qrels)
    means = collection.mean(["AP", "P@2", "RankEff"]).set_index(["run", "metric"])
    assert means.topics.unstack()["AP"].tolist() == [2, 2]
    assert means.topics.unstack()["P@2"].tolist() == [3, 3]
    values = collection.evaluate(["AP", "P@2"]).set_index(["run", "topic", "metric"]).value
    assert np.isnan(values[("has", "3", "AP")])
    assert np.isnan(values[("lacks", "3", "AP")])
    assert values[("lacks", "3", "P@2")] == 0.0
    assert collection.report.topics_without_relevant == ("3",)


def test_a_mean_over_no_topic_is_nan_and_says_so() -> None:
    collection = Collection.from_files({"r": RUN}, b"1 0 a 0\n2 0 a -1\n")
    row = collection.mean("AP").loc[0]
    assert np.isnan(row["value"])
    assert row["topics"] == 0


def test_bounds_are_filled_for_rbp_and_on_request_for_the_others() -> None:
    collection = Collection.from_files({"r": RUN}, QRELS)
    plain = collection.mean(["AP", "RBP(p=0.5)", "INSQ"]).set_index("metric")
    asked = collection.mean(["AP", "RBP(p=0.5)"], ranges=True).set_index("metric")
    assert plain.lower.isna().tolist() == [True, False, False]
    assert asked.lower.isna().tolist() == [False, False]
    alone = [
        core.score("AP", "1-?", topic={0: 1, 1: 1, 2: 1}),
        core.score("AP", "1", topic={0: 1, 1: 1}),
    ]
    assert asked.lower["AP"] == pytest.approx(np.mean([score.lower for score in alone]))
    assert asked.upper["AP"] == pytest.approx(np.mean([score.upper for score in alone]))


def test_metric_names_are_repeated_as_passed_and_columns_are_fixed() -> None:
    collection = Collection.from_files({"r": RUN}, QRELS)
    table = collection.evaluate(["RBP(p = 0.50)", "AP"])
    assert table.columns.tolist() == [
        "run", "topic", "metric", "value", "lower", "upper", "num_unjudged",
    ]  # fmt: skip
    assert table.metric.tolist() == ["RBP(p = 0.50)", "AP"] * 2
    assert (type(table.run[0]), type(table.topic[0])) == (str, str)
    means = collection.mean("AP")
    assert means.columns.tolist() == ["run", "metric", "value", "lower", "upper", "topics"]


def test_the_report_says_what_was_left_out() -> None:
    run = b"1 Q0 a 1 9 x\n1 Q0 q 2 9 x trailing\n7 Q0 a 1 1 x\n8 Q0 a 1 1 x\n"
    qrels = QRELS + b"2 0 y -1\n2 0 z 0\n"
    report = Collection.from_files({"r": run}, qrels).report
    entry = report.runs[0]
    assert (entry.topics, entry.ignored_topics, entry.missing_topics) == (1, 2, ("2",))
    assert (entry.tied, entry.trailing_text, entry.unjudged_top10) == (2, 1, 0.5)
    assert (entry.documents, entry.depth) == (2, 2)
    assert (report.negative_grades, report.repeated_judgments, report.judgments) == (
        1,
        1,
        5,
    )
    assert report.table.missing_topics.tolist() == [1]
    text = "\n".join(report.notes)
    for words in (
        "1 judgment below 0",
        "1 judgment given twice",
        "no ranking for 1 judged topic (2)",
        "2 topics without judgments",
        "2 documents with a score that another has",
        "after the sixth column in 1 line",
        "50% of the documents in the top 10",
    ):
        assert words in text
    assert Collection.from_files({"r": b"1 Q0 a 1 1 x\n"}, b"1 0 a 1\n").report.notes == ()


def test_no_common_topic_shows_two_of_each_side() -> None:
    run = b"q1 Q0 a 1 1 x\nq2 Q0 a 1 1 x\nq3 Q0 a 1 1 x\n"
    with pytest.raises(
        InputError, match=r"r: no topic .* has 'q1', 'q2', .* have '1', '2'"
    ):
        Collection.from_files({"r": run}, QRELS)


def test_names_that_collide_are_told_apart_by_the_tag(tmp_path: Path) -> None:
    paths = []
    for folder, tag in (("one", b"bm25"), ("two", b"lm")):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "input.run")
        paths[-1].write_bytes(RUN.replace(b" x\n", b" " + tag + b"\n"))
    assert Collection.from_files(paths, QRELS).run_ids == ("input (bm25)", "input (lm)")
    with pytest.raises(InputError, match=r"two runs are called 'input \(lm\)'"):
        Collection.from_files([paths[1], paths[1]], QRELS)
    named = Collection.from_files({"a": paths[1], "b": paths[1]}, QRELS)
    assert named.run_ids == ("a", "b")


def test_runs_and_judgments_read_before_can_be_used_again() -> None:
    run, qrels = read_run(RUN), read_qrels(QRELS)
    assert Collection.from_files([run], qrels).run_ids == ("x",)
    assert Collection.from_files({"mine": run}, qrels).run_ids == ("mine",)
    assert run.name == "x"


@pytest.mark.parametrize(
    ("runs", "options", "error", "words"),
    [
        ([], {}, InputError, "from 1 to 500 runs"),
        ("a.run", {}, InputError, "a list of files"),
        ({"r": RUN}, {"ties": "random"}, ParameterError, "'docid' or 'shared'"),
        ({"r": RUN}, {"score_type": "float16"}, ParameterError, "score_type"),
        ({"r": RUN}, {"min_rel": 0}, ParameterError, "min_rel"),
        ({"r": RUN}, {"min_rel": True}, ParameterError, "min_rel"),
        ({"r": RUN}, {"top_grade": "2"}, ParameterError, "top_grade"),
        ({"r": RUN, "s": RUN}, {"limits": Limits(runs=1)}, LimitError, "got 2"),
        ({"r": RUN}, {"limits": Limits(depth=2)}, LimitError, "limit of 2"),
        ({"r": RUN}, {"limits": Limits(cells=5)}, LimitError, "limit of 5"),
    ],
)
def test_a_wrong_option_is_refused_with_its_rule(
    runs: object, options: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Collection.from_files(runs, QRELS, **options)  # type: ignore[arg-type]


def test_questions_about_what_is_not_there_are_refused() -> None:
    collection = Collection.from_files({"r": RUN}, QRELS)
    with pytest.raises(ParameterError, match="runs: names among r"):
        collection.ranking("s", "1")
    with pytest.raises(ParameterError, match="topic: one of 1, 2"):
        collection.ranking("r", "9")
    with pytest.raises(ParameterError, match="'all' or 'present'"):
        collection.mean("AP", topics="some")  # type: ignore[arg-type]
    with pytest.raises(core.UnknownMetricError, match="did you mean RBP"):
        collection.evaluate(["AP", "RPB"])
    with pytest.raises(ParameterError, match="at least one name"):
        collection.evaluate([])


def test_the_digest_notices_one_changed_judgment_and_nothing_else() -> None:
    collection = Collection.from_files({"r": RUN}, QRELS)
    same = Collection.from_files({"r": RUN.replace(b" ", b"\t")}, QRELS)
    other = Collection.from_files({"r": RUN}, QRELS.replace(b"b 0", b"b 1"))
    ties = Collection.from_files({"r": RUN}, QRELS, ties="shared")
    strict = Collection.from_files({"r": RUN}, QRELS, min_rel=2)
    digests = [item.digest for item in (collection, other, ties, strict)]
    assert same.digest == collection.digest
    assert len(set(digests)) == 4
    thinner = collection.with_labels(np.where(collection.labels > 1, -1, collection.labels))
    assert thinner.digest != collection.digest


def test_a_collection_cannot_be_changed() -> None:
    collection = Collection.from_files({"r": RUN}, QRELS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        collection.min_code = 2  # type: ignore[misc]
    for array in (
        collection.docs,
        collection.labels,
        collection.values,
        collection.judged.grades,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_progress_reaches_one_and_may_cancel() -> None:
    shares: list[float] = []
    files = literal.random_files(3)
    collection = Collection.from_files(
        files.runs, files.qrels, progress=lambda share, _: shares.append(share)
    )
    assert shares == [0.25, 0.5, 0.75, 1.0]
    shares.clear()
    collection.mean(["AP", "nDCG"], ranges=True, progress=lambda s, _: shares.append(s))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 4

    def cancel(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collection.mean("AP", ranges=True, progress=cancel)


def test_documents_with_equal_hashes_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def weak_keys(ids: Ids, codes: Ints, **_: int) -> np.ndarray:
        first = np.array([i[0] for i in ids.tolist()], dtype=np.uint64)
        return (first + np.uint64(256) * codes.astype(np.uint64)) << np.uint64(40)

    monkeypatch.setattr(ordering, "document_keys", weak_keys)
    run = b"1 Q0 apple 1 3 x\n1 Q0 ant 2 2 x\n1 Q0 bee 3 1 x\n"
    collection = Collection.from_files({"r": run}, b"1 0 ant 1\n1 0 bird 1\n1 0 cat 1\n")
    assert text_of(collection, "r", "1") == "?1?"
    with pytest.raises(InputError, match="cannot be told apart"):
        Collection.from_files({"r": run}, b"1 0 ant 1\n1 0 apple 1\n")


def test_scores_are_real_numbers_where_nothing_is_relevant() -> None:
    collection = Collection.from_files({"a": b"1 Q0 d1 1 2 x\n"}, b"1 0 d1 0\n")
    score = collection.scores("RR")
    assert score.value.dtype == np.float64
    assert score.value == 0.0
    assert np.isnan(score.lower)
