"""Datasette as part of a site: its addresses if the site lies under a path of its host, and rules that it need not work
out anew for every table of every page."""

import sys
from typing import Any

from cachetools import LRUCache
from datasette.app import Datasette  # type: ignore[import-untyped]
from datasette.url_builder import Urls  # type: ignore[import-untyped]
from datasette.utils import PrefixedUrlString  # type: ignore[import-untyped]

# With the package `rich` installed, Datasette 0.65 prints a traceback for each page that is not there, and fails at it.
sys.modules["datasette.handle_exception"].rich = None  # type: ignore[attr-defined]

MOST_RULES = 1000  # tables and queries for which it is remembered who may see them


class Addresses(Urls):  # type: ignore[misc]
    """Addresses that begin with the base path once: Datasette puts it also before an address that it made from that of
    the request, which has it."""

    def path(self, path: str, format: str | None = None) -> Any:
        base = self.ds.setting("base_url")
        known = base != "/" and path.startswith(base)
        return super().path(PrefixedUrlString(path) if known else path, format=format)


class DatasetteUnderPath(Datasette):  # type: ignore[misc]
    """Datasette with these addresses. What an anonymous visitor may see is decided once: the rules for it do not change
    while the site is served, and Datasette copies all metadata for each table and query, which takes most of the time
    of the page of all tables."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.decisions: LRUCache[tuple[Any, ...], Any] = LRUCache(MOST_RULES)

    async def permission_allowed(self, actor: Any, action: str, resource: Any = None, default: Any = False) -> Any:
        if actor is not None:
            return await super().permission_allowed(actor, action, resource, default)
        key = action, resource, default
        if key in self.decisions:
            return self.decisions[key]
        decided = self.decisions[key] = await super().permission_allowed(actor, action, resource, default)
        return decided

    @property
    def urls(self) -> Addresses:
        return Addresses(self)
