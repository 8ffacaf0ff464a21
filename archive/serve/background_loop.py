"""An application in an event loop and a thread of its own, so that long work, such as a page of a thousand rows, delays
only its own requests.

A working thread keeps others from Python for `SWITCH` at most; Python's own default is ten times as much.
"""

import asyncio
import sys
import threading

from archive.serve.proxy import App, Message, Receive, Scope, Send

SWITCH = 0.0005  # seconds
AT_END = 2.0  # seconds for cancelled requests to end


class BackgroundLoop:
    """The application; its thread begins with the first request, and ends with `close`."""

    def __init__(self, app: App, name: str) -> None:
        self.app, self.name = app, name
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None
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
                self.thread = threading.Thread(target=self.loop.run_forever, name=self.name, daemon=True)
                self.thread.start()
            return self.loop

    def close(self) -> None:
        """End the thread after the cancelled requests have ended; otherwise asyncio would complain about them."""
        with self.lock:
            if self.loop is not None and self.thread is not None:
                asyncio.run_coroutine_threadsafe(_stop(self.loop), self.loop)
                self.thread.join(AT_END)
            self.loop = self.thread = None


async def _stop(loop: asyncio.AbstractEventLoop) -> None:
    if ending := [task for task in asyncio.all_tasks() if task.cancelling()]:
        await asyncio.wait(ending, timeout=AT_END / 2)
    loop.stop()


async def _message_of(receive: Receive) -> Message:
    return await receive()


async def _pass_on(send: Send, message: Message) -> None:
    await send(message)
