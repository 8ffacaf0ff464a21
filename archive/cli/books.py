"""`schafkopf audit ledger`: the books of a session in the terminal."""

from collections import Counter
from textwrap import fill

import click

from archive.cli.check import summary

PAGE = 200  # deals with a head and sums of their own


def print_ledger(db: str, session: int) -> bool:
    """Prints the sheet of a session, so many deals at a time, each part with what is brought forward; gives whether all
    of it adds up and follows."""
    from archive.cli.table import width
    from archive.store import first_break, open_read, session_row, session_rows, session_verdicts
    from archive.text.score_sheet import sheet_lines
    from archive.text.session_sheet import session_sheet
    from archive.text.texts import EN

    conn = open_read(db)
    head = session_row(conn, session)
    if head is None:
        raise click.UsageError(f"no session {session} in {db}")
    broken, verdicts = first_break(conn, session), session_verdicts(conn, session)
    good, start = broken is None, 0
    while start == 0 or start < sum(verdicts.values()):
        part = session_sheet(head, session_rows(conn, session, PAGE, start), EN, broken, verdicts=verdicts, start=start)
        if start == 0:
            click.echo(click.style(part.title, bold=True))
            click.echo(fill(", ".join(part.facts), width()))
            click.echo(summary(Counter(dict(part.verdicts))))
        if not verdicts:  # its file was taken back: nobody's seat, no column
            return True
        click.echo()
        for line in sheet_lines(part, EN, width()):
            click.echo(line)
        good = good and (part.zero or part.tallied) and not any(entry.off for entry in part.entries)
        start += PAGE
    return good
