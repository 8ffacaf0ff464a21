"""Three evenings of score sheets without a card: what is counted of them is what a plain reckoning gives."""

import csv
import io
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from support.running import run

from archive.say import LANGUAGES, say
from archive.stats import QUESTIONS
from archive.stats.coverage import ask_coverage, coverage_notes
from archive.stats.query import answer_question
from archive.stats.sql import BASES
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


# --- every question counts what the facts of a sheet allow, or says what it needs -------------------------------------


FACTS = f"Nr;Turnier;Geber;Spiel;Farbe;Tout;Spieler;Mitspieler;Ergebnis;Augen;Laufende;Klopfer;Kontra;{';'.join(NAMES)}"
ROWS = (
    "1;Herbst;Dora;Rufspiel;Gras;;Anna;Ben;;74;mit 3;-;-;50;50;-50;-50",
    "2;Herbst;Anna;Rufspiel;Eichel;;Ben;Dora;;45;;-;-;20;-20;20;-20",
    "3;Herbst;Ben;Wenz;;;Cem;;;80;;Anna;-;-100;-100;300;-100",
    "4;Herbst;Cem;Solo;Herz;;Dora;;;61;;-;Anna;-100;-100;-100;300",
    "5;Herbst;Dora;Solo;Gras;x;Anna;;gewonnen;;;-;-;300;-100;-100;-100",
    "6;Herbst;Anna;zusammengeworfen;;;;;;;;;;0;0;0;0",
    "7;Herbst;Ben;Rufspiel;Schellen;;Cem;Anna;;70;;-;-;-20;20;-20;20",
)
# What no sheet has: which cards were dealt, and who played them.
NEED_CARDS = {
    "solo_success", "called_ace", "called_ace_by_trick", "run_away", "lords_dealt", "matadors_dealt",
    "luck_and_results", "declaring_hands", "acts_pay", "closing_pays", "fat_tricks",
}  # fmt: skip
NEED_CARDS |= {name for name, question in QUESTIONS.items() if "analysis" in question.needs}


def archive_of(folder: Path, text: str) -> Path:
    """An archive of one sheet."""
    (folder / "columns.toml").write_text(COLUMNS, "utf-8")
    (folder / "sheet.csv").write_text(text, "utf-8")
    path = folder / "archive.db"
    done = run("import", folder / "sheet.csv", "--db", path)
    assert f"{len(text.splitlines()) - 1} deal" in done.output
    return path


@pytest.fixture(scope="module")
def facts_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_of(tmp_path_factory.mktemp("facts"), "\n".join((FACTS, *ROWS, "")))


@pytest.fixture(scope="module")
def amounts_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    amounts = ("50;50;-50;-50", "-20;20;-20;20", "150;-50;-50;-50", "30;-30;-30;30", "-70;-70;210;-70", "-40;40;40;-40")
    rows = [f"{number};{each}" for number, each in enumerate(amounts, 1)]
    return archive_of(tmp_path_factory.mktemp("amounts"), "\n".join((f"Nr;{';'.join(NAMES)}", *rows, "")))


@pytest.fixture
def facts(facts_db: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_read(facts_db)) as opened:
        yield opened


@pytest.fixture
def amounts(amounts_db: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_read(amounts_db)) as opened:
        yield opened


def answered(conn: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    answer = answer_question(conn, name)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def needs(conn: sqlite3.Connection, name: str) -> set[str]:
    return {key for key, count in ask_coverage(conn, name, {}).lacking.items() if count}


def counts(rows: list[dict[str, Any]], size: str) -> bool:
    """Whether an answer counts anything: a row with a sample, and a value that is not 0 for everybody."""
    return any(row[size] for row in rows)


# Of deals of which these sheets have none.
OF_A_KIND = {"results_by_round", "results_by_bid", "results_of_muss", "results_of_hochzeit", "results_by_cut"}
OF_A_KIND |= {"players_by_year", "players_by_month"}  # the sheets have no days


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_is_empty_without_saying_what_it_needs(
    facts: sqlite3.Connection, amounts: sqlite3.Connection, name: str
) -> None:
    size = QUESTIONS[name].size
    assert counts(answered(facts, name), size) is (name not in NEED_CARDS | OF_A_KIND)
    for conn in (facts, amounts):
        if not counts(answered(conn, name), size) and name not in OF_A_KIND:
            assert needs(conn, name), f"{name} is empty and does not say why"
    if name in NEED_CARDS:
        assert needs(facts, name) & {"tricks", "hands", "analysis"}


@pytest.mark.one_in(30)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_and_a_command_say_the_basis_and_the_need(
    facts_db: Path, facts: sqlite3.Connection, name: str, language: str
) -> None:
    notes = [say(note, language) for note in coverage_notes(ask_coverage(facts, name, {}))]
    page = create_app(facts_db).test_client().get(f"/stats/{name}?lang={language}")
    printed = run("stats", name, "--lang", language, "--db", facts_db)
    said = " ".join(printed.stdout.split())
    assert notes
    for note in notes:
        assert note in page.text
        assert note in said


def test_columns_of_the_basis_add_up(facts: sqlite3.Connection, amounts: sqlite3.Connection) -> None:
    for conn, basis, deals in ((facts, "on_facts", 6), (amounts, "on_amounts", 6)):
        for name in ("balances", "longest_runs", "results_by_contract", "pairs", "seat_advantage", "players_declaring"):
            for row in answered(conn, name):
                assert {key: row[key] for key in BASES if row[key]} in ({}, {basis: row[basis]})
        assert [row[basis] for row in answered(conn, "balances")] == [deals] * 4


def test_a_basis_is_asked_together_with_a_player(facts: sqlite3.Connection) -> None:
    asked = {"player": 1, "basis": "facts"}
    assert answer_question(facts, "balances", asked).rows == answer_question(facts, "balances", {"player": 1}).rows
    assert not answer_question(facts, "balances", asked | {"basis": "amounts"}).rows
    assert ask_coverage(facts, "balances", asked).deals == 7


def test_a_ruled_amount_counts_everywhere(tmp_path: Path) -> None:
    """Ruled, else computed, else as written: one deal that differs, and is ruled on."""
    wrong = "1;Herbst;Dora;Rufspiel;Gras;;Anna;Ben;;74;mit 3;-;-;20;20;-20;-20"
    path = archive_of(tmp_path, "\n".join((FACTS, wrong, "")))

    def balances() -> list[dict[str, int]]:
        """Of each player, as standings, questions, results of players, the ledger, CSV and a page have it."""
        with closing(open_read(path)) as conn:
            tables = [
                dict(map(tuple, conn.execute(f"SELECT player, {column} FROM {table}").fetchall()))
                for table, column in (("standings", "total"), ("player_results", "balance"), ("ledger", "amount"))
            ]
        done = run("stats", "balances", "--form", "csv", "--db", path)
        tables.append({row["name"]: int(row["balance"]) for row in csv.DictReader(io.StringIO(done.stdout))})
        done = run("stats", "balances", "--form", "json", "--db", path)
        tables.append({row["name"]: row["balance"] for row in json.loads(done.stdout)})
        return tables

    def page() -> str:
        return create_app(path).test_client().get("/players/1?lang=en").text

    assert balances() == [{"Anna": 50, "Ben": 50, "Cem": -50, "Dora": -50}] * 5
    assert "+€0.50" in page()
    ruling = [
        "--payments", "Anna 30, Ben 30, Cem -30, Dora -30", "--by", "Emil",
        "--why", "agreed at the table", "--cite", "house rule 4",
    ]  # fmt: skip
    done = run("rule", "1", *ruling, "--db", path)
    assert done.exit_code == 0, done.output
    assert balances() == [{"Anna": 30, "Ben": 30, "Cem": -30, "Dora": -30}] * 5
    assert "+€0.30" in page()
    assert "+€0.50" not in page()
