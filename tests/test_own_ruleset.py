"""A ruleset of one's own beside the record: a new contract is a new row, and what is wrong in it has file and line."""

from pathlib import Path

import pytest
from test_document_001 import EXAMPLE_4

from archive.audit import Judgement
from archive.audit.stream import judged
from archive.notation import read_toml, write_toml
from archive.record import Deal, Finding, Session, Source

KAISER = """
id = "kings"
title = "With Kaiser"
extends = "bavarian"

[[rule]]
cite = "001 Additional Contracts: Kaiser, as a Wenz with the Kings as lords"
house.contracts = ["rufspiel", "kaiser", "wenz", "solo"]
house.runners_from = { kaiser = 2 }
[rule.contract.kaiser]
title = "Kaiser"
names = ["Keni", "Krone"]
rank = 75
lords = "K"
trump = ""
order = "AZKOU9876"
parties = "alone"
price = "solo"
"""
KINGS = str.maketrans("KU", "UK")  # every King becomes an Unter and the other way round


def judge_beside(folder: Path, ruleset: str, deals: str) -> list[Session | Deal | Finding | Judgement]:
    (folder / "kings.toml").write_text(ruleset, "utf-8")
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "kings.toml"\n'
    return list(judged(read_toml((head + deals).encode(), Source(str(folder / "evening.toml")))))


def kaiser() -> str:
    """Example 4 of document 001 with Kings for Unters."""
    game, cards = 'game = "Cem Krone tout"', EXAMPLE_4.translate(KINGS)
    return cards.replace('game = "Cem wenz tout"', game)


def test_a_new_contract_is_a_new_row(tmp_path: Path) -> None:
    (found,) = judge_beside(tmp_path, KAISER, kaiser())
    assert isinstance(found, Judgement)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement is not None
    assert [line.text for line in found.settlement.lines][::2] == ["Kaiser Tout, won 120 : 0", "2 runners, with"]
    assert found.deal.game is not None
    assert found.deal.game.contract == "kaiser"
    assert 'game = "Cem kaiser tout"' in write_toml(found.session, [found.deal])


@pytest.mark.parametrize(
    ("line", "changed", "why"),
    [
        ('lords = "K"', 'lord = "K"', "contract.kaiser: Object contains unknown field `lord` (kings.toml:14)"),
        ('parties = "alone"', 'parties = "sometimes"',
         "contract.kaiser.parties: Invalid enum value 'sometimes' (kings.toml:17)"),
        ('price = "solo"', 'price = "gold"', "contract.kaiser.price: no price for gold"),
        ('= ["rufspiel", ', '= ["rufspeil", ', "house.contracts: rufspeil is no contract"),
        ('extends = "bavarian"', 'extends = "bavaria"', "no ruleset 'bavaria': there is no such file"),
        ('title = "With Kaiser"', "title = With Kaiser", "no ruleset 'kings': Invalid value (at line 3, column 9)"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_ruleset_is_said_with_its_place(tmp_path: Path, line: str, changed: str, why: str) -> None:
    assert line in KAISER
    found = judge_beside(tmp_path, KAISER.replace(line, changed), kaiser())
    messages = [f.message for each in found for f in (each.findings if isinstance(each, Judgement) else [each])]
    assert any(message.startswith(why) for message in messages), messages
