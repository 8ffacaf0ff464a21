"""`/events/<name>/ranking`: the ranking of an event, on a sheet to print, and the tables that do not add up."""

from typing import get_args

from flask import Flask, abort, render_template, request, url_for

from archive.judge.types import Basis
from archive.store import event_standing_rows, event_substitutes, event_tables
from archive.store.left_out import unread_rows
from archive.text.left_out import rows_text
from archive.text.session_ledger import ranked_standings
from archive.web.queries import player_numbers
from archive.web.ranking.page import ranking_view
from archive.web.request import connection, request_texts


def setup(app: Flask) -> None:
    @app.get("/events/<path:event>/ranking")
    def ranking(event: str) -> str:
        t, basis = request_texts(), request.args.get("basis")
        if basis is not None and basis not in get_args(Basis):
            abort(400, t["rk_no_basis"].format(basis=basis))
        tables = event_tables(connection(), event) or abort(404, t["no_event"].format(event=event))
        rows, by = event_standing_rows(connection(), event, basis)
        bases = [(each, t[f"basis_{each}"], url_for("ranking", event=event, basis=each)) for each in get_args(Basis)]
        ranked = ranked_standings(rows, by, t)
        return render_template(
            "ranking/ranking.html",
            event=event,
            view=ranking_view(ranked, by, tables, event_substitutes(connection(), event), t),
            people=player_numbers(connection(), [row.player for row in ranked]),
            unread=rows_text("unread", unread_rows(connection(), event), t["lang"]),
            basis=basis,
            bases=[("", t["rk_all"], url_for("ranking", event=event)), *bases],
        )
