"""Every verdict has the engine and the rules it was made by; `audit compare` tells what a new version would change."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from support.running import run

from archive import generate
from archive.judge import ENGINE
from archive.judge.checks import CHECKS
from archive.judge.types import Case
from archive.notation import write_toml
from archive.record import Deal, Finding, finding
from archive.rules import load
from archive.store import open_archive, open_read, rejudge_in_bulk, resettle, transaction
from archive.store import rows as store_rows
from archive.store import verdict_diff as store_comparing

HOUSE = """
id = "ours"
title = "Our table"
extends = "bavarian"
[[rule]]
cite = "other: ours"
house.tariff = "{}"
"""


def evening(path: Path, rules: str = "bavarian", seed: int = 3, state: tuple[str, ...] = ()) -> Path:
    head = generate.session("bavarian")
    deals = list(generate.deals(Random(seed), head, 5, state))
    path.write_text(write_toml(replace(head, rules=rules), deals), "utf-8")
    return path


@pytest.fixture
def db(tmp_path: Path) -> str:
    """An archive with two evenings, the second by a ruleset of its own."""
    (tmp_path / "ours.toml").write_text(HOUSE.format("10/50"), "utf-8")
    (tmp_path / "evenings").mkdir()
    (tmp_path / "evenings" / "ours.toml").write_text(HOUSE.format("10/50"), "utf-8")
    evening(tmp_path / "evenings" / "a.toml")
    evening(tmp_path / "evenings" / "b.toml", "ours.toml", 4, ("payments",))
    path = str(tmp_path / "a.db")
    for name in ("a", "b"):
        assert run("import", str(tmp_path / "evenings" / f"{name}.toml"), "--db", path).exit_code == 0
    return path


@pytest.fixture
def forget() -> Iterator[None]:
    """Rulesets are read again from their files, as another process would."""
    yield
    load.__globals__["_load"].cache_clear()


def change_tariff(tmp_path: Path, tariff: str) -> None:
    (tmp_path / "evenings" / "ours.toml").write_text(HOUSE.format(tariff), "utf-8")
    load.__globals__["_load"].cache_clear()


def evidence(path: str) -> list[list[tuple[object, ...]]]:
    conn = sqlite3.connect(path)
    return [conn.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("records", "sources", "rulings")]


def derived(path: str) -> list[list[tuple[object, ...]]]:
    conn = sqlite3.connect(path)
    tables = ("deals", "seats", "findings", "tricks", "stated")
    return [sorted(conn.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables]


def test_each_verdict_has_its_engine_and_the_digest_of_its_rules(db: str) -> None:
    sql = "SELECT DISTINCT d.engine, r.name, r.digest FROM deals d JOIN rulesets r ON r.id = d.ruleset_id"
    both = (load("bavarian")[0], load("ours.toml", None, Path(db).parent / "evenings")[0])
    told = sqlite3.connect(db).execute(sql).fetchall()
    assert sorted(told) == sorted((ENGINE, each.id, each.digest) for each in both if each)
    assert len(told) == 2


def test_where_nothing_is_new_nothing_changes(all_samples: Path) -> None:
    """All samples, with their corrections, repeated deals, several sources and inferred settings."""
    result = run("audit", "compare", "--db", str(all_samples))
    assert (result.exit_code, result.stdout) == (0, ""), result.stdout
    assert "none would change" in result.stderr


def test_settled_again_a_session_keeps_what_importing_found(all_samples: Path, tmp_path: Path) -> None:
    """Findings of heads stay those of their files, and deals that are repeated in a file are called so."""
    db = open_archive(shutil.copy(all_samples, tmp_path / "all.db"))
    found = "SELECT source_id, deal_id, rule, message, line FROM findings ORDER BY 1, 2, 3, 4, 5"
    before = db.execute(found).fetchall()
    sessions = db.execute("""SELECT DISTINCT r.session_id FROM records r JOIN findings f ON f.deal_id = r.id
        OR (f.deal_id IS NULL AND f.source_id = r.source_id)
        WHERE f.rule IN ('deal-repeated', 'bad-setting', 'unknown-rules')""").fetchall()
    assert len(sessions) > 5
    with transaction.writing(db.conn):
        resettle.resettle_sessions(db.conn, [session for (session,) in sessions])
    assert db.execute(found).fetchall() == before


def test_another_engine_is_named_and_changes_no_verdict_by_itself(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = derived(db)
    for module in (store_rows, store_comparing):
        monkeypatch.setattr(module, "ENGINE", "another")
    monkeypatch.setattr("archive.cli.compare.ENGINE", "another")
    result = run("audit", "compare", "--db", db)
    assert result.exit_code == 0
    assert result.stdout.count(f"judged by engine {ENGINE}, today's is another") == 2
    assert result.stdout.count("no verdict changes") == 2
    assert derived(db) == before, "compare changes nothing"
    assert run("audit", "compare", "--write", "--db", db).exit_code == 0
    assert sqlite3.connect(db).execute("SELECT DISTINCT engine FROM deals").fetchall() == [("another",)]
    assert run("audit", "compare", "--db", db).stdout == ""


def strict(case: Case, _deal: Deal) -> Iterator[Finding]:
    """A check that a later version might have."""
    if case.deal.game and case.deal.game.contract == "rufspiel":
        yield finding("stated-price", case.deal.source, stated=1, computed=2)


def test_a_new_check_names_the_deals_and_the_finding_that_makes_the_difference(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = sqlite3.connect(db).execute("SELECT id FROM deals WHERE contract = 'rufspiel'").fetchall()
    assert calls
    monkeypatch.setattr("archive.judge.from_facts.CHECKS", (*CHECKS, (strict, "case", "deal")))
    # Judged one by one, since the core would have to learn the check too.
    monkeypatch.setattr(
        rejudge_in_bulk, "sessions", lambda conn, _: [row[0] for row in conn.execute("SELECT id FROM sessions")]
    )
    result = run("audit", "compare", "--db", db)
    assert result.exit_code == 1
    assert result.stdout.count("agrees -> differs") == result.stdout.count("+ stated-price:") == len(calls)
    assert max(map(len, result.stdout.splitlines())) <= 80
    told = [json.loads(line) for line in run("audit", "compare", "--json", "--db", db).stdout.splitlines()]
    assert [(each["archive"],) for each in told] == calls
    assert told[0]["verdict"] == {"before": "agrees", "after": "differs"}
    assert [each["rule"] for each in told[0]["findings"]["new"]] == ["stated-price"]
    assert told[0]["findings"]["gone"] == []
    assert told[0]["payments"]["before"] == told[0]["payments"]["after"]


def test_a_ruleset_that_changed_on_disk_is_named_with_its_settings(db: str, tmp_path: Path, forget: None) -> None:
    kept, before = evidence(db), derived(db)
    change_tariff(tmp_path, "10/60")
    result = run("audit", "compare", "--db", db)
    assert result.exit_code == 1
    assert "house.tariff 10/50 -> 10/60" in " ".join(result.stdout.split())
    assert "Session 1" not in result.stdout, "an evening by other rules is as it was"
    assert "+ stated-payments:" in result.stdout
    assert derived(db) == before
    told = json.loads(run("audit", "compare", "--json", "--db", db).stdout.splitlines()[0])
    assert told["rulesets"][0]["settings"] == {"house.tariff": {"before": "10/50", "after": "10/60"}}
    assert told["session"] == 2
    assert run("audit", "compare", "--write", "--db", db).exit_code == 1, "something changed"
    assert run("audit", "compare", "--db", db).exit_code == 0
    assert evidence(db) == kept, "what was imported is as it was"
    change_tariff(tmp_path, "10/50")
    assert run("audit", "compare", "--write", "--db", db).exit_code == 1
    agrees = sqlite3.connect(db).execute("SELECT count(*) FROM deals WHERE verdict <> 'agrees'").fetchone()
    assert agrees == (0,), "and back again"


def test_a_ruleset_that_is_gone_is_named(db: str, tmp_path: Path, forget: None) -> None:
    (tmp_path / "evenings" / "ours.toml").unlink()
    load.__globals__["_load"].cache_clear()
    result = run("audit", "compare", "--session", "2", "--db", db)
    assert result.exit_code == 1
    assert "can be read no more" in " ".join(result.stdout.split())
    assert "agrees -> incomplete" in result.stdout


def test_what_is_stored_again_is_stored_session_by_session(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = derived(db)
    monkeypatch.setattr(store_rows, "ENGINE", "another")
    monkeypatch.setattr(store_comparing, "ENGINE", "another")
    settle = resettle.resettle_sessions

    def fail(conn: sqlite3.Connection, sessions: list[int]) -> None:
        settle(conn, sessions)
        if sessions == [2]:
            raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(store_comparing, "resettle_sessions", fail)
    result = run("audit", "compare", "--write", "--db", db)
    assert (result.exit_code, "Session 2 was not stored again: disk I/O error." in result.stderr) == (2, True)
    engines = sqlite3.connect(db).execute("SELECT DISTINCT session_id, engine FROM deals ORDER BY 1").fetchall()
    assert engines == [(1, "another"), (2, ENGINE)], "each session is as it was, or as it is judged today"
    assert len(derived(db)[0]) == len(before[0])


def test_state_passes_through_deals_that_another_file_told_first(tmp_path: Path) -> None:
    """The second deal of an evening is known from another file; the totals after it are as when it was imported."""
    head, path = generate.session("bavarian"), str(tmp_path / "a.db")
    deals = [generate.deal(Random(n), head, "rufspiel", dealer=n) for n in range(3)]
    (tmp_path / "other.toml").write_text(write_toml(head, [deals[1]]), "utf-8")
    (tmp_path / "whole.toml").write_text(write_toml(replace(head, event="Evening"), deals), "utf-8")
    for name in ("other", "whole"):
        run("import", str(tmp_path / f"{name}.toml"), "--db", path)
    found = sqlite3.connect(path).execute("SELECT session_id, number FROM deals ORDER BY id").fetchall()
    assert found == [(1, 1), (2, 1), (2, 3)]
    assert [each.moved for each in store_comparing.compare_sessions(open_read(path))] == [(), ()]
    totals = "SELECT group_concat(total) FROM ledger WHERE deal = 3"
    before = sqlite3.connect(path).execute(totals).fetchone()
    assert None not in before
    run("correct", "2", "--set", "note=so", "--by", "Emil", "--why", "so", "--db", path)
    assert sqlite3.connect(path).execute(totals).fetchone() == before, "also where the session is settled again"


def test_wrong_use_is_a_sentence(db: str, tmp_path: Path) -> None:
    assert run("audit", "compare", "--session", "9", "--db", db).exit_code == 2
    assert run("audit", "compare", "--db", str(tmp_path / "none.db")).exit_code == 2
    assert run("audit", "compare", "--write", "--db", str(tmp_path / "none.db")).exit_code == 2
    assert not (tmp_path / "none.db").exists()
