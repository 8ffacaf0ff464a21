"""`schafkopf stats`: standard questions to an archive, answered in the terminal."""

from collections.abc import Callable
from typing import Any

import click

from archive.cli.archive_file import DB, spoken_errors


def standings(db: str, event: str | None) -> str:
    """Who stands where over all tables and lists of an event."""
    from itertools import groupby

    from tabulate import tabulate

    from archive.audit.standings import Row
    from archive.audit.standings import standings as rank
    from archive.store import event_deals, known_as, open_read

    def told(row: Row) -> tuple[Any, ...]:
        place = f"{row.rank}=" if row.shared else str(row.rank)
        return (place, row.player, row.total, row.deals, row.wins, row.solos, row.touts, row.best, row.undecided)

    conn = open_read(db)
    rows = rank(event_deals(conn, event), known_as(conn))
    if not rows:
        raise click.UsageError("no deals" if event is None else f"no deals of the event {event!r}")
    parts = []
    for unit, each in groupby(rows, lambda row: row.unit):
        head = (
            "rank",
            "player",
            f"total in {unit}" if unit else "total",
            "deals",
            "won",
            "alone",
            "touts",
            "best",
            "?",
        )
        parts.append(tabulate([told(row) for row in each], head, disable_numparse=[0, 1]))
    if any(row.undecided for row in rows):
        parts.append("? counts deals of which nobody knows what they paid; they are in no total.")
    return "\n\n".join(parts)


def sources(db: str, event: str | None) -> str:
    """Which files there are, with their deals, and under which terms they may be used."""
    from tabulate import tabulate

    from archive.store import open_read, source_rows

    head = ("source", "file", "deals", "licence", "origin", "time zone", "")
    rows = [(*row[:6], "taken back" if row[6] else "") for row in source_rows(open_read(db), event)]
    if not rows:
        raise click.UsageError("no files" if event is None else f"no files with deals of the event {event!r}")
    return tabulate(rows, head, disable_numparse=[1, 3, 4, 5], missingval="not said")


STATS: dict[str, Callable[[str, str | None], str]] = {"standings": standings, "sources": sources}


@click.command()
@click.argument("name", type=click.Choice(list(STATS)), required=False)
@click.option("--event", help="Only sessions of this event.")
@DB
@spoken_errors
def stats(name: str | None, event: str | None, db: str) -> None:
    """Answer a standard question.

    Without NAME, list them.
    """
    if name is None:
        click.echo("\n".join(f"{key}: {each.__doc__}" for key, each in STATS.items()))
        return
    click.echo(STATS[name](db, event))
