"""An analysis as plain values, for JSON."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from archive.analysis.contracts import Declared, Prospect, chance_at_table, is_same
from archive.analysis.open_cards import ENGINE, Analysis, Place
from archive.analysis.proofs import Proof
from archive.analysis.worlds import Expected
from archive.judge.types import Judgement
from archive.notation.game_words import contract_text
from archive.say import message, say

NOTHING: Mapping[Place, Expected] = MappingProxyType({})


def analysis_report(
    judgement: Judgement, result: Analysis | str, known: Mapping[Place, Expected] = NOTHING
) -> dict[str, Any]:
    """Return an analysis: `levels` are the possible results of the game, worst first for the declarer's side, with
    payments in the unit of the record; `start`, `end` and the values of cards are their numbers. `as_known` is what the
    player could know: average amounts over `worlds` deals. If there is no analysis, `missing` says why."""
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
                **({"as_known": expected_report(known[each.at])} if each.at in known else {}),
            }
            for each in result.decisions
        ],
    }


def expected_report(expected: Expected) -> dict[str, Any]:
    """Return the cards of a decision by what its player could know."""
    return {
        "worlds": expected.worlds,
        "values": {card: round(value, 2) for card, value in expected.values.items()},
        "best": expected.best,
        "equal": expected.equal,
        "loss": round(expected.loss, 2),
        "error": round(expected.error, 2),
        "clear": expected.is_clear,
    }


def proofs_report(judgement: Judgement, found: Sequence[Proof]) -> dict[str, Any]:
    """Return the proofs of a deal, if any: for a claim whether it `holds`, and an `order` to lead the cards that no
    defence can break, empty if none is known; otherwise whether the game was `decided` by then, and the `payments` that
    perfect play by all sides leads to."""
    proved = [
        {
            "kind": each.kind,
            "trick": each.at[0],
            "place": each.at[1],
            "player": judgement.session.players[each.seat],
            **(
                {"holds": each.holds, "order": each.order}
                if each.level is None
                else {"decided": each.is_decided, "won": each.level.settlement.won, "payments": each.level.payments}
            ),
            "line": each.line,
        }
        for each in found
    ]
    return {"proofs": proved} if proved else {}


def contracts_report(
    judgement: Judgement, seat: int, found: Sequence[Prospect] | str, declared: Mapping[str, Declared]
) -> dict[str, Any]:
    """Return the games that a player could have declared, as plain values: how many of `worlds` deals each wins, and
    its average in the unit of the record. With `declared`, the games of an archive by contract, `at_table` is the
    calibrated chance, and the number of `deals` of its kind."""
    head = {"deal": judgement.number, "engine": ENGINE, "player": judgement.session.players[seat]}
    if isinstance(found, str):
        return head | {"missing": say(message(found))}
    return head | {
        "contracts": [
            {
                "contract": contract_text(each.game),
                "worlds": each.worlds,
                "won": each.won,
                "average": round(each.average, 2),
                "error": round(each.error, 2),
                "declared": judgement.deal.game is not None and is_same(each.game, judgement.deal.game),
                **chance_report(each, declared.get(each.game.contract)),
            }
            for each in found
        ]
    }


def chance_report(prospect: Prospect, declared: Declared | None) -> dict[str, Any]:
    """Return the calibrated chance of a game; empty if no archive is asked."""
    if declared is None:
        return {}
    chance = chance_at_table(prospect, declared)
    numbers = {name: round(getattr(chance, name), 4) if chance else None for name in ("share", "low", "high")}
    return {"at_table": numbers | {"deals": declared.deals}}
