"""The least a Streamlit page with two charts can do; the dashboard is measured against it."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

p = st.slider("p", 0.0, 0.99, 0.8, 0.01)
x = np.linspace(0.0, 1.0, 100)
for power in (1, 2):
    line = {"type": "scatter", "x": x, "y": (x * p) ** power}
    figure = go.Figure({"data": [line], "layout": {"yaxis": {"range": [0, 1]}}})
    st.plotly_chart(figure, key=f"chart{power}")
