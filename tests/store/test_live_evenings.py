"""An evening that is written down at the table: what stands in the archive is what an import of its file puts there."""

from pathlib import Path
from typing import Any

import pytest

from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_toml
from archive.privacy.erase import erase_player
from archive.record import Finding, Ruling, Session, Source
from archive.stats.database import ArchiveError
from archive.store import Database, FileMeta, deal_authors, export_toml, open_archive, save_file, source_text
from archive.store.live_evenings import (
    Device,
    LiveEvening,
    add_deal,
    begin_evening,
    change_deal,
    drafts_of,
    drop_draft,
    head_findings,
    live_evening,
    set_closed,
    take_back,
    take_pen,
)
from archive.store.ruling import rule_on_deal
from archive.store.table_rules import keep_table_rules, kept_table_rules
from archive.store.wholeness import find_damage

HEAD = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", date="2026-11-25", house={"tariff": "10/20/50"})
WON = {"won": True, "schneider": False, "schwarz": False, "runner_count": 0}
TABLES = ("records", "deals", "seats", "calls", "doubles", "tricks", "stated", "findings", "sessions", "players")


@pytest.fixture
def db(tmp_path: Path) -> Database:
    return open_archive(tmp_path / "archive.db")


def evening_of(db: Database, number: int) -> LiveEvening:
    evening = live_evening(db.conn, number)
    assert evening is not None
    return evening


def rufspiel(key: str, seat: int = 1, **more: Any) -> dict[str, Any]:
    told = {"id": key, "game": f"Seat{seat} rufspiel E", "with": f"Seat{seat % 4 + 1}", "knocks": [], "stated": WON}
    return told | more


def some_deals(db: Database, number: int) -> None:
    every: list[dict[str, Any]] = [
        rufspiel("a", dealer="Seat4"),
        {"id": "b", "game": "none"},
        rufspiel("c", 2, knocks=2, doubles=1),
        {"id": "d", "game": "Seat3 solo H tout", "stated": {"won": False, "runner_count": 3}},
        {"id": "e", "game": "ramsch", "stated": {"loser": "Seat2", "virgins": 1}},
        {"id": "f", "game": "none"},
    ]
    for told in every:
        assert add_deal(db, number, told, "Anna").outcome == "stored"


def test_the_same_records_stand_there_as_after_an_import_of_the_file(db: Database, tmp_path: Path) -> None:
    number = begin_evening(db, HEAD, "Anna")
    some_deals(db, number)
    add_deal(db, number, rufspiel("g", 3, players=["Anna", "Ben", "Emil", "Cem", "Dora"], dealer="Ben"), "Anna")
    add_deal(db, number, rufspiel("h"), "Anna")
    add_deal(db, number, rufspiel("i", 2, players=["Ben", "Emil", "Cem", "Dora"]), "Anna")  # Anna goes
    evening = evening_of(db, number)
    assert evening.deals == 9
    text = source_text(db.conn, evening.source) or b""
    assert evening.session is not None
    assert (export_toml(db.conn, evening.session) or "").encode() == text.partition(b"\n")[2]
    other = open_archive(tmp_path / "other.db")
    pairs = list(judge_with_heads(read_toml(text, Source(evening.path))))
    assert not [each for each in pairs if isinstance(each, Finding)]
    save_file(other, FileMeta(evening.path, "record-toml"), text, pairs)  # type: ignore[arg-type]
    for table in TABLES:
        ours, theirs = (each.execute(f"SELECT * FROM {table}").fetchall() for each in (db, other))
        assert ours == theirs, table
    known = "sha256, size, deals, format, path"
    ours, theirs = (each.execute(f"SELECT {known} FROM sources").fetchall() for each in (db, other))
    assert ours == theirs
    assert list(find_damage(db.conn)) == []


def test_a_deal_that_comes_twice_is_stored_once(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    first, again = (add_deal(db, number, rufspiel("a"), "Anna") for _ in range(2))
    assert (first.outcome, again.outcome, first.deal) == ("stored", "known", again.deal)
    assert evening_of(db, number).state.table.totals == (20, 20, -20, -20)
    other = begin_evening(db, HEAD, "Anna")
    assert add_deal(db, other, rufspiel("b"), "Anna").outcome == "stored", "an equal deal of another evening is its own"


def test_who_wrote_each_deal_down_stays_with_it_and_is_erased_with_the_person(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    for key, author in (("a", "Anna"), ("b", "Kreszenz"), ("b", "Anna")):
        add_deal(db, number, rufspiel(key), author)
    assert [
        (each["author"], each["made_at"] is not None) for deal in (1, 2) for each in deal_authors(db.conn, deal)
    ] == [("Anna", True), ("Kreszenz", True)]
    gone = erase_player(db, "Kreszenz", "Anna", "asked")
    assert [each["author"] for each in deal_authors(db.conn, 2)] == [gone.pseudonym]
    assert "Kreszenz" not in "\n".join(db.conn.iterdump())


def test_what_contradicts_is_kept_as_a_draft_and_not_stored(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    wrong = add_deal(db, number, rufspiel("a", stated={"won": True, "points": 30}), "Ben")
    assert (wrong.outcome, [each.rule for each in wrong.findings]) == ("contradicted", ["stated-won"])
    assert add_deal(db, number, {"id": "b", "game": "Seat1 solo H"}, "Ben").outcome == "missing"
    assert add_deal(db, number, {"id": "c", "game": "Seat9 solo H"}, "Ben").outcome == "unreadable"
    assert add_deal(db, number, {"game": "none"}, "Ben").outcome == "unreadable", "without an id"
    assert evening_of(db, number).deals == 0
    drafts = drafts_of(db.conn, number)
    assert [(each.own_id, each.why, each.author) for each in drafts] == [
        ("a", "contradicted", "Ben"),
        ("b", "missing", "Ben"),
    ]
    assert drafts[1].entries == {"id": "b", "game": "Seat1 solo H"}
    right = add_deal(db, number, rufspiel("a"), "Ben")
    assert (right.outcome, [each.own_id for each in drafts_of(db.conn, number)]) == ("stored", ["b"])
    drop_draft(db, number, drafts[1].id)
    assert drafts_of(db.conn, number) == []


def test_who_says_so_has_a_contradiction_stored_with_its_finding(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    added = add_deal(db, number, rufspiel("a", stated={"won": True, "points": 30}), "Ben", anyway=True)
    assert added.outcome == "stored"
    assert db.execute("SELECT verdict FROM deals").fetchall() == [("differs",)]


def test_a_closed_evening_keeps_what_comes_as_drafts(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    some_deals(db, number)
    for name in ("Anna", "Ben"):
        set_closed(db, evening_of(db, number), True, name)
    assert evening_of(db, number).closed_by == "Anna", "whoever closes it once more did not close it"
    assert add_deal(db, number, rufspiel("late"), "Ben").outcome == "closed"
    assert add_deal(db, number, rufspiel("a"), "Ben").outcome == "known", "it was there before"
    assert [(each.own_id, each.why) for each in drafts_of(db.conn, number)] == [("late", "closed")]
    set_closed(db, evening_of(db, number), False, "Anna")
    assert add_deal(db, number, rufspiel("late"), "Ben").outcome == "stored"


def test_a_deal_taken_back_stays_as_a_correction_and_pays_nothing(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    some_deals(db, number)
    before = evening_of(db, number)
    assert add_deal(db, number, rufspiel("g"), "Ben").outcome == "stored"
    evening = evening_of(db, number)
    take_back(db, evening, evening.last or 0, "Cem", "never played")
    after = evening_of(db, number)
    assert (after.state.table.totals, after.state.table.dealer) == (
        before.state.table.totals,
        before.state.table.dealer,
    )
    assert after.deals == before.deals + 1
    assert db.execute("SELECT author, why FROM corrections").fetchall() == [("Cem", "never played")]
    assert add_deal(db, number, rufspiel("h"), "Ben").outcome == "stored"
    assert list(find_damage(db.conn)) == []


def test_a_deal_that_was_ruled_on_is_not_taken_back(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    some_deals(db, number)
    evening = evening_of(db, number)
    rule_on_deal(db, evening.last or 0, Ruling("Kathi", "2026-11-25", "seen by all", (0, 0, 0, 0)))
    with pytest.raises(ArchiveError, match="rule on it anew"):
        take_back(db, evening, evening.last or 0, "Cem", "never played")


def test_a_deal_is_changed_by_a_correction_and_those_after_it_are_settled_again(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    some_deals(db, number)
    evening = evening_of(db, number)
    totals = evening.state.table.totals
    wrong = change_deal(db, evening, 1, rufspiel("x", stated={"won": True, "points": 30}), "Ben", "misheard")
    assert wrong.outcome == "contradicted"
    lost = rufspiel("x", stated=WON | {"won": False})
    assert change_deal(db, evening, 1, lost, "Ben", "misheard").outcome == "stored"
    now = evening_of(db, number).state.table.totals
    assert totals is not None
    assert now == tuple((total or 0) - each for total, each in zip(totals, (40, 40, -40, -40), strict=True))
    (entries,) = db.execute("SELECT after FROM corrections").fetchone()
    assert entries == '{"stated.won":false}'
    assert db.execute("SELECT own_id FROM records WHERE id = 1").fetchone() == ("a",)


@pytest.mark.parametrize("players", [5, 6, 7])
def test_with_more_at_the_table_those_after_the_players_sit_out(db: Database, players: int) -> None:
    names = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gerda")[:players]
    head = Session(players=names, rules="pub", house={"tariff": "10/20/50"})
    number = begin_evening(db, head, "Anna")
    first = add_deal(db, number, rufspiel("a"), "Anna")
    assert first.judged.deal.dealer == players - 1
    assert first.judged.deal.sits_out == tuple(range(4, players))
    second = add_deal(db, number, rufspiel("b", 2), "Anna")
    assert second.outcome == "stored"
    assert second.judged.deal.sits_out == tuple(sorted((n + 1) % players for n in range(4, players)))
    assert add_deal(db, number, rufspiel("c", 1), "Anna").outcome == "contradicted", "Anna sits out"


@pytest.mark.parametrize(
    ("head", "key"),
    [
        (Session(players=("Anna", "Ben", "Cem"), rules="pub"), "players"),
        (Session(players=tuple("ABCDEFIJ"), rules="pub"), "players"),
        (Session(players=("Anna", "Ben", "Cem", "Anna"), rules="pub"), "players"),
        (Session(players=("Anna", "Ben", "Cem", "none"), rules="pub"), "players"),
        (Session(players=("Anna", "Ben", "Cem", "Dora"), rules="../../etc/passwd"), "rules"),
        (Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", house={"knock": "perhaps"}), "house.knock"),
        (Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", date="today"), "date"),
    ],
)
def test_no_evening_begins_with_a_head_that_is_none(head: Session, key: str) -> None:
    assert key in {each.facts.get("key") for each in head_findings(head)}


def test_rules_are_kept_under_a_name_and_the_pen_goes_from_hand_to_hand(db: Database) -> None:
    keep_table_rules(db, "Löwen", "pub", {"knock": "no"}, "Anna")
    keep_table_rules(db, "Löwen", "pub", {"knock": "anyone"}, "Ben")
    assert kept_table_rules(db.conn) == {"Löwen": ("pub", {"knock": "anyone"})}
    number = begin_evening(db, HEAD, "Anna")
    take_pen(db, evening_of(db, number), "phone-1", "Anna")
    take_pen(db, evening_of(db, number), "phone-2", "Ben")
    evening = evening_of(db, number)
    assert (evening.pen, evening.pen_by) == ("phone-2", "Ben")


def test_one_device_writes_at_a_time_and_the_deals_of_another_are_drafts(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    assert add_deal(db, number, rufspiel("a"), "Anna", device=Device("phone-1")).outcome == "stored"
    assert add_deal(db, number, rufspiel("b"), "Ben", device=Device("phone-2")).outcome == "held"
    assert [(each.own_id, each.why) for each in drafts_of(db.conn, number)] == [("b", "held")]
    take_pen(db, evening_of(db, number), "phone-2", "Ben")
    assert add_deal(db, number, rufspiel("b"), "Ben", device=Device("phone-2")).outcome == "stored"
    assert add_deal(db, number, rufspiel("c"), "Anna", device=Device("phone-1")).outcome == "held"
    db.execute("UPDATE evenings SET pen_at = '2026-01-01T00:00:00+00:00'")
    assert add_deal(db, number, rufspiel("c"), "Anna", device=Device("phone-1")).outcome == "stored", (
        "Ben has long stopped"
    )
    db.execute("UPDATE evenings SET pen_at = '2999-01-01T00:00:00+00:00'")
    late = {each: add_deal(db, number, rufspiel(each), "Ben", device=Device("phone-2", 3)).outcome for each in "de"}
    assert late == {"d": "stored", "e": "stored"}, "the clock was put back; 3 deals were shown, and one is its own"
    db.execute("UPDATE evenings SET pen_at = '2026-01-01T00:00:00+00:00'")
    for seen, outcome in ((4, "held"), (5, "stored")):
        again = add_deal(db, number, rufspiel("f"), "Anna", device=Device("phone-1", seen)).outcome
        assert again == outcome, "Ben has stopped, and Anna's phone shows no deal of his"


def test_a_draft_keeps_its_place_and_outlives_what_cannot_be_read(db: Database) -> None:
    number = begin_evening(db, HEAD, "Anna")
    for key in "abab":
        add_deal(db, number, {"id": key, "game": "Seat1 solo H"}, "Ben")
    assert add_deal(db, number, {"id": "a", "game": "Seat9 solo H"}, "Ben").outcome == "unreadable"
    assert [each.own_id for each in drafts_of(db.conn, number)] == ["a", "b"]
