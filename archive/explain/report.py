"""An explanation as public JSON; keys are only added."""

from typing import Any

import msgspec

from archive.explain.types import Change, Explained, Explanation, SessionExplained, rows
from archive.say import LANGUAGES, Message, say


def explained_report(found: Explained) -> dict[str, Any]:
    """What explains a deal: `state`, `words` in all languages, the explanations in order."""
    return {
        "state": found.state,
        "words": in_all_languages(found.message, found.faces),
        "stated": msgspec.to_builtins(found.stated),
        "computed": msgspec.to_builtins(found.computed),
        "explanations": [explanation_report(each, found.faces) for each in found.explanations],
        "tried": found.tried,
        "whole": found.whole,
    }


def in_all_languages(what: Message, faces: str = "german") -> dict[str, str]:
    """The text of a message by language."""
    return {language: say(what, language, faces) for language in LANGUAGES}


def explanation_report(each: Explanation, faces: str = "german") -> dict[str, Any]:
    """Changes that together give what is stated, how likely they are, and the other ways of the same causes."""
    return {
        "changes": [change_report(made, faces) for made in each.changes],
        "weight": round(each.weight, 2),
        "ways": [[change_report(made, faces) for made in changes] for changes in each.ways],
    }


def change_report(made: Change, faces: str = "german") -> dict[str, Any]:
    """A change; `setting` and `value` are null where it is a slip."""
    return {
        "cause": made.cause,
        "kind": made.kind,
        "words": in_all_languages(made.message, faces),
        "cite": made.cite or None,
        "setting": f"house.{made.setting}" if made.setting else None,
        "value": made.value,
    }


def session_report(found: SessionExplained) -> dict[str, Any]:
    """The readings that explain a session, each with the numbers of the deals it explains, and of those that stay."""
    return {
        "words": in_all_languages(found.message),
        "differ": list(found.differ),
        "readings": [
            change_report(each.change)
            | {"explains": list(each.explains), "stay": list(each.stay), "breaks": list(each.breaks)}
            for each in found.readings
        ],
    }


def alike(one: Explanation, other: Explanation) -> Message | None:
    """The argument why two explanations can never be told apart by the amounts of one deal; None where they can."""
    if len(one.changes) != 1 or len(other.changes) != 1:
        return None
    both = {one.changes[0].cause, other.changes[0].cause}
    name = next((name for name, each in rows().alike.items() if both <= {*each.causes}), None)
    return Message(f"explain.alike-{name}") if name else None
