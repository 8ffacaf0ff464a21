"""The visitor, what they may do, and whether a form is their own; see the package for how a page uses it."""

import functools
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import ParamSpec, TypeVar

from flask import Response, abort, current_app, g, request, url_for
from markupsafe import Markup

from archive.serve.proxy import METHODS
from archive.store._sqlite_utils import Database
from archive.store.accounts import Role
from archive.store.privacy import SEES_ALL, Hidden, hidden_from
from archive.web.doors.keys import Doors, Visitor, is_enough
from archive.web.request import request_texts

P = ParamSpec("P")
R = TypeVar("R")
F = Callable[P, R]
FIELD, HEADER, ONCE = "csrf", "X-CSRF-Token", "once"
FOREIGN = ("cross-site", "same-site")  # what a browser says of a request that another site made
SIGN_IN = "sign_in"  # the page where one signs in
PROGRAMS = "/api/"  # addresses of programs, which are led to no page
COOKIE = "schafkopf"  # how the name of the cookie begins
DEMANDED = "__schafkopf_role__"  # the attribute of a view that holds the role it lets in


def doors() -> Doors | None:
    """Return the doors of the archive; None if the server only reads."""
    here: Doors | None = current_app.config["DOORS"]
    return here


def cookie_name() -> str:
    """Return the name of the cookie: browsers keep one for all ports of a machine, so the port is in it."""
    port = request.host.rpartition("]")[2].partition(":")[2]
    return f"{COOKIE}_{port}" if port.isdigit() else COOKIE


def device_cookie() -> str:
    """Return the name of the cookie by which a browser is the same device when somebody signs in again."""
    return f"{cookie_name()}_device"


def author() -> str:
    """Return the name that goes with what the visitor writes."""
    who = visitor()
    assert who is not None
    return who.name


def visitor() -> Visitor | None:
    """Return the visitor; None if nobody is signed in."""
    if "visitor" not in g:
        here, given = doors(), request.authorization
        if here and given is not None:  # sent on purpose, so it counts before what a browser sends by itself
            g.visitor = here.visitor_of_token(given.token or "")
        else:
            cookie = request.cookies.get(cookie_name())
            g.visitor = here.visitor_of(cookie) if here and cookie else None
    known: Visitor | None = g.visitor
    return known


def may(role: Role) -> bool:
    """Return whether the visitor may do what is allowed from a role on."""
    who = visitor()
    return who is not None and is_enough(who.role, role)


def demand(role: Role) -> Visitor:
    """Return the visitor, who has at least that role and, if something is sent, the secret of the visit. Ends the
    request with a sentence otherwise."""
    t, who, here = request_texts(), visitor(), doors()
    if here is None or (here.writer is None and role != "reader"):
        abort(403, t["door_shut"])
    if who is None:
        if here.accounts and request.method in METHODS and not request.path.startswith(PROGRAMS):
            back = request.full_path.removesuffix("?")
            abort(Response(status=303, headers={"Location": url_for(SIGN_IN, next=back)}))
        abort(401, t["door_stranger"])
    if not is_enough(who.role, role):
        abort(403, t["door_role"].format(role=t[f"door_{role}"], own=t[f"door_{who.role}"]))
    check_csrf()
    return who


def demands(role: Role) -> Callable[[F[P, R]], F[P, R]]:
    """Return a view for those who have at least that role. Put it nearest to the function, below the route."""

    def guard_view(view: F[P, R]) -> F[P, R]:
        @functools.wraps(view)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            demand(role)
            return view(*args, **kwargs)

        setattr(call, DEMANDED, role)
        return call

    return guard_view


def opened_by(_why: str) -> Callable[[F[P, R]], F[P, R]]:
    """Return a view to which anybody may send something; it gives the reason, and checks by itself who sends."""

    def mark_view(view: F[P, R]) -> F[P, R]:
        setattr(view, DEMANDED, None)
        return view

    return mark_view


def is_guarded(endpoint: str | None) -> bool:
    """Return whether a view determines by itself whom it lets in."""
    return hasattr(current_app.view_functions.get(endpoint or ""), DEMANDED)


# --- forms ------------------------------------------------------------------------------------------------------------


def csrf_token() -> str:
    """Return the secret of the visit; empty if nobody is signed in."""
    here, who = doors(), visitor()
    return here.form_secret(who) if here and who else ""


def csrf_field() -> Markup:
    """Return the secret as a field of a form."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, csrf_token())


def check_csrf() -> None:
    """End a request that sends something without the secret of the visit, or from another site."""
    here, who = doors(), visitor()
    if request.method in METHODS or here is None or who is None or who.by_token:
        return
    check_site()
    given = request.headers.get(HEADER) or request.form.get(FIELD, "")
    if not here.is_form_secret(who, given):
        abort(403, request_texts()["door_forged"])


def once_field() -> Markup:
    """Return a field for a form that counts once, however often it is sent: see `redirect_of_same_form`."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(ONCE, secrets.token_urlsafe(9))


def redirect_of_same_form() -> str | None:
    """Return the address that the same form led to before, sent by the same visit: twice tapped, or once more after
    the back button; None for a new one. Call it while the archive is lent for writing."""
    here = doors()
    return here.forms_sent.get(_form_sent()) if here and ONCE in request.form else None


def redirect_and_remember(address: str) -> Response:
    """Redirect to an address after a form was stored, and remember that it was."""
    if (here := doors()) and ONCE in request.form:
        here.forms_sent[_form_sent()] = address
    return Response(status=303, headers={"Location": address})


def _form_sent() -> bytes:
    who, fields = visitor(), sorted(request.form.items(multi=True))
    return sha256(repr((who and who.visit, request.path, fields)).encode()).digest()


def check_site() -> None:
    """End a request that another site made a browser send."""
    if request.headers.get("Sec-Fetch-Site") in FOREIGN:
        abort(403, request_texts()["door_forged"])


def hidden_from_visitor(conn: sqlite3.Connection) -> Hidden:
    """Return what the visitor does not see of the archive; whoever came by the link of the terminal sees everything."""
    who = visitor()
    if who is not None and who.account is None:
        return SEES_ALL
    return hidden_from(conn, who.account if who else None)


# --- writing ----------------------------------------------------------------------------------------------------------


@contextmanager
def writing_archive() -> Iterator[Database]:
    """Lend the archive for writing, to one thread at a time. Raises WriterBusyError, which is answered with 429."""
    here, who = doors(), visitor()
    if here is None or here.writer is None:
        abort(403, request_texts()["door_shut"])
    with here.writer.archive() as db:
        try:
            yield db
        finally:
            if who and who.account:
                current_app.config["AUDIENCES"].has_written(who.account)
