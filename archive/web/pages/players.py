"""`/players`: everybody who played; `/players/<id>`: what came of one's deals. A name stands in no address."""

import sqlite3
from collections.abc import Sequence

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from archive.web import player_rows as player_queries
from archive.web import players as player_pages
from archive.web.asked import NUMBER, connection, page_offset, pagination, request_texts
from archive.web.pages.stats import part_questions
from archive.web.plots import Plot
from archive.web.rates import FEW, format_percent, format_rate_interval
from archive.web.wording import Texts

PAGE = 50  # players on a page of the list
FOUND = 200  # of a search, which has one page: what was typed stands in no link of it
NEWEST = 10  # deals, findings


def setup(app: Flask) -> None:
    @app.get("/players", endpoint="players")
    def everybody() -> str:
        t, word, by_name = request_texts(), request.args.get("q", "").strip(), request.args.get("by") == "name"
        start, length = (0, FOUND) if word else (page_offset(), PAGE)
        rows, total = player_queries.find_players(connection(), word, by_name, length, start)
        known = player_queries.balances(connection(), rows)
        kept = {"by": "name"} if by_name else {}
        return render_template(
            "players.html",
            players=[player_pages.player_line(row, known.get(row["id"]), t) for row in rows],
            word=word,
            by_name=by_name,
            first=start + 1,
            last=start + len(rows),
            total=total,
            db_name=app.config["ARCHIVE"].name,
            **(pagination("players", length, start, total, kept) if not word else {"newer": None, "older": None}),
        )

    @app.get(f"/players/{NUMBER}")
    def player(number: int) -> str | Answer:
        t, conn = request_texts(), connection()
        key, name = _shown(conn, number, t)
        if key != number:  # a merge can be taken back, so the address stays good
            return redirect(url_for("player", number=key), 302)
        cells, runs = (
            player_queries.constellation_rows(conn, key),
            player_queries.running_rows(conn, key, player_pages.DRAWN),
        )
        found = player_pages.player_page(
            (key, name, player_queries.other_names(conn, key)),
            cells,
            player_queries.company_rows(conn, key),
            player_queries.newest_deals(conn, key, NEWEST),
            player_queries.card_findings(conn, key, NEWEST),
            t,
        )
        rates = player_pages.contract_rows(cells, t)
        address = url_for("player_plot", number=key, name="contracts")
        return render_template(
            "player.html",
            player=found,
            contracts=player_pages.contract_plot(rates, address, t) if rates else None,
            runs=_runs(key, player_pages.running_results(runs, t), t),
            percent=format_percent,
            between=format_rate_interval,
            few=FEW,
            questions=part_questions("player", key, found.deals, t) if found.deals else None,
        )

    @app.get(f"/players/{NUMBER}/plots/<name>.json")
    def player_plot(number: int, name: str) -> Response:
        t, conn = request_texts(), connection()
        key, _ = _shown(conn, number, t)
        if name == "contracts":
            rates = player_pages.contract_rows(player_queries.constellation_rows(conn, key), t) or abort(
                404, t["no_plot"]
            )
            return Response(player_pages.contract_file(rates, t), content_type="application/json")
        runs = player_pages.running_results(player_queries.running_rows(conn, key, player_pages.DRAWN), t)
        run = next((run for n, run in enumerate(runs, 1) if name == f"result-{n}"), None) or abort(404, t["no_plot"])
        return Response(player_pages.running_file(run, t), content_type="application/json")


def _shown(conn: sqlite3.Connection, number: int, t: Texts) -> tuple[int, str]:
    return player_queries.shown_player(conn, number) or abort(404, t["no_player"].format(number=number))


def _runs(key: int, runs: Sequence[player_pages.RunningResult], t: Texts) -> list[Plot]:
    return [
        player_pages.running_plot(run, url_for("player_plot", number=key, name=f"result-{n}"), t)
        for n, run in enumerate(runs, 1)
    ]
