"""`schafkopf users`: who may read and write an archive through its server."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from archive.cli.archive_file import DB, report_archive_errors
from archive.cli.known_names import PLAYER
from archive.cli.language import cli_text, heads, reader_language, wrong_use
from archive.cli.options import JSON, print_rows
from archive.store import open_archive, open_read
from archive.store.accounts import ROLES, Account, Accounts, Role, accounts_path
from archive.store.passwords import LONGEST, SHORTEST, hash_password, is_long_enough
from archive.text.tables import tabulate

ROLE = click.option("--role", type=click.Choice(ROLES), required=True, help="Each may do what those before it may.")
NAME = click.argument("name")


@click.group("users")
def users() -> None:
    """Accounts of an archive: who may read private evenings, write, rule, and keep it.

    A reader sees what is for accounts, a writer writes evenings down and corrects them, a referee rules, a keeper does
    everything. Accounts lie beside the archive, in a file that no backup or export has.
    """


@contextmanager
def accounts_of(db: str) -> Iterator[Accounts]:
    """Give the accounts of an archive. Raises ArchiveError if there is no such archive."""
    open_read(db).close()
    with closing(Accounts(Path(db))) as accounts:
        yield accounts


@users.command()
@NAME
@ROLE
@click.option("--player", type=PLAYER, help="The name of this person in the records, where it is another one.")
@DB
@report_archive_errors
def add(name: str, role: Role, player: str | None, db: str) -> None:
    """Add an account, with a password that is asked for, or is the first line of standard input. Where there is no
    archive yet, an empty one is made."""
    if not Path(db).exists():
        open_archive(db).conn.close()
        say_done("new-archive", db=db)
    with accounts_of(db) as accounts:
        accounts.add(name, role, hash_password(read_password()), player)
    say_done("added", name=name, role=role)


@users.command("list")
@JSON
@DB
@report_archive_errors
def list_users(as_json: bool, db: str) -> None:
    """List the accounts."""
    rows = list[tuple[str, str, str]]()
    if not Path(db).is_file() or accounts_path(Path(db)).is_file():  # listing none makes no file for them
        with accounts_of(db) as accounts:
            rows = [(account.name, account.role, account.player) for account in accounts.list_accounts()]
    if as_json:
        print_rows(("name", "role", "player"), rows)
        return
    click.echo(tabulate(rows, heads("name", "role", "player")) if rows else cli_text("no-accounts", reader_language()))


@users.command()
@NAME
@DB
@report_archive_errors
def remove(name: str, db: str) -> None:
    """Remove an account. What it wrote keeps its name."""
    with account_of(db, name) as (accounts, account):
        accounts.remove(account)
    say_done("removed", name=account.name)


@users.command()
@NAME
@DB
@report_archive_errors
def password(name: str, db: str) -> None:
    """Give an account another password, and sign it out everywhere."""
    with account_of(db, name) as (accounts, account):
        accounts.set_password(account, hash_password(read_password()))
    say_done("password", name=account.name)


@users.command("role")
@NAME
@click.argument("role", type=click.Choice(ROLES))
@DB
@report_archive_errors
def set_role(name: str, role: Role, db: str) -> None:
    """Give an account another role, from the next request on."""
    with account_of(db, name) as (accounts, account):
        accounts.set_role(account, role)
    say_done("role", name=account.name, role=role)


@users.command()
@NAME
@DB
@report_archive_errors
def revoke(name: str, db: str) -> None:
    """Sign an account out everywhere, and take its tokens back."""
    with account_of(db, name) as (accounts, account):
        count = accounts.revoke(account)
    say_done("revoked", name=account.name, n=count)


@users.command()
@NAME
@DB
@report_archive_errors
def token(name: str, db: str) -> None:
    """Print a token by which a program acts as an account, until it is revoked. It is shown this once."""
    with account_of(db, name) as (accounts, account):
        click.echo(accounts.new_token(account))


def say_done(key: str, /, **facts: str | int) -> None:
    """Print what was done, the text `users-KEY` of `cli.toml`, in the language of the reader."""
    click.echo(cli_text(f"users-{key}", reader_language(), **facts), err=True)


@contextmanager
def account_of(db: str, name: str) -> Iterator[tuple[Accounts, Account]]:
    with accounts_of(db) as accounts:
        yield accounts, accounts.account(name)


def read_password() -> str:
    """Return a password, asked for twice on a terminal, otherwise the first line of standard input. Raises
    UsageError."""
    if sys.stdin.isatty():
        text = str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    if not is_long_enough(text):
        raise wrong_use("password-length", least=SHORTEST, most=LONGEST)
    return text
