"""`/enter`: the link of the terminal lets a browser in. `/sign-in`, `/account`: for whoever has an account."""

import secrets
from typing import Any

from flask import Flask, Response, abort, make_response, render_template, request, url_for

from archive.store.passwords import hash_password, is_long_enough, is_password
from archive.web.doors import guard
from archive.web.doors.keys import LASTS, LONGEST_COOKIE, Doors, Visitor
from archive.web.request import request_texts


def setup(app: Flask) -> None:
    for each in (guard.csrf_field, guard.csrf_token, guard.once_field, guard.may, guard.visitor, can_sign_in):
        app.add_template_global(each)

    @app.after_request
    def vary_by_visitor(response: Response) -> Response:
        """Let a page differ for whoever is signed in, and let nothing keep it for others."""
        if guard.doors() is not None:
            response.vary.add("Cookie")
        return response

    @app.get("/enter")
    def enter() -> Response:
        """Turn the token of the link into a cookie, so that it does not stay in the address."""
        here, t = guard.doors(), request_texts()
        if here is None:
            abort(403, t["door_shut"])
        if "came" in request.args:
            if not guard.visitor():
                abort(403, f"{t['door_no_cookie']} {t['door_newest']}")
            return see_other(url_for("home"))
        cookie = here.use_link_token(request.args.get("token", ""))
        return with_visit(see_other(url_for("enter", came=1)), cookie) if cookie else abort(403, t["door_link"])

    @app.get("/sign-in", endpoint=guard.SIGN_IN)
    def sign_in() -> Response:
        with_accounts()
        if guard.visitor():
            return see_other(own_address())
        return sign_in_page(request_texts()["door_no_cookie"], 403) if "came" in request.args else sign_in_page()

    @app.post("/sign-in", endpoint="signing_in")
    @guard.opened_by("signing in itself")
    def signing_in() -> Response:
        here, t = with_accounts(), request_texts()
        guard.check_site()
        name, password = request.form.get("name", ""), request.form.get("password", "")
        outcome = here.sign_in(name, password, request.remote_addr or "")
        if isinstance(outcome, int):
            text = t["door_wait"].format(minutes=-(-outcome // 60))
            return sign_in_page(text, 429, {"Retry-After": str(outcome)})
        if outcome is None:
            return sign_in_page(t["door_wrong"], 401)
        return with_visit(see_other(url_for(guard.SIGN_IN, next=next_address(), came=1)), outcome)

    @app.post("/sign-out")
    @guard.opened_by("a visit of one's own")
    def sign_out() -> Response:
        here, who = guard.doors(), guard.visitor()
        guard.check_csrf()
        if here and who:
            here.end_visit(who)
        return without_visit(see_other(url_for("home")))

    setup_account(app)


def setup_account(app: Flask) -> None:
    """Add the page of whoever is signed in, where the password is changed."""

    @app.get("/account")
    def account() -> Response:
        with_accounts()
        who = guard.visitor()
        return account_page(who) if who else see_other(url_for(guard.SIGN_IN, next="/account"))

    @app.post("/account", endpoint="change_account")
    @guard.opened_by("a visit of one's own")
    def change_account() -> Response:
        here, t, who = with_accounts(), request_texts(), guard.visitor()
        if who is None or who.account is None or here.accounts is None:
            abort(401, t["door_stranger"])
        guard.check_csrf()
        if request.form.get("act") == "everywhere":
            here.accounts.revoke(who.account)
            return without_visit(see_other(url_for(guard.SIGN_IN)))
        if wait := here.throttle.wait(both=(who.name, "own"), name=who.name.casefold()):
            return account_page(who, t["door_wait"].format(minutes=-(-wait // 60)), 429)
        new = request.form.get("new", "")
        _, hashed = here.accounts.password_of(who.name) or (None, None)
        if not is_password(hashed, request.form.get("password", "")):
            return account_page(who, t["door_wrong_own"], 422)
        if not is_long_enough(new):
            return account_page(who, t["door_short"], 422)
        here.accounts.set_password(who.account, hash_password(new))
        return with_visit(see_other(url_for("account", done="password")), here.new_cookie(who.account))


def can_sign_in() -> bool:
    """Return whether there are accounts."""
    here = guard.doors()
    return here is not None and here.accounts is not None


def with_accounts() -> Doors:
    """Return the doors, if there are accounts; else the request ends with 404."""
    here = guard.doors()
    return here if here is not None and here.accounts is not None else abort(404, request_texts()["door_none"])


def own_address() -> str:
    """Return the address to go on with, from the form or the address: one of ours, never of another site."""
    there = request.values.get("next", "")
    ours = there.startswith("/") and not there.startswith(("//", "/\\")) and there.isprintable()
    return (request.script_root + there) if ours else url_for("home")


def see_other(address: str) -> Response:
    """Redirect with GET."""
    return Response(status=303, headers={"Location": address})


def sign_in_page(refused: str = "", code: int = 200, headers: dict[str, str] | None = None) -> Response:
    facts: dict[str, Any] = {"refused": refused, "name": request.form.get("name", ""), "then": next_address()}
    return make_response(render_template("doors/sign_in.html", **facts), code, headers or {})


def next_address() -> str:
    return own_address().removeprefix(request.script_root)


def account_page(who: Visitor, refused: str = "", code: int = 200) -> Response:
    done = request.args.get("done") == "password"
    return make_response(render_template("doors/account.html", who=who, refused=refused, changed=done), code)


def with_visit(response: Response, cookie: str) -> Response:
    """Return an answer with the cookie of a visit, and with that of the device, which outlives the visit. It leads to
    an address with `came`, where it shows whether the browser has kept them."""
    options, device = cookie_options(), request.cookies.get(guard.device_cookie(), "")
    response.set_cookie(guard.cookie_name(), cookie, LASTS, **options)
    known = 0 < len(device) <= LONGEST_COOKIE
    response.set_cookie(guard.device_cookie(), device if known else secrets.token_urlsafe(12), LASTS, **options)
    return response


def without_visit(response: Response) -> Response:
    response.delete_cookie(guard.cookie_name(), **cookie_options())
    return response


def cookie_options() -> dict[str, Any]:
    path = request.script_root or "/"
    return {"path": path, "secure": request.is_secure, "httponly": True, "samesite": "Lax"}
