"""`/import`: a file is shown before it is stored, its columns are set right; what is kept is what an import keeps."""

import html
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.doors import add_accounts, enter, secret_of, signed_in, writing_app
from support.paths import ROOT
from support.running import import_into, run

from archive.store import open_read
from archive.web.upload.page import mapping_text, table_of

VALID, BROKEN = ROOT / "sample_games" / "valid", ROOT / "sample_games" / "broken"
SHEET = (VALID / "score-sheet.csv").read_bytes()
TWO = (ROOT / "sample_games" / "broken" / "two-importers.toml").read_bytes()
ODD = "Was?;Am Zug;Dazu;A;B;C;D\nSauspiel auf die Alte;Anna;Cem;50;-50;50;-50\nHerz-Solo;Ben;;70;-210;70;70\n"


class Site:
    """A server that writes, with one visitor who sends files."""

    def __init__(self, client: FlaskClient, path: Path) -> None:
        self.client, self.path = client, path
        self.secret = secret_of(client.get("/import").text)

    def send(self, name: str, data: bytes) -> Any:
        fields = {"csrf": self.secret, "file": (BytesIO(data), name)}
        return self.client.post("/import?lang=en", data=fields, content_type="multipart/form-data")

    def again(self, page: str, do: str, **fields: str) -> Any:
        """Sends the form of a page that shows a file."""
        there = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        brought = {key: html.unescape(text) for key, text in there.items()}
        return self.client.post("/import?lang=en", data=brought | {"do": do} | fields)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in open_read(self.path).execute(sql)]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    path = tmp_path / "archive.db"
    with writing_app(path) as (app, doors):
        yield Site(enter(app.test_client(), doors), path)


def test_a_sheet_is_shown_with_columns_rows_and_sums_and_nothing_is_stored(site: Site) -> None:
    page = site.send("evening.csv", SHEET)
    assert page.status_code == 200
    for text in ("deals were read", "Rufspiel E", "Vroni + Zenzi", "Sums of what was read:", "new.", "columns.toml"):
        assert text in page.text, text
    assert re.search(r'name="role.D"><option value="">.*value="declarer" selected', page.text)
    assert site.rows("SELECT count(*) FROM sources") == [(0,)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["score-sheet.csv", "score-sheet.xlsx", "stammtisch.toml", "online.jsonl"])
def test_what_is_kept_is_what_an_import_of_the_file_keeps(site: Site, tmp_path: Path, name: str) -> None:
    data = (VALID / name).read_bytes()
    kept = site.again(site.send(name, data).text, "keep")
    assert (kept.status_code, kept.location) == (303, "/import/1?lang=en")
    (tmp_path / name).write_bytes(data)
    other = import_into(tmp_path / "other.db", tmp_path / name)
    sql = "SELECT number, hash, record FROM records ORDER BY id"
    assert site.rows(sql) == [tuple(row) for row in open_read(other).execute(sql)]
    again = site.send(name, data)
    assert "in the archive already" in again.text
    assert site.rows("SELECT author FROM sources") == [("Vroni",)]
    page = site.client.get("/deals/1?lang=en").text
    assert ("sent by Vroni" in page, "<code>schafkopf correct 1 --db" in page) == (True, True)


def test_the_preview_asks_first_for_rules_and_tariff_with_one_that_all_amounts_bear_out(site: Site) -> None:
    sheet = (
        "Spiel;Spieler;Mitspieler;Ergebnis;Anna;Ben;Cem;Dora\n"
        "Sauspiel auf die Alte;Anna;Cem;gewonnen;20;-20;20;-20\n"
        "Herz-Solo;Ben;;verloren;50;-150;50;50\n"
    )
    page = site.send("zettel.csv", sheet.encode()).get_data(as_text=True)
    asked = page.index("By which rules, at which tariff?")
    assert asked < page.index('value="keep"') < page.index("The columns: all 8 recognised")
    assert "10/20/50 fits all 2 amounts." in page
    assert '<option value="bavarian" selected>' in page
    assert "Open: the tariff" in page
    again = site.again(page, "columns", rules="pub", tariff="10/20/50").get_data(as_text=True)
    assert "<details><summary>By which rules" in again, "what is said is folded"
    assert "Open:" not in again
    site.again(again, "keep")
    assert site.rows("SELECT rules FROM sessions") == [("pub",)]


def test_a_sheet_whose_games_the_supposed_rules_lack_is_asked_for_its_rules(site: Site) -> None:
    sheet = "Game;Declarer;Result;Kurt;Otto;Willi\nSimple Clubs;Kurt;won;2;-1;-1\nSimple Hearts;Otto;lost;2;-4;2\n"
    page = site.send("palatinate.csv", sheet.encode()).get_data(as_text=True)
    assert "The file names no rules; three-hand was supposed, and has no game called simple." in page
    again = site.again(page, "columns", rules="palatinate").get_data(as_text=True)
    assert "illegal play" not in again
    assert "agrees" in again


def test_columns_are_set_right_by_choices_and_the_sheet_is_read_again(site: Site) -> None:
    first = site.send("odd.csv", ODD.encode())
    assert "Anna" not in first.text.partition('class="rows"')[2]
    roles = {"A": "contract", "B": "declarer", "C": "partner", **dict.fromkeys("DEFG", "payments")}
    names = dict(zip("DEFG", ("Anna", "Ben", "Cem", "Dora"), strict=True))
    chosen = {f"role.{key}": role for key, role in roles.items()} | {f"name.{key}": each for key, each in names.items()}
    third = site.again(first.text, "columns", **chosen, rules="pub", tariff="10/20/50")
    assert "Anna + Cem" in third.text
    kept = site.again(third.text, "keep")
    assert kept.status_code == 303
    assert site.rows("SELECT rules FROM sessions") == [("pub",)]
    assert site.rows("SELECT name FROM players ORDER BY name") == [("Anna",), ("Ben",), ("Cem",), ("Dora",)]


def test_a_row_that_is_asked_about_is_answered(site: Site) -> None:
    page = site.send("a.csv", (BROKEN / "row-unclear.csv").read_bytes()).text
    (line,) = set(re.findall(r'value="row deals (\d+)"', page))
    answered = site.again(page, f"row deals {line}").text
    assert "row-unclear" not in answered
    assert "alles zusammen" in answered, "as a deal it has a game that nobody knows"
    denied = site.again(page, f"row not_deals {line}").text
    assert "alles zusammen" not in denied
    assert "row-unclear" not in denied


def test_a_file_is_taken_back_and_brought_in_again(site: Site) -> None:
    site.again(site.send("evening.csv", SHEET).text, "keep")
    deals = site.rows("SELECT count(*) FROM deals")
    form = {"csrf": site.secret}
    assert site.client.post("/import/1", data=form | {"do": "undo"}).status_code == 303
    assert site.rows("SELECT count(*) FROM deals") == [(0,)]
    assert "taken back" in site.client.get("/import/1?lang=en").text
    again = site.client.post("/import/1?lang=de", data=form | {"do": "undo"})
    assert (again.status_code, "(Quelle 1) ist schon zurückgenommen." in again.text) == (409, True)
    assert site.client.post("/import/1", data=form | {"do": "redo"}).status_code == 303
    assert site.rows("SELECT count(*) FROM deals") == deals
    assert ("withdraw", "Vroni") in site.rows("SELECT act, author FROM acts")
    assert site.client.get("/import/2").status_code == 404


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"", 422), (b" \n", 422), (TWO, 422), (b"nothing that anybody knows", 422), (b"PK\x03\x04 no workbook", 422),
     (b"x" * (701 * 1024), 413), (b"x" * (2 << 20), 413)],
)  # fmt: skip
def test_what_is_no_file_of_deals_gets_a_sentence(site: Site, data: bytes, status: int) -> None:
    answer = site.send("../../etc/x.csv", data)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert "etc" not in answer.text
    assert "--format" not in answer.text, "a page has no options"
    assert ("A score sheet goes in as Excel or CSV" in answer.text) == (data == b"nothing that anybody knows")
    assert ("none of the formats" in answer.text) == (data == b"nothing that anybody knows")
    assert ("send each by itself" in answer.text) == (data == TWO)
    assert site.rows("SELECT count(*) FROM sources") == [(0,)]


def test_any_field_of_the_form_gets_a_sentence(site: Site) -> None:
    page = site.send("evening.csv", SHEET).text
    for do in ("keep", "columns", "text", "row", "row deals x", "row deals 99999999999", "row dance 1", "?", ""):
        answer = site.again(page, do, text="[[[", **{"role.A": "<script>", "rules": "mau-mau", "tariff": "\0"})
        assert answer.status_code in (200, 303, 422), do
    for data in ("%", "ä", "AAAAA"):
        assert site.client.post("/import", data={"csrf": site.secret, "data": data}).status_code in (400, 422)


def test_who_may_not_write_reads_nothing_in(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with writing_app(path) as (_, doors):
        pass
    add_accounts(path, Resi="reader")
    with writing_app(path) as (app, doors):
        assert signed_in(app, doors, "Resi").get("/import").status_code == 403
        assert app.test_client().post("/import", data={"do": "keep"}).status_code == 401


def test_a_mapping_is_written_as_it_was_read() -> None:
    table = {"players": ['A"', "B"], "deals": [3], "rules": "pub", "columns": {"contract": "Was?"},
             "words": {"R ä": "rufspiel"}, "house": {"tariff": "10/50", "bock": {"on": ["lost-alone"]}}}  # fmt: skip
    assert table_of(mapping_text(table)) == table


# --- a changed file ---------------------------------------------------------------------------------------------------

EVENING = "Abend 13.11.2026\nNr;Spiel;Spieler;Mitspieler;Anna;Ben;Cem;Dora\n"
DEALS = [
    "1;Sauspiel;Anna;Cem;20;-20;20;-20\n", "2;Wenz;Dora;;-50;-50;-50;150\n", "3;Sauspiel;Ben;Cem;-30;30;30;-30\n",
]  # fmt: skip
LATER = (EVENING + DEALS[0] + DEALS[2].replace("30", "40") + "4;Wenz;Ben;;-50;150;-50;-50\n").encode()


def kept_evening(site: Site, ruled: int | None = None) -> None:
    site.again(site.send("evening.csv", (EVENING + "".join(DEALS)).encode()).text, "keep")
    if ruled:
        words = ["--annul", "--by", "Emil", "--why", "agreed", "--cite", "house", "--db", str(site.path)]
        done = run("rule", ruled, *words)
        assert done.exit_code == 0, done.output


def in_words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", html.unescape(page)).split())


def test_a_changed_file_shows_what_is_new_told_otherwise_and_gone_before_it_is_kept(site: Site) -> None:
    kept_evening(site)
    page = site.send("evening.csv", LATER).text
    words = in_words(page)
    assert "1 new, 2 in the archive already, 1 told otherwise than there, 1 gone" in words
    assert "number 2, Wenz, Anna −50, Ben −50, Cem −50, Dora 150" in words
    assert re.findall(r"<tr><td>(\d+)(?:(?!</tr>).)*<br><small>([^<]*)</small></td></tr>", page) == [
        ("4", "told otherwise than before"), ("5", "new"),
    ]  # fmt: skip
    assert site.rows("SELECT count(*) FROM sources") == [(1,)]
    assert site.again(page, "keep withdraw").status_code == 303
    assert site.rows("SELECT id FROM deals ORDER BY id") == [(1,), (3,), (4,)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("choice", "deals"), [("keep", [1, 2, 3, 4]), ("withdraw", [1, 3, 4])])
def test_where_an_import_is_held_one_chooses_what_becomes_of_what_is_gone(
    site: Site, choice: str, deals: list[int]
) -> None:
    kept_evening(site, ruled=2)
    before = site.path.read_bytes()
    page = site.send("evening.csv", LATER)
    assert page.status_code == 200
    assert "a ruling, a correction or a case hangs on what it no longer tells (deal 2)" in in_words(page.text)
    assert "1 new, 2 in the archive already, 1 told otherwise than there, 1 gone" in in_words(page.text)
    assert 'value="keep"' not in page.text, "nobody keeps it unasked"
    assert site.again(page.text, "keep").status_code == 409
    assert site.path.read_bytes() == before
    german = site.client.post("/import?lang=de", data={"csrf": site.secret, "file": (BytesIO(LATER), "evening.csv")})
    assert "Datei behalten, diese Spiele zurückziehen" in german.text
    assert "hängt ein Entscheid, eine Korrektur oder ein Fall (Spiel 2)" in in_words(german.text)
    assert site.again(page.text, f"keep {choice}").status_code == 303
    assert [row[0] for row in site.rows("SELECT id FROM deals ORDER BY id")] == deals
    assert site.client.get("/deals/2?lang=en").status_code == (200 if choice == "keep" else 404)


@pytest.mark.parametrize(("kind", "head"), [("xlsx", b"PK\x03\x04"), ("ods", b"PK\x03\x04")])
def test_the_page_gives_a_sheet_to_fill_in_that_it_reads_itself(site: Site, kind: str, head: bytes) -> None:
    assert f'href="/import/sheet.{kind}"' in site.client.get("/import").text
    form = site.client.get(f"/import/sheet.{kind}?lang=de")
    assert (form.status_code, form.data[:4]) == (200, head)
    assert f"spielzettel.{kind}" in form.headers["Content-Disposition"]
    assert "sheet-passed-over" in site.send(f"abend.{kind}", form.data).text


def test_a_column_of_the_re_stays_one_when_the_columns_are_sent_again(site: Site) -> None:
    sheet = "Spiel;Spieler;Kontra;Re;Anna;Ben;Cem;Dora\nWenz;Dora;x;x;-200;-200;-200;600\n"
    page = site.send("zettel.csv", sheet.encode()).text
    assert re.search(r'name="role.D"><option value="">.*value="re" selected', page)
    columns = {
        f"role.{letter}": role for letter, role in zip("ABCD", ("contract", "declarer", "doubles", "re"), strict=True)
    }
    again = site.again(page, "columns", **columns, rules="pub", tariff="10/20/50").text
    assert 're = "Re"' in html.unescape(again)
    assert re.search(r'name="role.D"><option value="">.*value="re" selected', again)
