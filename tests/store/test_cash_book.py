"""The cash book: entries are only ever added, what they say adds up, and it agrees with the standings."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import running
from support.old_archives import VERSIONS, make_older
from support.store_samples import EVENING, another, store

from archive.cli.doctor import read_file
from archive.privacy.erase import erase_player
from archive.privacy.public_copy import write_copy
from archive.store import ArchiveError, Database, merge_players, open_archive, open_read, withdraw_source
from archive.store.backup import back_up
from archive.store.cash_book import CashEntry, add_entry, cash_accounts, cash_entries, cash_in_box, undo_entry
from archive.store.privacy import Hidden
from archive.store.rebuild import rebuild
from archive.store.wholeness import find_damage

NAMES = ("Anna", "Ben", "Cem", "Dora")
names, amounts = st.sampled_from(NAMES), st.integers(1, 10**6)


def paid(player: str, amount: int, to: str | None = None, **more: str) -> CashEntry:
    return CashEntry(**{"kind": "paid", "unit": "ct", "day": "2026-11-20", "author": "Vroni", **more},  # type: ignore[arg-type]
                     player=player, amount=amount, to=to)  # fmt: skip


def balances(conn: sqlite3.Connection) -> dict[str, int]:
    return {each.player: each.balance for each in cash_accounts(conn)}


def from_standings(conn: sqlite3.Connection) -> dict[tuple[str | None, str], int]:
    """What the standings say of all events together."""
    sums = Counter[tuple[str | None, str]]()
    for unit, player, total in conn.execute("SELECT unit, player, total FROM standings"):
        sums[unit, player] += total
    return dict(sums)


@pytest.fixture(name="club")
def club_of(db: Database) -> Database:
    """An archive with an evening of Anna, Ben, Cem and Dora."""
    store(db, EVENING)
    return db


# --- what adds up -----------------------------------------------------------------------------------------------------


def test_the_deals_of_the_list_are_those_of_the_standings(club: Database) -> None:
    store(club, another(), "two.toml")
    assert {(each.unit, each.player): each.from_deals for each in cash_accounts(club.conn)} == from_standings(club.conn)
    withdraw_source(club, 2, "Vroni", "typed twice")
    now = cash_accounts(club.conn)
    assert {(each.unit, each.player): each.from_deals for each in now} == from_standings(club.conn)
    assert all(each.balance == each.from_deals for each in now)


def test_a_worked_example(club: Database) -> None:
    before = balances(club.conn)
    add_entry(club, paid("Anna", 1250, "Ben"))
    add_entry(club, paid("Cem", 500))
    add_entry(club, paid("Ben", -300))
    add_entry(club, paid("Dora", -340, kind="carried", day="2026-01-01"))
    assert balances(club.conn) == {
        "Anna": before["Anna"] + 1250, "Ben": before["Ben"] - 1250 - 300, "Cem": before["Cem"] + 500,
        "Dora": before["Dora"] - 340,
    }  # fmt: skip
    assert cash_in_box(club.conn) == {"ct": 200}
    dora = next(each for each in cash_accounts(club.conn) if each.player == "Dora")
    assert (dora.carried, dora.paid) == (-340, 0)
    assert [each.id for each in cash_entries(club.conn)] == [4, 3, 2, 1]


@given(entries=st.lists(st.tuples(names, names, amounts), max_size=8))
def test_what_players_pay_each_other_changes_no_sum(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, str, int]]
) -> None:
    db = open_archive(tmp_path_factory.mktemp("cash") / "archive.db")
    with closing(db.conn) as conn:
        store(db, EVENING)
        before = balances(conn)
        for player, to, amount in entries:
            if player != to:
                add_entry(db, paid(player, amount, to))
        assert sum(balances(conn).values()) == sum(before.values())
        for each in cash_entries(conn):
            undo_entry(db, each.id, "Vroni")
        assert balances(conn) == before
        assert cash_in_box(conn).get("ct", 0) == 0
        assert {(each.unit, each.player): each.from_deals for each in cash_accounts(conn)} == from_standings(conn)


# --- only ever added --------------------------------------------------------------------------------------------------


def test_an_entry_that_is_taken_back_stays(club: Database) -> None:
    before = balances(club.conn)
    add_entry(club, paid("Anna", 1250, "Ben", note="by hand"))
    rows = club.execute("SELECT * FROM cash_book").fetchall()
    assert undo_entry(club, 1, "Kathi").amount == 1250
    assert club.execute("SELECT * FROM cash_book").fetchall()[:1] == rows
    assert balances(club.conn) == before
    counter, entry = cash_entries(club.conn)
    assert (counter.undoes, counter.author, entry.undone_by, entry.note) == (1, "Kathi", 2, "by hand")
    for number, why in ((1, "taken back already"), (2, "takes entry 1 back"), (3, "no entry 3")):
        with pytest.raises(ArchiveError, match=why):
            undo_entry(club, number, "Kathi")
    assert len(cash_entries(club.conn)) == 2


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (paid("Xaver", 5), "no player 'Xaver'"), (paid("Anna", 5, "Xaver"), "no player 'Xaver'"),
        (paid("Anna", 5, "Anna"), "both who pays"), (paid("Anna", 0), "nothing changes nothing"),
        (paid("Anna", 5, day="2026-11"), "not a day"), (paid("Anna", 5, day="gestern"), "not a day"),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_a_sentence_and_changes_nothing(club: Database, entry: CashEntry, why: str) -> None:
    with pytest.raises(ArchiveError, match=why):
        add_entry(club, entry)
    assert cash_entries(club.conn) == []


def test_a_row_that_is_gone_is_noticed(club: Database) -> None:
    for amount in (1, 2, 3):
        add_entry(club, paid("Anna", amount))
    assert list(find_damage(club.conn)) == []
    club.execute("DELETE FROM cash_book WHERE id IN (2, 3)")
    club.conn.commit()
    assert [(each.kind, each.says.facts["rows"]) for each in find_damage(club.conn)] == [("gap", "2–3")]


# --- people, and copies -----------------------------------------------------------------------------------------------


def test_merged_names_have_one_account(club: Database) -> None:
    store(club, another().replace("Anna", "Anni"), "two.toml")
    add_entry(club, paid("Anni", 100, "Ben"))
    add_entry(club, paid("Anna", 50))
    apart = balances(club.conn)
    merge_players(club, ["Anni"], "Anna", "Vroni", "one person")
    assert balances(club.conn)["Anna"] == apart["Anna"] + apart["Anni"]
    assert "Anni" not in balances(club.conn)
    assert {each.player for each in cash_entries(club.conn)} == {"Anna"}
    with pytest.raises(ArchiveError, match="both who pays"):
        add_entry(club, paid("Anna", 5, "Anni"))


def test_who_is_erased_is_in_no_entry(club: Database) -> None:
    add_entry(club, paid("Ben", 100, "Anna", note="Ben gave it to Anna", author="Ben"))
    amounts = sorted(balances(club.conn).values())
    erase_player(club, "Ben", "Vroni", "asked for it")
    (entry,) = cash_entries(club.conn)
    assert "Ben" not in f"{club.execute('SELECT * FROM cash_book').fetchall()} {entry}"
    assert entry.player.startswith("Player ")
    assert sorted(balances(club.conn).values()) == amounts


@pytest.mark.parametrize(
    "hidden",
    [
        Hidden(True, frozenset({1}), frozenset({1})),
        Hidden(True, players=frozenset({2})),
        Hidden(sessions=frozenset({1})),
    ],
)
def test_a_copy_without_something_has_no_cash_book(club: Database, tmp_path: Path, hidden: Hidden) -> None:
    add_entry(club, paid("Ben", 100, "Anna"))
    write_copy(tmp_path / "archive.db", tmp_path / "copy.db", hidden)
    with closing(open_read(tmp_path / "copy.db")) as conn:
        assert conn.execute("SELECT * FROM cash_book").fetchall() == []
        assert cash_entries(conn) == []


def rows(path: Path) -> Sequence[object]:
    with closing(open_read(path)) as conn:
        return [tuple(row) for row in conn.execute("SELECT * FROM cash_book")]


def test_a_backup_and_a_rebuilt_archive_have_every_entry(club: Database, tmp_path: Path) -> None:
    add_entry(club, paid("Ben", 100, "Anna", note="by hand"))
    undo_entry(club, 1, "Vroni")
    path, there = tmp_path / "archive.db", club.execute("SELECT * FROM cash_book").fetchall()
    back_up(path, tmp_path / "copy.db")
    assert rows(tmp_path / "copy.db") == there
    club.execute("UPDATE seats SET amount = 4711")
    club.conn.commit()
    club.conn.close()
    rebuild(path, read_file)
    assert rows(path) == there
    with closing(open_read(path)) as conn:
        assert list(find_damage(conn)) == []


def test_a_masked_copy_has_no_cash_book(club: Database, tmp_path: Path) -> None:
    add_entry(club, paid("Ben", 100, "Anna"))
    path = str(tmp_path / "masked.db")
    words = ["export", "--mask", "pseudonyms", "--to", "archive", "-o", path, "--db", str(tmp_path / "archive.db")]
    assert (done := running.run(*words)).exit_code == 0, done.output
    assert rows(Path(path)) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_archive_has_a_cash_book_from_its_next_opening_on(tmp_path: Path, version: int) -> None:
    path = make_older(tmp_path / "old.db", version)
    with closing((db := open_archive(path)).conn) as conn:
        first = next(each for each in cash_accounts(conn) if each.unit)
        add_entry(db, paid(first.player, 100, unit=str(first.unit)))
        assert balances(conn)[first.player] == first.balance + 100


# --- the command ------------------------------------------------------------------------------------------------------


def run(path: Path, *words: str) -> tuple[int, str]:
    done = running.run("cash", *words, "--db", path)
    return done.exit_code, done.output


def test_the_command_says_what_it_has_written_down(club: Database, tmp_path: Path) -> None:
    path, by = tmp_path / "archive.db", ("--by", "Vroni")
    was = balances(club.conn)
    assert run(path, "paid", "Anna", "12,50", "--to", "Ben", "--on", "14.11.2026", *by)[0] == 0
    assert run(path, "received", "Cem", "5 €", *by)[0] == 0
    assert run(path, "carried", "Dora", "-340", "--unit", "ct", "--note", "of last year", *by)[0] == 0
    entries = cash_entries(club.conn)
    assert (entries[-1].kind, entries[-1].player, entries[-1].amount) == ("paid", "Anna", 1250)
    assert (entries[-1].day, entries[-1].to, entries[0].note) == ("2026-11-14", "Ben", "of last year")
    assert balances(club.conn)["Dora"] == was["Dora"] - 340
    code, listed = run(path)
    assert code == 0
    assert "−3.40" in listed
    assert max(map(len, listed.splitlines())) <= 80
    code, undone = run(path, "undo", "1", *by, "--lang", "de")
    assert (code, "Eintrag 1 ist zurückgenommen: Anna hat Ben 12,50 € gezahlt." in undone) == (0, True)
    assert balances(club.conn)["Anna"] == was["Anna"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("paid", "Ana", "12,50"), "Did you mean 'Anna'?"), (("paid", "Anna", "5"), "may be euros or cents"),
        (("paid", "Anna", "-5 €"), "neither has a minus"), (("paid", "Anna", "5 €", "--on", "2026-02-30"), "not a day"),
        (("carried", "Anna", "5", "--unit", "P"), "nothing is counted in 'P'"),
        (("paid", "Anna", "5 €", "--to", "Anna"), "both who pays"), (("undo", "9"), "no entry 9"),
        (("paid", "Anna", "5 €", "--note", " "), "--note is empty"),
    ],
)  # fmt: skip
def test_wrong_use_is_a_sentence(club: Database, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    code, said = run(tmp_path / "archive.db", *words, "--by", "Vroni")
    assert (code, sentence in said) == (2, True), said
    assert cash_entries(club.conn) == []
