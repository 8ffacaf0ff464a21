"""Who may write: nobody where the server only reads, whoever has the link of the terminal, by forms of their own."""

import re
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient
from support.doors import enter, secret_of, writing_app
from support.running import run
from support.web_archive import make_archive

from archive.store.one_writer import OneWriter, WriterBusyError
from archive.store.transaction import changing
from archive.web import serve
from archive.web.app import create_app
from archive.web.doors.guard import demands, visitor, writing_archive
from archive.web.doors.keys import Doors, open_doors


@pytest.fixture
def archive(tmp_path: Path) -> Path:
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
def site(archive: Path) -> Iterator[tuple[FlaskClient, Doors]]:
    with writing_app(archive) as (app, doors):
        yield with_page(app).test_client(), doors


def note(archive: Path) -> str | None:
    with closing(sqlite3.connect(archive)) as conn:
        return str(conn.execute("SELECT note FROM sessions").fetchone()[0])


def test_nothing_can_be_written_where_the_server_only_reads(archive: Path) -> None:
    client = with_page(create_app(archive)).test_client()
    before = note(archive)
    for answer in (client.get("/tried"), client.post("/tried"), client.get("/enter?token=x")):
        assert (answer.status_code, "start it with --write" in answer.text) == (403, True)
    assert client.post("/deals/1").status_code == 405
    assert note(archive) == before


def test_the_link_lets_in_once_and_does_not_stay_in_the_address(archive: Path, site: tuple[FlaskClient, Doors]) -> None:
    client, doors = site
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
    assert note(archive) == "Vroni"


def test_a_browser_that_keeps_no_cookie_says_that_the_link_let_nobody_in(site: tuple[FlaskClient, Doors]) -> None:
    app, doors = site[0].application, site[1]
    client = app.test_client(use_cookies=False)
    answer = client.get(client.get(f"/enter?token={doors.new_link_token()}").headers["Location"])
    assert answer.status_code == 403
    assert "has kept no cookie" in answer.text
    assert "The newest link stands in the terminal." in answer.text


def test_behind_tls_the_cookie_goes_nowhere_else(site: tuple[FlaskClient, Doors]) -> None:
    client, doors = site
    answer = client.get(f"/enter?token={doors.new_link_token()}", base_url="https://club.example")
    assert "Secure" in answer.headers["Set-Cookie"].split("; ")


def test_a_form_needs_the_secret_of_its_own_visit(site: tuple[FlaskClient, Doors]) -> None:
    client, doors = site
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


def test_every_page_varies_by_who_is_signed_in(site: tuple[FlaskClient, Doors]) -> None:
    client, _ = site
    assert "Cookie" in client.get("/").headers["Vary"]


def test_writing_is_for_this_machine_alone_without_accounts(archive: Path) -> None:
    for more in (["--host", "0.0.0.0"], ["--behind-proxy"]):
        outcome = run("serve", "--write", *more, "--db", archive)
        assert (outcome.exit_code, "takes accounts" in outcome.output) == (2, True)


def test_a_phone_in_the_same_network_is_given_an_address_and_a_code(
    archive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr(serve, "serve_archive", lambda *given, **_: served.append(given[1:]))
    monkeypatch.setattr(serve, "address_in_network", lambda: "192.168.1.7")
    words = ["serve", "--write", "--lan", "--db", str(archive)]
    assert run(*words, SCHAFKOPF_LANG="de").exit_code == 0
    assert served == [("192.168.1.7", 8001, "de", True)]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with closing(open_doors(archive, "Vroni", True)) as doors:
        assert doors
        serve.print_links(doors, "http://192.168.1.7:8001", "de", True)
    printed = capsys.readouterr().out
    assert re.search(r"Zum Schreiben http://192\.168\.1\.7:8001/enter\?token=\S+ öffnen", printed)
    assert printed.count("█") > 100


def test_an_address_is_named_or_looked_for_and_not_both(archive: Path) -> None:
    outcome = run("serve", "--lan", "--host", "127.0.0.1", "--db", archive)
    assert (outcome.exit_code, "--lan finds the address by itself" in outcome.output) == (2, True)


def test_without_a_network_no_phone_is_promised_anything(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in (None, "127.0.0.1"):
        monkeypatch.setattr(serve, "address_in_network", lambda address=address: address)
        outcome = run("serve", "--lan", "--db", archive)
        assert (outcome.exit_code, "is in no network" in outcome.output) == (2, True)


def test_one_thread_writes_at_a_time(archive: Path) -> None:
    """Forty threads count one number up; who waits too long is told to come again."""
    writer = OneWriter(archive)

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
    assert note(archive) == "40"
    writer.patience = 0.01
    with writer.archive(), pytest.raises(WriterBusyError), writer.archive():
        pass
    writer.close()
    with pytest.raises(WriterBusyError), writer.archive():
        pass


def test_what_a_page_began_and_did_not_end_is_undone(archive: Path) -> None:
    with closing(OneWriter(archive)) as writer:
        with writer.archive() as db:
            db.conn.execute("BEGIN")
            db.conn.execute("UPDATE sessions SET note = 'half'")
        assert note(archive) != "half"


def test_the_doors_of_an_archive_that_is_not_there_make_one(tmp_path: Path) -> None:
    with closing(open_doors(tmp_path / "new.db")) as doors, doors.writer.archive() as db:
        assert db.table("deals").count == 0
