"""Queries answered by processes of their own: started when they are first needed, ended where a query does not end.

pool = QueryPool(2, kindness=10)
answer = await pool.answer(Query(path, sql, parameters, seconds, most_rows, most_bytes))
pool.end_processes()
"""

import asyncio
import os
import selectors
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import cast

import msgspec

from archive.web.datasette.query_process import Answer, Late, Query, read_message, write_message

PROGRAM = "from archive.web.datasette.query_process import main; main()"
LONGEST = 60.0  # seconds on the wall, for whatever may hold up a query without working
_decode = msgspec.msgpack.Decoder(Answer).decode


class QueryProcess:
    """A process that answers one query after the other."""

    def __init__(self, kindness: int) -> None:
        paths = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(kindness)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=paths,
            start_new_session=True,  # an interrupt of the server is not its own
        )

    def ask(self, query: Query) -> Answer | None:
        """The answer; None where the process has ended, or was ended since it took too long."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        try:
            write_message(stdin, msgspec.msgpack.encode(query))
            with selectors.DefaultSelector() as selector:
                selector.register(stdout, selectors.EVENT_READ)
                message = read_message(stdout) if selector.select(LONGEST + 2 * query.seconds) else None
        except (OSError, ValueError):
            message = None
        if message is None:
            self.end()
            return None
        return cast(Answer, _decode(message))

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()


class QueryPool:
    """So many processes at most; further queries wait for one. `kindness`: by how much others come first."""

    def __init__(self, most: int, kindness: int = 0) -> None:
        self.kindness = kindness
        self.executor = ThreadPoolExecutor(most, "queries")
        self.idle: list[QueryProcess] = []
        self.busy: set[QueryProcess] = set()
        self.lock = threading.Lock()

    async def answer(self, query: Query) -> Answer:
        """The answer to a query; `Late` where the process that was asked has ended over it."""
        return await asyncio.get_running_loop().run_in_executor(self.executor, self.ask, query)

    def ask(self, query: Query) -> Answer:
        with self.lock:
            process = self.idle.pop() if self.idle else QueryProcess(self.kindness)
            self.busy.add(process)
        answer = process.ask(query)
        with self.lock:
            if answer is not None and process in self.busy:
                self.idle.append(process)
            self.busy.discard(process)
        return answer or Late()

    def end_processes(self) -> None:
        """Ends all processes, also those that are being asked; the next query starts another one."""
        with self.lock:
            idle, busy = self.idle, [*self.busy]
            self.idle, self.busy = [], set()
        for process in busy:  # whoever asks it sees that and cleans up
            process.process.kill()
        for process in idle:
            process.end()


@cache
def query_pool(most: int, kindness: int = 0) -> QueryPool:
    """The pool of this process that has so many processes of this kindness."""
    return QueryPool(most, kindness)
