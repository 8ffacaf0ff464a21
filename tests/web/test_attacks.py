"""The table of attacks of docs/security.md, row by row: each is tried at every address that takes something in, such as
come later too, gets a sentence and a status from 400 on, and leaves the archive as it was."""

import asyncio
import hashlib
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.doors import add_accounts, bearer, secret_of, signed_in, writing_app
from support.paths import ROOT
from support.web_archive import make_archive

from archive.record import Session
from archive.serve.server import whole_bodies
from archive.store import open_archive, open_read
from archive.store.live_evenings import add_deal, begin_evening
from archive.web.check.page import MOST_BYTES
from archive.web.doors.guard import DEMANDED
from archive.web.doors.keys import Doors

Site = tuple[Flask, Doors]
SCRIPT = "<script>alert(1)</script>"
WON = {"key": "x", "who": "0", "game": "rufspiel E", "with": "1", "outcome": "won", "runners": "0"}
OPEN = {"/sign-in", "/sign-out", "/check", "/api/v1/check"}  # where whoever comes may send something


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with two evenings, of which the first has one deal, number 8."""
    path = make_archive(tmp_path / "archive.db")
    db = open_archive(path)
    for _ in range(2):
        begin_evening(db, Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", date="2026-11-25"), "Kathi")
    deal = {"id": "a", "game": "Seat1 solo H", "stated": {"won": True, "runners": 3}}
    assert add_deal(db, 1, deal, "Kathi", anyway=True).outcome == "stored"
    db.conn.close()
    add_accounts(path, Anna="reader", Kathi="keeper")
    return path


@pytest.fixture
def site(archive: Path) -> Iterator[Site]:
    with writing_app(archive) as (app, doors):
        yield app, doors


def state(archive: Path) -> str:
    """A digest of all that is in the archive."""
    with closing(open_read(archive)) as conn:
        return hashlib.sha256("\n".join(conn.iterdump()).encode("utf-8", "replace")).hexdigest()


def addresses(app: Flask) -> list[str]:
    """Every address that takes something in from those who are let in."""
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert all(hasattr(app.view_functions[rule.endpoint], DEMANDED) for rule in rules if rule.rule != "/check")
    return sorted(
        {re.sub(r"<[^>]*deal>", "8", re.sub(r"<int[^>]*number>|<\w+>", "1", rule.rule)) for rule in rules} - OPEN
    )


def attacker(app: Flask, doors: Doors, attack: str) -> tuple[FlaskClient, dict[str, str]]:
    """Who may not write, and with which headers they try."""
    if "token" in attack or attack == "reader who writes":
        known = bearer(doors, "Anna" if attack == "reader who writes" else "Kathi")
        if attack == "revoked token":
            doors.accounts.revoke(doors.accounts.account("Kathi"))
        return app.test_client(), {"no token": {}, "unknown token": {"Authorization": "Bearer 0123"}}.get(attack, known)
    if attack == "forged cookie":
        client = app.test_client()
        client.set_cookie("schafkopf", "eyJ2aXNpdCI6IngifQ.aaaa.bbbb")
        return client, {}
    client = signed_in(app, doors, "Kathi")
    if attack in ("from another site", "secret of another"):
        visit = client if attack == "from another site" else signed_in(app, doors, "Kathi")
        secret = {"X-CSRF-Token": secret_of(visit.get("/account").text)}
        return client, secret | ({"Sec-Fetch-Site": "cross-site"} if visit is client else {})
    if attack == "ended visit":
        doors.accounts.revoke(doors.accounts.account("Kathi"))
    return client, {}


ATTACKS = dict.fromkeys(("no token", "unknown token", "revoked token", "forged cookie", "ended visit"), 401)
ATTACKS |= dict.fromkeys(("without secret", "secret of another", "from another site", "reader who writes"), 403)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("attack", ATTACKS)
def test_who_may_not_write_is_refused_at_every_address(site: Site, archive: Path, attack: str) -> None:
    before, paths = state(archive), addresses(site[0])
    assert len(paths) > 10
    client, headers = attacker(*site, attack)
    own = {"/account"} if attack == "reader who writes" else set()  # which is a reader's own
    sent = {"data": WON, "headers": headers | {"Accept": "application/json"}}
    statuses = {path: client.post(path, **sent).status_code for path in paths if path not in own}
    assert statuses == dict.fromkeys(statuses, ATTACKS[attack])
    assert state(archive) == before


# --- what is sent -------------------------------------------------------------------------------------------------


def test_a_script_in_a_field_is_text(site: Site) -> None:
    app, doors = site
    header = bearer(doors, "Kathi")
    client = app.test_client()
    names = {f"player{seat}": f"{SCRIPT}{seat}" for seat in range(4)}
    for fields in (names, names | {"event": SCRIPT, "place": SCRIPT, "keep": SCRIPT}):
        client.post("/evenings/new", data=fields, headers=header)
    client.post("/api/v1/deals/1/corrections", json={"set": {"note": SCRIPT}, "why": SCRIPT}, headers=header)
    for key in WON:
        client.post("/evenings/1/add", data=WON | {key: SCRIPT}, headers=header)
    shown = ("/", "/evenings", "/evenings/1", "/evenings/3", "/evenings/4", "/deals/1", "/sessions/1", "/players")
    for path in (*shown, *(f"/{each}{SCRIPT}" for each in ("?name=", "search?q=", "nothing/", "sign-in?next="))):
        answer = client.get(path, headers=header)
        assert SCRIPT not in answer.text, path
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["../../etc/passwd", "..\\..\\boot.ini", "/etc/passwd", "a/../../b", ".."])
def test_a_path_in_a_name_leads_nowhere(site: Site, archive: Path, tmp_path: Path, name: str) -> None:
    app, doors = site
    sheet = (ROOT / "sample_games" / "valid" / "score-sheet.csv").read_bytes()
    before = sorted(path.name for path in tmp_path.iterdir())
    app.test_client().post("/api/v1/records", query_string={"name": name}, data=sheet, headers=bearer(doors, "Kathi"))
    with closing(open_read(archive)) as conn:
        (path,) = conn.execute("SELECT path FROM sources ORDER BY id DESC").fetchone()
    assert not set(path) & {"/", "\\"}
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert app.test_client().get(f"/static/{name}", follow_redirects=True).status_code == 404


def test_a_deal_is_not_changed_by_the_address_of_another_evening(site: Site, archive: Path) -> None:
    app, doors = site
    client, header, before = app.test_client(), bearer(doors, "Kathi"), state(archive)
    assert client.post("/evenings/2/deals/8", data=WON | {"outcome": "lost"}, headers=header).status_code == 404
    assert client.post("/evenings/2/acts", data={"act": "undo", "deal": "8"}, headers=header).status_code == 409
    assert client.post("/evenings/99/add", data=WON, headers=header).status_code == 404
    assert state(archive) == before


def test_a_request_that_is_sent_again_does_nothing_more(site: Site) -> None:
    app, doors = site
    client, header = app.test_client(), bearer(doors, "Kathi") | {"Accept": "application/json"}
    outcomes = [client.post("/evenings/1/add", data=WON, headers=header).json for _ in range(3)]
    assert [each["outcome"] for each in outcomes if each] == ["stored", "known", "known"]
    sent = {"set": {"note": "x"}, "why": "x"}
    statuses = [client.post("/api/v1/deals/1/corrections", json=sent, headers=header).status_code for _ in range(2)]
    assert statuses == [200, 409]


def test_a_request_for_the_head_of_a_page_writes_nothing(site: Site, archive: Path) -> None:
    """No form secret is asked of such a request, whatever it sends."""
    app, doors = site
    client, before, fields = signed_in(app, doors, "Kathi"), state(archive), WON | {"player0": "Anna", "player1": "Ben"}
    fields |= {"player2": "Cem", "player3": "Dora", "data": "eA==", "do": "keep"}
    paths = {path: client.get(path).status_code for path in addresses(app)}
    assert {path: client.head(path, data=fields).status_code for path in paths} == paths
    assert state(archive) == before


def test_the_same_ruling_at_the_same_time_is_made_once(site: Site) -> None:
    app, doors = site
    header, payments = bearer(doors, "Kathi"), {"Anna": 60, "Ben": -20, "Cem": -20, "Dora": -20}

    def rule(_: int) -> int:
        sent = {"payments": payments, "why": "x", "cite": "y"}
        return app.test_client().post("/api/v1/deals/8/rulings", json=sent, headers=header).status_code

    with ThreadPoolExecutor(3) as threads:
        with doors.writer.archive():  # all have looked at the deal before the first one is stored
            sent = [threads.submit(rule, each) for each in range(3)]
            time.sleep(0.3)
        assert sorted(each.result() for each in sent) == [200, 409, 409]


def test_a_number_that_no_row_can_have_is_not_there(site: Site) -> None:
    app, doors = site
    client = app.test_client()
    for path in ("/evenings/1/price", "/evenings/1/cards"):
        assert client.post(f"{path}?deal={10**30}", data=WON, headers=bearer(doors, "Kathi")).status_code == 404, path
    assert client.get(f"/rulesets/pub?table={10**30}").status_code == 404


def test_what_an_address_takes_is_said_where_it_does_not_take_something(site: Site) -> None:
    app, doors = site
    refused = app.test_client().put("/api/v1/deals/8/corrections", headers=bearer(doors, "Kathi"))
    assert (refused.status_code, refused.headers["Allow"]) == (405, "OPTIONS, POST")
    assert refused.json["detail"] == "this address takes OPTIONS, POST"
    large = app.test_client().post("/api/v1/records", data=b"x" * (2**23 + 1), headers=bearer(doors, "Kathi"))
    assert large.json["detail"] == "a body may have 8,388,608 bytes here; send it in parts"
    assert app.test_client().put("/cash").headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_no_part_of_a_body_that_is_cut_off_is_taken_for_the_whole() -> None:
    called: list[str] = []

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        called.append("x")

    messages = iter([{"type": "http.request", "body": b"price = 32", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(messages)

    async def nothing(_message: Any) -> None: ...

    scope = {"type": "http", "method": "POST", "headers": [], "path": "/api/v1/records"}
    asyncio.run(whole_bodies(app, lambda _: (MOST_BYTES, 5))(scope, receive, nothing))
    assert called == []


@pytest.mark.parametrize(("parts", "status"), [([b"x" * MOST_BYTES, b"x" * 99], 413), ([b"x"], 400)])
def test_a_body_that_is_too_long_or_too_slow_is_dropped(site: Site, parts: list[bytes], status: int) -> None:
    """The second body never ends."""
    app, doors = site
    statuses: list[int] = []

    async def wsgi(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        client = app.test_client()
        statuses.append(client.post("/api/v1/check", data=body, headers=bearer(doors, "Kathi")).status_code)

    messages = iter({"type": "http.request", "body": part, "more_body": True} for part in parts)

    async def receive() -> Any:
        if (message := next(messages, None)) is not None:
            return message
        if status == 413:
            return {"type": "http.request", "body": b"", "more_body": False}
        return await asyncio.sleep(3600)

    async def nothing(_message: Any) -> None: ...

    scope = {"type": "http", "method": "POST", "headers": [], "path": "/api/v1/check"}
    asyncio.run(whole_bodies(wsgi, lambda _: (MOST_BYTES, 0.2))(scope, receive, nothing))
    assert statuses == [status]
