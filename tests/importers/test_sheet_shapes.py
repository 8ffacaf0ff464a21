"""Tables that say who was paid what in any shape: the amounts that are read of each, or the question that is asked."""

from collections.abc import Sequence

import pytest
from support.evening_sheets import FOUR, GAMES, NAMES, PLAYERS, SUMS, joined, numbered
from support.evening_sheets import rows as sheet
from support.items import Read, by_kind

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Carry, Source
from importers import score_sheet

ASKED = ("row-unclear", "bad-entry", "sheet-unreadable", "stated-sum")


def read(text: str, path: str = "sheet.csv") -> Read:
    """The evenings, deals and findings of a sheet that the importer claims."""
    data = text.encode()
    assert score_sheet.matches(path, data)
    return by_kind(score_sheet.read(data, Source(path)))


def paid(result: Read, players: tuple[str, ...] = PLAYERS) -> list[tuple[int | None, ...]]:
    """What each deal paid, in the order of the players."""
    seats = [result[0][0].players.index(name) for name in players]
    amounts = [deal.stated.payments if deal.stated and deal.stated.payments else () for deal in result[1]]
    return [tuple(each[seat] for seat in seats) if each else () for each in amounts]


def asked(result: Read) -> list[tuple[int, str]]:
    """The lines that are asked about, and the rules."""
    return [(each.source.line, each.rule) for each in result[2] if each.source and each.rule in ASKED]


def told(cells: list[str], head: str = NAMES) -> str:
    """A sheet of the four games with these cells behind each."""
    deals = numbered([f"{game};{cell}" for game, cell in zip(GAMES, cells, strict=True)])
    return sheet(f"Nr;Spiel;Spieler;Mitspieler;{head}", *deals)


HEAD, ALONE = f"Nr;{NAMES}", numbered(joined(FOUR))
AS_MEANT = {
    "columns of standings": told(joined(SUMS), "Stand Anna;Stand Ben;Stand Cem;Stand Dora"),
    "running totals": told(joined(SUMS)),
    "marks and a value": told(["50;+;-;-;+", "50;+;-;+;+", "30;-;+;+;-", "50;-;-;-;+"], "Wert;Anna;Ben;Cem;Dora"),
    "ticks and a value": told(["50;✓;✗;✗;✓", "50;✓;✗;✓;✓", "30;✗;✓;✓;✗", "50;✗;✗;✗;✓"], "Wert;Anna;Ben;Cem;Dora"),
    "won and lost as letters": told(["50;G;V;V;G", "50;G;V;G;G", "30;V;G;G;V", "50;V;V;V;G"], "Wert;Anna;Ben;Cem;Dora"),
    "the declarer's amount alone": told(["+50", "-50", "+30", "+50"], "Betrag"),
    "amounts with signs below another head": told(["+50", "-50", "+30", "+50"], "+/-"),
    "points that no cards have": told(["50", "-50", "30", "50"], "Punkte"),
    "both sides and points": sheet(
        "Nr;Spieler 1;Spieler 2;Gegner 1;Gegner 2;Gegner 3;Punkte",
        "1;Anna;Dora;Ben;Cem;;50", "2;Ben;;Anna;Cem;Dora;-50", "3;Cem;Ben;Anna;Dora;;30", "4;Dora;;Anna;Ben;Cem;50",
    ),
    "standings by letters": told([*map("{};{}".format, joined(FOUR), joined(SUMS))], f"{NAMES};ΣA;ΣB;ΣC;ΣD"),
    "standings before amounts": told([*map("{};{}".format, joined(SUMS), joined(FOUR))], f"{NAMES};{NAMES}"),
    "names and a tariff above the head": sheet("Spieler:;Anna;Ben;Cem;Dora", "Tarif:;10/20/50", told(joined(FOUR))),
    "a sign before every amount": told([";".join(f"{each:+}" for each in row) for row in FOUR]),
    "the fourth amount left out": told(["50;-50;-50;50", "50;-150;50;50", "-30;30;30;", "-50;-50;-50;150"]),
    "points and euros": told(
        [f"{row};{euros}" for row, euros in zip(
            ["5;-5;-5;5", "5;-15;5;5", "-3;3;3;-3", "-5;-5;-5;15"],
            ["0,50;-0,50;-0,50;0,50", "0,50;-1,50;0,50;0,50", "-0,30;0,30;0,30;-0,30", "-0,50;-0,50;-0,50;1,50"],
            strict=True,
        )],
        "Anna;Ben;Cem;Dora;Anna €;Ben €;Cem €;Dora €",
    ),
    "winners and losers": sheet(
        "Nr;Spiel;Gewinner;Verlierer;Betrag",
        "1;Sauspiel;Anna+Dora;Ben+Cem;50", "2;Herz-Solo;Anna+Cem+Dora;Ben;50",
        "3;Sauspiel;Ben+Cem;Anna+Dora;30", "4;Wenz;Dora;Anna+Ben+Cem;50",
    ),
    "names in the cells": sheet(
        "Nr;Spiel;1;2;3;4",
        "1;Sauspiel;Anna +50;Ben -50;Cem -50;Dora +50", "2;Herz-Solo;Anna +50;Ben -150;Cem +50;Dora +50",
        "3;Sauspiel;Anna -30;Ben +30;Cem +30;Dora -30", "4;Wenz;Anna -50;Ben -50;Cem -50;Dora +150",
    ),
    "winners alone": sheet(
        "Nr;Spiel;Gewinner;Preis",
        "1;Ruf;Anna, Dora;50", "2;Solo;Anna, Cem, Dora;50", "3;Ruf;Ben, Cem;30", "4;Wenz;Dora;50",
    ),
    "crosses of the winners": told(["50;x;;;x", "50;x;;x;x", "30;;x;x;", "50;;;;x"], "Wert;Anna;Ben;Cem;Dora"),
    "a row a player": sheet(
        "Spielnr;Wer;Betrag",
        *(f"{at};{name};{amount}" for at, row in enumerate(FOUR, 1) for name, amount in zip(PLAYERS, row, strict=True)),
    ),
    "heads with signs around the names": told(joined(FOUR), "Anna:;Ben*;Cem ♥;„Dora“"),
    "a start row of noughts": sheet(
        "Nr;Spiel;Spieler;Mitspieler;Anna;Ben;Cem;Dora", "0;;;;0;0;0;0",
        *(f"{at};{game};{row}" for at, (game, row) in enumerate(zip(GAMES, joined(FOUR), strict=True), 1)),
    ),
    "a remark in a row of its own": told(joined(FOUR)).replace("3;Sau", ";die Karten waren neu gemischt;;;;;;\n3;Sau"),
    "money that was handed over": told(joined(FOUR)) + ";;;;20;-220;-80;220\nbezahlt;;;;-20;220;80;-220\n",
    "old debts and a tip": told(joined(FOUR)) + "Bedienung;;;;-50;-50;-50;-50\nalte Schulden;;;;-200;200;0;0\n",
    "a partner in brackets": told(joined(FOUR)).replace("Anna;Dora", "Anna (mit Dora);"),
    "names of rows as R writes them": sheet(
        " ".join(f'"{name}"' for name in ("Spiel", *PLAYERS)),
        *(f'"{at}" "Wenz" {row.replace(";", " ")}' for at, row in enumerate(joined(FOUR), 1)),
    ),
    "types below names that R and Julia print": sheet(
        "  Row │  Anna   Ben   Cem  Dora", "      │ Int64 Int64 Int64 Int64", "──────┼────────────────────────",
        *(f"  {at:>3} │ " + " ".join(f"{each:>5}" for each in row) for at, row in enumerate(FOUR, 1)),
    ),
    "explained heads, a head of games, a line that is one cell": "\n".join(f'"{row}"' for row in (
        "Nr;R/S/W;Spieler;Erg. (g/v);Kontra (ja/nein);Anna;Ben;Cem;Dora",
        *(f"{at};{game};{row}" for at, (game, row) in enumerate(zip(
            ["R;Anna;g;nein", "S;Ben;v;nein", "R;Cem;g;nein", "W;Dora;g;ja"], joined(FOUR), strict=True), 1)),
    )) + "\n",
    "a table of a wiki": sheet(
        "||Nr||Anna||Ben||Cem||Dora||", *(f"|{at}|{row.replace(';', '|')}|" for at, row in enumerate(joined(FOUR), 1))
    ),
    "euros below sums of points": sheet(
        "Nr;Anna;Ben;Cem;Dora", *ALONE,
        "Summe;20;-220;-20;220", "Euro;0,20 €;-2,20 €;-0,20 €;2,20 €", "Auszahlung;0,20;-2,20;-0,20;2,20",
        "à 1 ct;0,20;-2,20;-0,20;2,20",
    ),
    "euros in place of a player": sheet(
        told(joined(FOUR)) + ";;Euro;;0,20;-2,20;-0,20;2,20", "x 0,01 €;;;;0,20;-2,20;-0,20;2,20"
    ),
    "a last column without a head": sheet(
        "Partie;Anna;Ben;Cem;Dora", *(f"{at};{row};Wenz" for at, row in enumerate(joined(FOUR), 1))
    ),
    "euros below games": sheet(
        "Spiel;Anna;Ben;Cem;Dora", *(f"Wenz;{row}" for row in joined(FOUR)), "Euro;0,20 €;-2,20 €;-0,20 €;2,20 €"
    ),
    "a round in a word": told(joined(FOUR)).replace("3;Sau", ";Kreuzrunde;;;;;;\n;Ramsch-Runde;;;;;;\n3;Sau"),
    "who declared, behind the amount": sheet(
        NAMES, "50 (R);-50;-50;50 (P)", "50;-150 (S);50;50", "-30;30 (P);30 (R);-30", "-50;-50;-50;150 (W)"
    ),
    "signs in brackets": told([";".join(f"({each:+})" for each in row) for row in FOUR]),
    "a minus in brackets, and others in brackets": told([";".join(f"({each})" for each in row) for row in FOUR]),
    "marks and a value that go on beside themselves": sheet(
        *(f"{left};;{right}" for left, right in (
            [f"Nr;Spiel;Spieler;Wert;{NAMES}"] * 2, ("1;Ruf;Anna;50;+;-;-;+", "3;Ruf;Cem;30;-;+;+;-"),
            ("2;Solo;Ben;50;+;-;+;+", "4;Wenz;Dora;50;-;-;-;+"),
        ))
    ),
    "marks of who played that go on beside themselves": sheet(
        f"{HEAD};;{HEAD}", "Nr. 1;50 (R);-50;-50;50;;Nr. 3;-30;30;30 (R);-30",
        "Nr. 2;50;-150 (S);50;50;;Nr. 4;-50;-50;-50;150",
    ),
    "points beside cents": sheet(f"Nr;{NAMES};;{NAMES}", *(
        f"{n};{';'.join(str(each // 10) for each in row)};;{';'.join(f'{each} ct' for each in row)}"
        for n, row in enumerate(FOUR)
    )),
    **{f"cents beside euros of {head}": sheet(f"{HEAD};{head}", *(
        f"{row};{more}" for row, more in zip(numbered(joined(FOUR)), texts, strict=True)
    )) for head, texts in {
        "Preis (€)": ("0,50", "0,50", "0,30", "0,50"),
        ";".join(f"Summe {name} (€)" for name in PLAYERS): (";".join(f"{n / 100:.2f}" for n in row) for row in SUMS),
    }.items()},
    "a column of games that nobody filled in": sheet(f"Spiel;Spieler;{NAMES}", *(f";;{row}" for row in joined(FOUR))),
    "what each won at most": told(joined(FOUR)) + "Siege;;;;2;1;2;3\nQuote;;;;50%;25%;50%;75%\nMax;;;;50;30;50;150\n",
    "what everybody drank": told([f"{row};1;;2;1" for row in joined(FOUR)], f"{NAMES};Bier A;Bier B;Bier C;Bier D"),
    **{
        f"letters above the names, {upper} above {lower}": sheet(f"{upper};A;B;C;D", f"{lower};{NAMES}", *ALONE)
        for upper, lower in (("Spieler", ""), ("Spieler:", "Name:"), ("Nr", ""), ("Spieler", "Nr"))
    },
    "letters above the names, and games": told(joined(FOUR), "A;B;C;D").replace("\n", f"\n;;;;{NAMES}\n", 1),
    **{
        f"below the deals {head}": sheet(HEAD, *ALONE, "", head, *rows)
        for head, rows in {
            "Von;An;Betrag": ("Ben;Anna;20", "Cem;Dora;20", "Ben;Dora;70"),
            "Schuldner;Gläubiger;€": ("Ben;Anna;0,20",),
            "Platz;Name;Punkte": ("1;Dora;10", "2;Anna;0", "3;Cem;0", "4;Ben;-10"),
        }.items()
    },
    "a sign below each name": sheet(f";{NAMES}", "Spiel;+/-;+/-;+/-;+/-", *numbered(joined(FOUR))),
    "a column of rounds before that of deals": sheet(
        f"Runde;Spiel;{NAMES}", *(f"{n};{row}" for n, row in zip(("1;1", ";2", "2;1", ";2"), joined(FOUR), strict=True))
    ),
    "numbers with a word": sheet(f"Spiel;{NAMES}", *(f"Spiel {row}" for row in ALONE)),
    "points beside euros that only their cells tell": sheet(f"Nr;{NAMES};;{NAMES}", *(
        f"{n};{';'.join(str(each // 10) for each in row)};;{';'.join(f'{each / 100:.2f} €' for each in row)}"
        for n, row in enumerate(FOUR)
    )),
    "a tariff behind an empty column": told(
        [f"{row};;{price}" for row, price in zip(
            joined(FOUR), ("Ruf;20", "Solo;50", "Schneider;10", "Laufende;10"), strict=True)], f"{NAMES};;Spiel;Preis"
    ),
    "a tariff beside deals without games": sheet(f"{HEAD};;Tarif;Preis", *(
        f"{row};;{price}" for row, price in zip(
            ALONE, ("Ruf;20", "Solo;50", "Schneider;10", "Laufende;10"), strict=True)
    )),
    "suits as games": told(joined(FOUR)).replace("Sauspiel", "Eichel").replace("Herz-Solo", "Herz"),
    "heads as programs write them": told(
        joined(FOUR), "punkteAnna;punkteBen;punkteCem;punkteDora"
    ).replace("Spiel;Spieler;Mitspieler", "gameType;declarerName;partner_name"),
    "numbered winners and losers": sheet(
        "Nr;Spiel;1. Gewinner;2. Gewinner;3. Gewinner;1. Verlierer;2. Verlierer;3. Verlierer;Betrag",
        "1;Sauspiel;Anna;Dora;;Ben;Cem;;50", "2;Herz-Solo;Anna;Cem;Dora;Ben;;;50",
        "3;Sauspiel;Ben;Cem;;Anna;Dora;;30", "4;Wenz;Dora;;;Anna;Ben;Cem;50",
    ),
    "who gets and who pays": sheet(
        "Nr;bekommt;zahlt;je", "1;Anna, Dora;Ben, Cem;50", "2;Anna, Cem, Dora;Ben;50",
        "3;Ben, Cem;Anna, Dora;30", "4;Dora;Anna, Ben, Cem;50",
    ),
    "losers alone": sheet(
        "Nr;Verlierer;Preis", "1;Ben, Cem;50", "2;Ben;50", "3;Anna, Dora;30", "4;Anna, Ben, Cem;50",
    ),
    "two names in a cell": told(joined(FOUR)).replace("Anna;Dora", "Anna/Dora;").replace("Cem;Ben", "Cem + Ben;"),
}  # fmt: skip


@pytest.mark.parametrize("text", AS_MEANT.values(), ids=AS_MEANT.keys())
def test_every_shape_of_a_sheet_is_read_as_it_is_meant(text: str) -> None:
    result = read(text)
    assert paid(result) == FOUR
    assert asked(result) == []


@pytest.mark.parametrize(
    ("results", "won"),
    [
        (["👍", "👎", "👍", "👍"], [True, False, True, True]),
        (["G/Schn.", "V/Schw.", "G", "gew."], [True, False, True, True]),
        (["Spieler", "Gegner", "Spieler", "Spieler"], [True, False, True, True]),
    ],
)
def test_results_are_read_in_signs_abbreviations_and_by_the_side_that_won(results: list[str], won: list[bool]) -> None:
    cells = [f"{result};{row}" for result, row in zip(results, joined(FOUR), strict=True)]
    result = read(told(cells, "Gewinner;Anna;Ben;Cem;Dora"))
    assert [deal.stated and deal.stated.won for deal in result[1]] == won
    assert (paid(result), asked(result)) == (FOUR, [])


@pytest.mark.parametrize("mark", ["x", "G"])
@pytest.mark.parametrize("names", [NAMES, ";;;"])
def test_a_mark_below_the_names_of_one_head_says_who_dealt(mark: str, names: str) -> None:
    head = ("Ergebnis;;;" if names.strip(";") else NAMES, "Geber;;;", f"{names};Anna;Ben;Cem;Dora")
    rows = (f"{n};{row}{';' * n}{mark}" for n, row in enumerate(joined(FOUR), 1))
    result = read(sheet(f"Nr;{head[0]};{head[1]}", f";{head[2]}", *rows))
    assert [deal.dealer for deal in result[1]] == [0, 1, 2, 3]
    assert (paid(result), asked(result)) == (FOUR, [])


def test_a_comment_belongs_to_the_deal_of_its_table() -> None:
    result = read(AS_MEANT["marks of who played that go on beside themselves"])
    comments = [{"Anna (comment)": "R"}, {"Ben (comment)": "S"}, {"Cem (comment)": "R"}, None]
    assert [deal.x for deal in result[1]] == comments


@pytest.mark.parametrize(("head", "number"), [("Nr;Ben;Anna;Cem;Dora", 3), (HEAD, 1), (HEAD, 4), (f"{HEAD};Notiz", 3)])
def test_a_table_beside_another_with_other_heads_or_numbers_is_one_of_its_own(head: str, number: int) -> None:
    second = (head, *(f"{number + at};{row}" for at, row in enumerate(joined(FOUR)[2:])))
    assert len(read(sheet(*map("{};;{}".format, (HEAD, *ALONE[:2]), second)))[0]) == 2


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Nr;*;Bier", "Nr;*"),
        ("Nr;*", "Nr;*;Summe"),
        ("Nr;*", "#;*"),
        ("Nr;*", "Nr;Anna (ct);Ben (ct);Cem (ct);Dora (ct)"),
    ],
)
def test_a_table_goes_on_beside_itself_below_heads_that_say_more(left: str, right: str) -> None:
    tables = zip((left, right), (ALONE[:2], ALONE[2:]), strict=True)
    first, second = (
        [head.replace("*", NAMES), *(row + ";0" * (head[-1] in "re") for row in rows)] for head, rows in tables
    )
    sessions, deals, _ = read(sheet(*map("{};;{}".format, first, second)))
    assert (len(sessions), [deal.no for deal in deals]) == (1, [1, 2, 3, 4])


@pytest.mark.parametrize(
    "right",
    [("Nr;Anna;Ben;Cem", "3;20;-10;-10", "4;20;-10;-10"), (f"Ort;{HEAD}", *(f"Löwen;{row}" for row in ALONE[2:]))],
)
def test_a_table_beside_another_with_fewer_players_or_a_column_before_is_one_of_its_own(right: tuple[str, ...]) -> None:
    assert len(read(sheet(*map("{};;{}".format, (HEAD, *ALONE[:2]), right)))[0]) == 2


def test_a_table_with_days_beside_one_without_is_one_of_its_own() -> None:
    dated = (f"Datum;{HEAD}", *(f"13.11.2026;{row}" for row in ALONE[2:]))
    sessions = read(sheet(*map("{};;{}".format, (HEAD, *ALONE[:2]), dated)))[0]
    assert [each.date for each in sessions] == [None, "2026-11-13"]
    titled = map("{};;{}".format, ("Abend;;;;", HEAD, *ALONE[:2]), ("13.11.2026", HEAD, *ALONE[2:]))
    assert [each.date for each in read(sheet(*titled))[0]] == [None, "2026-11-13"]


@pytest.mark.parametrize("head", ["Anna (+20);Ben (-20);Cem (+20);Dora (-20)", "Anna +60;Ben -20;Cem -20;Dora -20"])
def test_amounts_behind_names_that_may_be_a_deal_are_asked_about(head: str) -> None:
    _, deals, (asked, *_) = read(sheet(f"Nr;{head}", *ALONE))
    assert (deals, asked.rule, asked.facts["why"].id) == ([], "bad-players", "importers.amounts-in-heads")


def test_no_deals_below_a_list_of_who_pays_whom_are_passed_over() -> None:
    result = read(sheet(HEAD, *ALONE[:2], "", "Von;An;Betrag", "Ben;Anna;20", "", *ALONE[2:]))
    assert paid(result) == FOUR


def test_who_pays_whom_beside_the_deals_is_neither_who_played_nor_a_price() -> None:
    beside = ("Ben;Anna;50", "Cem;Dora;20", "Ben;Dora;70", ";;")
    rows = (f"Wenz;{row};;{more}" for row, more in zip(joined(FOUR), beside, strict=True))
    deals = read(sheet(f"Spiel;{NAMES};;Wer;Wem;Betrag", *rows))[1]
    assert {(deal.game and deal.game.declarer, deal.stated and deal.stated.price) for deal in deals} == {(None, None)}


def test_a_letter_that_may_be_a_seat_or_begin_a_name_is_asked_about() -> None:
    rows = map("1;Wenz;{};{}".format, "BABA", joined(FOUR))
    result = read(sheet("Nr;Spiel;Spieler;A;B;C;D", ";;;Ben;Anna;Cem;Dora", *rows))
    assert (2, "line-not-read") in {(each.source.line, each.rule) for each in result[2] if each.source}


@pytest.mark.parametrize(
    ("changes", "pots"), [("0;40;0", [0, 40, 0]), ("0;+40;-40", [None] * 3), (";-40;40", [None] * 3)]
)
def test_what_goes_into_a_pot_and_out_of_it_is_not_what_lies_in_it(changes: str, pots: list[int | None]) -> None:
    rows = map("{};{}".format, (ALONE[0], "2;-10;-10;-10;-10", "3;140;-60;-60;-60"), changes.split(";"))
    result = read(sheet(f"{HEAD};Pott", *rows))
    assert ([deal.stated.stock for deal in result[1]], asked(result)) == (pots, [])


def test_a_pot_in_euros_and_a_price_in_cents_leave_the_amounts_beside_them_as_they_are() -> None:
    pot = read(sheet(f"{HEAD};Stock (€)", f"{ALONE[0]};0", f"{ALONE[1]};0", "3;-10;-10;-10;-10;0,40"))
    assert paid(pot) == [*FOUR[:2], (-10,) * 4]
    in_euros = (";".join(f"{each / 100:.2f}" for each in row) for row in FOUR)
    heads = ";".join(f"{name} (€)" for name in PLAYERS)
    for head, price, row in ((heads, "Preis", "50;-50;-50;50"), (NAMES, "Preis (€)", "50,00;-50,00;-50,00;50,00")):
        assert paid(read(sheet(f"Nr;{head};{price}", f"1;{row};0,50"))) == [(5000, -5000, -5000, 5000)]
    assert read(sheet(f"Nr;{heads};Preis (€)", "1;0,50;-0,50;-0,50;0,50;50"))[1][0].stated.price == 5000
    priced = read(sheet(f"Nr;{heads};Preis", *numbered([*map("{};{}".format, in_euros, (50, 50, 30, 50))])))
    assert (paid(priced), [deal.stated.price for deal in priced[1]]) == (FOUR, [50, 50, 30, 50])


@pytest.mark.parametrize("price", ["Preis", "ct", "Grundpreis"])
def test_a_tariff_of_games_alone_is_none_of_the_deals_beside_it(price: str) -> None:
    tariff = (f";;Spiel;{price}", ";;Wenz;20", ";;Solo;40", *[""] * 3)
    result = read(sheet(*map("{}{}".format, (HEAD, *ALONE, "5;20;-20;20;-20"), tariff)))
    assert [deal.game for deal in result[1]] == [None] * 5


def test_games_below_no_head_are_those_of_the_deals_if_each_line_ends_with_a_sign() -> None:
    result = read(sheet(f";{NAMES};", *(f"Wenz;{row};" for row in joined(FOUR))))
    assert [deal.game and deal.game.contract for deal in result[1]] == ["wenz"] * 4


@pytest.mark.parametrize("name", ["Bier", "Wein", "Max"])
def test_a_drink_may_be_somebodys_name(name: str) -> None:
    rows = [(60, -20, -20, -20), (20, 20, -20, -20), (20, -20, -20, 20)]
    deals = (f"{who};{row}" for who, row in zip((name, "Ben", "Cem"), joined(rows), strict=True))
    result = read(sheet(f"Spieler;{name};Ben;Cem;Dora", *deals))
    assert (paid(result, (name, *PLAYERS[1:])), asked(result)) == (rows, [])


@pytest.mark.parametrize(
    ("head", "texts"),
    [
        ("Spieler;Max;Ben;Cem;Dora", ("Max", "Ben")),
        ("Spieler;Max Huber;Ben;Cem;Dora", ("Max H.", "Ben")),
        ("Spiel;Max;Ben;Cem;Dora", ("Max Wenz", "Ben Wenz")),
        ("Wer;Max;Ben;Cem;Dora", ("Max & Ben", "Ben")),
    ],
)
@pytest.mark.parametrize("cents", ["", ",50"])
def test_no_deal_of_somebody_whose_name_is_a_word_beside_sums_is_passed_over(
    head: str, texts: tuple[str, str], cents: str
) -> None:
    rows = f"{texts[0]};1{cents};-1{cents};-1{cents};1{cents}", f"{texts[1]};-1;3;-1;-1"
    _, deals, findings = read(sheet(head, *rows, *rows))
    assert len(deals) == 4, findings


@pytest.mark.parametrize(("beside", "lines"), [("(+1)", (1,)), ("(-5)", (1,)), ("(+1)", (0, 1, 2, 3))])
def test_losses_in_brackets_are_losses_beside_remarks_with_a_sign(beside: str, lines: tuple[int, ...]) -> None:
    rows = numbered([";".join(f"({-each})" if each < 0 else str(each) for each in row) for row in FOUR])
    result = read(sheet(f"{HEAD};Notiz", *(f"{row};{beside * (at in lines)}" for at, row in enumerate(rows))))
    assert (paid(result), asked(result)) == (FOUR, [])


def test_amounts_in_brackets_are_quoted_as_they_are_written() -> None:
    more = sheet("5;Wenz;Anna;;(+20);(+20);(+20);(+x)", "Summe;;;;(+20);(-20);(0);(+120)")
    result = read(AS_MEANT["signs in brackets"] + more)
    assert "(+x)" in {each.facts.get("entry") for each in result[2]}
    assert (result[0][0].x or {}).get("sums") == ["Summe (+20) (-20) (0) (+120)"]


def test_drinks_beside_amounts_of_the_winners_are_no_player() -> None:
    rows = ("1;Ruf;Anna;Dora;20;;;20;1", "2;Solo;Ben;;;60;;;", "3;Ruf;Ben;Cem;;20;20;;2")
    assert read(sheet(f"Nr;Spiel;Spieler;Mitspieler;{NAMES};Bier", *rows))[0][0].players == PLAYERS


@pytest.mark.parametrize("row", ["Einheit;€;€;€;€", "Währung;ct;ct;ct;ct"])
def test_a_row_of_units_below_the_names_is_no_deal(row: str) -> None:
    result = read(sheet(HEAD, row, *ALONE))
    assert (paid(result), asked(result)) == (FOUR, [])


@pytest.mark.parametrize("row", ["Bier;20;-20;20;-20", "Max;20;-20;20;-20", "Ramsch;ct;ct;ct;ct", "7;ct;ct;ct;ct"])
def test_a_row_that_may_be_a_deal_is_not_passed_over(row: str) -> None:
    result = read(sheet(HEAD, *ALONE[:2], row, *ALONE[2:]))
    assert (paid(result), {line for line, _ in asked(result)}) == (FOUR, {4})


def test_ditto_marks_stand_for_the_cell_above() -> None:
    for mark in ("〃", '"', '""""', "„", "''", "dto.", "-''-", "detto", "wie oben"):
        rows = ["1;Wenz;Anna;150;-50;-50;-50", f"2;{mark};Ben;-50;150;-50;-50", f"3;{mark};{mark};-50;150;-50;-50"]
        result = read(sheet("Nr;Spiel;Spieler;Anna;Ben;Cem;Dora", *rows))
        games = [deal.game and (deal.game.contract, deal.game.declarer) for deal in result[1]]
        assert (games, asked(result)) == ([("wenz", 0), ("wenz", 1), ("wenz", 1)], [])


def test_who_sits_out_may_be_written_in_place_of_an_amount() -> None:
    rows = ["1;Sauspiel;Anna;Dora;50;-50;-50;50;G", "2;Solo;Ben;;gibt;-150;50;50;50", "3;Wenz;Dora;;-50;/;-50;150;-50"]
    rows += [f"{at};Wenz;Dora;;-50;{mark};-50;150;-50" for at, mark in enumerate(("---", "heim", "weg"), 4)]
    result = read(sheet("Nr;Spiel;Spieler;Mitspieler;Anna;Ben;Cem;Dora;Emil", *rows))
    assert [deal.sits_out for deal in result[1]] == [(4,), (0,), (1,), (1,), (1,), (1,)]
    assert asked(result) == []


def test_a_purse_that_everybody_begins_with_is_carried_into_the_evening() -> None:
    purses = [
        "20,50;19,50;19,50;20,50",
        "21,00;18,00;20,00;21,00",
        "20,70;18,30;20,30;20,70",
        "20,20;17,80;19,80;22,20",
    ]
    begun = told(purses).replace("1;Sau", ";Startgeld;;;20,00;20,00;20,00;20,00\n1;Sau", 1)
    for text in (begun, told(purses)):
        result = read(text)
        assert (paid(result), asked(result)) == (FOUR, [])
        assert result[0][0].carry == Carry(totals=(2000,) * 4)


def test_amounts_of_the_winners_alone_are_no_purses() -> None:
    rows = ["1;20;0;20;0", "2;0;20;20;0", "3;20;20;0;0", "4;0;0;20;20", "5;20;0;20;0"]
    data = sheet(f"Nr;Spiel;{NAMES}", *(row.replace(";", ";Sauspiel;", 1) for row in rows))
    result = read(data)
    assert result[1] == []
    assert len(asked(result)) == 5


# --- slips: a sheet is known by its shape, and what does not come out in it is named ---------------------------------


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (["1;50;50;-50;50", *ALONE[1:], "Summe;20;-220;-80;220"], 4),  # a sign
        ([*ALONE, "Summe;30;-220;-20;220"], 4),  # a total that is ten off
        ([*ALONE[:2], "3;-30;30;40;-30", *ALONE[3:]], 4),  # an amount that is ten off
    ],
)
def test_a_sheet_of_names_and_amounts_with_a_slip_is_read_with_all_its_rows(rows: list[str], kept: int) -> None:
    assert len(read(sheet(HEAD, *rows))[1]) == kept


def test_a_step_of_running_totals_that_does_not_add_up_is_named_and_the_others_are_read() -> None:
    rows = [*SUMS, (40, -240, -40, 240), (20, -220, -60, 270), (0, -200, -80, 290)]
    text = sheet(HEAD, *numbered(joined(rows)))
    assert paid(read(text)) == [*FOUR, (20, -20, -20, 20), (), (-20, 20, -20, 20)]
    assert asked(read(text)) == []
    judged = judge_stream(score_sheet.read(text.encode(), Source("sheet.csv")))
    of_deals = [finding for each in judged if isinstance(each, Judgement) for finding in each.findings]
    wrong = [(each.source and each.source.line, each.rule) for each in of_deals if each.severity == "error"]
    assert wrong == [(7, "totals-sum")]


@pytest.mark.parametrize(
    "text",
    [
        "Monat;Miete;Strom;Essen\nJan;800;60;300\nFeb;800;55;280\n",
        "Nr;Einnahmen;Ausgaben;Saldo\n1;800;-60;740\n2;800;-55;745\n3;800;-800;0\n",
        "Datum;Giro;Sparbuch;Bar\n01.03.2026;-100;100;0\n02.03.2026;-50;0;50\n",
        "Buchungstag;Verwendungszweck;Betrag;Saldo\n01.03.2026;Miete;-800,00;200,00\n02.03.2026;Lohn;900,00;1100,00\n",
        "Nr;Abtrag;Aufschlag;Schuld\n1;-50;-100;900\n2;-45;-105;795\n3;-40;-110;685\n",
        "Nr;Montag;Dienstag;Mittwoch\n1;12;14;9\n2;11;10;12\n3;9;8;7\n",
    ],
)
def test_a_household_budget_or_a_bank_statement_is_no_score_sheet(text: str) -> None:
    assert not score_sheet.matches("haushalt.csv", text.encode())
    whys = {each.facts["why"].id for each in by_kind(score_sheet.read(text.encode(), Source("haushalt.csv")))[2]}
    assert "Saldo" not in text or whys == {"importers.cash-book"}


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("Hans M.", "Hans S.", "Zenzi", "Lois"), ("Resi H.", "Sepp (2)", "Sepp (1)", "Toni jun."),
        ("Hans-P.", "Dr. Xaver", "Leni", "Burgl"), ("Jörg", "Jo\u0308rn", "Änni", "Zenzi"),
        ("Jan", "Bock", "Schneider", "August"), ("Anna (A)", "Ben", "Cem (C)", "Preis"), ("Re", "Lauf", "Max", "Jo"),
    ],
)  # fmt: skip
def test_names_are_read_as_people_write_them_in_heads_and_cells(names: tuple[str, ...]) -> None:
    head = f"Nr;Spiel;Spieler;{';'.join(names)}"
    rows = [
        f"{at};Wenz;{name};" + ";".join("150" if name == each else "-50" for each in names)
        for at, name in enumerate(names, 1)
    ]
    result = read(sheet(head, *rows))
    bare = read(sheet(";".join(names), *(row.split(";", 3)[3] for row in rows)))
    assert asked(result) == asked(bare) == []
    assert [deal.game and deal.game.declarer for deal in result[1]] == [0, 1, 2, 3]
    assert [bare[0][0].players, bare[0][0].unit] == [result[0][0].players, None]
    assert [deal.stated and deal.stated.payments for deal in bare[1]] == [
        deal.stated.payments for deal in result[1] if deal.stated
    ]


def test_a_name_with_one_row_is_a_player_and_a_price_keeps_its_unit() -> None:
    (session,), deals, _ = read(sheet("Spiel;Spieler;Preis (c);Anna;Ben;Hirsch;Dora", "Wenz;Hirsch;50;-50;-50;150;-50"))
    assert (session.players, session.unit) == (("Anna", "Ben", "Hirsch", "Dora"), "ct")
    assert [deal.stated and deal.stated.price for deal in deals] == [50]


def test_a_first_name_is_its_player_where_only_one_has_it() -> None:
    head = "Nr;Spiel;Spieler;Moser Girgl;Huber Vroni;Dr. Lang;Beer Lois"
    result = read(sheet(head, "1;Wenz;Girgl;150;-50;-50;-50", "2;Wenz;Lang;-50;-50;150;-50"))
    assert [deal.game and deal.game.declarer for deal in result[1]] == [0, 2]
    result = read(sheet(head.replace("Beer Lois", "Beer Girgl"), "1;Wenz;Girgl;150;-50;-50;-50"))
    assert [each.rule for each in result[2]] == ["unknown-player"]


# --- dates ------------------------------------------------------------------------------------------------------------


def test_a_date_in_the_name_of_the_file_is_that_of_the_evening() -> None:
    assert read(told(joined(FOUR)), "Schafkopf 2026-11-13.csv")[0][0].date == "2026-11-13"
    assert read("Abend vom 20.11.2026\n" + told(joined(FOUR)), "Export 2026-11-13.csv")[0][0].date == "2026-11-20"
    sums = told(joined(FOUR)).replace("Nr", "Übertrag vom 6.11.2026")
    assert read(sums, "Schafkopf 2026-11-13.csv")[0][0].date == "2026-11-13"


def test_days_in_repeated_heads_are_those_of_the_evenings_below() -> None:
    (one, two, *others), names = ALONE, f";{NAMES}"
    text = sheet(f"Abend 13.11.2026{names}", one, two, f"Summe;{one[2:]}", f"Abend 20.11.2026{names}", *others)
    result = read(text.replace(f"Summe;{one[2:]}", "Summe;100;-200;0;100"))
    assert (paid(result), asked(result)) == (FOUR, [])
    assert [session.date for session in result[0]] == ["2026-11-13", "2026-11-20"]
    result = read(text.replace("Abend 20.11.2026;Anna;Ben;Cem;Dora", "20.11.2026;lang;müde;spät;froh"))
    assert {session.players for session in result[0]} == {PLAYERS}


@pytest.mark.parametrize(
    ("names", "dealers"), [("ADCBA", None), ("ABC ", None), ("CDAB", (2, 3, 0, 1)), ("DABC", (3, 0, 1, 2))]
)
def test_players_in_turn_below_g_deal(names: str, dealers: tuple[int, ...] | None) -> None:
    result = read(
        told([f"{name};{row}" for name, row in zip(names, joined(FOUR), strict=False)], "G;Anna;Ben;Cem;Dora")
    )
    assert [deal.dealer for deal in result[1]] == [*(dealers or (None,) * 4)]


def test_a_deal_in_one_cell_is_asked_about_in_the_last_round_too() -> None:
    assert asked(read(told(joined(FOUR)) + ";Ben Wenz gewonnen, letzte Runde\n")) == [(6, "bad-entry")]


@pytest.mark.parametrize(
    ("foot", "day"),
    [
        *(
            (text, "2026-11-13")
            for text in ("Löwen, 13.11.2026;;;;;;;", "13.11.2026", "Am 13.11.2026 war der Wirt krank")
        ),
        *((text, None) for text in ("Nächstes Mal: Freitag 27.11.2026", "28.11.2026 gespeichert", "13.11.–15.11.2026")),
        ("13. bis 15.11.2026", None),
        ("Ausdruck: 28.11.2026, Abend vom 13.11.2026 (bezahlt)", "2026-11-13"),
    ],
)
def test_a_date_at_the_foot_is_that_of_the_evening(foot: str, day: str | None) -> None:
    assert [session.date for session in read(told(joined(FOUR)) + foot + "\n")[0]] == [day]


@pytest.mark.parametrize(
    ("first", "second", "days"),
    [
        ("Freitag 13.11.2026 im Gasthof zum Löwen", "2. Abend (20.11.26 bei Anna)", ["2026-11-13", "2026-11-20"]),
        ("Datum:;13.11.2026", "Runde vom 20.11.2026", ["2026-11-13", "2026-11-20"]),
        ("13.11.2026;Löwen", "Fr., 20.11.26, Post", ["2026-11-13", "2026-11-20"]),
        ("Abend 1", "2. Abend bei Ben", [None, None]),
        *(
            (first, second, [None, None])
            for first, second in (
                ("Erster Abend", "Zweiter Abend"),
                ("Abend I", "Abend II"),
                ("1.Abend", "Der siebte Abend"),
                ("Tag 1", "Tag 2"),
                ("=== Abend eins ===", "Abend #2"),
                ("1st evening", "Session 2"),
            )
        ),
    ],
)
def test_a_day_with_a_place_or_a_numbered_evening_parts_the_rows(first: str, second: str, days: list[str]) -> None:
    rows = [first, *joined(FOUR)[:2], second, *joined(FOUR)[2:], "Nächster Abend: 27.11.2026"]
    result = read(sheet("Ausdruck vom 28.11.2026", NAMES, *rows))
    assert ([session.date for session in result[0]], paid(result), asked(result)) == (days, FOUR, [])


@pytest.mark.parametrize(
    ("title", "between", "days"),
    [
        ("Runde im Löwen", "13.11.2026 Wirtswechsel", ["2026-11-13"]),
        ("Runde im Löwen", "Abend 20 Uhr", [None]),
        ("Runde im Löwen", "1 Tag Pause", [None]),
        ("Runde im Löwen", "Spielabend 2 Stunden", [None]),
        ("Runde im Löwen", "Abend 2 Bier", [None]),
        ("Runde im Löwen", "Abend 2 Löwen", [None, None]),
        ("Schafkopf 13.11.2026, alle bezahlt", "13.11.2026 im Löwen", ["2026-11-13"]),
        ("Schafkopf 13.11.2026, nächster Termin 20.11.", "20.11.2026 Löwen", ["2026-11-13", "2026-11-20"]),
        ("Schafkopf 13.11.2026", "2. Abend", ["2026-11-13", None]),
        ("Runde im Löwen", "20.11.2026", [None, "2026-11-20"]),
    ],
)
def test_the_only_day_in_a_sheet_with_words_behind_it_or_that_of_the_title_parts_no_rows(
    title: str, between: str, days: list[str | None]
) -> None:
    result = read(sheet(title, NAMES, *joined(FOUR)[:2], between, *joined(FOUR)[2:]))
    assert ([session.date for session in result[0]], paid(result), asked(result)) == (days, FOUR, [])


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        (f"{NAMES};", [f"{row};{day}.11.2026" for row, day in zip(joined(FOUR), (14, 20, 14, 20), strict=True)]),
        *((f"{NAMES};{head}", [f"{row};{cell}" for row in joined(FOUR)]) for head, cell in (("Sp.", ""), ("Sau", "x"))),
        (f"{NAMES};Sp.", [f"{row};{points}" for row, points in zip(joined(FOUR), (74, 85, 40, 61), strict=True)]),
    ],
)
def test_a_column_that_is_not_what_its_short_head_may_mean_is_unknown(head: str, cells: list[str]) -> None:
    result = read(sheet(head, *cells))
    assert (len(result[0]), paid(result), [each.rule for each in result[2]]) == (1, FOUR, ["unknown-column"])


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("mit/ohne", ["+3", "-2", "+1", "+2"]),
        ("Kasse", ["+50", "+0", "-30", "+20"]),
        *((head, ["+50", "-50", "+30", "+50"]) for head in ("Stand", "Augen")),
        ("Punkte", ["+74", "-40", "61", "+85"]),
    ],
)
def test_numbers_with_signs_that_may_be_no_prices_are_none(head: str, cells: list[str]) -> None:
    assert by_kind(score_sheet.read(told(cells, head).encode(), Source("sheet.csv")))[1] == []


@pytest.mark.parametrize(
    ("names", "cells", "knocks"),
    [
        (NAMES, ("II", "I", "||", "|"), [2, 1, 2, 1]),
        ("Irmi;Ben;Cem;Dora", ("II", "I", "", "B"), [None, (1,)]),
        ("Irmi;Ilse;Cem;Dora", ("I", "C", "", ""), [(2,), None, None]),
        (NAMES, ("/", "", "/", ""), [None, None]),
        (NAMES, ("/", "B", "+", "20"), [None, (1,)]),
    ],
)
def test_strokes_count_knocks_unless_they_may_be_a_name_or_nothing(
    names: str, cells: tuple[str, ...], knocks: list[int | tuple[int, ...] | None]
) -> None:
    rows = [f"Wenz;Dora;{cell};-50;-50;-50;150" for cell in cells]
    assert [deal.knocks or None for deal in read(sheet(f"Spiel;Spieler;Legen;{names}", *rows))[1]] == knocks


def test_short_heads_are_known_by_their_cells() -> None:
    head = f"Sp.;Art;Sau;Spieler;mit;Gelegt von;Jackpot;+/-;{NAMES}"
    rows = ["1;Ruf;E;Anna;Dora;2 (A, C);x;+;50;-50;-50;50", "2;Solo;H;Ben;./.;II;;-;50;-150;50;50"]
    _, (first, second), findings = read(sheet(head, *rows))
    assert (first.no, first.game.suit, first.partner, first.knocks, first.x) == (1, "E", 3, (0, 2), {"Jackpot": "x"})
    assert (second.partner, second.knocks, first.stated.won, second.stated.won) == (None, 2, True, False)
    assert findings == []


def test_a_date_with_slashes_below_an_english_head_is_asked_about() -> None:
    head = "Date,Game,Player,Anna,Ben,Cem,Dora"
    result = read(sheet(head, "11/6/2026,Wenz,Anna,150,-50,-50,-50"))
    assert (result[0][0].date, asked(result)) == (None, [(2, "bad-entry")])
    result = read(sheet(head, "11/16/2026,Wenz,Anna,150,-50,-50,-50"))
    assert (result[0][0].date, asked(result)) == ("2026-11-16", [])


def test_times_of_a_column_of_their_own_keep_an_evening_over_midnight_together() -> None:
    head = "Datum;Uhrzeit;Spiel;Spieler;Anna;Ben;Cem;Dora"
    rows = ["27.02.2026;23:40;Wenz;Anna;150;-50;-50;-50", "28.02.2026;00:20;Wenz;Ben;-50;150;-50;-50"]
    assert [session.date for session in read(sheet(head, *rows))[0]] == ["2026-02-27"]


# --- other tables -----------------------------------------------------------------------------------------------------


def test_gains_and_losses_in_two_columns_are_one_amount() -> None:
    rows = ["1;Anna;24;;6;;30", "2;Ben;;6;21;;15", "3;Cem;;9;;3;-12", "4;Dora;;9;;24;-33"]
    result = read(sheet("Pl.;Name;1. Runde;;2. Runde;;Gesamt", ";;Gut;Schlecht;Gut;Schlecht;", *rows))
    assert (paid(result), asked(result)) == ([(24, -6, -9, -9), (6, 21, -3, -24)], [])


def test_surname_and_first_name_are_one_name() -> None:
    rows = ["1;Moser;Girgl;30;14;44", "2;Huber;Vroni;-10;22;12", "3;Lang;Resi;20;-8;12", "4;Beer;Lois;-40;-28;-68"]
    result = read(sheet("Nr;Nachname;Vorname;Runde 1;Runde 2;Summe", *rows))
    assert result[0][0].players == ("Moser Girgl", "Huber Vroni", "Lang Resi", "Beer Lois")


def test_final_points_alone_are_a_ranking() -> None:
    rows = ["Herbst;1;Anna;44;3", "Herbst;2;Ben;12;2", "Herbst;3;Cem;12;1", "Herbst;4;Dora;-68;0"]
    result = read(sheet("Turnier;Nr;Name;Punkte;Soli", *rows))
    assert paid(result) == [(44, 12, 12, -68)]
    assert [deal.stated and deal.stated.solos for deal in result[1]] == [(3, 2, 1, 0)]


def test_a_log_of_sides_tells_who_played_and_who_won() -> None:
    head = "Spiel,Gewinner,Laufende,Spieler 1,Spieler 2,Gegner 1,Gegner 2,Datum"
    rows = ["Ruf,Spieler,3,Anna,Ben,Cem,Dora,14.11.2026", "Solo,Nichtspieler,0,Cem,,Anna,Ben,14.11.2026"]
    sessions, deals, _ = read(sheet(head, *rows, "Ramsch,Nichtspieler,0,Ben,,Anna,Cem,14.11.2026"))
    players = sessions[0].players
    assert [players[deal.game.declarer] for deal in deals[:2] if deal.game and deal.game.declarer is not None] == [
        "Anna",
        "Cem",
    ]
    assert [deal.stated and deal.stated.won for deal in deals[:2]] == [True, False]
    assert players[deals[0].partner or 0] == "Ben"
    with_prices = [f"{row},{price}" for row, price in zip([*rows, rows[0]], (20, 50, 20), strict=True)]
    for title, price in (("Punkte", 20), ("Augen", None)):
        stated = read(sheet(f"{head},{title}", *with_prices))[1][0].stated
        assert stated
        assert (stated.price, stated.points) == (price, None if price else 20)


def test_three_players_have_rules_for_three() -> None:
    rows = ["1;Sauspiel;Vroni;Girgl;50;50;-100", "2;Solo;Zenzi;;50;50;-100"]
    result = read(sheet("Nr;Spiel;Spieler;Partner;Vroni;Girgl;Zenzi", *rows))
    session = result[0][0]
    assert session.rules == "three-hand"
    assert "rufspiel" in (session.house or {})["contracts"]


@pytest.mark.parametrize(
    ("text", "line", "rule", "why"),
    [
        (told(joined(FOUR)) + ";korr.: Vorzeichen;;;-60;60;60;-60\n", 6, "row-unclear", "importers.correction-row"),
        (
            "Spieler;Rufspiele gew.;Rufspiele verl.;Soli gew.\nAnna;I;I;\nBen;;II;\nCem;I;;\nDora;;;I\n",
            1, "sheet-unreadable", "importers.tally",
        ),
        ("Name;Striche;Summe\nAnna;IIII III;8\nBen;II;2\nCem;;0\n", 1, "sheet-unreadable", "importers.tally"),
    ],
)  # fmt: skip
def test_what_is_no_deal_is_refused_in_words_that_say_what_it_is(text: str, line: int, rule: str, why: str) -> None:
    findings = [each for each in read(text)[2] if each.rule == rule]
    assert [(each.source and each.source.line, each.facts["why"].id) for each in findings] == [(line, why)]


def test_a_value_that_may_be_of_one_or_of_all_is_asked_about() -> None:
    rows = ["1;Ruf;Anna+Dora;Ben+Cem;50", "2;Solo;Ben;Anna+Cem+Dora;150", "3;Wenz;Dora;Anna+Ben+Cem;150"]
    result = read(sheet("Nr;Spiel;Gewinner;Verlierer;Betrag", *rows))
    assert (paid(result), asked(result)) == ([(50, -50, -50, 50)], [(3, "row-unclear"), (4, "row-unclear")])


def test_a_cross_that_may_mean_who_played_makes_no_deals() -> None:
    rows = ["1;Ruf;50;x;;;x", "2;Solo;50;x;;;", "3;Ruf;30;;x;x;"]
    assert not score_sheet.matches("sheet.csv", sheet("Nr;Spiel;Wert;Anna;Ben;Cem;Dora", *rows).encode())


def test_an_amount_that_a_program_made_a_date_of_costs_its_row_and_says_so() -> None:
    result = read(told(["50;-50;-50;50", "2026-05-01;-150;50;50", "-30;30;30;-30", "-50;-50;-50;150"]))
    assert [each.facts["expected"].id for each in result[2]] == ["importers.amount-not-date"]
    assert len(result[1]) == 3


def test_a_sheet_of_many_rows_is_read_in_a_time_that_grows_with_them() -> None:
    rows = [f"{at};20;-20;20;-20" for at in range(1, 3001)]
    result = read(sheet(HEAD, "0;0;0;0;0", *rows))
    assert len(result[1]) == 3000


def test_two_blocks_of_which_one_has_a_hundredth_of_the_other_are_cents_and_euros() -> None:
    euros = [[f"{amount / 100:.2f}".replace(".", ",") for amount in row] for row in FOUR]
    rows = [
        ";".join([str(n), *map(str, row), "", *other])
        for n, (row, other) in enumerate(zip(FOUR, euros, strict=True), 1)
    ]
    result = read(sheet("Nr;Anna;Ben;Cem;Dora;;Anna;Ben;Cem;Dora", *rows))
    assert (paid(result), asked(result)) == (FOUR, [])
    assert not any(deal.stated and deal.stated.totals for deal in result[1])


def test_a_column_of_the_pot_is_read_beside_amounts_that_go_into_it_and_come_out_of_it() -> None:
    rows = [(20, -20, 20, -20), (-10, -10, -10, -10), (60, 20, -20, -20)]
    for head, unit in (("Topf", ""), ("Stock", ""), ("Stock (ct)", "€"), ("Stock ct", "€")):
        cells = [";".join(f"{each / 100:.2f} €" if unit else str(each) for each in row) for row in rows]
        result = read(sheet(f"Nr;Anna;Ben;Cem;Dora;{head}", f"1;{cells[0]};0", f"2;{cells[1]};40", f"3;{cells[2]};0"))
        assert (paid(result), asked(result)) == (rows, [])
        assert [deal.stated.stock for deal in result[1] if deal.stated] == [0, 40, 0]


@pytest.mark.parametrize("declarers", [("Anna", "Dora", "Ben", "Dora"), ("", "", "", "")])
def test_totals_that_look_like_deals_by_chance_are_totals_if_every_step_is_a_deal(declarers: Sequence[str]) -> None:
    totals = ["20;-20;20;-20", "-30;-70;-30;130", "-80;80;-80;80", "-60;60;-60;60"]
    rows = [f"{n};{name};{row}" for n, (name, row) in enumerate(zip(declarers, totals, strict=True), 1)]
    result = read("\n".join(["Nr;Spieler;Anna;Ben;Cem;Dora", *rows]))
    assert paid(result) == [(20, -20, 20, -20), (-50, -50, -50, 150), (-50, 150, -50, -50), (20, -20, 20, -20)]
    assert asked(result) == []
    result = read("\n".join(["Nr;Spieler;Anna;Ben;Cem;Dora", *rows[:2], rows[1].replace("2;", "Endstand;", 1)]))
    assert paid(result) == [(20, -20, 20, -20), (-50, -50, -50, 150)]


@pytest.mark.parametrize("heads", ["{} Plus;{} Minus", "{} +;{} -", "{} (Haben);{} (Soll)", "Gewinn {};Verlust {}"])
@pytest.mark.parametrize("minus", ["", "-"])
def test_two_columns_for_each_player_whose_heads_have_the_name_are_one(heads: str, minus: str) -> None:
    def cells(amount: int) -> str:
        return f"{amount};" if amount > 0 else f";{minus}{-amount}"

    head = ";".join(["Nr;Spiel;Spieler", *(heads.format(name, name) for name in PLAYERS)])
    rows = [
        f"{n};{game.rpartition(';')[0]};" + ";".join(map(cells, row))
        for n, (game, row) in enumerate(zip(GAMES, FOUR, strict=True))
    ]
    result = read("\n".join([head, *rows]))
    assert result[0][0].players == PLAYERS
    assert (paid(result), asked(result)) == (FOUR, [])


def test_whole_numbers_with_the_point_of_a_program_are_no_euros() -> None:
    head, rows = (
        "Spiel,Spieler,Anna,Ben,Cem,Dora",
        ["Wenz,Dora,-50.0,-50.0,-50.0,150.0", "Wenz,Ben,-5.0,15.0,-5.0,-5.0"],
    )
    result = read("\n".join([head, *rows]))
    assert (result[0][0].unit, paid(result)) == (None, [(-50, -50, -50, 150), (-5, 15, -5, -5)])
    euros = read("\n".join([head, *rows, "Wenz,Ben,-0.5,1.5,-0.5,-0.5"]))
    assert euros[0][0].unit == "ct"
    assert paid(euros)[1:] == [(-500, 1500, -500, -500), (-50, 150, -50, -50)]


TOTALS = ["1;Wenz;Anna;150;-50;-50;-50;270;-90;-110;-70", "2;Solo;Dora;-50;-50;-50;150;220;-140;-160;80"]


def test_totals_that_go_on_from_an_evening_that_the_sheet_does_not_have_are_not_held_against_it() -> None:
    head = "Nr;Spiel;Spieler;Anna;Ben;Cem;Dora;Summe Anna;Summe Ben;Summe Cem;Summe Dora"
    whole = read("\n".join([head, *TOTALS]))
    assert getattr(whole[0][0].carry, "totals", None) == (120, -40, -60, -20)
    slip = read(
        "\n".join(
            [head, "1;Wenz;Anna;150;-50;-50;-50;160;-60;-50;-50", "2;Solo;Dora;-50;-50;-50;150;110;-110;-100;100"]
        )
    )
    alone = read("\n".join([head, TOTALS[0]]))
    broken = read("\n".join([head, TOTALS[0], TOTALS[1].replace("80", "90")]))
    assert not any(each[0][0].carry for each in (slip, alone, broken))
