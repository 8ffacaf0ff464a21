"""A deal of an archive is corrected: the session is settled again, nothing is overwritten, and any day can be shown."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support import running
from support.record_format_page import BLOCKS
from support.store_samples import DEALS, EVENING, HEAD, dump, pairs_of, store

from archive.notation import read_lines, read_toml
from archive.notation.corrections import apply_corrections
from archive.record import Correction, Deal, Session, Source
from archive.store import (
    ArchiveError,
    Database,
    FileMeta,
    correct,
    export_lines,
    export_toml,
    load_deal,
    load_judgement,
    save_file,
)
from archive.store.export import export_judged
from archive.store.records import happened_by
from archive.store.sources import restore_source, withdraw_source
from archive.store.transaction import writing

WHEN = "2031-02-03T20:00:00+00:00"  # after the import, whenever the tests are run
EVIDENCE = "SELECT * FROM records ORDER BY id", "SELECT * FROM sources ORDER BY id", "SELECT head FROM sessions"
Rows = list[tuple[Any, ...]]


def evidence(db: Database) -> list[Rows]:
    return [db.execute(sql).fetchall() for sql in EVIDENCE]


def verdicts(db: Database) -> Rows:
    return db.execute("SELECT number, verdict FROM deals ORDER BY id").fetchall()


def fix(db: Database, deal: int, when: str = WHEN, **set_: Any) -> Any:
    return correct(db, deal, Correction("Dora", when, "misread", {key.replace("__", "."): set_[key] for key in set_}))


def test_a_correction_settles_the_deal_and_the_session_from_there_on_again(db: Database) -> None:
    store(db)
    untouched = evidence(db)
    totals = "SELECT seat, total FROM ledger WHERE deal = ? ORDER BY seat"
    before = [db.execute(totals, (key,)).fetchall() for key in (1, 2)]
    done = fix(db, 1, knocks=[], doubles=[])
    after = [db.execute(totals, (key,)).fetchall() for key in (1, 2)]
    assert before[0] != after[0], "one knock and one Kontra less"
    assert before[1] != after[1], "what is carried on is other"
    assert db.execute("SELECT knocks, doubles FROM deals WHERE id = 1").fetchone() == (0, 0)
    assert db.execute("SELECT count(*) FROM doubles").fetchone() == (0,)
    assert [(each.key, each.before, each.after) for each in done.changes] == [
        ("knocks", ["Ben"], []),
        ("doubles", ["@1.2 Cem kontra"], []),
    ]
    assert evidence(db) == untouched, "nothing that was imported is touched"


def test_a_corrected_dealer_passes_the_deal_on(db: Database) -> None:
    store(db, HEAD + DEALS[1] + '\n[[deal]]\ngame = "none"\n')
    assert db.execute("SELECT dealer FROM deals").fetchall() == [(1,), (2,)]
    fix(db, 1, dealer="Cem")
    assert db.execute("SELECT dealer FROM deals").fetchall() == [(3,), (4,)]


def test_rows_are_only_added_and_a_correction_is_taken_back_by_another(db: Database) -> None:
    store(db)
    at_first, verdict = dump(db), verdicts(db)
    fix(db, 1, stated__payments__Anna=-80, stated__points={})
    rows = db.execute("SELECT * FROM corrections WHERE deal_id = 1").fetchall()
    assert [(json.loads(row[5]), json.loads(row[6])) for row in rows] == [
        ({"stated.payments.Anna": -160, "stated.points": 75}, {"stated.payments.Anna": -80, "stated.points": {}})
    ]
    fix(db, 1, stated__payments__Anna=-160, stated__points=75)
    both = db.execute("SELECT * FROM corrections WHERE deal_id = 1").fetchall()
    assert both[:1] == rows
    assert len(both) == 2
    assert verdicts(db) == verdict

    def derived(lines: list[str]) -> list[str]:
        return [line for line in lines if '"corrections"' not in line and '"findings"' not in line]

    assert derived(dump(db)) == derived(at_first)


@pytest.mark.parametrize(
    ("set_", "why"),
    [
        ({"stated.paymets": 1}, "did you mean payments"),
        ({"stated.payments.Emil": 1}, "Emil"),
        ({"dealer": 3}, "text in quotes"),
        ({"dealer": "Dora"}, 'dealer is "Dora" already'),
        ({"note": {}}, "note is not recorded already"),
        ({"dealer": "Anna", "stated.points": 75}, "stated.points is 75 already"),
        ({}, "nothing is set"),
        ({"ruling": []}, "only ever added"),
        ({"x.y": 2**60}, "2\\*\\*53"),
    ],
)
def test_what_is_refused_writes_nothing(db: Database, set_: dict[str, Any], why: str) -> None:
    store(db)
    before = dump(db)
    with pytest.raises(ArchiveError, match=why):
        correct(db, 1, Correction("Dora", WHEN, "misread", set_))
    with pytest.raises(ArchiveError, match="no deal 99"):
        fix(db, 99, dealer="Anna")
    assert dump(db) == before


# --- as of ----------------------------------------------------------------------------------------------------------


def test_a_deal_is_shown_as_it_stood_on_any_day_with_its_session(db: Database) -> None:
    store(db)
    first = load_judgement(db.conn, 2)
    fix(db, 1, "2031-02-03", game="none", hands={}, tricks={}, stated={})
    fix(db, 1, "2031-02-05T10:00+01:00", dealer="Anna")
    second = load_judgement(db.conn, 2)
    assert first.before.totals != second.before.totals
    for as_of, dealer, game, totals in [
        ("2031-02-02", 3, "rufspiel", first.before.totals),
        ("2031-02-03", 3, "none", second.before.totals),
        ("2031-02-05T08:59", 3, "none", second.before.totals),
        ("2031-02-05T09:00", 0, "none", second.before.totals),
        ("2031-02-05", 0, "none", second.before.totals),
    ]:
        found, after = load_judgement(db.conn, 1, as_of), load_judgement(db.conn, 2, as_of)
        assert (found.deal.dealer, found.deal.game.contract, after.before.totals) == (dealer, game, totals), as_of
        assert found.recorded.dealer == 3


def test_before_it_was_imported_a_deal_was_not_there(db: Database) -> None:
    store(db)
    for as_of in ("2011-01-01", "2011-01-01T12:00"):
        assert load_judgement(db.conn, 1, as_of) is None
        assert load_deal(db.conn, 1, as_of) is None
        assert list(export_lines(db.conn, as_of=as_of)) == []
        assert export_toml(db.conn, 1, as_of) is None
        assert list(export_judged(db.conn, None, as_of)) == []
    assert load_judgement(db.conn, 99, "2031-01-01") is None


def test_rulings_and_files_taken_back_count_from_their_day_on(db: Database) -> None:
    store(db)
    withdraw_source(db, 1, "Dora", "the wrong file")
    (now,) = db.execute("SELECT made_at FROM acts").fetchone()
    db.execute("UPDATE acts SET made_at = '2031-01-01T00:00:00+00:00'")
    assert load_judgement(db.conn, 1) is None
    assert load_judgement(db.conn, 1, now[:10])
    assert len(list(export_lines(db.conn, as_of=now[:10]))) == 4
    assert load_judgement(db.conn, 1, "2031-01-02") is None
    restore_source(db, 1, "Dora", "it was right")
    with writing(db.conn):
        db.execute("INSERT INTO rulings VALUES (NULL, 4, 'Emil', '2031-03-01', 'so', '[0,0,0,0]', NULL, NULL)")
    for as_of, rulings in (("2031-02-28", 1), ("2031-03-01", 2)):
        found = load_judgement(db.conn, 4, as_of)
        assert len(found.deal.ruling or ()) == rulings


def test_no_row_is_brought_back_by_a_day_before_all_of_them(db: Database) -> None:
    store(db, EVENING.replace('when = "2026-11-15"', 'when = "2031-11-15"').replace('Cem wenz" } }', 'Cem geier" } }'))
    found, earlier = load_judgement(db.conn, 4), load_judgement(db.conn, 4, "2031-11-14")
    assert found
    assert [each.deal.game.contract for each in (found, earlier) if each.deal.game] == ["geier", "wenz"]
    assert earlier.recorded.correction == ()


@pytest.mark.parametrize(
    ("when", "as_of", "then"),
    [
        ("2026-11-20", "2026-11-20", True),
        ("2026-11-20T23:59:59+00:00", "2026-11-20", True),
        ("2026-11-21", "2026-11-20", False),
        ("2026-11-20", "2026-11-20T08:00", True),
        ("2026-11-20T09:30+01:00", "2026-11-20T08:29", False),
        ("2026-11-20T09:30+01:00", "2026-11-20T08:30", True),
        ("2026-11-20T09:30", "2026-11-20 09:29", False),
        ("2026-11", "2026-11-20", True),
        ("2027", "2026-11-20", False),
        ("", "2026-11-20", True),
        ("the day after", "2026-11-20", True),
        ("2026-11-20 in the evening", "2026-11-20T08:00", True),
    ],
)
def test_a_day_counts_whole_and_what_has_no_date_counts_always(when: str, as_of: str, then: bool) -> None:
    assert happened_by(when, as_of) == then


# --- in and out -----------------------------------------------------------------------------------------------------


def test_an_export_has_the_corrections_and_gives_the_same_verdicts(db: Database, tmp_path: Path) -> None:
    store(db)
    fix(db, 1, stated__price=320, stated__payments=[-320, 320, -320, 320], note="right")
    fix(db, 1, note={})
    lines = b"".join(export_lines(db.conn))
    text = export_toml(db.conn, 1) or ""
    for raw, read in ((lines, read_lines), (text.encode(), read_toml)):
        other = store_other(tmp_path / f"{len(raw)}.db", raw, read)
        assert verdicts(other) == verdicts(db)
        assert b"".join(export_lines(other.conn)) == lines
        told = "SELECT deal_id, author, made_at, why, after FROM corrections ORDER BY id"
        assert sorted(other.execute(told).fetchall()) == sorted(db.execute(told).fetchall())
        other.close()
    assert '"stated.price" = 320' in text


def store_other(path: Path, raw: bytes, read: Any) -> Database:
    from archive.store import open_archive

    other = open_archive(path)
    save_file(other, FileMeta("e", "x"), raw, *pairs_of(read(raw, Source("e"))))
    return other


def test_importing_an_export_into_its_own_archive_adds_nothing(db: Database) -> None:
    store(db)
    fix(db, 1, note="right")
    tables = ("records", "deals", "sessions", "corrections", "rulings", "seats", "tricks", "stated")
    before = [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]
    lines = b"".join(export_lines(db.conn))
    saved = save_file(db, FileMeta("e.jsonl", "x"), lines, *pairs_of(read_lines(lines, Source("e.jsonl"))))
    assert (saved.added, saved.known, saved.changed) == (0, 4, ())
    assert [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables] == before


def test_a_correction_that_a_later_file_brings_is_added_to_the_known_deal(db: Database) -> None:
    store(db)
    row = 'correction = [{ by = "Emil", when = "2026-12-01", why = "typo", set = { dealer = "Cem" } }]'
    saved = store(db, EVENING.replace('game = "none"', f'game = "none"\n{row}', 1), "later.toml")
    assert (saved.added, saved.known) == (0, 4)
    assert db.execute("SELECT dealer FROM deals WHERE id = 2").fetchone() == (3,)


def test_a_difference_between_two_sources_is_gone_when_the_wrong_one_is_corrected(db: Database) -> None:
    store(db, HEAD + DEALS[0])
    store(db, HEAD + DEALS[0].replace("stated.points = 75", "stated.points = 76"), "other.toml")
    told = "SELECT count(*) FROM findings WHERE rule = 'sources-differ'"
    assert db.execute(told).fetchone() == (1,)
    fix(db, 1, stated__points=76)
    assert db.execute(told).fetchone() == (0,)


def test_two_sources_that_told_the_same_wrong_thing_do_not_differ_when_it_is_corrected(db: Database) -> None:
    store(db, HEAD + DEALS[0])
    store(db, HEAD + DEALS[0].replace("stated.runners = 6\n", ""), "other.toml")
    fix(db, 1, stated__points=76, stated__runners=5)
    assert db.execute("SELECT count(*) FROM copies WHERE record IS NOT NULL").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM findings WHERE rule = 'sources-differ'").fetchone() == (0,)


def test_a_corrected_number_counts_and_the_deal_is_known_by_the_recorded_one(db: Database) -> None:
    text = (
        HEAD
        + DEALS[1]
        + DEALS[3]
        .replace("correction", "no = 7\ncorrection")
        .replace('set = { game = "Cem wenz" }', "set = { no = 2 }")
    )
    store(db, text)
    assert db.execute("SELECT number FROM deals").fetchall() == [(1,), (2,)]
    assert db.execute("SELECT number FROM records").fetchall() == [(1,), (7,)]
    assert db.execute("SELECT count(*) FROM findings WHERE rule = 'deal-gap'").fetchone() == (0,)
    lines = b"".join(export_lines(db.conn))
    assert save_file(db, FileMeta("e", "x"), lines, *pairs_of(read_lines(lines, Source("e")))).added == 0


@pytest.mark.parametrize("text", [text for language, wrong, text in BLOCKS if language == "toml" and not wrong])
def test_every_correction_on_the_page_of_the_format_is_applied(text: str) -> None:
    head: Session | None = None
    for each in read_toml(text.encode(), Source("x")):
        head = each if isinstance(each, Session) else head
        if isinstance(each, Deal) and head:
            assert apply_corrections(head, each)[1] == ()


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture(name="path")
def archive_path(db: Database, tmp_path: Path) -> str:
    store(db)
    return str(tmp_path / "archive.db")


def run(*words: str, path: str) -> Result:
    return running.run(*words, "--db", path)


WHO = ("--by", "Dora", "--why", "misread")


def test_the_command_tells_old_and_new_values_verdicts_and_later_deals(path: str, db: Database) -> None:
    result = run("correct", "1", "--set", "knocks=[]", "--set", "stated.runners = {}", *WHO, "--when", WHEN, path=path)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == ['knocks: ["Ben"] -> []', "stated.runners: 6 -> not recorded"]
    assert lines[2] == "Deal 1 (1 in the archive): differs -> agrees"
    assert any(line.startswith("  payments Anna −320") for line in lines)
    assert any(line.startswith("Deal 2 (2 in the archive): totals Anna −320") for line in lines)
    told = "SELECT author, made_at, why, after FROM corrections WHERE deal_id = 1"
    assert db.execute(told).fetchall() == [("Dora", WHEN, "misread", '{"knocks":[],"stated.runners":{}}')]
    then = run("show", "1", "--as-of", "2031-02-02", path=path).stdout
    assert then != run("show", "1", path=path).stdout
    assert (
        json.loads(run("export", "--as-of", "2031-02-02", path=path).stdout.splitlines()[0]).get("correction") is None
    )
    assert json.loads(run("export", path=path).stdout.splitlines()[0])["correction"][0]["by"] == "Dora"


def test_a_dry_run_tells_the_same_and_stores_nothing(path: str, db: Database) -> None:
    before = dump(db)
    words = ("correct", "list-3/1", "--set", "game=Ben solo G", *WHO)
    dry = run(*words, "--dry-run", path=path)
    assert dump(db) == before
    assert dry.stdout == run(*words, path=path).stdout
    assert dump(db) != before


@pytest.mark.parametrize(
    "words",
    [
        ("correct", "1", "--set", "stated.price", *WHO),
        ("correct", "1", "--set", "=5", *WHO),
        ("correct", "1", "--set", "stated.price=5", "--set", "stated.price=6", *WHO),
        ("correct", "1", "--set", "stated.price=five", *WHO),
        ("correct", "1", "--set", "stated.price=160", *WHO),
        ("correct", "1", "--set", "dealer=Emil", *WHO),
        ("correct", "1", "--set", "x.a=inf", *WHO),
        ("correct", "1", "--set", "x.a=" + "[" * 3000, *WHO, "--when", "yesterday"),
        ("correct", "99", "--set", "dealer=Anna", *WHO),
        ("correct", "1", "--set", "dealer=Anna", "--by", " ", "--why", "so"),
        ("correct", "1", "--set", "dealer=Anna", "--by", "Dora"),
        ("correct", "1", "--set", "dealer=Anna", *WHO, "--when", "yesterday"),
        ("correct", "1", "--set", "note=\udcff", *WHO),
        ("show", "1", "--as-of", "yesterday"),
        ("show", "1", "--as-of", "2026-W01-1"),
        ("show", "1", "--as-of", "2011-01-01"),
        ("export", "--as-of", "20261101"),
        ("export", "--to", "csv", "--as-of", "2026-11-01"),
    ],
)
def test_wrong_use_is_a_sentence_and_changes_nothing(path: str, db: Database, words: tuple[str, ...]) -> None:
    before = dump(db)
    result = run(*words, path=path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr
    assert dump(db) == before


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("note=Cem said: 20", "Cem said: 20"),
        ('note="20"', "20"),
        ("note=a = b", "a = b"),
        ("note=1\nb = 2", "1\nb = 2"),
        ("note=2026-11-14", "2026-11-14"),
        ('note="""\na"""', "a"),
    ],
)
def test_a_value_is_toml_or_else_text(path: str, db: Database, text: str, value: str) -> None:
    assert run("correct", "1", "--set", text, *WHO, path=path).exit_code == 0
    found = load_judgement(db.conn, 1)
    assert found.deal.note == value


def test_there_must_be_an_archive(tmp_path: Path) -> None:
    result = run("correct", "1", "--set", "note=a", *WHO, path=str(tmp_path / "none.db"))
    assert result.exit_code == 2
    assert not (tmp_path / "none.db").exists()


def test_a_session_file_with_a_correction_is_checked_as_corrected(tmp_path: Path) -> None:
    text = EVENING.replace(
        'set = { game = "Cem wenz" }', 'set = { game = "Cem geier", stated.payments = [0, 0, 0, 0] }'
    )
    (tmp_path / "evening.toml").write_text(text)
    result = running.run("check", "--json", tmp_path / "evening.toml")
    last = json.loads(result.stdout.splitlines()[3])
    assert (last["contract"], last["stated"]["payments"]) == ("geier", [0, 0, 0, 0])
