"""`schafkopf show`: one deal of the archive in the terminal."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial

import click

from archive.cli.archive_file import AS_OF, DB, deal_number, judge_in
from archive.cli.known_names import DEAL, PLAYER
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.options import JSON, old_name, print_object
from archive.cli.terminal import width, with_pager
from archive.cli.verdicts import VERDICTS, basis_text
from archive.judge import Judgement
from archive.judge.report import report
from archive.judge.sentences import say_reason
from archive.record.names import seat_named
from archive.store import open_read
from archive.store.load import load_gone
from archive.text import deal as deal_text
from archive.text.chalk import chalk_lines


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
            number = deal_number(conn, db, deal)
            place_of_deal = {
                "archive": number,
                "session": conn.execute("SELECT session_id FROM records WHERE id = ?", (number,)).fetchone()[0],
            } | ({"gone": True} if gone else {})
            print_object(report(judgement, asked_for(context)) | place_of_deal)
            return
    if gone:
        click.echo(cli_text("gone-deal", language, deal=deal) + "\n")
    players = judgement.session.players
    place = None if player is None else seat_named(player, players)
    if player is not None and place is None:
        raise wrong_use("no-player-in-deal", name=player, players=tuple(players))
    if trick is not None:
        if trick > (played := len(judgement.deal.tricks or ())):
            raise wrong_use("no-trick", trick=trick, n=played)
        click.echo(deal_text.trick_detail(judgement, trick, place, language))
        return
    click.echo("\n\n".join(deal_parts(judgement, place, language)))


# --- a deal in colour -----------------------------------------------------------------------------------------------


RED = partial(click.style, fg="red")
BRIGHT = partial(click.style, bold=True, fg="yellow")


def deal_title(judgement: Judgement, language: str) -> str:
    """Return the title of a deal, its verdict and basis, when and where it was played."""
    verdict = click.style(cli_text(judgement.verdict, language), fg=VERDICTS[judgement.verdict], bold=True)
    title = click.style(deal_text.deal_title(judgement, language), bold=True)
    return f"{title}  {verdict}{basis_text(judgement.basis, language)}\n{deal_text.occasion(judgement)}".rstrip()


def deal_parts(judgement: Judgement, seat: int | None, language: str) -> Iterator[str]:
    """Yield the parts of the page, without empty ones; with `seat` the other hands stay hidden."""
    room = width()
    head = (
        deal_title(judgement, language),
        deal_text.result_line(judgement, language),
        deal_text.incomplete_note(judgement, room, language),
    )
    before = (deal_text.rounds_line(judgement, language), deal_text.before_play(judgement, room, language, seat))
    after = (deal_text.payment_lines(judgement, room, language), deal_text.ledger_change(judgement, language))
    parts = (
        "\n".join(filter(None, head)),
        "\n".join(filter(None, before)),
        deal_text.dealt_hands(judgement, seat, language),
        deal_text.trick_table(judgement, room, RED, language),
        deal_text.settlement_table(judgement, room, language),
        "\n".join(filter(None, after)),
        chalk_lines(judgement, room, BRIGHT, language),
        deal_text.comparison_table(judgement, room, language),
        deal_text.inferred_lines(judgement, language),
        deal_text.finding_lines(judgement, language) or say_reason(judgement, language),
    )
    return (part for part in parts if part.strip())
