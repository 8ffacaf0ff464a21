"""`schafkopf show`: one deal of the archive in the terminal."""

from contextlib import closing

import click

from archive.cli import terminal
from archive.cli.archive_file import AS_OF, DB, deal_number, judge_in, place_in_archive
from archive.cli.known_names import DEAL, PLAYER
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.options import JSON, old_name, print_object
from archive.cli.pager import with_pager
from archive.judge import Judgement
from archive.judge.report import report
from archive.store import open_read
from archive.store.load import load_gone
from archive.text import deal as deal_text


@click.command()
@click.argument("deal", type=DEAL)
@click.option("--trick", type=click.IntRange(1), help="Show one trick card by card.")
@click.option("--player", type=PLAYER, help="Show the hand of this player alone.")
@old_name("--seat", "player")
@AS_OF
@JSON
@LANG
@DB
@click.pass_context
@with_pager
def show(
    context: click.Context,
    /,
    deal: str,
    trick: int | None,
    player: str | None,
    as_of: str | None,
    as_json: bool,
    language: str,
    db: str,
) -> None:
    """Replay a deal in the terminal.

    DEAL is the archive's number, the record's id, or the first characters of its hash.
    """
    if as_json and (trick or player):
        raise wrong_use("show-json")
    with closing(open_read(db)) as conn:
        gone = load_gone(conn, deal_number(conn, db, deal)) if as_of is None else None
        judgement = gone or judge_in(conn, db, deal, as_of)
        if as_json:
            place_of_deal = place_in_archive(conn, db, deal) | ({"gone": True} if gone else {})
            print_object(report(judgement, asked_for(context)) | place_of_deal)
            return
    if gone:
        click.echo(cli_text("gone-deal", language, deal=deal) + "\n")
    place = seat_number(judgement, player)
    if trick is not None:
        if trick > (played := len(judgement.deal.tricks or ())):
            raise wrong_use("no-trick", trick=trick, n=played)
        click.echo(deal_text.trick_detail(judgement, trick, place, language))
        return
    click.echo("\n\n".join(terminal.deal_parts(judgement, place, language)))


def seat_number(judgement: Judgement, player: str | None) -> int | None:
    """Return the seat of a player by name."""
    if player is None:
        return None
    players = judgement.session.players
    if player not in players:
        raise wrong_use("no-player-in-deal", name=player, players=tuple(players))
    return players.index(player)
