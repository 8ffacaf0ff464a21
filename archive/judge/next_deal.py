"""The next deal of an evening that is written down at the table: whose turn it is, and what speaks against it."""

from collections.abc import Iterable

from msgspec.structs import replace

from archive.judge.types import Judgement, LedgerState
from archive.play.seating import usual_sitters
from archive.record import Deal, Finding
from archive.rules import House
from archive.say import Message
from archive.settle.rounds import RoundState, rounds_after

# Facts that decide a price: a deal told at the table without one of them waits for an answer. Of a play that is begun,
# what is stated of its end does not count: so it is played out, or taken away.
DECISIVE = ("missing.declarer", "missing.partner", "missing.won", "missing.trump-suit", "missing.rest-of-play")


def turn_to_deal(players: int, table: LedgerState, deals: int) -> int | None:
    """Whose turn it is to deal; in the first deal that of the last player, so that the first one leads. None where it
    is not known."""
    return table.dealer if table.dealer is not None or deals else players - 1


def with_sitters(deal: Deal, players: int, house: House, table: LedgerState, deals: int) -> Deal:
    """The deal with its dealer and who sits out, where more are at the table than the house has a rule for."""
    if deal.sits_out is not None or not 0 <= len(house.sitters) < players - house.seats:
        return deal
    dealer = turn_to_deal(players, table, deals) if deal.dealer is None else deal.dealer
    return replace(deal, dealer=dealer, sits_out=usual_sitters(players, house, dealer) or None)


def usual_rounds(judged: Iterable[Judgement]) -> tuple[str, ...]:
    """The special rounds of the deal after these, where none of them started one unless it is known that it did."""
    state = RoundState((), ())
    for each in judged:
        before = replace(each.before, rounds=state.rounds, queue=state.queue)
        seats = len(each.session.players)
        state = rounds_after(before, each.deal, seats, each.ruleset, each.replay, each.settlement, doubtful=False)
    return tuple(name for name, _ in state.rounds or ())


def undecided_facts(judged: Judgement) -> tuple[Message, ...]:
    """Return the facts that somebody at the table can tell: those without which a deal has no price, and the rest of a
    play that was begun, though stated facts may decide it."""
    begun = judged.replay and judged.deal.tricks and not judged.replay.complete
    facts = judged.missing or (judged.replay.missing if judged.replay and begun else ())
    return tuple(each for each in facts if each.id in DECISIVE)


def contradictions(judged: Judgement) -> tuple[Finding, ...]:
    """The errors of a deal as it is told."""
    return tuple(finding for finding in judged.findings if finding.severity == "error")
