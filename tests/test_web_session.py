"""The page of a session: the sheet, what lies on the table between deals, the proof, the standings of an event."""

from pathlib import Path
from random import Random

import generate
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from archive.audit import Table, judge_session
from archive.audit.standings import standings as audited
from archive.audit.stream import with_heads
from archive.notation import read_toml
from archive.record import Finding, Source
from archive.store import FileMeta, event_deals, open_archive, save_file, standing_rows
from archive.web import books
from archive.web.app import create_app
from archive.web.texts import TEXTS

T = TEXTS["en"]
LIST = """\
format = "schafkopf-record/1"
event = "Open"
table = "{table}"
rules = "bavarian"
players = [{players}]
house = {{ stock = {{ amount = 10, won_by = ["solo"] }}, standings = ["wins"] }}
carry = {{ stock = 40 }}

[[deal]]
dealer = "{last}"
game = "none"
stated.totals = [{totals}]

[[deal]]
game = "none"
"""


def archive(path: Path, totals: str = "-10, -10, -10, -10") -> FlaskClient:
    db = open_archive(path / "a.db")
    for table, names in (("1", "Anna Ben Cem Dora"), ("2", "Emil Franz Gerda Hans")):
        players = names.split()
        quoted = ", ".join(f'"{name}"' for name in players)
        raw = LIST.format(table=table, players=quoted, last=players[-1], totals=totals).encode()
        judged = [each for each in with_heads(read_toml(raw, Source("x.toml"))) if not isinstance(each, Finding)]
        save_file(db, FileMeta(f"{table}.toml", "record"), raw, judged)
    db.close()
    return create_app(path / "a.db").test_client()


def test_the_pot_stands_before_and_after_each_deal(tmp_path: Path) -> None:
    html = archive(tmp_path).get("/sessions/1").text
    assert "40 → 80" in html
    assert "80 → 120" in html
    assert T["k_hausbock"] not in html, "a column only where it is used"
    assert T["zero"] in html
    assert T["pot"].format(amount="+80") in html
    assert T["first_break"] not in html


def test_the_first_break_of_the_stated_totals_is_named(tmp_path: Path) -> None:
    html = archive(tmp_path, "-10, -10, -10, 0").get("/sessions/2").text
    assert T["first_break"] in html
    assert 'href="/deals/3"' in html.split(T["first_break"])[1].split("</p>")[0]


def test_a_table_of_an_event_shows_the_standings_of_all_tables(tmp_path: Path) -> None:
    html = archive(tmp_path).get("/sessions/1").text
    standings = html.split('id="standings"')[1]
    assert all(name in standings for name in ("Anna", "Hans"))
    assert "table 1" in html


def test_columns_tell_what_changed() -> None:
    lying = Table(stock=None, hausbock=2, rounds=(("bock", 4),), queue=("bock", "bock", "kreuz"), stake=1)
    told = {
        column.title: column.cells for column in books.columns([(Table(), lying), (lying, lying), (lying, None)], T)
    }
    assert told[T["k_stock"]] == ("0 → ?", "?", "?"), "an archive of the first version has no state after a deal"
    assert told[T["k_rounds"]][:2] == ("0 → bock 4", "bock 4")
    assert told[T["k_queue"]][1] == "2 bock, 1 kreuz"
    assert told[T["k_hausbock"]][0] == "0 → 2"
    assert books.columns([(Table(), Table())], T) == ()


@pytest.mark.parametrize("substitute", ["own", "seat"])
def test_the_standings_of_the_archive_are_those_of_the_judgements(tmp_path: Path, substitute: str) -> None:
    db = open_archive(tmp_path / "a.db")
    for table, names in (("1", "Anna Ben Cem Dora"), ("2", "Emil Franz Gerda Hans")):
        players = tuple(names.split())
        house = {"substitute": substitute, "stock": {"amount": 10, "won_by": ["solo"]}, "standings": ["wins", "solos"]}
        head = generate.session("bavarian", house, event="Open", table=table, players=players)
        deals = list(generate.deals(Random(table), head, 8))
        deals[5] = replace(deals[5], players=(*players[:3], f"Substitute {table}"), dealer=deals[5].dealer)
        deals[6] = replace(deals[6], tricks=None)
        judged = [(head, each) for each in judge_session(head, deals)]
        save_file(db, FileMeta(f"{table}.toml", "record"), table.encode(), judged)
    rows, by = standing_rows(db.conn, 1)
    assert by == ["wins", "solos"]
    expected = audited(event_deals(db.conn, "Open"))
    assert any(row.undecided for row in expected)
    told = [(each.place, each.player, each.undecided, each.best) for each in books.standings(rows, by)]
    assert told == [(row.rank, row.player, row.undecided, books.signed(row.best)) for row in expected]
    assert [tuple(row.values()) for row in rows] == db.execute("SELECT * FROM standings").fetchall()
    assert {books._row(row).player: books._row(row).total for row in rows} == {
        row.player: row.total for row in expected
    }
    facts = {row["player"]: (row["deals"], row["won"], row["solos_won"], row["touts_won"]) for row in rows}
    assert facts == {row.player: (row.deals, row.wins, row.solos, row.touts) for row in expected}
    db.close()
