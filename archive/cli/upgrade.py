"""`schafkopf upgrade`: an archive of an older version gets what this one has."""

import click

from archive.cli.archive_file import report_archive_errors
from archive.cli.language import cli_text
from archive.store.upgrade import upgrade as bring_up


@click.command()
@click.argument("archives", metavar="[ARCHIVE]…", nargs=-1, type=click.Path(dir_okay=False))
@click.option("--no-copy", is_flag=True, help="Make no copy of an archive first.")
@report_archive_errors
def upgrade(archives: tuple[str, ...], no_copy: bool) -> None:
    """Bring an archive of an older version up to date; archive.db where none is named.

    No deal, correction or ruling is lost. A copy of the archive as it was is laid beside it first. Commands that only
    read an archive never change it, and ask for this; those that write into it do it by themselves, without a copy.
    """
    for path in archives or ("archive.db",):
        done = bring_up(path, not no_copy)
        if done is None:
            click.echo(f"{path} is up to date")
            continue
        beside = f"; as it was, it is {done.copy}" if done.copy else ""
        click.echo(f"{path} is brought up to date: {cli_text('deals', n=done.deals)}{beside}")
