"""What people type is shown as they typed it."""

import pytest

from dashboard.markdown import plain


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("$x$", r"\$x\$"),
        ("[a](b)", r"\[a\](b)"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        (":red[x] :material/bolt:", r"\:red\[x\] \:material/bolt\:"),
        ("a*b_c`d\\", r"a\*b\_c\`d\\"),
        ("two\n# lines", r"two \# lines"),
    ],
)
def test_nothing_is_left_for_markdown_to_interpret(text: str, escaped: str) -> None:
    assert plain(text) == escaped
