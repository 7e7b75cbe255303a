"""The dashboard's main script: page settings and navigation, nothing else."""

import streamlit as st

st.set_page_config(
    page_title="Ranklens", page_icon=":material/stacked_line_chart:", layout="wide"
)
st.navigation(
    [st.Page("app_pages/one_ranking.py", title="One ranking", default=True)]
).run()
