"""A slice: whole sessions of all shards, imported into an archive of their own for the viewer and Datasette.

Each shard becomes a source: its lines keep their places, and the others are blank, so that the place of a deal is the
same as in the shard. Deals are judged again on the way, as in any import.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.judge_stream import judge_with_heads
from archive.notation import write_line
from archive.record import Deal, Finding, Session, Source
from archive.say import message
from archive.scale import ScaleError
from archive.scale.duckdb_views import first_line, in_folder
from archive.scale.parquet import number_of
from archive.scale.shards import folder_of
from archive.stats.sql import days_sql
from archive.store import SaveResult, save_file
from archive.store.record_lines import read_record
from archive.store.saved_files import FilePart

if TYPE_CHECKING:
    import duckdb

    from archive.store._sqlite_utils import Database

NAMED = "CREATE OR REPLACE TEMP TABLE wanted AS SELECT DISTINCT d.session_id, d.shard FROM deals d {joins} WHERE {fits}"
JOINS = "JOIN sessions s ON s.id = d.session_id AND s.shard = d.shard"
# The conditions that a part can be cut by, on deals `d` and sessions `s`.
FITS = {
    "event": "s.event = $event",
    "since": days_sql("since", date="s.date").replace(":", "$"),
    "until": days_sql("until", date="s.date").replace(":", "$"),
    "player": "d.id IN (SELECT deal_id FROM seats WHERE player_id = $player)",
    "source": "d.shard IN (SELECT shard FROM sources WHERE path = $source)",
    "verdict": "d.verdict = $verdict",
}
SHARDS = """SELECT w.shard, any_value(f.path), count(*) FROM wanted w JOIN sources f ON f.shard = w.shard
    GROUP BY w.shard ORDER BY w.shard"""
# Every line of the sessions: of records, and of copies that give the same deal in other words.
LINES = """SELECT r.line, r.end_line, r.number, r.session_id, r.record
    FROM {records} r WHERE r.session_id IN (SELECT session_id FROM wanted)
    UNION ALL SELECT c.line, c.end_line, c.number, r.session_id, coalesce(c.record, r.record)
    FROM {copies} c JOIN {records} r ON r.id = c.deal_id WHERE r.session_id IN (SELECT session_id FROM wanted)
    ORDER BY 1, 3"""
NEEDED = (NAMED, JOINS, SHARDS, *FITS.values())  # names that a session over the shards must have


class RecordLine(Struct, frozen=True):
    """A record of a shard: its lines there, its number in its session, the session's id, and its canonical line."""

    line: int
    end_line: int
    number: int
    session: int
    record: str


class Part(Struct, frozen=True):
    """The wanted lines of a shard, and the number of their sessions."""

    name: str
    sessions: int
    lines: tuple[RecordLine, ...]


def parts_of(conn: "duckdb.DuckDBPyConnection", out: Path, given: dict[str, str], where: str | None) -> Iterator[Part]:
    """Yield the sessions with a deal that meets every condition given, shard by shard. Raise ScaleError if a condition
    cannot be read, or nothing fits."""
    import duckdb

    fits = [FITS[key] for key in given] + ([f"({where})"] if where else [])
    values: dict[str, str | int] = {key: number_of(text) if key == "player" else text for key, text in given.items()}
    try:
        conn.execute(NAMED.format(joins=JOINS, fits=" AND ".join(fits) or "true"), values)
        shards = conn.execute(SHARDS).fetchall()
    except duckdb.Error as error:
        raise ScaleError(message("refused.not-cut", why=first_line(error))) from None
    if not shards:
        raise ScaleError(message("refused.no-deal-fits"))
    for shard, name, sessions in shards:
        files = {table: f"read_parquet('{folder_of(shard)}/{table}.parquet')" for table in ("records", "copies")}
        rows: list[tuple[Any, ...]] = conn.execute(in_folder(LINES.format(**files), out)).fetchall()
        yield Part(name, sessions, tuple(RecordLine(*row) for row in rows))


def import_part(db: "Database", part: Part, folder: Path) -> tuple[SaveResult, list[Judgement]]:
    """Import a part of a shard into an archive. Custom rules are looked for beside the shard, at its original place."""
    path = str(folder / part.name)
    records = [(line, *read_record(line.record.encode(), Source(path, line.line), line.number)) for line in part.lines]
    placed = {each.line: write_line(own, replace(deal, no=each.number)) for each, own, deal in records}
    text = b"".join(placed.get(line, b"") + b"\n" for line in range(1, max(placed) + 1))
    source = Source(path, sha256=hashlib.sha256(text).hexdigest())
    judged = list(judge_with_heads(items_of(records, source)))
    pairs = [each for each in judged if not isinstance(each, Finding)]
    lone = [each for each in judged if isinstance(each, Finding)]
    saved = save_file(db, FilePart(path, "record-lines"), text, pairs, lone)
    return saved, [judgement for _, judgement in pairs]


def items_of(records: Iterable[tuple[RecordLine, Session, Deal]], source: Source) -> Iterator[Session | Deal]:
    """Yield sessions and deals as an importer does, with the numbers of the deals."""
    session: int | None = None
    head: Session | None = None
    for each, own, deal in records:
        at = replace(source, line=each.line, end_line=each.end_line)
        if each.session != session or head is None or replace(own, source=head.source) != head:
            session, head = each.session, replace(own, source=at)
            yield head
        yield replace(deal, no=each.number, source=replace(at, deal=each.number))
