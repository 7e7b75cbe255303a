"""A table of yes and no: metrics by properties; one cell is chosen."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import streamlit as st

from dashboard.components.assets import register

_HTML = """
<div class="properties">
  <p class="definition" aria-live="polite"></p>
  <div class="scroll"><table role="grid"><thead></thead><tbody></tbody></table></div>
</div>
"""
_mount = register("property_table", _HTML)


# a property: its key, its name on screen and what it means
Column: TypeAlias = tuple[str, str, str]
# a metric: its key, its name, what it stands for, the section it is in, yes or no a column
Row: TypeAlias = tuple[str, str, str, str, tuple[bool, ...]]


def property_table(  # noqa: PLR0913 - a table has these many sides
    label: str,
    *,
    key: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    chosen: str,
    definition: str,
    on_choose: Callable[[str], None],
) -> None:
    """Show the table; `on_choose` gets the chosen cell as ``"metric.property"``."""
    cells = {f"{row[0]}.{column[0]}" for row in rows for column in columns}

    def picked() -> None:
        cell = st.session_state[key].get("cell")
        if isinstance(cell, str) and cell in cells:
            on_choose(cell)

    _mount(
        key=key,
        data={
            "label": label,
            "columns": [
                dict(zip(("key", "name", "help"), column, strict=True))
                for column in columns
            ],
            "rows": [
                dict(zip(("key", "name", "help", "section", "holds"), row, strict=True))
                for row in rows
            ],
            "chosen": chosen,
            "definition": definition,
            "large": bool(st.session_state.get("projector", False)),
        },
        on_cell_change=picked,
    )


def link_buttons(links: Sequence[tuple[str, str, str]], *, key: str) -> None:
    """Show links side by side; each has its words, its address and what to know about it."""
    for number, (label, address, about) in enumerate(links):
        st.link_button(label, address, help=about, key=f"{key}{number}")
