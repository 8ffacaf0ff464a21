"""Rendered pages, sent again as long as the archive is unchanged.

An answer is remembered by the version of the archive's data and by every part of the request that can change it: its
address, which holds the reader's choices, the language that the browser prefers, and the compression. The application
says what may be remembered: a whole answer with an ETag that varies by nothing else. A browser that already has the
answer is told so in a few bytes; a request for a page that is just being rendered waits for it. Requests of those who
are signed in go to the application itself, and nothing of them is remembered.
"""

import asyncio
from collections.abc import Callable, Hashable

from cachetools import LRUCache
from msgspec import Struct
from werkzeug.http import parse_etags, parse_set_header, unquote_etag

from archive.serve.proxy import RECORDS, App, Message, Receive, Scope, Send, joined_headers, language_of

MOST_BYTES = 32 * 2**20  # of all answers together
MOST_OF_ONE = MOST_BYTES // 16
ROW = 2_500  # bytes that an answer takes besides its body, headers and address

VARYING = ("accept-language", "accept-encoding", "cookie")  # headers that are in the key, or bypass the cache
VISITOR = b"schafkopf"  # how names of our cookies begin; a request with one gets pages of its own
# Headers sent to a browser that already has the answer.
OF_UNCHANGED = (b"cache-control", b"content-security-policy", b"etag", b"expires", b"referrer-policy", b"vary",
    b"x-content-type-options")  # fmt: skip

Version = Callable[[], Hashable]


class Page(Struct, frozen=True):
    """An answer: its headers and body, its ETag without quotes, and the bytes that it takes."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: str
    size: int


class PageCache:
    """An application with a cache of its answers; `version` gives the version of the data, None if it is not known, and
    then nothing is remembered."""

    def __init__(self, app: App, version: Version, most: int = MOST_BYTES) -> None:
        self.app, self.version = app, version
        self.pages: LRUCache[Hashable, Page] = LRUCache(most, getsizeof=lambda page: page.size)
        self.pending: dict[Hashable, asyncio.Future[Page | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = joined_headers(scope)
        plain = scope["type"] == "http" and scope["method"] == "GET" and b"range" not in headers
        plain = plain and VISITOR not in headers.get(b"cookie", b"") and b"authorization" not in headers
        plain = plain and not scope["path"].endswith(RECORDS)
        version = self.version() if plain else None
        if version is None:
            await self.app(scope, receive, send)
            return
        site = scope.get("scheme"), scope.get("root_path"), headers.get(b"host")
        about = scope["path"], scope["query_string"], language_of(headers), headers.get(b"accept-encoding")
        key = version, *site, *about
        page = self.pages.get(key)
        if page is None and (rendering := self.pending.get(key)):
            page = await asyncio.shield(rendering)
        if page is None:
            page = await self._render(key, scope, receive, send)
        if page is not None:
            await _send_page(page, headers.get(b"if-none-match", b""), send)

    async def _render(self, key: Hashable, scope: Scope, receive: Receive, send: Send) -> Page | None:
        """Return the answer to be remembered; None if it may not be, and has been sent at once."""
        page, first = None, key not in self.pending
        if first:
            self.pending[key] = asyncio.get_running_loop().create_future()
        try:
            whole = [pair for pair in scope["headers"] if pair[0].lower() != b"if-none-match"]
            messages = await _answer(self.app, {**scope, "headers": whole}, receive)
            page = _page_of(messages, len(scope["path"]) + len(scope["query_string"]))
            if page:
                self.pages[key] = page
        finally:
            if first:
                self.pending.pop(key).set_result(page)
        if page is None:
            for message in messages:
                await send(message)
        return page


async def _answer(app: App, scope: Scope, receive: Receive) -> list[Message]:
    messages: list[Message] = []

    async def collect(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, collect)
    return messages


def _page_of(messages: list[Message], address: int) -> Page | None:
    """Return an answer in the form in which it is remembered; None if it may not be."""
    start = next((message for message in messages if message["type"] == "http.response.start"), None)
    if start is None or start["status"] != 200:
        return None
    headers = [(name.lower(), value) for name, value in start["headers"]]
    texts = {name: value.decode("latin-1") for name, value in headers}
    varies = parse_set_header(texts.get(b"vary"))
    if b"etag" not in texts or b"set-cookie" in texts or not all(each.lower() in VARYING for each in varies):
        return None
    body = b"".join(message.get("body", b"") for message in messages if message["type"] == "http.response.body")
    headers = [pair for pair in headers if pair[0] not in (b"content-length", b"date")]
    headers.append((b"content-length", str(len(body)).encode()))
    size = ROW + len(body) + address + sum(len(name) + len(value) for name, value in headers)
    tag, _ = unquote_etag(texts[b"etag"])
    return Page(headers, body, tag, size) if size <= MOST_OF_ONE else None


async def _send_page(page: Page, known: bytes, send: Send) -> None:
    """Send an answer, or that the known one is still valid."""
    status, headers, body = 200, page.headers, page.body
    if known and parse_etags(known.decode("latin-1")).contains_weak(page.etag):
        status, body = 304, b""
        headers = [(name, value) for name, value in headers if name in OF_UNCHANGED]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
