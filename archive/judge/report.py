"""The object of `schafkopf check --json`, one a deal: names for seats, null for the unknown; keys are only added."""

from typing import Any

import msgspec

from archive.judge.decisive_facts import decisive_facts
from archive.judge.price_range import PriceRange, price_range
from archive.judge.sentences import faces_of, say_line, say_missing, say_reason
from archive.judge.set_right import set_right_report
from archive.judge.types import ENGINE, Judgement, LedgerState, unit_of_deal
from archive.play.game_words import is_tout
from archive.play.types import TalonPlay, TurnStep
from archive.record import Finding, remedy, say_finding
from archive.rules.tables import score_of
from archive.say import say
from archive.settle.ledger import balance
from archive.settle.types import SettlementLine

KEYS = (
    "path line deal id rules unit contract suit called tout bid round declarer partner seats sides won dealer points "
    "tricks_won side_points schneider schwarz runners runners_paid runner_count multiplier price payments marks chalk "
    "state settlement stated verdict reason missing findings engine deciding basis unwritten sets_right price_range"
).split()
OF_SETTLEMENT = "side_points schneider schwarz runners runners_paid runner_count multiplier price".split()
TEXTS = ("reason", "missing", "deciding", "unwritten")


def lone_finding_report(each: Finding, language: str) -> dict[str, Any]:
    """Return a finding that belongs to no readable deal as the object of a deal; `language` as in `report`."""
    path = each.source.path if each.source else None
    line = each.source.line if each.source else None
    texts = () if language == "en" else (f"{key}_{language}" for key in TEXTS)
    findings = [finding_report(each, language)]
    return dict.fromkeys((*KEYS, *texts)) | {"path": path, "line": line, "findings": findings, "engine": ENGINE}


def report(judgement: Judgement, language: str = "en") -> dict[str, Any]:
    """Return a judgement as public JSON. Card points and amounts are integers, amounts in the record's unit. A
    `language` other than English adds its sentences beside the English: `reason_de`, `missing_de`, `deciding_de`,
    `text_de` for each line, `message_de` and `remedy_de` for each finding."""
    played, settled, names = judgement.replay, judgement.settlement, judgement.session.players
    is_open = judgement.verdict == "undecidable"
    decisive, known = (decisive_facts(judgement), price_range(judgement)) if is_open else ((), None)
    lines = known.lines if known else settled.lines if settled else ()
    fields: dict[str, Any] = {
        **game_report(judgement),
        "won": [seat in settled.winners for seat in range(len(names))] if settled and settled.winners else None,
        "dealer": player_at(judgement, played.dealer if played else judgement.deal.dealer),
        "points": list(played.points) if played else None,
        "tricks_won": list(played.tricks_won) if played else None,
        **{key: getattr(settled, key, None) for key in OF_SETTLEMENT},
        "payments": list(settled.payments) if settled and settled.payments else None,
        "marks": list(settled.marks) if settled and settled.marks else None,
        "chalk": player_at(judgement, settled.chalk) if settled else None,
        "state": state_report(judgement.before, judgement) | {"after": state_report(judgement.after, judgement)},
        "settlement": [line_report(judgement, line, language) for line in lines],
        "stated": stated_report(judgement) if judgement.deal.stated else None,
        "verdict": judgement.verdict,
        "reason": None,
        "missing": None,
        "findings": [finding_report(finding, language) for finding in judgement.findings],
        "engine": ENGINE,
        "deciding": None,
        "basis": judgement.basis,
        "unwritten": None,
        "sets_right": set_right_report(judgement, language),
        "price_range": None if known is None else price_range_report(names, known),
    }
    if played and played.piles:
        fields["piles"] = [None if pile is None else list(pile) for pile in played.piles]
    if played and played.turned is not None:
        fields["turns"] = [turn_report(names, step) for step in played.turned.steps]
    unwritten, faces = known.unwritten if known else judgement.unwritten, faces_of(judgement)
    if played and played.talon:
        fields["talon"] = talon_report(played.talon, names)
    for tongue, end in endings(language).items():
        fields[f"reason{end}"] = say_reason(judgement, tongue)
        fields[f"missing{end}"] = list(say_missing(judgement, tongue))
        fields[f"deciding{end}"] = [say(fact, tongue, faces) for fact in decisive]
        fields[f"unwritten{end}"] = [say(fact, tongue, faces) for fact in unwritten]
    return fields


def game_report(judgement: Judgement) -> dict[str, Any]:
    """Return which deal it is, under which rules, and who played what."""
    deal, played, ruleset = judgement.deal, judgement.replay, judgement.ruleset
    game = deal.game
    return {
        "path": deal.source.path if deal.source else None,
        "line": deal.source.line if deal.source else None,
        "deal": judgement.number,
        "id": deal.id,
        "rules": ruleset.id if ruleset else judgement.session.rules,
        "unit": unit_of_deal(judgement),
        **{key: getattr(game, key, None) for key in ("contract", "suit", "called")},
        "tout": is_tout(deal) if game else None,
        "bid": game.bid if game else None,
        "round": deal.round,
        "declarer": player_at(judgement, played.declarer if played else game.declarer if game else None),
        "partner": player_at(judgement, played.partner) if played else None,
        "seats": list(judgement.session.players),
        "sides": list(played.sides) if played else None,
    }


def player_at(judgement: Judgement, seat: int | None) -> str | None:
    return None if seat is None else judgement.session.players[seat]


def turn_report(names: tuple[str, ...], step: TurnStep) -> dict[str, Any]:
    """Return a turn as public JSON."""
    who = None if step.seat is None else names[step.seat]
    turn = step.turn
    what = {"source": turn.source, "target": turn.target or None, "cards": list(turn.cards)}
    return {"number": step.n, "round": step.round, "player": who, **what, "broken": step.broken}


def talon_report(talon: TalonPlay, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the course of a talon: the cards each player drew, in order, who closed, who called, and every marriage's
    score."""
    return {
        "drawn": [[draw.card for draw in talon.draws if draw.seat == seat] for seat in range(len(names))],
        "closed": None if talon.closer is None else names[talon.closer],
        "called": None if talon.caller is None else names[talon.caller],
        "marriages": [
            {"player": names[act.seat], "cards": list(act.cards), "points": act.points}
            for act in talon.acts
            if act.verb == "marriage"
        ],
    }


def endings(language: str) -> dict[str, str]:
    """Return the ending of the keys for each language in use: English, and the reader's own."""
    return {"en": ""} if language == "en" else {"en": "", language: f"_{language}"}


def line_report(judgement: Judgement, line: SettlementLine, language: str) -> dict[str, Any]:
    """Return a line of the settlement as public JSON."""
    names = judgement.session.players
    fields = {
        "kind": line.kind,
        "text": say_line(judgement, line),
        "amount": line.amount,
        "running": line.running,
        "cite": line.cite,
        "who": [names[seat] for seat in line.who],
        "proof": list(line.proof),
        "part": line.part,
    }
    if language != "en":
        fields[f"text_{language}"] = say_line(judgement, line, language)
    return fields


def price_range_report(names: tuple[str, ...], known: PriceRange) -> dict[str, Any]:
    """Return the price range of an undecidable deal as public JSON: its possible prices, and each player's least and
    most; the lines common to all are those of `settlement`."""
    return {
        "prices": list(known.prices),
        "least": dict(zip(names, known.least, strict=True)),
        "most": dict(zip(names, known.most, strict=True)),
    }


def state_report(table: LedgerState, judgement: Judgement) -> dict[str, Any]:
    """Return the ledger as public JSON: whose deal it is, the totals, the special rounds. `sum` is all totals plus the
    pot."""
    names, house = judgement.session.players, judgement.ruleset.house if judgement.ruleset else None
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
        "marks": table.marks if house and score_of(house) else None,
        "chalk": None if table.chalk is None else names[table.chalk],
    }


def stated_report(judgement: Judgement) -> dict[str, Any]:
    """Return the stated values as public JSON, with names for seats and without those that the source does not
    state."""
    stated = msgspec.to_builtins(judgement.deal.stated)
    names = judgement.session.players
    for key in ("winners", "partner", "loser", "virgins"):
        value = stated[key]
        if isinstance(value, tuple | list):
            stated[key] = [names[seat] for seat in value]
        elif value is not None and key != "virgins":
            stated[key] = names[value]
    return {key: value for key, value in stated.items() if value is not None}


def finding_report(each: Finding, language: str) -> dict[str, Any]:
    """Return a finding as public JSON; `deal` is its deal's number, or the position in the session if unreadable."""
    trick, _, card = (each.at or "").partition(".")
    where = each.source
    texts = {f"message_{language}": say_finding(each, language), f"remedy_{language}": remedy(each.rule, language)}
    return {
        "rule": each.rule,
        "severity": each.severity,
        "message": say_finding(each),
        "trick": int(trick) if trick.isdecimal() else None,
        "card": int(card) if card.isdecimal() else None,
        "line": where.line if where else None,
        "path": where.path if where else None,
        "deal": where.deal if where else None,
        "remedy": remedy(each.rule),
        **({} if language == "en" else texts),
    }
