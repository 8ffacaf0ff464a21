"""`/cash` in the application: the list, the form of an entry, and the withdrawal of an entry."""

from collections.abc import Mapping
from datetime import date

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.notation.money import read_amount
from archive.record.days import parse_day
from archive.say import did_you_mean, say
from archive.stats.database import ArchiveError
from archive.store import cash_book as book
from archive.store.left_out import uneven_rows, unread_rows, waiting_drafts
from archive.store.people import player_row
from archive.text.cash import COLUMNS, cash_parts, cash_word, entry_line
from archive.text.left_out import drafts_text, rows_text
from archive.web import request as requests
from archive.web.doors.guard import author, demands, redirect_and_remember, redirect_of_same_form, writing_archive
from archive.web.evening.queries import player_names

ACTS: dict[str, tuple[book.Kind, int]] = {
    "paid": ("paid", 1), "received": ("paid", -1), "owed": ("carried", -1), "credit": ("carried", 1)
}  # fmt: skip
PAGE = 50  # entries
NAMES = 200  # that are offered
LONGEST = 200  # characters of a note
Answer = str | tuple[str, int] | AnyResponse


def setup(app: Flask) -> None:
    @app.get("/cash", endpoint="cash")
    def cash() -> str:
        return cash_page({})

    @app.post("/cash", endpoint="cash_add")
    @demands("writer")
    def add() -> Answer:
        refuse_partly()
        try:
            entry = entry_of(request.form)
            with writing_archive() as db:
                if redirect_of_same_form() is None:
                    book.add_entry(db, entry)
                return redirect_and_remember(url_for("cash"))
        except ArchiveError as error:
            requests.raise_fault(error)
            return cash_page(request.form, requests.error_text(error)), 422
        except ValueError as error:
            return cash_page(request.form, str(error)), 422

    @app.post(f"/cash/{requests.NUMBER}/undo", endpoint="cash_undo")
    @demands("writer")
    def undo(number: int) -> Answer:
        refuse_partly()
        try:
            with writing_archive() as db:
                book.undo_entry(db, number, author())
        except ArchiveError as error:
            requests.raise_fault(error)
            abort(409, requests.error_text(error))
        return redirect(url_for("cash"), 303)


def refuse_partly() -> None:
    """End the request of a visitor who does not see every evening."""
    if not requests.sees_all():
        abort(403, requests.request_texts()["ca_partly"])


def entry_of(form: Mapping[str, str]) -> book.CashEntry:
    """Return the entry that a form describes. Raises ValueError with a sentence."""
    t, units = requests.request_texts(), book.units_of(book.cash_accounts(requests.connection()))
    kind, sign = ACTS.get(form.get("act", ""), ("paid", 1))
    unit, text = form.get("unit", units[0]), form.get("amount", "").strip()
    amount = read_amount(text, unit, in_euros=True) if unit in units else None
    if amount is None or amount < 0:
        raise ValueError(t["ca_no_amount"].format(text=text))
    to, day = form.get("to", "").strip(), form.get("day", "").strip()
    return book.CashEntry(
        kind=kind,
        player=known_name(form.get("player", "").strip()),
        to=known_name(to) if to and (kind, sign) == ("paid", 1) else None,
        amount=sign * amount,
        unit=unit,
        day=(parse_day(day) or day) if day else date.today().isoformat(),
        note=form.get("note", "").strip()[:LONGEST] or None,
        author=author(),
    )


def known_name(name: str) -> str:
    """Return a name as the archive has it. Raises ValueError with a sentence."""
    row = player_row(requests.connection(), name)
    if row is None:
        t, near = requests.request_texts(), did_you_mean(name, player_names(requests.connection(), NAMES))
        raise ValueError(t["ca_no_player"].format(name=name, near=near and say(near, t["lang"])))
    return row[1]


def cash_page(form: Mapping[str, str], wrong: str = "") -> str:
    """Return the page, with the form as it was filled in and what is wrong with it."""
    t, start = requests.request_texts(), requests.page_offset()
    if not requests.has_archive() or not requests.sees_all():
        return render_template("cash/cash.html", partly=requests.has_archive())
    conn = requests.connection()
    evening, drafts = waiting_drafts(conn)
    accounts, total, uneven = book.cash_accounts(conn), book.count_entries(conn), uneven_rows(conn)
    notes = (*rows_text("uneven", uneven, t["lang"]), *rows_text("unread", unread_rows(conn), t["lang"]))
    return render_template(
        "cash/cash.html",
        partly=False,
        parts=cash_parts(accounts, book.cash_in_box(conn), t, adds_up=not uneven),
        notes=notes,
        evening=evening,
        waiting=drafts_text(drafts, t["lang"]),
        adds_up=not uneven,
        heads=[cash_word(key, t["lang"]) for key in COLUMNS],
        word=lambda key: cash_word(key, t["lang"]),
        units=book.units_of(accounts),
        acts=ACTS,
        names=player_names(conn, NAMES),
        form=form,
        today=date.today().isoformat(),
        wrong=wrong,
        entries=[entry_line(each, t) for each in book.cash_entries(conn, PAGE, start)],
        total=total,
        **requests.pagination("cash", PAGE, start, total, {}),
    )
