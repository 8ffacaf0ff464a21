"""`schafkopf players`: who plays, which names are one person, and a person who must not be named any more."""

import click

from archive.cli.archive_file import DB, archive_to_write
from archive.cli.groups import ListGroup
from archive.cli.known_names import PLAYER
from archive.cli.language import cli_text, heads, reader_language, reader_text
from archive.cli.options import JSON, print_rows
from archive.cli.terminal import with_pager
from archive.privacy.erase import erase_player
from archive.say import say
from archive.store import merge_players, open_archive, open_read, split_player
from archive.store import players as all_players
from archive.store.near_names import near_names
from archive.text.tables import tabulate

MANY = 10_000  # players; in larger archives near-equal names are not looked for
BY = click.option("--by", required=True, help="Who does it.")
WHY = click.option("--why", required=True, help="Why.")


@click.group(cls=ListGroup, invoke_without_command=True)
@JSON
@DB
@click.pass_context
@with_pager
def players(context: click.Context, /, as_json: bool, db: str) -> None:
    """List the players with their deals and other names; or say which names are one person.

    No record is changed by a merge: it says which name is shown, and `split` takes it back. To give deals away without
    names, see `schafkopf export --mask`.
    """
    if context.invoked_subcommand:
        return
    every = all_players(conn := open_read(db))
    if as_json:
        print_rows(("player", "deals", "other_names"), ((each.name, each.deals, each.aliases) for each in every))
        return
    rows = [(player.name, player.deals, ", ".join(player.aliases)) for player in every]
    head = heads("player", "deals", "other-names")
    click.echo(tabulate(rows, head, disable_numparse=[0]) if rows else reader_text("no-players"))
    for near in near_names(conn) if len(every) <= MANY else ():
        click.echo(say(near.question(db), reader_language()), err=True)


@players.command()
@click.argument("names", type=PLAYER, metavar="NAME…", nargs=-1, required=True)
@click.option("--into", type=PLAYER, required=True, help="Whose other names these are.")
@BY
@WHY
@DB
def merge(names: tuple[str, ...], into: str, by: str, why: str, db: str) -> None:
    """Make names the other names of one player.

    Refused for two who sat at one table. The deals keep the names that were recorded; tables, standings and accounts
    show the one player.
    """
    open_read(db).close()
    player = merge_players(open_archive(db), names, into, by, why)
    every = ", ".join(names)
    click.echo(reader_text("players-merged", names=every, n=len(names), player=player))


@players.command()
@click.argument("name", type=PLAYER)
@BY
@WHY
@DB
def split(name: str, by: str, why: str, db: str) -> None:
    """Take a merge back: NAME is a player of its own again."""
    open_read(db).close()
    before = split_player(open_archive(db), name, by, why)
    click.echo(reader_text("players-split", name=name, before=before))


@players.command()
@click.argument("name", type=PLAYER)
@click.option("--dry-run", is_flag=True, help="Say what would be changed, and change nothing.")
@BY
@WHY
@DB
def erase(name: str, dry_run: bool, by: str, why: str, db: str) -> None:
    """Take a person's name out of the archive for good: records, texts of files, findings, all of it.

    A number stands in its place. The deals stay, with their verdicts and settlements. There is no way back, and copies
    of the archive and the files it was imported from keep the name.
    """
    open_read(db).close()
    with archive_to_write(db, dry_run) as archive:
        done = erase_player(archive, name, by, why)
    counts = {"records": done.records, "files": done.sources, "other-rows": done.rows}
    language = reader_language()
    parts = ", ".join(cli_text(key, language, n=count) for key, count in counts.items())
    click.echo(cli_text("would-stand" if dry_run else "stands", language, name=done.pseudonym, parts=parts))
    if done.otherwise:
        numbers = ", ".join(map(str, done.otherwise[:20]))
        click.echo(cli_text("judged-otherwise", language, n=len(done.otherwise), deals=numbers), err=True)
