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
    "503": "The server is busy, or the archive cannot be read; Retry-After says when to try again.",
}


def openapi_document(version: str, root: str) -> dict[str, Any]:
    """The document of the addresses under `root`."""
    answers = [each.answer for each in ENDPOINTS if each.answer is not bytes]
    schemas, components = msgspec.json.schema_components((*answers, ProblemAnswer), ref_template=REFERENCE)
    of_answer = dict(zip(answers, schemas, strict=False))
    paths = {each.path: {each.method: operation(each, of_answer, schemas[-1])} for each in ENDPOINTS}
    return {
        "openapi": "3.1.0",
        "info": {"title": "schafkopf-archive", "version": version},
        "servers": [{"url": root}],
        "paths": paths,
        "components": {"schemas": components},
    }


def operation(each: Endpoint, of_answer: dict[type, Any], problem: Any) -> dict[str, Any]:
    """An address of the interface: its purpose, its parameters, its answers."""
    schema = of_answer.get(each.answer, {"type": "object"})
    refused = {"content": {PROBLEM: {"schema": problem}}}
    described: dict[str, Any] = {
        "operationId": each.function.__name__,
        "summary": " ".join((each.function.__doc__ or "").split()),
        "parameters": [parameter_schema(one, each) for one in each.parameters],
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}},
            **{code: {"description": why, **refused} for code, why in REFUSED.items()},
        },
    }
    if each.body:
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        described["requestBody"] = {"description": each.body, "required": True, "content": content}
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
