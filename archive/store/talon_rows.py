"""The rows of `talon_acts`: draws and acts in a game with a talon."""

from typing import Any

from archive.judge.types import Judgement
from archive.play.types import Act, Draw

Row = dict[str, Any]
AFTER_TRICK = 99  # the place of a draw: after every card of a trick


def talon_rows(judgement: Judgement) -> list[Row]:
    """Return the rows of `talon_acts`: draws and acts in the order in which they were done."""
    talon = judgement.replay.talon if judgement.replay else None
    if talon is None:
        return []
    done: list[Act | Draw] = [*talon.acts, *talon.draws]
    done.sort(key=lambda each: (each.trick, each.place if isinstance(each, Act) else AFTER_TRICK))
    return [
        {"n": n, "seat": each.seat + 1, **(draw_row(each) if isinstance(each, Draw) else act_row(each))}
        for n, each in enumerate(done, 1)
    ]


def draw_row(draw: Draw) -> Row:
    """Return the columns of a drawn card."""
    of_act = {"act": "draws", "trick": draw.trick, "card": None, "cards": draw.card}
    return {**of_act, "given": None, "points": None, "talon_left": draw.left}


def act_row(act: Act) -> Row:
    """Return the columns of an act."""
    given, cards = (act.cards[:1], act.cards[1:]) if act.verb == "takes-trump" else ((), act.cards)
    return {
        "act": act.verb,
        "trick": act.trick,
        "card": act.place,
        "cards": " ".join(cards) or None,
        "given": " ".join(given) or None,
        "points": act.points if act.verb == "marriage" else None,
        "talon_left": act.left,
    }
