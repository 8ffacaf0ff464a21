"""The card that a player chooses among those that may be played."""

from random import Random

from archive.cards import numbers
from archive.engine.duties import Spot
from archive.rules import Tables

SENSIBLE = 0.8  # the share of cards that are chosen sensibly; the others are any that are allowed


def choose_card(rng: Random, compiled: Tables, allowed: int, spot: Spot, friendly: bool, avoids: bool) -> int:
    """Return one of the allowed cards, mostly a sensible one. `friendly`: the own side has the trick; `avoids`: the
    player wants none."""
    cards = list(numbers(allowed))
    if rng.random() > SENSIBLE or not spot.led:
        return rng.choice(cards)
    worth = compiled.points
    taking = [card for card in cards if spot.over >> card & 1]
    ducking = [card for card in cards if card not in taking]
    if avoids:
        return max(ducking or taking, key=lambda card: (compiled.beats[card].bit_count() == 0, worth[card]))
    if friendly:
        return max(ducking or taking, key=worth.__getitem__)
    if taking:
        return max(taking, key=lambda card: compiled.beats[card].bit_count())
    return min(ducking, key=worth.__getitem__)
