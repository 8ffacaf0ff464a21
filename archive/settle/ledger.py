"""The ledger: what one deal leaves on the table for the next."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from archive.engine.settlement import hausbock_left
from archive.engine.tricks import next_seat
from archive.play.types import DEALT_AGAIN, THROWN_IN, Replay
from archive.record import Carry, Deal
from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.rules.types import Score
from archive.settle import rulings
from archive.settle.facts import contract_of
from archive.settle.goals import carries_stake
from archive.settle.marks_ledger import carry_score, move_score, restated_score, score_after, seats_out
from archive.settle.rounds import rounds_after
from archive.settle.types import Away, LedgerState, Settlement, Totals, add_per_seat, coalesce, sum_if_known

UNKNOWN = LedgerState(
    stock=None, hausbock=None, stake=None, game_deals=None, rounds=None, queue=None, list_deals=None
)  # after missing deals


@cache
def empty_ledger(seats: int) -> LedgerState:
    """Return the table before the first deal, for so many seats always the same."""
    return LedgerState(totals=(0,) * seats, marks=(0,) * seats)


def after_gap(table: LedgerState) -> LedgerState:
    """Return the table after missing deals: nothing computed goes on, only the totals in force."""
    away = tuple(dict((*table.away, *table.settled_away)).items())
    return replace(
        UNKNOWN,
        list_name=table.list_name,
        settled=rulings.totals_with_rulings(table),
        away=tuple((name, None) for name, _ in away),
        settled_away=away,
    )


def apply_carry(table: LedgerState, carry: Carry | None, seats: int, list_name: str | None = None) -> LedgerState:
    """Return the table with what a record brings in or restates. Restating the deals of Bock left restates the rounds.
    A round that waits begins if none is under way. 001 Special Rounds: Bock. Another name of the list begins another
    list; the totals run on."""
    if list_name not in (None, table.list_name):
        table = replace(table, list_name=list_name, list_deals=0)
    if carry is None:
        return table
    stated = {"totals": carry.totals, "stated_totals": carry.totals}
    stated |= {key: getattr(carry, key) for key in ("stock", "hausbock", "stake", "queue")}
    table = replace(table, **{key: value for key, value in stated.items() if value is not None})
    table = carry_score(table if carry.totals is None else replace(table, settled=None), carry)
    if carry.bock is not None:
        others = tuple(special for special in table.rounds or () if special[0] != BOCK)
        rounds = (*others, (BOCK, carry.bock)) if carry.bock > 0 else others
        table = replace(table, rounds=rounds, queue=table.queue or ())
    if table.rounds == () and table.queue and carry.queue:
        return replace(table, rounds=((table.queue[0], seats),), queue=table.queue[1:])
    return table


BOCK = "bock"  # the round whose deals `carry.bock` counts


def restated_values(table: LedgerState, carry: Carry | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield each value that a record restates before a deal: its key, the value, and what the deals before left."""
    if carry is None:
        return
    bock = None if table.rounds is None else [left for name, left in table.rounds if name == BOCK]
    yield "totals", carry.totals, coalesce(table.stated_totals, table.totals)
    for key in ("stock", "hausbock", "stake", "queue"):
        yield key, getattr(carry, key), getattr(table, key)
    yield from restated_score(table, carry)
    if bock is not None and len(bock) < 2:  # one number cannot speak of rounds side by side
        yield "bock", carry.bock, sum(bock)


def move_players(
    table: LedgerState, players: tuple[str, ...], now: tuple[str, ...], by_seat: bool, score: Score | None = None
) -> LedgerState:
    """Return the table when the players have changed: each keeps their own totals, also when coming back; or the
    newcomer plays for the seat (`by_seat`). The turn to deal stays with the seat if as many sit there as before and one
    of them stayed; else it is another table, or the same under other names, and nobody knows whose turn it is."""
    dealer = table.dealer if len(players) == len(now) and set(players) & set(now) else None
    if by_seat and len(players) == len(now):
        return table
    settled, with_rulings = rulings.totals_with_rulings(table), (*table.away, *table.settled_away)
    totals = totals_by_seat(table.totals, table.away, players, now)
    away = totals_away(table.totals, table.away, players, now)
    return replace(
        move_score(table, players, now, score),
        dealer=dealer,
        totals=totals,
        stated_totals=totals_by_seat(table.stated_totals, table.away, players, now),
        settled=other_than(totals, totals_by_seat(settled, with_rulings, players, now)),
        away=away,
        settled_away=tuple(each for each in totals_away(settled, with_rulings, players, now) if each not in away),
    )


def totals_by_seat(totals: Totals, away: Away, players: tuple[str, ...], now: tuple[str, ...]) -> Totals:
    """Return totals in the new order of seats; newcomers begin with 0."""
    if totals is None:
        return None
    known = dict(away) | dict(zip(players, totals, strict=True))
    return tuple(known.get(name, 0) for name in now)


def totals_away(totals: Totals, away: Away, players: tuple[str, ...], now: tuple[str, ...]) -> Away:
    """Return the totals of all who are no longer at the table."""
    known = dict(away) | dict(zip(players, totals or (None,) * len(players), strict=True))
    return tuple((name, total) for name, total in known.items() if name not in now)


def other_than(totals: Totals, settled: Totals) -> Totals:
    """Return the totals with the rulings in them, or None if they are the same."""
    return None if settled == totals else settled


def next_state(
    table: LedgerState,
    deal: Deal,
    seats: int,
    dealer: int | None,
    settled: Settlement | None,
    ruleset: Ruleset | None,
    played: Replay | None = None,
) -> LedgerState:
    """Return the table after a deal: the next dealer, the totals, the pot, what waits for later deals. A deal that is
    dealt again leaves nothing."""
    stated, stock = deal.stated.totals if deal.stated else None, stock_after(table, deal, ruleset, settled)
    payments = settled.payments if settled else None
    running = table.stated_totals if payments else coalesce(table.stated_totals, table.totals)
    score = score_of(ruleset.house) if ruleset else None
    totals, paid = add_per_seat(table.totals, payments), rulings.effective_payments(deal, settled)
    in_the_end = rulings.final_payments(deal, seats, settled, ruleset) if deal.ruling else paid
    if score is None:  # an open deal leaves the totals of the table as they are
        in_the_end = coalesce(in_the_end, (0,) * seats)
    ruled = rulings.totals_with_rulings(table)
    ruled = (
        rulings.totals_after_ruling(ruled, in_the_end, deal, seats) if deal.ruling else add_per_seat(ruled, in_the_end)
    )
    table = replace(
        table,
        totals=totals,
        settled=other_than(totals, ruled),
        stated_totals=coalesce(stated, add_per_seat(running, paid)),
        stock=stock,
    )
    table = score_after(table, deal, ruleset, settled)
    if deal.game is not None and deal.game.contract == DEALT_AGAIN:
        return replace(table, dealer=dealer)
    if ruleset is None:  # nobody knows what it was played for, nor what it set off
        table = replace(table, stock=None, hausbock=None, stake=None, rounds=None, queue=None)
    rounds = rounds_after(table, deal, seats, ruleset, played, settled)
    again = bool(deal.ruling) and rulings.is_played_again(deal, seats)
    return replace(
        table,
        dealer=None if dealer is None else dealer if again else next_dealer(dealer, seats, table.marks, score),
        hausbock=hausbock_after(table.hausbock, deal) if ruleset and ruleset.house.hausbock else table.hausbock,
        stake=stake_after(table, deal, ruleset, settled),
        rounds=rounds.rounds,
        queue=rounds.queue,
        list_deals=None if table.list_deals is None else table.list_deals + (not again),
    )


def next_dealer(dealer: int, seats: int, marks: Totals, score: Score | None) -> int:
    """Return who deals next: the next seat, skipping those who are out of a game with a score."""
    out = seats_out(marks, score) if score and score.step < 0 else ()
    following = next_seat(dealer, seats)
    while following in out and len(out) < seats:
        following = next_seat(following, seats)
    return following


def stock_after(table: LedgerState, deal: Deal, ruleset: Ruleset | None, settled: Settlement | None) -> int | None:
    """Return the amount in the pot, or None if it may have been won, or paid into, and nobody knows."""
    if table.stock is None or (settled and settled.payments is not None):
        return None if table.stock is None else table.stock + (settled.pot if settled else 0)
    rule, contract = ruleset.house.stock if ruleset else None, contract_of(deal)
    touched = rule and ((contract in rule.won_by and table.stock) or (not contract and rule.amount))
    return None if touched else table.stock


def hausbock_after(waiting: int | None, deal: Deal) -> int | None:
    """Return the doublings that wait, or None; a deal thrown in counts as not knocked if the record does not say."""
    contract = contract_of(deal)
    if waiting is None or not contract:
        return None
    return hausbock_left(waiting, contract == THROWN_IN, contract == THROWN_IN and bool(deal.knocks))


def stake_after(table: LedgerState, deal: Deal, ruleset: Ruleset | None, settled: Settlement | None) -> int | None:
    """Return the stakes carried over: one more if nobody won, none if somebody did. 001 Bierkopf."""
    ended = settled and settled.payments is not None and (settled.winners or settled.undecided)  # and was not ruled on
    row = ruleset.contracts.get(contract_of(deal)) if ruleset and not ended else None
    if ruleset and row and carries_stake(deal, ruleset, row):
        return 0 if settled and settled.won is not None else None
    return None if table.stake is None else table.stake + (settled.stake if settled else 0)


def balance(table: LedgerState) -> int | None:
    """Return all totals with the pot: zero, unless totals or a pot brought in are not; None if not known."""
    if table.totals is None:
        return None
    return sum_if_known((*table.totals, *[total for _, total in table.away], table.stock))
