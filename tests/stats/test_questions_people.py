"""Standard questions where names are merged, where evenings come one after another, and where something is disputed."""

import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support import oracle_luck
from support.oracle_occasions import disputes
from support.question_oracle import told_in
from support.running import run
from support.samples import BROKEN, VALID
from support.store_samples import DEALS, HEAD, store
from support.thorough import examples

from archive.stats import FACTS, count_sql
from archive.stats.query import answer_question
from archive.stats.questions.luck import chances
from archive.store import Database, open_read
from archive.store.people import merge_players, split_player


def imported(path: Path, *files: Path) -> None:
    for file in files:
        assert run("import", file, "--db", path).exit_code in (0, 1)


def asked(db: Database, name: str, *columns: str) -> list[tuple[Any, ...]]:
    answer = answer_question(db.conn, name)
    at = [answer.columns.index(column) for column in columns]
    return [tuple(row[each] for each in at) for row in answer.rows]


@pytest.fixture
def evening(db: Database, tmp_path: Path) -> Database:
    """Two evenings of which nobody was at both: the names of the second may be those of the first."""
    imported(tmp_path / "archive.db", VALID / "stammtisch.toml", VALID / "palatinate.toml")
    return db


def shared(evening: Database) -> tuple[str, str]:
    """Two names that never sat at one table, both with deals won or lost."""
    sql = """SELECT a.name, b.name FROM players a JOIN players b ON b.id > a.id
        JOIN run_facts f ON f.player = a.id JOIN run_facts g ON g.player = b.id
        WHERE NOT EXISTS (SELECT 1 FROM seats s JOIN seats t ON t.deal_id = s.deal_id
            WHERE s.player_id = a.id AND t.player_id = b.id) ORDER BY 1, 2"""
    one, other = evening.conn.execute(sql).fetchone()
    return one, other


def test_merged_names_are_one_player_in_every_question(evening: Database) -> None:
    one, other = shared(evening)
    declared = dict(asked(evening, "balances", "name", "played"))
    runs = asked(evening, "longest_runs", "name", "won_run", "decided")
    decided = {name: number for name, _, number in runs}
    merge_players(evening, [other], one, "Vroni", "the same person")
    names = {name for (name,) in asked(evening, "balances", "name")}
    assert one in names
    assert other not in names
    after = asked(evening, "balances", "name", "played")
    assert sum(played for name, played in after if name == one) == declared[one] + declared[other]
    again = {number for name, _, number in asked(evening, "longest_runs", "name", "won_run", "decided") if name == one}
    assert again == {decided[one] + decided[other]}
    split_player(evening, other, "Vroni", "they are two")
    assert asked(evening, "longest_runs", "name", "won_run", "decided") == runs


def test_evenings_add_up_to_what_a_count_of_all_gives(db: Database, tmp_path: Path) -> None:
    """File by file, with players who come back: what is kept is what is counted over all deals."""
    files = [VALID / name for name in ("ramsch.toml", "stoss.toml", "knocks.toml", "list.toml", "ramsch.toml")]
    imported(tmp_path / "archive.db", *files)
    for facts in FACTS:
        keys = ", ".join(facts.keys)
        kept = db.conn.execute(f"SELECT {keys}, {', '.join(facts.sums)} FROM {facts.name}").fetchall()
        if facts.by != "block":
            assert sorted(kept, key=repr) == sorted(db.conn.execute(count_sql(facts)).fetchall(), key=repr), facts.name
        parts = db.conn.execute(f"SELECT part, {keys} FROM {facts.name}").fetchall()
        assert len({*parts}) == len(parts), f"{facts.name} has a row twice"


def test_disputes_are_told_by_the_rule_of_their_findings(tmp_path: Path) -> None:
    files = sorted(BROKEN.glob("*.toml"))[:: examples(9, 3)]
    found: dict[tuple[Any, ...], int] = {}
    for file in files:
        path = tmp_path / f"{file.stem}.db"
        imported(path, file)
        with closing(open_read(path)) as conn:
            rows = [tuple(row) for row in conn.execute("SELECT * FROM disputes_by_kind")]
            known = {row[0] for row in conn.execute("SELECT id FROM deals")}
        expected = disputes(told_in(file)) if known else []
        assert sorted(rows, key=repr) == sorted(expected, key=repr), file.name
        for *kind, deals in rows:
            found[tuple(kind)] = found.get(tuple(kind), 0) + deals
    assert {verdict for _, verdict, _, _ in found} >= {"differs", "unplayable"}
    assert len({rule for *_, rule in found}) > examples(7, 20)


@pytest.mark.parametrize("of", ["lords", "matadors"])
def test_chances_are_those_of_cards_dealt_one_by_one(of: str) -> None:
    one = {"lords": oracle_luck.lords, "matadors": oracle_luck.matadors}[of]
    both = {"lords": oracle_luck.both_lords, "matadors": oracle_luck.both_matadors}[of]
    for each in chances(of):
        size = each.pack, each.cards
        assert Fraction(each.ways, each.hands) == one(*size).get(each.number, 0)
        assert Fraction(each.both, each.pairs) == both(*size, each.number)
        assert max(each.hands, each.pairs) < 2**53, "a float holds it exactly"
    sizes = {(each.pack, each.cards) for each in chances(of)}
    assert sizes >= {(36, 9), (32, 8), (32, 10), (24, 6), (24, 8), (20, 5)}
    for size in sizes:
        mine = [each for each in chances(of) if (each.pack, each.cards) == size]
        assert sum(each.ways for each in mine) == mine[0].hands


def test_a_score_is_empty_where_chance_has_no_say(tmp_path: Path) -> None:
    """Of four whole hands one has the Alte, always."""
    path = tmp_path / "archive.db"
    imported(path, VALID / "bauernstoss.toml")
    with closing(open_read(path)) as conn:
        conn.row_factory = sqlite3.Row
        rows = conn.execute("SELECT * FROM matadors_dealt ORDER BY matadors_dealt").fetchall()
    assert (rows[0]["score"], rows[0]["hands"] * 4) == (None, rows[0]["all_hands"] * 3)
    assert all(row["score"] is not None for row in rows[1:])


# --- the suit of a called card ----------------------------------------------------------------------------------------


FIRST, SECOND = '    "SU EO H7 HA",\n', '    "S9 S8 S7 SA",\n'


def row(db: Database) -> tuple[object, ...] | None:
    return db.execute("SELECT led_by, deals, found, stabbed FROM called_ace").fetchone()


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (FIRST, SECOND, ("declarer", 1, 1, 1)),  # in the last trick
        ('    "SU EO H7 GA",\n', '    "G9 GK HA G8",\n', ("nobody", 1, 0, 0)),
        ('    "G8 G9 GZ GA",\n', SECOND, ("defence", 1, 1, 0)),
        ('    "G8 G9 GZ HA",\n', '    "GA SU EO H7",\n', ("defence", 1, 0, 0)),
        ('    "?? EO GZ HA",\n', SECOND, None),
    ],
)
def test_who_leads_the_suit_of_a_called_card(
    db: Database, first: str, second: str, found: tuple[object, ...] | None
) -> None:
    assert FIRST in DEALS[0]
    assert SECOND in DEALS[0]
    store(db, HEAD + DEALS[0].replace(FIRST, first).replace(SECOND, second))
    assert row(db) == found
