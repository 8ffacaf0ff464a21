"""A score sheet whose rules, tariff and unit are said after it was kept: on the page of its session, or by importing it
with another `columns.toml`. It is read anew, what was read before stays, and each deal counts once."""

import html
import re
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support import running
from support.doors import add_accounts, enter, secret_of, signed_in, writing_app

from archive.privacy.erase import erase_player
from archive.privacy.public_copy import write_copy
from archive.store import open_archive, open_read
from archive.store.load import load_judgement
from archive.store.privacy import hidden_from, set_audience
from archive.web.session import routes

SHEET = (
    "Spiel;Spieler;Mitspieler;Ergebnis;Anna;Ben;Cem;Dora\n"
    "Sauspiel auf die Alte;Anna;Cem;gewonnen;20;-20;20;-20\n"
    "Herz-Solo;Ben;;verloren;50;-150;50;50\n"
)
SAID = 'rules = "pub"\ntariff = "10/20/50"\nunit = "ct"\n'


def run(*arguments: str) -> str:
    return running.run(*arguments).output


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in open_read(path).execute(sql)]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "zettel.csv"
    path.write_text(SHEET)
    run("import", str(path), "--db", str(tmp_path / "a.db"))
    return path


def verdicts(path: Path) -> list[object]:
    return [row[0] for row in rows(path, "SELECT verdict FROM deals ORDER BY id")]


def test_import_with_other_columns_reads_a_known_sheet_anew_and_counts_each_deal_once(
    sheet: Path, tmp_path: Path
) -> None:
    db = tmp_path / "a.db"
    assert verdicts(db) == ["undecidable"] * 2
    before = rows(db, "SELECT * FROM records")
    sheet.with_name("zettel.columns.toml").write_text(SAID)
    assert "0 deals added, 2 known, 2 of them told otherwise" in run("import", str(sheet), "--db", str(db))
    assert verdicts(db) == ["agrees"] * 2
    assert rows(db, "SELECT rules, unit FROM sessions") == [("pub", "ct")]
    assert rows(db, "SELECT * FROM records") == before, "nothing that was recorded is overwritten"
    again = run("import", str(sheet), "--db", str(db))
    assert "2 known" in again
    assert "otherwise" not in again
    sheet.with_name("zettel.columns.toml").unlink()
    run("import", str(sheet), "--db", str(db))
    assert verdicts(db) == ["agrees"] * 2, "who says nothing takes nothing back"
    assert len(rows(db, "SELECT * FROM sources")) == 2
    assert '"total":70' in run("stats", "standings", "--db", str(db), "--json")
    assert run("doctor", "--db", str(db)).rstrip().endswith("is whole")
    undone = run("import", "--undo", "2", "--db", str(db), "--by", "Anna", "--why", "wrong tariff")
    assert "source 2 taken back" in undone
    assert verdicts(db) == ["undecidable"] * 2


def test_the_same_columns_again_are_no_other_reading(tmp_path: Path) -> None:
    sheet, db = write(tmp_path), tmp_path / "a.db"
    sheet.with_name("zettel.columns.toml").write_text(SAID)
    for _ in range(2):
        run("import", str(sheet), "--db", str(db))
    assert len(rows(db, "SELECT * FROM sources")) == 1


def test_a_sheet_taken_back_is_there_again_with_what_is_said_now(sheet: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    run("import", "--undo", "1", "--db", str(db), "--by", "Anna", "--why", "too early")
    assert verdicts(db) == []
    sheet.with_name("zettel.columns.toml").write_text(SAID)
    run("import", str(sheet), "--db", str(db))
    assert verdicts(db) == ["agrees"] * 2


def test_a_name_that_was_erased_is_not_brought_in_by_other_columns(sheet: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with open_archive(db).conn:
        erase_player(open_archive(db), "Dora", "Anna", "she asked")
    sheet.with_name("zettel.columns.toml").write_text(SAID)
    run("import", str(sheet), "--db", str(db))
    assert ("Dora",) not in rows(db, "SELECT name FROM players")
    assert len(rows(db, "SELECT * FROM sources")) == 1


def test_a_sheet_read_anew_is_hidden_and_erased_with_all_its_readings(sheet: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    sheet.with_name("zettel.columns.toml").write_text(SAID + 'nicknames = { Dodo = "Dora" }\n')
    run("import", str(sheet), "--db", str(db))
    set_audience(open_archive(db), "session", 1, "players", "Anna")
    with closing(open_read(db)) as conn:
        write_copy(db, tmp_path / "public.db", hidden_from(conn, None))
    assert rows(tmp_path / "public.db", "SELECT count(*) FROM sources") == [(0,)]
    erase_player(open_archive(db), "Dora", "Anna", "she asked")
    assert verdicts(db) == ["agrees"] * 2
    assert "Dora" not in run("export", "--db", str(db))
    assert "is whole" in run("doctor", "--db", str(db))
    before = len(rows(db, "SELECT * FROM sources"))
    run("import", str(sheet), "--db", str(db))
    assert len(rows(db, "SELECT * FROM sources")) == before


def keep(client: FlaskClient) -> str:
    """Sends the sheet and keeps it as it is; the address of its session."""
    secret = secret_of(client.get("/import").text)
    sent = client.post("/import", data={"csrf": secret, "file": (BytesIO(SHEET.encode()), "zettel.csv")})
    brought = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', sent.text))
    client.post("/import", data={key: html.unescape(text) for key, text in brought.items()} | {"do": "keep"})
    return "/sessions/1"


def test_on_the_page_of_the_session_a_writer_says_what_stays_open(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with writing_app(db) as (app, doors):
        client = enter(app.test_client(), doors)
        address = keep(client)
        page = client.get(f"{address}?lang=de").text
        assert "10/20/50 passt zu allen 2 Beträgen." in page
        assert re.search(r'name="tariff" value="10/20/50"', page)
        said = {"csrf": secret_of(page), "rules": "pub", "tariff": "10/20/50", "unit": "ct"}
        assert client.post(f"{address}/rules", data=said).status_code == 303
        assert verdicts(db) == ["agrees"] * 2
        after = client.get(f"{address}?lang=de").text
        assert "<details><summary>Nach welchen Regeln" in after, "what is said is folded"
        assert client.get("/deals/1?lang=de").text.count("Neu gelesen, mit") == 1
        assert rows(db, "SELECT author FROM sources ORDER BY id") == [("Vroni",), ("Vroni",)]
        client.post(f"{address}/rules", data=said | {"tariff": "20/50/100"})
        assert "differs" in verdicts(db), "said otherwise, it is judged otherwise"
        client.post(f"{address}/rules", data=said)
        assert verdicts(db) == ["agrees"] * 2, "and said as before, as before"
        assert rows(db, "SELECT count(*) FROM deals") == [(2,)]
        assert rows(db, "SELECT count(*) FROM sources") == [(3,)]
        assert client.post(f"{address}/rules", data=said | {"rules": "skat"}).status_code == 422
        assert client.post(f"{address}/rules", data=said | {"tariff": "dear"}).status_code == 422
        assert verdicts(db) == ["agrees"] * 2
    run("import", str(write(tmp_path)), "--db", str(db))
    assert verdicts(db) == ["agrees"] * 2, "the sheet alone does not take back what was said"
    judged = load_judgement(open_read(db), 1)
    assert judged.deal.stated is not None


def test_a_sheet_whose_tariff_is_known_is_not_judged_again_to_look_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    judge = routes.judge_session_again
    monkeypatch.setattr(routes, "judge_session_again", lambda *of: asked.append(1) or judge(*of))
    with writing_app(tmp_path / "a.db") as (app, doors):
        client = enter(app.test_client(), doors)
        page = client.get(address := keep(client)).text
        assert asked == [1], "what nobody named is looked for"
        said = {"csrf": secret_of(page), "rules": "pub", "tariff": "10/20/50", "unit": "ct"}
        client.post(f"{address}/rules", data=said)
        assert 'name="tariff" value="10/20/50"' in client.get(address).text
        assert asked == [1]


def write(folder: Path) -> Path:
    path = folder / "zettel.csv"
    path.write_text(SHEET)
    return path


def test_only_writers_are_asked_and_may_answer(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with writing_app(db) as (app, doors):
        address = keep(enter(app.test_client(), doors))
    add_accounts(db, Rita="reader", Willi="writer")
    with writing_app(db) as (app, doors):
        stranger, reader, writer = app.test_client(), *(signed_in(app, doors, each) for each in ("Rita", "Willi"))
        said = {"rules": "pub", "tariff": "10/20/50", "unit": "ct"}
        for client in (stranger, reader):
            assert 'action="/sessions/1/rules' not in client.get(address).text
            assert client.post(f"{address}/rules", data=said).status_code in (401, 403)
        assert 'action="/sessions/1/rules' in (page := writer.get(address).text)
        assert writer.post(f"{address}/rules", data=said).status_code == 403, "a form of another site"
        assert writer.post(f"{address}/rules", data=said | {"csrf": secret_of(page)}).status_code == 303
    assert rows(db, "SELECT author FROM sources ORDER BY id") == [("Vroni",), ("Willi",)]
    assert verdicts(db) == ["agrees"] * 2
