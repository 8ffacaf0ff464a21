"""An explanation as public JSON; keys are only added."""

from typing import Any

import msgspec

from archive.audit.explain.types import Change, Explained, Explanation, SessionExplained, rows


def explained_report(found: Explained) -> dict[str, Any]:
    """What explains a deal: `state`, `words` in both languages, the explanations in order."""
    return {
        "state": found.state,
        "words": msgspec.to_builtins(found.words),
        "stated": msgspec.to_builtins(found.stated),
        "computed": msgspec.to_builtins(found.computed),
        "explanations": [explanation_report(each) for each in found.explanations],
        "tried": found.tried,
        "whole": found.whole,
    }


def explanation_report(each: Explanation) -> dict[str, Any]:
    return {
        "changes": [change_report(made) for made in each.changes],
        "weight": round(each.weight, 2),
        "ways": [[change_report(made) for made in changes] for changes in each.ways],
    }


def change_report(made: Change) -> dict[str, Any]:
    """A change; `setting` and `value` are null where it is a slip."""
    return {
        "cause": made.cause,
        "kind": made.kind,
        "words": msgspec.to_builtins(made.words),
        "cite": made.cite or None,
        "setting": f"house.{made.setting}" if made.setting else None,
        "value": made.value,
    }


def session_report(found: SessionExplained) -> dict[str, Any]:
    """The readings that explain a session, each with the numbers of the deals it explains, and of those that stay."""
    return {
        "words": msgspec.to_builtins(found.words),
        "differ": list(found.differ),
        "readings": [
            change_report(each.change)
            | {"explains": list(each.explains), "stay": list(each.stay), "breaks": list(each.breaks)}
            for each in found.readings
        ],
    }


def alike(one: Explanation, other: Explanation, language: str = "en") -> str:
    """The argument why two explanations can never be told apart by the amounts of one deal; empty where they can."""
    if len(one.changes) != 1 or len(other.changes) != 1:
        return ""
    both = {one.changes[0].cause, other.changes[0].cause}
    row = next((each for each in rows().alike.values() if both <= {*each.causes}), None)
    return str(getattr(row, language)) if row else ""
