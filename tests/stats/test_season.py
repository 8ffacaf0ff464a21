"""A season of a club: standings between two days, and what its questions say of three evenings typed by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.running import run

from archive.text.season_report import attendance_table
from archive.web.app import create_app

ROWS = (
    ("2025-11-07", "Wenz", "Anna", (150, -50, -50, -50)),
    ("2026-01-09", "Wenz", "Ben", (-50, 150, -50, -50)),
    ("2026-01-09", "Wenz", "Ben", (-50, 150, -50, -50)),
    ("2026-02-06", "Wenz", "Cem", (-50, -50, 150, -50)),
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("season")
    lines = ["Datum;Spiel;Spieler;Anna;Ben;Cem;Dora"]
    lines += [f"{day};{game};{who};{';'.join(map(str, paid))}" for day, game, who, paid in ROWS]
    (folder / "season.csv").write_text("\n".join(lines))
    path = str(folder / "archive.db")
    assert run("import", folder / "season.csv", "--db", path).exit_code == 0
    return path


def asked(db: str, name: str, *words: str) -> list[dict[str, Any]]:
    result = run("stats", name, "--json", "--db", db, *words)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "totals"),
    [
        ((), {"Anna": 0, "Ben": 200, "Cem": 0, "Dora": -200}),
        (("--since", "2026"), {"Anna": -150, "Ben": 250, "Cem": 50, "Dora": -150}),
        (("--until", "2025"), {"Anna": 150, "Ben": -50, "Cem": -50, "Dora": -50}),
        (("--since", "2026-01", "--until", "2026-01"), {"Anna": -100, "Ben": 300, "Cem": -100, "Dora": -100}),
        (("--since", "2026-01-10"), {"Anna": -50, "Ben": -50, "Cem": 150, "Dora": -50}),
        (("--since", "2026", "--basis", "amounts"), {"Anna": -150, "Ben": 250, "Cem": 50, "Dora": -150}),
    ],
)
def test_standings_count_the_evenings_between_two_days(db: str, words: tuple[str, ...], totals: dict[str, int]) -> None:
    found = {row["player"]: row["total"] for row in asked(db, "standings", *words)}
    assert found == totals


def test_a_word_that_is_no_day_is_refused_and_a_span_without_evenings_has_no_standings(db: str) -> None:
    for words in (("--since", "yesterday"), ("--until", "1925")):
        assert run("stats", "standings", "--db", db, *words).exit_code == 2


def test_attendance_counts_evenings_of_each_year(db: str) -> None:
    rows = [(row["name"], row["year"], row["evenings"], row["all_evenings"]) for row in asked(db, "attendance")]
    assert ("Anna", "2026", 2, 2) in rows
    assert ("Ben", "2025", 1, 1) in rows


def test_a_mean_evening_the_best_one_and_the_best_deal_have_their_days(db: str) -> None:
    (ben,) = (row for row in asked(db, "evenings_of_players") if row["name"] == "Ben")
    assert (ben["evenings"], ben["balance"], ben["per_evening"], ben["evenings_won"]) == (3, 200, 66.67, 1)
    assert (ben["best_evening"], ben["best_evening_day"]) == (300, "2026-01-09")
    assert (ben["worst_evening"], ben["worst_evening_day"]) == (-50, "2025-11-07")
    assert (ben["best_deal"], ben["best_deal_day"]) == (150, "2026-01-09")
    assert asked(db, "best_evenings")[0]["name"] == "Ben"


def test_evenings_without_a_day_stand_by_themselves_and_those_without_an_amount_are_in_no_mean(tmp_path: Path) -> None:
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "pub"\ndate = "2026-03"\n'
    deals = ("stated.payments = [30, -10, -10, -10]", "stated.payments = [10, 10, -10, -10]", 'game = "Anna wenz"')
    for n, deal in enumerate(deals):
        (tmp_path / f"{n}.toml").write_text(f"{head}[[deal]]\n{deal}\n")
    db = str(tmp_path / "archive.db")
    assert run("import", *sorted(tmp_path.glob("*.toml")), "--db", db).exit_code == 0
    anna = asked(db, "attendance")[0]
    assert (anna["evenings"], anna["all_evenings"], anna["deals"], anna["last_date"]) == (3, 3, 3, "2026-03")
    anna = asked(db, "evenings_of_players")[0]
    assert (anna["evenings"], anna["per_evening"], anna["best_evening_day"]) == (2, 20.0, "session 1")
    (month, *_) = asked(db, "players_by_month")
    assert (month["month"], month["evenings"], month["balance"]) == ("2026-03", 2, 40)


def test_of_equal_evenings_without_a_day_the_first_is_named(tmp_path: Path) -> None:
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "pub"\n'
    for n in range(1, 12):
        paid = "[30, -10, -10, -10]" if n > 8 else "[-30, 10, 10, 10]"
        (tmp_path / f"{n:02}.toml").write_text(f'{head}event = "{n}"\n[[deal]]\nstated.payments = {paid}\n')
    db = str(tmp_path / "archive.db")
    assert run("import", *sorted(tmp_path.glob("*.toml")), "--db", db).exit_code == 0
    assert asked(db, "evenings_of_players")[0]["best_evening_day"] == "session 1", "of Ben, Cem and Dora"
    best = [row["evening"] for row in asked(db, "best_evenings") if row["name"] == "Anna"]
    assert best[:4] == ["session 9", "session 10", "session 11", "session 1"]


def test_a_year_stands_beside_the_year_before_it(db: str) -> None:
    (anna,) = (
        row for row in asked(db, "players_by_year", "--since", "2025") if (row["name"], row["year"]) == ("Anna", "2026")
    )
    assert (anna["balance"], anna["balance_before"], anna["per_evening_before"]) == (-150, 150, 150)
    months = {(row["name"], row["month"]): row["balance"] for row in asked(db, "players_by_month")}
    assert (months["Ben", "2026-01"], months["Cem", "2026-02"]) == (300, 150)


# --- the report of a year ---------------------------------------------------------------------------------------------


def reported(db: str, *words: str) -> dict[str, dict[str, Any]]:
    result = run("season", *words, "--json", "--db", db)
    assert result.exit_code == 0, result.output
    return {each["title"]: each for each in map(json.loads, result.stdout.splitlines())}


def test_the_report_of_a_year_has_its_standings_evenings_months_and_the_year_before(db: str) -> None:
    tables = reported(db, "2026", "--lang", "en")
    first = tables["Who stands where"]["rows"][0]
    assert first == ["1", "Ben", "2", "3", "+€2.50", "+€1.25", "+€3.00 (9 January 2026)", "+€1.50"]
    assert [row[0] for row in tables["Who stands where"]["rows"]] == ["1", "2", "3", "3"]
    assert tables["Beside the year before"]["rows"][0] == ["Ben", "+€2.50", "−€0.50", "+€3.00"]
    assert [row[0] for row in tables["Month by month"]["rows"]] == ["January 2026", "February 2026"]
    assert ["Anna", "2 of 2", "100\u202f%"] in tables["Who came how often"]["rows"]


def test_the_report_is_one_page_to_print_in_each_language_and_is_not_written_over(db: str, tmp_path: Path) -> None:
    for language, title in (("de", "Das Jahr 2026"), ("en", "The year 2026")):
        path = tmp_path / f"{language}.html"
        words = ["season", "2026", "--db", db, "--lang", language, "-o", str(path)]
        assert run(*words).exit_code == 0
        page = path.read_text("utf-8")
        assert f"<h1>{title}</h1>" in page
        assert "size: A4" in page
        assert "http" not in page
        assert run(*words).exit_code == 2


def test_a_season_that_begins_in_autumn_is_one(db: str) -> None:
    tables = reported(db, "2025-09", "--until", "2026-01", "--lang", "en")
    sums = {row[1]: row[4] for row in tables["Who stands where"]["rows"]}
    assert sums == {"Ben": "+€2.50", "Anna": "+€0.50", "Cem": "−€1.50", "Dora": "−€1.50"}
    came = tables["Who came how often"]["rows"]
    assert came == [[name, "2 of 2", "100\u202f%"] for name in ("Anna", "Ben", "Cem", "Dora")], "not year by year"
    shown = run("season", "2025-09", "--until", "2026-01", "--lang", "de", "--db", db).stdout
    assert shown.startswith("September 2025 bis Januar 2026: ")
    assert run("season", "2026-01", "--lang", "de", "--db", db).stdout.startswith("Januar 2026: ")
    assert run("season", "--until", "2026-01", "--db", db).exit_code == 2


def test_an_evening_without_a_day_is_of_no_year() -> None:
    came = [{"name": "Anna", "year": year, "evenings": 1, "all_evenings": 1, "attended": 1} for year in ("2026", None)]
    assert [row[0] for row in attendance_table(came, "en").rows] == ["Anna 2026", "Anna"]


@pytest.mark.parametrize("words", ["sources --basis cards", "fairness --basis cards", "fairness --event x --json"])
def test_a_list_passes_over_no_option(db: str, words: str) -> None:
    assert run("stats", *words.split(), "--db", db).exit_code == 2
    assert run("stats", "sources", "--to", "csv", "--db", db).stdout.startswith("source,file,deals,")


def test_what_is_no_year_is_refused_and_a_year_without_evenings_says_so(db: str) -> None:
    assert run("season", "soon", "--db", db).exit_code == 2
    assert "No evening" in run("season", "1999", "--db", db, "--lang", "en").stdout


def test_the_viewer_gives_the_report_of_a_year_as_a_file(db: str) -> None:
    client = create_app(Path(db)).test_client()
    assert 'href="/stats/year-2026.html"' in client.get("/stats").text
    found = client.get("/stats/year-2025.html?lang=de")
    assert (found.status_code, found.headers["Content-Disposition"]) == (200, 'attachment; filename="2025.html"')
    assert "Das Jahr 2025" in found.text
    assert client.get("/stats/year-1999.html").status_code == 404
