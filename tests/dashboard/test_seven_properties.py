"""Seven properties: the table, its counterexamples, own rankings, pictures and the page."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import core
from core.properties import worlds_of
from dashboard.figures.seven_properties import (
    Point,
    Strip,
    cutoffs_picture,
    strips_picture,
    trial_picture,
    worlds_picture,
)
from dashboard.figures.theme import Look
from dashboard.presets import SEVEN_PROPERTIES, Preset
from dashboard.state import read_query
from dashboard.views.one_ranking import FIELDS as ONE_RANKING_FIELDS
from dashboard.views.own_ranking import read_world, try_ranking
from dashboard.views.seven_properties import (
    FIELDS,
    KEYS,
    PROPERTIES,
    TABLE_2,
    links,
    table,
    take_away,
    view,
)
from tests.core.test_properties_table import TABLE
from tests.dashboard.test_pages import boards, started

DEFAULTS: dict[str, Any] = {item.name: item.default for item in FIELDS}
LOOKS = [Look(), Look(dark=True, large=True)]


def test_the_thirteen_come_first_and_agree_with_table_2() -> None:
    rows = table(5)
    assert [row.key for row in rows[:13]] == list(TABLE)  # Moffat 2013, Table 2
    for row in rows[:13]:
        assert "".join("NY"[holds] for holds in row.holds) == TABLE[row.key]
    assert {row.key for row in rows} == {spec.key for spec in core.METRICS}
    assert {row.section for row in rows[13:]} == {"Other metrics: found here"}


@pytest.mark.parametrize("key", KEYS)
def test_rankings_of_ones_own_break_what_the_search_finds_broken(key: str) -> None:
    worlds = [world for size in range(1, 5) for world in worlds_of(size)]
    trials = [try_ranking(key, world) for world in worlds]
    for name, finding in core.metric_properties(key, 4).items():
        assert any(trial[name].broken for trial in trials) != finding.holds, name


@pytest.mark.parametrize(
    ("key", "text", "name", "broken", "words"),
    [
        # Moffat 2013, section 4: SN-AP@5 of 10000 is 1, of 10001 it is 0.7
        ("SNAP", "100001", "convergent", (2, 3, 4, 5), "from 1.0000 to 0.7000"),
        # P@6 and nDCG@6 of 111110 (R > 5): 0.83 and 0.89
        ("P", "1111101", "monotonic", (6,), "from 1.0000 to 0.8333"),
        ("nDCG", "1111101", "monotonic", (6,), "from 1.0000 to 0.8922"),
        # section 3: SN-DCG@5 of 10100 is 0.92, of 10101 it is 0.885
        ("SNDCG", "101001", "convergent", (2, 4, 5), "from 0.9197 to 0.8855"),
        ("RR", "10001", "top_weighted", (5,), "from 1.0000 to 1.0000"),
        ("AP", "00000", "complete", (1, 2, 3, 4, 5), "no score"),
        ("AP", "$??", "complete", (), ""),
    ],
)
def test_the_papers_own_examples_break_what_the_paper_says(
    key: str, text: str, name: str, broken: tuple[int, ...], words: str
) -> None:
    trial = try_ranking(key, read_world(text))[name]
    assert trial.broken == broken
    assert words in trial.example


def test_a_ranking_of_ones_own_may_not_be_too_long() -> None:
    with pytest.raises(core.InputError, match="only 20 can be tried here"):
        read_world("1" * 21)


@pytest.mark.parametrize("preset", SEVEN_PROPERTIES, ids=lambda preset: preset.name)
def test_every_preset_shows_its_counterexample_and_breaks_its_property(
    preset: Preset,
) -> None:
    shown = view({**DEFAULTS, **preset.values}, Look())
    for picture in (*shown.pictures, *shown.own_pictures):
        picture.figure.checked()
    name = preset.values["cell"].split(".")[1]
    assert PROPERTIES[name].name in shown.own_sentence
    assert shown.links
    assert "$" not in shown.sentence


def test_a_yes_says_in_how_many_worlds_it_was_checked() -> None:
    shown = view({**DEFAULTS, "cell": "RBP.convergent", "D": 6}, Look())
    assert "RBP is convergent in all 64 worlds of six documents" in shown.sentence
    assert shown.tiles[1][1] == "64"
    assert not shown.links
    assert shown.world == ""


@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("P", "SDCG")])
def test_one_ranking_shows_the_scores_of_the_counterexample(key: str) -> None:
    for name, finding in core.metric_properties(key, 5).items():
        if finding.witness is None:
            continue
        opened: list[tuple[str, float]] = []
        for link in links(key, finding.witness):
            query = {k: v[0] for k, v in parse_qs(urlsplit(link.address).query).items()}
            values, notes = read_query(ONE_RANKING_FIELDS, query)
            assert not notes, name
            topic = {"num_rel": values["R"], "num_nonrel": values["N"]}
            opened += [
                (values[field], float(core.score(_bare(key), values[field], **topic).value))
                for field in ("r", "r2")
                if values[field]
            ]
        assert [text.replace("$", "1").replace("-", "0") for text, _ in opened] == [
            world[:cutoff]
            for world, cutoff in zip(
                finding.witness.rankings, finding.witness.cutoffs, strict=True
            )
        ]
        scores = [score for _, score in opened]
        assert scores == pytest.approx(list(finding.witness.scores), nan_ok=True), name


def _bare(key: str) -> str:
    """Name a metric as One ranking lists it."""
    return f"{key}@10" if core.metric(key).cutoff == "required" else key


@pytest.mark.parametrize("look", LOOKS)
def test_strips_show_both_worlds_with_cutoffs_and_scores(look: Look) -> None:
    strips = [
        Strip("before", "101", 2, "RR = 1.0000"),
        Strip("after", "110", 2, "RR = 1.0000"),
    ]
    picture = strips_picture(strips, title="No", caption="", look=look)
    figure = picture.figure.checked()
    assert [list(trace.text) for trace in figure.data] == [
        ["1", "0"],
        ["1"],
        ["1", "1"],
        ["0"],
    ]
    assert list(figure.data[0].marker.line.width) == [1.5, 4]  # rank 2 changes
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5, 2.5]
    assert [note.text for note in figure.layout.annotations] == ["RR = 1.0000"] * 2
    assert "after: 110, seen to rank 2, RR = 1.0000" in picture.alt


@pytest.mark.parametrize("look", LOOKS)
def test_worlds_are_counted_and_the_counterexample_is_marked(look: Look) -> None:
    points = [Point(1, 0.0, 2), Point(1, 1.0, 2), Point(2, 1.5, 1)]
    picture = worlds_picture(
        points, [(2, 1.5), (1, np.nan)], metric="SP", undefined={1: 0, 2: 3}, look=look
    )
    figure = picture.figure.checked()
    assert list(figure.data[0].customdata) == [2, 2, 1]
    assert list(figure.data[1].x) == [2]
    assert list(figure.layout.xaxis.ticktext) == ["1", "2<br>(3)"]
    assert figure.layout.yaxis.range[1] > 1.5
    assert "k = 2: from 1.5000 to 1.5000, 3 undefined" in picture.alt


def test_a_trial_marks_broken_kept_and_not_tested() -> None:
    rows = [("Bounded", [False, True]), ("Complete", [None, None])]
    picture = trial_picture(rows, metric="SP", chosen=0, look=Look())
    figure = picture.figure.checked()
    assert [list(line) for line in figure.data[0].z] == [[0, 1], [None, None]]
    assert [list(line) for line in figure.data[0].text] == [["✓", "✗"], ["", ""]]
    assert "Bounded at k = 2" in picture.alt


def test_scores_by_cutoff_are_written_out_and_undefined_is_a_word() -> None:
    picture = cutoffs_picture(np.array([np.nan, 0.5]), metric="SN-AP", look=Look())
    picture.figure.checked()
    assert "k = 1 undefined; k = 2 0.5000" in picture.alt
    nothing = cutoffs_picture(np.array([np.nan]), metric="AP", look=Look()).figure
    assert nothing.layout["annotations"][0]["text"] == "undefined at every k"


@pytest.mark.parametrize("cell", ["SNAP.monotonic", "RBP(p1,p2).bounded", "AP.complete"])
def test_the_snippet_runs_and_the_row_has_seven_answers(
    cell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = take_away({**DEFAULTS, "cell": cell})
    exec(compile(taken.python, "snippet", "exec"), {})  # noqa: S102
    printed = capsys.readouterr().out.split()
    key, name = cell.split(".")
    finding = core.metric_properties(key, 5)[name]
    assert printed[:2] == [str(finding.holds), "32"]
    if finding.witness is not None:
        last = float(printed[-1])
        assert last == pytest.approx(finding.witness.scores[-1], nan_ok=True)
    assert taken.latex.splitlines()[1].count("&") == 7
    assert "Seven numeric properties" in taken.citation


def test_more_documents_try_more_worlds_on_the_page() -> None:
    app = started("seven_properties.py")
    first, own = boards(app)
    witness = core.metric_properties("SNAP", 5)["monotonic"].witness
    assert witness is not None
    assert [tile["value"] for tile in first["tiles"]] == [
        *("no", "32"),
        *(f"{score:.4f}" for score in witness.scores),
    ]
    assert "100001" in own["sentence"]
    app.segmented_control(key="seven_properties.D").set_value(6).run()
    assert boards(app)[0]["tiles"][1]["value"] == "64"


def test_a_bad_link_falls_back_with_a_note() -> None:
    query = {"cell": "XYZ.bounded", "D": "9", "own": "10!", "projector": "7"}
    values, notes = read_query(FIELDS, query)
    assert values == DEFAULTS
    assert len(notes) == 4
    assert "rank 3: '!' is not a judgment" in " ".join(notes)
    values, notes = read_query(FIELDS, {"own": "1" * 21})
    assert "only 20 can be tried" in notes[0]


def test_table_2_names_metrics_that_exist() -> None:
    assert {core.metric(key).key for key in TABLE_2} == set(TABLE_2)
