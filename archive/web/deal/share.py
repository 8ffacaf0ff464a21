"""The addresses and files by which a deal can be had outside of its page."""

from typing import Any

from flask import current_app, url_for

from archive.web.deal.receipt import ShownDeal
from archive.web.request import request_texts

FILES = {"txt": "text", "toml": "toml", "json": "json"}  # kinds of files, and what their addresses are called
FILE = "deal_as_file"  # the page of a deal as one file
VIEW = "view_address"  # the page that replays the record in its address; there is none without a reader
NOT_SHARED = ("lang", "theme")  # in no address here; a link gets the language of the page that shares it


ShareAddresses = dict[str, str]


def share_addresses(page: ShownDeal, packed: str) -> ShareAddresses:
    """Return how a deal can be shared whose record is `packed` for an address: addresses without their host. They are
    `link`, of its page; `file`, of that page as a file; `frame`, of the board alone, and the `script` that grows with
    it; `view`, of the page that replays the record; `text`, `toml` and `json`, of files of that `name`. One is empty if
    the deal is in no archive or nothing replays it."""
    none: dict[str, Any] = dict.fromkeys(NOT_SHARED)
    spoken: dict[str, Any] = {"lang": request_texts()["lang"]}
    then: dict[str, Any] = {"as-of": page.heading.day or None}
    view = url_for(VIEW, **none) if VIEW in current_app.view_functions else ""
    addresses = {"view": view, "packed": packed, "name": "deal", "link": view, "frame": "", "script": "", "file": ""}
    if not (number := page.heading.place.id):
        return addresses | dict.fromkeys(FILES.values(), "")
    files = {key: url_for("record", number=number, kind=kind, **then) for kind, key in FILES.items()}
    return (
        addresses
        | files
        | {
            "link": url_for("deal", number=number, **none, **then),
            "frame": url_for("embed", number=number, **then),
            "script": url_for("unversioned", name="embed.js", **none, cards=None, look=None),
            "name": f"deal-{number}",
            "file": url_for(FILE, number=number, **spoken, **then) if FILE in current_app.view_functions else "",
        }
    )
