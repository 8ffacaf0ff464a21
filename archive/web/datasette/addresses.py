"""Datasette as a site has it: its addresses where the site lies under a path of its host, and what it need not work out
anew for every table of every page."""

import sys
from typing import Any

from cachetools import LRUCache
from datasette.app import Datasette  # type: ignore[import-untyped]
from datasette.url_builder import Urls  # type: ignore[import-untyped]
from datasette.utils import PrefixedUrlString  # type: ignore[import-untyped]

# With the package `rich` installed, Datasette 0.65 prints a traceback for each page that is not there, and fails at it.
sys.modules["datasette.handle_exception"].rich = None  # type: ignore[attr-defined]

MOST_RULES = 1000  # tables of which the rules are remembered


class Addresses(Urls):  # type: ignore[misc]
    """Addresses that begin with the base path once: Datasette puts it also before one that it made of the address of
    the request, which has it."""

    def path(self, path: str, format: str | None = None) -> Any:
        base = self.ds.setting("base_url")
        known = base != "/" and path.startswith(base)
        return super().path(PrefixedUrlString(path) if known else path, format=format)


class DatasetteUnderPath(Datasette):  # type: ignore[misc]
    """Datasette with these addresses. Who may see a table is asked each time, and the rules that the metadata have for
    it (`allow`) are read once: they do not change while the site is served, and Datasette copies all metadata for each
    table, which is most of the time that the page of all tables takes."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.table_rules: LRUCache[tuple[str, str], list[Any]] = LRUCache(MOST_RULES)

    def _table_permission_allows(self, database: str, table: str) -> list[Any]:
        rules = self.table_rules.get((database, table))
        if rules is None:
            rules = self.table_rules[database, table] = super()._table_permission_allows(database, table)
        return rules

    @property
    def urls(self) -> Addresses:
        return Addresses(self)
