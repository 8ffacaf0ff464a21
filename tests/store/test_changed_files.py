"""A changed file imported again: the archive holds what the file holds, and what hangs on a deal stays with it."""

import io
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import openpyxl
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.paths import ROOT
from support.running import run
from support.thorough import THOROUGH, examples

from archive.cli.doctor import read_file
from archive.notation import write_line, write_toml
from archive.record import Correction, Deal, Game, Ruling, Session, Source, Stated
from archive.store import correct, open_archive, open_read
from archive.store.file_states import is_another
from archive.store.load import session_rows
from archive.store.ruling import rule_on_deal
from archive.store.wholeness import find_damage
from importers import netschafkopf

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
SAMPLE = (ROOT / "sample_games" / "valid" / "netschafkopf.txt").read_bytes()
ITEMS = list(netschafkopf.read(SAMPLE, Source("log.txt")))
LOGGED = [each for each in ITEMS if isinstance(each, Deal)][:6]
LOG_HEAD = next(each for each in ITEMS if isinstance(each, Session))
HEAD = "Abend 13.11.2026, Tarif 20/50"
WORDS = {"rufspiel": "Sauspiel", "wenz": "Wenz"}

Sheet = list[tuple[int | None, Deal]]  # the number that a row has, and its deal


def plain(contract: str, declarer: int, partner: int | None, amount: int) -> Deal:
    """A deal without cards that is decided, as a row of a score sheet has it."""
    with_declarer = {declarer} if partner is None else {declarer, partner}
    each = amount if partner is not None else 3 * amount
    paid = tuple(each if seat in with_declarer else -amount for seat in range(4))
    return Deal(game=Game(contract, declarer), partner=partner, stated=Stated(won=amount > 0, payments=paid))


PLAIN = [
    plain("rufspiel", 0, 2, 20), plain("wenz", 3, None, 50), plain("wenz", 1, None, 50), plain("wenz", 0, None, 50),
    plain("rufspiel", 0, 3, 20), plain("rufspiel", 1, 2, -20),
]  # fmt: skip
CARDS = [
    replace(deal, source=None, no=None, stated=replace(deal.stated, totals=None)) for deal in LOGGED if deal.stated
]
MORE = {False: [plain("wenz", 2, None, 50), plain("rufspiel", 2, 3, 20)], True: CARDS[4:]}


# --- formats ----------------------------------------------------------------------------------------------------------


def table(sheet: Sheet) -> list[list[Any]]:
    rows: list[list[Any]] = [[HEAD], ["Nr", "Spiel", "Spieler", "Mitspieler", "gewonnen", *PLAYERS]]
    for number, deal in sheet:
        assert deal.game.declarer is not None
        assert deal.stated.payments
        partner = "" if deal.partner is None else PLAYERS[deal.partner]
        game = [number, WORDS[deal.game.contract], PLAYERS[deal.game.declarer], partner]
        rows.append([*game, "ja" if deal.stated.won else "nein", *deal.stated.payments])
    return rows


def as_csv(sheet: Sheet) -> bytes:
    rows = [["" if cell is None else str(cell) for cell in row] for row in table(sheet)]
    return "".join(";".join(row) + "\n" for row in rows).encode()


def as_xlsx(sheet: Sheet) -> bytes:
    workbook, file = openpyxl.Workbook(), io.BytesIO()
    page = workbook.create_sheet("Abend", 0)
    for row in table(sheet):
        page.append(row)
    workbook.save(file)
    return file.getvalue()


def head_of(sheet: Sheet) -> Session:
    if any(deal.tricks for _, deal in sheet):
        return replace(LOG_HEAD, source=None)
    return Session(players=PLAYERS, rules="pub", date="2026-11-13", unit="ct", house={"tariff": "20/50"})


def as_toml(sheet: Sheet) -> bytes:
    return write_toml(head_of(sheet), [replace(deal, no=number) for number, deal in sheet]).encode()


def as_lines(sheet: Sheet) -> bytes:
    return b"".join(write_line(head_of(sheet), replace(deal, no=number)) + b"\n" for number, deal in sheet)


Writer = Callable[[Sheet], bytes]
FORMATS: dict[str, tuple[str, Writer]] = {
    "csv": ("evening.csv", as_csv),
    "xlsx": ("evening.xlsx", as_xlsx),
    "toml": ("evening.toml", as_toml),
    "lines": ("evening.jsonl", as_lines),
}
KINDS = [*((name, False) for name in FORMATS), ("toml", True), ("lines", True)]
MANY = ("csv", False), ("toml", True), ("lines", True)  # kinds of which every edit is tried in every run
FEW = "a deal is taken out", "a deal is put in the middle"
SOME = (*FEW, "a deal is put in first", "two deals are exchanged", "all are renumbered", "the order is turned round")


# --- edits ------------------------------------------------------------------------------------------------------------


def numbered(deals: list[Deal]) -> Sheet:
    return list(enumerate(deals, 1))


def corrected(deal: Deal) -> Deal:
    stated = deal.stated
    if stated.payments is None:
        return replace(deal, stated=replace(stated, points_against=(stated.points_against or 0) + 1))
    return replace(deal, stated=replace(stated, payments=tuple(2 * (each or 0) for each in stated.payments)))


Edit = Callable[[list[Deal], list[Deal]], Sheet]
EDITS: dict[str, Edit] = {
    "a deal is taken out": lambda deals, more: [row for row in numbered(deals) if row[0] != 3],
    "a deal is taken out, the rest renumbered": lambda deals, more: numbered(deals[:2] + deals[3:]),
    "the first is taken out, the rest renumbered": lambda deals, more: numbered(deals[1:]),
    "a deal is put in first": lambda deals, more: numbered([more[0], *deals]),
    "a deal is put in the middle": lambda deals, more: numbered([*deals[:2], more[0], *deals[2:]]),
    "a deal is put at the end": lambda deals, more: numbered([*deals, more[0]]),
    "two are put at both ends": lambda deals, more: numbered([more[1], *deals, more[0]]),
    "two deals are exchanged": lambda deals, more: numbered([deals[0], deals[2], deals[1], *deals[3:]]),
    "a deal is there twice": lambda deals, more: numbered([*deals[:2], deals[1], *deals[2:]]),
    "a deal is corrected": lambda deals, more: numbered([deals[0], corrected(deals[1]), *deals[2:]]),
    "one is corrected, one taken out": lambda deals, more: numbered([corrected(deals[0]), deals[1], *deals[3:]]),
    "all are renumbered": lambda deals, more: list(enumerate(deals, 11)),
    "numbers are taken away": lambda deals, more: [(None, deal) for deal in deals],
    "the order is turned round": lambda deals, more: numbered(deals[::-1]),
    "nothing": lambda deals, more: numbered(deals),
}


class Firsts(Protocol):
    """The archive with the first state of a file, and with what is hung on a deal of it; made once, to be copied."""

    def __call__(self, name: str, data: bytes, hung: int | None = None, /) -> Path: ...


@pytest.fixture(scope="module")
def firsts(tmp_path_factory: pytest.TempPathFactory) -> Firsts:
    @cache
    def make(name: str, data: bytes, hung: int | None = None) -> Path:
        folder = tmp_path_factory.mktemp("first")
        db = folder / "archive.db"
        import_as(db, folder, name, data)
        if hung:
            hang(db, hung)
        return db

    return make


def import_as(db: Path, folder: Path, name: str, data: bytes, *words: str) -> Result:
    """Imports bytes as a file of this name, wherever the folder is."""
    (folder / name).write_bytes(data)
    with chdir(folder):
        return run("import", name, "--db", str(db), *words)


def state(conn: sqlite3.Connection) -> dict[str, Any]:
    """What an archive holds, without the numbers of deals."""
    sessions = [row[0] for row in conn.execute("SELECT DISTINCT session_id FROM deals ORDER BY session_id")]
    deals = [
        {key: value for key, value in row.items() if key not in ("deal", "viewer", "ledger", "rulings", "session")}
        | {"paid": [(each["seat"], each["player"], each["payment"], each["total"]) for each in row["ledger"]]}
        for session in sessions
        for row in session_rows(conn, session)
    ]
    sums = {
        view: sorted(map(tuple, conn.execute(f"SELECT * FROM {view}")), key=repr)
        for view in ("player_results", "runner_stats")
    }
    return {"deals": deals, **sums}


def contents(conn: sqlite3.Connection) -> dict[int, tuple[Any, ...]]:
    """What was played and paid in each deal, by its number in the archive."""
    sql = """SELECT d.id, d.contract, d.declarer, d.partner, st.payments, (SELECT group_concat(cards, '/') FROM tricks
        WHERE deal_id = d.id) FROM deals d LEFT JOIN stated st ON st.deal_id = d.id"""
    return {row[0]: tuple(row[1:]) for row in conn.execute(sql)}


def assert_as_new(db: Path, folder: Path, name: str, data: bytes, is_whole: bool = True) -> None:
    """The archive holds what an import of the file alone would hold, and is whole, where that is looked at."""
    (folder / "new").mkdir(exist_ok=True)
    fresh = folder / "new" / "new.db"
    fresh.unlink(missing_ok=True)
    import_as(fresh, folder / "new", name, data)
    with open_read(db) as conn, open_read(fresh) as other:
        assert state(conn) == state(other)
        assert not is_whole or list(find_damage(conn, read_file)) == []


TRIED = [(*kind, edit) for kind in KINDS for edit in EDITS if THOROUGH or kind in MANY or edit in FEW]


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("kind", "with_cards", "edit"), TRIED)
def test_the_archive_holds_what_the_changed_file_holds(
    kind: str, with_cards: bool, edit: str, firsts: Firsts, tmp_path: Path
) -> None:
    name, write = FORMATS[kind]
    deals, more, db = (CARDS[:4] if with_cards else PLAIN), MORE[with_cards], tmp_path / "archive.db"
    shutil.copy(firsts(name, write(numbered(deals))), db)
    with open_read(db) as conn:
        before = contents(conn)
    data = write(EDITS[edit](deals, more))
    rehearses = kind == "csv" and (THOROUGH or edit in FEW)
    rehearsed = import_as(db, tmp_path, name, data, "--dry-run") if rehearses else None
    done = import_as(db, tmp_path, name, data)
    assert rehearsed is None or rehearsed.stdout == done.stdout, "it is said before"
    assert_as_new(db, tmp_path, name, data, is_whole=kind == "csv" or with_cards)
    with open_read(db) as conn:
        after = contents(conn)
        assert (
            not conn.execute("SELECT 1 FROM findings WHERE rule = 'record-changed'").fetchone() or "corrected" in edit
        )
    for deal, content in before.items():
        if list(before.values()).count(content) == 1 and content in after.values():
            assert after.get(deal) == content, "a deal keeps its number"
    assert done.stdout.count(": deal-gone ") == len(before.keys() - after.keys())


# --- what hangs on a deal ---------------------------------------------------------------------------------------------


def hang(db: Path, deal: int) -> None:
    """A ruling, a correction and a case of a deal."""
    archive = open_archive(db)
    rule_on_deal(archive, deal, Ruling("Emil", "2026-11-20", "agreed", (0, 0, 0, 0), "house"))
    correct(archive, deal, Correction("Emil", "2026-11-20", "late", {"note": "late"}))
    archive.close()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("edit", EDITS if THOROUGH else SOME)
def test_rulings_and_corrections_follow_their_deal(edit: str, firsts: Firsts, tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    shutil.copy(firsts("evening.csv", as_csv(numbered(PLAIN)), 5), db)
    import_as(db, tmp_path, "evening.csv", as_csv(EDITS[edit](PLAIN, MORE[False])), "--gone", "withdraw")
    with open_read(db) as conn:
        ruled = conn.execute("SELECT declarer, partner, note FROM deals WHERE id = 5").fetchone()
        assert tuple(ruled) == (1, 4, "late")
        assert [row["deal"] for row in session_rows(conn, 1) if row["rulings"]] == [5]


def test_nothing_is_stored_where_something_hangs_on_a_deal_that_is_gone(tmp_path: Path) -> None:
    db, without = tmp_path / "archive.db", as_csv(EDITS["a deal is taken out"](PLAIN, []))
    import_as(db, tmp_path, "evening.csv", as_csv(numbered(PLAIN)))
    hang(db, 3)
    before = db.read_bytes()
    asked = import_as(db, tmp_path, "evening.csv", without)
    assert (asked.exit_code, db.read_bytes() == before) == (1, True)
    assert "import-held" in asked.stdout
    assert "number 3, Wenz, Anna 0, Ben 0, Cem 0, Dora 0" in asked.stdout
    stays = import_as(db, tmp_path, "evening.csv", without, "--gone", "keep")
    assert "deal-gone" not in stays.stdout
    with open_read(db) as conn:
        assert [row["deal"] for row in session_rows(conn, 1)] == [1, 2, 3, 4, 5, 6]
        assert list(find_damage(conn, read_file)) == []
    import_as(db, tmp_path, "evening.csv", without, "--gone", "withdraw")
    with open_read(db) as conn:
        assert [row["deal"] for row in session_rows(conn, 1)] == [1, 2, 4, 5, 6]
        assert conn.execute("SELECT count(*) FROM rulings WHERE deal_id = 3").fetchone()[0] == 1, "its history stays"


def test_a_deal_that_is_corrected_between_others_that_come_and_go_is_not_taken_for_them(tmp_path: Path) -> None:
    """As many deals are left on both sides, and only the middle one is the same."""
    db = tmp_path / "archive.db"
    import_as(db, tmp_path, "evening.csv", as_csv(numbered(PLAIN[3:])))
    later = [PLAIN[3], corrected(PLAIN[5]), plain("wenz", 1, None, 60)]
    hang(db, 3)
    done = import_as(db, tmp_path, "evening.csv", as_csv(numbered(later)))
    assert ("1 gone" in done.stderr, "number 2, Rufspiel" in done.stdout) == (True, True), done.output
    assert "Game:" not in done.stdout, "no game was changed"
    with open_read(db) as conn:
        assert [row["deal"] for row in session_rows(conn, 1)] == [1, 3, 4]
        assert conn.execute("SELECT note FROM deals WHERE id = 3").fetchone()[0] == "late"


QUITE_OTHER = {
    False: plain("rufspiel", 2, 1, 70),  # in the place of a Wenz of another, who was paid otherwise
    True: CARDS[5],
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_quite_different_deal_in_the_same_place_is_new_and_the_other_gone(
    kind: tuple[str, bool], firsts: Firsts, tmp_path: Path
) -> None:
    """A ruling stays with the deal that it is of."""
    (name, write), with_cards, db = FORMATS[kind[0]], kind[1], tmp_path / "archive.db"
    deals = CARDS[:4] if with_cards else PLAIN
    shutil.copy(firsts(name, write(numbered(deals)), 3), db)
    before, other = db.read_bytes(), write(numbered([*deals[:2], QUITE_OTHER[with_cards], *deals[3:]]))
    asked = import_as(db, tmp_path, name, other)
    assert (asked.exit_code, db.read_bytes() == before) == (1, True), asked.output
    assert "import-held" in asked.stdout
    done = import_as(db, tmp_path, name, other, "--gone", "withdraw")
    assert "1 gone" in done.stderr, done.output
    with open_read(db) as conn:
        rows = session_rows(conn, 1)
        assert [row["deal"] for row in rows] == [1, 2, len(deals) + 1, *range(4, len(deals) + 1)]
        assert not [row["deal"] for row in rows if row["rulings"]]
        assert conn.execute("SELECT deal_id FROM rulings").fetchall()[0][0] == 3
        assert not conn.execute("SELECT 1 FROM findings WHERE rule = 'record-changed'").fetchone()


ALIKE = {
    "the amounts": replace(PLAIN[2], stated=Stated(payments=(-60, 180, -60, -60))),
    "the declarer": plain("wenz", 2, None, 60),
    "the contract": replace(PLAIN[2], game=Game("solo", 1)),
    "the contract and the declarer": replace(PLAIN[2], game=Game("solo", 2)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("what", ALIKE)
def test_a_deal_of_which_something_stays_is_corrected(what: str, firsts: Firsts, tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    shutil.copy(firsts("evening.jsonl", as_lines(numbered(PLAIN)), 3), db)
    done = import_as(db, tmp_path, "evening.jsonl", as_lines(numbered([*PLAIN[:2], ALIKE[what], *PLAIN[3:]])))
    assert "gone" not in done.stderr, done.output
    assert "import-held" not in done.stdout, done.output
    with open_read(db) as conn:
        assert [row["deal"] for row in session_rows(conn, 1) if row["rulings"]] == [3]


def test_one_card_that_is_corrected_makes_no_other_deal() -> None:
    deal = CARDS[0]
    turned = replace(deal, tricks=(replace(deal.tricks[0], cards=deal.tricks[0].cards[::-1]), *deal.tricks[1:]))
    assert not is_another(deal, turned)
    assert is_another(deal, CARDS[1])


# --- other names, other states ----------------------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", FORMATS if THOROUGH else ["csv", "xlsx"])
@pytest.mark.parametrize("ends", ["a deal is put at the end", "two are put at both ends"][: 2 if THOROUGH else 1])
def test_a_second_download_is_the_same_evening_grown(kind: str, ends: str, firsts: Firsts, tmp_path: Path) -> None:
    name, write = FORMATS[kind]
    db, stem = tmp_path / "archive.db", Path(name).stem
    shutil.copy(firsts(name, write(numbered(PLAIN))), db)
    data = write(EDITS[ends](PLAIN, MORE[False]))
    again = import_as(db, tmp_path, name.replace(stem, f"{stem} (1)"), data)
    assert again.exit_code == 0, again.output
    assert ("6 known" in again.stderr, "evening-twice" in again.stdout) == (True, False)
    assert_as_new(db, tmp_path, name, data)


def test_another_file_of_the_same_name_takes_nothing_away(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    import_as(db, tmp_path, "deals.jsonl", as_lines(numbered(PLAIN)))
    other = as_lines(numbered(MORE[False])).replace(b"2026-11-13", b"2026-12-13").replace(b"Anna", b"Aysel")
    assert "2 deals added" in import_as(db, tmp_path, "deals.jsonl", other).stderr
    with open_read(db) as conn:
        assert conn.execute("SELECT count(*) FROM deals").fetchone()[0] == 8


def test_a_deal_that_a_copy_elsewhere_has_between_others_is_settled_in_its_session(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    for folder, deals in (("at the table", PLAIN[:3]), ("at home", [PLAIN[0], PLAIN[3]])):
        (tmp_path / folder).mkdir()
        import_as(db, tmp_path, f"{folder}/evening.toml", as_toml(numbered(deals)))
    with open_read(db) as conn:
        totals = conn.execute("SELECT total FROM seats WHERE deal_id = 4 ORDER BY seat").fetchall()
        assert [row[0] for row in totals] == [20 - 50 - 50 + 150, -20 - 50 + 150 - 50, 20 - 3 * 50, -20 + 150 - 2 * 50]
        assert not list(find_damage(conn, read_file))


def test_an_earlier_state_that_is_imported_again_is_the_state_of_the_archive(tmp_path: Path) -> None:
    db, first = tmp_path / "archive.db", as_csv(numbered(PLAIN))
    import_as(db, tmp_path, "evening.csv", first)
    import_as(db, tmp_path, "evening.csv", as_csv(EDITS["the order is turned round"](PLAIN[1:], [])))
    import_as(db, tmp_path, "evening.csv", first)
    assert_as_new(db, tmp_path, "evening.csv", first)


def test_a_later_state_that_is_taken_back_gives_its_place_to_the_earlier(tmp_path: Path) -> None:
    db, first = tmp_path / "archive.db", as_csv(numbered(PLAIN))
    import_as(db, tmp_path, "evening.csv", first)
    later = as_csv(EDITS["a deal is taken out, the rest renumbered"](PLAIN, []))
    import_as(db, tmp_path, "evening.csv", later)
    by = ("--by", "Emil", "--why", "mistake", "--db", str(db))
    assert run("import", "--undo", "2", *by).exit_code == 0
    assert_as_new(db, tmp_path, "evening.csv", first)
    assert run("import", "--redo", "2", *by).exit_code == 0
    assert_as_new(db, tmp_path, "evening.csv", later)


def test_an_archive_is_made_anew_in_the_same_state(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    import_as(db, tmp_path, "evening.csv", as_csv(numbered(PLAIN)))
    import_as(db, tmp_path, "evening.csv", as_csv(EDITS["a deal is put in the middle"](PLAIN[1:], MORE[False])))
    with open_read(db) as conn:
        before = state(conn), contents(conn)
    with sqlite3.connect(db) as conn:
        conn.execute("DELETE FROM seats")
    assert "is made anew" in run("doctor", "--rebuild", "--db", str(db)).output
    with open_read(db) as conn:
        assert (state(conn), contents(conn)) == before


@pytest.mark.one_in(4)
@pytest.mark.parametrize("at", ["insert_source", "match_states", "replace_states", "resettle_sessions"])
def test_an_import_that_is_killed_leaves_the_one_state_or_the_other(at: str, firsts: Firsts, tmp_path: Path) -> None:
    db, first = tmp_path / "archive.db", as_csv(numbered(PLAIN))
    shutil.copy(firsts("evening.csv", first), db)
    later = as_csv(EDITS["a deal is put in the middle"](PLAIN[1:], MORE[False]))
    (tmp_path / "evening.csv").write_bytes(later)
    child = f"""
import os, signal
from archive.cli import main
from archive.store import save
whole = save.{at}
def killed(*given):
    whole(*given)
    os.kill(os.getpid(), signal.SIGKILL)
save.{at} = killed
main(["import", "evening.csv", "--db", {str(db)!r}])
"""
    killed = subprocess.run([sys.executable, "-c", child], cwd=tmp_path, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert_as_new(db, tmp_path, "evening.csv", first)
    import_as(db, tmp_path, "evening.csv", later)
    assert_as_new(db, tmp_path, "evening.csv", later)


# --- any edits --------------------------------------------------------------------------------------------------------

KNOWN_DEALS = st.integers(0, 5).map(PLAIN.__getitem__) | st.integers(1, 9).map(lambda n: plain("wenz", 2, None, 10 * n))


@settings(max_examples=examples(2, 300), deadline=None)
@given(st.lists(st.lists(KNOWN_DEALS, min_size=1, max_size=7), min_size=2, max_size=4), st.booleans())
def test_any_edits_leave_the_state_of_the_last_file(
    tmp_path_factory: pytest.TempPathFactory, states: list[list[Deal]], with_numbers: bool
) -> None:
    """And a deal that is told once before and after is the same deal. Where the very bytes of an earlier state come
    again, they tell the deals that they told then."""
    folder = tmp_path_factory.mktemp("edits")
    db, last, unique = folder / "archive.db", b"", dict[tuple[Any, ...], int]()
    earlier: set[bytes] = set()
    for deals in states:
        last = as_lines([(number if with_numbers else None, deal) for number, deal in numbered(deals)])
        import_as(db, folder, "evening.jsonl", last)
        with open_read(db) as conn:
            now = contents(conn)
        once = {content: deal for deal, content in now.items() if list(now.values()).count(content) == 1}
        for content, deal in once.items() if last not in earlier else ():
            assert unique.get(content, deal) == deal
        earlier.add(last)
        unique = once
    assert_as_new(db, folder, "evening.jsonl", last)
