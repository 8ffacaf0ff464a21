"""`schafkopf export`: records out of the archive, without loss; and tables, lines and protocols of them."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from urllib.parse import urlencode

import click
from click.core import ParameterSource

from archive.cli.archive_file import AS_OF, DB, check_session, deal_number, judge_in
from archive.cli.formats import (
    EXPORT_DROPS,
    KINDS,
    SHEETS,
    check_installed,
    check_page_ending,
    kind_of,
    replace_file,
    warn_dropped_fields,
    write_judged,
    write_outcomes,
)
from archive.cli.known_names import DEAL, FOLDER, PLAYER, SESSION
from archive.cli.language import LANG, asked_for, reader_language, reader_text, wrong_use
from archive.cli.options import FORCE, OUTPUT
from archive.privacy.mask import write_masked_copy
from archive.say import message
from archive.store import ArchiveError, export_lines, export_toml, open_read
from archive.store.export import export_judged
from archive.store.snapshot import MANIFEST, write_snapshot
from archive.store.source_texts import source_of_session
from archive.text.score_form import filled_form
from archive.text.workbooks import write_workbook

ARCHIVE, ORIGINAL = "archive", "original"  # a masked copy, and the file of a session, beside the kinds of file
OTHER_ENDINGS = {"": "jsonl", ".json": "jsonl", ".ndjson": "jsonl", ".db": ARCHIVE} | {f".{end}": end for end in SHEETS}
OF_SNAPSHOT = ("snapshot", "mask", "also", "language", "db")  # options; a snapshot is whole, and has no others
MASKS = ("initials", "seats", "pseudonyms")


@click.command(epilog=EXPORT_DROPS)
@click.argument("deal", type=DEAL, required=False)
@click.option("--html", "as_page", is_flag=True,
              help="Write DEAL, or a session, as one HTML file that opens anywhere without a server.")  # fmt: skip
@click.option(
    "--to", "kind", type=click.Choice([*KINDS, *SHEETS, ORIGINAL, ARCHIVE]),
    help="JSON lines and TOML are the records; CSV and Parquet are the table of outcomes; XLSX and ODS are a "
    "session as a score sheet; the original is the file that it came in; an archive is a masked copy of this one. "
    "Where it is left out, the ending of FILE tells it; without one it is jsonl.",
)  # fmt: skip
@click.option(
    "--session", type=SESSION, help="Only this session, by its number; TOML, XLSX, ODS and the original need one."
)
@OUTPUT
@click.option(
    "--snapshot",
    type=FOLDER,
    metavar="DIR",
    help="Write records, outcomes, rulesets and a manifest that can be cited.",
)
@click.option("--mask", type=click.Choice(MASKS), help="Put initials, seats or numbers in place of all names.")
@click.option("--also", type=PLAYER, multiple=True, help="Mask somebody too who is only mentioned, in a note, say.")
@click.option("--for", "reader", type=click.Choice(["excel"]), help="Write CSV as a German Excel opens it.")
@FORCE
@AS_OF
@LANG
@DB
@click.pass_context
def export(
    context: click.Context,
    /,
    deal: str | None,
    as_page: bool,
    kind: str | None,
    session: int | None,
    output: str,
    snapshot: str | None,
    mask: str | None,
    also: tuple[str, ...],
    reader: str | None,
    force: bool,
    as_of: str | None,
    language: str,
    db: str,
) -> None:
    """Take the deals of an archive out of it, or those of one session.

    JSON lines and TOML hold everything that was recorded and can be imported again. Of the other kinds each says what
    it drops. A file is written aside and moved into place. A masked export names nobody, and has no key that leads
    back to where the names stand (id, url, x). A snapshot is the whole archive in plain files: the same archive gives
    the same bytes, and the SHA-256 of its manifest.json is printed. A page has what a stranger would see in the viewer.
    """
    conn = open_read(db)
    if also and mask is None:
        raise wrong_use("also-of-mask")
    if snapshot is not None:
        others = [name for name in context.params if name not in OF_SNAPSHOT]
        if given := [name for name in others if context.get_parameter_source(name) is not ParameterSource.DEFAULT]:
            option = {"kind": "to", "reader": "for", "as_page": "html"}.get(given[0], given[0]).replace("_", "-")
            raise wrong_use("snapshot-whole", option=option)
        export_snapshot(conn, db, snapshot, mask, also)
        return
    check_session(conn, db, session)
    if as_page or deal:
        number = deal_number(conn, db, deal) if deal else None
        check_page(context, conn, db, number, session, as_of)
        with maybe_masked(conn, db, mask, also, session, as_of) as (path, _), replace_file(output, force) as out:
            out.write(page_file(path, number, session, as_of, language))
        return
    kind = kind or OTHER_ENDINGS.get(Path(output).suffix.lower()) or kind_of(output)
    if kind in ("toml", *SHEETS, ORIGINAL) and session is None:
        raise wrong_use("one-session", kind=kind)
    if kind == ORIGINAL and (mask is not None or as_of is not None):
        raise wrong_use("original-as-it-is")
    if kind in ("csv", "parquet") and as_of is not None:
        raise wrong_use("outcomes-of-today", kind=KINDS[kind].title)
    if reader and kind != "csv":
        raise wrong_use("excel-reads-csv")
    if kind == ARCHIVE and (mask is None or output == "-"):
        raise wrong_use("masked-copy", path=db)
    check_installed(kind)
    with maybe_masked(conn, db, mask, also, session, as_of) as (path, reading), replace_file(output, force) as out:
        if kind == ARCHIVE:
            with path.open("rb") as file:
                shutil.copyfileobj(file, out)
        else:
            write_deals(reading, kind, session, out, None if mask else as_of, reader == "excel")
    warn_dropped_fields(kind, language)


def export_snapshot(conn: sqlite3.Connection, db: str, folder: str, mask: str | None, also: tuple[str, ...]) -> None:
    """Write a snapshot and print the hash by which it is cited, as `sha256sum` would."""
    with maybe_masked(conn, db, mask, also) as (_, reading):
        digest = write_snapshot(reading, Path(folder), mask)
    click.echo(f"{digest}  {Path(folder) / MANIFEST}")
    made_by = f"schafkopf-archive {version('schafkopf-archive')}"
    click.echo(reader_text("cite", by=made_by, digest=digest), err=True)


@contextmanager
def maybe_masked(
    conn: sqlite3.Connection,
    db: str,
    mask: str | None,
    also: tuple[str, ...],
    session: int | None = None,
    as_of: str | None = None,
) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """Give an archive and a connection to it; with a `mask`, a masked copy that is deleted at the end."""
    if mask is None:
        yield Path(db), conn
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "masked.db"
        write_masked_copy(conn, path, mask, session, as_of, also)
        with closing(open_read(path)) as copy:
            yield path, copy


def write_deals(
    conn: sqlite3.Connection,
    kind: str,
    session: int | None,
    out: BinaryIO,
    as_of: str | None = None,
    for_excel: bool = False,
) -> None:
    """Write the deals of an archive as a kind of file; `session`: those of one session."""
    if kind in ("csv", "parquet"):
        write_outcomes(kind, conn, out, session, for_excel)
    elif kind == "jsonl":
        out.writelines(export_lines(conn, session, as_of))
    elif kind in ("toml", *SHEETS):
        out.write(session_file(conn, kind, session or 0, as_of))
    elif kind == ORIGINAL:
        out.write(source_of_session(conn, session or 0))
    else:
        of_file = asked_for(click.get_current_context())
        write_judged(kind, export_judged(conn, session, as_of), out, reader_language(), of_file)


def session_file(conn: sqlite3.Connection, kind: str, session: int, as_of: str | None) -> bytes:
    """Return a session as a session file or a score sheet."""
    refuse_empty(conn, session, as_of)
    if kind == "toml":
        return (export_toml(conn, session, as_of) or "").encode()
    judged = [judgement for _, judgement in export_judged(conn, session, as_of)]
    if not judged:
        raise ArchiveError(message("refused.session-empty", session=session))
    return write_workbook(kind, filled_form(reader_language(), judged))


def refuse_empty(conn: sqlite3.Connection, session: int, as_of: str | None) -> None:
    """Raise ArchiveError if no deal of a session counts."""
    if next(export_lines(conn, session, as_of), None) is None:
        raise ArchiveError(message("refused.session-empty", session=session))


# --- a page, as the viewer makes it ---------------------------------------------------------------------------------


NOT_OF_PAGES = ("kind", "reader")


def check_page(
    context: click.Context, conn: sqlite3.Connection, db: str, deal: int | None, session: int | None, as_of: str | None
) -> None:
    """Refuse words that ask for no page, or for more than one thing, or for what is not there."""
    if not context.params["as_page"]:
        raise wrong_use("deal-of-html")
    check_page_ending(context.params["output"])
    if (deal is None) == (session is None):
        raise wrong_use("html-what")
    if session is not None and as_of is not None:
        raise wrong_use("html-today")
    if any(context.get_parameter_source(name) is not ParameterSource.DEFAULT for name in NOT_OF_PAGES):
        raise wrong_use("html-alone")
    if session is not None:
        refuse_empty(conn, session, as_of)
    else:
        judge_in(conn, db, str(deal), as_of)


def page_file(path: Path, deal: int | None, session: int | None, as_of: str | None, language: str) -> bytes:
    """Return the file, of the archive at a path. Raises UsageError if a stranger may not see what is asked for."""
    from archive.web.app import create_app  # here, since no other kind of file needs the viewer

    kind, number = ("sessions", session) if deal is None else ("deals", deal)
    choice = {"lang": language} | ({"as-of": as_of} if as_of else {})
    answer = create_app(path).test_client().get(f"/{kind}/{number}.html?{urlencode(choice)}")
    if answer.status_code != 200:
        raise wrong_use("html-hidden")
    return bytes(answer.data)
