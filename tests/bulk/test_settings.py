"""Every setting of rules is known to bulk work: it reads it, or it is named here why it need not."""

from collections.abc import Iterator
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct
from support.core_coverage import plain_games
from support.rulesets import load_rules
from support.thorough import examples

from archive.bulk import session_heads
from archive.bulk.backend import choose_backend
from archive.bulk.plans import plan_of
from archive.bulk.struct_reader import read_rows
from archive.generate import deals, session
from archive.judge.judge_deal import rules_of
from archive.notation import write_line
from archive.record import Source
from archive.rules import Contract, House, bundled
from archive.rules.types import BonusTimes, Building, Marks, Marriage, Match, OpenCards, Round, Score, Talon


def settings_of(kind: type[Struct], name: str) -> Iterator[str]:
    """All settings of a type of rules, those of a type within it by the names of both."""
    for field, of in get_type_hints(kind).items():
        inner = [each for each in (of, *get_args(of)) if isinstance(each, type) and issubclass(each, Struct)]
        yield from settings_of(inner[0], f"{name}.{field}") if inner else (f"{name}.{field}",)


ROUNDS = ("bock", "kreuz", "schieber", "teufel")
# Why bulk work need not read a setting. Who adds one to rules adds it to the plans, or here.
UNREAD = {
    "Loading the rules has put it into contracts and prices": (
        "house.bettel.beat", "house.bettel.lead", "house.bettel.trumps", "house.hochzeit.bonuses", "house.kreuz.by",
        "house.ramsch.price", "house.rank", "house.sie", "house.solo_needs_suit", "house.trumps",
    ),
    "It is a word, or how something is shown": (
        "contract.alone", "contract.names", "contract.nicknames", "contract.with_suit", "house.direction",
        "house.faces", "house.unit", "round.title",
    ),
    "The worded checks of calls and doublings read it, where it comes to that": (
        "house.bids.start", "house.bids.step", "house.bids.rising", "house.hochzeit.refused",
        "house.hochzeit.back", "house.lengths.partners_agree", "house.muss.stoss", "house.outbid", "house.stoss.by",
        "house.stoss.cards",
    ),
    "The plan reads it where there is such an auction": ("house.lengths.most_lords",),
    "The plan reads it where a table has it": (*settings_of(BonusTimes, "house.bonus_times"),),
    "A deal with events or a cut is handed over": (
        "house.consequences", "house.cutter", "house.klopfen", "house.least_cut", "house.packets",
        "house.ramsch.announce", "house.runners_claim",
    ),
    "A deal with a draw is handed over": ("contract.draws", "house.draws"),
    "A deal with cards on the table is handed over": ("house.discard_runners", "house.hand"),
    "A deal of partners whom the record names is handed over": ("contract.partners_hold",),
    "A score in marks is handed over": (
        "contract.marks", *settings_of(Marks, "house.marks"), *settings_of(Score, "house.score"),
    ),
    "A deal with a talon is handed over, as are cards on the table": (
        *settings_of(Marriage, "contract.marriage"),
        *settings_of(Talon, "house.talon"), *settings_of(Match, "house.match"),
    ),
    "A deal that is not played in tricks is handed over": (
        *settings_of(OpenCards, "house.open_cards"), *settings_of(Building, "house.building"),
    ),
    "A deal of a special round is handed over, and one that sets one off": (
        *(f"house.{name}.{key}" for name in ROUNDS
          for key in ("aces", "by", "each_cause", "follows_itself", "mode", "thrown_in", "thrown_in_counts")),
        *settings_of(Round, "round"),
    ),
    "More players than seats, or others than the session has, are handed over": (
        "house.least_seats", "house.sitters", "house.sitter_pays", "house.substitute",
    ),
    "It is asked of a whole tournament": ("house.standings",),
}  # fmt: skip


class Watched:
    """Rules that note which of their settings are read."""

    def __init__(self, thing: Any, kind: str, read: set[str]) -> None:
        self._thing, self._kind, self._read = thing, kind, read

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._thing, name)
        if self._kind:
            self._read.add(f"{self._kind}.{name}")
        return self._watched(value, f"{self._kind}.{name}" if self._kind else name)

    def _watched(self, value: Any, name: str) -> Any:
        if isinstance(value, Struct):
            return Watched(value, name, self._read)
        if isinstance(value, dict) and name in ("contracts", "rounds"):
            return {key: Watched(each, name.removesuffix("s"), self._read) for key, each in value.items()}
        return value


def test_every_setting_is_read_by_bulk_work_or_cannot_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()

    def watched(under: Any) -> Any:
        ruleset, wrong = rules_of(under)
        return Watched(ruleset, "", read), wrong

    monkeypatch.setattr("archive.bulk.session_heads.rules_of", watched)
    for name in bundled():
        ruleset = load_rules(name)
        rules: Any = Watched(ruleset, "", read)
        for game in plain_games(ruleset):
            plan_of(rules, game)
        lines = [write_line(session(name), each) for each in deals(Random(1), session(name), examples(12, 40), ())]
        head = session_heads.read_head(lines[0], Source("a.jsonl"), None, session_heads.PlanRegistry())
        assert head
        read_rows(lines, [head], [0] * len(lines), choose_backend(False))
    every = {*settings_of(House, "house"), *settings_of(Contract, "contract"), *settings_of(Round, "round")}
    unread = {name for names in UNREAD.values() for name in names}
    assert unread <= every
    assert sorted(every - read - unread) == []
