"""`/check`: any record that is pasted or dropped is judged and shown; nothing of it is kept, and nothing hostile in it
is more than text."""

import gzip
import hashlib
import io
import re
import socket
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.paths import ROOT
from support.patience import WAIT, without_hanging
from support.strict_html import Strict
from support.web_archive import EVENING
from support.web_site import served
from werkzeug.test import TestResponse

from archive.cli.inputs import read_pasted
from archive.explain import explain
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, Source
from archive.web.app import create_app
from archive.web.check import page as check_pages
from archive.web.check.routes import AT_ONCE
from archive.web.texts import TEXTS
from importers import IMPORTERS

BESIDE = ".columns.toml"
SAMPLES = ROOT / "sample_games"
FILES = {
    kind: [p for p in sorted(SAMPLES.glob(f"{kind}/*")) if p.is_file() and not p.name.endswith((".expected", BESIDE))]
    for kind in ("valid", "broken")
}
TEXT = EVENING.read_text("utf-8")
HEAD = 'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
DEAL = "[[deal]]\ngame = 'none'\n"
LINE = '{"format":"schafkopf-record/1","rules":"bavarian","players":["Anna","Ben","Cem","Dora"],"game":"none"}\n'


def send(client: FlaskClient, text: str = "", **more: str) -> TestResponse:
    return client.post("/check", data={"record": text, **more}, content_type="multipart/form-data")


def drop(client: FlaskClient, data: bytes, name: str = "evening.toml", **more: str) -> TestResponse:
    return client.post("/check", data={"file": (io.BytesIO(data), name), **more}, content_type="multipart/form-data")


# --- what it shows ----------------------------------------------------------------------------------------------------


def test_form_works_without_scripts(client: FlaskClient) -> None:
    text = client.get("/check").text
    assert '<form class="paste" id="check" method="post" action="/check" enctype="multipart/form-data"' in text
    assert 'name="record"' in text
    assert '<input type="file" name="file">' in text


def test_it_is_there_without_an_archive_and_not_without_formats(path: Path, tmp_path: Path) -> None:
    assert 'href="/check"' in create_app(tmp_path / "none.db", read_pasted).test_client().get("/").text
    assert create_app(path, read_pasted).test_client().put("/check").status_code == 405, "there is nothing to change"
    without = create_app(path).test_client()
    assert (without.get("/check").status_code, without.post("/check").status_code) == (404, 405)


def test_every_deal_has_verdict_reason_settlement_and_findings(client: FlaskClient) -> None:
    answer = send(client, TEXT)
    assert answer.status_code == 200
    parts = re.findall(r"<li><details.*?</details></li>", answer.text, re.DOTALL)
    badges = [re.search(r'class="badge (\w+)"', part) for part in parts]
    assert [badge[1] for badge in badges if badge] == [
        *("differs", "agrees", "unplayable", "agrees", "agrees", "undecidable", "undecidable")
    ]
    told = re.sub(r"<[^>]+>", "", parts[2])  # a card is drawn, and reads as its name
    assert "Trick 2 card 2: Dora played Schellen-A, but must follow trump: Eichel-10 of Eichel-10 Gras-K" in told
    assert "must-follow" in parts[2]
    assert "A revoke, or a card misread" in parts[2]
    assert "Solo, lost 49 : 71" not in parts[2]  # unplayable: nobody knows what it would have come to
    assert "Stated" in parts[3]


def test_first_deal_is_replayed_or_the_one_that_is_asked_for(client: FlaskClient) -> None:
    first, third = (send(client, TEXT, **more).text.split('id="replayed"')[1] for more in ({}, {"deal": "3"}))
    assert "Deal 1: Rufspiel Gras" in first
    assert "Deal 3: Solo Eichel" in third
    assert '"id":"t8.4"' in first
    assert 'id="t2.2"' in third


@pytest.mark.parametrize("deal", ["0", "99", "-1", "x", "9" * 40])
def test_another_deal_than_there_is_is_one_of_them(client: FlaskClient, deal: str) -> None:
    assert send(client, TEXT, deal=deal).status_code == 200


def test_what_would_explain_a_deal_stands_with_it(client: FlaskClient) -> None:
    assert "the knock of Ben was not counted." in send(client, TEXT).text


def test_every_deal_has_a_link_that_holds_it_and_keeps_the_language(client: FlaskClient) -> None:
    text = client.post("/check?lang=de", data={"record": TEXT}).text
    links = re.findall(r'<a href="/view\?lang=de#([\w-]+)">Link zu diesem Spiel</a>', text)
    assert len(links) == len(set(links)) == 7
    assert '<form class="paste" id="check" method="post" action="/check?lang=de"' in text


def test_text_stands_in_the_form_again(client: FlaskClient) -> None:
    for answer in (send(client, TEXT), drop(client, TEXT.encode())):
        assert "Cem asked for a recount." in answer.text.split("<textarea")[1].split("</textarea>")[0]


def test_nothing_leads_into_an_archive(client: FlaskClient) -> None:
    found = set(re.findall(r'href="(/[^"#]*)', send(client, TEXT).text))
    assert {each for each in found if not each.startswith("/static/")} == {
        *("/", "/sessions", "/players", "/findings", "/stats", "/rulesets", "/check", "/price", "/data", "/view"),
        *("/rulesets/pub", "/docs/"),
    }, "the pages of head and foot, and the link that holds the deal itself"


@pytest.mark.one_in(5)
@pytest.mark.parametrize("sample", FILES["valid"], ids=lambda path: path.name)
def test_every_format_is_read(client: FlaskClient, sample: Path) -> None:
    data = sample.read_bytes()
    archived = data.startswith((b"PK\x03\x04", b"\x1f\x8b")) and sample.suffix != ".xlsx"
    assert drop(client, data, sample.name).status_code == (422 if archived else 200)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("sample", FILES["broken"], ids=lambda path: path.name)
def test_every_broken_sample_is_a_page(client: FlaskClient, sample: Path) -> None:
    answer = drop(client, sample.read_bytes(), sample.name)
    assert answer.status_code in (200, 422)
    assert "finds" in answer.text


@pytest.mark.parametrize("text", [TEXT, HEAD, "nothing at all", HEAD + DEAL])
def test_pages_are_well_formed_and_without_inline_code(client: FlaskClient, text: str) -> None:
    parser = Strict()
    parser.feed(send(client, text).text)
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))
    assert {link for link in parser.links if link and link not in parser.ids} == set()


# --- what it refuses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   \n\n"])
def test_nothing_pasted_is_said(client: FlaskClient, text: str) -> None:
    answer = send(client, text)
    assert (answer.status_code, "Nothing to check yet" in answer.text) == (422, True)
    assert client.post("/check").status_code == 422


def test_what_cannot_be_read_says_why(client: FlaskClient) -> None:
    answer = send(client, HEAD + "[[deal]]\ngame = 'Anna nothing'\n")
    assert answer.status_code == 422
    assert "No deal could be read." in answer.text
    assert "text:5" in answer.text


def test_more_than_a_megabyte_is_refused(client: FlaskClient) -> None:
    answer = send(client, "x" * check_pages.MOST_BYTES)
    assert (answer.status_code, "more than 1 MB" in answer.text) == (413, True)
    assert drop(client, b"x" * (check_pages.MOST_BYTES + 1)).status_code == 413


def test_deals_beyond_the_limit_are_counted(client: FlaskClient) -> None:
    text = send(client, HEAD + DEAL * 75).text
    assert text.count("<li><details") == 60
    assert "The first 60 deals are shown, 15 more are not." in text


def test_time_ends_the_judging_between_two_deals() -> None:
    def slowly() -> Iterator[Session | Deal | Finding]:
        for each in read_pasted("<pasted>/x", (HEAD + DEAL * 30).encode()):
            begun = time.thread_time()
            while time.thread_time() < begun + 0.01:
                pass
            yield each

    found = check_pages.judge_items(slowly(), time.thread_time() + 0.1)
    assert found.late
    assert 1 <= len(found.deals) + found.more < 30


def test_who_waits_for_others_loses_no_time() -> None:
    def waiting() -> Iterator[Session | Deal | Finding]:
        for each in read_pasted("<pasted>/x", (HEAD + DEAL * 3).encode()):
            time.sleep(0.1)
            yield each

    found = check_pages.judge_items(waiting(), time.thread_time() + 0.2)
    assert (found.late, len(found.deals)) == (False, 3)


def test_time_that_is_up_is_said(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_pages, "MOST_SECONDS", 0.0)
    answer = send(client, "".join(LINE.replace("Anna", f"Anna{n}") for n in range(9)))
    assert answer.status_code == 200
    assert "Time ran out after 1 deals." in answer.text


MONSTERS = {
    "tricks": "tricks = [" + "'Anna: EO GO HO SO',\n" * 4_000 + "]",
    "hands": "hands = ['" + "EO " * 60_000 + "', '', '', '']",
    "corrections": "correction = [" + "{by='x', when='2026-01-01', why='y', set={game='Ben wenz'}}," * 3_000 + "]",
    "calls": "auction = [" + "'Anna pass'," * 15_000 + "]",
    "a note": f"note = '{'n' * 200_000}'",
}


@pytest.mark.parametrize("monster", MONSTERS.values(), ids=MONSTERS)
def test_a_deal_that_nobody_played_is_not_judged(client: FlaskClient, monster: str) -> None:
    with without_hanging():
        answer = send(client, f"{HEAD}[[deal]]\ngame = 'Anna solo E'\n{monster}\n")
    assert (answer.status_code, "it has more than 8 KB" in answer.text) == (422, True)


def test_many_large_deals_are_bounded_together() -> None:
    large = f"[[deal]]\ngame = 'Anna solo E'\nnote = '{'n' * 8_000}'\n"
    found = check_pages.judge_items(read_pasted("<pasted>/x", (HEAD + large * 60).encode()), time.thread_time() + WAIT)
    assert 10 < len(found.deals) < 20
    assert len(found.deals) + found.more == 60


def packed(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if len(data) > 10**6 else zipfile.ZIP_STORED) as archive:
        archive.writestr(name, data)
    return file.getvalue()


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "zip": lambda: packed("evening.toml", TEXT.encode()),
    "gzip": lambda: gzip.compress(TEXT.encode()),
    "a bomb": lambda: packed("zeros", bytes(50_000_000)),
    "a damaged zip": lambda: packed("evening.toml", TEXT.encode())[:-30],
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_are_not_unpacked(client: FlaskClient, kind: str) -> None:
    data = ARCHIVES[kind]()
    with without_hanging():
        answer = drop(client, data, "evening.zip")
    assert (answer.status_code, "archives are taken from disk only" in answer.text) == (422, True)


def test_readers_are_not_kept_waiting_by_those_who_paste(path: Path) -> None:
    """Two are judged, the third is told to come again, and pages answer."""
    inside, go_on = threading.Semaphore(0), threading.Event()

    def waiting(name: str, data: bytes) -> Iterator[Session | Deal | Finding]:
        inside.release()
        go_on.wait(WAIT)
        yield from read_pasted(name, data)

    app = create_app(path, waiting)
    answers: list[int] = []

    def one() -> None:
        answers.append(send(app.test_client(), TEXT).status_code)

    threads = [threading.Thread(target=one) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert inside.acquire(timeout=WAIT)
    refused = send(app.test_client(), TEXT)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert "Try again" in refused.text
    assert app.test_client().get("/deals/1").status_code == 200
    go_on.set()
    for thread in threads:
        thread.join(WAIT)
    assert answers == [200] * AT_ONCE
    assert send(app.test_client(), TEXT).status_code == 200


# --- hostile text -----------------------------------------------------------------------------------------------------

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"</textarea></details>{{ 7 * 6 }}{% raw %}"


@pytest.mark.parametrize("place", ["name", "note", "event", "text", "file"])
def test_markup_and_template_syntax_are_only_text(client: FlaskClient, place: str) -> None:
    said = MARKUP.replace('"', '\\"')
    texts = {
        "name": HEAD.replace('"Anna"', f'"{said}"') + "[[deal]]\ngame = 'none'\ndealer = 'Ben'\nstated.points = 3\n",
        "note": f'{HEAD}[[deal]]\ngame = "none"\nnote = "{said}"\n',
        "event": f'event = "{said}"\n{HEAD}{DEAL}',
        "text": MARKUP,
    }
    answer = (
        drop(client, TEXT.encode(), "<img src=x>{{ 7 * 6 }}.toml") if place == "file" else send(client, texts[place])
    )
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text
    assert "7 * 6" in answer.text
    parser = Strict()
    parser.feed(answer.text)
    assert parser.open == []


BODIES = {
    "brackets": b"[" * 1_000_000,
    "braces": b"{" * 1_000_000,
    "nested JSON": b'{"a":' * 150_000,
    "nested TOML": HEAD.encode() + b"x = " + b"[" * 300_000,
    "tables in tables": HEAD.encode() + b"x = " + b"{a=" * 200_000,
    "a long key": HEAD.encode() + b".".join([b"a"] * 200_000) + b" = 1\n",
    "NULs": bytes(1_000_000),
    "no UTF-8": b"\xff\xfe\xfd" * 300_000,
    "every byte": bytes(range(256)) * 4_000,
    "control characters": HEAD.encode() + b"note = '\x00\x01\x1b[31m'\n",
    "escaped NULs": HEAD.replace('"Anna"', '"\\u0000"').encode() + DEAL.encode(),
    "surrogates": LINE.replace("Anna", "\\ud800").encode(),
    "huge numbers": f"{HEAD}[[deal]]\ngame = 'none'\nknocks = {'9' * 4_000}\n".encode(),
    "large numbers": f"{HEAD}{DEAL}carry.bock = 9007199254740992\nknocks = 9007199254740992\n".encode(),
    "a huge exponent": b'{"format":"schafkopf-record/1","players":1e999999999}',
    "many players": HEAD.replace('"Dora"', ", ".join(f'"P{n}"' for n in range(60_000))).encode() + DEAL.encode(),
    "a long name": HEAD.replace("Anna", "N" * 10_000).encode() + DEAL.encode(),
    "many deals": HEAD.encode() + DEAL.encode() * 20_000,
    "many sessions": "".join(LINE.replace("Anna", f"Anna{n}") for n in range(8_000)).encode(),
    "a sheet": b"Anna;Ben;Cem;Dora\n" + b"10;-10;10;-10\n" * 50_000,
    "tags": b"<html><body>" + b"<div>" * 150_000,
    "commas": b"," * 1_000_000,
    "no picture": b"PK\x03\x04" + bytes(1_000_000),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_any_bytes_are_answered_with_a_page_in_time(
    client: FlaskClient, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_pages, "MOST_SECONDS", 1.0)
    with without_hanging():
        answer = drop(client, body[: check_pages.MOST_BYTES - 1000], "x")
    assert answer.status_code in (200, 422)
    assert "</html>" in answer.text
    assert "Traceback" not in answer.text
    assert len(answer.text) < 8 * check_pages.MOST_BYTES


@pytest.mark.parametrize(
    "rules", ["/etc/passwd", "secret.toml", "./secret.toml", "../secret.toml", "C:\\secret.toml", "x" * 10_000]
)
@pytest.mark.parametrize("form", ["head", "deal", "line", "correction"])
def test_a_pasted_record_reads_no_file(
    client: FlaskClient, rules: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that lies beside the server, in its folder or anywhere, is not looked at: nobody learns what is there.
    The hook sees every file that is opened."""
    (tmp_path / "secret.toml").write_text('id = "secret"\ntitle = "Secret"\nextends = "bavarian"\n')
    monkeypatch.chdir(tmp_path)
    named = rules.replace("\\", "\\\\")
    texts = {
        "head": HEAD.replace("bavarian", named) + DEAL,
        "deal": f'{HEAD}[[deal]]\nrules = "{named}"\ngame = "none"\n',
        "line": LINE.replace("bavarian", named),
        "correction": f'{HEAD}{DEAL}correction = [{{by="a", when="2026-01-01", why="b", set={{rules="{named}"}}}}]\n',
    }
    with Opened() as opened:
        answer = send(client, texts[form])
    assert answer.status_code in (200, 422)
    assert re.search("[Nn]o ruleset|it has more than", answer.text) or form == "correction"
    assert "there is no such file" not in answer.text
    assert "Secret" not in answer.text
    assert not [each for each in opened.paths if "secret" in each or "passwd" in each or each.startswith("x")]


def test_a_pasted_sheet_looks_for_no_columns(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "<pasted>").mkdir()
    (tmp_path / "<pasted>" / "columns.toml").write_text("[columns]\n")
    sheet = next(SAMPLES.glob("valid/*.csv"))
    with Opened() as opened:
        assert drop(client, sheet.read_bytes(), "sheet.csv").status_code == 200
    assert not [each for each in opened.paths if each.endswith("columns.toml")]


class Opened:
    """The files that are opened while it watches. A hook cannot be taken out again, so that there is one."""

    watching: "Opened | None" = None
    hooked = False

    def __enter__(self) -> "Opened":
        self.paths: list[str] = []
        if not Opened.hooked:
            sys.addaudithook(self.hook)
            Opened.hooked = True
        Opened.watching = self
        return self

    def __exit__(self, *_error: object) -> None:
        Opened.watching = None

    @staticmethod
    def hook(event: str, args: tuple[object, ...]) -> None:
        if event == "open" and Opened.watching is not None:
            Opened.watching.paths.append(str(args[0]))


def test_the_hook_sees_what_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text("")
    with Opened() as opened:
        (tmp_path / "secret.toml").read_bytes()
        list(read_pasted(str(tmp_path / "x.toml"), HEAD.replace("bavarian", "secret.toml").encode()))
    assert [Path(each).name for each in opened.paths].count("secret.toml") >= 2


# --- nothing is kept --------------------------------------------------------------------------------------------------


def test_nothing_is_stored(path: Path, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the archive, not as a temporary file, though the upload is larger than what is usually held in memory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.toml"\r\n\r\n'
    bodies = [part + data + b"\r\n--x--\r\n" for data in (TEXT.encode() + b"#" * 900_000, b"x" * 900_000)]
    before = {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in path.parent.iterdir()}
    with Opened() as opened:
        codes = [client.post("/check", data=body, content_type="multipart/form-data; boundary=x") for body in bodies]
    assert [answer.status_code for answer in codes] == [200, 422]
    assert {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in path.parent.iterdir()} == before
    assert list(tmp_path.iterdir()) == []
    assert not [each for each in opened.paths if each.startswith(str(tmp_path))]


def test_no_cookie_and_strict_headers(client: FlaskClient) -> None:
    for answer in (client.get("/check"), send(client, TEXT), send(client), send(client, "x" * 2**20)):
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "form-action 'self'" in policy
        assert "Set-Cookie" not in answer.headers


def test_a_source_of_a_pasted_text_lies_nowhere() -> None:
    (head, *_) = read_pasted("<pasted>/x", (HEAD + DEAL).encode())
    assert isinstance(head, Session)
    assert head.source == Source("<pasted>/x", 1, 3, hashlib.sha256((HEAD + DEAL).encode()).hexdigest())


# --- through the server -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="address")
def server(path: Path) -> Iterator[str]:
    with served(path) as address:
        yield address


def test_server_checks_what_is_sent(address: str) -> None:
    answer = httpx.post(f"{address}/check", data={"record": TEXT}, timeout=WAIT)
    assert (answer.status_code, "Deal 1: Rufspiel Gras" in answer.text) == (200, True)
    answer = httpx.post(f"{address}/check", files={"file": ("a.toml", TEXT)}, timeout=WAIT)
    assert answer.status_code == 200
    assert httpx.post(f"{address}/", data={"record": TEXT}, timeout=WAIT).status_code == 405


@pytest.mark.parametrize("size", [2**20 + 1, 5 * 2**20])
def test_server_says_that_a_body_is_too_long(address: str, size: int) -> None:
    answer = httpx.post(f"{address}/check", files={"file": ("a.toml", b"x" * size)}, timeout=WAIT)
    assert (answer.status_code, "more than 1 MB" in answer.text) == (413, True)


def test_server_takes_a_body_without_a_length(address: str) -> None:
    parts = (b"record=", TEXT.encode().replace(b"%", b"%25").replace(b"&", b"%26").replace(b"+", b"%2B"))
    kind = {"content-type": "application/x-www-form-urlencoded"}
    answer = httpx.post(f"{address}/check", content=(part for part in parts), headers=kind, timeout=WAIT)
    assert answer.status_code == 200


def test_who_sends_slowly_holds_up_nobody(address: str) -> None:
    """More bodies are under way than there are workers, and none of them ends."""
    host, port = address.removeprefix("http://").split(":")
    request = f"POST /check HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5000\r\n\r\nrec".encode()
    slow = [socket.create_connection((host, int(port))) for _ in range(20)]
    try:
        for each in slow:
            each.sendall(request)
        time.sleep(0.2)
        assert httpx.get(f"{address}/deals/1", timeout=WAIT).status_code == 200
        assert httpx.post(f"{address}/check", data={"record": TEXT}, timeout=WAIT).status_code == 200
    finally:
        for each in slow:
            each.close()


# --- who comes with empty hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("name", "verdicts"), [("lines", {"agrees": 3, "differs": 1}), ("cards", {"differs": 1})])
def test_an_example_stands_in_the_form_and_is_judged(
    client: FlaskClient, language: str, name: str, verdicts: dict[str, int]
) -> None:
    html = LexborHTMLParser(client.get(f"/check?lang={language}").text)
    (link,) = html.css(f'.tries a[href*="example={name}"]')
    text = LexborHTMLParser(client.get(str(link.attributes["href"])).text).css_first("textarea").text()
    deals = [item for item in judge_stream(read_pasted("text", text.encode())) if isinstance(item, Judgement)]
    assert Counter(deal.verdict for deal in deals) == verdicts
    assert explain(deals[-1 if name == "cards" else 2]).state == "explained"


def test_every_format_that_is_read_is_named(client: FlaskClient) -> None:
    for language in ("en", "de"):
        html = LexborHTMLParser(client.get(f"/check?lang={language}").text)
        keys = {f"p_format_{importer.NAME}" for importer in IMPORTERS}
        assert {key for key in TEXTS[language] if key.startswith("p_format_")} == keys
        assert [item.text() for item in html.css(".formats li")] == [
            text for key, text in TEXTS[language].items() if key in keys
        ]


@pytest.mark.parametrize("language", ["en", "de"])
def test_nonsense_is_answered_in_words_of_the_page(client: FlaskClient, language: str) -> None:
    answer = client.post(f"/check?lang={language}", data={"record": "bla bla"}, content_type="multipart/form-data")
    html = LexborHTMLParser(answer.text)
    assert answer.status_code == 422
    assert "--format" not in answer.text
    assert TEXTS[language]["p_unknown"] in html.css_first(".reading").text()
    assert len(html.css(".formats li")) == len(IMPORTERS)
