"""Columns of rows of deals that the bulk judge found clean, as `archive.store.rows` makes rows of judgements; a test
compares.

The first column of a table is the place of the deal among those of the batch, from 0; sessions, players and rulesets
have numbers of their own. Whoever writes the rows puts the numbers of the archive in their places.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from archive.bulk import Batch, PlanRegistry, Quick, SessionHead, digest_of
from archive.bulk.ledger_row import ledger_state
from archive.bulk.session_heads import CALLS
from archive.engine import columns as c
from archive.judge.types import ENGINE
from archive.play.game_words import TOUTS
from archive.settle.types import LedgerState
from archive.store import record_codec
from archive.store.bulk.columns import Column, FactColumns, transpose, without_none
from archive.store.compression import pack_record
from archive.store.ledger_states import States
from archive.store.writer import PLAY_HASH

# The columns of each table that are written here, in the order of the lists below; all others are NULL.
WRITTEN = {
    "records": "id session_id number own_id source_id line end_line hash play_hash record",
    "deals": "id session_id number ruleset_id engine contract suit called tout words bid players dealer declarer "
    "partner loser knocks doubles won side_points side_tricks schneider schwarz runners runners_paid base "
    "schneider_amount schwarz_amount runners_amount multiplier price pot verdict state rounds state_after note",
    "seats": "deal_id seat player_id place dealt declaring points tricks won payment total trumps lords",
    "calls": "deal_id n seat call",
    "doubles": "deal_id n seat word trick card",
    "tricks": "deal_id trick leader winner points cards",
    "stated": "deal_id points points_against tricks winners won partner loser virgins schneider schwarz runners price "
    "payments totals stock result",
}
# What they are in SQL where a list does not give them as they are: a `?` is given. It is alike for all pieces, since a
# statement of many rows takes as long to be read as to be run.
SQL = {
    "records": {"source_id": "NULL"},
    "deals": {
        "engine": f"'{ENGINE}'", "verdict": "'agrees'", "rounds": "''",
        **dict.fromkeys(("dealer", "declarer", "partner", "loser"), "? + 1"),
    },
    "tricks": {"leader": "? + 1", "winner": "? + 1"},
}  # fmt: skip
VALUES = {
    table: {name: SQL.get(table, {}).get(name, "?") for name in names.split()} for table, names in WRITTEN.items()
}
Rows = dict[str, list[Column]]  # by table, its columns
# The columns of `deals` from `won` to `pot`, which stand together in the facts of the judge too.
RESULT = range(c.WON, c.POT + 1)
NOBODY = {count: (None,) * count for count in range(1, 9)}
PLAYED_OUT = {count: ",".join(["[]"] * count) for count in range(1, 9)}  # what is left of so many hands


class SessionRows(Struct):
    """A session as its rows need it: the numbers of its players and its rules, its head as text."""

    session: int
    players: list[int]
    ruleset: int
    head: SessionHead
    text: str


NOTHING, OTHERS, CLEAN = range(3)  # what the deal before one in its session was: none, one without rows here, one with


class CleanDeal(Struct, frozen=True):
    """A deal with rows: its row in the batch, the place that its rows begin with, its session, what came before."""

    row: int
    place: int
    sitting: SessionRows
    after: int


def game_columns(plans: PlanRegistry) -> list[tuple[Any, ...]]:
    """Of every plan, the columns of `deals` from `contract` to `bid`."""
    found = []
    for plan in plans.every:
        game = plan.game
        tout = int(not TOUTS.isdisjoint(game.words))
        found.append((game.contract, game.suit, game.called, tout, " ".join(game.words) or None, game.bid))
    return found


class CleanBatch(NamedTuple):
    """The clean deals of a batch, and what the judge found of them."""

    clean: Sequence[CleanDeal]
    deals: Sequence[Quick]
    plays: Sequence[list[str]]  # the cards of each trick of each deal
    found: FactColumns


class RowBuilder:
    """Makes the rows of clean deals."""

    def __init__(self) -> None:
        self.states = States()
        self.plans: PlanRegistry | None = None  # whose games these are
        self.games: list[tuple[Any, ...]] = []
        self.lay: tuple[Sequence[int], LedgerState] = (), LedgerState()  # what the deal before left

    def rows(self, batch: Batch, clean: Sequence[CleanDeal]) -> Rows:
        """The rows of clean deals, by table, parents first."""
        if not clean:
            return {}
        rows, places = [each.row for each in clean], [each.place for each in clean]
        found = FactColumns(batch.engine.lists(batch.facts), rows, places)
        deals = [deal for row in rows if (deal := batch.quick[row])]
        made = CleanBatch(clean, deals, list(map(plays_of, deals)), found)
        if self.plans is not batch.plans or len(self.games) < len(batch.plans.every):
            self.plans, self.games = batch.plans, game_columns(batch.plans)
        return {
            "records": records(batch, made),
            "deals": self.deals(batch, made),
            "seats": seats(made),
            "calls": calls(batch, made),
            "doubles": transpose(doubles(made)),
            "tricks": tricks(made),
            "stated": stated(made),
        }  # fmt: skip

    def deals(self, batch: Batch, made: CleanBatch) -> list[list[Any]]:
        """The columns of `deals`."""
        clean, deals, found, of = made.clean, made.deals, made.found, made.found.column
        seats = ([place if place >= 0 else None for place in of(each)] for each in (c.DECLARER, c.PARTNER, c.LOSER))
        before, after = self.written(made)
        return [
            found.places, [each.sitting.session for each in clean], [batch.number[each.row] for each in clean],
            [each.sitting.ruleset for each in clean], *transpose(map(self.games.__getitem__, of(c.PLAN))),
            *(without_none(of(at)) for at in (c.SEATS, c.DEALER)), *seats,
            [None if deal.knocks is None else len(deal.knocks) for deal in deals],
            [None if deal.doubles is None else len(deal.doubles) for deal in deals],
            *(without_none(of(at)) for at in RESULT), before, after, [deal.note for deal in deals],
        ]  # fmt: skip

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


def seats(made: CleanBatch) -> list[Column]:
    """The columns of `seats`."""
    found, counts = made.found, made.found.column(c.SEATS)
    hands = [deal.hands or NOBODY[count] for deal, count in zip(made.deals, counts, strict=True)]
    sides = found.flat(c.SIDE, counts)
    numbers = (
        found.declaring(sides), found.flat(c.POINTS, counts), found.flat(c.TRICKS_WON, counts),
        found.where(sides, found.flat(c.WINNER, counts)), found.flat(c.PAYMENT, counts),
        found.flat(c.AFTER + c.S_TOTAL, counts), found.flat(c.TRUMPS, counts), found.flat(c.LORDS, counts),
    )  # fmt: skip
    return [
        without_none(found.repeated(counts)), without_none(found.counted(counts)),
        list(chain.from_iterable([each.sitting.players for each in made.clean])), without_none(found.around(counts)),
        list(chain.from_iterable(hands)), *map(without_none, numbers),
    ]  # fmt: skip


def calls(batch: Batch, made: CleanBatch) -> list[list[Any]]:
    """The columns of `calls`."""
    counts = [len(deal.auction or ()) for deal in made.deals]
    read = [each.sitting.head.calls for each in made.clean]
    said = [of[text] for of, deal in zip(read, made.deals, strict=True) for text in deal.auction or ()]
    texts = batch.plans.texts
    seats = [call // CALLS + 1 for call in said]
    numbers = made.found.repeated(counts), made.found.counted(counts), seats
    return [*map(without_none, numbers), [texts[call % CALLS] for call in said]]


def doubles(made: CleanBatch) -> Iterator[tuple[Any, ...]]:
    """The rows of `doubles`: knocks first."""
    for each, deal in zip(made.clean, made.deals, strict=True):
        if not deal.knocks and not deal.doubles:
            continue
        head, n = each.sitting.head, 0
        for name in deal.knocks or ():
            n += 1
            yield each.place, n, head.seats[name] + 1, "knock", None, None
        for text in deal.doubles or ():
            n, said = n + 1, head.plans.doubles[head.doubles[text]]
            yield each.place, n, said.seat + 1, said.word, said.trick, said.card


def tricks(made: CleanBatch) -> list[list[Any]]:
    """The columns of `tricks`."""
    found, counts = made.found, list(map(len, made.plays))
    numbers = (found.flat(of, counts) for of in (c.LEADER, c.TAKER, c.WORTH))
    columns = found.repeated(counts), found.counted(counts), *numbers
    return [*map(without_none, columns), list(chain.from_iterable(made.plays))]


def stated(made: CleanBatch) -> list[list[Any]]:
    """The columns of what is told of `stated`."""
    pairs = [(each, deal.stated) for each, deal in zip(made.clean, made.deals, strict=True) if deal.stated is not None]
    said, seats = [each for _, each in pairs], [each.sitting.head.seats for each, _ in pairs]

    def seat_of(names: Iterable[str | None]) -> list[int | None]:
        return [None if name is None else of[name] + 1 for name, of in zip(names, seats, strict=True)]

    def seats_of(told: Iterable[list[str] | int | None]) -> list[str | None]:
        """Seats as JSON text, or how many there are."""
        every = zip(told, seats, strict=True)
        return [to_json([of[name] + 1 for name in each] if isinstance(each, list) else each) for each, of in every]

    return [
        [each.place for each, _ in pairs],
        without_none([each.points for each in said]), without_none([each.points_against for each in said]),
        without_none([each.tricks for each in said]), seats_of([each.winners for each in said]),
        without_none([each.won for each in said]), seat_of([each.partner for each in said]),
        seat_of([each.loser for each in said]), seats_of([each.virgins for each in said]),
        without_none([each.schneider for each in said]), without_none([each.schwarz for each in said]),
        without_none([each.runners for each in said]), without_none([each.price for each in said]),
        [to_json(each.payments) for each in said], [to_json(each.totals) for each in said],
        without_none([each.stock for each in said]), [each.result for each in said],
    ]  # fmt: skip


def to_json(told: list[int] | int | None) -> str | None:
    """Numbers as JSON text; `archive.store.rows.listed` gives it of anything, which takes longer."""
    return None if told is None else msgspec.json.encode(told).decode()


def records(batch: Batch, made: CleanBatch) -> list[list[Any]]:
    """What is told of `records`; whoever writes it makes the columns of that (`recorded`)."""
    rows, line = [each.row for each in made.clean], [batch.line[each.row] for each in made.clean]
    every = zip(made.clean, made.deals, made.plays, made.found.column(c.LEADER), strict=True)
    return [
        made.found.places, [each.sitting.session for each in made.clean], [batch.number[row] for row in rows],
        [deal.id for deal in made.deals], line,
        [play_hash(deal, plays, lead, each.sitting.head) for each, deal, plays, lead in every],
        [batch.raw[row] for row in rows],
    ]  # fmt: skip


def record_columns(told: list[list[Any]], texts: Mapping[int, str]) -> list[list[Any]]:
    """The columns of `records`, by the texts of the sessions that are named in them."""
    *first, sessions, numbers, own, line, plays, raw = told
    heads, cuts = list(map(texts.__getitem__, sessions)), {each: len(text.encode()) - 1 for each, text in texts.items()}
    digests = list(map(digest_of, raw, map(cuts.__getitem__, sessions), numbers))
    return [*first, sessions, numbers, own, line, line, digests, plays, list(map(packed, raw, heads))]


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
