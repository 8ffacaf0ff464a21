"""The dispute file: everything of a deal on one page that asks nothing of any server, and a ZIP of what it rests on."""

import hashlib
import io
import json
import re
import shlex
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from support import running
from support.store_samples import store
from support.strict_html import Strict
from support.web_archive import EVENING, make_archive

from archive.cli.dossier import safe_file_name
from archive.explain.repair import Repair
from archive.judge import ENGINE
from archive.notation import read_lines, read_toml
from archive.record import Deal, Source
from archive.store import open_archive, open_read
from archive.web.app import create_app
from archive.web.dossier import page as dossier_pages
from archive.web.texts import EN

RULING = ("--payments", "Anna -160, Ben 160, Cem -160, Dora 160", "--by", "Vroni", "--why", "No knock was heard.")
BAD = '<script>alert("Anna")</script> & Söhne'


def run(path: Path, *words: str) -> str:
    done = running.run(*words, "--db", path)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module", name="path")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening of the web, its first deal corrected and ruled upon."""
    path = make_archive(tmp_path_factory.mktemp("dossier") / "archive.db")
    run(path, "correct", "1", "--set", 'note="Dora agreed."', "--by", "Vroni", "--why", "She was there.")
    run(path, "rule", "1", *RULING, "--cite", "001 Variants: Legen")
    return path


def kept(path: Path, text: str, name: str) -> Path:
    """An archive of a session file."""
    db = open_archive(path)
    store(db, text, name)
    db.conn.close()
    return path


@cache
def page_of(path: Path, deal: int = 1) -> str:
    return run(path, "audit", "dossier", str(deal), "--output", "-")


def zip_of(path: Path, tmp_path: Path, name: str = "file.zip", deal: str = "1") -> bytes:
    run(path, "audit", "dossier", deal, "--output", str(tmp_path / name), "--force")
    return (tmp_path / name).read_bytes()


def section(page: str, title: str) -> str:
    """The text of a section of a page, its marks left out."""
    (found,) = (part for part in page.split("<section")[1:] if f"<h2>{title}" in part)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


class Alone(Strict):
    """A page that runs and loads nothing, with its own style, and leads nowhere else."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "iframe", "object", "img")
        if tag == "style":
            self.open.append(tag)
            return
        super().handle_starttag(tag, attrs)
        given = [(key, value or "") for key, value in attrs]
        self.loads += [value for key, value in given if key in ("src", "srcset") or (key == "href" and value[0] != "#")]


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("deal", range(1, 8))
def test_page_is_complete_in_itself(path: Path, deal: int) -> None:
    page = page_of(path, deal)
    parser = Alone()
    parser.feed(page)
    assert parser.open == []
    assert parser.loads == []
    assert len(parser.ids) == len(set(parser.ids))
    assert {link for link in parser.links if link not in parser.ids} == set()
    assert re.findall(r"url\(|@import|https?:", page) == []
    assert "<style>" in page


SAID = {  # in a section of the file of a deal
    (1, "Who, when, which rules"): (
        "Stammtisch, list 3, Offenbach, 14 November 2026", "Anna, Ben, Cem, Dora", "Recorded by Dora", "1 of 7",
        "Bavarian Schafkopf, as in the pub", "Prices of the table 10/20/50",
    ),
    (1, "Likely explanation"): (
        "the knock of Ben was not counted. 5 other causes fit as well.", "Bavarian Schafkopf: Variants: Legen",
    ),
    (3, "What would make the record legal"): (
        "One single change makes it legal.", "Nothing changes until somebody makes it a correction: --set",
    ),
    (3, "Issues"): (
        "A revoke, or a card misread: correct the record, or leave it and let the table decide. · Suit not followed",
    ),
    (1, "History"): (
        "Corrected by Vroni", "note : Cem asked for a recount. → Dora agreed.", "Ruled by Vroni",
        "No knock was heard. Anna −160, Ben +160, Cem −160, Dora +160 · 001 Variants: Legen",
    ),
    (1, "What is cited"): (
        "001 Runners Bavarian Schafkopf Runners", "this table House rules of this table Prices of the table",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("deal", "title"), SAID)
def test_a_section_of_the_file_says_it(path: Path, deal: int, title: str) -> None:
    text = section(page_of(path, deal), title)
    assert [said for said in SAID[deal, title] if said not in text] == []
    assert title == "Likely explanation" or "tariff" not in text  # which is a key of TOML


def test_what_is_in_order_has_no_section(path: Path) -> None:
    assert "Likely explanation" not in page_of(path, 2)
    assert "What would make the record legal" not in page_of(path)


def test_stated_computed_and_ruled_stand_side_by_side(path: Path) -> None:
    page = page_of(path)
    assert "Stated Computed Ruled" in section(page, "Stated and computed")
    rows = re.findall(r'<tr( class="off")?><th scope="row">(.*?)</th>(.*?)</tr>', page)
    told = {label: (bool(off), re.findall(r">([^<]*)</td>", cells)) for off, label, cells in rows}
    assert told["Points"] == (False, ["75", "75", ""])
    assert told["Price"] == (True, ["160", "320", ""])
    assert told["Ben:"] == (True, ["+160", "+320", "+160"])


def test_settlement_stands_line_by_line_and_the_line_in_dispute_is_marked(path: Path) -> None:
    page = page_of(path)
    text = section(page, "Settlement")
    for line in (
        "Rufspiel, won 75 : 45 62 with Gras-Ober, trick 6 20 20",
        "knock: Ben Ben knocks × 2 160 Bavarian Schafkopf: Variants: Legen",
    ):
        assert line in text
    assert re.findall(r'<tr class="off"><td>([^<]*)', page) == ["knock: Ben"]


def test_a_penalty_stands_in_the_column_and_the_total_to_read_is_its_sum(tmp_path: Path) -> None:
    path = kept(
        tmp_path / "archive.db",
        """
format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora"]
rules = "pub"
[[deal]]
game = "Anna solo H"
stated.points = 70
stated.payments = [150, -50, -50, -50]
stated.totals = [150, -110, -50, -50]
ruling = [{ by = "Emil", when = 2026-11-20, why = "a card shown", payments = [0, -50, 0, 0], kind = "penalty" }]
""",
        "penalty.toml",
    )
    page = page_of(path)
    assert "the total of Ben −100 in place of −110" in section(page, "Stated and computed")
    assert section(page, "The column to add up: Ben").endswith("Ruled besides Sum Written 1 −50 −50 −100 −110")


def test_trick_of_the_first_error_stands_apart(path: Path) -> None:
    page = page_of(path, 3)
    text = section(page, "The deciding trick: 2")
    assert "Trick 2 card 2: Dora played SA, but must follow trump" in text
    rows = re.findall(r'<tr( class="off")?><th scope="row">\d</th><td>(\w+)</td>', page)
    assert rows == [("", "Cem"), (' class="off"', "Dora"), ("", "Anna"), ("", "Ben")]
    assert "against the rules must-follow" in text
    assert 'class="asked"' in page


@pytest.mark.parametrize(
    ("stated", "line", "trick"),
    [
        ("stated.points = 76", "Rufspiel, won 75 : 45", 6),  # in which the 61st point fell
        ("stated.runners = 5", "6 runners, with", 1),
        ("stated.points = 75", "", 0),
    ],
)
def test_trick_that_proves_the_line_in_dispute_stands_apart(tmp_path: Path, stated: str, line: str, trick: int) -> None:
    """Nothing is wrong with the play; the line that shows what is stated otherwise has its trick."""
    key = stated.partition(" =")[0]
    text = EVENING.read_text("utf-8").replace("160", "320")
    text = re.sub(rf"{key} = \d+", stated, text, count=1)
    kept(tmp_path / "archive.db", text, "x.toml")
    found = dossier_pages.dossier(open_read(tmp_path / "archive.db"), 1, EN)
    assert (found["disputed"] is not None) == bool(line)
    assert found["disputed"] is None or found["page"].settlement.lines[found["disputed"]].text == line
    question = found["question"]
    assert (question["number"] if question else 0) == trick
    assert question is None or [each.seat for each in question["laid"]].count(question["winner"]) == 1


def test_deal_is_there_card_by_card(path: Path) -> None:
    page = page_of(path)
    assert "Ben knocks. Anna passes. Ben wants to play." in section(page, "The deal, card by card")
    assert len(set(re.findall(r'id="t[1-8]\.[1-4]"', page))) == 32
    assert section(page, "Hands as dealt").count("U") >= 4


def test_what_is_proposed_can_be_copied_whatever_a_player_is_called(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "O'Hara: G9 GO H7 E7"
    real = dossier_pages.repair

    def named(*words: Any) -> Repair:
        result = real(*words)
        assert result.proposal
        return replace(result, fits=(replace(result.proposal, set={"tricks.5": said}),))

    monkeypatch.setattr(dossier_pages, "repair", named)
    found = dossier_pages.dossier(open_read(path), 3, EN)
    assert shlex.split(" ".join(found["mended"]["entries"])) == [f'tricks.5="{said}"']


def test_where_no_single_change_mends_the_play_that_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = dossier_pages.repair
    monkeypatch.setattr(dossier_pages, "repair", lambda *words: replace(real(*words), fits=()))
    page = create_app(path).test_client().get("/deals/3/dossier?lang=en")
    assert page.status_code == 200
    assert "--set" not in section(page.text, EN["d_mend"])


def test_sources_and_what_it_was_made_from_have_their_hashes(path: Path) -> None:
    sources, made, data = section(page_of(path), "Sources"), section(page_of(path), "Made from"), EVENING.read_bytes()
    assert f"{EVENING.name}:13, {len(data)} bytes" in sources
    assert hashlib.sha256(data).hexdigest() in sources
    assert f"Engine {ENGINE}" in sources
    told = "SELECT lower(hex(hash)), digest FROM records, rulesets WHERE records.id = 1"
    assert all(digest in made for digest in open_read(path).execute(told).fetchone())


def test_names_are_only_text(tmp_path: Path) -> None:
    """In names, notes, paths, rulings and corrections."""
    said = json.dumps(BAD, ensure_ascii=False)
    text = EVENING.read_text("utf-8").replace('"Anna"', said).replace("Anna ", f"{BAD} ".replace('"', '\\"'))
    path = kept(tmp_path / "archive.db", text, f"{BAD}.toml")
    last = str(open_read(path).execute("SELECT max(id) FROM deals").fetchone()[0])
    run(path, "correct", last, "--set", f"note={json.dumps(BAD)}", "--by", BAD, "--why", BAD)
    for page in (page_of(path, int(last)), create_app(path).test_client().get(f"/deals/{last}/dossier").text):
        assert "<script" not in page
        assert "&lt;script&gt;alert(&#34;Anna&#34;)&lt;/script&gt; &amp; Söhne" in page


# --- in the viewer ----------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("deal", range(1, 8))
def test_viewer_has_the_same_page_under_its_strict_policy(path: Path, client: FlaskClient, deal: int) -> None:
    answer = client.get(f"/deals/{deal}/dossier")
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    parser = Alone()
    parser.feed(answer.text)
    assert parser.open == []
    assert "<style" not in answer.text
    own, told = (page.split("<main>")[1] for page in (page_of(path, deal), answer.text))
    assert own == told


def test_page_of_a_deal_leads_to_it_and_back(client: FlaskClient) -> None:
    assert 'href="/deals/1/dossier"' in client.get("/deals/1").text
    assert 'href="/deals/1"' in client.get("/deals/1/dossier").text


@pytest.mark.parametrize("deal", ["99", "0", "x", "9" * 40])
def test_a_deal_that_is_not_there_has_none(path: Path, client: FlaskClient, deal: str) -> None:
    assert client.get(f"/deals/{deal}/dossier").status_code == 404
    done = running.run("audit", "dossier", deal, "--output", "-", "--db", path)
    assert (done.exit_code, "no deal" in done.stderr) == (2, True)


# --- the ZIP ----------------------------------------------------------------------------------------------------------


def test_zip_holds_all_that_the_page_rests_on(path: Path, tmp_path: Path, client: FlaskClient) -> None:
    with zipfile.ZipFile(io.BytesIO(zip_of(path, tmp_path))) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert list(held) == [
        *("dossier.html", "computed.json", "record.json", "record.toml", f"source/1-{EVENING.name}", "manifest.json")
    ]
    assert held["dossier.html"].decode() == page_of(path)
    shown = held[f"source/1-{EVENING.name}"].splitlines()
    lines = EVENING.read_bytes().splitlines()
    assert len(shown) == len(lines), "a line keeps its number"
    assert [own for own in shown if own] == [line for line in shown if line in lines and line]
    assert (shown.count(b"[[deal]]"), lines.count(b"[[deal]]")) == (1, 7)
    assert held[f"source/1-{EVENING.name}"].rstrip() in EVENING.read_bytes(), "head and first deal"
    manifest, digest = json.loads(held["manifest.json"]), hashlib.sha256(EVENING.read_bytes()).hexdigest()
    for row in manifest["files"]:
        data = held[row["path"]]
        assert row == {"path": row["path"], "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    assert [row["path"] for row in manifest["files"]] == [name for name in held if name != "manifest.json"]
    assert manifest["sources"] == [{"path": f"source/1-{EVENING.name}", "part": "lines", "line": 13, "sha256": digest}]
    run(path, "audit", "dossier", "1", "--whole-sources", "--output", str(tmp_path / "whole.zip"))
    with zipfile.ZipFile(tmp_path / "whole.zip") as archive:
        assert archive.read(f"source/1-{EVENING.name}") == EVENING.read_bytes()
    assert json.loads(held["computed.json"]) == client.get("/deals/1.json?computed=1").json
    assert held["record.json"] == client.get("/deals/1.json").data + b"\n"
    (own,) = (each for each in read_lines(held["record.json"], Source("")) if isinstance(each, Deal))
    (other,) = (each for each in read_toml(held["record.toml"], Source("")) if isinstance(each, Deal))
    assert (own.tricks, own.ruling, own.correction) == (other.tricks, other.ruling, other.correction)
    assert own.ruling


def test_same_archive_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "other.db"
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    assert zip_of(path, tmp_path) == zip_of(copy, tmp_path, "again.ZIP")
    assert {entry.date_time for entry in zipfile.ZipFile(tmp_path / "again.ZIP").infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/evening.toml", "evening.toml"),
        ("C:\\logs\\Abend 3.txt", "Abend_3.txt"),
        ("../../etc/passwd", "passwd"),
        ("..", "source"),
        ("<pasted>/text", "text"),
        ("a.zip/ä\n;rm -rf.json", "rm_-rf.json"),
        ("x" * 500 + ".csv", "x" * 96 + ".csv"),
    ],
)
def test_names_of_sources_are_made_safe(path: str, name: str) -> None:
    assert safe_file_name(path) == name


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_overwritten_only_by_force(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.html"
    there.write_text("mine")
    words = ["audit", "dossier", "1", "--output", str(there), "--db", str(path)]
    assert running.run(*words).exit_code == 2
    assert there.read_text() == "mine"
    assert run(path, "audit", "dossier", "1", "--output", str(there), "--force") == f"{there}\n"
    assert there.read_text().startswith("<!doctype html>")


def test_without_a_name_the_page_has_the_number_of_the_deal(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(path, "audit", "dossier", "2") == "deal-2.html\n"
    assert "Deal 2: Wenz" in (tmp_path / "deal-2.html").read_text()
