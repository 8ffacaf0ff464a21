"""Score sheets are known by their shape, not by being right; names, doublings and results as people write them."""

import unicodedata

import pytest

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet

HEAD = "Nr;Anni;Beppo;Centa;Dammerl"
ROWS = ("1;50;-50;-50;50", "2;-30;90;-30;-30", "3;20;-20;20;-20", "4;-60;-60;180;-60", "5;10;10;-10;-10")
SUMS = "Summe;-10;-30;110;-70"
RUNNING = ("1;50;-50;-50;50", "2;20;40;-80;20", "3;40;20;-60;0", "4;-20;-40;120;-60", "5;-10;-30;110;-70")
GAMES = "Nr;Spiel;Spieler;Mitspieler"


def read(*lines: str) -> tuple[list[str], list[Deal], list[tuple[int | None, str]]]:
    """The players, the deals, and the line and rule of each finding of a sheet that is known as one."""
    data = "\n".join(lines).encode()
    assert score_sheet.matches("evening.csv", data)
    items = list(score_sheet.read(data, Source("evening.csv")))
    players = [name for item in items if isinstance(item, Session) for name in item.players]
    findings = [(i.source.line if i.source else None, i.rule) for i in items if isinstance(i, Finding)]
    return players, [item for item in items if isinstance(item, Deal)], findings


def payments(deals: list[Deal]) -> list[tuple[int | None, ...] | None]:
    return [deal.stated.payments if deal.stated else None for deal in deals]


@pytest.mark.parametrize(("place", "slip"), [(1, "2;30;90;-30;-30"), (1, "2;-30;80;-30;-30"), (4, "5;10;10;-10;10")])
def test_a_row_of_amounts_that_does_not_come_out_is_named_and_the_others_are_read(place: int, slip: str) -> None:
    rows = [*ROWS[:place], slip, *ROWS[place + 1 :]]
    _, deals, findings = read(HEAD, *rows, SUMS)
    assert [deal.source.line for deal in deals if deal.source] == [at + 2 for at in range(5) if at != place]
    assert findings == [(place + 2, "row-unclear")]


def test_sums_that_do_not_come_out_are_stated_totals_beside_all_rows() -> None:
    _, deals, findings = read(HEAD, *ROWS, SUMS.replace("-10", "-20"))
    assert (len(deals), findings) == (5, [])
    assert deals[-1].stated is not None
    assert deals[-1].stated.totals == (-20, -30, 110, -70)


def test_running_totals_without_games_are_the_totals_of_each_deal() -> None:
    _, deals, findings = read(HEAD, *RUNNING)
    assert [deal.stated.totals for deal in deals if deal.stated] == [
        (50, -50, -50, 50), (20, 40, -80, 20), (40, 20, -60, 0), (-20, -40, 120, -60), (-10, -30, 110, -70),
    ]  # fmt: skip
    assert findings == []


def test_numbers_that_nobody_pays_are_no_sheet() -> None:
    assert not score_sheet.matches("parts.csv", b"Nr;Width;Length;Height\n1;3;4;2\n2;12;33;2\n")


def test_names_that_end_with_a_sign_are_names() -> None:
    heads = ["Hans M.", "Hans S.", "Sepp (2)", "Toni jun."]
    players, deals, findings = read(
        f"{GAMES};{';'.join(heads)}", "1;Wenz;Hans M.;;150;-50;-50;-50", "2;Sauspiel;Toni jun.;Sepp (2);-20;-20;20;20"
    )
    assert (players, findings) == (heads, [])
    assert payments(deals) == [(150, -50, -50, -50), (-20, -20, 20, 20)]


def test_decorated_heads_are_players_by_the_name_alone() -> None:
    _, deals, findings = read(
        f"{GAMES};Vroni (Wirtin);Girgl*;Zenzi ♥;Lois",
        "1;Sauspiel;Vroni;Lois;20;-20;-20;20",
        "2;Wenz;Girgl;;-50;150;-50;-50",
    )
    assert (payments(deals), findings) == ([(20, -20, -20, 20), (-50, 150, -50, -50)], [])


def test_composed_and_decomposed_letters_are_one_name() -> None:
    composed = "J\N{LATIN SMALL LETTER O WITH DIAERESIS}rg"
    head = f"{GAMES};{unicodedata.normalize('NFD', composed)};Anni;Beppo;Centa"
    players, deals, findings = read(head, f"1;Wenz;{composed};;150;-50;-50;-50")
    assert (players[0], len(deals), findings) == (composed, 1, [])


@pytest.mark.parametrize(("text", "count"), [("x2", 1), ("×4", 2), ("2x", 1), ("× 8", 3)])
def test_a_factor_below_kontra_is_so_many_doublings(text: str, count: int) -> None:
    _, deals, findings = read(f"{GAMES};Kontra;Anni;Beppo;Centa;Dammerl", f"1;Wenz;Anni;;{text};300;-100;-100;-100")
    assert ([deal.doubles for deal in deals], findings) == ([count], [])


def test_thumbs_say_who_won() -> None:
    _, deals, findings = read(
        f"{GAMES};Ergebnis;Anni;Beppo;Centa;Dammerl", "1;Wenz;Anni;;👍;150;-50;-50;-50", "2;Wenz;Anni;;👎;-150;50;50;50"
    )
    assert ([deal.stated.won for deal in deals if deal.stated], findings) == ([True, False], [])


@pytest.mark.parametrize("word", ["G", "gibt", "sitzt aus"])
def test_a_word_in_place_of_an_amount_says_who_sits_out(word: str) -> None:
    _, deals, findings = read(
        f"{GAMES};Anni;Beppo;Centa;Dammerl;Xaver",
        f"1;Sauspiel;Anni;Dammerl;50;-50;-50;50;{word}",
        f"2;Wenz;Dammerl;;{word};-50;-50;150;-50",
        f"3;Wenz;Dammerl;;-50;{word};-50;150;-50",
    )
    assert ([deal.sits_out for deal in deals], findings) == ([(4,), (0,), (1,)], [])
    assert deals[0].x == {"Xaver": word}


def test_points_that_stand_again_in_euros_are_paid_in_euros() -> None:
    names = ("Anni", "Beppo", "Centa", "Dammerl")
    _, deals, findings = read(
        ";".join([GAMES, *names, *(f"{name} €" for name in names)]),
        "1;Sauspiel;Anni;Dammerl;5;-5;-5;5;0,50;-0,50;-0,50;0,50",
        "2;Wenz;Anni;;15;-5;-5;-5;1,50;-0,50;-0,50;-0,50",
    )
    assert (payments(deals), findings) == ([(50, -50, -50, 50), (150, -50, -50, -50)], [])
    assert deals[0].x == {"Anni": "5", "Beppo": "-5", "Centa": "-5", "Dammerl": "5"}


def test_a_start_row_of_noughts_is_no_deal() -> None:
    head = f"{GAMES};Anni;Beppo;Centa;Dammerl"
    _, deals, findings = read(
        head, "0;;;;0;0;0;0", "1;Sauspiel;Anni;Dammerl;20;-20;-20;20", "2;Wenz;Anni;;150;-50;-50;-50"
    )
    assert (payments(deals), findings) == ([(20, -20, -20, 20), (150, -50, -50, -50)], [])
