"""A judgement as text, in the reader's language: its reason, what is missing, the lines of its settlement. Cards are
as on the faces of the table's pack."""

from typing import Any

from archive.judge.compare_stated import SEATS
from archive.judge.types import Judgement
from archive.say import Fact, Message, has_text, message, say, sentence
from archive.settle.types import SettlementLine

PER_SEAT = ("points", "tricks", "payments", "totals", "marks")  # values that are one a seat, shown with the names


def faces_of(judgement: Judgement) -> str:
    """The faces of the table's pack; German where the house rules cannot be read."""
    return judgement.ruleset.house.faces if judgement.ruleset else "german"


def say_reason(judgement: Judgement, language: str = "en") -> str:
    """Why the verdict is what it is: one sentence, with a capital and a full stop."""
    return sentence(say(judgement.reason, language, faces_of(judgement)))


def say_missing(judgement: Judgement, language: str = "en") -> tuple[str, ...]:
    """The facts that the record lacks, each without a capital or a full stop."""
    return tuple(say(fact, language, faces_of(judgement)) for fact in judgement.missing)


def say_line(judgement: Judgement, line: SettlementLine, language: str = "en") -> str:
    """The text of a line of the settlement."""
    return say(line.message, language, faces_of(judgement))


def value_fact(players: tuple[str, ...], key: str, value: Any) -> Fact:
    """A value that is stated or computed under a key of `stated`, as a fact of a message: seats by their names."""
    if isinstance(value, tuple) and key in PER_SEAT and len(value) == len(players):
        return tuple(
            message("judge.of-player", player=name, value=each) for name, each in zip(players, value, strict=True)
        )
    if isinstance(value, tuple):
        return tuple(_entry(players, key, entry) for entry in value)
    # Of virgins a source may state the number only.
    return value if key == "virgins" else _entry(players, key, value)


def _entry(players: tuple[str, ...], key: str, value: Any) -> Fact:
    if isinstance(value, str):
        return Message(f"judge.{value}")  # undecided, nobody
    return players[value] if key in SEATS and value is not None else value


def name_of_key(key: str) -> Message:
    """The name of a key of a record, dotted and by the names of players as its differences have it."""
    table, _, rest = key.partition(".")
    number, _, leader = rest.partition(".")
    if table == "stated":
        stated, _, player = rest.partition(".")
        what = name_of_stated(stated)
        return message("record.stated", what=what, player=player) if player else what
    if table == "tricks":
        return Message("record.leader" if leader else "record.trick", {"trick": number})
    if table == "house":
        return message("record.house", setting=rest)
    id = f"record.{key if not rest else table}".replace("_", "-")
    return Message(id, {"player": rest} if rest else {}) if has_text(id) else message("record.other", name=key)


def name_of_stated(key: str) -> Message:
    """The name of a key of `stated`, as a message."""
    return Message(f"stated.{key.replace('_', '-')}")
