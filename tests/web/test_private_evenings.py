"""An evening that is not for everybody, and a name that is hidden, on every way out of a server: pages, search, the
interface, SQL, files, pictures and the questions' counts. What stands in the private evening stands nowhere else."""

import io
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event, Semaphore
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.asgi import request
from support.copied_folders import copy_filled
from support.doors import add_accounts, bearer, enter, secret_of, signed_in, writing_app
from support.running import run
from support.store_samples import store
from support.web_archive import make_archive

from archive import generate
from archive.cli.inputs import read_pasted
from archive.judge import judge_session
from archive.notation import write_toml
from archive.privacy.public_copy import write_copy
from archive.record import Deal, Session
from archive.store import Database, FileMeta, Readers, open_archive, open_read, rehearsal, save_file
from archive.store.accounts import Account, Accounts
from archive.store.live_evenings import Device, add_deal, begin_evening, live_evening
from archive.store.people import merge_players
from archive.store.privacy import Hidden, deals_told_again, hidden_from, restrictions, set_audience
from archive.store.transaction import writing
from archive.web import audiences
from archive.web.app import create_app
from archive.web.serve import Site

SECRET = "Geheimnisz"  # in each name, place and note of the private evening
PRIVATE = f"""format = "schafkopf-record/1"
date = 2026-11-20
rules = "pub"
event = "{SECRET}-Runde"
place = "{SECRET}-Wirt"
recorder = "{SECRET}Schreiber"
note = "{SECRET} im Stüberl"
players = ["{SECRET}Lois", "Anna", "{SECRET}Girgl", "{SECRET}Zenz"]

[[deal]]
id = "{SECRET}-1"
note = "{SECRET} hat gelacht"
game = "{SECRET}Lois solo H"
stated.won = true
stated.runners = 2
stated.payments = [90, -30, -30, -30]
correction = [{{ by = "{SECRET}Sepp", when = "2026-11-21", why = "{SECRET}", set = {{ note = "{SECRET}" }} }}]
"""
PATHS = (
    "/", "/sessions", "/sessions/2", "/sessions/2.toml", "/sessions/2.csv", "/sessions/2/plot.json", "/players",
    "/players/5", "/sessions/2/end", "/sessions/2/picture.png",
    "/findings", "/stats", "/stats/balances", "/stats/runners_and_winning", "/stats/fairness",
    "/search?q=Geheimni", "/?q=Geheimni", "/?name=Geheimni",
    "/deals/8", "/deals/8/dossier", "/deals/8.png", "/sessions/2.png",
    "/embed/8", "/evenings", "/rulesets", "/rulesets/pub", "/price", "/check",
    "/api/v1", "/api/v1/deals", "/api/v1/deals/8", "/api/v1/deals/8/record", "/api/v1/sessions", "/api/v1/sessions/2",
    "/api/v1/players", "/api/v1/players/5", "/api/v1/findings", "/api/v1/records", "/api/v1/records?session=2",
    "/api/v1/questions/balances",
)  # fmt: skip


def fill(folder: Path) -> None:
    path, sheet = make_archive(folder / "archive.db"), folder / f"{SECRET}.toml"
    sheet.write_text(PRIVATE, "utf-8")
    done = run("import", sheet, "--db", path)
    assert "1 deal added" in done.output, done.output
    assert run("visibility", "set", "session", "2", "players", "--by", "Kathi", "--db", path).exit_code == 0


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Session 1 for everybody; session 2, deal 8, for its players, of whom one sits in the first too."""
    copy_filled(fill, tmp_path)
    return tmp_path / "archive.db"


def words_of(path: Path) -> str:
    """Everything that stands in the file of an archive, what is packed in it unpacked."""
    with closing(open_read(path)) as conn:
        tables = [row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [str(tuple(row)) for table in tables for row in conn.execute(f'SELECT * FROM "{table}"')]
    records = run("export", "--db", path).output
    return "\n".join(rows) + records


def public_copy(archive: Path, target: Path, account: Account | None = None) -> Path:
    with closing(open_read(archive)) as conn:
        hidden = hidden_from(conn, account)
    write_copy(archive, target, hidden)
    return target


# --- the copy -----------------------------------------------------------------------------------------------------


def test_the_copy_of_strangers_has_nothing_of_a_private_evening(archive: Path, tmp_path: Path) -> None:
    """Neither in the index of notes, which keeps words of notes that are gone, nor in SQLite's last number of a table
    and a ruleset's games; facts are counted for every question, and a count that stayed would tell of the evening."""
    assert SECRET in words_of(archive)
    copy = public_copy(archive, tmp_path / "public.db")
    assert SECRET not in words_of(copy)
    (tmp_path / "alone").mkdir()
    with closing(open_read(copy)) as conn, closing(open_read(make_archive(tmp_path / "alone" / "archive.db"))) as alone:
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        assert tuple(conn.execute("SELECT count(*), max(id) FROM deals").fetchone()) == (7, 7)
        counted = [row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE name LIKE '%_facts'")]
        assert len(counted) > 20
        kept = ("SELECT ruleset_id, contract, suit FROM contracts", "SELECT name, seq FROM sqlite_sequence")
        for sql in (*kept, *(f"SELECT * FROM {name}" for name in counted)):
            one, other = (sorted(map(tuple, each.execute(sql)), key=repr) for each in (conn, alone))
            assert one == other, sql
        index = b"".join(row[0] for row in conn.execute("SELECT block FROM notes_fts_data"))
        assert SECRET.lower().encode() not in index
        assert conn.execute("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'Anna OR a*'").fetchone()[0]


def test_a_hidden_name_is_a_number_for_strangers_alone(archive: Path, tmp_path: Path) -> None:
    with closing(open_archive(archive).conn) as conn:
        (cem,) = conn.execute("SELECT id FROM players WHERE name = 'Cem'").fetchone()
    assert run("visibility", "set", "player", "Cem", "accounts", "--by", "K", "--db", archive).exit_code == 0
    copy = words_of(public_copy(archive, tmp_path / "public.db"))
    assert (re.search(r"\bCem\b", copy), f"Player {cem}" in copy) == (None, True)
    accounts = add_accounts(archive, Vroni="reader")
    assert "Cem" in words_of(public_copy(archive, tmp_path / "accounts.db", accounts["Vroni"]))


def test_who_sees_an_evening(archive: Path) -> None:
    accounts = add_accounts(archive, Anna="writer", Ben="referee", Kathi="keeper")
    expected = {None: {2}, "Anna": set(), "Ben": {2}, "Kathi": set()}
    with closing(open_archive(archive).conn) as conn:
        seen = {name: set(hidden_from(conn, name and accounts[name]).sessions) for name in expected}
    assert seen == expected
    with rehearsal(archive) as db:
        set_audience(db, "session", 2, "accounts", "Kathi")
        assert [bool(hidden_from(db.conn, each)) for each in (None, *accounts.values())] == [True, False, False, False]
        set_audience(db, "session", 2, None, "Kathi")
        assert list(restrictions(db.conn)) == []
        assert not hidden_from(db.conn, None)


# --- served -------------------------------------------------------------------------------------------------------


def test_a_stranger_finds_no_word_of_it_on_any_page(archive: Path) -> None:
    client = create_app(archive, read_pasted).test_client()
    for path in PATHS:
        answer = client.get(path)
        assert SECRET not in answer.get_data(as_text=True), path
        if re.search(r"/(sessions/2|deals/8|embed/8|players/5)", path):
            assert answer.status_code == 404 or "records" in path, path


def test_a_stranger_finds_nothing_by_sql_of_his_own(archive: Path) -> None:
    queries = (
        "select * from main.sessions", "select * from players", "select raw, path from sources",
        "select * from records",
        "select * from notes", "select * from notes_fts", "select * from privacy", "select * from corrections",
        "select sql from sqlite_master", "select * from ledger",
    )  # fmt: skip
    paths = [f"/data.json?sql={query.replace(' ', '+')}&_shape=array" for query in queries]
    paths += ["/data/sessions", "/data/sessions/2", "/data/outcomes.csv", "/data/deals/8.json", "/data/balances.json"]
    with closing(Site(archive, read=read_pasted)) as site:
        answers = {path: request(site.app, path) for path in paths}
    assert [path for path, answer in answers.items() if SECRET in answer.text] == []
    assert answers[paths[0]].status_code == 200
    assert len(answers[paths[0]].json()) == 1


def test_who_may_sees_it_and_an_open_server_forgets_at_once(archive: Path) -> None:
    add_accounts(archive, Anna="writer", Ben="referee", Kathi="keeper")
    with writing_app(archive) as (app, doors):
        ways = ("/sessions/2", "/deals/8", "/api/v1/sessions/2")
        for name, status in (("Anna", 200), ("Ben", 404), ("Kathi", 200)):
            client = signed_in(app, doors, name)
            assert [client.get(path).status_code for path in ways] == [status] * 3, name
        assert [app.test_client().get(path).status_code for path in ways] == [404] * 3
        keeper, stranger = signed_in(app, doors, "Kathi"), app.test_client()
        assert change(keeper, "session", 2, "everybody") == 303
        assert stranger.get("/sessions/2").status_code == 200
        assert change(keeper, "session", 2, "accounts") == 303
        assert stranger.get("/sessions/2").status_code == 404
        assert signed_in(app, doors, "Ben").get("/sessions/2").status_code == 200


def test_who_does_not_see_an_evening_does_not_write_in_it(archive: Path) -> None:
    add_accounts(archive, Ben="referee")
    with writing_app(archive) as (app, doors):
        client, token = app.test_client(), bearer(doors, "Ben")
        sent = {"set": {"note": "x"}, "why": "x"}
        assert client.post("/api/v1/deals/8/corrections", json=sent, headers=token).status_code == 404
        ruled = {"payments": {"Anna": 0}, "why": "x", "cite": "x"}
        assert client.post("/api/v1/deals/8/rulings", json=ruled, headers=token).status_code == 404


def test_an_evening_at_the_table_is_for_its_players_from_its_first_deal_on(archive: Path) -> None:
    accounts = add_accounts(archive, Anna="writer", Ben="writer", Vroni="writer")
    with closing(open_archive(archive).conn) as conn:
        db = Database(conn, execute_plugins=False)
        head = Session(players=("Anna", "Cem", "Dora", "Emil"), rules="pub", date="2026-11-25")
        number = begin_evening(db, head, "Vroni")
        evening = live_evening(conn, number)
        set_audience(db, "source", evening.source, "players", "Kathi")
    taps = {"id": "a", "who": "0", "game": "solo", "suit": "H", "won": "1"}
    with writing_app(archive) as (app, doors):

        def statuses(*names: str) -> list[tuple[int, int]]:
            found = []
            for name in names:
                client = signed_in(app, doors, name) if name else app.test_client()
                post = client.post(f"/evenings/{number}/add", data=taps, headers=bearer(doors, name) if name else {})
                found.append((client.get(f"/evenings/{number}").status_code, post.status_code))
            return found

        before = statuses("", "Ben", "Vroni")
        assert [each[0] for each in before] == [404, 404, 200]
        assert [each[1] in (401, 404) for each in before] == [True, True, False]
        with doors.writer.archive() as db:
            added = add_deal(db, number, {"id": "b", "game": "Seat1 solo H", "stated": {"won": True}}, "Vroni", True)
        assert added.outcome == "stored", added.findings
        assert [each[0] for each in statuses("", "Ben", "Anna")] == [404, 404, 200]
        assert accounts


# --- the page of keepers --------------------------------------------------------------------------------------------


def change(client: FlaskClient, subject: str, number: object, audience: str) -> int:
    secret = secret_of(client.get("/privacy").text)
    sent = {"csrf": secret, "subject": subject, "number": number, "audience": audience}
    return client.post("/privacy", data=sent).status_code


def test_keepers_alone_say_who_sees_what(archive: Path) -> None:
    with writing_app(archive) as (app, doors):
        client = enter(app.test_client(), doors)
        assert f"{SECRET}-Runde" in client.get("/privacy?session=2").text
        assert change(client, "player", 1, "accounts") == 303
        assert change(client, "player", 1, "players") == 422
        assert [change(client, *each) for each in (("session", 99, "accounts"), ("session", "../2", "accounts"),
            ("table", 1, "accounts"), ("session", 2, "nobody"))] == [422, 422, 400, 400]  # fmt: skip
        with closing(open_read(archive)) as conn:
            rows = [(each.subject, each.author) for each in restrictions(conn)]
        assert rows == [("session", "Kathi"), ("player", "Vroni")]
    add_accounts(archive, Resi="referee")
    with writing_app(archive) as (app, doors):
        assert signed_in(app, doors, "Resi").get("/privacy").status_code == 403
        assert app.test_client().get("/privacy").status_code == 303


# --- while a copy is made ---------------------------------------------------------------------------------------------


class SlowCopies:
    """Copies that are made once they are let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.begun, self.free = Semaphore(0), Event()
        self.free.set()
        patch.setattr(audiences, "write_copy", self.write)
        patch.setattr(audiences, "MOMENT", 0.01)

    def write(self, archive: Path, target: Path, hidden: Hidden) -> None:
        self.begun.release()
        assert self.free.wait(60)
        write_copy(archive, target, hidden)


@pytest.fixture
def slow_copies(monkeypatch: pytest.MonkeyPatch) -> SlowCopies:
    return SlowCopies(monkeypatch)


def notes_of(readers: Readers) -> set[str]:
    conn = readers.lend()
    found = {row[0] for row in conn.execute("SELECT licence FROM sources WHERE licence IS NOT NULL")}
    readers.take_back(conn)
    return found


def write_licence(archive: Path, words: str) -> None:
    with closing(open_archive(archive)) as db, writing(db.conn):
        db.execute("UPDATE sources SET licence = ? WHERE id = 1", [words])


def test_nobody_waits_for_a_copy_of_deals_that_another_has_written(archive: Path, slow_copies: SlowCopies) -> None:
    """Neither a stranger nor an account that sees less than all; whoever has written sees it."""
    people = add_accounts(archive, Vroni="reader", Emil="writer")
    served = audiences.Audiences(archive)
    write_licence(archive, "before")
    assert [notes_of(served.readers(who)) for who in (None, people["Vroni"], people["Emil"])] == [{"before"}] * 3
    for copy in served.copies.values():
        copy.took = 0.0  # a stranger reads no copy for longer than it has to
    slow_copies.free.clear()
    write_licence(archive, "after")
    assert [notes_of(served.readers(who)) for who in (None, people["Vroni"])] == [{"before"}] * 2
    served.has_written(people["Emil"])
    with ThreadPoolExecutor(1) as pool:
        own = pool.submit(lambda: notes_of(served.readers(people["Emil"])))
        assert notes_of(served.readers(people["Vroni"])) == {"before"}  # while the other waits
        assert not own.done()
        slow_copies.free.set()
        assert own.result(60) == {"after"}
    wait([each.next for each in served.copies.values() if each.next], 60)
    assert [notes_of(served.readers(who)) for who in (None, people["Vroni"])] == [{"after"}] * 2
    served.close()


def test_no_earlier_copy_is_read_once_something_else_is_hidden(archive: Path, slow_copies: SlowCopies) -> None:
    served = audiences.Audiences(archive)
    before = served.public_path()
    slow_copies.free.clear()
    while slow_copies.begun.acquire(blocking=False):
        pass
    with closing(open_archive(archive)) as db:
        set_audience(db, "session", 1, "accounts", "Kathi")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(served.public_path)
        assert slow_copies.begun.acquire(timeout=60)
        assert not before.exists()
        assert not asked.done()
        slow_copies.free.set()
        with closing(open_read(asked.result(60))) as conn:
            assert conn.execute("SELECT count(*) FROM sessions").fetchone()[0] == 0
    served.close()


def test_a_copy_that_nobody_may_read_any_more_leaves_nothing(archive: Path, slow_copies: SlowCopies) -> None:
    served = audiences.Audiences(archive)
    slow_copies.free.clear()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(served.public_path)
        assert slow_copies.begun.acquire(timeout=60)
        with closing(open_archive(archive)) as db:
            set_audience(db, "session", 1, "accounts", "Kathi")
        second = pool.submit(served.public_path)
        assert slow_copies.begun.acquire(timeout=60)
        slow_copies.free.set()
        first.result(60)
        path = second.result(60)
    left = list(Path(served.folder.name).rglob("*.db*"))
    served.close()
    assert left == [path]


# --- a writer is answered about what they may not see as in an archive that has it not --------------------------------


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


@pytest.mark.one_in(2)
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
    (entries,) = tomllib.loads(text)["deal"]
    added = add_deal(db, number, entries | {"id": "a"}, "Ben", True, Device("phone"), hidden_from(db.conn, ben))
    assert added.outcome == "stored"
    assert db.conn.execute("SELECT session_id, own_id FROM records WHERE id = ?", (added.deal,)).fetchone() == (3, "a")
    db.conn.close()
