"""`schafkopf upgrade`: an archive of an older version gets what this one has."""

import click

from archive.cli.archive_file import DB
from archive.cli.language import reader_text
from archive.cli.options import JSON, print_object
from archive.store.upgrade import upgrade as bring_up


@click.command()
@click.argument("archives", metavar="[ARCHIVE]…", nargs=-1, type=click.Path(dir_okay=False))
@click.option("--no-copy", is_flag=True, help="Make no copy of an archive first.")
@JSON
@DB
def upgrade(archives: tuple[str, ...], no_copy: bool, as_json: bool, db: str) -> None:
    """Bring an archive of an older version up to date; that of --db where none is named.

    No deal, correction or ruling is lost. A copy of the archive as it was is laid beside it first. Commands that only
    read an archive never change it, and ask for this; those that write into it do it by themselves, with such a copy.
    """
    for path in archives or (db,):
        done = bring_up(path, not no_copy)
        earlier = {"judged_earlier": done.judged_earlier if done else None}
        if as_json:
            copy = str(done.copy) if done and done.copy else None
            print_object({"archive": path, "upgraded": done is not None, "copy": copy} | earlier)
        elif done is None:
            click.echo(reader_text("archive-now", path=path))
        else:
            facts = {"copy": str(done.copy)} if done.copy else {}
            click.echo(reader_text("upgraded-copy" if facts else "upgraded", path=path, n=done.deals, **facts))
            if done.judged_earlier:
                click.echo(reader_text("upgrade-judged-earlier", n=done.judged_earlier, db=path), err=True)
