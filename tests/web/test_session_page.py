"""The page of a session: the sheet, what lies on the table between deals, the proof, the standings of an event."""

import re
from html import unescape
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from support.event_deals import event_deals
from support.paths import ROOT
from support.running import import_into, run
from support.store_samples import store, store_deals
from support.web_archive import make_archive

from archive import generate
from archive.judge import LedgerState
from archive.stats.event_standings import standings as audited
from archive.store import open_archive, standing_rows, withdraw_source
from archive.text import session_ledger as session_ledgers
from archive.web.app import create_app
from archive.web.session import routes as session_pages
from archive.web.texts import TEXTS

T = TEXTS["en"]
SAMPLES = ROOT / "sample_games"
LIST = """\
format = "schafkopf-record/1"
event = "Open"
table = "{table}"
rules = "bavarian"
players = [{players}]
house = {{ stock = {{ amount = 10, won_by = ["solo"] }}, standings = ["wins"] }}
carry = {{ stock = 40 }}

[[deal]]
dealer = "{last}"
game = "none"
stated.totals = [{totals}]

[[deal]]
game = "none"
"""


def archive(path: Path, totals: str = "-10, -10, -10, -10") -> FlaskClient:
    db = open_archive(path / "a.db")
    for table, names in (("1", "Anna Ben Cem Dora"), ("2", "Emil Franz Gerda Hans")):
        players = names.split()
        quoted = ", ".join(f'"{name}"' for name in players)
        store(db, LIST.format(table=table, players=quoted, last=players[-1], totals=totals), f"{table}.toml")
    db.close()
    return create_app(path / "a.db").test_client()


def test_the_pot_stands_before_and_after_each_deal(tmp_path: Path) -> None:
    html = archive(tmp_path).get("/sessions/1").text
    assert "0.40 → 0.80" in html
    assert "0.80 → 1.20" in html
    assert T["k_hausbock"] not in html, "a column only where it is used"
    assert T["zero"] in html
    assert T["pot"].format(amount="+0.80") in html
    assert T["first_break"] not in html


def test_the_first_break_of_the_stated_totals_is_named(tmp_path: Path) -> None:
    html = archive(tmp_path, "-10, -10, -10, 0").get("/sessions/2").text
    assert T["first_break"] in html
    assert 'href="/deals/3"' in html.split(T["first_break"])[0][-80:]


def test_a_table_of_an_event_shows_the_standings_of_all_tables(tmp_path: Path) -> None:
    html = archive(tmp_path).get("/sessions/1").text
    standings = html.split('id="standings"')[1]
    assert all(name in standings for name in ("Anna", "Hans"))
    assert "table 1" in html


def test_columns_tell_what_changed() -> None:
    lying = LedgerState(stock=None, hausbock=2, rounds=(("bock", 4),), queue=("bock", "bock", "kreuz"), stake=1)
    told = {
        column.title: column.cells
        for column in session_ledgers.ledger_columns([(LedgerState(), lying), (lying, lying), (lying, None)], T)
    }
    assert told[T["k_stock"]] == ("0 → ?", "?", "?"), "an archive of the first version has no state after a deal"
    assert told[T["k_rounds"]][:2] == ("0 → Bock 4", "Bock 4")
    assert told[T["k_queue"]][1] == "2 Bock, 1 Kreuz"
    assert told[T["k_hausbock"]][0] == "0 → 2"
    by_euros = session_ledgers.ledger_columns([(LedgerState(), lying)], T, lambda amount: f"{amount or 0} €")
    stakes = {column.title: column.cells for column in by_euros}
    assert stakes[T["k_stake"]] == ("0 → 1",), "stakes are counted, also where amounts are written in euros"
    assert session_ledgers.ledger_columns([(LedgerState(), LedgerState())], T) == ()


@pytest.mark.parametrize("substitute", ["own", "seat"])
def test_the_standings_of_the_archive_are_those_of_the_judgements(tmp_path: Path, substitute: str) -> None:
    db = open_archive(tmp_path / "a.db")
    for table, names in (("1", "Anna Ben Cem Dora"), ("2", "Emil Franz Gerda Hans")):
        players = tuple(names.split())
        house = {"substitute": substitute, "stock": {"amount": 10, "won_by": ["solo"]}, "standings": ["wins", "solos"]}
        head = generate.session("bavarian", house, event="Open", table=table, players=players)
        deals = list(generate.deals(Random(table), head, 8))
        deals[5] = replace(deals[5], players=(*players[:3], f"Substitute {table}"), dealer=deals[5].dealer)
        deals[6] = replace(deals[6], tricks=None)
        store_deals(db, head, deals, f"{table}.toml")
    rows, by = standing_rows(db.conn, 1)
    assert by == ["wins", "solos"]
    expected = audited(event_deals(db.conn, "Open"))
    assert any(row.undecided for row in expected)
    told = [(each.place, each.player, each.undecided, each.best) for each in session_ledgers.ranked_standings(rows, by)]
    assert told == [(row.rank, row.player, row.undecided, session_ledgers.format_signed(row.best)) for row in expected]
    assert [tuple(row.values()) for row in rows] == db.execute("SELECT * FROM standings").fetchall()
    assert {row["player"]: row["total"] for row in rows} == {row.player: row.total for row in expected}
    facts = {row["player"]: (row["deals"], row["won"], row["solos_won"], row["touts_won"]) for row in rows}
    assert facts == {row.player: (row.deals, row.wins, row.solos, row.touts) for row in expected}
    db.close()


# --- the list of sessions, the way from one to the next, the plot -----------------------------------------------------

EVENINGS = (  # event, day, place, table, what is stated of the first deal
    ("Stammtisch", "2026-01-05", "Hirschen", None, "-10, -10, -10, -10"),
    ("Open", "2026-03-01", "Cham", "1", "-10, -10, -10, -10"),
    ("Open", "2026-03-01", "Cham", "2", "-10, -10, -10, 0"),
    (None, "2026-03-01", None, None, "-10, -10, -10, -10"),
    ("Stammtisch", "2026-02-02", "Ähre", None, "-10, -10, -10, -10"),
    ("100 % <Runde>", None, None, None, "-10, -10, -10, -10"),
)


def several(path: Path) -> FlaskClient:
    """Sessions 1 to 6; in the third the books break at its first deal, 5."""
    db = open_archive(path / "s.db")
    for n, (event, day, place, table, totals) in enumerate(EVENINGS):
        raw = LIST.format(table=table, players='"Anna", "Ben", "Cem", "Dora"', last="Dora", totals=totals)
        own = {"event": event, "table": table, "place": place}
        head = "\n".join(f'{key} = "{text}"' for key, text in own.items() if text)
        raw = raw.replace('event = "Open"', head).replace(f'table = "{table}"\nrules', "rules")
        raw = raw.replace("rules =", f"date = {day}\nrules =") if day else raw
        store(db, f"{raw}# {n}", f"{n}.toml")
    db.close()
    return create_app(path / "s.db").test_client()


def listed(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'<td class="main"><a href="/sessions/(\d+)', html)]


@pytest.fixture(scope="module", name="client")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return several(tmp_path_factory.mktemp("sessions"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, [4, 3, 2, 5, 1, 6]),
        ({"event": "stamm"}, [5, 1]),
        ({"event": "CHAM"}, [3, 2]),
        ({"event": "100 % <"}, [6]),
        ({"event": "%"}, [6]),
        ({"event": "_"}, []),
        ({"event": "' OR 1 --"}, []),
        ({"since": "2026-02"}, [4, 3, 2, 5]),
        ({"until": "2026-02-02"}, [5, 1]),
        ({"until": "2026-02"}, [5, 1]),
        ({"since": "2026-01-05", "until": "2026-01-05"}, [1]),
        ({"event": "open", "since": "2027"}, []),
    ],
)
def test_sessions_are_listed_newest_first_and_by_word_and_day(
    client: FlaskClient, query: dict[str, str], found: list[int]
) -> None:
    html = client.get("/sessions", query_string=query).text
    assert listed(html) == found
    assert (T["se_nothing"] in html) is (not found)


@pytest.mark.parametrize("text", ["yesterday", "2026-1-1", "2026-01-05' OR 1"])
def test_a_day_that_is_none_is_a_sentence(client: FlaskClient, text: str) -> None:
    answer = client.get("/sessions", query_string={"since": text})
    assert answer.status_code == 400
    assert "is not a day; write a day as" in answer.text


def test_pages_of_the_list_of_sessions_keep_its_days(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_pages, "PAGE", 4)
    (following,) = re.findall(r'rel="next" href="([^"]+)"', client.get("/sessions?until=2027").text)
    assert listed(client.get(unescape(following)).text) == [1]


def test_a_session_in_the_list_says_where_its_books_break(client: FlaskClient) -> None:
    rows = client.get("/sessions").text.split("<tr>")
    marked = [row for row in rows if T["se_breaks"].format(number=1) in row]
    assert len(marked) == 1
    assert 'href="/deals/5"' in marked[0]
    assert 'href="/sessions/3"' in marked[0]


def test_a_session_whose_file_was_taken_back_is_not_listed(tmp_path: Path) -> None:
    client = several(tmp_path)
    db = open_archive(tmp_path / "s.db")
    withdraw_source(db, 4, "me", "twice")
    db.close()
    assert listed(client.get("/sessions").text) == [3, 2, 5, 1, 6]
    assert client.get("/sessions/4").status_code == 404


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [(1, None, 5), (5, 1, None), (2, None, 3), (3, 2, None), (4, 3, None), (6, None, None)],
)
def test_the_sessions_before_and_after_are_of_the_same_event_or_day(
    client: FlaskClient, number: int, before: int | None, after: int | None
) -> None:
    html = client.get(f"/sessions/{number}").text
    for rel, expected in (("prev", before), ("next", after)):
        found = re.findall(rf'rel="{rel}" href="/sessions/(\d+)"', html)
        assert found == ([str(expected)] if expected else [])


def test_players_of_a_sheet_are_links_by_number(client: FlaskClient) -> None:
    html = client.get("/sessions/2").text
    numbers = dict(re.findall(r'<a href="/players/(\d+)">(\w+)</a>', html.split("<thead>")[2]))
    assert list(numbers.values())[:4] == ["Anna", "Ben", "Cem", "Dora"]
    assert all(f"<h1>{name}</h1>" in client.get(f"/players/{key}").text for key, name in numbers.items())


@pytest.mark.parametrize("language", TEXTS)
def test_a_session_has_a_plot_with_its_break_and_its_data(client: FlaskClient, language: str) -> None:
    t, html = TEXTS[language], client.get(f"/sessions/3?lang={language}").text
    assert html[: html.index(t["pl_data"])].count('class="plot"') == 3, "for columns of three widths"
    assert t["pl_break"].format(number=1) in html
    assert t["pl_data"] in html
    address = unescape(re.findall(r'href="([^"]+plot\.json[^"]*)"', html)[0])
    spec = client.get(address).json
    assert {row["label"] for row in spec["data"]["values"] if row["kind"] == "mark"} == {t["pl_break"].format(number=1)}
    assert spec["layer"]


def marks_archive(path: Path) -> FlaskClient:
    db = open_archive(path / "m.db")
    head = generate.session("bauernstoss", players=("Anna", "Ben", "Cem", "Dora"))
    store_deals(db, head, generate.deals(Random(3), head, 60), "m.toml")
    db.close()
    return create_app(path / "m.db").test_client()


def test_marks_are_drawn_by_side_and_begin_again_with_every_game(tmp_path: Path) -> None:
    client = marks_archive(tmp_path)
    rows = client.get("/sessions/1/plot.json").json["data"]["values"]
    names = [row["label"].rsplit(" ", 1)[0] for row in rows if row["kind"] == "name"]
    assert sorted(names) == ["Anna + Cem", "Ben + Dora"]
    games = {row["stretch"] for row in rows if row["kind"] == "line" and row["line"] == 0}
    assert len(games) == client.get("/sessions/1").text.count('<figure class="tally">')
    assert len(games) > 1, "the test needs a second game"
    for game in games:
        marks = [row["total"] for row in rows if row["kind"] == "line" and row["stretch"] == game]
        assert marks[0] == 0
        assert marks == sorted(marks)


def test_a_session_of_which_no_amount_is_known_has_no_plot(tmp_path: Path) -> None:
    db = open_archive(tmp_path / "n.db")
    head = generate.session("bavarian")
    deals = [replace(each, tricks=None, hands=None, game=None) for each in generate.deals(Random(1), head, 2)]
    store_deals(db, head, deals, "n.toml")
    db.close()
    client = create_app(tmp_path / "n.db").test_client()
    assert 'role="img"' not in client.get("/sessions/1").text
    answer = client.get("/sessions/1/plot.json")
    assert answer.status_code == 404
    assert T["no_plot"] in answer.text


def test_a_deal_of_a_file_that_a_correction_makes_a_misdeal_stays_on_its_sheet(tmp_path: Path) -> None:
    """Only what was taken back at the table is no deal; this one was dealt again, and somebody says so."""
    path = make_archive(tmp_path / "archive.db")
    who = ("--by", "Emil", "--why", "it was dealt again", "--db", path)
    client = create_app(path).test_client()
    before = set(re.findall(r"/deals/[0-9]+", client.get("/sessions/1").text))
    assert run("correct", "2", "--set", 'game="misdeal"', *who).exit_code == 0
    assert set(re.findall(r"/deals/[0-9]+", client.get("/sessions/1").text)) == before
    books = run("audit", "ledger", "1", "--db", path).stdout
    assert "7 deals: " in books
    assert "−1" not in books.splitlines()[3]


RESTATED = """\
format = "schafkopf-record/1"
event = "Stammtisch"
date = 2026-11-20
table = "1"
rules = "pub"
unit = "ct"
players = ["Anna", "Ben", "Cem", "Dora"]
house = { tariff = "10/20/50" }

[[deal]]
game = "none"

[[deal]]
game = "Anna solo H"
carry.totals = [120, -120, 0, 0]
stated.payments = [150, -50, -50, -50]
"""


def test_a_carry_restated_otherwise_breaks_the_books_in_the_unit_of_the_sheet_on_every_page(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(RESTATED, "utf-8")
    client = create_app(import_into(tmp_path / "a.db", tmp_path / "evening.toml")).test_client()
    sheet = client.get("/sessions/1?lang=de").text
    assert "neu angesetzt ist Anna 1,20 €, Ben −1,20 €" in sheet
    for path in ("/sessions", "/events/Stammtisch/ranking"):
        page = client.get(f"{path}?lang=de").text
        assert "ab Spiel 2 geht die Rechnung nicht auf" in page, path
    assert "20. November 2026" in page
    assert "geht auf." not in page
    assert "+1,50 €</td>" in page


def test_a_sheet_of_which_nothing_is_settled_does_not_say_that_it_adds_up(tmp_path: Path) -> None:
    db = import_into(tmp_path / "archive.db", SAMPLES / "valid" / "schafkopf-punkteliste.csv")
    text = create_app(db).test_client().get("/sessions/1?lang=en").text
    assert "4 not settled." in text
    assert TEXTS["en"]["zero"] not in text
    assert TEXTS["en"]["st_too_many"] not in text, "four deals are not too many to be counted"


def test_what_the_row_of_a_deal_says_is_not_said_again_where_the_books_break(tmp_path: Path) -> None:
    db = import_into(tmp_path / "archive.db", SAMPLES / "club" / "2026-10-17-table-1.toml")
    text = create_app(db).test_client().get("/sessions/1?lang=en").text
    assert text.count("Running totals: ") == 1
    assert "running totals: " not in text
    assert "is the first that does not add up." in unescape(text)


def test_a_price_in_a_list_is_money(tmp_path: Path) -> None:
    db = import_into(tmp_path / "archive.db", SAMPLES / "club" / "2026-10-17-table-1.toml")
    site = create_app(db).test_client()
    assert '<td class="n">1,40 €</td>' in site.get("/?lang=de").text
    assert '<td class="n">€1.40</td>' in site.get("/?lang=en").text
    assert 'class="n" data-of="Preis">1,40 €</td>' in site.get("/players/1?lang=de").text


@pytest.mark.parametrize(("into", "ends"), [("Gerda", "Gerda −€0.40 Franz +€0.90"), ("Franz", "Franz +€0.50")])
def test_who_left_and_is_merged_keeps_the_total(into: str, ends: str, tmp_path: Path) -> None:
    """Cem leaves with -40 and is Gerda, of another evening; or is Franz, who comes later and gets 90."""
    head = 'format = "schafkopf-record/1"\nrules = "pub"\nunit = "ct"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
    last = '[-30, -30, 90, -30]\nplayers = ["Anna", "Ben", "Franz", "Dora"]'
    deals = ("[60, -20, -20, -20]", "[20, 20, -20, -20]", last)
    (tmp_path / "a.toml").write_text(head + "".join(f"[[deal]]\nstated.payments = {each}\n" for each in deals))
    other = head.replace("Cem", "Gerda") + "[[deal]]\nstated.payments = [0, 0, 0, 0]\n"
    (tmp_path / "b.toml").write_text(other)
    path = str(tmp_path / "archive.db")
    assert run("import", *sorted(tmp_path.glob("*.toml")), "--db", path).exit_code == 0
    assert run("players", "merge", "Cem", "--into", into, "--by", "A", "--why", "w", "--db", path).exit_code == 0
    sums = run("audit", "ledger", "1", "--db", path).stdout.splitlines()[-2]
    client = create_app(Path(path)).test_client()
    story = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", unescape(client.get("/sessions/1").text)))
    for each in re.findall(r"(\w+) ([+−])€0\.(\d\d)", ends):
        assert f"({each[1]}{each[2]})" in sums
        assert f"{each[0]} ({each[1]}€0.{each[2]})" in story, "in the ranking"
    listed = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", unescape(client.get("/sessions").text)))
    assert all(" ".join(pair) in listed for pair in zip(ends.split()[::2], ends.split()[1::2], strict=True))
