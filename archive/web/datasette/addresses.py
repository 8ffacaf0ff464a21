"""The addresses of Datasette's pages where the site lies under a path of its host."""

import sys
from typing import Any

from datasette.app import Datasette  # type: ignore[import-untyped]
from datasette.url_builder import Urls  # type: ignore[import-untyped]
from datasette.utils import PrefixedUrlString  # type: ignore[import-untyped]

# With the package `rich` installed, Datasette 0.65 prints a traceback for each page that is not there, and fails at it.
sys.modules["datasette.handle_exception"].rich = None  # type: ignore[attr-defined]


class Addresses(Urls):  # type: ignore[misc]
    """Addresses that begin with the base path once: Datasette puts it also before one that it made of the address of
    the request, which has it."""

    def path(self, path: str, format: str | None = None) -> Any:
        base = self.ds.setting("base_url")
        known = base != "/" and path.startswith(base)
        return super().path(PrefixedUrlString(path) if known else path, format=format)


class DatasetteUnderPath(Datasette):  # type: ignore[misc]
    """Datasette with these addresses."""

    @property
    def urls(self) -> Addresses:
        return Addresses(self)
