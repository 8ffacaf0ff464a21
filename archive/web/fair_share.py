"""Fair sharing of what is costly: of each address so many requests are answered at once and so many wait, each for
those of its own address and kind. Whoever sends more is told to come again."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from archive.web.page_cache import App, Receive, Scope, Send

AT_ONCE, WAITING = 1, 6  # requests of an address
NETWORK = 64  # bits of an IPv6 address that are of one place


class Share:
    """The requests that an address has under way: the turn that its requests wait for, and how many there are."""

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(AT_ONCE)
        self.requests = 0


def address_of(scope: Scope) -> str:
    """From where a request comes: one address, of IPv6 the network, since who has one has all of it."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, NETWORK), strict=False))
    return host


def share_fairly(app: App, kind_of: Callable[[Scope], str], refuse: App) -> App:
    """An application whose requests of a kind take turns by address; those of no kind (empty) do not. `refuse` answers
    whoever has too many."""
    shares: dict[tuple[str, str], Share] = {}

    async def take_turns(scope: Scope, receive: Receive, send: Send) -> None:
        kind = kind_of(scope) if scope["type"] == "http" else ""
        if not kind:
            await app(scope, receive, send)
            return
        key = kind, address_of(scope)
        share = shares.setdefault(key, Share())
        if share.requests >= AT_ONCE + WAITING:
            await refuse(scope, receive, send)
            return
        share.requests += 1
        try:
            async with share.turn:
                await app(scope, receive, send)
        finally:
            share.requests -= 1
            if not share.requests:
                shares.pop(key, None)

    return take_turns
