"""Queries answered by workers (`query_process`), each with an end in time.

pool = QueryPool(2, last=True)
answer = await pool.answer(Query(path, sql, parameters, seconds, most_rows, most_bytes))
pool.end_processes()
"""

import asyncio
from functools import cache
from typing import cast

import msgspec

from archive.serve.worker_pool import WorkerPool
from archive.web.datasette.query_process import Answer, Failed, Late, Query

TARGET = "archive.web.datasette.query_process:answer_queries"
LONGEST = 60.0  # seconds on the wall, for whatever may hold up a query without working
_decode = msgspec.msgpack.Decoder(Answer).decode


class QueryPool:
    """So many workers at most; further queries wait for one. `last`: all other processes come first."""

    def __init__(self, most: int, last: bool = False) -> None:
        self.workers = WorkerPool(TARGET, most, last)
        self.end_processes = self.workers.end_processes

    async def answer(self, query: Query) -> Answer:
        """Return the answer to a query; `Late` if its worker has ended over it."""
        return await asyncio.get_running_loop().run_in_executor(self.workers.executor, self.ask, query)

    def ask(self, query: Query) -> Answer:
        """Return the answer while the thread waits."""
        try:
            packed = msgspec.msgpack.encode(query)
        except (ValueError, OverflowError, TypeError) as error:  # of a parameter that SQLite cannot take either
            return Failed("OperationalError", str(error))
        answer = self.workers.ask(packed, LONGEST + 2 * query.seconds)
        return Late() if answer is None else cast(Answer, _decode(answer))


@cache
def query_pool(most: int, last: bool = False) -> QueryPool:
    """Return the pool of this process with so many workers, which come last or not."""
    return QueryPool(most, last)
