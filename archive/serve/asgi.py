"""The types of an ASGI application, and the origin of a request: its headers, address and language."""

from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from archive.say import LANGUAGES

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
