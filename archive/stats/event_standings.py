"""Standings: the accounts of players over all tables and lists of an event."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Basis, Judgement, declaring_seats, unit_of_deal
from archive.play.game_words import is_tout
from archive.play.types import NOT_PLAYED
from archive.record import Session, Stated
from archive.settle.rulings import amounts_in_force, is_annulled, is_paid, paid_for_deal
from archive.settle.types import Totals

USUAL_SEATS = 4  # seats that play if the rules cannot be read


class Row(Struct, frozen=True):
    """One account. `shared`: another has the same rank, since nothing that the table agreed on separates them."""

    player: str
    unit: str | None
    rank: int = 0
    shared: bool = False
    total: int = 0
    deals: int = 0  # in play; for lists, as many as they state
    wins: int = 0
    solos: int = 0  # won alone
    touts: int = 0  # won
    best: int | None = None  # the most that one deal in play paid
    undecided: int = 0  # deals with unknown payments
    lists: int = 0  # whole lists with recorded sums instead of single deals
    on_cards: int = 0  # deals and lists by what their amounts rest on
    on_facts: int = 0
    on_amounts: int = 0


# What decides between equal totals, by its name in house.standings: more is better.
TIE_BREAKS: dict[str, Callable[[Row], int]] = {
    "wins": lambda row: row.wins,
    "solos": lambda row: row.solos,
    "touts": lambda row: row.touts,
    "best-deal": lambda row: row.best or 0,
}


def standings(played: Iterable[tuple[Session, Judgement]], known_as: Mapping[str, str] | None = None) -> list[Row]:
    """Return the final standings, each deal with the head of its session. Amounts of different units are ranked
    separately. The first table that states what decides between equal totals decides it for all. `known_as`: other
    names of players, each with the owner of the account."""
    rows: dict[tuple[str | None, str], Row] = {}
    by: tuple[str, ...] = ()
    for head, judgement in played:
        by = by or (judgement.ruleset.house.standings if judgement.ruleset else ())
        unit, seats = unit_of_deal(judgement), len(judgement.session.players)
        amounts = amounts_in_force(judgement.deal, seats, judgement.settlement, judgement.before)
        for seat in range(seats):
            name = account(head, judgement, seat)
            name = (known_as or {}).get(name, name)
            row = rows.get((unit, name), Row(name, unit))
            rows[unit, name] = with_deal(row, judgement, seat, amounts)
    units = dict.fromkeys(unit for unit, _ in rows)
    return [row for unit in units for row in rank_accounts([row for row in rows.values() if row.unit == unit], by)]


def account(head: Session, judgement: Judgement, seat: int) -> str:
    """Return the name whose account a seat counts in: the player's own, or that of the player replaced."""
    by_seat = judgement.ruleset is not None and judgement.ruleset.house.substitute == "seat"
    players = judgement.session.players
    return head.players[seat] if by_seat and len(head.players) == len(players) else players[seat]


def with_deal(row: Row, judgement: Judgement, seat: int, amounts: Totals) -> Row:
    """Return the account with one deal more; a deal of a game for marks counts in marks. `amounts` are those of the
    deal in force, by seat."""
    settled, game = judgement.settlement, judgement.deal.game
    paid = amounts[seat] if amounts and seat < len(amounts) else None
    plays = takes_part(judgement, seat, paid)
    if not plays and not paid:
        return row
    if paid is None:
        return replace(row, undecided=row.undecided + 1)
    some_paid = game is not None or any(each != 0 for each in amounts or ())
    stands = not is_annulled(judgement.deal, len(amounts or ()))
    in_play = plays and stands and (some_paid if game is None else game.contract not in NOT_PLAYED)
    won = in_play and bool(is_paid(paid_for_deal(judgement.deal, len(amounts or ()), settled), seat, settled))
    mine = won and declaring_seats(judgement)[0] == seat
    contract = judgement.ruleset.contracts.get(game.contract) if mine and judgement.ruleset and game else None
    rests = on_basis(row, judgement.basis if some_paid else None)
    if game is None and judgement.deal.stated and judgement.deal.stated.of_list:
        return with_list(replace(row, total=row.total + paid, **rests), judgement.deal.stated, seat)
    return replace(
        row,
        **rests,
        total=row.total + paid,
        deals=row.deals + in_play,
        wins=row.wins + won,
        solos=row.solos + (contract is not None and contract.parties == "alone"),
        touts=row.touts + (mine and is_tout(judgement.deal)),
        best=row.best if not in_play else paid if row.best is None else max(row.best, paid),
    )


def takes_part(judgement: Judgement, seat: int, paid: int | None) -> bool:
    """Return whether a seat takes part in the deal. A player who sits out does not, whatever he pays; if the dealer is
    unknown and more are at the table than play, those with an amount do."""
    active = judgement.replay.active if judgement.replay else ()
    if active:
        return seat in active
    most = judgement.ruleset.house.seats if judgement.ruleset else USUAL_SEATS
    return bool(paid) or len(judgement.session.players) <= most


def on_basis(row: Row, basis: Basis | None) -> dict[str, int]:
    """Return the count of an account with one more deal or list whose amounts rest on this basis."""
    name = f"on_{basis}"
    return {name: getattr(row, name) + 1} if basis else {}


def with_list(row: Row, stated: Stated, seat: int) -> Row:
    """Return the account with the counts of a whole list."""
    counts = (stated.wins, stated.solos, stated.touts)
    wins, solos, touts = ((each[seat] or 0) if each and seat < len(each) else 0 for each in counts)
    return replace(
        row,
        lists=row.lists + 1,
        deals=row.deals + (stated.deals or 0),
        wins=row.wins + wins,
        solos=row.solos + solos,
        touts=row.touts + touts,
    )


def rank_accounts(rows: list[Row], by: tuple[str, ...]) -> list[Row]:
    """Return accounts in order of the totals, then of what the table agreed on; those equal in all of it share a
    rank."""

    def stand(row: Row) -> tuple[int, ...]:
        return (row.total, *(TIE_BREAKS[name](row) for name in by))

    order = sorted(rows, key=lambda row: (*(-each for each in stand(row)), row.player))
    stands = [stand(row) for row in order]
    first = {mine: rank for rank, mine in reversed([*enumerate(stands, 1)])}
    equal = Counter(stands)
    return [replace(row, rank=first[mine], shared=equal[mine] > 1) for row, mine in zip(order, stands, strict=True)]


def rank_rows(rows: Sequence[Mapping[str, Any]], by: Sequence[str]) -> list[Row]:
    """Return the rows of the view `standings` in order, amounts of different units separately."""
    of_unit: dict[str | None, list[Row]] = {}
    for row in rows:
        of_unit.setdefault(row["unit"], []).append(account_of_row(row))
    return [each for accounts in of_unit.values() for each in rank_accounts(accounts, tuple(by))]


def account_of_row(facts: Mapping[str, Any]) -> Row:
    """Return the account of a row of the view `standings`, without a rank."""
    return Row(
        player=facts["player"],
        unit=facts["unit"],
        total=facts["total"],
        deals=facts["deals"],
        wins=facts["won"],
        solos=facts["solos_won"],
        touts=facts["touts_won"],
        best=facts["best_deal"],
        undecided=facts["undecided"],
        lists=facts["lists"] or 0,
        on_cards=facts["on_cards"] or 0,
        on_facts=facts["on_facts"] or 0,
        on_amounts=facts["on_amounts"] or 0,
    )
