"""`schafkopf audit dossier`: the dispute file of a deal, as one page or as a ZIP with all that it rests on."""

import hashlib
import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from archive.cli.archive_file import DB, deal_number
from archive.cli.formats import write_page
from archive.cli.known_names import DEAL, FILE
from archive.cli.language import LANG
from archive.cli.options import FORCE
from archive.judge.report import report
from archive.notation import write_line, write_toml
from archive.say import message
from archive.store import ArchiveError, deal_sources, load_deal, load_judgement, open_read, source_text
from archive.store.source_texts import lines_of_deal
from archive.web.dossier.page import dossier as dossier_of
from archive.web.dossier.page import stylesheet
from archive.web.texts import TEXTS

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP can name: the same deal gives the same bytes on any day
LONGEST = 100  # characters of a file's name
SAFE = re.compile(r"[^A-Za-z0-9._-]+")


@click.command()
@click.argument("deal", type=DEAL)
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="An .html page, or a .zip with all that it rests on; - is stdout."
)
@FORCE
@click.option("--whole-sources", is_flag=True, help="Put whole files into the ZIP, with everybody's deals.")
@LANG
@DB
def dossier(deal: str, output: str | None, force: bool, whole_sources: bool, language: str, db: str) -> None:
    """Write the dispute file of DEAL: a page to print, complete in itself, or a ZIP of it with the record, what is
    computed, the lines of the sources that tell the deal, and the hash of each.

    Other lines of a source are blank, since they tell other people's deals; the manifest has the hash of the whole.

    The same archive gives the same bytes. Without --output the page is deal-NUMBER.html.
    """
    conn = open_read(db)
    number = deal_number(conn, db, deal)
    path = output or f"deal-{number}.html"
    page = dossier_html(conn, db, number, language)
    data = bundle(conn, number, page, whole_sources) if path.lower().endswith(".zip") else page
    write_page(path, data, force, ".zip")


def dossier_html(conn: sqlite3.Connection, db: str, deal: int, language: str) -> bytes:
    """Return the page, complete in itself: it loads nothing from any server. Raises ArchiveError if the deal counts no
    more."""
    from flask import render_template  # here, since `dossier --help` need not wait for it

    from archive.web.app import create_app

    file = dossier_of(conn, deal, TEXTS[language])
    if file is None:
        raise ArchiveError(message("refused.deal-gone", deal=deal))
    with create_app(Path(db)).test_request_context(query_string={"lang": language}):
        return render_template("dossier/dossier.html", file=file, style=stylesheet()).encode()


def bundle(conn: sqlite3.Connection, deal: int, page: bytes, whole: bool) -> bytes:
    """Return a ZIP of the page and all that it rests on, with their hashes; sources with the lines of the deal, or
    `whole`. Nothing in it is compressed: two versions of zlib compress the same text differently."""
    files = {"dossier.html": page, **dict(sorted(evidence(conn, deal)))}
    sources = [source_part(conn, deal, number, row, whole) for number, row in enumerate(deal_sources(conn, deal), 1)]
    files |= {row["path"]: data for row, data in sources if data is not None}
    rows = [
        {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()
    ]
    manifest = {"deal": deal, "files": rows, "sources": [row for row, _ in sources]}
    files["manifest.json"] = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, on any system
            archive.writestr(entry, data)
    return packed.getvalue()


def evidence(conn: sqlite3.Connection, deal: int) -> Iterator[tuple[str, bytes]]:
    """Yield the record in both encodings, and what is computed from it."""
    loaded, judgement = load_deal(conn, deal), load_judgement(conn, deal)
    assert loaded  # since its page was made
    assert judgement
    head, record, _ = loaded
    yield "record.toml", write_toml(head, [record]).encode()
    yield "record.json", write_line(head, record) + b"\n"
    yield "computed.json", msgspec.json.encode(report(judgement)) + b"\n"


def source_part(
    conn: sqlite3.Connection, deal: int, number: int, row: dict[str, Any], whole: bool
) -> tuple[dict[str, Any], bytes | None]:
    """Return a source in the ZIP: its entry in the manifest, and its bytes. `part` is `lines` for those of the deal
    alone, `whole`, or `none` if the file is no text that could be cut into lines; `sha256` is that of the whole file as
    imported."""
    text = source_text(conn, row["id"]) or b""
    data = text if whole else lines_of_deal(conn, row["id"], deal, text)
    part = "whole" if whole else "none" if data is None else "lines"
    path = f"source/{number}-{safe_file_name(row['path'])}"
    return {"path": path, "part": part, "line": row["line"], "sha256": row["file_sha256"]}, data


def safe_file_name(path: str) -> str:
    """Return the last part of a path as a file name that every system can have."""
    return SAFE.sub("_", path.replace("\\", "/").rpartition("/")[2]).strip("._")[-LONGEST:] or "source"
