"""What may be played from a hand, by the duties of a contract."""

from archive.cards import BIT, NUMBER, mask
from archive.engine.duties import DUTIES, allowed_cards, make_spot
from archive.play.second_pass import allowed_by
from archive.rules import Ruleset, tables


def narrow_hand(
    hand: str, on: str, card: str, ruleset: Ruleset, game: tuple[str, ...], searched: int = 0
) -> tuple[set[str], str | None]:
    """Return what may be played from a hand on the cards of a trick, and the rule id that refuses `card`; `game` is the
    contract, its suit and the called card."""
    table, before = tables(ruleset, *game), on.split()
    led = over = 0
    for number, each in enumerate(before):
        if not number or over & BIT[each]:
            over = table.beats[NUMBER[each]]
    if before:
        led = table.groups[table.group[NUMBER[before[0]]]]
    spot = make_spot(table, mask(hand.split()), led, over, searched)
    duties, lying = ruleset.contracts[game[0]].duties, (led, over, searched)
    named = [(name, DUTIES[name]) for name in duties]
    allowed, _, broken = allowed_by(named, spot.terms, spot.hand, lying, BIT.get(card, 0))
    assert allowed == allowed_cards(duties, spot)
    return {code for code in hand.split() if allowed & BIT[code]}, broken
