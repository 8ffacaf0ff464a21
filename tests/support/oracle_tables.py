"""A second opinion on games with cards on the table, written from the documents and from nothing of ours: it reads a
record as the words that stand in its file, and shares no line with the engine.

001 Two-Hand Schafkopf; 002 06.4 Lake Constance Jass.
"""

from typing import Any, NamedTuple

SUITS = "EGHS"
DOWN = {36: "AZKOU9876", 32: "AZKOU987", 24: "AZKOU9", 20: "AZKOU"}
WORTH = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}


class Outcome(NamedTuple):
    """The first thing that is illegal (`2.1`: trick 2, card 1; `3`: a leader; empty: none), and what both have."""

    fault: str
    points: dict[str, int]
    tricks: dict[str, int]


class Game(NamedTuple):
    """What a game asks for, spelled out: cards from the top, of the trumps and of a plain suit."""

    trumps: tuple[str, ...]
    plain: str
    worth: dict[str, int]


def schafkopf(contract: str, suit: str, deck: int) -> Game:
    """A game of 001: the lords, then what is left of the trump suit."""
    lords = {"geier": "O", "wenz": "U"}.get(contract, "OU")
    high = [s + lord for lord in lords for s in SUITS]
    low = [suit + rank for rank in DOWN[deck] if suit and rank not in lords]
    worth = {s + rank: WORTH.get(rank, 0) for s in SUITS for rank in DOWN[deck]}
    return Game((*high, *low), DOWN[deck], worth)


def kind(game: Game, card: str) -> str:
    return "trump" if card in game.trumps else card[0]


def beats(game: Game, later: str, first: str) -> bool:
    """The second of two cards takes the trick."""
    if kind(game, later) != kind(game, first):
        return kind(game, later) == "trump"
    row = game.trumps if later in game.trumps else [first[0] + rank for rank in game.plain]
    return row.index(later) < row.index(first)


def named(entry: str) -> tuple[str, list[str]]:
    """`Anna: EO GO`."""
    name, _, cards = entry.partition(": ")
    return name, cards.split()


def play_out(deal: dict[str, Any], players: list[str], game: Game, leader: str) -> Outcome:
    """The tricks of two, card by card: from the open cards of each, following if able."""
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
            following = [each for each in open_cards if place == 2 and kind(game, each) == kind(game, cards[0])]
            if (stack is None or (following and card not in following)) and not fault:
                fault = f"{number}.{place}"
            if stack is not None:
                stack.pop(0)
        held = {name: [each for each in stacks if each] for name, stacks in held.items()}
        turn = order[1] if beats(game, cards[1], cards[0]) else order[0]
        points[turn] += sum(game.worth[card] for card in cards)
        tricks[turn] += 1
    return Outcome(fault, points, tricks)


def vicars(deal: dict[str, Any], players: list[str]) -> tuple[Outcome, list[int] | None]:
    """Vicar's Schafkopf at 10/50 without runners: what each has with the own pile, and what is paid."""
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
    """Officers' Schafkopf: 1 for the game, 2 for Schneider, 3 for Schwarz."""
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
