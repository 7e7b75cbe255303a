"""What every metric of the registry must do; nothing may be left unclassified."""

from itertools import product

import numpy as np
import pytest

import core
from core.bounds import searched_range
from core.judged import PAST_END, UNJUDGED, Judged
from core.metrics.naming import MetricCall, parse_metric
from core.metrics.spec import ParamSpec
from core.relevance import judge

CUTOFF = 3


def calls() -> list[MetricCall]:
    """Every metric bare, and with every cutoff and condensed form it allows."""
    found = []
    for spec in core.METRICS:
        brackets = "(p1=0.9, p2=0.5)" if spec.key == "RBP(p1,p2)" else ""
        if spec.cutoff != "required":
            found.append(parse_metric(f"{spec.name}{brackets}"))
            found.append(parse_metric(f"{spec.name}'{brackets}"))
        if spec.cutoff != "none":
            found.append(parse_metric(f"{spec.name}{brackets}@{CUTOFF}"))
    return found


CALLS = calls()
BY_NAME = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
SPECS = pytest.mark.parametrize("spec", core.METRICS, ids=lambda spec: spec.key)
STRINGS = ["".join(marks) for size in range(1, 6) for marks in product("$-?", repeat=size)]
GRADED = ["3?1-2", "12?", "---3", "?1?2?", "0000", "23?-1", "1", "??3"]


def batch_of(texts: list[str]) -> Judged:
    """Put rankings of different depth into one batch, the short ones padded."""
    rankings = [judge(text, top_grade=3, num_rel=6, num_nonrel=7) for text in texts]
    depth = max(ranking.depth for ranking in rankings)
    grades = np.full((len(texts), depth), PAST_END, dtype=np.int8)
    for row, ranking in enumerate(rankings):
        grades[row, : ranking.depth] = ranking.grades
    counts = np.stack([ranking.grade_counts for ranking in rankings])
    return Judged(grades, counts, rankings[0].values)


def test_keys_are_unique_and_every_metric_is_found_by_name() -> None:
    keys = [spec.key for spec in core.METRICS]
    assert len(set(keys)) == len(keys)
    assert all(core.metric(spec.key) is spec for spec in core.METRICS)


@SPECS
def test_a_metric_explains_itself(spec: core.MetricSpec) -> None:
    assert spec.label
    assert spec.title
    assert spec.formula
    assert spec.source
    assert spec.reference in core.REFERENCES
    assert spec.values.__doc__
    assert all(param.help for param in spec.params)


@SPECS
def test_a_metric_that_can_be_undefined_says_when_and_only_such_a_one(
    spec: core.MetricSpec,
) -> None:
    name = f"{spec.name}@5" if spec.cutoff == "required" else spec.name
    nothing_relevant = core.score(name, "-----")
    assert np.isnan(nothing_relevant.value) == bool(spec.undefined)
    assert (spec.undefined in nothing_relevant.note) or not spec.undefined


@SPECS
def test_uses_num_rel_is_true_just_where_r_matters(spec: core.MetricSpec) -> None:
    name = f"{spec.name}@5" if spec.cutoff == "required" else spec.name
    differs = core.score(name, "---1-2", num_rel=9) != core.score(name, "---1-2")
    changes = {"NWRR"}  # R = 0 makes it undefined; beyond that it ignores R
    assert differs == spec.uses_num_rel or spec.key in changes


@SPECS
def test_graded_is_true_just_where_grades_matter(spec: core.MetricSpec) -> None:
    name = f"{spec.name}@5" if spec.cutoff == "required" else spec.name
    values = {core.score(name, text, topic="311000").value for text in ("-3-1-", "-1-1-")}
    assert (len(values) == 2) == spec.graded


@SPECS
def test_unjudged_documents_are_skipped_just_where_the_spec_says_so(
    spec: core.MetricSpec,
) -> None:
    name = f"{spec.name}@5" if spec.cutoff == "required" else spec.name
    open_one, closed = core.score(name, "-?$-$"), core.score(name, "--$-$", num_nonrel=3)
    known = core.score(name, "-?$-$", num_nonrel=3)
    assert (known.value == closed.value) == (spec.unjudged == "nonrelevant")
    assert not np.isnan(open_one.value)


@BY_NAME
def test_a_batch_scores_as_a_loop_does(call: MetricCall) -> None:
    batch = batch_of(GRADED + STRINGS[:40])
    together = call.score(batch)
    assert np.array_equal(call.values(batch), together.value, equal_nan=True)
    for row in range(len(batch.grades)):
        alone = call.score(batch[row])
        for part in ("value", "lower", "upper"):
            whole = getattr(together, part)[row]
            assert np.isclose(whole, getattr(alone, part), atol=1e-12, equal_nan=True)


@BY_NAME
def test_a_padded_ranking_scores_as_the_short_one(call: MetricCall) -> None:
    texts = GRADED
    batch = batch_of(texts)
    for row, text in enumerate(texts):
        short = call.values(judge(text, top_grade=3, num_rel=6, num_nonrel=7))
        assert np.isclose(call.values(batch)[row], short, atol=1e-12, equal_nan=True), text


@BY_NAME
def test_two_batch_axes_give_two_axes_of_scores(call: MetricCall) -> None:
    flat = batch_of(GRADED[:6])
    square = Judged(
        flat.grades.reshape(2, 3, -1), flat.grade_counts.reshape(2, 3, -1), flat.values
    )
    assert np.allclose(
        call.values(square), call.values(flat).reshape(2, 3), atol=1e-12, equal_nan=True
    )


@BY_NAME
def test_the_range_holds_for_every_way_of_judging_the_rest(call: MetricCall) -> None:
    for text in [*STRINGS, *GRADED]:
        score = call.score(judge(text))
        top = str(int(judge(text).top_grade))
        completions = [
            call.score(judge(_filled(text, marks), top_grade=int(top)))
            for marks in product(("0", top), repeat=text.count("?"))
        ]
        values = np.array([completion.value for completion in completions])
        lowers = np.array([completion.lower for completion in completions])
        uppers = np.array([completion.upper for completion in completions])
        if np.isnan(values).all():
            assert np.isnan(score.lower)
            continue
        assert np.isclose(score.lower, np.nanmin(lowers), atol=1e-12), text
        assert np.isclose(score.upper, np.nanmax(uppers), atol=1e-12), text


def _filled(text: str, marks: tuple[str, ...]) -> str:
    filled = iter(marks)
    return "".join(next(filled) if mark == "?" else mark for mark in text)


@BY_NAME
def test_contributions_add_up_to_the_value(call: MetricCall) -> None:
    for text in [*STRINGS, *GRADED]:
        for num_rel in (None, 9):
            judged = judge(text, num_rel=num_rel)
            value, shares = call.score(judged).value, call.contributions(judged)
            assert shares.shape == judged.grades.shape
            if np.isnan(value):
                assert np.isnan(shares).all()
            else:
                assert np.isclose(shares.sum(), value, atol=1e-12), text
                assert (shares[judged.grades <= 0] == 0).all(), text


# Moved in across the cutoff, a document can spoil a perfect top k of a self-normalised metric
# (Moffat 2013, section 3). The u + 1 candidates still suffice there: only the top k counts, and
# each number of relevant documents in it has its best and its worst places among them.
RISING = [
    call for call in CALLS if not call.condensed and call.name not in {"SNAP@3", "SNDCG@3"}
]


@pytest.mark.parametrize("call", RISING, ids=lambda call: call.name)
def test_a_relevant_document_moved_up_never_lowers_the_score(call: MetricCall) -> None:
    for text in (
        "".join(marks) for size in range(2, 7) for marks in product("$-", repeat=size)
    ):
        value = call.score(judge(text)).value
        for rank in range(1, len(text)):
            if text[rank - 1 : rank + 1] == "-$":
                moved = text[: rank - 1] + "$-" + text[rank + 1 :]
                after = call.score(judge(moved)).value
                # undefined before: the document was not within the cutoff
                assert np.isnan(value) or after >= value - 1e-12, (text, moved)


@SPECS
def test_cutoffs_are_taken_required_or_refused_as_declared(spec: core.MetricSpec) -> None:
    if spec.cutoff == "required":
        with pytest.raises(core.ParameterError, match="needs a cutoff"):
            core.score(spec.name, "$-")
    else:
        core.score(spec.name, "$-")
    if spec.cutoff == "none":
        with pytest.raises(core.ParameterError, match="has no cutoff"):
            core.score(f"{spec.name}@3", "$-")
    else:
        core.score(f"{spec.name}@3", "$-")
        for wrong in ("@0", "@-1", "@1000001"):
            with pytest.raises(core.ParameterError, match="cutoff must be from 1"):
                core.score(f"{spec.name}{wrong}", "$-")


PARAMS = [(spec, param) for spec in core.METRICS for param in spec.params]
BY_PARAM = pytest.mark.parametrize(
    ("spec", "param"), PARAMS, ids=lambda part: str(part)[:40]
)


def named(spec: core.MetricSpec, param: ParamSpec, value: object) -> str:
    at = "@5" if spec.cutoff == "required" else ""
    return f"{spec.name}({param.name}={value!r}){at}"


@BY_PARAM
def test_declared_limits_are_accepted_and_values_beyond_refused(
    spec: core.MetricSpec, param: ParamSpec
) -> None:
    ranking = "2?-1"
    if param.kind == "choice":
        for choice in param.choices:
            core.score(named(spec, param, choice), ranking)
        with pytest.raises(core.ParameterError, match="must be"):
            core.score(named(spec, param, "nonsense"), ranking)
        return
    low, high, low_allowed, high_allowed = param.limits()
    step = 1 if param.kind == "whole" else 1e-6
    inside = [low if low_allowed else low + step, high if high_allowed else high - step]
    outside = [low - step if low_allowed else low, high + step if high_allowed else high]
    for value in inside:
        core.score(named(spec, param, _form(param, value)), ranking)
    for value in [*outside, float("inf")]:
        with pytest.raises(core.ParameterError, match=r"must be|finite"):
            core.score(named(spec, param, _form(param, value)), ranking)


def _form(param: ParamSpec, value: float) -> object:
    if param.kind == "numbers":
        return f"{value}:{value}"
    if param.kind == "whole" and np.isfinite(value):
        return int(value)
    return value


@BY_PARAM
def test_every_parameter_changes_some_answer(
    spec: core.MetricSpec, param: ParamSpec
) -> None:
    others = {
        "real": [1.5, 0.3, 7.0],
        "whole": [2, 7],
        "choice": list(param.choices),
        "numbers": ["9:3:2"] if param.falling else ["5:6:7"],
    }[param.kind]
    low, high = param.limits()[:2] if param.kind in {"real", "whole"} else (0, 0)
    tried = [
        other
        for other in others
        if param.kind in {"choice", "numbers"} or low < other < high
    ]
    bare = f"{spec.name}(p1=0.9)" if param.name == "p2" else spec.name
    at = "@5" if spec.cutoff == "required" else ""
    ranking = "-1-3-2?-1"
    default = core.score(f"{bare}{at}", ranking, num_nonrel=20).value
    values = {
        core.score(named(spec, param, other), ranking, num_nonrel=20).value
        for other in tried
    }
    assert values - {default}


@SPECS
def test_the_seven_properties_are_found_for_every_metric(spec: core.MetricSpec) -> None:
    name = "RBP(p1=0.8, p2=0.6)" if spec.key == "RBP(p1,p2)" else spec.name
    found = core.metric_properties(name)
    assert list(found) == [
        "bounded",
        "monotonic",
        "convergent",
        "top_weighted",
        "localized",
        "complete",
        "realizable",
    ]
    for finding in found.values():
        assert finding.holds == (finding.witness is None)
        assert finding.worlds == 32


def test_unjudged_and_past_the_end_are_the_same_to_rbp_and_its_kin() -> None:
    for name in ("RBP(p=0.8)", "RBP(p1=0.9, p2=0.5)", "INSQ"):
        call = parse_metric(name)
        unjudged = call.score(judge("$-$??"))
        grades = np.array([1, 0, 1, PAST_END, PAST_END], dtype=np.int8)
        past = call.score(Judged(grades, np.array([1, 2]), np.array([0.0, 1.0])))
        assert UNJUDGED in judge("$-$??").grades
        assert (past.value, past.lower, past.upper) == pytest.approx(
            (unjudged.value, unjudged.lower, unjudged.upper)
        )


def test_closed_form_candidates_agree_with_scoring_each_completion() -> None:
    rng = np.random.default_rng(20)
    for name in ("AP", "AP@4", "AP@30", "DCG", "DCG(b=2)@6", "nDCG", "nDCG(gain='exp')@5"):
        call = parse_metric(name)
        for _ in range(60):
            text = "".join(rng.choice(list("0123?"), size=rng.integers(1, 14)))
            judged = judge(text, num_rel=20, num_nonrel=20, top_grade=3)
            if not judged.unjudged.any():
                continue
            found = call.score(judged)
            slow = searched_range(judged, call.values, rises=True)
            assert (found.lower, found.upper) == pytest.approx((slow.lower, slow.upper)), (
                text
            )
