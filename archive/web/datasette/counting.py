"""How Datasette counts the rows of an archive: for a short time only."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasette.database import Database, connections  # type: ignore[import-untyped]

from archive.stats.database import read_only

COUNT, COUNT_MS = "select count(*) from ", 200  # how Datasette counts a table; milliseconds


class Counting(Database):  # type: ignore[misc]
    """An archive whose tables and views are counted for a short time only: where their rows take longer, as those of a
    view over all deals do, a page comes without their number. `where` says at each query in which file it lies, for
    readers who may not see all of it."""

    def __init__(self, datasette: Any, path: str, where: Callable[[], Path]) -> None:
        super().__init__(datasette, path=path, is_mutable=True)  # which means mode=ro, not immutable=1
        self.where = where

    async def execute_fn(self, fn: Callable[[sqlite3.Connection], Any]) -> Any:
        def in_thread() -> Any:
            path = self.where()
            opened: tuple[Path, sqlite3.Connection] | None = getattr(connections, self.name, None)
            if opened is None or opened[0] != path:
                if opened:
                    opened[1].close()
                    self._all_file_connections.remove(opened[1])
                conn = sqlite3.connect(read_only(path), uri=True, check_same_thread=False)
                self._all_file_connections.append(conn)
                self.ds._prepare_connection(conn, self.name)
                opened = path, conn
                setattr(connections, self.name, opened)
            return fn(opened[1])

        return await asyncio.get_event_loop().run_in_executor(self.ds.executor, in_thread)

    async def execute(self, sql: str, params: Any = None, truncate: bool = False,
                      custom_time_limit: int | None = None, **more: Any) -> Any:  # fmt: skip
        if sql.startswith(COUNT) and not truncate:  # a query of the reader is truncated
            custom_time_limit = min(custom_time_limit or COUNT_MS, COUNT_MS)
        return await super().execute(sql, params, truncate, custom_time_limit, **more)
