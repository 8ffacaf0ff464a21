"""A damaged archive: every command says so or is right, `doctor` names what is damaged, and makes it again from records
and files, without touching the archive as it was."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.damaged_archives import CASES, Case, archive_and_files, content, sql
from support.paths import ROOT
from support.running import run
from support.store_samples import SAMPLE
from support.thorough import THOROUGH

from archive.cli.doctor import read_file
from archive.stats import FACTS, event_standings
from archive.stats.part_facts import count_large_parts
from archive.stats.seat_facts import SEAT_FACTS
from archive.store import ArchiveError, open_archive
from archive.store.rebuild import rebuild
from archive.store.tables import TABLES
from archive.store.wholeness import find_damage

Rows = dict[str, list[tuple[object, ...]]]  # of each table
ALWAYS = ("a record", "the why of a correction", "a page of seats, zeros")  # a row gone, a row altered, a page
NOTHING_ELSE_SAYS = {  # tables whose rows stand nowhere else, and those that are otherwise without them
    "sources": {"findings"},
    "acts": {"acts"},
    "corrections": {"corrections", "deals"},
    "rulings": {"rulings"},
    "cases": {"cases"},
    "case_entries": {"case_entries"},
    "cash_book": {"cash_book"},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an archive that is whole yet."""
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    return path


@pytest.fixture
def whole(path: Path) -> Rows:
    return content(path)


@pytest.mark.parametrize(
    "case", [case for case in CASES if THOROUGH or case.name in ALWAYS], ids=lambda case: case.name
)
def test_every_damage_is_named_and_what_is_recorded_comes_back(
    case: Case, path: Path, tmp_path: Path, whole: Rows
) -> None:
    right = run("show", "1", "--db", path).stdout
    case.damage(path)
    was = path.read_bytes()
    show = run("show", "1", "--db", path)
    assert show.stdout in ("", right)
    assert (show.exit_code == 2) == bool(case.refused or case.show or not show.stdout)
    if case.refused:
        assert all(
            (done := run(*words, "--db", path)).exit_code == 2 and "doctor --rebuild" in done.stderr
            for words in (("stats", "standings"), ("import", SAMPLE), ("export",), ("audit",))
        )
    told = json.loads(run("doctor", "--json", "--db", path).stdout)
    assert case.kinds <= {each["kind"] for each in told["damage"]}
    assert path.read_bytes() == was  # a look changes nothing
    done = run("doctor", "--rebuild", "--db", path)
    assert done.exit_code == (1 if told["lost"] else 0)
    assert (content(path) == whole) == case.back
    assert bool(told["lost"]) != case.back
    assert (tmp_path / "archive.before-rebuild.db").read_bytes() == was


@pytest.mark.parametrize(
    "name",
    ["a line of a file of lines", "a page of sessions, zeros", "the text of a file"]
    if THOROUGH
    else ["the text of a file"],
)
def test_what_neither_record_nor_source_gives_comes_back_from_the_file_itself(
    name: str, path: Path, tmp_path: Path, whole: Rows
) -> None:
    next(case for case in CASES if case.name == name).damage(path)
    folder = tmp_path / "files"
    folder.mkdir()
    for file, data in archive_and_files()[1].items():
        (folder / file).write_bytes(data)
    (folder / "other.txt").write_text("nothing of it")
    assert run("doctor", "--rebuild", "--from", folder, "--db", path).exit_code == 0
    assert {table: rows for table, rows in content(path).items() if table != "sources"} == {
        table: rows for table, rows in whole.items() if table != "sources"
    }


@pytest.mark.parametrize("table", TABLES if THOROUGH else ("records",))
def test_a_table_without_a_row_takes_no_record_with_it(table: str, path: Path, tmp_path: Path, whole: Rows) -> None:
    """All comes back from records and files but what people did by hand, what rests on that, and what was known of a
    file."""
    if not whole.get(table):
        pytest.skip("there is no row of it")
    sql(f"DELETE FROM {table}")(path)
    for file, data in archive_and_files()[1].items():
        (tmp_path / file).write_bytes(data)
    done = run("doctor", "--rebuild", "--from", tmp_path, "--db", path)
    anew = content(path)
    differ = {name for name, rows in whole.items() if anew[name] != rows} - {"sources"}
    assert differ == NOTHING_ELSE_SAYS.get(table, set())
    assert done.exit_code == int(table in NOTHING_ELSE_SAYS)


def test_a_whole_archive_is_left_alone(path: Path) -> None:
    result = run("doctor", "--rebuild", "--db", path, "--lang", "de")
    assert (result.exit_code, "ist heil" in result.stdout, "SQLite 3." in result.stdout) == (0, True, True)
    assert path.read_bytes() == archive_and_files()[0]


def test_an_archive_of_all_samples_is_whole_also_of_those_with_something_wrong(all_samples: Path) -> None:
    with closing(sqlite3.connect(f"file:{all_samples}?mode=ro", uri=True)) as conn:
        assert not list(find_damage(conn, read_file))


def test_a_house_that_two_rulesets_come_to_is_no_damage_once_the_first_file_is_taken_back(tmp_path: Path) -> None:
    db, rows = tmp_path / "two.db", ROOT / "sample_games" / "broken" / "rows"
    run("import", rows / "a5.toml", rows / "b3.toml", "--db", db)  # bavarian with 24 cards, and short
    assert run("import", "--undo", "1", "--by", "Resi", "--why", "a test", "--db", db).exit_code == 0
    assert run("doctor", "--db", db).exit_code == 0


def test_the_versions_are_said_for_programs(path: Path) -> None:
    told = json.loads(run("doctor", "--json", "--db", path).stdout)
    assert {"program", "python", "sqlite"} == told["versions"].keys()
    assert {"fast", "parquet", "scale"} <= told["extras"].keys()


def test_facts_that_are_not_counted_answer_no_question_until_they_are(path: Path, tmp_path: Path) -> None:
    """As a large import, or an upgrade, leaves them that was killed at its end."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM contract_facts")
        conn.execute("INSERT INTO unfinished (work) VALUES ('facts')")
        conn.commit()
    for words in (("stats", "runners_and_winning"), ("stats", "standings")):
        told = run(*words, "--db", path)
        assert (told.exit_code, "schafkopf upgrade" in told.stderr) == (2, True)
    assert run("upgrade", path).exit_code == 0
    assert not list(tmp_path.glob("*before*"))
    assert run("stats", "standings", "--db", path).exit_code == 0
    assert run("doctor", "--db", path).exit_code == 0


def test_an_archive_that_somebody_writes_is_not_made_anew(path: Path) -> None:
    CASES[0].damage(path)
    was = path.read_bytes()
    conn = sqlite3.connect(path)
    conn.execute("BEGIN IMMEDIATE")
    with pytest.raises(ArchiveError, match="in use"):
        rebuild(path, read_file)
    conn.rollback()
    conn.close()
    assert path.read_bytes() == was


TAMPERED = {  # a fact row that is changed, and what is named
    "UPDATE contract_facts SET deals = deals + 1": "The rows of contract_facts are not what the tables give",
    "DELETE FROM runner_facts": "The rows of runner_facts are not what the tables give",
    "UPDATE result_facts SET won = won + 1": "The rows of result_facts are not what the tables give",
    "UPDATE standing_facts SET total = total + 10": "the standings have total ",
    "UPDATE standing_facts SET solos_won = 3 WHERE part = 1": "Session 1: the standings have solos 3 of ",
}


def damage_of(path: Path) -> list[str]:
    """The sentences of `doctor`, whose exit status says whether there are any."""
    done = run("doctor", "--json", "--db", path)
    told = json.loads(done.stdout)
    assert told["whole"] == (not told["damage"])
    assert done.exit_code == 1 or told["whole"]
    return [each["text"] for each in told["damage"]]


@pytest.mark.parametrize("change", TAMPERED if THOROUGH else list(TAMPERED)[-1:])
def test_a_fact_that_is_not_counted_so_is_named_and_counted_again(change: str, path: Path, tmp_path: Path) -> None:
    sql(change)(path)
    assert any(TAMPERED[change] in each for each in damage_of(path))
    assert run("backup", tmp_path / "copy.db", "--db", path).exit_code == 1
    run("doctor", "--rebuild", "--db", path)
    assert damage_of(path) == []


def test_standings_in_sql_that_count_otherwise_than_judgements_are_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is damaged, and the two definitions are not the same."""
    right = event_standings.add_deal

    def add_one_more(row: event_standings.Row, deal: event_standings.CountedDeal, seat: int) -> bool:
        row.wins += 1
        return right(row, deal, seat)

    monkeypatch.setattr(event_standings, "add_deal", add_one_more)
    named = damage_of(path)
    assert named
    assert all("the standings have wins" in each and "the program is at fault" in each for each in named)


def test_facts_that_are_kept_of_a_large_part_are_compared(path: Path) -> None:
    with closing(open_archive(path)) as db, db.conn:
        count_large_parts(db.conn, (*FACTS, *SEAT_FACTS), 2)
    tables = ("large_contract_facts", "large_month_facts")
    for table in tables:
        sql(f"UPDATE {table} SET deals = deals + 1 WHERE part = (SELECT max(part) FROM {table})")(path)
    named = [each for each in damage_of(path) if "large_" in each]
    assert len(named) == 2
    assert all(f"The rows of {table} " in each for table, each in zip(tables, named, strict=True))


CHANGED_BY_HAND = {  # what somebody does with another program, and what is named
    "DROP VIEW outcomes; CREATE VIEW outcomes AS SELECT * FROM deals LIMIT 1": "outcomes is not there, or is not as",
    "CREATE TRIGGER no AFTER INSERT ON deals BEGIN SELECT RAISE(ABORT, 'no'); END": "deals has a trigger, no,",
    "UPDATE rulesets SET house = '{}', title = 'X'": "in deals, rulesets are not what",
    "UPDATE rulesets SET rules = 'pub', overrides = '{'": "in deals, rulesets are not what",
    "UPDATE contracts SET title = 'X'": "in contracts are not what",
}


EACH = [[change] for change in CHANGED_BY_HAND]  # the first three stand beside each other, and are tried at once


@pytest.mark.parametrize("changes", EACH if THOROUGH else [[*CHANGED_BY_HAND][:3], EACH[3]], ids=len)
def test_what_another_program_left_is_named_and_made_again(changes: list[str], path: Path) -> None:
    before = content(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript("; ".join(["PRAGMA user_version = 0", *changes]))
    named = damage_of(path)
    assert all(any(CHANGED_BY_HAND[change] in each for each in named) for change in changes), named
    assert run("doctor", "--rebuild", "--db", path).exit_code == 0
    assert damage_of(path) == []
    assert content(path) == before


def test_a_head_that_is_no_json_stops_no_check(tmp_path: Path) -> None:
    """Of a session that is judged by nothing but its records."""
    path, file = tmp_path / "archive.db", tmp_path / "evening.jsonl"
    assert run("generate", "4", "--output", file).exit_code == 0
    assert run("import", file, "--db", path).exit_code == 0
    sql("PRAGMA user_version = 0", "UPDATE sessions SET head = '{'")(path)
    assert "is not what was recorded" in damage_of(path)[0]
    assert run("doctor", "--rebuild", "--db", path).exit_code == 0
    assert damage_of(path) == []


def test_a_correction_that_cannot_be_read_is_a_sentence_everywhere(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        (deal, session) = conn.execute(
            "SELECT r.id, r.session_id FROM corrections c JOIN records r ON r.id = c.deal_id ORDER BY c.id LIMIT 1"
        ).fetchone()
        conn.executescript("PRAGMA user_version = 0; UPDATE corrections SET after = '{'")
    sentence = f"Session {session} cannot be judged"
    assert any(sentence in each for each in damage_of(path))
    for words in (["show", str(deal)], ["export"]):
        done = run(*words, "--db", path)
        assert (done.exit_code, "doctor --rebuild" in done.stderr) == (2, True), (words, done.stderr)


def test_an_archive_that_a_link_leads_to_is_made_anew_where_it_is(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path.name)
    assert run("backup", tmp_path / "copy.db", "--db", link).exit_code == 0
    sql("DELETE FROM deals WHERE id = 1")(path)
    assert run("doctor", "--rebuild", "--db", link).exit_code == 0
    assert (link.is_symlink(), damage_of(path)) == (True, [])
    sql("DELETE FROM deals WHERE id = 1")(path)
    assert run("restore", tmp_path / "copy.db", "--db", link).exit_code == 0
    assert (link.is_symlink(), damage_of(path)) == (True, [])
    assert run("backup", link, "--force", "--db", tmp_path / "copy.db").exit_code == 0
    assert link.is_symlink()


@pytest.mark.parametrize("size", [99, 8192])
def test_an_archive_of_which_nothing_is_left_sends_nobody_round_in_circles(size: int, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0][:size])
    for words in (["doctor"], ["doctor", "--rebuild"]):
        done = run(*words, "--db", path)
        assert (done.exit_code, f"schafkopf restore FILE --db {path}" in done.stderr) == (2, True)
        assert ("filled" in done.stderr, "doctor --rebuild" in done.stderr) == (False, False)


# --- after a dump of SQLite -------------------------------------------------------------------------------------------


HEAD = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'


def test_an_archive_read_back_from_a_dump_is_known_and_made_whole(tmp_path: Path) -> None:
    """A dump has the tables, and neither the mark of the file's header nor the seal behind its last page. The mark is
    taken away here as a dump takes it."""
    evening, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    evening.write_text(f'{HEAD}[[deal]]\ngame = "Anna solo E"\nstated.won = true\n', "utf-8")
    assert run("import", evening, "--db", db).exit_code == 0
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("PRAGMA application_id = 0")
    refused = run("show", 1, "--db", db)
    assert refused.exit_code == 2
    assert "doctor --rebuild" in refused.stderr
    assert "has no mark" in run("doctor", "--db", db).stderr
    assert "made anew: 1 deal" in run("doctor", "--rebuild", "--db", db).stderr
    assert run("show", 1, "--db", db).exit_code == 0
    assert "has no mark" not in run("doctor", "--db", db).stderr
