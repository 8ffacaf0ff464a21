"""Refusals of the interface as problem details (RFC 9457)."""

from http import HTTPStatus
from typing import NoReturn

import msgspec
from flask import Response, request
from werkzeug.exceptions import HTTPException, NotFound

from archive.web.api.types import FindingAnswer, ProblemAnswer

ROOT = "/api/"
PROBLEM = "application/problem+json"
RETRY = {"Retry-After": "5"}  # seconds
BUSY = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
SIGN_IN = {"WWW-Authenticate": 'Bearer realm="schafkopf"'}


class Refusal(Exception):  # noqa: N818  # an answer, not an error of the program
    """A request that is refused: its status, the reason, the findings that it rests on, and after how many seconds the
    request may come again."""

    def __init__(
        self, status: int, detail: str, findings: tuple[FindingAnswer, ...] = (), retry: int | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.findings, self.retry = status, detail, findings, retry


def refuse(status: int, detail: str, findings: tuple[FindingAnswer, ...] = (), retry: int | None = None) -> NoReturn:
    """End the request with this status. Raises Refusal."""
    raise Refusal(status, detail, findings, retry)


def is_asked() -> bool:
    """Return whether the request goes to the interface, whose refusals are for programs."""
    return request.path.startswith(ROOT)


def problem_response(
    status: int, detail: str, findings: tuple[FindingAnswer, ...] = (), retry: int | None = None
) -> Response:
    """Return a refusal as it is sent."""
    title = HTTPStatus(status).phrase
    body = msgspec.json.encode(ProblemAnswer(title=title, status=status, detail=detail, findings=findings))
    headers = {"Retry-After": str(retry)} if retry else RETRY if status in BUSY else {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers = SIGN_IN
    return Response(body, status, content_type=PROBLEM, headers=headers)


def problem_of(error: HTTPException) -> Response:
    """Return a refusal of Flask's own as problem details."""
    kept, detail = kept_headers(error), error.description or ""
    if detail == NotFound.description:
        detail = f"there is no such address; {ROOT}v1/openapi.json has all"
    if "Allow" in kept:
        detail = f"this address takes {kept['Allow']}"
    if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and request.max_content_length:
        detail = f"a body may have {request.max_content_length:,} bytes here; send it in parts"
    response = problem_response(error.code or 500, detail)
    response.headers.extend(kept)
    return response


def kept_headers(error: HTTPException) -> dict[str, str]:
    """Return the headers that belong to a refusal of Flask's own: which methods an address takes."""
    return {key: ", ".join(sorted(value.split(", "))) for key, value in error.get_headers() if key == "Allow"}
