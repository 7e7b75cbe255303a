"""Pools of every depth against literal recomputation and against trec_eval."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

from core.collection import Collection
from core.correlation import kendall_tau
from core.errors import ParameterError
from core.judged import UNJUDGED
from core.pooling import leave_one_out, pool_depths, pool_sweep
from core.simulate import sample_collection, simulate_collection
from tests.core import literal


@cache
def sample() -> Collection:
    return sample_collection()


def judged_of(collection: Collection) -> literal.Grades:
    """Judgments in use, as a dictionary."""
    grades: literal.Grades = {}
    for place, topic in enumerate(collection.topic_ids):
        rows = slice(*collection.topic_starts[place : place + 2])
        pairs = zip(collection.judged_ids[rows], collection.labels[rows], strict=True)
        grades[topic] = {
            name.decode(): int(code) for name, code in pairs if code != UNJUDGED
        }
    return grades


@pytest.mark.parametrize("contributors", [None, ["run1", "run3"]])
@pytest.mark.parametrize("seed", range(3))
def test_judgments_at_every_depth_equal_a_literal_recomputation(
    seed: int, contributors: list[str] | None
) -> None:
    files = literal.random_files(seed)
    collection = Collection.from_files(files.runs, files.qrels)
    names = contributors or list(files.lists)
    for depth in range(1, collection.depth):
        expected = literal.pooled(files.lists, files.grades, depth, names)
        assert judged_of(collection.at_pool_depth(depth, contributors)) == expected


def test_at_the_full_depth_what_no_run_retrieves_is_judged_too() -> None:
    files = literal.random_files(1)
    collection = Collection.from_files(files.runs, files.qrels)
    assert judged_of(collection.at_pool_depth(collection.depth)) == files.grades
    assert judged_of(collection.at_pool_depth(10_000)) == files.grades
    pooled = literal.pooled(files.lists, files.grades, 99, list(files.lists))
    own = literal.pooled(files.lists, files.grades, 99, ["run2"])
    for topic, kept in judged_of(collection.at_pool_depth(99, ["run2"])).items():
        unretrieved = set(files.grades[topic]) - set(pooled[topic])
        assert set(kept) == set(own[topic]) | unretrieved


def test_a_run_left_out_is_judged_without_what_it_alone_contributed() -> None:
    files = literal.random_files(2)
    collection = Collection.from_files(files.runs, files.qrels)
    others = [run for run in files.lists if run != "run1"]
    for pool_depth in (3, None):
        depth = pool_depth or 99
        mine = literal.pooled(files.lists, files.grades, depth, ["run1"])
        theirs = literal.pooled(files.lists, files.grades, depth, others)
        expected = {
            topic: {
                name: grade
                for name, grade in grades.items()
                if name not in mine[topic] or name in theirs[topic]
            }
            for topic, grades in files.grades.items()
        }
        assert expected != files.grades
        assert judged_of(collection.leave_out("run1", pool_depth=pool_depth)) == expected


def test_a_document_at_the_pool_depth_of_another_run_stays_judged() -> None:
    mine = b"1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 1 x\n"
    other = b"1 Q0 d 1 3 y\n1 Q0 a 2 2 y\n1 Q0 b 3 1 y\n"
    qrels = b"1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 1\n"
    collection = Collection.from_files({"x": mine, "y": other}, qrels)
    kept = judged_of(collection.leave_out("x", pool_depth=2))["1"]
    assert sorted(kept) == ["a", "c", "d"]  # b came from x alone; c came from neither pool


def test_leave_one_out_scores_each_run_and_each_group_as_a_newcomer() -> None:
    files = literal.random_files(4)
    collection = Collection.from_files(files.runs, files.qrels)
    table = leave_one_out(collection, ["AP", "RBP(p=0.8)"])
    full = collection.mean(["AP", "RBP(p=0.8)"]).set_index(["run", "metric"])
    assert len(table) == 8
    for row in table.itertuples():
        alone = collection.leave_out(row.run).mean(row.metric).set_index("run").loc[row.run]
        assert (row.value, row.topics) == pytest.approx((alone["value"], alone["topics"]))
        assert row.full == full.value[row.run, row.metric]
        assert row.judged == collection.leave_out(row.run).num_judged
    groups = {"team": ["run4", "run2"]}
    shares: list[float] = []
    team = leave_one_out(
        collection,
        "RBP(p=0.8)",
        groups=groups,
        progress=lambda share, _: shares.append(share),
    )
    without = collection.leave_out(["run2", "run4"]).mean("RBP(p=0.8)").set_index("run")
    assert team.run.tolist() == ["run4", "run2"]
    assert team.value.tolist() == without.value[["run4", "run2"]].tolist()
    assert (team.value <= team.full).all()
    assert shares == [1.0]


def test_a_newcomer_meets_only_the_runs_that_give_documents_to_the_pool() -> None:
    files = literal.random_files(4)
    collection = Collection.from_files(files.runs, files.qrels)
    table = leave_one_out(collection, "AP", pool_depth=3, outside=["run2"]).set_index("run")
    for run in collection.run_ids:
        inside = [other for other in files.lists if other not in {run, "run2"}]
        mine = literal.pooled(files.lists, files.grades, 3, [run, "run2"])
        theirs = literal.pooled(files.lists, files.grades, 3, inside)
        kept = sum(
            name not in mine[topic] or name in theirs[topic]
            for topic, grades in files.grades.items()
            for name in grades
        )
        assert table.judged[run] == kept
    everybody = leave_one_out(collection, "AP", pool_depth=3).set_index("run")
    assert (table.judged < everybody.judged).any()


def pytrec(files: literal.Files, depth: int) -> dict[str, object]:
    """Per run and topic AP of pytrec_eval with the judgments cut back by hand."""
    grades = literal.pooled(files.lists, files.grades, depth, list(files.lists))
    evaluator = pytrec_eval.RelevanceEvaluator(
        {topic: kept or {"none": 0} for topic, kept in grades.items()}, {"map"}
    )
    return {
        run: evaluator.evaluate(
            {topic: dict(ranking) for topic, ranking in by_topic.items()}
        )
        for run, by_topic in files.lists.items()
    }


@cache
def simulated() -> tuple[Collection, literal.Files]:
    made = simulate_collection(seed=5, runs=12, topics=8, depth=60)
    collection = Collection.from_files(made.runs, made.qrels)
    lists: literal.Lists = {}
    for run, data in made.runs.items():
        lists[run] = {}
        for line in data.decode().splitlines():
            topic, _, name, _, score, _ = line.split()
            lists[run].setdefault(topic, []).append((name, float(score)))
    grades: literal.Grades = {}
    for line in made.qrels.decode().splitlines():
        topic, _, name, grade = line.split()
        grades.setdefault(topic, {})[name] = int(grade)
    return collection, literal.Files(made.runs, made.qrels, lists, grades)


@pytest.mark.parametrize("depth", [1, 2, 5, 10, 14])
def test_ap_of_the_sweep_equals_trec_eval_with_judgments_cut_back(depth: int) -> None:
    collection, files = simulated()
    table = pool_sweep(collection, "AP", [depth]).set_index("run")
    defined = collection.at_pool_depth(depth).grade_counts[:, 1:].sum(axis=1) > 0
    topics = [
        topic
        for topic, is_defined in zip(collection.topic_ids, defined, strict=True)
        if is_defined
    ]
    for run, scores in pytrec(files, depth).items():
        expected = np.mean([scores[topic]["map"] for topic in topics])  # type: ignore[index]
        assert table.value[run] == pytest.approx(expected, abs=1e-9)
        assert table.topics[run] == len(topics)


def test_rbp_of_the_sweep_equals_a_literal_sum_with_judgments_cut_back() -> None:
    collection, files = simulated()
    depths = [1, 7, 15, 60]
    table = pool_sweep(collection, "RBP(p=0.9)", depths).set_index(["depth", "run"])
    for depth in depths:
        grades = literal.pooled(files.lists, files.grades, depth, list(files.lists))
        assert set(table.judged[depth]) == {sum(map(len, grades.values()))}
        for run, by_topic in files.lists.items():
            lower = upper = 0.0
            for topic, kept in grades.items():
                weights = [0.1 * 0.9**rank for rank in range(len(by_topic[topic]))]
                documents = literal.ordered(by_topic[topic])
                gains = [kept.get(name) for name in documents]
                lower += sum(w * (g or 0) / 3 for w, g in zip(weights, gains, strict=True))
                upper += sum(
                    w * (1 if g is None else g / 3)
                    for w, g in zip(weights, gains, strict=True)
                )
                upper += 0.9 ** len(documents)
            row = table.loc[(depth, run)]
            bounds = (row["value"], row["lower"], row["upper"])
            topics = len(grades)
            assert bounds == pytest.approx((lower / topics, lower / topics, upper / topics))


@pytest.mark.parametrize(
    "metric",
    [
        "AP",
        "AP@10",
        "AP'",
        "RBP(p=0.8)",
        "RBP(p=0.8)@5",
        "RBP(p=0)",
        "RBP'(p=0.8)",
        "INSQ",
        "INSQ@7",
        "nDCG@10",
        "Bpref",
        "RankEff",
        "RR",
        "RBP(p1=0.9, p2=0.5)",
    ],
)
@pytest.mark.parametrize("ties", ["docid", "shared"])
def test_the_sweep_equals_scoring_each_pool_on_its_own(metric: str, ties: str) -> None:
    files = literal.random_files(6)
    collection = Collection.from_files(files.runs, files.qrels, ties=ties)
    depths = [5, 1, 12, 3]
    for contributors in (None, ["run2", "run3"]):
        swept = pool_sweep(collection, metric, depths, contributors)
        alone = pd.concat(
            collection.at_pool_depth(depth, contributors).mean(metric).assign(depth=depth)
            for depth in depths
        )
        for column in ("depth", "value", "lower", "upper", "topics"):
            expected = alone[column].to_numpy(dtype=float)
            found = swept[column].to_numpy(dtype=float)
            assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), column


def test_ranges_of_the_sweep_are_filled_on_request() -> None:
    files = literal.random_files(6)
    collection = Collection.from_files(files.runs, files.qrels)
    swept = pool_sweep(collection, ["AP", "P@5"], [3], ranges=True).set_index(
        ["run", "metric"]
    )
    alone = collection.at_pool_depth(3).mean(["AP", "P@5"], ranges=True)
    alone = alone.set_index(["run", "metric"])
    assert swept.upper.tolist() == alone.upper.tolist()
    assert not swept.upper.isna().any()
    assert pool_sweep(collection, "AP", [3]).upper.isna().all()


def test_the_sweep_has_one_row_for_each_depth_run_and_metric() -> None:
    table = pool_sweep(sample(), ["AP", "RR"], [10, 20])
    columns = ["depth", "run", "metric", "value", "lower", "upper", "topics", "judged"]
    assert table.columns.tolist() == columns
    assert len(table) == 2 * 24 * 2
    assert table.judged.is_monotonic_increasing


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbps_lower_bound_never_falls_and_its_upper_bound_never_rises(p: float) -> None:
    table = pool_sweep(sample(), f"RBP(p={p})", range(1, 201))
    by_depth = table.pivot_table(index="depth", columns="run", values=["lower", "upper"])
    assert (by_depth["lower"].diff().iloc[1:] >= -1e-12).all(axis=None)
    assert (by_depth["upper"].diff().iloc[1:] <= 1e-12).all(axis=None)


def test_a_topic_without_relevant_documents_in_the_pool_is_left_out() -> None:
    run = b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 c 1 2 x\n2 Q0 d 2 1 x\n"
    collection = Collection.from_files({"r": run}, b"1 0 a 0\n1 0 b 1\n2 0 c 1\n2 0 d 0\n")
    table = pool_sweep(collection, ["AP", "RBP(p=0.5)"], [1, 2]).set_index(
        ["metric", "depth"]
    )
    assert table.topics["AP"].tolist() == [1, 2]
    assert table.topics["RBP(p=0.5)"].tolist() == [2, 2]
    assert table.value["AP"].tolist() == [1.0, 0.75]
    nothing = Collection.from_files({"r": run}, b"1 0 a 0\n2 0 d 1\n")
    first = pool_sweep(nothing, "AP", [1]).loc[0]
    assert np.isnan(first["value"])
    assert first["topics"] == 0


def test_pool_depths_are_the_shallowest_ranks() -> None:
    run = b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"
    other = b"1 Q0 b 1 2 y\n1 Q0 c 2 1 y\n"
    qrels = b"1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 never 1\n"
    collection = Collection.from_files({"x": run, "y": other}, qrels)
    assert pool_depths(collection).tolist() == [1, 1, 2, 2]
    alone = pool_depths(collection, ["x"]).tolist()
    assert alone[:2] + alone[3:] == [1, 2, 2]
    assert alone[2] > 10**6


def test_a_wrong_depth_or_contributor_is_refused() -> None:
    for depth in (0, -1, 1.5, True, "5"):
        with pytest.raises(ParameterError, match="depth must be"):
            sample().at_pool_depth(depth)  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="depth must be"):
            pool_sweep(sample(), "AP", [depth])  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="at least one depth"):
        pool_sweep(sample(), "AP", [])
    with pytest.raises(ParameterError, match="got 'nobody'"):
        pool_sweep(sample(), "AP", [5], ["nobody"])
    with pytest.raises(ParameterError, match="got none"):
        sample().at_pool_depth(5, [])


def test_the_sweep_reports_progress_and_may_be_cancelled() -> None:
    shares: list[float] = []
    pool_sweep(
        sample(), ["AP", "RBP(p=0.5)", "RR"], [1, 2], progress=lambda s, _: shares.append(s)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def cancel(*_: object) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        pool_sweep(sample(), "AP", [1, 2], progress=cancel)


def test_ap_is_too_high_at_shallow_pools_and_rbp_does_not_move() -> None:
    """The shapes of Moffat & Zobel 2008, Figures 2 and 4."""
    table = pool_sweep(sample(), ["AP", "RBP(p=0.5)"], [10, 200])
    value = table.pivot_table(index="run", columns=["metric", "depth"], values="value")
    ap, rbp = value["AP"], value["RBP(p=0.5)"]
    assert (ap[10] > ap[200]).mean() > 0.9
    assert (ap[10] - ap[200]).mean() > 0.02
    assert (rbp[10] - rbp[200]).abs().max() < 0.0005
    assert kendall_tau(ap[10], ap[200]) < kendall_tau(rbp[10], rbp[200])
    assert kendall_tau(rbp[10], rbp[200]) == 1.0
