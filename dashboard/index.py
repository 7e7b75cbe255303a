"""Streamlit's page, which knows where its server is.

Left to itself a page such as ``/scores`` first asks for the server below its own path, where there
is none: two errors in the browser's console and a pause at every start.
"""

from pathlib import Path

from streamlit.file_util import get_static_dir

# All addresses of pages are one step below the server's, also behind a proxy.
_SERVER = (
    "<script>window.__streamlit = "
    '{ BACKEND_BASE_URL: new URL("./", location.href).href }</script>'
)
_HEAD = '<meta charset="UTF-8" />'


def index_page() -> str:
    """Add the server's address to the page that the installed Streamlit ships."""
    page = (Path(get_static_dir()) / "index.html").read_text(encoding="utf-8")
    return page.replace(_HEAD, f"{_HEAD}\n    {_SERVER}", 1)


INDEX_PAGE = index_page()
PAGES = [path.stem for path in (Path(__file__).parent / "app_pages").glob("[!_]*.py")]
