"""`schafkopf show`: one deal of the archive in the terminal."""

import click

from archive.audit import Judgement
from archive.audit.german import told_in
from archive.cli import table
from archive.cli.archive_file import AS_OF, DB, judged_deal, spoken_errors
from archive.cli.language import LANG
from archive.web import plain


@click.command()
@click.argument("deal")
@click.option("--trick", type=click.IntRange(1), help="Show one trick card by card.")
@click.option("--seat", help="Show the hand of this player alone.")
@AS_OF
@LANG
@DB
@spoken_errors
def show(deal: str, trick: int | None, seat: str | None, as_of: str | None, language: str, db: str) -> None:
    """Replay a deal in the terminal.

    DEAL is the archive's number, the record's id, or the first characters of its hash.
    """
    found = told_in(judged_deal(db, deal, as_of), language)
    place = seat_number(found, seat)
    if trick is not None:
        click.echo(plain.trick(found, trick, place))
        return
    click.echo("\n\n".join(table.whole(found, place, language)))


def seat_number(found: Judgement, seat: str | None) -> int | None:
    """The seat of a player by name."""
    if seat is None:
        return None
    if seat not in found.session.players:
        raise click.UsageError(f"no player {seat!r} in this deal: {', '.join(found.session.players)}")
    return found.session.players.index(seat)
