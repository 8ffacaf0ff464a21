"""The sessions of the web application schafkopf-tracker, one from its address `/api/sessions/ID`, or all from its
database: what was played, by whom, who knocked, and what it changed (`docs/formats/schafkopf-tracker.md`)."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace as with_values

from archive.notation.problem import refuse_entry
from archive.record import Deal, Finding, Session, Source, Stated, finding
from archive.say import message
from importers import app_json
from importers.app_json import Count, Euros, ReadRound
from importers.json_text import Game as ReadGame
from importers.json_text import Part
from importers.text import as_utf8

NAME = "schafkopf-tracker"
KEYS = (b'"game_type"', b'"players"', b'"stake"', b'"history"')
BEGIN = 8192  # bytes in which the keys of a session stand
DATABASE, WAL = b"SQLite format 3\0", slice(18, 20)  # the bytes for a log beside the database
TABLES = (b"klopfer", b"spielwert", b"laufende")
GAME = "schafkopf"
BOCK = 2
SESSIONS = "SELECT id, name, game_type, players, stake FROM sessions WHERE game_type = ? ORDER BY created_at, id"
GAMES = "SELECT * FROM games WHERE session_id = ? ORDER BY seq, created_at"  # older ones lack some columns
TEXTS = ("klopfer", "changes")  # columns that hold JSON
OF_EARLIER = ("laufende", "bock", "schneider", "schwarz")  # empty in rows from before the application had them


class Table(Struct):
    """A session of the application, without its deals."""

    players: list[str]
    stake: Euros
    game: str = field(name="game_type", default=GAME)
    id: str = ""
    name: str | None = None

    @property
    def cents(self) -> int:
        """Return the stake in cents."""
        return round(abs(self.stake) * 100)


class Round(app_json.Row):
    """A deal. `changes` is what each player won or lost, in euros."""

    type: str
    player: str
    won: bool
    price: Euros = field(name="spielwert")
    changes: dict[str, Euros]
    moment: str = field(name="created_at")
    partner: str | None = None
    seq: Count | None = None
    schneider: bool = False
    schwarz: bool = False
    runners: Count = field(name="laufende", default=0)
    bock: Annotated[int, Meta(ge=1, le=64)] = 1
    knocks: list[str] | None = field(name="klopfer", default=[])
    archived: str | None = field(name="archived_at", default=None)


def matches(name: str, head: bytes) -> bool:
    """Return whether the file is a session in JSON by its keys, or a database with the table of games."""
    if head.startswith(DATABASE):
        return all(column in head for column in TABLES)
    start = as_utf8(head[:BEGIN]).lstrip()
    return start.startswith((b"{", b"[")) and all(key in start for key in KEYS)


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return a session for each evening, with its deals."""
    if data.startswith(DATABASE):
        return _of_database(data, source)
    return app_json.read_file(data, source, "history", _games)


def _of_database(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield the sessions of a database, which is read in memory, each as its address would give it."""
    try:
        with closing(sqlite3.connect(":memory:")) as conn:
            conn.deserialize(data[: WAL.start] + b"\1\1" + data[WAL.stop :])
            conn.row_factory = sqlite3.Row
            conn.text_factory = lambda raw: raw.decode("utf-8", "replace")
            texts = []
            for session in map(dict, conn.execute(SESSIONS, (GAME,))):
                games = [dict(row) for row in conn.execute(GAMES, (session["id"],))]
                for game in games:
                    game |= {key: _value_of(game[key]) for key in TEXTS if key in game}
                    for key in [key for key in OF_EARLIER if game.get(key, 0) is None]:
                        del game[key]
                session |= {"players": _value_of(session["players"]), "history": games}
                texts.append(msgspec.json.encode(session))
    except (sqlite3.Error, OverflowError, MemoryError):
        yield finding("deal-unreadable", source, why=message("importers.app-database"))
        return
    for text in texts:
        for item in app_json.read_file(text, source, "history", _games):
            at = item.source or source
            yield with_values(item, source=with_values(at, line=source.line, end_line=None))


def _value_of(text: Any) -> Any:
    try:
        return msgspec.json.decode(text) if isinstance(text, str) else text
    except msgspec.DecodeError:
        return text


def _games(part: Part, value: Any, source: Source) -> Iterator[ReadGame]:
    at = app_json.place_of(part, source)
    table, findings = app_json.read_struct(part, Table, at)
    if table and table.game != GAME:
        findings = (finding("deal-unreadable", at, why=message("importers.app-other-game", game=table.game)),)
    if findings or table is None:
        yield ReadGame(at, findings, is_game=False)
        return
    rows = [row for row in value["history"] if isinstance(row, dict)]
    deal_of, put_aside = partial(_deal, table), sum(isinstance(row.get("archived_at"), str) for row in rows)
    parts = app_json.member_parts(part, "history")
    rounds = (app_json.read_round(each, Round, source, "created_at", deal_of) for each in parts)
    counted = (each for each in rounds if each.row is None or each.row.archived is None)
    yield from app_json.by_evening(counted, partial(_head, table, put_aside))


def _deal(table: Table, row: Round) -> Deal:
    """Return the deal of a round. Raise Problem if it cannot be read."""
    players, both = table.players, row.schneider and row.schwarz
    seats = [app_json.seat_of("changes", name, players) for name in row.changes]
    game, has_declarer, size = app_json.game_of("type", row.type)
    if not has_declarer:
        refuse_entry("type", row.type, message("importers.so-many-players", n=1))
    if len(seats) < (least := min(app_json.AT_TABLE, len(players))):
        unpaid = ", ".join(name for name in players if name not in row.changes)
        refuse_entry("changes", unpaid, message("notation.amount-for-each", players=least))
    if (row.partner is not None) != (size > 1) and size > 1:
        refuse_entry("partner", "", message("importers.so-many-players", n=size))
    payments = [app_json.cents("changes", row.changes.get(name, 0.0)) for name in players]
    return Deal(
        id=None if row.seq is None else str(row.seq),
        sits_out=tuple(seat for seat in range(len(players)) if seat not in seats) or None,
        round=("bock",) if row.bock == BOCK else None,
        house={"price": {"schwarz": 3 * table.cents}} if both else None,
        inferred=(app_json.evidence("house.price", "note-program-prices"),) if both else None,
        knocks=None if row.knocks is None else tuple(app_json.seat_of("klopfer", name, players) for name in row.knocks),
        game=with_values(game, declarer=app_json.seat_of("player", row.player, players)),
        partner=app_json.seat_of("partner", row.partner, players) if row.partner and size > 1 else None,
        stated=Stated(
            won=row.won,
            schneider=None if row.schwarz else row.schneider,
            schwarz=row.schwarz,
            runner_count=row.runners or None,
            price=app_json.cents("spielwert", row.price),
            payments=tuple(payments),
        ),
        x={"bock": row.bock} if row.bock not in (1, BOCK) else None,
    )


def _head(table: Table, put_aside: int, day: str, evening: Sequence[ReadRound[Round]]) -> Session:
    """Return the head of an evening, with what the application always does with its stake."""
    stake = table.cents
    house: dict[str, Any] = {"tariff": f"{stake}/{stake}/{4 * stake}", "each_pays_each": True, "knock": "anyone"}
    inferred = [*(app_json.evidence(f"house.{key}", "note-program-prices") for key in house), ""]
    if put_aside:
        inferred.append(app_json.evidence("rows", "app-marked-archived", n=put_aside))
    return app_json.session_of(table.players, day, house, inferred, evening, id=table.id, name=table.name)
