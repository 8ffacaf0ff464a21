"""An explanation as public JSON; keys are only added."""

from typing import Any

import msgspec

from archive.explain.texts import offer_of
from archive.explain.types import Change, Explained, Explanation, SessionExplained, rows
from archive.say import LANGUAGES, Message, say


def explained_report(explained: Explained) -> dict[str, Any]:
    """Return an explained deal: `state`, `words` in all languages, the explanations in order."""
    return {
        "state": explained.state,
        "words": in_all_languages(explained.message, explained.faces),
        "stated": msgspec.to_builtins(explained.stated),
        "computed": msgspec.to_builtins(explained.computed),
        "explanations": [explanation_report(explanation, explained.faces) for explanation in explained.explanations],
        "tried": explained.tried,
        "whole": explained.whole,
    }


def in_all_languages(text: Message, faces: str) -> dict[str, str]:
    return {language: say(text, language, faces) for language in LANGUAGES}


def explanation_report(explanation: Explanation, faces: str) -> dict[str, Any]:
    """Return an explanation: changes that together give what is stated, how likely they are, and the other ways of the
    same causes."""
    return {
        "words": in_all_languages(offer_of(explanation.changes), faces),
        "changes": [change_report(change, faces) for change in explanation.changes],
        "weight": round(explanation.weight, 2),
        "ways": [[change_report(change, faces) for change in changes] for changes in explanation.ways],
    }


def change_report(change: Change, faces: str) -> dict[str, Any]:
    """Return a change; `setting` and `value` are null if it is a slip."""
    return {
        "cause": change.cause,
        "kind": change.kind,
        "words": in_all_languages(change.message, faces),
        "cite": change.cite or None,
        "setting": toml_key(change.setting) if change.setting else None,
        "value": change.value,
    }


def toml_key(setting: str) -> str:
    """Return a setting of a house as a key of TOML, with quotes if it needs them: `house.price."solo H"`."""
    table, _, name = setting.partition(".")
    return f'house.{table}."{name}"' if " " in name else f"house.{setting}"


def session_report(explained: SessionExplained) -> dict[str, Any]:
    """Return the readings that explain a session, each with the numbers of the deals that it explains, of those that it
    leaves and of those that it would break; `since` and `until` are the ends of the part that it holds for, null if it
    has none."""
    return {
        "words": in_all_languages(explained.message, explained.faces),
        "differ": list(explained.differ),
        "readings": [
            change_report(reading.change, explained.faces)
            | {"explains": list(reading.explains), "stay": list(reading.stay), "breaks": list(reading.breaks)}
            | {"since": reading.since, "until": reading.until}
            for reading in explained.readings
        ],
    }


def alike(one: Explanation, other: Explanation) -> Message | None:
    """Return the argument why two explanations can never be told apart by the amounts of one deal; None if they can."""
    if len(one.changes) != 1 or len(other.changes) != 1:
        return None
    both = {one.changes[0].cause, other.changes[0].cause}
    name = next((name for name, each in rows().alike.items() if both <= {*each}), None)
    return Message(f"explain.alike-{name}") if name else None
