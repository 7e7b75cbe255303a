"""What a clone must contain: pins without addresses, a true README, a self-explaining Makefile."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_requirements_are_exact_versions_and_nothing_else() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line


def test_every_direct_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[>=<\[ ]", item)[0].lower().replace("_", "-") for item in wanted}
    pins = (ROOT / "requirements.txt").read_text().lower().replace("_", "-")
    pinned = {line.split("==")[0] for line in pins.splitlines()}
    assert names <= pinned


def test_every_make_target_explains_itself() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    targets = [
        "setup",
        "run",
        "class",
        "test",
        "test-long",
        "check",
        "format",
        "bench",
        "lock",
        "help",
    ]
    assert all(re.search(rf"^{target}\s+\w", shown, re.M) for target in targets), shown


def test_no_target_hides_a_failure() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "|| true" not in makefile
    assert not re.search(r"^\t-", makefile, re.M)


def test_ci_calls_the_readme_command() -> None:
    assert "make test" in (ROOT / ".ci/run").read_text()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


def readme_examples() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.S)


@pytest.mark.parametrize("number", range(len(readme_examples())))
def test_python_in_the_readme_runs_and_prints_what_it_says(number: int) -> None:
    code = readme_examples()[number]
    expected = re.findall(r"# (?:->|prints) (.*)", code)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected


def test_everything_the_readme_links_to_is_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert "://" in target or (ROOT / target).exists(), target
