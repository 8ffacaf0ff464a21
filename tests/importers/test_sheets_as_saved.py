"""Sheets as office programs, forms and scripts save them: what each means, or what has to be asked about it."""

import html
import io
import json

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from support.evening_sheets import (
    ALONE,
    DEALS,
    FOUR,
    GAMES,
    HEAD,
    NAMES,
    OF_GAMES,
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

from archive.record import Deal, Session, Source
from importers import score_sheet
from importers.score_sheet.tables import is_deceiving, unit_of_format
from tests.importers.test_office_programs import as_flat

BY_PLAYER = [["Runde", "Name", "Betrag"]] + [
    [str(number), name, str(amount)]
    for number, row in enumerate(FOUR, 1)
    for name, amount in zip(PLAYERS, row, strict=True)
]
GAINS = [", ".join(name for name, amount in zip(PLAYERS, row, strict=True) if amount > 0) for row in FOUR]
FORM = "Zeitstempel;Wer hat gespielt?;Mit wem?;Welches Spiel?;" + ";".join(f"Punkte [{name}]" for name in PLAYERS)


def of_accounts(cents: int) -> str:
    sign = "-" if cents < 0 else " "
    return f"{sign}{abs(cents) / 100:.2f} € ".replace(".", ",") if cents else " -   € "


def page_of(cells: list[list[str]]) -> str:
    """A page as Google Sheets saves it: on one line, with the letters of columns and the numbers of rows."""
    letters = "".join(f"<th>{letter}</th>" for letter in "ABCDEFGH"[: len(cells[0])])
    body = "".join(
        f"<tr><th>{number}</th>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>"
        for number, row in enumerate(cells, 1)
    )
    return f"<table><tr><th></th>{letters}</tr>{body}</table>"


AS_MEANT = {
    "a page on one line, a row a player": page_of(BY_PLAYER),
    "sums above the heads of a page with letters": page_of(
        [each.split(";") for each in (f"Summe;;;;{joined(SUMS)[-1]}", OF_GAMES, *DEALS)]
    ),
    "JSON on one line, an object a player": json.dumps(
        [dict(zip(BY_PLAYER[0], row, strict=True)) for row in BY_PLAYER[1:]]
    ),
    "noughts as the format of accounts shows them": rows(
        f"{HEAD};Summe {';Summe '.join(PLAYERS)}",
        *numbered([";".join(map(of_accounts, (*one, *two))) for one, two in zip(FOUR, SUMS, strict=True)]),
    ),
    "the word of the sums below the price": rows(
        f"Nr;Wert;{NAMES}", *numbered([f"50;{each}" for each in joined(FOUR)]), f";Summe;{joined(SUMS)[-1]}"
    ),
    "places below": rows(OF_GAMES, *DEALS, f"Summe;;;;{joined(SUMS)[-1]}", "Platz;;;;3;4;2;1"),
    "who has won beside the amounts": rows(
        f"Nr;Spiel;Spieler;Gewinner;{NAMES}",
        *numbered(beside([game.rpartition(";")[0] for game in GAMES], GAINS, joined(FOUR))),
    ),
    "a special round alone in a row": rows(
        OF_GAMES,
        *(*DEALS[:2], ";;Bockrunde", ";--- Bock ---", *DEALS[2:]),
    ),
    "deals as columns beside an empty one": rows(
        ";;Spiel 1;Spiel 2;Spiel 3;Spiel 4",
        ";Spielart;" + ";".join(game.partition(";")[0] for game in GAMES),
        *(f";{name};{';'.join(map(str, amounts))}" for name, *amounts in zip(PLAYERS, *FOUR, strict=True)),
    ),
    "totals in euros beside cents": rows(
        f"{HEAD};Summe {';Summe '.join(PLAYERS)}",
        *numbered(beside(joined(FOUR), [";".join(map(of_accounts, each)) for each in SUMS])),
    ),
    "a column of opponents": rows(
        f"Nr;Spiel;Spieler;Partner;Gegner;{NAMES}",
        *numbered(beside(GAMES, ["Ben, Cem"] * 4, joined(FOUR))),
    ),
    "a table of a mail by Outlook": "<html><table>"
    + "".join(
        f"<tr>{''.join(f'<td><p class=MsoNormal>{cell}<o:p></o:p></p></td>' for cell in row.split(';'))}</tr>\n"
        for row in (HEAD, *ALONE)
    )
    + "</table></html>",
    "types of a database below the heads": rows(
        f"│ Nr │ Spiel │ Spieler │ Partner │ {' │ '.join(PLAYERS)} │",
        f"│ int64 │ varchar │ varchar │ varchar │ {' │ '.join(['int32'] * 4)} │",
        *(f"│ {each.replace(';', ' │ ')} │" for each in DEALS),
    ),
    "empty cells of R": rows(
        f'"Nr","Spiel","Spieler","Partner","{NAMES.replace(";", chr(34) + "," + chr(34))}"',
        *(each.replace(";;", ";NA;").replace(";", ",") for each in DEALS),
    ),
    "questions of a form": rows(
        FORM,
        *beside(
            [f"2.10.2026 20:0{number}" for number in range(4)],
            ["Anna;Dora;Sauspiel", "Ben;;Herz-Solo", "Cem;Ben;Sauspiel", "Dora;;Wenz"],
            joined(FOUR),
        ),
    ),
}


@pytest.mark.parametrize("kind", AS_MEANT)
def test_a_saved_sheet_is_read_as_it_is_meant(kind: str) -> None:
    items = items_of(AS_MEANT[kind])
    assert (paid(items), asked(items)) == (FOUR, [])


def test_rows_of_a_page_on_one_line_have_their_numbers_and_its_titles_stay() -> None:
    cells = [
        ["Abend vom 2.10.2026", "", "", "", ""],
        ["Nr", *PLAYERS],
        *([str(at), *map(str, row)] for at, row in enumerate(FOUR, 1)),
    ]
    session, *deals = items_of(page_of(cells))
    assert session.date == "2026-10-02"
    assert [deal.source.line for deal in deals if isinstance(deal, Deal) and deal.source] == [3, 4, 5, 6]


NAIVE = [
    f"{number},{','.join(f'{each / 100:.2f}'.replace('.', ',') for each in row)}" for number, row in enumerate(FOUR)
]
ASKED = {
    "commas between cells and in amounts": (
        rows(f"Nr,Spiel,{NAMES.replace(';', ',')}", *(each.replace(",", ",Wenz,", 1) for each in NAIVE)),
        [],
        [(1, "unknown-column"), *((line, "cut-amounts") for line in range(2, 6))],
    ),
    "a sign that the file does not have": (
        rows(f"Nr;Bock;{NAMES}", *numbered([f";{joined(FOUR)[0]}", f"?;{joined(FOUR)[1]}", f";{joined(FOUR)[2]}"])),
        [FOUR[0], FOUR[2]],
        [(3, "round")],
    ),
    "other winners than those who are paid": (
        rows(f"Nr;Gewinner;{NAMES}", *numbered([f"Anna, Cem;{joined(FOUR)[0]}", f"{GAINS[1]};{joined(FOUR)[1]}"])),
        [FOUR[1]],
        [(2, "other-column")],
    ),
    "the day above a table as a program of another country writes it": (
        rows("Date;11/07/2025", HEAD, *ALONE), FOUR, [(1, "date-in-doubt")],
    ),
    "the day above a table as a number": (rows("Datum;46339", HEAD, *ALONE), FOUR, [(1, "counted-day")]),
    "a part of a row of Markdown that is struck out": (
        rows(*(f"| {each.replace(';', ' | ')} |" for each in (HEAD, ALONE[0], "2;~~60~~ 50;-150;50;50", *ALONE[2:]))),
        [FOUR[0], *FOUR[2:]],
        [(3, "struck-out")],
    ),
    "two names that differ in their letters' size alone": (
        rows(OF_GAMES.replace("Ben", "ANNA"), *DEALS), [], [(1, "head-twice")],
    ),
    "days as a program of another country writes them": (
        rows(f"Datum;{HEAD}", "2/10/2026;1;€0.50;-€0.50;-€0.50;€0.50", "2/10/2026;2;€0.20;-€0.20;-€0.20;€0.20"),
        [(50, -50, -50, 50), (20, -20, -20, 20)],
        [(2, "date-in-doubt")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ASKED)
def test_what_a_saved_sheet_does_not_say_is_asked(kind: str) -> None:
    text, deals, questions = ASKED[kind]
    items = items_of(text)
    assert (paid(items), asked(items)) == (deals, questions)


@pytest.mark.parametrize("head", ["Nr", "Unnamed: 0", "Minuten"])
def test_a_column_beside_a_deal_that_nobody_played_is_no_players(head: str) -> None:
    played = [*zip(GAMES, joined(FOUR), strict=True), ("zusammengeworfen;;", "0;0;0;0")]
    text = rows(f"{head};Spiel;Spieler;Partner;{NAMES}", *(f"{n}.0;{';'.join(row)}" for n, row in enumerate(played)))
    assert paid(items_of(text)) == [*FOUR, (0, 0, 0, 0)]


def test_commas_in_amounts_are_named_where_no_table_is_found() -> None:
    text = rows(f"Nr,{NAMES.replace(';', ',')}", *NAIVE).encode()
    assert asked(list(score_sheet.read(text, Source("sheet.csv")))) == [(1, "cut-amounts")]


FIVE = [*zip(GAMES, joined(FOUR), strict=True), ("Wenz;Ben;", "-20;60;-20;-20")]


@pytest.mark.parametrize(
    ("head", "cells", "values"),
    [
        ("Kontra", "1 1 2 1 4", [0, 0, 1, 0, 2]),
        ("Klopfer", "1 1 2 1 1", [0, 0, 1, 0, 0]),
        ("Kontra", "1 0 2 1 1", [1, 0, 2, 1, 1]),
        ("Bock", "1 1 2 1 1", [0, 0, 1, 0, 0]),
        ("Bock", "- - x2 - -", [0, 0, 1, 0, 0]),
        ("Schneider", "- - Schneider - x", [0, 0, 1, 0, 1]),
        ("Augen", "61:59 30:90 70:50 65:55 91:29", [61, 30, 70, 65, 91]),
        ("Augen", "61 30 70 65 91", [61, 30, 70, 65, 91]),
        ("Punkte", "50 50 30 50 20", [None] * 5),
        ("Ergebnis", "50 150 30 150 60", [None] * 5),
        ("Laufende", "2 0 3 0 2", [2, None, 3, None, 2]),
        ("Laufende", "2 0 33 0 2", [2, None, 33, None, 2]),
        ("Laufende", "20 0 10 0 20", [None] * 5),
    ],
)
def test_what_a_column_counts_is_seen_by_all_its_cells(head: str, cells: str, values: list[int | None]) -> None:
    played = [f"{game};{cell};{each}" for (game, each), cell in zip(FIVE, cells.split(), strict=True)]
    items = items_of(rows(f"Nr;Spiel;Spieler;Partner;{head};{NAMES}", *numbered(played)))
    deals = [item for item in items if isinstance(item, Deal) and item.stated]
    read = {
        "Kontra": lambda deal: deal.doubles or 0,
        "Klopfer": lambda deal: deal.knocks or 0,
        "Bock": lambda deal: len(deal.round or ()),
        "Schneider": lambda deal: int(bool(deal.stated.schneider)),
        "Laufende": lambda deal: deal.stated.runner_count,
    }
    assert [read.get(head, lambda deal: deal.stated.points)(deal) for deal in deals] == values
    assert [deal.stated.price for deal in deals if deal.stated] == (
        [50, 50, 30, 50, 20] if head == "Punkte" else [None] * 5
    )


def test_words_before_a_day_alone_in_a_row() -> None:
    text = rows(HEAD, "2.10.2026", *ALONE, "Abend vom Fr, 9.10.2026", *ALONE)
    items = items_of(text)
    assert [item.date for item in items if isinstance(item, Session)] == ["2026-10-02", "2026-10-09"]


def test_two_tables_of_names_and_amounts_beside_each_other_are_a_sheet() -> None:
    five = [(20, 20, -20, -20, 0), (0, -30, 90, -30, -30), (-10, 0, 10, 10, -10), (-10, 0, 10, 10, -10)]
    cells = beside(ALONE, [""] * 4, numbered(joined(five)))
    items = items_of(rows(f"{HEAD};;{HEAD};Emil", *cells))
    assert paid(items, (*PLAYERS, "Emil")) == [*FOUR, *five]


def test_a_worksheet_of_notes_is_passed_over() -> None:
    sheet = as_flat([["Numbers-Blattname", "Numbers-Tabellenname"], ["Blatt 1", "Tabelle 1"]], "")
    items = list(score_sheet.read(sheet.replace(b'name="A"', 'name="Exportübersicht"'.encode()), Source("x.fods")))
    assert asked(items) == [(1, "sheet-passed-over")]


def test_the_sign_that_an_open_document_shows_in_quotes_is_the_unit() -> None:
    data = as_flat([["Nr", *PLAYERS], *([place, *row] for place, row in enumerate(FOUR, 1))], "")
    for amount in {each for row in FOUR for each in row}:
        cell = f'office:value="{amount}"'
        data = data.replace(f"{cell}/>".encode(), f"{cell}><text:p>{amount} €</text:p></table:table-cell>".encode())
    items = list(score_sheet.read(data, Source("x.fods")))
    assert [item.unit for item in items if isinstance(item, Session)] == ["ct"]
    assert paid(items) == [tuple(100 * each for each in row) for row in FOUR]


@pytest.mark.parametrize(
    ("number_format", "unit"),
    [
        ("_-* #,##0\\ _€_-;\\-* #,##0\\ _€_-", ""),
        ('_-* #,##0.00\\ "€"_-', " €"),
        ("0\\ \\c\\t", " ct"),
        ("#,##0.00\\ [$€-407]", " €"),
    ],
)
def test_only_a_sign_that_a_format_shows_is_a_unit(number_format: str, unit: str) -> None:
    assert unit_of_format(number_format) == unit


EURO = "#,##0.00 [$€-407]"
PLAIN = ("0", "General", "0;[Red]0", "0;(0)", "+0;-0", '0 "ct"', f"{EURO};[RED]-{EURO}", "0.00\\ €")
ACCOUNTS = ('_-* #,##0.00 €_-;-* #,##0.00 €_-;_-* "-"?? €_-;_-@_-', "_(* #,##0_);_(* (#,##0)", "[<0]-0;0", '0". Spiel"')
OTHERWISE = ("-0;0", "-0", "(0);0", "0-;0", "[Red]-0;[Blue]+0", "0;+0", "0.00,", "#,##0,", '0"00"', "0\\,00", '"1"0')


@pytest.mark.parametrize("number_format", [*PLAIN, *ACCOUNTS, *OTHERWISE])
def test_a_format_that_shows_a_number_as_another_one_is_known(number_format: str) -> None:
    assert is_deceiving(number_format) == (number_format in OTHERWISE)


@pytest.mark.parametrize(("sign", "suit"), [("🌰", "E"), ("🍃", "G"), ("🔔", "S"), ("♠", "G")])
def test_the_picture_of_a_suit_is_the_suit(sign: str, suit: str) -> None:
    items = items_of(rows(f"Nr;Spiel;Spieler;{NAMES}", f"1;Rufspiel {sign};Anna;50;-50;-50;50"))
    assert [item.game.suit for item in items if isinstance(item, Deal) and item.game] == [suit]


STRUCK = openpyxl.cell.text.InlineFont(strike=True)
ODD_CELLS = {
    "struck out": {"font": openpyxl.styles.Font(strike=True)},
    "partly struck out": {"value": CellRichText("2", TextBlock(STRUCK, "5"), "0")},
    "shown as another number": {"number_format": "-0;0"},
}


@pytest.mark.parametrize("odd", ODD_CELLS)
def test_one_amount_that_is_struck_out_or_shown_as_another_is_asked_about(odd: str) -> None:
    book = openpyxl.Workbook()
    for row in (["Nr", *PLAYERS], *([number, *row] for number, row in enumerate(FOUR, 1))):
        book.active.append(row)
    for key, value in ODD_CELLS[odd].items():
        setattr(book.active["C3"], key, value)
    whole = io.BytesIO()
    book.save(whole)
    assert [line for line, _ in asked(list(score_sheet.read(whole.getvalue(), Source("x.xlsx"))))] == [3]
