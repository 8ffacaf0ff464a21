"""`/evenings`: begun at `/new`, watched at `/<id>`, written at `/<id>/add`. Whatever is tapped there goes to the
archive by the functions of `archive.store.live_evenings`, as an import would."""

import secrets
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Flask, Response, abort, current_app, jsonify, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from archive.cards import faces_in
from archive.notation import write_toml
from archive.notation.problem import Problem, finding_of
from archive.notation.tapped_deal import taps_of_deal
from archive.record import Session
from archive.record.names import one_form
from archive.serve.proxy import METHODS
from archive.stats.database import ArchiveError
from archive.store import live_evenings as live
from archive.store import session_rows
from archive.store.row_values import row_number
from archive.text.dates import format_day
from archive.text.left_out import drafts_text
from archive.web.doors import guard
from archive.web.evening import beginning, page
from archive.web.evening.offers import offers_of
from archive.web.evening.page import card_table, cards_state
from archive.web.evening.prices import price_data
from archive.web.evening.queries import corrected_deals, evening_rows
from archive.web.evening.wall import standing_of, wall_of
from archive.web.request import NUMBER, connection, error_text, has_archive, raise_fault, request_texts, row_in_address

LIST = 50  # evenings
KEY = 9  # bytes of the id of a deal
LAST = 6  # deals below the form
MOST_DEALS = 400
GOOD = 200
STATUS = {"stored": GOOD, "known": GOOD, "closed": 409, "held": 409, "unreadable": 400}
OF_ONE_MACHINE = ("127.0.0.1", "::1", "localhost")  # hosts that no phone finds
OTHERWISE = 422  # for a deal that contradicts itself, or lacks a fact
SCRIPTS = ("evening.js", "evening-cards.js", "evening-prices.js", "evening-queue.js", "evening-thumb.js", "frame.js")
STATIC = ("archive.css", "evening.css", *SCRIPTS, "icon.svg")  # which a phone keeps


def setup(app: Flask) -> None:
    @app.get("/evenings")
    def evenings() -> str:
        rows = evening_rows(connection(), LIST) if has_archive() else []
        known = [(row, found) for row in rows if (found := live.live_evening(connection(), row["id"]))]
        return render_template("evening/evenings.html", evenings=known)

    @app.get(f"/evenings/{NUMBER}")
    def evening(number: int) -> str:
        found = evening_or_404(number)
        if request.args.get("wall") == "1":
            seen = evening_facts(found)
            wall = wall_of(connection(), found, seen["table"], seen["deals"], request_texts())
            return render_template("evening/wall.html", **seen, wall=wall)
        facts = evening_facts(found) | standing_of(connection(), found.session, request_texts())
        is_of_others = urlsplit(request.host_url).hostname not in OF_ONE_MACHINE
        return render_template("evening/evening.html", **facts, is_of_others=is_of_others)

    @app.get(f"/evenings/{NUMBER}/qr.svg", endpoint="evening_qr")
    def qr(number: int) -> Response:
        evening_or_404(number)
        drawing = BytesIO()
        segno.make(url_for("evening", number=number, _external=True), micro=False).save(
            drawing, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False
        )
        return Response(drawing.getvalue(), content_type="image/svg+xml")

    setup_writing(app)

    @app.get("/evenings/worker.js", endpoint="evening_worker")
    def worker() -> Response:
        """Return the worker that keeps the pages of evenings for times without a network, with the files that they
        need."""
        files = [url_for("static", filename=name) for name in STATIC]
        text = render_template("evening/worker.js", files=files)
        return Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})

    beginning.setup(app, guard.author)


def setup_writing(app: Flask) -> None:
    @app.route(f"/evenings/{NUMBER}/add", methods=["GET", "POST"], endpoint="evening_add")
    @guard.demands("writer")
    def add(number: int) -> str | AnyResponse | tuple[str, int]:
        if request.method in METHODS:
            found = evening_or_404(number)
            players = asked_players(found)
            if wrong := beginning.head_faults(replace(found.head, players=players), request_texts()):
                names: dict[str, Any] = {f"player{seat}": name for seat, name in enumerate(players)}
                return form_page(found, unseated=(" ".join(wrong), url_for("evening_new", **names))), 400
            return form_page(found, now=live.seat_evening(found, players))
        with guard.writing_archive() as db:
            added, now = add_tapped(db, number)
        t = request_texts()
        return answer(added, now, why="" if request.form.get("game") else t["ev_tap_first"].format(what=t["ev_q_what"]))

    @app.post(f"/evenings/{NUMBER}/price", endpoint="evening_price")
    @guard.demands("writer")
    def price(number: int) -> Response:
        t = request_texts()
        priced = page.price_of_taps(evening_of_form(number), page.taps_of(request.form), t)
        html = render_template("evening/price.html", priced=priced)
        return jsonify(html=html, amounts=priced.amounts, wrong=priced.wrong)

    @app.post(f"/evenings/{NUMBER}/cards", endpoint="evening_cards")
    @guard.demands("writer")
    def cards(number: int) -> Response:
        found = evening_of_form(number)
        state = cards_state(found, page.taps_of(request.form), request_texts())
        html = render_template(
            "evening/cards.html",
            state=state,
            players=found.state.players,
            faces=faces_of(found),
            has_talon=found.ruleset.house.talon is not None,
        )
        about = {key: state[key] for key in ("turn", "playable", "size", "whole")}
        return jsonify(html=html, wrong=bool(state["said"]), **about)

    setup_changes(app)


def setup_changes(app: Flask) -> None:
    """Add the changes of an evening, and of deals that are written already."""

    @app.post(f"/evenings/{NUMBER}/acts", endpoint="evening_act")
    @guard.demands("writer")
    def act(number: int) -> AnyResponse:
        wanted = request.form.get("act", "")
        if wanted not in ACTS:
            abort(400, request_texts()["ev_no_act"])
        if wanted == "close" and "sure" not in request.form:
            return redirect(url_for("evening_end", number=number), 303)
        with guard.writing_archive() as db:
            found = evening_to_write(db, number)
            try:
                ACTS[wanted](db, found)
            except ArchiveError as error:
                raise_fault(error)
                abort(409, error_text(error))
        ended = wanted == "close" and found.session is not None
        return redirect(url_for("evening_end" if ended else "evening_add", number=number), 303)

    @app.get(f"/evenings/{NUMBER}/end", endpoint="evening_end")
    @guard.demands("writer")
    def end(number: int) -> str | AnyResponse:
        """Ask whether an evening is to end; show how it ended, if it has."""
        found = evening_or_404(number)
        if not found.is_open and found.session is not None:
            return redirect(url_for("session_end", number=found.session), 303)
        waiting = drafts_text(len(live.drafts_of(connection(), number)), request_texts()["lang"])
        return render_template("evening/end.html", **evening_facts(found), waiting=waiting)

    @app.route(f"/evenings/{NUMBER}/deals/<int(max=9223372036854775807):deal>", methods=["GET", "POST"],
               endpoint="evening_deal")  # fmt: skip
    @guard.demands("writer")
    def change(number: int, deal: int) -> str | AnyResponse | tuple[str, int]:
        t = request_texts()
        if request.method in METHODS:
            return form_page(evening_or_404(number), deal=deal)
        with guard.writing_archive() as db:
            found = evening_to_write(db, number)
            try:
                before = live.evening_before(db.conn, found, deal) or found
                entries = page.entries_of_taps(before, page.taps_of(request.form))
                added = live.change_deal(
                    db, found, deal, entries, guard.author(), t["ev_changed_why"], "anyway" in request.form
                )
            except Problem as problem:
                added = live.Addition("unreadable", deal, findings=(finding_of(problem, None),))
            except ArchiveError as error:
                raise_fault(error)
                return answer(live.Addition("unreadable", deal), found, deal, error_text(error))
        return answer(added, found, deal)


# --- what is asked ----------------------------------------------------------------------------------------------------


def evening_to_write(db: Any, number: int) -> live.LiveEvening:
    """Return an evening of the archive. Ends the request if it is hidden from the visitor."""
    found, who, audiences = live.live_evening(db.conn, number), guard.visitor(), current_app.config["AUDIENCES"]
    account = who.account if who else None
    if found is None or (account and audiences.hides(account, found.source, found.session)):
        abort(404, request_texts()["ev_none"].format(number=number))
    return found


def evening_or_404(number: int) -> live.LiveEvening:
    missing = partial(abort, 404, request_texts()["ev_none"].format(number=number))
    return (live.live_evening(connection(), number) if has_archive() else None) or missing()


def evening_of_form(number: int) -> live.LiveEvening:
    """Return the evening as it stood before the deal that a form changes; as it stands now for a new deal."""
    found, deal = evening_or_404(number), row_in_address("deal")
    if not deal:
        return live.seat_evening(found, asked_players(found))
    return live.evening_before(connection(), found, deal) or abort(404, request_texts()["ev_no_deal"])


def asked_players(found: live.LiveEvening) -> tuple[str, ...]:
    """Return the players whom the request seats at the table, in the address or the form; else who sits there."""
    lines = "\n".join(request.values.getlist("players")).splitlines()
    return tuple(one_form(line) for line in lines if line.strip()) or found.state.players


def faces_of(found: live.LiveEvening) -> str:
    """Return the faces of the cards: those that the reader chose, else those of the table."""
    return request_texts()["chosen"] or found.ruleset.house.faces


def device() -> str:
    """Return the device that writes: the browser, where it says which one it is, else the visit."""
    who = guard.visitor()
    assert who is not None
    return sha256((request.cookies.get(guard.device_cookie()) or who.visit).encode()).hexdigest()[:16]


def add_tapped(db: Any, number: int) -> tuple[live.Addition, live.LiveEvening]:
    """Add the deal of a form to an evening; return the evening as it is then."""
    before = evening_to_write(db, number)
    try:
        entries = page.entries_of_taps(before, page.taps_of(request.form))
        hidden = guard.hidden_from_visitor(db.conn)
        seen = number_of("seen") if "seen" in request.form else None
        added = live.add_deal(
            db, number, entries, guard.author(), "anyway" in request.form, live.Device(device(), seen), hidden
        )
    except Problem as problem:
        added = live.Addition("unreadable", findings=(finding_of(problem, None),))
    return added, live.live_evening(db.conn, number) or before


def answer(
    added: live.Addition, now: live.LiveEvening, deal: int | None = None, why: str = ""
) -> str | AnyResponse | tuple[str, int]:
    """Return the answer to a form: the evening's page again if all went well; for a script the outcome, with the words
    `why` if there are any."""
    t, status = request_texts(), STATUS.get(added.outcome, OTHERWISE)
    text = why or page.addition_words(added, now, t)
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
        response = jsonify(outcome=added.outcome, message=text, deal=added.deal, deals=now.counted)
        response.status_code = status
        return response
    if status == GOOD:
        return redirect(url_for("evening_add", number=now.id), 303)
    seated = now if deal or added.outcome == "unreadable" else live.seat_evening(now, asked_players(now))
    return form_page(now, wrong=text, deal=deal, now=seated), status


# --- acts -------------------------------------------------------------------------------------------------------------


def store_draft(db: Any, found: live.LiveEvening) -> None:
    """Store a draft as it is; its sender holds the pen."""
    t = request_texts()
    draft = next((each for each in live.drafts_of(db.conn, found.id) if each.id == number_of("draft")), None)
    if draft is None:
        abort(404, t["ev_no_draft"])
    live.take_pen(db, found, device(), guard.author())
    added = live.add_deal(
        db, found.id, draft.entries, guard.author(), True, live.Device(device()), guard.hidden_from_visitor(db.conn)
    )
    if added.outcome not in ("stored", "known"):
        abort(409, page.addition_words(added, found, t))


def number_of(key: str) -> int:
    """Return the number of a row that a form names."""
    number = row_number(request.form.get(key, ""))
    return abort(400) if number is None else number


ACTS: dict[str, Callable[[Any, live.LiveEvening], object]] = {
    "undo": lambda db, found: live.take_back(
        db, found, number_of("deal"), guard.author(), request_texts()["ev_undone_why"]
    ),
    "close": lambda db, found: live.set_closed(db, found, True, guard.author()),
    "open": lambda db, found: live.set_closed(db, found, False, guard.author()),
    "pen": lambda db, found: live.take_pen(db, found, device(), guard.author()),
    "drop": lambda db, found: live.drop_draft(db, found.id, number_of("draft")),
    "store": store_draft,
}


# --- pages ------------------------------------------------------------------------------------------------------------


def evening_facts(found: live.LiveEvening) -> dict[str, Any]:
    """Return the facts of an evening that everybody at the table can see."""
    t, conn = request_texts(), connection()
    rows = session_rows(conn, found.session, MOST_DEALS, taken_back=True) if found.session is not None else []
    deals = page.last_deals(rows, corrected_deals(conn, found.session), page.unit_in_force(found), t)
    return {
        "evening": found,
        "title": found.head.event or t["ev_title"].format(day=format_day(found.head.date or "", t)),
        "table": page.table_view(found, t),
        "writer": found.pen_by if live.held_by_other(found, "") else None,
        "deals": deals[::-1],
        "settings": write_toml(
            Session(players=found.head.players, rules=found.head.rules, house=found.head.house), ()
        ).partition("\n")[2],
    }


def form_page(
    found: live.LiveEvening,
    wrong: str = "",
    deal: int | None = None,
    now: live.LiveEvening | None = None,
    unseated: tuple[str, str] | None = None,
) -> str:
    """Return the page on which a deal is tapped; a deal that is to be changed, if its number is given. `now` is the
    evening with the players of the deal, if they come or go; `unseated`: why others cannot, and where they can."""
    t, conn = request_texts(), connection()
    drafts = [page.draft_facts(found, each, t) for each in live.drafts_of(conn, found.id)]
    before, tapped = page.propose_dealer(found, now or found), page.taps_of(request.form) if wrong else {}
    if deal is not None:
        changed = live.deal_of_evening(conn, found, deal) or abort(404, t["ev_no_deal"])
        before = live.evening_before(conn, found, deal) or found
        tapped = tapped or taps_of_deal(changed, found.ruleset)
    number = row_in_address("draft")  # of the draft from which the form is to start
    draft = None if tapped else next((each for each in live.drafts_of(conn, found.id) if each.id == number), None)
    if draft is not None:
        told = live.read_entries(found, draft.entries)
        if not isinstance(told, tuple):
            tapped = taps_of_deal(told, found.ruleset) | {"key": draft.own_id}
            before = page.propose_dealer(found, live.seat_evening(found, told.players or found.state.players))
    seen = evening_facts(before)
    seen["deals"] = seen["deals"][:LAST]
    offers = offers_of(before.ruleset, before.state.table, t)
    return render_template(
        "evening/add.html",
        **seen,
        offers=offers,
        prices=price_data(before, offers, t),
        cards=card_table(found.ruleset.house, faces_in(faces_of(found), t["lang"])),
        faces=faces_of(found),
        drafts=drafts,
        held=live.held_by_other(found, device()),
        stale=deal is None and live.is_stale(found),
        key=secrets.token_urlsafe(KEY),
        wrong=wrong,
        unseated=unseated,
        tapped=tapped,
        changing=deal,
        changed_number=before.next,
        draft=draft,
        moves=deal is None and before.state.players != found.state.players,
        places=range(beginning.SEATS),
    )
