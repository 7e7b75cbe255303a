"""The least a page that takes files can do; the upload of the dashboard is measured against it."""

import streamlit as st

files = st.file_uploader("Files", accept_multiple_files=True)
if files:
    st.text(f"received {sum(len(file.getvalue()) for file in files)} bytes")
