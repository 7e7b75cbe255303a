"""Running dashboards for visitors without a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.load.processes import PROC
from tests.server import free_port, main_script, start_server


class Served(NamedTuple):
    """A dashboard with what it said so far."""

    address: str
    pid: int
    log: Path

    def complaints(self) -> list[str]:
        """Read the lines of the log that tell of something wrong."""
        words = ("error", "exception", "traceback", "warning")
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if any(word in line.lower() for word in words)]


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """Run the dashboard as `make run` does until the block ends."""
    port, log = free_port(), folder / "server.log"
    with log.open("wb") as written:
        server = start_server(main_script(), port, *options, log=written)
        try:
            yield Served(f"http://127.0.0.1:{port}", server.pid, log)
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give one dashboard to all tests that leave it as it was."""
    with serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture(scope="session")
def address(served: Served) -> str:
    return served.address


@pytest.fixture
def linux() -> None:
    """Skip where the memory of a process cannot be read."""
    if not (PROC / "self/stat").exists():
        pytest.skip("no /proc here to read memory and processor time from")
