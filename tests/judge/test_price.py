"""A deal that is told in words has the price that its cards would give; what is not understood is said."""

import pytest

from archive.judge import Judgement
from archive.judge.price import price_of

HOUSE = {"tariff": "10/20/50"}


def priced(text: str, rules: str = "pub") -> tuple[tuple[str, ...], tuple[int, ...] | None]:
    found = price_of(text, rules, HOUSE)
    assert isinstance(found, Judgement), found
    assert found.settlement
    return found.session.players, found.settlement.payments  # type: ignore[return-value]


SEPP = ("Sepp", "Toni", "Opponent 1", "Opponent 2")
ALONE = ("Sepp", "Opponent 1", "Opponent 2", "Opponent 3")


@pytest.mark.parametrize(
    ("text", "players", "payments"),
    [
        ("Sepp Sauspiel auf die Alte mit Toni, verloren, 3 Laufende", SEPP, (-50, -50, 50, 50)),
        ("Sepp lost a call game on the ace of acorns with Toni, 3 runners", SEPP, (-50, -50, 50, 50)),
        ("Sauspiel Eichel Sepp mit Toni verliert ohne 3", SEPP, (-50, -50, 50, 50)),
        ("Sepp und Toni, Eichel-Sau, gewonnen mit 91:29, Schneider, 1 Klopfer", SEPP, (60, 60, -60, -60)),
        ("Sepp Herzsolo, gewonnen mit 91, Schneider, Kontra, Re", ALONE, (720, -240, -240, -240)),
        ("Sepp Herz-Solo Tout gewonnen", ALONE, (300, -100, -100, -100)),
        ("Sepp Solo gewonnen", ALONE, (150, -50, -50, -50)),
        ("Sepp plays Wenz with 2, won with 80 points, knocked twice", ALONE, (840, -280, -280, -280)),
        ("Wenz mit 2, Sepp gewinnt, 80 Augen, zweimal geklopft", ALONE, (840, -280, -280, -280)),
        ("Sepp verliert Ramsch", ALONE, (-60, 20, 20, 20)),
    ],
)
def test_words_of_either_language_in_any_order_have_a_price(
    text: str, players: tuple[str, ...], payments: tuple[int, ...]
) -> None:
    assert priced(text) == (players, payments)


def test_every_line_of_the_price_has_its_source() -> None:
    found = price_of("Sepp Sauspiel auf die Alte, verloren, 3 Laufende", "pub", HOUSE, "de")
    assert isinstance(found, Judgement)
    assert found.session.players == ("Sepp", "Mitspieler", "Gegner 1", "Gegner 2")
    assert found.settlement
    assert [line.amount for line in found.settlement.lines] == [20, 30]
    assert all(line.cite for line in found.settlement.lines)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("Sepp Sauspeil auf die Alte, verloren", "did you mean sauspiel?"),
        ("Wenz verlorren", "did you mean verloren?"),
        ("Wenz, gewonnen mit 12", "what 12 counts"),
        ("Wenz, gewonnen, verloren", "won once"),
        ("Solo mit Toni, gewonnen", "no partner"),
        ("gewonnen mit 74", "names no contract"),
        ("Solo gewonnen, 30 Laufende", "at most 14"),
    ],
)
def test_what_is_not_understood_is_said_and_has_no_price(text: str, piece: str) -> None:
    found = price_of(text, "pub", HOUSE)
    assert not isinstance(found, Judgement)
    assert piece in found[0].message


def test_facts_that_contradict_each_other_are_findings() -> None:
    found = price_of("Herzsolo, gewonnen mit 45", "pub", HOUSE)
    assert isinstance(found, Judgement)
    assert "stated-won" in [each.rule for each in found.findings]


def test_who_won_is_never_guessed() -> None:
    found = price_of("Herzsolo", "pub", HOUSE)
    assert isinstance(found, Judgement)
    assert [each.id for each in found.missing] == ["missing.won"]
