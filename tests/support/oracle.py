"""A second opinion: a plain, slow checker of one recorded deal, written from the documents and from nothing of ours.

It shares no line with the engine: cards are strings, hands are lists, every rule is spelled out where it is needed. Two
implementations that agree prove sameness, not truth; the truth is in the rule tests and in the real games. This one
serves the other direction: it shows for a damaged record that no check could notice the damage.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

SUITS = "EGHS"
DOWN = "AZKOU987"  # a suit from the top
WORTH = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2, "9": 0, "8": 0, "7": 0}
SAME_TRUMPS = ("rufspiel", "hochzeit", "kreuz", "bierkopf", "ramsch", "sie")  # Obers, Unters and one suit for all
NO_NAME = ("ramsch", "bierkopf")  # games without a declarer
LORDS = {"wenz": "U", "farbwenz": "U", "geier": "O", "farbgeier": "O", "kaiser": "K", "eisenbahner": "Z"}  # else O, U
ALL_TRICKS = (*LORDS, "solo")  # that can be played for all tricks
PALATINATE = ("palatinate", "asserufen")  # the score is in game points
OF_TEAMS = ("bauernstoss", "small-solo", "big-solo")  # partners sit opposite, Unters are the lords
SOLOS = ("small-solo", "big-solo")  # the partner's hand is laid down


class Play(NamedTuple):
    """A recorded deal. Seats from 0 in the direction of play; `house` and `prices` as the table plays."""

    hands: tuple[tuple[str, ...], ...]  # as dealt, one for each who plays
    dealer: int
    contract: str
    declarer: int | None
    suit: str | None
    called: str | None
    tout: bool
    tricks: tuple[tuple[int | None, tuple[str, ...]], ...]  # leader if recorded, cards in the order played
    knocks: tuple[int, ...] | int
    doubles: tuple[int, ...] | int
    partner: int | None  # if the record names one
    stock: int
    house: dict[str, Any]
    prices: dict[str, int]
    exchange: tuple[tuple[int | None, int | None, tuple[str, ...]], ...] = ()  # giver, taker (None: the blind), cards
    blind: tuple[str, ...] = ()  # as dealt
    words: tuple[str, ...] = ()  # hand open muss void
    bid: int | None = None
    rounds: tuple[str, ...] = ()  # special rounds under way
    expected: tuple[str, ...] | None = None  # the rounds that follow from the deals before, if any do
    bids: tuple[tuple[int, str], ...] | None = None  # the calls but passes; None if no auction is recorded
    hausbock: int = 0
    stake: int = 0
    klopfen: bool = False
    rules: str = "bavarian"
    strange: str = ""  # what is illegal before any card is looked at: a player who sits out plays
    sitters: int = 0  # those who deal, and pay and are paid with the opponents
    calls: tuple[tuple[int, str], ...] | None = None  # all calls
    events: tuple[tuple[int, str], ...] = ()  # the player and the act
    chalk: int | None = None  # the seat that has it before the deal
    marks: tuple[int | None, ...] | None = None  # before the deal
    first: bool | None = None  # whether it is the first deal of a game to so many marks


class Facts(NamedTuple):
    """Facts that follow from a legal play to its end. None if the game has no such thing."""

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
    parts: tuple[int, ...]  # game, Schneider or Schwarz, runners, knocks, doublings, virgins, as a price names them
    price: int  # of one loser to one winner; in a Ramsch before what is paid to one player alone
    payments: tuple[int, ...]
    marks: tuple[int, ...] | None = None
    chalk: int | None = None  # the lower seat of the two who have it after the deal


# --- the cards --------------------------------------------------------------------------------------------------------


@cache
def pack(cards: int) -> tuple[str, ...]:
    """Return 32 cards; 24 without Sevens and Eights, 20 without Nines too. 001 Short Schafkopf."""
    return tuple(suit + rank for suit in SUITS for rank in DOWN[: cards // 4])


def trumps(play: Play) -> tuple[str, ...]:
    """Return the trumps of the game, highest first."""
    house = play.house
    if play.contract == "bettel":
        return trump_cards("OU", "H", house["deck"]) if house["bettel"]["trumps"] == "hearts" else ()
    suit = house["trumps"] if play.contract in SAME_TRUMPS else play.suit
    lords = "U" if play.contract in OF_TEAMS else LORDS.get(play.contract, "OU")
    return trump_cards(lords, suit, house["deck"], order(play))


@cache
def trump_cards(lords: str, suit: str | None, deck: int, down: str = DOWN) -> tuple[str, ...]:
    """Return all lords, the Obers before the Unters, Acorns first; then the rest of the suit from its Ace down."""
    high = [s + lord for lord in lords for s in SUITS]
    low = [suit + rank for rank in down if rank not in lords] if suit else []
    return tuple(card for card in high + low if card in pack(deck))


def kind(play: Play, card: str) -> str:
    """Return the group of a card when it is led or must follow: `trump`, or its suit."""
    return "trump" if card in trumps(play) else card[0]


def order(play: Play) -> str:
    """Return a plain suit from the top. In a Bettel without trumps the Ten is below the Unter, in the Deutscher
    Schafkopf of the books between Ober and Nine."""
    if play.rules == "deutscher-schafkopf":
        return "AKOZU987"
    null = play.contract == "bettel" and play.house["bettel"]["trumps"] == "none"
    return "AKOUZ987" if null else DOWN


def beats(play: Play, later: str, best: str) -> bool:
    """Return whether a card takes the trick from the best one so far."""
    if kind(play, later) == kind(play, best) == "trump":
        return trumps(play).index(later) < trumps(play).index(best)
    if kind(play, later) == "trump":
        return kind(play, best) != "trump"
    return kind(play, later) == kind(play, best) and order(play).index(later[1]) < order(play).index(best[1])


def best_place(play: Play, cards: tuple[str, ...]) -> int:
    """Return the place, from 0, of the card that takes the trick."""
    place = 0
    for number, card in enumerate(cards):
        if number and beats(play, card, cards[place]):
            place = number
    return place


# --- the play ---------------------------------------------------------------------------------------------------------


def objection(play: Play, hand: list[str], before: tuple[str, ...], card: str, searched: bool) -> str:
    """Return why a player may not play this card on those before it in the trick; empty if that is allowed."""
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
    if play.contract in OF_TEAMS and before:
        return stricter(play, hand, before, card)
    ace = play.called if play.contract == "rufspiel" else None
    if ace is None or ace not in hand or (searched and play.house["call"]["after_run_away"] == "free"):
        return ""
    suit = [each for each in hand if kind(play, each) == ace[0]]
    if not before and card in suit and card != ace and (searched or not may_run_away(play, suit)):
        return f"{card} is led under {ace}"
    if led == ace[0] and card != ace:
        return f"{ace} is searched and withheld"
    if before and led != ace[0] and card == ace and len(hand) > 1 and not searched:
        return f"{ace} is thrown off"
    return ""


def may_run_away(play: Play, suit: list[str]) -> bool:
    """Return whether the holder of the called card, with these of its suit left, may lead another of them."""
    call, ace = play.house["call"], play.called or ""
    if call["run_away_counts"] == "dealt":
        mine = next(hand for hand in held(play) if ace in hand)
        suit = [card for card in mine if kind(play, card) == ace[0]]
    return len(suit) >= call["run_away"] and (ace[1] == "A" or call["run_away_from"] == "any")


def stricter(play: Play, hand: list[str], before: tuple[str, ...], card: str) -> str:
    """Return why a card that follows may not be played. 000 The Play: a player without the suit must trump; a trump on
    a Jack must be a higher Jack, if the player has one. 000 Alter Schoofkopp: on trumps a higher trump, if the player
    has one."""
    mine = [each for each in hand if kind(play, each) == "trump"]
    led = kind(play, before[0])
    if mine and kind(play, card) != "trump" and not any(kind(play, each) == led for each in hand):
        return f"{card} is no trump"
    if play.rules == "alter-schoofkopp":
        best = before[best_place(play, before)]
        higher = [each for each in mine if beats(play, each, best)]
        return f"{card} does not beat {best}" if led == "trump" and higher and card not in higher else ""
    jacks = [each for each in before if each[1] == "U"]
    if not jacks or kind(play, card) != "trump":
        return ""
    best = min(jacks, key=SUITS_OF.__getitem__)
    higher = [each for each in mine if each[1] == "U" and SUITS_OF[each] < SUITS_OF[best]]
    return f"{card} does not beat {best}" if higher and card not in higher else ""


SUITS_OF = {suit + "U": place for place, suit in enumerate(SUITS)}  # the Jacks, from the top


def size_of(play: Play) -> int:
    """Return the number of cards of a hand."""
    return int(play.house["hand_size"] or play.house["deck"] // len(play.hands))


def held(play: Play) -> tuple[tuple[str, ...], ...]:
    """Return the hands when play begins."""
    hands = [list(hand) for hand in play.hands]
    for giver, taker, cards in play.exchange:
        for card in cards:
            if giver is not None and card in hands[giver]:
                hands[giver].remove(card)
            if taker is not None:
                hands[taker].append(card)
    return tuple(tuple(hand) for hand in hands)


def laid_away(play: Play) -> tuple[str, ...]:
    """Return the blind when play begins."""
    blind = set(play.blind)
    for giver, taker, cards in play.exchange:
        blind = blind - set(cards) if giver is None else blind | set(cards) if taker is None else blind
    return tuple(sorted(blind))


def fault(play: Play) -> str:
    """Return the first thing that is illegal about a record; empty if there is none."""
    of_cards = play.strange or hand_fault(play) or exchange_fault(play) or game_fault(play)
    said = of_cards or word_fault(play) or bid_fault(play) or doubling_fault(play) or surrender_fault(play)
    return said or play_fault(play)


def hand_fault(play: Play) -> str:
    """Return why cards are no whole deal; empty if they are."""
    deck = pack(play.house["deck"])
    dealt = [card for hand in play.hands for card in hand] + list(play.blind)
    wanted = [size_of(play)] * len(play.hands)
    if "schieber" in play.rounds and play.blind:
        wanted[play.dealer] -= 2
    if sorted(dealt) != sorted(deck) or [len(hand) for hand in play.hands] != wanted:
        return "the hands are not the pack"
    return aside_fault(play)


def aside_fault(play: Play) -> str:
    """Return why the wrong cards lie aside. 001 Schieber: the two highest Obers lie aside."""
    return "other cards lie aside" if "schieber" in play.rounds and set(play.blind) - {"EO", "GO"} else ""


def exchange_fault(play: Play) -> str:
    """Return why cards passed on were not there, or are not those that the game passes. 001 Wedding, Schieber; 002
    06.3."""
    has = [set(hand) for hand in play.hands]
    blind = set(play.blind)
    for giver, taker, cards in play.exchange:
        source = blind if giver is None else has[giver]
        if not set(cards) <= source:
            return f"{cards} were not there to pass on"
        source -= set(cards)
        (blind if taker is None else has[taker]).update(cards)
    moves = [(giver, taker, len(cards)) for giver, taker, cards in play.exchange]
    me, other = play.declarer, play.partner
    if play.contract == "hochzeit":
        mine = [card for card in play.hands[me or 0] if kind(play, card) == "trump"]
        if len(mine) != 1 or moves != [(me, other, 1), (other, me, 1)] or play.exchange[0][2] != (mine[0],):
            return "no Hochzeit"
        return "" if play.exchange[1][2] != (mine[0],) else "the trump is passed back"
    if "schieber" in play.rounds and play.blind:
        turn = [(play.dealer + 1 + step) % 4 for step in range(4)]
        after = turn[turn.index(me or 0) :]
        wanted = [(None, me, 2), *((one, two, 2) for one, two in pairwise(after))]
        return "" if moves == wanted else "passed on otherwise"
    if play.contract == "small-solo":
        me, other = me or 0, opposite(me or 0)
        return "" if moves == [(me, other, 1), (other, me, 1)] and not given_back(play) else "not one card each"
    untouched = "hand" in play.words or (play.rules == "palatinate" and play.contract == "solo")
    if play.blind and play.contract != "ramsch" and not untouched:
        return "" if moves == [(None, me, 2), (me, None, 2)] else "the blind is not exchanged"
    return "cards passed on in a game without" if moves else ""


def given_back(play: Play) -> bool:
    """Return whether the partner passes back the very card: it must be one of the original hand."""
    return play.exchange[0][2] == play.exchange[1][2]


def opposite(seat: int) -> int:
    return (seat + 2) % 4


def game_fault(play: Play) -> str:
    """Return why a declarer may not play this game."""
    if play.contract in OF_TEAMS:
        return trump_maker_fault(play)
    if play.declarer is None:
        seats = play.contract == "kreuz" and play.house["kreuz"]["by"] == "seats"
        return "" if play.contract in NO_NAME or seats else "nobody declares"
    if "teufel" in play.rounds:
        first = play.hands[(play.dealer + 1) % 4]
        fits = play.declarer == (play.dealer + 1) % 4 and {"EO", "HO", "SO", "EU"} <= set(first)
        return "" if fits and play.contract == "solo" else "no Teufel"
    if {"schieber", "kreuz"} & set(play.rounds) and play.contract not in ("solo", "kreuz"):
        return "another game than the round's"
    mine = held(play)[play.declarer]
    if play.contract in ("hochzeit", "kreuz"):
        both = [held(play)[seat] for seat in (play.declarer, play.partner) if seat is not None]
        aces = all(any(card[1] == "A" for card in hand) for hand in both)
        if play.contract == "kreuz" and play.house["kreuz"]["aces"] == "held" and not aces:
            return "no Ace"
        return "" if play.partner not in (None, play.declarer) else "no partner"
    if play.contract == "rufspiel":
        return called_fault(play, mine)
    named = [card for card in mine if card[0] == play.suit and card[1] not in "OU"]
    if play.contract == "solo" and play.house["solo_needs_suit"] and not named:
        return f"no card of {play.suit} besides the lords"
    if play.contract == "sie" and set(mine) != set(trumps(play)[: len(mine)]):
        return "not the highest trumps"
    return ""


def trump_maker_fault(play: Play) -> str:
    """Return why a player may not make trumps. 000 Making Trumps: with one to three Jacks an ordinary game, with the
    highest of them a Solo, with all four only the Big Solo; no Solo in the first deal. 000 Alter Schoofkopp: with four
    Jacks too."""
    if play.declarer is None or play.partner not in (None, opposite(play.declarer)):
        return "nobody makes trumps, or another is partner"
    mine = play.hands[play.declarer]
    jacks = sum(card[1] == "U" for card in mine)
    most = 4 if play.rules == "alter-schoofkopp" or play.contract == "big-solo" else 3
    if not 1 <= jacks <= most:
        return f"{jacks} Jacks"
    if play.contract in SOLOS:
        return "" if "EU" in mine and not play.first else "no Solo"
    if play.suit and play.bid not in (None, lowest_of(play, play.declarer, play.suit)[0]):
        return "another length"
    return "" if any(card[0] == play.suit and card[1] != "U" for card in mine) else "nothing of the suit but Jacks"


def word_fault(play: Play) -> str:
    """Return why a word does not go with the game, or a round is not due."""
    house, said = play.house, play.words
    if play.tout and "du" not in said:
        said = (*said, "tout")
    fits = {
        "tout": play.contract in ALL_TRICKS,
        "du": house["du"] and play.contract in ALL_TRICKS,
        "hand": house["hand"] != "no" and play.contract in ALL_TRICKS,
        "open": house["bettel"]["open"] != "no" and play.contract == "bettel",
        "muss": house["all_pass"] == "muss" and play.contract == "rufspiel",
        "void": ("muss" in said or play.rules == "asserufen") and play.contract == "rufspiel",
    }
    if not all(fits[word] for word in said):
        return f"{said} in a {play.contract}"
    return "" if play.expected in (None, play.rounds) else "another round"


def bid_fault(play: Play) -> str:
    """Return why the calls do not lead to a game, as far as damage to it can show: the bidder, the bid, and how many
    points."""
    if play.bids is None:
        return ""
    way = play.house["auction"]
    if way != "ranks":
        return {"hanging": hanging_fault, "two-rounds": two_rounds_fault, "lengths": length_fault}[way](play)
    numbers = [int(call) for _, call in play.bids if call.isdigit()]
    if play.bid != (numbers[-1] if numbers else None):
        return "another number was bid"
    if not play.bids:
        return "" if play.declarer is None or "muss" in play.words else "all have passed"
    mine = [call for seat, call in play.bids if seat == play.declarer]
    if not mine or "muss" in play.words:
        return "the declarer has not bid"
    announced = [word for word in ("tout", "open") if mine[-1].endswith(f" {word}")]
    return "" if set(announced) <= {*play.words, *(("tout",) if play.tout else ())} else "less than was bid"


def hanging_fault(play: Play) -> str:
    """Return what is wrong with the calls. 004 Asserufen: Bidding. Each speaks once; a player who hangs on may be asked
    to let another play, and answers."""
    waiting = [(play.dealer + 1 + step) % 4 for step in range(4)]
    stands: tuple[int, str] | None = None  # the player and the call: hang, or a Solo
    asker: int | None = None
    answer = ""
    for seat, call in play.calls or ():
        if seat in waiting:
            if seat != waiting.pop(0):
                return "out of turn"
        elif call not in ("accept", "refuse"):
            return "speaks again"
        if call == "hang":
            if stands:
                return "somebody has bid"
            stands = (seat, call)
        elif call == "may-i":
            plain = [c for c in play.hands[seat] if c[1] not in "OU" and c[0] != "H"]
            callable_ = [c for c in plain if c[0] + "A" not in plain]
            if not stands or stands[1] != "hang" or asker is not None or not callable_:
                return "may not ask"
            asker = seat
        elif call in ("accept", "refuse"):
            if asker is None or answer or not stands or stands != (seat, "hang"):
                return "nothing to answer"
            answer = call
        elif call != "pass":
            if stands and solo_rank(stands[1]) >= solo_rank(call):
                return "bids too little"
            stands = (seat, call)
    if stands is None or waiting:
        return "" if waiting or play.declarer is None else "all have passed"
    by = {"accept": (asker,), "refuse": (stands[0],), "": (stands[0], asker)}[answer]
    if stands[1] == "hang":
        return "" if play.contract == "rufspiel" and play.declarer in by else "another game than bid"
    return "" if bid_is_played(play, *stands) else "another game than bid"


def solo_rank(call: str) -> int:
    """Return the rank of a Solo in the bidding: a Heart Solo overcalls a Solo, and a Du both; the Heart Du is the
    highest of all."""
    words = call.replace("have-", "").split()
    if words[0] == "hang":
        return 0
    return 1 + ("H" in words) + 2 * ("tout" in words or "du" in words)


def bid_is_played(play: Play, seat: int, call: str) -> bool:
    """Return whether the Solo that was bid is played, by its bidder."""
    du = "du" in call or "tout" in call
    hearts = "H" in call.split()
    return play.contract == "solo" and play.declarer == seat and play.tout == du and (play.suit == "H" or not hearts)


def two_rounds_fault(play: Play) -> str:
    """Return what is wrong with the calls. 004 Schafkopf: Bidding. First those who play a Solo, then, if nobody does,
    the first to take the skat."""
    seats = len(play.hands)
    turn = [(play.dealer + 1 + step) % seats for step in range(seats)]
    calls = list(play.calls or ())
    said = [seat for seat, _ in calls]
    solos = [seat for seat, call in calls[:seats] if call != "pass"]
    if said[:seats] != turn[: len(said)]:
        return "out of turn"
    if solos:
        left = set(solos) - {seat for seat, call in calls[seats:] if call in ("pass", "good")}
        if not set(said[seats:]) <= set(solos) or play.contract != "solo" or play.declarer not in left:
            return "not who bid a Solo"
        named = [solo_rank(call) for seat, call in calls if seat in left and call.startswith(("solo", "have-"))]
        played = 1 + (play.suit == "H") + 2 * play.tout
        return "a higher Solo was bid" if played < max(named, default=0) else ""
    if len(calls) < seats:
        return ""
    second = calls[seats:]
    if [seat for seat, _ in second] != turn[: len(second)] or any(call != "pass" for _, call in second[:-1]):
        return "out of turn"
    if second and second[-1][1] != "pass":
        return "" if play.contract == "simple" and play.declarer == second[-1][0] else "not who bid"
    return "all have passed" if len(second) == seats and play.declarer is not None else ""


def lowest_of(play: Play, seat: int, suit: str) -> tuple[int, int]:
    """Return how many trumps a hand has in a suit, and how high the lowest of them is; the Jacks count towards the
    number."""
    hand = play.hands[seat]
    plain = [card for card in hand if card[0] == suit and card[1] != "U"]
    return len(plain) + sum(card[1] == "U" for card in hand), min(map(height(play), plain), default=-1)


def proposed(play: Play, seat: int) -> list[tuple[int, int]]:
    """Return the same for each suit that a bidder may mean; the maker of trumps meant the suit that became trumps."""
    makes = seat == play.declarer and play.contract == "bauernstoss"
    return [lowest_of(play, seat, suit) for suit in (play.suit if makes and play.suit else SUITS)]


def height(play: Play) -> Callable[[str], int]:
    """Return the height of a card in its suit; the Seven is 0."""
    ranks = [rank for rank in reversed(order(play)) if rank != "U"]
    return lambda card: ranks.index(card[-1])


def length_fault(play: Play) -> str:
    """Return what is wrong with the lengths. 000 Making Trumps: the player who names the most trumps makes them; at a
    tie of opponents, the one whose lowest card is higher; partners decide as they like, but in the Alter Schoofkopp by
    the lowest card too."""
    turn = [(play.dealer + 1 + step) % 4 for step in range(4)]
    strict = play.rules == "alter-schoofkopp"
    most, tied, bound = 0, list[int](), [-1, -1]
    calls = list(play.calls or ())
    for number, (seat, call) in enumerate(calls[:4]):
        if seat != turn[number]:
            return "out of turn"
        hand = play.hands[seat]
        jacks = sum(card[1] == "U" for card in hand)
        if call.split()[0] in SOLOS:
            fits = number == len(calls) - 1 and (play.contract, play.declarer) == (call.split()[0], seat)
            return "" if fits else "another game than the Solo"
        if call in ("pass", "good"):
            if not most and 1 <= jacks <= 3:
                return "must bid"
            if not most and call == "good":
                return "finds good what nobody has bid"
            continue
        if not 1 <= jacks <= (4 if strict else 3):
            return f"bids with {jacks} Jacks"
        length = most if call == "mit" else int(call) if call.isdigit() else 0
        needs = 1 + (max(bound) if strict else bound[1 - seat % 2]) if length == most else 0
        if not 2 <= length <= 8 or length < most or (not most and call == "mit"):
            return "no such bid"
        if not any(have == length and low >= needs for have, low in proposed(play, seat)):
            return f"has no {length} trumps as good"
        tied = [*tied, seat] if length == most else [seat]
        if length > most:
            bound = [-1, -1]
        most = length
        bound[seat % 2] = max(bound[seat % 2], needs)
    if not most:
        return "" if play.declarer is None else "all have passed"
    if play.contract != "bauernstoss" or play.declarer is None or play.suit is None:
        return "another game than bid"
    return tie_fault(play, tied, most, calls[4:], strict)


def tie_fault(play: Play, tied: list[int], most: int, named: list[tuple[int, str]], strict: bool) -> str:
    """Return who makes trumps among those who have bid the same length, each in turn naming the lowest card or
    conceding."""
    me = play.declarer or 0
    length, lowest = lowest_of(play, me, play.suit or "")
    if me not in tied or length != most:
        return "not who bid the most, or not so many"
    partners = len({seat % 2 for seat in tied}) == 1
    if not named:
        return ""
    if len(tied) == 1 or (partners and not strict):
        invites = len(tied) > 1 and {call for _, call in named} == {"concede"}  # the partner to make trumps
        makers = {*tied} - {seat for seat, _ in named} or {*tied}
        return "" if invites and me in makers else "a name too many"
    best, winner = -1, -1
    if [seat for seat, _ in named] != tied[: len(named)]:
        return "out of turn"
    for seat, call in named:
        if call == "concede":
            if best < 0:
                return "the first concedes"
            continue
        if not call.startswith("lowest "):
            return "no lowest card"
        card = height(play)(call.split()[1])
        if card <= best or (most, card) not in proposed(play, seat):
            return "not higher, or not held"
        best, winner = card, seat
    if len(named) < len(tied):
        return ""  # the rest is not recorded
    mine = [height(play)(call.split()[1]) for seat, call in named if seat == me and call != "concede"]
    return "" if winner == me and mine == [lowest] else "another makes trumps"


def surrender_fault(play: Play) -> str:
    """Return what is wrong with a surrender. 004 Giving Up: an opponent offers, the declarer answers, and if it is
    accepted nothing is played."""
    told = [(seat, verb) for seat, verb in play.events if verb in ("offers-surrender", "accepts", "refuses")]
    if not told:
        return ""
    if not play.house["surrender"] or play.declarer is None or len(told) != 2:
        return "no such surrender, or no answer"
    (offering, offers), (answering, answers) = told
    fits = offers == "offers-surrender" and offering != play.declarer == answering and answers != offers
    return "" if fits and not (answers == "accepts" and play.tricks) else "no such surrender"


def called_fault(play: Play, mine: tuple[str, ...]) -> str:
    """Return why a card may not be called. 001 Contracts: Rufer; Muss-Spiel."""
    called, muss = play.called, "muss" in play.words
    if called is None or called in mine or kind(play, called) == "trump":
        return f"{called} may not be called"
    if play.partner is not None and called not in play.hands[play.partner]:
        return "the partner has not the called card"
    if muss and "EO" not in mine:
        return "who must play holds the highest Ober"
    plain = {
        suit: [card for card in mine if kind(play, card) == suit] for suit in SUITS if suit != play.house["trumps"]
    }
    steps = (
        [suit + "A" for suit, cards in plain.items() if cards and suit + "A" not in cards],
        [suit + "A" for suit, cards in plain.items() if not cards],
        [suit + "Z" for suit, cards in plain.items() if suit + "Z" not in cards],
        [suit + "K" for suit, cards in plain.items() if suit + "K" not in cards],
    )
    if play.rules == "asserufen":  # a void suit need not be announced, a Ten is called with three Aces alone
        may = next((cards for cards in steps[:3] if cards), [])
        void = bool(may) and may == steps[1]
        return "" if called in may and (void or "void" not in play.words) else f"{called} may not be called"
    step = next(number for number, cards in enumerate(steps) if cards) if muss else 0
    void = step == 1
    return "" if called in steps[step] and void == ("void" in play.words) else f"{called} may not be called"


def passing_fault(play: Play, dealt: tuple[tuple[str, ...], ...]) -> str:
    """Return why cards cannot have come to the hand they were played from. 001 Special Rounds: Schieber: the declarer
    takes the two highest Obers and passes two cards to the left, and that player two again, as far as the dealer."""
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
    """Return why this table does not allow a legen or Stoss."""
    way, knocks, seats = play.house["knock"], play.knocks, len(play.hands)
    turn = [(play.dealer + 1 + step) % seats for step in range(seats)]
    if isinstance(knocks, int):
        most = {"no": 0, "forehand": 1}.get(way, seats)
        if knocks > most:
            return "too many knocks"
    elif knocks:
        if way == "no" or len(set(knocks)) < len(knocks):
            return "a knock too many"
        if way == "forehand" and set(knocks) != {turn[0]}:
            return "only forehand knocks"
        if way == "in-turn" and set(knocks) != set(turn[: len(knocks)]):
            return "a knock out of turn"
    if play.house["hausbock"] and knocks == () and play.contract != "none":
        return "nobody has knocked, and it is played"
    doubles = play.doubles
    if doubles in (0, ()):
        return ""
    stoss, muss = play.house["stoss"], play.house["muss"]
    count = doubles if isinstance(doubles, int) else len(doubles)
    if play.contract == "ramsch" and play.house["ramsch"]["double"] == "trick-1":
        return "" if isinstance(doubles, int) or len(set(doubles)) == len(doubles) else "doubled twice"
    if "muss" in play.words and muss and not muss["stoss"]:
        return "no Stoss in a Muss"
    if play.declarer is None or stoss["until"] == "no" or (stoss["limit"] and count > stoss["limit"]):
        return "no such doubling"
    ours = ours_of(play)
    for number, seat in enumerate(() if isinstance(doubles, int) else doubles):
        if number % 2 == 0 and seat in ours and stoss["by"] == "defence":
            return "the declarer's side doubles"
        if number % 2 == 0 and number and seat in ours:
            return "the declarer's side answers itself"
        if number % 2 and (seat not in ours or (stoss["answer"] == "declarer" and seat != play.declarer)):
            return "another than the declarer answers"
    return ""


def at_play(play: Play) -> list[int]:
    """Return who plays, forehand first; not the partner of a Solo that is played with the hand laid down."""
    seats = [(play.dealer + 1 + step) % len(play.hands) for step in range(len(play.hands))]
    out = opposite(play.declarer) if play.contract in SOLOS and play.declarer is not None else None
    return [seat for seat in seats if seat != out]


def playing(play: Play, turn: int, place: int) -> int:
    """Return the player of a card of the trick that `turn` leads; places from 0."""
    seats = at_play(play)
    return seats[(seats.index(turn) + place) % len(seats)]


def first_turn(play: Play) -> int:
    """Return who leads to the first trick."""
    if play.contract in SOLOS:
        return at_play(play)[0]
    leads_first = play.contract == "bettel" and play.house["bettel"]["lead"] == "declarer"
    return play.declarer or 0 if leads_first else (play.dealer + 1) % len(play.hands)


def play_fault(play: Play) -> str:
    """Return what is wrong with the first illegal card or lead."""
    hands, seats = [list(hand) for hand in held(play)], len(at_play(play))
    turn = first_turn(play)
    searched = False
    for number, (leader, cards) in enumerate(play.tricks, 1):
        if leader not in (None, turn):
            return f"trick {number} is led by another"
        if len(cards) != seats:
            return f"trick {number} has {len(cards)} cards"
        for place, card in enumerate(cards):
            hand = hands[playing(play, turn, place)]
            why = objection(play, hand, cards[:place], card, searched)
            if why:
                return f"trick {number} card {place + 1}: {why}"
            hand.remove(card)
        searched = searched or (play.called is not None and kind(play, cards[0]) == play.called[0])
        turn = playing(play, turn, best_place(play, cards))
    return ""


def partner_of(play: Play) -> int | None:
    """Return the holder of the called card, or the partner in the record if the game calls none."""
    if play.contract == "rufspiel":
        return next((seat for seat, hand in enumerate(play.hands) if play.called in hand), None)
    return play.partner if play.contract in ("hochzeit", "kreuz") else None


def ours_of(play: Play) -> set[int]:
    """Return the side of the declarer; if partners sit opposite, that of forehand."""
    if play.contract in OF_TEAMS and play.declarer is not None:
        return {play.declarer, opposite(play.declarer)}
    if play.contract == "bierkopf" or (play.contract == "kreuz" and play.declarer is None):
        return {(play.dealer + 1) % 4, (play.dealer + 3) % 4}
    return {seat for seat in (play.declarer, partner_of(play)) if seat is not None}


def taken(play: Play) -> tuple[int, ...]:
    """Return who took each trick of a legal play."""
    winners = []
    turn = first_turn(play)
    for _, cards in play.tricks:
        turn = playing(play, turn, best_place(play, cards))
        winners.append(turn)
    return tuple(winners)


# --- what follows -----------------------------------------------------------------------------------------------------


def facts(play: Play) -> Facts | None:
    """Return the facts of a legal play, None if it was not played to its end."""
    winners, seats = taken(play), len(play.hands)
    points, tricks = [0] * seats, [0] * seats
    for winner, (_, cards) in zip(winners, play.tricks, strict=True):
        points[winner] += sum(WORTH[card[1]] for card in cards)
        tricks[winner] += 1
    if play.blind and play.declarer is not None and "schieber" not in play.rounds:
        points[play.declarer] += sum(WORTH[card[1]] for card in laid_away(play))
    ours = ours_of(play)
    lost_one = any(winner not in ours for winner in winners)
    surrendered = any(verb == "accepts" for _, verb in play.events)
    over = (
        play.contract == "sie"
        or surrendered
        or (play.contract in SOLOS and lost_one)
        or len(winners) == size_of(play)
        or (play.tout and lost_one)
        or (play.contract == "bettel" and any(winner in ours for winner in winners))
    )
    if not over:
        return None
    if play.contract == "ramsch":
        return ramsch(play, winners, tuple(points), tuple(tricks))
    if play.contract in OF_TEAMS:
        return teams(play, winners, tuple(points), tuple(tricks))
    return sides(play, winners, tuple(points), tuple(tricks), sorted(ours))


def sides(
    play: Play, winners: tuple[int, ...], points: tuple[int, ...], tricks: tuple[int, ...], ours: list[int]
) -> Facts:
    """Return the facts of a declarer, perhaps with a partner, against the rest. 001 Scoring, Runners, Doubles."""
    house, seats = play.house, range(len(play.hands))
    own, own_tricks = sum(points[seat] for seat in ours), sum(tricks[seat] for seat in ours)
    against = sum(points) - own
    all_ours = own_tricks == len(winners)
    levels = house["muss"]["levels"] if "muss" in play.words else house["levels"]
    surrender = {verb for _, verb in play.events}
    won: bool | None = own >= (91 if "refuses" in surrender else play.bid or levels["win"])
    won = True if "accepts" in surrender else won
    won = True if play.contract == "sie" else own_tricks == 0 if play.contract == "bettel" else won
    won = all_ours if play.tout else won
    even = play.contract == "bierkopf" or (play.contract == "kreuz" and play.declarer is None)
    if even and own == against:
        won = None
    schwarz: bool | None = all_ours if won else own_tricks == 0
    schneider: bool | None = (own >= levels["schneider"] if won else against >= levels["schneider_against"]) or schwarz
    as_tout = play.contract == "sie" and house["sie"] == "tout"
    if play.contract == "bettel" or (play.contract == "sie" and not as_tout) or (play.tout and house["tout"] != "all"):
        schneider = schwarz = None  # ignored
    if play.contract == "hochzeit" and not house["hochzeit"]["bonuses"]:
        schneider = schwarz = None
    if as_tout:
        schneider = schwarz = True
    if won is None or "accepts" in surrender:
        schneider = schwarz = False
    top, mine = trumps(play), held(play)
    if play.rules == "palatinate" and (play.contract == "solo" or house["discard_runners"]):
        mine = tuple(hand + laid_away(play) * (seat == play.declarer) for seat, hand in enumerate(mine))
    has = [any(card in mine[seat] for seat in ours) for card in top]
    count = next((n for n, each in enumerate(has) if each != has[0]), len(has))
    runners = None if not top or play.contract == "bettel" else count if has[0] else -count
    least = house["runners_from"].get(play.contract, 0)
    paid = min(count, house["runners_most"] or count) if runners and least and count >= least else 0
    high, black = bool(schneider), bool(schwarz)
    if play.tout and not won and house["tout"] == "all":  # a Tout costs what it would have won
        high = black = True
        schneider = schwarz = None
    parts, price = side_price(play, won, high, black, paid)
    sign = 0 if won is None else 1 if won else -1
    payments = [sign * price if seat in ours else -sign * price for seat in seats]
    if len(ours) == 1:
        payments[ours[0]] *= len(seats) - 1 + play.sitters
    payments += [-sign * price] * play.sitters
    rule = house["stock"]
    if play.stock and play.contract in rule["won_by"] and sign:
        played_for = play.stock if rule["cap"] is None else min(play.stock, rule["cap"])
        theirs = [seat for seat in seats if seat not in ours]
        getting = ours if won or rule["lost"] == "doubled" else theirs
        for seat in getting:
            payments[seat] += (1 if won or rule["lost"] == "to-winners" else -1) * (played_for // len(getting))
    if "accepts" in surrender:  # nothing is played
        points = tricks = ()
    return Facts(
        winners=winners, points=points, tricks=tricks, partner=partner_of(play), side_points=own, against=against,
        won=won, schneider=schneider, schwarz=schwarz, runners=runners, loser=None, virgins=(),
        parts=parts, price=price, payments=tuple(payments),
    )  # fmt: skip


def side_price(
    play: Play, won: bool | None, schneider: bool, schwarz: bool, runners: int
) -> tuple[tuple[int, ...], int]:
    """Return the parts of the price of one loser to one winner, and the price."""
    house = play.house
    parts = price_parts(play, schneider, schwarz, runners)
    game, level, run, knocks, doubles, _ = parts
    if won is None:
        return (0, 0, 0, 0, 0, 0), 0
    readings = []  # each doubles: the game, the game and runners, or all
    readings += [(2, house["tout"])] if play.tout and "tout" not in house["table"] else []
    readings += [(2, house["hand"])] if "hand" in play.words else []
    readings += [(2, "base")] if "open" in play.words else []
    if play.contract == "sie":
        readings.append((2, "all") if house["sie"] == "tout" else (4, house["sie"]))
    price = game
    for factor, what in readings:
        price *= factor if what == "base" else 1
    price += run
    for factor, what in readings:
        price *= factor if what == "base+runners" else 1
    price += level
    for factor, what in readings:
        price *= factor if what == "all" else 1
    price <<= knocks + doubles + doublings_of_the_table(play)
    price += min(play.stake, house["levels"]["stakes_most"] or play.stake) * game
    price *= house["point"]
    if house["cap"] is not None:
        alone = len(ours_of(play)) == 1 and house["cap_of"] == "player"
        price = min(price, house["cap"] // (len(play.hands) - 1 + play.sitters if alone else 1))
    return parts, price


def doublings_of_the_table(play: Play) -> int:
    """Return the doublings of bock rounds, a Hausbock, the cutter's knock, which does not count when all pass. 001
    Special Rounds, Klopfen."""
    passed = play.contract == "ramsch" or "muss" in play.words
    return play.rounds.count("bock") + (play.hausbock > 0) + (play.klopfen and not passed)


def price_parts(play: Play, schneider: bool, schwarz: bool, runners: int) -> tuple[int, ...]:
    """Return the amounts and counts that make the price."""
    prices, table = play.prices, play.house["table"]
    if play.rules in PALATINATE:
        return game_points(play, schneider, schwarz, runners)
    cheap = {"hochzeit": "rufspiel", "kreuz": "rufspiel", "bierkopf": "rufspiel"}
    usual = cheap.get(play.contract, play.contract if play.contract in ("rufspiel", "bettel", "ramsch") else "solo")
    counts = [each if isinstance(each, int) else len(each) for each in (play.knocks, play.doubles)]
    if table:  # the payment to a player by all who lose to them
        losers = 1 if usual == "rufspiel" else len(play.hands) - 1
        key = next(key for key in ("tout" if play.tout else "", play.contract, usual) if key in table)
        row = [points // losers for points in table[key]]
        return (row[0], row[2 if schwarz else 1 if schneider else 0] - row[0], 0, *counts, 0)
    bonus = prices["schwarz"] if schwarz else prices["schneider"] if schneider else 0
    return (prices.get(play.contract, prices.get(usual, 0)), bonus, runners * prices["runner"], *counts, 0)


def game_points(play: Play, schneider: bool, schwarz: bool, high: int) -> tuple[int, ...]:
    """Return the game points. 004 Scoring: one for the game, for Hearts (if an Ace is called they are always trumps),
    for Schneider and for Schwarz; for a Solo one, but among four players none, as in the example; one for each of the
    top trumps."""
    hearts = play.suit == "H" and play.contract != "rufspiel"
    solo = play.contract == "solo" and play.rules == "palatinate"
    doubles = play.doubles if isinstance(play.doubles, int) else len(play.doubles)
    return (1 + hearts + solo, schneider + schwarz, high, 0, doubles, 0)


def teams(play: Play, winners: tuple[int, ...], points: tuple[int, ...], tricks: tuple[int, ...]) -> Facts | None:
    """Return the facts of two pairs of players, one with the chalk. 000 Scoring, Alter Schoofkopp. None if nobody knows
    who has it."""
    me, old = play.declarer or 0, play.rules == "alter-schoofkopp"
    pairs = {side: [seat for seat in range(4) if seat % 2 == side] for side in (0, 1)}
    made = {side: sum(points[seat] for seat in pair) for side, pair in pairs.items()}
    took = {side: sum(tricks[seat] for seat in pair) for side, pair in pairs.items()}
    ours, high, black = me % 2, False, False
    if play.contract in SOLOS:
        scores = ours if took[1 - ours] == 0 else 1 - ours
        marks = 8 if play.contract == "small-solo" else 12
        if old:  # the whole game
            if play.marks is None or play.marks[scores] is None:
                return None
            marks = max(1, 15 - (play.marks[scores] or 0))
    else:
        chalk = None if play.chalk is None else play.chalk % 2
        if play.first and chalk is None and not old:
            chalk = next(seat for seat, hand in enumerate(play.hands) if "EU" in hand) % 2
        if play.first and chalk is None:  # nobody has it yet
            scores = next((side for side in (0, 1) if made[side] >= 61), 1 - ours)
        elif chalk is None:
            return None
        else:
            scores = chalk if made[chalk] >= 42 else 1 - chalk
        black = took[1 - scores] == 0
        high = black or made[scores] >= (89 if old else 91)
        marks = (4 if old else 3) if black else 2 if high else 1
    return Facts(
        winners=winners, points=points, tricks=tricks, partner=opposite(me), side_points=made[ours],
        against=made[1 - ours], won=scores == ours, schneider=None if play.contract in SOLOS else high,
        schwarz=None if play.contract in SOLOS else black, runners=None, loser=None, virgins=(),
        parts=(0,) * 6, price=0, payments=(), marks=tuple(marks * (seat % 2 == scores) for seat in range(4)),
        chalk=scores,
    )  # fmt: skip


def ramsch(play: Play, winners: tuple[int, ...], points: tuple[int, ...], tricks: tuple[int, ...]) -> Facts | None:
    """Return the facts of a Ramsch: the player with the most points pays the others. 001 Avoiding Passed Out Hands:
    Ramsch; None if a tie stays a tie."""
    rule, seats = play.house["ramsch"], range(len(play.hands))
    tied = [seat for seat in seats if points[seat] == max(points)]
    for reading in rule["tie"]:
        if len(tied) > 1:
            measure = {seat: standing(play, winners, seat, reading) for seat in tied}
            tied = [seat for seat in tied if measure[seat] == max(measure.values())]
    if len(tied) > 1:
        return None
    loser = tied[0]
    virgins = tuple(seat for seat in seats if not (points if rule["virgin_is"] == "no-points" else tricks)[seat])
    march = rule["march"]
    marched = tricks[loser] == len(winners) if march == "tricks" else march != "no" and points[loser] >= march
    parts = price_parts(play, False, False, 0)
    game = play.prices[rule["march_price"]] if marched else parts[0]
    times = parts[3] + parts[4] + doublings_of_the_table(play)
    reading = "no" if marched else rule["virgin"]
    each = {
        "no": (1, 1),
        "double-all": (1 << len(virgins), 1 << len(virgins)),
        "double-own": (1 << len(virgins), 1),
        "double-own-once": (2, 1),
    }[reading]
    gains = [0] * len(play.hands)
    for seat in seats:
        if seat != loser:
            under = rule["bonus_under"] and not marched
            bonus = (
                play.prices["schwarz" if not tricks[seat] else "schneider"] if points[seat] < rule["bonus_under"] else 0
            )
            gains[seat] = ((game + (bonus if under else 0)) << times) * (each[0] if seat in virgins else each[1])
            gains[seat] *= play.house["point"]
            if play.house["cap"] is not None:
                shares = len(play.hands) - 1 if play.house["cap_of"] == "player" else 1
                gains[seat] = min(gains[seat], play.house["cap"] // shares)
    gains[loser] = -sum(gains)
    return Facts(
        winners=winners, points=points, tricks=tricks, partner=None, side_points=points[loser], against=None, won=None,
        schneider=None, schwarz=None, runners=None, loser=None if marched else loser, virgins=virgins,
        parts=(*parts[:5], len(virgins)), price=game << times + (len(virgins) if reading == "double-all" else 0),
        payments=tuple(-gain if marched else gain for gain in gains),
    )  # fmt: skip


def standing(play: Play, winners: tuple[int, ...], seat: int, reading: str) -> int:
    """Return how a player ranks in a tie: the larger loses."""
    if reading == "tricks":
        return winners.count(seat)
    mine = [card for winner, (_, cards) in zip(winners, play.tricks, strict=True) if winner == seat for card in cards]
    cards = list(held(play)[seat]) if reading.startswith("own") else mine
    high = [card for card in trumps(play) if card in cards and (not reading.endswith("ober") or card[1] == "O")]
    if reading == "taken-trumps":
        return len(high)
    return 0 if not high else 100 - trumps(play).index(high[0])
