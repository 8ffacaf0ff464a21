"""`schafkopf audit ledger`: the books of a session in the terminal."""

from collections import Counter
from typing import Any

import click

from archive.cli.archive_file import DB, check_session
from archive.cli.known_names import SESSION
from archive.cli.language import LANG
from archive.cli.options import JSON, print_object
from archive.cli.terminal import fill_prose, width, with_pager
from archive.cli.verdicts import summary
from archive.store import first_break, open_read, session_bases, session_row, session_rows, session_verdicts
from archive.text.score_sheet import sheet_lines
from archive.text.session_sheet import deals_by_person, session_sheet
from archive.text.texts import TEXTS

PAGE = 200  # deals with a head and sums of their own


@click.command()
@click.argument("session", type=SESSION)
@JSON
@LANG
@DB
@click.pass_context
@with_pager
def ledger(context: click.Context, /, session: int, as_json: bool, language: str, db: str) -> None:
    """Print the books of SESSION, so that a table can add them up: payments, pots, totals, and where they break first.

    Each number is what the rules give; what is stated otherwise, ruled, or settled by a ruling stands below it, and in
    brackets what is only stated. Marks: ≠ differs, ! unplayable, ? undecidable. Exit status: 0 where everything adds
    up and follows, 1 where it does not.
    """
    conn = open_read(db)
    check_session(conn, db, session)
    head, t = session_row(conn, session), TEXTS[language]
    assert head
    broken, verdicts = first_break(conn, session), session_verdicts(conn, session)
    good, bases = broken is None, session_bases(conn, session)
    for start in range(0, sum(verdicts.values()) or 1, PAGE):  # each part with what is brought forward
        rows = session_rows(conn, session, PAGE, start)
        if as_json:
            for row in rows:
                print_object(deal_object(row, broken))
        part = session_sheet(head, deals_by_person(rows), t, broken, verdicts=verdicts, start=start, bases=bases)
        good = good and (part.zero or part.tallied) and not any(entry.off for entry in part.entries)
        if as_json:
            continue
        if start == 0:
            click.echo(click.style(part.title, bold=True))
            click.echo(fill_prose(", ".join(part.facts)))
            click.echo(summary(Counter(dict(part.verdicts)), language))
        if not verdicts:  # its file was taken back: no seats, and no columns
            context.exit(0)
        if start == 0:
            click.echo(fill_prose(part.rests))
        click.echo()
        for line in sheet_lines(part, t, width()):
            click.echo(line)
    context.exit(0 if good else 1)


def deal_object(row: dict[str, Any], broken: dict[str, Any] | None) -> dict[str, Any]:
    """Return a deal of the books: the columns of `outcomes`, the rows of the view `ledger` for its seats, and whether
    it is the first whose stated amounts do not follow."""
    fields = {key: value for key, value in row.items() if key not in ("viewer", "ledger", "before", "after", "score")}
    return fields | {"breaks": broken is not None and broken["deal"] == row["deal"], "seats": row["ledger"]}
