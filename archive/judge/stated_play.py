"""The facts of a play that a record states without cards: events that decide, the tricks of each seat."""

from archive.judge.types import Case
from archive.play.surrender import ACCEPTS, OFFERS, REFUSES, surrender_answer
from archive.rules import hand_size
from archive.settle.facts import claims_runners, contract_of

# Events that leave the play as it is; what `no-claim` does to the runners every settlement sees.
WITHOUT_CONSEQUENCE = ("remarks", "looks", "no-claim", "prevented")


def has_decisive_event(case: Case) -> bool:
    """Whether something is recorded beside play that may change what the deal comes to. An announcement does where a
    march in a Ramsch may be announced, and time decides. A surrender with its answer, and runners that were claimed,
    every settlement sees."""
    row, house = case.ruleset.contracts.get(contract_of(case.deal)), case.ruleset.house
    march = row is None or (row.parties == "each" and house.ramsch.announce > 0)
    harmless = WITHOUT_CONSEQUENCE if march else (*WITHOUT_CONSEQUENCE, "announces")
    answered = (OFFERS, ACCEPTS, REFUSES) if surrender_answer(case.deal, house) in (ACCEPTS, REFUSES) else ()
    return any(
        event.verb not in (*harmless, *answered) and not claims_runners(event) for event in case.deal.events or ()
    )


def known_tricks(case: Case, active: tuple[int, ...]) -> dict[int, int] | None:
    """The tricks of each seat as a record states those of all, by number or by who won each; None where it does not, or
    where they are not all tricks of the deal."""
    stated, size = case.deal.stated, hand_size(case.ruleset.house)
    tricks = stated.tricks if stated and isinstance(stated.tricks, tuple) else ()
    if stated and stated.winners and len(stated.winners) == size and None not in stated.winners:
        tricks = tuple(stated.winners.count(seat) for seat in range(len(case.players)))
    own = {seat: tricks[seat] or 0 for seat in active if seat < len(tricks) and tricks[seat] is not None}
    return own if len(own) == len(active) and sum(own.values()) == size else None
