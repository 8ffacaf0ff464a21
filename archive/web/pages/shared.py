"""`/deals/<id>/embed`: the board of a deal alone, for a frame of any page."""

from flask import Flask, render_template

from archive.web import queries, view
from archive.web.asked import archive, day, deal_or_404, texts_of_request
from archive.web.pages import NUMBER

ENDPOINT = "embed"  # the only page that another may frame


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/embed", endpoint=ENDPOINT)
    def embed(number: int) -> str:
        as_of, t = day(), texts_of_request()
        found = deal_or_404(number, as_of)
        page = view.page(found, queries.place(archive(), number), t, (), as_of)
        return render_template("embed.html", page=page)
