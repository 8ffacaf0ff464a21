"""One sentence for a file that no importer knows: a picture, a database, a letter, and what to do with it. Files are
recognised by content: binary formats by `filetype`, text formats by how they begin."""

import re
from collections.abc import Iterable

from archive.cli.mails import is_mail
from archive.say import Message, message
from importers import OWN_PAGE, OWN_PROTOCOL, YAML
from importers.score_sheet.workbook_kinds import part_names
from importers.text import COPIED_PAGE, as_utf8, decode_file

HEAD = 65_536  # bytes that are looked at
TEXTS = {  # how a text begins that another kind of program wrote
    b"BEGIN:VCARD": "contacts",
    b"BEGIN:VCALENDAR": "calendar",
    b"{\\rtf": "text-document",
    b"ID;P": "exchange-sheet",
    b"deal,viewer,session,": "outcomes",
    b"deal;viewer;session;": "outcomes",
    b"TABLE\r\n0,1": "exchange-sheet",
    b"TABLE\n0,1": "exchange-sheet",
    b"<?xml": "xml",
    b"<!doctype html": "web-page",
    b"<html": "web-page",
    b"%!ps": "pdf",
    b"return-path:": "mail",
    b"received:": "mail",
    b"delivered-to:": "mail",
    b"pragma foreign_keys": "dump",
    b"-- m": "dump",  # of MySQL, MariaDB
    b"-- phpmyadmin": "dump",
    b"--\n-- p": "dump",
    b"create table": "dump",
    b"insert into": "dump",
    OWN_PROTOCOL: "own-page",
}
EXCEL_XML = b"urn:schemas-microsoft-com:office:spreadsheet"
KINDS = {  # by the type that `filetype` gives: the whole type, else the part before its slash
    "application/pdf": "pdf",
    "application/rtf": "text-document",
    "application/msword": "text-document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "text-document",
    "application/vnd.oasis.opendocument.text": "text-document",
    "application/vnd.ms-powerpoint": "slides",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "slides",
    "application/vnd.oasis.opendocument.presentation": "slides",
    "application/epub+zip": "book",
    "application/x-msdownload": "program",
    "application/x-executable": "program",
    "application/x-sqlite3": "database",
    "application/font-sfnt": "font",
    "application/font-woff": "font",
    "image": "picture",
    "video": "film",
    "audio": "sound",
    "font": "font",
}
MEMBERS = {  # what a ZIP is that has a file of such a name
    "program": re.compile(r"AndroidManifest\.xml|META-INF/MANIFEST\.MF"),
    "numbers": re.compile(r"Index/.*\.iwa|Index\.zip"),
}
WHOLE_LISTS = {  # a list in a ZIP that has all that its others have, and one of those, by which the ZIP is known
    "05_pivot_vorlage_scores.csv": "01_gesamtwertung.csv",
}
GAME_WORDS = re.compile(
    r"schafkopf|sheepshead|sauspiel|rufspiel|farbwenz|\b(?:wenz|ramsch|geier|bettel|laufende|stoss|stoß|schneider|solo)\b",
    re.IGNORECASE,
)
APPLICATION, JOURNAL = slice(68, 72), slice(18, 20)  # bytes of the header of a database
NO_JOURNAL = b"\1\1"  # in place of a journal beside the file, which is not there when it is read in memory
PARQUET, OUTCOMES = b"PAR1", b"side_points"  # how such a file begins, and a column of our table of outcomes
MOST_NAMES = 5  # keys or tables that are named


def mentions_game(text: str) -> bool:
    """Return whether a text names a game, so that somebody may take it for a record."""
    return bool(GAME_WORDS.search(text))


def kind_of_zip(names: Iterable[str]) -> str | None:
    """Return what a ZIP is as a whole by the names of the files in it; None for one that simply holds files."""
    return next((kind for name in names for kind, known in MEMBERS.items() if known.fullmatch(name)), None)


def describe_foreign(data: bytes) -> Message | None:
    """Return the sentence that says what a file is and what to do with it; None for a text that may be anything."""
    if not as_utf8(data).strip():
        return message("cli.foreign-empty")
    kind = _binary_kind(data)
    if kind == "database":
        from archive.store.schema import APPLICATION_ID  # here, as below, for a file that nobody reads

        is_archive = data[APPLICATION] == APPLICATION_ID.to_bytes(4, "big")
        return message("cli.foreign-archive") if is_archive else message("cli.foreign-database", names=_tables(data))
    if kind:
        return message(f"cli.foreign-{kind}")
    if is_mail(data):
        return message("cli.foreign-mail")
    start = as_utf8(data[:HEAD]).lstrip()
    if EXCEL_XML in start:
        return message("cli.foreign-exchange-sheet")
    kind = next((kind for begin, kind in TEXTS.items() if start[: len(begin)].lower() == begin.lower()), None)
    kind = "own-page" if OWN_PAGE in start else "yaml" if re.search(YAML, start) else kind
    kind = kind or ("page-text" if re.search(COPIED_PAGE, start) else None)
    if kind:
        return message(f"cli.foreign-{kind}")
    return _json(start)


def _binary_kind(data: bytes) -> str | None:
    """Return what a file is by its magic numbers; None for text."""
    import filetype  # here, as below, for a file that nobody reads: 20 ms

    if kind := kind_of_zip(part_names(data[:HEAD])):
        return kind
    if data.startswith(PARQUET) and OUTCOMES in data[-HEAD:]:
        return "outcomes"
    guess = filetype.guess(data[:HEAD])
    if guess is None:
        return "binary" if b"\0" in as_utf8(data[:HEAD]) else None
    return KINDS.get(guess.mime) or KINDS.get(guess.mime.partition("/")[0], "binary")


def _tables(data: bytes) -> str:
    """Return the names of the first tables of a database, which is read in memory and never written."""
    import sqlite3

    conn = sqlite3.connect(":memory:")
    try:
        conn.deserialize(data[: JOURNAL.start] + NO_JOURNAL + data[JOURNAL.stop :])
        names = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    except sqlite3.Error:
        return "?"
    finally:
        conn.close()
    return ", ".join([*map(str, names[:MOST_NAMES]), *["…"] * (len(names) > MOST_NAMES)])


def _json(start: bytes) -> Message | None:
    """Return the sentence about the JSON of another program, with its first keys; None if it is no JSON."""
    if not start.startswith((b"{", b"[")):
        return None
    keys = re.findall(r'"([^"\\]{1,40})"\s*:', decode_file(start))
    return message("cli.foreign-json", names=", ".join(dict.fromkeys(keys[: 3 * MOST_NAMES]))) if keys else None
