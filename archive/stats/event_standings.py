"""Standings: the accounts of players over all tables and lists of an event."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Judgement, declaring_seats, unit_of_deal
from archive.play.game_words import is_tout
from archive.play.types import NOT_PLAYED
from archive.record import Session, Stated
from archive.settle.rulings import amounts_in_force, is_annulled, is_paid, paid_for_deal

USUAL_SEATS = 4  # seats that play if the rules cannot be read


class Row(Struct):
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
        unit, deal = unit_of_deal(judgement), count_deal(judgement)
        for seat in range(len(judgement.session.players)):
            name = account(head, judgement, seat)
            name = (known_as or {}).get(name, name)
            row = rows.get((unit, name)) or rows.setdefault((unit, name), Row(name, unit))
            add_deal(row, deal, seat)
    units = dict.fromkeys(unit for unit, _ in rows)
    return [row for unit in units for row in rank_accounts([row for row in rows.values() if row.unit == unit], by)]


def account(head: Session, judgement: Judgement, seat: int) -> str:
    """Return the name whose account a seat counts in: the player's own, or that of the player replaced."""
    by_seat = judgement.ruleset is not None and judgement.ruleset.house.substitute == "seat"
    players = judgement.session.players
    return head.players[seat] if by_seat and len(head.players) == len(players) else players[seat]


class CountedDeal(Struct, frozen=True):
    """A deal as accounts count it: what each seat is paid in force, empty where nobody knows, and who is paid for the
    deal; who is active, if known, else whether all at the table are. `sums`: those of a whole list, which it stands
    for."""

    amounts: tuple[int | None, ...]
    wins: tuple[bool, ...]
    active: tuple[int, ...]
    all_active: bool
    in_play: bool
    declaring: tuple[int | None, int | None]  # the declarer and the partner
    alone: bool
    tout: bool
    on_basis: str | None  # the column of what its amounts rest on
    sums: Stated | None


def count_deal(judgement: Judgement) -> CountedDeal:
    """Return what accounts count of a deal: its amounts are those in force, of a ruling where there is one."""
    deal, settled, rules, game = judgement.deal, judgement.settlement, judgement.ruleset, judgement.deal.game
    seats = len(judgement.session.players)
    amounts = amounts_in_force(deal, seats, settled, judgement.before) or ()
    paid = paid_for_deal(deal, len(amounts), settled) if deal.ruling else amounts
    some_paid = game is not None or any(each != 0 for each in amounts)
    played = some_paid if game is None else game.contract not in NOT_PLAYED
    contract = rules.contracts.get(game.contract) if rules and game else None
    return CountedDeal(
        amounts=amounts,
        wins=tuple([bool(is_paid(paid, seat, settled)) for seat in range(seats)]),
        active=judgement.replay.active if judgement.replay else (),
        all_active=seats <= (rules.house.seats if rules else USUAL_SEATS),
        in_play=played and not is_annulled(deal, len(amounts)),
        declaring=declaring_seats(judgement),
        alone=contract is not None and contract.parties == "alone",
        tout=is_tout(deal),
        on_basis=f"on_{judgement.basis}" if some_paid and judgement.basis else None,
        sums=deal.stated if game is None and deal.stated and deal.stated.of_list else None,
    )


def add_deal(row: Row, deal: CountedDeal, seat: int) -> bool:
    """Count one deal more in an account, if it counts there; a deal of a game for marks counts in marks. A player who
    sits out takes no part, whatever he pays; if the dealer is unknown and more are at the table than play, the
    declarer, the partner and those with an amount do."""
    paid = deal.amounts[seat] if seat < len(deal.amounts) else None
    plays = seat in (deal.active or deal.declaring) or (not deal.active and (bool(paid) or deal.all_active))
    if not plays and not paid:
        return False
    if paid is None:
        row.undecided += 1
        return True
    row.total += paid
    if deal.on_basis:
        setattr(row, deal.on_basis, getattr(row, deal.on_basis) + 1)
    if deal.sums:
        stated = deal.sums
        wins, solos, touts = (
            (each[seat] or 0) if each and seat < len(each) else 0 for each in (stated.wins, stated.solos, stated.touts)
        )
        row.lists += 1
        row.deals += stated.deals or 0
        row.wins += wins
        row.solos += solos
        row.touts += touts
    elif plays and deal.in_play:
        row.deals += 1
        row.best = paid if row.best is None else max(row.best, paid)
        if deal.wins[seat]:
            row.wins += 1
            row.solos += deal.alone and deal.declaring[0] == seat
            row.touts += deal.tout and deal.declaring[0] == seat
    return True


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
