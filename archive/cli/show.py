"""`schafkopf show`: one deal of the archive in the terminal."""

import click

from archive.cli import terminal
from archive.cli.archive_file import AS_OF, DB, judged_deal, report_archive_errors
from archive.cli.language import LANG
from archive.judge import Judgement
from archive.text import deal as deal_text


@click.command()
@click.argument("deal")
@click.option("--trick", type=click.IntRange(1), help="Show one trick card by card.")
@click.option("--seat", help="Show the hand of this player alone.")
@AS_OF
@LANG
@DB
@report_archive_errors
def show(deal: str, trick: int | None, seat: str | None, as_of: str | None, language: str, db: str) -> None:
    """Replay a deal in the terminal.

    DEAL is the archive's number, the record's id, or the first characters of its hash.
    """
    judgement = judged_deal(db, deal, as_of)
    place = seat_number(judgement, seat)
    if trick is not None:
        click.echo(deal_text.trick_detail(judgement, trick, place, language))
        return
    click.echo("\n\n".join(terminal.deal_parts(judgement, place, language)))


def seat_number(judgement: Judgement, seat: str | None) -> int | None:
    """The seat of a player by name."""
    if seat is None:
        return None
    players = judgement.session.players
    if seat not in players:
        raise click.UsageError(f"no player {seat!r} in this deal: {', '.join(players)}")
    return players.index(seat)
