"""The players who sat for a row of a list, by round: `Hans, ab Runde 3 Ida`. A row is one account, of two people."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from archive.notation.problem import refuse_entry
from archive.say import message
from importers.score_sheet.cells import normalize, sheet_words

SIGNS = r"[,;/()\n:]"
Turns = tuple[tuple[int, str], ...]  # the first round of each player, and the name


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of a part of a name: what it says, and how it is written."""
    words = sheet_words()["substitutes"]
    since, until, then, instead, rounds, ordinal = (
        "|".join(map(re.escape, words[key])) for key in ("since", "until", "then", "for", "rounds", "ordinal")
    )
    behind = rf"(?:{rounds})\.?\s*(?P<behind>\d{{1,2}})\.?"
    before = rf"(?:(?:{ordinal})\s+)?(?P<before>\d{{1,2}})(?:\.|st|nd|rd|th)?\s*(?:{rounds})\b"
    number = f"(?:{behind}|{before})"
    name = r"(?P<name>\S.*?)"
    patterns = (
        ("for", rf"{name}\s+(?:{instead})\s+(?P<first>\S.*?)\s+(?:{since})\s+{number}"),
        ("for", rf"(?:{since})\s+{number}\s+{name}\s+(?:{instead})\s+(?P<first>\S.*)"),
        ("since", rf"(?:{since})\s+{number}\s+{name}"),
        ("since", rf"{name}\s+(?:{since})\s+{number}"),
        ("since-first", rf"(?P<first>\S.*?)\s+(?:{since})\s+{number}\s+{name}"),
        ("until", rf"{name}\s+(?:{until})\s+{number}"),
        ("since-open", rf"(?:{since})\s+{number}"),
        ("until-open", rf"(?:{until})\s+{number}"),
        ("then", rf"(?:{then})\s+{name}"),
    )
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in patterns)


@cache
def _speaks_of_rounds() -> re.Pattern[str]:
    words = sheet_words()["substitutes"]
    ways, rounds = ("|".join(map(re.escape, each)) for each in ((*words["since"], *words["until"]), words["rounds"]))
    return re.compile(
        rf"\b(?:{ways})\b.*(?:\b(?:{rounds})\.?\s*\d|\d\.?\s*(?:st|nd|rd|th)?\s*(?:{rounds})\b)", re.IGNORECASE
    )


def turns_of_name(key: str, text: str, rounds: Sequence[int]) -> Turns:
    """Return the players who sat for a row, each from a round of the list on; the account is the first one's. A name
    that mentions no round is that of one player. Raise Problem if it mentions one and is not understood."""
    if not _speaks_of_rounds().search(text):
        return ((rounds[0], text),)
    turns: list[tuple[int | None, str]] = []
    since: int | None = rounds[0]
    for part in (each.strip() for each in re.split(SIGNS, text)):
        if not part:
            continue
        match = next(((kind, found) for kind, form in _forms() if (found := form.fullmatch(part))), None)
        kind = match[0] if match else ""  # for a name alone
        fields = {key: value for key, value in match[1].groupdict().items() if value} if match else {}
        number = int(fields.get("behind") or fields.get("before") or 0)
        if kind == "until-open" and turns:
            since = number + 1
        elif kind == "since-open":
            if turns and turns[-1][0] is None:
                turns[-1] = (number, turns[-1][1])
            else:
                since = number
        elif kind in ("for", "since-first") and not turns:
            turns += [(rounds[0], fields["first"]), (number, fields["name"])]
            since = None
        elif kind in ("since", "for"):
            turns.append((number, fields["name"]))
            since = None
        elif kind == "until":
            turns.append((since, fields["name"]))
            since = number + 1
        else:
            turns.append((since, fields.get("name", part)))
            since = None
    firsts = [first for first, _ in turns]
    rises = None not in firsts and all(a < b for a, b in pairwise(firsts))  # type: ignore[operator]
    changes = all(normalize(a) != normalize(b) for (_, a), (_, b) in pairwise(turns))
    if len(turns) < 2 or not rises or not changes or firsts[0] != rounds[0] or not {*firsts} <= {*rounds}:
        refuse_entry(key, text, message("importers.substitute", first=rounds[0], last=rounds[-1]))
    return tuple((first or rounds[0], name) for first, name in turns)


def sitter_in(turns: Turns, number: int) -> str:
    """Return the player who sat in a round."""
    return [name for first, name in turns if first <= number][-1]
