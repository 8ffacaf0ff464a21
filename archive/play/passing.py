"""Rounds in which cards are passed on before play: where the passing is not recorded, whether it can have been."""

from archive.cards import is_known, mask, show
from archive.play.types import Cards
from archive.record import Deal, Finding, finding
from archive.rules import Ruleset
from archive.rules.types import Round

Hands = tuple[Cards | None, ...]


def passing(deal: Deal, ruleset: Ruleset) -> Round | None:
    """The round of a deal in which cards are passed on, None where hands stay as dealt."""
    rounds = (ruleset.rounds[name] for name in deal.round or ())
    return next((each for each in rounds if each.exchange == "pass-left"), None)


def check_passing(
    deal: Deal, players: tuple[str, ...], active: tuple[int, ...], dealt: Hands, held: Hands, aside: tuple[str, ...]
) -> tuple[Finding, ...]:
    """Hands held that the passing cannot have given: the declarer takes the cards aside and passes cards to the left,
    each passes some on, as far as the dealer; who sits before the declarer keeps the hand dealt.
    001 Special Rounds: Schieber."""
    declarer = deal.game.declarer if deal.game else None
    found: list[Finding] = []
    coming, passed_by = mask(aside), False
    for seat in active:
        hand, own = held[seat], dealt[seat]
        if hand is None or own is None or declarer is None:
            return tuple(found)
        passed_by = passed_by or seat == declarer
        at_hand = mask(filter(is_known, own)) | (coming if passed_by else 0)
        if strange := mask(hand) & ~at_hand:
            found.append(finding("not-passed", deal.source, player=players[seat], cards=show(strange)))
        if passed_by:
            coming = at_hand & ~mask(hand)
    return tuple(found)
