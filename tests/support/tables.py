"""Small help for tests: a session written as TOML, judged."""

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.play.types import Replay
from archive.record import Finding, Source
from archive.say import say
from archive.settle.types import Settlement

HEAD = """format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora"]
rules = "{rules}"
"""


def judge_text(text: str, rules: str = "bavarian", house: str = "") -> list[Judgement]:
    """Judge the `[[deal]]` blocks of a text; every one must be readable, whatever findings the house has."""
    head = HEAD.format(rules=rules) + (f"[house]\n{house}\n" if house else "")
    found = list(judge_stream(read_toml((head + text).encode(), Source("test.toml"))))
    assert not [each for each in found if isinstance(each, Finding) and each.severity != "note"], found
    return [each for each in found if isinstance(each, Judgement)]


def judge_one(text: str, rules: str = "bavarian", house: str = "") -> Judgement:
    """Judge the only `[[deal]]` block of a text."""
    (judgement,) = judge_text(text, rules, house)
    return judgement


def rules_of(judgement: Judgement) -> list[str]:
    """Return the ids of its findings."""
    return [each.rule for each in judgement.findings]


def missing_of(computed: Judgement | Settlement | Replay) -> tuple[str, ...]:
    """Return what the record lacks, in English."""
    return tuple(map(say, computed.missing))


def auction_findings(calls: str, game: str, rules: str, house: str = "", more: str = "") -> list[str]:
    """Return the findings of a deal without cards: calls like `Anna play, Ben pass`, Anna being forehand."""
    told = ", ".join(f'"{call}"' for call in calls.split(", "))
    text = f'[[deal]]\ndealer = "Dora"\nauction = [{told}]\ngame = "{game}"\n{more}\n'
    judgement = judge_one(text, rules, house)
    return [rule for rule in rules_of(judgement) if rule != "contract-not-played"]
