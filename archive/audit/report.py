"""The object of `schafkopf check --json`: one a deal, names instead of seats, unknown is null; keys are only added."""

from typing import Any

import msgspec

from archive.audit.deciding import deciding
from archive.audit.german import told_in
from archive.audit.types import ENGINE, Judgement, Table
from archive.play.words import is_tout
from archive.record import Finding, remedy
from archive.record.german import german
from archive.settle.ledger import balance

KEYS = (
    "path line deal id rules unit contract suit called tout bid round declarer partner seats sides won dealer points "
    "tricks_won side_points schneider schwarz runners runners_paid multiplier price payments marks chalk state "
    "settlement stated verdict reason missing findings engine deciding"
).split()


def lone(each: Finding) -> dict[str, Any]:
    """A finding that belongs to no deal that could be read, as the same object."""
    path = each.source.path if each.source else None
    line = each.source.line if each.source else None
    return dict.fromkeys(KEYS) | {"path": path, "line": line, "findings": [finding_report(each)], "engine": ENGINE}


def report(found: Judgement) -> dict[str, Any]:
    """A judgement as public JSON. Card points and amounts are integers, amounts in the record's unit."""
    deal, session, played, settled = found.deal, found.session, found.replay, found.settlement
    game, stated = deal.game, deal.stated
    names = session.players

    def name(seat: int | None) -> str | None:
        return None if seat is None else names[seat]

    won = None
    if settled and settled.winners:
        won = [seat in settled.winners for seat in range(len(names))]
    ruleset = found.ruleset
    return {
        "path": deal.source.path if deal.source else None,
        "line": deal.source.line if deal.source else None,
        "deal": found.number,
        "id": deal.id,
        "rules": ruleset.id if ruleset else session.rules,
        "unit": session.unit or (ruleset.house.unit if ruleset else None),
        "contract": game.contract if game else None,
        "suit": game.suit if game else None,
        "called": game.called if game else None,
        "tout": is_tout(deal) if game else None,
        "bid": game.bid if game else None,
        "round": deal.round,
        "declarer": name(game.declarer) if game else None,
        "partner": name(played.partner) if played else None,
        "seats": list(names),
        "sides": list(played.sides) if played else None,
        "won": won,
        "dealer": name(played.dealer if played else deal.dealer),
        "points": list(played.points) if played else None,
        "tricks_won": list(played.tricks_won) if played else None,
        "side_points": settled.side_points if settled else None,
        "schneider": settled.schneider if settled else None,
        "schwarz": settled.schwarz if settled else None,
        "runners": settled.runners if settled else None,
        "runners_paid": settled.runners_paid if settled else None,
        "multiplier": settled.multiplier if settled else None,
        "price": settled.price if settled else None,
        "payments": list(settled.payments) if settled and settled.payments else None,
        "marks": list(settled.marks) if settled and settled.marks else None,
        "chalk": name(settled.chalk) if settled else None,
        "state": state_report(found.before, found) | {"after": state_report(found.after, found)},
        "settlement": [
            msgspec.to_builtins(line) | {"who": [names[seat] for seat in line.who]}
            for line in (settled.lines if settled else ())
        ],
        "stated": stated_report(found) if stated else None,
        "verdict": found.verdict,
        "reason": found.reason,
        "missing": list(found.missing),
        "findings": [finding_report(each) for each in found.findings],
        "engine": ENGINE,
        "deciding": list(deciding(found)),
    }


def with_german(told: dict[str, Any], found: Judgement | Finding) -> dict[str, Any]:
    """The object of `report` or `lone` with the German of its sentences beside them: `reason_de`, `missing_de`,
    `deciding_de`, of each line `text_de`, of each finding `message_de` and `remedy_de`."""
    shown = told_in(found, "de")
    findings = (shown,) if isinstance(shown, Finding) else shown.findings
    each = [
        known | {"message_de": one.message, "remedy_de": remedy(one.rule, "de")}
        for known, one in zip(told["findings"], findings, strict=True)
    ]
    if isinstance(shown, Finding):
        return told | {"findings": each, "reason_de": None, "missing_de": None, "deciding_de": None}
    lines = shown.settlement.lines if shown.settlement else ()
    told_lines = [known | {"text_de": line.text} for known, line in zip(told["settlement"], lines, strict=True)]
    return told | {
        "settlement": told_lines,
        "findings": each,
        "reason_de": shown.reason,
        "missing_de": list(shown.missing),
        "deciding_de": list(map(german, told["deciding"])),
    }


def state_report(table: Table, found: Judgement) -> dict[str, Any]:
    """What lies on the table: the turn to deal, the totals, what waits. `sum` are all totals with the pot."""
    names, house = found.session.players, found.ruleset.house if found.ruleset else None
    listing = {"name": table.list_name, "deals": table.list_deals, "of": house.list or None if house else None}
    return {
        "dealer": None if table.dealer is None else names[table.dealer],
        "totals": table.totals,
        "stock": table.stock,
        "hausbock": table.hausbock,
        "stake": table.stake,
        "rounds": None if table.rounds is None else [{"round": name, "deals": left} for name, left in table.rounds],
        "queue": table.queue,
        "list": listing,
        "away": dict(table.away),
        "sum": balance(table),
        "marks": table.marks if house and house.marks else None,
        "chalk": None if table.chalk is None else names[table.chalk],
    }


def stated_report(found: Judgement) -> dict[str, Any]:
    """What the source states, keys that it does not state left out, seats by name."""
    stated = msgspec.to_builtins(found.deal.stated)
    names = found.session.players
    for key in ("winners", "partner", "loser", "virgins"):
        value = stated[key]
        if isinstance(value, tuple | list):
            stated[key] = [names[seat] for seat in value]
        elif value is not None and key != "virgins":
            stated[key] = names[value]
    return {key: value for key, value in stated.items() if value is not None}


def finding_report(each: Finding) -> dict[str, Any]:
    """A finding as public JSON; `deal` is its number, of an unreadable one its position in the session."""
    trick, _, card = (each.at or "").partition(".")
    where = each.source
    return {
        "rule": each.rule,
        "severity": each.severity,
        "message": each.message,
        "trick": int(trick) if trick.isdecimal() else None,
        "card": int(card) if card.isdecimal() else None,
        "line": where.line if where else None,
        "path": where.path if where else None,
        "deal": where.deal if where else None,
        "remedy": remedy(each.rule),
    }
