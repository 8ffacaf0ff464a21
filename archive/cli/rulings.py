"""`schafkopf audit rulings`: what was ruled before, when the same rule was at stake."""

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import click

from archive.cli.archive_file import DB, check_named, check_rule
from archive.cli.known_names import FINDING
from archive.cli.language import LANG, cli_text
from archive.cli.pager import with_pager
from archive.cli.progress import width
from archive.cli.rule import ruling_text
from archive.record import Ruling
from archive.store import open_read
from archive.store.ruling import list_rulings as past_rulings
from archive.text.case import ruling_words
from archive.text.dates import format_moment
from archive.text.deal import amounts_text
from archive.text.texts import TEXTS

AUTHORS = " UNION ".join(f"SELECT author FROM {table}" for table in ("rulings", "corrections", "case_entries"))


@click.command()
@click.option("--cite", metavar="TEXT", help="Only those that rest on this, or say it in why.")
@click.option("--rule", type=FINDING, help="Only those of deals with a finding of this rule.")
@click.option("--by", metavar="NAME", help="Only those of this person.")
@click.option("--json", "as_json", is_flag=True, help="Print one object a ruling.")
@LANG
@DB
@with_pager
def rulings(cite: str | None, rule: str | None, by: str | None, as_json: bool, language: str, db: str) -> None:
    """List what was ruled, the last first: how was it decided when the same rule was at stake?"""
    check_rule(rule)
    conn = open_read(db)
    rows = past_rulings(conn, cite, rule, by)
    if by is not None and not rows:
        check_named(by, db, [name for (name,) in conn.execute(f"{AUTHORS} UNION SELECT name FROM players")])
    for row in rows:
        texts = {key: json.loads(row[key]) if row[key] else None for key in ("seats", "stated", "computed", "ruled")}
        row |= {"rules": json.loads(row["rules"]), "in_force": bool(row["in_force"])} | texts
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else "\n".join(ruling_lines(row, width(), language)))
    if not as_json:
        click.echo(
            cli_text("rulings", language, n=len(rows)) if rows else ruling_text("none-found", language), err=True
        )


def ruling_lines(row: dict[str, Any], room: int, language: str = "en") -> Iterator[str]:
    """Yield a ruling: whose and when, on which deal; what it rests on, why, what it was about, and the amounts."""
    facts = {"deal": row["deal"], "session": row["session"], "number": row["number"]}
    deal = ruling_text("of-session", language, **facts) if row["session"] else str(row["deal"])
    key = "head" if row["in_force"] else "head-old"
    when = format_moment(row["when"], TEXTS[language])
    head = ruling_text(key, language, ruling=row["ruling"], by=row["by"], when=when, deal=deal)
    yield from (click.style(line, bold=True) for line in wrap(head, room, subsequent_indent="  "))
    texts = {"rests-on": row["cite"], "why": row["why"], "about": ", ".join(row["rules"])}
    amounts = {key: row[key] or () for key in ("stated", "computed")}
    texts |= {key: amounts_text(row["seats"] or (), own) for key, own in amounts.items() if {*own} - {None}}
    made = Ruling(row["by"], row["when"], row["why"], tuple(row["ruled"] or ()), row["cite"], row["kind"])
    texts["ruled"] = ruling_words(made, tuple(row["seats"] or ()), language)
    labels = {key: f"{ruling_text(key, language)}:" for key in texts}
    wide = max(map(len, labels.values()))
    for key, text in texts.items():
        if text:
            yield from wrap(
                f"{labels[key]:{wide}} {text}", room, initial_indent="  ", subsequent_indent=" " * (wide + 3)
            )
