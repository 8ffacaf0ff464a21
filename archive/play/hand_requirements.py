"""Requirements for a declarer's hand in the announced game: a card to call, a trump of the suit, the lords."""

from collections.abc import Callable, MutableSequence
from functools import lru_cache
from typing import NamedTuple

from archive.cards import CODES, SUIT_NAMES, SUITS, bits_of, codes, is_known, mask, show
from archive.engine import tricks
from archive.play.messages import Facts, either
from archive.play.types import Hand, Scene
from archive.record import Deal, Finding, Game, finding
from archive.rules import Contract, Tables
from archive.rules.tables import POINTS
from archive.rules.titles import contract_title
from archive.rules.types import CallRule, House, Lengths
from archive.say import Message, message

Broken = tuple[str, Message | None]  # a finding, and why if it can have several causes


class Hold(NamedTuple):
    """A hand, and the game it is held against. `hand` is a mask of cards."""

    hand: int
    game: Game
    contract: Contract
    tables: Tables
    call: CallRule
    lengths: Lengths | None = None


def in_hand_without(hand: int, contract: Contract, compiled: Tables) -> int:
    """Return the cards of the called rank that a hand lacks while it has others of their plain suits, as a mask."""
    high = mask(letter + contract.called for letter in SUITS)
    return sum(tricks.missing_high_card(suit, high, hand) for suit in compiled.groups[:-1])


def write_call(
    columns: MutableSequence[int], called: str, order: str, groups: tuple[int, ...], call: CallRule, muss: bool
) -> None:
    """Write into a plan what may be called: the called rank of the plain suits and the two below it, and which of them
    the house allows, in a Muss game (`muss`) or in any. `groups` are the suits, and last the trumps, as masks."""
    when = ("always", "muss") if muss else ("always",)
    suits = [group for group in groups[:-1] if group]
    ranks = order[order.find(called) :] if called else ""
    for place, rank in enumerate(ranks[:3]):
        columns[tricks.HIGH + place] = sum(suit & mask(letter + rank for letter in SUITS) for suit in suits)
    columns[tricks.SUIT : tricks.SUIT + len(SUITS)] = groups[:-1]
    columns[tricks.CALL_VOID] = int(call.void in when)
    columns[tricks.CALL_TEN], columns[tricks.CALL_KING] = int(call.ten in when), int(call.king in when)


def callable_cards(at: Hold) -> tuple[int, bool]:
    """Return the cards that may be called with a hand, as a mask, and whether the hand is void in their suit."""
    row = _call_row(at.contract.called, at.contract.order, at.tables.groups, at.call, "muss" in at.game.words)
    return tricks.may_call(row, at.hand)


@lru_cache(maxsize=256)
def _call_row(called: str, order: str, groups: tuple[int, ...], call: CallRule, muss: bool) -> tuple[int, ...]:
    """Return the columns of a plan that say what may be called."""
    columns = [0] * tricks.PLAY_WIDTH
    write_call(columns, called, order, groups, call, muss)
    return tuple(columns)


def _callable(at: Hold) -> Broken | None:
    tables = at.tables
    may, as_void = callable_cards(at)
    if tables.called & at.hand:
        return "calls-own-card", None
    announced = "void" in at.game.words
    if may & tables.called and (as_void == announced or (as_void and not at.call.announced)):
        return None
    if may & tables.called:
        return "wrong-call", message("play.void-unannounced" if as_void else "play.not-void")
    if tables.called & tables.groups[-1]:
        return "wrong-call", message("play.calls-trump")
    if not (as_void or tables.called_suit & at.hand):
        return "no-card-of-called-suit", None
    return "wrong-call", message("play.must-call", cards=either(codes(may))) if may else message("play.nothing-to-call")


def own_trumps(compiled: Tables, suit: str | None) -> int:
    """Return the trumps of a suit letter below all lords, as a mask."""
    lords = {CODES[number][1] for number in compiled.trumps if CODES[number][0] != suit}
    return bits_of(number for number in compiled.trumps if CODES[number][0] == suit and CODES[number][1] not in lords)


def _top_trumps(at: Hold) -> Broken | None:
    top = sum(1 << number for number in at.tables.trumps[: at.hand.bit_count()])
    return None if at.hand == top else ("not-the-top-trumps", None)


def _few_lords(at: Hold) -> Broken | None:
    """Require lords, but no more than allowed. 000 Making Trumps; 000 Alter Schoofkopp: four Jacks."""
    held, most = (at.hand & at.tables.lords).bit_count(), at.lengths.most_lords if at.lengths else len(at.tables.trumps)
    if 0 < held <= most:
        return None
    return "wrong-lords", message("play.too-many-lords", n=most) if held else message("play.no-lord")


def _trump_length(at: Hold) -> Broken | None:
    """Require the number bid to count every trump in hand. 000 Making Trumps."""
    length = (at.hand & at.tables.groups[-1]).bit_count()
    if at.game.bid in (None, length):
        return None
    return "wrong-trump-length", message("play.other-length", bid=at.game.bid, n=length)


HOLDS: dict[str, Callable[[Hold], Broken | None]] = {
    "callable": _callable,
    "trump-card": lambda at: None if at.hand & own_trumps(at.tables, at.game.suit) else ("no-card-of-trump-suit", None),
    "top-trumps": _top_trumps,
    "one-trump": lambda at: None if (at.hand & at.tables.groups[-1]).bit_count() == 1 else ("not-one-trump", None),
    "few-lords": _few_lords,
    "trump-length": _trump_length,
    "top-trump": lambda at: None if at.hand & 1 << at.tables.trumps[0] else ("not-the-top-trump", None),
}


def check_hold(scene: Scene) -> tuple[Finding, ...]:
    """Return findings for what the declarer's hand lacks for the contract; none if the hand or the called card is not
    known, or if the game is named before the hand is seen."""
    deal, players, contract, tables = scene.deal, scene.players, scene.contract, scene.compiled
    game, declarer, ruleset = deal.game, scene.declarer, scene.ruleset
    if game is None or declarer is None or contract is None or tables is None:
        return ()
    as_dealt = scene.phase.kind in ("none", "wedding", "partner")  # else cards change hands first: 002 06.3 Exchanging
    named_with = scene.dealt if as_dealt else scene.held
    forced = check_muss(scene, contract, declarer, named_with) if "muss" in game.words else ()
    hand = named_with[declarer]
    unsaid = (contract.called and not tables.called) or (contract.takes == "trump" and game.suit is None)
    if unsaid or (deal.round and not all(ruleset.rounds[name].holds for name in deal.round)):
        return forced
    if hand is None or not hand.whole:
        return (*forced, *check_known(scene, game, contract, hand.cards if hand else 0))
    at = Hold(hand.cards, game, contract, tables, ruleset.house.call, ruleset.house.lengths)
    broken = [lacks for wanted in contract.holds if (lacks := HOLDS[wanted](at))]
    if not broken:
        return forced
    facts: Facts = {"player": players[declarer], "contract": contract_title(contract), "called": game.called}
    facts |= {"suit": SUIT_NAMES.get(game.suit or "", ""), "hand": show(at.hand)}
    return (*forced, *(finding(rule, deal.source, **facts | ({"why": why} if why else {})) for rule, why in broken))


def check_known(scene: Scene, game: Game, contract: Contract, hand: int) -> tuple[Finding, ...]:
    """Return findings for calls that no hand may make, if only some of its cards are known: calling a card that the
    declarer has, a trump, or a suit that others hold."""
    tables, declarer = scene.compiled, scene.declarer
    if tables is None or declarer is None:
        return ()
    if "callable" not in contract.holds:
        return check_elsewhere(scene, contract, tables, declarer)
    own = hand
    if scene.phase.kind == "none":
        own |= bits_of(laid.card for laid in scene.walked.cards_laid if laid.seat == declarer)
    facts: Facts = {"player": scene.players[declarer], "called": game.called}
    facts["hand"] = show(own) or message("play.no-known-card")
    if tables.called & own:
        return (finding("calls-own-card", scene.deal.source, **facts),)
    if tables.called & tables.groups[-1]:
        return (finding("wrong-call", scene.deal.source, why=message("play.calls-trump"), **facts),)
    call = _call_row(contract.called, contract.order, tables.groups, scene.ruleset.house.call, "muss" in game.words)
    high, ten, king = call[tricks.HIGH : tricks.HIGH + 3]
    may = high | ten * call[tricks.CALL_TEN] | king * call[tricks.CALL_KING]
    if tables.called & ~may:
        why = message("play.must-call", cards=either(codes(may)))
        return (finding("wrong-call", scene.deal.source, why=why, **facts),)
    return check_elsewhere(scene, contract, tables, declarer)


def check_elsewhere(scene: Scene, contract: Contract, tables: Tables, declarer: int) -> tuple[Finding, ...]:
    """Return findings for what an unknown hand must lack for the contract, since others are known to hold it."""
    if scene.phase.kind != "none":
        return ()
    others = bits_of(laid.card for laid in scene.walked.cards_laid if laid.seat != declarer)
    for seat, hand in enumerate(scene.dealt):
        others |= hand.cards if hand and seat != declarer else 0
    top = sum(1 << number for number in tables.trumps[: scene.size])
    plain = tables.called_suit & ~tables.called
    announced, call = "void" in (scene.deal.game.words if scene.deal.game else ()), scene.ruleset.house.call
    may_be_void = call.void != "no" and (announced or not call.announced)
    wanted = (
        ("top-trumps", "not-the-top-trumps", top & others),
        ("top-trump", "not-the-top-trump", (1 << tables.trumps[0]) & others if tables.trumps else 0),
        ("callable", "no-card-of-called-suit", 0 if may_be_void or plain & ~others else plain),
    )
    called = CODES[tables.called.bit_length() - 1] if tables.called else ""
    player, suit = scene.players[declarer], SUIT_NAMES.get(called[:1], "")
    facts = {"player": player, "contract": contract_title(contract), "called": called, "suit": suit}
    return tuple(
        finding(rule, scene.deal.source, at=None, hand=message("play.others-have", cards=show(cards)), **facts)
        for name, rule, cards in wanted
        if name in contract.holds and cards
    )


def check_muss(scene: Scene, contract: Contract, declarer: int, hands: tuple[Hand | None, ...]) -> tuple[Finding, ...]:
    """Return findings if the player who must play does not hold the card of the house, or the contract is another. 001
    Avoiding Passed Out Hands: Muss-Spiel."""
    muss, players = scene.ruleset.house.muss, scene.players
    if muss is None:
        return ()
    card, why, hand = muss.card, [], hands[declarer]
    elsewhere = [seat for seat, own in enumerate(hands) if own and card in own.codes and seat != declarer]
    if elsewhere:
        why.append(message("play.holds", player=players[elsewhere[0]], card=card))
    elif hand is not None and hand.whole and card not in hand.codes:
        why.append(message("play.not-held", card=card))
    if contract.id != muss.contract:
        why.append(message("play.not-the-muss", contract=contract_title(contract)))
    return tuple(finding("wrong-muss", scene.deal.source, player=players[declarer], why=each) for each in why)


def has_blank_hand(deal: Deal, house: House) -> bool | None:
    """Return whether somebody was dealt enough worthless cards for the house to let the deal be thrown in; None if that
    is not known of a deal without calls."""
    hands = deal.hands or (None,)
    blanks = [sum(card[1] not in POINTS for card in hand if is_known(card)) for hand in hands if hand]
    if 0 < house.blanks <= max(blanks, default=0):
        return True
    hidden = any(not hand or not all(map(is_known, hand)) for hand in hands)
    return None if house.blanks and hidden and not deal.auction else False
