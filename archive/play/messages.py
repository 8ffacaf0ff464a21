"""Messages of the play that several of its rooms need."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from archive.cards import suit_name
from archive.say import Message, has_text, message

Facts = dict[str, Any]  # of a finding, by the fields of its text
Wrong = tuple[str, Facts]  # a mistake in a turn: its rule id, and the facts of its sentence


def not_allowed(why: Message) -> Wrong:
    return "turn-not-allowed", {"why": why}


def call_message(call: str) -> Message | str:
    """Return the message of a call; words that have no message of their own stay as written."""
    head, _, contract = call.partition("-")
    if head in ("have", "not") and contract:
        return message(f"calls.{head}", contract=call_message(contract))
    word, _, rank = call.partition(" ")
    if word == "lowest" and rank:
        return message("calls.lowest", rank=rank)
    if has_text(f"calls.{call}"):
        return message(f"calls.{call}")
    title = f"titles.contract-{word}"
    if not has_text(title):
        return call
    return message("play.words", first=message(title), then=suit_name(rank) or rank) if rank else message(title)


def verb_message(verb: str) -> Message | str:
    """Return the message of an event's verb, or the verb as written if it has none."""
    return message(f"play.verb-{verb}") if has_text(f"play.verb-{verb}") else verb


def either(parts: Iterable[Message | str]) -> Message | str:
    """Return any of some parts: `EA or GA or SA`."""
    return reduce(lambda first, second: message("play.either", first=first, second=second), parts)


def both(parts: Iterable[Message | str]) -> Message | str:
    """Return all of some parts: `Anna revoked and Ben revoked`."""
    return reduce(lambda first, second: message("play.both", first=first, second=second), parts)
