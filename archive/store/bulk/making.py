"""Rows of deals that the bulk judge found clean, as `archive.store.rows` makes them of judgements; a test compares.

A row begins with the place of its deal among those of the batch, from 0; sessions, players and rulesets have numbers of
their own. Whoever writes the rows puts the numbers of the archive in their places.
"""

import hashlib
from collections.abc import Callable, Sequence
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
from archive.store.states import States
from archive.store.writer import PLAY_HASH

TABLES = ("records", "deals", "seats", "calls", "doubles", "tricks", "stated")
DECLARING = (None, 1, 0, None)  # by SIDE: nobody known, declarer, defence, alone
Rows = dict[str, list[Any]]
# The columns of `deals` from `won` to `pot`, which stand together in the facts of the judge too.
RESULT = slice(c.WON, c.POT + 1)
BEFORE, AFTER = (slice(at, at + c.STATE_WIDTH) for at in (c.BEFORE, c.AFTER))
PLAYED_OUT = {count: ",".join(["[]"] * count) for count in range(1, 9)}  # what is left of so many hands


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
        facts = batch.facts if isinstance(batch.facts, list) else batch.facts.tolist()
        self.games = games() if len(self.games) < len(plans().every) else self.games
        texts = plans().texts
        records, deals, seats, calls, doubles, tricks, stated = (found[table].append for table in TABLES)
        for each in clean:
            row, place, sitting = each.row, each.place, each.sitting
            deal, head, fact = batch.quick[row], sitting.head, facts[row]
            assert deal
            if each.after != CLEAN:  # what others left is not known here
                self.states.session = None
            records(record(batch, row, deal, place, sitting))
            deals(self.deal(batch.number[row], deal, each, fact))
            add_seats(seats, deal, place, sitting, fact)
            for n, text in enumerate(deal.auction or (), 1):
                call = head.calls[text]
                calls([place, n, call // CALLS + 1, texts[call % CALLS]])
            if deal.knocks or deal.doubles:
                add_doubles(doubles, deal, place, head)
            for n, text in enumerate(deal.tricks or ()):
                leader, taker, worth = fact[c.LEADER + n], fact[c.TAKER + n], fact[c.WORTH + n]
                tricks([place, n + 1, leader + 1, taker + 1, worth, text.rpartition(": ")[2]])
            if deal.stated is not None:
                stated(stated_row(deal.stated, place, head.seats))
        return found

    def deal(self, number: int, deal: Quick, clean: Clean, fact: list[int]) -> list[Any]:
        """The columns of `deals`."""
        restated, dealer, sitting = (
            deal.stated is not None and deal.stated.totals is not None,
            fact[c.DEALER],
            clean.sitting,
        )
        named = len(sitting.players), sitting.head.begun.table.list_name
        before, after = table_of(fact[BEFORE], *named), table_of(fact[AFTER], *named)
        states = self.states.write(sitting.session, before, after, dealer, restated, clean.after == NOTHING)
        declarer, partner, loser = fact[c.DECLARER], fact[c.PARTNER], fact[c.LOSER]
        return [
            clean.place, sitting.session, number, sitting.ruleset, ENGINE, *self.games[fact[c.PLAN]], None,
            fact[c.SEATS], dealer + 1, None if declarer < 0 else declarer + 1, None if partner < 0 else partner + 1,
            None if loser < 0 else loser + 1,
            None if deal.knocks is None else len(deal.knocks), None if deal.doubles is None else len(deal.doubles),
            *[None if each == NONE else each for each in fact[RESULT]],
            "agrees", None, None, states[0], None, "", states[1], None, None, deal.note,
        ]  # fmt: skip


def add_seats(add: Callable[[list[Any]], None], deal: Quick, place: int, sitting: Sitting, fact: list[int]) -> None:
    """The columns of `seats`."""
    hands, seats, forehand = deal.hands, fact[c.SEATS], fact[c.DEALER] + 1
    known = [None if each == NONE else each for each in fact[c.SIDE : c.HAND]]  # four of each kind
    for seat, player in enumerate(sitting.players):
        side, points, taken, winner, payment, trumps, lords = known[seat::4]
        add([place, seat + 1, player, (seat - forehand) % seats + 1, hands[seat] if hands else None, None,
             DECLARING[side or 0], points, taken, winner if side else None, payment, fact[c.AFTER + c.S_TOTAL + seat],
             None, None, trumps, lords])  # fmt: skip


def add_doubles(add: Callable[[list[Any]], None], deal: Quick, place: int, head: Head) -> None:
    """The columns of `doubles`: knocks first."""
    n = 0
    for name in deal.knocks or ():
        n += 1
        add([place, n, head.seats[name] + 1, "knock", None, None])
    for text in deal.doubles or ():
        n, said = n + 1, plans().doubles[head.doubles[text]]
        add([place, n, said.seat + 1, said.word, said.trick, said.card])


def stated_row(said: QuickStated, place: int, seats: dict[str, int]) -> list[Any]:
    """The columns of `stated`."""
    virgins, partner, loser = said.virgins, said.partner, said.loser
    return [
        place, known(said.points), known(said.points_against), None, known(said.tricks), None,
        named(said.winners, seats), known(said.won), None if partner is None else seats[partner] + 1,
        None if loser is None else seats[loser] + 1,
        named(virgins, seats) if isinstance(virgins, list) else None if virgins is None else str(virgins),
        known(said.schneider), known(said.schwarz), known(said.runners), None, known(said.price),
        listed(said.payments), listed(said.totals), known(said.stock), None, said.result,
    ]  # fmt: skip


def known(value: int) -> int | None:
    return None if value == NONE else value


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
    if 3 * len(cards) != len(hands[0]) + 1:  # not as many tricks as cards in a hand: some are left
        played = {code for trick in cards for code in trick.split(" ")}
        left = [sorted(set(hands[(first + n) % count].split(" ")) - played) for n in range(count)]
        text = msgspec.json.encode((count, [trick.split(" ") for trick in cards], left))
    else:
        told = '"],["'.join(cards).replace(" ", '","')
        text = f'[{count},[["{told}"]],[{PLAYED_OUT[count]}]]'.encode()
    return hashlib.sha256(text).digest()[:PLAY_HASH]


def forehand(deal: Quick, head: Head, hands: list[str], cards: list[str]) -> int:
    """The seat from which seats are counted: of who has the first card, else who sits after the dealer."""
    if cards:
        return next(seat for seat, hand in enumerate(hands) if cards[0][:2] in hand)
    return 0 if deal.dealer is None else (head.seats[deal.dealer] + 1) % len(hands)
