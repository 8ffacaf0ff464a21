"""The store: a file is in the archive whole or not at all, once, and comes out as it was recorded."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec import structs
from sqlite_utils import Database

from archive.audit import Judgement, Table
from archive.audit.stream import with_heads
from archive.notation import identity, read_lines, read_toml, write_line
from archive.record import Deal, Finding, Session, Source, finding
from archive.store import (
    ArchiveError,
    FileMeta,
    Saved,
    counts,
    find_deal,
    judged,
    load_deal,
    neighbours,
    newest,
    open_archive,
    open_read,
    save_file,
    session_row,
    session_rows,
    sessions,
    source_text,
)
from archive.store.describe import columns, described, descriptions
from archive.store.packing import WORDS, pack_record, unpack_record
from archive.store.schema import MIGRATIONS
from archive.store.views import VIEWS
from importers import netschafkopf
from tests import real_games
from tests.strategies import evenings

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_games" / "valid" / "netschafkopf.txt"
HEAD = """\
format = "schafkopf-record/1"
event = "Stammtisch"
date = 2026-11-14
unit = "ct"
rules = "pub"
players = ["Anna", "Ben", "Cem", "Dora"]
house = { tariff = "10/20/50" }
"""
DEALS = (
    """
[[deal]]
id = "list-3/1"
dealer = "Dora"
hands = [
    "Anna: E8 H9 H8 G8 HU HK SA SU",
    "Ben: EU G9 SO S9 EK GO GU EO",
    "Cem: H7 E7 G7 GK GZ EA SK S8",
    "Dora: HO GA HA S7 EZ HZ SZ E9",
]
knocks = ["Ben"]
auction = ["Anna pass", "Ben play", "Cem pass", "Dora pass"]
game = "Ben rufspiel G"
doubles = ["@1.2 Cem kontra"]
tricks = [
    "SU EO H7 HA",
    "S9 S8 S7 SA",
    "HU EU GZ HO",
    "SZ G8 GU SK",
    "EK EA E9 E8",
    "E7 EZ H8 GO",
    "SO G7 HZ H9",
    "G9 GK GA HK",
]
events = ["@3.1 Cem announces re by Anna"]
stated.points = 75
stated.runners = 6
stated.price = 160
stated.steps = ["base 20: The call.", "runners 6 80"]
stated.payments = [-160, 160, -160, 160]
""",
    """
[[deal]]
dealer = "Anna"
game = "none"
""",
    """
[[deal]]
dealer = "Anna"
game = "none"
""",
    """
[[deal]]
dealer = "Ben"
game = "Cem wenz"
exchange = ["Anna > Cem: E7"]
stated.won = true
stated.payments = [-50, -50, 150, -50]
correction = [{ by = "Dora", when = "2026-11-15", why = "misread", set = { game = "Cem wenz" } }]
ruling = [{ by = "Anna", when = "2026-11-16", why = "agreed", payments = [-40, -40, 120, -40], cite = "house" }]
""",
)
EVENING = HEAD + "".join(DEALS)
Pairs = list[tuple[Session, Judgement]]


def pairs_of(items: Any) -> tuple[Pairs, list[Finding]]:
    found = list(with_heads(items))
    return [each for each in found if not isinstance(each, Finding)], [
        each for each in found if isinstance(each, Finding)
    ]


def read(text: str, path: str = "evening.toml") -> tuple[Pairs, list[Finding]]:
    raw = text.encode()
    return pairs_of(read_toml(raw, Source(path, sha256=hashlib.sha256(raw).hexdigest())))


def store(db: Database, text: str = EVENING, path: str = "evening.toml") -> Saved:
    return save_file(db, FileMeta(path, "record-toml"), text.encode(), *read(text, path))


def unjudged(session: Session, deal: Deal, number: int) -> Judgement:
    """A judgement without a replay, as where the rules cannot be read."""
    return Judgement(
        session=session, deal=deal, number=number, before=Table(), after=Table(), ruleset=None, replay=None,
        settlement=None, findings=(), verdict="unplayable", reason="No such rules.", missing=(),
    )  # fmt: skip


def dump(db: Database) -> list[str]:
    return list(db.conn.iterdump())


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    db = open_archive(tmp_path / "archive.db")
    yield db
    db.close()


@pytest.fixture
def evening(db: Database, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    store(db)
    conn = open_read(tmp_path / "archive.db")
    yield conn
    conn.close()


# --- the schema -----------------------------------------------------------------------------------------------------


def test_every_table_is_strict(db: Database) -> None:
    strict = {row[1] for row in db.execute("PRAGMA table_list") if row[5]}
    assert strict == set(descriptions()) - set(VIEWS)


def test_foreign_keys_are_enforced(db: Database) -> None:
    assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO calls VALUES (1, 1, 1, 'pass')")


def test_every_foreign_key_is_indexed(db: Database) -> None:
    """Else taking back a file would read whole tables."""
    for table in set(descriptions()) - set(VIEWS):
        leading = {row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5] == 1}
        for index in db.execute(f"PRAGMA index_list({table})").fetchall():
            leading.add(db.execute(f"PRAGMA index_info({index[1]})").fetchone()[2])
        for key in db.execute(f"PRAGMA foreign_key_list({table})"):
            assert key[3] in leading, (table, key[3])


def test_the_archive_keeps_a_write_ahead_log_that_an_import_empties(db: Database, tmp_path: Path) -> None:
    assert db.journal_mode == "wal"
    store(db)
    assert (tmp_path / "archive.db-wal").stat().st_size == 0


def test_every_table_and_column_is_described(db: Database) -> None:
    there = {row[1] for row in db.execute("PRAGMA table_list") if not row[1].startswith(("sqlite_", "_"))}
    assert there == set(descriptions())
    for table, words in descriptions().items():
        assert [name for name, _, _ in columns(db.conn, table)] == list(words.columns), table


def test_the_page_of_the_schema_is_current(db: Database) -> None:
    assert (ROOT / "docs" / "schema.md").read_text("utf-8") == described(db.conn)


# --- migrations and opening -----------------------------------------------------------------------------------------


def test_migrations_are_recorded_and_run_once(db: Database, tmp_path: Path) -> None:
    steps = [step.name for step in MIGRATIONS.applied(db)]
    assert steps == ["m001_first"]
    before = dump(db)
    db.close()
    again = open_archive(tmp_path / "archive.db")
    assert dump(again) == before


def test_a_migration_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(db: Database) -> None:
        db.execute("CREATE TABLE half (id INTEGER)")
        db.execute("CREATE TABLE half (id INTEGER)")

    open_archive(tmp_path / "archive.db").close()
    steps = [*MIGRATIONS._migrations, MIGRATIONS._Migration("m002_half", half)]
    monkeypatch.setattr(MIGRATIONS, "_migrations", steps)
    with pytest.raises(ArchiveError, match="half"):
        open_archive(tmp_path / "archive.db")
    tables = sqlite3.connect(tmp_path / "archive.db").execute("SELECT name FROM sqlite_master").fetchall()
    assert ("half",) not in tables


@pytest.mark.parametrize("opens", [open_archive, open_read])
def test_an_archive_of_a_newer_version_is_refused(opens: Any, db: Database, tmp_path: Path) -> None:
    MIGRATIONS._record_applied(db, "m999_future")
    with pytest.raises(ArchiveError, match=r"newer version \(it has m999_future\)"):
        opens(tmp_path / "archive.db")


def test_an_archive_of_an_older_version_is_not_read(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [*MIGRATIONS._migrations, MIGRATIONS._Migration("m002_next", lambda db: None)]
    monkeypatch.setattr(MIGRATIONS, "_migrations", steps)
    with pytest.raises(ArchiveError, match="older version"):
        open_read(tmp_path / "archive.db")
    open_archive(tmp_path / "archive.db").close()
    open_read(tmp_path / "archive.db").close()


@pytest.mark.parametrize("opens", [open_archive, open_read])
def test_a_file_that_is_no_archive_is_refused_and_left_alone(opens: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE mine (id INTEGER)").connection.close()
    (tmp_path / "text.db").write_text("no database at all, but long enough to be taken for the header of one, " * 9)
    for path in (other, tmp_path / "text.db"):
        before = path.read_bytes()
        with pytest.raises(ArchiveError, match="is no archive"):
            opens(path)
        assert path.read_bytes() == before


def test_a_missing_archive_is_said_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="There is no archive"):
        open_read(tmp_path / "missing.db")
    assert not (tmp_path / "missing.db").exists()


def test_a_folder_is_said_to_be_no_archive(tmp_path: Path) -> None:
    for opens in (open_archive, open_read):
        with pytest.raises(ArchiveError):
            opens(tmp_path)


def test_reading_cannot_write(evening: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        evening.execute("DELETE FROM records")


# --- one file, one transaction --------------------------------------------------------------------------------------


def test_a_file_imported_twice_changes_nothing(db: Database) -> None:
    assert store(db) == Saved(source=1, added=4, known=0, sessions=1)
    before = dump(db)
    assert store(db) == Saved(source=1, added=0, known=4, sessions=0)
    assert store(db, path="copy.toml") == Saved(source=1, added=0, known=4, sessions=0)
    assert dump(db) == before


def test_two_equal_thrown_in_deals_of_one_evening_stay_two(evening: sqlite3.Connection) -> None:
    assert [row[0] for row in evening.execute("SELECT number FROM deals WHERE contract = 'none'")] == [2, 3]


def test_a_deal_known_from_another_file_is_not_stored_again(db: Database) -> None:
    store(db)
    pairs, _ = read(EVENING)
    lines = b"\n".join(write_line(head, found.deal) for head, found in pairs)
    saved = save_file(db, FileMeta("e.jsonl", "record-lines"), lines, *pairs_of(read_lines(lines, Source("e.jsonl"))))
    assert saved == Saved(source=2, added=0, known=4, sessions=0)
    assert counts(db.conn)["deals"] == 4


def test_a_line_that_stands_twice_in_a_file_is_one_deal(db: Database) -> None:
    pairs, _ = read(EVENING)
    assert save_file(db, FileMeta("e", "x"), b"x", [*pairs, pairs[0]]) == Saved(1, 4, 1, 1)


def test_a_file_that_has_grown_goes_on_with_its_session(db: Database) -> None:
    store(db, HEAD + "".join(DEALS[:2]))
    assert store(db) == Saved(source=2, added=2, known=2, sessions=0)
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
    assert store(db) == Saved(1, 4, 0, 1)


def test_what_sqlite_refuses_is_said_and_leaves_nothing(db: Database) -> None:
    before = dump(db)
    pairs, _ = read(EVENING)
    wrong = structs.replace(pairs[3][1], verdict="perhaps")
    with pytest.raises(ArchiveError, match="evening.toml could not be stored, and nothing of it was"):
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
    assert save_file(db, FileMeta("e", "x"), b"x", [*pairs, *pairs]) == Saved(1, 4, 4, 1)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_numbers_of_deals_are_never_given_twice(db: Database) -> None:
    store(db)
    db.execute("DELETE FROM records")
    db.execute("DELETE FROM sessions")
    db.execute("DELETE FROM sources")
    assert counts(db.conn)["deals"] == 0
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


# --- what comes out again -------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(evenings())
def test_any_record_comes_out_as_it_went_in(evening: tuple[Session, tuple[Deal, ...]]) -> None:
    session, deals = evening
    db = open_archive(":memory:")
    pairs = [(session, unjudged(session, deal, deal.no if deal.no is not None else n)) for n, deal in enumerate(deals)]
    saved = save_file(db, FileMeta("e", "x"), b"x", pairs)
    assert saved.added == len({identity(head, found.deal, found.number) for head, found in pairs})
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    for head, found in pairs:
        (key,) = find_deal(db.conn, identity(head, found.deal, found.number))
        loaded = load_deal(db.conn, key)
        assert loaded is not None
        assert structs.replace(loaded[0], source=None) == session
        assert structs.replace(loaded[1], source=None) == found.deal
    db.close()


def test_a_deal_is_loaded_with_its_place_and_the_table_it_was_judged_in(evening: sqlite3.Connection) -> None:
    pairs, _ = read(EVENING)
    for key, (_, found) in enumerate(pairs, 1):
        _, deal, before = load_deal(evening, key) or pytest.fail()
        assert deal.source == found.deal.source
        assert before == found.before


def test_a_deal_is_judged_again_alone_as_it_was_in_its_session(evening: sqlite3.Connection) -> None:
    pairs, _ = read(EVENING)
    for key, (_, found) in enumerate(pairs, 1):
        again = judged(evening, key) or pytest.fail()
        assert same_judgement(again, found)
    assert judged(evening, 99) is None


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
    with pytest.raises(ArchiveError, match="record of deal 2 cannot be read"):
        load_deal(db.conn, 2)


# --- finding and listing --------------------------------------------------------------------------------------------


def test_a_deal_is_found_by_number_by_its_own_id_and_by_its_hash(evening: sqlite3.Connection) -> None:
    first = evening.execute("SELECT hex(hash) FROM records WHERE id = 1").fetchone()[0]
    assert find_deal(evening, "1") == [1]
    assert find_deal(evening, "list-3/1") == [1]
    for length in (7, 8, 64):
        assert find_deal(evening, first[:length].lower()) == [1]
        assert find_deal(evening, first[:length].upper()) == [1]
    assert find_deal(evening, first + "0") == []
    assert find_deal(evening, first[:3]) in ([], [int(first[:3])] if first[:3].isdecimal() else [])


@pytest.mark.parametrize("text", ["", "0", "5", "-1", "1.0", "²", "list-3", "9" * 30, "zzzz", "a b c d", "%", "' OR 1"])
def test_what_names_no_deal_finds_none(evening: sqlite3.Connection, text: str) -> None:
    assert find_deal(evening, text) == []


def test_a_number_of_the_archive_comes_before_an_own_id(db: Database) -> None:
    store(db, EVENING.replace("list-3/1", "2"))
    assert find_deal(db.conn, "2") == [2]


def test_neighbours_are_of_the_same_session(db: Database) -> None:
    store(db)
    store(db, EVENING.replace("Stammtisch", "Another"))
    assert [neighbours(db.conn, key) for key in (1, 2, 4, 5, 8, 99)] == [
        (None, 2), (1, 3), (3, None), (None, 6), (7, None), (None, None),
    ]  # fmt: skip


def test_the_newest_deals_come_first_and_can_be_chosen(evening: sqlite3.Connection) -> None:
    assert [row["deal"] for row in newest(evening)] == [4, 3, 2, 1]
    assert [row["deal"] for row in newest(evening, limit=1, offset=1)] == [3]
    assert [row["deal"] for row in newest(evening, contract="none")] == [3, 2]
    verdict = newest(evening, contract="wenz")[0]["verdict"]
    assert [row["deal"] for row in newest(evening, contract="wenz", verdict=verdict)] == [4]
    assert newest(evening, contract="bettel") == []


def test_counts_are_of_what_is_there(evening: sqlite3.Connection) -> None:
    found = counts(evening)
    assert {key: found[key] for key in ("sources", "sessions", "players", "deals")} == {
        "sources": 1, "sessions": 1, "players": 4, "deals": 4,
    }  # fmt: skip
    assert found["contracts"] == {"none": 2, "rufspiel": 1, "wenz": 1}
    assert sum(found["verdicts"].values()) == 4


def test_sessions_are_listed_with_their_deals(evening: sqlite3.Connection) -> None:
    assert [(row["event"], row["deals"]) for row in sessions(evening)] == [("Stammtisch", 4)]
    assert (session_row(evening, 1) or {})["path"] == "evening.toml"
    assert session_row(evening, 2) is None
    rows = session_rows(evening, 1)
    assert [each["player"] for each in rows[0]["ledger"]] == ["Anna", "Ben", "Cem", "Dora"]
    assert session_rows(evening, 2) == []


# --- views ----------------------------------------------------------------------------------------------------------


def answers(conn: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(sql)]


def test_outcomes_is_one_readable_row_a_deal(evening: sqlite3.Connection) -> None:
    row = dict(evening.execute("SELECT * FROM outcomes WHERE deal = 1").fetchone())
    assert row == {
        "deal": 1, "viewer": "/deals/1", "session": 1, "number": 1, "date": "2026-11-14", "event": "Stammtisch",
        "place": None, "rules": "pub", "contract": "rufspiel", "suit": "G", "called": "GA", "tout": 0,
        "declarer": "Ben", "partner": "Dora", "loser": None, "won": 1, "side_points": 75, "schneider": 0, "schwarz": 0,
        "runners": 6, "runners_paid": 1, "knocks": 1, "doubles": 1, "multiplier": 4, "price": 320, "unit": "ct",
        "verdict": "differs", "reason": row["reason"],
    }  # fmt: skip


def test_plays_tells_who_played_each_card(evening: sqlite3.Connection) -> None:
    """Against the hands: whoever was dealt a card played it."""
    pairs, _ = read(EVENING)
    hands = pairs[0][1].deal.hands or ()
    played = answers(evening, "SELECT code, player FROM plays WHERE deal = 1")
    owners = {
        card: name for hand, name in zip(hands, ("Anna", "Ben", "Cem", "Dora"), strict=True) for card in hand or ()
    }
    assert dict(played) == owners
    assert len(played) == 32
    sums = answers(evening, "SELECT sum(won_trick), sum(led), sum(trick_points * led) FROM plays WHERE deal = 1")
    assert sums == [(8, 8, 120)]


def test_ledger_has_stated_and_computed_side_by_side(evening: sqlite3.Connection) -> None:
    rows = answers(evening, "SELECT player, payment, total, stated_payment FROM ledger WHERE deal = 1")
    assert rows == [
        ("Anna", -320, -320, -160), ("Ben", 320, 320, 160), ("Cem", -320, -320, -160), ("Dora", 320, 320, 160),
    ]  # fmt: skip


def test_player_results_add_up(evening: sqlite3.Connection) -> None:
    assert answers(evening, "SELECT sum(balance) FROM player_results") == [(0,)]
    ben = evening.execute("SELECT * FROM player_results WHERE player = 'Ben'").fetchone()
    assert (ben["unit"], ben["declared"], ben["declared_won"], ben["partnered"]) == ("ct", 1, 1, 0)


def test_runner_stats_count_signed_runners(evening: sqlite3.Connection) -> None:
    rows = answers(evening, "SELECT * FROM runner_stats WHERE contract = 'rufspiel'")
    assert rows == [("rufspiel", 6, 1, 1, 1, 1.0)]


def test_disputes_show_stated_computed_and_ruled(evening: sqlite3.Connection) -> None:
    first, last = evening.execute("SELECT * FROM disputes ORDER BY deal").fetchall()
    assert json.loads(first["stated_payments"]) == [-160, 160, -160, 160]
    assert json.loads(first["computed_payments"]) == [-320, 320, -320, 320]
    assert (first["stated_price"], first["computed_price"], first["ruled_by"]) == (160, 320, None)
    assert (last["deal"], json.loads(last["ruled_payments"]), last["ruled_by"]) == (4, [-40, -40, 120, -40], "Anna")


def test_the_small_tables_hold_what_was_recorded(evening: sqlite3.Connection) -> None:
    assert answers(evening, "SELECT n, seat, call FROM calls") == [
        (1, 1, "pass"),
        (2, 2, "play"),
        (3, 3, "pass"),
        (4, 4, "pass"),
    ]
    assert answers(evening, "SELECT n, seat, word, trick, card FROM doubles") == [
        (1, 2, "knock", None, None), (2, 3, "kontra", 1, 2),
    ]  # fmt: skip
    assert answers(evening, "SELECT giver, taker, cards FROM exchanges") == [(1, 3, "E7")]
    assert answers(evening, "SELECT seat, verb, moment, arg, by_seat FROM events") == [(3, "announces", "3.1", "re", 1)]
    assert answers(evening, "SELECT steps, points, runners FROM stated WHERE deal_id = 1") == [
        ("base 20, runners 6 80", 75, 6)
    ]
    assert answers(evening, "SELECT author, made_at, why, after FROM corrections") == [
        ("Dora", "2026-11-15", "misread", '{"game":"Cem wenz"}')
    ]
    assert answers(evening, "SELECT leader, winner, points, cards FROM tricks WHERE trick = 1") == [
        (1, 2, 16, "SU EO H7 HA")
    ]
    assert answers(evening, "SELECT place, dealt, held, declaring FROM seats WHERE deal_id = 1 AND seat = 4") == [
        (4, "HO GA HA S7 EZ HZ SZ E9", None, 1)
    ]


def test_the_viewer_column_is_the_number_of_the_deal(evening: sqlite3.Connection) -> None:
    assert answers(evening, "SELECT id - viewer FROM deals") == [(0,)] * 4


# --- end to end -----------------------------------------------------------------------------------------------------


def logs() -> list[Path]:
    return [SAMPLE, *sorted((real_games.FOLDER / "netschafkopf").glob("*.txt"))]


@pytest.mark.parametrize("path", logs(), ids=lambda path: re.sub(r"\W", "-", path.stem))
def test_a_log_is_stored_and_every_deal_judged_again_the_same(path: Path, db: Database) -> None:
    """Settings that were inferred from the whole session hold when a deal is judged alone."""
    raw = path.read_bytes()
    pairs, lone = pairs_of(netschafkopf.read(raw, Source(path.name)))
    assert pairs
    saved = save_file(db, FileMeta(path.name, netschafkopf.NAME), raw, pairs, lone)
    assert saved == Saved(1, len(pairs), 0, 1)
    for key, (_, found) in enumerate(pairs, 1):
        again = judged(db.conn, key) or pytest.fail()
        assert same_judgement(again, found)
        assert again.session.house == found.session.house
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    cards = sum(len(trick.cards) for _, found in pairs for trick in found.deal.tricks or ())
    assert db.execute("SELECT count(*) FROM plays").fetchone() == (cards,)
