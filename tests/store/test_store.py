"""The store: a file is in the archive whole or not at all, once, and comes out as it was recorded."""

import csv
import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec import structs
from support import real_games
from support.empty_archives import empty_archives
from support.store_samples import DEALS, EVENING, HEAD, SAMPLE, another, dump, pairs_of, read, store, unjudged
from support.strategies import evenings
from support.thorough import examples

from archive import generate
from archive.judge import Judgement, LedgerState, judge_session
from archive.notation import HASH, identity, read_lines, read_toml, write_line
from archive.record import Deal, Session, Source, finding
from archive.store import (
    ArchiveError,
    Database,
    FileMeta,
    SaveResult,
    export_lines,
    export_outcomes,
    export_toml,
    find_deal,
    load_deal,
    load_judgement,
    open_archive,
    save_file,
    session_rows,
    source_text,
)
from archive.store.compression import WORDS, pack_record, unpack_record
from archive.store.ledger_states import state_of, state_text
from archive.store.transaction import writing
from importers import netschafkopf

# --- one file, one transaction ----------------------------------------------------------------------------------------


def test_a_file_imported_twice_changes_nothing(db: Database) -> None:
    assert store(db) == SaveResult(source=1, added=4, known=0, sessions=1)
    before = dump(db)
    assert store(db) == SaveResult(source=1, added=0, known=4, sessions=0)
    assert store(db, path="copy.toml") == SaveResult(source=1, added=0, known=4, sessions=0)
    assert dump(db) == before


def test_two_equal_thrown_in_deals_of_one_evening_stay_two(evening: sqlite3.Connection) -> None:
    assert [row[0] for row in evening.execute("SELECT number FROM deals WHERE contract = 'none'")] == [2, 3]


def test_a_deal_known_from_another_file_is_not_stored_again(db: Database) -> None:
    store(db)
    pairs, _ = read(EVENING)
    lines = b"\n".join(write_line(head, found.deal) for head, found in pairs)
    saved = save_file(db, FileMeta("e.jsonl", "record-lines"), lines, *pairs_of(read_lines(lines, Source("e.jsonl"))))
    assert saved == SaveResult(source=2, added=0, known=4, sessions=0)
    assert db.conn.execute("SELECT count(*) FROM deals").fetchone()[0] == 4


def test_a_line_that_stands_twice_in_a_file_is_one_deal(db: Database) -> None:
    pairs, _ = read(EVENING)
    assert save_file(db, FileMeta("e", "x"), b"x", [*pairs, pairs[0]]) == SaveResult(1, 4, 1, 1)


def test_a_file_that_has_grown_goes_on_with_its_session(db: Database) -> None:
    store(db, HEAD + "".join(DEALS[:2]))
    assert store(db) == SaveResult(source=2, added=2, known=2, sessions=0)
    assert [row["number"] for row in session_rows(db.conn, 1)] == [1, 2, 3, 4]


def test_equal_heads_are_two_sessions_where_the_file_has_two(db: Database) -> None:
    first, _ = read(HEAD + DEALS[0])
    second, _ = read(HEAD + DEALS[3])
    assert save_file(db, FileMeta("e", "x"), b"x", [*first, *second]).sessions == 2


def test_a_failure_in_the_middle_leaves_nothing(db: Database) -> None:
    before = dump(db)
    pairs, _ = read(EVENING)

    def broken() -> Iterator[tuple[Session, Judgement]]:
        yield from pairs[:3]
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        save_file(db, FileMeta("evening.toml", "record-toml"), EVENING.encode(), broken())
    assert dump(db) == before
    assert store(db) == SaveResult(1, 4, 0, 1)


def test_what_sqlite_refuses_is_said_and_leaves_nothing(db: Database) -> None:
    before = dump(db)
    pairs, _ = read(EVENING)
    wrong = structs.replace(pairs[3][1], verdict="perhaps")
    with pytest.raises(ArchiveError, match=r"evening\.toml could not be stored, and nothing of it was"):
        save_file(db, FileMeta("evening.toml", "x"), b"x", [*pairs[:3], (pairs[3][0], wrong)])
    assert dump(db) == before


def test_an_archive_in_use_is_said(db: Database, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "archive.db")
    other.execute("BEGIN IMMEDIATE")
    db.execute("PRAGMA busy_timeout = 10")
    with pytest.raises(ArchiveError, match="locked"):
        store(db)


def test_many_deals_go_in_batches(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.store.save.BATCH", 2)
    pairs, _ = read(EVENING)
    assert save_file(db, FileMeta("e", "x"), b"x", [*pairs, *pairs]) == SaveResult(1, 4, 4, 1)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_numbers_of_deals_are_never_given_twice(db: Database) -> None:
    store(db)
    with writing(db.conn):
        db.execute("DELETE FROM records")
        db.execute("DELETE FROM sessions")
        db.execute("DELETE FROM sources")
    assert db.conn.execute("SELECT count(*) FROM deals").fetchone()[0] == 0
    store(db)
    assert [row[0] for row in db.execute("SELECT id FROM deals")] == [5, 6, 7, 8]


def test_findings_of_a_file_and_of_a_deal_are_kept(db: Database) -> None:
    pairs, _ = read(EVENING)
    head, found = pairs[0]
    ours = finding("no-deals", Source("e", 7))
    told = structs.replace(found, findings=(finding("not-in-pack", Source("e", 9), "3.2", where="x", card="E6"),))
    save_file(db, FileMeta("e", "x"), b"x", [(head, told)], [ours])
    rows = db.execute("SELECT source_id, deal_id, rule, severity, message, line, moment FROM findings").fetchall()
    assert rows == [
        (1, 1, "not-in-pack", "error", "x: E6 is not in the pack", 9, "3.2"),
        (1, None, "no-deals", "warning", "the file holds no deal", 7, None),
    ]


def test_a_path_that_is_no_text_can_be_stored(db: Database) -> None:
    store(db, path="evening\udcff.toml")
    assert db.execute("SELECT path FROM sources").fetchone() == (r"evening\udcff.toml",)


# --- what comes out again ---------------------------------------------------------------------------------------------


@settings(max_examples=examples(8, 40), suppress_health_check=list(HealthCheck))
@given(evenings())
def test_any_record_comes_out_as_it_went_in(evening: tuple[Session, tuple[Deal, ...]]) -> None:
    session, deals = evening
    pairs = [(session, unjudged(session, deal, deal.no if deal.no is not None else n)) for n, deal in enumerate(deals)]
    with empty_archives() as (db,):
        saved = save_file(db, FileMeta("e", "x"), b"x", pairs)
        assert saved.added == len({identity(head, found.deal, found.number) for head, found in pairs})
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for head, found in pairs:
            (key,) = find_deal(db.conn, identity(head, found.deal, found.number))
            loaded = load_deal(db.conn, key)
            assert structs.replace(loaded[0], source=None) == session
            assert structs.replace(loaded[1], source=None) == found.deal


def test_a_deal_is_loaded_with_its_place_and_the_table_it_was_judged_in(evening: sqlite3.Connection) -> None:
    pairs, _ = read(EVENING)
    for key, (_, found) in enumerate(pairs, 1):
        _, deal, before = load_deal(evening, key) or pytest.fail("no such deal")
        assert deal.source == found.deal.source
        assert before == found.before


def test_a_deal_is_judged_again_alone_as_it_was_in_its_session(evening: sqlite3.Connection) -> None:
    pairs, _ = read(EVENING)
    for key, (_, found) in enumerate(pairs, 1):
        again = load_judgement(evening, key) or pytest.fail("no such deal")
        assert same_judgement(again, found)
    assert load_judgement(evening, 99) is None


def same_judgement(again: Judgement, found: Judgement) -> bool:
    keys = ("number", "before", "after", "ruleset", "replay", "settlement", "verdict", "reason", "missing")
    return all(getattr(again, key) == getattr(found, key) for key in keys)


def test_the_hash_is_of_the_line_with_its_number(evening: sqlite3.Connection) -> None:
    pairs, _ = read(EVENING)
    stored = [row[0].hex() for row in evening.execute("SELECT hash FROM records ORDER BY id")]
    assert stored == [identity(head, found.deal, found.number) for head, found in pairs]


def test_the_bytes_of_a_file_come_back(db: Database) -> None:
    for raw in (b"", b"\x00\xff broken \r\n", EVENING.encode("utf-16")):
        saved = save_file(db, FileMeta("f", "x"), raw, ())
        assert source_text(db.conn, saved.source) == raw
    assert source_text(db.conn, 99) is None


def test_the_packing_of_records_is_for_ever() -> None:
    """An archive is unpacked with the words it was packed with; these must not change."""
    assert hashlib.sha256(WORDS).hexdigest() == "961f09e9a3381d0ef0b22a2cd838d0b1ecffa02c50cbf9b22ab330105741818c"
    line, head = b'{"format":"schafkopf-record/1","game":"none"}', '{"format":"schafkopf-record/1"}'
    assert unpack_record(bytes.fromhex("239409a1b193074ead00"), head) == line
    assert unpack_record(pack_record(line, head), head) == line


def test_a_record_that_cannot_be_read_is_said(db: Database) -> None:
    store(db)
    broken = pack_record(b"{}", db.execute("SELECT head FROM sessions").fetchone()[0])
    db.execute("UPDATE records SET record = ? WHERE id = 2", (broken,))
    with pytest.raises(ArchiveError, match="record of deal 2 is damaged"):
        load_deal(db.conn, 2)


# --- end to end -------------------------------------------------------------------------------------------------------


def logs() -> list[Path]:
    return [SAMPLE, *sorted((real_games.FOLDER / "netschafkopf").glob("*.txt"))]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("path", logs(), ids=lambda path: re.sub(r"\W", "-", path.stem))
def test_a_log_is_stored_and_every_deal_judged_again_the_same(path: Path, db: Database) -> None:
    """Settings that were inferred from the whole session hold when a deal is judged alone."""
    raw = path.read_bytes()
    pairs, lone = pairs_of(netschafkopf.read(raw, Source(path.name)))
    assert pairs
    saved = save_file(db, FileMeta(path.name, netschafkopf.NAME), raw, pairs, lone)
    assert saved == SaveResult(1, len(pairs), 0, 1)
    for key, (_, found) in enumerate(pairs, 1):
        again = load_judgement(db.conn, key) or pytest.fail("no such deal")
        assert same_judgement(again, found)
        assert again.session.house == found.session.house
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    cards = sum(len(trick.cards) for _, found in pairs for trick in found.deal.tricks or ())
    assert db.execute("SELECT count(*) FROM plays").fetchone() == (cards,)


def test_what_lies_on_the_table_is_stored_before_and_after_a_deal() -> None:
    table = LedgerState(
        dealer=2, totals=(1, 2, -3, 0), stock=None, hausbock=2, stake=20, rounds=(("bock", 3),), queue=("bock", "kreuz")
    )
    assert state_of(state_text(table)) == table
    assert state_of('{"dealer":1,"totals":[0,0,0,0],"stock":null}') == LedgerState(
        dealer=1, totals=(0, 0, 0, 0), stock=None
    )


def test_the_state_after_a_deal_is_the_state_before_the_next(db: Database) -> None:
    carry = "carry = { stock = 80, hausbock = 2, stake = 10, totals = [0, 0, 0, 0] }\n"
    store(db, EVENING.replace("[[deal]]", carry + "\n[[deal]]", 1))
    rows = db.execute("SELECT state, state_after FROM deals ORDER BY id").fetchall()
    assert [state_of(after) for _, after in rows[:-1]] == [state_of(before) for before, _ in rows[1:]]
    assert db.execute("SELECT DISTINCT stock_after FROM ledger WHERE deal = 1").fetchall() == [(80,)]


def test_the_table_of_a_tournament_and_its_standings(db: Database) -> None:
    for place in ("1", "2"):
        evening = EVENING if place == "1" else another()
        store(db, evening.replace('rules = "pub"', f'rules = "pub"\ntable = "{place}"'), f"{place}.toml")
    assert db.execute("SELECT table_name FROM sessions").fetchall() == [("1",), ("2",)]
    rows = db.execute("SELECT event, player, deals, total, undecided FROM standings").fetchall()
    assert [row[0] for row in rows] == ["Stammtisch"] * 4
    assert [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
    assert {(row[2], row[4]) for row in rows} == {(4, 0)}, (
        "of each evening one deal is settled, one without tricks counts as written"
    )


def test_an_evening_of_special_rounds_is_judged_again_deal_by_deal_as_it_was(db: Database) -> None:
    house = {
        "bock": {"on": ["schwarz", "lost-alone"]},
        "kreuz": {"on": ["60-60", "tout"]},
        "hausbock": True,
        "knock": "anyone",
        "stock": {"amount": 10, "won_by": ["solo"]},
        "list": 12,
    }
    head = generate.session("bavarian", house, event="Open", table="1", list="List 1")
    deals = list(generate.deals(Random(4), head, 12))
    deals[7] = structs.replace(deals[7], players=("Emil", *head.players[1:]))
    found = list(judge_session(head, deals))
    save_file(db, FileMeta("open.toml", "record"), b"open", ((head, each) for each in found))
    assert any(each.before.rounds for each in found)
    for number, each in enumerate(found, 1):
        again = load_judgement(db.conn, number)
        assert (again.before, again.after) == (each.before, each.after)
        assert (again.verdict, again.settlement) == (each.verdict, each.settlement)
    in_force = [row[0] for row in db.execute("SELECT rounds FROM deals ORDER BY id")]
    assert any(in_force)
    assert [bool(row) for row in in_force] == [bool(each.before.rounds) for each in found]


# --- taken out of an archive, a record loses nothing: imported again, it is the same deal -----------------------------


# Other cards under another id: not the same deal once more.
ANOTHER = EVENING.replace("Stammtisch", "Another").replace("list-3/1", "list-4/1").replace("GK GA HK", "GK HK GA")


def store_both(db: Database) -> None:
    store(db)
    store(db, ANOTHER, "another.toml")


def hashes(db: Database) -> list[bytes]:
    return [row[0] for row in db.execute("SELECT hash FROM records ORDER BY id")]


def test_lines_imported_into_an_empty_archive_are_the_same_deals(db: Database, tmp_path: Path) -> None:
    store_both(db)
    lines = b"".join(export_lines(db.conn))
    other = open_archive(tmp_path / "other.db")
    save_file(other, FileMeta("e.jsonl", "x"), lines, *pairs_of(read_lines(lines, Source("e.jsonl"))))
    assert hashes(other) == hashes(db)
    assert b"".join(export_lines(other.conn)) == lines
    assert other.execute("SELECT count(*) FROM sessions").fetchone() == (2,)


def test_the_hash_of_a_line_without_what_was_added_is_the_hash_of_its_record(db: Database) -> None:
    store_both(db)
    for line, digest in zip(export_lines(db.conn), hashes(db), strict=True):
        told = json.loads(line)
        added = {told.pop(key, None) is None for key in ("correction", "ruling")}
        recorded = msgspec.json.encode(told)
        assert hashlib.sha256(recorded).digest()[:HASH] == digest
        assert added == {True} or recorded != line.rstrip(b"\n")


def test_a_session_file_imported_into_an_empty_archive_is_the_same_session(db: Database, tmp_path: Path) -> None:
    store_both(db)
    text = export_toml(db.conn, 2) or pytest.fail("no such session")
    other = open_archive(tmp_path / "other.db")
    store(other, text)
    assert hashes(other) == hashes(db)[4:]
    assert export_toml(other.conn, 1) == text


def test_one_session_is_exported_alone(db: Database) -> None:
    store_both(db)
    assert len(list(export_lines(db.conn, 2))) == 4
    assert list(export_lines(db.conn, 99)) == []
    assert export_toml(db.conn, 99) is None


def test_deals_that_are_not_at_their_place_are_numbered(tmp_path: Path) -> None:
    """A file whose first deals were in the archive before, in another session."""
    db = open_archive(tmp_path / "a.db")
    store(db, HEAD + "".join(DEALS))
    db.execute("DELETE FROM records WHERE id = 2")
    text = export_toml(db.conn, 1) or pytest.fail("no such session")
    deals = [each for each in read_toml(text.encode(), Source("e")) if isinstance(each, Deal)]
    assert [deal.no for deal in deals] == [None, 3, 4]


@settings(max_examples=examples(8, 40), suppress_health_check=list(HealthCheck))
@given(evenings())
def test_any_record_is_exported_without_loss(evening: tuple[Session, tuple[Deal, ...]]) -> None:
    session, deals = evening
    pairs = [(session, unjudged(session, deal, n if deal.no is None else deal.no)) for n, deal in enumerate(deals, 1)]
    with empty_archives(2) as (db, other):
        save_file(db, FileMeta("e", "x"), b"x", pairs)
        items = list(read_lines(b"".join(export_lines(db.conn)), Source("e")))
        heads = [each for each in items if isinstance(each, Session)]
        back = [each for each in items if isinstance(each, Deal)]
        assert len(heads) <= 1
        again = [(heads[0], unjudged(heads[0], deal, deal.no or 0)) for deal in back]
        save_file(other, FileMeta("e", "x"), b"x", again)
        assert hashes(other) == hashes(db)


def test_outcomes_are_exported_as_csv(db: Database) -> None:
    store_both(db)
    out = io.StringIO(newline="")
    export_outcomes(db.conn, out)
    head, *rows = csv.reader(io.StringIO(out.getvalue()))
    assert head == [column[0] for column in db.execute("SELECT * FROM outcomes").description]
    assert [row[head.index("deal")] for row in rows] == [str(n) for n in range(1, 9)]
    first = dict(zip(head, rows[0], strict=True))
    assert (first["declarer"], first["price"], first["loser"], first["runners"]) == ("Ben", "320", "", "6")
    alone = io.StringIO(newline="")
    export_outcomes(db.conn, alone, session=2)
    assert [row[0] for row in csv.reader(io.StringIO(alone.getvalue()))][1:] == ["5", "6", "7", "8"]
