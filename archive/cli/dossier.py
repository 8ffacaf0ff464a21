"""`schafkopf audit dossier`: the dispute file of a deal, as one page or as a ZIP with all that it rests on."""

import hashlib
import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from archive.cli.archive_file import deal_number
from archive.cli.output import placed
from archive.store import open_read

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP can name: the same deal gives the same bytes on any day
LONGEST = 100  # characters of a file's name
SAFE = re.compile(r"[^A-Za-z0-9._-]+")


def write_dossier(db: str, text: str, output: str | None, force: bool) -> str:
    """Writes the file of the deal that `text` names, a ZIP where `output` ends with it, and gives its path."""
    conn = open_read(db)
    number = deal_number(conn, db, text)
    path = output or f"deal-{number}.html"
    page = html(conn, db, number)
    if page is None:
        raise click.UsageError(f"no deal {text!r} in {db}")
    with placed(path, force) as out:
        out.write(bundle(conn, number, page) if path.lower().endswith(".zip") else page)
    return path


def html(conn: sqlite3.Connection, db: str, deal: int) -> bytes | None:
    """The page, complete in itself: it asks nothing of any server."""
    from flask import render_template

    from archive.web.app import create_app
    from archive.web.dossier.page import dossier, stylesheet
    from archive.web.texts import EN

    found = dossier(conn, deal, EN)
    if found is None:
        return None
    with create_app(Path(db)).test_request_context():
        return render_template("dossier/dossier.html", file=found, style=stylesheet()).encode()


def bundle(conn: sqlite3.Connection, deal: int, page: bytes) -> bytes:
    """A ZIP of the page and all that it rests on, with their hashes; nothing is packed, since two versions of zlib pack
    the same text differently."""
    files = {"dossier.html": page, **dict(sorted(evidence(conn, deal)))}
    manifest = {"deal": deal, "files": [manifest_row(name, data) for name, data in files.items()]}
    files["manifest.json"] = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, wherever it is made
            archive.writestr(entry, data)
    return held.getvalue()


def manifest_row(name: str, data: bytes) -> dict[str, str | int]:
    return {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def evidence(conn: sqlite3.Connection, deal: int) -> Iterator[tuple[str, bytes]]:
    """The record in both encodings, what is computed of it, and the files that tell it, as they were imported."""
    from archive.audit.report import report
    from archive.notation import write_line, write_toml
    from archive.store import deal_sources, judged, load_deal, source_text

    loaded, found = load_deal(conn, deal), judged(conn, deal)
    assert loaded  # since its page was made
    assert found
    head, record, _ = loaded
    yield "record.toml", write_toml(head, [record]).encode()
    yield "record.json", write_line(head, record) + b"\n"
    yield "computed.json", msgspec.json.encode(report(found)) + b"\n"
    for number, row in enumerate(deal_sources(conn, deal), 1):
        yield f"source/{number}-{safe(row['path'])}", source_text(conn, row["id"]) or b""


def safe(path: str) -> str:
    """The last part of a path as a file's name that every system can have."""
    return SAFE.sub("_", path.replace("\\", "/").rpartition("/")[2]).strip("._")[-LONGEST:] or "source"
