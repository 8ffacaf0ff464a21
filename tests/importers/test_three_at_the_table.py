"""Sheets and typed evenings of three that name no rules: three play with 24 cards, and no deal of them is illegal."""

import pytest
from support.tables import rules_of

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Source
from importers import find

SHEET = """Nr;Spiel;Spieler;Partner;Ergebnis;Wert;Vroni;Girgl;Zenzi
1;Sauspiel;Vroni;Girgl;Gewonnen;0.50;+0.50 €;+0.50 €;-1.00 €
2;Solo;Zenzi;;Verloren;2.00;+2.00 €;+2.00 €;-4.00 €
"""
TYPED = """Spieler: Vroni, Girgl, Zenzi
Vroni Sauspiel mit Girgl gewonnen mit 74
Zenzi Solo verloren mit 45
"""


@pytest.mark.parametrize(("name", "text"), [("called.csv", SHEET), ("abend.txt", TYPED)])
def test_three_who_name_no_rules_play_legally_and_their_amounts_are_open(name: str, text: str) -> None:
    data = text.encode()
    (importer,) = find(name, data)
    found = list(judge_stream(importer.read(data, Source(name))))
    judged = [each for each in found if isinstance(each, Judgement)]
    assert len(judged) == 2
    assert [(each.verdict, rules_of(each)) for each in judged] == [("undecidable", [])] * 2
    assert all(each.session.house and each.session.house["seats"] == 3 for each in judged)
    assert any("house.seats" in note for note in judged[0].session.inferred or ())
