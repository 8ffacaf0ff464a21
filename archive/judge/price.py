"""The price of a deal described in words, at a table invented for it: it needs no archive, cards or names."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from archive.judge.judge_deal import judge
from archive.judge.types import Judgement
from archive.notation.game_words import words_of_rules
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.tariff import usual_tariff
from archive.record import Deal, Finding, Session, Stated, finding
from archive.rules import Contract, House, load
from archive.rules.tables import are_pairs_fixed
from archive.rules.titles import contract_title
from archive.say import Message, message, say
from archive.settle.ledger import empty_ledger

WITH_PARTNER = ("called", "named")  # parties with a partner who is not known beforehand
# Facts that have a line in a price that counts them, and its part.
OF_LINES = {"runners": "runners", "runner_count": "runners", "schneider": "schneider", "schwarz": "schwarz"}


def price_of(text: str, rules: str, settings: dict[str, Any], language: str = "en") -> Judgement | tuple[Finding, ...]:
    """Return the deal of a line of words, judged at a table with these settings, or the findings why not. The declarer
    sits first, a partner second; a player without a name is called by the role, in `language`."""
    folder = Path()
    settings = settings | ({"tariff": usual_tariff(settings["tariff"])} if "tariff" in settings else {})
    ruleset, findings = load(rules, settings or None, folder)
    if ruleset is None:
        return findings
    spoken = read_spoken_deal(text, words_of_rules(rules, folder))
    if isinstance(spoken, Finding):
        return (spoken,)
    row = ruleset.contracts.get(spoken.game.contract) if spoken.game else None
    if spoken.partner and row and row.parties not in WITH_PARTNER:
        why = message("judge.price-no-partner", contract=contract_title(row), name=spoken.partner)
        return (finding("bad-entry", key="deal", entry=text, expected=why),)
    of_each = spoken.stated.get("points")
    if isinstance(of_each, dict) and len(of_each) > ruleset.house.seats:
        why = message("notation.amount-for-each", players=ruleset.house.seats)
        return (finding("bad-entry", key="deal", entry=text, expected=why),)
    head = Session(players=seats_of(spoken, row, ruleset.house, language), rules=rules, house=settings or None)
    deal, table = invented_deal(spoken, row, len(head.players)), replace(empty_ledger(len(head.players)), game_deals=1)
    table = replace(table, rounds=None, queue=None) if deal.round else table  # not the first deal of the evening
    priced = judge(head, deal, 1, table)
    if priced.verdict == "undecidable":  # there is no record that could say it
        priced = replace(priced, reason=message("judge.price-lacks", missing=priced.missing))
    return replace(priced, findings=(*findings, *priced.findings)) if findings else priced  # of settings without use


def uncounted_facts(priced: Judgement) -> tuple[Message, ...]:
    """Return a message for each fact that the words tell and the price does not count, as runners where none are paid,
    or Schneider in a Tout."""
    stated, parts = priced.deal.stated, {line.part for line in priced.settlement.lines} if priced.settlement else set()
    told = (part for key, part in OF_LINES.items() if parts and part not in parts and getattr(stated, key, None))
    return tuple(message("judge.price-uncounted", fact=message(f"missing.{part}")) for part in told)


def seats_of(spoken: SpokenDeal, row: Contract | None, house: House, language: str) -> tuple[str, ...]:
    """Return the players of the invented table: declarer or loser, partner, and the others."""
    first = spoken.declarer or spoken.stated.get("loser") or say(message("judge.price-declarer"), language)
    with_partner = row is not None and row.parties in WITH_PARTNER
    second = (spoken.partner or say(message("judge.price-partner"), language),) if with_partner else ()
    of_each = spoken.stated.get("points")
    taken = tuple(of_each) if isinstance(of_each, dict) else (first, *second)
    names = (say(message("judge.price-other", n=n), language) for n in range(1, house.seats + 1))
    return tuple(dict.fromkeys((*taken, *spoken.against, *names)))[: house.seats]


def invented_deal(spoken: SpokenDeal, row: Contract | None, seats: int) -> Deal:
    """Return the deal with the facts of a line, its declarer in the first seat. Doublings and knocks are only counted,
    since who made them changes no price."""
    stated = dict(spoken.stated)
    virgins = stated.get("virgins")
    stated |= {"virgins": len(virgins)} if isinstance(virgins, tuple) else {}
    if isinstance(of_each := stated.get("points"), dict):  # who is not named has none
        stated["points"] = (*of_each.values(), *[0] * (seats - len(of_each)))
    if "loser" in stated:  # sits first; which of the others had no trick changes no price
        count = stated.get("virgins") or 0
        stated |= {"loser": 0} | ({"virgins": (1, 2)[:count]} if 0 < count < min(3, seats) else {})
    knocks, doubles = spoken.knocks, spoken.doubles
    return Deal(
        game=replace(spoken.game, declarer=0 if row is not None and row.declarer else None) if spoken.game else None,
        partner=1 if row is not None and row.parties in WITH_PARTNER and seats > 1 else None,
        dealer=seats - 1 if row is not None and are_pairs_fixed(row) else None,  # the first seat is forehand's
        knocks=len(knocks) if isinstance(knocks, tuple) else knocks,
        doubles=None if doubles is None else len(doubles),
        round=spoken.round,
        stated=Stated(**stated) if stated else None,
    )
