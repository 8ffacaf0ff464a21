"""The answer to a writer about what they may not see is the answer of an archive in which that is not."""

import io
import re
import tomllib
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.copied_folders import copy_filled
from support.doors import add_accounts, bearer, secret_of, signed_in, writing_app
from support.running import run
from support.store_samples import store

from archive import generate
from archive.judge import judge_session
from archive.notation import write_toml
from archive.record import Deal, Session
from archive.store import FileMeta, open_archive, open_read, save_file
from archive.store.accounts import Accounts
from archive.store.live_evenings import Device, add_deal, begin_evening
from archive.store.people import merge_players
from archive.store.privacy import deals_told_again, hidden_from, set_audience

HIDDEN = ("Geheimlois", "Geheimgirgl", "Geheimzenz", "Geheimresi")
HEAD = Session(players=HIDDEN, rules="pub", date="2026-11-20", event="Geheimrunde")
OPEN = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub", date="2026-11-19")
PATH = "evening.toml"


def evening() -> list[Deal]:
    """Three deals with all their cards."""
    return [generate.deal(Random(n), HEAD, "rufspiel", dealer=n, state=("payments",)) for n in range(3)]


def sheet(names: tuple[str, ...] = HIDDEN, deals: slice = slice(0, 3), note: str | None = None, **head: Any) -> str:
    """The evening as a file, under the names of its players or others."""
    fields = {"players": names, "rules": "pub", "date": "2026-11-20", "event": "Abend", "note": note} | head
    return write_toml(Session(**fields), evening()[deals])


def archive_with(path: Path, *, hidden: bool) -> Path:
    """An archive with a session for everybody, and with one for its players alone or without it."""
    db = open_archive(path)
    files = [("open.toml", OPEN, [Deal(id="open-1", game=None)]), (PATH, HEAD, evening())]
    for name, head, deals in files if hidden else files[:1]:
        store(db, write_toml(head, deals), name)
    if hidden:
        set_audience(db, "session", 2, "players", "Kathi")
    db.conn.close()
    add_accounts(path, Ben="writer", Kathi="keeper")
    return path


def both(folder: Path) -> None:
    for hidden in (True, False):
        archive_with(folder / f"{hidden}.db", hidden=hidden)


OWN = ("Ida", "Uli", "Toni", "Sepp")
SENT = {
    "the same cards under other names": ("other.toml", sheet(OWN)),
    "the same deals in other words": ("other.toml", sheet(note="told again")),
    "a part of it": ("other.toml", sheet(deals=slice(0, 1))),
    "a later state of the file": (PATH, sheet(deals=slice(0, 2), note="told again")),
    "another download of the file": ("evening (1).toml", sheet(deals=slice(0, 2))),
    "names that are nearly those": ("other.toml", sheet(("Geheimloiss", "Geheimgirgel", "Geheimzens", "Geheimresl"))),
}


def without_numbers(text: str) -> str:
    """An answer with its numbers, hashes and secrets left out: what is not seen has taken some of them."""
    text = re.sub(r'value="[^"]{20,}"|[A-Za-z0-9_-]{20,}', "", text)
    return re.sub(r"\d+", "0", text)


def answers(path: Path, name: str, text: str) -> list[tuple[int, str]]:
    """What a writer is answered: the preview, the interface, the page after keeping."""
    with writing_app(path) as (app, doors):
        client = signed_in(app, doors, "Ben")
        preview = preview_of(client, name, text)
        sent = client.post(
            "/api/v1/records", data=text.encode(), query_string={"name": name}, headers=bearer(doors, "Ben")
        )
        after = client.get("/sessions"), client.get("/players"), client.get("/")
        return [(each.status_code, without_numbers(each.text)) for each in (preview, sent, *after)]


def preview_of(client: FlaskClient, name: str, text: str) -> Any:
    secret = secret_of(client.get("/import").text)
    return client.post("/import", data={"csrf": secret, "do": "preview", "file": (io.BytesIO(text.encode()), name)})


@pytest.mark.parametrize("kind", SENT)
def test_the_answer_is_that_of_an_archive_without_what_is_not_seen(kind: str, tmp_path: Path) -> None:
    name, text = SENT[kind]
    copy_filled(both, tmp_path)
    seen, expected = (answers(tmp_path / f"{each}.db", name, text) for each in (True, False))
    assert seen == expected
    assert "Geheim" in text or not any("Geheim" in each for _, each in seen)


def test_the_same_bytes_tell_only_that_they_are_known(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive.db", hidden=True)
    with writing_app(path) as (app, doors):
        text = write_toml(HEAD, evening()).encode()
        sent = app.test_client().post("/api/v1/records", data=text, headers=bearer(doors, "Ben"))
    assert (sent.json["added"], sent.json["sessions"], sent.json["changed"], sent.json["findings"]) == (0, [], [], [])


def test_a_keeper_is_told_which_deals_are_told_again(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive.db", hidden=True)
    with writing_app(path) as (app, doors):
        app.test_client().post("/api/v1/records", data=sheet(OWN).encode(), headers=bearer(doors, "Ben"))
        page = signed_in(app, doors, "Kathi").get("/privacy").text
    assert "Told again" in page
    with closing(open_read(path)) as conn:
        assert deals_told_again(conn) == [(2, 5), (3, 6), (4, 7)]
    listed = run("visibility", "list", "--db", path, SCHAFKOPF_LANG="en")
    assert "deal 5 is told in the words or cards of deal 2" in listed.output


def test_a_keeper_who_sends_it_is_told_what_sources_tell_differently(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive.db", hidden=True)
    with writing_app(path) as (app, doors):
        sent = app.test_client().post("/api/v1/records", data=sheet(OWN).encode(), headers=bearer(doors, "Kathi"))
    assert (sent.json["added"], sent.json["known"]) == (0, 3)
    assert any(each["rule"] == "sources-differ" for each in sent.json["findings"])


def test_a_file_of_which_a_part_is_hidden_has_the_rest_and_stays(tmp_path: Path) -> None:
    """The writer is told of no more deals than can be seen, of no other name of a player that is written in a hidden
    evening alone, and does not take back what cannot be seen."""
    path = archive_with(tmp_path / "archive.db", hidden=False)
    db, head = open_archive(path), Session(players=("Anna", "Ben", "Cem", "Emil"), rules="pub", date="2026-11-20")
    pairs = [(one, each) for one in (head, HEAD) for each in judge_session(one, evening()[: 2 if one is head else 3])]
    save_file(db, FileMeta("both.toml", "record"), b"both", pairs)
    set_audience(db, "session", 3, "players", "Kathi")
    merge_players(db, [HIDDEN[0]], "Dora", "Kathi", "one person")
    db.conn.close()
    with writing_app(path) as (app, doors):
        client = signed_in(app, doors, "Ben")
        paths = ("/import/2", "/import", "/players", "/players/4", "/api/v1/players/4")
        pages = [client.get(each).text for each in paths]
        assert "Kept: 2 deals." in pages[0]
        assert [each for each in pages if "Geheim" in each] == []
        undo = {"csrf": secret_of(pages[1]), "do": "undo"}
        assert client.post("/import/2", data=undo).status_code == 403
        assert signed_in(app, doors, "Kathi").get("/deals/4").status_code == 200


def test_a_tapped_deal_with_the_cards_of_a_hidden_one_is_one_of_its_own_evening(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive.db", hidden=True)
    with closing(Accounts(path)) as accounts:
        ben = accounts.account("Ben")
    db = open_archive(path)
    number = begin_evening(db, Session(players=OWN, rules="pub", date="2026-11-28"), "Ben")
    text = sheet(OWN, slice(0, 1))
    entries = entries_of(text) | {"id": "a"}
    added = add_deal(db, number, entries, "Ben", True, Device("phone"), hidden_from(db.conn, ben))
    assert added.outcome == "stored"
    assert db.conn.execute("SELECT session_id, own_id FROM records WHERE id = ?", (added.deal,)).fetchone() == (3, "a")
    db.conn.close()


def entries_of(text: str) -> dict[str, Any]:
    (deal,) = tomllib.loads(text)["deal"]
    return deal
