"""The lines between the layers, held by a program."""

import ast
import importlib
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


def test_core_opens_no_file_for_writing_and_prints_nothing() -> None:
    for path in (ROOT / "core").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        names = {
            call.func.attr
            if isinstance(call.func, ast.Attribute)
            else getattr(call.func, "id", "")
            for call in calls
        }
        banned = {
            "write_text",
            "write_bytes",
            "mkdir",
            "unlink",
            "system",
            "popen",
            "eval",
            "exec",
        }
        assert not names & banned, path.relative_to(ROOT)


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
