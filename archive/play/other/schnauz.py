"""Play without tricks: in turn the players exchange cards with those that lie open on the table.

002 06.2 Schnauz. Mistakes are reported, and the play goes on as recorded.
"""

from collections.abc import Iterator

from msgspec import Struct

from archive.cards import BIT, NUMBER, PACKS, RANKS, SUITS, is_known
from archive.play.messages import Wrong, not_allowed
from archive.play.types import Cards, Scene, Turned, TurnStep
from archive.record import Finding, Turn, finding
from archive.rules import Contract, Ruleset, Tables, hand_size, tables
from archive.rules.types import OpenCards
from archive.say import message

UNKNOWN = "??"
DEALER = ("keeps", "takes")
WAYS = (*DEALER, "all", "pass", "knocks", "deals")


class Terms(Struct, frozen=True):
    """The terms of an exchange: its rules, who takes part, forehand first, and how many cards there are."""

    rule: OpenCards
    compiled: Tables
    players: tuple[str, ...]
    active: tuple[int, ...]
    size: int
    deck: int


def terms_of(
    ruleset: Ruleset, contract: Contract | None, players: tuple[str, ...], active: tuple[int, ...]
) -> Terms | None:
    """Return the terms of an exchange, or None if the table has no open cards."""
    house = ruleset.house
    if house.open_cards is None or contract is None:
        return None
    compiled = tables(ruleset, contract.id)
    return Terms(house.open_cards, compiled, players, active, hand_size(house), house.deck)


class Round(Struct):
    """An exchange under way. Mutable, and never leaves a replay."""

    hands: list[list[str]]  # per seat
    table: list[str]
    out: set[str]  # known cards that have come from the pack
    pack: int  # cards that are left in it
    opened: bool = False  # the dealer has kept or taken
    taken: int = 0  # turns of the players, in their order from forehand on
    passes: int = 0  # in a row on the same cards
    knocked: int | None = None  # the seat that has
    left: int = 0  # turns after that
    ended: int | None = None  # with which turn; 0: as dealt


def exchange_cards(scene: Scene) -> Turned:
    """Return the turns of an exchange, with findings: who comes next, which cards are there, when it ends."""
    deal, terms = scene.deal, terms_of(scene.ruleset, scene.contract, scene.players, scene.active)
    if terms is None or not scene.active:
        return Turned()
    at = dealt_out(scene, terms)
    start = spots_of(at)
    if is_over(at, terms):
        at.ended = 0
    steps: list[TurnStep] = []
    findings: list[Finding] = []
    round = place = 0
    for n, turn in enumerate(deal.turns or (), 1):
        due = seat_due(at, terms)
        new_round = at.taken // len(terms.active) + 1
        round, place = (round, place + 1) if new_round == round else (new_round, 1)
        wrong = next(check_turn(at, terms, turn, due), None)
        if wrong:
            rule_id, facts = wrong
            findings.append(finding(rule_id, deal.source, f"{round}.{place}", turn=n, **facts))
        seat = turn.seat if turn.seat is not None else None if turn.source == "deals" else due
        take_turn(at, terms, turn, seat)
        steps.append(TurnStep(n, round, place, seat, turn, spots_of(at), broken=wrong[0] if wrong else None))
        if at.ended is None and is_over(at, terms):
            at.ended = n
    return Turned(start, tuple(steps), at.ended is not None, tuple(findings))


def dealt_out(scene: Scene, terms: Terms) -> Round:
    """Return the cards before the first turn; those that nobody wrote down are UNKNOWN."""
    hands = [[] if seat not in terms.active else [UNKNOWN] * terms.size for seat in range(len(terms.players))]
    for seat in terms.active:
        hand = scene.dealt[seat]
        hands[seat] = list(hand.codes) if hand is not None else hands[seat]
    table = list(scene.deal.blind or (UNKNOWN,) * terms.rule.count)
    return lay_out(hands, table, terms)


def lay_out(hands: list[list[str]], table: list[str], terms: Terms) -> Round:
    """Return an exchange that begins with these cards, the hands by seat."""
    out = {card for cards in (*hands, table) for card in cards if is_known(card)}
    return Round(hands, table, out, terms.deck - terms.size * len(terms.active) - terms.rule.count)


def spots_of(at: Round) -> tuple[Cards, ...]:
    """Return the cards of each seat, then those on the table."""
    return (*map(tuple, at.hands), tuple(at.table))


def worth_of_hand(cards: Cards, rule: OpenCards, compiled: Tables) -> float | None:
    """Return the points of a hand: the most in one suit, or the worth of one rank; None if a card is not known."""
    if not all(map(is_known, cards)):
        return None
    if has_one_rank(cards):
        return rule.same_rank
    return max((sum(compiled.points[NUMBER[card]] for card in cards if card[0] == suit) for suit in SUITS), default=0)


def has_one_rank(cards: Cards, ranks: str = "".join(RANKS)) -> bool:
    """Return whether a hand has nothing but cards of one of these ranks."""
    return bool(cards) and len({card[1] for card in cards}) == 1 and cards[0][1] in ranks


def is_over(at: Round, terms: Terms) -> bool:
    """Return whether a hand ends the exchange, or everybody has had a turn after a knock."""
    if at.knocked is not None and at.left <= 0:
        return True
    hands = [tuple(at.hands[seat]) for seat in terms.active]
    if any(terms.rule.all_pay and has_one_rank(hand, terms.rule.all_pay) for hand in hands):
        return True
    return any((worth_of_hand(hand, terms.rule, terms.compiled) or 0) >= terms.rule.ends_at for hand in hands)


# --- whose turn, and what may be done -------------------------------------------------------------------------------


def seat_due(at: Round, terms: Terms) -> int:
    """Return the seat that comes next: first the dealer, then from forehand on."""
    return terms.active[at.taken % len(terms.active)] if at.opened else terms.active[-1]


def are_new_due(at: Round, terms: Terms) -> bool:
    """Return whether all have passed on the same cards, and the pack has as many again."""
    return at.passes >= len(terms.active) and at.knocked is None and at.pack >= terms.rule.count


def check_turn(at: Round, terms: Terms, turn: Turn, due: int) -> Iterator[Wrong]:
    """Yield the mistakes of a turn, each as its rule id and the facts of its sentence."""
    players = terms.players
    if at.ended is not None:
        ended = message("play.after-turn", turn=at.ended) if at.ended else message("play.before-a-turn")
        yield "turn-after-end", {"ended": ended}
    if not turn.target and turn.source not in WAYS:
        yield not_allowed(message("play.no-such-turn", word=turn.source))
        return
    if turn.source == "deals":
        yield from check_new(at, terms, turn)
        return
    if turn.seat is None:
        yield not_allowed(message("play.whose-turn", player=players[due]))
    elif turn.seat != due:
        yield "turn-out-of-turn", {"player": players[turn.seat], "expected": players[due]}
    if are_new_due(at, terms):
        yield not_allowed(message("play.new-cards-due"))
    if at.opened and turn.source in DEALER:
        yield not_allowed(message("play.dealer-alone"))
    elif not at.opened and turn.source not in DEALER:
        yield not_allowed(message("play.dealer-decides"))
    if turn.source == "knocks" and at.knocked is not None:
        yield not_allowed(message("play.knocked-before", player=players[at.knocked]))
    elif turn.source == "knocks" and at.taken < (terms.rule.knock_from - 1) * len(terms.active):
        yield not_allowed(message("play.knock-too-early", round=terms.rule.knock_from))
    if turn.target:
        yield from check_cards(at, terms, turn, due)


def check_cards(at: Round, terms: Terms, turn: Turn, due: int) -> Iterator[Wrong]:
    """Yield mistakes in exchanging one card of the hand for one on the table."""
    seat = due if turn.seat is None else turn.seat
    own, open_cards = turn.source.split(), turn.target.split()
    if len(own) != 1 or len(open_cards) != 1:
        yield not_allowed(message("play.one-or-all", n=max(len(own), len(open_cards))))
    in_hand = message("play.in-hand-of", player=terms.players[seat])
    for codes, there, where in ((own, at.hands[seat], in_hand), (open_cards, at.table, message("play.on-the-table"))):
        for code in codes:
            if code not in there and all(map(is_known, there)):
                yield "turn-card", {"card": code, "where": where}


def check_new(at: Round, terms: Terms, turn: Turn) -> Iterator[Wrong]:
    """Yield mistakes in new cards, which come from the pack when all have passed."""
    if not are_new_due(at, terms):
        yield not_allowed(message("play.new-cards-early"))
    if len(turn.cards) != terms.rule.count:
        yield not_allowed(message("play.new-cards-count", wanted=terms.rule.count, cards=len(turn.cards)))
    pack = PACKS[terms.deck]
    for n, code in enumerate(turn.cards):
        if is_known(code) and (code in at.out or code in turn.cards[:n] or not pack & BIT[code]):
            yield "turn-card", {"card": code, "where": message("play.in-the-pack")}


# --- a turn is taken ------------------------------------------------------------------------------------------------


def take_turn(at: Round, terms: Terms, turn: Turn, seat: int | None) -> None:
    """Update the cards and whose turn it is after a turn, whatever was wrong with it."""
    if seat is None:
        at.table, at.passes, at.pack = list(turn.cards), 0, at.pack - len(turn.cards)
        at.out |= {card for card in turn.cards if is_known(card)}
        return
    before = (sorted(at.hands[seat]), sorted(at.table))
    if turn.source in ("all", "takes"):
        at.hands[seat], at.table = at.table, at.hands[seat]
    elif turn.target:
        swap(at.hands[seat], at.table, turn.source.split(), turn.target.split())
    if not at.opened and seat == terms.active[-1]:
        at.opened = True
        if turn.source in DEALER:
            return
    if at.knocked is not None:
        at.left -= 1
    elif turn.source == "knocks":
        at.knocked, at.left = seat, len(terms.active) - 1
    at.opened = True
    at.passes = at.passes + 1 if (sorted(at.hands[seat]), sorted(at.table)) == before else 0
    if seat in terms.active:
        behind = (terms.active.index(seat) - at.taken) % len(terms.active)
        at.taken += behind + 1


def swap(hand: list[str], table: list[str], own: list[str], open_cards: list[str]) -> None:
    """Exchange cards of a hand for cards of the table, as far as they are there; an unknown card may be any."""
    for mine, theirs in zip(own, open_cards, strict=False):
        here, there = place_of(hand, mine), place_of(table, theirs)
        if here is not None and there is not None:
            hand[here], table[there] = theirs, mine


def place_of(cards: list[str], code: str) -> int | None:
    """Return the place of a card, else of one that nobody knows, or None."""
    if code in cards:
        return cards.index(code)
    return next((n for n, each in enumerate(cards) if not is_known(each)), None)
