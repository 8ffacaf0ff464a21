"""`schafkopf serve`: viewer and data site on one port."""

from pathlib import Path

import click

from archive.cli.archive_file import DB, report_archive_errors
from archive.cli.inputs import read_pasted
from archive.store import open_read


@click.command()
@DB
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--no-sql", is_flag=True, help="No SQL of visitors' own: for public servers.")
@report_archive_errors
def serve(db: str, host: str, port: int, no_sql: bool) -> None:
    """Serve an archive: the viewer at /, Datasette at /data/. Nothing can be changed through it.

    At /check a record can be pasted and is judged; it is not kept."""
    from archive.web.serve import serve_archive  # here, since `serve --help` need not wait for Flask and Datasette

    open_read(db).close()
    serve_archive(Path(db), host, port, sql=not no_sql, read=read_pasted)
