"""Accounts: signed in by name and password, thrown out when they are revoked, and never in the archive."""

import re
import shlex
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from flask import Flask, render_template_string
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner
from playwright.sync_api import Page, expect
from support import running
from support.accessibility import faults
from support.doors import PASSWORD, add_accounts, bearer, enter, secret_of, signed_in, writing_app
from support.paths import ROOT
from support.web_archive import make_archive
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.store import ArchiveError, open_read
from archive.store.accounts import Accounts, accounts_path
from archive.store.one_writer import OneWriter, WriterBusyError
from archive.store.passwords import is_password
from archive.store.transaction import changing
from archive.web import serve
from archive.web.app import create_app
from archive.web.doors import keys, routes
from archive.web.doors.guard import demands, visitor, writing_archive
from archive.web.doors.keys import Doors, Throttle, open_doors

Site = tuple[Flask, Doors]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = make_archive(tmp_path / "archive.db")
    add_accounts(path, Resi="reader", Wiggerl="writer", Kathi="keeper")
    return path


@pytest.fixture
def site(archive: Path) -> Iterator[Site]:
    with writing_app(archive) as (app, doors):
        yield with_page(app), doors


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Passwords are looked at without work; the ones that were."""
    looked: list[str] = []

    def look(hashed: str | None, password: str) -> bool:
        looked.append(password)
        return hashed is not None and password == PASSWORD

    monkeypatch.setattr(keys, "is_password", look)
    monkeypatch.setattr(routes, "is_password", look)
    return looked


def sign_in(client: FlaskClient, name: str, password: str = PASSWORD, **more: str) -> int:
    return client.post("/sign-in", data={"name": name, "password": password, **more}).status_code


def run(*words: str, stdin: str = "") -> Result:
    return running.run("users", *words, given=stdin)


# --- the command line -------------------------------------------------------------------------------------------------


def test_accounts_are_kept_by_the_command_line(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.db")
    db = ("--db", str(path))
    assert run("add", "Resi", "--role", "writer", "--player", "Anna", *db, stdin="lang genug\n").exit_code == 0
    assert [line.split() for line in run("list", *db).output.splitlines()[2:]] == [["Resi", "writer", "Anna"]]
    assert run("add", "Jo\u0308rg", "--role", "reader", *db, stdin="lang genug\n").exit_code == 0
    assert run("remove", "Jörg", *db).exit_code == 0, "composed or not, it is one name"
    with closing(Accounts(path)) as accounts:
        _, hashed = accounts.password_of("resi") or ("", "")
        assert hashed.startswith("$argon2id$")
        assert is_password(hashed, "lang genug")
        assert not is_password(hashed, "lang genuG")
        assert not is_password(None, "of nobody")
        visit = accounts.new_visit(accounts.account("Resi"), 60)
        token = run("token", "Resi", *db).output.strip()
        assert (accounts.account_of_token(token) or accounts.account("")).name == "Resi"
        assert run("role", "Resi", "referee", *db).exit_code == 0
        assert accounts.account("Resi").role == "referee"
        assert "2 visits and tokens" in run("revoke", "Resi", *db).output
        assert (accounts.account_of_visit(visit), accounts.account_of_token(token)) == (None, None)
        assert run("password", "Resi", *db, stdin="ein anderes\n").exit_code == 0
        assert run("remove", "Resi", *db).exit_code == 0
    assert "no accounts" in run("list", *db).output


REFUSED = (  # words, password, what is said of them
    ("add Resi --role writer", "kurz\n", "8 to 1000 characters"),
    ("add ' Resi' --role writer", PASSWORD, "no blanks around it"),
    ("add 'Re\nsi' --role writer", PASSWORD, "can be read"),
    (f"add {'x' * 81} --role writer", PASSWORD, "1 to 80"),
    ("add kathi --role writer", PASSWORD, "already"),
    ("add Neu --role king", PASSWORD, "reader"),
    ("remove Niemand", "", "no account 'Niemand'"),
    ("token ../../etc/passwd", "", "no account"),
)


def test_what_cannot_be_is_a_sentence(archive: Path) -> None:
    for words, password, sentence in REFUSED:
        outcome = run(*shlex.split(words), "--db", str(archive), stdin=password)
        assert (outcome.exit_code, sentence in outcome.output) == (2, True), outcome.output


def test_a_file_that_has_no_accounts_is_left_alone(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.db")
    make_archive(accounts_path(path))
    with pytest.raises(ArchiveError, match="not a file of accounts"):
        Accounts(path)
    accounts_path(path).unlink()
    accounts_path(path).mkdir()
    with pytest.raises(ArchiveError, match="cannot be used: Is a directory"):
        Accounts(path)


def test_accounts_are_nowhere_in_the_archive(archive: Path, tmp_path: Path) -> None:
    """Nor in what is made of it; and the file is its owner's alone."""
    assert accounts_path(archive).stat().st_mode & 0o077 == 0
    with closing(open_read(archive)) as conn:
        tables = {row[0] for row in conn.execute("SELECT name FROM sqlite_master")}
    assert not tables & {"accounts", "visits", "tokens", "settings"}
    copy = tmp_path / "copy.db"
    assert running.run("backup", copy, "--db", archive).exit_code == 0
    assert b"argon2" not in copy.read_bytes()
    assert not accounts_path(copy).exists()


# --- signing in -------------------------------------------------------------------------------------------------------


def test_who_has_an_account_signs_in_and_out(site: Site) -> None:
    client = site[0].test_client()
    asked = client.get("/tried")
    assert (asked.status_code, asked.headers["Location"]) == (303, "/sign-in?next=/tried")
    answer = client.post("/sign-in", data={"name": "wiggerl", "password": PASSWORD, "next": "/tried"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/tried&came=1")
    on = client.get(answer.headers["Location"])
    assert (on.status_code, on.headers["Location"]) == (303, "/tried")
    assert {"HttpOnly", "SameSite=Lax"} <= set(answer.headers["Set-Cookie"].split("; "))
    page = client.get("/tried").text
    assert "Wiggerl False" in page
    cookie = client.get_cookie("schafkopf")
    assert client.post("/sign-out").status_code == 403
    assert client.post("/sign-out", data={"csrf": secret_of(page)}).status_code == 303
    client.set_cookie("schafkopf", cookie.value)
    assert client.get("/tried").status_code == 303  # the visit has ended, also for whoever copied the cookie


def test_the_page_of_the_own_account_changes_the_password(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    app, doors = site
    client, other = signed_in(app, doors, "Resi"), signed_in(app, doors, "Resi")
    secret = secret_of(client.get("/account").text)
    wrong = client.post("/account", data={"csrf": secret, "password": "falsch", "new": "neues Passwort"})
    short = client.post("/account", data={"csrf": secret, "password": PASSWORD, "new": "kurz"})
    assert (wrong.status_code, short.status_code) == (422, 422)
    answer = client.post("/account", data={"csrf": secret, "password": PASSWORD, "new": "neues Passwort"})
    assert answer.status_code == 303
    assert "is changed" in client.get("/account?done=password").text
    assert other.get("/account").status_code == 303
    assert (sign_in(app.test_client(), "Resi"), sign_in(app.test_client(), "Resi", "neues Passwort")) == (401, 303)
    secret = secret_of(client.get("/account").text)
    monkeypatch.setattr(doors.throttle, "wait", lambda **_by: 61)  # seconds
    waits = client.post("/account", data={"csrf": secret, "password": "falsch", "new": "neues Passwort"})
    assert (waits.status_code, "Try again in 2 min." in waits.text) == (429, True)
    assert client.post("/account", data={"csrf": secret, "act": "everywhere"}).status_code == 303
    assert client.get("/account").status_code == 303


@pytest.mark.parametrize("there", ["//evil.example", "https://evil.example", "/\\evil.example", "\t//evil", ""])
def test_signing_in_leads_to_no_other_site(site: Site, quick: list[str], there: str) -> None:
    client = site[0].test_client()
    answer = client.post("/sign-in", data={"name": "Resi", "password": PASSWORD, "next": there})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/&came=1")
    assert client.get(answer.headers["Location"]).headers["Location"] == "/"


def test_a_browser_that_keeps_no_cookie_says_why_nobody_is_signed_in(site: Site) -> None:
    client = site[0].test_client(use_cookies=False)
    answer = client.post("/sign-in", data={"name": "Resi", "password": PASSWORD, "next": "/tried"})
    page = client.get(answer.headers["Location"])
    assert (page.status_code, "has kept no cookie" in page.text) == (403, True)
    assert 'name="next" value="/tried"' in page.text
    assert "has kept no cookie" not in client.get("/sign-in").text


def test_a_full_disk_says_what_to_do_and_not_where_the_archive_lies(site: Site, archive: Path) -> None:
    app, doors = site
    with doors.writer.archive() as db:
        db.execute("PRAGMA max_page_count = 1")  # it is as large as it may be
    doors.accounts.conn.execute("PRAGMA max_page_count = 1")
    sample = (ROOT / "sample_games" / "valid" / "irregular.toml").read_text("utf-8")
    evening = sample.replace("[[deal]]", f'[[deal]]\nnote = "{Random(1).randbytes(200_000).hex()}"', 1)
    answer = app.test_client().post("/api/v1/records?name=a.toml", data=evening, headers=bearer(doors, "Wiggerl"))
    assert answer.status_code == 503
    assert "There is no room left on the disk of archive.db" in answer.json["detail"]
    assert str(archive.parent) not in answer.text
    resi = doors.accounts.account("Resi")
    with pytest.raises(ArchiveError, match="There is no room left on the disk of"):
        [doors.new_cookie(resi) for _ in range(1_000)]


def test_of_ten_thousand_guesses_five_are_looked_at(site: Site, quick: list[str]) -> None:
    client = site[0].test_client()
    outcomes = [site[1].sign_in("Kathi", f"guess {n}", "127.0.0.1") for n in range(10_000)]
    assert (len(quick), outcomes.count(None)) == (5, 5)
    assert all(isinstance(each, int) for each in outcomes[5:])
    assert sign_in(client, "Kathi", "guess") == 429
    answer = client.post("/sign-in", data={"name": "Kathi", "password": PASSWORD})
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (429, True)
    assert sign_in(client, "Resi") == 303  # others are not kept out


def test_attempts_are_counted_by_name_by_address_and_by_both() -> None:
    now = [0.0]
    throttle = Throttle({"both": 2, "name": 4, "address": 6}, 60, lambda: now[0])

    def attempts(name: str, address: str, count: int) -> list[bool]:
        return [throttle.wait(both=(name, address), name=name, address=address) == 0 for _ in range(count)]

    assert attempts("a", "x", 3) == [True, True, False]
    assert attempts("a", "y", 3) == [True, True, False]
    assert attempts("a", "z", 1) == [False]
    assert [attempts(str(n), "x", 1)[0] for n in range(5)] == [True, True, True, True, False]
    now[0] = 61.0
    assert attempts("a", "x", 1) == [True]


# --- let in -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("signed_ago", "status"), [(0, 200), (keys.LASTS + 1, 303), (-24 * 3600, 200)])
def test_a_cookie_ends_and_outlives_a_clock_that_is_put_back(
    signed_ago: int, status: int, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, doors = site
    now = TimestampSigner.get_timestamp
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) - signed_ago)
    assert signed_in(app, doors, "Wiggerl").get("/tried").status_code == status


def test_the_server_forgets_a_visit_that_has_ended(site: Site) -> None:
    doors = site[1]
    assert doors.accounts.account_of_visit(doors.accounts.new_visit(doors.accounts.account("Resi"), -1)) is None


def test_roles_count_from_the_next_request_on(site: Site) -> None:
    app, doors = site
    client = signed_in(app, doors, "Resi")
    refused = client.get("/tried")
    assert (refused.status_code, "takes the role of a writer; you have that of a reader" in refused.text) == (403, True)
    doors.accounts.set_role(doors.accounts.account("Resi"), "writer")
    assert client.get("/tried").status_code == 200
    doors.accounts.remove(doors.accounts.account("Resi"))
    assert client.get("/tried").status_code == 303


def test_readers_sign_in_where_nothing_can_be_written(archive: Path) -> None:
    with writing_app(archive, writes=False) as (app, doors):
        client = signed_in(with_page(app), doors, "Kathi")
        assert client.get("/account").status_code == 200
        assert client.get("/tried").status_code == 403


def test_without_accounts_there_is_nothing_to_sign_in_to(tmp_path: Path) -> None:
    with writing_app(make_archive(tmp_path / "a.db")) as (app, _):
        client = app.test_client()
        assert [client.get(path).status_code for path in ("/sign-in", "/account")] == [404, 404]
        assert sign_in(client, "Resi") == 404


def test_cookies_outlast_the_server(archive: Path) -> None:
    with writing_app(archive) as (app, doors):
        cookie = signed_in(app, doors, "Wiggerl").get_cookie("schafkopf")
    with writing_app(archive) as (app, doors):
        client = with_page(app).test_client()
        client.set_cookie("schafkopf", cookie.value)
        assert client.get("/tried").status_code == 200


def test_what_is_kept_of_visits_and_tokens_lets_nobody_in(site: Site, archive: Path) -> None:
    app, doors = site
    signed_in(app, doors, "Kathi")
    token = bearer(doors, "Kathi")["Authorization"].partition(" ")[2]
    with closing(sqlite3.connect(accounts_path(archive))) as conn:
        digests = [
            row[0] for row in conn.execute("SELECT hex(sha256) FROM visits UNION SELECT hex(sha256) FROM tokens")
        ]
    assert len(digests) > 1
    assert not any(token in digest or doors.accounts.account_of_token(digest) for digest in digests)


# --- in a browser: signed in on a phone, in both languages ------------------------------------------------------------


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = make_archive(tmp_path_factory.mktemp("club") / "archive.db")
    add_accounts(path, Wiggerl="writer", Kathi="keeper")
    doors = open_doors(path)
    assert doors is not None
    with closing(doors), served(path, doors=doors) as address:
        yield address


def fill(page: Page, password: str, name: str = "Wiggerl") -> None:
    page.locator("[name=name]").fill(name)
    page.locator("[name=password]").fill(password)
    page.locator(".door .btn").first.click()


@pytest.mark.browser
@pytest.mark.parametrize(("language", "wrong"), [("en", "do not belong"), ("de", "gehören nicht zusammen")])
def test_one_signs_in_on_a_phone(club: str, open_page: OpenPage, language: str, wrong: str) -> None:
    page = open_page(viewport=PHONE)
    complaints = complaints_of(page)
    page.goto(f"{club}/sign-in?next=/account&lang={language}")
    fill(page, "falsch falsch")
    expect(page.locator(".refused")).to_contain_text(wrong)
    assert "\n".join(faults(page)) == ""
    assert len(complaints) == 1  # the console tells of the 401
    fill(page, PASSWORD)
    page.get_by_role("heading", name="Wiggerl").wait_for()
    assert page.url.startswith(f"{club}/account")
    assert "\n".join(faults(page)) == ""
    for width in (320, PHONE["width"], 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("footer .btn").click()
    page.locator("footer a[href*='sign-in']").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize(("language", "hidden"), [("en", "its players alone"), ("de", "nur ihre Spieler")])
def test_a_keeper_hides_an_evening_on_a_phone(club: str, open_page: OpenPage, language: str, hidden: str) -> None:
    page = open_page(viewport=PHONE)
    complaints = complaints_of(page)
    page.goto(f"{club}/sign-in?next=/sessions/1%3Flang%3D{language}")
    fill(page, PASSWORD, "Kathi")
    page.locator(".acts a[href*='/privacy?session=1']").click()
    page.locator("[name=audience]").first.select_option("players")
    page.locator(".door .btn").click()
    page.get_by_text(hidden).last.wait_for()
    assert "\n".join(faults(page)) == ""
    for width in (320, PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("li .btn").click()
    page.locator("li .btn").wait_for(state="detached")
    page.goto(f"{club}/import")
    wide = "document.documentElement.style.fontSize = '200%', document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= PHONE["width"], "in large letters too"
    assert complaints == []


# --- without accounts: whoever has the link of the terminal writes, by forms of their own, one at a time --------------


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "archive.db")


def with_page(app: Flask) -> Flask:
    """A page that writes a note of who was there, and one for referees."""

    @app.route("/tried", methods=["GET", "POST"])
    @demands("writer")
    def tried() -> str:
        who = visitor()
        with writing_archive() as db, changing(db.conn):
            db.execute("UPDATE sessions SET note = ?", (who.name,))
        return render_template_string("<form>{{ csrf_field() }}{{ visitor().name }} {{ may('keeper') }}</form>")

    return app


@pytest.fixture
def linked(bare: Path) -> Iterator[tuple[FlaskClient, Doors]]:
    with writing_app(bare) as (app, doors):
        yield with_page(app).test_client(), doors


def note(archive: Path) -> str | None:
    with closing(sqlite3.connect(archive)) as conn:
        return str(conn.execute("SELECT note FROM sessions").fetchone()[0])


def test_nothing_can_be_written_where_the_server_only_reads(bare: Path) -> None:
    client = with_page(create_app(bare)).test_client()
    before = note(bare)
    for answer in (client.get("/tried"), client.post("/tried"), client.get("/enter?token=x")):
        assert (answer.status_code, "start it with --write" in answer.text) == (403, True)
    assert client.post("/deals/1").status_code == 405
    assert note(bare) == before


def test_the_link_lets_in_once_and_does_not_stay_in_the_address(bare: Path, linked: tuple[FlaskClient, Doors]) -> None:
    client, doors = linked
    assert client.get("/tried").status_code == 401
    token = doors.new_link_token()
    answer = client.get(f"/enter?token={token}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/enter?came=1")
    assert client.get("/enter?came=1").headers["Location"] == "/"
    cookie = answer.headers["Set-Cookie"]
    assert token not in cookie
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    page = client.get("/tried")
    assert (page.status_code, "Vroni True" in page.text) == (200, True)
    again = client.get(f"/enter?token={token}")
    assert (again.status_code, "used already" in again.text) == (403, True)
    assert note(bare) == "Vroni"


def test_a_browser_that_keeps_no_cookie_says_that_the_link_let_nobody_in(linked: tuple[FlaskClient, Doors]) -> None:
    app, doors = linked[0].application, linked[1]
    client = app.test_client(use_cookies=False)
    answer = client.get(client.get(f"/enter?token={doors.new_link_token()}").headers["Location"])
    assert answer.status_code == 403
    assert "has kept no cookie" in answer.text
    assert "The newest link stands in the terminal." in answer.text


def test_behind_tls_the_cookie_goes_nowhere_else(linked: tuple[FlaskClient, Doors]) -> None:
    client, doors = linked
    answer = client.get(f"/enter?token={doors.new_link_token()}", base_url="https://club.example")
    assert "Secure" in answer.headers["Set-Cookie"].split("; ")


def test_a_form_needs_the_secret_of_its_own_visit(linked: tuple[FlaskClient, Doors]) -> None:
    client, doors = linked
    secret = secret_of(enter(client, doors).get("/tried").text)
    assert client.post("/tried", data={"csrf": secret}).status_code == 200
    assert client.post("/tried", headers={"X-CSRF-Token": secret}).status_code == 200
    other = client.application.test_client()
    others = secret_of(enter(other, doors).get("/tried").text)
    for given in ({}, {"csrf": ""}, {"csrf": others}, {"csrf": secret + "x"}):
        answer = client.post("/tried", data=given)
        assert (answer.status_code, "does not come from your own visit" in answer.text) == (403, True)
    foreign = client.post("/tried", data={"csrf": secret}, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403


def test_every_page_varies_by_who_is_signed_in(linked: tuple[FlaskClient, Doors]) -> None:
    client, _ = linked
    assert "Cookie" in client.get("/").headers["Vary"]


def test_writing_is_for_this_machine_alone_without_accounts_and_an_address_is_named_or_looked_for(bare: Path) -> None:
    refused = dict.fromkeys(("--write --host 0.0.0.0", "--write --behind-proxy"), "takes accounts")
    for words, says in (refused | {"--lan --host 127.0.0.1": "--lan finds the address by itself"}).items():
        outcome = running.run("serve", *words.split(), "--db", bare)
        assert (outcome.exit_code, says in outcome.output) == (2, True), words


def test_a_phone_in_the_same_network_is_given_an_address_and_a_code(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr(serve, "serve_archive", lambda *given, **_: served.append(given[1:]))
    monkeypatch.setattr(serve, "address_in_network", lambda: "192.168.1.7")
    words = ["serve", "--write", "--lan", "--db", str(bare)]
    assert running.run(*words, SCHAFKOPF_LANG="de").exit_code == 0
    assert served == [("192.168.1.7", 8001, "de", True)]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with closing(open_doors(bare, "Vroni", True)) as doors:
        assert doors
        serve.print_links(doors, "http://192.168.1.7:8001", "de", True)
    printed = capsys.readouterr().out
    assert re.search(r"Zum Schreiben http://192\.168\.1\.7:8001/enter\?token=\S+ öffnen", printed)
    assert printed.count("█") > 100


def test_without_a_network_no_phone_is_promised_anything(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in (None, "127.0.0.1"):
        monkeypatch.setattr(serve, "address_in_network", lambda address=address: address)
        outcome = running.run("serve", "--lan", "--db", bare)
        assert (outcome.exit_code, "is in no network" in outcome.output) == (2, True)


def test_one_thread_writes_at_a_time(bare: Path) -> None:
    """Forty threads count one number up; who waits too long is told to come again."""
    writer = OneWriter(bare)

    def count() -> None:
        with writer.archive() as db, changing(db.conn):
            (told,) = db.conn.execute("SELECT coalesce(note, '0') FROM sessions").fetchone()
            db.execute("UPDATE sessions SET note = ?", (str(int(told) + 1),))

    with writer.archive() as db, changing(db.conn):
        db.execute("UPDATE sessions SET note = '0'")
    threads = [threading.Thread(target=count) for _ in range(40)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert note(bare) == "40"
    writer.patience = 0.01
    with writer.archive(), pytest.raises(WriterBusyError), writer.archive():
        pass
    writer.close()
    with pytest.raises(WriterBusyError), writer.archive():
        pass


def test_what_a_page_began_and_did_not_end_is_undone(bare: Path) -> None:
    with closing(OneWriter(bare)) as writer:
        with writer.archive() as db:
            db.conn.execute("BEGIN")
            db.conn.execute("UPDATE sessions SET note = 'half'")
        assert note(bare) != "half"


def test_the_doors_of_an_archive_that_is_not_there_make_one(tmp_path: Path) -> None:
    with closing(open_doors(tmp_path / "new.db")) as doors, doors.writer.archive() as db:
        assert db.table("deals").count == 0
