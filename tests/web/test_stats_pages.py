"""The pages of the questions: their numbers are those of `answer_question`, their pictures are whole,
their links lead to data."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import httpx
import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.asgi import request
from support.patience import WAIT
from support.strict_html import read_page as page

from archive.stats import QUESTIONS
from archive.stats.query import Answer, answer_question
from archive.store import merge_players, open_archive
from archive.text.numbers import format_number, format_share
from archive.web import serve, vega
from archive.web.app import create_app
from archive.web.datasette.data_app import SETTINGS
from archive.web.search.filters import parse_search
from archive.web.search.queries import DEALS, fitting_deals
from archive.web.stats import chart_data as chart_data
from archive.web.stats import glances as question_charts
from archive.web.stats import page as question_pages
from archive.web.stats.answer import KEYS, LABELS, SIGNED, column_head, value_text
from archive.web.stats.chart_specs import CHART_SPECS
from archive.web.stats.page import COUNTING, TableView, answer_table, deals_search, sort_text
from archive.web.stats.queries import value_words
from archive.web.texts import LANGUAGES, TEXTS
from archive.web.vega import draw_plot

T = TEXTS["en"]
MINUS = str.maketrans({"−": "-", "\u202f": " ", "+": ""})
PLACES = {"deal", "first_deal", "last_deal"}
DAYS = {"first_date", "last_date", "best_evening_day", "worst_evening_day", "best_deal_day"}


@pytest.fixture(scope="module", name="path")
def path_of(analysed_samples: Path) -> Path:
    return analysed_samples


def answer_rows(answer: Answer) -> list[dict[str, Any]]:
    return [answer.facts(row) for row in answer.rows]


def text(node: Any) -> str:
    return " ".join(node.text(separator=" ").split())


def numbers(shown: str, language: str) -> float | None:
    """A number as it is written in a language; None of what is not known."""
    plain = shown.translate(MINUS).removesuffix(" %").replace("×", "").strip()
    if plain == "–":
        return None
    plain = plain.replace(".", "").replace(",", ".") if language == "de" else plain.replace(",", "")
    return float(plain)


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(24)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_has_the_numbers_of_the_answer(
    client: FlaskClient, conn: sqlite3.Connection, name: str, language: str
) -> None:
    t, answer = TEXTS[language], answer_question(conn, name)
    found, words = page(client, f"/stats/{name}?lang={language}&rows=all"), value_words(conn, t)
    assert text(found.css_first("h1")) == question_pages.question_title(name, t)
    every = [column for column in answer.columns if not column.endswith(("_low", "_high")) and column not in
             ("player", "partner")]  # fmt: skip
    heads = [text(each) for each in found.css("table.answer th")]
    shown = [column for column in every if column_head(column, t) in heads]
    assert heads == [column_head(column, t) for column in shown]
    said = [text(each) for each in found.css(".same span")]
    rows = answer_rows(answer)
    assert said == [f"{column_head(column, t)}: {value_text(column, rows[0], words)}" for column in every
                    if column not in shown and rows[0][column] is not None]  # fmt: skip
    assert all(len({row[column] for row in rows}) == 1 for column in every if column not in shown)
    assert len(rows) < 2 or len({row.get("rules") for row in rows}) > 1 or "rules" not in shown
    lines = [[node.text().strip() for node in row.css("td")] for row in found.css("table.answer tbody tr")]
    for line, row in zip(lines, rows, strict=True):
        for column, cell in zip(shown, line, strict=True):
            if column in {*KEYS, *PLACES, *DAYS}:
                continue
            value = row[column]
            if value is None or f"{column}_low" not in row:
                told = numbers(cell.split("  ")[0], language)
            else:
                share, low_high = re.match(r"(.*?%)\s+(.*)", cell).groups()  # type: ignore[union-attr]
                told = numbers(share, language)
                low, high = (numbers(each, language) for each in low_high.rsplit("–", 1))
                assert low == pytest.approx(100 * row[f"{column}_low"], abs=0.51)
                assert high == pytest.approx(100 * row[f"{column}_high"], abs=0.51)
            if value is not None and (f"{column}_low" in row or column in ("chance", "runners_share", "stake_kept")):
                value = 100 * value
            near = 0.51 if isinstance(value, float) else 0
            assert told == (None if value is None else pytest.approx(value, abs=near))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", sorted(COUNTING))
def test_rows_and_marks_lead_to_exactly_the_deals_that_they_count(
    client: FlaskClient, conn: sqlite3.Connection, name: str
) -> None:
    answer = answer_question(conn, name)
    rows = answer_rows(answer)
    html = page(client, f"/stats/{name}?lang=de&rows=all")
    links = [str(link.attributes["href"]) for link in html.css("table.answer td.n a[href^='/?']")]
    assert len(links) == len([row for row in rows if deals_search(name, row, {})]) > 0
    for row in rows:
        if search := deals_search(name, row, {}):
            assert fitting_deals(conn, parse_search(search.items(), DEALS), 1, 0, 0).count == row["deals"]
    marks = {str(mark.attributes["href"]) for mark in html.css("svg.plot a")}
    assert marks
    assert all(dict(parse_qsl(urlsplit(link).query))["lang"] == "de" for link in marks | {*links})


def test_numbers_are_written_as_in_the_language() -> None:
    de = TEXTS["de"]
    assert [format_number(1234.5, t, 1, True) for t in (T, de)] == ["+1,234.5", "+1.234,5"]
    assert [format_number(-1234, t) for t in (T, de)] == ["−1,234", "−1.234"]
    assert [format_share(each, T) for each in (0, 0.004, 0.0994, 0.0996, 0.5, 1)] == [
        "0\u202f%", "0.4\u202f%", "9.9\u202f%", "10\u202f%", "50\u202f%", "100\u202f%",
    ]  # fmt: skip


def test_contracts_cards_and_people_are_named_and_linked(client: FlaskClient, conn: sqlite3.Connection) -> None:
    called = page(client, "/stats/results_by_called_card?lang=de&rules=bavarian")
    assert "Eichel-Sau" in text(called.css_first("table.answer"))
    french = page(client, "/stats/results_by_called_card?lang=de&rules=bavarian&cards=french")
    assert "Kreuz-As" in text(french.css_first("table.answer"))
    people = page(client, "/stats/players_declaring?rows=all")
    linked = {each.attributes["href"]: text(each) for each in people.css("table.answer td a")}
    known = {
        f"/players/{row['player']}": row["name"] for row in answer_rows(answer_question(conn, "players_declaring"))
    }
    assert linked == known
    runs = page(client, "/stats/longest_runs")
    assert runs.css_first('table.answer a[href^="/deals/"]')
    assert page(client, "/stats/sessions_overview").css_first('table.answer a[href="/sessions/1"]')


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_and_head_of_a_question_has_its_words(conn: sqlite3.Connection, language: str) -> None:
    words, used = value_words(conn, TEXTS[language]), set()
    for name in QUESTIONS:
        for row in answer_rows(answer_question(conn, name)):
            for column, value in row.items():
                said = value_text(column, row, words)
                assert said, (name, column)
                assert said not in ("declarer", "partner", "defence", "rufspiel", "alone") or language == "en"
                used |= {column, f"{column}_{'none' if value is None else value}"}
    heads = {key.removeprefix("sc_") for key in T if key.startswith("sc_")}
    assert heads <= used | {"paid"}
    assert {key.removeprefix("sv_").split("_")[0] for key in T if key.startswith("sv_")} <= {
        column.split("_")[0] for column in used
    }
    assert {re.sub(r"_(some|\d)$", "", key) for key in T if key.startswith("sl_")} >= set(LABELS.values())


def test_few_cases_are_called_few(client: FlaskClient, conn: sqlite3.Connection) -> None:
    found = page(client, "/stats/results_by_contract?rules=bavarian")
    few = [T["pr_few"] in text(row) for row in found.css("table.answer tbody tr")]
    assert few == [
        0 < row["decided"] < 30
        for row in answer_rows(answer_question(conn, "results_by_contract", {"rules": "bavarian"}))
    ]
    assert set(few) == {True, False}


def test_a_long_table_says_how_much_of_it_stands(
    client: FlaskClient, conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, found = len(answer_question(conn, "players_by_contract").rows), page(client, "/stats/players_by_contract")
    told = T["range"].format(first=1, last=question_pages.PAGE_ROWS, total=format_number(count, T))
    assert text(found.css_first(".pager .soft")) == told
    seen, at = 0, "/stats/players_by_contract?sort=name&lang=de"
    while at:
        found = page(client, at)
        seen += len(found.css("table.answer tbody tr"))
        on = found.css_first('.pager a[rel="next"]')
        at = str(on.attributes["href"]) if on else ""
        assert "sort=name" in at
        assert "lang=de" in at
        if seen > 60:
            break
    whole = str(found.css(".pager a")[-1].attributes["href"])
    assert "rows=all" in whole
    assert len(page(client, whole).css("table.answer tbody tr")) == count
    monkeypatch.setattr("archive.web.stats.page.ALL_ROWS", 50)
    assert T["st_part"].format(shown=50, count=count) in text(page(client, whole.split("&lang")[0]).css_first("main"))
    monkeypatch.setattr("archive.web.stats.page.MOST_ROWS", 40)
    assert T["st_cut"].format(count=40) in text(page(client, "/stats/players_by_contract").css_first("main"))
    assert T["st_cut"].format(count=40) not in text(page(client, "/stats/disputes_by_kind").css_first("main"))


# --- the list ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_stands_in_the_list_with_its_cases(
    client: FlaskClient, conn: sqlite3.Connection, language: str
) -> None:
    found = page(client, f"/stats?lang={language}")
    entries = {urlsplit(node.css_first("a").attributes["href"]).path: node for node in found.css(".asked li")}
    assert entries.keys() == {f"/stats/{name}" for name in QUESTIONS}
    played = sum(row["deals"] for row in answer_rows(answer_question(conn, "results_by_contract")))
    told = text(entries["/stats/results_by_contract"])
    assert told.endswith(TEXTS[language]["st_cases"].format(n=played, count=format_number(played, TEXTS[language])))
    people = {row["player"]: row["decided"] for row in answer_rows(answer_question(conn, "longest_runs"))}
    cases = question_pages.cases_text(sum(people.values()), TEXTS[language])
    assert text(entries["/stats/longest_runs"]).endswith(cases)
    assert len(found.css(".glance svg")) == len(question_pages.GLANCE_QUESTIONS)


def test_a_question_without_cases_says_so() -> None:
    assert [question_pages.cases_text(count, T) for count in (0, 1, 1200)] == ["no case yet", "1 case", "1,200 cases"]


# --- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(15)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_picture_is_drawn_with_its_axes(conn: sqlite3.Connection, name: str, language: str) -> None:
    question, words = QUESTIONS[name], value_words(conn, TEXTS[language])
    made = question_charts.charts_of_answer(answer_question(conn, name), words, 1).charts
    assert bool(made) is bool(question.chart)
    assert not made or made[0].spec == question.chart
    for each in made:
        assert each.rows
        assert all(len(line) == len(each.heads) for line in each.cells)
        drawn = draw_plot(each, "/plot.json", words.t)
        for svg in (drawn.wide, drawn.narrow):
            root = ElementTree.fromstring(svg)
            written = ["".join(node.itertext()) for node in root.iter("text")]
            assert root.findtext("title") == each.title
            assert root.findtext("desc")
            assert not re.search(r"undefined|NaN|null|\b[tv]:\w", " ".join(written))
            axes = [value for key, value in each.values.items() if key in ("x", "y")] or [
                TEXTS[language][f"st_{key}"] for key in AXES[each.spec]
            ]
            assert set(axes) <= set(written), written
            marks = sum(1 for node in root.iter() if node.tag in ("path", "line"))
            assert marks >= min(len(each.rows), 3)


AXES = {"points": ("x_points", "y_deals"), "grid": ("x_trumps", "y_lords"), "months": ("x_month", "y_deals"),
        "verdicts": ("y_deals",)}  # fmt: skip


def test_what_has_another_unit_is_drawn_apart() -> None:
    for name, shapes in CHART_SPECS.items():
        assert name in QUESTIONS
        for shape in shapes:
            if shape.value in SIGNED:
                assert "unit" in shape.apart, name
            assert "rules" in (*shape.apart, *shape.label) or "rules" not in QUESTIONS[name].narrow


def test_a_picture_has_one_place_for_each_row() -> None:
    rows = chart_data._with_unique_labels([{"label": "Anna"}, {"label": "Ben"}, {"label": "Anna"}, {"label": "Anna"}])
    assert len({row["label"] for row in rows}) == 4


def test_the_months_between_have_no_deals() -> None:
    row = {"rules": "bavarian", "deals": 3, "agrees": 3, "differs": 0, "undecidable": 0, "unplayable": 0}
    found = chart_data._every_month([row | {"month": each} for each in (None, "2025-11", "2026-02")])
    assert [(each["month"], each["deals"]) for each in found] == [
        ("2025-11", 3), ("2025-12", 0), ("2026-01", 0), ("2026-02", 3),
    ]  # fmt: skip


def test_deals_that_are_in_no_drawn_month_are_told(conn: sqlite3.Connection) -> None:
    answer = answer_question(conn, "deals_by_month", {"rules": "bavarian"})
    (found,) = question_charts.charts_of_answer(answer, value_words(conn, T)).charts
    shown = sum(row["deals"] for row in found.rows)
    every = sum(row["deals"] for row in answer_rows(answer))
    assert 0 < shown < every
    assert found.caption.endswith(T["st_months"].format(count=every - shown, months=chart_data.MONTHS))


def test_of_deals_without_a_day_there_is_no_picture_of_months(conn: sqlite3.Connection) -> None:
    (session,) = conn.execute("SELECT id FROM sessions WHERE date IS NULL").fetchone()
    answer = answer_question(conn, "deals_by_month", {"session": session})
    assert answer.rows
    assert question_charts.charts_of_answer(answer, value_words(conn, T)).charts == ()


def test_shares_stand_with_the_cases_that_they_are_of(conn: sqlite3.Connection) -> None:
    words = value_words(conn, T)
    for name in "results_by_contract touts doubled_deals players_declaring thrown_in disputes_by_source".split():
        for each in question_charts.charts_of_answer(answer_question(conn, name), words, 3).charts:
            if each.spec == "shares":
                for row in each.rows:
                    assert abs(round(row["share"] * row["n"]) - row["share"] * row["n"]) <= 0.0001 * row["n"]
                    z2 = 1.959963984540054**2
                    middle = (row["share"] + z2 / 2 / row["n"]) / (1 + z2 / row["n"])
                    assert middle == pytest.approx((row["low"] + row["high"]) / 2, abs=2e-4)


def test_a_picture_can_be_taken_away(client: FlaskClient) -> None:
    for at in ("/stats/runners_distribution/plot.json?lang=de", "/stats/balances/plot.json?picture=2"):
        answer = client.get(at)
        assert answer.content_type == "application/json"
        spec = json.loads(answer.text)
        assert spec["data"]["values"]
        assert not re.search(r'"[tv]:|var\(--', answer.text)
    assert "Anteil der Spiele" in client.get("/stats/runners_distribution/plot.json?lang=de").text
    assert client.get("/stats/balances/plot.json?picture=99").status_code == 404
    assert client.get("/stats/nothing/plot.json").status_code == 404


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_a_choice_narrows_the_question_and_stays(client: FlaskClient, conn: sqlite3.Connection) -> None:
    found = page(client, "/stats/runners_distribution?rules=bavarian&contract=solo&lang=de")
    expected = answer_question(conn, "runners_distribution", {"rules": "bavarian", "contract": "solo"})
    assert len(found.css("table.answer tbody tr")) == len(expected.rows)
    chosen = [each.attributes["value"] for each in found.css("form.narrow option[selected]")]
    assert chosen == ["bavarian", "solo"]
    kept = {each.attributes["name"]: each.attributes["value"] for each in found.css("form.narrow input")}
    assert kept == {"lang": "de", "since": "", "until": ""}
    offered = {each.attributes["value"] for each in found.css('form.narrow select[name="contract"] option')} - {""}
    assert offered == {
        row["contract"] for row in answer_rows(answer_question(conn, "runners_distribution", {"rules": "bavarian"}))
    }
    assert "Solo" in [text(each) for each in found.css("form.narrow option")]


@pytest.mark.parametrize("part", [{"player": 13}, {"session": 34}, {"event": "A Schieber round"}, {"since": "2026-03"}])
def test_a_question_is_asked_of_a_part(client: FlaskClient, conn: sqlite3.Connection, part: dict[str, Any]) -> None:
    ((key, value),) = part.items()
    found = page(client, f"/stats/balances?{httpx.QueryParams(part | {'rows': 'all'})}")
    assert len(found.css("table.answer tbody tr")) == len(answer_question(conn, "balances", part).rows)
    assert found.css_first(f'form.narrow input[name="{key}"]').attributes["value"] == str(value)
    for link in found.css('a[href^="/stats/"][href*="?"]'):
        assert f"{key}=" in str(link.attributes["href"])
    assert found.css_first(".crumbs a").attributes["href"] == "/stats"


@pytest.mark.parametrize(
    ("address", "says", "asked"),
    [
        ("since=1.2026&until=2026", "Only deals from January 2026 to 2026", {"since": "2026-01", "until": "2026"}),
        ("since=2025&until=2025&player=13", "Only deals of 2025", {"since": "2025", "until": "2025", "player": 13}),
        ("until=7.3.2026&lang=de", "Nur Spiele: bis 7. März 2026", {"until": "2026-03-07"}),
        (
            "since=2025-11-07&basis=cards",
            "Only deals from 7 November 2025 on",
            {"since": "2025-11-07", "basis": "cards"},
        ),
    ],
)
def test_a_question_is_asked_of_a_span_of_days(
    client: FlaskClient, conn: sqlite3.Connection, address: str, says: str, asked: dict[str, str | int]
) -> None:
    found = page(client, f"/stats/deals_by_month?{address}")
    assert says in text(found.css_first(".facts"))
    rows = answer_rows(answer_question(conn, "deals_by_month", asked))
    assert len(found.css("table.answer tbody tr")) == min(len(rows), 20) > 0
    inputs = {each.attributes["name"]: each.attributes["value"] for each in found.css("form.narrow input")}
    assert all(inputs.get(key, str(value)) == str(value) for key, value in asked.items())
    assert ":since" in text(found.css_first("pre.sql")) or ":until" in text(found.css_first("pre.sql"))
    for row in rows:
        if search := deals_search("deals_by_month", row, asked):
            assert fitting_deals(conn, parse_search(search.items(), DEALS), 1, 0, 0).count == row["deals"]


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/stats/nothing", 404, "nothing"),
        ("/stats/results_by_contract?colour=red", 400, "colour"),
        ("/stats/results_by_contract?player=1&session=2", 400, "one player, session or event"),
        ("/stats/results_by_contract?player=Anna", 400, "player must be a number"),
        ("/stats/results_by_contract?player=99999999999999999999", 400, "player must be a number"),
        ("/stats/results_by_contract?player=4711", 404, "4711"),
        ("/stats/results_by_contract?session=4711", 404, "4711"),
        ("/stats/results_by_contract?since=soon", 400, "soon"),
        ("/stats/results_by_contract?until=2026-02-30", 400, "2026-02-30"),
        ("/stats/results_by_contract?contract=nonsense", 404, "no nonsense here, only rufspiel"),
        ("/stats/results_by_contract?contract=misdeal", 200, T["st_nothing"]),
        ("/stats/results_by_contract?basis=nonsense", 400, "based on nonsense"),
        ("/stats/fairness?since=2026", 400, "since"),
        ("/stats/results_by_contract?rules='; DROP TABLE deals; --", 404, "DROP TABLE"),
        ("/stats/balances?event=never", 404, "no event never"),
        ("/stats/results_by_contract?rules=<script>alert(1)</script>", 404, "<script>"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(client: FlaskClient, address: str, status: int, says: str) -> None:
    found = page(client, address, status)
    assert says in text(found.css_first("main"))
    assert found.css_first("main script") is None


def test_a_merged_name_asks_for_the_player_that_is_shown(path: Path, tmp_path: Path) -> None:
    merged = tmp_path / "merged.db"
    merged.write_bytes(path.read_bytes())
    db = open_archive(merged)
    merge_players(db, ["Hias_07"], "Ludwig", "Dora", "the same")
    ((other, shown),) = db.conn.execute("SELECT id, alias_of FROM players WHERE name = 'Hias_07'")
    db.close()
    found = page(create_app(merged).test_client(), f"/stats/balances?player={other}")
    assert found.css_first('input[name="player"]').attributes["value"] == str(shown)


@pytest.mark.parametrize("there", [False, True])
def test_an_archive_without_deals_says_what_to_do(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "empty.db"
    if there:
        open_archive(path).close()
    client = create_app(path).test_client()
    for address in ("/stats", "/stats/results_by_contract", "/stats/balances?player=1"):
        assert T["st_empty"] in text(page(client, address).css_first("main"))
    assert len(page(client, "/stats").css(".asked li")) == len(QUESTIONS)
    assert client.get("/stats/balances/plot.json").status_code == 404


def test_what_takes_too_long_is_a_sentence_with_a_way_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise sqlite3.OperationalError("interrupted")

    monkeypatch.setattr("archive.web.stats.routes.answer_question", late)
    client = create_app(path).test_client()
    found = page(client, "/stats/balances?unit=ct&session=34", 503)
    assert "schafkopf stats balances --session 34 --db archive.db" in text(found.css_first("main"))
    assert T["st_late_narrow"] in text(found.css_first("main"))
    assert found.css_first('form.narrow input[name="since"]')
    assert len(page(client, "/stats").css(".asked li")) == len(QUESTIONS)
    for address in ("/", "/players/13", "/sessions/34"):
        assert page(client, address).css_first("h1")


# --- beside other pages -----------------------------------------------------------------------------------------------


def test_a_player_and_a_session_are_asked_about(client: FlaskClient) -> None:
    for address, key in (("/players/13", "player=13"), ("/sessions/34", "session=34")):
        found = page(client, address).css_first('section[aria-labelledby="questions"]')
        links = {str(each.attributes["href"]) for each in found.css("a")}
        assert links == {f"/stats/{name}?{key}" for name in QUESTIONS}
        assert len(found.css("svg")) == 3


def test_so_many_deals_are_not_counted_on_the_way(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.web.stats.glances.MOST_DEALS", 10)
    found = page(client, "/players/13").css_first('section[aria-labelledby="questions"]')
    assert not found.css("svg")
    assert T["st_too_many"] in text(found)


def test_the_start_shows_two_pictures_but_not_those_of_a_search(client: FlaskClient) -> None:
    assert len(page(client, "/").css(".glance svg")) == 2
    assert not page(client, "/?contract=solo").css(".glance svg")


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def app(path: Path) -> serve.App:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SETTINGS, "sql_time_limit_ms", 1000 * WAIT)  # on a busy machine a query may take seconds
        return serve.build_app(path)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_links_lead_to_the_same_rows(app: serve.App, conn: sqlite3.Connection, name: str) -> None:
    key, first = next(iter(QUESTIONS[name].narrow), None), answer_rows(answer_question(conn, name))[0]
    for given in ({}, {key: first[key]} if key else {}, {"session": 34}):
        answer = answer_question(conn, name, given)
        found = question_pages.data_links(answer)
        assert len(request(app, found["csv"]).text.strip().splitlines()) == len(answer.rows) + 1
        rows = request(app, found["json"]).json()["rows"]
        assert [tuple(row[column] for column in answer.columns) for row in rows] == answer.rows[: len(rows)]
        assert len(rows) == min(len(answer.rows), SETTINGS["max_returned_rows"])
        if found["query"]:
            assert request(app, found["query"].replace("?", ".json?_shape=objects&")).json()["rows"] == rows
        assert request(app, found["sql"]).status_code == 200


def test_without_sql_no_link_leads_to_it(path: Path) -> None:
    app = serve.build_app(path, sql=False)
    whole, part = (LexborHTMLParser(request(app, f"/stats/balances{of}").text) for of in ("", "?session=34"))
    for found in (whole, part):
        assert not found.css('a[href*="sql="]')
        assert "SELECT" in text(found.css_first("pre.sql"))
    assert whole.css_first('a[href^="/data/balances.csv"]')


# --- the order and the part of a table --------------------------------------------------------------------------------


def test_the_table_is_cut_to_what_is_shown(conn: sqlite3.Connection) -> None:
    answer = answer_question(conn, "players_by_contract")
    found = answer_table(answer, value_words(conn, T), TableView(start=3, most=5))
    assert (len(found["rows"]), found["count"]) == (5, len(answer.rows))
    assert found["rows"] == answer_table(answer, value_words(conn, T))["rows"][3:8]


@pytest.mark.parametrize("sort", ["won_rate", "-won_rate", "contract", "-contract", "deals", "rules"])
def test_a_table_is_sorted_without_a_script(client: FlaskClient, conn: sqlite3.Connection, sort: str) -> None:
    found = page(client, f"/stats/results_by_contract?sort={sort}&rows=all&lang=de")
    answer, words = answer_question(conn, "results_by_contract"), value_words(conn, TEXTS["de"])
    name, falling = sort.removeprefix("-"), sort.startswith("-")
    sorted_heads = [each for each in found.css("table.answer th") if "aria-sort" in each.attributes]
    assert [each.attributes["aria-sort"] for each in sorted_heads] == ["descending" if falling else "ascending"]
    assert text(sorted_heads[0]) == column_head(name, TEXTS["de"])
    at = [text(each) for each in found.css("table.answer th")].index(column_head(name, TEXTS["de"]))
    shown = [text(row.css("td")[at]) for row in found.css("table.answer tbody tr")]
    known = [row for row in answer_rows(answer) if row[name] is not None]
    key = (lambda row: sort_text(value_text(name, row, words))) if name in KEYS else (lambda row: row[name])
    expected = [value_text(name, row, words) for row in sorted(known, key=key, reverse=falling)]
    assert [re.split(r"\s{2,}| (?=\d+[–,])| wenige", each)[0].replace("\u202f", " ").split(" %")[0] for each in shown][
        : len(known)
    ] == [each.replace("\u202f", " ").split(" %")[0] for each in expected]


def test_heads_lead_to_their_order_and_back_and_keep_the_other_choices(client: FlaskClient) -> None:
    address = "/stats/results_by_contract?rules=bavarian&lang=de&cards=french"
    found = page(client, address)
    links = [dict(parse_qsl(urlsplit(str(each.attributes["href"])).query)) for each in found.css("table.answer th a")]
    kept = {"rules": "bavarian", "lang": "de", "cards": "french"}
    assert all(kept.items() <= link.items() for link in links)
    assert {link["sort"] for link in links} >= {"contract", "-won_rate", "-deals"}
    for sort, other in (("contract", "-contract"), ("-deals", "deals")):
        sorted_page = page(client, f"{address}&sort={sort}")
        (head,) = sorted_page.css("th[aria-sort] a")
        assert dict(parse_qsl(urlsplit(str(head.attributes["href"])).query))["sort"] == other
        assert sorted_page.css_first(f'form.narrow input[name="sort"][value="{sort}"]')
    refused = page(client, "/stats/results_by_contract?sort=colour", 400)
    assert "colour" in text(refused.css_first("main"))


def test_umlauts_are_sorted_beside_their_letters() -> None:
    assert sorted(["Zenz", "Ömer", "Otto", "anna"], key=sort_text) == ["anna", "Ömer", "Otto", "Zenz"]


def test_what_every_row_says_is_said_once(client: FlaskClient, conn: sqlite3.Connection) -> None:
    found = page(client, "/stats/results_by_contract?rules=bavarian&lang=de")
    heads = [text(each) for each in found.css("table.answer th")]
    assert column_head("rules", TEXTS["de"]) not in heads
    title = value_words(conn, TEXTS["de"]).titles["bavarian"]
    assert text(found.css_first(".same")).startswith(f"{column_head('rules', TEXTS['de'])}: {title}")
    assert title not in " ".join(text(each) for each in found.css(".plotted h2"))


def test_a_picture_is_drawn_once_for_all_choices_of_a_reader(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its links have the choices, and nothing else differs."""
    drawn: list[bytes] = []
    draw = vega._drawing
    monkeypatch.setattr(vega, "_drawing", lambda spec, language: drawn.append(spec) or draw(spec, language))
    plain, dark = (page(client, f"/stats/results_by_contract{choices}") for choices in ("", "?theme=dark"))
    half = len(drawn) // 2
    assert drawn[:half] == drawn[half:]
    links = [[each.attributes["href"] for each in found.css("svg a")] for found in (plain, dark)]
    assert links[0]
    assert links[1] == [f"{to}&theme=dark" for to in links[0]]
