"""`schafkopf players`: who plays, and which names are one person."""

import click

from archive.cli.archive_file import DB, spoken_errors

BY = click.option("--by", required=True, help="Who does it.")
WHY = click.option("--why", required=True, help="Why.")


@click.group(invoke_without_command=True)
@DB
@click.pass_context
@spoken_errors
def players(context: click.Context, /, db: str) -> None:
    """List the players with their deals and other names; or say which names are one person.

    No record is changed by a merge: it says which name is shown, and `split` takes it back. To give deals away without
    names, see `schafkopf export --mask`.
    """
    if context.invoked_subcommand:
        return
    from tabulate import tabulate

    from archive.store import open_read
    from archive.store import players as every

    rows = [(each.name, each.deals, ", ".join(each.aliases)) for each in every(open_read(db))]
    click.echo(tabulate(rows, ("player", "deals", "other names"), disable_numparse=[0]) if rows else "no players")


@players.command()
@click.argument("names", metavar="NAME…", nargs=-1, required=True)
@click.option("--into", required=True, metavar="NAME", help="Whose other names these are.")
@BY
@WHY
@DB
@spoken_errors
def merge(names: tuple[str, ...], into: str, by: str, why: str, db: str) -> None:
    """Make names the other names of one player.

    Refused for two who sat at one table. The deals keep the names that were recorded; tables, standings and accounts
    show the one player.
    """
    from archive.store import merge_players, open_archive, open_read

    open_read(db).close()
    shown = merge_players(open_archive(db), names, into, by, why)
    told = "another name" if len(names) == 1 else "other names"
    click.echo(f"{', '.join(names)}: {told} of {shown}; `schafkopf players split NAME` takes it back")


@players.command()
@click.argument("name", metavar="NAME")
@BY
@WHY
@DB
@spoken_errors
def split(name: str, by: str, why: str, db: str) -> None:
    """Take a merge back: NAME is a player of its own again."""
    from archive.store import open_archive, open_read, split_player

    open_read(db).close()
    before = split_player(open_archive(db), name, by, why)
    click.echo(f"{name} and {before} are two players again")
