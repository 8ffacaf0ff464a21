"""The search and the findings: what fits, what is told of an address, how a list is stepped through."""

import re
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page
from support.store_samples import store
from support.thorough import examples
from support.web_archive import make_archive, with_a_blind
from support.web_site import PHONE, SAMPLES, OpenPage

from archive.record import Finding, Source, finding, kind_of
from archive.record.days import parse_day
from archive.store import Database, FileMeta, merge_players, open_archive, save_file, withdraw_source
from archive.text import deal_row as deal_rows
from archive.text.dates import format_day
from archive.web.app import create_app
from archive.web.home import routes as home_routes
from archive.web.search import filters as search_filters
from archive.web.search import queries as search_queries
from archive.web.search.queries import DEALS, FINDINGS
from archive.web.texts import TEXTS

OTHER = """\
format = "schafkopf-record/1"
event = "Übungsabend"
date = 2027-01-05
place = "Kaiserslautern"
rules = "bauernstoss"
players = ["Anna", "Annabell", "Ärmel", "Benno"]
note = "Die Liste lag im Regen."

[[deal]]
game = "Anna small-solo H 6"
note = "Ärmel: die SIEBEN war verdruckt."

[[deal]]
game = "Ärmel big-solo H 5"
stated.result = "Schneider, leider"
correction = [{ by = "Anna", when = "2027-01-06", why = "verschrieben", set = { game = "Ärmel big-solo H 6" } }]
ruling = [{ by = "Anna", when = "2027-01-07", why = "geeinigt", payments = [1, 1, -3, 1], cite = "Hausordnung" }]
"""
BROKEN = (finding("not-utf8", Source("torn.toml", 4), byte=193), finding("no-deals", Source("torn.toml")))


def filled(path: Path) -> Path:
    """Deals 1 to 7 of the evening, 8 with a blind, 9 and 10 of another evening, and a file that gave none. Benno is
    another name of Ben."""
    make_archive(path)
    with_a_blind(path)
    db = open_archive(path)
    store(db, OTHER, "other.toml")
    save_file(db, FileMeta("torn.toml", "record"), b"torn", (), BROKEN)
    merge_players(db, ["Benno"], "Ben", "Anna", "one person")
    db.conn.close()
    return path


@pytest.fixture(scope="module", name="path")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("search") / "archive.db")


def in_list(text: str) -> list[int]:
    return [int(deal) for deal in re.findall(r'<td><a href="/deals/(\d+)[?"]', text)]


UNDATED = 8  # the deal whose evening has no day
LOOK = (10, 9, 7, 6, 3, 1)  # deals that do not agree, the newest first


def ids(conn: sqlite3.Connection, **given: str) -> list[int]:
    """The deals that fit; the address of the search asks for the same again."""
    found = search_filters.parse_search(given.items(), DEALS)
    again = search_filters.parse_search(parse_qsl(search_filters.search_query(found)), DEALS)
    assert (found.notes, again) == ((), found)
    return list(search_queries.fitting_deals(conn, found, 1000).deals)


SPECIAL = """\
format = "schafkopf-record/1"
rules = "pub"
players = ["Anna", "Ben", "Cem", "Dora"]

[house]
hochzeit = { when = "before" }
all_pass = "muss"
[house.muss]
contract = "rufspiel"
card = "EO"
stoss = false
levels = { win = 60, schneider = 90, schneider_against = 91, tie = "lost" }

[[deal]]
cut = "Dora knocks, 2x4"
round = ["bock", "kreuz"]
game = "kreuz"

[[deal]]
round = ["bock"]
auction = ["Ben offer", "Cem no", "Dora accept"]
game = "Ben hochzeit"
with = "Dora"

[[deal]]
round = []
auction = ["Anna offer", "Ben no", "Cem no", "Dora no"]
game = "none"

[[deal]]
game = "Anna rufspiel E muss"
"""


FITTING = {
    ("round", "any"): [2, 1],
    ("round", "kreuz"): [1],
    ("round", "bock"): [2, 1],
    ("round", "none"): [4, 3],
    ("hochzeit", "played"): [2],
    ("hochzeit", "offered"): [3],
    ("muss", "yes"): [4],
    ("muss", "no"): [3, 2, 1],
    ("cut", "KNOCKS dora"): [1],
    ("score", "tallies"): [],
    ("score", "amounts"): [4, 3, 2, 1],
}


def test_deals_are_filtered_by_round_hochzeit_muss_cut_and_score(tmp_path: Path) -> None:
    with closing(open_archive(tmp_path / "special.db").conn) as conn:
        store(Database(conn, execute_plugins=False), SPECIAL)
        assert {given: ids(conn, **dict([given])) for given in FITTING} == FITTING


def player(conn: sqlite3.Connection, name: str) -> str:
    return str(conn.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()[0])


# --- what fits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "deals"),
    [
        ({}, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        ({"contract": "rufspiel"}, [7, 6, 1]),
        ({"suit": "E"}, [8, 6, 3]),
        ({"contract": "none"}, [5]),
        ({"result": "lost"}, [10, 2]),  # 10 by its ruling
        ({"verdict": "unplayable"}, [10, 9, 3]),
        ({"runners": "3"}, [1]),
        ({"doubled": "kontra"}, [8, 1]),
        ({"doubled": "knock"}, [1]),
        ({"rules": "pub"}, [7, 6, 5, 4, 3, 2, 1]),
        ({"event": "KAISERSLAUTERN übung"}, [10, 9]),
        ({"event": "offenbach"}, [7, 6, 5, 4, 3, 2, 1]),
        ({"event": "offenbach übung"}, []),
        ({"since": "2027"}, [10, 9]),
        ({"until": "2026-11"}, [7, 6, 5, 4, 3, 2, 1]),
        ({"since": "2026-11-15", "until": "2027-01-04"}, []),
        ({"note": "sieben"}, [9]),
        ({"note": "misdealt nobody"}, [5]),
        ({"note": "regen"}, [10, 9]),
        ({"note": "leider"}, [10]),
        ({"note": "verschrieben"}, [10]),
        ({"note": "hausordnung"}, [10]),
        ({"session": "1", "contract": "wenz"}, [2]),
        ({"bid": "5"}, [10, 9]),
        ({"bid": "7"}, []),
        ({"score": "marks"}, [10, 9]),
        ({"result": "won"}, [8, 6, 1]),
        ({"result": "undecided"}, [9, 7, 3]),
        ({"level": "neither"}, [8, 2, 1]),
        ({"level": "schneider"}, []),
        ({"runners": "-1"}, [8]),
        ({"verdict": "look"}, [*LOOK]),
        ({"basis": "cards"}, [8, 4, 2, 1]),
        ({"basis": "amounts"}, [6]),
        ({"unit": "marks"}, [10, 9]),
        ({"rules": "pub", "verdict": "look", "contract": "rufspiel", "doubled": "kontra", "until": "2026"}, [1]),
        ({"basis": "cards", "result": "lost", "suit": "E", "unit": "ct"}, []),
    ],
)
def test_a_filter_gives_the_deals_that_fit(conn: sqlite3.Connection, given: dict[str, str], deals: list[int]) -> None:
    deals = sorted(deals, key=lambda deal: (deal == UNDATED, -deal))
    assert ids(conn, **given) == deals
    part = search_queries.fitting_deals(conn, search_filters.parse_search(given.items(), DEALS), 3, 1, 2)
    looks = [deal for deal in LOOK if deal in deals]
    assert (part.count, [*part.deals], [*part.looks]) == (len(deals), deals[1:4], looks[:2])


@pytest.mark.parametrize(
    ("name", "given", "deals"),
    [
        ("Dora", {}, [7, 6, 5, 4, 3, 2, 1]),
        ("Dora", {"role": "declarer"}, [6]),
        ("Dora", {"role": "partner"}, [1]),
        ("Anna", {"role": "declarer", "result": "won"}, [8]),
        ("Ben", {"role": "table", "contract": "small-solo"}, [9]),
        ("Benno", {"contract": "small-solo"}, [9]),
        ("Dora", {"contract": "ramsch", "result": "lost"}, [4]),
        ("Anna", {"contract": "ramsch", "result": "won"}, [4]),
        ("Anna", {"contract": "wenz", "result": "won"}, [2]),
    ],
)
def test_a_player_is_searched_for_in_a_role_and_the_result_is_the_players(
    conn: sqlite3.Connection, name: str, given: dict[str, str], deals: list[int]
) -> None:
    assert ids(conn, player=player(conn, name), **given) == deals


@pytest.mark.parametrize(
    ("given", "index"),
    [
        ("player=1", "seats_player"),
        ("player=1&role=declarer", "seats_player"),
        ("contract=wenz", "deals_contract"),
        ("rules=pub", "deals_ruleset"),
        ("event=offenbach", "deals_session"),
        ("since=2026-11", "deals_session"),
        ("session=1", "deals_session"),
        ("verdict=look", "deals_doubtful"),
    ],
)
def test_a_search_reads_no_more_than_an_index_leads_to(conn: sqlite3.Connection, given: str, index: str) -> None:
    conn.create_function("holds", -1, search_filters.holds_words, deterministic=True)
    found = search_queries.look_up_lists(conn, search_filters.parse_search(parse_qsl(given), DEALS))
    sql = f"EXPLAIN QUERY PLAN SELECT d.id FROM deals d WHERE {search_queries.search_condition(found)}"
    plan = " ".join(row[3] for row in conn.execute(sql, search_queries.search_values(found)))
    assert index in plan
    assert "SCAN d " not in plan.replace(f"SCAN d USING COVERING INDEX {index}", "")


def test_what_is_looked_up_in_notes_and_places_is_looked_up_once(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def holds(words: str, *texts: str) -> bool:
        asked.append(texts)
        return search_filters.holds_words(words, *texts)

    monkeypatch.setattr(search_queries, "holds_words", holds)
    search = search_filters.parse_search(parse_qsl("note=e&event=e"), DEALS)
    few = search_queries.fitting_deals(conn, search, 10)
    once = len(asked)
    monkeypatch.setattr(search_queries, "MOST", 0)  # so that all three queries of a page are asked
    many = search_queries.fitting_deals(conn, search, 10)
    assert many.more
    assert many.deals == few.deals != ()
    assert len(asked) == 2 * once > 0


# --- what is told of an address ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("since=abc", "since=abc is ignored: write a date"),
        ("since=2026-13", "since=2026-13 is ignored: write a date"),
        ("until=2026-02-30", "until=2026-02-30 is ignored"),
        ("until=٢٠٢٦", "is ignored: write a date"),
        ("verdict=maybe", "verdict=maybe is ignored: it can be look, agrees, differs"),
        ("result=", "result is empty and ignored"),
        ("note=%20", "note is empty and ignored"),
        ("player=Anna", "player=Anna is ignored: it must be a number"),
        ("player=0", "player=0 is ignored"),
        ("player=" + "9" * 30, "is ignored: it must be a number"),
        ("player=99", "The archive has no player 99"),
        ("session=99", "The archive has no session 99"),
        ("role=declarer", "role=declarer is ignored: it needs a player"),
        ("runners=0", "runners=0 is ignored: 3 means with three or more"),
        ("runners=three", "runners=three is ignored"),
        ("contrakt=wenz", "contrakt=wenz is ignored: there is no such filter"),
        ("suit=E&suit=G", "suit=G is ignored: suit is in the address twice"),
        ("event=" + "x" * 201, "it is longer than 200 characters"),
        ("note=a%00b", "note=a\0b is ignored"),
        ("start=x", "start=x is not a number"),
        ("start=-3", "start=-3 is not a number"),
    ],
)
def test_what_is_not_searched_for_is_told_and_the_rest_is(client: FlaskClient, query: str, told: str) -> None:
    answer = client.get(f"/?{query}&contract=rufspiel")
    assert answer.status_code == 200
    assert told in unescape(answer.text)
    assert in_list(answer.text) == (
        [] if "99" in query and len(query) < 12 else [7, 6, 1] if "suit=E" not in query else [6]
    )
    german = client.get(f"/?{query}&lang=de").text
    assert len(re.findall(r'class="note undecidable" role="status"', german)) == 1


@given(st.lists(st.tuples(st.sampled_from([*DEALS, "x"]), st.text(max_size=30)), max_size=6))
@settings(max_examples=examples(12, 70))
def test_whatever_an_address_says_is_searched_for_or_told(client: FlaskClient, pairs: list[tuple[str, str]]) -> None:
    pairs = [(key, text.encode("utf-8", "replace").decode()) for key, text in pairs]
    found = search_filters.parse_search(pairs, DEALS)
    assert len(found.given) + len(found.notes) == len(pairs)
    assert client.get(f"/?{urlencode(pairs)}").status_code == 200
    assert client.get(f"/deals/1?{urlencode({'list': urlencode(pairs)})}").status_code == 200


def test_each_filter_in_force_can_be_removed_and_the_player_with_the_role(client: FlaskClient) -> None:
    given = {"player": "1", "role": "declarer", "contract": "rufspiel", "since": "2026"}
    text = client.get(f"/?{urlencode(given)}").text
    chips = re.findall(r'<a class="filter" href="/\?([^"]*)"><span>([^<]*) <b>([^<]*)</b>', text)
    left = {title: dict(parse_qsl(unescape(query))) for query, title, _ in chips}
    assert {title: value for _, title, value in chips} == {
        "Player:": "Anna (declarer)",
        "Contract:": "Rufspiel",
        "From:": "2026",
    }
    assert left == {
        "Player:": {"contract": "rufspiel", "since": "2026"},
        "Contract:": {key: given[key] for key in ("player", "role", "since")},
        "From:": {key: given[key] for key in ("player", "role", "contract")},
    }


def test_a_page_beyond_the_end_says_where_the_list_ends(client: FlaskClient) -> None:
    text = client.get("/?contract=rufspiel&start=30").text
    assert "The list ends before row 31; it has 3." in text
    assert 'href="/?contract=rufspiel"' in text


# --- which player -----------------------------------------------------------------------------------------------------


def test_the_form_leads_to_an_address_without_names_and_empty_filters(
    client: FlaskClient, conn: sqlite3.Connection
) -> None:
    answer = client.get("/search?lang=de&name=dora&role=partner&contract=&since=2026&note=+")
    dora = player(conn, "Dora")
    assert answer.status_code == 302
    found = parse_qsl(answer.location.removeprefix("/?"))
    assert dict(found) == {"player": dora, "role": "partner", "since": "2026", "lang": "de"}
    assert dict(parse_qsl(client.get("/search?name=&role=table&suit=G").location.removeprefix("/?"))) == {"suit": "G"}


def test_a_name_is_whose_it_is_before_it_is_a_part_of_others(client: FlaskClient, conn: sqlite3.Connection) -> None:
    assert client.get("/search?name=Anna").location == f"/?player={player(conn, 'Anna')}"
    assert client.get("/search?name=ÄRMEL").location == f"/?player={player(conn, 'Ärmel')}"
    assert client.get("/search?name=Benno").location == f"/?player={player(conn, 'Ben')}"
    assert client.get("/search?name=bell").location == f"/?player={player(conn, 'Annabell')}"
    assert f"/players/{player(conn, 'Ärmel')}" in client.get("/players?q=ärmel").text
    (evening,) = conn.execute("SELECT id FROM sessions WHERE event = 'Übungsabend'").fetchone()
    for words in ("übung", "Kaiserslautern Übungsabend"):
        listed = client.get(client.get("/search", query_string={"q": words}).location).text
        assert f'href="/sessions/{evening}"' in listed, words


def test_of_several_names_one_is_chosen_from_a_list(client: FlaskClient, conn: sqlite3.Connection) -> None:
    answer = client.get("/search?name=ann&contract=wenz&since=")
    found = re.findall(r'<li><a href="([^"]+)">([^<]+)</a>\s+<span class="soft">([^<]+)<', unescape(answer.text))
    assert found == [
        (f"/?contract=wenz&player={player(conn, 'Anna')}", "Anna", "9 deals"),
        (f"/?contract=wenz&player={player(conn, 'Annabell')}", "Annabell", "2 deals"),
    ]


@pytest.mark.parametrize("language", TEXTS)
def test_a_name_that_nobody_has_is_told(client: FlaskClient, language: str) -> None:
    answer = client.get(f"/search?name=%3Cb%3EZenzi&contract=wenz&lang={language}")
    assert answer.status_code == 200
    assert "&lt;b&gt;Zenzi" in answer.text
    assert "/?contract=wenz" in answer.text


def test_names_are_offered_only_where_they_are_few(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app(path).test_client()
    offered = re.findall(r'<option value="([^"]+)"></option>', client.get("/").text)
    assert {"Anna", "Ben", "Ärmel"} < set(offered)
    assert "Benno" not in offered
    monkeypatch.setattr(home_routes, "NAMES", len(offered) - 1)
    assert "<datalist" not in client.get("/").text


# --- the list ---------------------------------------------------------------------------------------------------------


def steps(client: FlaskClient, address: str) -> dict[str, str]:
    """Where a deal leads to, before and after it, and back to the list."""
    text = unescape(client.get(address).text)
    found = dict(re.findall(r'rel="(prev|next)" href="([^"]+)"', text))
    return found | {"back": "".join(re.findall(r'<a class="soft" href="([^"]+)">\d+ of \d+<', text))}


def test_a_list_is_stepped_through_in_its_order_and_back(client: FlaskClient) -> None:
    text = client.get("/?verdict=look&rules=pub").text
    order = in_list(text)
    assert len(order) > 3
    address = unescape(re.findall(r'<td><a href="([^"]+)"', text)[0])
    seen = []
    while address:
        seen.append(address)
        page = client.get(address).text
        assert f"{len(seen)} of {len(order)}</a>" in page
        address = steps(client, address).get("next", "")
    assert [int(re.findall(r"/deals/(\d+)", each)[0]) for each in seen] == order
    assert [steps(client, each).get("prev") for each in seen] == [None, *seen[:-1]]
    assert steps(client, seen[0])["back"] == "/?verdict=look&rules=pub"


def test_a_list_leads_back_to_the_page_of_the_deal(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.web.deal.queries.DEALS_A_PAGE", 2)
    found = urlencode({"list": "rules=pub"})
    assert [steps(client, f"/deals/{deal}?{found}")["back"] for deal in (7, 6, 5, 1)] == [
        "/?rules=pub",
        "/?rules=pub",
        "/?start=2&rules=pub",
        "/?start=6&rules=pub",
    ]


@pytest.mark.parametrize(
    "found",
    ["", "contract=ramsch", "%zz", "since=abc", "contract=rufspiel&x=1", "rufspiel", "a=1&" * 40, "role=declarer"],
)
def test_a_list_that_is_none_or_lacks_the_deal_leaves_the_session(client: FlaskClient, found: str) -> None:
    leads = steps(client, f"/deals/2?{urlencode({'list': found})}")
    assert leads == {"prev": "/deals/1", "next": "/deals/3", "back": ""}


def test_the_list_goes_along_with_what_the_reader_chose(client: FlaskClient) -> None:
    leads = steps(client, "/deals/6?list=contract%3Drufspiel&lang=en")
    assert dict(parse_qsl(leads["next"].partition("?")[2])) == {"list": "contract=rufspiel", "lang": "en"}


def test_games_of_a_list_have_the_title_of_their_ruleset(client: FlaskClient) -> None:
    text = client.get("/?rules=bauernstoss").text
    assert "Small Solo Hearts with 6 trumps" in text
    assert "Kleines Solo Herz mit 6 Trümpfen" in client.get("/?rules=bauernstoss&lang=de").text
    assert deal_rows.title_of_contract_id("small-solo", "a ruleset of one's own") == "Small Solo"
    assert deal_rows.title_of_contract_id("of-nobody", "pub") == "Of nobody"
    for words in ("Anna kleines Solo", "small solo Anna", "Anna small-solo"):
        address = client.get("/search", query_string={"q": words}).headers["Location"]
        assert address.endswith("&role=declarer&contract=small-solo"), words
    for words in ("Anna weicht ab", "differs Anna"):
        assert client.get("/search", query_string={"q": words}).headers["Location"].endswith("&verdict=differs"), words
    assert "Rufspiel Pik" in client.get("/?contract=rufspiel&cards=french&lang=de").text


# --- what needs a look ------------------------------------------------------------------------------------------------


def looks(text: str) -> list[tuple[str, str]]:
    """Address and sentence of each deal that needs a look."""
    part = text.partition('<section class="looks">')[2]
    return re.findall(r'<li>\s*<h3><a href="([^"]+)">.*?</h3>\s*<p>(.*?)</p>', unescape(part), re.DOTALL)


def test_what_needs_a_look_is_told_newest_first_with_the_moment(client: FlaskClient) -> None:
    found = looks(client.get("/?rules=pub").text)
    assert [re.findall(r"\d+", address)[0] for address, _ in found] == ["7", "6", "3", "1"]
    told = dict(found)
    assert "must follow trump" in told["/deals/3?list=rules%3Dpub#t2.2"]
    assert (
        "muss aber Trumpf zugeben"
        in dict(looks(client.get("/?rules=pub&lang=de").text))["/deals/3?list=rules%3Dpub&lang=de#t2.2"]
    )


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Would decide it: the tricks"), ("de", "entscheiden: die Stiche")]
)
def test_what_would_decide_an_undecidable_deal_is_told(client: FlaskClient, language: str, told: str) -> None:
    assert told in client.get(f"/?verdict=undecidable&contract=rufspiel&lang={language}").text


def test_a_share_is_a_hundred_only_where_all_agree() -> None:
    def share(agrees: int, count: int, language: str = "en") -> str:
        return home_routes.share_that_agrees(
            search_queries.FittingDeals(count, {"agrees": agrees}, 1, (), ()), TEXTS[language]
        )

    assert [share(1999, 2000), share(2000, 2000), share(0, 0)] == ["99.9 %", "100.0 %", "0.0 %"]
    assert share(2, 3, "de") == "66,6 %"


def test_the_numbers_are_of_the_search(client: FlaskClient) -> None:
    text = client.get("/?session=1&verdict=agrees").text
    assert re.findall(r"<dd>([^<]+)</dd>", text) == ["3", "1", "100.0 %", "0"]
    assert "Every deal matches its score sheet." in text


# --- findings ---------------------------------------------------------------------------------------------------------


def lines(text: str) -> list[str]:
    return re.findall(r"<li class=\"(?:error|warning|hint)\">(.*?)</li>", unescape(text), re.DOTALL)


def test_findings_are_counted_by_rule_with_what_they_mean(client: FlaskClient, conn: sqlite3.Connection) -> None:
    text = unescape(client.get("/findings").text)
    for rule, count in conn.execute("SELECT rule, count(*) FROM findings GROUP BY rule"):
        assert f'<b>{count}</b> <span title="{rule}">{kind_of(rule)}</span>' in text
    assert ">Suit not followed<" in text
    assert "Save the file as UTF-8." in text
    german = unescape(client.get("/findings?lang=de").text)
    assert "Die Datei als UTF-8 speichern." in german
    assert "Byte 193 der Datei ist kein UTF-8-Text" in german


def test_a_finding_leads_to_its_moment_and_a_file_without_a_deal_comes_first(client: FlaskClient) -> None:
    found = lines(client.get("/findings").text)
    assert "torn.toml" in found[0]
    assert any("Byte 193 of the file is not UTF-8 text" in each and "torn.toml:4" in each for each in found[:2])
    (broken,) = (each for each in found if "must-follow" in each)
    assert 'href="/deals/3#t2.2"' in broken
    assert "must follow trump" in broken


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("rule=must-follow", "rule = 'must-follow'"),
        ("severity=error", "severity = 'error'"),
        ("severity=warning&of=files", "severity = 'warning' AND deal_id IS NULL"),
        ("of=deals", "deal_id IS NOT NULL"),
        ("session=1&severity=error", "severity = 'error' AND deal_id BETWEEN 1 AND 7"),
        ("player=1&rule=must-follow", "rule = 'must-follow'"),
        ("player=9", "deal_id IN (SELECT deal_id FROM seats WHERE player_id = 9)"),
        ("rule=no-such-rule", "0"),
    ],
)
def test_findings_are_filtered(client: FlaskClient, conn: sqlite3.Connection, query: str, where: str) -> None:
    (count,) = conn.execute(f"SELECT count(*) FROM findings WHERE {where}").fetchone()
    text = client.get(f"/findings?{query}").text
    assert len(lines(text)) == count
    assert ("No issue fits" in text) == (count == 0)


@pytest.mark.parametrize("query", ["severity=bad", "rule=", "player=x", "nothing=1", "start=x"])
def test_what_is_not_searched_for_among_findings_is_told(client: FlaskClient, query: str) -> None:
    text = client.get(f"/findings?{query}").text
    assert len(re.findall(r'class="note undecidable" role="status"', text)) == 1
    assert lines(text)


def test_the_form_of_findings_leads_back_to_them(client: FlaskClient, conn: sqlite3.Connection) -> None:
    answer = client.get("/search?of-findings=1&name=Dora&severity=error&of=&rule=must-follow")
    found = parse_qsl(answer.location.removeprefix("/findings?"))
    assert found == [("severity", "error"), ("rule", "must-follow"), ("player", player(conn, "Dora"))]


def test_of_a_file_that_was_taken_back_nothing_is_found(tmp_path: Path) -> None:
    path = filled(tmp_path / "archive.db")
    db = open_archive(path)
    (torn,) = db.execute("SELECT id FROM sources WHERE path = 'torn.toml'").fetchone()
    withdraw_source(db, torn, "Anna", "torn")
    db.conn.close()
    text = create_app(path).test_client().get("/findings").text
    assert lines(text)
    assert "torn.toml" not in text


def test_where_nothing_is_found_it_is_said(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "archive.db")
    with sqlite3.connect(path) as conn:
        conn.execute("DELETE FROM findings")
    assert "No issues" in create_app(path).test_client().get("/findings").text


def test_every_severity_can_be_searched_for() -> None:
    assert set(FINDINGS["severity"].options) == set(Finding.__annotations__["severity"].__args__)


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_search_is_made_with_the_keyboard_and_stepped_through(site: str, page: Page) -> None:
    page.goto(f"{site}/?lang=en")
    page.locator("details.closer > summary").click()
    page.get_by_role("combobox", name="Player", exact=True).fill("Cem")
    page.get_by_role("combobox", name="Verdict", exact=True).select_option("look")
    page.get_by_role("combobox", name="Player", exact=True).press("Enter")
    page.wait_for_url("**/?player=*")
    assert "Cem" not in page.url
    page.get_by_role("link", name="Rufspiel Eichel").click()
    page.wait_for_url("**/deals/6*")
    page.keyboard.press("n")
    page.wait_for_url("**/deals/3*")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    page.wait_for_url("**/deals/1*")
    page.keyboard.press("p")
    page.wait_for_url("**/deals/3*")
    page.get_by_role("link", name="3 of 4").click()
    page.wait_for_url("**/?*verdict=look*")


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(viewport=PHONE)


@pytest.mark.browser
def test_no_verdict_is_cut_within_a_word_on_a_phone(phone: Page, gallery: str) -> None:
    phone.goto(f"{gallery}/?verdict=unplayable&lang=de")
    lines = phone.evaluate("""[...document.querySelectorAll('.found td .badge')].flatMap(each => {
        const text = [...each.childNodes].find(node => node.data?.trim()), range = document.createRange()
        return [...text.data.matchAll(/\\S+/g)].map(word => {
            range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length)
            return [word[0], range.getClientRects().length] }) })""")
    assert ["regelwidrig", 1] in lines
    assert {count for _, count in lines} == {1}


@pytest.mark.browser
def test_nothing_lies_over_what_a_check_says_on_a_phone(phone: Page, site: str) -> None:
    phone.goto(f"{site}/check")
    phone.fill("textarea", (SAMPLES / "pub-rules.toml").read_text("utf-8"))
    phone.click("#check .btn")
    phone.wait_for_selector("#replayed .play")
    assert phone.locator("#replayed .play").evaluate("each => getComputedStyle(each).position") == "static"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("31.12.2001", "2001-12-31"), ("1.2.2026", "2026-02-01"), ("02.2026", "2026-02"), ("2026", "2026"),
        ("2026-10-31", "2026-10-31"), ("31.02.2026", None), ("12/31", None), ("2026-1-1", None),
    ],
)  # fmt: skip
def test_a_day_is_read_as_people_write_it(text: str, day: str | None) -> None:
    assert parse_day(text) == day


@pytest.mark.parametrize(("language", "words"), [("en", "9 July 2001"), ("de", "9. Juli 2001")])
def test_a_day_is_written_in_the_readers_way(language: str, words: str) -> None:
    assert format_day("2001-07-09", TEXTS[language]) == words
    assert format_day("2001-07", TEXTS[language]) == words.split(" ", 1)[1]
    assert format_day("summer", TEXTS[language]) == "summer"


def test_a_player_searched_for_leads_to_the_page_and_names_the_tab(
    client: FlaskClient, conn: sqlite3.Connection
) -> None:
    number = player(conn, "Anna")
    html = client.get("/", query_string={"player": number}).text
    assert f'href="/players/{number}"' in html
    assert "Anna" in html.split("<title>")[1].split("</title>")[0]
