"""Corrections and rulings whose rows are damaged or gone: those that a record or a kept file brought come back with
their deals; those that were written into the archive by hand are named as lost."""

import gc
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from support.damaged_archives import content, sql, zero
from support.running import run
from support.store_samples import EVENING, another
from support.thorough import THOROUGH

from archive.record import Correction, Ruling
from archive.store import open_archive
from archive.store.cases import open_case
from archive.store.correcting import correct
from archive.store.ruling import rule_on_deal

LATER = """
correction = [{ by = "Emil", when = "2026-12-01", why = "typo", set = { dealer = "Cem" } }]
ruling = [{ by = "Emil", when = "2026-12-01", why = "late", payments = [0, 0, 0, 0], kind = "annul" }]
"""


@cache
def archives() -> dict[str, bytes]:
    """Two archives as `backup` copies them: of what files `brought` alone, as records, as an export, and to deals that
    were there before; and the same with what was corrected and ruled `by hand` in between, and afterwards."""
    made = {}
    with TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "evening.toml").write_text(EVENING)
        (here / "exported.toml").write_text(another())
        assert run("import", here / "exported.toml", "--db", here / "other.db").exit_code in (0, 1)
        write_by_hand(here / "other.db", 2)
        write_by_hand(here / "other.db", 1)
        (here / "export.jsonl").write_text(run("export", "--db", here / "other.db").stdout)
        (here / "later.toml").write_text(EVENING.replace('game = "none"\n', f'game = "none"{LATER}', 1))
        for name in ("brought", "by hand"):
            db = here / f"{name}.db"
            for file in ("evening.toml", "export.jsonl", "later.toml"):
                assert run("import", here / file, "--db", db).exit_code in (0, 1)
                if name == "by hand":
                    write_by_hand(db, 3)
            gc.collect()
            assert run("backup", here / f"{name}.copy.db", "--db", db).exit_code == 0
            made[name] = (here / f"{name}.copy.db").read_bytes()
    return made


def write_by_hand(path: Path, deal: int) -> None:
    """A correction and a ruling of a deal, which is in a case, as nothing but their rows says."""
    with closing(open_archive(path)) as db:
        (n,) = db.execute("SELECT count(*) FROM corrections").fetchone()
        correct(db, deal, Correction("Emil", "2026-12-02", "by hand", {"note": f"the {n}th"}))
        case = open_case(db, deal, "Anna", None, "complaint", "Emil", "2026-12-02")
        rule_on_deal(db, deal, Ruling("Emil", f"2026-12-{n + 3:02}", "by hand", (0, 0, 0, 0), "house"), case)


TABLES = ("corrections", "rulings")
DAMAGES: dict[str, Callable[[str], Callable[[Path], None]]] = {
    "all rows": lambda table: sql(f"DELETE FROM {table}"),
    "a page, zeros": zero,
    "the first row": lambda table: sql(f"DELETE FROM {table} WHERE id = 1"),
    "the last rows": lambda table: sql(f"DELETE FROM {table} WHERE id > 3"),
    "each second row": lambda table: sql(f"DELETE FROM {table} WHERE id % 2 = 0"),
    "what rows say": lambda table: sql(f"UPDATE {table} SET why = 'other', made_at = 'never'"),
    "both tables": lambda _: sql("DELETE FROM corrections", "DELETE FROM rulings"),
    "the table and its notes": lambda table: sql(f"DELETE FROM {table}", "DELETE FROM notes"),
    "the table and the records": lambda table: sql(f"DELETE FROM {table}", "DELETE FROM records WHERE id = 4"),
    "the table and a file": lambda table: sql(f"DELETE FROM {table}", "UPDATE sources SET raw = x'00' WHERE id = 1"),
}  # fmt: skip
ALWAYS = {("all rows", "corrections"), ("a page, zeros", "rulings"), ("what rows say", "rulings")}
EVERY = [(name, table) for name in DAMAGES for table in TABLES if THOROUGH or (name, table) in ALWAYS]
GAPS = "the first row", "each second row"  # rows whose number is the only one that is free


def rows(path: Path, table: str) -> dict[int, tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as conn:
        return {row[0]: row for row in conn.execute(f"SELECT * FROM {table}")}


def rebuilt(path: Path) -> list[str]:
    """Rebuild an archive; return what is named as lost, or as there again elsewhere, as its exit status says too."""
    done = run("doctor", "--rebuild", "--json", "--db", path)
    texts = [each["text"] for each in json.loads(done.stdout)["lost"]]
    assert done.exit_code == int(bool(texts))
    return texts


@pytest.mark.parametrize(("damage", "table"), EVERY)
def test_what_records_and_files_brought_comes_back_with_its_deal(damage: str, table: str, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["brought"])
    whole = {each: rows(path, each) for each in TABLES}
    every = content(path)
    DAMAGES[damage](table)(path)
    there = {each: rows(path, each) if damage != "a page, zeros" else {} for each in TABLES}
    texts = rebuilt(path)
    for each in TABLES:
        anew = rows(path, each)
        assert {row[1:] for row in whole[each].values()} <= {row[1:] for row in anew.values()}
        assert there[each].items() <= anew.items()  # what can be read is left as it is
        assert len(anew) == len(whole[each]) or damage == "what rows say"
    assert damage == "what rows say" or content(path) | {"sources": []} == every | {"sources": []}
    assert (texts == []) == (damage in GAPS)


@pytest.mark.parametrize(("damage", "table"), EVERY)
def test_what_was_written_by_hand_is_named_as_lost_and_nothing_is_taken_for_it(
    damage: str, table: str, tmp_path: Path
) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["by hand"])
    whole = {each: rows(path, each) for each in TABLES}
    DAMAGES[damage](table)(path)
    there = {each: rows(path, each) if damage != "a page, zeros" else {} for each in TABLES}
    ruled = case_rulings(path)
    texts = rebuilt(path)
    for each in TABLES:
        anew = rows(path, each)
        brought = {row[1:] for row in whole[each].values() if row[1] != 3}
        assert brought <= {row[1:] for row in anew.values()}
        assert there[each].items() <= anew.items()
        assert all(row[1:] in brought or row in (whole[each].get(number), there[each].get(number))
                   for number, row in anew.items())  # fmt: skip
        lost = [row for number, row in whole[each].items() if anew.get(number) != row and row[1] == 3]
        assert not lost or texts
    assert case_rulings(path) == ruled
    assert all(rows(path, "rulings").get(each) in (None, whole["rulings"][each]) for each in ruled) or (
        damage == "what rows say"
    )


def case_rulings(path: Path) -> set[int]:
    """The numbers by which cases know their rulings."""
    return {row[-1] for row in rows(path, "case_entries").values() if row[-1] is not None}


@pytest.mark.parametrize("name", ["brought", "by hand"])
def test_an_archive_that_lacks_nothing_is_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()[name])
    assert run("doctor", "--db", path).exit_code == 0


def test_what_was_written_by_hand_comes_back_of_a_file_that_was_exported_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["by hand"])
    whole = rows(path, "corrections")
    (tmp_path / "export.jsonl").write_text(run("export", "--db", path).stdout)
    assert run("import", tmp_path / "export.jsonl", "--db", path).exit_code in (0, 1)
    assert rows(path, "corrections") == whole
    sql("DELETE FROM corrections WHERE id = 2")(path)
    (text,) = rebuilt(path)  # its deal has another correction
    assert "is there again, as row 2;" in text
    assert rows(path, "corrections") == {**whole, 2: (*whole[2][:5], None, whole[2][6])}  # as it came with the file


def test_a_table_of_which_rows_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Whether more stood there than was brought, nothing says where the notes are gone too."""
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["brought"])
    zero("corrections")(path)
    sql("DELETE FROM notes")(path)
    assert any(text.startswith("Rows of corrections could not be read") for text in rebuilt(path))
