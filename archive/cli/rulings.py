"""`schafkopf audit rulings`: what was ruled before, when the same rule was at stake."""

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import click

from archive.cli.archive_file import DB, check_rule, report_archive_errors
from archive.cli.language import cli_text
from archive.cli.terminal import amounts_text, width
from archive.store import open_read
from archive.store.ruling import list_rulings as past_rulings


@click.command()
@click.option("--cite", metavar="TEXT", help="Only those that rest on this, or say it in why.")
@click.option("--rule", metavar="RULE", help="Only those of deals with a finding of this rule.")
@click.option("--by", metavar="NAME", help="Only those of this person.")
@click.option("--json", "as_json", is_flag=True, help="Print one object a ruling.")
@DB
@report_archive_errors
def rulings(cite: str | None, rule: str | None, by: str | None, as_json: bool, db: str) -> None:
    """List what was ruled, the last first: how was it decided when the same rule was at stake?"""
    check_rule(rule)
    rows = list(past_rulings(open_read(db), cite, rule, by))
    for row in rows:
        texts = {key: json.loads(row[key]) if row[key] else None for key in ("seats", "stated", "computed", "ruled")}
        row |= {"rules": json.loads(row["rules"]), "in_force": bool(row["in_force"])} | texts
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else "\n".join(ruling_lines(row, width())))
    if not as_json:
        click.echo(cli_text("rulings", n=len(rows)) if rows else "no such ruling", err=True)


def ruling_lines(row: dict[str, Any], room: int) -> Iterator[str]:
    """A ruling: whose and when, of which deal; what it rests on, why, what it was about, and the amounts."""
    deal = f"deal {row['deal']}" + (f", session {row['session']} no. {row['number']}" if row["session"] else "")
    force = "" if row["in_force"] else " (no longer in force)"
    head = f"Ruling {row['ruling']}{force}: {row['by']}, {row['when']}, on {deal}"
    yield from (click.style(line, bold=True) for line in wrap(head, room, subsequent_indent="  "))
    texts = {"rests on": row["cite"], "why": row["why"], "about": ", ".join(row["rules"])}
    amounts = {key: row[key] or () for key in ("stated", "computed", "ruled")}
    texts |= {key: amounts_text(row["seats"] or (), own) for key, own in amounts.items() if {*own} - {None}}
    for label, text in texts.items():
        if text:
            yield from wrap(f"{label + ':':10}{text}", room, initial_indent="  ", subsequent_indent=" " * 12)
