"""`schafkopf export`: records out of the archive, without loss; and the readable table of outcomes."""

import sys

import click

from archive.cli.archive_file import DB, spoken_errors


@click.command()
@click.option("--to", "kind", type=click.Choice(["jsonl", "toml", "csv"]), default="jsonl", show_default=True,
              help="JSON lines and TOML are the records; CSV is the table of outcomes.")  # fmt: skip
@click.option("--session", type=int, help="Only this session, by its number; TOML needs one.")
@DB
@spoken_errors
def export(kind: str, session: int | None, db: str) -> None:
    """Print the records of an archive, or of one session.

    JSON lines and TOML hold everything that was recorded and can be imported again. CSV has one row a deal and drops
    hands, tricks and the auction.
    """
    from archive.store import export_lines, export_outcomes, export_toml, open_read

    conn = open_read(db)
    if kind == "csv":
        export_outcomes(conn, sys.stdout, session)
    elif kind == "toml":
        text = None if session is None else export_toml(conn, session)
        if text is None:
            raise click.UsageError("TOML is one session a file: name it with --session NUMBER")
        click.echo(text, nl=False)
    else:
        for line in export_lines(conn, session):
            sys.stdout.buffer.write(line)
