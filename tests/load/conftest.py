"""A running dashboard for visitors without a browser."""

from collections.abc import Iterator

import pytest

from tests.server import free_port, main_script, start_server


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Start the dashboard as `make run` does; give its address."""
    port = free_port()
    server = start_server(main_script(), port)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(timeout=20)
