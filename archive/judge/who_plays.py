"""Who plays what in a case: the contract, the seats in play, the declarer's side, and the cards that they are known to
have held; decisive events and the tricks of each seat, as a record states them without cards."""

from msgspec.structs import replace

from archive.cards import SUITS, is_known, mask
from archive.judge.types import Case
from archive.play.announcements import ACCEPTS, OFFERS, REFUSES, surrender_answer
from archive.play.parties import sides
from archive.play.tricks import deal_tables
from archive.play.types import NOT_PLAYED
from archive.record import Deal
from archive.rules import Contract, Tables, hand_size
from archive.rules.tables import are_pairs_fixed, per_object
from archive.settle.facts import claims_runners, contract_of
from archive.settle.settle import is_priced_by_suit
from archive.settle.types import Settlement


def has_cards(deal: Deal) -> bool:
    """Return whether a record shows any card of hands, tricks or turns."""
    return any((deal.hands, deal.held, deal.tricks, deal.turns))


def with_any_trumps(case: Case) -> Case:
    """Return the case with one suit as trump if its record names none, shows no card, and every suit costs the same:
    then any suit gives the same result and price; else the case itself."""
    game = case.deal.game
    if game is None or game.suit is not None or has_cards(case.deal):
        return case
    row = case.ruleset.contracts.get(game.contract)
    if row is None or row.takes != "trump" or is_priced_by_suit(case.ruleset, row):
        return case
    return replace(case, deal=replace(case.deal, game=replace(game, suit=SUITS[0])))


@per_object
def contract_played(case: Case) -> Contract | None:
    """Return the contract if it was played in tricks, by a known declarer and with known trumps; else None."""
    game = case.deal.game
    if (
        game is None
        or case.replay.turned is not None
        or game.contract in NOT_PLAYED
        or game.contract not in case.ruleset.contracts
    ):
        return None
    row = case.ruleset.contracts[game.contract]
    seats = case.replay.active if row.parties == "opposite" else seats_in_play(case)  # forehand determines the sides
    by_whom = game.declarer in seats_in_play(case) if row.declarer else bool(seats)
    return row if by_whom and (row.takes != "trump" or game.suit is not None) else None


@per_object
def seats_in_play(case: Case) -> tuple[int, ...]:
    """Return the seats in play, even if nobody knows who dealt; none if nobody knows who sits out."""
    if case.replay.active:
        return case.replay.active
    seats = tuple(seat for seat in range(len(case.players)) if seat not in (case.deal.sits_out or ()))
    return seats if len(seats) == case.ruleset.house.seats else ()


@per_object
def tables_of_case(case: Case) -> Tables:
    return deal_tables(case.ruleset, case.deal, case.ruleset.contracts[contract_of(case.deal)])


def known_cards(case: Case, row: Contract, seats: tuple[int, ...]) -> int:
    """Return the mask of the cards that some seats are known to have held when play began."""
    bits = mask(step.card for step in case.replay.steps if step.seat in seats)
    keeps = row.exchange == "none" and not case.deal.exchange and not case.deal.round
    for seat in seats:
        dealt = case.replay.dealt[seat] if keeps else ()
        bits |= mask(case.replay.held[seat] or ()) | mask(dealt or ())
    return bits


def is_whole(case: Case, seat: int) -> bool:
    """Return whether every card of a seat is known."""
    held = case.replay.held[seat]
    return bool(held) and all(map(is_known, held or ()))


def side(case: Case, row: Contract, partner: int | None) -> tuple[int, ...]:
    """Return the seats of the declarer's side; none if everyone plays alone."""
    own = sides(row, case.replay.declarer, partner, seats_in_play(case), len(case.players))
    return tuple(seat for seat, each in enumerate(own) if each == "declarer")


def losing_pair(case: Case, settled: Settlement) -> frozenset[int] | None:
    """Return the pair that has lost, if two pairs play of which neither has declared: none at 60 : 60. None else."""
    row = contract_played(case)
    if row is None or not are_pairs_fixed(row) or (settled.won is None and not settled.undecided):
        return None
    ours, seats = side(case, row, None), () if settled.undecided else seats_in_play(case)
    return frozenset(seat for seat in seats if (seat in ours) != settled.won)


# Events that do not affect the play; every settlement sees what `no-claim` does to the runners.
WITHOUT_CONSEQUENCE = ("remarks", "looks", "no-claim", "prevented")


def has_decisive_event(case: Case) -> bool:
    """Return whether the record holds an event outside play that may change the result. An announcement may if the
    house lets a march be announced in a Ramsch. Answered surrenders and claimed runners do not count: every settlement
    sees them."""
    row, house = case.ruleset.contracts.get(contract_of(case.deal)), case.ruleset.house
    march = row is None or (row.parties == "each" and house.ramsch.announce > 0)
    harmless = WITHOUT_CONSEQUENCE if march else (*WITHOUT_CONSEQUENCE, "announces")
    answered = (OFFERS, ACCEPTS, REFUSES) if surrender_answer(case.deal, house) in (ACCEPTS, REFUSES) else ()
    return any(
        event.verb not in (*harmless, *answered) and not claims_runners(event) for event in case.deal.events or ()
    )


def known_tricks(case: Case, active: tuple[int, ...]) -> dict[int, int] | None:
    """Return the tricks of each seat if a record states those of all, by number or by the winner of each; None if it
    does not, or if they are not all tricks of the deal."""
    stated, size = case.deal.stated, hand_size(case.ruleset.house)
    tricks = stated.tricks if stated and isinstance(stated.tricks, tuple) else ()
    if stated and stated.winners and len(stated.winners) == size and None not in stated.winners:
        tricks = tuple(stated.winners.count(seat) for seat in range(len(case.players)))
    own = {seat: tricks[seat] or 0 for seat in active if seat < len(tricks) and tricks[seat] is not None}
    return own if len(own) == len(active) and sum(own.values()) == size else None
