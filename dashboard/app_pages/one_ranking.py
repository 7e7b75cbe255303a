"""One ranking: type its relevance, move p, read the scores and their ranges."""

import streamlit as st

import core
from dashboard.figures.bounds import bounds_figure
from dashboard.figures.contributions import contributions_figure
from dashboard.tables import all_scores, p_grid

EXAMPLE = "$$---$----$-----$---"

st.title("One ranking")
text = st.text_input(
    "Relevance, best rank first",
    EXAMPLE,
    key="one_ranking.text",
    live="0ms",
    max_chars=20_000,
    help="`$` relevant, `-` nonrelevant, `?` unjudged, digits are grades, `( )` ties",
)
p = st.slider("Persistence p", 0.0, 0.99, 0.8, 0.01, key="one_ranking.p")
try:
    judged = core.parse_relevance(text or "")
except core.CoreError as error:
    st.error(str(error).replace("$", r"\$"))
    judged = core.parse_relevance(st.session_state.get("one_ranking.last_good", EXAMPLE))
else:
    st.session_state["one_ranking.last_good"] = text

rbp = core.score(f"RBP(p={p})", judged)
ap = core.score("AP", judged)
left, right = st.columns(2)
left.metric(f"RBP at p = {p:.2f}", core.format_score(rbp))
right.metric("Average precision", core.format_score(ap))

grid = p_grid()
left.plotly_chart(
    bounds_figure(grid, core.rbp_curve(judged, grid), p=p),
    key="one_ranking.bounds",
    alt=f"RBP against p; at p = {p:.2f} it lies between {rbp.lower:.4f} and {rbp.upper:.4f}.",
)
right.plotly_chart(
    contributions_figure(
        core.contributions(f"RBP(p={p})", judged), core.contributions("AP", judged)
    ),
    key="one_ranking.contributions",
    alt=f"Contribution of each rank to RBP ({rbp.value:.4f}) and to AP ({ap.value:.4f}).",
)
st.subheader("Every metric, with its range over all ways of judging the rest")
st.dataframe(all_scores(judged, p), hide_index=True, key="one_ranking.table", height=920)
