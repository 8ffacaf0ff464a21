"""Datasette over an archive: what `schafkopf serve` and `datasette archive.db` show, tell and refuse alike."""

import csv
import io
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from datasette.app import Datasette  # type: ignore[import-untyped]
from support.asgi import request
from support.paths import ROOT
from support.thorough import examples
from support.web_archive import make_archive

from archive.stats import FACTS, QUESTIONS
from archive.stats.texts import all_texts
from archive.store import open_archive
from archive.store.schema_page import all_descriptions
from archive.store.views import VIEWS
from archive.web import serve
from archive.web.datasette import counting, framing, hardening
from archive.web.datasette.data_app import SETTINGS

pytestmark = pytest.mark.one_in(2)  # of each pair of ways
WAYS = ("serve", "alone")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("datasette") / "archive.db")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that is no archive, with names that an archive has too."""
    path = tmp_path_factory.mktemp("other") / "other.db"
    with sqlite3.connect(path) as conn:
        conn.executescript("""CREATE TABLE deals (id INTEGER PRIMARY KEY, viewer INTEGER, dealt TEXT, contract TEXT);
            INSERT INTO deals VALUES (1, 1, 'EO GO', 'solo')""")
    return path


class Site:
    """An instance of Datasette and the name that it has for the archive."""

    def __init__(self, app: Any, name: str) -> None:
        self.app, self.name = app, name

    def get(self, path: str, **params: str) -> httpx.Response:
        return request(self.app, path.format(db=self.name), params=params or None)

    def sql(self, sql: str) -> httpx.Response:
        return self.get("/{db}.json", sql=sql, _shape="arrays")


def alone(*paths: Path, **settings: Any) -> Site:
    """`datasette archive.db …`."""
    return Site(Datasette([str(path) for path in paths], settings=settings).app(), paths[0].stem)


def site_of(way: str, archive: Path, sql: bool = True) -> Site:
    if way == "serve":
        return Site(serve.build_app(archive, sql=sql), "data")
    return alone(archive, default_allow_sql=sql)


@pytest.fixture(scope="module", params=WAYS)
def site(request: pytest.FixtureRequest, archive: Path) -> Site:
    return site_of(request.param, archive)


# --- described --------------------------------------------------------------------------------------------------------


def test_every_table_view_and_column_is_described_on_its_page(site: Site) -> None:
    assert VIEWS.keys() <= all_descriptions().keys()
    for name, said in [*all_descriptions().items()][:: examples(7, 1)]:
        page = site.get(f"/{{db}}/{name}").text
        for column, meaning in said.columns.items():
            assert f"<dt>{column}</dt><dd>{as_html(meaning)}" in page, (name, column)
        if name not in QUESTIONS:
            assert as_html(said.says) in page, name
        else:
            assert as_html(all_texts().questions[name].title.en) in page, name


def as_html(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;").replace('"', "&#34;")
    )


def test_both_ways_tell_the_same(archive: Path) -> None:
    told = [site_of(way, archive).get("/-/metadata.json").json() for way in WAYS]
    assert told[0] != told[1]
    plugins = told[0].pop("plugins")
    assert plugins == {"schafkopf_archive": {"viewer": True}}
    own = told[0]["databases"].pop("data")
    assert own == told[1]["databases"].pop("archive")
    assert not [name for name, how in own["tables"].items() if {"allow", "facet_size"} & how.keys()], (
        "all would be copied"
    )
    assert told[0] == told[1]


def test_facts_are_there_and_out_of_the_way(site: Site) -> None:
    tables = {table["name"]: table["hidden"] for table in site.get("/{db}.json").json()["tables"]}
    hidden = {name for name, how in tables.items() if how}
    assert {each.name for each in FACTS} <= hidden
    assert {"notes_fts", "_sqlite_migrations"} <= hidden
    assert not hidden & {"deals", "sessions", "players", "notes", "seats", "tricks"}


# --- facets, sorting --------------------------------------------------------------------------------------------------

FACETS = [(table, facet) for table, told in framing.table_metadata().items() for facet in told.get("facets", ())]


def test_there_are_facets() -> None:
    assert set(FACETS) == {("deals", "contract"), ("deals", "verdict"), ("findings", "rule"), ("notes", "kind")}


@pytest.mark.parametrize(("table", "facet"), FACETS)
def test_an_index_covers_every_facet(archive: Path, table: str, facet: str) -> None:
    with sqlite3.connect(archive) as conn:
        plan = conn.execute(f"EXPLAIN QUERY PLAN SELECT {facet}, count(*) FROM {table} GROUP BY 1").fetchall()
    assert "COVERING INDEX" in plan[0][3]


@pytest.mark.parametrize(("table", "facet"), FACETS)
def test_a_page_has_the_results_of_its_facets(site: Site, archive: Path, table: str, facet: str) -> None:
    found = site.get(f"/{{db}}/{table}.json").json()
    told = {row["value"]: row["count"] for row in found["facet_results"][facet]["results"]}
    with sqlite3.connect(archive) as conn:
        counted = conn.execute(f"SELECT {facet}, count(*) FROM {table} WHERE {facet} IS NOT NULL GROUP BY 1").fetchall()
    assert told == dict(counted)
    assert told
    page = site.get(f"/{{db}}/{table}").text
    assert f'data-column="{facet}"' in page
    assert "timed out" not in page


@pytest.mark.parametrize("table", [name for name, told in framing.table_metadata().items() if "sort_desc" in told])
def test_what_is_newest_comes_first_without_sorting(site: Site, archive: Path, table: str) -> None:
    column = framing.table_metadata()[table]["sort_desc"]
    rows = site.get(f"/{{db}}/{table}.json", _shape="objects").json()["rows"]
    numbers = [row[column] for row in rows]
    assert numbers == sorted(numbers, reverse=True)
    with sqlite3.connect(archive) as conn:
        plan = conn.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {table} ORDER BY {column} DESC LIMIT 101").fetchall()
    assert "USE TEMP B-TREE FOR ORDER BY" not in str(plan)


# --- search -----------------------------------------------------------------------------------------------------------


def test_datasette_searches_the_notes(site: Site, archive: Path) -> None:
    with sqlite3.connect(archive) as conn:
        (text,) = conn.execute("SELECT text FROM notes WHERE kind = 'occasion'").fetchone()
        (count,) = conn.execute("SELECT count(*) FROM notes").fetchone()
    rows = site.get("/{db}/notes.json", _search=text.split()[0], _shape="objects").json()["rows"]
    assert text in {row["text"] for row in rows}
    assert site.get("/{db}/notes.json", _search="Rumpelstilzchen").json()["filtered_table_rows_count"] == 0
    assert count > 0
    assert 'type="search"' in site.get("/{db}/notes").text


# --- prepared queries -------------------------------------------------------------------------------------------------


def test_every_question_is_a_prepared_query(site: Site) -> None:
    told = {query["name"]: query for query in site.get("/{db}.json").json()["queries"]}
    assert set(told) == {f"ask_{name}" for name in QUESTIONS}
    for name, question in QUESTIONS.items():
        query, said = told[f"ask_{name}"], all_texts().questions[name]
        assert query["params"] == list(question.narrow)
        assert query["title"] == said.title.en
        assert query["description"].startswith(said.read.en)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", QUESTIONS)
def test_an_empty_prepared_query_answers_as_its_view(site: Site, name: str) -> None:
    asked = site.get(f"/{{db}}/ask_{name}.json", _shape="arrays")
    assert asked.status_code == 200
    view = site.get(f"/{{db}}/{name}.json", _shape="arrays", _size="max")
    assert asked.json()["rows"] == view.json()["rows"]


def test_a_prepared_query_is_narrowed_by_its_parameters(site: Site) -> None:
    rows = site.get("/{db}/results_by_contract.json", _shape="objects").json()["rows"]
    contract = rows[0]["contract"]
    asked = site.get("/{db}/ask_results_by_contract.json", contract=contract, rules="", _shape="objects").json()
    assert asked["rows"] == [row for row in rows if row["contract"] == contract]
    assert site.get("/{db}/ask_results_by_contract.json", contract="bettel").json()["rows"] == []
    assert 'name="contract"' in site.get("/{db}/ask_results_by_contract").text


def test_a_filter_that_is_none_is_refused_in_the_language_of_the_page(site: Site) -> None:
    page = site.get("/{db}/deals", kontract="solo", _lang="de").text
    assert '<p class="note" lang="de">kontract ist hier kein Filter; ein Filter ist der Name einer Spalte' in page


# --- rows and links ---------------------------------------------------------------------------------------------------


def test_rows_lead_to_the_rows_that_they_belong_to(site: Site) -> None:
    name = site.name
    seats = site.get("/{db}/seats", deal_id="1").text
    assert f'<a href="/{name}/deals/1">deal 1 of session 1</a>' in seats
    assert re.search(rf'<a href="/{name}/players/\d+">\w+</a>', seats)
    deal = site.get("/{db}/deals/1").text
    for to in (f"/{name}/sessions/1", f"/{name}/rulesets/1", f"/{name}/records/1"):
        assert f'href="{to}"' in deal, to
    assert re.search(r'<tr><th scope="row" title="[^"]+">contract</th>\s*<td class="col-contract">rufspiel</td>', deal)
    for to in ("seats", "tricks", "findings", "notes"):
        assert f'/{name}/{to}?deal_id=1"' in deal, to
    assert f'href="/{name}/sources/1"' in site.get("/{db}/sessions/1").text
    assert f'/{name}/deals?session_id=1"' in site.get("/{db}/sessions/1").text
    outcomes = site.get("/{db}/outcomes").text
    for to in ("deals/1", "sessions/1", r"players\?name__exact=\w+", r"rulesets\?"):
        assert re.search(f'<a href="/{name}/{to}', outcomes), to
    assert re.search(rf'<a href="/{name}/players/\d+">\d+</a>', site.get("/{db}/balances").text)


def test_a_link_to_a_player_finds_the_row(site: Site) -> None:
    to = re.search(r'<a href="(/[a-z]+/players\?name__exact=[^"]+)">([^<]+)</a>', site.get("/{db}/player_results").text)
    page = site.get(to[1].replace("&amp;", "&").replace("?", ".json?") + "&_shape=objects").json()
    assert [row["name"] for row in page["rows"]] == [to[2]]


def test_rows_lead_to_the_viewer_where_it_is(archive: Path) -> None:
    for way, there in (("serve", True), ("alone", False)):
        site = site_of(way, archive)
        for page, to in (("deals", "/deals/1"), ("outcomes", "/deals/1"), ("players", "/players/1"),
                         ("sessions", "/sessions/1"), ("rulesets", "/rulesets/")):  # fmt: skip
            assert (f'<a href="{to}' in site.get(f"/{{db}}/{page}").text) == there, (way, page)
        assert ('<a href="/deals/1">' in site.get("/{db}", sql="select viewer from deals").text) == there


def test_pages_of_the_viewer_lead_to_rows(archive: Path) -> None:
    site = site_of("serve", archive)
    for page in ("/deals/1", "/sessions/1", "/players/1"):
        to = f'href="/data{page}"'
        assert to in site.get(page).text
        assert site.get(f"/data{page}").status_code == 200


# --- cards ------------------------------------------------------------------------------------------------------------


def test_cards_are_shown_with_sign_rank_and_name(site: Site) -> None:
    page = site.get("/{db}/tricks", deal_id="1", trick="1").text
    cards = re.findall(
        r'<abbr class="card (.)" title="([^"]+)"><svg class="sign".*?href="([^"]+)#(.)"/></svg>(..)</abbr>', page
    )
    rows = site.get("/{db}/tricks.json", deal_id="1", trick="1", _shape="objects").json()["rows"]
    assert [card[4] for card in cards] == rows[0]["cards"].split()
    assert all(suit == sign == code[0] for suit, _, _, sign, code in cards)
    assert {card[1] for card in cards} & {
        "Eichel-Ober", "Gras-Ober", "Herz-Sau", "Schellen-Sau", "Eichel-Sau", "Herz-9",
    }  # fmt: skip
    sprite = site.get(cards[0][2])
    assert sprite.headers["content-type"].startswith("image/svg+xml")
    assert 'id="E"' in sprite.text
    assert "<abbr" not in site.get("/{db}/tricks.csv", deal_id="1").text


def test_words_that_are_no_cards_stay_words(site: Site) -> None:
    page = site.get("/{db}", sql="select 'pass <b>' as call, 'trump' as counts_as, 7 as cards").text
    assert "pass &lt;b&gt;" in page
    assert "<abbr" not in page


def test_the_looks_are_those_of_the_archive(site: Site) -> None:
    page = site.get("/{db}/deals").text
    assert "/-/schafkopf/archive.css" in page
    assert site.get("/-/schafkopf/archive.css").headers["content-type"].startswith("text/css")
    assert site.get("/-/schafkopf/base.html").status_code == 404


# --- JSON, CSV, whole tables ------------------------------------------------------------------------------------------

PLACES = ("deals", "outcomes", "plays", "notes", "balances", "ask_balances")


@pytest.mark.parametrize("place", PLACES)
def test_tables_views_and_queries_are_json_and_csv(site: Site, place: str) -> None:
    told = site.get(f"/{{db}}/{place}.json", _shape="objects", _size="max").json()
    rows = list(csv.DictReader(io.StringIO(site.get(f"/{{db}}/{place}.csv", _size="max").text)))
    assert len(rows) == len(told["rows"]) > 0
    shown = [{key: "" if value is None else str(value) for key, value in row.items()} for row in told["rows"]]
    assert rows == shown


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More rows than Datasette returns at once."""
    path = make_archive(tmp_path_factory.mktemp("large") / "archive.db")
    db = open_archive(path)
    text = "INSERT INTO notes (session_id, kind, text) VALUES (1, 'session', ?)"
    db.conn.executemany(text, [(f"note {n}",) for n in range(2500)])
    db.conn.commit()
    db.close()
    return path


@pytest.mark.parametrize("way", WAYS)
def test_a_whole_table_and_a_whole_view_are_streamed(large: Path, way: str) -> None:
    with sqlite3.connect(large) as conn:
        (notes,) = conn.execute("SELECT count(*) FROM notes").fetchone()
        conn.execute("CREATE VIEW IF NOT EXISTS every_note AS SELECT id, text FROM notes")
    assert notes > 2 * SETTINGS["max_returned_rows"]
    site = site_of(way, large)
    for place in ("notes", "every_note"):
        rows = list(csv.DictReader(io.StringIO(site.get(f"/{{db}}/{place}.csv", _stream="1").text)))
        assert len(rows) == notes, place
        assert len({row["id"] for row in rows}) == notes
    page = site.get("/{db}/notes.json", _size="max").json()
    assert len(page["rows"]) == SETTINGS["max_returned_rows"]
    assert page["next"]
    cut = site.sql("select id from notes").json()
    assert (len(cut["rows"]), cut["truncated"]) == (SETTINGS["max_returned_rows"], True)


# --- without SQL ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_without_sql_there_are_tables_views_and_prepared_queries(archive: Path, way: str) -> None:
    site = site_of(way, archive, sql=False)
    for place in ("deals", "outcomes", "plays", "balances", "ask_balances", "deals/1"):
        assert site.get(f"/{{db}}/{place}").status_code == 200, place
        assert site.get(f"/{{db}}/{place}.json").status_code == 200, place
    assert site.get("/{db}/ask_balances.json", unit="P").status_code == 200
    assert site.get("/{db}/notes.json", _search="a").status_code == 200
    for refused in ("/{db}?sql=select+1", "/{db}.json?sql=select+1", "/{db}.csv?sql=select+1"):
        assert site.get(refused.format(db=site.name)).status_code == 403, refused
    assert site.get("/{db}/deals", _where="1").status_code == 403


# --- hard to hurt -----------------------------------------------------------------------------------------------------

ENDLESS = "with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a"
FILL = "with a(x) as (select {0}'aaaaaaaaaaaaaaaa'{1})"
LONG = FILL.format("hex(" * 18, ")" * 18)  # 4 million letters
MANY = "(select group_concat(char(x), '') from (with recursive c(x) as (select 256 union all select x + 1 from c where x < 50000) select x from c))"  # noqa: E501
ATTACKS = {  # those of one call are in `test_serve.py`
    "a value beyond the limit of length": f"select length({'hex(' * 21}'aaaaaaaaaaaaaaaa'{')' * 21})",
    "a long pattern of GLOB": f"select 'a' glob '{'*a' * 100}'",
    "a pattern that was made": f"{LONG} select 'a' like x from a",
    "trimming many letters": f"{LONG} select trim(x, {MANY}) from a",
    "trimming many letters at one end": f"{LONG} select rtrim(x, {MANY}) from a",
    "reading hexadecimals": f"{LONG} select unhex(x, x) from a",
    "patching JSON": "select json_patch('{}', '{}')",
    "the path of the file": "select file from pragma_database_list",
    "another file": "attach ':memory:' as x",
    "writing": "delete from deals",
    "writing behind a select": "with a as (select 1) delete from deals",
    "a pragma that writes": "pragma journal_mode = delete",
    "a pragma": "pragma writable_schema = 1",
    "two statements": "select 1; drop table deals",
    "a table of a pragma that is not allowed": "select * from pragma_cache_size",
}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # how sqlite3 reports a refused value
def test_an_attack_is_refused(site: Site, archive: Path) -> None:
    answers = {name: site.sql(sql) for name, sql in ATTACKS.items()}
    assert {name: answer.text for name, answer in answers.items() if answer.status_code != 400} == {}
    with sqlite3.connect(archive) as conn:
        assert conn.execute("SELECT count(*) FROM deals").fetchone() == (7,)


def test_a_runaway_query_is_stopped(site: Site) -> None:
    answer = site.sql(ENDLESS)
    assert (answer.status_code, "took too long" in answer.text) == (400, True)


def test_no_page_says_where_the_file_lies(site: Site, archive: Path) -> None:
    folder = str(archive.parent)
    told = (f"/-/{name}" for name in ("databases.json", "databases", "metadata.json", "settings.json"))
    for path in (*told, "/{db}.json", "/{db}", "/"):
        assert folder not in site.get(path).text, path
    assert site.get("/-/databases.json").status_code == 404


ANSWERED = (
    ("select trim('xxaxx', 'x'), ltrim('xxax', 'x'), rtrim('axx', 'x'), trim('  a ')", ["a", "ax", "a", "a"]),
    ("select trim(null, 'x'), trim('a', null), trim('a', '')", [None, None, "a"]),
    ("select upper('a') || lower('B') || substr('abc', 2, 1)", ["Abb"]),
    ("select json_extract('{\"a\": [1, 2]}', '$.a[1]')", [2]),
    ("select count(*) from notes_fts where notes_fts match 'rumpelstilzchen'", [0]),
    ("select round(avg(points), 1) > 0 from tricks", [1]),
    ("select sum(led) from plays where deal = 1 and trick = 1", [1]),
    ("select instr('abc', 'c'), instr('abc', 'x'), instr(null, 'a'), instr(121, 2)", [3, 0, None, 2]),
    ("select instr(x'0102', x'02')", [2]),
    ("select replace('abcb', 'b', 'xy'), replace('a', '', 'b'), replace(null, 'a', 'b')", ["axycxy", "a", None]),
    ("select group_concat(value) from json_each('[1, 2]')", ["1,2"]),
    ("select name from pragma_table_info('deals') limit 1", ["id"]),
    ("with recursive a(x) as (select 1 union all select x + 1 from a where x < 5) select sum(x) from a", [15]),
)


def test_what_readers_need_still_works(site: Site) -> None:
    for sql, expected in ANSWERED:
        assert site.sql(sql).json()["rows"] == [expected], sql


# --- other databases --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mixed", [False, True])
def test_another_database_is_left_alone(archive: Path, other: Path, mixed: bool) -> None:
    site = alone(other, archive) if mixed else alone(other)
    assert site.sql("select printf('%d', 7), length(zeroblob(9))").json()["rows"] == [["7", 9]]
    page = site.get("/{db}/deals").text
    assert "<abbr" not in page
    assert "EO GO" in page
    assert "schafkopf" not in page
    told = site.get("/{db}.json").json()
    assert told["queries"] == []
    assert "databases" in site.get("/-/databases.json").text or site.get("/-/databases.json").status_code == 200
    assert site.get("/-/metadata.json").json().keys() <= {"databases"}


def test_beside_another_database_an_archive_is_one(archive: Path, other: Path) -> None:
    site = alone(archive, other)
    assert site.sql("select zeroblob(9)").status_code == 400
    assert "<abbr" in site.get("/{db}/tricks").text
    assert len(site.get("/{db}.json").json()["queries"]) == len(QUESTIONS)


def test_an_archive_of_another_version_is_hard_and_not_described(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with sqlite3.connect(archive) as source, sqlite3.connect(path) as conn:
        source.backup(conn)
        conn.execute("DELETE FROM _sqlite_migrations WHERE name = 'm007_facts'")
    site = alone(path)
    assert site.sql("select zeroblob(9)").status_code == 400
    assert site.get("/{db}/deals").status_code == 200
    assert site.get("/{db}.json").json()["queries"] == []


# --- the page of examples ---------------------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "datasette.md").read_text("utf-8")
EXAMPLES = re.findall(r"\n([^\n]+)\n\n```sql\n(.*?)```", PAGE, re.DOTALL)


def test_the_ten_examples_answer(all_samples: Path) -> None:
    site = site_of("serve", all_samples)
    assert len(EXAMPLES) == 10
    for asks, sql in EXAMPLES:
        assert "?" in asks
        answer = site.sql(sql).json()
        assert answer["rows"], sql
        assert not answer["truncated"]
        assert any(value is not None for value in answer["rows"][0][2:]), sql


def test_what_the_page_says_of_limits_is_so() -> None:
    for said in ("1.5 seconds", "a facet after 0.1", "at most 1000 rows", "at most 20 MB", "three queries"):
        assert said in PAGE.replace("\n", " "), said
    limits = {key: SETTINGS[key] for key in ("sql_time_limit_ms", "facet_time_limit_ms", "max_returned_rows",
        "num_sql_threads")}  # fmt: skip
    assert list(limits.values()) == [1500, 100, 1000, 3]
    assert hardening.LONGEST_VALUE == 20_000_000
    assert f"more than {serve.MOST_CONNECTIONS} connections" in PAGE.replace("\n", " ")
    for name in hardening.REFUSED - {"load_extension"}:
        assert f"`{name}`" in PAGE, name


def test_rows_of_many_are_not_counted_where_all_tables_are_listed(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(archive)) as conn:
        counts = {table: conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("deals", "seats")}
    site = site_of("serve", archive)
    assert {each["name"]: each["count"] for each in site.get("/data.json").json()["tables"]}.items() >= counts.items()
    monkeypatch.setattr(counting, "MOST_ROWS", 3)
    few = {each["name"]: each["count"] for each in site.get("/data.json").json()["tables"]}
    assert (few["deals"], few["seats"]) == (counts["deals"], None)
