"""`/api/v1`: every answer has the type that the OpenAPI document tells, every refusal is a problem with its reason."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from support.paths import ROOT
from support.web_archive import evening, make_archive

from archive.cli.inputs import read_pasted
from archive.judge.report import report
from archive.notation import write_line
from archive.web.api.routes import ENDPOINTS, LIMITS
from archive.web.api.types import ProblemAnswer
from archive.web.app import create_app
from archive.web.doors.keys import Throttle

HERE = "/api/v1"
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(make_archive(tmp_path_factory.mktemp("api") / "archive.db"), read_pasted)
    app.config["API_THROTTLE"] = Throttle(dict.fromkeys(LIMITS, 100_000))
    return app.test_client()


def test_the_results_of_a_player_are_nobody_elses(client: FlaskClient) -> None:
    assert {row["player"] for row in ask(client, "/players/1")["results"]} == {1}


def ask(client: FlaskClient, path: str, **query: Any) -> Any:
    response = client.get(HERE + path, query_string=query)
    assert (response.status_code, response.content_type) == (200, "application/json"), response.text
    return response.json


def refusal(client: FlaskClient, path: str, **query: Any) -> tuple[int, str]:
    response = client.get(HERE + path, query_string=query)
    assert response.content_type == PROBLEM, response.text
    problem = msgspec.json.decode(response.data, type=ProblemAnswer)
    assert problem.status == response.status_code
    return problem.status, problem.detail


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_deal_is_what_check_prints_without_the_folder(client: FlaskClient) -> None:
    for number, judgement in enumerate(evening(), 1):
        answer = ask(client, f"/deals/{number}")["judgement"]
        expected = json.loads(msgspec.json.encode(report(judgement)))
        assert {key: value for key, value in answer.items() if key not in ("path", "findings")} == {
            key: value for key, value in expected.items() if key not in ("path", "findings")
        }
        assert "/" not in answer["path"]


def test_a_record_is_the_line_that_was_recorded(client: FlaskClient) -> None:
    for number, judgement in enumerate(evening(), 1):
        response = client.get(f"{HERE}/deals/{number}/record")
        kept = json.loads(response.data)
        expected = json.loads(write_line(judgement.session, judgement.recorded))
        assert kept | {"no": None} == expected | {"no": None}


def test_pages_of_a_list_are_the_list(client: FlaskClient) -> None:
    whole = ask(client, "/deals")["rows"]
    pages, path = [], f"{HERE}/deals?limit=2&session=1"
    while path:
        page = client.get(path).json
        pages += page["rows"]
        path = page["next"]
    assert (pages, len(whole)) == (whole, 7)


def test_lists_are_narrowed(client: FlaskClient) -> None:
    rows = ask(client, "/deals")["rows"]
    for verdict in ("agrees", "differs", "undecidable", "unplayable"):
        narrowed = ask(client, "/deals", verdict=verdict)["rows"]
        assert narrowed == [row for row in rows if row["verdict"] == verdict]
    assert ask(client, "/deals", since="2026-11-15")["rows"] == []
    assert len(ask(client, "/deals", player=1)["rows"]) == 7
    assert ask(client, "/deals", score="amounts", muss=0)["rows"] == [row for row in rows if row["muss"] == 0]
    for asked in ({"score": "tallies"}, {"hochzeit": "played"}, {"round": "bock"}, {"bid": 1}, {"muss": 1}):
        assert ask(client, "/deals", **asked)["rows"] == []
    rules = {row["rule"] for row in ask(client, "/findings")["rows"]}
    assert {row["rule"] for row in ask(client, "/findings", rule="stated-price")["rows"]} == {"stated-price"} < rules


def test_sentences_are_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    german = [row["message"] for row in ask(client, "/findings", lang="de")["rows"]]
    english = [row["message"] for row in ask(client, "/findings")["rows"]]
    assert all(one != other for one, other in zip(german, english, strict=True))
    assert "message_de" in ask(client, "/deals/1", lang="de")["judgement"]["findings"][0]


def test_every_question_is_answered(client: FlaskClient) -> None:
    for each in ask(client, "/questions")["questions"]:
        answer = client.get(each["href"]).json
        assert all(len(row) == len(answer["columns"]) for row in answer["rows"])


def test_a_question_is_narrowed_to_days(client: FlaskClient) -> None:
    """As the search of deals does, a month names all its days."""
    month = next(row["date"] for row in ask(client, "/sessions")["rows"] if row["date"])[:7]
    deals = ask(client, "/deals", since=month, until=month, limit=1000)
    answer = ask(client, "/questions/deals_by_month", since=f"{month}-01", until=f"{month[5:]}.{month[:4]}")
    at = answer["columns"].index("deals")
    assert sum(row[at] for row in answer["rows"]) == len(deals["rows"]) > 0
    year, at = month.split("-")
    assert ask(client, "/deals", since=f"{at}.{year}", until=f"{at}.{year}", limit=1000) == deals
    for path, day in itertools.product(
        ("questions/deals_by_month", "deals", "sessions"), ("soon", "31.11.2025", "2025-13")
    ):
        assert client.get(f"{HERE}/{path}?since={day}").status_code == 400, path


def test_a_text_is_checked_as_it_is_sent(client: FlaskClient) -> None:
    sheet = (ROOT / "sample_games" / "valid" / "stammtisch.toml").read_bytes()
    answer = client.post(f"{HERE}/check?name=%2Fhome%2Fme%2Fevening.toml", data=sheet)
    checked = json.loads(answer.data)
    assert (checked["verdicts"], checked["findings"], checked["more"]) == ({"agrees": 12}, [], 0)
    assert {each["path"] for each in checked["deals"]} == {"evening.toml"}
    wrong = json.loads(client.post(f"{HERE}/check?lang=de", data=b"nonsense").data)
    assert [each["rule"] for each in wrong["findings"]] == ["no-importer"]


def test_words_have_a_price(client: FlaskClient) -> None:
    words = {"q": "Sepp Sauspiel auf die Alte mit Toni, verloren, 3 Laufende", "tariff": "10/20/50"}
    assert ask(client, "/price", **words)["judgement"]["payments"][:2] == [-50, -50]
    assert ask(client, "/price", q="Sepp Herzsolo")["missing"] == ["who won"]
    assert ask(client, "/price", q="Sepp Herzsloo")["judgement"] is None


def test_a_list_has_a_tag_and_is_not_sent_twice(client: FlaskClient) -> None:
    first = client.get(f"{HERE}/deals")
    again = client.get(f"{HERE}/deals", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(f"{HERE}/deals", headers={"If-Match": "*"}).data == first.data
    assert client.get(f"{HERE}/deals", headers={"If-Match": '"another"'}).status_code == 412


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "query", "status", "why"),
    [
        ("/nothing", {}, 404, "openapi.json has all"),
        ("/deals/99", {}, 404, "no deal 99"),
        ("/sessions/99", {}, 404, "no session 99"),
        ("/players/99", {}, 404, "no player 99"),
        ("/deals/x", {}, 400, "deal is a whole number"),
        ("/deals", {"colour": "red"}, 400, "colour is not known here; it knows rules"),
        ("/deals", {"limit": "1001"}, 400, "from 1 to 1000"),
        ("/deals", {"verdict": "right"}, 400, "one of agrees"),
        ("/deals", {"after": "-1"}, 400, "whole number"),
        ("/deals", {"event": ["a", "b"]}, 400, "there twice"),
        ("/deals", {"event": "x" * 401}, 400, "at most 400"),
        ("/deals", {"contract": "nix"}, 400, "no contract nix here; it is one of rufspiel"),
        ("/findings", {"rule": "nix"}, 400, "no rule nix"),
        *((path, {"rules": "nix"}, 400, "no ruleset nix") for path in ("/deals", "/questions/results_by_contract")),
        ("/questions/nothing", {}, 404, "no question nothing"),
        *(
            (f"/{path}", {kind: 99}, 404, f"no {kind} 99")
            for path in ("questions/balances", "deals")
            for kind in ("event", "player", "session")
        ),
        ("/records", {"session": 99}, 404, "no session 99"),
        ("/questions/pairs", {"session": 1, "player": 1}, 400, "not of several"),
        ("/price", {}, 400, "q is missing"),
        ("/price", {"q": "x", "rules": "mine"}, 400, "one of"),
    ],
)
def test_a_refusal_says_why(client: FlaskClient, path: str, query: dict[str, Any], status: int, why: str) -> None:
    code, detail = refusal(client, path, **query)
    assert (code, why in detail) == (status, True), detail


def test_nothing_can_be_written(client: FlaskClient) -> None:
    for each in ENDPOINTS:
        path = HERE + re.sub(r"\{\w+\}", "1", each.path)
        methods = {one.method for one in ENDPOINTS if one.path == each.path}
        for method in {"post", "put", "delete", "patch"} - methods:
            response = client.open(path, method=method.upper())
            assert (response.status_code, response.content_type) == (405, PROBLEM), (method, path)


def test_a_large_body_and_an_empty_one_are_refused(client: FlaskClient) -> None:
    assert client.post(f"{HERE}/check", data=b"x" * 2**21).status_code == 413
    assert client.post(f"{HERE}/check", data=b" ").status_code == 400


def test_a_server_without_formats_checks_nothing(tmp_path: Path) -> None:
    lone = create_app(make_archive(tmp_path / "archive.db")).test_client()
    assert lone.post(f"{HERE}/check", data=b"x").status_code == 404


def test_an_archive_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    lone = create_app(tmp_path / "nothing.db").test_client()
    response = lone.get(f"{HERE}/deals")
    assert (response.status_code, response.content_type, str(tmp_path) in response.text) == (503, PROBLEM, False)


# --- the document ----------------------------------------------------------------------------------------------------


def test_the_document_names_every_address_and_every_reference_leads_somewhere(client: FlaskClient) -> None:
    document = ask(client, "/openapi.json")
    assert set(document["paths"]) == {each.path for each in ENDPOINTS}
    names = re.findall(r'"\$ref":\s*"#/components/schemas/(\w+)"', json.dumps(document))
    assert set(names) <= set(document["components"]["schemas"])
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"]
            in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
            assert in_path == set(re.findall(r"\{(\w+)\}", path))


def test_the_document_says_how_each_address_is_secured_and_of_what_rows_are(client: FlaskClient) -> None:
    document = ask(client, "/openapi.json")
    assert {} in document["security"]  # to read, no token is needed
    rows = document["components"]["schemas"]["AnswerToQuestion"]["properties"]["rows"]
    assert rows["items"]["type"] == "array"
    assert "anyOf" in rows["items"]["items"]


def test_every_address_is_on_the_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    named = {re.sub(r"\{\w+\}.*", "", each.path) for each in ENDPOINTS}
    assert all(f"`{name.rstrip('/') or HERE}" in page for name in named)
