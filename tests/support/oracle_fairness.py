"""The facts of `archive.stats.questions.fairness`, counted card by card from the judged deals."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from archive.cards import CODES
from support.oracle_luck import Hand, hands
from support.question_oracle import told

Rows = list[tuple[Any, ...]]


def counted(groups: Iterable[tuple[tuple[Any, ...], Hand]]) -> Rows:
    """Return keys, hands, the highest cards without a gap, suits that are missing, and each card."""
    parts: dict[tuple[Any, ...], list[Hand]] = defaultdict(list)
    for key, hand in groups:
        parts[(*key, hand.pack, hand.cards)].append(hand)
    rows = []
    for key, mine in parts.items():
        seen = Counter(card for hand in mine for card in cards_of(hand))
        free = sum(not any(plain(card, suit) for card in cards_of(hand)) for hand in mine for suit in "EGS")
        rows.append((*key, len(mine), sum(hand.chain for hand in mine), free, *(seen[code] for code in CODES)))
    return rows


def cards_of(hand: Hand) -> tuple[str, ...]:
    played = hand.sat.deal.judgement.replay
    return tuple(played.dealt[hand.sat.seat] or ())


def plain(card: str, suit: str) -> bool:
    return card[0] == suit and card[1] not in "OU"


def source(hand: Hand) -> int:
    """Return the number that an archive gives a file: they come in order."""
    return list(dict.fromkeys(each.path for each in told())).index(hand.sat.deal.path) + 1


def source_card_facts() -> Rows:
    found = []
    for hand in hands():
        played = hand.sat.deal.judgement.replay
        if played and hand.sat.seat in played.playing:
            found.append(((source(hand), played.playing.index(hand.sat.seat) + 1), hand))
    return counted(found)


def own(of: Callable[[Hand], bool]) -> Rows:
    return counted(((hand.sat.player[0], source(hand)), hand) for hand in hands() if of(hand))


def dealer_card_facts() -> Rows:
    return own(lambda hand: hand.sat.deal.get("dealer") == hand.sat.name)


def recorder_card_facts() -> Rows:
    return own(lambda hand: hand.sat.deal.judgement.session.recorder == hand.sat.name)


FACTS: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (source_card_facts, dealer_card_facts, recorder_card_facts)
}
