"""What is done beside the pages."""

import asyncio
import gc
import weakref

import pytest

from dashboard import upkeep


class Upload:
    """Something that holds itself, as what a session leaves behind does."""

    def __init__(self) -> None:
        self.itself = self


def test_what_holds_itself_is_freed_while_the_server_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def left_behind() -> bool:
        left = weakref.ref(Upload())
        async with upkeep.collecting_garbage():
            assert left() is not None
            await asyncio.sleep(0.5)
            return left() is not None

    monkeypatch.setattr(upkeep, "COLLECT_SECONDS", 0.05)
    gc.disable()  # Python itself must not be what frees it
    try:
        assert not asyncio.run(left_behind())
    finally:
        gc.enable()
