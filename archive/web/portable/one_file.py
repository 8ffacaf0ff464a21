"""A page as one file, which holds its styles, its scripts, its cards and, for an evening, its deals."""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from flask import render_template

from archive.web.portable.bundle import policy, scripts, sprite, styles, symbols_in
from archive.web.portable.page_parts import PageParts, page_parts

MOST_BYTES = 149_000  # of the file of a deal
OF_DEAL = ("archive", "deal", "portable")
OF_EVENING = ("archive", "ledger", "stack", "plots", "stats", "portable")
FRAME = "portable sprite foot wrap soft played btn acts back previous next how"  # what `file.html` has besides a page
PIECE = re.compile(r'(?=<section|<script|<template|<ol|<div class="seat)')
REPLAYED = 'id="replay"'  # part of the page of a deal with a table


def deal_file(html: str) -> str:
    """Return the page of a deal as a file. The tricks for readers without scripts, such as previews on telephones, are
    left out if they would make it too large to be sent."""
    whole = _deal_file(page_parts(html))
    return whole if len(whole.encode()) <= MOST_BYTES else _deal_file(page_parts(html, stills=False))


def _deal_file(page: PageParts) -> str:
    script = _script_of(page.main)
    style = styles(OF_DEAL, f"{page.main} {script} {FRAME}")
    return render_template(
        "portable/file.html", page=page, symbols=sprite(page.sprite), style=style, script=script, deals="",
        policy=policy((style,), (script,)),
    )  # fmt: skip


def evening_file(html: str, deals: Iterable[tuple[int, str]]) -> str:
    """Return the page of an evening as a file, with the pages of its deals by their numbers."""
    held = {number: page_parts(each, stills=False) for number, each in deals}
    page, script = page_parts(html, held), scripts("evening-file")
    ways = sorted({_script_of(each.main) for each in held.values()})
    style = styles(OF_EVENING, f"{page.main} {script} {FRAME}")
    of_deal = styles(OF_DEAL, " ".join((*(each.main for each in held.values()), *ways, FRAME)))
    symbols = sorted({each.sprite for each in held.values()})
    packed = {
        "style": of_deal,
        "scripts": ways,
        "sprites": [sprite(name) for name in symbols],
        "deals": [
            (number, each.title, symbols.index(each.sprite), ways.index(_script_of(each.main)))
            for number, each in held.items()
        ],
        "pieces": _like_by_like([each.main for each in held.values()]),
    }
    return render_template(
        "portable/file.html", page=page, symbols=symbols_in(sprite(page.sprite), page.main), style=style,
        script=script, deals=_pack(packed), policy=policy((style, of_deal), (script, *ways)),
    )  # fmt: skip


def _like_by_like(pages: Iterable[str]) -> list[tuple[str, ...]]:
    """Return pages in pieces, the first pieces of all pages first: similar pieces lie near each other, and compress
    well."""
    return list(zip_longest(*(PIECE.split(page) for page in pages), fillvalue=""))


def _script_of(main: str) -> str:
    """Return the script of a page: a deal without cards is read, not played."""
    return scripts("state", "table", "deal") if REPLAYED in main else ""


def _pack(what: Any) -> str:
    """Return JSON, deflated, in letters."""
    text = json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b64encode(deflate.compress(text) + deflate.flush()).decode()
