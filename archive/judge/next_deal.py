"""The next deal of an evening recorded at the table: whose turn it is, and what contradicts it."""

from collections.abc import Iterable

from msgspec.structs import replace

from archive.judge.types import Judgement, LedgerState
from archive.play.seating import usual_sitters
from archive.play.types import DEALT_AGAIN
from archive.record import Deal, Finding
from archive.rules import House
from archive.say import Message
from archive.settle.rounds import RoundState, rounds_after

# Facts that decide a price: a deal entered at the table without one of them waits for an answer. If its play has begun,
# a stated end does not count: the play is finished, or removed.
DECISIVE = ("missing.declarer", "missing.partner", "missing.won", "missing.trump-suit", "missing.rest-of-play")


def turn_to_deal(players: int, table: LedgerState, deals: int) -> int | None:
    """Return the seat that deals next; the last one in the first deal, so that the first leads. None if it is
    unknown."""
    return table.dealer if table.dealer is not None or deals else players - 1


def with_sitters(deal: Deal, players: int, house: House, table: LedgerState, deals: int) -> Deal:
    """Return the deal with its dealer and sitters-out, if there are more players than the house has a rule for. Who is
    known to sit out tells the dealer, if nothing else does."""
    if not 0 <= len(house.sitters) < players - house.seats:
        return deal
    if deal.sits_out is None:
        dealer = turn_to_deal(players, table, deals) if deal.dealer is None else deal.dealer
        return replace(deal, dealer=dealer, sits_out=usual_sitters(players, house, dealer) or None)
    if deal.dealer is not None or table.dealer is not None:
        return deal
    out = sorted(deal.sits_out)
    dealers = [seat for seat in range(players) if sorted(usual_sitters(players, house, seat)) == out]
    return replace(deal, dealer=dealers[0]) if len(dealers) == 1 else deal


def move_sitters(before: Deal, deal: Deal, players: int, house: House) -> Deal:
    """Return a deal whose dealer was changed with those who sit out when that player deals, if it was so before."""
    if deal.dealer == before.dealer or before.sits_out != usual_sitters(players, house, before.dealer):
        return deal
    return replace(deal, sits_out=usual_sitters(players, house, deal.dealer) or None)


def usual_rounds(judged: Iterable[Judgement]) -> tuple[str, ...]:
    """Return the special rounds of the deal after these, assuming that a deal sets one off only if this is known."""
    state = RoundState((), ())
    for each in judged:
        rounds, queue = each.before.rounds, each.before.queue
        if each.deal.round == () or None not in (rounds, queue):
            state = RoundState(rounds or (), queue or ())
        if each.deal.game is None or each.deal.game.contract != DEALT_AGAIN:
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
    """Return the errors of a deal as it stands so far."""
    return tuple(finding for finding in judged.findings if finding.severity == "error")
