"""Text from people, made safe for Streamlit's Markdown: shown as it is, never interpreted."""

import re
from typing import Final

# Markdown's own marks, $ (maths), : (icons and colours), < and & (HTML), @ (addresses).
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]#!$:<>&|~@])")


def plain(text: str) -> str:
    r"""Escape every character that Markdown could take for something else.

    Examples
    --------
    >>> print(plain("$x$ [a](b)"))
    \$x\$ \[a\](b)
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
