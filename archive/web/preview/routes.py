"""`/deals/<id>/preview.png`, `/sessions/<id>/preview.png`: a deal and an evening as pictures for messengers."""

import re
from functools import lru_cache

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.cards import faces_in
from archive.explain import is_disputed
from archive.text.dates import format_day
from archive.text.numbers import format_number
from archive.text.wording import Texts, session_title
from archive.web.card_sprites import draw_sprite
from archive.web.deal.queries import deal_position
from archive.web.deal.receipt import DealReceipt, shown_deal
from archive.web.preview.scene import Scene, draw_png
from archive.web.preview.scenes import closing_scene, deal_scene, receipt_scene, session_scene
from archive.web.request import NUMBER, as_of_day, connection, request_texts, shown_judgement
from archive.web.session.closing import closing_of, hidden_names, story_of_session
from archive.web.session.plot import format_total
from archive.web.session.routes import session_or_404
from archive.web.stored import explain_stored

RETRY = {"Retry-After": "2"}  # seconds
VARIABLE = re.compile(r"var\(--[\w-]+,([^)]*)\)")  # a colour of the page, and the one to use without it


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/preview.png")
    def deal_preview(number: int) -> Response:
        as_of, t = as_of_day(), request_texts()
        judgement = shown_judgement(number, as_of)
        explained = explain_stored(connection(), number, judgement) if is_disputed(judgement) else None
        page = shown_deal(judgement, deal_position(connection(), number), t, (), as_of, (), explained)
        hidden = request.args.get("open") == "0"
        if isinstance(page, DealReceipt):
            return _picture(receipt_scene(page, t, hidden), page.heading.faces, t)
        own = request.args.get("seat", 0, int) - 1
        return _picture(deal_scene(page, t, hidden, own), page.heading.faces, t)

    @app.get(f"/sessions/{NUMBER}/preview.png")
    def session_preview(number: int) -> Response:
        t = request_texts()
        head, verdicts = session_or_404(number)
        course, story = story_of_session(connection(), head, verdicts, t)
        totals = [(name, format_total(line[-1], course, t)) for name, line in course.lines] if course else []
        day = format_day(head["date"], t) if head["date"] else ""
        count = sum(verdicts.values())
        deals = t["pv_deals"].format(n=count, count=format_number(count, t))
        facts = " · ".join(filter(None, (day, head["place"], deals)))
        scene = session_scene(session_title(head["event"], number, t), facts, story, totals, t)
        return _picture(scene, "german", t)

    @app.get(f"/sessions/{NUMBER}/picture.png")
    def session_picture(number: int) -> AnyResponse:
        """Return the picture that is given away as a file: upright, or as a link shows it."""
        t = request_texts()
        if request.args.get("form", "portrait") != "portrait":
            return redirect(url_for("session_preview", number=number))
        closing = closing_of(connection(), number, t, hidden_names(connection(), t)) or abort(404, t["cl_none"])
        drawn = _picture(closing_scene(closing, t), "german", t)
        drawn.headers["Content-Disposition"] = f'inline; filename="{t["cl_file"].format(number=number)}.png"'
        return drawn


def _picture(scene: Scene, faces: str, t: Texts) -> Response:
    """Return a scene as a PNG; a refusal for the time being if too many are being drawn."""
    svg = render_template("preview/picture.svg", scene=scene, sprite=_symbols(faces_in(faces, t["lang"])))
    png = draw_png(svg)
    if png is None:
        return Response(t["busy_why"], 503, RETRY, content_type="text/plain; charset=utf-8")
    return Response(png, content_type="image/png")


@lru_cache
def _symbols(pack: str) -> str:
    """Return the cards of a pack as symbols for a drawing without a page around it."""
    return VARIABLE.sub(r"\1", re.sub(r"^[^>]*>|</svg>\s*$", "", draw_sprite(pack)))
