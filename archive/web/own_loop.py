"""An application in an event loop and a thread of its own, so that what it works out, such as a page of a thousand
rows, holds up nobody but its own requests.

A thread that works keeps others from Python for `SWITCH` at most; Python's own default is ten times as much.
"""

import asyncio
import sys
import threading

from archive.web.page_cache import App, Message, Receive, Scope, Send

SWITCH = 0.0005  # seconds


class OwnLoop:
    """The application; its thread begins with the first request, and ends with `close`."""

    def __init__(self, app: App, name: str) -> None:
        self.app, self.name = app, name
        self.loop: asyncio.AbstractEventLoop | None = None
        self.lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        here, there = asyncio.get_running_loop(), self._running_loop()

        async def receive_here() -> Message:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_message_of(receive), here))

        async def send_here(message: Message) -> None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_pass_on(send, message), here))

        async def answer() -> None:
            await self.app(scope, receive_here, send_here)

        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(answer(), there))

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self.lock:
            if self.loop is None:
                sys.setswitchinterval(min(SWITCH, sys.getswitchinterval()))
                self.loop = asyncio.new_event_loop()
                threading.Thread(target=self.loop.run_forever, name=self.name, daemon=True).start()
            return self.loop

    def close(self) -> None:
        with self.lock:
            if self.loop is not None:
                self.loop.call_soon_threadsafe(self.loop.stop)
            self.loop = None


async def _message_of(receive: Receive) -> Message:
    return await receive()


async def _pass_on(send: Send, message: Message) -> None:
    await send(message)
