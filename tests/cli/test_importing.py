"""`schafkopf import`: what it says, what it changes, and what it takes back."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support import running
from support.store_samples import DEALS, EVENING, HEAD, another

from archive.cli import import_each
from archive.judge.types import ENGINE
from archive.say import message
from archive.store import ArchiveError, Database, FileMeta, SaveResult, save_file


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder with an evening."""
    monkeypatch.chdir(tmp_path)
    Path("evening.toml").write_text(EVENING)


BY = ("--by", "Dora", "--why", "a test")


def run(*words: str) -> Result:
    return running.run("import", *words)


def asked(sql: str) -> list[tuple[object, ...]]:
    conn = sqlite3.connect("archive.db")
    found = conn.execute(sql).fetchall()
    conn.close()
    return found


@pytest.mark.parametrize("at_fault", ["", "b.toml"])
def test_small_files_are_stored_together_and_one_at_fault_costs_no_file_before_it(
    at_fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(db: Database, file: FileMeta, *rest: Any) -> SaveResult:
        if file.path == at_fault:
            raise ArchiveError(message("refused.nothing-stored", path=file.path, why="a test"))
        assert at_fault or db.conn.in_transaction
        return save_file(db, file, *rest)

    Path("evening.toml").rename("a.toml")
    Path("b.toml").write_text(another())
    Path("c.txt").write_text("a song")
    monkeypatch.setattr(import_each, "save_file", save)
    result = run("a.toml", "b.toml", "c.txt")
    assert result.stderr.count("4 deals added") == (1 if at_fault else 2)
    assert ("a test" in result.stderr, "c.txt: not stored" in result.stderr) == (bool(at_fault), not at_fault)
    assert asked("SELECT path FROM sources") == [("a.toml",), *([] if at_fault else [("b.toml",)])]
    assert asked("SELECT sum(deals) FROM coverage_facts") == asked("SELECT count(*) FROM deals")


# --- what would be ----------------------------------------------------------------------------------------------------


def test_a_rehearsal_says_what_would_be_added_and_makes_no_archive() -> None:
    result = run("--dry-run", "evening.toml")
    assert "evening.toml: 4 deals would be added\n" in result.stderr
    assert not Path("archive.db").exists()


def test_a_rehearsal_says_exactly_what_the_import_then_says() -> None:
    run("evening.toml")
    Path("other.toml").write_text(another() + "\n[[deal]]\ngame = 'Nobody wenz'\n")
    Path("evening.toml").write_text(EVENING.replace("= 75", "= 74") + DEALS[1])
    before = Path("archive.db").read_bytes()
    rehearsed = run("--dry-run", "evening.toml", "other.toml")
    assert Path("archive.db").read_bytes() == before
    done = run("evening.toml", "other.toml")
    assert rehearsed.stdout == done.stdout
    assert rehearsed.stderr.replace(" would be added", " added") == done.stderr
    assert "evening.toml: 1 deal added, 4 known, 1 of them told otherwise\n" in done.stderr
    assert "other.toml: 4 deals added, 1 refused\n" in done.stderr
    assert "record-changed points: 74 now, 75 when evening.toml:9 was imported before" in done.stdout


def test_a_rehearsal_does_not_bring_an_older_archive_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    from archive.store.schema import STEPS

    run("evening.toml")
    monkeypatch.setattr(STEPS, "every", (*STEPS.every, "m999_next"))
    result = run("--dry-run", "evening.toml")
    assert result.exit_code == 2
    assert "written by an older version" in result.stderr


# --- where it comes from ----------------------------------------------------------------------------------------------


def test_a_system_that_has_no_time_zones_takes_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.text.dates.clock_of", lambda zone: None)
    run("evening.toml", "--time-zone", "Europe/Berlin")
    assert asked("SELECT time_zone FROM sources") == [("Europe/Berlin",)]


def test_licence_origin_and_time_zone_are_kept_with_the_source_also_where_they_are_said_later() -> None:
    run("evening.toml", "--licence", "CC0", "--origin", "our club")
    stays = run("evening.toml", "--licence", "another", "--time-zone", "Europe/Berlin", "--json")
    assert json.loads(stays.stdout)["terms_kept"] == {"licence": "CC0"}
    assert "--licence stays 'CC0'" in run("evening.toml", "--licence", "another").stderr
    for zone in ("nonsense", "Europe"):
        assert "such as Europe/Berlin" in run("evening.toml", "--time-zone", zone).stderr
    assert asked("SELECT licence, origin, time_zone FROM sources") == [("CC0", "our club", "Europe/Berlin")]
    assert asked("SELECT version IS NOT NULL, engine, format FROM sources") == [(1, ENGINE, "record-toml")]


def test_other_rules_than_the_recorded_ones_hold_when_the_session_is_settled_again() -> None:
    run("evening.toml", "--rules", "bavarian")
    rules = "SELECT DISTINCT name FROM deals d JOIN rulesets r ON r.id = d.ruleset_id"
    assert asked(rules) == [("bavarian",)]
    assert asked("SELECT rules, judged_by FROM sessions") == [("pub", "bavarian")]
    run("--undo", "evening.toml", "--by", "Dora", "--why", "a test")
    run("--redo", "1", "--by", "Dora", "--why", "a test")
    assert asked(rules) == [("bavarian",)]


def test_rules_from_a_file_beside_the_record_are_stored_without_the_folders_of_this_machine() -> None:
    Path("ours.toml").write_text('extends = "pub"\n')
    run("evening.toml", "--rules", "ours.toml")
    assert asked("SELECT judged_by FROM sessions") == [("ours.toml",)]


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_file_is_taken_back_by_its_name_on_disk_whatever_that_holds() -> None:
    Path("a\nb.toml").write_bytes(Path("evening.toml").read_bytes())
    run("a\nb.toml")
    assert "4 deals gone" in run("--undo", "a\nb.toml", "--by", "Dora", "--why", "not ours").output


def test_a_file_is_taken_back_and_brought_in_again() -> None:
    run("evening.toml")
    undone = run("--undo", "evening.toml", "--by", "Dora", "--why", "not ours")
    assert undone.output == "source 1 taken back: 4 deals gone; --redo 1 brings it back\n"
    assert asked("SELECT count(*) FROM deals") == [(0,)]
    for kind in ("--to=toml", "--to=xlsx", "--html"):
        empty = running.run("export", "--session", "1", kind)
        assert (empty.exit_code, "session 1 has no deal that counts" in empty.stderr) == (2, True)
    assert (
        run("--redo", "1", "--by", "Dora", "--why", "ours after all").output
        == "source 1 is there again: 4 deals back\n"
    )
    assert asked("SELECT count(*) FROM deals") == [(4,)]
    assert asked("SELECT act, author, why FROM acts") == [
        ("withdraw", "Dora", "not ours"), ("restore", "Dora", "ours after all")
    ]  # fmt: skip


def test_a_file_that_goes_back_to_an_earlier_state_says_which_deals_change() -> None:
    run("evening.toml")
    Path("evening.toml").write_text(EVENING.replace("= 75", "= 74"))
    run("evening.toml")
    Path("copy.toml").write_text(EVENING)  # the first state once more, under another name
    again = run("copy.toml")
    assert "copy.toml: 0 deals added, 4 known, 1 of them told otherwise\n" in again.stderr
    assert "record-changed points: 75 now, 74 when evening.toml:9 was imported before" in again.stdout
    assert "told otherwise" not in run("copy.toml").stderr


def test_a_file_of_columns_among_files_that_a_shell_fits_is_no_record() -> None:
    Path("columns.toml").write_text('tariff = "10/20/50"\n')
    assert run("columns.toml", "evening.toml").output == run("evening.toml", "--db", "other.db").output
    assert run("columns.toml").exit_code == 1


def test_of_several_states_the_number_is_asked_for_and_the_earlier_one_stands_again() -> None:
    run("evening.toml")
    Path("evening.toml").write_text(EVENING.replace("= 75", "= 74"))
    run("evening.toml")
    words = ("--by", "Dora", "--why", "a test")
    several = run("--undo", "evening.toml", *words)
    assert several.exit_code == 2
    assert "'evening.toml' is there more than once, as the sources 1, 2, of which 2 came last" in several.stderr
    undone = run("--undo", "2", *words, "--lang", "de").output
    told = "Quelle 2 zurückgenommen: 0 Spiele zählen nicht mehr, 1 gilt so, wie es eine andere Datei oder ein früherer"
    assert undone == f"{told} Stand sagt; --redo 2 nimmt sie wieder auf\n"
    redone = run("--redo", "2", *words).output
    assert redone == "source 2 is there again: 0 deals back, 1 counts as this file tells it\n"


def test_taking_back_can_be_rehearsed() -> None:
    run("evening.toml")
    rehearsed = run("--dry-run", "--undo", "1", "--by", "Dora", "--why", "a test").output
    assert "source 1 would be taken back: 4 deals gone" in rehearsed
    assert asked("SELECT count(*) FROM deals") == [(4,)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--undo", "1"), "say who takes the file back, and why"),
        (("--undo", "7", "--by", "D", "--why", "w"), "no source '7'"),
        (("--redo", "1", "--by", "D", "--why", "w"), "is there already"),
        (("--undo", "1", "evening.toml", "--by", "D", "--why", "w"), "each stand alone"),
        (("--undo", "1", "--redo", "1", "--by", "D", "--why", "w"), "each stand alone"),
        (("evening.toml", "--by", "D"), "belong to --undo and --redo"),
        ((), "Missing argument 'PATH…'"),
        (("nowhere.toml",), "nowhere.toml"),
    ],
)
def test_wrong_use_is_said_and_changes_nothing(words: tuple[str, ...], told: str) -> None:
    run("evening.toml")
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert asked("SELECT count(*) FROM deals") == [(4,)]


def test_undo_without_an_archive_makes_none() -> None:
    result = run("--undo", "1", "--by", "D", "--why", "w")
    assert result.exit_code == 2
    assert "There is no archive" in result.stderr
    assert not Path("archive.db").exists()


def test_what_two_sources_tell_differently_makes_the_exit_status_1() -> None:
    head, deal = HEAD, DEALS[0].replace("stated.points = 75", "stated.points = 75\nstated.tricks = 5")
    Path("a.toml").write_text(head + deal.split("stated.")[0])
    Path("b.toml").write_text(head + deal.split("stated.")[0].replace('knocks = ["Ben"]', "knocks = []"))
    assert run("a.toml").exit_code == 0
    result = run("b.toml")
    assert result.exit_code == 1
    assert "sources-differ knocks: Ben here, nobody in b.toml:9" in result.stdout
