"""An analysis as plain values, for JSON."""

from typing import Any

from archive.analysis.open_cards import ENGINE, Analysis
from archive.judge.types import Judgement
from archive.say import message, say


def analysis_report(judgement: Judgement, result: Analysis | str) -> dict[str, Any]:
    """An analysis: `levels` are the results that the game can come to, worst first for the declarer's side, each with
    its payments in the unit of the record; `start`, `end` and the values of cards are their numbers. Where there is
    none, `missing` says why."""
    head = {"deal": judgement.number, "engine": ENGINE, "players": judgement.session.players}
    if isinstance(result, str):
        return head | {"missing": say(message(result))}
    return head | {
        "levels": [
            {
                "won": level.settlement.won,
                "schneider": level.settlement.schneider,
                "schwarz": level.settlement.schwarz,
                "payments": level.payments,
            }
            for level in result.levels.levels
        ],
        "start": result.start,
        "end": result.end,
        "decisions": [
            {
                "trick": each.trick,
                "place": each.place,
                "player": judgement.session.players[each.seat],
                "card": each.card,
                "values": each.values,
                "best": each.best,
                "value": each.value,
                "loss": each.loss,
            }
            for each in result.decisions
        ],
    }
