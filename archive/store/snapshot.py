"""A snapshot of an archive in plain files: records, outcomes, rulesets, and a manifest whose hash can be cited.

The same archive gives the same bytes on any day: there is no time in it. docs/players.md describes the files.
"""

import hashlib
import io
import json
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from archive.judge.types import ENGINE
from archive.notation import FORMAT
from archive.rules import bundled
from archive.rules.load import BUNDLED
from archive.say import message, why_refused
from archive.stats.database import ArchiveError
from archive.store.export import FLAGS, export_lines, export_outcomes
from archive.store.row_values import named_rows
from archive.store.schema import STEPS

KIND = "schafkopf-snapshot/1"
MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
DEALS = "SELECT id FROM deals"
COUNTS = {
    "deals": "SELECT count(*) FROM deals",
    "sessions": "SELECT count(DISTINCT session_id) FROM deals",
    "players": "SELECT count(DISTINCT coalesce(p.alias_of, p.id)) FROM seats s JOIN players p ON p.id = s.player_id",
    "corrections": f"SELECT count(*) FROM corrections WHERE deal_id IN ({DEALS})",
    "rulings": f"SELECT count(*) FROM rulings WHERE deal_id IN ({DEALS})",
}
SOURCES = """SELECT path,
    lower(hex(coalesce((SELECT sha256 FROM sources o WHERE o.id = sources.read_of), sha256))) AS sha256,
    nullif(lower(hex(redacted_sha256)), '') AS redacted_sha256,
    size, format, deals, licence, origin, time_zone, withdrawn FROM sources ORDER BY id"""
TERMS = """SELECT DISTINCT {0} FROM (SELECT {0} FROM sources WHERE NOT withdrawn UNION ALL SELECT {0} FROM sessions
    WHERE id IN (SELECT session_id FROM deals)) WHERE {0} IS NOT NULL ORDER BY {0}"""
TITLES = {
    "records.jsonl": "The records, a deal a line",
    "outcomes.csv": "Who played what, how it ended, what it cost",
    "rulesets.json": "The houses that deals were judged by",
}
HOUSES = """SELECT name, digest, title, unit, rules, faces, incomplete, overrides, house FROM rulesets
    WHERE id IN (SELECT ruleset_id FROM deals) ORDER BY digest"""


def write_snapshot(conn: sqlite3.Connection, folder: Path, mask: str | None) -> str:
    """Write the files into a folder and return the SHA-256 of the manifest. `mask` says how the archive of the
    connection is masked; None: not at all. Raises ArchiveError if the folder is not empty, or cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ArchiveError(message("refused.folder-not-empty", folder=folder))
        conn.execute("BEGIN")  # all files show one moment
        files = {name: _write(folder / name, parts) for name, parts in _files(conn)}
        files[PACKAGE] = _write(folder / PACKAGE, [metadata(conn, files)])
        content = manifest(conn, files, mask)
        conn.execute("ROLLBACK")
        files[MANIFEST] = _write(folder / MANIFEST, [_json(content)])
        _write(folder / SUMS, (f"{each['sha256']}  {name}\n".encode() for name, each in sorted(files.items())))
    except OSError as error:
        raise ArchiveError(message("refused.not-written", path=folder, why=why_refused(error))) from error
    return str(files[MANIFEST]["sha256"])


def metadata(conn: sqlite3.Connection, files: dict[str, dict[str, Any]]) -> bytes:
    """Return the Frictionless metadata of the files, with the terms and origins that sources and records state."""
    deals, sessions = (conn.execute(COUNTS[name]).fetchone()[0] for name in ("deals", "sessions"))
    terms = [row[0] for row in conn.execute(TERMS.format("licence"))]
    origins = [row[0] for row in conn.execute(TERMS.format("origin"))]
    resources = [
        resource(name, TITLES.get(name, "A ruleset"), each["size"], each["sha256"],
                 outcome_fields(conn) if name == "outcomes.csv" else None)
        for name, each in files.items()
    ]  # fmt: skip
    return package(
        "schafkopf-snapshot", "Games of the Schafkopf family", resources,
        description=f"{deals} deals of {sessions} sessions, recorded, and judged by schafkopf-archive "
        f"{version('schafkopf-archive')}.",
        licenses=[{"name": re.sub(r"[^-a-zA-Z0-9._]+", "-", name), "title": name} for name in terms],
        sources=[{"title": origin} for origin in origins],
    )  # fmt: skip


def outcome_fields(conn: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the columns of `outcomes` as CSV has them."""
    flag = {"type": "boolean", "trueValues": ["1"], "falseValues": ["0"]}
    return [
        {"name": row[1], **(flag if row[1] in FLAGS else {"type": "integer" if row[2] == "INTEGER" else "string"})}
        for row in conn.execute("PRAGMA table_info(outcomes)")
    ]


def manifest(conn: sqlite3.Connection, files: dict[str, dict[str, Any]], mask: str | None) -> dict[str, Any]:
    """Return the manifest: what the snapshot has, under which terms, and by which version it was made."""
    verdicts = conn.execute("SELECT verdict, count(*) FROM deals GROUP BY verdict ORDER BY verdict").fetchall()
    return {
        "format": KIND,
        "masked": mask,
        "made_by": {"schafkopf-archive": version("schafkopf-archive"), "engine": ENGINE},
        "formats": {"records": FORMAT, "schema": sorted(STEPS.every)},
        "counts": {name: conn.execute(sql).fetchone()[0] for name, sql in COUNTS.items()},
        "verdicts": dict(verdicts),
        "sources": [row | {"withdrawn": bool(row["withdrawn"])} for row in named_rows(conn.execute(SOURCES))],
        "files": dict(sorted(files.items())),
    }


def _files(conn: sqlite3.Connection) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "records.jsonl", export_lines(conn)
    yield "outcomes.csv", _outcomes(conn)
    houses = list(named_rows(conn.execute(HOUSES)))
    for house in houses:
        house |= {key: json.loads(house[key]) for key in ("overrides", "house") if house[key]}
    yield "rulesets.json", (_json(houses),)
    for name in sorted({name for house in houses for name in _extended_rulesets(house["rules"])}):
        yield f"rulesets/{name}.toml", (_ruleset(name),)


def _outcomes(conn: sqlite3.Connection) -> Iterator[bytes]:
    text = io.StringIO(newline="")
    export_outcomes(conn, text)
    yield text.getvalue().encode()


def _extended_rulesets(name: str | None) -> Iterator[str]:
    """Yield a bundled ruleset and those that it extends. A table's own ruleset is stored only as its result."""
    while name is not None and name in bundled():
        yield name
        name = tomllib.loads(_ruleset(name).decode()).get("extends")


def _ruleset(name: str) -> bytes:
    return (BUNDLED / f"{name}.toml").read_bytes()


def _json(content: Any) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _write(path: Path, parts: Iterable[bytes]) -> dict[str, Any]:
    """Write a file; return its hash and size."""
    digest, size = hashlib.sha256(), 0
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as file:
        for part in parts:
            file.write(part)
            digest.update(part)
            size += len(part)
    return {"sha256": digest.hexdigest(), "size": size}


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
