"""The hands of a deal: as dealt, as held when play began, and what is wrong with them."""

from collections.abc import Iterator

from archive.cards import BIT, PACKS, is_known
from archive.play.exchange import moved, size_dealt
from archive.play.types import Cards, Hands, Scene
from archive.record import Deal, Finding, finding


def hands(scene: Scene) -> tuple[Hands, Hands, list[Finding], list[str]]:
    """The hands as dealt and as held when play began. What is not recorded is taken from the tricks where every card
    of a seat is known, forward or back through the cards passed on; where these are not recorded either, the hand held
    by who passed any is the one that was played."""
    deal, players = scene.deal, scene.players
    played = {seat: tuple(laid.card for laid in scene.walked.laid if laid.seat == seat) for seat in scene.active}
    whole = {seat for seat, cards in played.items() if len(cards) == scene.size and all(map(is_known, cards))}
    dealt = one_each(deal.hands, players)
    recorded = one_each(deal.held, players)
    findings = misdealt(scene, dealt)
    missing: list[str] = []
    unseen = () if deal.exchange is not None else passers(scene)
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
        missing.append(f"the cards passed on in the {scene.phase.title}")
    return tuple(dealt), tuple(held), findings, missing


def passers(scene: Scene) -> tuple[int, ...]:
    """The seats that pass cards on, or may have."""
    if scene.phase.moves is None:
        return scene.active
    passing = {seat for move in scene.phase.moves for seat in (move.giver, move.taker)}
    return tuple(seat for seat in scene.active if seat in passing)


def one_each(hands: Hands | None, players: tuple[str, ...]) -> list[Cards | None]:
    """One entry a player, where a record may end earlier."""
    return [*(hands or ()), *[None] * len(players)][: len(players)]


def misdealt(scene: Scene, dealt: list[Cards | None]) -> list[Finding]:
    """What is wrong with the cards as dealt: the size of a hand, of its first packet, of the blind; a card twice, a
    card of no such pack."""
    deal, size, pack = scene.deal, scene.size, PACKS[scene.ruleset.house.deck]
    findings: list[Finding] = []
    for seat, hand in enumerate(dealt):
        wanted, player = size_dealt(scene, seat), scene.players[seat]
        if hand is not None and len(hand) != wanted and not stands_in(scene, hand, wanted):
            findings.append(finding("hand-size", deal.source, player=player, cards=len(hand), wanted=wanted))
    if deal.blind is not None and len(deal.blind) != scene.phase.blind:
        count, wanted = len(deal.blind), scene.phase.blind
        findings.append(finding("hand-size", deal.source, player="the blind", cards=count, wanted=wanted))
    if deal.packet is not None and not 0 < deal.packet < size:
        findings.append(finding("packet-size", deal.source, packet=deal.packet, size=size))
    seen: set[str] = set()
    for where, card in places(scene, dealt):
        rule = "not-in-pack" if not pack & BIT[card] else "card-twice" if card in seen else None
        if rule:
            findings.append(finding(rule, deal.source, card=card, where=where))
        seen.add(card)
    return findings


def stands_in(scene: Scene, hand: Cards, wanted: int) -> bool:
    """Whether a hand has as many cards as a source may print: unknown ones in place of those that lie aside; or any
    hand's number, where it is not known who deals."""
    if not scene.active:
        return len(hand) in (scene.size, scene.size - len(scene.phase.aside))
    return len(hand) == scene.size and sum(map(is_known, hand)) <= wanted


def places(scene: Scene, dealt: list[Cards | None]) -> Iterator[tuple[str, str]]:
    """Every known card as dealt, with where it is."""
    on_table = scene.deal.blind or scene.phase.aside
    yield from (("the blind", card) for card in on_table if is_known(card))
    for player, hand in zip(scene.players, dealt, strict=True):
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
