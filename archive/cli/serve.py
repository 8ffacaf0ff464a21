"""`schafkopf serve`: viewer and data site on one port."""

import getpass
from contextlib import closing, nullcontext
from ipaddress import ip_address
from pathlib import Path

import click
from click.core import ParameterSource

from archive.cli.archive_file import DB, leave_nothing
from archive.cli.inputs import read_pasted
from archive.cli.language import of_environment, reader_text, wrong_use
from archive.cli.received import columns_received, read_received
from archive.store import open_read

SAMPLES = "samples.db"  # the archive of the sample club


@click.command()
@DB
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--samples", is_flag=True, help=f"Serve a sample club, from an archive of its own: {SAMPLES}.")
@click.option(
    "--lan", is_flag=True, help="For phones in the same Wi-Fi: print an address and a code that they can reach."
)
@click.option("--no-sql", is_flag=True, help="No SQL of visitors' own: for public servers.")
@click.option("--write", "writes", is_flag=True, help="Let in who may write: accounts, or by a printed link.")
@click.option("--by", metavar="NAME", help="Who writes by that link; your name on this machine, if left out.")
@click.option(
    "--base-path", default="", metavar="/PATH", envvar="SCRIPT_NAME", help="Where on its host the site lies: /karten."
)
@click.option("--behind-proxy", is_flag=True, help="Believe X-Forwarded-For, -Host and -Proto; only behind a proxy.")
@click.pass_context
def serve(
    context: click.Context, /, db: str, host: str, port: int, samples: bool, lan: bool, no_sql: bool, writes: bool,
    by: str | None, base_path: str, behind_proxy: bool,
) -> None:  # fmt: skip
    """Serve an archive: the viewer at /, Datasette at /data/. Without --write nothing can be changed through it.

    At /check a record can be pasted and is judged; it is not kept. docs/hosting.md has what a club's server needs."""
    from archive.web.doors.keys import open_doors  # here, since `serve --help` need not wait for Flask and Datasette
    from archive.web.serve import address_in_network, serve_archive

    if by and not writes:
        raise wrong_use("by-of-write")
    if lan and context.get_parameter_source("host") is ParameterSource.COMMANDLINE:
        raise wrong_use("lan-or-host")
    if lan:
        host = address_in_network() or host
        if is_this_machine(host):
            raise wrong_use("no-network")
    if samples:
        from archive.cli.samples import import_club  # here, since other archives need nothing of an import

        if context.get_parameter_source("db") is ParameterSource.COMMANDLINE:
            raise wrong_use("samples-or-db", db=SAMPLES)
        db = leave_nothing(SAMPLES)
        import_club(db, of_environment())
    if not writes:
        open_read(db).close()
    elif not Path(db).exists():
        click.echo(reader_text("account-archive", db=db), err=True)
    doors = open_doors(Path(db), by or user_name(), writes, read_received, columns_received)
    with closing(doors) if doors else nullcontext():
        if doors and not doors.accounts and (behind_proxy or not (lan or is_this_machine(host))):
            where = "behind a proxy" if behind_proxy else f"on {host}"
            raise wrong_use("write-accounts", where=where)
        serve_archive(
            Path(db), host, port, of_environment(), lan, sql=not no_sql, read=read_pasted, doors=doors, base=base_path,
            behind_proxy=behind_proxy,
        )  # fmt: skip


def is_this_machine(host: str) -> bool:
    """Return whether an address can be reached only from this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def user_name() -> str:
    """Return the name of the user running the program on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "local"
