"""`/deals/<id>/embed`: the board of a deal alone, for a frame of any page."""

from flask import Flask, render_template

from archive.web.deal.page import deal_board
from archive.web.deal.queries import deal_position
from archive.web.request import NUMBER, as_of_day, connection, request_texts, shown_judgement

ENDPOINT = "embed"  # the only page that another may frame


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/embed", endpoint=ENDPOINT)
    def embed(number: int) -> str:
        as_of, t = as_of_day(), request_texts()
        judgement = shown_judgement(number, as_of)
        page = deal_board(judgement, deal_position(connection(), number), t, as_of)
        return render_template("embed/embed.html", page=page)
