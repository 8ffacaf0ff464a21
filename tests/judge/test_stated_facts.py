"""Facts that contradict each other are findings, and those that some deal gives are not: a second opinion counts the
tricks, points and sides that there may be, and shares nothing with the judge."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.running import run
from support.tables import judge_one
from support.thorough import examples

from archive.generate import deal, session
from archive.notation import write_line
from archive.record import Stated

POINTS = sorted(4 * [11, 10, 4, 3, 2, 0, 0, 0])
LEAST = [sum(POINTS[: 4 * count]) for count in range(9)]  # points in so many tricks
MOST = [sum(POINTS[32 - 4 * count :]) for count in range(9)]
GAMES = {"solo": 'game = "Anna solo H"\n', "rufspiel": 'game = "Anna rufspiel E"\nwith = "Cem"\n'}


def deals() -> Iterator[dict[str, Any]]:
    """What a game of two sides may have come to: 61 points win, 91 make Schneider, of the defence 90. 001 Scoring."""
    for tricks in range(9):
        for points in range(LEAST[tricks], MOST[tricks] + 1):
            won = points >= 61
            yield {
                "tricks": tricks,
                "points": points,
                "points_against": 120 - points,
                "won": won,
                "schneider": points >= 91 if won else points <= 30,
                "schwarz": tricks in (0, 8),
            }


EVERY = list(deals())
NUMBERS = {"tricks": range(10), "points": range(122), "points_against": range(122)}
FACTS = st.fixed_dictionaries(
    {},
    optional={
        key: st.sampled_from(values) | st.sampled_from(sorted({each[key] for each in EVERY}))
        for key, values in NUMBERS.items()
    }
    | dict.fromkeys(("won", "schneider", "schwarz"), st.booleans()),
)


def toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@settings(max_examples=examples(10, 400), deadline=None)
@given(st.sampled_from(sorted(GAMES)), FACTS)
def test_stated_facts_differ_just_where_no_deal_gives_them_all(game: str, facts: dict[str, Any]) -> None:
    possible = any(all(each[key] == value for key, value in facts.items()) for each in EVERY)
    lines = "".join(f"stated.{key} = {toml(value)}\n" for key, value in facts.items())
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{GAMES[game]}{lines}', "bavarian")
    assert (found.verdict != "differs") == possible, (facts, found.reason)
    assert not facts or possible or all(each.rule.startswith("stated-") for each in found.findings)


def test_every_pair_of_tricks_and_points_is_possible_just_where_the_cards_of_a_pack_give_it() -> None:
    for tricks, points in product(range(9), (0, 1, 29, 30, 31, 44, 45, 60, 61, 76, 77, 90, 91, 119, 120)):
        text = f"[[deal]]\n{GAMES['rufspiel']}stated.tricks = {tricks}\nstated.points = {points}\n"
        found = judge_one(text, "bavarian")
        assert (found.verdict != "differs") == (LEAST[tricks] <= points <= MOST[tricks]), (tricks, points)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ("points = [120, 0, 0, 0]\nstated.tricks = [3, 1, 2, 2]", "stated-tricks"),
        ("points = [80, 20, 10, 10]\nstated.tricks = [1, 3, 2, 2]", "stated-tricks"),
        ("points = [80, 20, 10, 10]\nstated.tricks = [3, 2, 2, 1]", ""),
        ("tricks = [8, 0, 0, 1]", "stated-tricks"),
        ("winners = ['Ben','Ben','Ben','Ben','Ben','Dora','Dora','Dora']\nstated.won = true", "stated-won"),
        ("winners = ['Anna','Anna','Anna','Anna','Anna','Anna','Anna','Anna']\nstated.tricks = 7", "stated-winners"),
        ("winners = ['Anna','Anna','Anna','Anna','Anna','Anna','Anna','Anna']\nstated.schwarz = true", ""),
        ("loser = 'Ben'", "stated-loser"),
        ("virgins = ['Ben']", "stated-virgins"),
        ("virgins = []", ""),
    ],
)
def test_facts_by_seat_that_no_play_gives_and_facts_of_other_games_are_found(game: str, facts: str, rule: str) -> None:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{GAMES[game]}stated.{facts}\n', "bavarian")
    assert [each.rule for each in found.findings] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("text", "rules", "rule"),
    [
        ('game = "Anna sie"\nstated.partner = "Anna"', "bavarian", "stated-partner"),
        ('game = "Anna sie"\nstated.runners = 9', "bavarian", "stated-runners"),
        ('game = "Anna solo H"\nstated.partner = "Ben"', "bavarian", "stated-partner"),
        ('game = "Anna rufspiel E"\nstated.partner = "Anna"', "bavarian", "stated-partner"),
        ('game = "Anna wenz"\nstated.runner_count = 15', "bavarian", "stated-runners"),
        ('game = "Anna simple E"\nstated.partner = "Anna"', "palatinate", "stated-partner"),
        ('game = "Anna simple E"\nstated.runners = 40', "palatinate", "stated-runners"),
    ],
)
def test_a_partner_that_no_game_has_and_more_runners_than_trumps_differ(text: str, rules: str, rule: str) -> None:
    """Whatever else is not recorded, and where nothing is played too."""
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{text}\n', rules)
    assert (found.verdict, [each.rule for each in found.findings]) == ("differs", [rule])


@pytest.mark.parametrize("stated", [Stated(loser=1), Stated(virgins=(2,)), Stated(virgins=1)])
def test_a_loser_or_virgin_of_a_game_of_two_sides_is_found_in_files_too(stated: Stated, tmp_path: Path) -> None:
    """The fast judge of whole files compares these columns as the one of single deals does."""
    head = session("bavarian")
    made = [deal(Random(seed), head, "solo") for seed in range(8)]
    lines = [write_line(head, each) for each in (*made, replace(made[0], stated=stated))]
    (tmp_path / "solos.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    result = run("check", "--lang", "en", tmp_path / "solos.jsonl")
    (key,) = [key for key in ("loser", "virgins") if getattr(stated, key) is not None]
    assert result.exit_code == 1
    assert result.stdout.count(f": stated-{key} ") == 1
    assert result.stdout.count(": differs") == 1


RAMSCH = 'game = "ramsch"\nknocks = 0\ndoubles = 0\nevents = []\nstated.loser = "Dora"\n'
LONG = 'game = "Anna bauernstoss E"\nstated.'


@pytest.mark.parametrize(
    ("rules", "text", "amounts", "lacks"),
    [
        ("expats", RAMSCH + "stated.virgins = 1", None, ["virgins"]),
        ("expats", RAMSCH + 'stated.virgins = ["Ben"]', (10, 20, 10, -40), []),
        ("expats", RAMSCH + "stated.virgins = 1\nstated.payments = [10, 20, 10, -40]", (10, 20, 10, -40), []),
        ("pub", RAMSCH + "stated.virgins = 1", (20, 20, 20, -60), []),
        ("langendorf", RAMSCH.replace("knocks = 0", "knocks = 1"), None, ["points-of-each"]),
        ("bauernstoss", LONG + "points = 120", (2, 0, 2, 0), ["schwarz"]),
        ("bauernstoss", LONG + "points = 120\nstated.schwarz = true", (3, 0, 3, 0), []),
        ("bauernstoss", LONG + "won = true", None, ["points-and-tricks"]),
        ("bauernstoss", 'carry.marks = [1, 0, 1, 0]\ngame = "Anna big-solo E"', None, ["won"]),
        ("bauernstoss", 'carry.marks = [1, 0, 1, 0]\ngame = "Anna big-solo E"\nstated.won = true', (12, 0, 12, 0), []),
    ],
)
def test_what_decides_the_amounts_is_named(
    rules: str, text: str, amounts: tuple[int, ...] | None, lacks: list[str]
) -> None:
    """002 01.4 Ramsch pays a virgin alone, 001 Langendorf whoever has few points; 000 Scoring counts all the tricks
    apart, and a Solo without its points."""
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{text}\n', rules)
    settled = found.settlement
    assert (settled and (settled.payments or settled.marks)) == amounts
    lacking = found.unwritten if amounts else found.missing
    assert [each.id for each in lacking] == [f"missing.{each}" for each in lacks]


def test_001_ramsch_a_virgin_of_whom_the_number_is_told_doubles_and_is_nobody() -> None:
    settled = judge_one(f'[[deal]]\ndealer = "Dora"\n{RAMSCH}stated.virgins = 1\n', "pub").settlement
    virgin = settled.lines[-1]
    assert (settled.multiplier, virgin.message.id, virgin.who) == (2, "settle.a-virgin", ())
