"""`/players`: everybody who played; `/players/<id>`: what came of one's deals. A name stands in no address."""

import sqlite3
from collections.abc import Sequence

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from archive.web import player_rows, players
from archive.web.asked import archive, first_row, texts_of_request, turns
from archive.web.pages import NUMBER
from archive.web.pages.stats import asked_of
from archive.web.plots import Plot
from archive.web.rates import FEW, between, percent
from archive.web.wording import Texts

PAGE = 50  # players on a page of the list
FOUND = 200  # of a search, which has one page: what was typed stands in no link of it
NEWEST = 10  # deals, findings


def setup(app: Flask) -> None:
    @app.get("/players", endpoint="players")
    def everybody() -> str:
        t, word, by_name = texts_of_request(), request.args.get("q", "").strip(), request.args.get("by") == "name"
        start, length = (0, FOUND) if word else (first_row(), PAGE)
        rows, total = player_rows.listed(archive(), word, by_name, length, start)
        known = player_rows.balances(archive(), rows)
        kept = {"by": "name"} if by_name else {}
        return render_template(
            "players.html",
            players=[players.one(row, known.get(row["id"]), t) for row in rows],
            word=word,
            by_name=by_name,
            first=start + 1,
            last=start + len(rows),
            total=total,
            db_name=app.config["ARCHIVE"].name,
            **(turns("players", length, start, total, kept) if not word else {"newer": None, "older": None}),
        )

    @app.get(f"/players/{NUMBER}")
    def player(number: int) -> str | Answer:
        t, conn = texts_of_request(), archive()
        key, name = _shown(conn, number, t)
        if key != number:  # a merge can be taken back, so the address stays good
            return redirect(url_for("player", number=key), 302)
        cells, runs = player_rows.cells(conn, key), player_rows.runs(conn, key, players.DRAWN)
        found = players.page(
            (key, name, player_rows.aliases(conn, key)),
            cells,
            player_rows.beside(conn, key),
            player_rows.newest(conn, key, NEWEST),
            player_rows.findings(conn, key, NEWEST),
            t,
        )
        rates = players.contract_rows(cells, t)
        address = url_for("player_plot", number=key, name="contracts")
        return render_template(
            "player.html",
            player=found,
            contracts=players.contract_plot(rates, address, t) if rates else None,
            runs=_runs(key, players.running(runs, t), t),
            percent=percent,
            between=between,
            few=FEW,
            questions=asked_of("player", key, found.deals, t) if found.deals else None,
        )

    @app.get(f"/players/{NUMBER}/plots/<name>.json")
    def player_plot(number: int, name: str) -> Response:
        t, conn = texts_of_request(), archive()
        key, _ = _shown(conn, number, t)
        if name == "contracts":
            rates = players.contract_rows(player_rows.cells(conn, key), t) or abort(404, t["no_plot"])
            return Response(players.contract_file(rates, t), content_type="application/json")
        runs = players.running(player_rows.runs(conn, key, players.DRAWN), t)
        run = next((run for n, run in enumerate(runs, 1) if name == f"result-{n}"), None) or abort(404, t["no_plot"])
        return Response(players.run_file(run, t), content_type="application/json")


def _shown(conn: sqlite3.Connection, number: int, t: Texts) -> tuple[int, str]:
    return player_rows.shown(conn, number) or abort(404, t["no_player"].format(number=number))


def _runs(key: int, runs: Sequence[players.Run], t: Texts) -> list[Plot]:
    return [
        players.run_plot(run, url_for("player_plot", number=key, name=f"result-{n}"), t)
        for n, run in enumerate(runs, 1)
    ]
