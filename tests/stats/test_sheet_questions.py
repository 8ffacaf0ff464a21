"""Archives of score sheets alone: every question counts what their facts allow, or says what it needs."""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support import running

from archive.say import LANGUAGES, say
from archive.stats import QUESTIONS
from archive.stats.coverage import ask_coverage, coverage_notes
from archive.stats.query import answer_question
from archive.stats.sql import BASES
from archive.store import open_read
from archive.web.app import create_app

COLUMNS = 'rules = "pub"\nunit = "ct"\n\n[house]\ntariff = "10/20/50"\n'
NAMES = ("Anna", "Ben", "Cem", "Dora")
HEAD = f"Nr;Turnier;Geber;Spiel;Farbe;Tout;Spieler;Mitspieler;Ergebnis;Augen;Laufende;Klopfer;Kontra;{';'.join(NAMES)}"
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
    done = running.run("import", folder / "sheet.csv", "--db", path)
    assert f"{len(text.splitlines()) - 1} deal" in done.output
    return path


@pytest.fixture(scope="module")
def facts_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_of(tmp_path_factory.mktemp("facts"), "\n".join((HEAD, *ROWS, "")))


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


@pytest.mark.one_in(10)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_and_a_command_say_the_basis_and_the_need(
    facts_db: Path, facts: sqlite3.Connection, name: str, language: str
) -> None:
    notes = [say(note, language) for note in coverage_notes(ask_coverage(facts, name, {}))]
    page = create_app(facts_db).test_client().get(f"/stats/{name}?lang={language}")
    printed = running.run("stats", name, "--lang", language, "--db", facts_db)
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
    path = archive_of(tmp_path, "\n".join((HEAD, wrong, "")))

    def balances() -> list[dict[str, int]]:
        """Of each player, as standings, questions, results of players, the ledger, CSV and a page have it."""
        with closing(open_read(path)) as conn:
            tables = [
                dict(map(tuple, conn.execute(f"SELECT player, {column} FROM {table}").fetchall()))
                for table, column in (("standings", "total"), ("player_results", "balance"), ("ledger", "amount"))
            ]
        run = running.run("stats", "balances", "--form", "csv", "--db", path)
        tables.append({row["name"]: int(row["balance"]) for row in csv.DictReader(io.StringIO(run.stdout))})
        run = running.run("stats", "balances", "--form", "json", "--db", path)
        tables.append({row["name"]: row["balance"] for row in json.loads(run.stdout)})
        return tables

    def page() -> str:
        return create_app(path).test_client().get("/players/1?lang=en").text

    assert balances() == [{"Anna": 50, "Ben": 50, "Cem": -50, "Dora": -50}] * 5
    assert "+€0.50" in page()
    ruling = [
        "--payments", "Anna 30, Ben 30, Cem -30, Dora -30", "--by", "Emil",
        "--why", "agreed at the table", "--cite", "house rule 4",
    ]  # fmt: skip
    done = running.run("rule", "1", *ruling, "--db", path)
    assert done.exit_code == 0, done.output
    assert balances() == [{"Anna": 30, "Ben": 30, "Cem": -30, "Dora": -30}] * 5
    assert "+€0.30" in page()
    assert "+€0.50" not in page()
