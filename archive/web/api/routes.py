"""`/api/v1` in the application: every address is declared once, routes and the OpenAPI document come from that;
parameters are read and checked, answers and refusals are JSON."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import version
from typing import Any, get_args

import msgspec
from flask import Flask, Response, current_app, request

from archive.judge.types import Basis, Verdict
from archive.notation.jsonl import refuse_key_twice
from archive.notation.problem import Problem
from archive.rules import installed_rulesets
from archive.stats.fact_tables import WHERE
from archive.store.gone_deals import Gone
from archive.web.api import answers
from archive.web.api.answers import ROOT, price_words
from archive.web.api.problem import PROBLEM, Refusal, problem_response, refuse
from archive.web.api.types import Asked, CorrectionSent, Endpoint, Parameter, ProblemAnswer, RulingSent
from archive.web.doors.guard import demand, opened_by, visitor
from archive.web.doors.keys import Throttle
from archive.web.texts import LANGUAGES

LANG = Parameter("lang", "The language of sentences; English where it is left out.", choices=LANGUAGES)
AFTER = Parameter("after", "The number of the last row of the page before.", int)
LIMIT = Parameter("limit", f"Rows of a page, at most {answers.MOST}; {answers.USUAL} where it is left out.", int)
SINCE = Parameter("since", "The first day, month or year, as 2026-11-14.")
UNTIL = Parameter("until", "The last day, month or year.")
EVENT = Parameter("event", "The name of the event.")
SESSION = Parameter("session", "The number of the session.", int)
PLAYER = Parameter("player", "The number of the player.", int)
DEAL = Parameter("deal", "The number of the deal.", int)
RULES = Parameter("rules", "The ruleset.")
CONTRACT = Parameter("contract", "The id of the contract.")
BASIS = Parameter("basis", "On what the amounts rest.", choices=get_args(Basis))
ROUND = Parameter("round", "A special round in force: bock, kreuz and so on.")
MUSS = Parameter("muss", "1: the declarer had to play, since all had passed; 0: not so.", int)
BID = Parameter("bid", "The lowest number bid.", int)
HOCHZEIT = Parameter("hochzeit", "What became of a Hochzeit.", choices=("played", "offered"))
SCORE = Parameter("score", "In what the score is kept.", choices=("amounts", "marks", "tallies"))
VERDICT = Parameter("verdict", "The verdict.", choices=get_args(Verdict))
RULE = Parameter("rule", "The id of the finding.")
SEVERITY = Parameter("severity", "How severe it is.", choices=("error", "warning", "note"))
QUESTION = Parameter("question", "The name of the question.")
WORDS = Parameter("q", "The deal in words.")
INSTALLED = Parameter("rules", "The ruleset; pub where it is left out.", choices=installed_rulesets())
TARIFF = Parameter("tariff", "What games cost, as 10/20/50.")
NAME = Parameter("name", "The name of the file.")
TERMS = (
    Parameter("licence", "Under which terms the file may be used."),
    Parameter("origin", "Where the file comes from."),
    Parameter("time_zone", "The time zone of the times in it, as Europe/Berlin."),
)
GONE = Parameter("gone", "What becomes of deals that the file no longer tells.", choices=get_args(Gone))
NARROWED = (
    RULES,
    CONTRACT,
    Parameter("parties", "How the parties are formed."),
    Parameter("unit", "What amounts count."),
)
PLACES = {"player": PLAYER, "session": SESSION, "event": EVENT, "basis": BASIS, "since": SINCE, "until": UNTIL}
PART = tuple(PLACES[name] for name in WHERE)  # the parts of an archive that a question may be about

KINDS = (ROUND, MUSS, BID, HOCHZEIT, SCORE)
LIST = (EVENT, SINCE, UNTIL, AFTER, LIMIT)
ENDPOINTS = (
    Endpoint("/", answers.describe_service),
    Endpoint("/deals", answers.list_deals, (RULES, CONTRACT, VERDICT, BASIS, *KINDS, PLAYER, SESSION, *LIST)),
    Endpoint("/deals/{deal}", answers.show_deal, (DEAL, LANG)),
    Endpoint("/deals/{deal}/record", answers.show_record, (DEAL,)),
    Endpoint("/sessions", answers.list_sessions, LIST),
    Endpoint("/sessions/{session}", answers.show_session, (SESSION,)),
    Endpoint("/players", answers.list_players, (AFTER, LIMIT)),
    Endpoint("/players/{player}", answers.show_player, (PLAYER,)),
    Endpoint("/findings", answers.list_findings, (RULE, SEVERITY, DEAL, AFTER, LIMIT, LANG)),
    Endpoint("/questions", answers.list_questions, (LANG,)),
    Endpoint("/questions/{question}", answers.ask_question, (QUESTION, *NARROWED, *PART, LIMIT)),
    Endpoint("/price", answers.price_words, (WORDS, INSTALLED, TARIFF, LANG)),
    Endpoint("/check", answers.check_text, (NAME, LANG), "The text or the file itself.", "post"),
    Endpoint("/records", answers.stream_records, (SESSION,)),
    Endpoint("/records", answers.add_records, (NAME, *TERMS, GONE, LANG), "The file itself.", "post", "writer"),
    Endpoint(
        "/deals/{deal}/corrections",
        answers.add_correction,
        (DEAL, LANG),
        "What is set, and why.",
        "post",
        "writer",
        CorrectionSent,
    ),
    Endpoint(
        "/deals/{deal}/rulings",
        answers.add_ruling,
        (DEAL, LANG),
        "Who pays what, why, by which rule.",
        "post",
        "referee",
        RulingSent,
    ),
)
NEEDED = ("q",)  # parameters of a query that must be there, beside those of the path


REFERENCE = "#/components/schemas/{name}"
TYPES = {int: "integer", str: "string"}
REFUSED = {
    "400": "A parameter is not known, or cannot be read.",
    "404": "There is no such thing.",
    "429": "Too many requests in a minute, or too many who write at once; Retry-After says when to try again.",
    "503": "The server is busy, or the archive cannot be read; Retry-After says when to try again.",
}


OF_WRITING = {
    "401": "Who asks is not signed in.",
    "403": "Who asks may not, or nothing can be written here.",
    "409": "It is so already, or cannot be.",
    "422": "What was sent cannot be read or does not fit; the findings say why.",
}
TOKEN = {"bearer": {"type": "http", "scheme": "bearer", "description": "The token of an account, by `users token`."}}
LINES = "application/x-ndjson"


def openapi_document(version: str, root: str) -> dict[str, Any]:
    """Return the document of the addresses under `root`."""
    types = [each.answer for each in ENDPOINTS if is_described(each.answer)]
    types += [each.sent for each in ENDPOINTS if each.sent]
    schemas, components = msgspec.json.schema_components((*types, ProblemAnswer), ref_template=REFERENCE)
    described = dict(zip(types, schemas, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for each in ENDPOINTS:
        paths.setdefault(each.path, {})[each.method] = operation(each, described, schemas[-1])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "schafkopf-archive",
            "version": version,
            "license": {"name": "MIT License", "identifier": "MIT"},
        },
        "servers": [{"url": root}],
        "security": [{}, {"bearer": []}],  # reading needs no token; with one an account sees its own sessions too
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": TOKEN},
    }


def is_described(answer: type) -> bool:
    """Return whether an answer has a type of its own; a record has that of the record format."""
    return isinstance(answer, type) and issubclass(answer, msgspec.Struct)


def operation(each: Endpoint, of_type: dict[type, Any], problem: Any) -> dict[str, Any]:
    """Return an address of the interface as OpenAPI has it: its purpose, its parameters, its answers."""
    described_as = {"application/json": {"schema": of_type.get(each.answer, {"type": "object"})}}
    content = (
        described_as if each.answer is bytes or is_described(each.answer) else {LINES: {"schema": {"type": "string"}}}
    )
    refusals = REFUSED | (OF_WRITING if each.role else {})
    refused = {"content": {PROBLEM: {"schema": problem}}}
    described: dict[str, Any] = {
        "operationId": each.function.__name__,
        "summary": " ".join((each.function.__doc__ or "").split()),
        "parameters": [parameter_schema(one, each) for one in each.parameters],
        "responses": {
            "200": {"description": "The answer.", "content": content},
            **{code: {"description": why, **refused} for code, why in refusals.items()},
        },
    }
    if each.role:
        described["security"] = [{"bearer": []}]
    if each.body:
        binary = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        sent = {"application/json": {"schema": of_type[each.sent]}} if each.sent else binary
        described["requestBody"] = {"description": each.body, "required": True, "content": sent}
        described["responses"]["413"] = {"description": "More was sent than is read.", **refused}
    return described


def parameter_schema(one: Parameter, each: Endpoint) -> dict[str, Any]:
    in_path = f"{{{one.name}}}" in each.path
    schema: dict[str, Any] = {"type": TYPES[one.kind]}
    if one.kind is int:
        schema |= {"minimum": 0, "maximum": 2**63 - 1}
    if one.choices:
        schema["enum"] = list(one.choices)
    place = "path" if in_path else "query"
    return {
        "name": one.name,
        "in": place,
        "required": in_path or one.name in NEEDED,
        "description": one.says,
        "schema": schema,
    }


LONGEST = 400  # characters of a parameter
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # in JSON
MINUTE = 60.0  # seconds
LIMITS = {"read": 1_200, "judge": 120, "write": 600}  # requests a minute, of an account or else of an address
MOST_BYTES = 8 * 2**20  # of a file that is stored


def setup(app: Flask) -> None:
    for each in ENDPOINTS:
        path = ROOT + re.sub(r"\{(\w+)\}", r"<\1>", each.path if each.path != "/" else "")
        name = f"api.{each.function.__name__}"
        view = opened_by("the endpoint, which says whom it lets in")(partial(answer, each))
        app.add_url_rule(path, name, view, methods=[each.method.upper()], strict_slashes=False)
    app.config["API_THROTTLE"] = Throttle(LIMITS, MINUTE)

    @app.get(f"{ROOT}/openapi.json", endpoint="api.document")
    def document() -> Response:
        return Response(document_bytes(request.script_root + ROOT), content_type="application/json")

    @app.errorhandler(Refusal)
    def refusal_answer(error: Refusal) -> Response:
        return problem_response(error.status, error.detail, error.findings, error.retry)


@cache
def document_bytes(server: str) -> bytes:
    return msgspec.json.encode(openapi_document(version("schafkopf-archive"), server))


def answer(each: Endpoint, **path: str) -> Response:
    """Return the answer of an address to the request."""
    function: Callable[[Asked], Any] = each.function
    if each.role:
        demand(each.role)
        request.max_content_length = MOST_BYTES
    # nobody asks more often than is fair to others
    throttle: Throttle = current_app.config["API_THROTTLE"]
    kind = "write" if each.role else "judge" if each.body or each.function is price_words else "read"
    who = visitor()
    if wait := throttle.wait(**{kind: who.name if who else request.remote_addr}):
        refuse(429, f"more than {throttle.limits[kind]} requests in a minute; again in {wait} seconds", retry=wait)
    asked = asked_of(each, path)
    if each.sent:
        asked["sent"] = sent_as(each.sent)
    result = function(asked)
    if isinstance(result, Iterator):
        return Response(result, content_type=LINES, headers={"Cache-Control": "no-store"})
    return Response(
        result if isinstance(result, bytes) else msgspec.json.encode(result), content_type="application/json"
    )


def sent_as(kind: type) -> Any:
    """Return the body of a request, read from JSON as a type. Refuses what is not of that type."""
    data = request.get_data()
    try:
        data.decode()
        sent: Any = msgspec.json.decode(data, type=kind)
        json.loads(data, object_pairs_hook=refuse_key_twice)
        text = msgspec.json.encode(sent).decode()
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        refuse(400, f"the body cannot be read: {error}")
    except Problem as problem:
        refuse(400, f"the body cannot be read: the key {problem.key} stands there twice")
    if NUL.search(text):
        refuse(400, "the body has a NUL")
    return sent


def asked_of(each: Endpoint, path: dict[str, str]) -> Asked:
    """Return the parameters of a request. Refuses one that is unknown, given twice, missing, or without a value that
    can be read."""
    known = {one.name: one for one in each.parameters}
    given = {**path, **{name: value for name, value in request.args.items() if name not in path}}
    if unknown := sorted(given.keys() - known.keys()):
        can = f"it knows {', '.join(known)}" if known else "it takes none"
        refuse(400, f"the parameter {unknown[0][:LONGEST]} is not known here; {can}")
    if twice := [name for name, values in request.args.lists() if len(values) > 1]:
        refuse(400, f"the parameter {twice[0]} is there twice")
    if missing := [name for name in NEEDED if name in known and not given.get(name, "").strip()]:
        refuse(400, f"the parameter {missing[0]} is missing")
    return {name: value_of(known[name], text) for name, text in given.items() if text != ""}


def value_of(one: Parameter, text: str) -> int | str:
    """Return the value of a parameter. Refuses a text that is none."""
    if one.choices and text not in one.choices:
        refuse(400, f"{one.name} is one of {', '.join(one.choices)}")
    if one.kind is int:
        return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else refuse(400, f"{one.name} is a whole number")
    if len(text) > LONGEST or "\0" in text:
        refuse(400, f"{one.name} has at most {LONGEST} characters, and no NUL")
    return text
