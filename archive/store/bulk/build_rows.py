"""Columns of rows of deals that the bulk judge found clean, by name, as `archive.store.rows` makes them of judgements.

A row has the place of its deal in the batch, from 0; sessions, players and rulesets are numbered within the file.
Whoever writes the rows replaces these by the numbers of the archive.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from archive.bulk import Batch, Quick, SessionHead
from archive.bulk.clean_deals import clean_judgement
from archive.engine import columns as c
from archive.judge.judge_stream import gc_paused
from archive.store import record_codec
from archive.store.compression import pack_record
from archive.store.ledger_states import States
from archive.store.rows import Row, derived_rows
from archive.store.writer import PLAY_HASH

PLAYED_OUT = {count: ",".join(["[]"] * count) for count in range(1, 9)}  # what is left of so many hands

Columns = dict[str, list[Any]]


class TableRows(Struct, array_like=True):
    """Rows of a table: their columns by name without those that have no value, and the place of the deal of each."""

    columns: Columns
    places: list[int]


Tables = dict[str, TableRows]  # by table, parents first


class SessionRows(Struct):
    """The part of a session that rows need: the numbers of its players and its rules, and its head."""

    session: int
    players: list[int]
    ruleset: int
    head: SessionHead


NOTHING, OTHERS, CLEAN = range(3)  # what the deal before one in its session was: none, one without rows here, one with


class CleanDeal(Struct, frozen=True):
    """A deal with rows: its row in the batch, the place at which its rows begin, its session, and what came before
    it."""

    row: int
    place: int
    sitting: SessionRows
    after: int


class RowBuilder:
    """Makes the rows of clean deals."""

    def __init__(self) -> None:
        self.states = States()

    def rows(self, batch: Batch, clean: Sequence[CleanDeal]) -> Tables:
        """Return the rows of clean deals, by table."""
        tables: dict[str, tuple[list[str], list[Any], list[int]]] = {}  # names, values row by row, places
        facts = batch.engine.lists(batch.facts)
        with gc_paused():
            for each in clean:
                for table, rows in self.of_deal(batch, each, facts[each.row]).items():
                    if rows:
                        _, values, places = tables.get(table) or tables.setdefault(table, (list(rows[0]), [], []))
                        for row in rows:
                            values += row.values()
                        places += [each.place] * len(rows)
        return {
            table: TableRows(filled_columns(names, values), places) for table, (names, values, places) in tables.items()
        }

    def of_deal(self, batch: Batch, each: CleanDeal, facts: Sequence[int]) -> dict[str, Sequence[Row]]:
        """Return the rows of a deal by table, without its place."""
        sitting = each.sitting
        if each.after != CLEAN:  # what others left is not known here
            self.states.session = None
        judgement, begins = clean_judgement(batch, each.row, facts), each.after == NOTHING
        derived = derived_rows(judgement, sitting.session, sitting.ruleset, sitting.players, self.states, begins)
        return {"records": (record_row(batch, each, facts),), **derived}


def filled_columns(names: list[str], values: list[Any]) -> Columns:
    """Return the columns of values that stand row by row, without those that are None in each row."""
    columns = {name: values[at :: len(names)] for at, name in enumerate(names)}
    return {name: each for name, each in columns.items() if each.count(None) < len(each)}


def record_row(batch: Batch, each: CleanDeal, facts: Sequence[int]) -> Row:
    """Return the columns of `records` except those that need the text of the session, which the writer adds."""
    deal = batch.quick[each.row]
    assert deal
    return {
        "session_id": each.sitting.session,
        "number": batch.number[each.row],
        "own_id": deal.id,
        "line": batch.line[each.row],
        "play_hash": play_hash(deal, plays_of(deal), facts[c.LEADER], each.sitting.head),
        "record": batch.raw[each.row],
    }


def pack_line(raw: bytes, text: str) -> bytes:
    """Return the line of a clean deal, packed with the text of its session; unpacking gives back what was judged."""
    return record_codec.pack_line(raw, text) or pack_record(raw, text)


def plays_of(deal: Quick) -> list[str]:
    """Return the cards of each trick."""
    return [trick.rpartition(": ")[2] for trick in deal.tricks or ()]


def play_hash(deal: Quick, cards: Sequence[str], lead: int, head: SessionHead) -> bytes | None:
    """Return the first bytes of the `play_identity` of a deal; None if its cards are not all known. `cards` are by
    trick, `lead` is the seat that led to the first."""
    hands = deal.hands
    if hands is None:
        return None
    count, first = len(hands), lead if cards else forehand(deal, head)
    if 3 * len(cards) != len(hands[0]) + 1:  # not as many tricks as cards in a hand: some are left
        played = {code for trick in cards for code in trick.split(" ")}
        left = [sorted(set(hands[(first + n) % count].split(" ")) - played) for n in range(count)]
        text = msgspec.json.encode((count, [trick.split(" ") for trick in cards], left))
    else:
        quoted = '"],["'.join(cards).replace(" ", '","')
        text = f'[{count},[["{quoted}"]],[{PLAYED_OUT[count]}]]'.encode()
    return hashlib.sha256(text).digest()[:PLAY_HASH]


def forehand(deal: Quick, head: SessionHead) -> int:
    """Return the seat after the dealer."""
    return 0 if deal.dealer is None else (head.seats[deal.dealer] + 1) % len(deal.hands or ())
