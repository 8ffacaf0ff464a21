"""The books of a session on one page: four people can add them up by hand, on the screen, on paper, in the terminal."""

import re
import sqlite3
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.running import run

from archive import generate
from archive.notation import write_toml
from archive.record import Deal, Game, Stated
from archive.resources import resource_dir
from archive.rules import bundled
from archive.store import first_break, open_read, session_row, session_rows, session_verdicts
from archive.text import session_sheet as session_sheets
from archive.text.session_sheet import AmountCell
from archive.web import app
from archive.web.session import routes as session_pages
from archive.web.texts import EN

T = EN | {"faces": "german"}


def stored(path: Path, head: Any, deals: list[Deal]) -> str:
    (path / "evening.toml").write_text(write_toml(head, deals), "utf-8")
    db = str(path / "a.db")
    run("import", str(path / "evening.toml"), "--db", db)
    return db


def sheet_of(db: str, limit: int = -1, start: int = 0) -> session_sheets.SessionSheet:
    conn = open_read(db)
    head = session_row(conn, 1)
    assert head
    rows, verdicts = session_rows(conn, 1, limit, start), session_verdicts(conn, 1)
    return session_sheets.session_sheet(head, rows, T, first_break(conn, 1), verdicts=verdicts, start=start)


def number(text: str) -> int:
    return int(text.replace("\u2212", "-") or 0)


def amounts(cells: tuple[AmountCell, ...]) -> list[int]:
    return [number(cell.text) for cell in cells]


def added(one: list[int], other: list[int]) -> list[int]:
    return [mine + more for mine, more in zip(one, other, strict=True)]


def evening(rules: str = "pub", count: int = 12, **more: Any) -> tuple[Any, list[Deal]]:
    head = generate.session(rules, **more)
    return head, list(generate.deals(Random(rules), head, count, ("totals",) if more.pop("state", True) else ()))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", bundled())
def test_every_line_of_the_sheet_adds_up(rules: str, tmp_path: Path) -> None:
    """Each deal to nothing with the pot, each total to the one before and the payment, the sums to the last totals."""
    head = generate.session(rules)
    db = stored(tmp_path, head, list(generate.deals(Random(rules), head, 10)))
    sheet = sheet_of(db)
    assert sheet.zero or sheet.tallied
    if sheet.tallied:
        return
    running = [0] * len(sheet.names)
    for entry in sheet.entries:
        assert (entry.rest, entry.off) == ("0", False)
        running = added(running, amounts(entry.payments))
        assert amounts(entry.totals) == running
        assert not any(cell.notes for cell in (*entry.payments, *entry.totals))
    assert amounts(sheet.sums) == amounts(sheet.totals) == running


def test_a_long_session_is_proved_page_by_page(tmp_path: Path) -> None:
    """What one page ends with the next brings forward, and its deals add up to what it ends with."""
    db = stored(tmp_path, *evening(count=23))
    pages = [sheet_of(db, 10, start) for start in (0, 10, 20)]
    assert [(page.first, len(page.entries), page.count) for page in pages] == [(1, 10, 23), (11, 10, 23), (21, 3, 23)]
    assert pages[0].brought == ()
    for before, page in pairwise(pages):
        assert page.brought == before.totals
        assert added(amounts(page.brought), amounts(page.sums)) == amounts(page.totals)
        assert page.verdicts == before.verdicts, "of the whole session"
    assert [entry.deal.number for page in pages for entry in page.entries] == list(range(1, 24))


def test_a_page_reads_no_more_rows_than_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = stored(tmp_path, *evening(count=23))
    assert len(session_rows(open_read(db), 1, 10, 20)) == 3
    monkeypatch.setattr(session_pages, "SHEET", 10)
    client = app.create_app(Path(db)).test_client()
    first, second = client.get("/sessions/1").text, client.get("/sessions/1?start=10").text
    assert T["brought"] not in first
    assert T["brought"] in second
    assert "start=10" in first
    assert 'rel="prev"' in second
    assert T["sum_part"].format(first=11, last=20, count=23) in second
    assert second.count("<tr") == first.count("<tr") + 1
    assert client.get("/sessions/1?start=999").status_code == 200


def broken_evening(tmp_path: Path) -> str:
    """Ben's total is written wrong in the third deal."""
    head, deals = evening(count=6)
    told = deals[2].stated
    wrong = (told.totals[0], (told.totals[1] or 0) + 7, *told.totals[2:])
    later = [replace(deal, stated=None) for deal in deals[3:]]
    return stored(tmp_path, head, [*deals[:2], replace(deals[2], stated=Stated(totals=wrong)), *later])


def test_stated_totals_stand_beside_and_the_first_break_is_marked_where_it_is(tmp_path: Path) -> None:
    db = broken_evening(tmp_path)
    sheet = sheet_of(db)
    assert [entry.breaks for entry in sheet.entries] == [False, False, True, False, False, False]
    third = sheet.entries[2].totals
    assert third[0].notes == ()
    assert [note.partition(" ")[0] for note in third[1].notes] == ["stated"]
    html = app.create_app(Path(db)).test_client().get("/sessions/1").text
    row = html.split('id="break"')[1]
    assert row.index("stated") < row.index(T["first_break"]) < row.index(">4<")
    result = run("audit", "ledger", "1", "--db", db)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("   3 "))
    assert "Ben stated" in lines[at + 1]
    assert T["first_break"] in lines[at + 2]


def test_what_is_only_stated_is_told_from_what_is_computed(tmp_path: Path) -> None:
    head = generate.session("bavarian")
    deals = [
        Deal(dealer=3, game=Game("solo", 1, suit="G"), stated=Stated(payments=(-50, 150, -50, -50))),
        Deal(game=Game("solo", 1, suit="G"), stated=Stated(payments=(-50, 150, -50, -40))),
    ]
    db = stored(tmp_path, head, deals)
    sheet = sheet_of(db)
    assert {cell.kind for cell in sheet.entries[0].payments} == {"said"}
    assert [(entry.rest, entry.off) for entry in sheet.entries] == [("0", False), ("+10", True)]
    assert [cell.text for cell in sheet.entries[0].totals][1] == "(+150)", "as it was surely paid, over an open deal"
    told = run("audit", "ledger", "1", "--db", db)
    assert "(+150)" in told.stdout
    assert told.exit_code == 1


def test_a_ruling_stands_where_it_was_made_and_in_the_sums(tmp_path: Path) -> None:
    db = stored(tmp_path, *evening(count=5))
    run("rule", "2", "--payments", "3, -3, 0, 0", "--by", "E", "--why", "so", "--cite", "so", "--db", db)
    sheet = sheet_of(db)
    notes = [[cell.notes for cell in (*entry.payments, *entry.totals)] for entry in sheet.entries]
    assert [any(map(any, each)) for each in notes] == [False, True, False, False, False]
    assert sheet.entries[1].payments[0].notes == ("ruled +3",)
    assert sheet.totals[0].notes[0].startswith("settled ")
    settled = sqlite3.connect(db).execute("SELECT settled_total FROM ledger WHERE deal = 5 ORDER BY seat").fetchall()
    assert number(sheet.totals[0].notes[0].removeprefix("settled ")) == settled[0][0]


def test_a_pot_stands_before_and_after_and_the_sums_with_it_are_nothing(tmp_path: Path) -> None:
    head = generate.session("bavarian", {"stock": {"amount": 10, "won_by": ["solo"]}})
    db = stored(tmp_path, head, [Deal(dealer=3, game=Game("none")), Deal(game=Game("none"))])
    sheet = sheet_of(db)
    assert [entry.rest for entry in sheet.entries] == ["0", "0"], "with what goes into the pot"
    assert (sheet.zero, sheet.pots) == (True, "pot +80")
    told = run("audit", "ledger", "1", "--db", db)
    assert "Stock 0 → 40" in told.stdout
    assert "Stock 40 → 80" in told.stdout
    assert told.exit_code == 0


@pytest.mark.parametrize("rules", ["pub", "bauernstoss", "three-hand", "expats"])
def test_the_ledger_fits_the_terminal(rules: str, tmp_path: Path) -> None:
    head = generate.session(rules)
    names = tuple(f"{name}-Alexandra" for name in head.players)
    head = replace(head, players=names)
    db = stored(tmp_path, head, list(generate.deals(Random(rules), head, 10)))
    for columns in (80, 100):
        told = run("audit", "ledger", "1", "--db", db, columns=columns)
        assert told.exit_code == 0, told.output
        assert max(map(len, told.stdout.splitlines())) <= columns


def test_six_at_the_table_fit_too(tmp_path: Path) -> None:
    names = ("Anna", "Ben", "Cem", "Dora", "Emil", "Franziska")
    head = generate.session("pub", players=names)
    db = stored(tmp_path, head, list(generate.deals(Random(2), head, 10)))
    told = run("audit", "ledger", "1", "--db", db)
    assert max(map(len, told.stdout.splitlines())) <= 80
    rows = sqlite3.connect(db).execute("SELECT total FROM ledger WHERE deal = 10 ORDER BY seat").fetchall()
    last = [number(each) for each in told.stdout.splitlines()[-2].split()]
    assert last == [row[0] for row in rows]


def test_no_such_session_is_a_sentence(tmp_path: Path) -> None:
    db = stored(tmp_path, *evening(count=2))
    result = run("audit", "ledger", "9", "--db", db)
    assert (result.exit_code, "no session 9" in result.stderr) == (2, True)


def test_a_session_whose_file_was_taken_back_has_no_books(tmp_path: Path) -> None:
    db = stored(tmp_path, *evening(count=2))
    run("import", "--undo", "1", "--by", "Anna", "--why", "a test", "--db", db)
    result = run("audit", "ledger", "1", "--db", db)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "0 deals")


def test_the_print_style_repeats_the_head_and_needs_no_colour() -> None:
    css = (resource_dir() / "static" / "ledger.css").read_text("utf-8")
    printed = css.split("@media print")[1]
    assert "table-header-group" in printed
    assert "size: A4" in printed
    assert {each.strip() for each in re.findall(r"(?<![-\w])color: ([^;}!]+)", printed)} == {"#000"}
    assert len(css) < 4 * 1024
