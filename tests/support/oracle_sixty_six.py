"""A second opinion on Sixty-six, written from 002 06.1 and from nothing of ours: it reads a record as the words that
stand in its file, plays it through on lists of words, and shares no line with the engine."""

from typing import Any, NamedTuple

RANKS = "AZKOU9"  # from the top
WORTH = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2, "9": 0}


class Verdict(NamedTuple):
    """The place of the first thing that is illegal (`2.1`; `3`: a leader; empty: none), the points that count for each,
    the match points, who took each trick and how many that count each has taken."""

    fault: str
    points: dict[str, int]
    won: list[int] | None
    takers: list[str]
    taken: dict[str, int]


class Round:
    """A deal on the table."""

    def __init__(self, deal: dict[str, Any], players: list[str]) -> None:
        self.players = players
        self.hands = dict(map(named, deal["hands"]))
        self.talon = deal["talon"].split()
        self.trump = self.talon[-1][0]
        self.lowest = self.trump + ("9" if any("9" in card for card in self.pack()) else "U")
        self.points = dict.fromkeys(players, 0)
        self.taken = dict.fromkeys(players, 0)
        self.shown: set[str] = set()
        self.closed_by = ""
        self.called_by = ""
        self.size, self.drawn, self.most_drawn = len(self.hands[players[0]]), 0, len(self.talon) // 2

    def pack(self) -> list[str]:
        return [*self.talon, *(card for hand in self.hands.values() for card in hand)]

    def counts(self, name: str) -> bool:
        """Return the points that count: those of a player who did not close the deck are frozen."""
        return self.closed_by in ("", name)

    def does(self, name: str, words: list[str], leads: bool, card: str) -> bool:
        """Return the act of a player at the own turn, before a card; False if the rules do not allow it."""
        what, arg = words[0], words[1] if len(words) > 1 else ""
        hand = self.hands[name]
        if self.called_by:
            return False
        if what == "calls":
            self.called_by = name if arg == "66" else ""
            return arg == "66"
        if what == "marriage":
            pair = [arg + "K", arg + "O"]
            if not leads or arg in self.shown or any(each not in hand for each in pair) or (card and card not in pair):
                return False
            self.shown.add(arg)
            self.points[name] += (40 if arg == self.trump else 20) * self.counts(name)
            return True
        if self.closed_by or len(self.talon) < 2:
            return False
        if what == "closes":
            self.closed_by = name
            return True
        if arg != self.talon[-1] or self.lowest not in hand:
            return False
        hand.remove(self.lowest)
        hand.append(arg)
        self.talon[-1] = self.lowest
        return True

    def beats(self, later: str, first: str) -> bool:
        if later[0] == first[0]:
            return RANKS.index(later[1]) < RANKS.index(first[1])
        return later[0] == self.trump

    def must(self, hand: list[str], led: str) -> list[str]:
        """Return the cards that may be played to a card: any while there is a deck to draw from; then the suit, and
        higher if possible; without it a trump."""
        if self.talon and not self.closed_by:
            return hand
        suit = [card for card in hand if card[0] == led[0]]
        higher = [card for card in suit if self.beats(card, led)]
        return higher or suit or [card for card in hand if card[0] == self.trump] or hand

    def tricks_in_all(self) -> int:
        """Return how many tricks there are, or may be while anybody can draw."""
        drawn = self.drawn if self.closed_by or not self.talon else self.most_drawn
        return self.size + drawn

    def draws(self, taker: str) -> None:
        if self.talon and not self.closed_by:
            for name in (taker, other(self.players, taker)):
                self.hands[name].append(self.talon.pop(0))
            self.drawn += 1


def named(entry: str) -> tuple[str, list[str]]:
    name, _, cards = entry.partition(": ")
    return name, cards.split()


def other(players: list[str], name: str) -> str:
    return players[1] if name == players[0] else players[0]


def sixty_six(deal: dict[str, Any], players: list[str]) -> Verdict:
    """Return the verdict on Sixty-six: the tricks of two players and their acts between them."""
    table, turn, fault = Round(deal, players), other(players, deal["dealer"]), ""
    said = [(entry.split()[0][1:], *entry.split()[1:]) for entry in deal.get("events", [])]
    takers, reached = list[str](), set[str]()

    def act(trick: int, place: int, name: str, card: str) -> None:
        nonlocal fault
        at = f"{trick}.{place}"
        for moment, who, *words in said:
            reached.add(at)
            if moment == at and not (who == name and table.does(name, words, place == 1, card)):
                fault = fault or at

    for number, entry in enumerate(deal["tricks"], 1):
        who, cards = named(entry)
        if who != turn:
            fault = fault or str(number)
        order = [who, other(players, who)]
        for place, (name, card) in enumerate(zip(order, cards, strict=False), 1):
            act(number, place, name, card)
            hand = table.hands[name]
            if table.called_by or card not in hand or (place == 2 and card not in table.must(hand, cards[0])):
                fault = fault or f"{number}.{place}"
            if card in hand:
                hand.remove(card)
        if len(cards) < 2:
            act(number, len(cards) + 1, order[len(cards)], "")
            break
        turn = order[1] if table.beats(cards[1], cards[0]) else order[0]
        takers.append(turn)
        if table.counts(turn) and not table.called_by:
            table.points[turn] += sum(WORTH[card[1]] for card in cards)
            table.taken[turn] += 1
        table.draws(turn)
    else:
        act(len(deal["tricks"]) + 1, 1, turn, "")
    ends = table.tricks_in_all()
    never = sorted(([int(n) for n in moment.split(".")] for moment, *_ in said if moment not in reached))
    late = [f"{trick}.{place}" for trick, place in never if table.called_by or [trick, place] > [ends + 1, 1]]
    won = match_points(table, takers[-1] if takers else "")
    return Verdict(fault or next(iter(late), ""), table.points, won, takers, table.taken)


def match_points(table: Round, last: str) -> list[int] | None:
    """Return the match points by the table of the document; None if the cards have not been played out and nobody has
    called."""
    who = table.called_by or table.closed_by
    if not table.called_by and any(table.hands.values()):
        return None
    if not who:
        return [int(name == last) for name in table.players]
    right, rival = table.points[who] >= 66, other(table.players, who)
    if table.taken[rival] == 0:
        amount = 3
    elif right:
        amount = 1 if table.points[rival] >= 33 else 2
    else:
        amount = 2
    winner = who if right else rival
    return [amount if name == winner else 0 for name in table.players]
