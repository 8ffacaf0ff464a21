"""A deal that stands alone: its record and the table before it, packed short enough for an address, and unpacked; the
addresses and files by which a deal can be had outside of its page.

What an address holds is two lines of JSON: the record as the archive writes it, and what the deals before it left.
"""

import base64
import zlib
from collections.abc import Iterable
from itertools import chain
from typing import Any

import msgspec
from flask import current_app, url_for
from msgspec import Struct
from msgspec.structs import asdict, replace

from archive.judge import Judgement
from archive.judge.judge_deal import in_force, judge
from archive.notation import write_line
from archive.notation.corrections import apply_corrections
from archive.record import Deal, Session
from archive.settle.types import LedgerState
from archive.web.deal.receipt import ShownDeal
from archive.web.request import request_texts

LONGEST_RECORD = 2**16  # bytes that an address may hold, before they are compressed
MOST = 2**40  # of anything that is counted
MANY = 20  # things side by side


class LedgerContext(Struct, frozen=True, forbid_unknown_fields=True):
    """The context that a record does not hold: the number of the deal, the table before it."""

    number: int
    table: LedgerState


DECODER = msgspec.json.Decoder(LedgerContext)


def pack_deal(judgement: Judgement, head: Session | None = None) -> str:
    """Return a deal for an address: two lines, deflated without any frame, in base64 for addresses. `head`: the session
    as recorded, which is packed if nothing was inferred for it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (
        base64.urlsafe_b64encode(deflate.compress(record_lines(judgement, head)) + deflate.flush()).decode().rstrip("=")
    )


def record_lines(judgement: Judgement, head: Session | None = None) -> bytes:
    """Return the two lines of a deal."""
    session, deal = judgement.session, judgement.recorded
    if session.inferred is None and head is not None and (deal.rules or head.rules) == session.rules:
        session = head
    else:  # the session in force, which has the values of the deal itself
        deal = replace(deal, rules=None, house=None, players=None)
        session = replace(session, carry=None)  # which is about other players, and is in the table
    usual = asdict(LedgerState())
    table = {key: value for key, value in asdict(judgement.before).items() if value != usual[key]}
    return write_line(session, deal) + b"\n" + msgspec.json.encode({"number": judgement.number, "table": table})


def judge_permalink(head: Session, recorded: Deal, beside: str) -> Judgement | None:
    """Return a deal, judged at the table that the second line describes; None if it describes no table of these
    players."""
    try:
        context = DECODER.decode(beside)
    except (ValueError, RecursionError):
        return None
    deal, refused = apply_corrections(head, recorded)
    session = in_force(head, deal)
    if not _fits(context, len(session.players)):
        return None
    judgement = judge(session, deal, context.number, context.table)
    return replace(judgement, recorded=recorded, findings=(*refused, *judgement.findings))


def _fits(context: LedgerContext, seats: int) -> bool:
    """Return whether a table of so many seats can have these numbers."""
    table = context.table
    rows = (table.totals, table.stated_totals, table.marks, table.stated_marks, table.settled)
    places = (table.dealer, table.chalk)
    away = (*table.away, *table.settled_away)
    many = (away, table.rounds or (), table.queue or ())
    counts = (context.number, table.stock, table.hausbock, table.stake, table.game_deals, table.list_deals)
    amounts: Iterable[int | None] = chain(*(row or () for row in rows), (amount for _, amount in away))
    return (
        all(row is None or len(row) == seats for row in rows)
        and all(place is None or 0 <= place < seats for place in places)
        and all(count is None or 0 <= count <= MOST for count in counts)
        and all(0 <= left <= MOST for _, left in table.rounds or ())
        and all(amount is None or abs(amount) <= MOST for amount in amounts)
        and all(len(each) <= MANY for each in many)
    )


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
