"""What the games of two with cards on the table have in common: records both ways, masks, corrections, explanations,
and that the integers leave them to the replay."""

import json
import sqlite3
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from support import running
from support.core_coverage import coverage
from support.paths import ROOT
from support.rulesets import load_rules
from support.two_players import judge_two, judged

from archive import generate
from archive.explain import explain
from archive.generate.mistakes import MISTAKES
from archive.judge.report import report
from archive.notation import read_lines, read_toml, write_line, write_toml
from archive.notation.corrections import with_entries
from archive.record import Deal, Finding, Session, Source

GAMES = ("vicars", "officers", "bodensee-jass", "schnauz", "patience", "sixty-six")
SAMPLES = ROOT / "sample_games" / "valid"


@pytest.mark.parametrize("rules", GAMES)
def test_a_record_is_the_same_in_both_encodings(rules: str) -> None:
    evening = generate.session(rules)
    deals = [generate.deal(Random(seed), evening) for seed in range(10)]
    back = list(read_toml(write_toml(evening, deals).encode(), Source("x")))
    assert [replace(each, source=None) for each in back if not isinstance(each, Finding)] == [evening, *deals]
    for deal in deals:
        session, again = read_lines(write_line(evening, deal), Source("x"))
        assert isinstance(session, Session)
        assert isinstance(again, Deal)
        assert replace(again, source=None) == deal


@pytest.mark.parametrize("rules", GAMES)
def test_the_integers_leave_them_to_the_replay(rules: str) -> None:
    ruleset = load_rules(rules)
    assert all(coverage(ruleset).values())


@pytest.mark.parametrize("rules", GAMES)
def test_nothing_is_explained_where_nothing_is_wrong_and_a_mistake_breaks_nothing(rules: str) -> None:
    evening, rng = generate.session(rules), Random(5)
    for seed in range(4):
        deal = generate.deal(Random(seed), evening, state=("points", "won", "payments"))
        assert not explain(judged(evening, deal)).explanations
        for wrong in (change(deal, rng) for change in MISTAKES.values()):
            if wrong is not None:
                explain(judged(evening, wrong))


def test_stacks_are_read_in_french_letters_and_corrected_by_name() -> None:
    text = """
[[deal]]
dealer = "Ben"
hands = ["Anna: CJ/P10 HQ/PK C9/K9 K7/H8 KA/P8 PA/P7 H7/CA H9/P9"]
game = "Anna officers H"
"""
    head = 'format = "schafkopf-record/1"\ncards = "french"\nrules = "officers"\nplayers = ["Anna", "Ben"]\n'
    session, deal = read_toml((head + text.replace("CJ", "CB").replace("HQ", "HD")).encode(), Source("x"))
    assert isinstance(session, Session)
    assert deal.hands[0]
    assert deal.hands[0][:2] == ("SU/GZ", "HO/GK")
    changed = with_entries(session, deal, {"hands.Anna": "SU/GZ HO/GK S9/E9 E7/H8 EA/G8 GA/G7 H7/?? H9/G9"})
    assert (changed.hands[0] or ())[6] == "H7/??"


def test_a_stack_is_no_card_of_a_trick() -> None:
    head = "format = 'schafkopf-record/1'\nrules = 'officers'\nplayers = ['Anna', 'Ben']\n"
    text = f"{head}[[deal]]\ntricks = ['SU/GZ GO']\n"
    found = [each.rule for each in read_toml(text.encode(), Source("x")) if isinstance(each, Finding)]
    assert found == ["unknown-card"]


def test_piles_are_corrected_by_name_and_told_in_json() -> None:
    text = (SAMPLES / "vicars.toml").read_text("utf-8").split("[[deal]]")[1]
    found = judge_two(f"[[deal]]{text}", "vicars")
    assert report(found)["piles"] == [["EA", "EK", "HO", "G9"], ["EU", "H9", "SA", "GZ"]]
    changed = with_entries(found.session, found.deal, {"piles.Ben": "EU H9 SA ??"})
    assert changed.piles[1] == ("EU", "H9", "SA", "??")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rules", GAMES)
def test_a_masked_copy_has_the_same_deals_under_other_names(rules: str, tmp_path: Path) -> None:
    def run(*words: str) -> None:
        result = running.run(*words)
        assert result.exit_code == 0, result.output

    source, copy = tmp_path / "a.db", tmp_path / "masked.db"
    run("import", str(SAMPLES / f"{rules}.toml"), "--db", str(source))
    run("export", "--to", "archive", "--output", str(copy), "--mask", "pseudonyms", "--db", str(source))
    rows = [
        sqlite3.connect(path).execute("SELECT contract, won, side_points, runners, verdict FROM outcomes").fetchall()
        for path in (source, copy)
    ]
    assert rows[0] == rows[1]
    assert {row[3] for row in rows[0]} == {None}
    names = json.dumps(sqlite3.connect(copy).execute("SELECT name FROM players").fetchall())
    assert "Anna" not in names
    assert "Ben" not in names
