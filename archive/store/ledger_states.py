"""The state of the ledger before and after a deal: stored as briefly as possible, readable again for any deal.

Most deals leave nothing but new totals, which stand in `seats`, and the turn of the next dealer. Such a state is
written `{}`, and every 64th of them in full, so that reading one reads few. All others are written as they are.
"""

import sqlite3
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import structs

from archive.settle.ledger import empty_ledger
from archive.settle.types import LedgerState, Totals, sum_if_known

PLAIN = "{}"  # usual: before a deal, what the deal before left, which was usual too; after it, see `usual_state`
EVERY = 64  # usual states, of which one is written in full
UNTOLD = '{"totals":null}'  # a state of which nothing is known; by default it would be written like PLAIN


def state_text(table: LedgerState) -> str:
    """Return a state of the ledger as JSON, without its default values."""
    nothing = LedgerState()
    fields = {key: value for key, value in structs.asdict(table).items() if value != getattr(nothing, key)}
    return msgspec.json.encode(fields).decode() if fields else UNTOLD


def state_of(text: str) -> LedgerState:
    """Return the table from a state that is written in full."""
    return msgspec.json.decode(text, type=LedgerState)


def usual_state(before: LedgerState, dealer: int | None, totals: Totals, restated: bool) -> LedgerState | None:
    """Return the state after a deal that changes only totals and the dealer; None if it is not known. `restated`: the
    record states totals."""
    if dealer is None or totals is None or None in totals or before.list_deals is None:
        return None
    return LedgerState(
        dealer=(dealer + 1) % len(totals),
        totals=totals,
        stated_totals=totals if restated or before.stated_totals is not None else None,
        marks=(0,) * len(totals),
        list_deals=before.list_deals + 1,
    )


class States:
    """A writer of the states of deals, one session after another: the columns `state` and `state_after`."""

    def __init__(self) -> None:
        self.session: int | None = None
        self.last: LedgerState | None = None  # what the deal before left, if that was as usual

    def write(
        self, session: int, before: LedgerState, after: LedgerState, dealer: int | None, restated: bool, begins: bool
    ) -> tuple[str, str]:
        """Return the texts of the states before and after a deal; `begins`: the session has no deal before it."""
        if session != self.session:
            self.session, self.last = session, empty_ledger(len(before.totals or ())) if begins else None
        known = before == self.last
        plain = usual_state(before, dealer, after.totals, restated) == after
        self.last = after if plain else None
        short = plain and (after.list_deals or 0) % EVERY
        return PLAIN if known else state_text(before), PLAIN if short else state_text(after)


# --- reading --------------------------------------------------------------------------------------------------------

ROWS = """SELECT d.id, d.state, d.state_after, d.dealer,
    (SELECT json_group_array(total) FROM (SELECT total FROM seats WHERE deal_id = d.id ORDER BY seat)),
    EXISTS (SELECT 1 FROM stated WHERE deal_id = d.id AND totals IS NOT NULL)
    FROM deals d WHERE d.session_id = ? AND d.id BETWEEN ? AND ? ORDER BY coalesce(d.position, d.id)"""
FULL = f"""SELECT coalesce(max(id), 0) FROM (SELECT id, state_after FROM deals WHERE session_id = ? AND id < ?
    ORDER BY id DESC) WHERE state_after <> '{PLAIN}'"""
MOVED = "SELECT 1 FROM deals WHERE session_id = ? AND position IS NOT NULL LIMIT 1"


def states_between(
    conn: sqlite3.Connection, session: int, first: int, last: int
) -> dict[int, tuple[LedgerState, LedgerState | None]]:
    """Return the states before and after each deal of a session between two numbers, by deal."""
    until = last
    if conn.execute(MOVED, (session,)).fetchone():  # the deal before one may have any number
        full, until = 0, 1 << 62
    else:
        full = conn.execute(FULL, (session, first)).fetchone()[0]
    states: dict[int, tuple[LedgerState, LedgerState | None]] = {}
    left: LedgerState | None = None
    for deal, state, after, dealer, stated, restated in map(tuple, conn.execute(ROWS, (session, full, until))):
        totals = tuple(msgspec.json.decode(stated))
        before = state_of(state) if state != PLAIN else left or empty_ledger(len(totals))
        left = None if after is None or after == PLAIN else state_of(after)
        if after == PLAIN:
            left = usual_state(before, None if dealer is None else dealer - 1, totals, bool(restated))
        states[deal] = (before, left)
    return {deal: each for deal, each in states.items() if first <= deal <= last}


def resumed_states(conn: sqlite3.Connection, session: int, last: int) -> States:
    """Return the writer of the states of a session that goes on after the deal `last`."""
    states = States()
    states.session = session
    before, after = states_between(conn, session, last, last)[last]
    _, _, _, dealer, _, restated = conn.execute(ROWS, (session, last, last)).fetchone()
    if after and usual_state(before, None if dealer is None else dealer - 1, after.totals, bool(restated)) == after:
        states.last = after
    return states


def with_shown_names(table: LedgerState | None, shown: Mapping[str, str]) -> LedgerState | None:
    """Return a state with the totals of those who have left under the names that are shown for them, added up where
    somebody has left under two."""
    if table is None or not any(name in shown for name, _ in table.away):
        return table
    ends = [*dict(table.away).items()], [*(dict(table.away) | dict(table.settled_away)).items()]
    by_name = [
        tuple(
            (name, sum_if_known(tuple([total for each, total in pairs if shown.get(each, each) == name])))
            for name in dict.fromkeys(shown.get(each, each) for each, _ in pairs)
        )
        for pairs in ends
    ]
    return structs.replace(table, away=by_name[0], settled_away=by_name[1] if table.settled_away else ())


def state_before(conn: sqlite3.Connection, deal: int) -> LedgerState | None:
    """Return the state before a deal; None if there is no such deal."""
    row = conn.execute("SELECT session_id, state FROM deals WHERE id = ?", (deal,)).fetchone()
    if row is None:
        return None
    return state_of(row[1]) if row[1] != PLAIN else states_between(conn, row[0], deal, deal)[deal][0]


def every_state(conn: sqlite3.Connection, session: int) -> Iterator[tuple[int, LedgerState]]:
    """Yield each deal of a session with the state before it."""
    for deal, (before, _) in states_between(conn, session, 0, 1 << 62).items():
        yield deal, before
