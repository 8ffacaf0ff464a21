"""Queries answered by processes of their own: started when they are first needed, ended where a query does not end.

pool = QueryPool(2, last=True)
answer = await pool.answer(Query(path, sql, parameters, seconds, most_rows, most_bytes))
pool.end_processes()
"""

import asyncio
import selectors
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import cast

import msgspec

from archive.web.datasette.query_process import Answer, Failed, Late, Query, read_message, write_message
from archive.web.own_process import own_environment

PROGRAM = "from archive.web.datasette.query_process import main; main()"
LONGEST = 60.0  # seconds on the wall, for whatever may hold up a query without working
_decode = msgspec.msgpack.Decoder(Answer).decode


class QueryProcess:
    """A process that answers one query after the other."""

    def __init__(self, last: bool) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "last" if last else ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=own_environment(),
            # An interrupt of the server is not its own. A session of its own would be as much: Linux shares processors
            # between sessions, whatever the priority of their processes.
            process_group=0,
        )

    def ask(self, query: bytes, seconds: float) -> Answer | None:
        """The answer; None where the process has ended, or was ended since it took too long."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        try:
            write_message(stdin, query)
            with selectors.DefaultSelector() as selector:
                selector.register(stdout, selectors.EVENT_READ)
                message = read_message(stdout) if selector.select(LONGEST + 2 * seconds) else None
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
    """So many processes at most; further queries wait for one. `last`: everybody else comes first."""

    def __init__(self, most: int, last: bool = False) -> None:
        self.last = last
        self.executor = ThreadPoolExecutor(most, "queries")
        self.idle: list[QueryProcess] = []
        self.busy: set[QueryProcess] = set()
        self.lock = threading.Lock()

    async def answer(self, query: Query) -> Answer:
        """The answer to a query; `Late` where the process that was asked has ended over it."""
        return await asyncio.get_running_loop().run_in_executor(self.executor, self.ask, query)

    def ask(self, query: Query) -> Answer:
        try:
            packed = msgspec.msgpack.encode(query)
        except (ValueError, OverflowError, TypeError) as error:  # of a parameter that SQLite cannot take either
            return Failed("OperationalError", str(error))
        with self.lock:
            process = self.idle.pop() if self.idle else QueryProcess(self.last)
            self.busy.add(process)
        answer = process.ask(packed, query.seconds)
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
def query_pool(most: int, last: bool = False) -> QueryPool:
    """The pool of this process that has so many processes which come last, or not."""
    return QueryPool(most, last)
