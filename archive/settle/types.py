"""The settlement of a replayed deal, as lines that a person can add up at the table, and sums over its seats."""

from typing import Literal

from msgspec import Struct

from archive.say import Message, say

Kind = Literal["add", "times", "at-most", "pot", "per-player", "marks"]
Part = Literal[
    "game", "suit", "contract", "hand", "open", "tout", "schneider", "schwarz", "runners", "round", "hausbock", "knock",
    "kontra", "stake", "cap", "sitter", "pot", "march", "virgin", "undecided", "thrown-in", "ending", "ruling", "share",
    "slip", "sack", "alone", "point",
]  # fmt: skip


class SettlementLine(Struct, frozen=True):
    """One line of a settlement: which `part` of it, and what it says. `running` is the price of one loser to one winner
    after it.

    kind: `add` adds `amount`, `times` multiplies by it, `at-most` caps, `pot` pays or takes a pot, `per-player` is an
    amount of one seat. `who` are the seats it speaks of. `proof` are the moments that show it, as the viewer's
    fragments: `t5.1` a card, `c1` the cut, `k1` the first knock, `d1` the first doubling. `kontra` is any doubling that
    was said, `ending` what ended the deal, `share` what a ruling gives one seat, `slip` a possible miscount by the
    recorder.
    """

    part: Part
    kind: Kind
    message: Message
    amount: int
    running: int | None
    cite: str
    who: tuple[int, ...] = ()
    proof: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The message of the line in English, with German cards."""
        return say(self.message)


Totals = tuple[int | None, ...] | None
Away = tuple[tuple[str, int | None], ...]  # by name


class LedgerState(Struct, frozen=True):
    """The ledger before a deal. Whatever a gap or an undecidable deal hides is None."""

    dealer: int | None = None  # the seat whose turn it is to deal
    totals: Totals = None  # per seat
    stated_totals: Totals = None  # what the source last said they were
    stock: int | None = 0  # in the pot
    hausbock: int | None = 0  # doublings that wait, one for each deal that is played
    stake: int | None = 0  # stakes carried over from undecided deals
    marks: Totals = None  # per seat, in the marks game under way
    stated_marks: Totals = None  # what the source last said they were
    chalk: int | None = None  # a seat of the side that has it
    game_deals: int | None = 0  # played so far in that game, at least
    rounds: tuple[tuple[str, int], ...] | None = ()  # special rounds under way, with the deals left of each
    queue: tuple[str, ...] | None = ()  # special rounds to come
    list_name: str | None = None
    list_deals: int | None = 0  # of the list, played so far
    away: Away = ()  # totals of players who have left the table
    settled: Totals = None  # totals with the rulings in them, if these are not the same
    settled_away: Away = ()


class Settlement(Struct, frozen=True, kw_only=True):
    """The computed result of one deal, amounts in the record's unit. None: not decidable from the record."""

    lines: tuple[SettlementLine, ...] = ()
    won: bool | None = None  # the declarer's side; None also if there is none, or if the deal is undecided
    undecided: bool = False  # 60 : 60, if nobody wins that at this table
    winners: tuple[int, ...] = ()  # the seats that are paid
    side_points: int | None = None  # of the declarer's side; the loser's in a Ramsch
    side_tricks: int | None = None
    schneider: bool | None = None
    schwarz: bool | None = None
    runners: int | None = None  # signed: + with, - without, seen from the declarer's side
    runner_count: int | None = None  # how many, if it is not known whether with or without
    runners_paid: bool | None = None
    loser: int | None = None  # Ramsch
    virgins: tuple[int, ...] = ()  # Ramsch
    march: bool | None = None  # Ramsch: the player who took most took it all, and wins
    base: int | None = None  # the parts of the price with a Tout and what else was announced, before the multiplier
    schneider_amount: int | None = None
    schwarz_amount: int | None = None
    runners_amount: int | None = None
    multiplier: int | None = None  # knocks, doublings and special rounds, all together
    price: int | None = None  # what each loser pays per opponent; None if amounts differ
    payments: tuple[int | None, ...] | None = None  # per seat; sums to zero with `pot`
    pot: int = 0  # what went into a pot (positive) or came out of it (negative)
    stake: int = 0  # stakes carried over to the next deal (1), or won with this one (negative)
    marks: tuple[int, ...] | None = None  # per seat, in a marks game; both of a side have the same
    chalk: int | None = None  # a seat of the side that has the chalk after the deal
    missing: tuple[Message, ...] = ()  # facts that the record lacks


def last_price(settled: Settlement) -> int | None:
    """Return the price or, if players are paid differently, the last running price of the lines."""
    running = [line.running for line in settled.lines if line.running is not None]
    return settled.price if settled.price is not None else running[-1] if running else None


def add_per_seat(totals: Totals, payments: Totals, times: int = 1) -> Totals:
    """Return totals after payments, each taken `times` times; None if either is not known. With -1, return the payments
    that lead to some totals from those before."""
    if totals is None or payments is None:
        return None
    both = zip(totals, payments, strict=True)
    return tuple([None if total is None or paid is None else total + times * paid for total, paid in both])


def coalesce(first: Totals, second: Totals) -> Totals:
    """Return the totals of the first, or of the second for a seat that the first leaves open."""
    if first is None or second is None:
        return second if first is None else first
    return tuple([other if total is None else total for total, other in zip(first, second, strict=True)])


def sum_if_known(amounts: tuple[int | None, ...]) -> int | None:
    return None if None in amounts else sum(amounts)  # type: ignore[arg-type]
