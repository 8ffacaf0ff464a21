"""`/deals/<id>.html` and `/sessions/<id>.html`: a deal or an evening as one file, to be handed on.

A file may be passed on to anybody: it holds what a stranger would see of the archive, whoever downloads it."""

from flask import Flask, Response, abort, g

from archive.store import load_deal, session_verdicts
from archive.web.deal.routes import deal_page
from archive.web.portable.one_file import deal_file, evening_file
from archive.web.request import HTML, NUMBER, connection, download, request_texts
from archive.web.session.queries import deals_of_session
from archive.web.session.routes import session_page

MOST = 200  # deals of an evening in one file


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}.html")
    def deal_as_file(number: int) -> Response:
        t = _as_stranger()
        if load_deal(connection(), number) is None:
            abort(404, t["of_none_deal"].format(number=number))
        return download(deal_file(deal_page(number)), t["of_deal_name"].format(number=number) + ".html", HTML)

    @app.get(f"/sessions/{NUMBER}.html")
    def session_as_file(number: int) -> Response:
        t = _as_stranger()
        if not session_verdicts(connection(), number):
            abort(404, t["of_none_session"].format(number=number))
        connection().set_progress_handler(None, 0)  # every deal is read
        deals = deals_of_session(connection(), number)[:MOST]
        pages = ((deal, deal_page(deal)) for deal in deals)
        name = t["of_session_name"].format(number=number) + ".html"
        return download(evening_file(session_page(number), pages), name, HTML)


def _as_stranger() -> dict[str, str]:
    g.as_stranger = True
    return dict(request_texts())
