"""Where a deal can be had from outside of its page: addresses to copy, files to keep."""

from typing import Any

from flask import current_app, url_for
from msgspec import Struct

from archive.web.deal.model import DealPage

VIEW = "view_address"  # the page that replays a record which its address holds; there is none without a reader
NOT_SHARED = ("lang", "theme")  # choices that are the reader's own, and not those of whoever gets a link


class ShareAddresses(Struct, frozen=True):
    """Addresses without their host. Empty: there is none, since the deal is in no archive or nothing replays it."""

    link: str  # of the page of the deal
    frame: str  # of the board alone, for a frame of another page
    script: str  # that such a frame grows with
    view: str  # that replays a record which its fragment holds
    packed: str  # such a record
    text: str
    toml: str
    json: str
    name: str  # of a file, without its ending


def share_addresses(page: DealPage, packed: str) -> ShareAddresses:
    """How a deal is shared, whose record is `packed` for an address."""
    none: dict[str, Any] = dict.fromkeys(NOT_SHARED)
    then: dict[str, Any] = {"as-of": page.day or None}
    view = url_for(VIEW, **none) if VIEW in current_app.view_functions else ""
    number = page.place.id
    if not number:
        return ShareAddresses(view, "", "", view, packed, "", "", "", "deal")
    text, toml, json = (url_for("record", number=number, kind=kind, **then) for kind in ("txt", "toml", "json"))
    return ShareAddresses(
        link=url_for("deal", number=number, **none, **then),
        frame=url_for("embed", number=number, **then),
        script=url_for("unversioned", name="embed.js", **none, cards=None, look=None),
        view=view,
        packed=packed,
        text=text,
        toml=toml,
        json=json,
        name=f"deal-{number}",
    )
