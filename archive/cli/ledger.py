"""`schafkopf audit ledger`: the books of a session in the terminal."""

from collections import Counter
from textwrap import fill

import click

from archive.cli.archive_file import DB, check_session, report_archive_errors
from archive.cli.language import LANG
from archive.cli.terminal import width
from archive.cli.verdicts import summary
from archive.store import first_break, open_read, session_bases, session_row, session_rows, session_verdicts
from archive.text.score_sheet import sheet_lines
from archive.text.session_sheet import session_sheet
from archive.text.texts import TEXTS

PAGE = 200  # deals with a head and sums of their own


@click.command()
@click.argument("session", type=int)
@LANG
@DB
@click.pass_context
@report_archive_errors
def ledger(context: click.Context, /, session: int, language: str, db: str) -> None:
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
        part = session_sheet(head, rows, t, broken, verdicts=verdicts, start=start, bases=bases)
        if start == 0:
            click.echo(click.style(part.title, bold=True))
            click.echo(fill(", ".join(part.facts), width()))
            click.echo(summary(Counter(dict(part.verdicts)), language))
        if not verdicts:  # its file was taken back: nobody's seat, no column
            context.exit(0)
        if start == 0:
            click.echo(part.rests)
        click.echo()
        for line in sheet_lines(part, t, width()):
            click.echo(line)
        good = good and (part.zero or part.tallied) and not any(entry.off for entry in part.entries)
    context.exit(0 if good else 1)
