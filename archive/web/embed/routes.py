"""`/deals/<id>/embed`: the board of a deal alone, for a frame of any page."""

from flask import Flask, render_template

from archive.web.deal.page import deal_board, deal_view
from archive.web.deal.queries import deal_position
from archive.web.deal.receipt import deal_slip, has_cards
from archive.web.request import NUMBER, as_of_day, connection, request_texts, shown_judgement

ENDPOINT = "embed"  # the only page that another may frame


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/embed", endpoint=ENDPOINT)
    def embed(number: int) -> str:
        as_of, t = as_of_day(), request_texts()
        judgement = shown_judgement(number, as_of)
        place = deal_position(connection(), number)
        build = deal_board if has_cards(judgement.deal) else deal_slip
        page = build(deal_view(judgement, t, place.people), place, as_of)
        return render_template("embed/embed.html", page=page)
