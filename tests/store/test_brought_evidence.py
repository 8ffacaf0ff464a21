"""Corrections and rulings whose rows are damaged or gone: those that a record or a kept file brought come back as they
were; those that were written into the archive by hand are named as lost."""

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
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.damaged_archives import content, run, sql, zero
from support.store_samples import EVENING, another
from support.thorough import THOROUGH, examples

from archive.record import Correction, Ruling
from archive.store import open_archive
from archive.store.cases import open_case
from archive.store.correcting import correct
from archive.store.evidence_numbers import Evidence, Numbers, place_evidence
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
# Without a row there may have been others between them, which were written by hand and then brought by a file.
EMPTY = ("all rows", "both tables", *(name for name in DAMAGES if name.startswith("the table")))
ALWAYS = {("all rows", "corrections"), ("a page, zeros", "rulings"), ("what rows say", "rulings")}
EVERY = [(name, table) for name in DAMAGES for table in TABLES if THOROUGH or (name, table) in ALWAYS]


def rows(path: Path, table: str) -> dict[int, tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as conn:
        return {row[0]: row for row in conn.execute(f"SELECT * FROM {table}")}


@pytest.mark.parametrize(("damage", "table"), EVERY)
def test_what_records_and_files_brought_comes_back_row_by_row(damage: str, table: str, tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["brought"])
    whole = content(path)
    DAMAGES[damage](table)(path)
    told = json.loads(run("doctor", "--json", "--db", path).stdout)
    assert told["damage"]
    done = run("doctor", "--rebuild", "--db", path)
    anew = content(path)
    assert {each for each in whole if anew[each] != whole[each]} <= {"sources"}  # of which the bytes are lost
    assert (anew["sources"] == whole["sources"]) == (damage != "the table and a file")
    named = [each["text"] for each in told["lost"] if "number may have been another" in each["text"]]
    assert (len(named) > 0) == (damage in EMPTY)
    assert done.exit_code == int(told["lost"] != []) == int(damage in EMPTY)


@pytest.mark.parametrize(("damage", "table"), EVERY)
def test_what_was_written_by_hand_is_named_as_lost_and_nothing_takes_its_place(
    damage: str, table: str, tmp_path: Path
) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archives()["by hand"])
    whole = {each: rows(path, each) for each in TABLES}
    DAMAGES[damage](table)(path)
    there = {each: rows(path, each) if damage != "a page, zeros" else {} for each in TABLES}
    done = json.loads(run("doctor", "--rebuild", "--json", "--db", path).stdout)
    texts = [each["text"] for each in done["lost"]]
    for each in TABLES:
        anew = rows(path, each)
        brought = {row[1:] for row in whole[each].values() if row[1] != 3}
        assert brought <= {row[1:] for row in anew.values()}
        for number, row in anew.items():
            known = whole[each].get(number) == row or there[each].get(number) == row
            assert known or any(
                f"of {each} by {row[2]}, {row[3]}" in text and f"{number} now" in text for text in texts
            )
        lost = [row for number, row in whole[each].items() if anew.get(number) != row and row[1] == 3]
        assert not lost or texts
    assert bool(texts) == (damage != "the first row")


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
    assert run("doctor", "--rebuild", "--db", path).exit_code == 0
    assert rows(path, "corrections") == {**whole, 2: (*whole[2][:5], None, whole[2][6])}  # as it came with the file


# --- numbers ----------------------------------------------------------------------------------------------------------


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[tuple[int, Evidence]], list[int], set[int]]:
    """All rows that came with records, each with its true number, in their order; the deals of all rows by number, and
    the numbers that are gone."""
    every, deals, home = list[tuple[int, Evidence]](), list[int](), dict[int, int]()
    for source in range(1, draw(st.integers(1, 4)) + 1):
        for first in draw(st.lists(st.booleans(), min_size=1, max_size=5)):
            deal = len(home) + 1 if first or not home else draw(st.sampled_from(sorted(home)))
            first = deal not in home
            home.setdefault(deal, source)
            for _ in range(draw(st.integers(0, 2))):
                deals.append(deal)
                every.append((len(deals), Evidence(deal, source, home[deal], first)))
        deals += draw(st.lists(st.sampled_from(sorted(home)), max_size=2))  # by hand
    gone = draw(st.sets(st.integers(1, len(deals)))) if deals else set()
    return every, deals, gone


@settings(max_examples=examples(100, 3000), deadline=None)
@given(histories(), st.booleans(), st.booleans())
def test_a_number_that_is_certain_is_that_which_the_row_had(
    history: tuple[list[tuple[int, Evidence]], list[int], set[int]], last: bool, indexed: bool
) -> None:
    every, deals, gone = history
    told = [each if number in gone else replace(each, number=number) for number, each in every]
    numbers = Numbers(
        there=frozenset(range(1, len(deals) + 1)) - gone,
        gone={number: deals[number - 1] for number in gone} if indexed else {},
        last=len(deals) if last or indexed else None,
        earliest=1,
    )
    places = place_evidence(told, numbers)
    assert places.keys() == {at for at, (number, _) in enumerate(every) if number in gone}
    assert all(every[at][0] == place.number for at, place in places.items() if place.certain)
    new = [place.number for place in places.values()]
    assert len(set(new)) == len(new)
    assert not numbers.there & {*new}
    by_hand = len(deals) - len(every)
    if not by_hand and all(each.first for _, each in every) and numbers.last:
        assert all(place.certain for place in places.values())
