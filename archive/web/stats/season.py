"""`/stats/year-YYYY.html`: the report of a year as one page, to print or to send."""

from datetime import date

from flask import Flask, Response, abort

from archive.text.season_report import season_html, season_report, season_word, years_of
from archive.web.request import HTML, connection, download, request_texts


def setup(app: Flask) -> None:
    @app.get("/stats/year-<int(fixed_digits=4):year>.html")
    def season(year: int) -> Response:
        language = request_texts()["lang"]
        if str(year) not in years_of(connection()):
            abort(404, season_word("nothing", language))
        page = season_html(season_report(connection(), str(year), None, language), date.today().isoformat(), language)
        return download(page, f"{year}.html", HTML)
