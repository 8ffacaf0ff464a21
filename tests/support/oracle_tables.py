"""A second opinion on games with cards on the table, written from the documents and from nothing of ours: it reads a
record as the words that stand in its file, and shares no line with the engine.

001 Two-Hand Schafkopf; 002 06.4 Lake Constance Jass.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

SUITS = "EGHS"
DOWN = {36: "AZKOU9876", 32: "AZKOU987", 24: "AZKOU9", 20: "AZKOU"}
WORTH = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}


class Outcome(NamedTuple):
    """The first thing that is illegal (`2.1`: trick 2, card 1; `3`: a leader; empty: none), and what both have."""

    fault: str
    points: dict[str, int]
    tricks: dict[str, int]
    last: str = ""  # who took the last trick


class Game(NamedTuple):
    """The requirements of a game, spelled out: cards from the top, of the trumps and of a plain suit."""

    trumps: tuple[str, ...]
    plain: str
    worth: dict[str, int]


def schafkopf(contract: str, suit: str, deck: int) -> Game:
    """Return a game of 001: the lords, then the rest of the trump suit."""
    lords = {"geier": "O", "wenz": "U"}.get(contract, "OU")
    high = [s + lord for lord in lords for s in SUITS]
    low = [suit + rank for rank in DOWN[deck] if suit and rank not in lords]
    worth = {s + rank: WORTH.get(rank, 0) for s in SUITS for rank in DOWN[deck]}
    return Game((*high, *low), DOWN[deck], worth)


def kind(game: Game, card: str) -> str:
    return "trump" if card in game.trumps else card[0]


def beats(game: Game, later: str, first: str) -> bool:
    """Return whether the second of two cards takes the trick."""
    if kind(game, later) != kind(game, first):
        return kind(game, later) == "trump"
    row = game.trumps if later in game.trumps else [first[0] + rank for rank in game.plain]
    return row.index(later) < row.index(first)


def named(entry: str) -> tuple[str, list[str]]:
    """Return a player and cards as text: `Anna: EO GO`."""
    name, _, cards = entry.partition(": ")
    return name, cards.split()


def refuses(game: Game, open_cards: list[str], led: str, card: str) -> bool:
    """Return whether a card does not follow although the player could."""
    same = [each for each in open_cards if kind(game, each) == kind(game, led)]
    return bool(same) and card not in same


Refuses = Callable[[Game, list[str], str, str], bool]


def play_out(deal: dict[str, Any], players: list[str], game: Game, leader: str, refused: Refuses = refuses) -> Outcome:
    """Play the tricks of two, card by card, each from the open cards of its player."""
    held = {name: [each.split("/") for each in cards] for name, cards in map(named, deal["hands"])}
    points, tricks = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    fault, turn = "", leader
    for number, entry in enumerate(deal["tricks"], 1):
        who, cards = named(entry)
        if who != turn and not fault:
            fault = str(number)
        order = [who, next(each for each in players if each != who)]
        for place, (name, card) in enumerate(zip(order, cards, strict=True), 1):
            stack = next((each for each in held[name] if each[0] == card), None)
            open_cards = [each[0] for each in held[name]]
            bad = stack is None or (place == 2 and refused(game, open_cards, cards[0], card))
            if bad and not fault:
                fault = f"{number}.{place}"
            if stack is not None:
                stack.pop(0)
        held = {name: [each for each in stacks if each] for name, stacks in held.items()}
        turn = order[1] if beats(game, cards[1], cards[0]) else order[0]
        points[turn] += sum(game.worth[card] for card in cards)
        tricks[turn] += 1
    return Outcome(fault, points, tricks, turn)


def vicars(deal: dict[str, Any], players: list[str]) -> tuple[Outcome, list[int] | None]:
    """Return the outcome of vicar's Schafkopf at 10/50 without runners: the points of each with the own pile, and the
    payments."""
    declarer, contract, *words = deal["game"].split()
    suit = next((word for word in words if word in SUITS), "")
    found = play_out(deal, players, schafkopf(contract, suit, 24), declarer)
    points = dict(found.points)
    for name, cards in map(named, deal["piles"]):
        points[name] += sum(WORTH.get(card[1], 0) for card in cards)
    mine, theirs = points[declarer], 120 - points[declarer]
    every = found.tricks[declarer] == 8
    won = every if "tout" in words else mine >= 61
    loser = next(name for name in players if (name != declarer) == won)
    high = 2 if found.tricks[loser] == 0 else int(mine >= 91 or theirs >= 90)
    price = (100 if "tout" in words else 50 + 10 * high) * 2 ** len(deal.get("doubles", []))
    return found._replace(points=points), [-price if name == loser else price for name in players]


def officers(deal: dict[str, Any], players: list[str]) -> tuple[Outcome, list[int] | None]:
    """Return the outcome of officers' Schafkopf: 1 for the game, 2 for Schneider, 3 for Schwarz."""
    declarer, contract, *words = deal["game"].split()
    suit = "H" if contract == "officers-hearts" else next((word for word in words if word in SUITS), "")
    found = play_out(deal, players, schafkopf(contract, suit, 32), declarer)
    mine, theirs = found.points[declarer], 120 - found.points[declarer]
    other = next(name for name in players if name != declarer)
    won = found.tricks[other] == 0 if "tout" in words else mine >= 61
    loser = other if won else declarer
    price = 3 if found.tricks[loser] == 0 else 2 if mine >= 91 or theirs >= 90 else 1
    price = (2 if "tout" in words else price) * 2 ** len(deal.get("knocks", []))
    return found, [-price if name == loser else price for name in players]


def jass_game(contract: str, suit: str) -> Game:
    """Return a game of 002 06.4: Under and Nine are the highest trumps; Bock is from the top down, Gais upside down."""
    if contract == "jass":
        worth = {s + rank: WORTH.get(rank, 0) for s in SUITS for rank in DOWN[36]}
        worth |= {suit + "U": 20, suit + "9": 14}
        return Game(tuple(suit + rank for rank in "U9AKOZ876"), "AKOUZ9876", worth)
    worth = {s + rank: WORTH.get(rank, 0) for s in SUITS for rank in DOWN[36]} | {s + "8": 8 for s in SUITS}
    return Game((), "AKOUZ9876" if contract == "bock" else "6789ZUOKA", worth)


def jass_refuses(game: Game, open_cards: list[str], led: str, card: str) -> bool:
    """Return whether a card may not be played to another: a player with the suit led plays it or a trump; trumps must
    be followed, but the Bur may stay."""
    same = [each for each in open_cards if kind(game, each) == kind(game, led)]
    if kind(game, led) == "trump":
        bound = [each for each in same if each[1] != "U"]
        return bool(bound) and card not in same
    return bool(same) and card not in same and card not in game.trumps


def jass(deal: dict[str, Any], players: list[str]) -> tuple[Outcome, list[int] | None]:
    """Return the outcome of Lake Constance Jass: a tally to the bidder who made it, else to the other; under 21 the
    loser is in the sack."""
    declarer, contract, *rest = deal["game"].split()
    suit, bid = rest[0] if len(rest) > 1 else "", int(rest[-1])
    found = play_out(deal, players, jass_game(contract, suit), declarer, jass_refuses)
    last = len(deal["tricks"]) == 18
    taker = next((name for name in players if found.last == name), players[0])
    points = found.points | ({taker: found.points[taker] + 5} if last else {})
    won = points[declarer] >= bid
    tallies = []
    for name in players:
        wins = (name == declarer) == won
        tallies.append(1 if wins else -1 if points[name] < 21 else 0)
    return found._replace(points=points), tallies
