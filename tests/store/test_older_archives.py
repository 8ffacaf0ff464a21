"""Archives of every earlier schema: refused by who only reads, brought up, imported into, asked, served."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.old_archives import VERSIONS, make_older
from support.running import run
from support.store_samples import another, store

from archive.record import say_finding
from archive.stats import FACTS, QUESTIONS, recount
from archive.stats.query import answer_question
from archive.store import ArchiveError, load_judgement, open_archive, open_read
from archive.store.schema import digests, is_current
from archive.store.seal import seal_state
from archive.store.source_texts import source_text
from archive.store.stored_messages import stored_verdict
from archive.store.tables import TABLES
from archive.store.upgrade import upgrade
from archive.store.wholeness import find_damage
from archive.web.app import create_app

versions = pytest.mark.parametrize("version", VERSIONS)


def shape(path: Path) -> dict[str, list[str]]:
    """Of every table its columns, indexes and constraints, as SQLite tells them."""
    with closing(sqlite3.connect(path)) as conn:
        tables = [row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        indexes = "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL"
        found = {table: list(map(str, conn.execute(f"PRAGMA table_xinfo('{table}')"))) for table in tables}
        found |= {name: [sql] for name, sql in conn.execute(indexes)}
        keys = {
            f"{table} keys": sorted(map(str, conn.execute(f"PRAGMA foreign_key_list('{table}')"))) for table in tables
        }
        return found | keys


@versions
def test_reading_an_older_archive_says_what_to_do_and_changes_nothing(tmp_path: Path, version: int) -> None:
    path = make_older(tmp_path / "old.db", version)
    before = path.read_bytes()
    for command in (["stats", "results_by_contract"], ["audit"], ["export"], ["show", "1"]):
        said = run(*command, "--db", path)
        assert said.exit_code == 2
        assert f"was written by an older version; `schafkopf upgrade {path}` brings it up to date." in said.output
        assert "Traceback" not in said.output
    assert path.read_bytes() == before


@pytest.mark.one_in(6)
@versions
def test_an_older_archive_becomes_one_like_a_new_one(tmp_path: Path, version: int) -> None:
    path, new = make_older(tmp_path / "old.db", version), tmp_path / "new.db"
    open_archive(new).close()
    said = run("upgrade", path)
    assert said.exit_code == 0, said.output
    copy = tmp_path / "old.before-upgrade.db"
    assert said.stdout == f"{path} is brought up to date: 5 deals; as it was, it is {copy}\n"
    assert said.stderr.startswith("5 deals keep their verdict of an earlier engine: schafkopf audit compare")
    assert shape(path) == shape(new)
    with (
        closing(sqlite3.connect(copy)) as before,
        closing(sqlite3.connect(make_older(tmp_path / "x.db", version))) as x,
    ):
        assert list(before.iterdump()) == list(x.iterdump())
    with closing(sqlite3.connect(path)) as conn:
        assert seal_state(conn) == "whole"
    again = run("upgrade", path)
    assert again.output == f"{path} is up to date\n"


@pytest.mark.one_in(6)
@versions
def test_an_older_archive_is_imported_into_asked_and_served(tmp_path: Path, version: int) -> None:
    path = make_older(tmp_path / "old.db", version)
    db = open_archive(path)
    assert is_current(db.conn)
    with pytest.raises(ArchiveError, match="older version"):
        open_read(tmp_path / "old.before-upgrade.db").close()  # it is as it was
    assert store(db, another(), "another.toml").added == 4
    counted = [db.execute(f"SELECT * FROM {facts.name} ORDER BY 1, 2, 3").fetchall() for facts in FACTS]
    recount(db.conn, FACTS)
    assert [db.execute(f"SELECT * FROM {facts.name} ORDER BY 1, 2, 3").fetchall() for facts in FACTS] == counted
    db.execute("INSERT INTO notes_fts (notes_fts, rank) VALUES ('integrity-check', 1)")
    assert db.execute("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'wet'").fetchone() == (1,)
    db.close()
    with closing(open_read(path)) as conn:
        assert [load_judgement(conn, deal) is not None for deal in range(1, 10)] == [True] * 9
        assert all(answer_question(conn, name).columns for name in QUESTIONS)
        assert answer_question(conn, "results_by_contract").rows
        assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert not conn.execute("PRAGMA foreign_key_check").fetchall()
    site = create_app(path).test_client()
    for page in ("/", "/deals/1", "/sessions/1", "/stats", "/stats/results_by_contract"):
        assert site.get(page).status_code == 200, page


@pytest.mark.one_in(6)
@versions
def test_a_changed_file_of_an_older_archive_is_its_later_state(tmp_path: Path, version: int) -> None:
    """Its first deal is taken out, another is put at the end; the rest stays what it was."""
    path = make_older(tmp_path / "old.db", version)
    upgrade(path, with_copy=False)
    db = open_archive(path)
    text = (source_text(db.conn, 1) or b"").decode()
    deals = text.split("[[deal]]")
    assert len(deals) == 6
    before = db.execute("SELECT id, contract, declarer, verdict FROM deals WHERE id > 1 ORDER BY id").fetchall()
    saved = store(db, "[[deal]]".join([deals[0], *deals[2:]]), "evening.toml")
    assert (saved.added, saved.known, saved.gone_deals, saved.stored) == (0, 4, (1,), True)
    after = db.execute("SELECT id, contract, declarer, verdict FROM deals ORDER BY id").fetchall()
    assert [row[:3] for row in after] == [row[:3] for row in before]
    assert store(db, text, "evening.toml").added == 0
    assert [row[0] for row in db.execute("SELECT id FROM deals ORDER BY id")] == [1, 2, 3, 4, 5]
    db.close()
    with closing(open_read(path)) as conn:
        assert list(find_damage(conn)) == []


def test_an_upgrade_makes_no_copy_where_none_is_wanted_and_never_over_another(tmp_path: Path) -> None:
    path = make_older(tmp_path / "old.db", 3)
    kept = shutil.copy(path, tmp_path / "kept.db")
    upgrade(path, with_copy=False)
    assert {each.name for each in tmp_path.iterdir()} == {"old.db", "kept.db"}
    for number in ("", "-2"):
        shutil.copy(kept, path)
        done = upgrade(path)
        assert done.copy == tmp_path / f"old.before-upgrade{number}.db"


def test_what_is_no_older_archive_is_not_upgraded(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="There is no archive"):
        upgrade(tmp_path / "missing.db")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as conn:
        conn.execute("CREATE TABLE mine (id INTEGER)")
    with pytest.raises(ArchiveError, match="is not an archive"):
        upgrade(other)
    assert [each.name for each in tmp_path.iterdir()] == ["other.db"]


def test_findings_and_reasons_of_an_older_archive_are_said_in_german(tmp_path: Path) -> None:
    """They were stored as English text; what is judged so today gets its facts."""
    path = make_older(tmp_path / "old.db", 9)
    upgrade(path, with_copy=False)
    with closing(open_read(path)) as conn:
        assert not conn.execute("SELECT 1 FROM findings WHERE facts IS NULL").fetchone()
        for deal in range(1, 6):
            stored, today = stored_verdict(conn, deal), load_judgement(conn, deal)
            by_rule = {finding.rule: finding for finding in today.findings}
            for kept in stored.findings:  # today a sheet that does not sum to zero is told its price too
                found = by_rule[kept.rule]
                assert say_finding(kept, "de") == say_finding(found, "de")
                assert say_finding(kept, "de") != kept.message == found.message
            assert stored.verdict == today.verdict


def test_what_is_judged_otherwise_today_keeps_its_text(tmp_path: Path) -> None:
    path = make_older(tmp_path / "old.db", 9)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE findings SET message = 'as it was said then' WHERE deal_id = 1")
        conn.commit()
    open_archive(path).close()
    with closing(open_read(path)) as conn:
        stored = stored_verdict(conn, 1)
        assert {each.message for each in stored.findings} == {"as it was said then"}
        assert stored_verdict(conn, 99) is None


# --- what is made of the tables ---------------------------------------------------------------------------------------


def outdated(path: Path, *changes: str) -> Path:
    """An archive of one evening in which something derived was made by other SQL than today's."""
    db = open_archive(path)
    store(db)
    for change in changes:
        db.execute(change)
    db.close()
    return path


OTHERWISE = {
    "a view": (
        "UPDATE _derived SET digest = 'x' WHERE name = 'views'",
        "DROP VIEW touts",
        "DROP VIEW outcomes",
        "CREATE VIEW outcomes AS SELECT 1 AS one",
    ),
    "facts": (
        "UPDATE _derived SET digest = 'x' WHERE name = 'hand_facts'",
        "DROP TABLE hand_facts",
        "CREATE TABLE hand_facts (part INTEGER NOT NULL) STRICT",
    ),
    "new facts": ("DELETE FROM _derived WHERE name = 'luck_facts'", "DROP TABLE luck_facts"),
    "notes": ("UPDATE _derived SET digest = 'x' WHERE name = 'notes'", "DELETE FROM notes", "DROP TRIGGER notes_ai"),
    "a column": (
        "UPDATE _derived SET digest = '0001-x' WHERE name = 'tables'",
        "DROP VIEW rulings_by_rule",
        "DROP VIEW outcomes",
        "DROP VIEW ledger",
        "DROP VIEW disputes",
        "ALTER TABLE rulings DROP COLUMN kind",
        "DROP INDEX rulings_deal",
    ),
    "facts that are counted no more": (
        "INSERT INTO _derived VALUES ('old_facts', 'x')",
        "CREATE TABLE old_facts (part INTEGER) STRICT",
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("changes", OTHERWISE.values(), ids=OTHERWISE)
def test_what_other_sql_has_made_is_made_anew_at_the_next_opening(tmp_path: Path, changes: tuple[str, ...]) -> None:
    new = outdated(tmp_path / "new.db")
    path = outdated(tmp_path / "old.db", *changes)
    with pytest.raises(ArchiveError, match="older version; `schafkopf upgrade"):
        open_read(path)
    asked = run("doctor", "--db", path)  # no damage, since it is to be compared after an upgrade
    assert (asked.exit_code, asked.stderr.count(" are of another version")) == (1, asked.stderr.count("\n") - 1)
    assert f"was written by an older version; `schafkopf upgrade {path}` brings it up to date." in asked.stderr
    open_archive(path).close()
    assert shape(path) == shape(new)
    with closing(open_read(path)) as conn, closing(open_read(new)) as other:
        for name in (*(facts.name for facts in FACTS), "notes", *QUESTIONS):
            sql = f"SELECT * FROM {name}"
            assert list(map(tuple, conn.execute(sql))) == list(map(tuple, other.execute(sql))), name
        assert dict(map(tuple, conn.execute("SELECT name, digest FROM _derived"))) == digests()


def test_an_archive_with_more_columns_is_of_a_newer_version(tmp_path: Path) -> None:
    more = sum(len(table.columns) for table in TABLES.values()) + 2
    path = outdated(tmp_path / "new.db", f"UPDATE _derived SET digest = '{more:04}-x' WHERE name = 'tables'")
    for opens in (open_archive, open_read, upgrade):
        with pytest.raises(ArchiveError, match=r"newer version \(it has 2 more columns\)"):
            opens(path)


def test_who_won_a_called_ace_of_three_is_known_after_an_upgrade(tmp_path: Path) -> None:
    """Also where the deal comes to another verdict today than it is stored with, as it was illegal for three."""
    sheet, path = tmp_path / "called.csv", tmp_path / "a.db"
    sheet.write_text("Nr;Spiel;Spieler;Partner;Vroni;Girgl;Zenzi\n1;Sauspiel;Vroni;Girgl;50;50;-100\n", "utf-8")
    run("import", sheet, "--db", path)
    sides = "SELECT seat, declaring, won FROM seats ORDER BY seat"
    with closing(sqlite3.connect(path)) as conn:
        new = conn.execute(sides).fetchall()
        conn.execute("UPDATE seats SET declaring = NULL, won = NULL")
        conn.execute("UPDATE deals SET verdict = 'unplayable', engine = '2'")
        conn.execute("DELETE FROM _sqlite_migrations WHERE name = 'm013_known'")
        conn.commit()
    said = run("upgrade", path)
    assert said.stderr.startswith("1 deal keeps its verdict of an earlier engine")
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute(sides).fetchall() == new == [(1, 1, 1), (2, 1, 1), (3, 0, 0)]
        assert conn.execute("SELECT verdict FROM deals").fetchone() == ("unplayable",), "what was judged stays"
