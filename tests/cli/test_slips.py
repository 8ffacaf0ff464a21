"""`schafkopf audit slips`: the kinds of slips of a recorder, table, event or file, and who had too much by them."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from support import running

HEAD = """format = "schafkopf-record/1"
recorder = "{recorder}"
table = "{table}"
event = "Sommerturnier"
rules = "pub"
players = ["Anna", "Ben", "Cem", "Dora"]
"""
DEAL = """[[deal]]
game = "Anna solo H"
stated.points = 70
stated.payments = [{payments}]
"""
RIGHT, TURNED, OTHER = "150, -50, -50, -50", "-150, 50, 50, 50", "150, -50, -50, -57"


def run(*words: str) -> Result:
    return running.run(*words, columns=100, SCHAFKOPF_LANG="en")


@pytest.fixture(scope="module", name="db")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two tables: Xaver turned the signs twice, Resi misread one amount."""
    folder = tmp_path_factory.mktemp("slips")
    sheets = {("Xaver", "1"): (RIGHT, TURNED, TURNED), ("Resi", "2"): (RIGHT, OTHER)}
    for (recorder, table), rows in sheets.items():
        text = HEAD.format(recorder=recorder, table=table) + "".join(DEAL.format(payments=row) for row in rows)
        (folder / f"{table}.toml").write_text(text, "utf-8")
    db = str(folder / "archive.db")
    run("import", str(folder), "--db", db)
    return db


def report(db: str, *words: str) -> dict[str, object]:
    done = run("audit", "slips", *words, "--json", "--db", db)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("words", [("--recorder", "Xaver"), ("--table", "1"), ("--session", "1")])
def test_slips_are_counted_by_kind_with_who_had_too_much(db: str, words: tuple[str, str]) -> None:
    found = report(db, *words)
    assert (found["deals"], found["differ"], found["explained"]) == (3, 2, 2)
    assert [(kind["cause"], kind["deals"]) for kind in found["kinds"]] == [("turned", [2, 3])]  # type: ignore[attr-defined]
    players = {each["player"]: (each["too_much"], each["unit"], each["deals"]) for each in found["players"]}  # type: ignore[attr-defined]
    assert players == {"Ben": (200, "ct", 2), "Cem": (200, "ct", 2), "Dora": (200, "ct", 2), "Anna": (-600, "ct", 2)}


def test_an_event_is_reported_over_all_its_tables(db: str) -> None:
    found = report(db, "--event", "Sommerturnier")
    assert (found["deals"], found["differ"]) == (5, 3)
    assert [len(kind["deals"]) for kind in found["kinds"]] == [2, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ("What went wrong: written by Xaver", "3 deals, 2 of them differ", "signs", "Ben +200 ct 2")),
        ("de", ("Was falsch lief: geschrieben von Xaver", "3 Spiele, davon weichen 2 ab", "Ben +200 ct 2")),
    ],
)
def test_the_paper_says_the_same_in_the_terminal_and_as_a_page(
    db: str, tmp_path: Path, language: str, says: tuple[str, ...]
) -> None:
    words = ("audit", "slips", "--recorder", "Xaver", "--lang", language, "--db", db)
    shown = " ".join(run(*words).stdout.split())
    for text in says:
        assert text in shown
    path = tmp_path / "slips.html"
    assert run(*words, "--output", str(path)).exit_code == 0
    page = path.read_text("utf-8")
    assert f'<html lang="{language}">' in page
    assert page.count("<dt>") == 2
    assert "<link" not in page  # complete in itself


def test_where_nothing_differs_the_report_says_so(tmp_path: Path) -> None:
    sheet = tmp_path / "right.toml"
    sheet.write_text(HEAD.format(recorder="Uta", table="3") + DEAL.format(payments=RIGHT), "utf-8")
    own = str(tmp_path / "own.db")
    run("import", str(sheet), "--db", own)
    assert "1 deal, 0 of them differ" in run("audit", "slips", "--db", own).stdout
    assert "No deal differs." in run("audit", "slips", "--db", own, "--output", "-").stdout


def test_a_name_that_is_not_there_is_refused_with_the_nearest(db: str) -> None:
    done = run("audit", "slips", "--recorder", "Xafer", "--db", db)
    assert done.exit_code == 2
    assert "Did you mean 'Xaver'?" in done.stderr
