"""What the commands that read an archive share: the option, opening it, finding a deal in it."""

import sqlite3
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from archive.audit import Judgement

DB = click.option("--db", default="archive.db", show_default=True, type=click.Path(dir_okay=False), help="The archive.")


def reading(path: str) -> sqlite3.Connection:
    """The archive, opened for reading; a sentence instead of a traceback where it cannot be."""
    from archive.store import open_read

    return open_read(path)


def judged_deal(path: str, text: str) -> "Judgement":
    """The one deal that `text` names, judged again from its record."""
    from archive.audit import judge
    from archive.store import find_deal, load_deal

    conn = reading(path)
    ids = find_deal(conn, text)
    if not ids:
        raise click.UsageError(f"no deal {text!r} in {path}")
    if len(ids) > 1:
        raise click.UsageError(f"{text!r} may be any of the deals {', '.join(map(str, ids))}")
    loaded = load_deal(conn, ids[0])
    if loaded is None:
        raise click.UsageError(f"no deal {text!r} in {path}")
    session, deal, table = loaded
    return judge(session, deal, deal.no or ids[0], table)
