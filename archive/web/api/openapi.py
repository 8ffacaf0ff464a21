"""The OpenAPI document of the interface, made from the addresses and the types of their answers."""

from typing import Any

import msgspec

from archive.web.api.endpoints import ENDPOINTS, NEEDED
from archive.web.api.problem import PROBLEM
from archive.web.api.types import Endpoint, Parameter, ProblemAnswer

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
LINES = {"application/x-ndjson": {"schema": {"type": "string"}}}


def openapi_document(version: str, root: str) -> dict[str, Any]:
    """Return the document of the addresses under `root`."""
    answers = [each.answer for each in ENDPOINTS if is_described(each.answer)]
    types = [*answers, *(each.sent for each in ENDPOINTS if each.sent)]
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
    content = described_as if each.answer is bytes or is_described(each.answer) else LINES
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
