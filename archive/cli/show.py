"""`schafkopf show`: one deal of the archive in the terminal."""

import click

from archive.cli import terminal
from archive.cli.archive_file import AS_OF, DB, judged_deal, place_in_archive, report_archive_errors
from archive.cli.json_lines import JSON, print_object
from archive.cli.known_names import DEAL, PLAYER
from archive.cli.language import LANG, asked_for
from archive.cli.options import old_name
from archive.cli.pager import with_pager
from archive.cli.wrong_use import wrong_use
from archive.judge import Judgement
from archive.judge.report import report
from archive.store import open_read
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
@report_archive_errors
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
    judgement = judged_deal(db, deal, as_of)
    if as_json:
        print_object(report(judgement, asked_for(context)) | place_in_archive(open_read(db), db, deal))
        return
    place = seat_number(judgement, player)
    if trick is not None:
        click.echo(deal_text.trick_detail(judgement, trick, place, language))
        return
    click.echo("\n\n".join(terminal.deal_parts(judgement, place, language)))


def seat_number(judgement: Judgement, player: str | None) -> int | None:
    """The seat of a player by name."""
    if player is None:
        return None
    players = judgement.session.players
    if player not in players:
        raise wrong_use("no-player-in-deal", name=player, players=tuple(players))
    return players.index(player)
