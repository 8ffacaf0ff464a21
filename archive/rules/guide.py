"""The short guide to the rules of a table: questions whose answers name a ruleset and settings of the house."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.rules.written_names import Raw


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The meaning of an answer: a ruleset, contracts that are played, settings of the house."""

    rules: str = ""
    plays: tuple[str, ...] = ()
    house: Raw = {}


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its answers by name, the usual one first."""

    id: str
    answers: dict[str, Answer]


class Guide(Struct, frozen=True, forbid_unknown_fields=True):
    question: tuple[Question, ...]


@cache
def guide() -> tuple[Question, ...]:
    text = Path(__file__).with_name("guide.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Guide).question


def guided_rules(answers: Mapping[str, str]) -> tuple[str, Raw]:
    """Return the ruleset and the settings that answers mean, by the ids of their questions; a question without a known
    answer has the usual one."""
    rules, plays, house = "", list[str](), dict[str, object]()
    for question in guide():
        answer = question.answers.get(answers.get(question.id, "")) or next(iter(question.answers.values()))
        rules = answer.rules or rules
        plays += answer.plays
        house |= answer.house
    return rules, {"contracts": plays, **house}
