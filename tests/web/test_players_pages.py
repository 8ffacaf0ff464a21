"""The pages of players: who is there and what came of their deals, added up here once more from the rows."""

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import expect
from support.hard_names import HARD_EVENING
from support.store_samples import store, store_deals
from support.web_archive import evening, make_archive
from support.web_site import PHONE, OpenPage, served

from archive import generate
from archive.stats import OF_PARTS, count_large_parts
from archive.stats.part_facts import is_large_part
from archive.stats.sql import BASES
from archive.store import merge_players, open_archive, split_player
from archive.store.transaction import writing
from archive.text.numbers import format_number
from archive.web.app import create_app
from archive.web.players import page as player_pages
from archive.web.players import queries as player_queries
from archive.web.rates import wilson
from archive.web.texts import TEXTS

T = TEXTS["en"]
HOUSES = (("bavarian", "ct", 30), ("pub", "P", 12), ("bauernstoss", None, 10), ("three-hand", None, 8))
FOUR = ("Anna", "Ben", "Cem", "Dora")


def fill(path: Path) -> Path:
    """Sessions of four houses with the same players: two units of money, marks, game points of three."""
    make_archive(path)
    db = open_archive(path)
    for n, (rules, unit, count) in enumerate(HOUSES):
        names = FOUR[: 3 if rules == "three-hand" else 4]
        head = generate.session(rules, event=f"Night {n}", date=f"2026-0{n + 1}-03", players=names, unit=unit)
        deals = list(generate.deals(Random(n), head, count))
        deals[3] = replace(deals[3], tricks=None)
        store_deals(db, head, deals, f"{rules}.toml")
    db.close()
    return path


@pytest.fixture(scope="module", name="path")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("players") / "archive.db")


def number(conn: sqlite3.Connection, name: str) -> int:
    return int(conn.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()[0])


def rows_of(conn: sqlite3.Connection, name: str) -> list[sqlite3.Row]:
    """Every seat of a player, with its deal: what is added up here once more, in Python."""
    sql = """SELECT s.*, d.contract, d.declarer, d.players AS playing, coalesce(e.unit, r.unit) AS unit,
            r.name AS rules, t.payments AS written, e.date
        FROM seats s JOIN deals d ON d.id = s.deal_id JOIN sessions e ON e.id = d.session_id
        LEFT JOIN stated t ON t.deal_id = d.id
        LEFT JOIN rulesets r ON r.id = d.ruleset_id JOIN players p ON p.id = s.player_id WHERE p.name = ?"""
    return conn.execute(sql, (name,)).fetchall()


def deals_played(conn: sqlite3.Connection, name: str, *months: str) -> int:
    """The deals of a player in some months, or in all: not those that were thrown in."""
    rows = [row for row in rows_of(conn, name) if row["contract"] not in ("none", "misdeal")]
    return sum(not months or row["date"][:7] in months for row in rows)


def page_of(conn: sqlite3.Connection, name: str) -> dict[str, Any]:
    key = number(conn, name)
    return player_pages.player_page(
        (key, name, ()),
        player_queries.constellation_rows(conn, key),
        player_queries.company_rows(conn, key),
        player_queries.newest_deals(conn, key, 10),
        player_queries.card_findings(conn, key, 10),
        T,
    )


def in_force(row: sqlite3.Row) -> int | None:
    """The amount in force of a seat: computed, else as written where the deal has four amounts."""
    computed: int | None = row["payment"] if row["payment"] is not None else row["marks"]
    if computed is not None or row["written"] is None:
        return computed
    written: list[int | None] = json.loads(row["written"])
    return written[row["seat"] - 1]


@pytest.mark.parametrize("name", FOUR)
def test_results_are_those_of_the_deals_unit_by_unit(conn: sqlite3.Connection, name: str) -> None:
    expected: dict[str, list[sqlite3.Row]] = {}
    for row in rows_of(conn, name):
        unit = "€" if row["unit"] == "ct" else row["unit"]
        expected.setdefault(T["marks"] if row["rules"] == "bauernstoss" else unit, []).append(row)
    found = {each["unit"]: each for each in page_of(conn, name)["results"]}
    assert found.keys() == expected.keys()
    for unit, rows in expected.items():
        total = sum(in_force(row) or 0 for row in rows)
        nothing = [
            row["contract"] in ("none", "misdeal") and not in_force(row) for row in rows
        ]  # thrown in, for nothing
        assert found[unit]["computed"] == sum(in_force(row) is not None for row in rows) - sum(nothing)
        amount, places = (total / 100, 2) if unit == "€" else (total, 0)
        assert found[unit]["balance"] == format_number(amount, T, places, sign=unit != T["marks"])
        results = [row["won"] for row in rows if row["won"] is not None]
        assert (found[unit]["won"].won, found[unit]["won"].of) == (sum(results), len(results))


@pytest.mark.parametrize("name", FOUR)
def test_the_view_of_datasette_says_the_same(conn: sqlite3.Connection, name: str) -> None:
    """But for units: there the session's unit stands for marks too."""
    told = {row["unit"]: row for row in conn.execute("SELECT * FROM player_results WHERE player = ?", (name,))}
    found = {each["unit"]: each for each in page_of(conn, name)["results"]}
    assert format_number(told["P"]["balance"], T, sign=True) == found["P"]["balance"]
    assert told["marks"]["balance"] == int(found[T["marks"]]["balance"])


@pytest.mark.parametrize("name", FOUR)
def test_roles_are_counted_as_they_were_played(conn: sqlite3.Connection, name: str) -> None:
    expected: Counter[str] = Counter()
    for row in rows_of(conn, name):
        if row["contract"] in ("none", "misdeal"):
            continue
        if row["declarer"] == row["seat"]:
            expected["pr_declarer"] += 1
        elif row["declaring"] is not None:
            expected["pr_pair" if row["declarer"] is None else ("pr_against", "pr_partner")[row["declaring"]]] += 1
        else:
            expected["pr_alone" if row["declarer"] is None else "pr_unknown"] += 1
    found = {row.label: row.deals for row in page_of(conn, name)["roles"]}
    assert found == {T[key]: count for key, count in expected.items()}


@pytest.mark.parametrize("name", FOUR)
def test_contracts_places_and_seats_add_up_to_the_roles(conn: sqlite3.Connection, name: str) -> None:
    page, rows = page_of(conn, name), rows_of(conn, name)
    played = sum(row.deals for row in page["roles"])
    assert sum(row.deals for row in page["contracts"]) == played
    assert sum(row.deals for row in page["seats"]) == played
    forehand = [row for row in rows if row["place"] == 1 and row["contract"] not in ("none", "misdeal")]
    told = next(row for row in page["places"] if row.label == T["forehand"])
    assert told.deals == len(forehand)
    declared = told.rates[1]
    assert declared.won == sum(row["declarer"] == row["seat"] for row in forehand)
    for row in page["contracts"]:
        assert row.rates[0] is None or (row.rates[0].low, row.rates[0].high) == wilson(
            row.rates[0].won, row.rates[0].of
        )


def test_partners_and_opponents_are_those_who_sat_there(conn: sqlite3.Connection) -> None:
    together: dict[str, list[int | None]] = {}
    against: dict[str, list[int | None]] = {}
    sql = "SELECT s.*, p.name FROM seats s JOIN players p ON p.id = s.player_id WHERE deal_id = ? AND seat <> ?"
    for row in rows_of(conn, "Anna"):
        for other in conn.execute(sql, (row["deal_id"], row["seat"])):
            if row["declaring"] is not None and other["declaring"] is not None:
                into = together if row["declaring"] == other["declaring"] else against
                into.setdefault(other["name"], []).append(row["won"])
    page = page_of(conn, "Anna")
    for rows, expected in ((page["partners"], together), (page["opponents"], against)):
        assert {row.label: row.deals for row in rows} == {name: len(results) for name, results in expected.items()}
        for row in rows:
            results = [won for won in expected[row.label] if won is not None]
            assert (row.rates[0].won, row.rates[0].of) == (sum(results), len(results))


def test_the_running_result_ends_at_the_balance_and_goes_by_days(conn: sqlite3.Connection) -> None:
    page, runs = (
        page_of(conn, "Anna"),
        player_pages.running_results(player_queries.running_rows(conn, number(conn, "Anna"), 300), T),
    )
    ends = {player_pages.unit_name(run.unit, T): run.rows[-1]["says"] for run in runs}
    for result in page["results"]:
        assert ends.get(result["unit"], result["balance"]) == result["balance"]
    for run in runs:
        days = [row["date"] for row in run.rows if row["date"]]
        assert days == sorted(days)
        at = [row["at"] for row in run.rows]
        assert at == sorted(at)
        assert {*at} == {*range(at[-1] + 1)}, "each deal that was played is there"


@pytest.mark.parametrize(
    ("unit", "said"), [("marks", "2 marks"), ("match points", "2 match points"), ("lives", "2 lives")]
)
def test_what_a_game_is_scored_in_has_the_name_that_its_rules_give_it(unit: str, said: str) -> None:
    line = player_pages.player_line({}, [{"unit": unit, "tallied": 1, "known": 3, "settled": 2}], T, in_words=True)
    assert line["balances"] == [said]


def test_a_long_run_is_thinned_out_with_its_end(conn: sqlite3.Connection) -> None:
    every = player_queries.running_rows(conn, number(conn, "Anna"), 300)
    few = player_queries.running_rows(conn, number(conn, "Anna"), 5)
    last = {(row["unit"], row["tallied"]): (row["at"], row["total"]) for row in every}
    assert {(row["unit"], row["tallied"]): (row["at"], row["total"]) for row in few} == last
    assert max(Counter((row["unit"], row["tallied"]) for row in few).values()) <= 6
    assert {tuple(row.items()) for row in few} <= {tuple(row.items()) for row in every}


def test_a_finding_stands_with_who_played_the_card(conn: sqlite3.Connection) -> None:
    judged = evening()[2]
    seat = next(step.seat for step in judged.replay.steps if (step.trick, step.place) == (2, 2))
    owner = judged.session.players[seat]
    told = {name: player_queries.card_findings(conn, number(conn, name), 10) for name in FOUR}
    assert [name for name in FOUR if any(row["deal"] == 3 for row in told[name][0])] == [owner]
    (offence,) = page_of(conn, owner)["offences"]
    assert (offence["deal"], offence["at"]) == (3, "t2.2")


def test_a_finding_of_another_version_stands_in_its_own_words() -> None:
    row = {"rule": "of-old", "severity": "error", "message": "it was so", "moment": "2.3", "deal": 7}
    row |= {"facts": None, "faces": "german"}
    for language in TEXTS:
        page = player_pages.player_page((1, "Anna", ()), [], [], [], ([row], 1), TEXTS[language])
        assert [(str(each["message"]), each["do"], each["at"]) for each in page["offences"]] == [
            ("It was so.", "", "t2.3")
        ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", TEXTS)
def test_every_player_has_a_page(client: FlaskClient, conn: sqlite3.Connection, language: str) -> None:
    for (key,) in conn.execute("SELECT id FROM players"):
        answer = client.get(f"/players/{key}?lang={language}")
        assert answer.status_code == 200
        assert TEXTS[language]["pr_results"] in answer.text


def test_a_small_sample_says_so_beside_its_rate(client: FlaskClient, conn: sqlite3.Connection) -> None:
    html = client.get(f"/players/{number(conn, 'Anna')}").text
    rates = re.findall(r'<td class="n rate( few)?"[^>]*>(.*?)</td>', html)
    assert rates
    for few, text in rates:
        if "%" in text:
            of = int(re.search(r"of (\d+)", text)[1])  # type: ignore[index]
            assert bool(few) is (of < 30)
            assert (T["pr_few"] in text) is bool(few)


@pytest.mark.parametrize("name", ["contracts", "result-1", "result-2"])
def test_the_data_of_every_plot_are_one_click_away(client: FlaskClient, conn: sqlite3.Connection, name: str) -> None:
    key = number(conn, "Anna")
    address = f"/players/{key}/plots/{name}.json"
    assert f'href="{address}"' in client.get(f"/players/{key}").text
    assert client.get(address).json["data"]["values"]
    assert "There is no page here." in client.get(f"/players/{key}/plots/nix.json").text


# --- merged, erased, hard names ---------------------------------------------------------------------------------------


def test_merged_names_are_one_player_and_a_split_takes_it_back(tmp_path: Path) -> None:
    path = fill(tmp_path / "a.db")
    head = generate.session("bavarian", players=("Anni", "Ben", "Cem", "Dora"), unit="ct")
    db = open_archive(path)
    store_deals(db, head, generate.deals(Random(9), head, 4), "anni.toml")
    client, anna, anni = create_app(path).test_client(), number(db.conn, "Anna"), number(db.conn, "Anni")
    before = client.get(f"/players/{anna}").text
    merge_players(db, ["Anni"], "Anna", "me", "one person")
    answer = client.get(f"/players/{anni}?lang=de")
    assert (answer.status_code, answer.location) == (302, f"/players/{anna}?lang=de")
    merged = client.get(f"/players/{anna}").text
    assert T["pr_also"].format(names="Anni") in merged
    count = [int(re.search(r"<b>(\d+)</b> Deals", html)[1]) for html in (before, merged)]  # type: ignore[index]
    assert count[1] == count[0] + 4
    assert "Anni" in client.get("/players?q=anni").text or f'/players/{anna}"' in client.get("/players?q=anni").text
    split_player(db, "Anni", "me", "two people")
    assert client.get(f"/players/{anna}").text == before
    assert client.get(f"/players/{anni}").status_code == 200
    db.close()


def test_hard_names_are_shown_as_they_are_written(tmp_path: Path) -> None:
    db = open_archive(path := tmp_path / "a.db")
    store(db, HARD_EVENING)
    db.close()
    client = create_app(path).test_client()
    assert "S#4 (2)" in unescape(client.get("/players").text)
    for key, name in sqlite3.connect(path).execute("SELECT id, name FROM players"):
        assert f"<h1>{name}</h1>" in unescape(client.get(f"/players/{key}").text)
    assert client.get("/sessions/1").status_code == 200


# --- the list ---------------------------------------------------------------------------------------------------------


def listed(html: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'<td class="main"><a href="/players/\d+">([^<]*)</a>', html)]


def test_the_list_has_everybody_once_the_busiest_first(client: FlaskClient, conn: sqlite3.Connection) -> None:
    sql = """SELECT p.name FROM players p LEFT JOIN seats s ON s.player_id = p.id GROUP BY p.id
        ORDER BY count(s.seat) DESC, 1"""
    assert listed(client.get("/players").text) == [row[0] for row in conn.execute(sql)]
    assert listed(client.get("/players?by=name").text) == sorted(row[0] for row in conn.execute(sql))


def test_a_search_finds_parts_of_names_in_any_case(client: FlaskClient) -> None:
    assert listed(client.get("/players?q=NN").text) == ["Anna"]
    for word in ("%", "_", "'", "' OR 1"):
        assert listed(client.get("/players", query_string={"q": word}).text) == []
    nothing = client.get("/players?q=<b>nobody").text
    assert "<b>nobody" not in nothing
    assert T["pr_everybody"] in nothing


def test_balances_of_different_units_stand_side_by_side(client: FlaskClient, conn: sqlite3.Connection) -> None:
    row = next(part for part in client.get("/players").text.split("<tr>") if ">Anna<" in part)
    amounts = [unescape(text) for text in re.findall(r'class="amount">([^<]*)<', row)]
    units = {re.sub(r"[+−\d., ]", "", text) for text in amounts}
    assert units >= {"€"}
    assert "ct" not in units
    assert len(amounts) == len(units) == len(page_of(conn, "Anna")["results"])


def test_every_player_has_a_balance_and_the_list_can_go_by_it(client: FlaskClient, conn: sqlite3.Connection) -> None:
    html = client.get("/players", query_string={"order": "balance"}).text
    assert 'href="/players?order=balance"' in client.get("/players").text
    unit = player_queries.main_unit(conn)
    rows, total = player_queries.find_players(conn, "", "-balance", 500, 0, unit)
    assert total == len(rows) > 3
    amounts = player_queries.balances(conn, rows)
    own = [
        next((each["settled"] for each in amounts[row["id"]] if each["unit"] == unit and not each["tallied"]), None)
        for row in rows
    ]
    known = [amount for amount in own if amount is not None]
    assert known == sorted(known, reverse=True)
    assert own[: len(known)] == known, "who has no amount in the unit stands last"
    listed = [int(number) for number in re.findall(r'class="main"><a href="/players/(\d+)', html)]
    assert listed == [row["id"] for row in rows][: len(listed)]


def test_the_heads_of_the_list_sort_it_both_ways(client: FlaskClient) -> None:
    for address, order in (("/players", "descending"), ("/players?sort=deals", "ascending"),
                           ("/players?by=name&lang=de", "ascending"), ("/players?sort=-name", "descending"),
                           ("/players?sort=balance", "ascending")):  # fmt: skip
        html = client.get(address).text
        ((found, to),) = re.findall(r'aria-sort="(\w+)"><a href="([^"]+)"', html)
        assert found == order
        other = client.get(unescape(to)).text
        assert ("lang=de" in to) == ("lang=de" in address)
        assert re.findall(r'aria-sort="(\w+)"', other) == [
            {"ascending": "descending", "descending": "ascending"}[order]
        ]
    names = listed(client.get("/players?by=name").text)
    assert listed(client.get("/players?sort=-name").text) == names[::-1]
    assert "aria-sort" not in client.get("/players?q=a").text, "what was typed stands in no link"


def test_a_player_without_deals_has_a_page_that_says_so(tmp_path: Path) -> None:
    db = open_archive(tmp_path / "a.db")
    with db.conn:
        db.execute("INSERT INTO players (name) VALUES ('Erased 1')")
    db.close()
    html = create_app(tmp_path / "a.db").test_client().get("/players/1").text
    assert T["pl_none"] in unescape(html)
    assert "Erased 1" in html


# --- a span of months -------------------------------------------------------------------------------------------------


def test_a_span_narrows_figures_plots_and_lists_to_its_months(conn: sqlite3.Connection) -> None:
    key, span = number(conn, "Anna"), player_queries.Span("2026-02", "2026-03")
    cells = player_queries.constellation_rows(conn, key, span)
    both = [each for month in ("2026-02", "2026-03") for each in player_queries.constellation_rows(
        conn, key, player_queries.Span(month, month))]  # fmt: skip
    for name in ("deals", "balance", "won"):
        assert sum(row[name] or 0 for row in cells) == sum(row[name] or 0 for row in both)
    assert sum(row["deals"] for row in cells) == deals_played(conn, "Anna", "2026-02", "2026-03")
    assert {row["tallied"] for row in player_queries.running_rows(conn, key, 200, span)} == {0, 1}
    days = conn.execute("SELECT d.id, e.date FROM deals d JOIN sessions e ON e.id = d.session_id")
    dates = {row["id"]: row["date"][:7] for row in days}
    newest = player_queries.newest_deals(conn, key, 100, span)
    assert {dates[row["deal"]] for row in newest} == {"2026-02", "2026-03"}
    found, count = player_queries.card_findings(conn, key, 100, span)
    assert count == len(found) <= player_queries.card_findings(conn, key, 1)[1]
    met, all_met = player_queries.company_rows(conn, key, span), player_queries.company_rows(conn, key)
    assert 0 < sum(row["deals"] for row in met) < sum(row["deals"] for row in all_met)


def test_a_span_is_a_form_that_says_it_and_its_deals(client: FlaskClient, conn: sqlite3.Connection) -> None:
    address = f"/players/{number(conn, 'Anna')}"
    total, first, second = (deals_played(conn, "Anna", *months) for months in ((), ("2026-01",), ("2026-02",)))
    whole, one = (
        client.get(f"{address}?lang=en").text,
        client.get(f"{address}?lang=en&since=2026-02&until=2026-02").text,
    )
    assert f"<b>{second} of {total} deals, February 2026</b>" in one
    assert f"of {total} deals" not in whole
    assert '<option value="2026-02">February 2026</option>' in whole
    assert one.count('<option value="2026-02" selected>') == 2
    assert f"{address}/plots/result-1.json?since=2026-02&amp;until=2026-02" in one
    german = client.get(f"{address}?lang=de&since=2.2026").text
    assert f"{total - first} von {total} Spielen, von Februar 2026 bis heute" in german
    assert T["pr_none_in_span"] in client.get(f"{address}?lang=en&since=2027").text
    assert client.get(f"{address}?since=soon").status_code == 400
    plot = f"{address}/plots/result-1.json?since=2026-02&until=2026-02"
    assert client.get(plot).json != client.get(plot.partition("?")[0]).json


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="address")
def served_archive(path: Path) -> Iterator[str]:
    with served(path) as address:
        yield address


@pytest.mark.browser
def test_plots_are_in_the_colours_of_the_theme(address: str, open_page: OpenPage) -> None:
    seen = []
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme, viewport={"width": 1280, "height": 900})
        page.goto(f"{address}/sessions/2")
        seen.append(
            page.evaluate("[...document.querySelectorAll('.on-wide text')].map(text => getComputedStyle(text).fill)[0]")
        )
    assert seen[0] != seen[1]
    assert "rgb(0, 0, 0)" not in seen


@pytest.mark.browser
def test_paper_has_the_wide_plot_and_the_table_of_the_sheet(address: str, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 700, "height": 900})
    page.goto(f"{address}/sessions/2")
    page.emulate_media(media="print")
    expect(page.locator(".on-wide .plot").first).to_be_visible()
    expect(page.locator(".on-narrow .plot").first).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('.ledger tbody tr')).display") == "table-row"


@pytest.mark.browser
def test_a_span_is_set_by_thumb_and_without_a_script(
    address: str, open_page: OpenPage, conn: sqlite3.Connection
) -> None:
    total = deals_played(conn, "Anna")
    first, two = deals_played(conn, "Anna", "2026-01"), deals_played(conn, "Anna", "2026-01", "2026-02")
    page = open_page(viewport=PHONE, has_touch=True, locale="en")
    page.goto(f"{address}/players/1")
    page.locator(".span > summary").tap()
    since, until = page.get_by_role("slider").all()
    box = since.bounding_box()
    assert box["height"] >= 44
    since.fill("3")
    expect(since).to_have_attribute("aria-valuetext", "March 2026")
    until.fill("0")  # before it begins: the other end goes along
    for month in page.locator(".months select").all():
        expect(month).to_have_value("2026-01")
    page.get_by_role("button", name=T["pr_narrow"]).tap()
    page.wait_for_url("**/players/1?since=2026-01&until=2026-01")
    expect(page.get_by_text(f"{first} of {total} deals, January 2026")).to_be_visible()
    page = open_page(java_script_enabled=False, locale="en")
    page.goto(f"{address}/players/1")
    page.locator(".span > summary").click()
    page.locator("select[name=until]").select_option("2026-02")
    page.get_by_role("button", name=T["pr_narrow"]).click()
    expect(page.get_by_text(f"{two} of {total} deals, from the beginning to February 2026")).to_be_visible()


# --- a player whose facts are kept ------------------------------------------------------------------------------------


def test_the_page_of_a_player_whose_facts_are_kept_says_what_a_count_says(path: Path, tmp_path: Path) -> None:
    """Also where deals came in since; the running result stands at the ends of sessions."""
    large = tmp_path / "large.db"
    shutil.copy(path, large)
    db = open_archive(large)
    with writing(db.conn):
        count_large_parts(db.conn, OF_PARTS, least=20)
    head = generate.session("pub", date="2027-01-03", players=FOUR)
    store_deals(db, head, generate.deals(Random(9), head, 6), "new")
    for player in range(1, 4):
        assert is_large_part(db.conn, {"player": player})
        both = []
        for kept in (True, False):
            with pytest.MonkeyPatch.context() as patched:
                if not kept:
                    patched.setattr(player_queries, "is_large_part", lambda conn, asked: False)
                both.append(player_answers(db.conn, player))
        (runs, *others), (deals, *counted) = both
        assert others == counted
        assert {run[:3] for run in runs} <= {run[:3] for run in deals}
        assert {run for run in runs if run[4]} == {run for run in deals if run[4]}
    db.close()


def player_answers(conn: sqlite3.Connection, player: int) -> list[Any]:
    """The running results as unit, count, total, deal and whether it is the last; then all else, in an order of its
    own."""
    runs = player_queries.running_rows(conn, player, 10_000)
    last = {(row["unit"], row["tallied"]): row["at"] for row in runs}
    cells: Counter[Any] = Counter()
    for row in player_queries.constellation_rows(conn, player):
        key = tuple(row[name] for name in ("unit", "tallied", "contract", "role", "seat", "place", "won"))
        cells.update({(key, name): row[name] for name in ("deals", "computed", "balance", *BASES)})
    return [
        {(*(row[name] for name in ("unit", "at", "total", "deal")), row["at"] == last[row["unit"], row["tallied"]])
         for row in runs},
        cells,
        player_queries.month_rows(conn, player),
        player_queries.company_rows(conn, player),
        player_queries.card_findings(conn, player, 5),
        player_queries.extreme_deals(conn, player),
    ]  # fmt: skip
