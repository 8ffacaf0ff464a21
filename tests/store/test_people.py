"""Names of one person: merged and split again, in every table that shows players, never in what was recorded."""

import sqlite3
from pathlib import Path

import pytest
from support.running import run
from support.store_samples import DEALS, EVENING, HEAD, another, store

from archive.notation import write_line
from archive.store import (
    ArchiveError,
    Database,
    export_lines,
    load_judgement,
    merge_players,
    merged_names,
    open_archive,
    players,
    split_player,
)

BY = ("Emil", "a typing error")
SHOWING = ("outcomes", "plays", "ledger", "standings", "player_results", "disputes")


def other_evening(**names: str) -> str:
    return renamed(another().replace('"Stammtisch"', '"Other"'), names)


def third(**names: str) -> str:
    return renamed(HEAD.replace('"Stammtisch"', '"Third"') + DEALS[1], names)


def renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def rows(db: Database, view: str) -> list[tuple[object, ...]]:
    """The rows but for the sentences of findings, which name players as they were recorded."""
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({view})") if row[1] != "reason"]
    return sorted(db.execute(f"SELECT {', '.join(columns)} FROM {view}").fetchall(), key=repr)


def but_acts(db: Database) -> list[str]:
    """All rows but those of acts; facts that were counted again lie in another order."""
    return sorted(line for line in db.conn.iterdump() if 'INTO "acts"' not in line and "sqlite_sequence" not in line)


@pytest.fixture
def two(db: Database) -> Database:
    """Two evenings; at the second Anna is written Anni."""
    store(db)
    store(db, other_evening(Anna="Anni"), "other.toml")
    return db


# --- merged -----------------------------------------------------------------------------------------------------------


def test_every_view_shows_merged_players_as_if_there_had_been_one_name(two: Database, tmp_path: Path) -> None:
    one = open_archive(tmp_path / "one.db")
    store(one)
    store(one, other_evening(), "other.toml")
    assert any("Anni" in repr(rows(two, view)) for view in SHOWING)
    merge_players(two, ["Anni"], "Anna", *BY)
    for view in SHOWING:
        assert rows(two, view) == rows(one, view), view


def test_a_merge_changes_no_record_and_no_seat(two: Database) -> None:
    before = list(export_lines(two.conn)), rows(two, "seats"), rows(two, "records"), rows(two, "sessions")
    merge_players(two, ["Anni"], "Anna", *BY)
    assert before == (list(export_lines(two.conn)), rows(two, "seats"), rows(two, "records"), rows(two, "sessions"))
    found = load_judgement(two.conn, 5)
    assert "Anni" in found.session.players


def test_a_split_gives_exactly_the_state_before(two: Database) -> None:
    before = but_acts(two)
    merge_players(two, ["Anni"], "Anna", *BY)
    assert but_acts(two) != before
    assert split_player(two, "Anni", *BY) == "Anna"
    assert but_acts(two) == before


def test_who_merged_and_split_and_why_is_kept(two: Database) -> None:
    merge_players(two, ["Anni"], "Anna", "Emil", "a typing error")
    split_player(two, "Anni", "Fritz", "it was none")
    sql = """SELECT act, p.name, k.name, author, why FROM acts a JOIN players p ON p.id = player_id
        JOIN players k ON k.id = into_id ORDER BY a.id"""
    assert two.execute(sql).fetchall() == [
        ("merge", "Anni", "Anna", "Emil", "a typing error"),
        ("split", "Anni", "Anna", "Fritz", "it was none"),
    ]


def test_the_list_has_every_player_once_with_the_deals_under_all_names(two: Database) -> None:
    before = {each.name: each.deals for each in players(two.conn)}
    merge_players(two, ["Anni"], "Anna", *BY)
    found = {each.name: (each.deals, each.aliases) for each in players(two.conn)}
    assert found["Anna"] == (before["Anna"] + before["Anni"], ("Anni",))
    assert "Anni" not in found
    assert len(found) == 4


# --- refused ----------------------------------------------------------------------------------------------------------


def refusal(db: Database, names: list[str], into: str) -> str:
    before = list(db.conn.iterdump())
    with pytest.raises(ArchiveError) as told:
        merge_players(db, names, into, *BY)
    assert list(db.conn.iterdump()) == before
    return str(told.value)


def test_two_who_sat_at_one_table_are_two_people(two: Database) -> None:
    assert (
        refusal(two, ["Anna"], "Ben")
        == "Anna and Ben sat at one table in deal 1, and in 3 more deals: they are two people."
    )


def test_an_other_name_of_who_sat_at_the_table_is_refused_too(two: Database) -> None:
    store(two, third(Anna="Annika", Cem="Cemal"), "third.toml")
    merge_players(two, ["Anni"], "Anna", *BY)
    merge_players(two, ["Cemal"], "Cem", *BY)
    assert refusal(two, ["Annika"], "Cem").startswith("Annika and Cemal sat at one table in deal 9:")
    assert refusal(two, ["Ben", "Annika"], "Anni").startswith("Ben and Anna sat at one table in deal 1,")


def test_merging_into_an_other_name_merges_into_its_player(two: Database) -> None:
    store(two, third(Anna="Annika"), "third.toml")
    merge_players(two, ["Anni"], "Anna", *BY)
    assert merge_players(two, ["Annika"], "Anni", *BY) == "Anna"
    assert merged_names(two.conn) == {"Anni": "Anna", "Annika": "Anna"}


def test_a_circle_a_chain_and_an_unknown_name_are_refused(two: Database) -> None:
    store(two, third(Anna="Annika"), "third.toml")
    merge_players(two, ["Anni"], "Anna", *BY)
    assert refusal(two, ["Anna"], "Anni") == "Anna and Anni are one player already."
    assert refusal(two, ["Anni"], "Anna") == "Anni and Anna are one player already."
    assert refusal(two, ["Anni"], "Annika") == "Anni is merged into Anna; split it first."
    assert refusal(two, ["Anna"], "Annika") == "Anni is merged into Anna; split Anni first."
    assert refusal(two, ["Anna"], "Anna") == "Anna and Anna are one player already."
    assert refusal(two, ["Zoe"], "Anna") == "There is no player 'Zoe'; `schafkopf players` lists them."
    with pytest.raises(ArchiveError, match="Anna is merged into nobody"):
        split_player(two, "Anna", *BY)


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_lists_merges_and_splits(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    (tmp_path / "evening.toml").write_text(EVENING)
    (tmp_path / "other.toml").write_text(other_evening(Anna="Anni"))
    run("import", tmp_path / "evening.toml", tmp_path / "other.toml", "--db", db)
    assert "Anni" in run("players", "--db", db).output
    told = run("players", "merge", "Anni", "--into", "Anna", "--by", "Emil", "--why", "typed", "--db", db)
    assert told.output == "Anni: another name of Anna; `schafkopf players split NAME` takes it back\n"
    line = next(line for line in run("players", "--db", db).output.splitlines() if line.startswith("Anna"))
    assert line.split() == ["Anna", "4", "Anni"]  # one of two deals of each evening was thrown in
    assert "Anni" not in run("stats", "standings", "--db", db).output
    refused = run("players", "merge", "Ben", "--into", "Anna", "--by", "Emil", "--why", "typed", "--db", db)
    assert refused.exit_code == 2
    assert "they are two people" in refused.output
    told = run("players", "split", "Anni", "--by", "Emil", "--why", "no", "--db", db)
    assert told.output == "Anni and Anna are two players again\n"
    assert run("players", "--db", tmp_path / "none.db").exit_code == 2


def test_a_line_of_a_merged_player_is_what_was_recorded(two: Database) -> None:
    merge_players(two, ["Anni"], "Anna", *BY)
    found = load_judgement(two.conn, 5)
    assert b"Anni" in write_line(found.session, found.recorded)


def test_a_locked_archive_is_said_and_nothing_changed(two: Database, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "archive.db")
    other.execute("BEGIN IMMEDIATE")
    two.conn.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(ArchiveError, match="Nothing was changed: database is locked"):
        merge_players(two, ["Anni"], "Anna", *BY)
    other.rollback()
    assert merged_names(two.conn) == {}
