"""`/evenings`: begun, written, taken back, closed; what is sent twice is stored once, what is wrong gets a sentence."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from evenings import begun, faults, killed
from flask.testing import FlaskClient
from openpyxl import load_workbook
from selectolax.lexbor import LexborHTMLParser
from support.doors import enter, secret_of, writing_app
from support.running import run
from support.thorough import examples

from archive.store import open_archive, open_read, session_rows
from archive.store.live_evenings import drafts_of, live_evening

NAMES = {f"player{seat}": name for seat, name in enumerate(("Anna", "Ben", "Cem", "Dora"))}
WON = {"key": "a", "who": "0", "game": "rufspiel E", "with": "1", "outcome": "won", "runners": "0"}


class Site:
    """A server that writes, with one visitor."""

    def __init__(self, client: FlaskClient, path: Path) -> None:
        self.client, self.path = client, path
        self.secret = secret_of(client.get("/evenings/new").text)

    def send(self, address: str, script: bool = False, **fields: Any) -> Any:
        headers = {"Accept": "application/json" if script else "text/html"}
        return self.client.post(address, data={"csrf": self.secret} | fields, headers=headers)

    def act(self, act: str, **fields: Any) -> Any:
        return self.send("/evenings/1/acts", act=act, **fields)

    def totals(self) -> tuple[int | None, ...] | None:
        found = live_evening(open_read(self.path), 1)
        return found.state.table.totals


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    path = tmp_path / "archive.db"
    with writing_app(path) as (app, doors):
        yield Site(enter(app.test_client(), doors), path)


@pytest.fixture
def evening(site: Site) -> Site:
    answer = site.send("/evenings/new", **NAMES)
    assert (answer.status_code, answer.location) == (303, "/evenings/1/add")
    return site


def test_an_evening_is_begun_by_six_questions_whose_answers_stand_in_its_file(site: Site) -> None:
    answers = {"tariff": "call-10", "games": "all", "all-pass": "stock", "knock": "no", "keep": "Löwen"}
    assert site.send("/evenings/new", **NAMES, **answers, event="Freitag").status_code == 303
    page = site.client.get("/evenings/1/add").text
    for setting in ("tariff = &#34;10/50&#34;", "knock = &#34;no&#34;", "bettel", "amount = 10"):
        assert setting in page, setting
    assert "Freitag" in page
    again = site.client.get("/evenings/new").text
    assert 'value="kept:Löwen"' in again
    assert re.findall(r'data-name="(\w+)"', again) == [], "nobody has played yet"
    assert site.send("/evenings/new", **NAMES, rules="kept:Löwen").status_code == 303
    assert "tariff = &#34;10/50&#34;" in site.client.get("/evenings/2/add").text


def test_an_archive_that_cannot_be_written_is_no_refusal_of_what_was_asked(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        site = Site(enter(app.test_client(), doors), tmp_path / "archive.db")
        assert site.send("/evenings/new", **NAMES).status_code == 303
        with doors.writer.archive() as db:
            db.execute("PRAGMA query_only = 1")
        closed, undone = {"act": "close", "sure": "1"}, {"do": "undo"}
        for address, fields in (("/evenings/new", NAMES), ("/evenings/1/acts", closed), ("/import/1", undone)):
            assert site.send(address, **fields, event="Freitag").status_code == 503, address


def test_what_begins_no_evening_gets_a_sentence(site: Site) -> None:
    says = dict.fromkeys(("none", "rules:../../etc/passwd", "kept:nowhere", "yesterday"), "")
    says |= {
        "": "sitzen 4 bis 7 am Tisch; eingetragene Namen: 3",
        "Anna": "Zwei heißen Anna: Bitte Anna K. und Anna M.",
    }
    for told, sentence in says.items():
        key = "rules" if ":" in told else "date" if told == "yesterday" else "player3"
        answer = site.send("/evenings/new?lang=de", **(NAMES | {key: told}))
        assert (answer.status_code, 'role="alert"' in answer.text, sentence in answer.text) == (400, True, True), told
    assert site.send("/evenings/new", **(NAMES | {"csrf": "forged"})).status_code == 403
    assert site.client.get("/evenings/1").status_code == 404, "nothing half stored"
    odd = NAMES | {"player3": "<script>alert(1)</script>", "date": "24.12.2026"}
    assert site.send("/evenings/new", **odd).status_code == 303
    assert "<script>alert" not in site.client.get("/evenings/1/add").text


def test_a_form_that_is_sent_again_begins_no_second_evening(site: Site) -> None:
    (once,) = re.findall(r'name="once" value="([^"]+)"', site.client.get("/evenings/new").text)
    sent = [site.send("/evenings/new", **NAMES, once=once).location for _ in range(2)]
    others = NAMES | {"player3": "Eva"}  # after the back button it is another evening
    assert [*sent, site.send("/evenings/new", **others, once=once).location] == [
        "/evenings/1/add", "/evenings/1/add", "/evenings/2/add",
    ]  # fmt: skip


def test_a_deal_is_stored_once_however_often_it_is_sent(evening: Site) -> None:
    first, again = (evening.send("/evenings/1/add", True, **WON) for _ in range(2))
    assert (first.status_code, first.json["outcome"], first.json["deals"]) == (200, "stored", 1)
    assert (again.status_code, again.json["outcome"], again.json["deals"]) == (200, "known", 1)
    assert evening.totals() == (20, 20, -20, -20)
    plain = evening.send("/evenings/1/add", **(WON | {"key": "b"}))
    assert (plain.status_code, plain.location) == (303, "/evenings/1/add"), "without a script the page comes again"
    assert evening.client.get("/evenings/1").text.count('class="no"') == 2


NO_DEALS = (
    ({"with": ""}, 422, "missing"),
    ({"with": "0"}, 422, "contradicted"),
    ({"outcome": ""}, 422, "missing"),
    ({"outcome": "perhaps"}, 400, "unreadable"),
    ({"game": "mau-mau"}, 400, "unreadable"),
    ({"game": "bettel"}, 422, "contradicted"),
    ({"who": "9"}, 400, "unreadable"),
    ({"runners": "-3"}, 400, "unreadable"),
    ({"key": ""}, 400, "unreadable"),
    ({"key": "x" * 100}, 400, "unreadable"),
)


def test_what_is_no_deal_gets_a_sentence_and_is_not_stored(evening: Site) -> None:
    for number, (fields, status, outcome) in enumerate(NO_DEALS):
        sent = WON | {"key": f"a{number}"} | fields
        answer = evening.send("/evenings/1/add", True, **sent)
        assert (answer.status_code, answer.json["outcome"], bool(answer.json["message"])) == (status, outcome, True)
        plain = evening.send("/evenings/1/add", **(sent | {"key": fields.get("key", f"b{number}")}))
        assert plain.status_code in (status, 303)
        assert "Traceback" not in plain.text
    assert evening.send("/evenings/1/add", True, **(WON | {"csrf": "forged"})).status_code == 403
    assert evening.totals() == (0, 0, 0, 0)
    counted = WON | {"outcome": "points", "points": "61"}
    assert evening.send("/evenings/1/add", True, **counted).json["outcome"] == "stored"


def test_an_end_without_a_game_says_what_to_tap_first(evening: Site) -> None:
    answer = evening.send("/evenings/1/add?lang=en", outcome="won", key="a")
    assert (answer.status_code, "First tap: What?" in answer.text) == (400, True)
    assert "cannot be read" not in answer.text


def test_001_bierkopf_on_the_phone_carries_a_stake_from_60_60_to_the_next_winners(site: Site) -> None:
    assert site.send("/evenings/new", **NAMES, rules="rules:bierkopf").status_code == 303
    page = site.client.get("/evenings/1/add?lang=en").text
    assert "60 : 60, neither" in page
    assert "Lost the Ramsch" not in page
    told = site.send("/evenings/1/price?lang=en", game="bierkopf", who="1", dealer="3").json
    assert (told["amounts"]["lost"], told["amounts"]["lost-schneider"]) == ("€0.10", "€0.20")
    for key, fields in (
        ("a", {"outcome": "level", "dealer": "3"}),
        ("b", {"who": "1", "outcome": "lost-schneider"}),
    ):
        answer = site.send("/evenings/1/add", True, key=key, game="bierkopf", **fields)
        assert (answer.status_code, answer.json["outcome"]) == (200, "stored"), answer.json
    assert site.totals() == (30, -30, 30, -30)


def test_the_price_is_told_by_how_the_deal_ends_and_nothing_is_stored(evening: Site) -> None:
    tapped = {key: value for key, value in WON.items() if key != "outcome"} | {"runners": "3", "knocks": "1"}
    told = evening.send("/evenings/1/price?lang=en", **tapped).json
    assert told["amounts"]["won"] == told["amounts"]["lost"] == "€1.00"
    assert told["amounts"]["won-schneider"] == "€1.20"
    assert "Rufspiel, won" in told["html"]
    assert evening.send("/evenings/1/price", game="wenz", who="1").json["amounts"]["won"]
    assert evening.send("/evenings/1/price", game="mau-mau").json == {"html": "", "amounts": {}, "wrong": False}
    assert evening.totals() == (0, 0, 0, 0)


HANDS = ("EO HO EU GU HA HZ EA G9", "GO G7 E8 GK S9 SA S8 E9", "SZ EZ EK SK H7 S7 HK GZ", "GA SO HU SU H9 H8 E7 G8")
TRICKS = "EO GO H7 H9|HO E8 HK HU|EU S9 EZ SO|SU HA S8 SK|GA G9 GK GZ|H8 GU E9 SZ|HZ SA S7 G8|EA G7 EK E7".split("|")
CARDS = {"dealer": "3", "who": "0", "game": "rufspiel G", **{f"hand{seat}": hand for seat, hand in enumerate(HANDS)}}


def test_the_cards_that_may_be_played_are_lit_and_tell_the_price(evening: Site) -> None:
    def state(*tricks: str) -> Any:
        return evening.send("/evenings/1/cards?lang=en", **CARDS, tricks="\n".join(tricks)).json

    begun = state("EO GO H7 H9", "HO S9 HK HU", "EA E8")
    assert (begun["turn"], begun["playable"], begun["whole"]) == (2, ["EZ", "EK"], False)
    assert "Trick 3: Cem" in begun["html"]
    assert state(*TRICKS)["whole"] is True
    told = evening.send("/evenings/1/price?lang=en", **CARDS, tricks="\n".join(TRICKS)).json
    assert told["amounts"]["cards"] == "€0.40"
    stored = evening.send("/evenings/1/add", True, key="c", outcome="cards", **CARDS, tricks="\n".join(TRICKS))
    assert stored.json["outcome"] == "stored"
    assert evening.totals() == (40, -40, -40, 40)
    text = evening.client.get("/sessions/1.toml").text
    assert "EO GO H7 H9" in text
    assert "stated" not in text
    assert evening.send("/evenings/1/cards", game="mau-mau").json["playable"] is None
    assert evening.send("/evenings/1/cards?deal=7", **CARDS).status_code == 404


def test_a_play_that_is_half_tapped_is_not_stored_by_itself(evening: Site) -> None:
    half = {"key": "h", "outcome": "won", **CARDS, "tricks": TRICKS[0]}
    answer = evening.send("/evenings/1/add?lang=en", True, **half)
    assert answer.json["outcome"] == "missing"
    assert "Nobody said: the rest of the play" in answer.json["message"]
    assert "Nobody said" in evening.send("/evenings/1/price?lang=en", **half).json["html"]


def test_a_broken_duty_is_said_and_stays(evening: Site) -> None:
    tricks = "EO GO SK H9"
    told = evening.send("/evenings/1/cards?lang=en", **CARDS, tricks=tricks).json
    assert "must follow" in told["html"]
    deal = {"key": "d", "outcome": "won", **CARDS, "tricks": tricks}
    assert evening.send("/evenings/1/add", True, **deal).json["outcome"] == "contradicted"
    assert evening.send("/evenings/1/add", True, **deal, anyway="1").json["outcome"] == "stored"
    assert tricks in evening.client.get("/sessions/1.toml").text


def test_a_deal_is_changed_from_what_it_was(evening: Site) -> None:
    evening.send("/evenings/1/add", True, key="c", outcome="cards", **CARDS, tricks="\n".join(TRICKS))
    evening.send("/evenings/1/add", True, **WON)
    form = evening.client.get("/evenings/1/deals/1").text
    assert re.search(r'name="game" value="rufspiel G"[^>]* checked', form)
    assert HANDS[0] in form
    assert evening.send("/evenings/1/price?deal=1&lang=en", **CARDS, tricks="\n".join(TRICKS)).json["amounts"]["cards"]
    assert re.search(r'name="runners" value="0" checked', evening.client.get("/evenings/1/deals/2").text)


def test_the_last_deal_is_taken_back_and_an_older_one_changed(evening: Site) -> None:
    for key in "ab":
        evening.send("/evenings/1/add", True, **(WON | {"key": key}))
    assert evening.act("undo", deal="2").status_code == 303
    assert evening.totals() == (20, 20, -20, -20)
    undo = re.compile(r'name="deal" value="(\d)"><button[^>]* value="undo"')
    form = evening.client.get("/evenings/1/deals/1")
    for page in (form, evening.client.get("/evenings/1/add")):
        assert undo.findall(page.text) == ["1"], "the newest that stands, and any that is looked at"
    changed = evening.send("/evenings/1/deals/1", True, **(WON | {"outcome": "lost"}))
    assert changed.json["outcome"] == "stored"
    assert evening.totals() == (-20, -20, 20, 20)
    same = evening.send("/evenings/1/deals/1", True, **(WON | {"outcome": "lost"}))
    assert (same.status_code, same.json["outcome"]) == (200, "known"), "a page that hears nothing of it waits for ever"
    wrong = evening.send("/evenings/1/deals/1?lang=en", True, **(WON | {"with": "0"}))
    assert wrong.json["message"].startswith("Not stored: "), "no draft is kept of it"
    conn = open_read(evening.path)
    assert [tuple(row) for row in conn.execute("SELECT deal_id, author FROM corrections ORDER BY id")] == [
        (2, "Vroni"),
        (1, "Vroni"),
    ]
    refused = evening.act("undo", deal="99")
    assert (refused.status_code, "<p>There is no deal 99 in the evening.</p>" in refused.text) == (409, True)
    assert evening.client.get("/evenings/1/deals/99").status_code == 404


def test_a_deal_taken_back_gives_its_number_again_and_is_no_deal_in_counts_sheets_and_pictures(evening: Site) -> None:
    for key in "ab":
        evening.send("/evenings/1/add", True, **(WON | {"key": key}))
    evening.act("undo", deal="2")
    form = evening.client.get("/evenings/1/add?lang=de").text
    assert "Spiel 2</b>" in form, "the next deal has its number"
    assert "zurückgenommen" in form, "whoever writes sees it"
    assert "zurückgenommen" not in evening.client.get("/evenings/1?lang=de").text
    assert "All deals agree with the record: 1." in evening.client.get("/sessions/1?lang=en").text
    again = evening.send("/evenings/1/add", True, **(WON | {"key": "c"}))
    assert (again.json["outcome"], again.json["deals"]) == ("stored", 2)
    assert "2" in again.json["message"]
    conn = open_read(evening.path)
    assert [row[0] for row in conn.execute("SELECT number FROM deals ORDER BY id")] == [1, 2, 2]
    sheet = evening.client.get("/sessions/1?lang=en").text
    assert re.findall(r'<td class="no">(\d+)</td>', sheet) == ["1", "2"]
    for view in ("outcomes", "ledger", "session_facts", "coverage_facts", "dealt_facts"):
        counted = f"SELECT {'sum(deals)' if view.endswith('facts') else 'count(DISTINCT deal)'} FROM {view}"
        assert conn.execute(counted).fetchone()[0] == 2, view
    assert 'href="/deals/3?' in evening.client.get("/?lang=en").text
    for page in ("/?lang=en", "/?contract=rufspiel&lang=en", "/stats/sessions?lang=en", "/sessions/1?lang=en"):
        assert 'href="/deals/2?' not in evening.client.get(page).text, page
    assert evening.client.get("/deals/2?lang=en").status_code == 200, "its history can be read"
    of_session = ("--session", 1, "--db", evening.path)
    assert run("audit", *of_session).stdout.count("agrees") == 2
    assert [
        json.loads(line)["deal"] for line in run("audit", "ledger", 1, *of_session[2:], "--json").stdout.splitlines()
    ] == [1, 3]
    for as_of in ((), ("--as-of", "2999-12-31")):
        assert "again" not in run("export", "--to", "protocol", *of_session, *as_of).stdout
    sheet = BytesIO(run("export", "--to", "xlsx", *of_session).stdout_bytes)
    assert [row[0] for row in load_workbook(sheet).active.values][4:] == [1, 2, "Sum"]
    assert [row["deal"] for row in session_rows(conn, 1, 1, 1)] == [3], "of deals that count, one after the first"
    assert evening.totals() == (40, 40, -40, -40)


def test_a_draft_is_stored_all_the_same_or_thrown_away(evening: Site) -> None:
    for key in "ab":
        wrong = WON | {"key": key, "runners": "14", "game": "wenz", "with": ""}
        assert evening.send("/evenings/1/add", True, **wrong).json["outcome"] == "contradicted"
    page = evening.client.get("/evenings/1/add?lang=en").text
    assert "it contradicts itself" in page
    filled = evening.client.get("/evenings/1/add?draft=1").text
    assert re.search(r'name="game" value="wenz"[^>]* checked', filled)
    assert 'name="key" value="a"' in filled
    assert evening.client.get("/evenings/1/add?draft=99").status_code == 200
    assert evening.act("store", draft="1").status_code == 303
    assert evening.act("drop", draft="2").status_code == 303
    found = live_evening(open_read(evening.path), 1)
    assert found.deals == 1
    assert drafts_of(open_read(evening.path), 1) == []
    assert evening.act("store", draft="2").status_code == 404
    assert evening.act("dance").status_code == 400


def test_a_queue_that_comes_to_a_closed_evening_is_kept_as_drafts_and_told(evening: Site) -> None:
    evening.send("/evenings/1/add", True, **WON)
    assert evening.act("close").location.endswith("/end")
    assert evening.act("close", sure="1").status_code == 303
    late = evening.send("/evenings/1/add?lang=en", True, **(WON | {"key": "late"}))
    assert (late.status_code, late.json["outcome"]) == (409, "closed")
    assert "kept as a draft" in late.json["message"]
    assert "the evening was closed" in evening.client.get("/evenings/1/add?lang=en").text
    assert "is not settled yet. Entered and not stored: 1." in evening.client.get("/sessions/1/end?lang=en").text
    evening.act("open")
    for page in ("/evenings/1/end", "/cash"):
        assert "Entered and not stored: 1." in evening.client.get(f"{page}?lang=en").text
    assert evening.act("store", draft="1").status_code == 303
    assert evening.totals() == (40, 40, -40, -40)
    assert "not settled yet" not in evening.client.get("/sessions/1/end?lang=en").text


def test_one_visitor_writes_at_a_time_and_the_other_is_told_who(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        anna, ben = (Site(enter(app.test_client(), doors), tmp_path / "archive.db") for _ in range(2))
        anna.send("/evenings/new", **NAMES)
        anna.send("/evenings/1/add", True, **WON)
        held = ben.send("/evenings/1/add?lang=en", True, **(WON | {"key": "b"}))
        assert (held.status_code, held.json["outcome"]) == (409, "held")
        assert "Vroni is writing on another device" in held.json["message"]
        assert "I write now" in ben.client.get("/evenings/1/add?lang=en").text
        assert ben.act("pen").status_code == 303
        assert ben.act("store", draft="1").status_code == 303
        assert anna.send("/evenings/1/add", True, **(WON | {"key": "c"})).json["outcome"] == "held"
        assert anna.totals() == (40, 40, -40, -40)
        assert "for hours" not in anna.client.get("/evenings/1/add?lang=en").text
        with closing(open_archive(anna.path).conn) as conn, conn:
            conn.execute("UPDATE evenings SET opened_at = ?1, pen_at = ?1", ("2026-01-01T20:00:00+00:00",))
        assert "for hours" in anna.client.get("/evenings/1/add?lang=en").text
        unseen = anna.send("/evenings/1/add?lang=en", True, **(WON | {"key": "d", "seen": "1"}))
        assert "has written on meanwhile" in unseen.json["message"], "Ben has stopped, but Anna shows one deal of two"


def test_who_signs_in_again_on_the_same_phone_writes_on(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        client = app.test_client()
        anna = Site(enter(client, doors), tmp_path / "archive.db")
        anna.send("/evenings/new", **NAMES)
        anna.send("/evenings/1/add", True, **WON)
        client.delete_cookie("schafkopf")
        again = Site(enter(client, doors), tmp_path / "archive.db")
        assert again.send("/evenings/1/add", True, **(WON | {"key": "b"})).json["outcome"] == "stored"


def test_the_history_of_a_deal_says_who_wrote_it_down(evening: Site) -> None:
    evening.send("/evenings/1/add", True, **WON)
    page = evening.client.get("/deals/1?lang=en").text
    assert ("Written down at the table by Vroni" in page, "unknown" in page) == (True, False)
    assert "Am Tisch aufgeschrieben von Vroni" in evening.client.get("/deals/1?lang=de").text


def test_who_is_not_let_in_looks_on_and_writes_nothing(evening: Site) -> None:
    evening.send("/evenings/1/add", True, **WON)
    with writing_app(evening.path) as (app, _):
        stranger = app.test_client()
        seen = stranger.get("/evenings/1")
        assert seen.status_code == 200
        assert "/evenings/1/add" not in seen.text
        again = stranger.get("/evenings/1", headers={"If-None-Match": seen.headers["ETag"]})
        assert again.status_code == 304, "who asks every few seconds gets a few bytes"
        assert "Vroni writes it down." in stranger.get("/evenings/1?lang=en").text
        assert stranger.get("/evenings").status_code == 200
        for address in ("/evenings/new", "/evenings/1/add", "/evenings/1/deals/1"):
            assert stranger.get(address).status_code == 401, address
        for address in ("/evenings/new", "/evenings/1/add", "/evenings/1/price", "/evenings/1/acts"):
            assert stranger.post(address, data=WON).status_code == 401, address


def test_a_code_leads_to_the_evening_and_a_worker_keeps_its_pages(evening: Site) -> None:
    code = evening.client.get("/evenings/1/qr.svg")
    assert code.content_type == "image/svg+xml"
    assert code.data.startswith(b"<svg")
    for url, is_alone in (
        ("http://localhost:8001", True),
        ("http://[::1]:8001", True),
        ("http://192.168.1.7:8001", False),
    ):
        assert ("serve --lan" in evening.client.get("/evenings/1", base_url=url).text) == is_alone
    worker = evening.client.get("/evenings/worker.js")
    assert worker.content_type.startswith("text/javascript")
    for address in re.findall(r'"(/static/[^"]+)"', worker.text):
        assert evening.client.get(address).status_code == 200, address
    assert worker.text.count("/static/") > 4
    assert evening.client.get("/evenings/2").status_code == 404
    assert evening.client.get("/evenings/2/qr.svg").status_code == 404


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", ["bavarian", "schierling", "bauernstoss", "three-hand", "palatinate", "short"])
def test_by_every_kind_of_rules_the_page_offers_what_the_house_plays(site: Site, rules: str) -> None:
    names = dict(list(NAMES.items())[: 3 if rules in ("three-hand", "three-player-blind") else 4])
    answer = site.send("/evenings/new", **names, rules=f"rules:{rules}")
    assert answer.status_code == 303, answer.text
    page = site.client.get("/evenings/1/add").text
    games = re.findall(r'name="game" value="([^"]+)"\s+data', page)
    assert games
    for game in games:
        priced = site.send("/evenings/1/price", game=game, who="0", **{"with": "1"})
        assert priced.status_code == 200, game
    told = {"dealer": "0", "who": "1", "with": "2", "game": next(game for game in games if " " in game), "tricks": "EO"}
    state = site.send("/evenings/1/cards", **told)
    assert state.status_code == 200
    assert state.json["playable"], "the second card may be any that is not the first"


def test_pot_and_bock_go_on_by_themselves_and_are_shown(site: Site) -> None:
    answers = {"tariff": "call-10", "all-pass": "stock", "bock": "many"}
    assert site.send("/evenings/new", **NAMES, **answers).status_code == 303

    def table(**told: str) -> str:
        if told:
            assert site.send("/evenings/1/add", True, **told).json["outcome"] == "stored"
        return site.client.get("/evenings/1/add?lang=en").text.partition('id="strip"')[2].partition("</p>")[0]

    assert "Dora deals" in table()
    assert "Stock €0.40" in table(key="a", game="none", dealer="3")
    assert "Stock" not in table(**(WON | {"key": "b"}))
    page = table(key="c", who="1", game="solo H", outcome="lost", runners="0")
    assert "Bock" in page
    assert "Cem deals" in page
    lost = {"who": "2", "game": "rufspiel G", "with": "1", "runners": "0"}
    for key in "def":
        table(key=key, **lost, outcome="won")
    assert "Bock" not in table(key="g", **lost, outcome="won")
    table(key="h", **lost, outcome="lost")
    assert "Special round?" in site.client.get("/evenings/1/add?lang=en").text, "was it at 60 : 60?"
    table(key="i", **lost, outcome="won")
    assert "Special round?" not in site.client.get("/evenings/1/add?lang=en").text
    assert site.totals() is not None, "where nobody says otherwise, no round was under way"
    assert "Bock" in table(key="j", **lost, outcome="lost-level")
    table(key="k", **lost, outcome="lost")
    form = site.client.get("/evenings/1/add?lang=en").text
    assert re.search(r'name="round" value="bock" checked', form), "three deals of the round are left"
    before = site.totals()
    table(key="l", **lost, outcome="won")
    after = site.totals()
    assert after[2] - before[2] == 20, "a Rufspiel is 10, and doubled"  # type: ignore[operator]

    def usual() -> str:
        return re.findall(r'name="round" value="(\w+)" checked', site.client.get("/evenings/1/add").text)[0]

    table(key="m", game="misdeal")
    table(key="n", **lost, outcome="won")
    assert usual() == "bock", "what is dealt again is no deal of the round"
    table(key="o", **lost, outcome="won")
    assert usual() == "no", "four deals are played"
    assert site.act("undo", deal=15).status_code == 303
    assert usual() == "bock", "nor is what was taken back"
    table(key="p", **lost, outcome="won", round="no")
    table(key="q", **lost, outcome="lost")
    assert usual() == "no", "somebody has said that the round is over"


def test_a_deal_that_an_earlier_loss_left_open_is_changed_in_the_round_that_was_under_way(site: Site) -> None:
    site.send("/evenings/new", **NAMES, bock="many")
    for key, outcome in (("a", "lost-level"), ("b", "won"), ("c", "won")):
        site.send("/evenings/1/add", True, **(WON | {"key": key, "outcome": outcome}))
    assert site.totals() == (60, 60, -60, -60), "both are doubled"
    site.send("/evenings/1/deals/2", True, **(WON | {"key": "b", "outcome": "lost"}))
    assert site.totals() is None, "was deal 2 at 60 : 60?"
    assert re.search(r'name="round" value="bock" checked', site.client.get("/evenings/1/deals/3").text)
    site.send("/evenings/1/deals/3", True, **(WON | {"key": "c"}))
    assert site.totals() == (-20, -20, 20, 20)


def test_where_somebody_must_play_it_is_tapped_and_won_with_60(site: Site) -> None:
    site.send("/evenings/new", **NAMES, **{"all-pass": "muss"})
    assert re.search(r'value="rufspiel E"[^>]*data-words="[^"]*muss', site.client.get("/evenings/1/add").text)
    deal = {
        "key": "a", "who": "0", "game": "rufspiel E", "with": "1", "words": "muss", "outcome": "points", "points": "60",
    }  # fmt: skip
    assert site.send("/evenings/1/add", True, **deal, runners="0").json["outcome"] == "stored"
    assert site.totals() == (20, 20, -20, -20)


def test_who_comes_or_goes_does_so_with_the_next_deal_and_everybody_keeps_their_total(evening: Site) -> None:
    evening.send("/evenings/1/add", True, **WON, dealer="3")
    five, four = ("Anna", "Ben", "Emil", "Cem", "Dora"), ("Emil", "Ben", "Cem", "Dora")
    page = evening.client.get("/evenings/1/add", query_string={"players": five}).text
    assert re.findall(r'<option value="(\d)" selected', page) == ["0"], "Anna's turn, who would have dealt to four"
    assert re.findall(r'name="who" value="(\d)" disabled', page) == ["0"], "and sits out"
    solo = {"who": "2", "game": "solo G", "outcome": "won", "runners": "0"}
    answer = evening.send("/evenings/1/add", True, **solo, key="b", players="\r\n".join(five), dealer="0")
    assert (answer.json["outcome"], evening.totals()) == ("stored", (20, -30, 150, -70, -70))
    for dealer, ends in (("1", (-30, 20, 150, -70, -70)), ("0", (20, -30, 150, -70, -70))):
        evening.send("/evenings/1/deals/2", True, **solo, dealer=dealer)
        assert evening.totals() == ends, "who dealt sat out"
    evening.send("/evenings/1/add", True, **solo, key="c", players="\n".join(four))
    assert evening.totals() == (150 - 50, -30 - 50, -70 + 150, -70 - 50)
    page = re.sub(r"<[^>]*>|\s", "", evening.client.get("/sessions/1/end?lang=en").text)
    ends = [("Emil", "+€1.00"), ("Cem", "+€0.80"), ("Anna", "+€0.20"), ("Ben", "−€0.80"), ("Dora", "−€1.20")]
    assert re.findall(r"\d\.([A-Z][a-z]+)([+−]€\d\.\d\d)", page) == ends
    listed = LexborHTMLParser(evening.client.get("/sessions?lang=en").text).css(".ends > span")
    assert [tuple(each.text().split()) for each in listed] == ends, "who has left too"
    sheet = LexborHTMLParser(evening.client.get("/sessions/1?lang=en").text).css_first("table.ledger")
    sums = [each.text(strip=True) for each in sheet.css(".sums .pay, .sums .tot")]
    names = [each.text(strip=True) for each in sheet.css("thead tr:last-child th.n")]
    people = ["Anna", "Ben", "Cem", "Dora", "Emil"]
    assert names == ["Price", *people, "Σ", *people], "a column for each, whatever chair they sat on"
    assert sums == [each.replace("€", "") for name in (*people, *people) for key, each in ends if key == name]
    for wrong in (("Anna", "Ben", "Cem"), ("Anna", "anna", "Ben", "Cem"), ("Anna", "Ben", "Cem", "Ramsch")):
        answer = evening.client.get("/evenings/1/add", query_string={"lang": "en", "players": wrong})
        assert answer.status_code == 400
        assert 'class="line anyway" hidden' in answer.text, "it is no deal that could be stored all the same"
        assert 'href="/evenings/new?player0=Anna&amp;' in answer.text
        assert ("by other rules (Palatinate Schafkopf, Three" in answer.text) == (len(wrong) == 3)


@pytest.mark.parametrize(
    ("rules", "taps", "won", "lacks"),
    [
        ("palatinate", {"game": "solo G", "words": "du"}, "8 game points", ""),
        ("schierling", {"game": "solo G", "words": "tout"}, "€1.40", ""),
        ("schierling", {"game": "sie"}, "€2.60", ""),  # (50 + 10 + 10 + 6 × 10) × 2: nobody has to count its runners
        ("bauernstoss", {"game": "bauernstoss E"}, None, "the card points and the tricks of both sides"),
        ("langendorf", {"game": "ramsch"}, None, "the card points of each player"),
    ],
)
def test_a_tout_is_won_with_every_trick_and_what_a_price_lacks_is_said(
    site: Site, rules: str, taps: dict[str, str], won: str | None, lacks: str
) -> None:
    site.send("/evenings/new", **NAMES, rules=f"rules:{rules}")
    taps |= {"dealer": "3", "who": "0", "runners": "0", "doubles": "0", "knocks": "0"}
    told = site.send("/evenings/1/price?lang=en", **taps).json
    assert told["amounts"].get("won") == won
    assert (f"Nobody said: {lacks}." in told["html"]) == bool(lacks)
    assert 'name="points"' in site.client.get("/evenings/1/add").text, "card points can be told"


def test_after_a_deal_without_a_price_totals_stand_in_brackets_and_nobody_pays(site: Site) -> None:
    site.send("/evenings/new", **NAMES, rules="rules:langendorf")
    site.send("/evenings/1/add", **(WON | {"knocks": "1"}))
    site.send("/evenings/1/add", key="b", who="0", game="ramsch", outcome="loser", knocks="1")
    strip = LexborHTMLParser(site.client.get("/evenings/1/add?lang=en").text).css("#strip dd")
    assert [each.text() for each in strip] == ["(+€0.10)", "(+€0.10)", "(−€0.10)", "(−€0.10)"]
    assert "not settled yet: a deal is open" in site.client.get("/sessions/1/end?lang=en").text


def test_of_two_pairs_a_player_of_the_one_that_lost_is_tapped_whoever_is_forehand(site: Site) -> None:
    site.send("/evenings/new", **NAMES, rules="rules:bierkopf")
    site.send("/evenings/1/add", key="a", dealer="3", who="3", game="bierkopf", outcome="lost")
    assert site.totals() == (10, -10, 10, -10)
    site.send("/evenings/1/add", key="b", who="1", game="bierkopf", outcome="lost-schneider")
    assert site.totals() == (30, -30, 30, -30), "Ben is forehand"
    site.send("/evenings/1/deals/2", who="2", game="bierkopf", outcome="lost-schneider")
    assert site.totals() == (-10, 10, -10, 10)
    rows = LexborHTMLParser(site.client.get("/evenings/1?lang=en").text).css(".last .game")
    assert [re.sub(r"\s+", " ", each.text()).strip() for each in rows] == [
        "Bierkopf Ben + Dora won, Schneider changed", "Bierkopf Anna + Cem won"
    ]  # fmt: skip
    newest = LexborHTMLParser(site.client.get("/").text).css("table.found tbody tr")
    assert [[who.text() for who in row.css("td:nth-child(3) .who")] for row in newest] == [
        ["Ben", "Dora"],
        ["Anna", "Cem"],
    ]


def test_virgins_are_named_where_each_is_paid_otherwise(site: Site) -> None:
    site.send("/evenings/new", **NAMES, rules="rules:expats")
    site.send("/evenings/1/add", True, key="a", who="0", game="ramsch", outcome="loser", virgins="0", virgin=["1", "2"])
    assert site.totals() == (-50, 20, 20, 10)
    assert len(re.findall(r'name="virgin" value="[12]" checked', site.client.get("/evenings/1/deals/1").text)) == 2


def test_who_sits_out_is_no_virgin_and_no_loser(site: Site) -> None:
    site.send("/evenings/new", **NAMES, player4="Emil", rules="rules:expats")
    form = site.client.get("/evenings/1/add").text
    assert re.findall(r'name="virgin" value="(\d)" disabled', form) == ["4"], "the dealer"
    lost = {"key": "a", "dealer": "4", "who": "4", "game": "ramsch", "outcome": "loser", "virgins": "0"}
    said = site.send("/evenings/1/add?lang=en", True, **lost).json["message"]
    assert said.endswith("the record states Emil, the rules give Anna or Ben or Cem or Dora")


TALON = {
    "dealer": "1", "game": "sixty-six", "turned": "HA", "talon": "GU GA SZ GO HO EK EZ HK EU",
    "hand0": "SK SA HZ SO GK", "hand1": "GZ SU EO HU EA",
}  # fmt: skip
PLAYED = "SK EA|GK GZ|HA HZ|EO SA|SZ SO|SU GU".split("|")
DONE = ["@1.1 Seat1 marriage S", "@3.1 Seat2 takes-trump HA", "@3.1 Seat2 closes", "@7.1 Seat2 calls 66"]


@pytest.fixture
def at_two(site: Site) -> Site:
    """An evening of Sixty-six."""
    answer = site.send("/evenings/new", player0="Anna", player1="Ben", rules="rules:sixty-six")
    assert answer.status_code == 303, answer.text
    return site


def offered(site: Site, tricks: int, done: int, lead: str = "", **taps: str) -> tuple[Any, list[str]]:
    """The state of the worked deal after so many tricks, a lead and so many acts, and what may be done then."""
    told = {**TALON, "tricks": "\n".join([*PLAYED[:tricks], lead]), "events": "\n".join(DONE[:done]), **taps}
    state = site.send("/evenings/1/cards?lang=en", **told).json
    return state, re.findall(r'data-act="@[\d.]+ ([^"]+)"', state["html"])


def test_what_may_be_done_at_a_turn_beside_a_talon_is_offered(at_two: Site) -> None:
    assert offered(at_two, 0, 0)[1] == ["Seat1 marriage S", "Seat1 closes", "Seat1 calls 66"]
    state, acts = offered(at_two, 0, 1)
    assert (state["playable"], acts) == (["SK", "SO"], ["Seat1 closes", "Seat1 calls 66"])
    assert "Anna shows the marriage of Schellen" in state["html"]
    assert offered(at_two, 2, 1)[1] == ["Seat2 takes-trump HA", "Seat2 closes", "Seat2 calls 66"]
    assert offered(at_two, 3, 3)[1] == ["Seat2 calls 66"]
    begun, _ = offered(at_two, 2, 1, lead="EO")
    assert sorted(begun["playable"]) == ["GO", "GU", "HZ", "SA", "SO"]
    closed, _ = offered(at_two, 2, 3, lead="EO")
    assert closed["playable"] == ["HZ"], "with the talon closed one must trump"


def test_without_hands_whatever_they_may_allow_is_offered(at_two: Site) -> None:
    unknown = {"hand0": "", "hand1": "", "talon": ""}
    state, acts = offered(at_two, 1, 0, **unknown)
    assert state["turn"] == 0, "Anna took the trick"
    assert [each for each in acts if "marriage" in each] == [f"Seat1 marriage {suit}" for suit in "EGH"]
    assert "Seat1 takes-trump HA" in acts
    drawn = set(offered(at_two, 2, 1, talon="")[0]["playable"])
    assert drawn >= {"HU", "GA", "EK"}, "Ben may have drawn them"
    assert drawn.isdisjoint({"SA", "HZ"}), "Anna has them"


def test_a_deal_with_a_talon_is_tapped_to_its_end_and_changed(at_two: Site) -> None:
    form = at_two.client.get("/evenings/1/add?lang=en").text
    assert 'name="who"' not in form
    assert 'value="won"' not in form
    assert 'value="none"' not in form
    assert 'name="virgins"' not in form
    assert "First tap the turned card" in at_two.send("/evenings/1/cards?lang=en", game="sixty-six").json["html"]
    deal = {**TALON, "key": "a", "outcome": "cards", "tricks": "\n".join(PLAYED), "events": "\n".join(DONE)}
    state, _ = offered(at_two, 6, 3)
    assert not state["whole"]
    assert offered(at_two, 6, 4)[0]["whole"]
    priced = at_two.send("/evenings/1/price?lang=en", **deal).json
    assert "Ben called with 66, and Anna has 35, 33 or more" in priced["html"]
    assert at_two.send("/evenings/1/price", game="sixty-six").json["amounts"] == {}
    assert at_two.send("/evenings/1/add", True, **deal).json["outcome"] == "stored"
    text = at_two.client.get("/sessions/1.toml").text
    for line in ("@3.1 Ben takes-trump HA", "GU GA SZ GO HO EK EZ HK EU HA", "Anna: SK SA HZ SO GK"):
        assert line in text
    found = live_evening(open_read(at_two.path), 1)
    assert found.state.table.marks == (0, 1)
    again = at_two.client.get("/evenings/1/deals/1").text
    for value in ("@3.1 Seat2 closes", 'name="turned" value="HA"', 'name="talon" value="GU GA SZ GO HO EK EZ HK EU"'):
        assert value in again
    wrong = at_two.send("/evenings/1/add?lang=de", True, **(deal | {"key": "b", "dealer": "1", "events": DONE[1]}))
    assert wrong.json["outcome"] in ("contradicted", "missing")


# --- a server that is killed ------------------------------------------------------------------------------------------


def test_confirmed_deals_outlive_a_kill(tmp_path: Path) -> None:
    """What was confirmed is there, once. `benchmarks/evenings.py` kills a server fifty times."""
    path = tmp_path / "archive.db"
    tables, dice = begun(path, 3), Random(7)
    confirmed = sum(killed(path, tables, dice, rest=0.3) for _ in range(examples(1, 10)))
    assert confirmed > 0
    assert faults(path, tables) == []
