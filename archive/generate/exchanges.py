"""Choices before the first card, at random and legal: the words of a game, the card that is called, the cards that
are passed on. Written from the documents, not from the engine.
"""

from itertools import pairwise
from random import Random

from msgspec.structs import replace

from archive.cards import BIT, SUITS
from archive.generate.plan import Hands, Plan, opposite
from archive.record import Call, Exchange, Game
from archive.rules import Contract, Ruleset, Tables

WORDS = ("tout", "du", "hand", "open", "muss", "void")
RARELY = 0.06


def choose_words(rng: Random, ruleset: Ruleset, row: Contract, wanted: bool, tout: bool) -> tuple[str, ...]:
    """The words of a game. A contract that is wanted is played plainly, or as a Tout."""
    house, muss = ruleset.house, ruleset.house.muss
    every = "du" if house.du else "tout"
    if wanted:
        return (every,) if tout else ()
    may = {
        every: row.tout_rank is not None,
        "hand": house.hand != "no" and row.exchange == "blind",
        "open": house.bettel.open != "no" and row.open_rank is not None,
        "muss": house.all_pass == "muss" and muss is not None and row.id == muss.contract,
    }
    chance = {"tout": RARELY, "du": RARELY, "hand": 0.3, "open": 0.3, "muss": 0.3}
    said = tuple(word for word in WORDS if may.get(word) and rng.random() < chance[word])
    return ("muss",) if "muss" in said else said


def callable_card(rng: Random, plan: Plan, hands: Hands, suit: str | None) -> str:
    """The Ace of a suit that is called; where a void suit or a Ten may be, one that the hand can call. 004 Asserufen:
    Calling an Ace."""
    usual = f"{suit}{plan.row.called}"
    if plan.declarer is None or plan.ruleset.house.call.void != "always" or "muss" in plan.words:
        return usual
    may = callable_aces(plan.row, hands[plan.declarer])
    return usual if usual in may or not may else rng.choice(may)


def callable_aces(row: Contract, mine: tuple[str, ...]) -> list[str]:
    """Aces of suits in hand; else of others; else Tens, which are called with all the Aces in hand."""
    suits = [suit for suit in SUITS if suit != row.trump]
    plain = {suit: [card for card in mine if card[0] == suit and card[1] not in row.lords] for suit in suits}
    in_hand = [suit + "A" for suit in suits if plain[suit] and suit + "A" not in mine]
    void = [suit + "A" for suit in suits if not plain[suit]]
    return in_hand or void or [suit + "Z" for suit in suits if suit + "Z" not in mine]


def muss_game(plan: Plan, hands: Hands, card: str) -> tuple[Plan, Game | None]:
    """Who holds the card must play, and calls what 001 Muss-Spiel allows: an ace; else a suit that is void; else a
    ten; else a king."""
    declarer = next((seat for seat, hand in hands.items() if card in hand), None)
    if declarer is None:
        return plan, None
    mine = hands[declarer]
    suits = [suit for suit in SUITS if suit != plan.row.trump]
    plain = {suit: [c for c in mine if c[0] == suit and c[1] not in "OU"] for suit in suits}
    choices = (
        [(suit + "A", "muss") for suit in suits if plain[suit] and suit + "A" not in mine],
        [(suit + "A", "muss void") for suit in suits if not plain[suit]],
        [(suit + "Z", "muss") for suit in suits if suit + "Z" not in mine],
        [(suit + "K", "muss") for suit in suits if suit + "K" not in mine],
    )
    called, said = next(each for each in choices if each)[0]
    plan = replace(plan, declarer=declarer, words=tuple(said.split()))
    return plan, Game(plan.row.id, declarer, called[0], called, plan.words)


def pass_cards(
    rng: Random, plan: Plan, compiled: Tables, hands: Hands, blind: tuple[str, ...]
) -> tuple[tuple[Exchange, ...] | None, Hands]:
    """The exchanges of cards, and the hands after them; None where the hands allow no exchange."""
    held = dict(hands)
    passed: list[Exchange] = []
    trumps = compiled.groups[-1]

    def move(giver: int | None, taker: int | None, cards: tuple[str, ...]) -> None:
        passed.append(Exchange(giver, taker, cards))
        if giver is not None:
            held[giver] = tuple(card for card in held[giver] if card not in cards)
        if taker is not None:
            held[taker] += cards

    declarer = plan.declarer
    if plan.exchange == "none" or declarer is None or "hand" in plan.words:
        return (), held
    if plan.exchange == "wedding":
        mine = tuple(card for card in hands[declarer] if BIT[card] & trumps)
        if len(mine) != 1 or plan.partner is None:
            return None, held
        move(declarer, plan.partner, mine)
        move(plan.partner, declarer, (rng.choice(hands[plan.partner]),))
    elif plan.exchange == "partner":
        partner = opposite(declarer, plan.active)
        theirs = hands[partner]
        move(declarer, partner, lowest(rng, held[declarer], compiled, 1))
        best = [card for card in theirs if BIT[card] & trumps or card[1] == "A"]
        move(partner, declarer, (rng.choice(best or theirs),))
    elif plan.exchange == "blind":
        move(None, declarer, blind)
        move(declarer, None, lowest(rng, held[declarer], compiled, len(blind)))
    elif plan.exchange == "pass-left":
        seats = plan.active[plan.active.index(declarer) :]
        move(None, declarer, blind)
        for giver, taker in pairwise(seats):
            own, count = held[giver], len(blind)
            any_of_them = tuple(rng.sample(own, count)) if giver != declarer else ()
            move(giver, taker, any_of_them or lowest(rng, own, compiled, count))
    return tuple(passed), held


def lowest(rng: Random, hand: tuple[str, ...], compiled: Tables, count: int) -> tuple[str, ...]:
    """Cards that a declarer gives away: plain ones before trumps."""
    weighed = sorted(hand, key=lambda card: (bool(BIT[card] & compiled.groups[-1]), rng.random()))
    return tuple(weighed[:count])


def choose_bid(rng: Random, plan: Plan, calls: tuple[Call, ...] | None) -> int | None:
    """The points bid, None where nobody has gone above the first; or the length, where the game tells it."""
    bids = plan.ruleset.house.bids
    if calls and not plan.row.marks:
        lengths = [int(call.call) for call in calls if call.call.isdigit()]
        return lengths[-1] if rng.random() < 0.5 else None
    if bids is None or plan.declarer is None:
        return None
    steps = rng.choice((0, 0, 0, 1, 2, 4))
    return bids.start + (steps - 1) * bids.step if steps else None
