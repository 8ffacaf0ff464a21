"""All shards asked at once: the same answers as an archive of the same deals gives; and slices of them."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import Result
from support.paths import ROOT
from support.running import run
from support.scale_shards import BROKEN, DEALS, VALID, Meant, in_sessions, of_archive, sample_lines
from support.thorough import examples
from support.without_facts import sql_without_facts

from archive.scale import ScaleError, duckdb_views
from archive.scale.check import Job, check_shard
from archive.scale.parquet import number_of
from archive.scale.shards import number_shards, shards_in
from archive.stats import QUESTIONS
from archive.store import open_archive, open_read
from archive.store.analyses import analyse_lacking

LACKS = [name for name in ("distributed", "duckdb") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(LACKS), reason=f"without {LACKS}")
DOC = (ROOT / "docs" / "scale.md").read_text("utf-8")
PARTS = 3
TWICE = """SELECT f.path, c.line, g.path, r.line FROM copies c JOIN sources f ON f.id = c.source_id
    JOIN records r ON r.id = c.deal_id JOIN sources g ON g.id = r.source_id WHERE f.id <> g.id"""
SKIPPED = ("id", "state", "state_after")
WRONG = ("c*.toml", "must-*.toml", "re*.toml", "round-*.toml")  # samples that are no other sample with a change


class Both(NamedTuple):
    """The same deals as shards and as an archive, each with what its ids stand for."""

    out: Path
    duck: Any
    duck_ids: Meant
    archive: sqlite3.Connection
    archive_ids: Meant


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("scale") / "it's, a [club]"  # what SQL and patterns know
    folder.mkdir()
    shards, out, db = folder / "in", folder / "out", folder / "archive.db"
    shards.mkdir()
    out.mkdir()
    for n, text in enumerate(in_sessions(list(sample_lines(VALID))[:: examples(6, 1)], PARTS)):
        (shards / f"{n}.jsonl").write_bytes(text)
    broken = [line for fits in WRONG for line in sample_lines(BROKEN, fits)]
    (shards / "broken.jsonl").write_bytes(b"\n".join([*broken, b"no record", b""]))
    found, _ = shards_in(shards)
    for name, number in number_shards(out, shards, list(found)).numbers.items():
        check_shard(Job(name, str(found[name]), number, str(out), analyse=True))
    (out / duckdb_views.SESSION).write_text(duckdb_views.session_sql(), "utf-8")
    assert run("import", shards, "--db", db).exit_code == 1
    with closing(open_archive(db).conn) as whole:
        analyse_lacking(whole)
    with closing(duckdb_views.open_shards(out)) as conn, closing(open_read(db)) as archive:
        twice = [tuple(row) for row in archive.execute(TWICE)]
        assert not twice, "two samples have the same cards"  # one deal of an archive, but one in each shard
        yield Both(out, conn, Meant(lambda sql: conn.execute(sql).fetchall()), archive, of_archive(archive))


def of_shards(both: Both, sql: str) -> list[tuple[Any, ...]]:
    found = both.duck.execute(sql)
    return both.duck_ids.rows([column[0] for column in found.description], found.fetchall())


def of_db(both: Both, sql: str) -> list[tuple[Any, ...]]:
    found = both.archive.execute(sql)
    return both.archive_ids.rows([column[0] for column in found.description], [tuple(row) for row in found])


def equal(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    """Whether rows are the same, numbers to the second digit."""
    return len(one) == len(other) and all(
        len(a) == len(b) and all(map(close, a, b)) for a, b in zip(one, other, strict=True)
    )


def close(a: Any, b: Any) -> bool:
    return a == b or (isinstance(a, float) and isinstance(b, float) and abs(a - b) <= 0.011)


def scale(*words: object) -> Result:
    return run("scale", *words)


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered_as_an_archive_answers_it(both: Both, name: str) -> None:
    expected = of_db(both, f"SELECT * FROM {name}")
    assert expected
    assert equal(of_shards(both, f"SELECT * FROM {name}"), expected)
    assert equal(of_shards(both, duckdb_views.to_duckdb(sql_without_facts(QUESTIONS[name]))), expected)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [name for name in duckdb_views.OF_DEALS if name not in QUESTIONS])
def test_a_view_shows_what_that_of_an_archive_shows(both: Both, name: str) -> None:
    expected = of_db(both, f"SELECT * FROM {name}")
    assert expected
    assert equal(of_shards(both, f"SELECT * FROM {name}"), expected)


@pytest.mark.parametrize("table", ["deals", "seats", "tricks", "stated", "findings", "doubles", "calls", "exchanges",
                                   "analyses", "decisions"])  # fmt: skip
def test_a_table_has_the_rows_of_an_archive(both: Both, table: str) -> None:
    """All columns but those of ids, which are another's, and states, which are written in full or not, as suits."""
    names = [row[1] for row in both.archive.execute(f"PRAGMA table_info({table})")]
    told = [f"{name} AS own_{name}" for name in names if name not in SKIPPED and not name.endswith("_id")]
    key = "id" if table == "deals" else "deal_id"
    sql = f"SELECT {key} AS deal, {', '.join(told)} FROM {table}"
    assert of_shards(both, sql) == of_db(both, sql)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["players_by_contract", "results_by_contract", "longest_runs", "sessions_overview"])
def test_a_question_is_asked_of_a_part(both: Both, name: str) -> None:
    found = both.archive.execute(
        """SELECT r.name, p.name, e.event, r.player, r.session FROM (
            SELECT d.session_id AS session, s.player_id AS player, h.name AS name, count(*) AS times
            FROM deals d JOIN seats s ON s.deal_id = d.id JOIN rulesets h ON h.id = d.ruleset_id
            GROUP BY d.session_id, s.player_id, h.name) r
        JOIN players p ON p.id = r.player JOIN sessions e ON e.id = r.session
        WHERE e.event IS NOT NULL ORDER BY times DESC LIMIT 1"""
    ).fetchone()
    rules, player, event, player_id, session_id = found
    sessions = {meant: key for key, meant in both.duck_ids.of["session"].items()}
    parts = {
        "player": (number_of(player), player_id),
        "event": (event, event),
        "since": ("2026", "2026"),
        "until": ("2026", "2026"),
        "session": (sessions[both.archive_ids.of["session"][session_id]], session_id),
    }
    from archive.stats.query import answer_question

    for part, (of_duck, of_own) in parts.items():
        given = {"rules": rules} if "rules" in QUESTIONS[name].narrow else {}
        columns, rows = duckdb_views.answer(both.duck, duckdb_views.question(name, given | {part: of_duck}))
        answer = answer_question(both.archive, name, given | {part: of_own})
        assert columns == answer.columns
        assert rows
        assert equal(both.duck_ids.rows(columns, rows), both.archive_ids.rows(columns, answer.rows))


def test_a_deal_is_told_once_a_shard_and_repeats_are_found(both: Both, tmp_path: Path) -> None:
    assert duckdb_views.answer(both.duck, duckdb_views.question("repeated", {}))[1] == []
    columns, rows = duckdb_views.answer(both.duck, duckdb_views.question("shards", {}))
    told = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [each["shard"] for each in told] == [1, 2, 3, 4]
    assert sum(each["deals"] for each in told) == both.archive.execute("SELECT count(*) FROM deals").fetchone()[0]
    assert told[3]["name"] == "broken.jsonl"

    lines = b"".join(line + b"\n" for line in sample_lines(VALID, "netschafkopf.txt"))
    for n in (1, 2):
        (tmp_path / f"{n}.jsonl").write_bytes(lines)
        check_shard(Job(f"{n}.jsonl", str(tmp_path / f"{n}.jsonl"), n, str(tmp_path / "out")))
    number_shards(tmp_path / "out", tmp_path, ["1.jsonl", "2.jsonl"])
    with closing(duckdb_views.open_shards(tmp_path / "out", "repeated")) as conn:
        repeated = duckdb_views.answer(conn, duckdb_views.question("repeated", {}))[1]
    assert len(repeated) == len(lines.splitlines())
    assert {(times, last - first) for _, times, first, last in repeated} == {(2, 1 << 32)}


# --- the command ------------------------------------------------------------------------------------------------------


def test_answers_come_in_the_forms_of_stats(both: Both) -> None:
    text = scale("query", "thrown_in", both.out, "--lang", "en").stdout
    assert text.startswith("How often is a deal thrown in or dealt again?\n\nrules ")
    told = json.loads(scale("query", "thrown_in", both.out, "--form", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(scale("query", "thrown_in", both.out, "--form", "csv").stdout)))
    assert [each["deals"] for each in told] == [int(each["deals"]) for each in rows]
    (only,) = json.loads(scale("query", "thrown_in", both.out, "--form", "json", "--rules", "pub").stdout)
    assert only in told
    assert len(json.loads(scale("query", "outcomes", both.out, "--form", "json", "--limit", "3").stdout)) == 3
    assert scale("query").stdout.split() == [
        *QUESTIONS,
        *(n for n in duckdb_views.OF_DEALS if n not in QUESTIONS),
        "shards",
        "repeated",
    ]
    player = json.loads(scale("query", "balances", both.out, "--form", "json").stdout)[0]["name"]
    mine = json.loads(scale("query", "balances", both.out, "--form", "json", "--player", player).stdout)
    assert player in {each["name"] for each in mine}
    assert 0 < len(mine) < 100


def test_what_cannot_be_asked_is_told() -> None:
    for name, given in (("nothing", {}), ("outcomes", {"rules": "pub"}), ("thrown_in", {"contract": "solo"}),
                        ("thrown_in", {"player": 1, "session": 2})):  # fmt: skip
        with pytest.raises(ScaleError):
            duckdb_views.question(name, given)


# --- a session of one's own -------------------------------------------------------------------------------------------


def test_the_documented_session_runs(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in docs/scale.md: the file beside the shards, and the statements after it."""
    monkeypatch.chdir(both.out)
    blocks = re.findall(r"```sql\n(.*?)```", DOC, re.DOTALL)
    assert len(blocks) >= 4
    import duckdb

    with closing(duckdb.connect()) as conn:
        conn.execute((both.out / duckdb_views.SESSION).read_text("utf-8"))
        for block in blocks:
            found = conn.execute(block)
            assert found.fetchall(), block


def test_the_documented_python_runs(both: Both, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(both.out.parent)
    (block,) = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
    exec(block.replace('"OUT_DIR"', repr(str(both.out))), {})
    assert "rufspiel" in capsys.readouterr().out


# --- slices -----------------------------------------------------------------------------------------------------------

TOLD = """SELECT lower(hex(t.hash)) AS hash, o.* FROM outcomes o JOIN records t ON t.id = o.deal
    WHERE {fits} ORDER BY hash"""


def outcomes(conn: sqlite3.Connection, fits: str = "1") -> list[tuple[Any, ...]]:
    """Deals by their hash, without numbers that belong to an archive."""
    found = conn.execute(TOLD.format(fits=fits))
    names = [column[0] for column in found.description]
    kept = [n for n, name in enumerate(names) if name not in ("deal", "viewer", "session")]
    return [tuple(row[n] for n in kept) for row in found]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("words", "fits"), [
    (("--event", "{event}"), "o.event = '{event}'"),
    (("--player", "{player}"),
     "o.session IN (SELECT session_id FROM deals d JOIN seats s ON s.deal_id = d.id"
     " JOIN players p ON p.id = s.player_id WHERE p.name = '{player}')"),
    (("--verdict", "undecidable", "--since", "1.1.2026", "--until", "2026"),
     "o.session IN (SELECT session_id FROM deals WHERE verdict = 'undecidable') AND o.date LIKE '2026%'"),
    (("--source", "broken.jsonl"), "t.source_id = (SELECT id FROM sources WHERE path LIKE '%broken.jsonl')"),
    (("d.contract = 'wenz' AND s.unit = 'ct'",),
     "o.session IN (SELECT d.session_id FROM deals d JOIN sessions s ON s.id = d.session_id"
     " WHERE d.contract = 'wenz' AND s.unit = 'ct')"),
])  # fmt: skip
def test_a_slice_is_an_archive_of_whole_sessions(both: Both, tmp_path: Path, words: tuple[str, ...], fits: str) -> None:
    event, player = both.archive.execute(
        """SELECT e.event, p.name FROM deals d JOIN sessions e ON e.id = d.session_id
        JOIN seats s ON s.deal_id = d.id JOIN players p ON p.id = s.player_id
        WHERE e.event IS NOT NULL AND e.event NOT LIKE '%''%' ORDER BY d.id LIMIT 1"""
    ).fetchone()
    told = [word.format(event=event, player=player) for word in words]
    result = scale("slice", both.out, *told, "--db", tmp_path / "slice.db", "--lang", "en")
    assert result.exit_code == 0
    with closing(open_read(tmp_path / "slice.db")) as conn:
        found, expected = outcomes(conn), outcomes(both.archive, fits.format(event=event, player=player))
        places = """SELECT lower(hex(t.hash)), t.line, replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '')
            FROM records t JOIN sources f ON f.id = t.source_id"""
        assert set(map(tuple, conn.execute(places))) <= set(map(tuple, both.archive.execute(places)))
    assert expected
    assert found == expected
    assert f"{len(expected)} deal" in result.stderr


def test_slices_add_up_and_what_is_there_is_known(both: Both, tmp_path: Path) -> None:
    db = tmp_path / "slice.db"
    for shard in ("broken.jsonl", "0.jsonl"):
        scale("slice", both.out, "--source", shard, "--db", db)
    with closing(open_read(db)) as conn:
        expected = both.archive.execute(
            """SELECT count(*) FROM records t JOIN sources f ON f.id = t.source_id
            WHERE f.path LIKE '%broken.jsonl' OR f.path LIKE '%/0.jsonl'"""
        ).fetchone()
        assert conn.execute("SELECT count(*) FROM deals").fetchone()[:] == expected[:]
        assert len(conn.execute(DEALS).fetchall()) == expected[0]


def test_slices_of_one_shard_add_up(both: Both, tmp_path: Path) -> None:
    """The next slice is no later state of the shard, which no longer tells the deals of the one before."""
    db, before = tmp_path / "slice.db", 0
    for contract in ("wenz", "solo", "rufspiel"):
        done = scale("slice", both.out, f"d.contract = '{contract}'", "--source", "0.jsonl", "--db", db)
        assert done.exit_code in (0, 1), done.output
        with closing(open_read(db)) as conn:
            now = conn.execute("SELECT count(*) FROM deals").fetchone()[0]
            assert now == conn.execute("SELECT count(*) FROM records").fetchone()[0] >= before
        before = now


def test_a_slice_that_nothing_fits_makes_nothing(both: Both, tmp_path: Path) -> None:
    for words, said in ((("--player", "Nobody at all"), "No deal fits."), (("no = 1",), "The slice cannot be cut"),
                        (("1; DROP VIEW deals",), "The slice cannot be cut")):  # fmt: skip
        result = scale("slice", both.out, *words, "--db", tmp_path / "slice.db")
        assert result.exit_code == 2
        assert said in result.stderr
        assert not (tmp_path / "slice.db").exists()
