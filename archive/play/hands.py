"""The hands of a deal: as dealt, as held when play began, and what is wrong with them."""

from archive.cards import BIT, PACKS, is_known
from archive.play.passing import Hands, passing
from archive.play.types import Cards
from archive.play.walk import Walk
from archive.record import Deal, Finding, finding
from archive.rules import Ruleset


def hands(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, active: tuple[int, ...], walked: Walk
) -> tuple[Hands, Hands, list[Finding], list[str]]:
    """The hands as dealt and as held when play began. What is not recorded is taken from the tricks where every card
    of a seat is known; where cards were passed on unrecorded, the hands held are those that were played."""
    size = ruleset.house.deck // ruleset.house.seats
    played = {seat: tuple(laid.card for laid in walked.laid if laid.seat == seat) for seat in active}
    whole = {seat for seat in active if len(played[seat]) == size and all(map(is_known, played[seat]))}
    dealt = one_each(deal.hands, players)
    recorded = one_each(deal.held, players)
    findings = misdealt(deal, players, dealt, size, PACKS[ruleset.house.deck])
    missing: list[str] = []
    round_ = passing(deal, ruleset)
    hidden = round_ is not None and deal.exchange is None
    held: list[Cards | None] = []
    for seat, hand in enumerate(dealt):
        if hand is not None and all(map(is_known, hand)) and not hidden:
            held.append(recorded[seat] or after_exchange(hand, seat, deal))
            continue
        held.append(recorded[seat] or (played[seat] if seat in whole else None))
        now = held[-1]
        if now is not None and not hidden and deal.exchange is None:
            dealt[seat] = now
            findings += differs(deal, players[seat], hand, now)
        elif hand is not None and not all(map(is_known, hand)):
            missing.append(f"{sum(not is_known(card) for card in hand)} cards of the hand of {players[seat]}")
    if hidden and round_:
        missing.append(f"the cards passed on in the {round_.title}")
    return tuple(dealt), tuple(held), findings, missing


def one_each(hands: Hands | None, players: tuple[str, ...]) -> list[Cards | None]:
    """One entry a player, where a record may end earlier."""
    return [*(hands or ()), *[None] * len(players)][: len(players)]


def misdealt(deal: Deal, players: tuple[str, ...], dealt: list[Cards | None], size: int, pack: int) -> list[Finding]:
    """What is wrong with the hands as recorded: their size, a card twice, a card of no such pack."""
    findings: list[Finding] = []
    seen: set[str] = set()
    for player, hand in zip(players, dealt, strict=True):
        if hand is not None and len(hand) != size:
            findings.append(finding("hand-size", deal.source, player=player, cards=len(hand), wanted=size))
        for card in filter(is_known, hand or ()):
            rule = "not-in-pack" if not pack & BIT[card] else "card-twice" if card in seen else None
            if rule:
                findings.append(finding(rule, deal.source, card=card, where=f"the hand of {player}"))
            seen.add(card)
    return findings


def differs(deal: Deal, player: str, hand: Cards | None, played: Cards) -> list[Finding]:
    """Known cards of a half-known hand that were not among those its seat played."""
    return [
        finding("not-played", deal.source, card=card, player=player)
        for card in hand or ()
        if is_known(card) and card not in played
    ]


def after_exchange(hand: Cards, seat: int, deal: Deal) -> Cards:
    """A hand after every recorded exchange."""
    for exchange in deal.exchange or ():
        if exchange.giver == seat:
            hand = tuple(card for card in hand if card not in exchange.cards)
        if exchange.taker == seat:
            hand += exchange.cards
    return hand
