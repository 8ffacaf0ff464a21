"""Finding and listing deals, and what the views answer."""

import json
import sqlite3
from hashlib import sha256
from typing import Any

import pytest
from support.paths import ROOT
from support.store_samples import EVENING, another, pairs_of, read, store

from archive.cli.inputs import open_files
from archive.store import Database, FileMeta, export_lines, find_deal, neighbours, save_file, session_row, session_rows

# --- finding and listing ----------------------------------------------------------------------------------------------


def test_a_deal_is_found_by_number_by_its_own_id_and_by_its_hash(evening: sqlite3.Connection) -> None:
    first = evening.execute("SELECT hex(hash) FROM records WHERE id = 1").fetchone()[0]
    assert find_deal(evening, "1") == [1]
    assert find_deal(evening, "list-3/1") == [1]
    for length in (4, 7, 32):
        assert find_deal(evening, first[:length].lower()) == [1]
        assert find_deal(evening, first[:length].upper()) == [1]
    (line, *_) = export_lines(evening)
    whole = sha256(line.rstrip(b"\n")).hexdigest()
    assert find_deal(evening, whole) == [1]
    assert find_deal(evening, whole[:-1] + "z") == []
    assert find_deal(evening, first + "0") == []
    assert find_deal(evening, first[:3]) == []


@pytest.mark.parametrize("text", ["", "0", "5", "-1", "1.0", "²", "list-3", "9" * 30, "zzzz", "a b c d", "%", "' OR 1"])
def test_what_names_no_deal_finds_none(evening: sqlite3.Connection, text: str) -> None:
    assert find_deal(evening, text) == []


def test_a_number_of_the_archive_comes_before_an_own_id(db: Database) -> None:
    store(db, another().replace("list-4/1", "2"), "another.toml")
    assert find_deal(db.conn, "2") == [2]


def test_neighbours_are_of_the_same_session(db: Database) -> None:
    store(db)
    store(db, another(), "another.toml")
    assert [neighbours(db.conn, key) for key in (1, 2, 4, 5, 8, 99)] == [
        (None, 2), (1, 3), (3, None), (None, 6), (7, None), (None, None),
    ]  # fmt: skip


def test_a_session_has_the_path_of_its_file(evening: sqlite3.Connection) -> None:
    assert (session_row(evening, 1) or {})["path"] == "evening.toml"
    assert session_row(evening, 2) is None
    rows = session_rows(evening, 1)
    assert [each["player"] for each in rows[0]["ledger"]] == ["Anna", "Ben", "Cem", "Dora"]
    assert session_rows(evening, 2) == []


# --- views ------------------------------------------------------------------------------------------------------------


def answers(conn: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(sql)]


def test_outcomes_is_one_readable_row_a_deal(evening: sqlite3.Connection) -> None:
    row = dict(evening.execute("SELECT * FROM outcomes WHERE deal = 1").fetchone())
    assert row == {
        "deal": 1, "viewer": "/deals/1", "session": 1, "number": 1, "date": "2026-11-14", "event": "Stammtisch",
        "place": None, "rules": "pub", "contract": "rufspiel", "suit": "G", "called": "GA", "tout": 0,
        "declarer": "Ben", "partner": "Dora", "loser": None, "won": 1, "side_points": 75, "schneider": 0, "schwarz": 0,
        "runners": 6, "runners_paid": 1, "knocks": 1, "doubles": 1, "multiplier": 4, "price": 320, "unit": "ct",
        "verdict": "differs", "reason": row["reason"], "faces": "german", "suit_name": "Gras",
        "called_name": "Gras-Sau", "marks": None, "chalk": None, "basis": "cards",
        "rounds": row["rounds"], "muss": 0, "bid": None, "cut": None, "hochzeit": None, "score": "amounts",
        "alone": 0, "partner_inferred": 0, "runner_count": None, "annulled": 0,
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


def test_disputes_show_stated_computed_ruled_and_settled(evening: sqlite3.Connection) -> None:
    first, last = evening.execute("SELECT * FROM disputes ORDER BY deal").fetchall()
    assert json.loads(first["stated_payments"]) == [-160, 160, -160, 160]
    assert json.loads(first["computed_payments"]) == [-320, 320, -320, 320]
    assert (first["stated_price"], first["computed_price"], first["ruled_by"]) == (160, 320, None)
    assert (last["deal"], json.loads(last["ruled_payments"]), last["ruled_by"]) == (4, [-40, -40, 120, -40], "Anna")
    assert (last["ruled_cite"], last["ruled_at"], last["rulings"]) == ("house", "2026-11-16", 1)
    assert json.loads(first["settled_payments"]) == json.loads(first["computed_payments"])
    assert json.loads(last["settled_payments"]) == json.loads(last["ruled_payments"])


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


# --- plays, and who pays without playing ------------------------------------------------------------------------------


def save_samples(db: Database, *names: str) -> None:
    for name in names:
        path = ROOT / "sample_games" / "valid" / name
        (file,) = open_files(path, None)
        pairs, findings = pairs_of(file.items())
        save_file(db, FileMeta(name, "sample"), path.read_bytes(), pairs, findings)


def test_a_play_says_position_side_and_what_the_card_counts_as(evening: sqlite3.Connection) -> None:
    sql = """SELECT code, player, position, place, side, counts_as, led, won_trick FROM plays
        WHERE deal = 1 AND trick = 1"""
    assert answers(evening, sql) == [
        ("SU", "Anna", 1, 1, "defence", "trump", 1, 0),
        ("EO", "Ben", 2, 2, "declarer", "trump", 0, 1),
        ("H7", "Cem", 3, 3, "defence", "trump", 0, 0),
        ("HA", "Dora", 4, 4, "declarer", "trump", 0, 0),
    ]
    sql = "SELECT counts_as, count(*) FROM plays WHERE deal = 1 GROUP BY 1 ORDER BY 1"
    assert answers(evening, sql) == [("E", 6), ("G", 6), ("S", 6), ("trump", 14)]
    assert answers(evening, "SELECT count(*) FROM plays WHERE position <> card") == [(0,)]


def test_where_everybody_plays_alone_the_side_says_so(db: Database) -> None:
    save_samples(db, "ramsch.toml")
    sql = "SELECT p.side FROM plays p JOIN deals d ON d.id = p.deal WHERE d.contract = 'ramsch'"
    sides = {row[0] for row in db.execute(sql)}
    assert sides == {"alone"}


def test_who_sits_out_and_pays_has_it_in_the_balance_and_has_not_played(db: Database) -> None:
    """As in `standings`, whose totals and deals are those of the balance."""
    save_samples(db, "palatinate-four.toml", "five-at-the-table.toml")
    out = "s.place IS NULL AND s.declaring IS NULL"
    (paid,) = db.execute(f"SELECT count(*) FROM seats s WHERE {out} AND s.payment <> 0").fetchone()
    assert paid > 0
    balances = "SELECT unit, player, sum(balance) FROM player_results GROUP BY 1, 2 ORDER BY 1, 2"
    totals = "SELECT unit, player, sum(total) FROM standings GROUP BY 1, 2 ORDER BY 1, 2"
    assert db.execute(balances).fetchall() == db.execute(totals).fetchall()
    played = """SELECT p.name, count(*) FROM seats s JOIN players p ON p.id = s.player_id
        JOIN deals d ON d.id = s.deal_id WHERE NOT ({}) AND d.contract <> 'none' GROUP BY 1 ORDER BY 1"""
    deals = "SELECT player, sum(deals) FROM player_results GROUP BY 1 ORDER BY 1"
    assert db.execute(deals).fetchall() == db.execute(played.format(out)).fetchall()
