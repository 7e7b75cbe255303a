"""The dashboard's main script: page settings, style and navigation, nothing else."""

from datetime import timedelta
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

st.set_page_config(page_title="Ranklens", page_icon=str(HERE / "icon.png"), layout="wide")
st.html(HERE / "style.css")


@st.fragment(run_every=timedelta(days=1))
def come_back() -> None:
    """Draw nothing: only where something repeats is the page run again after a lost connection.

    Without it a page that was open while the server was restarted would look alive, and
    everything done on it would be ignored.
    """


come_back()
st.navigation(
    [
        st.Page("app_pages/one_ranking.py", title="One ranking", default=True),
        st.Page("app_pages/choosing_p.py", title="Choosing p"),
        st.Page("app_pages/two_papers.py", title="Two papers, two p"),
        st.Page("app_pages/scores.py", title="Scores"),
        st.Page("app_pages/pool_depth.py", title="Pool depth"),
        st.Page("app_pages/fewer_judgments.py", title="Fewer judgments"),
        st.Page("app_pages/agreement.py", title="Do metrics agree?"),
        st.Page("app_pages/seven_properties.py", title="Seven properties"),
        st.Page("app_pages/one_good_answer.py", title="One good answer"),
    ],
    position="top",
).run()
