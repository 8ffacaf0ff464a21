"""`/cash`: everybody who sees the whole archive sees who owes what; writers say what was paid, without a script too."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import expect
from support.accessibility import faults
from support.doors import PASSWORD, add_accounts, secret_of, signed_in, writing_app
from support.web_archive import make_archive
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.store import open_archive, open_read
from archive.store.cash_book import CashEntry, cash_accounts, cash_entries
from archive.store.privacy import set_audience
from archive.web.app import create_app
from archive.web.doors.keys import Doors, open_doors

ROLES = ("reader", "writer", "referee", "keeper")


@pytest.fixture(name="archive")
def archive_of(tmp_path: Path) -> Path:
    path = make_archive(tmp_path / "archive.db")
    add_accounts(path, reader="reader", writer="writer", referee="referee", keeper="keeper")
    return path


@pytest.fixture(name="site")
def site_of(archive: Path) -> Iterator[tuple[Flask, Doors]]:
    with writing_app(archive) as site:
        yield site


def entries(path: Path) -> list[CashEntry]:
    with closing(open_read(path)) as conn:
        return cash_entries(conn)


def balance(path: Path, player: str) -> int:
    with closing(open_read(path)) as conn:
        return next(each.balance for each in cash_accounts(conn) if (each.player, each.unit) == (player, "ct"))


def send(site: tuple[Flask, Doors], role: str, at: str = "/cash", **fields: str) -> tuple[int, str]:
    """What a form of an account is answered with."""
    client = signed_in(*site, role)
    sent = {"csrf": secret_of(client.get("/account").text), "act": "paid", "player": "Anna", "amount": "12,50"}
    answer = client.post(at, data=sent | fields)
    return answer.status_code, answer.text


def test_a_form_that_is_sent_again_enters_nothing_more(site: tuple[Flask, Doors], archive: Path) -> None:
    client = signed_in(*site, "writer")
    page = client.get("/cash").text
    once = re.findall(r'name="once" value="([^"]+)"', page)
    assert len(set(once)) == page.count('action="/cash"'), "each form is another one"
    sent = {"csrf": secret_of(page), "act": "paid", "player": "Anna", "amount": "5", "once": once[0]}
    assert [client.post("/cash", data=sent).status_code for _ in range(2)] == [303, 303]
    assert [each.amount for each in entries(archive)] == [500]
    client.post("/cash", data=sent | {"amount": "6"})  # after the back button it is another one
    client.post("/cash", data=sent | {"once": "of the next page"})
    assert [each.amount for each in entries(archive)] == [500, 600, 500]


def test_everybody_sees_the_list_and_writers_alone_the_form(site: tuple[Flask, Doors], archive: Path) -> None:
    for role in (None, *ROLES):
        client = site[0].test_client() if role is None else signed_in(*site, role)
        page = client.get("/cash")
        assert page.status_code == 200
        assert "Who owes what" in page.text
        assert ('action="/cash"' in page.text) == (role in ROLES[1:])
    assert "Wer was schuldet" in create_app(archive).test_client().get("/cash?lang=de").text


@pytest.mark.parametrize("role", ROLES)
def test_who_writes_writes_down_what_was_paid(site: tuple[Flask, Doors], archive: Path, role: str) -> None:
    before, may = balance(archive, "Anna"), role != "reader"
    assert send(site, role, to="Ben", note="by hand")[0] == (303 if may else 403)
    assert [(each.player, each.to, each.amount, each.author, each.note) for each in entries(archive)] == (
        [("Anna", "Ben", 1250, role, "by hand")] if may else []
    )
    assert balance(archive, "Anna") == before + 1250 * may
    assert send(site, role, "/cash/1/undo")[0] == (303 if may else 403)
    assert balance(archive, "Anna") == before
    assert len(entries(archive)) == 2 * may


@pytest.mark.parametrize(
    ("act", "kind", "amount"),
    [("paid", "paid", 500), ("received", "paid", -500), ("owed", "carried", -500), ("credit", "carried", 500)],
)
def test_what_a_form_can_tell(site: tuple[Flask, Doors], archive: Path, act: str, kind: str, amount: int) -> None:
    assert send(site, "writer", act=act, amount="5", day="2026-11-20")[0] == 303
    (entry,) = entries(archive)
    assert (entry.kind, entry.amount, entry.unit, entry.day, entry.to) == (kind, amount, "ct", "2026-11-20", None)


REFUSED = (
    ("player", "Ana", "Nobody in the archive is called &#39;Ana&#39;. Did you mean"),
    ("amount", "viel", "is no amount"),
    ("amount", "-5", "is no amount"),
    ("amount", "0", "changes nothing"),
    ("unit", "gold", "is no amount"),
    ("to", "Anna", "both who pays"),
    ("day", "gestern", "is not a day"),
    ("to", "Xaver", "called &#39;Xaver&#39;"),
)


def test_what_cannot_be_stands_in_the_form(site: tuple[Flask, Doors], archive: Path) -> None:
    for key, told, sentence in REFUSED:
        status, page = send(site, "writer", **{key: told})
        assert (status, sentence in page) == (422, True), page
        assert f'value="{told if key == "amount" else "12,50"}"' in page
    assert entries(archive) == []


def test_an_entry_is_taken_back_once(site: tuple[Flask, Doors], archive: Path) -> None:
    send(site, "writer")
    assert [send(site, "writer", f"/cash/{number}/undo")[0] for number in (1, 1, 2, 9)] == [303, 409, 409, 409]
    assert len(entries(archive)) == 2


def test_who_does_not_see_every_evening_sees_no_cash_book(site: tuple[Flask, Doors], archive: Path) -> None:
    """Its sums would tell of the evening that is hidden."""
    send(site, "writer", note="a word of it")
    with closing((db := open_archive(archive)).conn):
        set_audience(db, "session", 1, "players", "keeper")
    for role in (None, "reader", "writer"):
        client = site[0].test_client() if role is None else signed_in(*site, role)
        page = client.get("/cash").text
        assert "Some evenings are not for you" in page
        assert "a word of it" not in page
        assert "12.50" not in page
    assert "a word of it" in signed_in(*site, "keeper").get("/cash").text
    assert send(site, "writer")[0] == send(site, "writer", "/cash/1/undo")[0] == 403
    assert len(entries(archive)) == 1


def test_without_an_archive_the_page_is_there(tmp_path: Path) -> None:
    assert create_app(tmp_path / "none.db").test_client().get("/cash").status_code == 200


@pytest.mark.one_in(2)
@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "paid", "back"), [("en", "This is paid", "Take back"), ("de", "Ist gezahlt", "Zurücknehmen")]
)
@pytest.mark.parametrize("script", [True, False])
def test_a_payment_is_written_down_and_taken_back_on_a_phone(
    tmp_path: Path, open_page: OpenPage, language: str, paid: str, back: str, script: bool
) -> None:
    path = make_archive(tmp_path / "archive.db")
    add_accounts(path, Wiggerl="writer")
    doors = open_doors(path)
    assert doors is not None
    with closing(doors), served(path, doors=doors) as address:
        page = open_page(viewport=PHONE, java_script_enabled=script)
        complaints = complaints_of(page)
        page.goto(f"{address}/sign-in?next=/cash&lang={language}")
        page.locator("[name=name]").fill("Wiggerl")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator(".door .btn").first.click()
        page.goto(f"{address}/cash?lang={language}")
        page.locator(".door [name=player]").fill("Anna")
        page.locator(".door [name=amount]").fill("7,20")
        page.locator(".door [name=to]").fill("Ben")
        page.locator(".door .btn").click()
        expect(page.locator("ol.cash li")).to_have_count(1)
        page.get_by_role("button", name=paid).first.click()
        expect(page.locator("ol.cash li")).to_have_count(2)
        page.get_by_role("button", name=back).first.click()
        expect(page.locator("ol.cash li")).to_have_count(3)
        for width in (320, 360, PHONE["width"], 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert not script or page.evaluate("document.documentElement.scrollWidth") <= width
        assert not script or "\n".join(faults(page)) == ""
        assert complaints == []
    first, second, third = entries(path)[::-1]
    assert (first.player, first.to, first.amount) == ("Anna", "Ben", 720)
    assert (third.undoes, third.amount) == (second.id, -second.amount)
