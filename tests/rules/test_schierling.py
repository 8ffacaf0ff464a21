"""Schierling, as document 001 tells of it under Impure Schafkopf Examples. Its slip: who is to `collect
only Hochzeit each` from the Stock collects two euros."""

import pytest
from msgspec.structs import replace
from support.rulesets import load_rules
from support.worked_examples import PLAYERS, played

from archive.record import Deal, Game
from archive.rules import Ruleset
from archive.settle.settle import settle
from archive.settle.types import LedgerState, Settlement


def schierling() -> Ruleset:
    return load_rules("schierling")


def result(game: Game, points: int, tricks: int, held: tuple[str, ...] = ("EO",), **before: int) -> Settlement:
    """A deal that Anna (with Dora, where two play) ends with so many points and tricks of six."""
    partner = 3 if game.contract in ("rufspiel", "hochzeit") else None
    whole = played(points, tricks, game.contract, partner)
    rest = () if "EO" in held else ("EO",)
    winners = (0,) * tricks + (1,) * (6 - tricks)
    replay = replace(whole, held=(held, rest, (), ()), winners=winners)
    worth = (points, *(0,) * 4, 120 - points) if tricks else (0, 0, 0, 0, 0, 120)
    replay = replace(replay, trick_points=worth, tricks_won=(tricks, 6 - tricks, 0, 0))
    return settle(Deal(game=game), PLAYERS, schierling(), replay, LedgerState(**before))


def test_schierling_nine_contracts_in_their_order() -> None:
    rules = schierling()
    rows = [rules.contracts[name] for name in rules.house.contracts]
    ranks = {row.id: row.rank for row in rows}
    ranks |= {f"{row.id} tout": row.tout_rank for row in rows if row.tout_rank is not None}
    assert sorted(ranks, key=ranks.__getitem__) == [
        "rufspiel", "hochzeit", "geier", "wenz", "solo", "geier tout", "wenz tout", "solo tout", "sie",
    ]  # fmt: skip
    assert len(set(ranks.values())) == 9
    assert rules.house.deck == 24


def test_schierling_tariff_10_20_50_and_one_euro_for_a_hochzeit() -> None:
    assert result(Game("rufspiel", 0, "E", "EA"), 70, 4).payments == (20, -20, -20, 20)
    assert result(Game("rufspiel", 0, "E", "EA"), 95, 5).price == 30
    assert result(Game("hochzeit", 0), 70, 4).payments == (100, -100, -100, 100)
    assert result(Game("hochzeit", 0), 120, 6).price == 120
    for name, top in (("geier", "EO"), ("wenz", "EU")):
        assert result(Game(name, 0), 70, 4, (top,)).payments == (150, -50, -50, -50)


@pytest.mark.parametrize("runners", [0, 3, 4, 5, 6])
def test_schierling_a_solo_tout_is_worth_1_40_and_20_for_each_runner(runners: int) -> None:
    top = ("EO", "GO", "HO", "SO", "EU", "GU")
    held = top[:runners] or ("EO", "GO")
    tout = Game("solo", 0, "G", words=("tout",))
    won = result(tout, 120, 6, held)
    assert won.price == 140 + 20 * runners
    assert won.payments == (3 * (140 + 20 * runners), *(-140 - 20 * runners,) * 3)
    assert result(tout, 100, 5, held).price == won.price  # lost: what it would have won


def test_schierling_a_sie_costs_2_60_with_its_six_runners() -> None:
    lords = ("EO", "GO", "HO", "SO", "EU", "GU")
    found = result(Game("sie", 0), 0, 0, lords)
    assert found.payments == (780, -260, -260, -260)
    assert [(line.kind, line.amount, line.running) for line in found.lines] == [
        ("add", 50, 50), ("add", 10, 60), ("add", 10, 70), ("add", 60, 130), ("times", 2, 260),
    ]  # fmt: skip


@pytest.mark.parametrize(("stock", "share"), [(80, 40), (400, 200), (480, 200), (2000, 200)])
def test_schierling_the_stock_is_shared_or_doubled_but_no_more_than_two_euros_each(stock: int, share: int) -> None:
    rufspiel = Game("rufspiel", 0, "E", "EA")
    won, lost = result(rufspiel, 70, 4, stock=stock), result(rufspiel, 50, 3, stock=stock)
    assert (won.payments, won.pot) == ((20 + share, -20, -20, 20 + share), -2 * share)
    assert (lost.payments, lost.pot) == ((-20 - share, 20, 20, -20 - share), 2 * share)
    assert result(Game("hochzeit", 0), 70, 4, stock=stock).pot == 0  # it is a Sauspiel that plays for it
    kinds = ("shared-most", "paid-most") if stock > 400 else ("shared", "doubled")
    ids = tuple(f"settle.pot-{kind}" for kind in kinds)
    assert (won.lines[-1].message.id, lost.lines[-1].message.id) == ids, "2 euros of a pot do not double it"
    assert {"4 euros" in each.lines[-1].cite for each in (won, lost)} == {stock > 400}


def test_schierling_twenty_cents_each_when_all_pass() -> None:
    out = settle(Deal(game=Game("none")), PLAYERS, schierling(), played(0, 0, "none", None))
    assert (out.payments, out.pot) == ((-20, -20, -20, -20), 80)
