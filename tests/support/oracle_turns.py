"""A second opinion on games without tricks, written from the documents and from nothing of ours: it reads a record as
the words that stand in its file.

002 06.2 Schnauz; 002 06.5 Solitaire.
"""

from fractions import Fraction
from typing import Any, NamedTuple

VALUES = {"A": 11, "K": 10, "O": 10, "U": 10, "Z": 10, "9": 9, "8": 8, "7": 7}


class Verdict(NamedTuple):
    """The number of the first turn that is wrong (0: none), whether the deal came to its end, and what is lost."""

    fault: int
    ended: bool
    lives: dict[str, int]


def score(hand: list[str]) -> Fraction:
    """Return what three cards are worth."""
    if len({card[1] for card in hand}) == 1:
        return Fraction(61, 2)
    return Fraction(max(sum(VALUES[card[1]] for card in hand if card[0] == suit) for suit in "EGHS"))


def is_fire(hand: list[str]) -> bool:
    return [card[1] for card in hand] == ["A", "A", "A"]


def schnauz(deal: dict[str, Any], players: list[str]) -> Verdict:
    """Return the verdict on a deal of Schnauz among those who have a hand."""
    hands = {}
    for line in deal["hands"]:
        name, _, cards = line.partition(": ")
        hands[name] = cards.split()
    table, dealer = deal["blind"].split(), deal["dealer"]
    at = players.index(dealer)
    order = [name for name in players[at + 1 :] + players[: at + 1] if name in hands]
    stock = 32 - 3 * len(order) - 3
    shown = {card for cards in [*hands.values(), table] for card in cards}
    fault, decided, next_up, own_turns, idle, closer, to_go = 0, False, 0, dict.fromkeys(order, 0), 0, "", 0

    def over() -> bool:
        return any(is_fire(hand) or score(hand) == 31 for hand in hands.values()) or (closer != "" and to_go == 0)

    done = over()
    for number, entry in enumerate(deal["turns"], 1):
        words = entry.split()
        bad = done
        if words[0] == "deals":
            new = words[1:]
            bad = bad or idle < len(order) or closer != "" or stock < 3 or len(new) != 3 or bool(shown & set(new))
            table, idle, stock = new, 0, stock - 3
            shown |= set(new)
        else:
            who, act = words[0], words[1:]
            expected = order[next_up] if decided else dealer
            bad = bad or who != expected or (idle >= len(order) and closer == "" and stock >= 3)
            bad = bad or (act[0] in ("keeps", "takes")) == decided
            if act == ["takes"] or act == ["all"]:
                hands[who], table = table, hands[who]
            elif ">" in act:
                mine, theirs = act[: act.index(">")], act[act.index(">") + 1 :]
                bad = bad or len(mine) != 1 or len(theirs) != 1 or mine[0] not in hands[who] or theirs[0] not in table
                if not bad:
                    hands[who][hands[who].index(mine[0])], table[table.index(theirs[0])] = theirs[0], mine[0]
            elif act == ["knocks"]:
                bad = bad or closer != "" or own_turns[who] == 0
            if not decided:
                decided = True
            else:
                own_turns[who] += 1
                next_up = (next_up + 1) % len(order)
                idle = idle + 1 if act in (["pass"], ["knocks"]) else 0
                if closer:
                    to_go -= 1
                elif act == ["knocks"]:
                    closer, to_go = who, len(order) - 1
        if bad:
            fault = number
            break
        done = over()
    lives = dict.fromkeys(players, 0)
    if any(is_fire(hand) for hand in hands.values()):
        lives |= {name: 0 if is_fire(hand) else -1 for name, hand in hands.items()}
    else:
        lowest = min(map(score, hands.values()))
        lives |= {name: -1 if score(hand) == lowest else 0 for name, hand in hands.items()}
    return Verdict(fault, done, lives)


def solitaire(deal: dict[str, Any]) -> tuple[int, int]:
    """Return the verdict on Solitaire: the number of the first turn that is wrong (0: none), and how many cards lie on
    the aces with them, if none is."""
    aces = dict.fromkeys("EGHS", 1)
    corners: dict[str, list[str]] = {name: [] for name in "1234"}
    pack, redeals = deal["talon"].split(), 0
    ranks = "A6789ZUOK"
    for number, entry in enumerate(deal["turns"], 1):
        words = entry.split()
        if words[0] == "again":
            if pack or redeals or sorted(words[1:]) != list("1234"):
                return number, 0
            pack = [card for name in words[1:] for card in corners[name]]
            corners, redeals = {name: [] for name in "1234"}, 1
            continue
        if len(words) != 3 or words[1] != ">":
            return number, 0
        source, _, target = words
        if source in corners:
            if not corners[source] or target in corners:
                return number, 0
            card = corners[source].pop()
        elif pack and pack[0] == source:
            card = pack.pop(0)
        else:
            return number, 0
        if target in corners:
            corners[target].append(card)
        elif target in aces and card == target + ranks[aces[target] : aces[target] + 1]:
            aces[target] += 1
        else:
            return number, 0
    return 0, sum(aces.values())
