"""What is done beside the pages while the server runs: free memory now and then."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dashboard.settings import COLLECT_SECONDS


async def _collect_garbage() -> None:
    while True:
        await asyncio.sleep(COLLECT_SECONDS)
        gc.collect()


@asynccontextmanager
async def collecting_garbage() -> AsyncIterator[None]:
    """Free what people leave behind when they go, which holds itself in circles.

    Python looks for such circles when there are many objects. An upload is few and large: without
    this, those of people long gone stay. The modules are frozen, so a look takes milliseconds.
    """
    collecting = asyncio.create_task(_collect_garbage())
    yield
    collecting.cancel()
