"""The facts of a play that a record states without cards: decisive events, and the tricks of each seat."""

from archive.judge.types import Case
from archive.play.surrender import ACCEPTS, OFFERS, REFUSES, surrender_answer
from archive.rules import hand_size
from archive.settle.facts import claims_runners, contract_of

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
