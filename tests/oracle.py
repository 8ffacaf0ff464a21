"""A second opinion: a plain, slow checker of one recorded deal, written from document 001 and from nothing of ours.

It shares no line with the engine: cards are strings, hands are lists, every rule is spelled out where it is asked for.
Two implementations that agree prove sameness, not truth; the truth is in the rule tests and in the real games. What
this one is for is the other direction: to say of a damaged record that no check could notice the damage.
"""

from functools import cache
from typing import Any, NamedTuple

SUITS = "EGHS"
DOWN = "AZKOU987"  # a suit from the top
WORTH = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2, "9": 0, "8": 0, "7": 0}
LORDS = {"wenz": "U", "farbwenz": "U", "geier": "O", "farbgeier": "O", "kaiser": "K", "eisenbahner": "Z"}  # else O, U


class Play(NamedTuple):
    """A recorded deal. Seats from 0 in the direction of play; `house` and `prices` as the table plays."""

    hands: tuple[tuple[str, ...], ...]
    dealer: int
    contract: str
    declarer: int | None
    suit: str | None
    called: str | None
    tout: bool
    tricks: tuple[tuple[int | None, tuple[str, ...]], ...]  # leader where recorded, cards in the order played
    knocks: tuple[int, ...] | int
    doubles: tuple[int, ...] | int
    partner: int | None  # where the record names one
    stock: int
    house: dict[str, Any]
    prices: dict[str, int]


class Facts(NamedTuple):
    """What follows from a legal play that was played out. None where the game has no such thing."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    partner: int | None
    side_points: int | None
    against: int | None
    won: bool | None
    schneider: bool | None
    schwarz: bool | None
    runners: int | None
    loser: int | None
    virgins: tuple[int, ...]
    parts: tuple[int, ...]  # game, Schneider or Schwarz, runners, knocks, doublings, virgins: what price steps name
    payments: tuple[int, ...]


# --- the cards --------------------------------------------------------------------------------------------------------


@cache
def pack(cards: int) -> tuple[str, ...]:
    """32 cards; 24 without Sevens and Eights, 20 without Nines too. 001 Short Schafkopf."""
    return tuple(suit + rank for suit in SUITS for rank in DOWN[: cards // 4])


def trumps(play: Play) -> tuple[str, ...]:
    """The trumps of the game, highest first."""
    house = play.house
    if play.contract == "bettel":
        return trump_cards("OU", "H", house["deck"]) if house["bettel"]["trumps"] == "hearts" else ()
    suit = house["trumps"] if play.contract in ("rufspiel", "ramsch", "sie") else play.suit
    return trump_cards(LORDS.get(play.contract, "OU"), suit, house["deck"])


@cache
def trump_cards(lords: str, suit: str | None, deck: int) -> tuple[str, ...]:
    """All lords, the Obers before the Unters, Acorns first; then the rest of the suit from its Ace down."""
    high = [s + lord for lord in lords for s in SUITS]
    low = [suit + rank for rank in DOWN if rank not in lords] if suit else []
    return tuple(card for card in high + low if card in pack(deck))


def kind(play: Play, card: str) -> str:
    """What a card counts as when it is led or must follow: `trump`, or its suit."""
    return "trump" if card in trumps(play) else card[0]


def order(play: Play) -> str:
    """A plain suit from the top; in a Bettel without trumps the Ten stands below the Unter."""
    null = play.contract == "bettel" and play.house["bettel"]["trumps"] == "none"
    return "AKOUZ987" if null else DOWN


def beats(play: Play, later: str, best: str) -> bool:
    """Whether a card takes the trick from the best one so far."""
    if kind(play, later) == kind(play, best) == "trump":
        return trumps(play).index(later) < trumps(play).index(best)
    if kind(play, later) == "trump":
        return kind(play, best) != "trump"
    return kind(play, later) == kind(play, best) and order(play).index(later[1]) < order(play).index(best[1])


def best_place(play: Play, cards: tuple[str, ...]) -> int:
    """The place, from 0, of the card that takes the trick."""
    place = 0
    for number, card in enumerate(cards):
        if number and beats(play, card, cards[place]):
            place = number
    return place


# --- the play ---------------------------------------------------------------------------------------------------------


def objection(play: Play, hand: list[str], before: tuple[str, ...], card: str, searched: bool) -> str:
    """Why a player may not play this card on those before it in the trick; empty where he may."""
    if card not in hand:
        return f"{card} is not in the hand"
    led = kind(play, before[0]) if before else ""
    following = [each for each in hand if kind(play, each) == led]
    if following and card not in following:
        return f"{card} does not follow {led}"
    if play.contract == "bettel" and play.house["bettel"]["beat"] and following:
        best = before[best_place(play, before)]
        higher = [each for each in following if beats(play, each, best)]
        if higher and card not in higher:
            return f"{card} does not beat {best}"
    ace = play.called if play.contract == "rufspiel" else None
    if ace is None or ace not in hand or searched:
        return ""
    suit = [each for each in hand if kind(play, each) == ace[0]]
    if not before and card in suit and card != ace and len(suit) < play.house["call"]["run_away"]:
        return f"{card} is led under {ace}"
    if led == ace[0] and card != ace:
        return f"{ace} is searched and withheld"
    if before and led != ace[0] and card == ace and len(hand) > 1:
        return f"{ace} is thrown off"
    return ""


def fault(play: Play) -> str:
    """The first thing that is illegal about a record; empty where there is none."""
    return hand_fault(play) or doubling_fault(play) or play_fault(play)


def hand_fault(play: Play) -> str:
    """Cards that are no whole deal, and a declarer who may not play this game."""
    deck = pack(play.house["deck"])
    dealt = [card for hand in play.hands for card in hand]
    if sorted(dealt) != sorted(deck) or {len(hand) for hand in play.hands} != {len(deck) // 4}:
        return "the hands are not the pack"
    if play.declarer is None:
        return "" if play.contract == "ramsch" else "nobody declares"
    mine = play.hands[play.declarer]
    if play.contract == "rufspiel":
        plain = [card for card in mine if kind(play, card) == play.suit]
        if play.called is None or play.called in mine or not plain or kind(play, play.called) == "trump":
            return f"{play.called} may not be called"
        if play.partner is not None and play.called not in play.hands[play.partner]:
            return "the partner has not the called Ace"
    named = [card for card in mine if card[0] == play.suit and card[1] not in "OU"]
    if play.contract == "solo" and play.house["solo_needs_suit"] and not named:
        return f"no card of {play.suit} besides the lords"
    if play.contract == "sie" and set(mine) != set(trumps(play)[: len(mine)]):
        return "not the highest trumps"
    return ""


def passing_fault(play: Play, dealt: tuple[tuple[str, ...], ...]) -> str:
    """Cards that cannot have come to the hand they were played from. 001 Special Rounds: Schieber: the declarer takes
    the two highest Obers and passes two cards to the left, where two are passed on again, as far as the dealer."""
    turn = [(play.dealer + 1 + step) % 4 for step in range(4)]
    coming = {"EO", "GO"}
    for seat in turn:
        if seat == play.declarer or turn.index(seat) > turn.index(play.declarer or 0):
            coming |= set(dealt[seat]) - {"??"}
            held = coming & set(play.hands[seat])
            coming -= held
        else:
            held = set(dealt[seat]) & set(play.hands[seat])
        if held != set(play.hands[seat]):
            return f"seat {seat} cannot have {set(play.hands[seat]) - held}"
    return ""


def doubling_fault(play: Play) -> str:
    """Legen and Stoss that this table does not know."""
    way, knocks = play.house["knock"], play.knocks
    turn = [(play.dealer + 1 + step) % 4 for step in range(4)]
    if isinstance(knocks, int):
        most = {"no": 0, "forehand": 1}.get(way, 4)
        if knocks > most:
            return "too many knocks"
    elif knocks:
        if way == "no" or len(set(knocks)) < len(knocks):
            return "a knock too many"
        if way == "forehand" and set(knocks) != {turn[0]}:
            return "only forehand knocks"
        if way == "in-turn" and set(knocks) != set(turn[: len(knocks)]):
            return "a knock out of turn"
    doubles = play.doubles
    if doubles in (0, ()):
        return ""
    stoss = play.house["stoss"]
    count = doubles if isinstance(doubles, int) else len(doubles)
    if play.declarer is None or stoss["until"] == "no" or (stoss["limit"] and count > stoss["limit"]):
        return "no such doubling"
    ours = (play.declarer, partner_of(play))
    for number, seat in enumerate(() if isinstance(doubles, int) else doubles):
        if number % 2 == 0 and seat in ours and stoss["by"] == "defence":
            return "the declarer's side doubles"
        if number % 2 and (seat not in ours or (stoss["answer"] == "declarer" and seat != play.declarer)):
            return "another than the declarer answers"
    return ""


def play_fault(play: Play) -> str:
    """The first card or lead that is illegal."""
    hands = [list(hand) for hand in play.hands]
    leads_first = play.contract == "bettel" and play.house["bettel"]["lead"] == "declarer"
    turn = play.declarer if leads_first else (play.dealer + 1) % 4
    searched = False
    for number, (leader, cards) in enumerate(play.tricks, 1):
        if turn is None or leader not in (None, turn):
            return f"trick {number} is led by another"
        if len(cards) != 4:
            return f"trick {number} has {len(cards)} cards"
        for place, card in enumerate(cards):
            hand = hands[(turn + place) % 4]
            why = objection(play, hand, cards[:place], card, searched)
            if why:
                return f"trick {number} card {place + 1}: {why}"
            hand.remove(card)
        searched = searched or (play.called is not None and kind(play, cards[0]) == play.called[0])
        turn = (turn + best_place(play, cards)) % 4
    return ""


def partner_of(play: Play) -> int | None:
    """Who holds the called Ace."""
    if play.contract != "rufspiel":
        return None
    return next(seat for seat, hand in enumerate(play.hands) if play.called in hand)


def taken(play: Play) -> tuple[int, ...]:
    """Who took each trick of a legal play."""
    winners = []
    leads_first = play.contract == "bettel" and play.house["bettel"]["lead"] == "declarer"
    turn = play.declarer or 0 if leads_first else (play.dealer + 1) % 4
    for _, cards in play.tricks:
        turn = (turn + best_place(play, cards)) % 4
        winners.append(turn)
    return tuple(winners)


# --- what follows -----------------------------------------------------------------------------------------------------


def facts(play: Play) -> Facts | None:
    """The facts of a legal play, None where it was not played to its end."""
    winners = taken(play)
    points, tricks = [0] * 4, [0] * 4
    for winner, (_, cards) in zip(winners, play.tricks, strict=True):
        points[winner] += sum(WORTH[card[1]] for card in cards)
        tricks[winner] += 1
    ours = {play.declarer, partner_of(play)} - {None}
    lost_one = any(winner not in ours for winner in winners)
    over = (
        play.contract == "sie"
        or len(winners) == play.house["deck"] // 4
        or (play.tout and lost_one)
        or (play.contract == "bettel" and any(winner in ours for winner in winners))
    )
    if not over:
        return None
    if play.contract == "ramsch":
        return ramsch(play, winners, tuple(points), tuple(tricks))
    return sides(play, winners, tuple(points), tuple(tricks), sorted(seat for seat in ours if seat is not None))


def sides(
    play: Play, winners: tuple[int, ...], points: tuple[int, ...], tricks: tuple[int, ...], ours: list[int]
) -> Facts:
    """A declarer, perhaps with a partner, against the rest. 001 Scoring, Runners, Doubles."""
    own, own_tricks = sum(points[seat] for seat in ours), sum(tricks[seat] for seat in ours)
    against = sum(points) - own
    all_ours = own_tricks == len(winners)
    won = play.contract == "sie" or (own_tricks == 0 if play.contract == "bettel" else own >= 61)
    won = all_ours if play.tout else won
    schwarz: bool | None = all_ours if won else own_tricks == 0
    schneider: bool | None = (own >= 91 if won else against >= 90) or schwarz
    if play.contract in ("sie", "bettel") or (play.tout and play.house["tout"] != "all"):
        schneider = schwarz = None  # ignored
    top = trumps(play)
    held = [any(card in play.hands[seat] for seat in ours) for card in top]
    count = next((n for n, each in enumerate(held) if each != held[0]), len(held))
    runners = None if not top else count if held[0] else -count
    least = play.house["runners_from"].get(play.contract, 0)
    paid = count if runners and least and count >= least else 0
    parts = price_parts(play, bool(schneider), bool(schwarz), paid)
    game, level, run, knocks, doubles, _ = parts
    reading = play.house["sie"] if play.contract == "sie" else play.house["tout"] if play.tout else "base"
    times = 4 if play.contract == "sie" else 2 if play.tout else 1
    price = game * times + (level + run) * (times if reading != "base" else 1)
    price <<= knocks + doubles
    sign = 1 if won else -1
    payments = [sign * price if seat in ours else -sign * price for seat in range(4)]
    if len(ours) == 1:
        payments[ours[0]] *= 3
    if play.stock and play.contract in play.house["stock"]["won_by"]:
        for seat in ours:
            payments[seat] += sign * (play.stock // len(ours))
    return Facts(
        winners=winners, points=points, tricks=tricks, partner=partner_of(play), side_points=own, against=against,
        won=won, schneider=schneider, schwarz=schwarz, runners=runners, loser=None, virgins=(),
        parts=parts, payments=tuple(payments),
    )  # fmt: skip


def price_parts(play: Play, schneider: bool, schwarz: bool, runners: int) -> tuple[int, ...]:
    """The amounts and counts that make the price."""
    prices = play.prices
    usual = play.contract if play.contract in ("rufspiel", "bettel", "ramsch") else "solo"
    bonus = prices["schwarz"] if schwarz else prices["schneider"] if schneider else 0
    counts = [each if isinstance(each, int) else len(each) for each in (play.knocks, play.doubles)]
    return (prices.get(play.contract, prices.get(usual, 0)), bonus, runners * prices["runner"], *counts, 0)


def ramsch(play: Play, winners: tuple[int, ...], points: tuple[int, ...], tricks: tuple[int, ...]) -> Facts | None:
    """Who took the most pays the others. 001 Avoiding Passed Out Hands: Ramsch; None where a tie stays a tie."""
    tied = [seat for seat in range(4) if points[seat] == max(points)]
    for reading in play.house["ramsch"]["tie"]:
        if len(tied) > 1:
            measure = {seat: standing(play, winners, seat, reading) for seat in tied}
            tied = [seat for seat in tied if measure[seat] == max(measure.values())]
    if len(tied) > 1:
        return None
    loser = tied[0]
    virgins = tuple(seat for seat in range(4) if not tricks[seat])
    march = play.house["ramsch"]["march"]
    marched = tricks[loser] == len(winners) if march == "tricks" else march != "no" and points[loser] >= march
    parts = price_parts(play, False, False, 0)
    price = parts[0] << (parts[3] + parts[4])
    reading = "no" if marched else play.house["ramsch"]["virgin"]
    each = {
        "no": (price, price),
        "double-all": (price << len(virgins), price << len(virgins)),
        "double-own": (price << len(virgins), price),
        "double-own-once": (price * 2, price),
    }[reading]
    gains = [0 if seat == loser else each[0] if seat in virgins else each[1] for seat in range(4)]
    gains[loser] = -sum(gains)
    return Facts(
        winners=winners, points=points, tricks=tricks, partner=None, side_points=points[loser], against=None, won=None,
        schneider=None, schwarz=None, runners=None, loser=None if marched else loser, virgins=virgins,
        parts=(*parts[:5], len(virgins)), payments=tuple(-gain if marched else gain for gain in gains),
    )  # fmt: skip


def standing(play: Play, winners: tuple[int, ...], seat: int, reading: str) -> int:
    """How a player stands in a tie: the larger loses."""
    if reading == "tricks":
        return winners.count(seat)
    mine = [card for winner, (_, cards) in zip(winners, play.tricks, strict=True) if winner == seat for card in cards]
    cards = list(play.hands[seat]) if reading.startswith("own") else mine
    high = [card for card in trumps(play) if card in cards and (not reading.endswith("ober") or card[1] == "O")]
    if reading == "taken-trumps":
        return len(high)
    return 0 if not high else 100 - trumps(play).index(high[0])
