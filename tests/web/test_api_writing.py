"""What programs write through `/api/v1`: the same as `import`, `correct` and `rule`, by a role, with who did it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.doors import add_accounts, bearer, enter, writing_app
from support.paths import ROOT
from support.thorough import examples
from support.web_archive import make_archive
from support.web_site import SAMPLES, served
from werkzeug.test import TestResponse

from archive.cli.received import read_received
from archive.store import open_read
from archive.store.seal import seal
from archive.web.api.routes import ENDPOINTS, LIMITS, MOST_BYTES
from archive.web.app import create_app
from archive.web.check.page import MOST_BYTES as MOST_CHECKED
from archive.web.doors.guard import csrf_token
from archive.web.doors.keys import Doors, Throttle, open_doors

HERE = "/api/v1"
PROBLEM = "application/problem+json"
SHEET = (ROOT / "sample_games" / "valid" / "score-sheet.csv").read_bytes()
Site = tuple[FlaskClient, Doors]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = make_archive(tmp_path / "archive.db")
    add_accounts(path, Anna="reader", Kathi="writer", Resi="referee")
    return path


@pytest.fixture
def site(archive: Path) -> Iterator[Site]:
    with writing_app(archive) as (app, doors):
        yield app.test_client(), doors


def rows(archive: Path, table: str) -> list[dict[str, Any]]:
    with closing(open_read(archive)) as conn:
        return [dict(row) for row in conn.execute(f"SELECT * FROM {table}")]


def send(site: Site, path: str, sent: Any, by: str = "Resi", **query: Any) -> TestResponse:
    client, doors = site
    body = {"data": sent} if isinstance(sent, bytes) else {"json": sent}
    return client.post(HERE + path, headers=bearer(doors, by), query_string=query, **body)


def refused(answer: TestResponse) -> tuple[int, str]:
    assert answer.content_type == PROBLEM, answer.text
    problem = json.loads(answer.data)
    return problem["status"], problem["detail"]


RULING = {
    "payments": {"Anna": -320, "Ben": 320, "Cem": -320, "Dora": 320}, "why": "both saw it", "cite": "house rule 4",
}  # fmt: skip
CORRECTION = {"set": {"stated.price": 320}, "why": "misread"}


# --- records -------------------------------------------------------------------------------------------------------


def test_a_file_is_stored_as_an_import_stores_it(site: Site, archive: Path) -> None:
    answer = send(site, "/records", SHEET, "Kathi", name="../../etc/evening.csv", origin="the pub")
    stored = json.loads(answer.data)
    assert (answer.status_code, stored["format"], stored["known"], stored["more"]) == (200, "score-sheet", 0, 0)
    assert stored["added"] == sum(stored["verdicts"].values()) > 0
    source = rows(archive, "sources")[-1]
    assert (source["path"], source["author"], source["origin"]) == ("evening.csv", "Kathi", "the pub")
    again = json.loads(send(site, "/records", SHEET, "Kathi").data)
    assert (again["source"], again["added"], again["known"]) == (stored["source"], 0, stored["added"])


def test_lines_that_are_read_are_stored_again_as_they_were(site: Site, tmp_path: Path) -> None:
    client, _ = site
    lines = client.get(f"{HERE}/records")
    assert (lines.content_type, lines.headers["Cache-Control"]) == ("application/x-ndjson", "no-store")
    assert lines.data.count(b"\n") == 7
    (tmp_path / "other").mkdir()
    other = make_archive(tmp_path / "other" / "archive.db")
    add_accounts(other, Resi="referee")
    with writing_app(other) as (app, doors):
        stored = json.loads(send((app.test_client(), doors), "/records", lines.data, name="all.jsonl").data)
    assert (stored["added"], stored["known"]) == (0, 7)


def test_a_file_of_which_nothing_can_be_read_is_not_stored(site: Site, archive: Path) -> None:
    before = len(rows(archive, "sources"))
    answer = send(site, "/records", b"nonsense")
    problem = json.loads(answer.data)
    assert (answer.status_code, [each["rule"] for each in problem["findings"]]) == (422, ["no-importer"])
    assert refused(send(site, "/records", b" "))[0] == 400
    assert "Europe/Nix" in refused(send(site, "/records", SHEET, time_zone="Europe/Nix"))[1]
    assert refused(send(site, "/records", b"PK\3\4" + b"x" * 99))[0] == 422
    assert len(rows(archive, "sources")) == before


def test_the_good_rest_of_a_file_is_stored_with_findings_on_the_bad(site: Site) -> None:
    answer = json.loads(send(site, "/records", SHEET + b"99;Unsinn;Emil;;;;;;;\n", lang="de").data)
    assert answer["added"] > 0
    wrong = [each for each in answer["findings"] if each["severity"] == "error"]
    assert {each["line"] for each in wrong} == {SHEET.count(b"\n") + 1}


def test_more_may_be_sent_by_those_who_write_and_no_more_than_that(site: Site) -> None:
    assert refused(send(site, "/records", b"x" * (MOST_CHECKED + 10)))[0] == 422  # read, and of no format
    assert refused(send(site, "/records", b"x" * (MOST_BYTES + 1)))[0] == 413


def test_a_file_that_no_longer_tells_a_deal_with_a_ruling_is_held_until_it_is_said_what_becomes_of_it(
    site: Site, archive: Path
) -> None:
    head = b"Abend 13.11.2026\nNr;Spiel;Spieler;Mitspieler;Eva;Fritz;Gabi;Hans\n"
    first, second = b"1;Sauspiel;Eva;Gabi;20;-20;20;-20\n", b"2;Wenz;Hans;;-50;-50;-50;150\n"
    third = b"3;Wenz;Eva;;150;-50;-50;-50\n"
    send(site, "/records", head + first + second + third, "Kathi", name="a.csv")
    deal = rows(archive, "deals")[-2]["id"]
    ruling = {"payments": dict.fromkeys(("Eva", "Fritz", "Gabi", "Hans"), 0), "why": "agreed", "cite": "house"}
    assert send(site, f"/deals/{deal}/rulings", ruling).status_code == 200
    held = send(site, "/records", head + first + third, "Kathi", name="a.csv")
    assert "gone=keep or gone=withdraw" in refused(held)[1]
    problem = json.loads(held.data)
    assert (problem["status"], [each["rule"] for each in problem["findings"]]) == (409, ["deal-gone", "import-held"])
    assert refused(send(site, "/records", head + first + third, "Kathi", name="a.csv", gone="maybe"))[0] == 400
    retained = json.loads(send(site, "/records", head + first + third, "Kathi", name="a.csv", gone="keep").data)
    assert (retained["gone"], retained["retained"], len(rows(archive, "deals"))) == ([], 1, 10)
    gone = json.loads(send(site, "/records", head + first + third, "Kathi", name="a.csv", gone="withdraw").data)
    assert (gone["gone"], gone["retained"], len(rows(archive, "deals"))) == ([deal], 0, 9)


def test_files_without_a_name_are_no_states_of_each_other(site: Site, archive: Path) -> None:
    head = b"Abend 13.11.2026\nNr;Spiel;Spieler;Mitspieler;Eva;Fritz;Gabi;Hans\n"
    before = len(rows(archive, "deals"))
    for row in (b"1;Sauspiel;Eva;Gabi;20;-20;20;-20\n", b"2;Wenz;Hans;;-50;-50;-50;150\n"):
        stored = json.loads(send(site, "/records", head + row, "Kathi").data)
        assert (stored["added"], stored["gone"]) == (1, [])
    assert len(rows(archive, "deals")) == before + 2


# --- corrections and rulings ------------------------------------------------------------------------------------------


def test_a_correction_is_by_the_account_and_its_deal_is_judged_anew(site: Site, archive: Path) -> None:
    rehearsed = json.loads(send(site, "/deals/1/corrections", CORRECTION | {"dry_run": True}, "Kathi").data)
    assert (rehearsed["stored"], rows(archive, "corrections")) == (False, [])
    done = json.loads(send(site, "/deals/1/corrections", CORRECTION, "Kathi").data)
    assert (done["stored"], [each["key"] for each in done["changes"]]) == (True, ["stated.price"])
    assert {**done, "stored": False} == rehearsed
    (row,) = rows(archive, "corrections")
    assert (row["deal_id"], row["author"], row["why"]) == (1, "Kathi", "misread")
    assert "already" in refused(send(site, "/deals/1/corrections", CORRECTION, "Kathi"))[1]


@pytest.mark.parametrize("entry", [{"stated.colour": 1}, {"rules": ""}])
def test_what_the_format_refuses_has_the_id_of_its_finding(site: Site, archive: Path, entry: dict[str, object]) -> None:
    answer = send(site, "/deals/1/corrections", {"set": entry, "why": "so"})
    problem = json.loads(answer.data)
    assert (answer.status_code, len(problem["findings"]), rows(archive, "corrections")) == (422, 1, [])
    assert problem["findings"][0]["rule"]


def test_a_ruling_is_by_a_referee_and_is_made_once(site: Site, archive: Path) -> None:
    assert refused(send(site, "/deals/1/rulings", RULING, "Kathi"))[0] == 403
    done = json.loads(send(site, "/deals/1/rulings", RULING).data)
    assert (done["stored"], done["rest"]) == (True, 0)
    assert refused(send(site, "/deals/1/rulings", RULING)) == (409, "deal 1 is ruled so already")
    assert [row["author"] for row in rows(archive, "rulings")] == ["Resi"]
    wrong = {"Anna": 1, "Ben": 1, "Cem": 1, "Dora": 1}
    assert refused(send(site, "/deals/1/rulings", RULING | {"payments": wrong}))[0] == 409
    assert refused(send(site, "/deals/1/rulings", RULING | {"payments": {"Anna": 1}}))[0] == 422


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"\xff", b'{"set": {}, "why": "x"}', b'{"set": {"note": 1}, "why": " "}',
     b'{"set": {"note": "x"}, "why": "x", "by": "Emil"}', b'{"set": {"note": "a\\u0000"}, "why": "x"}',
     b'{"set": {"note": "x"}, "why": "\\ud800"}', b"[" * 10_000,
     b'{"set": {"note": "x"}, "why": "x", "dry_run": true, "dry_run": false}',
     b'{"set": {"note": "x", "note": "y"}, "why": "x"}'],
)  # fmt: skip
def test_a_body_that_is_none_is_refused(site: Site, archive: Path, body: bytes) -> None:
    assert refused(send(site, "/deals/1/corrections", body))[0] == 400
    assert rows(archive, "corrections") == []


def test_of_a_deal_that_is_not_there_nothing_is_written(site: Site) -> None:
    assert refused(send(site, "/deals/99/corrections", CORRECTION))[0] == 404
    assert refused(send(site, "/deals/99/rulings", RULING))[0] == 404


# --- who may --------------------------------------------------------------------------------------------------------


def test_who_may_not_is_refused_before_the_body_is_read(site: Site, archive: Path) -> None:
    def unknown(kind: str) -> dict[str, str]:
        return {"Authorization": f"{kind} x"}

    client, doors = site
    for headers, status in (({}, 401), (unknown("Bearer"), 401), (unknown("Basic"), 401), (bearer(doors, "Anna"), 403)):
        answer = client.post(f"{HERE}/records", data=SHEET, headers=headers)
        assert refused(answer)[0] == status
    assert "WWW-Authenticate" in client.post(f"{HERE}/records").headers
    reading = create_app(archive).test_client()
    assert refused(reading.post(f"{HERE}/records", data=SHEET))[0] == 403
    assert len(rows(archive, "sources")) == 1


def test_a_browser_that_is_signed_in_needs_the_secret_of_its_visit(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    with writing_app(make_archive(tmp_path / "own" / "archive.db")) as (app, doors):
        app.add_url_rule("/secret", view_func=csrf_token)
        client = enter(app.test_client(), doors)
        assert refused(client.post(f"{HERE}/deals/1/corrections", json=CORRECTION))[0] == 403
        secret = {"X-CSRF-Token": client.get("/secret").text}
        assert client.post(f"{HERE}/deals/1/corrections", json=CORRECTION, headers=secret).status_code == 200


def test_too_many_requests_in_a_minute_are_told_when_to_come_again(site: Site) -> None:
    client, doors = site
    assert client.application.config["API_THROTTLE"].limits == LIMITS
    client.application.config["API_THROTTLE"] = Throttle({"read": 3, "judge": 1, "write": 2}, 60.0)
    assert [client.get(f"{HERE}/deals").status_code for _ in range(4)] == [200, 200, 200, 429]
    late = client.get(f"{HERE}/deals")
    assert (refused(late)[0], 0 < int(late.headers["Retry-After"]) <= 60) == (429, True)
    assert client.get(f"{HERE}/deals", headers=bearer(doors, "Anna")).status_code == 200  # counted by the account


def test_who_waits_too_long_to_write_gets_429_and_when_to_come_again(archive: Path, site: Site) -> None:
    _, doors = site
    before, doors.writer.patience = rows(archive, "sources"), 0.01
    with doors.writer.archive():
        answer = send(site, "/records", SHEET, name="evening.csv")
    assert (refused(answer)[0], answer.status_code, answer.headers["Retry-After"]) == (429, 429, "5")
    assert "Nothing was saved" in refused(answer)[1]
    assert rows(archive, "sources") == before
    doors.writer.close()
    stopped = send(site, "/records", SHEET, name="evening.csv")
    assert (stopped.status_code, stopped.headers["Retry-After"]) == (503, "5")


def test_nothing_is_written_into_pages_that_a_disk_has_changed_which_is_an_error_of_the_server(
    archive: Path, site: Site
) -> None:
    seal(archive)
    was = archive.read_bytes()
    archive.write_bytes(was[:-1] + bytes([was[-1] ^ 1]))
    answer = send(site, "/deals/1/rulings", RULING)
    assert refused(answer)[0] == 503
    assert "archive.db is damaged" in refused(answer)[1]
    assert str(archive.parent) not in answer.text
    assert archive.read_bytes()[:-1] == was[:-1]


# --- any request, by Schemathesis out of the document of the interface itself: ten thousand in a thorough run ---------


def test_any_request_has_an_answer_that_the_document_tells(site: Site) -> None:
    """As a referee."""
    import schemathesis  # which takes half a second
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks as of_document

    checks = [not_a_server_error, of_document.status_code_conformance, of_document.content_type_conformance]
    checks.append(of_document.response_schema_conformance)
    client, doors = site
    app = client.application
    app.config["API_THROTTLE"] = Throttle(dict.fromkeys(LIMITS, 10**6))
    document, token = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app), bearer(doors, "Resi")
    operations = [each.ok() for each in document.get_all_operations()]
    assert len(operations) == len(ENDPOINTS)

    @given(case=st.one_of(*(each.as_strategy() for each in operations)))
    @settings(max_examples=examples(20, 10_000), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def send(case: Any) -> None:
        case.call_and_validate(checks=checks, headers=token)

    send()


# --- every command and program of docs/api.md, as they stand there ----------------------------------------------------


PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
SHELL = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PYTHON = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = "".join(SHELL).count("curl ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive whose referee is Resi, and a session file."""
    path = tmp_path_factory.mktemp("page")
    make_archive(path / "archive.db")
    shutil.copy(SAMPLES / "stammtisch.toml", path / "evening.toml")
    add_accounts(path / "archive.db", Resi="referee")
    return path


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with (
        closing(open_doors(folder / "archive.db", receive=read_received)) as doors,
        served(folder / "archive.db", doors=doors) as address,
    ):
        yield address


def run(words: list[str], folder: Path, address: str, text: str) -> str:
    """What a program says that is told here to a shell or to Python."""
    here = text.replace("http://127.0.0.1:8001", address).replace("/deals/12", "/deals/2")
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": paths, "TOKEN": os.environ.get("TOKEN", "")}
    done = subprocess.run([*words, here], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_the_commands_of_the_page_are_answered(folder: Path, address: str) -> None:
    decoder, said, answers = (
        json.JSONDecoder(),
        "".join(run(["sh", "-ec"], folder, address, text) for text in SHELL),
        [],
    )
    while said.strip():
        answer, end = decoder.raw_decode(said.lstrip())
        answers.append(answer)
        said = said.lstrip()[end:]
    assert [each for each in answers if "title" in each and "detail" in each] == []
    assert len(answers) == COMMANDS > 7
    with closing(open_read(folder / "archive.db")) as conn:
        assert [row[0] for row in conn.execute("SELECT author FROM rulings UNION ALL SELECT author FROM corrections")] \
            == ["Resi", "Resi"]  # fmt: skip
        assert conn.execute("SELECT author FROM sources ORDER BY id DESC").fetchone()[0] == "Resi"


def test_the_programs_of_the_page_run(folder: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = run(["sh", "-c"], folder, address, "schafkopf users token Resi").strip()
    monkeypatch.setenv("TOKEN", token)
    reading, writing = (run([sys.executable, "-c"], folder, address, text) for text in PYTHON)
    assert re.search(r"^\d+ 2026-11-14 ", reading, re.MULTILINE)
    assert re.fullmatch(r"0 added, \d+ known\n", writing)
