"""A ruleset of one's own beside the record: a new contract is a new row, and what is wrong in it has file and line."""

from pathlib import Path

import pytest
from support.worked_examples import EXAMPLE_4

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml, write_toml
from archive.record import Deal, Finding, Session, Source
from archive.rules import load
from archive.rules.complaints import say_expectation
from archive.say import Message, say

NINES = """
id = "nines"
title = "With Nines"
extends = "bavarian"

[[rule]]
cite = "our table: as a Wenz with the Nines as lords"
house.contracts = ["rufspiel", "neuner", "wenz", "solo"]
house.runners_from = { neuner = 2 }
[rule.contract.neuner]
title = "Neuner"
names = ["Neunerwenz", "Niner"]
rank = 75
lords = "9"
trump = ""
order = "AZKOU876"
parties = "alone"
price = "solo"
tout_rank = 97
"""
SWAPPED = str.maketrans("9U", "U9")  # every Nine becomes an Unter and the other way round


def judge_beside(folder: Path, ruleset: str, deals: str) -> list[Session | Deal | Finding | Judgement]:
    (folder / "nines.toml").write_text(ruleset, "utf-8")
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "nines.toml"\n'
    return list(judge_stream(read_toml((head + deals).encode(), Source(str(folder / "evening.toml")))))


def nines() -> str:
    """Example 4 of document 001 with Nines for Unters."""
    game, cards = 'game = "Cem Neunerwenz tout"', EXAMPLE_4.translate(SWAPPED)
    return cards.replace('game = "Cem wenz tout"', game)


def test_a_new_contract_is_a_new_row(tmp_path: Path) -> None:
    (found,) = judge_beside(tmp_path, NINES, nines())
    assert (found.verdict, found.findings) == ("agrees", ())
    assert [line.text for line in found.settlement.lines][::2] == ["Neuner Tout, won 120 : 0", "2 runners, with"]
    assert found.deal.game.contract == "neuner"
    assert 'game = "Cem neuner tout"' in write_toml(found.session, [found.deal])


def test_a_ruleset_is_looked_for_in_the_folder_at_hand_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("without", "with"):
        (tmp_path / name).mkdir()
    (tmp_path / "with" / "nines.toml").write_text(NINES, "utf-8")
    found = []
    for name in ("without", "with", "without"):
        monkeypatch.chdir(tmp_path / name)
        head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "nines.toml"\n'
        judged = list(judge_stream(read_toml((head + nines()).encode(), Source("evening.toml"))))
        found.append((load("nines.toml")[0] is not None, [isinstance(each, Judgement) for each in judged]))
    assert found == [(False, [False, False]), (True, [True]), (False, [False, False])]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('tariff = "5/10/25"', "'tariff' is a setting of the house: write it below [house]"),
        ('hause = "5/10/25"', "'hause' is no key of a ruleset"),
        ("extends = 5", "extends: expected text in quotes or nothing (null), got a whole number"),
        ('extends = "Pub"', "there is no such file; did you mean pub?"),
        ('[house]\ntariff = "5/10/25"', "it does not say which ruleset it builds on"),
        (
            'extends = "pub"\n[house]\nknock = "alle"',
            "house.knock: 'alle' is none of anyone, dealer, forehand, in-turn or no",
        ),
        ('extends = "pub"\n[house]\nstoss.until = "nie"', "house.stoss.until: 'nie' is none of any, cards, first-card"),
        (
            'extends = "pub"\n[house]\nklopfen = "ja"',
            "house.klopfen: expected true or false, got text in quotes (ours.toml:3)",
        ),
        ('extends = "pub"\n[house]\nramsch = true', "house.ramsch: expected a table, got true or false"),
        ('extends = "pub"\n[house]\nramsch.tie = ["nie"]', "house.ramsch.tie[0]: 'nie' is none of own-ace, own-ober"),
        ('extends = "pub"\n[house]\nseats = 99', "house.seats: expected a whole number <= 7"),
    ],
)
def test_what_is_wrong_in_the_file_of_a_table_is_said_in_words(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text, "utf-8")
    ruleset, findings = load(str(path))
    assert ruleset is None
    assert why in findings[0].message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Expected `int` <= 7", "erwartet ist eine ganze Zahl <= 7"),
        ("Expected `array` of length >= 2", "erwartet ist eine Liste der Länge >= 2"),
        ("Expected `float` that's a multiple of 0.5", "erwartet ist eine Dezimalzahl, die ein Vielfaches von 0.5 ist"),
        (
            "Expected `str` matching regex '^[EGHS]$'",
            "erwartet ist ein Text in Anführungszeichen, auf den das Muster '^[EGHS]$' passt",
        ),
    ],
)
def test_a_limit_is_said_in_words_of_the_language(text: str, words: str) -> None:
    expected = say_expectation(text)
    assert isinstance(expected, Message)
    assert say(expected, "de") == words


def test_the_settings_of_a_table_stand_below_house_as_in_a_record(tmp_path: Path) -> None:
    """Without a name, a title and sources: these are the name of the file."""
    (tmp_path / "ours.toml").write_text(
        '\ufeffextends = "pub"\r\n[house]\r\ntariff = "5/10/25"\r\nrunners_from.rufspiel = 2\r\n', "utf-8"
    )
    (tmp_path / "above.toml").write_text('extends = "ours.toml"\n[house]\nknock = "no"\n', "utf-8")
    ruleset, findings = load("above.toml", {"tariff": "10/20/50"}, tmp_path)
    assert findings == ()
    assert (ruleset.id, ruleset.title, ruleset.house.knock) == ("above", "above", "no")
    assert (ruleset.house.tariff, ruleset.house.runners_from["rufspiel"]) == ("10/20/50", 2)
    cites = [ruleset.cites[f"house.{key}"] for key in ("tariff", "runners_from.rufspiel", "knock", "all_pass")]
    assert cites == ["this table", "ours", "above", "001 Avoiding Passed Out Hands: Ramsch"]


@pytest.mark.parametrize(
    ("name", "other"),
    [("Wenz", "wenz"), ("Zwick", "zwicker"), ("Neuner", "")],
)
def test_a_name_that_another_contract_has_is_noted(tmp_path: Path, name: str, other: str) -> None:
    """It is read as that one: of the bundled rulesets, or the last that has it in the file."""
    row = NINES[NINES.index("[rule.contract") :].replace("neuner", "zwicker")
    text = NINES.replace("Niner", name) + row.replace('"Neunerwenz", "Niner"', '"zwick"')
    (tmp_path / "nines.toml").write_text(text, "utf-8")
    why = f"contract.neuner.names: '{name}' is a name of {other} already, and is read as that;"
    assert [each.message.startswith(why) for each in load("nines.toml", None, tmp_path)[1]] == [True] * bool(other)


@pytest.mark.parametrize(
    ("line", "changed", "why"),
    [
        ('lords = "9"', 'lord = "9"', "contract.neuner.lord: there is no such setting; 'lords' is one (nines.toml:14)"),
        ('parties = "alone"', 'parties = "sometimes"',
         "contract.neuner.parties: 'sometimes' is none of alone, called, each, named or opposite (nines.toml:17)"),
        ('price = "solo"', 'price = "gold"', "contract.neuner.price: no price for gold"),
        ('= ["rufspiel", ', '= ["rufspeil", ', "house.contracts: rufspeil is no contract"),
        ('extends = "bavarian"', 'extends = "bavaria"', "no ruleset 'bavaria': there is no such file"),
        ('title = "With Nines"', "title = With Nines", "no ruleset 'nines.toml': line 3 cannot be read"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_ruleset_is_said_with_its_place(tmp_path: Path, line: str, changed: str, why: str) -> None:
    assert line in NINES
    found = judge_beside(tmp_path, NINES.replace(line, changed), nines())
    messages = [f.message for each in found for f in (each.findings if isinstance(each, Judgement) else [each])]
    assert any(message.startswith(why) for message in messages), messages
