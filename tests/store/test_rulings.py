"""Rulings: what a person finally decided stands beside what is stated and computed, and settles what is paid."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.running import run

from archive import generate
from archive.judge import judge_session
from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_toml, write_toml
from archive.privacy.erase import erase_player
from archive.privacy.public_copy import write_copy
from archive.record import Deal, Finding, Game, Ruling, Source, Stated
from archive.settle.rulings import totals_with_rulings
from archive.store import ArchiveError, Database, FileMeta, open_archive, open_read, save_file
from archive.store.cases import CaseEntry, EntryKind, add_entry, all_cases, cases_of_deal, load_case, open_case
from archive.store.privacy import Hidden
from archive.store.record_lines import read_record
from archive.store.ruling import RulingResult, list_rulings, rule_on_deal
from archive.store.ruling import rule_on_deal as rule_on
from archive.web.app import create_app
from archive.web.texts import EN

NAMES = generate.PLAYERS
WHEN = "2031-02-03T20:00:00+00:00"
Rule = Callable[..., RulingResult]


def evening(count: int = 4, rules: str = "bavarian", **head: Any) -> tuple[Any, list[Deal]]:
    session = generate.session(rules, **head)
    return session, list(generate.deals(Random(7), session, count, ("payments", "totals")))


def stored(db: Database, text: str, path: str = "evening.toml") -> None:
    found = [each for each in judge_with_heads(read_toml(text.encode(), Source(path))) if not isinstance(each, Finding)]
    save_file(db, FileMeta(path, "record-toml"), text.encode(), found)


@pytest.fixture
def table(db: Database) -> Database:
    """An archive with an evening of four deals of the pure rules, all of which agree."""
    session, deals = evening()
    stored(db, write_toml(session, deals))
    return db


def ruling(*payments: int | None, by: str = "Emil", cite: str | None = "house rule 4", when: str = WHEN) -> Ruling:
    return Ruling(by, when, "agreed at the table", payments, cite)


def ledger(db: Database, key: str) -> list[tuple[Any, ...]]:
    """A column of the ledger, the seats of each deal together."""
    found: dict[int, list[Any]] = {}
    for deal, value in db.execute(f"SELECT deal, {key} FROM ledger ORDER BY deal, seat").fetchall():
        found.setdefault(deal, []).append(value)
    return [tuple(each) for each in found.values()]


def added(totals: tuple[int | None, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((one or 0) + other for one, other in zip(totals, more, strict=True))


def test_a_ruling_overwrites_nothing_that_was_stated_computed_or_ruled(table: Database) -> None:
    kept = ("SELECT * FROM records", "SELECT * FROM sources", "SELECT * FROM stated",
            "SELECT deal_id, seat, declaring, points, tricks, won, payment, total, marks, marks_total FROM seats",

            "SELECT id, verdict, reason, price FROM deals", "SELECT rule, message FROM findings")  # fmt: skip
    before = [table.execute(sql).fetchall() for sql in kept]
    rule_on(table, 2, ruling(20, -20, 20, -20))
    first = table.execute("SELECT * FROM rulings").fetchall()
    rule_on(table, 2, ruling(30, -30, 30, -30, by="Fritz"))
    assert [table.execute(sql).fetchall() for sql in kept] == before
    assert table.execute("SELECT * FROM rulings ORDER BY id").fetchall()[:1] == first
    assert table.execute("SELECT count(*) FROM rulings").fetchone() == (2,)


def test_a_table_that_ruled_twenty_pays_twenty_and_the_computed_totals_stay(table: Database) -> None:
    computed, totals = ledger(table, "payment"), ledger(table, "total")
    assert ledger(table, "settled_payment") == computed
    assert ledger(table, "settled_total") == totals, "without a ruling they are the same"
    done = rule_on(table, 2, ruling(20, -20, 20, -20))
    assert ledger(table, "total") == totals
    expected = [computed[0], (20, -20, 20, -20), *computed[2:]]
    assert ledger(table, "settled_payment") == expected
    running: tuple[int, ...] = (0, 0, 0, 0)
    settled = []
    for each in expected:
        running = added(running, each)
        settled.append(running)
    assert ledger(table, "settled_total") == settled
    assert totals_with_rulings(done.last.after) == settled[-1]
    assert all(sum(each) == 0 for each in ledger(table, "settled_total"))


def test_the_last_ruling_is_in_force(table: Database) -> None:
    computed = ledger(table, "payment")
    rule_on(table, 2, ruling(20, -20, 20, -20))
    rule_on(table, 2, ruling(*computed[1], by="Fritz"))
    assert ledger(table, "settled_payment") == computed, "whoever takes a ruling back rules again"
    assert ledger(table, "ruled_payment")[1:2] == [computed[1]]
    force = table.execute("SELECT ruled_by, in_force FROM rulings_by_rule ORDER BY ruling").fetchall()
    assert force == [("Emil", 0), ("Fritz", 1)]


def test_what_nobody_can_compute_is_settled_as_it_was_written_down(db: Database) -> None:
    session = generate.session("bavarian")
    deals = [
        Deal(dealer=3, game=Game("solo", 1, suit="G"), stated=Stated(payments=(-50, 150, -50, -50))),
        Deal(game=Game("solo", 2, suit="G")),
    ]
    stored(db, write_toml(session, deals))
    assert db.execute("SELECT settled_payment, total FROM ledger WHERE deal = 1").fetchall()[1] == (150, 150)
    assert db.execute("SELECT settled_total FROM ledger WHERE deal = 1").fetchall()[1] == (150,)
    assert db.execute("SELECT settled_total FROM ledger WHERE deal = 2").fetchall()[1] == (150,), "it goes on"
    rule_on(db, 2, ruling(10, 10, -30, 10))
    assert db.execute("SELECT settled_total FROM ledger WHERE deal = 2").fetchall()[1] == (160,)


def test_settled_totals_go_with_the_player_who_leaves_and_comes_back() -> None:
    session, deals = evening(4)
    with_emil = replace(deals[1], players=("Emil", *NAMES[1:]))
    first = replace(deals[0], ruling=(ruling(7, -7, 0, 0),))
    back = replace(deals[2], players=NAMES)
    one, two, three = judge_session(session, [first, with_emil, back])
    assert one.after.settled[:2] == (7, -7)
    assert dict(two.before.away)["Anna"] == (one.after.totals or ())[0]
    assert dict(two.before.settled_away)["Anna"] == 7
    assert (totals_with_rulings(three.before) or ())[0] == 7, "what she took along"
    assert three.before.totals[0] == (one.after.totals or ())[0]


def test_payments_of_a_ruling_sum_to_zero(table: Database) -> None:
    before = table.execute("SELECT count(*) FROM rulings").fetchone()
    for wrong in ((20, -20, 20, -19), (20, -20), (0, 0, 0, 0, 0)):
        with pytest.raises(ArchiveError):
            rule_on(table, 2, ruling(*wrong))
    with pytest.raises(ArchiveError, match="no deal"):
        rule_on(table, 99, ruling(0, 0, 0, 0))
    assert table.execute("SELECT count(*) FROM rulings").fetchone() == before


def test_where_a_pot_is_played_for_a_ruling_may_move_it_and_is_told(db: Database) -> None:
    session = generate.session("bavarian", {"stock": {"amount": 10, "won_by": ["solo"]}})
    stored(db, write_toml(session, [Deal(dealer=3, game=Game("none"))]))
    assert rule_on(db, 1, ruling(-10, -10, -10, -10)).rest == 0, "as the rules have it"
    assert rule_on(db, 1, ruling(-10, -10, -10, 0)).rest == 10
    assert db.execute("SELECT pot FROM deals").fetchone() == (40,), "the pot stays as computed"


def test_in_a_game_for_marks_exactly_one_side_scores(db: Database) -> None:
    session = generate.session("bauernstoss")
    stored(db, write_toml(session, list(generate.deals(Random(3), session, 2))))
    with pytest.raises(ArchiveError, match="exactly one side"):
        rule_on(db, 1, ruling(2, 2, 0, 0))
    rule_on(db, 1, ruling(2, 0, 2, 0))
    assert ledger(db, "ruled_payment")[0] == (2, 0, 2, 0)
    assert db.execute("SELECT DISTINCT settled_payment, settled_total FROM ledger").fetchall() == [(None, None)]


def test_past_rulings_are_found_by_rule_by_what_they_rest_on_and_by_who_ruled(db: Database) -> None:
    session, deals = evening(3)
    payments = deals[1].stated.payments if deals[1].stated else None
    wrong = Stated(payments=added(payments or (), (5, -5, 0, 0)))
    stored(db, write_toml(session, [deals[0], replace(deals[1], stated=wrong), deals[2]]))
    rule_on(db, 1, ruling(0, 0, 0, 0, cite="by agreement"))
    rule_on(db, 2, ruling(10, -10, 10, -10, by="Fritz"))
    conn = db.conn

    def found(**wanted: str) -> list[int]:
        return [row["deal"] for row in list_rulings(conn, **wanted)]

    assert found() == [2, 1], "the last first"
    assert found(rule="stated-payments") == [2]
    assert found(rule="revoke") == []
    assert found(cite="HOUSE rule") == [2]
    assert found(cite="agree") == [2, 1], "or has it in its reason"
    assert found(by="Emil") == [1]
    (row,) = list_rulings(conn, rule="stated-payments")
    assert (json.loads(row["ruled"]), json.loads(row["stated"])) == ([10, -10, 10, -10], list(wrong.payments or ()))
    assert json.loads(row["rules"])[0] == "stated-payments"
    rules = db.execute("SELECT rule FROM rulings_by_rule WHERE deal = 2").fetchall()
    assert ("stated-payments",) in rules


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> str:
    session, deals = evening()
    found = str(tmp_path / "a.db")
    db = open_archive(found)
    stored(db, write_toml(session, deals))
    db.close()
    return found


WHO = ("--by", "Emil", "--why", "the Kontra was heard", "--cite", "house rule 4")


@pytest.mark.parametrize(
    "payments", ["20, -20, 20, -20", "Anna 20, Ben -20, Cem 20, Dora -20", "dora -20; cem: +20, Anna 20, BEN \u221220"]
)
def test_payments_are_named_or_in_the_order_of_the_seats(path: str, payments: str) -> None:
    result = run("rule", "2", "--payments", payments, *WHO, "--db", path)
    assert result.exit_code == 0, result.output
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line[:4].strip() in NAMES}
    assert [rows[name][-1] for name in NAMES[:2]]
    assert "ruled by Emil" in result.stdout
    conn = sqlite3.connect(path)
    assert conn.execute("SELECT author, why, payments, cite FROM rulings").fetchall() == [
        ("Emil", "the Kontra was heard", "[20,-20,20,-20]", "house rule 4")
    ]


def test_who_sits_out_need_not_be_named_and_blanks_part_amounts(tmp_path: Path) -> None:
    path, head = str(tmp_path / "five.db"), 'format = "schafkopf-record/1"\nrules = "pub"\nhouse.tariff = "10/20/50"\n'
    deal = '[[deal]]\nsits_out = ["Ben"]\ngame = "Anna wenz"\nstated.won = true\n'
    (tmp_path / "five.toml").write_text(f'{head}players = ["Anna", "Ben", "Cem", "Dora", "Emil"]\n{deal}')
    run("import", str(tmp_path / "five.toml"), "--db", path)
    named = run("rule", "1", "--payments", "Anna 180, Cem -60, Dora -60, Emil -60", *WHO, "--db", path)
    assert named.exit_code == 0, named.output
    assert run("rule", "1", "--payments", "90 0 -30 -30 -30", *WHO, "--db", path).exit_code == 0
    assert run("rule", "1", "--payments", "90, -30, -30, -30", *WHO, "--db", path).exit_code == 2, "whose are these?"
    with closing(sqlite3.connect(path)) as conn:
        ruled = conn.execute("SELECT payments FROM rulings").fetchall()
    assert ruled == [("[180,0,-60,-60,-60]",), ("[90,0,-30,-30,-30]",)]


@pytest.mark.parametrize(
    "payments",
    ["", "Anna 20", "Anna 20, Ben -20, Cem 20", "20, -20, 20, -20, 0", "Anna 20, Anna -20, Cem 0, Dora 0",
     "Anna 20, Ben -20, Cem x, Dora 0", "Otto 20, Ben -20, Cem 0, Dora 0", "Anna 20, Ben -20, 1, 2",
     "Anna 21, Ben -20, Cem 0, Dora 0"],
)  # fmt: skip
def test_payments_that_are_not_those_of_the_table_are_refused_in_a_sentence(path: str, payments: str) -> None:
    result = run("rule", "2", "--payments", payments, *WHO, "--db", path)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert sqlite3.connect(path).execute("SELECT count(*) FROM rulings").fetchone() == (0,)


def test_a_dry_run_rules_nothing(path: str) -> None:
    before = Path(path).read_bytes()
    result = run("rule", "2", "--payments", "20, -20, 20, -20", *WHO, "--dry-run", "--db", path)
    assert (result.exit_code, "Nothing was stored" in result.stderr) == (0, True)
    assert "settled" in result.stdout, "the totals that would follow"
    assert Path(path).read_bytes() == before


def test_totals_that_follow_are_told_where_none_can_be_computed(tmp_path: Path) -> None:
    head = 'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
    (tmp_path / "bare.toml").write_text(head + '[[deal]]\ngame = "Anna solo G"\n', "utf-8")
    archive = str(tmp_path / "bare.db")
    run("import", str(tmp_path / "bare.toml"), "--db", archive)
    told = run("rule", "1", "--payments", "150, -50, -50, -50", *WHO, "--db", archive).stdout
    assert re.search(r"Anna +\? +\+150", told.split("After deal 1")[1])


def test_what_totals_alone_state_stands_beside_the_ruling(tmp_path: Path) -> None:
    head = 'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
    deals = "[[deal]]\nstated.totals = [20, 20, -20, -20]\n[[deal]]\nstated.totals = [70, -30, -20, -20]\n"
    (tmp_path / "totals.toml").write_text(head + deals, "utf-8")
    archive = str(tmp_path / "totals.db")
    run("import", str(tmp_path / "totals.toml"), "--db", archive)
    told = run("rule", "2", "--payments", "20, -20, 20, -20", *WHO, "--db", archive).stdout
    assert re.search(r"Anna +\+50 +\? +\+20", told)
    assert re.search(r"Ben +−50 +\? +−20", told)


def test_past_rulings_are_listed_within_eighty_columns_and_as_json(path: str) -> None:
    run("rule", "2", "--payments", "20, -20, 20, -20", *WHO, "--db", path)
    run("rule", "2", "--payments", "0, 0, 0, 0", "--by", "Fritz", "--why", "so " * 60, "--cite", "x", "--db", path)
    told = run("audit", "rulings", "--db", path)
    assert (told.exit_code, told.stderr) == (0, "2 rulings\n")
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert "no longer in force" in told.stdout
    one = json.loads(run("audit", "rulings", "--json", "--by", "Emil", "--db", path).stdout)
    unknown = run("audit", "rulings", "--rule", "no-such", "--db", path)
    assert (unknown.exit_code, "no rule 'no-such'" in unknown.stderr) == (2, True)
    run("correct", "1", "--set", "note=x", "--by", "Xaver", "--why", "forgotten", "--db", path)
    assert [run("audit", "rulings", "--by", by, "--db", path).exit_code for by in ("Xaver", "Nobody")] == [0, 2]
    assert (one["by"], one["ruled"], one["in_force"], one["seats"]) == ("Emil", [20, -20, 20, -20], False, [*NAMES])


def test_the_pages_and_the_terminal_show_stated_computed_and_ruled_side_by_side(path: str) -> None:
    plain = run("show", "2", "--db", path).stdout
    assert "ruled" not in plain
    page = create_app(Path(path)).test_client().get("/deals/2").text
    assert EN["ruled"] not in page.split('id="accounts"')[1].split("</section>")[0]
    run("rule", "2", "--payments", "17, -17, 17, -17", *WHO, "--db", path)
    told = run("show", "2", "--db", path).stdout
    assert "Anna 17" in told
    assert "Ben −17" in told
    accounts = create_app(Path(path)).test_client().get("/deals/2").text.split('id="accounts"')[1]
    assert EN["ruled"] in accounts.split("</section>")[0]
    assert "+17" in accounts.split("</section>")[0]


def test_a_ruling_of_an_export_comes_back_with_it(path: str, tmp_path: Path) -> None:
    run("rule", "2", "--payments", "20, -20, 20, -20", *WHO, "--when", "2031-01-02", "--db", path)
    line = run("export", "--db", path).stdout.splitlines()[1]
    _, found = read_record(line.encode(), Source("x"), 1)
    assert found.ruling == (Ruling("Emil", "2031-01-02", "the Kontra was heard", (20, -20, 20, -20), "house rule 4"),)
    (tmp_path / "again.jsonl").write_text(run("export", "--db", path).stdout, "utf-8")
    again = str(tmp_path / "again.db")
    run("import", str(tmp_path / "again.jsonl"), "--db", again)
    sql = "SELECT deal, seat, ruled_payment, settled_payment, settled_total FROM ledger ORDER BY 1, 2"
    assert sqlite3.connect(again).execute(sql).fetchall() == sqlite3.connect(path).execute(sql).fetchall()


# --- other kinds of rulings -------------------------------------------------------------------------------------------


def decided(kind: str, *amounts: int | None) -> Ruling:
    return replace(ruling(*amounts), kind=kind)


def test_of_a_deal_that_is_annulled_nobody_pays(table: Database) -> None:
    computed, totals = ledger(table, "payment"), ledger(table, "total")
    assert computed[3] == (-60, 180, -60, -60)
    rule_on(table, 4, decided("annul", 0, 0, 0, 0))
    assert ledger(table, "settled_payment") == [*computed[:3], (0, 0, 0, 0)]
    assert ledger(table, "total") == totals, "the computed totals are the proof of the rules"
    assert table.execute("SELECT kind, in_force FROM rulings_by_rule").fetchall() == [("annul", 1)]


def test_a_deal_that_is_played_again_leaves_the_turn_and_the_list_as_they_were() -> None:
    session, deals = evening(2)
    for kind, turns in ((None, 1), ("annul", 1), ("again", 0)):
        first, _ = judge_session(
            session, [replace(deals[0], ruling=(replace(ruling(0, 0, 0, 0), kind=kind),)), deals[1]]
        )
        assert first.replay.dealer is not None
        assert first.after.dealer == (first.replay.dealer + turns) % 4
        assert first.after.list_deals == turns


def test_a_penalty_stands_beside_all_payments_and_sums_to_what_it_does(table: Database) -> None:
    computed = ledger(table, "payment")
    rule_on(table, 2, decided("penalty", 0, 0, -50, 0))
    rule_on(table, 2, decided("penalty", -10, 0, 0, 0))
    assert ledger(table, "payment") == computed
    assert ledger(table, "settled_payment")[1] == added(computed[1], (-10, 0, -50, 0))
    after = rule_on(table, 2, ruling(20, -20, 20, -20))
    assert ledger(table, "settled_payment")[1] == (10, -20, -30, -20), "a ruling of payments leaves penalties alone"
    assert ledger(table, "ruled_payment")[1] == (20, -20, 20, -20)
    assert sum(totals_with_rulings(after.last.after) or ()) == -60
    rule_on(table, 2, decided("penalty", 10, 0, 0, 0))
    assert ledger(table, "settled_payment")[1] == (20, -20, -30, -20), "it is taken back by its opposite"


def test_running_totals_that_are_ruled_stand_whatever_is_ruled_before(table: Database) -> None:
    computed = ledger(table, "payment")
    rule_on(table, 2, decided("total", 100, -100, 50, -50))
    assert ledger(table, "settled_total")[1:3] == [(100, -100, 50, -50), added((100, -100, 50, -50), computed[2])]
    rule_on(table, 1, ruling(20, -20, 20, -20))
    assert ledger(table, "settled_total")[:2] == [(20, -20, 20, -20), (100, -100, 50, -50)]
    assert ledger(table, "settled_payment")[1] == (80, -80, 30, -30), "the amounts lead to the totals"
    rule_on(table, 2, decided("penalty", 0, 0, 0, -5))
    assert ledger(table, "settled_total")[1] == (100, -100, 50, -55)


def test_standings_and_the_view_agree_on_every_kind(table: Database) -> None:
    """The effect that a dry run shows is what the standings are afterwards."""
    for kind, amounts in (("annul", (0, 0, 0, 0)), ("penalty", (0, 0, 0, -7)), ("total", (1, 2, 3, 4))):
        done = rule_on(table, 4, decided(kind, *amounts))
        totals = {row["player"]: row["total"] for row in done.standings_after[0]}
        assert totals == dict(table.execute("SELECT player, total FROM standings").fetchall())
        assert totals != {row["player"]: row["total"] for row in done.standings_before[0]}, kind
        assert totals == dict(zip(NAMES, totals_with_rulings(done.last.after) or (), strict=True))


def test_a_kind_is_part_of_the_record_format() -> None:
    session, deals = evening(1)
    text = write_toml(session, [replace(deals[0], ruling=(decided("penalty", 0, 0, -50, 0),))])
    assert 'kind = "penalty"' in text
    (_, read) = read_toml(text.encode(), Source("x"))
    assert read.ruling == (decided("penalty", 0, 0, -50, 0),)
    (_, wrong) = read_toml(text.replace('"penalty"', '"fine"').encode(), Source("x"))
    assert isinstance(wrong, Finding)
    assert "annul, again, penalty or total" in wrong.message


def test_in_a_game_for_marks_there_are_no_penalties(db: Database) -> None:
    session = generate.session("bauernstoss")
    stored(db, write_toml(session, list(generate.deals(Random(3), session, 2))))
    rule_on(db, 1, decided("annul", 0, 0, 0, 0))
    with pytest.raises(ArchiveError, match="game for marks"):
        rule_on(db, 1, decided("penalty", 0, 0, -1, 0))


# --- cases: only ever added to, closed and opened again by entries, decided by rulings of their own deal --------------


AT = "2031-02-03T20:00"
RULED = Ruling("Emil", AT, "agreed at the table", (20, -20, 20, -20), "house rule 4")


@pytest.fixture(name="case")
def case_of(db: Database) -> int:
    """A case about the second of two deals."""
    stored(db, write_toml(*evening(2)))
    return open_case(db, 2, "Anna", "Ben", "He revoked.", "Emil", AT)


def entry(kind: EntryKind, person: str = "Ben", text: str = "I did not.") -> CaseEntry:
    return CaseEntry(kind, person, text, "Emil", AT)


def test_a_case_begins_with_its_complaint(db: Database, case: int) -> None:
    found = load_case(db.conn, case)
    assert (found.state, found.deal, found.claimant, found.respondent) == ("open", 2, "Anna", "Ben")
    assert [(each.kind, each.person, each.text) for each in found.entries] == [("complaint", "Anna", "He revoked.")]
    assert found.lacks_statement == ("Ben",)
    assert found.players == generate.PLAYERS


def test_both_sides_and_witnesses_are_heard(db: Database, case: int) -> None:
    add_entry(db, case, entry("statement"))
    add_entry(db, case, entry("witness", "Cem", "I saw it."))
    found = load_case(db.conn, case)
    assert found.lacks_statement == ()
    assert [each.kind for each in found.entries] == ["complaint", "statement", "witness"]
    assert cases_of_deal(db.conn, 2) == [found]


def test_rows_are_only_added(db: Database, case: int) -> None:
    rows = [db.execute(f"SELECT * FROM {table}").fetchall() for table in ("cases", "case_entries")]
    add_entry(db, case, entry("statement"))
    rule_on_deal(db, 2, RULED, case)
    for kind in ("close", "appeal", "close", "reopen"):
        add_entry(db, case, entry(kind))  # type: ignore[arg-type]
    now = [db.execute(f"SELECT * FROM {table}").fetchall() for table in ("cases", "case_entries")]
    assert now[0] == rows[0]
    assert now[1][: len(rows[1])] == rows[1]


def test_a_closed_case_is_opened_by_an_appeal_alone(db: Database, case: int) -> None:
    with pytest.raises(ArchiveError, match="nothing has been decided"):
        add_entry(db, case, entry("appeal"))
    with pytest.raises(ArchiveError, match="is open"):
        add_entry(db, case, entry("reopen"))
    add_entry(db, case, entry("close"))
    with pytest.raises(ArchiveError, match="is closed"):
        add_entry(db, case, entry("statement"))
    with pytest.raises(ArchiveError, match="is closed"):
        rule_on_deal(db, 2, RULED, case)
    assert db.execute("SELECT count(*) FROM rulings").fetchone() == (0,)
    assert [all_cases(db.conn, "open"), len(all_cases(db.conn, "closed"))] == [[], 1]
    add_entry(db, case, entry("appeal"))
    (found,) = all_cases(db.conn, "open")
    assert found.state == "appealed"


def test_a_ruling_is_an_entry_of_its_case(db: Database, case: int) -> None:
    rule_on_deal(db, 2, RULED, case)
    found = load_case(db.conn, case)
    assert found.entries[-1].kind == "ruling"
    assert found.entries[-1].decided == RULED
    with pytest.raises(ArchiveError, match="another deal"):
        rule_on_deal(db, 1, RULED, case)
    with pytest.raises(ArchiveError, match="no case 99"):
        rule_on_deal(db, 2, RULED, 99)
    with pytest.raises(ArchiveError, match="no deal 99"):
        open_case(db, 99, "Anna", None, "x", "Emil", AT)


def test_a_person_who_is_erased_is_in_no_case(db: Database, case: int) -> None:
    add_entry(db, case, entry("statement", text="Ben here: I did not."))
    erase_player(db, "Ben", "Emil", "asked for it")
    rows = db.execute("SELECT * FROM cases, case_entries").fetchall()
    assert not any("Ben" in str(row) for row in rows)


def test_a_case_about_a_hidden_evening_is_in_no_copy_for_strangers(db: Database, case: int, tmp_path: Path) -> None:
    add_entry(db, case, entry("statement"))
    rule_on_deal(db, 2, RULED, case)
    write_copy(tmp_path / "archive.db", tmp_path / "copy.db", Hidden(True, frozenset({1}), frozenset({1})))
    with closing(open_read(tmp_path / "copy.db")) as conn:
        assert all_cases(conn) == []
        assert conn.execute("SELECT count(*) FROM case_entries").fetchone()[0] == 0
