"""`/enter`: the link of the terminal lets a browser in."""

from flask import Flask, Response, abort, request, url_for

from archive.web.doors.guard import (
    cookie_name,
    csrf_field,
    csrf_token,
    doors,
    may,
    visitor,
)
from archive.web.doors.keys import LASTS
from archive.web.request import request_texts

ENTER = "enter"


def setup(app: Flask) -> None:
    app.jinja_env.globals.update(csrf_field=csrf_field, csrf_token=csrf_token, may=may, visitor=visitor)

    @app.after_request
    def vary_by_visitor(response: Response) -> Response:
        """A page may be another one for whoever is signed in, and is kept by nobody for others."""
        if doors() is not None:
            response.vary.add("Cookie")
        return response

    @app.get("/enter", endpoint=ENTER)
    def enter() -> Response:
        """The token of the link becomes a cookie, and does not stay in the address."""
        here, t = doors(), request_texts()
        if here is None:
            abort(403, t["door_shut"])
        if not here.use_link_token(request.args.get("token", "")):
            abort(403, t["door_link"])
        response = Response(status=303, headers={"Location": url_for("home")})
        set_visit(response, here.new_cookie())
        return response


def set_visit(response: Response, cookie: str) -> None:
    """Sets the cookie of a visit."""
    path = request.script_root or "/"
    response.set_cookie(
        cookie_name(), cookie, LASTS, path=path, secure=request.is_secure, httponly=True, samesite="Lax"
    )
