"""`schafkopf visibility`: who sees which session of an archive that is served, and whose name is hidden."""

import click

from archive.cli.archive_file import DB, known_player, source_number
from archive.cli.language import heads, reader_text, wrong_use
from archive.cli.options import JSON, print_rows
from archive.say import message
from archive.store import open_archive, open_read
from archive.store.privacy import AUDIENCES, SUBJECTS, Audience, Subject, deals_told_again, restrictions, set_audience
from archive.store.row_values import row_number
from archive.text.tables import tabulate

EVERYBODY = "everybody"


@click.group("visibility")
def visibility() -> None:
    """Who sees what of a served archive: everybody, accounts, or players alone.

    Pages, questions, /api/v1 and /data keep to it. Whoever has the file of the archive has all of it.
    """


@visibility.command("list")
@JSON
@DB
def list_restrictions(as_json: bool, db: str) -> None:
    """List what is not for everybody."""
    conn = open_read(db)
    rows = [(row.subject, row.id, row.audience, row.author, row.made_at) for row in restrictions(conn)]
    head = ("what", "number", "for", "by", "since")
    if as_json:
        print_rows(head, rows)
        return
    shown = [
        (reader_text(f"visible-{what}"), key, reader_text(f"visible-{who}"), *others)
        for what, key, who, *others in rows
    ]
    click.echo(tabulate(shown, heads(*head)) if rows else reader_text("all-for-everybody"))
    for deal, other in deals_told_again(conn):
        click.echo(reader_text("told-again", deal=deal, other=other))


@visibility.command("set")
@click.argument("subject", type=click.Choice(SUBJECTS))
@click.argument("which")
@click.argument("audience", type=click.Choice((EVERYBODY, *AUDIENCES)))
@click.option("--by", required=True, metavar="NAME", help="Who decides so.")
@DB
def set_visibility(subject: Subject, which: str, audience: str, by: str, db: str) -> None:
    """Let a session, a source (a file with all its sessions), or the name of a player be for an audience.

    WHICH is the number of the session, the number, path or hash of the file, or the name of the player. A name is
    hidden from readers without an account (`accounts`), or from nobody.
    """
    chosen: Audience | None = next((name for name in AUDIENCES if name == audience), None)
    open_read(db).close()
    archive = open_archive(db)
    if subject == "source":
        key = source_number(archive.conn, db, which)
    elif subject == "player":
        name = known_player(archive.conn, db, which)
        key = archive.conn.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()[0]
    elif (number := row_number(which)) is not None:
        key = number
    else:
        raise wrong_use("no-session", session=which, path=db)
    set_audience(archive, subject, key, chosen, by)
    words = {"subject": message(f"cli.visible-{subject}"), "audience": message(f"cli.visible-{audience}")}
    click.echo(reader_text("visible", which=which, **words), err=True)
