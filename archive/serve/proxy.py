"""A request of an ASGI application: its types, its headers, address and language; the path under which the site lies,
and what a proxy was asked by whom.

A site may lie under a path of its host (`/karten`). Requests come with that path or, from a proxy that takes it away,
without; within the application they have it, and `root_path` says so. The headers of a proxy are believed only if it is
known that there is one; of several values the last one is its own.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from archive.say import LANGUAGES, message
from archive.store import ArchiveError

METHODS = ("GET", "HEAD", "OPTIONS")  # methods that only read
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}  # of every answer
NETWORK = 64  # bits of an IPv6 address that name one place
RECORDS = "/api/v1/records"  # sent piece by piece, for as long as it takes; any other answer is sent whole

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def joined_headers(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers of a request by name; those of one name are joined in order, as the application reads them."""
    headers: dict[bytes, bytes] = {}
    for name, value in scope.get("headers", ()):
        key = name.lower()
        headers[key] = headers[key] + b"," + value if key in headers else value
    return headers


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from; for IPv6 the network, since whoever has one address has all of
    it."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, NETWORK), strict=False))
    return host


def preferred_language(accepted: LanguageAccept) -> str:
    """Return the supported language that a browser prefers."""
    return accepted.best_match(LANGUAGES) or LANGUAGES[0]


def language_of(headers: dict[bytes, bytes]) -> str:
    """Return the supported language that the browser with these headers prefers."""
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    return preferred_language(parse_accept_header(accepted, LanguageAccept))


SEGMENTS = re.compile(r"(/[A-Za-z0-9._~-]+)*")
OWN = ("data", "-")  # Datasette's pages begin with these
HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
SCHEMES = ("http", "https")
FORWARDED = ("proto", "host", "for")


def base_path_of(text: str) -> str:
    """Return a base path as addresses begin with it: `/karten`, empty for the root of the host. Raises ArchiveError."""
    segments = [segment for segment in text.split("/") if segment]
    path = "".join(f"/{segment}" for segment in segments)
    if not SEGMENTS.fullmatch(path) or any(not segment.strip(".") for segment in segments):
        raise ArchiveError(message("refused.no-base-path", text=text))
    if segments and segments[0] in OWN:
        raise ArchiveError(message("refused.base-path-taken", part=segments[0]))
    return path


def path_within(scope: Scope) -> str:
    """Return the path of a request below the base path."""
    return str(scope.get("path", ""))[len(scope.get("root_path", "")) :]


def move_within(scope: Scope, old: str, new: str) -> Scope:
    """Return a request whose path begins, below the base path, with `new` in place of `old`."""
    base = scope.get("root_path", "")
    changed: dict[str, str | bytes] = {}
    if (path := scope.get("path", "")).startswith(base + old):
        changed["path"] = base + new + path[len(base + old) :]
    if (raw := scope.get("raw_path") or b"").startswith((base + old).encode()):
        changed["raw_path"] = (base + new).encode() + raw[len(base + old) :]
    return {**scope, **changed}


def under_base_path(app: App, base: str) -> App:
    """Return an application whose requests have the base path, whether or not the proxy has left it in the address."""

    async def with_base(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            if path == base:
                scope = move_within({**scope, "root_path": ""}, base, f"{base}/")
            elif not path.startswith(f"{base}/"):
                scope = move_within({**scope, "root_path": ""}, "", base)
            scope = {**scope, "root_path": base}
        await app(scope, receive, send)

    return with_base if base else app


def trust_proxy(app: App) -> App:
    """Return an application that sees what its proxy was asked: `X-Forwarded-Proto`, `-Host` and `-For`, as far as they
    are a scheme, a host and an address."""

    async def with_forwarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
            last = {key: headers.get(f"x-forwarded-{key}".encode(), "").rpartition(",")[2].strip() for key in FORWARDED}
            if last["proto"] in SCHEMES:
                scope = {**scope, "scheme": last["proto"]}
            if HOST.fullmatch(last["host"]):
                others = [pair for pair in scope["headers"] if pair[0].lower() != b"host"]
                scope = {**scope, "headers": [*others, (b"host", last["host"].encode())]}
            with suppress(ValueError):  # no address, neither IPv4 nor IPv6
                ip_address(last["for"])
                scope = {**scope, "client": (last["for"], 0)}
        await app(scope, receive, send)

    return with_forwarded
