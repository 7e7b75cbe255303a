"""Scores: the view's numbers and words, its tables and pictures, and the page around them."""

import io
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest

import core
from core.collection import Collection
from dashboard.figures.scores import MOST_BARS, Pair, differences_picture, plain
from dashboard.figures.theme import Look
from dashboard.links import one_ranking_link
from dashboard.presets import SCORES, Preset
from dashboard.session_data import Source
from dashboard.state import expand, read_query
from dashboard.uploads import File, Holdings, add
from dashboard.views.score_table import Means, as_csv, as_latex, score_table
from dashboard.views.scores import (
    FIELDS,
    METRIC_CHOICES,
    View,
    check_names,
    compare,
    deciding,
    split_names,
    take_away,
    view,
)
from tests.dashboard.test_pages import boards, started

ROOT = Path(__file__).parents[2]
DEFAULTS = {item.name: item.default for item in FIELDS}
LOOKS = (Look(), Look(dark=True), Look(large=True))
ODD_RUN = b"1 Q0 <b>d$1$</b> 1 9 x\n1 Q0 d2 2 8 x\n2 Q0 d1 1 5 x\n"
ODD_QRELS = b"1 0 <b>d$1$</b> 1\n1 0 d2 0\n2 0 d1 0\n"


@cache
def sample() -> Collection:
    return core.sample_collection()


def shown(collection: Collection | None = None, **values: object) -> View:
    used = collection or sample()
    ranges = bool(values.get("ranges", False))
    return view(
        {**DEFAULTS, **values},
        used,
        lambda name: used.scores(name, ranges=ranges),
        Look(),
    )


def odd(*runs: tuple[str, bytes]) -> Collection:
    files = [File(*run) for run in runs or (("one.run", ODD_RUN),)]
    held = add(Holdings(), [*files, File("q", ODD_QRELS)])
    assert held.collection is not None
    return held.collection


# --- numbers ----------------------------------------------------------------------------------


def test_the_table_has_the_means_that_core_computes() -> None:
    table = shown(more="AP@100, nDCG(gain='exp')@10").table.set_index("run")
    metrics = ["RBP(p=0.8)", "AP", "P@10", "AP@100", "nDCG(gain='exp')@10"]
    means = sample().mean(metrics).set_index(["run", "metric"])["value"]
    for run in sample().run_ids:
        for metric in metrics:
            assert table.loc[run, metric] == pytest.approx(means[run, metric])
    assert (table["topics"] == 25).all()


def test_ranges_come_on_request_and_hold_the_mean() -> None:
    table = shown(ranges=True, m=("AP", "RBP")).table
    assert (table["AP least"] <= table["AP"]).all()
    assert (table["AP"] <= table["AP most"]).all()
    expected = sample().mean("AP", ranges=True).set_index("run")["upper"]
    assert table.set_index("run")["AP most"].to_dict() == pytest.approx(expected.to_dict())
    assert "AP least" not in shown(m=("AP",)).table


def test_the_best_run_by_the_chosen_metric_comes_first() -> None:
    table = shown(by="AP").table
    assert table["AP"].is_monotonic_decreasing
    assert shown(by="AP").chosen["a"] == table.loc[0, "run"]
    assert shown(by="AP").chosen["b"] == table.loc[1, "run"]


@pytest.mark.parametrize("metric", ["AP", "RR", "RBP(p=0.8)"])
def test_the_tests_are_those_of_core(metric: str) -> None:
    found = compare(sample(), sample().scores(metric), "ash1", "elm1", over="all")
    two = sample().only(sample().run_places(["ash1", "elm1"]))
    pair = core.significant_pairs(two, metric).pairs.iloc[0]
    assert found.mean == pytest.approx(pair["difference"])
    assert found.wilcoxon == pytest.approx(pair["wilcoxon_p"])
    assert found.t == pytest.approx(pair["t_p"])
    assert sum(found.counts) == 25


def test_documents_that_decide_add_up_to_the_difference() -> None:
    shares, notes = deciding(sample(), "AP", "ash1", "elm1", "7")
    assert not notes
    scores = sample().evaluate("AP").set_index(["run", "topic"])["value"]
    expected = scores["ash1", "7"] - scores["elm1", "7"]
    assert sum(share.difference for share in shares) == pytest.approx(expected)
    sizes = [abs(share.difference) for share in shares]
    assert sizes == sorted(sizes, reverse=True)
    first = shares[0]
    if first.rank_a is not None:
        assert sample().documents("ash1", "7")[first.rank_a - 1] == first.document


def test_a_metric_without_parts_says_so() -> None:
    whole = [name for name in METRIC_CHOICES[2:] if core.metric(name).shares is None]
    for name in whole:
        assert "no decomposition" in " ".join(shown(m=(name,)).notes)


def test_a_link_opens_the_same_ranking_with_the_same_score() -> None:
    for run, topic in (("ash1", "7"), ("short1", "3")):
        address = one_ranking_link(sample(), (run,), topic, p=0.9)
        assert address is not None
        query = {k: v[0] for k, v in parse_qs(urlsplit(address).query).items()}
        ranking = expand(query["r"])
        assert ranking == core.format_relevance(sample().ranking(run, topic))
        assert query["p"] == "0.9"
        known = {"topic": expand(query["topic"]), "top_grade": int(query["top"])}
        for metric in ("AP", "nDCG", "Bpref", "Qmeasure", "RBP(p=0.8)"):
            own = core.score(metric, sample().ranking(run, topic)).value
            assert core.score(metric, ranking, **known).value == pytest.approx(own)  # type: ignore[arg-type]


def test_binary_judgments_give_r_and_n_and_fractions_no_link() -> None:
    address = one_ranking_link(odd(), ("one",), "1")
    assert address == "./?r=$-&R=1&N=1"
    gains = Collection.from_files({"a": b"1 Q0 d 1 1 x\n"}, b"1 0 d 0.5\n")
    assert one_ranking_link(gains, ("a",), "1") is None
    assert shown(gains).links == []


def test_means_over_the_topics_present_leave_missing_ones_out() -> None:
    part = b"1 Q0 d2 1 9 x\n"
    collection = odd(("all.run", ODD_RUN), ("part.run", part))
    every = shown(collection, m=("P@10",)).table.set_index("run")
    present = shown(collection, m=("P@10",), over="present").table.set_index("run")
    assert every["topics"].tolist() == [2, 2]
    assert present.loc["part", "P@10 topics"] == 1
    assert "One ranking missing from runs" in " ".join(shown(collection).notes)


# --- what is undefined, odd or hostile --------------------------------------------------------


def test_undefined_scores_are_empty_and_said_so() -> None:
    collection = Collection.from_files({"a": ODD_RUN}, b"1 0 d2 0\n2 0 d1 0\n")
    found = shown(collection, m=("AP", "RBP"))
    assert found.table["AP"].isna().all()
    assert "undefined" in " ".join(found.notes)
    assert "no score" in found.sentence
    assert ",," in as_csv(found.table) or ",\n" in as_csv(found.table)
    assert "--" in as_latex(found.table)


def test_one_run_and_one_topic_are_enough_for_a_page() -> None:
    found = shown(Collection.from_files({"a": b"1 Q0 d 1 1 x\n"}, b"1 0 d 1\n"))
    assert "a scores" in found.sentence
    assert found.tiles[3][1] == "none, none"


def test_names_from_files_are_never_markup() -> None:
    collection = odd(("<img src=x>.run", ODD_RUN), ("=cmd().run", b"1 Q0 d2 1 9 x\n"))
    found = shown(collection, m=("AP",), a="<img src=x>", b="=cmd()", t="1")
    for picture in found.pictures:
        text = str(picture.figure.to_json())
        for mark in ("<img", "<b>d"):
            assert mark not in text.replace('"customdata": ["<', '"customdata": ["')
    assert "'=cmd()" in as_csv(found.table)
    assert plain("<b>") == "&lt;b&gt;"


def test_latex_is_escaped_and_complete() -> None:
    text = as_latex(pd.DataFrame({"run": ["a_b&c\\", "d"], "AP": [0.5, float("nan")]}))
    assert r"a\_b\&c\textbackslash{} & 0.5000 \\" in text
    assert r"d & -- \\" in text
    assert text.count("\n") == 8


def test_csv_reads_back() -> None:
    table = shown().table
    back = pd.read_csv(io.StringIO(as_csv(table)))
    assert back["run"].tolist() == table["run"].tolist()
    assert np.allclose(back["AP"], table["AP"], atol=1e-6)


def test_number_of_topics_is_given_by_metric_where_it_differs() -> None:
    collection = odd()
    means = {
        name: Means.of(collection, collection.scores(name), over="all")
        for name in ("AP", "P@10")
    }
    table = score_table(collection.run_ids, means, "AP", ranges=False)
    assert table.loc[0, "AP topics"] == 1
    assert table.loc[0, "P@10 topics"] == 2


# --- state, presets, pictures -----------------------------------------------------------------


def test_names_of_metrics_are_split_outside_brackets_and_checked() -> None:
    text = "AP, RBP(p1=0.8, p2=0.6); nDCG@10,AP"
    assert split_names(text) == ("AP", "RBP(p1=0.8, p2=0.6)", "nDCG@10")
    assert check_names(" ") == ""
    with pytest.raises(core.UnknownMetricError):
        check_names("AP, ERR")
    with pytest.raises(core.LimitError):
        check_names(",".join(f"P@{k}" for k in range(1, 30)))


def test_the_link_carries_the_settings_and_bad_ones_are_noted() -> None:
    values, notes = read_query(FIELDS, {"m": "AP;RR", "a": "ash1", "t": "7", "ranges": "1"})
    assert values["m"] == ("AP", "RR")
    assert not notes
    _, notes = read_query(FIELDS, {"m": "AP;zzz", "more": "ERR", "over": "x"})
    assert len(notes) == 3


def test_runs_and_topics_that_are_not_there_fall_back_with_a_note() -> None:
    found = shown(a="nobody", t="999")
    assert found.chosen["a"] in sample().run_ids
    assert "nobody is not in this collection" in " ".join(found.notes)
    assert "999 is not in this collection" in " ".join(found.notes)


@pytest.mark.parametrize("preset", SCORES, ids=lambda preset: preset.name)
def test_every_preset_can_be_drawn_in_every_look(preset: Preset) -> None:
    values = DEFAULTS | preset.values  # noqa: PD011 - not a table
    for look in LOOKS:
        found = view(values, sample(), sample().scores, look)
        for picture in found.pictures:
            picture.figure.checked()
            assert any(mark.isdigit() for mark in picture.alt)


def test_a_run_outside_the_pool_could_still_turn_the_order() -> None:
    found = shown(m=("AP",), ranges=True, a="newcomer2", b="cedar3")
    assert "could turn the order" in found.sentence
    assert "range" in found.tiles[0][2]


def test_many_topics_are_cut_to_both_ends() -> None:
    topics = [str(number) for number in range(500)]
    picture = differences_picture(
        topics, np.linspace(-0.5, 0.5, 500), Pair("a", "b", "AP"), chosen="3", look=Look()
    )
    picture.figure.checked()
    assert len(picture.figure.data[0]["x"]) == MOST_BARS
    assert "500 topics" in picture.caption


def test_the_snippet_prints_the_numbers_on_screen() -> None:
    values = {**DEFAULTS, "m": ("AP", "RR"), "by": "AP", "a": "ash1", "b": "elm1"}
    written = take_away(values, Source("", sample(), is_sample=True), sample().scores)
    done = subprocess.run(
        [sys.executable, "-c", written.python],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    found = compare(sample(), sample().scores("AP"), "ash1", "elm1", over="all")
    assert f"{found.mean:.6f}"[:8] in done
    assert written.latex.startswith(r"\begin{tabular}")
    uploaded = Source("", sample(), is_sample=False, keywords=", min_rel=2")
    own = take_away(values, uploaded, sample().scores).python
    compile(own, "snippet", "exec")
    assert 'from_files(runs, "qrels.txt", min_rel=2)' in own


# --- the page ---------------------------------------------------------------------------------


def test_choosing_runs_and_metric_shows_what_core_computes() -> None:
    app = started("scores.py")
    assert not app.exception
    app.selectbox(key="scores.by").set_value("AP").run()
    app.selectbox(key="scores.a").set_value("elm1").run()
    mean = sample().mean("AP").set_index("run")["value"]["elm1"]
    tiles = {tile["label"]: tile["value"] for tile in boards(app)[0]["tiles"]}
    assert tiles["A: elm1"] == f"{mean:.4f}"
    app.text_input(key="scores.more").set_value("AP@20").run()
    assert "AP@20" in app.dataframe[0].value.columns
    app.text_input(key="scores.more").set_value("XYZ").run()
    assert not app.exception
    assert "XYZ" in app.error[0].value
    assert "AP@20" in app.dataframe[0].value.columns


def test_ranges_are_switched_on_with_the_page() -> None:
    app = started("scores.py")
    app.toggle(key="scores.ranges").set_value(v=True).run()
    assert not app.exception
    assert "AP least" in app.dataframe[0].value.columns
    app.run()  # what was kept is used
    assert not app.exception


def test_an_upload_is_used_and_left_and_kept() -> None:
    app = started("scores.py")
    app.session_state["collection.holdings"] = Holdings()
    uploader = app.file_uploader[0]
    uploader.set_value(
        [("one.run", ODD_RUN, "text/plain"), ("q.txt", ODD_QRELS, "text/plain")]
    ).run()
    assert not app.exception
    texts = " ".join(text.value for text in app.text)
    assert "your upload, 1 run ×" in texts
    app.button(key="scores.to_sample").click().run()
    assert "the simulated sample" in " ".join(text.value for text in app.text)
    app.button(key="scores.to_upload").click().run()
    assert "your upload" in " ".join(text.value for text in app.text)
    app.multiselect(key="scores.remove").set_value(["one"]).run()
    app.button(key="scores.remove_now").click().run()
    assert "the simulated sample" in " ".join(text.value for text in app.text)
    assert "no run" in app.info[0].value


def test_what_counts_as_relevant_can_be_set_for_an_upload() -> None:
    run, qrels = b"1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n", b"1 0 a 1\n1 0 b 2\n"
    app = started("scores.py")
    files = [("one.run", run, "text/plain"), ("q.txt", qrels, "text/plain")]
    app.file_uploader[0].set_value(files).run()
    app.number_input(key="scores.reading.min_rel").set_value(2).run()
    assert not app.exception
    collection = core.Collection.from_files({"one": run}, qrels, min_rel=2)
    mean = float(collection.mean("AP").value[0])
    assert mean == pytest.approx(0.5)
    assert app.dataframe[0].value["AP"].tolist() == pytest.approx([mean])
    app.number_input(key="scores.reading.min_rel").set_value(1).run()
    assert app.dataframe[0].value["AP"].tolist() == pytest.approx([1.0])
