"""The request: the archive that it reads, the reader's language and view, and the objects that its address names."""

import sqlite3
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from flask import Response, abort, current_app, g, request, url_for
from markupsafe import Markup

from archive.judge import Judgement
from archive.record.days import is_backwards, parse_day
from archive.say import message, say
from archive.serve.gate import Line
from archive.serve.proxy import preferred_language
from archive.store import ArchiveError, Readers, load_judgement, parse_moment
from archive.web.queries import is_archive_empty
from archive.web.stored import with_stored_facts
from archive.web.texts import LANGUAGES, TEXTS

HTML = "text/html; charset=utf-8"
NUMBER = "<int(max=9223372036854775807):number>"  # of a row of the archive, in an address
MOST_ROWS = 2**62  # of a table
ANY_NUMBER = 1234567890123456789  # of no row: a placeholder for another number
DEADLINE = 3.0  # seconds that a page may work, on a processor: waiting for others does not count
STEPS = 10_000  # of SQLite's machine, between two checks of how long the page has worked
SLOW = 0.15  # seconds of a processor after which a page waits until no other one is slow
MOST_SLOW = 16  # pages that may be slow or wait for it; one more is asked to come again
# A reader's choices for the view. They stand in the address, and every link of a page keeps them.
CHOICES = {"lang": LANGUAGES, "cards": ("german", "french"), "look": ("four", "letters"), "theme": ("light", "dark")}


slow_pages = Line(MOST_SLOW)  # so that they leave the other processors to all else


def connection() -> sqlite3.Connection:
    """Return the archive of this request, opened when first needed; it raises sqlite3.Error after the deadline."""
    if "archive" not in g:
        g.readers, g.slow = readers(), False
        g.archive, g.begun = g.readers.lend(), time.thread_time()
        g.archive.set_progress_handler(_is_stopped, STEPS)
    opened: sqlite3.Connection = g.archive
    return opened


def readers() -> Readers:
    """Return connections to the archive as far as the visitor may see it."""
    found: Readers = current_app.config["READERS"]()
    return found


def sees_all() -> bool:
    """Return whether nothing of the archive is hidden from the visitor."""
    whole: Readers = current_app.config["AUDIENCES"].whole
    return readers() is whole


def _is_stopped() -> bool:
    """Return True after the deadline, and if too many pages are slow. What the page shows then is incomplete."""
    if is_complete():
        worked = time.thread_time() - g.begun
        if worked > SLOW and not g.slow:
            g.slow = slow_pages.begin()
            g.crowded = not g.slow
        g.overdue = worked > DEADLINE or g.get("crowded", False)
    return not is_complete()


def is_late() -> bool:
    """Return whether this request has worked for longer than it may."""
    return not is_complete() and not g.get("crowded", False)


def return_connection(_error: BaseException | None = None) -> None:
    """Return the archive of this request to the pool, for the next one."""
    if g.pop("slow", False):
        slow_pages.end()
    if opened := g.pop("archive", None):
        g.readers.take_back(opened)


def own_connection(read: Callable[[sqlite3.Connection], Iterator[bytes]]) -> Iterator[bytes]:
    """Yield pieces of an answer that are read and sent one by one, for as long as that takes, on a connection of their
    own."""
    lending = readers()
    opened = lending.lend()
    opened.set_progress_handler(None, 0)

    def pieces() -> Iterator[bytes]:
        try:
            yield from read(opened)
        finally:
            lending.take_back(opened)

    return pieces()


def is_complete() -> bool:
    """Return whether the page of this request shows everything that it should."""
    return not g.get("overdue", False)


def is_uncounted() -> bool:
    """Return whether this request has read an archive whose facts are not counted yet."""
    return "archive" in g and not g.archive.counted


def has_archive() -> bool:
    """Return whether there is an archive."""
    path: Path = current_app.config["ARCHIVE"]
    return path.exists()


def has_deals() -> bool:
    """Return whether there is an archive with deals in it."""
    return has_archive() and not is_archive_empty(connection())


def reader_choices() -> dict[str, str]:
    """Return the choices of the reader, as far as there are any."""
    if "choices" not in g:  # every address of a page needs them
        arguments = request.args
        g.choices = {key: arguments[key] for key, known in CHOICES.items() if arguments.get(key) in known}
    chosen: dict[str, str] = g.choices
    return chosen


def add_choices_to_url(endpoint: str, values: dict[str, Any]) -> None:
    """Add the choices to an address of ours."""
    if endpoint != "static":
        for key, given in reader_choices().items():
            values.setdefault(key, given)


def row_address(endpoint: str, number: int) -> str:
    """Return the address of a page that is named by a number alone, with the choices; made once for all of an
    endpoint."""
    addresses = g.setdefault("row_addresses", {})
    if endpoint not in addresses:
        addresses[endpoint] = url_for(endpoint, number=ANY_NUMBER).partition(str(ANY_NUMBER))
    head, _, rest = addresses[endpoint]
    return f"{head}{number}{rest}"


def preview_address(endpoint: str, number: int, values: Mapping[str, Any] | None = None) -> str:
    """Return the whole address of the picture that a link to a page shows when it is pasted, in the language of the
    page."""
    own = {"lang": request_texts()["lang"], "theme": None, "look": None}
    address: str = url_for(endpoint, number=number, _external=True, **own, **(values or {}))
    return address


def draw_once(macro: Callable[..., Markup], *values: Hashable) -> Markup:
    """Return the drawing that a macro makes of some values, the same one throughout a page."""
    drawings = g.setdefault("drawings", {}).setdefault(macro, {})
    if values not in drawings:
        drawings[values] = macro(*values)
    drawing: Markup = drawings[values]
    return drawing


def draw_each(macro: Callable[..., Markup], things: Iterable[Hashable], *values: Hashable) -> Markup:
    """Return the drawings that a macro makes of things with some values, one after the other; equal things on a page
    share one."""
    drawings = g.setdefault("drawings", {}).setdefault((macro, values), {})
    parts = []
    for thing in things:
        if (part := drawings.get(thing)) is None:
            part = drawings[thing] = macro(thing, *values)
        parts.append(part)
    return Markup("").join(parts)


def request_texts() -> Mapping[str, str]:
    """Return the texts in the language that the reader chose, else in the one that the browser prefers."""
    if "texts" not in g:
        chosen = reader_choices()
        language = chosen.get("lang") or preferred_language(request.accept_languages)
        g.texts = TEXTS[language] | {"chosen": chosen.get("cards", "")}
    texts: Mapping[str, str] = g.texts
    return texts


def error_text(error: ArchiveError) -> str:
    """Return why an archive refuses something, in the language of the reader."""
    return say(error.says, request_texts()["lang"])


def raise_fault(error: ArchiveError) -> None:
    """Raise an error again that is no refusal, but comes from a fault of the archive."""
    if error.__cause__ is not None:
        raise error


def download(content: str | bytes, name: str, kind: str) -> Response:
    """Return a file to keep, of a content type."""
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type=kind, headers=head)


def row_in_address(key: str) -> int:
    """Return the number of a row from the address, 0 if there is none; too large a one stays that of no row."""
    return min(max(request.args.get(key, 0, int), -1), MOST_ROWS)


def page_offset() -> int:
    """Return the row of a list that its page begins with, from the address."""
    return min(max(request.args.get("start", 0, int), 0), MOST_ROWS)


def pagination(endpoint: str, length: int, start: int, total: int, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of the first and the last row of a page, and the addresses of the pages before and after."""
    before = url_for(endpoint, **parameters, start=max(start - length, 0) or None)
    after = url_for(endpoint, **parameters, start=start + length)
    around = {"newer": before if start else None, "older": after if start + length < total else None}
    return {"first": start + 1, "last": min(start + length, total), **around}


def deal_or_404(number: int, as_of: str | None = None) -> Judgement:
    """Return the deal of that row, judged again from its record."""
    return load_judgement(connection(), number, as_of) or abort_without_deal(number, as_of)


def shown_judgement(number: int, as_of: str | None = None) -> Judgement:
    """Return the deal of that row, replayed; its verdict is the one that the archive has stored, or the one of that
    day."""
    judgement = deal_or_404(number, as_of)
    return judgement if as_of else with_stored_facts(connection(), number, judgement)[0]


def abort_without_deal(number: int, as_of: str | None) -> NoReturn:
    """End the request: there is no such deal, or there was none then."""
    t = request_texts()
    abort(
        404,
        t["no_deal"].format(number=number) if as_of is None else t["no_deal_then"].format(number=number, when=as_of),
    )


def as_of_day() -> str | None:
    """Return the day or moment in the address; None if it has none."""
    text = request.args.get("as-of") or None
    moment = text and parse_moment(text)
    if text and moment is None:
        abort(400, request_texts()["no_day"].format(text=text))
    return moment


def asked_days() -> tuple[str, str]:
    """Return the first and the last day in the address (`since`, `until`), or the beginnings of days; empty if open."""
    days = []
    for key in ("since", "until"):
        text = request.args.get(key, "").strip()
        if text and parse_day(text) is None:
            abort(400, say(message("refused.no-day", key=key, text=text), request_texts()["lang"]))
        days.append(parse_day(text) or "")
    if is_backwards(*days):
        since, until = days
        abort(400, say(message("refused.backwards", since=since, until=until), request_texts()["lang"]))
    return days[0], days[1]
