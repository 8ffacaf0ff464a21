"""Refuse requests in words, with when to come again: while the server is overloaded, before any work is done."""

from collections.abc import Callable
from http import HTTPStatus

import msgspec

from archive.serve.asgi import App, Receive, Scope, Send, joined_headers, language_of
from archive.web.api.problem import PROBLEM, RETRY, ROOT
from archive.web.api.types import ProblemAnswer
from archive.web.texts import TEXTS

JSON = ".json"


def turn_away(app: App, is_full: Callable[[], bool]) -> App:
    """Return an application that answers nobody for as long as it `is_full`; the connection of a refused
    request is closed."""
    refuse = refusal(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "busy_why", close=True)

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        await (refuse if scope["type"] == "http" and is_full() else app)(scope, receive, send)

    return gate


def refusal(status: HTTPStatus, title: str, why: str, close: bool = False) -> App:
    """Return an application that answers everybody with a status and words, and with when to come again; `close`: the
    connection is closed with it."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        kind, body = _refusal(scope, status, title, why)
        headers = {"content-type": kind, "content-length": str(len(body)), "cache-control": "no-store"}
        headers |= {"connection": "close"} if close else {}
        headers |= {name.lower(): value for name, value in RETRY.items()}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status.value, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    return refuse


def _refusal(scope: Scope, status: HTTPStatus, title: str, why: str) -> tuple[str, bytes]:
    """Return the type and the body of the answer: a text for people, a problem for programs."""
    t = TEXTS[language_of(joined_headers(scope))]
    if ROOT in scope["path"] or scope["path"].endswith(JSON):  # perhaps under a base path
        problem = ProblemAnswer(title=status.phrase, status=status.value, detail=t[why])
        return PROBLEM, msgspec.json.encode(problem)
    return "text/plain; charset=utf-8", f"{t[title]}. {t[why]}\n".encode()
