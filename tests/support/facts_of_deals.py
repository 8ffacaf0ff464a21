"""Deals reduced to the facts that people write on a score sheet: what was played by whom, who won and how high."""

from msgspec.structs import replace

from archive.judge import Judgement
from archive.record import Deal, Stated
from archive.settle.marks_ledger import marks_after


def facts_of(found: Judgement, amounts: bool = True) -> Deal:
    """Return the record of a judged deal without a single card: its facts as the rules give them, with its amounts or
    not."""
    deal, settled = found.deal, found.settlement
    each = settled.loser is not None or settled.march is not None
    stated = Stated(
        won=settled.won,
        points=found.replay.points if each else settled.side_points if settled.undecided or settled.marks else None,
        partner=None,
        schneider=settled.schneider,
        schwarz=settled.schwarz,
        runners=settled.runners if settled.runners_paid else None,
        loser=settled.loser,
        virgins=settled.virgins if each else None,
        payments=settled.payments if amounts else None,
        marks=marks_after(found.before, settled) if amounts else None,
    )
    return replace(
        deal, hands=None, held=None, blind=None, exchange=None, tricks=None, auction=None, packet=None, events=None,
        partner=found.replay.partner, stated=stated,
    )  # fmt: skip
