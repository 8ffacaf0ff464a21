"""One definition of who was alone, who was partner, who played: standings, statistics, views and pages agree."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.running import run
from support.samples import VALID

from archive.cli.inputs import open_files
from archive.judge.judge_stream import judge_with_heads
from archive.record import Finding
from archive.stats import QUESTIONS
from archive.stats.event_standings import standings
from archive.store import open_read
from archive.store.derived_rows import wrong_deals
from archive.store.session_accounts import SessionAccounts
from archive.web.app import create_app
from archive.web.players.queries import constellation_rows, extreme_deals, find_players, running_rows
from archive.web.search.queries import find_players_by_name

NO_PARTNER = """Herbstturnier
Nr;Spiel;Spieler;Ergebnis;Anna;Ben;Cem;Dora
1;Sauspiel;Anna;gewonnen;20;-20;20;-20
2;Sauspiel;Anna;gewonnen;20;-20;-20;20
3;Solo;Ben;gewonnen;-50;150;-50;-50
4;Sauspiel;Dora;verloren;20;20;-20;-20
"""
START_ROW = """Nr;Spiel;Spieler;Mitspieler;Anna;Ben;Cem;Dora
0;;;;0;0;0;0
1;Sauspiel;Anna;Cem;20;-20;20;-20
2;Wenz;Dora;;-50;-50;-50;150
"""
FIVE = """Nr;Spiel;Spieler;Anna;Ben;Cem;Dora;Emil
1;Sauspiel;Anna;20;-20;20;-20;0
2;Wenz;Dora;-50;0;-50;150;-50
"""
Made = Callable[[str], tuple[Path, Path]]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """The sheet and the archive of a text."""

    def make(text: str) -> tuple[Path, Path]:
        sheet, db = tmp_path / "sheet.csv", tmp_path / "archive.db"
        sheet.write_text(text, "utf-8")
        run("import", sheet, "--db", db)
        return sheet, db

    return make


def rows(db: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(open_read(str(db))) as conn:
        return [tuple(row) for row in conn.execute(sql)]


def accounts(sheet: Path) -> dict[str, tuple[int, int, int, int | None]]:
    """Deals, deals won, Soli and best deal of each player, by judgements and without an archive."""
    judged = [
        each for file in open_files(sheet, None) for each in judge_with_heads(file.items())
        if not isinstance(each, Finding)
    ]  # fmt: skip
    return {row.player: (row.deals, row.wins, row.solos, row.best) for row in standings(judged)}


STANDINGS = "SELECT player, deals, won, solos_won, best_deal FROM standings"


def test_who_is_alone_is_said_by_the_contract_and_not_by_an_empty_partner(made: Made) -> None:
    sheet, db = made(NO_PARTNER)
    stored = {name: tuple(counts) for name, *counts in rows(db, STANDINGS)}
    assert stored == accounts(sheet) == {
        "Anna": (4, 3, 0, 20), "Ben": (4, 2, 1, 150), "Cem": (4, 1, 0, 20), "Dora": (4, 1, 0, 20),
    }  # fmt: skip
    assert rows(db, "SELECT deal, partner, partner_inferred, alone FROM outcomes ORDER BY 1") == [
        (1, "Cem", 1, 0), (2, "Dora", 1, 0), (3, None, None, 1), (4, "Cem", 1, 0),
    ]  # fmt: skip
    assert rows(db, "SELECT count(*) FROM players_by_contract WHERE role IN ('alone', 'unknown')") == [(0,)]
    assert rows(db, "SELECT name, partner_name, deals, won FROM pairs ORDER BY 1, 2") == [
        ("Anna", "Cem", 1, 1), ("Anna", "Dora", 1, 1), ("Cem", "Dora", 1, 0),
    ]  # fmt: skip
    columns = "player, declared, declared_won, partnered, partnered_won"
    assert rows(db, f"SELECT {columns} FROM player_results ORDER BY 1") == [
        ("Anna", 2, 2, 0, None), ("Ben", 1, 1, 0, None), ("Cem", 0, None, 2, 1), ("Dora", 1, 0, 1, 1),
    ]  # fmt: skip
    assert rows(db, "SELECT contract, deals, decided, won FROM results_by_contract ORDER BY 1") == [
        ("rufspiel", 3, 3, 2), ("solo", 1, 1, 1),
    ]  # fmt: skip
    site = create_app(db).test_client()
    found = site.get("/?player=3&role=partner").get_data(as_text=True)
    assert "/deals/1" in found
    assert "/deals/4" in found
    assert "/deals/2" not in found


def test_a_row_of_noughts_is_no_deal_that_somebody_played(made: Made) -> None:
    sheet, db = made(START_ROW)
    stored = {name: tuple(counts) for name, *counts in rows(db, STANDINGS)}
    assert stored == accounts(sheet)
    assert stored["Ben"] == (2, 0, 0, -20)
    assert stored["Dora"] == (2, 1, 1, 150)
    assert {row[0] for row in rows(db, "SELECT deals FROM player_results")} == {2}
    assert {row[0] for row in rows(db, "SELECT deals FROM session_balance")} == {2}
    assert {row[0] for row in rows(db, "SELECT on_amounts + on_facts FROM standings")} == {2}


def test_who_sat_out_has_not_played(made: Made) -> None:
    sheet, db = made(FIVE)
    stored = {name: tuple(counts) for name, *counts in rows(db, STANDINGS)}
    assert stored == accounts(sheet)
    assert {name: counts[0] for name, counts in stored.items()} == {
        "Anna": 2, "Ben": 1, "Cem": 2, "Dora": 2, "Emil": 1,
    }  # fmt: skip
    assert dict(rows(db, "SELECT player, deals FROM player_results")) == dict(
        rows(db, "SELECT name, deals FROM session_balance")
    )


FIVE_UNPAID = """format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora", "Emil"]
rules = "pub"
[[deal]]
game = "Anna rufspiel G"
with = "Ben"
[[deal]]
game = "Anna wenz"
"""


def test_who_declares_or_is_partner_has_played_though_nobody_knows_who_sat_out(made: Made) -> None:
    sheet, db = made(FIVE_UNPAID)
    assert dict(rows(db, "SELECT player, undecided FROM standings")) == {"Anna": 2, "Ben": 1}
    judged = [each for file in open_files(sheet, None) for each in judge_with_heads(file.items())]
    told = standings(each for each in judged if not isinstance(each, Finding))
    assert {row.player: row.undecided for row in told if row.undecided} == {"Anna": 2, "Ben": 1}
    balance = "SELECT name, deals, declared FROM session_balance WHERE deals + declared"
    assert rows(db, f"{balance} ORDER BY 1") == [("Anna", 2, 2), ("Ben", 1, 0)]
    assert rows(db, "SELECT name, declared FROM players_declaring") == [("Anna", 2)]


THROWN_IN = """format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora", "Emil"]
rules = "pub"
date = "2026-11-13"
[[deal]]
dealer = "Emil"
game = "Anna rufspiel E"
with = "Cem"
stated.payments = [20, -20, 20, -20, 0]
[[deal]]
dealer = "Anna"
game = "none"
[[deal]]
dealer = "Ben"
game = "misdeal"
[[deal]]
dealer = "Ben"
game = "Dora wenz"
stated.payments = [-50, 0, -50, 150, -50]
[[deal]]
dealer = "Cem"
stated.payments = [10, 10, 0, -10, -10]
"""


def test_nobody_has_played_a_deal_that_was_thrown_in_or_dealt_again(tmp_path: Path) -> None:
    """Wherever the deals of a player are counted."""
    sheet, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    sheet.write_text(THROWN_IN, "utf-8")
    run("import", sheet, "--db", db)
    played = {"Anna": 3, "Ben": 2, "Cem": 2, "Dora": 3, "Emil": 2}
    assert {name: counts[0] for name, counts in accounts(sheet).items()} == played
    of = {"standings": "player", "player_results": "player", "session_balance": "name"}
    for view, name in of.items():
        assert dict(rows(db, f"SELECT {name}, deals FROM {view}")) == played, view
    assert dict(rows(db, "SELECT name, played FROM balances")) == played
    assert set(rows(db, "SELECT abs(without_sides), without_play FROM balances")) == {(0, 0), (10, 0)}
    listed = run("players", "--json", "--db", db).stdout.splitlines()
    assert {row["player"]: row["deals"] for row in map(json.loads, listed)} == played
    with closing(open_read(str(db))) as conn:
        every, _ = find_players(conn, "", "name", 10, 0)
        assert {row["name"]: row["deals"] for row in every} == played
        for player, count in played.items():
            (found,) = find_players_by_name(conn, player)
            assert found["deals"] == count
            cells = constellation_rows(conn, found["id"])
            assert (sum(row["deals"] for row in cells), sum(row["computed"] for row in cells)) == (count, count)
            assert running_rows(conn, found["id"], 100)[-1]["at"] == count


RULING = 'ruling = [{ by = "Emil", when = "2026-12-01", why = "-", payments = [0, 0, 0, 0, 0], kind = "%s" }]\n'
OF_DEALT = ("thrown_in", "lords_dealt", "matadors_dealt", "luck_and_results")


def test_nobody_has_played_or_won_a_deal_that_is_annulled_or_played_again(tmp_path: Path) -> None:
    """It counts in the answers about players and results as if it was not there."""
    head, *deals = THROWN_IN.split("[[deal]]")
    ruled = (
        deals[0].replace("fspiel E", "fspiel G") + RULING % "annul",
        deals[4].replace("10", "30") + RULING % "again",
    )
    answers = []
    for name, those in (("ruled", (*deals, *ruled)), ("left", deals)):
        sheet, db = tmp_path / f"{name}.toml", tmp_path / f"{name}.db"
        sheet.write_text("[[deal]]".join((head, *those)), "utf-8")
        run("import", sheet, "--db", db)
        assert {who: tuple(counts) for who, *counts in rows(db, STANDINGS)} == accounts(sheet)
        views = [each.name for each in QUESTIONS.values() if each.subject != "archive" and each.name not in OF_DEALT]
        with closing(open_read(str(db))) as conn:
            for view in (*views, "player_results"):
                told = [dict(row) for row in conn.execute(f"SELECT * FROM {view}")]
                answers.append(
                    [{key: row[key] for key in row if not key.startswith(("on_", "first_", "last_"))} for row in told]
                )
    assert rows(tmp_path / "ruled.db", "SELECT sum(annulled) FROM outcomes") == [(2,)]
    assert answers[: len(answers) // 2] == answers[len(answers) // 2 :]


@pytest.mark.parametrize(
    "ruling", ['payments = [-50, 0, 0, 50, 0], kind = "penalty"', 'payments = [-90, 10, -30, 10, 0], kind = "total"']
)
def test_a_penalty_and_totals_that_are_ruled_win_and_lose_no_deal(ruling: str, tmp_path: Path) -> None:
    sheet, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    head, first, *_ = THROWN_IN.split("[[deal]]")
    ruled = f'ruling = [{{ by = "Emil", when = "2026-12-01", why = "-", {ruling} }}]\n'
    sheet.write_text(f"{head}[[deal]]{first}{ruled}", "utf-8")
    run("import", sheet, "--db", db)
    assert rows(db, "SELECT won FROM seats ORDER BY seat") == [(1,), (0,), (1,), (0,), (None,)]
    assert {name: row[1] for name, row in accounts(sheet).items() if row[1]} == {"Anna": 1, "Cem": 1}


def test_who_won_by_the_cards_has_won_whatever_is_ruled_where_the_pot_is_not_known(tmp_path: Path) -> None:
    sheet, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    head, _, won, *_ = (VALID / "schierling.toml").read_text("utf-8").split("[[deal]]")
    ruling = 'ruling = [{ by = "Emil", when = "2026-12-01", why = "-", payments = [-20, -20, 20, 20] }]\n'
    unknown = "stated.payments = [20, 20, -20, -20]\n"
    sheet.write_text("\n[[deal]]\n".join((head, unknown, won.partition("stated.")[0] + ruling)), "utf-8")
    run("import", sheet, "--db", db)
    assert rows(db, "SELECT won, payment, amount FROM seats WHERE deal_id = 2 ORDER BY seat") == [
        (1, None, -20), (1, None, -20), (0, None, 20), (0, None, 20),
    ]  # fmt: skip
    assert {name: row[1] for name, row in accounts(sheet).items() if row[1]} == {"Alois": 2, "Zenta": 2}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("sample", "unit"), [("bauernstoss", "marks"), ("bodensee-jass", "tallies")])
def test_a_score_is_counted_in_no_money_whatever_the_head_names(sample: str, unit: str, tmp_path: Path) -> None:
    sheet, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    text = (VALID / f"{sample}.toml").read_text("utf-8")
    sheet.write_text(re.sub("^rules = ", 'unit = "ct"\nrules = ', text, flags=re.MULTILINE), "utf-8")
    run("import", sheet, "--db", db)
    for view in (
        "standings",
        "player_results",
        "balances",
        "evenings_of_players",
        "sessions_overview",
        "outcomes",
        "ledger",
    ):
        assert set(rows(db, f"SELECT unit FROM {view}")) == {(unit,)}, view
    assert rows(db, "SELECT * FROM cash_accounts") == [], "a score is owed to nobody"
    site = create_app(db).test_client()
    for address in ("/players", "/players/1", "/sessions/1", "/deals/2", "/stats/balances", f"/?unit={unit}"):
        assert "€" not in site.get(address).text, address
    assert "/deals/2" in site.get(f"/?unit={unit}").text
    assert "/deals/2" not in site.get("/?unit=ct").text
    sheet.write_text((VALID / "bierkopf.toml").read_text("utf-8").replace('"ct"', f'"{unit}"'), "utf-8")
    run("import", sheet, "--gone", "keep", "--db", db)
    assert ("Kuni", 30) in rows(db, "SELECT player, balance FROM cash_accounts"), "payments may be counted in it too"


def test_a_list_of_which_only_sums_are_known_is_in_no_mean_of_a_deal(tmp_path: Path) -> None:
    run("import", VALID / "tournament-rounds.csv", "--db", tmp_path / "archive.db")
    for view in ("player_results", "balances"):
        assert set(rows(tmp_path / "archive.db", f"SELECT per_deal, balance IS NULL FROM {view}")) == {(None, 0)}, view


def test_the_best_deal_is_no_sum_of_a_list(tmp_path: Path) -> None:
    sheet, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    payments = "[[deal]]\nstated.payments = [30, -10, -10, -10, 0]\n"
    listed = "[[deal]]\nstated.of_list = true\nstated.payments = [900, -900, 0, 0, 0]\n"
    sheet.write_text(THROWN_IN.partition("[[deal]]")[0] + payments + listed, "utf-8")
    run("import", sheet, "--db", db)
    with closing(open_read(str(db))) as conn:
        (anna,) = find_players_by_name(conn, "Anna")
        assert [row["amount"] for row in extreme_deals(conn, anna["id"])] == [30]


def test_the_standings_of_every_sample_are_those_of_its_judgements(valid_samples: Path) -> None:
    """Session by session, in SQL and without."""
    with closing(open_read(valid_samples)) as conn:
        accounts = SessionAccounts(conn)
        wrong = {deal for deal, _ in wrong_deals(conn, accounts)}
        assert not wrong
        assert len(accounts.judged) == conn.execute("SELECT count(*) FROM sessions").fetchone()[0]
        assert list(accounts.differences()) == []
