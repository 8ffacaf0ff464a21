"""Columns of rows of deals that the bulk judge found clean, by their names: those that `archive.store.rows` makes of
judgements. What is recorded goes through its functions; what was computed comes from the judge's columns.

The first column of a table is the place of the deal among those of the batch, from 0; sessions, players and rulesets
have numbers of their own. Whoever writes the rows puts the numbers of the archive in their places.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec import Struct

from archive.bulk import Batch, Quick, SessionHead
from archive.bulk.clean_deals import basis_of_clean, deal_of
from archive.bulk.ledger_row import ledger_state
from archive.engine import columns as c
from archive.judge.types import ENGINE
from archive.record import Deal
from archive.settle.types import LedgerState
from archive.store import record_codec
from archive.store.bulk.columns import Column, FactColumns, without_none
from archive.store.compression import pack_record
from archive.store.ledger_states import States
from archive.store.rows import SETTLED, Row, call_rows, count_of, double_rows, game_columns, stated_rows
from archive.store.writer import PLAY_HASH

Columns = dict[str, Column]
Tables = dict[str, Columns]  # by table, parents first
NOBODY = {count: (None,) * count for count in range(1, 9)}
RESULT = dict(zip(SETTLED, range(c.WON, c.POT + 1), strict=True))  # where the judge has what a settlement has
PLAYED_OUT = {count: ",".join(["[]"] * count) for count in range(1, 9)}  # what is left of so many hands


class SessionRows(Struct):
    """A session as its rows need it: the numbers of its players and its rules, and its head."""

    session: int
    players: list[int]
    ruleset: int
    head: SessionHead


NOTHING, OTHERS, CLEAN = range(3)  # what the deal before one in its session was: none, one without rows here, one with


class CleanDeal(Struct, frozen=True):
    """A deal with rows: its row in the batch, the place that its rows begin with, its session, what came before."""

    row: int
    place: int
    sitting: SessionRows
    after: int


class CleanBatch(NamedTuple):
    """The clean deals of a batch, and what the judge found of them."""

    clean: Sequence[CleanDeal]
    deals: Sequence[Quick]
    records: Sequence[Deal]  # without their cards
    plays: Sequence[list[str]]  # the cards of each trick of each deal
    found: FactColumns


class RowBuilder:
    """Makes the rows of clean deals."""

    def __init__(self) -> None:
        self.states = States()
        self.lay: tuple[Sequence[int], LedgerState] = (), LedgerState()  # what the deal before left

    def rows(self, batch: Batch, clean: Sequence[CleanDeal]) -> Tables:
        """The rows of clean deals, by table."""
        if not clean:
            return {}
        rows, facts = [each.row for each in clean], batch.engine.lists(batch.facts)
        deals = [deal for row in rows if (deal := batch.quick[row])]
        heads = [each.sitting.head for each in clean]
        records = [deal_of(*each) for each in zip(deals, heads, map(facts.__getitem__, rows), strict=True)]
        found = FactColumns(facts, rows, [each.place for each in clean])
        made = CleanBatch(clean, deals, records, list(map(plays_of, deals)), found)
        return {
            "records": record_columns(batch, made),
            "deals": self.deals(batch, made),
            "seats": seats(made),
            "calls": recorded(made, call_rows),
            "doubles": recorded(made, double_rows),
            "tricks": tricks(made),
            "stated": recorded(made, stated_rows),
        }

    def deals(self, batch: Batch, made: CleanBatch) -> Columns:
        """The columns of `deals`."""
        clean, of, records = made.clean, made.found.column, made.records
        before, after = self.written(made)
        seats = {"dealer": c.DEALER, "declarer": c.DECLARER, "partner": c.PARTNER, "loser": c.LOSER}
        return {
            "id": made.found.places,
            "session_id": [each.sitting.session for each in clean],
            "number": [batch.number[each.row] for each in clean],
            "ruleset_id": [each.sitting.ruleset for each in clean],
            "engine": [ENGINE] * len(clean),
            **columns_of(game_columns(deal.game) for deal in records),
            "players": of(c.SEATS),
            **{name: [None if seat < 0 else seat + 1 for seat in of(at)] for name, at in seats.items()},
            "knocks": [count_of(deal.knocks) for deal in records],
            "doubles": [count_of(deal.doubles) for deal in records],
            **{name: without_none(of(at)) for name, at in RESULT.items()},
            "verdict": ["agrees"] * len(clean),
            "state": before,
            "rounds": [""] * len(clean),
            "state_after": after,
            "note": [deal.note for deal in records],
            "basis": list(map(basis_of_clean, made.deals)),
        }

    def written(self, made: CleanBatch) -> tuple[list[str], list[str]]:
        """What lies on the table before and after each deal, as text."""
        before, after, found = list[str](), list[str](), made.found
        lays = (zip(*found.columns(at, at + c.STATE_WIDTH), strict=True) for at in (c.BEFORE, c.AFTER))
        for each, deal, lay, left, dealer in zip(made.clean, made.deals, *lays, found.column(c.DEALER), strict=True):
            if each.after != CLEAN:  # what others left is not known here
                self.states.session = None
            sitting = each.sitting
            named = len(sitting.players), sitting.head.begun.table.list_name
            one = self.lay[1] if lay == self.lay[0] and self.lay[1].list_name == named[1] else ledger_state(lay, *named)
            other = ledger_state(left, *named)
            self.lay = left, other
            restated = deal.stated is not None and deal.stated.totals is not None
            told = self.states.write(sitting.session, one, other, dealer, restated, each.after == NOTHING)
            before.append(told[0])
            after.append(told[1])
        return before, after


def seats(made: CleanBatch) -> Columns:
    """The columns of `seats`."""
    found, counts = made.found, made.found.column(c.SEATS)
    hands = [deal.hands or NOBODY[count] for deal, count in zip(made.deals, counts, strict=True)]
    sides = found.flat(c.SIDE, counts)
    numbers = {
        "declaring": found.declaring(sides),
        "points": found.flat(c.POINTS, counts),
        "tricks": found.flat(c.TRICKS_WON, counts),
        "won": found.where(sides, found.flat(c.WINNER, counts)),
        "payment": found.flat(c.PAYMENT, counts),
        "total": found.coalesce(found.flat(c.AFTER + c.S_TOTAL, counts), found.flat(c.AFTER + c.S_SETTLED, counts)),
        "trumps": found.flat(c.TRUMPS, counts),
        "lords": found.flat(c.LORDS, counts),
        "amount": found.flat(c.PAYMENT, counts),
    }
    return {
        "deal_id": found.repeated(counts),
        "seat": found.counted(counts),
        "player_id": list(chain.from_iterable([each.sitting.players for each in made.clean])),
        "place": found.around(counts),
        "dealt": list(chain.from_iterable(hands)),
        **{name: without_none(column) for name, column in numbers.items()},
    }


def tricks(made: CleanBatch) -> Columns:
    """The columns of `tricks`."""
    found, counts = made.found, list(map(len, made.plays))
    return {
        "deal_id": found.repeated(counts),
        "trick": found.counted(counts),
        "leader": [seat + 1 for seat in found.flat(c.LEADER, counts)],
        "winner": [seat + 1 for seat in found.flat(c.TAKER, counts)],
        "points": found.flat(c.WORTH, counts),
        "cards": list(chain.from_iterable(made.plays)),
    }


def recorded(made: CleanBatch, rows_of: Callable[[Deal], Iterable[Row]]) -> Columns:
    """The columns of a table whose rows say what is recorded, as `archive.store.rows` makes them."""
    rows = [list(rows_of(deal)) for deal in made.records]
    return {"deal_id": made.found.repeated([len(each) for each in rows]), **columns_of(chain.from_iterable(rows))}


def columns_of(rows: Iterable[Row]) -> Columns:
    """Rows of the same columns as columns."""
    every = list(rows)
    return dict(zip(every[0], map(list, zip(*map(dict.values, every), strict=True)), strict=True)) if every else {}


def record_columns(batch: Batch, made: CleanBatch) -> Columns:
    """The columns of `records` but those that whoever writes them adds, who has the text of the session."""
    rows = [each.row for each in made.clean]
    every = zip(made.clean, made.deals, made.plays, made.found.column(c.LEADER), strict=True)
    return {
        "id": made.found.places,
        "session_id": [each.sitting.session for each in made.clean],
        "number": [batch.number[row] for row in rows],
        "own_id": [deal.id for deal in made.deals],
        "line": [batch.line[row] for row in rows],
        "play_hash": [play_hash(deal, plays, lead, each.sitting.head) for each, deal, plays, lead in every],
        "record": [batch.raw[row] for row in rows],
    }


def packed(raw: bytes, text: str) -> bytes:
    """The line of a clean deal packed, of a session with this text; what was judged comes back as it was."""
    return record_codec.pack_line(raw, text) or pack_record(raw, text)


def plays_of(deal: Quick) -> list[str]:
    """The cards of each trick."""
    return [trick.rpartition(": ")[2] for trick in deal.tricks or ()]


def play_hash(deal: Quick, cards: Sequence[str], lead: int, head: SessionHead) -> bytes | None:
    """What `play_identity` gives, its first bytes, of a deal whose cards are known; `cards` by trick, and the seat that
    led to the first."""
    hands = deal.hands
    if hands is None:
        return None
    count, first = len(hands), lead if cards else forehand(deal, head)
    if 3 * len(cards) != len(hands[0]) + 1:  # not as many tricks as cards in a hand: some are left
        played = {code for trick in cards for code in trick.split(" ")}
        left = [sorted(set(hands[(first + n) % count].split(" ")) - played) for n in range(count)]
        text = msgspec.json.encode((count, [trick.split(" ") for trick in cards], left))
    else:
        told = '"],["'.join(cards).replace(" ", '","')
        text = f'[{count},[["{told}"]],[{PLAYED_OUT[count]}]]'.encode()
    return hashlib.sha256(text).digest()[:PLAY_HASH]


def forehand(deal: Quick, head: SessionHead) -> int:
    """The seat after the dealer."""
    return 0 if deal.dealer is None else (head.seats[deal.dealer] + 1) % len(deal.hands or ())
