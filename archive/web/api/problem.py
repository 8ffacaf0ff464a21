"""Refusals of the interface as problem details (RFC 9457)."""

from http import HTTPStatus
from typing import NoReturn

import msgspec
from flask import Response, request
from werkzeug.exceptions import HTTPException

from archive.web.api.types import ProblemAnswer

ROOT = "/api/"
PROBLEM = "application/problem+json"
RETRY = {"Retry-After": "5"}  # seconds


class Refusal(Exception):  # noqa: N818  # an answer, not an error of the program
    """A request that is refused, with its status and why."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def refuse(status: int, detail: str) -> NoReturn:
    """Ends the request with this status. Raises Refusal."""
    raise Refusal(status, detail)


def is_asked() -> bool:
    """Whether the request goes to the interface, whose refusals are for programs."""
    return request.path.startswith(ROOT)


def problem_response(status: int, detail: str) -> Response:
    """A refusal as it is sent."""
    title = HTTPStatus(status).phrase
    body = msgspec.json.encode(ProblemAnswer(title=title, status=status, detail=detail))
    return Response(body, status, content_type=PROBLEM, headers=RETRY if status == 503 else None)


def problem_of(error: HTTPException) -> Response:
    """A refusal of Flask's own as problem details."""
    response = problem_response(error.code or 500, error.description or "")
    response.headers.extend({key: value for key, value in error.get_headers() if key in ("Allow",)})
    return response
