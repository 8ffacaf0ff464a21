"""Frictionless metadata of a folder of files, `datapackage.json` (specs.frictionlessdata.io): what each file holds, its
size and SHA-256, the columns of tables, terms and sources."""

import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

PACKAGE = "datapackage.json"
MEDIA = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".toml": "application/toml",
}


def resource(
    path: str, title: str, size: int, sha256: str, fields: Sequence[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Return a file of a package: its path in it, its bytes and hash; for a table, its `fields` as in a Table
    Schema."""
    ending = PurePosixPath(path).suffix
    about = {
        "name": path.removesuffix(ending).lower(),
        "path": path,
        "title": title,
        "mediatype": MEDIA[ending],
        "format": ending[1:],
        "encoding": "utf-8",
        "bytes": size,
        "hash": f"sha256:{sha256}",
    }
    if fields is None:
        return about | {"type": "text"}  # to be read as it is
    return about | {"profile": "tabular-data-resource", "type": "table", "schema": {"fields": [*fields]}}


def package(name: str, title: str, resources: Sequence[dict[str, Any]], **about: Any) -> bytes:
    """Return the metadata of a package; empty entries are left out."""
    content = {"profile": "data-package", "name": name, "title": title, **about, "resources": [*resources]}
    return (
        json.dumps({key: value for key, value in content.items() if value}, ensure_ascii=False, indent=2) + "\n"
    ).encode()
