"""A person is erased: the name is in no byte of the archive, the deals are proved as before, and others stay."""

import hashlib
import io
import json
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support.copied_folders import copy_filled
from support.hard_names import HARD_EVENING, left, texts
from support.running import run
from support.store_samples import DEALS, EVENING, HEAD, SAMPLE, store

from archive.privacy.erase import erase_player
from archive.privacy.find_names import make_renaming, replace_names
from archive.privacy.redact import redact
from archive.rules.load import _load
from archive.store import (
    ArchiveError,
    Database,
    export_lines,
    load_judgement,
    merge_players,
    open_archive,
    open_read,
    source_text,
    split_player,
)
from archive.store.people import names_of_player

BY = ("Emil Ünal", "Annegret asked for it")


def fill(folder: Path) -> None:
    db, hers = folder / "archive.db", folder / "bei annegret"
    hers.mkdir()
    (hers / "Annegret.toml").write_text(HARD_EVENING, "utf-8")
    (folder / "evening.toml").write_text(EVENING, "utf-8")
    (folder / "copy.toml").write_text(
        EVENING.replace('game = "none"', 'game = "none"\nnote = "says ANNEGRET"'), "utf-8"
    )
    (folder / "broken.toml").write_text(HEAD + '[[deal]]\ndealer = "Annegret"\n', "utf-8")
    (folder / "log.txt").write_bytes(SAMPLE.read_bytes())
    run("import", hers / "Annegret.toml", "--db", db, "--licence", "by Annegret", "--origin", "Annegrets Hof")
    for name in ("evening.toml", "copy.toml", "broken.toml", "log.txt"):
        run("import", folder / name, "--db", db)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Hard names everywhere, an evening without Annegret, and a second source of it that names her in a note."""
    copy_filled(fill, tmp_path)
    return tmp_path / "archive.db"


def erase(db: Path, name: str = "Annegret", *more: str) -> Result:
    return run("players", "erase", name, "--by", "Annegret's father", "--why", "Annegret asked", "--db", db, *more)


@pytest.fixture(scope="module")
def erased(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same archive without Annegret, for reading."""
    folder = tmp_path_factory.mktemp("erased")
    copy_filled(fill, folder)
    result = erase(folder / "archive.db")
    assert result.exit_code == 0, result.output
    assert "Annegret" not in result.output.replace(str(folder), "")
    return folder / "archive.db"


def everything(db: Path) -> str:
    """All that stands in an archive and in SQLite's files beside it, which go when the archive is closed again."""
    beside = [each.read_bytes() for each in db.parent.iterdir() if each.name.startswith(f"{db.name}-")]
    return "\n".join([*texts(db), *(each.decode("utf-8", "replace") for each in beside)])


def proved(db: Path) -> list[tuple[Any, ...]]:
    """What became of every deal, as stored and as judged again from the archive; without names."""
    conn, found = open_read(db), []
    sql = "SELECT id, verdict, price, contract, dealer, declarer FROM deals ORDER BY id"
    for deal, *told in conn.execute(sql).fetchall():
        again = load_judgement(conn, deal)
        settled = again.settlement
        lines = [(line.kind, line.amount, line.running, line.who) for line in settled.lines] if settled else None
        seats = conn.execute("SELECT seat, player_id, payment, total, points FROM seats WHERE deal_id = ?", (deal,))
        found.append((deal, *told, again.verdict, settled and settled.payments, lines, [tuple(row) for row in seats]))
    return found


# --- nothing left -----------------------------------------------------------------------------------------------------


def test_no_byte_of_the_archive_has_the_name_any_more_and_every_other_name_stays(archive: Path, erased: Path) -> None:
    names = ["Ann", "Bär von der Au", "S#4 (2)", "Dora.*", "Jörg", "Anna", "Ben"]
    assert {*left([*names, "Annegret"], everything(archive))} == {*names, "Annegret"}
    assert {*left(names, everything(erased))} == {*names}
    assert not re.search("annegret", everything(erased), re.IGNORECASE)


def test_the_name_is_in_no_page_that_is_free_and_in_no_log_of_the_database(archive: Path) -> None:
    conn = sqlite3.connect(archive)
    conn.execute("PRAGMA secure_delete = OFF")
    conn.execute("CREATE TABLE scribbles (text)")
    conn.execute("INSERT INTO scribbles VALUES (?)", ("Annegret " * 5000,))
    conn.commit()
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.execute("DROP TABLE scribbles")
    conn.commit()
    conn.close()
    assert archive.read_bytes().count(b"Annegret Annegret") > 100
    erase(archive)
    assert b"annegret" not in archive.read_bytes().lower()


def test_the_name_stands_in_no_id_of_a_second_source(db: Database) -> None:
    store(db, HEAD + DEALS[0])
    store(db, (HEAD + DEALS[0]).replace("list-3/1", "Anna-77"), "copy.toml")
    assert db.execute("SELECT own_id FROM copies").fetchall() == [("Anna-77",)]
    erase_player(db, "Anna", "Dora", "asked for it")
    assert db.execute("SELECT own_id FROM copies").fetchall() == [("Player 1-77",)]


def test_a_number_stands_in_records_in_the_place_of_the_name(erased: Path) -> None:
    conn = open_read(erased)
    line = json.loads(next(export_lines(conn, 1)))
    assert line["players"] == ["Player 1", "Bär von der Au", "S#4 (2)", "Dora.*"]
    assert line["event"] == "Player 1s Stammtisch"
    assert line["x"] == {"Player 1": ["Zenzi", {"von": "Ann"}]}
    assert line["id"] == "Player 1-77"
    assert conn.execute("SELECT own_id FROM records").fetchone()[0] == "Player 1-77"
    path, licence, origin = conn.execute("SELECT path, licence, origin FROM sources").fetchone()
    assert path.endswith("bei Player 1/Player 1.toml")
    assert (licence, origin) == ("by Player 1", "Player 1s Hof")


def test_an_act_says_who_erased_and_why_without_the_name(erased: Path) -> None:
    row = open_read(erased).execute("SELECT act, player_id, author, why, facts FROM acts").fetchone()
    assert tuple(row)[:4] == ("erase", 1, "Player 1's father", "Player 1 asked")
    assert json.loads(row[4]).keys() == {"records", "sources", "rows"}


# --- still proved -----------------------------------------------------------------------------------------------------


def test_verdicts_settlements_and_hashes_are_as_before(archive: Path, erased: Path) -> None:
    """Judged again from the archive; deals and files are known by the hashes that they had."""
    assert proved(erased) == proved(archive)
    assert len(proved(erased)) > 10
    for sql in ("SELECT hash, play_hash FROM records ORDER BY id", "SELECT sha256 FROM sources"):
        before, after = ([tuple(row) for row in open_read(path).execute(sql)] for path in (archive, erased))
        assert before == after


def test_a_text_that_was_redacted_says_its_new_hash_and_keeps_its_lines(archive: Path, erased: Path) -> None:
    lines = source_text(open_read(archive), 1).count(b"\n")  # type: ignore[union-attr]
    conn = open_read(erased)
    told = dict(conn.execute("SELECT id, redacted_sha256 FROM sources").fetchall())
    for key, digest in told.items():
        raw = source_text(conn, key)
        assert raw is not None
        assert digest in (None, hashlib.sha256(raw).digest())
    assert [key for key, digest in told.items() if digest] == [1, 3, 4]
    assert source_text(conn, 1).count(b"\n") == lines  # type: ignore[union-attr]


def test_the_same_records_imported_again_add_nothing_and_bring_no_name(archive: Path) -> None:
    erase(archive)
    before = sorted(sqlite3.connect(archive).iterdump())
    folder = archive.parent / "bei annegret"
    told = run("import", folder / "Annegret.toml", archive.parent / "copy.toml", "--db", archive).stderr
    assert "Annegret.toml: 0 deals added, 3 known" in told
    assert sorted(sqlite3.connect(archive).iterdump()) == before
    grown = archive.parent / "grown.toml"
    grown.write_text(HARD_EVENING + "# a remark\n", "utf-8")
    assert "0 deals added, 3 known" in run("import", grown, "--db", archive).stderr


# --- who --------------------------------------------------------------------------------------------------------------


def test_all_names_of_a_merged_player_are_erased_and_can_still_be_split(archive: Path) -> None:
    db = open_archive(archive)
    merge_players(db, ["Annegret"], "Anna", *BY)
    before = {key for key, _ in names_of_player(db.conn, "Anna")}
    db.close()
    assert proved(archive)
    erase(archive, "Annegret")
    assert not re.search("annegret|anna\\b", everything(archive), re.IGNORECASE)
    db = open_archive(archive)
    roots = "SELECT id FROM players WHERE alias_of IS NULL AND id IN (SELECT alias_of FROM players)"
    root = db.execute(roots).fetchone()[0]
    assert {key for key, _ in names_of_player(db.conn, f"Player {root}")} == before
    assert split_player(db, "Player 1", *BY) == f"Player {root}"
    db.close()


def test_who_only_recorded_or_ruled_can_be_erased(archive: Path) -> None:
    before = proved(archive)
    assert erase(archive, "Emil Ünal").exit_code == 0
    assert not re.search("emil|ünal", everything(archive), re.IGNORECASE)
    recorder = open_read(archive).execute("SELECT recorder FROM sessions").fetchone()[0]
    assert re.fullmatch(r"Player \d+", recorder)
    assert proved(archive) == before


def test_who_is_only_mentioned_can_be_erased(archive: Path) -> None:
    assert erase(archive, "Zenzi").exit_code == 0
    assert not re.search("zenzi", everything(archive), re.IGNORECASE)


def test_a_name_that_is_nowhere_is_refused_and_nothing_changed(archive: Path) -> None:
    before = sorted(sqlite3.connect(archive).iterdump())
    result = erase(archive, "Kunigunde")
    assert result.exit_code == 2
    assert "'Kunigunde' is nowhere in the archive" in result.output
    assert sorted(sqlite3.connect(archive).iterdump()) == before


def test_a_name_within_another_players_name_is_erased_alone(db: Database) -> None:
    text = (
        EVENING.replace("Ben", "Anna Maier").replace("Cem", "anna")
        + '[[deal]]\ngame = "none"\nnote = "Anna and Anna Maier, anna, Annas, Annabella"\n'
    )
    store(db, text)
    erase_player(db, "Anna", *BY)
    names = {row[0] for row in db.execute("SELECT name FROM players")}
    assert names == {"Player 1", "Anna Maier", "anna", "Dora"}
    note = "Player 1 and Anna Maier, anna, Player 1s, Annabella"
    assert json.loads(list(export_lines(db.conn))[-1])["note"] == note
    assert note.encode() in source_text(db.conn, 1)  # type: ignore[operator]


def test_a_number_that_somebody_has_as_a_name_is_not_given_twice(db: Database) -> None:
    store(db, EVENING.replace("Ben", "Player 1"))
    assert erase_player(db, "Anna", *BY).pseudonym == "Player 1 (2)"
    assert {row[0] for row in db.execute("SELECT name FROM players")} == {"Player 1 (2)", "Player 1", "Cem", "Dora"}


def test_a_number_cannot_be_erased_again(db: Database) -> None:
    store(db)
    erase_player(db, "Anna", *BY)
    with pytest.raises(ArchiveError, match="is a number that stands for a person already"):
        erase_player(db, "Player 1", *BY)


def test_a_person_in_a_file_that_was_taken_back_is_erased_there_too(archive: Path) -> None:
    run("import", "--undo", "1", "--by", "Ann", "--why", "Annegret's file", "--db", archive)
    erase(archive)
    assert not re.search("annegret", everything(archive), re.IGNORECASE)
    run("import", "--redo", "1", "--by", "Ann", "--why", "again", "--db", archive)
    assert not re.search("annegret", everything(archive), re.IGNORECASE)


# --- rehearsed, refused -----------------------------------------------------------------------------------------------


def test_a_rehearsal_counts_what_would_change_and_changes_nothing(archive: Path) -> None:
    before = list(sqlite3.connect(archive).iterdump())
    told = erase(archive, "Annegret", "--dry-run").output
    assert list(sqlite3.connect(archive).iterdump()) == before
    assert told.startswith("Player 1 would stand in ")
    assert erase(archive).output == told.replace("would stand", "stands")


def test_another_program_that_keeps_the_archive_open_is_told(archive: Path) -> None:
    reader = sqlite3.connect(archive)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM players").fetchall()
    db = open_archive(archive)
    db.conn.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(ArchiveError, match="the file still has old pages, for another program keeps it open"):
        erase_player(db, "Annegret", *BY)
    reader.close()
    with pytest.raises(ArchiveError, match="nowhere in the archive"):
        erase_player(db, "Annegret", *BY)
    db.close()
    assert not re.search("annegret", everything(archive), re.IGNORECASE)


def test_a_ruleset_that_could_not_be_found_without_the_name_is_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "Annegret"
    folder.mkdir()
    rules = 'id = "ours"\ntitle = "Ours"\nextends = "pub"\n'
    (folder / "ours.toml").write_text(rules)
    (folder / "evening.toml").write_text(HEAD.replace('"pub"', '"ours.toml"') + "".join(DEALS))
    db = tmp_path / "archive.db"
    run("import", folder / "evening.toml", "--db", db)
    before = proved(db)
    refused = erase(db)
    place = tmp_path / "Player 5" / "ours.toml"
    assert refused.exit_code == 2
    assert f"put a copy of it at {place}" in refused.output.replace("\n", " ")
    assert "Annegret" in everything(db)
    place.parent.mkdir()
    place.write_text(rules)
    _load.cache_clear()  # as in another run of the command
    assert erase(db).exit_code == 0
    assert "Annegret" not in everything(db)
    assert proved(db) == before


# --- texts of files ---------------------------------------------------------------------------------------------------

NAME = "Jörg Müller"
BYTES = {
    "utf-8": f"„{NAME}“, {NAME}s".encode(),
    "utf-8 apart": "Jo\u0308rg Mu\u0308ller".encode(),
    "upper case": NAME.upper().encode(),
    "cp1252": f"\x84{NAME}\x93, {NAME}.".encode("latin-1"),
    "utf-8 and cp1252": b"\xe4 " + f"{NAME} \xe4 ".encode("latin-1") + NAME.encode(),
    "utf-16 with a mark": NAME.encode("utf-16"),
    "utf-16-be with a mark": b"\xfe\xff" + NAME.encode("utf-16-be"),
    "utf-16 without": f"name: {NAME}\n".encode("utf-16-le"),
    "json": json.dumps({"name": NAME, "a": f"\n{NAME}\t{NAME}"}).encode(),
    "html": b"<b>J&ouml;rg&nbsp;M&uuml;ller</b> J&#246;rg M&#xFC;ller",
    "address": b"/profil?name=J%C3%B6rg%20M%C3%BCller&x=J%f6rg+M%fcller",
    "in lines": f"{NAME.replace(' ', chr(10))}.".encode(),
}


@pytest.mark.parametrize("kind", BYTES)
def test_a_name_is_taken_out_of_bytes_in_whatever_way_they_hold_it(kind: str) -> None:
    raw = b"".join((BYTES[kind],))
    told = redact(raw, lambda text: replace_names(make_renaming({NAME: "Player 7"}), text))
    wide = "utf-16" in kind
    plain = told.decode("utf-16-be" if "be" in kind else "utf-16-le", "replace") if wide else told.decode("latin-1")
    assert "Player 7" in plain
    assert not re.search("rg|ller", plain.replace("Player", ""))
    assert raw.count(b"\n") == told.count(b"\n")


def test_what_does_not_name_the_person_keeps_every_byte() -> None:
    by = make_renaming({"Ann": "P1"})
    odd = (b"\xff\xfe\0", b"PK\x03\x04 no zip", b"Annabel \xe4\x81\x8d", bytes(range(256)), b"")
    for raw in (*odd, SAMPLE.read_bytes()):
        assert redact(raw, lambda text: replace_names(by, text)) == raw


def test_a_name_is_taken_out_of_the_parts_of_a_workbook() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = NAME
    book.active.append(["dealer", NAME, f"von {NAME}s Hand"])
    book.active.append([1, 2.5, "=B1"])
    book.properties.creator = NAME
    file = io.BytesIO()
    book.save(file)
    told = redact(file.getvalue(), lambda text: replace_names(make_renaming({NAME: "Player 7"}), text))
    for part in zipfile.ZipFile(io.BytesIO(told)).infolist():
        assert b"M\xc3\xbcller" not in zipfile.ZipFile(io.BytesIO(told)).read(part)
    again = openpyxl.load_workbook(io.BytesIO(told))
    assert [[cell.value for cell in row] for row in again.active] == [
        ["dealer", "Player 7", "von Player 7s Hand"], [1, 2.5, "=B1"],
    ]  # fmt: skip
    assert (again.active.title, again.properties.creator) == ("Player 7", "Player 7")
    assert redact(told, lambda text: replace_names(make_renaming({NAME: "Player 7"}), text)) == told
