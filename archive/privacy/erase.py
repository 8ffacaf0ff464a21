"""Erasing a person's name from an archive for good: a number stands in its place, and the deals stay provable.

Records keep the hash by which they are known, and sources that of the file as it was imported, so that the same file
brings nothing in again. Whoever knows all else of a record can test a guess of the name against its hash.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from archive.notation import write_line
from archive.privacy.find_names import Renaming, make_renaming, names_near, new_name, replace_known_names, replace_names
from archive.privacy.redact import redact
from archive.privacy.rename import rename_changes, rename_deal, rename_fact, rename_head, rename_person, rename_rules
from archive.record import Source
from archive.record.names import name_key
from archive.rules import bundled
from archive.say import from_plain, message, to_plain
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.compression import pack_record, unpack_record
from archive.store.load import load_judgement
from archive.store.people import add_act, names_of_player, names_without_seat, people_without_seat
from archive.store.record_lines import read_record
from archive.store.row_values import to_json
from archive.store.save import head_text
from archive.store.search import rebuild_notes
from archive.store.source_texts import sessions_of, source_text, store_text
from archive.store.transaction import writing

Say = Callable[[Renaming, str], str]
Outcome = tuple[Any, ...]


class ErasureResult(Struct, frozen=True):
    """The outcome of an erasure: the number that stands for the person, and how many records, files and other rows were
    rewritten. `otherwise`: deals that are judged otherwise than before."""

    pseudonym: str
    records: int
    sources: int
    rows: int
    otherwise: tuple[int, ...] = ()


class ErasedPerson(Struct, frozen=True):
    """The person whose names are erased: `by` knows every name of the archive, `gone` these alone, `key` is the
    player's number, `pseudonym` a name with it. `here` are these and the names that they are part of."""

    key: int
    pseudonym: str
    by: Renaming
    gone: Renaming
    here: tuple[str, ...]


def erase_player(db: Database, name: str, author: str, why: str) -> ErasureResult:
    """Erase a person with all merged names, from every table and every text, and from unused pages of the file.

    Raises ArchiveError if nobody has the name, if a ruleset could not be found without it, or if another program keeps
    the archive open, so that old pages are still there; then the erasure has to be repeated.
    """
    conn = db.conn
    rehearsed = conn.in_transaction
    try:
        conn.execute("PRAGMA secure_delete = ON")
        with writing(conn):
            done = _erase(db, name, author, why)
    except sqlite3.Error as error:
        raise ArchiveError(message("refused.not-changed", why=error)) from error
    if not rehearsed:
        try:
            conn.execute("VACUUM")  # nothing is left in the file but what is in its tables
            busy = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error:
            busy = 1
        if busy:
            raise ArchiveError(message("refused.old-pages"))
    if not (done.records or done.sources or done.rows):
        raise ArchiveError(message("refused.name-nowhere", name=name))
    return done


def _erase(db: Database, name: str, author: str, why: str) -> ErasureResult:
    conn = db.conn
    who, rows = _rename_players(conn, name)
    add_functions(conn, who.by)
    lines = list(_new_statements(conn, who))
    paths = [(replace_names(who.by, path), key, path) for key, path in conn.execute("SELECT id, path FROM sources")]
    paths = [(new, key, old) for new, key, old in paths if new != old]
    sessions = dict.fromkeys(session for session, *_ in lines)
    for _, key, _ in paths:  # whose findings may say where the file lay
        sessions |= dict.fromkeys(sessions_of(conn, key))
    before = {key: _outcomes(conn, key) for key in sessions}
    for _, _, sql, values in lines:
        if sql:
            conn.execute(sql, values)
    conn.executemany("UPDATE sources SET path = ? WHERE id = ? AND path = ?", paths)
    rewritten = {conn.execute(TELLER[sql], values[-1:]).fetchone()[0] for _, count, sql, values in lines if count}
    sources = _redact_sources(conn, who, rewritten)
    rows += len(paths) + sum(_rewrite(conn, *columns) for columns in TEXTS.items()) + rewrite_own_rulesets(conn)
    records = sum(count for _, count, *_ in lines)
    if not (records or sources or rows):
        conn.execute("DELETE FROM players WHERE id = ?", (who.key,))  # nobody had this name
        return ErasureResult("", 0, 0, 0)
    for session in sessions:
        for table, columns, where in DERIVED:
            _rewrite(conn, table, columns, where.format(session))
    otherwise = [deal for session in sessions for deal in _judged_otherwise(conn, session, before[session])]
    rebuild_notes(conn)  # the index too: it keeps words of notes that are gone
    facts = {"records": records, "sources": sources, "rows": rows}
    add_act(db, "erase", who.key, None, rename_person(who.by, author), replace_names(who.by, why), facts)
    return ErasureResult(who.pseudonym, records, sources, rows, tuple(otherwise))


# --- who ------------------------------------------------------------------------------------------------------------


def _rename_players(conn: sqlite3.Connection, name: str) -> tuple[ErasedPerson, int]:
    """Return the person, whose rows in `players` now have numbers for names, and how many rows these are. A person who
    only recorded or ruled, or is only mentioned, gets a row."""
    entries = names_of_player(conn, name)
    known = {row[0] for row in conn.execute("SELECT name FROM players")}
    known |= {*people_without_seat(conn), *names_without_seat(conn)}
    if any(old == _number(key) for key, old in entries):
        raise ArchiveError(message("refused.name-number", name=name))
    if entries:
        gone = {old: new_name(_number(key), known) for key, old in entries}
        conn.executemany("UPDATE players SET name = ? WHERE id = ?", [(gone[old], key) for key, old in entries])
        rows, key = len(entries), entries[0][0]
    else:
        key = int(conn.execute("SELECT coalesce(max(id), 0) + 1 FROM players").fetchone()[0])
        gone, rows = {name: new_name(_number(key), known)}, 0
        conn.execute("INSERT INTO players (id, name) VALUES (?, ?)", (key, gone[name]))
    by = make_renaming({other: other for other in known} | gone)
    part_of = {other for other in known for old in gone if name_key(old) in name_key(other)}
    return ErasedPerson(key, next(iter(gone.values())), by, make_renaming(gone), tuple({*part_of, *gone})), rows


def _number(key: int) -> str:
    return f"Player {key}"


# --- records --------------------------------------------------------------------------------------------------------


def _new_statements(conn: sqlite3.Connection, who: ErasedPerson) -> Iterator[tuple[int, int, str, Sequence[Any]]]:
    """Yield the statements that rewrite every session in which the person is named: the number of the session, how many
    records it is, the statement and its values. All records of a session are packed with its head, and are packed anew
    with it."""
    for session, text, path in conn.execute(
        "SELECT s.id, s.head, f.path FROM sessions s JOIN sources f ON f.id = s.source_id ORDER BY s.id"
    ).fetchall():
        head = _head(who, text, path)
        if head != text:
            yield session, 0, "UPDATE sessions SET head = ? WHERE id = ?", (head, session)
        sql = """SELECT r.id, r.record, r.own_id, f.path FROM records r JOIN sources f ON f.id = r.source_id
            WHERE r.session_id = ? ORDER BY r.id"""
        for deal, packed, own_id, at in conn.execute(sql, (session,)).fetchall():
            line = unpack_record(packed, text)
            new = _line(who, line, at, deal)
            if new != line or head != text:
                values = (pack_record(new, head), own_id and replace_names(who.by, own_id), deal)
                yield session, int(new != line), NEW_RECORD, values
        yield from _new_copy_statements(conn, who, session)
        if _names_person(conn, who, session):
            yield session, 0, "UPDATE sessions SET id = id WHERE id = ?", (session,)  # to be settled again


def _new_copy_statements(
    conn: sqlite3.Connection, who: ErasedPerson, session: int
) -> Iterator[tuple[int, int, str, Sequence[Any]]]:
    sql = """SELECT c.id, c.deal_id, c.own_id, c.record, c.head, f.path FROM copies c JOIN records r ON r.id = c.deal_id
        JOIN sources f ON f.id = c.source_id WHERE r.session_id = ? AND c.record IS NOT NULL ORDER BY c.id"""
    for key, deal, own_id, packed, text, path in conn.execute(sql, (session,)).fetchall():
        line, head = unpack_record(packed, text), _head(who, text, path)
        new = _line(who, line, path, deal)
        if new != line or head != text:
            values = (pack_record(new, head), head, own_id and replace_names(who.by, own_id), key)
            yield session, int(new != line), NEW_COPY, values


def _names_person(conn: sqlite3.Connection, who: ErasedPerson, session: int) -> bool:
    """Return whether a correction or ruling of a session names the person."""
    sql = """SELECT {} FROM {} c JOIN records r ON r.id = c.deal_id WHERE r.session_id = ?"""
    columns = (
        ("author || ' ' || why || ' ' || after", "corrections"),
        ("author || ' ' || why || ' ' || coalesce(cite, '')", "rulings"),
    )
    return any(names_near(who.gone, row[0]) for text in columns for row in conn.execute(sql.format(*text), (session,)))


def _head(who: ErasedPerson, text: str, path: str) -> str:
    """Return the head of a session as the archive stores it: the line of an empty deal."""
    if not names_near(who.gone, text):
        return text
    head, _ = read_record(text.encode(), Source(path), 0)
    return head_text(rename_head(who.by, head))


def _line(who: ErasedPerson, line: bytes, path: str, deal: int) -> bytes:
    if not names_near(who.gone, line.decode()):
        return line
    head, recorded = read_record(line, Source(path), deal)
    return write_line(rename_head(who.by, head), rename_deal(who.by, recorded))


# --- everything else ------------------------------------------------------------------------------------------------


def _correction_values(by: Renaming, text: str) -> str:
    """Return the values of a correction, or those before it, as JSON."""
    return to_json(rename_changes(by, json.loads(text))) or ""


def _message(by: Renaming, text: str) -> str:
    """Return a message, or several, as JSON."""
    return to_json(to_plain(rename_fact(by, from_plain(json.loads(text))))) or ""


def _facts(by: Renaming, text: str) -> str:
    """Return the facts of a finding as JSON."""
    return to_json({key: to_plain(rename_fact(by, from_plain(fact))) for key, fact in json.loads(text).items()}) or ""


# The columns in which a person can be named, besides records: by table, and what becomes of each.
Columns = dict[str, Say]
TEXTS: dict[str, Columns] = {
    "sessions": {
        **dict.fromkeys(("event", "place", "list", "origin", "licence", "url", "note"), replace_names),
        **dict.fromkeys(("inferred", "table_name"), replace_names),
        **dict.fromkeys(("rules", "judged_by"), rename_rules),
        "recorder": rename_person,
        "inferred_facts": _message,
    },
    "sources": {**dict.fromkeys(("licence", "origin", "time_zone"), replace_names), "author": rename_person},
    "corrections": {
        **dict.fromkeys(("before", "after"), _correction_values),
        "author": rename_person,
        "why": replace_names,
    },
    "rulings": {"author": rename_person, "why": replace_names, "cite": replace_names},
    "cases": dict.fromkeys(("claimant", "respondent", "author"), rename_person),
    "case_entries": {"person": rename_person, "author": rename_person, "text": replace_names},
    "acts": {"author": rename_person, "why": replace_names, "facts": replace_names},
    "findings": {"message": replace_names, "facts": _facts},
    "evenings": dict.fromkeys(("opened_by", "closed_by", "pen_by"), rename_person),
    "deal_authors": {"author": rename_person},
    "privacy": {"author": rename_person},
    "cash_book": {"author": rename_person, "note": replace_names},
    "drafts": {"author": rename_person, "entries": _correction_values},
    "table_rules": {"name": replace_names, "author": rename_person, "house": replace_names},
}
# What the rules made of the deals of a session, in the words of that time; and of which rows.
OF_SESSION = "deal_id IN (SELECT id FROM deals WHERE session_id = {})"
DERIVED: tuple[tuple[str, Columns, str], ...] = (
    (
        "deals",
        {
            **dict.fromkeys(("reason", "missing", "state", "state_after", "cut", "note"), replace_names),
            **dict.fromkeys(("reason_facts", "missing_facts", "deciding", "unwritten"), _message),
        },
        "session_id = {}",
    ),
    ("stated", dict.fromkeys(("result", "steps"), replace_names), OF_SESSION),
    ("events", {"arg": replace_names}, OF_SESSION),
)
RULES: Columns = dict.fromkeys(("name", "title", "rules", "overrides", "house", "incomplete"), replace_names)


def add_functions(conn: sqlite3.Connection, by: Renaming) -> None:
    """Let SQL call what becomes of a column, by its name."""
    for say in (replace_names, rename_person, rename_rules, _message, _facts, _correction_values):
        conn.create_function(say.__name__, 1, partial(_rename_value, by, say))


def _rename_value(by: Renaming, say: Say, text: str | None) -> str | None:
    return None if text is None else say(by, text)


def _rewrite(conn: sqlite3.Connection, table: str, columns: Columns, where: str = "true") -> int:
    """Rewrite the columns of a table; return how many rows were changed."""
    old, new = ", ".join(columns), ", ".join(f"{say.__name__}({column})" for column, say in columns.items())
    return conn.execute(f"UPDATE {table} SET ({old}) = ({new}) WHERE {where} AND ({old}) IS NOT ({new})").rowcount


def rewrite_own_rulesets(conn: sqlite3.Connection) -> int:
    """Rewrite the rulesets of an archive that are not bundled; return how many were changed."""
    own = [key for key, rules in conn.execute("SELECT id, rules FROM rulesets") if rules not in bundled()]
    return sum(_rewrite(conn, "rulesets", RULES, f"id = {key}") for key in own)


NEW_RECORD = "UPDATE records SET record = ?, own_id = ? WHERE id = ?"
NEW_COPY = "UPDATE copies SET record = ?, head = ?, own_id = ? WHERE id = ?"
TELLER = {
    NEW_RECORD: "SELECT source_id FROM records WHERE id = ?",
    NEW_COPY: "SELECT source_id FROM copies WHERE id = ?",
}
KNOWN_BY = "SELECT coalesce(redacted_sha256, sha256) FROM sources WHERE id = ?"


def _redact_sources(conn: sqlite3.Connection, who: ErasedPerson, rewritten: set[int]) -> int:
    """Erase the person from the texts of files; return how many named the person. The hash by which a file is known
    stays; if its records were `rewritten`, the archive knows that they have other hashes."""
    changed = 0
    for (key,) in conn.execute("SELECT id FROM sources ORDER BY id").fetchall():
        raw = source_text(conn, key) or b""
        redacted = redact(raw, lambda text: replace_known_names(who.by, who.here, text))
        if redacted != raw:
            store_text(conn, key, redacted)
        digest = hashlib.sha256(redacted).digest()
        other = (digest,) != conn.execute(KNOWN_BY, (key,)).fetchone()  # its records may have been changed before
        if other or key in rewritten:
            conn.execute("UPDATE sources SET redacted_sha256 = ? WHERE id = ?", (digest, key))
        changed += other
    return changed


# --- proved ---------------------------------------------------------------------------------------------------------


def _outcomes(conn: sqlite3.Connection, session: int) -> dict[int, Outcome]:
    """Return the outcome of each deal of a session, none of which may change: verdict, payments, marks, what went into
    a pot, and totals. Each is judged again from its record."""
    outcomes: dict[int, Outcome] = {}
    for (deal,) in conn.execute("SELECT id FROM deals WHERE session_id = ? ORDER BY id", (session,)).fetchall():
        again = load_judgement(conn, deal)
        settled = again.settlement if again else None
        paid = (settled.payments, settled.marks, settled.pot) if settled else None
        outcomes[deal] = (again.verdict, paid, again.after.totals) if again else ()
    return outcomes


def _judged_otherwise(conn: sqlite3.Connection, session: int, before: Mapping[int, Outcome]) -> list[int]:
    """Return the deals of a session that are judged otherwise than before. Raises ArchiveError if the reason is a
    ruleset that can no longer be found."""
    sql = """SELECT coalesce(s.judged_by, s.rules), f.path FROM sessions s JOIN sources f ON f.id = s.source_id
        WHERE s.id = ?"""
    rules, path = conn.execute(sql, (session,)).fetchone()
    try:
        after = _outcomes(conn, session)
    except ArchiveError:  # the record names a contract of that ruleset
        if rules in bundled():
            raise
        after = {}
    changed = [deal for deal in before if before[deal] != after.get(deal)]
    if changed and rules not in bundled():
        raise ArchiveError(message("refused.rules-of-name", session=session, copy=Path(path).parent / rules))
    return changed
