"""What a person takes away from a page besides pictures: code, a table row, a citation."""

from dataclasses import dataclass

import core
from dashboard.session_data import Source


@dataclass(frozen=True)
class TakeAway:
    """The formula with numbers, Python that prints them, a LaTeX row, the source to cite."""

    formula: str
    python: str
    latex: str
    citation: str


def latex_row(names: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """Write one row of a table, with its heading as a comment."""
    return f"% {' & '.join(names)}\n{' & '.join(cells)} \\\\\n"


def citation(*keys: str) -> str:
    """Give the full references."""
    return "\n".join(core.REFERENCES[key] for key in keys)


def opening_lines(source: Source) -> list[str]:
    """Begin a program on the collection of a page."""
    if source.is_sample:
        return ["import core", "", "collection = core.sample_collection()"]
    return [
        *("from pathlib import Path", "", "import core", ""),
        'runs = sorted(Path("runs").iterdir())  # put your files here',
        f'collection = core.Collection.from_files(runs, "qrels.txt"{source.keywords})',
    ]
