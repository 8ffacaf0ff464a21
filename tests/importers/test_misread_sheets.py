"""Nothing of a score sheet is misread in silence: what may be no deal, or may mean another amount, is asked about, and
the good rest is read."""

import io
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font
from support.items import by_kind
from support.running import run
from support.writers.score_sheet import as_open_document, as_workbook

from archive.cli.inputs import files_with_progress
from archive.record import Deal, Session

FOLDER = Path(__file__).parent / "misread"
BROKEN = Path(__file__).parents[2] / "sample_games" / "broken"
HEAD = ["Nr", "Spiel", "Spieler", "Mitspieler", "Anna", "Ben", "Cem", "Dora"]
ROWS = [
    ["1", "Sauspiel auf die Alte", "Anna", "Cem", 20, -20, 20, -20],
    ["2", "Herz-Solo", "Ben", "", 50, -150, 50, 50],
    ["3", "Wenz", "Dora", "", -50, -50, -50, 150],
    ["4", "Sauspiel auf die Blaue", "Cem", "Dora", 20, 20, -20, -20],
]


Asked = list[tuple[str, int, str]]


def read_all(*paths: Path) -> tuple[list[Session], list[Deal], Asked]:
    """The sessions and deals of files that are read together, and their findings: rule, line, question."""
    items = [item for file in files_with_progress(tuple(map(str, paths)), None) for item in file.items()]
    sessions, deals, findings = by_kind(items)
    asked = [
        (each.rule, each.source.line if each.source else 0, getattr(each.facts.get("why"), "id", "").rpartition(".")[2])
        for each in findings
    ]
    return sessions, deals, asked


def read(*paths: Path) -> tuple[list[Deal], Asked]:
    return read_all(*paths)[1:]


def workbook(*sheets: list[list[Any]]) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(as_workbook(*sheets)))


CASES = {
    "sum-of-the-evening.csv": (3, [("row-unclear", 6, "row-of-sums")]),
    "sum-in-the-number.csv": (3, [("row-unclear", 6, "row-of-sums")]),
    "cents-among-euros.csv": (4, [("row-unclear", 5, "hundredfold")]),
    "hundredfold.csv": (3, [("row-unclear", 5, "hundredfold")]),
    "amounts-of-the-losers.csv": (0, [("row-unclear", 2, "one-sign"), ("row-unclear", 3, "one-sign")]),
    "one-sign-and-no-result.csv": (0, [("row-unclear", 2, "one-sign"), ("row-unclear", 3, "one-sign")]),
    "substitute.csv": (2, [("row-unclear", 4, "stand-in")]),
    "substitute-in-a-note.csv": (1, [("row-unclear", 3, "stand-in")]),
    "drinks.csv": (3, [("row-unclear", 5, "row-without-game")]),
    "number-twice.csv": (2, [("row-unclear", 4, "same-number")]),
    "sum-with-a-number.csv": (3, [("row-unclear", 5, "row-of-sums")]),
    "table-below.csv": (3, [("row-unclear", 6, "other-table")]),
    "one-row-in-euros.csv": (1, [("row-unclear", line, "hundredfold") for line in (2, 4, 5)]),
    "one-row-in-small-euros.csv": (1, [("row-unclear", line, "hundredfold") for line in (2, 4, 5)]),
    "names-that-begin-alike.csv": (1, [("bad-entry", 2, ""), ("bad-entry", 4, "")]),
    "sum-without-a-game.csv": (3, [("row-unclear", 5, "row-of-sums")]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_row_that_may_be_misread_is_asked_about_and_the_rest_is_read(name: str) -> None:
    count, asked = CASES[name]
    deals, findings = read(FOLDER / name)
    assert len(deals) == count
    assert [each for each in findings if each[0] != "unknown-column"] == asked
    assert run("check", FOLDER / name).exit_code == 1


ODD = {
    "a sum below four deals": "-20;-20;60;-20",
    "as a scan reads 120": "I20;-120;120;-120",
    "as a scan reads 55": "5S;-55;55;-55",
}


@pytest.mark.parametrize("odd", ODD)
def test_a_last_row_without_a_game_that_may_be_another_is_asked_about(tmp_path: Path, odd: str) -> None:
    deals = ["20;-20;20;-20", "-50;-50;150;-50", "30;30;-90;30", "-20;20;-20;20"]
    (tmp_path / "a.csv").write_text("\n".join([";".join(HEAD[4:]), *deals, ODD[odd]]), "utf-8")
    found, asked = read(tmp_path / "a.csv")
    assert (len(found), [line for _, line, _ in asked]) == (4, [6])


OWN = ["event,unit,player,deals,total,won,best_deal,on_cards", "part,rules,unit,contract,won,hands,settled,paid"]


@pytest.mark.parametrize("head", OWN)
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_statistics_that_this_program_wrote_have_no_deals(tmp_path: Path, head: str, sign: str) -> None:
    rows = [head, "1,P,2,20,-20,20,-20,0", "1,P,3,50,-50,50,-50,0", "1,P,4,-50,50,-50,50,0"]
    (tmp_path / "a.csv").write_text("\n".join(rows).replace(",", sign), "utf-8")
    assert read(tmp_path / "a.csv") == ([], [("sheet-unreadable", 1, "own-statistics")])


POT = ("Weiter;;;;-10;-10;-10;-10", "Sauspiel;Anna;Cem;;40;-20;40;-20", "Wenz;Dora;;x;-400;-400;-400;1200")


@pytest.mark.parametrize(
    ("rows", "differing"),
    [
        (("Spiel;Spieler;Anna;Ben;Cem;Dora;Emil", "Wenz;Anna;60;-20;-20;-10;", "Wenz;Dora;;-50;-50;150;-50"), 1),
        (("Spiel;Spieler;Mitspieler;Kontra;Anna;Ben;Cem;Dora;Stock", *(f"{row};" for row in POT)), 0),
        (("Spiel;Spieler;Mitspieler;Kontra;Anna;Ben;Cem;Dora", *POT, "Solo Du;Ben;;3;-400;1200;-400;-400"), 0),
        (("Spiel;Spieler;Mitspieler;Kontra;Anna;Ben;Cem;Dora", *POT, "Solo;Ben;;;-50;150;-50;-60"), 1),
    ],
)
def test_amounts_that_do_not_sum_to_zero_differ_unless_they_are_those_of_the_sheets_own_pot(
    tmp_path: Path, rows: tuple[str, ...], differing: int
) -> None:
    (tmp_path / "sheet.csv").write_text("\n".join(rows), "utf-8")
    result = run("check", tmp_path / "sheet.csv")
    assert (result.exit_code, result.stdout.count(": stated-sum ")) == (differing, differing)
    assert not {": double-not-allowed ", ": word-not-played "} & {*re.findall(r": [a-z-]+ ", result.stdout)}


DIFFERING = {  # read as they stand there, and found wrong: the findings of their deals, by line
    "not-zero.csv": [(3, "stated-sum")],
    "signs-turned.csv": [(line, "stated-payments") for line in (2, 3, 4)],
    "partner-who-paid.csv": [(2, "stated-payments")],
    "partner-of-a-solo.csv": [(2, "wrong-parties")],
    "price-beside-payments.csv": [(3, "stated-payments")],
    "sum-check.csv": [(3, "stated-sum")],
    "heads-in-two-units.csv": [(2, "stated-sum")],
}
READ = ("months-first.csv", "won-as-1-and-0.csv")


def test_every_misread_sheet_is_a_case() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*CASES, *DIFFERING, *READ}


@pytest.mark.parametrize("name", DIFFERING)
def test_a_row_whose_facts_and_amounts_no_tariff_brings_together_differs(name: str) -> None:
    result = run("check", "--lang", "en", FOLDER / name)
    assert result.exit_code == 1
    for line, rule in DIFFERING[name]:
        assert f"{name}:{line}: {rule} " in result.stdout
    assert result.stdout.count(f"{name}:") == len(DIFFERING[name])


def test_dates_that_can_only_have_the_month_first_are_all_read_so() -> None:
    sessions, *_ = read_all(FOLDER / "months-first.csv")
    assert [each.date for each in sessions] == ["2026-11-13", "2026-11-12"]
    assert all(any("month" in text for text in each.inferred or ()) for each in sessions)


def test_a_one_below_the_head_won_is_a_yes_and_no_card_point() -> None:
    deals, _ = read(FOLDER / "won-as-1-and-0.csv")
    assert [(each.stated.won, each.stated.points) for each in deals if each.stated] == [(True, None), (False, None)]


def test_a_row_that_is_struck_out_is_asked_about(tmp_path: Path) -> None:
    book = workbook([HEAD, *ROWS])
    for cell in book.worksheets[0][3]:
        cell.font = Font(strike=True)
    book.save(tmp_path / "a.xlsx")
    deals, findings = read(tmp_path / "a.xlsx")
    assert (len(deals), [(rule, line) for rule, line, _ in findings]) == (3, [("row-unclear", 3)])


def test_a_row_that_is_hidden_is_asked_about_and_columns_toml_answers(tmp_path: Path) -> None:
    book = workbook([HEAD, *ROWS])
    book.worksheets[0].row_dimensions[3].hidden = True
    book.save(tmp_path / "a.xlsx")
    (tmp_path / "b.ods").write_bytes(as_open_document([HEAD, *ROWS], hidden=3))
    names = ["a.xlsx", "b.ods"]
    for how in ("hidden", 'style="Display: none"'):
        cells = [f">{''.join(f'<td>{text}</td>' for text in row)}" for row in (HEAD, *ROWS)]
        rows = [f"<tr {how * (line == 3)}{text}" for line, text in enumerate(cells, 1)]
        names.append(f"{how[:6]}.html")
        (tmp_path / names[-1]).write_text(f"<table>{chr(10).join(rows)}</table>", "utf-8")
    for name in names:
        deals, findings = read(tmp_path / name)
        assert (len(deals), [(rule, line) for rule, line, _ in findings]) == (3, [("row-unclear", 3)])
    (tmp_path / "columns.toml").write_text("deals = [3]", "utf-8")
    for name in names:
        deals, findings = read(tmp_path / name)
        assert (len(deals), findings) == (4, [])


@pytest.mark.parametrize(("first", "line", "last"), [("Runde", 3, (30, -5, -30, 5)), ("Spiel", 2, (20, -20, -20, 20))])
def test_a_hidden_player_of_a_list_or_of_a_turned_sheet_is_asked_about(
    first: str, line: int, last: tuple[int, ...], tmp_path: Path
) -> None:
    columns = ("Name", "Anna", "Ben", "Cem", "Dora"), (1, 20, -20, 20, -20), (2, 60, -20, -20, -20), (3, *last)
    rows = [[name, *numbers] for name, *numbers in zip(*columns, strict=True)]
    book = workbook([["Name", *(f"{first} {number}" for number in (1, 2, 3))], *rows[1:]])
    book.worksheets[0].row_dimensions[3].hidden = True
    book.save(tmp_path / "a.xlsx")
    deals, findings = read(tmp_path / "a.xlsx")
    assert (deals, "row-unclear" in {rule for rule, *_ in findings}) == ([], True)
    (tmp_path / "columns.toml").write_text(f"deals = [{line}]", "utf-8")
    assert (len(read(tmp_path / "a.xlsx")[0]), read(tmp_path / "a.xlsx")[1]) == (3, [])


@pytest.mark.parametrize("changed", [{"sheet_state": "hidden"}, {"title": "Muster 2026"}])
def test_a_worksheet_that_is_hidden_or_shows_how_to_fill_it_in_is_asked_about(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    book = workbook([HEAD, *ROWS], [HEAD, *ROWS[:2]])
    for key, value in changed.items():
        setattr(book.worksheets[1], key, value)
    book.save(tmp_path / "a.xlsx")
    deals, findings = read(tmp_path / "a.xlsx")
    assert (len(deals), [(rule, line) for rule, line, _ in findings]) == (4, [("row-unclear", 1)])
    (tmp_path / "columns.toml").write_text(f'skip_sheets = ["{book.worksheets[1].title}"]', "utf-8")
    deals, findings = read(tmp_path / "a.xlsx")
    assert (len(deals), findings) == (4, [])


def test_a_sum_with_other_words_behind_it_is_no_deal(tmp_path: Path) -> None:
    lines = (FOLDER / "sum-of-the-evening.csv").read_text("utf-8").splitlines()[:4]
    for label in ("Summe Abend", "Gesamt 13.11.", "Zwischenstand nach 3", "Total of the evening"):
        path = tmp_path / "sheet.csv"
        path.write_text("\n".join([*lines, f";{label};;;;20;-220;20;180"]), "utf-8")
        deals, findings = read(path)
        assert (len(deals), findings) == (3, [])
        assert deals[2].stated.totals == (20, -220, 20, 180)


def test_an_evening_is_not_read_twice_whatever_its_date_order_and_kind(tmp_path: Path) -> None:
    deals, findings = read(BROKEN / "evening-twice")
    assert (len(deals), [rule for rule, _, _ in findings]) == (4, ["evening-twice"])
    (tmp_path / "a.xlsx").write_bytes(as_workbook([HEAD, *ROWS]))
    deals, findings = read(BROKEN / "evening-twice" / "evening.csv", tmp_path / "a.xlsx")
    assert (len(deals), findings) == (4, [("evening-twice", 1, "")])
    (tmp_path / "b.xlsx").write_bytes(as_workbook([HEAD, *ROWS], [HEAD, *reversed(ROWS)]))
    assert len(read(tmp_path / "b.xlsx")[0]) == 4


def test_a_copy_of_a_file_is_known_by_its_bytes(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes((BROKEN / "evening-twice" / "evening.csv").read_bytes())
    assert read(tmp_path)[1] == []


def test_an_evening_like_another_is_read(tmp_path: Path) -> None:
    wenz = [["2", "Wenz", "Ben", "", -50, 150, -50, -50], ["4", "Wenz", "Anna", "", 150, -50, -50, -50]]
    other = [ROWS[0], wenz[0], ROWS[2], wenz[1]]
    (tmp_path / "a.xlsx").write_bytes(as_workbook([HEAD, *ROWS], [HEAD, *other]))
    deals, findings = read(tmp_path / "a.xlsx")
    assert (len(deals), findings) == (8, [])


def test_an_overview_of_the_evenings_is_no_evening(tmp_path: Path) -> None:
    deals, findings = read(BROKEN / "sheet-passed-over.xlsx")
    assert (len(deals), [rule for rule, _, _ in findings]) == (6, ["sheet-passed-over"])
    overview = [["Abend", "Anna", "Ben", "Cem", "Dora"], ["13.11.2026", 40, -200, 0, 160]]
    (tmp_path / "a.xlsx").write_bytes(as_workbook([HEAD, *ROWS], overview))
    deals, findings = read(tmp_path / "a.xlsx")
    assert (len(deals), [each[:2] for each in findings]) == (4, [("row-unclear", 2)])


@pytest.mark.parametrize(("answer", "count"), [("deals = [5]", 5), ("not_deals = [5]", 4)])
def test_a_question_is_answered_by_the_file_beside_the_sheet(tmp_path: Path, answer: str, count: int) -> None:
    (tmp_path / "sheet.csv").write_bytes((FOLDER / "cents-among-euros.csv").read_bytes())
    (tmp_path / "columns.toml").write_text(answer, "utf-8")
    deals, findings = read(tmp_path / "sheet.csv")
    assert (len(deals), findings) == (count, [])


def test_what_only_one_party_was_paid_is_completed_and_that_is_said(tmp_path: Path) -> None:
    rows = [
        ";".join(["Spiel", "Spieler", "Mitspieler", "Ergebnis", "Anna", "Ben", "Cem", "Dora"]),
        "Sauspiel auf die Alte;Anna;Cem;gewonnen;20;;20;", "Sauspiel auf die Alte;Anna;Cem;verloren;;20;;20",
        "Herz-Solo;Ben;;gewonnen;;150;;", "Wenz;Dora;;verloren;50;50;50;", "Wenz;Dora;;verloren;;;;-150",
        "Sauspiel auf die Alte;Anna;Cem;gewonnen;20;;;", "Ramsch;Dora;;;;;;-60",
    ]  # fmt: skip
    (tmp_path / "sheet.csv").write_text("\n".join(rows), "utf-8")
    deals, findings = read(tmp_path / "sheet.csv")
    assert findings == []
    assert [deal.stated and deal.stated.payments for deal in deals] == [
        (20, -20, 20, -20), (-20, 20, -20, 20), (-50, 150, -50, -50), (50, 50, 50, -150), (50, 50, 50, -150),
        (20, -20, 20, -20), (20, 20, 20, -60),
    ]  # fmt: skip
    assert all(any(text.startswith("stated.payments: ") for text in deal.inferred or ()) for deal in deals)


def test_a_formula_without_its_value_leaves_no_trace_in_texts(tmp_path: Path) -> None:
    table = [["Abend", "=A9"], HEAD, *ROWS, ["", "Summe", "", "", "=SUM(E3:E6)", "", "", ""]]
    (tmp_path / "a.xlsx").write_bytes(as_workbook(table))
    sessions, *_ = read_all(tmp_path / "a.xlsx")
    assert "\0" not in repr([(each.note, each.x) for each in sessions]).replace("\\x00", "\0")


def test_an_evening_that_the_archive_has_from_another_file_is_not_stored_twice(tmp_path: Path) -> None:
    sheet = BROKEN / "evening-twice" / "evening.csv"
    (tmp_path / "a.csv").write_bytes(sheet.read_bytes())
    lines = sheet.read_text("utf-8").splitlines()
    (tmp_path / "b.csv").write_text("\n".join(["Am 1.2.2026", *lines]), "utf-8")
    db = ["--db", str(tmp_path / "archive.db"), "--lang", "en"]
    assert run("import", *db, tmp_path / "a.csv").exit_code == 0
    for words in (["--preview"], []):
        result = run("import", *words, *db, tmp_path / "b.csv")
        assert result.exit_code == 1
        assert "session 1 of the archive" in result.stdout
    assert "4 known" in run("import", *db, tmp_path / "a.csv").stderr
    (tmp_path / "b.columns.toml").write_text("deals = [3]", "utf-8")
    assert "4 deals added" in run("import", *db, tmp_path / "b.csv").stderr


# --- traps of more sheets ---------------------------------------------------------------------------------------------


def read_rows(folder: Path, *rows: str) -> tuple[list[Session], list[Deal], Asked]:
    (folder / "sheet.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return read_all(folder / "sheet.csv")


PLAIN = "Nr;Spiel;Spieler;Mitspieler;Anna;Ben;Cem;Dora"
WENZ, SOLO = "1;Wenz;Dora;;-50;-50;-50;150", "2;Herz-Solo;Ben;;50;-150;50;50"


@pytest.mark.parametrize(
    ("row", "line"),
    [
        *((f"{label};0;-200;0;200", "1 sum") for label in (";Zw.-Summe;;", ";;Summe;", "Ergebnis;;;")),
        ("Summe;;;;0;-2,00 €;0;2,00 €", "1 with averages, pauses or a day"),
        (";Durchschnitt;;;0;-66,67;0;66,67", "1 with averages, pauses or a day"),
        (";Pause;;;;;;", "1 with averages, pauses or a day"),
    ],
)
def test_rows_of_sums_averages_and_pauses_are_no_deals_and_change_no_unit(tmp_path: Path, row: str, line: str) -> None:
    (session,), deals, asked = read_rows(tmp_path, PLAIN, WENZ, SOLO, row)
    assert (len(deals), asked, session.unit) == (2, [], None)
    assert any(f"{line} (line 4)" in text for text in session.inferred or () if isinstance(text, str))


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        *(
            ((f"{PLAIN};Bemerkung", f"{WENZ};", f"{SOLO};{note}"), (3, question))
            for note, question in (
                ("Storno", "void-note"), ("gilt nicht, vergeben", "void-note"), ("Emil spielt jetzt mit", "stand-in"),
                ("Kontra vergessen – ungültig", "void-note"), ("Schwarz gegeben und ungültig", "void-note"),
            )
        ),
        (("Nr;Spiel;Spieler;Anna;Ben;Cem;Cem", "1;Wenz;Ben;-50;150;-50;-50"), (1, "head-twice")),
        (("Datum;Anna;Ben;Cem;Dora", "13.11.2026;120;-260;120;20", "20.11.2026;-40;310;-90;-180"),
         (1, "sums-of-evenings")),
        (("Datum;Anna;Ben;Cem;Dora", "13.11.2026;-50;-50;-50;150", "13.11.2026;-50;150;-50;-50",
          "13.11.2026;120;-260;120;20"), (4, "no-single-deal")),
        (("Name;1;2;3;Summe", "Anna;20;50;-50;20", "Ben;-20;-150;-50;-220", "Cem;20;50;-50;20", "Dora;-20;50;150;180"),
         (1, "deals-as-columns")),
        (("Datum;Spiel;Spieler;Anna;Ben;Cem;Dora", "13.11.2026;Wenz;Dora;-50;-50;-50;150",
          "13.11.2062;Wenz;Anna;150;-50;-50;-50", "13.11.2026;Wenz;Ben;-50;150;-50;-50"), (3, "stray-date")),
    ],
)  # fmt: skip
def test_what_a_sheet_may_not_mean_is_asked_about(
    tmp_path: Path, rows: tuple[str, ...], question: tuple[int, str]
) -> None:
    _, _, asked = read_rows(tmp_path, *rows)
    assert [(line, id) for _, line, id in asked] == [question]


@pytest.mark.parametrize("note", ["Re gilt nicht", "Kontra Ben, Re von Anna zählt nicht", "Laufende ungültig"])
def test_a_note_that_denies_a_fact_leaves_the_row_a_deal(tmp_path: Path, note: str) -> None:
    _, deals, asked = read_rows(tmp_path, f"{PLAIN};Bemerkung", f"{WENZ};", f"{SOLO};{note}")
    assert (len(deals), asked) == (2, [])


@pytest.mark.parametrize(
    ("head", "cells"),
    [("Einsatz", ("50", "50")), ("Minuten", "69"), ("Kasse", ("", "10")), ("Trinkgeld", "55"), ("Emil", "00")],
)
def test_a_column_of_amounts_that_is_no_players_is_not_one(tmp_path: Path, head: str, cells: tuple[str, str]) -> None:
    rows = [f"{row};{cell}" for row, cell in zip((WENZ, SOLO), cells, strict=True)]
    (session,), deals, asked = read_rows(tmp_path, f"{PLAIN};{head}", *rows)
    assert session.players == ("Anna", "Ben", "Cem", "Dora")
    assert ([each.x for each in deals], [rule for rule, _, _ in asked]) == (
        [{head: cell} if cell else None for cell in cells], ["unknown-column"],
    )  # fmt: skip


def test_who_sits_out_of_a_larger_club_may_have_a_zero(tmp_path: Path) -> None:
    rows = (f"{PLAIN};Emil", f"{WENZ};0", "2;Herz-Solo;Emil;;0;50;50;50;-150")
    _, deals, _ = read_rows(tmp_path, *rows)
    assert [each.sits_out for each in deals] == [(4,), (0,)]


def test_evenings_go_by_the_days_between_the_rows_and_a_night_belongs_to_the_day_before(tmp_path: Path) -> None:
    rows = ("Abend vom 13.11.2026", PLAIN, WENZ, "Freitag, 20.11.2026;;;;;;;", WENZ, SOLO)
    sessions, deals, asked = read_rows(tmp_path, *rows)
    assert ([each.date for each in sessions], len(deals), asked) == (["2026-11-13", "2026-11-20"], 3, [])
    rows = ("Datum;Spiel;Spieler;Anna;Ben;Cem;Dora", *(f"{at};Wenz;Dora;-50;-50;-50;150" for at in (
        "13.11.2026 22:10", "14.11.2026 00:30", "14.11.2026 20:00")))  # fmt: skip
    sessions, _, _ = read_rows(tmp_path, *rows)
    assert [each.date for each in sessions] == ["2026-11-13", "2026-11-14"]


def test_days_without_a_year_that_go_over_its_end_have_no_year(tmp_path: Path) -> None:
    rows = (f"{at};Wenz;Dora;-50;-50;-50;150" for at in ("27.12.2026", "3.1."))
    sessions, _, _ = read_rows(tmp_path, "Datum;Spiel;Spieler;Anna;Ben;Cem;Dora", *rows)
    assert [each.date for each in sessions] == ["2026-12-27", None]


@pytest.mark.parametrize(
    ("tariff", "expected"), [("10/20/50",) * 2, ("10/10/50",) * 2, ("12/12/20",) * 2, ("05.10.1950", "unknown")]
)
def test_a_tariff_above_the_rows_is_that_of_the_table_and_no_date(tmp_path: Path, tariff: str, expected: str) -> None:
    (session,), _, _ = read_rows(tmp_path, f"Tarif {tariff}", PLAIN, WENZ)
    assert (session.date, (session.house or {})["tariff"]) == (None, expected)


@pytest.mark.parametrize(
    ("number_format", "unit", "count"),
    [
        *((each, "ct", 4) for each in ('0 "ct"', '0.00 "EUR"', "0.00 [$€-407]")),
        *((each, None, 0) for each in ("[$$-409]0.00", "0%")),
    ],
)
def test_the_unit_of_a_number_format_is_that_of_the_amounts(
    tmp_path: Path, number_format: str, unit: str | None, count: int
) -> None:
    book = workbook([HEAD, *ROWS])
    for row in book.worksheets[0].iter_rows(min_row=2, min_col=5):
        for cell in row:
            cell.number_format = number_format
    book.save(tmp_path / "a.xlsx")
    sessions, deals, _ = read_all(tmp_path / "a.xlsx")
    assert (len(deals), [each.unit for each in sessions]) == (count, [unit])


def test_comments_hidden_columns_and_cells_over_several_rows_of_a_workbook_count(tmp_path: Path) -> None:
    book = workbook([HEAD, *ROWS])
    sheet = book.worksheets[0]
    sheet["E2"].comment = Comment("es waren 50", "Anna")
    sheet["E5"].comment = Comment("zählt nicht", "Anna")
    sheet["C4"].value = None
    sheet.merge_cells("C3:C4")  # who declares twice
    book.save(tmp_path / "a.xlsx")
    deals, asked = read(tmp_path / "a.xlsx")
    assert [each.game.declarer for each in deals if each.game] == [0, 1, 1]
    assert (deals[0].x, asked) == ({"Anna (comment)": "es waren 50"}, [("row-unclear", 5, "on-sheet")])
    sheet.merge_cells("E2:E3")
    book.save(tmp_path / "a.xlsx")
    assert [line for _, line, _ in read(tmp_path / "a.xlsx")[1]] == [2, 3, 5]
    sheet.column_dimensions["F"].hidden = True
    book.save(tmp_path / "a.xlsx")
    deals, asked = read(tmp_path / "a.xlsx")
    assert (deals, [each[:2] for each in asked]) == ([], [("row-unclear", 1)])


ENCODED = "Nr|Spiel|Spieler|Mitspieler|Jürgen|Ben|Cem|Dora\n1|Wenz|Ben||-50|150|-50|-50\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8", "cp1252", "twice", "twice latin-1"])
def test_a_sheet_between_pipes_is_read_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "sheet.csv"
    once, _, named = encoding.partition(" ")
    again = ENCODED.replace("-50", "\u221250").encode().decode(named or "cp1252", "ignore").encode()
    path.write_bytes(again if once == "twice" else ENCODED.encode(encoding))
    sessions, deals, _ = read_all(path)
    assert [deal.stated and deal.stated.payments for deal in deals] == [(-50, 150, -50, -50)]
    assert [each.players for each in sessions] == [("Jürgen", "Ben", "Cem", "Dora")]


@pytest.mark.parametrize("encoding", ["mac-roman", "cp850"])
@pytest.mark.parametrize("name", ["Jürgen", "Bärbel"])
def test_letters_of_an_old_program_are_asked_about_and_no_name_is_misread(
    tmp_path: Path, encoding: str, name: str
) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(ENCODED.replace("|", ";").replace("Jürgen", name).encode(encoding))
    assert read(path) == ([], [("sheet-unreadable", 1, "old-letters")])


@pytest.mark.parametrize("sign", "\u00ad\u200b\u200e\u2068\ufeff")
def test_a_sign_without_a_width_is_no_part_of_a_cell(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(ENCODED.replace("en", f"en{sign}").replace("|", f"|{sign}"), "utf-8")
    assert ([deal.stated and deal.stated.payments for deal in read(path)[0]]) == [(-50, 150, -50, -50)]


@pytest.mark.parametrize("head", ["", "13.11.2026"])
def test_a_column_of_games_without_a_head_is_that_of_the_game(head: str, tmp_path: Path) -> None:
    rows = ["Sau E;1;-1;1;-1", "Herz Solo;-3;9;-3;-3", "Sau S;-1;1;-1;1", "Wenz;5;5;5;-15"]
    (session,), deals, findings = read_rows(tmp_path, f"{head};Hans;Fritz;Karl;Willi", *rows)
    assert [deal.game and (deal.game.contract, deal.game.suit) for deal in deals] == [
        ("rufspiel", "E"), ("solo", "H"), ("rufspiel", "S"), ("wenz", None),
    ]  # fmt: skip
    assert (findings, session.date) == ([], "2026-11-13" if head else None)


@pytest.mark.parametrize(
    ("name", "rows", "payments"),
    [
        # turned, with a deal that nobody played
        ("sheet.csv", ("Name;Spiel 1;Spiel 2;Spiel 3;Spiel 4", "Hans;+20;0;-60;+50", "Fritz;-20;0;+180;+50",
                       "Karl;+20;0;-60;-150", "Willi;-20;0;-60;+50"),
         [(20, -20, 20, -20), (0, 0, 0, 0), (-60, 180, -60, -60), (50, 50, -150, 50)]),
        # between strokes: a column of players makes no list of players
        ("note.txt", ("Datum: 13.11.2026", "| Nr | Spiel | Spieler | Hans | Fritz | Karl | Willi |",
                      "|----|----|----|----|----|----|----|", "| 1 | Ruf Eichel | Hans + Karl | 20 | -20 | 20 | -20 |",
                      "| 2 | Ramsch | Willi | 20 | 20 | 20 | -60 |"), [(20, -20, 20, -20), (20, 20, 20, -60)]),
        # of two readers that claim it, the one that understands it
        ("a.txt", ("Spieler:    Hans     Fritz    Karl     Willi",
                   "Spiel 1     +20      -20      +20      -20", "Spiel 2     -60      +180     -60      -60"),
         [(20, -20, 20, -20), (-60, 180, -60, -60)]),
    ],
)  # fmt: skip
def test_a_table_in_a_text_is_read_as_it_is_meant(
    name: str, rows: tuple[str, ...], payments: list[tuple[int, ...]], tmp_path: Path
) -> None:
    (tmp_path / name).write_text("\n".join(rows), "utf-8")
    deals, findings = read(tmp_path / name)
    assert ([deal.stated and deal.stated.payments for deal in deals], findings) == (payments, [])


def test_a_table_of_standings_below_typed_lines_is_no_sheet(tmp_path: Path) -> None:
    lines = [
        "1. Hans Sauspiel Eichel mit Karl, gewonnen, 67",
        "2. Fritz **Herz-Solo**, verloren, 44",
        "3. *alle weiter*",
    ]
    below = ["## Stand", "| Hans | Fritz | Karl | Willi |", "|---|---|---|---|", "| 10 | 210 | -130 | -90 |"]
    (tmp_path / "b.md").write_text("\n".join(("Spieler: Hans, Fritz, Karl, Willi", *lines, *below)), "utf-8")
    deals, findings = read(tmp_path / "b.md")
    assert [deal.stated and deal.stated.points for deal in deals] == [67, 44, None]
    assert [rule for rule, *_ in findings] == ["lines-without-deal"]
