"""`/events/<name>/ranking`: the ranking of an event, on a sheet to print, and the tables that do not add up."""

from collections.abc import Sequence
from typing import get_args

from flask import Flask, abort, render_template, request, url_for

from archive.judge.types import Basis
from archive.store import event_standing_rows, event_substitutes, event_tables
from archive.store.left_out import unread_rows
from archive.text.dates import format_day
from archive.text.left_out import rows_text
from archive.text.numbers import format_money
from archive.text.session_ledger import Facts, Standing, ranked_standings
from archive.text.wording import Texts
from archive.web.queries import player_numbers
from archive.web.request import connection, request_texts

BASES = get_args(Basis)
BY = {"wins": "deals_won", "solos": "solos_won", "touts": "touts_won", "best-deal": "best_deal"}  # words of tie-breaks


def setup(app: Flask) -> None:
    @app.get("/events/<path:event>/ranking")
    def ranking(event: str) -> str:
        t, basis = request_texts(), request.args.get("basis")
        if basis is not None and basis not in BASES:
            abort(400, t["rk_no_basis"].format(basis=basis))
        tables = event_tables(connection(), event) or abort(404, t["no_event"].format(event=event))
        rows, by = event_standing_rows(connection(), event, basis)
        bases = [(each, t[f"basis_{each}"], url_for("ranking", event=event, basis=each)) for each in BASES]
        ranked = ranked_standings(rows, by, t)
        return render_template(
            "ranking/ranking.html",
            event=event,
            view=ranking_facts(ranked, by, tables, event_substitutes(connection(), event), t),
            people=player_numbers(connection(), [row.player for row in ranked]),
            unread=rows_text("unread", unread_rows(connection(), event), t["lang"]),
            basis=basis,
            bases=[("", t["rk_all"], url_for("ranking", event=event)), *bases],
        )


def ranking_facts(
    rows: Sequence[Standing], by: Sequence[str], tables: Sequence[Facts], substitutes: Sequence[Facts], t: Texts
) -> Facts:
    """Return what the page shows: the `rows`; in words the `facts` of the event, on what its entries rest (`rests`),
    the rule between equal totals (`ties`), that all tables add up (`sums`) or else those that are `wrong`, and who took
    the seat of another; and which columns it has."""
    broken = [row for row in tables if row["break"] is not None]
    wrong = [(row["session"], _title(row, t), _how_broken(row, t)) for row in broken]
    days = (format_day(each, t) for each in sorted({row["date"] for row in tables if row["date"]}))
    entries = [sum(row.bases[place] for row in rows) for place in range(len(BASES))]
    names = {row["table_name"] or number for number, row in enumerate(tables)}  # a table without a name is one
    rounds = {row["list"] for row in tables} - {None, ""}
    counts = {"rk_players": len(rows), "rk_tables": len(names), **({"rk_rounds": len(rounds)} if rounds else {})}
    agreed = ", ".join(t[BY[name]] for name in by)
    shared = any(row.shared for row in rows)
    ties = t["rk_by"].format(names=agreed) if by else t["rk_by_nothing"]
    return {
        "rows": rows,
        "facts": (*days, *(t[key].format(count=n) for key, n in counts.items())),
        "rests": [f"{count} {t[f'basis_{name}']}" for name, count in zip(BASES, entries, strict=True) if count],
        "ties": f"{ties} {t['rk_shared']}" if shared else ties,
        "sums": "" if wrong else t["rk_zero"].format(count=len(tables)),
        "wrong": wrong,
        "substitutes": [t["substitute_from"].format(**each) for each in substitutes],
        "has_deals": any(row.facts[0] != "0" for row in rows),  # of some the number of deals is known
        "has_lists": any(row.lists for row in rows),
        "has_open": any(row.undecided for row in rows),
    }


def _how_broken(row: Facts, t: Texts) -> str:
    if row["rest"]:
        return t["rk_left"].format(rest=format_money(row["rest"], row["unit"], t))
    return t["se_breaks"].format(number=row["break"])


def _title(row: Facts, t: Texts) -> str:
    """Return a table and its round, else the number of the session."""
    parts = [t[key].format(name=row[column]) for key, column in (("rk_table", "table_name"), ("rk_round", "list"))
             if row[column]]  # fmt: skip
    return ", ".join(parts) or str(row["session"])
