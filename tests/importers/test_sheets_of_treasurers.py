"""Sheets as treasurers of clubs keep them: what each means, or what has to be asked about it."""

from collections.abc import Sequence

import pytest
from support.evening_sheets import (
    ALONE,
    DEALS,
    FOUR,
    GAMES,
    HEAD,
    NAMES,
    OF_GAMES,
    PLAYED,
    PLAYERS,
    SUMS,
    asked,
    beside,
    items_of,
    joined,
    numbered,
    paid,
    rows,
)

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet
from importers.score_sheet.preview import views_of_sheets

TOTALS = numbered(joined(SUMS))
OF_TOTALS = f"{NAMES};Summe {';Summe '.join(PLAYERS)}"
WINNERS = ["Anna + Dora;50", "Anna, Cem und Dora;50", "Ben & Cem;30", "Dora;50"]
LOSSES = [";".join(str(each) if each < 0 else "" for each in row) for row in FOUR]
UNSIGNED = [";".join(str(abs(each)) for each in row) for row in FOUR]
AS_MEANT = {
    "totals numbered downwards": rows(HEAD, *TOTALS[::-1]),
    "totals numbered downwards with their sum below": rows(HEAD, *TOTALS[::-1], "Summe;" + joined(SUMS)[-1]),
    "amounts and totals numbered downwards": rows(
        f"Nr;Spiel;Spieler;Mitspieler;{OF_TOTALS}", *numbered(beside(PLAYED, joined(SUMS)))[::-1]
    ),
    "winners beside empty columns of players": rows(
        f"Nr;Gewinner;Wert;{NAMES}", *(f"{each};;;;" for each in numbered(WINNERS))
    ),
    "who has won, in words": rows("Nr;Gewonnen haben;Betrag", *numbered(WINNERS)),
    "winners and losers, a column a name": rows(
        "Gewinner 1;Gewinner 2;Gewinner 3;Verlierer 1;Verlierer 2;Verlierer 3;Wert",
        *("Anna;Dora;;Ben;Cem;;50", "Anna;Cem;Dora;Ben;;;50", "Ben;Cem;;Anna;Dora;;30", "Dora;;;Anna;Ben;Cem;50"),
    ),
    "crosses for those who played, and the result": rows(
        f"Nr;{NAMES};Ergebnis;Wert",
        *numbered(["x;;;x;gewonnen;50", ";x;;;verloren;50", ";x;x;;gewonnen;30", ";;;x;gewonnen;50"]),
    ),
    "the losers alone, with a minus": rows(OF_GAMES, *numbered(beside(GAMES, LOSSES))),
    "amounts of all without signs, and who won": rows(
        f"Nr;Spiel;Spieler;Partner;gew.;{NAMES}", *numbered(beside(GAMES, ("ja", "nein", "ja", "ja"), UNSIGNED))
    ),
    "days with the name of the month between strokes": rows(
        f"Datum;{HEAD}", *(f"02-Okt-2026;{each}" for each in ALONE)
    ),
    "texts as programs keep them": rows(HEAD, *numbered([";".join(f'"=""{each}"""' for each in row) for row in FOUR])),
    "euros of the sums below": rows(OF_GAMES, *DEALS, "in €;;;;0,20;-2,20;-0,20;2,20"),
    "signs behind the amounts": rows(
        HEAD, *numbered([";".join(f"{abs(each)}{'-' if each < 0 else '+'}" for each in row) for row in FOUR])
    ),
    "both forms of a word in its head": rows(f"Nr;Spielart;Spieler/in;Mitspieler/in;{NAMES}", *DEALS),
    "words of heads that go on in the next line": rows(
        f'Nr;"Spiel-\nart";"Spie-\nler";"Mit-\nspieler";{NAMES}', *DEALS
    ),
    "the partner behind the declarer": rows(
        f"Nr;Spiel;Spieler;{NAMES}",
        *numbered(
            beside(
                ["Sauspiel", "Herz-Solo", "Sauspiel", "Wenz"],
                ["Anna mit Dora", "Ben", "Cem mit Ben", "Dora"],
                joined(FOUR),
            )
        ),
    ),
    "what stood there by mistake": rows(
        HEAD, "1;50;-50 (statt 50);-50;50", "2;50;-150 korr.;50;50", "3;-30;30;30 statt 20;-30", ALONE[3]
    ),
    "numbers before the names": rows("Nr;1. Anna;2. Ben;3. Cem;4. Dora", *ALONE),
    "seats before the names": rows("Nr;Spieler 1: Anna;Spieler 2: Ben;Spieler 3: Cem;Spieler 4: Dora", *ALONE),
    "seats before names in brackets": rows("Nr;P1 (Anna);P2 (Ben);P3 (Cem);P4 (Dora)", *ALONE),
    "amounts and standings below each name": rows(
        "Nr;Anna;;Ben;;Cem;;Dora;",
        ";Punkte;Stand;Punkte;Stand;+/-;Stand;+/-;Stand",
        *numbered([";".join(beside(one, two)) for one, two in zip(FOUR, SUMS, strict=True)]),
    ),
    "what was paid out and eaten below": rows(OF_GAMES, *DEALS, "zu zahlen;;;;0;0,20;0;0", "Zeche;;;;12,50;8;9;11"),
    "the declarer's amount with a minus or without a sign": rows(
        "Nr;Spiel;Spieler;Partner;Betrag", *numbered(beside(GAMES, (50, -50, 30, 50)))
    ),
}


@pytest.mark.parametrize("kind", AS_MEANT)
def test_a_sheet_is_read_as_it_is_meant(kind: str) -> None:
    items = items_of(AS_MEANT[kind])
    assert (paid(items), asked(items)) == (FOUR, [])


TWO_ROWS = rows("Nr;Spiel;Spieler;Partner;Beträge;;;", OF_GAMES, *DEALS)
MARKED = rows(OF_GAMES, DEALS[0], "2;〃;Anna;Dora;20;-20;-20;20")


@pytest.mark.parametrize("text", [*AS_MEANT.values(), TWO_ROWS, MARKED])
def test_a_preview_names_columns_by_which_the_sheet_is_read_alike_or_none(text: str) -> None:
    opened = score_sheet.open_sheets(text.encode(), Source("sheet.csv"))
    _, columns = views_of_sheets(opened.sheets, opened.mapping_file.mapping)
    again = score_sheet.open_sheets(text.encode(), Source("sheet.csv"), columns or "")
    assert paid(list(score_sheet.read_sheets(again))) == paid(list(score_sheet.read_sheets(opened))) != []


def test_a_letter_of_a_column_that_the_sheet_does_not_have_is_a_finding() -> None:
    text = rows("Spiel;Spieler;Gewinner;Verlierer;Wert", "Wenz;A;A;B, C, D;20", "Sauspiel;B;A, C;B, D;20").encode()
    opened = score_sheet.open_sheets(text, Source("sheet.csv"), 'players = ["P", "Q", "R", "S"]\n')
    findings = [item for item in score_sheet.read_sheets(opened) if isinstance(item, Finding)]
    assert [(each.rule, each.facts["entry"]) for each in findings] == [("bad-entry", name) for name in "PQRS"]


FROM_BEFORE = rows(HEAD, "1;170;-130;10;-50", "2;190;-150;-10;-30", "3;170;-130;10;-50", "4;190;-110;-10;-70")
EVENINGS_IN_COLUMNS = ("Anna;120;-40;80", "Ben;-20;40;20", "Cem;-100;0;-100")
ASKED = {
    "totals that go on from an evening before": (
        FROM_BEFORE, [(), (20, -20, -20, 20), (-20, 20, 20, -20), (20, 20, -20, -20)], [(2, "totals-begin")],
    ),
    "totals of a second evening that go on from none": (
        rows(
            f"Datum;{HEAD}", *(f"2.10.2026;{row}" for row in TOTALS),
            "9.10.2026;1;300;-300;70;-70", "9.10.2026;2;320;-280;50;-90",
        ),
        [*FOUR, (), (20, 20, -20, -20)],
        [(6, "totals-begin")],
    ),
    "totals without the row of a deal": (
        rows(HEAD, *TOTALS, "6;50;-240;-60;250", "7;70;-260;-40;230", "8;90;-240;-60;210"),
        [*FOUR, (), (20, -20, 20, -20), (20, 20, -20, -20)],
        [(6, "totals-jump")],
    ),
    "standings below each deal, without a word": (
        rows(HEAD, *(row for deal, sums in zip(ALONE, joined(SUMS), strict=True) for row in (deal, f";{sums}"))),
        FOUR,
        [(line, "row-of-sums") for line in (3, 5, 7, 9)],
    ),
    "games in which nobody pays": (
        rows(OF_GAMES, *numbered([f"{game};0;0;0;0" for game in GAMES])), [], [(1, "all-noughts")],
    ),
    "a column for each evening": (
        rows("Spieler;Abend 1;Abend 2;Summe", *EVENINGS_IN_COLUMNS), [], [(1, "evenings-as-columns")],
    ),
    "a column for each day": (
        rows("Name;2.10.;9.10.2026;16.10.", *EVENINGS_IN_COLUMNS), [], [(1, "evenings-as-columns")],
    ),
    "a winner is missing": (
        rows("Gewinner;Verlierer;Wert", "Anna, Dora;Ben, Cem;50", "Anna, Cem;Ben;50", "Ben, Cem;Anna, Dora;20"),
        [FOUR[0], (-20, 20, 20, -20)],
        [(3, "side-incomplete")],
    ),
    "a winner who lost": (
        rows(
            "Gewinner;Verlierer;Wert",
            *("Anna, Dora;Ben, Cem;50", "Anna, Cem;Anna, Ben;50", *["Ben, Cem;Anna, Dora;20"] * 2),
        ),
        [FOUR[0], *[(-20, 20, 20, -20)] * 2],
        [(1, "unknown-column"), (3, "no-two-sides")],
    ),
    "sums of evenings, a row a player": (
        rows(
            "Datum;Spieler;Gewinn",
            *(
                f"{day}.10.2026;{row}"
                for day, amounts in ((2, (90, -40, 20, -70)), (9, (-10, -80, 30, 60)), (16, (5, 25, -60, 30)))
                for row in beside(PLAYERS, amounts)
            ),
        ),
        [],
        [(1, "sums-of-evenings")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ASKED)
def test_what_may_be_no_deal_is_asked_about(kind: str) -> None:
    text, deals, questions = ASKED[kind]
    items = items_of(text)
    assert (paid(items), asked(items)) == (deals, questions)


def test_a_line_that_is_confirmed_keeps_the_step_of_its_totals() -> None:
    opened = score_sheet.open_sheets(FROM_BEFORE.encode(), Source("sheet.csv"), "deals = [2]\n")
    items = list(score_sheet.read_sheets(opened))
    assert (paid(items)[0], asked(items)) == ((170, -130, 10, -50), [])


@pytest.mark.parametrize("totals", [False, True])
def test_deals_numbered_downwards_are_in_the_order_of_play(totals: bool) -> None:
    cells = TOTALS if totals else ALONE
    nights = [f"9.10.2026;{cells[3]}", *(f";{each}" for each in cells[2::-1])]
    items = items_of(rows(f"Datum;{HEAD}", *nights))
    played = [item for item in items if isinstance(item, Deal)]
    assert [(deal.no, deal.source and deal.source.line) for deal in played] == [(1, 5), (2, 4), (3, 3), (4, 2)]
    assert [item.date for item in items if isinstance(item, Session)] == ["2026-10-09"]
    assert paid(items) == FOUR


@pytest.mark.parametrize(
    ("above", "unit", "factor"),
    [
        ("Beträge in €", "ct", 100),
        ("Alle Angaben in Euro", "ct", 100),
        ("Alle Beträge sind in Cent", "ct", 1),
        ("Einheit: ct", "ct", 1),
        ("(in Punkten)", "P", 1),
        ("in Punkte", "P", 1),
        ("Kasse in Euro führt Anna", None, 1),
        ("Beträge in €;Angaben in Cent", None, 1),
    ],
)
def test_a_line_above_names_the_unit_of_amounts_that_have_none(above: str, unit: str | None, factor: int) -> None:
    items = items_of(rows(above, HEAD, *ALONE))
    assert {item.unit for item in items if isinstance(item, Session)} == {unit}
    assert paid(items) == [tuple(factor * each for each in row) for row in FOUR]


def test_the_upper_row_of_a_head_names_the_unit() -> None:
    items = items_of(rows("Nr;Spiel;Spieler;Beträge in €;;;", f";;;{NAMES}", "1;Wenz;Dora;-1;-1;-1;3"))
    assert paid(items) == [(-100, -100, -100, 300)]


def test_the_same_players_once_more_without_a_column_between_are_another_evening() -> None:
    other = [(-20, -20, 20, 20), (60, 60, -180, 60), (-20, 20, 20, -20), (30, -90, 30, 30)]
    cells = numbered(beside(joined(FOUR), joined(other)))
    items = items_of(rows(";2.10.2026;;;;9.10.2026;;;", f"{HEAD};{NAMES}", *cells))
    assert [item.date for item in items if isinstance(item, Session)] == ["2026-10-02", "2026-10-09"]
    assert paid(items) == [*FOUR, *other]


def test_the_same_players_once_more_are_their_totals_if_these_go_on() -> None:
    items = items_of(rows(f"{HEAD};{NAMES}", *numbered(beside(joined(FOUR), joined(SUMS)))))
    assert [item.stated and item.stated.totals for item in items if isinstance(item, Deal)] == SUMS
    assert paid(items) == FOUR


def test_a_deal_that_was_thrown_in_does_not_make_totals_of_amounts() -> None:
    amounts = [(-30, 30, 30, -30), (-20, 20, 20, -20), (20, 20, -20, -20), (0, 0, 0, 0)]
    games = ["Sauspiel;Ben", "Sauspiel;Ben", "Sauspiel;Anna", "zusammengeworfen;"]
    cells = numbered(beside(games, joined(amounts)))
    assert paid(items_of(rows(f"Nr;Spiel;Spieler;{NAMES}", *cells))) == amounts


EVENINGS = {9: ["20;20;-20;-20", "-40;40;0;0", "-20;20;20;-20"], 16: ["-50;50;50;-50", "-100;200;0;-100"]}  # totals
PAID = [(20, 20, -20, -20), (-60, 20, 20, 20), (20, -20, 20, -20)]
ON, ANEW, SOLO = (-30, 30, 30, -30), (-50, 50, 50, -50), (-50, 150, -50, -50)


def evenings_of(*between: str, before: Sequence[str] = ()) -> str:
    one, two = ([f"{day}.10.2026;{row}" for row in numbered(cells)] for day, cells in EVENINGS.items())
    return rows(f"Datum;{HEAD}", *(f"2.10.2026;{row}" for row in before), *one, *between, *two)


@pytest.mark.parametrize(
    ("text", "deals", "questions"),
    [
        (evenings_of(), [*PAID, (), SOLO], [(5, "totals-anew")]),
        (evenings_of(before=TOTALS), [*FOUR, *PAID, ANEW, SOLO], []),
        (evenings_of("16.10.2026;Übertrag;-20;20;20;-20"), [*PAID, ON, SOLO], []),
        (evenings_of("16.10.2026;Übertrag;0;0;0;0"), [*PAID, ANEW, SOLO], []),
    ],
)
def test_totals_that_may_go_on_or_begin_anew_are_asked_about(
    text: str, deals: list[tuple[int, ...]], questions: list[tuple[int, str]]
) -> None:
    items = items_of(text)
    assert (paid(items), asked(items)) == (deals, questions)


def test_totals_of_three_begin_anew_below_each_date() -> None:
    first = ["-20;-20;40", "-10;-10;20", "30;-30;0", "10;-20;10"]
    second = ["-10;-10;20", "-20;-20;40", "-40;20;20", "-60;30;30", "-80;70;10"]
    items = items_of(rows("Anna;Ben;Cem", "2.10.2026;;", *first, "9.10.2026;;", *second))
    deals = [(-20, -20, 40), (10, 10, -20), (40, -20, -20), (-20, 10, 10)]
    again = [(-10, -10, 20), (-20, 40, -20), (-20, 10, 10), (-20, 40, -20)]
    assert (paid(items), asked(items)) == ([*deals, (), *again], [(8, "totals-anew")])


@pytest.mark.parametrize("label", ["Summe", ""])
def test_sums_below_do_not_make_totals_of_amounts(label: str) -> None:
    amounts = [(-100, -100, 300, -100), (-50, -50, 150, -50), (-50, 50, 50, -50)]
    sums = ";".join(str(sum(each)) for each in zip(*amounts, strict=True))
    assert paid(items_of(rows(HEAD, *numbered(joined(amounts)), f"{label};{sums}"))) == amounts


def test_three_rows_are_totals_if_only_their_steps_are_deals() -> None:
    played = ["Wenz;80;80;80;-240", "Sauspiel;120;40;120;-280", "Sauspiel;160;0;160;-320"]
    items = items_of(rows(f"Nr;Spiel;{NAMES}", *numbered(played)))
    assert paid(items) == [(80, 80, 80, -240), (40, -40, 40, -40), (40, -40, 40, -40)]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        *(("Hans M.", head) for head in ("Stand Hans M.", "Hans M. Stand")),
        ("Sepp (2)", "Summe Sepp (2)"),
        *(("Anna", head) for head in ("Stand (Anna)", "(Stand) Anna", "Anna (gesamt)")),
    ],
)
def test_a_head_of_totals_has_the_whole_name(name: str, head: str) -> None:
    items = items_of(rows(f"Nr;{head};Stand Ben;Stand Cem;Stand Dora", *TOTALS))
    assert [item.players[0] for item in items if isinstance(item, Session)] == [name]


def test_tables_of_names_and_amounts_below_each_other_are_two() -> None:
    five = [(20, 20, -20, -20, 0), (0, -30, 90, -30, -30), (-10, 0, 10, 10, -10)]
    below = rows(f"Nr;{NAMES};Emil", *numbered(joined(five)))
    items = items_of(rows(HEAD, *ALONE) + "\n" + below)
    assert [item.players for item in items if isinstance(item, Session)] == [PLAYERS, (*PLAYERS, "Emil")]
    assert paid(items, (*PLAYERS, "Emil")) == [*FOUR, *five]


@pytest.mark.parametrize(("first", "name"), [("Mona [Gast]", "Mona [Gast]"), ("* Mona *", "Mona")])
def test_brackets_of_a_name_stay(first: str, name: str) -> None:
    session, *_ = items_of(rows(f"Nr;{first};Ben;Cem;Dora", *ALONE))
    assert isinstance(session, Session)
    assert session.players[0] == name


def test_a_narrow_blank_parts_thousands() -> None:
    items = items_of(rows(HEAD, "1;2\u202f400;-800;-800;-800", "2;1’200;-1’200;1’200;-1’200"))
    assert paid(items) == [(2400, -800, -800, -800), (1200, -1200, 1200, -1200)]


def test_letters_of_columns_and_numbers_of_rows_are_left_out_of_a_page() -> None:
    head = ["Nr", "Spiel", *PLAYERS]
    cells = [[str(number), "Wenz", *map(str, row)] for number, row in enumerate(FOUR, 1)]
    table = [["", *"ABCDEF"], ["1", *head], *([str(place), *row] for place, row in enumerate(cells, 2))]
    page = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in table)
    items = items_of(f"<table>{page}</table>", "sheet.html")
    assert (paid(items), asked(items)) == (FOUR, [])


def test_players_called_by_letters_stay() -> None:
    table = [["", *"ABCD"], *([str(place), *map(str, row)] for place, row in enumerate(FOUR, 1))]
    page = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in table)
    assert paid(items_of(f"<table>{page}</table>", "sheet.html"), tuple("ABCD")) == FOUR


def test_a_table_whose_head_follows_at_once_is_asked_about() -> None:
    text = rows(f"{NAMES}", *joined(FOUR), "Anna;Ben;Cem;Emil", *joined(FOUR))
    assert (paid(items_of(text)), asked(items_of(text))) == (FOUR, [(6, "other-table")])


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Spiel;Spieler;Partner;Betrag|Wenz;Anna;;50|Sauspiel;Ben;Cem;-20|Sauspiel;Dora;Emil;30", "declarers-alone"),
        ("Spiel;Gewinner;Wert|Sauspiel;Anna + Ben;20|Wenz;Cem;50|Sauspiel;Anna + Cem;20", "winners-alone"),
    ],
)
def test_amounts_of_one_side_do_not_say_who_else_sat_there(text: str, question: str) -> None:
    data = rows(*text.split("|")).encode()
    assert not score_sheet.matches("sheet.csv", data)
    assert asked(list(score_sheet.read(data, Source("sheet.csv")))) == [(1, question)]


def test_another_currency_is_refused_with_what_to_write() -> None:
    cells = [";".join(f"{'-' if each < 0 else ''}${abs(each)}" for each in row) for row in FOUR]
    items = items_of(rows(f"Game;Declarer;Partner;{NAMES}", *beside(GAMES, cells)))
    assert (paid(items), {word for _, word in asked(items)}) == ([], {"other-currency"})


def test_rounds_of_a_tournament_with_a_row_for_each_player_are_sums_of_their_tables() -> None:
    names = ["Alf", "Bea", "Carl", "Dagi", "Emil", "Fritz", "Gabi", "Hans"]
    points = [(9, -4, 2, -7), (-1, -8, 3, 6), (5, 2, -6, -1), (4, -4, 0, 0)]
    seated = [names[:4], names[4:], names[::2], names[1::2]]
    places = [(1, 1), (1, 2), (2, 1), (2, 2)]
    text = rows(
        "Runde;Tisch;Name;Punkte",
        *(
            f"{number};{table};{name};{amount}"
            for (number, table), players, amounts in zip(places, seated, points, strict=True)
            for name, amount in zip(players, amounts, strict=True)
        ),
    )
    items = items_of(text)
    sessions = [item for item in items if isinstance(item, Session)]
    assert [(item.list, item.table) for item in sessions] == [(str(number), str(table)) for number, table in places]
    read = [item.stated for item in items if isinstance(item, Deal)]
    assert all(stated and stated.of_list for stated in read)
    sums = [
        dict(zip(item.players, stated.payments or (), strict=True))
        for item, stated in zip(sessions, read, strict=True)
        if stated
    ]
    assert sums == [dict(zip(players, each, strict=True)) for players, each in zip(seated, points, strict=True)]
