"""`/deals/<id>/embed`: the board of a deal alone, for a frame of any page."""

from flask import Flask, render_template

from archive.web import queries as search_queries
from archive.web import view as deal_pages
from archive.web.asked import NUMBER, as_of_day, connection, deal_or_404, request_texts

ENDPOINT = "embed"  # the only page that another may frame


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/embed", endpoint=ENDPOINT)
    def embed(number: int) -> str:
        as_of, t = as_of_day(), request_texts()
        found = deal_or_404(number, as_of)
        page = deal_pages.deal_page(found, search_queries.deal_position(connection(), number), t, (), as_of)
        return render_template("embed.html", page=page)
