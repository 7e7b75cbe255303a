"""Real evaluations, and the figures that other people's software gives for them.

The data is not part of the project; where its folder is absent these tests are skipped.
"""

import csv
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.collection import Collection
from core.correlation import kendall_tau
from core.pooling import pool_sweep
from core.trec import read_qrels, read_run
from tests.core import literal

DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real data is not there")

NAMES = {"map": "AP", "ndcg": "nDCG", "P_10": "P@10", "recip_rank": "RR", "bpref": "Bpref"}


@cache
def collection(folder: str, *, min_rel: int = 1, score_type: str = "float32") -> Collection:
    path = DATA / folder
    return Collection.from_files(
        sorted((path / "runs").iterdir()),
        path / "qrels.txt",
        min_rel=min_rel,
        score_type=score_type,
    )


@cache
def figures(folder: str, file: str) -> dict[str, Any]:
    return dict(json.loads((DATA / folder / file).read_text())["runs"])


def trec_eval_metric(name: str) -> str | None:
    """Our name of a trec_eval measure; None where we have no such metric."""
    plain = {**NAMES, "Rprec": "Rprec", "rbp": "RBP(p=0.9)"}
    plain.pop("P_10")
    if name in plain:
        return plain[name]
    family, _, cutoff = name.rpartition("_")
    with_cutoff = {
        "P": "P",
        "recall": "R",
        "map_cut": "AP",
        "ndcg_cut": "nDCG",
        "success": "HIT",
    }
    return f"{with_cutoff[family]}@{cutoff}" if family in with_cutoff else None


def test_every_value_of_trec_evals_own_test_that_we_have_a_metric_for() -> None:
    run = DATA / "trec_eval-test" / "runs" / "STANDARD.run"
    qrels = DATA / "trec_eval-test" / "qrels.txt"
    tested = Collection.from_files([run], qrels)
    checked: set[str] = set()
    rows = (DATA / "trec_eval-test" / "official" / "out.test.aq").read_text().splitlines()
    for name, topic, text in (row.split() for row in rows):
        metric = trec_eval_metric(name)
        if metric is None:
            continue
        if topic == "all":
            value = float(tested.mean(metric).value[0])
        else:
            table = tested.evaluate(metric).set_index("topic")
            value = float(table.value[topic])
        assert f"{value:.4f}" == text, (name, topic)
        checked.add(name)
    assert {"map", "Rprec", "bpref", "recip_rank", "ndcg", "rbp", "success_5"} <= checked
    for family in ("P", "recall", "map_cut", "ndcg_cut"):
        cutoffs = {name for name in checked if name.rpartition("_")[0] == family}
        assert len(cutoffs) == 9, family
    assert len(checked) == 6 + 3 + 4 * 9


def test_the_counts_of_trec_evals_own_test() -> None:
    run = DATA / "trec_eval-test" / "runs" / "STANDARD.run"
    tested = Collection.from_files([run], DATA / "trec_eval-test" / "qrels.txt")
    rows = (DATA / "trec_eval-test" / "official" / "out.test.aq").read_text().splitlines()
    counts = {(name, topic): text for name, topic, text in (row.split() for row in rows)}
    for place, topic in enumerate(tested.topic_ids):
        judged = tested.judged[0, place]
        assert int(judged.num_rel) == int(counts["num_rel", topic])
        assert int(judged.relevant.sum()) == int(counts["num_rel_ret", topic])
        assert len(tested.documents("STANDARD", topic)) == int(counts["num_ret", topic])
        nonrelevant = int(counts["num_nonrel_judged_ret", topic])
        assert int(judged.nonrelevant.sum()) == nonrelevant
        marks = "".join(str(max(code, 0)) for code in judged.grades[:10].tolist())
        assert f"'{marks}'" == counts["relstring", topic]
        for cutoff in (5, 10, 20):
            share = judged.unjudged[:cutoff].sum() / cutoff
            assert f"{share:.4f}" == counts[f"unj_{cutoff}", topic]


def test_rbp_residuals_include_the_tail_where_trec_eval_loses_it() -> None:
    """With unjudged documents trec_eval 10.0-rc3 is right to four digits; the tail is p^500."""
    table = collection("trec_eval-test").evaluate("RBP(p=0.9)").set_index(["run", "topic"])
    residual = table.upper - table.lower
    assert f"{residual['STANDARD', '301']:.4f}" == "0.0610"
    assert f"{residual['STANDARD', '302']:.4f}" == "0.0001"
    assert residual["STANDARD", "303"] > 0.0
    assert residual["STANDARD_trunc", "302"] == 1.0


def test_nist_published_rbp_of_all_runs_of_trec_covid() -> None:
    runs = collection("trec-covid-r1")
    found = runs.mean("RBP(p=0.5)").set_index("run").value
    with (DATA / "trec-covid-r1" / "official" / "leaderboard.csv").open() as file:
        published = {row["run"]: row["RBP(p=.5)"] for row in csv.DictReader(file)}
    assert len(published) == len(runs.run_ids) == 143
    assert {run: f"{value:.4f}" for run, value in found.items()} == published


def test_published_figures_compare_scores_as_float32() -> None:
    single = collection("trec-covid-r1").mean("RBP(p=0.5)").set_index("run").value
    double = collection("trec-covid-r1", score_type="float64").mean("RBP(p=0.5)")
    assert f"{single['BERT']:.4f}" == "0.1625"
    assert f"{double.set_index('run').value['BERT']:.4f}" == "0.1646"


def test_a_run_of_robust03_orders_as_a_literal_sort_does_in_either_type() -> None:
    name = "oce03noXbmD"
    single, double = collection("robust03"), collection("robust03", score_type="float64")
    path = DATA / "robust03" / "runs" / f"{name}.run.gz"
    lists: dict[str, list[tuple[str, float]]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        topic, _, document, _, score, _ = line.split()
        lists.setdefault(topic, []).append((document, float(score)))
    differ = 0
    for topic, ranking in lists.items():
        assert single.documents(name, topic) == literal.ordered(ranking, single=True)
        assert double.documents(name, topic) == literal.ordered(ranking, single=False)
        differ += single.documents(name, topic) != double.documents(name, topic)
    assert (len(lists), differ) == (100, 3)


@pytest.mark.parametrize(
    "folder", ["trec_eval-test", "dl19-passage", "robust03", "trec-covid-r1"]
)
def test_means_equal_those_of_pytrec_eval(folder: str) -> None:
    runs = collection(folder)
    metrics = list(NAMES.values())
    for topics, key in (
        ("all", f"mean_over_all_{len(runs.topic_ids)}_qrels_topics"),
        ("present", "mean_over_evaluated"),
    ):
        found = runs.mean(metrics, topics=topics).set_index(["run", "metric"])  # type: ignore[arg-type]
        for run, by_kind in figures(folder, "trec_eval.json").items():
            for name, metric in NAMES.items():
                assert found.value[run, metric] == pytest.approx(
                    by_kind[key][name], abs=1e-6
                )
            if topics == "present":
                assert found.topics[run, "P@10"] == by_kind["topics_evaluated"]


def test_a_higher_level_of_relevance_equals_that_of_pytrec_eval() -> None:
    runs = collection("dl19-passage", min_rel=2)
    metrics = [metric for metric in NAMES.values() if metric != "nDCG"]
    found = runs.mean(metrics, topics="present").set_index(["run", "metric"]).value
    for run, by_kind in figures("dl19-passage", "trec_eval.json").items():
        expected = by_kind["relevance_level_2_mean_over_evaluated"]
        for name, value in expected.items():
            assert found[run, NAMES[name]] == pytest.approx(value, abs=1e-6), (run, name)


@pytest.mark.parametrize(
    "folder", ["trec_eval-test", "dl19-passage", "robust03", "trec-covid-r1"]
)
@pytest.mark.parametrize("p", ["0.5", "0.8", "0.95"])
def test_rbp_and_its_residual_equal_an_independent_computation(folder: str, p: str) -> None:
    metric = f"RBP(p={p})"
    top = int(collection(folder).values[-1])
    views = {"binary_ge1": binary(folder, 1), f"linear_g_over_{top}": collection(folder)}
    if folder == "dl19-passage":
        views["binary_ge2"] = binary(folder, 2)
    if top == 1:
        views = {"binary_ge1": collection(folder)}
    for view, runs in views.items():
        found = runs.mean(metric).set_index("run")
        for run, by_view in figures(folder, "rbp.json").items():
            expected = by_view[view][p]
            row = found.loc[run]
            assert row["value"] == pytest.approx(expected["rbp"], abs=1e-6), (run, view)
            residual = row["upper"] - row["lower"]
            assert residual == pytest.approx(expected["residual"], abs=1e-6), (run, view)


@cache
def binary(folder: str, least: int) -> Collection:
    """Give grade 1 to what is relevant and 0 to the rest."""
    path = DATA / folder
    qrels = read_qrels(path / "qrels.txt")
    rows = zip(qrels.topic_codes, qrels.documents.tolist(), qrels.grades, strict=True)
    text = "".join(
        f"{qrels.topics[code]} 0 {name.decode()} {int(grade >= least)}\n"
        for code, name, grade in rows
    )
    return Collection.from_files(sorted((path / "runs").iterdir()), text.encode())


@pytest.mark.parametrize(
    ("folder", "view"),
    [
        ("trec_eval-test", "binary_ge1"),
        ("dl19-passage", "binary_ge1"),
        ("dl19-passage", "binary_ge2"),
        ("dl19-passage", "linear_g_over_3"),
    ],
)
def test_rbp_per_topic_equals_an_independent_computation(folder: str, view: str) -> None:
    with gzip.open(DATA / folder / "rbp_per_topic.json.gz") as file:
        expected = json.load(file)
    graded = view.startswith("linear") or folder == "trec_eval-test"
    runs = collection(folder) if graded else binary(folder, int(view[-1]))
    names = {p: f"RBP(p={p})" for p in ("0.5", "0.8", "0.95")}
    table = runs.evaluate(list(names.values())).set_index(["run", "topic", "metric"])
    found = {
        key: (low, high - low) for key, low, high in table[["lower", "upper"]].itertuples()
    }
    assert len(found) == 3 * sum(len(by_topic) for by_topic in expected.values())
    for run, by_topic in expected.items():
        for topic, by_view in by_topic.items():
            for p, pair in by_view[view].items():
                assert found[run, topic, names[p]] == pytest.approx(pair, abs=2e-8)


@pytest.mark.parametrize(
    ("folder", "top_10", "top_100"),
    [
        ("trec_eval-test", 1.0, 0.83),
        ("trec-covid-r1", 0.72, 0.32),
        ("dl19-passage", 0.94, 0.53),
        ("robust03", 0.98, 0.94),
    ],
)
def test_the_share_of_judged_documents_is_that_of_the_data_description(
    folder: str, top_10: float, top_100: float
) -> None:
    grades = collection(folder).judged.grades
    for cutoff, share in ((10, top_10), (100, top_100)):
        top = grades[..., :cutoff]
        of_runs = (top >= 0).sum(axis=(1, 2)) / (top >= -1).sum(axis=(1, 2))
        assert of_runs.mean() == pytest.approx(share, abs=0.006)  # two digits, some cut


def test_ranks_that_contradict_the_scores_are_ignored() -> None:
    path = DATA / "dl19-passage" / "runs" / "DRMM.run.gz"
    lines = [
        line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()
    ]
    by_rank: dict[str, list[str]] = {}
    for topic, _, document, *_ in sorted(lines, key=lambda f: (f[0], int(f[3]))):
        by_rank.setdefault(topic, []).append(document)
    runs = collection("dl19-passage")
    assert all(runs.documents("DRMM", topic) != by_rank[topic] for topic in runs.topic_ids)


def test_the_reports_name_the_traps_of_these_files() -> None:
    dl19 = collection("dl19-passage").report.table.set_index("run")
    assert dl19.ignored_topics["LMDirichlet"] == 54
    assert dl19.ignored_topics["monoT5_pyterrier"] == 54
    assert dl19.tied["REP_LLAMA"] > 0
    trunc = collection("trec_eval-test").report.table.set_index("run").loc["STANDARD_trunc"]
    assert (trunc["trailing_text"], trunc["missing_topics"]) == (5, 1)
    tags = [read_run(path).tag for path in (DATA / "dl19-passage" / "runs").iterdir()]
    assert len(set(tags)) < len(tags) == len(collection("dl19-passage").run_ids)


def test_every_topic_of_rep_llama_has_ties() -> None:
    path = DATA / "dl19-passage" / "runs" / "REP_LLAMA.run.gz"
    shared = Collection.from_files(
        [path], DATA / "dl19-passage" / "qrels.txt", ties="shared"
    )
    groups = shared.tie_groups
    assert groups is not None
    ranks = np.arange(shared.depth)
    assert ((groups[0] != ranks).any(axis=-1)).all()


def test_comments_in_trec_evals_qrels_are_skipped() -> None:
    commented = DATA / "trec_eval-test" / "official" / "qrels.test.with-comments"
    plain = read_qrels(DATA / "trec_eval-test" / "qrels.txt")
    read = read_qrels(commented)
    assert (read.topics, len(read)) == (plain.topics, len(plain))


@pytest.mark.parametrize(
    ("spec", "qrels", "run", "ties"),
    [
        ("7.spec", "frac.qrels", "noties.run", "docid"),
        ("9.spec", "mult.qrels", "noties-jumbled.run", "docid"),
        ("1.spec", "basic.qrels", "noties.run", "docid"),
        ("5.spec", "basic.qrels", "ties.run", "shared"),
        ("11.spec", "basic.qrels", "ties-jumbled.run", "shared"),
    ],
)
def test_rbp_sums_and_errors_equal_those_of_rbp_eval(
    spec: str, qrels: str, run: str, ties: str
) -> None:
    folder = DATA / "rbp_eval-spec"
    lines = (folder / spec).read_text().splitlines()
    pairs = [
        line.split() for line in lines if line[:1].isdigit() and len(line.split()) == 2
    ]
    runs = Collection.from_files([folder / run], folder / qrels, ties=ties)
    names = [f"RBP(p={p})@{depth}" for depth in (2, 5, 10) for p in (0.5, 0.8, 0.95)]
    found = []
    for topic in ("1", "2"):
        table = runs.evaluate(names)
        found += table[table.topic == topic][["lower", "upper"]].to_numpy().tolist()
    found += runs.mean(names)[["lower", "upper"]].to_numpy().tolist()
    assert len(found) == len(pairs) == 27
    for (lower, upper), (total, error) in zip(found, pairs, strict=True):
        assert (lower, upper - lower) == pytest.approx(
            (float(total), float(error)), abs=1.01e-4
        )


def test_the_pool_of_trec_covid_shows_the_drift_of_ap() -> None:
    runs = collection("trec-covid-r1")
    table = pool_sweep(runs, ["AP", "RBP(p=0.5)"], [5, 10, 100])
    values = table.pivot_table(index="run", columns=["metric", "depth"], values="value")
    for depth in (5, 10):
        ap = kendall_tau(values["AP"][depth], values["AP"][100])
        rbp = kendall_tau(values["RBP(p=0.5)"][depth], values["RBP(p=0.5)"][100])
        assert ap < rbp
