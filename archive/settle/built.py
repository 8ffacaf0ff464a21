"""Whether every suit is built; nothing is paid. 002 06.5 Solitaire."""

from archive.cards import is_known
from archive.play.building import count_built, whole
from archive.play.types import Replay
from archive.rules import Ruleset
from archive.say import message
from archive.settle.lines import Bill
from archive.settle.types import Settlement


def settle_built(players: tuple[str, ...], ruleset: Ruleset, played: Replay) -> Settlement:
    """Won with all suits whole; else the line says how many cards are built."""
    if played.turned is None or played.declarer is None:
        return Settlement(missing=played.missing)
    if any(step.card and not is_known(step.card) for step in played.turned.steps):
        return Settlement(missing=(*played.missing, message("missing.turns")))
    bill, of = Bill(ruleset, []), whole(ruleset.house)
    cards, last = count_built(played.turned.spots), played.turned.steps[-1:]
    says = message("settle.built", player=players[played.declarer], cards=cards, of=of)
    proof = tuple(f"t{step.moment}" for step in last)
    bill.put("game", "add", says, 0, "house.building", (played.declarer,), proof)
    return Settlement(
        lines=tuple(bill.lines),
        won=cards == of,
        winners=(played.declarer,) if cards == of else (),
        payments=(0,) * len(players),
    )
