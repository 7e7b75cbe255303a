"""The lines between the layers, held by a program."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]

# folder or file -> (packages it must not import)
FORBIDDEN = {
    "core/metrics": {"pandas", "scipy", "streamlit", "plotly", "dashboard"},
    "core": {
        "streamlit",
        "plotly",
        "dashboard",
        "threading",
        "multiprocessing",
        "subprocess",
    },
    "dashboard/figures": {"streamlit"},
    "dashboard/app_pages": {"plotly", "numpy"},
}


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_imports_nothing_that_it_must_not(layer: str) -> None:
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    for path in files:
        roots = {name.split(".")[0] for name in imports_of(path)}
        assert not roots & FORBIDDEN[layer], path.relative_to(ROOT)


def test_figures_use_no_other_part_of_the_dashboard() -> None:
    for path in (ROOT / "dashboard/figures").glob("*.py"):
        inside = {name for name in imports_of(path) if name.startswith("dashboard")}
        assert all(name.startswith("dashboard.figures") for name in inside), path.name


def test_importing_core_loads_no_front_end_and_nothing_slow() -> None:
    code = "import sys, core; print(*(m for m in sys.modules if '.' not in m))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"streamlit", "plotly", "pandas", "scipy", "dashboard"}


# what could run what somebody sent, or put it on the disk or into the page as markup
BANNED_CALLS = {
    *("eval", "exec", "compile", "__import__", "system", "popen", "spawn", "fork"),
    *("write_text", "write_bytes", "mkdir", "unlink", "rmtree", "symlink_to"),
    *("NamedTemporaryFile", "TemporaryFile", "mkstemp", "mkdtemp"),
    *("literal_eval", "from_pickle", "read_pickle", "to_pickle", "unsafe_load"),
}
BANNED_MODULES = {
    *("pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "yaml", "subprocess"),
    *("tempfile", "shutil", "ctypes", "socket", "ftplib", "tarfile", "zipfile"),
}
OPENS_A_PATH = {"core/sources.py"}  # one that the library's caller gives, for reading
SOURCES = sorted((*(ROOT / "core").rglob("*.py"), *(ROOT / "dashboard").rglob("*.py")))


def called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", "") or getattr(node.func, "id", ""))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_that_somebody_sent_is_run_stored_or_shown_as_markup(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    # re.compile is no danger
    names = {called(call) for call in calls if not _is_regex(call)}
    assert not names & BANNED_CALLS
    assert not {name.split(".")[0] for name in imports_of(path)} & BANNED_MODULES
    keywords = {word.arg for call in calls for word in call.keywords}
    assert not keywords & {"unsafe_allow_html", "allow_pickle", "unsafe_allow_javascript"}
    if str(path.relative_to(ROOT)) not in OPENS_A_PATH:
        assert "open" not in names
    for call in calls:
        if called(call) == "open":
            assert [arg.value for arg in call.args if isinstance(arg, ast.Constant)] == [
                "rb"
            ]


def _is_regex(call: ast.Call) -> bool:
    owner = getattr(call.func, "value", None)
    return isinstance(owner, ast.Name) and owner.id == "re"


def test_html_is_only_the_style_sheet_that_ships_with_the_dashboard() -> None:
    for path in (ROOT / "dashboard").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in {"html", "iframe"}:
                assert ast.unparse(node) == "st.html(HERE / 'style.css')", path.name


def test_a_file_name_from_an_upload_never_becomes_a_path() -> None:
    """Nothing on the way of an upload knows of paths; core only takes the last part of a name."""
    for name in ("uploads.py", "upload_gate.py", "memory.py", "session_data.py"):
        path = ROOT / "dashboard" / name
        assert not imports_of(path) & {"os", "pathlib", "os.path"}, name
    assert "os" not in imports_of(ROOT / "dashboard/components/collection_source.py")


def test_core_prints_nothing() -> None:
    for path in (ROOT / "core").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {called(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert "print" not in names, path.relative_to(ROOT)


def test_pages_stay_thin() -> None:
    for path in (ROOT / "dashboard/app_pages").glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


def test_every_public_name_of_core_is_there_whatever_was_loaded_before() -> None:
    """A module named like a public name would take its place once it is imported."""
    import core

    for path in sorted((ROOT / "core").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        importlib.import_module(module.removesuffix(".__init__"))
    assert sorted(core.__all__) == dir(core)
    for name in core.__all__:
        assert not isinstance(getattr(core, name), ModuleType), name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        core.nonsense  # noqa: B018


def test_nothing_depends_on_the_time_of_day() -> None:
    """Clocks are set, and differ between machines; intervals are taken from `time.monotonic`."""
    by_the_clock = re.compile(
        r"time\.time\(|datetime\.(now|today|utcnow)|date\.today|Date\.now|new Date"
    )
    for folder in ("core", "dashboard"):
        for path in sorted((ROOT / folder).rglob("*.[pj][ys]")):
            assert not by_the_clock.search(path.read_text(encoding="utf-8")), path
