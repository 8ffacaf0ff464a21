"""Rows of deals that the bulk judge found clean, as `archive.store.rows` makes them of judgements: a test compares both.

A row begins with the place of its deal among those of the batch, from 0; sessions, players and rulesets have numbers of
their own. Whoever writes the rows puts the numbers of the archive in their places.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from archive.audit.bulk import Batch, Head, Quick, QuickStated, plans
from archive.audit.bulk.heads import CALLS
from archive.audit.bulk.state import table_of
from archive.audit.types import ENGINE
from archive.play.words import TOUTS
from archive.settle import columns as c
from archive.settle.columns import NONE
from archive.store import phrases
from archive.store.packing import pack_record
from archive.store.states import EVERY, PLAIN, state_text
from archive.store.writer import PLAY_HASH

TABLES = ("records", "deals", "seats", "calls", "doubles", "tricks", "stated")
DECLARING = (None, 1, 0, None)  # by SIDE: nobody known, declarer, defence, alone
Rows = dict[str, list[Any]]
# The columns of `deals` that are columns of the judge, from `won` to `pot`.
RESULT = (
    *(c.WON, c.SIDE_POINTS, c.SIDE_TRICKS, c.SCHNEIDER, c.SCHWARZ, c.RUNNERS, c.RUNNERS_PAID, c.BASE),
    *(c.SCHNEIDER_AMOUNT, c.SCHWARZ_AMOUNT, c.RUNNERS_AMOUNT, c.MULTIPLIER, c.PRICE, c.POT),
)
SEAT = (c.SIDE, c.POINTS, c.TRICKS_WON, c.WINNER, c.PAYMENT, c.AFTER + c.S_TOTAL, c.TRUMPS, c.LORDS)
STATED = ("points", "points_against", "tricks", "won", "schneider", "schwarz", "runners", "price", "stock")


class Sitting(Struct):
    """A session as its rows need it: the numbers of its players and its rules, its head as text."""

    session: int
    players: list[int]
    ruleset: int
    head: Head
    text: str


NOTHING, OTHERS, CLEAN = range(3)  # what the deal before one in its session was: none, one without rows here, one with


class Clean(Struct, frozen=True):
    """A deal with rows: its row in the batch, the place that its rows begin with, its session, what came before."""

    row: int
    place: int
    sitting: Sitting
    after: int


def games() -> list[tuple[Any, ...]]:
    """Of every plan of this process, the columns of `deals` from `contract` to `bid`."""
    found = []
    for plan in plans().every:
        game = plan.game
        tout = int(not TOUTS.isdisjoint(game.words))
        found.append((game.contract, game.suit, game.called, tout, " ".join(game.words) or None, game.bid))
    return found


class Columns:
    """The columns of a batch that rows are made of, each deal's together."""

    def __init__(self, batch: Batch) -> None:
        column = batch.column

        def seat(place: int) -> list[int | None]:
            return [None if each < 0 else each + 1 for each in column(place)]

        def number(place: int) -> list[int | None]:
            return [None if each == NONE else each for each in column(place)]

        def wide(place: int, count: int) -> list[tuple[Any, ...]]:
            return list(zip(*[number(place + at) for at in range(count)], strict=True))

        self.plan, self.seats, self.dealer = column(c.PLAN), column(c.SEATS), column(c.DEALER)
        self.declarer, self.partner, self.loser = seat(c.DECLARER), seat(c.PARTNER), seat(c.LOSER)
        self.result = list(zip(*map(number, RESULT), strict=True))
        self.of_seats = [wide(place, c.MOST_SEATS) for place in SEAT]
        self.leader, self.taker = wide(c.LEADER, c.MOST_TRICKS), wide(c.TAKER, c.MOST_TRICKS)
        self.worth = wide(c.WORTH, c.MOST_TRICKS)
        self.before, self.after = wide(c.BEFORE, c.STATE_WIDTH), wide(c.AFTER, c.STATE_WIDTH)


class States:
    """The texts of states over the columns, as `states.States` writes them."""

    def __init__(self) -> None:
        self.session: int | None = None
        self.last: tuple[Any, ...] | None = None

    def begins(self, session: int) -> None:
        """The first deal of a session comes next."""
        self.session, self.last = session, (-1, *(0,) * (c.STATE_WIDTH - 1))

    def other(self, session: int) -> None:
        """A deal of the session was judged elsewhere; what it left is not known here."""
        self.session, self.last = session, None

    def write(
        self, session: int, before: tuple[Any, ...], after: tuple[Any, ...], dealer: int, restated: bool, of: "Lying"
    ) -> tuple[str, str]:
        known = session == self.session and before == self.last and of.list_name is None
        totals, stated = after[c.S_TOTAL : c.S_TOTAL + c.MOST_SEATS], after[c.S_STATED : c.S_STATED + c.MOST_SEATS]
        said = restated or before[c.S_STATED_KNOWN]
        plain = (
            after[c.S_DEALER] == (dealer + 1) % of.seats
            and bool(after[c.S_STATED_KNOWN]) == bool(said)
            and (not said or stated == totals)
            and not (after[c.S_STOCK] or after[c.S_HAUSBOCK] or after[c.S_STAKE])
            and after[c.S_LIST_DEALS] == before[c.S_LIST_DEALS] + 1
            and of.list_name is None
        )
        self.session, self.last = session, after if plain else None
        full = plain and after[c.S_LIST_DEALS] % EVERY == 0
        return (
            PLAIN if known else state_text(table_of(before, of.seats, of.list_name)),
            PLAIN if plain and not full else state_text(table_of(after, of.seats, of.list_name)),
        )


class Lying(Struct, frozen=True):
    """What of a session the states of its deals are written with."""

    seats: int
    list_name: str | None


class Maker:
    """Makes the rows of clean deals."""

    def __init__(self) -> None:
        self.states = States()
        self.games: list[tuple[Any, ...]] = []

    def rows(self, batch: Batch, clean: Sequence[Clean]) -> Rows:
        """The rows of clean deals, by table."""
        found: Rows = {table: [] for table in TABLES}
        if not clean:
            return found
        at = Columns(batch)
        self.games = games() if len(self.games) < len(plans().every) else self.games
        records, deals, seats, calls, doubles, tricks, stated = (found[table].append for table in TABLES)
        for each in clean:
            row, place, sitting = each.row, each.place, each.sitting
            deal, head = batch.quick[row], sitting.head
            assert deal
            if each.after == NOTHING:
                self.states.begins(sitting.session)
            elif each.after == OTHERS:
                self.states.other(sitting.session)
            records(record(batch, row, deal, place, sitting))
            deals(self.deal(batch, row, deal, place, sitting, at))
            for one in seat_rows(row, deal, place, sitting, at):
                seats(one)
            for n, text in enumerate(deal.auction or (), 1):
                call = head.calls[text]
                calls([place, n, call // CALLS + 1, plans().texts[call % CALLS]])
            n = 0
            for n, name in enumerate(deal.knocks or (), 1):
                doubles([place, n, head.seats[name] + 1, "knock", None, None])
            for n, text in enumerate(deal.doubles or (), n + 1):
                said = head.doubles[text]
                doubles([place, n, said.seat + 1, said.word, said.trick, said.card])
            leaders, takers, worth = at.leader[row], at.taker[row], at.worth[row]
            for n, text in enumerate(deal.tricks or ()):
                leader, taker = leaders[n], takers[n]
                cards = text.rpartition(": ")[2]
                tricks([place, n + 1, None if leader is None else leader + 1, None if taker is None else taker + 1,
                        worth[n], cards])  # fmt: skip
            if deal.stated is not None:
                stated(stated_row(deal.stated, place, head.seats))
        return found

    def deal(self, batch: Batch, row: int, deal: Quick, place: int, sitting: "Sitting", at: Columns) -> list[Any]:
        """The columns of `deals`."""
        restated = deal.stated is not None and deal.stated.totals is not None
        lies = Lying(len(sitting.players), sitting.head.begun.table.list_name)
        states = self.states.write(sitting.session, at.before[row], at.after[row], at.dealer[row], restated, lies)
        return [
            place, sitting.session, batch.number[row], sitting.ruleset, ENGINE, *self.games[at.plan[row]], None,
            at.seats[row], at.dealer[row] + 1, at.declarer[row], at.partner[row], at.loser[row],
            None if deal.knocks is None else len(deal.knocks), None if deal.doubles is None else len(deal.doubles),
            *at.result[row], "agrees", None, None, states[0], None, "", states[1], None, None, deal.note,
        ]  # fmt: skip


def seat_rows(row: int, deal: Quick, place: int, sitting: Sitting, at: Columns) -> list[list[Any]]:
    """The columns of `seats`."""
    sides, points, tricks, winners, payments, totals, trumps, lords = (each[row] for each in at.of_seats)
    hands, seats, forehand = deal.hands, at.seats[row], at.dealer[row] + 1
    return [
        [place, seat + 1, player, (seat - forehand) % seats + 1, None if hands is None else hands[seat], None,
         DECLARING[sides[seat] or 0], points[seat], tricks[seat], winners[seat] if sides[seat] else None,
         payments[seat], totals[seat], None, None, trumps[seat], lords[seat]]
        for seat, player in enumerate(sitting.players)
    ]  # fmt: skip


def stated_row(said: QuickStated, place: int, seats: dict[str, int]) -> list[Any]:
    """The columns of `stated`."""
    points, against, tricks, won, schneider, schwarz, runners, price, stock = (
        None if value == NONE else value for value in (getattr(said, name) for name in STATED)
    )
    virgins = said.virgins
    return [
        place, points, against, None, tricks, None, named(said.winners, seats), won,
        None if said.partner is None else seats[said.partner] + 1, None if said.loser is None else seats[said.loser] + 1,
        named(virgins, seats) if isinstance(virgins, list) else None if virgins is None else str(virgins),
        schneider, schwarz, runners, None, price, listed(said.payments), listed(said.totals), stock, None, said.result,
    ]  # fmt: skip


def named(names: list[str] | None, seats: dict[str, int]) -> str | None:
    return None if names is None else listed([seats[name] + 1 for name in names])


def listed(numbers: list[int] | None) -> str | None:
    """Numbers as JSON text."""
    return None if numbers is None else "[" + ",".join(map(str, numbers)) + "]"


def record(batch: Batch, row: int, deal: Quick, place: int, sitting: Sitting) -> list[Any]:
    """The columns of `records`, the number of the source left out."""
    raw, number, line = batch.raw[row], batch.number[row], batch.line[row]
    digest, played = digest_of(batch, row, deal, sitting.head), play_hash(deal, sitting.head)
    packed = phrases.pack(raw, sitting.text) or pack_record(raw, sitting.text)
    return [place, sitting.session, number, deal.id, None, line, line, digest, played, packed]


def digest_of(batch: Batch, row: int, deal: Quick, head: Head) -> bytes:
    """What `identity` gives."""
    raw = batch.raw[row]
    if deal.no is None:
        cut = len(head.prefix)
        raw = b'%s,"no":%d%s' % (raw[:cut], batch.number[row], raw[cut:])
    return hashlib.sha256(raw).digest()


def play_hash(deal: Quick, head: Head) -> bytes | None:
    """What `play_identity` gives, its first bytes, of a deal whose cards are known."""
    hands, cards = deal.hands, [trick.rpartition(": ")[2] for trick in deal.tricks or ()]
    if hands is None:
        return None
    count, first = len(hands), forehand(deal, head, hands, cards)
    played = {code for trick in cards for code in trick.split(" ")}
    left = [sorted(set(hands[(first + n) % count].split(" ")) - played) for n in range(count)]
    told = [trick.split(" ") for trick in cards]
    return hashlib.sha256(msgspec.json.encode((count, told, left))).digest()[:PLAY_HASH]


def forehand(deal: Quick, head: Head, hands: list[str], cards: list[str]) -> int:
    """The seat from which seats are counted: of who has the first card, else who sits after the dealer."""
    if cards:
        return next(seat for seat, hand in enumerate(hands) if cards[0][:2] in hand)
    return 0 if deal.dealer is None else (head.seats[deal.dealer] + 1) % len(hands)
