"""`/players`: everybody who played; `/players/<id>`: the results of one player. A name stands in no address."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from archive.store import read_once
from archive.text.numbers import format_money
from archive.text.wording import Texts
from archive.web.players import page as views
from archive.web.players import queries
from archive.web.queries import Facts, people_of_deals, shown_player
from archive.web.rates import FEW, format_percent, format_rate_interval
from archive.web.request import NUMBER, asked_days, connection, page_offset, pagination, request_texts, row_address
from archive.web.stats.glances import part_questions
from archive.web.vega import Plot, chart_file, draw_plot

PAGE = 50  # players on a page of the list
FOUND = 200  # of a search, which has one page: the words typed stand in no link of it
NEWEST = 10  # deals, findings
COLUMNS = {"name": "name", "deals": "-deals", "balance": "-balance"}  # of the list, with the usual order of each

ONE_PAGE = {"newer": None, "older": None}


def setup(app: Flask) -> None:
    @app.get("/players", endpoint="players")
    def everybody() -> str:
        t, word, order = request_texts(), request.args.get("q", "").strip(), _order()
        unit = queries.main_unit(connection())
        start, length = (0, FOUND) if word else (page_offset(), PAGE)
        rows, total = queries.find_players(connection(), word, order, length, start, unit or "")
        known = queries.balances(connection(), rows)
        whole = views.only_unit(known.values(), t)
        return render_template(
            "players/players.html",
            players=[views.player_line(row, known[row["id"]], t, whole is None) for row in rows],
            word=word,
            heads=_heads(order, unit, whole, t),
            total=total,
            **(ONE_PAGE if word else pagination("players", length, start, total, _order_parameters(order))),
        )

    @app.get(f"/players/{NUMBER}")
    def player(number: int) -> str | Answer:
        t, conn, span = request_texts(), connection(), queries.Span(*asked_days())
        key, name = shown_player(conn, number) or abort(404, t["no_player"].format(number=number))
        if key != number:  # a merge can be taken back, so the address stays good
            return redirect(url_for("player", number=key, **_span_parameters(span)), 302)
        span = queries.find_deals(conn, key, span)
        every_month = read_once(conn, ("months", key), partial(queries.month_rows, conn, key))  # for any span
        cells, runs = queries.constellation_rows(conn, key, span), queries.running_rows(conn, key, views.DRAWN, span)
        newest, offences = queries.newest_deals(conn, key, NEWEST, span), queries.card_findings(conn, key, NEWEST, span)
        people = people_of_deals(conn, [row["deal"] for row in (*newest, *offences[0])])
        page = views.player_page(
            (key, name, queries.other_names(conn, key)),
            cells,
            queries.company_rows(conn, key, span),
            newest,
            offences,
            t,
            people,
        )
        rates = views.contract_rows(cells, t, partial(_declared_address, key, span))
        address = url_for("player_plot", number=key, name="contracts", **_span_parameters(span))
        return render_template(
            "players/player.html",
            player=page,
            months=views.month_choice(every_month, span, page["deals"], t),
            extremes=[
                ("win" if row["amount"] > 0 else "loss", format_money(row["amount"], row["unit"], t), row["deal"])
                for row in queries.extreme_deals(conn, key, span)
            ],
            people=people,
            contracts=draw_plot(views.contract_chart(rates, t), address, t) if rates else None,
            runs=_runs(key, span, views.running_results(runs, t), t),
            percent=format_percent,
            between=format_rate_interval,
            few=FEW,
            questions=part_questions("player", key, page["deals"], t) if page["deals"] and not span else None,
        )

    setup_plots(app)


def setup_plots(app: Flask) -> None:
    """Add the data of the plots of a player."""

    @app.get(f"/players/{NUMBER}/plots/<name>.json")
    def player_plot(number: int, name: str) -> Response:
        t, conn, span = request_texts(), connection(), queries.Span(*asked_days())
        key, _ = shown_player(conn, number) or abort(404, t["no_player"].format(number=number))
        if name == "contracts":
            rates = views.contract_rows(queries.constellation_rows(conn, key, span), t) or abort(404, t["no_plot"])
            return Response(chart_file(views.contract_chart(rates, t), t), content_type="application/json")
        if not re.fullmatch(r"result-\d", name, re.ASCII):
            abort(404, t["no_page"])
        runs = views.running_results(queries.running_rows(conn, key, views.DRAWN, span), t)
        run = next((run for n, run in enumerate(runs, 1) if name == f"result-{n}"), None) or abort(404, t["no_plot"])
        return Response(chart_file(views.running_chart(run, t), t), content_type="application/json")


def _span_parameters(span: queries.Span) -> dict[str, Any]:
    """Return the parameters of an address that is limited to a span."""
    return {"since": span.since or None, "until": span.until or None}


def _declared_address(key: int, span: queries.Span, contract: str) -> str:
    """Return the address of the list of the deals of a contract that a player declared."""
    return url_for("home", player=key, role="declarer", contract=contract, **_span_parameters(span))


def _order() -> str:
    """Return the column that the list is ordered by, descending with a minus before it."""
    if (asked := request.args.get("sort", "")).removeprefix("-") in COLUMNS:
        return asked
    column = request.args.get("order") or request.args.get("by") or ""
    return COLUMNS.get(column, COLUMNS["deals"])


def _order_parameters(order: str) -> dict[str, Any]:
    """Return the parameters of the address of the list in an order; the usual order of a column has its own."""
    usual: dict[str, dict[str, Any]] = {"-deals": {}, "name": {"by": "name"}, "-balance": {"order": "balance"}}
    return usual.get(order, {"sort": order})


def _heads(order: str, unit: str | None, whole: str | None, t: Texts) -> list[Facts]:
    """Return the heads of the list, each with the address that sorts by it and its present order. Balances sort by
    amounts in one unit; if there is only one (`whole`), the head names it once for all rows."""
    balance = t["pr_balance"] if whole is None else t["st_in"].format(what=t["sc_balance"], unit=whole)
    by_unit = "" if unit is None else t["pr_by_balance"].format(unit=views.unit_name(unit, t))
    column, order_now = order.removeprefix("-"), "descending" if order.startswith("-") else "ascending"
    return [
        {
            "text": text,
            "says": says,
            "numeric": key != "name",
            "to": url_for("players", **_order_parameters(_next_order(key, order))) if key != "balance" or unit else "",
            "order": order_now if column == key else "",
        }
        for key, text, says in (("name", t["player"], ""), ("deals", t["deals"], ""), ("balance", balance, by_unit))
    ]


def _next_order(column: str, order: str) -> str:
    """Return the order that the head of a column leads to: its usual one, or the reverse if that is in force."""
    usual = COLUMNS[column]
    return usual if order != usual else (usual.removeprefix("-") if usual.startswith("-") else f"-{usual}")


def _runs(key: int, span: queries.Span, runs: Sequence[views.RunningResult], t: Texts) -> list[Plot]:
    deal_address = partial(row_address, "deal")
    return [
        draw_plot(
            views.running_chart(run, t, deal_address),
            url_for("player_plot", number=key, name=f"result-{n}", **_span_parameters(span)),
            t,
        )
        for n, run in enumerate(runs, 1)
    ]
