"""`/players`: everybody who played; `/players/<id>`: what came of one's deals. A name stands in no address."""

import sqlite3
from collections.abc import Sequence

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from archive.text.wording import Texts
from archive.web.players.page import (
    DRAWN,
    RunningResult,
    contract_chart,
    contract_rows,
    extreme_lines,
    player_line,
    player_page,
    running_chart,
    running_results,
    unit_name,
)
from archive.web.players.queries import (
    balances,
    card_findings,
    company_rows,
    constellation_rows,
    extreme_deals,
    find_players,
    main_unit,
    newest_deals,
    other_names,
    running_rows,
)
from archive.web.queries import people_of_deals, shown_player
from archive.web.rates import FEW, format_percent, format_rate_interval
from archive.web.request import NUMBER, connection, page_offset, pagination, request_texts
from archive.web.stats.glances import part_questions
from archive.web.vega import Plot, chart_file, draw_plot

PAGE = 50  # players on a page of the list
FOUND = 200  # of a search, which has one page: what was typed stands in no link of it
NEWEST = 10  # deals, findings


def setup(app: Flask) -> None:
    @app.get("/players", endpoint="players")
    def everybody() -> str:
        t, word, order = request_texts(), request.args.get("q", "").strip(), _order()
        unit = main_unit(connection())
        start, length = (0, FOUND) if word else (page_offset(), PAGE)
        rows, total = find_players(connection(), word, order, length, start, unit or "")
        known = balances(connection(), rows)
        kept = {"name": {"by": "name"}, "balance": {"order": "balance"}}.get(order, {})
        return render_template(
            "players/players.html",
            players=[player_line(row, known[row["id"]], t) for row in rows],
            word=word,
            order=order,
            orders=_orders(unit, t),
            first=start + 1,
            last=start + len(rows),
            total=total,
            **(pagination("players", length, start, total, kept) if not word else {"newer": None, "older": None}),
        )

    @app.get(f"/players/{NUMBER}")
    def player(number: int) -> str | Answer:
        t, conn = request_texts(), connection()
        key, name = _player_or_404(conn, number, t)
        if key != number:  # a merge can be taken back, so the address stays good
            return redirect(url_for("player", number=key), 302)
        cells, runs = (constellation_rows(conn, key), running_rows(conn, key, DRAWN))
        newest, offences = newest_deals(conn, key, NEWEST), card_findings(conn, key, NEWEST)
        people = people_of_deals(conn, [row["deal"] for row in (*newest, *offences[0])])
        page = player_page(
            (key, name, other_names(conn, key)),
            cells,
            company_rows(conn, key),
            newest,
            offences,
            t,
            people,
        )
        rates = contract_rows(cells, t)
        address = url_for("player_plot", number=key, name="contracts")
        return render_template(
            "players/player.html",
            player=page,
            extremes=extreme_lines(extreme_deals(conn, key), t),
            people=people,
            contracts=draw_plot(contract_chart(rates, t), address, t) if rates else None,
            runs=_runs(key, running_results(runs, t), t),
            percent=format_percent,
            between=format_rate_interval,
            few=FEW,
            questions=part_questions("player", key, page.deals, t) if page.deals else None,
        )

    @app.get(f"/players/{NUMBER}/plots/<name>.json")
    def player_plot(number: int, name: str) -> Response:
        t, conn = request_texts(), connection()
        key, _ = _player_or_404(conn, number, t)
        if name == "contracts":
            rates = contract_rows(constellation_rows(conn, key), t) or abort(404, t["no_plot"])
            return Response(chart_file(contract_chart(rates, t), t), content_type="application/json")
        runs = running_results(running_rows(conn, key, DRAWN), t)
        run = next((run for n, run in enumerate(runs, 1) if name == f"result-{n}"), None) or abort(404, t["no_plot"])
        return Response(chart_file(running_chart(run, t), t), content_type="application/json")


def _order() -> str:
    """The order of the list: name, balance, or else deals."""
    asked = request.args.get("order") or request.args.get("by")
    return asked if asked in ("name", "balance") else "deals"


def _orders(unit: str | None, t: Texts) -> list[tuple[str, str, str]]:
    """The orders of the list: key, words, address; by balance where there are amounts."""
    orders = [("deals", t["pr_by_deals"], url_for("players")), ("name", t["pr_by_name"], url_for("players", by="name"))]
    if unit is not None:
        words = t["pr_by_balance"].format(unit=unit_name(unit, False, t))
        orders.append(("balance", words, url_for("players", order="balance")))
    return orders


def _player_or_404(conn: sqlite3.Connection, number: int, t: Texts) -> tuple[int, str]:
    return shown_player(conn, number) or abort(404, t["no_player"].format(number=number))


def _runs(key: int, runs: Sequence[RunningResult], t: Texts) -> list[Plot]:
    return [
        draw_plot(running_chart(run, t), url_for("player_plot", number=key, name=f"result-{n}"), t)
        for n, run in enumerate(runs, 1)
    ]
