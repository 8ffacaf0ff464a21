"""Plain answers to the questions of `archive.stats.questions.luck`, with chances as cards are dealt one by one."""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

from archive.settle.rounds import in_force
from support.oracle_people import Sat, seats
from support.question_oracle import mean, wilson

Rows = list[tuple[Any, ...]]
HIGHEST = ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")


# --- chances ----------------------------------------------------------------------------------------------------------


@cache
def lords(pack: int, cards: int, left: int = 8) -> dict[int, Fraction]:
    """Return the chance of each number of lords in a hand, dealt card by card from a pack with so many left."""
    chance = {0: Fraction(1)}
    for dealt in range(cards):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for have, p in chance.items():
            lord = Fraction(left - have, pack - dealt)
            after[have + 1] += p * lord
            after[have] += p * (1 - lord)
        chance = {have: p for have, p in after.items() if p}
    return chance


def both_lords(pack: int, cards: int, number: int) -> Fraction:
    """Return the chance that two hands of a deal have so many each."""
    first = lords(pack, cards).get(number, Fraction(0))
    return first * lords(pack - cards, cards, 8 - number).get(number, Fraction(0)) if first else first


def matadors(pack: int, cards: int) -> dict[int, Fraction]:
    """Return the chance of each chain: every card of it in the hand, the next one elsewhere."""
    held, chance = Fraction(1), {}
    for number in range(min(8, cards) + 1):
        again = Fraction(cards - number, pack - number) if number < 8 else Fraction(0)
        chance[number] = held * (1 - again)
        held *= again
    return chance


def both_matadors(pack: int, cards: int, number: int) -> Fraction:
    return Fraction(pack - 2 * cards, pack) if number == 0 else Fraction(0)


# --- hands ------------------------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    sat: Sat
    pack: int
    cards: int
    lords: int
    chain: int


@cache
def hands() -> tuple[Hand, ...]:
    """Return every hand of a size that the pack gives, with all cards as they were dealt by chance."""
    found = []
    for each in seats():
        judged = each.deal.judgement
        played, ruleset = judged.replay, judged.ruleset
        rounds = {*(in_force(judged.deal, judged.before) or ()), *(judged.deal.round or ())}
        hand = played.dealt[each.seat] if played else None
        usual = each.deal.get("contract") != "misdeal" and judged.verdict != "unplayable"
        if ruleset is None or hand is None or any("?" in card for card in hand) or not usual:
            continue
        pack = ruleset.house.deck
        if len(hand) in {pack // players for players in range(2, 8)} and not rounds & {"schieber", "teufel"}:
            chain = next((at for at, card in enumerate(HIGHEST) if card not in hand), 8)
            found.append(Hand(each, pack, len(hand), sum(card[1] in "OU" for card in hand), chain))
    return tuple(found)


def dealt(number: Callable[[Hand], int], chance: Callable[[int, int], dict[int, Fraction]],
          both: Callable[[int, int, int], Fraction]) -> Rows:  # fmt: skip
    groups: dict[Any, list[Hand]] = defaultdict(list)
    for each in hands():
        groups[(each.sat.deal.get("rules"), each.pack, each.cards)].append(each)
    rows = []
    for key, mine in groups.items():
        _, pack, cards = key
        seen = Counter(map(number, mine))
        together = Counter(each.sat.deal.number for each in mine)
        for at in range(min(8, cards) + 1):
            p = chance(pack, cards).get(at, Fraction(0))
            covariance = both(pack, cards, at) - p * p
            variance = sum(n * p * (1 - p) + n * (n - 1) * covariance for n in together.values())
            score = float(seen[at] - len(mine) * p) / sqrt(variance) if variance else None
            share = wilson(seen[at], len(mine))
            rows.append((*key, at, seen[at], len(mine), *share, float(p), float(len(mine) * p), score))
    return rows


def lords_dealt() -> Rows:
    return dealt(lambda hand: hand.lords, lords, both_lords)


def matadors_dealt() -> Rows:
    return dealt(lambda hand: hand.chain, matadors, both_matadors)


def moments(hand: Hand) -> tuple[Fraction, Fraction]:
    """Return the expectation and the variance of the lords in a hand."""
    chance = lords(hand.pack, hand.cards)
    first, second = (sum((n**power * p for n, p in chance.items()), Fraction(0)) for power in (1, 2))
    return first, second - first * first


def luck_and_results() -> Rows:
    worth: dict[Any, list[int]] = defaultdict(list)
    players: dict[Any, list[Hand]] = defaultdict(list)
    for each in hands():
        players[(each.sat.player, *each.sat.house)].append(each)
        if each.sat.paid is not None:
            worth[like(each)].append(each.sat.paid)
    rows = []
    for ((number, name), *house), mine in players.items():
        expected, variance = (sum(values) for values in zip(*map(moments, mine), strict=True))
        have = sum(each.lords for each in mine)
        settled = [each for each in mine if each.sat.paid is not None]
        paid = [each.sat.paid for each in settled if each.sat.paid is not None]
        usual = [sum(worth[like(each)]) / len(worth[like(each)]) for each in settled]
        played = (mean(paid), None, None)
        if settled:
            played = (mean(paid), sum(usual) / len(usual), (sum(paid) - sum(usual)) / len(usual))
        luck = (have / len(mine), float(expected / len(mine)), float(have - expected) / sqrt(variance))
        rows.append((number, name, *house, len(mine), *luck, len(settled), *played))
    return rows


def like(hand: Hand) -> tuple[Any, ...]:
    """Return hands that are worth as much, as far as lords show."""
    return (*hand.sat.house, hand.pack, hand.cards, hand.lords)


def declaring_hands() -> Rows:
    groups: dict[Any, list[Hand]] = defaultdict(list)
    for each in hands():
        if each.sat.role == "declarer":
            groups[(*each.sat.house, each.sat.deal.get("contract"), each.pack, each.cards, each.lords)].append(each)
    rows = []
    for key, mine in groups.items():
        known = [each.sat.won for each in mine if each.sat.won is not None]
        paid = [each.sat.paid for each in mine if each.sat.paid is not None]
        ends = (len(known), sum(known), *wilson(sum(known), len(known)))
        rows.append((*key, len(mine), *ends, mean(paid)))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (lords_dealt, matadors_dealt, luck_and_results, declaring_hands)
}
