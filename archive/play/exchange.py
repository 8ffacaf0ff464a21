"""Cards that change hands before play: which moves are due, and whether the record's moves or hands agree with them.

001 Additional Contracts: Wedding; 001 Special Rounds: Schieber; 002 06.3 Three-Player Schafkopf; 004 Schafkopf (3
active players).
"""

from collections.abc import Callable
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from archive.cards import PACKS, codes, is_known, mask, numbers, show
from archive.play.messages import Facts
from archive.play.parties import chosen_partner
from archive.play.seating import opposite
from archive.play.types import NO_CARDS, NOT_PLAYED, Cards, Hand, Move, Phase, Scene, read_hand
from archive.record import Deal, Exchange, Finding, finding
from archive.rules import Contract, Ruleset, Tables, hand_size
from archive.rules.types import Round
from archive.say import Message, message

Hands = tuple[Hand | None, ...]  # per seat
Masks = dict[int | None, int | None]  # the cards of each seat, and of None, the blind; None if not known


def passing_round(deal: Deal, ruleset: Ruleset) -> Round | None:
    """Return the round of a deal in which cards change hands, or None if it has none."""
    rounds = (ruleset.rounds[name] for name in deal.round or ())
    return next((special for special in rounds if special.exchange != "none"), None)


def phase(
    deal: Deal, ruleset: Ruleset, contract: Contract | None, compiled: Tables | None, active: tuple[int, ...]
) -> Phase:
    """Return the phase before play in a deal, by its round, else by its contract."""
    house, aside = ruleset.house, NO_CARDS
    asks: Round | Contract | None = contract
    if deal.round:
        asks = passing_round(deal, ruleset) or contract
        aside = read_hand(tuple([card for name in deal.round for card in ruleset.rounds[name].aside]))
    open_cards = house.open_cards.count if house.open_cards else 0
    left = 0 if house.talon else max(0, house.deck - house.seats * (hand_size(house) + house.pile))
    blind = len(aside.codes) or open_cards or left
    if asks is None:
        return Phase(aside=aside, blind=blind)
    due: tuple[Move, ...] | None = None
    if asks.exchange == "none" or (deal.game and deal.game.contract in NOT_PLAYED):
        due = ()
    elif contract and compiled:
        due = MOVES[asks.exchange](deal, active, blind, aside.cards or -1, compiled)
        if asks.exchange == "wedding" and house.hochzeit.back == "plain" and due:
            plain = due[1].cards & ~compiled.groups[-1]
            due = (due[0], replace(due[1], cards=plain, why=message("play.plain-card-due")))
    return Phase(asks.exchange, asks.title, aside, blind, due)


# --- the moves that are due -------------------------------------------------------------------------------------------


Due = Callable[[Deal, tuple[int, ...], int, int, Tables], tuple[Move, ...] | None]


def _wedding(deal: Deal, active: tuple[int, ...], blind: int, aside: int, tables: Tables) -> tuple[Move, ...] | None:
    """Return the moves of a wedding: the one trump against any other card. 001 Additional Contracts: Wedding."""
    declarer, partner = deal.game.declarer if deal.game else None, chosen_partner(deal)
    if declarer is None or partner is None:
        return None
    offered = mask(deal.exchange[0].cards) if deal.exchange else 0
    return (
        Move(declarer, partner, 1, tables.groups[-1], message("play.one-trump-due")),
        Move(partner, declarer, 1, ~offered, message("play.other-card-due")),
    )


def _pass_left(deal: Deal, active: tuple[int, ...], blind: int, aside: int, tables: Tables) -> tuple[Move, ...] | None:
    """Return the moves of a Schieber: the declarer takes up what lies aside and passes as many cards to the left, and
    so does each up to the dealer; players before the declarer pass nothing. 001 Special Rounds: Schieber."""
    declarer = deal.game.declarer if deal.game else None
    if declarer not in active:
        return None
    seats = active[active.index(declarer) :]
    taken = Move(None, declarer, blind, aside, message("play.lie-aside", cards=show(aside)))
    return (taken, *(Move(giver, taker, blind) for giver, taker in pairwise(seats)))


def _blind(deal: Deal, active: tuple[int, ...], blind: int, aside: int, tables: Tables) -> tuple[Move, ...] | None:
    """Return the moves: the declarer takes up the blind and lays as many cards away, but not in a Hand. 002 06.3."""
    declarer = deal.game.declarer if deal.game else None
    if declarer is None:
        return None
    if deal.game and "hand" in deal.game.words:
        return ()
    return Move(None, declarer, blind), Move(declarer, None, blind)


def _partner(deal: Deal, active: tuple[int, ...], blind: int, aside: int, tables: Tables) -> tuple[Move, ...] | None:
    """Return the moves: a card to the player opposite, one of the original hand back. 000 Making Trumps: Small Solo."""
    declarer = deal.game.declarer if deal.game else None
    if declarer is None or declarer not in active:
        return None
    partner, passed = opposite(declarer, active), mask(deal.exchange[0].cards) if deal.exchange else 0
    back = Move(partner, declarer, 1, ~passed, message("play.original-card-due"))
    return Move(declarer, partner, 1), back


MOVES: dict[str, Due] = {
    "wedding": _wedding,
    "pass-left": _pass_left,
    "blind": _blind,
    "partner": _partner,
}


# --- hands before and after -------------------------------------------------------------------------------------------


def after_exchanges(hand: Hand, seat: int | None, steps: tuple[Exchange, ...], back: bool = False) -> Hand | None:
    """Return a hand (or the blind) after the exchanges, or `back` before them; None if one of these is unknown."""
    cards = hand.codes
    for step in reversed(steps) if back else steps:
        giver, taker = (step.taker, step.giver) if back else (step.giver, step.taker)
        if seat not in (giver, taker):
            continue
        if not read_hand(step.cards).whole:
            return None
        if seat == giver:
            cards = tuple([card for card in cards if card not in step.cards])
        if seat == taker:
            cards += tuple([card for card in step.cards if card not in cards])
    return hand if cards is hand.codes else read_hand(cards)


def known_cards(hand: Hand | None, size: int) -> int | None:
    """Return a hand as a mask, or None unless at least `size` of its cards are known. Unknown cards that a source
    prints in place of those that lie aside are not part of the hand."""
    return hand.cards if hand is not None and hand.cards.bit_count() >= size else None


def size_dealt(scene: Scene, seat: int) -> int:
    """Return the size of a hand as dealt; the dealer gets as many fewer as lie aside. 001 Special Rounds: Schieber."""
    deals = bool(scene.active) and seat == scene.active[-1]
    return scene.size - len(scene.phase.aside.codes) if deals else scene.size


def table_cards(scene: Scene, dealt: Hands, held: Hands) -> tuple[Hand | None, Hand | None]:
    """Return the cards on a table that has some, as dealt and when play begins; each None if not known."""
    deal, phase = scene.deal, scene.phase
    recorded = None if deal.blind is None else read_hand(deal.blind)
    if scene.ruleset.house.open_cards:
        return recorded, recorded
    first = next((cards for cards in (recorded, phase.aside, rest_of_pack(scene, dealt)) if is_whole(cards)), None)
    last = rest_of_pack(scene, held)
    if last is None and first is not None and (deal.exchange is not None or phase.moves == ()):
        last = after_exchanges(first, None, deal.exchange or ())
    return first, last


def piles_aside(scene: Scene, held: Hands) -> tuple[Hand | None, ...]:
    """Return each seat's pile at a table with piles, as recorded; if only one is hidden, it is what nobody else has."""
    size, recorded = scene.ruleset.house.pile, scene.deal.piles or ()
    piles = [None if cards is None else read_hand(cards) for cards in recorded]
    piles += [None] * (len(scene.players) - len(piles))
    hidden = [seat for seat in scene.active if not is_whole(piles[seat])]
    rest = rest_of_pack(scene, held)
    if len(hidden) == 1 and rest is not None:
        left = rest.cards & ~sum(cards.cards for seat in scene.active if seat not in hidden and (cards := piles[seat]))
        if left.bit_count() == size:
            piles[hidden[0]] = Hand(codes(left), left, whole=True)
    return tuple(piles)


def is_whole(cards: Hand | None) -> bool:
    """Return whether these are cards, and all of them known."""
    return cards is not None and cards.whole and bool(cards.codes)


def rest_of_pack(scene: Scene, hands: Hands) -> Hand | None:
    """Return the cards of the pack that nobody has, or None unless every hand is known."""
    taken, seats = 0, len(scene.active)
    for seat in scene.active:
        hand = hands[seat]
        taken |= hand.cards if hand else 0
    if not seats or taken.bit_count() != scene.size * seats:
        return None
    cards = PACKS[scene.ruleset.house.deck] & ~taken
    return Hand(codes(cards), cards, whole=True)


def counts_blind(scene: Scene) -> bool:
    """Return whether the cards on the table count for the declarer."""
    return scene.phase.kind == "blind" or (scene.contract is not None and scene.contract.blind)


def cards_aside(scene: Scene) -> dict[int, Hand | None]:
    """Return the cards on the table that count with a seat's tricks, by seat: laid away or left there by the declarer,
    or its own pile; None if not known. 002 06.3; 004 Schafkopf (3 active players); 001 Vicar's Schafkopf."""
    if scene.ruleset.house.pile:
        return {seat: scene.piles[seat] for seat in scene.active}
    return {scene.declarer: scene.laid} if counts_blind(scene) and scene.declarer is not None else {}


def with_aside(scene: Scene, points: tuple[int | None, ...], aside: dict[int, Hand | None]) -> tuple[int | None, ...]:
    """Return the points of each seat with those of the cards that lie aside for it; None if either is not known."""
    compiled, whole = scene.compiled, list(points)
    for seat, cards in aside.items() if compiled else ():
        own, worth = points[seat], compiled.points if compiled else ()
        known = own is not None and cards is not None and cards.whole
        whole[seat] = (own or 0) + sum([worth[card] for card in numbers(cards.cards)]) if known and cards else None
    return tuple(whole)


# --- whether the moves are those due ----------------------------------------------------------------------------------


def check_exchange(scene: Scene) -> list[Finding]:
    """Return findings for moves that are not due or pass cards the giver did not have; if no moves are recorded, for
    hands that cannot result from the moves due."""
    phase, active = scene.phase, scene.active
    if scene.deal.exchange is None and not phase.moves:
        return []
    have: Masks = {seat: known_cards(scene.dealt[seat], size_dealt(scene, seat)) for seat in active}
    have[None] = known_cards(scene.blind, phase.blind)
    steps, moves = scene.deal.exchange, phase.moves or ()
    if steps is None and moves:
        steps = infer_exchanges(moves, dict(have), {seat: known_cards(scene.held[seat], scene.size) for seat in active})
        late = {move.taker for move in moves[len(steps) :]}
        strange = out_of_reach(scene, steps, have, [seat for seat in active if seat not in late])
        if strange or late:
            return strange
    untold = steps is None or phase.moves is None or scene.deal.game is None  # any game may have been played
    wrong = [] if steps is None or untold else wrong_moves(scene, moves, steps)
    return wrong + not_there(scene, steps or (), have)


def infer_exchanges(moves: tuple[Move, ...], have: Masks, held: Masks) -> tuple[Exchange, ...]:
    """Return the moves as far as the hands before and after show them: each giver passes what it holds no longer."""
    steps: list[Exchange] = []
    for move in moves:
        own, staying = have.get(move.giver), 0 if move.giver is None else held.get(move.giver)
        if own is None or staying is None:
            break
        cards = own & ~staying
        steps.append(Exchange(move.giver, move.taker, codes(cards)))
        have[move.giver], taking = own & ~cards, have.get(move.taker)
        have[move.taker] = None if taking is None else taking | cards
    return tuple(steps)


def out_of_reach(scene: Scene, steps: tuple[Exchange, ...], have: Masks, seats: list[int]) -> list[Finding]:
    """Return findings for cards that a player held in the end, but neither was dealt nor can have been passed."""
    findings = []
    for seat in seats:
        own = have[seat]
        coming = mask(card for step in steps if step.taker == seat for card in step.cards)
        hand = scene.held[seat]
        strange = (hand.cards if hand else 0) & ~((own or 0) | coming)
        if own is not None and strange:
            facts = {"player": scene.players[seat], "cards": show(strange)}
            findings.append(finding("not-passed", scene.deal.source, **facts))
    return findings


def cards_face_up(kind: str, compiled: Tables, cards: int) -> int:
    """Return those of the cards that are passed face up, before all. 000 Making Trumps: Small Solo."""
    return cards & compiled.lords if kind == "partner" else 0


def wrong_moves(scene: Scene, moves: tuple[Move, ...], steps: tuple[Exchange, ...]) -> list[Finding]:
    """Return findings for the first move that is not the one due, and for cards that may not be passed in it."""
    deal, players, findings = scene.deal, scene.players, []
    facts: Facts
    for number, (step, move) in enumerate(zip_longest(steps, moves), 1):
        recorded = None if step is None else (step.giver, step.taker, count(step.cards))
        due = None if move is None else (move.giver, move.taker, move.count)
        if recorded != due:
            title = scene.phase.title or message("play.deal")
            facts = {"said": move_message(players, recorded), "due": move_message(players, due), "title": title}
            findings.append(finding("exchange-order", deal.source, number=number, **facts))
            break
        if not_these := mask(step.cards) & ~move.cards:
            facts = {"giver": owner(players, step.giver), "cards": show(not_these), "why": move.why}
            findings.append(finding("exchange-card", deal.source, number=number, **facts))
        if step and step.is_open and scene.compiled:
            cards = mask(step.cards)
            if hidden := cards & ~cards_face_up(scene.phase.kind, scene.compiled, cards):
                facts = {
                    "giver": owner(players, step.giver),
                    "cards": show(hidden),
                    "why": message("play.face-down-due"),
                }
                findings.append(finding("exchange-card", deal.source, number=number, **facts))
    return findings


def count(cards: Cards) -> int:
    """Return how many different cards these are, plus the number of unknown ones."""
    hand = read_hand(cards)
    return hand.cards.bit_count() + (0 if hand.whole else sum(not is_known(card) for card in cards))


def not_there(scene: Scene, steps: tuple[Exchange, ...], have: Masks) -> list[Finding]:
    """Return findings for cards passed on that the giver did not have at that moment."""
    deal, players, findings = scene.deal, scene.players, []
    for number, step in enumerate(steps, 1):
        passed, own, taking = read_hand(step.cards), have.get(step.giver), have.get(step.taker)
        cards = passed.cards
        if own is not None and (strange := cards & ~own):
            facts: Facts = {"giver": owner(players, step.giver), "cards": show(strange)}
            facts["hand"] = show(own) or message("play.no-card")
            findings.append(finding("exchange-not-held", deal.source, number=number, **facts))
        have[step.giver] = own & ~cards if own is not None and passed.whole else None
        have[step.taker] = taking | cards if taking is not None and passed.whole else None
    return findings


def move_message(players: tuple[str, ...], move: tuple[int | None, int | None, int] | None) -> Message:
    """Return a move as a record writes it, with the number of its cards; None is no move."""
    if move is None:
        return message("play.nothing")
    giver, taker, cards = move
    return message("play.move", giver=owner(players, giver), taker=owner(players, taker), n=cards)


def owner(players: tuple[str, ...], seat: int | None) -> Message | str:
    """Return whose cards these are: a player's, or (None) the blind's."""
    return message("play.blind") if seat is None else players[seat]
