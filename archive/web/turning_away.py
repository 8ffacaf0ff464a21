"""Who comes when too many are there is told so, in words and with when to come again, before any work is done."""

from collections.abc import Callable
from http import HTTPStatus

import msgspec
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from archive.web.api.problem import PROBLEM, RETRY, ROOT
from archive.web.api.types import ProblemAnswer
from archive.web.page_cache import App, Receive, Scope, Send, joined_headers
from archive.web.request import preferred_language
from archive.web.texts import TEXTS

STATUS = HTTPStatus.SERVICE_UNAVAILABLE


def turn_away(app: App, is_full: Callable[[], bool]) -> App:
    """An application that answers nobody for as long as it `is_full`; whoever is turned away leaves the connection."""

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_full():
            await app(scope, receive, send)
            return
        kind, body = _refusal(scope)
        headers = {"content-type": kind, "content-length": str(len(body)), "cache-control": "no-store",
            "connection": "close"} | {name.lower(): value for name, value in RETRY.items()}  # fmt: skip
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": STATUS.value, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    return gate


def _refusal(scope: Scope) -> tuple[str, bytes]:
    """The type and the body of the answer: a text for people, a problem for programs."""
    accepted = joined_headers(scope).get(b"accept-language", b"").decode("latin-1")
    t = TEXTS[preferred_language(parse_accept_header(accepted, LanguageAccept))]
    if ROOT in scope["path"]:  # perhaps under a base path
        problem = ProblemAnswer(title=STATUS.phrase, status=STATUS.value, detail=t["busy_why"])
        return PROBLEM, msgspec.json.encode(problem)
    return "text/plain; charset=utf-8", f"{t['busy']}. {t['busy_why']}\n".encode()
