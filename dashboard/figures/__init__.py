"""Pure functions from data to Plotly figures."""
