"""Score sheets as secretaries of clubs keep them, each with what it means: short names of games, words of the result
beside the game, Kontra and Re in two columns, days of the week, seasons; and what is asked about."""

from pathlib import Path

import pytest
from support.running import run

from archive.cli.inputs import files_with_progress
from archive.record import Deal, Double, Finding, Session

HEAD = "Spiel;Spieler;Partner;Anna;Ben;Cem;Dora"
WENZ, SOLO = "Wenz;Dora;;-50;-50;-50;150", "Solo Gras;Ben;;50;-150;50;50"
CALLED = "Ruf Alte;Anna;Cem;20;-20;20;-20"


def items_of(folder: Path, *rows: str) -> list[Session | Deal | Finding]:
    (folder / "sheet.csv").write_text("\n".join(rows), "utf-8")
    return [item for file in files_with_progress((str(folder / "sheet.csv"),), None) for item in file.items()]


def deals_of(folder: Path, *rows: str) -> list[Deal]:
    return [item for item in items_of(folder, *rows) if isinstance(item, Deal)]


def evenings_of(folder: Path, *rows: str) -> list[tuple[str | None, int]]:
    """The day and the number of deals of each evening."""
    evenings: list[tuple[str | None, int]] = []
    for item in items_of(folder, *rows):
        if isinstance(item, Session):
            evenings.append((item.date, 0))
        elif isinstance(item, Deal):
            evenings[-1] = (evenings[-1][0], evenings[-1][1] + 1)
    return evenings


def asked_of(folder: Path, *rows: str) -> list[tuple[str, int, str]]:
    """The rule, the line and the question of each finding."""
    findings = [item for item in items_of(folder, *rows) if isinstance(item, Finding)]
    facts = [each.facts.get("why") or each.facts.get("expected") for each in findings]
    return [
        (each.rule, each.source.line if each.source else 0, getattr(fact, "id", "").rpartition(".")[2])
        for each, fact in zip(findings, facts, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("RS Eichel", "rufspiel E"), ("RS auf die Alte", "rufspiel E"), ("Sau Blau", "rufspiel G"), ("G So", "solo G"),
        ("Blau-Solo", "solo G"), ("Ra", "ramsch"), ("Si", "sie"), ("Solo Sie", "sie"), ("Wz Tout", "wenz tout"),
        ("alle weg", "none"),
    ],
)  # fmt: skip
def test_short_names_of_games_are_read(text: str, game: str, tmp_path: Path) -> None:
    (deal,) = [each for each in deals_of(tmp_path, HEAD, WENZ, f"{text};;;0;0;0;0") if each.source.line == 3]
    assert " ".join(filter(None, (deal.game.contract, deal.game.suit, *deal.game.words))) == game


def test_a_word_of_ones_own_is_refused_with_how_to_say_what_it_means(tmp_path: Path) -> None:
    assert asked_of(tmp_path, HEAD, WENZ, "Sz;;;0;0;0;0") == [("bad-entry", 3, "contract")]
    told = run("check", tmp_path / "sheet.csv")
    assert 'columns.toml beside the sheet, as RS = "rufspiel" below [words]' in told.output


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Solo, Herz, verloren", {"won": False}),
        ("Herz-Solo verloren mit 53 Augen", {"won": False, "points": 53}),
        ("Wenz gewonnen Schneider", {"won": True, "schneider": True}),
        ("Herz-Solo mit 3", {"runners": 3}),
    ],
)
def test_a_game_with_its_result_in_one_cell_is_read(text: str, facts: dict[str, object], tmp_path: Path) -> None:
    deal = deals_of(tmp_path, HEAD, WENZ, f"{text};Ben;;50;-150;50;50")[1]
    assert deal.game.declarer == 1
    assert {key: getattr(deal.stated, key) for key in facts} == facts


def test_the_points_of_a_ramsch_may_stand_beside_it(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, HEAD, WENZ, "Ramsch: Dora 45 Augen;;;20;20;20;-60")[1]
    assert (deal.stated.loser, deal.stated.points) == (3, 45)
    other = "Ramsch: Dora 45 Augen;Ben;;20;20;20;-60"
    assert asked_of(tmp_path, HEAD, WENZ, other) == [("bad-entry", 3, "other-column")]


def test_what_doubled_a_deal_is_asked_about_beside_a_game_and_clear_below_kontra(tmp_path: Path) -> None:
    row = "Sauspiel auf die Alte doppelt;Anna;Cem;40;-40;40;-40"
    assert asked_of(tmp_path, HEAD, WENZ, row) == [("bad-entry", 3, "what-doubled")]
    below = ["Spiel;Spieler;Kontra;Anna;Ben;Cem;Dora", "Wenz;Dora;doppelt;-100;-100;-100;300"]
    assert [each.doubles for each in deals_of(tmp_path, *below)] == [1]


def test_runners_may_be_told_in_words(tmp_path: Path) -> None:
    head = "Spiel;Spieler;Lfd.;Anna;Ben;Cem;Dora"
    cells = ("zwei", "2 Laufende", "mit zwei", "ohne 2", "m2", "o2")
    rows = [f"Wenz;Dora;{text};-70;-70;-70;210" for text in cells]
    (*counts, one, other, short, less) = deals_of(tmp_path, head, *rows)
    assert [each.stated and each.stated.runners for each in (one, other, short, less)] == [2, -2, 2, -2]
    assert asked_of(tmp_path, head, "Wenz;Dora;drei Herrn;-80;-80;-80;240", *rows)[0] == ("bad-entry", 2, "which-lords")
    assert len(counts) == 2


@pytest.mark.parametrize(
    ("kontra", "re", "doubles"),
    [
        ("x", "x", 2),
        ("x", "", 1),
        ("Ben", "Dora", (Double(1, "kontra"), Double(3, "re"))),
        ("B", "D", (Double(1, "kontra"), Double(3, "re"))),
        ("", "", None),
        ("Ko+Re", "", 2),
        ("x", "-", 1),
        ("x", "x;x", 3),
        ("Ben", "Dora;Ben", (Double(1, "kontra"), Double(3, "re"), Double(1, "double"))),
    ],
)
def test_kontra_re_and_sub_may_have_a_column_each(kontra: str, re: str, doubles: object, tmp_path: Path) -> None:
    sub = "" if ";" in re else ";"
    rows = ("Spiel;Spieler;Kontra;Re;Sub;Anna;Ben;Cem;Dora", f"Wenz;Dora;{kontra};{re}{sub};-200;-200;-200;600")
    assert [each.doubles for each in deals_of(tmp_path, *rows)] == [doubles]


@pytest.mark.parametrize(
    ("cells", "doubles"),
    [
        (("2x", "x2"), [1, 1]),
        (("x2", "", "×4", "2x"), [1, None, 2, 1]),
        (("2x", "1x"), [2, 1]),
        (("1x", "", "2x", "3x"), [1, None, 2, 3]),
        (("2x", "x"), [1]),
    ],
)
def test_twice_is_a_count_or_a_price_or_asked_about(
    cells: tuple[str, ...], doubles: list[int | None], tmp_path: Path
) -> None:
    rows = ["Spiel;Spieler;Kontra;Anna;Ben;Cem;Dora", *(f"Wenz;Dora;{cell};-100;-100;-100;300" for cell in cells)]
    assert [each.doubles for each in deals_of(tmp_path, *rows)] == doubles
    asked = [("bad-entry", 2, "once-or-twice")] if len(doubles) == 1 else []
    assert asked_of(tmp_path, *rows) == asked


@pytest.mark.parametrize(("kontra", "re"), [("", "x"), ("2", "x"), ("Ben", "x")])
def test_a_re_that_answers_no_kontra_is_asked_about(kontra: str, re: str, tmp_path: Path) -> None:
    row = f"Wenz;Dora;{kontra};{re};-200;-200;-200;600"
    asked = asked_of(tmp_path, "Spiel;Spieler;Kontra;Re;Anna;Ben;Cem;Dora", row)
    assert asked == [("bad-entry", 2, "re-of-kontra")]


def test_days_of_the_week_part_evenings_without_a_date(tmp_path: Path) -> None:
    rows = [f"Tag;{HEAD}", f"Freitag;{WENZ}", f";{CALLED}", f"Sa;{SOLO}", f";{CALLED}"]
    assert evenings_of(tmp_path, *rows) == [(None, 2), (None, 2)]
    alone = [HEAD, "Freitag", WENZ, CALLED, "Samstag", SOLO, CALLED]
    assert evenings_of(tmp_path, "Hütte, 13.11.2026", *alone) == [(None, 2), (None, 2)]


def test_days_of_a_season_have_the_year_on_their_side_of_new_year(tmp_path: Path) -> None:
    rows = [f"Datum;{HEAD}", f"27.12.;{WENZ}", f";{CALLED}", f"3.1.;{SOLO}", f";{CALLED}"]
    assert evenings_of(tmp_path, "Runde 2026/27", *rows) == [("2026-12-27", 2), ("2027-01-03", 2)]
    spring = [f"Datum;{HEAD}", f"10.1.;{WENZ}", f";{CALLED}", f"6.6.;{SOLO}", f";{CALLED}"]
    assert evenings_of(tmp_path, "Saison 2026/27", *spring) == [("2027-01-10", 2), (None, 2)]


def test_rows_below_a_date_that_cannot_be_read_are_not_of_the_day_before(tmp_path: Path) -> None:
    rows = [f"Datum;{HEAD}", f"13.11.2026;{WENZ}", f";{CALLED}", f"31.11.2026;{SOLO}", f";{CALLED}", f";{WENZ}"]
    assert evenings_of(tmp_path, *rows) == [("2026-11-13", 2), (None, 2)]
    numbers = [f"Tag;{HEAD}", f"13;{WENZ}", f";{CALLED}", f"20;{SOLO}", f";{CALLED}"]
    assert evenings_of(tmp_path, *numbers) == [(None, 2), (None, 2)]
    slip = [f"Datum;{HEAD}", f"13.11.2026;{WENZ}", f"13.13.2026;{SOLO}", f"13.11.2026;{CALLED}"]
    assert evenings_of(tmp_path, *slip) == [("2026-11-13", 2)]
    assert asked_of(tmp_path, *slip)[0] == ("bad-entry", 3, "date")


def test_a_date_that_an_office_program_counted_is_refused_with_what_to_do(tmp_path: Path) -> None:
    assert asked_of(tmp_path, f"Datum;{HEAD}", f"46339;{WENZ}") == [("bad-entry", 2, "counted-day")]


def test_a_column_of_times_may_have_the_dates_too(tmp_path: Path) -> None:
    rows = [f"Zeit;{HEAD}", f"13.11.26 23:58;{WENZ}", f"14.11.26 00:20;{CALLED}", f"20.11.26 20:15;{SOLO}"]
    assert evenings_of(tmp_path, *rows) == [("2026-11-13", 2), ("2026-11-20", 1)]


def test_the_partner_may_be_in_brackets_behind_the_declarer(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "Spiel;Spieler;Anna;Ben;Cem;Dora", "Ruf Alte;Anna (Cem);20;-20;20;-20")[0]
    assert (deal.game and deal.game.declarer, deal.partner) == (0, 2)
    two_losers = ("Spiel;Spieler;Anna;Ben;Cem;Dora", "Ramsch;Anna, Cem;-20;20;-20;20")
    assert asked_of(tmp_path, *two_losers) == [("bad-entry", 2, "one-declarer")]
    none_or_nora = ("Spiel;Spieler;Kontra;Anna;Ben;Cem;Nora", "Wenz;Anna;n;150;-50;-50;-50")
    assert asked_of(tmp_path, *none_or_nora) == [("unknown-player", 2, "")]


def test_whole_euros_below_heads_of_euros_are_no_cents(tmp_path: Path) -> None:
    rows = ["Spiel;Spieler;Partner;Anna in €;Ben in €;Cem in €;Dora in €", "Ruf Alte;Anna;Cem;0,2;-0,2;0,2;-0,2"]
    paid = [each.stated and each.stated.payments for each in deals_of(tmp_path, *rows, "Wenz;Dora;;-1;-1;-1;3")]
    assert paid[1] == (-100, -100, -100, 300)


def test_points_may_have_words_of_the_result_beside_them(tmp_path: Path) -> None:
    deal = deals_of(tmp_path, "Spiel;Spieler;Punkte;Anna;Ben;Cem;Dora", "Wenz;Dora;92 Schneider;-60;-60;-60;180")[0]
    assert (deal.stated.points, deal.stated.schneider) == (92, True)


def test_a_day_without_a_year_is_named_as_one(tmp_path: Path) -> None:
    (session,) = [each for each in items_of(tmp_path, f"Datum;{HEAD}", f"13.11.;{WENZ}") if isinstance(each, Session)]
    assert session.date is None
    assert any("13.11. tells no year" in note for note in session.inferred or ())


def test_sums_of_evenings_of_a_club_of_five_are_no_deals(tmp_path: Path) -> None:
    rows = [
        "Saison 2026",
        "Abend;Anna;Ben;Cem;Dora;Emil",
        "13.11.2026;3,20;-1,40;0,80;-2,60;",
        "20.11.2026;-0,60;2,10;;-1,00;-0,50",
        "27.11.2026;1,10;-2,30;2,40;-1,20;",
    ]
    assert deals_of(tmp_path, *rows) == []
    assert asked_of(tmp_path, *rows) == [("row-unclear", 2, "sums-of-evenings")]
    four = ["Abend;Anna;Ben;Cem;Dora", "13.11.2026;3,20;-1,40;-1,80;", "20.11.2026;-0,60;2,10;-1,00;-0,50"]
    assert (deals_of(tmp_path, *four), asked_of(tmp_path, *four)) == ([], [("row-unclear", 1, "sums-of-evenings")])


def test_the_result_says_whose_an_amount_without_a_sign_is(tmp_path: Path) -> None:
    rows = [
        "Spiel;Spieler;Partner;Ergebnis;Betrag",
        "Sauspiel Alte;Anna;Cem;gewonnen;20",
        "Sauspiel Blaue;Ben;Dora;verloren;30",
        "Herz Solo;Ben;;verloren;50",
        "Wenz;Dora;;gewonnen;70",
    ]
    paid = [each.stated and each.stated.payments for each in deals_of(tmp_path, *rows)]  # Anna, Cem, Ben, Dora
    assert paid == [(20, 20, -20, -20), (30, 30, -30, -30), (50, 50, -150, 50), (-70, -70, -70, 210)]
    asked = asked_of(tmp_path, *rows, "Sauspiel Alte;Anna;Cem;gewonnen;-20")
    assert ("row-unclear", 6, "sign-and-result") in asked


def test_sums_may_be_beside_a_kitty_or_below_the_result(tmp_path: Path) -> None:
    rows = ["Nr;Spiel;Spieler;Partner;Anna;Ben;Cem;Dora;Kasse", f"1;{WENZ};", f"2;{CALLED};", f"3;{SOLO};"]
    assert len(deals_of(tmp_path, *rows, "Summen;;;;20;-220;20;180;40")) == 3
    assert asked_of(tmp_path, *rows, "Summen;;;;20;-220;20;180;40") == [("unknown-column", 1, "")]
    results = ["Spiel;Spieler;Partner;G/V;Anna;Ben;Cem;Dora", "Wenz;Dora;;G;-50;-50;-50;150"]
    results += ["Solo Gras;Ben;;V;50;-150;50;50", ";;;Ges.;0;-200;0;200"]
    assert (len(deals_of(tmp_path, *results)), asked_of(tmp_path, *results)) == (2, [])


def test_a_cent_may_be_one_letter(tmp_path: Path) -> None:
    rows = [HEAD, "Wenz;Dora;;-0,50;-0,50;-0,50;1,50", "Ruf Alte;Ben;Cem;-20c;20c;20c;-20c"]
    assert [each.stated and each.stated.payments for each in deals_of(tmp_path, *rows)][1] == (-20, 20, 20, -20)


@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("tariff = [10, 20, 50]", 'write tariff = "10/20/50"'),
        ('players = "Anna, Ben"', 'write players = ["A", "B", "C", "D"]'),
        ("deals = 12", "write deals = [12]"),
        ("[house]\ntariff = [10, 20, 50]", "expected 10/50, 10/20/50"),
    ],
)
def test_a_wrong_value_in_columns_toml_is_refused_with_how_to_write_it(line: str, example: str, tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text(line, "utf-8")
    (tmp_path / "sheet.csv").write_text("\n".join((HEAD, WENZ, CALLED)), "utf-8")
    assert example in run("check", tmp_path / "sheet.csv").output
