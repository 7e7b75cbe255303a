"""The dashboard's main script: page settings, style and navigation, nothing else."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

st.set_page_config(page_title="Ranklens", page_icon=str(HERE / "icon.png"), layout="wide")
st.html(HERE / "style.css")
st.navigation(
    [st.Page("app_pages/one_ranking.py", title="One ranking", default=True)], position="top"
).run()
