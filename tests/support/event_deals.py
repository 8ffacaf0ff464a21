"""The deals of an event, judged again, for tests of its standings."""

import sqlite3
from collections.abc import Iterator

from archive.judge import Judgement
from archive.record import Session
from archive.store import load_deal, load_judgement


def event_deals(conn: sqlite3.Connection, event: str | None) -> Iterator[tuple[Session, Judgement]]:
    """Yield the deals of all sessions of an event (None: of every session), judged again, each with its session's
    head."""
    wanted = "SELECT d.id FROM deals d JOIN sessions s ON s.id = d.session_id"
    where, values = (" WHERE s.event = ?", (event,)) if event is not None else ("", ())
    for (deal,) in conn.execute(f"{wanted}{where} ORDER BY d.session_id, coalesce(d.position, d.id)", values):
        loaded, judgement = load_deal(conn, deal), load_judgement(conn, deal)
        if loaded and judgement:
            yield loaded[0], judgement
