"""What hangs on a deal follows it into every later state of its file, and nothing counts of one that is gone.

An evening with cards is imported, one deal is ruled on, disputed, corrected, analysed; then the file loses its first
deal, gets another in the middle, and all are renumbered.
"""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from store.test_changed_files import CARDS, LOG_HEAD, as_lines, assert_as_new, hang, import_as, numbered, run

from archive.cli.doctor import read_file
from archive.store import analyses, open_archive, open_read
from archive.store.analyses import analyse_stored, deals_lacking
from archive.store.load import load_judgement
from archive.store.wholeness import find_damage
from archive.web.app import create_app

DEALS, NEW = CARDS[:4], CARDS[4]
BEFORE, AFTER = as_lines(numbered(DEALS)), as_lines(numbered([DEALS[1], NEW, *DEALS[2:]]))
GONE, HELD, MOVED, ADDED = 1, 2, 4, 5  # by their numbers in the archive
NAME, PLAYER = "evening.jsonl", LOG_HEAD.players[0]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive before the file is changed."""
    folder = tmp_path_factory.mktemp("before")
    db = folder / "archive.db"
    import_as(db, folder, NAME, BEFORE)
    hang(db, HELD)
    words = ("--claimant", PLAYER, "--text", "He revoked.", "--by", "Emil", "--db", str(db))
    opened = run("case", "open", str(HELD), *words)
    assert opened.exit_code == 0, opened.output
    analyse(db)
    return db


def copy_of(db: Path, folder: Path) -> Path:
    """A copy in a folder, with what an open connection still has in the file beside the archive."""
    path = folder / "archive.db"
    with closing(sqlite3.connect(db)) as conn, closing(sqlite3.connect(path)) as copy:
        conn.backup(copy)
    return path


def analyse(db: Path) -> list[int]:
    """Analyses what lacks it; the numbers of the deals of which no earlier analysis holds."""
    with closing(open_archive(db).conn) as conn, closing(open_read(db)) as reading:
        wanted = list(deals_lacking(reading, 0))
        done = [analyse_stored(reading, each, 0) for each in wanted]
        analyses.keep(conn, list(done), [])
    return [each.deal for each in done if each.row is not None]


@pytest.fixture(scope="module")
def after(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive after the changed file was imported."""
    folder = tmp_path_factory.mktemp("after")
    db = copy_of(before, folder)
    done = import_as(db, folder, NAME, AFTER)
    assert done.exit_code == 1
    assert "number 1" in next(line for line in done.stdout.splitlines() if ": deal-gone " in line)
    return db


def rows(db: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(open_read(db)) as conn:
        return [tuple(row) for row in conn.execute(sql)]


def test_rulings_corrections_and_cases_stay_with_their_deal(before: Path, after: Path) -> None:
    for table in ("rulings", "corrections", "cases", "case_entries"):
        assert rows(after, f"SELECT * FROM {table}") == rows(before, f"SELECT * FROM {table}") != []
    case = json.loads(run("case", "show", "1", "--json", "--db", str(after)).stdout)
    assert case["deal"] == HELD
    assert rows(after, f"SELECT number, note FROM deals WHERE id = {HELD}") == [(1, "late")]


@pytest.mark.parametrize("deal", [HELD, 3, MOVED])
def test_a_deal_has_its_page_and_its_cards_wherever_it_stands(deal: int, before: Path, after: Path) -> None:
    with closing(open_read(before)) as conn, closing(open_read(after)) as later:
        one, other = load_judgement(conn, deal), load_judgement(later, deal)
    assert (one.recorded.hands, one.recorded.tricks) == (other.recorded.hands, other.recorded.tricks)
    assert create_app(after).test_client().get(f"/deals/{deal}").status_code == 200


def test_a_deal_that_is_gone_has_its_history_and_counts_nowhere(after: Path) -> None:
    site = create_app(after).test_client()
    assert site.get(f"/deals/{GONE}").status_code == 404
    assert site.get(f"/api/v1/deals/{GONE}").status_code == 404
    tables = [row[0] for row in rows(after, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    kept = ("records", "copies", "rulings", "corrections", "cases", "deal_authors", "analyses", "decisions")
    of_deals = [
        table
        for table in tables
        if table not in kept and "deal_id" in {row[1] for row in rows(after, f"PRAGMA table_info('{table}')")}
    ]
    assert {"seats", "tricks", "findings", "stated"} <= {*of_deals}
    for table in of_deals:
        assert rows(after, f"SELECT count(*) FROM {table} WHERE deal_id = {GONE}") == [(0,)], table
    shown = run("show", str(GONE), "--db", str(after))
    assert (shown.exit_code, f"Deal {GONE} counts no more" in shown.output) == (0, True), shown.output
    told = json.loads(run("show", str(GONE), "--json", "--db", str(after)).stdout)
    assert (told["gone"], told["archive"]) == (True, GONE)
    by = ("--by", "R", "--why", "w")
    acts = (("rule", "--annul", "--cite", "c", *by), ("correct", "--set", "place=Hof", *by), ("export", "--html"))
    for words in (*acts, ("analyse",), *(("audit", each) for each in ("explain", "repair", "dossier"))):
        refused = run(*words, str(GONE), "--db", str(after))
        assert (refused.exit_code, f"deal {GONE} counts no more" in refused.stderr) == (2, True), words
    assert rows(after, "SELECT id FROM deals ORDER BY coalesce(position, id)") == [(HELD,), (ADDED,), (3,), (MOVED,)]


def test_analyses_stay_with_their_deal_and_only_the_new_one_lacks_it(before: Path, after: Path, tmp_path: Path) -> None:
    kept = f"SELECT deal_id, start, finish, amounts FROM analyses WHERE deal_id <> {GONE} ORDER BY deal_id"
    assert rows(after, kept) == rows(before, kept) != []
    with closing(open_read(after)) as conn:
        counted = analyses.count_analyses(conn)
    assert counted.valid + counted.stale + sum(counted.missing.values()) == 3
    assert analyse(copy_of(after, tmp_path)) == [ADDED]


def test_who_sees_an_evening_is_kept(before: Path, tmp_path: Path) -> None:
    db = copy_of(before, tmp_path)
    run("visibility", "set", "session", "1", "accounts", "--by", "Emil", "--db", str(db))
    import_as(db, tmp_path, NAME, AFTER)
    site = create_app(db).test_client()
    assert [site.get(f"/deals/{deal}").status_code for deal in (HELD, ADDED)] == [404, 404]
    listed = run("visibility", "list", "--db", str(db)).output
    assert "session" in listed
    assert rows(db, "SELECT DISTINCT session_id FROM deals") == [(1,)]


# --- what is made of the archive --------------------------------------------------------------------------------------


def masked(db: Path, folder: Path) -> Any:
    return re.sub(r'"id":"deal-\d+"', "", run("export", "--mask", "seats", "--db", str(db)).stdout)


def exported(db: Path, folder: Path) -> Any:
    return run("export", "--db", str(db)).stdout


def outcomes(db: Path, folder: Path) -> Any:
    """The table of outcomes without what only numbers a deal in its archive."""
    lines = [line.split(",") for line in run("export", "--to", "csv", "--db", str(db)).stdout.splitlines()]
    return sorted(
        [cell for name, cell in zip(lines[0], line, strict=False) if name not in ("deal", "viewer")] for line in lines
    )


def answers(db: Path, folder: Path) -> Any:
    names = ("balances", "results_by_contract", "pairs", "luck", "runners_distribution")
    return [json.dumps(run("stats", name, "--json", "--db", str(db)).stdout) for name in names]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """An archive that has only ever seen one state of the file."""

    @cache
    def make(kind: str) -> Path:
        folder = tmp_path_factory.mktemp("alone")
        import_as(folder / "archive.db", folder, NAME, AFTER)
        return folder / "archive.db"

    return make


@pytest.mark.one_in(2)
@pytest.mark.parametrize("made", [masked, exported, outcomes, answers])
def test_what_is_made_of_the_archive_is_that_of_the_file_alone(
    made: Callable[[Path, Path], Any], alone: Callable[[str], Path], tmp_path: Path
) -> None:
    db = tmp_path / "archive.db"
    import_as(db, tmp_path, NAME, BEFORE)
    import_as(db, tmp_path, NAME, AFTER)
    assert made(db, tmp_path) == made(alone("file"), tmp_path)
    assert made(db, tmp_path)


def test_snapshot_masked_archive_rebuild_and_undo_agree(after: Path, tmp_path: Path) -> None:
    db = copy_of(after, tmp_path)
    with closing(open_read(db)) as conn:
        assert list(find_damage(conn, read_file)) == []
    made = run("export", "--snapshot", str(tmp_path / "snapshot"), "--db", str(db))
    assert made.exit_code == 0, made.output
    copy = tmp_path / "masked.db"
    done = run("export", "--to", "archive", "--mask", "seats", "--output", str(copy), "--db", str(db))
    assert done.exit_code == 0, done.output
    assert rows(copy, "SELECT count(*) FROM deals") == [(4,)]
    before = rows(db, "SELECT id, number, contract, verdict FROM deals ORDER BY id")
    with sqlite3.connect(db) as conn:
        conn.execute("DELETE FROM seats")
    assert "is made anew" in run("doctor", "--rebuild", "--db", str(db)).output
    assert rows(db, "SELECT id, number, contract, verdict FROM deals ORDER BY id") == before
    by = ("--by", "Emil", "--why", "mistake", "--db", str(db))
    assert run("import", "--undo", "2", *by).exit_code == 0
    assert rows(db, "SELECT id FROM deals ORDER BY id") == [(GONE,), (HELD,), (3,), (MOVED,)]
    assert run("import", "--redo", "2", *by).exit_code == 0
    assert rows(db, "SELECT id, number, contract, verdict FROM deals ORDER BY id") == before


def test_the_archive_as_it_was_has_the_deal_that_is_gone(before: Path, tmp_path: Path) -> None:
    db = copy_of(before, tmp_path)
    with sqlite3.connect(db) as conn:
        conn.execute("UPDATE sources SET imported_at = '2026-11-01T10:00:00Z'")
    import_as(db, tmp_path, NAME, AFTER)
    exported = run("export", "--as-of", "2026-11-02", "--db", str(db)).stdout
    assert exported.count("\n") == 4
    assert [json.loads(line)["no"] for line in exported.splitlines()] == [1, 2, 3, 4]


def test_the_terminal_says_before_and_after_what_is_gone_and_what_is_kept(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    import_as(db, tmp_path, NAME, BEFORE)
    ahead = import_as(db, tmp_path, NAME, AFTER, "--preview")
    assert ahead.exit_code == 1
    assert "1 deal would be added, 3 known, 1 gone" in ahead.output
    assert ": deal-gone " in ahead.output
    assert rows(db, "SELECT count(*) FROM sources") == [(1,)]
    kept = import_as(db, tmp_path, NAME, AFTER, "--gone", "keep")
    assert (kept.exit_code, "1 kept that the file no longer tells" in kept.stderr) == (0, True)
    assert rows(db, "SELECT count(*) FROM deals") == [(5,)]
    gone = json.loads(import_as(db, tmp_path, NAME, AFTER, "--gone", "withdraw", "--json").stdout)
    assert (gone["gone"], gone["retained"], gone["added"]) == (1, 0, 0)
    assert_as_new(db, tmp_path, NAME, AFTER)
