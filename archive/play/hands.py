"""The hands of a deal: as dealt, as held when play began, and what is wrong with them."""

from collections.abc import Iterator

from archive.cards import BIT, PACKS, is_known
from archive.play.exchange import moved, size_dealt
from archive.play.types import Cards, Hands, Phase, Walk
from archive.record import Deal, Finding, finding
from archive.rules import Ruleset, hand_size


def hands(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, active: tuple[int, ...], walked: Walk, phase: Phase
) -> tuple[Hands, Hands, list[Finding], list[str]]:
    """The hands as dealt and as held when play began. What is not recorded is taken from the tricks where every card
    of a seat is known, forward or back through the cards passed on; where these are not recorded either, the hand held
    by who passed any is the one that was played."""
    size = hand_size(ruleset.house)
    played = {seat: tuple(laid.card for laid in walked.laid if laid.seat == seat) for seat in active}
    whole = {seat for seat in active if len(played[seat]) == size and all(map(is_known, played[seat]))}
    dealt = one_each(deal.hands, players)
    recorded = one_each(deal.held, players)
    findings = misdealt(deal, players, dealt, size, PACKS[ruleset.house.deck], phase, active)
    missing: list[str] = []
    unseen = () if deal.exchange is not None else passers(phase, active)
    steps = deal.exchange or ()
    held: list[Cards | None] = []
    for seat, hand in enumerate(dealt):
        hidden, known = seat in unseen, hand is not None and all(map(is_known, hand))
        now = recorded[seat] or (played[seat] if seat in whole else None)
        if known and hand is not None and not hidden:
            given = moved(hand, seat, steps)
            if recorded[seat] is not None:
                findings += other_hand(deal, players[seat], recorded[seat] or (), given)
            now = recorded[seat] or given or now
        elif now is not None and not hidden and all(map(is_known, now)):
            before = moved(now, seat, steps, back=True)
            if before is not None:
                dealt[seat] = before
                findings += other_hand(deal, players[seat], now, moved(before, seat, steps))
                findings += differs(deal, players[seat], hand, before)
        elif hand is not None and not known:
            missing.append(f"{sum(not is_known(card) for card in hand)} cards of the hand of {players[seat]}")
        held.append(now)
    whole_hands = [hand and all(map(is_known, hand)) for seat in unseen for hand in (dealt[seat], held[seat])]
    if not all(whole_hands):
        missing.append(f"the cards passed on in the {phase.title}")
    return tuple(dealt), tuple(held), findings, missing


def passers(phase: Phase, active: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that pass cards on, or may have."""
    if phase.moves is None:
        return active
    passing = {seat for move in phase.moves for seat in (move.giver, move.taker)}
    return tuple(seat for seat in active if seat in passing)


def one_each(hands: Hands | None, players: tuple[str, ...]) -> list[Cards | None]:
    """One entry a player, where a record may end earlier."""
    return [*(hands or ()), *[None] * len(players)][: len(players)]


def misdealt(
    deal: Deal,
    players: tuple[str, ...],
    dealt: list[Cards | None],
    size: int,
    pack: int,
    phase: Phase,
    active: tuple[int, ...],
) -> list[Finding]:
    """What is wrong with the cards as dealt: the size of a hand, of its first packet, of the blind; a card twice, a
    card of no such pack."""
    findings: list[Finding] = []
    for seat, hand in enumerate(dealt):
        wanted = size_dealt(seat, size, phase, active)
        if hand is not None and len(hand) != wanted and not stands_in(hand, size, wanted, phase, active):
            findings.append(finding("hand-size", deal.source, player=players[seat], cards=len(hand), wanted=wanted))
    if deal.blind is not None and len(deal.blind) != phase.blind:
        count, wanted = len(deal.blind), phase.blind
        findings.append(finding("hand-size", deal.source, player="the blind", cards=count, wanted=wanted))
    if deal.packet is not None and not 0 < deal.packet < size:
        findings.append(finding("packet-size", deal.source, packet=deal.packet, size=size))
    seen: set[str] = set()
    for where, card in places(deal, players, dealt, phase):
        rule = "not-in-pack" if not pack & BIT[card] else "card-twice" if card in seen else None
        if rule:
            findings.append(finding(rule, deal.source, card=card, where=where))
        seen.add(card)
    return findings


def stands_in(hand: Cards, size: int, wanted: int, phase: Phase, active: tuple[int, ...]) -> bool:
    """Whether a hand has as many cards as a source may print: unknown ones in place of those that lie aside; or any
    hand's number, where it is not known who deals."""
    if not active:
        return len(hand) in (size, size - len(phase.aside))
    return len(hand) == size and sum(map(is_known, hand)) <= wanted


def places(deal: Deal, players: tuple[str, ...], dealt: list[Cards | None], phase: Phase) -> Iterator[tuple[str, str]]:
    """Every known card as dealt, with where it is."""
    on_table = deal.blind or phase.aside
    yield from (("the blind", card) for card in on_table if is_known(card))
    for player, hand in zip(players, dealt, strict=True):
        yield from ((f"the hand of {player}", card) for card in hand or () if is_known(card))


def differs(deal: Deal, player: str, hand: Cards | None, played: Cards) -> list[Finding]:
    """Known cards of a half-known hand that were not among those its seat played."""
    return [
        finding("not-played", deal.source, card=card, player=player)
        for card in hand or ()
        if is_known(card) and card not in played
    ]


def other_hand(deal: Deal, player: str, recorded: Cards, given: Cards | None) -> list[Finding]:
    """A hand held, as recorded, that is not the one dealt after every exchange."""
    if given is None or not all(map(is_known, recorded)) or set(recorded) == set(given):
        return []
    return [finding("held-differs", deal.source, player=player, held=" ".join(recorded), given=" ".join(given))]
