"""The messages of an explanation: settings and their values, and the explanation as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from archive.cards import suit_name
from archive.explain.types import Change, Explanation, offer_by
from archive.judge.types import Judgement
from archive.rules import UNKNOWN
from archive.say import Fact, Message, has_text, message

NOTHING_TO_EXPLAIN = message("explain.nothing-to-explain")
ALIKE = {"tout": "doubled", "hand": "doubled"}  # settings whose values are named by another's rows


# --- settings ---------------------------------------------------------------------------------------------------------


def setting_facts(key: str, value: Any, was: Any, contract: str, titles: Mapping[str, str]) -> dict[str, Fact]:
    """Return the facts of a reading: `what` is set, its `value` and what it `was`. A setting that has no row is named
    by the title of the contract that is played."""
    id = f"settings.{key}"
    what: Fact = Message(id) if has_text(id) else titles.get(contract, key)
    if suit := suit_name(key.partition(" ")[2]):
        what = message("settings.in-suit", title=what, suit=suit)
    return {"what": what, "value": value_fact(key, value, titles), "was": value_fact(key, was, titles)}


OF_KEY = {
    "ramsch.virgin_is": "ramsch-virgin-is", "stock.won_by": "stock-won-by",
    "levels.schneider_against": "level-schneider-against",
}  # fmt: skip


def row_of_reading(cause: str, key: str, value: Any, was: Any) -> str:
    """Return the row that words a reading if it is not the cause's own: for a setting that becomes, or is no longer,
    left open."""
    if key in ("cap", "stock.amount", "ramsch.bonus_under"):
        row = "stock-amount" if key == "stock.amount" else cause
        return f"{row}-none" if not value else f"{row}-new" if not was else row
    if key == "tariff":
        return "tariff-known" if was in ("", UNKNOWN) else "tariff-plain" if was == value else ""
    if isinstance(value, bool):
        return f"{key.replace('_', '-').replace('.', '-')}{'' if value else '-not'}"
    return OF_KEY.get(key, "")


def value_fact(key: str, value: Any, titles: Mapping[str, str]) -> Fact:
    """Return the value of a setting (dotted, under house) as a fact; one that has no row is a title of a contract, or
    itself."""
    if isinstance(value, list | tuple):
        values = [value_fact(key, entry, titles) for entry in value]
        return _ladder(values) if key == "ramsch.tie" and values else tuple(values) or message("settings.no-game")
    if isinstance(value, dict):
        return message(f"settings.{key}=both", **value)
    name = str(value).lower() if value is None or isinstance(value, bool) else value
    table = key.partition(".")[0]
    for id in (f"settings.{key}={name}", f"settings.{ALIKE.get(key, table)}={name}"):
        if has_text(id):
            return Message(id)
    for id in (f"settings.{key}=number", f"settings.{table}=number"):
        if isinstance(value, int) and not isinstance(value, bool) and has_text(id):
            return Message(id, {"n": value})
    return titles.get(value, str(value))


def _ladder(values: Sequence[Fact]) -> Fact:
    """Return values, each of which decides if the one before it does not."""
    first, *rest = values
    return message("settings.then", first=first, rest=_ladder(rest)) if rest else first


# --- the whole --------------------------------------------------------------------------------------------------------


def reason_of(judgement: Judgement) -> Message:
    """Return the reason of the verdict; for half a record first what is surely wrong, then what it lacks."""
    lacks = message("judge.lacks", missing=judgement.missing)
    if not judgement.missing or judgement.verdict == "undecidable":
        return message("explain.reason", reason=lacks if judgement.missing else judgement.reason)
    return message("explain.reason-and-more", reason=judgement.reason, more=lacks)


def result_of_search(explanations: Sequence[Explanation], tried: int, whole: bool) -> Message:
    """Return a message on the likeliest explanation and how many others fit; or that none does, of how many that were
    tried."""
    if not explanations:
        return message("explain.none-of-all" if whole else "explain.none-of-tried", tried=tried)
    changes, others = offer_of(explanations[0].changes), len(explanations) - 1
    if not others:
        return message("explain.only-one", changes=changes)
    return message("explain.with-others", changes=changes, n=others)


def offer_of(changes: Sequence[Change]) -> Message:
    """Return the sentence of an explanation: what it would fit by."""
    first, *rest = (change.clause for change in changes)
    if not rest:
        return Message(offer_by(changes[0].basis), {"clause": first})
    return Message(offer_by(changes[0].basis, pair=True), {"first": first, "second": rest[0]})
