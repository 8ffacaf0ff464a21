"""Recognising a deal that the archive already has, from this source or another."""

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from archive.notation import is_whole
from archive.record import Deal, Session
from archive.store.privacy import Hidden, is_file_hidden
from archive.store.records import NOBODYS
from archive.store.source_texts import OF_SOURCE
from archive.store.tables import hash_prefix_sql


class Match(Struct, frozen=True):
    """A deal that is known: its id and session, whether it was recorded in these words, and whether in what may be an
    earlier state of this file."""

    deal: int
    session: int
    equal: bool
    same_file: bool


class DealIndex:
    """A search for deals that other sources have recorded, while a source is stored."""

    def __init__(self, conn: sqlite3.Connection, source: int, path: str, hidden: Hidden) -> None:
        self.conn, self.source, self.hidden = conn, source, hidden
        sql = "SELECT id FROM sources WHERE path = ? AND id <> ?"
        # states of the same file
        states = [row[0] for row in conn.execute(sql, (path, source))] if path not in NOBODYS else []
        self.earlier = [state for state in states if not is_file_hidden(conn, state, hidden)]
        self.numbered: dict[tuple[object, ...], tuple[int, int, int]] | None = (
            None  # deals of earlier states of the file
        )

    def match(self, head: Session, deal: Deal, known_by: Mapping[str, Any]) -> Match | None:
        """Return the deal as the archive has it: by the hash of its record, the id that its source gives it, its cards
        as played, or its number in an earlier state of the same file, in this order. Deals of sessions hidden from the
        sender are not matched, since the result would reveal them. `known_by` are the columns of its record."""
        digest = known_by["hash"]
        equal = self._rows(f"{hash_prefix_sql('hash')} = {hash_prefix_sql('?1')} AND hash = ?1", (digest,))
        deals = chain(
            ((key, session, True, True) for key, session, _ in equal),
            (
                (key, session, False, of in self.earlier)
                for key, session, of in chain(
                    self._of_copy("c.hash = ?", (digest,)),
                    self._of_id(head, deal),
                    self._of_play(deal, known_by["play_hash"]),
                    self._of_number(head, known_by["number"]),
                )
            ),
        )
        return next((Match(*each) for each in deals if each[1] not in self.hidden.sessions), None)

    def _rows(self, where: str, values: tuple[object, ...]) -> Iterator[tuple[int, int, int]]:
        yield from self.conn.execute(f"SELECT id, session_id, source_id FROM records WHERE {where} ORDER BY id", values)

    def _of_copy(self, where: str, values: tuple[object, ...]) -> Iterator[tuple[int, int, int]]:
        """Yield the deals with a copy that fits: a record from another source makes a deal known too."""
        sql = f"""SELECT r.id, r.session_id, r.source_id FROM copies c JOIN records r ON r.id = c.deal_id
            WHERE {where} ORDER BY c.id"""
        yield from self.conn.execute(sql, values)

    def _of_id(self, head: Session, deal: Deal) -> Iterator[tuple[int, int, int]]:
        """Yield the deals with this id. Ids are given by a site, or by a person who writes deals of these players
        down."""
        if deal.id is None:
            return
        sql = """SELECT r.id, r.session_id, r.source_id, s.head FROM records r
            JOIN sessions s ON s.id = r.session_id WHERE r.own_id = ?1 AND r.source_id <> ?2
            UNION ALL SELECT r.id, r.session_id, r.source_id, coalesce(c.head, s.head) FROM copies c
            JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
            WHERE c.own_id = ?1 AND c.source_id <> ?2 ORDER BY 1"""
        for key, session, of, text in self.conn.execute(sql, (deal.id, self.source)):
            fields = msgspec.json.decode(text)
            origin = fields.get("head", {}).get("origin")
            of_site = origin is not None and origin == (deal.origin or head.origin)
            if of_site or set(fields.get("players", ())) == set(deal.players or head.players):
                yield key, session, of

    def _of_play(self, deal: Deal, play: bytes | None) -> Iterator[tuple[int, int, int]]:
        if play is not None and is_whole(deal):
            yield from self._rows(
                f"{hash_prefix_sql('play_hash')} = {hash_prefix_sql('?1')} AND play_hash = ?1 AND source_id <> ?2",
                (play, self.source),
            )
            yield from self._of_copy("c.play_hash = ? AND c.source_id <> ?", (play, self.source))

    def _of_number(self, head: Session, number: int) -> Iterator[tuple[int, int, int]]:
        if self.earlier and self.numbered is None:
            sql = f"""SELECT r.id, r.session_id, r.source_id, r.number, s.head FROM records r
                JOIN sessions s ON s.id = r.session_id WHERE {OF_SOURCE}
                UNION ALL SELECT r.id, r.session_id, r.source_id, c.number, coalesce(c.head, s.head)
                FROM copies c JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
                WHERE c.source_id = ?1"""
            rows = [row for source in self.earlier for row in self.conn.execute(sql, (source,))]
            self.numbered = {(at, *_day_and_players(text)): (key, session, of) for key, session, of, at, text in rows}
        ids = (self.numbered or {}).get((number, head.date, head.players))
        yield from (ids,) if ids else ()


def _day_and_players(head: str) -> tuple[str | None, tuple[str, ...]]:
    fields = msgspec.json.decode(head)
    return fields.get("date"), tuple(fields.get("players", ()))
