"""`/api/v1` in the application: parameters are read and checked, answers and refusals are JSON."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import version
from typing import Any

import msgspec
from flask import Flask, Response, current_app, request

from archive.notation.jsonl import refuse_key_twice
from archive.notation.problem import Problem
from archive.web.api.answers import ROOT, price_words
from archive.web.api.endpoints import ENDPOINTS, NEEDED, openapi_document
from archive.web.api.problem import Refusal, problem_response, refuse
from archive.web.api.types import Asked, Endpoint, Parameter
from archive.web.doors.guard import demand, opened_by, visitor
from archive.web.doors.keys import Throttle

LONGEST = 400  # characters of a parameter
LINES = "application/x-ndjson"
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
        data = request.get_data()
        try:
            data.decode()
            sent: Any = msgspec.json.decode(data, type=each.sent)
            json.loads(data, object_pairs_hook=refuse_key_twice)
            text = msgspec.json.encode(sent).decode()
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            refuse(400, f"the body cannot be read: {error}")
        except Problem as problem:
            refuse(400, f"the body cannot be read: the key {problem.key} stands there twice")
        if NUL.search(text):
            refuse(400, "the body has a NUL")
        asked["sent"] = sent
    result = function(asked)
    if isinstance(result, Iterator):
        return Response(result, content_type=LINES, headers={"Cache-Control": "no-store"})
    return Response(
        result if isinstance(result, bytes) else msgspec.json.encode(result), content_type="application/json"
    )


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
