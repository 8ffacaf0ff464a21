"""The accounts of each session, as SQL adds them up from stored facts, compared with those that judgements give: two
ways to the standings, and a reader sees one or the other."""

import sqlite3
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Session
from archive.stats.event_standings import Row, account_of_row, standings
from archive.store.people import merged_names
from archive.store.row_values import named_rows
from archive.store.views import STANDINGS

OF_SESSIONS = STANDINGS.format(event="e.id", wanted="1")
Key = tuple[int, str | None, str]  # a session, a unit, an account
AccountDifference = tuple[int, str, str, object, object]  # a session, an account, what of it, as stored, as judged


class SessionAccounts:
    """The accounts of the sessions that were judged again."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn, self.known_as = conn, merged_names(conn)
        self.judged: dict[int, dict[Key, Row]] = {}

    def add(self, session: int, head: Session, judgements: Sequence[Judgement]) -> None:
        """Count a session whose deals are all stored as they are judged today."""
        rows = standings(((head, each) for each in judgements), self.known_as)
        unranked = (replace(row, rank=0, shared=False) for row in rows)
        self.judged[session] = {(session, row.unit, row.player): row for row in unranked}

    def differences(self) -> Iterator[AccountDifference]:
        """Yield each account that is stored otherwise than it is judged, with the first difference."""
        stored: dict[int, dict[Key, Row]] = {}
        for facts in named_rows(self.conn.execute(OF_SESSIONS)):
            row = account_of_row(facts)
            stored.setdefault(facts["event"], {})[facts["event"], row.unit, row.player] = row
        for session, judged in self.judged.items():
            there = stored.get(session, {})
            for key in {**judged, **there}:
                nothing = Row(key[2], key[1])
                one, other = there.get(key, nothing), judged.get(key, nothing)
                what = next(
                    (name for name in Row.__struct_fields__ if getattr(one, name) != getattr(other, name)), None
                )
                if what:
                    yield session, key[2], what, getattr(one, what), getattr(other, what)
