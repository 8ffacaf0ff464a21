"""A request to an ASGI application, without a server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from support.patience import WAIT


def request(app: Any, path: str, method: str = "GET", visitor: str = "127.0.0.1", **options: Any) -> httpx.Response:
    """Return the answer to one request from an address, with options of `httpx.AsyncClient.request`."""

    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(app=app, client=(visitor, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://archive", timeout=WAIT) as client:
            return await client.request(method, path, **options)

    with ThreadPoolExecutor(1) as pool:  # of its own, since an open browser runs a loop in this one
        return pool.submit(asyncio.run, run()).result()
