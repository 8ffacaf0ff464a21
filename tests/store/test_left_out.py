"""A standing says which rows are not in it, and which do not add up."""

from pathlib import Path

import pytest
from support import running

from archive.store import open_read
from archive.store.left_out import RowsOfFile, uneven_rows, unread_rows

HEAD = "Nr;Spiel;Spieler;Mitspieler;Ergebnis;Anna;Ben;Cem;Dora\n"
ROWS = (
    "1;Sauspiel;Anna;Cem;gewonnen;20;-20;20;-20\n"
    "2;Wenz;Ben;;gewonnen;-50;150;-50;-5O\n"
    "3;Solo;Cem;;gewann nicht so recht;50;50;-150;50\n"
    "4;Sauspiel;Dora;Cem;gewonnen;-20;-20;20;30\n"
)


def run(*words: str) -> str:
    return running.run(*words, "--lang", "en").output


@pytest.fixture
def db(tmp_path: Path) -> str:
    (tmp_path / "abend.csv").write_text(HEAD + ROWS, "utf-8")
    running.run("import", "--db", tmp_path / "a.db", tmp_path / "abend.csv")
    return str(tmp_path / "a.db")


def test_rows_that_were_refused_are_named_beside_the_standing_and_the_cash(db: str) -> None:
    assert unread_rows(open_read(db)) == [RowsOfFile("abend.csv", (3, 4))]
    sentence = "2 rows of abend.csv were not read, and are in no sum: lines 3, 4."
    assert sentence in run("stats", "standings", "--db", db)
    assert sentence in run("cash", "--db", db)


def test_a_row_that_does_not_add_up_is_no_payment_of_the_box(db: str) -> None:
    assert uneven_rows(open_read(db)) == [RowsOfFile("abend.csv", (5,))]
    text = run("cash", "--db", db)
    assert "the box" not in text
    assert "1 row of abend.csv does not add up: line 5." in text


@pytest.mark.parametrize("form", [("--json",), ("--to", "csv"), ("--to", "json")])
def test_standings_for_programs_name_the_refused_rows_on_standard_error(db: str, form: tuple[str, ...]) -> None:
    result = running.run("stats", "standings", *form, "--db", db, "--lang", "en")
    assert "2 rows of abend.csv were not read, and are in no sum: lines 3, 4." in result.stderr
    assert "abend.csv" not in result.stdout


def test_an_archive_whose_rows_were_all_refused_says_which_and_where_the_reason_is(tmp_path: Path) -> None:
    (tmp_path / "abend.csv").write_text(HEAD + "1;Wenz;Ben;;gewonnen;-50;150;-50;-5O\n2;Xy;Ben;;;0;0;0;0\n", "utf-8")
    run("import", "--db", str(tmp_path / "b.db"), str(tmp_path / "abend.csv"))
    text = run("stats", "standings", "--db", str(tmp_path / "b.db"))
    assert "2 rows of abend.csv were not read, and are in no sum: lines 2, 3." in text
    assert "`schafkopf check` of the file says why each was refused." in text
