"""Damage to a game with a talon, and what no check could notice of it, by the second opinion on Sixty-six."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from archive.judge import Judgement, judge
from archive.play.other.sixty_six import ACTS
from archive.record import Deal, Event, Stated, Trick
from support.oracle_sixty_six import Verdict, sixty_six
from support.two_players import plain

DECKS: dict[str, dict[str, Any]] = {"20 cards": {}, "24 cards": {"deck": 24, "hand_size": 6}}
OTHER_ARGS = {"marriage": "EGHS", "calls": ("60", "67")}


def is_with_talon(deal: Deal) -> bool:
    """Return whether a deal is played with a talon, and all its cards are known."""
    return bool(deal.talon and deal.hands and deal.turns is None and not any("?" in card for card in deal.talon))


def another_draw(deal: Deal) -> Iterator[Deal]:
    """Yield the deal with two cards of the talon exchanged."""
    talon = deal.talon or ()
    for one, other in combinations(range(len(talon)), 2) if is_with_talon(deal) else ():
        cards = list(talon)
        cards[one], cards[other] = cards[other], cards[one]
        yield replace(deal, talon=tuple(cards))


def another_order(deal: Deal) -> Iterator[Deal]:
    """Yield the deal with two cards of a player in each other's trick."""
    if not is_with_talon(deal):
        return
    tricks = [trick for trick in deal.tricks or () if len(trick.cards) == 2 and trick.leader is not None]
    for one, other in combinations(range(len(tricks)), 2):
        for seat in range(2):
            cards = [list(trick.cards) for trick in tricks]
            first, second = (int(tricks[at].leader != seat) for at in (one, other))
            cards[one][first], cards[other][second] = cards[other][second], cards[one][first]
            changed = [Trick(tuple(own), trick.leader) for own, trick in zip(cards, tricks, strict=True)]
            yield replace(deal, tricks=(*changed, *(deal.tricks or ())[len(tricks) :]))


def another_act(deal: Deal) -> Iterator[Deal]:
    """Yield the deal with an act left out, done at another turn, by the other player, or with another card, suit or
    number."""
    events = deal.events or ()
    for place, event in enumerate(events):
        if event.verb in ACTS:
            for others in ((), *((each,) for each in other_acts(deal, event))):
                yield replace(deal, events=(*events[:place], *others, *events[place + 1 :]))


def other_acts(deal: Deal, event: Event) -> Iterator[Event]:
    """Yield possible acts instead of an act."""
    yield replace(event, seat=1 - event.seat)
    for moment in turns(deal):
        if moment != event.moment:
            yield replace(event, moment=moment)
    for arg in OTHER_ARGS.get(event.verb, deal.talon if event.verb == "takes-trump" else ()):
        if arg != event.arg:
            yield replace(event, arg=arg)


def another_closing(deal: Deal) -> Iterator[Deal]:
    """Yield the deal with its talon closed at another turn."""
    if is_with_talon(deal) and not any(each.verb == "closes" for each in deal.events or ()):
        for moment in turns(deal):
            for seat in range(2):
                yield replace(deal, events=(*(deal.events or ()), Event(seat, "closes", moment)))


def turns(deal: Deal) -> list[str]:
    """Return the turns of a deal, with that after its last card."""
    tricks = deal.tricks or ()
    played = [f"{number}.{place}" for number, trick in enumerate(tricks, 1) for place in range(1, len(trick.cards) + 1)]
    return [*played, f"{len(tricks) + 1}.1"]


KINDS = {
    "a card drawn": another_draw,
    "the order of a player's cards": another_order,
    "an act": another_act,
    "a closing more": another_closing,
}


def opinion(original: Judgement, deal: Deal) -> Verdict:
    return sixty_six(*plain(original.session, deal))


def stated_facts(found: Verdict, deal: Deal) -> dict[str, Any]:
    """Return what the record of a deal states, as it follows from the play: points and tricks of each, or those of the
    winner."""
    stated, won = deal.stated or Stated(), found.won or [0, 0]
    facts: dict[str, Any] = {"marks": found.won, "winners": found.takers}
    for key, each in (("points", found.points), ("tricks", found.taken)):
        counted = tuple(each.values())
        facts[key] = counted if isinstance(getattr(stated, key), tuple) else counted[won.index(max(won))]
    return {key: value for key, value in facts.items() if getattr(stated, key) is not None}


def excuses(original: Judgement, mutant: Deal) -> bool:
    """Return whether no check could notice a mutant that states what its original states: it is legal and over, and all
    those statements follow from it."""
    if mutant.game != original.deal.game or mutant.knocks or mutant.doubles:
        return False
    after, before = opinion(original, mutant), opinion(original, original.deal)
    return not after.fault and after.won is not None and stated_facts(after, mutant) == stated_facts(before, mutant)


# --- the argument of the page for each kind, if a mutant passes -------------------------------------------------------


def drawn_alike(original: Judgement, mutant: Deal) -> bool:
    """Return whether every card that was played and drawn before came to the same player."""
    found = judge(original.session, mutant, original.number, original.before)
    played = {card for trick in mutant.tricks or () for card in trick.cards}
    one, other = ({each.card: each.seat for each in judged.replay.talon.draws if each.card in played}
                  for judged in (original, found) if judged.replay and judged.replay.talon)  # fmt: skip
    return one == other


def taken_alike(original: Judgement, mutant: Deal) -> bool:
    """Return whether every trick but the last fell to the same player: the next one has its leader."""
    found = judge(original.session, mutant, original.number, original.before)
    return found.replay.winners[:-1] == original.replay.winners[:-1]


def done_alike(original: Judgement, mutant: Deal) -> bool:
    """Return whether the act that was changed is no call, and was left out or only done at another turn."""
    before, after = (set(events or ()) for events in (original.deal.events, mutant.events))
    (gone,), new = before - after, after - before
    return gone.verb != "calls" and all(replace(each, moment=gone.moment) == gone for each in new)


ARGUED = dict(zip(KINDS, (drawn_alike, taken_alike, done_alike, drawn_alike), strict=True))
