"""Several sources of one deal: recognised, kept once with all of them, and what they tell differently is a finding."""

import sqlite3
from pathlib import Path

import pytest
from support.store_samples import DEALS, EVENING, HEAD, another, dump, pairs_of, store

from archive.notation import read_lines
from archive.record import Source
from archive.store import (
    ArchiveError,
    Database,
    FileMeta,
    export_lines,
    find_source,
    load_deal,
    load_judgement,
    open_archive,
    restore_source,
    save_file,
    withdraw_source,
)
from archive.store.resettle import resettle_sessions
from archive.store.transaction import writing

ALONE = HEAD + DEALS[0]
NAMED = {"Anna": "Forehand", "Ben": "Second", "Cem": "Third", "Dora": "Last"}


def differing(conn: sqlite3.Connection, rule: str = "sources-differ") -> list[str]:
    return [row[0] for row in conn.execute("SELECT message FROM findings WHERE rule = ? ORDER BY id", (rule,))]


def renamed(text: str) -> str:
    for old, new in NAMED.items():
        text = text.replace(old, new)
    return text


def turned(text: str) -> str:
    """The same table, written down from another chair."""
    return text.replace('["Anna", "Ben", "Cem", "Dora"]', '["Dora", "Anna", "Ben", "Cem"]').replace(
        "[-160, 160, -160, 160]", "[160, -160, 160, -160]"
    )


# --- recognised -------------------------------------------------------------------------------------------------------


def test_an_equal_record_of_another_file_is_a_second_source(db: Database) -> None:
    store(db, ALONE)
    assert store(db, ALONE + "\n# the same\n", "copy.toml").known == 1
    assert db.execute("SELECT deal_id, source_id, record FROM copies").fetchall() == [(1, 2, None)]
    assert differing(db.conn) == []


def test_the_same_cards_are_the_same_deal_whoever_is_named(db: Database) -> None:
    store(db, ALONE)
    saved = store(db, renamed(ALONE.replace('id = "list-3/1"\n', "")), "other.toml")
    assert (saved.added, saved.known, saved.changed) == (0, 1, (1,))
    assert differing(db.conn) == ["players: Anna Ben Cem Dora here, Forehand Last Second Third in other.toml:9"]


def test_the_same_deal_from_another_chair_differs_in_nothing(db: Database) -> None:
    store(db, ALONE)
    assert store(db, turned(ALONE), "chair.toml").known == 1
    assert differing(db.conn) == []


def test_the_same_id_of_the_same_players_is_the_same_deal_without_any_card(db: Database) -> None:
    result = (
        '[[deal]]\nid = "list-3/1"\ndealer = "Dora"\ngame = "Ben rufspiel G"\nstated.payments = [-80, 80, -80, 80]\n'
    )
    store(db, ALONE)
    assert store(db, HEAD + result, "sheet.toml").known == 1
    assert differing(db.conn) == [
        f"payments of {name}: {ours} here, {theirs} in sheet.toml:8"
        for name, ours, theirs in (("Anna", "−160", "−80"), ("Ben", 160, 80), ("Cem", "−160", "−80"), ("Dora", 160, 80))
    ]


def test_the_same_id_of_other_players_is_another_deal_unless_one_site_gave_it(db: Database) -> None:
    result = '[[deal]]\nid = "7"\ndealer = "Dora"\ngame = "Ben wenz"\n'
    store(db, HEAD + result)
    assert store(db, renamed(HEAD + result), "other.toml").added == 1
    site = HEAD + 'origin = "a site"\n' + result.replace('"7"', '"8"')
    store(db, site, "page.toml")
    assert store(db, renamed(site), "lines.toml").known == 1


def test_what_a_second_source_told_makes_the_deal_known_as_well(db: Database) -> None:
    result = '[[deal]]\nid = "list-3/1"\ndealer = "Dora"\ngame = "Ben rufspiel G"\n'
    cards = renamed(ALONE.replace('id = "list-3/1"\n', ""))
    store(db, HEAD + result, "list.toml")
    assert store(db, ALONE, "page.toml").known == 1, "by its id"
    assert store(db, cards, "cards.toml").known == 1, "by the cards that the page told"
    assert store(db, cards + "# again\n", "again.toml").known == 1, "word for word"
    assert db.execute("SELECT count(*) FROM deals").fetchone() == (1,)


def test_a_later_state_of_a_file_that_was_the_second_source_is_known_by_its_number(db: Database) -> None:
    first = '[[deal]]\ndealer = "Dora"\ngame = "Ben wenz"\nstated.payments = [-50, 150, -50, -50]\n'
    store(db, HEAD + first)
    store(db, HEAD + "# copied\n" + first, "copy.toml")
    saved = store(db, HEAD + first.replace("150", "170"), "copy.toml")
    assert (saved.added, saved.known) == (0, 1)
    assert differing(db.conn) == ["payments of Ben: 150 here, 170 in copy.toml:8"]


def test_a_tariff_that_is_unknown_contradicts_none(db: Database) -> None:
    result = '[[deal]]\nid = "list-3/1"\ndealer = "Dora"\ngame = "Ben rufspiel G"\n'
    store(db, HEAD.replace("10/20/50", "unknown") + result)
    store(db, ALONE, "page.toml")
    assert differing(db.conn) == []
    assert db.execute("SELECT verdict FROM deals").fetchall() == [("differs",)], "the fuller one is judged"


def test_other_cards_are_another_deal(db: Database) -> None:
    store(db)
    assert store(db, another(), "another.toml").added == 4


def test_equal_deals_without_cards_of_two_files_stay_two(db: Database) -> None:
    store(db, HEAD + DEALS[1])
    assert store(db, HEAD.replace("Stammtisch", "Verein") + DEALS[1], "other.toml").added == 1


# --- which is judged --------------------------------------------------------------------------------------------------


def test_the_record_that_tells_more_and_nothing_else_is_judged(db: Database) -> None:
    hands_alone = ALONE[: ALONE.index("knocks =")]
    store(db, hands_alone)
    assert db.execute("SELECT verdict, contract FROM deals").fetchall() == [("undecidable", None)]
    store(db, ALONE, "full.toml")
    assert db.execute("SELECT verdict, contract FROM deals").fetchall() == [("differs", "rufspiel")]
    assert db.execute("SELECT count(*) FROM records").fetchone() == (1,)
    again = load_judgement(db.conn, 1)
    assert again.deal.game
    assert again.verdict == "differs"


def test_a_record_that_tells_more_but_something_else_is_not_judged(db: Database) -> None:
    store(db, ALONE.replace("stated.runners = 6\n", ""))
    store(db, ALONE.replace("= 75", "= 74"), "other.toml")
    assert db.execute("SELECT points FROM stated").fetchall() == [(75,)]
    assert differing(db.conn) == ["points: 75 here, 74 in other.toml:9"]


def test_a_later_state_of_the_same_file_is_judged_and_the_earlier_kept(db: Database) -> None:
    store(db, EVENING.replace("= 75", "= 74"))
    first = db.execute("SELECT record FROM records WHERE id = 1").fetchone()
    saved = store(db)
    assert (saved.added, saved.known, saved.changed, saved.sessions) == (0, 4, (1,), 0)
    assert db.execute("SELECT points FROM stated WHERE deal_id = 1").fetchone() == (75,)
    assert differing(db.conn, "record-changed") == ["points: 75 now, 74 when evening.toml:9 was imported before"]
    assert db.execute("SELECT record FROM records WHERE id = 1").fetchone() == first


def test_a_deal_without_cards_that_was_rewritten_in_its_file_is_the_same(db: Database) -> None:
    store(db)
    saved = store(db, EVENING.replace("[-50, -50, 150, -50]", "[-60, -60, 180, -60]") + DEALS[1])
    assert (saved.added, saved.changed, saved.sessions) == (1, (4,), 0)
    assert [row[0] for row in db.execute("SELECT number FROM deals WHERE session_id = 1 ORDER BY id")] == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_a_head_that_was_completed_is_the_same_evening(db: Database) -> None:
    store(db)
    saved = store(db, EVENING.replace('unit = "ct"', 'unit = "ct"\nplace = "Offenbach"') + DEALS[1])
    assert (saved.added, saved.known, saved.sessions) == (1, 4, 0)
    assert db.execute("SELECT place FROM sessions").fetchall() == [("Offenbach",)]
    for key in range(1, 6):
        head, _, _ = load_deal(db.conn, key) or pytest.fail("no such deal")
        assert head.place == "Offenbach"


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_file_taken_back_and_brought_in_again_is_as_if_nothing_was(db: Database) -> None:
    store(db)
    store(db, another(), "another.toml")
    before = [line for line in dump(db) if 'INTO "acts"' not in line and "sqlite_sequence" not in line]
    assert withdraw_source(db, 2, "Dora", "the wrong file") == 4
    assert db.execute("SELECT count(*) FROM deals").fetchone() == (4,)
    assert load_deal(db.conn, 5) is None
    assert db.execute("SELECT count(*) FROM records").fetchone() == (8,), "what it told is kept"
    assert restore_source(db, 2, "Dora", "it was right") == 4
    after = [line for line in dump(db) if 'INTO "acts"' not in line and "sqlite_sequence" not in line]
    assert without_ids(after) == without_ids(before)
    acts = db.execute("SELECT act, source_id, author, why FROM acts ORDER BY id").fetchall()
    assert acts == [("withdraw", 2, "Dora", "the wrong file"), ("restore", 2, "Dora", "it was right")]


def without_ids(lines: list[str]) -> list[str]:
    """A dump without the numbers of findings, which are given anew, in an order that does not depend on them."""
    return sorted(line.split("VALUES(", 1)[-1].split(",", 1)[-1] if '"findings"' in line else line for line in lines)


def test_a_deal_of_a_file_taken_back_stays_where_another_file_tells_it(db: Database) -> None:
    store(db, ALONE)
    store(db, ALONE.replace("= 75", "= 74"), "other.toml")
    assert withdraw_source(db, 1, "Dora", "wrong") == 0
    assert db.execute("SELECT points FROM stated").fetchall() == [(74,)]
    assert differing(db.conn) == []
    assert withdraw_source(db, 2, "Dora", "wrong too") == 1


def test_importing_a_file_again_that_was_taken_back_brings_it_in(db: Database) -> None:
    store(db)
    withdraw_source(db, 1, "Dora", "wrong")
    saved = store(db)
    assert saved.restored
    assert db.execute("SELECT count(*) FROM deals").fetchone() == (4,)


def test_what_is_taken_back_cannot_be_taken_back_again(db: Database) -> None:
    store(db)
    with pytest.raises(ArchiveError, match="is there already"):
        restore_source(db, 1, "Dora", "why not")
    withdraw_source(db, 1, "Dora", "wrong")
    with pytest.raises(ArchiveError, match="was taken back before"):
        withdraw_source(db, 1, "Dora", "wrong")


def test_a_source_is_found_by_number_path_and_hash(db: Database) -> None:
    store(db)
    digest = db.execute("SELECT hex(sha256) FROM sources").fetchone()[0]
    for text in ("1", "evening.toml", digest[:8], digest.lower()):
        assert find_source(db.conn, text) == [1]
    for text in ("2", "other.toml", "abc", "%%%%"):
        assert find_source(db.conn, text) == []


# --- out again --------------------------------------------------------------------------------------------------------


def test_a_session_told_by_several_sources_is_exported_as_one_session(db: Database, tmp_path: Path) -> None:
    """The second deal is in force from a source with another house and other seats."""
    evening = HEAD + DEALS[0].split("knocks =")[0] + DEALS[1]
    store(db, evening)
    fuller = turned(ALONE).replace('tariff = "10/20/50"', 'tariff = "10/20/50", knock = "anyone"')
    assert store(db, fuller, "fuller.toml").changed == (1,)
    told = [load_judgement(db.conn, key) for key in (1, 2)]
    other = open_archive(tmp_path / "other.db")
    lines = b"".join(export_lines(db.conn))
    save_file(
        other, FileMeta("lines.jsonl", "record-lines"), lines, *pairs_of(read_lines(lines, Source("lines.jsonl")))
    )
    again = [load_judgement(other.conn, key) for key in (1, 2)]
    assert other.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
    for first, second in zip(told, again, strict=True):
        assert (first.verdict, first.settlement, first.after) == (second.verdict, second.settlement, second.after)
        assert first.session.players == second.session.players
    other.close()


# --- judged again as it was judged ------------------------------------------------------------------------------------


def test_a_deal_that_another_session_holds_stays_where_its_file_has_it(db: Database) -> None:
    """The first deal of the evening is known from a page; a later state of the evening repeats the third word for word
    and tells the fourth anew."""
    store(db, ALONE, "page.toml")
    store(db, EVENING.replace("2026-11-14", "2026-11-21"))
    store(db, EVENING.replace("2026-11-14", "2026-11-21").replace("[-50, -50, 150, -50]", "[-60, -60, 180, -60]"))
    before = kept(db)
    with writing(db.conn):
        resettle_sessions(db.conn, [1, 2])
    assert kept(db) == before
    assert [row[0] for row in db.execute("SELECT rule FROM findings WHERE rule = 'deal-gap'")] == []


def test_an_evening_is_judged_with_what_was_corrected_of_its_deals_in_another_session(db: Database) -> None:
    store(db, ALONE, "page.toml")
    sql = "INSERT INTO corrections VALUES (NULL, 1, 'Dora', '2026-11-15', 'misread', NULL, ?)"
    with writing(db.conn):
        db.execute(sql, ('{"doubles":[]}',))
        resettle_sessions(db.conn, [1])
    store(db, EVENING.replace("2026-11-14", "2026-11-21"))
    before = kept(db)
    with writing(db.conn):
        resettle_sessions(db.conn, [1, 2])
    assert kept(db) == before


def kept(db: Database) -> list[tuple[object, ...]]:
    deals = db.execute("SELECT id, verdict, reason, state, state_after FROM deals ORDER BY id").fetchall()
    return [*deals, *db.execute("SELECT deal_id, seat, payment, total FROM seats ORDER BY deal_id, seat").fetchall()]
