"""Calls during play, at random and legal: a surrender offered, Kontra and the answers to it. Written from the
documents, not from the engine."""

from random import Random

from msgspec.structs import replace

from archive.generate.plan import Plan
from archive.record import Deal, Double, Event


def with_surrender(rng: Random, plan: Plan, deal: Deal) -> Deal:
    """Return the deal; now and then an opponent offers to surrender, and the declarer accepts or refuses. 004 Giving
    Up."""
    game = deal.game
    if not plan.ruleset.house.surrender or game is None or game.declarer is None or rng.random() > 0.15:
        return deal
    answer = rng.choice(("accepts", "refuses"))
    offer = Event(rng.choice(plan.opponents), "offers-surrender", rng.choice((None, "1.1")))
    tricks = () if answer == "accepts" else deal.tricks
    return replace(deal, events=(offer, Event(game.declarer, answer)), tricks=tricks)


def choose_doublings(rng: Random, plan: Plan, deal: Deal) -> tuple[Double, ...] | None:
    """Return Kontra by one of the defence, now and then answered by the declarer, when the house allows it; in a Ramsch
    that may be doubled, by anyone before an own card. None if nobody doubles."""
    house, game, active = plan.ruleset.house, deal.game, plan.active
    assert game
    if plan.row.parties == "each":
        if house.ramsch.double == "no":
            return None
        doublings = [Double(seat, "double", 1, card) for card, seat in enumerate(active, 1) if rng.random() < 0.15]
        return tuple(doublings) or None
    stoss = house.stoss
    if game.declarer is None or stoss.until == "no" or rng.random() < 0.75:
        return None
    if "muss" in game.words and house.muss and not house.muss.stoss:
        return None
    first = rng.choice(plan.opponents)
    leader = deal.tricks[0].leader if deal.tricks else None
    own = card_place(active, first, active[0] if leader is None else leader)
    latest = {"first-card": (1, 1), "second-card": (1, 2)}.get(stoss.until, (1, own))
    trick, card = latest if deal.tricks else (None, None)
    doublings = [Double(first, "kontra", trick, card)]
    if stoss.until == "own-card" and not stoss.limit:  # without a limit: at once, in turn
        words = ("re", "double", "double", "double")[: rng.choice((0, 0, 1, 1, 2, 3, 4))]
        return (*doublings, *(Double(first if n % 2 else game.declarer, word) for n, word in enumerate(words)))
    if rng.random() < 0.5 and stoss.limit != 1:
        if stoss.until == "trick-by-trick":
            return (*doublings, *doubling_chain(rng, plan, deal))
        doublings.append(Double(game.declarer, "re"))
    return tuple(doublings)


def card_place(active: tuple[int, ...], seat: int, leader: int) -> int:
    """Return the place in a trick at which a player plays, from 1."""
    return (active.index(seat) - active.index(leader)) % len(active) + 1


def doubling_chain(rng: Random, plan: Plan, deal: Deal) -> list[Double]:
    """Return doublings of both sides in turn, each before an own card of the next trick. 001 Langendorf Schafkopf."""
    doublings: list[Double] = []
    defence = plan.opponents
    ours = [seat for seat in plan.active if seat not in defence]
    for number, trick in enumerate((deal.tricks or ())[1:4], 2):
        seat = rng.choice(ours if number % 2 == 0 else defence)
        assert trick.leader is not None
        own = card_place(plan.active, seat, trick.leader)
        doublings.append(Double(seat, "re" if number == 2 else "double", number, own))
        if rng.random() < 0.6:
            break
    return doublings
