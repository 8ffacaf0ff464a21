"""`schafkopf show` of deals with phases before play: what was said, passed on and left on the table."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from support.paths import ROOT
from support.running import run

from archive import generate
from archive.notation import write_toml
from archive.record import Carry, Deal, Game, Session


def shown(path: Path, evening: Session, deal: Deal, columns: int = 100) -> str:
    (path / "one.toml").write_text(write_toml(evening, [deal]), "utf-8")
    db = str(path / "a.db")
    assert run("import", path / "one.toml", "--db", db).exit_code in (0, 1)
    result = run("show", "1", "--db", db, COLUMNS=str(columns))
    assert result.exit_code == 0, result.output
    return result.output


def test_the_blind_is_taken_up_and_cards_are_laid_away(tmp_path: Path) -> None:
    evening = generate.session("three-player-blind")
    deal = generate.deal(Random(1), evening, "solo", words=())
    text = shown(tmp_path, evening, deal)
    assert f"blind:     {' '.join(deal.blind or ())}" in text
    assert "picks up the blind" in text
    assert "lays away" in text
    assert "Dora" not in text, "three players"


def test_what_lies_on_the_table_is_told_before_and_after(tmp_path: Path) -> None:
    house = {"stock": {"amount": 10, "won_by": ["solo"]}, "bock": {"on": ["schwarz"]}}
    evening = generate.session("bavarian", house)
    text = shown(tmp_path, evening, Deal(dealer=3, game=Game("none"), carry=Carry(stock=40)))
    assert "in force:  Stock 40" in text
    assert "left:   Stock 80" in text


def test_the_cut_and_the_auction_are_in_words(tmp_path: Path) -> None:
    evening = generate.session("bavarian", {"klopfen": True})
    deal = replace(generate.deal(Random(3), evening, "solo", dealer=3), cut="Cem knocks, 2x4")
    text = shown(tmp_path, evening, deal)
    assert "Cem cuts and knocks: 2 × 4." in text
    assert "wants to play" in text


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        ("Cem", "Cem cuts."),
        ("Cem 9", "Cem cuts off 9 cards."),
        ("Ben for Cem", "Ben cuts for Cem."),
        ("Ben for Cem 1", "Ben cuts off 1 card for Cem."),
        ("nobody at all", "At the cut: nobody at all."),
    ],
)
def test_the_cut_is_a_sentence_and_the_packets_are_there(tmp_path: Path, cut: str, words: str) -> None:
    deal = generate.deal(Random(3), evening := generate.session("bavarian"), "solo", dealer=3)
    text = shown(tmp_path, evening, replace(deal, cut=cut, packets="3 b2 4 1"))
    assert f"cut:       {words}" in text
    assert "packets:   3, 2 to the blind, 4, 1" in text


@pytest.mark.parametrize("columns", [80, 120])
def test_nothing_is_wider_than_the_terminal(tmp_path: Path, columns: int) -> None:
    evening = generate.session("bavarian", {"hochzeit": {"when": "before"}, "contracts": ["solo", "hochzeit"]})
    text = shown(tmp_path, evening, generate.deal(Random(2), evening, "hochzeit"), columns)
    assert "passes" in text
    assert max(map(len, text.splitlines())) <= columns


def test_004_with_a_fourth_player_the_dealer_has_no_hand_that_could_be_recorded(tmp_path: Path) -> None:
    sample = ROOT / "sample_games/valid/palatinate-four.toml"
    db = tmp_path / "archive.db"
    assert run("import", sample, "--db", db).exit_code == 0
    text = run("show", "1", "--db", db).output
    assert "dealer, sits out" in text
    assert "not recorded" not in text
