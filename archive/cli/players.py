"""`schafkopf players`: who plays, which names are one person, and a person who must not be named any more."""

import click

from archive.cli.archive_file import DB, spoken_errors
from archive.record import counted

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


@players.command()
@click.argument("name", metavar="NAME")
@click.option("--dry-run", is_flag=True, help="Say what would be changed, and change nothing.")
@BY
@WHY
@DB
@spoken_errors
def erase(name: str, dry_run: bool, by: str, why: str, db: str) -> None:
    """Take a person's name out of the archive for good: records, texts of files, findings, all of it.

    A number stands in its place. The deals stay, with their verdicts and settlements. There is no way back, and copies
    of the archive and the files it was imported from keep the name.
    """
    from archive.store import open_archive, open_read, rehearsal
    from archive.store.erasing import erase_player

    open_read(db).close()
    if dry_run:
        with rehearsal(db) as archive:
            done = erase_player(archive, name, by, why)
    else:
        done = erase_player(open_archive(db), name, by, why)
    parts = [counted(done.records, "record"), counted(done.sources, "file"), counted(done.rows, "other row")]
    click.echo(f"{done.pseudonym} {'would stand' if dry_run else 'stands'} in {', '.join(parts)}")
    if done.otherwise:
        named = ", ".join(map(str, done.otherwise[:20]))
        click.echo(f"{counted(len(done.otherwise), 'deal')} judged otherwise than before: {named}", err=True)
