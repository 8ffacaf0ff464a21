"""Choices before the first card, at random and legal: the words of a game, the called card, the cards passed on."""

from itertools import pairwise
from random import Random

from msgspec.structs import replace

from archive.cards import BIT, codes, mask
from archive.generate.plan import Hands, Plan, tout_word
from archive.play.hand_requirements import Hold, callable_cards
from archive.play.seating import opposite
from archive.record import Call, Exchange, Game
from archive.rules import Contract, Ruleset, Tables


def choose_words(rng: Random, ruleset: Ruleset, row: Contract) -> tuple[str, ...]:
    """Return the words of a game, any that its contract may be played with."""
    house, muss = ruleset.house, ruleset.house.muss
    choices = (
        (tout_word(house), row.tout_rank is not None, 0.06),
        ("hand", house.hand != "no" and row.exchange == "blind", 0.3),
        ("open", house.bettel.open != "no" and row.open_rank is not None, 0.3),
        ("muss", house.all_pass == "muss" and muss is not None and row.id == muss.contract, 0.3),
    )
    words = tuple(word for word, may, chance in choices if may and rng.random() < chance)
    return ("muss",) if "muss" in words else words


def may_call(plan: Plan, compiled: Tables, hand: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """Return the cards that a hand may call, and whether their suit is void."""
    game = Game(plan.row.id, words=plan.words)
    may, void = callable_cards(Hold(mask(hand), game, plan.row, compiled, plan.ruleset.house.call))
    return codes(may), void


def callable_card(rng: Random, plan: Plan, compiled: Tables, hands: Hands, suit: str | None) -> str:
    """Return the called Ace of a suit or, if a void suit or a Ten may be called, a card that the hand can call. 004
    Asserufen: Calling an Ace."""
    usual = f"{suit}{plan.row.called}"
    if plan.declarer is None or plan.ruleset.house.call.void != "always" or "muss" in plan.words:
        return usual
    may, _ = may_call(plan, compiled, hands[plan.declarer])
    return usual if usual in may or not may else rng.choice(may)


def muss_game(plan: Plan, compiled: Tables, hands: Hands, card: str) -> tuple[Plan, Game] | None:
    """Return the plan and game of the holder of `card`, who must play and calls the first card he may; None if he
    cannot."""
    declarer = next((seat for seat, hand in hands.items() if card in hand), None)
    may, void = ((), False) if declarer is None else may_call(plan, compiled, hands[declarer])
    if not may:
        return None
    plan = replace(plan, declarer=declarer, words=("muss", "void") if void else ("muss",))
    return plan, Game(plan.row.id, declarer, may[0][0], may[0], plan.words)


def pass_cards(
    rng: Random, plan: Plan, compiled: Tables, hands: Hands, blind: tuple[str, ...]
) -> tuple[tuple[Exchange, ...] | None, Hands]:
    """Return the exchanges of cards, None if the hands allow none, and the hands after them."""
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
    """Return cards that a declarer gives away: plain ones before trumps."""
    weighed = sorted(hand, key=lambda card: (bool(BIT[card] & compiled.groups[-1]), rng.random()))
    return tuple(weighed[:count])


def choose_bid(rng: Random, plan: Plan, calls: tuple[Call, ...] | None) -> int | None:
    """Return the points bid, None if nobody has gone above the first; or the length of trumps, if stated."""
    bids = plan.ruleset.house.bids
    if calls and not plan.row.marks:
        lengths = [int(call.call) for call in calls if call.call.isdigit()]
        return lengths[-1] if rng.random() < 0.5 else None
    if bids is None or plan.declarer is None:
        return None
    if bids.rising:
        return bids.start + bids.step * rng.randrange(8)
    steps = rng.choice((0, 0, 0, 1, 2, 4))
    return bids.start + (steps - 1) * bids.step if steps else None
