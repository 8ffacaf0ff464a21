"""How Datasette counts the rows of an archive: for a short time only."""

from typing import Any

from datasette.database import Database  # type: ignore[import-untyped]

COUNT, COUNT_MS = "select count(*) from ", 200  # how Datasette counts a table; milliseconds


class Counting(Database):  # type: ignore[misc]
    """An archive whose tables and views are counted for a short time only: where their rows take longer, as those of a
    view over all deals do, a page comes without their number."""

    async def execute(self, sql: str, params: Any = None, truncate: bool = False,
                      custom_time_limit: int | None = None, **more: Any) -> Any:  # fmt: skip
        if sql.startswith(COUNT) and not truncate:  # a query of the reader is truncated
            custom_time_limit = min(custom_time_limit or COUNT_MS, COUNT_MS)
        return await super().execute(sql, params, truncate, custom_time_limit, **more)
