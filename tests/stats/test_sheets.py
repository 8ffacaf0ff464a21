"""Three evenings of score sheets without a card: what is counted of them is what a plain reckoning gives."""

import csv
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from support.running import run

from archive.stats.query import answer_question
from archive.store import open_read
from archive.web.app import create_app

NAMES = ("Anna", "Ben", "Cem", "Dora")
DATES = ("2026-11-06", "2026-11-13", "2026-11-20")
PRICES = {"Rufspiel": 20, "Wenz": 50, "Solo": 50}  # at 10/20/50; Schneider and each runner cost 10 more
COLUMNS = 'rules = "pub"\nunit = "ct"\n\n[house]\ntariff = "10/20/50"\n'
HEAD = "Nr;Datum;Spiel;Farbe;Spieler;Mitspieler;Ergebnis;Schneider;Laufende"


class Line(NamedTuple):
    """A deal as a sheet has it; seats from 0."""

    date: str
    game: str
    declarer: int
    partner: int | None
    won: bool
    schneider: bool
    runners: int
    amounts: tuple[int, ...]


def lines() -> Iterator[Line]:
    """72 deals, 24 an evening."""
    chance = Random(23)
    for date in (date for date in DATES for _ in range(24)):
        game, declarer = chance.choice((*PRICES, "Rufspiel", "Rufspiel")), chance.randrange(4)
        partner = (declarer + chance.randrange(1, 4)) % 4 if game == "Rufspiel" else None
        won, schneider = chance.random() < 0.6, chance.random() < 0.2
        runners = chance.choice((0, 2 if game == "Wenz" else 3, 4))
        price = PRICES[game] + 10 * schneider + 10 * runners
        ours, sign = {declarer, partner}, 1 if won else -1
        each = [sign * price * (1 if partner is not None or seat != declarer else 3) for seat in range(4)]
        amounts = tuple(amount if seat in ours else -amount for seat, amount in enumerate(each))
        yield Line(date, game, declarer, partner, won, schneider, runners, amounts)


DEALS = tuple(lines())


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sheet for each evening."""
    folder = tmp_path_factory.mktemp("sheets")
    (folder / "columns.toml").write_text(COLUMNS, "utf-8")
    for date, evening in groupby(DEALS, lambda line: line.date):
        rows = [
            ";".join(map(str, (
                number, date, line.game, "Herz" if line.game == "Solo" else "", NAMES[line.declarer],
                "" if line.partner is None else NAMES[line.partner], "gewonnen" if line.won else "verloren",
                "ja" if line.schneider else "", f"mit {line.runners}" if line.runners else "", *line.amounts,
            )))
            for number, line in enumerate(evening, 1)
        ]  # fmt: skip
        (folder / f"{date}.csv").write_text("\n".join((f"{HEAD};{';'.join(NAMES)}", *rows, "")), "utf-8")
    return folder


@pytest.fixture(scope="module")
def db(sheets: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the three sheets."""
    path = tmp_path_factory.mktemp("archive") / "archive.db"
    done = run("import", sheets, "--db", path)
    assert done.exit_code == 0, done.output
    assert "72 deals: 72 agree" in done.output
    return path


@pytest.fixture
def conn(db: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_read(db)) as opened:
        yield opened


def balance(seat: int) -> int:
    return sum(line.amounts[seat] for line in DEALS)


def test_every_deal_agrees_by_its_facts(conn: sqlite3.Connection) -> None:
    assert conn.execute("SELECT verdict, basis, count(*) FROM outcomes GROUP BY 1, 2").fetchall()[0][:] == (
        "agrees", "facts", 72,
    )  # fmt: skip
    won = [bool(row[0]) for row in conn.execute("SELECT won FROM deals ORDER BY id")]
    assert won == [line.won for line in DEALS]
    silent = conn.execute("SELECT unwritten FROM deals WHERE id = 1").fetchone()[0]
    assert "missing.doublings" in silent


def test_standings_and_totals_are_the_sums_of_the_sheets(conn: sqlite3.Connection) -> None:
    rows = conn.execute("SELECT player, sum(total), sum(deals), sum(undecided) FROM standings GROUP BY 1").fetchall()
    assert sorted(map(tuple, rows)) == [(name, balance(seat), 72, 0) for seat, name in enumerate(NAMES)]
    for session, date in enumerate(DATES, 1):
        sql = "SELECT total, total_open FROM ledger WHERE session = ? ORDER BY deal DESC, seat LIMIT 4"
        last = [sum(line.amounts[seat] for line in DEALS if line.date == date) for seat in range(4)]
        assert [tuple(row) for row in conn.execute(sql, (session,))] == [(total, 0) for total in last]


def test_balances_say_who_won_what_in_which_role(conn: sqlite3.Connection) -> None:
    answer = answer_question(conn, "balances")
    found = {row["name"]: row for row in (dict(zip(answer.columns, each, strict=True)) for each in answer.rows)}
    for seat, name in enumerate(NAMES):
        assert found[name]["balance"] == balance(seat)
        assert found[name]["settled"] == 72
        declared = sum(line.amounts[seat] for line in DEALS if line.declarer == seat)
        assert found[name]["as_declarer"] == declared


def test_results_by_contract_know_who_won(conn: sqlite3.Connection) -> None:
    answer = answer_question(conn, "results_by_contract", {"basis": "facts"})
    found = {row["contract"]: row for row in (dict(zip(answer.columns, each, strict=True)) for each in answer.rows)}
    for game, count in Counter(line.game for line in DEALS).items():
        of_game, row = [line for line in DEALS if line.game == game], found[game.lower()]
        assert (row["deals"], row["decided"], row["won"]) == (count, count, sum(line.won for line in of_game))
        paid = sum(line.amounts[line.declarer] for line in of_game)
        assert row["declarer_per_deal"] == pytest.approx(paid / count, abs=0.01)
    assert not answer_question(conn, "results_by_contract", {"basis": "cards"}).rows


def test_longest_runs_are_found_over_the_evenings(conn: sqlite3.Connection) -> None:
    longest: dict[tuple[str, int], int] = defaultdict(int)
    for seat, name in enumerate(NAMES):
        for won, row in groupby(line.amounts[seat] > 0 for line in DEALS):
            longest[name, int(won)] = max(longest[name, int(won)], len(list(row)))
    answer = answer_question(conn, "longest_runs")
    rows = [dict(zip(answer.columns, each, strict=True)) for each in answer.rows]
    assert {(row["name"], row["won_run"]): row["length"] for row in rows} == longest
    assert {row["decided"] for row in rows} == {72}


def test_the_page_of_a_player_and_the_pages_of_lists_show_it(db: Path) -> None:
    site = create_app(db).test_client()
    page = site.get("/players/1", headers={"Accept-Language": "en"}).text
    assert f"<b>{'−' if balance(0) < 0 else '+'}{abs(balance(0)) / 100:.2f}</b>" in page
    assert "72" in page
    for address in ("/sessions/1", "/?basis=facts", "/deals/1", "/stats/balances?basis=facts"):
        shown = site.get(address, headers={"Accept-Language": "en"})
        assert shown.status_code == 200, address
        assert "by the stated facts" in shown.text, address


def test_totals_of_players_and_sessions_say_on_what_they_rest(db: Path) -> None:
    site = create_app(db).test_client()
    for address, deals in (("/players/1", 72), ("/sessions/1", 24)):
        page = site.get(address, headers={"Accept-Language": "en"}).text
        assert f"{deals} deals: 0 by the cards, {deals} by the stated facts, 0 as written." in page
        assert f"{deals} nach den Angaben" in site.get(address, headers={"Accept-Language": "de"}).text
    sheet = site.get("/sessions/1", headers={"Accept-Language": "en"}).text
    assert sheet.count('<small class="basis">by the stated facts</small>') == 24  # beside each verdict
    books = run("audit", "ledger", "1", "--db", db).output
    assert "24 deals: 0 by the cards, 24 by the stated facts, 0 as written." in books
    for question in ("balances", "sessions_overview", "longest_runs"):
        said = run("stats", question, "--db", db, "--lang", "en").output
        assert "72 deals: 0 by the cards, 72 by the stated facts, 0 as written." in said, question


def test_exports_say_on_what_a_deal_rests(db: Path, tmp_path: Path) -> None:
    given = run("export", "--to", "csv", "--db", db).stdout
    assert [row["basis"] for row in csv.DictReader(given.splitlines())] == ["facts"] * 72
    parquet = tmp_path / "deals.parquet"
    run("export", "--to", "parquet", "--db", db, "--output", parquet)
    assert set(pytest.importorskip("pyarrow.parquet").read_table(parquet)["basis"].to_pylist()) == {"facts"}
    protocol = run("export", "--to", "protocol", "--db", db).stdout
    assert protocol.count("Verdict: agrees (by the stated facts).") == 72
    records = run("export", "--to", "jsonl", "--db", db).stdout
    again = run("check", "--json", "-", given=records).stdout
    assert [json.loads(line)["basis"] for line in again.splitlines()] == ["facts"] * 72


def test_check_tells_the_price_with_its_lines(sheets: Path) -> None:
    said = run("check", "--json", sheets / f"{DATES[0]}.csv")
    for text, line in zip(said.stdout.splitlines(), DEALS, strict=False):
        found = json.loads(text)
        assert found["settlement"]
        assert found["payments"] == list(line.amounts)


def test_check_shows_the_working_of_what_differs_and_of_all_on_demand(sheets: Path, tmp_path: Path) -> None:
    sheet, wrong = sheets / f"{DATES[0]}.csv", tmp_path / "wrong.csv"
    head, first, *_ = sheet.read_text("utf-8").splitlines()
    (tmp_path / "columns.toml").write_text(COLUMNS, "utf-8")
    amounts = ";".join(map(str, (-each for each in DEALS[0].amounts)))
    wrong.write_text(f"{head}\n{first.rsplit(';', 4)[0]};{amounts}\n", "utf-8")
    said = run("check", wrong)
    assert said.exit_code == 1
    assert "this table: house.tariff" in said.output
    assert "differs (by the stated facts)" in said.output
    assert said.output.rstrip().splitlines()[-2].endswith(".")
    quiet = run("check", sheet)
    assert "house.tariff" not in quiet.output
    assert run("check", "--explain", sheet).output.count("Deal ") == 24


def test_check_says_on_what_deals_rest_and_what_an_open_deal_lacks(sheets: Path, tmp_path: Path) -> None:
    agreed = run("check", "--explain", sheets / f"{DATES[0]}.csv", "--lang", "en")
    assert agreed.stderr.endswith("24 deals: 24 agree (by the stated facts)\n")
    (tmp_path / "columns.toml").write_text(COLUMNS, "utf-8")
    rows = ("1;;Wenz;;Anna;;gewonnen;;;150;-50;-50;-50", "2;;Rufspiel;;Anna;Ben;;;;20;20;-20;-20")
    (tmp_path / "open.csv").write_text("\n".join((f"{HEAD};{';'.join(NAMES)}", *rows, "")), "utf-8")
    said = run("check", "--explain", tmp_path / "open.csv", "--lang", "en")
    assert "Rufspiel: incomplete (as written)\n" in said.stdout
    assert "Anna −20 to +20, Ben −20 to +20" in said.stdout
    assert "\nThe record does not say: who won.\n" in said.stdout
    counts, lacks = said.stderr.splitlines()[-2:]
    assert counts.endswith("2 deals: 1 agrees, 1 incomplete (1 by the stated facts, 1 as written)")
    remedy = "Write won or lost in the line, `stated.won = true` in a record, or a column Result in a sheet."
    place = f"{tmp_path / 'open.csv'}:3"
    assert lacks == f"  1 incomplete, the first at {place}: the record does not say who won. {remedy}"
